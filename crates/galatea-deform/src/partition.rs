//! Splits a skinned mesh into pieces that each use few bones.
//!
//! Used by `render` for small palettes, and by benchmarks. The same mesh gives the same pieces.

use std::collections::BTreeMap;

use galatea_asset::model::{Influences, Primitive};
use galatea_math::clamp::ClampTo as _;

/// A mesh in pieces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Partition {
    /// The pieces; together they contain every triangle once.
    pub subsets: Vec<SkinSubset>,
    /// Influences of the whole mesh after the reduction, with the number per vertex that the mesh had, or the allowed number
    /// if that is lower.
    pub influences: Influences,
    /// Number of vertices that lost an influence.
    pub n_reduced: usize,
    /// Largest total weight that one vertex lost, 0..=1.
    pub largest_loss: f32,
}

/// Triangles that share a palette.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinSubset {
    /// Joint of the skin for each entry of the small palette.
    pub bones: Vec<u16>,
    /// Vertex of the whole mesh for each vertex of the piece.
    pub vertices: Vec<u32>,
    /// Triangle list into `vertices`, in the order of the whole mesh.
    pub indices: Vec<u32>,
}

impl Partition {
    /// Vertices of all pieces; those on seams between pieces are counted once per piece.
    pub fn n_vertices(&self) -> usize {
        self.subsets
            .iter()
            .map(|subset| subset.vertices.len())
            .sum()
    }

    /// Extracts a piece as a mesh, whose joints are indices into the small palette. `whole` is the mesh that was split.
    pub fn piece(&self, whole: &Primitive, subset: &SkinSubset) -> Primitive {
        let vertices = &subset.vertices;
        let n = self.influences.per_vertex;
        let mut influences = Influences {
            per_vertex: n,
            ..Influences::default()
        };
        for &v in vertices {
            let range = v as usize * n..(v as usize + 1) * n;
            influences
                .weights
                .extend(&self.influences.weights[range.clone()]);
            for (joint, weight) in self.influences.joints[range.clone()]
                .iter()
                .zip(&self.influences.weights[range])
            {
                let index = subset.bones.binary_search(joint).unwrap_or(0);
                influences
                    .joints
                    .push(if *weight > 0.0 { index as u16 } else { 0 });
            }
        }
        some_of(whole, vertices, influences, subset.indices.clone())
    }
}

/// Extracts some of the triangles of a mesh with the vertices that they use, and returns the indices of those vertices.
pub fn part_of(whole: &Primitive, triangles: &[u32]) -> (Primitive, Vec<u32>) {
    let mut new_index = vec![u32::MAX; whole.positions.len()];
    let mut vertices: Vec<u32> = Vec::new();
    let mut indices = Vec::with_capacity(triangles.len());
    for v in triangles {
        let index = &mut new_index[*v as usize];
        if *index == u32::MAX {
            *index = vertices.len() as u32;
            vertices.push(*v);
        }
        indices.push(*index);
    }
    let n = whole.influences.per_vertex;
    let ranges = vertices
        .iter()
        .map(|v| *v as usize * n..(*v as usize + 1) * n);
    let influences = Influences {
        per_vertex: n,
        joints: ranges
            .clone()
            .flat_map(|range| whole.influences.joints[range].iter().copied())
            .collect(),
        weights: ranges
            .flat_map(|range| whole.influences.weights[range].iter().copied())
            .collect(),
    };
    (some_of(whole, &vertices, influences, indices), vertices)
}

fn some_of(
    whole: &Primitive,
    vertices: &[u32],
    influences: Influences,
    indices: Vec<u32>,
) -> Primitive {
    fn of<T: Copy>(all: &[T], vertices: &[u32]) -> Vec<T> {
        let one = |v: &u32| all.get(*v as usize).copied();
        vertices.iter().filter_map(one).collect()
    }
    Primitive {
        positions: of(&whole.positions, vertices),
        normals: of(&whole.normals, vertices),
        tangents: of(&whole.tangents, vertices),
        uv0: of(&whole.uv0, vertices),
        uv1: of(&whole.uv1, vertices),
        colors: of(&whole.colors, vertices),
        influences,
        targets: whole
            .targets
            .iter()
            .map(|target| galatea_asset::model::MorphTarget {
                positions: of(&target.positions, vertices),
                normals: of(&target.normals, vertices),
                tangents: of(&target.tangents, vertices),
            })
            .collect(),
        ribbon: of(&whole.ribbon, vertices),
        indices,
        material: whole.material,
        variants: whole.variants.clone(),
    }
}

