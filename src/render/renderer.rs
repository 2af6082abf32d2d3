//! One function tells the passes of a picture in order.

use super::Gpu;
use super::buffers::GrowBuffer;
use super::layouts::{Layouts, bind};
use super::light::{fit_sun, scene_of};
use super::pass::Passes;
use super::plan::{Plan, PlanContext};
use super::residency::Residency;
use super::shader::{ShaderError, ShaderSource};
use super::targets::{ShadowMaps, Targets};
use super::uniforms::{Dispatch, Scene};
use crate::stage::Frame;

/// Quality for speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    /// Samples per pixel, 4 or 1.
    pub msaa: u32,
    /// Texels along the sun's shadow map.
    pub shadow_size: u32,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            msaa: 4,
            shadow_size: 2048,
        }
    }
}

/// Draws frames; keeps in GPU memory what it drew lately.
pub struct Renderer {
    options: RenderOptions,
    output: wgpu::TextureFormat,
    layouts: Layouts,
    passes: Passes,
    shadow_maps: ShadowMaps,
    targets: Option<Targets>,
    buffers: FrameBuffers,
    pub(super) residency: Residency,
    pub(super) plan: Plan,
}

impl Renderer {
    /// A renderer that writes pictures of `output` format (8-bit; encoded to sRGB either way).
    ///
    /// # Errors
    /// The first faulty shader.
    pub fn new(
        gpu: &Gpu,
        shaders: &ShaderSource,
        output: wgpu::TextureFormat,
        options: RenderOptions,
    ) -> Result<Self, ShaderError> {
        let options = RenderOptions {
            msaa: if options.msaa >= 4 { 4 } else { 1 },
            shadow_size: options.shadow_size.clamp(256, 8192),
        };
        let layouts = Layouts::new(&gpu.device);
        Ok(Self {
            options,
            output,
            passes: Passes::new(gpu, &layouts, shaders, output, options)?,
            shadow_maps: ShadowMaps::new(&gpu.device, &layouts, options.shadow_size),
            targets: None,
            buffers: FrameBuffers::new(gpu, &layouts),
            residency: Residency::new(gpu),
            plan: Plan::default(),
            layouts,
        })
    }

    /// The format [`Renderer::draw`] writes.
    pub fn output_format(&self) -> wgpu::TextureFormat {
        self.output
    }

    /// Replaces all shaders, or none when one of them is faulty.
    ///
    /// # Errors
    /// The first faulty shader; the last good ones go on drawing.
    pub fn reload_shaders(&mut self, gpu: &Gpu, shaders: &ShaderSource) -> Result<(), ShaderError> {
        self.passes = Passes::new(gpu, &self.layouts, shaders, self.output, self.options)?;
        Ok(())
    }

    /// Whether the deformed vertices of the picture before stay readable by passes of the next ones (for
    /// motion vectors). Off at first; on, deformed vertices take twice the memory.
    pub fn keep_previous(&mut self, keeps: bool) {
        self.residency.keep_previous(keeps);
    }

    /// What could not be drawn since the last call, in plain words, each once.
    pub fn take_problems(&mut self) -> Vec<String> {
        self.residency.take_problems()
    }

    /// Models in GPU memory now.
    pub fn n_resident_models(&self) -> usize {
        self.residency.len()
    }

    /// Encodes the picture of `frame` onto `target`, `size` pixels large. Submit the encoder before
    /// the next call: data goes to the GPU at submission. Messages are not drawn here.
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
        let msaa = self.options.msaa;
        let targets = match &mut self.targets {
            Some(targets) if targets.size == size => targets,
            other => other.insert(Targets::new(&gpu.device, &self.layouts, size, msaa)),
        };
        let sun = fit_sun(frame, self.options.shadow_size);
        let context = PlanContext {
            gpu,
            layouts: &self.layouts,
            mips: &self.passes.mip,
            size,
            sun,
        };
        self.plan.build(&context, &mut self.residency, frame);
        let encodes = self.output.is_srgb();
        let scene = scene_of(frame, size, sun, self.options.shadow_size, encodes, msaa);
        self.buffers.write(gpu, &self.layouts, &scene, &self.plan);

        let (passes, plan, residency) = (&self.passes, &self.plan, &self.residency);
        let groups = &self.buffers.groups;
        passes.deform.encode(encoder, groups, plan, residency);
        passes
            .shadow
            .encode(encoder, &self.shadow_maps, groups, plan, residency);
        let nothing_stands = plan.contacts.is_empty();
        passes
            .contact
            .encode(encoder, &self.shadow_maps, groups, nothing_stands);

