//! The running state machine of a character, `hero.machine`.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{AnyUserData, Lua, Table, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::check::{Args, Options, Param, Type, number};
use super::group::{Function, Group, Kind, Property};
use super::values::displayed;
use crate::budget::charge;
use crate::fault::Fault;
use crate::world::{end_condition, with_world};
use galatea_character::Character;
use galatea_derive::Options;
use galatea_machine::{
    Active, Clips, Machine, Predicate, StateJump, TransitionExplanation, explain, route, taken,
};
use galatea_math::names::nearest_hint;
use galatea_stage::Handle;

/// Script handle to the running state machine of a character.
#[derive(Clone, Copy)]
pub(super) struct MachineRef(pub Handle);

impl UserData for MachineRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

/// Returns the character of a machine value, or `None` for other values.
pub(crate) fn machine_handle(data: &AnyUserData) -> Option<Handle> {
    data.borrow::<MachineRef>().ok().map(|machine| machine.0)
}

fn machine_of(args: &Args) -> mlua::Result<Handle> {
    let machine: MachineRef = args
        .object(0)
        .ok_or_else(|| mlua::Error::runtime("this machine was removed"))?;
    Ok(machine.0)
}

/// Runs `f` with a character that has a machine.
fn with_machine<R>(
    lua: &Lua,
    handle: Handle,
    f: impl FnOnce(&mut Character, &Arc<Machine>, f64) -> mlua::Result<R>,
) -> mlua::Result<R> {
    with_world(lua, |world| {
        let dt = world.stage.clock.dt;
        let gone = || {
            mlua::Error::runtime("the character of this machine was removed, or has no machine now")
        };
        let character = world.stage.characters.get_mut(handle).ok_or_else(gone)?;
        let (machine, _) = character.playback.machine.as_ref().ok_or_else(gone)?;
        let machine = machine.clone();
        f(character, &machine, dt)
    })
}

/// Index of a layer by name; the first layer without a name.
fn layer_number(machine: &Machine, name: Option<&str>) -> mlua::Result<usize> {
    let Some(name) = name else {
        return Ok(0);
    };
    machine
        .layer_names()
        .position(|layer| layer == name)
        .ok_or_else(|| {
            let hint = nearest_hint(name, machine.layer_names());
            mlua::Error::runtime(format!("no layer {name:?}{hint}"))
        })
}

/// Checks the name of a state or of a parent state; returns a message for the user.
pub(crate) fn check_state_name(
    character: &Character,
    name: &str,
    layer: Option<&str>,
) -> Result<(), String> {
    let Some((machine, _)) = &character.playback.machine else {
        return Err("the character has no machine".to_owned());
    };
    let layer = layer_number(machine, layer).map_err(|error| Fault::from_lua(&error).text)?;
    if machine.state_names(layer).any(|known| known == name) {
        return Ok(());
    }
    let hint = nearest_hint(name, machine.state_names(layer));
    Err(format!("no state {name:?}{hint}"))
}

/// Lifetime of a sent event.
#[derive(Options)]
pub(crate) struct SendOptions {
    /// Time for which the event waits for a transition; with 0 it counts only in the next tick.
    #[option(default = 0.0, unit = "seconds", clamp = 0.0..)]
    timeout: f64,
}

fn send(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = machine_of(&args)?;
    let event = args.text(1).unwrap_or_default();
    let SendOptions { timeout: within } = args.options(2)?;
    with_machine(lua, handle, |character, machine, _| {
        if !machine.events().any(|name| name == event) {
            let hint = nearest_hint(&event, machine.events());
            return Err(mlua::Error::runtime(format!(
                "no transition has on = {event:?}{hint}"
            )));
        }
        if let Some((_, state)) = &mut character.playback.machine {
            state.send(&event, within);
        }
        Ok(Value::Nil)
    })
}

/// Reads the current state of a layer: its name and the active entry.
fn current<R>(lua: &Lua, args: &Args, f: impl FnOnce(&str, &Active) -> R) -> mlua::Result<R> {
    let handle = machine_of(args)?;
    let wanted = args.text(1);
    with_machine(lua, handle, |character, machine, _| {
        let layer = layer_number(machine, wanted.as_deref())?;
        let place = character.playback.machine.as_ref();
        let active = place
            .and_then(|(_, state)| state.current(layer))
            .ok_or_else(|| mlua::Error::runtime("the layer has no current state"))?;
        Ok(f(machine.state_name(layer, active.state), active))
    })
}

