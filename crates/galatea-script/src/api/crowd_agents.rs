//! Methods of crowds for single agents: states, events, clips, leaders, smart objects and promotion to characters.

use glam::Vec2;
use mlua::{Lua, Value};

use super::body::take_off;
use super::character_ref::{CharacterRef, check_room, reference};
use super::check::{Args, Param, Type, lua_number};
use super::crowd_ref::{AGENT, CrowdRef, POSITION, agent, ground_position_of, with_own};
use super::crowd_states::clip_of;
use super::group::Function;
use super::smart_object::ObjectRef;
use crate::budget::charge;
use crate::world::{World, with_world};
use galatea_math::names::nearest_hint;
use galatea_stage::{EventSubject, Handle, Leader, Stage, StageCrowd};

const COST_OF_ONE: u64 = 4;
const COST_OF_CHARACTER: u64 = 200;
/// Cost of preparing a clip for the bodies of a crowd, in steps of the script's budget.
const COST_OF_CLIP: u64 = 2_000;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Runs `work` with the crowd of argument 0 and the agent of argument 1: the crowd's handle and the agent's index from 0.
pub(super) fn with_one<T>(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(&mut World, Handle, usize) -> mlua::Result<T>,
) -> mlua::Result<T> {
    charge(lua, COST_OF_ONE)?;
    let own: Option<CrowdRef> = args.object(0);
    let CrowdRef(handle) = own.ok_or_else(|| wrong("expected a Crowd"))?;
    with_world(lua, |world| {
        let crowd = world.stage.agents.crowds.get_mut(handle);
        let crowd = crowd.ok_or_else(|| wrong("this crowd was removed"))?;
        agent(crowd, args.number(1))?;
        work(world, handle, args.number(1).unwrap_or(1.0) as usize - 1)
    })
}

fn crowd_of(stage: &mut Stage, handle: Handle) -> mlua::Result<&mut StageCrowd> {
    let crowd = stage.agents.crowds.get_mut(handle);
    crowd.ok_or_else(|| wrong("this crowd was removed"))
}

fn r#set_state(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(2).unwrap_or_default();
    with_one(lua, &args, |world, handle, i| {
        let crowd = crowd_of(&mut world.stage, handle)?;
        let Some(state) = crowd.find_state(&name) else {
            let names = crowd.states.iter().map(|state| state.name.as_str());
            let hint = nearest_hint(&name, names);
            return Err(wrong(format!("this crowd has no state {name:?}{hint}")));
        };
        world
            .stage
            .agents
            .enter_state(handle, i, state, (EventSubject::Nothing, false));
        Ok(Value::Nil)
    })
}

fn state(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = with_one(lua, &args, |world, handle, i| {
        let crowd = crowd_of(&mut world.stage, handle)?;
        Ok(crowd.state_of(i).map(|state| state.name.clone()))
    })?;
    match name {
        Some(name) => lua.create_string(name).map(Value::String),
        None => Ok(Value::Nil),
    }
}

/// Subject of an event: a smart object, a position, an agent of the same crowd, or none.
fn about(args: &Args, i: usize) -> mlua::Result<EventSubject> {
    if let Some(ObjectRef(handle)) = args.object(i) {
        return Ok(EventSubject::Object(handle));
    }
    if let Some(place) = args.vector(i) {
        return Ok(EventSubject::Position(place));
    }
    match args.number(i) {
        Some(number) if number >= 1.0 && number.fract() == 0.0 => {
            Ok(EventSubject::CrowdAgent(number as u32 - 1))
        }
        Some(_) => Err(wrong(
            "about: expected the number of an agent of this crowd",
        )),
        None => Ok(EventSubject::Nothing),
    }
}

fn send(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let event = args.text(2).unwrap_or_default();
    let about = about(&args, 3)?;
    with_one(lua, &args, |world, handle, i| {
        world.stage.agents.send_to_agent(handle, i, &event, about);
        Ok(Value::Nil)
    })
}

fn send_near(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = ground_position_of(&args, 1)?;
    let place = args.vector(1).unwrap_or_default();
    let radius = args.number(2).unwrap_or(0.0).max(0.0) as f32;
    let event = args.text(3).unwrap_or_default();
    let own: Option<CrowdRef> = args.object(0);
    let CrowdRef(handle) = own.ok_or_else(|| wrong("expected a Crowd"))?;
    let hear = with_own(lua, &args, |crowd| {
        let all = crowd.agents.iter().enumerate();
        let near = all.filter(|(_, person)| person.agent.at.distance(at) <= radius);
        Ok(near.map(|(i, _)| i).collect::<Vec<usize>>())
    })?;
    charge(lua, 16 + hear.len() as u64 * COST_OF_ONE)?;
    with_world(lua, |world| {
        for i in &hear {
            world
                .stage
                .agents
                .send_to_agent(handle, *i, &event, EventSubject::Position(place));
        }
        Ok(lua_number(hear.len() as f32))
    })
}

