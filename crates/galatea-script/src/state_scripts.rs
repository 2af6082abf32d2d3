//! What scripts do while a machine is in a state: `enter`, `update`, `leave`, listeners, and an act.
//!
//! A state is entered and left for scripts when its events are told, in their order; the states that a
//! machine begins in, and those of a version of the script that has just taken over, before the machine
//! moves. Invariant: whatever was entered is left once, unless a save ends it whose new version goes on
//! with the same state.

use mlua::{Function, Lua, Table, Value};

use super::acts::ActId;
use super::api;
use super::host::Host;
use super::program::Program;
use super::scheduler::{INTERRUPTED, begin_act, finish};
use super::world::with_world;
use galatea_character::Character;
use galatea_machine::{Behaviour, Machine, Problem, SourceLocation};
use galatea_stage::{Event, EventKind, Handle, Stage};

/// What a script gave a state to do.
#[derive(Clone, Default)]
pub(super) struct StateScript {
    pub enter: Option<Function>,
    pub update: Option<Function>,
    pub leave: Option<Function>,
    /// Listeners while the machine is there, by event.
    pub on: Vec<(String, Function)>,
    /// Begins with the state and ends with it.
    pub act: Option<Function>,
    /// Where it was written.
    pub at: SourceLocation,
}

/// The states of one character's machine that are entered, as far as a script does something in them.
#[derive(Default)]
pub(super) struct Scripted {
    /// Outer before inner.
    entered: Vec<Entered>,
    /// The machine is there, but nobody has entered its states yet: what is told of states was said of
    /// the machine before.
    is_fresh: bool,
}

#[derive(Clone, Copy)]
struct Entered {
    layer: usize,
    state: usize,
    script: Behaviour,
    act: Option<ActId>,
}

/// A state that a machine was in for the scripts of a version before.
pub(super) struct WasEntered {
    character: Handle,
    layer: String,
    state: String,
    script: Behaviour,
}

/// A change of state that an event tells of.
pub(super) struct Change {
    character: Handle,
    layer: usize,
    state: usize,
    /// Entered, or left.
    enters: bool,
}

impl Program {
    /// A character was given a machine; what scripts did in the states of the one before is over.
    pub(super) fn machine_given(&mut self, character: Handle, machine: &Machine) {
        if machine.behaviours().next().is_none() {
            self.scripted.remove(&character);
            return;
        }
        let scripted = Scripted {
            is_fresh: true,
            ..Scripted::default()
        };
        self.scripted.insert(character, scripted);
        self.has_fresh = true;
        self.states_changed = true;
    }

    fn script_of(&self, script: Behaviour) -> Option<&StateScript> {
        self.state_scripts.get(script.0 as usize)
    }

    /// True when a state of a character's machine listens to this event.
    pub(super) fn hears_in_states(&self, machine: Option<&Machine>, event: &str) -> bool {
        let mut scripts = machine.into_iter().flat_map(Machine::behaviours);
        scripts.any(|script| {
            let script = self.script_of(script);
            script.is_some_and(|script| script.listeners(event).next().is_some())
        })
    }

    /// True when scripts have entered the states in which a character's machine began.
    fn is_settled(&self, character: Handle) -> bool {
        let scripted = self.scripted.get(&character);
        scripted.is_some_and(|scripted| !scripted.is_fresh)
    }

    /// What is wrong with the events that states of a character's machine listen to.
    pub(super) fn wrong_listeners(&self, machine: &Machine, character: &Character) -> Vec<Problem> {
        let scripts = machine
            .behaviours()
            .filter_map(|script| self.script_of(script));
        let listeners = scripts.flat_map(|script| script.on.iter().map(move |on| (script, on)));
        let problems = listeners.filter_map(|(script, (event, _))| {
            let wrong = api::check_event_name(character, event).err()?;
            Some(Problem {
                at: script.at.clone(),
                text: format!("on: {wrong} (add marks before listening to them)"),
            })
        });
        problems.collect()
    }

    fn is_entered(&self, character: Handle, layer: usize, state: usize) -> bool {
        let scripted = self.scripted.get(&character);
        scripted.is_some_and(|scripted| scripted.find(layer, state).is_some())
    }
}

impl StateScript {
    fn listeners<'a>(&'a self, event: &'a str) -> impl Iterator<Item = &'a Function> {
        let heard = self
            .on
            .iter()
            .filter(move |(name, _)| name == event || name == "*");
        heard.map(|(_, function)| function)
    }
}

