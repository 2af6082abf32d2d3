//! Resolves multisampled pixels to one colour.

use crate::formats::HDR;
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::pass::full_screen::full_screen;
use crate::shader::{Shader, ShaderError, ShaderSource, validated};

pub struct ResolvePass {
    pipeline: wgpu::RenderPipeline,
}

impl ResolvePass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, shaders: &ShaderSource) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let shader = Shader::new(device, shaders, "resolve.wgsl")?;
        validated(device, shader.name, || {
            let layout = Layouts::pipeline(device, "resolve", &[None, Some(&layouts.resolve)]);
            Self {
                pipeline: full_screen(device, "resolve", &layout, &shader.module, "fs", HDR),
            }
        })
    }

    /// Draws the whole target; `group` holds `Finish`, the samples and the adaptation.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, group: &wgpu::BindGroup) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, group, &[]);
        pass.draw(0..3, 0..1);
    }
}
