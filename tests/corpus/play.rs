//! Real characters (GALATEA_CORPUS): each plays each of its clips, stays finite, and GPU deformation agrees with the CPU.
//! With GALATEA_PICTURES=FOLDER, contact sheets are written there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use galatea::app::Session;
use galatea::app::headless::{HeadlessCamera, advance_to};
use galatea::asset::model::Primitive;
use galatea::asset::skinning::{SkinningMode, SkinningOptions};
use galatea::asset::{Project, gltf};
use galatea::deform::{Deformed, Deformer};
use galatea::render::{Gpu, RenderOptions, Renderer, ShaderSource, SkinningUse};
use galatea::stage::Frame;
use galatea::studio::View;

use crate::driver::gpu;
use crate::files::corpus;
use crate::sessions;

/// File, minimum number of joints of its largest skin, number of clips.
const CHARACTERS: [(&str, usize, usize); 13] = [
    ("khronos-samples-via-bevy/animated/Fox.glb", 24, 3),
    (
        "threejs-examples/gltf/RobotExpressive/RobotExpressive.glb",
        43,
        14,
    ),
    ("kaykit-adventurers/Characters/gltf/Knight.glb", 41, 76),
    (
        "godot-demo-projects/ragdoll_physics/characters/mannequiny.glb",
        45,
        10,
    ),
    ("khronos-samples-via-bevy/SimpleSkin/SimpleSkin.gltf", 2, 1),
    (
        "khronos-samples-via-jgltf/InterpolationTest/glTF/InterpolationTest.gltf",
        0,
        9,
    ),
    (
        "khronos-samples-via-assimp/simple_skin/quad_skin.glb",
        10,
        0,
    ),
    ("quaternius-via-showcase/modular_men/Casual.glb", 49, 0),
    ("quaternius-via-showcase/modular_men/King.glb", 49, 0),
    ("quaternius-via-showcase/animals_pack/Wolf.glb", 20, 0),
    ("kenney-platformer-kit/character.glb", 0, 4),
    ("khronos-samples-via-lab0/CesiumMan.glb", 19, 1),
    (
        "khronos-samples-via-bevy/animated/MorphStressTest.gltf",
        0,
        3,
    ),
];

fn open(file: &Path, clip: Option<&str>) -> Session {
    let project = Project::viewer(file, clip, &[]).unwrap();
    let session = sessions::open(project);
    let errors: Vec<&str> = session.diagnostics.errors().collect();
    assert!(errors.is_empty(), "{}: {errors:?}", file.display());
    session
}

fn clip_names(session: &Session) -> Vec<String> {
    let (_, character) = session.stage.characters.iter().next().unwrap();
    let clips = &character.definition.clips;
    clips.names().map(str::to_owned).collect()
}

#[test]
fn every_clip_of_every_character_plays_and_stays_finite() {
    let Some(corpus) = corpus() else { return };
    for (file, n_joints, n_clips) in CHARACTERS {
        let path = corpus.join("01_characters").join(file);
        let names = clip_names(&open(&path, None));
        assert!(names.len() >= n_clips, "{file}: {} clips", names.len());
        for name in &names {
            let mut session = open(&path, Some(name));
            let (handle, rest) = {
                let (handle, character) = session.stage.characters.iter().next().unwrap();
                let model = &character.definition.model;
                let most = model
                    .skins
                    .iter()
                    .map(|skin| skin.joints.len())
                    .max()
                    .unwrap_or(0);
                assert!(most >= n_joints, "{file}: {most} joints");
                (handle, character.definition.rest_bounds.1)
            };
            for _ in 0..40 {
                session.tick();
                let character = session.stage.characters.get(handle).unwrap();
                let (centre, radius) = character
                    .definition
                    .bounds
                    .posed(&character.skin.palette[0]);
                assert!(centre.is_finite() && radius.is_finite(), "{file} {name}");
                assert!(
                    radius < 20.0 * rest,
                    "{file} {name}: {radius} of {rest} at rest"
                );
                assert!(
                    character.skin.palette[0].iter().all(|m| m.is_finite()),
                    "{file} {name}"
                );
            }
        }
    }
}

/// The primitive with the eight largest influences of each vertex, normalised: what the GPU stores.
fn eight_largest(primitive: &Primitive) -> Primitive {
    let mut kept = primitive.clone();
    let n = primitive.influences.per_vertex;
    if n <= 8 {
        return kept;
    }
    let weights = &mut kept.influences.weights;
    for vertex in weights.chunks_exact_mut(n) {
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|a, b| vertex[*b].total_cmp(&vertex[*a]));
        for &small in &order[8..] {
            vertex[small] = 0.0;
        }
        let sum: f32 = vertex.iter().sum();
        vertex.iter_mut().for_each(|w| *w /= sum);
    }
    kept
}

/// A frame of a session whose character requests a skinning technique.
fn frame_by(path: &Path, mode: SkinningMode, session: &mut Session) -> Frame {
    let mut frame = Frame::default();
    session.frame(1.0, &mut frame);
    let mut model = gltf::load(path).unwrap();
    let options = SkinningOptions {
        mode: Some(mode),
        ..SkinningOptions::default()
    };
    model.set_skinning(&options).unwrap();
    frame.models[0].model = Arc::new(model);
    frame
}

