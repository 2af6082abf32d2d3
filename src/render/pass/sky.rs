//! The sky behind everything.

use crate::render::Gpu;
use crate::render::layouts::Layouts;
use crate::render::pass::{HDR, depth_test, full_screen};
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
            let layout = Layouts::pipeline(device, "sky", &[Some(&layouts.scene)]);
            let depth = Some(depth_test(false));
            Self {
                pipeline: full_screen(device, "sky", &layout, &module, &HDR, depth, msaa),
            }
        })
    }

    /// Group 0 is bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.draw(0..3, 0..1);
    }
}
