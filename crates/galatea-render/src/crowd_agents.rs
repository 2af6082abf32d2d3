//! Crowd agents: visibility and level of detail in the image and in each shadow map, and one instanced draw per group.

use glam::Quat;
use rayon::prelude::*;

use super::at_rest;
use super::casting::Casting;
use super::decals::NO_DECALS;
use super::draw::{Draw, NOT_BEFORE, Style, Triangles, ViewTarget, Winding};
use super::draw_lists::DrawLists;
use super::geometry::Geometry;
use super::impostors::{self, Impostors};
use super::material::Appearance;
use super::material_factors::MaterialFactors;
use super::piece::PartPrimitive;
use super::placing::along_view;
use super::plan_context::{CrowdDrawSettings, PlanContext};
use super::pose_rows::{PoseRow, PoseRows};
use super::residency::{Residency, Resident};
use super::uniforms::GpuAgent;
use super::view::{sphere_is_seen, view_planes};
use super::visibility::{NO_PICTURE, VisibleAgent};
use galatea_asset::Lods;
use galatea_stage::frame::{BakedPoses, DrawCrowd, DrawnAgent, FINE, Frame};
use galatea_stage::{level_of_detail, max_size_of_level};

/// Agents per parallel task.
const BATCH: usize = 512;
/// Influences per vertex, by level of detail.
const INFLUENCES: [u32; Lods::LEVELS] = [4, 4, 2, 1, 1];
/// Maximum number of matrices per pose, since joint indices have 16 bits.
const MAX_MATRICES: usize = u16::MAX as usize;

/// Crowd agents of one frame. Rebuilt in view every frame.
#[derive(Default)]
pub struct CrowdAgents {
    /// Agents visible in the image or in a map.
    pub agents: Vec<GpuAgent>,
    /// Indices into `agents`, one list per draw.
    pub lists: Vec<u32>,
    pub rows: PoseRows,
    pub impostors: Impostors,
    seen: Vec<VisibleAgent>,
    groups: Vec<[LodGroup; Lods::LEVELS]>,
    /// The finest level of detail in the image and in each map.
    finest: Vec<u8>,
}

/// List of the agents with one level of detail in one view: first index and count.
#[derive(Clone, Copy, Debug)]
struct LodGroup {
    first: u32,
    n: u32,
    nearest: f32,
}

impl Default for LodGroup {
    fn default() -> Self {
        Self {
            first: 0,
            n: 0,
            nearest: f32::INFINITY,
        }
    }
}

/// Parts of the plan to which draws are added.
pub struct Draws<'a> {
    pub lists: DrawLists<'a>,
    pub casters: &'a mut Vec<Draw>,
    pub materials: &'a mut MaterialFactors,
    pub casting: &'a mut Casting,
}

impl CrowdAgents {
    /// Plans the agents of a frame.
    pub fn build(
        &mut self,
        context: &PlanContext<'_>,
        residency: &mut Residency,
        frame: &Frame,
        draws: &mut Draws<'_>,
    ) {
        self.agents.clear();
        self.lists.clear();
        let pixels = impostor_pixels(context);
        self.impostors.begin(pixels, context.waits);
        let limit = context.gpu.device.limits().max_storage_buffer_binding_size;
        if let Err(problem) = self.rows.hold(frame, limit) {
            residency.report_problem(problem);
        }
        for crowd in &frame.crowds {
            let agents = frame.agents_of(crowd);
            let known = self
                .impostors
                .of(context.gpu, context.layouts, crowd, pixels);
            let known = known.filter(|_| !agents.is_empty());
            self.update_visibility(context, frame, crowd, agents, draws.casting, known);
            self.take_pictures(context, crowd, agents, known);
            self.limit(context, crowd.poses.bounds.1, draws.casting);
            if !self.gather(agents, crowd, draws.casting) {
                continue;
            }
            let Some(held) = self.rows.of(crowd) else {
                continue;
            };
            let model = &crowd.poses.model;
            let slot = residency.ensure(context.gpu, context.layouts, context.mips, model);
            let resident = residency.resident_mut(slot);
            if crowd.poses.stride != resident.palette.len.max(1)
                || crowd.poses.stride > MAX_MATRICES
                || crowd.poses.palettes.is_empty()
            {
                tracing::debug!("{}: its poses are incomplete", model.name);
                continue;
            }
            let scale = mesh_scale(&crowd.poses);
            let materials = &resident.materials;
            draws
                .materials
                .begin_agents(materials, scale, frame.time, held.tints());
            let body = DrawnBody {
                slot,
                held,
                poses: &crowd.poses,
                groups: &self.groups,
            };
            draw_all(context, resident, &body, draws);
        }
        if context.gpu.is_software() {
            self.impostors.sort(frame.camera.eye);
        }
    }

