//! Gaze rig of a skeleton: bones, their fractions of the rotation, ranges, and rest directions.

use glam::{Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::range::{EyeRange, GazeLimits, LookMaps, RangeMap};
use crate::Posed;
use crate::look_at::{GazeKind, GazeRange, LookAt};
use crate::trunk::{AlignedBone, Resting, Trunk};
use galatea_anim::Skeleton;
use galatea_anim::humanoid::{Humanoid, Role};

/// Body height for which lengths in this module are given, metres: a character of this height has size 1.
pub const USUAL_HEIGHT: f32 = 1.7;

/// A bone and its fraction of a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoneFraction {
    /// Bone index.
    pub bone: u16,
    /// Fraction, 0..=1; the fractions of one kind sum to 1 at most.
    pub fraction: f32,
}

/// Bones that take part in the gaze.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GazeBones {
    /// Parent of the eyes.
    pub head: Option<u16>,
    /// Bones of the neck from below, with fractions of the head's rotation; the head takes the rest.
    pub necks: Vec<BoneFraction>,
    /// Bones of spine and chest from below, with fractions of the chest's rotation that sum to 1.
    pub spine: Vec<BoneFraction>,
    /// Left and right eye bones.
    pub eyes: [Option<u16>; 2],
}

impl GazeBones {
    /// Finds the bones. A neck takes 40 % of the head's rotation (half of the neck's range is in its two uppermost joints:
    /// Bogduk and Mercer 2000). Higher bones of the spine take more than lower ones. An animal's spine stays fixed because
    /// it carries the forelegs.
    pub fn find(skeleton: &Skeleton, humanoid: &Humanoid) -> Self {
        let trunk = Trunk::find(skeleton, humanoid);
        let eyes = [Role::LeftEye, Role::RightEye].map(|role| humanoid.bone(role));
        let above = |eye: u16| skeleton.bones()[usize::from(eye)].parent;
        let head = trunk
            .head
            .or_else(|| eyes.into_iter().flatten().find_map(above));
        let n_necks = trunk.necks.len() as f32;
        let is_upright = !trunk.on_fours && humanoid.bone(Role::Head).is_some();
        let spine = if is_upright { trunk.spine } else { Vec::new() };
        let n_spine = spine.len() as f32;
        let necks = trunk.necks.into_iter().map(|bone| BoneFraction {
            bone,
            fraction: (0.25 + 0.15 * n_necks).min(0.7) / n_necks,
        });
        let spine = spine.into_iter().enumerate().map(|(i, bone)| BoneFraction {
            bone,
            fraction: (i + 1) as f32 * 2.0 / (n_spine * (n_spine + 1.0)),
        });
        Self {
            head,
            necks: necks.collect(),
            spine: spine.collect(),
            eyes,
        }
    }
}

/// Reason why a skeleton has no gaze.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GazeError {
    /// No bone carries the eyes.
    #[error(
        "look-at needs a head: no bone has the role or the name \"head\", and there are no eye bones"
    )]
    NoHead,
    /// A given bone does not exist in the skeleton.
    #[error("look-at: bone {0} does not exist; the skeleton has {1} bones")]
    NoBone(u16, usize),
}

/// Gaze rig, shared by all characters of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GazeRig {
    /// Parent of the eyes.
    pub head: AlignedBone,
    /// Neck bones, see [`GazeBones::necks`].
    pub necks: Vec<BoneFraction>,
    /// Spine bones, see [`GazeBones::spine`].
    pub spine: Vec<BoneFraction>,
    /// Eye bones, left and right.
    pub eyes: [Option<AlignedBone>; 2],
    /// Common ancestor of all of them, to which angles are relative; with `None` they are relative to model space.
    pub base: Option<AlignedBone>,
    /// Rotation from the character's directions (+X left, +Y up, +Z forward) to model space.
    pub model_from_character: Quat,
    /// Midpoint between the eyes in the head's space, metres.
    pub eye_middle: Vec3,
    /// Height of the skeleton relative to [`USUAL_HEIGHT`].
    pub size: f32,
    /// The eyes can move: as bones, or through the weights of [`super::Gaze::morph_weights`]. Otherwise the head does all of it.
    pub has_eyes: bool,
    /// Rotation range of the spine. A human chest turns about 35 degrees on the hips (White and Panjabi 1990); half of that
    /// is usual.
    pub chest_range: GazeLimits,
    /// Rotation range of head and neck on the chest. Humans reach 70 to 80 degrees to the side and 50 up and down (Ferrario
    /// et al. 2002); the last tenth is not used.
    pub head_range: GazeLimits,
    /// Rotation range of the eyes in the head. Humans reach 45 degrees to the side, 28 up and 47 down (Shin et al. 2016);
    /// long looks use less.
    pub eye_range: EyeRange,
    /// For eye bones: maps from gaze angles to bone angles, if the file has them (VRM).
    pub bone_maps: Option<LookMaps>,
    /// Maps to look weights; by default a gain of 0.8 to the side and 0.5 vertically at the end of the range.
    pub weight_maps: LookMaps,
}

