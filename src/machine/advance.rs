//! One step of time: transitions are asked, clips move on, what was passed is told.

use super::bind::{Layer, Machine, Motion, Point, State, Transition};
use super::definition::Predicate;
use super::state::{Active, LayerState, MachineState};
use crate::anim::{Clip, MOST_SPEED, Mark, Marks, PlayMode, passed_marks};
use crate::asset::Model;

/// Something that happened in a step; `offset` is seconds after the step's start.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening<'a> {
    /// A state was left.
    Exit {
        /// Layer index.
        layer: usize,
        /// State that was left.
        state: usize,
        /// State that follows.
        to: usize,
    },
    /// A state was entered.
    Enter {
        /// Layer index.
        layer: usize,
        /// State that was entered.
        state: usize,
        /// State before it.
        from: usize,
    },
    /// A mark on a playing clip was passed. Only the heaviest clip of a layer tells its marks.
    Mark {
        /// Layer index.
        layer: usize,
        /// State that plays the clip.
        state: usize,
        /// The mark.
        mark: &'a Mark,
        /// Clip index.
        clip: usize,
        /// Seconds after the step's start.
        offset: f64,
        /// How much of the clip shows, 0..=1.
        weight: f32,
    },
    /// The clip of a state that plays once has ended.
    End {
        /// Layer index.
        layer: usize,
        /// The state.
        state: usize,
        /// Seconds after the step's start.
        offset: f64,
    },
}

/// The most states that fade at once in a layer; the oldest gives way.
const MAX_FADING: usize = 6;

/// What a step asks of the world outside and tells it.
pub trait Host<'a> {
    /// Evaluates a condition on the parameters.
    fn ask(&mut self, predicate: Predicate) -> bool;
    /// Picks one of `n` clips, `0..n`.
    fn choose(&mut self, n: usize) -> usize;
    /// Hears what happened, in order: exit, enter, marks, end.
    fn tell(&mut self, happening: Happening<'a>);
}

/// Moves a machine on by `dt` seconds (not negative). `marks` holds each clip's marks.
///
/// At most one transition is taken per layer: the first whose conditions all hold.
pub fn advance<'a>(
    machine: &Machine,
    model: &Model,
    marks: &'a [std::sync::Arc<Marks>],
    state: &mut MachineState,
    dt: f64,
    host: &mut dyn Host<'a>,
) {
    for (i, layer) in machine.layers.iter().enumerate() {
        take_transition(i, layer, model, state, host);
        let heaviest = heaviest(&state.layers[i]);
        for k in 0..state.layers[i].active.len() {
            let before = state.layers[i].active[k];
            let played = &layer.states[before.state];
            let after = moved(played, model, state, before, dt);
            if Some(k) == heaviest {
                let weight = state.number(layer.weight).clamp(0.0, 1.0);
                tell_marks(
                    i,
                    played,
                    model,
                    marks,
                    state,
                    [&before, &after],
                    dt,
                    weight,
                    host,
                );
            }
            if after.ended && !before.ended {
                host.tell(Happening::End {
                    layer: i,
                    state: before.state,
                    offset: ended_after(played, model, &before, &after, dt),
                });
            }
            state.layers[i].active[k] = after;
        }
        forget_faded(&mut state.layers[i]);
    }
    state.sent.clear();
}

fn take_transition(
    i: usize,
    layer: &Layer,
    model: &Model,
    state: &mut MachineState,
    host: &mut dyn Host<'_>,
) {
    let Some(&current) = state.layers[i].active.last() else {
        return;
    };
    let chosen = layer.transitions.iter().find(|t| {
        let leaves = match &t.from {
            None => t.to != current.state || t.on.is_some(),
            Some(from) => from.contains(&current.state),
        };
        leaves
            && current.age >= t.after
            && t.on.as_ref().is_none_or(|event| state.sent.contains(event))
            && (!t.done || is_done(t, &layer.states[current.state], &current, model))
            && t.when.is_none_or(|predicate| host.ask(predicate))
    });
    let Some(transition) = chosen else {
        return;
    };
    host.tell(Happening::Exit {
        layer: i,
        state: current.state,
        to: transition.to,
    });
    host.tell(Happening::Enter {
        layer: i,
        state: transition.to,
        from: current.state,
    });
    let choice = match &layer.states[transition.to].motion {
        Motion::Random(clips) => host.choose(clips.len()) as u32,
        _ => 0,
    };
    let active = &mut state.layers[i].active;
    active.push(Active::enter(transition.to, transition.fade, choice));
    if active.len() > MAX_FADING {
        active.remove(0);
    }
}

fn is_done(transition: &Transition, state: &State, active: &Active, model: &Model) -> bool {
    let duration = match single_clip(state, active) {
        Some(clip) => f64::from(model.clips[clip].duration),
        None => return matches!(state.motion, Motion::Rest),
    };
    state.mode == PlayMode::Once && active.elapsed + f64::from(transition.fade) >= duration
}

