//! The same place in a new version of a machine, after its script was saved.

use super::bound::{Layer, Machine, State, StateMotion, Transition, TransitionTest};
use super::enter::{first_item, rejoin, start};
use super::host::Crossed;
use super::marks::resync;
use super::place::{clip_phase, is_synced, weigh_clips};
use super::state::{Active, Decision, MachineState, Sent};
use super::transition::Clips;
use super::why::target;
use galatea_anim::{Crossing, MarkEdge, Marks};

/// A machine and what it plays with.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// Its clips and their marks.
    pub clips: Clips<'a>,
}

/// The same place in a new machine: parameters, states, their times, events that wait and what was
/// decided are kept by name; a state that is gone gives way to the layer's first state. A state that
/// now plays other clips goes on at the same share of them, or at the same step of its cycle.
///
/// `lost` hears every interval that was told to begin and is not open any more, as its end, cut, in the numbers of
/// the old version.
pub fn carried_over(
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
    let mut carry = Carry {
        params: params.collect(),
        state,
        old,
        new,
        lost,
    };
    carry.values(&state.params, &mut out.params);
    out.turned = state.turned;
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

/// Tells every interval that is open in a machine and was told to begin, as its end, cut.
pub fn tell_open(
    machine: &Machine,
    clips: Clips<'_>,
    state: &MachineState,
    tell: &mut dyn FnMut(Crossed),
) {
    for (number, (layer, place)) in machine.layers.iter().zip(&state.layers).enumerate() {
        for active in &place.active {
            tell_open_of(number, layer, clips, state, active, tell);
        }
    }
}

fn tell_open_of(
    number: usize,
    layer: &Layer,
    clips: Clips<'_>,
    state: &MachineState,
    active: &Active,
    tell: &mut dyn FnMut(Crossed),
) {
    let played = &layer.states[active.state];
    for (k, playing) in active.clips.iter().enumerate() {
        let clip = played.clip_of(k, active.item);
        let Some((clip, marks)) = clip.and_then(|c| Some((c, clips.marks.get(c)?))) else {
            continue;
        };
        for mark in playing.head.open_marks(marks) {
            if !playing.is_hushed(marks, mark) {
                tell(cut(number, played, state, active, (k, clip, mark)));
            }
        }
    }
}

/// The end, cut, of an interval of the clip at place `k`.
fn cut(
    layer: usize,
    played: &State,
    state: &MachineState,
    active: &Active,
    (k, clip, mark): (usize, usize, usize),
) -> Crossed {
    let end = Crossing {
        mark,
        edge: MarkEdge::End,
        cut: true,
        at: 0.0,
        reverse: false,
    };
    let playing = active.clips.get(k).copied().unwrap_or_default();
    Crossed {
        weight: active.shown * playing.weight,
        mirrored: state.number(played.mirror) != 0.0,
        ..Crossed::left(layer, active.state, (&playing, clip), &end)
    }
}

struct Carry<'a, 'b> {
    /// For each new parameter the old one.
    params: Vec<Option<usize>>,
    state: &'a MachineState,
    old: Version<'a>,
    new: Version<'a>,
    lost: &'b mut dyn FnMut(Crossed),
}

impl Carry<'_, '_> {
    /// Values of parameters in their new order; those that are new stay.
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
        tell_open_of(was, layer, self.old.clips, self.state, active, self.lost);
    }

    fn layer(&mut self, was: usize, now: usize, out: &mut MachineState) {
        let (old, new) = (self.old.machine, self.new.machine);
        let (old_layer, layer) = (&old.layers[was], &new.layers[now]);
        let old_place = &self.state.layers[was];
        let renamed = |number: usize| {
            let path = &old_layer.states.get(number)?.path;
            layer.states.iter().position(|s| s.path == *path)
        };
        let current = old_place.active.last();
        if current.and_then(|active| renamed(active.state)).is_none() {
            self.lose_layer(was);
            return;
        }
        let place = &mut out.layers[now];
        place.nearness = old_place.nearness;
        if let (Some(shown), Some(before)) = (&mut place.inertia, &old_place.inertia) {
            shown.clone_from(before);
        }
        place.active.clear();
        for old_active in &old_place.active {
            let Some(to) = renamed(old_active.state) else {
                self.lose(was, old_active);
                continue;
            };
            let way = |way: Option<usize>| same_way(old_layer, layer, way?, &renamed);
            let motion = &layer.states[to].motion;
            let has_way_out = matches!(motion, StateMotion::Phases { outro: Some(_), .. });
            let mut active = Active {
                state: to,
                transition: way(old_active.transition),
                leaving: way(old_active.leaving).filter(|_| has_way_out),
                ..old_active.clone()
            };
            self.clips(was, old_active, &layer.states[to], &mut active);
            weigh_clips(&layer.states[to], &out.params, &mut active);
            place.active.push(active);
        }
        place.goal = old_place.goal.and_then(renamed);
        for (group, remembered) in layer.groups.iter().zip(&mut place.remembered) {
            let same = old_layer.groups.iter().position(|g| g.path == group.path);
            if let Some(state) = same.and_then(|g| renamed(old_place.remembered[g])) {
                *remembered = state;
            }
        }
        for (passed, mark) in place.passed.iter_mut().zip(&layer.awaited) {
            let was = old_layer.awaited.iter().position(|known| known == mark);
            *passed = was.is_some_and(|was| old_place.passed.get(was) == Some(&true));
        }
        for decision in &old_place.decisions {
            let travelling = match decision.travelling.map(renamed) {
                Some(None) => continue,
                goal => goal.flatten(),
            };
            if let (Some(from), Some(to), Some(transition)) = (
                renamed(decision.from),
                renamed(decision.to),
                same_way(old_layer, layer, decision.transition, &renamed),
            ) {
                let mut params = place.spare_params.pop().unwrap_or_default();
                params.clear();
                params.extend(new.def.params.iter().map(|param| param.default.as_number()));
                self.values(&decision.params, &mut params);
                place.decisions.push(Decision {
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

    /// Keeps the places of clips that are the same; others begin at the same share, or in the same
    /// step.
    fn clips(&mut self, was: usize, old_active: &Active, now: &State, active: &mut Active) {
        let (old, new) = (self.old.clips, self.new.clips);
        let played = &self.old.machine.layers[was].states[old_active.state];
        if plays_the_same(played, now, old, new) {
            for (k, playing) in active.clips.iter_mut().enumerate() {
                let marks = marks_at(k, [played, now], old_active.item, [old, new]);
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
        active.lead = 0;
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

    /// Tells which intervals of clips that go on are not open any more; the others end as they were
    /// begun, told or not.
    fn lose_closed(&mut self, was: usize, old_active: &Active, now: &State, active: &mut Active) {
        let played = &self.old.machine.layers[was].states[old_active.state];
        let clips = old_active.clips.iter().zip(&mut active.clips);
        for (k, (before, playing)) in clips.enumerate() {
            let clips = [self.old.clips, self.new.clips];
            let marks = marks_at(k, [played, now], old_active.item, clips);
            let Some([(clip, old_marks), (_, marks)]) = marks else {
                continue;
            };
            let heads = [&before.head, &playing.head];
            playing.hushed = before.hushed.carried([old_marks, marks], heads, |mark| {
                let at = (k, clip, mark);
                (self.lost)(cut(was, played, self.state, old_active, at));
            });
        }
    }
}

/// Numbers and marks of the clips at a place of two versions of a state.
fn marks_at<'a>(
    k: usize,
    states: [&State; 2],
    item: u32,
    clips: [Clips<'a>; 2],
) -> Option<[(usize, &'a Marks); 2]> {
    let of = |which: usize| {
        let clip = states[which].clip_of(k, item)?;
        Some((clip, &**clips[which].marks.get(clip)?))
    };
    Some([of(0)?, of(1)?])
}

/// The transition that asks the same as one of the old layer, leads to the same place and leaves a state
/// that it left.
fn same_way(
    old: &Layer,
    new: &Layer,
    number: usize,
    renamed: &dyn Fn(usize) -> Option<usize>,
) -> Option<usize> {
    let way = old.transitions.get(number)?;
    let leaves = |other: &Transition| {
        let from = way.from.iter().enumerate().filter(|(_, leaves)| **leaves);
        from.filter_map(|(state, _)| renamed(state))
            .any(|state| other.from.get(state) == Some(&true))
    };
    let same = |other: &Transition| {
        target(old, way.to) == target(new, other.to)
            && asks_the_same([old, new], way, other)
            && leaves(other)
    };
    if new.transitions.get(number).is_some_and(same) {
        return Some(number);
    }
    new.transitions.iter().position(same)
}

fn asks_the_same(layers: [&Layer; 2], a: &Transition, b: &Transition) -> bool {
    let passing = |which: usize, way: &Transition| layers[which].awaited.get(way.passing?);
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
        && a.done == b.done
        && a.after == b.after
        && a.exit == b.exit
        && passing(0, a) == passing(1, b)
}

/// True when two versions of a state play the same clips in the same manner; where they stand in a
/// blend's space and how fast they are may differ.
fn plays_the_same(was: &State, now: &State, old: Clips<'_>, new: Clips<'_>) -> bool {
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
