//! Facing direction of a character as it was modelled, from several signs.
//!
//! Used by `asset`, which rotates characters that face another direction to +Z. +Y points up.

use glam::Vec3;

use super::contacts::{ContactOptions, FootBones, detect};
use super::humanoid::{Humanoid, HumanoidMatch, Role, RoleSource};
use super::root_motion::{RootOptions, RootTrack, find_root_bone};
use super::{Clip, Skeleton, local_to_model};

/// Maximum number of clips for the direction measurement.
const MAX_CLIPS: usize = 4;
/// Cosine above which two directions agree.
const SAME: f32 = 0.8;
/// Cosine below which two directions contradict each other.
const OTHER: f32 = 0.3;

/// Signs of the facing direction: horizontal unit vectors in model space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FacingSigns {
    /// From bones named left and right.
    pub names: Option<Vec3>,
    /// From the feet to the toes.
    pub toes: Option<Vec3>,
    /// From the head joint to the eyes.
    pub eyes: Option<Vec3>,
    /// From clips named as walks and runs.
    pub clips: Option<Vec3>,
}

/// Facing direction of a character, found from its signs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundFacing {
    /// Radians about +Y from +Z, positive to the left: a multiple of 90°.
    pub yaw: f32,
    /// At least two signs agree and none contradicts them, or at least three agree.
    pub is_clear: bool,
}

impl FacingSigns {
    /// Reads the signs from a skeleton at rest and its clips.
    pub fn of(
        skeleton: &Skeleton,
        humanoid: &Humanoid,
        report: &HumanoidMatch,
        clips: &[Clip],
    ) -> Self {
        let rest: Vec<_> = skeleton.rest().collect();
        let mut model = Vec::new();
        local_to_model(skeleton, &rest, &mut model);
        let position = |role| {
            let bone = humanoid.bone(role)?;
            Some(Vec3::from(model[usize::from(bone)].translation))
        };
        let is_named = |role: Role| {
            let mut found = report.found.iter();
            found.any(|found| {
                found.role == role && matches!(found.how, RoleSource::Name | RoleSource::Declared)
            })
        };
        let named = is_named(Role::LeftUpperLeg) && is_named(Role::RightUpperLeg);
        let along = |from: Role, to: Role| Some(position(to)? - position(from)?);
        let toes = [
            (Role::LeftFoot, Role::LeftToes),
            (Role::RightFoot, Role::RightToes),
        ];
        let toes = toes
            .into_iter()
            .filter_map(|(foot, toes)| along(foot, toes));
        let eyes = [Role::LeftEye, Role::RightEye].into_iter();
        let eyes = eyes.filter_map(|eye| along(Role::Head, eye));
        Self {
            names: named
                .then(|| level(humanoid.model_from_character * Vec3::Z))
                .flatten(),
            toes: level(toes.sum()),
            eyes: level(eyes.sum()),
            clips: walking(skeleton, humanoid, clips),
        }
    }

    /// Returns the known signs with their names.
    pub fn each(&self) -> impl Iterator<Item = (&'static str, Vec3)> {
        let all = [
            ("left and right bone names", self.names),
            ("toes", self.toes),
            ("eyes", self.eyes),
            ("walking clips", self.clips),
        ];
        all.into_iter()
            .filter_map(|(name, sign)| Some((name, sign?)))
    }

    /// Returns the facing direction; `None` without signs, or if they do not point along one axis.
    pub fn judge(&self) -> Option<FoundFacing> {
        let axes = [Vec3::Z, Vec3::NEG_Z, Vec3::X, Vec3::NEG_X];
        let votes = |axis: Vec3| {
            self.each()
                .filter(|(_, sign)| sign.dot(axis) > SAME)
                .count()
        };
        let best = axes.into_iter().rev().max_by_key(|axis| votes(*axis))?;
        let n = votes(best);
        let against = self
            .each()
            .filter(|(_, sign)| sign.dot(best) < OTHER)
            .count();
        // A tie between directions gives no result.
        (n > against).then(|| FoundFacing {
            yaw: best.x.atan2(best.z),
            is_clear: n >= 2 && against == 0 || n >= 3,
        })
    }
}

/// Horizontal direction of unit length.
fn level(v: Vec3) -> Option<Vec3> {
    let flat = v.with_y(0.0);
    // Vertical vectors have no horizontal direction.
    (flat.length() > 0.2 * v.length()).then(|| flat.try_normalize())?
}

/// Mean direction of the clips named as forward locomotion.
fn walking(skeleton: &Skeleton, humanoid: &Humanoid, clips: &[Clip]) -> Option<Vec3> {
    let feet = FootBones::of(skeleton, humanoid).bones;
    let height = skeleton.height();
    let ahead = clips.iter().filter(|clip| goes_ahead(&clip.name));
    let directions = ahead.take(MAX_CLIPS).filter_map(|clip| {
        let root = find_root_bone(skeleton, clip)?;
        let track = RootTrack::extract(skeleton, clip, root, &RootOptions::default());
        if track.has_root_motion(height) {
            return level(track.lap().translation);
        }
        let gait = detect(skeleton, clip, &feet, &ContactOptions::default());
        gait.moves(height).then(|| level(gait.velocity()))?
    });
    level(directions.sum())
}

fn goes_ahead(name: &str) -> bool {
    let name = name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    has(&["walk", "run", "jog", "sprint"])
        && !has(&["back", "strafe", "left", "right", "side", "turn"])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(names: Vec3, toes: Vec3, eyes: Vec3, clips: Vec3) -> FacingSigns {
        let sign = |v: Vec3| (v != Vec3::ZERO).then_some(v);
        FacingSigns {
            names: sign(names),
            toes: sign(toes),
            eyes: sign(eyes),
            clips: sign(clips),
        }
    }

    fn result_of(signs: FacingSigns) -> Option<(i32, bool)> {
        let found = signs.judge()?;
        Some((found.yaw.to_degrees().round() as i32, found.is_clear))
    }

    const NONE: Vec3 = Vec3::ZERO;

    #[test]
    fn two_agreeing_signs_are_clear() {
        let back = Vec3::NEG_Z;
        assert_eq!(result_of(signs(back, back, NONE, NONE)), Some((180, true)));
        assert_eq!(
            result_of(signs(Vec3::X, NONE, Vec3::X, NONE)),
            Some((90, true))
        );
        assert_eq!(
            result_of(signs(Vec3::Z, Vec3::Z, Vec3::Z, Vec3::Z)),
            Some((0, true))
        );
    }

    #[test]
    fn single_or_contradicting_signs_are_not_clear() {
        let (ahead, back) = (Vec3::Z, Vec3::NEG_Z);
        assert_eq!(result_of(signs(back, NONE, NONE, NONE)), Some((180, false)));
        // Left and right are swapped.
        assert_eq!(result_of(signs(back, ahead, ahead, NONE)), Some((0, false)));
        assert_eq!(result_of(signs(back, ahead, ahead, ahead)), Some((0, true)));
        assert_eq!(result_of(signs(back, ahead, NONE, NONE)), None);
        assert_eq!(result_of(FacingSigns::default()), None);
    }

    #[test]
    fn clips_are_selected_by_name() {
        assert!(goes_ahead("Armature|Walk_Loop") && goes_ahead("running"));
        assert!(!goes_ahead("WalkBack") && !goes_ahead("Strafe_Run") && !goes_ahead("Idle"));
    }
}
