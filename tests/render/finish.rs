//! Details of the picture: the horizon, film dithering, edges, thin skin.

use galatea::asset::model::{Material, MaterialKind};
use galatea::render::{Picture, RenderOptions};
use galatea::stage::Frame;
use galatea::stage::frame::{
    Camera, Ground, Light, LocalLight, PostProcessing, Quality, Spot, ToneMap,
};
use glam::{Affine3A, Quat, Vec3};

use super::scenes::{SIZE, ball, bare, draw, light_at, put};
use super::shapes::{cuboid, material, rigid};
use super::{gpu, keep, renderer, renderer_with};

/// Only floor and sky, seen level from 1.3 m.
fn open_country() -> Frame {
    Frame {
        post_processing: PostProcessing {
            tonemap: ToneMap::Linear,
            exposure: -1.0,
            bloom: 0.0,
            ..PostProcessing::default()
        },
        camera: Camera {
            eye: Vec3::new(0.0, 1.3, 5.0),
            target: Vec3::new(0.0, 1.3, 0.0),
            fov_y: 32.0,
        },
        ground: Some(Ground {
            grid: 0.0,
            color_variation: 0.0,
            ..Ground::default()
        }),
        ..Frame::default()
    }
}

/// Blue of each row of the middle column, 0..=255.
fn blues(picture: &Picture) -> Vec<i32> {
    let at = |y: u32| ((y * SIZE.0 + SIZE.0 / 2) * 4 + 2) as usize;
    (0..SIZE.1)
        .map(|y| i32::from(picture.rgba[at(y)]))
        .collect()
}

#[test]
fn the_horizon_is_soft_and_the_far_floor_is_not_fog() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer(&gpu);
    let picture = draw(&gpu, &mut renderer, &open_country());
    keep(&picture, "horizon");
    let blues = blues(&picture);
    // 256 pixels show 32 degrees: row 144 is 2 degrees down, 37 m away; row 200 is 9 degrees down, 8 m.
    let (sky, far, near) = (blues[126], blues[144], blues[200]);
    assert!(sky - near > 40, "{sky} {near}");
    assert!(
        (far - near) * 6 < sky - near,
        "{far} is no fog between {near} and {sky}"
    );
    // The horizon itself: a gradient over some pixels.
    assert!(
        (blues[128] - blues[127]).abs() < 8,
        "{:?}",
        &blues[120..140]
    );
    let soft = blues[128..144]
        .iter()
        .filter(|b| (near + 10..sky - 10).contains(b));
    assert!(soft.count() >= 2, "{:?}", &blues[120..144]);
}

#[test]
fn the_floor_of_a_studio_becomes_its_backdrop_without_a_line() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer(&gpu);
    let mut frame = open_country();
    frame.light = Light {
        sun_color: Vec3::ZERO,
        sky_zenith: Vec3::splat(0.30),
        sky_horizon: Vec3::splat(0.36),
        sky_ground: Vec3::splat(0.26),
        seamless: true,
        ..Light::default()
    };
    let picture = draw(&gpu, &mut renderer, &frame);
    keep(&picture, "seamless");
    let rows = blues(&picture);
    assert!(
        rows[100] - rows[250] > 40,
        "floor and backdrop differ: {rows:?}"
    );
    let bend = |i: usize| (rows[i + 4] - 2 * rows[i] + rows[i - 4]).abs();
    let sharpest = (4..252).map(bend).max().unwrap();
    assert!(sharpest <= 4, "{sharpest}: {rows:?}");
    frame.light.seamless = false;
    let rows = blues(&draw(&gpu, &mut renderer, &frame));
    let bend = |i: usize| (rows[i + 4] - 2 * rows[i] + rows[i - 4]).abs();
    assert!(
        (4..252).map(bend).max() > Some(40),
        "with a horizon there is one: {rows:?}"
    );
}

#[test]
fn floor_variation_follows_its_setting_except_in_low_quality() {
    let Some(gpu) = gpu() else { return };
    let spread = |uneven: f32, quality: Quality| {
        let mut frame = open_country();
        frame.ground = frame.ground.map(|ground| Ground {
            color_variation: uneven,
            ..ground
        });
        let mut renderer = renderer_with(&gpu, RenderOptions::of(quality));
        let picture = draw(&gpu, &mut renderer, &frame);
        let row: Vec<f32> = (0..SIZE.0).map(|x| light_at(&picture, x, 240).y).collect();
        let mean = row.iter().sum::<f32>() / row.len() as f32;
        let variance = row.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / row.len() as f32;
        variance.sqrt()
    };
    let even = spread(0.0, Quality::Medium);
    let some = spread(0.5, Quality::Medium);
    let full = spread(1.0, Quality::Medium);
    assert!(even < 0.003 && some > 0.005, "{even} {some}");
    assert!((full / some - 2.0).abs() < 0.1, "{full} {some}");
    let fast = spread(1.0, Quality::Low);
    assert!(fast < 0.003, "{fast}");
}

