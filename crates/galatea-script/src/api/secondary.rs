//! Springs and jiggle of characters, and the wind they move in.

use glam::Vec3;
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::character::{bone_index, find, with_character};
use super::check::{Args, Field, Fields, Param, Type, lua_number, names, number, vector};
use super::{Function, Group, Kind, Property, add_object, add_properties};
use crate::world::{World, with_world};
use galatea_character::{Character, MOST_JOINTS, MOST_OWN};
use galatea_rig::jiggle::Jiggle;
use galatea_rig::spring::{SpringJoint, SpringSet, Tail};
use galatea_stage::Handle;

/// A script's hold on springs, a jiggle, or cloth on a character's bones.
#[derive(Clone, Copy, Debug)]
pub(super) enum SpringRef {
    /// On a character, by number.
    Own(Handle, u64),
    /// A fabric.
    Fabric(Handle),
}

impl UserData for SpringRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn gone() -> mlua::Error {
    mlua::Error::runtime("these springs are no longer on the stage")
}

pub(super) const SPRING_FIELDS: &[Field] = &[
    Field {
        name: "stiffness",
        ty: Type::Number,
        doc: "strength of the way back to the pose, 0 to 4 and more; 1",
    },
    Field {
        name: "drag",
        ty: Type::Number,
        doc: "share of its speed that is lost in a sixtieth of a second, 0 to 1; 0.4",
    },
    Field {
        name: "gravity",
        ty: Type::Number,
        doc: "strength of gravity, to be weighed against stiffness; 0",
    },
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "metres, of each bone's end against bodies; 0.02",
    },
    Field {
        name: "wind",
        ty: Type::Number,
        doc: "share of the wind that it feels; 0.2",
    },
    Field {
        name: "limit",
        ty: Type::Number,
        doc: "degrees that a bone may be turned from its pose; 120",
    },
    Field {
        name: "center",
        ty: Type::Text,
        doc: "a bone whose motion is not felt; none",
    },
    Field {
        name: "collide",
        ty: Type::Bool,
        doc: "bones' ends stay outside of its own body, as `bodies` shapes it; false",
    },
    Field {
        name: "weight",
        ty: Type::Number,
        doc: "share that is shown, 0 to 1; 1",
    },
];

fn spring(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let tops = names(&args.value(1), "spring")?;
    let fields = args.fields(2);
    let character = args.character()?;
    let id = with_world(lua, |world| {
        let id = world.stage.ids.new_id();
        let character = find(&mut world.stage, character)?;
        let tops = tops
            .iter()
            .map(|name| bone_index(character, name))
            .collect::<mlua::Result<Vec<u16>>>()?;
        if tops.is_empty() {
            return Err(mlua::Error::runtime("spring: name at least one bone"));
        }
        let set = spring_set(character, &tops, &fields)?;
        let secondary = &mut character.secondary;
        if secondary.springs.len() + secondary.jiggles.len() >= MOST_OWN {
            let most = format!("spring: a character may have {MOST_OWN} springs and jiggles");
            return Err(mlua::Error::runtime(most));
        }
        if secondary.n_joints() + set.joints.len() > MOST_JOINTS {
            let most = format!("spring: a character may have {MOST_JOINTS} bones that spring");
            return Err(mlua::Error::runtime(most));
        }
        let on_body = fields.bool("collide").unwrap_or(false);
        secondary.add_springs(id, set, on_body, &character.definition.model.skeleton);
        if let Some(weight) = secondary.weight_mut(id) {
            *weight = unit(&fields, "weight", 1.0)?;
        }
        character
            .body
            .refit_springs(&character.definition, &mut character.secondary);
        Ok(id)
    })?;
    let held = SpringRef::Own(character, id);
    Ok(Value::UserData(lua.create_userdata(held)?))
}

/// A number of the options in 0..=1.
pub(super) fn unit(fields: &Fields, name: &str, default: f32) -> mlua::Result<f32> {
    Ok(fields.within(name, 0.0, 1.0)?.unwrap_or(default))
}

/// A number of the options that is not negative.
pub(super) fn least(fields: &Fields, name: &str, default: f32) -> mlua::Result<f32> {
    Ok(fields.within(name, 0.0, f64::INFINITY)?.unwrap_or(default))
}

fn spring_set(character: &Character, tops: &[u16], fields: &Fields) -> mlua::Result<SpringSet> {
    let bones = character.definition.model.skeleton.bones();
    let mut is_in = vec![false; bones.len()];
    let mut first_child = vec![None; bones.len()];
    for (i, bone) in bones.iter().enumerate().rev() {
        if let Some(parent) = bone.parent {
            first_child[usize::from(parent)] = Some(i as u16);
        }
    }
    let center = match fields.text("center") {
        Some(name) => Some(bone_index(character, &name)?),
        None => None,
    };
    let mut set = SpringSet::default();
    for (i, bone) in bones.iter().enumerate() {
        let above = bone.parent.is_some_and(|p| is_in[usize::from(p)]);
        if !above && !tops.contains(&(i as u16)) {
            continue;
        }
        is_in[i] = true;
        // Past its last bone a chain goes on as it came.
        let on = bone.rest.rotation.inverse() * bone.rest.translation;
        let tail = first_child[i].map_or(Tail::At(on), Tail::Bone);
        set.joints.push(SpringJoint {
            stiffness: least(fields, "stiffness", 1.0)?,
            gravity: Vec3::NEG_Y * fields.number("gravity").unwrap_or(0.0) as f32,
            drag: unit(fields, "drag", 0.4)?,
            radius: least(fields, "radius", 0.02)?,
            wind: least(fields, "wind", 0.2)?,
            limit: least(fields, "limit", 120.0)?.min(180.0).to_radians(),
            center,
            ..SpringJoint::new(i as u16, tail)
        });
    }
    Ok(set)
}

