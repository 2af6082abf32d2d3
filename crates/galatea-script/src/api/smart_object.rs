//! `smart_object { … }`: things that people of crowds use.

use glam::Vec3;
use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::check::{Args, Field, Fields, Param, Type, lua_number, lua_vector, vector};
use super::crowd_fields::RANGE;
use super::crowd_states::{texts, told_range};
use super::{Function, Group, Kind, Property, add_object, add_properties};
use crate::budget::charge;
use crate::crowds::ObjectCalls;
use crate::world::with_world;
use galatea_stage::{Handle, MOST_OBJECTS, MOST_SLOTS, ObjectReach, Slot, SmartObject};

const COST: u64 = 32;

/// A script's hold on a smart object.
#[derive(Clone, Copy)]
pub(super) struct ObjectRef(pub(super) Handle);

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

const FIELDS: &[Field] = &[
    Field {
        name: "at",
        ty: Type::Vector,
        doc: "where it is; 0, 0, 0",
    },
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "how it faces, degrees from +z to +x",
    },
    Field {
        name: "slots",
        ty: Type::Table,
        doc: "where it is used, up to 64: places in its own space (x to its left, z ahead), or { at = …, yaw = … } with how one faces there; one, where it is",
    },
    Field {
        name: "clip",
        ty: Type::OneOf(&[Type::Text, Type::Table]),
        doc: "the clip that is acted there, or a list, of which one follows another by chance",
    },
    Field {
        name: "intro",
        ty: Type::Text,
        doc: "a clip before that",
    },
    Field {
        name: "outro",
        ty: Type::Text,
        doc: "a clip after that",
    },
    Field {
        name: "reaches",
        ty: Type::Fields(REACHES),
        doc: "what those who are characters (see `near` of a crowd) reach for there, by limbs: places in the space of their slot, or { at = …, grip = 0.6, palm = true, body = true }: the hand closes that far, its palm comes there, the body helps: { right_hand = vector.create(-0.2, 1.1, 0.45) }",
    },
    Field {
        name: "once",
        ty: Type::Bool,
        doc: "it is over when the clip is",
    },
    Field {
        name: "lasts",
        ty: RANGE,
        doc: "seconds, a number or { low, high }, that it is used; without, until `people:leave`",
    },
    Field {
        name: "radius",
        ty: Type::Number,
        doc: "metres within which it draws; 4",
    },
    Field {
        name: "draws",
        ty: Type::Number,
        doc: "0 to 1: how likely in a second one of those there comes to use it; 0",
    },
    Field {
        name: "line",
        ty: Type::OneOf(&[Type::Vector, Type::Table]),
        doc: "where those wait who find no slot: a place in its own space, or { at = …, yaw = …, gap = 0.8 }; they face the way of `yaw`, and the line goes back from there; without, it is full",
    },
    Field {
        name: "force",
        ty: Type::Number,
        doc: "metres a second by which it pushes at its middle, less the farther; less than 0 draws; 0",
    },
    Field {
        name: "reach",
        ty: Type::Number,
        doc: "metres within which it pushes; 2",
    },
    Field {
        name: "enter",
        ty: Type::Function,
        doc: "called with the object, the crowd and the number of who begins to use it",
    },
    Field {
        name: "update",
        ty: Type::Function,
        doc: "called with them and the seconds since, every so often",
    },
    Field {
        name: "every",
        ty: Type::Number,
        doc: "seconds from one `update` to the next; 0.25",
    },
    Field {
        name: "leave",
        ty: Type::Function,
        doc: "called with the object, the crowd and the number of who is done",
    },
    Field {
        name: "name",
        ty: Type::Text,
        doc: "makes it known when the script is saved",
    },
];

const REACH: Type = Type::OneOf(&[Type::Vector, Type::Table]);

const REACHES: &[Field] = &[
    Field {
        name: "left_hand",
        ty: REACH,
        doc: "a place or a table",
    },
    Field {
        name: "right_hand",
        ty: REACH,
        doc: "a place or a table",
    },
    Field {
        name: "left_foot",
        ty: REACH,
        doc: "a place or a table",
    },
    Field {
        name: "right_foot",
        ty: REACH,
        doc: "a place or a table",
    },
];

const REACH_FIELDS: &[Field] = &[
    Field {
        name: "at",
        ty: Type::Vector,
        doc: "in the slot's space",
    },
    Field {
        name: "grip",
        ty: Type::Number,
        doc: "0 to 1: how far its fingers close; as they are",
    },
    Field {
        name: "palm",
        ty: Type::Bool,
        doc: "its palm comes there, not its wrist",
    },
    Field {
        name: "body",
        ty: Type::Bool,
        doc: "the body helps where the arm is too short",
    },
];

const SLOT_FIELDS: &[Field] = &[
    Field {
        name: "at",
        ty: Type::Vector,
        doc: "in the object's space",
    },
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "degrees from the object's",
    },
];

