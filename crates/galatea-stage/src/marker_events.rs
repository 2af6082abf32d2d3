//! Crossed markers as events: created while clips advance, located when the pose is known.

use super::event::{Event, EventKind, MarkerEvent};
use super::{Arena, Characters, Clock, Floor, Handle};
use std::sync::Arc;

use galatea_anim::{
    Crossing, CrossingSource, EventLogEntry, Marker, MarkerPhase, MarkerValue, Mask, Outcome,
    Reason, Seek,
};
use galatea_character::{Action, ActionCrossing, Character, TimeBase};
use galatea_machine::STEP;

/// Converts a crossing to an event.
pub(super) fn marker_event(
    clip: usize,
    crossing: &Crossing,
    weight: f32,
    source: CrossingSource,
) -> MarkerEvent {
    MarkerEvent {
        clip,
        marker: crossing.marker,
        phase: crossing.phase,
        is_reversed: crossing.is_reversed,
        tick_fraction: crossing.tick_fraction as f32,
        weight,
        source,
        has_max_weight: true,
        mirrored: false,
        mask: None,
        outcome: if crossing.interrupted {
            Outcome::Interrupted(Reason::IntervalInterrupted)
        } else {
            Outcome::Fired
        },
        n: 1,
        position: glam::Vec3::ZERO,
        surface: None,
        entry: None,
    }
}

/// Advances clips that play without a machine or over it: idle clips and actions.
pub(super) fn advance_actions(
    characters: &mut Arena<Character>,
    base: TimeBase,
    clock: Clock,
    events: &mut Vec<Event>,
) {
    let (start, dt) = (clock.time(), clock.dt);
    for (handle, character) in characters.following(base) {
        let time = character.time;
        advance_idle(handle, character, start, dt, events);
        let has_ledger = character.playback.event_log.is_on();
        let is_hidden = character.body.is_down();
        let clips = &character.definition.clips;
        for action in &mut character.playback.actions {
            let (id, clip) = (action.id, action.clip);
            let (marks, duration) = (&character.playback.markers[clip], clips.duration(clip));
            action.is_hidden = is_hidden;
            let played = Played::from(&*action);
            let step = action.advance(marks, duration, time.passed(dt), |passed| {
                let time = start + passed.crossing.tick_fraction * dt;
                push(events, handle, time, &played, &passed, has_ledger);
            });
            if step.dropped > 0 && has_ledger {
                let weight = action.weight(duration);
                let flood = flood_event(clip, CrossingSource::Play(id), weight, step.dropped);
                events.push(Event::new(handle, start + dt, flood));
            }
            if let Some(end) = step.end {
                let (id, reason) = (end.id, end.reason);
                let kind = EventKind::ActionEnd { id, reason };
                let offset = time.offset(end.offset);
                events.push(Event::new(handle, start + offset, kind));
            }
        }
        character
            .playback
            .actions
            .retain(|action| !action.is_over());
    }
}

fn advance_idle(
    handle: Handle,
    character: &mut Character,
    start: f64,
    dt: f64,
    events: &mut Vec<Event>,
) {
    let (None, Some(clip)) = (&character.playback.machine, character.definition.idle) else {
        return;
    };
    let is_hidden = character.body.is_down();
    let passed = character.time.passed(dt);
    let moved =
        character
            .playback
            .idle
            .advance(&character.playback.markers[clip], passed, |crossing| {
                let mut mark = marker_event(clip, &crossing, 1.0, CrossingSource::Idle);
                if is_hidden {
                    mark.outcome = Outcome::Suppressed(Reason::Down);
                }
                let time = start + crossing.tick_fraction * dt;
                events.push(Event::new(handle, time, EventKind::Marker(mark)));
            });
    if moved.dropped > 0 && character.playback.event_log.is_on() {
        let flood = flood_event(clip, CrossingSource::Idle, 1.0, moved.dropped);
        events.push(Event::new(handle, start + dt, flood));
    }
}

/// The data of an action that events of its markers need.
#[derive(Clone)]
pub(super) struct Played {
    id: u64,
    clip: usize,
    mirrored: bool,
    mask: Option<Arc<Mask>>,
    /// Reason why its events are suppressed.
    silence: Option<Reason>,
    /// Reason why an open interval ends early.
    cut_by: Reason,
}

impl From<&Action> for Played {
    fn from(action: &Action) -> Self {
        Self {
            id: action.id,
            clip: action.clip,
            mirrored: action.options.mirror,
            mask: action.options.mask.clone(),
            silence: None,
            cut_by: Reason::IntervalInterrupted,
        }
    }
}

