//! Collects the states and transitions of a table.

use mlua::Value;

use super::machine_handles::ScriptedPiece;
use super::piece::Piece;
use super::sizes::{MAX_TRANSITIONS, Size};
use galatea_machine::{MAX_NESTED, MAX_STATES, StatesDef};

/// States and transitions collected from a table. `nested` is true if they belong to a state.
pub(super) struct Gathered<'a> {
    what: &'a str,
    nested: bool,
    size: Size,
    pub states: StatesDef,
}

impl<'a> Gathered<'a> {
    pub fn new(what: &'a str, nested: bool) -> Self {
        Self {
            what,
            nested,
            size: Size::default(),
            states: StatesDef::default(),
        }
    }

    /// Adds a state or a transition; returns false for anything else.
    ///
    /// # Errors
    /// Fails if a limit of number or nesting depth would be exceeded.
    pub fn take(&mut self, value: &Value) -> mlua::Result<bool> {
        let held = value
            .as_userdata()
            .and_then(|data| data.borrow::<ScriptedPiece>().ok());
        let Some(held) = held else {
            return Ok(false);
        };
        let size = match &held.piece {
            Piece::State(state) => Size::of_state(state),
            Piece::Transition(_) => Size {
                transitions: 1,
                ..Size::default()
            },
            _ => return Ok(false),
        };
        self.size.add(size);
        let Size {
            states,
            transitions: ways,
            depth,
            ..
        } = self.size;
        let wrong = |text: String| {
            let what = self.what;
            Err(mlua::Error::runtime(format!("{what}: {text}")))
        };
        if depth + usize::from(self.nested) > MAX_NESTED {
            return wrong(format!("machines are nested more than {MAX_NESTED} deep"));
        }
        if states > MAX_STATES {
            return wrong(format!("the limit is {MAX_STATES} states"));
        }
        if ways > MAX_TRANSITIONS {
            return wrong(format!("the limit is {MAX_TRANSITIONS} transitions"));
        }
        match &held.piece {
            Piece::State(state) => self.states.states.push(state.clone()),
            Piece::Transition(way) => self.states.transitions.push(way.clone()),
            _ => {}
        }
        Ok(true)
    }
}
