mod kept;

use std::f32::consts::TAU;

use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;

use super::*;
use crate::{
    Bone, Clip, Interpolation, MarkerValue, Pose, Skeleton, Track, local_to_model, sample,
};
use galatea_math::Trs;

/// Pseudo-random generator; proptest provides the seed.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.next()
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() * n as f32) as usize).min(n - 1)
    }

    fn vector(&mut self, size: f32) -> Vec3 {
        Vec3::new(
            self.between(-size, size),
            self.between(-size, size),
            self.between(-size, size),
        )
    }

    fn rotation(&mut self) -> Quat {
        let axis = self.vector(1.0).try_normalize().unwrap_or(Vec3::X);
        Quat::from_axis_angle(axis, self.between(-3.0, 3.0))
    }
}

fn skeleton(dice: &mut Dice, uneven: bool) -> Skeleton {
    let n = 2 + dice.below(9);
    let bones = (0..n).map(|i| Bone {
        name: format!("b{i}"),
        parent: (i > 0).then(|| dice.below(i) as u16),
        rest: Trs {
            translation: dice.vector(0.4),
            rotation: dice.rotation(),
            scale: if uneven {
                Vec3::ONE + dice.vector(0.3)
            } else {
                Vec3::ONE
            },
        },
        skinned: true,
    });
    Skeleton::new(bones.collect()).unwrap()
}

/// Key times: on a grid, off it, or sparse.
fn times(dice: &mut Dice, kind: usize, n: usize, rate: f32) -> Vec<f32> {
    match kind {
        0 => (0..n).map(|i| i as f32 / rate).collect(),
        1 => (0..n)
            .map(|i| (i as f32 + if i > 0 { dice.between(-0.3, 0.3) } else { 0.0 }) / rate)
            .collect(),
        _ => vec![0.0, n as f32 * 0.37 / rate, (n - 1) as f32 / rate],
    }
}

fn clip(dice: &mut Dice, skeleton: &Skeleton) -> Clip {
    let rate = [24.0, 30.0, 60.0][dice.below(3)];
    let n = 3 + dice.below(150);
    let kind = dice.below(3);
    let noise = [0.0, 0.0005, 0.02][dice.below(3)];
    let ways = [
        Interpolation::Linear,
        Interpolation::Linear,
        Interpolation::Step,
    ];
    let mut bones = Vec::new();
    for (b, bone) in skeleton.bones().iter().enumerate() {
        let kind = if dice.below(5) == 0 { 2 } else { kind };
        let times = times(dice, kind, n, rate);
        let axis = dice.vector(1.0).try_normalize().unwrap_or(Vec3::Y);
        let (speed, swing) = (dice.between(0.2, 9.0), dice.between(0.0, 1.5));
        let turning = dice.below(6) == 0;
        let rotations = times.iter().map(|t| {
            let turn = Quat::from_axis_angle(axis, (t * speed).sin() * swing);
            let off = Quat::from_scaled_axis(dice.vector(noise));
            let q = (bone.rest.rotation * turn * off).normalize();
            // With linear interpolation, both signs are the same rotation.
            if !turning && dice.below(20) == 0 {
                -q
            } else {
                q
            }
        });
        let rotations: Vec<Quat> = rotations.collect();
        let (turns, rotations) = if turning {
            let flat = Quat::from_array([0.0; 4]);
            let keys = rotations.iter().flat_map(|q| [flat, *q, flat]);
            (Interpolation::CubicSpline, keys.collect())
        } else {
            (ways[dice.below(3)], rotations)
        };
        let offsets = times
            .iter()
            .map(|t| bone.rest.translation + axis * (t * speed).cos() * 0.2);
        let offsets: Vec<Vec3> = offsets.collect();
        let spline = dice.below(6) == 0;
        let (interpolation, translations) = if spline {
            let keys = offsets.iter().flat_map(|v| [Vec3::ZERO, *v, Vec3::ZERO]);
            (Interpolation::CubicSpline, keys.collect())
        } else {
            (ways[dice.below(3)], offsets)
        };
        bones.push(BoneTracks {
            bone: b as u16,
            translation: (dice.below(3) == 0).then(|| Track {
                times: times.clone(),
                values: translations,
                interpolation,
            }),
            rotation: (dice.below(5) > 0).then(|| Track {
                times: times.clone(),
                values: rotations,
                interpolation: turns,
            }),
            scale: (dice.below(8) == 0).then(|| Track {
                values: times
                    .iter()
                    .map(|t| Vec3::splat(1.0 + 0.2 * (t * speed).sin()))
                    .collect(),
                times,
                interpolation: Interpolation::Linear,
            }),
        });
    }
    let last = |tracks: &BoneTracks| {
        [
            tracks
                .translation
                .as_ref()
                .map(|track| track.times[track.times.len() - 1]),
            tracks
                .rotation
                .as_ref()
                .map(|track| track.times[track.times.len() - 1]),
            tracks
                .scale
                .as_ref()
                .map(|track| track.times[track.times.len() - 1]),
        ]
        .into_iter()
        .flatten()
        .fold(0.0, f32::max)
    };
    Clip {
        name: "walk".into(),
        duration: bones.iter().map(last).fold(0.0, f32::max),
        bones,
        markers: vec![Marker {
            duration: 0.0,
            time: 0.25,
            event: "step".into(),
            fields: vec![
                ("foot".into(), MarkerValue::Text("left".into())),
                ("loud".into(), MarkerValue::Number(0.5)),
                ("wet".into(), MarkerValue::Bool(true)),
            ],
        }],
        ..Clip::default()
    }
}

