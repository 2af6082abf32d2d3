use std::sync::Arc;

use super::*;
use crate::Definition;
use crate::{Character, Placement};
use galatea_anim::{Bone, Clip, Curve, Interpolation, Skeleton, Track};
use galatea_asset::Model;
use galatea_asset::model::{
    Material, Mesh, MorphTarget, Part, Primitive as Piece, WrinkleRegion, Wrinkles,
};
use galatea_math::Trs;

fn region(name: &str, drivers: Vec<WrinkleDriver>) -> WrinkleRegion {
    WrinkleRegion {
        name: name.into(),
        mask: None,
        map: None,
        rest: 0.0,
        tint: Vec3::ONE,
        drivers,
    }
}

fn shape(name: &str, factor: f32) -> WrinkleDriver {
    WrinkleDriver::Shape(name.into(), factor)
}

fn stretch(ratio: f32) -> WrinkleDriver {
    WrinkleDriver::Stretch {
        from: Vec2::new(0.1, 0.05),
        to: Vec2::new(0.1, 0.9),
        ratio,
    }
}

/// A square metre of skin. `browInnerUp` raises its lower edge by 0.4 m, `mouthSmileLeft` moves nothing. A clip has a curve
/// `pout` with the value 0.25.
fn model(regions: Vec<WrinkleRegion>) -> Model {
    let corners = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
    let up = [0.0, 0.0, 0.4, 0.4].map(|y| Vec3::Y * y).to_vec();
    let piece = Piece {
        positions: corners.map(|uv| Vec3::new(uv.x, 1.0 - uv.y, 0.0)).to_vec(),
        normals: vec![Vec3::Z; 4],
        uv0: corners.to_vec(),
        targets: vec![
            MorphTarget {
                positions: up,
                ..MorphTarget::default()
            },
            MorphTarget {
                positions: vec![Vec3::ZERO; 4],
                ..MorphTarget::default()
            },
        ],
        indices: vec![0, 2, 1, 0, 3, 2],
        ..Piece::default()
    };
    let skin = Material {
        name: "skin".into(),
        wrinkles: Some(Box::new(Wrinkles {
            regions,
            ..Wrinkles::default()
        })),
        ..Material::default()
    };
    let bone = Bone {
        name: "root".into(),
        parent: None,
        rest: Trs::IDENTITY,
        skinned: false,
    };
    let clip = Clip {
        name: "idle".into(),
        duration: 1.0,
        curves: vec![Curve {
            name: "pout".into(),
            track: Track {
                times: vec![0.0],
                values: vec![0.25],
                interpolation: Interpolation::Linear,
            },
        }],
        ..Clip::default()
    };
    Model {
        skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap()),
        meshes: vec![Mesh {
            primitives: vec![piece],
            morph_names: vec!["browInnerUp".into(), "mouthSmileLeft".into()],
            ..Mesh::default()
        }],
        parts: vec![Part {
            morph_weights: vec![0.0; 2],
            ..Part::default()
        }],
        materials: vec![skin],
        clips: vec![Arc::new(clip)],
        ..Model::default()
    }
}

fn one(model: Model) -> Character {
    let definition = Arc::new(Definition::new(Arc::new(model)));
    Character::new("a".into(), "a".into(), definition, Placement::default())
}

fn pose(character: &mut Character, morphs: &[(usize, f32)]) -> Vec<f32> {
    character.posed.morph_overrides = morphs.to_vec();
    character.begin_build();
    character.evaluate_pose(0.0);
    character.build();
    let mut out = Vec::new();
    character.appearance.wrinkles.snapshot(1.0, &mut out);
    out
}

