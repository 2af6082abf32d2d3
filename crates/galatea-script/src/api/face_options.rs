//! Options of `hero.face`: how moods and expressions come and go, and how a face is put together.

use mlua::{Lua, Value};

use super::check::{Args, Field, Fields, Type};
use super::face::{face_of, with_face};
use galatea_face::{Envelope, FaceOptions};

pub(super) const MOOD_FIELDS: &[Field] = &[
    Field::new(
        "intensity",
        Type::Number,
        "0 to 1: how much of it shows; 0.6",
    ),
    Field::new(
        "fade",
        Type::Number,
        "seconds in which it takes the place of the one before; 0.8",
    ),
];

pub(super) const SHOW_FIELDS: &[Field] = &[
    Field::new("intensity", Type::Number, "0 to 1: how much of it shows; 1"),
    Field::new("onset", Type::Number, "seconds until it is all there; 0.3"),
    Field::new(
        "hold",
        Type::OneOf(&[Type::Number, Type::Bool]),
        "seconds for which it stays; `true` until it is stopped; 1.2",
    ),
    Field::new("release", Type::Number, "seconds in which it goes; 0.5"),
    Field::new(
        "side",
        Type::OneOf(&[Type::Word(&["left", "right"]), Type::Number]),
        "one side of the face, or -1 (left) to 1 (right); both",
    ),
    Field::new(
        "micro",
        Type::Bool,
        "a micro-expression: a fifth of a second in all, at half intensity",
    ),
    Field::new(
        "owner",
        Type::Word(&["mood", "script"]),
        "\"mood\" lies under speech and blinks, \"script\" takes the place of all else; \"mood\"",
    ),
];

/// How something comes, stays and goes, as options say.
pub(super) fn envelope(fields: &Fields, usual: Envelope) -> mlua::Result<Envelope> {
    let time = |name: &str, usual: f32| -> mlua::Result<f32> {
        Ok(fields.within(name, 0.0, 1e4)?.unwrap_or(usual))
    };
    let hold = match fields.value("hold") {
        Value::Nil => usual.hold,
        Value::Boolean(true) => None,
        Value::Boolean(false) => Some(0.0),
        _ => Some(time("hold", 0.0)?),
    };
    Ok(Envelope {
        onset: time("onset", usual.onset)?,
        hold,
        release: time("release", usual.release)?,
    })
}

pub(super) const FADE_FIELDS: &[Field] = &[Field::new(
    "fade",
    Type::Number,
    "seconds in which it comes there; 0",
)];

pub(super) const LEAK_FIELDS: &[Field] = &[
    Field::new(
        "intensity",
        Type::Number,
        "0 to 1: how much of it shows; 0.5",
    ),
    Field::new(
        "least",
        Type::Number,
        "seconds from one to the next at least; 4",
    ),
    Field::new("most", Type::Number, "the same at most; 12"),
];

pub(super) const OPTION_FIELDS: &[Field] = &[
    Field::new(
        "channels",
        Type::Word(&["owners", "book"]),
        "\"book\": four targets at once, that is one blink, one emotion at a time and two visemes; \"owners\": as many as there are",
    ),
    Field::new(
        "mouth_share",
        Type::Number,
        "0 to 1: how much of what mood and clips do to the mouth is left while it speaks; 1/3",
    ),
    Field::new(
        "asymmetry",
        Type::Number,
        "0 to 1: how much more one side of the face does than the other; 0.06",
    ),
    Field::new(
        "max_active_targets",
        Type::Number,
        "morph targets that move at once at most, the heaviest; 0 for all",
    ),
    Field::new(
        "blinks",
        Type::Number,
        "factor on how often it blinks while nothing has it look; 0 never, 1",
    ),
];

/// `face:options { … }`.
pub(super) fn options(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(1);
    let share = fields.within("mouth_share", 0.0, 1.0)?;
    let asymmetry = fields.within("asymmetry", 0.0, 1.0)?;
    let most = fields.within("max_active_targets", 0.0, 1e4)?;
    let blinks = fields.within("blinks", 0.0, 20.0)?;
    with_face(lua, face_of(&args)?, |facing| {
        let own = &mut facing.face.options;
        match fields.text("channels").as_deref() {
            Some("book") => *own = FaceOptions::BOOK,
            Some(_) => *own = FaceOptions::default(),
            None => {}
        }
        own.mouth_share = share.unwrap_or(own.mouth_share);
        own.asymmetry = asymmetry.unwrap_or(own.asymmetry);
        own.max_active_targets = most.map_or(own.max_active_targets, |n| n as usize);
        own.blinks = blinks.unwrap_or(own.blinks);
        Ok(Value::Nil)
    })
}
