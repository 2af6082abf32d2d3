//! Bloom: light scattered in the lens.

use crate::attachments::color;
use crate::formats::HDR;
use crate::gpu::Gpu;
use crate::layouts::{Layouts, bind};
use crate::pass::full_screen::full_screen_blended;
use crate::shader::{ShaderError, ShaderSource, compile, validated};
use crate::timing::Timing;
use wgpu::BindingResource as Resource;

/// Fraction of each level's light that comes from the smaller levels.
const SMALLER_LEVELS: f64 = 0.6;

pub struct BloomPass {
    first: wgpu::RenderPipeline,
    down: wgpu::RenderPipeline,
    up: wgpu::RenderPipeline,
}

/// Bind groups of the pass; recreated with the targets.
pub struct BloomGroups {
    lit: wgpu::BindGroup,
    levels: Vec<wgpu::BindGroup>,
}

impl BloomGroups {
    pub fn new(
        device: &wgpu::Device,
        layouts: &Layouts,
        linear: &wgpu::Sampler,
        lit: &wgpu::TextureView,
        levels: &[wgpu::TextureView],
    ) -> Self {
        let group = |view| {
            let resources = [Resource::TextureView(view), Resource::Sampler(linear)];
            bind(device, "bloom", &layouts.sampled, &resources)
        };
        Self {
            lit: group(lit),
            levels: levels.iter().map(group).collect(),
        }
    }
}

impl BloomPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, shaders: &ShaderSource) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "bloom.wgsl")?;
        validated(device, "bloom.wgsl", || {
            let layout = Layouts::pipeline(device, "bloom", &[None, Some(&layouts.sampled)]);
            let component = wgpu::BlendComponent {
                src_factor: wgpu::BlendFactor::Constant,
                dst_factor: wgpu::BlendFactor::OneMinusConstant,
                operation: wgpu::BlendOperation::Add,
            };
            let blend = wgpu::BlendState {
                color: component,
                alpha: component,
            };
            let make = |entry, blend| {
                full_screen_blended(device, "bloom", &layout, &module, entry, HDR, blend)
            };
            Self {
                first: make("fs_first", None),
                down: make("fs_down", None),
                up: make("fs_up", Some(blend)),
            }
        })
    }

    /// Encodes the pass: downsamples to the smallest of `levels`, then upsamples into the first.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &mut Option<Timing>,
        groups: &BloomGroups,
        levels: &[wgpu::TextureView],
    ) {
        let mut step = |pipeline, from: &wgpu::BindGroup, to, load| {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("bloom"),
                color_attachments: &[color(to, load)],
                timestamp_writes: timing.as_mut().and_then(|t| t.render("bloom")),
                ..Default::default()
            });
            pass.set_pipeline(pipeline);
            pass.set_blend_constant(wgpu::Color {
                r: SMALLER_LEVELS,
                g: SMALLER_LEVELS,
                b: SMALLER_LEVELS,
                a: SMALLER_LEVELS,
            });
            pass.set_bind_group(1, from, &[]);
            pass.draw(0..3, 0..1);
        };
        let clear = wgpu::LoadOp::Clear(wgpu::Color::BLACK);
        for (i, level) in levels.iter().enumerate() {
            match i.checked_sub(1) {
                None => step(&self.first, &groups.lit, level, clear),
                Some(larger) => step(&self.down, &groups.levels[larger], level, clear),
            }
        }
        for (i, level) in levels.iter().enumerate().rev().skip(1) {
            step(&self.up, &groups.levels[i + 1], level, wgpu::LoadOp::Load);
        }
    }
}
