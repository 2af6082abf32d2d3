//! Writes a gaze into a pose: spine, neck, head, then each eye by itself.

use galatea_math::clamp::ClampTo as _;
use glam::{Quat, Vec2, Vec3};

use super::Gaze;
use super::rig::{GazeRig, angles_of, direction_of, turn_between};
use crate::Posed;

impl Gaze {
    /// Rotates the bones of a pose; only local rotations change. `weight` is 0..=1. The state must be from [`Gaze::advance`]
    /// on the same pose.
    pub fn apply(&self, posed: &mut Posed, rig: &GazeRig, weight: f32) {
        let weight = if weight.is_finite() {
            weight.clamp(0.0, 1.0)
        } else {
            0.0
        };
        if weight <= 0.0 || !posed.model(rig.head.bone).is_finite() {
            return;
        }
        let frames = FacingFrames::new(rig, posed);
        self.turns(rig, &frames, weight, |bone, turn| {
            posed.turn_in_model(bone, turn);
        });
        self.aim_eyes(posed, rig, weight * self.shown());
    }

    /// Rotations of spine, neck and head in model space, from below, each relative to the pose after those below it.
    pub(super) fn turns(
        &self,
        rig: &GazeRig,
        frames: &FacingFrames,
        weight: f32,
        mut turn: impl FnMut(u16, Quat),
    ) {
        let (base, to_base) = (frames.base, frames.base.conjugate());
        let previous = frames.head_angles();
        let chest = self.chest_angles(rig) * weight;
        let total = self.head_angles(rig, previous) * weight;
        let mut head = frames.head;
        if chest.length_squared() > 1e-12 {
            for part in &rig.spine {
                let rotation = base * turn_between(Vec2::ZERO, chest * part.fraction) * to_base;
                turn(part.bone, rotation);
                head = rotation * head;
            }
        }
        // The head already has the rotation of the chest.
        let now = angles_of(to_base * head * Vec3::Z);
        let rest = base * turn_between(now, previous + total) * to_base;
        let rest = if rest.w < 0.0 { -rest } else { rest };
        let (axis, angle) = rest.to_axis_angle();
        if angle < 1e-6 {
            return;
        }
        let mut left = 1.0_f32;
        for part in &rig.necks {
            let fraction = part.fraction.clamp_to(0.0, left);
            turn(part.bone, Quat::from_axis_angle(axis, angle * fraction));
            left -= fraction;
        }
        turn(rig.head.bone, Quat::from_axis_angle(axis, angle * left));
    }

    fn aim_eyes(&self, posed: &mut Posed, rig: &GazeRig, weight: f32) {
        if weight <= 0.0 {
            return;
        }
        let head = rig.head.frame(posed);
        let middle = rig.middle(posed);
        for (eye, is_left) in rig.eyes.iter().zip([true, false]) {
            let Some(eye) = eye else { continue };
            let to = self.point() - posed.position(eye.bone);
            let away = (self.point() - middle).length();
            // Eyes do not converge closer than this distance.
            let to = if away < rig.nearest() {
                let ahead = (self.point() - middle).try_normalize();
                let position = middle + ahead.unwrap_or(head * Vec3::Z) * rig.nearest();
                position - posed.position(eye.bone)
            } else {
                to
            };
            let Some(to) = to.try_normalize() else {
                continue;
            };
            let angles = rig
                .eye_range
                .clamp(angles_of(head.conjugate() * to), is_left);
            let shown = rig
                .bone_maps
                .as_ref()
                .map_or(angles, |maps| maps.bone(angles, is_left));
            // The shortest rotation from straight ahead has no torsion (Listing's law).
            let rotation = Quat::from_rotation_arc(Vec3::Z, direction_of(shown));
            let model = head * rotation * eye.bone_from_character.conjugate();
            let local = posed.parent_rotation(eye.bone).conjugate() * model;
            let from = posed.local(eye.bone).rotation;
            posed.set_rotation(eye.bone, from.slerp(local, weight));
        }
    }
}

/// Facing of body and head in a pose before the gaze is applied, model space.
pub(super) struct FacingFrames {
    /// Facing of the body.
    pub base: Quat,
    /// Facing of the head.
    pub head: Quat,
}

impl FacingFrames {
    pub fn new(rig: &GazeRig, posed: &Posed) -> Self {
        Self {
            base: rig.base_frame(posed),
            head: rig.head.frame(posed),
        }
    }

    /// Angles of the head relative to the base.
    pub fn head_angles(&self) -> Vec2 {
        angles_of(self.base.conjugate() * self.head * Vec3::Z)
    }
}