const LINE_FIELDS: &[Field] = &[
    Field {
        name: "at",
        ty: Type::Vector,
        doc: "in the object's space",
    },
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "degrees from the object's",
    },
    Field {
        name: "gap",
        ty: Type::Number,
        doc: "metres from one to the next; 0.8",
    },
];

/// A slot from a place or a table.
fn slot(value: &Value, fields: &'static [Field], what: &str) -> mlua::Result<(Slot, Fields)> {
    let plain = Slot {
        at: Vec3::ZERO,
        yaw: 0.0,
    };
    if let Some(at) = vector(value) {
        return match at.is_finite() {
            true => Ok((Slot { at, ..plain }, Fields(None))),
            false => Err(wrong(format!("{what}: a finite place is expected"))),
        };
    }
    Type::Fields(fields)
        .check(value)
        .map_err(|told| wrong(format!("{what}: {told}")))?;
    let own = Fields(value.as_table().cloned());
    let slot = Slot {
        at: own.vector("at").unwrap_or_default(),
        yaw: (own.number("yaw").unwrap_or(0.0) as f32).to_radians(),
    };
    Ok((slot, own))
}

fn slots(fields: &Fields) -> mlua::Result<Vec<Slot>> {
    let Value::Table(table) = fields.value("slots") else {
        return Ok(vec![Slot {
            at: Vec3::ZERO,
            yaw: 0.0,
        }]);
    };
    let n = table.raw_len();
    if n == 0 || n > MOST_SLOTS {
        return Err(wrong(format!("slots: 1 to {MOST_SLOTS} are expected")));
    }
    let one = |(i, value): (usize, mlua::Result<Value>)| {
        let (slot, _) = slot(&value?, SLOT_FIELDS, &format!("slots[{}]", i + 1))?;
        Ok(slot)
    };
    table
        .sequence_values::<Value>()
        .enumerate()
        .map(one)
        .collect()
}

fn line(fields: &Fields) -> mlua::Result<Option<(Slot, f32)>> {
    match fields.value("line") {
        Value::Nil => Ok(None),
        value => {
            let (slot, own) = slot(&value, LINE_FIELDS, "line")?;
            let gap = own.within("gap", 0.1, 10.0)?.unwrap_or(0.8);
            Ok(Some((slot, gap)))
        }
    }
}

fn reaches(fields: &Fields) -> mlua::Result<Vec<ObjectReach>> {
    let all = Fields(fields.value("reaches").as_table().cloned());
    let mut found = Vec::new();
    for limb in REACHES.iter().map(|field| field.name) {
        let value = all.value(limb);
        if value.is_nil() {
            continue;
        }
        let told = |why: String| wrong(format!("reaches.{limb}: {why}"));
        let own = match vector(&value) {
            Some(_) => Fields(None),
            None => {
                let checked = Type::Fields(REACH_FIELDS).check(&value);
                checked.map_err(|why| told(why.to_string()))?;
                Fields(value.as_table().cloned())
            }
        };
        let at = vector(&value).or(own.vector("at"));
        let at = at.filter(|at| at.is_finite());
        let palm = own.bool("palm").unwrap_or(false);
        let grip = own.within("grip", 0.0, 1.0)?;
        found.push(ObjectReach {
            limb: limb.to_owned(),
            at: at.ok_or_else(|| told("a finite place is expected".to_owned()))?,
            grip: grip.or(palm.then_some(0.0)).map(|to| (to, palm)),
            helps: own.bool("body").unwrap_or(false),
        });
    }
    Ok(found)
}

fn smart_object(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST)?;
    let fields = args.fields(0);
    let one = |name: &str| fields.text(name).into_iter().collect::<Vec<String>>();
    let calls = ["enter", "update", "leave"].map(|name| fields.function(name));
    let every = fields.within("every", 0.001, 1000.0)?.unwrap_or(0.25);
    let yaw = (fields.number("yaw").unwrap_or(0.0) as f32).to_radians();
    let mut object = SmartObject::new(fields.vector("at").unwrap_or_default(), yaw);
    object.radius = fields
        .within("radius", 0.0, 1000.0)?
        .unwrap_or(object.radius);
    object.draws = fields.within("draws", 0.0, 1.0)?.unwrap_or(0.0);
    object.slots = slots(&fields)?;
    object.clips = [one("intro"), texts(&fields, "clip")?, one("outro")];
    object.reaches = reaches(&fields)?;
    object.once = fields.bool("once").unwrap_or(false);
    object.lasts = told_range(&fields, "lasts", (0.0, 1e6))?;
    object.line = line(&fields)?;
    object.force = fields.within("force", -100.0, 100.0)?.unwrap_or(0.0);
    object.reach = fields
        .within("reach", 0.01, 1000.0)?
        .unwrap_or(object.reach);
    object.tells = [calls[0].is_some(), calls[2].is_some()];
    object.every = calls[1].as_ref().map(|_| every);
    let name = fields.text("name");
    let handle = with_world(lua, |world| {
        let handle = world
            .stage
            .agents
            .add_object(&mut world.stage.ids, name.as_deref(), object);
        handle.ok_or_else(|| wrong(format!("smart_object: there may be {MOST_OBJECTS}")))
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
        world.program.objects.insert(handle, own);
        Ok(Value::UserData(hold))
    })
}

