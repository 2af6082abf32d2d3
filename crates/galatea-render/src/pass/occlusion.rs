//! Ambient occlusion and sun visibility of the visible surface.

use crate::area::PixelRect;
use crate::attachments::color;
use crate::formats::OCCLUSION;
use crate::frame_groups::FrameGroups;
use crate::gpu::Gpu;
use crate::layouts::{Layouts, bind};
use crate::pass::full_screen::full_screen;
use crate::shader::{ShaderError, ShaderSource, compile, validated};
use crate::targets::SurfaceTargets;
use crate::timing::Timing;
use wgpu::BindingResource as Resource;

/// Radius of ambient occlusion, metres. The same number is in `occlusion.wgsl`.
pub const REACH: f32 = 0.35;

pub struct OcclusionPass {
    look_around: wgpu::RenderPipeline,
    blur: wgpu::RenderPipeline,
}

/// Bind groups of the pass; recreated with the targets.
pub struct OcclusionGroups {
    surface: wgpu::BindGroup,
    raw: wgpu::BindGroup,
}

impl OcclusionGroups {
    pub fn new(device: &wgpu::Device, layouts: &Layouts, targets: &SurfaceTargets) -> Self {
        let surface = [&targets.depth, &targets.normals].map(Resource::TextureView);
        Self {
            surface: bind(device, "surface", &layouts.surface, &surface),
            raw: bind(
                device,
                "raw occlusion",
                &layouts.picture,
                &[Resource::TextureView(&targets.raw)],
            ),
        }
    }
}

impl OcclusionPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, shaders: &ShaderSource) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "occlusion.wgsl")?;
        validated(device, "occlusion.wgsl", || {
            let around = [Some(&layouts.scene), Some(&layouts.surface)];
            let around = Layouts::pipeline(device, "occlusion", &around);
            let blur = [None, None, Some(&layouts.picture)];
            let blur = Layouts::pipeline(device, "occlusion blur", &blur);
            let make = |label, layout, entry| {
                full_screen(device, label, layout, &module, entry, OCCLUSION)
            };
            Self {
                look_around: make("occlusion", &around, "fs"),
                blur: make("occlusion blur", &blur, "fs_blur"),
            }
        })
    }

    /// Encodes the pass: computes the occlusion within an area of the target, then blurs the noise. The rest of the target
    /// is unoccluded.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &mut Option<Timing>,
        targets: &SurfaceTargets,
        own: &OcclusionGroups,
        groups: &FrameGroups,
        area: PixelRect,
    ) {
        for (label, pipeline, target) in [
            ("occlusion", &self.look_around, &targets.raw),
            ("occlusion blur", &self.blur, &targets.occlusion),
        ] {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some(label),
                color_attachments: &[color(target, wgpu::LoadOp::Clear(wgpu::Color::WHITE))],
                timestamp_writes: timing.as_mut().and_then(|t| t.render(label)),
                ..Default::default()
            });
            if area.is_empty() {
                continue;
            }
            area.clip(&mut pass);
            pass.set_pipeline(pipeline);
            if label == "occlusion" {
                pass.set_bind_group(0, &groups.scene, &[]);
                pass.set_bind_group(1, &own.surface, &[]);
            } else {
                pass.set_bind_group(2, &own.raw, &[]);
            }
            pass.draw(0..3, 0..1);
        }
    }
}
