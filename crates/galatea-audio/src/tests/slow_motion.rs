//! Tests of sounds in slow motion, during pauses and hit-stops.

use super::*;

/// A tone of 382 Hz.
const TONE_STEP: f32 = 0.05;

fn slow(speed: f64) -> StageTime {
    StageTime {
        rate: speed,
        speed,
        speed_of_speech: speed,
        ..StageTime::NORMAL
    }
}

/// Captures a cue while stage time passes as given.
fn capture_in(stage_time: StageTime, cue: Cue, seconds: f64) -> Vec<f32> {
    let mut audio = Audio::capture(RATE);
    audio.set_stage_time(stage_time);
    audio.play(cue).unwrap();
    audio.advance_to(seconds);
    left(&audio.take_captured())
}

/// Rising zero crossings per second.
fn pitch_of(samples: &[f32]) -> f64 {
    let rises = samples.windows(2).filter(|w| w[0] <= 0.0 && w[1] > 0.0);
    rises.count() as f64 * f64::from(RATE) / samples.len() as f64
}

fn seconds_of(samples: &[f32]) -> f64 {
    let last = samples.iter().rposition(|&s| s.abs() > 1e-4).unwrap();
    last as f64 / f64::from(RATE)
}

#[test]
fn half_speed_is_twice_as_long_and_an_octave_lower() {
    let tone = sine(RATE as usize, 0.5);
    let heard = capture_in(slow(0.5), Cue::new(tone, 0.0), 3.0);
    assert!((seconds_of(&heard) - 2.0).abs() < 0.01);
    let wanted = f64::from(TONE_STEP) * f64::from(RATE) / std::f64::consts::TAU / 2.0;
    let pitch = pitch_of(&heard[4800..72_000]);
    assert!((pitch - wanted).abs() < 2.0, "{pitch} Hz, not {wanted}");
}

#[test]
fn a_sound_that_keeps_its_pitch_is_longer_and_as_high_and_as_loud() {
    for speed in [0.25, 0.5, 0.8, 2.0] {
        let stage_time = StageTime {
            keeps_pitch: true,
            ..slow(speed)
        };
        let tone = sine(RATE as usize, 0.5);
        let heard = capture_in(stage_time, Cue::new(tone, 0.0), 5.0);
        let length = seconds_of(&heard);
        assert!((length - 1.0 / speed).abs() < 0.03, "{length} s at {speed}");
        let middle = &heard[4800..(0.9 * length * f64::from(RATE)) as usize];
        let wanted = f64::from(TONE_STEP) * f64::from(RATE) / std::f64::consts::TAU;
        let pitch = pitch_of(middle);
        assert!((pitch / wanted - 1.0).abs() < 0.01, "{pitch} Hz at {speed}");
        let power: f32 = middle.iter().map(|s| s * s).sum::<f32>() / middle.len() as f32;
        let rms = power.sqrt();
        assert!((rms - 0.3536).abs() < 0.01, "{rms} at {speed}");
        let steepest = middle.windows(2).map(|w| (w[1] - w[0]).abs());
        let steepest = steepest.fold(0.0, f32::max);
        assert!(
            steepest < 0.5 * TONE_STEP * 1.3,
            "a click of {steepest} at {speed}"
        );
    }
}

#[test]
fn a_held_sound_is_silent_and_continues_where_it_stopped() {
    let ramp: Vec<f32> = (0..RATE)
        .map(|i| 0.2 + 0.5 * i as f32 / RATE as f32)
        .collect();
    let mut audio = Audio::capture(RATE);
    audio.play(Cue::new(sound(1, ramp), 0.0)).unwrap();
    audio.advance_to(0.5);
    let at = |time, stage_time, speed| StageTime {
        time,
        stage_time,
        ..slow(speed)
    };
    audio.set_stage_time(at(0.5, 0.5, 0.0));
    audio.advance_to(2.0);
    audio.set_stage_time(at(2.0, 0.5, 1.0));
    audio.advance_to(3.0);
    let heard = left(&audio.take_captured());
    let second = RATE as usize;
    assert!(
        heard[second / 2 + 800..2 * second]
            .iter()
            .all(|&s| s == 0.0)
    );
    let (before, after) = (heard[second / 2], heard[2 * second + 800]);
    assert!((before - after).abs() < 0.02, "{before} and {after}");
    let jumps = heard.windows(2).map(|w| (w[1] - w[0]).abs());
    let largest = jumps.take(2 * second + 4800).fold(0.0, f32::max);
    assert!(largest < 0.21, "only its beginning is a jump: {largest}");
}

#[test]
fn a_sound_that_is_stopped_during_a_pause_is_not_heard_again() {
    let mut audio = Audio::capture(RATE);
    let tone = sine(RATE as usize, 0.5);
    audio
        .play(Cue {
            id: 7,
            ..Cue::new(tone, 0.0)
        })
        .unwrap();
    audio.advance_to(0.2);
    audio.set_stage_time(StageTime {
        time: 0.2,
        stage_time: 0.2,
        ..slow(0.0)
    });
    audio.advance_to(0.4);
    audio.stop(7, 0.5);
    audio.advance_to(0.5);
    audio.take_captured();
    audio.set_stage_time(StageTime {
        time: 0.5,
        stage_time: 0.2,
        ..slow(1.0)
    });
    audio.advance_to(1.0);
    assert!(audio.take_captured().iter().all(|&s| s == 0.0));
}

#[test]
fn scheduled_cues_follow_stage_time_and_unscaled_ones_do_not() {
    let begin = |is_unscaled| {
        let mut audio = Audio::capture(RATE);
        audio
            .play(Cue {
                is_unscaled,
                ..Cue::new(click(), 1.0)
            })
            .unwrap();
        audio.advance_to(0.5);
        audio.set_stage_time(StageTime {
            time: 0.5,
            stage_time: 0.5,
            ..slow(0.25)
        });
        audio.advance_to(1.5);
        audio.set_stage_time(StageTime {
            time: 1.5,
            stage_time: 0.75,
            ..slow(0.0)
        });
        audio.advance_to(2.5);
        audio.set_stage_time(StageTime {
            time: 2.5,
            stage_time: 0.75,
            ..slow(1.0)
        });
        audio.advance_to(4.0);
        let heard = left(&audio.take_captured());
        heard.iter().position(|&s| s != 0.0).unwrap() as f64 / f64::from(RATE)
    };
    assert_eq!(begin(false), 2.75);
    assert_eq!(begin(true), 1.0);
}

#[test]
fn a_stage_time_out_of_range_is_ignored() {
    for wrong in [f64::NAN, -1.0, f64::INFINITY] {
        let tone = sine(1000, 0.5);
        let usual = capture([Cue::new(tone.clone(), 0.0)], 0.1);
        assert_eq!(
            capture_in(slow(wrong), Cue::new(tone, 0.0), 0.1),
            left(&usual)
        );
    }
}
