//! Whole-body reaching: over thousands of targets the body stays within its limits and above its feet, and moves without
//! jumps.

use std::path::Path;
use std::sync::Arc;

use galatea::anim::humanoid::Role;
use galatea::anim::local_to_model;
use galatea::asset::Model;
use galatea::asset::gltf::load;
use galatea::character::Definition;
use galatea::math::Trs;
use galatea::rig::Posed;
use galatea::rig::full_body::{Arm, FullBodyRig, HipStance};
use galatea::rig::two_bone::{ReachGoal, reach};
use glam::{Affine3A, Quat, Vec3};

/// The character of the repository.
fn hero() -> Model {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb")).unwrap()
}

/// A standing pose of the character of the repository, and its body.
struct Body {
    definition: Arc<Definition>,
    rig: Arc<FullBodyRig>,
    arms: [Arm; 2],
    locals: Vec<Trs>,
    model: Vec<Affine3A>,
}

/// The measured posture.
struct Posture {
    hand: Vec3,
    hips: Vec3,
    margin: f32,
    /// Movement of the balls of the feet.
    slid: f32,
    /// Angle of the elbow, and rotations of hips, spine and collarbone, radians.
    elbow: f32,
    turned: Vec<f32>,
    all: Vec<Trs>,
}

impl Body {
    fn new() -> Self {
        let definition = Arc::new(Definition::new(Arc::new(hero())));
        let rig = definition.whole_rig().unwrap();
        let humanoid = definition.clips.humanoid();
        let arm = |[upper, lower, hand, collar]: [Role; 4], side: f32| {
            let bone = |role| humanoid.bone(role).unwrap();
            let bones = [bone(upper), bone(lower), bone(hand)];
            Arm {
                limb: definition.limb(bones).unwrap(),
                collar: humanoid.bone(collar),
                side,
            }
        };
        let arms = [
            arm(
                [
                    Role::LeftUpperArm,
                    Role::LeftLowerArm,
                    Role::LeftHand,
                    Role::LeftShoulder,
                ],
                1.0,
            ),
            arm(
                [
                    Role::RightUpperArm,
                    Role::RightLowerArm,
                    Role::RightHand,
                    Role::RightShoulder,
                ],
                -1.0,
            ),
        ];
        let mut pose = definition.clips.rest().clone();
        definition
            .clips
            .sample_one(definition.idle.unwrap(), 0.3, &mut pose);
        let mut model = Vec::new();
        local_to_model(definition.clips.skeleton(), &pose.locals, &mut model);
        Self {
            definition,
            rig,
            arms,
            locals: pose.locals,
            model,
        }
    }

    fn reach(&self, n: usize, target: Vec3) -> Posture {
        let mut locals = self.locals.clone();
        let skeleton = self.definition.clips.skeleton();
        let mut posed = Posed::new(skeleton, &mut locals, &self.model);
        let arm = &self.arms[n];
        let balls = |posed: &Posed<'_>| -> Vec<Vec3> {
            let legs = self.rig.legs.legs.iter();
            // Heels rise about the toe joint.
            legs.filter_map(|leg| Some(posed.position(leg.toe.as_ref()?.bone)))
                .collect()
        };
        let support = HipStance::of(&posed, &self.rig).support;
        let before = balls(&posed);
        self.rig.reach(&mut posed, arm, target, 1.0);
        let goal = ReachGoal {
            target,
            ..ReachGoal::default()
        };
        reach(&mut posed, &arm.limb, &goal);
        let [upper, lower, end] =
            [arm.limb.upper, arm.limb.lower, arm.limb.end].map(|bone| posed.position(bone));
        let after = balls(&posed);
        let moved = self
            .rig
            .spine
            .iter()
            .chain([&self.rig.hips])
            .chain(arm.collar.as_ref());
        let turned: Vec<f32> = moved
            .map(|bone| {
                let was: Quat = self.locals[usize::from(*bone)].rotation;
                was.angle_between(posed.local(*bone).rotation)
            })
            .collect();
        let hips = posed.position(self.rig.hips);
        Posture {
            hand: end,
            hips,
            margin: support.margin(hips),
            slid: before
                .iter()
                .zip(&after)
                .map(|(a, b)| a.distance(*b))
                .fold(0.0, f32::max),
            elbow: (upper - lower).angle_between(end - lower),
            turned,
            all: locals,
        }
    }
}

/// Pseudorandom numbers from 0 to 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }
}

#[test]
fn reachable_targets_are_reached_without_moving_the_feet() {
    let body = Body::new();
    // In front, to the side, on the floor, above the head: left and up are positive, metres.
    for (n, target) in [
        (1, Vec3::new(-0.15, 1.2, 0.75)),
        (1, Vec3::new(-0.85, 1.1, 0.2)),
        (1, Vec3::new(-0.2, 0.06, 0.4)),
        (1, Vec3::new(-0.3, 0.06, 0.35)),
        (1, Vec3::new(-0.2, 1.95, 0.1)),
        (0, Vec3::new(-0.2, 0.9, 0.7)),
        (0, Vec3::new(0.3, 0.4, 0.5)),
        (0, Vec3::new(0.2, 1.95, 0.15)),
        (0, Vec3::new(0.75, 1.5, 0.3)),
    ] {
        let posture = body.reach(n, target);
        let missed = posture.hand.distance(target);
        assert!(missed < 1e-3, "{target}: {missed}, {:?}", posture.turned);
        assert!(posture.slid < 1e-3, "{target}: {}", posture.slid);
        assert!(posture.margin > 0.02, "{target}: {}", posture.margin);
    }
    // Targets within reach of the arm do not move the body.
    let near = body.reach(1, Vec3::new(-0.2, 1.2, 0.35));
    assert!(near.turned.iter().all(|angle| *angle < 1e-6));
}

#[test]
fn over_random_targets_it_keeps_its_limits_and_follows_without_jumps() {
    let body = Body::new();
    let mut numbers = Numbers(7);
    let mut reached = 0;
    let (mut worst, mut farthest) = (0.0_f32, Vec3::ZERO);
    for _ in 0..2000 {
        let mut place = || numbers.next() * 2.0 - 1.0;
        let target = Vec3::new(place() * 1.2, place() * 1.05 + 1.05, place() * 1.2);
        let by = Vec3::new(place(), place(), place()).normalize_or(Vec3::X) * 1e-3;
        let n = usize::from(place() > 0.0);
        let (here, there) = (body.reach(n, target), body.reach(n, target + by));
        assert!(here.all.iter().all(|local| local.is_finite()), "{target}");
        assert!(here.margin > 0.02, "{target}: {}", here.margin);
        assert!(here.slid < 2e-3, "{target}: {}", here.slid);
        assert!(here.elbow > 0.06, "{target}: {}", here.elbow);
        assert!(
            here.turned.iter().all(|angle| *angle < 1.1),
            "{target}: {:?}",
            here.turned
        );
        let jump = here.hips.distance(there.hips);
        if jump > worst {
            (worst, farthest) = (jump, target);
        }
        reached += usize::from(here.hand.distance(target) < 1e-3);
    }
    assert!(worst < 0.008, "{farthest}: {worst}");
    assert!(reached > 300, "{reached}");
}
