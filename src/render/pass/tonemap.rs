//! From linear light to the picture.

use crate::render::Gpu;
use crate::render::layouts::Layouts;
use crate::render::pass::{TONED, full_screen};
use crate::render::shader::{ShaderError, ShaderSource, compile, validated};

pub struct TonemapPass {
    shown: wgpu::RenderPipeline,
    toned: wgpu::RenderPipeline,
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
            let layout = Layouts::pipeline(device, "tonemap", &[None, Some(&layouts.tonemap)]);
            let make = |format| full_screen(device, "tonemap", &layout, &module, "fs", format);
            Self {
                shown: make(output),
                toned: make(TONED),
            }
        })
    }

    /// Draws the whole target: what is shown, or what is smoothed before. `group` holds `Finish`,
    /// the lit picture, its scattered light and the adaptation.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        group: &wgpu::BindGroup,
        is_smoothed_after: bool,
    ) {
        pass.set_pipeline(if is_smoothed_after {
            &self.toned
        } else {
            &self.shown
        });
        pass.set_bind_group(1, group, &[]);
        pass.draw(0..3, 0..1);
    }
}
