//! Files to plain data: models, pictures, sounds; where they are found and when they change.
//!
//! Callers: `stage` and `commands` load through here; every other room only reads the data.
//! Invariants: nothing here plays, draws or scripts; bad input gives an error naming file and cause.

pub mod model;

pub use model::Model;
