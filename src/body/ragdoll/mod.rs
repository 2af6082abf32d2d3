//! Ragdolls: which bones of a skeleton get rigid bodies, what these look like, and how they are linked.

mod definition;

pub use definition::{
    BodyDefinition, BodyShape, Frame, LinkDefinition, LinkKind, RagdollDefinition,
};
