//! Methods of the test object `t` as a table. Argument checks, editor definitions and reference entries are generated
//! from it. The implementations are in `testing.luau`.

use mlua::{Function, Value};

use crate::api::camera::CameraOptions;
use crate::api::character::CharacterOptions;
use crate::api::check::{OptionValue, Options, Param, Type};
use crate::api::running::SendOptions;
use galatea_character::METRICS;
use galatea_derive::Options;

/// A method of `t`.
pub(crate) struct Method {
    /// Lua name.
    pub name: &'static str,
    /// Parameters in order, without the object.
    pub params: &'static [Param],
    /// Type of the result in Luau's notation; empty for none.
    pub returns: &'static str,
    /// Description for the reference.
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

/// Fields of an entry of the event log, which `testing.luau` checks, and the number of such entries.
const EVENT_LOG_FIELDS: &str = "{ number: number?, time: number?, name: string?, clip: string?, marker: number?, \
    marker_phase: (\"point\" | \"begin\" | \"end\")?, weight: number?, source: (\"machine\" | \"play\" | \"idle\")?, \
    play: number?, layer: string?, state: string?, playback_id: number?, \
    outcome: (\"fired\" | \"suppressed\" | \"interrupted\")?, reason: string?, occurrences: number?, count: number? }";

/// Random key presses in a test.
#[derive(Options)]
pub(super) struct RandomInputOptions {
    /// Time for which keys are pressed and released.
    #[option(unit = "seconds", range = 0.0..)]
    pub seconds: f64,
    /// Names of the keys to use.
    #[option(default_doc = "all keys bound to actions and axes")]
    pub keys: Option<Vec<String>>,
    /// Called after each tick, for expectations that must always hold.
    #[option(ty = Type::Function("() -> ()"))]
    pub check: Option<Function>,
}

/// The part of a recording that a test replays.
#[derive(Options)]
pub(super) struct ReplayOptions {
    /// Beginning of the part.
    #[option(default = 0.0, unit = "seconds", range = 0.0..)]
    pub from: f64,
    /// End of the part. Inputs at this time belong to the next part.
    #[option(
        default = f64::INFINITY,
        default_doc = "the last input",
        unit = "seconds",
        range = 0.0..
    )]
    pub to: f64,
}

/// Comparison of the stage with an image.
#[derive(Options)]
pub(super) struct ComparisonOptions {
    /// Maximum mean FLIP error.
    #[option(default_doc = "0.006", range = 0.0..)]
    pub tolerance: Option<f32>,
    /// Camera of this image.
    #[option(default_doc = "the camera of the stage")]
    pub camera: Option<CameraOptions>,
    /// Size of the image, { width, height }.
    #[option(
        default = PictureSize(480, 320),
        default_doc = "{ 480, 320 }",
        unit = "pixels"
    )]
    pub size: PictureSize,
}

/// Width and height of an image, pixels.
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
    /// Maximum time since the event.
    #[option(default = f64::INFINITY, default_doc = "any", unit = "seconds")]
    pub last_seconds: f64,
}

