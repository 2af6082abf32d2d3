//! Lamps on a stage: where they are, and whose bone carries them.

use glam::Vec3;

use super::frame::Lamp;
use super::{Arena, Handle};
use galatea_anim::Skeleton;
use galatea_character::Character;

/// A lamp of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageLamp {
    /// As it is now, world space.
    pub lamp: Lamp,
    /// Carried by a character's bone.
    pub carried: Option<Carried>,
    /// Set up by a light rig, which takes it away again.
    pub of_rig: bool,
    before: Lamp,
}

/// How a lamp is carried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carried {
    /// By whom.
    pub holder: Handle,
    /// By which bone.
    pub bone: u16,
    /// Where it is in the bone's space, metres.
    pub offset: Vec3,
    /// Where a spot shines in the bone's space.
    pub direction: Vec3,
}

impl StageLamp {
    /// A lamp that stands where it says.
    pub fn new(lamp: Lamp) -> Self {
        Self {
            lamp,
            carried: None,
            of_rig: false,
            before: lamp,
        }
    }

    /// Takes note that its holder has another model; without a bone of the same name it stays where it
    /// is.
    pub(super) fn find_bone_again(&mut self, holder: Handle, before: &Skeleton, now: &Skeleton) {
        if let Some(carried) = self.carried.as_mut().filter(|it| it.holder == holder) {
            let bone = before.bones().get(usize::from(carried.bone));
            match bone.and_then(|bone| now.find(&bone.name)) {
                Some(bone) => carried.bone = bone,
                None => self.carried = None,
            }
        }
    }

    /// As it is `alpha` (0..=1) of the way from the tick before to the last one.
    pub fn at(&self, alpha: f32) -> Lamp {
        let mut lamp = self.lamp;
        lamp.position = self.before.position.lerp(lamp.position, alpha);
        if let (Some(now), Some(before)) = (&mut lamp.spot, self.before.spot) {
            let mixed = before.direction.lerp(now.direction, alpha);
            now.direction = mixed.try_normalize().unwrap_or(now.direction);
        }
        lamp
    }

    /// Keeps where it is, for interpolation.
    pub(super) fn begin(&mut self) {
        self.before = self.lamp;
    }

    /// Moves to the bone that carries it. It stays where it is when its holder is gone.
    pub(super) fn follow(&mut self, characters: &Arena<Character>) {
        let Some(carried) = self.carried else {
            return;
        };
        let Some(holder) = characters.get(carried.holder) else {
            self.carried = None;
            return;
        };
        let Some(bone) = holder.posed.model_from_bone.get(usize::from(carried.bone)) else {
            return;
        };
        let world = holder.posed.world[0] * *bone;
        self.lamp.position = world.transform_point3(carried.offset);
        if let Some(spot) = &mut self.lamp.spot {
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
    fn a_carried_lamp_stays_with_its_bone_when_the_model_is_another() {
        let mut arena = Arena::default();
        let (holder, other) = (arena.insert(()), arena.insert(()));
        let mut lamp = StageLamp::new(Lamp::default());
        lamp.carried = Some(Carried {
            holder,
            bone: 1,
            offset: Vec3::ZERO,
            direction: Vec3::Y,
        });
        let before = skeleton(&["hips", "hand"]);
        lamp.find_bone_again(other, &before, &skeleton(&["hips"]));
        assert_eq!(lamp.carried.map(|c| c.bone), Some(1), "not its holder");
        lamp.find_bone_again(holder, &before, &skeleton(&["root", "hips", "hand"]));
        assert_eq!(lamp.carried.map(|c| c.bone), Some(2));
        lamp.find_bone_again(holder, &skeleton(&["a", "b", "hand"]), &skeleton(&["a"]));
        assert_eq!(lamp.carried, None, "it stays where it is");
    }
}
