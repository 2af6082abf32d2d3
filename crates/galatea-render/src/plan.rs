//! What one picture deforms and draws, in which order, worked out on the CPU.

use std::collections::HashMap;

use bytemuck::{Zeroable, bytes_of};

use super::casting::Casting;
use super::decals::{Decals, NO_DECALS, ShownMaterial};
use super::deform_variant::DeformVariant;
use super::draw::{Blending, Class, Draw, Style, Triangles, Winding, draw_together};
use super::geometry::{Geometry, HEADLESS};
use super::levels;
use super::looks::Looks;
use super::on_cpu::{Instance, OnCpu};
use super::particles::Particles;
use super::people::{Draws, People};
use super::piece::{Keeping, Piece};
use super::placing::{SMALLEST_WEIGHT, along_view, distance_of, is_whole, shape_of};
use super::plan_context::PlanContext;
use super::residency::{Residency, Resident};
use super::strands::Strands;
use super::uniforms::{self, Dispatch, Job, LineVertex, Matrix, Morph, Placement, UNIFORM_STRIDE};
use super::view::{eye_of, sphere_is_seen, view_planes};
use super::visibility::SeenInstance;
use galatea_asset::skinning::{Skinning, SkinningMode};
use galatea_deform::RigidStretch;
use galatea_stage::frame::{DrawModel, Frame};

const WORKGROUP: u32 = 64;
const MOST_GROUPS: u32 = 65535;

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

/// One picture's work. Rebuilt in place every picture.
#[derive(Default)]
pub struct Plan {
    /// Rows: three for each matrix of the frame, then small palettes and dual quaternions.
    pub palette: Vec<[f32; 4]>,
    /// Of the frame's models, then of draws that draw several.
    pub placements: Vec<Placement>,
    /// Models of the frame whose placements those after its own repeat.
    repeated: Vec<u32>,
    pub jobs: Vec<Job>,
    pub morphs: Vec<Morph>,
    /// [`Dispatch`]es, [`UNIFORM_STRIDE`] apart.
    pub dispatches: Vec<u8>,
    pub deforms: Vec<Deform>,
    /// Opaque and cut-out, grouped by pipeline.
    pub solid: Vec<Draw>,
    /// From far to near.
    pub blended: Vec<Draw>,
    /// What casts into any view.
    pub casters: Vec<Draw>,
    /// Maps of depth to draw.
    pub casting: Casting,
    /// How materials look.
    pub looks: Looks,
    /// People of crowds.
    pub people: People,
    pub lines: Vec<LineVertex>,
    pub particles: Particles,
    pub strands: Strands,
    /// Tangents are deformed whether or not a material reads them.
    pub keeps_tangents: bool,
    slots: Vec<u32>,
    /// Dual quaternions made for the matrices from here on: first row, whether some stretch.
    motions: HashMap<u32, (u32, bool)>,
    /// Decals over materials.
    pub decals: Decals,
    pub on_cpu: OnCpu,
    /// Sign of the determinant of every palette matrix.
    signs: Vec<i8>,
}