impl Scripted {
    fn find(&self, layer: usize, state: usize) -> Option<usize> {
        let mut entered = self.entered.iter();
        entered.position(|e| e.layer == layer && e.state == state)
    }
}

/// Ends what scripts do in the states of a character's machine, since it is given another or goes itself:
/// the innermost first.
///
/// # Errors
/// When the runtime cannot be reached from here. Faults of the script are told by the host.
pub(super) fn leave_states(lua: &Lua, character: Handle) -> mlua::Result<()> {
    let entered = with_world(lua, |world| {
        world.program.states_changed = true;
        Ok(world.program.scripted.remove(&character))
    })?;
    let mut entered = entered.map_or(Vec::new(), |scripted| scripted.entered);
    while let Some(one) = entered.pop() {
        if let Some(act) = one.act {
            finish(lua, act, INTERRUPTED, Value::Nil)?;
        }
        let leave = with_world(lua, |world| {
            let script = world.program.script_of(one.script);
            Ok(script.and_then(|script| script.leave.clone()))
        })?;
        let Some(leave) = leave else { continue };
        let me = api::reference(lua, character)?;
        if let Err(error) = leave.call::<()>((me, Value::Nil)) {
            with_world(lua, |world| {
                world.program.act_faults.push((error, leave));
                Ok(())
            })?;
        }
    }
    Ok(())
}

/// The change of state that an event tells of, if scripts do something in that state.
pub(super) fn change_of(host: &Host, stage: &Stage, event: &Event) -> Option<Change> {
    let (layer, state, enters) = match event.kind {
        EventKind::Enter { layer, state, .. } => (layer, state, true),
        EventKind::Exit { layer, state, .. } => (layer, state, false),
        _ => return None,
    };
    let is_settled = host.with_world(|world| world.program.is_settled(event.character));
    if !is_settled || event.is_of_replaced() {
        return None;
    }
    let character = stage.characters.get(event.character)?;
    let (machine, _) = character.playback.machine.as_ref()?;
    machine.behaviour(layer, state)?;
    Some(Change {
        character: event.character,
        layer,
        state,
        enters,
    })
}

impl Host {
    /// Enters or leaves a state for scripts; `other` is the name of the state it came from or goes to.
    pub(super) fn change_state(&mut self, stage: &mut Stage, change: &Change, other: Option<&str>) {
        let Change {
            character,
            layer,
            state,
            enters,
        } = *change;
        let is_settled = self.with_world(|world| world.program.is_settled(character));
        match (is_settled, enters) {
            (false, _) => {}
            (true, true) => self.enter_state(stage, character, (layer, state), other),
            (true, false) => self.leave_state(stage, character, (layer, state), other),
        }
    }

    fn enter_state(
        &mut self,
        stage: &mut Stage,
        character: Handle,
        (layer, state): (usize, usize),
        from: Option<&str>,
    ) {
        let machine = stage.characters.get(character);
        let machine = machine.and_then(|character| character.playback.machine.as_ref());
        let script = machine.and_then(|(machine, _)| machine.behaviour(layer, state));
        let found = self.with_world(|world| {
            let script = script?;
            let given = world.program.script_of(script)?.clone();
            let scripted = world.program.scripted.get_mut(&character)?;
            if scripted.find(layer, state).is_some() {
                return None;
            }
            scripted.entered.push(Entered {
                layer,
                state,
                script,
                act: None,
            });
            world.program.states_changed = true;
            Some(given)
        });
        let Some(script) = found else { return };
        if let Some(enter) = &script.enter {
            self.tell_state(stage, character, enter, from);
        }
        if let Some(run) = &script.act {
            self.begin_state_act(stage, character, (layer, state), run);
        }
    }

    /// Begins a state's act, unless the state was left by what it did on being entered.
    fn begin_state_act(
        &mut self,
        stage: &mut Stage,
        character: Handle,
        (layer, state): (usize, usize),
        run: &Function,
    ) {
        if !self.with_world(|world| world.program.is_entered(character, layer, state)) {
            return;
        }
        let lua = self.lua().clone();
        let begun =
            self.with_call_budget(stage, || begin_act(&lua, run, Some(character), None, None));
        match begun {
            Err(error) => self.note(&error, run, None),
            Ok((id, _)) => self.with_world(|world| {
                let scripted = world.program.scripted.get_mut(&character);
                let entered = scripted.and_then(|scripted| {
                    let at = scripted.find(layer, state)?;
                    scripted.entered.get_mut(at)
                });
                if let Some(entered) = entered {
                    entered.act = Some(id);
                }
            }),
        }
    }

