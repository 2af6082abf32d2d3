//! The pose of one character and the matrices that follow from it.

use glam::Affine3A;

use super::settling::Settling;
use galatea_anim::Pose;

/// Pose and matrices of the last tick.
#[derive(Clone, Debug)]
pub struct PoseState {
    /// Local transforms, morph weights and curves.
    pub pose: Pose,
    /// Model-from-bone matrices.
    pub model_from_bone: Vec<Affine3A>,
    /// World-from-model matrices of the last tick and of the tick before.
    pub world: [Affine3A; 2],
    /// Morph weights that the script holds, by index into the pose's morphs.
    pub morph_overrides: Vec<(usize, f32)>,
    /// Inertial blend from the pose before a hot reload or from the pose that the physics left.
    pub(super) settling: Option<Box<Settling>>,
}
