//! Morphs and skins all models that are drawn or cast a shadow.

use std::sync::OnceLock;

use crate::deform_variant::DeformVariant;
use crate::device::Device;
use crate::frame_groups::FrameGroups;
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::plan::Plan;
use crate::residency::Residency;
use crate::shader::{ShaderError, ShaderSource, compile, validated};
use crate::timing::Timing;
use crate::uniforms::UNIFORM_STRIDE;

pub struct DeformPass {
    device: Device,
    module: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
    /// Pipelines by the index of their variant.
    pipelines: Vec<OnceLock<wgpu::ComputePipeline>>,
}

impl DeformPass {
    /// Compiles all pipelines except those of ribbons on a graphics card. A software renderer deforms on the CPU; there, one
    /// pipeline is compiled to validate the shader. The others are compiled on demand.
    pub fn new(gpu: &Gpu, layouts: &Layouts, shaders: &ShaderSource) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "deform.wgsl")?;
        validated(device, "deform.wgsl", || {
            let groups = [
                Some(&layouts.deform_frame),
                Some(&layouts.deform_geometry),
                Some(&layouts.deform_out),
            ];
            let pass = Self {
                device: device.clone(),
                module,
                layout: Layouts::pipeline(device, "deform", &groups),
                pipelines: DeformVariant::all().map(|_| OnceLock::new()).collect(),
            };
            let n = if gpu.is_software() { 1 } else { usize::MAX };
            for variant in DeformVariant::all()
                .filter(|variant| !variant.ribbons)
                .take(n)
            {
                pass.pipeline(variant);
            }
            pass
        })
    }

    fn pipeline(&self, variant: DeformVariant) -> &wgpu::ComputePipeline {
        self.pipelines[variant.index()].get_or_init(|| {
            let constants = [
                ("INFLUENCES", f64::from(variant.n_influences)),
                ("DUAL", f64::from(variant.dual)),
                ("TANGENTS", f64::from(u8::from(variant.tangents))),
                ("RIBBONS", f64::from(u8::from(variant.ribbons))),
            ];
            let descriptor = wgpu::ComputePipelineDescriptor {
                label: Some("deform"),
                layout: Some(&self.layout),
                module: &self.module,
                entry_point: Some("cs"),
                compilation_options: wgpu::PipelineCompilationOptions {
                    constants: &constants,
                    ..Default::default()
                },
                cache: None,
            };
            self.device.create_compute_pipeline(&descriptor)
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
        let mut set = None;
        for (i, deform) in plan.deforms.iter().enumerate() {
            let resident = residency.resident(deform.slot);
            let piece = &resident.pieces[deform.piece as usize];
            let geometry = &resident.geometries[piece.geometry];
            let chunk = &piece.chunks[deform.chunk as usize];
            if set.replace(deform.variant) != Some(deform.variant) {
                pass.set_pipeline(self.pipeline(deform.variant));
            }
            pass.set_bind_group(0, &groups.deform, &[i as u32 * UNIFORM_STRIDE]);
            pass.set_bind_group(1, &geometry.group, &[]);
            pass.set_bind_group(2, &chunk.group, &[]);
            pass.dispatch_workgroups(deform.groups.0, deform.groups.1, deform.n_jobs);
        }
    }
}
