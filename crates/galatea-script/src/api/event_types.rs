//! Events of characters, and the shapes of the tables that listeners receive. `events` builds the tables.

use mlua::{Table, Value};

use super::check::{Field, Shape, Type};
use super::renamed::renamed_event;
use galatea_character::Character;
use galatea_math::names::nearest_hint;

/// Events with the same shape of their tables.
pub struct EventType {
    /// Names of the events.
    pub names: &'static [&'static str],
    /// Shape of the table that listeners receive.
    pub shape: &'static Shape,
}

/// A field that is always present.
const fn has(name: &'static str, ty: Type, doc: &'static str) -> Field {
    Field {
        is_required: true,
        ..Field::new(name, ty, doc)
    }
}

/// A field that may be nil.
const fn may_have(name: &'static str, ty: Type, doc: &'static str) -> Field {
    Field::new(name, ty, doc)
}

/// Fields that the table of every event has.
pub static EVENT: Shape = Shape {
    name: "Event",
    doc: "Table that listeners get with every event",
    fields: &[
        has("name", Type::Text, "name of the event"),
        has(
            "time",
            Type::Number,
            "time of the event, as in `now()`, seconds",
        ),
        has(
            "character",
            Type::Object("Character"),
            "character that emits the event",
        ),
        may_have(
            "state",
            Type::Text,
            "state of the machine that the event is about",
        ),
        may_have("layer", Type::Text, "layer of that state"),
    ],
    includes: &[],
    entries: None,
};

macro_rules! shape {
    ($static:ident, $name:literal, $doc:literal, [$($field:expr),* $(,)?]) => {
        static $static: Shape = Shape {
            name: $name,
            doc: $doc,
            fields: &[$($field),*],
            includes: &[&EVENT],
            entries: None,
        };
    };
}

const POSITION: Field = has("position", Type::Vector, "world position, metres");
const NORMAL: Field = has("normal", Type::Vector, "normal of the surface there");
const SURFACE: Field = has("surface", Type::Text, "name of the surface, or \"\"");
const SPEED: Field = has("speed", Type::Number, "metres per second");
const OTHER: Field = may_have(
    "other",
    Type::Object("Character"),
    "the other character or prop",
);
const LINE: Field = has("line", Type::Number, "number of the line");
const DURATION: Field = has("duration", Type::Number, "duration, seconds");
const ANY_FIELD: Field = has("[string]", Type::Any, "further fields");

