//! Real characters (GALATEA_CORPUS): each plays each of its clips, stays finite, and the GPU's
//! deformation agrees with the CPU's. With GALATEA_PICTURES=FOLDER contact sheets are written there.

use std::path::{Path, PathBuf};

use galatea::app::headless::{Camera, advance_to};
use galatea::app::{Session, SessionOptions, Sound};
use galatea::asset::Project;
use galatea::asset::model::Primitive;
use galatea::deform::{Deformed, Deformer};
use galatea::render::{Gpu, RenderOptions, Renderer, ShaderSource};
use galatea::stage::Frame;
use galatea::studio::View;

/// File, fewest joints of its largest skin, number of clips.
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

fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("GALATEA_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: GALATEA_CORPUS is not set");
    }
    folder
}

fn open(file: &Path, clip: Option<&str>) -> Session {
    let project = Project::viewer(file, clip).unwrap();
    let options = SessionOptions {
        sound: Sound::Silent,
        watch: false,
        quiet: true,
        wait: true,
    };
    let mut session = Session::open(project, options).unwrap();
    session.diagnostics.silence();
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
                let (centre, radius) = character.definition.bounds.posed(&character.palette[0]);
                assert!(centre.is_finite() && radius.is_finite(), "{file} {name}");
                assert!(
                    radius < 20.0 * rest,
                    "{file} {name}: {radius} of {rest} at rest"
                );
                assert!(
                    character.palette[0].iter().all(|m| m.is_finite()),
                    "{file} {name}"
                );
            }
        }
    }
}

/// The primitive with the eight largest influences of each vertex, made to sum to 1: what the GPU
/// keeps.
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

#[test]
fn the_gpu_and_the_cpu_deform_corpus_characters_alike() {
    let Some(corpus) = corpus() else { return };
    let Ok(gpu) = Gpu::headless() else {
        assert!(
            std::env::var_os("GALATEA_REQUIRE_ALL").is_none(),
            "a graphics driver is required"
        );
        eprintln!("skipped: no graphics driver");
        return;
    };
    let format = View::PICTURE_FORMAT;
    let mut renderer = Renderer::new(
        &gpu,
        &ShaderSource::embedded(),
        format,
        RenderOptions::default(),
    )
    .unwrap();
    let mut frame = Frame::default();
    let mut n_compared = 0;
    for (file, ..) in CHARACTERS {
        let path = corpus.join("01_characters").join(file);
        let mut session = open(&path, None);
        advance_to(&mut session, 0.4);
        session.frame(1.0, &mut frame);
        renderer
            .draw_to_picture(&gpu, &frame, (64, 64), |_, _| {})
            .unwrap();
        let (_, character) = session.stage.characters.iter().next().unwrap();
        let definition = &character.definition;
        let size = definition.rest_bounds.1;
        let mut expected = Deformed::default();
        for (i, part) in definition.model.parts.iter().enumerate() {
            let start = definition.layout.part_start[i] as usize;
            let weights = &character.pose.morphs[definition.morph_start[i]..];
            for (k, primitive) in definition.model.meshes[part.mesh]
                .primitives
                .iter()
                .enumerate()
            {
                let drawn = eight_largest(primitive);
                Deformer::default().deform(
                    &drawn,
                    &weights[..part.morph_weights.len()],
                    &character.palette[0][start..],
                    part.skinning,
                    &mut expected,
                );
                let got = renderer
                    .read_deformed(&gpu, 0, i, k)
                    .unwrap()
                    .unwrap_or_else(|| panic!("{file}: part {i} was not drawn"));
                let tolerance = 1e-4 * size;
                for (v, got) in got.iter().enumerate() {
                    let position = expected.positions[v];
                    assert!(
                        got.position.distance(position) < tolerance,
                        "{file} part {i} vertex {v}: {} {position}",
                        got.position
                    );
                    // Near-degenerate normals have no direction to agree on.
                    let normal = expected.normals[v];
                    assert!(
                        got.normal.dot(normal) > 0.99,
                        "{file} part {i} vertex {v}: {} {normal}",
                        got.normal
                    );
                    n_compared += 1;
                }
            }
        }
    }
    assert!(n_compared > 20_000, "{n_compared}");
}

/// Draws contact sheets for looking at; only on request.
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
        let mut camera: Option<Camera> = None;
        for (i, clip) in clips.iter().take(24).enumerate() {
            let mut session = open(&path, *clip);
            if camera.is_none() {
                camera = Some(Camera::new(&mut session).unwrap());
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
