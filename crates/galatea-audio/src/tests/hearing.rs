//! Tests of the audible output.

use glam::Vec3;

use super::*;

fn power(samples: &[f32], side: usize) -> f32 {
    samples.iter().skip(side).step_by(2).map(|s| s * s).sum()
}

#[test]
fn a_sound_on_the_left_is_louder_in_the_left_ear_and_mirrored_on_the_right() {
    let at = |x: f32| {
        let placement = Some(Vec3::new(x, 0.0, 0.0));
        let cue = Cue {
            placement,
            ..Cue::new(sine(4800, 0.5), 0.0)
        };
        let heard = capture([cue], 0.1);
        (power(&heard, 0), power(&heard, 1))
    };
    let (l, r) = at(-2.0);
    assert!(l > 3.0 * r && r > 0.0);
    assert_eq!(at(2.0), (r, l));
    let (l, r) = at(0.0);
    assert_eq!(l, r);
}

#[test]
fn twice_the_distance_is_half_the_amplitude() {
    let peak = |distance: f32| {
        let placement = Some(Vec3::new(0.0, 0.0, -distance));
        let cue = Cue {
            placement,
            ..Cue::new(click(), 0.0)
        };
        capture([cue], 0.01)[0]
    };
    let at_two = 0.5 * 0.5_f32.sqrt();
    assert!((peak(2.0) - at_two).abs() < 1e-6);
    assert!((peak(4.0) - at_two / 2.0).abs() < 1e-6);
    assert!((peak(8.0) - at_two / 4.0).abs() < 1e-6);
    assert_eq!(peak(100.0), 0.0);
}

#[test]
fn a_loop_repeats_its_frames_until_stopped() {
    let frames: Vec<f32> = (1..=100).map(|i| i as f32 / 128.0).collect();
    let mut audio = Audio::capture(RATE);
    let cue = Cue {
        looped: true,
        id: 3,
        ..Cue::new(sound(1, frames.clone()), 0.0)
    };
    audio.play(cue).unwrap();
    audio.advance_to(1.0);
    let heard = left(audio.captured());
    assert!(heard.iter().enumerate().all(|(i, &s)| s == frames[i % 100]));
    audio.stop(3, 0.0);
    audio.advance_to(1.1);
    assert_eq!(last_sounding_frame(audio.captured()), 48_000 + 240 - 1);
}

#[test]
fn a_stopped_sound_ends_without_a_click() {
    for fade in [0.0, 0.02, f32::NAN] {
        let mut audio = Audio::capture(RATE);
        audio
            .play(Cue {
                id: 9,
                ..Cue::new(sine(48_000, 0.8), 0.0)
            })
            .unwrap();
        audio.advance_to(0.1234);
        audio.stop(9, fade);
        audio.advance_to(0.5);
        let heard = left(audio.captured());
        // The wave's own slope is 0.8 * 0.05, the fade's 0.8 / 240.
        let steepest = heard
            .windows(2)
            .map(|w| (w[1] - w[0]).abs())
            .fold(0.0, f32::max);
        assert!(steepest < 0.8 * 0.05 + 0.8 / 240.0 + 1e-4, "{steepest}");
        assert!(last_sounding_frame(audio.captured()) < 5924 + 960);
    }
}

#[test]
fn a_moving_listener_does_not_click() {
    let mut audio = Audio::capture(RATE);
    let ones = sound(1, vec![0.5; 48_000]);
    let placement = Some(Vec3::new(0.0, 0.0, -1.0));
    audio
        .play(Cue {
            placement,
            ..Cue::new(ones, 0.0)
        })
        .unwrap();
    for tick in 1..30 {
        audio.advance_to(f64::from(tick) / 60.0);
        let position = Vec3::new(if tick % 2 == 0 { 10.0 } else { -10.0 }, 0.0, 0.0);
        audio.set_listener(AudioListener {
            position,
            ..AudioListener::default()
        });
    }
    let heard = left(audio.captured());
    let steepest = heard
        .windows(2)
        .skip(1)
        .map(|w| (w[1] - w[0]).abs())
        .fold(0.0, f32::max);
    assert!(steepest < 0.02, "{steepest}");
}