shape!(
    STATE,
    "StateEvent",
    "A state is entered or left, or its clip has ended",
    [
        may_have("from", Type::Text, "of state_enter: the previous state"),
        may_have("to", Type::Text, "of state_exit: the next state"),
    ]
);
shape!(
    WARP,
    "WarpEvent",
    "A motion warp is over",
    [has("reason", Type::Text, "reason for the end")]
);
shape!(
    HIT,
    "HitEvent",
    "The character was hit",
    [
        may_have("bone", Type::Text, "the bone that was hit"),
        has("reaction", Type::Text, "reaction of the body"),
        has("impulse", Type::Vector, "newton seconds"),
        POSITION,
        has("damage", Type::Number, "damage of the hit"),
    ]
);
shape!(
    FALL_DOWN,
    "FallEvent",
    "The body falls, comes to rest, gets up, stands again or dies",
    [may_have(
        "posture",
        Type::Text,
        "of settle and get_up: posture on the ground"
    ),]
);
shape!(
    TOUCH,
    "TouchEvent",
    "A collider touches the character, or no longer does",
    [
        OTHER,
        has("sensor", Type::Bool, "true if one of the two is a sensor"),
        POSITION,
        NORMAL,
        SPEED,
        has("impulse", Type::Number, "newton seconds"),
        SURFACE,
    ]
);
shape!(
    STICK,
    "StickEvent",
    "A prop that sticks pierced a surface",
    [
        OTHER,
        may_have(
            "bone",
            Type::Text,
            "bone of the other character to which it is fixed"
        ),
        POSITION,
        SPEED,
    ]
);
shape!(
    WALK,
    "ControllerEvent",
    "The controller jumped, fell, landed, stepped up, slid or bumped into an obstacle",
    [
        may_have(
            "speed",
            Type::Number,
            "of jump, land and bump, metres per second"
        ),
        may_have("height", Type::Number, "of land and step_up, metres"),
        may_have("slope", Type::Number, "of slide, degrees"),
        OTHER,
        may_have("position", Type::Vector, "world position, metres"),
        may_have("normal", Type::Vector, "normal of the surface there"),
        may_have("surface", Type::Text, "name of the surface, or \"\""),
        has("source", Type::Text, "\"controller\""),
    ]
);
shape!(
    STEP,
    "StepEvent",
    "A foot touches the ground",
    [
        may_have("clip", Type::Text, "of a marker: name of the clip"),
        may_have("foot", Type::Text, "name of the leg"),
        POSITION,
        may_have("normal", Type::Vector, "normal of the ground"),
        may_have(
            "speed",
            Type::Number,
            "of the foot itself, metres per second"
        ),
        has("weight", Type::Number, "blend weight, 0 to 1"),
        SURFACE,
        may_have(
            "next_position",
            Type::Vector,
            "position of the next step, metres"
        ),
        may_have(
            "time_to_next",
            Type::Number,
            "time until the next step, seconds"
        ),
        has(
            "source",
            Type::Text,
            "\"foot_ik\", or the source of the marker"
        ),
        ANY_FIELD,
    ]
);
shape!(
    USE,
    "UseEvent",
    "A character uses a prop; used: another character uses this prop",
    [
        OTHER,
        has("interaction", Type::Text, "name of the interaction"),
        has(
            "phase",
            Type::Text,
            "\"reach\", \"hold\", \"release\" or \"end\""
        ),
    ]
);
shape!(
    SAY,
    "SayEvent",
    "A line begins",
    [LINE, has("text", Type::Text, "text of the line"), DURATION,]
);
shape!(
    WORD,
    "WordEvent",
    "A word of a line begins",
    [
        LINE,
        has("word", Type::Text, "the word"),
        has("index", Type::Number, "number of the word in the line"),
        DURATION,
    ]
);
shape!(
    PHONE,
    "PhonemeEvent",
    "A phoneme of a line begins",
    [LINE, has("phoneme", Type::Text, "the phoneme"), DURATION,]
);
shape!(
    CUE,
    "CueEvent",
    "A line reaches a cue in its text",
    [LINE, has("cue", Type::Text, "name of the cue"), ANY_FIELD,]
);
shape!(
    SAID,
    "SayEndEvent",
    "A line is over",
    [
        LINE,
        has("reason", Type::Text, "reason for the end"),
        has(
            "spoken_time",
            Type::Number,
            "spoken part of the line, seconds"
        ),
    ]
);
shape!(
    MARK,
    "MarkEvent",
    "Playback of a clip passes a marker",
    [
        has("clip", Type::Text, "name of the clip"),
        has("weight", Type::Number, "blend weight of the clip, 0 to 1"),
        POSITION,
        SURFACE,
        has("source", Type::Text, "\"machine\", \"play\" or \"idle\""),
        has(
            "marker_phase",
            Type::Text,
            "\"point\", \"begin\" or \"end\""
        ),
        may_have("duration", Type::Number, "of an interval, seconds"),
        may_have(
            "interrupted",
            Type::Bool,
            "of an interval: true if it ended early"
        ),
        has(
            "is_reversed",
            Type::Bool,
            "true if the clip plays backwards"
        ),
        has(
            "tick_fraction",
            Type::Number,
            "fraction of the tick at which it was passed, 0 to 1"
        ),
        ANY_FIELD,
    ]
);

shape!(
    ANY,
    "AnyEvent",
    "Any event; its fields depend on its name",
    [ANY_FIELD]
);

/// An event of a conversation, without the fields of other events.
pub static CONVERSATION: Shape = Shape {
    name: "ConversationEvent",
    doc: "A turn of a conversation begins or ends, or the conversation ends",
    fields: &[
        has("name", Type::Text, "\"turn\", \"turn_end\" or \"end\""),
        has(
            "time",
            Type::Number,
            "time of the event, as in `now()`, seconds",
        ),
        may_have("turn", Type::Number, "number of the turn"),
        may_have("speaker", Type::Text, "name of the speaker"),
        may_have("to", Type::Text, "name of the addressee"),
        may_have("character", Type::Object("Character"), "the speaker"),
        may_have("text", Type::Text, "of turn: the line without marks"),
        may_have(
            "reason",
            Type::Text,
            "of turn_end and end: reason for the end",
        ),
    ],
    includes: &[],
    entries: None,
};

