//! Reads the pose and the lying posture of a character from its ragdoll.

use glam::{Affine3A, Vec3};

use super::body::CharacterBody;
use super::definition::Definition;
use super::limbs::{LyingPosture, head_over_hips, hips_of, yaw_of};
use super::placement::Placement;
use super::pose_state::PoseState;
use galatea_anim::{Pose, Skeleton};
use galatea_physics::ragdoll::{Ragdoll, RigidFrame};

impl PoseState {
    /// Writes the bodies of the limbs into the pose, relative to the character's placement.
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

    /// Returns the world directions of the trunk's up and forward axes, as the hips carry them.
    pub fn trunk(&self, definition: &Definition) -> (Vec3, Vec3) {
        let (bone, _) = hips_of(definition);
        let rest = definition.rest_matrix(bone);
        let Some(now) = self.model_from_bone.get(usize::from(bone)) else {
            return (Vec3::Y, Vec3::Z);
        };
        let now = RigidFrame::of_bone(self.world[0] * *now).rotation;
        let rotation = now * RigidFrame::of_bone(rest).rotation.conjugate();
        (rotation * Vec3::Y, rotation * Vec3::Z)
    }

    /// Returns the lying posture and the yaw in degrees at which the character would stand up. On its belly its head keeps
    /// its position, on its back its feet do.
    pub fn posture(&self, definition: &Definition, placement: Placement) -> (LyingPosture, f32) {
        let (up, forward) = self.trunk(definition);
        let scale = placement.scale;
        let head = head_over_hips(definition, scale, |bone| self.bone_position(bone));
        let lying = LyingPosture::of(up, forward, head);
        let ahead = match lying {
            LyingPosture::Upright => forward,
            // On its back: it sits up and then faces in the direction of the feet.
            LyingPosture::FaceUp => -up,
            LyingPosture::FaceDown | LyingPosture::OnSide => up,
        };
        (lying, yaw_of(ahead, placement.yaw))
    }

    /// Returns the yaw of the direction of the trunk's upper end, degrees.
    pub fn heading(&self, definition: &Definition, placement: Placement) -> f32 {
        yaw_of(self.trunk(definition).0, placement.yaw)
    }

    /// Returns the pose of the limbs' bodies relative to a placement, and the one a tick of `dt` seconds earlier.
    pub fn pose_of_limbs(
        &self,
        body: &CharacterBody,
        definition: &Definition,
        placement: Placement,
        dt: f32,
    ) -> Option<[Pose; 2]> {
        let limbs = body.limbs.as_ref()?;
        let world = placement.to_affine();
        // Bones without a body keep their position in the world.
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
