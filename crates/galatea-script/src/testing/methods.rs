//! The methods of the object `t` as a table: the check of their arguments, their stub and their entry
//! in the reference come from it. What they do is in `testing.luau`.

use mlua::{Function, Value};

use crate::api::camera::CameraOptions;
use crate::api::character::CharacterOptions;
use crate::api::check::{OptionValue, Options, Param, Type};
use crate::api::running::SendOptions;
use galatea_character::METERS;
use galatea_derive::Options;

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

/// Fields of an entry of a ledger, which `testing.luau` checks, and the number of such entries.
const LEDGER_FIELDS: &str = "{ number: number?, time: number?, name: string?, clip: string?, mark: number?, \
    edge: (\"point\" | \"begin\" | \"end\")?, weight: number?, source: (\"machine\" | \"play\" | \"idle\")?, \
    play: number?, layer: string?, state: string?, playing: number?, \
    outcome: (\"fired\" | \"suppressed\" | \"cut\")?, reason: string?, n: number?, count: number? }";

/// Random keys that a test presses.
#[derive(Options)]
pub(super) struct RandomInputOptions {
    /// Duration.
    #[option(unit = "seconds", range = 0.0..)]
    pub seconds: f64,
    /// Keys that are pressed and released.
    #[option(default_doc = "those bound to actions and axes")]
    pub keys: Option<Vec<String>>,
    /// Called after each tick, for expectations that must always hold.
    #[option(ty = Type::Function("() -> ()"))]
    pub check: Option<Function>,
}

/// Comparison of the stage with a picture.
#[derive(Options)]
pub(super) struct ComparisonOptions {
    /// Largest mean FLIP error.
    #[option(default_doc = "0.006", range = 0.0..)]
    pub within: Option<f32>,
    /// Camera of this picture.
    #[option(default_doc = "that of the stage")]
    pub camera: Option<CameraOptions>,
    /// Size of the picture, { width, height }.
    #[option(
        default = PictureSize(480, 320),
        default_doc = "{ 480, 320 }",
        unit = "pixels"
    )]
    pub size: PictureSize,
}

/// Width and height of a picture, pixels.
#[derive(Clone, Copy)]
pub(super) struct PictureSize(pub u32, pub u32);

impl OptionValue for PictureSize {
    const TYPE: Type = Type::List(&Type::Number);

    fn from_value(value: Value) -> Result<Self, String> {
        let is_side = |n: &f64| n.fract() == 0.0 && (16.0..=4096.0).contains(n);
        match Vec::<f64>::from_value(value)?[..] {
            [width, height, ..] if is_side(&width) && is_side(&height) => {
                Ok(Self(width as u32, height as u32))
            }
            _ => Err("expected { width, height } in pixels, each 16 to 4096".into()),
        }
    }
}

/// Time of an event that a test expects.
#[derive(Options)]
pub(super) struct ExpectEventOptions {
    /// Longest time since the event.
    #[option(default = f64::INFINITY, default_doc = "any", unit = "seconds")]
    pub within: f64,
}

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
            must("condition", Type::Function("() -> any")),
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
            may("options", CharacterOptions::TYPE),
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
        name: "find",
        params: &[NAME],
        returns: "Character",
        doc: "the character with this name, else the first one that was made from a file of this name: \
              `t:find \"guard\"`, `t:find \"knight.glb\"`; so a test reaches those that the script keeps in locals",
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
            must("options", Type::Options(RandomInputOptions::SHAPE)),
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
            may("options", Type::Options(ComparisonOptions::SHAPE)),
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
            may("options", SendOptions::TYPE),
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
            may("options", Type::Options(ExpectEventOptions::SHAPE)),
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
        params: &[HERO, must("fields", Type::Table(LEDGER_FIELDS))],
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
