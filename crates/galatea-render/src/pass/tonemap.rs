//! Tone mapping: converts linear colour to the output image.

use crate::formats::TONED;
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::pass::full_screen::from_index;
use crate::shader::{Shader, ShaderError, ShaderSource, validated};
use crate::variants::{FinishTraits, PipelineCounts, PipelineVariants};

pub struct TonemapPass {
    shown: PipelineVariants<Option<FinishTraits>>,
    /// Pipelines for the area that is smoothed afterwards.
    toned: PipelineVariants<Option<FinishTraits>>,
    traits: Option<FinishTraits>,
}

impl TonemapPass {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        output: wgpu::TextureFormat,
    ) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let shader = Shader::new(device, shaders, "tonemap.wgsl")?;
        let layout = Layouts::pipeline(device, "tonemap", &[None, Some(&layouts.tonemap)]);
        let variants = |entry: &'static str, format: wgpu::TextureFormat| {
            let (device, shader, layout) = (device.clone(), shader.clone(), layout.clone());
            let make = move |traits: Option<FinishTraits>| {
                let constants = traits.map_or_else(Vec::new, |traits| traits.constants());
                let constants = shader.known(&constants);
                let program = (&shader.module, entry, constants.as_slice());
                validated(&device, shader.name, || {
                    let target = format.into();
                    from_index(&device, "tonemap", &layout, program, target, None, 1)
                })
            };
            PipelineVariants::checked(make, shaders)
        };
        Ok(Self {
            shown: variants("fs", output)?,
            toned: variants(shader.entry_or("fs_smoothed_after", "fs"), TONED)?,
            traits: None,
        })
    }

    /// Requests the pipelines for a frame, and waits for them if `waits` is true. `smooths`: part of the image is smoothed
    /// afterwards.
    ///
    /// # Errors
    /// A shader error.
    pub fn prepare(
        &mut self,
        traits: FinishTraits,
        smooths: bool,
        waits: bool,
    ) -> Result<(), ShaderError> {
        self.traits = Some(traits);
        let keys = [traits].into_iter();
        if smooths {
            self.toned.prepare_with_general(keys.clone(), waits)?;
        }
        self.shown.prepare_with_general(keys, waits)
    }

    /// Counts the finished and the compiling pipelines.
    pub fn counts(&self) -> PipelineCounts {
        [self.shown.counts(), self.toned.counts()].into_iter().sum()
    }

    /// Draws the whole target; `group` holds `Finish`, the lit image, bloom and the adaptation.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, group: &wgpu::BindGroup) {
        draw(pass, self.shown.get_or_general(self.traits), group);
    }

    /// Same as [`TonemapPass::draw`], into the target that is smoothed afterwards.
    pub fn draw_toned(&self, pass: &mut wgpu::RenderPass<'_>, group: &wgpu::BindGroup) {
        draw(pass, self.toned.get_or_general(self.traits), group);
    }
}

fn draw(
    pass: &mut wgpu::RenderPass<'_>,
    pipeline: Option<&wgpu::RenderPipeline>,
    group: &wgpu::BindGroup,
) {
    if let Some(pipeline) = pipeline {
        pass.set_pipeline(pipeline);
        pass.set_bind_group(1, group, &[]);
        pass.draw(0..3, 0..1);
    }
}
