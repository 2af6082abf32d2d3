//! The whole simulated world.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::reload::{HandleMap, Reload};
use super::{
    Agents, Arena, AudioPort, Bodies, CameraRig, Characters, Clock, Conversations, DeclaredObjects,
    Effects, Event, Floor, Handle, Ids, Input, InputEvent, Lighting, Physics, PictureSettings, Rng,
    SEED, Scratch, SoundCue, Speech, StageUi, TimeControl, audio_port, camera, characters,
    conversation, crowd_stats, crowds, emitters, event, fabrics, flocks, hair, nav_meshes,
    prop_bodies, scent_fields, speech, terrain,
};
use galatea_asset::ModelKey;
use galatea_character::{Definition, DefinitionSource, Placement};

/// The whole simulated world, in parts that systems borrow. Plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Stage {
    /// Simulated ticks and seconds since the start.
    pub clock: Clock,
    /// Unscaled time, and how fast stage time passes.
    pub time_control: TimeControl,
    /// Source of ids and names for what scripts create.
    pub ids: Ids,
    /// Random number generator. It is part of the state, so that a replay repeats.
    pub rng: Rng,
    /// State of keys, axes and pointer.
    pub input: Input,
    /// Characters.
    pub characters: Characters,
    /// Physics world, its layers and its rigid bodies.
    pub physics: Physics,
    /// The ground surface.
    pub floor: Floor,
    /// Lines being spoken.
    pub speech: Speech,
    /// Running conversations.
    pub conversations: Conversations,
    /// Crowds, flocks, paths, scent trails and crowd statistics.
    pub agents: Agents,
    /// Ropes, cloth, hair and particles.
    pub effects: Effects,
    /// Sun, sky and lights.
    pub lighting: Lighting,
    /// The camera.
    pub camera: CameraRig,
    /// Post-processing and quality settings.
    pub picture: PictureSettings,
    /// 2D interface over the picture: texts, bars, boxes and images.
    pub ui: Arena<StageUi>,
    /// Outgoing sound orders and microphone input.
    pub audio: AudioPort,
    /// Events of this tick, in order.
    pub events: Vec<Event>,
    #[serde(skip)]
    pub(super) scratch: Scratch,
}

impl Default for Stage {
    fn default() -> Self {
        Self::new(1.0 / 60.0)
    }
}

