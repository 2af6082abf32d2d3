//! Script functions of machine states: `enter`, `update`, `leave`, listeners, and a task.
//!
//! Scripts enter and leave a state when its events are delivered, in order. The states in which a machine begins, and
//! those of a script version that was just loaded, are entered before the machine is updated. Invariant: every entered
//! state is left exactly once, unless a hot reload replaces the script and the new version continues the same state.

use mlua::{Function, Table, Value};

use super::api::character_ref::reference;
use super::host::Host;
use super::states::{Entered, StateScripts, Update, WasEntered};
use super::task_tree::{TaskPlace, begin_task};
use super::tasks::INTERRUPTED;
use galatea_stage::{Event, EventKind, Handle, Stage};

/// A change of state reported by an event.
pub(super) struct Change {
    character: Handle,
    layer: usize,
    state: usize,
    /// True if the state is entered, false if it is left.
    enters: bool,
}

/// Change of state reported by an event; `None` if the state has no script functions.
pub(super) fn change_of(host: &Host, stage: &Stage, event: &Event) -> Option<Change> {
    let (layer, state, enters) = match event.kind {
        EventKind::Enter { layer, state, .. } => (layer, state, true),
        EventKind::Exit { layer, state, .. } => (layer, state, false),
        _ => return None,
    };
    let is_settled = host.with_states(|states| states.is_settled(event.character));
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
    fn with_states<R>(&self, f: impl FnOnce(&mut StateScripts) -> R) -> R {
        self.with_program(|program| f(&mut program.machines.states))
    }

    /// Enters or leaves a state for scripts. `other` is the name of the other state of the transition.
    pub(super) fn change_state(&mut self, stage: &mut Stage, change: &Change, other: Option<&str>) {
        let Change {
            character,
            layer,
            state,
            enters,
        } = *change;
        let is_settled = self.with_states(|states| states.is_settled(character));
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
        let found = self.with_states(|states| {
            let entered = Entered {
                layer,
                state,
                script: script?,
                task: None,
            };
            states.enter(character, entered)
        });
        let Some(script) = found else { return };
        if let Some(enter) = &script.enter {
            self.call_state(stage, character, enter, from);
        }
        if let Some(run) = &script.task {
            self.begin_state_task(stage, character, (layer, state), run);
        }
    }

    /// Begins a state's task, unless its `enter` function caused the machine to leave the state.
    fn begin_state_task(
        &mut self,
        stage: &mut Stage,
        character: Handle,
        (layer, state): (usize, usize),
        run: &Function,
    ) {
        if !self.with_states(|states| states.is_entered(character, layer, state)) {
            return;
        }
        let lua = self.lua().clone();
        let place = TaskPlace {
            character: Some(character),
            ..TaskPlace::default()
        };
        let begun = self.with_call_budget(stage, || begin_task(&lua, run, place));
        match begun {
            Err(error) => self.note(&error, run, None),
            Ok((id, _)) => self.with_states(|states| {
                if let Some(entered) = states.entered_mut(character, layer, state) {
                    entered.task = Some(id);
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
        let left = self.with_states(|states| {
            let left = states.leave(character, layer, state)?;
            let script = states.script_of(left.script);
            Some((left.task, script.and_then(|script| script.leave.clone())))
        });
        let Some((task, leave)) = left else { return };
        if let Some(task) = task {
            self.finish_task(stage, task, INTERRUPTED, Value::Nil);
        }
        if let Some(leave) = leave {
            self.call_state(stage, character, &leave, to);
        }
    }

    /// Calls `enter` or `leave`.
    fn call_state(
        &mut self,
        stage: &mut Stage,
        character: Handle,
        function: &Function,
        other: Option<&str>,
    ) {
        if let Ok(me) = reference(self.lua(), character) {
            self.call_guarded::<()>(stage, function, (me, other));
        }
    }

    /// Enters the current states of new machines, which scripts have not entered yet.
    fn enter_first_states(&mut self, stage: &mut Stage) {
        let fresh = self.with_states(StateScripts::take_fresh);
        for handle in fresh {
            for (layer, state) in current_states(stage, handle) {
                self.enter_state(stage, handle, (layer, state), None);
            }
        }
    }

    /// Enters the first states of machines and calls `update` of all entered states.
    pub(super) fn update_states(&mut self, stage: &mut Stage, dt: f64) {
        self.enter_first_states(stage);
        let mut calls = self.with_states(|states| std::mem::take(&mut states.updates));
        if self.with_states(|states| std::mem::take(&mut states.changed)) {
            calls.clear();
            self.list_updates(&mut calls);
        }
        self.call_all(
            stage,
            &calls,
            |states, call| {
                // An earlier `update` function may have left this state.
                let (layer, state) = call.location;
                !states.changed || states.is_entered(call.character, layer, state)
            },
            dt,
        );
        self.with_states(|states| states.updates = calls);
    }

    /// Lists the `update` calls of each tick.
    fn list_updates(&self, calls: &mut Vec<Update>) {
        let handles: Vec<Handle> =
            self.with_states(|states| states.characters.keys().copied().collect());
        for handle in handles {
            let Ok(me) = reference(self.lua(), handle) else {
                continue;
            };
            self.with_program(|program| {
                let machines = &program.machines;
                let params = machines.params.get(&handle).map(|params| &params.table);
                for entered in machines.states.entered_of(handle) {
                    let script = machines.states.script_of(entered.script);
                    if let Some(update) = script.and_then(|script| script.update.as_ref()) {
                        calls.push(Update {
                            character: handle,
                            location: (entered.layer, entered.state),
                            function: update.clone(),
                            me: me.clone(),
                            params: params.cloned(),
                        });
                    }
                }
            });
        }
    }

    /// Calls all of them with access to the stage.
    fn call_all(
        &mut self,
        stage: &mut Stage,
        calls: &[Update],
        is_due: impl Fn(&StateScripts, &Update) -> bool,
        dt: f64,
    ) {
        for call in calls {
            if self.with_states(|states| is_due(states, call)) {
                let args = (&call.me, dt, call.params.as_ref());
                self.call_guarded::<()>(stage, &call.function, args);
            }
        }
    }

    /// Calls the listeners for an event in the current states of a character's machine.
    pub(super) fn call_state_listeners(
        &mut self,
        stage: &mut Stage,
        character: Handle,
        name: &str,
        event: &Table,
    ) {
        let listeners: Vec<((usize, usize), Function)> = self.with_states(|states| {
            let entered = states.entered_of(character);
            let listeners = entered.filter_map(|entered| {
                let script = states.script_of(entered.script)?;
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
            if self.with_states(|states| states.is_entered(character, layer, state))
                && let Ok(me) = reference(self.lua(), character)
            {
                self.call_guarded::<()>(stage, &function, (me, event.clone()));
            }
        }
    }

    /// Entered states, recorded before another version of the script replaces this one.
    pub(super) fn entered_states(&self, stage: &Stage) -> Vec<WasEntered> {
        self.with_states(|states| {
            let mut all = Vec::new();
            for (handle, scripted) in &states.characters {
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

    /// Continues entered states after a hot reload if they are still current. They are not entered again, and their
    /// tasks restart. The other states are left with the `leave` functions of the old version, if it still exists.
    pub(super) fn restore_states(
        &mut self,
        stage: &mut Stage,
        was: Vec<WasEntered>,
        old: Option<&StateScripts>,
    ) {
        let mut tasks = Vec::new();
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
                    task: None,
                };
                let names = names_of(stage, character, &entered)?;
                (names == (was.layer.clone(), was.state.clone())).then_some(entered)
            });
            let Some(entered) = same else {
                left.push(was);
                continue;
            };
            let task = self.with_states(|states| {
                if let Some(scripted) = states.characters.get_mut(&character) {
                    scripted.entered.insert(0, entered);
                    states.changed = true;
                }
                let script = states.script_of(entered.script);
                script.and_then(|script| script.task.clone())
            });
            tasks.extend(task.map(|task| (character, (entered.layer, entered.state), task)));
        }
        for was in left {
            let leave = old.and_then(|old| old.script_of(was.script));
            if let Some(leave) = leave.and_then(|script| script.leave.as_ref())
                && stage.characters.get(was.character).is_some()
            {
                self.run_ended_version(|host| host.call_state(stage, was.character, leave, None));
            }
        }
        for (character, place, task) in tasks.into_iter().rev() {
            self.begin_state_task(stage, character, place, &task);
        }
    }
}

/// Current states of a character's machine, layer by layer, parent states before their children.
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
