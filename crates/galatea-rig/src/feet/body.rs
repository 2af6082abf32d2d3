//! The body over its feet: as high as they reach the ground, at its slope on four legs, and between them when it stands.

use glam::{Mat2, Quat, Vec2, Vec3, Vec3Swizzles};

use super::LegRig;
use super::foot::FootPose;
use super::footing::gradient;
use super::seen::Seen;
use crate::Posed;
use galatea_math::clamp::ClampTo as _;
use galatea_math::damp::DampedSpring;
use galatea_math::smoothstep;

/// Legs per second at which the body goes down at most to where its feet reach the ground.
const SINK: f32 = 1.8;
/// Share of its length to which a leg is stretched, where its clip has it no longer: nearer to straight a knee
/// snaps.
const STRAIGHT: f32 = 0.985;
/// Share of that to which a leg is stretched whose foot rolls: it is about to be bent and lifted.
const BENT: f32 = 0.97;
/// A foot that is nearer to its hip than this share of a leg bears almost all.
const NEAR: f32 = 0.1;
/// What a foot counts that swings, on more than two legs, and the share of a leg behind its hip from which the body
/// does not go down for it.
const SWINGS: f32 = 0.2;
const BEHIND: f32 = 0.1;
/// Share of the way to between its feet that a body goes that stands, and the speed, legs per second, at which it
/// does no longer.
const BALANCE: f32 = 0.5;
const WALKS: f32 = 0.6;

/// Where the body is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BodyBalance {
    /// Height of its ground in the world.
    height: Option<DampedSpring>,
    /// How far it is lowered beyond that for its legs to reach down.
    sink: Option<DampedSpring>,
    /// Slope from front to hind legs, radians.
    pitch: DampedSpring,
    /// From where its clips want it to between its feet, x and z of the world, metres.
    balance: [DampedSpring; 2],
}

/// What a tick tells it.
pub(super) struct BodyTick {
    pub dt: f32,
    /// 0..=1: how much shows, and how much of that is the ground.
    pub weight: f32,
    pub grip: f32,
    /// How far what carries the feet took them up.
    pub lifted: f32,
}

impl BodyBalance {
    /// Brings the body of a pose to where its feet want it.
    pub fn carry(
        &mut self,
        rig: &LegRig,
        seen: &Seen<'_>,
        posed: &mut Posed<'_>,
        tick: &BodyTick,
        standings: &mut [FootPose],
    ) {
        let &BodyTick { weight, grip, .. } = tick;
        let is_human = rig.legs.len() <= 2;
        let pace = &seen.paces.body;
        let over = seen.world.transform_point3(posed.position(rig.body));
        let slope = if is_human {
            leaning(standings)
        } else {
            fitted(standings, seen.size)
        };
        let rise = self.rise(is_human, seen, tick, standings, over, slope);
        let ahead = Vec3::from(seen.world.matrix3.z_axis).with_y(0.0);
        let slope = match ahead.try_normalize() {
            Some(ahead) if !is_human => ahead.xz().dot(slope).atan().clamp(-0.7, 0.7),
            _ => 0.0,
        };
        let pitch = self.pitch.go(slope * grip, pace);
        let pitch = pitch * weight * seen.options.body;
        if pitch.abs() > 1e-6 {
            posed.turn_in_model(rig.body, Quat::from_rotation_x(-pitch));
        }
        let walks = smoothstep(
            0.0,
            1.0,
            seen.going.with_y(0.0).length() / (WALKS * seen.size),
        );
        let aside = self.aside(1.0 - walks, tick, seen, standings);
        // As low as the legs need it: those that swing too, so that it is down when they come down.
        let mut lowest = f32::INFINITY;
        let going = seen.going.with_y(0.0).normalize_or_zero();
        for (leg, standing) in rig.legs.iter().zip(&mut *standings) {
            let hip = seen.world.transform_point3(posed.position(leg.limb.upper)) + aside;
            standing.hip = hip;
            // One that is left behind is about to be lifted.
            let ahead = (standing.ankle - hip).dot(going);
            let trails = !standing.carries && ahead < -BEHIND * seen.size;
            if !standing.found || standing.lifts || trails {
                continue;
            }
            let reach = (leg.length * seen.scale * STRAIGHT).max(standing.stretch);
            let highest = |ankle: Vec3, reach: f32| {
                let level = (ankle - hip).with_y(0.0).length();
                ankle.y + (reach * reach - level * level).max(0.0).sqrt() - hip.y
            };
            let mut high = highest(standing.ankle, reach);
            if is_human && walks > 0.0 && high < rise {
                high = high.max(highest(standing.within_reach(walks), BENT * reach));
            }
            lowest = lowest.min(high);
        }
        let needed = (rise - lowest).clamp_to(0.0, 0.3 * seen.size);
        let sink = self.sink.get_or_insert(DampedSpring::at(needed));
        if needed > sink.value {
            // At once, but for what would be a jolt: who lags behind walks on tiptoe.
            let most = sink.value + SINK * seen.size * tick.dt;
            *sink = DampedSpring::at(needed.min(most));
        } else {
            sink.go(needed, &seen.paces.recover);
        }
        let up = Vec3::Y * ((rise - sink.value) * weight);
        if (aside + up).abs().max_element() > 1e-7 {
            let parent = seen.world * posed.parent_model(rig.body);
            let mut local = posed.local(rig.body);
            local.translation += parent.inverse().transform_vector3(aside + up);
            posed.set_local(rig.body, local);
            for standing in standings {
                standing.hip += up;
            }
        }
    }

