//! `flock { … }`: birds and fish.

use std::sync::Arc;

use glam::Vec3;
use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::check::{Args, Options, Param, Type, lua_number, lua_vector};
use super::crowd_fields::tints;
use super::flock_fields::{FASTEST, FlockOptions, body, initial_members, rules};
use super::group::{Function, Group, Kind, Property};
use crate::budget::charge;
use crate::crowd_calls::FlockCalls;
use crate::world::with_world;
use galatea_crowd::{Attractor, Boid, FlockHome, FlockRules};
use galatea_stage::Handle;
use galatea_stage::flocks::{MAX_ATTRACTORS, MAX_BIRDS, MAX_FLOCKS, StageFlock};

/// Budget steps of creating a flock, of loading its model, and of each member.
const COST: u64 = 64;
const COST_OF_BODY: u64 = 20_000;
const COST_OF_ONE: u64 = 4;

/// Handle to a flock.
#[derive(Clone, Copy)]
pub(super) struct FlockRef(pub(super) Handle);

impl UserData for FlockRef {
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

fn flock(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: FlockOptions = args.options(0)?;
    charge(
        lua,
        COST + COST_OF_BODY + options.count as u64 * COST_OF_ONE,
    )?;
    let handle = with_world(lua, |world| {
        let body = body(&mut world.loading, &*world.services, &options)?;
        let tints = tints(&options.colors, std::slice::from_ref(&body))?;
        let rules = rules(&options);
        let (boids, birds) = initial_members(&options, &rules);
        let is_book = rules.is_classic;
        let mut flock = StageFlock::new(body, boids, birds, rules);
        if is_book {
            // The fixed target point of the classic flock.
            flock.attractors = FlockRules::classic()
                .attractors
                .into_iter()
                .map(|pull| ("book".into(), pull))
                .collect();
        } else {
            let (at, weight, radius) = (options.position, options.home_weight, options.home_radius);
            let home = FlockHome { at, radius, weight };
            flock.rules.home = (weight > 0.0).then_some(home);
            flock.avoid = options.avoid;
        }
        flock.lean = options.lean;
        flock.tints = tints.into_iter().next().unwrap_or_else(|| Arc::new([]));
        let handle =
            world
                .stage
                .agents
                .add_flock(&mut world.stage.ids, options.name.as_deref(), flock);
        handle.ok_or_else(|| {
            wrong(format!(
                "flock: a stage can have at most {MAX_FLOCKS} flocks with {MAX_BIRDS} members in all"
            ))
        })
    })?;
    let hold = lua.create_userdata(FlockRef(handle))?;
    if let Some(force) = options.steering {
        let own = FlockCalls {
            hold: hold.clone(),
            force,
        };
        with_world(lua, |world| {
            world.program.crowds.flocks.insert(handle, own);
            Ok(())
        })?;
    }
    Ok(Value::UserData(hold))
}

fn with_own<T>(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(&mut StageFlock) -> mlua::Result<T>,
) -> mlua::Result<T> {
    let own: Option<FlockRef> = args.object(0);
    let FlockRef(handle) = own.ok_or_else(|| wrong("expected a Flock"))?;
    with_world(lua, |world| {
        let flock = world.stage.agents.flocks.get_mut(handle);
        work(flock.ok_or_else(|| wrong("this flock was removed"))?)
    })
}

/// Index of a member from its number, which counts from 1.
fn one(flock: &StageFlock, number: Option<f64>) -> mlua::Result<usize> {
    let n = flock.boids.len();
    let at = number.filter(|number| number.fract() == 0.0 && (1.0..=n as f64).contains(number));
    let told = number.unwrap_or(0.0);
    let at = at.ok_or_else(|| {
        wrong(format!(
            "there is no member {told}; the flock has members 1 to {n}"
        ))
    })?;
    Ok(at as usize - 1)
}

fn place_of(args: &Args, i: usize) -> mlua::Result<Vec3> {
    let at = args.vector(i).filter(|at| at.is_finite());
    at.ok_or_else(|| wrong("expected a vector with finite coordinates"))
}

fn position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |flock| {
        Ok(lua_vector(flock.boids[one(flock, args.number(1))?].at))
    })
}

fn velocity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |flock| {
        Ok(lua_vector(
            flock.boids[one(flock, args.number(1))?].velocity,
        ))
    })
}

fn steer(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let velocity = place_of(&args, 2)?;
    with_own(lua, &args, |flock| {
        let i = one(flock, args.number(1))?;
        if i >= flock.rules.n_leaders {
            let n = flock.rules.n_leaders;
            return Err(wrong(format!(
                "steer: member {} is not a leader; the leaders are members 1 to {n}",
                i + 1
            )));
        }
        flock.boids[i].velocity = velocity.clamp_length_max(FASTEST as f32);
        Ok(Value::Nil)
    })
}

