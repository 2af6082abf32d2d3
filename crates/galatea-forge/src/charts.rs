//! Splits a mesh that does not unwrap flat into charts: grows regions of faces with similar normals.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use glam::Vec3;

use super::cage::{CageFace, edge};

/// Minimum cosine between a face's normal and the mean of the chart.
const MIN_COSINE: f32 = 0.42;
/// Limit of faces of a small chart, which is merged with a neighbour.
const MIN_FACES: usize = 6;

/// Splits a piece into charts.
pub fn cones(
    positions: &[Vec3],
    faces: &[CageFace],
    seams: &BTreeSet<(u32, u32)>,
    piece: &[u32],
) -> Vec<Vec<u32>> {
    let whole = ConePiece::new(positions, faces, seams, piece);
    let mut part_of: BTreeMap<u32, usize> = BTreeMap::new();
    let mut parts: Vec<Vec<u32>> = Vec::new();
    for start in piece {
        if !part_of.contains_key(start) {
            let part = whole.grow(*start, parts.len(), &mut part_of);
            parts.push(part);
        }
    }
    // Merge small charts with a neighbour.
    for n in 0..parts.len() {
        if parts[n].len() >= MIN_FACES {
            continue;
        }
        if let Some(other) = whole.nearest_part(&parts[n], &part_of) {
            let own = std::mem::take(&mut parts[n]);
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

/// Faces of a piece with precomputed data.
struct ConePiece<'a> {
    faces: &'a [CageFace],
    /// Vector along the normal of each face with twice its area as length.
    across: BTreeMap<u32, Vec3>,
    /// Faces at each edge that is not a seam.
    of_edge: BTreeMap<(u32, u32), Vec<u32>>,
}

impl<'a> ConePiece<'a> {
    fn new(
        positions: &[Vec3],
        faces: &'a [CageFace],
        seams: &BTreeSet<(u32, u32)>,
        piece: &[u32],
    ) -> Self {
        let across = piece.iter().map(|f| {
            let c = faces[*f as usize].corners.map(|i| positions[i as usize]);
            let half = (c[1] - c[0]).cross(c[2] - c[0]) * same(c);
            (*f, (c[2] - c[0]).cross(c[3] - c[1]) + half)
        });
        let mut of_edge: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for f in piece {
            for (a, b) in faces[*f as usize].edges() {
                if !seams.contains(&edge(a, b)) {
                    of_edge.entry(edge(a, b)).or_default().push(*f);
                }
            }
        }
        Self {
            faces,
            across: across.collect(),
            of_edge,
        }
    }

    /// Faces that share an edge with `f`.
    fn neighbours(&self, f: u32) -> Vec<u32> {
        let edges = self.faces[f as usize].edges();
        let all = edges.filter_map(|(a, b)| self.of_edge.get(&edge(a, b)));
        all.flatten().copied().filter(|g| *g != f).collect()
    }

    /// Grows the chart with index `n` around a face, over unassigned faces with similar normals.
    fn grow(&self, start: u32, n: usize, part_of: &mut BTreeMap<u32, usize>) -> Vec<u32> {
        let mut sum = self.across[&start];
        let first = sum.normalize_or(Vec3::Z);
        let mut part = vec![start];
        part_of.insert(start, n);
        let mut open: VecDeque<u32> = self.neighbours(start).into();
        while let Some(f) = open.pop_front() {
            let normal = self.across[&f].normalize_or(first);
            let fits = normal.dot(sum.normalize_or(first)) > MIN_COSINE && normal.dot(first) > 0.0;
            if !part_of.contains_key(&f) && fits {
                part_of.insert(f, n);
                sum += self.across[&f];
                part.push(f);
                open.extend(self.neighbours(f));
            }
        }
        part
    }

    /// Neighbouring chart with the longest common border.
    fn nearest_part(&self, part: &[u32], part_of: &BTreeMap<u32, usize>) -> Option<usize> {
        let n = part_of[part.first()?];
        let mut borders: BTreeMap<usize, usize> = BTreeMap::new();
        for f in part {
            for g in self.neighbours(*f) {
                let other = part_of[&g];
                if other != n {
                    *borders.entry(other).or_default() += 1;
                }
            }
        }
        let best = borders
            .iter()
            .max_by_key(|(other, count)| (**count, usize::MAX - **other));
        best.map(|(other, _)| *other)
    }
}

/// 1 if the last two corners are equal, as in a triangle; otherwise 0.
fn same(c: [Vec3; 4]) -> f32 {
    f32::from(u8::from(c[2] == c[3]))
}
