//! Real models of other formats: `.x` of the DirectX SDK and of exporters; and results of `convert`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use galatea::anim::Clip;
use galatea::anim::humanoid::Role;
use galatea::asset::clip_files::{self, Joining};
use galatea::asset::gltf::{self, Additions};
use galatea::asset::pack::deflated;
use galatea::asset::{ClipFile, Model};
use galatea::character::Definition;
use glam::Vec3;

use crate::files::{self, corpus};

fn x_files() -> Option<PathBuf> {
    Some(corpus()?.join("07_directx_x"))
}

fn load(path: &Path) -> Model {
    gltf::load(path).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn tiny_has_a_normal_height_looks_ahead_and_walks() {
    let Some(folder) = x_files() else { return };
    let model = load(&folder.join("directx-sdk/Tiny/tiny.x"));
    assert_eq!(
        model
            .primitives()
            .map(|p| p.indices.len() / 3)
            .sum::<usize>(),
        6841
    );
    assert_eq!(model.skins[0].joints.len(), 35);
    let (humanoid, report) = model.humanoid();
    assert_eq!(report.missing, []);
    let ahead = humanoid.model_from_character * Vec3::Z;
    assert!(ahead.dot(Vec3::Z) > 0.95, "{ahead}");
    let place = |role: Role| {
        let mut at = Vec3::ZERO;
        let mut bone = humanoid.bone(role);
        while let Some(i) = bone {
            let own = &model.skeleton.bones()[usize::from(i)];
            at = own.rest.rotation * (own.rest.scale * at) + own.rest.translation;
            bone = own.parent;
        }
        at
    };
    // The file is right-handed, unlike its format.
    assert!(
        model.warnings.iter().any(|text| text.contains("swapped")),
        "{:?}",
        model.warnings
    );
    assert!(place(Role::LeftUpperLeg).x > 0.05 && place(Role::RightUpperLeg).x < -0.05);
    assert!(place(Role::LeftToes).z > place(Role::LeftFoot).z + 0.05);
    let tall = place(Role::Head).y - place(Role::LeftFoot).y;
    assert!((1.2..1.7).contains(&tall), "{tall} m from foot to head");
    assert_eq!(model.images.len(), 1, "{:?}", model.warnings);
    let clip = &model.clips[0];
    assert!((clip.duration - 1.033).abs() < 0.01, "{}", clip.duration);
}

#[test]
fn a_cube_is_the_same_as_text_binary_and_compressed() {
    let Some(folder) = x_files() else { return };
    let cube = |name: &str| load(&folder.join(format!("assimp-x/models/X/test_cube_{name}.x")));
    let (text, binary, packed) = (cube("text"), cube("binary"), cube("compressed"));
    for other in [&binary, &packed] {
        for (a, b) in text.primitives().zip(other.primitives()) {
            assert_eq!(a.positions.len(), 24);
            assert_eq!(a.indices, b.indices);
            let far = a
                .positions
                .iter()
                .zip(&b.positions)
                .map(|(a, b)| a.distance(*b));
            assert!(far.fold(0.0, f32::max) < 1e-4);
        }
        assert_eq!(text.skins.len(), other.skins.len());
    }
    let triangle = |i: usize| {
        let p = text.primitives().next().unwrap();
        [0, 1, 2].map(|k| p.positions[p.indices[3 * i + k] as usize])
    };
    // All faces point outwards.
    for i in 0..12 {
        let [a, b, c] = triangle(i);
        assert!((b - a).cross(c - a).dot(a + b + c) > 0.0, "triangle {i}");
    }
}

#[test]
fn files_of_exporters_load_and_damage_is_reported() {
    let Some(folder) = x_files() else { return };
    let cool = load(&folder.join("luanti-x/models/testentities_cool_guy.x"));
    // Written in frames, without declaring it.
    assert!(cool.clips[0].duration > 0.5, "{}", cool.clips[0].duration);
    let bent = load(&folder.join("assimp-x/models/X/anim_test.x"));
    assert!(
        bent.warnings.iter().any(|text| text.contains("joint3")),
        "{:?}",
        bent.warnings
    );
    let file = folder.join("assimp-x/models/X/test_cube_compressed.x");
    let bytes = fs::read(&file).unwrap();
    let mut none = |name: &str| Err(name.to_owned());
    for cut in 0..bytes.len() {
        assert!(
            gltf::load_slice("cut.x", &bytes[..cut], &mut none).is_err(),
            "{cut}"
        );
    }
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        let _ = gltf::load_slice("damaged.x", &damaged, &mut none);
    }
}

