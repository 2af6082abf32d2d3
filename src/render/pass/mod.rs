//! The passes of a picture, one file each, named as its shader.

pub mod contact;
pub mod deform;
pub mod ground;
pub mod lines;
pub mod mesh;
pub mod mip;
pub mod shadow;
pub mod sky;
pub mod tonemap;

use super::Gpu;
use super::layouts::Layouts;
use super::renderer::RenderOptions;
use super::shader::{ShaderError, ShaderSource};

/// Linear light before tone mapping.
pub const HDR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba16Float;
/// Depth of the picture (reversed: nearer is larger) and of the shadow maps.
pub const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// How much of the sky a point of the ground sees.
pub const OPENNESS: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;
/// Texels along the map of what stands just above the ground.
pub const CONTACT_SIZE: u32 = 512;

/// Everything made from shaders; replaced as a whole when they change.
pub struct Passes {
    pub deform: deform::DeformPass,
    pub shadow: shadow::ShadowPass,
    pub contact: contact::ContactPass,
    pub mesh: mesh::MeshPass,
    pub sky: sky::SkyPass,
    pub ground: ground::GroundPass,
    pub tonemap: tonemap::TonemapPass,
    pub lines: lines::LinesPass,
    pub mip: mip::MipPass,
}

impl Passes {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        output: wgpu::TextureFormat,
        options: RenderOptions,
    ) -> Result<Self, ShaderError> {
        Ok(Self {
            deform: deform::DeformPass::new(gpu, layouts, shaders)?,
            shadow: shadow::ShadowPass::new(gpu, layouts, shaders)?,
            contact: contact::ContactPass::new(gpu, layouts, shaders)?,
            mesh: mesh::MeshPass::new(gpu, layouts, shaders, options.msaa)?,
            sky: sky::SkyPass::new(gpu, layouts, shaders, options.msaa)?,
            ground: ground::GroundPass::new(gpu, layouts, shaders, options.msaa)?,
            tonemap: tonemap::TonemapPass::new(gpu, layouts, shaders, output)?,
            lines: lines::LinesPass::new(gpu, layouts, shaders, output)?,
            mip: mip::MipPass::new(gpu, layouts, shaders)?,
        })
    }
}

/// A pipeline whose vertices come from their index alone, entry points `vs` and `fs`.
fn full_screen(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    format: &wgpu::TextureFormat,
    depth_stencil: Option<wgpu::DepthStencilState>,
    samples: u32,
) -> wgpu::RenderPipeline {
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(label),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("vs"),
            compilation_options: Default::default(),
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
            entry_point: Some("fs"),
            compilation_options: Default::default(),
            targets: &[Some((*format).into())],
        }),
        multiview_mask: None,
        cache: None,
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
const FIXED_ATTRIBUTES: [wgpu::VertexAttribute; 2] =
    wgpu::vertex_attr_array![3 => Float32x4, 4 => Unorm16x4];

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
