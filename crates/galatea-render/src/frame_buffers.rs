//! Buffers that are written every frame, and the bind groups that contain them.

use bytemuck::{bytes_of, cast_slice};

use super::buffers::{GrowBuffer, part};
use super::frame_groups::FrameGroups;
use super::gpu::Gpu;
use super::layouts::{Layouts, bind};
use super::local_lights::LocalLights;
use super::plan::Plan;
use super::residency::Residency;
use super::strands::StrandBuffers;
use super::uniforms::{Dispatch, Finish, GpuMaterial, GpuScene, GpuView, GpuWrinkles};

/// CPU data to upload for a frame.
#[derive(Clone, Copy)]
pub struct FrameContents<'a> {
    pub scene: &'a GpuScene,
    pub finish: &'a Finish,
    pub plan: &'a Plan,
    pub local_lights: &'a LocalLights,
}

/// Per-frame GPU buffers and their bind groups.
pub struct FrameBuffers {
    scene: GrowBuffer,
    placements: GrowBuffer,
    agents: GrowBuffer,
    poses: GrowBuffer,
    /// Version of the poses in the buffer.
    poses_version: u64,
    lists: GrowBuffer,
    triangles: GrowBuffer,
    local_lights: GrowBuffer,
    light_views: GrowBuffer,
    cells: GrowBuffer,
    palette: GrowBuffer,
    jobs: GrowBuffer,
    morphs: GrowBuffer,
    dispatches: GrowBuffer,
    views: GrowBuffer,
    factors: GrowBuffer,
    wrinkles: GrowBuffer,
    pub finish: GrowBuffer,
    pub lines: GrowBuffer,
    pub particles: GrowBuffer,
    pub impostors: GrowBuffer,
    pub strands: StrandBuffers,
    pub groups: FrameGroups,
}

