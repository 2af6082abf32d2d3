//! The simulation: a scene of characters, physics, crowds, particles, speech, lights and camera, stepped in fixed ticks.
//!
//! A [`Stage`] is the whole scene as plain data. Handles with generations ([`Handle`]) name what is in it; each kind has an [`Arena`].
//! [`tick`] advances it by one tick (1/60 s by default), calls the [`Script`], and collects [`Event`]s and sound orders. Its body shows the
//! order of a frame. [`Stage::snapshot`] interpolates between the last two ticks into a [`Frame`], which the renderer draws.
//! [`Stage::apply`] takes input.
//!
//! ```
//! use galatea_asset::Form;
//! use galatea_character::Placement;
//! use galatea_machine::Predicate;
//! use galatea_physics::{Motion, Piece, Shape, SolidOptions, Velocity};
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
//! let model = stage.form(&Form::Box(Vec3::splat(0.4)));
//! let spawn = Placement { position: Vec3::Y * 2.0, ..Placement::default() };
//! let handle = stage.add_character(model, "box", Some("crate"), spawn);
//! let piece = Piece { shape: Shape::Box(Vec3::splat(0.2)), at: galatea_physics::Frame::IDENTITY };
//! let body = SolidOptions { pieces: [piece].into(), motion: Motion::Dynamic, ..SolidOptions::default() };
//! stage.set_solid(handle, Some(body), Velocity::default())?;
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
//! Depends on all crates of the simulation. Knows no GPU, no Lua, no sound device and no files. Time comes in ticks, and chance from
//! a seed that is part of the state: the same input gives the same bits. Sounds and pictures go out as plain data; the
//! simulation never waits for the GPU or the sound card.

mod arena;
mod bindings;
mod brought;
mod camera;
mod controllers;
mod conversation;
mod crowds;
mod emitters;
mod event;
mod fabrics;
pub mod flocks;
pub mod frame;
mod frame_view;
mod grabs;
mod ground;
mod hair;
mod held;
mod hits;
mod input;
pub mod keys;
mod knocks;
mod lamps;
mod level_of_detail;
mod light;
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
mod replace;
mod rigs;
mod script;
mod secondary;
mod snapshot;
mod solids;
mod speech;
mod stack;
mod sticking;
pub mod surveys;
mod terrain;
mod tick;
pub mod trails;
mod ui;
mod views;

use std::collections::VecDeque;
use std::sync::Arc;

use glam::Vec3;

pub use arena::Arena;
pub use bindings::{AxisKeys, Bindings};
pub use camera::{CameraRig, CameraSettings, CameraTarget};
pub use conversation::{
    Addressed, Conversation, ConversationOptions, ConversationPlan, ConversationStep, GAP,
    Interruption, MOST_CAST, MOST_CONVERSATIONS, MOST_STEPS, Member, StepKind, Turn,
};
pub use crowds::{
    About, Acting, CrowdState, Crowding, Gaits, Leader, Level, MOST_CLIPS, MOST_CROWDS,
    MOST_OBJECTS, MOST_PEOPLE, MOST_SLOTS, MOST_STATES, Near, ObjectReach, Person, Reply, Slot,
    SmartObject, StageCrowd, Tale, Told,
};
pub use emitters::{EmitterPlace, MOST_EMITTERS, MOST_SPRITES, StageEmitter};
pub use event::{
    BodyEvent, ConversationEnd, ConversationEvent, Conversed, Event, EventKind, MarkEvent, Said,
    SayEvent, StepEvent, StickEvent, Taken, TouchEvent, UseEvent, WalkEvent,
};
pub use fabrics::{Drives, FabricPin, MOST_FABRICS, MOST_PARTICLES, StageFabric, chain_lanes};
pub use frame::Frame;
pub use frame_view::ViewKind;
pub use ground::{Floor, Patch, PatchShape};
pub use hair::{HairMotion, MOST_GUIDE_POINTS, MOST_HAIR, SkinHold, StageHair, hair_carrier};
pub use hits::Hit;
pub use input::{Input, InputEvent};
pub use lamps::{Carried, StageLamp};
pub use level_of_detail::{level_of_detail, most_of_level};
pub use limbs::control;
pub use performance::has_gesture;
pub use physics::{GRAVITY, Layers, Physics, StageGrab, character_of, owner, surface_of};
pub use rigs::{RIGS, RigPlace, light_by};
pub use script::Script;
pub use speech::{LineOver, MOST_LINES, Saying, Speaking, Voice};
pub use tick::tick;
pub use ui::{
    MOST_CAPTIONS, MOST_UI, Pinned, StageUi, UI_SIZE, UiContent, UiItem, UiPlace, UiText,
};
pub use views::{DebugView, Whom};

