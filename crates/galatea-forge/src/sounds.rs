//! Synthesised footsteps and other body sounds, made of resonators, filtered noise and grains.
//!
//! A step is two impacts, heel then ball (Cook, "Modeling Bill's Gait", 2002; Farnell, "Designing Sound", footsteps). The
//! ground material determines the resonant modes, the colour of the noise and the grains. Mono at [`RATE`]; equal seeds give
//! equal samples.

mod court;

use std::f32::consts::TAU;

use galatea_math::random::RandomSource;

pub use court::{ball, bird, bonk, breath, crack, creak, crumble, glow, knocker, thud, wind};

/// Samples per second.
pub const RATE: u32 = 48_000;
/// Maximum absolute sample of a footstep.
pub const PEAK: f32 = 0.6;

const SR: f32 = RATE as f32;

/// Material of the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroundMaterial {
    /// Paving: short and hard.
    Stone,
    /// Boards over a cavity: low, resonant modes.
    Wood,
    /// Turf: soft, with a rustle.
    Grass,
    /// Loose stones: many grains.
    Gravel,
    /// A grating: long inharmonic modes.
    Metal,
}

impl GroundMaterial {
    /// All materials.
    pub const ALL: [Self; 5] = [
        Self::Stone,
        Self::Wood,
        Self::Grass,
        Self::Gravel,
        Self::Metal,
    ];

    /// Name in scripts and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stone => "stone",
            Self::Wood => "wood",
            Self::Grass => "grass",
            Self::Gravel => "gravel",
            Self::Metal => "metal",
        }
    }

    fn ground(self) -> ImpactSound {
        match self {
            Self::Stone => ImpactSound {
                modes: &[
                    (210.0, 0.020, 0.5),
                    (940.0, 0.011, 0.45),
                    (1730.0, 0.008, 0.35),
                    (2900.0, 0.005, 0.2),
                ],
                thump: (92.0, 0.022, 0.45),
                noise: (1700.0, 0.8, 0.016, 0.9),
                rise: 0.0004,
                grains: (6, 0.060, 2600.0, 4200.0, 0.10),
            },
            Self::Wood => ImpactSound {
                modes: &[
                    (118.0, 0.060, 0.8),
                    (236.0, 0.050, 0.7),
                    (412.0, 0.035, 0.45),
                    (705.0, 0.020, 0.22),
                ],
                thump: (70.0, 0.045, 0.7),
                noise: (620.0, 0.9, 0.014, 0.5),
                rise: 0.0008,
                grains: (0, 0.0, 0.0, 0.0, 0.0),
            },
            Self::Grass => ImpactSound {
                modes: &[],
                thump: (76.0, 0.030, 0.18),
                noise: (2900.0, 0.9, 0.050, 0.75),
                rise: 0.0120,
                grains: (26, 0.110, 2200.0, 5200.0, 0.30),
            },
            Self::Gravel => ImpactSound {
                modes: &[],
                thump: (84.0, 0.020, 0.16),
                noise: (4300.0, 0.7, 0.030, 0.35),
                rise: 0.0040,
                grains: (64, 0.120, 3000.0, 9000.0, 0.85),
            },
            Self::Metal => ImpactSound {
                modes: &[
                    (392.0, 0.110, 0.5),
                    (1067.0, 0.090, 0.45),
                    (1873.0, 0.070, 0.35),
                    (3011.0, 0.045, 0.25),
                    (4420.0, 0.025, 0.12),
                ],
                thump: (98.0, 0.028, 0.4),
                noise: (3000.0, 0.8, 0.008, 0.5),
                rise: 0.0003,
                grains: (0, 0.0, 0.0, 0.0, 0.0),
            },
        }
    }
}