#[test]
fn a_late_cue_joins_in_and_one_that_would_be_over_is_not_heard() {
    let mut audio = Audio::capture(RATE);
    audio.advance_to(1.0);
    let frames: Vec<f32> = (0..4800).map(|i| i as f32 / 9600.0).collect();
    audio
        .play(Cue::new(sound(1, frames.clone()), 0.95))
        .unwrap();
    audio
        .play(Cue::new(sound(1, vec![0.5; 4800]), 0.9))
        .unwrap();
    audio.advance_to(1.1);
    let heard = left(audio.captured());
    assert!(heard[48_000] < 1e-3, "fades in");
    assert_eq!(heard[48_240..50_400], frames[2640..4800]);
    assert!(heard[50_400..].iter().all(|&s| s == 0.0));
}

#[test]
fn a_stop_cancels_only_cues_scheduled_before_it() {
    let mut audio = Audio::capture(RATE);
    audio
        .play(Cue {
            id: 1,
            ..Cue::new(click(), 0.2)
        })
        .unwrap();
    audio.stop(1, 0.0);
    audio
        .play(Cue {
            id: 1,
            ..Cue::new(click(), 0.3)
        })
        .unwrap();
    audio.advance_to(0.5);
    let heard = left(audio.captured());
    assert_eq!(heard[9600], 0.0);
    assert_eq!(heard[14_400], 0.5);
}

#[test]
fn stop_all_clears_the_schedule_and_keeps_the_listener() {
    let mut audio = Audio::capture(RATE);
    audio.play(Cue::new(click(), 0.2)).unwrap();
    audio
        .play(Cue {
            looped: true,
            ..Cue::new(click(), 0.0)
        })
        .unwrap();
    audio.advance_to(0.1);
    audio.set_volume(0.5);
    audio.stop_all();
    audio.advance_to(0.3);
    assert_eq!(last_sounding_frame(audio.captured()), 4800 + 239);
    audio.play(Cue::new(click(), 0.35)).unwrap();
    audio.advance_to(0.4);
    assert_eq!(audio.captured()[2 * 16_800], 0.25);
}

#[test]
fn nan_infinite_and_out_of_range_values_are_rejected_by_name() {
    let mut audio = Audio::capture(RATE);
    let cue = || Cue::new(click(), 0.0);
    let wrong = [
        (
            "gain",
            Cue {
                volume: f32::NAN,
                ..cue()
            },
        ),
        (
            "gain",
            Cue {
                volume: -1.0,
                ..cue()
            },
        ),
        (
            "pitch",
            Cue {
                pitch: f32::INFINITY,
                ..cue()
            },
        ),
        (
            "pitch",
            Cue {
                pitch: 0.0,
                ..cue()
            },
        ),
        (
            "time",
            Cue {
                time: f64::NAN,
                ..cue()
            },
        ),
        (
            "time",
            Cue {
                time: f64::NEG_INFINITY,
                ..cue()
            },
        ),
        (
            "position",
            Cue {
                placement: Some(Vec3::NAN),
                ..cue()
            },
        ),
    ];
    for (what, cue) in wrong {
        let error = audio.play(cue.clone()).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("sound `test`: {what} must be")),
            "{error}"
        );
        let mut mixer = Mixer::new(RATE);
        mixer.schedule(MixerCommand::Play(cue));
        let mut out = [0.0; 512];
        mixer.render(&mut out);
        assert_eq!(out, [0.0; 512]);
    }
    audio.set_volume(f32::NAN);
    let (position, right) = (Vec3::NAN, Vec3::ZERO);
    audio.set_listener(AudioListener {
        position,
        right,
        ..AudioListener::default()
    });
    audio.advance_to(f64::NAN);
    audio
        .play(Cue {
            placement: Some(Vec3::NEG_Z),
            ..cue()
        })
        .unwrap();
    audio.advance_to(0.01);
    assert!(audio.captured()[0] > 0.3);
}

#[test]
fn taking_a_capture_does_not_stop_it() {
    let mut audio = Audio::capture(RATE);
    audio.play(Cue::new(sine(4800, 0.5), 0.0)).unwrap();
    audio.advance_to(0.03);
    let mut parts = audio.take_captured();
    audio.advance_to(0.02);
    audio.advance_to(0.1);
    parts.extend(audio.take_captured());
    assert_eq!(parts, capture([Cue::new(sine(4800, 0.5), 0.0)], 0.1));
}