fn current_state(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let name = current(lua, &args, |name, _| name.to_owned())?;
    Ok(Value::String(lua.create_string(name)?))
}

fn state_time(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let time = current(lua, &args, |_, active| active.state_age)?;
    Ok(Value::Number(time))
}

/// A layer of a machine.
#[derive(Options)]
struct TravelOptions {
    /// Name of the layer.
    #[option(default_doc = "the first one")]
    layer: Option<String>,
}

fn travel(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = machine_of(&args)?;
    let to = args.text(1).unwrap_or_default();
    let TravelOptions { layer: wanted } = args.options(2)?;
    let names = with_machine(lua, handle, |character, machine, _| {
        let layer = layer_number(machine, wanted.as_deref())?;
        let Some((_, state)) = &mut character.playback.machine else {
            return Ok(Vec::new());
        };
        let from = state.current(layer).map_or(0, |active| active.state);
        let (goal, way) = route(machine, layer, from, &to)
            .map_err(|error| mlua::Error::runtime(format!("travel: {error}")))?;
        state.layers[layer].goal = (!way.is_empty()).then_some(goal);
        let name = |state: &usize| machine.state_name(layer, *state).to_owned();
        Ok(way.iter().map(name).collect::<Vec<_>>())
    })?;
    Ok(Value::Table(lua.create_sequence_from(names)?))
}

/// Options of `jump_to`.
#[derive(Options)]
struct StateJumpOptions {
    /// Name of the layer.
    #[option(default_doc = "the first one")]
    layer: Option<String>,
    /// Duration of the cross-fade.
    #[option(default = 0.2, unit = "seconds", clamp = 0.0..)]
    fade: f64,
}

fn jump_to(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = machine_of(&args)?;
    let to = args.text(1).unwrap_or_default();
    let StateJumpOptions { layer, fade } = args.options(2)?;
    with_machine(lua, handle, |character, machine, _| {
        let layer = layer_number(machine, layer.as_deref())?;
        let entered = machine.entered_by_name(layer, &to).ok_or_else(|| {
            let hint = nearest_hint(&to, machine.state_names(layer));
            mlua::Error::runtime(format!("jump_to: no state {to:?}{hint}"))
        })?;
        if let Some((_, state)) = &mut character.playback.machine {
            state.layers[layer].jump = Some(StateJump {
                state: entered,
                fade: fade as f32,
            });
        }
        Ok(Value::Nil)
    })
}

fn transition_history(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = machine_of(&args)?;
    let wanted = args.text(1);
    let list = with_machine(lua, handle, |character, machine, _| {
        let layer = layer_number(machine, wanted.as_deref())?;
        let state = character.playback.machine.as_ref().map(|(_, state)| state);
        Ok(state.map_or(Vec::new(), |state| taken(machine, layer, state)))
    })?;
    why_tables(lua, &list)
}

fn why(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = machine_of(&args)?;
    let to = args.text(1);
    let TravelOptions { layer: wanted } = args.options(2)?;
    let size = with_machine(lua, handle, |_, machine, _| {
        Ok(machine.size() + machine.predicates().len())
    })?;
    charge(lua, 32 * size as u64)?;
    let layer = with_machine(lua, handle, |_, machine, _| {
        let layer = layer_number(machine, wanted.as_deref())?;
        match &to {
            Some(to) if !machine.state_names(layer).any(|name| name == to) => {
                let hint = nearest_hint(to, machine.state_names(layer));
                Err(mlua::Error::runtime(format!("why: no state {to:?}{hint}")))
            }
            _ => Ok(layer),
        }
    })?;
    let mut list = explanations(lua, handle)?
        .into_iter()
        .nth(layer)
        .unwrap_or_default();
    if let Some(to) = &to {
        list.retain(|why| why.to == *to || why.to.starts_with(&format!("{to}/")));
    }
    why_tables(lua, &list)
}