/// `hero:spring("hair_root", { … })`.
pub(super) const SPRING: Function = Function {
    name: "spring",
    params: &[
        Param {
            name: "bones",
            ty: Type::OneOf(&[Type::Text, Type::Table]),
            optional: false,
        },
        Param::options(SPRING_FIELDS),
    ],
    returns: "Spring",
    doc: "Makes a bone and all bones below it swing after the pose, or those of several bones: hair, tails, \
          ears, straps. The springs of VRM files swing by themselves. When the character is put farther \
          away than its own length in one tick, they go along and do not swing from that.",
    example: "local hair = hero:spring(\"head\", { stiffness = 1.5, drag = 0.3 })",
    call: spring,
};

const JIGGLE_FIELDS: &[Field] = &[
    Field {
        name: "frequency",
        ty: Type::Number,
        doc: "swings per second; 3",
    },
    Field {
        name: "damping",
        ty: Type::Number,
        doc: "damping ratio: 0 swings for ever, 1 comes back without passing; 0.3",
    },
    Field {
        name: "limit",
        ty: Type::OneOf(&[Type::Number, Type::Vector]),
        doc: "farthest from the pose, along all or each of the bone's axes: metres, or degrees with a tip; 0.05 or 25",
    },
    Field {
        name: "tip",
        ty: Type::Vector,
        doc: "in the bone's space, metres: the bone turns as if a mass sat there, and does not move",
    },
    Field {
        name: "weight",
        ty: Type::Number,
        doc: "share that is shown, 0 to 1; 1",
    },
];

fn jiggle(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    let fields = args.fields(2);
    let handle = args.character()?;
    let id = with_world(lua, |world| {
        let id = world.stage.ids.new_id();
        let character = find(&mut world.stage, handle)?;
        let bone = bone_index(character, &name)?;
        let tip = fields.vector("tip");
        if tip.is_some_and(|tip| tip.length() < 1e-4) {
            let short = "jiggle: `tip` must be away from the bone's origin";
            return Err(mlua::Error::runtime(short));
        }
        let frequency = fields.number("frequency").unwrap_or(3.0) as f32;
        if frequency <= 0.0 {
            return Err(mlua::Error::runtime(
                "jiggle: `frequency` must be more than 0",
            ));
        }
        let given = fields.value("limit");
        let plain = if tip.is_some() { 25.0 } else { 0.05 };
        let all = number(&given).map_or(plain, |n| n as f32);
        let limit = vector(&given).unwrap_or(Vec3::splat(all)).abs();
        let limit = match tip {
            Some(_) => limit * std::f32::consts::PI / 180.0,
            None => limit,
        };
        let jiggle = Jiggle {
            bone,
            tip,
            frequency,
            damping: least(&fields, "damping", 0.3)?,
            limit,
        };
        let secondary = &mut character.secondary;
        if secondary.springs.len() + secondary.jiggles.len() >= MOST_OWN {
            let most = format!("jiggle: a character may have {MOST_OWN} springs and jiggles");
            return Err(mlua::Error::runtime(most));
        }
        secondary.add_jiggle(id, jiggle, &character.definition.model.skeleton);
        if let Some(weight) = secondary.weight_mut(id) {
            *weight = unit(&fields, "weight", 1.0)?;
        }
        character
            .body
            .refit_springs(&character.definition, &mut character.secondary);
        Ok(id)
    })?;
    let held = SpringRef::Own(handle, id);
    Ok(Value::UserData(lua.create_userdata(held)?))
}

/// `hero:jiggle(bone, { … })`.
pub(super) const JIGGLE: Function = Function {
    name: "jiggle",
    params: &[
        Param {
            name: "bone",
            ty: Type::Text,
            optional: false,
        },
        Param::options(JIGGLE_FIELDS),
    ],
    returns: "Spring",
    doc: "Makes one bone lag behind its pose and swing on a damped spring: flesh, bellies, bags, antennae.",
    example: "hero:jiggle(\"chest\", { frequency = 4, damping = 0.25, limit = 0.02 })",
    call: jiggle,
};

fn reset_springs(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = args.character()?;
    with_character(lua, &args, |_, character| {
        character.secondary.reset(None);
        Ok(())
    })?;
    with_world(lua, |world| {
        for (_, hair) in world.stage.effects.hair.iter_mut() {
            if hair.wearer.0 == handle || hair.character == handle {
                hair.reset();
            }
        }
        for (_, fabric) in world.stage.effects.fabrics.iter_mut() {
            if fabric.belongs_to(handle) {
                fabric.reset();
            }
        }
        Ok(Value::Nil)
    })
}

