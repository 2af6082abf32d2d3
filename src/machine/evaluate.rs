//! A machine's place → a pose.

use super::bound::{Layer, Machine};
use super::definition::LayerMode;
use super::state::{LayerState, MachineState};
use crate::anim::inertia::{Change, extrapolate_back};
use crate::anim::{ClipPlay, ClipSet, Delta, PlayMode, Pose, add, blend, mirror_pose};

/// Memory for intermediate poses; meaningless between calls.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    plays: Vec<ClipPlay>,
    mirrored: Vec<ClipPlay>,
    layer: Pose,
    other: Pose,
    flipped: Pose,
    reference: Pose,
    earlier: Pose,
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
                    sample(clips, scratch, Into::Reference);
                }
                scratch.delta.subtract(&scratch.layer, &scratch.reference);
                add(out, &scratch.delta, weight, layer.mask.as_ref());
            }
        }
    }
    super::orient::apply(clips, state.turned, out);
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
                rate: playing.rate,
                wraps: played.mode_of(one.item) == PlayMode::Loop,
            });
        }
    }
    covered.min(1.0)
}

/// Where sampled clips go.
#[derive(Clone, Copy, PartialEq)]
enum Into {
    Layer,
    Reference,
}

impl Scratch {
    /// Moves all listed clips back by as much as they played in `dt` seconds.
    fn go_back(&mut self, dt: f32) {
        for play in self.plays.iter_mut().chain(&mut self.mirrored) {
            play.t -= play.rate * dt;
        }
    }
}

/// Samples the listed clips and mixes in those with left and right exchanged.
fn sample(clips: &ClipSet, scratch: &mut Scratch, into: Into) {
    let out = match into {
        Into::Layer => &mut scratch.layer,
        Into::Reference => &mut scratch.reference,
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
    let Some(shown) = &mut place.inertia else {
        sample(clips, scratch, Into::Layer);
        return;
    };
    let [now, before, before_that] = &mut shown.poses;
    if let Some(duration) = shown.begin.take()
        && shown.n_steps >= 2
    {
        // The change was at the step's start: there the new clips were a step earlier. Their speed is
        // that of the step, since before it they were not played.
        scratch.go_back(dt as f32);
        sample(clips, scratch, Into::Reference);
        scratch.go_back(-dt as f32);
        sample(clips, scratch, Into::Layer);
        extrapolate_back(&scratch.reference, &scratch.layer, &mut scratch.earlier);
        shown.inertia.start(&Change {
            before,
            before_that,
            target: &scratch.reference,
            target_before: Some(&scratch.earlier),
            dt: dt as f32,
            duration,
        });
        shown.age = Some(dt);
    } else {
        sample(clips, scratch, Into::Layer);
    }
    if let Some(age) = shown.age {
        shown.inertia.apply(age as f32, &mut scratch.layer);
    }
    now.copy_from(&scratch.layer);
}
