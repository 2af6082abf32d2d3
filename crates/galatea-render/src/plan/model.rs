//! The part of a plan for one model: deform jobs and draws of its pieces.

use bytemuck::{Zeroable, bytes_of};

use super::{Deform, Plan};
use crate::decals::{NO_DECALS, ShownMaterial};
use crate::deform_variant::DeformVariant;
use crate::draw::{Blending, Class, Draw, NOT_BEFORE, Style, Triangles, Winding, draw_together};
use crate::draw_lists::DrawLists;
use crate::geometry::{Geometry, HEADLESS};
use crate::levels;
use crate::material::{Appearance, ResidentMaterial};
use crate::on_cpu::Instance;
use crate::piece::{PartPrimitive, PreviousFrameSettings};
use crate::placing::{DeformKey, MIN_WEIGHT, along_view, distance_of, shape_of};
use crate::plan_context::PlanContext;
use crate::residency::Resident;
use crate::uniforms::{self, Dispatch, GpuMorph, Job, UNIFORM_STRIDE};
use crate::view::eye_of;
use crate::visibility::SeenInstance;
use galatea_asset::skinning::{Skinning, SkinningMode};
use galatea_deform::RigidStretch;
use galatea_stage::frame::{DrawModel, Frame};

const WORKGROUP: u32 = 64;
const MAX_GROUPS: u32 = 65535;

/// A model in GPU memory whose pieces are planned.
struct PlannedModel<'a> {
    context: &'a PlanContext<'a>,
    frame: &'a Frame,
    previous_frame: PreviousFrameSettings,
    slot: u32,
    uid: u64,
    geometries: &'a [Geometry],
    materials: &'a [ResidentMaterial],
    instances: &'a [SeenInstance],
    /// Instances of the same shape may share a deform job.
    may_share: bool,
}

/// The deform jobs of a piece.
struct PieceJobs {
    /// Index into the model's pieces.
    piece: u32,
    /// Index of the first job in the plan, and the number of jobs.
    first: u32,
    n: u32,
    /// At least one dual quaternion stretches.
    stretches: bool,
    /// Tangents are deformed.
    tangents: bool,
    /// Shape of the last job; `None` if it cannot be shared.
    shape: Option<DeformKey>,
    /// At least two instances share a job.
    is_shared: bool,
}

/// Lengths of the plan's lists before a piece adds to them.
struct PieceStart {
    solid: usize,
    blended: usize,
    casters: usize,
}

/// The appearance of a piece of an instance.
struct InstanceAppearance {
    appearance: Appearance,
    /// Index into the model's materials.
    material: usize,
    /// Same as [`Draw::factors`].
    factors: u32,
    /// Same as [`Draw::decals`].
    decals: u32,
}

impl Plan {
    /// Adds the jobs and draws of all visible instances of a model.
    pub(super) fn plan_model(
        &mut self,
        context: &PlanContext<'_>,
        resident: &mut Resident,
        slot: u32,
        keeping: PreviousFrameSettings,
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
        self.materials.begin_model(materials, drawn, frame);
        let model = PlannedModel {
            context,
            frame,
            previous_frame: keeping,
            slot,
            uid: *uid,
            geometries,
            materials,
            instances,
            // A debug view may paint each instance differently and may read any attribute.
            may_share: frame.view.is_none(),
        };
        for (piece_idx, piece) in (0..).zip(pieces) {
            self.plan_piece(&model, piece_idx, piece);
        }
    }

    fn plan_piece(&mut self, model: &PlannedModel<'_>, piece_idx: u32, piece: &mut PartPrimitive) {
        let context = model.context;
        let geometry = &model.geometries[piece.geometry];
        let from = PieceStart {
            solid: self.solid.len(),
            blended: self.blended.len(),
            casters: self.casters.len(),
        };
        let mut jobs = PieceJobs {
            piece: piece_idx,
            first: self.jobs.len() as u32,
            n: 0,
            stretches: false,
            tangents: self.keeps_tangents || !model.may_share || geometry.is_ribbon,
            shape: None,
            is_shared: false,
        };
        piece.turn(model.previous_frame);
        self.on_cpu.instances.clear();
        for &seen in model.instances {
            self.plan_instance(model, piece, seen, &mut jobs);
        }
        if jobs.is_shared {
            let (placements, repeated) = (&mut self.placements, &mut self.repeated);
            draw_together(&mut self.solid, from.solid, placements, repeated);
            draw_together(&mut self.casters, from.casters, placements, repeated);
        }
        piece.reserve(context.gpu, context.layouts, geometry.n_vertices, jobs.n);
        if piece.mode == SkinningMode::Cpu {
            let culls_triangles = model.may_share && !jobs.is_shared;
            self.deform_on_cpu(model, piece, &from, culls_triangles);
        } else {
            self.push_dispatches(model, piece, &jobs);
        }
    }

