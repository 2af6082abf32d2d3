//! Loads every glTF file of a folder of real and broken files, named by `GALATEA_CORPUS`. Without
//! that variable every test passes without doing anything.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use galatea::anim::Interpolation;
use galatea::asset::Model;
use galatea::asset::gltf::{ModelLoadError, load};

fn corpus() -> Option<PathBuf> {
    std::env::var_os("GALATEA_CORPUS").map(PathBuf::from)
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, out);
        } else if path
            .extension()
            .and_then(|e| e.to_str())
            .is_some_and(|e| ["gltf", "glb", "vrm", "vrma"].contains(&e.to_lowercase().as_str()))
        {
            out.push(path);
        }
    }
}

/// The file whose path ends with `end`.
fn find(corpus: &Path, end: &str) -> PathBuf {
    let mut all = Vec::new();
    files(corpus, &mut all);
    let mut matching = all.into_iter().filter(|path| path.ends_with(end));
    matching.next().unwrap_or_else(|| panic!("no file {end}"))
}

fn loaded(corpus: &Path, end: &str) -> Model {
    load(&find(corpus, end)).unwrap_or_else(|error| panic!("{error}"))
}

/// Guarantees of the loader for every model.
fn assert_sound(model: &Model, file: &Path) {
    let file = file.display();
    let bones = model.skeleton.len();
    for (i, bone) in model.skeleton.bones().iter().enumerate() {
        assert!(
            bone.parent.is_none_or(|parent| usize::from(parent) < i),
            "{file}"
        );
        assert!(bone.rest.is_finite(), "{file}: {}", bone.name);
        assert!((bone.rest.rotation.length() - 1.0).abs() < 1e-3, "{file}");
        assert_eq!(
            model.skeleton.find(&bone.name),
            Some(i as u16),
            "{file}: name not unique"
        );
    }
    for skin in &model.skins {
        assert_eq!(skin.joints.len(), skin.inverse_bind.len(), "{file}");
        assert!(
            skin.joints.iter().all(|&j| usize::from(j) < bones),
            "{file}"
        );
        assert!(skin.inverse_bind.iter().all(|m| m.is_finite()), "{file}");
    }
    for part in &model.parts {
        assert!(usize::from(part.bone) < bones, "{file}");
        let mesh = &model.meshes[part.mesh];
        assert_eq!(part.morph_weights.len(), mesh.morph_names.len(), "{file}");
        if let Some(skin) = part.skin {
            let joints = model.skins[skin].joints.len();
            for primitive in &mesh.primitives {
                let influences = &primitive.influences;
                assert!(
                    influences.joints.iter().all(|&j| usize::from(j) < joints),
                    "{file}"
                );
            }
        }
    }
    for mesh in &model.meshes {
        for p in &mesh.primitives {
            let n = p.positions.len();
            assert!(p.indices.len().is_multiple_of(3), "{file}");
            assert!(p.indices.iter().all(|&i| (i as usize) < n), "{file}");
            assert_eq!((p.normals.len(), p.uv0.len()), (n, n), "{file}");
            for length in [p.tangents.len(), p.uv1.len(), p.colors.len()] {
                assert!(length == 0 || length == n, "{file}");
            }
            assert!(p.positions.iter().all(|v| v.is_finite()), "{file}");
            assert!(
                p.normals.iter().all(|v| (v.length() - 1.0).abs() < 1e-3),
                "{file}"
            );
            assert!(
                p.tangents.iter().all(|t| t.is_finite() && t.w.abs() == 1.0),
                "{file}"
            );
            assert_eq!(p.targets.len(), mesh.morph_names.len(), "{file}");
            for t in &p.targets {
                for length in [t.positions.len(), t.normals.len(), t.tangents.len()] {
                    assert!(length == 0 || length == n, "{file}");
                }
            }
            let influences = &p.influences;
            assert_eq!(influences.joints.len(), influences.weights.len(), "{file}");
            if influences.per_vertex > 0 {
                assert_eq!(
                    influences.weights.len(),
                    n * influences.per_vertex,
                    "{file}"
                );
                for weights in influences.weights.chunks(influences.per_vertex) {
                    assert!(weights.iter().all(|&w| w >= 0.0), "{file}");
                    assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{file}");
                }
            }
            assert!(p.material < model.materials.len(), "{file}");
            for (variant, material) in &p.variants {
                assert!(usize::from(*variant) < model.variants.len(), "{file}");
                assert!(*material < model.materials.len(), "{file}");
            }
        }
    }
    for material in &model.materials {
        for texture in material.textures() {
            assert!(texture.image < model.images.len(), "{file}");
        }
    }
    for image in &model.images {
        assert_eq!(
            image.rgba.len() as u64,
            u64::from(image.width) * u64::from(image.height) * 4
        );
    }
    for clip in &model.clips {
        assert!(clip.duration.is_finite(), "{file}");
        assert!(clip.bones.is_sorted_by(|a, b| a.bone < b.bone), "{file}");
        for tracks in &clip.bones {
            assert!(usize::from(tracks.bone) < bones, "{file}");
            if let Some(track) = &tracks.rotation {
                let values = match track.interpolation {
                    Interpolation::CubicSpline => 3,
                    _ => 1,
                };
                assert_eq!(track.values.len(), track.times.len() * values, "{file}");
                assert!(track.times.is_sorted_by(|a, b| a < b), "{file}");
                assert!(!track.times.is_empty(), "{file}");
            }
        }
        for morph in &clip.morphs {
            assert!(morph.part < model.parts.len(), "{file}");
        }
    }
    let mut warnings = model.warnings.clone();
    warnings.sort();
    warnings.dedup();
    assert_eq!(
        warnings.len(),
        model.warnings.len(),
        "{file}: a warning is listed twice"
    );
}

