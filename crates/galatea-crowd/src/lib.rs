//! Crowds: who is near whom, how they walk without walking into each other, how they flock, what
//! they leave on the ground (chapter 13 of the book).
//!
//! Callers: `stage`, which says where they want to go; benchmarks. Invariants: plain data in and out; no clock, no
//! characters, no bodies, no GPU; the same input gives the same bits on any number of threads.

mod agents;
mod among;
mod avoid;
pub mod book;
mod flock;
mod rows;
#[cfg(test)]
mod tests;
mod trail;
mod walls;

pub use agents::{Agent, AvoidOptions, Steering};
pub use avoid::MOST_NEAR;
pub use flock::{Boid, FlockRules, Flocking, Pull};
pub use rows::{Rows, Walk};
pub use trail::Trail;
pub use walls::{Wall, Walls};