#[test]
fn film_keeps_middle_grey_has_black_blacks_and_whites_with_room_above() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer(&gpu);
    let shown = |renderer: &mut _, grey: f32, uid: u64| {
        let mut frame = bare();
        frame.post_processing.tonemap = ToneMap::Agx;
        let unlit = Material {
            unlit: true,
            ..material(Vec3::splat(grey), 1.0, 0.0)
        };
        put(&mut frame, ball(uid, unlit));
        let picture = draw(&gpu, renderer, &frame);
        let at = ((SIZE.1 / 2 * SIZE.0 + SIZE.0 / 2) * 4) as usize;
        f32::from(picture.rgba[at]) / 255.0
    };
    // 0.461 is encoded middle grey.
    let middle = shown(&mut renderer, 0.18, 200);
    assert!((middle - 0.461).abs() < 0.012, "{middle}");
    let dark = shown(&mut renderer, 0.01, 201);
    assert!((0.03..0.06).contains(&dark), "{dark}");
    let white = shown(&mut renderer, 1.0, 202);
    assert!((0.80..0.84).contains(&white), "{white}");
}

#[test]
fn the_edge_of_something_far_brighter_than_white_has_no_stairs() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer(&gpu);
    let mut frame = bare();
    frame.post_processing.tonemap = ToneMap::Neutral;
    let glowing = Material {
        emissive_factor: Vec3::ONE,
        emissive_strength: 40.0,
        ..material(Vec3::ZERO, 1.0, 0.0)
    };
    let block = rigid(
        210,
        vec![cuboid(Vec3::ZERO, Vec3::splat(0.6))],
        vec![glowing],
    );
    let turn = Affine3A::from_quat(Quat::from_rotation_z(0.2));
    super::shapes::add(
        &mut frame,
        &std::sync::Arc::new(block),
        turn,
        &[Affine3A::IDENTITY],
        &[],
    );
    let picture = draw(&gpu, &mut renderer, &frame);
    keep(&picture, "bright edge");
    let between = picture
        .rgba
        .chunks_exact(4)
        .filter(|t| (30..=225).contains(&t[1]));
    let between = between.count();
    // Four edges of 70 to 90 pixels, most of which cross pixels with different samples.
    assert!(between > 150, "{between}");
}

#[test]
fn an_open_floor_is_not_darkened_by_itself() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer(&gpu);
    let mut frame = open_country();
    frame.camera.eye.y = 0.9;
    frame.camera.target.y = 0.6;
    let post = cuboid(Vec3::new(-1.1, 0.5, 1.0), Vec3::new(0.1, 0.5, 0.1));
    put(
        &mut frame,
        rigid(220, vec![post], vec![material(Vec3::splat(0.5), 1.0, 0.0)]),
    );
    let mean = |renderer: &mut _, occlusion: f32| {
        let mut frame = frame.clone();
        frame.post_processing.ambient_occlusion = occlusion;
        let picture = draw(&gpu, renderer, &frame);
        // 2 m in front of the eye and to the right, far from the post.
        let places = (150..230).flat_map(|x| (150..170).map(move |y| (x, y)));
        places.map(|(x, y)| light_at(&picture, x, y).y).sum::<f32>() / 1600.0
    };
    let (with, without) = (mean(&mut renderer, 1.0), mean(&mut renderer, 0.0));
    assert!((with / without - 1.0).abs() < 0.012, "{with} {without}");
}

#[test]
fn light_through_thin_skin_has_no_steps_of_the_shadow_map() {
    let Some(gpu) = gpu() else { return };
    let options = RenderOptions {
        light_shadow_size: (256, 64),
        ..RenderOptions::default()
    };
    let mut renderer = renderer_with(&gpu, options);
    let mut frame = bare();
    frame.camera = Camera {
        eye: Vec3::new(0.0, 0.0, 0.3),
        target: Vec3::ZERO,
        fov_y: 8.0,
    };
    let skin = Material {
        kind: MaterialKind::Skin,
        ..material(Vec3::new(0.8, 0.6, 0.5), 0.8, 0.0)
    };
    // A wedge, 3 mm thin on the left and 23 mm thick on the right.
    let mut wedge = cuboid(Vec3::ZERO, Vec3::new(0.02, 0.02, 0.001));
    for p in &mut wedge.positions {
        if p.z < 0.0 {
            p.z = -0.012 - 0.5 * p.x;
        }
    }
    put(&mut frame, rigid(230, vec![wedge], vec![skin]));
    frame.light.local_lights = vec![LocalLight {
        position: Vec3::new(0.0, 0.0, -1.0),
        color: Vec3::splat(8.0),
        range: 10.0,
        source_radius: 0.001,
        spot: Some(Spot {
            direction: Vec3::Z,
            inner_angle: 12.0,
            outer_angle: 16.0,
        }),
        casts_shadows: true,
    }];
    let picture = draw(&gpu, &mut renderer, &frame);
    keep(&picture, "thin skin");
    let reds: Vec<i32> = (0..SIZE.0)
        .map(|x| i32::from(picture.rgba[((128 * SIZE.0 + x) * 4) as usize]))
        .collect();
    assert!(reds[110] - reds[220] > 40, "light comes through: {reds:?}");
    let steps = (90..240).map(|x| (reds[x + 1] - reds[x]).abs());
    let steepest = steps.max().unwrap();
    assert!(steepest <= 3, "{steepest}: {reds:?}");
}