/// Splits a mesh into pieces of at most `max_bones` bones each; vertices have at most `max_influences`.
///
/// If a vertex has more influences than allowed, the largest are kept and normalized to sum 1. If the corners of a triangle
/// use more bones than a piece may have, they lose their weakest bones in all triangles that use these corners, so that no
/// seam opens. Triangles of the same bones stay together. Sets of bones are assigned from large to small, each to the piece
/// that grows least. `max_bones` less than 3 counts as 3, `max_influences` of 0 as 1. A mesh without influences is one piece
/// of bone 0. Triangles with invalid vertex indices are dropped.
pub fn partition_skin(primitive: &Primitive, max_bones: usize, max_influences: usize) -> Partition {
    let max_bones = max_bones.max(3);
    let n_vertices = primitive.positions.len();
    let mut reduced = ReducedInfluences::new(primitive, max_influences.max(1));
    let triangles: Vec<[u32; 3]> = primitive
        .indices
        .chunks_exact(3)
        .filter_map(|t| <[u32; 3]>::try_from(t).ok())
        .filter(|t| t.iter().all(|v| (*v as usize) < n_vertices))
        .collect();
    for triangle in &triangles {
        reduced.fit(*triangle, max_bones);
    }
    let mut by_bones: BTreeMap<Vec<u16>, Vec<u32>> = BTreeMap::new();
    for (i, triangle) in triangles.iter().enumerate() {
        let bones = reduced.bones_of(*triangle);
        by_bones.entry(bones).or_default().push(i as u32);
    }
    let mut sets: Vec<_> = by_bones.into_iter().collect();
    sets.sort_by_key(|(bones, _)| std::cmp::Reverse(bones.len()));
    let mut groups: Vec<(Vec<u16>, Vec<u32>)> = Vec::new();
    for (bones, members) in sets {
        let growth = |group: &[u16]| {
            let new = bones.iter().filter(|b| group.binary_search(b).is_err());
            new.count()
        };
        let best = groups
            .iter()
            .enumerate()
            .map(|(i, (group, _))| (growth(group), i))
            .filter(|(growth, i)| groups[*i].0.len() + growth <= max_bones)
            .min();
        match best {
            Some((_, i)) => {
                let (group, triangles) = &mut groups[i];
                group.extend(bones);
                group.sort_unstable();
                group.dedup();
                triangles.extend(members);
            }
            None => groups.push((bones, members)),
        }
    }
    let mut index_of = vec![u32::MAX; n_vertices];
    let subsets = groups
        .into_iter()
        .map(|(bones, mut members)| {
            members.sort_unstable();
            let mut subset = SkinSubset {
                bones,
                ..SkinSubset::default()
            };
            for v in members.iter().flat_map(|i| triangles[*i as usize]) {
                let index = &mut index_of[v as usize];
                if *index == u32::MAX {
                    *index = subset.vertices.len() as u32;
                    subset.vertices.push(v);
                }
                subset.indices.push(*index);
            }
            for v in &subset.vertices {
                index_of[*v as usize] = u32::MAX;
            }
            subset
        })
        .collect();
    let (n_reduced, largest_loss) = reduced.loss();
    Partition {
        subsets,
        influences: reduced.influences,
        n_reduced,
        largest_loss,
    }
}

/// Influences during the reduction. A slot without weight is free.
struct ReducedInfluences {
    influences: Influences,
    /// Weight that each vertex lost.
    lost: Vec<f32>,
}

impl ReducedInfluences {
    fn new(primitive: &Primitive, max_influences: usize) -> Self {
        let from = &primitive.influences;
        let n_vertices = primitive.positions.len();
        let per_vertex = from.per_vertex.clamp_to(1, max_influences);
        let mut influences = Influences {
            per_vertex,
            joints: Vec::with_capacity(n_vertices * per_vertex),
            weights: Vec::with_capacity(n_vertices * per_vertex),
        };
        let mut lost = Vec::with_capacity(n_vertices);
        let mut slots: Vec<(u16, f32)> = Vec::new();
        for v in 0..n_vertices {
            let range = v * from.per_vertex..(v + 1) * from.per_vertex;
            slots.clear();
            if let (Some(joints), Some(weights)) =
                (from.joints.get(range.clone()), from.weights.get(range))
            {
                let used = joints.iter().copied().zip(weights.iter().copied());
                slots.extend(used.filter(|(_, weight)| *weight > 0.0));
            }
            if slots.is_empty() {
                slots.push((0, 1.0));
            }
            slots.sort_by(|a, b| b.1.total_cmp(&a.1));
            let all: f32 = slots.iter().map(|slot| slot.1).sum();
            slots.truncate(per_vertex);
            let sum: f32 = slots.iter().map(|slot| slot.1).sum();
            lost.push(if sum < all { 1.0 - sum / all } else { 0.0 });
            slots.resize(per_vertex, (0, 0.0));
            influences.joints.extend(slots.iter().map(|slot| slot.0));
            let scale = if sum < all { 1.0 / sum } else { 1.0 };
            influences
                .weights
                .extend(slots.iter().map(|slot| slot.1 * scale));
        }
        Self { influences, lost }
    }

