//! Debug views of models, and the book shading style. They replace `mesh`, `ground` and `sky`. Shaders are compiled when a
//! view is first used.

use std::collections::HashMap;

use bytemuck::cast_slice;

use crate::buffers::GrowBuffer;
use crate::device::Device;
use crate::draw::{Blending, Class, Draw};
use crate::frame_groups::FrameGroups;
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::options::RenderOptions;
use crate::pass::overdraw::OverdrawPass;
use crate::pass::pipeline::LitPipeline;
use crate::pass::vertex_layouts::model_layouts;
use crate::pass::wire::WirePass;
use crate::plan::Plan;
use crate::residency::Residency;
use crate::shader::{ShaderError, ShaderSource, compile, validated};
use galatea_stage::frame::{Frame, FrameView, Shading, ViewKind};

const SHADER: &str = "views.wgsl";
/// Size of a vertex colour: four floats.
const PAINT_STRIDE: u64 = 16;
const PAINT: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![6 => Float32x4];

/// View modes; the numbers match `views.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewMode {
    /// Grey, under lines and for models that the view excludes.
    Aside = 0,
    /// Book shading.
    Classic = 1,
    /// Vertex colours.
    Paint = 2,
    Normals = 3,
    Tangents = 4,
    Uv = 5,
    Overdraw = 6,
    Light = 7,
    BaseColor = 8,
    Roughness = 9,
    Metallic = 10,
    Occlusion = 11,
    Depth = 12,
}

impl ViewMode {
    /// Returns the mode that replaces the lit image, if any.
    pub fn of(frame: &Frame) -> Option<Self> {
        let Some(view) = &frame.view else {
            return (frame.post_processing.shading == Shading::Classic).then_some(Self::Classic);
        };
        Some(match view.kind {
            ViewKind::Skeleton
            | ViewKind::Bounds
            | ViewKind::Bodies
            | ViewKind::Wireframe
            | ViewKind::Springs => Self::Aside,
            ViewKind::Weights | ViewKind::Morphs => Self::Paint,
            ViewKind::Normals => Self::Normals,
            ViewKind::Tangents => Self::Tangents,
            ViewKind::Uv => Self::Uv,
            ViewKind::Overdraw => Self::Overdraw,
            ViewKind::Light => Self::Light,
            ViewKind::Unlit => Self::BaseColor,
            ViewKind::Roughness => Self::Roughness,
            ViewKind::Metallic => Self::Metallic,
            ViewKind::Occlusion => Self::Occlusion,
            ViewKind::Depth => Self::Depth,
        })
    }
}

/// Key of a draw's pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ViewKey {
    mode: ViewMode,
    is_toon: bool,
    blends: bool,
    culls: bool,
    is_mirrored: bool,
}

/// A draw of the frame.
struct ViewDraw {
    draw: Draw,
    key: ViewKey,
    /// Offset of its vertex colours, bytes.
    paint: u64,
    /// Only its edges are drawn.
    is_wire: bool,
}

pub struct ViewsPass {
    shaders: ShaderSource,
    layout: wgpu::PipelineLayout,
    /// Layout without a material.
    bare: wgpu::PipelineLayout,
    module: Option<wgpu::ShaderModule>,
    pipelines: HashMap<ViewKey, wgpu::RenderPipeline>,
    behind: HashMap<(ViewMode, bool), wgpu::RenderPipeline>,
    paint: GrowBuffer,
    shown: Vec<ViewDraw>,
    wire: WirePass,
    pub overdraw: OverdrawPass,
    msaa: u32,
}

impl ViewsPass {
    /// Compiles the shader only if a project replaces shaders, to report its errors early.
    ///
    /// # Errors
    /// The first shader error.
    pub fn new(
        gpu: &Gpu,
        layouts: &Layouts,
        shaders: &ShaderSource,
        output: wgpu::TextureFormat,
        options: &RenderOptions,
    ) -> Result<Self, ShaderError> {
        let groups = [
            &layouts.scene,
            &layouts.maps,
            &layouts.pictures,
            &layouts.factors,
        ]
        .map(Some);
        let paint = GrowBuffer::new(&gpu.device, "paint", wgpu::BufferUsages::VERTEX);
        let mut pass = Self {
            shaders: shaders.clone(),
            layout: Layouts::pipeline(&gpu.device, "views", &groups),
            bare: Layouts::pipeline(&gpu.device, "behind a view", &groups[..2]),
            module: None,
            pipelines: HashMap::new(),
            behind: HashMap::new(),
            paint,
            shown: Vec::new(),
            wire: WirePass::new(gpu, layouts, shaders, options.msaa),
            overdraw: OverdrawPass::new(gpu, layouts, shaders, output),
            msaa: options.msaa,
        };
        if !shaders.is_embedded() {
            pass.module(gpu)?;
            pass.wire.prepare(gpu, false, None)?;
            pass.overdraw.prepare(gpu)?;
        }
        Ok(pass)
    }

