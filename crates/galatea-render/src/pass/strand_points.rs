//! Lights the points of hair strands in a compute pass.

use crate::draw::{Class, Draw};
use crate::frame_groups::FrameGroups;
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::plan::Plan;
use crate::shader::{Shader, ShaderError, ShaderSource, validated};
use crate::strands::StrandBuffers;
use crate::timing::Timing;
use crate::uniforms::UNIFORM_STRIDE;
use crate::variants::{Constants, PipelineCounts, PipelineVariants, SceneTraits};

/// Key of a pipeline: flags of the material, and the scene.
type StrandKey = (u32, SceneTraits);

pub struct StrandPointsPass {
    pipelines: PipelineVariants<Option<StrandKey>, wgpu::ComputePipeline>,
    traits: Option<SceneTraits>,
}

impl StrandPointsPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, shaders: &ShaderSource) -> Result<Self, ShaderError> {
        let device = gpu.device.clone();
        let shader = Shader::new(&device, shaders, "strand_points.wgsl")?;
        let groups = [
            &layouts.scene,
            &layouts.maps,
            &layouts.strands,
            &layouts.factors,
        ]
        .map(Some);
        let layout = Layouts::pipeline(&device, "strand points", &groups);
        let make = move |key: Option<StrandKey>| {
            let mut constants = Constants::new();
            if let Some((flags, traits)) = key {
                constants = traits.constants();
                constants.push(("FLAGS", f64::from(flags)));
            }
            let constants = shader.known(&constants);
            validated(&device, shader.name, || {
                device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                    label: Some("strand points"),
                    layout: Some(&layout),
                    module: &shader.module,
                    entry_point: Some("cs"),
                    compilation_options: wgpu::PipelineCompilationOptions {
                        constants: &constants,
                        ..Default::default()
                    },
                    cache: None,
                })
            })
        };
        Ok(Self {
            pipelines: PipelineVariants::checked(make, shaders)?,
            traits: None,
        })
    }

    /// Requests the pipelines for the strands of a frame, and waits for them if `waits` is true.
    ///
    /// # Errors
    /// A shader error.
    pub fn prepare(
        &mut self,
        solid: &[Draw],
        traits: SceneTraits,
        waits: bool,
    ) -> Result<(), ShaderError> {
        self.traits = Some(traits);
        let strands = solid.iter().filter(|d| d.style.class == Class::Strands);
        let keys = strands.map(|draw| (draw.style.flags, traits));
        self.pipelines.prepare_with_general(keys, waits)
    }

    /// Counts the finished and the compiling pipelines.
    pub fn counts(&self) -> PipelineCounts {
        self.pipelines.counts()
    }

    /// Lights the points of a plan's strands; `maps` is group 1 of the lit passes.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &mut Option<Timing>,
        groups: &FrameGroups,
        maps: &wgpu::BindGroup,
        plan: &Plan,
        buffers: &StrandBuffers,
    ) {
        if buffers.groups.is_empty() {
            return;
        }
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("strand points"),
            timestamp_writes: timing.as_mut().and_then(|t| t.compute("strand points")),
        });
        pass.set_bind_group(0, &groups.scene, &[]);
        pass.set_bind_group(1, maps, &[]);
        let own = plan.strands.draws.iter().zip(&buffers.groups);
        for (i, ((draw, (across, down)), group)) in (0..).zip(own) {
            let draw = &plan.solid[*draw];
            let key = self.traits.map(|traits| (draw.style.flags, traits));
            let made = self.pipelines.get_or_general(key);
            let Some(pipeline) = made.or_else(|| self.pipelines.any(|_| true)) else {
                continue;
            };
            pass.set_pipeline(pipeline);
            pass.set_bind_group(2, group, &[i * UNIFORM_STRIDE]);
            pass.set_bind_group(3, &groups.factors, &[draw.factors, draw.wrinkles]);
            pass.dispatch_workgroups(*across, *down, 1);
        }
    }
}
