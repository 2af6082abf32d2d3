//! The pose of one character and the matrices derived from it.

use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::definition::Definition;
use super::face_shapes::FaceShapeWeights;
use super::placement::Placement;
use super::rising::{Rising, keep_above};
use super::settling::Settling;
use galatea_anim::{Pose, local_to_model};

/// Pose and matrices of a character.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PoseState {
    /// Local transforms, morph weights and curves.
    pub pose: Pose,
    /// Model-from-bone matrices.
    pub model_from_bone: Vec<Affine3A>,
    /// World-from-model matrices of the last tick and of the tick before.
    pub world: [Affine3A; 2],
    /// Morph weights set by the script, by index into the pose's morphs.
    pub morph_overrides: Vec<(usize, f32)>,
    /// Inertial blend from the pose before a hot reload or from the pose that the physics left.
    pub(super) settling: Option<Box<Settling>>,
}

impl PoseState {
    /// Creates the rest pose at a placement.
    pub fn new(definition: &Definition, placement: Placement) -> Self {
        Self {
            pose: definition.rest.clone(),
            model_from_bone: Vec::new(),
            world: [placement.to_affine(); 2],
            morph_overrides: Vec::new(),
            settling: None,
        }
    }

    /// Copies the current placement to the previous one.
    #[inline]
    pub fn begin_tick(&mut self) {
        self.world[1] = self.world[0];
    }

    /// World position of the model in the tick before the last one, metres.
    pub fn previous_position(&self) -> Vec3 {
        self.world[1].translation.into()
    }

    /// Applies overrides to the pose of the clips, in order: position of the eyes, getting up, inertial blend, script's
    /// morph weights. Then computes the bone matrices.
    pub(super) fn finish(
        &mut self,
        definition: &Definition,
        likeness: Option<&FaceShapeWeights>,
        rising: Option<&Rising>,
    ) {
        if let Some(likeness) = likeness {
            likeness.place_eyes(&mut self.pose.locals);
        }
        if let Some(pose) = rising.and_then(|rising| rising.pose()) {
            self.pose.copy_from(pose);
        }
        if let Some(settling) = &mut self.settling {
            settling.apply(&mut self.pose);
        }
        if let Some(rising) = rising {
            keep_above(
                definition,
                rising,
                &mut self.pose,
                &mut self.model_from_bone,
            );
        }
        for &(index, weight) in &self.morph_overrides {
            if let Some(value) = self.pose.morphs.get_mut(index) {
                *value = weight;
            }
        }
        local_to_model(
            definition.clips.skeleton(),
            &self.pose.locals,
            &mut self.model_from_bone,
        );
    }

    /// Returns the world position of a bone's origin, metres.
    pub fn bone_position(&self, bone: u16) -> Vec3 {
        let bone = usize::from(bone);
        let in_model = self
            .model_from_bone
            .get(bone)
            .map_or(Vec3::ZERO, |m| m.translation.into());
        self.world[0].transform_point3(in_model)
    }

    /// Returns the rotation of a bone in world space.
    pub fn bone_rotation(&self, bone: u16) -> Quat {
        let in_model = self.model_from_bone.get(usize::from(bone));
        let world = self.world[0] * in_model.copied().unwrap_or(Affine3A::IDENTITY);
        world.to_scale_rotation_translation().1
    }

    /// Starts an inertial blend of some seconds from a pose in which the physics left the character, with its motion, to the
    /// pose of the clips. `before_that` is the pose one tick of `dt` seconds earlier. Starts at the next evaluation.
    pub fn settle_from_pose(&mut self, before: Pose, before_that: Pose, dt: f64, seconds: f32) {
        let settling = Settling::from_pose(before, before_that, dt, seconds);
        self.settling = Some(Box::new(settling));
    }

    /// Advances the inertial blend by `dt` seconds.
    pub fn settle_on(&mut self, dt: f64) {
        if self.settling.as_mut().is_some_and(|s| s.advance(dt)) {
            self.settling = None;
        }
    }

    /// Rebinds the script's morph weights to a new version of the model by name.
    pub(super) fn rebind_overrides(&mut self, old: &Definition, new: &Definition) {
        let overrides = std::mem::take(&mut self.morph_overrides);
        for (index, weight) in overrides {
            let found = new.morph_indices(old.morph_name(index));
            self.morph_overrides
                .extend(found.into_iter().map(|i| (i, weight)));
        }
        // A name shared by several parts yields the morphs of all of them, once per part.
        self.morph_overrides.sort_by_key(|(i, _)| *i);
        self.morph_overrides.dedup_by_key(|(i, _)| *i);
    }
}
