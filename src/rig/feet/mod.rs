//! Feet that stand where they are put: held in the world while they carry, at the height and the slope of
//! what is under them, and a body that is as high as its legs reach (IK-13, AW-20). For any number of legs.
//!
//! Caller: `character`, with what it knows of the clips and of the ground. World space is metres, +Y up.

mod foot;
mod legs;
mod next;
#[cfg(test)]
mod tests;
mod toe;

use glam::{Affine3A, Quat, Vec3};

pub use foot::FootState;
pub use legs::{AtRest, Leg, LegRig, MOST_LEGS, Toe};

use crate::math::damp::{Follow, left};
use crate::rig::Posed;
use crate::rig::two_bone::{ReachGoal, reach_together};
use foot::{Seen, Standing};

/// What is under a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Under {
    /// Where the ground is, world space.
    pub point: Vec3,
    /// Out of the ground; unit.
    pub normal: Vec3,
    /// What it belongs to when that may move; see [`Ground::carrier`].
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
pub trait Ground: Sync {
    /// The first ground straight below a place, at most `reach` metres deep.
    fn under(&self, from: Vec3, reach: f32) -> Option<Under>;
    /// Where something is that carries feet.
    fn carrier(&self, id: Carrier) -> Option<Affine3A>;
}

/// How feet stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeetOptions {
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

impl Default for FeetOptions {
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
    pub ground: &'a dyn Ground,
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
    /// Whose the ground is, see [`Under::owner`].
    pub owner: u64,
    /// Which form, see [`Under::part`].
    pub part: u16,
}

/// The feet of one character.
#[derive(Clone, Debug, Default)]
pub struct Feet {
    /// One for every leg.
    pub feet: Vec<FootState>,
    /// Height of the body's ground in the world.
    height: Option<Follow>,
    /// How far the body is lowered beyond that for its legs to reach down.
    sink: Option<Follow>,
    /// Slope of the body from front to hind legs, and from right to left, radians.
    pitch: Follow,
    /// How far the ground counts, 0..=1.
    grip: f32,
    before: Option<Affine3A>,
    velocity: Vec3,
}