/// Components of an impact's sound.
struct ImpactSound {
    /// Modes: frequency (Hz), time constant (s), gain.
    modes: &'static [(f32, f32, f32)],
    /// Low thump of the body's weight: frequency (Hz), time constant (s), gain.
    thump: (f32, f32, f32),
    /// Noise band: centre frequency (Hz), Q factor, time constant (s), gain.
    noise: (f32, f32, f32, f32),
    /// Attack of the noise, seconds.
    rise: f32,
    /// Grains: number, duration (s), minimum and maximum frequency (Hz), gain.
    grains: (usize, f32, f32, f32, f32),
}

/// One step: heel, then ball. 0.25 to 0.4 s, peak [`PEAK`].
pub fn footstep(surface: GroundMaterial, seed: u64) -> Vec<f32> {
    let mut rng = RandomSource::new(seed.wrapping_mul(31).wrapping_add(surface as u64));
    let ground = surface.ground();
    let mut out = silence(rng.between(0.32, 0.38));
    let gap = rng.between(0.058, 0.085);
    impact(&mut out, &ground, 0.004, 1.0, 1.0, &mut rng);
    impact(
        &mut out,
        &ground,
        0.004 + gap,
        rng.between(0.42, 0.58),
        1.16,
        &mut rng,
    );
    finish(out, PEAK)
}

/// Landing on both feet after a jump: heavier and lower than a step.
pub fn land(surface: GroundMaterial, seed: u64) -> Vec<f32> {
    let mut rng = RandomSource::new(seed.wrapping_mul(37).wrapping_add(0x1a7d + surface as u64));
    let ground = surface.ground();
    let mut out = silence(0.46);
    let second = 0.004 + rng.between(0.012, 0.024);
    impact(&mut out, &ground, 0.004, 0.9, 0.88, &mut rng);
    impact(&mut out, &ground, second, 0.8, 0.84, &mut rng);
    impact(&mut out, &ground, second + 0.065, 0.35, 1.0, &mut rng);
    ring(
        &mut out,
        0.004,
        52.0 * rng.between(0.95, 1.05),
        0.075,
        1.1,
        0.002,
    );
    finish(out, 0.8)
}

/// Take-off: scraping shoes and tightening cloth.
pub fn jump(seed: u64) -> Vec<f32> {
    let mut rng = RandomSource::new(seed.wrapping_mul(41).wrapping_add(0x10b));
    let mut out = silence(0.34);
    sweep(&mut out, &mut rng, 0.9, |u| {
        (700.0 + 1900.0 * u, (u * 9.0).min(1.0) * (1.0 - u).powi(3))
    });
    ring(&mut out, 0.01, 74.0, 0.04, 0.5, 0.004);
    finish(out, 0.4)
}

/// A sleeve moving through the air.
pub fn cloth(seed: u64) -> Vec<f32> {
    let mut rng = RandomSource::new(seed.wrapping_mul(43).wrapping_add(0xc107));
    let mut out = silence(rng.between(0.34, 0.40));
    let top = rng.between(2300.0, 2900.0);
    sweep(&mut out, &mut rng, 1.4, |u| {
        let hump = (u * std::f32::consts::PI).sin();
        (
            800.0 + (top - 800.0) * hump,
            hump * hump * (0.8 + 0.2 * (u * 41.0).sin()),
        )
    });
    finish(out, 0.3)
}

fn silence(seconds: f32) -> Vec<f32> {
    vec![0.0; (seconds * SR) as usize]
}

