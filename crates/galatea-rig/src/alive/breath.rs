//! Breath: how full the lungs are.

use galatea_math::chance::Chance;

/// Breaths a minute at rest and at full effort (adults 12 to 16 at rest, 40 to 60 in hard work: McArdle,
/// Katch and Katch).
pub const BREATHS: [f32; 2] = [14.0, 42.0];
/// Depth at full effort, at rest 1: the tidal volume grows from 0.5 to some 2 l.
const DEEPEST: f32 = 3.2;
/// Shares of in, out and pause, at rest and at full effort.
const PARTS: [[f32; 3]; 2] = [[0.36, 0.44, 0.20], [0.46, 0.52, 0.02]];
/// How much one breath differs from the next, as a share of its length and depth.
const DIFFERS: f32 = 0.1;

/// The phase of a breath.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breath {
    chance: Chance,
    /// 0..1 through this breath.
    phase: f32,
    /// Length, depth and parts of this breath.
    rate: f32,
    depth: f32,
    parts: [f32; 3],
    n: u32,
}

impl Breath {
    /// At the start of a pause, with empty lungs.
    pub fn new(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let [_, _, pause] = PARTS[0];
        Self {
            phase: 1.0 - pause * chance.unit(),
            chance,
            rate: BREATHS[0] / 60.0,
            depth: 1.0,
            parts: PARTS[0],
            n: 0,
        }
    }

    /// Moves on; `effort` 0..=1, `arousal` -1..=1 makes it faster or slower by a fifth. What changes counts
    /// from the next breath on, its speed at once.
    pub fn advance(&mut self, effort: f32, arousal: f32, dt: f32) {
        let effort = effort.clamp(0.0, 1.0);
        let per_minute = BREATHS[0] + (BREATHS[1] - BREATHS[0]) * effort;
        let rate = per_minute / 60.0 * (1.0 + 0.2 * arousal.clamp(-1.0, 1.0));
        self.phase += dt * rate * self.rate;
        while self.phase >= 1.0 {
            self.phase -= 1.0;
            self.n += 1;
            self.rate = 1.0 + DIFFERS * self.chance.about_zero();
            let depth = 1.0 + (DEEPEST - 1.0) * effort;
            self.depth = depth * (1.0 + DIFFERS * self.chance.about_zero());
            for (i, part) in self.parts.iter_mut().enumerate() {
                *part = PARTS[0][i] + (PARTS[1][i] - PARTS[0][i]) * effort;
            }
        }
    }

    /// Takes a breath now, from as full as the lungs are; one who breathes in already goes on.
    pub fn inhale(&mut self) {
        let [inhale, ..] = self.parts;
        if self.phase < inhale || self.depth <= 0.0 {
            return;
        }
        let share = (self.volume() / self.depth).clamp(0.0, 1.0);
        // The other way through the curve of breathing in, u²(3 - 2u).
        let u = 0.5 - ((1.0 - 2.0 * share).asin() / 3.0).sin();
        self.phase = inhale * u.clamp(0.0, 1.0);
        self.n += 1;
    }

    /// How full the lungs are: 0 at rest, about 1 in a calm breath, up to 3.5 in hard work.
    pub fn volume(&self) -> f32 {
        let [inhale, exhale, _] = self.parts;
        let share = if self.phase < inhale {
            let u = self.phase / inhale;
            u * u * (3.0 - 2.0 * u)
        } else {
            // Air leaves fast at first.
            let u = ((self.phase - inhale) / exhale).min(1.0);
            let left = 1.0 - u;
            left * left * (1.0 + 2.0 * u)
        };
        self.depth * share
    }

    /// Number of breaths that were begun.
    pub fn n_breaths(&self) -> u32 {
        self.n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_breath_that_is_taken_begins_where_the_lungs_are() {
        let mut breath = Breath::new(5);
        for _ in 0..600 {
            breath.advance(0.0, 0.0, 1.0 / 60.0);
            let mut taken = breath;
            taken.inhale();
            assert!((taken.volume() - breath.volume()).abs() < 1e-3);
            let was = taken.volume();
            taken.advance(0.0, 0.0, 1.0 / 60.0);
            assert!(taken.volume() >= was - 0.02, "{was} {}", taken.volume());
        }
    }

    #[test]
    fn breaths_are_as_many_and_as_deep_as_effort_wants() {
        for (effort, arousal, low, high) in [
            (0.0, 0.0, 13.0, 15.0),
            (0.0, -0.5, 12.0, 13.5),
            (0.5, 0.0, 27.0, 29.0),
            (1.0, 0.0, 40.5, 43.5),
        ] {
            let mut breath = Breath::new(3);
            let (mut most, mut step, mut was) = (0.0_f32, 0.0_f32, breath.volume());
            for _ in 0..60 * 600 {
                breath.advance(effort, arousal, 1.0 / 60.0);
                let now = breath.volume();
                step = step.max((now - was).abs());
                most = most.max(now);
                was = now;
            }
            let per_minute = breath.n_breaths() as f32 / 10.0;
            assert!((low..high).contains(&per_minute), "{effort}: {per_minute}");
            let deep = 1.0 + 2.2 * effort;
            assert!(
                (0.95 * deep..1.11 * deep).contains(&most),
                "{effort}: {most}"
            );
            assert!(step < 0.04 * (1.0 + 5.0 * effort), "{effort}: {step}");
        }
    }

    #[test]
    fn it_goes_in_faster_than_out_and_rests() {
        let mut breath = Breath::new(1);
        let (mut rises, mut falls, mut rests, mut was) = (0, 0, 0, breath.volume());
        for _ in 0..240 * 120 {
            breath.advance(0.0, 0.0, 1.0 / 240.0);
            let change = breath.volume() - was;
            was = breath.volume();
            match change {
                c if c > 1e-5 => rises += 1,
                c if c < -1e-5 => falls += 1,
                _ => rests += 1,
            }
        }
        let all = (rises + falls + rests) as f32;
        let shares = [rises, falls, rests].map(|n| n as f32 / all);
        let off =
            shares.map(|s| s - [0.36, 0.44, 0.2][shares.iter().position(|x| *x == s).unwrap()]);
        assert!(off.iter().all(|off| off.abs() < 0.03), "{shares:?}");
    }
}
