//! The renderer: runs the passes of a frame in order.

use tracing::info_span;

use super::draw::{Draw, SIGHTS};
use super::frame_buffers::{FrameBuffers, FrameContents};
use super::frame_passes::{Encoding, FramePasses};
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::local_lights::LocalLights;
use super::maps::{AtlasChange, Maps};
use super::options::RenderOptions;
use super::pass::Passes;
use super::pass::exposure::Adaptation;
use super::pass::views::ViewMode;
use super::plan::Plan;
use super::plan_context::{CrowdDrawSettings, PlanContext};
use super::residency::Residency;
use super::scene::{finish_of, scene_of};
use super::shader::{ShaderError, ShaderSource};
use super::sized::SizedTargets;
use super::sun::Cascades;
use super::timing::Timing;
use super::triangles::SampleGrid;
use super::uniforms::{Finish, GpuScene};
use super::variants::{FinishTraits, SceneTraits};
use galatea_math::phases::PHASE;
use galatea_stage::Frame;

/// On a software renderer, agents at finer levels of detail than this are drawn as models.
const NEAR_LEVELS: u8 = 3;

/// Draws frames. Recently drawn models stay in GPU memory.
pub struct Renderer {
    /// Requested options. `options` holds them limited to the device's abilities.
    requested: RenderOptions,
    options: RenderOptions,
    output: wgpu::TextureFormat,
    shaders: ShaderSource,
    /// Frames wait for pipelines.
    waits: bool,
    layouts: Layouts,
    passes: Passes,
    maps: Maps,
    sized: Option<SizedTargets>,
    buffers: FrameBuffers,
    adaptation: Adaptation,
    pub(super) timing: Option<Timing>,
    agents_as_models: u8,
    local_lights: LocalLights,
    pub(super) residency: Residency,
    pub(super) plan: Plan,
}

impl Renderer {
    /// Creates a renderer for the 8-bit format `output`. Images are sRGB-encoded with either format variant.
    ///
    /// # Errors
    /// The first shader error.
    pub fn new(
        gpu: &Gpu,
        shaders: &ShaderSource,
        output: wgpu::TextureFormat,
        options: RenderOptions,
    ) -> Result<Self, ShaderError> {
        let _phase = info_span!(target: PHASE, "create the renderer").entered();
        let layouts = Layouts::new(&gpu.device);
        let requested = options.checked();
        let (options, mut lessened) = options.fitted(gpu.means());
        let (maps, options, short) = {
            let _phase = info_span!(target: PHASE, "create shadow maps and tables").entered();
            Maps::fitting(gpu, &layouts, options)
        };
        lessened.extend(short);
        let mut residency = Residency::new(gpu);
        for lessened in lessened {
            residency.report_reduced_quality(lessened);
        }
        Ok(Self {
            requested,
            options,
            output,
            shaders: shaders.clone(),
            waits: true,
            passes: {
                let _phase = info_span!(target: PHASE, "compile shaders").entered();
                Passes::new(gpu, &layouts, shaders, output, &options)?
            },
            maps,
            sized: None,
            buffers: FrameBuffers::new(gpu, &layouts),
            adaptation: Adaptation::new(gpu),
            timing: None,
            agents_as_models: if gpu.is_software() { NEAR_LEVELS } else { 0 },
            local_lights: LocalLights::default(),
            residency,
            plan: Plan::default(),
            layouts,
        })
    }

    /// Output format of [`Renderer::draw`].
    pub fn output_format(&self) -> wgpu::TextureFormat {
        self.output
    }

    /// Current shaders.
    pub fn shaders(&self) -> &ShaderSource {
        &self.shaders
    }

    /// Quality settings in use: the requested ones, limited to the device's abilities.
    pub fn options(&self) -> RenderOptions {
        self.options
    }

    /// Changes the quality settings, from the next frame on.
    ///
    /// # Errors
    /// A shader error, which is impossible if the shader has drawn before. The old settings then stay.
    pub fn set_options(&mut self, gpu: &Gpu, options: RenderOptions) -> Result<(), ShaderError> {
        let requested = options.checked();
        if requested == self.requested {
            return Ok(());
        }
        let (options, lessened) = options.fitted(gpu.means());
        if options.msaa != self.options.msaa {
            self.passes = Passes::new(gpu, &self.layouts, &self.shaders, self.output, &options)?;
        }
        let (maps, options, short) = Maps::fitting(gpu, &self.layouts, options);
        for lessened in lessened.into_iter().chain(short) {
            self.residency.report_reduced_quality(lessened);
        }
        (self.requested, self.options) = (requested, options);
        self.maps = maps;
        self.sized = None;
        Ok(())
    }