fn teleport(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = place_of(&args, 2)?;
    let velocity = args.vector(3).filter(|velocity| velocity.is_finite());
    with_own(lua, &args, |flock| {
        let i = one(flock, args.number(1))?;
        let velocity = velocity.unwrap_or(flock.boids[i].velocity);
        let velocity = velocity.clamp_length_max(FASTEST as f32);
        flock.teleport(i, Boid { at, velocity });
        Ok(Value::Nil)
    })
}

fn set_attractor(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(1).unwrap_or_default();
    let pull = match args.value(2) {
        Value::Nil => None,
        _ => Some(Attractor {
            position: place_of(&args, 2)?,
            weight: args.number(3).unwrap_or(1.0).clamp(-1e4, 1e4) as f32,
            range: args
                .number(4)
                .map_or(f32::INFINITY, |reach| reach.max(0.01) as f32),
        }),
    };
    with_own(lua, &args, |flock| match flock.pull(&name, pull) {
        true => Ok(Value::Nil),
        false => Err(wrong(format!(
            "set_attractor: the limit is {MAX_ATTRACTORS} attractors"
        ))),
    })
}

fn find_near(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = place_of(&args, 1)?;
    let radius = args.number(2).unwrap_or(1.0).max(0.0) as f32;
    let (found, n) = with_own(lua, &args, |flock| {
        let all = (1_u32..).zip(&flock.boids);
        let near = all.filter(|(_, boid)| boid.at.distance(at) <= radius);
        Ok((
            near.map(|(i, _)| i).collect::<Vec<u32>>(),
            flock.boids.len(),
        ))
    })?;
    charge(lua, n as u64 / 16 + found.len() as u64)?;
    let table: Table = lua.create_sequence_from(found)?;
    Ok(Value::Table(table))
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own: Option<FlockRef> = args.object(0);
    with_world(lua, |world| {
        if let Some(FlockRef(handle)) = own {
            world.stage.agents.flocks.remove(handle);
            world.program.crowds.flocks.remove(&handle);
        }
        Ok(Value::Nil)
    })
}

fn get_count(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |flock| Ok(lua_number(flock.boids.len() as f32)))
}

fn get_center(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |flock| {
        let n = flock.boids.len().max(1) as f32;
        let sum: Vec3 = flock.boids.iter().map(|boid| boid.at).sum();
        Ok(lua_vector(sum / n))
    })
}

fn get_min_speed(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |flock| Ok(lua_number(flock.rules.speed[0])))
}

fn set_min_speed(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let told = args.number(1).unwrap_or(0.0).clamp(0.0, FASTEST) as f32;
    with_own(lua, &args, |flock| {
        flock.rules.speed[0] = told;
        flock.rules.speed[1] = flock.rules.speed[1].max(told);
        Ok(Value::Nil)
    })
}

fn get_max_speed(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |flock| Ok(lua_number(flock.rules.speed[1])))
}

fn set_max_speed(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let told = args.number(1).unwrap_or(0.0).clamp(0.001, FASTEST) as f32;
    with_own(lua, &args, |flock| {
        flock.rules.speed[1] = told;
        flock.rules.speed[0] = flock.rules.speed[0].min(told);
        Ok(Value::Nil)
    })
}

macro_rules! rule {
    ($name:literal, $field:ident, $doc:literal) => {
        Property {
            name: $name,
            ty: "number",
            doc: $doc,
            get: |lua, args| with_own(lua, &args, |flock| Ok(lua_number(flock.rules.$field))),
            set: Some((Type::Number, |lua, args| {
                let told = args.number(1).unwrap_or(0.0).clamp(0.0, 1000.0) as f32;
                with_own(lua, &args, |flock| {
                    flock.rules.$field = told;
                    Ok(Value::Nil)
                })
            })),
        }
    };
}

const NUMBER: Param = Param {
    name: "number",
    ty: Type::Number,
    optional: false,
};

const fn vector(name: &'static str, optional: bool) -> Param {
    Param {
        name,
        ty: Type::Vector,
        optional,
    }
}

const fn number(name: &'static str) -> Param {
    Param {
        name,
        ty: Type::Number,
        optional: true,
    }
}

/// `flock { … }`.
pub(super) const FLOCK: Function = Function {
    name: "flock",
    params: &[Param {
        name: "options",
        ty: Type::Options(FlockOptions::SHAPE),
        optional: false,
    }],
    returns: "Flock",
    doc: "Creates a flock of birds or fish. Its members keep apart from near neighbours, move in the same direction as them \
          and stay close to them. They also keep above the ground, avoid obstacles and return to their home, the area where \
          they started. There can be 64 flocks with 20000 members in all.",
    example: "local birds = flock { model = \"assets/bird.glb\", count = 200, position = vec(0, 12, 0), speed = { 5, 9 } }\nbirds:set_attractor(\"hawk\", vec(0, 12, 0), -40, 6)",
    call: flock,
};