fn authored(skeleton: &Skeleton, clip: &Clip, t: f32) -> Vec<Trs> {
    let mut pose = Pose {
        curves: Vec::new(),
        locals: skeleton.rest().collect(),
        morphs: Vec::new(),
    };
    sample(clip, t, &[], &mut pose);
    pose.locals
}

fn decoded(skeleton: &Skeleton, packed: &PackedClip, t: f32) -> Vec<Trs> {
    let mut locals: Vec<Trs> = skeleton.rest().collect();
    packed.sample(t, &mut locals);
    locals
}

/// Maximum error of each bone, metres, measured without any code under test.
fn errors(skeleton: &Skeleton, a: &[Trs], b: &[Trs], distance: f32) -> Vec<f32> {
    let (mut model_a, mut model_b) = (Vec::<Affine3A>::new(), Vec::<Affine3A>::new());
    local_to_model(skeleton, a, &mut model_a);
    local_to_model(skeleton, b, &mut model_b);
    let pairs = model_a.iter().zip(&model_b);
    pairs
        .map(|(a, b)| {
            let off = |axis: Vec3| {
                let point = axis * distance;
                a.transform_point3(point)
                    .distance(b.transform_point3(point))
            };
            off(Vec3::X).max(off(Vec3::Y)).max(off(Vec3::Z))
        })
        .collect()
}

/// Maximum error of any bone at a thousand times of a clip.
fn worst(skeleton: &Skeleton, clip: &Clip, packed: &PackedClip) -> f32 {
    let times = (0..=1000_u16).map(|i| clip.duration * f32::from(i) / 1000.0);
    let all = times.flat_map(|t| {
        let (a, b) = (authored(skeleton, clip, t), decoded(skeleton, packed, t));
        errors(skeleton, &a, &b, 0.03)
    });
    all.fold(0.0, f32::max)
}

/// Rounding of 32-bit times and matrix chains, in addition to the packing error.
const ROUNDING: f32 = 4e-6;