    fn module(&mut self, gpu: &Gpu) -> Result<wgpu::ShaderModule, ShaderError> {
        if let Some(module) = &self.module {
            return Ok(module.clone());
        }
        let module = compile(&gpu.device, &self.shaders, SHADER)?;
        Ok(self.module.insert(module).clone())
    }

    /// Prepares a frame in debug view `mode`. `None` releases the resources of the last one.
    ///
    /// # Errors
    /// A shader error; nothing is drawn then.
    pub fn prepare(
        &mut self,
        gpu: &Gpu,
        mode: Option<ViewMode>,
        frame: &Frame,
        plan: &Plan,
        residency: &Residency,
    ) -> Result<(), ShaderError> {
        self.shown.clear();
        self.wire.clear();
        let Some(mode) = mode else { return Ok(()) };
        let module = self.module(gpu)?;
        let view = frame.view.as_ref();
        let is_wire = view.is_some_and(|view| view.kind == ViewKind::Wireframe);
        let hairs = view
            .filter(|view| view.vertex_lines)
            .map(|view| view.kind)
            .filter(|kind| matches!(kind, ViewKind::Normals | ViewKind::Tangents));
        if is_wire || hairs.is_some() {
            self.wire.prepare(gpu, is_wire, hairs)?;
        }
        if mode == ViewMode::Overdraw {
            self.overdraw.prepare(gpu)?;
        }
        self.prepare_behind(gpu, &module, mode, frame.ground.is_some())?;
        let mut paints: Vec<[f32; 4]> = Vec::new();
        let draws = plan.solid.iter().chain(&plan.blended);
        for draw in draws.filter(|draw| draw.style.class != Class::Outline) {
            let model = draw.instance as usize;
            let is_shown = view.is_none_or(|view| view.shown.get(model).copied().unwrap_or(true));
            let mut mode = if is_shown || mode == ViewMode::Overdraw {
                mode
            } else {
                ViewMode::Aside
            };
            let paint = paints.len() as u64 * PAINT_STRIDE;
            if mode == ViewMode::Paint
                && !view.is_some_and(|view| add_paint(view, draw, residency, &mut paints))
            {
                mode = ViewMode::Aside;
            }
            let is_wire = is_wire && is_shown;
            if is_wire || (hairs.is_some() && is_shown) {
                self.wire.add(gpu, draw, residency);
            }
            let key = ViewKey {
                mode,
                is_toon: draw.style.class == Class::Toon,
                blends: draw.style.blending == Blending::Over,
                culls: draw.style.culls,
                is_mirrored: draw.style.is_mirrored,
            };
            self.prepare_pipeline(gpu, &module, key)?;
            self.shown.push(ViewDraw {
                draw: *draw,
                key,
                paint,
                is_wire,
            });
        }
        self.paint.write(gpu, cast_slice(&paints));
        self.wire.upload(gpu);
        Ok(())
    }

    fn prepare_behind(
        &mut self,
        gpu: &Gpu,
        module: &wgpu::ShaderModule,
        mode: ViewMode,
        has_ground: bool,
    ) -> Result<(), ShaderError> {
        if !self.behind.contains_key(&(mode, has_ground)) {
            let made = validated(&gpu.device, SHADER, || {
                make_behind(&gpu.device, &self.bare, module, mode, has_ground, self.msaa)
            })?;
            self.behind.insert((mode, has_ground), made);
        }
        Ok(())
    }

    fn prepare_pipeline(
        &mut self,
        gpu: &Gpu,
        module: &wgpu::ShaderModule,
        key: ViewKey,
    ) -> Result<(), ShaderError> {
        if !self.pipelines.contains_key(&key) {
            let made = validated(&gpu.device, SHADER, || {
                make(&gpu.device, &self.layout, module, key, self.msaa)
            })?;
            self.pipelines.insert(key, made);
        }
        Ok(())
    }