    fn slots(&self, v: u32) -> impl Iterator<Item = (u16, f32)> + '_ {
        let n = self.influences.per_vertex;
        let range = v as usize * n..(v as usize + 1) * n;
        let joints = self.influences.joints[range.clone()].iter().copied();
        let all = joints.zip(self.influences.weights[range].iter().copied());
        all.filter(|(_, weight)| *weight > 0.0)
    }

    /// The bones that move a triangle, sorted, without duplicates.
    fn bones_of(&self, triangle: [u32; 3]) -> Vec<u16> {
        let mut bones: Vec<u16> = triangle
            .iter()
            .flat_map(|v| self.slots(*v).map(|(joint, _)| joint))
            .collect();
        bones.sort_unstable();
        bones.dedup();
        bones
    }

    /// Removes the weakest bones from a triangle's corners until `max_bones` remain; each corner keeps its strongest.
    fn fit(&mut self, triangle: [u32; 3], max_bones: usize) {
        let bones = self.bones_of(triangle);
        if bones.len() <= max_bones {
            return;
        }
        let strongest = triangle.map(|v| {
            let first = (0, f32::MIN);
            let best = self.slots(v).fold(
                first,
                |best, slot| {
                    if slot.1 > best.1 { slot } else { best }
                },
            );
            best.0
        });
        let mut ranked: Vec<(bool, f32, u16)> = bones
            .iter()
            .map(|&bone| {
                let of = triangle.iter().flat_map(|v| self.slots(*v));
                let weight = of.filter(|slot| slot.0 == bone).map(|slot| slot.1).sum();
                (strongest.contains(&bone), weight, bone)
            })
            .collect();
        ranked.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        for (_, _, bone) in &ranked[max_bones..] {
            for v in triangle {
                self.take(v, *bone);
            }
        }
    }

    fn take(&mut self, v: u32, bone: u16) {
        let n = self.influences.per_vertex;
        let range = v as usize * n..(v as usize + 1) * n;
        let joints = &self.influences.joints[range.clone()];
        let weights = &mut self.influences.weights[range];
        let Some(k) = (0..n).find(|k| joints[*k] == bone && weights[*k] > 0.0) else {
            return;
        };
        // The remaining weights are scaled up in proportion; the loss is relative to the authored weights.
        let lost = &mut self.lost[v as usize];
        *lost += (1.0 - *lost) * weights[k];
        let rest = 1.0 - weights[k];
        weights[k] = 0.0;
        weights.iter_mut().for_each(|weight| *weight /= rest);
    }

    fn loss(&self) -> (usize, f32) {
        let n = self.lost.iter().filter(|lost| **lost > 0.0).count();
        (n, self.lost.iter().copied().fold(0.0, f32::max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// A strip of `n` quads along x, three bones per corner out of `n_bones`, all weights different.
    fn strip(n: usize, n_bones: u16, per_vertex: usize) -> Primitive {
        let mut p = Primitive::default();
        p.influences.per_vertex = per_vertex;
        for i in 0..=n {
            for y in 0..2 {
                p.positions.push(Vec3::new(i as f32, y as f32, 0.0));
                p.normals.push(Vec3::Z);
                let first = (i * usize::from(n_bones) / (n + 1)) as u16;
                let raw: Vec<f32> = (0..per_vertex).map(|k| 1.0 / (k + 1 + y) as f32).collect();
                let sum: f32 = raw.iter().sum();
                for (k, weight) in raw.iter().enumerate() {
                    let bone = (first + (k * (y + 1)) as u16) % n_bones;
                    p.influences.joints.push(bone);
                    p.influences.weights.push(weight / sum);
                }
            }
        }
        for i in 0..n as u32 {
            let at = 2 * i;
            p.indices
                .extend([at, at + 2, at + 1, at + 1, at + 2, at + 3]);
        }
        p
    }

    fn positions(primitive: &Primitive, corners: &[u32]) -> Vec<[u32; 3]> {
        let of = |v: &u32| {
            primitive.positions[*v as usize]
                .to_array()
                .map(f32::to_bits)
        };
        corners.iter().map(of).collect()
    }

    #[test]
    fn a_part_has_its_triangles_and_only_the_vertices_that_they_use() {
        let whole = strip(12, 5, 4);
        let triangles = [&whole.indices[9..15], &whole.indices[3..6]].concat();
        let (part, vertices) = part_of(&whole, &triangles);
        assert_eq!(
            positions(&part, &part.indices),
            positions(&whole, &triangles)
        );
        assert!(part.positions.len() == vertices.len() && vertices.len() < 9);
        for (own, v) in vertices.iter().enumerate() {
            let [own, of] = [own * 4..own * 4 + 4, *v as usize * 4..*v as usize * 4 + 4];
            let (a, b) = (&part.influences, &whole.influences);
            assert_eq!(a.joints[own.clone()], b.joints[of.clone()]);
            assert_eq!(a.weights[own], b.weights[of]);
        }
        assert!(part_of(&whole, &[]).1.is_empty());
    }

    #[test]
    fn every_piece_respects_the_bone_limit_and_every_triangle_is_drawn_once() {
        let whole = strip(60, 40, 4);
        for max_bones in [4, 8, 12, 16, 64] {
            let partition = partition_skin(&whole, max_bones, 4);
            let mut drawn = Vec::new();
            for subset in &partition.subsets {
                assert!(subset.bones.len() <= max_bones, "{max_bones}");
                let piece = partition.piece(&whole, subset);
                for (k, joint) in piece.influences.joints.iter().enumerate() {
                    assert!(usize::from(*joint) < subset.bones.len());
                    let v = subset.vertices[k / 4] as usize;
                    let weight = piece.influences.weights[k];
                    assert_eq!(weight, partition.influences.weights[v * 4 + k % 4]);
                    if weight > 0.0 {
                        let bone = subset.bones[usize::from(*joint)];
                        assert_eq!(bone, partition.influences.joints[v * 4 + k % 4]);
                    }
                }
                for weights in piece.influences.weights.chunks_exact(4) {
                    assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
                }
                for t in piece.indices.chunks_exact(3) {
                    drawn.push(positions(&piece, t));
                }
            }
            let mut expected: Vec<_> = whole
                .indices
                .chunks_exact(3)
                .map(|t| positions(&whole, t))
                .collect();
            drawn.sort_unstable();
            expected.sort_unstable();
            assert_eq!(drawn, expected, "{max_bones}");
        }
    }

    #[test]
    fn a_large_palette_splits_and_loses_nothing() {
        let whole = strip(60, 40, 4);
        let partition = partition_skin(&whole, 40, 4);
        assert_eq!(partition.subsets.len(), 1);
        assert_eq!((partition.n_reduced, partition.largest_loss), (0, 0.0));
        assert_eq!(partition.n_vertices(), whole.positions.len());
        // Twelve bones suffice for any triangle with four influences, so nothing is lost either.
        assert_eq!(partition_skin(&whole, 12, 4).n_reduced, 0);
    }

    #[test]
    fn triangles_without_common_bones_are_separate_pieces() {
        let n = 20;
        let mut p = Primitive::default();
        p.influences.per_vertex = 1;
        for i in 0..n {
            for corner in [Vec3::ZERO, Vec3::X, Vec3::Y] {
                p.positions.push(corner + Vec3::Z * f32::from(i));
                let bone = i * 3 + p.positions.len() as u16 % 3;
                p.influences.joints.push(bone);
                p.influences.weights.push(1.0);
            }
        }
        p.indices = (0..3 * u32::from(n)).collect();
        assert_eq!(partition_skin(&p, 4, 4).subsets.len(), 20);
        assert_eq!(partition_skin(&p, 60, 4).subsets.len(), 1);
    }

    #[test]
    fn lost_weights_are_reported_and_the_rest_sums_to_one() {
        let mut p = strip(1, 40, 8);
        p.influences.weights = (0..4)
            .flat_map(|_| [0.4, 0.2, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05])
            .collect();
        let partition = partition_skin(&p, 64, 4);
        assert_eq!(partition.influences.per_vertex, 4);
        assert_eq!(partition.n_reduced, 4);
        assert!((partition.largest_loss - 0.2).abs() < 1e-6);
        assert!((partition.influences.weights[0] - 0.5).abs() < 1e-6);
    }

    #[test]
    fn corners_on_a_seam_keep_one_set_of_weights() {
        // More bones per triangle than a piece may have: all copies of a vertex are reduced equally.
        let whole = strip(30, 40, 4);
        let partition = partition_skin(&whole, 4, 4);
        assert!(partition.n_reduced > 0);
        assert!(partition.largest_loss < 1.0);
        let again = partition_skin(&whole, 4, 4);
        assert_eq!(partition, again);
    }

    #[test]
    fn a_rigid_mesh_is_one_piece_and_invalid_triangles_are_dropped() {
        let mut p = strip(4, 1, 1);
        p.influences = Influences::default();
        p.indices.extend([0, 1, 999]);
        let partition = partition_skin(&p, 8, 4);
        assert_eq!(partition.subsets.len(), 1);
        assert_eq!(partition.subsets[0].bones, [0]);
        assert_eq!(partition.subsets[0].indices.len(), 24);
    }
}
