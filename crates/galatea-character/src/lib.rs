//! Characters: a model with its clips, state machine, face, ragdoll, materials and attachments, posed once per tick.
//!
//! A [`Definition`] is made once per model and shared: packed clips, feet, face, ragdoll and other data derived from the
//! file.
//! A [`Character`] is one instance with its own state, split into parts that systems borrow separately:
//!
//! | field | part | contents |
//! |---|---|---|
//! | `playback` | [`Playback`] | state machine, [`Action`]s played on top, marks |
//! | `locomotion` | [`Locomotion`] | root motion and turns in place |
//! | `body` | [`CharacterBody`] | ragdoll, controller, [`Vitals`] and reactions to hits |
//! | `posed` | [`PoseState`] | pose and bone matrices of the last tick |
//! | `modifiers` | [`Modifiers`] | a [`ModifierStack`] of modifiers (look at, reach, stand) |
//! | `secondary` | [`Secondary`] | springs and jiggle |
//! | `skin` | [`SkinBuffers`] | palettes and morph weights for drawing |
//! | `appearance` | [`CharacterAppearance`] | face shapes, materials ([`MaterialOverrides`]), wrinkles, [`Decals`] |
//! | `handles` | [`InteractionSet`] | handles and levers of a prop |
//!
//! [`Playback::play`] starts a clip, [`Character::evaluate_pose`] gives the pose and [`Character::build`] the skinning matrices.
//!
//! ```
//! use galatea_anim::{BoneTracks, Clip, Interpolation, PlayMode, Track};
//! use galatea_asset::PrimitiveMesh;
//! use galatea_character::{Action, ActionOptions, Character, Definition, Placement};
//! use glam::{Quat, Vec3};
//! use std::{f32::consts::FRAC_PI_2, sync::Arc};
//!
//! // A lid with a clip that opens it in one second.
//! let open = Track {
//!     times: vec![0.0, 1.0],
//!     values: vec![Quat::IDENTITY, Quat::from_rotation_x(-FRAC_PI_2)],
//!     interpolation: Interpolation::Linear,
//! };
//! let tracks = BoneTracks { bone: 0, translation: None, rotation: Some(open), scale: None };
//! let clip = Clip { name: "open".into(), duration: 1.0, bones: vec![tracks], ..Clip::default() };
//! let mut model = PrimitiveMesh::Box(Vec3::new(0.6, 0.05, 0.4)).model();
//! model.clips.push(Arc::new(clip));
//! let definition = Arc::new(Definition::new(Arc::new(model)));
//!
//! let spawn = Placement { position: Vec3::Y, ..Placement::default() };
//! let mut lid = Character::new("lid".into(), "lid.glb".into(), definition.clone(), spawn);
//! let options = ActionOptions { fade_in: 0.0, fade_out: 0.0, mode: PlayMode::Once, ..ActionOptions::default() };
//! lid.playback.actions.push(Action::new(1, 0, definition.clips.duration(0), options));
//!
//! // Half a second later it is half open.
//! lid.playback.actions[0].advance(&definition.markers[0], 1.0, 0.5, |_mark| {});
//! lid.evaluate_pose(0.5);
//! let half_open = Quat::from_rotation_x(-FRAC_PI_2 / 2.0);
//! assert!(lid.posed.pose.locals[0].rotation.angle_between(half_open) < 0.01);
//! ```
//!
//! # Dependencies
//!
//! Depends on the crates for animation, face, speech, hair, decals and physics, and on `galatea-asset`. Uses no Lua, GPU,
//! files or clock: the same input gives bit-identical results. *Definition* (immutable, shared), *instance* (state) and
//! *scratch* (reused buffers) are three types. A clip or model that was loaded cannot fail in a tick.

