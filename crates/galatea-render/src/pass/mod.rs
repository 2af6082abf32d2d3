//! The passes of a picture, one file each, named as its shader; `pipeline` is what those into the lit picture share.

pub mod bloom;
pub mod contact;
pub mod deform;
pub mod exposure;
pub mod geometry;
pub mod ground;
pub mod impostors;
pub mod lines;
pub mod mesh;
pub mod mip;
pub mod occlusion;
pub mod overdraw;
pub mod particles;
mod pipeline;
pub mod prepass;
pub mod resolve;
pub mod shadow;
pub mod sky;
pub mod smooth;
pub mod strand_points;
pub mod tonemap;
pub mod views;
pub mod wire;

use super::device::Device;
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::options::RenderOptions;
use super::shader::{ShaderError, ShaderSource};

/// Linear light before tone mapping.
pub const HDR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Depth of the picture (reversed: nearer is larger) and of the shadow maps.
pub const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// World normals of the seen surface, 0..1.
pub const NORMALS: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Openness, sunniness and distance of the seen surface.
pub const OCCLUSION: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// A tone-mapped picture, encoded, with its brightness.
pub const TONED: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// How much of the sky a point of the ground sees.
pub const OPENNESS: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

/// Everything made from shaders; replaced as a whole when they change.
pub struct Passes {
    pub deform: deform::DeformPass,
    pub shadow: shadow::ShadowPass,
    pub contact: contact::ContactPass,
    pub geometry: geometry::GeometryPass,
    pub occlusion: occlusion::OcclusionPass,
    pub prepass: prepass::Prepass,
    pub strand_points: strand_points::StrandPointsPass,
    pub mesh: mesh::MeshPass,
    pub impostors: impostors::ImpostorsPass,
    pub ground: ground::GroundPass,
    pub sky: sky::SkyPass,
    pub particles: particles::ParticlesPass,
    pub resolve: resolve::ResolvePass,
    pub bloom: bloom::BloomPass,
    pub exposure: exposure::ExposurePass,
    pub tonemap: tonemap::TonemapPass,
    pub smooth: smooth::SmoothPass,
    pub views: views::ViewsPass,
    pub lines: lines::LinesPass,
    pub mip: mip::MipPass,
}

impl Passes {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        output: wgpu::TextureFormat,
        options: &RenderOptions,
    ) -> Result<Self, ShaderError> {
        Ok(Self {
            deform: deform::DeformPass::new(gpu, layouts, shaders)?,
            shadow: shadow::ShadowPass::new(gpu, layouts, shaders)?,
            contact: contact::ContactPass::new(gpu, layouts, shaders)?,
            geometry: geometry::GeometryPass::new(gpu, layouts, shaders)?,
            occlusion: occlusion::OcclusionPass::new(gpu, layouts, shaders)?,
            prepass: prepass::Prepass::new(gpu, layouts, shaders, options)?,
            strand_points: strand_points::StrandPointsPass::new(gpu, layouts, shaders)?,
            mesh: mesh::MeshPass::new(gpu, layouts, shaders, options)?,
            impostors: impostors::ImpostorsPass::new(gpu, layouts, shaders, options.msaa)?,
            ground: ground::GroundPass::new(gpu, layouts, shaders, options.msaa)?,
            sky: sky::SkyPass::new(gpu, layouts, shaders, options.msaa)?,
            particles: particles::ParticlesPass::new(gpu, layouts, shaders, options.msaa)?,
            resolve: resolve::ResolvePass::new(gpu, layouts, shaders)?,
            bloom: bloom::BloomPass::new(gpu, layouts, shaders)?,
            exposure: exposure::ExposurePass::new(gpu, layouts, shaders)?,
            tonemap: tonemap::TonemapPass::new(gpu, layouts, shaders, output)?,
            smooth: smooth::SmoothPass::new(gpu, layouts, shaders, output)?,
            views: views::ViewsPass::new(gpu, layouts, shaders, output, options)?,
            lines: lines::LinesPass::new(gpu, layouts, shaders, output)?,
            mip: mip::MipPass::new(gpu, layouts, shaders)?,
        })
    }
}

impl Passes {
    /// Pipelines made for what pictures hold that are there, and that are being made.
    pub fn counts(&self) -> (usize, usize) {
        let counts = [
            self.strand_points.counts(),
            self.mesh.counts(),
            self.impostors.counts(),
            self.ground.counts(),
            self.sky.counts(),
            self.particles.counts(),
            self.tonemap.counts(),
        ];
        let sum = |of: fn(&(usize, usize)) -> usize| counts.iter().map(of).sum();
        (sum(|c| c.0), sum(|c| c.1))
    }
}

/// A pipeline that draws one colour target whole, one sample per pixel; entry points `vs` and
/// `entry`.
fn full_screen(
    device: &Device,
    label: &str,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    entry: &str,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    full_screen_blended(device, label, layout, module, entry, format, None)
}

/// As [`full_screen`], blended onto what is there.
fn full_screen_blended(
    device: &Device,
    label: &str,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    entry: &str,
    format: wgpu::TextureFormat,
    blend: Option<wgpu::BlendState>,
) -> wgpu::RenderPipeline {
    let target = wgpu::ColorTargetState {
        blend,
        ..format.into()
    };
    let program = (module, entry, [].as_slice());
    from_index(device, label, layout, program, target, None, 1)
}

