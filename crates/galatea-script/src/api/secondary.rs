//! Spring bones and jiggle bones of characters, and the wind that acts on them.

use glam::Vec3;
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::character_ref::{bone_index, find, with_character};
use super::check::{Args, OneOrMany, OptionValue, Options, Param, Type, lua_number};
use super::group::{Function, Group, Kind, Property};
use crate::world::with_world;
use galatea_character::{Character, MAX_JOINTS, MAX_OWN};
use galatea_derive::Options;
use galatea_rig::jiggle::Jiggle;
use galatea_rig::spring::{SpringJoint, SpringSet, Tail};
use galatea_stage::{Handle, Stage};

/// Script handle to springs, a jiggle, or cloth on a character's bones.
#[derive(Clone, Copy, Debug)]
pub(super) enum SpringRef {
    /// Springs or a jiggle of a character, by id.
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
    mlua::Error::runtime("these springs were removed")
}

/// Spring bones.
#[derive(Options)]
struct SpringOptions {
    /// Strength of the force back to the pose; 4 is strong.
    #[option(default = 1.0, range = 0.0..)]
    stiffness: f32,
    /// Fraction of the speed that is lost in each 1/60 s.
    #[option(default = 0.4, range = 0.0..=1.0)]
    drag: f32,
    /// Strength of a pull downwards. At the same value as `stiffness`, the pull is as strong as the force back to the
    /// pose.
    #[option(default = 0.0)]
    gravity: f32,
    /// Radius of the ball at the end of each bone, with which the bone collides.
    #[option(default = 0.02, unit = "metres", range = 0.0..)]
    radius: f32,
    /// Factor on the force of the wind (see `wind`).
    #[option(default = 0.2, range = 0.0..)]
    wind_scale: f32,
    /// Largest angle between a bone and its pose, at most 180.
    #[option(default = 120.0, unit = "degrees", range = 0.0..)]
    max_angle: f32,
    /// Bone that carries the springs: its own motion, such as that of a turning head, does not make them swing.
    #[option(default_doc = "none")]
    center: Option<String>,
    /// True makes the ends of the bones collide with the character's own body (see `ragdoll_bodies`).
    #[option(default = false)]
    collide: bool,
    /// Blend weight.
    #[option(default = 1.0, range = 0.0..=1.0)]
    weight: f32,
}

fn spring_bone(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let OneOrMany(tops) = args.read::<OneOrMany<String>>(1)?.unwrap_or_default();
    let options: SpringOptions = args.options(2)?;
    let character = args.character()?;
    let id = with_world(lua, |world| {
        let id = world.stage.ids.new_id();
        let character = find(&mut world.stage, character)?;
        let tops = tops
            .iter()
            .map(|name| bone_index(character, name))
            .collect::<mlua::Result<Vec<u16>>>()?;
        if tops.is_empty() {
            return Err(mlua::Error::runtime("spring_bone: name at least one bone"));
        }
        let set = spring_set(character, &tops, &options)?;
        let secondary = &mut character.secondary;
        if secondary.springs.len() + secondary.jiggles.len() >= MAX_OWN {
            let most = format!(
                "spring_bone: a character can have at most {MAX_OWN} sets of spring bones and jiggle bones"
            );
            return Err(mlua::Error::runtime(most));
        }
        if secondary.n_joints() + set.joints.len() > MAX_JOINTS {
            let most =
                format!("spring_bone: a character can have at most {MAX_JOINTS} spring bones");
            return Err(mlua::Error::runtime(most));
        }
        secondary.add_springs(
            id,
            set,
            options.collide,
            &character.definition.model.skeleton,
        );
        if let Some(weight) = secondary.weight_mut(id) {
            *weight = options.weight;
        }
        character
            .body
            .refit_springs(&character.definition, &mut character.secondary);
        Ok(id)
    })?;
    let held = SpringRef::Own(character, id);
    Ok(Value::UserData(lua.create_userdata(held)?))
}

fn spring_set(
    character: &Character,
    tops: &[u16],
    options: &SpringOptions,
) -> mlua::Result<SpringSet> {
    let bones = character.definition.model.skeleton.bones();
    let mut is_in = vec![false; bones.len()];
    let mut first_child = vec![None; bones.len()];
    for (i, bone) in bones.iter().enumerate().rev() {
        if let Some(parent) = bone.parent {
            first_child[usize::from(parent)] = Some(i as u16);
        }
    }
    let center = options.center.as_ref();
    let center = center.map(|name| bone_index(character, name)).transpose()?;
    let mut set = SpringSet::default();
    for (i, bone) in bones.iter().enumerate() {
        let above = bone.parent.is_some_and(|p| is_in[usize::from(p)]);
        if !above && !tops.contains(&(i as u16)) {
            continue;
        }
        is_in[i] = true;
        // The last bone has no child, so its tail extends the chain in the same direction.
        let on = bone.rest.rotation.inverse() * bone.rest.translation;
        let tail = first_child[i].map_or(Tail::At(on), Tail::Bone);
        set.joints.push(SpringJoint {
            stiffness: options.stiffness,
            gravity: Vec3::NEG_Y * options.gravity,
            drag: options.drag,
            radius: options.radius,
            wind_scale: options.wind_scale,
            max_angle: options.max_angle.min(180.0).to_radians(),
            center,
            ..SpringJoint::new(i as u16, tail)
        });
    }
    Ok(set)
}

