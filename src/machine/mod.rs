//! State machines: which clips play, for how long, and how one gives way to the next.
//!
//! A [`MachineDef`] is what a script wrote, by names; [`Machine`] is the same bound to one model,
//! checked and without names to look up; [`MachineState`] is one character's place in it.
//! Callers: `script` (definitions), `character` (every tick). Invariants: no Lua, no GPU, no clock:
//! conditions are asked through a function, time comes in as seconds, events go out as data.

mod advance;
mod bind;
pub mod condition;
mod definition;
mod evaluate;
mod state;

pub use advance::{Happening, Host, advance};
pub use bind::{Machine, Problem, bind};
pub use definition::{
    From, LayerDef, MachineDef, MotionDef, ParamDef, ParamValue, Place, Predicate, Scalar,
    StateDef, SyncBy, TransitionDef,
};
pub use evaluate::{Scratch, evaluate};
pub use state::{Active, LayerState, MachineState};
