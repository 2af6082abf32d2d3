//! Migration of a machine's state to a new version of the machine, after a hot reload.

use super::bound::{Layer, Machine, State, StateMotion, Transition, TransitionTest};
use super::clip_weights::{clip_phase, is_synced, weigh_clips};
use super::enter::{first_item, rejoin, start};
use super::host::Crossed;
use super::markers::resync;
use super::state::{Active, Decision, MachineState, Sent, StateJump};
use super::transition::Clips;
use super::why::target;
use galatea_anim::{Crossing, MarkerPhase, Markers};

/// A machine with its clips.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// Clips and their marks.
    pub clips: Clips<'a>,
}

/// Migrates a state to a new machine. Parameters, states, their times, pending events and recent decisions are
/// matched by name. A state that no longer exists is replaced by the layer's first state. A state with other clips
/// continues at the same phase, or at the same foot step of the cycle.
///
/// `lost` receives the end of every interval that is no longer open although its beginning was reported. The ends are
/// cut and use the indices of the old version.
pub fn migrated(
    state: &MachineState,
    old: Version<'_>,
    new: Version<'_>,
    lost: &mut dyn FnMut(Crossed),
) -> MachineState {
    let mut out = MachineState::new(new.machine);
    let params = new.machine.def.params.iter().map(|param| {
        old.machine.def.params.iter().position(|p| {
            p.name == param.name
                && std::mem::discriminant(&p.default) == std::mem::discriminant(&param.default)
        })
    });
    let mut carry = MachineMigration {
        params: params.collect(),
        state,
        old,
        new,
        on_lost: lost,
    };
    carry.values(&state.params, &mut out.params);
    out.leg_rotation = state.leg_rotation;
    out.n_playings = state.n_playings;
    out.time = state.time;
    let waited_for = |sent: &&Sent| new.machine.events().any(|event| event == sent.event);
    out.sent = state.sent.iter().filter(waited_for).cloned().collect();
    for was in 0..old.machine.layers.len().min(state.layers.len()) {
        let name = &old.machine.layers[was].name;
        match new.machine.layers.iter().position(|l| l.name == *name) {
            Some(now) => carry.layer(was, now, &mut out),
            None => carry.lose_layer(was),
        }
    }
    start(new.machine, new.clips, &mut out);
    out
}

/// Reports the end, as cut, of every open interval with a reported beginning.
pub fn report_open(
    machine: &Machine,
    clips: Clips<'_>,
    state: &MachineState,
    report: &mut dyn FnMut(Crossed),
) {
    for (number, (layer, layer_state)) in machine.layers.iter().zip(&state.layers).enumerate() {
        for active in &layer_state.active {
            report_open_of(number, layer, clips, state, active, report);
        }
    }
}

fn report_open_of(
    number: usize,
    layer: &Layer,
    clips: Clips<'_>,
    state: &MachineState,
    active: &Active,
    report: &mut dyn FnMut(Crossed),
) {
    let played = &layer.states[active.state];
    for (k, playing) in active.clips.iter().enumerate() {
        let clip = played.clip_of(k, active.item);
        let Some((clip, marks)) = clip.and_then(|c| Some((c, clips.markers.get(c)?))) else {
            continue;
        };
        for mark in playing.head.open_markers(marks) {
            if !playing.is_suppressed(marks, mark) {
                report(cut(number, played, state, active, (k, clip, mark)));
            }
        }
    }
}

/// Creates the cut end of an interval on the clip with index `k`.
fn cut(
    layer: usize,
    played: &State,
    state: &MachineState,
    active: &Active,
    (k, clip, mark): (usize, usize, usize),
) -> Crossed {
    let end = Crossing {
        marker: mark,
        phase: MarkerPhase::End,
        interrupted: true,
        tick_fraction: 0.0,
        is_reversed: false,
    };
    let playing = active.clips.get(k).copied().unwrap_or_default();
    Crossed {
        weight: active.weight * playing.weight,
        mirrored: state.number(played.mirror) != 0.0,
        ..Crossed::left(layer, active.state, (&playing, clip), &end)
    }
}

struct MachineMigration<'a, 'b> {
    /// For each new parameter, the index of the old one.
    params: Vec<Option<usize>>,
    state: &'a MachineState,
    old: Version<'a>,
    new: Version<'a>,
    on_lost: &'b mut dyn FnMut(Crossed),
}

impl MachineMigration<'_, '_> {
    /// Copies parameter values into the new order; new parameters keep their defaults.
    fn values(&self, old: &[f32], out: &mut [f32]) {
        for (out, was) in out.iter_mut().zip(&self.params) {
            if let Some(value) = was.and_then(|was| old.get(was)) {
                *out = *value;
            }
        }
    }

    fn lose_layer(&mut self, was: usize) {
        for active in &self.state.layers[was].active {
            self.lose(was, active);
        }
    }

