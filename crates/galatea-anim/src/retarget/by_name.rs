//! Retargeting by name, for the same rig in another file: tracks go to the bone of the same name.

use glam::{Quat, Vec3};

use super::times::AnimatedBones;
use super::{Matched, RetargetMode, RetargetReport, Rig, Takes, model_rotations};
use crate::humanoid::Role;
use crate::{Bone, BoneTracks, Clip, Skeleton, Track, local_to_model};

/// Minimum angle between the facing directions of two characters in model space at which they are aligned, radians.
const MIN_FACING: f32 = 0.35;
/// Smaller differences of parents are ignored, so that equal rigs keep exactly their values, radians.
const MIN_TURN: f32 = 0.01;

/// Names that two skeletons have in common.
#[derive(Debug)]
pub struct Common {
    /// Number of bones with a common name.
    pub n: usize,
    /// Fraction of the possible pairs that were found.
    fraction: f32,
    /// Fraction of the common bones with the same direction of the offset from the parent.
    same_axes: f32,
}

/// Maximum angle between two bones that count as having the same axes if their limbs rest in the same direction,
/// radians.
const MAX_ROLL: f32 = 0.8;
/// Maximum angle between two limb directions that count as the same, radians.
const SAME_DIRECTION: f32 = 0.35;

/// Positions and rotations of a body's bones at rest, in the character's directions.
struct BodyAxes {
    positions: Vec<Vec3>,
    rotations: Vec<Quat>,
}

impl BodyAxes {
    fn of(rig: Rig) -> Self {
        let bones = rig.skeleton.bones();
        let to_body = rig.humanoid.model_from_character.conjugate();
        let rest: Vec<_> = rig.skeleton.rest().collect();
        let (mut model, mut rotations) = (Vec::new(), Vec::new());
        local_to_model(rig.skeleton, &rest, &mut model);
        model_rotations(rig.skeleton, |i| bones[i].rest.rotation, &mut rotations);
        Self {
            positions: model
                .iter()
                .map(|m| to_body * Vec3::from(m.translation))
                .collect(),
            rotations: rotations
                .iter()
                .map(|rotation| to_body * *rotation)
                .collect(),
        }
    }

    /// Returns true if a limb rests in the same direction in both bodies, but the bone above it has other axes. Only
    /// its rotation about the limb differs, which offsets do not show.
    fn is_rolled(&self, bone: [u16; 2], other: &Self, other_bone: [u16; 2]) -> bool {
        let along = |axes: &Self, [above, bone]: [u16; 2]| {
            axes.positions[usize::from(bone)] - axes.positions[usize::from(above)]
        };
        let is_same_way =
            along(self, bone).angle_between(along(other, other_bone)) < SAME_DIRECTION;
        let rotation = self.rotations[usize::from(bone[0])];
        is_same_way
            && rotation.angle_between(other.rotations[usize::from(other_bone[0])]) > MAX_ROLL
    }
}

impl Common {
    pub fn new(source_rig: Rig, target_rig: Rig) -> Self {
        let (source, target) = (source_rig.skeleton, target_rig.skeleton);
        let are_bodies = source_rig.humanoid.is_body() && target_rig.humanoid.is_body();
        let axes = are_bodies.then(|| [source_rig, target_rig].map(BodyAxes::of));
        let partner = |i: usize| target.find(&source.bones()[i].name);
        let (mut n, mut with_offset, mut agree) = (0, 0, 0);
        for (i, bone) in source.bones().iter().enumerate() {
            let Some(other_bone) = partner(i) else {
                continue;
            };
            n += 1;
            let other = &target.bones()[usize::from(other_bone)];
            let parents = (bone.parent, other.parent);
            let same_parents = match parents {
                (Some(a), Some(b)) => partner(usize::from(a)) == Some(b),
                _ => false,
            };
            let (a, b) = (bone.rest.translation, other.rest.translation);
            if same_parents && a.length() > 1e-6 && b.length() > 1e-6 {
                with_offset += 1;
                // For a very short offset, the direction is noise.
                let short = a.length().min(b.length()) < 0.05 * a.length().max(b.length());
                let is_rolled = match (&axes, parents) {
                    (Some([from, to]), (Some(above), Some(other_above))) => {
                        from.is_rolled([above, i as u16], to, [other_above, other_bone])
                    }
                    _ => false,
                };
                if short || a.angle_between(b) < 10f32.to_radians() && !is_rolled {
                    agree += 1;
                }
            }
        }
        let skinned = target.bones().iter().filter(|bone| bone.skinned);
        let (mut all, mut known) = (0, 0);
        for bone in skinned {
            all += 1;
            known += usize::from(source.find(&bone.name).is_some());
        }
        let fraction = |part: usize, whole: usize| part as f32 / whole.max(1) as f32;
        Self {
            n,
            fraction: fraction(n, source.len()).max(fraction(known, all)),
            same_axes: if with_offset == 0 {
                1.0
            } else {
                fraction(agree, with_offset)
            },
        }
    }

