//! A machine's place → a pose.

use super::advance::{neighbours, single_clip};
use super::bind::{Machine, Motion, State};
use super::state::{Active, MachineState};
use crate::anim::{PlayMode, Pose, blend, sample};
use crate::asset::Model;

/// Memory for intermediate poses; meaningless between calls.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    state: Pose,
    point: Pose,
    layer: Pose,
}

/// Writes the pose of a machine into `out`: each layer's states blended by their cross-fades, the
/// layers laid over one another by weight and mask.
pub fn evaluate(
    machine: &Machine,
    model: &Model,
    state: &MachineState,
    rest: &Pose,
    morph_start: &[usize],
    scratch: &mut Scratch,
    out: &mut Pose,
) {
    let Scratch {
        state: state_pose,
        point,
        layer: layer_pose,
    } = scratch;
    out.copy_from(rest);
    for (i, (layer, place)) in machine.layers.iter().zip(&state.layers).enumerate() {
        let weight = state.number(layer.weight).clamp(0.0, 1.0);
        if weight == 0.0 {
            continue;
        }
        for (k, active) in place.active.iter().enumerate() {
            let played = &layer.states[active.state];
            // A state without a clip shows the rest pose, or in a layer above, what lies below.
            let shows_below = i > 0 && matches!(played.motion, Motion::Rest);
            state_pose.copy_from(if shows_below { out } else { rest });
            sample_state(
                played,
                active,
                model,
                state,
                morph_start,
                rest,
                point,
                state_pose,
            );
            if k == 0 {
                layer_pose.copy_from(state_pose);
            } else {
                blend(layer_pose, state_pose, active.weight(), None);
            }
        }
        blend(out, layer_pose, weight, layer.mask.as_ref());
    }
}

#[allow(clippy::too_many_arguments)]
fn sample_state(
    played: &State,
    active: &Active,
    model: &Model,
    state: &MachineState,
    morph_start: &[usize],
    rest: &Pose,
    scratch: &mut Pose,
    out: &mut Pose,
) {
    if let Some(clip) = single_clip(played, active) {
        let clip = &model.clips[clip];
        let t = played.mode.clip_time(active.elapsed, clip.duration);
        sample(clip, t, morph_start, out);
    } else if let Motion::Blend1d { by, points } = &played.motion {
        let time = |k: usize| {
            let point = &points[k];
            let clip = &model.clips[point.clip];
            let elapsed = match point.sync {
                Some(start) => active.cycles * f64::from(clip.duration) + f64::from(start),
                None => active.elapsed,
            };
            (clip, PlayMode::Loop.clip_time(elapsed, clip.duration))
        };
        let (a, b, u) = neighbours(points, state.params[*by]);
        let (clip, t) = time(a);
        sample(clip, t, morph_start, out);
        if u > 0.0 {
            let (clip, t) = time(b);
            scratch.copy_from(rest);
            sample(clip, t, morph_start, scratch);
            blend(out, scratch, u, None);
        }
    }
}
