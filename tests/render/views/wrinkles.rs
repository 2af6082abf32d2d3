//! Wrinkle maps: the effect of weights on normals, colours and roughness follows the formulas.

use galatea::asset::model::{Image, Material, WrinkleMap, WrinkleMode, WrinkleRegion, Wrinkles};
use galatea::render::Renderer;
use galatea::stage::frame::{Frame, ViewKind};
use glam::{Affine3A, Vec2, Vec3, Vec4};

use super::{
    assert_close, at, draw, encoded, frame, picture_of, plain, put, show, square, texture,
};
use crate::gpu;
use crate::scenes::linear;
use crate::shapes::{material, rigid};

/// Texels: normal map of the material, masks, folded normals, folded colour, folded roughness.
const OWN: [u8; 4] = [191, 110, 233, 255];
const MASK: [u8; 4] = [255, 128, 0, 64];
const FOLDED: [u8; 4] = [100, 180, 200, 255];
const COLOR: [u8; 4] = [200, 120, 60, 255];
const ROUGH: [u8; 4] = [0, 128, 0, 255];

const BASE: Vec3 = Vec3::new(0.8, 0.5, 0.25);
const ROUGHNESS: f32 = 0.4;

fn region(mask: Option<usize>, map: Option<usize>, tint: Vec3) -> WrinkleRegion {
    WrinkleRegion {
        name: "a".into(),
        mask,
        map,
        rest: 0.0,
        tint,
        drivers: Vec::new(),
    }
}

fn map(adds: bool) -> WrinkleMap {
    WrinkleMap {
        normal: Some(2),
        color: Some(3),
        roughness: Some(4),
        adds,
        scale: 1.0,
    }
}

fn bump(texel: [u8; 4]) -> Vec3 {
    Vec3::new(texel[0].into(), texel[1].into(), texel[2].into()) / 127.5 - 1.0
}

/// The normal of a bump on the square (bitangent -Y) as the normals view shows it.
fn shown(bump: Vec3) -> Vec3 {
    Vec3::new(bump.x, -bump.y, bump.z).normalize() * 0.5 + 0.5
}

/// A square with wrinkles and weights of its regions.
fn folded(uid: u64, wrinkles: Wrinkles, weights: &[f32]) -> Frame {
    let own = Material {
        normal_texture: Some(texture(0)),
        wrinkles: Some(Box::new(wrinkles)),
        ..material(BASE, ROUGHNESS, 0.0)
    };
    let mut model = rigid(uid, vec![square()], vec![own]);
    let pictures: [[u8; 4]; 5] = [OWN, MASK, FOLDED, COLOR, ROUGH];
    model.images = pictures.map(picture_of).to_vec();
    let mut frame = frame();
    put(&mut frame, model, Affine3A::IDENTITY);
    frame.wrinkle_weights = weights.to_vec();
    frame
}

fn seen(
    gpu: &galatea::render::Gpu,
    renderer: &mut Renderer,
    frame: &mut Frame,
    kind: ViewKind,
) -> Vec3 {
    show(frame, kind);
    at(&draw(gpu, renderer, frame), 128, 128)
}

#[test]
fn maps_are_mixed_in_or_added_by_mask_and_weight() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let color = Vec3::new(linear(COLOR[0]), linear(COLOR[1]), linear(COLOR[2]));
    let rough = f32::from(ROUGH[1]) / 255.0;
    let (own, flat) = (bump(OWN), bump(FOLDED).truncate());
    let fold = flat.extend((1.0 - flat.length_squared()).sqrt());
    // Mask G is 128, the weight 0.8; R is 255, and two regions of weight 0.9 are clamped to 1.
    for (uid, channels, weights) in [(960, vec![1], vec![0.8]), (961, vec![0, 0], vec![0.9, 0.9])] {
        let share: f32 = channels
            .iter()
            .zip(&weights)
            .map(|(c, w)| f32::from(MASK[*c]) / 255.0 * w)
            .sum();
        let share = share.min(1.0);
        for adds in [false, true] {
            let wrinkles = Wrinkles {
                masks: vec![1],
                maps: vec![map(adds)],
                regions: channels
                    .iter()
                    .map(|c| region(Some(*c), Some(0), Vec3::ONE))
                    .collect(),
                ..Wrinkles::default()
            };
            let mut frame = folded(uid + 10 * u64::from(adds), wrinkles, &weights);
            let (normal, base, roughness) = if adds {
                let slopes = Vec2::new(fold.x, fold.y) / fold.z * share;
                (
                    own + slopes.extend(0.0),
                    BASE * Vec3::ONE.lerp(color, share),
                    ROUGHNESS * (1.0 + share * (rough - 1.0)),
                )
            } else {
                (
                    own.lerp(fold, share),
                    BASE.lerp(color * BASE, share),
                    ROUGHNESS + (rough - ROUGHNESS) * share,
                )
            };
            let what = |kind: &str| format!("{kind}, adds {adds}, share {share}");
            let got = seen(&gpu, &mut renderer, &mut frame, ViewKind::Normals);
            assert_close(&what("normals"), got, shown(normal));
            let got = seen(&gpu, &mut renderer, &mut frame, ViewKind::Unlit);
            assert_close(&what("colour"), got, encoded(base));
            let got = seen(&gpu, &mut renderer, &mut frame, ViewKind::Roughness);
            assert_close(&what("roughness"), got, Vec3::splat(roughness));
            // Without weights the skin is smooth.
            frame.wrinkle_weights.fill(0.0);
            let got = seen(&gpu, &mut renderer, &mut frame, ViewKind::Normals);
            assert_close(&what("at rest"), got, shown(own));
        }
    }
}

