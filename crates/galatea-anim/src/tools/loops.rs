//! Finds ranges of a take that can loop, by comparing pairs of similar poses.

use glam::{Affine3A, Quat, Vec3};

use super::SampledPoses;
use crate::root_motion::{RootDelta, RootOptions, RootTrack, find_root_bone};
use crate::{Clip, Skeleton};

/// Criteria for loops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopOptions {
    /// Minimum duration of a loop, seconds.
    pub shortest: f32,
    /// Maximum duration of a loop, seconds.
    pub max_duration: f32,
    /// Poses compared per second; lower for long clips.
    pub rate: f32,
    /// Weight of velocity differences compared with position differences, seconds.
    pub velocity_weight: f32,
    /// Minimum mean speed of the bones in a loop, metres per second. Without it, a range of standing still would
    /// always match.
    pub motion: f32,
    /// Maximum number of candidates returned.
    pub max_candidates: usize,
}

impl Default for LoopOptions {
    fn default() -> Self {
        Self {
            shortest: 0.6,
            max_duration: 20.0,
            rate: 30.0,
            velocity_weight: 0.1,
            motion: 0.1,
            max_candidates: 8,
        }
    }
}

/// A candidate loop: a pair of similar poses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopCandidate {
    /// Start, seconds.
    pub start: f32,
    /// End, seconds.
    pub end: f32,
    /// Sum of `distance` and weighted `velocity`, metres; smaller is better.
    pub cost: f32,
    /// Root mean square distance of the bones of both poses, metres, without the root's horizontal position and
    /// heading.
    pub distance: f32,
    /// Root mean square difference of velocities, metres per second.
    pub velocity: f32,
    /// Displacement of the character in one loop.
    pub lap: RootDelta,
}

/// Maximum number of poses compared; the number of pairs grows with its square.
const MAX_POSES: f32 = 1500.0;

/// Finds the best loops of a clip, best first. Candidates that begin and end within a quarter of a second of a better
/// one are omitted. Poses are compared in model space, without the root's horizontal motion and heading.
pub fn find_loops(skeleton: &Skeleton, clip: &Clip, options: &LoopOptions) -> Vec<LoopCandidate> {
    let rate = options.rate.min(MAX_POSES / clip.duration.max(1e-3));
    let frames = SampledPoses::new(skeleton, clip, rate);
    let n = frames.len();
    let shortest = options.shortest;
    if n < 4 || shortest.is_nan() || shortest <= 0.0 || frames.dt <= 0.0 {
        return Vec::new();
    }
    let root = root_track(skeleton, clip, 1.0 / frames.dt);
    let poses = Features::new(&frames, root.as_ref(), clip.duration);
    let (least, most) = (
        (options.shortest / frames.dt).ceil() as usize,
        (options.max_duration / frames.dt).floor() as usize,
    );
    let mut sums = vec![0.0_f32; n + 1];
    for i in 0..n {
        sums[i + 1] = sums[i] + poses.motion(i);
    }
    let mut found = Vec::new();
    let cost = |i: usize, k: usize| poses.cost(i, k, options.velocity_weight).0;
    for i in 0..n.saturating_sub(least) {
        for k in i + least..n.min(i + most + 1) {
            let moving = (sums[k] - sums[i]) / (k - i) as f32;
            if moving < options.motion {
                continue;
            }
            let own = cost(i, k);
            let better = |a: isize, b: isize| {
                let (a, b) = (i as isize + a, k as isize + b);
                let inside = a >= 0 && b < n as isize && b - a >= least as isize;
                inside && cost(a as usize, b as usize) < own
            };
            let is_best = [(0, -1), (0, 1), (-1, 0), (1, 0), (1, 1), (-1, -1)]
                .iter()
                .all(|(a, b)| !better(*a, *b));
            if is_best {
                found.push((own, i, k));
            }
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.2 - a.1).cmp(&(b.2 - b.1))));
    let apart = (0.25 / frames.dt) as usize;
    let mut selected: Vec<(f32, usize, usize)> = Vec::new();
    for one in found {
        let near = |other: &(f32, usize, usize)| {
            one.1.abs_diff(other.1) <= apart && one.2.abs_diff(other.2) <= apart
        };
        if !selected.iter().any(near) {
            selected.push(one);
        }
        if selected.len() >= options.max_candidates {
            break;
        }
    }
    let candidates = selected.into_iter().map(|(_, i, k)| {
        let (start, end) = (frames.time(i, clip.duration), frames.time(k, clip.duration));
        let (cost, distance, velocity) = poses.cost(i, k, options.velocity_weight);
        let lap = root.as_ref().map_or(RootDelta::IDENTITY, |root| {
            root.at(start).inverse().compose(root.at(end))
        });
        LoopCandidate {
            start,
            end,
            cost,
            distance,
            velocity,
            lap,
        }
    });
    candidates.collect()
}

