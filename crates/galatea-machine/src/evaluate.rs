//! Evaluation of a machine's state to a pose.

use super::bound::{Layer, Machine, StateMotion};
use super::definition::LayerMode;
use super::state::{LayerState, MachineState};
use galatea_anim::inertia::{PoseChange, extrapolate_back};
use galatea_anim::{ClipPlay, ClipSet, Delta, PlayMode, Pose, add, blend, mirror_pose};

/// Scratch buffers for [`evaluate`]. Their content means nothing between calls.
#[derive(Clone, Debug, Default)]
pub struct MachineScratch {
    plays: Plays,
    layer: Pose,
    reference: Pose,
    earlier: Pose,
    delta: Delta,
}

/// The clips of a layer, those to mirror in a list of their own, and scratch poses for mirroring.
#[derive(Clone, Debug, Default)]
struct Plays {
    straight: Vec<ClipPlay>,
    mirrored: Vec<ClipPlay>,
    other: Pose,
    flipped: Pose,
}

/// Writes the pose of a machine into `out`: blends the states of each layer by their cross-fades, then the layers by
/// weight and mask. Does not advance time; `dt` is the length of the last step.
pub fn evaluate(
    machine: &Machine,
    clips: &ClipSet,
    state: &mut MachineState,
    dt: f64,
    scratch: &mut MachineScratch,
    out: &mut Pose,
) {
    // The rest pose is below all layers. It is written only where no layer hides it.
    let mut written = false;
    for (i, layer) in machine.layers.iter().enumerate() {
        let nearness = state.layers[i].nearness;
        let weight = state.number(layer.weight).clamp(0.0, 1.0) * nearness;
        if weight.is_nan() || weight <= 0.0 {
            continue;
        }
        let covered = gather(layer, clips, state, i, &mut scratch.plays);
        // A state without a clip shows the rest pose; in an upper layer it shows the layers below.
        if i > 0 && covered <= 0.0 {
            continue;
        }
        let layer_state = &mut state.layers[i];
        let hides = layer.mode == LayerMode::Override && layer.mask.is_none() && weight >= 1.0;
        if i == 0 && hides && covered >= 1.0 && layer_state.inertia.is_none() {
            scratch.plays.sample(clips, out);
            written = true;
            continue;
        }
        if !written {
            out.copy_from(clips.rest());
            written = true;
        }
        // In the lowest layer, states without clips contribute the rest pose.
        let resting = if i == 0 { 1.0 - covered } else { 0.0 };
        pose_layer(clips, layer_state, resting, dt, scratch);
        let weight = if i > 0 { weight * covered } else { weight };
        match layer.mode {
            LayerMode::Override => blend(out, &scratch.layer, weight, layer.mask.as_ref()),
            LayerMode::AddFromFirst | LayerMode::AddFromRest => {
                if layer.mode == LayerMode::AddFromRest {
                    scratch.reference.copy_from(clips.rest());
                } else {
                    for play in scratch.plays.all() {
                        play.t = 0.0;
                    }
                    scratch.plays.sample(clips, &mut scratch.reference);
                }
                scratch.delta.subtract(&scratch.layer, &scratch.reference);
                add(out, &scratch.delta, weight, layer.mask.as_ref());
            }
        }
    }
    if !written {
        out.copy_from(clips.rest());
    }
    super::orient::apply(clips, state.leg_rotation, out);
}

/// Lists the clips of a layer with their times and weights. Returns the weight that clips cover; the rest belongs to
/// states without clips.
fn gather(
    layer: &Layer,
    clips: &ClipSet,
    state: &MachineState,
    number: usize,
    plays: &mut Plays,
) -> f32 {
    plays.straight.clear();
    plays.mirrored.clear();
    let mut covered = 1.0;
    for one in &state.layers[number].active {
        let played = &layer.states[one.state];
        if one.weight <= 0.0 {
            continue;
        }
        if played.motion == StateMotion::Rest {
            covered -= one.weight;
        }
        let mirrored = state.number(played.mirror) != 0.0;
        let list = if mirrored {
            &mut plays.mirrored
        } else {
            &mut plays.straight
        };
        for (k, playing) in one.clips.iter().enumerate() {
            let clip = played.clip_of(k, one.item);
            let (Some(clip), true) = (clip, playing.weight > 0.0) else {
                continue;
            };
            list.push(ClipPlay {
                clip,
                in_place: played.root_motion && number == 0,
                t: playing.head.clip_time(clips.duration(clip)),
                weight: one.weight * playing.weight,
                rate: playing.rate,
                wraps: played.mode_of(one.item) == PlayMode::Loop,
            });
        }
    }
    // A sum that rounding leaves slightly above 0 counts as 0.
    if covered > 1e-6 { covered } else { 0.0 }
}

impl Plays {
    fn all(&mut self) -> impl Iterator<Item = &mut ClipPlay> {
        self.straight.iter_mut().chain(&mut self.mirrored)
    }

    /// Rewinds all clips by the time they played in `dt` seconds.
    fn rewind(&mut self, dt: f32) {
        for play in self.all() {
            play.t -= play.rate * dt;
        }
    }

    /// Samples the clips and blends in the mirrored ones.
    fn sample(&mut self, clips: &ClipSet, out: &mut Pose) {
        clips.sample(&self.straight, out);
        if self.mirrored.is_empty() {
            return;
        }
        let total = |plays: &[ClipPlay]| plays.iter().map(|play| play.weight).sum::<f32>();
        let mirrored_fraction =
            total(&self.mirrored) / (total(&self.mirrored) + total(&self.straight));
        clips.sample(&self.mirrored, &mut self.other);
        mirror_pose(clips.mirror(), &self.other, &mut self.flipped);
        blend(out, &self.flipped, mirrored_fraction, None);
    }
}

/// Samples a layer and applies the decaying offset of an inertial transition. `resting` is the weight of the rest
/// pose.
fn pose_layer(
    clips: &ClipSet,
    layer_state: &mut LayerState,
    resting: f32,
    dt: f64,
    scratch: &mut MachineScratch,
) {
    let sample = |plays: &mut Plays, out: &mut Pose| {
        plays.sample(clips, out);
        blend(out, clips.rest(), resting, None);
    };
    let Some(shown) = &mut layer_state.inertia else {
        sample(&mut scratch.plays, &mut scratch.layer);
        return;
    };
    let [now, before, two_before] = &mut shown.poses;
    if let Some(duration) = shown.begin.take()
        && shown.n_steps >= 2
    {
        // The transition happened at the start of the step, when the new clips were one step earlier. Their velocity
        // is that of the step, because they did not play before it.
        scratch.plays.rewind(dt as f32);
        sample(&mut scratch.plays, &mut scratch.reference);
        scratch.plays.rewind(-dt as f32);
        sample(&mut scratch.plays, &mut scratch.layer);
        extrapolate_back(&scratch.reference, &scratch.layer, &mut scratch.earlier);
        shown.inertia.start(&PoseChange {
            before,
            before_that: two_before,
            target: &scratch.reference,
            target_before: Some(&scratch.earlier),
            dt: dt as f32,
            duration,
        });
        shown.age = Some(dt);
    } else {
        sample(&mut scratch.plays, &mut scratch.layer);
    }
    if let Some(age) = shown.age {
        shown.inertia.apply(age as f32, &mut scratch.layer);
    }
    now.copy_from(&scratch.layer);
}
