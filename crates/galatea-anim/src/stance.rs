//! Posture of a body in the poses of a clip: direction of trunk and legs, and facing.

use glam::Vec3;

use super::humanoid::{Humanoid, Role};
use super::{Clip, Pose, Skeleton, local_to_model, sample};
use galatea_math::Trs;

/// Frames that are looked at, at most.
const MAX_FRAMES: usize = 400;

/// Evenly spaced times of a clip, 30 a second, from 0 to its end.
pub fn times(clip: &Clip) -> impl Iterator<Item = f32> {
    let n = ((clip.duration * 30.0) as usize).clamp(1, MAX_FRAMES);
    let duration = clip.duration;
    (0..=n).map(move |i| duration * i as f32 / n as f32)
}

/// The bones from which the posture of a body is measured.
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
    /// From the hips to the head, unit.
    pub trunk: Vec3,
    /// From the middle of the feet to the hips, unit.
    pub legs: Vec3,
    /// Distance from hip joints to feet over the length of the legs, 0..=1.
    pub stretch: f32,
    /// To the character's left, unit.
    pub left: Vec3,
}

impl BodyStance {
    /// Direction in which the body faces: radians about +Y from +Z, to the left.
    pub fn yaw(&self) -> f32 {
        (-self.left.z).atan2(self.left.x)
    }

    /// Greatest for a body that stands straight on both legs.
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
        let places: Vec<Vec3> = model.iter().map(|m| m.translation.into()).collect();
        self.leg_lengths(&places).iter().sum::<f32>() * 0.5
    }

    fn leg_lengths(&self, places: &[Vec3]) -> [f32; 2] {
        [0, 1].map(|side| {
            let place = |bones: [u16; 2]| places[usize::from(bones[side])];
            let knee = place(self.knees);
            place(self.legs).distance(knee) + knee.distance(place(self.feet))
        })
    }

    /// Height of the lowest bone, metres: what a body stands, lies, sits or hangs on is below.
    pub fn lowest(&self, places: &[Vec3]) -> f32 {
        places
            .iter()
            .map(|place| place.y)
            .fold(f32::INFINITY, f32::min)
    }

    /// `places`: positions of all bones, model space.
    pub fn stance(&self, places: &[Vec3]) -> BodyStance {
        let place = |bone: u16| places[usize::from(bone)];
        let hips = place(self.hips);
        let feet = self.feet.map(place);
        let reach: f32 = [0, 1]
            .iter()
            .map(|i| place(self.legs[*i]).distance(feet[*i]))
            .sum();
        let length: f32 = self.leg_lengths(places).iter().sum();
        let across = |pair: [u16; 2]| (place(pair[0]) - place(pair[1])).normalize_or_zero();
        BodyStance {
            trunk: (place(self.head) - hips).normalize_or_zero(),
            legs: (hips - (feet[0] + feet[1]) * 0.5).normalize_or_zero(),
            stretch: reach / length.max(1e-6),
            left: (across(self.legs) + self.arms.map_or(Vec3::ZERO, across)).normalize_or_zero(),
        }
    }
}

/// Poses of a clip, one after another.
pub struct Poses<'a> {
    skeleton: &'a Skeleton,
    clip: &'a Clip,
    pose: Pose,
    model: Vec<glam::Affine3A>,
    places: Vec<Vec3>,
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
            places: Vec::new(),
        }
    }

    /// Positions of the bones at rest.
    pub fn rest(&mut self) -> Vec<Vec3> {
        self.measure();
        self.places.clone()
    }

    /// Positions of the bones at a time.
    pub fn at(&mut self, t: f32) -> &[Vec3] {
        sample(self.clip, t, &[], &mut self.pose);
        self.measure();
        &self.places
    }

    /// The positions of the bones of the pose that was sampled last.
    pub fn places(&self) -> &[Vec3] {
        &self.places
    }

    /// The local transforms of the pose that was sampled last.
    pub fn locals(&self) -> &[Trs] {
        &self.pose.locals
    }

    fn measure(&mut self) {
        local_to_model(self.skeleton, &self.pose.locals, &mut self.model);
        self.places.clear();
        self.places
            .extend(self.model.iter().map(|m| Vec3::from(m.translation)));
    }
}
