//! Morphs and skins everything that is drawn or casts a shadow.

use std::sync::OnceLock;

use crate::device::Device;
use crate::frame_groups::FrameGroups;
use crate::gpu::Gpu;
use crate::layouts::Layouts;
use crate::plan::{DISPATCH_STRIDE, Plan};
use crate::residency::Residency;
use crate::shader::{ShaderError, ShaderSource, compile, validated};
use crate::timing::Timing;
use galatea_asset::skinning::Skinning;

/// One way to skin, a pipeline of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// 0, 4 or 8.
    pub n_influences: u32,
    /// As `DUAL` of the shader.
    pub dual: u32,
    /// Tangents are deformed too.
    pub tangents: bool,
    /// Vertices are moved aside of their middle lines, with tangents.
    pub ribbons: bool,
}

impl Variant {
    /// Every one without tangents, by its index; with tangents, and as ribbons, they follow.
    const ALL: [Self; 7] = [
        Self::new(0, 0),
        Self::new(4, 0),
        Self::new(4, 1),
        Self::new(4, 2),
        Self::new(8, 0),
        Self::new(8, 1),
        Self::new(8, 2),
    ];

    const fn new(n_influences: u32, dual: u32) -> Self {
        Self {
            n_influences,
            dual,
            tangents: false,
            ribbons: false,
        }
    }

    /// That of a primitive, some of whose instances have bones that stretch, or materials that read tangents.
    pub fn of(n_influences: u32, skinning: Skinning, stretches: bool, tangents: bool) -> Self {
        let dual = match skinning {
            Skinning::DualQuaternion if n_influences > 0 => 1 + u32::from(stretches),
            _ => 0,
        };
        Self {
            tangents,
            ..Self::new(n_influences, dual)
        }
    }

    fn all() -> impl Iterator<Item = Self> {
        const KINDS: [(bool, bool); 3] = [(false, false), (true, false), (true, true)];
        KINDS.into_iter().flat_map(|(tangents, ribbons)| {
            let all = Self::ALL.into_iter();
            all.map(move |plain| Self {
                tangents,
                ribbons,
                ..plain
            })
        })
    }

    fn index(self) -> usize {
        Self::all().position(|one| one == self).unwrap_or(0)
    }
}

pub struct DeformPass {
    device: Device,
    module: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
    /// By their variant's index.
    pipelines: Vec<OnceLock<wgpu::ComputePipeline>>,
}

impl DeformPass {
    /// All pipelines but those of ribbons, on a graphics card; where the processor draws, which deforms by itself, only
    /// one, to see that the shader is sound; others when something asks for them.
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
                pipelines: Variant::all().map(|_| OnceLock::new()).collect(),
            };
            let n = if gpu.is_software() { 1 } else { usize::MAX };
            for variant in Variant::all().filter(|variant| !variant.ribbons).take(n) {
                pass.pipeline(variant);
            }
            pass
        })
    }

    fn pipeline(&self, variant: Variant) -> &wgpu::ComputePipeline {
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
            pass.set_bind_group(0, &groups.deform, &[i as u32 * DISPATCH_STRIDE]);
            pass.set_bind_group(1, &geometry.group, &[]);
            pass.set_bind_group(2, &chunk.group, &[]);
            pass.dispatch_workgroups(deform.groups.0, deform.groups.1, deform.n_jobs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_skin_has_its_pipeline() {
        for (i, variant) in Variant::all().enumerate() {
            assert_eq!(variant.index(), i);
        }
        let dual = Variant::of(8, Skinning::DualQuaternion, true, true);
        assert_eq!(
            dual,
            Variant {
                tangents: true,
                ..Variant::new(8, 2)
            }
        );
        let rigid = Variant::of(0, Skinning::DualQuaternion, true, false);
        assert_eq!(rigid.index(), 0);
    }
}
