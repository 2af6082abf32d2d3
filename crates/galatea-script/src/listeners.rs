//! Listeners to events, and what scripts know of the clips that they play.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use mlua::Function;

use galatea_anim::Interval;
use galatea_character::EndReason;
use galatea_stage::Handle;

/// A listener that a script registered, on a character or on one play of a clip.
#[derive(Clone)]
pub(super) struct Handler {
    pub event: String,
    pub min_weight: f32,
    /// Hears lighter sources of a blend too.
    pub all: bool,
    pub function: Function,
    /// False once it was taken off; shared with what the script holds and with the batch on its way.
    pub alive: Rc<Cell<bool>>,
    /// Intervals whose beginning it heard, so that it hears exactly their ends.
    pub heard: Vec<Interval>,
}

impl Handler {
    pub fn new(event: String, function: Function) -> Self {
        Self {
            event,
            min_weight: 0.0,
            all: false,
            function,
            alive: Rc::new(Cell::new(true)),
            heard: Vec::new(),
        }
    }
}

/// What a script knows of an action it started.
#[derive(Clone)]
pub(super) struct Play {
    /// The reason of its end; shared with what the script holds.
    pub ended: Rc<Cell<Option<&'static str>>>,
    pub character: Handle,
    pub done: Option<Function>,
    /// Listeners to the marks of this play alone.
    pub on: Vec<Handler>,
}

/// All listeners of a program.
#[derive(Default)]
pub(super) struct Listeners {
    pub characters: HashMap<Handle, Vec<Handler>>,
    /// Plays that are not over, by the number of their action.
    pub plays: HashMap<u64, Play>,
}

impl Listeners {
    /// Number of the listeners to characters.
    pub fn count(&self) -> usize {
        self.characters.values().map(Vec::len).sum()
    }

    /// Removes listeners that were taken off.
    pub fn remove_dead(&mut self) {
        for handlers in self.characters.values_mut() {
            handlers.retain(|handler| handler.alive.get());
        }
        for play in self.plays.values_mut() {
            play.on.retain(|handler| handler.alive.get());
        }
    }

    /// Removes the listeners and plays of a character that is taken off the stage. Returns the `done` functions of the
    /// plays.
    pub fn take_off(&mut self, character: Handle) -> Vec<Function> {
        // Nothing of it is heard any more, not even what the batch on its way still holds.
        for handler in self.characters.remove(&character).into_iter().flatten() {
            handler.alive.set(false);
        }
        let own = self
            .plays
            .iter()
            .filter(|(_, play)| play.character == character);
        let mut gone: Vec<u64> = own.map(|(id, _)| *id).collect();
        gone.sort_unstable();
        let gone = gone.iter().filter_map(|id| self.plays.remove(id));
        let done = gone.filter_map(|play| {
            play.ended.set(Some(EndReason::Stopped.word()));
            play.on.iter().for_each(|handler| handler.alive.set(false));
            play.done
        });
        done.collect()
    }

    /// The models of characters were replaced, which ended these actions.
    pub fn models_replaced(&mut self, characters: &[Handle], ended: &[u64]) {
        for play in ended.iter().filter_map(|id| self.plays.get(id)) {
            play.ended.set(Some(EndReason::Reloaded.word()));
        }
        for handle in characters {
            let handlers = self.characters.get_mut(handle).into_iter().flatten();
            let own = self.plays.values_mut();
            let own = own.filter(|play| play.character == *handle);
            for handler in handlers.chain(own.flat_map(|play| &mut play.on)) {
                for heard in &mut handler.heard {
                    *heard = heard.anywhere();
                }
            }
        }
    }
}