    fn leave_state(
        &mut self,
        stage: &mut Stage,
        character: Handle,
        (layer, state): (usize, usize),
        to: Option<&str>,
    ) {
        let left = self.with_world(|world| {
            let scripted = world.program.scripted.get_mut(&character)?;
            let at = scripted.find(layer, state)?;
            let left = scripted.entered.remove(at);
            world.program.states_changed = true;
            let script = world.program.script_of(left.script);
            Some((left.act, script.and_then(|script| script.leave.clone())))
        });
        let Some((act, leave)) = left else { return };
        if let Some(act) = act {
            self.finish_act(stage, act, INTERRUPTED, Value::Nil);
        }
        if let Some(leave) = leave {
            self.tell_state(stage, character, &leave, to);
        }
    }

    /// Calls `enter` or `leave`.
    fn tell_state(
        &mut self,
        stage: &mut Stage,
        character: Handle,
        function: &Function,
        other: Option<&str>,
    ) {
        if let Ok(me) = api::reference(self.lua(), character) {
            self.call_guarded::<()>(stage, function, (me, other));
        }
    }

    /// Enters the states in which machines are that scripts have not seen yet.
    fn enter_first_states(&mut self, stage: &mut Stage) {
        let fresh: Vec<Handle> = self.with_world(|world| {
            let program = &mut world.program;
            if !std::mem::take(&mut program.has_fresh) {
                return Vec::new();
            }
            let scripted = program.scripted.iter_mut();
            let fresh = scripted.filter(|(_, scripted)| scripted.is_fresh);
            let settled = fresh.map(|(handle, scripted)| {
                scripted.is_fresh = false;
                *handle
            });
            settled.collect()
        });
        for handle in fresh {
            for (layer, state) in current_states(stage, handle) {
                self.enter_state(stage, handle, (layer, state), None);
            }
        }
    }

    /// Enters the states that machines begin in and calls `update` of all that are entered.
    pub(super) fn update_states(&mut self, stage: &mut Stage, dt: f64) {
        self.enter_first_states(stage);
        let mut calls = self.with_world(|world| std::mem::take(&mut world.program.state_updates));
        if self.with_world(|world| std::mem::take(&mut world.program.states_changed)) {
            calls.clear();
            self.list_updates(&mut calls);
        }
        self.call_all(
            stage,
            &calls,
            |program, call| {
                // One that ran before may have ended it.
                let (layer, state) = call.place;
                !program.states_changed || program.is_entered(call.character, layer, state)
            },
            dt,
        );
        self.with_world(|world| world.program.state_updates = calls);
    }

    /// The calls of `update` that each tick makes.
    fn list_updates(&self, calls: &mut Vec<Update>) {
        let handles: Vec<Handle> =
            self.with_world(|world| world.program.scripted.keys().copied().collect());
        for handle in handles {
            let Ok(me) = api::reference(self.lua(), handle) else {
                continue;
            };
            self.with_world(|world| {
                let program = &world.program;
                let params = program.params.get(&handle).map(|params| &params.table);
                let scripted = program.scripted.get(&handle);
                for entered in scripted.into_iter().flat_map(|scripted| &scripted.entered) {
                    let script = program.script_of(entered.script);
                    if let Some(update) = script.and_then(|script| script.update.as_ref()) {
                        calls.push(Update {
                            character: handle,
                            place: (entered.layer, entered.state),
                            function: update.clone(),
                            me: me.clone(),
                            params: params.cloned(),
                        });
                    }
                }
            });
        }
    }

    /// Calls them all with the stage in their reach.
    fn call_all(
        &mut self,
        stage: &mut Stage,
        calls: &[Update],
        is_due: impl Fn(&Program, &Update) -> bool,
        dt: f64,
    ) {
        for call in calls {
            if self.with_world(|world| is_due(&world.program, call)) {
                let args = (&call.me, dt, call.params.as_ref());
                self.call_guarded::<()>(stage, &call.function, args);
            }
        }
    }