/// The vertices of each part and primitive as the CPU deforms them.
fn wanted(session: &Session) -> Vec<(usize, usize, Deformed)> {
    let (_, character) = session.stage.characters.iter().next().unwrap();
    let definition = &character.definition;
    let mut all = Vec::new();
    for (i, part) in definition.model.parts.iter().enumerate() {
        let start = definition.layout.part_start[i] as usize;
        let weights = &character.posed.pose.morphs[definition.morph_start[i]..];
        let primitives = &definition.model.meshes[part.mesh].primitives;
        for (k, primitive) in primitives.iter().enumerate() {
            let mut expected = Deformed::default();
            Deformer::default().deform(
                &eight_largest(primitive),
                &weights[..part.morph_weights.len()],
                &character.skin.palette[0][start..],
                part.skinning,
                &mut expected,
            );
            all.push((i, k, expected));
        }
    }
    all
}

/// Draws a frame. Returns the largest vertex distance in metres, the smallest cosine between normals, and the number of
/// compared vertices.
fn unlike(
    gpu: &Gpu,
    renderer: &mut Renderer,
    frame: &Frame,
    wanted: &[(usize, usize, Deformed)],
) -> (f32, f32, usize) {
    renderer
        .draw_to_picture(gpu, frame, (64, 64), |_, _| {})
        .unwrap();
    let (mut away, mut cosine, mut n) = (0.0_f32, 1.0_f32, 0);
    for (i, k, expected) in wanted {
        let got = renderer.read_deformed(gpu, 0, *i, *k).unwrap();
        let got = got.unwrap_or_else(|| panic!("part {i} was not drawn"));
        assert_eq!(got.len(), expected.positions.len());
        for (v, got) in got.iter().enumerate() {
            let distance = got.position.distance(expected.positions[v]);
            assert!(distance.is_finite() && got.normal.is_finite(), "{i} {v}");
            away = away.max(distance);
            cosine = cosine.min(got.normal.dot(expected.normals[v]));
            n += 1;
        }
    }
    (away, cosine, n)
}

#[test]
fn the_gpu_and_the_cpu_deform_corpus_characters_alike() {
    let Some(corpus) = corpus() else { return };
    let Some(gpu) = gpu() else { return };
    let format = View::PICTURE_FORMAT;
    let renderer = |shaders: &ShaderSource| {
        Renderer::new(&gpu, shaders, format, RenderOptions::default()).unwrap()
    };
    let mut right = renderer(&ShaderSource::embedded());
    // A broken shader must give a broken shape, which proves that the GPU does the work.
    let text = ShaderSource::embedded()
        .assemble("deform.wgsl")
        .unwrap()
        .text;
    let of_shape = "deformed[to] = position.x;";
    assert!(text.contains(of_shape));
    let mut shaders = ShaderSource::embedded();
    let swapped = text.replace(of_shape, "deformed[to] = position.y;");
    shaders.replace("deform.wgsl", swapped);
    let mut wrong = renderer(&shaders);
    let mut n_compared = 0;
    for (file, ..) in CHARACTERS {
        let path = corpus.join("01_characters").join(file);
        let mut session = open(&path, None);
        advance_to(&mut session, 0.4);
        let wanted = wanted(&session);
        let (_, character) = session.stage.characters.iter().next().unwrap();
        let size = character.definition.rest_bounds.1;
        for mode in [SkinningMode::IndexedPalette, SkinningMode::SmallPalette(16)] {
            let frame = frame_by(&path, mode, &mut session);
            let (away, cosine, n) = unlike(&gpu, &mut right, &frame, &wanted);
            let used = right.skinning_uses(frame.models[0].model.uid);
            let is_asked = |one: &SkinningUse| {
                one.mode == mode
                    || one.mode == SkinningMode::IndexedPalette && one.n_influences == 0
            };
            assert!(
                !used.is_empty() && used.iter().all(is_asked),
                "{file}: {used:?}"
            );
            assert!(away < 1e-4 * size, "{file} {mode}: {away} m away");
            assert!(cosine > 0.9999, "{file} {mode}: normals turned to {cosine}");
            n_compared += n;
            let (away, ..) = unlike(&gpu, &mut wrong, &frame, &wanted);
            assert!(away > 0.1 * size, "{file} {mode}: the shader has no say");
        }
    }
    assert!(n_compared > 40_000, "{n_compared}");
}

/// Draws contact sheets, only on request.
#[test]
fn contact_sheets() {
    let (Some(folder), Some(corpus)) = (
        std::env::var_os("GALATEA_PICTURES").map(PathBuf::from),
        corpus(),
    ) else {
        return;
    };
    std::fs::create_dir_all(&folder).unwrap();
    for (file, ..) in CHARACTERS {
        let path = corpus.join("01_characters").join(file);
        let names = clip_names(&open(&path, None));
        let clips: Vec<Option<&str>> = if names.is_empty() {
            vec![None]
        } else {
            names.iter().map(|n| Some(n.as_str())).collect()
        };
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut camera: Option<HeadlessCamera> = None;
        for (i, clip) in clips.iter().take(24).enumerate() {
            let mut session = open(&path, *clip);
            if camera.is_none() {
                camera = Some(HeadlessCamera::new(&mut session).unwrap());
            }
            let seconds = clip.map_or(0.0, |clip| {
                let (_, c) = session.stage.characters.iter().next().unwrap();
                let clips = &c.definition.clips;
                clips.duration(clips.find(clip).unwrap())
            });
            for (k, share) in [0.3, 0.65].into_iter().enumerate() {
                let t = f64::from(seconds) * share;
                session.stage.camera.set.yaw = if k == 0 { 30.0 } else { 100.0 };
                advance_to(&mut session, t);
                let picture = camera
                    .as_mut()
                    .unwrap()
                    .picture(&mut session, t, (300, 300))
                    .unwrap();
                let name = folder.join(format!("{stem}_{i:02}_{k}.png"));
                image::save_buffer(
                    &name,
                    &picture.rgba,
                    picture.width,
                    picture.height,
                    image::ColorType::Rgba8,
                )
                .unwrap();
            }
        }
    }
}