/// Methods and properties of a flock.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Flock",
    doc: "A flock of birds or fish, created by `flock { … }`. Its members have the numbers 1, 2, 3 and so on. In the \
          methods, `number` is the number of a member. After a hot reload, the members continue from where they are.",
    functions: &[
        Function {
            name: "position",
            params: &[NUMBER],
            returns: "vector",
            doc: "Returns the position of the member with this number, metres.",
            example: "local birds = flock { model = \"assets/bird.glb\", count = 10 }\nprint(birds:position(1))",
            call: position,
        },
        Function {
            name: "velocity",
            params: &[NUMBER],
            returns: "vector",
            doc: "Returns the velocity of the member with this number, metres per second.",
            example: "local birds = flock { model = \"assets/bird.glb\", count = 10 }\nprint(birds:velocity(1))",
            call: velocity,
        },
        Function {
            name: "set_attractor",
            params: &[
                Param {
                    name: "name",
                    ty: Type::Text,
                    optional: false,
                },
                vector("place", true),
                number("weight"),
                number("reach"),
            ],
            returns: "",
            doc: "Attracts all members to a position, or repels them from it. `weight` is the strength of the force, by \
                  default 1; a negative weight repels. With `reach`, the force decreases with the distance and is 0 at \
                  `reach` metres. Without `reach`, the force is the same at all distances. A later call with the same \
                  `name` moves the position; without a position it removes the force.",
            example: "local birds = flock { model = \"assets/bird.glb\", count = 100 }\nfunction update()\n\tbirds:set_attractor(\"hawk\", vec(math.sin(now()) * 8, 15, 0), -40, 6)\nend",
            call: set_attractor,
        },
        Function {
            name: "steer",
            params: &[NUMBER, vector("velocity", false)],
            returns: "",
            doc: "Sets the velocity of a leader, metres per second. The option `leaders` of `flock` says how many \
                  members are leaders; they have the first numbers. All other members follow the nearest leader.",
            example: "local birds = flock { model = \"assets/bird.glb\", count = 100, leaders = 1, leader_weight = 6 }\nfunction update() birds:steer(1, vec(math.sin(now()), 0, math.cos(now())) * 5) end",
            call: steer,
        },
        Function {
            name: "teleport",
            params: &[NUMBER, vector("place", false), vector("velocity", true)],
            returns: "",
            doc: "Moves a member directly to a position, without flying there. `velocity` is its new velocity, metres \
                  per second.",
            example: "local birds = flock { model = \"assets/bird.glb\", count = 10 }\nbirds:teleport(1, vec(0, 10, 0), vec(0, 0, 5))",
            call: teleport,
        },
        Function {
            name: "find_near",
            params: &[vector("place", false), number("radius")],
            returns: "{number}",
            doc: "Returns the numbers of the members within `radius` metres of a position. The default `radius` is 1.",
            example: "local birds = flock { model = \"assets/bird.glb\", count = 10 }\nprint(#birds:find_near(vec(0, 15, 0), 5))",
            call: find_near,
        },
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Removes the flock with all its members.",
            example: "flock({ model = \"assets/bird.glb\", count = 10 }):remove()",
            call: remove,
        },
    ],
    properties: &[
        Property {
            name: "count",
            ty: "number",
            doc: "Number of members of the flock.",
            get: get_count,
            set: None,
        },
        Property {
            name: "center",
            ty: "vector",
            doc: "Mean position of all members, metres.",
            get: get_center,
            set: None,
        },
        rule!(
            "separation",
            separation,
            "Strength with which members move away from neighbours that are nearer than `separation_distance` \
             (separation)."
        ),
        rule!(
            "separation_distance",
            separation_distance,
            "Distance below which members move away from each other, metres."
        ),
        rule!(
            "alignment",
            alignment,
            "Strength with which members adapt their velocity to that of their neighbours (alignment)."
        ),
        rule!(
            "cohesion",
            cohesion,
            "Strength with which members move towards the middle of their neighbours (cohesion)."
        ),
        rule!(
            "neighbor_radius",
            neighbor_radius,
            "Distance up to which other members count as neighbours, metres."
        ),
        rule!(
            "turn_rate",
            turn_rate,
            "Maximum change of the velocity in a second, as a multiple of `max_speed`. Higher values give tighter turns."
        ),
        rule!(
            "clearance",
            clearance,
            "Minimum height above the ground, metres. A member that is lower rises."
        ),
        rule!(
            "leader_weight",
            leader_weight,
            "Strength with which members follow the nearest leader."
        ),
        Property {
            name: "min_speed",
            ty: "number",
            doc: "Lowest speed of a member, metres per second.",
            get: get_min_speed,
            set: Some((Type::Number, set_min_speed)),
        },
        Property {
            name: "max_speed",
            ty: "number",
            doc: "Highest speed of a member, metres per second.",
            get: get_max_speed,
            set: Some((Type::Number, set_max_speed)),
        },
    ],
};