/// `hero:reset_springs()`.
pub(super) const RESET_SPRINGS: Function = Function {
    name: "reset_springs",
    params: &[],
    returns: "",
    doc: "Forgets the motion of all its springs, of those of its file too, and of ropes, cloth and hair that hang \
          on it: they begin again at its pose, as after a cut in a film.",
    example: "hero:reset_springs()",
    call: reset_springs,
};

const WIND_FIELDS: &[Field] = &[
    Field {
        name: "direction",
        ty: Type::Vector,
        doc: "where it blows to; as it was, +X at first",
    },
    Field {
        name: "speed",
        ty: Type::Number,
        doc: "metres per second: 2 is a breeze, 8 lifts a cape; 4",
    },
    Field {
        name: "gusts",
        ty: Type::Number,
        doc: "how far gusts raise and lower it, as a share; 0.5",
    },
    Field {
        name: "size",
        ty: Type::Number,
        doc: "metres from one gust to the next; 4",
    },
];

fn wind(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    with_world(lua, |world| {
        let wind = &mut world.stage.effects.wind;
        let before = wind.velocity.try_normalize().unwrap_or(Vec3::X);
        let direction = fields.vector("direction").and_then(Vec3::try_normalize);
        let speed = least(&fields, "speed", 4.0)?.min(100.0);
        wind.velocity = direction.unwrap_or(before) * speed;
        wind.gusts = least(&fields, "gusts", 0.5)?.min(4.0);
        wind.size = least(&fields, "size", 4.0)?.clamp(0.1, 1000.0);
        Ok(Value::Nil)
    })
}

/// `wind { … }`.
pub(super) const WIND: Function = Function {
    name: "wind",
    params: &[Param {
        name: "options",
        ty: Type::Fields(WIND_FIELDS),
        optional: false,
    }],
    returns: "",
    doc: "The wind over the whole stage, which springs, ropes, cloth and hair feel. It is still at first; chance in \
          its gusts is the same in every run.",
    example: "wind { direction = vector.create(1, 0, 0.3), speed = 5, gusts = 0.6 }",
    call: wind,
};

fn held(args: &Args) -> mlua::Result<SpringRef> {
    args.object(0).ok_or_else(gone)
}

/// The weight of what is held.
fn weight_of(world: &mut World, held: SpringRef) -> mlua::Result<&mut f32> {
    match held {
        SpringRef::Own(character, id) => {
            let character = world.stage.characters.get_mut(character).ok_or_else(gone)?;
            character.secondary.weight_mut(id).ok_or_else(gone)
        }
        SpringRef::Fabric(fabric) => {
            let fabric = world
                .stage
                .effects
                .fabrics
                .get_mut(fabric)
                .ok_or_else(gone)?;
            Ok(&mut fabric.weight)
        }
    }
}

fn get_weight(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let held = held(&args)?;
    with_world(lua, |world| Ok(lua_number(*weight_of(world, held)?)))
}

fn set_weight(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let held = held(&args)?;
    let weight = args.number(1).unwrap_or(1.0).clamp(0.0, 1.0) as f32;
    with_world(lua, |world| {
        *weight_of(world, held)? = weight;
        Ok(Value::Nil)
    })
}

fn reset(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let held = held(&args)?;
    with_world(lua, |world| {
        weight_of(world, held)?;
        match held {
            SpringRef::Own(character, id) => {
                if let Some(character) = world.stage.characters.get_mut(character) {
                    character.secondary.reset(Some(id));
                }
            }
            SpringRef::Fabric(fabric) => {
                if let Some(fabric) = world.stage.effects.fabrics.get_mut(fabric) {
                    fabric.reset();
                }
            }
        }
        Ok(Value::Nil)
    })
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let held = held(&args)?;
    with_world(lua, |world| {
        match held {
            SpringRef::Own(character, id) => {
                if let Some(character) = world.stage.characters.get_mut(character) {
                    character.secondary.remove(id);
                }
            }
            SpringRef::Fabric(fabric) => {
                world.stage.effects.fabrics.remove(fabric);
            }
        }
        Ok(Value::Nil)
    })
}

/// Methods and properties of springs.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Spring",
    doc: "What `hero:spring`, `hero:jiggle` and `hero:cloth` give. It moves after the pose, until it is \
          removed or the script is saved; then what the new version makes on the same bones goes on from \
          where it was.",
    functions: &[
        Function {
            name: "reset",
            params: &[],
            returns: "",
            doc: "Forgets its motion: it begins again at the pose.",
            example: "hero:spring(\"head\"):reset()",
            call: reset,
        },
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Takes it away; the bones are posed by clips again.",
            example: "hero:jiggle(\"chest\"):remove()",
            call: remove,
        },
    ],
    properties: &[Property {
        name: "weight",
        ty: "number",
        doc: "Share of it that is shown, 0 to 1.",
        get: get_weight,
        set: Some((Type::Number, set_weight)),
    }],
};
