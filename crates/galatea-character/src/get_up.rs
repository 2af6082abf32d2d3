//! The clip by which a character gets up: one of its own that begins as it lies.

use glam::Vec3;

use super::definition::Definition;
use super::limbs::{LyingPosture, head_over_hips, hips_of, yaw_of};
use galatea_anim::local_to_model;
use galatea_physics::RigidFrame;

/// A clip that gets up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GetUpClip {
    /// Its index among the clips.
    pub clip: usize,
    /// Degrees about the vertical from the model's +Z to where the top of the trunk lies in its first pose.
    pub heading: f32,
    /// Degrees by which who lies so turns over, about the trunk, to be as the clip begins: 0 to 90.
    pub roll: f32,
}

/// The clip by which a character gets up from how it lies, known by its name and by its first pose, which must lie on
/// the same side: who lies on the belly is not thrown onto the back for the sake of a clip. Who lies on the side has
/// those of the back and the belly as well. There is none for what has sunk down on its feet.
pub fn get_up_clip(definition: &Definition, lying: LyingPosture) -> Option<GetUpClip> {
    const UP: [&str; 6] = [
        "getup", "standup", "getsup", "risefrom", "wakeup", "liestand",
    ];
    if lying == LyingPosture::Upright {
        return None;
    }
    let mut best: Option<GetUpClip> = None;
    for (clip, name) in definition.clips.names().enumerate() {
        let plain: String = name
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        if !UP.iter().any(|word| plain.contains(word)) {
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

/// How a clip lies at its begin, and where the top of its trunk points, model space.
fn first_pose(definition: &Definition, clip: usize) -> (LyingPosture, Vec3) {
    let mut pose = definition.rest.clone();
    definition.clips.sample_one(clip, 0.0, &mut pose);
    let mut matrices = Vec::new();
    local_to_model(definition.clips.skeleton(), &pose.locals, &mut matrices);
    let (hips, _) = hips_of(definition);
    let rest = RigidFrame::of_bone(definition.rest_matrix(hips)).rotation;
    let now = matrices.get(usize::from(hips)).copied().unwrap_or_default();
    let turn = RigidFrame::of_bone(now).rotation * rest.conjugate();
    let (up, forward) = (turn * Vec3::Y, turn * Vec3::Z);
    let place = |bone: u16| {
        let matrix = matrices.get(usize::from(bone));
        matrix.map_or(Vec3::ZERO, |matrix| matrix.translation.into())
    };
    (
        LyingPosture::of(up, forward, head_over_hips(definition, 1.0, place)),
        up,
    )
}
