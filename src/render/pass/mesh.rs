//! The models. One shader per class of materials, one pipeline per style, made when first needed.

use std::collections::HashMap;

use crate::render::Gpu;
use crate::render::draw::{Blending, Class, Draw, Style};
use crate::render::frame_buffers::FrameGroups;
use crate::render::layouts::Layouts;
use crate::render::options::RenderOptions;
use crate::render::pass::{HDR, deformed_layout, depth_test, fixed_layout};
use crate::render::residency::Residency;
use crate::render::shader::{ShaderError, ShaderSource, compile, validated};

pub struct MeshPass {
    shaders: ShaderSource,
    layout: wgpu::PipelineLayout,
    modules: HashMap<&'static str, wgpu::ShaderModule>,
    pipelines: HashMap<Style, wgpu::RenderPipeline>,
    msaa: u32,
}

/// What most models are drawn in.
const COMMON: Style = Style {
    blending: Blending::Opaque,
    class: Class::Plain,
    culls: true,
    is_mirrored: false,
};

impl MeshPass {
    /// Compiles what most models need; the shaders of all classes when a project has changed any.
    ///
    /// # Errors
    /// The first faulty shader.
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
        let mut pass = Self {
            shaders: shaders.clone(),
            layout: Layouts::pipeline(&gpu.device, "mesh", &groups),
            modules: HashMap::new(),
            pipelines: HashMap::new(),
            msaa: options.msaa,
        };
        for class in Class::ALL {
            if class == Class::Plain || !shaders.is_embedded() {
                pass.add(gpu, Style { class, ..COMMON })?;
            }
        }
        Ok(pass)
    }

    /// Makes the pipelines of draws that are not there yet.
    ///
    /// # Errors
    /// A faulty shader; its draws are left out.
    pub fn prepare(&mut self, gpu: &Gpu, draws: &[Draw]) -> Result<(), ShaderError> {
        let mut last = None;
        for draw in draws {
            if last.replace(draw.style) != Some(draw.style)
                && !self.pipelines.contains_key(&draw.style)
            {
                self.add(gpu, draw.style)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, gpu: &Gpu, style: Style) -> Result<(), ShaderError> {
        let device = &gpu.device;
        let name = style.class.shader();
        if !self.modules.contains_key(name) {
            let module = compile(device, &self.shaders, name)?;
            self.modules.insert(name, module);
        }
        let module = &self.modules[name];
        let pipeline = validated(device, name, || {
            make(device, &self.layout, module, style, self.msaa)
        })?;
        self.pipelines.insert(style, pipeline);
        Ok(())
    }

    /// Groups 0 and 1 are bound.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        groups: &FrameGroups,
        draws: &[Draw],
        residency: &Residency,
    ) {
        let mut bound = None;
        for draw in draws {
            let Some(pipeline) = self.pipelines.get(&draw.style) else {
                continue;
            };
            if bound != Some(draw.style) {
                pass.set_pipeline(pipeline);
                bound = Some(draw.style);
            }
            pass.set_bind_group(2, &residency.material(draw).group, &[]);
            pass.set_bind_group(3, &groups.factors, &[draw.factors]);
            residency.draw(pass, draw);
        }
    }
}

fn make(
    device: &wgpu::Device,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    style: Style,
    msaa: u32,
) -> wgpu::RenderPipeline {
    let blends = style.blending == Blending::Over;
    let cuts_out = style.blending == Blending::CutOut;
    let is_outline = style.class == Class::Outline;
    let (vertex, fragment) = match (is_outline, cuts_out) {
        (true, _) => ("vs_outline", "fs_outline"),
        (false, true) => ("vs", "fs_cut_out"),
        (false, false) => ("vs", "fs"),
    };
    let culled = if is_outline {
        wgpu::Face::Front
    } else {
        wgpu::Face::Back
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("mesh"),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module,
            entry_point: Some(vertex),
            compilation_options: Default::default(),
            buffers: &[Some(deformed_layout()), Some(fixed_layout())],
        },
        primitive: wgpu::PrimitiveState {
            front_face: if style.is_mirrored {
                wgpu::FrontFace::Cw
            } else {
                wgpu::FrontFace::Ccw
            },
            cull_mode: style.culls.then_some(culled),
            ..Default::default()
        },
        depth_stencil: Some(depth_test(!blends)),
        multisample: wgpu::MultisampleState {
            count: msaa,
            alpha_to_coverage_enabled: cuts_out && msaa > 1,
            ..Default::default()
        },
        fragment: Some(wgpu::FragmentState {
            module,
            entry_point: Some(fragment),
            compilation_options: Default::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: HDR,
                blend: blends.then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
