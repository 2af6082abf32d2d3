//! What is deformed on the processor: pieces whose model asks for it, and all where the processor draws anyway.

use std::num::NonZeroU64;

use bytemuck::cast_slice;
use glam::{Vec3, Vec4};
use rayon::prelude::*;

use super::Gpu;
use super::residency::Piece;
use super::uniforms::DEFORMED_FLOATS;
use crate::deform::{Deformed, Deformer};
use crate::stage::frame::{DrawModel, Frame};

/// Bytes that are deformed before they are handed on: they should still be in the cache then.
const BATCH: usize = 1 << 20;

/// Memory that is used again for every piece.
#[derive(Default)]
pub struct OnCpu {
    /// Instances of the piece that is planned, indices into the frame's models; job by job.
    pub instances: Vec<u32>,
    floats: Vec<f32>,
}

impl OnCpu {
    /// Deforms the instances of a piece and hands them to the device, chunk by chunk.
    pub fn deform(&mut self, gpu: &Gpu, piece: &Piece, n_vertices: u32, frame: &Frame) {
        let stride = n_vertices as usize * DEFORMED_FLOATS as usize;
        let full = piece.chunk_capacity as usize;
        for (chunk, instances) in piece.chunks.iter().zip(self.instances.chunks(full)) {
            let bytes = (instances.len() * stride * size_of::<f32>()) as u64;
            let Some(bytes) = NonZeroU64::new(bytes) else {
                continue;
            };
            // There is nothing to write to when the device is lost; whoever submits hears of it.
            let Some(mut view) = gpu.queue.write_buffer_with(&chunk.buffer, 0, bytes) else {
                continue;
            };
            let mut at = 0;
            for batch in instances.chunks((BATCH / (stride * size_of::<f32>())).max(1)) {
                self.floats.resize(batch.len() * stride, 0.0);
                let outs = self.floats.par_chunks_mut(stride).zip(batch);
                outs.for_each_init(
                    || (Deformer::default(), Deformed::default()),
                    |(deformer, deformed), (out, instance)| {
                        let model = &frame.models[*instance as usize];
                        deform(deformer, deformed, (piece, model, frame), out);
                    },
                );
                let made: &[u8] = cast_slice(&self.floats);
                view.slice(at..at + made.len()).copy_from_slice(made);
                at += made.len();
            }
        }
    }
}

fn deform(
    deformer: &mut Deformer,
    deformed: &mut Deformed,
    (piece, model, frame): (&Piece, &DrawModel, &Frame),
    out: &mut [f32],
) {
    let mesh = &model.model.meshes[model.model.parts[piece.part].mesh];
    let plain = &mesh.primitives[piece.primitive];
    let primitive = piece.with_tangents.as_deref().unwrap_or(plain);
    let first = (model.morph_start + piece.first_weight) as usize;
    let weights = frame.morph_weights.get(first..).unwrap_or_default();
    let start = (model.palette_start + piece.palette.0) as usize;
    let palette = frame.palette.get(start..).unwrap_or_default();
    let palette = &palette[..palette.len().min(piece.palette.1 as usize)];
    deformer.deform(primitive, weights, palette, piece.skinning, deformed);
    let vertices = out.chunks_exact_mut(DEFORMED_FLOATS as usize);
    for (i, (vertex, position)) in vertices.zip(&deformed.positions).enumerate() {
        let normal = deformed.normals.get(i).copied().unwrap_or(Vec3::Y);
        let tangent = deformed.tangents.get(i).copied().unwrap_or(Vec4::X);
        vertex[..3].copy_from_slice(&position.to_array());
        vertex[3..6].copy_from_slice(&normal.to_array());
        vertex[6..].copy_from_slice(&tangent.to_array());
    }
}
