//! `state`: a state of a machine.

use mlua::{Function, Lua, Table, Value};

use super::arguments::name_of;
use super::gathered::Gathered;
use super::machine_handles::{curried, piece_of};
use super::piece::{PIECE, Piece};
use crate::api::check::{Args, OptionValue, Type, describe, text};
use crate::states::StateScript;
use crate::world::with_world;
use galatea_anim::PlayMode;
use galatea_derive::Options;
use galatea_machine::{Behaviour, Content, MotionDef, Scalar, SourceLocation, StateDef};

/// Settings of a state; its list holds a clip or motion, or states and transitions.
#[derive(Options)]
#[option(entries = PLAYS)]
pub(super) struct MachineStateOptions {
    /// Clip, or the result of random_clips, sequence, blend1d, blend2d or blend_polar. You may write it as the first
    /// entry, without the name of this field: state "rest" { "idle" } plays the clip "idle".
    #[option(ty = PLAYS)]
    clip: Option<Value>,
    /// Clip that is played once when the state is entered, before `loop`.
    intro: Option<String>,
    /// Clip that repeats until a transition leaves the state.
    r#loop: Option<String>,
    /// Clip that is played once before the state is left.
    outro: Option<String>,
    /// What happens at the end of the clip: "once" stays in the last pose, "loop" starts again, "pingpong" plays
    /// backwards and then forwards again.
    #[option(default = PlayMode::Loop, default_doc = "\"loop\"")]
    mode: PlayMode,
    /// Factor on the playback speed, or the name of a parameter.
    #[option(default = Scalar::Fixed(1.0), default_doc = "1")]
    speed: Scalar,
    /// Name of a parameter from 0 (start of the clip) to 1 (end of the clip). It sets the position in the clip, which
    /// then does not play by itself.
    time_param: Option<String>,
    /// True swaps left and right. You may also give the name of a boolean parameter, which then decides.
    #[option(default = Mirror(None), default_doc = "false")]
    mirror: Mirror,
    /// True makes the root motion of the clips (their movement over the ground) move the character.
    #[option(default = false)]
    root_motion: bool,
    /// Name of a parameter that contains the direction of walking, -180 to 180 degrees; 0 is ahead of the character.
    /// The legs turn to this direction, while the upper body still faces ahead.
    orient_param: Option<String>,
    /// For a state with inner states: true continues in the inner state that was active when the state was last left.
    #[option(default = false)]
    history: bool,
    /// Called when the state is entered. `from` is the previous state, nil at the start.
    #[option(ty = Type::Function("(character: Character, from: string?) -> ()"))]
    on_enter: Option<Function>,
    /// Called in every tick at whose beginning the state is active. `dt` is the length of the tick in seconds.
    #[option(ty = Type::Function(
        "(character: Character, dt: number, params: { [string]: number | boolean }) -> ()"
    ))]
    on_update: Option<Function>,
    /// Called when the state is left. `to` is the next state, nil if the machine is removed.
    #[option(ty = Type::Function("(character: Character, to: string?) -> ()"))]
    on_exit: Option<Function>,
    /// Functions that are called for events while the state is active, by the name of the event: on = { step =
    /// function(hero, e) end }.
    #[option(default = StateListeners(Vec::new()))]
    on: StateListeners,
    /// Function of a task (see `hero:task`). The task begins when the state is entered and ends when it is left.
    #[option(ty = Type::Function("(task: Task) -> ()"))]
    task: Option<Function>,
}

/// A clip or a piece of a machine.
const PLAYS: Type = Type::OneOf(&[Type::Text, PIECE]);

/// Condition of mirroring; `None` for false.
struct Mirror(Option<Scalar>);

impl OptionValue for Mirror {
    const TYPE: Type = Type::OneOf(&[Type::Bool, Type::Text]);

    fn from_value(value: Value) -> Result<Self, String> {
        Ok(Self(match value {
            Value::Boolean(true) => Some(Scalar::Fixed(1.0)),
            other => text(&other).map(Scalar::Param),
        }))
    }
}

