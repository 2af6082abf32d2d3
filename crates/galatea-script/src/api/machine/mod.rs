//! Functions that make a machine: `machine`, `layer`, `state`, `transition_to`, and the motions of a state.

mod arguments;
mod gathered;
pub(super) mod group;
pub(super) mod machine_handles;
mod motions;
pub(super) mod params;
pub(super) mod parts;
mod piece;
pub(super) mod sizes;
mod states;
mod transitions;
