//! Material types: each has its own appearance and conserves energy.

use std::f32::consts::PI;

use galatea::asset::model::{
    Clearcoat, Image, InstanceMaterial, Iris, Material, MaterialKind, MaterialValues, OutlineMode,
    Primitive, Sheen,
};
use galatea::render::{Picture, RenderOptions, Renderer};
use galatea::stage::Frame;
use galatea::stage::frame::PostProcessing;
use glam::{Vec2, Vec3, Vec4};

use super::scenes::{
    ball, bare, draw, first_image_unmixed, largest_difference, light_at, local_light, put, toon,
    under,
};
use super::shapes::{capsule, cuboid, material, rigid};
use super::{gpu, keep, renderer_with};

fn kinds() -> [(&'static str, Material); 9] {
    let plain = material(Vec3::new(0.75, 0.5, 0.42), 0.45, 0.0);
    let of = |kind| Material {
        kind,
        ..plain.clone()
    };
    [
        ("plain", plain.clone()),
        ("skin", of(MaterialKind::Skin)),
        ("eye", of(MaterialKind::Eye)),
        (
            "eye with an iris",
            Material {
                iris: Some(Iris {
                    center: Vec2::new(0.3, 0.0),
                    radius: 0.5,
                    depth: 0.5,
                }),
                ..of(MaterialKind::Eye)
            },
        ),
        ("hair", of(MaterialKind::Hair)),
        ("cloth", of(MaterialKind::Cloth)),
        (
            "coat",
            Material {
                clearcoat: Clearcoat {
                    factor: 1.0,
                    roughness: 0.05,
                    ..Clearcoat::default()
                },
                ..plain.clone()
            },
        ),
        (
            "sheen",
            Material {
                sheen: Sheen {
                    color: Vec3::splat(0.9),
                    roughness: 0.4,
                    ..Sheen::default()
                },
                ..plain.clone()
            },
        ),
        ("dense", Material { ior: 1.8, ..plain }),
    ]
}

#[test]
fn each_material_type_is_distinct_and_conserves_energy() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let mut drawn: Vec<(&str, Picture)> = Vec::new();
    for (i, (name, material)) in kinds().into_iter().enumerate() {
        let mut frame = bare();
        frame.post_processing = PostProcessing::default();
        frame.light = Default::default();
        frame.light.local_lights = vec![local_light(Vec3::new(2.0, 1.0, -1.5), 4.0)];
        put(&mut frame, ball(80 + i as u64, material.clone()));
        let picture = draw(&gpu, &mut renderer, &frame);
        keep(&picture, &format!("kind {name}"));
        for (other, known) in &drawn {
            let difference = largest_difference(known, &picture);
            assert!(difference >= 10, "{name} looks like {other}: {difference}");
        }
        drawn.push((name, picture));

        let mut frame = bare();
        under(&mut frame, 79, 16, |_| Vec3::splat(0.5));
        let white = Material {
            base_color: Vec4::ONE,
            ..material
        };
        put(&mut frame, ball(90 + i as u64, white));
        let picture = draw(&gpu, &mut renderer, &frame);
        let brightest = (64..192)
            .map(|x| light_at(&picture, x, 128).y)
            .fold(0.0, f32::max);
        assert!(brightest < 0.5 * 1.06, "{name} makes light: {brightest}");
    }
}

#[test]
fn glass_shows_the_background() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let scene = |glass: f32, uid: u64| {
        let mut frame = bare();
        frame.post_processing = PostProcessing::default();
        frame.light = Default::default();
        let red = material(Vec3::new(0.8, 0.05, 0.05), 0.9, 0.0);
        let wall: Primitive = cuboid(Vec3::new(0.0, 0.0, -1.5), Vec3::new(2.0, 2.0, 0.1));
        put(&mut frame, rigid(uid, vec![wall], vec![red]));
        let mut pane = material(Vec3::new(0.9, 0.95, 1.0), 0.05, 0.0);
        pane.transmission.factor = glass;
        put(&mut frame, ball(uid + 1, pane));
        frame
    };
    let solid = draw(&gpu, &mut renderer, &scene(0.0, 100));
    let clear = draw(&gpu, &mut renderer, &scene(1.0, 102));
    keep(&clear, "glass");
    let (solid, clear) = (light_at(&solid, 110, 140), light_at(&clear, 110, 140));
    assert!(clear.x > 2.0 * clear.y, "the wall is seen: {clear}");
    assert!(solid.x < 1.3 * solid.y, "{solid}");
}

