//! `crowd { … }`: many agents that walk and avoid each other.

use std::mem;
use std::sync::Arc;

use glam::Vec3;
use mlua::{Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::body::take_off;
use super::check::{Args, OneOrMany, OptionValue, Options, Param, Type, lua_number, lua_vector};
use super::crowd_agents::{self, with_one};
use super::crowd_fields::{
    self, CrowdAvoidance, CrowdOptions, bodies, navmesh_handle, obstacles, tints, walls,
};
use super::crowd_ref::{
    AGENT, CrowdRef, POSITION, agent, ground_position_of, position_of, with_own,
};
use super::crowd_states::states;
use super::group::{Function, Group, Kind, Property};
use crate::budget::charge;
use crate::crowd_calls::CrowdCalls;
use crate::world::with_world;
use galatea_math::random::RandomSource;
use galatea_stage::{CrowdAgent, Identity, MAX_AGENTS, MAX_CROWDS, StageCrowd};

/// Costs of a crowd, of each of its bodies and of each agent, in steps of the script's budget.
const COST: u64 = 64;
const COST_OF_BODY: u64 = 20_000;
const COST_OF_ONE: u64 = 4;
/// Maximum number of positions in one call of `walk_to`.
const MAX_POSITIONS: usize = 1000;

impl UserData for CrowdRef {
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

fn crowd(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let mut options: CrowdOptions = args.options(0)?;
    charge(lua, COST + options.count as u64 * COST_OF_ONE)?;
    let promoted = options.on_promote.take();
    let (handle, n_bodies, calls) = with_world(lua, |world| {
        let bodies = bodies(&mut world.loading, &*world.services, &options)?;
        let n_bodies = bodies.len();
        let mut crowd = StageCrowd {
            identity: Identity::default(),
            agents: crowd_fields::start_agents(&options, n_bodies)?,
            walls: walls(mem::take(&mut options.walls))?,
            obstacles: obstacles(mem::take(&mut options.obstacles))?,
            uses_push: options.avoidance == CrowdAvoidance::Push,
            navmesh: navmesh_handle(&world.stage, &options)?,
            routes: Default::default(),
            tints: tints(&options.colors, &bodies)?,
            bodies,
            clips: Vec::new(),
            states: Arc::new([]),
            start: 0,
            meet_chance: options.meet_chance,
            random: RandomSource::new(options.seed ^ 0x7e11),
            promotion: options.promote_distance,
            memory: Default::default(),
            tours: Default::default(),
            n_stepped_aside: 0,
            missing_clips: Default::default(),
        };
        let calls = states(options.states, options.start.as_deref(), &mut crowd)?;
        let full = || {
            wrong(format!(
                "crowd: a stage can have at most {MAX_CROWDS} crowds with {MAX_AGENTS} agents in all"
            ))
        };
        let handle =
            world
                .stage
                .agents
                .add_crowd(&mut world.stage.ids, options.name.as_deref(), crowd);
        Ok((handle.ok_or_else(full)?, n_bodies, calls))
    })?;
    charge(lua, n_bodies as u64 * COST_OF_BODY)?;
    let hold = lua.create_userdata(CrowdRef(handle))?;
    with_world(lua, |world| {
        let own = CrowdCalls {
            hold: hold.clone(),
            states: calls,
            promoted,
        };
        world.program.crowds.crowds.insert(handle, own);
        Ok(Value::UserData(hold))
    })
}

/// One position or a list of positions.
fn positions_of(args: &Args, i: usize) -> mlua::Result<Vec<Vec3>> {
    let places = OneOrMany::from_value(args.value(i)).map_err(wrong)?.0;
    if places.is_empty() || places.len() > MAX_POSITIONS {
        return Err(wrong(format!("expected 1 to {MAX_POSITIONS} positions")));
    }
    Ok(places)
}

fn walk_to(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let places = positions_of(&args, 2)?;
    charge(lua, places.len() as u64)?;
    let pace = args.number(3).map(|pace| pace.clamp(0.0, 20.0) as f32);
    with_one(lua, &args, |world, handle, i| {
        let agents = &mut world.stage.agents;
        if let (Some(pace), Some(crowd)) = (pace, agents.crowds.get_mut(handle)) {
            crowd.agents[i].set_speed(pace);
        }
        agents.send(handle, i, places);
        Ok(Value::Nil)
    })
}

fn walk_all_to(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let goal = position_of(&args, 1)?;
    let pace = args.number(2).map(|pace| pace.clamp(0.0, 20.0) as f32);
    let n = with_own(lua, &args, |crowd| {
        for person in &mut crowd.agents {
            if let Some(pace) = pace {
                person.set_speed(pace);
            }
        }
        Ok(crowd.agents.len())
    })?;
    let own: Option<CrowdRef> = args.object(0);
    if let Some(CrowdRef(handle)) = own {
        with_world(lua, |world| {
            for i in 0..n {
                world.stage.agents.send(handle, i, [goal]);
            }
            Ok(())
        })?;
    }
    charge(lua, n as u64)?;
    Ok(Value::Nil)
}

fn stop(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_one(lua, &args, |world, handle, i| {
        world.stage.agents.stop(handle, i);
        Ok(Value::Nil)
    })
}

fn position(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |crowd| {
        Ok(lua_vector(agent(crowd, args.number(1))?.position()))
    })
}

fn velocity(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |crowd| {
        Ok(lua_vector(agent(crowd, args.number(1))?.velocity()))
    })
}

