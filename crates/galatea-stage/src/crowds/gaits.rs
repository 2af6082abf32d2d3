//! Precomputed poses shared by all agents with the same body: standing, walking, running, blends between them, and acted
//! clips, each sampled at fixed moments of the lap. Agents at the same moment share one deformed mesh.

use std::sync::Arc;

use glam::{Affine3A, Vec3};
use serde::{Deserialize, Serialize};

use crate::frame::BakedPoses;
use galatea_anim::{ClipPlay, RootTrack, local_to_model};
use galatea_character::Definition;
use galatea_deform::build_palette;

/// Samples per second of a clip, and maximum number of samples of a clip.
const MOMENTS_PER_SECOND: f32 = 30.0;
const MAX_MOMENTS: usize = 96;
/// Distant agents show every third sample (ten per second), or more of a short lap: about eight per lap if it has them.
const AFAR: usize = 3;
const OF_A_LAP: usize = 8;
/// Number of blended levels from one clip to the next.
const BETWEEN: usize = 5;
/// Default speeds of standing, walking and running for clips without travel and a body 1.7 m high, m/s.
const SPEEDS: [f32; 3] = [0.0, 1.3, 3.2];
const HUMAN_HEIGHT: f32 = 1.7;
/// Difference in speed by which another level must fit better, m/s.
const KEPT: f32 = 0.08;

/// A gait at one speed, or an acted clip.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GaitLevel {
    /// Speed at scale 1, m/s.
    pub speed: f32,
    /// Duration of a lap, seconds.
    pub seconds: f32,
    first: usize,
    n: usize,
    /// The two clips that are blended, with their speeds, and the weight of the second.
    between: [(Option<usize>, f32); 2],
    fraction: f32,
    in_place: bool,
}

impl GaitLevel {
    /// Fraction of the lap at which its last pose is shown.
    pub(super) fn last(&self) -> f32 {
        (self.n - 1) as f32 / self.n as f32
    }

    /// For each pose, the pose that is shown instead at a distance.
    fn stand_ins(&self) -> impl Iterator<Item = u32> + use<> {
        let (first, last) = (self.first, self.n - 1);
        let every = (self.n / OF_A_LAP).clamp(1, AFAR);
        (0..self.n).map(move |k| (first + (k / every * every + every / 2).min(last)) as u32)
    }

    /// The two poses at a fraction (0..1) of the lap, and the weight of the second.
    pub(crate) fn poses(&self, lap: f32) -> ([u32; 2], f32) {
        let at = lap.clamp(0.0, 1.0) * self.n as f32;
        let k = (at as usize).min(self.n - 1);
        let pose = |k: usize| (self.first + k % self.n) as u32;
        ([pose(k), pose(k + 1)], (at - k as f32).min(1.0))
    }
}

/// All poses of a body.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "SavedGaits", into = "SavedGaits")]
pub struct Gaits {
    /// The character definition of the body.
    pub definition: Arc<Definition>,
    /// Path of the definition's file as given by the script.
    pub source: Arc<str>,
    /// Gait levels from standing to the fastest.
    pub levels: Vec<GaitLevel>,
    /// Clips that agents act, in the order of the crowd's clips; `None` if this body has no such clip.
    pub acted_clips: Vec<Option<GaitLevel>>,
    /// Every pose.
    pub poses: Arc<BakedPoses>,
    /// Clips for standing, walking and running.
    pub clips: [Option<usize>; 3],
}

/// A body in a saved game. Its poses are baked again.
#[derive(Serialize, Deserialize)]
struct SavedGaits {
    #[serde(with = "galatea_persist::shared")]
    definition: Arc<Definition>,
    #[serde(with = "galatea_persist::shared")]
    source: Arc<str>,
    clips: [Option<usize>; 3],
    acted_clips: Vec<Option<usize>>,
}

impl From<Gaits> for SavedGaits {
    fn from(gaits: Gaits) -> Self {
        let acted_clips = gaits.acted_clips.iter();
        Self {
            acted_clips: acted_clips
                .map(|level| level.as_ref().and_then(|level| level.between[0].0))
                .collect(),
            definition: gaits.definition,
            source: gaits.source,
            clips: gaits.clips,
        }
    }
}