/// `hero:spring_bone("hair_root", { … })`.
pub(super) const SPRING_BONE: Function = Function {
    name: "spring_bone",
    params: &[
        Param {
            name: "bones",
            ty: OneOrMany::<String>::TYPE,
            optional: false,
        },
        Param::options(SpringOptions::SHAPE),
    ],
    returns: "Spring",
    doc: "Makes a bone, or several, swing with all bones below: hair, tails, ears, straps. `bones` is a name or a list of \
          names. Springs of VRM files work without this call. If the character moves farther than its own length within one \
          tick, its springs move along without swinging.",
    example: "local hair = hero:spring_bone(\"head\", { stiffness = 1.5, drag = 0.3 })",
    call: spring_bone,
};

/// One limit for all axes of a bone, or one per axis.
struct AxisLimit(Vec3);

impl OptionValue for AxisLimit {
    const TYPE: Type = Type::OneOf(&[Type::Number, Type::Vector]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Vector(_) => Vec3::from_value(value).map(Self),
            all => f32::from_value(all).map(|all| Self(Vec3::splat(all))),
        }
    }
}

/// Damped spring of one bone.
#[derive(Options)]
struct JiggleOptions {
    /// Number of swings in a second.
    #[option(default = 3.0, unit = "hertz", above = 0.0)]
    frequency: f32,
    /// Damping ratio: at 0 the bone never stops swinging, at 1 it returns without a swing.
    #[option(default = 0.3, range = 0.0..)]
    damping: f32,
    /// Largest distance from the pose in metres, or with `tip` the largest angle in degrees. A number is for all axes
    /// of the bone, a vector for each axis.
    #[option(default_doc = "0.05, or 25 with `tip`")]
    limit: Option<AxisLimit>,
    /// Position of a mass in the bone's space. With it, the bone rotates as if the mass swung; without it, the bone
    /// moves.
    #[option(unit = "metres")]
    tip: Option<Vec3>,
    /// Blend weight.
    #[option(default = 1.0, range = 0.0..=1.0)]
    weight: f32,
}

fn jiggle_bone(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    let options: JiggleOptions = args.options(2)?;
    let handle = args.character()?;
    let id = with_world(lua, |world| {
        let id = world.stage.ids.new_id();
        let character = find(&mut world.stage, handle)?;
        let bone = bone_index(character, &name)?;
        let tip = options.tip;
        if tip.is_some_and(|tip| tip.length() < 1e-4) {
            let short = "jiggle_bone: tip must not be at the bone's origin";
            return Err(mlua::Error::runtime(short));
        }
        let plain = Vec3::splat(if tip.is_some() { 25.0 } else { 0.05 });
        let limit = options.limit.map_or(plain, |limit| limit.0).abs();
        let limit = match tip {
            Some(_) => limit * std::f32::consts::PI / 180.0,
            None => limit,
        };
        let jiggle = Jiggle {
            bone,
            tip,
            frequency: options.frequency,
            damping: options.damping,
            limit,
        };
        let secondary = &mut character.secondary;
        if secondary.springs.len() + secondary.jiggles.len() >= MAX_OWN {
            let most = format!(
                "jiggle_bone: a character can have at most {MAX_OWN} sets of spring bones and jiggle bones"
            );
            return Err(mlua::Error::runtime(most));
        }
        secondary.add_jiggle(id, jiggle, &character.definition.model.skeleton);
        if let Some(weight) = secondary.weight_mut(id) {
            *weight = options.weight;
        }
        character
            .body
            .refit_springs(&character.definition, &mut character.secondary);
        Ok(id)
    })?;
    let held = SpringRef::Own(handle, id);
    Ok(Value::UserData(lua.create_userdata(held)?))
}

