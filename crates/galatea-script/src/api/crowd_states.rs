//! `states` of `crowd { … }`: what agents do, shared by all of them.

use std::sync::Arc;

use glam::Vec3;
use mlua::{Function, Value};

use super::check::{ByName, NumberRange, OneOrMany, OptionValue, Type, describe, text};
use super::scent_field::ScentFieldRef;
use crate::crowd_calls::StateCalls;
use galatea_derive::Options;
use galatea_math::names::nearest_hint;
use galatea_stage::{ClipFault, CrowdState, Gaits, MAX_CLIPS, MAX_STATES, Reply, StageCrowd};

/// Maximum number of positions in `goal` or `detect`.
const MAX_POSITIONS: usize = 256;

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Answer of a state to an event: another state, or a function that may return one.
enum Response {
    State(String),
    Call(Function),
}

impl OptionValue for Response {
    const TYPE: Type = Type::OneOf(&[
        Type::Text,
        Type::Function(
            "(crowd: Crowd, agent: number, about: (vector | number | SmartObject)?) -> string?",
        ),
    ]);

    fn from_value(value: Value) -> Result<Self, String> {
        match (text(&value), value) {
            (Some(state), _) => Ok(Self::State(state)),
            (None, Value::Function(function)) => Ok(Self::Call(function)),
            (None, other) => Err(format!(
                "expected a state or a function, got {}",
                describe(&other)
            )),
        }
    }
}

/// A state of the agents of a crowd.
#[derive(Options)]
pub(super) struct CrowdStateOptions {
    /// Clip that agents play, or a list of clips, which they play one after another in random order. Each agent uses
    /// those clips that its model has.
    #[option(default = OneOrMany::default())]
    clip: OneOrMany<String>,
    /// Clip that is played once before `clip`. From a list, each agent uses the first clip that its model has.
    #[option(default = OneOrMany::default())]
    intro: OneOrMany<String>,
    /// True plays `clip` once and then sends the event `clip_end`; false repeats it.
    #[option(default = false)]
    once: bool,
    /// True makes agents stay where they are while they are in this state.
    #[option(default_doc = "true if the state has a clip")]
    stationary: Option<bool>,
    /// Walking speed: one number, or { low, high } for a random one.
    #[option(
        default_doc = "the agent's own",
        unit = "metres per second",
        range = 0.0..=20.0
    )]
    speed: Option<NumberRange>,
    /// Time after which the state ends: one number, or { low, high } for a random one.
    #[option(default_doc = "no end", unit = "seconds", range = 0.0..=1e6)]
    duration: Option<NumberRange>,
    /// State that follows when `duration` is over, or a list of states, from which one is chosen at random. Without it,
    /// agents get the event `timeout` instead.
    #[option(default = OneOrMany::default())]
    next: OneOrMany<String>,
    /// Position to which agents walk. From a list, each agent takes the nearest position.
    #[option(unit = "metres")]
    goal: Option<OneOrMany<Vec3>>,
    /// Makes agents flee to this distance from the position of the event that led to this state.
    #[option(unit = "metres", range = 0.1..=1000.0)]
    flee_distance: Option<f32>,
    /// Makes agents without a goal wander, with random turns up to this speed. With 0 they walk straight until
    /// something blocks them.
    #[option(unit = "degrees per second", range = 0.0..=720.0)]
    wander_turn_rate: Option<f32>,
    /// Scent field (see `scent_field`) that agents follow: they wander and turn towards the stronger scent.
    follow_scent: Option<ScentFieldRef>,
    /// Scent field (see `scent_field`) in which agents leave scent where they walk.
    leave_scent: Option<ScentFieldRef>,
    /// Amount of scent that an agent leaves in the field `leave_scent`.
    #[option(default_doc = "1", unit = "per metre", range = 0.0..=1e6)]
    scent_amount: Option<f32>,
    /// Position, or a list of positions. An agent within `range` of one gets the event `found` with that position.
    #[option(unit = "metres")]
    detect: Option<OneOrMany<Vec3>>,
    /// Event that an agent in this state sends to other agents within `range`. Its subject is the position of the
    /// event that led to the state.
    spread_event: Option<String>,
    /// Time after the state in which an agent ignores `spread_event` from other agents. It never ignores events that
    /// the script sends.
    #[option(
        default_doc = "twice the longest time in `duration`, or 20",
        unit = "seconds",
        range = 0.0..=1e6
    )]
    immune_time: Option<f32>,
    /// Distance within which `spread_event` and `detect` work.
    #[option(default = 2.0, unit = "metres", range = 0.1..=50.0)]
    range: f32,
    /// True allows smart objects to attract agents in this state. An agent that enters the state leaves its object or
    /// queue, unless you set `use_objects = true` yourself.
    #[option(default_doc = "true, except with `flee_distance`")]
    use_objects: Option<bool>,
    /// Reactions to events, by the name of the event. Each is the name of the next state, or a function that may return
    /// it.
    #[option(default = ByName::default())]
    on: ByName<Response>,
    /// Called when an agent enters the state.
    #[option(ty = Type::Function("(crowd: Crowd, agent: number, from: string?) -> ()"))]
    on_enter: Option<Function>,
    /// Called for each agent every `update_interval` seconds. `dt` is the time since the last call, in seconds.
    #[option(ty = Type::Function("(crowd: Crowd, agent: number, dt: number) -> ()"))]
    on_update: Option<Function>,
    /// Time between two calls of `on_update`.
    #[option(default = 0.25, unit = "seconds", range = 0.001..=1000.0)]
    update_interval: f32,
    /// Called when an agent leaves the state.
    #[option(ty = Type::Function("(crowd: Crowd, agent: number, to: string) -> ()"))]
    on_exit: Option<Function>,
}

