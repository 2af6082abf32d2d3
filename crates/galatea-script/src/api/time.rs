//! `time`: pause, slow motion, single steps and hit-stop.

use mlua::{Lua, Value};

use super::character_ref::with_character;
use super::check::{Args, Options as _, Param, Type};
use super::group::{Function, Group, Kind, Property};
use crate::history::MAX_HISTORY_S;
use crate::world::{RewindRequest, with_world};
use galatea_character::OwnTime;
use galatea_derive::Options;
use galatea_stage::TimeControl;

/// Options of `time.rewind`.
#[derive(Options)]
struct RewindOptions {
    /// Names of `keep_on_reload` tables that keep their present values, for example one that counts the rewinds.
    #[option(default_doc = "none")]
    except: Option<Vec<String>>,
}

fn pause(lua: &Lua, _: Args) -> mlua::Result<Value> {
    with_world(lua, |world| {
        world.stage.time_control.set_paused(true);
        Ok(Value::Nil)
    })
}

fn resume(lua: &Lua, _: Args) -> mlua::Result<Value> {
    with_world(lua, |world| {
        world.stage.time_control.set_paused(false);
        Ok(Value::Nil)
    })
}

fn is_paused(lua: &Lua, _: Args) -> mlua::Result<Value> {
    with_world(lua, |world| {
        Ok(Value::Boolean(world.stage.time_control.is_paused()))
    })
}

fn scale(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_world(lua, |world| {
        let control = &mut world.stage.time_control;
        if let Some(factor) = args.number(0) {
            if !(0.0..=TimeControl::MAX_SCALE).contains(&factor) {
                return Err(mlua::Error::runtime(format!(
                    "time.scale: factor must be 0 to {}, got {factor}",
                    TimeControl::MAX_SCALE
                )));
            }
            control.set_scale(factor);
        }
        Ok(Value::Number(control.scale()))
    })
}

fn step(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let n = args.number(0).unwrap_or(1.0);
    let most = TimeControl::MAX_STEPS;
    if n.fract() != 0.0 || !(1.0..=f64::from(most)).contains(&n) {
        return Err(mlua::Error::runtime(format!(
            "time.step: ticks must be a whole number from 1 to {most}, got {n}"
        )));
    }
    with_world(lua, |world| {
        let control = &mut world.stage.time_control;
        if !control.is_paused() {
            return Err(mlua::Error::runtime(
                "time.step: the game is not paused; call time.pause() first",
            ));
        }
        control.step(n as u32);
        Ok(Value::Nil)
    })
}

fn freeze(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let duration = args.number(0).unwrap_or_default();
    with_world(lua, |world| {
        let dt = world.stage.clock.dt;
        let most = f64::from(TimeControl::MAX_FREEZE) * dt;
        if !(0.0..=most).contains(&duration) {
            return Err(mlua::Error::runtime(format!(
                "time.freeze: seconds must be 0 to {most}, got {duration}"
            )));
        }
        let n_ticks = (duration / dt).round() as u32;
        world.stage.time_control.freeze(n_ticks);
        Ok(Value::Nil)
    })
}

fn unscaled(lua: &Lua, _: Args) -> mlua::Result<Value> {
    with_world(lua, |world| Ok(Value::Number(world.stage.unscaled_time())))
}

fn slow_sound(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let keeps_pitch = args.text(0).as_deref() == Some("same_pitch");
    with_world(lua, |world| {
        world.stage.time_control.keeps_pitch = keeps_pitch;
        Ok(Value::Nil)
    })
}

fn keep_history(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let seconds = args.number(0).unwrap_or_default();
    if !(0.0..=MAX_HISTORY_S).contains(&seconds) {
        return Err(mlua::Error::runtime(format!(
            "time.keep_history: seconds must be 0 to {MAX_HISTORY_S}, got {seconds}"
        )));
    }
    with_world(lua, |world| {
        world.history_wanted = seconds;
        Ok(Value::Nil)
    })
}

fn rewind(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let seconds = args.number(0).unwrap_or_default();
    if !(0.0..=MAX_HISTORY_S).contains(&seconds) {
        return Err(mlua::Error::runtime(format!(
            "time.rewind: seconds must be 0 to {MAX_HISTORY_S}, got {seconds}"
        )));
    }
    let RewindOptions { except } = args.options(1)?;
    with_world(lua, |world| {
        if world.loading.is_running {
            return Err(mlua::Error::runtime(
                "time.rewind: the main part of a script cannot rewind; call it in a function",
            ));
        }
        if world.history_wanted == 0.0 {
            return Err(mlua::Error::runtime(
                "time.rewind: there is no history; call time.keep_history(10) in the main part of the script",
            ));
        }
        let except = except.unwrap_or_default();
        world.requests.rewind = Some(RewindRequest { seconds, except });
        Ok(Value::Number(seconds.min(world.history_kept)))
    })
}

fn get_time_scale(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        Ok(Value::Number(character.time.scale))
    })
}

fn set_time_scale(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let factor = args.number(1).unwrap_or(1.0);
    if !(0.0..=OwnTime::MAX_SCALE).contains(&factor) {
        return Err(mlua::Error::runtime(format!(
            "time_scale must be 0 to {}, got {factor}",
            OwnTime::MAX_SCALE
        )));
    }
    with_character(lua, &args, |_, character| {
        character.time.scale = factor;
        Ok(Value::Nil)
    })
}

fn get_unscaled(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        Ok(Value::Boolean(character.time.is_unscaled))
    })
}

fn set_unscaled(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let is_unscaled = args.bool(1).unwrap_or(true);
    with_character(lua, &args, |_, character| {
        character.time.is_unscaled = is_unscaled;
        Ok(Value::Nil)
    })
}