    fn lose(&mut self, was: usize, active: &Active) {
        let layer = &self.old.machine.layers[was];
        report_open_of(was, layer, self.old.clips, self.state, active, self.on_lost);
    }

    fn layer(&mut self, was: usize, now: usize, out: &mut MachineState) {
        let (old, new) = (self.old.machine, self.new.machine);
        let (old_layer, layer) = (&old.layers[was], &new.layers[now]);
        let old_state = &self.state.layers[was];
        let new_index = |number: usize| {
            let path = &old_layer.states.get(number)?.path;
            layer.states.iter().position(|s| s.path == *path)
        };
        let current = old_state.active.last();
        if current.and_then(|active| new_index(active.state)).is_none() {
            self.lose_layer(was);
            return;
        }
        let layer_state = &mut out.layers[now];
        layer_state.nearness = old_state.nearness;
        if let (Some(shown), Some(before)) = (&mut layer_state.inertia, &old_state.inertia) {
            shown.clone_from(before);
        }
        layer_state.active.clear();
        for old_active in &old_state.active {
            let Some(to) = new_index(old_active.state) else {
                self.lose(was, old_active);
                continue;
            };
            let transition = |transition: Option<usize>| {
                matching_transition(old_layer, layer, transition?, &new_index)
            };
            let motion = &layer.states[to].motion;
            let has_outro = matches!(motion, StateMotion::Phases { outro: Some(_), .. });
            let mut active = Active {
                state: to,
                transition: transition(old_active.transition),
                leaving: transition(old_active.leaving).filter(|_| has_outro),
                ..old_active.clone()
            };
            self.clips(was, old_active, &layer.states[to], &mut active);
            weigh_clips(&layer.states[to], &out.params, &mut active);
            layer_state.active.push(active);
        }
        layer_state.goal = old_state.goal.and_then(new_index);
        layer_state.jump = old_state.jump.and_then(|jump| {
            let state = new_index(jump.state)?;
            Some(StateJump { state, ..jump })
        });
        for (group, remembered) in layer.groups.iter().zip(&mut layer_state.remembered) {
            let same = old_layer.groups.iter().position(|g| g.path == group.path);
            if let Some(state) = same.and_then(|g| new_index(old_state.remembered[g])) {
                *remembered = state;
            }
        }
        for (passed, mark) in layer_state.crossed_markers.iter_mut().zip(&layer.awaited) {
            let was = old_layer.awaited.iter().position(|known| known == mark);
            *passed = was.is_some_and(|was| old_state.crossed_markers.get(was) == Some(&true));
        }
        for decision in &old_state.decisions {
            let travelling = match decision.travelling.map(new_index) {
                Some(None) => continue,
                goal => goal.flatten(),
            };
            let transition = |index| matching_transition(old_layer, layer, index, &new_index);
            let transition = match decision.transition.map(transition) {
                Some(None) => continue,
                index => index.flatten(),
            };
            if let (Some(from), Some(to)) = (new_index(decision.from), new_index(decision.to)) {
                let mut params = layer_state.spare_params.pop().unwrap_or_default();
                params.clear();
                params.extend(new.def.params.iter().map(|param| param.default.as_number()));
                self.values(&decision.params, &mut params);
                layer_state.decisions.push(Decision {
                    from,
                    to,
                    transition,
                    travelling,
                    params,
                    ..decision.clone()
                });
            }
        }
    }

    /// Keeps the positions of unchanged clips. Other clips begin at the same phase or, if synchronised, at the same
    /// foot step.
    fn clips(&mut self, was: usize, old_active: &Active, now: &State, active: &mut Active) {
        let (old, new) = (self.old.clips, self.new.clips);
        let played = &self.old.machine.layers[was].states[old_active.state];
        if same_clips(played, now, old, new) {
            for (k, playing) in active.clips.iter_mut().enumerate() {
                let marks = markers_at(k, [played, now], old_active.item, [old, new]);
                if let Some([(_, before), (_, after)]) = marks
                    && before != after
                {
                    playing.head.rebind(before, after, |_| {});
                }
            }
            resync([played, now], active, new, &mut |_, _, _, _| {});
            self.lose_closed(was, old_active, now, active);
            return;
        }
        self.lose(was, old_active);
        let phase = f64::from(clip_phase(played, active, old.set));
        let in_step = is_synced(played) && is_synced(now);
        active.ended = false;
        active.lead_clip = 0;
        active.item = match (&now.motion, played.single_clip(active.item)) {
            (StateMotion::List(list), Some(clip)) => {
                let name = old.set.clip_name(clip);
                let same = |clip: &usize| new.set.clip_name(*clip) == name;
                list.clips.iter().position(same).unwrap_or(0) as u32
            }
            (StateMotion::Phases { .. }, _)
                if matches!(played.motion, StateMotion::Phases { .. }) =>
            {
                active.item
            }
            _ => first_item(now),
        };
        rejoin(now, active, new, phase, in_step);
    }