fn play(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = args.text(2);
    let repeats = args.text(3).as_deref() == Some("loop");
    let is_new = with_one(lua, &args, |world, handle, i| {
        let crowd = crowd_of(&mut world.stage, handle)?;
        let known = crowd.clips.len();
        let number = match &name {
            Some(name) => Some(clip_of(crowd, i, name)?),
            None => None,
        };
        crowd.play(i, number, repeats);
        Ok(crowd.clips.len() > known)
    })?;
    if is_new {
        charge(lua, COST_OF_CLIP)?;
    }
    Ok(Value::Nil)
}

fn turn_to(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let place = match args.value(2) {
        Value::Nil => None,
        _ => Some(ground_position_of(&args, 2)?),
    };
    with_one(lua, &args, |world, handle, i| {
        crowd_of(&mut world.stage, handle)?.agents[i].face(place);
        Ok(Value::Nil)
    })
}

fn follow(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let number = |i: usize, plain: f32| args.number(i).map_or(plain, |told| told as f32);
    let off = Vec2::new(number(3, 0.75), number(4, -0.3)).clamp_length_max(100.0);
    let other: Option<CharacterRef> = args.object(2);
    let told = args.number(2);
    with_one(lua, &args, |world, handle, i| {
        let leader = match (other, told) {
            (Some(CharacterRef(handle)), _) => Some(Leader::Character(handle)),
            (None, Some(number)) => {
                let crowd = crowd_of(&mut world.stage, handle)?;
                agent(crowd, Some(number))?;
                let number = number as usize - 1;
                if number == i {
                    return Err(wrong("an agent cannot follow itself"));
                }
                Some(Leader::CrowdAgent(number as u32))
            }
            (None, None) => None,
        };
        let leader = leader.map(|leader| (leader, off));
        world.stage.agents.follow(handle, i, leader);
        Ok(Value::Nil)
    })
}

fn teleport(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let at = args.vector(2).filter(|at| at.is_finite());
    let at = at.ok_or_else(|| wrong("expected a position"))?;
    let yaw = args.number(3).map(|yaw| (yaw as f32).to_radians());
    with_one(lua, &args, |world, handle, i| {
        world.stage.agents.teleport(handle, i, at, yaw);
        Ok(Value::Nil)
    })
}

fn use_it(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let object: Option<ObjectRef> = args.object(2);
    let ObjectRef(object) = object.ok_or_else(|| wrong("expected a SmartObject"))?;
    with_one(lua, &args, |world, handle, i| {
        if world.stage.agents.objects.get(object).is_none() {
            return Err(wrong("this smart object was removed"));
        }
        Ok(Value::Boolean(
            world.stage.agents.use_object(handle, i, object),
        ))
    })
}

fn used_object(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_one(lua, &args, |world, handle, i| {
        let used = crowd_of(&mut world.stage, handle)?.agents[i].used_object();
        let hold = used.and_then(|used| world.program.crowds.objects.get(&used));
        Ok(hold.map_or(Value::Nil, |calls| Value::UserData(calls.hold.clone())))
    })
}

fn stop_using(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_one(lua, &args, |world, handle, i| {
        world.stage.agents.stop_using(handle, i);
        Ok(Value::Nil)
    })
}

fn promote(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST_OF_CHARACTER)?;
    let handle = with_one(lua, &args, |world, handle, i| {
        check_room(&world.stage)?;
        let made = world.stage.agents.promote(
            &mut world.stage.ids,
            &mut world.stage.characters,
            handle,
            i,
            true,
        );
        made.ok_or_else(|| wrong("this crowd was removed"))
    })?;
    reference(lua, handle)
}

fn demote(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = with_one(lua, &args, |world, handle, i| {
        let stage = &mut world.stage;
        Ok(stage.agents.demote(&mut stage.characters, handle, i))
    })?;
    if let Some(own) = own {
        take_off(lua, own)?;
    }
    Ok(Value::Nil)
}

fn character(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let own = with_one(lua, &args, |world, handle, i| {
        Ok(crowd_of(&mut world.stage, handle)?.character_of(i))
    })?;
    own.map_or(Ok(Value::Nil), |own| reference(lua, own))
}

