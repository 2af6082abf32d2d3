//! Event listeners, and the script's data about the clips that it plays.

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
    /// The listener also hears sources of a blend with smaller weights.
    pub all: bool,
    pub function: Function,
    /// The listener is removed when it is called.
    pub once: bool,
    /// False once the listener was removed; shared with the script's handle and with the batch of events that is being
    /// delivered.
    pub is_alive: Rc<Cell<bool>>,
    /// Open intervals of which the listener heard the beginning. It hears only the ends of these.
    pub heard_intervals: Vec<Interval>,
}

impl Handler {
    pub fn new(event: String, function: Function) -> Self {
        Self {
            event,
            min_weight: 0.0,
            all: false,
            function,
            once: false,
            is_alive: Rc::new(Cell::new(true)),
            heard_intervals: Vec::new(),
        }
    }
}

/// Script data of an action that the script started.
#[derive(Clone)]
pub(super) struct Play {
    /// End reason, `None` while the action plays; shared with the script's handle.
    pub ended: Rc<Cell<Option<&'static str>>>,
    pub character: Handle,
    pub done: Option<Function>,
    /// Listeners to the marks of this play only.
    pub on: Vec<Handler>,
}

/// All listeners of a program.
#[derive(Default)]
pub(super) struct Listeners {
    pub characters: HashMap<Handle, Vec<Handler>>,
    /// Plays that have not ended, by action id.
    pub plays: HashMap<u64, Play>,
}

impl Listeners {
    /// Number of listeners on characters.
    pub fn count(&self) -> usize {
        self.characters.values().map(Vec::len).sum()
    }

    /// Removes listeners that were disconnected.
    pub fn remove_dead(&mut self) {
        for handlers in self.characters.values_mut() {
            handlers.retain(|handler| handler.is_alive.get());
        }
        for play in self.plays.values_mut() {
            play.on.retain(|handler| handler.is_alive.get());
        }
    }

    /// Removes the listeners and plays of a character that leaves the stage. Returns the `done` functions of the plays.
    pub fn take_off(&mut self, character: Handle) -> Vec<Function> {
        // Its listeners hear nothing more, not even the rest of the batch that is being delivered.
        for handler in self.characters.remove(&character).into_iter().flatten() {
            handler.is_alive.set(false);
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
            play.on
                .iter()
                .for_each(|handler| handler.is_alive.set(false));
            play.done
        });
        done.collect()
    }

    /// Handles the replacement of character models, which ended these actions.
    pub fn models_replaced(&mut self, characters: &[Handle], ended: &[u64]) {
        for play in ended.iter().filter_map(|id| self.plays.get(id)) {
            play.ended.set(Some(EndReason::Reloaded.word()));
        }
        for handle in characters {
            let handlers = self.characters.get_mut(handle).into_iter().flatten();
            let own = self.plays.values_mut();
            let own = own.filter(|play| play.character == *handle);
            for handler in handlers.chain(own.flat_map(|play| &mut play.on)) {
                for heard in &mut handler.heard_intervals {
                    *heard = heard.anywhere();
                }
            }
        }
    }
}
