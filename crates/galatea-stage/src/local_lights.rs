//! Lights on a stage: position, and attachment to bones.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::frame::LocalLight;
use super::{Arena, Handle};
use galatea_anim::Skeleton;
use galatea_character::Character;

/// A light of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageLight {
    /// Current state, world space.
    pub local_light: LocalLight,
    /// Attachment to a character's bone.
    pub attachment: Option<LightAttachment>,
    /// Created by a light rig, which also removes it.
    pub is_from_rig: bool,
    before: LocalLight,
}

/// Attachment of a light to a bone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LightAttachment {
    /// The character.
    pub holder: Handle,
    /// Index of the bone.
    pub bone: u16,
    /// Position in bone space, metres.
    pub offset: Vec3,
    /// Direction of a spot light in bone space.
    pub direction: Vec3,
}

impl StageLight {
    /// Creates a light that is not attached.
    pub fn new(lamp: LocalLight) -> Self {
        Self {
            local_light: lamp,
            attachment: None,
            is_from_rig: false,
            before: lamp,
        }
    }

    /// Finds the bone again after the holder's model was replaced; without a bone of the same name the light is detached.
    pub(super) fn find_bone_again(&mut self, holder: Handle, before: &Skeleton, now: &Skeleton) {
        if let Some(carried) = self.attachment.as_mut().filter(|it| it.holder == holder) {
            let bone = before.bones().get(usize::from(carried.bone));
            match bone.and_then(|bone| now.find(&bone.name)) {
                Some(bone) => carried.bone = bone,
                None => self.attachment = None,
            }
        }
    }

    /// The light, interpolated between the last two ticks by `alpha` (0..=1).
    pub fn at(&self, alpha: f32) -> LocalLight {
        let mut lamp = self.local_light;
        lamp.position = self.before.position.lerp(lamp.position, alpha);
        if let (Some(now), Some(before)) = (&mut lamp.spot, self.before.spot) {
            let mixed = before.direction.lerp(now.direction, alpha);
            now.direction = mixed.try_normalize().unwrap_or(now.direction);
        }
        lamp
    }

    /// Stores the current state for interpolation.
    pub(super) fn begin(&mut self) {
        self.before = self.local_light;
    }

    /// Follows the bone. A light stays where it is when its holder is gone.
    pub(super) fn follow(&mut self, characters: &Arena<Character>) {
        let Some(carried) = self.attachment else {
            return;
        };
        let Some(holder) = characters.get(carried.holder) else {
            self.attachment = None;
            return;
        };
        let Some(bone) = holder.posed.model_from_bone.get(usize::from(carried.bone)) else {
            return;
        };
        let world = holder.posed.world[0] * *bone;
        self.local_light.position = world.transform_point3(carried.offset);
        if let Some(spot) = &mut self.local_light.spot {
            let direction = world.transform_vector3(carried.direction);
            spot.direction = direction.try_normalize().unwrap_or(spot.direction);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_anim::Bone;
    use galatea_math::Trs;

    fn skeleton(names: &[&str]) -> Skeleton {
        let bone = |name: &&str| Bone {
            name: (*name).into(),
            parent: None,
            rest: Trs::IDENTITY,
            skinned: true,
        };
        Skeleton::new(names.iter().map(bone).collect()).unwrap()
    }

    #[test]
    fn an_attached_light_keeps_its_bone_when_the_model_is_replaced() {
        let mut arena = Arena::default();
        let (holder, other) = (arena.insert(()), arena.insert(()));
        let mut lamp = StageLight::new(LocalLight::default());
        lamp.attachment = Some(LightAttachment {
            holder,
            bone: 1,
            offset: Vec3::ZERO,
            direction: Vec3::Y,
        });
        let before = skeleton(&["hips", "hand"]);
        lamp.find_bone_again(other, &before, &skeleton(&["hips"]));
        assert_eq!(lamp.attachment.map(|c| c.bone), Some(1), "not its holder");
        lamp.find_bone_again(holder, &before, &skeleton(&["root", "hips", "hand"]));
        assert_eq!(lamp.attachment.map(|c| c.bone), Some(2));
        lamp.find_bone_again(holder, &skeleton(&["a", "b", "hand"]), &skeleton(&["a"]));
        assert_eq!(lamp.attachment, None, "it stays where it is");
    }
}