    /// Determines the visibility of each agent of a crowd.
    fn update_visibility(
        &mut self,
        context: &PlanContext<'_>,
        frame: &Frame,
        crowd: &DrawCrowd,
        agents: &[DrawnAgent],
        casting: &Casting,
        known: Option<usize>,
    ) {
        let planes = view_planes(&frame.camera, context.size);
        let (bounds, eye) = (crowd.poses.bounds, frame.camera.eye);
        let CrowdDrawSettings {
            coarser,
            models_below,
            ..
        } = context.agents;
        let from = known.map_or(u8::MAX, |_| context.impostors_from);
        let look = |agent: &DrawnAgent| {
            let sphere = agent.sphere(bounds);
            let is_sound = sphere.0.is_finite() && sphere.1.is_finite();
            let level = agent.level_of(coarser);
            let is_drawn = is_sound && level >= models_below;
            let in_view = is_drawn && sphere_is_seen(&planes, sphere);
            VisibleAgent {
                in_view,
                picture: if in_view && agent.level >= from {
                    impostors::view_of(agent, &crowd.poses, sphere.0, eye)
                } else {
                    NO_PICTURE
                },
                views: if is_sound {
                    casting.of(context, frame, sphere)
                } else {
                    0
                },
                level,
                distance: along_view(frame, sphere.0),
            }
        };
        let agents = agents.par_iter().with_min_len(BATCH);
        agents.map(look).collect_into_vec(&mut self.seen);
    }

    /// Replaces small agents by impostors, where these exist.
    fn take_pictures(
        &mut self,
        context: &PlanContext<'_>,
        crowd: &DrawCrowd,
        agents: &[DrawnAgent],
        known: Option<usize>,
    ) {
        let (Some(known), Some(held)) = (known, self.rows.of(crowd)) else {
            return;
        };
        let (gpu, layouts) = (context.gpu, context.layouts);
        self.impostors
            .add(gpu, layouts, known, held, agents, &mut self.seen);
    }

    /// Limits the level of detail in shadow maps. Coarse maps of the sun need no finer agents than their texels can show,
    /// and one level less if agents keep their full detail.
    fn limit(&mut self, context: &PlanContext<'_>, radius: f32, casting: &Casting) {
        let spare = 1_u8.saturating_sub(context.agents.coarser.0);
        self.finest.clear();
        self.finest.push(0);
        self.finest
            .extend(casting.views.iter().map(|view| match view {
                ViewTarget::Sun(layer) => {
                    let texel =
                        2.0 * context.cascades.boxes()[*layer].radius / context.sun_map as f32;
                    let texels = 2.0 * radius / texel.max(1e-6);
                    level_of_detail(texels / FINE).saturating_sub(spare)
                }
                _ => 0,
            }));
    }

    /// Adds every visible agent to the lists of its views. Returns false if no agent is visible.
    fn gather(&mut self, agents: &[DrawnAgent], crowd: &DrawCrowd, casting: &mut Casting) -> bool {
        let Some(held) = self.rows.of(crowd) else {
            return false;
        };
        let n_views = 1 + casting.views.len();
        self.groups.clear();
        self.groups.resize(n_views, Default::default());
        let mut all = 0;
        for seen in &self.seen {
            all |= seen.views;
            for view in views_of(seen) {
                let level = seen.level.max(self.finest[view]);
                let group = &mut self.groups[view][usize::from(level)];
                group.n += 1;
                group.nearest = group.nearest.min(seen.distance);
            }
        }
        casting.note(all);
        let mut end = self.lists.len() as u32;
        for group in self.groups.iter_mut().flatten() {
            group.first = end;
            end += std::mem::take(&mut group.n);
        }
        if end as usize == self.lists.len() {
            return false;
        }
        self.lists.resize(end as usize, 0);
        for (agent, seen) in agents.iter().zip(&self.seen) {
            if !seen.in_view && seen.views == 0 {
                continue;
            }
            let own = self.agents.len() as u32;
            self.agents.push(uniform(agent, held));
            for view in views_of(seen) {
                let level = seen.level.max(self.finest[view]);
                let group = &mut self.groups[view][usize::from(level)];
                self.lists[(group.first + group.n) as usize] = own;
                group.n += 1;
            }
        }
        true
    }
}

/// Iterates over the views that an agent is visible in: 0 is the image, 1 and above are the maps.
fn views_of(seen: &VisibleAgent) -> impl Iterator<Item = usize> + use<> {
    let mut views = seen.views;
    let maps = std::iter::from_fn(move || {
        let next = (views != 0).then(|| views.trailing_zeros() as usize);
        views &= views.wrapping_sub(1);
        next.map(|view| view + 1)
    });
    seen.in_view.then_some(0).into_iter().chain(maps)
}

/// Maximum height of an impostor, pixels.
fn impostor_pixels(context: &PlanContext<'_>) -> f32 {
    max_size_of_level(context.impostors_from) * context.size.1 as f32
}

fn uniform(agent: &DrawnAgent, held: &PoseRow) -> GpuAgent {
    let share = if agent.pose_fraction >= 1.0 {
        0.0
    } else {
        agent.pose_fraction.max(0.0)
    };
    let n_joints = INFLUENCES[usize::from(agent.level).min(INFLUENCES.len() - 1)];
    GpuAgent {
        at: agent.at.to_array(),
        seed: agent.seed,
        turn: packed(agent.turn),
        wide: agent.scale[0],
        tall: agent.scale[1],
        pose: held.pose(agent.poses[usize::from(agent.pose_fraction >= 1.0)]),
        next_pose: held.pose(agent.poses[1]),
        share_joints: ((share * 65535.0).round() as u32) << 16 | n_joints,
    }
}

