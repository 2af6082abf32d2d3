//! Checks of events: their names, and the fields of their tables.

use mlua::{Table, Value};

use super::event_types::{ANY_FIELD, EVENTS, MARKER_EVENT};
use super::renamed::renamed_event;
use galatea_character::Character;
use galatea_math::names::nearest_hint;

/// Checks the table of an event against its shape.
///
/// # Errors
/// Returns an error for an unknown field, a field of the wrong type, or a missing required field.
pub(super) fn check_event(name: &str, is_mark: bool, table: &Table) -> Result<(), String> {
    let own = EVENTS.iter().find(|event| event.names.contains(&name));
    let shape = match own {
        // A marker can have the same name as an event.
        _ if is_mark => MARKER_EVENT,
        Some(event) => event.shape,
        None => return Err("not in the table of events".into()),
    };
    for pair in table.pairs::<String, Value>() {
        let (key, value) = pair.map_err(|error| error.to_string())?;
        let field = shape.field(&key).or_else(|| shape.field(ANY_FIELD.name));
        let field = field.ok_or_else(|| format!("field {key:?} is not declared"))?;
        field
            .check(&value)
            .map_err(|wrong| format!("field {key:?}: {wrong}"))?;
    }
    let required = shape.all().into_iter().filter(|field| field.is_required);
    for field in required.filter(|field| field.name != ANY_FIELD.name) {
        if table
            .raw_get::<Value>(field.name)
            .is_ok_and(|value| value.is_nil())
        {
            return Err(format!("field {:?} is missing", field.name));
        }
    }
    Ok(())
}

/// Names of the events that every character emits, and `*` for all events.
fn own_events<'a>() -> impl Iterator<Item = &'a str> {
    let names = EVENTS.iter().flat_map(|event| event.names);
    names.copied().chain(["*"])
}

/// Checks the name of an event. A listener for a marker that no clip has is almost always a typing error, or is added before
/// `add_marker` is called.
///
/// # Errors
/// Returns a message with the nearest valid name.
pub(crate) fn check_event_name(character: &Character, event: &str) -> Result<(), String> {
    let marks = || {
        let lists = character.playback.markers.iter();
        lists.flat_map(|marks| marks.iter().map(|mark| mark.event.as_str()))
    };
    if own_events().any(|own| own == event) || marks().any(|name| name == event) {
        return Ok(());
    }
    if let Some(renamed) = renamed_event(event) {
        return Err(renamed);
    }
    let means_end = |word: &str| ["done", "end", "ended", "finished", "complete"].contains(&word);
    let hint = match event.rsplit(['_', ' ']).next() {
        Some(word) if means_end(word) => "; did you mean \"clip_end\"?".to_owned(),
        _ => nearest_hint(event, marks().chain(own_events())),
    };
    Err(format!(
        "the character {:?} has no event or marker {event:?}{hint}",
        character.shown_name()
    ))
}
