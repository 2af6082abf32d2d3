//! Tests of the mixer: times, bit-exactness, number of voices.

use glam::Vec3;
use proptest::prelude::*;

use super::*;
use crate::mixer::MAX_VOICES;

#[test]
fn a_cue_starts_at_exactly_its_sample() {
    for time in [
        0.0,
        0.1,
        1.0 / 3.0,
        0.5,
        255.0 / 48e3,
        256.4 / 48e3,
        0.999_99,
    ] {
        let heard = left(&capture([Cue::new(click(), time)], 1.1));
        let at = (time * f64::from(RATE)).round() as usize;
        let sounding: Vec<usize> = (0..heard.len()).filter(|&i| heard[i] != 0.0).collect();
        assert_eq!(sounding, [at], "at {time} s");
        assert_eq!(heard[at], 0.5);
    }
}

#[test]
fn a_sound_as_recorded_comes_out_bit_for_bit() {
    let stereo: Vec<f32> = (0..2000).map(|i| ((i * 37) % 101) as f32 / 128.0).collect();
    let heard = capture([Cue::new(sound(2, stereo.clone()), 0.0)], 0.05);
    assert_eq!(heard[..2000], stereo);
    assert!(heard[2000..].iter().all(|&s| s == 0.0));
}

/// Renders a varied scene in repeated blocks of the given sizes. Commands are given at fixed clocks that are not on the
/// grid.
fn busy_scene(blocks: &[usize]) -> Vec<u32> {
    let mut mixer = Mixer::new(RATE);
    let noise: Vec<f32> = (0..9000)
        .map(|i| ((i * 7919) % 401) as f32 / 400.0)
        .collect();
    let noise = Arc::new(Sound::new("noise", 44_100, 1, noise).unwrap());
    for i in 0..40_u64 {
        mixer.schedule(MixerCommand::Play(Cue {
            time: i as f64 * 0.0071,
            placement: (i % 3 != 0).then(|| Vec3::new(i as f32 - 20.0, 1.0, 3.0)),
            volume: 0.4,
            pitch: 0.5 + i as f32 * 0.05,
            looped: i % 7 == 0,
            id: i,
            is_speech: i % 5 == 0,
            duck: if i % 2 == 0 { 1.0 } else { 0.4 },
            is_unscaled: i % 2 == 0,
            sound: noise.clone(),
        }));
        let (time, x) = (i as f64 * 0.0113, i as f32);
        let listener = AudioListener {
            position: Vec3::new(x * 0.1, 0.0, 0.0),
            ..AudioListener::default()
        };
        mixer.schedule(MixerCommand::SetListener { time, listener });
    }
    mixer.schedule(MixerCommand::SetVolume {
        time: 0.2,
        volume: 0.7,
    });
    let mut out = vec![0.0; 2 * 24_000];
    let mut at = 0;
    let mut sizes = blocks.iter().cycle();
    for stop in [1111, 9999, 24_000] {
        while at < stop {
            let size = (*sizes.next().unwrap()).min(stop - at);
            mixer.render(&mut out[2 * at..2 * (at + size)]);
            at += size;
        }
        mixer.schedule(MixerCommand::Stop {
            id: 7,
            time: 0.0,
            fade: 0.1,
        });
    }
    out.iter().map(|sample| sample.to_bits()).collect()
}

#[test]
fn block_sizes_do_not_change_a_bit() {
    let whole = busy_scene(&[24_000]);
    assert!(whole.iter().any(|&bits| bits != 0));
    for blocks in [&[1][..], &[64], &[100, 7, 333], &[256], &[1024, 1]] {
        assert!(busy_scene(blocks) == whole, "{blocks:?}");
    }
}

#[test]
fn pitch_two_is_half_as_long_and_half_the_rate_is_twice_as_long() {
    let ones = vec![0.5; 1000];
    let octave = Cue {
        pitch: 2.0,
        ..Cue::new(sound(1, ones.clone()), 0.0)
    };
    assert_eq!(last_sounding_frame(&capture([octave], 0.1)), 499);
    let slow = Arc::new(Sound::new("slow", RATE / 2, 1, ones).unwrap());
    assert_eq!(
        last_sounding_frame(&capture([Cue::new(slow, 0.0)], 0.1)),
        1999
    );
}

#[test]
fn a_resampled_sine_stays_a_sine() {
    let wave = |i: usize, rate: f32| (i as f32 / rate * 440.0 * std::f32::consts::TAU).sin() * 0.5;
    let source = (0..44_100).map(|i| wave(i, 44_100.0)).collect();
    let source = Arc::new(Sound::new("a", 44_100, 1, source).unwrap());
    let heard = left(&capture([Cue::new(source, 0.0)], 0.9));
    for (i, heard) in heard.iter().enumerate().skip(4) {
        assert!((heard - wave(i, 48_000.0)).abs() < 1e-3, "frame {i}");
    }
}

#[test]
fn a_thousand_cues_never_exceed_full_scale() {
    for spacing in [0.0, 1.0 / 48_000.0, 0.0007] {
        let cues = (0..1000).map(|i| Cue {
            volume: 16.0,
            placement: (i % 2 == 0).then(|| Vec3::new(i as f32 * 0.01, 0.0, 0.0)),
            ..Cue::new(sine(48_000, 1.0), f64::from(i) * spacing)
        });
        let heard = capture(cues, 1.2);
        assert!(heard.iter().all(|s| s.abs() <= 1.0), "spacing {spacing}");
        assert!(heard.iter().any(|s| s.abs() > 0.9));
    }
}

