//! Shared descriptor of all pipelines that draw triangles into the lit image.

use crate::attachments::depth_test;
use crate::device::Device;
use crate::formats::HDR;

/// Settings of one pipeline.
pub struct LitPipeline<'a> {
    pub label: &'a str,
    pub layout: &'a wgpu::PipelineLayout,
    pub module: &'a wgpu::ShaderModule,
    /// Entry points of vertices and of fragments.
    pub entries: (&'a str, &'a str),
    /// Values of `override`s.
    pub constants: &'a [(&'a str, f64)],
    pub buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    /// Culled side of the triangles.
    pub culls: Option<wgpu::Face>,
    /// Clockwise triangles are front faces.
    pub is_mirrored: bool,
    pub writes_depth: bool,
    pub writes_color: bool,
    pub blend: Option<wgpu::BlendState>,
    pub samples: u32,
    /// Alpha controls the coverage of the samples.
    pub alpha_to_coverage: bool,
}

impl LitPipeline<'_> {
    pub fn make(self, device: &Device) -> wgpu::RenderPipeline {
        let (vertex, fragment) = self.entries;
        let compilation_options = wgpu::PipelineCompilationOptions {
            constants: self.constants,
            ..Default::default()
        };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(self.layout),
            vertex: wgpu::VertexState {
                module: self.module,
                entry_point: Some(vertex),
                compilation_options: compilation_options.clone(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState {
                front_face: if self.is_mirrored {
                    wgpu::FrontFace::Cw
                } else {
                    wgpu::FrontFace::Ccw
                },
                cull_mode: self.culls,
                ..Default::default()
            },
            depth_stencil: Some(depth_test(self.writes_depth)),
            multisample: wgpu::MultisampleState {
                count: self.samples,
                alpha_to_coverage_enabled: self.alpha_to_coverage,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: self.module,
                entry_point: Some(fragment),
                compilation_options,
                targets: &[Some(wgpu::ColorTargetState {
                    format: HDR,
                    blend: self.blend,
                    write_mask: if self.writes_color {
                        wgpu::ColorWrites::ALL
                    } else {
                        wgpu::ColorWrites::empty()
                    },
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}
