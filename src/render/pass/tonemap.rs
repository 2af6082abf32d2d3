//! From linear light to the picture.

use crate::render::Gpu;
use crate::render::layouts::Layouts;
use crate::render::pass::{TONED, from_index};
use crate::render::shader::{Shader, ShaderError, ShaderSource, validated};
use crate::render::variants::{FinishTraits, Variants};

pub struct TonemapPass {
    pipelines: Variants<Option<FinishTraits>>,
    key: Option<FinishTraits>,
}

impl TonemapPass {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        output: wgpu::TextureFormat,
        smooths: bool,
    ) -> Result<Self, ShaderError> {
        let device = gpu.device.clone();
        let shader = Shader::new(&device, shaders, "tonemap.wgsl")?;
        let layout = Layouts::pipeline(&device, "tonemap", &[None, Some(&layouts.tonemap)]);
        let format = if smooths { TONED } else { output };
        let make = move |key: Option<FinishTraits>| {
            let constants = key.map_or_else(Vec::new, |traits| traits.constants());
            let constants = shader.known(&constants);
            let program = (&shader.module, "fs", constants.as_slice());
            validated(&device, shader.name, || {
                let target = format.into();
                from_index(&device, "tonemap", &layout, program, target, None, 1)
            })
        };
        Ok(Self {
            pipelines: Variants::checked(make, shaders)?,
            key: None,
        })
    }

    /// Asks for the pipeline of a picture, and waits for it if it should.
    ///
    /// # Errors
    /// A faulty shader.
    pub fn prepare(&mut self, traits: FinishTraits, waits: bool) -> Result<(), ShaderError> {
        self.key = Some(traits);
        self.pipelines.prepare_with_general(self.key, waits)
    }

    /// Pipelines that are being made.
    pub fn n_in_work(&self) -> usize {
        self.pipelines.n_in_work()
    }

    /// Draws the whole target: what is shown, or what is smoothed after. `group` holds `Finish`,
    /// the lit picture, its scattered light and the adaptation.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, group: &wgpu::BindGroup) {
        let Some(pipeline) = self.pipelines.get_or_general(self.key) else {
            return;
        };
        pass.set_pipeline(pipeline);
        pass.set_bind_group(1, group, &[]);
        pass.draw(0..3, 0..1);
    }
}