/// Adds one impact at `start` seconds; `pitch` shifts its modes.
fn impact(
    out: &mut [f32],
    ground: &ImpactSound,
    start: f32,
    gain: f32,
    pitch: f32,
    rng: &mut RandomSource,
) {
    let (f, decay, level) = ground.thump;
    ring(
        out,
        start,
        f * rng.between(0.92, 1.08),
        decay,
        level * gain,
        0.0015,
    );
    for (f, decay, level) in ground.modes {
        let f = f * pitch * rng.between(0.94, 1.06);
        ring(
            out,
            start,
            f,
            decay * rng.between(0.85, 1.15),
            level * gain * rng.between(0.7, 1.2),
            0.0003,
        );
    }
    let (f, q, decay, level) = ground.noise;
    let mut band = BandPass::new(f * rng.between(0.88, 1.12), q);
    let first = (start * SR) as usize;
    for (i, sample) in out.iter_mut().enumerate().skip(first) {
        let t = (i - first) as f32 / SR;
        let envelope = (t / ground.rise).min(1.0) * (-(t - ground.rise).max(0.0) / decay).exp();
        *sample += band.pass(rng.between(-1.0, 1.0)) * envelope * level * gain;
    }
    let (count, spread, low, high, level) = ground.grains;
    for _ in 0..count {
        // Dense at first, then sparse.
        let u = rng.between(0.0, 1.0);
        let at = start + spread * u * u;
        let f = low * (high / low).powf(rng.between(0.0, 1.0));
        let strength = level * gain * rng.between(0.15, 1.0) * (1.0 - 0.75 * u);
        ring(out, at, f, rng.between(0.0006, 0.0026), strength, 0.0002);
    }
}

/// Adds a decaying sine at `start`, with a short attack.
fn ring(out: &mut [f32], start: f32, frequency: f32, decay: f32, gain: f32, attack: f32) {
    let first = (start * SR) as usize;
    let length = (decay * 9.0 * SR) as usize;
    for (i, sample) in out.iter_mut().skip(first).take(length).enumerate() {
        let t = i as f32 / SR;
        *sample += (TAU * frequency * t).sin() * (-t / decay).exp() * (t / attack).min(1.0) * gain;
    }
}

/// Adds noise through a moving band; `shape` returns centre frequency (Hz) and level for a phase of the sound.
fn sweep(out: &mut [f32], rng: &mut RandomSource, q: f32, shape: impl Fn(f32) -> (f32, f32)) {
    let mut band = BandPass::new(1000.0, q);
    let n = out.len() as f32;
    for (i, sample) in out.iter_mut().enumerate() {
        let (f, level) = shape(i as f32 / n);
        band.tune(f, q);
        *sample += band.pass(rng.between(-1.0, 1.0)) * level;
    }
}

/// Removes inaudible low frequencies, fades the ends, and scales to `peak`.
fn finish(mut out: Vec<f32>, peak: f32) -> Vec<f32> {
    let keep = 1.0 - TAU * 28.0 / SR;
    let (mut before, mut high) = (0.0, 0.0);
    for sample in &mut out {
        high = keep * (high + *sample - before);
        before = *sample;
        *sample = high;
    }
    let n = out.len();
    let (fade_in, fade_out) = ((0.002 * SR) as usize, (0.030 * SR) as usize);
    let ease = |u: f32| 0.5 - 0.5 * (u * std::f32::consts::PI).cos();
    for (i, sample) in out.iter_mut().enumerate() {
        *sample *= ease((i as f32 / fade_in as f32).min(1.0));
        *sample *= ease(((n - 1 - i) as f32 / fade_out as f32).min(1.0));
    }
    let loudest = out.iter().fold(0.0_f32, |a, s| a.max(s.abs()));
    let scale = peak / loudest.max(1e-9);
    out.iter_mut().for_each(|s| *s *= scale);
    out
}

/// A band-pass: the state-variable filter with trapezoidal integration (Zavalishin).
struct BandPass {
    g: f32,
    k: f32,
    s1: f32,
    s2: f32,
}

impl BandPass {
    fn new(frequency: f32, q: f32) -> Self {
        let mut band = Self {
            g: 0.0,
            k: 0.0,
            s1: 0.0,
            s2: 0.0,
        };
        band.tune(frequency, q);
        band
    }

    fn tune(&mut self, frequency: f32, q: f32) {
        self.g = (std::f32::consts::PI * (frequency / SR).min(0.45)).tan();
        self.k = 1.0 / q;
    }

