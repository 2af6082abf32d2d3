//! Exactness of single channels: keys, rotations, rest, own precisions, weights and curves.

use super::*;

#[test]
fn step_keys_and_few_keys_are_bit_exact() {
    let skeleton = one_bone();
    let wave = |t: f32| (t * 7.0).sin();
    let mut few = turning(Interpolation::Linear, 3, wave);
    if let Some(track) = &mut few.bones[0].rotation {
        track.times = vec![0.0, 1.0, 2.7];
        few.duration = 2.7;
    }
    for clip in [turning(Interpolation::Step, 90, wave), few] {
        let (packed, report) = pack(&skeleton, &clip, &PackOptions::default());
        assert_eq!(report.kept_exact, 1);
        for i in 0..300 {
            let t = i as f32 * 0.011;
            assert_eq!(
                decoded(&skeleton, &packed, t),
                authored(&skeleton, &clip, t)
            );
        }
    }
}

#[test]
fn last_key_a_day_later_costs_few_frames_and_changes_no_key() {
    let skeleton = one_bone();
    let mut clip = turning(Interpolation::Linear, 90, |t| (t * 7.0).sin());
    let track = clip.bones[0].rotation.as_mut().unwrap();
    *track.times.last_mut().unwrap() = 1e5;
    clip.duration = 1e5;
    let (packed, _) = pack(&skeleton, &clip, &PackOptions::default());
    assert_eq!(packed.n_frames(), 64 + 4 * 90 + 1);
    for t in [0.0, 0.011, 1.7, 2.9, 700.0, 1e5] {
        assert_eq!(
            decoded(&skeleton, &packed, t),
            authored(&skeleton, &clip, t)
        );
    }
}

#[test]
fn full_revolution_is_packed_within_the_bound() {
    let skeleton = one_bone();
    let clip = turning(Interpolation::Linear, 90, |t| t * TAU * 0.7);
    let (packed, report) = pack(&skeleton, &clip, &PackOptions::default());
    assert_eq!(report.kept_exact, 0);
    let worst = worst(&skeleton, &clip, &packed);
    assert!(worst <= 1e-4 + ROUNDING, "{worst}");
}

#[test]
fn channels_at_rest_are_omitted_and_constant_ones_keep_one_value() {
    let skeleton = one_bone();
    let mut clip = turning(Interpolation::Linear, 60, |_| 0.0);
    let still = |values: Vec3| Track {
        times: vec![0.0, 1.0],
        values: vec![values; 2],
        interpolation: Interpolation::Linear,
    };
    clip.bones[0].translation = Some(still(Vec3::new(0.5, 0.25, 3.0)));
    let (packed, _) = pack(&skeleton, &clip, &PackOptions::default());
    let expected = Moves {
        translation: true,
        ..Moves::default()
    };
    assert_eq!(packed.moves(0), expected);
    assert_eq!(packed.moves(1), Moves::default());
    assert_eq!(
        packed.bytes() - size_of::<PackedClip>(),
        size_of::<Constant>()
    );
    let locals = decoded(&skeleton, &packed, 0.7);
    assert_eq!(locals[0].translation, Vec3::new(0.5, 0.25, 3.0));
}

#[test]
fn bone_with_its_own_precision_meets_it() {
    let skeleton = one_bone();
    let clip = turning(Interpolation::Linear, 90, |t| (t * 5.0).sin());
    let strict = Precision {
        bound: 1e-5,
        distance: 0.5,
    };
    let options = PackOptions {
        bones: vec![(1, strict)],
        ..PackOptions::default()
    };
    let (loose, _) = pack(&skeleton, &clip, &PackOptions::default());
    let (packed, _) = pack(&skeleton, &clip, &options);
    assert!(packed.bytes() > loose.bytes());
    for i in 0..300 {
        let t = i as f32 * 0.01;
        let (a, b) = (
            authored(&skeleton, &clip, t),
            decoded(&skeleton, &packed, t),
        );
        assert!(errors(&skeleton, &a, &b, 0.5)[1] <= 1e-5 + ROUNDING);
    }
}

#[test]
fn morph_weights_and_curves_stay_within_tolerance_and_shrink() {
    let times: Vec<f32> = (0..120).map(|i| i as f32 / 30.0).collect();
    let wave = |t: f32, i: usize| 0.5 + 0.5 * (t * (2.0 + i as f32)).sin();
    let weights: Vec<f32> = times
        .iter()
        .flat_map(|t| (0..5).map(|i| wave(*t, i)))
        .collect();
    let clip = Clip {
        duration: times[119],
        morphs: vec![MorphTrack {
            part: 1,
            n_targets: 5,
            track: Track {
                times: times.clone(),
                values: weights,
                interpolation: Interpolation::Linear,
            },
        }],
        curves: vec![Curve {
            name: "lock".into(),
            track: Track {
                values: times.iter().map(|t| (t * 0.5).min(1.0)).collect(),
                times,
                interpolation: Interpolation::Linear,
            },
        }],
        ..Clip::default()
    };
    let (packed, _) = pack(&one_bone(), &clip, &PackOptions::default());
    assert_eq!(PackedClip::from_bytes(&packed.to_bytes()).unwrap(), packed);
    assert!(packed.channel_bytes() * 2 < 120 * 6 * 4);
    assert_eq!(packed.curves[0].track.times.len(), 3);
    for i in 0..1000 {
        let t = i as f32 * 0.004;
        let mut out = [9.0; 8];
        packed.sample_morphs(t, &[0, 2], &mut out);
        let mut pose = Pose {
            curves: Vec::new(),
            locals: Vec::new(),
            morphs: vec![9.0; 8],
        };
        sample(&clip, t, &[0, 2], &mut pose);
        assert_eq!((out[0], out[1], out[7]), (9.0, 9.0, 9.0));
        let lock = packed.curve("lock", t).unwrap_or(9.0);
        let expected = (t.min(clip.duration) * 0.5).min(1.0);
        assert!((lock - expected).abs() <= 5e-4 + 1e-6, "{t}: {lock}");
        for (a, b) in out.iter().zip(&pose.morphs) {
            assert!((a - b).abs() <= 5e-4, "{t}: {out:?} {:?}", pose.morphs);
        }
    }
}
