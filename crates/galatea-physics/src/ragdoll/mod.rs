//! Ragdolls: which bones of a skeleton get rigid bodies, what these look like, and how they are linked.
//!
//! `definition` is the plain data; `build` makes it: `anatomy` says what the bones are, `cloud` where the
//! surface is, `choice` which bones get bodies, `segment` where these begin and which way they bend, `fit`
//! their shapes, `links` and `ranges` how far they turn; `options` what may be set instead.

mod anatomy;
mod build;
mod choice;
mod cloud;
mod definition;
mod fit;
mod instance;
mod links;
mod measure;
mod options;
mod points;
mod ranges;
mod segment;
mod shape;
#[cfg(test)]
mod tests;

pub use definition::{
    BodyDefinition, BodyShape, LinkDefinition, LinkKind, RagdollDefinition, RigidFrame,
};
pub use instance::{BodyControl, Ragdoll, RagdollSettings};
pub use measure::FitQuality;
pub use options::{MOST_BODIES, RagdollChoices, RagdollError};
pub use shape::{gap, outline};
