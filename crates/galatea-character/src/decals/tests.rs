use super::*;
use crate::{Character, Placement};
use galatea_anim::{Bone, Skeleton};
use galatea_asset::model::{Image, Material, Mesh, Part};
use galatea_deform::PaletteLayout;
use galatea_math::Trs;

/// A square metre of skin that faces +Z, with `n` squares per side.
fn model(n: u32, uv: impl Fn(Vec2) -> Vec2) -> Model {
    let mut piece = Primitive::default();
    for i in 0..(n + 1) * (n + 1) {
        let at = Vec2::new((i % (n + 1)) as f32, (i / (n + 1)) as f32) / n as f32;
        piece.positions.push(Vec3::new(at.x, 1.0 - at.y, 0.0));
        piece.normals.push(Vec3::Z);
        piece.uv0.push(uv(at));
    }
    for i in 0..n * n {
        let a = i / n * (n + 1) + i % n;
        let b = a + n + 1;
        piece.indices.extend([a, b, a + 1, a + 1, b, b + 1]);
    }
    let bone = Bone {
        name: "root".into(),
        parent: None,
        rest: Trs::IDENTITY,
        skinned: false,
    };
    Model {
        skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap()),
        meshes: vec![Mesh {
            primitives: vec![piece],
            ..Mesh::default()
        }],
        parts: vec![Part {
            name: "skin".into(),
            ..Part::default()
        }],
        materials: vec![Material {
            name: "skin".into(),
            ..Material::default()
        }],
        ..Model::default()
    }
}

fn one(model: Model) -> Character {
    let definition = Arc::new(Definition::new(Arc::new(model)));
    Character::new("a".into(), "a".into(), definition, Placement::default())
}

fn red() -> DecalSettings {
    DecalSettings {
        material: Arc::new(DecalMaterial {
            color: Arc::new(Image {
                name: String::new(),
                width: 1,
                height: 1,
                rgba: vec![255, 0, 0, 255],
            }),
            tint: Vec3::ONE,
            opacity: 1.0,
            roughness: None,
            depth: 0.0,
            height_map: None,
        }),
        dry_material: None,
        size: 0.2,
        roll: 0.0,
        planar: false,
        fades: None,
    }
}

/// Places a decal where a ray along -Z hits the square.
fn put(
    hero: &mut Character,
    id: u64,
    (x, y): (f32, f32),
    options: DecalSettings,
) -> Result<(), String> {
    let (found, _) = hero.trace(Vec3::new(x, y, 1.0), Vec3::new(x, y, -1.0));
    hero.appearance.decals.put(
        &hero.definition,
        hero.placement.scale,
        id,
        &found.unwrap(),
        options,
    )
}

fn texel(hero: &Character, x: f32, y: f32) -> [u8; 4] {
    match hero.appearance.decals.layers() {
        [(0, layer)] => {
            let at = |share: f32| (share * layer.side() as f32) as u32;
            layer.texel(at(x), at(1.0 - y))[0]
        }
        [] => [0; 4],
        more => panic!("{} layers", more.len()),
    }
}

#[test]
fn a_decal_appears_at_the_hit_point_with_its_size_in_world_metres() {
    let mut hero = one(model(7, |at| at));
    put(&mut hero, 1, (0.3, 0.6), red()).unwrap();
    assert_eq!(texel(&hero, 0.3, 0.6), [255, 0, 0, 255]);
    assert_eq!(texel(&hero, 0.39, 0.51)[3], 255);
    assert_eq!(texel(&hero, 0.41, 0.6)[3], 0);
    // The character is twice as large, so the decal is half as large relative to it.
    let mut large = one(model(7, |at| at));
    large.placement.scale = 2.0;
    large.posed.world = [large.placement.to_affine(); 2];
    put(&mut large, 1, (0.6, 1.2), red()).unwrap();
    assert_eq!(texel(&large, 0.345, 0.6)[3], 255);
    assert_eq!(texel(&large, 0.36, 0.6)[3], 0);
}

