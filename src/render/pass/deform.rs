//! Morphs and skins everything that is drawn or casts a shadow.

use crate::render::Gpu;
use crate::render::frame_buffers::FrameGroups;
use crate::render::layouts::Layouts;
use crate::render::plan::{DISPATCH_STRIDE, Plan};
use crate::render::residency::Residency;
use crate::render::shader::{ShaderError, ShaderSource, compile, validated};
use crate::render::timing::Timing;

pub struct DeformPass {
    pipeline: wgpu::ComputePipeline,
}

impl DeformPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, shaders: &ShaderSource) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "deform.wgsl")?;
        validated(device, "deform.wgsl", || {
            let groups = [
                Some(&layouts.deform_frame),
                Some(&layouts.deform_geometry),
                Some(&layouts.deform_out),
            ];
            let layout = Layouts::pipeline(device, "deform", &groups);
            let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some("deform"),
                layout: Some(&layout),
                module: &module,
                entry_point: Some("cs"),
                compilation_options: Default::default(),
                cache: None,
            });
            Self { pipeline }
        })
    }

    /// Encodes the pass: one dispatch per primitive for all its instances.
    pub fn encode(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &mut Option<Timing>,
        groups: &FrameGroups,
        plan: &Plan,
        residency: &Residency,
    ) {
        if plan.deforms.is_empty() {
            return;
        }
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("deform"),
            timestamp_writes: timing.as_mut().and_then(|t| t.compute("deform")),
        });
        pass.set_pipeline(&self.pipeline);
        for (i, deform) in plan.deforms.iter().enumerate() {
            let resident = residency.resident(deform.slot);
            let piece = &resident.pieces[deform.piece as usize];
            let geometry = &resident.geometries[piece.geometry];
            let chunk = &piece.chunks[deform.chunk as usize];
            pass.set_bind_group(0, &groups.deform, &[i as u32 * DISPATCH_STRIDE]);
            pass.set_bind_group(1, &geometry.group, &[]);
            pass.set_bind_group(2, &chunk.group, &[]);
            pass.dispatch_workgroups(deform.groups.0, deform.groups.1, deform.n_jobs);
        }
    }
}
