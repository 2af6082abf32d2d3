//! Motion warping: adapts speed, direction and end position of a motion.
//!
//! Used by `character` and `machine` in the tick. Invariants: pure functions over the caller's data, no allocation;
//! the result is never NaN or infinite.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Quat, Vec3};

use super::root_motion::{RootDelta, RootTrack, wrap};
use super::{PlayMode, Skeleton};
use galatea_math::Trs;
use galatea_math::clamp::ClampTo as _;

/// Natural motion of a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Natural {
    /// Horizontal speed, metres per second, not negative.
    pub speed: f32,
    /// Duration of one loop, seconds.
    pub duration: f32,
}

/// Clips and rate for a target speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpeedMatch {
    /// Index of the slower of two neighbouring clips.
    pub slower: usize,
    /// Blend weight of the next faster one, 0..=1.
    pub weight: f32,
    /// Factor on the playback speed.
    pub rate: f32,
}

/// Returns the two clips and the rate that together move at `target_speed` metres per second. `clips` must be sorted
/// by speed. Within their range, the rate is 1, and the weight makes the blended stride divided by the blended
/// duration equal to the target speed (a blend in phase takes the mean time for the mean distance). Outside the
/// range, the nearest clip plays at another rate, limited to `rates` (minimum, maximum). `None` without clips.
pub fn match_speed(clips: &[Natural], target_speed: f32, rates: (f32, f32)) -> Option<SpeedMatch> {
    let (first, last) = (clips.first()?, clips.last()?);
    let target_speed = if target_speed.is_finite() {
        target_speed.max(0.0)
    } else {
        0.0
    };
    let alone = |slower: usize, natural: &Natural| {
        let rate = target_speed / natural.speed;
        // A standing clip has no speed at any rate.
        let usable = rate.is_finite() && natural.speed > 0.0;
        let rate = if usable {
            rate.clamp_to(rates.0, rates.1.max(rates.0))
        } else {
            1.0
        };
        SpeedMatch {
            slower,
            weight: 0.0,
            rate,
        }
    };
    if target_speed <= first.speed {
        return Some(alone(0, first));
    }
    if target_speed >= last.speed {
        return Some(alone(clips.len() - 1, last));
    }
    let slower = clips
        .partition_point(|clip| clip.speed <= target_speed)
        .saturating_sub(1);
    let (a, b) = (clips.get(slower)?, clips.get(slower + 1)?);
    // Solves (La + u (Lb - La)) / (Ta + u (Tb - Ta)) = v with strides L = speed × duration.
    let gap = |clip: &Natural| (clip.speed - target_speed) * clip.duration;
    let u = gap(a) / (gap(a) - gap(b));
    let weight = if u.is_finite() {
        u.clamp(0.0, 1.0)
    } else {
        0.0
    };
    Some(SpeedMatch {
        slower,
        weight,
        rate: 1.0,
    })
}

/// Returns the rotation of the legs that makes a clip with the direction `clip_heading` move along `target_heading`
/// (radians about +Y from the facing direction), and true if the clip should play backwards. Backwards is better
/// beyond 90°; if it was `reversed` before, it stays so for 10° more.
pub fn warp_angle(clip_heading: f32, target_heading: f32, reversed: bool) -> (f32, bool) {
    let angle = wrap(target_heading - clip_heading);
    let margin = 10.0_f32.to_radians();
    let limit = if reversed {
        FRAC_PI_2 - margin
    } else {
        FRAC_PI_2 + margin
    };
    if angle.abs() > limit {
        (wrap(angle + PI), true)
    } else {
        (angle, false)
    }
}

/// Rotates the legs by `angle` radians about +Y of model space, and keeps the facing direction of the upper body.
/// `hips` rotates with all its descendants; the bones of `spine` (in order from the hips up) rotate back in equal
/// parts. `locals` holds one local transform per bone. Bones that do not exist are skipped; without a spine, the
/// whole body rotates.
pub fn orientation_warp(
    skeleton: &Skeleton,
    locals: &mut [Trs],
    hips: u16,
    spine: &[u16],
    angle: f32,
) {
    if !angle.is_finite() || angle == 0.0 {
        return;
    }
    turn_in_model(skeleton, locals, hips, angle);
    let back = -angle / spine.len().max(1) as f32;
    for bone in spine {
        turn_in_model(skeleton, locals, *bone, back);
    }
}

