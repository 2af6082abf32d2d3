//! Events of characters, and the shapes of the tables that listeners receive. `events` builds the tables.

use super::check::{Field, Shape, Type};

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
            "for events of a state or of its clip: name of the state",
        ),
        may_have(
            "layer",
            Type::Text,
            "for these events: layer of the machine",
        ),
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

const POSITION: Field = has(
    "position",
    Type::Vector,
    "position of the event in the world, metres",
);
const NORMAL: Field = has(
    "normal",
    Type::Vector,
    "direction away from the surface at `position`, with length 1",
);
const SURFACE: Field = has(
    "surface",
    Type::Text,
    "name of the surface (see `physics.surface`), or \"\" without one",
);
const SPEED: Field = has("speed", Type::Number, "impact speed, metres per second");
const OTHER: Field = may_have(
    "other",
    Type::Object("Character"),
    "the other character or prop; nil for the floor",
);
const LINE: Field = has(
    "line",
    Type::Number,
    "number that all events of this line have",
);
const DURATION: Field = has("duration", Type::Number, "duration, seconds");
pub(super) const ANY_FIELD: Field = has(
    "[string]",
    Type::Any,
    "further fields, which the file or the script has added",
);

shape!(
    STATE,
    "StateEvent",
    "The machine entered a state (`state_enter`), left a state (`state_exit`), or the clip of a state has ended (`state_end`)",
    [
        may_have(
            "from",
            Type::Text,
            "for `state_enter`: state that the machine left"
        ),
        may_have(
            "to",
            Type::Text,
            "for `state_exit`: state that the machine enters"
        ),
    ]
);
shape!(
    WARP,
    "WarpEvent",
    "A `motion_warp` of the character is over",
    [has(
        "reason",
        Type::Text,
        "\"arrived\", \"missed\" (no state with root motion played at the end) or \"replaced\" (by another warp)"
    )]
);
shape!(
    HIT,
    "HitEvent",
    "The character was hit, by `hero:hit` or by an object that flew into it",
    [
        may_have("bone", Type::Text, "name of the bone that was hit"),
        has(
            "reaction",
            Type::Text,
            "reaction of the character: \"none\", \"flinch\", \"brace\", \"stagger\" or \"fall\""
        ),
        has(
            "impulse",
            Type::Vector,
            "impulse of the hit (mass times change of velocity), newton seconds"
        ),
        POSITION,
        has("damage", Type::Number, "health that the hit takes, 0 to 1"),
        may_have(
            "other",
            Type::Object("Character"),
            "thing or character that hit, such as a thrown ball; nil for a hit by a script without `other`"
        ),
    ]
);
shape!(
    FALL_DOWN,
    "FallEvent",
    "The character begins to fall (`knock_down`), lies still (`settle`), begins to get up (`get_up`), stands again \
        (`get_up_end`) or has died (`die`)",
    [may_have(
        "posture",
        Type::Text,
        "for `settle` and `get_up`: how the character lies, \"face_up\", \"face_down\", \"side\" or \"upright\""
    ),]
);
shape!(
    TOUCH,
    "TouchEvent",
    "Another collider begins to touch the collider of the character or prop (`touch`), or no longer touches it (`touch_end`)",
    [
        OTHER,
        has(
            "sensor",
            Type::Bool,
            "true if one of the two colliders is a sensor, which stops nothing"
        ),
        POSITION,
        NORMAL,
        SPEED,
        has(
            "impulse",
            Type::Number,
            "strength of the impact, newton seconds: speed times the stopped mass"
        ),
        SURFACE,
    ]
);
shape!(
    STICK,
    "StickEvent",
    "A prop with `stick_on_hit`, such as an arrow, has stuck in a surface",
    [
        OTHER,
        may_have(
            "bone",
            Type::Text,
            "bone of the other character in which the prop sticks"
        ),
        POSITION,
        SPEED,
    ]
);
shape!(
    WALK,
    "ControllerEvent",
    "The controller of the character left the ground by a jump (`jump`) or without one (`fall`), landed (`land`), climbed a \
        step (`step_up`), began or stopped to slide on ground that is too steep (`slide`, `slide_end`), or walked into an \
        obstacle (`bump`)",
    [
        may_have(
            "speed",
            Type::Number,
            "for `jump`: speed upwards; for `land` and `bump`: speed of the impact (metres per second)"
        ),
        may_have(
            "height",
            Type::Number,
            "for `land`: height of the fall from its highest point; for `step_up`: height of \
            the step (metres)"
        ),
        may_have(
            "slope",
            Type::Number,
            "for `slide` and `slide_end`: slope of the ground, degrees"
        ),
        OTHER,
        may_have(
            "position",
            Type::Vector,
            "position of the contact in the world, metres; nil for `jump` and `fall`"
        ),
        may_have(
            "normal",
            Type::Vector,
            "direction away from the surface at `position`, with length 1"
        ),
        may_have(
            "surface",
            Type::Text,
            "name of the surface (see `physics.surface`), or \"\" without one"
        ),
        has("source", Type::Text, "\"controller\""),
    ]
);
shape!(
    STEP,
    "StepEvent",
    "A foot touches the ground. Foot IK emits this event; otherwise a marker named `step` of a clip emits it",
    [
        may_have("clip", Type::Text, "for a marker: name of the clip"),
        may_have(
            "foot",
            Type::Text,
            "name of the foot, such as \"left\" or \"front_left\""
        ),
        POSITION,
        may_have(
            "normal",
            Type::Vector,
            "direction away from the ground, with length 1"
        ),
        may_have(
            "speed",
            Type::Number,
            "speed of the foot when it touches the ground, metres per second"
        ),
        has("weight", Type::Number, "blend weight, 0 to 1"),
        SURFACE,
        may_have(
            "next_position",
            Type::Vector,
            "predicted position of the next step of this foot, metres"
        ),
        may_have(
            "time_to_next",
            Type::Number,
            "predicted time until the next step of this foot, seconds"
        ),
        has(
            "source",
            Type::Text,
            "origin of the event: \"foot_ik\", or for a marker the player of the clip, \"machine\", \"play\" or \"idle\""
        ),
        ANY_FIELD,
    ]
);
shape!(
    USE,
    "UseEvent",
    "A part of the use of a prop begins: the character emits `use`, and the prop emits `used`",
    [
        may_have(
            "other",
            Type::Object("Character"),
            "for `use`: the prop; for `used`: the character"
        ),
        has("interaction", Type::Text, "name of the interaction"),
        has(
            "phase",
            Type::Text,
            "part of the use that begins: \"reach\", \"hold\", \"release\" or \"end\""
        ),
    ]
);
shape!(
    SAY,
    "SayEvent",
    "The character begins to speak a line",
    [
        LINE,
        has("text", Type::Text, "text of the line, without marks"),
        DURATION,
    ]
);
shape!(
    WORD,
    "WordEvent",
    "A word of a spoken line begins",
    [
        LINE,
        has("word", Type::Text, "the word"),
        has("index", Type::Number, "number of the word, from 1"),
        DURATION,
    ]
);
shape!(
    PHONE,
    "PhonemeEvent",
    "A phoneme (a sound of speech) of a spoken line begins",
    [
        LINE,
        has(
            "phoneme",
            Type::Text,
            "name of the phoneme in ARPAbet, a notation for the sounds of English"
        ),
        DURATION,
    ]
);
shape!(
    CUE,
    "CueEvent",
    "A spoken line reaches a mark `{event=…}` in its text, or an event of its `track`",
    [
        LINE,
        has("cue", Type::Text, "name of the cue, as written in the line"),
        ANY_FIELD,
    ]
);
shape!(
    SAID,
    "SayEndEvent",
    "A spoken line is over",
    [
        LINE,
        has(
            "reason",
            Type::Text,
            "why the line is over: \"end\" or \"interrupted\""
        ),
        has(
            "spoken_time",
            Type::Number,
            "time for which the line was spoken, seconds"
        ),
    ]
);
shape!(
    MARK,
    "MarkerEvent",
    "Playback of a clip passes a marker",
    [
        has("clip", Type::Text, "name of the clip"),
        has("weight", Type::Number, "blend weight of the clip, 0 to 1"),
        POSITION,
        SURFACE,
        has(
            "source",
            Type::Text,
            "player of the clip: the state machine (\"machine\"), `hero:play` (\"play\") or the idle \
            clip of a character without a machine (\"idle\")"
        ),
        has(
            "marker_phase",
            Type::Text,
            "\"point\" for a marker without duration; \"begin\" or \"end\" for an interval"
        ),
        may_have(
            "duration",
            Type::Number,
            "for an interval: its length, seconds"
        ),
        may_have(
            "interrupted",
            Type::Bool,
            "for the end of an interval: true if it ended early"
        ),
        has(
            "is_reversed",
            Type::Bool,
            "true if the clip plays backwards"
        ),
        has(
            "tick_fraction",
            Type::Number,
            "fraction of the tick at which playback passed the marker, 0 to 1"
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
    doc: "A turn of a conversation begins (`turn`) or ends (`turn_end`), or the conversation ends (`end`)",
    fields: &[
        has("name", Type::Text, "\"turn\", \"turn_end\" or \"end\""),
        has(
            "time",
            Type::Number,
            "time of the event, as in `now()`, seconds",
        ),
        may_have(
            "turn",
            Type::Number,
            "number of the turn: its position in the list of the conversation",
        ),
        may_have(
            "speaker",
            Type::Text,
            "name of the speaker, as in `cast` of the conversation",
        ),
        may_have(
            "to",
            Type::Text,
            "name of the character to whom the speaker talks, or \"all\"",
        ),
        may_have(
            "character",
            Type::Object("Character"),
            "character that speaks",
        ),
        may_have("text", Type::Text, "for `turn`: text of the line"),
        may_have(
            "reason",
            Type::Text,
            "for `turn_end`: \"end\", \"interrupted\" or \"unavailable\"; for `end`: the `end_reason` of the conversation",
        ),
    ],
    includes: &[],
    entries: None,
};

/// Shapes that are only referenced by type strings.
pub(super) const SHAPES: &[&Shape] = &[&CONVERSATION, EVENT_LOG_ENTRY];

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
pub static MARKER_EVENT: &Shape = &MARK;

/// Shape of the table for listeners to `*`, which receive all events.
pub static ANY_EVENT: &Shape = &ANY;

/// An entry of the event log, see `hero:event_log`.
pub static EVENT_LOG_ENTRY: &Shape = &Shape {
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
        has(
            "source",
            Type::Text,
            "player of the clip: the state machine (\"machine\"), `hero:play` (\"play\") or the idle \
            clip of a character without a machine (\"idle\")",
        ),
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
