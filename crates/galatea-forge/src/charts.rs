//! Pieces that lie flat by no means, in parts that do: faces around a face as long as they look about the same way.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use glam::Vec3;

use super::cage::{CageFace, edge};

/// The least cosine between the normal of a face and the mean of its part.
const LEAST: f32 = 0.42;
/// Smaller parts go to a neighbour, faces.
const SMALL: usize = 6;

/// Parts of a piece.
pub fn cones(
    places: &[Vec3],
    faces: &[CageFace],
    seams: &BTreeSet<(u32, u32)>,
    piece: &[u32],
) -> Vec<Vec<u32>> {
    // Twice the area of a face along its normal.
    let across: BTreeMap<u32, Vec3> = piece
        .iter()
        .map(|f| {
            let c = faces[*f as usize].corners.map(|i| places[i as usize]);
            (
                *f,
                (c[2] - c[0]).cross(c[3] - c[1]) + (c[1] - c[0]).cross(c[2] - c[0]) * same(c),
            )
        })
        .collect();
    let mut of_edge: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
    for f in piece {
        for (a, b) in faces[*f as usize].edges() {
            if !seams.contains(&edge(a, b)) {
                of_edge.entry(edge(a, b)).or_default().push(*f);
            }
        }
    }
    let beside = |f: u32| {
        let edges = faces[f as usize].edges();
        let all = edges.filter_map(|(a, b)| of_edge.get(&edge(a, b)));
        let all: Vec<u32> = all.flatten().copied().filter(|g| *g != f).collect();
        all
    };
    let mut part_of: BTreeMap<u32, usize> = BTreeMap::new();
    let mut parts: Vec<Vec<u32>> = Vec::new();
    for start in piece {
        if part_of.contains_key(start) {
            continue;
        }
        let n = parts.len();
        let first = across[start].normalize_or(Vec3::Z);
        let mut sum = across[start];
        let mut part = vec![*start];
        part_of.insert(*start, n);
        let mut open: VecDeque<u32> = beside(*start).into();
        while let Some(f) = open.pop_front() {
            let normal = across[&f].normalize_or(first);
            let fits = normal.dot(sum.normalize_or(first)) > LEAST && normal.dot(first) > 0.0;
            if !part_of.contains_key(&f) && fits {
                part_of.insert(f, n);
                sum += across[&f];
                part.push(f);
                open.extend(beside(f));
            }
        }
        parts.push(part);
    }
    // The small ones join the neighbour with the longest common border.
    for n in 0..parts.len() {
        if parts[n].len() >= SMALL {
            continue;
        }
        let mut borders: BTreeMap<usize, usize> = BTreeMap::new();
        for f in &parts[n] {
            for g in beside(*f) {
                let other = part_of[&g];
                if other != n {
                    *borders.entry(other).or_default() += 1;
                }
            }
        }
        let best = borders
            .iter()
            .max_by_key(|(other, count)| (**count, usize::MAX - **other));
        if let Some((other, _)) = best {
            let (other, own) = (*other, std::mem::take(&mut parts[n]));
            own.iter().for_each(|f| {
                part_of.insert(*f, other);
            });
            parts[other].extend(own);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.iter_mut().for_each(|part| part.sort_unstable());
    parts
}

/// 1 where the last two corners are one, as of a triangle; else 0.
fn same(c: [Vec3; 4]) -> f32 {
    f32::from(u8::from(c[2] == c[3]))
}