impl TryFrom<SavedGaits> for Gaits {
    type Error = String;

    fn try_from(saved: SavedGaits) -> Result<Self, String> {
        let n_clips = saved.definition.clips.len();
        let all = saved.clips.iter().chain(&saved.acted_clips);
        if all.flatten().any(|clip| *clip >= n_clips) {
            let name = &saved.definition.model.name;
            return Err(format!("{name} has no longer the clips of a crowd"));
        }
        let mut gaits = Self::new(saved.definition, saved.clips);
        gaits.source = saved.source;
        for clip in saved.acted_clips {
            gaits = gaits.with_clip(clip);
        }
        Ok(gaits)
    }
}

impl Gaits {
    /// Builds the poses of a body from its clips for standing, walking and running; the last two are optional.
    pub fn new(definition: Arc<Definition>, clips: [Option<usize>; 3]) -> Self {
        let [low, high] = definition.rest_box;
        let size = (high.y - low.y).max(1e-3) / HUMAN_HEIGHT;
        let speed_of = |(clip, plain): (Option<usize>, f32)| {
            let own = clip.and_then(|clip| definition.clips.ground_velocity(clip));
            let own = own.map(Vec3::length).filter(|speed| *speed > 0.1);
            own.unwrap_or(plain * size)
        };
        let mut steps: Vec<(Option<usize>, f32)> = vec![(clips[0], 0.0)];
        for moving in clips.into_iter().zip(SPEEDS).skip(1) {
            let speed = speed_of(moving);
            let fastest = steps.last().map_or(0.0, |last| last.1);
            if moving.0.is_some() && speed > fastest {
                steps.push((moving.0, speed));
            }
        }
        let (mut levels, mut palettes) = (Vec::<GaitLevel>::new(), Vec::new());
        let mut add =
            |pair, share| levels.push(level(&definition, pair, (share, true), &mut palettes));
        add([steps[0], steps[0]], 0.0);
        for pair in steps.windows(2) {
            for k in 1..=BETWEEN {
                add([pair[0], pair[1]], k as f32 / BETWEEN as f32);
            }
        }
        let stride = definition.layout.len.max(1);
        let book = BakedPoses {
            model: definition.model.clone(),
            lods: definition.lods().clone(),
            bounds: about_all(&definition, &palettes),
            palettes,
            stand_ins: levels.iter().flat_map(GaitLevel::stand_ins).collect(),
            stride,
            morphs: definition.rest.morphs.clone(),
        };
        Self {
            source: Arc::from(definition.model.name.as_str()),
            definition,
            levels,
            acted_clips: Vec::new(),
            poses: Arc::new(book),
            clips,
        }
    }

    /// A copy with one more clip to act.
    pub fn with_clip(&self, clip: Option<usize>) -> Self {
        let mut acts = self.acted_clips.clone();
        let Some(clip) = clip else {
            acts.push(None);
            return Self {
                acted_clips: acts,
                ..self.clone()
            };
        };
        let mut book = (*self.poses).clone();
        // A clip such as sitting down moves the body a little, and this motion is kept. Clips that travel farther than the
        // radius of the body's bounds are played in place.
        let lap = self.definition.clips.root(clip).map(RootTrack::lap);
        let goes = lap.is_some_and(|lap| lap.translation.length() > book.bounds.1);
        let own = (Some(clip), 0.0);
        let made = level(
            &self.definition,
            [own, own],
            (0.0, goes),
            &mut book.palettes,
        );
        book.stand_ins.extend(made.stand_ins());
        acts.push(Some(made));
        book.bounds = about_all(&self.definition, &book.palettes);
        Self {
            acted_clips: acts,
            poses: Arc::new(book),
            ..self.clone()
        }
    }

    /// The two poses of a level at a fraction (0..1) of the lap, and the weight of the second.
    pub fn poses(&self, level: usize, lap: f32) -> ([u32; 2], f32) {
        self.levels[level.min(self.levels.len() - 1)].poses(lap)
    }

    /// A clip that agents act.
    pub fn clip(&self, act: u16) -> Option<&GaitLevel> {
        self.acted_clips.get(usize::from(act))?.as_ref()
    }

