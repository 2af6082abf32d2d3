//! Posture of a body in the poses of a clip: directions of trunk and legs, and the facing direction.

use glam::Vec3;

use super::humanoid::{Humanoid, Role};
use super::{Clip, Pose, Skeleton, local_to_model, sample};
use galatea_math::Trs;

/// Maximum number of frames that are examined.
const MAX_FRAMES: usize = 400;

/// Uniform times of a clip, 30 per second, from 0 to its end.
pub fn times(clip: &Clip) -> impl Iterator<Item = f32> {
    let n = ((clip.duration * 30.0) as usize).clamp(1, MAX_FRAMES);
    let duration = clip.duration;
    (0..=n).map(move |i| duration * i as f32 / n as f32)
}

/// Bones from which the posture of a body is measured.
pub struct BodyBones {
    pub hips: u16,
    head: u16,
    legs: [u16; 2],
    knees: [u16; 2],
    feet: [u16; 2],
    arms: Option<[u16; 2]>,
}

/// Posture of a body in one pose.
pub struct BodyStance {
    /// Unit vector from the hips to the head.
    pub trunk: Vec3,
    /// Unit vector from the middle of the feet to the hips.
    pub legs: Vec3,
    /// Distance from hip joints to feet divided by the length of the legs, 0..=1.
    pub stretch: f32,
    /// Unit vector to the character's left.
    pub left: Vec3,
}

impl BodyStance {
    /// Facing direction of the body: radians about +Y from +Z, positive to the left.
    pub fn yaw(&self) -> f32 {
        (-self.left.z).atan2(self.left.x)
    }

    /// Uprightness; maximal for a body that stands straight on both legs.
    pub fn uprightness(&self) -> f32 {
        self.trunk.y + self.legs.y + self.stretch - self.left.y.abs()
    }
}

impl BodyBones {
    pub fn of(humanoid: &Humanoid) -> Option<Self> {
        let pair = |left: Role| Some([humanoid.bone(left)?, humanoid.bone(left.opposite())?]);
        Some(Self {
            hips: humanoid.bone(Role::Hips)?,
            head: humanoid.bone(Role::Head)?,
            legs: pair(Role::LeftUpperLeg)?,
            knees: pair(Role::LeftLowerLeg)?,
            feet: pair(Role::LeftFoot)?,
            arms: pair(Role::LeftUpperArm),
        })
    }

    /// Mean length of the legs at rest, metres.
    pub fn leg_length(&self, skeleton: &Skeleton) -> f32 {
        let rest: Vec<Trs> = skeleton.rest().collect();
        let mut model = Vec::new();
        local_to_model(skeleton, &rest, &mut model);
        let positions: Vec<Vec3> = model.iter().map(|m| m.translation.into()).collect();
        self.leg_lengths(&positions).iter().sum::<f32>() * 0.5
    }

    fn leg_lengths(&self, positions: &[Vec3]) -> [f32; 2] {
        [0, 1].map(|side| {
            let position = |bones: [u16; 2]| positions[usize::from(bones[side])];
            let knee = position(self.knees);
            position(self.legs).distance(knee) + knee.distance(position(self.feet))
        })
    }

    /// Height of the lowest bone, metres; the supporting surface is below it.
    pub fn lowest(&self, positions: &[Vec3]) -> f32 {
        positions
            .iter()
            .map(|position| position.y)
            .fold(f32::INFINITY, f32::min)
    }

    /// Measures the posture; `positions` are those of all bones, model space.
    pub fn stance(&self, positions: &[Vec3]) -> BodyStance {
        let position = |bone: u16| positions[usize::from(bone)];
        let hips = position(self.hips);
        let feet = self.feet.map(position);
        let reach: f32 = [0, 1]
            .iter()
            .map(|i| position(self.legs[*i]).distance(feet[*i]))
            .sum();
        let length: f32 = self.leg_lengths(positions).iter().sum();
        let across = |pair: [u16; 2]| (position(pair[0]) - position(pair[1])).normalize_or_zero();
        BodyStance {
            trunk: (position(self.head) - hips).normalize_or_zero(),
            legs: (hips - (feet[0] + feet[1]) * 0.5).normalize_or_zero(),
            stretch: reach / length.max(1e-6),
            left: (across(self.legs) + self.arms.map_or(Vec3::ZERO, across)).normalize_or_zero(),
        }
    }
}

/// Sampler for successive poses of a clip.
pub struct Poses<'a> {
    skeleton: &'a Skeleton,
    clip: &'a Clip,
    pose: Pose,
    model: Vec<glam::Affine3A>,
    positions: Vec<Vec3>,
}

impl<'a> Poses<'a> {
    pub fn new(skeleton: &'a Skeleton, clip: &'a Clip) -> Self {
        Self {
            skeleton,
            clip,
            pose: Pose {
                locals: skeleton.rest().collect(),
                ..Pose::default()
            },
            model: Vec::new(),
            positions: Vec::new(),
        }
    }

    /// Positions of the bones at rest.
    pub fn rest(&mut self) -> Vec<Vec3> {
        self.measure();
        self.positions.clone()
    }

    /// Positions of the bones at a time.
    pub fn at(&mut self, t: f32) -> &[Vec3] {
        sample(self.clip, t, &[], &mut self.pose);
        self.measure();
        &self.positions
    }

    /// Bone positions of the last sampled pose.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Local transforms of the last sampled pose.
    pub fn locals(&self) -> &[Trs] {
        &self.pose.locals
    }

    fn measure(&mut self) {
        local_to_model(self.skeleton, &self.pose.locals, &mut self.model);
        self.positions.clear();
        self.positions
            .extend(self.model.iter().map(|m| Vec3::from(m.translation)));
    }
}