/// Numbers of the agents, from 1, for which `is_it` is true.
fn agents_where(
    lua: &Lua,
    args: &Args,
    is_it: impl Fn(&CrowdAgent) -> bool,
) -> mlua::Result<Value> {
    let (found, n) = with_own(lua, args, |crowd| {
        let all = (1_u32..).zip(&crowd.agents);
        let found = all.filter(|(_, person)| is_it(person)).map(|(i, _)| i);
        Ok((found.collect::<Vec<u32>>(), crowd.agents.len()))
    })?;
    charge(lua, n as u64 / 16 + found.len() as u64)?;
    let table: Table = lua.create_sequence_from(found)?;
    Ok(Value::Table(table))
}

fn arrived(lua: &Lua, args: Args) -> mlua::Result<Value> {
    agents_where(lua, &args, CrowdAgent::has_arrived)
}

fn no_path(lua: &Lua, args: Args) -> mlua::Result<Value> {
    agents_where(lua, &args, CrowdAgent::has_no_path)
}

fn find_near(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = ground_position_of(&args, 1)?;
    let radius = args.number(2).unwrap_or(1.0).max(0.0) as f32;
    agents_where(lua, &args, |person| {
        person.agent.at.distance_squared(at) <= radius * radius
    })
}

fn remove(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own: Option<CrowdRef> = args.object(0);
    let Some(CrowdRef(handle)) = own else {
        return Ok(Value::Nil);
    };
    let characters = with_world(lua, |world| {
        world.program.crowds.crowds.remove(&handle);
        let stage = &mut world.stage;
        Ok(stage.agents.remove_crowd(&mut stage.characters, handle))
    })?;
    for character in characters {
        take_off(lua, character)?;
    }
    Ok(Value::Nil)
}

fn get_count(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |crowd| {
        Ok(lua_number(crowd.agents.len() as f32))
    })
}

const PACE: Param = Param {
    name: "speed",
    ty: Type::Number,
    optional: true,
};

/// `crowd { … }`.
pub(super) const CROWD: Function = Function {
    name: "crowd",
    params: &[Param {
        name: "options",
        ty: Type::Options(CrowdOptions::SHAPE),
        optional: false,
    }],
    returns: "Crowd",
    doc: "Creates a crowd. Its members are called agents; each has its own position, speed, size and rhythm of steps. Agents \
          walk to the positions that you send them to, and avoid each other, characters and walls. They share models and \
          poses, so thousands of agents cost little. There can be 64 crowds with 20000 agents in all.",
    example: "local people = crowd { model = \"assets/galatea.glb\", count = 60, size = vec(16, 0, 16) }\npeople:walk_all_to(vec(0, 0, 30))",
    call: crowd,
};

