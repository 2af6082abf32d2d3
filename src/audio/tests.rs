//! Facts about the room as a whole: decode, place, mix, capture.

use std::sync::Arc;

use glam::Vec3;
use proptest::prelude::*;

use super::*;

const RATE: u32 = SAMPLE_RATE;

/// One frame of 0.5.
fn click() -> Arc<Sound> {
    sound(1, vec![0.5])
}

fn sound(channels: u16, samples: Vec<f32>) -> Arc<Sound> {
    Arc::new(Sound::new("test", RATE, channels, samples).unwrap())
}

fn sine(frames: usize, amplitude: f32) -> Arc<Sound> {
    let wave = |i| (i as f32 * 0.05).sin() * amplitude;
    sound(1, (0..frames).map(wave).collect())
}

/// What is heard of some cues within some seconds.
fn capture(cues: impl IntoIterator<Item = Cue>, seconds: f64) -> Vec<f32> {
    let mut audio = Audio::capture(RATE);
    for cue in cues {
        audio.play(cue).unwrap();
    }
    audio.advance_to(seconds);
    audio.take_captured()
}

fn left(samples: &[f32]) -> Vec<f32> {
    samples.iter().step_by(2).copied().collect()
}

fn last_sounding_frame(samples: &[f32]) -> usize {
    samples.iter().rposition(|&s| s != 0.0).unwrap() / 2
}

fn power(samples: &[f32], side: usize) -> f32 {
    samples.iter().skip(side).step_by(2).map(|s| s * s).sum()
}

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

