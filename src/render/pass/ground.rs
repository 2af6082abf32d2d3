//! The endless floor.

use crate::render::Gpu;
use crate::render::layouts::Layouts;
use crate::render::pass::{depth_test, lit_full_screen};
use crate::render::shader::{ShaderError, ShaderSource, compile, validated};

/// `RINGS * SPOKES * 6` of `ground.wgsl`.
const N_VERTICES: u32 = 10 * 24 * 6;

pub struct GroundPass {
    pipeline: wgpu::RenderPipeline,
}

impl GroundPass {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        msaa: u32,
    ) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "ground.wgsl")?;
        validated(device, "ground.wgsl", || {
            let groups = [Some(&layouts.scene), Some(&layouts.maps)];
            let layout = Layouts::pipeline(device, "ground", &groups);
            Self {
                pipeline: lit_full_screen(
                    device,
                    "ground",
                    &layout,
                    &module,
                    depth_test(true),
                    msaa,
                ),
            }
        })
    }

    /// Groups 0 and 1 are bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.draw(0..N_VERTICES, 0..1);
    }
}
