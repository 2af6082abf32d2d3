//! Simulated guide hairs: chains of points with constant segment lengths that return to their rest shape, follow the head
//! and collide with bodies. Eight chains run side by side, in fixed steps.
//!
//! Used by the hair of characters and by benchmarks. A step moves the points by velocity, gravity and air. An implicit step
//! of springs restores the angles between segments (projective dynamics, Bouaziz et al. 2014). A tridiagonal solve restores
//! all segment lengths of a chain at once (similar to Deul et al. 2018, "Direct position-based solver for stiff rods"). Then
//! points leave the colliders. The same input gives the same bits with any number of threads. The root is always exactly at
//! its position on the carrier.

use serde::{Deserialize, Serialize};

mod kernel;
mod moments;
#[cfg(test)]
mod tests;

use glam::{Affine3A, Mat3, Quat, Vec3};
use rayon::prelude::*;

use self::kernel::{
    ChainCollider, ChainConstants, ChainLanes, ChainStep, KernelContext, LANES, LevelConstants,
    MAX_LEVELS,
};
use super::groom::length_of;
use galatea_math::simd::vectors::{lane3, put3, put4, quat};
use galatea_math::simd::{Level, dispatch};
use galatea_physics::particles::ParticleObstacle;

/// Duration of a step, seconds.
pub const STEP: f64 = 1.0 / 120.0;
/// Maximum number of steps per tick; additional time is skipped.
const MAX_STEPS: usize = 16;
/// Maximum speed of a point relative to its carrier, along an axis, m/s.
const MAX_SPEED: f32 = 30.0;
/// Gravity, m/s².
const GRAVITY: f32 = 9.81;
/// Bending stiffness of segments of [`BEND_LENGTH`] at stiffness 1, in point masses per squared step.
const MAX_BEND: f32 = 30.0;
/// Reference length of a segment, metres. In a rod, the stiffness per segment grows with the fourth power of 1 / length.
const BEND_LENGTH: f32 = 0.02;
/// Maximum bending stiffness, for single precision.
const MAX_STIFFNESS: f32 = 2000.0;
/// Frequency of hair that is held only by its hold, at 1, in Hz.
const MAX_HOLD_HZ: f32 = 8.0;
/// Fraction of the stiffness that wet hair loses.
const WET_SOFTNESS: f32 = 0.85;
/// Minimum number of groups per thread.
const GROUPS_PER_THREAD: usize = 8;

/// Physical properties of chains.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainSettings {
    /// Bending stiffness, 0..=1, at the root and at the tip. As with rods of one thickness, short hair is stiffer than long
    /// hair with the same setting.
    pub stiffness: [f32; 2],
    /// Strength of the pull of each point towards its rest position on the head, 0..=1, at the root and at the tip.
    pub rest_stiffness: [f32; 2],
    /// Damping of the motion relative to the head, 1/s.
    pub damping: f32,
    /// Coupling to the motion of the air, 1/s; this is how wind acts.
    pub air_drag: f32,
    /// Factor on gravity. The rest shape includes gravity, so hair only falls if the head leans.
    pub gravity_scale: f32,
    /// Wetness, 0 dry to 1 dripping: heavier than in the rest shape, and softer.
    pub wet: f32,
    /// Fraction of the head's motion that the hair follows at once, 0..=1.
    pub follow: f32,
    /// Distance to bodies, metres.
    pub collision_margin: f32,
    /// Fraction of the tangential motion that is lost on a body per step, 0..=1.
    pub friction: f32,
}

impl Default for ChainSettings {
    fn default() -> Self {
        Self {
            stiffness: [0.8, 0.12],
            rest_stiffness: [0.15, 0.0],
            damping: 4.0,
            air_drag: 1.5,
            gravity_scale: 1.0,
            wet: 0.0,
            follow: 0.1,
            collision_margin: 0.003,
            friction: 0.2,
        }
    }
}

/// Input of the simulation for one tick.
pub struct ChainInput<'a> {
    /// Transform from the guides' rest space to world space.
    pub world_from_rest: Affine3A,
    /// Seconds since the last tick.
    pub dt: f64,
    /// Colliders in world space, in the same order in every tick. A new collider has no velocity. At most 64 are used.
    pub colliders: &'a [ParticleObstacle],
    /// Velocity of the air, m/s.
    pub wind: Vec3,
}

