//! Sound files.

use galatea::audio::{Sound, wav_bytes};

use crate::mutate::InputFormat;
use crate::target::Target;

pub const TARGETS: &[Target] = &[
    Target::new("wav", InputFormat::Bytes, 300)
        .seeds(|| vec![wav(), wide_wav()])
        .run(read),
    Target::new("ogg", InputFormat::Bytes, 100)
        .seeds(|| vec![include_bytes!("../../crates/galatea-audio/src/fixtures/tone.ogg").to_vec()])
        .mend(mend_ogg)
        .run(read),
    Target::new("flac", InputFormat::Bytes, 100)
        .seeds(|| {
            vec![include_bytes!("../../crates/galatea-audio/src/fixtures/tone.flac").to_vec()]
        })
        .run(read),
    Target::new("mp3", InputFormat::Bytes, 100)
        .seeds(|| vec![mp3()])
        .run(read),
];

fn read(bytes: &[u8]) {
    if let Ok(sound) = Sound::decode("fuzz", bytes) {
        assert!(sound.samples().iter().all(|sample| sample.is_finite()));
        assert!(sound.sample_rate() > 0 && !sound.samples().is_empty());
    }
}

fn wav() -> Vec<u8> {
    let samples: Vec<f32> = (0..400).map(|i| (i as f32 * 0.1).sin()).collect();
    wav_bytes(22_050, 2, &samples).unwrap()
}

/// The extensible form, with 32-bit floats and a list of texts before the data.
fn wide_wav() -> Vec<u8> {
    let data: Vec<u8> = (0..100)
        .flat_map(|i| (i as f32 * 0.01).to_le_bytes())
        .collect();
    let mut format = vec![0xfe, 0xff, 1, 0];
    format.extend(48_000u32.to_le_bytes());
    format.extend(192_000u32.to_le_bytes());
    format.extend([4, 0, 32, 0, 22, 0, 32, 0, 4, 0, 0, 0, 3, 0, 0, 0]);
    format.extend([0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]);
    let mut out = b"WAVE".to_vec();
    for (name, chunk) in [
        (b"fmt ", &format),
        (b"LIST", &b"INFOabc".to_vec()),
        (b"data", &data),
    ] {
        out.extend(name);
        out.extend((chunk.len() as u32).to_le_bytes());
        out.extend(chunk);
        out.resize(out.len().next_multiple_of(2), 0);
    }
    let mut file = b"RIFF".to_vec();
    file.extend((out.len() as u32).to_le_bytes());
    file.extend(out);
    file
}

/// Frames of silence, and one with data.
fn mp3() -> Vec<u8> {
    let mut frame = vec![0; 417];
    frame[..4].copy_from_slice(&[0xff, 0xfb, 0x90, 0x00]);
    let mut loud = frame.clone();
    loud[4..]
        .iter_mut()
        .enumerate()
        .for_each(|(i, byte)| *byte = (i * 37) as u8);
    [frame.repeat(4), loud, frame].concat()
}

/// Corrects the checksum of each page of an Ogg stream.
fn mend_ogg(bytes: &mut [u8]) {
    let mut at = 0;
    while bytes.get(at..at + 4) == Some(b"OggS") {
        let Some(n_segments) = bytes.get(at + 26).map(|n| usize::from(*n)) else {
            return;
        };
        let Some(lacing) = bytes.get(at + 27..at + 27 + n_segments) else {
            return;
        };
        let body: usize = lacing.iter().map(|n| usize::from(*n)).sum();
        let end = at + 27 + n_segments + body;
        if end > bytes.len() {
            return;
        }
        bytes[at + 22..at + 26].fill(0);
        let sum = bytes[at..end].iter().fold(0u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte) << 24, |crc, _| {
                crc << 1 ^ if crc >> 31 == 1 { 0x04c1_1db7 } else { 0 }
            })
        });
        bytes[at + 22..at + 26].copy_from_slice(&sum.to_le_bytes());
        at = end;
    }
}
