//! Entry into a state: its clip, its start position, and the handover from the previous state.

use super::bound::{
    Blend, BoundEntry, ClipList, Layer, LoopPhase, Machine, NumberSource, State, StateMotion,
};
use super::clip_weights::{clip_left, is_synced, weigh_clips};
use super::definition::Fade;
use super::host::{Crossed, Happening, MachineHost};
use super::state::{
    Active, Decision, LayerState, MAX_ACTIVE, MachineState, PlayingClip, StateJump,
};
use super::transition::{Clips, fits};
use super::why::remember;
use galatea_anim::{Ease, Marker, PlayMode, Playhead, SyncHow, match_pos};

/// Takes a transition. If the current state has an outro, it plays first.
pub(super) fn take(
    number: usize,
    layer: &Layer,
    index: usize,
    clips: Clips<'_>,
    state: &mut MachineState,
    decision: Decision,
    host: &mut dyn MachineHost,
) {
    let transition = &layer.transitions[index];
    let layer_state = &mut state.layers[number];
    let Some(current) = layer_state.active.last_mut() else {
        return;
    };
    let source = &layer.states[current.state];
    let has_outro = matches!(source.motion, StateMotion::Phases { outro: Some(_), .. });
    if has_outro && !transition.skip_outro && LoopPhase::of(current.item) != LoopPhase::Outro {
        current.leaving = Some(index);
        return;
    }
    take_now(number, layer, index, clips, state, decision, host);
}

/// Takes a transition at once.
pub(super) fn take_now(
    number: usize,
    layer: &Layer,
    index: usize,
    clips: Clips<'_>,
    state: &mut MachineState,
    decision: Decision,
    host: &mut dyn MachineHost,
) {
    let transition = &layer.transitions[index];
    let layer_state = &state.layers[number];
    let Some(current) = layer_state.active.last() else {
        return;
    };
    let to = layer.entry(transition.to, &layer_state.remembered);
    let entrance = Entrance {
        to,
        entry: &transition.entry,
        fade: layer.fade(number, transition, current.state, to),
        decision: Decision {
            transition: Some(index),
            travelling: layer_state.goal,
            ..decision
        },
    };
    arrive(number, layer, entrance, clips, state, host);
}

/// Enters a state regardless of transitions. A travel ends.
pub(super) fn jump(
    number: usize,
    layer: &Layer,
    jump: StateJump,
    clips: Clips<'_>,
    state: &mut MachineState,
    host: &mut dyn MachineHost,
) {
    if jump.state >= layer.states.len() {
        return;
    }
    state.layers[number].goal = None;
    let entrance = Entrance {
        to: jump.state,
        entry: &BoundEntry::Auto,
        fade: Fade {
            seconds: jump.fade,
            ..Fade::default()
        },
        decision: Decision {
            at: state.time,
            ..Decision::default()
        },
    };
    arrive(number, layer, entrance, clips, state, host);
}

/// A way to enter a state.
struct Entrance<'a> {
    to: usize,
    entry: &'a BoundEntry,
    fade: Fade,
    decision: Decision,
}

/// Leaves the current state of a layer for another one.
fn arrive(
    number: usize,
    layer: &Layer,
    entrance: Entrance<'_>,
    clips: Clips<'_>,
    state: &mut MachineState,
    host: &mut dyn MachineHost,
) {
    let Entrance {
        to,
        entry,
        fade,
        decision,
    } = entrance;
    let transition = decision.transition;
    let layer_state = &mut state.layers[number];
    let Some(current) = layer_state.active.last() else {
        return;
    };
    let from = current.state;
    remember(
        layer_state,
        Decision {
            from,
            to,
            ..decision
        },
        &state.params,
    );
    emit_change(number, layer, from, to, host);
    let item = match &layer.states[to].motion {
        StateMotion::List(list) if list.random => pick(list, None, host),
        _ => first_item(&layer.states[to]),
    };
    let mut entered = Active {
        state: to,
        item,
        transition,
        clips: layer_state.spare.pop().unwrap_or_default(),
        ..Active::default()
    };
    begin(
        layer,
        entry,
        &layer.states[to],
        layer_state,
        clips,
        &mut entered,
    );
    if fade.inertial {
        if let Some(shown) = &mut layer_state.inertia {
            shown.begin = Some(fade.seconds);
        }
    } else {
        entered.fade = fade.seconds;
        entered.ease = fade.ease;
    }
    for &group in &layer.states[to].groups {
        layer_state.remembered[group] = to;
    }
    if layer_state.goal == Some(to) || goal_is_unreachable(layer, layer_state, to) {
        layer_state.goal = None;
    }
    push(number, layer, clips, state, entered, host);
}