    /// Calls what the states that a character's machine is in have for an event.
    pub(super) fn tell_states(
        &mut self,
        stage: &mut Stage,
        character: Handle,
        name: &str,
        event: &Table,
    ) {
        let listeners: Vec<((usize, usize), Function)> = self.with_world(|world| {
            let scripted = world.program.scripted.get(&character);
            let entered = scripted.into_iter().flat_map(|scripted| &scripted.entered);
            let listeners = entered.filter_map(|entered| {
                let script = world.program.script_of(entered.script)?;
                let place = (entered.layer, entered.state);
                Some(
                    script
                        .listeners(name)
                        .map(move |function| (place, function.clone())),
                )
            });
            listeners.flatten().collect()
        });
        for ((layer, state), function) in listeners {
            if self.with_world(|world| world.program.is_entered(character, layer, state))
                && let Ok(me) = api::reference(self.lua(), character)
            {
                self.call_guarded::<()>(stage, &function, (me, event.clone()));
            }
        }
    }

    /// The states that are entered, before another version of the script takes over.
    pub(super) fn entered_states(&self, stage: &Stage) -> Vec<WasEntered> {
        self.with_world(|world| {
            let mut all = Vec::new();
            for (handle, scripted) in &world.program.scripted {
                for entered in &scripted.entered {
                    if let Some((layer, state)) = names_of(stage, *handle, entered) {
                        all.push(WasEntered {
                            character: *handle,
                            layer,
                            state,
                            script: entered.script,
                        });
                    }
                }
            }
            all
        })
    }

    /// Goes on with the states that were entered before the script was saved and are current still:
    /// they are not entered again, and their acts begin anew. The others are left, by the functions of
    /// the version before.
    pub(super) fn carry_states(&mut self, stage: &mut Stage, was: Vec<WasEntered>, old: &Program) {
        let mut acts = Vec::new();
        let mut left = Vec::new();
        for was in was.into_iter().rev() {
            let character = was.character;
            let mut current = current_states(stage, character).into_iter();
            let same = current.find_map(|(layer, state)| {
                let machine = stage.characters.get(character)?.playback.machine.as_ref();
                let script = machine?.0.behaviour(layer, state)?;
                let entered = Entered {
                    layer,
                    state,
                    script,
                    act: None,
                };
                let names = names_of(stage, character, &entered)?;
                (names == (was.layer.clone(), was.state.clone())).then_some(entered)
            });
            let Some(entered) = same else {
                left.push(was);
                continue;
            };
            let act = self.with_world(|world| {
                let scripted = world.program.scripted.get_mut(&character);
                if let Some(scripted) = scripted {
                    scripted.entered.insert(0, entered);
                    world.program.states_changed = true;
                }
                let script = world.program.script_of(entered.script);
                script.and_then(|script| script.act.clone())
            });
            acts.extend(act.map(|act| (character, (entered.layer, entered.state), act)));
        }
        for was in left {
            let leave = old.script_of(was.script);
            if let Some(leave) = leave.and_then(|script| script.leave.as_ref())
                && stage.characters.get(was.character).is_some()
            {
                self.tell_state(stage, was.character, leave, None);
            }
        }
        for (character, place, act) in acts.into_iter().rev() {
            self.begin_state_act(stage, character, place, &act);
        }
    }
}

/// A state's `update` that is to be called.
pub(super) struct Update {
    character: Handle,
    place: (usize, usize),
    function: Function,
    me: Value,
    params: Option<Table>,
}

/// The states that a character's machine is in, layer by layer, outer before inner.
fn current_states(stage: &Stage, character: Handle) -> Vec<(usize, usize)> {
    let character = stage.characters.get(character);
    let Some((machine, place)) =
        character.and_then(|character| character.playback.machine.as_ref())
    else {
        return Vec::new();
    };
    let layers = 0..machine.layer_names().count();
    let states = layers.filter_map(|layer| Some((layer, place.current(layer)?.state)));
    let within = |(layer, state)| {
        machine
            .within(layer, state)
            .map(move |state| (layer, state))
    };
    states.flat_map(within).collect()
}

fn names_of(stage: &Stage, character: Handle, entered: &Entered) -> Option<(String, String)> {
    let (machine, _) = stage.characters.get(character)?.playback.machine.as_ref()?;
    let layer = machine.layer_names().nth(entered.layer)?;
    let state = machine.state_name(entered.layer, entered.state);
    Some((layer.to_owned(), state.to_owned()))
}