    fn pass(&mut self, x: f32) -> f32 {
        let a = 1.0 / (1.0 + self.g * (self.g + self.k));
        let v1 = a * (self.s1 + self.g * (x - self.s2));
        let v2 = self.s2 + self.g * v1;
        self.s1 = 2.0 * v1 - self.s1;
        self.s2 = 2.0 * v2 - self.s2;
        v1 * self.k
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spectral centroid, Hz, by a Fourier transform on a coarse grid of frequencies.
    fn centroid(samples: &[f32]) -> f32 {
        let (mut sum, mut weighted) = (0.0_f64, 0.0_f64);
        for k in 1..240 {
            let f = k as f32 * 50.0;
            let (mut re, mut im) = (0.0_f64, 0.0_f64);
            for (i, s) in samples.iter().enumerate() {
                let phase = f64::from(TAU) * f64::from(f) * i as f64 / f64::from(SR);
                re += f64::from(*s) * phase.cos();
                im += f64::from(*s) * phase.sin();
            }
            let size = (re * re + im * im).sqrt();
            sum += size;
            weighted += size * f64::from(f);
        }
        (weighted / sum) as f32
    }

    fn every_sound() -> Vec<Vec<f32>> {
        let mut all = vec![jump(1), cloth(1)];
        for surface in GroundMaterial::ALL {
            all.extend((1..=3).map(|seed| footstep(surface, seed)));
            all.push(land(surface, 1));
        }
        all
    }

    #[test]
    fn sounds_are_finite_of_known_peak_and_silent_at_both_ends() {
        for sound in every_sound() {
            assert!(sound.iter().all(|s| s.is_finite()));
            let peak = sound.iter().fold(0.0_f32, |a, s| a.max(s.abs()));
            assert!((0.29..=0.81).contains(&peak), "{peak}");
            assert!(sound[0].abs() < 1e-3 && sound[sound.len() - 1].abs() < 1e-3);
            assert!(sound[1].abs() < 1e-2);
        }
        for surface in GroundMaterial::ALL {
            let step = footstep(surface, 2);
            let peak = step.iter().fold(0.0_f32, |a, s| a.max(s.abs()));
            assert!((peak - PEAK).abs() < 1e-4);
            let seconds = step.len() as f32 / SR;
            assert!((0.25..0.40).contains(&seconds), "{seconds}");
        }
    }

    #[test]
    fn a_step_decays_before_it_ends() {
        for surface in GroundMaterial::ALL {
            let step = footstep(surface, 1);
            let energy = |part: &[f32]| part.iter().map(|s| s * s).sum::<f32>() / part.len() as f32;
            let n = step.len();
            let early = energy(&step[..n / 2]);
            let late = energy(&step[n * 4 / 5..]);
            assert!(late < early * 0.02, "{surface:?}: {late} of {early}");
        }
    }

    #[test]
    fn gravel_is_brighter_than_grass_than_stone_than_wood() {
        let bright = |surface| {
            (1..=3)
                .map(|s| centroid(&footstep(surface, s)))
                .sum::<f32>()
                / 3.0
        };
        let order = [
            GroundMaterial::Gravel,
            GroundMaterial::Grass,
            GroundMaterial::Stone,
            GroundMaterial::Wood,
        ]
        .map(bright);
        println!(
            "centroids, Hz: {order:?}, metal {}",
            bright(GroundMaterial::Metal)
        );
        assert!(order.windows(2).all(|w| w[0] > w[1] * 1.15), "{order:?}");
    }

    #[test]
    fn equal_seeds_give_equal_sounds_and_others_differ() {
        let a = footstep(GroundMaterial::Stone, 5);
        assert_eq!(a, footstep(GroundMaterial::Stone, 5));
        assert_ne!(a, footstep(GroundMaterial::Stone, 6));
    }

    #[test]
    fn landing_is_lower_than_a_step() {
        assert!(
            centroid(&land(GroundMaterial::Stone, 1))
                < centroid(&footstep(GroundMaterial::Stone, 1))
        );
    }
}
