//! The endless floor.

use crate::render::Gpu;
use crate::render::layouts::Layouts;
use crate::render::pass::{depth_test, lit_full_screen};
use crate::render::shader::{Shader, ShaderError, ShaderSource, validated};
use crate::render::uniforms::Scene;
use crate::render::variants::{SceneTraits, Variants};

/// `RINGS * SPOKES * 6` of `ground.wgsl`.
const N_VERTICES: u32 = 10 * 24 * 6;

/// What a pipeline is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    traits: SceneTraits,
    has_grid: bool,
    has_patches: bool,
}

pub struct GroundPass {
    pipelines: Variants<Option<Key>>,
    key: Option<Key>,
}

impl GroundPass {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        msaa: u32,
    ) -> Result<Self, ShaderError> {
        let device = gpu.device.clone();
        let shader = Shader::new(&device, shaders, "ground.wgsl")?;
        let groups = [Some(&layouts.scene), Some(&layouts.maps)];
        let layout = Layouts::pipeline(&device, "ground", &groups);
        let make = move |key: Option<Key>| {
            let mut constants = key.map_or_else(Vec::new, |key| key.traits.constants());
            if let Some(key) = key {
                constants.push(("GRID", f64::from(u8::from(key.has_grid))));
                constants.push(("PATCHES", f64::from(u8::from(key.has_patches))));
            }
            let constants = shader.known(&constants);
            let program = (&shader.module, "fs", constants.as_slice());
            validated(&device, shader.name, || {
                lit_full_screen(&device, "ground", &layout, program, depth_test(true), msaa)
            })
        };
        Ok(Self {
            pipelines: Variants::checked(make, shaders)?,
            key: None,
        })
    }

    /// Asks for the pipeline of a scene, and waits for it if it should.
    ///
    /// # Errors
    /// A faulty shader.
    pub fn prepare(
        &mut self,
        scene: &Scene,
        traits: SceneTraits,
        waits: bool,
    ) -> Result<(), ShaderError> {
        self.key = Some(Key {
            traits,
            has_grid: scene.grid > 0.0,
            has_patches: scene.n_patches > 0,
        });
        self.pipelines.prepare_with_general(self.key, waits)
    }

    /// Pipelines that are being made.
    pub fn n_in_work(&self) -> usize {
        self.pipelines.n_in_work()
    }

    /// Groups 0 and 1 are bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(pipeline) = self.pipelines.get_or_general(self.key) else {
            return;
        };
        pass.set_pipeline(pipeline);
        pass.draw(0..N_VERTICES, 0..1);
    }
}
