//! The face: what it can do, whose turn it is to move it, and how that is written into a pose.
//!
//! [`FaceRig`] is what all characters of a model share, found once from names of morph targets, the file's
//! expressions and bones; [`Face`] is the state of one. A character has both act once a tick, after its other
//! modifiers. Invariants: no GPU, no Lua, no files, no clock; the same inputs give the same bits; a value stays until
//! its owner clears it; owners add up in the order base < mood < speech < reflex < script.

mod expression;
mod factory;
mod mood;
mod recipe;
mod resolve;
mod rig;
mod shape;
mod show;
mod state;
#[cfg(test)]
mod tests;
mod write;

pub use expression::{Expression, MaterialBind, MaterialPart, Override};
pub use factory::{Generation, Shape, ShapeSet, Wanted};
pub use mood::Feeling;
pub use recipe::{EXPRESSIONS, openness};
pub use rig::{
    BoneKind, Control, Corrective, FaceBone, FaceRig, FaceSource, Origin, Sink, SourceExpression,
    SpeechBy, Target,
};
pub use shape::{ARKIT, Region, Side, key, region, side};
pub use show::{Envelope, MOST_SHOWN, Mix, Owner, Shown};
pub use state::{Face, FaceOptions, Held, Leak};