/// Rotates a bone in place about +Y of model space.
fn turn_in_model(skeleton: &Skeleton, locals: &mut [Trs], bone: u16, angle: f32) {
    let bones = skeleton.bones();
    let mut parent_turn = Quat::IDENTITY;
    let mut next = bones.get(usize::from(bone)).and_then(|bone| bone.parent);
    while let Some(parent) = next.map(usize::from) {
        let Some(local) = locals.get(parent) else {
            return;
        };
        parent_turn = local.rotation * parent_turn;
        next = bones[parent].parent;
    }
    if let Some(local) = locals.get_mut(usize::from(bone)) {
        let turn = parent_turn.inverse() * Quat::from_rotation_y(angle) * parent_turn;
        local.rotation = (turn * local.rotation).normalize();
    }
}

/// Method to adapt a motion to another end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WarpKind {
    /// Rotates and stretches the whole motion, so a straight path stays straight. If the clip hardly moves, or would
    /// be stretched more than [`MAX_STRETCH`] times, it is shifted instead.
    #[default]
    Stretch,
    /// Adds the offset gradually, in proportion to the covered distance.
    Shift,
}

/// Maximum stretch factor of a motion; its inverse is the minimum.
pub const MAX_STRETCH: f32 = 4.0;

/// The rest of a clip's root motion, adapted so that it ends at a given position and rotation.
#[derive(Clone, Copy, Debug)]
pub struct TargetWarp<'a> {
    track: &'a RootTrack,
    mode: PlayMode,
    from: f64,
    to: f64,
    /// Motion of the clip itself between `from` and `to`.
    own: RootDelta,
    target: RootDelta,
    stretch: bool,
}

impl<'a> TargetWarp<'a> {
    /// Adapts the motion between `from` and `to` seconds of playback so that its sum is `target`, relative to the
    /// character's frame at `from`. The rotation takes the shorter direction.
    pub fn new(
        track: &'a RootTrack,
        mode: PlayMode,
        (from, to): (f64, f64),
        target: RootDelta,
        kind: WarpKind,
    ) -> Self {
        let own = track.delta(from, to, mode);
        let finite = target.translation.is_finite() && target.yaw.is_finite();
        let target = if finite { target } else { own };
        let (was, is) = (flat(own.translation), flat(target.translation));
        let ratio = is.length() / was.length();
        let within = (MAX_STRETCH.recip()..=MAX_STRETCH).contains(&ratio);
        Self {
            track,
            mode,
            from,
            to,
            own,
            target: RootDelta {
                yaw: own.yaw + wrap(target.yaw - own.yaw),
                ..target
            },
            stretch: kind == WarpKind::Stretch && was.length() > 1e-3 && within,
        }
    }

    /// Returns the step from `t0` to `t1` seconds of playback. Before and after the warp, the clip moves unchanged.
    /// Steps over any split add up; the steps of the whole warp add up to the target.
    pub fn delta(&self, t0: f64, t1: f64) -> RootDelta {
        self.at(t0).inverse().compose(self.at(t1))
    }

    /// Placement at `t`, relative to that at the start of the warp.
    fn at(&self, t: f64) -> RootDelta {
        if t.is_nan() || t <= self.from {
            return self.track.delta(self.from, t, self.mode);
        }
        if t >= self.to {
            let after = self.track.delta(self.to.max(self.from), t, self.mode);
            return self.target.compose(after);
        }
        let step = self.track.delta(self.from, t, self.mode);
        let time = ((t - self.from) / (self.to - self.from)) as f32;
        // In proportion to the covered distance, else to the time.
        let all = flat(self.own.translation).length_squared();
        let u = if all > 1e-6 {
            (flat(step.translation).dot(flat(self.own.translation)) / all).clamp(0.0, 1.0)
        } else {
            time
        };
        let yaw = step.yaw + (self.target.yaw - self.own.yaw) * u;
        let rise = (self.target.translation.y - self.own.translation.y) * u;
        let translation = if self.stretch {
            let (was, is) = (flat(self.own.translation), flat(self.target.translation));
            let turn = Quat::from_rotation_arc(was.normalize(), is.normalize());
            let flat_way = turn * flat(step.translation) * (is.length() / was.length());
            flat_way + Vec3::Y * (step.translation.y + rise)
        } else {
            step.translation + (self.target.translation - self.own.translation) * u
        };
        RootDelta { translation, yaw }
    }
}

