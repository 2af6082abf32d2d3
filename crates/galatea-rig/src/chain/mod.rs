//! Chains of any length whose tip reaches for a point: tails, tentacles, spines, ropes of bones (IK-03).
//!
//! Two ways, sweep by sweep, both on the pose itself, so that scales and limits hold: CCD turns bone after bone
//! towards the target, FABRIK draws the joints along. Both end with one exact bend of the whole chain.

mod ccd;
mod fabrik;

use glam::{Affine3A, Quat, Vec3};

use super::Posed;
use super::limit::TurnLimit;
use super::two_bone::{TwoBone, rotation_below, solve_two_bone, turn_in};
use galatea_anim::Skeleton;
use galatea_math::Trs;

/// Share of the chain's length that may be missing when the last bend is made.
const NEAR: f32 = 0.03;
/// Sweeps after which the last bend is made in any case.
const PATIENCE: u32 = 10;
/// A sweep that brings less than this share of the way gets nowhere.
const STALLED: f32 = 0.02;
/// Share of the way to straight by which a chain that is short of its target opens.
const EASE: f32 = 0.5;
/// By how much a straight chain is bent at each joint where nothing else helps, radians.
const KICK: f32 = 0.15;

/// How a chain looks for its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChainMethod {
    /// Each bone in turn, root first: a leaf that goes first twists wrists and ankles.
    #[default]
    Ccd,
    /// Joints drawn to the target and back to the root: bends that spread evenly.
    Fabrik,
}

/// A bone of a chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainLink {
    /// The bone.
    pub bone: u16,
    /// How far it may be turned from rest; in its own space at rest.
    pub limit: Option<TurnLimit>,
    /// Share of the way that it turns in each sweep of CCD, above 0..=1: less gives stiffer bones.
    pub give: f32,
    /// Its rotation at rest, parent space.
    rest: Quat,
    /// From it to the next bone at rest, its own space.
    along: Vec3,
}

/// A chain of bones and the memory to solve it in.
#[derive(Clone, Debug)]
pub struct Chain {
    links: Vec<ChainLink>,
    tip: u16,
    locals: Vec<Trs>,
    /// The rotations before.
    was: Vec<Quat>,
    /// The best so far.
    best: Vec<Quat>,
    /// From each bone to the space of the first one's parent.
    models: Vec<Affine3A>,
    points: Vec<Vec3>,
    /// Where the tip is, in the last bone's space.
    tip_at: Vec3,
}

/// What a chain shall reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainGoal {
    /// Where the origin of the tip bone shall be, model space, metres.
    pub target: Vec3,
    /// How the tip bone shall be turned, model space.
    pub rotation: Option<Quat>,
    /// How it is looked for.
    pub method: ChainMethod,
    /// Metres that may be missed.
    pub tolerance: f32,
    /// Sweeps at most.
    pub most: u32,
    /// Share of the turns, 0..=1; 0 leaves the pose alone.
    pub weight: f32,
}

impl Default for ChainGoal {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            rotation: None,
            method: ChainMethod::Ccd,
            tolerance: 1e-4,
            most: 32,
            weight: 1.0,
        }
    }
}

/// How far a chain came.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChainOutcome {
    /// Metres between tip and target at weight 1, model space.
    pub missed: f32,
    /// Sweeps that were made.
    pub iterations: u32,
}

