//! Speech and faces: speed of recognition relative to real time, and cost of a speaking face.

use std::sync::Arc;

use super::stopwatch::Stopwatch;
use super::{BenchFigure, Benchmark, ROUNDS, measure};
use galatea_anim::{Bone, Skeleton, local_to_model};
use galatea_character::Definition;
use galatea_face::{ARKIT, Face, FaceRig, FaceSource, Mix};
use galatea_math::Trs;
use galatea_rig::Posed;
use galatea_speech::acoustic::features::RATE;
use galatea_speech::acoustic::live::{Live, LiveOptions};
use galatea_speech::acoustic::{aligned, likelihoods, network, recognised};
use galatea_speech::mouth::{Mouth, MouthOptions};
use galatea_speech::text::{spoken, timing};
use galatea_speech::viseme::VISEMES;

pub(super) const ALL: &[(&str, Benchmark)] = &[("speech", speech), ("face", face)];

const TEXT: &str = "The birch canoe slid on the smooth planks. Glue the sheet to the dark blue background. It is easy to \
    tell the depth of a well. These days a chicken leg is a rare dish.";

/// A sound with changing formants: not real speech, but the same amount of work.
fn sung(seconds: f32) -> Vec<f32> {
    let mut phases = [0.0_f32; 24];
    let n = (seconds * RATE as f32) as usize;
    (0..n)
        .map(|i| {
            let t = i as f32 / RATE as f32;
            let pitch = 120.0 + 15.0 * (2.1 * t).sin();
            let open = 500.0 + 250.0 * (9.0 * t).sin();
            let front = 1500.0 + 700.0 * (5.0 * t).sin();
            let mut sum = 0.0;
            for (k, phase) in phases.iter_mut().enumerate() {
                let hz = pitch * (k + 1) as f32;
                *phase = (*phase + hz / RATE as f32).fract();
                let near = |formant: f32| (-((hz - formant) / 180.0).powi(2)).exp();
                sum += (near(open) + 0.6 * near(front) + 0.02)
                    * (std::f32::consts::TAU * *phase).sin();
            }
            0.2 * sum * (0.6 + 0.4 * (22.0 * t).sin())
        })
        .collect()
}

/// Seconds of sound processed per second.
fn times_real(name: &str, what: &str, seconds: f32, mut work: impl FnMut()) -> BenchFigure {
    work();
    let mut rounds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Stopwatch::start();
            work();
            f64::from(seconds) / start.elapsed().as_secs_f64()
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    BenchFigure {
        fastest: rounds.last().copied(),
        slowest: rounds.first().copied(),
        ..BenchFigure::plain(name, what, rounds[ROUNDS / 2], "x real time")
    }
}

fn speech(_: &Arc<Definition>) -> Vec<BenchFigure> {
    let words = spoken(TEXT);
    let estimated = timing::estimated(&words, 1.0, &[]);
    let seconds = estimated.duration;
    let sound = sung(seconds);
    let likely = likelihoods(&sound, 1, RATE);
    let mut figures = vec![
        times_real(
            "lipsync_sound",
            "a recording alone: features, network, search; one core",
            seconds,
            || {
                let likely = likelihoods(&sound, 1, RATE);
                std::hint::black_box(recognised(&likely, seconds));
            },
        ),
        times_real(
            "lipsync_text",
            "a recording and its text: features, network, alignment; one core",
            seconds,
            || {
                let likely = likelihoods(&sound, 1, RATE);
                std::hint::black_box(aligned(&likely, &words, seconds));
            },
        ),
        times_real("lipsync_align", "the alignment alone", seconds, || {
            std::hint::black_box(aligned(&likely, &words, seconds));
        }),
        times_real(
            "lipsync_live",
            "live, in blocks of 10 ms; one core",
            seconds,
            || {
                let mut live = Live::new(LiveOptions::MICROPHONE);
                let mut found = Vec::new();
                for block in sound.chunks(160) {
                    live.hear(network(), block, 1, RATE, &mut found);
                }
                std::hint::black_box(found.len());
            },
        ),
    ];
    let latency = Live::new(LiveOptions::MICROPHONE).latency();
    figures.push(BenchFigure::plain(
        "live_latency",
        "delay from a sound to its mouth shape, without the length of the input blocks",
        f64::from(1000.0 * latency),
        "ms",
    ));
    let mouth = Mouth::new(&estimated.cues, &MouthOptions::default());
    let mut t = 0.0;
    figures.push(measure(
        "mouth",
        "weights of all visemes at one time of a line",
        "ns",
        1000,
        || {
            for _ in 0..1000 {
                t = (t + 0.016_67) % seconds;
                std::hint::black_box(mouth.sample(t));
            }
        },
    ));
    figures
}

/// A speaking face of 52 shapes and 15 visemes, with a mood, a short expression and a blink.
fn face(_: &Arc<Definition>) -> Vec<BenchFigure> {
    let visemes: Vec<String> = VISEMES
        .iter()
        .map(|viseme| format!("viseme_{}", viseme.name()))
        .collect();
    let mut morphs: Vec<&str> = ARKIT.to_vec();
    let n_arkit = morphs.len();
    let mut rows = Vec::new();
    let head = Bone {
        name: "head".into(),
        parent: None,
        rest: Trs::default(),
        skinned: false,
    };
    let Ok(skeleton) = Skeleton::new(vec![head]) else {
        return rows;
    };
    let mut locals: Vec<Trs> = skeleton.rest().collect();
    let mut matrices = Vec::new();
    local_to_model(&skeleton, &locals, &mut matrices);
    for (name, what) in [
        (
            "face_52",
            "a speaking face with ARKit's 52 shapes, a mood and a temporary expression",
        ),
        ("face_67", "the same with Oculus's 15 visemes in addition"),
        ("face_67_book", "the same with four animation channels"),
    ] {
        if name != "face_52" && morphs.len() == n_arkit {
            morphs.extend(visemes.iter().map(String::as_str));
        }
        let rest = vec![0.0; morphs.len()];
        let rig = FaceRig::new(&FaceSource {
            morphs: morphs.clone(),
            rest: &rest,
            ..FaceSource::default()
        });
        let mut own = Face::new(3);
        if name == "face_67_book" {
            own.options = galatea_face::FaceSettings::CLASSIC;
        }
        own.set_mood(Mix::new(vec![("happiness".into(), 1.0)], &rig), 0.6, 0.1);
        let lasting = galatea_face::Envelope {
            fade_in: 0.1,
            hold_time: None,
            fade_out: 0.1,
        };
        let passing = Mix::new(vec![("surprise".into(), 1.0)], &rig);
        own.show(passing, galatea_face::FaceOwner::Speech, 0.5, lasting);
        let (mut weights, mut materials) = (rest.clone(), Vec::new());
        let mut t = 0.0_f32;
        rows.push(measure(name, what, "ns per face and tick", 500, || {
            for _ in 0..500 {
                t += 0.016_67;
                let (a, b) = ((t * 6.0) as usize % VISEMES.len(), (t * 6.0).fract());
                own.visemes = [0.0; VISEMES.len()];
                own.visemes[a] = 1.0 - b;
                own.visemes[(a + 1) % VISEMES.len()] = b;
                (own.speaking, own.lids) = (1.0, 0.5 + 0.5 * (t * 3.0).sin());
                own.advance(1.0 / 60.0);
                weights.clone_from(&rest);
                let mut posed = Posed::new(&skeleton, &mut locals, &matrices);
                own.apply(&rig, &mut weights, &mut posed, &mut materials, 1.0);
            }
            std::hint::black_box(&weights);
        }));
    }
    rows
}
