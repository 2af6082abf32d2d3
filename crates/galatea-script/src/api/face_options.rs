//! Options of `hero.face`: timing of moods and expressions, and settings of the face.

use mlua::{Lua, Value};

use super::check::{Args, OptionValue, Type, number, text};
use super::face_ref::{face_of, with_face};
use crate::words;
use galatea_derive::Options;
use galatea_face::{Envelope, FaceOwner};

/// Intensity and fade of a mood.
#[derive(Options)]
pub(super) struct MoodOptions {
    /// Intensity; 1 is full.
    #[option(default = 0.6, range = 0.0..=1.0)]
    pub intensity: f32,
    /// Time in which the face changes from the previous mood to this one.
    #[option(default = 0.8, unit = "seconds", range = 0.0..=1e3)]
    pub fade: f32,
}

/// Timing, intensity and side of an expression.
#[derive(Options)]
pub(super) struct ShowOptions {
    /// Intensity; 1 is full.
    #[option(default_doc = "1, with `micro` 0.5", range = 0.0..=1.0)]
    pub intensity: Option<f32>,
    /// Time in which the expression appears.
    #[option(default_doc = "0.3, with `micro` 0.06", unit = "seconds", range = 0.0..=1e4)]
    fade_in: Option<f32>,
    /// Time for which the expression stays at full intensity. With true, it stays until you stop it.
    #[option(default_doc = "1.2, with `micro` 0.06", unit = "seconds", range = 0.0..=1e4)]
    hold_time: Option<Hold>,
    /// Time in which the expression disappears.
    #[option(default_doc = "0.5, with `micro` 0.08", unit = "seconds", range = 0.0..=1e4)]
    fade_out: Option<f32>,
    /// Side of the face that shows the expression: "left", "right", or a number from -1 (left) to 1 (right).
    #[option(default = SideOption(0.0), default_doc = "both", range = -1.0..=1.0)]
    pub side: SideOption,
    /// True makes a micro-expression, which is weak and lasts only 0.2 s. It changes the defaults of the options above.
    #[option(default = false)]
    pub micro: bool,
    /// Layer of the face that shows the expression. In "mood" it is mixed with speech and blinks; in "script" it
    /// overrides everything else.
    #[option(default = FaceOwner::Mood, default_doc = "\"mood\"")]
    pub layer: FaceOwner,
}

impl ShowOptions {
    /// Returns the envelope over time.
    pub fn envelope(&self) -> Envelope {
        let usual = if self.micro {
            Envelope::MICRO
        } else {
            Envelope::PASSING
        };
        Envelope {
            fade_in: self.fade_in.unwrap_or(usual.fade_in),
            hold_time: self
                .hold_time
                .as_ref()
                .map_or(usual.hold_time, |hold| hold.0),
            fade_out: self.fade_out.unwrap_or(usual.fade_out),
        }
    }
}

/// Time at full intensity, seconds; `None` until it is stopped.
struct Hold(Option<f32>);

impl OptionValue for Hold {
    const TYPE: Type = Type::OneOf(&[Type::Number, Type::Bool]);

    fn from_value(value: Value) -> Result<Self, String> {
        Ok(Self(match value {
            Value::Boolean(true) => None,
            seconds => Some(number(&seconds).unwrap_or(0.0) as f32),
        }))
    }
}

/// -1 is the left side of the face, 1 the right one, 0 both.
pub(super) struct SideOption(pub f32);

impl OptionValue for SideOption {
    const TYPE: Type = Type::OneOf(&[Type::Word(&["left", "right"]), Type::Number]);

    fn from_value(value: Value) -> Result<Self, String> {
        Ok(Self(match text(&value).as_deref() {
            Some("left") => -1.0,
            Some(_) => 1.0,
            None => number(&value).unwrap_or(0.0) as f32,
        }))
    }
}

words!(FaceOwner {
    "mood" => FaceOwner::Mood,
    "script" => FaceOwner::Script,
});

/// Fade of a value of a face.
#[derive(Options)]
pub(super) struct FaceFadeOptions {
    /// Time in which the face changes to the new value.
    #[option(default = 0.0, unit = "seconds", range = 0.0..=1e3)]
    pub fade: f32,
}

/// Intensity and timing of a hidden feeling.
#[derive(Options)]
pub(super) struct MicroExpressionOptions {
    /// Intensity; 1 is full.
    #[option(default = 0.5, range = 0.0..=1.0)]
    pub intensity: f32,
    /// Shortest time between two micro-expressions.
    #[option(default = 4.0, unit = "seconds", range = 0.3..=1e4)]
    pub min_interval: f32,
    /// Longest time between two micro-expressions.
    #[option(default = 12.0, unit = "seconds", range = 0.3..=1e4)]
    pub max_interval: f32,
}

/// Limit of morph targets that move at once.
enum Channels {
    /// No limit.
    Unlimited,
    /// Four targets.
    Four,
}

words!(Channels {
    "unlimited" => Channels::Unlimited,
    "four" => Channels::Four,
});

/// Settings of a face. A missing field keeps its value; `channels` resets all others.
#[derive(Options)]
pub(super) struct FaceOptions {
    /// Number of parts that can move at the same time. "four" allows one blink, one emotion and two mouth shapes;
    /// "unlimited" allows all. If you set this option, all other settings are reset first.
    #[option(default_doc = "\"unlimited\"")]
    channels: Option<Channels>,
    /// Factor on the effect that mood and clips have on the mouth while the character speaks.
    #[option(default_doc = "1/3", range = 0.0..=1.0)]
    mouth_weight: Option<f32>,
    /// How much the left and the right side of the face differ. A small value looks natural, 0 makes both sides equal.
    #[option(default_doc = "0.06", range = 0.0..=1.0)]
    asymmetry: Option<f32>,
    /// Maximum number of morph targets that move at the same time; 0 means no limit. Above the limit, only the targets
    /// with the largest weights move.
    #[option(default_doc = "0", range = 0.0..=1e4)]
    max_active_targets: Option<usize>,
    /// Factor on how often the character blinks; with 0 it never blinks.
    #[option(default_doc = "1", range = 0.0..=20.0)]
    blink_rate: Option<f32>,
}

/// `face:configure { … }`.
pub(super) fn options(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let new: FaceOptions = args.options(1)?;
    with_face(lua, face_of(&args)?, |facing| {
        let own = &mut facing.face.options;
        match new.channels {
            Some(Channels::Four) => *own = galatea_face::FaceSettings::CLASSIC,
            Some(Channels::Unlimited) => *own = galatea_face::FaceSettings::default(),
            None => {}
        }
        own.mouth_weight = new.mouth_weight.unwrap_or(own.mouth_weight);
        own.asymmetry = new.asymmetry.unwrap_or(own.asymmetry);
        own.max_active_targets = new.max_active_targets.unwrap_or(own.max_active_targets);
        own.blink_rate = new.blink_rate.unwrap_or(own.blink_rate);
        Ok(Value::Nil)
    })
}