/// Chains with equal numbers of points.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Chains {
    /// Physical properties.
    pub options: ChainSettings,
    n: usize,
    n_levels: usize,
    /// Stiffness factor for the segment length, relative to [`BEND_LENGTH`].
    by_length: f32,
    /// Nodes, group after group, from root to tip.
    nodes: Vec<ChainLanes>,
    /// Origin of `nodes`, world space.
    origin: Vec3,
    /// Transform of the carrier in the last step, and in the last tick.
    stepped: Affine3A,
    seen: Affine3A,
    /// Time not simulated yet, seconds.
    owed: f64,
    is_ready: bool,
    /// Colliders in the last tick and in the last step, world space.
    colliders_seen: Vec<ParticleObstacle>,
    colliders_stepped: Vec<ParticleObstacle>,
    moments: Vec<ChainStep>,
    colliders: Vec<ChainCollider>,
}

impl Chains {
    /// Creates chains at rest on guides (all with the same number of points, 2 to
    /// [`MAX_POINTS`](super::groom::MAX_POINTS); metres, +Y up). `around` are the colliders, in the same space at rest.
    /// Roots that are inside of them at rest may stay there.
    ///
    /// Guides whose number of points differs from the first one's are ignored.
    pub fn new(guides: &[Vec<Vec3>], around: &[ParticleObstacle], options: ChainSettings) -> Self {
        let n_levels = guides.first().map_or(0, Vec::len);
        let valid = guides.iter().filter(|guide| guide.len() == n_levels);
        let valid: Vec<&Vec<Vec3>> = if (2..=MAX_LEVELS).contains(&n_levels) {
            valid.collect()
        } else {
            Vec::new()
        };
        let lengths: f32 = valid.iter().map(|guide| length_of(guide)).sum();
        let segment = lengths / (valid.len() * n_levels.saturating_sub(1)).max(1) as f32;
        let mut nodes = vec![ChainLanes::default(); valid.len().div_ceil(LANES) * n_levels];
        for (group, guides) in nodes.chunks_mut(n_levels.max(1)).zip(valid.chunks(LANES)) {
            for lane in 0..LANES {
                // Unused lanes repeat the last chain.
                let guide = guides[lane.min(guides.len() - 1)];
                write_lane(group, lane, guide, around, options.collision_margin);
            }
        }
        Self {
            options,
            n: valid.len(),
            n_levels,
            by_length: (BEND_LENGTH / segment.max(1e-4)).powi(4),
            nodes,
            origin: Vec3::ZERO,
            stepped: Affine3A::IDENTITY,
            seen: Affine3A::IDENTITY,
            owed: 0.0,
            is_ready: false,
            colliders_seen: Vec::new(),
            colliders_stepped: Vec::new(),
            moments: Vec::new(),
            colliders: Vec::new(),
        }
    }

    /// Number of chains.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Returns true without any chains.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Returns true if the chains have not moved yet.
    pub fn is_new(&self) -> bool {
        !self.is_ready
    }

    /// Resets all motion: the next tick starts at rest.
    pub fn reset(&mut self) {
        self.is_ready = false;
        self.owed = 0.0;
    }

    /// Moves the chains rigidly after a teleport of their carrier.
    pub fn teleport(&mut self, by: Affine3A) {
        let origin = by.transform_point3(self.origin);
        let linear = Mat3::from(by.matrix3);
        let rotation = Quat::from_mat3(&Mat3::from_cols(
            linear.x_axis.normalize_or(Vec3::X),
            linear.y_axis.normalize_or(Vec3::Y),
            linear.z_axis.normalize_or(Vec3::Z),
        ));
        for node in &mut self.nodes {
            for lane in 0..LANES {
                for rows in [&mut node.at, &mut node.before] {
                    put3(rows, lane, linear * lane3(rows, lane));
                }
                let now = rotation * quat(&node.rotation, lane);
                put4(&mut node.rotation, lane, now);
            }
        }
        self.origin = origin;
        self.stepped = by * self.stepped;
        self.seen = by * self.seen;
        // The colliders teleport too, but without their old positions their motion would look like a jump.
        self.colliders_seen.clear();
        self.colliders_stepped.clear();
    }

