//! One primitive's vertices, influences, morph targets and triangles in GPU memory.

use bytemuck::cast_slice;
use glam::{Vec2, Vec3, Vec4};

use super::Gpu;
use super::buffers::fixed;
use super::layouts::{Layouts, bind};
use super::uniforms::{Attributes, DEFORMED_FLOATS, Morph};
use crate::asset::model::{Influences, MorphTarget, Primitive};

const NONE: u32 = u32::MAX;

/// A primitive as it is in its file, to be deformed for each instance.
pub struct Geometry {
    pub indices: wgpu::Buffer,
    pub n_indices: u32,
    pub attributes: wgpu::Buffer,
    /// Group 1 of `deform`.
    pub group: wgpu::BindGroup,
    pub n_vertices: u32,
    /// 0, 4 or 8.
    pub n_influences: u32,
    /// Where each target's offsets stand; the weight is filled in by the plan.
    pub targets: Vec<Morph>,
    /// Middle of the vertices, mesh space, and the joint that moves them most.
    pub middle: (Vec3, u16),
}

impl Geometry {
    /// Uploads a primitive.
    ///
    /// # Errors
    /// In words, when it is too large for one buffer of the graphics interface or inconsistent.
    pub fn new(gpu: &Gpu, layouts: &Layouts, primitive: &Primitive) -> Result<Self, String> {
        let n = primitive.positions.len();
        if primitive.indices.iter().any(|&i| i as usize >= n) {
            return Err("a triangle refers to a vertex that is not there".into());
        }
        let limit = gpu.device.limits().max_storage_buffer_binding_size;
        let check = |what: &str, bytes: u64| {
            if bytes > limit {
                Err(format!(
                    "{what} take {} MiB; the graphics interface binds at most {} MiB at once",
                    bytes >> 20,
                    limit >> 20
                ))
            } else {
                Ok(())
            }
        };
        check("its vertices", n as u64 * DEFORMED_FLOATS * 4)?;
        check("its triangles", primitive.indices.len() as u64 * 4)?;

        let vertices = vertices_of(primitive);
        let n_influences = match primitive.influences.per_vertex {
            0 => 0,
            1..=4 => 4,
            _ => 8,
        };
        let influences = pack_influences(&primitive.influences, n, n_influences);
        check("its joints and weights", influences.len() as u64 * 4)?;
        let mut deltas = Vec::new();
        let targets = primitive
            .targets
            .iter()
            .map(|target| pack_target(target, n, &mut deltas))
            .collect();
        check("its morph targets", deltas.len() as u64 * 4)?;

        let device = &gpu.device;
        let storage = |label, bytes| fixed(device, label, wgpu::BufferUsages::STORAGE, bytes);
        let vertices = storage("vertices", cast_slice(&vertices));
        let joints = storage("influences", cast_slice(&influences));
        let deltas = storage("morph targets", cast_slice(&deltas));
        let group = bind(
            device,
            "geometry",
            &layouts.deform_geometry,
            &[
                vertices.as_entire_binding(),
                joints.as_entire_binding(),
                deltas.as_entire_binding(),
            ],
        );
        let attributes = attributes_of(primitive);
        Ok(Self {
            indices: fixed(
                device,
                "indices",
                wgpu::BufferUsages::INDEX,
                cast_slice(&primitive.indices),
            ),
            n_indices: primitive.indices.len() as u32,
            attributes: fixed(
                device,
                "attributes",
                wgpu::BufferUsages::VERTEX,
                cast_slice(&attributes),
            ),
            group,
            n_vertices: n as u32,
            n_influences,
            targets,
            middle: middle_of(primitive),
        })
    }
}

fn vertices_of(primitive: &Primitive) -> Vec<f32> {
    let mut out = Vec::with_capacity(primitive.positions.len() * DEFORMED_FLOATS as usize);
    for (i, position) in primitive.positions.iter().enumerate() {
        let normal = primitive.normals.get(i).copied().unwrap_or(Vec3::Y);
        let tangent = primitive.tangents.get(i).copied().unwrap_or(Vec4::X);
        out.extend(position.to_array());
        out.extend(normal.to_array());
        out.extend(tangent.to_array());
    }
    out
}

fn attributes_of(primitive: &Primitive) -> Vec<Attributes> {
    let unorm = |x: f32| (x.clamp(0.0, 1.0) * 65535.0).round() as u16;
    let curvatures = curvatures_of(primitive);
    (0..primitive.positions.len())
        .map(|i| {
            let uv0 = primitive.uv0.get(i).copied().unwrap_or(Vec2::ZERO);
            let uv1 = primitive.uv1.get(i).copied().unwrap_or(uv0);
            let color = primitive.colors.get(i).copied().unwrap_or(Vec4::ONE);
            Attributes {
                uv: [uv0.x, uv0.y, uv1.x, uv1.y],
                color: color.to_array().map(unorm),
                curvature: curvatures[i],
            }
        })
        .collect()
}

/// How much the normal turns per length at each vertex: the mean over its edges, 1 / units of the
/// mesh. Hollows count as flat.
fn curvatures_of(primitive: &Primitive) -> Vec<f32> {
    let n = primitive.positions.len();
    let mut sums = vec![(0.0_f32, 0.0_f32); n];
    let corner = |i: u32| {
        let i = i as usize;
        Some((i, *primitive.positions.get(i)?, *primitive.normals.get(i)?))
    };
    for triangle in primitive.indices.chunks_exact(3) {
        let corners = [0, 1, 2].map(|k| corner(triangle[k]));
        for k in 0..3 {
            let (Some(a), Some(b)) = (corners[k], corners[(k + 1) % 3]) else {
                continue;
            };
            let edge = b.1 - a.1;
            let length2 = edge.length_squared();
            if length2 > 1e-12 {
                let turn = (b.2 - a.2).dot(edge) / length2;
                let weight = length2.sqrt();
                for i in [a.0, b.0] {
                    sums[i].0 += turn * weight;
                    sums[i].1 += weight;
                }
            }
        }
    }
    sums.iter()
        .map(|(sum, weight)| (sum / weight.max(1e-12)).clamp(0.0, 1e6))
        .collect()
}