impl Plan {
    /// Plans a picture of `frame`, uploading models that are not in GPU memory yet.
    pub fn build(&mut self, context: &PlanContext<'_>, residency: &mut Residency, frame: &Frame) {
        self.clear();
        let limit = context.gpu.device.limits().max_storage_buffer_binding_size;
        let most_matrices = (limit / size_of::<Matrix>() as u64) as usize;
        let used = &frame.palette[..frame.palette.len().min(most_matrices)];
        let rows = used.iter().map(Matrix::from);
        self.palette.extend(rows.flat_map(|m| [m.x, m.y, m.z]));
        self.signs.extend(used.iter().map(|m| {
            let determinant = m.matrix3.determinant();
            i8::from(determinant > 0.0) - i8::from(determinant < 0.0)
        }));
        let placements = frame.models.iter().map(|m| &m.world_from_model);
        self.placements.extend(placements.map(Placement::from));
        self.lines.extend(frame.lines.iter().map(|line| LineVertex {
            from: line.from.to_array(),
            to: line.to.to_array(),
            color: line.color.to_array(),
        }));

        self.casting.plan(context, frame);
        residency.begin();
        let planes = view_planes(&frame.camera, context.size);
        for (i, draw) in frame.models.iter().enumerate() {
            let slot = residency.ensure(context.gpu, context.layouts, context.mips, &draw.model);
            let resident = residency.resident_mut(slot);
            if !is_whole(draw, resident, used.len(), frame.morph_weights.len()) {
                tracing::debug!(
                    "{}: its palette or weights are not in the frame",
                    draw.model.name
                );
                continue;
            }
            let seen = SeenInstance {
                instance: i as u32,
                in_view: sphere_is_seen(&planes, draw.bounds),
                views: if i < context.people.first_model {
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
        let keeping = residency.keeping();
        for i in 0..self.slots.len() {
            let slot = self.slots[i];
            self.plan_model(context, residency.resident_mut(slot), slot, keeping, frame);
        }
        let mut draws = Draws {
            solid: &mut self.solid,
            blended: &mut self.blended,
            casters: &mut self.casters,
            looks: &mut self.looks,
            casting: &mut self.casting,
        };
        self.people.build(context, residency, frame, &mut draws);
        // Near models first: what they hide is not shaded.
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
            residency.tell(problem);
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
        self.looks.clear();
        self.lines.clear();
        self.slots.clear();
        self.on_cpu.clear();
        self.decals.begin();
    }

    fn plan_model(
        &mut self,
        context: &PlanContext<'_>,
        resident: &mut Resident,
        slot: u32,
        keeping: Keeping,
        frame: &Frame,
    ) {
        levels::add(context.gpu, context.layouts, resident, frame);
        let Resident {
            uid,
            pieces,
            geometries,
            materials,
            instances,
            ..
        } = resident;
        let drawn = instances.iter().map(|seen| seen.instance);
        self.looks.begin_model(materials, drawn, frame);
        // A view may paint every instance its own way, and read anything.
        let may_share = frame.view.is_none();
        for (piece_idx, piece) in pieces.iter_mut().enumerate() {
            let geometry = &geometries[piece.geometry];
            let first_job = self.jobs.len() as u32;
            let (mut n_jobs, mut stretches) = (0, false);
            let (solid_from, casters_from) = (self.solid.len(), self.casters.len());
            let blended_from = self.blended.len();
            let (mut shape, mut shares) = (None, false);
            let mut tangents = self.keeps_tangents || !may_share || geometry.is_ribbon;
            piece.turn(keeping);
            self.on_cpu.instances.clear();
            for &seen in instances.iter() {
                let instance = seen.instance;
                let model = &frame.models[instance as usize];
                let level = model.coarser.as_ref().map_or(0, |coarser| coarser.1);
                if !model.shows(piece.part) || !piece.draws(level) {
                    continue;
                }
                let bare = model.headless.as_ref();
                let bare = bare.and_then(|it| it.triangles(piece.part, piece.primitive));
                let in_view = seen.in_view && bare.is_none_or(|triangles| !triangles.is_empty());
                // Ribbons turn to the eye, each from where it stands.
                let may = may_share && !geometry.is_ribbon;
                let own = may.then(|| shape_of(piece, &geometry.targets, model, frame));
                let own = own.flatten();
                let is_new = own.is_none() || own != shape;
                if is_new {
                    match self.push_job(context, piece, geometry, model, frame) {
                        Some(found) => stretches |= found,
                        None => continue,
                    }
                    n_jobs += 1;
                    shape = own;
                }
                shares |= !is_new;
                let job = n_jobs - 1;
                let world_sign = self.placements[instance as usize].normal_x[3];
                let winding = self.winding(piece, model, world_sign);
                let material = piece.material_in(model.variant);
                let (look, mut factors) = self.looks.of(materials, instance, material);
                let mut look = *look;
                if geometry.is_ribbon
                    && look.class == Class::Hair
                    && look.blending == Blending::Opaque
                {
                    look.class = Class::Strands;
                }
                let shown = ShownMaterial {
                    model: *uid,
                    index: material as u32,
                    material: &materials[material],
                };
                let decals = self.decals_of(context, piece, shown, model, frame);
                if decals != NO_DECALS {
                    look.factors.flags |= uniforms::flag::DECALS;
                    factors = self.looks.stamped(factors);
                }
                let mut draw = Draw {
                    style: Style {
                        blending: look.blending,
                        class: look.class,
                        culls: !look.is_double_sided && !winding.is_mixed,
                        is_mirrored: winding.is_mirrored,
                        is_person: false,
                        flags: look.factors.flags,
                    },
                    slot,
                    piece: piece_idx as u32,
                    job,
                    job_before: piece.follow(keeping.keeps_previous, model.instance, job),
                    instance,
                    placed: (instance, 1),
                    triangles: Triangles::default(),
                    distance: along_view(frame, model.bounds.0),
                    order: look.order,
                    material: material as u32,
                    has_holes: look.is_cut_out,
                    factors,
                    wrinkles: self.looks.wrinkles_of(instance, material),
                    decals,
                    level,
                    first_lit: 0,
                    views: seen.views,
                };
                tangents |= draw.style.reads_tangents();
                if is_new {
                    let side = in_view.then(|| draw.style.side());
                    self.on_cpu.instances.push(Instance {
                        model: instance,
                        side,
                        views: seen.views,
                    });
                }
                if seen.views != 0 && look.casts && !piece.is_fine {
                    self.casters.push(draw);
                }
                if !in_view {
                    continue;
                }
                if bare.is_some() {
                    draw.level = HEADLESS;
                }
                if look.blending == Blending::Over {
                    if look.has_core {
                        let mut core = draw;
                        core.style.blending = Blending::CutOut;
                        self.solid.push(core);
                    }
                    draw.distance = distance_of(piece, geometry.middle, model, frame);
                    self.blended.push(draw);
                } else {
                    self.solid.push(draw);
                }
                if look.has_outline {
                    draw.style = Style {
                        blending: Blending::Opaque,
                        class: Class::Outline,
                        culls: true,
                        is_mirrored: winding.is_mirrored,
                        is_person: false,
                        flags: look.factors.flags,
                    };
                    self.solid.push(draw);
                }
            }
            if shares {
                let (placements, repeated) = (&mut self.placements, &mut self.repeated);
                draw_together(&mut self.solid, solid_from, placements, repeated);
                draw_together(&mut self.casters, casters_from, placements, repeated);
            }
            piece.reserve(context.gpu, context.layouts, geometry.n_vertices, n_jobs);
            if piece.mode == SkinningMode::Cpu {
                let n_sights = if shares || !may_share {
                    0
                } else {
                    context.sights.len()
                };
                let sights = &context.sights[..n_sights];
                self.on_cpu.deform(
                    context.gpu,
                    piece,
                    geometry.n_vertices,
                    context.size,
                    frame,
                    sights,
                );
                self.on_cpu.give_triangles(&mut self.solid, solid_from);
                self.on_cpu.give_triangles(&mut self.blended, blended_from);
                for draw in &mut self.casters[casters_from..] {
                    let found = self.on_cpu.triangles.get(draw.job as usize);
                    draw.triangles = found.copied().unwrap_or_default();
                }
                continue;
            }
            let full = piece.chunk_capacity;
            for chunk in 0..n_jobs.div_ceil(full) {
                let groups = geometry.n_vertices.div_ceil(WORKGROUP);
                let row = groups.min(MOST_GROUPS);
                let dispatch = Dispatch {
                    first_job: first_job + chunk * full,
                    n_vertices: geometry.n_vertices,
                    padding: 0,
                    row: row * WORKGROUP,
                };
                self.dispatches.extend_from_slice(bytes_of(&dispatch));
                let end = (self.deforms.len() + 1) * UNIFORM_STRIDE as usize;
                self.dispatches.resize(end, 0);
                self.deforms.push(Deform {
                    slot,
                    piece: piece_idx as u32,
                    chunk,
                    variant: DeformVariant {
                        ribbons: geometry.is_ribbon,
                        ..DeformVariant::of(piece.n_influences, piece.skinning, stretches, tangents)
                    },
                    groups: (row, groups.div_ceil(row)),
                    n_jobs: (n_jobs - chunk * full).min(full),
                });
            }
        }
    }

    /// Which pictures a piece of an instance has with decals over them.
    fn decals_of(
        &mut self,
        context: &PlanContext<'_>,
        piece: &Piece,
        shown: ShownMaterial<'_>,
        model: &DrawModel,
        frame: &Frame,
    ) -> u32 {
        let material = piece.material as u16;
        let layers = frame.decals_of(model);
        let Ok(at) = layers.binary_search_by_key(&material, |layer| layer.0) else {
            return NO_DECALS;
        };
        let key = (model.instance, material);
        let layer = &layers[at].1;
        self.decals
            .over(context.gpu, context.layouts, key, layer, shown)
    }

    /// Notes one instance of a piece, and tells whether its dual quaternions stretch; `None` when its
    /// bones find no room.
    fn push_job(
        &mut self,
        context: &PlanContext<'_>,
        piece: &Piece,
        geometry: &Geometry,
        model: &DrawModel,
        frame: &Frame,
    ) -> Option<bool> {
        let (palette, stretches) = self.palette_of(context, piece, model, frame)?;
        let first_morph = self.morphs.len() as u32;
        let first = (model.morph_start + piece.first_weight) as usize;
        let weights = frame.morph_weights.get(first..).unwrap_or_default();
        for (target, &weight) in geometry.targets.iter().zip(weights) {
            if weight.abs() > SMALLEST_WEIGHT && target.n_blocks > 0 {
                self.morphs.push(Morph { weight, ..*target });
            }
        }
        let mut job = Job {
            palette,
            first_morph,
            n_morphs: self.morphs.len() as u32 - first_morph,
            ..Job::zeroed()
        };
        if geometry.is_ribbon {
            let eye = eye_of(&frame.camera, context.size, &model.world_from_model);
            (job.eye, job.pixel) = (eye.at.to_array(), eye.pixel);
        }
        self.jobs.push(job);
        Some(stretches)
    }

    /// First row of what the shader reads for a piece's bones.
    fn palette_of(
        &mut self,
        context: &PlanContext<'_>,
        piece: &Piece,
        model: &DrawModel,
        frame: &Frame,
    ) -> Option<(u32, bool)> {
        let start = model.palette_start + piece.palette.0;
        let is_dual = piece.skinning == Skinning::DualQuaternion && piece.n_influences > 0;
        if piece.mode == SkinningMode::Cpu || (!is_dual && piece.bones.is_none()) {
            return Some((3 * start, false));
        }
        if piece.bones.is_none()
            && let Some(made) = self.motions.get(&start)
        {
            return Some(*made);
        }
        let at = self.palette.len();
        let n = piece
            .bones
            .as_ref()
            .map_or(piece.palette.1 as usize, Vec::len);
        let limit = context.gpu.device.limits().max_storage_buffer_binding_size;
        if (at + 5 * n) as u64 * size_of::<[f32; 4]>() as u64 > limit {
            tracing::debug!("the bones of {} find no room", model.model.name);
            return None;
        }
        let mut stretches = false;
        for k in 0..n {
            let bone = piece
                .bones
                .as_ref()
                .map_or(k, |bones| usize::from(bones[k]));
            let bone = start as usize + bone;
            if is_dual {
                let motion = frame.palette.get(bone).map(RigidStretch::of);
                let motion = motion.unwrap_or(RigidStretch::IDENTITY);
                stretches |= !motion.is_rigid();
                self.palette
                    .extend([motion.real.to_array(), motion.dual.to_array()]);
                let rows = motion.stretch.transpose().to_cols_array_2d();
                self.palette.extend(rows.map(|[x, y, z]| [x, y, z, 0.0]));
            } else {
                self.palette.extend_from_within(3 * bone..3 * bone + 3);
            }
        }
        let made = (at as u32, stretches);
        if piece.bones.is_none() {
            self.motions.insert(start, made);
        }
        Some(made)
    }

    /// Whether an instance, an index into the frame's models, is among those of a draw.
    pub fn places(&self, draw: &Draw, instance: u32) -> bool {
        let own = (self.placements.len() - self.repeated.len()) as u32;
        let (first, n) = draw.placed;
        (first..first + n).any(|place| match place.checked_sub(own) {
            None => place == instance,
            Some(repeated) => self.repeated[repeated as usize] == instance,
        })
    }

    /// Winding of the front faces of a piece.
    fn winding(&self, piece: &Piece, model: &DrawModel, world_sign: f32) -> Winding {
        let first = (model.palette_start + piece.palette.0) as usize;
        let n = if piece.n_influences == 0 {
            1
        } else {
            piece.palette.1
        };
        let signs = &self.signs[first..first + n as usize];
        let any_mirrored = signs.iter().any(|sign| *sign < 0);
        let any_plain = signs.iter().any(|sign| *sign > 0);
        let mirrored = any_mirrored && !any_plain;
        Winding {
            is_mirrored: mirrored != (world_sign < 0.0),
            is_mixed: any_mirrored && any_plain,
        }
    }
}