impl GazeRig {
    /// Builds the rig from the bones that [`GazeBones::find`] finds.
    ///
    /// # Errors
    /// Fails without a head and without eyes that have a parent.
    pub fn find(skeleton: &Skeleton, humanoid: &Humanoid) -> Result<Self, GazeError> {
        let bones = GazeBones::find(skeleton, humanoid);
        let facing = Trunk::find(skeleton, humanoid).model_from_character;
        Self::new(skeleton, facing, &bones)
    }

    /// Builds the rig from given bones. Their forward and up directions come from the rest pose.
    ///
    /// # Errors
    /// Fails if the head is missing or a bone does not exist.
    pub fn new(
        skeleton: &Skeleton,
        model_from_character: Quat,
        bones: &GazeBones,
    ) -> Result<Self, GazeError> {
        let rest = Resting::new(skeleton, model_from_character);
        let at = |bone: u16| {
            let n = skeleton.len();
            rest.carrying(bone).ok_or(GazeError::NoBone(bone, n))
        };
        let head = at(bones.head.ok_or(GazeError::NoHead)?)?;
        let [mut left, mut right] = [None; 2];
        for (slot, eye) in [(&mut left, bones.eyes[0]), (&mut right, bones.eyes[1])] {
            *slot = eye.map(at).transpose()?;
        }
        for fraction in bones.necks.iter().chain(&bones.spine) {
            at(fraction.bone)?;
        }
        let size = (skeleton.height() / USUAL_HEIGHT).clamp(1e-2, 1e3);
        let lowest = bones.spine.first().or(bones.necks.first());
        let lowest = lowest.map_or(head.bone, |fraction| fraction.bone);
        let base = rest.parent(lowest).and_then(|base| rest.carrying(base));
        let head_from_model = rest.model(head.bone).map(|m| m.inverse());
        let eyes = [left, right];
        let positions = eyes.iter().flatten().filter_map(|eye| rest.model(eye.bone));
        let positions: Vec<Vec3> = positions.map(|m| m.translation.into()).collect();
        let middle = if positions.is_empty() {
            // Eyes are about 5 cm above and 8 cm in front of the joint of the skull.
            let origin = rest.model(head.bone).unwrap_or_default().translation;
            Vec3::from(origin) + model_from_character * Vec3::new(0.0, 0.05, 0.08) * size
        } else {
            positions.iter().sum::<Vec3>() / positions.len() as f32
        };
        let eye_middle = head_from_model.map_or(Vec3::ZERO, |m| m.transform_point3(middle));
        let eye_range = EyeRange {
            inner: 35_f32.to_radians(),
            outer: 35_f32.to_radians(),
            up: 25_f32.to_radians(),
            down: 35_f32.to_radians(),
        };
        Ok(Self {
            head,
            necks: bones.necks.clone(),
            spine: bones.spine.clone(),
            has_eyes: !positions.is_empty(),
            eyes,
            base,
            model_from_character,
            eye_middle: if eye_middle.is_finite() {
                eye_middle
            } else {
                Vec3::ZERO
            },
            size,
            chest_range: GazeLimits::degrees(18.0, 6.0, 8.0),
            head_range: GazeLimits::degrees(65.0, 40.0, 40.0),
            eye_range,
            bone_maps: None,
            weight_maps: LookMaps::weights(&eye_range, Vec2::new(0.8, 0.5)),
        })
    }

