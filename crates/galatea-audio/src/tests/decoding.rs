//! Tests of decoding.

use proptest::prelude::*;

use super::*;

#[test]
fn invalid_samples_are_repaired_and_invalid_formats_rejected() {
    let broken = Sound::new("b", RATE, 2, vec![f32::NAN, f32::INFINITY, -1e30, 0.5, 0.1]).unwrap();
    assert_eq!(broken.samples(), [0.0, 64.0, -64.0, 0.5]);
    assert_eq!(broken.frames(), 2);
    assert!(Sound::new("s", 0, 1, vec![0.0]).is_err());
    assert!(Sound::new("s", RATE, 6, vec![0.0; 6]).is_err());
    assert!(Sound::new("s", RATE, 2, vec![0.0]).is_err());
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
        ("tone.ogg", include_bytes!("../fixtures/tone.ogg")),
        ("tone.flac", include_bytes!("../fixtures/tone.flac")),
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
            error.contains(name) && error.contains("was cut off"),
            "{error}"
        );
    }
    // MPEG 1 layer 3, 128 kbit/s, 44.1 kHz, stereo: a header without data is a silent frame.
    let mut frame = [0; 417];
    frame[..4].copy_from_slice(&[0xff, 0xfb, 0x90, 0x00]);
    let sound = Sound::decode("silence.mp3", &frame.repeat(10)).unwrap();
    assert_eq!((sound.sample_rate(), sound.channels()), (44_100, 2));
    assert!(sound.frames() >= 9 * 1152);
}

#[test]
fn invalid_files_give_an_error_that_names_the_file() {
    let good = wav_bytes(RATE, 1, &[0.25; 1000]).unwrap();
    let cases: [(&[u8], &str); 6] = [
        (
            b"",
            "is not a sound file; use wav, ogg (Vorbis), mp3 or flac",
        ),
        (
            b"Dear diary, today I was a text file.",
            "is not a sound file",
        ),
        (
            &good[..good.len() - 100],
            "is a damaged or unsupported wav file: the file was cut off",
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
fn too_many_channels_and_too_long_sounds_are_rejected() {
    let six = wav_bytes(RATE, 6, &[0.0; 600]).unwrap();
    let error = Sound::decode("six.wav", &six).unwrap_err().to_string();
    assert!(
        error.contains("six.wav` has 6 channels; use mono or stereo"),
        "{error}"
    );
    let long = wav_bytes(4000, 1, &vec![0.0; 601 * 4000]).unwrap();
    let error = Sound::decode("long.wav", &long).unwrap_err().to_string();
    assert_eq!(error, "`long.wav` is longer than the limit of 10 minutes");
}

proptest! {
    #[test]
    fn the_decoder_does_not_panic_on_any_bytes(
        magic in prop::sample::select(vec![
            &b""[..], b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0", b"OggS\0\x02", b"fLaC\0\0\0\x22",
            b"ID3\x04\0\0\0\0\0\0\xff\xfb\x90\0", b"\xff\xfb\x90\0",
        ]),
        tail in prop::collection::vec(any::<u8>(), 0..600),
    ) {
        let _ = Sound::decode("fuzz", &[magic, &tail].concat());
    }

    #[test]
    fn the_decoder_does_not_panic_on_damaged_files(
        which in 0..3_usize,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = match which {
            0 => wav_bytes(RATE, 2, &[0.1; 400]).unwrap(),
            1 => include_bytes!("../fixtures/tone.ogg").to_vec(),
            _ => include_bytes!("../fixtures/tone.flac").to_vec(),
        };
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(sound) = Sound::decode("fuzz", &bytes) {
            prop_assert!(sound.samples().iter().all(|s| s.is_finite()));
        }
    }
}
