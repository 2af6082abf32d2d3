//! `transition_to` and `inertial`: transitions of a machine and their fades.

use mlua::{Function, Lua, Table, Value};

use super::arguments::name_of;
use super::machine_handles::{ScriptedPiece, curried, piece_of};
use super::piece::{PIECE, Piece};
use crate::api::check::{Args, OneOrMany, OptionValue, Type, describe, number, text};
use crate::words;
use crate::world::with_world;
use galatea_anim::{Ease, MarkerValue};
use galatea_derive::Options;
use galatea_machine::{ClipStart, Fade, FromStates, Interrupt, Predicate, TransitionDef, WhenDef};

words!(Ease {
    "linear" => Ease::Linear,
    "smooth" => Ease::Smooth,
    "smoother" => Ease::Smoother,
    "in" => Ease::In,
    "out" => Ease::Out,
    "in_out" => Ease::InOut,
    "cosine" => Ease::Cosine,
    "step" => Ease::Step,
});

words!(Interrupt {
    "always" => Interrupt::Always,
    "higher" => Interrupt::Higher,
    "never" => Interrupt::Never,
});

/// Conditions and fade of a transition. All given conditions must be true.
#[derive(Options)]
pub(super) struct TransitionOptions {
    /// State that the transition leaves, or a list of states. "*" is any state except the target of the transition;
    /// with `on` it includes the target. A transition from a state to itself restarts the state.
    #[option(default_doc = "\"*\"")]
    from: Option<OneOrMany<String>>,
    /// Condition: a text such as "speed > 0.1", or a function that gets the parameters and returns true or false. The
    /// function must not change anything.
    when: Option<ScriptCondition>,
    /// Name of an event that must have been sent with `machine:send`.
    on: Option<String>,
    /// True waits for the end of the current state's clip. It has an effect only if that clip plays once.
    #[option(default = false)]
    at_end: bool,
    /// Minimum time for which the current state must have been active.
    #[option(default = 0.0, unit = "seconds", clamp = 0.0..)]
    min_time: f32,
    /// Position in the current clip that playback must pass, as a fraction of the clip.
    #[option(range = 0.0..=1.0)]
    exit_time: Option<f32>,
    /// Marker of the current clip that playback must pass: its name, or a list with its name and fields, such as {
    /// "step", foot = "left" }.
    marker: Option<Passing>,
    /// Priority. Transitions with a higher priority are evaluated first.
    #[option(default = 0)]
    priority: i32,
    /// Which other transitions may happen before the cross-fade of this one is over: all ("always"), those with a
    /// higher priority ("higher"), or none ("never").
    #[option(default = Interrupt::Always, default_doc = "\"always\"")]
    interrupt: Interrupt,
    /// True allows `machine:travel` to use this transition.
    #[option(default = true)]
    allow_travel: bool,
    /// True plays the `outro` of the old state before the new state begins.
    #[option(default = true)]
    play_outro: bool,
    /// Length of the cross-fade between the two states in seconds, or the result of inertial(seconds).
    #[option(default = Fade { seconds: 0.2, ..Fade::default() }, default_doc = "0.2")]
    fade: Fade,
    /// Easing curve of the cross-fade: how gently it begins and ends.
    #[option(default_doc = "\"smooth\"")]
    ease: Option<Ease>,
    /// Position at which the clip of the new state starts: a time in seconds, "start", or "phase" (the same fraction of
    /// the clip as in the old state). A table gives a fraction, { fraction = 0.5 }, or a marker, { marker = "step",
    /// foot = "left", index = 1 }; index 1 is the first such marker.
    #[option(default = ClipStart::Auto, default_doc = "in step with the old clip if both have steps, otherwise \"start\"")]
    start: ClipStart,
}

/// Condition that a script gives, as text or a function.
enum ScriptCondition {
    Text(String),
    Function(Function),
}

impl OptionValue for ScriptCondition {
    const TYPE: Type = Type::OneOf(&[
        Type::Text,
        Type::Function("(params: { [string]: number | boolean }) -> boolean?"),
    ]);

    fn from_value(value: Value) -> Result<Self, String> {
        match text(&value) {
            Some(text) => Ok(Self::Text(text)),
            None => Function::from_value(value).map(Self::Function),
        }
    }
}

