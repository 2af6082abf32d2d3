//! Rope joints: two points, at least one of them on a dynamic body, stay within a distance.

use glam::Vec3;
use rapier3d::prelude::{
    ImpulseJointHandle, JointAxis, RigidBodyBuilder, RigidBodyHandle, RopeJointBuilder,
    SpringCoefficients,
};
use serde::{Deserialize, Serialize};

use super::body_id::BodyId;
use super::ragdoll::RigidFrame;
use super::world::{PhysicsWorld, clamped_pose};

/// Additional solver iterations, so that heavy bodies can hang on light ones.
const EXTRA_ITERATIONS: usize = 4;
/// Additional passes over the joints in each of them.
const EXTRA_PASSES: usize = 8;
/// Motion of an anchor below this does not wake bodies, metres.
const MIN_MOTION: f32 = 1e-4;
/// Softness of the joint. With the engine's default, a rope stretches by a few percent under a swinging load.
const ROPE_SOFTNESS: SpringCoefficients<f32> = SpringCoefficients {
    natural_frequency: 1e6,
    damping_ratio: 1.0,
};

/// An end of a rope.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum TieEnd {
    /// A point in a body's own space, metres.
    Body(BodyId, Vec3),
    /// A point in the world. When it moves, it pulls at its speed.
    Point(Vec3),
    /// A point at which a rope bends over an obstacle. It moves along the rope without pulling at it.
    Bend(Vec3),
}

impl TieEnd {
    /// True when both are points in the world, or both on the same body.
    fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Body(one, _), Self::Body(two, _)) => one == two,
            (Self::Point(_), Self::Point(_)) | (Self::Bend(_), Self::Bend(_)) => true,
            _ => false,
        }
    }
}

/// A rope joint between two points in a [`PhysicsWorld`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Tie {
    ends: [TieEnd; 2],
    bodies: [RigidBodyHandle; 2],
    anchors: [Option<BodyId>; 2],
    joint: ImpulseJointHandle,
    /// Additional solver iterations, and passes in each, that each body had before.
    iterations: [[usize; 2]; 2],
    max: f32,
}

impl PhysicsWorld {
    /// Ties two points together: they stay within `max` metres of each other. `None` when neither is on a dynamic body.
    pub fn tie(&mut self, ends: [TieEnd; 2], max: f32) -> Option<Tie> {
        let is_free = |end: &TieEnd| match end {
            TieEnd::Body(id, _) => self.body(*id).is_some_and(|body| body.is_dynamic()),
            TieEnd::Point(_) | TieEnd::Bend(_) => false,
        };
        let is_there = |end: &TieEnd| match end {
            TieEnd::Body(id, own) => self.has(*id) && own.is_finite(),
            TieEnd::Point(at) | TieEnd::Bend(at) => at.is_finite(),
        };
        let is_one = matches!(ends, [TieEnd::Body(a, _), TieEnd::Body(b, _)] if a == b);
        if is_one || !max.is_finite() || !ends.iter().all(is_there) || !ends.iter().any(is_free) {
            return None;
        }
        let owner = ends.iter().find_map(|end| match end {
            TieEnd::Body(id, _) => self.body(*id).map(|body| body.user_data),
            TieEnd::Point(_) | TieEnd::Bend(_) => None,
        })?;
        let mut anchors = [None; 2];
        let mut locals = [Vec3::ZERO; 2];
        let mut bodies = [RigidBodyHandle::invalid(); 2];
        let mut iterations = [[0; 2]; 2];
        for (i, end) in ends.into_iter().enumerate() {
            match end {
                TieEnd::Body(id, own) => {
                    (bodies[i], locals[i]) = (id.handle, own);
                    if let Some(body) = self.rapier.bodies.get_mut(id.handle) {
                        let had = [
                            body.additional_solver_iterations(),
                            body.additional_pgs_iterations(),
                        ];
                        body.set_additional_solver_iterations(had[0].max(EXTRA_ITERATIONS));
                        body.set_additional_pgs_iterations(had[1].max(EXTRA_PASSES));
                        iterations[i] = had;
                    }
                }
                TieEnd::Point(at) | TieEnd::Bend(at) => {
                    let anchor = RigidBodyBuilder::kinematic_position_based()
                        .pose(clamped_pose(frame_at(at)))
                        .user_data(owner);
                    bodies[i] = self.rapier.insert_body(anchor.build());
                    anchors[i] = Some(self.id(bodies[i]));
                }
            }
        }
        let max = max.max(1e-3);
        let joint = RopeJointBuilder::new(max)
            .local_anchor1(locals[0])
            .local_anchor2(locals[1])
            .softness(ROPE_SOFTNESS)
            .build();
        let joint = self
            .rapier
            .insert_impulse_joint(bodies[0], bodies[1], joint);
        self.disturb();
        for body in bodies {
            self.rapier.wake_up(body, true);
        }
        Some(Tie {
            ends,
            bodies,
            anchors,
            joint,
            iterations,
            max,
        })
    }

