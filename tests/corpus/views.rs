//! Debug views of real characters (GALATEA_CORPUS): each view draws something different, and weights and displacements are
//! those of the file.

use std::sync::Arc;

use galatea::asset::gltf::load;
use galatea::character::{Definition, Placement};
use galatea::render::{Picture, RenderOptions, Renderer, ShaderSource};
use galatea::stage::frame::{Camera, ViewKind};
use galatea::stage::{DebugView, Frame, Stage};
use glam::Vec3;

use crate::driver::gpu;
use crate::files::corpus;

const HUMAN: &str = "02_faces_lipsync/mpfb-cc0-human-DERIVED/mpfb_cc0_human.glb";
const CHARACTERS: [&str; 4] = [
    HUMAN,
    "03_vrm/godot-vrm-godette/vrm_samples/Godette_vrm_v4.vrm",
    "01_characters/kaykit-adventurers/Characters/gltf/Knight.glb",
    "01_characters/threejs-examples/gltf/LeePerrySmith/LeePerrySmith.glb",
];

/// A character alone on a stage, with a camera that frames it.
fn alone(file: &str, corpus: &std::path::Path) -> (Stage, Camera) {
    let definition = Arc::new(Definition::new(Arc::new(load(&corpus.join(file)).unwrap())));
    let (middle, radius) = definition.rest_bounds;
    let mut stage = Stage::default();
    stage.add_character(definition, file, None, Placement::default());
    let camera = Camera {
        eye: middle + Vec3::new(0.4, 0.2, 0.9).normalize() * radius * 3.2,
        target: middle,
        fov_y: 40.0,
    };
    (stage, camera)
}

fn shot(stage: &Stage, camera: Camera) -> Frame {
    let mut frame = Frame::default();
    stage.snapshot(1.0, &mut frame);
    frame.camera = camera;
    frame
}

#[test]
fn every_view_of_real_characters_draws_and_shows_something_of_its_own() {
    let Some(corpus) = corpus() else { return };
    let Some(gpu) = gpu() else { return };
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let source = ShaderSource::embedded();
    let mut renderer = Renderer::new(&gpu, &source, format, RenderOptions::default()).unwrap();
    for file in CHARACTERS {
        let (mut stage, camera) = alone(file, &corpus);
        let mut drawn: Vec<(ViewKind, Picture)> = Vec::new();
        for kind in ViewKind::ALL {
            let mut view = DebugView::new(kind);
            view.vertex_lines = true;
            stage.picture.view = Some(view);
            let frame = shot(&stage, camera);
            let picture = renderer.draw_to_picture(&gpu, &frame, (160, 120), |_, _| {});
            assert_eq!(gpu.take_error(), None, "{file} {}", kind.name());
            assert_eq!(
                renderer.take_problems(),
                Vec::<String>::new(),
                "{file} {}",
                kind.name()
            );
            drawn.push((kind, picture.unwrap()));
        }
        for (i, (kind, picture)) in drawn.iter().enumerate() {
            for (other, before) in &drawn[..i] {
                // Nothing moves and there is no light: both are grey then.
                let are_grey = [*kind, *other]
                    .iter()
                    .all(|kind| matches!(kind, ViewKind::Light | ViewKind::Morphs));
                let alike = picture.rgba == before.rgba;
                // None has springs, and a head with one bone is a dot.
                let is_bare = [*kind, *other].contains(&ViewKind::Springs);
                assert!(
                    are_grey || is_bare || !alike,
                    "{file}: {} and {}",
                    kind.name(),
                    other.name()
                );
            }
        }
    }
}

#[test]
fn a_real_heads_weights_and_an_open_jaw_are_those_of_the_file() {
    let Some(corpus) = corpus() else { return };
    let (mut stage, camera) = alone(HUMAN, &corpus);
    let mut view = DebugView::new(ViewKind::Weights);
    view.bone = Some("head".into());
    assert_eq!(view.check(&stage.characters), Ok(()));
    stage.picture.view = Some(view);
    let frame = shot(&stage, camera);
    let model = &frame.models[0].model;
    let head = model.skeleton.find("head").unwrap();
    let mut n_moved = 0;
    for paint in &frame.view.as_ref().unwrap().paints {
        let part = &model.parts[paint.part];
        let joints = &model.skins[part.skin.unwrap()].joints;
        let influences = &model.meshes[part.mesh].primitives[paint.primitive].influences;
        let n = influences.per_vertex;
        for (v, value) in paint.values.iter().enumerate() {
            let pairs = (v * n..(v + 1) * n).map(|k| (influences.joints[k], influences.weights[k]));
            let of_head = pairs.filter(|(joint, _)| joints[usize::from(*joint)] == head);
            let weight: f32 = of_head.map(|(_, weight)| weight).sum();
            assert_eq!(value[0], weight);
            n_moved += usize::from(weight > 0.0);
        }
    }
    assert!(n_moved > 1000, "{n_moved} vertices of the head");

    let mut view = DebugView::new(ViewKind::Morphs);
    view.morph = Some("jawOpen".into());
    stage.picture.view = Some(view);
    let frame = shot(&stage, camera);
    let mut farthest = 0.0_f32;
    for primitive in &model.meshes[0].primitives {
        let jaw = model.meshes[0]
            .morph_names
            .iter()
            .position(|name| name == "jawOpen");
        let offsets = &primitive.targets[jaw.unwrap()].positions;
        farthest = offsets
            .iter()
            .map(|d| d.length() * 100.0)
            .fold(farthest, f32::max);
    }
    let shown = frame.view.as_ref().unwrap();
    let shares = shown.paints.iter().flat_map(|paint| paint.values.iter());
    let most = shares.map(|value| value[0]).fold(0.0, f32::max);
    let range = farthest / most;
    let is_round = [1.0, 2.0, 5.0, 10.0]
        .iter()
        .any(|end| (end - range).abs() < 1e-3);
    assert!(
        (0.4..=1.0).contains(&most) && is_round,
        "{farthest} cm of {range}"
    );
}
