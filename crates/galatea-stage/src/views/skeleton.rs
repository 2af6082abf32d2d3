//! Debug view of bones as lines and joints as dots, with names.

use glam::{Vec2, Vec3};

use super::{item_at, label, linear};
use crate::frame::{Frame, OverlayLine};
use crate::ui::UiContent;
use galatea_asset::Model;
use galatea_character::Character;

/// Role of a joint for the model's meshes; later roles take precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum JointRole {
    /// Not part of a skin, and without a mesh.
    Plain,
    /// Part of a skin, but without weights.
    Idle,
    /// Deforms vertices of a skin.
    Moving,
    /// Carries a rigid mesh.
    Carrying,
}

impl JointRole {
    /// Encoded colour of the role.
    pub fn color(self) -> [f32; 3] {
        match self {
            Self::Plain => [0.62, 0.64, 0.68],
            Self::Idle => [0.30, 0.58, 1.0],
            Self::Moving => [1.0, 0.66, 0.18],
            Self::Carrying => [0.36, 0.92, 0.46],
        }
    }
}

/// Role of each bone of a model.
pub fn joints_of(model: &Model) -> Vec<JointRole> {
    let bones = model.skeleton.bones();
    let plain = |skinned: bool| {
        if skinned {
            JointRole::Idle
        } else {
            JointRole::Plain
        }
    };
    let mut joints: Vec<JointRole> = bones.iter().map(|bone| plain(bone.skinned)).collect();
    let mut raise = |bone: u16, to: JointRole| {
        if let Some(joint) = joints.get_mut(usize::from(bone)) {
            *joint = to.max(*joint);
        }
    };
    for part in &model.parts {
        let Some(skin) = part.skin else {
            raise(part.bone, JointRole::Carrying);
            continue;
        };
        for primitive in &model.meshes[part.mesh].primitives {
            let influences = &primitive.influences;
            let pairs = influences.joints.iter().zip(&influences.weights);
            for (joint, _) in pairs.filter(|(_, weight)| **weight > 0.0) {
                if let Some(bone) = model.skins[skin].joints.get(usize::from(*joint)) {
                    raise(*bone, JointRole::Moving);
                }
            }
        }
    }
    joints
}

/// Adds the skeleton of a character, which is the frame's model `i`.
pub fn add(character: &Character, i: usize, frame: &mut Frame) {
    let model = &character.definition.model;
    let world = frame.models[i].world_from_model;
    let bones = model.skeleton.bones();
    let at = |bone: usize| -> Vec3 {
        (world * character.posed.model_from_bone[bone])
            .translation
            .into()
    };
    let joints = joints_of(model);
    // Length of each bone: names of long bones have priority.
    let mut reach = vec![0.0_f32; bones.len()];
    for (i, bone) in bones.iter().enumerate() {
        let Some(parent) = bone.parent.map(usize::from) else {
            continue;
        };
        let (from, to) = (at(parent), at(i));
        reach[parent] = reach[parent].max(from.distance(to));
        reach[i] = reach[i].max(0.5 * from.distance(to));
        add_bone((from, to), linear(joints[parent].color()), &mut frame.lines);
    }
    let mut order: Vec<usize> = (0..bones.len()).collect();
    order.sort_by(|a, b| reach[*b].total_cmp(&reach[*a]));
    for (rank, &bone) in order.iter().enumerate() {
        let color = linear(joints[bone].color());
        let dot = UiContent::Box {
            size: Vec2::splat(6.0),
            round: 3.0,
            border: None,
        };
        let place = at(bone);
        frame.ui.push(item_at(dot, place, color, 0, false));
        let light = color.lerp(Vec3::ONE, 0.6);
        let name = label(&bones[bone].name, place, light, rank as u64 + 1);
        frame.ui.push(name);
    }
}

/// Two crossed kites, broad at the start of the bone.
fn add_bone((from, to): (Vec3, Vec3), color: Vec3, lines: &mut Vec<OverlayLine>) {
    let along = to - from;
    let length = along.length();
    if length < 1e-5 {
        return;
    }
    let (side, front) = (along / length).any_orthonormal_pair();
    let shoulder = from + along * 0.14;
    let wide = (0.07 * length).min(0.02);
    for out in [side, -side, front, -front] {
        let corner = shoulder + out * wide;
        for (from, to) in [(from, corner), (corner, to)] {
            lines.push(OverlayLine { from, to, color });
        }
    }
}
