//! A machine's place → a pose.

use super::bound::{Layer, Machine};
use super::definition::LayerMode;
use super::state::{LayerState, MachineState};
use crate::anim::{ClipPlay, ClipSet, Delta, Pose, add, blend, mirror_pose, subtract};

/// Memory for intermediate poses; meaningless between calls.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    plays: Vec<ClipPlay>,
    mirrored: Vec<ClipPlay>,
    layer: Pose,
    other: Pose,
    flipped: Pose,
    reference: Pose,
    delta: Delta,
}

/// Writes the pose of a machine into `out`: each layer's states blended by their cross-fades, the
/// layers laid over one another, or added, by weight and mask. Does not move time; `dt` is the length
/// of the step that led here.
pub fn evaluate(
    machine: &Machine,
    clips: &ClipSet,
    state: &mut MachineState,
    dt: f64,
    scratch: &mut Scratch,
    out: &mut Pose,
) {
    out.copy_from(clips.rest());
    for (i, layer) in machine.layers.iter().enumerate() {
        let nearness = state.layers[i].nearness;
        let weight = state.number(layer.weight).clamp(0.0, 1.0) * nearness;
        if weight <= 0.0 {
            continue;
        }
        let covered = gather(layer, clips, state, i, scratch);
        // A state without a clip shows the rest pose, or in a layer above, what lies below.
        if i > 0 && covered <= 0.0 {
            continue;
        }
        pose_layer(clips, &mut state.layers[i], dt, scratch);
        let weight = if i > 0 { weight * covered } else { weight };
        match layer.mode {
            LayerMode::Override => blend(out, &scratch.layer, weight, layer.mask.as_ref()),
            LayerMode::AddFromFirst | LayerMode::AddFromRest => {
                if layer.mode == LayerMode::AddFromRest {
                    scratch.reference.copy_from(clips.rest());
                } else {
                    for play in scratch.plays.iter_mut().chain(&mut scratch.mirrored) {
                        play.t = 0.0;
                    }
                    sample(clips, scratch, true);
                }
                subtract(&scratch.layer, &scratch.reference, &mut scratch.delta);
                add(out, &scratch.delta, weight, layer.mask.as_ref());
            }
        }
    }
}

/// Lists the clips of a layer with their times and weights; returns how much of the layer they cover,
/// the rest being states without clips.
fn gather(
    layer: &Layer,
    clips: &ClipSet,
    state: &MachineState,
    number: usize,
    scratch: &mut Scratch,
) -> f32 {
    scratch.plays.clear();
    scratch.mirrored.clear();
    let mut covered = 0.0;
    for one in &state.layers[number].active {
        let played = &layer.states[one.state];
        if one.shown <= 0.0 {
            continue;
        }
        let mirrored = state.number(played.mirror) != 0.0;
        let list = if mirrored {
            &mut scratch.mirrored
        } else {
            &mut scratch.plays
        };
        for (k, playing) in one.clips.iter().enumerate() {
            let clip = played.clip_of(k, one.item);
            let (Some(clip), true) = (clip, playing.weight > 0.0) else {
                continue;
            };
            covered += one.shown * playing.weight;
            list.push(ClipPlay {
                clip,
                in_place: played.root_motion && number == 0,
                t: playing.head.clip_time(clips.duration(clip)),
                weight: one.shown * playing.weight,
            });
        }
    }
    covered.min(1.0)
}

/// Samples the listed clips into the layer's pose, or into the reference.
fn sample(clips: &ClipSet, scratch: &mut Scratch, reference: bool) {
    let out = if reference {
        &mut scratch.reference
    } else {
        &mut scratch.layer
    };
    clips.sample(&scratch.plays, out);
    if scratch.mirrored.is_empty() {
        return;
    }
    let total = |plays: &[ClipPlay]| plays.iter().map(|play| play.weight).sum::<f32>();
    let share = total(&scratch.mirrored) / (total(&scratch.mirrored) + total(&scratch.plays));
    clips.sample(&scratch.mirrored, &mut scratch.other);
    mirror_pose(clips.mirror(), &scratch.other, &mut scratch.flipped);
    blend(out, &scratch.flipped, share, None);
}

/// Samples a layer, and lets what an inertial transition left of the poses before die away.
fn pose_layer(clips: &ClipSet, place: &mut LayerState, dt: f64, scratch: &mut Scratch) {
    sample(clips, scratch, false);
    let Some(shown) = &mut place.inertia else {
        return;
    };
    let [now, before, before_that] = &mut shown.poses;
    if let Some(seconds) = shown.begin.take()
        && shown.n_steps >= 2
    {
        // Taken at the step's start, seen at its end.
        shown
            .inertia
            .start(before, before_that, &scratch.layer, dt as f32, seconds);
        shown.age = Some(0.0);
    }
    if let Some(age) = shown.age {
        shown.inertia.apply(age as f32, &mut scratch.layer);
    }
    now.copy_from(&scratch.layer);
}
