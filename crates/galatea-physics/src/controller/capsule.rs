//! The capsule of a character in the world: kept there, swept, put where there is room.

use galatea_math::clamp::ClampTo as _;
use glam::Vec3;
use rapier3d::control::{CharacterLength, KinematicCharacterController};
use rapier3d::parry::bounding_volume::BoundingVolume as _;
use rapier3d::parry::query::ShapeCastOptions;
use rapier3d::parry::shape::Shape;
use rapier3d::prelude::{
    Aabb, ActiveEvents, ActiveHooks, Collider, ColliderBuilder, ColliderHandle, Pose, QueryFilter,
    QueryFilterFlags, QueryPipeline, RigidBodyBuilder, RigidBodyHandle, RigidBodyType, SharedShape,
};

use super::ControllerSettings;
use super::upright::CapsuleQueries;
use crate::body_id::BodyId;
use crate::ragdoll::RigidFrame;
use crate::tag::Apart;
use crate::tag::{CAPSULE, HOLLOW, Owner, STICKS, is_marked, owner_of, tag};
use crate::touch::FLYING;
use crate::world::{PhysicsWorld, placed, wear};

/// Which part of its owner the capsule is: after all limbs.
const PART: u16 = 31;

/// A capsule over the soles of a character. Metres of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// Its radius.
    pub radius: f32,
    /// From the soles to the crown.
    pub height: f32,
    /// Gap that it keeps to everything.
    pub skin: f32,
    /// Its layer.
    pub layer: u8,
    /// There are limbs inside that are bodies too: thrown bodies collide with the limbs, not with the capsule.
    pub is_hollow: bool,
    /// Kilograms up to which a free body inside a hollow capsule does not push it away: the engine pushes the body.
    pub light: f32,
}

/// What a capsule met on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CapsuleHit {
    pub owner: Owner,
    /// Which of its owner's forms.
    pub part: u16,
    pub body: Option<BodyId>,
    /// World space.
    pub position: Vec3,
    /// Unit, out of what was met.
    pub normal: Vec3,
    /// Metres on the way.
    pub distance: f32,
}

/// How a capsule is swept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep {
    /// Steepest ground, radians.
    pub slope: f32,
    /// What it passes through.
    pub passes: PassThrough,
}

/// What a capsule passes through, besides its own character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PassThrough {
    Nothing,
    Body(BodyId),
    /// All that is not fixed.
    Moving,
}

impl Capsule {
    /// Gap for a radius.
    pub(super) fn skin(radius: f32) -> f32 {
        0.03 * radius
    }

    /// Metres from the soles to the middle.
    pub(super) fn middle(&self) -> f32 {
        (self.height + self.skin) / 2.0
    }

    fn shape(&self) -> SharedShape {
        let half = ((self.height - self.skin) / 2.0 - self.radius).max(0.0);
        SharedShape::capsule_y(half, self.radius)
    }

    /// A box around everything that it can touch in a tick, its soles at a position.
    pub(super) fn reach(&self, feet: Vec3, options: &ControllerSettings) -> Aabb {
        let around = self.shape().compute_aabb(&self.pose(feet));
        around.loosened(self.radius + options.step)
    }

    fn pose(&self, feet: Vec3) -> Pose {
        placed(RigidFrame {
            position: feet + Vec3::Y * self.middle(),
            ..RigidFrame::IDENTITY
        })
    }
}

