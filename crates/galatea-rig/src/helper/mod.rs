//! Helper bones: bones that no clip animates and that follow other bones, so that the skin keeps its shape. They are half
//! twists, fans, pushes, corrective drivers, and the node constraints of VRM files.
//!
//! Callers: `asset` reads specs from files, `character` binds and applies them after IK. A [`HelperSpec`] refers to bones by
//! name; bound to a skeleton it is a [`Helper`]; [`Helpers`] are sorted so that each runs after the bones it reads are set.
//! Invariants: there is no state, the result depends on the pose only; applying allocates nothing; every angle is relative
//! to the rest pose.

mod act;
mod bind;
mod found;
mod order;
mod rest;
mod spec;
#[cfg(test)]
mod tests;
mod turn;

use super::Posed;
pub use act::Helper;
pub use order::Helpers;
pub use spec::{DriverTarget, Example, HelperError, HelperKind, HelperSpec, Measured};