pub(super) fn single_clip(state: &State, active: &Active) -> Option<usize> {
    match &state.motion {
        Motion::Clip(clip) => Some(*clip),
        Motion::Random(clips) => clips.get(active.choice as usize).or(clips.first()).copied(),
        Motion::Rest | Motion::Blend1d { .. } => None,
    }
}

/// The two neighbours of a value on the axis and how far it lies towards the second.
pub(super) fn neighbours(points: &[Point], value: f32) -> (usize, usize, f32) {
    let next = points.partition_point(|point| point.value <= value);
    if next == 0 || next == points.len() {
        let at = next.saturating_sub(1);
        return (at, at, 0.0);
    }
    let (a, b) = (&points[next - 1], &points[next]);
    (next - 1, next, (value - a.value) / (b.value - a.value))
}

/// Length of the shared cycle: the synced clips' durations by weight; `None` if all run free.
fn cycle_seconds(points: &[Point], clips: &[std::sync::Arc<Clip>], value: f32) -> Option<f64> {
    let (a, b, u) = neighbours(points, value);
    let (mut sum, mut weight) = (0.0, 0.0);
    for (point, w) in [(&points[a], 1.0 - u), (&points[b], u)] {
        if point.sync.is_some() && w > 0.0 {
            sum += w * clips[point.clip].duration;
            weight += w;
        }
    }
    (weight > 0.0 && sum > 0.0).then(|| f64::from(sum / weight))
}

fn moved(played: &State, model: &Model, state: &MachineState, active: Active, dt: f64) -> Active {
    let step = dt * f64::from(state.number(played.speed).clamp(0.0, MOST_SPEED));
    let mut next = active;
    next.age += dt;
    next.elapsed += step;
    match &played.motion {
        Motion::Blend1d { by, points } => {
            if let Some(cycle) = cycle_seconds(points, &model.clips, state.params[*by]) {
                next.cycles += step / cycle;
            }
        }
        _ => {
            if let Some(clip) = single_clip(played, &active) {
                let duration = model.clips[clip].duration;
                next.ended = played.mode.finished(next.elapsed, duration);
            }
        }
    }
    next
}

fn ended_after(played: &State, model: &Model, before: &Active, after: &Active, dt: f64) -> f64 {
    let duration = single_clip(played, before).map_or(0.0, |clip| model.clips[clip].duration);
    let step = after.elapsed - before.elapsed;
    if step <= 0.0 {
        return 0.0;
    }
    dt * ((f64::from(duration) - before.elapsed) / step).clamp(0.0, 1.0)
}

/// Which of the fading states shows most; the newer one when equal.
fn heaviest(layer: &LayerState) -> Option<usize> {
    let mut left = 1.0;
    let mut best = None;
    for (k, active) in layer.active.iter().enumerate().rev() {
        let weight = if k == 0 { left } else { active.weight() * left };
        left -= weight;
        if best.is_none_or(|(_, w)| weight > w) {
            best = Some((k, weight));
        }
    }
    best.map(|(k, _)| k)
}

#[allow(clippy::too_many_arguments)]
fn tell_marks<'a>(
    layer: usize,
    played: &State,
    model: &Model,
    marks: &'a [std::sync::Arc<Marks>],
    state: &MachineState,
    [before, after]: [&Active; 2],
    dt: f64,
    layer_weight: f32,
    host: &mut dyn Host<'a>,
) {
    let (clip, sync, weight) = match &played.motion {
        Motion::Blend1d { by, points } => {
            let (a, b, u) = neighbours(points, state.params[*by]);
            let (heavier, weight) = if u > 0.5 { (b, u) } else { (a, 1.0 - u) };
            let point = &points[heavier];
            (point.clip, point.sync, weight * layer_weight)
        }
        _ => match single_clip(played, before) {
            Some(clip) => (clip, None, layer_weight),
            None => return,
        },
    };
    let duration = model.clips[clip].duration;
    let lap = f64::from(duration);
    let (from, to) = match sync {
        Some(start) => (
            before.cycles * lap + f64::from(start),
            after.cycles * lap + f64::from(start),
        ),
        None => (before.elapsed, after.elapsed),
    };
    let Some(marks) = marks.get(clip) else { return };
    let per_second = dt / (to - from);
    passed_marks(marks, played.mode, duration, from, to, |mark, at| {
        host.tell(Happening::Mark {
            layer,
            state: before.state,
            mark,
            clip,
            offset: (at - from) * per_second,
            weight,
        });
    });
}

/// Drops what lies under a state that shows fully.
fn forget_faded(layer: &mut LayerState) {
    if let Some(full) = layer
        .active
        .iter()
        .rposition(|active| active.weight() >= 1.0)
    {
        layer.active.drain(..full);
    }
}
