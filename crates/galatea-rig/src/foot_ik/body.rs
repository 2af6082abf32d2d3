//! Body height, slope and balance over the feet: low enough for the legs to reach, pitched on four legs, centred when
//! standing.

use glam::{Mat2, Quat, Vec2, Vec3, Vec3Swizzles};
use serde::{Deserialize, Serialize};

use super::LegRig;
use super::foot::FootPose;
use super::footing::gradient;
use super::tick_input::FootTickInput;
use crate::Posed;
use galatea_math::clamp::ClampTo as _;
use galatea_math::damp::DampedSpring;
use galatea_math::smoothstep;

/// Fastest lowering of the body towards the height its feet need, leg lengths per second.
const MAX_SINK_SPEED: f32 = 1.8;
/// A leg is stretched to at most this fraction of its length, unless its clip stretches it further: closer to straight a
/// knee snaps.
const MAX_STRETCH: f32 = 0.985;
/// The same for a leg with a rolling foot, as a fraction of that: it is about to be bent and lifted.
const ROLLING_STRETCH: f32 = 0.97;
/// Added to the horizontal distance between foot and hip before it is inverted to a load, as a fraction of the leg length.
const NEAR: f32 = 0.1;
/// Ground weight of a swinging foot on more than two legs, and how far behind its hip, in leg lengths, a swinging foot no
/// longer lowers the body.
const SWING_WEIGHT: f32 = 0.2;
const BEHIND: f32 = 0.1;
/// Fraction of the offset to the centre of its feet that a standing body moves, and the speed, leg lengths per second, above
/// which it does not.
const BALANCE_FRACTION: f32 = 0.5;
const WALK_SPEED: f32 = 0.6;

/// Smoothed body offsets.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct BodyBalance {
    /// Height of the ground under the body, world space, metres.
    height: Option<DampedSpring>,
    /// Additional lowering that lets the legs reach down, metres.
    sink: Option<DampedSpring>,
    /// Slope from front to hind legs, radians.
    pitch: DampedSpring,
    /// Offset from the position in the clip to the centre of the feet, world x and z, metres.
    balance: [DampedSpring; 2],
}

/// Input of one tick.
pub(super) struct BodyTick {
    pub dt: f32,
    /// Blend weight, 0..=1, and the fraction of the ground adaptation within it.
    pub weight: f32,
    pub grip: f32,
    /// Mean vertical displacement of the platforms under the feet this tick, metres.
    pub lifted: f32,
}

impl BodyBalance {
    /// Moves and pitches the body of the pose so that the legs can reach their feet.
    pub fn move_body(
        &mut self,
        rig: &LegRig,
        seen: &FootTickInput<'_>,
        posed: &mut Posed<'_>,
        tick: &BodyTick,
        foot_poses: &mut [FootPose],
    ) {
        let &BodyTick { weight, grip, .. } = tick;
        let is_human = rig.legs.len() <= 2;
        let pace = &seen.damping.body;
        let over = seen.world.transform_point3(posed.position(rig.body));
        let slope = if is_human {
            leaning(foot_poses)
        } else {
            fitted(foot_poses, seen.size)
        };
        let rise = self.rise(is_human, seen, tick, foot_poses, over, slope);
        let ahead = Vec3::from(seen.world.matrix3.z_axis).with_y(0.0);
        let slope = match ahead.try_normalize() {
            Some(ahead) if !is_human => ahead.xz().dot(slope).atan().clamp(-0.7, 0.7),
            _ => 0.0,
        };
        let pitch = self.pitch.go(slope * grip, pace);
        let pitch = pitch * weight * seen.options.pelvis_weight;
        if pitch.abs() > 1e-6 {
            posed.turn_in_model(rig.body, Quat::from_rotation_x(-pitch));
        }
        let walks = smoothstep(
            0.0,
            1.0,
            seen.velocity.with_y(0.0).length() / (WALK_SPEED * seen.size),
        );
        let balance_offset = self.balance_offset(1.0 - walks, tick, seen, foot_poses);
        // Swinging feet count too, so that the body is already low when they land.
        let mut lowest = f32::INFINITY;
        let heading = seen.velocity.with_y(0.0).normalize_or_zero();
        for (leg, foot_pose) in rig.legs.iter().zip(&mut *foot_poses) {
            let hip = seen.world.transform_point3(posed.position(leg.limb.upper)) + balance_offset;
            foot_pose.hip = hip;
            // A swinging foot behind the body is about to be lifted.
            let ahead = (foot_pose.ankle - hip).dot(heading);
            let trails = !foot_pose.is_planted && ahead < -BEHIND * seen.size;
            if !foot_pose.found || foot_pose.is_lifted || trails {
                continue;
            }
            let reach = (leg.length * seen.scale * MAX_STRETCH).max(foot_pose.stretch);
            let highest = |ankle: Vec3, reach: f32| {
                let level = (ankle - hip).with_y(0.0).length();
                ankle.y + (reach * reach - level * level).max(0.0).sqrt() - hip.y
            };
            let mut high = highest(foot_pose.ankle, reach);
            if is_human && walks > 0.0 && high < rise {
                high = high.max(highest(
                    foot_pose.within_reach(walks),
                    ROLLING_STRETCH * reach,
                ));
            }
            lowest = lowest.min(high);
        }
        let needed = (rise - lowest).clamp_to(0.0, 0.3 * seen.size);
        let sink = self.sink.get_or_insert(DampedSpring::at(needed));
        if needed > sink.value {
            // The speed limit prevents a jolt; legs that cannot reach meanwhile rise on their toes.
            let max = sink.value + MAX_SINK_SPEED * seen.size * tick.dt;
            *sink = DampedSpring::at(needed.min(max));
        } else {
            sink.go(needed, &seen.damping.recover);
        }
        let up = Vec3::Y * ((rise - sink.value) * weight);
        if (balance_offset + up).abs().max_element() > 1e-7 {
            let parent = seen.world * posed.parent_model(rig.body);
            let mut local = posed.local(rig.body);
            local.translation += parent.inverse().transform_vector3(balance_offset + up);
            posed.set_local(rig.body, local);
            for foot_pose in foot_poses {
                foot_pose.hip += up;
            }
        }
    }