        let mut pass = targets.begin(encoder);
        pass.set_bind_group(0, &groups.scene, &[]);
        pass.set_bind_group(1, &self.shadow_maps.group, &[]);
        passes.mesh.draw(&mut pass, &plan.solid, residency);
        if frame.ground.is_some() {
            passes.ground.draw(&mut pass);
        }
        passes.sky.draw(&mut pass);
        passes.mesh.draw(&mut pass, &plan.blended, residency);
        drop(pass);

        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("output"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations::default(),
            })],
            ..Default::default()
        });
        pass.set_bind_group(0, &groups.scene, &[]);
        passes.tonemap.draw(&mut pass, &targets.hdr);
        let n_lines = plan.lines.len() as u32;
        passes
            .lines
            .draw(&mut pass, self.buffers.lines.buffer(), n_lines);
    }
}

impl Renderer {
    /// What planning the deformation alone needs.
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
        let groups = &self.buffers.groups;
        self.passes
            .deform
            .encode(encoder, groups, &self.plan, &self.residency);
    }
}

/// Bind groups of data that changes every picture.
pub struct FrameGroups {
    /// Group 0 of all drawing passes.
    pub scene: wgpu::BindGroup,
    /// Group 0 of `deform`.
    pub deform: wgpu::BindGroup,
}

struct FrameBuffers {
    scene: GrowBuffer,
    placements: GrowBuffer,
    palette: GrowBuffer,
    jobs: GrowBuffer,
    morphs: GrowBuffer,
    dispatches: GrowBuffer,
    lines: GrowBuffer,
    groups: FrameGroups,
}

impl FrameBuffers {
    fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
        use wgpu::BufferUsages as Usage;
        let make = |label, usage| GrowBuffer::new(&gpu.device, label, usage);
        let scene = make("scene", Usage::UNIFORM);
        let placements = make("placements", Usage::STORAGE);
        let palette = make("palette", Usage::STORAGE);
        let jobs = make("jobs", Usage::STORAGE);
        let morphs = make("morphs", Usage::STORAGE);
        let dispatches = make("dispatches", Usage::UNIFORM);
        Self {
            groups: FrameGroups {
                scene: scene_group(gpu, layouts, &scene, &placements),
                deform: deform_group(gpu, layouts, [&palette, &jobs, &morphs], &dispatches),
            },
            lines: make("lines", Usage::VERTEX),
            scene,
            placements,
            palette,
            jobs,
            morphs,
            dispatches,
        }
    }

    fn write(&mut self, gpu: &Gpu, layouts: &Layouts, scene: &Scene, plan: &Plan) {
        self.scene.write(gpu, bytemuck::bytes_of(scene));
        self.lines.write(gpu, bytemuck::cast_slice(&plan.lines));
        if self
            .placements
            .write(gpu, bytemuck::cast_slice(&plan.placements))
        {
            self.groups.scene = scene_group(gpu, layouts, &self.scene, &self.placements);
        }
        self.write_deform(gpu, layouts, plan);
    }

    fn write_deform(&mut self, gpu: &Gpu, layouts: &Layouts, plan: &Plan) {
        let moved = [
            self.palette.write(gpu, bytemuck::cast_slice(&plan.palette)),
            self.jobs.write(gpu, bytemuck::cast_slice(&plan.jobs)),
            self.morphs.write(gpu, bytemuck::cast_slice(&plan.morphs)),
            self.dispatches.write(gpu, &plan.dispatches),
        ];
        if moved.contains(&true) {
            let storage = [&self.palette, &self.jobs, &self.morphs];
            self.groups.deform = deform_group(gpu, layouts, storage, &self.dispatches);
        }
    }
}

fn scene_group(
    gpu: &Gpu,
    layouts: &Layouts,
    scene: &GrowBuffer,
    placements: &GrowBuffer,
) -> wgpu::BindGroup {
    let resources = [scene, placements].map(|b| b.buffer().as_entire_binding());
    bind(&gpu.device, "scene", &layouts.scene, &resources)
}

fn deform_group(
    gpu: &Gpu,
    layouts: &Layouts,
    storage: [&GrowBuffer; 3],
    dispatches: &GrowBuffer,
) -> wgpu::BindGroup {
    let [palette, jobs, morphs] = storage.map(|b| b.buffer().as_entire_binding());
    let dispatch = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer: dispatches.buffer(),
        offset: 0,
        size: wgpu::BufferSize::new(size_of::<Dispatch>() as u64),
    });
    let resources = [palette, jobs, morphs, dispatch];
    bind(
        &gpu.device,
        "deform frame",
        &layouts.deform_frame,
        &resources,
    )
}
