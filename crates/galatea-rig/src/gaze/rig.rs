//! What of a skeleton looks: bones, shares, ranges, and where they look at rest.

use glam::{Quat, Vec2, Vec3};

use super::range::{EyeRange, GazeLimits, LookMaps, RangeMap};
use crate::Posed;
use crate::look_at::{GazeKind, GazeRange, LookAt};
use crate::trunk::{CarryingBone, Resting, Trunk};
use galatea_anim::Skeleton;
use galatea_anim::humanoid::{Humanoid, Role};

/// Metres of the skeleton for which lengths here are given: a character of this height has size 1.
pub const USUAL_HEIGHT: f32 = 1.7;

/// A bone, and its share of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The bone.
    pub bone: u16,
    /// 0..=1; the shares of one kind sum to 1 at most.
    pub share: f32,
}

/// Which bones look.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GazeBones {
    /// What carries the eyes.
    pub head: Option<u16>,
    /// Bones of the neck from below, with shares of the head's turn; the head has what is left.
    pub necks: Vec<Share>,
    /// Bones of spine and chest from below, with shares of the chest's turn that sum to 1.
    pub spine: Vec<Share>,
    /// The left and the right eye.
    pub eyes: [Option<u16>; 2],
}

impl GazeBones {
    /// Finds them: a neck takes 40 % of the head's turn (half of the range of the neck lies in its two
    /// uppermost joints: Bogduk and Mercer 2000), higher bones of the spine more than lower ones. An
    /// animal's spine stays, since its forelegs hang there.
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
        let necks = trunk.necks.into_iter().map(|bone| Share {
            bone,
            share: (0.25 + 0.15 * n_necks).min(0.7) / n_necks,
        });
        let spine = spine.into_iter().enumerate().map(|(i, bone)| Share {
            bone,
            share: (i + 1) as f32 * 2.0 / (n_spine * (n_spine + 1.0)),
        });
        Self {
            head,
            necks: necks.collect(),
            spine: spine.collect(),
            eyes,
        }
    }
}

/// Why a skeleton cannot look.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GazeError {
    /// Nothing carries the eyes.
    #[error(
        "looking needs a head: no bone has the role \"head\", none is named so, and there are no eyes"
    )]
    NoHead,
    /// A bone that the skeleton does not have.
    #[error("looking: there is no bone {0}; the skeleton has {1}")]
    NoBone(u16, usize),
}

/// What looks, shared by all characters of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct GazeRig {
    /// What carries the eyes.
    pub head: CarryingBone,
    /// See [`GazeBones::necks`].
    pub necks: Vec<Share>,
    /// See [`GazeBones::spine`].
    pub spine: Vec<Share>,
    /// Eyes that are bones, left and right.
    pub eyes: [Option<CarryingBone>; 2],
    /// The bone that all of them hang on, from which angles are counted; `None` counts from model space.
    pub base: Option<CarryingBone>,
    /// Takes the character's directions (+X left, +Y up, +Z forward) to model space.
    pub model_from_character: Quat,
    /// The middle between the eyes in the head's space, metres.
    pub eye_middle: Vec3,
    /// Height of the skeleton over [`USUAL_HEIGHT`].
    pub size: f32,
    /// Eyes move: as bones, or as the weights that [`super::Gaze::look`] gives. Else the head does it all.
    pub has_eyes: bool,
    /// How far the spine turns. A chest turns some 35 degrees on the hips (White and Panjabi 1990); half is
    /// usual.
    pub chest_range: GazeLimits,
    /// How far head and neck turn on the chest. People reach 70 to 80 degrees to the side and 50 up and
    /// down (Ferrario et al. 2002); the last tenth is left.
    pub head_range: GazeLimits,
    /// How far eyes turn in the head. People reach 45 degrees to the side, 28 up and 47 down (Shin et al.
    /// 2016); what is looked at for long is nearer.
    pub eye_range: EyeRange,
    /// For eyes that are bones: the angle at which they are shown, where a file says so (VRM).
    pub bone_maps: Option<LookMaps>,
    /// Weights of looks; a gain of 0.8 to the side and 0.5 in height at the end of the range.
    pub weight_maps: LookMaps,
}

