//! The same place in a new version of a machine, after its script was saved.

use super::bound::{Layer, Machine, Motion, State};
use super::enter::{first_item, rejoin, start};
use super::marks::resync;
use super::place::{clip_phase, is_synced, weigh_clips};
use super::state::{Active, MachineState};
use super::transition::Clips;
use crate::anim::{Marks, Playhead};

/// A machine and what it plays with.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// Its clips and their marks.
    pub clips: Clips<'a>,
}

/// The same place in a new machine: parameters, states and their times are kept by name; a state that
/// is gone gives way to the layer's first state. A state that now plays other clips goes on at the same
/// share of them, or at the same step of its cycle.
pub fn carried_over(state: &MachineState, old: Version<'_>, new: Version<'_>) -> MachineState {
    let mut out = MachineState::new(new.machine);
    for (i, param) in new.machine.def.params.iter().enumerate() {
        let was = old.machine.def.params.iter().position(|p| {
            p.name == param.name
                && std::mem::discriminant(&p.default) == std::mem::discriminant(&param.default)
        });
        if let Some(value) = was.and_then(|was| state.params.get(was)) {
            out.params[i] = *value;
        }
    }
    out.turned = state.turned;
    for (i, layer) in new.machine.layers.iter().enumerate() {
        let was = old.machine.layers.iter().position(|l| l.name == layer.name);
        if let Some(was) = was {
            carry_layer(state, was, i, layer, old, new, &mut out);
        }
    }
    start(new.machine, new.clips, &mut out);
    out
}

fn carry_layer(
    state: &MachineState,
    was: usize,
    number: usize,
    layer: &Layer,
    old: Version<'_>,
    new: Version<'_>,
    out: &mut MachineState,
) {
    let (old_layer, old_place) = (&old.machine.layers[was], &state.layers[was]);
    let renamed = |number: usize| {
        let path = &old_layer.states.get(number)?.path;
        layer.states.iter().position(|s| s.path == *path)
    };
    let current = old_place.active.last();
    if current.and_then(|active| renamed(active.state)).is_none() {
        return;
    }
    let place = &mut out.layers[number];
    place.nearness = old_place.nearness;
    for (passed, mark) in place.passed.iter_mut().zip(&layer.awaited) {
        let was = old_layer.awaited.iter().position(|known| known == mark);
        *passed = was.is_some_and(|was| old_place.passed.get(was) == Some(&true));
    }
    if let (Some(shown), Some(before)) = (&mut place.inertia, &old_place.inertia) {
        shown.clone_from(before);
    }
    place.active.clear();
    for active in &old_place.active {
        let Some(to) = renamed(active.state) else {
            continue;
        };
        let played = &old_layer.states[active.state];
        let mut active = Active {
            state: to,
            transition: None,
            leaving: None,
            ..active.clone()
        };
        carry_clips(
            [played, &layer.states[to]],
            &mut active,
            old.clips,
            new.clips,
        );
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
}

/// Keeps the places of clips that are the same; others begin at the same share, or in the same step.
fn carry_clips([was, now]: [&State; 2], active: &mut Active, old: Clips<'_>, new: Clips<'_>) {
    if plays_the_same(was, now, old, new) {
        for (k, playing) in active.clips.iter_mut().enumerate() {
            let marks = |state: &State, clips: Clips<'_>| {
                let clip = state.clip_of(k, active.item)?;
                clips.marks.get(clip).cloned()
            };
            if let (Some(before), Some(after)) = (marks(was, old), marks(now, new))
                && before != after
            {
                let open = playing.head;
                playing.head.rebind(&before, &after, |_| {});
                playing.hushed = hushed(playing.hushed, [open, playing.head], [&before, &after]);
            }
        }
        resync([was, now], active, new, &mut |_, _, _| {});
        return;
    }
    let phase = f64::from(clip_phase(was, active, old.set));
    let in_step = is_synced(was) && is_synced(now);
    active.ended = false;
    active.lead = 0;
    active.item = match (&now.motion, was.single_clip(active.item)) {
        (Motion::List(list), Some(clip)) => {
            let name = old.set.clip_name(clip);
            let same = |clip: &usize| new.set.clip_name(*clip) == name;
            list.clips.iter().position(same).unwrap_or(0) as u32
        }
        (Motion::Phases { .. }, _) if matches!(was.motion, Motion::Phases { .. }) => active.item,
        _ => first_item(now),
    };
    rejoin(now, active, new, phase, in_step);
}

/// Of the intervals that are open with new marks those that were begun without a word, as with the old.
fn hushed(hushed: u64, heads: [Playhead; 2], marks: [&Marks; 2]) -> u64 {
    if hushed == 0 {
        return 0;
    }
    let event = |marks: &Marks, mark: usize| marks.get(mark).map(|mark| mark.event.clone());
    let open = |which: usize| {
        let (open, marks) = (heads[which].open(), marks[which]);
        let bits = (0..marks.len()).filter_map(|mark| Some((mark, marks.bit_of(mark)?)));
        bits.filter(move |(_, bit)| open >> bit & 1 == 1)
            .map(|(mark, bit)| (event(marks, mark), bit))
            .collect::<Vec<_>>()
    };
    let before = open(0);
    let told = |name: &Option<String>| {
        let mut same = before.iter().filter(|(known, _)| known == name);
        same.any(|(_, bit)| hushed >> bit & 1 == 0)
    };
    let silent = open(1).into_iter().filter(|(name, _)| !told(name));
    silent.fold(0, |bits, (_, bit)| bits | 1 << bit)
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
        (Motion::Rest, Motion::Rest) => true,
        (Motion::Blend(a), Motion::Blend(b)) => {
            let leaves = a.leaves.iter().zip(&b.leaves);
            a.leaves.len() == b.leaves.len() && leaves.clone().all(|(a, b)| same(a.clip, b.clip))
        }
        (Motion::List(a), Motion::List(b)) => all_same(&a.clips, &b.clips),
        (
            Motion::Phases {
                intro: a_intro,
                looped: a_looped,
                outro: a_outro,
            },
            Motion::Phases {
                intro: b_intro,
                looped: b_looped,
                outro: b_outro,
            },
        ) => either(*a_intro, *b_intro) && same(*a_looped, *b_looped) && either(*a_outro, *b_outro),
        _ => false,
    };
    motions && was.mode == now.mode && was.time.is_some() == now.time.is_some()
}
