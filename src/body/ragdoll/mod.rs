//! Ragdolls: which bones of a skeleton get rigid bodies, what these look like, and how they are linked.

mod definition;
mod instance;

pub use definition::{
    BodyDefinition, BodyShape, Frame, LinkDefinition, LinkKind, RagdollDefinition,
};
pub use instance::{Control, Ragdoll, RagdollSettings};