    /// Updates a tie for the coming step: its length, `max` metres, and ends that are points in the world. False when a
    /// body was removed, no body is dynamic any more, or the ends are of another kind: then the caller removes the tie.
    pub fn hold_tie(&mut self, tie: &mut Tie, ends: [TieEnd; 2], max: f32) -> bool {
        let is_same = (0..2).all(|i| ends[i].is_like(tie.ends[i]));
        let is_free = |body: &RigidBodyHandle| {
            let body = self.rapier.bodies.get(*body);
            body.is_some_and(|body| body.is_dynamic())
        };
        let is_there = (0..2).all(|i| self.rapier.bodies.contains(tie.bodies[i]));
        if !is_same || !is_there || !tie.bodies.iter().any(is_free) || !max.is_finite() {
            return false;
        }
        let max = max.max(1e-3);
        let mut is_moved = (max - tie.max).abs() > MIN_MOTION;
        for (i, end) in ends.into_iter().enumerate() {
            let Some(anchor) = tie.anchors[i] else {
                continue;
            };
            match (end, tie.ends[i]) {
                (TieEnd::Point(to), TieEnd::Point(was)) if is_elsewhere(to, was) => {
                    self.move_to(anchor, frame_at(to));
                }
                (TieEnd::Bend(to), TieEnd::Bend(was)) if is_elsewhere(to, was) => {
                    self.put(anchor, frame_at(to));
                }
                _ => continue,
            }
            is_moved = true;
            tie.ends[i] = end;
        }
        let Some(joint) = self.rapier.impulse_joints.get_mut(tie.joint, is_moved) else {
            return false;
        };
        if is_moved {
            tie.max = max;
            joint.data.set_limits(JointAxis::LinX, [0.0, max]);
            for body in tie.bodies {
                self.rapier.wake_up(body, true);
            }
        }
        true
    }

    /// Removes a tie.
    pub fn untie(&mut self, tie: &Tie) {
        self.rapier.remove_impulse_joint(tie.joint);
        for i in 0..2 {
            match tie.anchors[i] {
                Some(anchor) => self.remove(anchor),
                None => {
                    if let Some(body) = self.rapier.bodies.get_mut(tie.bodies[i]) {
                        let [iterations, passes] = tie.iterations[i];
                        body.set_additional_solver_iterations(iterations);
                        body.set_additional_pgs_iterations(passes);
                        body.wake_up(true);
                    }
                }
            }
        }
    }
}

fn is_elsewhere(to: Vec3, previous: Vec3) -> bool {
    to.is_finite() && to.distance(previous) > MIN_MOTION
}

