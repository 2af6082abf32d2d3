//! `hero:clip "name"`: data of a character's clip, and `hero:curve`.

use glam::{EulerRot, Vec3};
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::{clip_index, find, with_character};
use super::check::{Args, Param, Type, lua_vector};
use super::group::{Function, Group, Kind, Property};
use crate::budget::charge;
use crate::world::with_world;
use galatea_anim::{Marker, MarkerValue};
use galatea_character::Character;
use galatea_math::Trs;
use galatea_math::names::nearest_hint;
use galatea_stage::Handle;

/// A script's handle of a clip of a character. It refers to the clip by name, so it stays valid after a reload.
#[derive(Clone)]
pub(super) struct ClipRef {
    character: Handle,
    name: String,
}

impl UserData for ClipRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// `hero:clip(name)`.
pub(super) fn clip(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let character = args.character()?;
    let name = args.text(1).unwrap_or_default();
    with_character(lua, &args, |_, c| clip_index(c, &name))?;
    let clip = ClipRef { character, name };
    Ok(Value::UserData(lua.create_userdata(clip)?))
}

/// `hero:curve(name)`.
pub(super) fn curve(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    with_character(lua, &args, |_, character| {
        let names = character.definition.clips.curve_names();
        let Some(place) = names.iter().position(|known| *known == name) else {
            let hint = nearest_hint(&name, names.iter().map(String::as_str));
            let model = &character.definition.model.name;
            return Err(mlua::Error::runtime(format!(
                "the clips of {model} have no curve {name:?}{hint}"
            )));
        };
        // The pose of the last tick has no value for a clip that was just added.
        let value = character
            .posed
            .pose
            .curves
            .get(place)
            .copied()
            .unwrap_or(0.0);
        Ok(Value::Number(f64::from(value)))
    })
}

/// Runs `f` with the clip's character and number.
fn with_clip<R>(
    lua: &Lua,
    args: &Args,
    f: impl FnOnce(&Character, usize) -> mlua::Result<R>,
) -> mlua::Result<R> {
    let clip: ClipRef = args
        .object(0)
        .ok_or_else(|| mlua::Error::runtime("expected a Clip"))?;
    with_world(lua, |world| {
        let character = find(&mut world.stage, clip.character)?;
        let index = clip_index(character, &clip.name)?;
        f(character, index)
    })
}

fn sample(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let t = args.number(1).unwrap_or_default() as f32;
    let n = with_clip(lua, &args, |character, index| {
        let clips = &character.definition.clips;
        Ok(clips.rest().locals.len() + 32 * clips.touched_bones(index).count())
    })?;
    charge(lua, n as u64)?;
    let bones: Vec<(String, Trs)> = with_clip(lua, &args, |character, index| {
        let clips = &character.definition.clips;
        let mut locals = clips.rest().locals.clone();
        if let Some(clip) = clips.clip(index) {
            clip.sample(t, &mut locals);
        }
        let named = clips.touched_bones(index).filter_map(|bone| {
            let place = usize::from(bone);
            let name = &clips.skeleton().bones().get(place)?.name;
            Some((name.clone(), *locals.get(place)?))
        });
        Ok(named.collect())
    })?;
    let table = lua.create_table()?;
    for (name, local) in bones {
        let bone = lua.create_table()?;
        bone.raw_set("position", lua_vector(local.translation))?;
        bone.raw_set(
            "quaternion",
            lua.create_sequence_from(local.rotation.to_array())?,
        )?;
        let (y, x, z) = local.rotation.to_euler(EulerRot::YXZ);
        let degrees = Vec3::new(x, y, z).map(f32::to_degrees);
        bone.raw_set("rotation", lua_vector(degrees))?;
        bone.raw_set("scale", lua_vector(local.scale))?;
        table.raw_set(name, bone)?;
    }
    Ok(Value::Table(table))
}

fn curve_at(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    let t = args.number(2).unwrap_or_default() as f32;
    with_clip(lua, &args, |character, index| {
        let clip = character.definition.clips.clip(index);
        let value = clip.and_then(|clip| clip.curve(&name, t));
        let names = clip.map_or(Vec::new(), |clip| {
            let curves = clip.curves.iter();
            curves.map(|curve| curve.name.as_str()).collect()
        });
        value.map(|v| Value::Number(f64::from(v))).ok_or_else(|| {
            let hint = nearest_hint(&name, names.into_iter());
            mlua::Error::runtime(format!("the clip has no curve {name:?}{hint}"))
        })
    })
}

fn get_name(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = with_clip(lua, &args, |character, index| {
        Ok(character.definition.clips.clip_name(index).to_owned())
    })?;
    Ok(Value::String(lua.create_string(name)?))
}

fn get_source(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let source = with_clip(lua, &args, |character, index| {
        let origin = character.definition.origins.get(index);
        Ok(origin.cloned())
    })?;
    let source = source.as_deref().unwrap_or("");
    Ok(Value::String(lua.create_string(source)?))
}

/// Reads a number of the clip; nil for `None`.
fn number_of(
    lua: &Lua,
    args: &Args,
    read: impl FnOnce(&Character, usize) -> Option<f32>,
) -> mlua::Result<Value> {
    let n = with_clip(lua, args, |character, index| Ok(read(character, index)))?;
    Ok(n.map_or(Value::Nil, |n| Value::Number(f64::from(n))))
}

fn get_duration(lua: &Lua, args: Args) -> mlua::Result<Value> {
    number_of(lua, &args, |c, clip| {
        Some(c.definition.clips.duration(clip))
    })
}

