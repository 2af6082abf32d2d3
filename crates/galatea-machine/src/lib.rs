//! State machines: which clips play, for how long, and how one gives way to the next.
//!
//! A [`MachineDef`] is what a script wrote, by names; [`Machine`] is the same bound to one model,
//! checked and without names to look up; [`MachineState`] is one character's place in it.
//!
//! # A step
//! [`advance`] asks the transitions of each layer (higher priority first, then inner before outer, then
//! as written), takes at most one, moves the clips on and tells what was crossed; [`evaluate`] makes the
//! pose. Parameters are read before, poses are made after, so a state is never skipped because a
//! parameter changed in the same tick.
//!
//! Callers: `script` (definitions), `character` (every tick). Invariants: no Lua, no GPU, no clock:
//! conditions are asked through a function, time comes in as seconds, events go out as data.

mod advance;
mod alone;
mod bind;
mod bound;
mod carry;
mod changes;
pub mod condition;
mod definition;
mod enter;
mod evaluate;
mod host;
mod marks;
mod orient;
mod partial;
mod place;
mod rehearse;
mod showing;
mod state;
mod step;
mod transition;
mod travel;
mod why;

#[cfg(test)]
mod tests;

pub use advance::advance;
pub use alone::{Alone, NotAlone};
pub use bind::{Problem, STEP, bind};
pub use bound::Machine;
pub use carry::{Version, carried_over, tell_open};
pub use changes::{Given, changes};
pub use definition::{
    Behaviour, BlendDef, Content, Entry, Fade, From, Interrupt, LayerDef, LayerMode, ListDef,
    MOST_LEAVES, MOST_NESTED, MOST_NESTED_BLENDS, MOST_STATES, MachineDef, MaskDef, MotionDef,
    ParamDef, ParamValue, Place, PointContent, PointDef, Predicate, Scalar, SpaceDef, StateDef,
    StatesDef, SyncBy, TransitionDef, WhenDef,
};
pub use enter::{leave_all, start};
pub use evaluate::{Scratch, evaluate};
pub use host::{Crossed, Happening, Host};
pub use marks::{close, rebind};
pub use partial::partial_states;
pub use rehearse::{
    Course, Exit, Way, course, enter_state, force, play_on, show_layer, states_of, ways_of,
};
pub use showing::{Showing, is_steady, showing};
pub use state::{Active, Decision, LayerState, MachineState, Playing, Sent, Turned};
pub use transition::{Clips, choose};
pub use travel::{NoWay, route};
pub use why::{Trace, Why, params_in_words, taken, ways};
