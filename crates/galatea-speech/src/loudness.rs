//! Integrated loudness of a recording (ITU-R BS.1770-4), used to bring all lines to the same loudness.

use ebur128::{EbuR128, Mode};

/// Target loudness of lines, LUFS. Speech in games and podcasts is typically at -23 to -16 LUFS.
pub const SPEECH: f32 = -19.0;
/// Maximum amplification of a line, dB; more would amplify noise.
const MAX_GAIN: f32 = 18.0;
/// Maximum peak after levelling, linear.
const MAX_PEAK: f32 = 0.97;
/// Loudness below which a sound counts as silence, LUFS.
const GATE: f64 = -70.0;

/// Minimum duration for measuring loudness, and the length of a measurement block, seconds.
const MIN_DURATION: f64 = 0.1;
const BLOCK: f64 = 0.4;

/// Returns the loudness of interleaved samples, LUFS; `None` for silence and for less than 0.1 s. Uses blocks of 400 ms,
/// gated at -70 LUFS and 10 LU below the mean; a shorter sound is one block.
pub fn loudness(samples: &[f32], channels: usize, rate: u32) -> Option<f32> {
    let channels = channels.max(1);
    let samples = &samples[..samples.len() / channels * channels];
    let duration = (samples.len() / channels) as f64 / f64::from(rate.max(1));
    if duration < MIN_DURATION {
        return None;
    }
    let mut meter = EbuR128::new(u32::try_from(channels).ok()?, rate, Mode::I).ok()?;
    let clean = |sample: &f32| if sample.is_finite() { *sample } else { 0.0 };
    let samples: Vec<f32> = samples.iter().map(clean).collect();
    meter.add_frames_f32(&samples).ok()?;
    let level = if duration < BLOCK {
        // The meter fills the rest of the block with silence.
        meter.loudness_momentary().ok()? + 10.0 * (BLOCK / duration).log10()
    } else {
        meter.loudness_global().ok()?
    };
    (level > GATE).then_some(level as f32)
}

/// Returns the gain that brings a recording to [`SPEECH`] without clipping; 1 for silence.
pub fn leveling(samples: &[f32], channels: usize, rate: u32) -> f32 {
    let Some(now) = loudness(samples, channels, rate) else {
        return 1.0;
    };
    let peak = samples
        .iter()
        .map(|s| s.abs())
        .filter(|s| s.is_finite())
        .fold(0.0, f32::max);
    let gain = 10_f32.powf((SPEECH - now).min(MAX_GAIN) / 20.0);
    gain.min(MAX_PEAK / peak.max(1e-6)).max(1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sine(hz: f32, amplitude: f32, rate: u32, seconds: f32) -> Vec<f32> {
        let n = (seconds * rate as f32) as usize;
        (0..n)
            .map(|i| amplitude * (std::f32::consts::TAU * hz * i as f32 / rate as f32).sin())
            .collect()
    }

    #[test]
    fn a_sine_of_997_hz_at_full_scale_is_minus_3_lufs() {
        for rate in [48_000, 44_100, 16_000] {
            let found = loudness(&sine(997.0, 1.0, rate, 3.0), 1, rate).unwrap();
            assert!((found + 3.01).abs() < 0.1, "{rate}: {found}");
        }
        let quiet = loudness(&sine(997.0, 0.1, 48_000, 3.0), 1, 48_000).unwrap();
        assert!((quiet + 23.01).abs() < 0.1, "{quiet}");
    }

    #[test]
    fn pauses_do_not_count_and_silence_has_no_loudness() {
        let mut line = sine(500.0, 0.3, 16_000, 2.0);
        let alone = loudness(&line, 1, 16_000).unwrap();
        line.extend(vec![0.0; 64_000]);
        assert!((loudness(&line, 1, 16_000).unwrap() - alone).abs() < 0.7);
        assert_eq!(loudness(&[0.0; 48_000], 1, 48_000), None);
        assert_eq!(loudness(&[0.5], 1, 48_000), None);
        assert_eq!(loudness(&[f32::NAN; 48_000], 1, 48_000), None);
        assert_eq!(leveling(&[0.0; 48_000], 2, 48_000), 1.0);
    }

    #[test]
    fn lines_are_brought_to_one_loudness_but_never_clipped() {
        for amplitude in [0.02, 0.2, 0.9] {
            let line = sine(600.0, amplitude, 16_000, 2.0);
            let gain = leveling(&line, 1, 16_000);
            let level = loudness(
                &line.iter().map(|s| s * gain).collect::<Vec<_>>(),
                1,
                16_000,
            )
            .unwrap();
            assert!(
                (level - SPEECH).abs() < 0.2 || amplitude < 0.05,
                "{amplitude}: {level}"
            );
            assert!(amplitude * gain <= MAX_PEAK + 1e-5);
        }
    }
}
