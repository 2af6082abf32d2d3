//! Delivery of crowd events to scripts, and handling of the answers.

use mlua::{Function, Value};

use super::api::body::take_off;
use super::api::character_ref::reference;
use super::api::check::{lua_vector, text, vector};
use super::crowd_calls::{CrowdScripts, FlockCalls};
use super::host::Host;
use galatea_math::names::nearest_hint;
use galatea_stage::{CrowdEvent, CrowdEventKind, EventSubject, Handle, Stage, USE_EVENT};

/// Maximum number of rounds per tick in which events caused by answers are delivered.
const MAX_ROUNDS: usize = 8;

/// Maximum acceleration from a script's own flock rule, metres per second squared.
const MAX_FORCE: f32 = 1e4;

/// A script function to call for a crowd event.
struct PendingCrowdCall {
    function: Function,
    args: Vec<Value>,
    event: CrowdEvent,
    /// Subject of the event; `None` if the return value of the function is ignored.
    subject: Option<EventSubject>,
}

impl Host {
    /// Calls the scripts' own flock rules and stores the forces that they return.
    pub(super) fn force_flocks(&mut self, stage: &mut Stage) {
        let flocks: Vec<(Handle, FlockCalls)> = self.with_program(|program| {
            let flocks = program.crowds.flocks.iter();
            flocks
                .map(|(handle, calls)| (*handle, calls.clone()))
                .collect()
        });
        for (handle, calls) in flocks {
            for i in stage.agents.members_to_steer(handle, stage.clock.n_ticks) {
                let boid = stage
                    .agents
                    .flocks
                    .get(handle)
                    .and_then(|flock| flock.boids.get(i));
                let Some(boid) = boid.copied() else {
                    break;
                };
                let number = i as f64 + 1.0;
                let args = (
                    calls.hold.clone(),
                    number,
                    lua_vector(boid.at),
                    lua_vector(boid.velocity),
                );
                let Some(given) = self.call_guarded::<Value>(stage, &calls.force, args) else {
                    break;
                };
                let force = vector(&given)
                    .filter(|force| force.is_finite())
                    .unwrap_or_default();
                let flock = stage.agents.flocks.get_mut(handle);
                if let Some(bird) = flock.and_then(|flock| flock.birds.get_mut(i)) {
                    bird.own = force.clamp_length_max(MAX_FORCE);
                }
            }
        }
    }

    /// Reports clips that a smart object uses and that no body of the crowd has.
    fn report_missing_clips(&mut self, stage: &mut Stage) {
        let mut told = Vec::new();
        for (_, crowd) in stage.agents.crowds.iter_mut() {
            let lacks = std::mem::take(&mut crowd.missing_clips[1]);
            told.extend(lacks.into_iter().map(|name| {
                let bodies = crowd.bodies.iter();
                let names = bodies.flat_map(|body| body.definition.clips.names());
                let hint = nearest_hint(&name, names);
                format!("smart_object: no model of the crowd has a clip {name:?}{hint}")
            }));
        }
        for text in told {
            self.report(&mlua::Error::runtime(text));
        }
    }

    /// Delivers crowd events to scripts and applies the answers.
    pub(super) fn deliver_crowd_events(&mut self, stage: &mut Stage) {
        self.report_missing_clips(stage);
        for _ in 0..MAX_ROUNDS {
            let told = std::mem::take(&mut stage.agents.crowding.events);
            if told.is_empty() {
                return;
            }
            for told in told {
                if told.kind == CrowdEventKind::Far {
                    self.demote(stage, told);
                    continue;
                }
                let Some(due) = self.due(stage, told) else {
                    continue;
                };
                let args = mlua::MultiValue::from_vec(due.args);
                let given = self.call_guarded::<Value>(stage, &due.function, args);
                let answer = given.as_ref().and_then(text);
                if let (Some(about), Some(answer)) = (due.subject, answer) {
                    self.answer_of(stage, &due.function, due.event, (&answer, about));
                }
            }
        }
    }

    /// Turns a promoted character back into a crowd agent.
    fn demote(&mut self, stage: &mut Stage, told: CrowdEvent) {
        let (characters, i) = (&mut stage.characters, told.agent as usize);
        let Some(character) = stage.agents.demote(characters, told.crowd, i) else {
            return;
        };
        let done = self.with_call_budget(stage, || take_off(self.lua(), character));
        if let Err(error) = done {
            self.report(&error);
        }
    }

