//! Feet that stand where they are put: held in the world while they carry, at the height and the slope of
//! what is under them, and a body that is as high as its legs reach (IK-13, AW-20). For any number of legs.
//!
//! Caller: `character`, with what it knows of the clips and of the ground. World space is metres, +Y up.

mod body;
mod foot;
mod footing;
mod hold;
mod legs;
mod next;
mod paces;
mod seen;
mod sole;
#[cfg(test)]
mod tests;
mod toe;

use glam::{Affine3A, Quat, Vec3};

pub use foot::FootState;
pub use legs::{Leg, LegRig, MOST_LEGS, RestSkeleton, Toe};
pub use sole::Sole;

use crate::Posed;
use crate::two_bone::{ReachGoal, reach_together};
use body::{BodyBalance, BodyTick};
use foot::FootPose;
use paces::Paces;
use seen::Seen;

/// What is under a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Under {
    /// Where the ground is, world space.
    pub point: Vec3,
    /// Out of the ground; unit.
    pub normal: Vec3,
    /// What it belongs to when that may move; see [`GroundQuery::carrier`].
    pub carrier: Option<Carrier>,
    /// Whose it is: a number that means something to who gives it.
    pub owner: u64,
    /// Which of its forms: the same.
    pub part: u16,
}

/// Something that may move with feet on it: a number that means something to who gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carrier(pub [u64; 2]);

/// What feet ask of the world.
pub trait GroundQuery: Sync {
    /// The first ground straight below a place, at most `reach` metres deep.
    fn under(&self, from: Vec3, reach: f32) -> Option<Under>;
    /// Where something is that carries feet.
    fn carrier(&self, id: Carrier) -> Option<Affine3A>;
}

/// How feet stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeetSettings {
    /// Feet that carry stay where they are in the world.
    pub hold: bool,
    /// A foot is let go when its clip wants it farther away than this share of a leg's length.
    pub release: f32,
    /// Ground higher than this share of a leg's length above the character's own place is not stepped on.
    pub up: f32,
    /// The same for ground below it.
    pub down: f32,
    /// Radians: feet turn with the ground up to this slope.
    pub slope: f32,
    /// Share of the way by which the body is lowered to where all feet reach the ground.
    pub body: f32,
    /// Seconds in which the body follows the height of the ground.
    pub smooth: f32,
}

impl Default for FeetSettings {
    fn default() -> Self {
        Self {
            hold: true,
            release: 0.3,
            up: 0.55,
            down: 0.55,
            slope: 0.7,
            body: 1.0,
            smooth: 0.12,
        }
    }
}

/// What a tick tells the feet.
pub struct FeetInput<'a> {
    /// Seconds.
    pub dt: f32,
    /// Where the character is.
    pub world_from_model: Affine3A,
    /// 0..=1: how much of all this is shown.
    pub weight: f32,
    /// It stands or walks on something; false in a jump.
    pub grounded: bool,
    /// For every leg, how sure the clips are that it carries, 0..=1; `None` leaves it to its height and speed.
    pub planted: &'a [Option<f32>],
    /// The ground.
    pub ground: &'a dyn GroundQuery,
}

/// What feet tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Which leg.
    pub leg: usize,
    /// Where it stands, world space.
    pub place: Vec3,
    /// Out of the ground.
    pub normal: Vec3,
    /// Metres per second at which the foot met the ground.
    pub speed: f32,
    /// 0..=1: how much of the feet shows.
    pub weight: f32,
    /// Where this foot is expected to stand next, and in how many seconds.
    pub next: Option<(Vec3, f32)>,
    /// Whose the ground is, see [`ToeInput::owner`].
    pub owner: u64,
    /// Which form, see [`ToeInput::part`].
    pub part: u16,
}

/// The feet of one character.
#[derive(Clone, Debug, Default)]
pub struct Feet {
    /// One for every leg.
    pub feet: Vec<FootState>,
    body: BodyBalance,
    /// How far the ground counts, 0..=1.
    grip: f32,
    before: Option<Affine3A>,
    velocity: Vec3,
    /// Seconds since it moved or turned last.
    still: f32,
    paces: Option<Paces>,
    /// Memory of a tick.
    standings: Vec<FootPose>,
}

/// Share of the length of a leg that swings, before which it slows down.
const SOFT: f32 = 0.08;
/// Seconds without going or turning after which a body rests, and the legs and radians per second of that.
const RESTS: f32 = 0.3;
const STILL: [f32; 2] = [0.06, 0.06];

impl Feet {
    /// Forgets where feet stood.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Where a foot is expected to stand next, world space, and in how many seconds; `None` for one of which
    /// that is not known.
    pub fn next(&self, leg: usize) -> Option<(Vec3, f32)> {
        let foot = self.feet.get(leg)?;
        foot.stride.next(self.before?, self.velocity)
    }

