//! Animation state machines: states, transitions with conditions, blend spaces, layers and cross-fades.
//!
//! A [`MachineDef`] describes a machine by names, as a script writes it. [`bind`] checks it against the clips of a model
//! and gives a [`Machine`], in which all names are resolved. A [`MachineState`] is the state of one character in it:
//! parameters, current states, fades and playback positions.
//!
//! Each tick, the caller sets the parameters, then calls [`advance`], then [`evaluate`]. [`advance`] evaluates the
//! transitions of each layer: higher priority first, then inner machines before outer ones, then in the order written.
//! Each layer takes at most one. The clips advance, and the [`MachineHost`] receives the events as [`Happening`]s.
//! [`evaluate`] blends the pose. Because parameters are read before and poses are made after, no state is skipped when
//! a parameter changes within the tick. [`explain`] explains why each transition is or is not taken.
//!
//! ```
//! # use galatea_anim::{Bone, Clip, ClipMotion, ClipSet, Markers, MirrorMap, PackOptions, Pose, Skeleton, pack};
//! # use galatea_anim::humanoid::Humanoid;
//! # use galatea_math::Trs;
//! # use std::sync::Arc;
//! # let root = Bone { name: "root".into(), parent: None, rest: Trs::IDENTITY, skinned: true };
//! # let skeleton = Arc::new(Skeleton::new(vec![root]).unwrap());
//! # let rest = Pose { locals: vec![Trs::IDENTITY], ..Pose::default() };
//! # let clip = |name: &str| {
//! #     let clip = Clip { name: name.into(), duration: 1.0, ..Clip::default() };
//! #     (Arc::new(pack(&skeleton, &clip, &PackOptions::default()).0), ClipMotion::default())
//! # };
//! # let made = [clip("idle"), clip("walk")];
//! # let mirror = MirrorMap::new(&skeleton, None, &[]);
//! # let set = ClipSet::new("dummy", skeleton, Humanoid::default(), mirror, rest, Vec::new(), made);
//! # let marks = [0, 1].map(|_| Arc::new(Markers::new(Vec::new(), 1.0).unwrap()));
//! use galatea_machine::{
//!     Clips, Content, Fade, Happening, LayerDef, MachineDef, MachineHost, MachineState, MotionDef, ParamDef,
//!     ParamValue, Predicate, StateDef, StatesDef, TransitionDef, WhenDef, advance, bind,
//! };
//!
//! // Two states, each with the clip of the same name, and a transition between them.
//! let state = |name: &str| StateDef {
//!     name: name.into(),
//!     content: Content::Motion(MotionDef::Clip(name.into())),
//!     ..StateDef::default()
//! };
//! let start_walking = TransitionDef {
//!     from: galatea_machine::FromStates::States(vec!["idle".into()]),
//!     to: "walk".into(),
//!     when: Some(WhenDef::Text("speed > 0.5".into())),
//!     fade: Fade { seconds: 0.2, ..Fade::default() },
//!     ..TransitionDef::default()
//! };
//! let states = StatesDef {
//!     states: vec![state("idle"), state("walk")],
//!     transitions: vec![start_walking],
//! };
//! let machine_def = MachineDef {
//!     params: vec![ParamDef { name: "speed".into(), default: ParamValue::Number(0.0) }],
//!     layers: vec![LayerDef { name: "base".into(), states, ..LayerDef::default() }],
//!     ..MachineDef::default()
//! };
//!
//! // The host receives the events. This machine has no script functions and no random clips to ask it for.
//! #[derive(Default)]
//! struct Entered(Vec<usize>);
//! impl MachineHost for Entered {
//!     fn evaluate(&mut self, _: Predicate) -> bool { false }
//!     fn random(&mut self) -> f64 { 0.0 }
//!     fn emit(&mut self, happening: Happening) {
//!         if let Happening::Enter { state, .. } = happening {
//!             self.0.push(state);
//!         }
//!     }
//! }
//!
//! // `set` holds the clips "idle" and "walk" of a model, `marks` their (empty) lists of marks.
//! let machine = bind(&machine_def, &set, &marks).unwrap();
//! let clips = Clips { set: &set, markers: &marks };
//! let (mut character, mut host) = (MachineState::new(&machine), Entered::default());
//! advance(&machine, clips, &mut character, 1.0 / 60.0, &mut host);
//! assert!(host.0.is_empty());
//!
//! character.params[0] = 1.4;
//! advance(&machine, clips, &mut character, 1.0 / 60.0, &mut host);
//! assert_eq!(machine.state_name(0, host.0[0]), "walk");
//! ```
//!
//! # Dependencies
//!
//! Depends on `galatea-anim` and `galatea-math`. Knows no Lua, no GPU and no clock: the [`MachineHost`] evaluates script
//! conditions, time comes in as seconds, and events go out as data. The same input gives the same bits. A machine that
//! [`bind`] accepted cannot fail in a tick.

mod advance;
mod alone;
mod bind;
mod bound;
mod changes;
mod clip_weights;
pub mod condition;
mod definition;
mod enter;
mod evaluate;
mod graph;
mod host;
mod markers;
mod migration;
mod orient;
mod partial;
mod rehearse;
mod showing;
mod state;
mod step;
mod transition;
mod travel;
mod why;

#[cfg(test)]
mod tests;

pub use advance::advance;
pub use alone::{NotAlone, SoloClip};
pub use bind::{Problem, STEP, bind};
pub use bound::Machine;
pub use changes::{ScriptedPart, changes};
pub use definition::{
    Behaviour, BlendDef, ClipStart, Content, Fade, FromStates, Interrupt, LayerDef, LayerMode,
    ListDef, MAX_BLEND_CLIPS, MAX_NESTED, MAX_NESTED_BLENDS, MAX_STATES, MachineDef, MaskDef,
    MotionDef, ParamDef, ParamValue, PointContent, PointDef, Predicate, Scalar, SourceLocation,
    SpaceDef, StateDef, StatesDef, SyncBy, TransitionDef, WhenDef,
};
pub use enter::{leave_all, start};
pub use evaluate::{MachineScratch, evaluate};
pub use graph::{
    BlendPointView, BlendView, GraphGroup, GraphState, GraphStateKind, GraphTransition, LayerGraph,
    blend_view, layer_graph,
};
pub use host::{Crossed, Happening, MachineHost};
pub use markers::{close, rebind};
pub use migration::{Version, migrated, report_open};
pub use partial::partial_states;
pub use rehearse::{
    Course, Exit, OutgoingTransition, course, enter_state, force, play_on, show_layer, states_of,
    transitions_of,
};
pub use showing::{Showing, is_steady, showing};
pub use state::{
    Active, Decision, LayerState, LegRotation, MachineState, PlayingClip, Sent, StateJump,
};
pub use transition::{Clips, choose};
pub use travel::{TravelError, route};
pub use why::{Trace, TransitionExplanation, explain, params_in_words, taken};