/// Legs per second at which the body goes down at most to where its feet reach the ground.
const SINK: f32 = 1.8;
/// Share of the length of a leg that swings, before which it slows down.
const SOFT: f32 = 0.08;
/// Share of its length to which a leg is stretched, where its clip has it no longer: nearer to straight a knee
/// snaps.
const STRAIGHT: f32 = 0.985;
/// Seconds in which feet take and leave the ground's shape.
const GRIP: f32 = 0.12;

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
        options: &FeetOptions,
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
        self.go_along(world, size, input.grounded, input.dt);
        self.feet.resize_with(rig.legs.len(), FootState::default);
        let wants = f32::from(u8::from(input.grounded));
        self.grip = wants + (self.grip - wants) * left(GRIP * 0.5, input.dt);
        let seen = Seen {
            world,
            scale,
            size,
            // Of the plane that the clips take for the ground.
            plane: world.translation.y + rig.ground * scale,
            going: self.velocity,
            // Held by half a foot would slide.
            holds: options.hold && self.grip > 0.9,
            options,
        };
        let mut standings = [Standing::default(); MOST_LEGS];
        let n_steps = steps.len();
        let mut may_step = !self.feet.iter().any(FootState::is_stepping);
        for (i, (leg, foot)) in rig.legs.iter().zip(&mut self.feet).enumerate() {
            let standing = foot.advance(i, leg, &seen, posed, input, &mut may_step, steps);
            if let Some(slot) = standings.get_mut(i) {
                *slot = standing;
            }
        }
        let standings = &mut standings[..rig.legs.len().min(MOST_LEGS)];
        for step in &mut steps[n_steps..] {
            step.next = self.next(step.leg);
            step.weight = input.weight;
        }
        let weight = input.weight * self.grip;
        self.carry_body(rig, &seen, posed, input, standings, weight);
        if weight <= 0.0 {
            return;
        }
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
        reach_together(posed, goals);
        for ((leg, standing), foot) in rig.legs.iter().zip(&*standings).zip(&mut self.feet) {
            if let (Some(toe), true) = (&leg.toe, standing.found) {
                let on = toe::Under {
                    plane: standing.plane,
                    world,
                    size,
                    ground: input.ground,
                    weight,
                    dt: input.dt,
                };
                foot.toes.bend(posed, leg.limb.end, leg.ball, toe, &on);
            }
        }
    }

    /// Notices jumps, and how fast the character goes.
    fn go_along(&mut self, world: Affine3A, size: f32, grounded: bool, dt: f32) {
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
            let keep = left(0.06, dt);
            self.velocity = (way / dt).lerp(self.velocity, keep);
        }
    }

    /// Brings the body to the height, and one on four legs to the slope, at which its feet reach the ground.
    fn carry_body(
        &mut self,
        rig: &LegRig,
        seen: &Seen<'_>,
        posed: &mut Posed<'_>,
        input: &FeetInput<'_>,
        standings: &mut [Standing],
        weight: f32,
    ) {
        let on_ground = || standings.iter().filter(|standing| standing.found);
        let carrying = || on_ground().filter(|standing| standing.carries);
        let is_human = rig.legs.len() <= 2;
        let rises = || carrying().map(|standing| standing.rise);
        let n = rises().count() as f32;
        let wish = if n == 0.0 {
            0.0
        } else if is_human {
            rises().fold(f32::MAX, f32::min)
        } else {
            rises().sum::<f32>() / n
        };
        let root = seen.world.translation.y;
        let height = self.height.get_or_insert(Follow::at(root + wish));
        let time = seen.options.smooth;
        // What carries it takes it along at once.
        let lifts = || self.feet.iter().filter_map(|foot| foot.lifted);
        let n_lifts = lifts().count().max(1) as f32;
        height.value += lifts().sum::<f32>() / n_lifts;
        height.advance(root + wish * self.grip, time, input.dt);
        // It never lags so far that legs would fold or tear.
        let most = 0.5 * seen.size;
        height.value = height.value.clamp(root - most, root + most);
        let mut offset = (height.value - root) * seen.options.body;
        let slope = if is_human { 0.0 } else { slope(rig, standings) };
        let pitch = self.pitch.advance(slope * self.grip, time, input.dt);
        let pitch = pitch * weight * seen.options.body;
        if pitch.abs() > 1e-6 {
            posed.turn_in_model(rig.body, Quat::from_rotation_x(-pitch));
        }
        // As low as the legs need it: those that swing too, so that it is down when they come down.
        let mut lowest = f32::INFINITY;
        for (leg, standing) in rig.legs.iter().zip(&mut *standings) {
            let hip = seen.world.transform_point3(posed.position(leg.limb.upper));
            standing.hip = hip;
            if !standing.found {
                continue;
            }
            let reach = (leg.length * seen.scale * STRAIGHT).max(standing.stretch);
            let level = (standing.ankle - hip).with_y(0.0).length();
            let deep = (reach * reach - level * level).max(0.0).sqrt();
            let highest = standing.ankle.y + deep - hip.y;
            lowest = lowest.min(highest);
        }
        let needed = (offset - lowest).clamp(0.0, 0.3 * seen.size);
        let sink = self.sink.get_or_insert(Follow::at(needed));
        if needed > sink.value {
            // At once, but for what would be a jolt: who lags behind walks on tiptoe.
            let most = sink.value + SINK * seen.size * input.dt;
            *sink = Follow::at(needed.min(most));
        } else {
            sink.advance(needed, time, input.dt);
        }
        offset -= sink.value;
        if (offset * weight).abs() > 1e-7 {
            let parent = seen.world * posed.parent_model(rig.body);
            let by = parent
                .inverse()
                .transform_vector3(Vec3::Y * (offset * weight));
            let mut local = posed.local(rig.body);
            local.translation += by;
            posed.set_local(rig.body, local);
            for standing in standings {
                standing.hip.y += offset * weight;
            }
        }
    }
}

/// Radians by which the ground under the front legs is higher than that under the others.
fn slope(rig: &LegRig, standings: &[Standing]) -> f32 {
    let middle = rig.legs.iter().map(|leg| leg.hip.z).sum::<f32>() / rig.legs.len() as f32;
    let mut sums = [(0.0_f32, 0.0_f32, 0.0_f32); 2];
    for (leg, standing) in rig.legs.iter().zip(standings) {
        if standing.found {
            let sum = &mut sums[usize::from(leg.hip.z < middle)];
            *sum = (
                sum.0 + standing.rise,
                sum.1 + leg.hip.z * standing.scale,
                sum.2 + 1.0,
            );
        }
    }
    let [front, hind] = sums;
    if front.2 == 0.0 || hind.2 == 0.0 {
        return 0.0;
    }
    let rise = front.0 / front.2 - hind.0 / hind.2;
    let run = front.1 / front.2 - hind.1 / hind.2;
    if run.abs() < 1e-4 {
        return 0.0;
    }
    (rise / run).atan().clamp(-0.7, 0.7)
}
