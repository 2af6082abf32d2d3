//! Poses: sampling, blending and conversion to matrices at every SIMD level, and errors against the keys.

use std::sync::Arc;

use glam::{Affine3A, DAffine3, Mat3, Vec3};

use super::person::{Random, clip, skeleton};
use super::{BenchFigure, Benchmark, measure};
use galatea_anim::{
    Clip, ClipAt, Frames, Pose, Skeleton, blend, blend_at, local_to_model, local_to_model_at,
    reference, sample, sample_blend, sample_blend_at,
};
use galatea_character::Definition;
use galatea_forge::mannequin::mannequin;
use galatea_math::simd::Level;

pub(super) const ALL: &[(&str, Benchmark)] = &[
    ("sample_keys", bench_keys),
    ("pose", bench_pose),
    ("pose_own", bench_own),
];

/// Characters posed per round, each with its own matrices.
const CHARACTERS: usize = 1000;
/// Number of clips for random times: more than fit into the nearest caches.
const CLIPS: u64 = 64;
/// Distance from a bone at which errors are measured, metres.
const REACH: f64 = 0.03;

/// Reads the authored keys with binary search.
fn bench_keys(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let model = &definition.model;
    let clips = walk_and_run();
    let [a_clip, b_clip] = &clips[..] else {
        return Vec::new();
    };
    let (mut a, mut b) = (definition.rest.clone(), Pose::default());
    let mut matrices = Vec::new();
    vec![measure(
        "sample_keys",
        "two authored clips sampled from keys, blended, converted from local to model space; built-in character",
        "ns per bone",
        CHARACTERS * model.skeleton.len(),
        || {
            for i in 0..CHARACTERS {
                let t = i as f32 * 0.001;
                sample(a_clip, t, &definition.morph_start, &mut a);
                b.copy_from(&definition.rest);
                sample(b_clip, t * 0.7, &definition.morph_start, &mut b);
                blend(&mut a, &b, 0.4, None);
                local_to_model(&model.skeleton, &a.locals, &mut matrices);
            }
            std::hint::black_box(&matrices);
        },
    )]
}

/// The built-in character's clips as authored.
fn walk_and_run() -> Vec<Arc<Clip>> {
    let model = mannequin();
    let found = ["walk", "run"].iter().filter_map(|name| model.clip(name));
    found.map(|i| model.clips[i].clone()).collect()
}

/// Reads the clips from frames.
fn bench_own(definition: &Arc<Definition>) -> Vec<BenchFigure> {
    let skeleton = &definition.model.skeleton;
    let frames: Vec<Frames> = walk_and_run()
        .iter()
        .map(|clip| Frames::of_clip(clip, skeleton, &definition.rest, &definition.morph_start))
        .collect();
    let [a, b] = &frames[..] else {
        return Vec::new();
    };
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    let what = "two clips sampled from frames, blended, converted from local to model space; built-in character";
    vec![measure(
        "pose_own",
        what,
        "ns per bone",
        CHARACTERS * skeleton.len(),
        || {
            for i in 0..CHARACTERS {
                let t = i as f32 * 0.001;
                let plays = [play(a, t, 0.6), play(b, t * 0.7, 0.4)];
                sample_blend(&plays, &definition.rest, &mut pose);
                local_to_model(skeleton, &pose.locals, &mut matrices);
            }
            std::hint::black_box(&matrices);
        },
    )]
}

fn play(frames: &Frames, t: f32, weight: f32) -> ClipAt<'_> {
    ClipAt { frames, t, weight }
}

/// A thousand people of 67 bones.
struct Crowd {
    skeleton: Skeleton,
    rest: Pose,
    clips: Vec<Clip>,
    frames: Vec<Frames>,
    /// Two clips and their times for every character.
    drawn: Vec<[(usize, f32); 2]>,
    matrices: Vec<Vec<Affine3A>>,
}

impl Crowd {
    fn new() -> anyhow::Result<Self> {
        let skeleton = skeleton()?;
        let rest = Pose {
            locals: skeleton.rest().collect(),
            ..Pose::default()
        };
        let clips: Vec<Clip> = (0..CLIPS).map(|seed| clip(&skeleton, seed)).collect();
        let frames: Vec<Frames> = clips
            .iter()
            .map(|clip| Frames::of_clip(clip, &skeleton, &rest, &[]))
            .collect();
        let mut random = Random(5);
        let mut draw = || {
            let which = (random.share() * CLIPS as f32) as usize;
            (which, random.share() * clips[which].duration)
        };
        let drawn = (0..CHARACTERS).map(|_| [draw(), draw()]).collect();
        Ok(Self {
            skeleton,
            rest,
            clips,
            frames,
            drawn,
            matrices: vec![Vec::new(); CHARACTERS],
        })
    }

    /// The same two clips for all, at ascending times.
    fn ordered(&self, i: usize, tick: usize) -> [ClipAt<'_>; 2] {
        let [a, b] = [&self.frames[0], &self.frames[1]];
        let t = self.drawn[i][0].1 + tick as f32 / 60.0;
        let at = |frames: &Frames| t % frames.grid().duration;
        [play(a, at(a), 0.4), play(b, at(b), 0.6)]
    }

    /// Random clips at random times.
    fn random(&self, i: usize) -> [ClipAt<'_>; 2] {
        let [(a, t), (b, u)] = self.drawn[i];
        [play(&self.frames[a], t, 0.4), play(&self.frames[b], u, 0.6)]
    }
}

