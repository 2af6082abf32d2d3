//! `state`.

use mlua::{Lua, Table, Value};

use super::sizes::Gathered;
use super::{NUMBER_OR_PARAM, Piece, curried, name_of, piece_of, scalar};
use crate::api::check::{Args, Field, Fields, Type, describe, play_mode, text};
use crate::state_scripts::StateScript;
use crate::world::with_world;
use galatea_anim::PlayMode;
use galatea_machine::{Behaviour, Content, MotionDef, Place, Scalar, StateDef};

const STATE_FIELDS: &[Field] = &[
    Field::new(
        "clip",
        Type::OneOf(&[Type::Text, Type::Object("MachinePiece")]),
        "a clip, or random, sequence, blend1d, blend2d or blend_polar { … }",
    ),
    Field::new(
        "intro",
        Type::Text,
        "a clip played once on entering, before `loop`",
    ),
    Field::new(
        "loop",
        Type::Text,
        "a clip played until the state is to be left",
    ),
    Field::new("outro", Type::Text, "a clip played once before leaving"),
    Field::new(
        "mode",
        Type::Word(&["loop", "once", "pingpong"]),
        "what happens at the clip's end; loop",
    ),
    Field::new(
        "speed",
        NUMBER_OR_PARAM,
        "factor on the clip's speed, or a parameter; 1",
    ),
    Field::new(
        "time",
        Type::Text,
        "a parameter, 0 to 1, that sets the place in the clip instead of time",
    ),
    Field::new(
        "mirror",
        Type::OneOf(&[Type::Bool, Type::Text]),
        "left and right exchanged: true, or a parameter",
    ),
    Field::new(
        "root_motion",
        Type::Bool,
        "the clips' travel moves the character; false",
    ),
    Field::new(
        "orient",
        Type::Text,
        "a parameter, degrees -180 to 180: the way the character goes, counted from where it looks; \
              the legs turn towards it, the upper body keeps looking ahead",
    ),
    Field::new(
        "history",
        Type::Bool,
        "a state of states goes on where it was left; false",
    ),
    Field::new(
        "enter",
        Type::Function("(...any) -> ...any"),
        "called with the character and the state it came from (nil at the start) when it is entered",
    ),
    Field::new(
        "update",
        Type::Function("(...any) -> ...any"),
        "called in every tick that begins in it, with the character, the seconds, and the parameters",
    ),
    Field::new(
        "leave",
        Type::Function("(...any) -> ...any"),
        "called with the character and the state it goes to (nil when the machine goes) when it is left",
    ),
    Field::new(
        "on",
        Type::Table("{ [any]: any }"),
        "listeners while it is there, by event: on = { step = function(hero, e) end }",
    ),
    Field::new(
        "act",
        Type::Function("(...any) -> ...any"),
        "an act (see hero:act) that begins with the state and ends with it",
    ),
];

pub(super) fn state(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = name_of(&args, "state")?;
    curried(
        lua,
        "state",
        STATE_FIELDS,
        true,
        move |lua, fields, table, at| {
            let behaviour = behaviour(lua, &name, fields, &at)?;
            let speed = scalar(&fields.value("speed"), 1.0);
            Ok(Piece::State(StateDef {
                name: name.clone(),
                content: content(&name, fields, table)?,
                mode: play_mode(fields.text("mode"), PlayMode::Loop),
                speed,
                time: fields.text("time"),
                mirror: match fields.value("mirror") {
                    Value::Boolean(true) => Some(Scalar::Fixed(1.0)),
                    Value::String(param) => Some(Scalar::Param(param.to_string_lossy())),
                    _ => None,
                },
                root_motion: fields.bool("root_motion").unwrap_or(false),
                orient: fields.text("orient"),
                history: fields.bool("history").unwrap_or(false),
                behaviour,
                at,
            }))
        },
    )
}

/// What a script does in the state, if it gives it anything to do.
fn behaviour(
    lua: &Lua,
    name: &str,
    fields: &Fields,
    at: &Place,
) -> mlua::Result<Option<Behaviour>> {
    let given = |field: &str| match fields.value(field) {
        Value::Function(function) => Some(function),
        _ => None,
    };
    let mut script = StateScript {
        enter: given("enter"),
        update: given("update"),
        leave: given("leave"),
        act: given("act"),
        on: Vec::new(),
        at: at.clone(),
    };
    if let Value::Table(table) = fields.value("on") {
        for pair in table.pairs::<Value, Value>() {
            let (event, listener) = pair?;
            let (Some(event), Value::Function(listener)) = (text(&event), &listener) else {
                return Err(mlua::Error::runtime(format!(
                    "state {name:?}: on: expected functions by the names of events, got {}",
                    describe(&listener)
                )));
            };
            script.on.push((event, listener.clone()));
        }
        script.on.sort_by(|(a, _), (b, _)| a.cmp(b));
    }
    let gives = |script: &StateScript| {
        let functions = [&script.enter, &script.update, &script.leave, &script.act];
        !script.on.is_empty() || functions.into_iter().any(Option::is_some)
    };
    if !gives(&script) {
        return Ok(None);
    }
    with_world(lua, |world| {
        let scripts = &mut world.program.state_scripts;
        scripts.push(script);
        Ok(Some(Behaviour(scripts.len() as u32 - 1)))
    })
}

fn content(name: &str, fields: &Fields, table: &Table) -> mlua::Result<Content> {
    let wrong = |text: String| Err(mlua::Error::runtime(format!("state {name:?}: {text}")));
    let entries: Vec<Value> = table
        .sequence_values::<Value>()
        .collect::<mlua::Result<_>>()?;
    let what = format!("state {name:?}");
    let mut gathered = Gathered::new(&what, true);
    let mut given = match fields.value("clip") {
        Value::Nil => None,
        clip => Some(clip),
    };
    for entry in entries {
        if gathered.take(&entry)? {
            continue;
        }
        if given.is_some() {
            return wrong(format!("one clip is enough, got {} too", describe(&entry)));
        }
        given = Some(entry);
    }
    let nested = gathered.states;
    let looped = fields.text("loop");
    let phases =
        looped.is_some() || fields.text("intro").is_some() || fields.text("outro").is_some();
    let n_given = usize::from(given.is_some())
        + usize::from(phases)
        + usize::from(!nested.states.is_empty() || !nested.transitions.is_empty());
    if n_given > 1 {
        return wrong(
            "give a clip, or intro, loop and outro, or states, not several of them".into(),
        );
    }
    if phases {
        let Some(looped) = looped else {
            return wrong("intro and outro need a `loop` between them".into());
        };
        return Ok(Content::Motion(MotionDef::Phases {
            intro: fields.text("intro"),
            looped,
            outro: fields.text("outro"),
        }));
    }
    if !nested.states.is_empty() || !nested.transitions.is_empty() {
        return Ok(Content::Nested(nested));
    }
    let Some(given) = given else {
        return Ok(Content::default());
    };
    match (&given, piece_of(&given)) {
        (_, Some(Piece::Motion(motion))) => Ok(Content::Motion(motion)),
        (Value::String(clip), _) => Ok(Content::Motion(MotionDef::Clip(clip.to_string_lossy()))),
        _ => wrong(format!(
            "expected a clip, random, sequence, a blend, or states, got {}",
            describe(&given)
        )),
    }
}
