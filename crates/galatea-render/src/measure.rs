//! Timing of the deform pass, and of a simple reference kernel.
//!
//! Used by benchmarks. The times are wall-clock times from submission to completion, so they include driver overhead. They
//! equal GPU time only on devices that share the CPU's clock.

use std::time::Instant;

use super::gpu::Gpu;
use super::gpu_error::GpuError;
use super::layouts::bind;
use super::local_lights::LocalLights;
use super::plan_context::{CrowdDrawSettings, PlanContext};
use super::renderer::Renderer;
use super::sun::Cascades;
use super::targets::texture;
use galatea_asset::skinning::{Skinning, SkinningMode};
use galatea_stage::Frame;

/// Deformation method of one piece of a model in GPU memory.
#[derive(Clone, Debug, PartialEq)]
pub struct SkinningUse {
    /// Index into the model's parts.
    pub part: usize,
    /// Index into the primitives of its mesh.
    pub primitive: usize,
    /// Blending of bone transforms.
    pub skinning: Skinning,
    /// Skinning technique; never [`SkinningMode::Auto`].
    pub mode: SkinningMode,
    /// Number of bones in the piece's palette.
    pub n_bones: usize,
    /// Influences read per vertex: 0, 4 or 8.
    pub n_influences: u32,
    /// Vertices of the piece.
    pub n_vertices: u32,
    /// Size of the morph offsets in GPU memory, bytes.
    pub morph_bytes: u64,
    /// Number of vertices in the whole primitive that lost an influence to the technique's limits, and the largest lost
    /// weight.
    pub lost: (usize, f32),
}

impl Renderer {
    /// Returns the deformation method of each piece of a model. Empty if the model is not in GPU memory.
    pub fn skinning_uses(&self, uid: u64) -> Vec<SkinningUse> {
        let Some(resident) = self.residency.residents().find(|one| one.uid == uid) else {
            return Vec::new();
        };
        let pieces = resident.pieces.iter().filter(|piece| piece.level == 0);
        let pieces = pieces.map(|piece| {
            let geometry = &resident.geometries[piece.geometry];
            SkinningUse {
                part: piece.part,
                primitive: piece.primitive,
                skinning: piece.skinning,
                mode: piece.mode,
                n_bones: match &piece.bones {
                    Some(bones) => bones.len(),
                    None => piece.palette.1 as usize,
                },
                n_influences: piece.n_influences,
                n_vertices: geometry.n_vertices,
                morph_bytes: geometry.morph_bytes,
                lost: piece.lost,
            }
        });
        pieces.collect()
    }

    /// Deforms a frame `rounds` times without drawing it. Returns the seconds of each round, from planning to the end of the
    /// pass. CPU deformation is included.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn time_deform(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        rounds: usize,
    ) -> Result<Vec<f64>, GpuError> {
        let mut times = Vec::with_capacity(rounds);
        for _ in 0..rounds {
            let start = Instant::now();
            self.encode_deform(gpu, frame);
            wait(gpu)?;
            times.push(start.elapsed().as_secs_f64());
        }
        Ok(times)
    }

    /// Draws a frame `rounds` times. Returns for each round the seconds until submission and the seconds until completion.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn time_pictures(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        size: (u32, u32),
        rounds: usize,
    ) -> Result<Vec<[f64; 2]>, GpuError> {
        let none = wgpu::TextureUsages::empty();
        let format = self.output_format();
        let target = texture(&gpu.device, "measured", size, format, 1, none);
        let mut times = Vec::with_capacity(rounds);
        for _ in 0..rounds {
            let start = Instant::now();
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            self.draw(gpu, frame, &mut encoder, &target, size);
            gpu.queue.submit([encoder.finish()]);
            let handed = start.elapsed().as_secs_f64();
            wait(gpu)?;
            times.push([handed, start.elapsed().as_secs_f64()]);
        }
        Ok(times)
    }

    /// Plans a frame `rounds` times without encoding it. Returns the seconds of each round.
    pub fn time_plans(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        size: (u32, u32),
        rounds: usize,
    ) -> Vec<f64> {
        let plan = |_| {
            let lit_size = self.fit(gpu, frame, size);
            let agents = CrowdDrawSettings::plain(self.options().coarser_agents, lit_size.1);
            let start = Instant::now();
            self.plan_picture(gpu, frame, lit_size, agents);
            start.elapsed().as_secs_f64()
        };
        (0..rounds).map(plan).collect()
    }

    fn encode_deform(&mut self, gpu: &Gpu, frame: &Frame) {
        let (layouts, passes, plan, residency) = self.deform_parts();
        let context = PlanContext {
            gpu,
            layouts,
            mips: &passes.mip,
            size: (64, 64),
            sights: Vec::new(),
            cascades: &Cascades::default(),
            local_lights: &LocalLights::default(),
            agents: CrowdDrawSettings::plain(0, 64),
            impostors_from: u8::MAX,
            waits: true,
            sun_map: 0,
            light_map: 0,
            contact_from_world: [[0.0; 4]; 4],
        };
        plan.build(&context, residency, frame);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.upload_and_deform(gpu, &mut encoder);
        gpu.queue.submit([encoder.finish()]);
    }
}

