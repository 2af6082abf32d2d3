//! Draws models. Each material class has a shader, with pipelines by style and scene traits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::device::Device;
use crate::draw::{Blending, Class, Draw, Style};
use crate::frame_groups::FrameGroups;
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::options::RenderOptions;
use crate::pass::pipeline::LitPipeline;
use crate::pass::vertex_layouts::{agent_layouts, model_layouts, strand_layouts};
use crate::residency::Residency;
use crate::shader::{Shader, ShaderError, ShaderSource, validated};
use crate::strands::StrandBuffers;
use crate::variants::{Constants, PipelineCounts, PipelineVariants, SceneTraits};

/// Key of a pipeline. Without traits, the pipeline fits every frame and material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct MeshPipelineKey {
    style: Style,
    traits: Option<SceneTraits>,
}

pub struct MeshPass {
    pipelines: PipelineVariants<MeshPipelineKey>,
    traits: Option<SceneTraits>,
}

/// Compiles pipelines on any thread.
struct Maker {
    device: Device,
    source: ShaderSource,
    layout: wgpu::PipelineLayout,
    shaders: Mutex<HashMap<&'static str, Shader>>,
    msaa: u32,
}

impl Maker {
    fn shader(&self, name: &'static str) -> Result<Shader, ShaderError> {
        let mut shaders = self.shaders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(shader) = shaders.get(name) {
            return Ok(shader.clone());
        }
        let shader = Shader::new(&self.device, &self.source, name)?;
        shaders.insert(name, shader.clone());
        Ok(shader)
    }

    fn pipeline(&self, key: MeshPipelineKey) -> Result<wgpu::RenderPipeline, ShaderError> {
        let name = key.style.class.shader();
        let shader = self.shader(name)?;
        let mut constants = Constants::new();
        if let Some(traits) = key.traits {
            constants = traits.constants();
            constants.push(("FLAGS", f64::from(key.style.flags)));
        }
        let constants = shader.known(&constants);
        validated(&self.device, name, || {
            make(
                &self.device,
                &self.layout,
                (&shader.module, &constants),
                key.style,
                self.msaa,
            )
        })
    }
}

/// Key of the general pipeline, which fits every frame and material.
fn general(style: Style) -> MeshPipelineKey {
    MeshPipelineKey {
        style: Style { flags: 0, ..style },
        traits: None,
    }
}

impl MeshPass {
    /// Compiles the shaders of all classes if a project replaces at least one shader.
    ///
    /// # Errors
    /// The first shader error.
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        options: &RenderOptions,
    ) -> Result<Self, ShaderError> {
        let groups = [
            &layouts.scene,
            &layouts.maps,
            &layouts.pictures,
            &layouts.factors,
        ]
        .map(Some);
        let maker = Arc::new(Maker {
            device: gpu.device.clone(),
            source: shaders.clone(),
            layout: Layouts::pipeline(&gpu.device, "mesh", &groups),
            shaders: Mutex::default(),
            msaa: options.msaa,
        });
        let mut pass = Self {
            pipelines: PipelineVariants::new(move |key| maker.pipeline(key)),
            traits: None,
        };
        if !shaders.is_embedded() {
            let style = |class| Style {
                blending: Blending::Opaque,
                class,
                culls: true,
                is_mirrored: false,
                is_agent: false,
                flags: 0,
            };
            let all = Class::ALL.into_iter().map(|class| general(style(class)));
            pass.pipelines.prepare(all, true)?;
        }
        Ok(pass)
    }

    /// Requests the missing pipelines of the draws, and waits for them if `waits` is true.
    ///
    /// # Errors
    /// A shader error; the draws of that shader are left out.
    pub fn prepare<'a>(
        &mut self,
        draws: impl Iterator<Item = &'a Draw>,
        traits: SceneTraits,
        waits: bool,
    ) -> Result<(), ShaderError> {
        self.traits = Some(traits);
        let mut last = None;
        let styles = draws.filter_map(|draw| {
            let is_new = last.replace(draw.style) != Some(draw.style);
            is_new.then_some(draw.style)
        });
        let made_for = |style| MeshPipelineKey {
            style,
            traits: Some(traits),
        };
        if waits || self.pipelines.is_empty() {
            return self.pipelines.prepare(styles.map(made_for), true);
        }
        // The general pipelines are requested too. They serve frames whose lights or fog just changed.
        let keys = styles.flat_map(|style| [made_for(style), general(style)]);
        self.pipelines.prepare(keys, false)
    }

    /// Counts the finished and the compiling pipelines.
    pub fn counts(&self) -> PipelineCounts {
        self.pipelines.counts()
    }

    /// Returns the pipeline of a style for this frame, or the best match that is finished.
    fn pipeline(&self, style: Style) -> Option<&wgpu::RenderPipeline> {
        let key = MeshPipelineKey {
            style,
            traits: self.traits,
        };
        let made = self.pipelines.get(&key);
        let made = made.or_else(|| self.pipelines.get(&general(style)));
        made.or_else(|| self.pipelines.any(|key| key.style == style))
    }

    /// Draws models. Groups 0 and 1 must be bound, and strands must have been lit.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        groups: &FrameGroups,
        draws: &[Draw],
        strands: &StrandBuffers,
        residency: &Residency,
    ) {
        let mut bound = None;
        for draw in draws {
            if bound != Some(draw.style) {
                let Some(pipeline) = self.pipeline(draw.style) else {
                    continue;
                };
                pass.set_pipeline(pipeline);
                bound = Some(draw.style);
            }
            pass.set_bind_group(2, residency.pictures(groups, draw), &[]);
            pass.set_bind_group(3, &groups.factors, &[draw.factors, draw.wrinkles]);
            if draw.style.class == Class::Strands {
                pass.set_vertex_buffer(3, strands.lit(draw));
            }
            residency.draw_seen(pass, groups, draw, 0);
        }
    }
}

fn make(
    device: &Device,
    layout: &wgpu::PipelineLayout,
    (module, constants): (&wgpu::ShaderModule, &[(&str, f64)]),
    style: Style,
    msaa: u32,
) -> wgpu::RenderPipeline {
    let blends = style.blending == Blending::Over;
    let cuts_out = style.blending == Blending::CutOut;
    let is_outline = style.class == Class::Outline;
    let vertices = match (style.class, style.is_agent) {
        (Class::Outline, false) => "vs_outline",
        (Class::Outline, true) => "vs_agent_outline",
        (Class::Strands, _) => "vs_strand",
        (_, false) => "vs",
        (_, true) => "vs_agent",
    };
    let fragments = match style.class {
        Class::Outline => "fs_outline",
        Class::Strands => "fs_strand",
        _ if cuts_out => "fs_cut_out",
        _ => "fs",
    };
    let (models, agents, strands) = (model_layouts(), agent_layouts(), strand_layouts());
    let buffers = match style.class {
        Class::Strands => strands.as_slice(),
        _ if style.is_agent => agents.as_slice(),
        _ => models.as_slice(),
    };
    let culled = if is_outline {
        wgpu::Face::Front
    } else {
        wgpu::Face::Back
    };
    LitPipeline {
        label: "mesh",
        layout,
        module,
        entries: (vertices, fragments),
        constants,
        buffers,
        culls: style.culls.then_some(culled),
        is_mirrored: style.is_mirrored,
        writes_depth: !blends,
        writes_color: true,
        blend: blends.then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
        samples: msaa,
        alpha_to_coverage: cuts_out && msaa > 1,
    }
    .make(device)
}