fn load_without_panic(path: &Path) -> Result<Model, ModelLoadError> {
    catch_unwind(AssertUnwindSafe(|| load(path)))
        .unwrap_or_else(|_| panic!("{}: the loader panicked", path.display()))
}

#[test]
fn every_file_loads_soundly_or_is_refused_with_its_name_and_a_cause() {
    let Some(corpus) = corpus() else { return };
    let mut all = Vec::new();
    files(&corpus, &mut all);
    let (mut loads, mut refusals) = (0, 0);
    let mut slowest = (Duration::ZERO, PathBuf::new());
    for path in &all {
        let start = Instant::now();
        match load_without_panic(path) {
            Ok(model) => {
                loads += 1;
                assert_sound(&model, path);
                for warning in &model.warnings {
                    println!("  warn {}: {warning}", path.display());
                }
            }
            Err(error) => {
                refusals += 1;
                let text = error.to_string();
                println!("refused {text}");
                assert!(text.starts_with(&path.display().to_string()), "{text}");
                assert!(error.fault.to_string().len() > 10, "{text}");
            }
        }
        slowest = slowest.max((start.elapsed(), path.clone()));
    }
    println!(
        "{} files: {loads} load, {refusals} refused, slowest {slowest:?}",
        all.len()
    );
    assert!(slowest.0 < Duration::from_secs(20), "{slowest:?}");
}

