//! Pieces: the parts of a model in GPU memory that are deformed and drawn individually.

use super::draw::NOT_BEFORE;
use super::gpu::Gpu;
use super::layouts::{Layouts, bind};
use super::uniforms::DEFORMED_FLOATS;
use galatea_asset::model::Primitive;
use galatea_asset::skinning::{Skinning, SkinningMode};

/// A primitive of a part, or a piece of one.
pub struct PartPrimitive {
    pub part: usize,
    pub primitive: usize,
    pub geometry: usize,
    pub material: usize,
    /// Materials of other variants: variant, material index.
    pub variants: Vec<(u16, usize)>,
    /// Influences per vertex; 0 for a rigid part.
    pub n_influences: u32,
    /// First matrix of the part in the model's palette, and the number of matrices.
    pub palette: (u32, u32),
    /// First weight of the part in the model's morph weights.
    pub first_weight: u32,
    pub skinning: Skinning,
    /// Skinning technique; never [`SkinningMode::Auto`].
    pub mode: SkinningMode,
    /// Too fine to cast a shadow.
    pub is_fine: bool,
    /// Joints of the part in the piece's small palette; `None` if it uses the whole palette.
    pub bones: Option<Vec<u16>>,
    /// Vertices of the primitive that belong to the piece; `None` for all.
    pub vertices: Option<Vec<u32>>,
    /// Influences that were dropped to fit the limit: number of vertices, and the largest lost weight.
    pub lost: (usize, f32),
    /// Replaces the primitive for CPU deformation. It has tangents along x, as the deform pass assumes for files without
    /// tangents whose materials need the direction of strands; or it holds the triangles of a coarser level.
    pub own: Option<Box<Primitive>>,
    /// Level of detail that this piece draws; for a level-0 piece, `levels_apart` has a bit for each level drawn by another
    /// piece.
    pub level: u8,
    pub levels_apart: u8,
    /// Rest-pose vertices for crowd agents; created on first use.
    pub at_rest: Option<wgpu::Buffer>,
    /// Deformed vertices, instance after instance; each chunk has room for several instances.
    pub chunks: Vec<VertexChunk>,
    /// Data of the previous frame, if it is kept for motion.
    pub before: PreviousVertices,
    /// Instances per full chunk.
    pub chunk_capacity: u32,
}

/// Deformed vertices of the previous frame, with their instances.
#[derive(Default)]
pub struct PreviousVertices {
    chunks: Vec<VertexChunk>,
    /// Instances and their jobs in this frame and, sorted, in the previous one.
    now: Vec<(u64, u32)>,
    instances: Vec<(u64, u32)>,
    /// Number of the last frame.
    picture: u64,
}

/// Settings for keeping the deformed vertices of the previous frame.
#[derive(Clone, Copy, Debug)]
pub struct PreviousFrameSettings {
    pub keeps_previous: bool,
    /// Number of this frame.
    pub picture: u64,
}

/// A buffer of deformed vertices.
pub struct VertexChunk {
    pub buffer: wgpu::Buffer,
    /// Group 2 of `deform`.
    pub group: wgpu::BindGroup,
    capacity: u32,
}

impl PartPrimitive {
    /// Material index in a variant.
    pub fn material_in(&self, variant: Option<u16>) -> usize {
        let shown = variant.and_then(|variant| {
            let at = self.variants.binary_search_by_key(&variant, |pair| pair.0);
            Some(self.variants.get(at.ok()?)?.1)
        });
        shown.unwrap_or(self.material)
    }

    /// Creates a piece for a coarser level with a subset of the vertices; a chunk has room for `chunk_capacity` instances.
    pub fn of_level(
        &self,
        level: u8,
        geometry: usize,
        (primitive, vertices): (Box<Primitive>, Vec<u32>),
        chunk_capacity: u32,
    ) -> Self {
        Self {
            geometry,
            variants: self.variants.clone(),
            bones: None,
            vertices: Some(vertices),
            own: Some(primitive),
            level,
            levels_apart: 0,
            at_rest: None,
            chunks: Vec::new(),
            before: PreviousVertices::default(),
            chunk_capacity,
            ..*self
        }
    }

    /// Returns true if the piece draws instances at a level of detail.
    pub fn draws(&self, level: u8) -> bool {
        match self.level {
            0 => self.levels_apart >> level & 1 == 0,
            own => own == level,
        }
    }

    /// Chunk of a job, and the index of its instance in the chunk.
    pub fn chunk_of_job(&self, job: u32) -> (&VertexChunk, u32) {
        let full = self.chunk_capacity;
        (&self.chunks[(job / full) as usize], job % full)
    }

    /// Same as [`PartPrimitive::chunk_of_job`], for a job of the previous frame.
    pub fn chunk_of_previous_job(&self, job: u32) -> (&VertexChunk, u32) {
        let full = self.chunk_capacity;
        (&self.before.chunks[(job / full) as usize], job % full)
    }

    /// Begins a frame: the last deformed vertices become the previous ones, if they are kept.
    pub fn turn(&mut self, keeping: PreviousFrameSettings) {
        let before = &mut self.before;
        if !keeping.keeps_previous {
            if !before.chunks.is_empty() {
                *before = PreviousVertices::default();
            }
            return;
        }
        std::mem::swap(&mut self.chunks, &mut before.chunks);
        std::mem::swap(&mut before.now, &mut before.instances);
        before.now.clear();
        if before.picture + 1 == keeping.picture {
            before.instances.sort_unstable();
        } else {
            before.instances.clear();
        }
        before.picture = keeping.picture;
    }

    /// Records the job of an instance, and returns its job of the previous frame.
    pub fn follow(&mut self, keeps: bool, instance: u64, job: u32) -> u32 {
        if !keeps {
            return NOT_BEFORE;
        }
        let before = &mut self.before;
        before.now.push((instance, job));
        let at = before
            .instances
            .binary_search_by_key(&instance, |known| known.0);
        at.map_or(NOT_BEFORE, |at| before.instances[at].1)
    }

    /// Reserves memory for the deformed vertices of `n_jobs` instances.
    pub fn reserve(&mut self, gpu: &Gpu, layouts: &Layouts, n_vertices: u32, n_jobs: u32) {
        let full = self.chunk_capacity;
        for chunk in 0..n_jobs.div_ceil(full) as usize {
            let needed = (n_jobs - chunk as u32 * full).min(full);
            if self.chunks.get(chunk).is_some_and(|c| c.capacity >= needed) {
                continue;
            }
            let capacity = needed.next_power_of_two().min(full);
            let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("deformed"),
                size: u64::from(capacity) * u64::from(n_vertices) * DEFORMED_FLOATS * 4,
                usage: wgpu::BufferUsages::STORAGE
                    | wgpu::BufferUsages::VERTEX
                    | wgpu::BufferUsages::COPY_SRC
                    | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            let group = bind(
                &gpu.device,
                "deformed",
                &layouts.deform_out,
                &[buffer.as_entire_binding()],
            );
            let made = VertexChunk {
                buffer,
                group,
                capacity,
            };
            match self.chunks.get_mut(chunk) {
                Some(old) => *old = made,
                None => self.chunks.push(made),
            }
        }
    }
}