const fn optional(name: &'static str, ty: Type) -> Param {
    Param {
        name,
        ty,
        optional: true,
    }
}

const fn needed(name: &'static str, ty: Type) -> Param {
    Param {
        name,
        ty,
        optional: false,
    }
}

pub(super) const SET_STATE: Function = Function {
    name: "set_state",
    params: &[AGENT, needed("state", Type::Text)],
    returns: "",
    doc: "Makes an agent enter one of the crowd's `states`. `person` is the number of the agent, `state` the name of \
          the state. If the agent uses a smart object or waits for one, it leaves the object, unless the new state has \
          `use_objects = true`.",
    example: "local people = crowd { model = \"assets/galatea.glb\", count = 4, states = { rest = { clip = \"idle\" }, go = {} }, start = \"rest\" }\npeople:set_state(1, \"go\")",
    call: r#set_state,
};

pub(super) const STATE: Function = Function {
    name: "state",
    params: &[AGENT],
    returns: "string?",
    doc: "Returns the name of the state in which the agent with the number `person` is. Returns nil if the crowd has no \
          states, and before the first tick of the crowd.",
    example: "local people = crowd { model = \"assets/galatea.glb\", count = 4, states = { rest = {} } }\nprint(people:state(1))",
    call: state,
};

pub(super) const SEND: Function = Function {
    name: "send",
    params: &[
        AGENT,
        needed("event", Type::Text),
        optional(
            "about",
            Type::OneOf(&[Type::Vector, Type::Number, Type::Object("SmartObject")]),
        ),
    ],
    returns: "",
    doc: "Sends an event to an agent. `person` is the number of the agent. The field `on` of the agent's state defines \
          how the agent reacts. `about` tells the agent what the event is about: a position, the number of another \
          agent, or a smart object. Without a call of yours, the crowd sends these events:\n\n\
          - `arrived`: the agent has reached its goal; `no_path`: no path leads to its goal;\n\
          - `found`: the agent is near a position of `detect`; `met`: the agent and another agent walk towards each \
          other;\n\
          - `clip_end`: a clip that the agent plays once has ended; `timeout`: the `duration` of a state without `next` \
          is over;\n\
          - `use` and `use_end`: the agent begins or ends the use of a smart object.",
    example: "local people = crowd { model = \"assets/galatea.glb\", count = 4, states = { calm = { on = { hello = \"greet\" } }, greet = { clip = \"wave\", once = true, on = { clip_end = \"calm\" } } }, start = \"calm\" }\nfunction update()\n\tif now() > 1 then people:send(1, \"hello\") end\nend",
    call: send,
};

pub(super) const SEND_NEAR: Function = Function {
    name: "send_near",
    params: &[
        POSITION,
        needed("radius", Type::Number),
        needed("event", Type::Text),
    ],
    returns: "number",
    doc: "Sends an event to all agents within `radius` metres of a position. The subject of the event is that position, \
          so agents can flee from there. Returns how many agents got the event.",
    example: "local people = crowd { model = \"assets/galatea.glb\", count = 20, states = { calm = { on = { bang = \"panic\" } }, panic = { flee_distance = 15, speed = 3.4, duration = { 5, 8 }, next = \"calm\" } }, start = \"calm\" }\nfunction update()\n\tif now() > 1 then people:send_near(vec(0, 0, 0), 8, \"bang\") end\nend",
    call: send_near,
};

pub(super) const PLAY: Function = Function {
    name: "play",
    params: &[
        AGENT,
        optional("clip", Type::Text),
        optional("mode", Type::Word(&["once", "loop"])),
    ],
    returns: "",
    doc: "Makes an agent play a clip of its model. `person` is the number of the agent, `mode` is \"once\" (the \
          default) or \"loop\". Call it without a clip to end that: then the agent stands and walks as before. The \
          first use of a clip in a crowd takes longer, because the clip is prepared for the crowd.",
    example: "local people = crowd { model = \"assets/galatea.glb\", count = 4 }\npeople:play(2, \"wave\")",
    call: play,
};

pub(super) const TURN_TO: Function = Function {
    name: "turn_to",
    params: &[AGENT, optional("place", Type::Vector)],
    returns: "",
    doc: "Makes an agent face a position whenever it stands. `person` is the number of the agent. Call it without a \
          position to end that.",
    example: "local people = crowd { model = \"assets/galatea.glb\", count = 4 }\npeople:turn_to(1, vec(0, 0, 9))",
    call: turn_to,
};

