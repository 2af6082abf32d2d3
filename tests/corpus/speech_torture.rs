//! Unusual recordings, and the lines made from them.

use galatea::audio::{Sound, SoundError};
use galatea::speech::marks::parse;
use galatea::speech::mouth::{Mouth, MouthOptions};
use galatea::speech::plan::{LipSync, PlanOptions, Recording, plan};
use galatea::speech::text::Pronouncer;

/// A WAV file of a format (1: integers, 3: floats, 0xfffe: extensible), with chunks before its data.
fn wav(format: u16, bits: u16, channels: u16, rate: u32, data: &[u8], before: &[&[u8]]) -> Vec<u8> {
    let align = channels * bits.div_ceil(8);
    let is_wide = format == 0xfffe;
    let mut fmt = Vec::new();
    fmt.extend(format.to_le_bytes());
    fmt.extend(channels.to_le_bytes());
    fmt.extend(rate.to_le_bytes());
    fmt.extend((rate * u32::from(align)).to_le_bytes());
    fmt.extend(align.to_le_bytes());
    fmt.extend(bits.to_le_bytes());
    if is_wide {
        fmt.extend(22_u16.to_le_bytes());
        fmt.extend(bits.to_le_bytes());
        fmt.extend(u32::from(channels == 2).wrapping_mul(3).to_le_bytes());
        fmt.extend([1, 0, 0, 0, 0, 0, 16, 0, 128, 0, 0, 170, 0, 56, 155, 113]);
    }
    let mut body = b"WAVEfmt ".to_vec();
    body.extend((fmt.len() as u32).to_le_bytes());
    body.extend(fmt);
    for chunk in before {
        body.extend(b"LIST");
        body.extend((chunk.len() as u32).to_le_bytes());
        body.extend(*chunk);
        // A chunk of odd length is padded.
        body.extend(vec![0; chunk.len() % 2]);
    }
    body.extend(b"data");
    body.extend((data.len() as u32).to_le_bytes());
    body.extend(data);
    let mut out = b"RIFF".to_vec();
    out.extend((body.len() as u32).to_le_bytes());
    out.extend(body);
    out
}

fn tone(seconds: f32, rate: u32) -> impl Iterator<Item = f32> {
    let n = (seconds * rate as f32) as usize;
    (0..n).map(move |i| 0.4 * (0.05 * i as f32).sin() * (0.0009 * i as f32).sin())
}

fn sixteen(samples: impl Iterator<Item = f32>) -> Vec<u8> {
    samples
        .flat_map(|s| ((s * 32_767.0) as i16).to_le_bytes())
        .collect()
}

/// Makes a line from a sound in all ways: no panics, times in order and in range, valid weights.
fn speaks(what: &str, sound: &Sound) {
    let recording = Recording {
        samples: sound.shared_samples(),
        rate: sound.sample_rate(),
        channels: sound.channels(),
        timings: None,
    };
    for (text, lipsync) in [
        ("Come in, you are late.", LipSync::Auto),
        ("", LipSync::Auto),
        ("", LipSync::Live),
        ("Come in.", LipSync::Amplitude),
    ] {
        let options = PlanOptions {
            rate: 1.0,
            lipsync,
            level: true,
        };
        let planned = plan(
            &parse(text).unwrap(),
            Some(&recording),
            &options,
            &Pronouncer::default(),
        )
        .unwrap();
        let duration = recording.duration();
        assert!(planned.gain.is_finite() && planned.gain > 0.0, "{what}");
        assert_eq!(planned.track.duration, duration, "{what}");
        for word in &planned.track.words {
            assert!(
                word.end >= word.start && word.end <= duration + 0.02,
                "{what}: {word:?}"
            );
        }
        for pair in planned.track.cues.windows(2) {
            assert!(pair[1].start >= pair[0].start - 1e-4, "{what}");
        }
        let mouth = Mouth::of_track(&planned.track, &MouthOptions::default());
        for i in 0..200 {
            let weights = mouth.sample(duration * i as f32 / 190.0);
            let sum: f32 = weights.iter().sum();
            assert!((0.0..=1.01).contains(&sum), "{what}: {sum}");
        }
    }
}

fn decoded(what: &str, bytes: &[u8]) -> Sound {
    Sound::decode(what, bytes).unwrap_or_else(|error| panic!("{what}: {error}"))
}