    fn due(&self, stage: &Stage, told: CrowdEvent) -> Option<PendingCrowdCall> {
        let crowd = stage.agents.crowds.get(told.crowd)?;
        let state = |number: u16| {
            let state = crowd.states.get(usize::from(number));
            let name = state.map(|state| self.lua().create_string(&state.name));
            name.and_then(Result::ok).map_or(Value::Nil, Value::String)
        };
        let number = Value::Number(f64::from(told.agent) + 1.0);
        let hero = match told.kind {
            CrowdEventKind::Promoted(character) => reference(self.lua(), character).ok()?,
            _ => Value::Nil,
        };
        self.with_program(|program| {
            let all = &program.crowds;
            let own = all.crowds.get(&told.crowd);
            let calls = |number: u16| own?.states.get(usize::from(number));
            let people = own.map_or(Value::Nil, |own| Value::UserData(own.hold.clone()));
            let (function, args, asks) = match told.kind {
                CrowdEventKind::Enter { state: now, from } => {
                    let from = from.map_or(Value::Nil, state);
                    (calls(now)?.enter.clone()?, vec![people, number, from], None)
                }
                CrowdEventKind::Exit { state: was, to } => {
                    let args = vec![people, number, state(to)];
                    (calls(was)?.leave.clone()?, args, None)
                }
                CrowdEventKind::Update { state: now, dt } => {
                    let is_there = crowd.state_of(told.agent as usize);
                    let state = crowd.states.get(usize::from(now));
                    if is_there.map(|state| &state.name) != state.map(|state| &state.name) {
                        return None;
                    }
                    let args = vec![people, number, Value::Number(f64::from(dt))];
                    (calls(now)?.update.clone()?, args, None)
                }
                CrowdEventKind::Event {
                    state: now,
                    reply,
                    about,
                } => {
                    let function = calls(now)?.on.get(usize::from(reply))?.clone()?;
                    let with = subject_value(all, about);
                    (function, vec![people, number, with], Some(about))
                }
                CrowdEventKind::Use(_)
                | CrowdEventKind::UpdateUse(..)
                | CrowdEventKind::UseEnd(_) => {
                    let (function, args) = object_call(all, told.kind, [people, number])?;
                    (function, args, None)
                }
                CrowdEventKind::Far => return None,
                CrowdEventKind::Promoted(_) => {
                    let function = own?.promoted.clone()?;
                    let again = Value::Boolean(crowd.is_again(told.agent as usize));
                    (function, vec![people, number, hero, again], None)
                }
            };
            Some(PendingCrowdCall {
                function,
                args,
                event: told,
                subject: asks,
            })
        })
    }

    /// Applies the answer of a listener: enters the state that it names. Does nothing if the agent has left the state
    /// that the listener belongs to.
    fn answer_of(
        &mut self,
        stage: &mut Stage,
        function: &Function,
        told: CrowdEvent,
        (answer, about): (&str, EventSubject),
    ) {
        let Some(crowd) = stage.agents.crowds.get(told.crowd) else {
            return;
        };
        let i = told.agent as usize;
        let CrowdEventKind::Event {
            state: asked,
            reply,
            ..
        } = told.kind
        else {
            return;
        };
        let is_there = crowd.state_of(i).map(|state| state.name.as_str());
        let asked = crowd.states.get(usize::from(asked));
        if is_there != asked.map(|state| state.name.as_str()) {
            return;
        }
        let event = asked.and_then(|state| state.on.get(usize::from(reply)));
        let keeps_object = event.is_some_and(|(event, _)| event == USE_EVENT);
        match crowd.find_state(answer) {
            Some(next) => {
                let cause = (about, keeps_object);
                stage.agents.enter_state(told.crowd, i, next, cause);
            }
            None => {
                let names = crowd.states.iter().map(|state| state.name.as_str());
                let hint = nearest_hint(answer, names);
                let error = format!("this crowd has no state {answer:?}{hint}");
                self.note(&mlua::Error::runtime(error), function, None);
            }
        }
    }
}

/// The subject of an event as a Lua value.
fn subject_value(all: &CrowdScripts, about: EventSubject) -> Value {
    match about {
        EventSubject::Nothing => Value::Nil,
        EventSubject::CrowdAgent(other) => Value::Number(f64::from(other) + 1.0),
        EventSubject::Position(place) => lua_vector(place),
        EventSubject::Object(handle) => {
            let object = all.objects.get(&handle);
            object.map_or(Value::Nil, |object| Value::UserData(object.hold.clone()))
        }
    }
}

/// Function of a smart object for its use by an agent, and the arguments.
fn object_call(
    all: &CrowdScripts,
    what: CrowdEventKind,
    [people, number]: [Value; 2],
) -> Option<(Function, Vec<Value>)> {
    let (CrowdEventKind::Use(handle)
    | CrowdEventKind::UpdateUse(handle, _)
    | CrowdEventKind::UseEnd(handle)) = what
    else {
        return None;
    };
    let object = all.objects.get(&handle)?;
    let mut args = vec![Value::UserData(object.hold.clone()), people, number];
    let function = match what {
        CrowdEventKind::Use(_) => &object.enter,
        CrowdEventKind::UpdateUse(_, dt) => {
            args.push(Value::Number(f64::from(dt)));
            &object.update
        }
        _ => &object.leave,
    };
    Some((function.clone()?, args))
}
