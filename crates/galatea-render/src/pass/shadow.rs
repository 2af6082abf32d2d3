//! Shadow maps of the sun, point and spot lights, and the contact map of objects on the ground.

use crate::draw::ViewTarget;
use crate::formats::DEPTH;
use crate::frame_groups::FrameGroups;
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::maps::Maps;
use crate::pass::vertex_layouts::{agent_layouts, model_layouts};
use crate::plan::Plan;
use crate::residency::Residency;
use crate::shader::{ShaderError, ShaderSource, compile, validated};
use crate::timing::Timing;
use crate::uniforms::UNIFORM_STRIDE;

/// Slope-scaled depth bias.
const SLOPE_BIAS: f32 = 1.5;

pub struct ShadowPass {
    /// Pipelines for models, then for agents.
    solid: [wgpu::RenderPipeline; 2],
    masked: [wgpu::RenderPipeline; 2],
    below: [wgpu::RenderPipeline; 2],
}

impl ShadowPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, shaders: &ShaderSource) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "shadow.wgsl")?;
        validated(device, "shadow.wgsl", || {
            let groups = [
                &layouts.scene,
                &layouts.view,
                &layouts.pictures,
                &layouts.factors,
            ]
            .map(Some);
            let solid = Layouts::pipeline(device, "shadow", &groups[..2]);
            let masked = Layouts::pipeline(device, "shadow masked", &groups);
            let (models, agents) = (model_layouts(), agent_layouts());
            let make = |label, layout, vs: &str, fs: Option<&str>, slope_scale| {
                let buffers = match vs {
                    "vs" | "vs_masked" => &models,
                    _ => &agents,
                };
                device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                    label: Some(label),
                    layout: Some(layout),
                    vertex: wgpu::VertexState {
                        module: &module,
                        entry_point: Some(vs),
                        compilation_options: Default::default(),
                        buffers,
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
            let masked_by = Some("fs_masked");
            Self {
                solid: ["vs", "vs_agent"].map(|vs| make("shadow", &solid, vs, None, SLOPE_BIAS)),
                masked: ["vs_masked", "vs_agent_masked"]
                    .map(|vs| make("shadow masked", &masked, vs, masked_by, SLOPE_BIAS)),
                below: ["vs", "vs_agent"].map(|vs| make("below", &solid, vs, None, 0.0)),
            }
        })
    }

    /// Encodes all depth maps of the plan. Maps without casters are cleared.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &mut Option<Timing>,
        maps: &Maps,
        groups: &FrameGroups,
        plan: &Plan,
        residency: &Residency,
    ) {
        let mut views = plan.casting.views.iter().enumerate().peekable();
        while let Some((i, view)) = views.next() {
            let (label, map) = match view {
                ViewTarget::Sun(layer) => ("sun shadows", &maps.sun_layers[*layer]),
                ViewTarget::LocalLight(_) => ("local light shadows", &maps.local_lights),
                ViewTarget::Below => ("below", &maps.below),
            };
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some(label),
                depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                    view: map,
                    depth_ops: Some(wgpu::Operations {
                        load: wgpu::LoadOp::Clear(1.0),
                        store: wgpu::StoreOp::Store,
                    }),
                    stencil_ops: None,
                }),
                timestamp_writes: timing.as_mut().and_then(|t| t.render(label)),
                ..Default::default()
            });
            pass.set_bind_group(0, &groups.scene, &[]);
            self.draw_view(&mut pass, groups, plan, residency, i);
            // All point and spot lights share one map.
            while matches!(view, ViewTarget::LocalLight(_))
                && let Some((i, _)) =
                    views.next_if(|(_, next)| matches!(next, ViewTarget::LocalLight(_)))
            {
                self.draw_view(&mut pass, groups, plan, residency, i);
            }
        }
    }

    fn draw_view(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        groups: &FrameGroups,
        plan: &Plan,
        residency: &Residency,
        i: usize,
    ) {
        let view = plan.casting.views[i];
        let is_below = view == ViewTarget::Below;
        if let ViewTarget::LocalLight([x, y, width, height]) = view {
            pass.set_viewport(x, y, width, height, 0.0, 1.0);
        }
        pass.set_bind_group(1, &groups.views, &[i as u32 * UNIFORM_STRIDE]);
        for draw in plan.casters.iter().filter(|draw| draw.views >> i & 1 != 0) {
            let kind = usize::from(draw.style.is_agent);
            if is_below {
                pass.set_pipeline(&self.below[kind]);
            } else if draw.has_holes {
                pass.set_pipeline(&self.masked[kind]);
                pass.set_bind_group(2, residency.pictures(groups, draw), &[]);
                pass.set_bind_group(3, &groups.factors, &[draw.factors, draw.wrinkles]);
            } else {
                pass.set_pipeline(&self.solid[kind]);
            }
            match view {
                ViewTarget::Sun(layer) => residency.draw_seen(pass, groups, draw, 1 + layer),
                _ => residency.draw(pass, groups, draw),
            }
        }
    }
}