impl FrameBuffers {
    pub fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
        use wgpu::BufferUsages as Usage;
        let make = |label, usage| GrowBuffer::new(&gpu.device, label, usage);
        let mut scene = make("scene", Usage::UNIFORM);
        // The bind group is created before the first frame.
        scene.reserve(gpu, size_of::<GpuScene>() as u64);
        let placements = make("placements", Usage::STORAGE | Usage::VERTEX);
        let agents = make("agents", Usage::STORAGE);
        let poses = make("poses", Usage::STORAGE);
        let lists = make("lists of agents", Usage::VERTEX);
        let triangles = make("triangles", Usage::INDEX);
        let local_lights = make("local lights", Usage::STORAGE);
        let light_views = make("local light views", Usage::STORAGE);
        let cells = make("cells", Usage::STORAGE);
        let palette = make("palette", Usage::STORAGE);
        let jobs = make("jobs", Usage::STORAGE);
        let morphs = make("morphs", Usage::STORAGE);
        let dispatches = make("dispatches", Usage::UNIFORM);
        let views = make("views", Usage::UNIFORM);
        let factors = make("factors", Usage::UNIFORM);
        let mut wrinkles = make("wrinkles", Usage::UNIFORM);
        wrinkles.reserve(gpu, size_of::<GpuWrinkles>() as u64);
        let finish = make("finish", Usage::UNIFORM);
        let lit = [
            &scene,
            &placements,
            &local_lights,
            &light_views,
            &cells,
            &agents,
            &poses,
        ];
        let groups = FrameGroups {
            scene: scene_group(gpu, layouts, lit),
            placements: placements.buffer().clone(),
            agents: lists.buffer().clone(),
            triangles: triangles.buffer().clone(),
            deform: deform_group(gpu, layouts, [&palette, &jobs, &morphs], &dispatches),
            views: one_of::<GpuView>(gpu, &layouts.view, &views),
            stamped: Vec::new(),
            factors: factors_group(gpu, layouts, [&factors, &wrinkles]),
            finish: bind(
                &gpu.device,
                "finish",
                &layouts.finish,
                &[finish.buffer().as_entire_binding()],
            ),
        };
        Self {
            lines: make("lines", Usage::VERTEX),
            impostors: make("impostors", Usage::VERTEX),
            particles: make("particles", Usage::VERTEX),
            strands: StrandBuffers::new(gpu),
            groups,
            scene,
            placements,
            agents,
            poses,
            poses_version: 0,
            lists,
            triangles,
            local_lights,
            light_views,
            cells,
            palette,
            jobs,
            morphs,
            dispatches,
            views,
            factors,
            wrinkles,
            finish,
        }
    }

    pub fn write(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        written: &FrameContents<'_>,
        residency: &Residency,
    ) {
        let FrameContents {
            scene,
            finish,
            plan,
            local_lights,
        } = *written;
        self.scene.write(gpu, bytes_of(scene));
        self.finish.write(gpu, bytes_of(finish));
        self.lines.write(gpu, cast_slice(&plan.lines));
        let particles = cast_slice(&plan.particles.instances);
        self.particles.write(gpu, particles);
        let impostors = cast_slice(&plan.agents.impostors.instances);
        self.impostors.write(gpu, impostors);
        if self.triangles.write(gpu, cast_slice(&plan.on_cpu.indices)) {
            self.groups.triangles = self.triangles.buffer().clone();
        }
        if self.lists.write(gpu, cast_slice(&plan.agents.lists)) {
            self.groups.agents = self.lists.buffer().clone();
        }
        let poses = &plan.agents.rows;
        let is_new = std::mem::replace(&mut self.poses_version, poses.version) != poses.version;
        let moved = [
            self.agents.write(gpu, cast_slice(&plan.agents.agents)),
            is_new && self.poses.write(gpu, cast_slice(&poses.rows)),
            self.placements.write(gpu, cast_slice(&plan.placements)),
            self.local_lights
                .write(gpu, cast_slice(&local_lights.local_lights)),
            self.light_views.write(gpu, cast_slice(&local_lights.views)),
            self.cells.write(gpu, cast_slice(&local_lights.cells)),
        ];
        if moved.contains(&true) {
            let lit = [
                &self.scene,
                &self.placements,
                &self.local_lights,
                &self.light_views,
                &self.cells,
                &self.agents,
                &self.poses,
            ];
            self.groups.scene = scene_group(gpu, layouts, lit);
            self.groups.placements = self.placements.buffer().clone();
        }
        self.strands
            .write(gpu, layouts, &plan.strands, &plan.solid, residency);
        self.write_deform(gpu, layouts, plan);
        self.groups.stamped.clone_from(&plan.decals.groups);
        if self.views.write(gpu, &plan.casting.matrices) {
            self.groups.views = one_of::<GpuView>(gpu, &layouts.view, &self.views);
        }
        let moved = [
            self.factors.write(gpu, &plan.materials.factors),
            self.wrinkles.write(gpu, &plan.materials.wrinkles),
        ];
        if moved.contains(&true) {
            let buffers = [&self.factors, &self.wrinkles];
            self.groups.factors = factors_group(gpu, layouts, buffers);
        }
    }

    /// Uploads the data of the deform pass.
    pub fn write_deform(&mut self, gpu: &Gpu, layouts: &Layouts, plan: &Plan) {
        let moved = [
            self.palette.write(gpu, cast_slice(&plan.palette)),
            self.jobs.write(gpu, cast_slice(&plan.jobs)),
            self.morphs.write(gpu, cast_slice(&plan.morphs)),
            self.dispatches.write(gpu, &plan.dispatches),
        ];
        if moved.contains(&true) {
            let storage = [&self.palette, &self.jobs, &self.morphs];
            self.groups.deform = deform_group(gpu, layouts, storage, &self.dispatches);
        }
    }
}

fn scene_group(gpu: &Gpu, layouts: &Layouts, buffers: [&GrowBuffer; 7]) -> wgpu::BindGroup {
    let resources = buffers.map(|b| b.buffer().as_entire_binding());
    bind(&gpu.device, "scene", &layouts.scene, &resources)
}

fn one_of<T>(gpu: &Gpu, layout: &wgpu::BindGroupLayout, buffer: &GrowBuffer) -> wgpu::BindGroup {
    bind(&gpu.device, "one of many", layout, &[part::<T>(buffer)])
}

fn factors_group(
    gpu: &Gpu,
    layouts: &Layouts,
    [factors, wrinkles]: [&GrowBuffer; 2],
) -> wgpu::BindGroup {
    let parts = [part::<GpuMaterial>(factors), part::<GpuWrinkles>(wrinkles)];
    bind(&gpu.device, "factors", &layouts.factors, &parts)
}

fn deform_group(
    gpu: &Gpu,
    layouts: &Layouts,
    storage: [&GrowBuffer; 3],
    dispatches: &GrowBuffer,
) -> wgpu::BindGroup {
    let [palette, jobs, morphs] = storage.map(|b| b.buffer().as_entire_binding());
    let resources = [palette, jobs, morphs, part::<Dispatch>(dispatches)];
    bind(
        &gpu.device,
        "deform frame",
        &layouts.deform_frame,
        &resources,
    )
}
