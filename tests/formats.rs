//! Models of other formats, real ones: `.x` of the DirectX SDK and of exporters; and what `convert` makes of files.

mod corpus;

use std::fs;
use std::path::{Path, PathBuf};

use galatea::anim::humanoid::Role;
use galatea::asset::Model;
use galatea::asset::gltf::{self, Additions};
use glam::Vec3;

use corpus::corpus;

fn x_files() -> Option<PathBuf> {
    Some(corpus()?.join("07_directx_x"))
}

fn load(path: &Path) -> Model {
    gltf::load(path).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn tiny_is_a_woman_of_usual_height_who_looks_ahead_and_walks() {
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
    // The file is right-handed, other than its format.
    assert!(
        model.warnings.iter().any(|text| text.contains("exchanged")),
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
    // All faces look outwards.
    for i in 0..12 {
        let [a, b, c] = triangle(i);
        assert!((b - a).cross(c - a).dot(a + b + c) > 0.0, "triangle {i}");
    }
}

#[test]
fn files_of_exporters_load_and_damage_to_them_is_told() {
    let Some(folder) = x_files() else { return };
    let cool = load(&folder.join("luanti-x/models/testentities_cool_guy.x"));
    // Written in frames, without saying so.
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
fn a_converted_file_is_one_piece_and_what_it_was() {
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
        let mut none = |name: &str| Err(format!("{name} is asked for"));
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
