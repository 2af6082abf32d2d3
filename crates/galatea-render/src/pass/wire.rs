//! Draws triangle edges, and hair lines on vertices. Pipelines are created on first use.

use bytemuck::cast_slice;

use crate::buffers::GrowBuffer;
use crate::device::Device;
use crate::draw::Draw;
use crate::gpu::Gpu;
use crate::layouts::{Layouts, bind};
use crate::pass::pipeline::LitPipeline;
use crate::residency::Residency;
use crate::shader::{ShaderError, ShaderSource, compile, validated};
use crate::uniforms::DEFORMED_FLOATS;
use galatea_stage::frame::ViewKind;

const SHADER: &str = "wire.wgsl";
/// Placement and first float, per draw.
const OF_DRAW: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Uint32x2];
const HAIR_CORNERS: u32 = 6;

/// A primitive of an instance to draw.
struct Wire {
    /// Bind group of its triangles and vertices.
    group: wgpu::BindGroup,
    n_indices: u32,
    n_vertices: u32,
    /// Pipeline index from two flags: culled, mirrored.
    pipeline: usize,
}

pub struct WirePass {
    shaders: ShaderSource,
    corners: wgpu::BindGroupLayout,
    layout: wgpu::PipelineLayout,
    module: Option<wgpu::ShaderModule>,
    edges: Option<[wgpu::RenderPipeline; 4]>,
    /// Lines along the normal, along the tangent.
    vertex_lines: [Option<wgpu::RenderPipeline>; 2],
    wires: Vec<Wire>,
    of_draws: Vec<[u32; 2]>,
    buffer: GrowBuffer,
    draws_edges: bool,
    draws_vertex_lines: Option<usize>,
    msaa: u32,
}

impl WirePass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, shaders: &ShaderSource, msaa: u32) -> Self {
        let device = &gpu.device;
        let entry = |binding| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: true },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let corners = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("corners"),
            entries: &[entry(0), entry(1)],
        });
        let groups = [Some(&layouts.scene), Some(&corners)];
        Self {
            shaders: shaders.clone(),
            layout: Layouts::pipeline(device, "wire", &groups),
            corners,
            module: None,
            edges: None,
            vertex_lines: [None, None],
            wires: Vec::new(),
            of_draws: Vec::new(),
            buffer: GrowBuffer::new(device, "wires", wgpu::BufferUsages::VERTEX),
            draws_edges: false,
            draws_vertex_lines: None,
            msaa,
        }
    }

    /// Removes the wires of the last frame.
    pub fn clear(&mut self) {
        self.wires.clear();
        self.of_draws.clear();
        self.draws_edges = false;
        self.draws_vertex_lines = None;
    }

    /// Creates the pipelines for edges, or for hair lines along normals or tangents.
    ///
    /// # Errors
    /// A shader error.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        edges: bool,
        hairs: Option<ViewKind>,
    ) -> Result<(), ShaderError> {
        let device = &gpu.device;
        let module = match &self.module {
            Some(module) => module.clone(),
            None => {
                let module = compile(device, &self.shaders, SHADER)?;
                self.module.insert(module).clone()
            }
        };
        let (layout, msaa) = (&self.layout, self.msaa);
        if edges && self.edges.is_none() {
            let made = validated(device, SHADER, || {
                std::array::from_fn(|i| {
                    let sides = Sides {
                        culls: i & 2 != 0,
                        is_mirrored: i & 1 != 0,
                    };
                    make(device, layout, &module, ("vs", "fs"), sides, &[], msaa)
                })
            })?;
            self.edges = Some(made);
        }
        self.draws_edges = edges;
        self.draws_vertex_lines = hairs.map(|kind| usize::from(kind == ViewKind::Tangents));
        if let Some(i) = self.draws_vertex_lines
            && self.vertex_lines[i].is_none()
        {
            let constants = [("DIRECTION", 3.0 * (i as f64 + 1.0))];
            let entries = ("vs_hair", "fs_hair");
            let made = validated(device, SHADER, || {
                make(
                    device,
                    layout,
                    &module,
                    entries,
                    Sides::default(),
                    &constants,
                    msaa,
                )
            })?;
            self.vertex_lines[i] = Some(made);
        }
        Ok(())
    }

    /// Adds a draw.
    pub fn add(&mut self, gpu: &Gpu, draw: &Draw, residency: &Residency) {
        let (piece, n_vertices) = residency.piece(draw);
        let (chunk, at) = piece.chunk_of_job(draw.job);
        let geometry = residency.geometry(draw);
        self.wires.push(Wire {
            group: bind(
                &gpu.device,
                "corners",
                &self.corners,
                &[
                    geometry.level(0).0.as_entire_binding(),
                    chunk.buffer.as_entire_binding(),
                ],
            ),
            n_indices: geometry.level(0).1,
            n_vertices,
            pipeline: usize::from(draw.style.culls) * 2 + usize::from(draw.style.is_mirrored),
        });
        let first = at * n_vertices * DEFORMED_FLOATS as u32;
        self.of_draws.push([draw.instance, first]);
    }

    /// Uploads the added draws.
    pub fn upload(&mut self, gpu: &Gpu) {
        self.buffer.write(gpu, cast_slice(&self.of_draws));
    }

    /// Draws the added wires. Group 0 must be bound. Group 1 is replaced.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.wires.is_empty() {
            return;
        }
        pass.set_vertex_buffer(0, self.buffer.buffer().slice(..));
        if let Some(edges) = self.edges.as_ref().filter(|_| self.draws_edges) {
            for (i, wire) in (0..).zip(&self.wires) {
                pass.set_pipeline(&edges[wire.pipeline]);
                pass.set_bind_group(1, &wire.group, &[]);
                pass.draw(0..wire.n_indices, i..i + 1);
            }
        }
        if let Some(hairs) = self
            .draws_vertex_lines
            .and_then(|i| self.vertex_lines[i].as_ref())
        {
            pass.set_pipeline(hairs);
            for (i, wire) in (0..).zip(&self.wires) {
                pass.set_bind_group(1, &wire.group, &[]);
                pass.draw(0..wire.n_vertices * HAIR_CORNERS, i..i + 1);
            }
        }
    }
}

/// Triangle sides to draw.
#[derive(Clone, Copy, Default)]
struct Sides {
    /// Back faces are culled.
    culls: bool,
    /// Front faces are clockwise.
    is_mirrored: bool,
}

fn make(
    device: &Device,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    entries: (&str, &str),
    sides: Sides,
    constants: &[(&str, f64)],
    msaa: u32,
) -> wgpu::RenderPipeline {
    let is_hair = !constants.is_empty();
    let of_draw = wgpu::VertexBufferLayout {
        array_stride: size_of::<[u32; 2]>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &OF_DRAW,
    };
    LitPipeline {
        label: "wire",
        layout,
        module,
        entries,
        constants,
        buffers: &[Some(of_draw)],
        culls: sides.culls.then_some(wgpu::Face::Back),
        is_mirrored: sides.is_mirrored,
        writes_depth: !is_hair,
        writes_color: true,
        blend: is_hair.then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
        samples: msaa,
        alpha_to_coverage: false,
    }
    .make(device)
}
