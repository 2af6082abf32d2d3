//! `hero:decal`: wounds, dirt and dents on a character's surface.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::Vec3;
use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::character::find;
use super::check::{Args, Field, Fields, Param, Type, lua_number, number, text, vector};
use super::{Function, Group, Kind, Property, add_object, add_properties};
use crate::budget::charge;
use crate::world::{World, with_world};
use galatea_asset::model::{Image, MaterialKind};
use galatea_character::{Character, DecalOptions, Traced};
use galatea_decal::Look;
use galatea_decal::kinds::{DecalKind, KINDS};
use galatea_math::names::nearest_hint;
use galatea_stage::Handle;

/// Surfaces that one shot may go through.
const MOST_THROUGH: usize = 8;
/// Metres before and behind a place on the surface that are looked at.
const NEAR: f32 = 0.06;
/// The same where only a blow is known.
const FAR: f32 = 0.6;
/// Metres that a shot goes on through.
const THROUGH: f32 = 2.5;
/// Work of a decal, in counts of a script's budget.
const COST: u64 = 256;

/// A script's hold on decals that were put together.
#[derive(Clone)]
struct DecalRef {
    character: Handle,
    ids: Arc<[u64]>,
}

impl UserData for DecalRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

const FIELDS: &[Field] = &[
    Field {
        name: "size",
        ty: Type::Number,
        doc: "metres across, 0.002 to 3; what its kind has, 0.1 for a picture",
    },
    Field {
        name: "roll",
        ty: Type::Number,
        doc: "degrees by which it is turned; by chance",
    },
    Field {
        name: "tint",
        ty: Type::Vector,
        doc: "linear factor on its colour; white",
    },
    Field {
        name: "opacity",
        ty: Type::Number,
        doc: "0 to 1; 1",
    },
    Field {
        name: "depth",
        ty: Type::Number,
        doc: "metres from black to white of its relief, -0.1 to 0.1; less than 0 turns it over",
    },
    Field {
        name: "roughness",
        ty: Type::Number,
        doc: "0 to 1; of its kind, or as the material is",
    },
    Field {
        name: "relief",
        ty: Type::Text,
        doc: "a picture of its heights, dark is deep; of a picture its own alpha",
    },
    Field {
        name: "dries",
        ty: Type::OneOf(&[Type::Number, Type::Bool]),
        doc: "seconds until it has dried, or false",
    },
    Field {
        name: "stays",
        ty: Type::Number,
        doc: "seconds after which it fades; for ever",
    },
    Field {
        name: "fade",
        ty: Type::Number,
        doc: "seconds in which it then fades; 2",
    },
    Field {
        name: "planar",
        ty: Type::Bool,
        doc: "laid on straight along the normal, as a stencil, in place of over the surface; false",
    },
    Field {
        name: "through",
        ty: Type::Bool,
        doc: "what it went through has one on every side; false",
    },
    Field {
        name: "exit",
        ty: Type::OneOf(&[Type::Text, Type::Table]),
        doc: "with through: what comes out where it leaves; the same",
    },
];

/// The line along which a surface is looked for.
pub(super) fn line(
    place: &Table,
    character: &Character,
    through: bool,
) -> mlua::Result<(Vec3, Vec3)> {
    let of = |key: &str| -> mlua::Result<Option<Vec3>> {
        Ok(vector(&place.raw_get::<Value>(key)?).filter(|v| v.is_finite()))
    };
    if let (Some(from), Some(to)) = (of("from")?, of("to")?) {
        return Ok((from, to));
    }
    let Some(at) = of("position")?.or(of("at")?) else {
        return Err(wrong(
            "decal: where it is put has from and to, or a position with a normal, a direction or an impulse: a hit of physics.ray or the event hit",
        ));
    };
    let scale = character.placement.scale;
    let unit = |v: Option<Vec3>| v.and_then(|v| v.try_normalize());
    let (way, back) = match (
        unit(of("direction")?),
        unit(of("normal")?),
        unit(of("impulse")?),
    ) {
        (Some(way), ..) => (way, FAR),
        (None, Some(normal), _) => (-normal, NEAR),
        (None, None, Some(way)) => (way, FAR),
        _ => {
            return Err(wrong(
                "decal: a position needs a normal, a direction or an impulse: from where it comes",
            ));
        }
    };
    let on = if through { THROUGH } else { back };
    Ok((at - way * (back * scale), at + way * (on * scale)))
}

/// Where a line meets a character: once, or each time.
pub(super) fn met(
    character: &Character,
    (from, to): (Vec3, Vec3),
    through: bool,
) -> (Vec<Traced>, u64) {
    let (mut all, mut work) = (Vec::new(), 0);
    let Some(way) = (to - from).try_normalize() else {
        return (all, 0);
    };
    let mut start = from;
    while all.len() < if through { MOST_THROUGH } else { 1 } {
        let (found, looked) = character.trace(start, to);
        work += looked as u64;
        let Some(found) = found else { break };
        start = found.position + way * 1e-3;
        all.push(found);
    }
    (all, work)
}

