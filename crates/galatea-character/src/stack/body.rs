//! The parts of a character that modifiers read, and those that they change.

use glam::Affine3A;

use crate::placement::Placement;
use crate::playing::Playing;
use galatea_anim::Pose;
use galatea_physics::Controller;
use galatea_rig::feet::GroundQuery;

/// What a tick tells the stack.
pub struct StackInput<'a> {
    /// Seconds.
    pub dt: f32,
    /// What feet stand on.
    pub ground: &'a dyn GroundQuery,
}

/// Which modifiers act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// All but helpers, before the bodies of a character are moved: these go where the modifiers have them.
    BeforeBodies,
    /// What has not acted yet: helpers, and all of one without bodies.
    Last,
}

/// The parts of a character that modifiers read.
#[derive(Clone, Copy)]
pub struct StackBody<'a> {
    /// Its machine and its clips.
    pub playing: Playing<'a>,
    /// Its place in the world.
    pub placement: Placement,
    /// World-from-model matrix of this tick.
    pub world_from_model: Affine3A,
    /// Its controller, if it walks in the physics world.
    pub controller: Option<&'a Controller>,
    /// A bone of another character holds it.
    pub is_attached: bool,
    /// Its limbs are bodies that are in the world already.
    pub has_bodies: bool,
    /// It is dead.
    pub is_dead: bool,
    /// It turns on the spot to what it looks at.
    pub turns_to_look: bool,
    /// Morph weights that a script holds, by index into those of the pose.
    pub morph_overrides: &'a [(usize, f32)],
}

impl StackBody<'_> {
    /// Its height over that of a human.
    pub(super) fn size_over_human(&self) -> f32 {
        const HUMAN: f32 = 1.7;
        let skeleton = &self.playing.definition.model.skeleton;
        skeleton.height() * self.placement.scale.abs() / HUMAN
    }
}

/// The parts of a character that modifiers change.
pub struct StackPose<'a> {
    /// Local transforms and morph weights.
    pub pose: &'a mut Pose,
    /// Model-from-bone matrices of the pose.
    pub model_from_bone: &'a mut Vec<Affine3A>,
}
