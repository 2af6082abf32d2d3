//! Hair strands whose points are lit in a compute pass before they are drawn.

use bytemuck::{Zeroable, bytes_of, cast_slice};
use wgpu::BufferUsages as Usage;

use super::buffers::{GrowBuffer, part};
use super::draw::{Class, Draw};
use super::gpu::Gpu;
use super::layouts::{Layouts, bind};
use super::residency::Residency;
use super::uniforms::{StrandPoints, UNIFORM_STRIDE};

/// Value of [`StrandPoints::first_listed`] if all points are lit.
const ALL: u32 = u32::MAX;
/// Invocations per work group, and the maximum number of groups in a row.
const WORKGROUP: u32 = 64;
const MAX_GROUPS: u32 = 65535;
/// Size of a point's light values in bytes: four floats for each of its two vertices.
const LIT_BYTES: u64 = 32;

/// Strand points that one frame lights. Rebuilt in place every frame.
#[derive(Default)]
pub struct Strands {
    /// Indices into the plan's solid draws, and the work groups of each.
    pub draws: Vec<(usize, (u32, u32))>,
    /// Visible points of each draw, located by [`StrandPoints::first_listed`].
    listed: Vec<u32>,
    /// [`StrandPoints`], [`UNIFORM_STRIDE`] apart.
    params: Vec<u8>,
    n_lit: u32,
    is_listed: Vec<bool>,
}

impl Strands {
    /// Collects all strands among `solid` and assigns the location of their light values. `triangles` are the visible ones,
    /// where known.
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
            let (_, copy) = piece.chunk_of_job(draw.job);
            let mut params = StrandPoints {
                first_vertex: copy * n_vertices,
                n: n_points,
                place: draw.placements.0,
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
            let row = groups.clamp(1, MAX_GROUPS);
            params.row = row * WORKGROUP;
            draw.first_lit = self.n_lit;
            self.n_lit += n_points;
            self.params.extend_from_slice(bytes_of(&params));
            self.draws.push((i, (row, groups.div_ceil(row))));
            let end = self.draws.len() * UNIFORM_STRIDE as usize;
            self.params.resize(end, 0);
        }
    }

    /// Adds each point of the triangles once.
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

/// GPU buffers of strand lighting.
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

    /// Uploads the points to light.
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
            let (chunk, _) = piece.chunk_of_job(draw.job);
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

    /// Light values of a draw's vertices.
    pub fn lit(&self, draw: &Draw) -> wgpu::BufferSlice<'_> {
        let first = u64::from(draw.first_lit) * LIT_BYTES;
        self.lit.buffer().slice(first..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_visible_point_is_lit_once() {
        let mut strands = Strands::default();
        // Triangles of a strand with four points. The last point is not visible, and one index is out of range.
        strands.list(&[1, 3, 2, 1, 2, 0, 3, 5, 4, 3, 4, 2, 99], 4);
        assert_eq!(strands.listed, [0, 1, 2]);
        strands.list(&[6, 7, 6], 4);
        assert_eq!(strands.listed, [0, 1, 2, 3]);
    }
}
