//! Facial animation: expressions, visemes, moods and blinks, mixed into one pose of the face.
//!
//! A [`FaceRig`] is made once per model: it finds the controls of the face in its morph targets (ARKit and Oculus names in
//! many spellings), the file's own expressions, and its bones. A [`Face`] is the state of one character. [`Mix`] is a
//! weighted set of expressions; [`Face::show`] plays one for a while, [`Face::set_mood`] keeps one, and [`Face::hold`] sets
//! a single control. [`Face::advance`] advances time, and [`Face::apply`] writes morph weights and bones.
//!
//! ```
//! use galatea_anim::Skeleton;
//! use galatea_face::{ARKIT, Face, FaceRig, FaceSource, Mix};
//! use galatea_rig::Posed;
//!
//! // A face with the 52 blend shapes of ARKit. Spellings of other exporters work as well.
//! let rest = vec![0.0; ARKIT.len()];
//! let rig = FaceRig::new(&FaceSource { morphs: ARKIT.to_vec(), rest: &rest, ..FaceSource::default() });
//!
//! // Happiness fades in within 0.3 seconds.
//! let mut face = Face::new(7);
//! face.set_mood(Mix::new(vec![("happiness".into(), 1.0)], &rig), 1.0, 0.3);
//! for _ in 0..60 {
//!     face.advance(1.0 / 60.0);
//! }
//!
//! // This face has no bones, so the skeleton is empty.
//! let (skeleton, mut weights) = (Skeleton::default(), rest.clone());
//! face.apply(&rig, &mut weights, &mut Posed::new(&skeleton, &mut [], &[]), &mut Vec::new(), 1.0);
//! let weight = |shape| weights[ARKIT.iter().position(|name| *name == shape).unwrap()];
//! assert!(weight("mouthSmileLeft") > 0.7 && weight("mouthSmileRight") > 0.7);
//! assert_eq!(weight("mouthFrownLeft"), 0.0);
//! ```
//!
//! # Dependencies
//!
//! Depends on `galatea-math`, `galatea-rig` (poses) and `galatea-speech` (visemes). Uses no GPU, Lua, files or clock: the
//! same input gives bit-identical results. A value stays until its owner clears it. Owners take effect in this order: base
//! (clips and gaze), mood, speech, reflex (blinks), script. A character applies its face once per tick, after its other
//! modifiers.

mod baseline;
mod factory;
mod mood;
mod prefix;
mod recipe;
mod reload;
mod resolve;
mod rig;
mod shape;
mod show;
mod state;
#[cfg(test)]
mod tests;
mod write;

pub use factory::{FaceShape, Generation, ShapeRequest, ShapeSet};
pub use mood::Feeling;
pub use prefix::shape_names;
pub use recipe::{EXPRESSIONS, openness};
pub use rig::{
    BoneKind, Control, ControlOrigin, Corrective, FaceBone, FaceRig, FaceSource, Sink, SinkTarget,
    SourceExpression, SpeechBy,
};
pub use shape::{ARKIT, FaceRegion, FaceSide, key, region, side};
pub use show::{ActiveExpression, Envelope, FaceOwner, MAX_SHOWN, Mix};
pub use state::{ControlOverride, Face, FaceSettings, MicroExpression};