/// A pipeline that draws into the lit picture, entry points `vs` and `fs`.
fn lit_full_screen(
    device: &Device,
    label: &str,
    layout: &wgpu::PipelineLayout,
    program: Program<'_>,
    depth: wgpu::DepthStencilState,
    samples: u32,
) -> wgpu::RenderPipeline {
    from_index(
        device,
        label,
        layout,
        program,
        HDR.into(),
        Some(depth),
        samples,
    )
}

/// Module, entry point of fragments, values of `override`s.
type Program<'a> = (&'a wgpu::ShaderModule, &'a str, &'a [(&'a str, f64)]);

/// A pipeline whose vertices come from their index alone.
fn from_index(
    device: &Device,
    label: &str,
    layout: &wgpu::PipelineLayout,
    (module, entry, constants): Program<'_>,
    target: wgpu::ColorTargetState,
    depth_stencil: Option<wgpu::DepthStencilState>,
    samples: u32,
) -> wgpu::RenderPipeline {
    let compilation_options = wgpu::PipelineCompilationOptions {
        constants,
        ..Default::default()
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(label),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("vs"),
            compilation_options: compilation_options.clone(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil,
        multisample: wgpu::MultisampleState {
            count: samples,
            ..Default::default()
        },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(entry),
            compilation_options,
            targets: &[Some(target)],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// A colour target of a pass.
pub fn color(
    view: &wgpu::TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
) -> Option<wgpu::RenderPassColorAttachment<'_>> {
    Some(wgpu::RenderPassColorAttachment {
        view,
        depth_slice: None,
        resolve_target: None,
        ops: wgpu::Operations {
            load,
            store: wgpu::StoreOp::Store,
        },
    })
}

/// Depth test of the picture: nearer is larger.
fn depth_test(writes: bool) -> wgpu::DepthStencilState {
    wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(writes),
        depth_compare: Some(wgpu::CompareFunction::GreaterEqual),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    }
}

/// How deformed vertices and their attributes are fed to `mesh` and `shadow`.
const DEFORMED_ATTRIBUTES: [wgpu::VertexAttribute; 3] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4];
const FIXED_ATTRIBUTES: [wgpu::VertexAttribute; 3] =
    wgpu::vertex_attr_array![3 => Float32x4, 4 => Unorm16x4, 5 => Float32];

/// Where an instance stands, for `mesh`, `shadow`, `geometry` and `views`.
const PLACED_ATTRIBUTES: [wgpu::VertexAttribute; 6] = wgpu::vertex_attr_array![
    7 => Float32x4, 8 => Float32x4, 9 => Float32x4,
    10 => Float32x4, 11 => Float32x4, 12 => Float32x4
];

/// Vertices of people of crowds at rest, and which of them an instance is.
const REST_ATTRIBUTES: [wgpu::VertexAttribute; 5] = wgpu::vertex_attr_array![
    0 => Float32x3, 1 => Uint32, 2 => Uint32, 14 => Uint16x4, 15 => Unorm16x4
];
const PERSON_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![7 => Uint32];

/// Light of strands, lit before they are drawn.
const LIT_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![13 => Float32x4];

/// The buffers that strands are drawn from: those of all models, and their light.
fn strand_layouts() -> [Option<wgpu::VertexBufferLayout<'static>>; 4] {
    let [deformed, fixed, placed] = model_layouts();
    let lit = wgpu::VertexBufferLayout {
        array_stride: 16,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &LIT_ATTRIBUTES,
    };
    [deformed, fixed, placed, Some(lit)]
}

/// The buffers that models are drawn from: deformed vertices, what of them stays, placements.
fn model_layouts() -> [Option<wgpu::VertexBufferLayout<'static>>; 3] {
    let placed = wgpu::VertexBufferLayout {
        array_stride: size_of::<super::uniforms::Placement>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &PLACED_ATTRIBUTES,
    };
    [Some(deformed_layout()), Some(fixed_layout()), Some(placed)]
}

/// The buffers that people of crowds are drawn from: vertices at rest, what of them stays, which of them.
fn people_layouts() -> [Option<wgpu::VertexBufferLayout<'static>>; 3] {
    let at_rest = wgpu::VertexBufferLayout {
        array_stride: super::at_rest::VERTEX_BYTES,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &REST_ATTRIBUTES,
    };
    let person = wgpu::VertexBufferLayout {
        array_stride: 4,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &PERSON_ATTRIBUTES,
    };
    [Some(at_rest), Some(fixed_layout()), Some(person)]
}

fn deformed_layout() -> wgpu::VertexBufferLayout<'static> {
    wgpu::VertexBufferLayout {
        array_stride: super::uniforms::DEFORMED_FLOATS * 4,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &DEFORMED_ATTRIBUTES,
    }
}

fn fixed_layout() -> wgpu::VertexBufferLayout<'static> {
    wgpu::VertexBufferLayout {
        array_stride: size_of::<super::uniforms::Attributes>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &FIXED_ATTRIBUTES,
    }
}