use galatea_character::{Character, Definition, Place, Placement};
pub use galatea_character::{Handle, Identity};
use galatea_physics::Owner;
use galatea_rig::feet::{LegRig, Step};
use galatea_rig::wind::Wind;
use galatea_speech::viseme::N_VISEMES;

/// Where chance begins, on every stage.
pub const SEED: u64 = 0x6a1a_7ea0;

/// A sound to be heard.
#[derive(Clone, Debug, PartialEq)]
pub struct SoundCue {
    /// Names it for stopping and changing.
    pub id: u64,
    /// Name of the sound in the project.
    pub sound: Arc<str>,
    /// Stage seconds at which it begins, exact within a tick.
    pub time: f64,
    /// World position; `None` is heard as recorded.
    pub position: Option<Vec3>,
    /// Factor on the amplitude.
    pub gain: f32,
    /// Factor on the speed and pitch.
    pub pitch: f32,
    /// Starts again at its end.
    pub looped: bool,
    /// Somebody speaks.
    pub is_speech: bool,
    /// Factor on the amplitude while somebody speaks, 0..=1.
    pub duck: f32,
}

/// What the sound room is asked to do.
#[derive(Clone, Debug, PartialEq)]
pub enum SoundOrder {
    /// Begin a sound.
    Play(SoundCue),
    /// End a sound, fading for some seconds.
    Stop {
        /// Which.
        id: u64,
        /// Seconds.
        fade: f32,
    },
    /// Change a sound that plays or is to play; what is not given stays.
    Change {
        /// Which.
        id: u64,
        /// Factor on the amplitude.
        gain: Option<f32>,
        /// Factor on the speed and pitch.
        pitch: Option<f32>,
        /// World position; for a sound that has one.
        position: Option<Vec3>,
    },
    /// Factor on everything.
    Volume(f32),
}

