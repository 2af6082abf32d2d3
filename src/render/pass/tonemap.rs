//! From linear light to the picture.

use crate::render::Gpu;
use crate::render::layouts::Layouts;
use crate::render::pass::full_screen;
use crate::render::shader::{ShaderError, ShaderSource, compile, validated};

pub struct TonemapPass {
    pipeline: wgpu::RenderPipeline,
}

impl TonemapPass {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        output: wgpu::TextureFormat,
    ) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "tonemap.wgsl")?;
        validated(device, "tonemap.wgsl", || {
            let groups = [Some(&layouts.scene), Some(&layouts.picture)];
            let layout = Layouts::pipeline(device, "tonemap", &groups);
            Self {
                pipeline: full_screen(device, "tonemap", &layout, &module, &output, None, 1),
            }
        })
    }

    /// Group 0 is bound; `hdr` is the picture in linear light.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, hdr: &wgpu::BindGroup) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(1, hdr, &[]);
        pass.draw(0..3, 0..1);
    }
}