/// Splines of a chain deviate slightly between the frames, each within its own fraction of the bound; the deviations
/// add up at the end of the chain.
#[test]
fn spline_deviations_between_frames_add_up_within_the_bound() {
    let n_bones = 8;
    let bones = (0..n_bones).map(|i: u16| Bone {
        name: format!("b{i}"),
        parent: i.checked_sub(1),
        rest: Trs::from_translation(Vec3::Y * 0.2),
        skinned: true,
    });
    let skeleton = Skeleton::new(bones.collect()).unwrap();
    let times: Vec<f32> = (0..=60_u8).map(|i| f32::from(i) / 30.0).collect();
    let tracks = (0..n_bones).map(|bone| {
        let reach = 0.03 + 0.2 * f32::from(n_bones - 1 - bone);
        let size = 0.13 / reach / std::f32::consts::PI.powi(2);
        let keys = times.iter().flat_map(|t| {
            let pi = std::f32::consts::PI;
            let (half, slope) = (
                size * (1.0 - (pi * t).cos()) / 2.0,
                size * pi * (pi * t).sin() / 2.0,
            );
            let q = Quat::from_xyzw(half.sin(), 0.0, 0.0, half.cos());
            let dq = Quat::from_xyzw(half.cos() * slope, 0.0, 0.0, -half.sin() * slope);
            [dq, q, dq]
        });
        BoneTracks {
            bone,
            translation: None,
            rotation: Some(Track {
                times: times.clone(),
                values: keys.collect(),
                interpolation: Interpolation::CubicSpline,
            }),
            scale: None,
        }
    });
    let clip = Clip {
        duration: 2.0,
        bones: tracks.collect(),
        ..Clip::default()
    };
    let (packed, report) = pack(&skeleton, &clip, &PackOptions::default());
    let worst = worst(&skeleton, &clip, &packed);
    assert!(worst <= 1e-4 + ROUNDING, "{worst}");
    assert!(
        (report.worst_error_cm * 0.01 - worst).abs() < 1e-5,
        "{report:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_point_exceeds_the_error_bound(seed: u64, uneven: bool) {
        let dice = &mut Dice(seed);
        let skeleton = skeleton(dice, uneven);
        let clip = clip(dice, &skeleton);
        let options = PackOptions::default();
        let (packed, report) = pack(&skeleton, &clip, &options);
        prop_assert!(report.worst_error_cm <= 0.01);
        for _ in 0..200 {
            let t = dice.between(-0.1, clip.duration + 0.1);
            let (a, b) = (authored(&skeleton, &clip, t), decoded(&skeleton, &packed, t));
            for (bone, error) in errors(&skeleton, &a, &b, 0.03).iter().enumerate() {
                prop_assert!(*error <= 1e-4 + ROUNDING, "bone {bone} at {t}: {error}");
            }
        }
    }

    #[test]
    fn serialised_clip_round_trips_and_damaged_bytes_fail(seed: u64, at: usize, with: u8) {
        let dice = &mut Dice(seed);
        let skeleton = skeleton(dice, false);
        let clip = clip(dice, &skeleton);
        let (packed, _) = pack(&skeleton, &clip, &PackOptions::default());
        let mut bytes = packed.to_bytes();
        prop_assert_eq!(&PackedClip::from_bytes(&bytes).unwrap(), &packed);
        let at = at % bytes.len();
        prop_assert!(PackedClip::from_bytes(&bytes[..at]).is_err());
        if bytes[at] != with {
            bytes[at] = with;
            prop_assert!(PackedClip::from_bytes(&bytes).is_err());
        }
    }

    #[test]
    fn any_stream_is_read_within_bounds(seed: u64, changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..20), junk in prop::collection::vec(any::<u8>(), 0..300)) {
        let dice = &mut Dice(seed);
        let skeleton = skeleton(dice, false);
        let clip = clip(dice, &skeleton);
        let (packed, _) = pack(&skeleton, &clip, &PackOptions::default());
        let mut body = packed.to_bytes().split_off(8);
        for (at, with) in changes {
            let at = at % body.len();
            body[at] = with;
        }
        for body in [body, junk] {
            if let Ok(odd) = disk::read_body(&body) {
                prop_assert!(odd.bytes() < 1000 * (body.len() + 100));
                let mut locals: Vec<Trs> = skeleton.rest().collect();
                for t in [-1.0, 0.0, 0.3, 1e9, f32::NAN] {
                    odd.sample(t, &mut locals);
                    odd.sample_morphs(t, &[0], &mut [0.0; 4]);
                }
            }
        }
    }
}

#[test]
fn wide_and_narrow_instructions_give_the_same_bits() {
    let dice = &mut Dice(5);
    for _ in 0..20 {
        let skeleton = skeleton(dice, false);
        let clip = clip(dice, &skeleton);
        let (mut packed, _) = pack(&skeleton, &clip, &PackOptions::default());
        packed.constants = Box::default();
        packed.exact = Box::default();
        for i in 0..50 {
            let t = i as f32 * 0.07;
            let mut narrow: Vec<Trs> = skeleton.rest().collect();
            packed.sample_blocks(t, &mut narrow);
            assert_eq!(decoded(&skeleton, &packed, t), narrow);
        }
    }
}