fn get_speed(lua: &Lua, args: Args) -> mlua::Result<Value> {
    number_of(lua, &args, |c, clip| {
        let velocity = c.definition.clips.ground_velocity(clip)?;
        Some(velocity.length())
    })
}

fn get_root_translation(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_clip(lua, &args, |character, clip| {
        let root = character.definition.clips.root(clip);
        Ok(root.map_or(Value::Nil, |root| lua_vector(root.lap().translation)))
    })
}

fn get_is_in_place(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_clip(lua, &args, |character, clip| {
        Ok(Value::Boolean(
            character.definition.clips.travel(clip).is_none(),
        ))
    })
}

fn get_root_yaw(lua: &Lua, args: Args) -> mlua::Result<Value> {
    number_of(lua, &args, |c, clip| {
        let root = c.definition.clips.root(clip)?;
        Some(root.lap().yaw.to_degrees())
    })
}

fn get_bytes(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_clip(lua, &args, |character, index| {
        let clip = character.definition.clips.clip(index);
        Ok(clip.map_or(Value::Nil, |clip| Value::Integer(clip.bytes() as i64)))
    })
}

fn get_markers(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let marks: Vec<Marker> = with_clip(lua, &args, |character, index| {
        let marks = character.playback.markers.get(index);
        Ok(marks.map_or(Vec::new(), |marks| marks.to_vec()))
    })?;
    let list = lua.create_table()?;
    for mark in marks {
        let table = lua.create_table()?;
        for (name, value) in &mark.fields {
            match value {
                MarkerValue::Number(n) => table.raw_set(name.as_str(), *n)?,
                MarkerValue::Text(text) => table.raw_set(name.as_str(), text.as_str())?,
                MarkerValue::Bool(b) => table.raw_set(name.as_str(), *b)?,
            }
        }
        table.raw_set("time", mark.time)?;
        table.raw_set("name", mark.event)?;
        if mark.duration > 0.0 {
            table.raw_set("duration", mark.duration)?;
        }
        list.raw_push(table)?;
    }
    Ok(Value::Table(list))
}

const SECONDS: Param = Param {
    name: "seconds",
    ty: Type::Number,
    optional: false,
};

/// Methods and properties of a clip.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Clip",
    doc: "Data of a clip of a character, returned by `hero:clip`. The value stays valid after a hot reload, because it \
          finds the clip by its name.",
    functions: &[
        Function {
            name: "sample",
            params: &[SECONDS],
            returns: "{ [string]: { position: vector, quaternion: { number }, rotation: vector, scale: vector } }",
            doc: "Returns the pose of the clip at a time. The result is a table with the names of all bones that the \
                  clip moves. Each value is the transform of the bone relative to its parent bone. `quaternion` is { x, \
                  y, z, w }. `rotation` is the same rotation as three angles in degrees, applied around z first, then \
                  x, then y. Times before the first key give the first key, times after the last key give the last key.",
            example: "for bone, place in hero:clip(\"walk\"):sample(0.25) do print(bone, place.rotation) end",
            call: sample,
        },
        Function {
            name: "curve",
            params: &[
                Param {
                    name: "name",
                    ty: Type::Text,
                    optional: false,
                },
                SECONDS,
            ],
            returns: "number",
            doc: "Returns the value of a curve (a named number over time) of the clip at a time. `name` is the name of \
                  the curve.",
            example: "hero:add_clip(clip \"shine\" { curves = { glow = { { 0, 0 }, { 1, 1 } } } })\nprint(hero:clip(\"shine\"):curve(\"glow\", 0.5))",
            call: curve_at,
        },
    ],
    properties: &[
        Property {
            name: "name",
            ty: "string",
            doc: "Name of the clip.",
            get: get_name,
            set: None,
        },
        Property {
            name: "duration",
            ty: "number",
            doc: "Duration of the clip, seconds.",
            get: get_duration,
            set: None,
        },
        Property {
            name: "source",
            ty: "string",
            doc: "File from which the clip comes, or \"script\" for a clip that a script made.",
            get: get_source,
            set: None,
        },
        Property {
            name: "markers",
            ty: "{ { time: number, name: string, duration: number?, [string]: number | string | boolean } }",
            doc: "Markers of the clip with their fields, in order of time. Markers that `hero:add_marker` added are \
                  included.",
            get: get_markers,
            set: None,
        },
        Property {
            name: "ground_speed",
            ty: "number?",
            doc: "Walking speed that fits the clip, metres per second, measured from the feet that stand on the ground. \
                  It is nil if it cannot be measured.",
            get: get_speed,
            set: None,
        },
        Property {
            name: "root_translation",
            ty: "vector?",
            doc: "Distance by which the clip moves the root bone from its start to its end, along the character's own \
                  axes, metres. It is nil if the clip never moves or turns the root bone. If a clip moves the root bone \
                  but ends where it starts, it is a vector close to (0, 0, 0).",
            get: get_root_translation,
            set: None,
        },
        Property {
            name: "root_yaw",
            ty: "number?",
            doc: "Angle by which the clip turns the root bone around the Y axis, from its start to its end, degrees. A \
                  positive angle is a turn to the left.",
            get: get_root_yaw,
            set: None,
        },
        Property {
            name: "is_in_place",
            ty: "boolean",
            doc: "True if the character is at the end of the clip nearly where it was at the start. Nearly means at \
                  most 8 % of the body's height away and turned by at most 20 degrees. Such a clip can still have root \
                  motion, which a state with `root_motion = true` applies.",
            get: get_is_in_place,
            set: None,
        },
        Property {
            name: "bytes",
            ty: "number",
            doc: "Size of the compressed clip in memory, bytes.",
            get: get_bytes,
            set: None,
        },
    ],
};