pub(super) const FOLLOW: Function = Function {
    name: "follow",
    params: &[
        AGENT,
        optional(
            "leader",
            Type::OneOf(&[Type::Number, Type::Object("Character")]),
        ),
        optional("left", Type::Number),
        optional("ahead", Type::Number),
    ],
    returns: "",
    doc: "Makes an agent follow a leader: the number of another agent, or a character. The agent keeps a position \
          relative to the leader: `left` metres to the left (default 0.75) and `ahead` metres in front (default -0.3, \
          which is behind). Call it without a leader to end that. An agent that uses a smart object leaves it, as with \
          `walk_to`.",
    example: "local people = crowd { model = \"assets/galatea.glb\", count = 3 }\npeople:follow(2, 1)\npeople:follow(3, 1, -0.75)\npeople:walk_to(1, vec(0, 0, 9))",
    call: follow,
};

pub(super) const TELEPORT: Function = Function {
    name: "teleport",
    params: &[AGENT, POSITION, optional("yaw", Type::Number)],
    returns: "",
    doc: "Moves an agent directly to a position, without walking there. `person` is the number of the agent. `yaw` is \
          its new direction in degrees: 0 is +Z, 90 is +X. An agent on a slot of a smart object leaves the object.",
    example: "local people = crowd { model = \"assets/galatea.glb\", count = 3 }\npeople:teleport(1, vec(2, 0, 0), 90)",
    call: teleport,
};

pub(super) const USE: Function = Function {
    name: "use",
    params: &[AGENT, needed("object", Type::Object("SmartObject"))],
    returns: "boolean",
    doc: "Sends an agent to use a smart object. `person` is the number of the agent. After the use, the agent continues \
          with what it did before. Returns false if the object has no room, or if the agent already uses an object or \
          waits for one.",
    example: "local bench = smart_object { position = vec(2, 0, 0), clip = \"sit\", duration = 5 }\nlocal people = crowd { model = \"assets/galatea.glb\", count = 3 }\npeople:use(1, bench)",
    call: use_it,
};

pub(super) const USED_OBJECT: Function = Function {
    name: "used_object",
    params: &[AGENT],
    returns: "SmartObject?",
    doc: "Returns the smart object that an agent uses, walks to or waits for; nil if there is none. `person` is the \
          number of the agent.",
    example: "local bench = smart_object { position = vec(2, 0, 0), clip = \"sit\", duration = 5 }\nlocal people = crowd { model = \"assets/galatea.glb\", count = 3 }\npeople:use(1, bench)\nprint(people:used_object(1) == bench)",
    call: used_object,
};

pub(super) const STOP_USING: Function = Function {
    name: "stop_using",
    params: &[AGENT],
    returns: "",
    doc: "Makes an agent stop using its smart object. `person` is the number of the agent. The agent plays the `outro` \
          of the object and then continues with what it did before.",
    example: "local bench = smart_object { position = vec(2, 0, 0), clip = \"sit\" }\nlocal people = crowd { model = \"assets/galatea.glb\", count = 3 }\npeople:use(1, bench)\npeople:stop_using(1)",
    call: stop_using,
};

pub(super) const PROMOTE: Function = Function {
    name: "promote",
    params: &[AGENT],
    returns: "Character",
    doc: "Turns an agent into a full character and returns the character. `person` is the number of the agent. \
          Position, pose and colours stay the same. A character has a face and a gaze, can speak, reacts to hits and \
          can fall. If the agent is already a character, that character is returned.\n\n\
          The crowd continues to move the character as an agent. It does not move a character that is lying down, gets \
          up, is held, or has a controller. Other agents then walk around the character.",
    example: "local people = crowd { model = \"assets/galatea.glb\", count = 6 }\nlocal own = people:promote(2)\nprint(own.position)",
    call: promote,
};

pub(super) const DEMOTE: Function = Function {
    name: "demote",
    params: &[AGENT],
    returns: "",
    doc: "Turns an agent that was made a character back into a normal agent. The agent continues at the position of the \
          character. `person` is the number of the agent.",
    example: "local people = crowd { model = \"assets/galatea.glb\", count = 6 }\npeople:promote(2)\npeople:demote(2)",
    call: demote,
};

pub(super) const CHARACTER: Function = Function {
    name: "character",
    params: &[AGENT],
    returns: "Character?",
    doc: "Returns the character of an agent that `promote` or the option `promote_distance` has made a character. \
          Returns nil for a normal agent. `person` is the number of the agent.",
    example: "local people = crowd { model = \"assets/galatea.glb\", count = 6, promote_distance = 5 }\nprint(people:character(1))",
    call: character,
};
