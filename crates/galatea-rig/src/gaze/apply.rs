//! Writes a gaze into a pose: spine, neck, head, then each eye for itself.

use galatea_math::clamp::ClampTo as _;
use glam::{Quat, Vec2, Vec3};

use super::Gaze;
use super::rig::{GazeRig, angles_of, direction_of, turn_between};
use crate::Posed;

impl Gaze {
    /// Turns the bones of a pose, of which only local rotations are changed; `weight` 0..=1. The state is
    /// that of [`Gaze::advance`] on the same pose.
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

    /// The turns of spine, neck and head in model space, from below, each about where its bone is by then.
    pub(super) fn turns(
        &self,
        rig: &GazeRig,
        frames: &FacingFrames,
        weight: f32,
        mut turn: impl FnMut(u16, Quat),
    ) {
        let (base, to_base) = (frames.base, frames.base.conjugate());
        let was = frames.head_angles();
        let chest = self.chest_angles(rig) * weight;
        let total = self.head_angles(rig, was) * weight;
        let mut head = frames.head;
        if chest.length_squared() > 1e-12 {
            for part in &rig.spine {
                let share = base * turn_between(Vec2::ZERO, chest * part.share) * to_base;
                turn(part.bone, share);
                head = share * head;
            }
        }
        // The head has the chest's turn already.
        let now = angles_of(to_base * head * Vec3::Z);
        let rest = base * turn_between(now, was + total) * to_base;
        let rest = if rest.w < 0.0 { -rest } else { rest };
        let (axis, angle) = rest.to_axis_angle();
        if angle < 1e-6 {
            return;
        }
        let mut left = 1.0_f32;
        for part in &rig.necks {
            let share = part.share.clamp_to(0.0, left);
            turn(part.bone, Quat::from_axis_angle(axis, angle * share));
            left -= share;
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
            // Nearer than eyes can meet they stay as far crossed as they can.
            let to = if away < rig.nearest() {
                let ahead = (self.point() - middle).try_normalize();
                let place = middle + ahead.unwrap_or(head * Vec3::Z) * rig.nearest();
                place - posed.position(eye.bone)
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
            // The shortest turn from straight ahead has no torsion (Listing's law).
            let turn = Quat::from_rotation_arc(Vec3::Z, direction_of(shown));
            let model = head * turn * eye.bone_from_character.conjugate();
            let local = posed.parent_rotation(eye.bone).conjugate() * model;
            let from = posed.local(eye.bone).rotation;
            posed.set_rotation(eye.bone, from.slerp(local, weight));
        }
    }
}

/// How body and head stand in a pose before the gaze turns it, model space.
pub(super) struct FacingFrames {
    /// The way that the body faces.
    pub base: Quat,
    /// The way that the head faces.
    pub head: Quat,
}

impl FacingFrames {
    pub fn new(rig: &GazeRig, posed: &Posed) -> Self {
        Self {
            base: rig.base_frame(posed),
            head: rig.head.frame(posed),
        }
    }

    /// The angles of the head on the base.
    pub fn head_angles(&self) -> Vec2 {
        angles_of(self.base.conjugate() * self.head * Vec3::Z)
    }
}
