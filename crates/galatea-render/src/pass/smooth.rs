//! Smooths jagged edges without multisampling (post-process antialiasing).

use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::pass::full_screen::from_index;
use crate::shader::{Shader, ShaderError, ShaderSource, validated};

/// Filter radius in pixels: `STEPS` of `smooth.wgsl` plus the filter width.
pub const REACH: u32 = 10;

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
        let shader = Shader::new(device, shaders, "smooth.wgsl")?;
        let encodes = f64::from(u8::from(output.is_srgb()));
        let constants = shader.known(&[("KNOWS", 1.0), ("ENCODES", encodes)]);
        let program = (&shader.module, "fs", constants.as_slice());
        validated(device, shader.name, || {
            let layout = Layouts::pipeline(device, "smooth", &[None, Some(&layouts.smooth)]);
            Self {
                pipeline: from_index(device, "smooth", &layout, program, output.into(), None, 1),
            }
        })
    }

    /// Draws the whole target; `group` holds `Finish` and the image.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, group: &wgpu::BindGroup) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, group, &[]);
        pass.draw(0..3, 0..1);
    }
}
