//! How loud a recording is: integrated loudness after ITU-R BS.1770-4, so that all lines can be made equally loud.

/// Loudness at which lines are heard, LUFS. Speech of games and podcasts lies at -23 to -16.
pub const SPEECH: f32 = -19.0;
/// Decibels by which a line is made louder at most: noise would come up.
const MOST_GAIN: f32 = 18.0;
/// A peak that is left alone, linear.
const PEAK: f32 = 0.97;

/// A filter of second order.
struct Biquad {
    b: [f64; 3],
    a: [f64; 2],
    z: [f64; 2],
}

impl Biquad {
    fn next(&mut self, x: f64) -> f64 {
        let y = self.b[0] * x + self.z[0];
        self.z[0] = self.b[1] * x - self.a[0] * y + self.z[1];
        self.z[1] = self.b[2] * x - self.a[1] * y;
        y
    }
}

/// The two filters of BS.1770 for any sample rate: a head's shelf and a high-pass, from their analogue forms.
fn weighting(rate: f64) -> [Biquad; 2] {
    let shelf = {
        let (f, gain, q) = (
            1_681.974_450_955_533,
            3.999_843_853_973_347,
            0.707_175_236_955_419_6,
        );
        let k = (std::f64::consts::PI * f / rate).tan();
        let vh = 10_f64.powf(gain / 20.0);
        let vb = vh.powf(0.499_666_774_154_541_6);
        let a0 = 1.0 + k / q + k * k;
        Biquad {
            b: [
                (vh + vb * k / q + k * k) / a0,
                2.0 * (k * k - vh) / a0,
                (vh - vb * k / q + k * k) / a0,
            ],
            a: [2.0 * (k * k - 1.0) / a0, (1.0 - k / q + k * k) / a0],
            z: [0.0; 2],
        }
    };
    let high_pass = {
        let (f, q) = (38.135_470_876_024_44, 0.500_327_037_323_877_3);
        let k = (std::f64::consts::PI * f / rate).tan();
        let a0 = 1.0 + k / q + k * k;
        Biquad {
            b: [1.0, -2.0, 1.0],
            a: [2.0 * (k * k - 1.0) / a0, (1.0 - k / q + k * k) / a0],
            z: [0.0; 2],
        }
    };
    [shelf, high_pass]
}

/// Loudness of interleaved sound, LUFS; `None` for silence and for less than 0.1 s. Blocks of 400 ms, gated at -70 LUFS and
/// 10 below the mean; a shorter sound is one block.
pub fn loudness(samples: &[f32], channels: usize, rate: u32) -> Option<f32> {
    let channels = channels.max(1);
    let rate = f64::from(rate.max(1));
    let n_frames = samples.len() / channels;
    if (n_frames as f64) < 0.1 * rate {
        return None;
    }
    let step = ((0.1 * rate) as usize).max(1);
    let mut squares = vec![0.0_f64; n_frames.div_ceil(step)];
    for channel in 0..channels {
        let mut filters = weighting(rate);
        for (i, frame) in samples.chunks_exact(channels).enumerate() {
            let x = frame
                .get(channel)
                .copied()
                .filter(|x| x.is_finite())
                .unwrap_or(0.0);
            let [shelf, high_pass] = &mut filters;
            let y = high_pass.next(shelf.next(f64::from(x)));
            if let Some(sum) = squares.get_mut(i / step) {
                *sum += y * y;
            }
        }
    }
    let blocks: Vec<f64> = if squares.len() < 4 {
        vec![squares.iter().sum::<f64>() / n_frames as f64]
    } else {
        let windows = squares.windows(4);
        windows
            .map(|four| four.iter().sum::<f64>() / (4 * step) as f64)
            .collect()
    };
    let level = |power: f64| -0.691 + 10.0 * power.max(1e-20).log10();
    let mean = |floor: f64| {
        let heard: Vec<f64> = blocks
            .iter()
            .copied()
            .filter(|power| level(*power) > floor)
            .collect();
        (!heard.is_empty()).then(|| heard.iter().sum::<f64>() / heard.len() as f64)
    };
    let first = mean(-70.0)?;
    let gated = mean(level(first) - 10.0)?;
    Some(level(gated) as f32)
}

/// The factor that brings a recording to [`SPEECH`] without clipping it; 1 for silence.
pub fn leveling(samples: &[f32], channels: usize, rate: u32) -> f32 {
    let Some(now) = loudness(samples, channels, rate) else {
        return 1.0;
    };
    let peak = samples
        .iter()
        .map(|s| s.abs())
        .filter(|s| s.is_finite())
        .fold(0.0, f32::max);
    let gain = 10_f32.powf((SPEECH - now).min(MOST_GAIN) / 20.0);
    gain.min(PEAK / peak.max(1e-6)).max(1e-3)
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
            assert!(amplitude * gain <= PEAK + 1e-5);
        }
    }
}
