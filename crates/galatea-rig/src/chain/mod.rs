//! IK for chains of any length that reach for a point with their tip: tails, tentacles, spines, ropes.
//!
//! Two iterative methods work on the pose itself, so that scales and limits are respected: CCD rotates one bone after
//! another towards the target, FABRIK moves the joints. Both finish with one exact two-bone bend of the whole chain.

mod ccd;
mod fabrik;

use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::Posed;
use super::limit::RotationLimit;
use super::two_bone::{TwoBone, rotation_below, solve_two_bone, turn_in};
use galatea_anim::Skeleton;
use galatea_math::Trs;

/// Error, as a fraction of the distance from root to target, below which the final bend is made.
const FINAL_BEND_ERROR: f32 = 0.03;
/// Number of sweeps after which the final bend is made in any case.
const MAX_FREE_SWEEPS: u32 = 10;
/// A sweep that reduces the error by less than this fraction has stalled.
const STALLED: f32 = 0.02;
/// Fraction by which a chain that does not reach far enough opens towards straight.
const OPEN_FRACTION: f32 = 0.5;
/// Bend of a straight chain at each joint when it has stalled, radians.
const KICK_ANGLE: f32 = 0.15;

/// Iterative method of the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChainMethod {
    /// Cyclic coordinate descent, root first: starting at the tip would twist wrists and ankles.
    #[default]
    Ccd,
    /// FABRIK: bends are spread evenly over the chain.
    Fabrik,
}

/// A bone of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainLink {
    /// Bone index.
    pub bone: u16,
    /// Rotation limit relative to the rest pose, in the bone's space at rest.
    pub limit: Option<RotationLimit>,
    /// Fraction of the rotation that the bone makes in each CCD sweep, above 0..=1: less makes it stiffer.
    pub flexibility: f32,
    /// Rotation at rest, parent space.
    rest: Quat,
    /// Vector to the next bone at rest, in the bone's space.
    along: Vec3,
}

/// A chain of bones with its scratch buffers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Chain {
    links: Vec<ChainLink>,
    tip: u16,
    locals: Vec<Trs>,
    /// Rotations before the solve.
    before: Vec<Quat>,
    /// Rotations of the best solution so far.
    best: Vec<Quat>,
    /// Matrices from each bone to the space of the first bone's parent.
    models: Vec<Affine3A>,
    points: Vec<Vec3>,
    /// Position of the tip, in the last bone's space.
    tip_at: Vec3,
}

/// Goal of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainGoal {
    /// Target position of the tip bone's origin, model space, metres.
    pub target: Vec3,
    /// Target rotation of the tip bone, model space.
    pub rotation: Option<Quat>,
    /// Iterative method.
    pub method: ChainMethod,
    /// Accepted error, metres.
    pub tolerance: f32,
    /// Maximum number of sweeps.
    pub max_iterations: u32,
    /// Fraction of the rotations, 0..=1; 0 does not change the pose.
    pub weight: f32,
}

impl Default for ChainGoal {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            rotation: None,
            method: ChainMethod::Ccd,
            tolerance: 1e-4,
            max_iterations: 32,
            weight: 1.0,
        }
    }
}

/// Result of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChainOutcome {
    /// Distance between tip and target at weight 1, model space, metres.
    pub target_error: f32,
    /// Number of sweeps made.
    pub iterations: u32,
}

impl Chain {
    /// Builds the chain from a bone to a descendant; `None` if `tip` is not one. The tip bone itself is not rotated to
    /// reach.
    pub fn of(skeleton: &Skeleton, root: u16, tip: u16) -> Option<Self> {
        let bones = skeleton.bones();
        let mut links = Vec::new();
        let mut below = tip;
        while below != root {
            let bone = bones.get(usize::from(below))?.parent?;
            links.push(ChainLink {
                bone,
                limit: None,
                flexibility: 1.0,
                rest: bones[usize::from(bone)].rest.rotation,
                along: bones[usize::from(below)].rest.translation,
            });
            below = bone;
        }
        links.reverse();
        let n = links.len();
        (n > 0).then(|| Self {
            links,
            tip,
            locals: Vec::with_capacity(n),
            before: Vec::with_capacity(n),
            best: Vec::with_capacity(n),
            models: Vec::with_capacity(n),
            points: Vec::with_capacity(n + 1),
            tip_at: Vec3::ZERO,
        })
    }

    /// Bones of the chain from the root on.
    pub fn bones(&self) -> &[ChainLink] {
        &self.links
    }

    /// Mutable bones of the chain, to set limits and stiffness.
    pub fn bones_mut(&mut self) -> &mut [ChainLink] {
        &mut self.links
    }

