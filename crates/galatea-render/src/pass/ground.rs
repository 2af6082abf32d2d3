//! The infinite floor.

use crate::attachments::depth_test;
use crate::floor::{self, CellRun};
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::pass::full_screen::lit_full_screen;
use crate::shader::{Shader, ShaderError, ShaderSource, validated};
use crate::variants::{Constants, PipelineCounts, PipelineVariants, SceneTraits};
use galatea_stage::frame::Frame;

/// Vertices per cell.
const N_VERTICES: u32 = 6;

/// Key of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct GroundKey {
    traits: SceneTraits,
    has_grid: bool,
    has_patches: bool,
    is_shaded: bool,
}

impl GroundKey {
    fn constants(&self) -> Constants {
        let flag = |is_so: bool| f64::from(u8::from(is_so));
        let mut constants = self.traits.constants();
        constants.extend([
            ("GRID", flag(self.has_grid)),
            ("PATCHES", flag(self.has_patches)),
            ("CONTACT", flag(self.is_shaded)),
        ]);
        constants
    }
}

pub struct GroundPass {
    pipelines: PipelineVariants<Option<GroundKey>>,
    /// Runs of cells to draw, with their pipeline keys.
    runs: Vec<(GroundKey, CellRun)>,
    found: Vec<CellRun>,
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
        let make = move |key: Option<GroundKey>| {
            let mut constants = key.map_or_else(Vec::new, |key| key.constants());
            constants.extend([
                ("RINGS", f64::from(floor::RINGS)),
                ("SPOKES", f64::from(floor::SPOKES)),
                ("FIRST", f64::from(floor::FIRST)),
                ("STEP", f64::from(floor::STEP)),
            ]);
            let constants = shader.known(&constants);
            let program = (&shader.module, "fs", constants.as_slice());
            validated(&device, shader.name, || {
                lit_full_screen(&device, "ground", &layout, program, depth_test(true), msaa)
            })
        };
        Ok(Self {
            pipelines: PipelineVariants::checked(make, shaders)?,
            runs: Vec::new(),
            found: Vec::new(),
        })
    }

    /// Requests the pipelines for the floor, and waits for them if `waits` is true.
    ///
    /// # Errors
    /// A shader error.
    pub fn prepare(
        &mut self,
        frame: &Frame,
        size: (u32, u32),
        traits: SceneTraits,
        waits: bool,
    ) -> Result<(), ShaderError> {
        self.runs.clear();
        let Some(ground) = frame.ground else {
            return Ok(());
        };
        floor::runs(frame, size, &mut self.found);
        self.runs.extend(self.found.drain(..).map(|run| {
            let key = GroundKey {
                traits: if run.is_shaded {
                    traits
                } else {
                    traits.in_the_open()
                },
                has_grid: ground.grid > 0.0,
                has_patches: run.has_patches,
                is_shaded: run.is_shaded,
            };
            (key, run)
        }));
        let keys = self.runs.iter().map(|(key, _)| *key);
        self.pipelines.prepare_with_general(keys, waits)
    }

    /// Counts the finished and the compiling pipelines.
    pub fn counts(&self) -> PipelineCounts {
        self.pipelines.counts()
    }

    /// Draws the floor. Groups 0 and 1 must be bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let mut bound = None;
        for (key, run) in &self.runs {
            if let Some(pipeline) = self.pipelines.get_or_general(Some(*key)) {
                if bound.replace(key) != Some(key) {
                    pass.set_pipeline(pipeline);
                }
                let cells = &run.cells;
                pass.draw(cells.start * N_VERTICES..cells.end * N_VERTICES, 0..1);
            }
        }
    }
}