    /// Copies the state of chains with the same number of chains and points.
    pub fn continue_from(&mut self, was: &Self) {
        if (was.n, was.n_levels) != (self.n, self.n_levels) {
            return;
        }
        for (node, old) in self.nodes.iter_mut().zip(&was.nodes) {
            (node.at, node.before, node.rotation) = (old.at, old.before, old.rotation);
        }
        (self.origin, self.stepped, self.seen) = (was.origin, was.stepped, was.seen);
        (self.owed, self.is_ready) = (was.owed, was.is_ready);
    }

    /// Changes a chain's rest shape, for example of hair on skin that moves relative to its bone. The number of points and
    /// their distances must be equal; other shapes are ignored.
    pub fn reshape(&mut self, chain: usize, shape: impl ExactSizeIterator<Item = Vec3>) {
        let (group, lane) = (chain / LANES, chain % LANES);
        if chain >= self.n || shape.len() != self.n_levels {
            return;
        }
        let first = group * self.n_levels;
        let mut above = None;
        for (node, at) in self.nodes[first..].iter_mut().zip(shape) {
            put3(&mut node.goal, lane, at);
            put3(&mut node.local, lane, at - above.unwrap_or(at));
            above = Some(at);
        }
    }

    /// Advances the chains by a tick.
    pub fn advance(&mut self, input: &ChainInput<'_>) {
        self.advance_at(Level::current(), input);
    }

    /// [`advance`](Self::advance) with a given instruction set, for tests and benchmarks.
    pub fn advance_at(&mut self, level: Level, input: &ChainInput<'_>) {
        if self.nodes.is_empty()
            || !input.world_from_rest.is_finite()
            || input.world_from_rest.matrix3.determinant() == 0.0
        {
            return;
        }
        if !self.is_ready {
            self.begin(input.world_from_rest);
        }
        let dt = input.dt.max(0.0);
        let total = self.owed + dt;
        let n = (total / STEP + 1e-6).floor() as usize;
        // Time beyond the limit is skipped, but the carrier covers its whole motion.
        let steps = n.min(MAX_STEPS);
        let fractions = (1..=steps).map(|i| {
            if n > MAX_STEPS || dt <= 0.0 {
                i as f32 / steps as f32
            } else {
                ((i as f64 * STEP - self.owed) / dt) as f32
            }
        });
        let fractions: Vec<f32> = fractions.map(|u| u.clamp(0.0, 1.0)).collect();
        self.owed = (total - n as f64 * STEP).max(0.0);
        if steps > 0 {
            self.step(level, input, &fractions);
        }
        self.seen = input.world_from_rest;
        self.colliders_seen.clear();
        self.colliders_seen.extend_from_slice(input.colliders);
    }

    /// Places points in the rest shape on the carrier, without velocity.
    fn begin(&mut self, carrier: Affine3A) {
        self.is_ready = true;
        self.colliders_seen.clear();
        self.colliders_stepped.clear();
        self.origin = carrier.translation.into();
        (self.stepped, self.seen) = (carrier, carrier);
        let about = Affine3A {
            translation: glam::Vec3A::ZERO,
            ..carrier
        };
        let (_, rotation, _) = carrier.to_scale_rotation_translation();
        for node in &mut self.nodes {
            for lane in 0..LANES {
                let at = about.transform_point3(lane3(&node.goal, lane));
                put3(&mut node.at, lane, at);
                put3(&mut node.before, lane, at);
                put4(&mut node.rotation, lane, rotation);
            }
        }
    }