pub(super) fn push(
    events: &mut Vec<Event>,
    character: Handle,
    time: f64,
    played: &Played,
    passed: &ActionCrossing,
    has_ledger: bool,
) {
    let silence = played.silence.or(passed.silence);
    let silence = silence.or(passed.leaving.then_some(Reason::Leaving));
    if silence.is_some() && !has_ledger {
        return;
    }
    let source = CrossingSource::Play(played.id);
    let mut mark = marker_event(played.clip, &passed.crossing, passed.weight, source);
    mark.mirrored = played.mirrored;
    mark.mask.clone_from(&played.mask);
    match silence {
        Some(reason) => mark.outcome = Outcome::Suppressed(reason),
        None if passed.crossing.interrupted => mark.outcome = Outcome::Interrupted(played.cut_by),
        None => {}
    }
    events.push(Event::new(character, time, EventKind::Marker(mark)));
}

/// Crossings dropped in one step, as one event for the ledger, after all others of the tick.
pub(super) fn flood_event(clip: usize, source: CrossingSource, weight: f32, n: u64) -> EventKind {
    let last = Crossing {
        marker: 0,
        phase: MarkerPhase::Point,
        interrupted: false,
        tick_fraction: 1.0,
        is_reversed: false,
    };
    EventKind::Marker(MarkerEvent {
        outcome: Outcome::Suppressed(Reason::Flood),
        n,
        ..marker_event(clip, &last, weight, source)
    })
}

impl Characters {
    /// Moves a playing action to `t` seconds of its clip. The events that this causes are in the next batch. Returns false
    /// when no such action plays.
    pub fn seek_action(
        &mut self,
        (handle, id): (Handle, u64),
        t: f64,
        how: Seek,
        time: f64,
        events: &mut Vec<Event>,
    ) -> bool {
        let Some(character) = self.get_mut(handle) else {
            return false;
        };
        let has_ledger = character.playback.event_log.is_on();
        let of = |action: &&mut Action| action.id == id && action.leaving.is_none();
        let Some(action) = character.playback.actions.iter_mut().find(of) else {
            return false;
        };
        let marks = &character.playback.markers[action.clip];
        let duration = character.definition.clips.duration(action.clip);
        let played = Played {
            cut_by: Reason::Seek,
            ..Played::from(&*action)
        };
        let before = action.clone();
        action.seek(marks, duration, t, how, |mut passed| {
            passed.crossing.tick_fraction = 0.0;
            push(events, handle, time, &played, &passed, has_ledger);
        });
        if how == Seek::Silent && has_ledger {
            // Records skipped markers; an interval once, by its beginning.
            let mut jumped = before;
            let again = &mut jumped;
            let played = Played {
                silence: Some(Reason::Seek),
                ..played
            };
            again.seek(marks, duration, t, Seek::FireSkipped, |passed| {
                if passed.crossing.phase != MarkerPhase::End {
                    push(events, handle, time, &played, &passed, true);
                }
            });
        }
        true
    }
}

/// Sets the positions of marker events, sorts all events and enters the markers in the ledgers.
pub(super) fn locate_events(
    events: &mut [Event],
    characters: &mut Arena<Character>,
    floor: &Floor,
    order: &mut Vec<(f64, u8, u32)>,
) {
    for event in &mut *events {
        let Some(character) = characters.get(event.character) else {
            continue;
        };
        let mark = event.named(character).marker;
        let EventKind::Marker(event_mark) = &event.kind else {
            continue;
        };
        let bone = mark.and_then(|mark| marker_bone(character, mark, event_mark.mirrored));
        let is_step = mark.is_some_and(|mark| mark.event == STEP);
        let EventKind::Marker(event_mark) = &mut event.kind else {
            continue;
        };
        // A layer or action reports no markers of bones that it does not move.
        let is_reported = !matches!(event_mark.outcome, Outcome::Suppressed(_));
        let left_out = |bone| event.names.is_none() && leaves_out(character, event_mark, bone);
        if event_mark.outcome == Outcome::Suppressed(Reason::LayerWeightZero)
            && character.body.is_down()
        {
            event_mark.outcome = Outcome::Suppressed(Reason::Down);
        } else if is_reported && bone.is_some_and(left_out) {
            event_mark.outcome = Outcome::Suppressed(Reason::Masked);
        } else if is_reported && is_step && reports_steps(character) {
            event_mark.outcome = Outcome::Suppressed(Reason::FootIkSteps);
        }
        event_mark.position = match bone {
            Some(bone) => character.posed.bone_position(bone),
            None => character.posed.world[0].translation.into(),
        };
        event_mark.surface = Some(floor.surface_at(event_mark.position).clone());
        if !matches!(event_mark.source, CrossingSource::Play(_)) {
            let below = weight_below_actions(character);
            event_mark.weight *= below;
            event_mark.has_max_weight &= below >= 0.5;
        }
    }
    put_in_order(events, order);
    for event in events {
        let Some(character) = characters.get_mut(event.character) else {
            continue;
        };
        let interval = event.interval(character);
        let EventKind::Marker(mark) = &mut event.kind else {
            continue;
        };
        let entry = EventLogEntry {
            names: event.names.clone(),
            time: event.time,
            clip: mark.clip as u32,
            marker: mark.marker as u32,
            phase: mark.phase,
            weight: mark.weight,
            source: mark.source,
            outcome: match mark.outcome {
                Outcome::Fired if !mark.has_max_weight => Outcome::Suppressed(Reason::LowerWeight),
                outcome => outcome,
            },
            occurrences: mark.n,
            beginning: None,
        };
        mark.entry = character.playback.event_log.record(entry, interval);
    }
}