    /// Returns how far the body rises with the ground under its feet, metres. `over` is the position of the body; `slope` is
    /// the height gain of the ground along world x and z.
    fn rise(
        &mut self,
        is_human: bool,
        seen: &FootTickInput<'_>,
        tick: &BodyTick,
        on: &[FootPose],
        over: Vec3,
        slope: Vec2,
    ) -> f32 {
        let found = on.iter().filter(|foot| foot.found);
        let (sum, climb, n) = found.fold((0.0, 0.0, 0.0), |(sum, climb, n), foot| {
            // On two legs the nearer foot bears more. On more legs a swinging foot samples the ground as well.
            let away = (foot.ankle - foot.hip).with_y(0.0).length();
            let load = match (is_human, foot.is_planted) {
                (true, true) => 1.0 / (away + NEAR * seen.size),
                (true, false) => 0.0,
                (false, true) => 1.0,
                (false, false) => SWING_WEIGHT,
            };
            // Ground height under the body, extrapolated from this foot along the slope.
            let rise = foot.rise + (over - foot.position).xz().dot(slope);
            (sum + rise * load, climb + foot.climb, n + load)
        });
        let target = if n == 0.0 { 0.0 } else { sum / n };
        let n_found = on.iter().filter(|foot| foot.found).count().max(1);
        let climb = climb / n_found as f32;
        let root = seen.world.translation.y;
        let height = self.height.get_or_insert(DampedSpring::at(root + target));
        // Platforms and slopes move the body without delay.
        height.value += tick.lifted + climb;
        height.go(root + target * tick.grip, &seen.damping.body);
        // The lag is limited so that legs neither fold up nor overstretch.
        let max = 0.5 * seen.size;
        height.value = height.value.clamp_to(root - max, root + max);
        (height.value - root) * seen.options.pelvis_weight
    }

    /// Returns the horizontal offset towards the centre of the feet, world space, while a standing body has feet that are
    /// away from their clip positions.
    fn balance_offset(
        &mut self,
        standing_weight: f32,
        tick: &BodyTick,
        seen: &FootTickInput<'_>,
        on: &[FootPose],
    ) -> Vec3 {
        let away = on.iter().map(|foot| foot.lock_offset).sum::<Vec3>() / on.len().max(1) as f32;
        let goal =
            away * (BALANCE_FRACTION * standing_weight * tick.grip * seen.options.pelvis_weight);
        let [x, z] = &mut self.balance;
        let pace = &seen.damping.body;
        Vec3::new(x.go(goal.x, pace), 0.0, z.go(goal.z, pace)) * tick.weight
    }
}

/// Returns the height gain of the ground along world x and z, from the normals under the feet.
fn leaning(on: &[FootPose]) -> Vec2 {
    let found = on.iter().filter(|foot| foot.found);
    let (sum, n) = found.fold((Vec2::ZERO, 0.0_f32), |(sum, n), foot| {
        (sum + gradient(foot.plane.normal), n + 1.0)
    });
    sum / n.max(1.0)
}

/// The same from a least-squares plane through the ground points of all feet.
fn fitted(on: &[FootPose], size: f32) -> Vec2 {
    let found = || on.iter().filter(|foot| foot.found);
    let n = found().count().max(1) as f32;
    let middle = found()
        .map(|foot| foot.position.with_y(foot.rise))
        .sum::<Vec3>()
        / n;
    // Regularisation: feet in one line say nothing about the slope across it.
    let blind = n * (0.1 * size).powi(2);
    let (mut all, mut up) = (Mat2::from_diagonal(Vec2::splat(blind)), Vec2::ZERO);
    for foot in found() {
        let away = foot.position.with_y(foot.rise) - middle;
        all += Mat2::from_cols(away.xz() * away.x, away.xz() * away.z);
        up += away.xz() * away.y;
    }
    all.inverse() * up
}
