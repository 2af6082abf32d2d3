//! Random faces: cost as morph weights and baked into the meshes, and how much faces differ.

use std::sync::Arc;

use super::{BenchFigure, Benchmark, measure};
use galatea_character::{Character, Definition, Placement};
use galatea_face::Generation;

pub(super) const ALL: &[(&str, Benchmark)] = &[("faces", bench)];

/// Faces per round.
const FACES: usize = 100;

fn bench(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let placement = Placement::default();
    let mut one: Character =
        Character::new("face".into(), "face".into(), definition.clone(), placement);
    let set = definition.shapes();
    if set.shapes.is_empty() {
        return Vec::new();
    }
    let mut make = |seed: u64| {
        let how = Generation {
            seed,
            ..Generation::default()
        };
        let definition = &one.definition;
        let likeness = one.appearance.face_shapes_mut(definition);
        likeness.set_weights(definition, set.generate(&how).into_iter().enumerate());
        likeness.clone()
    };
    let n = set.shapes.len();
    let added = measure(
        "face_generate",
        &format!("a face of {n} shapes from a seed, with eyes adjusted; drawn with morph targets"),
        "us per face",
        FACES * 1000,
        || {
            for seed in 0..FACES as u64 {
                std::hint::black_box(make(seed));
            }
        },
    );
    let like = make(1);
    let baked = measure(
        "face_bake",
        "the same face baked into positions, normals and tangents",
        "ms per face",
        1_000_000,
        || {
            std::hint::black_box(like.bake(definition));
        },
    );
    let own_bytes = like.bake(definition).bytes();
    let faces: Vec<Vec<glam::Vec3>> = (0..FACES as u64)
        .map(|seed| {
            let face = make(seed).bake(definition);
            face.primitives
                .into_iter()
                .flat_map(|p| p.positions)
                .collect()
        })
        .collect();
    let per_second = BenchFigure::plain(
        "faces_per_second",
        "generated faces, drawn with morph targets, one thread",
        1e6 / added.value,
        "faces",
    );
    let mut rows = vec![per_second, added, baked];
    rows.extend(memory(definition, n, own_bytes));
    rows.extend(differences(&faces));
    rows
}

/// Memory of a face with `n` morphs. `own_bytes` is the size of its baked form.
fn memory(definition: &Definition, n: usize, own_bytes: usize) -> [BenchFigure; 3] {
    let weights = (n * size_of::<(usize, f32)>()) as f64;
    // In Character Animation with Direct3D (Granberg 2009), every other target is baked as well.
    let others = definition.rest.morphs.len() - n;
    let book = own_bytes * (1 + others);
    [
        BenchFigure::plain(
            "face_bytes",
            "memory of a face drawn with morph targets",
            weights,
            "bytes",
        ),
        BenchFigure::plain(
            "face_bytes_baked",
            "memory of a baked face, without data shared with the model",
            own_bytes as f64,
            "bytes",
        ),
        BenchFigure::plain(
            "face_bytes_book",
            "the same if every other morph target were baked too",
            book as f64,
            "bytes",
        ),
    ]
}

/// Distances between pairs of faces, given as vertex positions.
fn differences(faces: &[Vec<glam::Vec3>]) -> [BenchFigure; 2] {
    let (mut least, mut sum, mut pairs) = (f32::INFINITY, 0.0, 0);
    for (i, a) in faces.iter().enumerate() {
        for b in &faces[..i] {
            let far = a.iter().zip(b).map(|(a, b)| a.distance(*b));
            let most = far.fold(0.0, f32::max);
            least = least.min(most);
            sum += f64::from(most);
            pairs += 1;
        }
    }
    let mm = |metres: f64| metres * 1e3;
    [
        BenchFigure::plain(
            "face_apart_least",
            "largest vertex distance between the two most similar of 100 faces",
            mm(f64::from(least)),
            "mm",
        ),
        BenchFigure::plain(
            "face_apart_mean",
            "largest vertex distance between two of 100 faces, mean of all pairs",
            mm(sum / f64::from(pairs)),
            "mm",
        ),
    ]
}