/// Per vertex `kept / 2` words of joint pairs, then as many of weight pairs (unorm16, summing to
/// exactly 1). Of more influences the largest are kept.
fn pack_influences(influences: &Influences, n_vertices: usize, kept: u32) -> Vec<u32> {
    let kept = kept as usize;
    let mut out = Vec::with_capacity(n_vertices * kept);
    if kept == 0 {
        return out;
    }
    let per_vertex = influences.per_vertex;
    let mut order: Vec<(u16, f32)> = Vec::with_capacity(per_vertex);
    for v in 0..n_vertices {
        let range = v * per_vertex..(v + 1) * per_vertex;
        order.clear();
        if let (Some(joints), Some(weights)) = (
            influences.joints.get(range.clone()),
            influences.weights.get(range),
        ) {
            order.extend(joints.iter().copied().zip(weights.iter().copied()));
        }
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        order.resize(kept, (0, 0.0));
        let sum: f32 = order.iter().map(|(_, weight)| weight.max(0.0)).sum();
        let scale = if sum > 0.0 { 65535.0 / sum } else { 0.0 };
        let mut weights = [0_u32; 8];
        for (packed, (_, weight)) in weights.iter_mut().zip(&order) {
            *packed = (weight.max(0.0) * scale).round() as u32;
        }
        // What rounding took or gave goes to the largest weight.
        let others: u32 = weights[1..].iter().sum();
        weights[0] = 65535_u32.saturating_sub(others);
        let pair = |low: u32, high: u32| low | high << 16;
        out.extend(
            order
                .chunks_exact(2)
                .map(|two| pair(two[0].0.into(), two[1].0.into())),
        );
        out.extend(
            weights[..kept]
                .chunks_exact(2)
                .map(|two| pair(two[0], two[1])),
        );
    }
    out
}

/// Appends a target's offsets, cut to the range of vertices it moves.
fn pack_target(target: &MorphTarget, n_vertices: usize, deltas: &mut Vec<f32>) -> Morph {
    let arrays = [&target.positions, &target.normals, &target.tangents];
    let moved = |v: &usize| {
        arrays
            .iter()
            .any(|array| array.get(*v).is_some_and(|d| *d != Vec3::ZERO))
    };
    let first = (0..n_vertices).find(moved).unwrap_or(0);
    let end = (first..n_vertices)
        .rev()
        .find(moved)
        .map_or(first, |v| v + 1);
    let mut put = |array: &[Vec3]| {
        let used = array.get(first..end).unwrap_or_default();
        if used.iter().all(|d| *d == Vec3::ZERO) {
            return NONE;
        }
        let at = deltas.len() as u32;
        deltas.extend(used.iter().flat_map(|d| d.to_array()));
        at
    };
    Morph {
        weight: 0.0,
        positions: put(&target.positions),
        normals: put(&target.normals),
        tangents: put(&target.tangents),
        first_vertex: first as u32,
        n_vertices: (end - first) as u32,
        padding_a: 0,
        padding_b: 0,
    }
}

fn middle_of(primitive: &Primitive) -> (Vec3, u16) {
    let (low, high) = primitive.positions.iter().fold(
        (Vec3::splat(f32::INFINITY), Vec3::splat(f32::NEG_INFINITY)),
        |(low, high), p| (low.min(*p), high.max(*p)),
    );
    let mut moved_by = std::collections::BTreeMap::<u16, f32>::new();
    let influences = &primitive.influences;
    for (joint, weight) in influences.joints.iter().zip(&influences.weights) {
        *moved_by.entry(*joint).or_default() += weight;
    }
    let joint = moved_by
        .iter()
        .max_by(|a, b| a.1.total_cmp(b.1))
        .map_or(0, |(joint, _)| *joint);
    ((low + high) * 0.5, joint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_eight_influences_are_kept_and_sum_to_one() {
        let influences = Influences {
            per_vertex: 12,
            joints: (0..12).collect(),
            weights: (0..12).map(|i| i as f32 / 66.0).collect(),
        };
        let packed = pack_influences(&influences, 1, 8);
        let halves = |words: &[u32]| -> Vec<u32> {
            words.iter().flat_map(|w| [w & 0xffff, w >> 16]).collect()
        };
        assert_eq!(halves(&packed[..4]), [11, 10, 9, 8, 7, 6, 5, 4]);
        assert_eq!(halves(&packed[4..]).iter().sum::<u32>(), 65535);
    }

    #[test]
    fn a_morph_target_keeps_only_the_vertices_it_moves() {
        let mut positions = vec![Vec3::ZERO; 10];
        positions[3] = Vec3::X;
        positions[6] = Vec3::Y;
        let target = MorphTarget {
            positions,
            normals: vec![Vec3::ZERO; 10],
            tangents: Vec::new(),
        };
        let mut deltas = Vec::new();
        let morph = pack_target(&target, 10, &mut deltas);
        assert_eq!((morph.first_vertex, morph.n_vertices), (3, 4));
        assert_eq!(
            (morph.positions, morph.normals, morph.tangents),
            (0, NONE, NONE)
        );
        assert_eq!(deltas.len(), 12);
    }
}
