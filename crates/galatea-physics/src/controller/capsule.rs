//! Capsule of a character in the world: its collider, sweeps, and moving out of overlaps.

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
use serde::{Deserialize, Serialize};

use super::ControllerSettings;
use super::upright::CapsuleQueries;
use crate::body_id::BodyId;
use crate::ragdoll::RigidFrame;
use crate::tag::IgnoredParts;
use crate::tag::{CAPSULE, HOLLOW, Owner, STICKING, has_flag, owner_of, tag};
use crate::touch::MIN_FLYING_SPEED;
use crate::world::{PhysicsWorld, clamped_pose, set_surface};

/// Part index of the capsule, after all limbs.
const PART: u16 = 31;

/// A capsule above the soles of a character. World metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capsule {
    /// Radius.
    pub radius: f32,
    /// Height from the soles to the crown.
    pub height: f32,
    /// Skin width: gap to all other colliders.
    pub skin: f32,
    /// Collision layer.
    pub layer: u8,
    /// The limbs are bodies too: thrown bodies collide with the limbs, not with the capsule.
    pub is_hollow: bool,
    /// Mass, kilograms, up to which a dynamic body inside a hollow capsule does not push it away: the engine pushes the
    /// body.
    pub light: f32,
}

/// Hit of a capsule sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CapsuleHit {
    pub owner: Owner,
    /// Collider index of its owner.
    pub part: u16,
    pub body: Option<BodyId>,
    /// Position, world space.
    pub position: Vec3,
    /// Surface normal of the hit collider, unit.
    pub normal: Vec3,
    /// Distance along the sweep, metres.
    pub distance: f32,
}

/// Settings of a capsule sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep {
    /// Maximum slope of the ground, radians.
    pub slope: f32,
    /// Ignored colliders.
    pub passes: PassThrough,
}

/// Colliders that a capsule ignores, in addition to its own character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PassThrough {
    Nothing,
    Body(BodyId),
    /// All colliders that are not fixed.
    Moving,
}

impl Capsule {
    /// Skin width for a radius.
    pub(super) fn skin(radius: f32) -> f32 {
        0.03 * radius
    }

    /// Distance from the soles to the middle, metres.
    pub(super) fn middle(&self) -> f32 {
        (self.height + self.skin) / 2.0
    }

    fn shape(&self) -> SharedShape {
        let half = ((self.height - self.skin) / 2.0 - self.radius).max(0.0);
        SharedShape::capsule_y(half, self.radius)
    }

    /// Bounding box of everything that it can touch in a tick, with its soles at a position.
    pub(super) fn reach(&self, feet: Vec3, options: &ControllerSettings) -> Aabb {
        let around = self.shape().compute_aabb(&self.pose(feet));
        around.loosened(self.radius + options.max_step_height)
    }

    fn pose(&self, feet: Vec3) -> Pose {
        clamped_pose(RigidFrame {
            position: feet + Vec3::Y * self.middle(),
            ..RigidFrame::IDENTITY
        })
    }
}

impl PhysicsWorld {
    /// Adds the capsule of a character to the world, with its soles at a position.
    pub(super) fn add_capsule(&mut self, owner: Owner, capsule: &Capsule, feet: Vec3) -> BodyId {
        let body = RigidBodyBuilder::new(RigidBodyType::KinematicPositionBased)
            .pose(capsule.pose(feet))
            .user_data(u128::from(owner.0))
            .build();
        // It does not collide with its own limbs.
        let hollow = if capsule.is_hollow { HOLLOW } else { 0 };
        let mut collider = ColliderBuilder::new(capsule.shape())
            .collision_groups(self.groups(capsule.layer))
            .active_hooks(ActiveHooks::FILTER_CONTACT_PAIRS)
            .active_events(ActiveEvents::COLLISION_EVENTS)
            .user_data(tag(owner, PART, IgnoredParts(u32::MAX)) | CAPSULE | hollow)
            .build();
        set_surface(&mut collider, 0.5, 0.0);
        let (handle, _) = self.rapier.insert(body, collider);
        self.is_dirty = true;
        self.id(handle)
    }

