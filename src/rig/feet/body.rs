//! The body over its feet: as high as they reach the ground, at its slope on four legs, and between them when it stands.

use glam::{Quat, Vec3};

use super::LegRig;
use super::foot::{Seen, Standing, smooth};
use crate::math::damp::Follow;
use crate::rig::Posed;

/// Legs per second at which the body goes down at most to where its feet reach the ground.
const SINK: f32 = 1.8;
/// Share of its length to which a leg is stretched, where its clip has it no longer: nearer to straight a knee
/// snaps.
const STRAIGHT: f32 = 0.985;
/// Share of that to which a leg is stretched whose foot rolls: it is about to be bent and lifted.
const BENT: f32 = 0.97;
/// A foot that is nearer to its hip than this share of a leg bears almost all.
const NEAR: f32 = 0.1;
/// Share of the way to between its feet that a body goes that stands, and the speed, legs per second, at which it
/// does no longer.
const BALANCE: f32 = 0.5;
const WALKS: f32 = 0.6;

/// Where the body is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    /// Height of its ground in the world.
    height: Option<Follow>,
    /// How far it is lowered beyond that for its legs to reach down.
    sink: Option<Follow>,
    /// Slope from front to hind legs, radians.
    pitch: Follow,
    /// From where its clips want it to between its feet, x and z of the world, metres.
    balance: [Follow; 2],
}

/// What a tick tells it.
pub(super) struct Tick {
    pub dt: f32,
    /// 0..=1: how much shows, and how much of that is the ground.
    pub weight: f32,
    pub grip: f32,
    /// How far what carries the feet took them up.
    pub lifted: f32,
}

impl Body {
    /// Brings the body of a pose to where its feet want it.
    pub fn carry(
        &mut self,
        rig: &LegRig,
        seen: &Seen<'_>,
        posed: &mut Posed<'_>,
        tick: &Tick,
        standings: &mut [Standing],
    ) {
        let &Tick { weight, grip, .. } = tick;
        let is_human = rig.legs.len() <= 2;
        let pace = &seen.paces.body;
        let rise = self.rise(is_human, seen, tick, standings);
        let slope = if is_human { 0.0 } else { slope(rig, standings) };
        let pitch = self.pitch.go(slope * grip, pace);
        let pitch = pitch * weight * seen.options.body;
        if pitch.abs() > 1e-6 {
            posed.turn_in_model(rig.body, Quat::from_rotation_x(-pitch));
        }
        let walks = smooth(seen.going.with_y(0.0).length() / (WALKS * seen.size));
        let aside = self.aside(1.0 - walks, tick, seen, standings);
        // As low as the legs need it: those that swing too, so that it is down when they come down.
        let mut lowest = f32::INFINITY;
        for (leg, standing) in rig.legs.iter().zip(&mut *standings) {
            let hip = seen.world.transform_point3(posed.position(leg.limb.upper)) + aside;
            standing.hip = hip;
            if !standing.found || standing.lifts {
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
        let needed = (rise - lowest).clamp(0.0, 0.3 * seen.size);
        let sink = self.sink.get_or_insert(Follow::at(needed));
        if needed > sink.value {
            // At once, but for what would be a jolt: who lags behind walks on tiptoe.
            let most = sink.value + SINK * seen.size * tick.dt;
            *sink = Follow::at(needed.min(most));
        } else {
            sink.go(needed, pace);
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

    /// How far it goes up with the ground under its feet.
    fn rise(&mut self, is_human: bool, seen: &Seen<'_>, tick: &Tick, on: &[Standing]) -> f32 {
        let carrying = on.iter().filter(|foot| foot.found && foot.carries);
        let (sum, n) = carrying.fold((0.0, 0.0), |(sum, n), foot| {
            // On two legs the nearer foot bears more.
            let away = (foot.ankle - foot.hip).with_y(0.0).length();
            let share = if is_human {
                1.0 / (away + NEAR * seen.size)
            } else {
                1.0
            };
            (sum + foot.rise * share, n + share)
        });
        let wish = if n == 0.0 { 0.0 } else { sum / n };
        let root = seen.world.translation.y;
        let height = self.height.get_or_insert(Follow::at(root + wish));
        // What carries it takes it along at once.
        height.value += tick.lifted;
        height.go(root + wish * tick.grip, &seen.paces.body);
        // It never lags so far that legs would fold or tear.
        let most = 0.5 * seen.size;
        height.value = height.value.clamp(root - most, root + most);
        (height.value - root) * seen.options.body
    }

    /// How far it goes aside to be between its feet, world space, when it stands on some that its clips have elsewhere.
    fn aside(&mut self, stands: f32, tick: &Tick, seen: &Seen<'_>, on: &[Standing]) -> Vec3 {
        let away = on.iter().map(|foot| foot.held_away).sum::<Vec3>() / on.len().max(1) as f32;
        let goal = away * (BALANCE * stands * tick.grip * seen.options.body);
        let [x, z] = &mut self.balance;
        let pace = &seen.paces.body;
        Vec3::new(x.go(goal.x, pace), 0.0, z.go(goal.z, pace)) * tick.weight
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
