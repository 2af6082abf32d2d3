//! Mesh decimation: edges in flat areas collapse first (Garland and Heckbert 1997, by meshopt).

use glam::{Vec3, Vec4};
use meshopt::{SimplifyOptions, SimplifyVertex, VertexDataAdapter};

use galatea_asset::model::{Influences, MorphTarget, Primitive};

/// Limit of the geometric error, as a fraction of the mesh's size.
const MAX_ERROR: f32 = 0.02;
/// Weight of a normal's change relative to a position's change.
const NORMAL_WEIGHT: f32 = 0.35;
/// Weight of a texture coordinate's change relative to a position's change.
const TEXTURE_WEIGHT: f32 = 0.15;
/// Limit of the difference in target offsets between a point and its neighbours, metres; points above it are protected.
const MAX_BEND: f32 = 0.000_25;

/// Decimates to a fraction `share` of the triangles, 0 to 1. Borders stay, so that primitives still fit together. If more
/// than half of the triangles stay, points bent by morph targets stay too.
pub fn lighten(primitive: &mut Primitive, share: f32) {
    let target_count = (primitive.indices.len() as f32 * share / 3.0).round() as usize * 3;
    if target_count >= primitive.indices.len() {
        return;
    }
    let n = primitive.positions.len();
    let positions: &[u8] = bytemuck::cast_slice(&primitive.positions);
    let Ok(positions) = VertexDataAdapter::new(positions, size_of::<Vec3>(), 0) else {
        return;
    };
    let attributes: Vec<f32> = (0..n)
        .flat_map(|i| {
            let normal = primitive.normals[i];
            let uv = primitive.uv0.get(i).copied().unwrap_or_default();
            [normal.x, normal.y, normal.z, uv.x, uv.y]
        })
        .collect();
    let bent = bent(primitive);
    let lock = |i: usize| match (bent[i] > MAX_BEND, share > 0.5) {
        (false, _) => SimplifyVertex::None,
        (true, true) => SimplifyVertex::Lock,
        (true, false) => SimplifyVertex::Priority,
    };
    let locks: Vec<SimplifyVertex> = (0..n).map(lock).collect();
    let indices = meshopt::simplify_with_attributes_and_locks(
        &primitive.indices,
        &positions,
        &attributes,
        &[
            NORMAL_WEIGHT,
            NORMAL_WEIGHT,
            NORMAL_WEIGHT,
            TEXTURE_WEIGHT,
            TEXTURE_WEIGHT,
        ],
        5 * size_of::<f32>(),
        &locks,
        target_count,
        MAX_ERROR,
        SimplifyOptions::LockBorder,
        None,
    );
    keep_used(primitive, &indices);
}

/// Maximum difference over all targets between the offset of each point and those of the neighbours, metres.
fn bent(primitive: &Primitive) -> Vec<f32> {
    let n = primitive.positions.len();
    let mut max_bend = vec![0.0_f32; n];
    for target in primitive.targets.iter().filter(|t| t.positions.len() == n) {
        let mut around = vec![(Vec3::ZERO, 0.0_f32); n];
        for t in primitive.indices.chunks_exact(3) {
            for k in 0..3 {
                let (i, j) = (t[k] as usize, t[(k + 1) % 3] as usize);
                for (a, b) in [(i, j), (j, i)] {
                    around[a].0 += target.positions[b];
                    around[a].1 += 1.0;
                }
            }
        }
        for (i, (sum, count)) in around.iter().enumerate() {
            let mean = *sum / count.max(1.0);
            max_bend[i] = max_bend[i].max(target.positions[i].distance(mean));
        }
    }
    max_bend
}

/// Keeps the vertices that triangles use, in the order of their first use.
fn keep_used(primitive: &mut Primitive, triangles: &[u32]) {
    let mut number = vec![u32::MAX; primitive.positions.len()];
    let mut used: Vec<usize> = Vec::new();
    let indices = triangles.iter().map(|i| {
        let slot = &mut number[*i as usize];
        if *slot == u32::MAX {
            *slot = used.len() as u32;
            used.push(*i as usize);
        }
        *slot
    });
    primitive.indices = indices.collect();
    fn of<T: Copy>(all: &[T], used: &[usize]) -> Vec<T> {
        let there = used.iter().filter_map(|i| all.get(*i));
        there.copied().collect()
    }
    let vectors = |all: &Vec<Vec3>| of(all, &used);
    let wide = |all: &Vec<Vec4>| of(all, &used);
    let influences = &primitive.influences;
    let per = influences.per_vertex;
    let bound = |i: &usize| i * per..(i + 1) * per;
    let influences = Influences {
        per_vertex: per,
        joints: used
            .iter()
            .flat_map(|i| influences.joints[bound(i)].to_vec())
            .collect(),
        weights: used
            .iter()
            .flat_map(|i| influences.weights[bound(i)].to_vec())
            .collect(),
    };
    let targets = primitive.targets.iter().map(|target| MorphTarget {
        positions: vectors(&target.positions),
        normals: vectors(&target.normals),
        tangents: vectors(&target.tangents),
    });
    primitive.targets = targets.collect();
    primitive.positions = vectors(&primitive.positions);
    primitive.normals = vectors(&primitive.normals);
    primitive.tangents = wide(&primitive.tangents);
    primitive.uv0 = of(&primitive.uv0, &used);
    primitive.colors = wide(&primitive.colors);
    primitive.influences = influences;
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    /// A square sheet of n by n quads, flat except for a bump.
    fn sheet(n: usize) -> Primitive {
        let at = |i: usize, k: usize| {
            let p = Vec2::new(i as f32, k as f32) / n as f32;
            let bump = (0.2 - p.distance(Vec2::splat(0.5))).max(0.0);
            p.extend(bump)
        };
        let places: Vec<Vec3> = (0..=n)
            .flat_map(|i| (0..=n).map(move |k| at(i, k)))
            .collect();
        let number = |i: usize, k: usize| (i * (n + 1) + k) as u32;
        let mut indices = Vec::new();
        for i in 0..n {
            for k in 0..n {
                let [a, b, c, d] =
                    [(i, k), (i + 1, k), (i + 1, k + 1), (i, k + 1)].map(|(i, k)| number(i, k));
                indices.extend([a, b, c, a, c, d]);
            }
        }
        Primitive {
            normals: vec![Vec3::Z; places.len()],
            positions: places,
            indices,
            ..Primitive::default()
        }
    }

    #[test]
    fn flat_areas_lose_triangles_and_bumps_and_borders_stay() {
        let whole = sheet(40);
        let mut light = whole.clone();
        lighten(&mut light, 0.6);
        let share = light.indices.len() as f32 / whole.indices.len() as f32;
        assert!((0.5..=0.62).contains(&share), "{share}");
        assert!(
            light
                .indices
                .iter()
                .all(|i| (*i as usize) < light.positions.len())
        );
        let highest = |p: &Primitive| p.positions.iter().map(|p| p.z).fold(0.0, f32::max);
        assert_eq!(highest(&light), highest(&whole));
        let border = |p: &Primitive| p.positions.iter().filter(|p| p.x == 0.0).count();
        assert_eq!(border(&light), border(&whole));
        let mut same = whole.clone();
        lighten(&mut same, 1.0);
        assert_eq!(same.indices, whole.indices);
    }
}
