//! Aiming a line of a bone or a held object with a chain of bones, and chains that reach for a target.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::goal::{Goal, GoalPosition};
use crate::definition::Definition;
use galatea_rig::Posed;
use galatea_rig::aim::{AimGoal, AimLimits, AimLine, aim_chain};
use galatea_rig::chain::{Chain, ChainGoal};

/// Bones that aim at a target.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AimAtModifier {
    /// Bones from parent to child, each with its fraction of the rotation.
    pub bones: Vec<(u16, f32)>,
    /// Bone names, for rebinding to another model.
    pub names: Vec<String>,
    /// Aim line, in the space of the last bone or of the bone `by`.
    pub sight: AimLine,
    /// Bone with the aim line, below the last one: a hand with a weapon.
    pub aim_bone: Option<(u16, String)>,
    /// Target; `None` while there is none.
    pub goal: Option<Goal>,
    /// Maximum angles sideways, up and down from the character's forward direction, radians.
    pub ranges: [f32; 3],
    /// Position of the target in this tick.
    pub target_position: Option<GoalPosition>,
    /// Remaining angular error, radians.
    pub target_error: f32,
}

impl AimAtModifier {
    /// Checks that there are bones to rotate.
    ///
    /// # Errors
    /// Returns a message that says what the skeleton lacks.
    pub fn lacks(&self) -> Result<(), String> {
        if self.bones.is_empty() {
            return Err("the model has no spine; name the bones to rotate: bones = { … }".into());
        }
        Ok(())
    }

    pub(super) fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        let find = |name: &String| {
            let found = definition.model.skeleton.find(name);
            found.ok_or_else(|| format!("the model has no bone {name:?}"))
        };
        for ((bone, _), name) in self.bones.iter_mut().zip(&self.names) {
            *bone = find(name)?;
        }
        if let Some((bone, name)) = &mut self.aim_bone {
            *bone = find(name)?;
        }
        self.lacks()
    }

    /// Aims at a position in model space. `forward`: the character's forward direction, model space.
    pub(super) fn advance(
        &mut self,
        posed: &mut Posed<'_>,
        target: Vec3,
        forward: Vec3,
        weight: f32,
    ) {
        let Some(&(last, _)) = self.bones.last() else {
            return;
        };
        let mut sight = self.sight;
        if let Some((by, _)) = self.aim_bone {
            let Some(below) = posed.below(last, by) else {
                return;
            };
            sight = AimLine {
                offset: below.transform_point3(sight.offset),
                forward: below.transform_vector3(sight.forward),
            };
        }
        let [yaw, up, down] = self.ranges;
        let limits = AimLimits {
            yaw: [-yaw, yaw],
            pitch: [-down, up],
            ..AimLimits::none(forward)
        };
        let goal = AimGoal {
            target,
            up: Vec3::Y,
            keep_up: true,
            limits: Some(limits),
            weight,
        };
        self.target_error = aim_chain(posed, &self.bones, &sight, &goal);
    }
}

/// A chain of bones that brings its tip to a target.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ChainIkModifier {
    /// Bones of the chain.
    pub chain: Chain,
    /// Names of the first and the last bone, for rebinding to another model.
    pub ends: [String; 2],
    /// Maximum rotation of each bone from rest, radians, if limited.
    pub max_angle: Option<f32>,
    /// Solver settings; target and weight are set every tick.
    pub goal_settings: ChainGoal,
    /// Target; `None` while there is none.
    pub goal: Option<Goal>,
    /// The tip also takes the rotation of the target.
    pub match_rotation: bool,
    /// Position of the target in this tick.
    pub target_position: Option<GoalPosition>,
    /// Remaining distance to the target, metres.
    pub target_error: f32,
}

impl ChainIkModifier {
    pub(super) fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        let skeleton = &definition.model.skeleton;
        let [root, tip] = &self.ends;
        let find = |name: &String| {
            let found = skeleton.find(name);
            found.ok_or_else(|| format!("the model has no bone {name:?}"))
        };
        let chain = Chain::of(skeleton, find(root)?, find(tip)?);
        self.chain = chain.ok_or_else(|| format!("bone {tip:?} is not below bone {root:?}"))?;
        self.set_limits();
        Ok(())
    }

    /// Applies the rotation limit to every bone.
    pub fn set_limits(&mut self) {
        if let Some(limit) = self.max_angle {
            for link in 0..self.chain.bones().len() {
                self.chain.limit(link, limit, [-limit, limit]);
            }
        }
    }

    pub(super) fn advance(
        &mut self,
        posed: &mut Posed<'_>,
        place: glam::Affine3A,
        scale: f32,
        weight: f32,
    ) {
        let rotation = galatea_math::Trs::nearest(place).rotation;
        let goal = ChainGoal {
            target: place.translation.into(),
            rotation: self.match_rotation.then_some(rotation),
            weight,
            ..self.goal_settings
        };
        self.target_error = self.chain.solve(posed, &goal).target_error * scale;
    }
}