    /// Sets the eye position in the head's space, metres, unless the eyes are bones. Zero is ignored: files use it for "not
    /// set", and it is the joint of the head.
    pub fn set_eye_position(&mut self, offset: Vec3) {
        if self.eyes.iter().all(Option::is_none) && offset != Vec3::ZERO {
            self.eye_middle = offset;
        }
    }

    /// Replaces the maps to look weights for side, up and down.
    pub fn show_by(&mut self, [side, up, down]: [Option<RangeMap>; 3]) {
        let given = [side, side, up, down];
        for (own, map) in self.weight_maps.parts_mut().into_iter().zip(given) {
            *own = map.unwrap_or(*own);
        }
        if self.eyes.iter().any(Option::is_some) {
            return;
        }
        for (end, map) in self.eye_range.parts_mut().into_iter().zip(given) {
            *end = map.map_or(*end, |map| end.min(map.input));
        }
    }

    /// Uses the ranges of a file, for eye bones or, where the file has morph targets for them (`has_looks`), for
    /// expressions.
    pub fn follow(&mut self, look: &LookAt, has_looks: bool) {
        match look.kind {
            GazeKind::Bone => self.bone_maps = Some(LookMaps::of(look)),
            GazeKind::Expression if has_looks => {
                self.eyes = [None; 2];
                self.weight_maps = LookMaps::of(look);
            }
            GazeKind::Expression => return,
        }
        let end = |range: GazeRange| range.end(look.kind).to_radians();
        let range = &mut self.eye_range;
        let inner = match look.kind {
            GazeKind::Bone => look.inner,
            GazeKind::Expression => look.outer,
        };
        // The map of the file covers its whole input range, beyond the range of human eyes.
        range.inner = end(inner);
        range.outer = end(look.outer);
        range.up = end(look.up);
        range.down = end(look.down);
    }

    /// Sets the eye ranges to the side, up and down, radians, over those of the file: bones rotate by the exact angle, and
    /// morphs and expressions reach their end there.
    pub fn set_eye_range(&mut self, [side, up, down]: [Option<f32>; 3]) {
        let given = [side, side, up, down];
        let bones = self.bone_maps.iter_mut().flat_map(LookMaps::parts_mut);
        for (map, angle) in bones.zip(given) {
            if let Some(input) = angle {
                let output = input;
                *map = RangeMap { input, output };
            }
        }
        for (map, angle) in self.weight_maps.parts_mut().into_iter().zip(given) {
            if let Some(input) = angle {
                let output = map.output.clamp(0.0, 1.0);
                *map = RangeMap { input, output };
            }
        }
        for (end, angle) in self.eye_range.parts_mut().into_iter().zip(given) {
            *end = angle.unwrap_or(*end);
        }
    }

    /// Facing of the body in the current pose, model space: the reference of all angles.
    pub fn base_frame(&self, posed: &Posed) -> Quat {
        self.base
            .map_or(self.model_from_character, |base| base.frame(posed))
    }

    /// Midpoint between the eyes in the current pose, model space, metres.
    pub fn middle(&self, posed: &Posed) -> Vec3 {
        posed
            .model(self.head.bone)
            .transform_point3(self.eye_middle)
    }

    /// Smallest distance at which the eyes converge, metres.
    pub fn nearest(&self) -> f32 {
        0.15 * self.size
    }
}

/// Yaw to the left and pitch up of a direction in the character's space, radians; straight up or down, the yaw is 0.
pub(super) fn angles_of(direction: Vec3) -> Vec2 {
    let level = direction.x.hypot(direction.z);
    if level < 1e-6 {
        return Vec2::new(0.0, direction.y.atan2(level));
    }
    Vec2::new(direction.x.atan2(direction.z), direction.y.atan2(level))
}

/// Direction of yaw and pitch, in the character's space.
pub(super) fn direction_of(angles: Vec2) -> Vec3 {
    let ((sin_yaw, cos_yaw), (sin, cos)) = (angles.x.sin_cos(), angles.y.sin_cos());
    Vec3::new(sin_yaw * cos, sin, cos_yaw * cos)
}

/// Rotation that takes a head from one pair of angles to another without changing its roll, in the character's space.
pub(super) fn turn_between(from: Vec2, to: Vec2) -> Quat {
    Quat::from_rotation_y(to.x)
        * Quat::from_rotation_x(from.y - to.y)
        * Quat::from_rotation_y(-from.x)
}