#[test]
fn decals_dry_fade_are_removed_and_the_oldest_are_dropped() {
    let mut hero = one(model(4, |at| at));
    let brown = Arc::new(DecalMaterial {
        tint: Vec3::new(0.2, 1.0, 1.0),
        ..(*red().material).clone()
    });
    let drying = DecalSettings {
        dry_material: Some((brown, 4.0)),
        ..red()
    };
    let fading = DecalSettings {
        fades: Some((1.0, 2.0)),
        ..red()
    };
    put(&mut hero, 1, (0.3, 0.5), drying).unwrap();
    put(&mut hero, 2, (0.7, 0.5), fading).unwrap();
    let run = |hero: &mut Character, seconds: f64| {
        for _ in 0..(seconds * 60.0) as u32 {
            hero.appearance.decals.advance(1.0 / 60.0);
        }
    };
    run(&mut hero, 2.1);
    let [r, _, _, a] = texel(&hero, 0.3, 0.5);
    // Half dry: the fresh and the dry decal are each half opaque, one over the other.
    assert!(a > 180 && r < 250 && r > 130, "{r} {a}");
    let half = texel(&hero, 0.7, 0.5)[3];
    assert!((90..150).contains(&half), "{half}");
    run(&mut hero, 3.0);
    assert_eq!(hero.appearance.decals.len(), 1);
    let [r, _, _, a] = texel(&hero, 0.3, 0.5);
    assert!(a == 255 && (120..135).contains(&r), "dry: {r} {a}");
    assert_eq!(texel(&hero, 0.7, 0.5)[3], 0);
    assert!(hero.appearance.decals.remove(Some(1), 0.0) && hero.appearance.decals.is_empty());
    assert!(
        hero.appearance.decals.layers().is_empty() && !hero.appearance.decals.remove(Some(1), 0.0)
    );
    for i in 0..MAX_DECALS as u64 + 3 {
        let small = DecalSettings {
            size: 0.01,
            ..red()
        };
        put(&mut hero, 10 + i, (0.5, 0.5), small).unwrap();
    }
    assert_eq!(hero.appearance.decals.len(), MAX_DECALS);
    assert!(!hero.appearance.decals.has(12) && hero.appearance.decals.has(13));
}

#[test]
fn removing_decals_leaves_the_layers_as_if_they_had_never_been_placed() {
    let at = |i: u64| (0.25 + 0.05 * (i % 11) as f32, 0.3 + 0.04 * (i % 7) as f32);
    let (mut some, mut all) = (one(model(4, |at| at)), one(model(4, |at| at)));
    let fading = DecalSettings {
        fades: Some((1.0, 1.0)),
        ..red()
    };
    for i in 0..30 {
        if i % 3 != 0 {
            put(&mut some, i, at(i), red()).unwrap();
        }
        let fades_out = i % 3 == 0 && i % 2 == 0;
        let options = if fades_out { fading.clone() } else { red() };
        put(&mut all, i, at(i), options).unwrap();
    }
    assert_ne!(
        some.appearance.decals.layers(),
        all.appearance.decals.layers()
    );
    for i in (3..30).step_by(6) {
        assert!(all.appearance.decals.remove(Some(i), 0.0));
    }
    for _ in 0..240 {
        all.appearance.decals.advance(1.0 / 60.0);
    }
    assert_eq!(all.appearance.decals.len(), some.appearance.decals.len());
    assert_eq!(
        some.appearance.decals.layers(),
        all.appearance.decals.layers()
    );
}

#[test]
fn the_maximum_number_of_decals_fades_together_in_time() {
    let mut hero = one(model(4, |at| at));
    let small = DecalSettings {
        size: 0.01,
        ..red()
    };
    for i in 0..MAX_DECALS as u64 {
        put(&mut hero, i, (0.5, 0.5), small.clone()).unwrap();
    }
    assert!(hero.appearance.decals.remove(None, 1.0));
    for _ in 0..50 {
        hero.appearance.decals.advance(1.0 / 60.0);
    }
    assert_eq!(hero.appearance.decals.len(), MAX_DECALS);
    for _ in 0..20 {
        hero.appearance.decals.advance(1.0 / 60.0);
    }
    assert!(hero.appearance.decals.is_empty() && hero.appearance.decals.layers().is_empty());
}

#[test]
fn a_decal_on_overlapping_texture_coordinates_is_a_separate_mesh() {
    for uv in [
        (|at: Vec2| Vec2::new((at.x - 0.5).abs(), at.y)) as fn(Vec2) -> Vec2,
        |_| Vec2::ZERO,
        |at| at * 4.0,
    ] {
        let mut hero = one(model(8, uv));
        put(&mut hero, 1, (0.3, 0.6), red()).unwrap();
        assert_eq!(hero.appearance.decals.len(), 1);
        assert!(hero.appearance.decals.layers().is_empty());
        let patches: Vec<_> = hero.appearance.decals.patches().collect();
        let [(patch, share)] = patches[..] else {
            panic!("{} patches", patches.len())
        };
        assert_eq!(share, 1.0);
        let own = &hero.definition.model;
        assert_eq!(PaletteLayout::new(patch), PaletteLayout::new(own));
        let piece = &patch.meshes[patch.parts[0].mesh].primitives[0];
        // The texture coordinates are proportional to the distance from the hit.
        for (at, uv) in piece.positions.iter().zip(&piece.uv0) {
            let on = Vec2::new(at.x - 0.3, 0.6 - at.y) / 0.2 + 0.5;
            assert!(on.abs_diff_eq(*uv, 1e-4), "{at}: {uv}, not {on}");
        }
        let area = |corners: &[u32]| {
            let [a, b, c] = [0, 1, 2].map(|k| piece.positions[corners[k] as usize]);
            (b - a).cross(c - a).z * 0.5
        };
        let whole: f32 = piece.indices.chunks_exact(3).map(area).sum();
        // The squares are 1/8 m wide; three or four of them contain the decal.
        assert!((0.04..0.16).contains(&whole), "{whole}");
        assert!(hero.appearance.decals.remove(Some(1), 0.0));
        assert_eq!(hero.appearance.decals.patches().count(), 0);
    }
}