#[test]
fn a_null_output_accepts_everything_and_reports_why_it_is_silent() {
    let mut audio = Audio::null();
    audio.play(Cue::new(click(), 0.0)).unwrap();
    audio.stop(1, 1.0);
    audio.advance_to(1.0);
    assert!(audio.captured().is_empty());
    assert_eq!(audio.status().to_string(), "none: sound is turned off");
}

#[test]
fn opening_a_device_never_panics_and_reports_the_result() {
    let mut audio = Audio::device();
    audio
        .play(Cue {
            volume: 0.0,
            ..Cue::new(click(), 0.0)
        })
        .unwrap();
    audio.advance_to(0.1);
    match audio.status() {
        Status::Device { name } => assert!(!name.is_empty()),
        Status::Silent { reason } => assert!(!reason.is_empty()),
        Status::Capture { .. } => panic!("a device is no capture"),
    }
}

#[test]
fn a_playing_sound_changes_its_gain_without_a_click() {
    let tone = sine(48_000, 0.2);
    let mut audio = Audio::capture(RATE);
    let cue = Cue {
        id: 7,
        ..Cue::new(tone.clone(), 0.0)
    };
    audio.play(cue).unwrap();
    audio.advance_to(0.25);
    let change = CueChange {
        volume: Some(3.0),
        ..CueChange::default()
    };
    audio.change(7, change);
    audio.change(
        8,
        CueChange {
            volume: Some(0.0),
            ..change
        },
    );
    audio.change(
        7,
        CueChange {
            volume: Some(f32::NAN),
            pitch: Some(99.0),
            position: Some(glam::Vec3::X),
        },
    );
    audio.advance_to(0.5);
    let heard = left(&audio.take_captured());
    let peak =
        |range: std::ops::Range<usize>| heard[range].iter().fold(0.0, |a: f32, b| a.max(b.abs()));
    assert!((peak(0..12_000) - 0.2).abs() < 0.001);
    assert!(
        (peak(13_000..24_000) - 0.6).abs() < 0.001,
        "as loud as requested"
    );
    // The tone itself changes by at most 0.05 of the amplitude per frame.
    let steepest = heard
        .windows(2)
        .map(|w| (w[1] - w[0]).abs())
        .fold(0.0, f32::max);
    assert!(steepest < 0.031, "{steepest}");
}

#[test]
fn a_pitch_change_continues_from_the_current_position() {
    let ramp = |i: usize| i as f32 / 48_000.0;
    let tone = sound(1, (0..48_000).map(ramp).collect());
    let mut audio = Audio::capture(RATE);
    for (id, time) in [(1, 0.0), (2, 0.3)] {
        let gain = if id == 1 { 0.5 } else { 0.0 };
        audio
            .play(Cue {
                id,
                volume: gain,
                ..Cue::new(tone.clone(), time)
            })
            .unwrap();
    }
    audio.advance_to(0.25);
    let change = |pitch| CueChange {
        pitch: Some(pitch),
        ..CueChange::default()
    };
    audio.change(1, change(2.0));
    // A cue that is not started yet starts at its new pitch.
    audio.change(
        2,
        CueChange {
            volume: Some(0.0),
            ..change(4.0)
        },
    );
    audio.advance_to(0.5);
    audio.change(1, change(1.0));
    audio.advance_to(1.0);
    let heard = left(&audio.take_captured());
    let at = |seconds: f64| heard[(seconds * 48_000.0) as usize];
    for (seconds, position) in [
        (0.1, 0.1),
        (0.25, 0.25),
        (0.35, 0.45),
        (0.5, 0.75),
        (0.6, 0.85),
    ] {
        assert!(
            (at(seconds) - 0.5 * position).abs() < 1e-4,
            "{} at {seconds}",
            at(seconds)
        );
    }
    // A quarter second, a quarter second at double speed, and the rest.
    let last = heard.iter().rposition(|s| *s != 0.0).unwrap() as f64 / 48_000.0;
    assert!((last - 0.75).abs() < 1e-3, "{last}");
}
