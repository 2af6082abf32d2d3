//! The object that `sound.play` returns: a handle to a playing sound.

use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::check::{Args, Param, Type, lua_number, lua_vector};
use super::group::{Function, Group, Kind, Property};
use crate::sounds::Sounding;
use crate::tasks::Ended;
use crate::world::{World, with_world};
use galatea_character::EndReason;
use galatea_stage::SoundOrder;

/// Script handle to a sound.
#[derive(Clone, Debug)]
pub(super) struct SoundRef {
    pub id: u64,
    pub ended: Ended,
}

impl UserData for SoundRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// Sends a command to the audio system.
///
/// # Errors
/// Fails if the limit of commands in this tick is reached.
pub(super) fn order(orders: &mut Vec<SoundOrder>, order: SoundOrder) -> mlua::Result<()> {
    if orders.len() >= MAX_ORDERS {
        return Err(mlua::Error::runtime(format!(
            "sound: more than {MAX_ORDERS} sounds were started, changed or stopped in one tick"
        )));
    }
    orders.push(order);
    Ok(())
}

/// Maximum number of sounds that can be started, changed or stopped in one tick.
const MAX_ORDERS: usize = 1000;

fn sound_of(args: &Args) -> mlua::Result<SoundRef> {
    args.object(0)
        .ok_or_else(|| mlua::Error::runtime("expected a Sound"))
}

fn stop(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let sound = sound_of(&args)?;
    let fade = args.number(1).unwrap_or(0.02).clamp(0.0, 60.0) as f32;
    with_world(lua, |world| {
        if world.program.sounds.contains_key(&sound.id) {
            order(
                &mut world.stage.audio.orders,
                SoundOrder::Stop { id: sound.id, fade },
            )?;
            world.program.sounds.remove(&sound.id);
            sound.ended.set(Some(EndReason::Stopped.word()));
        }
        Ok(Value::Nil)
    })
}

fn end_reason(lua: &Lua, args: Args) -> mlua::Result<Value> {
    match sound_of(&args)?.ended.get() {
        Some(word) => Ok(Value::String(lua.create_string(word)?)),
        None => Ok(Value::Nil),
    }
}

/// Stage time and unscaled time, seconds.
struct Times([f64; 2]);

impl Times {
    fn of(world: &World) -> Self {
        Self([world.now(), world.stage.unscaled_time()])
    }

    fn of_sound(&self, sound: &Sounding) -> f64 {
        self.0[usize::from(sound.is_unscaled)]
    }
}

/// Reads a value of a sound that has not ended; returns nil after the end.
fn while_playing(
    lua: &Lua,
    args: &Args,
    read: impl FnOnce(&Sounding, f64) -> Value,
) -> mlua::Result<Value> {
    let sound = sound_of(args)?;
    with_world(lua, |world| {
        let times = Times::of(world);
        let found = world.program.sounds.get(&sound.id);
        Ok(found.map_or(Value::Nil, |sound| read(sound, times.of_sound(sound))))
    })
}

/// Changes a sound that has not ended, both in the script's record and in the audio system.
fn change(
    lua: &Lua,
    args: &Args,
    set: impl FnOnce(&mut Sounding, f64, u64) -> SoundOrder,
) -> mlua::Result<Value> {
    let sound = sound_of(args)?;
    with_world(lua, |world| {
        let times = Times::of(world);
        let id = sound.id;
        let found = world.program.sounds.get_mut(&id);
        let changed = found.map(|sound| {
            let now = times.of_sound(sound);
            set(sound, now, id)
        });
        if let Some(changed) = changed {
            order(&mut world.stage.audio.orders, changed)?;
        }
        Ok(Value::Nil)
    })
}

fn get_time(lua: &Lua, args: Args) -> mlua::Result<Value> {
    while_playing(lua, &args, |sound, now| Value::Number(sound.time(now)))
}

fn get_volume(lua: &Lua, args: Args) -> mlua::Result<Value> {
    while_playing(lua, &args, |sound, _| lua_number(sound.volume))
}

fn set_volume(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let gain = args.number(1).unwrap_or(1.0).clamp(0.0, 16.0) as f32;
    change(lua, &args, |sound, _, id| {
        sound.volume = gain;
        SoundOrder::Change {
            id,
            volume: Some(gain),
            pitch: None,
            position: None,
        }
    })
}

fn get_pitch(lua: &Lua, args: Args) -> mlua::Result<Value> {
    while_playing(lua, &args, |sound, _| lua_number(sound.pitch()))
}

fn set_pitch(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let pitch = args.number(1).unwrap_or(1.0).clamp(0.0625, 16.0) as f32;
    change(lua, &args, |sound, now, id| {
        sound.set_pitch(now, pitch);
        SoundOrder::Change {
            id,
            volume: None,
            pitch: Some(pitch),
            position: None,
        }
    })
}

fn get_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    while_playing(lua, &args, |sound, _| {
        sound.position.map_or(Value::Nil, lua_vector)
    })
}

fn set_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let sound = sound_of(&args)?;
    let as_recorded = with_world(lua, |world| {
        let sound = world.program.sounds.get(&sound.id);
        Ok(sound.is_some_and(|sound| sound.position.is_none()))
    })?;
    if as_recorded {
        return Err(mlua::Error::runtime(
            "position: this sound has no 3D position; set the option position of sound.play",
        ));
    }
    let Some(position) = args.vector(1) else {
        return Ok(Value::Nil);
    };
    change(lua, &args, |sound, _, id| {
        sound.position = Some(position);
        SoundOrder::Change {
            id,
            volume: None,
            pitch: None,
            position: Some(position),
        }
    })
}

/// Methods and properties of the object that `sound.play` returns.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Sound",
    doc: "A sound, started by `sound.play`. It ends exactly once, with the reason \"end\", \"stopped\" or \"reloaded\". \
          A task can wait for the end. At a hot reload, all these values end with the reason \"reloaded\". Sounds with \
          `loop` then stop; other sounds can still be heard to their end.",
    functions: &[
        Function {
            name: "stop",
            params: &[Param {
                name: "fade",
                ty: Type::Number,
                optional: true,
            }],
            returns: "",
            doc: "Stops the sound. It fades out within `fade` seconds, by default 0.02.",
            example: "local steps = sound.play(\"step_stone\", { loop = true })\nsteps:stop(0.1)",
            call: stop,
        },
        Function {
            name: "end_reason",
            params: &[],
            returns: "string?",
            doc: "Returns the reason why the sound ended: \"end\", \"stopped\" or \"reloaded\". Returns nil while the \
                  sound plays.",
            example: "print(sound.play(\"land\"):end_reason())",
            call: end_reason,
        },
    ],
    properties: &[
        Property {
            name: "time",
            ty: "number?",
            doc: "Position of playback in the sound, seconds. With `loop`, it starts at 0 again with each repetition. \
                  It is nil after the end.",
            get: get_time,
            set: None,
        },
        Property {
            name: "volume",
            ty: "number?",
            doc: "Factor on the volume, 0 to 16. It is nil after the end.",
            get: get_volume,
            set: Some((Type::Number, set_volume)),
        },
        Property {
            name: "pitch",
            ty: "number?",
            doc: "Factor on speed and pitch, 1/16 to 16. It is nil after the end.",
            get: get_pitch,
            set: Some((Type::Number, set_pitch)),
        },
        Property {
            name: "position",
            ty: "vector?",
            doc: "Position of the sound in the world, metres. It is nil after the end, and for a sound without a position.",
            get: get_position,
            set: Some((Type::Vector, set_position)),
        },
    ],
};
