//! Markers that scripts add to clips and remove while the clips play. Playback, pending events and ledger entries stay
//! complete and keep their names.

use std::sync::Arc;

use super::event::{Event, EventKind, MarkerEvent};
use super::marker_events::{Played, marker_event, push};
use super::steps::machine_event;
use super::{Characters, Handle, Ids};
use galatea_anim::{Crossing, CrossingNames, CrossingSource, Marker};
use galatea_character::{Action, Character, EndReason, PlaySettings, ScriptMarkerError};
use galatea_machine::{Clips, Crossed, Happening, STEP, bind, close, rebind};

impl Characters {
    /// Adds a marker to a clip of a character. The returned number is for [`Characters::remove_marker`]. Playback continues
    /// where it is.
    ///
    /// # Errors
    /// When the clip has the maximum number of intervals, or the script the maximum number of markers.
    pub fn add_marker(
        &mut self,
        ids: &mut Ids,
        (handle, clip): (Handle, usize),
        mark: Marker,
        time: f64,
        events: &mut Vec<Event>,
    ) -> Result<u64, ScriptMarkerError> {
        let id = ids.new_id();
        let character = self.get_mut(handle).ok_or(ScriptMarkerError::InvalidTime)?;
        let steps = mark.event == STEP || has_steps(character, clip);
        let at = character
            .playback
            .add_marker(&character.definition, clip, mark, id)?;
        character
            .playback
            .event_log
            .marker_added(clip as u32, at as u32);
        for (_, mark) in pending_markers(events, handle, clip) {
            mark.marker += usize::from(mark.marker >= at);
        }
        if steps {
            rebind_markers(character, handle, time, events);
        }
        Ok(id)
    }

    /// Removes an added marker. If it is an open interval, the interval ends as cut. Returns false when the marker is gone
    /// already.
    pub fn remove_marker(
        &mut self,
        handle: Handle,
        id: u64,
        time: f64,
        events: &mut Vec<Event>,
    ) -> bool {
        let Some(character) = self.get_mut(handle) else {
            return false;
        };
        let known = |character: &Character| {
            let mut marks = character.playback.script_markers.iter();
            marks.position(|known| known.id == id)
        };
        if let Some((clip, mark)) = character.playback.find_marker(&character.definition, id) {
            let steps = has_steps(character, clip);
            close_interval(character, handle, [clip, mark], time, events);
            let mut ledger = std::mem::take(&mut character.playback.event_log);
            let names = |source: CrossingSource| {
                Arc::new(CrossingNames {
                    removed: Some(id),
                    ..character
                        .playback
                        .marker_names(&character.definition, clip, mark, source)
                        .kept()
                })
            };
            for (kept, event) in pending_markers(events, handle, clip) {
                if event.marker == mark {
                    *kept = Some(names(event.source));
                }
                event.marker -= usize::from(event.marker > mark);
            }
            let at = [clip as u32, mark as u32];
            ledger.name(|entry| {
                let speaks = [entry.clip, entry.marker] == at;
                speaks.then(|| names(entry.source))
            });
            ledger.marker_removed(at[0], at[1]);
            character.playback.event_log = ledger;
            Arc::make_mut(&mut character.playback.markers[clip]).remove(mark);
            if steps {
                rebind_markers(character, handle, time, events);
            }
        }
        let position = known(character);
        position
            .map(|position| character.playback.script_markers.remove(position))
            .is_some()
    }

    /// Plays a clip of a character over its machine, see [`Playback::play`](galatea_character::Playback::play). `id` names
    /// the action. If another action has to end to make room, that end is reported.
    pub fn play(
        &mut self,
        (handle, id): (Handle, u64),
        clip: usize,
        options: PlaySettings,
        time: f64,
        events: &mut Vec<Event>,
    ) {
        if let Some(character) = self.get_mut(handle) {
            let playback = &mut character.playback;
            let removed = playback.play(&character.definition, id, clip, options);
            end_removed(character, handle, removed, time, events);
        }
    }

    /// Makes room for one more action, see [`Playback::make_room`](galatea_character::Playback::make_room). The end of an
    /// action that makes room is reported.
    pub(crate) fn make_room_for_action(
        &mut self,
        handle: Handle,
        time: f64,
        events: &mut Vec<Event>,
    ) {
        if let Some(character) = self.get_mut(handle) {
            let removed = character.playback.make_room();
            end_removed(character, handle, removed, time, events);
        }
    }
}

