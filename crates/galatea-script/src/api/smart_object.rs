//! `smart_object { … }`: objects that crowd agents use.

use glam::Vec3;
use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::check::{
    Args, NumberRange, OneOrMany, OptionValue, Options, Param, Type, lua_number, lua_vector, vector,
};
use super::crowd_ref::CrowdRef;
use super::group::{Function, Group, Kind, Property};
use crate::budget::charge;
use crate::crowd_calls::ObjectCalls;
use crate::objects;
use crate::world::with_world;
use galatea_derive::Options;
use galatea_stage::{Handle, MAX_OBJECTS, MAX_SLOTS, Slot, SlotIkTarget, SmartObject};

const COST: u64 = 32;

/// Script handle to a smart object.
#[derive(Clone, Copy)]
pub(super) struct ObjectRef(pub(super) Handle);

objects!(ObjectRef: "SmartObject");

impl UserData for ObjectRef {
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

/// Options of a smart object: position, slots, and actions of the users.
#[derive(Options)]
struct SmartObjectOptions {
    /// Position of the object.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    position: Vec3,
    /// Direction of the object, about +Y. At 0 it faces +Z, at 90 it faces +X.
    #[option(default = 0.0, unit = "degrees")]
    yaw: f32,
    /// Slots: 1 to 64 positions where agents stand while they use the object, one agent at each. A slot is a vector
    /// in the object's space (+X left, +Z forward). Use { position = …, yaw = … } to set the direction of the agent,
    /// too.
    #[option(default_doc = "one slot at the object")]
    slots: Option<Vec<Slot>>,
    /// Clip that agents play while they use the object. From a list, the next clip is chosen at random after each one.
    #[option(default = OneOrMany::default())]
    clip: OneOrMany<String>,
    /// Clip that is played once before `clip`.
    intro: Option<String>,
    /// Clip that is played once after `clip`.
    outro: Option<String>,
    /// Positions for the hands and feet, such as { right_hand = vec(-0.2, 1.1, 0.45) }. They only affect
    /// agents that are characters at the moment (see the option `promote_distance` of `crowd`).
    ik_targets: Option<ObjectIkTargets>,
    /// True ends the use when `clip` ends.
    #[option(default = false)]
    once: bool,
    /// Time for which an agent uses the object: one number, or { low, high } for a random one.
    #[option(
        default_doc = "no end; `people:stop_using` ends it",
        unit = "seconds",
        range = 0.0..=1e6
    )]
    duration: Option<NumberRange>,
    /// Distance within which the object attracts agents.
    #[option(default = 4.0, unit = "metres", range = 0.0..=1000.0)]
    attract_radius: f32,
    /// Probability that the object attracts one of the agents within `attract_radius`.
    #[option(default = 0.0, unit = "per second", range = 0.0..=1.0)]
    attract_chance: f32,
    /// Position of the first waiting agent, in the object's space, or { position = …, yaw = …, spacing = 0.8 }. The
    /// queue extends backwards from there, and waiting agents face along `yaw`.
    #[option(default_doc = "no queue")]
    queue: Option<QueueLayout>,
    /// Speed at which the object pushes away agents near its centre; farther away it is lower. A negative value pulls
    /// agents to the object.
    #[option(default = 0.0, unit = "metres per second", range = -100.0..=100.0)]
    push_speed: f32,
    /// Distance from the object at which `push_speed` has no more effect.
    #[option(default = 2.0, unit = "metres", range = 0.01..=1000.0)]
    push_radius: f32,
    /// Called when an agent begins to use the object.
    #[option(ty = Type::Function("(object: SmartObject, crowd: Crowd, agent: number) -> ()"))]
    on_enter: Option<mlua::Function>,
    /// Called for each user every `update_interval` seconds. `dt` is the time since the last call, in seconds.
    #[option(ty = Type::Function(
        "(object: SmartObject, crowd: Crowd, agent: number, dt: number) -> ()"
    ))]
    on_update: Option<mlua::Function>,
    /// Time between two calls of `on_update`.
    #[option(default = 0.25, unit = "seconds", range = 0.001..=1000.0)]
    update_interval: f32,
    /// Called when an agent has finished using the object.
    #[option(ty = Type::Function("(object: SmartObject, crowd: Crowd, agent: number) -> ()"))]
    on_exit: Option<mlua::Function>,
    /// Name by which a hot reload finds the object again.
    #[option(default_doc = "none: found by the order of creation")]
    name: Option<String>,
}