    /// Sets whether frames wait for pipelines, which is the default. Otherwise, objects appear slightly later, or draw more
    /// slowly at first, when they need a new pipeline.
    pub fn wait_for_pipelines(&mut self, waits: bool) {
        self.waits = waits;
    }

    /// Number of pipelines that are compiling in the background.
    pub fn pipelines_in_work(&self) -> usize {
        self.passes.counts().n_in_work
    }

    /// Number of pipelines compiled for the content of frames.
    pub fn n_pipelines(&self) -> usize {
        self.passes.counts().n_ready
    }

    /// Draw calls of the last frame's lit pass, and the number of instances drawn.
    pub fn n_draws(&self) -> (usize, usize) {
        let draws = self.plan.solid.iter().chain(&self.plan.blended);
        let (calls, instances) = draws.fold((0, 0), |(calls, instances), draw| {
            (calls + 1, instances + draw.placements.1 as usize)
        });
        let squares = self.plan.agents.impostors.instances.len();
        let (calls, instances) = (calls + squares.min(1), instances + squares);
        let particles = self.plan.particles.interleaved_ranges(&self.plan.blended);
        let ranges = particles.iter().filter(|range| !range.is_empty());
        ranges.fold((calls, instances), |(calls, instances), range| {
            (calls + 1, instances + range.len())
        })
    }

    /// Triangles submitted to the last frame's lit pass.
    pub fn n_triangles(&self) -> usize {
        let draws = self.plan.solid.iter().chain(&self.plan.blended);
        let of_one = |draw: &Draw| match draw.triangles[0] {
            Some((_, n)) => n / 3,
            None => self.residency.geometry(draw).level(draw.level).1 / 3 * draw.placements.1,
        };
        let squares = self.plan.agents.impostors.instances.len();
        draws.map(|draw| of_one(draw) as usize).sum::<usize>() + 2 * squares
    }

    /// Times the passes of each frame from now on. Returns false if the device does not support it.
    pub fn time_passes(&mut self, gpu: &Gpu) -> bool {
        self.timing = Timing::new(gpu);
        self.timing.is_some()
    }

    /// Replaces all shaders, or none if one of them has an error.
    ///
    /// # Errors
    /// The first shader error; the old shaders stay in use.
    pub fn reload_shaders(&mut self, gpu: &Gpu, shaders: &ShaderSource) -> Result<(), ShaderError> {
        self.passes = Passes::new(gpu, &self.layouts, shaders, self.output, &self.options)?;
        self.shaders = shaders.clone();
        Ok(())
    }

    /// Sets whether the previous frame's deformed vertices stay available to later passes, for motion vectors. The default
    /// is off. When on, deformed vertices take twice the memory.
    pub fn keep_previous(&mut self, keeps: bool) {
        self.residency.keep_previous(keeps);
    }

    /// Sets the level of detail below which crowd agents are drawn as models. Agents in equal poses are then deformed once,
    /// instead of skinning each agent in the vertex shader. By default this is used near the eye on software renderers,
    /// where it is faster.
    pub fn draw_agents_as_models(&mut self, level: u8) {
        self.agents_as_models = level;
    }

    /// Sets whether tangents are always deformed, or only if a material reads them. The default is off.
    pub fn keep_tangents(&mut self, keeps: bool) {
        self.plan.keeps_tangents = keeps;
    }

    /// Returns the messages about objects that could not be drawn since the last call, without repetition.
    pub fn take_problems(&mut self) -> Vec<String> {
        self.residency.take_problems()
    }

    /// Returns the messages about reduced quality since the last call (smaller textures, smaller shadow maps), without
    /// repetition.
    pub fn take_lessened(&mut self) -> Vec<String> {
        self.residency.take_lessened()
    }

    /// Releases the resources of a frame that ran out of memory. The next frame recreates them.
    pub fn forget(&mut self) {
        self.sized = None;
        self.residency.clear();
    }

    /// Adds a message about reduced quality, once.
    pub fn report_reduced_quality(&mut self, lessened: String) {
        self.residency.report_reduced_quality(lessened);
    }

    /// Number of models in GPU memory.
    pub fn n_resident_models(&self) -> usize {
        self.residency.len()
    }