#[test]
fn known_files_have_the_expected_content() {
    let Some(corpus) = corpus() else { return };

    let fox = loaded(&corpus, "animated/Fox.glb");
    assert_eq!(fox.skins[0].joints.len(), 24);
    let names: Vec<&str> = fox.clips.iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["Survey", "Walk", "Run"]);

    let robot = loaded(&corpus, "RobotExpressive.glb");
    assert_eq!(robot.skins[0].joints.len(), 43);
    assert_eq!(robot.clips.len(), 14);
    let morphs = robot.meshes.iter().map(|mesh| mesh.morph_names.len()).max();
    assert_eq!(morphs, Some(3));
    assert!(robot.warnings.iter().any(|w| w.contains("weights sum to")));

    let knight = loaded(&corpus, "gltf/Knight.glb");
    assert_eq!(knight.skins[0].joints.len(), 41);
    assert_eq!(knight.clips.len(), 76);
    let rigid: Vec<&str> = knight
        .parts
        .iter()
        .filter(|part| part.skin.is_none())
        .map(|part| part.name.as_str())
        .collect();
    assert!(
        rigid.iter().any(|name| name.contains("Helmet")),
        "{rigid:?}"
    );
    assert!(rigid.iter().any(|name| name.contains("Sword")), "{rigid:?}");

    let quad = loaded(&corpus, "quad_skin.glb");
    let most = quad.primitives().map(|p| p.influences.per_vertex).max();
    assert_eq!(most, Some(12));

    let kinds = loaded(&corpus, "glTF/InterpolationTest.gltf");
    assert_eq!(kinds.clips.len(), 9);
    let mut found = [false; 3];
    for tracks in kinds.clips.iter().flat_map(|clip| &clip.bones) {
        for kind in [
            tracks.translation.as_ref().map(|t| t.interpolation),
            tracks.rotation.as_ref().map(|t| t.interpolation),
            tracks.scale.as_ref().map(|t| t.interpolation),
        ] {
            match kind {
                Some(Interpolation::Step) => found[0] = true,
                Some(Interpolation::Linear) => found[1] = true,
                Some(Interpolation::CubicSpline) => found[2] = true,
                None => {}
            }
        }
    }
    assert_eq!(found, [true; 3]);

    let human = loaded(&corpus, "mpfb_cc0_human.glb");
    let names: Vec<&String> = human.meshes.iter().flat_map(|m| &m.morph_names).collect();
    for name in [
        "jawOpen",
        "eyeBlinkLeft",
        "tongueOut",
        "viseme_aa",
        "viseme_sil",
    ] {
        assert!(names.iter().any(|n| *n == name), "{name}: {names:?}");
    }

    let face = loaded(&corpus, "LeePerrySmith.glb");
    assert!(face.n_triangles() > 10_000);
}

#[test]
fn a_file_with_draco_compression_is_refused_by_name() {
    let Some(corpus) = corpus() else { return };
    let error = load(&find(&corpus, "broken/draco.vrm"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("KHR_draco_mesh_compression"), "{error}");
}

#[test]
fn a_cut_glb_says_so() {
    let Some(corpus) = corpus() else { return };
    let bytes = std::fs::read(find(&corpus, "animated/Fox.glb")).unwrap();
    for length in [13, 312, bytes.len() - 1] {
        let mut none = |_: &str| Err("no other files".to_owned());
        let error = galatea::asset::gltf::load_slice("Fox.glb", &bytes[..length], &mut none);
        let text = error.unwrap_err().to_string();
        let expected = format!(
            "Fox.glb: the file has {length} bytes, but its header declares {}",
            bytes.len()
        );
        assert!(text.starts_with(&expected), "{text}");
    }
}

/// Files that pass the validator but are refused here, with the reason.
const REFUSED_THOUGH_VALID: &[(&str, &str)] = &[
    (
        "asset/min_version_valid.gltf",
        "needs a reader of version 2.1",
    ),
    (
        "root/named_objects.gltf",
        "its vertices are in a buffer without data",
    ),
];

#[test]
fn files_that_pass_the_validator_load() {
    let Some(corpus) = corpus() else { return };
    let mut all = Vec::new();
    files(&corpus, &mut all);
    let (mut valid, mut refused) = (0, 0);
    for path in &all {
        let report = PathBuf::from(format!("{}.report.json", path.display()));
        let Ok(report) = std::fs::read(report) else {
            continue;
        };
        let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
        let sound = report["issues"]["numErrors"] == 0;
        let exception = REFUSED_THOUGH_VALID
            .iter()
            .any(|(end, _)| path.ends_with(end));
        match load_without_panic(path) {
            Ok(_) => assert!(!exception, "{}: loads by now", path.display()),
            Err(error) => {
                refused += 1;
                assert!(!sound || exception, "valid, and refused: {error}");
            }
        }
        valid += usize::from(sound);
    }
    println!("{valid} files are valid, {refused} of all with a report are refused");
}

/// A small deterministic random number generator (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Damages a copy: a byte, a digit of the JSON, or a number with more digits.
fn damage(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let start = random.below(out.len());
        let digit = (start..out.len()).find(|&at| out[at].is_ascii_digit());
        match (random.below(3), digit) {
            (0, Some(at)) => out[at] = b'0' + random.below(10) as u8,
            (1, Some(at)) => {
                let many = [&b"9"[..], b"99999999", b"-", b"1e30", b".5"][random.below(5)];
                out.splice(at..at, many.iter().copied());
                if out.starts_with(b"glTF") && out.len() > 16 {
                    // Keeps the container intact, so that the JSON is parsed.
                    for field in [8, 12] {
                        let number: [u8; 4] = out[field..field + 4].try_into().unwrap();
                        let number = u32::from_le_bytes(number).wrapping_add(many.len() as u32);
                        out[field..field + 4].copy_from_slice(&number.to_le_bytes());
                    }
                }
            }
            _ => out[start] = random.below(256) as u8,
        }
    }
    out
}