/// Stores x, y and z of a unit quaternion with positive w; the shader reconstructs w.
fn packed(turn: Quat) -> [f32; 3] {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    turn.xyz().to_array()
}

/// Metres of the model per unit of its meshes, from its first matrix.
fn mesh_scale(book: &BakedPoses) -> f32 {
    let first = book.palettes.first();
    let determinant = first.map_or(1.0, |m| m.matrix3.determinant());
    determinant.abs().cbrt().max(1e-6)
}

/// The GPU resources of a crowd body.
struct DrawnBody<'a> {
    slot: u32,
    held: &'a PoseRow,
    poses: &'a BakedPoses,
    /// For the image and each map, the agents of each level of detail.
    groups: &'a [[LodGroup; Lods::LEVELS]],
}

/// Adds the draws of all pieces of a body.
fn draw_all(
    context: &PlanContext<'_>,
    resident: &mut Resident,
    body: &DrawnBody<'_>,
    draws: &mut Draws<'_>,
) {
    let Resident {
        pieces,
        geometries,
        materials,
        ..
    } = resident;
    for (i, piece) in (0..).zip(pieces.iter_mut()) {
        let geometry = &mut geometries[piece.geometry];
        // Camera-facing strands differ for every agent, so they cannot be instanced.
        if geometry.is_ribbon || piece.level > 0 {
            continue;
        }
        complete(context, piece, geometry, body.poses);
        let (look, factors) = draws.materials.of(materials, u32::MAX, piece.material);
        let look = *look;
        let winding = winding(piece, &body.held.signs);
        let plain = Draw {
            style: Style {
                blending: look.blending,
                class: look.class,
                culls: !look.is_double_sided && !winding.is_mixed,
                is_mirrored: winding.is_mirrored,
                is_agent: true,
                flags: look.factors.flags,
            },
            slot: body.slot,
            piece: i,
            job: 0,
            job_before: NOT_BEFORE,
            instance: u32::MAX,
            placements: (0, 0),
            triangles: Triangles::default(),
            distance: 0.0,
            order: look.order,
            material: piece.material as u32,
            has_holes: look.is_cut_out,
            factors,
            wrinkles: 0,
            decals: NO_DECALS,
            level: 0,
            first_lit: 0,
            views: 0,
        };
        let casts = look.casts && !piece.is_fine;
        draw_groups(body.groups, geometry, plain, &look, casts, draws);
    }
}

/// Uploads the rest-pose vertices and the levels of detail of a piece.
fn complete(
    context: &PlanContext<'_>,
    piece: &mut PartPrimitive,
    geometry: &mut Geometry,
    book: &BakedPoses,
) {
    let mesh = book.model.parts[piece.part].mesh;
    let primitive = &book.model.meshes[mesh].primitives[piece.primitive];
    if piece.at_rest.is_none() {
        let weights = book.morphs.get(piece.first_weight as usize..);
        let made = at_rest::upload(context.gpu, piece, primitive, weights.unwrap_or_default());
        piece.at_rest = Some(made);
    }
    let levels = book.lods.levels(mesh, piece.primitive);
    if let Some(levels) = levels.filter(|_| piece.vertices.is_none()) {
        geometry.add_levels(context.gpu, levels);
    }
}

/// Adds a draw for each group of agents; `plain` is the template.
fn draw_groups(
    groups: &[[LodGroup; Lods::LEVELS]],
    geometry: &Geometry,
    plain: Draw,
    look: &Appearance,
    casts: bool,
    draws: &mut Draws<'_>,
) {
    for (view, of_view) in groups.iter().enumerate() {
        for (level, group) in (0_u8..).zip(of_view) {
            if group.n == 0 || geometry.level(level).1 == 0 {
                continue;
            }
            let mut draw = Draw {
                placements: (group.first, group.n),
                distance: group.nearest,
                level,
                ..plain
            };
            if let Some(view) = view.checked_sub(1) {
                draw.views = 1 << view;
                if casts {
                    draws.casters.push(draw);
                }
                continue;
            }
            draws.lists.add(draw, look, draw.distance);
        }
    }
}

/// Winding of the front faces of a piece.
fn winding(piece: &PartPrimitive, signs: &[i8]) -> Winding {
    let first = piece.palette.0 as usize;
    let n = if piece.n_influences == 0 {
        1
    } else {
        piece.palette.1 as usize
    };
    let own = signs.get(first..first + n).unwrap_or_default();
    let any_mirrored = own.iter().any(|sign| *sign < 0);
    let any_plain = own.iter().any(|sign| *sign > 0);
    Winding {
        is_mirrored: any_mirrored && !any_plain,
        is_mixed: any_mirrored && any_plain,
    }
}
