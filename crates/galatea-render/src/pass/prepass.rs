//! Depth prepass of opaque surfaces, at the start of the lit pass.

use crate::draw::{Blending, Class, Draw};
use crate::frame_groups::FrameGroups;
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::options::RenderOptions;
use crate::pass::pipeline::LitPipeline;
use crate::pass::vertex_layouts::{agent_layouts, model_layouts};
use crate::residency::Residency;
use crate::shader::{ShaderError, ShaderSource, compile, validated};

pub struct Prepass {
    /// Indexed by three flags: agents, culled, mirrored.
    pipelines: [wgpu::RenderPipeline; 8],
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
            let (models, agents) = (model_layouts(), agent_layouts());
            let make = |is_agent: bool, culls: bool, is_mirrored: bool| {
                LitPipeline {
                    label: "prepass",
                    layout: &layout,
                    module: &module,
                    entries: (if is_agent { "vs_agent" } else { "vs" }, "fs"),
                    constants: &[],
                    buffers: if is_agent { &agents } else { &models },
                    culls: culls.then_some(wgpu::Face::Back),
                    is_mirrored,
                    writes_depth: true,
                    writes_color: false,
                    blend: None,
                    samples: options.msaa,
                    alpha_to_coverage: false,
                }
                .make(device)
            };
            Self {
                pipelines: std::array::from_fn(|i| make(i & 4 != 0, i & 2 != 0, i & 1 != 0)),
            }
        })
    }

    /// Draws the depth. Group 0 must be bound.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        groups: &FrameGroups,
        solid: &[Draw],
        residency: &Residency,
    ) {
        let hides = |draw: &&Draw| {
            let is_surface = !matches!(draw.style.class, Class::Outline | Class::Strands);
            draw.style.blending == Blending::Opaque && is_surface
        };
        for draw in solid.iter().filter(hides) {
            let style = draw.style;
            let index = usize::from(style.is_agent) * 4
                + usize::from(style.culls) * 2
                + usize::from(style.is_mirrored);
            pass.set_pipeline(&self.pipelines[index]);
            residency.draw_seen(pass, groups, draw, 0);
        }
    }
}