    /// Moves a capsule by an offset, metres, as far as possible, sliding along walls. Returns the displacement; hits are
    /// appended to `hits`.
    pub(super) fn sweep(
        &self,
        owner: Owner,
        capsule: &Capsule,
        feet: Vec3,
        offset: Vec3,
        how: Sweep,
        hits: &mut Vec<CapsuleHit>,
    ) -> Vec3 {
        // For a capsule that does not move, rapier resolves overlaps; see `out_of_overlap`.
        if offset.length() <= 1e-5 {
            return Vec3::ZERO;
        }
        let walker = KinematicCharacterController {
            up: Vec3::Y,
            // Half of the gap to the ground: level ground causes no hit while walking.
            offset: CharacterLength::Absolute(capsule.skin / 2.0),
            slide: true,
            // Rapier finds no room above while it touches the step; see `climb`.
            autostep: None,
            max_slope_climb_angle: how.slope,
            min_slope_slide_angle: how.slope,
            snap_to_ground: None,
            normal_nudge_factor: 0.02 * capsule.skin,
        };
        let passes =
            |_: ColliderHandle, collider: &Collider| self.is_obstacle(collider, owner, how.passes);
        let query = self.obstacle_query(capsule, &passes);
        // Without a time step rapier leaves moving ground to this crate: it would add the motion of everything near.
        let moved = walker.move_shape(
            0.0,
            &query,
            &*capsule.shape(),
            &capsule.pose(feet),
            offset,
            |collision| {
                let hit = collision.hit;
                hits.push(self.hit_of(collision.handle, hit.witness1, hit.normal1, 0.0));
            },
        );
        finite_or_zero(moved.translation)
    }

    /// First hit of a capsule on a straight sweep, metres.
    pub(super) fn first_on_sweep(
        &self,
        owner: Owner,
        capsule: &Capsule,
        feet: Vec3,
        offset: Vec3,
        passed: PassThrough,
    ) -> Option<CapsuleHit> {
        let length = offset.length();
        let passes =
            |_: ColliderHandle, collider: &Collider| self.is_obstacle(collider, owner, passed);
        let query = self.obstacle_query(capsule, &passes);
        let options = ShapeCastOptions {
            max_time_of_impact: length,
            stop_at_penetration: false,
            compute_impact_geometry_on_penetration: true,
            ..ShapeCastOptions::default()
        };
        let direction = offset.try_normalize()?;
        let shape = capsule.shape();
        let hit = self
            .guarded_query(|| query.cast_shape(&capsule.pose(feet), direction, &*shape, options));
        let (handle, hit) = hit?;
        Some(self.hit_of(handle, hit.witness1, hit.normal1, hit.time_of_impact))
    }

    /// First hit of a ray down from a point.
    pub(super) fn first_on_ray(
        &self,
        owner: Owner,
        capsule: &Capsule,
        from: Vec3,
        reach: f32,
    ) -> Option<CapsuleHit> {
        let passes = |_: ColliderHandle, collider: &Collider| {
            self.is_obstacle(collider, owner, PassThrough::Nothing)
        };
        let query = self.obstacle_query(capsule, &passes);
        let ray = rapier3d::prelude::Ray::new(from, Vec3::NEG_Y);
        let (handle, hit) =
            self.guarded_query(|| query.cast_ray_and_get_normal(&ray, reach, false))?;
        let position = from + Vec3::NEG_Y * hit.time_of_impact;
        Some(self.hit_of(handle, position, hit.normal, hit.time_of_impact))
    }

    /// Moves a capsule out of overlaps, in at most `rounds` iterations. Returns the displacement, and true if it is free
    /// there.
    ///
    /// Rapier's own resolution is not used: parry 0.30 inverts the pose of a half-space that is the second of two shapes.
    pub(super) fn out_of_overlap(
        &self,
        owner: Owner,
        capsule: &Capsule,
        feet: Vec3,
        rounds: u32,
    ) -> (Vec3, bool) {
        let passes = |_: ColliderHandle, collider: &Collider| {
            // Bodies flying through a hollow capsule do not push it.
            let passes = capsule.is_hollow && self.gives_way(capsule, collider);
            !passes && self.is_obstacle(collider, owner, PassThrough::Nothing)
        };
        let query = self.obstacle_query(capsule, &passes);
        let shape = capsule.shape();
        let mut offset_out = Vec3::ZERO;
        let mut deepest = 0.0_f32;
        for _ in 0..rounds {
            deepest = 0.0;
            let bounds = shape.compute_aabb(&capsule.pose(feet + offset_out));
            for (_, collider) in query.intersect_aabb_conservative(bounds) {
                let from_collider = collider
                    .position()
                    .inv_mul(&capsule.pose(feet + offset_out));
                let obstacle = collider.shape();
                let touch = self.guarded_query(|| {
                    let touch = query
                        .dispatcher
                        .contact(&from_collider, obstacle, &*shape, 0.0);
                    touch.ok().flatten()
                });
                let Some(touch) = touch else {
                    continue;
                };
                if touch.dist >= -1e-5 {
                    continue;
                }
                deepest = deepest.max(-touch.dist);
                let out = if is_on_axis(&from_collider, obstacle) && touch.normal1.y.abs() < 0.1 {
                    direction_of(owner)
                } else {
                    collider.rotation() * touch.normal1
                };
                offset_out += out * (capsule.skin / 4.0 - touch.dist);
            }
            if deepest <= 0.0 {
                return (finite_or_zero(offset_out), true);
            }
        }
        (finite_or_zero(offset_out), deepest < capsule.skin)
    }