#[test]
fn a_converted_file_is_complete_and_equal() {
    let Some(corpus) = corpus() else { return };
    let files = [
        "01_characters/threejs-examples/gltf/LeePerrySmith/LeePerrySmith.glb",
        "01_characters/threejs-examples/gltf/RobotExpressive/RobotExpressive.glb",
        "07_directx_x/directx-sdk/Tiny/tiny.x",
        "03_vrm/three-vrm/three-vrm-node-constraint/examples/models/cubes.gltf",
    ];
    for file in files {
        let file = corpus.join(file);
        let before = load(&file);
        let bytes = gltf::repack(&file, &before, &Additions::default()).unwrap();
        let mut none = |name: &str| Err(format!("unexpected request for {name}"));
        let after = gltf::load_slice("one.glb", &bytes, &mut none).unwrap();
        assert_eq!(
            before.skeleton.bones(),
            after.skeleton.bones(),
            "{}",
            file.display()
        );
        assert_eq!(before.primitives().count(), after.primitives().count());
        for (a, b) in before.primitives().zip(after.primitives()) {
            assert_eq!((&a.positions, &a.indices), (&b.positions, &b.indices));
        }
        let pictures = |model: &Model| -> Vec<Vec<u8>> {
            model
                .images
                .iter()
                .map(|image| image.rgba.to_vec())
                .collect()
        };
        assert!(pictures(&before) == pictures(&after), "{}", file.display());
        assert_eq!(before.clips, after.clips, "{}", file.display());
        assert_eq!(before.constraints.len(), after.constraints.len());
    }
}

/// Largest difference between the keys of two clips, in degrees and metres.
fn apart(a: &Clip, b: &Clip) -> (f32, f32) {
    let (mut turn, mut way) = (0.0_f32, 0.0_f32);
    assert_eq!(a.bones.len(), b.bones.len());
    for (a, b) in a.bones.iter().zip(&b.bones) {
        assert_eq!(a.bone, b.bone);
        assert_eq!(a.rotation.is_some(), b.rotation.is_some());
        assert_eq!(a.translation.is_some(), b.translation.is_some());
        if let (Some(a), Some(b)) = (&a.rotation, &b.rotation) {
            assert_eq!(a.times, b.times);
            let pairs = a.values.iter().zip(&b.values);
            turn = pairs.fold(turn, |worst, (a, b)| {
                worst.max(a.angle_between(*b).to_degrees())
            });
        }
        if let (Some(a), Some(b)) = (&a.translation, &b.translation) {
            let pairs = a.values.iter().zip(&b.values);
            way = pairs.fold(way, |worst, (a, b)| worst.max(a.distance(*b)));
        }
    }
    (turn, way)
}

#[test]
fn clips_added_by_conversion_are_unchanged_even_for_a_rotated_model() {
    let Some(corpus) = corpus() else { return };
    let lent = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
    let files = [
        // VRM 0, which is rotated when it is loaded.
        "03_vrm/godot-vrm-godette/vrm_samples/Godette_vrm_v4.vrm",
        "07_directx_x/directx-sdk/Tiny/tiny.x",
    ];
    for file in files {
        let file = corpus.join(file);
        let mut model = load(&file);
        let n_own = model.clips.len();
        let name = file.display().to_string();
        let about = ClipFile {
            path: lent.display().to_string(),
            ..ClipFile::default()
        };
        let source = clip_files::load(&about, &lent).unwrap();
        Joining::new(&mut model, &name)
            .join(&about, &source)
            .unwrap();
        let mut lent = model.clips[n_own..].iter();
        let walk = lent.find(|clip| clip.name.ends_with("walk")).unwrap();
        let marks = walk.markers.clone();
        assert!(marks.len() >= 2, "{name}: {marks:?}");
        let additions = Additions {
            clips: model.clips[n_own..].to_vec(),
            markers: vec![(walk.name.clone(), marks.clone())],
        };
        let bytes = gltf::repack(&file, &model, &additions).unwrap();
        let mut none = |name: &str| Err(format!("unexpected request for {name}"));
        let after = gltf::load_slice(&name, &bytes, &mut none);
        // The result is a binary glTF file, whatever its name.
        let after = after
            .or_else(|_| gltf::load_slice("one.glb", &bytes, &mut none))
            .unwrap();
        assert_eq!(after.clips.len(), model.clips.len());
        for (a, b) in model.clips.iter().zip(&after.clips) {
            assert_eq!(a.name, b.name);
            let (turn, way) = apart(a, b);
            assert!(
                turn < 0.1 && way < 1e-5,
                "{name}, {}: {turn} degrees, {way} m",
                a.name
            );
        }
        let read = after
            .clips
            .iter()
            .find(|clip| clip.name == walk.name)
            .unwrap();
        assert_eq!(read.markers, marks, "{name}");
    }
}