impl Stage {
    /// An empty stage with a fixed number of seconds per tick.
    pub fn new(dt: f64) -> Self {
        Self {
            clock: Clock::new(dt),
            time_control: TimeControl::default(),
            ids: Ids::default(),
            rng: Rng::new(SEED),
            input: Input::default(),
            characters: Characters::default(),
            physics: Physics::default(),
            floor: Floor::default(),
            speech: Speech::default(),
            conversations: Conversations::default(),
            agents: Agents::default(),
            effects: Effects::default(),
            lighting: Lighting::default(),
            camera: CameraRig::default(),
            picture: PictureSettings::default(),
            ui: Arena::default(),
            audio: AudioPort::default(),
            events: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Seconds since the start, at the beginning of the coming tick.
    pub fn time(&self) -> f64 {
        self.clock.time()
    }

    /// Seconds of unscaled time since the start, at the beginning of the coming tick. Input is recorded with this time,
    /// because it continues during a pause.
    pub fn unscaled_time(&self) -> f64 {
        self.time_control.unscaled_time(self.clock)
    }

    /// Applies a change of an input device, before the coming tick.
    pub fn apply(&mut self, event: &InputEvent) {
        let Some(event) = event.clamped() else {
            return;
        };
        match event {
            InputEvent::Turn(..) | InputEvent::Pan(..) | InputEvent::Zoom(_)
                if self.camera.set.locked => {}
            InputEvent::Turn(yaw, pitch) => self.camera.turn(yaw, pitch),
            InputEvent::Pan(right, up) => self.camera.pan(right, up),
            InputEvent::Zoom(amount) => self.camera.zoom(amount),
            _ => self.input.apply(&event),
        }
    }

    /// Adds a character: see [`Characters::add`].
    pub fn add_character(
        &mut self,
        definition: Arc<Definition>,
        source: impl Into<ModelKey>,
        name: Option<&str>,
        spawn: Placement,
    ) -> Handle {
        let Self {
            characters, ids, ..
        } = self;
        characters.add(ids, definition, source, name, spawn)
    }

    /// Borrows the parts of the stage that change when the body of a character is hit, falls or dies.
    pub fn bodies(&mut self) -> Bodies<'_> {
        Bodies {
            clock: self.clock,
            ids: &mut self.ids,
            characters: &mut self.characters,
            physics: &mut self.physics,
            events: &mut self.events,
        }
    }

    /// An empty stage to run a new version of the script against. Characters with the same identity get the same
    /// handles. Clock, input and random numbers continue; key bindings of the old version do not.
    pub fn shadow(&self) -> Self {
        Self {
            clock: self.clock,
            time_control: self.time_control.for_new_script(),
            ids: self.ids.for_new_script(),
            rng: self.rng.clone(),
            input: self.input.for_new_script(),
            characters: self.characters.for_new_script(),
            agents: self.agents.for_new_script(),
            effects: self.effects.for_new_script(),
            lighting: self.lighting.for_new_script(),
            picture: self.picture.for_new_script(),
            ui: self.ui.emptied(),
            ..Self::new(self.clock.dt)
        }
    }

    /// Takes over the running state of the old stage, from which this one was created by [`Stage::shadow`].
    pub fn continue_from(&mut self, old: Self) {
        self.migrate(old, None);
    }

    /// Takes over a saved game made with another version of the script. This stage was created from the saved one by
    /// [`Stage::shadow`]. `declared`: what the main part of that version made. Same rules as for a hot reload, but
    /// characters that the script created later stay, and those that it removed are removed. `running` is the stage that
    /// is played now; its input and unscaled time continue.
    pub fn continue_from_saved(&mut self, saved: Self, declared: &DeclaredObjects, running: &Self) {
        let time_control = saved.time_control.for_loaded_game(&running.time_control);
        // Looped sounds are those of the new version.
        let is_kept = |cue: &SoundCue| !cue.looped;
        let audio = AudioPort::of_saved(&saved.audio, &running.audio, is_kept);
        self.migrate(saved, Some(declared));
        self.time_control = time_control;
        let own = std::mem::replace(&mut self.audio, audio);
        self.audio.orders.extend(own.orders);
        self.audio.loops = own.loops;
    }

    /// Becomes the saved game. This stage was made by the same main part as the saved one was, with the same handles.
    /// Input and unscaled time of `running`, the stage that is played now, continue.
    pub fn become_saved(&mut self, saved: Self, running: &Self) {
        *self = Self {
            time_control: saved.time_control.for_loaded_game(&running.time_control),
            input: std::mem::take(&mut self.input),
            audio: AudioPort::of_saved(&saved.audio, &running.audio, |_| true),
            ..saved
        };
    }

    /// Makes the mixer stop all sounds and start those of this stage at their positions, because this stage is played now
    /// instead of another one.
    pub fn start_sounds_again(&mut self) {
        self.audio = AudioPort::of_saved(&self.audio, &self.audio, |_| true);
    }

    /// Returns true if a model file of a character, a crowd or a flock has changed since the game was saved.
    pub fn has_outlines(&self) -> bool {
        let is_outline =
            |definition: &Definition| matches!(definition.source(), DefinitionSource::Outline(_));
        let bodies = self.agents.crowds.iter();
        let mut bodies = bodies.flat_map(|(_, crowd)| &crowd.bodies);
        self.outlines().next().is_some()
            || bodies.any(|body| is_outline(&body.definition))
            || (self.agents.flocks.iter()).any(|(_, flock)| is_outline(&flock.body.definition))
    }

    /// Handles of characters with a changed model file, and the keys of these files. See [`DefinitionSource::Outline`].
    pub fn outlines(&self) -> impl Iterator<Item = (Handle, &str)> {
        self.characters.iter().filter_map(|(handle, character)| {
            match character.definition.source() {
                DefinitionSource::Outline(key) => Some((handle, key.as_str())),
                _ => None,
            }
        })
    }

    /// The empty stage on which the main part of a script runs when a game is loaded that was saved with this start. Input
    /// and unscaled time of `running` continue.
    pub fn start_of_loaded(&self, running: &Self) -> Self {
        Self {
            time_control: running.time_control.for_new_script(),
            input: running.input.for_new_script(),
            ..self.clone()
        }
    }

    /// The body shows the order of a hot reload:
    fn migrate(&mut self, old: Self, declared: Option<&DeclaredObjects>) {
        self.characters.free_inherited();
        self.ui.free_old();
        self.lighting.local_lights.free_old();
        let mut reload = Reload {
            old,
            new: self,
            crowds: HandleMap::default(),
            characters: Vec::new(),
            declared,
        };
        fabrics::migrate(&mut reload);
        hair::migrate(&mut reload);
        emitters::migrate(&mut reload);
        nav_meshes::migrate(&mut reload);
        crowds::migrate(&mut reload);
        crowds::objects::migrate(&mut reload);
        flocks::migrate(&mut reload);
        crowd_stats::migrate(&mut reload);
        scent_fields::migrate(&mut reload);
        speech::migrate(&mut reload);
        conversation::migrate(&mut reload);
        camera::migrate(&mut reload);
        audio_port::migrate(&mut reload);
        characters::migrate(&mut reload);
        crowds::continuing::migrate(&mut reload);
        terrain::migrate(&mut reload);
        prop_bodies::migrate(&mut reload);
        event::migrate(&mut reload);
        characters::blend_in(&mut reload);
    }
}