    /// Returns true if a capsule, thinner by a fraction of its gap, overlaps nothing.
    pub(super) fn has_room(
        &self,
        owner: Owner,
        capsule: &Capsule,
        feet: Vec3,
        fraction: f32,
    ) -> bool {
        let thin = Capsule {
            radius: capsule.radius - fraction * capsule.skin,
            height: capsule.height - fraction * capsule.skin,
            ..*capsule
        };
        let passes = |_: ColliderHandle, collider: &Collider| {
            self.is_obstacle(collider, owner, PassThrough::Nothing)
        };
        let query = self.obstacle_query(capsule, &passes);
        let shape = thin.shape();
        self.guarded_query(|| {
            let mut hits = query.intersect_shape(thin.pose(feet), &*shape);
            hits.next().is_none()
        })
    }

    /// Moves the capsule to its character. Queries see it there after the next step.
    pub(super) fn put_capsule(&mut self, id: BodyId, capsule: &Capsule, feet: Vec3) {
        let at = capsule.pose(feet);
        if let Some(body) = self.body_mut(id).filter(|body| *body.position() != at) {
            body.set_position(at, true);
            body.set_next_kinematic_position(at);
        }
    }

    /// Pushes a dynamic body up to a speed, with at most `max` newton seconds, at a position. Returns its resulting speed
    /// in that direction.
    pub(super) fn push_up_to(
        &mut self,
        id: BodyId,
        offset_out: Vec3,
        speed: f32,
        max: f32,
        at: Vec3,
    ) -> Option<f32> {
        let body = self.body(id).filter(|body| body.is_dynamic())?;
        let at = at.with_y(body.center_of_mass().y);
        let has = body.velocity_at_point(at).dot(offset_out);
        let mass = body.mass();
        let impulse = ((speed - has) * mass).clamp_to(0.0, max);
        if impulse > 0.0 {
            self.push(id, offset_out * impulse, Some(at));
        }
        Some(has + impulse / mass.max(1e-3))
    }

    fn is_obstacle(&self, collider: &Collider, owner: Owner, passed: PassThrough) -> bool {
        let is_passed = match passed {
            PassThrough::Nothing => false,
            PassThrough::Body(id) => collider.parent() == Some(id.handle),
            PassThrough::Moving => collider.parent().is_some_and(|body| {
                let body = self.rapier.bodies.get(body);
                body.is_some_and(|body| !body.is_fixed())
            }),
        };
        owner_of(collider).0 != owner && !is_passed && !has_flag(collider, STICKING)
    }

    /// Returns true if a dynamic body does not push a hollow capsule: the body is light or flies through.
    fn gives_way(&self, capsule: &Capsule, collider: &Collider) -> bool {
        let body = collider
            .parent()
            .and_then(|body| self.rapier.bodies.get(body));
        body.is_some_and(|body| {
            body.is_dynamic()
                && (body.mass() < capsule.light || body.linvel().length() > MIN_FLYING_SPEED)
        })
    }

    fn obstacle_query<'a>(
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

    fn hit_of(
        &self,
        handle: ColliderHandle,
        position: Vec3,
        normal: Vec3,
        distance: f32,
    ) -> CapsuleHit {
        let collider = self.rapier.colliders.get(handle);
        let parent = collider.and_then(Collider::parent);
        let (owner, part) = collider.map_or((Owner::FLOOR_OWNER, 0), owner_of);
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

/// Returns true on the axis of a capsule, where no side is nearer than another.
fn is_on_axis(from_collider: &Pose, collider: &dyn Shape) -> bool {
    let level = from_collider.translation.with_y(0.0);
    collider.as_capsule().is_some() && level.length() < 1e-4
}

/// Horizontal unit vector, different for each owner, so that capsules at one position separate in different directions.
fn direction_of(owner: Owner) -> Vec3 {
    const GOLDEN_ANGLE: f32 = 2.399_963_2;
    let (sin, cos) = (GOLDEN_ANGLE * (owner.0 % 4096) as f32).sin_cos();
    Vec3::new(cos, 0.0, sin)
}

fn finite_or_zero(offset_out: Vec3) -> Vec3 {
    if offset_out.is_finite() {
        offset_out
    } else {
        Vec3::ZERO
    }
}
