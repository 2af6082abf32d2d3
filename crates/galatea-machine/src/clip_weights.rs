//! Weights, times and phases of a state's clips.

use glam::Vec2;

use super::bound::{Axes, Blend, BlendNode, Child, State, StateMotion};
use super::definition::MAX_BLEND_CLIPS;
use super::state::{Active, MachineState, PlayingClip};
use galatea_anim::{ClipSet, MAX_SPEED, PlayMode, Playhead};
use galatea_math::clamp::ClampTo as _;

/// Sets the weight of each clip of a state, and the index of the highest. The weights sum to 1.
pub(super) fn weigh_clips(state: &State, params: &[f32], one: &mut Active) {
    let blend = match &state.motion {
        StateMotion::Blend(blend) if !blend.nodes.is_empty() => blend,
        _ => {
            if let Some(only) = one.clips.first_mut() {
                only.weight = 1.0;
            }
            return;
        }
    };
    for clip in &mut one.clips {
        clip.weight = 0.0;
    }
    add_node(blend, 0, params, 1.0, &mut one.clips);
    one.lead_clip = 0;
    for (i, clip) in one.clips.iter().enumerate() {
        if clip.weight > one.clips[one.lead_clip].weight {
            one.lead_clip = i;
        }
    }
}

fn add_node(blend: &Blend, number: usize, params: &[f32], weight: f32, out: &mut [PlayingClip]) {
    let node = &blend.nodes[number];
    let mut own = [0.0; MAX_BLEND_CLIPS];
    let own = &mut own[..node.children.len()];
    node.space.weights(space_position(node, params), own);
    for (child, fraction) in node.children.iter().zip(own) {
        if *fraction <= 0.0 {
            continue;
        }
        match *child {
            Child::Leaf(leaf) => {
                if let Some(clip) = out.get_mut(leaf) {
                    clip.weight += weight * *fraction;
                }
            }
            Child::Node(inner) => add_node(blend, inner, params, weight * *fraction, out),
        }
    }
}

/// Position of the parameters in a node's blend space.
pub(super) fn space_position(node: &BlendNode, params: &[f32]) -> Vec2 {
    let value = |i: usize| params.get(i).copied().unwrap_or(0.0);
    match node.axes {
        Axes::One(by) => Vec2::new(value(by), 0.0),
        Axes::Two(x, y) => Vec2::new(value(x), value(y)),
    }
}

/// Playback speed of the state, before the speed of each clip.
pub(super) fn speed(state: &State, one: &Active, machine: &MachineState) -> f64 {
    let speed = f64::from(machine.number(state.speed));
    let speed = if speed.is_finite() {
        speed.clamp_to(f64::from(-MAX_SPEED), f64::from(MAX_SPEED))
    } else {
        0.0
    };
    let backwards = state.orient.is_some() && machine.leg_rotation.reversed;
    let speed = if backwards { -speed } else { speed };
    match &state.motion {
        StateMotion::Blend(blend) if blend.match_speed => {
            speed * matched(blend, &one.clips, &machine.params)
        }
        _ => speed,
    }
}

/// Factor on the clips' speed that makes their feet cover the speed of the parameters.
fn matched(blend: &Blend, clips: &[PlayingClip], params: &[f32]) -> f64 {
    let Some(root) = blend.nodes.first() else {
        return 1.0;
    };
    let target_speed = space_position(root, params).length();
    let clip_speed: f32 = blend
        .leaves
        .iter()
        .zip(clips)
        .map(|(leaf, clip)| leaf.ground_speed * leaf.speed * clip.weight)
        .sum();
    if clip_speed < 0.05 || !target_speed.is_finite() {
        return 1.0;
    }
    // A gait looks wrong below half and above double speed.
    f64::from(target_speed / clip_speed).clamp(0.5, 2.0)
}

/// Returns true if the state's clips share a cycle.
pub(super) fn is_synced(state: &State) -> bool {
    matches!(&state.motion, StateMotion::Blend(blend) if blend.synced)
        && state.mode == PlayMode::Loop
        && state.time.is_none()
}

/// Playback position and duration of the clip with the highest weight, which represents the state.
fn leading(state: &State, active: &Active, clips: &ClipSet) -> Option<(Playhead, f32)> {
    let clip = state.clip_of(active.lead_clip, active.item)?;
    let playing = active.clips.get(active.lead_clip)?;
    Some((playing.head, clips.duration(clip)))
}

/// Time in the leading clip, seconds.
pub(super) fn clip_time(state: &State, active: &Active, clips: &ClipSet) -> f32 {
    leading(state, active, clips).map_or(0.0, |(head, seconds)| head.clip_time(seconds))
}

/// Phase of the leading clip, 0..=1.
pub(super) fn clip_phase(state: &State, active: &Active, clips: &ClipSet) -> f32 {
    leading(state, active, clips).map_or(0.0, |(head, seconds)| head.phase(seconds))
}

/// Number of times the leading clip passed its end.
pub(super) fn laps(state: &State, active: &Active, clips: &ClipSet) -> i64 {
    leading(state, active, clips).map_or(0, |(head, seconds)| head.passes(seconds))
}

/// Duration of the leading clip, seconds; 0 without one.
pub(super) fn playing_duration(state: &State, active: &Active, clips: &ClipSet) -> f64 {
    leading(state, active, clips).map_or(0.0, |(_, seconds)| f64::from(seconds))
}

/// Seconds until a state that plays once ends; infinite for a state without end.
pub(super) fn clip_left(
    state: &State,
    active: &Active,
    machine: &MachineState,
    clips: &ClipSet,
) -> f64 {
    let ends = match &state.motion {
        StateMotion::Rest => return 0.0,
        StateMotion::List(list) => {
            let is_last = list.random || active.item as usize + 1 >= list.clips.len();
            state.mode == PlayMode::Once && is_last
        }
        StateMotion::Phases { .. } => false,
        StateMotion::Blend(_) => state.mode == PlayMode::Once,
    };
    if ends && state.time.is_none() {
        item_left(state, active, machine, clips)
    } else {
        f64::INFINITY
    }
}

/// Seconds until the leading clip ends, whatever follows it.
pub(super) fn item_left(
    state: &State,
    active: &Active,
    machine: &MachineState,
    clips: &ClipSet,
) -> f64 {
    let Some((head, seconds)) = leading(state, active, clips) else {
        return 0.0;
    };
    let t = f64::from(head.clip_time(seconds));
    let speed = speed(state, active, machine);
    if speed > 0.0 {
        (f64::from(seconds) - t) / speed
    } else if speed < 0.0 {
        t / -speed
    } else {
        f64::INFINITY
    }
}
