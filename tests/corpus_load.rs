//! Loads every glTF file of a folder of real and broken files, named by `GALATEA_CORPUS`. Without
//! that variable every test passes without doing anything.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use galatea::anim::Interpolation;
use galatea::asset::Model;
use galatea::asset::gltf::{LoadError, load};

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

/// The one file whose path ends like this.
fn find(corpus: &Path, end: &str) -> PathBuf {
    let mut all = Vec::new();
    files(corpus, &mut all);
    let mut matching = all.into_iter().filter(|path| path.ends_with(end));
    matching.next().unwrap_or_else(|| panic!("no file {end}"))
}

fn loaded(corpus: &Path, end: &str) -> Model {
    load(&find(corpus, end)).unwrap_or_else(|error| panic!("{error}"))
}

/// What the loader promises about every model that comes out.
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
        }
    }
    for material in &model.materials {
        for texture in [
            material.base_color_texture,
            material.metallic_roughness_texture,
            material.normal_texture,
            material.occlusion_texture,
            material.emissive_texture,
        ]
        .into_iter()
        .flatten()
        {
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

fn load_without_panic(path: &Path) -> Result<Model, LoadError> {
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