    /// Limits a bone, counted from the root, to a cone about its direction at rest, with `cone` as half its angle in
    /// radians, and to a range of twists, radians.
    pub fn limit(&mut self, link: usize, cone: f32, twist: [f32; 2]) {
        if let Some(link) = self.links.get_mut(link) {
            link.limit = Some(RotationLimit::round(link.along, cone, twist));
        }
    }

    /// Solves the chain in a pose.
    pub fn solve(&mut self, posed: &mut Posed, goal: &ChainGoal) -> ChainOutcome {
        let space = posed.parent_model(self.links[0].bone);
        let target = space.inverse().transform_point3(goal.target);
        self.locals.clear();
        let locals = self.links.iter().map(|link| posed.local(link.bone));
        self.locals.extend(locals);
        self.tip_at = posed.local(self.tip).translation;
        self.before.clear();
        self.before
            .extend(self.locals.iter().map(|local| local.rotation));
        self.best.clone_from(&self.before);
        if !target.is_finite() || !self.tip_at.is_finite() {
            return ChainOutcome::default();
        }
        let outcome = self.search(space, target, goal);
        // NaN counts as zero weight.
        if goal.weight.is_nan() || goal.weight <= 0.0 {
            return outcome;
        }
        let reached = |before: Quat, to: Quat| {
            if goal.weight >= 1.0 {
                to
            } else {
                before.slerp(to, goal.weight)
            }
        };
        for (link, to) in self.links.iter().zip(&self.best) {
            posed.set_rotation(link.bone, *to);
        }
        if let Some(rotation) = goal.rotation.filter(|q| q.is_finite()) {
            let before = posed.local(self.tip).rotation;
            let target = rotation_below(posed.parent_model(self.tip), rotation.normalize());
            posed.set_rotation(self.tip, reached(before, target));
        }
        if goal.weight < 1.0 {
            for ((link, to), before) in self.links.iter().zip(&self.best).zip(&self.before) {
                posed.set_rotation(link.bone, reached(*before, *to));
            }
        }
        outcome
    }

    /// Searches for rotations that reach the target and leaves the best ones.
    fn search(&mut self, space: Affine3A, target: Vec3, goal: &ChainGoal) -> ChainOutcome {
        let missing = |chain: &Self| {
            let error = space.transform_vector3(chain.tip_point() - target);
            error.length().min(f32::MAX)
        };
        for i in 0..self.links.len() {
            self.clamp_to_limit(i);
        }
        self.forward();
        self.store_best();
        let mut missed = missing(self);
        let mut outcome = ChainOutcome {
            target_error: missed,
            iterations: 0,
        };
        if missed <= goal.tolerance {
            return outcome;
        }
        let length = self.length();
        let is_limited = self.links.iter().any(|link| link.limit.is_some());
        if self.points[0].distance(target) >= length {
            self.stretch(target, 1.0);
            missed = missing(self);
            if !is_limited || missed < outcome.target_error {
                self.store_best();
                outcome.target_error = missed;
            }
            if !is_limited {
                return outcome;
            }
        }
        let mut kicks = 0;
        while outcome.iterations < goal.max_iterations && outcome.target_error > goal.tolerance {
            outcome.iterations += 1;
            let before = missed;
            match goal.method {
                ChainMethod::Ccd => self.sweep_ccd(target),
                ChainMethod::Fabrik => self.sweep_fabrik(target),
            }
            missed = missing(self);
            let is_stalled = missed > before * (1.0 - STALLED);
            let is_short = self.is_short_of(target);
            let size = space.transform_vector3(target - self.points[0]).length();
            if missed > goal.tolerance
                && (is_stalled
                    || missed < FINAL_BEND_ERROR * size
                    || outcome.iterations > MAX_FREE_SWEEPS)
            {
                if outcome.target_error > missed {
                    outcome.target_error = missed;
                    self.store_best();
                }
                if is_short && (is_stalled || outcome.iterations > MAX_FREE_SWEEPS) {
                    self.stretch(target, OPEN_FRACTION);
                }
                self.bend(target);
                missed = missing(self);
            }
            if missed < outcome.target_error {
                outcome.target_error = missed;
                self.store_best();
            } else if is_stalled && !is_short {
                kicks += 1;
                self.kick(target, kicks);
                missed = missing(self);
            }
        }
        outcome
    }

    /// Stores the current rotations as the best ones.
    fn store_best(&mut self) {
        for (best, local) in self.best.iter_mut().zip(&self.locals) {
            *best = local.rotation;
        }
    }

    /// Recomputes all matrices and positions.
    fn forward(&mut self) {
        self.models.clear();
        self.points.clear();
        let mut above = Affine3A::IDENTITY;
        for local in &self.locals {
            above *= local.to_affine();
            self.models.push(above);
            self.points.push(above.translation.into());
        }
        self.points.push(self.tip_point());
    }

    /// Matrix from a bone's parent to the chain's space.
    fn above(&self, link: usize) -> Affine3A {
        match link.checked_sub(1) {
            Some(above) => self.models[above],
            None => Affine3A::IDENTITY,
        }
    }

