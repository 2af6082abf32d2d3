//! Depth from the sun, and from below the ground of what stands just above it.

use crate::render::Gpu;
use crate::render::layouts::Layouts;
use crate::render::pass::{DEPTH, deformed_layout, fixed_layout};
use crate::render::plan::Plan;
use crate::render::renderer::FrameGroups;
use crate::render::residency::Residency;
use crate::render::shader::{ShaderError, ShaderSource, compile, validated};
use crate::render::targets::ShadowMaps;

pub struct ShadowPass {
    sun: wgpu::RenderPipeline,
    sun_masked: wgpu::RenderPipeline,
    below: wgpu::RenderPipeline,
}

impl ShadowPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, shaders: &ShaderSource) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "shadow.wgsl")?;
        validated(device, "shadow.wgsl", || {
            let groups = [Some(&layouts.scene), None, Some(&layouts.material)];
            let solid = Layouts::pipeline(device, "shadow", &groups[..1]);
            let masked = Layouts::pipeline(device, "shadow masked", &groups);
            let make = |label, layout, vs, fs: Option<&str>, slope_scale| {
                device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                    label: Some(label),
                    layout: Some(layout),
                    vertex: wgpu::VertexState {
                        module: &module,
                        entry_point: Some(vs),
                        compilation_options: Default::default(),
                        buffers: &[Some(deformed_layout()), Some(fixed_layout())],
                    },
                    primitive: wgpu::PrimitiveState::default(),
                    depth_stencil: Some(wgpu::DepthStencilState {
                        format: DEPTH,
                        depth_write_enabled: Some(true),
                        depth_compare: Some(wgpu::CompareFunction::LessEqual),
                        stencil: wgpu::StencilState::default(),
                        bias: wgpu::DepthBiasState {
                            constant: 0,
                            slope_scale,
                            clamp: 0.0,
                        },
                    }),
                    multisample: wgpu::MultisampleState::default(),
                    fragment: fs.map(|entry| wgpu::FragmentState {
                        module: &module,
                        entry_point: Some(entry),
                        compilation_options: Default::default(),
                        targets: &[],
                    }),
                    multiview_mask: None,
                    cache: None,
                })
            };
            Self {
                sun: make("sun", &solid, "vs_sun", None, 1.5),
                sun_masked: make(
                    "sun masked",
                    &masked,
                    "vs_sun_masked",
                    Some("fs_masked"),
                    1.5,
                ),
                below: make("below", &solid, "vs_below", None, 0.0),
            }
        })
    }

    /// Encodes both maps; they are only cleared when nothing casts.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        maps: &ShadowMaps,
        groups: &FrameGroups,
        plan: &Plan,
        residency: &Residency,
    ) {
        let mut pass = begin(encoder, "sun", &maps.sun);
        pass.set_bind_group(0, &groups.scene, &[]);
        for draw in &plan.casters {
            let material = residency.material(draw);
            if material.is_cut_out {
                pass.set_pipeline(&self.sun_masked);
                pass.set_bind_group(2, &material.group, &[]);
            } else {
                pass.set_pipeline(&self.sun);
            }
            residency.draw(&mut pass, draw);
        }
        drop(pass);

        if plan.contacts.is_empty() {
            return;
        }
        let mut pass = begin(encoder, "below", &maps.below);
        pass.set_pipeline(&self.below);
        pass.set_bind_group(0, &groups.scene, &[]);
        for draw in &plan.contacts {
            residency.draw(&mut pass, draw);
        }
    }
}

fn begin<'a>(
    encoder: &'a mut wgpu::CommandEncoder,
    label: &str,
    map: &wgpu::TextureView,
) -> wgpu::RenderPass<'a> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: map,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(1.0),
                store: wgpu::StoreOp::Store,
            }),
            stencil_ops: None,
        }),
        ..Default::default()
    })
}
