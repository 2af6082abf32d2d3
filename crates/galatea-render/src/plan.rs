//! Deform jobs and draws of one frame, in order, computed on the CPU.

mod model;

use std::collections::HashMap;

use super::casting::Casting;
use super::crowd_agents::{CrowdAgents, Draws};
use super::decals::DecalTextures;
use super::deform_variant::DeformVariant;
use super::draw::Draw;
use super::draw_lists::DrawLists;
use super::material_factors::MaterialFactors;
use super::on_cpu::OnCpu;
use super::particles::Particles;
use super::placing::is_whole;
use super::plan_context::PlanContext;
use super::residency::Residency;
use super::strands::Strands;
use super::uniforms::{GpuMatrix, GpuMorph, GpuPlacement, Job, LineVertex};
use super::view::{sphere_is_seen, view_planes};
use super::visibility::SeenInstance;
use galatea_stage::frame::Frame;

/// One dispatch of the deform pass.
#[derive(Clone, Copy, Debug)]
pub struct Deform {
    pub slot: u32,
    pub piece: u32,
    pub chunk: u32,
    pub variant: DeformVariant,
    pub groups: (u32, u32),
    pub n_jobs: u32,
}

/// Work of one frame. Rebuilt in index every frame.
#[derive(Default)]
pub struct Plan {
    /// Rows: three for each matrix of the frame, then small palettes and dual quaternions.
    pub palette: Vec<[f32; 4]>,
    /// Transforms of the frame's models, then copies for draws of several instances.
    pub placements: Vec<GpuPlacement>,
    /// For each copied placement, the index of its model in the frame.
    repeated: Vec<u32>,
    pub jobs: Vec<Job>,
    pub morphs: Vec<GpuMorph>,
    /// [`Dispatch`]es, [`UNIFORM_STRIDE`] apart.
    pub dispatches: Vec<u8>,
    pub deforms: Vec<Deform>,
    /// Opaque and cut-out draws, grouped by pipeline.
    pub solid: Vec<Draw>,
    /// Blended draws, from far to near.
    pub blended: Vec<Draw>,
    /// Draws that cast into at least one depth map.
    pub casters: Vec<Draw>,
    /// Depth maps to draw.
    pub casting: Casting,
    /// Material factors.
    pub materials: MaterialFactors,
    /// Crowd agents.
    pub agents: CrowdAgents,
    pub lines: Vec<LineVertex>,
    pub particles: Particles,
    pub strands: Strands,
    /// Tangents are always deformed, even if no material reads them.
    pub keeps_tangents: bool,
    slots: Vec<u32>,
    /// Dual quaternions of the matrices from each index on: first row, and true if a bone stretches.
    motions: HashMap<u32, (u32, bool)>,
    /// Decals over materials.
    pub decals: DecalTextures,
    pub on_cpu: OnCpu,
    /// Sign of the determinant of every palette matrix.
    signs: Vec<i8>,
}

impl Plan {
    /// Plans a frame, and uploads the models that are not in GPU memory.
    pub fn build(&mut self, context: &PlanContext<'_>, residency: &mut Residency, frame: &Frame) {
        self.clear();
        self.copy_frame(context, frame);
        self.casting.plan(context, frame);
        residency.begin();
        self.find_instances(context, residency, frame);
        let keeping = residency.keeping();
        for i in 0..self.slots.len() {
            let slot = self.slots[i];
            self.plan_model(context, residency.resident_mut(slot), slot, keeping, frame);
        }
        let mut draws = Draws {
            lists: DrawLists {
                solid: &mut self.solid,
                blended: &mut self.blended,
            },
            casters: &mut self.casters,
            materials: &mut self.materials,
            casting: &mut self.casting,
        };
        self.agents.build(context, residency, frame, &mut draws);
        // Near models come first, so that hidden pixels are not shaded.
        self.solid.sort_by(|a, b| {
            let nearer = a.distance.total_cmp(&b.distance);
            a.style.cmp(&b.style).then(nearer)
        });
        self.strands
            .build(&mut self.solid, &self.on_cpu.indices, residency);
        self.blended.sort_by(|a, b| {
            a.order
                .cmp(&b.order)
                .then(b.distance.total_cmp(&a.distance))
        });
        let problem = self.particles.build(
            context.gpu,
            context.layouts,
            context.mips,
            frame,
            context.size,
        );
        if let Some(problem) = problem {
            residency.report_problem(problem);
        }
    }

    /// Copies the matrices, positions and lines of a frame.
    fn copy_frame(&mut self, context: &PlanContext<'_>, frame: &Frame) {
        let limit = context.gpu.device.limits().max_storage_buffer_binding_size;
        let max_matrices = (limit / size_of::<GpuMatrix>() as u64) as usize;
        let used = &frame.palette[..frame.palette.len().min(max_matrices)];
        let rows = used.iter().map(GpuMatrix::from);
        self.palette.extend(rows.flat_map(|m| [m.x, m.y, m.z]));
        self.signs.extend(used.iter().map(|m| {
            let determinant = m.matrix3.determinant();
            i8::from(determinant > 0.0) - i8::from(determinant < 0.0)
        }));
        let placements = frame.models.iter().map(|m| &m.world_from_model);
        self.placements.extend(placements.map(GpuPlacement::from));
        self.lines.extend(frame.lines.iter().map(|line| LineVertex {
            from: line.from.to_array(),
            to: line.to.to_array(),
            color: line.color.to_array(),
        }));
    }

    /// Uploads the models of a frame and finds which of their instances are visible or cast shadows.
    fn find_instances(
        &mut self,
        context: &PlanContext<'_>,
        residency: &mut Residency,
        frame: &Frame,
    ) {
        let n_matrices = self.signs.len();
        let planes = view_planes(&frame.camera, context.size);
        for (i, draw) in frame.models.iter().enumerate() {
            let slot = residency.ensure(context.gpu, context.layouts, context.mips, &draw.model);
            let resident = residency.resident_mut(slot);
            if !is_whole(draw, resident, n_matrices, frame.morph_weights.len()) {
                tracing::debug!(
                    "{}: its palette or weights are missing from the frame",
                    draw.model.name
                );
                continue;
            }
            let seen = SeenInstance {
                instance: i as u32,
                in_view: sphere_is_seen(&planes, draw.bounds),
                views: if i < context.agents.first_model {
                    self.casting.of(context, frame, draw.bounds)
                } else {
                    0
                },
            };
            self.casting.note(seen.views);
            if seen.in_view || seen.views != 0 {
                if resident.instances.is_empty() {
                    self.slots.push(slot);
                }
                resident.instances.push(seen);
            }
        }
    }

    fn clear(&mut self) {
        self.palette.clear();
        self.motions.clear();
        self.signs.clear();
        self.placements.clear();
        self.repeated.clear();
        self.jobs.clear();
        self.morphs.clear();
        self.dispatches.clear();
        self.deforms.clear();
        self.solid.clear();
        self.blended.clear();
        self.casters.clear();
        self.materials.clear();
        self.lines.clear();
        self.slots.clear();
        self.on_cpu.clear();
        self.decals.begin();
    }

    /// Returns true if a draw contains an instance, given by its index in the frame's models.
    pub fn contains_instance(&self, draw: &Draw, instance: u32) -> bool {
        let own = (self.placements.len() - self.repeated.len()) as u32;
        let (first, n) = draw.placements;
        (first..first + n).any(|index| match index.checked_sub(own) {
            None => index == instance,
            Some(repeated) => self.repeated[repeated as usize] == instance,
        })
    }
}