    fn step(&mut self, level: Level, input: &ChainInput<'_>, fractions: &[f32]) {
        let size = moments::size_of(&input.world_from_rest);
        let origin = Vec3::from(input.world_from_rest.translation);
        let settings = ChainConstants {
            size,
            follow: self.options.follow.clamp(0.0, 1.0),
            damping: loss_per_step(self.options.damping),
            air: loss_per_step(self.options.air_drag),
            thickness: self.options.collision_margin.max(0.0) * size,
            friction: self.options.friction.clamp(0.0, 1.0),
            max_displacement: MAX_SPEED * STEP as f32,
            shift: (self.origin - origin).to_array(),
        };
        self.gather(input, fractions, origin);
        self.origin = origin;
        let mut levels: Vec<LevelConstants> = (0..self.n_levels)
            .map(|k| self.level_constants(k))
            .collect();
        LevelConstants::eliminate(&mut levels);
        let around = KernelContext {
            settings: &settings,
            levels: &levels,
            moments: &self.moments,
            colliders: &self.colliders,
        };
        let run = |nodes: &mut [ChainLanes]| {
            dispatch!(
                level,
                kernel::advance_plain,
                kernel::advance,
                (nodes, around)
            );
        };
        let at_once = self.n_levels * GROUPS_PER_THREAD;
        if self.nodes.len() > at_once {
            self.nodes.par_chunks_mut(at_once).for_each(run);
        } else {
            run(&mut self.nodes);
        }
        let n_levels = self.n_levels;
        let is_lost = |group: &[ChainLanes]| {
            // NaN propagates from any point to the tip within the step.
            let tip = group.last().map(|node| node.at);
            tip.is_some_and(|at| !at.iter().flatten().all(|x| x.is_finite()))
        };
        if self.nodes.chunks(n_levels).any(is_lost) {
            self.begin(input.world_from_rest);
        }
    }

    /// Constants of the points at a level.
    fn level_constants(&self, level: usize) -> LevelConstants {
        let options = &self.options;
        let along = level as f32 / (self.n_levels - 1) as f32;
        let soft = 1.0 - WET_SOFTNESS * options.wet.clamp(0.0, 1.0);
        let strength = |[root, tip]: [f32; 2]| (root + (tip - root) * along).clamp(0.0, 1.0) * soft;
        let radians = 2.0
            * std::f32::consts::PI
            * MAX_HOLD_HZ
            * strength(options.rest_stiffness)
            * STEP as f32;
        let stiff = strength(options.stiffness);
        LevelConstants {
            bend: (MAX_BEND * stiff * stiff * self.by_length).min(MAX_STIFFNESS),
            hold: radians * radians,
            ..LevelConstants::default()
        }
    }

    /// World positions of a chain's points and rotations of their frames relative to rest, root first, for the carrier's
    /// current transform. Empty if there is no such chain.
    pub fn frames(&self, chain: usize) -> impl Iterator<Item = (Vec3, Quat)> + '_ {
        let (group, lane) = (chain / LANES, chain % LANES);
        let first = if chain < self.n {
            group * self.n_levels
        } else {
            self.nodes.len()
        };
        // Between two steps, the chain moves rigidly with its carrier.
        let along = (self.owed > 1e-9).then(|| {
            let by = self.seen * self.stepped.inverse();
            let (_, rotation, _) = by.to_scale_rotation_translation();
            (by, rotation)
        });
        let nodes = self.nodes[first..].iter().take(self.n_levels);
        nodes.map(move |node| {
            let (at, rotation) = (
                self.origin + lane3(&node.at, lane),
                quat(&node.rotation, lane),
            );
            match along {
                Some((by, turned)) => (by.transform_point3(at), turned * rotation),
                None => (at, rotation),
            }
        })
    }
}

/// Fraction lost per step at a rate in 1/s.
fn loss_per_step(rate: f32) -> f32 {
    (1.0 - (-f64::from(rate.max(0.0)) * STEP).exp()) as f32
}

/// Writes a guide into a lane of a group, at rest without rotations.
fn write_lane(
    group: &mut [ChainLanes],
    lane: usize,
    guide: &[Vec3],
    around: &[ParticleObstacle],
    thickness: f32,
) {
    let above = guide.iter().take(1).chain(guide);
    let mut is_rooted = true;
    for (k, ((node, at), above)) in group.iter_mut().zip(guide).zip(above).enumerate() {
        let segment = *at - *above;
        put3(&mut node.goal, lane, *at);
        put3(&mut node.local, lane, segment);
        node.length[lane] = segment.length();
        let inside = around.iter().map(|solid| thickness - solid.distance(*at).0);
        let inside = inside.fold(0.0, f32::max);
        // Only the part from the root up to the first point outside of the body counts.
        is_rooted &= inside > 0.0 || k == 0;
        node.sunk[lane] = if is_rooted { inside } else { 0.0 };
        put4(&mut node.rotation, lane, Quat::IDENTITY);
    }
}