/// Goals for the limbs of a user: positions in the slot's space, or tables.
#[derive(Options)]
struct ObjectIkTargets {
    /// Target of the left hand, in the slot's space.
    #[option(unit = "metres")]
    left_hand: Option<LimbGoal>,
    /// Target of the right hand, in the slot's space.
    #[option(unit = "metres")]
    right_hand: Option<LimbGoal>,
    /// Target of the left foot, in the slot's space.
    #[option(unit = "metres")]
    left_foot: Option<LimbGoal>,
    /// Target of the right foot, in the slot's space.
    #[option(unit = "metres")]
    right_foot: Option<LimbGoal>,
}

/// Goal of a user's limb.
#[derive(Options)]
struct ObjectIkTarget {
    /// Target of the hand or foot, in the slot's space (origin on the ground at the slot, +Z forward).
    #[option(unit = "metres")]
    position: Vec3,
    /// How far the fingers close; 1 is a fist.
    #[option(
        default_doc = "0 with `palm`, otherwise as in the clip",
        range = 0.0..=1.0
    )]
    grip: Option<f32>,
    /// True brings the palm to the target, false the wrist.
    #[option(default = false)]
    palm: bool,
    /// True makes the body lean if the arm is too short.
    #[option(default = false)]
    full_body: bool,
}

/// Goal of a limb, as a position or a table.
struct LimbGoal(ObjectIkTarget);

impl OptionValue for LimbGoal {
    const TYPE: Type = Type::OneOf(&[Type::Vector, ObjectIkTarget::TYPE]);

    fn from_value(value: Value) -> Result<Self, String> {
        match vector(&value) {
            Some(at) => Ok(Self(ObjectIkTarget {
                position: at,
                grip: None,
                palm: false,
                full_body: false,
            })),
            None => ObjectIkTarget::from_value(value).map(Self),
        }
    }
}

/// Slot of a smart object.
#[derive(Options)]
struct ObjectSlotOptions {
    /// Position in the object's space (+X left, +Z forward).
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    position: Vec3,
    /// Direction that the agent faces, relative to the object.
    #[option(default = 0.0, unit = "degrees")]
    yaw: f32,
}

impl ObjectSlotOptions {
    fn at_position(self, position: Option<Vec3>) -> Slot {
        Slot {
            position: position.unwrap_or(self.position),
            yaw: self.yaw.to_radians(),
        }
    }
}

impl OptionValue for Slot {
    const TYPE: Type = Type::OneOf(&[Type::Vector, ObjectSlotOptions::TYPE]);

    fn from_value(value: Value) -> Result<Self, String> {
        let position = vector(&value);
        // A position alone uses the defaults of all other fields.
        let given = position.map_or(value, |_| Value::Nil);
        let slot = ObjectSlotOptions::from_value(given)?;
        Ok(slot.at_position(position))
    }
}

/// Queue of a smart object.
#[derive(Options)]
struct ObjectQueueOptions {
    #[option(flatten)]
    first: ObjectSlotOptions,
    /// Distance from one waiting agent to the next.
    #[option(default = 0.8, unit = "metres", range = 0.1..=10.0)]
    spacing: f32,
}

/// Slot of the first waiting agent, and the distance to the next.
struct QueueLayout(Slot, f32);

impl OptionValue for QueueLayout {
    const TYPE: Type = Type::OneOf(&[Type::Vector, ObjectQueueOptions::TYPE]);

    fn from_value(value: Value) -> Result<Self, String> {
        let position = vector(&value);
        let given = position.map_or(value, |_| Value::Nil);
        let ObjectQueueOptions {
            first,
            spacing: gap,
        } = ObjectQueueOptions::from_value(given)?;
        Ok(Self(first.at_position(position), gap))
    }
}

