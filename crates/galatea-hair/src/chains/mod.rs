//! Guides that move: chains of points that keep their lengths, are drawn to their shape, carried by the head and
//! pushed out of bodies (HR-12 to HR-18), eight side by side, in fixed steps.
//!
//! Callers: hair of characters, benchmarks. A step: points go on by their speed, by gravity and air; an implicit
//! step of springs keeps the angles between segments (projective dynamics, Bouaziz et al. 2014); all segments of a
//! chain are brought to their lengths at once by a tridiagonal solve (as Deul et al. 2018, "Direct position-based
//! solver for stiff rods", do for rods); then points leave solids. Invariants: the same input gives the same bits in
//! any number of threads, and the root is always exactly where its carrier has it.

mod kernel;
mod moments;
#[cfg(test)]
mod tests;

use glam::{Affine3A, Mat3, Quat, Vec3};
use rayon::prelude::*;

use self::kernel::{
    ChainCollider, ChainConstants, ChainLanes, ChainStep, KernelContext, LANES, LevelShares,
    MOST_LEVELS,
};
use super::groom::length_of;
use galatea_math::simd::vectors::{lane3, put3, put4, quat};
use galatea_math::simd::{Level, dispatch};
use galatea_physics::particles::ParticleObstacle;

/// Seconds of a step.
pub const STEP: f64 = 1.0 / 120.0;
/// Steps in one tick at most; more time than that is let go.
const MOST_STEPS: usize = 16;
/// No point is faster against its carrier along an axis, m/s.
const TOP_SPEED: f32 = 30.0;
/// m/s².
const GRAVITY: f32 = 9.81;
/// How strongly segments of [`BEND_LENGTH`] keep their angle at stiffness 1, in masses of a point per squared step.
const MOST_BEND: f32 = 30.0;
/// Metres; a rod of the same stiffness, cut into shorter pieces, is stiffer between them by the fourth power.
const BEND_LENGTH: f32 = 0.02;
/// No angle is kept more strongly: numbers of single precision end there.
const STIFFEST: f32 = 2000.0;
/// How often hair swings in a second that hangs on its hold alone, at 1.
const MOST_HOLD: f32 = 8.0;
/// How much softer wet hair is.
const WET_SOFTNESS: f32 = 0.85;
/// Groups that are worth a thread of their own.
const GROUPS_AT_ONCE: usize = 8;

/// How chains move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainSettings {
    /// How hard it is to bend out of its shape, 0..=1, at the root and at the tip. As with rods of one thickness,
    /// short hair stands stiffer than long hair of the same stiffness.
    pub stiffness: [f32; 2],
    /// How strongly each point is drawn to where it would be if it did not move on its head, 0..=1, at the root and
    /// at the tip.
    pub hold: [f32; 2],
    /// How fast it loses motion against the head, 1/s.
    pub damping: f32,
    /// How fast it takes on the motion of the air, 1/s; what wind acts by.
    pub air: f32,
    /// Factor on gravity. At rest, gravity is what the shape was made under: only a head that leans lets it fall.
    pub gravity: f32,
    /// 0 dry to 1 dripping: heavier than its shape was made for, and softer.
    pub wet: f32,
    /// Share of the head's motion that it goes along with at once, 0..=1.
    pub follow: f32,
    /// Distance kept from bodies, metres.
    pub thickness: f32,
    /// Share of its motion along a body that it loses on it in a step, 0..=1.
    pub friction: f32,
}

impl Default for ChainSettings {
    fn default() -> Self {
        Self {
            stiffness: [0.8, 0.12],
            hold: [0.15, 0.0],
            damping: 4.0,
            air: 1.5,
            gravity: 1.0,
            wet: 0.0,
            follow: 0.1,
            thickness: 0.003,
            friction: 0.2,
        }
    }
}

/// What chains act on in a tick.
pub struct ChainInput<'a> {
    /// World from the space in which the guides are at rest.
    pub carrier: Affine3A,
    /// Seconds since the tick before.
    pub dt: f64,
    /// What is to be stayed out of, world space; in the order of the tick before, others are at once there. 64 are
    /// looked at.
    pub solids: &'a [ParticleObstacle],
    /// Velocity of the air, m/s.
    pub wind: Vec3,
}

/// Chains of equally many points.
#[derive(Clone, Debug)]
pub struct Chains {
    /// How they move.
    pub options: ChainSettings,
    n: usize,
    n_levels: usize,
    /// How much stiffer than pieces of [`BEND_LENGTH`] its segments are.
    by_length: f32,
    /// Group after group, from root to tip.
    nodes: Vec<ChainLanes>,
    /// What `nodes` are about, world space.
    origin: Vec3,
    /// Where the carrier was in the last step, and in the last tick.
    stepped: Affine3A,
    seen: Affine3A,
    /// Seconds not yet stepped.
    owed: f64,
    is_ready: bool,
    /// Where solids were in the last tick and in the last step, world space.
    solids_seen: Vec<ParticleObstacle>,
    solids_stepped: Vec<ParticleObstacle>,
    moments: Vec<ChainStep>,
    solids: Vec<ChainCollider>,
}