/// Reports the end of an action that was removed from its character.
fn end_removed(
    character: &Character,
    handle: Handle,
    removed: Option<Action>,
    time: f64,
    events: &mut Vec<Event>,
) {
    let Some(mut action) = removed else {
        return;
    };
    let (clip, played) = (action.clip, Played::from(&action));
    let duration = character.definition.clips.duration(clip);
    let has_ledger = character.playback.event_log.is_on();
    let marks = &character.playback.markers[clip];
    let end = action.end(marks, duration, EndReason::Interrupted, |passed| {
        push(events, handle, time, &played, &passed, has_ledger);
    });
    if let Some(end) = end {
        let (id, reason) = (end.id, end.reason);
        let kind = EventKind::ActionEnd { id, reason };
        events.push(Event::new(handle, time, kind));
    }
}

/// Pending events on the markers of a clip: their marker indices and stored names.
fn pending_markers(
    events: &mut [Event],
    handle: Handle,
    clip: usize,
) -> impl Iterator<Item = (&mut Option<Arc<CrossingNames>>, &mut MarkerEvent)> {
    let pending_markers = events
        .iter_mut()
        .filter(move |event| event.character == handle);
    pending_markers.filter_map(move |event| match &mut event.kind {
        EventKind::Marker(mark) if mark.clip == clip && event.names.is_none() => {
            Some((&mut event.names, mark))
        }
        _ => None,
    })
}

/// Returns true if the clip has footstep markers, the only ones that a machine is bound to.
fn has_steps(character: &Character, clip: usize) -> bool {
    let marks = character.playback.markers.get(clip);
    marks.is_some_and(|marks| marks.iter().any(|mark| mark.event == STEP))
}

/// Binds a character's machine to changed markers.
fn rebind_markers(character: &mut Character, handle: Handle, time: f64, events: &mut Vec<Event>) {
    let Some((machine, state)) = &mut character.playback.machine else {
        return;
    };
    let set = &character.definition.clips;
    // Binding succeeded before and does not depend on markers, so it succeeds again.
    let Ok(bound) = bind(&machine.def, set, &character.playback.markers) else {
        return;
    };
    let clips = Clips {
        set,
        markers: &character.playback.markers,
    };
    let has_ledger = character.playback.event_log.is_on();
    rebind(state, machine, &bound, clips, &mut |crossed| {
        emit(crossed, handle, time, has_ledger, events);
    });
    *machine = Arc::new(bound);
}

/// Ends an interval wherever it is open on a clip of a character.
fn close_interval(
    character: &mut Character,
    handle: Handle,
    [clip, mark]: [usize; 2],
    time: f64,
    events: &mut Vec<Event>,
) {
    let has_ledger = character.playback.event_log.is_on();
    let marks = &character.playback.markers[clip];
    if let Some((machine, state)) = &mut character.playback.machine {
        let clips = Clips {
            set: &character.definition.clips,
            markers: &character.playback.markers,
        };
        close(state, machine, clips, [clip, mark], &mut |crossed| {
            emit(crossed, handle, time, has_ledger, events);
        });
    }
    let duration = character.definition.clips.duration(clip);
    for action in character
        .playback
        .actions
        .iter_mut()
        .filter(|a| a.clip == clip)
    {
        if let Some(passed) = action.close(marks, duration, mark) {
            push(
                events,
                handle,
                time,
                &Played::from(&*action),
                &passed,
                has_ledger,
            );
        }
    }
    if character.definition.idle == Some(clip)
        && let Some(crossing) = character.playback.idle.close(marks, mark)
    {
        emit_idle(clip, &crossing, handle, time, events);
    }
}

fn emit_idle(clip: usize, crossing: &Crossing, handle: Handle, time: f64, events: &mut Vec<Event>) {
    let mark = marker_event(clip, crossing, 1.0, CrossingSource::Idle);
    events.push(Event::new(handle, time, EventKind::Marker(mark)));
}

fn emit(crossed: Crossed, handle: Handle, time: f64, has_ledger: bool, events: &mut Vec<Event>) {
    if let Some((_, kind)) = machine_event(Happening::Marker(crossed), 0.0, has_ledger) {
        events.push(Event::new(handle, time, kind));
    }
}