#[test]
fn damaged_copies_never_panic_and_never_take_long() {
    let Some(corpus) = corpus() else { return };
    // More rounds for a longer search: GALATEA_ROUNDS=1000.
    let rounds = std::env::var("GALATEA_ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok());
    let mut all = Vec::new();
    files(&corpus, &mut all);
    let (mut loads, mut refusals) = (0, 0);
    for (i, path) in all.iter().enumerate() {
        let bytes = std::fs::read(path).unwrap();
        if bytes.is_empty() || bytes.len() > 200_000 {
            continue;
        }
        for round in 0..rounds.unwrap_or(8) {
            let seed = (i as u64 + 1) << 32 | (round as u64 + 1);
            let damaged = damage(
                &bytes,
                &mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
            );
            let mut read = |name: &str| {
                let path = path.parent().unwrap().join(name);
                galatea::asset::read(&path).map_err(|error| error.to_string())
            };
            let start = Instant::now();
            let result = catch_unwind(AssertUnwindSafe(|| {
                galatea::asset::gltf::load_slice("damaged", &damaged, &mut read)
            }));
            match result {
                Ok(Ok(model)) => {
                    loads += 1;
                    assert_sound(&model, path);
                }
                Ok(Err(_)) => refusals += 1,
                Err(_) => panic!("{}: round {round} panicked", path.display()),
            }
            let took = start.elapsed();
            assert!(
                took < Duration::from_secs(20),
                "{} {round}: {took:?}",
                path.display()
            );
        }
    }
    println!("damaged copies: {loads} load, {refusals} refused");
}

/// Generated tangents match those that Blender wrote: the bitangent points up in the image.
#[test]
fn tangents_that_are_made_have_the_sides_of_those_that_blender_writes() {
    let Some(folder) = corpus() else { return };
    let file = folder.join(
        "01_characters/gltf-blender-io-roundtrip/24_animation_pointer/24_animation_pointer.gltf",
    );
    let written = load(&file).unwrap();
    let text = std::fs::read_to_string(&file).unwrap();
    let bare = std::env::temp_dir().join(format!("galatea-bare-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&bare);
    std::fs::create_dir_all(&bare).unwrap();
    for entry in std::fs::read_dir(file.parent().unwrap()).unwrap() {
        let entry = entry.unwrap();
        if entry.path() != file && entry.path().is_file() {
            std::fs::copy(entry.path(), bare.join(entry.file_name())).unwrap();
        }
    }
    let path = bare.join("bare.gltf");
    std::fs::write(&path, text.replace("\"TANGENT\"", "\"_TANGENT\"")).unwrap();
    let made = load(&path).unwrap();
    let _ = std::fs::remove_dir_all(&bare);
    let (mut same, mut all) = (0, 0);
    for (a, b) in written.primitives().zip(made.primitives()) {
        if a.tangents.is_empty() || b.tangents.is_empty() {
            continue;
        }
        for (p, tangent) in a.positions.iter().zip(&a.tangents) {
            // Vertices may have been split; one of those at the position must agree.
            let there = b.positions.iter().zip(&b.tangents).filter(|(q, _)| *q == p);
            let agrees =
                |t: &glam::Vec4| t.w == tangent.w && t.truncate().dot(tangent.truncate()) > 0.9;
            same += usize::from(there.map(|(_, t)| t).any(agrees));
            all += 1;
        }
    }
    assert!(all >= 4, "{all}");
    assert!(same as f32 > 0.98 * all as f32, "{same} of {all}");
}
