//! Draws crowd agents as billboard impostors.

use crate::gpu::Gpu;
use crate::impostors::Impostors;
use crate::layouts::Layouts;
use crate::pass::pipeline::LitPipeline;
use crate::shader::{Shader, ShaderError, ShaderSource, validated};
use crate::uniforms::ImpostorInstance;
use crate::variants::{PipelineCounts, PipelineVariants, SceneTraits};

const ATTRIBUTES: [wgpu::VertexAttribute; 8] = wgpu::vertex_attr_array![
    0 => Float32x3, 1 => Uint32, 2 => Float32x3, 3 => Uint32,
    4 => Float32x2, 5 => Float32, 6 => Float32, 7 => Uint32
];

pub struct ImpostorsPass {
    pipelines: PipelineVariants<Option<SceneTraits>>,
    key: Option<SceneTraits>,
}

impl ImpostorsPass {
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        msaa: u32,
    ) -> Result<Self, ShaderError> {
        let device = gpu.device.clone();
        let shader = Shader::new(&device, shaders, "impostor.wgsl")?;
        let groups = [&layouts.scene, &layouts.maps, &layouts.tiles].map(Some);
        let layout = Layouts::pipeline(&device, "impostors", &groups);
        let make = move |key: Option<SceneTraits>| {
            let constants = key.map_or_else(Vec::new, |traits| traits.constants());
            let constants = shader.known(&constants);
            validated(&device, shader.name, || {
                LitPipeline {
                    label: "impostors",
                    layout: &layout,
                    module: &shader.module,
                    entries: ("vs", "fs"),
                    constants: &constants,
                    buffers: &[Some(wgpu::VertexBufferLayout {
                        array_stride: size_of::<ImpostorInstance>() as u64,
                        step_mode: wgpu::VertexStepMode::Instance,
                        attributes: &ATTRIBUTES,
                    })],
                    culls: None,
                    is_mirrored: false,
                    writes_depth: true,
                    writes_color: true,
                    blend: None,
                    samples: msaa,
                    alpha_to_coverage: msaa > 1,
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

    /// Draws the impostors in `instances`. Groups 0 and 1 must be bound.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        instances: &wgpu::Buffer,
        impostors: &Impostors,
    ) {
        let n = impostors.instances.len() as u32;
        let pipeline = self.pipelines.get_or_general(self.key);
        if let Some((pipeline, group)) = pipeline.zip(impostors.group()).filter(|_| n > 0) {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(2, group, &[]);
            pass.set_vertex_buffer(0, instances.slice(..));
            pass.draw(0..6, 0..n);
        }
    }
}
