//! Materials of whole files (GALATEA_CORPUS), animated by clips, up to the frame.

use std::sync::Arc;

use galatea::anim::{Interpolation, Track};
use galatea::asset::gltf;
use galatea::asset::model::{
    Factor, MaterialKind, MaterialValues, Model, OutlineMode, TextureSlot,
};
use galatea::character::{Action, ActionOptions, Definition, Placement};
use galatea::machine::Predicate;
use galatea::stage::{Event, Frame, Handle, Script, Stage, tick};
use glam::{Vec3, Vec4};

use crate::files;

fn load(file: &str) -> Option<Model> {
    let folder = files::corpus()?;
    Some(gltf::load(&folder.join(file)).unwrap())
}

struct NoScript;

impl Script for NoScript {
    fn update(&mut self, _: &mut Stage, _: f64) {}
    fn params(&mut self, _: Handle, _: &mut [f32]) {}
    fn evaluate(&mut self, _: Handle, _: Predicate) -> bool {
        false
    }
    fn deliver(&mut self, _: &mut Stage, _: &[Event]) {}
}

fn at(track: &Track<f32>, t: f32) -> f32 {
    let after = track.times.partition_point(|time| *time <= t);
    let (Some(to), Some(from)) = (track.times.get(after), after.checked_sub(1)) else {
        return track.values[after.saturating_sub(1)];
    };
    if track.interpolation == Interpolation::Step {
        return track.values[from];
    }
    let u = (t - track.times[from]) / (to - track.times[from]);
    track.values[from] + (track.values[after] - track.values[from]) * u
}

/// Curves of the file and the values that they animate.
const MOVED: [(&str, u16, Factor, usize); 18] = [
    (
        "/materials/2/pbrMetallicRoughness/baseColorFactor.g",
        2,
        Factor::BaseColor,
        1,
    ),
    (
        "/materials/2/pbrMetallicRoughness/roughnessFactor",
        2,
        Factor::Roughness,
        0,
    ),
    (
        "/materials/2/pbrMetallicRoughness/metallicFactor",
        2,
        Factor::Metallic,
        0,
    ),
    (
        "/materials/3/emissiveFactor.r",
        3,
        Factor::EmissiveFactor,
        0,
    ),
    (
        "/materials/3/extensions/KHR_materials_emissive_strength/emissiveStrength",
        3,
        Factor::EmissiveStrength,
        0,
    ),
    ("/materials/3/alphaCutoff", 3, Factor::AlphaCutoff, 0),
    (
        "/materials/4/pbrMetallicRoughness/baseColorFactor.a",
        4,
        Factor::BaseColor,
        3,
    ),
    (
        "/materials/5/normalTexture/scale",
        5,
        Factor::NormalScale,
        0,
    ),
    (
        "/materials/5/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/scale.x",
        5,
        Factor::UvScale(TextureSlot::BaseColor),
        0,
    ),
    (
        "/materials/5/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset.y",
        5,
        Factor::UvOffset(TextureSlot::BaseColor),
        1,
    ),
    (
        "/materials/6/occlusionTexture/strength",
        6,
        Factor::OcclusionStrength,
        0,
    ),
    (
        "/materials/8/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset.x",
        8,
        Factor::UvOffset(TextureSlot::BaseColor),
        0,
    ),
    (
        "/materials/10/extensions/KHR_materials_volume/thicknessFactor",
        10,
        Factor::Thickness,
        0,
    ),
    (
        "/materials/10/extensions/KHR_materials_volume/attenuationDistance",
        10,
        Factor::AttenuationDistance,
        0,
    ),
    (
        "/materials/10/extensions/KHR_materials_volume/attenuationColor.b",
        10,
        Factor::AttenuationColor,
        2,
    ),
    (
        "/materials/11/extensions/KHR_materials_transmission/transmissionFactor",
        11,
        Factor::Transmission,
        0,
    ),
    (
        "/materials/12/extensions/KHR_materials_ior/ior",
        12,
        Factor::Ior,
        0,
    ),
    (
        "/materials/13/pbrMetallicRoughness/metallicFactor",
        13,
        Factor::Metallic,
        0,
    ),
];