    /// The level nearest to a speed. The level shown is kept until another is clearly nearer.
    pub fn level(&self, speed: f32, shown: usize) -> usize {
        let off = |level: &GaitLevel| (level.speed - speed).abs();
        let nearest = self.levels.iter().enumerate();
        let nearest = nearest.min_by(|a, b| off(a.1).total_cmp(&off(b.1)));
        let (at, nearest) = nearest.map_or((0, 0.0), |(at, level)| (at, off(level)));
        match self.levels.get(shown) {
            Some(level) if off(level) < nearest + KEPT => shown,
            _ => at,
        }
    }
}

/// Adds the poses of a level that blends two clips, the second with weight `share`; in place or with root motion.
fn level(
    definition: &Definition,
    between: [(Option<usize>, f32); 2],
    (share, in_place): (f32, bool),
    palettes: &mut Vec<Affine3A>,
) -> GaitLevel {
    let clips = &definition.clips;
    let [from, to] = between;
    // Standing has no steps, so the lap of the walk is used.
    let seconds = if share == 0.0 {
        duration(definition, from.0)
    } else if from.1 == 0.0 {
        duration(definition, to.0)
    } else {
        let from = duration(definition, from.0);
        from + (duration(definition, to.0) - from) * share
    };
    let n = (seconds * MOMENTS_PER_SECOND).ceil() as usize;
    let n = n.clamp(1, MAX_MOMENTS);
    let level = GaitLevel {
        speed: from.1 + (to.1 - from.1) * share,
        seconds,
        first: palettes.len() / definition.layout.len.max(1),
        n,
        between,
        fraction: share,
        in_place,
    };
    let (mut pose, mut matrices, mut plays) = (definition.rest.clone(), Vec::new(), Vec::new());
    for k in 0..n {
        plays.clear();
        level.play(definition, k as f32 / n as f32, 1.0, &mut plays);
        pose.clone_from(&definition.rest);
        if !plays.is_empty() {
            clips.sample(&plays, &mut pose);
        }
        local_to_model(&definition.model.skeleton, &pose.locals, &mut matrices);
        build_palette(&definition.model, &matrices, palettes);
    }
    level
}

fn duration(definition: &Definition, clip: Option<usize>) -> f32 {
    clip.map_or(1.0, |clip| definition.clips.duration(clip).max(0.1))
}

impl GaitLevel {
    /// Adds the clips of the pose at a fraction (0..1) of the lap. Their weights add up to `weight`.
    pub(super) fn play(
        &self,
        definition: &Definition,
        lap: f32,
        weight: f32,
        out: &mut Vec<ClipPlay>,
    ) {
        let shares = [1.0 - self.fraction, self.fraction];
        for ((clip, speed), share) in self.between.into_iter().zip(shares) {
            let Some(clip) = clip.filter(|_| share > 0.0) else {
                continue;
            };
            let own = duration(definition, Some(clip));
            // In a blend with walking, the standing clip plays only its beginning.
            let t = if speed == 0.0 && self.fraction > 0.0 {
                (lap * self.seconds).min(own)
            } else {
                lap * own
            };
            out.push(ClipPlay {
                clip,
                in_place: self.in_place,
                t,
                weight: share * weight,
                rate: 1.0,
                wraps: true,
            });
        }
    }
}

/// Centre and radius of a sphere around all poses.
fn about_all(definition: &Definition, palettes: &[Affine3A]) -> (Vec3, f32) {
    let poses = palettes.chunks_exact(definition.layout.len.max(1));
    let all: Vec<(Vec3, f32)> = poses.map(|pose| definition.bounds.posed(pose)).collect();
    let (low, high) = all.iter().fold(
        (Vec3::INFINITY, Vec3::NEG_INFINITY),
        |(low, high), (centre, radius)| (low.min(centre - *radius), high.max(centre + *radius)),
    );
    if low.x > high.x {
        return (Vec3::ZERO, 0.0);
    }
    let centre = (low + high) * 0.5;
    let far = all.iter().map(|(c, r)| c.distance(centre) + r);
    (centre, far.fold(0.0, f32::max))
}
