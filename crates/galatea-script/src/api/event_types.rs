//! The events that every character has, and the tables that listeners get with them. `events` makes the tables.

use mlua::{Table, Value};

use super::check::{Field, Shape, Type};
use galatea_character::Character;
use galatea_math::names::nearest_hint;

/// Events whose listeners get tables of one shape.
pub struct EventType {
    /// Names of the events.
    pub names: &'static [&'static str],
    /// What listeners get.
    pub shape: &'static Shape,
}

/// A field that is always there.
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

/// What is in the table of every event.
static EVENT: Shape = Shape {
    name: "Event",
    doc: "What listeners get with every event",
    fields: &[
        has("name", Type::Text, "name of the event"),
        has("time", Type::Number, "when it was, in seconds of the stage"),
        has("character", Type::Object("Character"), "whose event it is"),
        may_have(
            "state",
            Type::Text,
            "the state of the machine that it is about",
        ),
        may_have("layer", Type::Text, "the layer of that state"),
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

const POSITION: Field = has("position", Type::Vector, "where, in the world, metres");
const NORMAL: Field = has("normal", Type::Vector, "normal of the surface there");
const SURFACE: Field = has(
    "surface",
    Type::Text,
    "what the surface is made of, or \"\"",
);
const SPEED: Field = has("speed", Type::Number, "metres per second");
const OTHER: Field = may_have(
    "other",
    Type::Object("Character"),
    "the other character or prop",
);
const LINE: Field = has("line", Type::Number, "number of the line");
const SECONDS: Field = has("seconds", Type::Number, "how long it takes");
const ANY_FIELD: Field = has("[string]", Type::Any, "fields of its own");

shape!(
    STATE,
    "StateEvent",
    "A state is entered or left, or its clip has ended",
    [
        may_have("from", Type::Text, "of enter: the state before"),
        may_have("to", Type::Text, "of exit: the state after"),
    ]
);
shape!(
    WARP,
    "WarpEvent",
    "A motion warp is over",
    [has("reason", Type::Text, "why")]
);
shape!(
    HIT,
    "HitEvent",
    "The character was hit",
    [
        may_have("bone", Type::Text, "the bone that was hit"),
        has("reaction", Type::Text, "what the body does"),
        has("impulse", Type::Vector, "newton seconds"),
        POSITION,
        has("damage", Type::Number, "as it was given"),
    ]
);
shape!(
    FALL_DOWN,
    "BodyEvent",
    "The body falls, lies, gets up, stands or dies",
    [may_have(
        "lying",
        Type::Text,
        "of rest and get_up: how it lies"
    ),]
);
shape!(
    TOUCH,
    "TouchEvent",
    "Something solid touches the character, or no longer does",
    [
        OTHER,
        has("sensor", Type::Bool, "one of the two is a sensor"),
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
    "A thing that sticks went into something",
    [
        OTHER,
        may_have(
            "bone",
            Type::Text,
            "the bone of the other that it is held by"
        ),
        POSITION,
        SPEED,
    ]
);
shape!(
    WALK,
    "WalkEvent",
    "The controller jumped, fell, landed, stepped up, slid or met something",
    [
        may_have(
            "speed",
            Type::Number,
            "of jump, land and bump, metres per second"
        ),
        may_have("height", Type::Number, "of land and step_up, metres"),
        may_have("slope", Type::Number, "of slide, degrees"),
        OTHER,
        may_have("position", Type::Vector, "where, in the world, metres"),
        may_have("normal", Type::Vector, "normal of the surface there"),
        may_have(
            "surface",
            Type::Text,
            "what the surface is made of, or \"\""
        ),
        has("source", Type::Text, "\"controller\""),
    ]
);
shape!(
    STEP,
    "StepEvent",
    "A foot is put on the ground",
    [
        may_have("clip", Type::Text, "of a mark: name of the clip"),
        may_have("foot", Type::Text, "name of the leg"),
        POSITION,
        may_have("normal", Type::Vector, "normal of the ground"),
        may_have(
            "speed",
            Type::Number,
            "of the foot itself, metres per second"
        ),
        has("weight", Type::Number, "0 to 1"),
        SURFACE,
        may_have("next", Type::Vector, "where it will be put next, metres"),
        may_have("next_in", Type::Number, "seconds until then"),
        has(
            "source",
            Type::Text,
            "\"feet\", or what plays the clip with the mark"
        ),
        ANY_FIELD,
    ]
);
shape!(
    USE,
    "UseEvent",
    "A character uses a thing; used: the thing is used",
    [
        OTHER,
        has("handle", Type::Text, "name of the handle"),
        has("phase", Type::Text, "how far it is"),
    ]
);
shape!(
    SAY,
    "SayEvent",
    "A line begins",
    [LINE, has("text", Type::Text, "what is said"), SECONDS,]
);
shape!(
    WORD,
    "WordEvent",
    "A word of a line begins",
    [
        LINE,
        has("word", Type::Text, "the word"),
        has("index", Type::Number, "its number in the line"),
        SECONDS,
    ]
);
shape!(
    PHONE,
    "PhoneEvent",
    "A phone of a line begins",
    [LINE, has("phone", Type::Text, "the phone"), SECONDS,]
);
shape!(
    CUE,
    "CueEvent",
    "A line comes to a cue in its text",
    [LINE, has("cue", Type::Text, "name of the cue"), ANY_FIELD,]
);
shape!(
    SAID,
    "SaidEvent",
    "A line is over",
    [
        LINE,
        has("reason", Type::Text, "why"),
        has("at", Type::Number, "seconds of the line that were spoken"),
    ]
);
shape!(
    MARK,
    "MarkEvent",
    "The playing of a clip passes a mark",
    [
        has("clip", Type::Text, "name of the clip"),
        has("weight", Type::Number, "how much of the clip shows, 0 to 1"),
        POSITION,
        SURFACE,
        has("source", Type::Text, "\"machine\", \"play\" or \"idle\""),
        has("edge", Type::Text, "\"point\", \"begin\" or \"end\""),
        may_have("length", Type::Number, "of an interval, seconds"),
        may_have("cut", Type::Bool, "of an interval: it ended early"),
        has("reverse", Type::Bool, "the clip plays backwards"),
        has(
            "share",
            Type::Number,
            "part of the tick at which it was passed, 0 to 1"
        ),
        ANY_FIELD,
    ]
);

shape!(
    ANY,
    "AnyEvent",
    "Any event; which fields it has depends on its name",
    [ANY_FIELD]
);

/// An event of a conversation, which has fields of its own alone.
static CONVERSATION: Shape = Shape {
    name: "ConversationEvent",
    doc: "A turn of a conversation begins or ends, or the conversation ends",
    fields: &[
        has("name", Type::Text, "\"turn\", \"turn_end\" or \"end\""),
        has("time", Type::Number, "seconds of the stage"),
        may_have("turn", Type::Number, "number of the turn"),
        may_have("who", Type::Text, "name of the speaker"),
        may_have("to", Type::Text, "name of the addressee"),
        may_have("character", Type::Object("Character"), "the speaker"),
        may_have("text", Type::Text, "of turn: the line without marks"),
        may_have("reason", Type::Text, "of turn_end and end: the reason"),
    ],
    includes: &[],
    entries: None,
};

/// Shapes that only texts of types name.
pub(super) const SHAPES: &[&Shape] = &[&CONVERSATION, LEDGER_ENTRY];

/// What every character can tell.
pub static EVENTS: &[EventType] = &[
    EventType {
        names: &["enter", "exit", "end"],
        shape: &STATE,
    },
    EventType {
        names: &["warp"],
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
        names: &["down", "rest", "get_up", "stand", "die"],
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
        names: &["phone"],
        shape: &PHONE,
    },
    EventType {
        names: &["cue"],
        shape: &CUE,
    },
    EventType {
        names: &["said"],
        shape: &SAID,
    },
];

/// What listeners get with marks, which are events of any name.
pub static MARK_EVENT: &Shape = &MARK;

/// What is common to all events, for those who listen to `*`.
pub static ANY_EVENT: &Shape = &ANY;

/// An entry of a ledger of marks.
pub static LEDGER_ENTRY: &Shape = &Shape {
    name: "LedgerEntry",
    doc: "What became of a mark that was passed",
    fields: &[
        has(
            "number",
            Type::Number,
            "number of the entry, from the first that was recorded",
        ),
        has("time", Type::Number, "when it was, in seconds of the stage"),
        may_have("name", Type::Text, "name of the mark"),
        may_have("clip", Type::Text, "name of the clip"),
        has(
            "mark",
            Type::Number,
            "its number on the clip; less than 0 for one that was taken off since",
        ),
        has("edge", Type::Text, "\"point\", \"begin\" or \"end\""),
        has(
            "weight",
            Type::Number,
            "how much of the clip showed, 0 to 1",
        ),
        has("source", Type::Text, "\"machine\", \"play\" or \"idle\""),
        may_have("play", Type::Number, "number of the play"),
        may_have("layer", Type::Text, "layer of the machine"),
        may_have("state", Type::Text, "state of the machine"),
        may_have(
            "playing",
            Type::Number,
            "number of this playing of the clip in the machine",
        ),
        has(
            "outcome",
            Type::Text,
            "\"fired\", \"suppressed\" or \"cut\"",
        ),
        may_have("reason", Type::Text, "why it was not fired"),
        has("n", Type::Number, "how many it stands for"),
    ],
    includes: &[],
    entries: None,
};

/// Compares the table of an event with its shape.
///
/// # Errors
/// A field that the shape does not have, has with another type, or requires.
pub(super) fn check_event(name: &str, is_mark: bool, table: &Table) -> Result<(), String> {
    let own = EVENTS.iter().find(|event| event.names.contains(&name));
    let shape = match own {
        // A mark may have the name of an event.
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

/// Names of the events that every character has, and the name for all events.
fn own_events<'a>() -> impl Iterator<Item = &'a str> {
    let names = EVENTS.iter().flat_map(|event| event.names);
    names.copied().chain(["*"])
}

/// Checks the name of an event. A listener for a mark that no clip has is almost always a typing error, or stands before `mark`.
///
/// # Errors
/// What is wrong with it, with the nearest right name.
pub(crate) fn check_event_name(character: &Character, event: &str) -> Result<(), String> {
    let marks = || {
        let lists = character.playback.marks.iter();
        lists.flat_map(|marks| marks.iter().map(|mark| mark.event.as_str()))
    };
    if own_events().any(|own| own == event) || marks().any(|name| name == event) {
        return Ok(());
    }
    let hint = nearest_hint(event, marks().chain(own_events()));
    Err(format!(
        "{} has no mark {event:?}{hint}",
        character.definition.model.name
    ))
}
