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
//! use galatea_physics::{CollisionShape, BodyType, PlacedShape, RigidFrame, PropBodySettings, Velocity};
//! use galatea_stage::{Event, Frame, Handle, Script, Stage, tick};
//! use glam::Vec3;
//!
//! // A script that does nothing. `galatea-script` implements this for Lua.
//! struct NoScript;
//! impl Script for NoScript {
//!     fn update(&mut self, _: &mut Stage, _dt: f64) {}
//!     fn params(&mut self, _: Handle, _: &mut [f32]) {}
//!     fn evaluate(&mut self, _: Handle, _: Predicate) -> bool { false }
//!     fn deliver(&mut self, _: &mut Stage, _: &[Event]) {}
//! }
//!
//! // A box of 40 cm falls from 2 m onto the floor.
//! let mut stage = Stage::default();
//! let model = stage.characters.primitive(&PrimitiveMesh::Box(Vec3::splat(0.4)));
//! let spawn = Placement { position: Vec3::Y * 2.0, ..Placement::default() };
//! let handle = stage.characters.add(&mut stage.ids, model, "box", Some("crate"), spawn);
//! let piece = PlacedShape { shape: CollisionShape::Box(Vec3::splat(0.2)), at: RigidFrame::IDENTITY };
//! let body = PropBodySettings { pieces: [piece].into(), body_type: BodyType::Dynamic, ..PropBodySettings::default() };
//! stage.bodies().set_prop_body(handle, Some(body), Velocity::default())?;
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
mod attachments;
mod audio_port;
mod bindings;
mod bodies;
mod bone_lines;
mod camera;
mod characters;
mod checksum;
mod clock;
mod controllers;
mod conversation;
pub mod crowd_stats;
mod crowds;
mod declared;
mod drawn_crowds;
mod effects;
mod emitters;
mod event;
mod fabrics;
mod failures;
mod flock_walls;
pub mod flocks;
pub mod frame;
mod frame_view;
mod ghost;
mod grabs;
mod ground;
mod hair;
mod hits;
mod ids;
mod input;
pub mod keys;
mod knocks;
mod level_of_detail;
mod light;
mod lighting;
mod limbs;
mod local_lights;
mod marker_events;
mod markers;
mod message;
mod model_colliders;
mod modifier_stacks;
pub mod nav_meshes;
mod nodes;
mod own_eyes;
mod performance;
mod physics;
mod picture;
mod prop_bodies;
mod reload;
mod replace;
mod rigs;
mod rng;
mod ropes;
mod saved;
pub mod scent_fields;
mod scratch;
mod script;
mod secondary;
mod snapshot;
mod speech;
mod stage;
mod steps;
mod sticking;
mod surroundings;
mod talk;
mod terrain;
mod tick;
mod time_bases;
mod time_control;
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
    ClipFault, ClipSequence, CrowdAgent, CrowdEvent, CrowdEventKind, CrowdState, Crowding,
    EventSubject, GaitLevel, Gaits, Leader, MAX_AGENTS, MAX_CLIPS, MAX_CROWDS, MAX_OBJECTS,
    MAX_SLOTS, MAX_STATES, PromotionRule, Reply, Slot, SlotIkTarget, SmartObject, StageCrowd,
    USE_EVENT,
};
pub use declared::DeclaredObjects;
pub use effects::Effects;
pub use emitters::{EmitterAttachment, MAX_EMITTERS, MAX_SPRITES, StageEmitter};
pub use event::{
    ControllerEvent, ConversationEnd, ConversationEvent, ConversationEventKind,
    ConversationTurnEvent, Event, EventKind, FallEvent, LineEvent, MarkerEvent, SayEvent,
    StepEvent, StickEvent, TouchEvent, UseEvent,
};
pub use fabrics::{Drives, FabricPin, MAX_FABRICS, MAX_PARTICLES, StageFabric, chain_lanes};
pub use frame::Frame;
pub use frame_view::ViewKind;
pub use galatea_character::{Handle, Identity};
pub use ground::{Floor, Patch, PatchShape};
pub use hair::{
    HairSimulation, MAX_GUIDE_POINTS, MAX_HAIR, SkinHold, StageHair, hair_world_from_rest,
};
pub use hits::Hit;
pub use ids::Ids;
pub use input::{Input, InputEvent};
pub use level_of_detail::{level_of_detail, max_size_of_level};
pub use lighting::Lighting;
pub use limbs::control;
pub use local_lights::{LightAttachment, StageLight};
pub use performance::has_gesture;
pub use physics::{GRAVITY, Layers, Physics, StageGrab, character_of, owner, surface_of};
pub use picture::PictureSettings;
pub use rigs::{LightRigPlacement, RIGS, light_by};
pub use rng::{Rng, SEED};
use scratch::Scratch;
pub use script::Script;
pub use speech::{FinishedLine, MAX_LINES, Saying, Speaking, Speech, SpeechVoice};
pub use stage::Stage;
pub use tick::tick;
pub use time_control::TimeControl;
pub use ui::{
    MAX_CAPTIONS, MAX_UI, Pinned, StageUi, UI_SIZE, UiContent, UiItem, UiText, UiWorldPlacement,
    add_caption,
};
pub use views::{CharacterSelector, DebugView};