/// What a kind is for a material: a name, or by names and kinds of materials.
fn kind_for(value: &Value, name: &str, kind: MaterialKind) -> mlua::Result<Option<String>> {
    let Value::Table(table) = value else {
        return Ok(text(value));
    };
    for key in [name, kind.name(), "other"] {
        match table.raw_get::<Value>(key)? {
            Value::Nil => {}
            Value::Boolean(false) => return Ok(None),
            value => {
                let found = text(&value);
                return found.map(Some).ok_or_else(|| {
                    wrong(format!(
                        "decal: {key} is the name of a decal or of a picture, or false"
                    ))
                });
            }
        }
    }
    Ok(None)
}

/// A kind that exists, a picture that can be read; its options.
fn made(world: &mut World, name: &str, fields: &Fields, n_put: u32) -> mlua::Result<DecalOptions> {
    let picture = |world: &mut World, file: &str| -> mlua::Result<Arc<Image>> {
        world.services.image(file).map_err(|why| {
            world.wait_for(file.to_owned(), false);
            wrong(format!("decal: {why}"))
        })
    };
    let known = DecalKind::find(name);
    let is_file = name.contains('.') || name.contains('/');
    let relief = fields.text("relief");
    let relief = relief.map(|file| picture(world, &file)).transpose()?;
    let mut look = match known {
        Some(kind) => {
            let (color, heights) = kind.pictures();
            Look {
                color,
                tint: Vec3::ONE,
                opacity: 1.0,
                roughness: kind.roughness,
                depth: kind.depth,
                relief: Some(relief.unwrap_or(heights)),
            }
        }
        None if is_file => Look {
            color: picture(world, name)?,
            tint: Vec3::ONE,
            opacity: 1.0,
            roughness: None,
            depth: if relief.is_some() { 0.002 } else { 0.0 },
            relief,
        },
        None => {
            let hint = nearest_hint(name, KINDS.iter().map(|kind| kind.name));
            return Err(wrong(format!("decal: there is no decal {name:?}{hint}")));
        }
    };
    if let Some(tint) = fields.vector("tint") {
        look.tint = tint.clamp(Vec3::ZERO, Vec3::splat(16.0));
    }
    let within = |name: &str, low: f64, high: f64| fields.within(name, low, high);
    look.opacity = within("opacity", 0.0, 1.0)?.unwrap_or(1.0);
    look.depth = within("depth", -0.1, 0.1)?.unwrap_or(look.depth);
    look.roughness = within("roughness", 0.0, 1.0)?.or(look.roughness);
    let usual = known.and_then(|kind| kind.dries);
    let (factor, rough) = usual.map_or((0.5, 0.8), |(_, factor, rough)| (factor, rough));
    let seconds = match fields.value("dries") {
        Value::Nil => usual.map(|usual| usual.0),
        Value::Boolean(true) => Some(usual.map_or(30.0, |usual| usual.0)),
        Value::Boolean(false) => None,
        value => {
            let n = number(&value).filter(|n| (0.0..=1e6).contains(n));
            Some(n.ok_or_else(|| wrong("decal: dries must be 0 to 1000000 seconds"))?)
        }
    };
    let dried = seconds.map(|seconds| {
        let dry = Look {
            tint: look.tint * factor,
            roughness: look.roughness.map(|_| rough),
            ..look.clone()
        };
        (Arc::new(dry), seconds)
    });
    let stays = fields.within("stays", 0.0, 1e6)?;
    let fade = fields.within("fade", 0.0, 1e6)?;
    let fades = match (stays, fade) {
        (None, None) => known.and_then(|kind| kind.fades),
        (stays, fade) => Some((
            f64::from(stays.unwrap_or(10.0)),
            f64::from(fade.unwrap_or(2.0)),
        )),
    };
    let size = within("size", 0.002, 3.0)?;
    let chance = (n_put as f32 * 0.618_034).fract() * TAU;
    Ok(DecalOptions {
        look: Arc::new(look),
        dried,
        size: size.unwrap_or(known.map_or(0.1, |kind| kind.size)),
        roll: fields
            .number("roll")
            .map_or(chance, |degrees| (degrees as f32).to_radians()),
        planar: fields.bool("planar") == Some(true),
        fades,
    })
}