/// Explains the transitions out of the current state of each layer.
pub(crate) fn explanations(
    lua: &Lua,
    handle: Handle,
) -> mlua::Result<Vec<Vec<TransitionExplanation>>> {
    // Script conditions run first, outside the world borrow, because they must not access the world.
    let asked = trace_predicates(lua, handle)?;
    let params = with_world(lua, |world| {
        Ok(world.program.machines.params.get(&handle).cloned())
    })?;
    with_machine(lua, handle, |character, machine, dt| {
        let Some((_, state)) = &character.playback.machine else {
            return Ok(Vec::new());
        };
        // The next step reads the values that the script has set since the last one.
        let mut state = state.clone();
        for (param, value) in params
            .iter()
            .flat_map(|p| &p.declared)
            .zip(&mut state.params)
        {
            if let Some(Ok(set)) = params.as_ref().map(|params| params.read(param)) {
                *value = set;
            }
        }
        let clips = Clips {
            set: &character.definition.clips,
            markers: &character.playback.markers,
        };
        let mut trace = |predicate: Predicate| {
            let found = asked.iter().find(|(asked, _)| *asked == predicate);
            found.map_or((false, String::new()), |(_, traced)| traced.clone())
        };
        let layers = 0..machine.layer_names().count();
        let explained = layers.map(|i| explain(machine, i, clips, &state, dt, &mut trace));
        Ok(explained.collect())
    })
}

type Traced = (Predicate, (bool, String));

/// Evaluates every function among the machine's conditions and records which parameters each one reads.
fn trace_predicates(lua: &Lua, handle: Handle) -> mlua::Result<Vec<Traced>> {
    let (functions, params) = with_world(lua, |world| {
        let machine = world.stage.characters.get(handle);
        let machine = machine.and_then(|c| c.playback.machine.as_ref());
        let predicates = machine.map_or(Vec::new(), |(machine, _)| machine.predicates());
        let functions: Vec<(Predicate, mlua::Function)> = predicates
            .into_iter()
            .filter_map(|p| {
                Some((
                    p,
                    world
                        .program
                        .machines
                        .predicates
                        .get(p.0 as usize)?
                        .0
                        .clone(),
                ))
            })
            .collect();
        let params = world.program.machines.params.get(&handle);
        Ok((functions, params.map(|params| params.table.clone())))
    })?;
    let Some(params) = params else {
        return Ok(Vec::new());
    };
    let mut traced = Vec::new();
    for (predicate, function) in functions {
        let read = Rc::new(RefCell::new(Vec::<String>::new()));
        let (seen, values) = (read.clone(), params.clone());
        let meta = lua.create_table()?;
        meta.raw_set(
            "__index",
            lua.create_function(move |_, (_, key): (Table, Value)| {
                let value: Value = values.get(key.clone())?;
                let rounded = number(&value).map(|n| Value::Number((n * 1e4).round() / 1e4));
                let shown = displayed(rounded.as_ref().unwrap_or(&value))?;
                let text = format!("{} = {shown}", displayed(&key)?);
                let mut seen = seen.borrow_mut();
                if !seen.contains(&text) {
                    seen.push(text);
                }
                Ok(value)
            })?,
        )?;
        let proxy = lua.create_table()?;
        proxy.set_metatable(Some(meta))?;
        with_world(lua, |world| {
            world.begin_condition(&proxy);
            Ok(())
        })?;
        let answer = function.call::<Value>(&proxy);
        end_condition(lua, &proxy);
        let holds = match answer {
            Ok(value) => !matches!(value, Value::Nil | Value::Boolean(false)),
            Err(error) => {
                let text = Fault::from_lua(&error).text;
                read.borrow_mut().push(format!("error: {text}"));
                false
            }
        };
        let text = read.borrow().join(", ");
        traced.push((predicate, (holds, text)));
    }
    Ok(traced)
}

fn why_tables(lua: &Lua, list: &[TransitionExplanation]) -> mlua::Result<Value> {
    let out = lua.create_table()?;
    for why in list {
        let table = lua.create_table()?;
        table.raw_set("from", why.from.as_str())?;
        table.raw_set("to", why.to.as_str())?;
        table.raw_set("allowed", why.open)?;
        table.raw_set("reason", why.reason.as_str())?;
        let location = (why.at.line > 0).then(|| why.at.to_string());
        table.raw_set("location", location.unwrap_or_default())?;
        table.raw_set("ago", why.ago)?;
        out.raw_push(table)?;
    }
    Ok(Value::Table(out))
}

fn get_params(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let handle = machine_of(&args)?;
    with_world(lua, |world| {
        let params = world.program.machines.params.get(&handle);
        Ok(params.map_or(Value::Nil, |params| Value::Table(params.table.clone())))
    })
}