impl PhysicsWorld {
    /// Puts the capsule of a character into the world, its soles at a place.
    pub(super) fn add_capsule(&mut self, owner: Owner, capsule: &Capsule, feet: Vec3) -> BodyId {
        let body = RigidBodyBuilder::new(RigidBodyType::KinematicPositionBased)
            .pose(capsule.pose(feet))
            .user_data(u128::from(owner.0))
            .build();
        // Its own limbs pass through it.
        let hollow = if capsule.is_hollow { HOLLOW } else { 0 };
        let mut collider = ColliderBuilder::new(capsule.shape())
            .collision_groups(self.groups(capsule.layer))
            .active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS)
            .active_events(ActiveEvents::COLLISION_EVENTS)
            .user_data(tag(owner, PART, Apart(u32::MAX)) | CAPSULE | hollow)
            .build();
        wear(&mut collider, 0.5, 0.0);
        let (handle, _) = self.rapier.insert(body, collider);
        self.is_dirty = true;
        self.id(handle)
    }

    /// Moves a capsule by an offset, metres, as far as it can, along walls too. Gives how far it
    /// came; what it met is added to `met`.
    pub(super) fn sweep(
        &self,
        owner: Owner,
        capsule: &Capsule,
        feet: Vec3,
        offset: Vec3,
        how: Sweep,
        met: &mut Vec<CapsuleHit>,
    ) -> Vec3 {
        // Of a capsule that stands still rapier resolves overlaps, see `out_of_overlap`.
        if offset.length() <= 1e-5 {
            return Vec3::ZERO;
        }
        let walker = KinematicCharacterController {
            up: Vec3::Y,
            // Half the gap that it keeps over the ground: level ground is not met while walking.
            offset: CharacterLength::Absolute(capsule.skin / 2.0),
            slide: true,
            // It finds no room above while it touches the step; see `climb`.
            autostep: None,
            max_slope_climb_angle: how.slope,
            min_slope_slide_angle: how.slope,
            snap_to_ground: None,
            normal_nudge_factor: 0.02 * capsule.skin,
        };
        let passes =
            |_: ColliderHandle, collider: &Collider| self.is_in_way(collider, owner, how.passes);
        let query = self.what_is_in_way(capsule, &passes);
        // Without a time step it leaves moving ground to us: it would add the motion of everything near.
        let moved = walker.move_shape(
            0.0,
            &query,
            &*capsule.shape(),
            &capsule.pose(feet),
            offset,
            |collision| {
                let hit = collision.hit;
                met.push(self.met(collision.handle, hit.witness1, hit.normal1, 0.0));
            },
        );
        kept(moved.translation)
    }

    /// The first thing that a capsule meets on a straight way, metres.
    pub(super) fn first_on_way(
        &self,
        owner: Owner,
        capsule: &Capsule,
        feet: Vec3,
        offset: Vec3,
        passed: PassThrough,
    ) -> Option<CapsuleHit> {
        let length = offset.length();
        let passes =
            |_: ColliderHandle, collider: &Collider| self.is_in_way(collider, owner, passed);
        let query = self.what_is_in_way(capsule, &passes);
        let options = ShapeCastOptions {
            max_time_of_impact: length,
            stop_at_penetration: false,
            compute_impact_geometry_on_penetration: true,
            ..ShapeCastOptions::default()
        };
        let way = offset.try_normalize()?;
        let shape = capsule.shape();
        let hit = self.asked(|| query.cast_shape(&capsule.pose(feet), way, &*shape, options));
        let (handle, hit) = hit?;
        Some(self.met(handle, hit.witness1, hit.normal1, hit.time_of_impact))
    }

    /// The first thing on a straight way of a point.
    pub(super) fn first_on_ray(
        &self,
        owner: Owner,
        capsule: &Capsule,
        from: Vec3,
        reach: f32,
    ) -> Option<CapsuleHit> {
        let passes = |_: ColliderHandle, collider: &Collider| {
            self.is_in_way(collider, owner, PassThrough::Nothing)
        };
        let query = self.what_is_in_way(capsule, &passes);
        let ray = rapier3d::prelude::Ray::new(from, Vec3::NEG_Y);
        let (handle, hit) = self.asked(|| query.cast_ray_and_get_normal(&ray, reach, false))?;
        let position = from + Vec3::NEG_Y * hit.time_of_impact;
        Some(self.met(handle, position, hit.normal, hit.time_of_impact))
    }

    /// Moves a capsule out of what it is in, by at most so many rounds. Gives the way, and whether it is free
    /// there.
    ///
    /// Not rapier's way out: parry 0.30 takes the pose of a half-space, asked as the second of two shapes,
    /// the wrong way round.
    pub(super) fn out_of_overlap(
        &self,
        owner: Owner,
        capsule: &Capsule,
        feet: Vec3,
        rounds: u32,
    ) -> (Vec3, bool) {
        let passes = |_: ColliderHandle, collider: &Collider| {
            // What flies through a hollow capsule does not push it.
            let passes = capsule.is_hollow && self.gives_way(capsule, collider);
            !passes && self.is_in_way(collider, owner, PassThrough::Nothing)
        };
        let query = self.what_is_in_way(capsule, &passes);
        let shape = capsule.shape();
        let mut way = Vec3::ZERO;
        let mut deepest = 0.0_f32;
        for _ in 0..rounds {
            deepest = 0.0;
            let bounds = shape.compute_aabb(&capsule.pose(feet + way));
            for (_, collider) in query.intersect_aabb_conservative(bounds) {
                let from_thing = collider.position().inv_mul(&capsule.pose(feet + way));
                let thing = collider.shape();
                let touch = self.asked(|| {
                    let touch = query.dispatcher.contact(&from_thing, thing, &*shape, 0.0);
                    touch.ok().flatten()
                });
                let Some(touch) = touch else {
                    continue;
                };
                if touch.dist >= -1e-5 {
                    continue;
                }
                deepest = deepest.max(-touch.dist);
                let out = if is_on_axis(&from_thing, thing) && touch.normal1.y.abs() < 0.1 {
                    way_of(owner)
                } else {
                    collider.rotation() * touch.normal1
                };
                way += out * (capsule.skin / 4.0 - touch.dist);
            }
            if deepest <= 0.0 {
                return (kept(way), true);
            }
        }
        (kept(way), deepest < capsule.skin)
    }

    /// True when a capsule, thinner by a share of its gap, is in nothing.
    pub(super) fn has_room(&self, owner: Owner, capsule: &Capsule, feet: Vec3, share: f32) -> bool {
        let thin = Capsule {
            radius: capsule.radius - share * capsule.skin,
            height: capsule.height - share * capsule.skin,
            ..*capsule
        };
        let passes = |_: ColliderHandle, collider: &Collider| {
            self.is_in_way(collider, owner, PassThrough::Nothing)
        };
        let query = self.what_is_in_way(capsule, &passes);
        let shape = thin.shape();
        self.asked(|| {
            let mut met = query.intersect_shape(thin.pose(feet), &*shape);
            met.next().is_none()
        })
    }

    /// Puts the capsule where its character is. Queries see it there after the next step.
    pub(super) fn put_capsule(&mut self, id: BodyId, capsule: &Capsule, feet: Vec3) {
        let at = capsule.pose(feet);
        if let Some(body) = self.body_mut(id).filter(|body| *body.position() != at) {
            body.set_position(at, true);
            body.set_next_kinematic_position(at);
        }
    }

    /// Pushes what moves freely up to a speed, with at most so many newton seconds, at a place. Gives the
    /// speed that it then has on that way.
    pub(super) fn push_up_to(
        &mut self,
        id: BodyId,
        way: Vec3,
        speed: f32,
        most: f32,
        at: Vec3,
    ) -> Option<f32> {
        let body = self.body(id).filter(|body| body.is_dynamic())?;
        let at = at.with_y(body.center_of_mass().y);
        let has = body.velocity_at_point(at).dot(way);
        let mass = body.mass();
        let impulse = ((speed - has) * mass).clamp_to(0.0, most);
        if impulse > 0.0 {
            self.push(id, way * impulse, Some(at));
        }
        Some(has + impulse / mass.max(1e-3))
    }

    fn is_in_way(&self, collider: &Collider, owner: Owner, passed: PassThrough) -> bool {
        let is_passed = match passed {
            PassThrough::Nothing => false,
            PassThrough::Body(id) => collider.parent() == Some(id.handle),
            PassThrough::Moving => collider.parent().is_some_and(|body| {
                let body = self.rapier.bodies.get(body);
                body.is_some_and(|body| !body.is_fixed())
            }),
        };
        owner_of(collider).0 != owner && !is_passed && !is_marked(collider, STICKS)
    }

    /// True if a free body gives way to a hollow capsule: it is light, or flies through.
    fn gives_way(&self, capsule: &Capsule, collider: &Collider) -> bool {
        let body = collider
            .parent()
            .and_then(|body| self.rapier.bodies.get(body));
        body.is_some_and(|body| {
            body.is_dynamic() && (body.mass() < capsule.light || body.linvel().length() > FLYING)
        })
    }

    fn what_is_in_way<'a>(
        &'a self,
        capsule: &Capsule,
        passes: &'a dyn Fn(ColliderHandle, &Collider) -> bool,
    ) -> QueryPipeline<'a> {
        let filter = QueryFilter {
            flags: QueryFilterFlags::EXCLUDE_SENSORS,
            groups: Some(self.groups(capsule.layer)),
            predicate: Some(passes),
            ..QueryFilter::default()
        };
        QueryPipeline {
            dispatcher: &CapsuleQueries,
            ..self.rapier.query_pipeline_with_filter(filter)
        }
    }

    fn met(
        &self,
        handle: ColliderHandle,
        position: Vec3,
        normal: Vec3,
        distance: f32,
    ) -> CapsuleHit {
        let collider = self.rapier.colliders.get(handle);
        let parent = collider.and_then(Collider::parent);
        let (owner, part) = collider.map_or((Owner::NOBODY, 0), owner_of);
        CapsuleHit {
            owner,
            part,
            body: parent.map(|body: RigidBodyHandle| self.id(body)),
            position,
            normal,
            distance,
        }
    }
}

/// True in the middle of a capsule, where no side is nearer than another.
fn is_on_axis(from_thing: &Pose, thing: &dyn Shape) -> bool {
    let level = from_thing.translation.with_y(0.0);
    thing.as_capsule().is_some() && level.length() < 1e-4
}

/// Horizontal unit vector, different for each owner, so that capsules at one position separate in different directions.
fn way_of(owner: Owner) -> Vec3 {
    const GOLDEN_ANGLE: f32 = 2.399_963_2;
    let (sin, cos) = (GOLDEN_ANGLE * (owner.0 % 4096) as f32).sin_cos();
    Vec3::new(cos, 0.0, sin)
}

fn kept(way: Vec3) -> Vec3 {
    if way.is_finite() { way } else { Vec3::ZERO }
}
