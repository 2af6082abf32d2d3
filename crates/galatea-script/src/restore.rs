//! State of listeners and parameters that is restored after a hot reload of the script or a model.

use std::rc::Rc;

use mlua::Value;

use super::api::check::number;
use super::listeners::Listeners;
use super::machines::Machines;
use galatea_anim::{Interval, MarkerPhase, Outcome};
use galatea_character::Character;
use galatea_stage::{EventKind, Handle, Stage};

/// Restores the values of parameters that both versions of the script have. If the main part of the new version sets
/// another value than the main part of the old one did, the new value wins.
pub(super) fn restore_params(machines: &mut Machines, old: &Machines) {
    for (handle, params) in &mut machines.params {
        // No script code runs now that could hold a second reference.
        let Some(params) = Rc::get_mut(params) else {
            continue;
        };
        params.note_written();
        let Some(was) = old.params.get(handle) else {
            continue;
        };
        for (param, written) in params.declared.iter().zip(&params.written) {
            let name = param.name.as_str();
            let at = was.declared.iter().position(|known| known.name == name);
            let before = at.and_then(|at| was.written.get(at));
            let value = was.value(name);
            if before.is_some_and(|before| is_same(before, written))
                && is_same_type(&value, written)
            {
                // Setting a key that exists in the table cannot fail.
                let _ = params.table.raw_set(name, value);
            }
        }
    }
}

/// Makes the listeners of a new script version hear the ends of intervals that are open or that end with the old
/// version.
pub(super) fn restore_open_intervals(listeners: &mut Listeners, stage: &Stage) {
    for (handle, handlers) in &mut listeners.characters {
        let Some(character) = stage.characters.get(*handle) else {
            continue;
        };
        let open = open_intervals(stage, *handle, character);
        for handler in handlers {
            let asked = open
                .iter()
                .filter(|(event, _)| handler.event == *event || handler.event == "*");
            handler.heard_intervals = asked.map(|(_, interval)| *interval).collect();
        }
    }
}

/// Open intervals of a character, by event name.
fn open_intervals(stage: &Stage, handle: Handle, character: &Character) -> Vec<(String, Interval)> {
    let mut open = Vec::new();
    character
        .playback
        .each_open(&character.definition, |source, clip, mark| {
            if let Some(mark) = character
                .playback
                .markers
                .get(clip)
                .and_then(|marks| marks.get(mark))
            {
                let clip = character.definition.clips.clip_name(clip);
                let interval = Interval::new(source, clip, &mark.event, None);
                open.push((mark.event.clone(), interval));
            }
        });
    for event in stage.events.iter().filter(|e| e.character == handle) {
        let named = event.named(character);
        let (EventKind::Marker(told), Some(mark)) = (&event.kind, named.marker) else {
            continue;
        };
        if matches!(told.outcome, Outcome::Suppressed(_)) {
            continue;
        }
        let interval = Interval::new(told.source, named.clip, &mark.event, None);
        match told.phase {
            MarkerPhase::Point => {}
            MarkerPhase::End => open.push((mark.event.clone(), interval)),
            MarkerPhase::Begin => {
                if let Some(at) = open.iter().position(|(_, known)| *known == interval) {
                    open.swap_remove(at);
                }
            }
        }
    }
    open
}

fn is_same_type(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Boolean(_), Value::Boolean(_)) => true,
        (a, b) => number(a).is_some() && number(b).is_some(),
    }
}

fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Boolean(a), Value::Boolean(b)) => a == b,
        (a, b) => is_same_type(a, b) && number(a) == number(b),
    }
}