#[test]
fn clips_on_a_grid_are_packed_instead_of_kept_as_keys() {
    let dice = &mut Dice(8);
    let skeleton = skeleton(dice, true);
    for uneven in [false, true] {
        let mut clip = turning(Interpolation::Linear, 200, |t| (t * 3.0).sin());
        if uneven {
            clip.bones[0].scale = clip.bones[0].rotation.as_ref().map(|track| Track {
                times: track.times.clone(),
                values: (track.times.iter())
                    .map(|t| Vec3::new(1.0 + 0.2 * t.sin(), 1.0, 1.0))
                    .collect(),
                interpolation: Interpolation::Linear,
            });
        }
        let (packed, report) = pack(&skeleton, &clip, &PackOptions::default());
        assert_eq!(report.kept_exact, 0);
        assert_eq!(
            (packed.n_frames(), packed.frame_rate().round()),
            (200, 30.0)
        );
        assert!(packed.channel_bytes() * 4 < 200 * 16, "{report:?}");
    }
}

fn one_bone() -> Skeleton {
    let bone = |name: &str, parent| Bone {
        name: name.into(),
        parent,
        rest: Trs::from_translation(Vec3::Y),
        skinned: true,
    };
    Skeleton::new(vec![bone("a", None), bone("b", Some(0))]).unwrap()
}

fn turning(interpolation: Interpolation, n: usize, angle: impl Fn(f32) -> f32) -> Clip {
    let times: Vec<f32> = (0..n).map(|i| i as f32 / 30.0).collect();
    Clip {
        duration: times[n - 1],
        bones: vec![BoneTracks {
            bone: 0,
            translation: None,
            rotation: Some(Track {
                values: times
                    .iter()
                    .map(|t| Quat::from_rotation_z(angle(*t)))
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
fn pack_all_equals_packing_one_by_one() {
    let dice = &mut Dice(11);
    let skeleton = skeleton(dice, false);
    let clips: Vec<Clip> = (0..6).map(|_| clip(dice, &skeleton)).collect();
    let options = PackOptions::default();
    let together = pack_all(&skeleton, &clips, &options);
    for (clip, together) in clips.iter().zip(&together) {
        assert_eq!(&pack(&skeleton, clip, &options), together);
    }
}

#[test]
fn empty_clip_moves_nothing() {
    let skeleton = one_bone();
    let (packed, _) = pack(&skeleton, &Clip::default(), &PackOptions::default());
    for packed in [packed, PackedClip::default()] {
        let locals = decoded(&skeleton, &packed, 1.0);
        assert_eq!(locals, skeleton.rest().collect::<Vec<_>>());
        assert_eq!(PackedClip::from_bytes(&packed.to_bytes()).unwrap(), packed);
    }
}

#[test]
fn bytes_of_another_kind_are_an_error() {
    assert_eq!(
        PackedClip::from_bytes(b"glTF"),
        Err(PackedClipError::NotAClip)
    );
    assert_eq!(
        PackedClip::from_bytes(b"GPC\x07"),
        Err(PackedClipError::Version(7))
    );
    assert_eq!(
        PackedClip::from_bytes(b"GPC\x01"),
        Err(PackedClipError::Damaged)
    );
}

#[test]
fn wider_bound_takes_fewer_bytes_and_reports_the_error() {
    let skeleton = one_bone();
    let clip = turning(Interpolation::Linear, 300, |t| {
        (t * 3.0).sin() + 0.1 * (t * 11.0).cos()
    });
    let mut before = usize::MAX;
    for bound in [1e-5, 1e-4, 1e-3, 1e-2] {
        let options = PackOptions {
            precision: Precision {
                bound,
                ..Precision::default()
            },
            ..PackOptions::default()
        };
        let (packed, report) = pack(&skeleton, &clip, &options);
        assert!(report.bytes < before, "{bound}: {report:?}");
        assert_eq!(report.bytes, packed.bytes());
        before = report.bytes;
        let worst = worst(&skeleton, &clip, &packed);
        assert!(worst <= bound + ROUNDING, "{bound}: {worst}");
        assert!(worst <= report.worst_error_cm * 0.01 + ROUNDING);
    }
}

#[test]
fn packed_clip_keeps_name_duration_rate_and_markers() {
    let mut clip = turning(Interpolation::Linear, 121, |t| (t * 3.0).sin());
    clip.name = "walk".into();
    clip.markers = vec![Marker {
        time: 2.5,
        duration: 0.5,
        event: "swing".into(),
        fields: vec![("hard".into(), MarkerValue::Bool(true))],
    }];
    let (packed, _) = pack(&one_bone(), &clip, &PackOptions::default());
    assert_eq!((packed.name.as_str(), packed.duration), ("walk", 4.0));
    assert_eq!((packed.frame_rate(), packed.n_frames()), (30.0, 121));
    assert_eq!(packed.markers, clip.markers);
}