    /// Plans one instance of a piece: its deform job, its shadows and its visible draws.
    fn plan_instance(
        &mut self,
        model: &PlannedModel<'_>,
        piece: &mut PartPrimitive,
        seen: SeenInstance,
        jobs: &mut PieceJobs,
    ) {
        let drawn = &model.frame.models[seen.instance as usize];
        let level = drawn.coarser.as_ref().map_or(0, |coarser| coarser.1);
        if !drawn.shows(piece.part) || !piece.draws(level) {
            return;
        }
        let bare = drawn.headless.as_ref();
        let bare = bare.and_then(|it| it.triangles(piece.part, piece.primitive));
        let in_view = seen.in_view && bare.is_none_or(|triangles| !triangles.is_empty());
        let Some(is_new) = self.job_of(model, piece, drawn, jobs) else {
            return;
        };
        let look = self.appearance_of(model, piece, drawn, seen.instance);
        let mut draw = self.draw_of(model, piece, seen, &look, jobs);
        draw.job_before = piece.follow(
            model.previous_frame.keeps_previous,
            drawn.instance,
            draw.job,
        );
        draw.level = level;
        let look = &look.appearance;
        jobs.tangents |= draw.style.reads_tangents();
        if is_new {
            let side = in_view.then(|| draw.style.side());
            self.on_cpu.instances.push(Instance {
                model: seen.instance,
                side,
                views: seen.views,
            });
        }
        if seen.views != 0 && look.casts && !piece.is_fine {
            self.casters.push(draw);
        }
        if !in_view {
            return;
        }
        if bare.is_some() {
            draw.level = HEADLESS;
        }
        let blended_distance = if look.blending == Blending::Over {
            let middle = model.geometries[piece.geometry].middle;
            distance_of(piece, middle, drawn, model.frame)
        } else {
            draw.distance
        };
        let mut lists = DrawLists {
            solid: &mut self.solid,
            blended: &mut self.blended,
        };
        lists.add(draw, look, blended_distance);
    }

    /// Adds a deform job for an instance, unless the last job has the same shape. Returns true if it added one, and `None`
    /// if the palette buffer is full.
    fn job_of(
        &mut self,
        model: &PlannedModel<'_>,
        piece: &PartPrimitive,
        drawn: &DrawModel,
        jobs: &mut PieceJobs,
    ) -> Option<bool> {
        let geometry = &model.geometries[piece.geometry];
        // Ribbons face the eye, so their shape depends on the instance's position.
        let may = model.may_share && !geometry.is_ribbon;
        let own = may.then(|| shape_of(piece, &geometry.targets, drawn, model.frame));
        let own = own.flatten();
        if own.is_some() && own == jobs.shape {
            jobs.is_shared = true;
            return Some(false);
        }
        jobs.stretches |= self.push_job(model.context, piece, geometry, drawn, model.frame)?;
        jobs.n += 1;
        jobs.shape = own;
        Some(true)
    }

    /// Returns the appearance of a piece of an instance, with decals.
    fn appearance_of(
        &mut self,
        model: &PlannedModel<'_>,
        piece: &PartPrimitive,
        drawn: &DrawModel,
        instance: u32,
    ) -> InstanceAppearance {
        let material = piece.material_in(drawn.variant);
        let (look, mut factors) = self.materials.of(model.materials, instance, material);
        let mut appearance = *look;
        if model.geometries[piece.geometry].is_ribbon
            && appearance.class == Class::Hair
            && appearance.blending == Blending::Opaque
        {
            appearance.class = Class::Strands;
        }
        let shown = ShownMaterial {
            model: model.uid,
            index: material as u32,
            material: &model.materials[material],
        };
        let decals = self.decals_of(model.context, piece, shown, drawn, model.frame);
        if decals != NO_DECALS {
            appearance.factors.flags |= uniforms::flag::DECALS;
            factors = self.materials.stamped(factors);
        }
        InstanceAppearance {
            appearance,
            material,
            factors,
            decals,
        }
    }