    /// Returns true if both are the same rig: most names are common, and those bones have the same axes.
    pub fn is_same_rig(&self) -> bool {
        self.n >= 3 && self.fraction >= 0.75 && self.same_axes >= 0.9
    }
}

#[derive(Clone, Debug)]
struct BoneMapping {
    target: u16,
    /// The hips, or an ancestor of them.
    is_trunk_root: bool,
    /// `None`: stays at its rest position.
    translation: Option<Shift>,
    scale: bool,
}

/// `rest_target + turn * (value - rest_source) * factor`; the identity without a turn, for a factor of 1 and equal
/// rests.
#[derive(Clone, Copy, Debug)]
struct Shift {
    rest_source: Vec3,
    rest_target: Vec3,
    factor: f32,
    turn: Option<Quat>,
}

/// Mapping of source bones to target bones of the same name.
#[derive(Clone, Debug)]
pub struct NameMapping {
    bones: Vec<Option<BoneMapping>>,
    source: RestFrames,
    target: RestFrames,
    /// Rotation from directions of the source's model space to those of the target's.
    facing: Quat,
}

/// Parents of a skeleton's bones, and their model-space rotations at rest.
#[derive(Clone, Debug)]
struct RestFrames {
    parents: Vec<Option<u16>>,
    rotations: Vec<Quat>,
}

impl RestFrames {
    fn new(skeleton: &Skeleton) -> Self {
        let bones = skeleton.bones();
        let mut rotations = Vec::new();
        model_rotations(skeleton, |i| bones[i].rest.rotation, &mut rotations);
        Self {
            parents: bones.iter().map(|bone| bone.parent).collect(),
            rotations,
        }
    }

    fn rotation(&self, bone: Option<u16>) -> Quat {
        let rotation = bone.and_then(|bone| self.rotations.get(usize::from(bone)));
        rotation.copied().unwrap_or(Quat::IDENTITY)
    }

    fn parent(&self, bone: u16) -> Option<u16> {
        *self.parents.get(usize::from(bone))?
    }
}

impl NameMapping {
    pub fn new(source: Rig, target: Rig, common: &Common) -> (Self, RetargetReport) {
        let hips_source = source.humanoid.bone(Role::Hips);
        let size_source = size(source.skeleton);
        let scale = scale_between(source, target, size_source);
        let mut identical = true;
        let mut bound: Vec<Option<BoneMapping>> = Vec::new();
        let mut matched = Vec::new();
        for (i, bone) in source.skeleton.bones().iter().enumerate() {
            let Some(to) = target.skeleton.find(&bone.name) else {
                bound.push(None);
                continue;
            };
            let other = &target.skeleton.bones()[usize::from(to)];
            let (from_rest, to_rest) = (bone.rest, other.rest);
            let same_place = from_rest.translation.distance(to_rest.translation)
                <= 0.01 * from_rest.translation.length() + 1e-4 * size_source;
            identical &= same_place;
            let carries_hips = hips_source.is_some_and(|hips| is_at_or_above(source, i, hips));
            let is_root = bone.parent.is_none() || Some(i as u16) == hips_source || carries_hips;
            let rest = |factor| Shift {
                rest_source: from_rest.translation,
                rest_target: to_rest.translation,
                factor,
                turn: None,
            };
            let translation = if is_root && !(same_place && (scale - 1.0).abs() < 0.01) {
                let units = parent_scale(source.skeleton, bone.parent)
                    / parent_scale(target.skeleton, other.parent);
                Some(rest(scale * units))
            } else if same_place {
                Some(Shift {
                    rest_target: from_rest.translation,
                    ..rest(1.0)
                })
            } else {
                None
            };
            bound.push(Some(BoneMapping {
                target: to,
                is_trunk_root: Some(i as u16) == hips_source || carries_hips,
                translation,
                scale: false,
            }));
            matched.push((to, same_name(bone, target, to)));
        }
        for bone in bound.iter_mut().flatten() {
            bone.scale = identical;
        }
        matched.sort_by_key(|bone| bone.0);
        let report = RetargetReport {
            manner: RetargetMode::Names,
            scale,
            bones: matched.into_iter().map(|bone| bone.1).collect(),
            unmatched_source: unmatched(source.skeleton, target.skeleton),
            unmatched_target: unmatched(target.skeleton, source.skeleton),
            notes: if identical || common.n == 0 {
                Vec::new()
            } else {
                vec!["proportions differ: translations apply only to root and hips, scales are left out".into()]
            },
        };
        let mapping = Self {
            bones: bound,
            source: RestFrames::new(source.skeleton),
            target: RestFrames::new(target.skeleton),
            facing: facing_between(source, target),
        };
        (mapping, report)
    }

