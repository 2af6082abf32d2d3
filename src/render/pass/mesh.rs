//! The models.

use crate::render::Gpu;
use crate::render::frame_buffers::FrameGroups;
use crate::render::layouts::Layouts;
use crate::render::pass::{HDR, deformed_layout, depth_test, fixed_layout};
use crate::render::plan::{Blending, Draw, Style};
use crate::render::residency::Residency;
use crate::render::shader::{ShaderError, ShaderSource, compile, validated};

pub struct MeshPass {
    /// By [`Style::index`].
    pipelines: Vec<wgpu::RenderPipeline>,
}

impl MeshPass {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        msaa: u32,
    ) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "mesh.wgsl")?;
        validated(device, "mesh.wgsl", || {
            let groups = [
                &layouts.scene,
                &layouts.maps,
                &layouts.pictures,
                &layouts.factors,
            ]
            .map(Some);
            let layout = Layouts::pipeline(device, "mesh", &groups);
            Self {
                pipelines: Style::all()
                    .map(|style| make(device, &layout, &module, style, msaa))
                    .collect(),
            }
        })
    }

    /// Groups 0 and 1 are bound.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        groups: &FrameGroups,
        draws: &[Draw],
        residency: &Residency,
    ) {
        let mut bound = None;
        for draw in draws {
            if bound != Some(draw.style) {
                pass.set_pipeline(&self.pipelines[draw.style.index()]);
                bound = Some(draw.style);
            }
            pass.set_bind_group(2, &residency.material(draw).group, &[]);
            pass.set_bind_group(3, &groups.factors, &[draw.factors]);
            residency.draw(pass, draw);
        }
    }
}

fn make(
    device: &wgpu::Device,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    style: Style,
    msaa: u32,
) -> wgpu::RenderPipeline {
    let blends = style.blending == Blending::Over;
    let cuts_out = style.blending == Blending::CutOut;
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("mesh"),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some("vs"),
            compilation_options: Default::default(),
            buffers: &[Some(deformed_layout()), Some(fixed_layout())],
        },
        primitive: wgpu::PrimitiveState {
            front_face: if style.is_mirrored {
                wgpu::FrontFace::Cw
            } else {
                wgpu::FrontFace::Ccw
            },
            cull_mode: style.culls.then_some(wgpu::Face::Back),
            ..Default::default()
        },
        depth_stencil: Some(depth_test(!blends)),
        multisample: wgpu::MultisampleState {
            count: msaa,
            alpha_to_coverage_enabled: cuts_out && msaa > 1,
            ..Default::default()
        },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(if cuts_out { "fs_cut_out" } else { "fs" }),
            compilation_options: Default::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: HDR,
                blend: blends.then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