/// A little of everything, rendered in blocks of the given sizes over and over. Commands are
/// given at fixed clocks, off the grid.
fn busy_scene(blocks: &[usize]) -> Vec<u32> {
    let mut mixer = Mixer::new(RATE);
    let noise: Vec<f32> = (0..9000)
        .map(|i| ((i * 7919) % 401) as f32 / 400.0)
        .collect();
    let noise = Arc::new(Sound::new("noise", 44_100, 1, noise).unwrap());
    for i in 0..40_u64 {
        mixer.schedule(Command::Play(Cue {
            time: i as f64 * 0.0071,
            placement: (i % 3 != 0).then(|| Vec3::new(i as f32 - 20.0, 1.0, 3.0)),
            gain: 0.4,
            pitch: 0.5 + i as f32 * 0.05,
            looped: i % 7 == 0,
            id: i,
            sound: noise.clone(),
        }));
        let (time, x) = (i as f64 * 0.0113, i as f32);
        let listener = Listener {
            position: Vec3::new(x * 0.1, 0.0, 0.0),
            ..Listener::default()
        };
        mixer.schedule(Command::SetListener { time, listener });
    }
    mixer.schedule(Command::SetGain {
        time: 0.2,
        gain: 0.7,
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
        mixer.schedule(Command::Stop {
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
fn resampling_a_sine_keeps_it_a_sine() {
    let wave = |i: usize, rate: f32| (i as f32 / rate * 440.0 * std::f32::consts::TAU).sin() * 0.5;
    let source = (0..44_100).map(|i| wave(i, 44_100.0)).collect();
    let source = Arc::new(Sound::new("a", 44_100, 1, source).unwrap());
    let heard = left(&capture([Cue::new(source, 0.0)], 0.9));
    for (i, heard) in heard.iter().enumerate().skip(4) {
        assert!((heard - wave(i, 48_000.0)).abs() < 1e-3, "frame {i}");
    }
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
        audio.set_listener(Listener {
            position,
            ..Listener::default()
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
fn a_stop_withdraws_what_was_scheduled_before_it_only() {
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
fn stop_all_empties_the_schedule_and_keeps_the_listener() {
    let mut audio = Audio::capture(RATE);
    audio.play(Cue::new(click(), 0.2)).unwrap();
    audio
        .play(Cue {
            looped: true,
            ..Cue::new(click(), 0.0)
        })
        .unwrap();
    audio.advance_to(0.1);
    audio.set_gain(0.5);
    audio.stop_all();
    audio.advance_to(0.3);
    assert_eq!(last_sounding_frame(audio.captured()), 4800 + 239);
    audio.play(Cue::new(click(), 0.35)).unwrap();
    audio.advance_to(0.4);
    assert_eq!(audio.captured()[2 * 16_800], 0.25);
}

#[test]
fn a_thousand_cues_never_exceed_full_scale() {
    for apart in [0.0, 1.0 / 48_000.0, 0.0007] {
        let cues = (0..1000).map(|i| Cue {
            gain: 16.0,
            placement: (i % 2 == 0).then(|| Vec3::new(i as f32 * 0.01, 0.0, 0.0)),
            ..Cue::new(sine(48_000, 1.0), f64::from(i) * apart)
        });
        let heard = capture(cues, 1.2);
        assert!(heard.iter().all(|s| s.abs() <= 1.0), "apart {apart}");
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
            gain: quiet(i),
            ..Cue::new(steady.clone(), f64::from(i) * 0.001)
        };
        mixer.schedule(Command::Play(cue));
    }
    let loud = Cue {
        gain: 0.5,
        ..Cue::new(steady.clone(), 0.3)
    };
    mixer.schedule(Command::Play(loud));
    mixer.render(&mut vec![0.0; 2 * 19_200]);
    assert_eq!(mixer.voices(), MAX_VOICES);
    let mut out = [0.0; 2];
    mixer.render(&mut out);
    assert!((out[0] - 0.5 - 63.0 * 0.0002).abs() < 1e-4, "{}", out[0]);
}

#[test]
fn skipping_leads_to_the_same_place_as_rendering() {
    let frames: Vec<f32> = (0..9600).map(|i| (i % 97) as f32 / 128.0).collect();
    let cue = || Cue {
        looped: true,
        pitch: 1.5,
        ..Cue::new(sound(1, frames.clone()), 0.01)
    };
    let (mut heard, mut unheard) = (Mixer::new(RATE), Mixer::new(RATE));
    heard.schedule(Command::Play(cue()));
    unheard.schedule(Command::Play(cue()));
    let (mut a, mut b) = (vec![0.0; 20_000], vec![0.0; 2000]);
    heard.render(&mut a);
    unheard.skip(9000);
    unheard.render(&mut b);
    assert_eq!(a[18_000..], b);
}

#[test]
fn an_offset_moves_what_waits_by_whole_frames() {
    let mut mixer = Mixer::new(RATE);
    mixer.set_offset(2880);
    mixer.schedule(Command::Play(Cue::new(click(), 0.01)));
    mixer.schedule(Command::Play(Cue::new(click(), 0.01 + 3.0 / 48e3)));
    let mut out = vec![0.0; 2 * 4800];
    mixer.render(&mut out);
    let heard = left(&out);
    let sounding: Vec<usize> = (0..4800).filter(|&i| heard[i] != 0.0).collect();
    assert_eq!(sounding, [3360, 3363]);
}

#[test]
fn numbers_that_are_none_are_refused_by_name() {
    let mut audio = Audio::capture(RATE);
    let cue = || Cue::new(click(), 0.0);
    let wrong = [
        (
            "gain",
            Cue {
                gain: f32::NAN,
                ..cue()
            },
        ),
        (
            "gain",
            Cue {
                gain: -1.0,
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
        mixer.schedule(Command::Play(cue));
        let mut out = [0.0; 512];
        mixer.render(&mut out);
        assert_eq!(out, [0.0; 512]);
    }
    audio.set_gain(f32::NAN);
    let (position, right) = (Vec3::NAN, Vec3::ZERO);
    audio.set_listener(Listener {
        position,
        right,
        ..Listener::default()
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
fn a_sound_of_broken_samples_is_mended_or_refused() {
    let broken = Sound::new("b", RATE, 2, vec![f32::NAN, f32::INFINITY, -1e30, 0.5, 0.1]).unwrap();
    assert_eq!(broken.samples(), [0.0, 64.0, -64.0, 0.5]);
    assert_eq!(broken.frames(), 2);
    assert!(Sound::new("s", 0, 1, vec![0.0]).is_err());
    assert!(Sound::new("s", RATE, 6, vec![0.0; 6]).is_err());
    assert!(Sound::new("s", RATE, 2, vec![0.0]).is_err());
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
fn a_null_output_takes_everything_and_says_why_it_is_silent() {
    let mut audio = Audio::null();
    audio.play(Cue::new(click(), 0.0)).unwrap();
    audio.stop(1, 1.0);
    audio.advance_to(1.0);
    assert!(audio.captured().is_empty());
    assert_eq!(audio.status().to_string(), "none: sound is turned off");
}

#[test]
fn opening_a_device_never_panics_and_tells_what_came_of_it() {
    let mut audio = Audio::device();
    audio
        .play(Cue {
            gain: 0.0,
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

fn wav(bits: u16, format: hound::SampleFormat, write: impl Fn(&mut Writer)) -> Vec<u8> {
    let mut bytes = Vec::new();
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 22_050,
        bits_per_sample: bits,
        sample_format: format,
    };
    let mut writer = hound::WavWriter::new(std::io::Cursor::new(&mut bytes), spec).unwrap();
    write(&mut writer);
    writer.finalize().unwrap();
    bytes
}

type Writer<'a> = hound::WavWriter<std::io::Cursor<&'a mut Vec<u8>>>;

#[test]
fn wav_of_16_and_24_bit_and_float_is_exact() {
    let ints: Vec<i32> = (0..5000).map(|i| (i * 7919) % 65_536 - 32_768).collect();
    for bits in [16, 24] {
        let scale = 1 << (bits - 16);
        let bytes = wav(bits, hound::SampleFormat::Int, |writer| {
            ints.iter()
                .for_each(|i| writer.write_sample(i * scale + scale / 3).unwrap());
        });
        let sound = Sound::decode("int.wav", &bytes).unwrap();
        let full = f64::from(1 << (bits - 1));
        let expected = ints
            .iter()
            .map(|i| (f64::from(i * scale + scale / 3) / full) as f32);
        assert!(sound.samples().iter().copied().eq(expected), "{bits} bit");
        assert_eq!(sound.sample_rate(), 22_050);
    }
    let floats: Vec<f32> = ints.iter().map(|&i| (i as f32 * 0.1).sin() * 1.5).collect();
    let bytes = wav(32, hound::SampleFormat::Float, |writer| {
        floats.iter().for_each(|&x| writer.write_sample(x).unwrap());
    });
    assert_eq!(
        Sound::decode("float.wav", &bytes).unwrap().samples(),
        floats
    );
}

#[test]
fn ogg_flac_and_mp3_are_read() {
    let files: [(&str, &[u8]); 2] = [
        ("tone.ogg", include_bytes!("fixtures/tone.ogg")),
        ("tone.flac", include_bytes!("fixtures/tone.flac")),
    ];
    for (name, bytes) in files {
        let sound = Sound::decode(name, bytes).unwrap();
        assert_eq!(
            (sound.sample_rate(), sound.channels()),
            (22_050, 1),
            "{name}"
        );
        assert_eq!(sound.frames(), 2205, "{name}");
        for (i, sample) in sound.samples().iter().enumerate() {
            let wave = (i as f32 / 22_050.0 * 440.0 * std::f32::consts::TAU).sin() * 0.5012;
            assert!(
                (sample - wave).abs() < 0.03,
                "{name}: {sample} for {wave} at {i}"
            );
        }
        let error = Sound::decode(name, &bytes[..bytes.len() - 9])
            .unwrap_err()
            .to_string();
        assert!(
            error.contains(name) && error.contains("ends too early"),
            "{error}"
        );
    }
    // MPEG 1 layer 3, 128 kbit/s, 44.1 kHz, stereo: a header and nothing is a silent frame.
    let mut frame = [0; 417];
    frame[..4].copy_from_slice(&[0xff, 0xfb, 0x90, 0x00]);
    let sound = Sound::decode("silence.mp3", &frame.repeat(10)).unwrap();
    assert_eq!((sound.sample_rate(), sound.channels()), (44_100, 2));
    assert!(sound.frames() >= 9 * 1152);
}

#[test]
fn what_is_no_sound_is_an_error_that_names_the_file() {
    let good = wav_bytes(RATE, 1, &[0.25; 1000]).unwrap();
    let cases: [(&[u8], &str); 6] = [
        (
            b"",
            "is not a sound file; wav, ogg (Vorbis), mp3 and flac are read",
        ),
        (
            b"Dear diary, today I was a text file.",
            "is not a sound file",
        ),
        (
            &good[..good.len() - 100],
            "is a damaged or unsupported wav file: it ends too early",
        ),
        (&good[..40], "is a damaged or unsupported wav file"),
        (
            b"OggS but not really",
            "is a damaged or unsupported ogg file",
        ),
        (b"fLaC", "is a damaged or unsupported flac file"),
    ];
    for (bytes, expected) in cases {
        let error = Sound::decode("sounds/step.wav", bytes)
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("`sounds/step.wav` "), "{error}");
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn too_many_channels_and_too_long_a_sound_are_refused_plainly() {
    let six = wav_bytes(RATE, 6, &[0.0; 600]).unwrap();
    let error = Sound::decode("six.wav", &six).unwrap_err().to_string();
    assert!(
        error.contains("six.wav` has 6 channels; mono and stereo"),
        "{error}"
    );
    let long = wav_bytes(4000, 1, &vec![0.0; 601 * 4000]).unwrap();
    let error = Sound::decode("long.wav", &long).unwrap_err().to_string();
    assert_eq!(
        error,
        "`long.wav` is longer than 10 minutes, which is the limit for a sound"
    );
}

proptest! {
    #[test]
    fn no_bytes_make_the_decoder_panic(
        magic in prop::sample::select(vec![
            &b""[..], b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0", b"OggS\0\x02", b"fLaC\0\0\0\x22",
            b"ID3\x04\0\0\0\0\0\0\xff\xfb\x90\0", b"\xff\xfb\x90\0",
        ]),
        tail in prop::collection::vec(any::<u8>(), 0..600),
    ) {
        let _ = Sound::decode("fuzz", &[magic, &tail].concat());
    }

    #[test]
    fn no_damage_to_a_good_file_makes_the_decoder_panic(
        which in 0..3_usize,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = match which {
            0 => wav_bytes(RATE, 2, &[0.1; 400]).unwrap(),
            1 => include_bytes!("fixtures/tone.ogg").to_vec(),
            _ => include_bytes!("fixtures/tone.flac").to_vec(),
        };
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(sound) = Sound::decode("fuzz", &bytes) {
            prop_assert!(sound.samples().iter().all(|s| s.is_finite()));
        }
    }

    #[test]
    fn no_commands_make_the_mixer_leave_its_range(
        cues in prop::collection::vec(
            (any::<f64>(), any::<f32>(), any::<f32>(), any::<[f32; 3]>(), any::<bool>()), 0..20),
        gain in any::<f32>(),
        fade in any::<f32>(),
    ) {
        let mut mixer = Mixer::new(RATE);
        let wave = sine(300, 60.0);
        for (time, gain, pitch, at, looped) in cues {
            let placement = Some(Vec3::from(at));
            let cue = Cue { placement, gain, pitch, looped, ..Cue::new(wave.clone(), time) };
            mixer.schedule(Command::Play(Cue { time: 0.0, gain: 1.0, pitch: 1.0, ..cue.clone() }));
            mixer.schedule(Command::Play(cue));
        }
        mixer.schedule(Command::SetGain { time: 0.001, gain });
        mixer.schedule(Command::Stop { id: 0, time: 0.01, fade });
        let mut out = [0.0_f32; 2000];
        mixer.render(&mut out);
        prop_assert!(out.iter().all(|s| s.abs() <= 1.0));
    }
}
