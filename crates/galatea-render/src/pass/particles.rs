//! Draws particles and blended models from far to near. Depth is read-only, so particles can fade out near surfaces.

use crate::frame_groups::FrameGroups;
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::pass::mesh::MeshPass;
use crate::pass::pipeline::LitPipeline;
use crate::plan::Plan;
use crate::residency::Residency;
use crate::shader::{Shader, ShaderError, ShaderSource, validated};
use crate::strands::StrandBuffers;
use crate::uniforms::ParticleInstance;
use crate::variants::{PipelineCounts, PipelineVariants, SceneTraits};

const ATTRIBUTES: [wgpu::VertexAttribute; 8] = wgpu::vertex_attr_array![
    0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Float32,
    4 => Float32x4, 5 => Float32x4, 6 => Uint32, 7 => Uint32
];

/// Input of the pass: particles, and the blended models between them.
#[derive(Clone, Copy)]
pub struct ParticlesInput<'a> {
    pub groups: &'a FrameGroups,
    /// Group 2 of particles: depth of the image.
    pub depth: &'a wgpu::BindGroup,
    /// The particles of the plan.
    pub particles: &'a wgpu::Buffer,
    pub mesh: &'a MeshPass,
    pub strands: &'a StrandBuffers,
}

pub struct ParticlesPass {
    pipelines: PipelineVariants<Option<SceneTraits>>,
    key: Option<SceneTraits>,
}

impl ParticlesPass {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        msaa: u32,
    ) -> Result<Self, ShaderError> {
        let device = gpu.device.clone();
        let (name, depth) = if msaa > 1 {
            ("particles_sampled.wgsl", &layouts.depth_samples)
        } else {
            ("particles.wgsl", &layouts.depth)
        };
        let shader = Shader::new(&device, shaders, name)?;
        let groups = [&layouts.scene, &layouts.maps, depth, &layouts.cells].map(Some);
        let layout = Layouts::pipeline(&device, "particles", &groups);
        let make = move |key: Option<SceneTraits>| {
            let constants = key.map_or_else(Vec::new, |traits| traits.constants());
            let constants = shader.known(&constants);
            validated(&device, shader.name, || {
                LitPipeline {
                    label: "particles",
                    layout: &layout,
                    module: &shader.module,
                    entries: ("vs", "fs"),
                    constants: &constants,
                    buffers: &[Some(wgpu::VertexBufferLayout {
                        array_stride: size_of::<ParticleInstance>() as u64,
                        step_mode: wgpu::VertexStepMode::Instance,
                        attributes: &ATTRIBUTES,
                    })],
                    culls: None,
                    is_mirrored: false,
                    writes_depth: false,
                    writes_color: true,
                    blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                    samples: msaa,
                    alpha_to_coverage: false,
                }
                .make(&device)
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
        self.key = Some(traits);
        self.pipelines
            .prepare_with_general([traits].into_iter(), waits)
    }

    /// Counts the finished and the compiling pipelines.
    pub fn counts(&self) -> PipelineCounts {
        self.pipelines.counts()
    }

    /// Draws blended models and particles, interleaved from far to near. Groups 0 and 1 must be bound.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        input: ParticlesInput<'_>,
        plan: &Plan,
        residency: &Residency,
    ) {
        let ParticlesInput {
            groups,
            depth,
            particles,
            mesh,
            strands,
        } = input;
        let own = self.pipelines.get_or_general(self.key);
        let own = own.zip(plan.particles.group());
        for (i, range) in plan
            .particles
            .interleaved_ranges(&plan.blended)
            .into_iter()
            .enumerate()
        {
            if let Some((pipeline, cells)) = own.filter(|_| !range.is_empty()) {
                pass.set_pipeline(pipeline);
                pass.set_bind_group(2, depth, &[]);
                pass.set_bind_group(3, cells, &[]);
                pass.set_vertex_buffer(0, particles.slice(..));
                pass.draw(0..6, range);
            }
            if let Some(draw) = plan.blended.get(i..=i) {
                mesh.draw(pass, groups, draw, strands, residency);
            }
        }
    }
}