const LAYER_NAME: Param = Param {
    name: "layer",
    ty: Type::Text,
    optional: true,
};

/// Methods of a running machine.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Machine",
    doc: "The running state machine of a character, `hero.machine`.",
    functions: &[
        Function {
            name: "send",
            params: &[
                Param {
                    name: "event",
                    ty: Type::Text,
                    optional: false,
                },
                Param::options(SendOptions::SHAPE),
            ],
            returns: "",
            doc: "Sends an event to the machine. In the next tick, transitions with this event as `on` can happen; then \
                  the event is lost. With `timeout`, the event waits up to that many seconds for a transition that can \
                  happen. Use this for a key that the player presses a moment too early.",
            example: "hero.machine:send(\"jump\", { timeout = 0.2 })",
            call: send,
        },
        Function {
            name: "state",
            params: &[LAYER_NAME],
            returns: "string",
            doc: "Returns the name of the current state of a layer. `layer` is the name of the layer, by default the \
                  first one. The name of an inner state is `outer/inner`.",
            example: "print(hero.machine:state())",
            call: current_state,
        },
        Function {
            name: "time_in_state",
            params: &[LAYER_NAME],
            returns: "number",
            doc: "Returns the time since the current state of a layer was entered, in seconds. `layer` is the name of \
                  the layer, by default the first one.",
            example: "print(hero.machine:time_in_state(\"body\"))",
            call: state_time,
        },
        Function {
            name: "travel",
            params: &[
                Param {
                    name: "state",
                    ty: Type::Text,
                    optional: false,
                },
                Param::options(TravelOptions::SHAPE),
            ],
            returns: "{ string }",
            doc: "Leads the machine to a state by the path with the fewest transitions, and returns the names of the \
                  states on this path. On the way, the conditions `when` and `on` are ignored; `at_end`, `min_time`, \
                  `exit_time` and `marker` still apply. The travel is cancelled by a transition whose event is sent, or \
                  by one with a higher priority.",
            example: "hero.machine:travel(\"idle\")",
            call: travel,
        },
        Function {
            name: "jump_to",
            params: &[
                Param {
                    name: "state",
                    ty: Type::Text,
                    optional: false,
                },
                Param::options(StateJumpOptions::SHAPE),
            ],
            returns: "",
            doc: "Enters a state in the next tick, without a transition and whatever the conditions are. A travel is \
                  cancelled. From then on, transitions happen as usual, also in the following tick. Use this for \
                  cutscenes and to try a state; in a game, transitions are easier to follow.",
            example: "hero.machine:jump_to(\"idle\", { fade = 0.4 })",
            call: jump_to,
        },
        Function {
            name: "why",
            params: &[
                Param {
                    name: "state",
                    ty: Type::Text,
                    optional: true,
                },
                Param::options(TravelOptions::SHAPE),
            ],
            returns: "{ { from: string, to: string, allowed: boolean, reason: string, location: string, ago: number } }",
            doc: "Explains, for each transition out of the current state, why it happens or not. With `state`, only the \
                  transitions to this state are listed. In each entry, `allowed` is true if the transition can happen \
                  now. `reason` is a text with the values that decided, and `location` is the line of the transition in \
                  the script.",
            example: "for _, way in hero.machine:why() do print(way.to, way.allowed, way.reason, way.location) end",
            call: why,
        },
        Function {
            name: "transition_history",
            params: &[LAYER_NAME],
            returns: "{ { from: string, to: string, allowed: boolean, reason: string, location: string, ago: number } }",
            doc: "Returns the transitions that happened recently, the oldest first. In each entry, `reason` is a text \
                  that says why it happened, with the values that decided. `ago` is the time since then, in seconds. \
                  `location` is empty after `jump_to`. \
                  `layer` is the name of the layer, by default the first one.",
            example: "for _, way in hero.machine:transition_history() do print(way.from, way.to, way.reason) end",
            call: transition_history,
        },
    ],
    properties: &[Property {
        name: "params",
        ty: "{ [string]: number | boolean }",
        doc: "Parameters of the machine, by name. Set one with `hero.machine.params.speed = 2`. An unknown name is an \
              error; a value of the wrong type is ignored. After a hot reload, a parameter keeps its current value, \
              unless you have changed its default in the script. Then it gets the new default.",
        get: get_params,
        set: None,
    }],
};
