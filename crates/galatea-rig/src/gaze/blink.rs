//! Blinks: timing, depth, and how far the lids are closed.

use serde::{Deserialize, Serialize};

use galatea_math::random::RandomSource;

/// Minimum and maximum time between two blinks, seconds; longer times are more frequent (NeosPublic #1597, with later tuning
/// by others).
pub const BLINK_INTERVAL: [f32; 2] = [2.0, 10.0];
/// Minimum and maximum times in which lids close and open, seconds (VanderWerf et al. 2003: closing takes about 70 ms,
/// opening two to three times as long).
const CLOSING: [f32; 2] = [0.06, 0.08];
const OPENING: [f32; 2] = [0.12, 0.2];
/// Fraction of blinks that are followed by another, and of blinks that do not fully close the eye.
const DOUBLE_FRACTION: f32 = 0.1;
const PARTIAL_FRACTION: f32 = 0.12;

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Blink {
    t: f32,
    closing: f32,
    opening: f32,
    depth: f32,
}

/// Lids of both eyes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lids {
    random: RandomSource,
    /// Seconds until the next blink.
    next: f32,
    blink: Option<Blink>,
    n_blinks: u32,
}

impl Lids {
    /// Open lids; the first blink comes within the usual time.
    pub fn new(seed: u64) -> Self {
        let mut chance = RandomSource::new(seed);
        let next = chance.between(0.5, 6.0);
        Self {
            random: chance,
            next,
            blink: None,
            n_blinks: 0,
        }
    }

    /// Advances the lids. `rate` makes blinks more (2) or less (0.5) frequent; with `hold` none starts.
    pub fn advance(&mut self, dt: f32, rate: f32, hold: bool) {
        if let Some(blink) = &mut self.blink {
            blink.t += dt;
            if blink.t >= blink.closing + blink.opening {
                self.blink = None;
            }
        }
        self.next -= dt * rate.max(0.0);
        if self.next <= 0.0 && hold {
            // Randomised, so that characters released together do not blink in sync.
            self.next = self.random.between(0.0, BLINK_INTERVAL[0]);
        } else if self.next <= 0.0 && self.blink.is_none() {
            self.start();
        }
    }

    /// Handles a gaze shift by an angle, radians: eyes often blink in shifts of 30 degrees and more, nearly always at 90
    /// (Evinger et al. 1994; Gandhi 2012).
    pub fn shifted(&mut self, angle: f32, hold: bool) {
        let over = (angle.to_degrees() - 30.0) / 60.0;
        if over > 0.0 && self.random.is(0.25 + 0.65 * over.min(1.0)) && !hold {
            self.blink();
        }
    }

    /// Starts a blink, unless one is in progress.
    pub fn blink(&mut self) {
        if self.blink.is_none() {
            self.start();
        }
    }

    /// Lid closure by blinks, 0 (open) to 1 (closed).
    pub fn closed(&self) -> f32 {
        let Some(blink) = &self.blink else {
            return 0.0;
        };
        let smooth = |u: f32| {
            let u = u.clamp(0.0, 1.0);
            u * u * (3.0 - 2.0 * u)
        };
        let fraction = if blink.t < blink.closing {
            smooth(blink.t / blink.closing)
        } else {
            // Lids open fast at first and slowly towards the end.
            1.0 - smooth(
                ((blink.t - blink.closing) / blink.opening)
                    .clamp(0.0, 1.0)
                    .powf(0.8),
            )
        };
        blink.depth * fraction
    }

    /// Number of blinks started so far.
    pub fn n_blinks(&self) -> u32 {
        self.n_blinks
    }

    fn start(&mut self) {
        let chance = &mut self.random;
        let depth = if chance.is(PARTIAL_FRACTION) {
            chance.between(0.4, 0.7)
        } else {
            1.0
        };
        self.blink = Some(Blink {
            t: 0.0,
            closing: chance.between(CLOSING[0], CLOSING[1]),
            opening: chance.between(OPENING[0], OPENING[1]),
            depth,
        });
        self.n_blinks += 1;
        let [min, max] = BLINK_INTERVAL;
        self.next = if chance.is(DOUBLE_FRACTION) {
            chance.between(0.3, 0.5)
        } else {
            // The square root of a uniform number: the density grows with the length.
            min + (max - min) * chance.unit().sqrt()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blinks_in_ten_minutes_have_the_expected_rate_and_length() {
        for seed in [1, 2, 3] {
            let (mut lids, hz) = (Lids::new(seed), 240.0_f32);
            let (mut starts, mut lengths, mut full, mut previous) =
                (Vec::new(), Vec::new(), 0, 0.0);
            let mut step = 0.0_f32;
            let mut top = 0.0_f32;
            for i in 0..(600.0 * hz) as u32 {
                lids.advance(1.0 / hz, 1.0, false);
                let closed = lids.closed();
                assert!((0.0..=1.0).contains(&closed));
                step = step.max((closed - previous).abs());
                let now = i as f32 / hz;
                if previous == 0.0 && closed > 0.0 {
                    starts.push(now);
                    top = 0.0;
                }
                top = top.max(closed);
                if previous > 0.0 && closed == 0.0 {
                    lengths.push(now - starts.last().unwrap());
                    full += u32::from(top > 0.95);
                }
                previous = closed;
            }
            let gaps: Vec<f32> = starts.windows(2).map(|w| w[1] - w[0]).collect();
            let mean = gaps.iter().sum::<f32>() / gaps.len() as f32;
            assert!((4.5..8.5).contains(&mean), "{mean}");
            assert!(gaps.iter().all(|gap| *gap < 10.1));
            let long = gaps.iter().filter(|gap| **gap > 6.0).count();
            let short = gaps.iter().filter(|gap| (2.0..6.0).contains(*gap)).count();
            assert!(long > short, "the long end is preferred: {long} {short}");
            assert!(gaps.iter().any(|gap| *gap < 0.6), "some are double");
            assert!(
                lengths.iter().all(|s| (0.17..0.29).contains(s)),
                "{lengths:?}"
            );
            let fraction = full as f32 / lengths.len() as f32;
            assert!(
                (0.75..0.97).contains(&fraction),
                "some are half: {fraction}"
            );
            assert!(step < 0.13, "{step}");
        }
    }

    #[test]
    fn held_lids_do_not_blink_and_large_gaze_shifts_do() {
        let mut lids = Lids::new(5);
        for _ in 0..36_000 {
            lids.advance(1.0 / 60.0, 1.0, true);
            lids.shifted(1.5, true);
            assert_eq!(lids.closed(), 0.0);
        }
        let fraction = |degrees: f32| {
            let n = (0..1000).filter(|seed| {
                let mut lids = Lids::new(*seed);
                lids.shifted(degrees.to_radians(), false);
                lids.n_blinks() > 0
            });
            n.count() as f32 / 1000.0
        };
        assert_eq!(fraction(25.0), 0.0);
        assert!((fraction(45.0) - 0.41).abs() < 0.05);
        assert!((fraction(100.0) - 0.9).abs() < 0.05);
    }
}
