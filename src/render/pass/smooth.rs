//! Softens the stairs of edges where multisampling is off.

use crate::render::Gpu;
use crate::render::layouts::Layouts;
use crate::render::pass::full_screen;
use crate::render::shader::{ShaderError, ShaderSource, compile, validated};

pub struct SmoothPass {
    pipeline: wgpu::RenderPipeline,
}

impl SmoothPass {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        output: wgpu::TextureFormat,
    ) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "smooth.wgsl")?;
        validated(device, "smooth.wgsl", || {
            let layout = Layouts::pipeline(device, "smooth", &[None, Some(&layouts.smooth)]);
            Self {
                pipeline: full_screen(device, "smooth", &layout, &module, "fs", output),
            }
        })
    }

    /// Draws the whole target; `group` holds `Finish` and the picture.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, group: &wgpu::BindGroup) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, group, &[]);
        pass.draw(0..3, 0..1);
    }
}