/// Sorts by time, then by rank; stable. `order` is a scratch buffer.
fn put_in_order(events: &mut [Event], order: &mut Vec<(f64, u8, u32)>) {
    order.clear();
    let keys = events.iter().zip(0..);
    order.extend(keys.map(|(event, i)| (event.time, event.kind.rank(), i)));
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    for at in 0..events.len() {
        // The event that belongs here may have been swapped away: follow the swaps.
        let mut from = order[at].2 as usize;
        while from < at {
            from = order[from].2 as usize;
        }
        events.swap(at, from);
    }
}

/// Weight of the layers below the full-body actions, 0..=1.
fn weight_below_actions(character: &Character) -> f32 {
    let clips = &character.definition.clips;
    let actions = character.playback.actions.iter();
    actions
        .filter(|action| action.options.mask.is_none())
        .map(|action| 1.0 - action.weight(clips.duration(action.clip)))
        .product()
}

/// Returns true if the leg solver of a character reports its steps.
fn reports_steps(character: &Character) -> bool {
    let stack = character.modifiers.modifier_stack.as_ref();
    stack.is_some_and(|stack| stack.emits_steps())
}

/// Returns true if the mask of the marker's source leaves a bone out.
fn leaves_out(character: &Character, mark: &MarkerEvent, bone: u16) -> bool {
    let mask = match (mark.source, &character.playback.machine) {
        (CrossingSource::Machine { layer, .. }, Some((machine, _))) => machine.mask(layer.into()),
        _ => mark.mask.as_deref(),
    };
    mask.is_some_and(|mask| mask.bones.get(usize::from(bone)) == Some(&0.0))
}

/// The bone that a marker names: its field `bone`, or the foot of its field `foot`.
fn marker_bone(character: &Character, mark: &Marker, mirrored: bool) -> Option<u16> {
    let text = |name: &str| {
        mark.fields.iter().find_map(|(field, value)| match value {
            MarkerValue::Text(text) if field == name => Some(text.as_str()),
            _ => None,
        })
    };
    if let Some(bone) = text("bone") {
        return character.definition.bone(bone);
    }
    match (text("foot")?, mirrored) {
        ("left", false) | ("right", true) => character.definition.feet[0],
        ("right", false) | ("left", true) => character.definition.feet[1],
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_character::EndReason;

    #[test]
    fn events_are_ordered_as_a_stable_sort_orders_them() {
        let mut order = Vec::new();
        let mut rng = super::super::Rng::new(7);
        let character = super::super::Arena::default().insert(());
        for n in [0, 1, 2, 3, 30, 500] {
            let mut events: Vec<Event> = (0..n)
                .map(|id| {
                    let time = rng.below(5) as f64;
                    let reason = [EndReason::End, EndReason::Stopped][rng.below(2)];
                    Event::new(character, time, EventKind::ActionEnd { id, reason })
                })
                .collect();
            let mut expected = events.clone();
            expected.sort_by(|a, b| {
                let rank = |event: &Event| event.kind.rank();
                a.time.total_cmp(&b.time).then(rank(a).cmp(&rank(b)))
            });
            put_in_order(&mut events, &mut order);
            assert_eq!(events, expected);
        }
    }
}