    fn bound(&self, bone: u16) -> Option<&BoneMapping> {
        self.bones.get(usize::from(bone))?.as_ref()
    }

    pub fn takes(&self, bone: u16) -> Option<Takes> {
        self.bound(bone).map(|bound| Takes {
            translation: bound.translation.is_some(),
            scale: bound.scale,
        })
    }

    /// Rotation from the source parent's frame to the target parent's frame, for a bone whose parents the clip does
    /// not move. The axes of a root depend on the program that exported it. `None` if the frames agree.
    fn parent_turn(&self, bone: u16, is_moved: impl Fn(u16) -> bool) -> Option<Quat> {
        let bound = self.bound(bone)?;
        let source_parent = self.source.parent(bone);
        let target_parent = self.target.parent(bound.target);
        let partner = |bone: u16| self.bound(bone).map(|bound| bound.target);
        let is_common = |parent: u16| partner(parent).is_some() && is_moved(parent);
        let partner_of_parent = source_parent.and_then(partner);
        let has_partner = partner_of_parent.is_some() && partner_of_parent == target_parent;
        if has_partner && (source_parent.is_some_and(is_common) || !bound.is_trunk_root) {
            return None;
        }
        let up = |bone: &u16| self.source.parent(*bone);
        let common = std::iter::successors(source_parent, up).find(|bone| is_common(*bone));
        let from = self.source.rotation(common).conjugate() * self.source.rotation(source_parent);
        let common = common.and_then(partner);
        let to = self.target.rotation(common).conjugate() * self.target.rotation(target_parent);
        let facing = if common.is_none() {
            self.facing
        } else {
            Quat::IDENTITY
        };
        let turn = (to.conjugate() * facing * from).normalize();
        (turn.is_finite() && turn.angle_between(Quat::IDENTITY) > MIN_TURN).then_some(turn)
    }

    /// Converts the clip's tracks to the target's bones.
    pub fn bones(&self, clip: &Clip) -> Vec<BoneTracks> {
        let moved = AnimatedBones::new(clip, self.bones.len());
        let is_moved = |bone: u16| moved.any_rotated(&[bone]);
        let bound = clip.bones.iter().filter_map(|tracks| {
            let bound = self.bound(tracks.bone)?;
            let turn = self.parent_turn(tracks.bone, is_moved);
            let mut rotation = tracks.rotation.clone();
            if let (Some(track), Some(turn)) = (&mut rotation, turn) {
                track
                    .values
                    .iter_mut()
                    .for_each(|value| *value = turn * *value);
            }
            let tracks = BoneTracks {
                bone: bound.target,
                translation: match (&tracks.translation, bound.translation) {
                    (Some(track), Some(shift)) => Some(shift.turned(turn).apply(track)),
                    _ => None,
                },
                rotation,
                scale: tracks.scale.clone().filter(|_| bound.scale),
            };
            let any =
                tracks.translation.is_some() || tracks.rotation.is_some() || tracks.scale.is_some();
            any.then_some(tracks)
        });
        let mut bones: Vec<BoneTracks> = bound.collect();
        bones.sort_by_key(|tracks| tracks.bone);
        bones
    }
}