    /// Puts the feet of a pose on the ground. What they tell is added to `steps`.
    pub fn advance(
        &mut self,
        rig: &LegRig,
        options: &FeetSettings,
        posed: &mut Posed<'_>,
        input: &FeetInput<'_>,
        steps: &mut Vec<Step>,
    ) {
        let world = input.world_from_model;
        let scale = Vec3::from(world.matrix3.y_axis).length();
        let size = rig.size * scale;
        if !world.is_finite() || size < 1e-5 {
            return;
        }
        let paces = Paces::of(self.paces, input.dt, options.smooth);
        self.go_along(world, size, input.grounded, &paces, input.dt);
        self.paces = Some(paces);
        self.feet.resize_with(rig.legs.len(), FootState::default);
        let wants = f32::from(u8::from(input.grounded));
        self.grip = wants + (self.grip - wants) * paces.grip;
        let seen = Seen {
            world,
            scale,
            size,
            // Of the plane that the clips take for the ground.
            plane: world.translation.y + rig.ground * scale,
            going: self.velocity,
            // Held by half a foot would slide.
            holds: options.hold && self.grip > 0.9,
            rests: self.still > RESTS,
            options,
            paces: &paces,
        };
        let mut standings = std::mem::take(&mut self.standings);
        standings.clear();
        let n_steps = steps.len();
        for (i, (leg, foot)) in rig.legs.iter().zip(&mut self.feet).enumerate() {
            let standing = foot.advance(i, leg, &seen, posed, input, steps);
            standings.push(standing);
        }
        self.step_by_themselves(&seen);
        for step in &mut steps[n_steps..] {
            step.next = self.next(step.leg);
            step.weight = input.weight;
        }
        let weight = input.weight * self.grip;
        let lifted = self.feet.iter().filter_map(|foot| foot.lifted);
        let (lifts, n) = lifted.fold((0.0, 0.0_f32), |(sum, n), lift| (sum + lift, n + 1.0));
        let tick = BodyTick {
            dt: input.dt,
            weight,
            grip: self.grip,
            lifted: lifts / n.max(1.0),
        };
        self.body.carry(rig, &seen, posed, &tick, &mut standings);
        if weight > 0.0 {
            self.bend_legs(rig, &seen, posed, input, &mut standings, weight);
        }
        self.standings = standings;
    }

    /// Brings feet to where they are to be, and toes onto the ground.
    fn bend_legs(
        &mut self,
        rig: &LegRig,
        seen: &Seen<'_>,
        posed: &mut Posed<'_>,
        input: &FeetInput<'_>,
        standings: &mut [FootPose],
        weight: f32,
    ) {
        let Seen { world, scale, .. } = *seen;
        for (leg, standing) in rig.legs.iter().zip(&mut *standings) {
            standing.roll(leg.length * scale);
        }
        let model_from_world = world.inverse();
        let turn = Quat::from_mat3a(&(world.matrix3 * (1.0 / scale))).normalize();
        let goals = rig.legs.iter().zip(&*standings).map(|(leg, standing)| {
            let far = standing.hip.distance(standing.ankle);
            // A leg that swings beyond what its clip does comes softly to its full length.
            let beyond = (far - standing.stretch) / (0.03 * leg.length * scale);
            let swings = f32::from(u8::from(!standing.carries));
            let goal = ReachGoal {
                target: model_from_world.transform_point3(standing.ankle),
                soft: SOFT * swings * beyond.clamp(0.0, 1.0),
                rotation: Some((turn.conjugate() * standing.rotation).normalize()),
                weight,
                ..ReachGoal::default()
            };
            (&leg.limb, goal)
        });
        let mut ends = [Affine3A::IDENTITY; MOST_LEGS];
        reach_together(posed, goals, |i, end| {
            if let Some(slot) = ends.get_mut(i) {
                *slot = end;
            }
        });
        let legs = rig.legs.iter().zip(&ends).zip(&*standings);
        for (((leg, end), standing), foot) in legs.zip(&mut self.feet) {
            if let (Some(toe), true) = (&leg.toe, standing.found) {
                let on = toe::ToeInput {
                    plane: standing.plane,
                    world,
                    size: seen.size,
                    ground: input.ground,
                    weight,
                    paces: seen.paces,
                };
                foot.toes
                    .bend(posed, (leg.limb.end, *end), leg.ball, toe, &on);
            }
        }
    }

    /// Feet that are held too far from where their clips want them step, one after the other: first who stood longest.
    fn step_by_themselves(&mut self, seen: &Seen<'_>) {
        let may_step = !self.feet.iter().any(FootState::is_stepping);
        let mut first: Option<(u32, usize)> = None;
        for (i, foot) in self.feet.iter_mut().enumerate() {
            match foot.too_far(seen) {
                Some((_, true)) => foot.step_by_itself(),
                Some((since, false)) if may_step && first.is_none_or(|(most, _)| since > most) => {
                    first = Some((since, i));
                }
                _ => {}
            }
        }
        if let Some((_, i)) = first {
            self.feet[i].step_by_itself();
        }
    }

    /// Notices jumps, and how fast the character goes.
    fn go_along(&mut self, world: Affine3A, size: f32, grounded: bool, paces: &Paces, dt: f32) {
        let Some(before) = self.before.replace(world) else {
            self.reset();
            self.before = Some(world);
            self.grip = f32::from(u8::from(grounded));
            return;
        };
        let way = Vec3::from(world.translation - before.translation);
        if way.length() > 0.8 * size {
            let grip = self.grip;
            self.reset();
            self.before = Some(world);
            self.grip = grip;
            return;
        }
        if dt > 0.0 {
            let turned = Vec3::from(world.matrix3.z_axis - before.matrix3.z_axis).length();
            let is_still = way.length() < STILL[0] * size * dt && turned < STILL[1] * dt;
            self.still = if is_still { self.still + dt } else { 0.0 };
            self.velocity = (way / dt).lerp(self.velocity, paces.going);
        }
    }
}