#[test]
fn toons_have_two_colours_a_rim_and_an_outline() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let mut picture = |uid: u64, material: Material| {
        let mut frame = bare();
        frame.light.sun_color = Vec3::splat(PI);
        frame.light.sun_direction = Vec3::X;
        put(&mut frame, ball(uid, material));
        let picture = draw(&gpu, &mut renderer, &frame);
        keep(&picture, &format!("toon {uid}"));
        picture
    };
    let plain = picture(130, toon(|_| {}));
    let (lit, shade) = (light_at(&plain, 190, 128), light_at(&plain, 70, 128));
    assert!(lit.abs_diff_eq(Vec3::new(0.9, 0.6, 0.5), 0.02), "{lit}");
    assert!(shade.abs_diff_eq(Vec3::new(0.2, 0.1, 0.3), 0.02), "{shade}");
    // From shadow to light without a visible line.
    let across: Vec<f32> = (70..190).map(|x| light_at(&plain, x, 128).y).collect();
    assert!(
        across.windows(2).all(|two| two[1] > two[0] - 0.02),
        "{across:?}"
    );
    let rim = picture(
        131,
        toon(|t| {
            t.rim_color = Vec3::splat(0.6);
            t.rim_lighting_mix = 0.0;
            t.rim_fresnel_power = 2.0;
        }),
    );
    // The sphere's edge is about 113 pixels from its centre.
    assert!(light_at(&rim, 20, 128).y > light_at(&plain, 20, 128).y + 0.2);
    let outlined = picture(
        132,
        toon(|t| {
            t.outline.mode = OutlineMode::World;
            t.outline.width = 0.06;
            t.outline.color = Vec3::new(0.0, 0.8, 0.0);
            t.outline.lighting_mix = 0.0;
        }),
    );
    let greens = |picture: &Picture| {
        let is_green = |t: &&[u8]| t[1] > 150 && t[0] < 60;
        picture.rgba.chunks_exact(4).filter(is_green).count()
    };
    assert!(
        greens(&outlined) > 2000 && greens(&plain) == 0,
        "{}",
        greens(&outlined)
    );
}

#[test]
fn a_toons_pictures_move_by_themselves() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    // Two colours next to each other. The whole sphere shows one of them, because its coordinates are 0.
    let stripes = Image {
        name: String::new(),
        width: 2,
        height: 1,
        rgba: vec![255, 0, 0, 255, 0, 0, 255, 255],
    };
    let mut material = toon(|t| t.uv_animation.scroll = Vec2::new(0.5, 0.0));
    material.base_color = Vec4::ONE;
    material.base_color_texture = first_image_unmixed();
    let mut model = ball(140, material);
    model.images = vec![stripes];
    for primitive in model
        .meshes
        .iter_mut()
        .flat_map(|mesh| &mut mesh.primitives)
    {
        primitive.uv0 = vec![Vec2::new(0.25, 0.5); primitive.positions.len()];
    }
    let mut frame = bare();
    frame.light.sun_direction = Vec3::Z;
    frame.light.sun_color = Vec3::splat(PI);
    put(&mut frame, model);
    let mut at = |time: f64| {
        frame.time = time;
        light_at(&draw(&gpu, &mut renderer, &frame), 128, 128)
    };
    let (first, later) = (at(0.0), at(1.0));
    assert!(first.x > 0.8 && first.z < 0.1, "{first}");
    assert!(later.z > 0.8 && later.x < 0.1, "{later}");
}

#[test]
fn an_instance_shows_its_own_values_and_its_variant() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let unlit = |color: Vec3| Material {
        unlit: true,
        ..material(color, 1.0, 0.0)
    };
    let (red, blue) = (unlit(Vec3::X), unlit(Vec3::Z));
    let mut shape = capsule(Vec3::ZERO, Vec3::ZERO, 1.0, 48);
    shape.variants = vec![(0, 1)];
    let mut model = rigid(150, vec![shape], vec![red.clone()]);
    model.materials.push(blue);
    model.variants = vec!["blue".into()];
    let mut frame = bare();
    put(&mut frame, model);
    let shown =
        |renderer: &mut Renderer, frame: &Frame| light_at(&draw(&gpu, renderer, frame), 128, 128);
    assert!(shown(&mut renderer, &frame).abs_diff_eq(Vec3::X, 0.01));
    frame.models[0].variant = Some(0);
    assert!(shown(&mut renderer, &frame).abs_diff_eq(Vec3::Z, 0.01));
    frame.models[0].variant = None;
    let mut values = MaterialValues::of(&red);
    values.base_color = Vec4::new(0.0, 0.5, 0.0, 1.0);
    let own = InstanceMaterial {
        material: 0,
        values,
    };
    frame.material_values = vec![own];
    frame.models[0].materials = (0, 1);
    let green = shown(&mut renderer, &frame);
    assert!(green.abs_diff_eq(Vec3::new(0.0, 0.5, 0.0), 0.01), "{green}");
}