#[test]
fn every_kind_of_wav_is_spoken() {
    let mono = || tone(1.5, 16_000);
    let eight: Vec<u8> = mono().map(|s| (128.0 + 127.0 * s) as u8).collect();
    let twenty_four: Vec<u8> = mono()
        .flat_map(|s| ((s * 8_388_607.0) as i32).to_le_bytes()[..3].to_vec())
        .collect();
    let thirty_two: Vec<u8> = mono()
        .flat_map(|s| ((f64::from(s) * 2_147_483_647.0) as i32).to_le_bytes())
        .collect();
    let float: Vec<u8> = mono().flat_map(f32::to_le_bytes).collect();
    let stereo = sixteen(mono().flat_map(|s| [s, -0.3 * s]));
    let files = [
        ("16 bit", wav(1, 16, 1, 16_000, &sixteen(mono()), &[])),
        ("8 bit", wav(1, 8, 1, 16_000, &eight, &[])),
        ("24 bit", wav(1, 24, 1, 16_000, &twenty_four, &[])),
        ("32 bit", wav(1, 32, 1, 16_000, &thirty_two, &[])),
        ("float", wav(3, 32, 1, 16_000, &float, &[])),
        ("stereo", wav(1, 16, 2, 16_000, &stereo, &[])),
        ("extensible", wav(0xfffe, 16, 2, 16_000, &stereo, &[])),
        (
            "odd chunks",
            wav(1, 16, 1, 16_000, &sixteen(mono()), &[b"INFOx", b"", b"abc"]),
        ),
        (
            "8 kHz",
            wav(1, 16, 1, 8_000, &sixteen(tone(1.5, 8_000)), &[]),
        ),
        (
            "96 kHz",
            wav(1, 16, 1, 96_000, &sixteen(tone(1.0, 96_000)), &[]),
        ),
    ];
    for (what, bytes) in &files {
        let sound = decoded(what, bytes);
        assert!((0.95..1.55).contains(&sound.duration()), "{what}");
        speaks(what, &sound);
    }
}

#[test]
fn silence_one_sample_and_noise_are_lines_too() {
    let silence = vec![0_u8; 32_000];
    speaks(
        "silence",
        &decoded("silence", &wav(1, 16, 1, 16_000, &silence, &[])),
    );
    speaks(
        "one sample",
        &decoded("one sample", &wav(1, 16, 1, 44_100, &[7, 0], &[])),
    );
    let mut seed = 3_u32;
    let mut noise = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let loud: Vec<u8> = sixteen((0..24_000).map(|_| noise()));
    speaks(
        "noise",
        &decoded("noise", &wav(1, 16, 1, 16_000, &loud, &[])),
    );
}

#[test]
fn a_file_that_is_cut_off_is_refused_by_name_wherever_that_is() {
    let whole = wav(1, 16, 1, 16_000, &sixteen(tone(0.2, 16_000)), &[b"INFOx"]);
    for n in [3, 11, 20, 40, 60, whole.len() / 2, whole.len() - 1] {
        let error = Sound::decode("cut.wav", &whole[..n]).unwrap_err();
        assert!(error.to_string().contains("cut.wav"), "{n}: {error}");
    }
}

#[test]
fn ten_minutes_are_heard_whole_and_more_is_refused() {
    let tone: Vec<u8> = (0..8000 * 600)
        .map(|i| (128.0 + 90.0 * (0.3 * i as f32).sin() * (0.000_7 * i as f32).sin()) as u8)
        .collect();
    let sound = decoded("long", &wav(1, 8, 1, 8_000, &tone, &[]));
    let recording = Recording {
        samples: sound.shared_samples(),
        rate: sound.sample_rate(),
        channels: 1,
        timings: None,
    };
    let options = PlanOptions {
        rate: 1.0,
        lipsync: LipSync::Auto,
        level: true,
    };
    let text = "These days a chicken leg is a rare dish. ".repeat(150);
    let planned = plan(
        &parse(&text).unwrap(),
        Some(&recording),
        &options,
        &Pronouncer::default(),
    )
    .unwrap();
    assert_eq!(planned.track.words.len(), 1350);
    assert!(planned.track.words.is_sorted_by(|a, b| a.start <= b.start));
    let more = [&tone[..], &[128; 8_001]].concat();
    let error = Sound::decode("long", &wav(1, 8, 1, 8_000, &more, &[])).unwrap_err();
    assert_eq!(error, SoundError::TooLong("long".to_owned()));
}
