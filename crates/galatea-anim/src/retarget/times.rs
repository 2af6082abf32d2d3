//! Key times of retargeted tracks.

use glam::Quat;

use super::Sampling;
use crate::tools::probe_rate;
use crate::{Clip, Interpolation, Pose, Track, sample};
use galatea_math::Trs;

/// Keys per second on splines.
const SPLINE_RATE: f32 = 60.0;
/// Time before a step at which its old value is repeated, seconds.
const BEFORE_STEP: f32 = 1e-4;

/// Maximum number of keys of a uniformly sampled track.
const MAX_KEYS: f32 = 1e6;

/// Maximum deviation of an interpolated rotation between keys, radians.
const MAX_STRAY: f32 = 5e-4;

/// Bones that a clip rotates and translates.
#[derive(Debug)]
pub struct AnimatedBones {
    rotated: Vec<bool>,
    translated: Vec<bool>,
}

impl AnimatedBones {
    pub fn new(clip: &Clip, n_bones: usize) -> Self {
        let mut moved = Self {
            rotated: vec![false; n_bones],
            translated: vec![false; n_bones],
        };
        for tracks in &clip.bones {
            let i = usize::from(tracks.bone);
            if i < n_bones {
                moved.rotated[i] |= tracks.rotation.is_some();
                moved.translated[i] |= tracks.translation.is_some();
            }
        }
        moved
    }

    pub fn any_rotated(&self, bones: &[u16]) -> bool {
        bones.iter().any(|bone| self.rotated[usize::from(*bone)])
    }

    pub fn any_translated(&self, bones: &[u16]) -> bool {
        bones.iter().any(|bone| self.translated[usize::from(*bone)])
    }
}

/// Ascending key times of a track, and the interpolation between them.
#[derive(Debug)]
pub struct KeyTimes {
    pub times: Vec<f32>,
    pub interpolation: Interpolation,
}

/// Key times of a joint: those of every bone in `involved` (ascending). Keys of translations and scales count only if
/// the joint `travels`.
pub fn keys(clip: &Clip, involved: &[u16], travels: bool, sampling: Sampling) -> KeyTimes {
    let mut collected = Collected::default();
    for tracks in &clip.bones {
        if involved.binary_search(&tracks.bone).is_err() {
            continue;
        }
        if let Some(track) = &tracks.rotation {
            collected.add(track);
        }
        if travels {
            tracks
                .translation
                .iter()
                .for_each(|track| collected.add(track));
            tracks.scale.iter().for_each(|track| collected.add(track));
        }
    }
    let only_steps = collected.steps && !collected.lines;
    let mut times = collected.times;
    match sampling {
        Sampling::Uniform(rate) if !only_steps && !times.is_empty() => {
            times.clear();
            uniform(0.0, clip.duration, rate, &mut times);
        }
        _ => {
            if !only_steps {
                times.extend(collected.before_steps);
            }
            for (from, to, n) in collected.splines {
                let rate = probe_rate(SPLINE_RATE, to - from, n);
                uniform(from, to, rate, &mut times);
            }
        }
    }
    if times.is_empty() {
        times.push(0.0);
    }
    sort(&mut times);
    if sampling == Sampling::Keys && !only_steps {
        refine(clip, involved, &mut times);
    }
    KeyTimes {
        times,
        interpolation: if only_steps {
            Interpolation::Step
        } else {
            Interpolation::Linear
        },
    }
}

/// Adds times between keys where several bones rotate at once. The product of their rotations is not linear; the
/// deviation is about an eighth of the product of their angles.
fn refine(clip: &Clip, involved: &[u16], times: &mut Vec<f32>) {
    let turning = clip
        .bones
        .iter()
        .filter(|tracks| tracks.rotation.is_some() && involved.binary_search(&tracks.bone).is_ok());
    let only = Clip {
        bones: turning.cloned().collect(),
        ..Clip::default()
    };
    if only.bones.len() < 2 {
        return;
    }
    let n = only
        .bones
        .last()
        .map_or(0, |tracks| usize::from(tracks.bone) + 1);
    let mut pose = Pose {
        locals: vec![Trs::IDENTITY; n],
        ..Pose::default()
    };
    let rotations = |t: f32, pose: &mut Pose| -> Vec<Quat> {
        sample(&only, t, &[], pose);
        let bones = only.bones.iter().map(|tracks| usize::from(tracks.bone));
        bones.map(|bone| pose.locals[bone].rotation).collect()
    };
    let mut added = Vec::new();
    for pair in times.windows(2) {
        let &[from, to] = pair else { continue };
        let (a, b) = (rotations(from, &mut pose), rotations(to, &mut pose));
        let turns = a.iter().zip(&b).map(|(a, b)| a.angle_between(*b));
        let (sum, squares) = turns.fold((0.0, 0.0), |(sum, squares), angle| {
            (sum + angle, squares + angle * angle)
        });
        // Sum of the products over all pairs.
        let stray = (sum * sum - squares) * 0.5 / 8.0;
        let parts = (stray / MAX_STRAY).sqrt().ceil().clamp(1.0, 16.0) as usize;
        added.extend((1..parts).map(|i| from + (to - from) * i as f32 / parts as f32));
    }
    times.extend(added);
    sort(times);
}

/// Sorts the times and removes duplicates.
pub fn sort(times: &mut Vec<f32>) {
    times.sort_by(f32::total_cmp);
    times.dedup();
}

#[derive(Default)]
struct Collected {
    times: Vec<f32>,
    before_steps: Vec<f32>,
    /// Start, end and number of keys.
    splines: Vec<(f32, f32, usize)>,
    steps: bool,
    lines: bool,
}

impl Collected {
    fn add<T>(&mut self, track: &Track<T>) {
        self.times.extend(&track.times);
        match track.interpolation {
            Interpolation::Step => {
                self.steps = true;
                for pair in track.times.windows(2) {
                    if let [from, to] = pair {
                        self.before_steps.push((to - BEFORE_STEP).max(*from));
                    }
                }
            }
            Interpolation::Linear => self.lines = true,
            Interpolation::CubicSpline => {
                self.lines = true;
                let ends = track.times.first().zip(track.times.last());
                let n = track.times.len();
                self.splines.extend(ends.map(|(from, to)| (*from, *to, n)));
            }
        }
    }
}

/// Adds uniform times from `from` to `to`, `rate` per second.
pub fn uniform(from: f32, to: f32, rate: f32, out: &mut Vec<f32>) {
    let rate = if rate.is_finite() && rate > 0.0 {
        rate.min(1000.0)
    } else {
        SPLINE_RATE
    };
    // Two keys years apart must not fill the memory.
    let rate = rate.min(MAX_KEYS / (to - from).max(f32::MIN_POSITIVE));
    let n = ((to - from) * rate).ceil().max(0.0) as usize;
    let all = (0..n).map(|i| from + i as f32 / rate);
    out.extend(all.filter(|t| *t < to));
    out.push(to);
}