#[test]
fn curves_of_a_file_animate_the_materials_of_their_player() {
    let file =
        "01_characters/gltf-blender-io-roundtrip/24_animation_pointer/24_animation_pointer.gltf";
    let Some(model) = load(file) else { return };
    let authored = model.clips[0].clone();
    let materials = model.materials.clone();
    let definition = Arc::new(Definition::new(Arc::new(model)));
    let mut stage = Stage::default();
    let [player, idle] =
        [(); 2].map(|()| stage.add_character(definition.clone(), file, None, Placement::default()));
    let id = stage.ids.new_id();
    let character = stage.characters.get_mut(player).unwrap();
    let options = ActionOptions {
        fade_in: 0.0,
        fade_out: 0.0,
        ..ActionOptions::default()
    };
    let action = Action::new(id, 0, authored.duration, options);
    character.playback.actions.push(action);
    let mut frame = Frame::default();
    let mut moved = [false; MOVED.len()];
    for n in 1..=(authored.duration * 60.0) as u32 - 1 {
        tick(&mut stage, &mut NoScript);
        stage.snapshot(1.0, &mut frame);
        let t = n as f32 / 60.0;
        let of = |handle: Handle| {
            let found = frame.models.iter().find(|m| m.instance == handle.to_u64());
            frame.materials_of(found.unwrap())
        };
        assert_eq!(of(idle), []);
        for (i, (curve, material, factor, number)) in MOVED.into_iter().enumerate() {
            let track = authored.curves.iter().find(|found| found.name == curve);
            let track = &track.unwrap_or_else(|| panic!("{curve}")).track;
            assert_ne!(track.interpolation, Interpolation::CubicSpline, "{curve}");
            let (low, high) = factor.range();
            let wanted = at(track, t).clamp(low, high);
            let file = MaterialValues::of(&materials[usize::from(material)]);
            let found = of(player).iter().find(|found| found.material == material);
            let values = found.map_or(file, |found| found.values);
            let got = values.numbers(factor)[number];
            let off = (got - wanted).abs() / wanted.abs().max(1.0);
            assert!(off < 2e-3, "{curve} at {t}: {got} for {wanted}");
            moved[i] |= got != file.numbers(factor)[number];
        }
    }
    let still = MOVED.iter().zip(moved).filter(|(_, moved)| !moved);
    let still: Vec<&str> = still.map(|(one, _)| one.0).collect();
    assert!(still.is_empty(), "never moved: {still:?}");
}

#[test]
fn toons_of_both_versions_of_vrm_are_read() {
    let Some(model) = load("03_vrm/godot-vrm-godette/vrm_samples/Godette_vrm_v4.vrm") else {
        return;
    };
    let body = model.materials.iter().find(|m| m.name == "Body").unwrap();
    assert_eq!(body.kind, MaterialKind::Toon);
    let toon = body.toon.as_deref().unwrap();
    // Version 0.x: _ShadeShift -0.239, _ShadeToony 0.8, _OutlineWidth 0.5 in screen space.
    let half_border = 0.5 * 1.239 * 0.2;
    assert!((toon.shading_shift - (0.239 - half_border)).abs() < 1e-5);
    assert!((toon.shading_toony - (1.0 - half_border)).abs() < 1e-5);
    assert_eq!(toon.outline.mode, OutlineMode::Screen);
    assert_eq!(toon.outline.width, 0.0025);
    assert!(
        (toon.shade_color - Vec3::new(0.214_04, 0.579_6, 1.0))
            .abs()
            .max_element()
            < 1e-3
    );
    assert!(toon.shade_texture.is_some());

    let file = "03_vrm/vrm-addon-for-blender/vrm/5.2/out/blend/mtoon1_2_20_61_vrm1.vrm";
    let Some(model) = load(file) else { return };
    let opaque = model.materials.iter().find(|m| m.name == "Opaque").unwrap();
    assert_eq!(opaque.emissive(), Vec3::new(0.0, 0.0, 1.25));
    assert_eq!(opaque.base_color, Vec4::new(0.25, 0.0, 0.0, 0.5));
    let toon = opaque.toon.as_deref().unwrap();
    assert_eq!(toon.outline.mode, OutlineMode::World);
    assert_eq!(toon.outline.width, 0.0625);
    assert_eq!(toon.render_queue_offset, -9);
    assert_eq!(toon.shading_shift, -0.5);
    assert!(toon.matcap_texture.is_some() && toon.uv_animation.mask_texture.is_some());
}

#[test]
fn variants_of_a_file_are_read() {
    let folder = "04_bad_input/gltf-validator-tests/test/ext/KHR_materials_variants/data";
    let Some(model) = load(&format!("{folder}/primitive/valid.gltf")) else {
        return;
    };
    assert!(!model.variants.is_empty());
    let shown = model.primitives().any(|p| !p.variants.is_empty());
    assert!(shown, "{:?}", model.variants);
}
