//! Meshes split for small palettes: parts, vertices, bytes, vertex cache.

use glam::Vec3;

use super::Subject;
use crate::commands::bench::BenchFigure;
use galatea_asset::model::{Influences, Primitive};
use galatea_deform::{Partition, partition_skin};

/// Size of the simulated GPU vertex cache.
const CACHE: usize = 16;

pub(super) fn rows(subject: &Subject) -> Vec<BenchFigure> {
    let primitives: Vec<&Primitive> = subject.skinned().map(|(primitive, _)| primitive).collect();
    let n_bones = subject.skinned().map(|(_, palette)| palette.len()).max();
    let mut rows = uncut(&primitives, n_bones.unwrap_or(0));
    for most in [4, 8, 12, 16, 64, usize::from(u16::MAX)] {
        rows.extend(cut(&primitives, most));
    }
    rows
}

fn count(name: &str, what: &str, value: usize, unit: &'static str) -> BenchFigure {
    BenchFigure::plain(name, what, value as f64, unit)
}

fn uncut(primitives: &[&Primitive], n_bones: usize) -> Vec<BenchFigure> {
    let n_vertices: usize = primitives.iter().map(|p| p.positions.len()).sum();
    vec![
        count(
            "M01.plain",
            "meshes without skinning: one per material",
            primitives.len(),
            "pieces",
        ),
        count(
            "M05.bones",
            "bones of the largest palette",
            n_bones,
            "bones",
        ),
        BenchFigure::plain(
            "M15.whole",
            "vertices transformed per triangle, without splitting",
            misses(primitives.iter().map(|p| &p.indices[..])),
            "per triangle",
        ),
        count(
            "M16.stored",
            "size of the weights of all vertices, four weights stored",
            16 * n_vertices,
            "bytes",
        ),
        count(
            "M16.implied",
            "the same, three weights stored, the last one implied",
            12 * n_vertices,
            "bytes",
        ),
    ]
}

/// Splits the primitives for palettes of at most `most` bones.
fn cut(primitives: &[&Primitive], most: usize) -> Vec<BenchFigure> {
    let cuts: Vec<Partition> = primitives
        .iter()
        .map(|p| partition_skin(p, most, 4))
        .collect();
    let name = |row: &str| match most {
        65535 => format!("{row}.indexed"),
        _ => format!("{row}.small{most}"),
    };
    let subsets = || cuts.iter().flat_map(|cut| &cut.subsets);
    let largest = subsets().map(|subset| subset.bones.len()).max();
    vec![
        count(
            &name("M01"),
            "pieces after splitting to this maximum number of bones",
            subsets().count(),
            "pieces",
        ),
        count(
            &name("M04"),
            "bones of the largest piece",
            largest.unwrap_or(0),
            "bones",
        ),
        count(
            &name("M04.copies"),
            "vertices of all pieces",
            cuts.iter().map(Partition::n_vertices).sum(),
            "vertices",
        ),
        count(
            &name("J08"),
            "vertices that lost influences",
            cuts.iter().map(|cut| cut.n_reduced).sum(),
            "vertices",
        ),
        BenchFigure::plain(
            &name("M15"),
            "vertices transformed per triangle",
            misses(subsets().map(|subset| &subset.indices[..])),
            "per triangle",
        ),
    ]
}

/// The worst case: triangles without common bones.
pub(super) fn worst() -> Vec<BenchFigure> {
    let n = 20;
    let mut p = Primitive {
        influences: Influences {
            per_vertex: 1,
            ..Influences::default()
        },
        indices: (0..3 * n).collect(),
        ..Primitive::default()
    };
    for v in 0..3 * n {
        p.positions.push(Vec3::splat(v as f32));
        p.influences.joints.push(v as u16);
        p.influences.weights.push(1.0);
    }
    [4, 12, 64]
        .map(|most| {
            BenchFigure::plain(
                &format!("M02.small{most}"),
                "pieces for 20 triangles of one material without common bones",
                partition_skin(&p, most, 4).subsets.len() as f64,
                "pieces",
            )
        })
        .into()
}

/// Misses of a first-in first-out vertex cache per triangle; every list starts with an empty cache.
fn misses<'a>(lists: impl Iterator<Item = &'a [u32]>) -> f64 {
    let (mut missed, mut triangles) = (0, 0);
    for indices in lists {
        let mut cache = std::collections::VecDeque::with_capacity(CACHE);
        triangles += indices.len() / 3;
        for v in indices {
            if !cache.contains(v) {
                missed += 1;
                if cache.len() == CACHE {
                    cache.pop_front();
                }
                cache.push_back(*v);
            }
        }
    }
    f64::from(missed) / triangles.max(1) as f64
}