    /// Encodes an image of `frame` into `target` of `size` pixels. Submit the encoder before the next call, because data is
    /// uploaded at submission. Text messages are not drawn here.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: (u32, u32),
    ) {
        if size.0 == 0 || size.1 == 0 {
            return;
        }
        let lit_size = self.fit(gpu, frame, size);
        let agents = self.agent_draw_settings(frame, lit_size);
        let level = agents.models_below;
        let has_separate_agents = level > 0 && !frame.crowds.is_empty();
        let separated =
            has_separate_agents.then(|| frame.with_agents_as_models(level, agents.coarser));
        let frame = separated.as_ref().unwrap_or(frame);
        let scene = self.plan_picture(gpu, frame, lit_size, agents);
        self.prepare_picture(gpu, frame, size, lit_size, &scene);
        let Some(sized) = &self.sized else {
            return;
        };
        let passes = FramePasses {
            frame,
            view: ViewMode::of(frame),
            size,
            options: &self.options,
            passes: &self.passes,
            plan: &self.plan,
            residency: &self.residency,
            maps: &self.maps,
            sized,
            buffers: &self.buffers,
        };
        let timing = &mut self.timing;
        if let Some(timing) = timing {
            timing.begin();
        }
        let encoding = &mut Encoding { encoder, timing };
        passes.deform(encoding);
        passes.shadows(encoding);
        passes.occlusion(encoding);
        passes.strand_points(encoding);
        passes.lit(encoding);
        passes.resolve(encoding);
        passes.bloom(encoding);
        passes.exposure(encoding);
        let edges = passes.edges();
        passes.tonemap(encoding, edges);
        passes.output(encoding, edges, target);
        if let Some(timing) = &self.timing {
            timing.end(encoder);
        }
    }
}

impl Renderer {
    /// Recreates size-dependent targets for an image of `size`, if needed. Returns the render size in pixels.
    pub(super) fn fit(&mut self, gpu: &Gpu, frame: &Frame, size: (u32, u32)) -> (u32, u32) {
        if let Some(followed) = self.maps.environment.follow(gpu, &frame.light) {
            self.sized = None;
            if let Some(lessened) = followed.lessened {
                self.residency.report_reduced_quality(lessened);
            }
        }
        self.fit_local_lights(gpu, frame);
        let sized = match &mut self.sized {
            Some(sized) if sized.targets.size == size => sized,
            other => other.insert(SizedTargets::new(
                gpu,
                &self.layouts,
                &self.maps,
                &self.buffers.finish,
                &self.adaptation,
                size,
                &self.options,
            )),
        };
        sized.targets.lit_size
    }

    /// Creates the shadow atlas of point and spot lights when the first such light appears.
    fn fit_local_lights(&mut self, gpu: &Gpu, frame: &Frame) {
        let (size, _) = self.options.light_shadow_size;
        if size == 0 || frame.light.local_lights.is_empty() {
            return;
        }
        match self.maps.resize_local_lights(gpu, size) {
            AtlasChange::Unchanged => {}
            AtlasChange::Resized => self.sized = None,
            AtlasChange::OutOfMemory => {
                self.options.light_shadow_size = (0, 0);
                let lost = "point and spot lights cast no shadows: the graphics device has too little memory";
                self.residency.report_reduced_quality(lost.into());
            }
        }
    }

    /// Computes the plan and the shader data of a frame.
    pub(super) fn plan_picture(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        lit_size: (u32, u32),
        agents: CrowdDrawSettings,
    ) -> GpuScene {
        let options = &self.options;
        let cascades = Cascades::fit(frame, lit_size, options);
        self.local_lights.build(frame, lit_size, options);
        let has_local_lights = !self.local_lights.local_lights.is_empty();
        let mut scene = scene_of(frame, lit_size, &cascades, has_local_lights, options);
        let environment = frame.light.environment.as_ref();
        self.maps.environment.fill(environment, &mut scene);
        let context = PlanContext {
            gpu,
            layouts: &self.layouts,
            mips: &self.passes.mip,
            size: lit_size,
            sights: if options.skips_unseen && gpu.is_software() {
                sights(frame, lit_size, &cascades, options)
            } else {
                Vec::new()
            },
            cascades: &cascades,
            local_lights: &self.local_lights,
            agents,
            impostors_from: options.impostors_from,
            waits: self.waits,
            sun_map: options.shadow_size,
            light_map: options.light_shadow_size.0,
            contact_from_world: scene.contact_from_world,
        };
        self.plan.build(&context, &mut self.residency, frame);
        scene
    }

