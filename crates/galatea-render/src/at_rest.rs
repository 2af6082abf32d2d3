//! Vertices of a piece for drawing crowd agents: in the rest pose, with the bones that move them.

use bytemuck::{Pod, Zeroable, cast_slice};
use glam::{Vec3, Vec4};

use super::buffers::fixed;
use super::geometry::{octahedral, pack_influences};
use super::gpu::Gpu;
use super::piece::PartPrimitive;
use galatea_asset::model::Primitive;

/// Size of a vertex, in bytes.
pub const VERTEX_BYTES: u64 = size_of::<GpuRest>() as u64;

/// Layout of `Rest` in `inc/agents.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct GpuRest {
    position: [f32; 3],
    normal: u32,
    tangent: u32,
    /// Indices into the model's palette.
    joints: [u16; 4],
    weights: [u16; 4],
}

/// Uploads the vertices of a piece. Morph targets are applied with the fixed `weights`.
pub fn upload(
    gpu: &Gpu,
    piece: &PartPrimitive,
    primitive: &Primitive,
    weights: &[f32],
) -> wgpu::Buffer {
    let vertices = vertices_of(piece, primitive, weights);
    let usage = wgpu::BufferUsages::VERTEX;
    fixed(&gpu.device, "at rest", usage, cast_slice(&vertices))
}

fn vertices_of(piece: &PartPrimitive, primitive: &Primitive, weights: &[f32]) -> Vec<GpuRest> {
    let n = primitive.positions.len();
    let is_skinned = piece.n_influences > 0;
    let packed = pack_influences(&primitive.influences, n, 4);
    let first = piece.palette.0;
    let joint = |j: u32| (first + j).min(u32::from(u16::MAX)) as u16;
    let halves = |words: &[u32], each: &dyn Fn(u32) -> u16| {
        [
            words[0] & 0xffff,
            words[0] >> 16,
            words[1] & 0xffff,
            words[1] >> 16,
        ]
        .map(each)
    };
    let at_work = || {
        let targets = primitive.targets.iter().zip(weights);
        targets.filter(|(_, weight)| **weight != 0.0)
    };
    let one = |v: usize| {
        let mut position = primitive.positions[v];
        let mut normal = primitive.normals.get(v).copied().unwrap_or(Vec3::Y);
        for (target, weight) in at_work() {
            position += target.positions.get(v).copied().unwrap_or_default() * *weight;
            normal += target.normals.get(v).copied().unwrap_or_default() * *weight;
        }
        let tangent = primitive.tangents.get(v).copied().unwrap_or(Vec4::X);
        let is_negative = u32::from(tangent.w < 0.0);
        let (joints, weights) = match packed.get(v * 4..v * 4 + 4) {
            Some(words) if is_skinned => (
                halves(&words[..2], &joint),
                halves(&words[2..], &|weight| weight as u16),
            ),
            _ => ([joint(0); 4], [u16::MAX, 0, 0, 0]),
        };
        GpuRest {
            position: position.to_array(),
            normal: octahedral(normal),
            tangent: octahedral(tangent.truncate()) & !1 | is_negative,
            joints,
            weights,
        }
    };
    match &piece.vertices {
        Some(own) => own.iter().map(|v| one(*v as usize)).collect(),
        None => (0..n).map(one).collect(),
    }
}