/// `hero.time_scale`.
pub(super) const TIME_SCALE: Property = Property {
    name: "time_scale",
    ty: "number",
    doc: "Factor on the speed of this character, from 0 to 4; 1 is normal. It changes its animation, walking, modifiers, \
          springs, material fades and decals. Lines that it speaks, its hair, ragdolls and other rigid bodies keep the \
          speed of the game.",
    get: get_time_scale,
    set: Some((Type::Number, set_time_scale)),
};

/// `hero.unscaled`.
pub(super) const UNSCALED: Property = Property {
    name: "unscaled",
    ty: "boolean",
    doc: "True: the character continues at normal speed in slow motion and during a pause of the module `time`, together \
          with its hair and what it holds. Its machine, `play`, modifiers and walking continue; lines that it speaks, and \
          tasks without the option `unscaled`, do not. While its limbs are simulated, it follows the time of the game.",
    get: get_unscaled,
    set: Some((Type::Bool, set_unscaled)),
};

/// The module `time`.
pub(super) static GROUP: Group = Group {
    kind: Kind::Module,
    name: "time",
    doc: "The speed of the game: pause, slow motion and hit-stop. While the game is paused, characters, physics, crowds, \
          particles, `update`, tasks and sounds stand still. These continue:\n\n\
          - the function `update_unscaled(dt)` of the script,\n\
          - tasks and timers with the option `unscaled`,\n\
          - sounds with the option `unscaled`,\n\
          - the camera, input and `ui`.\n\n\
          Unscaled time is the time that passes outside of the game. A hot reload ends a pause and slow motion.",
    functions: &[
        Function {
            name: "pause",
            params: &[],
            returns: "",
            doc: "Pauses the game until `time.resume`. A tick that has begun is finished.",
            example: "time.pause()",
            call: pause,
        },
        Function {
            name: "resume",
            params: &[],
            returns: "",
            doc: "Ends a pause. Keys that were pressed during the pause are not passed to `update`.",
            example: "time.resume()",
            call: resume,
        },
        Function {
            name: "is_paused",
            params: &[],
            returns: "boolean",
            doc: "Returns true while the game is paused.",
            example: "print(time.is_paused())",
            call: is_paused,
        },
        Function {
            name: "scale",
            params: &[Param {
                name: "factor",
                ty: Type::Number,
                optional: true,
            }],
            returns: "number",
            doc: "Sets how fast the game runs and returns the factor, from 0 to 4. 1 is normal, 0.2 is slow motion. In slow \
                  motion the ticks have the same length, but fewer of them are simulated per second, and pictures are \
                  interpolated. So everything moves exactly as at normal speed. Without an argument it only returns the \
                  factor.",
            example: "time.scale(0.2)\nafter(1, function() time.scale(1) end, { unscaled = true })",
            call: scale,
        },
        Function {
            name: "step",
            params: &[Param {
                name: "ticks",
                ty: Type::Number,
                optional: true,
            }],
            returns: "",
            doc: "Simulates a number of ticks although the game is paused, by default 1.",
            example: "time.pause()\ntime.step(2)",
            call: step,
        },
        Function {
            name: "freeze",
            params: &[Param {
                name: "seconds",
                ty: Type::Number,
                optional: false,
            }],
            returns: "",
            doc: "Lets the game stand still for a moment of unscaled time, from 0 to 60 seconds. Use it as a hit-stop, which \
                  gives a hit more weight. Sounds continue, except speech. Keys that are pressed meanwhile take effect \
                  after it.",
            example: "hero:on(\"touch\", function() time.freeze(0.08) end)",
            call: freeze,
        },
        Function {
            name: "keep_history",
            params: &[Param {
                name: "seconds",
                ty: Type::Number,
                optional: false,
            }],
            returns: "",
            doc: "Keeps copies of the game of the last seconds, up to 120, so that `time.rewind` can go back. 0 ends this. A copy \
                  is made four times per second; a history of 10 seconds takes about as much memory as 40 games.",
            example: "time.keep_history(10)",
            call: keep_history,
        },
        Function {
            name: "rewind",
            params: &[
                Param {
                    name: "seconds",
                    ty: Type::Number,
                    optional: false,
                },
                Param::options(RewindOptions::SHAPE),
            ],
            returns: "number",
            doc: "Goes back in time at the end of this tick, to the last copy that is at least that old, or to the oldest one. \
                  Returns by how many seconds at least, as far as the history reaches. It works like `load`: the script runs again \
                  from its beginning, the stage and the `keep_on_reload` tables are as they were, and `on_load` is called; its \
                  argument has the field `rewound`, in seconds.",
            example: "time.keep_history(10)\nfunction update()\n\tif input.pressed(\"r\") then time.rewind(3, { except = { \"player\" } }) end\nend",
            call: rewind,
        },
        Function {
            name: "unscaled",
            params: &[],
            returns: "number",
            doc: "Returns the unscaled time since the start of the game, in seconds. `now()` is the time of the game itself.",
            example: "print(time.unscaled() - now())",
            call: unscaled,
        },
        Function {
            name: "slow_sound",
            params: &[Param::required(
                "mode",
                Type::Word(&["lower_pitch", "same_pitch"]),
            )],
            returns: "",
            doc: "Sets how sounds are played in slow and fast motion. `lower_pitch` (the default) plays them slower and \
                  deeper, like a tape. `same_pitch` plays them slower at their own pitch.",
            example: "time.slow_sound(\"same_pitch\")",
            call: slow_sound,
        },
    ],
    properties: &[],
};
