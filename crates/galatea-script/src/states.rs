//! Scripts of the states of machines, and the states that are entered.

use std::collections::BTreeMap;

use mlua::{Function, Table, Value};

use super::acts::ActId;
use super::api::event_types::check_event_name;
use galatea_character::Character;
use galatea_machine::{Behaviour, Machine, Problem, SourceLocation};
use galatea_stage::Handle;

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
    pub entered: Vec<Entered>,
    /// The machine is there, but nobody has entered its states yet: what is told of states was said of
    /// the machine before.
    is_fresh: bool,
}

/// A state that is entered.
#[derive(Clone, Copy)]
pub(super) struct Entered {
    pub layer: usize,
    pub state: usize,
    pub script: Behaviour,
    pub act: Option<ActId>,
}

/// A state's `update` that is to be called.
pub(super) struct Update {
    pub character: Handle,
    pub place: (usize, usize),
    pub function: Function,
    pub me: Value,
    pub params: Option<Table>,
}

/// Scripts of the states of all machines of a program.
#[derive(Default)]
pub(super) struct StateScripts {
    /// What states do, by the numbers of their behaviours.
    pub scripts: Vec<StateScript>,
    /// Characters in whose machine's states a script does something.
    pub characters: BTreeMap<Handle, Scripted>,
    /// A machine's first states are still to be entered.
    has_fresh: bool,
    /// Calls of every tick to states that are entered, made up anew when that has changed.
    pub updates: Vec<Update>,
    pub changed: bool,
}

impl StateScripts {
    /// A character was given a machine; what scripts did in the states of the one before is over.
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

    /// True when a state of a character's machine listens to this event.
    pub fn hears(&self, machine: Option<&Machine>, event: &str) -> bool {
        let mut scripts = machine.into_iter().flat_map(Machine::behaviours);
        scripts.any(|script| {
            let script = self.script_of(script);
            script.is_some_and(|script| script.listeners(event).next().is_some())
        })
    }

    /// True when scripts have entered the states in which a character's machine began.
    pub fn is_settled(&self, character: Handle) -> bool {
        let scripted = self.characters.get(&character);
        scripted.is_some_and(|scripted| !scripted.is_fresh)
    }

    /// What is wrong with the events that states of a character's machine listen to.
    pub fn wrong_listeners(&self, machine: &Machine, character: &Character) -> Vec<Problem> {
        let scripts = machine
            .behaviours()
            .filter_map(|script| self.script_of(script));
        let listeners = scripts.flat_map(|script| script.on.iter().map(move |on| (script, on)));
        let problems = listeners.filter_map(|(script, (event, _))| {
            let wrong = check_event_name(character, event).err()?;
            Some(Problem {
                at: script.at.clone(),
                text: format!("on: {wrong} (add marks before listening to them)"),
            })
        });
        problems.collect()
    }

    pub fn is_entered(&self, character: Handle, layer: usize, state: usize) -> bool {
        let scripted = self.characters.get(&character);
        scripted.is_some_and(|scripted| scripted.find(layer, state).is_some())
    }

    /// Enters a state for scripts; `None` where they do nothing in it, or it is entered already.
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

    /// Leaves a state for scripts; `None` where it was not entered.
    pub fn leave(&mut self, character: Handle, layer: usize, state: usize) -> Option<Entered> {
        let scripted = self.characters.get_mut(&character)?;
        let at = scripted.find(layer, state)?;
        self.changed = true;
        Some(scripted.entered.remove(at))
    }

    /// A state that is entered.
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

    /// The states of a character that are entered, outer before inner.
    pub fn entered_of(&self, character: Handle) -> impl Iterator<Item = &Entered> {
        let scripted = self.characters.get(&character);
        scripted.into_iter().flat_map(|scripted| &scripted.entered)
    }

    /// The machines whose first states scripts have not entered yet; from here on they count as entered.
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