fn decal(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let (kind, fields) = (args.value(1), args.fields(3));
    let Value::Table(place) = args.value(2) else {
        return Err(wrong("decal: expected where it is put"));
    };
    charge(lua, COST)?;
    let through = fields.bool("through") == Some(true);
    let (found, work) = with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        Ok(met(character, line(&place, character, through)?, through))
    })?;
    charge(lua, work / 16)?;
    let mut ids = Vec::new();
    for (i, traced) in found.iter().enumerate() {
        // In, out, in again.
        let exit = fields.value("exit");
        let wanted = if i % 2 == 1 && !exit.is_nil() {
            &exit
        } else {
            &kind
        };
        let id = with_world(lua, |world| {
            let id = world.stage.ids.new_id();
            let character = find(&mut world.stage, handle)?;
            let model = &character.definition.model;
            let mesh = &model.meshes[model.parts[traced.part].mesh];
            let primitive = &mesh.primitives[traced.primitive];
            let number = primitive.material;
            let material = &model.materials[number];
            let Some(name) = kind_for(wanted, &material.name, material.kind)? else {
                return Ok(None);
            };
            let n_put = character.appearance.decals.n_put();
            let options = made(world, &name, &fields, n_put)?;
            let character = find(&mut world.stage, handle)?;
            let Err(why) = character.appearance.decals.put(
                &character.definition,
                character.placement.scale,
                id,
                traced,
                options,
            ) else {
                return Ok(Some(id));
            };
            if character.definition.decal_surfaces().is_news(number) {
                let line = format!("decal: {}: {why}", character.shown_name());
                world.services.print(&line);
            }
            Ok(None)
        })?;
        ids.extend(id);
    }
    if ids.is_empty() {
        return Ok(Value::Nil);
    }
    let own = DecalRef {
        character: handle,
        ids: ids.into(),
    };
    lua.create_userdata(own).map(Value::UserData)
}

fn held(args: &Args) -> mlua::Result<DecalRef> {
    args.object(0).ok_or_else(|| wrong("this is no decal"))
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = held(&args)?;
    let seconds = args.number(1).unwrap_or(0.0).clamp(0.0, 1e6);
    with_world(lua, |world| {
        let character = world.stage.characters.get_mut(own.character);
        let any = character.is_some_and(|character| {
            let each = own.ids.iter();
            each.fold(false, |any, id| {
                character.appearance.decals.remove(Some(*id), seconds) | any
            })
        });
        Ok(Value::Boolean(any))
    })
}

fn get_there(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = held(&args)?;
    with_world(lua, |world| {
        let character = world.stage.characters.get(own.character);
        let is_there = |character: &Character| {
            own.ids
                .iter()
                .any(|id| character.appearance.decals.has(*id))
        };
        Ok(Value::Boolean(character.is_some_and(is_there)))
    })
}

fn clean(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    let seconds = args.number(1).unwrap_or(0.0).clamp(0.0, 1e6);
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        character.appearance.decals.remove(None, seconds);
        Ok(Value::Nil)
    })
}

fn get_count(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        Ok(lua_number(character.appearance.decals.len() as f32))
    })
}

/// `hero:decal("wound", hit)`.
pub(super) const DECAL: Function = Function {
    name: "decal",
    params: &[
        Param {
            name: "kind",
            ty: Type::OneOf(&[Type::Text, Type::Table]),
            optional: false,
        },
        Param {
            name: "where",
            ty: Type::Table,
            optional: false,
        },
        Param::options(FIELDS),
    ],
    returns: "Decal?",
    doc: "Puts a decal on its surface as it stands now, where it then stays whatever the body does: \"blood\", \"wound\", \"cut\", \
          \"bruise\", \"hole\", \"dent\", \"scratch\", \"mud\", \"soot\", \"wet\", or a picture of the project with a clear edge; in a table by \
          names or kinds of materials, { skin = \"wound\", cloth = \"hole\", other = false }. Where is a hit of `physics.ray`, an event \
          `hit`, a `position` with a `direction`, or a line `from` a place `to` another. Where texture coordinates lie over each other, as a repeated weave, it is a mesh of its own, of which a \
          character has room for 32; relief without colour is not seen there, which is said once. Gives nothing where nothing is met. A \
          character has room for 256, then the oldest go.",
    example: "local hit = physics.ray(vector.create(0, 1.2, 3), vector.create(0, 1.2, -3), { exact = true })\nif hit and hit.character then hit.character:decal(\"soot\", hit, { size = 0.1 }) end",
    call: decal,
};

/// `hero:clean_decals(2)`.
pub(super) const CLEAN: Function = Function {
    name: "clean_decals",
    params: &[Param {
        name: "seconds",
        ty: Type::Number,
        optional: true,
    }],
    returns: "",
    doc: "Takes all decals off, over some seconds.",
    example: "hero:clean_decals(2)",
    call: clean,
};

/// `hero.decals`.
pub(super) const COUNT: Property = Property {
    name: "decals",
    ty: "number",
    doc: "How many decals are on it.",
    get: get_count,
    set: None,
};

/// What `decal` gives.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Decal",
    doc: "A decal on a character, or those that one shot left.",
    functions: &[Function {
        name: "remove",
        params: &[Param {
            name: "seconds",
            ty: Type::Number,
            optional: true,
        }],
        returns: "boolean",
        doc: "Takes it off, over some seconds; false when it was gone.",
        example: "local mud = hero:decal(\"mud\", { position = hero.position + vector.create(0, 1.4, 0), direction = vector.create(0, 0, -1) })\nif mud then mud:remove(2) end",
        call: remove,
    }],
    properties: &[Property {
        name: "there",
        ty: "boolean",
        doc: "It is still on the character.",
        get: get_there,
        set: None,
    }],
};