impl Chains {
    /// Chains at rest on guides (all with the same number of points, 2 to [`MOST_POINTS`](super::groom::MOST_POINTS); metres, +Y up). `around`
    /// is what they collide with, in the same space at rest: roots that are inside of it there may stay so.
    ///
    /// Guides with other than the first one's number of points are passed over.
    pub fn new(guides: &[Vec<Vec3>], around: &[ParticleObstacle], options: ChainSettings) -> Self {
        let n_levels = guides.first().map_or(0, Vec::len);
        let whole = guides.iter().filter(|guide| guide.len() == n_levels);
        let whole: Vec<&Vec<Vec3>> = if (2..=MOST_LEVELS).contains(&n_levels) {
            whole.collect()
        } else {
            Vec::new()
        };
        let lengths: f32 = whole.iter().map(|guide| length_of(guide)).sum();
        let segment = lengths / (whole.len() * n_levels.saturating_sub(1)).max(1) as f32;
        let mut nodes = vec![ChainLanes::default(); whole.len().div_ceil(LANES) * n_levels];
        for (group, guides) in nodes.chunks_mut(n_levels.max(1)).zip(whole.chunks(LANES)) {
            for lane in 0..LANES {
                // Lanes that are left over do what the last one does.
                let guide = guides[lane.min(guides.len() - 1)];
                lay(group, lane, guide, around, options.thickness);
            }
        }
        Self {
            options,
            n: whole.len(),
            n_levels,
            by_length: (BEND_LENGTH / segment.max(1e-4)).powi(4),
            nodes,
            origin: Vec3::ZERO,
            stepped: Affine3A::IDENTITY,
            seen: Affine3A::IDENTITY,
            owed: 0.0,
            is_ready: false,
            solids_seen: Vec::new(),
            solids_stepped: Vec::new(),
            moments: Vec::new(),
            solids: Vec::new(),
        }
    }

    /// How many chains there are.
    pub fn len(&self) -> usize {
        self.n
    }

    /// True without any.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Nothing of it has moved yet.
    pub fn is_new(&self) -> bool {
        !self.is_ready
    }

    /// Forgets all motion: the next tick begins at rest.
    pub fn reset(&mut self) {
        self.is_ready = false;
        self.owed = 0.0;
    }

    /// What carries them was put elsewhere: they go along, nothing flies.
    pub fn teleport(&mut self, by: Affine3A) {
        let origin = by.transform_point3(self.origin);
        let turn = Mat3::from(by.matrix3);
        let turned = Quat::from_mat3(&Mat3::from_cols(
            turn.x_axis.normalize_or(Vec3::X),
            turn.y_axis.normalize_or(Vec3::Y),
            turn.z_axis.normalize_or(Vec3::Z),
        ));
        for node in &mut self.nodes {
            for lane in 0..LANES {
                for rows in [&mut node.at, &mut node.before] {
                    put3(rows, lane, turn * lane3(rows, lane));
                }
                let now = turned * quat(&node.turn, lane);
                put4(&mut node.turn, lane, now);
            }
        }
        self.origin = origin;
        self.stepped = by * self.stepped;
        self.seen = by * self.seen;
        // They come along, which is not known of them.
        self.solids_seen.clear();
        self.solids_stepped.clear();
    }

    /// Goes on from the state of chains of the same number and points.
    pub fn continue_from(&mut self, was: &Self) {
        if (was.n, was.n_levels) != (self.n, self.n_levels) {
            return;
        }
        for (node, old) in self.nodes.iter_mut().zip(&was.nodes) {
            (node.at, node.before, node.turn) = (old.at, old.before, old.turn);
        }
        (self.origin, self.stepped, self.seen) = (was.origin, was.stepped, was.seen);
        (self.owed, self.is_ready) = (was.owed, was.is_ready);
    }

    /// A chain's shape at rest is another, as that of hair on skin that moves on its bone. As many points as before, as
    /// far from each other; others are passed over.
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

    /// Moves them on by a tick.
    pub fn advance(&mut self, input: &ChainInput<'_>) {
        self.advance_at(Level::current(), input);
    }

    /// [`advance`](Self::advance) with the instructions of a given level, for tests and benchmarks.
    pub fn advance_at(&mut self, level: Level, input: &ChainInput<'_>) {
        if self.nodes.is_empty()
            || !input.carrier.is_finite()
            || input.carrier.matrix3.determinant() == 0.0
        {
            return;
        }
        if !self.is_ready {
            self.begin(input.carrier);
        }
        let dt = input.dt.max(0.0);
        let total = self.owed + dt;
        let n = (total / STEP + 1e-6).floor() as usize;
        // Time that cannot be caught up with is let go, but the carrier goes all of its way.
        let steps = n.min(MOST_STEPS);
        let shares = (1..=steps).map(|i| {
            if n > MOST_STEPS || dt <= 0.0 {
                i as f32 / steps as f32
            } else {
                ((i as f64 * STEP - self.owed) / dt) as f32
            }
        });
        let shares: Vec<f32> = shares.map(|u| u.clamp(0.0, 1.0)).collect();
        self.owed = (total - n as f64 * STEP).max(0.0);
        if steps > 0 {
            self.step(level, input, &shares);
        }
        self.seen = input.carrier;
        self.solids_seen.clear();
        self.solids_seen.extend_from_slice(input.solids);
    }