    /// How far it goes up with the ground under its feet. `over`: where it is; `slope`: how far the ground goes up
    /// along x and z of the world.
    fn rise(
        &mut self,
        is_human: bool,
        seen: &Seen<'_>,
        tick: &BodyTick,
        on: &[FootPose],
        over: Vec3,
        slope: Vec2,
    ) -> f32 {
        let found = on.iter().filter(|foot| foot.found);
        let (sum, climbs, n) = found.fold((0.0, 0.0, 0.0), |(sum, climbs, n), foot| {
            // On two legs the nearer foot bears more, on more of them one that swings knows of the ground as well.
            let away = (foot.ankle - foot.hip).with_y(0.0).length();
            let share = match (is_human, foot.carries) {
                (true, true) => 1.0 / (away + NEAR * seen.size),
                (true, false) => 0.0,
                (false, true) => 1.0,
                (false, false) => SWINGS,
            };
            // So high is the ground under the body by what this foot knows.
            let rise = foot.rise + (over - foot.place).xz().dot(slope);
            (sum + rise * share, climbs + foot.climb, n + share)
        });
        let wish = if n == 0.0 { 0.0 } else { sum / n };
        let n_found = on.iter().filter(|foot| foot.found).count().max(1);
        let climbs = climbs / n_found as f32;
        let root = seen.world.translation.y;
        let height = self.height.get_or_insert(DampedSpring::at(root + wish));
        // What carries it takes it along at once, and slopes do.
        height.value += tick.lifted + climbs;
        height.go(root + wish * tick.grip, &seen.paces.body);
        // It never lags so far that legs would fold or tear.
        let most = 0.5 * seen.size;
        height.value = height.value.clamp_to(root - most, root + most);
        (height.value - root) * seen.options.body
    }

    /// How far it goes aside to be between its feet, world space, when it stands on some that its clips have elsewhere.
    fn aside(&mut self, stands: f32, tick: &BodyTick, seen: &Seen<'_>, on: &[FootPose]) -> Vec3 {
        let away = on.iter().map(|foot| foot.held_away).sum::<Vec3>() / on.len().max(1) as f32;
        let goal = away * (BALANCE * stands * tick.grip * seen.options.body);
        let [x, z] = &mut self.balance;
        let pace = &seen.paces.body;
        Vec3::new(x.go(goal.x, pace), 0.0, z.go(goal.z, pace)) * tick.weight
    }
}

/// How far the ground goes up along x and z of the world, by how it leans under the feet.
fn leaning(on: &[FootPose]) -> Vec2 {
    let found = on.iter().filter(|foot| foot.found);
    let (sum, n) = found.fold((Vec2::ZERO, 0.0_f32), |(sum, n), foot| {
        (sum + gradient(foot.plane.normal), n + 1.0)
    });
    sum / n.max(1.0)
}

/// The same of the plane that goes through the ground under all feet as well as one can.
fn fitted(on: &[FootPose], size: f32) -> Vec2 {
    let found = || on.iter().filter(|foot| foot.found);
    let n = found().count().max(1) as f32;
    let middle = found()
        .map(|foot| foot.place.with_y(foot.rise))
        .sum::<Vec3>()
        / n;
    // Where feet stand in one line, nothing is known of across.
    let blind = n * (0.1 * size).powi(2);
    let (mut all, mut up) = (Mat2::from_diagonal(Vec2::splat(blind)), Vec2::ZERO);
    for foot in found() {
        let away = foot.place.with_y(foot.rise) - middle;
        all += Mat2::from_cols(away.xz() * away.x, away.xz() * away.z);
        up += away.xz() * away.y;
    }
    all.inverse() * up
}