    /// Draws the prepared view. Groups 0 and 1 must be bound; `maps` is group 1. Without `behind`, the frame, the background
    /// is not drawn.
    pub fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        groups: &FrameGroups,
        maps: &wgpu::BindGroup,
        residency: &Residency,
        mode: ViewMode,
        behind: Option<&Frame>,
    ) {
        // Overdraw counts start at 0, so it has no background.
        if let Some(frame) = behind
            && mode != ViewMode::Overdraw
            && let Some(behind) = self.behind.get(&(mode, frame.ground.is_some()))
        {
            pass.set_pipeline(behind);
            pass.draw(0..3, 0..1);
        }
        for shown in self.shown.iter().filter(|shown| !shown.is_wire) {
            let Some(pipeline) = self.pipelines.get(&shown.key) else {
                continue;
            };
            pass.set_pipeline(pipeline);
            pass.set_bind_group(2, residency.pictures(groups, &shown.draw), &[]);
            pass.set_bind_group(
                3,
                &groups.factors,
                &[shown.draw.factors, shown.draw.wrinkles],
            );
            if shown.key.mode == ViewMode::Paint {
                pass.set_vertex_buffer(3, self.paint.buffer().slice(shown.paint..));
            }
            residency.draw(pass, groups, &shown.draw);
        }
        self.wire.draw(pass);
        // The wire pass binds another group 1.
        pass.set_bind_group(1, maps, &[]);
    }
}

/// Appends the vertex colours of a draw. Returns false if the frame has none for it.
fn add_paint(
    view: &FrameView,
    draw: &Draw,
    residency: &Residency,
    paints: &mut Vec<[f32; 4]>,
) -> bool {
    let (piece, n_vertices) = residency.piece(draw);
    let (part, primitive) = (piece.part, piece.primitive);
    let of = (draw.instance as usize, part, primitive);
    let mut known = view.paints.iter();
    let Some(paint) = known.find(|paint| (paint.model, paint.part, paint.primitive) == of) else {
        return false;
    };
    match &piece.vertices {
        None => paints.extend(paint.values.iter()),
        Some(vertices) => {
            let value = |v: &u32| paint.values.get(*v as usize).copied().unwrap_or_default();
            paints.extend(vertices.iter().map(value));
        }
    }
    paint.values.len() >= n_vertices as usize
}

fn make(
    device: &Device,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    key: ViewKey,
    msaa: u32,
) -> wgpu::RenderPipeline {
    let is_painted = key.mode == ViewMode::Paint;
    let counts = key.mode == ViewMode::Overdraw;
    let entries = if is_painted {
        ("vs_painted", "fs_painted")
    } else {
        ("vs", "fs")
    };
    let paint = wgpu::VertexBufferLayout {
        array_stride: PAINT_STRIDE,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &PAINT,
    };
    let [deformed, fixed, placed] = model_layouts();
    let buffers = [deformed, fixed, placed, Some(paint)];
    let add = wgpu::BlendComponent {
        src_factor: wgpu::BlendFactor::One,
        dst_factor: wgpu::BlendFactor::One,
        operation: wgpu::BlendOperation::Add,
    };
    let blend = match key.mode {
        ViewMode::Overdraw => Some(wgpu::BlendState {
            color: add,
            alpha: add,
        }),
        ViewMode::Classic if key.blends => Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
        _ => None,
    };
    let constants = [
        ("MODE", f64::from(key.mode as u32)),
        ("TOON", f64::from(u8::from(key.is_toon))),
        ("BLENDS", f64::from(u8::from(key.blends))),
    ];
    LitPipeline {
        label: "views",
        layout,
        module,
        entries,
        constants: &constants,
        buffers: &buffers[..if is_painted { 4 } else { 3 }],
        culls: key.culls.then_some(wgpu::Face::Back),
        is_mirrored: key.is_mirrored,
        // Overdraw and blended materials blend as in the lit image; all other modes draw opaque.
        writes_depth: !key.blends || blend.is_none() && !counts,
        writes_color: true,
        blend,
        samples: msaa,
        alpha_to_coverage: false,
    }
    .make(device)
}

fn make_behind(
    device: &Device,
    layout: &wgpu::PipelineLayout,
    module: &wgpu::ShaderModule,
    mode: ViewMode,
    has_ground: bool,
    msaa: u32,
) -> wgpu::RenderPipeline {
    let constants = [
        ("MODE", f64::from(mode as u32)),
        ("FLOOR", f64::from(u8::from(has_ground))),
    ];
    LitPipeline {
        label: "behind a view",
        layout,
        module,
        entries: ("vs_behind", "fs_behind"),
        constants: &constants,
        buffers: &[],
        culls: None,
        is_mirrored: false,
        writes_depth: false,
        writes_color: true,
        blend: None,
        samples: msaa,
        alpha_to_coverage: false,
    }
    .make(device)
}