/// Listeners, sorted by the names of their events.
struct StateListeners(Vec<(String, Function)>);

impl OptionValue for StateListeners {
    const TYPE: Type = Type::Table("{ [string]: (character: Character, event: AnyEvent) -> () }");

    fn from_value(value: Value) -> Result<Self, String> {
        let mut listeners = Vec::new();
        for pair in Table::from_value(value)?.pairs::<Value, Value>() {
            let (event, listener) = pair.map_err(|error| error.to_string())?;
            let (Some(event), Value::Function(listener)) = (text(&event), &listener) else {
                return Err(format!(
                    "expected functions by the names of events, got {}",
                    describe(&listener)
                ));
            };
            listeners.push((event, listener.clone()));
        }
        listeners.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(Self(listeners))
    }
}

pub(super) fn state(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = name_of(&args, "state")?;
    let what = format!("state {name:?}");
    curried(
        lua,
        what.clone(),
        move |lua, options: MachineStateOptions, table, at| {
            let content = content(&what, &options, table)?;
            Ok(Piece::State(StateDef {
                name: name.clone(),
                content,
                mode: options.mode,
                root_motion: options.root_motion,
                history: options.history,
                behaviour: behaviour(lua, &options, &at)?,
                speed: options.speed,
                time_param: options.time_param,
                mirror: options.mirror.0,
                orient_param: options.orient_param,
                location: at,
            }))
        },
    )
}

/// The script behaviour of a state; `None` if it has no functions, listeners or task.
fn behaviour(
    lua: &Lua,
    options: &MachineStateOptions,
    at: &SourceLocation,
) -> mlua::Result<Option<Behaviour>> {
    let script = StateScript {
        enter: options.on_enter.clone(),
        update: options.on_update.clone(),
        leave: options.on_exit.clone(),
        task: options.task.clone(),
        on: options.on.0.clone(),
        at: at.clone(),
    };
    let gives = |script: &StateScript| {
        let functions = [&script.enter, &script.update, &script.leave, &script.task];
        !script.on.is_empty() || functions.into_iter().any(Option::is_some)
    };
    if !gives(&script) {
        return Ok(None);
    }
    with_world(lua, |world| {
        let scripts = &mut world.program.machines.states.scripts;
        scripts.push(script);
        Ok(Some(Behaviour(scripts.len() as u32 - 1)))
    })
}

fn content(what: &str, options: &MachineStateOptions, table: &Table) -> mlua::Result<Content> {
    let wrong = |text: String| Err(mlua::Error::runtime(format!("{what}: {text}")));
    let entries: Vec<Value> = table
        .sequence_values::<Value>()
        .collect::<mlua::Result<_>>()?;
    let mut gathered = Gathered::new(what, true);
    let mut given = options.clip.clone();
    for entry in entries {
        if gathered.take(&entry)? {
            continue;
        }
        if given.is_some() {
            return wrong(format!(
                "give only one clip; {} is too many",
                describe(&entry)
            ));
        }
        given = Some(entry);
    }
    let nested = gathered.states;
    let phases = options.r#loop.is_some() || options.intro.is_some() || options.outro.is_some();
    let n_given = usize::from(given.is_some())
        + usize::from(phases)
        + usize::from(!nested.states.is_empty() || !nested.transitions.is_empty());
    if n_given > 1 {
        return wrong(
            "give only one of these: a clip, or intro, loop and outro, or inner states".into(),
        );
    }
    if phases {
        let Some(looped) = options.r#loop.clone() else {
            return wrong("intro and outro need the option `loop`".into());
        };
        return Ok(Content::Motion(MotionDef::Phases {
            intro: options.intro.clone(),
            looped,
            outro: options.outro.clone(),
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
            "expected a clip, random_clips, sequence, a blend, or states, got {}",
            describe(&given)
        )),
    }
}
