//! Reads the pose of a character, and how it lies, from its ragdoll.

use glam::{Affine3A, Vec3};

use super::body::CharacterBody;
use super::definition::Definition;
use super::limbs::{LyingPosture, head_over_hips, hips_of, yaw_of};
use super::placement::Placement;
use super::pose_state::PoseState;
use galatea_anim::{Pose, Skeleton};
use galatea_physics::ragdoll::{Ragdoll, RigidFrame};

impl PoseState {
    /// Writes where the bodies of the limbs are into the pose, as seen from the placement of the character.
    pub fn apply_limbs(
        &mut self,
        body: &CharacterBody,
        definition: &Definition,
        placement: Placement,
    ) {
        if let Some(limbs) = &body.limbs {
            limbs.ragdoll.pose(
                placement.to_affine(),
                definition.clips.skeleton(),
                &mut self.pose.locals,
                &mut self.model_from_bone,
            );
        }
    }

    /// The turn of its trunk from how it is at rest in the model: the world's directions of the model's
    /// up and forward, as the hips carry them.
    pub fn trunk(&self, definition: &Definition) -> (Vec3, Vec3) {
        let (bone, _) = hips_of(definition);
        let rest = definition.rest_matrix(bone);
        let Some(now) = self.model_from_bone.get(usize::from(bone)) else {
            return (Vec3::Y, Vec3::Z);
        };
        let now = RigidFrame::of_bone(self.world[0] * *now).rotation;
        let turn = now * RigidFrame::of_bone(rest).rotation.conjugate();
        (turn * Vec3::Y, turn * Vec3::Z)
    }

    /// How it lies, and the yaw (degrees) at which it would stand up so that its head stays where it is
    /// when it lies on its belly, and its feet where they are when on its back.
    pub fn lying(&self, definition: &Definition, placement: Placement) -> (LyingPosture, f32) {
        let (up, forward) = self.trunk(definition);
        let scale = placement.scale;
        let head = head_over_hips(definition, scale, |bone| self.bone_position(bone));
        let lying = LyingPosture::of(up, forward, head);
        let ahead = match lying {
            LyingPosture::Upright => forward,
            // On its back: it sits up and looks where its feet point.
            LyingPosture::FaceUp => -up,
            LyingPosture::FaceDown | LyingPosture::OnSide => up,
        };
        (lying, yaw_of(ahead, placement.yaw))
    }

    /// The yaw of where the top of its trunk points, degrees.
    pub fn heading(&self, definition: &Definition, placement: Placement) -> f32 {
        yaw_of(self.trunk(definition).0, placement.yaw)
    }

    /// The pose that the bodies of the limbs make as seen from a placement, and the one a tick of `dt` seconds before.
    pub fn pose_of_limbs(
        &self,
        body: &CharacterBody,
        definition: &Definition,
        placement: Placement,
        dt: f32,
    ) -> Option<[Pose; 2]> {
        let limbs = body.limbs.as_ref()?;
        let world = placement.to_affine();
        // What hangs on no body stays where it is in the world.
        let shift = world.inverse() * self.world[0];
        let skeleton = definition.clips.skeleton();
        let one = |ragdoll: &Ragdoll| {
            let mut pose = self.pose.clone();
            let mut matrices: Vec<Affine3A> =
                self.model_from_bone.iter().map(|m| shift * *m).collect();
            for (i, &parent) in skeleton.parents().iter().enumerate() {
                if parent == Skeleton::NO_PARENT && i < pose.locals.len() {
                    let (placed, _) = galatea_math::Trs::from_matrix(matrices[i].into());
                    pose.locals[i] = placed;
                }
            }
            ragdoll.pose(world, skeleton, &mut pose.locals, &mut matrices);
            pose
        };
        let now = one(&limbs.ragdoll);
        let before = one(&limbs.ragdoll.rewound(dt));
        Some([now, before])
    }
}