/// Returns true if the goal of the travel can no longer be reached from state `at`.
fn goal_is_unreachable(layer: &Layer, layer_state: &LayerState, at: usize) -> bool {
    layer_state
        .goal
        .is_some_and(|goal| super::travel::next_transition(layer, at, goal).is_none())
}

/// The next clip within a state.
pub(super) struct NextClip {
    /// Index in the list, or phase.
    pub item: u32,
    /// Seconds of cross-fade.
    pub fade: f32,
    /// Seconds since the previous clip ended.
    pub late: f64,
}

/// Starts another clip of the same state: the next of a list, or the next phase.
pub(super) fn follow(
    number: usize,
    layer: &Layer,
    next: NextClip,
    clips: Clips<'_>,
    state: &mut MachineState,
    host: &mut dyn MachineHost,
) {
    let NextClip { item, fade, late } = next;
    let Some(current) = state.layers[number].active.last() else {
        return;
    };
    let played = &layer.states[current.state];
    let backwards = state.number(played.speed) < 0.0;
    let layer_state = &mut state.layers[number];
    let Some(current) = layer_state.active.last_mut() else {
        return;
    };
    let leaving = current.leaving.take();
    let mut next = Active {
        state: current.state,
        state_age: current.state_age,
        item,
        fade,
        ease: Ease::Smooth,
        transition: current.transition,
        leaving,
        clips: layer_state.spare.pop().unwrap_or_default(),
        ..Active::default()
    };
    enter_at(played, &mut next, clips, |_, clip| match backwards {
        true => f64::from(clips.set.duration(clip)) - late,
        false => late,
    });
    push(number, layer, clips, state, next, host);
}

fn push(
    number: usize,
    layer: &Layer,
    clips: Clips<'_>,
    state: &mut MachineState,
    entered: Active,
    host: &mut dyn MachineHost,
) {
    let layer_state = &mut state.layers[number];
    layer_state.active.push(entered);
    if layer_state.active.len() > MAX_ACTIVE {
        let oldest = layer_state.active.remove(0);
        leave(number, layer, clips, state, oldest, host);
    }
}

/// Drops a state that no longer shows. Reports the end of the clip if only rounding kept it from ending, and ends its
/// open intervals as cut. Its clip buffer is reused.
pub(super) fn leave(
    number: usize,
    layer: &Layer,
    clips: Clips<'_>,
    state: &mut MachineState,
    active: Active,
    host: &mut dyn MachineHost,
) {
    let played = &layer.states[active.state];
    if !active.ended && clip_left(played, &active, state, clips.set) < ROUNDING {
        host.emit(Happening::End {
            layer: number,
            state: active.state,
            offset: 0.0,
        });
    }
    let mirrored = state.number(played.mirror) != 0.0;
    let mut buffer = active.clips;
    for (k, playing) in buffer.iter_mut().enumerate() {
        let clip = played.clip_of(k, active.item);
        let Some((clip, marks)) = clip.and_then(|c| Some((c, clips.markers.get(c)?))) else {
            continue;
        };
        let mut head = playing.head;
        head.cut(marks, 0.0, |crossing| {
            let silent = playing.suppresses(marks, &crossing, false);
            let left = Crossed::left(number, active.state, (&*playing, clip), &crossing);
            host.emit(Happening::Marker(Crossed {
                mirrored,
                silent,
                ..left
            }));
        });
    }
    buffer.clear();
    state.layers[number].spare.push(buffer);
}

/// Rounding tolerance at the clip's end of a fade that ends with its clip, seconds.
const ROUNDING: f64 = 1e-5;

/// Enters the entry states of a new machine, with their clips at the start, so that [`evaluate`](crate::evaluate) gives a
/// pose before the first step. A random list plays its first clip.
pub fn start(machine: &Machine, clips: Clips<'_>, state: &mut MachineState) {
    for (layer, layer_state) in machine.layers.iter().zip(&mut state.layers) {
        for active in &mut layer_state.active {
            if !active.clips.is_empty() {
                continue;
            }
            let played = &layer.states[active.state];
            active.item = first_item(played);
            let duration = |clip: usize| f64::from(clips.set.duration(clip));
            enter_at(played, active, clips, |_, clip| {
                first_time(played, duration(clip))
            });
            active.weight = 1.0;
            weigh_clips(played, &state.params, active);
        }
    }
}