fn with_own<T>(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(&mut SmartObject) -> mlua::Result<T>,
) -> mlua::Result<T> {
    let own: Option<ObjectRef> = args.object(0);
    let ObjectRef(handle) = own.ok_or_else(|| wrong("this is no smart object"))?;
    with_world(lua, |world| {
        let object = world.stage.agents.objects.get_mut(handle);
        work(object.ok_or_else(|| wrong("this object is gone"))?)
    })
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own: Option<ObjectRef> = args.object(0);
    with_world(lua, |world| {
        if let Some(ObjectRef(handle)) = own {
            world.stage.agents.objects.remove(handle);
            world.program.objects.remove(&handle);
        }
        Ok(Value::Nil)
    })
}

fn users(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own: Option<super::crowd::CrowdRef> = args.object(1);
    let crowd = own.ok_or_else(|| wrong("a crowd is expected"))?.0;
    let found: Vec<u32> = with_own(lua, &args, |object| {
        let own = object.users().filter(|(other, _)| *other == crowd);
        Ok(own.map(|(_, i)| i + 1).collect())
    })?;
    let table: Table = lua.create_sequence_from(found)?;
    Ok(Value::Table(table))
}

fn get_at(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |object| Ok(lua_vector(object.at)))
}

fn set_at(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = args.vector(1).filter(|at| at.is_finite());
    let at = at.ok_or_else(|| wrong("a place is expected"))?;
    with_own(lua, &args, |object| {
        object.at = at;
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

fn get_force(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |object| Ok(lua_number(object.force)))
}

fn set_force(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let force = args.number(1).unwrap_or(0.0).clamp(-100.0, 100.0) as f32;
    with_own(lua, &args, |object| {
        object.force = force;
        Ok(Value::Nil)
    })
}

fn get_used(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |object| {
        Ok(lua_number(object.n_users().0 as f32))
    })
}

fn get_waiting(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |object| {
        Ok(lua_number(object.n_users().1 as f32))
    })
}

/// `smart_object { … }`.
pub(super) const SMART_OBJECT: Function = Function {
    name: "smart_object",
    params: &[Param {
        name: "options",
        ty: Type::Fields(FIELDS),
        optional: false,
    }],
    returns: "SmartObject",
    doc: "Puts something on the stage that knows how people of crowds use it: they come, by chance where it `draws`, or sent by `people:use`; take a slot or wait in its line; \
          act there what it says, and go on as before. Who uses it goes along when it moves. It is seen by nobody: put a model there.",
    example: "smart_object { at = vector.create(2, 0, 3), intro = \"sit_down\", clip = \"sit\", outro = \"stand_up\", lasts = { 4, 9 }, draws = 0.3 }",
    call: smart_object,
};

/// What it gives.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "SmartObject",
    doc: "Something that people of crowds use. When a script is saved, those who use it go on.",
    functions: &[
        Function {
            name: "users",
            params: &[Param {
                name: "crowd",
                ty: Type::Object("Crowd"),
                optional: false,
            }],
            returns: "{number}",
            doc: "Those of a crowd who use it, are on their way, or wait for it.",
            example: "local bench = smart_object { clip = \"sit\" }\nlocal people = crowd { body = \"assets/galatea.glb\", count = 3 }\nfor _, i in bench:users(people) do people:leave(i) end",
            call: users,
        },
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Takes it away; those who use it go on.",
            example: "smart_object({ clip = \"sit\" }):remove()",
            call: remove,
        },
    ],
    properties: &[
        Property {
            name: "at",
            ty: "vector",
            doc: "Where it is. Those on its slots go along.",
            get: get_at,
            set: Some((Type::Vector, set_at)),
        },
        Property {
            name: "yaw",
            ty: "number",
            doc: "How it faces, degrees from +z to +x.",
            get: get_yaw,
            set: Some((Type::Number, set_yaw)),
        },
        Property {
            name: "force",
            ty: "number",
            doc: "Metres a second by which it pushes at its middle; less than 0 draws.",
            get: get_force,
            set: Some((Type::Number, set_force)),
        },
        Property {
            name: "used",
            ty: "number",
            doc: "How many use it or are on their way to a slot.",
            get: get_used,
            set: None,
        },
        Property {
            name: "waiting",
            ty: "number",
            doc: "How many wait in its line.",
            get: get_waiting,
            set: None,
        },
    ],
};