/// Root motion of the clip, if there is a root bone.
pub(super) fn root_track(skeleton: &Skeleton, clip: &Clip, rate: f32) -> Option<RootTrack> {
    let bone = find_root_bone(skeleton, clip)?;
    let options = RootOptions {
        rate,
        ..RootOptions::default()
    };
    Some(RootTrack::extract(skeleton, clip, bone, &options))
}

/// Positions and velocities of all bones per frame, without the root motion.
struct Features {
    n_bones: usize,
    positions: Vec<Vec3>,
    velocities: Vec<Vec3>,
}

impl Features {
    fn new(frames: &SampledPoses, root: Option<&RootTrack>, duration: f32) -> Self {
        let n = frames.len();
        let inverse_root = |i: usize| root.map(|root| root.at(frames.time(i, duration)).inverse());
        let n_bones = frames.model(0).len();
        let mut positions = Vec::with_capacity(n * n_bones);
        let mut velocities = Vec::with_capacity(n * n_bones);
        for i in 0..n {
            let back = inverse_root(i).unwrap_or(RootDelta::IDENTITY);
            let (turn, by): (Quat, Vec3) = (back.rotation(), back.translation);
            let (before, after) = (i.saturating_sub(1), (i + 1).min(n - 1));
            let seconds = frames.dt * (after - before) as f32;
            for bone in 0..n_bones {
                let position = |m: &Affine3A| Vec3::from(m.translation);
                positions.push(turn * position(&frames.model(i)[bone]) + by);
                let offset = frames.position(after, bone) - frames.position(before, bone);
                velocities.push(turn * offset / seconds);
            }
        }
        Self {
            n_bones,
            positions,
            velocities,
        }
    }

    /// Mean speed of the bones.
    fn motion(&self, i: usize) -> f32 {
        let own = &self.velocities[i * self.n_bones..(i + 1) * self.n_bones];
        own.iter().map(|v| v.length()).sum::<f32>() / self.n_bones as f32
    }

    /// Cost, distance and velocity difference of two frames.
    fn cost(&self, i: usize, k: usize, velocity_weight: f32) -> (f32, f32, f32) {
        let mean = |of: &[Vec3]| {
            let n = self.n_bones;
            let pairs = of[i * n..(i + 1) * n].iter().zip(&of[k * n..(k + 1) * n]);
            let sum: f32 = pairs.map(|(a, b)| a.distance_squared(*b)).sum();
            (sum / n as f32).sqrt()
        };
        let (distance, velocity) = (mean(&self.positions), mean(&self.velocities));
        (distance + velocity * velocity_weight, distance, velocity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::test_rig::{rig, swing};

    #[test]
    fn periodic_motion_on_a_curve_loops_after_whole_periods() {
        // The arm swings every 1.25 s while the body walks a circle.
        let clip = swing(8.0, 1.25, 0.0);
        let found = find_loops(&rig(), &clip, &LoopOptions::default());
        let best = found[0];
        let periods = (best.end - best.start) / 1.25;
        assert!((periods - periods.round()).abs() < 0.03, "{best:?}");
        assert!(best.cost < 0.02, "{best:?}");
        // Half a radian and one metre per second.
        let seconds = best.end - best.start;
        assert!((best.lap.yaw - 0.5 * seconds).abs() < 0.02, "{best:?}");
    }

    #[test]
    fn best_match_comes_first_wherever_it_is() {
        // Noise everywhere except in the third period.
        let mut clip = swing(8.0, 1.0, 0.0);
        let arm = clip.bones[1].rotation.as_mut().unwrap();
        for (t, turn) in arm.times.iter().zip(&mut arm.values) {
            if !(2.0..=3.3).contains(t) {
                *turn *= Quat::from_rotation_y(0.8 * (t * t * 1.7).sin());
            }
        }
        let options = LoopOptions {
            max_duration: 1.2,
            ..LoopOptions::default()
        };
        let best = find_loops(&rig(), &clip, &options)[0];
        assert!((best.end - best.start - 1.0).abs() < 0.04, "{best:?}");
        assert!(best.start > 1.95 && best.end < 3.35, "{best:?}");
    }

    #[test]
    fn standing_still_and_short_clips_have_no_loops() {
        let still = Clip {
            duration: 5.0,
            ..Clip::default()
        };
        assert_eq!(find_loops(&rig(), &still, &LoopOptions::default()), []);
        let clip = swing(0.5, 1.0, 0.0);
        assert_eq!(find_loops(&rig(), &clip, &LoopOptions::default()), []);
        let options = LoopOptions {
            shortest: f32::NAN,
            ..LoopOptions::default()
        };
        assert_eq!(find_loops(&rig(), &swing(3.0, 1.0, 0.0), &options), []);
    }
}