    /// Returns the draw of an instance with the last job, at the finest level.
    fn draw_of(
        &self,
        model: &PlannedModel<'_>,
        piece: &PartPrimitive,
        seen: SeenInstance,
        look: &InstanceAppearance,
        jobs: &PieceJobs,
    ) -> Draw {
        let SeenInstance {
            instance, views, ..
        } = seen;
        let drawn = &model.frame.models[instance as usize];
        let world_sign = self.placements[instance as usize].normal_x[3];
        let winding = self.winding(piece, drawn, world_sign);
        let appearance = &look.appearance;
        Draw {
            style: Style {
                blending: appearance.blending,
                class: appearance.class,
                culls: !appearance.is_double_sided && !winding.is_mixed,
                is_mirrored: winding.is_mirrored,
                is_agent: false,
                flags: appearance.factors.flags,
            },
            slot: model.slot,
            piece: jobs.piece,
            job: jobs.n - 1,
            job_before: NOT_BEFORE,
            instance,
            placements: (instance, 1),
            triangles: Triangles::default(),
            distance: along_view(model.frame, drawn.bounds.0),
            order: appearance.order,
            material: look.material as u32,
            has_holes: appearance.is_cut_out,
            factors: look.factors,
            wrinkles: self.materials.wrinkles_of(instance, look.material),
            decals: look.decals,
            level: 0,
            first_lit: 0,
            views,
        }
    }

    /// Deforms a piece on the CPU. With `culls_triangles`, its draws get only the visible triangles.
    fn deform_on_cpu(
        &mut self,
        model: &PlannedModel<'_>,
        piece: &PartPrimitive,
        from: &PieceStart,
        culls_triangles: bool,
    ) {
        let context = model.context;
        let n_sights = if culls_triangles {
            context.sights.len()
        } else {
            0
        };
        self.on_cpu.deform(
            context.gpu,
            piece,
            model.geometries[piece.geometry].n_vertices,
            context.size,
            model.frame,
            &context.sights[..n_sights],
        );
        self.on_cpu.give_triangles(&mut self.solid, from.solid);
        self.on_cpu.give_triangles(&mut self.blended, from.blended);
        for draw in &mut self.casters[from.casters..] {
            let found = self.on_cpu.triangles.get(draw.job as usize);
            draw.triangles = found.copied().unwrap_or_default();
        }
    }

    /// Adds the dispatches of the deform pass for the jobs of a piece, one per chunk.
    fn push_dispatches(
        &mut self,
        model: &PlannedModel<'_>,
        piece: &PartPrimitive,
        jobs: &PieceJobs,
    ) {
        let geometry = &model.geometries[piece.geometry];
        let full = piece.chunk_capacity;
        for chunk in 0..jobs.n.div_ceil(full) {
            let groups = geometry.n_vertices.div_ceil(WORKGROUP);
            let row = groups.min(MAX_GROUPS);
            let dispatch = Dispatch {
                first_job: jobs.first + chunk * full,
                n_vertices: geometry.n_vertices,
                padding: 0,
                row: row * WORKGROUP,
            };
            self.dispatches.extend_from_slice(bytes_of(&dispatch));
            let end = (self.deforms.len() + 1) * UNIFORM_STRIDE as usize;
            self.dispatches.resize(end, 0);
            self.deforms.push(Deform {
                slot: model.slot,
                piece: jobs.piece,
                chunk,
                variant: DeformVariant {
                    ribbons: geometry.is_ribbon,
                    ..DeformVariant::of(
                        piece.n_influences,
                        piece.skinning,
                        jobs.stretches,
                        jobs.tangents,
                    )
                },
                groups: (row, groups.div_ceil(row)),
                n_jobs: (jobs.n - chunk * full).min(full),
            });
        }
    }

    /// Index of the bind group with a piece's decals; [`NO_DECALS`] without decals.
    fn decals_of(
        &mut self,
        context: &PlanContext<'_>,
        piece: &PartPrimitive,
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

    /// Adds the job of one instance of a piece. Returns true if its dual quaternions stretch, and `None` if the palette
    /// buffer is full.
    fn push_job(
        &mut self,
        context: &PlanContext<'_>,
        piece: &PartPrimitive,
        geometry: &Geometry,
        model: &DrawModel,
        frame: &Frame,
    ) -> Option<bool> {
        let (palette, stretches) = self.palette_of(context, piece, model, frame)?;
        let first_morph = self.morphs.len() as u32;
        let first = (model.morph_start + piece.first_weight) as usize;
        let weights = frame.morph_weights.get(first..).unwrap_or_default();
        for (target, &weight) in geometry.targets.iter().zip(weights) {
            if weight.abs() > MIN_WEIGHT && target.n_blocks > 0 {
                self.morphs.push(GpuMorph { weight, ..*target });
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

    /// First palette row of a piece's bones.
    fn palette_of(
        &mut self,
        context: &PlanContext<'_>,
        piece: &PartPrimitive,
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
            tracing::debug!("no buffer space for the bones of {}", model.model.name);
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

    /// Winding of the front faces of a piece.
    fn winding(&self, piece: &PartPrimitive, model: &DrawModel, world_sign: f32) -> Winding {
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
