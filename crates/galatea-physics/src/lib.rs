//! Bodies: what a character is when it is pushed, hit or falls, and the world it does that in.
//!
//! Callers: `character` (which ragdoll belongs to a model) and `stage` (the world, its step, and what
//! bodies do to poses). Invariants: the only room that knows the physics engine; no Lua, no files, no
//! clock of its own; the same inputs give the same bits.

mod add;
mod bare;
mod body_id;
mod cells;
mod cone;
mod controller;
mod energy;
mod force;
mod grab;
mod limb;
mod link;
pub mod particles;
mod query;
pub mod ragdoll;
mod rest;
mod shape;
mod solid;
mod tag;
mod touch;
mod triangles;
mod world;

pub use add::Start;
pub use bare::Bare;
pub use body_id::BodyId;
pub use cells::Cells;
pub use controller::{Controller, ControllerOptions, Ground, Stance, Walked};
pub use force::{Force, Push};
pub use grab::{Grab, Grip};
pub use link::{Drive, LinkAngles};
pub use query::{Filter, Hit};
pub use ragdoll::Frame;
pub use shape::{Piece, Shape, ShapeError};
pub use solid::{
    Balance, Motion, NodeBody, NodeState, Solid, SolidOptions, Surface, Velocity, Wear,
};
pub use tag::Owner;
pub use touch::Touch;
pub use triangles::StillTriangle;
pub use world::{FARTHEST, N_LAYERS, World};