/// Exits all states of a machine that is replaced: emits an exit without a target for each layer and ends open
/// intervals early. Emits nothing if the machine never advanced.
pub fn leave_all(
    machine: &Machine,
    clips: Clips<'_>,
    mut state: MachineState,
    host: &mut dyn MachineHost,
) {
    if state.time == 0.0 {
        return;
    }
    for (number, layer) in machine.layers.iter().enumerate() {
        let active = std::mem::take(&mut state.layers[number].active);
        if let Some(current) = active.last() {
            let groups = &layer.states[current.state].groups;
            let outer = groups.iter().rev().map(|group| layer.states.len() + group);
            for left in std::iter::once(current.state).chain(outer) {
                host.emit(Happening::Exit {
                    layer: number,
                    state: left,
                    to: None,
                });
            }
        }
        for one in active {
            leave(number, layer, clips, &mut state, one, host);
        }
    }
}

fn emit_change(number: usize, layer: &Layer, from: usize, to: usize, host: &mut dyn MachineHost) {
    let n_states = layer.states.len();
    let (left, entered) = (&layer.states[from].groups, &layer.states[to].groups);
    host.emit(Happening::Exit {
        layer: number,
        state: from,
        to: Some(to),
    });
    for group in left.iter().rev().filter(|group| !entered.contains(group)) {
        host.emit(Happening::Exit {
            layer: number,
            state: n_states + group,
            to: Some(to),
        });
    }
    for group in entered.iter().filter(|group| !left.contains(group)) {
        host.emit(Happening::Enter {
            layer: number,
            state: n_states + group,
            from,
        });
    }
    host.emit(Happening::Enter {
        layer: number,
        state: to,
        from,
    });
}

fn playing(head: Playhead) -> PlayingClip {
    PlayingClip {
        head,
        ..PlayingClip::default()
    }
}

/// Index of a state's first clip in the order written, or of the first phase.
pub(super) fn first_item(state: &State) -> u32 {
    match &state.motion {
        StateMotion::Phases { intro: None, .. } => LoopPhase::Looped.item(),
        _ => 0,
    }
}

/// Picks a clip of a list by weight. The previous clip is excluded unless the list allows repeats.
pub(super) fn pick(list: &ClipList, before: Option<u32>, host: &mut dyn MachineHost) -> u32 {
    let is_allowed = |i: usize| list.repeat || list.clips.len() < 2 || before != Some(i as u32);
    let chances = || {
        list.chances
            .iter()
            .enumerate()
            .filter(|(i, _)| is_allowed(*i))
    };
    let total: f32 = chances().map(|(_, chance)| chance).sum();
    let mut at = host.random() as f32 * total;
    let mut picked = 0;
    for (i, chance) in chances() {
        picked = i as u32;
        at -= chance;
        if at < 0.0 {
            break;
        }
    }
    picked
}

/// Sets the playback position of every clip of a state to `seconds(index, clip)`.
fn set_heads(
    state: &State,
    active: &mut Active,
    clips: Clips<'_>,
    seconds: impl Fn(usize, usize) -> f64,
) {
    active.clips.clear();
    let mode = if state.time.is_some() {
        PlayMode::Once
    } else {
        state.mode_of(active.item)
    };
    match &state.motion {
        StateMotion::Rest => {}
        StateMotion::Blend(blend) => {
            let leaves = blend.leaves.iter().enumerate();
            active.clips.extend(
                leaves.map(|(i, leaf)| playing(Playhead::starting_at(mode, seconds(i, leaf.clip)))),
            );
        }
        StateMotion::List(_) | StateMotion::Phases { .. } => {
            let clip = state.single_clip(active.item).unwrap_or_default();
            active
                .clips
                .push(playing(Playhead::starting_at(mode, seconds(0, clip))));
        }
    }
    if is_synced(state)
        && let StateMotion::Blend(blend) = &state.motion
    {
        sync_heads(blend, active, clips);
    }
}