#[test]
fn the_book_brings_out_the_materials_own_normals() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let wrinkles = Wrinkles {
        mode: WrinkleMode::Book,
        masks: vec![1],
        regions: vec![
            region(Some(1), None, Vec3::ONE),
            region(Some(3), None, Vec3::ONE),
            region(None, None, Vec3::ONE),
        ],
        ..Wrinkles::default()
    };
    for (i, weights) in [
        [0.0; 3],
        [0.5, 0.0, 0.0],
        [1.0, 0.5, 0.0],
        [0.3, 0.0, 0.2],
        [1.0, 1.0, 0.9],
    ]
    .into_iter()
    .enumerate()
    {
        let mut frame = folded(965 + i as u64, wrinkles.clone(), &weights);
        let [g, a] = [1, 3].map(|c: usize| f32::from(MASK[c]) / 255.0);
        let w = (g * weights[0] + a * weights[1] + weights[2]).min(1.0);
        let own = bump(OWN);
        let got = seen(&gpu, &mut renderer, &mut frame, ViewKind::Normals);
        assert_close(
            &format!("{weights:?}"),
            got,
            shown(Vec3::new(own.x * w, own.y * w, own.z)),
        );
    }
}

#[test]
fn blood_tints_by_the_same_weights_and_only_the_area_is_folded() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let tint = Vec3::new(1.2, 0.5, 0.0);
    let wrinkles = Wrinkles {
        masks: vec![1],
        // The upper right quarter.
        area: [Vec2::new(0.5, 0.0), Vec2::new(1.0, 0.5)],
        regions: vec![
            region(Some(1), None, tint),
            region(Some(0), None, Vec3::ONE),
        ],
        ..Wrinkles::default()
    };
    let mut frame = folded(975, wrinkles, &[0.75, 1.0]);
    show(&mut frame, ViewKind::Unlit);
    let picture = draw(&gpu, &mut renderer, &frame);
    let share = f32::from(MASK[1]) / 255.0 * 0.75;
    let factor = Vec3::ONE + (tint - 1.0) * share;
    assert_close("inside", at(&picture, 140, 116), encoded(BASE * factor));
    assert_close("left of it", at(&picture, 116, 116), encoded(BASE));
    assert_close("below it", at(&picture, 140, 140), encoded(BASE));
}

#[test]
fn pictures_of_several_sizes_and_eight_maps_go_together_and_a_lost_one_leaves_the_rest() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = plain(&gpu);
    let mut maps = vec![
        WrinkleMap {
            normal: None,
            ..map(true)
        };
        8
    ];
    maps[6] = map(false);
    let wrinkles = Wrinkles {
        masks: vec![5, 1, 9],
        maps,
        regions: vec![
            region(Some(4), Some(6), Vec3::ONE),
            region(Some(8), Some(7), Vec3::ONE),
        ],
        ..Wrinkles::default()
    };
    let own = Material {
        normal_texture: Some(texture(0)),
        wrinkles: Some(Box::new(wrinkles)),
        base_color: Vec4::ONE,
        ..material(Vec3::ONE, ROUGHNESS, 0.0)
    };
    let mut model = rigid(976, vec![square()], vec![own]);
    model.images = [OWN, MASK, FOLDED, COLOR, ROUGH].map(picture_of).to_vec();
    let large = Image {
        name: "large".into(),
        width: 16,
        height: 16,
        rgba: [0; 4].repeat(256),
    };
    model.images.push(large);
    let mut frame = frame();
    put(&mut frame, model, Affine3A::IDENTITY);
    // The second region has no mask image, so it has no effect.
    frame.wrinkle_weights = vec![1.0, 1.0];
    let flat = bump(FOLDED).truncate();
    let fold = flat.extend((1.0 - flat.length_squared()).sqrt());
    let got = seen(&gpu, &mut renderer, &mut frame, ViewKind::Normals);
    assert_close("the seventh map", got, shown(fold));
}
