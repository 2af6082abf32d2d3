//! The simulation: a scene of characters, physics, crowds, particles, speech, lights and camera, stepped in fixed
//! ticks.
//!
//! A [`Stage`] is the whole scene as plain data. Generational handles ([`Handle`]) refer to its contents; each kind has
//! an [`Arena`]. [`tick`] advances it by one tick (1/60 s by default), calls the [`Script`], and collects [`Event`]s
//! and sound orders. Its body shows the order of a frame. [`Stage::snapshot`] interpolates between the last two ticks
//! into a [`Frame`], which the renderer draws. [`Stage::apply`] takes input.
//!
//! ```
//! use galatea_asset::PrimitiveMesh;
//! use galatea_character::Placement;
//! use galatea_machine::Predicate;
//! use galatea_physics::{CollisionShape, Motion, PlacedShape, RigidFrame, SolidSettings, Velocity};
//! use galatea_stage::{Event, Frame, Handle, Script, Stage, tick};
//! use glam::Vec3;
//!
//! // A script that does nothing. `galatea-script` implements this for Lua.
//! struct NoScript;
//! impl Script for NoScript {
//!     fn update(&mut self, _: &mut Stage, _dt: f64) {}
//!     fn params(&mut self, _: Handle, _: &mut [f32]) {}
//!     fn ask(&mut self, _: Handle, _: Predicate) -> bool { false }
//!     fn deliver(&mut self, _: &mut Stage, _: &[Event]) {}
//! }
//!
//! // A box of 40 cm falls from 2 m onto the floor.
//! let mut stage = Stage::default();
//! let model = stage.characters.form(&PrimitiveMesh::Box(Vec3::splat(0.4)));
//! let spawn = Placement { position: Vec3::Y * 2.0, ..Placement::default() };
//! let handle = stage.characters.add(&mut stage.ids, model, "box", Some("crate"), spawn);
//! let piece = PlacedShape { shape: CollisionShape::Box(Vec3::splat(0.2)), at: RigidFrame::IDENTITY };
//! let body = SolidSettings { pieces: [piece].into(), motion: Motion::Dynamic, ..SolidSettings::default() };
//! stage.bodies().set_solid(handle, Some(body), Velocity::default())?;
//! for _ in 0..180 {
//!     tick(&mut stage, &mut NoScript);
//! }
//! let fallen = stage.characters.get(handle).unwrap().placement.position;
//! assert!((fallen.y - 0.2).abs() < 0.005, "{fallen}");
//!
//! let mut frame = Frame::default();
//! stage.snapshot(1.0, &mut frame);
//! assert_eq!(frame.models.len(), 1);
//! # Ok::<(), String>(())
//! ```
//!
//! # Dependencies
//!
//! Depends on all crates of the simulation. Does not use the GPU, Lua, sound devices or files. Time advances in ticks,
//! and the seed of random numbers is part of the state: the same input gives the same bits. Sounds and pictures are
//! output as plain data; the simulation never waits for the GPU or the sound card.

mod agents;
mod arena;
mod audio_port;
mod bindings;
mod bodies;
mod brought;
mod camera;
mod characters;
mod checksum;
mod clock;
mod controllers;
mod conversation;
mod crowds;
mod effects;
mod emitters;
mod event;
mod fabrics;
mod failures;
mod flock_walls;
pub mod flocks;
pub mod frame;
mod frame_view;
mod grabs;
mod ground;
mod hair;
mod held;
mod hits;
mod ids;
mod input;
pub mod keys;
mod knocks;
mod lamps;
mod level_of_detail;
mod light;
mod lighting;
mod limbs;
mod marks;
mod message;
mod nodes;
mod own_eyes;
mod passed;
pub mod paths;
mod people;
mod performance;
mod physics;
mod picture;
mod reload;
mod replace;
mod rigs;
mod rng;
mod ropes;
mod scratch;
mod script;
mod secondary;
mod snapshot;
mod solids;
mod speech;
mod stack;
mod stage;
mod sticking;
pub mod surveys;
mod talk;
mod terrain;
mod tick;
pub mod trails;
mod ui;
mod views;
mod visibility;

pub use agents::Agents;
pub use arena::Arena;
pub use audio_port::{AudioPort, SoundCue, SoundOrder};
pub use bindings::{AxisKeys, Bindings};
pub use bodies::Bodies;
pub use camera::{CameraRig, CameraSettings, CameraTarget};
pub use characters::Characters;
pub use checksum::StageChecksum;
pub use clock::Clock;
pub use conversation::{
    Addressed, Conversation, ConversationOptions, ConversationPlan, ConversationStep,
    ConversationTurn, Conversations, GAP, Interruption, MAX_CAST, MAX_CONVERSATIONS, MAX_STEPS,
    Member, StepKind,
};
pub use crowds::{
    Acting, ClipFault, CrowdEvent, CrowdState, Crowding, EventSubject, GaitLevel, Gaits, Leader,
    MAX_AGENTS, MAX_CLIPS, MAX_CROWDS, MAX_OBJECTS, MAX_SLOTS, MAX_STATES, ObjectReach, Person,
    PromotionRule, Reply, Slot, SmartObject, StageCrowd, Tale, USING_EVENT,
};
pub use effects::Effects;
pub use emitters::{EmitterPlace, MAX_EMITTERS, MAX_SPRITES, StageEmitter};
pub use event::{
    BodyEvent, ConversationEnd, ConversationEvent, Conversed, Event, EventKind, LineEvent,
    MarkEvent, SayEvent, StepEvent, StickEvent, Taken, TouchEvent, UseEvent, WalkEvent,
};
pub use fabrics::{Drives, FabricPin, MAX_FABRICS, MAX_PARTICLES, StageFabric, chain_lanes};
pub use frame::Frame;
pub use frame_view::ViewKind;
pub use galatea_character::{Handle, Identity};
pub use ground::{Floor, Patch, PatchShape};
pub use hair::{HairMotion, MAX_GUIDE_POINTS, MAX_HAIR, SkinHold, StageHair, hair_carrier};
pub use hits::Hit;
pub use ids::Ids;
pub use input::{Input, InputEvent};
pub use lamps::{Carried, StageLamp};
pub use level_of_detail::{level_of_detail, most_of_level};
pub use lighting::Lighting;
pub use limbs::control;
pub use performance::has_gesture;
pub use physics::{GRAVITY, Layers, Physics, StageGrab, character_of, owner, surface_of};
pub use picture::PictureSettings;
pub use rigs::{RIGS, RigPlace, light_by};
pub use rng::{Rng, SEED};
use scratch::Scratch;
pub use script::Script;
pub use speech::{LineOver, MAX_LINES, Saying, Speaking, Speech, SpeechVoice};
pub use stage::Stage;
pub use tick::tick;
pub use ui::{
    MAX_CAPTIONS, MAX_UI, Pinned, StageUi, UI_SIZE, UiContent, UiItem, UiPlace, UiText, add_caption,
};
pub use views::{DebugView, Whom};