#[test]
fn shapes_stretch_and_curves_are_summed_and_clamped() {
    let rested = WrinkleRegion {
        rest: 0.1,
        ..region("rested", vec![shape("browInnerUp", 0.5)])
    };
    let mut hero = one(model(vec![
        rested,
        region(
            "both",
            vec![shape("browInnerUp", 1.0), shape("mouthSmileLeft", -0.5)],
        ),
        region("near", vec![stretch(0.6)]),
        region("apart", vec![stretch(1.2)]),
        region("curve", vec![WrinkleDriver::Curve("pout".into())]),
    ]));
    assert_eq!(hero.definition.wrinkles().problems, Vec::<String>::new());
    let close = |got: Vec<f32>, expected: [f32; 5]| {
        let differences = got.iter().zip(expected).map(|(a, b)| (a - b).abs());
        assert!(
            got.len() == 5 && differences.fold(0.0, f32::max) < 2e-3,
            "{got:?}, expected {expected:?}"
        );
    };
    close(pose(&mut hero, &[(0, 0.0)]), [0.1, 0.0, 0.0, 0.0, 0.25]);
    // The edges are 0.8 m apart, half of the range down to 0.6.
    close(pose(&mut hero, &[(0, 0.5)]), [0.35, 0.5, 0.5, 0.0, 0.25]);
    close(
        pose(&mut hero, &[(0, 1.0), (1, 0.8)]),
        [0.6, 0.6, 1.0, 0.0, 0.25],
    );
    // Stretched to 1.1 m.
    close(pose(&mut hero, &[(0, -0.25)]), [0.0, 0.0, 0.0, 0.5, 0.25]);
    close(pose(&mut hero, &[(0, 9.0)]), [1.0, 1.0, 0.0, 1.0, 0.25]);
}

#[test]
fn a_script_overrides_a_region_and_resets_it() {
    let mut hero = one(model(vec![region("brow", vec![shape("browInnerUp", 1.0)])]));
    assert_eq!(pose(&mut hero, &[(0, 0.4)]), [0.4]);
    hero.appearance.wrinkles.hold(0, Some(1.0), 0.5);
    assert_eq!(pose(&mut hero, &[(0, 0.4)]), [0.4]);
    hero.appearance.wrinkles.advance(0.25);
    assert!((pose(&mut hero, &[(0, 0.4)])[0] - 0.7).abs() < 1e-6);
    hero.appearance.wrinkles.advance(0.25);
    assert_eq!(pose(&mut hero, &[(0, 0.2)]), [1.0]);
    hero.appearance.wrinkles.hold(0, Some(0.3), 0.0);
    assert_eq!(pose(&mut hero, &[(0, 0.8)]), [0.3]);
    hero.appearance.wrinkles.hold(0, None, 1.0);
    hero.appearance.wrinkles.advance(0.5);
    assert!((pose(&mut hero, &[(0, 0.8)])[0] - 0.55).abs() < 1e-6);
    hero.appearance.wrinkles.advance(0.6);
    assert_eq!(pose(&mut hero, &[(0, 0.8)]), [0.8]);
    hero.appearance.wrinkles.hold(0, Some(0.5), 0.0);
    hero.appearance.wrinkles.hold(0, None, 0.0);
    assert_eq!(pose(&mut hero, &[(0, 0.8)]), [0.8]);
}

#[test]
fn missing_names_are_reported_with_the_most_similar_name() {
    let hero = one(model(vec![
        region("brow", vec![shape("browInerUp", 1.0)]),
        region("lip", vec![WrinkleDriver::Curve("puot".into())]),
        region(
            "point",
            vec![WrinkleDriver::Stretch {
                from: Vec2::ZERO,
                to: Vec2::splat(0.1),
                ratio: 0.5,
            }],
        ),
    ]));
    let problems = hero.definition.wrinkles().problems.join("\n");
    for text in [
        "wrinkles of \"skin\": region \"brow\": there is no shape \"browInerUp\"; did you mean \"browInnerUp\"?",
        "region \"lip\": no clip has a curve \"puot\"; did you mean \"pout\"?",
        "region \"point\": the two points of a stretch are the same",
    ] {
        assert!(problems.contains(text), "{problems}");
    }
}

#[test]
fn overrides_survive_a_new_version_of_the_model() {
    let mut hero = one(model(vec![
        region("brow", vec![shape("browInnerUp", 1.0)]),
        region("chin", Vec::new()),
    ]));
    hero.appearance.wrinkles.hold(1, Some(0.75), 0.0);
    let new = model(vec![region("chin", Vec::new()), region("nose", Vec::new())]);
    hero.replace_definition(Arc::new(Definition::new(Arc::new(new))))
        .unwrap();
    assert_eq!(pose(&mut hero, &[]), [0.75, 0.0]);
}