fn flat(v: Vec3) -> Vec3 {
    v.with_y(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bone, local_to_model};
    use proptest::prelude::*;

    const RATES: (f32, f32) = (0.5, 2.0);

    fn clips() -> [Natural; 3] {
        let natural = |speed, duration| Natural { speed, duration };
        [natural(0.0, 4.0), natural(1.4, 1.0), natural(4.2, 0.7)]
    }

    #[test]
    fn matched_blend_has_the_target_speed() {
        let clips = clips();
        for i in 0..=100 {
            let target_speed = 0.06 * i as f32;
            let found = match_speed(&clips, target_speed, RATES).unwrap();
            let a = clips[found.slower];
            let b = clips.get(found.slower + 1).copied().unwrap_or(a);
            let mix = |x: f32, y: f32| x + (y - x) * found.weight;
            let stride = mix(a.speed * a.duration, b.speed * b.duration);
            let speed = stride / mix(a.duration, b.duration) * found.rate;
            assert!(
                (speed - target_speed).abs() < 1e-4,
                "{target_speed}: {found:?} gives {speed}"
            );
        }
        assert_eq!(match_speed(&clips, 100.0, RATES).unwrap().rate, 2.0);
        assert_eq!(match_speed(&[], 1.0, RATES), None);
    }

    #[test]
    fn invalid_speeds_give_finite_results() {
        let still = [Natural {
            speed: 0.0,
            duration: 0.0,
        }; 2];
        for target_speed in [0.0, 1.0, -1.0, f32::NAN, f32::INFINITY] {
            for clips in [&still[..], &still[..1], &clips()[..]] {
                let found = match_speed(clips, target_speed, RATES).unwrap();
                assert!(found.weight.is_finite() && found.rate.is_finite() && found.rate > 0.0);
            }
        }
    }

    #[test]
    fn directions_behind_play_backwards_without_flicker_at_the_limit() {
        let close = |(angle, reversed): (f32, bool), expected: f32, back: bool| {
            assert!(
                (angle - expected).abs() < 1e-5 && reversed == back,
                "{angle} {reversed}"
            );
        };
        close(warp_angle(0.0, 0.5, false), 0.5, false);
        close(warp_angle(0.0, PI, false), 0.0, true);
        close(warp_angle(0.3, -2.8, false), 0.3 - 0.3 + (PI - 3.1), true);
        let edge = 95.0_f32.to_radians();
        assert!(!warp_angle(0.0, edge, false).1 && warp_angle(0.0, edge, true).1);
    }

    fn body(armature: Trs) -> Skeleton {
        let bone = |name: &str, parent, rest| Bone {
            name: String::from(name),
            parent,
            rest,
            skinned: true,
        };
        let tilted = |at: Vec3, x: f32| Trs {
            rotation: Quat::from_rotation_x(x),
            ..Trs::from_translation(at)
        };
        Skeleton::new(vec![
            bone("armature", None, armature),
            bone("hips", Some(0), tilted(Vec3::Y, 0.2)),
            bone("spine", Some(1), tilted(Vec3::Y * 0.2, -0.1)),
            bone("chest", Some(2), tilted(Vec3::Y * 0.2, 0.3)),
            bone("head", Some(3), tilted(Vec3::Y * 0.3, 0.1)),
            bone("leg", Some(1), Trs::from_translation(Vec3::X * 0.1)),
        ])
        .unwrap()
    }

    #[test]
    fn legs_rotate_and_the_head_keeps_facing() {
        let odd = Trs {
            rotation: Quat::from_rotation_y(PI) * Quat::from_rotation_x(-FRAC_PI_2),
            scale: Vec3::splat(0.01),
            ..Trs::IDENTITY
        };
        for armature in [Trs::IDENTITY, odd] {
            let skeleton = body(armature);
            let mut locals: Vec<Trs> = skeleton.rest().collect();
            let (mut before, mut after) = (Vec::new(), Vec::new());
            local_to_model(&skeleton, &locals, &mut before);
            orientation_warp(&skeleton, &mut locals, 1, &[2, 3], 0.8);
            local_to_model(&skeleton, &locals, &mut after);
            let axis = |m: &glam::Affine3A| Vec3::from(m.matrix3.z_axis).normalize();
            let turn = Quat::from_rotation_y(0.8);
            assert!(axis(&after[5]).abs_diff_eq(turn * axis(&before[5]), 1e-5));
            for bone in [3, 4] {
                assert!(axis(&after[bone]).abs_diff_eq(axis(&before[bone]), 1e-5));
            }
            let half = Quat::from_rotation_y(0.4);
            assert!(axis(&after[2]).abs_diff_eq(half * axis(&before[2]), 1e-5));
        }
        let skeleton = body(Trs::IDENTITY);
        let mut locals: Vec<Trs> = skeleton.rest().collect();
        let rest = locals.clone();
        for (hips, angle) in [(1, f32::NAN), (99, 1.0)] {
            orientation_warp(&skeleton, &mut locals, hips, &[77], angle);
            assert_eq!(locals, rest);
        }
    }

    fn step(x: f32, z: f32, yaw: f32) -> RootDelta {
        RootDelta {
            translation: Vec3::new(x, 0.0, z),
            yaw,
        }
    }

    fn walk() -> RootTrack {
        RootTrack::new(
            0,
            1.0,
            (0..=10).map(|i| step(0.0, 0.14 * i as f32, 0.0)).collect(),
        )
    }

    #[test]
    fn stretched_straight_path_stays_straight_and_arrives() {
        let track = walk();
        let target = step(1.0, 1.0, 0.5);
        let warp = TargetWarp::new(
            &track,
            PlayMode::Loop,
            (0.3, 1.3),
            target,
            WarpKind::Stretch,
        );
        let half = warp.delta(0.3, 0.8);
        assert!(
            half.translation.abs_diff_eq(Vec3::new(0.5, 0.0, 0.5), 1e-5),
            "{half:?}"
        );
        assert!((half.yaw - 0.25).abs() < 1e-5);
        // After the warp, the clip continues unchanged.
        assert!(
            warp.delta(1.3, 1.8)
                .translation
                .abs_diff_eq(Vec3::Z * 0.7, 1e-5)
        );
    }

    #[test]
    fn warp_without_distance_or_time_arrives_without_nan() {
        let still = RootTrack::new(0, 1.0, Vec::new());
        let target = step(0.3, -0.2, 1.0);
        for kind in [WarpKind::Stretch, WarpKind::Shift] {
            for span in [(0.0, 1.0), (0.5, 0.5), (0.7, 0.2)] {
                let warp = TargetWarp::new(&still, PlayMode::Once, span, target, kind);
                let got = warp.delta(span.0, span.0.max(span.1) + 0.1);
                assert!(
                    got.translation.abs_diff_eq(target.translation, 1e-6),
                    "{got:?}"
                );
                assert!((got.yaw - 1.0).abs() < 1e-6);
            }
            let walk = walk();
            let warp =
                TargetWarp::new(&walk, PlayMode::Loop, (0.0, 1.0), step(0.0, 0.0, 0.0), kind);
            let got = warp.delta(0.0, 1.0);
            assert!(got.translation.length() < 1e-6, "{got:?}");
            let nan = step(f32::NAN, 0.0, 0.0);
            let warp = TargetWarp::new(&walk, PlayMode::Loop, (0.0, 1.0), nan, kind);
            assert!(warp.delta(0.0, 0.5).translation.is_finite());
        }
    }

    proptest! {
        #[test]
        fn warp_arrives_within_a_millimetre_for_any_steps(
            steps in prop::collection::vec((-0.5..0.5_f32, -0.2..0.5_f32, -0.5..0.5_f32), 1..8),
            target in (-3.0..3.0_f32, -3.0..3.0_f32, -3.0..3.0_f32),
            from in 0.0..3.0_f64,
            seconds in 0.0..2.0_f64,
            cuts in prop::collection::vec(0.0..1.0_f64, 0..9),
            shift in prop::bool::ANY,
        ) {
            let mut samples = vec![RootDelta::IDENTITY];
            for (x, z, yaw) in steps {
                let before = samples[samples.len() - 1];
                samples.push(before.compose(step(x, z, yaw)));
            }
            let track = RootTrack::new(0, 0.9, samples);
            let target = step(target.0, target.1, target.2);
            let kind = if shift { WarpKind::Shift } else { WarpKind::Stretch };
            let to = from + seconds;
            let warp = TargetWarp::new(&track, PlayMode::Loop, (from, to), target, kind);
            let mut times: Vec<f64> = cuts.iter().map(|u| from + u * seconds).collect();
            times.sort_by(f64::total_cmp);
            times.push(if seconds > 0.0 { to } else { to + 1e-9 });
            let (mut at, mut sum) = (from, RootDelta::IDENTITY);
            for t in times {
                sum = sum.compose(warp.delta(at, t));
                at = t;
            }
            prop_assert!(sum.translation.distance(target.translation) < 1e-3, "{sum:?} {target:?}");
            prop_assert!(wrap(sum.yaw - target.yaw).abs() < 1e-3);
        }
    }
}