fn bench_pose(_: &Arc<Definition>) -> Vec<BenchFigure> {
    let Ok(mut crowd) = Crowd::new() else {
        return Vec::new();
    };
    let mut rows = vec![
        whole(&mut crowd, Level::current(), "pose", false),
        whole(&mut crowd, Level::current(), "pose_random", true),
    ];
    rows.extend(stages(&mut crowd));
    for level in Level::ALL {
        if level <= Level::best() {
            let name = level.name();
            rows.push(whole(&mut crowd, level, &format!("pose_{name}"), false));
            let random = format!("pose_random_{name}");
            rows.push(whole(&mut crowd, level, &random, true));
        }
    }
    rows.extend(errors(&mut crowd));
    rows.extend(memory(&crowd));
    rows
}

fn whole(crowd: &mut Crowd, level: Level, name: &str, random: bool) -> BenchFigure {
    let bones = crowd.skeleton.len();
    let what = format!(
        "two clips sampled, blended, converted from local to model space; {CHARACTERS} characters of {bones} bones, {}, {}",
        if random {
            "random times on 64 clips"
        } else {
            "times in order"
        },
        level.name()
    );
    let mut all = std::mem::take(&mut crowd.matrices);
    let (mut pose, mut tick) = (Pose::default(), 0);
    let figure = measure(name, &what, "ns per bone", CHARACTERS * bones, || {
        tick += 1;
        for (i, matrices) in all.iter_mut().enumerate() {
            let plays = if random {
                crowd.random(i)
            } else {
                crowd.ordered(i, tick)
            };
            sample_blend_at(level, &plays, &crowd.rest, &mut pose);
            local_to_model_at(level, &crowd.skeleton, &pose.locals, matrices);
        }
        std::hint::black_box(&all);
    });
    crowd.matrices = all;
    figure
}

fn stages(crowd: &mut Crowd) -> Vec<BenchFigure> {
    let level = Level::current();
    let units = CHARACTERS * crowd.skeleton.len();
    let mut all = std::mem::take(&mut crowd.matrices);
    let mut pose = Pose::default();
    let mut figure = |name: &str, what: &str, work: &mut dyn FnMut(usize, &mut Pose)| {
        measure(name, what, "ns per bone", units, || {
            for i in 0..CHARACTERS {
                work(i, &mut pose);
            }
            std::hint::black_box(&pose);
        })
    };
    let crowd_ref = &*crowd;
    let rest = &crowd_ref.rest;
    let rows = vec![
        figure("pose_sample", "one clip sampled", &mut |i, pose| {
            sample_blend_at(level, &crowd_ref.ordered(i, 0)[..1], rest, pose);
        }),
        figure(
            "pose_sample_blend",
            "two clips sampled and blended",
            &mut |i, pose| sample_blend_at(level, &crowd_ref.ordered(i, 0), rest, pose),
        ),
        figure(
            "pose_layer",
            "one pose blended over another",
            &mut |_, pose| blend_at(level, pose, rest, 0.01, None),
        ),
        figure(
            "pose_local_to_model",
            "conversion from local to model space",
            &mut |i, pose| {
                local_to_model_at(level, &crowd_ref.skeleton, &pose.locals, &mut all[i]);
            },
        ),
    ];
    crowd.matrices = all;
    rows
}

/// Errors of random poses at the current SIMD level against the keys in double precision.
fn errors(crowd: &mut Crowd) -> Vec<BenchFigure> {
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    let mut errors = Vec::new();
    for i in 0..CHARACTERS / 5 {
        sample_blend(&crowd.random(i), &crowd.rest, &mut pose);
        local_to_model(&crowd.skeleton, &pose.locals, &mut matrices);
        let [(a, t), (b, u)] = crowd.drawn[i];
        let plays = [
            (&crowd.clips[a], f64::from(t), 0.4),
            (&crowd.clips[b], f64::from(u), 0.6),
        ];
        let exact = reference::model_from_bone(&crowd.skeleton, &plays);
        errors.extend(exact.iter().zip(&matrices).map(|(exact, ours)| {
            let basis = Mat3::from(ours.matrix3).as_dmat3();
            let moved = Vec3::from(ours.translation).as_dvec3();
            let ours = DAffine3::from_mat3_translation(basis, moved);
            reference::distance(exact, &ours, REACH) * 100.0
        }));
    }
    errors.sort_by(f64::total_cmp);
    let at = |share: f64| errors[((errors.len() - 1) as f64 * share) as usize];
    let what =
        "error 3 cm from the bone in model space, compared with the keys in double precision";
    vec![
        BenchFigure::plain("pose_error_p99", what, at(0.99), "cm"),
        BenchFigure::plain("pose_error_worst", what, at(1.0), "cm"),
    ]
}

fn memory(crowd: &Crowd) -> Vec<BenchFigure> {
    let bytes: usize = crowd.frames.iter().map(Frames::bytes).sum();
    let seconds: f32 = crowd.frames.iter().map(|f| f.grid().duration).sum();
    let bone_seconds = f64::from(seconds) * crowd.skeleton.len() as f64;
    vec![
        BenchFigure::plain(
            "pose_frames",
            "memory of the frames of 64 clips",
            bytes as f64 / 1024.0,
            "KiB",
        ),
        BenchFigure::plain(
            "pose_frames_rate",
            "memory of frames per bone and second",
            bytes as f64 / bone_seconds,
            "bytes per bone and second",
        ),
    ]
}
