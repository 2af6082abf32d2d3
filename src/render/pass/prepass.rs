//! Depth of what is opaque, at the beginning of the lit pass.

use crate::render::Gpu;
use crate::render::draw::{Blending, Class, Draw};
use crate::render::frame_buffers::FrameGroups;
use crate::render::layouts::Layouts;
use crate::render::options::RenderOptions;
use crate::render::pass::{HDR, depth_test, model_layouts};
use crate::render::residency::Residency;
use crate::render::shader::{ShaderError, ShaderSource, compile, validated};

pub struct Prepass {
    /// By whether it culls and whether it is mirrored.
    pipelines: [wgpu::RenderPipeline; 4],
}

impl Prepass {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        options: &RenderOptions,
    ) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "prepass.wgsl")?;
        validated(device, "prepass.wgsl", || {
            let layout = Layouts::pipeline(device, "prepass", &[Some(&layouts.scene)]);
            let make = |culls: bool, is_mirrored: bool| {
                device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                    label: Some("prepass"),
                    layout: Some(&layout),
                    vertex: wgpu::VertexState {
                        module: &module,
                        entry_point: Some("vs"),
                        compilation_options: Default::default(),
                        buffers: &model_layouts(),
                    },
                    primitive: wgpu::PrimitiveState {
                        front_face: if is_mirrored {
                            wgpu::FrontFace::Cw
                        } else {
                            wgpu::FrontFace::Ccw
                        },
                        cull_mode: culls.then_some(wgpu::Face::Back),
                        ..Default::default()
                    },
                    depth_stencil: Some(depth_test(true)),
                    multisample: wgpu::MultisampleState {
                        count: options.msaa,
                        ..Default::default()
                    },
                    fragment: Some(wgpu::FragmentState {
                        module: &module,
                        entry_point: Some("fs"),
                        compilation_options: Default::default(),
                        targets: &[Some(wgpu::ColorTargetState {
                            format: HDR,
                            blend: None,
                            write_mask: wgpu::ColorWrites::empty(),
                        })],
                    }),
                    multiview_mask: None,
                    cache: None,
                })
            };
            Self {
                pipelines: std::array::from_fn(|i| make(i & 2 != 0, i & 1 != 0)),
            }
        })
    }

    /// Group 0 is bound.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        groups: &FrameGroups,
        solid: &[Draw],
        residency: &Residency,
    ) {
        pass.set_vertex_buffer(2, groups.placements.slice(..));
        let hides = |draw: &&Draw| {
            draw.style.blending == Blending::Opaque && draw.style.class != Class::Outline
        };
        for draw in solid.iter().filter(hides) {
            let style = draw.style;
            let index = usize::from(style.culls) * 2 + usize::from(style.is_mirrored);
            pass.set_pipeline(&self.pipelines[index]);
            residency.draw_seen(pass, groups, draw);
        }
    }
}