    fn tip_point(&self) -> Vec3 {
        self.models
            .last()
            .map_or(Vec3::ZERO, |last| last.transform_point3(self.tip_at))
    }

    fn length(&self) -> f32 {
        self.points
            .windows(2)
            .map(|pair| pair[0].distance(pair[1]))
            .sum()
    }

    /// Rotates a bone, `by` in its parent's space, within its limit.
    fn rotate(&mut self, link: usize, by: Quat) {
        let local = &mut self.locals[link];
        let rotation = (by * local.rotation).normalize();
        if rotation.is_finite() {
            local.rotation = rotation;
            self.clamp_to_limit(link);
        }
    }

    /// Clamps a bone to its limit.
    fn clamp_to_limit(&mut self, link: usize) {
        let ChainLink { limit, rest, .. } = &self.links[link];
        if let Some(limit) = limit {
            let rotation = rest.conjugate() * self.locals[link].rotation;
            let held = limit.clamp(rotation);
            if held != rotation {
                self.locals[link].rotation = (*rest * held).normalize();
            }
        }
    }

    /// Rotates a bone so that `from`, as seen from its origin, moves towards `to`; both in the chain's space. The matrices
    /// above the bone must be current. Returns the new position of `from`.
    fn swing(&mut self, link: usize, from: Vec3, to: Vec3, fraction: f32) -> Vec3 {
        let above = self.above(link);
        let inwards = above.inverse();
        let origin = self.locals[link].translation;
        let [from_at, to_at] = [from, to].map(|p| inwards.transform_point3(p) - origin);
        let (Some(from_way), Some(to_way)) = (from_at.try_normalize(), to_at.try_normalize())
        else {
            return from;
        };
        let mut by = Quat::from_rotation_arc(from_way, to_way);
        if fraction < 1.0 {
            by = Quat::IDENTITY.slerp(by, fraction.max(0.0));
        }
        let before = self.locals[link].rotation;
        self.rotate(link, by);
        let turned = self.locals[link].rotation * before.conjugate();
        above.transform_point3(origin + turned * from_at)
    }

    /// Returns true if the tip is nearer to the root than the target is.
    fn is_short_of(&self, target: Vec3) -> bool {
        let root = self.points[0];
        root.distance(self.tip_point()) < root.distance(target)
    }

    /// Rotates all bones towards a target by a fraction; 1 makes the chain straight.
    fn stretch(&mut self, target: Vec3, fraction: f32) {
        let root = self.points[0];
        let direction = (target - root).normalize_or_zero();
        for i in 0..self.links.len() {
            let above = self.above(i);
            let from: Vec3 = (above * self.locals[i].to_affine()).translation.into();
            let next = self
                .locals
                .get(i + 1)
                .map_or(self.tip_at, |l| l.translation);
            let model = above * self.locals[i].to_affine();
            self.swing(i, model.transform_point3(next), from + direction, fraction);
            self.models[i] = above * self.locals[i].to_affine();
        }
        self.forward();
    }

    /// Bends the whole chain at one joint like two bones: exact unless a limit prevents it.
    fn bend(&mut self, target: Vec3) {
        let (root, tip) = (self.points[0], self.tip_point());
        let distance = root.distance(target);
        let fits = |i: &usize| {
            let (a, b) = (
                root.distance(self.points[*i]),
                self.points[*i].distance(tip),
            );
            distance <= a + b && distance >= (a - b).abs()
        };
        let shorter = |i: usize| {
            let at = self.points[i];
            root.distance(at).min(at.distance(tip))
        };
        let joints = 1..self.links.len();
        let Some(joint) = joints
            .filter(fits)
            .max_by(|i, j| shorter(*i).total_cmp(&shorter(*j)))
        else {
            return;
        };
        let turns = solve_two_bone(&TwoBone {
            root,
            mid: self.points[joint],
            end: tip,
            target,
            min_angle: 0.0,
            ..TwoBone::default()
        });
        let inwards = self.above(joint).matrix3.inverse();
        self.rotate(joint, turn_in(inwards, turns.mid));
        self.rotate(0, turns.root);
        self.forward();
    }

    /// Curls a chain that is in line with its target, so that it has a side to bend to.
    fn kick(&mut self, target: Vec3, times: u32) {
        let direction = (target - self.points[0]).normalize_or(Vec3::Y);
        // A different side each time.
        let side = Quat::from_axis_angle(direction, times as f32);
        let axis = side * direction.any_orthonormal_vector();
        for i in 1..self.links.len() {
            let inwards = self.above(i).matrix3.inverse();
            self.rotate(i, turn_in(inwards, Quat::from_axis_angle(axis, KICK_ANGLE)));
        }
        self.forward();
    }
}

#[cfg(test)]
mod tests;
