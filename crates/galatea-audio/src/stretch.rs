//! Playback of a sound at another speed with the same pitch.
//!
//! Waveform similarity overlap-add: the output is a sequence of overlapping grains of the sound at its original speed. A new
//! grain begins near the wanted position, where the sound is most similar to the continuation of the grain before.
//!
//! Source: W. Verhelst and M. Roelands, *An overlap-add technique based on waveform similarity (WSOLA) for high quality
//! time-scale modification of speech*, ICASSP 1993.

/// Duration of half a grain, over which one grain fades into the next, seconds.
const HOP: f64 = 0.02;
/// Maximum distance of a grain from its wanted position, seconds.
const REACH: f64 = 0.01;
/// Distance of the positions that are compared first, and of the samples in a comparison, mixer frames.
const COARSE: f64 = 8.0;

/// Grains of a sound that plays at another speed.
#[derive(Clone, Debug)]
pub(super) struct Grains {
    /// Frames of the mixer per hop.
    hop: u32,
    reach: f64,
    /// Frames of the mixer since the start of the newer grain, below `hop`.
    age: u32,
    /// Positions in the sound at which the older and the newer grain continue, frames of the sound.
    grains: [f64; 2],
}

impl Grains {
    /// Begins at a position in the sound, in its frames. `rate`: frames of the mixer per second.
    pub(super) fn new(position: f64, rate: u32) -> Self {
        let rate = f64::from(rate);
        Self {
            hop: (HOP * rate).round().max(1.0) as u32,
            reach: REACH * rate,
            age: 0,
            grains: [position; 2],
        }
    }

    /// Returns the next output frame and advances. `wanted` is the position that playback has reached, in frames of the
    /// sound; `step` is the number of frames of the sound per frame of the mixer at the original speed; `read` returns the sound
    /// at a position.
    pub(super) fn next(
        &mut self,
        wanted: f64,
        step: f64,
        read: impl Fn(f64) -> [f32; 2],
    ) -> [f32; 2] {
        if self.age == self.hop {
            let continued = self.grains[1];
            self.grains = [continued, self.most_similar(continued, wanted, step, &read)];
            self.age = 0;
        }
        let u = self.age as f32 / self.hop as f32;
        let newer = (0.5 * std::f32::consts::PI * u).sin().powi(2);
        let [a, b] = self.grains.map(&read);
        self.grains = self.grains.map(|grain| grain + step);
        self.age += 1;
        [0, 1].map(|side| a[side] + (b[side] - a[side]) * newer)
    }

    /// Position near `wanted` at which the sound is most similar to that at `continued`.
    fn most_similar(
        &self,
        continued: f64,
        wanted: f64,
        step: f64,
        read: &impl Fn(f64) -> [f32; 2],
    ) -> f64 {
        let mono = |position: f64| {
            let [left, right] = read(position);
            left + right
        };
        let n = (f64::from(self.hop) / COARSE) as usize;
        let similarity = |offset: f64| {
            let (mut product, mut energy) = (0.0, 1e-9);
            for i in 0..n {
                let at = i as f64 * COARSE * step;
                let (x, y) = (mono(wanted + offset * step + at), mono(continued + at));
                product += x * y;
                energy += x * x;
            }
            product / energy.sqrt()
        };
        let best = |offsets: &mut dyn Iterator<Item = f64>| {
            let mut found = (f32::MIN, 0.0);
            for offset in offsets {
                let value = similarity(offset);
                if value > found.0 {
                    found = (value, offset);
                }
            }
            found.1
        };
        let n_coarse = (self.reach / COARSE) as i32;
        let coarse = best(&mut (-n_coarse..=n_coarse).map(|i| f64::from(i) * COARSE));
        let near = COARSE as i32 - 1;
        let fine = best(&mut (-near..=near).map(|i| coarse + f64::from(i)));
        wanted + fine * step
    }
}
