//! Shows counted layers as colours, instead of `tonemap`.

use crate::formats::TONED;
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::pass::full_screen::full_screen;
use crate::shader::{ShaderError, ShaderSource, compile, validated};

pub struct OverdrawPass {
    shaders: ShaderSource,
    layout: wgpu::PipelineLayout,
    output: wgpu::TextureFormat,
    /// Pipelines for the final target and for the target that is smoothed. Created on first use.
    pipelines: Option<[wgpu::RenderPipeline; 2]>,
}

impl OverdrawPass {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        output: wgpu::TextureFormat,
    ) -> Self {
        let groups = [None, Some(&layouts.tonemap)];
        Self {
            shaders: shaders.clone(),
            layout: Layouts::pipeline(&gpu.device, "overdraw", &groups),
            output,
            pipelines: None,
        }
    }

    /// Creates the pipelines, unless they exist.
    ///
    /// # Errors
    /// A shader error.
    pub fn prepare(&mut self, gpu: &Gpu) -> Result<(), ShaderError> {
        if self.pipelines.is_some() {
            return Ok(());
        }
        let device = &gpu.device;
        let module = compile(device, &self.shaders, "overdraw.wgsl")?;
        let made = validated(device, "overdraw.wgsl", || {
            let make =
                |format| full_screen(device, "overdraw", &self.layout, &module, "fs", format);
            [make(self.output), make(TONED)]
        })?;
        self.pipelines = Some(made);
        Ok(())
    }

    /// Draws the whole target; `group` is that of `tonemap`.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        group: &wgpu::BindGroup,
        is_smoothed_after: bool,
    ) {
        if let Some(pipelines) = &self.pipelines {
            pass.set_pipeline(&pipelines[usize::from(is_smoothed_after)]);
            pass.set_bind_group(1, group, &[]);
            pass.draw(0..3, 0..1);
        }
    }
}