/// Sets all synchronised clips to the position of the shared cycle.
fn sync_heads(blend: &Blend, active: &mut Active, clips: Clips<'_>) {
    for (leaf, playing) in blend.leaves.iter().zip(&mut active.clips) {
        if let (Some(track), Some(marks)) = (&leaf.sync, clips.markers.get(leaf.clip)) {
            let mut head = Playhead::new(PlayMode::Loop);
            let laps = track.elapsed_at(active.cycle) / f64::from(track.duration());
            head.advance_to(marks, laps, |_| {});
            // These crossings are not reported: intervals open at this position begin with the first step.
            head.cut(marks, 0.0, |_| {});
            playing.head = head;
        }
    }
}

/// Sets the start positions of the clips of an entered state.
fn begin(
    layer: &Layer,
    entry: &BoundEntry,
    state: &State,
    layer_state: &LayerState,
    clips: Clips<'_>,
    entered: &mut Active,
) {
    let duration = |clip: usize| f64::from(clips.set.duration(clip));
    match entry {
        BoundEntry::Auto | BoundEntry::Phase => {
            let synced = layer_state
                .active
                .last()
                .and_then(|current| in_step_with(layer, current, state));
            if let Some(cycle) = synced {
                entered.cycle = cycle;
                entered.in_step = true;
                set_heads(state, entered, clips, |_, _| 0.0);
            } else if *entry == BoundEntry::Phase {
                let phase = layer_state.active.last().map_or(0.0, |current| {
                    let source = &layer.states[current.state];
                    f64::from(super::clip_weights::clip_phase(source, current, clips.set))
                });
                enter_at(state, entered, clips, |_, clip| phase * duration(clip));
            } else {
                enter_at(state, entered, clips, |_, clip| {
                    first_time(state, duration(clip))
                });
            }
        }
        BoundEntry::Start => enter_at(state, entered, clips, |_, _| 0.0),
        BoundEntry::Time(t) => enter_at(state, entered, clips, |_, _| f64::from(*t)),
        BoundEntry::Fraction(u) => {
            enter_at(state, entered, clips, |_, clip| {
                f64::from(*u) * duration(clip)
            });
        }
        BoundEntry::Marker {
            event,
            fields,
            index,
        } => enter_at(state, entered, clips, |_, clip| {
            let marks: &[Marker] = clips.markers.get(clip).map_or(&[], |marks| marks);
            let mut fitting = marks.iter().filter(|mark| fits(mark, event, fields));
            fitting.nth(*index).map_or(0.0, |mark| f64::from(mark.time))
        }),
    }
}

/// Start position of a clip, seconds. Clips that play backwards begin at their end.
fn first_time(state: &State, duration: f64) -> f64 {
    match state.speed {
        NumberSource::Fixed(speed) if speed < 0.0 => duration,
        _ => 0.0,
    }
}

/// Enters at a time of each clip. The shared cycle begins at the time of the first synchronised clip.
fn enter_at(
    state: &State,
    entered: &mut Active,
    clips: Clips<'_>,
    seconds: impl Fn(usize, usize) -> f64,
) {
    if is_synced(state)
        && let StateMotion::Blend(blend) = &state.motion
    {
        let first = blend.leaves.iter().enumerate().find_map(|(i, leaf)| {
            let track = leaf.sync.as_ref()?;
            Some(track.pos_at(seconds(i, leaf.clip)))
        });
        entered.cycle = first.unwrap_or_default();
    }
    set_heads(state, entered, clips, seconds);
}

/// Sets a state's clips to the same phase, or to the position of the cycle if `in_step`.
pub(super) fn rejoin(
    state: &State,
    active: &mut Active,
    clips: Clips<'_>,
    phase: f64,
    in_step: bool,
) {
    let seconds = |_: usize, clip: usize| phase * f64::from(clips.set.duration(clip));
    if in_step {
        set_heads(state, active, clips, seconds);
    } else {
        enter_at(state, active, clips, seconds);
    }
}

/// Cycle position that synchronises a state with the previous one, if both are synchronised.
fn in_step_with(layer: &Layer, current: &Active, state: &State) -> Option<f64> {
    let source = &layer.states[current.state];
    if !is_synced(source) || !is_synced(state) {
        return None;
    }
    let (StateMotion::Blend(from), StateMotion::Blend(to)) = (&source.motion, &state.motion) else {
        return None;
    };
    let tracks = || from.leaves.iter().map(|leaf| leaf.sync.as_ref());
    let from = tracks()
        .nth(current.lead_clip)
        .flatten()
        .or_else(|| tracks().flatten().next())?;
    let to = to.leaves.iter().find_map(|leaf| leaf.sync.as_ref())?;
    Some(match_pos(from, current.cycle, to, SyncHow::SameEvent))
}