/// Shapes that are only referenced by type strings.
pub(super) const SHAPES: &[&Shape] = &[&CONVERSATION, LEDGER_ENTRY];

/// Events that every character emits.
pub static EVENTS: &[EventType] = &[
    EventType {
        names: &["state_enter", "state_exit", "state_end"],
        shape: &STATE,
    },
    EventType {
        names: &["warp_end"],
        shape: &WARP,
    },
    EventType {
        names: &["touch", "touch_end"],
        shape: &TOUCH,
    },
    EventType {
        names: &["stick"],
        shape: &STICK,
    },
    EventType {
        names: &["hit"],
        shape: &HIT,
    },
    EventType {
        names: &["knock_down", "settle", "get_up", "get_up_end", "die"],
        shape: &FALL_DOWN,
    },
    EventType {
        names: &[
            "jump",
            "fall",
            "land",
            "step_up",
            "slide",
            "slide_end",
            "bump",
        ],
        shape: &WALK,
    },
    EventType {
        names: &["step"],
        shape: &STEP,
    },
    EventType {
        names: &["use", "used"],
        shape: &USE,
    },
    EventType {
        names: &["say"],
        shape: &SAY,
    },
    EventType {
        names: &["word"],
        shape: &WORD,
    },
    EventType {
        names: &["phoneme"],
        shape: &PHONE,
    },
    EventType {
        names: &["cue"],
        shape: &CUE,
    },
    EventType {
        names: &["say_end"],
        shape: &SAID,
    },
];

/// Shape of the table for markers; their events can have any name.
pub static MARK_EVENT: &Shape = &MARK;

/// Shape of the table for listeners to `*`, which receive all events.
pub static ANY_EVENT: &Shape = &ANY;

/// An entry of the event log, see `hero:event_log`.
pub static LEDGER_ENTRY: &Shape = &Shape {
    name: "EventLogEntry",
    doc: "Record of a marker that playback passed, and its outcome",
    fields: &[
        has(
            "number",
            Type::Number,
            "number of the entry, counted from the first recorded one",
        ),
        has(
            "time",
            Type::Number,
            "time at which it was passed, as in `now()`, seconds",
        ),
        may_have("name", Type::Text, "name of the marker"),
        may_have("clip", Type::Text, "name of the clip"),
        has(
            "marker",
            Type::Number,
            "number of the marker on the clip; less than 0 for a marker that was removed since",
        ),
        has(
            "marker_phase",
            Type::Text,
            "\"point\", \"begin\" or \"end\"",
        ),
        has("weight", Type::Number, "blend weight of the clip, 0 to 1"),
        has("source", Type::Text, "\"machine\", \"play\" or \"idle\""),
        may_have("play", Type::Number, "number of the play"),
        may_have("layer", Type::Text, "layer of the machine"),
        may_have("state", Type::Text, "state of the machine"),
        may_have(
            "playback_id",
            Type::Number,
            "number of this playback of the clip in the machine",
        ),
        has(
            "outcome",
            Type::Text,
            "\"fired\", \"suppressed\" or \"interrupted\"",
        ),
        may_have("reason", Type::Text, "reason for which it was not fired"),
        has(
            "occurrences",
            Type::Number,
            "number of markers that the entry represents",
        ),
    ],
    includes: &[],
    entries: None,
};

/// Checks the table of an event against its shape.
///
/// # Errors
/// Returns an error for an unknown field, a field of the wrong type, or a missing required field.
pub(super) fn check_event(name: &str, is_mark: bool, table: &Table) -> Result<(), String> {
    let own = EVENTS.iter().find(|event| event.names.contains(&name));
    let shape = match own {
        // A marker can have the same name as an event.
        _ if is_mark => MARK_EVENT,
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
        let lists = character.playback.marks.iter();
        lists.flat_map(|marks| marks.iter().map(|mark| mark.event.as_str()))
    };
    if own_events().any(|own| own == event) || marks().any(|name| name == event) {
        return Ok(());
    }
    if let Some(renamed) = renamed_event(event) {
        return Err(renamed);
    }
    let hint = nearest_hint(event, marks().chain(own_events()));
    Err(format!(
        "{} has no event or marker {event:?}{hint}",
        character.definition.model.name
    ))
}
