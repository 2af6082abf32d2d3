//! The ordered modifiers of a character, which change its pose after the animation and before skinning.
//!
//! Each modifier writes local transforms only; one forward pass computes the matrices after all of them. The order is that
//! of the list, which users can read and change. A new modifier is inserted by the rank of its kind.

mod aim_and_chain;
mod apply;
mod body;
mod face;
mod full_body;
mod goal;
mod grip;
mod helper_bones;
mod list;
mod look_at;
mod modifier;
mod reach;
mod step_in;
mod weight;

pub use aim_and_chain::{AimAtModifier, ChainIkModifier};
pub use body::{ModifierStackBody, ModifierStackInput, ModifierStackPose, Pass};
pub use face::{FaceModifier, HeadMove};
pub use full_body::{FullBody, SitModifier};
pub use goal::{Goal, GoalPosition};
pub use grip::{GripModifier, HandGrip};
pub use helper_bones::{HelperBonesModifier, MAX_HELPERS};
pub use list::{HELPERS, MAX_MODIFIERS, ModifierStack, Stop};
pub use look_at::{LookAtModifier, LookReach, LookTarget, MAX_LOOK_TARGETS};
pub use modifier::{
    FootIkModifier, IdleMotionModifier, LeanModifier, Modifier, ModifierKind,
    OrientationWarpModifier,
};
pub use reach::ReachModifier;
pub use step_in::SteppedIn;
pub use weight::{ModifierWeight, WeightCurve};
