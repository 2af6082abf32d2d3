//! CPU deformation: pieces whose model requests it, and all pieces on a software renderer.

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

/// Bytes per upload batch. A batch should still be in the CPU cache when it is uploaded.
const BATCH: usize = 1 << 20;

/// Maximum number of visible triangles' indices per frame; above it, all triangles are drawn.
const MAX_INDICES: usize = 1 << 26;

/// One instance of the current piece.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// Index into the frame's models.
    pub model: u32,
    /// Triangle sides to draw; `None` if no triangle is visible.
    pub side: Option<DrawnSide>,
    /// Same as [`Draw::views`](super::draw::Draw::views); the first bits are the sun's cascades.
    pub views: u64,
}

/// CPU deformer with scratch buffers that are reused for every piece.
#[derive(Default)]
pub struct OnCpu {
    /// Instances of the current piece, one per job.
    pub instances: Vec<Instance>,
    /// Visible triangles of the same jobs; empty if visibility was not computed.
    pub triangles: Vec<Triangles>,
    /// Visible indices of the whole frame.
    pub indices: Vec<u32>,
    floats: Vec<f32>,
    workers: Vec<Worker>,
}

/// Scratch buffers for one instance.
#[derive(Default)]
struct Worker {
    deformer: Deformer,
    deformed: Deformed,
    points: Vec<Vec2>,
    /// Visible indices of all views, concatenated, and the end of each view's part.
    indices: Vec<u32>,
    ends: [usize; SIGHTS],
}

impl OnCpu {
    /// Begins a frame.
    pub fn clear(&mut self) {
        self.indices.clear();
    }

    /// Deforms the instances of a piece and uploads them in batches. For each of `sights`, the image and then the sun's
    /// cascades, the visible triangles are collected.
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
            // Writing fails only if the device is lost; the caller that submits gets the error.
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
    /// Assigns visible triangles to the draws from index `from` on, and removes draws without visible triangles. Outlines of
    /// toons keep all triangles, since they extend beyond the model.
    pub fn give_triangles(&self, draws: &mut Vec<Draw>, from: usize) {
        if self.triangles.is_empty() {
            return;
        }
        let mut end = from;
        for i in from..draws.len() {
            let mut draw = draws[i];
            if draw.style.class != Class::Outline {
                let triangles = self.triangles.get(draw.job as usize);
                draw.triangles = triangles.copied().unwrap_or_default();
            }
            if draw.triangles[0].is_none_or(|(_, n)| n > 0) {
                draws[end] = draw;
                end += 1;
            }
        }
        draws.truncate(end);
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

    /// Appends the visible indices of `n_sights` views to `indices` and returns their ranges.
    fn found(&self, n_sights: usize, indices: &mut Vec<u32>) -> Triangles {
        let first = indices.len();
        if first + self.indices.len() > MAX_INDICES {
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
