//! Samples to 16-bit wav files.

use std::io::Cursor;
use std::path::Path;

/// Why no wav was written.
#[derive(Debug, thiserror::Error)]
pub enum WavError {
    /// The file cannot be written.
    #[error("cannot write `{0}`")]
    File(String, #[source] std::io::Error),
    /// A wav cannot say this.
    #[error("a wav of {channels} channels at {rate} Hz with {samples} samples cannot be written")]
    Unsupported {
        /// Asked for.
        rate: u32,
        /// Asked for.
        channels: u16,
        /// All channels together.
        samples: usize,
    },
}

/// Writes interleaved samples as a 16-bit wav. See [`wav_bytes`].
pub fn write_wav(path: &Path, rate: u32, channels: u16, samples: &[f32]) -> Result<(), WavError> {
    let bytes = wav_bytes(rate, channels, samples)?;
    std::fs::write(path, bytes).map_err(|cause| WavError::File(path.display().to_string(), cause))
}

/// A 16-bit wav file of interleaved samples. A sample `x` becomes `round(32768 * x)`, without
/// dither, so that the same samples give the same file and 16-bit sources come out as they were;
/// beyond -1..1 it is cut, no number becomes 0.
pub fn wav_bytes(rate: u32, channels: u16, samples: &[f32]) -> Result<Vec<u8>, WavError> {
    let unsupported = || WavError::Unsupported {
        rate,
        channels,
        samples: samples.len(),
    };
    let playable = rate > 0 && (1..=64).contains(&channels);
    // Sizes in a wav are 32 bit and count the header.
    let fits = samples.len() <= (u32::MAX as usize - 128) / 2;
    if !playable || !fits || !samples.len().is_multiple_of(usize::from(channels)) {
        return Err(unsupported());
    }
    let spec = hound::WavSpec {
        channels,
        sample_rate: rate,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut bytes = Vec::with_capacity(samples.len() * 2 + 128);
    let write = |bytes: &mut Vec<u8>| -> Result<(), hound::Error> {
        let mut writer = hound::WavWriter::new(Cursor::new(bytes), spec)?;
        for &sample in samples {
            writer.write_sample(to_i16(sample))?;
        }
        writer.finalize()
    };
    write(&mut bytes).map_err(|_| unsupported())?;
    Ok(bytes)
}

/// Rounded to nearest, halves away from zero; saturating.
fn to_i16(sample: f32) -> i16 {
    (sample * 32768.0).round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sound;

    #[test]
    fn every_16_bit_value_survives_writing_and_reading() {
        let samples: Vec<f32> = (i16::MIN..=i16::MAX)
            .map(|i| f32::from(i) / 32768.0)
            .collect();
        let bytes = wav_bytes(44_100, 2, &samples).unwrap();
        let sound = Sound::decode("all.wav", &bytes).unwrap();
        assert_eq!((sound.sample_rate(), sound.channels()), (44_100, 2));
        assert_eq!(sound.samples(), samples);
    }

    #[test]
    fn loud_and_broken_samples_are_cut() {
        assert_eq!(to_i16(2.0), i16::MAX);
        assert_eq!(to_i16(1.0), i16::MAX);
        assert_eq!(to_i16(f32::NEG_INFINITY), i16::MIN);
        assert_eq!(to_i16(f32::NAN), 0);
    }

    #[test]
    fn a_wav_without_channels_or_of_half_frames_is_refused() {
        assert!(wav_bytes(48_000, 0, &[]).is_err());
        assert!(wav_bytes(0, 1, &[]).is_err());
        assert!(wav_bytes(48_000, 2, &[0.0]).is_err());
    }

    #[test]
    fn an_unwritable_path_is_named() {
        let error = write_wav(Path::new("/nowhere/at/all.wav"), 48_000, 1, &[0.0]).unwrap_err();
        assert!(error.to_string().contains("/nowhere/at/all.wav"));
    }
}
