//! Lines along the bones of a character.

use glam::{Affine3A, Vec3};

use super::frame::OverlayLine;
use galatea_character::Character;

/// Adds a line from each bone to its parent. `world` is the world-from-model matrix. `color` gives the linear colour of bones
/// that deform the mesh (true) and of others (false), or `None` to draw none.
pub fn add_bone_lines(
    character: &Character,
    world: Affine3A,
    color: impl Fn(bool) -> Option<Vec3>,
    lines: &mut Vec<OverlayLine>,
) {
    let at = |i: usize| -> Vec3 {
        (world * character.posed.model_from_bone[i])
            .translation
            .into()
    };
    let bones = character.definition.model.skeleton.bones();
    for (i, bone) in bones.iter().enumerate() {
        if let (Some(parent), Some(color)) = (bone.parent, color(bone.skinned)) {
            lines.push(OverlayLine {
                from: at(usize::from(parent)),
                to: at(i),
                color,
            });
        }
    }
}
