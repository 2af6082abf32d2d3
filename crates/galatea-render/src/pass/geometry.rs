//! Depth and normals of solid surfaces, for screen-space passes.

use crate::attachments::{color, depth_test};
use crate::draw::{Blending, Class, Draw};
use crate::formats::NORMALS;
use crate::frame_groups::FrameGroups;
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::pass::vertex_layouts::{agent_layouts, model_layouts};
use crate::residency::Residency;
use crate::shader::{ShaderError, ShaderSource, compile, validated};
use crate::targets::SurfaceTargets;
use crate::timing::Timing;

/// Input of the pass.
#[derive(Clone, Copy)]
pub struct GeometryInput<'a> {
    pub groups: &'a FrameGroups,
    /// Opaque and cut-out draws.
    pub solid: &'a [Draw],
    pub residency: &'a Residency,
    /// The floor is drawn too.
    pub has_ground: bool,
}

pub struct GeometryPass {
    /// Indexed by four flags: agents, cut-out, culled, mirrored.
    pipelines: [wgpu::RenderPipeline; 16],
    ground: wgpu::RenderPipeline,
}

impl GeometryPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, shaders: &ShaderSource) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "geometry.wgsl")?;
        validated(device, "geometry.wgsl", || {
            let groups = [
                Some(&layouts.scene),
                None,
                Some(&layouts.pictures),
                Some(&layouts.factors),
            ];
            let layout = Layouts::pipeline(device, "geometry", &groups);
            let bare = Layouts::pipeline(device, "geometry of the ground", &groups[..1]);
            let make = |layout, vs, fs, culls: bool, is_mirrored: bool, buffers: &[_]| {
                device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                    label: Some("geometry"),
                    layout: Some(layout),
                    vertex: wgpu::VertexState {
                        module: &module,
                        entry_point: Some(vs),
                        compilation_options: Default::default(),
                        buffers,
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
                    multisample: wgpu::MultisampleState::default(),
                    fragment: Some(wgpu::FragmentState {
                        module: &module,
                        entry_point: Some(fs),
                        compilation_options: Default::default(),
                        targets: &[Some(NORMALS.into())],
                    }),
                    multiview_mask: None,
                    cache: None,
                })
            };
            let (models, agents) = (model_layouts(), agent_layouts());
            Self {
                pipelines: std::array::from_fn(|i| {
                    let fs = if i & 4 != 0 { "fs_masked" } else { "fs" };
                    let (vs, vertices) = match i & 8 {
                        0 => ("vs", &models),
                        _ => ("vs_agent", &agents),
                    };
                    make(&layout, vs, fs, i & 2 != 0, i & 1 != 0, vertices)
                }),
                ground: make(&bare, "vs_ground", "fs_ground", false, false, &[]),
            }
        })
    }

    /// Encodes the pass.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &mut Option<Timing>,
        targets: &SurfaceTargets,
        input: &GeometryInput<'_>,
    ) {
        let GeometryInput {
            groups,
            solid,
            residency,
            has_ground,
        } = *input;
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("geometry"),
            color_attachments: &[color(
                &targets.normals,
                wgpu::LoadOp::Clear(wgpu::Color::BLACK),
            )],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &targets.depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
            }),
            timestamp_writes: timing.as_mut().and_then(|t| t.render("geometry")),
            ..Default::default()
        });
        pass.set_bind_group(0, &groups.scene, &[]);
        let is_body = |draw: &&Draw| !matches!(draw.style.class, Class::Outline | Class::Strands);
        for draw in solid.iter().filter(is_body) {
            let style = draw.style;
            let cuts_out = style.blending == Blending::CutOut;
            let index = usize::from(style.is_agent) * 8
                + usize::from(cuts_out) * 4
                + usize::from(style.culls) * 2
                + usize::from(style.is_mirrored);
            pass.set_pipeline(&self.pipelines[index]);
            pass.set_bind_group(2, residency.pictures(groups, draw), &[]);
            pass.set_bind_group(3, &groups.factors, &[draw.factors, draw.wrinkles]);
            residency.draw(&mut pass, groups, draw);
        }
        if has_ground {
            pass.set_pipeline(&self.ground);
            pass.draw(0..6, 0..1);
        }
    }
}