mod action;
mod appearance;
mod baked_face;
mod body;
mod body_shapes;
mod clips;
#[cfg(test)]
mod damaged_numbers;
mod decal_surfaces;
mod decals;
mod definition;
mod definition_source;
mod extent;
mod eyes;
mod face;
mod face_shapes;
mod following;
mod get_up;
mod handle;
mod head_parts;
mod head_skin;
mod identity;
mod inertialize;
mod instance;
mod interaction_set;
mod iris;
mod knockback;
mod limbs;
mod loaded_model;
mod locomotion;
mod look_morphs;
mod made_clip;
mod markers;
mod metrics;
mod model_outline;
mod modifier_stack;
mod modifiers;
mod modify;
mod motion_warp;
mod nodes;
mod own_eyes;
mod own_motion;
mod own_time;
mod placement;
mod play;
mod playback;
mod playing;
mod pose_state;
mod ragdoll_pose;
mod restore;
mod restore_body;
mod restore_playback;
mod rising;
mod root_motion;
mod saved_definition;
mod script_baseline;
mod script_marker;
mod secondary;
mod settling;
mod skin_buffers;
mod skin_root;
mod skin_triangles;
mod soles;
mod surface;
mod trace;
mod transition_test;
mod turn_on_spot;
mod turns;
mod vitals;
mod wrinkles;

pub use action::{Action, ActionCrossing, ActionEnd, ActionOptions, Additive, Advanced, EndReason};
pub use appearance::CharacterAppearance;
pub use baked_face::{BakedFace, BakedPrimitive};
pub use body::CharacterBody;
pub use decal_surfaces::DecalSurfaces;
pub use decals::{DecalSettings, Decals, MAX_DECALS};
pub use definition::Definition;
pub use definition_source::{DefinitionSource, MODEL_KIND};
pub use face_shapes::FaceShapeWeights;
pub use get_up::{GetUpClip, get_up_clip};
pub use handle::Handle;
pub use head_parts::HeadNames;
pub use head_skin::HeadSkin;
pub use identity::Identity;
pub use instance::Character;
pub use interaction_set::InteractionSet;
pub use knockback::Knockback;
pub use limbs::{LimbState, Limbs, LyingPosture, SavedLimbControls, hips_of};
pub use loaded_model::{FROM_SCRIPT, LoadedModel};
pub use locomotion::Locomotion;
pub use look_morphs::LookMorphs;
pub use made_clip::{KeySpace, MadeBone, MadeClip};
pub use metrics::{METRICS, MetricReading, Metrics, MetricsInput};
pub use modifier_stack::{
    AimAtModifier, ChainIkModifier, FaceModifier, FootIkModifier, FullBody, Goal, GoalPosition,
    GripModifier, HELPERS, HandGrip, HeadMove, HelperBonesModifier, IdleMotionModifier,
    LeanModifier, LookAtModifier, LookReach, LookTarget, MAX_HELPERS, MAX_LOOK_TARGETS,
    MAX_MODIFIERS, Modifier, ModifierKind, ModifierStack, ModifierStackBody, ModifierStackInput,
    ModifierStackPose, ModifierWeight, OrientationWarpModifier, Pass, ReachModifier, SitModifier,
    SteppedIn, Stop, WeightCurve,
};
pub use modifiers::Modifiers;
pub use motion_warp::{MAX_WARP, MotionWarp, MotionWarpEnd, MotionWarpInput};
pub use own_eyes::{Headless, OwnEyes};
pub use own_motion::OwnMotion;
pub use own_time::{OwnTime, TimeBase};
pub use placement::{Attachment, Placement, RootMotion};
pub use play::{MAX_ACTIONS, PlaySettings};
pub use playback::Playback;
pub use playing::Playing;
pub use pose_state::PoseState;
pub use restore_playback::{LostInterval, Replaced};
pub use rising::{Rising, get_up_poses};
pub use root_motion::RootMotionTarget;
pub use script_baseline::ScriptBaseline;
pub use script_marker::{MAX_SCRIPT_MARKERS, ScriptMarker, ScriptMarkerError};
pub use secondary::{MAX_JOINTS, MAX_OWN, OwnJiggle, OwnSprings, Secondary, SwingingBody};
pub use skin_buffers::SkinBuffers;
pub use skin_root::{SkinRoot, SkinSampler};
pub use surface::MaterialOverrides;
pub use trace::TriangleHit;
pub use transition_test::{EdgeReport, Tested, TransitionLimits, test_transitions};
pub use turns::{TurnClips, TurnInput, TurnPlayer, Turns};
pub use vitals::{HitReaction, Vitals};
pub use wrinkles::{ResolvedRegion, WrinkleRig, WrinkleState};
