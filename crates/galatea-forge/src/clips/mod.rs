//! The mannequin's clips, generated from gait rules and a few curves, with inverse kinematics for the legs.
//!
//! Invariants: 60 keys per second for the run, 30 for the others. A looping clip's last key equals its first. Clips are in
//! place: the ground moves backwards at the speed given with each gait.

pub mod crouch;

pub mod flinch;
pub mod gait;
pub mod idle;
pub mod jump;
pub mod run;
pub mod stance;
#[cfg(test)]
mod tests;
pub mod walk;
pub mod wave;

use super::motion::curve;
use glam::{Quat, Vec3};

use galatea_anim::{BoneTracks, Clip, Interpolation, Marker, MarkerValue, Skeleton, Track};
use stance::{Stance, StancePose, solve};

/// Keys per second.
const RATE: f32 = 30.0;
/// Keys per second of the run; at 30 keys per second its feet would move 14 cm between keys.
const RUN_RATE: f32 = 60.0;

/// `idle`, `walk`, `run`, `jump`, `wave`, `crouch_down`, `crouch`, `crouch_up` and `flinch`.
pub fn all(skeleton: &Skeleton) -> Vec<Clip> {
    let step = |t: f32, foot: &str| marker(t, "step", &[("foot", foot)]);
    let (walk, run) = (walk::WALK.period, run::RUN.period);
    vec![
        bake(
            skeleton,
            "idle",
            idle::PERIOD,
            |t| idle::at(t / idle::PERIOD),
            vec![],
        ),
        bake(
            skeleton,
            "walk",
            walk,
            |t| walk::at(t / walk),
            vec![step(0.0, "left"), step(0.5 * walk, "right")],
        ),
        bake(
            skeleton,
            "run",
            run,
            |t| run::at(t / run),
            vec![step(0.0, "left"), step(0.5 * run, "right")],
        ),
        bake(
            skeleton,
            "jump",
            jump::DURATION,
            jump::at,
            vec![
                marker(jump::TAKE_OFF, "takeoff", &[]),
                marker(jump::LAND, "land", &[]),
            ],
        ),
        bake(skeleton, "wave", wave::DURATION, wave::at, vec![]),
        bake(skeleton, "crouch_down", crouch::DOWN, crouch::down, vec![]),
        bake(
            skeleton,
            "crouch",
            crouch::STAY,
            |t| crouch::stay(t / crouch::STAY),
            vec![],
        ),
        bake(skeleton, "crouch_up", crouch::UP, crouch::up, vec![]),
        bake(skeleton, "flinch", flinch::DURATION, flinch::at, vec![]),
    ]
}

fn marker(t: f32, event: &str, fields: &[(&str, &str)]) -> Marker {
    Marker {
        time: t,
        duration: 0.0,
        event: event.into(),
        fields: fields
            .iter()
            .map(|(name, text)| ((*name).into(), MarkerValue::Text((*text).into())))
            .collect(),
    }
}

/// Samples a motion into a clip. Bones that always keep their rest rotation get no track.
fn bake(
    skeleton: &Skeleton,
    name: &str,
    duration: f32,
    motion: impl Fn(f32) -> Stance,
    marks: Vec<Marker>,
) -> Clip {
    let rate = if name == "run" { RUN_RATE } else { RATE };
    let n = (duration * rate).round() as usize;
    let times: Vec<f32> = (0..=n).map(|i| duration * i as f32 / n as f32).collect();
    let mut poses: Vec<StancePose> = times.iter().map(|t| solve(skeleton, &motion(*t))).collect();
    // Keep neighbouring keys in the same hemisphere of quaternions.
    for i in 1..poses.len() {
        for b in 0..skeleton.len() {
            let before = poses[i - 1].rotations[b];
            let q = &mut poses[i].rotations[b];
            if before.dot(*q) < 0.0 {
                *q = -*q;
            }
        }
    }
    let hips = usize::from(skeleton.find("hips").expect("the rig has hips"));
    let bones = (0..skeleton.len())
        .filter_map(|b| {
            let turns = poses.iter().any(|p| p.rotations[b] != Quat::IDENTITY);
            let track = BoneTracks {
                bone: b as u16,
                translation: (b == hips)
                    .then(|| keys(&times, poses.iter().map(|p| p.hips).collect::<Vec<Vec3>>())),
                rotation: turns
                    .then(|| keys(&times, poses.iter().map(|p| p.rotations[b]).collect())),
                scale: None,
            };
            (turns || b == hips).then_some(track)
        })
        .collect();
    Clip {
        name: name.into(),
        duration,
        bones,
        morphs: Vec::new(),
        curves: Vec::new(),
        markers: marks,
    }
}

fn keys<T>(times: &[f32], values: Vec<T>) -> Track<T> {
    Track {
        times: times.to_vec(),
        values,
        interpolation: Interpolation::Linear,
    }
}