#[test]
fn whatever_loads_can_be_written_in_one_piece() {
    let Some(corpus) = corpus() else { return };
    let mut n = 0;
    for file in files::files(&corpus, &["gltf", "glb", "vrm"]) {
        let Ok(model) = gltf::load(&file) else {
            continue;
        };
        let marks = model
            .clips
            .iter()
            .map(|clip| (clip.name.clone(), clip.markers.clone()));
        let additions = Additions {
            clips: model.clips.iter().take(1).cloned().collect(),
            markers: marks.collect(),
        };
        let bytes = match gltf::repack(&file, &model, &additions) {
            Ok(bytes) => bytes,
            // A missing image is a warning when loading, and cannot be embedded.
            Err(error) => {
                let why = error.to_string();
                assert!(why.contains("which cannot be used"), "{why}");
                continue;
            }
        };
        let mut none = |name: &str| Err(format!("unexpected request for {name}"));
        let after = gltf::load_slice("one.glb", &bytes, &mut none);
        let after = after.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(
            after.n_triangles(),
            model.n_triangles(),
            "{}",
            file.display()
        );
        assert_eq!(
            after.clips.len(),
            model.clips.len() + additions.clips.len(),
            "{}",
            file.display()
        );
        n += 1;
    }
    assert!(n > 300, "{n} files");
}

#[test]
fn shrunk_models_load_unchanged() {
    let Some(corpus) = corpus() else { return };
    let (mut n, mut before, mut after) = (0, 0, 0);
    for file in files::files(&corpus, &["glb", "vrm"]) {
        let bytes = fs::read(&file).unwrap();
        // Large ones take minutes here.
        if bytes.len() > 24 << 20 {
            continue;
        }
        let Ok(Some(less)) = gltf::shrink(&bytes) else {
            continue;
        };
        let mut none = |name: &str| Err(format!("unexpected request for {name}"));
        let mut load = |bytes: &[u8]| gltf::load_slice("one.glb", bytes, &mut none);
        let Ok(was) = load(&bytes) else { continue };
        let name = file.display();
        let is = load(&less).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(was.warnings, is.warnings, "{name}");
        assert!(was.images == is.images, "{name}");
        assert!(was.skins == is.skins && was.parts == is.parts, "{name}");
        assert!(was.clips == is.clips, "{name}");
        let primitives = |model: &Model| -> Vec<_> {
            let all = model.meshes.iter().flat_map(|mesh| mesh.primitives.clone());
            all.map(|one| {
                (
                    one.positions,
                    one.normals,
                    one.indices,
                    one.influences,
                    one.targets,
                )
            })
            .collect()
        };
        assert!(primitives(&was) == primitives(&is), "{name}");
        let packed = |bytes: &[u8]| deflated(bytes, 6).unwrap().len();
        (n, before, after) = (n + 1, before + packed(&bytes), after + packed(&less));
    }
    assert!(n > 50, "{n} files");
    println!("{n} files, {after} of {before} bytes");
    assert!(after * 100 < before * 95, "{after} of {before} bytes");
}

#[test]
fn characters_of_vrm_are_seen_through_their_own_eyes_without_their_heads() {
    let Some(corpus) = corpus() else { return };
    let files = [
        "03_vrm/godot-vrm-godette/vrm_samples/Godette_vrm_v4.vrm",
        "03_vrm/vrm-specification/VRMC_vrm_expressions_isBinary_Overrides/vrm/VRMC_vrm_expressions_isBinary_Overrides.vrm",
        "03_vrm/vrm-addon-for-blender/unity/VrmaInspector/Assets/StreamingAssets/Example.vrm",
    ];
    let drawn = files.map(|file| {
        let definition = Definition::new(Arc::new(load(&corpus.join(file))));
        let model = &definition.model;
        let eyes = definition.own_eyes().expect(file);
        let (mut n, mut all) = (0, 0);
        for (i, part) in model.parts.iter().enumerate() {
            for (p, primitive) in model.meshes[part.mesh].primitives.iter().enumerate() {
                let triangles = eyes.headless.triangles(i, p);
                n += triangles.map_or(primitive.indices.len(), <[u32]>::len);
                all += primitive.indices.len();
            }
        }
        n as f32 / all as f32
    });
    // The second report says that none of it is visible from there.
    let wanted = [0.6..=0.8, 0.0..=0.0, 0.3..=0.5];
    for (part, wanted) in drawn.iter().zip(wanted) {
        assert!(wanted.contains(part), "{drawn:?}");
    }
}
