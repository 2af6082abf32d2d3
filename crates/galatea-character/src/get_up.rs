//! Selects the clip with which a character gets up.

use glam::Vec3;

use super::definition::Definition;
use super::limbs::{LyingPosture, head_over_hips, hips_of, yaw_of};
use galatea_anim::local_to_model;
use galatea_physics::RigidFrame;

/// A get-up clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GetUpClip {
    /// Clip index.
    pub clip: usize,
    /// Angle about the vertical from the model's +Z to the direction of the upper end of the trunk in the clip's first pose,
    /// degrees.
    pub heading: f32,
    /// Rotation about the trunk that turns a character lying in this posture into the clip's first pose, degrees: 0 to 90.
    pub roll: f32,
}

/// Finds the clip with which a character gets up from its lying posture. Clips are recognized by name, and the first pose
/// must lie on the same side: a character on its belly is not flipped onto its back to fit a clip. A character on its side
/// can also use clips for the back and the belly. Returns `None` if the character is upright.
pub fn get_up_clip(definition: &Definition, lying: LyingPosture) -> Option<GetUpClip> {
    const UP: [&str; 6] = [
        "getup", "standup", "getsup", "risefrom", "wakeup", "liestand",
    ];
    if lying == LyingPosture::Upright {
        return None;
    }
    let mut best: Option<GetUpClip> = None;
    for (clip, name) in definition.clips.names().enumerate() {
        let letters: String = name
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        if !UP.iter().any(|word| letters.contains(word)) {
            continue;
        }
        let (begins, up) = first_pose(definition, clip);
        let roll = match (lying, begins) {
            (_, LyingPosture::Upright) => continue,
            (lying, begins) if lying == begins => 0.0,
            (LyingPosture::OnSide, _) | (_, LyingPosture::OnSide) => 90.0,
            _ => continue,
        };
        if best.is_none_or(|known| roll < known.roll) {
            best = Some(GetUpClip {
                clip,
                heading: yaw_of(up, 180.0),
                roll,
            });
        }
    }
    best
}

/// Returns the lying posture at the start of a clip and the direction of the upper end of the trunk, model space.
fn first_pose(definition: &Definition, clip: usize) -> (LyingPosture, Vec3) {
    let mut pose = definition.rest.clone();
    definition.clips.sample_one(clip, 0.0, &mut pose);
    let mut matrices = Vec::new();
    local_to_model(definition.clips.skeleton(), &pose.locals, &mut matrices);
    let (hips, _) = hips_of(definition);
    let rest = RigidFrame::of_bone(definition.rest_matrix(hips)).rotation;
    let now = matrices.get(usize::from(hips)).copied().unwrap_or_default();
    let rotation = RigidFrame::of_bone(now).rotation * rest.conjugate();
    let (up, forward) = (rotation * Vec3::Y, rotation * Vec3::Z);
    let position = |bone: u16| {
        let matrix = matrices.get(usize::from(bone));
        matrix.map_or(Vec3::ZERO, |matrix| matrix.translation.into())
    };
    (
        LyingPosture::of(up, forward, head_over_hips(definition, 1.0, position)),
        up,
    )
}
