//! Where a take could be cut so that its end goes on at its start (5.60: find two similar poses).

use glam::{Affine3A, Quat, Vec3};

use super::SampledPoses;
use crate::root_motion::{RootDelta, RootOptions, RootTrack, find_root_bone};
use crate::{Clip, Skeleton};

/// What counts as a loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopOptions {
    /// Shortest loop, seconds.
    pub shortest: f32,
    /// Longest loop, seconds.
    pub longest: f32,
    /// Poses compared per second, while the clip is short; a long one is looked at more coarsely.
    pub rate: f32,
    /// Seconds by which a difference of velocity counts as one of place.
    pub velocity_weight: f32,
    /// Mean speed of the bones that a loop must have, metres per second; a stretch of standing still
    /// always matches itself.
    pub motion: f32,
    /// Most candidates given back.
    pub most: usize,
}

impl Default for LoopOptions {
    fn default() -> Self {
        Self {
            shortest: 0.6,
            longest: 20.0,
            rate: 30.0,
            velocity_weight: 0.1,
            motion: 0.1,
            most: 8,
        }
    }
}

/// A pair of similar poses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopCandidate {
    /// Seconds.
    pub start: f32,
    /// Seconds.
    pub end: f32,
    /// `distance` and weighted `velocity` together, metres; smaller is better.
    pub cost: f32,
    /// Root mean square distance of the bones of both poses, metres; place on the ground and heading
    /// do not count.
    pub distance: f32,
    /// The same for velocities, metres per second.
    pub velocity: f32,
    /// What one lap moves the character.
    pub lap: RootDelta,
}

/// Poses compared at most; pairs grow with the square.
const MOST_POSES: f32 = 1500.0;

/// The best loops of a clip, best first; overlapping ones that begin and end within a quarter of a
/// second of a better one are left out. Poses are compared in model space after the root's way over
/// the ground and its heading are taken out.
pub fn find_loops(skeleton: &Skeleton, clip: &Clip, options: &LoopOptions) -> Vec<LoopCandidate> {
    let rate = options.rate.min(MOST_POSES / clip.duration.max(1e-3));
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
        (options.longest / frames.dt).floor() as usize,
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
    let mut kept: Vec<(f32, usize, usize)> = Vec::new();
    for one in found {
        let near = |other: &(f32, usize, usize)| {
            one.1.abs_diff(other.1) <= apart && one.2.abs_diff(other.2) <= apart
        };
        if !kept.iter().any(near) {
            kept.push(one);
        }
        if kept.len() >= options.most {
            break;
        }
    }
    let candidates = kept.into_iter().map(|(_, i, k)| {
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

/// The root's way over the ground, if there is a root.
pub(super) fn root_track(skeleton: &Skeleton, clip: &Clip, rate: f32) -> Option<RootTrack> {
    let bone = find_root_bone(skeleton, clip)?;
    let options = RootOptions {
        rate,
        ..RootOptions::default()
    };
    Some(RootTrack::extract(skeleton, clip, bone, &options))
}

/// Places and velocities of all bones, frame after frame, the root's way taken out.
struct Features {
    n_bones: usize,
    places: Vec<Vec3>,
    velocities: Vec<Vec3>,
}

impl Features {
    fn new(frames: &SampledPoses, root: Option<&RootTrack>, duration: f32) -> Self {
        let n = frames.len();
        let way = |i: usize| root.map(|root| root.at(frames.time(i, duration)).inverse());
        let n_bones = frames.model(0).len();
        let mut places = Vec::with_capacity(n * n_bones);
        let mut velocities = Vec::with_capacity(n * n_bones);
        for i in 0..n {
            let back = way(i).unwrap_or(RootDelta::IDENTITY);
            let (turn, by): (Quat, Vec3) = (back.rotation(), back.translation);
            let (before, after) = (i.saturating_sub(1), (i + 1).min(n - 1));
            let seconds = frames.dt * (after - before) as f32;
            for bone in 0..n_bones {
                let place = |m: &Affine3A| Vec3::from(m.translation);
                places.push(turn * place(&frames.model(i)[bone]) + by);
                let way = frames.place(after, bone) - frames.place(before, bone);
                velocities.push(turn * way / seconds);
            }
        }
        Self {
            n_bones,
            places,
            velocities,
        }
    }

    /// Mean speed of the bones.
    fn motion(&self, i: usize) -> f32 {
        let own = &self.velocities[i * self.n_bones..(i + 1) * self.n_bones];
        own.iter().map(|v| v.length()).sum::<f32>() / self.n_bones as f32
    }

    /// Cost, distance and difference of velocity of two frames.
    fn cost(&self, i: usize, k: usize, velocity_weight: f32) -> (f32, f32, f32) {
        let mean = |of: &[Vec3]| {
            let n = self.n_bones;
            let pairs = of[i * n..(i + 1) * n].iter().zip(&of[k * n..(k + 1) * n]);
            let sum: f32 = pairs.map(|(a, b)| a.distance_squared(*b)).sum();
            (sum / n as f32).sqrt()
        };
        let (distance, velocity) = (mean(&self.places), mean(&self.velocities));
        (distance + velocity * velocity_weight, distance, velocity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::test_rig::{rig, swing};

    #[test]
    fn a_periodic_motion_on_a_curved_way_is_cut_after_whole_periods() {
        // The arm swings every 1.25 s while the body walks a circle.
        let clip = swing(8.0, 1.25, 0.0);
        let found = find_loops(&rig(), &clip, &LoopOptions::default());
        let best = found[0];
        let periods = (best.end - best.start) / 1.25;
        assert!((periods - periods.round()).abs() < 0.03, "{best:?}");
        assert!(best.cost < 0.02, "{best:?}");
        // Half a radian per second, one metre per second.
        let seconds = best.end - best.start;
        assert!((best.lap.yaw - 0.5 * seconds).abs() < 0.02, "{best:?}");
    }

    #[test]
    fn a_better_match_elsewhere_in_the_take_comes_first() {
        // Noise everywhere but in the third period.
        let mut clip = swing(8.0, 1.0, 0.0);
        let arm = clip.bones[1].rotation.as_mut().unwrap();
        for (t, turn) in arm.times.iter().zip(&mut arm.values) {
            if !(2.0..=3.3).contains(t) {
                *turn *= Quat::from_rotation_y(0.8 * (t * t * 1.7).sin());
            }
        }
        let options = LoopOptions {
            longest: 1.2,
            ..LoopOptions::default()
        };
        let best = find_loops(&rig(), &clip, &options)[0];
        assert!((best.end - best.start - 1.0).abs() < 0.04, "{best:?}");
        assert!(best.start > 1.95 && best.end < 3.35, "{best:?}");
    }

    #[test]
    fn standing_still_is_no_loop_and_short_clips_have_none() {
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
