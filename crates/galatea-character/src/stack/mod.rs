//! The ordered modifiers of a character, which change its pose after the animation and before skinning.
//!
//! Each modifier writes local transforms only; one forward pass computes the matrices after all of them. The order is that
//! of the list, which users can read and change. A new modifier is inserted by the rank of its kind.

mod apply;
mod body;
mod facing;
mod goal;
mod gripping;
mod helping;
mod list;
mod looking;
mod modifier;
mod pointing;
mod reaching;
mod step_in;
mod weight;
mod whole;

pub use body::{Pass, StackBody, StackInput, StackPose};
pub use facing::{Facing, HeadMove};
pub use goal::{Goal, GoalPosition};
pub use gripping::{Gripping, HandGrip};
pub use helping::{Helping, MAX_HELPERS};
pub use list::{HELPERS, MAX_MODIFIERS, Stack, Stop};
pub use looking::{LookReach, Looking, MAX_LOOK_TARGETS, Thing};
pub use modifier::{FootPlacement, Leaning, Living, Modifier, ModifierKind, Strafing};
pub use pointing::{Aiming, Chaining};
pub use reaching::Reaching;
pub use step_in::SteppedIn;
pub use weight::{ByCurve, ModifierWeight};
pub use whole::{Sitting, WholeBody};
