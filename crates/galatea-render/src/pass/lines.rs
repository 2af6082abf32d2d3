//! Lines over the image.

use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::shader::{ShaderError, ShaderSource, compile, validated};
use crate::uniforms::LineVertex;

const ATTRIBUTES: [wgpu::VertexAttribute; 3] =
    wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x3];

pub struct LinesPass {
    pipeline: wgpu::RenderPipeline,
}

impl LinesPass {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        output: wgpu::TextureFormat,
    ) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "lines.wgsl")?;
        validated(device, "lines.wgsl", || {
            let layout = Layouts::pipeline(
                device,
                "lines",
                &[Some(&layouts.scene), Some(&layouts.finish)],
            );
            let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some("lines"),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some("vs"),
                    compilation_options: Default::default(),
                    buffers: &[Some(wgpu::VertexBufferLayout {
                        array_stride: size_of::<LineVertex>() as u64,
                        step_mode: wgpu::VertexStepMode::Instance,
                        attributes: &ATTRIBUTES,
                    })],
                },
                primitive: wgpu::PrimitiveState {
                    topology: wgpu::PrimitiveTopology::TriangleStrip,
                    ..Default::default()
                },
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some("fs"),
                    compilation_options: Default::default(),
                    targets: &[Some(wgpu::ColorTargetState {
                        format: output,
                        blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                        write_mask: wgpu::ColorWrites::ALL,
                    })],
                }),
                multiview_mask: None,
                cache: None,
            });
            Self { pipeline }
        })
    }

    /// Draws `n` [`LineVertex`] from `lines`. Groups 0 and 1 must be bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, lines: &wgpu::Buffer, n: u32) {
        if n > 0 {
            pass.set_pipeline(&self.pipeline);
            pass.set_vertex_buffer(0, lines.slice(..));
            pass.draw(0..4, 0..n);
        }
    }
}
