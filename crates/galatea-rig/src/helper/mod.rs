//! Helper bones: bones that no clip moves, turned and moved by what other bones do, so that skin keeps its
//! form (AW-11): half twists, fans, pushes, correctives, and the constraints of VRM files.
//!
//! Callers: `asset` reads specs from files, `character` binds and applies them after IK. A
//! [`HelperSpec`] has names; bound to a skeleton it is a [`Helper`]; [`Helpers`] are in the order in
//! which each finds what it reads done. Invariants: no state: the pose alone says what comes out;
//! nothing is allocated while they are applied; every angle is measured against the rest pose.

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