fn slots(given: Option<Vec<Slot>>) -> mlua::Result<Vec<Slot>> {
    match given {
        None => Ok(vec![Slot {
            position: Vec3::ZERO,
            yaw: 0.0,
        }]),
        Some(slots) if slots.is_empty() || slots.len() > MAX_SLOTS => {
            Err(wrong(format!("slots: expected 1 to {MAX_SLOTS} slots")))
        }
        Some(slots) => Ok(slots),
    }
}

fn reaches(options: ObjectIkTargets) -> Vec<SlotIkTarget> {
    let limbs = [
        ("left_hand", options.left_hand),
        ("right_hand", options.right_hand),
        ("left_foot", options.left_foot),
        ("right_foot", options.right_foot),
    ];
    let reach = |(limb, goal): (&str, Option<LimbGoal>)| {
        let LimbGoal(goal) = goal?;
        let grip = goal.grip.or(goal.palm.then_some(0.0));
        Some(SlotIkTarget {
            limb: limb.to_owned(),
            position: goal.position,
            grip: grip.map(|to| (to, goal.palm)),
            full_body: goal.full_body,
        })
    };
    limbs.into_iter().filter_map(reach).collect()
}

fn smart_object(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST)?;
    let options: SmartObjectOptions = args.options(0)?;
    let one = |name: Option<String>| name.into_iter().collect::<Vec<String>>();
    let calls = [options.on_enter, options.on_update, options.on_exit];
    let mut object = SmartObject::new(options.position, options.yaw.to_radians());
    object.attract_radius = options.attract_radius;
    object.attract_chance = options.attract_chance;
    object.slots = slots(options.slots)?;
    object.clips = [one(options.intro), options.clip.0, one(options.outro)];
    object.ik_targets = options.ik_targets.map(reaches).unwrap_or_default();
    object.once = options.once;
    object.duration = options.duration.map(|NumberRange(seconds)| seconds);
    object.queue = options.queue.map(|QueueLayout(first, gap)| (first, gap));
    object.push_speed = options.push_speed;
    object.push_radius = options.push_radius;
    object.reports = [calls[0].is_some(), calls[2].is_some()];
    object.update_interval = calls[1].as_ref().map(|_| options.update_interval);
    let handle = with_world(lua, |world| {
        let handle =
            world
                .stage
                .agents
                .add_object(&mut world.stage.ids, options.name.as_deref(), object);
        handle.ok_or_else(|| wrong(format!("smart_object: the limit is {MAX_OBJECTS} objects")))
    })?;
    let hold = lua.create_userdata(ObjectRef(handle))?;
    let [enter, update, leave] = calls;
    with_world(lua, |world| {
        let own = ObjectCalls {
            hold: hold.clone(),
            enter,
            update,
            leave,
        };
        world.program.crowds.objects.insert(handle, own);
        Ok(Value::UserData(hold))
    })
}

fn with_own<T>(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(&mut SmartObject) -> mlua::Result<T>,
) -> mlua::Result<T> {
    let own: Option<ObjectRef> = args.object(0);
    let ObjectRef(handle) = own.ok_or_else(|| wrong("expected a SmartObject"))?;
    with_world(lua, |world| {
        let object = world.stage.agents.objects.get_mut(handle);
        work(object.ok_or_else(|| wrong("this smart object was removed"))?)
    })
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own: Option<ObjectRef> = args.object(0);
    with_world(lua, |world| {
        if let Some(ObjectRef(handle)) = own {
            world.stage.agents.objects.remove(handle);
            world.program.crowds.objects.remove(&handle);
        }
        Ok(Value::Nil)
    })
}

fn users(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own: Option<CrowdRef> = args.object(1);
    let crowd = own.ok_or_else(|| wrong("expected a Crowd"))?.0;
    let found: Vec<u32> = with_own(lua, &args, |object| {
        let own = object.users().filter(|(other, _)| *other == crowd);
        Ok(own.map(|(_, i)| i + 1).collect())
    })?;
    let table: Table = lua.create_sequence_from(found)?;
    Ok(Value::Table(table))
}