impl Shift {
    fn turned(self, turn: Option<Quat>) -> Self {
        Self { turn, ..self }
    }

    fn apply(&self, track: &Track<Vec3>) -> Track<Vec3> {
        let mut track = track.clone();
        if self.factor == 1.0 && self.rest_source == self.rest_target && self.turn.is_none() {
            return track;
        }
        let turn = self.turn.unwrap_or(Quat::IDENTITY);
        let is_spline = track.interpolation == crate::Interpolation::CubicSpline;
        for (i, value) in track.values.iter_mut().enumerate() {
            *value = if is_spline && i % 3 != 1 {
                turn * (*value * self.factor)
            } else {
                self.rest_target + turn * ((*value - self.rest_source) * self.factor)
            };
        }
        track
    }
}

/// Rotation between the facing directions of two bodies in model space, if they differ.
fn facing_between(source: Rig, target: Rig) -> Quat {
    if !source.humanoid.is_body() || !target.humanoid.is_body() {
        return Quat::IDENTITY;
    }
    let [from, to] = [source, target].map(|rig| rig.humanoid.model_from_character);
    let facing = (to * from.conjugate()).normalize();
    if facing.angle_between(Quat::IDENTITY) < MIN_FACING {
        return Quat::IDENTITY;
    }
    facing
}

/// Size of the target divided by that of the source.
fn scale_between(source: Rig, target: Rig, size_source: f32) -> f32 {
    let has_hips = |rig: Rig| rig.humanoid.bone(Role::Hips).is_some();
    let size_target = size(target.skeleton);
    if has_hips(source) && has_hips(target) {
        super::body::height_ratio(source, target)
    } else if size_source > 0.0 && size_target > 0.0 {
        size_target / size_source
    } else {
        1.0
    }
}

/// Reports two bones of the same name.
fn same_name(bone: &Bone, target: Rig, to: u16) -> Matched {
    let other = &target.skeleton.bones()[usize::from(to)];
    let between = bone.rest.rotation.angle_between(other.rest.rotation);
    Matched {
        role: target.humanoid.role_of(to),
        source: bone.name.clone(),
        target: other.name.clone(),
        rest_difference: Some(between.to_degrees()),
        corrected: false,
    }
}

/// Names of the bones that another skeleton lacks.
fn unmatched(skeleton: &Skeleton, other: &Skeleton) -> Vec<String> {
    let bones = skeleton.bones().iter();
    let lone = bones.filter(|bone| other.find(&bone.name).is_none());
    lone.map(|bone| bone.name.clone()).collect()
}

fn is_at_or_above(rig: Rig, bone: usize, below: u16) -> bool {
    let parent = |bone: &u16| rig.skeleton.bones().get(usize::from(*bone))?.parent;
    std::iter::successors(Some(below), parent).any(|b| usize::from(b) == bone)
}

/// Longest edge of the bounding box of the bones at rest.
fn size(skeleton: &Skeleton) -> f32 {
    let rest: Vec<_> = skeleton.rest().collect();
    let mut model = Vec::new();
    local_to_model(skeleton, &rest, &mut model);
    let positions = model.iter().map(|m| Vec3::from(m.translation));
    let (low, high) = positions.fold((Vec3::MAX, Vec3::MIN), |(low, high), position| {
        (low.min(position), high.max(position))
    });
    (high - low).max_element().max(0.0)
}

/// Scale from the space of a bone's children to model space.
fn parent_scale(skeleton: &Skeleton, parent: Option<u16>) -> f32 {
    let up = |bone: &u16| skeleton.bones().get(usize::from(*bone))?.parent;
    let above = std::iter::successors(parent, up);
    let scale: f32 = above
        .filter_map(|bone| skeleton.bones().get(usize::from(bone)))
        .map(|bone| bone.rest.scale.abs().element_sum() / 3.0)
        .product();
    if scale > 1e-9 { scale } else { 1.0 }
}
