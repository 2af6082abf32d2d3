//! Moves clips to the origin, facing +Z.

use glam::{Quat, Vec3};

use crate::humanoid::Humanoid;
use crate::root_motion::{find_root_bone, wrap};
use crate::stance::{BodyBones, Poses, times};
use crate::{Clip, Interpolation, Skeleton, Track};

/// Maximum deviation for a body with a constant facing direction, radians; its mean then counts, not the first frame.
const STEADY: f32 = std::f32::consts::FRAC_PI_4;

/// A centred clip, and its original placement.
#[derive(Clone, Debug)]
pub struct Centred {
    /// The clip.
    pub clip: Clip,
    /// Horizontal position of the hips at the start of the original clip, model space, metres.
    pub from: Vec3,
    /// Original facing direction: radians about +Y from +Z, positive to the left. 0 if the bones of a body are
    /// unknown.
    pub yaw: f32,
}

/// Moves a clip horizontally and rotates it about +Y, so that its hips (else its root bone) start at the origin and
/// the body faces +Z. If the facing direction stays within 45°, its mean counts, else that of the start.
///
/// Returns `None` if no bone carries the body.
pub fn centre(skeleton: &Skeleton, humanoid: &Humanoid, clip: &Clip) -> Option<Centred> {
    let body = BodyBones::of(humanoid);
    let carrier = body
        .as_ref()
        .map(|body| body.hips)
        .or_else(|| find_root_bone(skeleton, clip))?;
    let mut poses = Poses::new(skeleton, clip);
    let from = poses.at(0.0)[usize::from(carrier)].with_y(0.0);
    let yaw = body.map_or(0.0, |body| facing(&body, &mut poses, clip));
    let turn = Quat::from_rotation_y(-yaw);
    let roots =
        (0..skeleton.len() as u16).filter(|b| skeleton.bones()[usize::from(*b)].parent.is_none());
    let mut clip = clip.clone();
    for bone in roots {
        let rest = skeleton.bones()[usize::from(bone)].rest;
        let tracks = clip.tracks_mut(bone);
        let positions = tracks
            .translation
            .get_or_insert_with(|| Track::constant(rest.translation));
        let is_spline = positions.interpolation == Interpolation::CubicSpline;
        for (i, position) in positions.values.iter_mut().enumerate() {
            let is_tangent = is_spline && i % 3 != 1;
            *position = turn
                * if is_tangent {
                    *position
                } else {
                    *position - from
                };
        }
        let turns = tracks
            .rotation
            .get_or_insert_with(|| Track::constant(rest.rotation));
        turns.values.iter_mut().for_each(|own| *own = turn * *own);
    }
    Some(Centred { clip, from, yaw })
}

fn facing(body: &BodyBones, poses: &mut Poses, clip: &Clip) -> f32 {
    let first = body.stance(poses.at(0.0)).yaw();
    let mut off = Vec::new();
    for t in times(clip) {
        off.push(wrap(body.stance(poses.at(t)).yaw() - first));
    }
    let (low, high) = off.iter().fold((0.0_f32, 0.0_f32), |(low, high), off| {
        (low.min(*off), high.max(*off))
    });
    if high - low < STEADY {
        first + off.iter().sum::<f32>() / off.len().max(1) as f32
    } else {
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoneTracks;
    use crate::humanoid::tests::skeleton_named;
    use crate::humanoid::{self, Role};
    use crate::stance::BodyBones;

    /// A body that walks 2 m along -Z from (3, 1, -4), facing -Z with a sway of 10 degrees.
    fn walk(skeleton: &Skeleton, sway: f32) -> Clip {
        let times: Vec<f32> = (0..=60).map(|i| i as f32 / 30.0).collect();
        let yaw =
            |t: f32| std::f32::consts::PI + (sway * (t * std::f32::consts::PI).sin()).to_radians();
        let interpolation = Interpolation::Linear;
        let hips = humanoid::find(skeleton, None).0.bone(Role::Hips).unwrap();
        Clip {
            duration: 2.0,
            bones: vec![BoneTracks {
                bone: hips,
                translation: Some(Track {
                    values: times
                        .iter()
                        .map(|t| Vec3::new(3.0, 1.0, -4.0 - t))
                        .collect(),
                    times: times.clone(),
                    interpolation,
                }),
                rotation: Some(Track {
                    values: times
                        .iter()
                        .map(|t| Quat::from_rotation_y(yaw(*t)))
                        .collect(),
                    times,
                    interpolation,
                }),
                scale: None,
            }],
            ..Clip::default()
        }
    }

    #[test]
    fn clip_starts_at_the_origin_and_walks_to_plus_z() {
        let skeleton = skeleton_named(|role| role.name().to_owned(), Quat::IDENTITY);
        let (roles, _) = humanoid::find(&skeleton, None);
        let centred = centre(&skeleton, &roles, &walk(&skeleton, 10.0)).unwrap();
        assert!(centred.from.abs_diff_eq(Vec3::new(3.0, 0.0, -4.0), 1e-5));
        assert!(
            (wrap(centred.yaw - std::f32::consts::PI)).abs() < 0.01,
            "{}",
            centred.yaw
        );
        let mut poses = Poses::new(&skeleton, &centred.clip);
        let hips = usize::from(roles.bone(Role::Hips).unwrap());
        assert!(poses.at(0.0)[hips].abs_diff_eq(Vec3::Y, 1e-4));
        assert!(poses.at(2.0)[hips].abs_diff_eq(Vec3::new(0.0, 1.0, 2.0), 0.02));
        let again = centre(&skeleton, &roles, &centred.clip).unwrap();
        assert!(again.from.length() < 1e-4 && again.yaw.abs() < 1e-3);
    }

    #[test]
    fn turning_body_faces_plus_z_at_its_start() {
        let skeleton = skeleton_named(|role| role.name().to_owned(), Quat::IDENTITY);
        let (roles, _) = humanoid::find(&skeleton, None);
        let centred = centre(&skeleton, &roles, &walk(&skeleton, 80.0)).unwrap();
        let mut poses = Poses::new(&skeleton, &centred.clip);
        let body = BodyBones::of(&roles).unwrap();
        assert!(body.stance(poses.at(0.0)).yaw().abs() < 1e-3);
    }

    #[test]
    fn root_bone_is_centred_without_a_body() {
        let bones = vec![crate::Bone {
            name: "root".into(),
            parent: None,
            rest: galatea_math::Trs::from_translation(Vec3::new(1.0, 0.5, 2.0)),
            skinned: false,
        }];
        let skeleton = Skeleton::new(bones).unwrap();
        let clip = Clip {
            duration: 1.0,
            ..Clip::default()
        };
        let centred = centre(&skeleton, &Humanoid::default(), &clip).unwrap();
        assert!(Poses::new(&skeleton, &centred.clip).at(0.0)[0].abs_diff_eq(Vec3::Y * 0.5, 1e-6));
        assert!(centre(&Skeleton::default(), &Humanoid::default(), &clip).is_none());
    }
}