/// All methods, in the order of the reference.
pub(crate) static METHODS: &[Method] = &[
    Method {
        name: "run",
        params: &[must("seconds", Type::Number)],
        returns: "",
        doc: "runs the scene for `seconds`, one tick after another",
    },
    Method {
        name: "run_ticks",
        params: &[may("n", Type::Number)],
        returns: "",
        doc: "runs the scene for `n` ticks, by default 1",
    },
    Method {
        name: "wait_for",
        params: &[
            must("condition", Type::Function("() -> any")),
            must("within", Type::Number),
        ],
        returns: "",
        doc: "runs the scene until the function `condition`, which is called after each tick, returns a true value. \
              Fails if that takes longer than `within` seconds of the scene",
    },
    Method {
        name: "character",
        params: &[
            must("file", Type::Text),
            may("options", CharacterOptions::TYPE),
        ],
        returns: "Character",
        doc: "adds a character to the scene, like the global function `character`",
    },
    Method {
        name: "first_character",
        params: &[],
        returns: "Character",
        doc: "returns the first character in the scene",
    },
    Method {
        name: "find_character",
        params: &[NAME],
        returns: "Character",
        doc: "returns the character with this name. If there is none, it returns the first character made from a file \
              of this name. Examples: `t:find_character \"guard\"`, `t:find_character \"knight.glb\"`. It also finds \
              characters that the tested script stores only in local variables",
    },
    Method {
        name: "press",
        params: &[must("key", Type::Text)],
        returns: "",
        doc: "presses a key; the key names are those of `input`",
    },
    Method {
        name: "release",
        params: &[must("key", Type::Text)],
        returns: "",
        doc: "releases a key",
    },
    Method {
        name: "replay",
        params: &[
            must("file", Type::Text),
            may("options", Type::Options(ReplayOptions::SHAPE)),
        ],
        returns: "",
        doc: "plays back recorded inputs of the player. `file` is a file of the project in the format of `record \
              --input`. The recording starts now, and the method returns after its last input. The options `from` and \
              `to` choose a part of it, in seconds of the recording: the part begins now, and the method returns when \
              `to - from` seconds have passed. The studio [writes such tests](studio.md#record-a-test)",
    },
    Method {
        name: "random_input",
        params: &[
            must("seed", Type::Number),
            must("options", Type::Options(RandomInputOptions::SHAPE)),
        ],
        returns: "",
        doc: "presses and releases keys at random. The same `seed` gives the same inputs on every run. The options are \
              `seconds`, the duration; `keys`, a list of the keys to use, by default all keys bound to actions and \
              axes; and `check`, a function that is called after each tick. In `check`, write expectations that must \
              always be true. If the test fails later, its report contains the seed and the time. `galatea test` then \
              looks for the fewest keys with which it still fails, and writes them to a file in `out/tests/` for \
              `t:replay`",
    },
    Method {
        name: "expect_image",
        params: &[
            NAME,
            may("options", Type::Options(ComparisonOptions::SHAPE)),
        ],
        returns: "",
        doc: "renders the scene and compares the image with the reference image `tests/pictures/NAME.png`. `galatea \
              test --update-images` makes the reference images. Fails if the mean FLIP error (a measure of visible \
              difference, 0 to 1) is more than the option `tolerance`, by default 0.006; a different pose gives more \
              than 0.02. Then it writes the images `out/NAME.got.png` and `out/NAME.diff.png`. The option `camera` sets \
              the camera of the image, with the fields of `camera.orbit`. `size` is { width, height } in pixels, by \
              default { 480, 320 }. Without a graphics driver the comparison is skipped, and the report says so",
    },
    Method {
        name: "send",
        params: &[
            HERO,
            must("event", Type::Text),
            may("options", SendOptions::TYPE),
        ],
        returns: "",
        doc: "sends an event to the state machine of the character `hero`, with the options of `machine:send`",
    },
    Method {
        name: "event_times",
        params: &[HERO, NAME],
        returns: "{ number }",
        doc: "returns a list of the times at which the character emitted events with this name so far, in seconds",
    },
    Method {
        name: "expect",
        params: &[may("value", Type::Any), may("what", Type::Any)],
        returns: "",
        doc: "fails unless `value` is true; `what` is the error message",
    },
    Method {
        name: "expect_near",
        params: &[
            must("got", Type::Number),
            must("want", Type::Number),
            may("within", Type::Number),
        ],
        returns: "",
        doc: "fails unless the numbers `got` and `want` differ by at most `within`, by default 0.000001",
    },
    Method {
        name: "expect_state",
        params: &[HERO, NAME, may("layer", Type::Text)],
        returns: "",
        doc: "fails unless the character's state machine is in the state `name`, or in a state inside it. `layer` is \
              the name of the layer, by default the first one. The error lists the conditions that block the \
              transitions to the state",
    },
    Method {
        name: "expect_event_count",
        params: &[HERO, NAME, must("count", Type::Number)],
        returns: "",
        doc: "fails unless the character has emitted exactly `count` events with this name so far",
    },
    Method {
        name: "expect_event",
        params: &[
            HERO,
            NAME,
            may("options", Type::Options(ExpectEventOptions::SHAPE)),
        ],
        returns: "",
        doc: "fails unless the character has emitted an event with this name. With `{ last_seconds = n }`, it must have \
              happened in the last `n` seconds",
    },
    Method {
        name: "expect_metric",
        params: &[
            HERO,
            must("metric", Type::Word(&METRICS)),
            must("most", Type::Number),
        ],
        returns: "",
        doc: "fails if a metric of the character (`foot_slide`, `pop`, `root_drift`; see `character:metric`) was more \
              than `most` at any time since it was reset. In tests, metrics are always on",
    },
    Method {
        name: "expect_event_log",
        params: &[HERO, must("fields", Type::Table(EVENT_LOG_FIELDS))],
        returns: "",
        doc: "fails unless the character's event log (see `character:event_log`) contains an entry with these values in \
              `fields`. With `count = n`, there must be exactly `n` such entries",
    },
    Method {
        name: "expect_no_lost_markers",
        params: &[HERO],
        returns: "",
        doc: "fails if the character's event log contains markers that were lost or reported twice, or intervals that \
              did not end after they had begun",
    },
];
