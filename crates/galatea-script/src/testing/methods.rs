//! The methods of the object `t` as a table: the check of their arguments, their stub and their entry
//! in the reference come from it. What they do is in `testing.luau`.

use crate::api::{CameraOptions, Field, Options, Param, SPAWN_FIELDS, Type};
use galatea_character::METERS;

/// A method of `t`.
pub(crate) struct Method {
    /// Name in Lua.
    pub name: &'static str,
    /// Parameters in order, without the object.
    pub params: &'static [Param],
    /// Type of the result in Luau's notation, empty for none.
    pub returns: &'static str,
    /// What it does.
    pub doc: &'static str,
}

const fn must(name: &'static str, ty: Type) -> Param {
    Param {
        name,
        ty,
        optional: false,
    }
}

const fn may(name: &'static str, ty: Type) -> Param {
    Param {
        name,
        ty,
        optional: true,
    }
}

const HERO: Param = must("hero", Type::Object("Character"));
const NAME: Param = must("name", Type::Text);

/// Every method, in the order of the reference.
pub(crate) static METHODS: &[Method] = &[
    Method {
        name: "run",
        params: &[must("seconds", Type::Number)],
        returns: "",
        doc: "lets time pass, tick by tick",
    },
    Method {
        name: "step",
        params: &[may("n", Type::Number)],
        returns: "",
        doc: "lets `n` ticks pass (1)",
    },
    Method {
        name: "wait_for",
        params: &[
            must("condition", Type::Function("(...any) -> ...any")),
            must("within", Type::Number),
        ],
        returns: "",
        doc: "lets ticks pass until the function gives something true; fails when that takes more than \
              `within` seconds",
    },
    Method {
        name: "character",
        params: &[
            must("file", Type::Text),
            may("options", Type::Fields(SPAWN_FIELDS)),
        ],
        returns: "Character",
        doc: "puts a character on the stage, as `character` does",
    },
    Method {
        name: "first",
        params: &[],
        returns: "Character",
        doc: "the first character on the stage",
    },
    Method {
        name: "press",
        params: &[must("key", Type::Text)],
        returns: "",
        doc: "presses a key, named as in `input`",
    },
    Method {
        name: "release",
        params: &[must("key", Type::Text)],
        returns: "",
        doc: "lets a key go",
    },
    Method {
        name: "replay",
        params: &[must("file", Type::Text)],
        returns: "",
        doc: "plays a recording of inputs (a file of the project, as `record --input` takes it), its times \
              counted from now, to the last of them",
    },
    Method {
        name: "random",
        params: &[
            must("seed", Type::Number),
            must(
                "options",
                Type::Fields(&[
                    Field::new("seconds", Type::Number, "how long; must be given"),
                    Field::new(
                        "keys",
                        Type::Table("{ [any]: any }"),
                        "a list of keys; those bound to actions and axes",
                    ),
                    Field::new(
                        "check",
                        Type::Function("(...any) -> ...any"),
                        "called after each tick, to expect what must always hold",
                    ),
                ]),
            ),
        ],
        returns: "",
        doc: "presses and releases keys at random for `seconds`, the same on every run with this `seed`: \
              those in the list `keys`, else all that are bound to actions and axes. The function `check` \
              is called after each tick, to expect what must always hold. A test that fails from then on \
              tells the seed and the time",
    },
    Method {
        name: "picture",
        params: &[
            NAME,
            may(
                "options",
                Type::Fields(&[
                    Field::new("within", Type::Number, "largest mean FLIP error; 0.006"),
                    Field::new(
                        "camera",
                        Type::Options(CameraOptions::SHAPE),
                        "where the camera stands, for this picture",
                    ),
                    Field::new(
                        "size",
                        Type::Table("{ [any]: any }"),
                        "pixels; { 480, 320 }",
                    ),
                ]),
            ),
        ],
        returns: "",
        doc: "draws the stage as the last tick left it and compares it with `tests/pictures/NAME.png`; fails \
              when the mean FLIP error, 0 to 1, is more than `within` (0.006: another pose gives above \
              0.02), and writes `out/NAME.got.png` and `out/NAME.diff.png`. `galatea test --bless` draws \
              the pictures that are compared with. `camera` takes the fields of `camera.orbit`, for this \
              picture; `size` is { width, height } in pixels ({ 480, 320 }). Without a graphics driver the \
              check is skipped, and the report says so",
    },
    Method {
        name: "send",
        params: &[
            HERO,
            must("event", Type::Text),
            may(
                "options",
                Type::Fields(&[Field::new(
                    "within",
                    Type::Number,
                    "seconds for which it waits for a transition",
                )]),
            ),
        ],
        returns: "",
        doc: "sends an event to the character's machine; the options are those of `machine:send`",
    },
    Method {
        name: "events",
        params: &[HERO, NAME],
        returns: "{ number }",
        doc: "times, in seconds, of all events of this name so far",
    },
    Method {
        name: "expect",
        params: &[may("value", Type::Any), may("what", Type::Any)],
        returns: "",
        doc: "fails, with what `what` says, unless the value is true",
    },
    Method {
        name: "expect_near",
        params: &[
            must("got", Type::Number),
            must("want", Type::Number),
            may("within", Type::Number),
        ],
        returns: "",
        doc: "fails unless two numbers are as near as `within` (0.000001)",
    },
    Method {
        name: "expect_state",
        params: &[HERO, NAME, may("layer", Type::Text)],
        returns: "",
        doc: "fails unless a layer of the machine, the first one if none is named, is in this state or in \
              one within it, and says what holds the ways there shut",
    },
    Method {
        name: "expect_events",
        params: &[HERO, NAME, must("count", Type::Number)],
        returns: "",
        doc: "fails unless there were so many events of this name",
    },
    Method {
        name: "expect_event",
        params: &[
            HERO,
            NAME,
            may(
                "options",
                Type::Fields(&[Field::new(
                    "within",
                    Type::Number,
                    "seconds since which it must have happened",
                )]),
            ),
        ],
        returns: "",
        doc: "fails unless the event happened, in the last seconds if `{ within = seconds }` is given",
    },
    Method {
        name: "expect_meter",
        params: &[
            HERO,
            must("meter", Type::Word(&METERS)),
            must("most", Type::Number),
        ],
        returns: "",
        doc: "fails when a meter (`foot_slide`, `pop`, `root_drift`), which tests switch on, read more \
              than `most` since it was reset",
    },
    Method {
        name: "expect_ledger",
        params: &[HERO, must("fields", Type::Table("{ [any]: any }"))],
        returns: "",
        doc: "fails unless the ledger, which tests switch on, holds an entry with these fields, or with \
              `count = n` exactly `n` of them",
    },
    Method {
        name: "expect_no_lost",
        params: &[HERO],
        returns: "",
        doc: "fails when the ledger shows marks lost, told twice, or begun and not ended in turn",
    },
];