impl Chain {
    /// The chain from a bone to a tip below it; `None` where it is not below. The tip itself is not turned to reach.
    pub fn of(skeleton: &Skeleton, root: u16, tip: u16) -> Option<Self> {
        let bones = skeleton.bones();
        let mut links = Vec::new();
        let mut below = tip;
        while below != root {
            let bone = bones.get(usize::from(below))?.parent?;
            links.push(ChainLink {
                bone,
                limit: None,
                give: 1.0,
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
            was: Vec::with_capacity(n),
            best: Vec::with_capacity(n),
            models: Vec::with_capacity(n),
            points: Vec::with_capacity(n + 1),
            tip_at: Vec3::ZERO,
        })
    }

    /// Its bones from the root on.
    pub fn links(&self) -> &[ChainLink] {
        &self.links
    }

    /// Its bones, to set limits and give.
    pub fn links_mut(&mut self) -> &mut [ChainLink] {
        &mut self.links
    }

    /// Holds a bone, counted from the root, within a cone about its direction at rest, half its angle in
    /// radians, and a range of twists, radians.
    pub fn limit(&mut self, link: usize, cone: f32, twist: [f32; 2]) {
        if let Some(link) = self.links.get_mut(link) {
            link.limit = Some(TurnLimit::round(link.along, cone, twist));
        }
    }

    /// Has the chain of a pose reach.
    pub fn solve(&mut self, posed: &mut Posed, goal: &ChainGoal) -> ChainOutcome {
        let space = posed.parent_model(self.links[0].bone);
        let target = space.inverse().transform_point3(goal.target);
        self.locals.clear();
        let locals = self.links.iter().map(|link| posed.local(link.bone));
        self.locals.extend(locals);
        self.tip_at = posed.local(self.tip).translation;
        self.was.clear();
        self.was
            .extend(self.locals.iter().map(|local| local.rotation));
        self.best.clone_from(&self.was);
        if !target.is_finite() || !self.tip_at.is_finite() {
            return ChainOutcome::default();
        }
        let outcome = self.search(space, target, goal);
        // Not a number is no weight.
        if goal.weight.is_nan() || goal.weight <= 0.0 {
            return outcome;
        }
        let reached = |was: Quat, to: Quat| {
            if goal.weight >= 1.0 {
                to
            } else {
                was.slerp(to, goal.weight)
            }
        };
        for (link, to) in self.links.iter().zip(&self.best) {
            posed.set_rotation(link.bone, *to);
        }
        if let Some(rotation) = goal.rotation.filter(|q| q.is_finite()) {
            let was = posed.local(self.tip).rotation;
            let wanted = rotation_below(posed.parent_model(self.tip), rotation.normalize());
            posed.set_rotation(self.tip, reached(was, wanted));
        }
        if goal.weight < 1.0 {
            for ((link, to), was) in self.links.iter().zip(&self.best).zip(&self.was) {
                posed.set_rotation(link.bone, reached(*was, *to));
            }
        }
        outcome
    }

    /// Looks for rotations that reach, and leaves the best of them.
    fn search(&mut self, space: Affine3A, target: Vec3, goal: &ChainGoal) -> ChainOutcome {
        let missing = |chain: &Self| {
            let off = space.transform_vector3(chain.tip_point() - target);
            off.length().min(f32::MAX)
        };
        for i in 0..self.links.len() {
            self.hold(i);
        }
        self.forward();
        self.keep();
        let mut missed = missing(self);
        let mut outcome = ChainOutcome {
            missed,
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
            if !is_limited || missed < outcome.missed {
                self.keep();
                outcome.missed = missed;
            }
            if !is_limited {
                return outcome;
            }
        }
        let mut kicks = 0;
        while outcome.iterations < goal.most && outcome.missed > goal.tolerance {
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
                && (is_stalled || missed < NEAR * size || outcome.iterations > PATIENCE)
            {
                if outcome.missed > missed {
                    outcome.missed = missed;
                    self.keep();
                }
                if is_short && (is_stalled || outcome.iterations > PATIENCE) {
                    self.stretch(target, EASE);
                }
                self.bend(target);
                missed = missing(self);
            }
            if missed < outcome.missed {
                outcome.missed = missed;
                self.keep();
            } else if is_stalled && !is_short {
                kicks += 1;
                self.kick(target, kicks);
                missed = missing(self);
            }
        }
        outcome
    }

    /// Remembers the rotations.
    fn keep(&mut self) {
        for (kept, local) in self.best.iter_mut().zip(&self.locals) {
            *kept = local.rotation;
        }
    }

    /// Finds all places anew.
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

    /// From a bone's parent to the chain's space.
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

    /// Turns a bone, `by` in its parent's space, as far as its limit allows.
    fn turn(&mut self, link: usize, by: Quat) {
        let local = &mut self.locals[link];
        let rotation = (by * local.rotation).normalize();
        if rotation.is_finite() {
            local.rotation = rotation;
            self.hold(link);
        }
    }

    /// Brings a bone within its limit.
    fn hold(&mut self, link: usize) {
        let ChainLink { limit, rest, .. } = &self.links[link];
        if let Some(limit) = limit {
            let turn = rest.conjugate() * self.locals[link].rotation;
            let held = limit.clamp(turn);
            if held != turn {
                self.locals[link].rotation = (*rest * held).normalize();
            }
        }
    }

    /// Turns a bone so that what is seen at `from` from its origin comes to where `to` is; both in the chain's
    /// space, the matrices above it being right. Gives where `from` comes to.
    fn swing(&mut self, link: usize, from: Vec3, to: Vec3, share: f32) -> Vec3 {
        let above = self.above(link);
        let inwards = above.inverse();
        let origin = self.locals[link].translation;
        let [from_at, to_at] = [from, to].map(|p| inwards.transform_point3(p) - origin);
        let (Some(from_way), Some(to_way)) = (from_at.try_normalize(), to_at.try_normalize())
        else {
            return from;
        };
        let mut by = Quat::from_rotation_arc(from_way, to_way);
        if share < 1.0 {
            by = Quat::IDENTITY.slerp(by, share.max(0.0));
        }
        let was = self.locals[link].rotation;
        self.turn(link, by);
        let turned = self.locals[link].rotation * was.conjugate();
        above.transform_point3(origin + turned * from_at)
    }

    /// True where the tip is nearer to the root than the target.
    fn is_short_of(&self, target: Vec3) -> bool {
        let root = self.points[0];
        root.distance(self.tip_point()) < root.distance(target)
    }

    /// Straight at a target, or a share of the way there.
    fn stretch(&mut self, target: Vec3, share: f32) {
        let root = self.points[0];
        let way = (target - root).normalize_or_zero();
        for i in 0..self.links.len() {
            let above = self.above(i);
            let from: Vec3 = (above * self.locals[i].to_affine()).translation.into();
            let next = self
                .locals
                .get(i + 1)
                .map_or(self.tip_at, |l| l.translation);
            let model = above * self.locals[i].to_affine();
            self.swing(i, model.transform_point3(next), from + way, share);
            self.models[i] = above * self.locals[i].to_affine();
        }
        self.forward();
    }

    /// Bends the whole chain at one joint as if it were two bones: exact where no limit is in the way.
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
            least: 0.0,
            ..TwoBone::default()
        });
        let inwards = self.above(joint).matrix3.inverse();
        self.turn(joint, turn_in(inwards, turns.mid));
        self.turn(0, turns.root);
        self.forward();
    }

    /// Curls a chain that lies in a line with its target, so that it has a side to bend to.
    fn kick(&mut self, target: Vec3, times: u32) {
        let way = (target - self.points[0]).normalize_or(Vec3::Y);
        // Each time to another side.
        let side = Quat::from_axis_angle(way, times as f32);
        let axis = side * way.any_orthonormal_vector();
        for i in 1..self.links.len() {
            let inwards = self.above(i).matrix3.inverse();
            self.turn(i, turn_in(inwards, Quat::from_axis_angle(axis, KICK)));
        }
        self.forward();
    }
}

#[cfg(test)]
mod tests;