    /// Returns how the crowd agents of a frame are drawn.
    fn agent_draw_settings(&self, frame: &Frame, lit_size: (u32, u32)) -> CrowdDrawSettings {
        CrowdDrawSettings {
            // Debug views show models only.
            models_below: match frame.view {
                Some(_) => u8::MAX,
                None => self.agents_as_models,
            },
            first_model: frame.models.len(),
            ..CrowdDrawSettings::plain(self.options.coarser_agents, lit_size.1)
        }
    }

    /// Requests the pipelines of a planned frame and uploads its data.
    fn prepare_picture(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        size: (u32, u32),
        lit_size: (u32, u32),
        scene: &GpuScene,
    ) {
        let view = ViewMode::of(frame);
        let views = &mut self.passes.views;
        if let Err(error) = views.prepare(gpu, view, frame, &self.plan, &self.residency) {
            self.residency.report_problem(error.to_string());
        }
        let encodes = self.output.is_srgb();
        let finish = finish_of(frame, size, lit_size, encodes, &self.options);
        let faults = prepare(
            &mut self.passes,
            &self.plan,
            frame,
            lit_size,
            scene,
            &finish,
            Pipelines {
                is_lit: view.is_none(),
                smooths: self.options.smooths,
                waits: self.waits,
            },
        );
        for fault in faults {
            self.residency.report_problem(fault.to_string());
        }
        self.adaptation.advance(gpu, frame);
        let written = FrameContents {
            scene,
            finish: &finish,
            plan: &self.plan,
            local_lights: &self.local_lights,
        };
        self.buffers
            .write(gpu, &self.layouts, &written, &self.residency);
    }

    /// Parts of the renderer that planning the deformation needs.
    pub(super) fn deform_parts(&mut self) -> (&Layouts, &Passes, &mut Plan, &mut Residency) {
        (
            &self.layouts,
            &self.passes,
            &mut self.plan,
            &mut self.residency,
        )
    }

    /// Uploads the plan and encodes the deform pass.
    pub(super) fn upload_and_deform(&mut self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder) {
        self.buffers.write_deform(gpu, &self.layouts, &self.plan);
        self.passes.deform.encode(
            encoder,
            &mut self.timing,
            &self.buffers.groups,
            &self.plan,
            &self.residency,
        );
    }
}

/// Grids of the image and of the sun's cascades, for triangle culling.
fn sights(
    frame: &Frame,
    lit_size: (u32, u32),
    cascades: &Cascades,
    options: &RenderOptions,
) -> Vec<SampleGrid> {
    let picture = SampleGrid::new(&frame.camera, lit_size, options.msaa);
    let maps = cascades.boxes().iter();
    let maps = maps.map(|fitted| SampleGrid::of_map(fitted.clip_from_world, options.shadow_size));
    [picture].into_iter().chain(maps).take(SIGHTS).collect()
}

/// Pipelines that a frame needs.
#[derive(Clone, Copy)]
struct Pipelines {
    /// The frame is lit; debug views are not.
    is_lit: bool,
    /// Edges are smoothed after tone mapping.
    smooths: bool,
    /// The frame waits for pipelines that are still compiling.
    waits: bool,
}

/// Requests the pipelines of a frame. Returns the first shader error.
fn prepare(
    passes: &mut Passes,
    plan: &Plan,
    frame: &Frame,
    lit_size: (u32, u32),
    scene: &GpuScene,
    finish: &Finish,
    Pipelines {
        is_lit,
        smooths,
        waits,
    }: Pipelines,
) -> Vec<ShaderError> {
    let traits = SceneTraits::of(scene);
    let finish = FinishTraits::of(finish);
    let mut results = vec![passes.tonemap.prepare(finish, smooths, waits)];
    if is_lit {
        let draws = plan.solid.iter().chain(&plan.blended);
        results.extend([
            passes.mesh.prepare(draws, traits, waits),
            passes.strand_points.prepare(&plan.solid, traits, waits),
            passes.ground.prepare(frame, lit_size, traits, waits),
            passes.sky.prepare(traits, waits),
        ]);
        if !plan.agents.impostors.instances.is_empty() {
            results.push(passes.impostors.prepare(traits, waits));
        }
        if !plan.particles.instances.is_empty() {
            results.push(passes.particles.prepare(traits, waits));
        }
    }
    results.into_iter().filter_map(Result::err).collect()
}