/// Sets the states of a crowd and returns the script functions to call, state by state.
pub(super) fn states(
    all: Option<ByName<CrowdStateOptions>>,
    start: Option<&str>,
    crowd: &mut StageCrowd,
) -> mlua::Result<Vec<StateCalls>> {
    let Some(ByName(all)) = all else {
        if start.is_some() {
            return Err(wrong("start: needs the option states"));
        }
        return Ok(Vec::new());
    };
    if all.is_empty() || all.len() > MAX_STATES {
        return Err(wrong(format!("states: expected 1 to {MAX_STATES} states")));
    }
    if crowd.uses_push {
        return Err(wrong(
            "states: agents with avoidance = \"push\" cannot have states; remove one of the two options",
        ));
    }
    let names: Vec<String> = all.iter().map(|(name, _)| name.clone()).collect();
    let (mut made, mut calls) = (Vec::new(), Vec::new());
    for (name, options) in all {
        let told = |error: mlua::Error| {
            let text = error.to_string();
            let text = text
                .strip_prefix("runtime error: ")
                .unwrap_or(&text)
                .to_owned();
            wrong(format!("states.{name}.{text}"))
        };
        let (state, call) = state(&name, options, &names, crowd).map_err(told)?;
        made.push(state);
        calls.push(call);
    }
    crowd.start = match start {
        Some(name) => number_of(&names, name, "start")?,
        None if names.len() == 1 => 0,
        None => {
            return Err(wrong(format!(
                "start: expected the name of the first state, one of {}",
                names.join(", ")
            )));
        }
    };
    crowd.states = Arc::from(made);
    Ok(calls)
}

fn number_of(names: &[String], name: &str, what: &str) -> mlua::Result<u16> {
    match names.iter().position(|known| known == name) {
        Some(at) => Ok(at as u16),
        None => {
            let hint = nearest_hint(name, names.iter().map(String::as_str));
            Err(wrong(format!("{what}: there is no state {name:?}{hint}")))
        }
    }
}

fn positions(given: Option<OneOrMany<Vec3>>, name: &str) -> mlua::Result<Vec<Vec3>> {
    match given {
        Some(OneOrMany(found)) if found.is_empty() || found.len() > MAX_POSITIONS => Err(wrong(
            format!("{name}: expected 1 to {MAX_POSITIONS} positions"),
        )),
        found => Ok(found.unwrap_or_default().0),
    }
}

/// Numbers of the named clips; with `first`, only one clip for each body, the first that the body has.
fn clips(
    crowd: &mut StageCrowd,
    names: &[String],
    first: bool,
    what: &str,
) -> mlua::Result<Vec<u16>> {
    let numbers = crowd.clip_numbers(names, first);
    numbers.map_err(|fault| match fault {
        ClipFault::Unknown(name) => no_clip(crowd, &name, what),
        ClipFault::MissingClip(body) => wrong(format!(
            "{what}: the model {body} has none of the clips {}; add the name of a clip that it has",
            names.join(", ")
        )),
        ClipFault::TooMany => too_many(what),
    })
}

