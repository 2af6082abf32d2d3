//! Strands whose points are lit before they are drawn, as each picture needs them.

use bytemuck::{Zeroable, bytes_of, cast_slice};
use wgpu::BufferUsages as Usage;

use super::buffers::{GrowBuffer, part};
use super::draw::{Class, Draw};
use super::gpu::Gpu;
use super::layouts::{Layouts, bind};
use super::residency::Residency;
use super::uniforms::{StrandPoints, UNIFORM_STRIDE};

/// [`StrandPoints::first_listed`] where all points are lit.
const ALL: u32 = u32::MAX;
/// Invocations of a work group, and the most groups in a row.
const WORKGROUP: u32 = 64;
const MOST_GROUPS: u32 = 65535;
/// Bytes of the light of a point: four numbers for each of its two vertices.
const LIT_BYTES: u64 = 32;

/// What one picture lights. Rebuilt in place every picture.
#[derive(Default)]
pub struct Strands {
    /// Indices into the plan's solid draws, and the work groups of each.
    pub draws: Vec<(usize, (u32, u32))>,
    /// Points that can be seen, by draw; as [`StrandPoints::first_listed`] tells.
    listed: Vec<u32>,
    /// [`StrandPoints`], [`UNIFORM_STRIDE`] apart.
    params: Vec<u8>,
    n_lit: u32,
    is_listed: Vec<bool>,
}

impl Strands {
    /// Notes all strands among `solid` and where their light will be; `triangles` are those that can be seen, where
    /// somebody looked.
    pub fn build(&mut self, solid: &mut [Draw], triangles: &[u32], residency: &Residency) {
        self.draws.clear();
        self.listed.clear();
        self.params.clear();
        self.n_lit = 0;
        for (i, draw) in solid.iter_mut().enumerate() {
            if draw.style.class != Class::Strands {
                continue;
            }
            let (piece, n_vertices) = residency.piece(draw);
            let n_points = n_vertices / 2;
            let (_, copy) = piece.place(draw.job);
            let mut params = StrandPoints {
                first_vertex: copy * n_vertices,
                n: n_points,
                place: draw.placed.0,
                first_listed: ALL,
                first_lit: self.n_lit,
                ..StrandPoints::zeroed()
            };
            if let Some((first, n)) = draw.triangles[0] {
                params.first_listed = self.listed.len() as u32;
                self.list(&triangles[first as usize..(first + n) as usize], n_points);
                params.n = self.listed.len() as u32 - params.first_listed;
            }
            let groups = params.n.div_ceil(WORKGROUP);
            let row = groups.clamp(1, MOST_GROUPS);
            params.row = row * WORKGROUP;
            draw.first_lit = self.n_lit;
            self.n_lit += n_points;
            self.params.extend_from_slice(bytes_of(&params));
            self.draws.push((i, (row, groups.div_ceil(row))));
            let end = self.draws.len() * UNIFORM_STRIDE as usize;
            self.params.resize(end, 0);
        }
    }

    /// Adds each point of triangles once.
    fn list(&mut self, triangles: &[u32], n_points: u32) {
        self.is_listed.clear();
        self.is_listed.resize(n_points as usize, false);
        for vertex in triangles {
            let point = vertex / 2;
            let Some(is_listed) = self.is_listed.get_mut(point as usize) else {
                continue;
            };
            if !std::mem::replace(is_listed, true) {
                self.listed.push(point);
            }
        }
    }
}

/// What strands are lit with, and the light itself.
pub struct StrandBuffers {
    listed: GrowBuffer,
    params: GrowBuffer,
    lit: GrowBuffer,
    /// Group 2 of `strand_points`, by draw.
    pub groups: Vec<wgpu::BindGroup>,
}

impl StrandBuffers {
    pub fn new(gpu: &Gpu) -> Self {
        let make = |label, usage| GrowBuffer::new(&gpu.device, label, usage);
        Self {
            listed: make("points of strands", Usage::STORAGE),
            params: make("strands", Usage::UNIFORM),
            lit: make("light of strands", Usage::STORAGE | Usage::VERTEX),
            groups: Vec::new(),
        }
    }

    /// Uploads what a picture lights.
    pub fn write(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        strands: &Strands,
        solid: &[Draw],
        residency: &Residency,
    ) {
        self.groups.clear();
        if strands.draws.is_empty() {
            return;
        }
        self.listed.write(gpu, cast_slice(&strands.listed));
        self.params.write(gpu, &strands.params);
        self.lit.reserve(gpu, u64::from(strands.n_lit) * LIT_BYTES);
        self.groups.extend(strands.draws.iter().map(|(i, _)| {
            let draw = &solid[*i];
            let (piece, _) = residency.piece(draw);
            let (chunk, _) = piece.place(draw.job);
            let attributes = &residency.geometry(draw).attributes;
            let resources = [
                chunk.buffer.as_entire_binding(),
                attributes.as_entire_binding(),
                self.listed.buffer().as_entire_binding(),
                self.lit.buffer().as_entire_binding(),
                part::<StrandPoints>(&self.params),
            ];
            bind(&gpu.device, "strands", &layouts.strands, &resources)
        }));
    }

    /// The light of a draw, for its vertices.
    pub fn lit(&self, draw: &Draw) -> wgpu::BufferSlice<'_> {
        let first = u64::from(draw.first_lit) * LIT_BYTES;
        self.lit.buffer().slice(first..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_that_is_seen_is_lit_once() {
        let mut strands = Strands::default();
        // Pieces of a strand of four points, of which the last is not seen, and one that is no number of theirs.
        strands.list(&[1, 3, 2, 1, 2, 0, 3, 5, 4, 3, 4, 2, 99], 4);
        assert_eq!(strands.listed, [0, 1, 2]);
        strands.list(&[6, 7, 6], 4);
        assert_eq!(strands.listed, [0, 1, 2, 3]);
    }
}
