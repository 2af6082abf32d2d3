//! The sky background.

use crate::attachments::depth_test;
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::pass::full_screen::lit_full_screen;
use crate::shader::{Shader, ShaderError, ShaderSource, validated};
use crate::variants::{PipelineCounts, PipelineVariants, SceneTraits};

pub struct SkyPass {
    pipelines: PipelineVariants<Option<SceneTraits>>,
    key: Option<SceneTraits>,
}

impl SkyPass {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        msaa: u32,
    ) -> Result<Self, ShaderError> {
        let device = gpu.device.clone();
        let shader = Shader::new(&device, shaders, "sky.wgsl")?;
        let groups = [Some(&layouts.scene), Some(&layouts.maps)];
        let layout = Layouts::pipeline(&device, "sky", &groups);
        let make = move |key: Option<SceneTraits>| {
            let constants = key.map_or_else(Vec::new, |traits| traits.constants());
            let constants = shader.known(&constants);
            let program = (&shader.module, "fs", constants.as_slice());
            validated(&device, shader.name, || {
                lit_full_screen(&device, "sky", &layout, program, depth_test(false), msaa)
            })
        };
        Ok(Self {
            pipelines: PipelineVariants::checked(make, shaders)?,
            key: None,
        })
    }

    /// Requests the pipeline for a scene, and waits for it if `waits` is true.
    ///
    /// # Errors
    /// A shader error.
    pub fn prepare(&mut self, traits: SceneTraits, waits: bool) -> Result<(), ShaderError> {
        let key = traits.without_shadows();
        self.key = Some(key);
        self.pipelines
            .prepare_with_general([key].into_iter(), waits)
    }

    /// Counts the finished and the compiling pipelines.
    pub fn counts(&self) -> PipelineCounts {
        self.pipelines.counts()
    }

    /// Draws the sky. Groups 0 and 1 must be bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(pipeline) = self.pipelines.get_or_general(self.key) else {
            return;
        };
        pass.set_pipeline(pipeline);
        pass.draw(0..3, 0..1);
    }
}
