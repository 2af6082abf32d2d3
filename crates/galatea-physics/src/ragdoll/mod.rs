//! Ragdolls: rigid bodies and joints derived from a skeleton and its skin.
//!
//! `definition` is the plain data and `build` creates it. `anatomy` gives the roles of bones, `cloud` the surface, `choice`
//! the bones with bodies. `segment` gives the start and bend direction of each body, `fit` its shape, `links` and `ranges`
//! the joint limits. `options` are the overrides.

mod anatomy;
mod build;
mod choice;
mod cloud;
mod definition;
mod fit;
mod instance;
mod joints;
mod measure;
mod options;
mod points;
mod ranges;
mod segment;
mod shape;
#[cfg(test)]
mod tests;

pub use definition::{
    BodyDefinition, BodyShape, JointDefinition, JointKind, RagdollDefinition, RigidFrame,
};
pub use instance::{BodyControl, Ragdoll, RagdollQuality, RagdollSettings};
pub use measure::FitQuality;
pub use options::{MAX_BODIES, RagdollChoices, RagdollError};
pub use shape::{gap, outline};