/// `hero:jiggle_bone(bone, { … })`.
pub(super) const JIGGLE_BONE: Function = Function {
    name: "jiggle_bone",
    params: &[
        Param {
            name: "bone",
            ty: Type::Text,
            optional: false,
        },
        Param::options(JiggleOptions::SHAPE),
    ],
    returns: "Spring",
    doc: "Makes one bone lag behind its pose and swing back, as on a spring: flesh, bellies, bags, antennae.",
    example: "hero:jiggle_bone(\"chest\", { frequency = 4, damping = 0.25, limit = 0.02 })",
    call: jiggle_bone,
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
    doc: "Restarts all springs of the character at the current pose, also those of its file, and ropes, cloth and \
          hair attached to it. Use it after a camera cut or a teleport.",
    example: "hero:reset_springs()",
    call: reset_springs,
};

/// Wind on the stage.
#[derive(Options)]
struct WindOptions {
    /// Direction in which the wind blows.
    #[option(default_doc = "unchanged; at the start +X")]
    direction: Option<Vec3>,
    /// Speed of the wind: 2 is a breeze, 8 lifts a cape. Values above 100 count as 100.
    #[option(default = 4.0, unit = "metres per second", range = 0.0..)]
    speed: f32,
    /// Strength of the gusts, as a fraction of `speed`. With 0 the wind is steady. Values above 4 count as 4.
    #[option(default = 0.5, range = 0.0..)]
    gusts: f32,
    /// Distance from one gust to the next. Values below 0.1 count as 0.1, and values above 1000 as 1000.
    #[option(default = 4.0, unit = "metres", range = 0.0..)]
    gust_size: f32,
}

fn wind(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: WindOptions = args.options(0)?;
    with_world(lua, |world| {
        let wind = &mut world.stage.effects.wind;
        let before = wind.velocity.try_normalize().unwrap_or(Vec3::X);
        let direction = options.direction.and_then(Vec3::try_normalize);
        wind.velocity = direction.unwrap_or(before) * options.speed.min(100.0);
        wind.gusts = options.gusts.min(4.0);
        wind.gust_size = options.gust_size.clamp(0.1, 1000.0);
        Ok(Value::Nil)
    })
}

/// `wind { … }`.
pub(super) const WIND: Function = Function {
    name: "wind",
    params: &[Param {
        name: "options",
        ty: Type::Options(WindOptions::SHAPE),
        optional: false,
    }],
    returns: "",
    doc: "Sets the wind for the whole scene. It moves springs, ropes, cloth, hair and particles. Without a call there is no \
          wind. The random gusts are the same in every run.",
    example: "wind { direction = vec(1, 0, 0.3), speed = 5, gusts = 0.6 }",
    call: wind,
};

fn held(args: &Args) -> mlua::Result<SpringRef> {
    args.object(0).ok_or_else(gone)
}

/// Blend weight of the springs, jiggle or cloth.
fn weight_of(stage: &mut Stage, held: SpringRef) -> mlua::Result<&mut f32> {
    match held {
        SpringRef::Own(character, id) => {
            let character = stage.characters.get_mut(character).ok_or_else(gone)?;
            character.secondary.weight_mut(id).ok_or_else(gone)
        }
        SpringRef::Fabric(fabric) => {
            let fabric = stage.effects.fabrics.get_mut(fabric).ok_or_else(gone)?;
            Ok(&mut fabric.weight)
        }
    }
}

fn get_weight(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let held = held(&args)?;
    with_world(lua, |world| {
        Ok(lua_number(*weight_of(&mut world.stage, held)?))
    })
}

fn set_weight(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let held = held(&args)?;
    let weight = args.number(1).unwrap_or(1.0).clamp(0.0, 1.0) as f32;
    with_world(lua, |world| {
        *weight_of(&mut world.stage, held)? = weight;
        Ok(Value::Nil)
    })
}

fn reset(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let held = held(&args)?;
    with_world(lua, |world| {
        weight_of(&mut world.stage, held)?;
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
    doc: "A simulated part of a character: spring bones, a jiggle bone or cloth. `hero:spring_bone`, `hero:jiggle_bone` \
          and `hero:cloth` return it. It moves its bones after the clips have been played, until you remove it. If the \
          script creates it on the same bones after a hot reload, its motion continues.",
    functions: &[
        Function {
            name: "reset",
            params: &[],
            returns: "",
            doc: "Stops the motion: the bones jump to the current pose and start to swing from there.",
            example: "hero:spring_bone(\"head\"):reset()",
            call: reset,
        },
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Removes the springs. The bones follow the clips again.",
            example: "hero:jiggle_bone(\"chest\"):remove()",
            call: remove,
        },
    ],
    properties: &[Property {
        name: "weight",
        ty: "number",
        doc: "Blend weight, 0 to 1: how much the simulation moves the bones.",
        get: get_weight,
        set: Some((Type::Number, set_weight)),
    }],
};