#[test]
fn the_loudest_are_heard_when_there_are_too_many() {
    let mut mixer = Mixer::new(RATE);
    let steady = sound(1, vec![1.0; 48_000]);
    let quiet = |i: u16| 0.0001 + f32::from(i % 2) * 0.0001;
    for i in 0..200 {
        let cue = Cue {
            volume: quiet(i),
            ..Cue::new(steady.clone(), f64::from(i) * 0.001)
        };
        mixer.schedule(MixerCommand::Play(cue));
    }
    let loud = Cue {
        volume: 0.5,
        ..Cue::new(steady.clone(), 0.3)
    };
    mixer.schedule(MixerCommand::Play(loud));
    mixer.render(&mut vec![0.0; 2 * 19_200]);
    assert_eq!(mixer.voices(), MAX_VOICES);
    let mut out = [0.0; 2];
    mixer.render(&mut out);
    assert!((out[0] - 0.5 - 63.0 * 0.0002).abs() < 1e-4, "{}", out[0]);
}

#[test]
fn ducked_sounds_are_quieter_during_speech_and_recover() {
    let steady = || sound(1, vec![0.25; 3 * 48_000]);
    let music = Cue {
        duck: 0.4,
        ..Cue::new(steady(), 0.0)
    };
    let speech = Cue {
        is_speech: true,
        volume: 0.0,
        ..Cue::new(sound(1, vec![0.25; 48_000]), 0.5)
    };
    let other = Cue {
        volume: 0.0,
        ..Cue::new(steady(), 0.0)
    };
    let heard = left(&capture([music.clone(), speech, other], 2.9));
    let at = |t: f32| heard[(t * RATE as f32) as usize];
    assert!((at(0.4) - 0.25).abs() < 1e-4, "{}", at(0.4));
    assert!((at(0.8) - 0.1).abs() < 1e-4, "{}", at(0.8));
    assert!((at(1.45) - 0.1).abs() < 1e-4, "{}", at(1.45));
    assert!((0.12..0.24).contains(&at(1.8)), "recovering: {}", at(1.8));
    assert!((at(2.4) - 0.25).abs() < 1e-4, "{}", at(2.4));
    let steps = heard.windows(2).skip(1).take(100_000);
    let largest = steps
        .map(|pair| (pair[1] - pair[0]).abs())
        .fold(0.0, f32::max);
    assert!(largest < 2e-4, "no click: {largest}");
    let wrong = Cue { duck: 1.5, ..music };
    assert!(wrong.check().is_err());
}

#[test]
fn skipping_leads_to_the_same_position_as_rendering() {
    let frames: Vec<f32> = (0..9600).map(|i| (i % 97) as f32 / 128.0).collect();
    let cue = || Cue {
        looped: true,
        pitch: 1.5,
        ..Cue::new(sound(1, frames.clone()), 0.01)
    };
    let (mut heard, mut unheard) = (Mixer::new(RATE), Mixer::new(RATE));
    heard.schedule(MixerCommand::Play(cue()));
    unheard.schedule(MixerCommand::Play(cue()));
    let (mut a, mut b) = (vec![0.0; 20_000], vec![0.0; 2000]);
    heard.render(&mut a);
    unheard.skip(9000);
    unheard.render(&mut b);
    assert_eq!(a[18_000..], b);
}

#[test]
fn an_offset_moves_scheduled_cues_by_whole_frames() {
    let mut mixer = Mixer::new(RATE);
    mixer.set_offset(2880);
    mixer.schedule(MixerCommand::Play(Cue::new(click(), 0.01)));
    mixer.schedule(MixerCommand::Play(Cue::new(click(), 0.01 + 3.0 / 48e3)));
    let mut out = vec![0.0; 2 * 4800];
    mixer.render(&mut out);
    let heard = left(&out);
    let sounding: Vec<usize> = (0..4800).filter(|&i| heard[i] != 0.0).collect();
    assert_eq!(sounding, [3360, 3363]);
}

proptest! {
    #[test]
    fn the_mixer_stays_in_range_for_any_commands(
        cues in prop::collection::vec(
            (any::<f64>(), any::<f32>(), any::<f32>(), any::<[f32; 3]>(), any::<bool>()), 0..20),
        gain in any::<f32>(),
        fade in any::<f32>(),
    ) {
        let mut mixer = Mixer::new(RATE);
        let wave = sine(300, 60.0);
        for (time, gain, pitch, at, looped) in cues {
            let placement = Some(Vec3::from(at));
            let cue = Cue { placement, volume: gain, pitch, looped, ..Cue::new(wave.clone(), time) };
            mixer.schedule(MixerCommand::Play(Cue { time: 0.0, volume: 1.0, pitch: 1.0, ..cue.clone() }));
            mixer.schedule(MixerCommand::Play(cue));
        }
        mixer.schedule(MixerCommand::SetVolume { time: 0.001, volume: gain });
        mixer.schedule(MixerCommand::Stop { id: 0, time: 0.01, fade });
        let mut out = [0.0_f32; 2000];
        mixer.render(&mut out);
        prop_assert!(out.iter().all(|s| s.abs() <= 1.0));
    }
}
