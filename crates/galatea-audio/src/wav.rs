//! Writes samples to 16-bit wav files.

use std::io::{self, Cursor, Seek, Write};

/// Maximum number of samples: sizes in a wav file have 32 bits and include the header.
const MAX_SAMPLES: usize = (u32::MAX as usize - 128) / 2;

/// Reason why a wav file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WavError {
    /// The file cannot be written.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// A wav file cannot have these properties.
    #[error("cannot write a wav file with {channels} channels at {rate} Hz and {samples} samples")]
    Unsupported {
        /// Requested sample rate, Hz.
        rate: u32,
        /// Requested number of channels.
        channels: u16,
        /// Number of samples in all channels together.
        samples: usize,
    },
}

impl WavError {
    fn from_hound(error: hound::Error) -> Self {
        Self::File(match error {
            hound::Error::IoError(error) => error,
            other => io::Error::other(other),
        })
    }
}

/// Returns a 16-bit wav file of interleaved samples. A sample `x` becomes `round(32768 * x)`, without dither, so that the
/// same samples give the same file and 16-bit sources are unchanged. Values beyond -1..1 are clamped, NaN becomes 0.
///
/// # Errors
/// Returns an error when a wav file cannot hold the samples.
pub fn wav_bytes(rate: u32, channels: u16, samples: &[f32]) -> Result<Vec<u8>, WavError> {
    let mut bytes = Cursor::new(Vec::with_capacity(samples.len() * 2 + 128));
    let mut stream = WavStream::new(&mut bytes, rate, channels)?;
    stream.write(samples)?;
    stream.finish()?;
    Ok(bytes.into_inner())
}

/// A 16-bit wav file written incrementally, see [`wav_bytes`].
pub struct WavStream<W: Write + Seek> {
    writer: hound::WavWriter<W>,
    spec: hound::WavSpec,
    n_samples: usize,
}

impl<W: Write + Seek> WavStream<W> {
    /// Starts a file.
    ///
    /// # Errors
    /// Returns an error for an invalid rate or number of channels, or when the file cannot be written.
    pub fn new(out: W, rate: u32, channels: u16) -> Result<Self, WavError> {
        let spec = hound::WavSpec {
            channels,
            sample_rate: rate,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        if rate == 0 || !(1..=64).contains(&channels) {
            return Err(unsupported(spec, 0));
        }
        Ok(Self {
            writer: hound::WavWriter::new(out, spec).map_err(WavError::from_hound)?,
            spec,
            n_samples: 0,
        })
    }

    /// Appends interleaved samples.
    ///
    /// # Errors
    /// Returns an error when the file becomes too long for a wav file, or cannot be written.
    pub fn write(&mut self, samples: &[f32]) -> Result<(), WavError> {
        self.n_samples += samples.len();
        if self.n_samples > MAX_SAMPLES {
            return Err(unsupported(self.spec, self.n_samples));
        }
        for &sample in samples {
            let written = self.writer.write_sample(to_i16(sample));
            written.map_err(WavError::from_hound)?;
        }
        Ok(())
    }

    /// Finishes the file.
    ///
    /// # Errors
    /// Returns an error when the last frame is incomplete, or the file cannot be written.
    pub fn finish(self) -> Result<(), WavError> {
        if !self
            .n_samples
            .is_multiple_of(usize::from(self.spec.channels))
        {
            return Err(unsupported(self.spec, self.n_samples));
        }
        self.writer.finalize().map_err(WavError::from_hound)
    }
}

fn unsupported(spec: hound::WavSpec, samples: usize) -> WavError {
    WavError::Unsupported {
        rate: spec.sample_rate,
        channels: spec.channels,
        samples,
    }
}

/// Rounds to nearest, halves away from zero; saturates.
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
    fn loud_and_invalid_samples_are_clamped() {
        assert_eq!(to_i16(2.0), i16::MAX);
        assert_eq!(to_i16(1.0), i16::MAX);
        assert_eq!(to_i16(f32::NEG_INFINITY), i16::MIN);
        assert_eq!(to_i16(f32::NAN), 0);
    }

    #[test]
    fn a_wav_without_channels_or_with_incomplete_frames_is_rejected() {
        assert!(wav_bytes(48_000, 0, &[]).is_err());
        assert!(wav_bytes(0, 1, &[]).is_err());
        assert!(wav_bytes(48_000, 2, &[0.0]).is_err());
    }

    #[test]
    fn samples_written_in_parts_give_the_same_file() {
        let samples: Vec<f32> = (0..1000u16).map(|i| f32::from(i) / 1000.0 - 0.5).collect();
        let mut out = Cursor::new(Vec::new());
        let mut stream = WavStream::new(&mut out, 48_000, 2).unwrap();
        for part in samples.chunks(7) {
            stream.write(part).unwrap();
        }
        stream.finish().unwrap();
        assert_eq!(out.into_inner(), wav_bytes(48_000, 2, &samples).unwrap());
    }

    #[test]
    fn a_full_disk_is_reported() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        impl Seek for Full {
            fn seek(&mut self, _: io::SeekFrom) -> io::Result<u64> {
                Ok(0)
            }
        }
        let out = io::BufWriter::with_capacity(4096, Full);
        let mut stream = WavStream::new(out, 48_000, 1).unwrap();
        let WavError::File(error) = stream.write(&[0.0; 4096]).unwrap_err() else {
            panic!("the disk is full");
        };
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
