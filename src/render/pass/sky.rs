//! The sky behind everything.

use crate::render::Gpu;
use crate::render::layouts::Layouts;
use crate::render::pass::{depth_test, lit_full_screen};
use crate::render::shader::{ShaderError, ShaderSource, compile, validated};

pub struct SkyPass {
    pipeline: wgpu::RenderPipeline,
}

impl SkyPass {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        msaa: u32,
    ) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "sky.wgsl")?;
        validated(device, "sky.wgsl", || {
            let layout =
                Layouts::pipeline(device, "sky", &[Some(&layouts.scene), Some(&layouts.maps)]);
            Self {
                pipeline: lit_full_screen(device, "sky", &layout, &module, depth_test(false), msaa),
            }
        })
    }

    /// Groups 0 and 1 are bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.draw(0..3, 0..1);
    }
}