/// The whole simulated world. Plain data.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Ticks since the start.
    pub n_ticks: u64,
    /// Seconds per tick.
    pub dt: f64,
    /// Who is here.
    pub characters: Arena<Character>,
    /// Where it is seen from.
    pub camera: CameraRig,
    /// Sun and sky. Its lamps are in `lamps`.
    pub light: frame::Light,
    /// Lamps.
    pub lamps: Arena<StageLamp>,
    /// Ropes and cloth.
    pub fabrics: Arena<StageFabric>,
    /// Hair that characters wear.
    pub hair: Arena<StageHair>,
    /// What gives off particles.
    pub emitters: Arena<StageEmitter>,
    /// Many who walk.
    pub crowds: Arena<StageCrowd>,
    /// Ways over the stage.
    pub paths: Arena<paths::StagePaths>,
    /// Memory of theirs.
    pub crowding: Crowding,
    /// What is counted of crowds.
    pub surveys: Arena<surveys::Survey>,
    /// What people of crowds leave on the ground.
    pub trails: Arena<trails::StageTrail>,
    /// Birds and fish.
    pub flocks: Arena<flocks::StageFlock>,
    /// What they use.
    pub objects: Arena<SmartObject>,
    /// The air that springs, ropes and cloth move in.
    pub wind: Wind,
    /// Texts, bars, boxes and images over the picture.
    pub ui: Arena<StageUi>,
    /// How light becomes a picture.
    pub look: frame::Look,
    /// How good pictures are; `None` leaves it to who draws.
    pub quality: Option<frame::Quality>,
    /// What it stands on.
    pub floor: Floor,
    /// Solid things.
    pub physics: Physics,
    /// Keys, axes, pointer.
    pub input: Input,
    /// What happened in this tick, in order.
    pub events: Vec<Event>,
    /// What is to be heard, since the sound room last took it.
    pub sounds: Vec<SoundOrder>,
    /// What is spoken, and waits to be, in order.
    pub lines: Vec<Speaking>,
    /// Lines that are over, the latest last: why, where, and of those that were cut what is left to say.
    pub lines_over: VecDeque<LineOver>,
    /// Conversations that are not over.
    pub conversations: Vec<Conversation>,
    /// Those of the script before, which the new one may begin again.
    left_conversations: Vec<Conversation>,
    /// Seconds by which what is heard is behind what is seen, as the sound room has it.
    pub sound_delay: f64,
    /// Seconds by which it was in this tick alone, as far as the sound card's clock tells.
    pub sound_delay_now: f64,
    /// What the microphone hears as a mouth; `None` while none is listened to.
    pub microphone: Option<[f32; N_VISEMES]>,
    /// Looped sounds that were begun; they end when another script takes over.
    pub loops: Vec<u64>,
    /// Skeletons are drawn over the picture.
    pub show_bones: bool,
    /// What is shown of the characters in place of their looks.
    pub view: Option<DebugView>,
    /// Source of chance; part of the state, so that a replay is the same.
    pub rng: Rng,
    /// Memory for putting events in order: time, place among those of one time, place before.
    order: Vec<(f64, u8, u32)>,
    /// Memory for the modifiers of a tick: where goals are, who is no ground, what feet told.
    goals: Vec<(Handle, [usize; 2], Option<Place>)>,
    persons: Vec<Owner>,
    later: Vec<Handle>,
    steps: Vec<(Handle, Arc<LegRig>, Step)>,
    /// Names for the next action or sound.
    next_id: u64,
    /// Handles of the stage this one replaces, by the characters' keys.
    inherited: Vec<(Identity, Handle)>,
    /// Simple things that were made, by their keys.
    forms: Vec<(String, Arc<Definition>)>,
    /// How many characters of each file, and particles, were made, for keys.
    made: Vec<(String, u32)>,
    /// Names of those that were taken off last, oldest first.
    removed: VecDeque<(Handle, String)>,
}

/// Names of those taken off the stage that are kept.
const MOST_REMOVED: usize = 256;

impl Default for Stage {
    fn default() -> Self {
        Self::new(1.0 / 60.0)
    }
}

impl Stage {
    /// An empty stage with a fixed number of seconds per tick.
    pub fn new(dt: f64) -> Self {
        Self {
            n_ticks: 0,
            dt,
            characters: Arena::default(),
            camera: CameraRig::default(),
            light: frame::Light::default(),
            lamps: Arena::default(),
            fabrics: Arena::default(),
            hair: Arena::default(),
            emitters: Arena::default(),
            crowds: Arena::default(),
            paths: Arena::default(),
            crowding: Crowding::default(),
            surveys: Arena::default(),
            trails: Arena::default(),
            flocks: Arena::default(),
            objects: Arena::default(),
            wind: Wind::default(),
            ui: Arena::default(),
            look: frame::Look::default(),
            quality: None,
            floor: Floor::default(),
            physics: Physics::default(),
            forms: Vec::new(),
            input: Input::default(),
            events: Vec::new(),
            sounds: Vec::new(),
            lines: Vec::new(),
            lines_over: VecDeque::new(),
            conversations: Vec::new(),
            left_conversations: Vec::new(),
            sound_delay: 0.0,
            sound_delay_now: 0.0,
            microphone: None,
            loops: Vec::new(),
            show_bones: false,
            view: None,
            rng: Rng::new(SEED),
            order: Vec::new(),
            goals: Vec::new(),
            persons: Vec::new(),
            later: Vec::new(),
            steps: Vec::new(),
            next_id: 1,
            inherited: Vec::new(),
            made: Vec::new(),
            removed: VecDeque::new(),
        }
    }