pub(super) fn transition_to(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let target = name_of(&args, "transition_to")?;
    let what = format!("transition_to {target:?}");
    curried(lua, what, move |lua, options: TransitionOptions, _, at| {
        let from = match options.from {
            Some(OneOrMany(from)) if !from.is_empty() => FromStates::States(from),
            _ => FromStates::Any,
        };
        let when = match options.when {
            Some(ScriptCondition::Text(text)) => Some(WhenDef::Text(text)),
            Some(ScriptCondition::Function(function)) => Some(with_world(lua, |world| {
                world
                    .program
                    .machines
                    .predicates
                    .push((function, at.clone()));
                let number = world.program.machines.predicates.len() - 1;
                Ok(WhenDef::Predicate(Predicate(number as u32)))
            })?),
            None => None,
        };
        let mut fade = options.fade;
        fade.ease = options.ease.unwrap_or(fade.ease);
        let def = TransitionDef {
            from,
            to: target.clone(),
            when,
            on: options.on,
            at_end: options.at_end,
            min_time: options.min_time,
            exit_time: options.exit_time,
            marker: options.marker.map(|Passing(mark)| mark),
            priority: options.priority,
            interrupt: options.interrupt,
            allow_travel: options.allow_travel,
            skip_outro: !options.play_outro,
            fade,
            entry: options.start,
            location: at,
        };
        let nothing_given = def.when.is_none()
            && def.on.is_none()
            && !def.at_end
            && def.min_time <= 0.0
            && def.exit_time.is_none()
            && def.marker.is_none();
        if nothing_given {
            return Err(mlua::Error::runtime(format!(
                "transition_to {target:?}: give at least one of when, on, at_end, min_time, exit_time, marker, such as \
                 when = \"speed > 0.1\" or at_end = true"
            )));
        }
        Ok(Piece::Transition(def))
    })
}

pub(super) fn inertial(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fade = Fade {
        seconds: args.number(0).unwrap_or(0.0).clamp(0.0, 60.0) as f32,
        inertial: true,
        ..Fade::default()
    };
    Ok(Value::UserData(lua.create_userdata(ScriptedPiece::new(
        lua,
        Piece::Fade(fade),
    )?)?))
}

impl OptionValue for Fade {
    const TYPE: Type = Type::OneOf(&[Type::Number, PIECE]);

    fn from_value(value: Value) -> Result<Self, String> {
        match (piece_of(&value), number(&value)) {
            (Some(Piece::Fade(fade)), _) => Ok(fade),
            (None, Some(seconds)) => Ok(Self {
                seconds: seconds.clamp(0.0, 60.0) as f32,
                ..Self::default()
            }),
            _ => Err("expected seconds or inertial(seconds)".into()),
        }
    }
}

/// Name of a marker, and the field values that it must have.
struct Passing((String, Vec<(String, MarkerValue)>));

impl OptionValue for Passing {
    const TYPE: Type = Type::OneOf(&[
        Type::Text,
        Type::Table("{ [number | string]: string | number | boolean }"),
    ]);

    fn from_value(value: Value) -> Result<Self, String> {
        let Value::Table(table) = &value else {
            return Ok(Self((text(&value).unwrap_or_default(), Vec::new())));
        };
        let name: Value = table.raw_get(1).unwrap_or(Value::Nil);
        let name = text(&name)
            .ok_or("the first entry must be the name of a marker: { \"step\", foot = \"left\" }")?;
        Ok(Self((name, marker_fields(table, &[])?)))
    }
}

/// Reads the named fields of a table as fields of a marker, except for the names in `but`.
fn marker_fields(table: &Table, but: &[&str]) -> Result<Vec<(String, MarkerValue)>, String> {
    let mut fields = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair.map_err(|error| error.to_string())?;
        let Some(name) = text(&key).filter(|name| !but.contains(&name.as_str())) else {
            continue;
        };
        let value = match &value {
            Value::Boolean(b) => MarkerValue::Bool(*b),
            Value::String(text) => MarkerValue::Text(text.to_string_lossy()),
            other => MarkerValue::Number(number(other).ok_or_else(|| {
                format!(
                    "field {name:?} of a marker must be a number, a string, true or false, got {}",
                    describe(other)
                )
            })?),
        };
        fields.push((name, value));
    }
    Ok(fields)
}

impl OptionValue for ClipStart {
    const TYPE: Type = Type::OneOf(&[
        Type::Number,
        Type::Word(&["start", "phase"]),
        Type::Table("{ fraction: number }"),
        Type::Table("{ marker: string, index: number?, [string]: string | number | boolean }"),
    ]);

    fn from_value(value: Value) -> Result<Self, String> {
        match &value {
            Value::String(word) if word.to_string_lossy() == "phase" => Ok(Self::Phase),
            Value::String(_) => Ok(Self::Start),
            Value::Table(table) => entry_of(table),
            other => match number(other) {
                Some(t) if t >= 0.0 => Ok(Self::Time(t as f32)),
                _ => Err("expected seconds, 0 or more".into()),
            },
        }
    }
}

fn entry_of(table: &Table) -> Result<ClipStart, String> {
    let field = |name: &str| table.raw_get(name).unwrap_or(Value::Nil);
    match (number(&field("fraction")), text(&field("marker"))) {
        (Some(share), None) if (0.0..=1.0).contains(&share) => {
            Ok(ClipStart::Fraction(share as f32))
        }
        (Some(_), None) => Err("fraction must be 0 to 1".into()),
        (None, Some(event)) => {
            let index = number(&field("index")).unwrap_or(1.0);
            if !(index >= 1.0 && index.fract() == 0.0) {
                return Err("index: must be a whole number, 1 or more".into());
            }
            Ok(ClipStart::Marker {
                event,
                fields: marker_fields(table, &["marker", "index"])?,
                index: index as usize - 1,
            })
        }
        _ => Err("give either fraction or marker".into()),
    }
}