    /// Points at rest where the carrier is, without speed.
    fn begin(&mut self, carrier: Affine3A) {
        self.is_ready = true;
        self.solids_seen.clear();
        self.solids_stepped.clear();
        self.origin = carrier.translation.into();
        (self.stepped, self.seen) = (carrier, carrier);
        let about = Affine3A {
            translation: glam::Vec3A::ZERO,
            ..carrier
        };
        let (_, turn, _) = carrier.to_scale_rotation_translation();
        for node in &mut self.nodes {
            for lane in 0..LANES {
                let at = about.transform_point3(lane3(&node.goal, lane));
                put3(&mut node.at, lane, at);
                put3(&mut node.before, lane, at);
                put4(&mut node.turn, lane, turn);
            }
        }
    }

    fn step(&mut self, level: Level, input: &ChainInput<'_>, shares: &[f32]) {
        let size = moments::size_of(&input.carrier);
        let origin = Vec3::from(input.carrier.translation);
        let settings = ChainConstants {
            size,
            follow: self.options.follow.clamp(0.0, 1.0),
            damping: lost(self.options.damping),
            air: lost(self.options.air),
            thickness: self.options.thickness.max(0.0) * size,
            friction: self.options.friction.clamp(0.0, 1.0),
            most_way: TOP_SPEED * STEP as f32,
            shift: (self.origin - origin).to_array(),
        };
        self.gather(input, shares, origin);
        self.origin = origin;
        let mut levels: Vec<LevelShares> = (0..self.n_levels).map(|k| self.shares_of(k)).collect();
        LevelShares::eliminate(&mut levels);
        let around = KernelContext {
            settings: &settings,
            levels: &levels,
            moments: &self.moments,
            solids: &self.solids,
        };
        let run = |nodes: &mut [ChainLanes]| {
            dispatch!(
                level,
                kernel::advance_plain,
                kernel::advance,
                (nodes, around)
            );
        };
        let at_once = self.n_levels * GROUPS_AT_ONCE;
        if self.nodes.len() > at_once {
            self.nodes.par_chunks_mut(at_once).for_each(run);
        } else {
            run(&mut self.nodes);
        }
        let n_levels = self.n_levels;
        let is_lost = |group: &[ChainLanes]| {
            // What is no number goes down to the tip within the step.
            let tip = group.last().map(|node| node.at);
            tip.is_some_and(|at| !at.iter().flatten().all(|x| x.is_finite()))
        };
        if self.nodes.chunks(n_levels).any(is_lost) {
            self.begin(input.carrier);
        }
    }

    /// What acts on points at a level.
    fn shares_of(&self, level: usize) -> LevelShares {
        let options = &self.options;
        let along = level as f32 / (self.n_levels - 1) as f32;
        let soft = 1.0 - WET_SOFTNESS * options.wet.clamp(0.0, 1.0);
        let strength = |[root, tip]: [f32; 2]| (root + (tip - root) * along).clamp(0.0, 1.0) * soft;
        let turns = 2.0 * std::f32::consts::PI * MOST_HOLD * strength(options.hold) * STEP as f32;
        let stiff = strength(options.stiffness);
        LevelShares {
            bend: (MOST_BEND * stiff * stiff * self.by_length).min(STIFFEST),
            hold: turns * turns,
            ..LevelShares::default()
        }
    }

    /// World places of a chain's points and how their frames are turned from rest, root first, as the carrier is
    /// now. No such chain has none.
    pub fn frames(&self, chain: usize) -> impl Iterator<Item = (Vec3, Quat)> + '_ {
        let (group, lane) = (chain / LANES, chain % LANES);
        let first = if chain < self.n {
            group * self.n_levels
        } else {
            self.nodes.len()
        };
        // Between two steps it goes along with what carries it.
        let along = (self.owed > 1e-9).then(|| {
            let by = self.seen * self.stepped.inverse();
            let (_, turn, _) = by.to_scale_rotation_translation();
            (by, turn)
        });
        let nodes = self.nodes[first..].iter().take(self.n_levels);
        nodes.map(move |node| {
            let (at, turn) = (self.origin + lane3(&node.at, lane), quat(&node.turn, lane));
            match along {
                Some((by, turned)) => (by.transform_point3(at), turned * turn),
                None => (at, turn),
            }
        })
    }
}

/// Share of something that is lost in a step at a rate, 1/s.
fn lost(rate: f32) -> f32 {
    (1.0 - (-f64::from(rate.max(0.0)) * STEP).exp()) as f32
}

/// Puts a guide into a lane of a group. At rest no frame is turned.
fn lay(
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
        // As far as it has never left the body since its root.
        is_rooted &= inside > 0.0 || k == 0;
        node.sunk[lane] = if is_rooted { inside } else { 0.0 };
        put4(&mut node.turn, lane, Quat::IDENTITY);
    }
}
