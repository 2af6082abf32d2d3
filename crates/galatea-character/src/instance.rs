//! One character on the stage.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::appearance::CharacterAppearance;
use super::body::CharacterBody;
use super::definition::Definition;
use super::identity::Identity;
use super::interaction_set::InteractionSet;
use super::locomotion::Locomotion;
use super::made_clip::MadeClip;
use super::metrics::{Metrics, MetricsInput};
use super::modifiers::Modifiers;
use super::own_time::OwnTime;
use super::placement::{Attachment, Placement};
use super::playback::Playback;
use super::pose_state::PoseState;
use super::secondary::{JUMP, Secondary, SwingingBody};
use super::skin_buffers::SkinBuffers;
use galatea_anim::Playhead;
use galatea_asset::ModelKey;

/// One character: a shared definition and its own state, split into parts that systems borrow separately.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Character {
    /// Identity over hot reloads.
    pub identity: Identity,
    /// Source of the model.
    pub source: ModelKey,
    /// Data shared with all characters of the model.
    #[serde(with = "galatea_persist::shared")]
    pub definition: Arc<Definition>,
    /// Initial placement set by the script.
    pub spawn: Placement,
    /// Current position, rotation and scale.
    pub placement: Placement,
    /// Attachment to a bone of another character, which overrides `placement`.
    pub attachment: Option<Attachment>,
    /// Speed and kind of the character's time.
    pub time: OwnTime,
    /// State machine, clips and marks.
    pub playback: Playback,
    /// Root motion and turns in place.
    pub locomotion: Locomotion,
    /// Physics bodies and reactions to hits.
    pub body: CharacterBody,
    /// Pose and matrices of this tick and the last one.
    pub posed: PoseState,
    /// Pose modifiers.
    pub modifiers: Modifiers,
    /// Springs and jiggle bones, applied to the pose.
    pub secondary: Secondary,
    /// Palettes and morph weights for drawing.
    pub skin: SkinBuffers,
    /// Face shapes, materials, wrinkles and decals.
    pub appearance: CharacterAppearance,
    /// Handles for gripping it, and its levers.
    pub interactions: InteractionSet,
    /// Measurements of the motion; off by default.
    pub metrics: Option<Box<Metrics>>,
}

impl Character {
    /// Returns the name shown to people: the script's name, or its file or shape with a number.
    pub fn shown_name(&self) -> &str {
        self.identity.label()
    }

    /// Creates a character in its rest state.
    pub fn new(
        identity: Identity,
        source: ModelKey,
        definition: Arc<Definition>,
        spawn: Placement,
    ) -> Self {
        let mut character = Self {
            identity,
            source,
            spawn,
            placement: spawn,
            attachment: None,
            time: OwnTime::default(),
            playback: Playback::new(&definition),
            locomotion: Locomotion::default(),
            body: CharacterBody::default(),
            posed: PoseState::new(&definition, spawn),
            modifiers: Modifiers::of_file(&definition),
            secondary: Secondary::of_file(&definition),
            skin: SkinBuffers::default(),
            appearance: CharacterAppearance::new(&definition),
            interactions: InteractionSet::default(),
            metrics: None,
            definition,
        };
        character.evaluate_pose(0.0);
        character.build();
        character.forget_motion();
        character
    }

    /// Makes the current palette and morph weights the previous ones and reuses the older buffers. [`Character::build`] must
    /// follow to fill them.
    pub fn begin_build(&mut self) {
        self.skin.begin_build();
        self.appearance.begin_build();
    }

    /// Evaluates machine, actions and overrides to a pose and model matrices. Does not advance time; `dt` is the length of
    /// the current tick in seconds.
    pub fn evaluate_pose(&mut self, dt: f64) {
        let definition = &*self.definition;
        self.playback.evaluate(definition, dt, &mut self.posed.pose);
        let likeness = self.appearance.face_shapes.as_deref();
        let rising = self.body.rising.as_deref();
        self.posed.finish(definition, likeness, rising);
    }

    /// Returns the distance per tick, world space, metres, above which a movement counts as a teleport. Springs and cloth
    /// move rigidly with a teleport.
    pub fn body_length(&self) -> f32 {
        let longest = 2.0 * self.definition.rest_bounds.1 * self.placement.scale.abs();
        (JUMP * longest).max(0.25)
    }

    /// Advances springs and jiggle bones by `dt` seconds and updates the bone matrices. Call between
    /// [`Character::evaluate_pose`] and [`Character::build`]; with 0 no time passes.
    pub fn advance_secondary(&mut self, dt: f64, wind: &dyn Fn(Vec3) -> Vec3) {
        let body = SwingingBody {
            jump: self.body_length(),
            skeleton: &self.definition.model.skeleton,
            locals: &self.posed.pose.locals,
            model_from_bone: &mut self.posed.model_from_bone,
            world_from_model: self.posed.world[0],
        };
        self.secondary.advance(body, dt, wind);
    }

    /// Returns the input of the meters.
    pub fn metrics_input(&self) -> MetricsInput<'_> {
        MetricsInput {
            playing: self.playback.playing(&self.definition),
            placement: self.placement,
            world_from_model: self.posed.world[0],
            model_from_bone: &self.posed.model_from_bone,
            modifier_stack: self.modifiers.modifier_stack.as_deref(),
        }
    }

    /// Switches the meters on if they are off.
    pub fn enable_metrics(&mut self) -> &mut Metrics {
        let (definition, scale) = (&self.definition, self.placement.scale);
        self.metrics
            .get_or_insert_with(|| Box::new(Metrics::new(definition, scale)))
    }

    /// Updates the meters, if they are on.
    pub fn update_metrics(&mut self, dt: f64) {
        if let Some(mut meters) = self.metrics.take() {
            meters.read(&self.metrics_input(), dt as f32);
            self.metrics = Some(meters);
        }
    }

    /// Computes matrices, morph weights, materials and wrinkles for drawing from the pose.
    pub fn build(&mut self) {
        let definition = &*self.definition;
        let likeness = self.appearance.face_shapes.as_deref();
        self.skin.build(definition, &self.posed, likeness);
        let facing = self.modifiers.facing();
        let curves = &self.posed.pose.curves;
        self.appearance
            .build(definition, curves, facing, &self.skin);
    }

    /// Makes the previous tick equal to the current one, so that nothing is interpolated across a teleport.
    pub fn forget_motion(&mut self) {
        self.posed.begin_tick();
        self.skin.forget_motion();
        self.appearance.forget_motion();
    }

    /// Adds a clip of its own to this character. `definition` is the current one with that clip appended, see
    /// [`Definition::with_made`]; playback continues.
    pub fn add_clip(&mut self, made: Arc<MadeClip>, definition: Arc<Definition>) {
        let n = self.playback.markers.len();
        self.playback
            .markers
            .extend(definition.markers.iter().skip(n).cloned());
        if self.definition.idle != definition.idle {
            self.playback.idle = Playhead::default();
        }
        self.definition = definition;
        self.playback.own_clips.push(made);
    }
}