#[test]
fn patches_dry_fade_drop_the_oldest_and_survive_a_new_model_version() {
    let folded = |at: Vec2| at * 4.0;
    let mut hero = one(model(8, folded));
    let brown = Arc::new(DecalMaterial {
        tint: Vec3::new(0.2, 1.0, 1.0),
        ..(*red().material).clone()
    });
    let changing = DecalSettings {
        dry_material: Some((brown, 2.0)),
        fades: Some((3.0, 1.0)),
        ..red()
    };
    put(&mut hero, 1, (0.3, 0.6), changing).unwrap();
    let run = |hero: &mut Character, seconds: f64| {
        for _ in 0..(seconds * 60.0) as u32 {
            hero.appearance.decals.advance(1.0 / 60.0);
        }
    };
    let shares = |hero: &Character| -> Vec<(f32, f32)> {
        let all = hero.appearance.decals.patches();
        all.map(|(patch, share)| (patch.materials[0].base_color.x, share))
            .collect()
    };
    run(&mut hero, 1.05);
    let [(1.0, fresh), (0.2, dry)] = shares(&hero)[..] else {
        panic!("{:?}", shares(&hero))
    };
    assert!(
        (fresh + dry - 1.0).abs() < 1e-6 && (0.3..0.7).contains(&dry),
        "{dry}"
    );
    run(&mut hero, 2.5);
    let [(0.2, left)] = shares(&hero)[..] else {
        panic!("{:?}", shares(&hero))
    };
    assert!((0.3..0.7).contains(&left), "{left}");
    run(&mut hero, 1.0);
    assert!(hero.appearance.decals.is_empty());
    for i in 0..MAX_PATCHES as u64 + 2 {
        put(&mut hero, 10 + i, (0.5, 0.5), red()).unwrap();
    }
    assert_eq!(hero.appearance.decals.patches().count(), MAX_PATCHES);
    assert!(!hero.appearance.decals.has(11) && hero.appearance.decals.has(12));
    hero.replace_definition(Arc::new(Definition::new(Arc::new(model(8, folded)))))
        .unwrap();
    assert_eq!(hero.appearance.decals.patches().count(), MAX_PATCHES);
    hero.replace_definition(Arc::new(Definition::new(Arc::new(model(8, |at| at)))))
        .unwrap();
    assert_eq!(hero.appearance.decals.patches().count(), 0);
    assert_eq!(texel(&hero, 0.5, 0.5), [255, 0, 0, 255], "now in a layer");
}

#[test]
fn a_decal_without_colour_is_rejected_as_a_mesh_with_a_reason() {
    let mut hero = one(model(8, |at| at * 4.0));
    let mut look = (*red().material).clone();
    look.color = Arc::new(Image {
        rgba: vec![255, 0, 0, 0],
        ..(*look.color).clone()
    });
    look.depth = 0.01;
    let dent = DecalSettings {
        material: Arc::new(look),
        ..red()
    };
    let error = put(&mut hero, 1, (0.3, 0.6), dent).unwrap_err();
    assert!(
        error.contains("\"skin\": its texture coordinates overlap"),
        "{error}"
    );
    assert!(hero.appearance.decals.is_empty());
}

#[test]
fn a_new_model_version_keeps_decals_on_parts_of_the_same_name() {
    let mut hero = one(model(5, |at| at));
    put(&mut hero, 1, (0.3, 0.6), red()).unwrap();
    let new = Arc::new(Definition::new(Arc::new(model(5, |at| at * 0.5))));
    hero.replace_definition(new).unwrap();
    assert_eq!(hero.appearance.decals.len(), 1);
    assert_eq!(texel(&hero, 0.15, 1.0 - 0.2), [255, 0, 0, 255]);
    let mut other = model(5, |at| at);
    other.parts[0].name = "shell".into();
    hero.replace_definition(Arc::new(Definition::new(Arc::new(other))))
        .unwrap();
    assert!(hero.appearance.decals.is_empty());
}