/// Number of a clip, for agent `i`; the agent's body must have the clip.
pub(super) fn clip_of(crowd: &mut StageCrowd, i: usize, name: &str) -> mlua::Result<u16> {
    let body = crowd.agents.get(i).map(|person| usize::from(person.body));
    let body = body.and_then(|body| crowd.bodies.get(body)).cloned();
    let has_it = |body: &Gaits| body.definition.clips.find(name).is_some();
    if !crowd.bodies.iter().any(|body| has_it(body)) {
        return Err(no_clip(crowd, name, "clip"));
    }
    if let Some(body) = body.filter(|body| !has_it(body)) {
        let hint = nearest_hint(name, body.definition.clips.names());
        return Err(wrong(format!(
            "clip: {}, the model of agent {}, has no clip {name:?}{hint}",
            body.source,
            i + 1
        )));
    }
    crowd.clip_number(name).ok_or_else(|| too_many("clip"))
}

fn no_clip(crowd: &StageCrowd, name: &str, what: &str) -> mlua::Error {
    let all = crowd.bodies.iter().flat_map(|body| {
        let clips = &body.definition.clips;
        clips.names()
    });
    let hint = nearest_hint(name, all);
    wrong(format!("{what}: no model has a clip {name:?}{hint}"))
}

fn too_many(what: &str) -> mlua::Error {
    wrong(format!(
        "{what}: a crowd can play at most {MAX_CLIPS} different clips"
    ))
}

fn state(
    name: &str,
    options: CrowdStateOptions,
    names: &[String],
    crowd: &mut StageCrowd,
) -> mlua::Result<(CrowdState, StateCalls)> {
    let mut state = CrowdState {
        name: name.to_owned(),
        ..CrowdState::default()
    };
    state.clips.clips = clips(crowd, &options.clip.0, false, "clip")?;
    let intro = clips(crowd, &options.intro.0, true, "intro")?;
    state.clips.intro = intro.first().copied();
    state.clips.once = options.once;
    state.stationary = options.stationary.unwrap_or(!state.clips.is_empty());
    state.speed = options.speed.map(|NumberRange(pace)| pace);
    state.duration = options.duration.map(|NumberRange(seconds)| seconds);
    for name in options.next.0 {
        state.next.push(number_of(names, &name, "next")?);
    }
    state.goal = positions(options.goal, "goal")?;
    state.flee_distance = options.flee_distance;
    let reach = options.range;
    state.spread_event = options.spread_event.map(|event| (event, reach));
    state.immune_time = options.immune_time;
    if options.immune_time.is_some() && state.spread_event.is_none() {
        return Err(wrong("immune_time: needs the option spread_event"));
    }
    state.wander_turn_rate = options.wander_turn_rate;
    let trail = |ScentFieldRef(handle)| handle;
    state.follow_scent = options.follow_scent.map(trail);
    let amount = options.scent_amount;
    state.leave_scent = options
        .leave_scent
        .map(|lays| (trail(lays), amount.unwrap_or(1.0)));
    if amount.is_some() && state.leave_scent.is_none() {
        return Err(wrong("scent_amount: needs the option leave_scent"));
    }
    let finds = positions(options.detect, "detect")?;
    state.detect = (!finds.is_empty()).then_some((finds, reach));
    state.use_objects = options
        .use_objects
        .unwrap_or(options.flee_distance.is_none());
    state.keep_object = options.use_objects == Some(true);
    let mut calls = StateCalls {
        enter: options.on_enter,
        update: options.on_update,
        leave: options.on_exit,
        on: Vec::new(),
    };
    state.reports = [calls.enter.is_some(), calls.leave.is_some()];
    state.update_interval = calls.update.as_ref().map(|_| options.update_interval);
    for (event, response) in options.on.0 {
        let (reply, call) = match response {
            Response::Call(function) => (Reply::Call, Some(function)),
            Response::State(name) => {
                let number = number_of(names, &name, &format!("on.{event}"))?;
                (Reply::State(number), None)
            }
        };
        state.on.push((event, reply));
        calls.on.push(call);
    }
    Ok((state, calls))
}