    /// Seconds since the start, at the beginning of the coming tick.
    pub fn time(&self) -> f64 {
        self.n_ticks as f64 * self.dt
    }

    /// An input device changed, before the coming tick.
    pub fn apply(&mut self, event: &InputEvent) {
        match *event {
            InputEvent::Turn(..) | InputEvent::Pan(..) | InputEvent::Zoom(_)
                if self.camera.set.locked => {}
            InputEvent::Turn(yaw, pitch) => self.camera.turn(yaw, pitch),
            InputEvent::Pan(right, up) => self.camera.pan(right, up),
            InputEvent::Zoom(amount) => self.camera.zoom(amount),
            _ => self.input.apply(event),
        }
    }

    /// A number nothing else on this stage has.
    pub fn new_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// Identifies something new of a kind, by its name if it has one.
    fn identify(&mut self, name: Option<&str>, kind: &str) -> Identity {
        if let Some(name) = name {
            return Identity::Named(name.to_owned());
        }
        let number = match self.made.iter_mut().find(|(known, _)| known == kind) {
            Some((_, n)) => {
                *n += 1;
                *n
            }
            None => {
                self.made.push((kind.to_owned(), 0));
                0
            }
        };
        Identity::declared(kind, number)
    }

    /// Puts a character on the stage. `name` makes it known over reloads; without one it is known by
    /// its file and the order in which characters of that file were made.
    pub fn add_character(
        &mut self,
        definition: Arc<Definition>,
        source: &str,
        name: Option<&str>,
        spawn: Placement,
    ) -> Handle {
        let identity = self.identify(name, source);
        let known = self.inherited.iter().position(|(own, _)| *own == identity);
        let character = Character::new(identity, source.to_owned(), definition, spawn);
        match known {
            Some(i) => {
                let (_, handle) = self.inherited.swap_remove(i);
                self.characters.insert_at(handle, character);
                handle
            }
            None => self.characters.insert(character),
        }
    }

    /// True when a character of this name is on the stage.
    pub fn has_character_named(&self, name: &str) -> bool {
        self.character_named(name).is_some()
    }

    /// The character that a script gave this name.
    pub fn character_named(&self, name: &str) -> Option<Handle> {
        let mut all = self.characters.iter();
        Some(
            all.find(|(_, character)| character.identity.name() == Some(name))?
                .0,
        )
    }

    /// Takes a character off the stage. False when it is not there.
    pub fn remove_character(&mut self, handle: Handle) -> bool {
        let Some(character) = self.characters.remove(handle) else {
            return false;
        };
        if self.removed.len() >= MOST_REMOVED {
            self.removed.pop_front();
        }
        let name = character.shown_name().to_owned();
        self.removed.push_back((handle, name));
        true
    }

    /// Name of a removed character; only those of the last 256 are known.
    pub fn name_of_removed(&self, handle: Handle) -> Option<&str> {
        let mut removed = self.removed.iter().rev();
        let found = removed.find(|(known, _)| *known == handle)?;
        Some(&found.1)
    }

    /// Who holds a character by a bone.
    pub fn holder(&self, handle: Handle) -> Option<Handle> {
        Some(self.characters.get(handle)?.attachment?.holder)
    }
}

/// A small deterministic generator (SplitMix64).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng(u64);

impl Rng {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// An index in 0..n; 0 when n is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.unit() * n as f64) as usize).min(n.saturating_sub(1))
    }
}