impl GazeRig {
    /// For the bones that [`GazeBones::find`] finds.
    ///
    /// # Errors
    /// When there is no head, and no eyes that hang on some bone.
    pub fn find(skeleton: &Skeleton, humanoid: &Humanoid) -> Result<Self, GazeError> {
        let bones = GazeBones::find(skeleton, humanoid);
        let facing = Trunk::find(skeleton, humanoid).model_from_character;
        Self::new(skeleton, facing, &bones)
    }

    /// For given bones. What their forward and up are is found from the rest pose (IK-05).
    ///
    /// # Errors
    /// When there is no head, or a bone is not there.
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
        for share in bones.necks.iter().chain(&bones.spine) {
            at(share.bone)?;
        }
        let size = (skeleton.height() / USUAL_HEIGHT).clamp(1e-2, 1e3);
        let lowest = bones.spine.first().or(bones.necks.first());
        let lowest = lowest.map_or(head.bone, |share| share.bone);
        let base = rest.parent(lowest).and_then(|base| rest.carrying(base));
        let head_from_model = rest.model(head.bone).map(|m| m.inverse());
        let eyes = [left, right];
        let places = eyes.iter().flatten().filter_map(|eye| rest.model(eye.bone));
        let places: Vec<Vec3> = places.map(|m| m.translation.into()).collect();
        let middle = if places.is_empty() {
            // Eyes lie about 5 cm over and 8 cm before the joint of the skull.
            let origin = rest.model(head.bone).unwrap_or_default().translation;
            Vec3::from(origin) + model_from_character * Vec3::new(0.0, 0.05, 0.08) * size
        } else {
            places.iter().sum::<Vec3>() / places.len() as f32
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
            has_eyes: !places.is_empty(),
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

    /// Looks from a place in the head's space, metres, unless its eyes are bones. Files that say 0 mean nothing by it:
    /// that is the joint of the head.
    pub fn look_from(&mut self, offset: Vec3) {
        if self.eyes.iter().all(Option::is_none) && offset != Vec3::ZERO {
            self.eye_middle = offset;
        }
    }

    /// Looks to the sides, up and down with weights that show the very angle, as far as they go.
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

    /// Looks as far as a file says, with its bones or, where it has morph targets for them (`has_looks`), its
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
        // The map of the file holds for all angles of the gaze, however far eyes of people turn.
        range.inner = end(inner);
        range.outer = end(look.outer);
        range.up = end(look.up);
        range.down = end(look.down);
    }

    /// Sets how far eyes turn to the side, up and down, radians, whatever a file says: bones are turned by the very
    /// angle, morphs and expressions are at their end there.
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

    /// The way that the body faces as it is posed, model space: what angles are counted from.
    pub fn base_frame(&self, posed: &Posed) -> Quat {
        self.base
            .map_or(self.model_from_character, |base| base.frame(posed))
    }

    /// The middle between the eyes as posed, model space, metres.
    pub fn middle(&self, posed: &Posed) -> Vec3 {
        posed
            .model(self.head.bone)
            .transform_point3(self.eye_middle)
    }

    /// Nearest distance at which the eyes meet, metres.
    pub fn nearest(&self) -> f32 {
        0.15 * self.size
    }
}

/// Yaw to the left and pitch up of a direction in the character's directions, radians; the yaw of what is
/// straight above or below is 0.
pub(super) fn angles_of(direction: Vec3) -> Vec2 {
    let level = direction.x.hypot(direction.z);
    if level < 1e-6 {
        return Vec2::new(0.0, direction.y.atan2(level));
    }
    Vec2::new(direction.x.atan2(direction.z), direction.y.atan2(level))
}

/// The direction of angles, in the character's directions.
pub(super) fn direction_of(angles: Vec2) -> Vec3 {
    let ((sin_yaw, cos_yaw), (sin, cos)) = (angles.x.sin_cos(), angles.y.sin_cos());
    Vec3::new(sin_yaw * cos, sin, cos_yaw * cos)
}

/// The turn that takes a head from angles to others and keeps how it is rolled, in the character's
/// directions.
pub(super) fn turn_between(from: Vec2, to: Vec2) -> Quat {
    Quat::from_rotation_y(to.x)
        * Quat::from_rotation_x(from.y - to.y)
        * Quat::from_rotation_y(-from.x)
}