    /// Reports the intervals of continuing clips that are no longer open. For the others, it stays recorded if their
    /// beginning was suppressed.
    fn lose_closed(&mut self, was: usize, old_active: &Active, now: &State, active: &mut Active) {
        let played = &self.old.machine.layers[was].states[old_active.state];
        let clips = old_active.clips.iter().zip(&mut active.clips);
        for (k, (before, playing)) in clips.enumerate() {
            let clips = [self.old.clips, self.new.clips];
            let marks = markers_at(k, [played, now], old_active.item, clips);
            let Some([(clip, old_marks), (_, marks)]) = marks else {
                continue;
            };
            let heads = [&before.head, &playing.head];
            playing.suppressed_intervals =
                before
                    .suppressed_intervals
                    .rebound([old_marks, marks], heads, |mark| {
                        let at = (k, clip, mark);
                        (self.on_lost)(cut(was, played, self.state, old_active, at));
                    });
        }
    }
}

/// Indices and marks of clip `k` in two versions of a state.
fn markers_at<'a>(
    k: usize,
    states: [&State; 2],
    item: u32,
    clips: [Clips<'a>; 2],
) -> Option<[(usize, &'a Markers); 2]> {
    let of = |which: usize| {
        let clip = states[which].clip_of(k, item)?;
        Some((clip, &**clips[which].markers.get(clip)?))
    };
    Some([of(0)?, of(1)?])
}

/// Finds the transition of the new layer with the same conditions and target as an old one, and at least one common
/// source state.
fn matching_transition(
    old: &Layer,
    new: &Layer,
    number: usize,
    new_index: &dyn Fn(usize) -> Option<usize>,
) -> Option<usize> {
    let transition = old.transitions.get(number)?;
    let from_same_state = |other: &Transition| {
        let from = transition
            .from
            .iter()
            .enumerate()
            .filter(|(_, is_source)| **is_source);
        from.filter_map(|(state, _)| new_index(state))
            .any(|state| other.from.get(state) == Some(&true))
    };
    let same = |other: &Transition| {
        target(old, transition.to) == target(new, other.to)
            && same_conditions([old, new], transition, other)
            && from_same_state(other)
    };
    if new.transitions.get(number).is_some_and(same) {
        return Some(number);
    }
    new.transitions.iter().position(same)
}

fn same_conditions(layers: [&Layer; 2], a: &Transition, b: &Transition) -> bool {
    let passing = |which: usize, transition: &Transition| {
        layers[which].awaited.get(transition.awaited_marker?)
    };
    let when = match (&a.when, &b.when) {
        (None, None) | (Some(TransitionTest::Predicate(_)), Some(TransitionTest::Predicate(_))) => {
            true
        }
        (Some(TransitionTest::Condition(a)), Some(TransitionTest::Condition(b))) => {
            a.text() == b.text()
        }
        _ => false,
    };
    when && a.on == b.on
        && a.at_end == b.at_end
        && a.after == b.after
        && a.exit == b.exit
        && passing(0, a) == passing(1, b)
}

/// Returns true if two versions of a state play the same clips in the same mode. Their positions in a blend space and
/// their speeds may differ.
fn same_clips(was: &State, now: &State, old: Clips<'_>, new: Clips<'_>) -> bool {
    let same = |a: usize, b: usize| {
        old.set.clip_name(a) == new.set.clip_name(b) && old.set.duration(a) == new.set.duration(b)
    };
    let all_same =
        |a: &[usize], b: &[usize]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(*a, *b));
    let either = |a: Option<usize>, b: Option<usize>| match (a, b) {
        (Some(a), Some(b)) => same(a, b),
        (a, b) => a.is_none() && b.is_none(),
    };
    let motions = match (&was.motion, &now.motion) {
        (StateMotion::Rest, StateMotion::Rest) => true,
        (StateMotion::Blend(a), StateMotion::Blend(b)) => {
            let leaves = a.leaves.iter().zip(&b.leaves);
            a.leaves.len() == b.leaves.len() && leaves.clone().all(|(a, b)| same(a.clip, b.clip))
        }
        (StateMotion::List(a), StateMotion::List(b)) => all_same(&a.clips, &b.clips),
        (
            StateMotion::Phases {
                intro: a_intro,
                looped: a_looped,
                outro: a_outro,
            },
            StateMotion::Phases {
                intro: b_intro,
                looped: b_looped,
                outro: b_outro,
            },
        ) => either(*a_intro, *b_intro) && same(*a_looped, *b_looped) && either(*a_outro, *b_outro),
        _ => false,
    };
    motions && was.mode == now.mode && was.time.is_some() == now.time.is_some()
}
