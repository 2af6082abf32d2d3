//! Breathing: volume of the lungs over time.

use serde::{Deserialize, Serialize};

use galatea_math::random::RandomSource;

/// Breaths per minute at rest and at full effort (adults: 12 to 16 at rest, 40 to 60 in hard work; McArdle, Katch and
/// Katch).
pub const BREATHS: [f32; 2] = [14.0, 42.0];
/// Depth at full effort relative to rest: the tidal volume grows from 0.5 to about 2 l.
const MAX_DEPTH: f32 = 3.2;
/// Fractions of inhaling, exhaling and pause, at rest and at full effort.
const PHASES: [[f32; 3]; 2] = [[0.36, 0.44, 0.20], [0.46, 0.52, 0.02]];
/// Variation between breaths, as a fraction of length and depth.
const VARIATION: f32 = 0.1;

/// Phase of a breath.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Breath {
    random: RandomSource,
    /// Progress of this breath, 0..1.
    phase: f32,
    /// Rate factor, depth and phase fractions of this breath.
    rate: f32,
    depth: f32,
    parts: [f32; 3],
    n: u32,
}

impl Breath {
    /// Empty lungs, at the start of a pause.
    pub fn new(seed: u64) -> Self {
        let mut chance = RandomSource::new(seed);
        let [_, _, pause] = PHASES[0];
        Self {
            phase: 1.0 - pause * chance.unit(),
            random: chance,
            rate: BREATHS[0] / 60.0,
            depth: 1.0,
            parts: PHASES[0],
            n: 0,
        }
    }

    /// Advances by `dt` seconds. `arousal`, -1..=1, makes breathing faster or slower by a fifth. A change of `effort`,
    /// 0..=1, affects the speed at once, and the depth from the next breath on.
    pub fn advance(&mut self, effort: f32, arousal: f32, dt: f32) {
        let effort = effort.clamp(0.0, 1.0);
        let per_minute = BREATHS[0] + (BREATHS[1] - BREATHS[0]) * effort;
        let rate = per_minute / 60.0 * (1.0 + 0.2 * arousal.clamp(-1.0, 1.0));
        self.phase += dt * rate * self.rate;
        while self.phase >= 1.0 {
            self.phase -= 1.0;
            self.n += 1;
            self.rate = 1.0 + VARIATION * self.random.about_zero();
            let depth = 1.0 + (MAX_DEPTH - 1.0) * effort;
            self.depth = depth * (1.0 + VARIATION * self.random.about_zero());
            for (i, part) in self.parts.iter_mut().enumerate() {
                *part = PHASES[0][i] + (PHASES[1][i] - PHASES[0][i]) * effort;
            }
        }
    }

    /// Starts to inhale now from the current volume, unless already inhaling.
    pub fn inhale(&mut self) {
        let [inhale, ..] = self.parts;
        if self.phase < inhale || self.depth <= 0.0 {
            return;
        }
        let fraction = (self.volume() / self.depth).clamp(0.0, 1.0);
        // Inverse of the inhale curve u²(3 - 2u).
        let u = 0.5 - ((1.0 - 2.0 * fraction).asin() / 3.0).sin();
        self.phase = inhale * u.clamp(0.0, 1.0);
        self.n += 1;
    }

    /// Lung volume: 0 at rest, about 1 in a calm breath, up to 3.5 in hard work.
    pub fn volume(&self) -> f32 {
        let [inhale, exhale, _] = self.parts;
        let fraction = if self.phase < inhale {
            let u = self.phase / inhale;
            u * u * (3.0 - 2.0 * u)
        } else {
            // Air leaves fast at first.
            let u = ((self.phase - inhale) / exhale).min(1.0);
            let left = 1.0 - u;
            left * left * (1.0 + 2.0 * u)
        };
        self.depth * fraction
    }

    /// Number of breaths started so far.
    pub fn n_breaths(&self) -> u32 {
        self.n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forced_breath_begins_at_the_current_volume() {
        let mut breath = Breath::new(5);
        for _ in 0..600 {
            breath.advance(0.0, 0.0, 1.0 / 60.0);
            let mut taken = breath;
            taken.inhale();
            assert!((taken.volume() - breath.volume()).abs() < 1e-3);
            let previous = taken.volume();
            taken.advance(0.0, 0.0, 1.0 / 60.0);
            assert!(
                taken.volume() >= previous - 0.02,
                "{previous} {}",
                taken.volume()
            );
        }
    }

    #[test]
    fn rate_and_depth_of_breaths_follow_effort() {
        for (effort, arousal, low, high) in [
            (0.0, 0.0, 13.0, 15.0),
            (0.0, -0.5, 12.0, 13.5),
            (0.5, 0.0, 27.0, 29.0),
            (1.0, 0.0, 40.5, 43.5),
        ] {
            let mut breath = Breath::new(3);
            let (mut max, mut step, mut previous) = (0.0_f32, 0.0_f32, breath.volume());
            for _ in 0..60 * 600 {
                breath.advance(effort, arousal, 1.0 / 60.0);
                let now = breath.volume();
                step = step.max((now - previous).abs());
                max = max.max(now);
                previous = now;
            }
            let per_minute = breath.n_breaths() as f32 / 10.0;
            assert!((low..high).contains(&per_minute), "{effort}: {per_minute}");
            let deep = 1.0 + 2.2 * effort;
            assert!((0.95 * deep..1.11 * deep).contains(&max), "{effort}: {max}");
            assert!(step < 0.04 * (1.0 + 5.0 * effort), "{effort}: {step}");
        }
    }

    #[test]
    fn inhaling_is_faster_than_exhaling_and_is_followed_by_a_pause() {
        let mut breath = Breath::new(1);
        let (mut rises, mut falls, mut rests, mut previous) = (0, 0, 0, breath.volume());
        for _ in 0..240 * 120 {
            breath.advance(0.0, 0.0, 1.0 / 240.0);
            let change = breath.volume() - previous;
            previous = breath.volume();
            match change {
                c if c > 1e-5 => rises += 1,
                c if c < -1e-5 => falls += 1,
                _ => rests += 1,
            }
        }
        let all = (rises + falls + rests) as f32;
        let fractions = [rises, falls, rests].map(|n| n as f32 / all);
        let off = fractions
            .map(|s| s - [0.36, 0.44, 0.2][fractions.iter().position(|x| *x == s).unwrap()]);
        assert!(off.iter().all(|off| off.abs() < 0.03), "{fractions:?}");
    }
}
