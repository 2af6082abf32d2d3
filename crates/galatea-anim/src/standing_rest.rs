//! Standing rest pose for motion capture without one.
//!
//! Many motion capture files keep all rotation in the motion: their bones rest along one axis, so the rest pose is a
//! bundle of sticks. Retargeting compares poses with rest poses. It needs a rest pose in which the body stands
//! upright, on the floor, facing +Z. The most upright frame of the motion serves as that pose.
//!
//! Used by `asset` while it reads motion capture. +Y points up already.

use glam::{Quat, Vec3};

use super::humanoid::Humanoid;
use super::stance::{self, BodyBones, Poses};
use super::{Clip, Interpolation, Skeleton, Track};
use galatea_math::Trs;

/// Minimum cosine of the angle between trunk or legs and the vertical for a standing body.
const MIN_UPRIGHT: f32 = 0.7;
/// Minimum height of the floor at which it is moved to 0, as a fraction of the leg length. Smaller heights are the
/// thickness of a shoe.
const MIN_FLOOR: f32 = 0.2;

/// Motion capture prepared for retargeting.
#[derive(Clone, Debug)]
pub struct GroundedMotion {
    /// Skeleton with a standing rest pose. A replaced rest pose faces +Z.
    pub skeleton: Skeleton,
    /// Clip with the floor at height 0.
    pub clip: Clip,
    /// Changes, as text.
    pub notes: Vec<String>,
}

/// Gives motion capture a standing rest pose and moves its floor to height 0, if necessary.
///
/// Returns `None` if nothing needs to change, or if the bones of the body are unknown.
pub fn ground(skeleton: &Skeleton, humanoid: &Humanoid, clip: &Clip) -> Option<GroundedMotion> {
    let body = BodyBones::of(humanoid)?;
    let mut poses = Poses::new(skeleton, clip);
    let rest = body.stance(&poses.rest());
    let is_standing = rest.trunk.y > MIN_UPRIGHT && rest.legs.y > MIN_UPRIGHT;
    let mut best: Option<(f32, f32)> = None;
    let mut lowest: Vec<f32> = Vec::new();
    for t in stance::times(clip) {
        let stance = body.stance(poses.at(t));
        lowest.push(body.lowest(poses.positions()));
        let score = stance.uprightness();
        if score.is_finite() && best.is_none_or(|(most, _)| score > most) {
            best = Some((score, t));
        }
    }
    let (_, t) = best?;
    lowest.retain(|height| height.is_finite());
    lowest.sort_by(f32::total_cmp);
    let floor = lowest.get(lowest.len() / 50).copied()?;
    let floor = if floor.abs() > MIN_FLOOR * body.leg_length(skeleton) {
        floor
    } else {
        0.0
    };
    if is_standing && floor == 0.0 {
        return None;
    }
    let mut notes = Vec::new();
    if floor != 0.0 {
        notes.push(format!(
            "the floor of the motion is at {floor:.2} m; it was moved to 0"
        ));
    }
    let skeleton = if is_standing {
        skeleton.clone()
    } else {
        notes.push(format!(
            "the rest pose is not upright; the most upright frame, at {t:.2} s, is used as the rest pose"
        ));
        let stance = body.stance(poses.at(t));
        with_rest(
            skeleton,
            poses.locals(),
            Quat::from_rotation_y(-stance.yaw()),
            floor,
        )?
    };
    let mut clip = clip.clone();
    shift_roots(&skeleton, &mut clip, floor);
    Some(GroundedMotion {
        skeleton,
        clip,
        notes,
    })
}

/// Creates the skeleton with another rest pose: the roots are rotated by `turn` above the origin and lowered by
/// `floor`.
fn with_rest(skeleton: &Skeleton, locals: &[Trs], turn: Quat, floor: f32) -> Option<Skeleton> {
    let mut bones = skeleton.bones().to_vec();
    for (bone, local) in bones.iter_mut().zip(locals) {
        bone.rest = *local;
        if bone.parent.is_none() {
            bone.rest.rotation = (turn * local.rotation).normalize();
            bone.rest.translation = Vec3::Y * (local.translation.y - floor);
        }
    }
    Skeleton::new(bones).ok()
}

fn shift_roots(skeleton: &Skeleton, clip: &mut Clip, floor: f32) {
    if floor == 0.0 {
        return;
    }
    let bones = (0_u16..).zip(skeleton.bones());
    for (bone, root) in bones.filter(|(_, bone)| bone.parent.is_none()) {
        let track = &mut clip.tracks_mut(bone).translation;
        let track = track.get_or_insert_with(|| Track::constant(root.rest.translation));
        let is_spline = track.interpolation == Interpolation::CubicSpline;
        for (i, value) in track.values.iter_mut().enumerate() {
            if !is_spline || i % 3 == 1 {
                value.y -= floor;
            }
        }
    }
}

#[cfg(test)]
mod tests;
