//! A character put together: the shared definition of a model and one instance's state.
//!
//! [`Definition`] is made once per model and shared; [`Character`] is what moves. Callers: `stage`
//! (every tick), `script` (through the stage). Invariants: no Lua, no GPU, no files, no clock.

mod action;
mod baked_face;
mod begun;
mod body_shapes;
mod carry;
mod carry_body;
mod clips;
mod decal_surfaces;
mod decals;
mod definition;
mod extent;
mod eyes;
mod face;
mod following;
mod get_up;
mod handle;
mod inertialize;
mod instance;
mod knockback;
mod likeness;
mod limbs;
mod loaded_model;
mod look_morphs;
mod made_clip;
mod marks;
mod meters;
mod modifiers;
mod nodes;
mod own_eyes;
mod own_motion;
mod placement;
mod playing;
mod ragdoll_pose;
mod rising;
mod root_motion;
mod script_mark;
mod secondary;
mod settling;
mod skin_root;
mod stack;
mod surface;
mod trace;
mod transition_test;
mod turn_on_spot;
mod turns;
mod vitals;
mod warp;
mod wrinkles;

pub use action::{Action, ActionEnd, ActionOptions, Additive, Advanced, EndReason, Passed};
pub use baked_face::{BakedFace, BakedPrimitive};
pub use begun::Begun;
pub use carry::{Lost, Replaced};
pub use decal_surfaces::DecalSurfaces;
pub use decals::{DecalOptions, Decals, MOST_DECALS};
pub use definition::Definition;
pub use get_up::{GetUpClip, get_up_clip};
pub use handle::Handle;
pub use instance::Character;
pub use knockback::Knockback;
pub use likeness::Likeness;
pub use limbs::{Kept, LimbState, Limbs, Lying, hips_of};
pub use loaded_model::{FROM_SCRIPT, LoadedModel};
pub use look_morphs::LookMorphs;
pub use made_clip::{KeySpace, MadeBone, MadeClip};
pub use meters::{METERS, MeterInput, Meters, Reading};
pub use own_eyes::{Headless, OwnEyes};
pub use own_motion::OwnMotion;
pub use placement::{Attachment, Placement, RootMotion};
pub use playing::Playing;
pub use rising::{Rising, ways_up};
pub use script_mark::{MOST_SCRIPT_MARKS, MarkRefused, ScriptMark};
pub use secondary::{MOST_JOINTS, MOST_OWN, OwnJiggle, OwnSprings, Secondary, SwingingBody};
pub use skin_root::{HeadSkin, SkinPlaces, SkinRoot};
pub use stack::{
    Aiming, ByCurve, Chaining, Facing, Goal, Grip, Gripping, HELPERS, HeadMove, Helping, Kind,
    Leaning, Living, LookReach, Looking, MOST_HELPERS, MOST_MODIFIERS, MOST_THINGS, Modifier, Pass,
    Place, Reaching, Sitting, Stack, StackBody, StackInput, StackPose, Standing, SteppedIn, Stop,
    Strafing, Thing, Weight, Whole,
};
pub use surface::Surface;
pub use trace::Traced;
pub use transition_test::{EdgeReport, Limits, Tested, test_transitions};
pub use turns::{TurnClips, TurnInput, TurnPlayer, Turns};
pub use vitals::{Reaction, Vitals};
pub use warp::{LONGEST_WARP, Warp, WarpEnd, WarpInput};
pub use wrinkles::{Region, WrinkleRig, WrinkleState};