/// Times simple linear skinning of position and normal, or with `copy` a copy of the same number of bytes, in seconds. Each
/// vertex reads 64 bytes and writes 32, with four of `n_bones` bones.
///
/// # Errors
/// If the device is lost.
pub fn time_yardstick(
    gpu: &Gpu,
    n_vertices: u32,
    n_bones: u32,
    copy: bool,
    rounds: usize,
) -> Result<Vec<f64>, GpuError> {
    let device = &gpu.device;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("yardstick"),
        source: wgpu::ShaderSource::Wgsl(include_str!("../../../shaders/yardstick.wgsl").into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("yardstick"),
        layout: None,
        module: &module,
        entry_point: Some(if copy { "copied" } else { "naive" }),
        compilation_options: Default::default(),
        cache: None,
    });
    let storage = |label, bytes: &[u8]| {
        super::buffers::fixed(device, label, wgpu::BufferUsages::STORAGE, bytes)
    };
    let matrices = vec![glam::Mat4::IDENTITY; n_bones.max(1) as usize];
    let mut vertices: Vec<[f32; 16]> = Vec::with_capacity(n_vertices as usize);
    for v in 0..n_vertices {
        let joint = |k: u32| f32::from_bits((v * 7 + k * 13) % n_bones.max(1));
        let at = v as f32 * 0.001;
        vertices.push([
            at,
            1.0,
            -at,
            0.0,
            0.0,
            1.0,
            0.0,
            0.0,
            joint(0),
            joint(1),
            joint(2),
            joint(3),
            0.4,
            0.3,
            0.2,
            0.1,
        ]);
    }
    let palette = storage("palette", bytemuck::cast_slice(&matrices));
    let vertices = storage("vertices", bytemuck::cast_slice(&vertices));
    let out = storage("skinned", &vec![0; n_vertices as usize * 32]);
    let group = bind(
        device,
        "yardstick",
        &pipeline.get_bind_group_layout(0),
        &[
            palette.as_entire_binding(),
            vertices.as_entire_binding(),
            out.as_entire_binding(),
        ],
    );
    let mut times = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        let start = Instant::now();
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(n_vertices.div_ceil(64), 1, 1);
        drop(pass);
        gpu.queue.submit([encoder.finish()]);
        wait(gpu)?;
        times.push(start.elapsed().as_secs_f64());
    }
    Ok(times)
}

fn wait(gpu: &Gpu) -> Result<(), GpuError> {
    gpu.device
        .poll(wgpu::PollType::wait_indefinitely())
        .map(|_| ())
        .map_err(|error| GpuError::Readback(error.to_string()))
}
