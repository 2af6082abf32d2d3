//! Contact shadows on the ground.

use crate::attachments::color;
use crate::formats::OPENNESS;
use crate::frame_groups::FrameGroups;
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::maps::Maps;
use crate::pass::full_screen::full_screen;
use crate::shader::{ShaderError, ShaderSource, compile, validated};
use crate::timing::Timing;

pub struct ContactPass {
    pipeline: wgpu::RenderPipeline,
}

impl ContactPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, shaders: &ShaderSource) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "contact.wgsl")?;
        validated(device, "contact.wgsl", || {
            let groups = [Some(&layouts.scene), Some(&layouts.depth)];
            let layout = Layouts::pipeline(device, "contact", &groups);
            Self {
                pipeline: full_screen(device, "contact", &layout, &module, "fs", OPENNESS),
            }
        })
    }

    /// Encodes the pass. Without objects on the ground, the map is fully open.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &mut Option<Timing>,
        maps: &Maps,
        groups: &FrameGroups,
        is_empty: bool,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("contact"),
            color_attachments: &[color(
                &maps.openness,
                wgpu::LoadOp::Clear(wgpu::Color::WHITE),
            )],
            timestamp_writes: timing.as_mut().and_then(|t| t.render("contact")),
            ..Default::default()
        });
        if !is_empty {
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &groups.scene, &[]);
            pass.set_bind_group(1, &maps.below_group, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}