fn frame_at(position: Vec3) -> RigidFrame {
    RigidFrame {
        position,
        ..RigidFrame::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        BodyType, CollisionShape, Owner, PhysicsMaterial, PlacedShape, PropBodySettings, Start,
    };

    fn add(world: &mut PhysicsWorld, mass: f32, at: Vec3) -> BodyId {
        let options = PropBodySettings {
            pieces: [PlacedShape {
                shape: CollisionShape::Sphere(0.1),
                at: RigidFrame::IDENTITY,
            }]
            .into(),
            body_type: BodyType::Dynamic,
            mass: Some(mass),
            damping: [0.0; 2],
            ..PropBodySettings::default()
        };
        let surface = PhysicsMaterial::new("wood", 0.5, 0.0);
        let start = Start {
            at: frame_at(at),
            scale: 1.0,
            velocity: Default::default(),
        };
        let made = world.add_prop_body(
            Owner(1),
            &options,
            |i| Some(i as u16),
            |_| surface.clone(),
            start,
        );
        made.expect("a sphere")
    }

    fn step(world: &mut PhysicsWorld, ties: &mut [(Tie, [TieEnd; 2], f32)]) {
        for (tie, ends, max) in ties {
            assert!(world.hold_tie(tie, *ends, *max));
        }
        world.step(1.0 / 60.0, &mut Vec::new());
    }

    fn position(world: &PhysicsWorld, body: BodyId) -> Vec3 {
        world.frame(body).expect("it is there").position
    }

    /// Bodies dropped from the height of the anchor and from next to it.
    #[test]
    fn a_rope_of_a_falling_body_grows_by_less_than_two_percent() {
        for mass in [8.0, 80.0, 800.0] {
            for from in [Vec3::Y * 3.0, Vec3::new(1.4, 3.0, 0.0)] {
                let mut world = PhysicsWorld::new();
                let body = add(&mut world, mass, from);
                let ends = [TieEnd::Point(Vec3::Y * 3.0), TieEnd::Body(body, Vec3::ZERO)];
                let tie = world.tie(ends, 1.5).expect("it is free");
                let mut ties = [(tie, ends, 1.5)];
                let mut longest = 0.0_f32;
                for _ in 0..600 {
                    step(&mut world, &mut ties);
                    longest = longest.max(position(&world, body).distance(Vec3::Y * 3.0));
                }
                assert!(longest > 1.49 && longest < 1.53, "{mass} {from} {longest}");
            }
        }
    }

    #[test]
    fn a_body_on_a_rope_swings_with_the_period_of_a_pendulum() {
        for length in [0.5, 1.5, 4.0] {
            let mut world = PhysicsWorld::new();
            let angle = 0.1_f32;
            let from = Vec3::new(angle.sin(), -angle.cos(), 0.0) * length;
            let body = add(&mut world, 8.0, from);
            let ends = [TieEnd::Point(Vec3::ZERO), TieEnd::Body(body, Vec3::ZERO)];
            let tie = world.tie(ends, length).expect("it is free");
            let mut ties = [(tie, ends, length)];
            let (mut previous, mut crossings) = (from.x, Vec::new());
            for i in 0..1800 {
                step(&mut world, &mut ties);
                let now = position(&world, body).x;
                if previous < 0.0 && now >= 0.0 {
                    crossings.push(i as f32 - now / (now - previous));
                }
                previous = now;
            }
            let n = crossings.len() - 1;
            let period = (crossings[n] - crossings[0]) / n as f32 / 60.0;
            let expected = std::f32::consts::TAU * (length / 9.81).sqrt();
            assert!(
                (period / expected - 1.0).abs() < 0.03,
                "{length} m: {period} s, not {expected}"
            );
        }
    }

    /// A hundred to one, either of them above.
    #[test]
    fn a_light_body_carries_a_heavy_one_on_a_second_rope() {
        for [upper, lower] in [[1.0, 100.0], [100.0, 1.0]] {
            let mut world = PhysicsWorld::new();
            let bodies = [(upper, -1.0), (lower, -2.0)]
                .map(|(mass, y)| add(&mut world, mass, Vec3::new(0.3, y, 0.0)));
            let first = [
                TieEnd::Point(Vec3::ZERO),
                TieEnd::Body(bodies[0], Vec3::ZERO),
            ];
            let second = bodies.map(|body| TieEnd::Body(body, Vec3::ZERO));
            let mut ties = [first, second].map(|ends| {
                let tie = world.tie(ends, 1.1).expect("it is free");
                (tie, ends, 1.1)
            });
            for i in 0..600 {
                step(&mut world, &mut ties);
                let [a, b] = bodies.map(|body| position(&world, body));
                let longest = a.length().max(a.distance(b));
                assert!(longest < 1.1 * 1.02, "{upper} {lower} at {i}: {longest}");
            }
        }
    }

    #[test]
    fn a_thrown_body_pulls_the_one_it_is_tied_to() {
        let mut world = PhysicsWorld::new();
        world.set_gravity(Vec3::ZERO);
        let bodies = [(2.0, 0.0), (6.0, 1.0)].map(|(mass, x)| add(&mut world, mass, Vec3::X * x));
        let ends = bodies.map(|body| TieEnd::Body(body, Vec3::ZERO));
        let tie = world.tie(ends, 2.0).expect("they are free");
        world.push(bodies[1], Vec3::X * 24.0, None);
        let mut ties = [(tie, ends, 2.0)];
        for _ in 0..120 {
            step(&mut world, &mut ties);
        }
        let [a, b] = bodies.map(|body| world.velocity(body).expect("it is there").linear.x);
        // Without bounce both continue as one: 24 kg·m/s of 8 kg.
        assert!((a - 3.0).abs() < 0.1 && (b - 3.0).abs() < 0.1, "{a} {b}");
    }

    #[test]
    fn a_tie_needs_a_dynamic_body_and_ends_when_its_body_is_removed() {
        let mut world = PhysicsWorld::new();
        let fixed = [TieEnd::Point(Vec3::ZERO), TieEnd::Point(Vec3::X)];
        assert!(world.tie(fixed, 1.0).is_none());
        let body = add(&mut world, 1.0, Vec3::ZERO);
        let ends = [TieEnd::Body(body, Vec3::ZERO), TieEnd::Point(Vec3::X)];
        assert!(world.tie(ends, f32::NAN).is_none());
        let mut tie = world.tie(ends, 1.0).expect("it is free");
        assert!(!world.hold_tie(&mut tie, fixed, 1.0));
        let n_bodies = world.n_bodies();
        world.remove(body);
        assert!(!world.hold_tie(&mut tie, ends, 1.0));
        world.untie(&tie);
        assert_eq!(world.n_bodies(), n_bodies - 2, "the anchor is gone, too");
    }
}