/// Methods and properties of a crowd.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Crowd",
    doc: "A crowd, created by `crowd { … }`. Its agents have the numbers 1, 2, 3 and so on. In the methods, `person` is \
          the number of an agent and `place` is a position. After a hot reload, the agents continue from where they \
          are.",
    functions: &[
        Function {
            name: "walk_to",
            params: &[
                AGENT,
                Param {
                    name: "place",
                    ty: OneOrMany::<Vec3>::TYPE,
                    optional: false,
                },
                PACE,
            ],
            returns: "",
            doc: "Sends an agent to a position, or to the positions of a list, one after another. `person` is the \
                  number of the agent. `speed` is its speed from now on, metres per second. If the agent uses a smart \
                  object or waits for one, it leaves the object first. An agent on a slot plays the `outro` of the \
                  object before it goes.",
            example: "local people = crowd { model = \"assets/galatea.glb\", count = 4 }\npeople:walk_to(1, vec(3, 0, 5), 1.4)\npeople:walk_to(2, { vec(3, 0, 0), vec(3, 0, 5), vec(0, 0, 5) })",
            call: walk_to,
        },
        Function {
            name: "walk_all_to",
            params: &[POSITION, PACE],
            returns: "",
            doc: "Sends all agents to one position. `speed` is their speed from now on, metres per second.",
            example: "crowd({ model = \"assets/galatea.glb\", count = 4 }):walk_all_to(vec(0, 0, 9))",
            call: walk_all_to,
        },
        Function {
            name: "stop",
            params: &[AGENT],
            returns: "",
            doc: "Stops an agent where it is. `person` is the number of the agent. The agent still steps aside for \
                  others. If it waits for a smart object, it stops waiting. If it already uses one, it continues the \
                  use.",
            example: "crowd({ model = \"assets/galatea.glb\", count = 4 }):stop(2)",
            call: stop,
        },
        Function {
            name: "position",
            params: &[AGENT],
            returns: "vector",
            doc: "Returns the position of the agent with the number `person`, metres.",
            example: "print(crowd({ model = \"assets/galatea.glb\", count = 4 }):position(1))",
            call: position,
        },
        Function {
            name: "velocity",
            params: &[AGENT],
            returns: "vector",
            doc: "Returns the velocity of the agent with the number `person`, metres per second.",
            example: "print(crowd({ model = \"assets/galatea.glb\", count = 4 }):velocity(1))",
            call: velocity,
        },
        Function {
            name: "arrived",
            params: &[],
            returns: "{number}",
            doc: "Returns the numbers of the agents that reached their goal in the last tick.",
            example: "local people = crowd { model = \"assets/galatea.glb\", count = 20 }\nfunction update()\n\tfor _, i in people:arrived() do\n\t\tpeople:walk_to(i, vec(random_range(-9, 9), 0, random_range(-9, 9)))\n\tend\nend",
            call: arrived,
        },
        Function {
            name: "no_path",
            params: &[],
            returns: "{number}",
            doc: "Returns the numbers of the agents for which the search for a path failed in the last tick: no path on \
                  the crowd's `navmesh` leads to their goal. These agents stop.",
            example: "local level = navmesh { size = vec(30, 10, 30) }\nlocal people = crowd { model = \"assets/galatea.glb\", count = 4, navmesh = level }\npeople:walk_all_to(vec(0, 0, 9))\nfunction update()\n\tfor _, i in people:no_path() do print(i, \"finds no way\") end\nend",
            call: no_path,
        },
        Function {
            name: "find_near",
            params: &[
                POSITION,
                Param {
                    name: "radius",
                    ty: Type::Number,
                    optional: true,
                },
            ],
            returns: "{number}",
            doc: "Returns the numbers of the agents within `radius` metres of a position. The default `radius` is 1.",
            example: "local people = crowd { model = \"assets/galatea.glb\", count = 20 }\nfor _, i in people:find_near(vec(0, 0, 0), 3) do people:stop(i) end",
            call: find_near,
        },
        crowd_agents::SET_STATE,
        crowd_agents::STATE,
        crowd_agents::SEND,
        crowd_agents::SEND_NEAR,
        crowd_agents::PLAY,
        crowd_agents::TURN_TO,
        crowd_agents::FOLLOW,
        crowd_agents::TELEPORT,
        crowd_agents::USE,
        crowd_agents::USED_OBJECT,
        crowd_agents::STOP_USING,
        crowd_agents::PROMOTE,
        crowd_agents::DEMOTE,
        crowd_agents::CHARACTER,
        Function {
            name: "remove",
            params: &[],
            returns: "",
            doc: "Removes the crowd with all its agents, including agents that were made characters.",
            example: "crowd({ model = \"assets/galatea.glb\", count = 4 }):remove()",
            call: remove,
        },
    ],
    properties: &[Property {
        name: "count",
        ty: "number",
        doc: "Number of agents.",
        get: get_count,
        set: None,
    }],
};
