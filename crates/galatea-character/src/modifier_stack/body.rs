//! The parts of a character that modifiers read, and the pose that they change.

use glam::Affine3A;

use crate::placement::Placement;
use crate::playing::Playing;
use galatea_anim::Pose;
use galatea_physics::Controller;
use galatea_rig::foot_ik::GroundQuery;

/// Input of a tick for the stack.
#[derive(Clone, Copy)]
pub struct ModifierStackInput<'a> {
    /// Tick length, seconds.
    pub dt: f32,
    /// Ground under the feet.
    pub ground: &'a dyn GroundQuery,
}

/// Pass of the stack in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// All modifiers except helpers, before the physics step moves the bodies towards the modified pose.
    BeforeBodies,
    /// Modifiers that have not acted yet: helpers, and all modifiers of a character without bodies.
    Last,
}

/// The parts of a character that modifiers read.
#[derive(Clone, Copy)]
pub struct ModifierStackBody<'a> {
    /// State machine and clips.
    pub playing: Playing<'a>,
    /// Position, rotation and scale in the world.
    pub placement: Placement,
    /// World-from-model matrix of this tick.
    pub world_from_model: Affine3A,
    /// Character controller, if any.
    pub controller: Option<&'a Controller>,
    /// The character is attached to a bone of another character.
    pub is_attached: bool,
    /// Its limbs are bodies that are already in the physics world.
    pub has_bodies: bool,
    /// The character is dead.
    pub is_dead: bool,
    /// The character turns in place towards its gaze target.
    pub turns_to_gaze: bool,
    /// Morph weights set by a script, by index into those of the pose.
    pub morph_overrides: &'a [(usize, f32)],
}

impl ModifierStackBody<'_> {
    /// Returns the body height relative to a human.
    pub(super) fn size_over_human(&self) -> f32 {
        const HUMAN: f32 = 1.7;
        let skeleton = &self.playing.definition.model.skeleton;
        skeleton.height() * self.placement.scale.abs() / HUMAN
    }
}

/// The parts of a character that modifiers change.
pub struct ModifierStackPose<'a> {
    /// Local transforms and morph weights.
    pub pose: &'a mut Pose,
    /// Model-from-bone matrices of the pose.
    pub model_from_bone: &'a mut Vec<Affine3A>,
}
