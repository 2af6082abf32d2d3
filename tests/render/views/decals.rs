//! Decal layers over a material: colour, roughness and slopes follow the formulas, and only changed tiles are uploaded.

use std::sync::Arc;

use galatea::asset::model::{Image, Material};
use galatea::decal::{DecalLayer, DecalMaterial, Stamp, StampTriangle};
use galatea::render::{Gpu, Renderer};
use galatea::stage::Frame;
use galatea::stage::frame::ViewKind;
use glam::{Affine3A, Vec2, Vec3};

use super::{
    assert_close, at, draw, encoded, frame, picture_of, plain, put, show, square, texture,
};
use crate::gpu;
use crate::scenes::linear;
use crate::shapes::{material, rigid};

const BASE: Vec3 = Vec3::new(0.8, 0.5, 0.25);
const ROUGHNESS: f32 = 0.4;

/// A decal of one colour, 60 cm wide, in the centre of the square.
fn layer(alpha: u8, ramp: bool) -> DecalLayer {
    let image = |texel: &dyn Fn(u32) -> [u8; 4]| {
        Arc::new(Image {
            name: "flat".into(),
            width: 16,
            height: 16,
            rgba: (0..256).flat_map(|i| texel(i % 16)).collect(),
        })
    };
    let look = DecalMaterial {
        color: image(&|_| [40, 160, 90, alpha]),
        tint: Vec3::ONE,
        opacity: 1.0,
        roughness: Some(0.9),
        depth: if ramp { 0.12 } else { 0.0 },
        height_map: Some(image(&|x| [(x * 16) as u8, 0, 0, 255])),
    };
    let corner = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)];
    let uv = corner.map(|(u, v)| Vec2::new(u, v));
    let spots = [[0, 1, 2], [0, 2, 3]].map(|k: [usize; 3]| StampTriangle {
        uv: k.map(|i| uv[i]),
        on: k.map(|i| Vec2::new(uv[i].x - 0.5, 0.5 - uv[i].y) * 2.0),
        hand: -1.0,
    });
    let mut layer = DecalLayer::new(128);
    layer.put(&Stamp::new(&look, 0.6, &spots, layer.side()), 1.0, |_| true);
    layer
}

fn stamped(uid: u64, layers: Vec<(u16, Arc<DecalLayer>)>) -> Frame {
    let own = Material {
        normal_texture: Some(texture(0)),
        ..material(BASE, ROUGHNESS, 0.0)
    };
    let mut model = rigid(uid, vec![square()], vec![own]);
    model.images = vec![picture_of([128, 128, 255, 255])];
    let mut frame = frame();
    put(&mut frame, model, Affine3A::IDENTITY);
    frame.models[0].decals = (0, layers.len() as u32);
    frame.decals = layers;
    frame
}

fn seen(gpu: &Gpu, renderer: &mut Renderer, frame: &mut Frame, kind: ViewKind) -> [Vec3; 2] {
    show(frame, kind);
    let picture = draw(gpu, renderer, frame);
    [at(&picture, 128, 128), at(&picture, 78, 128)]
}

#[test]
fn a_decal_covers_colour_and_roughness_by_its_alpha_and_adds_its_slopes() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let color = Vec3::new(linear(40), linear(160), linear(90));
    for (uid, alpha) in [(980, 255_u8), (981, 153)] {
        let share = f32::from(alpha) / 255.0;
        let mut frame = stamped(uid, vec![(0, Arc::new(layer(alpha, true)))]);
        let [on, beside] = seen(&gpu, &mut renderer, &mut frame, ViewKind::Unlit);
        assert_close("colour", on, encoded(BASE.lerp(color, share)));
        assert_close("beside it", beside, encoded(BASE));
        let [on, beside] = seen(&gpu, &mut renderer, &mut frame, ViewKind::Roughness);
        let rough = ROUGHNESS + (0.9 - ROUGHNESS) * share;
        assert_close("roughness", on, Vec3::splat(rough));
        assert_close("beside it", beside, Vec3::splat(ROUGHNESS));
        // 0.12 m × 16 / 255 per texel over 0.6 m / 16.
        let slope = 0.12 * 16.0 / 255.0 / (0.6 / 16.0);
        let [on, beside] = seen(&gpu, &mut renderer, &mut frame, ViewKind::Normals);
        let flat = (128.0 / 127.5 - 1.0) as f32;
        let want = Vec3::new(flat - slope, -flat, 1.0).normalize() * 0.5 + 0.5;
        assert!(
            (on - want * 255.0).abs().max_element() < 2.0,
            "{on} {}",
            want * 255.0
        );
        assert!(
            (beside - Vec3::new(128.0, 128.0, 255.0))
                .abs()
                .max_element()
                < 1.5,
            "{beside}"
        );
    }
}

#[test]
fn layers_that_change_are_sent_again_and_cost_no_draws() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let mut bare = stamped(985, Vec::new());
    seen(&gpu, &mut renderer, &mut bare, ViewKind::Unlit);
    bare.view = None;
    draw(&gpu, &mut renderer, &bare);
    let plain_draws = renderer.n_draws();
    let mut layers = vec![(0, Arc::new(layer(255, false)))];
    let mut frame = stamped(985, layers.clone());
    frame.view = None;
    draw(&gpu, &mut renderer, &frame);
    assert_eq!(renderer.n_draws(), plain_draws);
    let [on, _] = seen(&gpu, &mut renderer, &mut frame, ViewKind::Roughness);
    assert_close("marked", on, Vec3::splat(0.9));
    let cleaned = Arc::make_mut(&mut layers[0].1);
    (0..cleaned.tiles().len() as u32).for_each(|tile| cleaned.clear(tile));
    frame.decals = layers;
    let [on, _] = seen(&gpu, &mut renderer, &mut frame, ViewKind::Roughness);
    assert_close("cleaned", on, Vec3::splat(ROUGHNESS));
    // Without any layers.
    frame.models[0].decals = (0, 0);
    let [on, _] = seen(&gpu, &mut renderer, &mut frame, ViewKind::Unlit);
    assert_close("bare", on, encoded(BASE));
}
