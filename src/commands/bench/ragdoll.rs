//! Ragdolls: 1, 64 and 256 of 11 capsules dropped in piles, of both qualities, compared with the physics engine alone.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};

use super::stopwatch::Stopwatch;
use super::{BenchFigure, Benchmark};
use galatea_anim::{Bone, Skeleton, local_to_model};
use galatea_character::Definition;
use galatea_math::Trs;
use galatea_physics::ragdoll::{
    BodyControl, BodyDefinition, BodyShape, JointDefinition, JointKind, Ragdoll, RagdollDefinition,
    RagdollQuality, RagdollSettings,
};
use galatea_physics::{BareRagdolls, Owner, PhysicsMaterial, PhysicsWorld, RigidFrame};

pub(super) const ALL: &[(&str, Benchmark)] = &[("ragdoll", bench)];

/// Number of timed steps.
const STEPS: usize = 240;
const DT: f32 = 1.0 / 60.0;
/// Consecutive steps of one variant before the next one runs.
const BATCH_STEPS: usize = 20;
/// Maximum ticks for piles to come to rest.
const MAX_SETTLE_TICKS: usize = 1200;
/// Number of rounds; the report has the median.
const ROUNDS: usize = 3;

/// Name of a bone, index of its parent, its ends, radius, mass and joint.
type BoneRow = (&'static str, usize, Vec3, Vec3, f32, f32, JointKind);

/// Eleven capsules with the height of a human.
fn rows() -> [BoneRow; 11] {
    let cone = |swing: f32, twist: f32| JointKind::TwistCone {
        swing: [swing, swing],
        twist: [-twist, twist],
    };
    let hinge = |low: f32, high: f32| JointKind::Hinge { range: [low, high] };
    let v = Vec3::new;
    let arm = |name, x: f32| {
        let (a, b) = (v(x * 0.2, 1.42, 0.0), v(x * 0.46, 1.42, 0.0));
        (name, 1, a, b, 0.05, 3.0, cone(1.2, 0.8))
    };
    let forearm = |name, above, x: f32| {
        let (a, b) = (v(x * 0.48, 1.42, 0.0), v(x * 0.74, 1.42, 0.0));
        (name, above, a, b, 0.04, 2.0, hinge(0.0, 2.5))
    };
    let thigh = |name, x: f32| {
        let (a, b) = (v(x * 0.11, 0.88, 0.0), v(x * 0.11, 0.52, 0.0));
        (name, 0, a, b, 0.075, 9.0, cone(0.9, 0.5))
    };
    let shin = |name, above, x: f32| {
        let (a, b) = (v(x * 0.11, 0.46, 0.0), v(x * 0.11, 0.08, 0.0));
        (name, above, a, b, 0.055, 5.0, hinge(0.0, 2.3))
    };
    [
        (
            "hips",
            0,
            v(-0.08, 0.98, 0.0),
            v(0.08, 0.98, 0.0),
            0.11,
            12.0,
            JointKind::Fixed,
        ),
        (
            "chest",
            0,
            v(0.0, 1.15, 0.0),
            v(0.0, 1.38, 0.0),
            0.13,
            20.0,
            cone(0.5, 0.4),
        ),
        (
            "head",
            1,
            v(0.0, 1.6, 0.0),
            v(0.0, 1.68, 0.0),
            0.09,
            5.0,
            cone(0.6, 0.8),
        ),
        arm("left_arm", 1.0),
        forearm("left_forearm", 3, 1.0),
        arm("right_arm", -1.0),
        forearm("right_forearm", 5, -1.0),
        thigh("left_thigh", 1.0),
        shin("left_shin", 7, 1.0),
        thigh("right_thigh", -1.0),
        shin("right_shin", 9, -1.0),
    ]
}

/// The ragdoll and its skeleton.
fn figure() -> Option<(Arc<RagdollDefinition>, Skeleton)> {
    let mut definition = RagdollDefinition::default();
    let (mut bones, mut places) = (Vec::new(), Vec::<RigidFrame>::new());
    for (i, (name, above, a, b, radius, mass, kind)) in rows().into_iter().enumerate() {
        let along = (b - a).normalize_or(Vec3::Y);
        let place = RigidFrame {
            position: (a + b) / 2.0,
            rotation: Quat::from_rotation_arc(Vec3::Y, along),
        };
        let parent = places.get(above).copied().unwrap_or(RigidFrame::IDENTITY);
        let local = parent.inverse().then(place);
        bones.push(Bone {
            name: name.into(),
            parent: (i > 0).then_some(above as u16),
            rest: Trs {
                translation: local.position,
                rotation: local.rotation,
                scale: Vec3::ONE,
            },
            skinned: true,
        });
        definition.bodies.push(BodyDefinition {
            bone: i as u16,
            bone_from_body: RigidFrame::IDENTITY,
            shape: BodyShape::Capsule {
                half_length: (b - a).length() / 2.0,
                radius,
            },
            mass,
            friction: 0.7,
        });
        if i > 0 {
            // The X axis of a cone runs along the child, that of a hinge across it.
            let turn = match kind {
                JointKind::Hinge { .. } if along.x.abs() > 0.5 => {
                    Quat::from_rotation_arc(Vec3::X, Vec3::Y)
                }
                JointKind::Hinge { .. } => Quat::IDENTITY,
                _ => Quat::from_rotation_arc(Vec3::X, along),
            };
            let link = RigidFrame {
                position: a,
                rotation: turn,
            };
            definition.joints.push(JointDefinition {
                parent: above as u16,
                child: i as u16,
                parent_from_joint: parent.inverse().then(link),
                child_from_joint: place.inverse().then(link),
                kind,
            });
            definition.ignored_pairs.push((above as u16, i as u16));
        }
        places.push(place);
    }
    Some((Arc::new(definition), Skeleton::new(bones).ok()?))
}

/// Start position of ragdoll `i` in a pile, four above each other.
fn place(i: usize, n: usize) -> Affine3A {
    let side = (n as f32 / 4.0).sqrt().ceil().max(1.0) as usize;
    let (column, layer) = (i % (side * side), i / (side * side));
    let (x, z) = (column % side, column / side);
    let at = Vec3::new(x as f32, 0.0, z as f32) * 0.9 + Vec3::Y * (0.4 + 1.9 * layer as f32);
    let turn = Quat::from_euler(glam::EulerRot::YXZ, i as f32 * 1.3, 0.25, 0.2);
    Affine3A::from_rotation_translation(turn, at)
}

/// Ragdolls and their physics world.
struct Pile {
    world: PhysicsWorld,
    ragdolls: Vec<(Ragdoll, Affine3A)>,
    skeleton: Skeleton,
    surface: PhysicsMaterial,
    rest: Vec<Affine3A>,
    locals: Vec<Trs>,
    quality: RagdollQuality,
    /// Seconds spent in the engine.
    inside: f64,
    touches: Vec<galatea_physics::Touch>,
}

impl Pile {
    fn new(skeleton: &Skeleton, quality: RagdollQuality) -> Self {
        let mut world = PhysicsWorld::new();
        world.set_gravity(Vec3::NEG_Y * 9.81);
        let surface = PhysicsMaterial::new("stone", 0.7, 0.0);
        world.set_floor(Some((0.0, &surface)));
        let locals: Vec<Trs> = skeleton.rest().collect();
        let mut rest = Vec::new();
        local_to_model(skeleton, &locals, &mut rest);
        Self {
            world,
            ragdolls: Vec::new(),
            skeleton: skeleton.clone(),
            surface,
            rest,
            locals,
            quality,
            inside: 0.0,
            touches: Vec::new(),
        }
    }

    fn drop(&mut self, definition: &Arc<RagdollDefinition>, n: usize, offset: Vec3) {
        for i in 0..n {
            let settings = RagdollSettings {
                quality: self.quality,
                ..RagdollSettings::default()
            };
            let mut ragdoll = Ragdoll::new(definition.clone(), settings);
            ragdoll.set_all(BodyControl::Limp);
            let at = Affine3A::from_translation(offset) * place(i, n);
            self.ragdolls.push((ragdoll, at));
        }
    }

    /// The same ragdolls for the engine alone.
    fn bare(&self, definition: &RagdollDefinition) -> BareRagdolls {
        let mut bare = BareRagdolls::new(0.7);
        for (ragdoll, at) in &self.ragdolls {
            let frames = self.rest.iter();
            let frames = frames.map(|bone| RigidFrame::of_bone(*at * *bone));
            bare.add(definition, &ragdoll.settings, &frames.collect::<Vec<_>>());
        }
        bare
    }

    /// One tick, as on a stage.
    fn tick(&mut self) {
        for (i, (ragdoll, at)) in self.ragdolls.iter_mut().enumerate() {
            ragdoll.aim(*at, &self.rest, 1.0);
            ragdoll.before_step(&mut self.world, Owner(i as u64), &self.surface, DT);
        }
        for (ragdoll, _) in &mut self.ragdolls {
            ragdoll.weigh(&self.world);
        }
        self.inside += seconds_of(|| self.world.step(f64::from(DT), &mut self.touches));
        self.touches.clear();
        for (ragdoll, at) in &mut self.ragdolls {
            ragdoll.after_step(&mut self.world);
            let mut matrices = std::mem::take(&mut self.rest);
            ragdoll.pose(*at, &self.skeleton, &mut self.locals, &mut matrices);
            self.rest = matrices;
        }
    }

    /// Lets all ragdolls come to rest, as the stage does, within a number of ticks.
    fn settle(&mut self, ticks: usize) {
        for _ in 0..ticks {
            for (ragdoll, _) in self
                .ragdolls
                .iter_mut()
                .filter(|(ragdoll, _)| !ragdoll.asleep)
            {
                ragdoll.rest(&mut self.world);
            }
            self.tick();
            if self.ragdolls.iter().all(|(ragdoll, _)| ragdoll.asleep) {
                break;
            }
        }
    }
}

/// 99th percentile and maximum.
fn high(mut list: Vec<f32>) -> [f64; 2] {
    list.sort_by(f32::total_cmp);
    let of = |share: f32| list.get((list.len().saturating_sub(1) as f32 * share) as usize);
    [of(0.99), of(1.0)].map(|n| n.map_or(0.0, |n| f64::from(*n)))
}

fn median(mut list: Vec<f64>) -> f64 {
    list.sort_by(f64::total_cmp);
    list.get(list.len() / 2).copied().unwrap_or(0.0)
}

fn bench(_: &Arc<Definition>) -> Vec<BenchFigure> {
    let Some((definition, skeleton)) = figure() else {
        return Vec::new();
    };
    [1, 64, 256]
        .into_iter()
        .flat_map(|n| of_number(n, &definition, &skeleton))
        .collect()
}

fn of_number(
    n: usize,
    definition: &Arc<RagdollDefinition>,
    skeleton: &Skeleton,
) -> Vec<BenchFigure> {
    let (mut times, mut errors) = (PileTimes::default(), PileErrors::default());
    for _ in 0..ROUNDS {
        times.run_round(n, definition, skeleton, &mut errors);
    }
    let mut rows = times.rows(n);
    rows.extend(errors.rows(n));
    rows
}

/// A figure for piles of `n` ragdolls.
fn row(n: usize, name: &str, what: &str, value: f64, unit: &'static str) -> BenchFigure {
    BenchFigure::plain(&format!("ragdoll_{n}_{name}"), what, value, unit)
}

/// Times of each round, microseconds per ragdoll and step.
#[derive(Default)]
struct PileTimes {
    ours: Vec<f64>,
    fast: Vec<f64>,
    bare: Vec<f64>,
    /// The part of `ours` outside of the engine's step.
    outside: Vec<f64>,
    settled: Vec<f64>,
    /// Number of settled ragdolls that were asleep after the round.
    n_asleep: Vec<usize>,
}

impl PileTimes {
    fn run_round(
        &mut self,
        n: usize,
        definition: &Arc<RagdollDefinition>,
        skeleton: &Skeleton,
        errors: &mut PileErrors,
    ) {
        let [mut pile, mut fast] = [RagdollQuality::Exact, RagdollQuality::Fast].map(|quality| {
            let mut pile = Pile::new(skeleton, quality);
            pile.drop(definition, n, Vec3::ZERO);
            pile
        });
        let mut bare = pile.bare(definition);
        let mut settled = three_quarters(n, definition, skeleton);
        let (mut seconds, mut fast_seconds) = (0.0, 0.0);
        let (mut bare_seconds, mut settled_seconds) = (0.0, 0.0);
        // Alternates between the variants, so that all run under the same conditions.
        for _ in 0..STEPS / BATCH_STEPS {
            for _ in 0..BATCH_STEPS {
                bare_seconds += seconds_of(|| bare.step(DT));
                errors.add_bare(&bare);
            }
            for _ in 0..BATCH_STEPS {
                seconds += seconds_of(|| pile.tick());
                errors.exact.add(&pile);
            }
            for _ in 0..BATCH_STEPS {
                fast_seconds += seconds_of(|| fast.tick());
                errors.fast.add(&fast);
            }
            settled_seconds += seconds_of(|| (0..BATCH_STEPS).for_each(|_| settled.tick()));
        }
        let per = 1e6 / (n * STEPS) as f64;
        self.bare.push(bare_seconds * per);
        self.ours.push(seconds * per);
        self.fast.push(fast_seconds * per);
        self.outside.push((seconds - pile.inside) * per);
        self.settled.push(settled_seconds * per);
        let still = settled.ragdolls.iter().take(n_still(n));
        self.n_asleep
            .push(still.filter(|(ragdoll, _)| ragdoll.asleep).count());
    }

    fn rows(self, n: usize) -> Vec<BenchFigure> {
        let (ours, fast, bare) = (median(self.ours), median(self.fast), median(self.bare));
        let (outside, settled) = (median(self.outside), median(self.settled));
        let asleep = self.n_asleep.into_iter().fold(n, usize::min);
        let row = |name, what, value, unit| row(n, name, what, value, unit);
        let unit = "us per ragdoll and step";
        let mut rows = vec![
            row("ours", "11 capsules each, in piles, whole tick", ours, unit),
            row("fast", "the same of the quality \"fast\"", fast, unit),
            row(
                "fast_share",
                "\"fast\" divided by \"exact\"",
                fast / ours.max(1e-9),
                "times",
            ),
            row(
                "bare",
                "the physics engine alone, same bodies, joints and iterations",
                bare,
                unit,
            ),
            row(
                "over",
                "whole tick divided by the physics engine alone",
                ours / bare.max(1e-9),
                "times",
            ),
            row(
                "outside",
                "of the whole tick: outside of the physics engine's step",
                outside,
                unit,
            ),
        ];
        if n_still(n) == 0 {
            return rows;
        }
        rows.extend([
            row(
                "settled",
                "three quarters of the ragdolls at rest",
                settled,
                unit,
            ),
            row(
                "settled_asleep",
                "of the resting ragdolls: fraction still asleep at the end",
                asleep as f64 / n_still(n) as f64,
                "fraction",
            ),
            row(
                "settled_share",
                "time divided by that with all ragdolls awake",
                settled / ours.max(1e-9),
                "times",
            ),
        ]);
        rows
    }
}

/// Joint errors after each step of all rounds.
#[derive(Default)]
struct PileErrors {
    exact: JointErrors,
    fast: JointErrors,
    bare: JointErrors,
}

/// Errors of joints: gaps in metres, and excess beyond limits in radians.
#[derive(Default)]
struct JointErrors {
    gaps: Vec<f32>,
    excess: Vec<f32>,
}

impl JointErrors {
    /// Adds the largest error of each ragdoll.
    fn add(&mut self, pile: &Pile) {
        let ragdolls = || pile.ragdolls.iter();
        self.gaps
            .extend(ragdolls().map(|(ragdoll, _)| ragdoll.gap()));
        self.excess
            .extend(ragdolls().map(|(ragdoll, _)| ragdoll.violation()));
    }

    fn rows(self, n: usize, name: &str, whose: &str) -> [BenchFigure; 4] {
        let [gap, worst_gap] = high(self.gaps).map(|metres| metres * 100.0);
        let [beyond, worst_beyond] = high(self.excess).map(f64::to_degrees);
        let row = |figure: &str, what: &str, value, unit| {
            row(
                n,
                &format!("{name}{figure}"),
                &format!("{what}, {whose}"),
                value,
                unit,
            )
        };
        [
            row("gap_p99", "gap between the ends of a joint", gap, "cm"),
            row("gap_worst", "the worst", worst_gap, "cm"),
            row("beyond_p99", "a joint beyond its limits", beyond, "degrees"),
            row("beyond_worst", "the worst", worst_beyond, "degrees"),
        ]
    }
}

impl PileErrors {
    /// Adds every joint.
    fn add_bare(&mut self, bare: &BareRagdolls) {
        bare.each_joint(|gap, beyond| {
            self.bare.gaps.push(gap);
            self.bare.excess.push(beyond);
        });
    }

    fn rows(self, n: usize) -> Vec<BenchFigure> {
        let worst = "the worst joint of each ragdoll";
        let mut rows = Vec::new();
        rows.extend(self.exact.rows(n, "", worst));
        rows.extend(self.fast.rows(n, "fast_", worst));
        let all = "all joints of the physics engine alone";
        rows.extend(self.bare.rows(n, "bare_", all));
        rows
    }
}

fn seconds_of(work: impl FnOnce()) -> f64 {
    let start = Stopwatch::start();
    work();
    start.elapsed().as_secs_f64()
}

/// Ragdolls of which three quarters rest. The others fall in a separate pile, because contact with sleepers would wake their
/// whole pile.
fn three_quarters(n: usize, definition: &Arc<RagdollDefinition>, skeleton: &Skeleton) -> Pile {
    let mut pile = Pile::new(skeleton, RagdollQuality::Exact);
    let n_still = n_still(n);
    pile.drop(definition, n_still, Vec3::ZERO);
    for _ in 0..STEPS {
        pile.tick();
    }
    pile.settle(MAX_SETTLE_TICKS);
    pile.drop(definition, n - n_still, Vec3::X * 60.0);
    pile
}

/// Three quarters of `n`.
fn n_still(n: usize) -> usize {
    n * 3 / 4
}