fn get_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |object| Ok(lua_vector(object.position)))
}

fn set_position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = args.vector(1).filter(|at| at.is_finite());
    let at = at.ok_or_else(|| wrong("expected a position"))?;
    with_own(lua, &args, |object| {
        object.position = at;
        Ok(Value::Nil)
    })
}

fn get_yaw(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |object| Ok(lua_number(object.yaw.to_degrees())))
}

fn set_yaw(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let yaw = args.number(1).unwrap_or(0.0) as f32;
    with_own(lua, &args, |object| {
        object.yaw = yaw.to_radians();
        Ok(Value::Nil)
    })
}

fn get_push_speed(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |object| Ok(lua_number(object.push_speed)))
}

fn set_push_speed(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let force = args.number(1).unwrap_or(0.0).clamp(-100.0, 100.0) as f32;
    with_own(lua, &args, |object| {
        object.push_speed = force;
        Ok(Value::Nil)
    })
}

fn get_user_count(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |object| {
        Ok(lua_number(object.n_users().0 as f32))
    })
}

fn get_waiting_count(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |object| {
        Ok(lua_number(object.n_users().1 as f32))
    })
}

/// `smart_object { … }`.
pub(super) const SMART_OBJECT: Function = Function {
    name: "smart_object",
    params: &[Param {
        name: "options",
        ty: Type::Options(SmartObjectOptions::SHAPE),
        optional: false,
    }],
    returns: "SmartObject",
    doc: "Adds an object that defines how agents of crowds use it, such as a bench or a counter. Agents come by \
          chance if `attract_chance` is more than 0, or when `people:use` sends them. An agent takes a free slot or \
          waits in the queue, plays the clips, and then continues as before. If the object moves, agents on its slots \
          move with it. The object is invisible: put a model at the same position.",
    example: "smart_object { position = vec(2, 0, 3), intro = \"sit_down\", clip = \"sit\", outro = \"stand_up\", duration = { 4, 9 }, attract_chance = 0.3 }",
    call: smart_object,
};

/// Object returned by `smart_object`.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "SmartObject",
    doc: "An object that agents of crowds use, such as a bench, created by `smart_object { … }`. After a hot reload, \
          its users continue the use.",
    functions: &[
        Function {
            name: "users",
            params: &[Param {
                name: "crowd",
                ty: Type::Object("Crowd"),
                optional: false,
            }],
            returns: "{number}",
            doc: "Returns the numbers of the agents of a crowd that use the object, walk to it, or wait for it.",
            example: "local bench = smart_object { clip = \"sit\" }\nlocal people = crowd { model = \"assets/galatea.glb\", count = 3 }\nfor _, i in bench:users(people) do people:stop_using(i) end",
            call: users,
        },
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Removes the object. Its users continue with what they did before the use.",
            example: "smart_object({ clip = \"sit\" }):remove()",
            call: remove,
        },
    ],
    properties: &[
        Property {
            name: "position",
            ty: "vector",
            doc: "Position of the object, metres. When you change it, agents on its slots move with the object.",
            get: get_position,
            set: Some((Type::Vector, set_position)),
        },
        Property {
            name: "yaw",
            ty: "number",
            doc: "Direction of the object, degrees. At 0 the object faces +Z, at 90 it faces +X.",
            get: get_yaw,
            set: Some((Type::Number, set_yaw)),
        },
        Property {
            name: "push_speed",
            ty: "number",
            doc: "Speed at which the object pushes nearby agents away from its centre, metres per second. A negative \
                  value pulls agents to the centre.",
            get: get_push_speed,
            set: Some((Type::Number, set_push_speed)),
        },
        Property {
            name: "user_count",
            ty: "number",
            doc: "Number of agents that use the object or walk to one of its slots.",
            get: get_user_count,
            set: None,
        },
        Property {
            name: "waiting_count",
            ty: "number",
            doc: "Number of agents that wait in the queue of the object.",
            get: get_waiting_count,
            set: None,
        },
    ],
};
