//! What is deformed on the processor: pieces whose model asks for it, and all where the processor draws anyway.

use std::num::NonZeroU64;

use bytemuck::cast_slice;
use glam::{Vec2, Vec3, Vec4};
use rayon::prelude::*;

use super::draw::{Class, Draw, SIGHTS, Triangles};
use super::gpu::Gpu;
use super::piece::PartPrimitive;
use super::triangles::{DrawnSide, SampleGrid};
use super::uniforms::DEFORMED_FLOATS;
use super::view::eye_of;
use galatea_deform::{Deformed, Deformer};
use galatea_stage::frame::Frame;

/// Bytes that are deformed before they are handed on: they should still be in the cache then.
const BATCH: usize = 1 << 20;

/// Indices of all triangles that can be seen; where there are more, all are drawn.
const MOST_INDICES: usize = 1 << 26;

/// One instance of the piece that is planned.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// Index into the frame's models.
    pub model: u32,
    /// What is seen of its triangles; `None` when nothing is.
    pub side: Option<DrawnSide>,
    /// As [`Draw::views`](super::draw::Draw::views); the first are the sun's.
    pub views: u64,
}

/// Memory that is used again for every piece.
#[derive(Default)]
pub struct OnCpu {
    /// Of the piece that is planned, job by job.
    pub instances: Vec<Instance>,
    /// Of the same jobs; empty when nobody looked.
    pub triangles: Vec<Triangles>,
    /// Of the whole picture.
    pub indices: Vec<u32>,
    floats: Vec<f32>,
    workers: Vec<Worker>,
}

/// What one instance is made with and of.
#[derive(Default)]
struct Worker {
    deformer: Deformer,
    deformed: Deformed,
    points: Vec<Vec2>,
    /// Of all sights, one after another, and where each ends.
    indices: Vec<u32>,
    ends: [usize; SIGHTS],
}

impl OnCpu {
    /// Begins a picture.
    pub fn clear(&mut self) {
        self.indices.clear();
    }

    /// Deforms the instances of a piece for pictures of a size and hands them to the device, chunk by chunk. For each of `sights`, the
    /// picture and then the sun's maps, their triangles are sorted out.
    pub fn deform(
        &mut self,
        gpu: &Gpu,
        piece: &PartPrimitive,
        n_vertices: u32,
        size: (u32, u32),
        frame: &Frame,
        sights: &[SampleGrid],
    ) {
        self.triangles.clear();
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
                if self.workers.len() < batch.len() {
                    self.workers.resize_with(batch.len(), Worker::default);
                }
                let outs = self.floats.par_chunks_mut(stride).zip(&mut self.workers);
                outs.zip(batch).for_each(|((out, worker), instance)| {
                    worker.deform(piece, instance, frame, sights, size, out);
                });
                let made: &[u8] = cast_slice(&self.floats);
                view.slice(at..at + made.len()).copy_from_slice(made);
                at += made.len();
                if !sights.is_empty() {
                    for worker in &self.workers[..batch.len()] {
                        self.triangles
                            .push(worker.found(sights.len(), &mut self.indices));
                    }
                }
            }
        }
    }
}

impl OnCpu {
    /// Gives the draws from `from` on the triangles that were found of them, and drops those of which nothing is seen.
    /// Lines around toons are wider than what they surround.
    pub fn give_triangles(&self, draws: &mut Vec<Draw>, from: usize) {
        if self.triangles.is_empty() {
            return;
        }
        let mut kept = from;
        for i in from..draws.len() {
            let mut draw = draws[i];
            if draw.style.class != Class::Outline {
                let triangles = self.triangles.get(draw.job as usize);
                draw.triangles = triangles.copied().unwrap_or_default();
            }
            if draw.triangles[0].is_none_or(|(_, n)| n > 0) {
                draws[kept] = draw;
                kept += 1;
            }
        }
        draws.truncate(kept);
    }
}

impl Worker {
    fn deform(
        &mut self,
        piece: &PartPrimitive,
        instance: &Instance,
        frame: &Frame,
        sights: &[SampleGrid],
        size: (u32, u32),
        out: &mut [f32],
    ) {
        let (model, deformed) = (&frame.models[instance.model as usize], &mut self.deformed);
        let mesh = &model.model.meshes[model.model.parts[piece.part].mesh];
        let plain = &mesh.primitives[piece.primitive];
        let primitive = piece.own.as_deref().unwrap_or(plain);
        let first = (model.morph_start + piece.first_weight) as usize;
        let weights = frame.morph_weights.get(first..).unwrap_or_default();
        let start = (model.palette_start + piece.palette.0) as usize;
        let palette = frame.palette.get(start..).unwrap_or_default();
        let palette = &palette[..palette.len().min(piece.palette.1 as usize)];
        self.deformer
            .deform(primitive, weights, palette, piece.skinning, deformed);
        if !primitive.ribbon.is_empty() {
            eye_of(&frame.camera, size, &model.world_from_model).face(&primitive.ribbon, deformed);
        }
        let vertices = out.chunks_exact_mut(DEFORMED_FLOATS as usize);
        for (i, (vertex, position)) in vertices.zip(&deformed.positions).enumerate() {
            let normal = deformed.normals.get(i).copied().unwrap_or(Vec3::Y);
            let tangent = deformed.tangents.get(i).copied().unwrap_or(Vec4::X);
            vertex[..3].copy_from_slice(&position.to_array());
            vertex[3..6].copy_from_slice(&normal.to_array());
            vertex[6..].copy_from_slice(&tangent.to_array());
        }
        let coarser = model.coarser_of(model.model.parts[piece.part].mesh, piece.primitive);
        let coarser = coarser.filter(|_| piece.vertices.is_none());
        let whole = coarser.unwrap_or(&primitive.indices);
        let headless = model.headless.as_ref();
        let bare = headless.and_then(|it| it.triangles(piece.part, piece.primitive));
        let bare = bare.filter(|_| piece.vertices.is_none());
        self.indices.clear();
        for (i, (sight, end)) in sights.iter().zip(&mut self.ends).enumerate() {
            let triangles = bare.filter(|_| i == 0).unwrap_or(whole);
            let side = match i {
                0 => instance.side,
                _ => (instance.views >> (i - 1) & 1 != 0).then_some(DrawnSide::Both),
            };
            if let Some(side) = side {
                let points = &mut self.points;
                sight.project(&model.world_from_model, &deformed.positions, points);
                if primitive.ribbon.is_empty() {
                    sight.seen(points, triangles, side, &mut self.indices);
                } else {
                    sight.seen_ribbons(points, &primitive.indices, &mut self.indices);
                }
            }
            *end = self.indices.len();
        }
    }

    /// Adds what was found for so many sights to the indices of all, and tells where it is.
    fn found(&self, n_sights: usize, indices: &mut Vec<u32>) -> Triangles {
        let first = indices.len();
        if first + self.indices.len() > MOST_INDICES {
            return Triangles::default();
        }
        indices.extend(&self.indices);
        let mut begin = 0;
        std::array::from_fn(|i| {
            let end = *self.ends[..n_sights].get(i)?;
            let part = ((first + begin) as u32, (end - begin) as u32);
            begin = end;
            Some(part)
        })
    }
}
