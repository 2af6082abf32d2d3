//! Tests of the whole pose pipeline with random skeletons and clips.

use glam::{DAffine3, EulerRot, Mat3, Quat, Vec3};
use proptest::prelude::*;

use super::*;
use galatea_math::Trs;
use galatea_math::simd::Level;

/// Pseudo-random numbers that are the same on every run.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// Uniform in 0..1.
    pub(super) fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1_u64 << 24) as f32
    }

    /// Uniform in -1..1.
    pub(super) fn signed(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }

    pub(super) fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    pub(super) fn rotation(&mut self, most: f32) -> Quat {
        let angles = self.vector() * most;
        Quat::from_euler(EulerRot::YXZ, angles.x, angles.y, angles.z)
    }
}

/// Random bone hierarchy.
pub(super) fn tree(n: usize, seed: u64) -> Skeleton {
    let mut random = Random(seed);
    let bones = (0..n)
        .map(|i| Bone {
            name: format!("bone {i}"),
            parent: (i > 0).then(|| {
                // Mostly chains, some forks.
                let back = 1 + (random.unit().powi(3) * i.min(12) as f32) as usize;
                i.saturating_sub(back) as u16
            }),
            rest: Trs {
                translation: random.vector() * 0.2,
                rotation: random.rotation(1.0),
                scale: Vec3::ONE,
            },
            skinned: true,
        })
        .collect();
    Skeleton::new(bones).unwrap()
}

pub(super) fn rest_of(skeleton: &Skeleton) -> Pose {
    Pose {
        locals: skeleton.rest().collect(),
        ..Pose::default()
    }
}

/// Clip with smooth motion of about every second bone, 30 keys per second.
pub(super) fn motion(skeleton: &Skeleton, seed: u64) -> Clip {
    let mut random = Random(seed);
    let n_keys = 12 + (random.unit() * 40.0) as usize;
    let times: Vec<f32> = (0..n_keys).map(|i| i as f32 / 30.0).collect();
    let mut bones = Vec::new();
    for (i, bone) in skeleton.bones().iter().enumerate() {
        if random.unit() < 0.3 {
            continue;
        }
        let (size, speed, phase) = (
            random.vector(),
            random.vector() * 6.0,
            random.vector() * 3.0,
        );
        let wave = |t: f32| size * (speed * t + phase).map(f32::sin);
        let track = |scale: f32, base: Vec3| Track {
            times: times.clone(),
            values: times.iter().map(|t| base + wave(*t) * scale).collect(),
            interpolation: Interpolation::Linear,
        };
        let turn = |t: &f32| {
            let angles = wave(*t) * 0.6;
            bone.rest.rotation * Quat::from_euler(EulerRot::YXZ, angles.x, angles.y, angles.z)
        };
        bones.push(BoneTracks {
            bone: i as u16,
            translation: (random.unit() < 0.2).then(|| track(0.1, bone.rest.translation)),
            rotation: Some(Track {
                times: times.clone(),
                values: times.iter().map(turn).collect(),
                interpolation: Interpolation::Linear,
            }),
            scale: (random.unit() < 0.1).then(|| track(0.1, bone.rest.scale)),
        });
    }
    Clip {
        name: format!("motion {seed}"),
        duration: times.last().copied().unwrap_or_default(),
        bones,
        ..Clip::default()
    }
}

/// Distance of a matrix from the double-precision one, 3 cm from the bone, metres.
fn distance(exact: &DAffine3, ours: &glam::Affine3A) -> f64 {
    let basis = Mat3::from(ours.matrix3).as_dmat3();
    let moved = Vec3::from(ours.translation).as_dvec3();
    let ours = DAffine3::from_mat3_translation(basis, moved);
    reference::distance(exact, &ours, 0.03)
}

#[test]
fn every_level_is_within_half_a_millimetre_of_the_double_precision_reference() {
    let skeleton = tree(67, 1);
    let rest = rest_of(&skeleton);
    let clips: Vec<Clip> = (0..12).map(|seed| motion(&skeleton, seed)).collect();
    let frames: Vec<Frames> = clips
        .iter()
        .map(|clip| Frames::of_clip(clip, &skeleton, &rest, &[]))
        .collect();
    for level in Level::ALL {
        let mut random = Random(7);
        let (mut pose, mut matrices) = (Pose::default(), Vec::new());
        let mut errors = Vec::new();
        for _ in 0..150 {
            let mut exact = Vec::new();
            let mut fast = Vec::new();
            for _ in 0..1 + (random.unit() * 3.0) as usize {
                let which = (random.unit() * clips.len() as f32) as usize;
                let (t, weight) = (random.unit() * clips[which].duration, random.unit() + 0.1);
                exact.push((&clips[which], f64::from(t), f64::from(weight)));
                fast.push(ClipAt {
                    frames: &frames[which],
                    t,
                    weight,
                });
            }
            sample_blend_at(level, &fast, &rest, &mut pose);
            local_to_model_at(level, &skeleton, &pose.locals, &mut matrices);
            let exact = reference::model_from_bone(&skeleton, &exact);
            errors.extend(exact.iter().zip(&matrices).map(|(a, b)| distance(a, b)));
        }
        errors.sort_by(f64::total_cmp);
        let p99 = errors[errors.len() * 99 / 100];
        assert!(p99 < 0.000_2, "{level:?}: p99 {p99} m");
        let most = errors[errors.len() - 1];
        assert!(most < 0.000_5, "{level:?}: at most {most} m");
    }
}

proptest! {
    #[test]
    fn order_of_clips_changes_no_bit(
        plays in prop::collection::vec((0_usize..4, 0.0_f32..2.0, 0_u32..4), 1..20),
        turn in 0_usize..20,
    ) {
        let skeleton = tree(19, 3);
        let rest = rest_of(&skeleton);
        let frames: Vec<Frames> = (0..4)
            .map(|seed| Frames::of_clip(&motion(&skeleton, seed), &skeleton, &rest, &[]))
            .collect();
        let mut plays: Vec<ClipAt> = plays
            .iter()
            .map(|(which, t, weight)| ClipAt {
                frames: &frames[*which],
                t: *t,
                weight: *weight as f32 * 0.7,
            })
            .collect();
        let (mut one, mut other) = (Pose::default(), Pose::default());
        sample_blend(&plays, &rest, &mut one);
        plays.reverse();
        let turn = turn % plays.len();
        plays.rotate_left(turn);
        sample_blend(&plays, &rest, &mut other);
        prop_assert_eq!(one, other);
    }

    #[test]
    fn only_the_ratios_of_weights_matter(
        weights in prop::collection::vec(0.01_f32..10.0, 1..6),
        power in -20_i32..20,
    ) {
        let skeleton = tree(11, 3);
        let rest = rest_of(&skeleton);
        let frames: Vec<Frames> = (0..weights.len() as u64)
            .map(|seed| Frames::of_clip(&motion(&skeleton, seed), &skeleton, &rest, &[]))
            .collect();
        let pose_of = |factor: f32| {
            let plays: Vec<ClipAt> = frames
                .iter()
                .zip(&weights)
                .map(|(frames, weight)| ClipAt { frames, t: 0.21, weight: weight * factor })
                .collect();
            let mut pose = Pose::default();
            sample_blend(&plays, &rest, &mut pose);
            pose
        };
        // A power of two changes no digit of the weights, and therefore none of the result.
        prop_assert_eq!(pose_of(1.0), pose_of(2.0_f32.powi(power)));
    }
}
