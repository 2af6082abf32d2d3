//! Script functions of machine states, and the states that are entered.

use std::collections::BTreeMap;

use mlua::{Function, Table, Value};
use serde::{Deserialize, Serialize};

use super::api::event_check::check_event_name;
use super::tasks::TaskId;
use galatea_character::Character;
use galatea_machine::{Behaviour, Machine, Problem, SourceLocation};
use galatea_stage::Handle;

/// Script functions of a state.
#[derive(Clone, Default)]
pub(super) struct StateScript {
    pub enter: Option<Function>,
    pub update: Option<Function>,
    pub leave: Option<Function>,
    /// Listeners that are active while the machine is in the state, with their events.
    pub on: Vec<(String, Function)>,
    /// Task that begins and ends with the state.
    pub task: Option<Function>,
    /// Source location of the definition.
    pub at: SourceLocation,
}

/// Entered states of one character's machine that have script functions.
#[derive(Default)]
pub(super) struct Scripted {
    /// Parent states before their children.
    pub entered: Vec<Entered>,
    /// The machine is new and its states are not entered yet. Pending state events belong to the previous machine.
    is_fresh: bool,
}

/// An entered state.
#[derive(Clone, Copy)]
pub(super) struct Entered {
    pub layer: usize,
    pub state: usize,
    pub script: Behaviour,
    pub task: Option<TaskId>,
}

/// A state that was entered in the previous version of the scripts, or in a saved game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct WasEntered {
    pub character: Handle,
    pub layer: String,
    pub state: String,
    pub script: Behaviour,
}

/// An `update` function of a state to call.
pub(super) struct Update {
    pub character: Handle,
    pub location: (usize, usize),
    pub function: Function,
    pub me: Value,
    pub params: Option<Table>,
}

/// Script functions of the states of all machines of a program.
#[derive(Default)]
pub(super) struct StateScripts {
    /// Script functions of states, by behaviour index.
    pub scripts: Vec<StateScript>,
    /// Characters whose machine has a state with script functions.
    pub characters: BTreeMap<Handle, Scripted>,
    /// True if a machine has first states that are not entered yet.
    has_fresh: bool,
    /// Calls of `update` in each tick, rebuilt when the entered states change.
    pub updates: Vec<Update>,
    pub changed: bool,
}

impl StateScripts {
    /// Prepares the state scripts of a character that gets a machine. Those of its previous machine have ended.
    pub fn give_machine(&mut self, character: Handle, machine: &Machine) {
        if machine.behaviours().next().is_none() {
            self.characters.remove(&character);
            return;
        }
        let scripted = Scripted {
            is_fresh: true,
            ..Scripted::default()
        };
        self.characters.insert(character, scripted);
        self.has_fresh = true;
        self.changed = true;
    }

    pub fn script_of(&self, script: Behaviour) -> Option<&StateScript> {
        self.scripts.get(script.0 as usize)
    }

    /// Returns true if a state of the machine listens to this event.
    pub fn hears(&self, machine: Option<&Machine>, event: &str) -> bool {
        let mut scripts = machine.into_iter().flat_map(Machine::behaviours);
        scripts.any(|script| {
            let script = self.script_of(script);
            script.is_some_and(|script| script.listeners(event).next().is_some())
        })
    }

    /// Returns true if scripts have entered the first states of the character's machine.
    pub fn is_settled(&self, character: Handle) -> bool {
        let scripted = self.characters.get(&character);
        scripted.is_some_and(|scripted| !scripted.is_fresh)
    }

    /// Problems with the events that the states of a character's machine listen to.
    pub fn wrong_listeners(&self, machine: &Machine, character: &Character) -> Vec<Problem> {
        let scripts = machine
            .behaviours()
            .filter_map(|script| self.script_of(script));
        let listeners = scripts.flat_map(|script| script.on.iter().map(move |on| (script, on)));
        let problems = listeners.filter_map(|(script, (event, _))| {
            let wrong = check_event_name(character, event).err()?;
            Some(Problem {
                at: script.at.clone(),
                text: format!("on: {wrong} (add markers before you listen to them)"),
            })
        });
        problems.collect()
    }

    pub fn is_entered(&self, character: Handle, layer: usize, state: usize) -> bool {
        let scripted = self.characters.get(&character);
        scripted.is_some_and(|scripted| scripted.find(layer, state).is_some())
    }

    /// Enters a state for scripts; `None` if it has no script functions or is already entered.
    pub fn enter(&mut self, character: Handle, entered: Entered) -> Option<StateScript> {
        let script = self.script_of(entered.script)?.clone();
        let scripted = self.characters.get_mut(&character)?;
        if scripted.find(entered.layer, entered.state).is_some() {
            return None;
        }
        scripted.entered.push(entered);
        self.changed = true;
        Some(script)
    }

    /// Leaves a state for scripts; `None` if it was not entered.
    pub fn leave(&mut self, character: Handle, layer: usize, state: usize) -> Option<Entered> {
        let scripted = self.characters.get_mut(&character)?;
        let at = scripted.find(layer, state)?;
        self.changed = true;
        Some(scripted.entered.remove(at))
    }

    /// An entered state.
    pub fn entered_mut(
        &mut self,
        character: Handle,
        layer: usize,
        state: usize,
    ) -> Option<&mut Entered> {
        let scripted = self.characters.get_mut(&character)?;
        let at = scripted.find(layer, state)?;
        scripted.entered.get_mut(at)
    }

    /// Entered states of a character, parent states before their children.
    pub fn entered_of(&self, character: Handle) -> impl Iterator<Item = &Entered> {
        let scripted = self.characters.get(&character);
        scripted.into_iter().flat_map(|scripted| &scripted.entered)
    }

    /// Returns the characters whose first states are not entered yet, and marks these states as entered.
    pub fn take_fresh(&mut self) -> Vec<Handle> {
        if !std::mem::take(&mut self.has_fresh) {
            return Vec::new();
        }
        let fresh = self
            .characters
            .iter_mut()
            .filter(|(_, scripted)| scripted.is_fresh);
        let settled = fresh.map(|(handle, scripted)| {
            scripted.is_fresh = false;
            *handle
        });
        settled.collect()
    }
}

impl StateScript {
    /// Functions that listen to an event.
    pub fn listeners<'a>(&'a self, event: &'a str) -> impl Iterator<Item = &'a Function> {
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
