//! The buffers with which the skin of one character is deformed.

use glam::Affine3A;
use serde::{Deserialize, Serialize};

use super::definition::Definition;
use super::face_shapes::FaceShapeWeights;
use super::pose_state::PoseState;
use galatea_deform::build_palette;

/// Palettes and morph weights of the last tick and of the tick before.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SkinBuffers {
    /// Skinning matrices of the last tick and of the tick before.
    pub palette: [Vec<Affine3A>; 2],
    /// Morph weights of the last tick and of the tick before.
    pub morphs: [Vec<f32>; 2],
}

impl SkinBuffers {
    /// Makes the current buffers the previous ones. [`SkinBuffers::build`] must follow; it reuses the older buffers.
    #[inline]
    pub(super) fn begin_build(&mut self) {
        self.palette.swap(0, 1);
        self.morphs.swap(0, 1);
    }

    /// Computes palette and morph weights from the pose, with the character's face shapes.
    pub(super) fn build(
        &mut self,
        definition: &Definition,
        posed: &PoseState,
        likeness: Option<&FaceShapeWeights>,
    ) {
        let [palette, _] = &mut self.palette;
        let [morphs, _] = &mut self.morphs;
        palette.clear();
        build_palette(&definition.model, &posed.model_from_bone, palette);
        morphs.clone_from(&posed.pose.morphs);
        if let Some(likeness) = likeness {
            likeness.apply(morphs, palette);
        }
    }

    /// Makes the previous tick equal to the current one.
    pub(super) fn forget_motion(&mut self) {
        let [now, before] = &mut self.palette;
        before.clone_from(now);
        let [now, before] = &mut self.morphs;
        before.clone_from(now);
    }
}
