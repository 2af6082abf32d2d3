//! The parts of a model in GPU memory that are deformed and drawn one by one.

use super::draw::NOT_BEFORE;
use super::gpu::Gpu;
use super::layouts::{Layouts, bind};
use super::uniforms::DEFORMED_FLOATS;
use galatea_asset::model::Primitive;
use galatea_asset::skinning::{Skinning, SkinningMode};

/// One primitive of one part.
pub struct PartPrimitive {
    pub part: usize,
    pub primitive: usize,
    pub geometry: usize,
    pub material: usize,
    /// Other materials by variant: variant, index.
    pub variants: Vec<(u16, usize)>,
    /// 0 for a rigid part.
    pub n_influences: u32,
    /// First matrix of the part in the model's palette, and how many.
    pub palette: (u32, u32),
    /// First weight of the part in the model's morph weights.
    pub first_weight: u32,
    pub skinning: Skinning,
    /// Never [`SkinningMode::Auto`].
    pub mode: SkinningMode,
    /// Throws no shadow.
    pub is_fine: bool,
    /// Joints of the part's palette that its small palette takes; `None` when it uses the whole.
    pub bones: Option<Vec<u16>>,
    /// Vertices of the primitive, where the piece is not all of it.
    pub vertices: Option<Vec<u32>>,
    /// Influences that were left out to make it fit: vertices, and the most that one lost.
    pub lost: (usize, f32),
    /// On the processor, in place of the primitive: the same with tangents along x, as the deform pass takes them
    /// where a file has none, for materials that ask along where strands run; or what of it a coarser level draws.
    pub own: Option<Box<Primitive>>,
    /// The level of detail that is all it draws; of others the levels (bits) that such pieces draw.
    pub level: u8,
    pub levels_apart: u8,
    /// Vertices of people of crowds, at rest; made when the first are drawn.
    pub at_rest: Option<wgpu::Buffer>,
    /// Deformed vertices: instance after instance, some instances in each chunk.
    pub chunks: Vec<VertexChunk>,
    /// The picture before, when it is kept.
    pub before: Before,
    /// Instances a full chunk holds.
    pub chunk_capacity: u32,
}

/// What of the picture before is kept: its deformed vertices, and whose they are.
#[derive(Default)]
pub struct Before {
    chunks: Vec<VertexChunk>,
    /// Instances and their jobs, of this picture and, in order, of the one before.
    now: Vec<(u64, u32)>,
    then: Vec<(u64, u32)>,
    /// Number of the last picture.
    picture: u64,
}

/// Whether deformed vertices of the picture before are kept.
#[derive(Clone, Copy, Debug)]
pub struct Keeping {
    pub keeps_previous: bool,
    /// Number of this picture.
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
    /// The material it has in a variant.
    pub fn material_in(&self, variant: Option<u16>) -> usize {
        let shown = variant.and_then(|variant| {
            let at = self.variants.binary_search_by_key(&variant, |pair| pair.0);
            Some(self.variants.get(at.ok()?)?.1)
        });
        shown.unwrap_or(self.material)
    }

    /// A piece that draws a coarser level with some of its vertices, of which so many instances fill a chunk.
    pub fn of_level(
        &self,
        level: u8,
        geometry: usize,
        (primitive, vertices): (Box<Primitive>, Vec<u32>),
        most: u32,
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
            before: Before::default(),
            chunk_capacity: most,
            ..*self
        }
    }

    /// Whether it draws instances on a level of detail.
    pub fn draws(&self, level: u8) -> bool {
        match self.level {
            0 => self.levels_apart >> level & 1 == 0,
            own => own == level,
        }
    }

    /// The chunk of a job, and which of its instances it is.
    pub fn place(&self, job: u32) -> (&VertexChunk, u32) {
        let full = self.chunk_capacity;
        (&self.chunks[(job / full) as usize], job % full)
    }

    /// As [`PartPrimitive::place`], of a job of the picture before.
    pub fn place_before(&self, job: u32) -> (&VertexChunk, u32) {
        let full = self.chunk_capacity;
        (&self.before.chunks[(job / full) as usize], job % full)
    }

    /// Begins a picture: what was deformed last becomes the picture before, if that is kept.
    pub fn turn(&mut self, keeping: Keeping) {
        let before = &mut self.before;
        if !keeping.keeps_previous {
            if !before.chunks.is_empty() {
                *before = Before::default();
            }
            return;
        }
        std::mem::swap(&mut self.chunks, &mut before.chunks);
        std::mem::swap(&mut before.now, &mut before.then);
        before.now.clear();
        if before.picture + 1 == keeping.picture {
            before.then.sort_unstable();
        } else {
            before.then.clear();
        }
        before.picture = keeping.picture;
    }

    /// Notes whose job it is and gives that instance's job of the picture before.
    pub fn follow(&mut self, keeps: bool, instance: u64, job: u32) -> u32 {
        if !keeps {
            return NOT_BEFORE;
        }
        let before = &mut self.before;
        before.now.push((instance, job));
        let at = before.then.binary_search_by_key(&instance, |known| known.0);
        at.map_or(NOT_BEFORE, |at| before.then[at].1)
    }

    /// Makes room for the deformed vertices of `n_jobs` instances.
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
