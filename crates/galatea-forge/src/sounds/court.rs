//! Sounds for the demo's courtyard: cracking stone, a gate, a ball, birds, wind, warmth.

use std::f32::consts::TAU;

use galatea_math::random::RandomSource;

use super::{BandPass, RATE, SR, finish, ring, silence, sweep};

/// Cracking stone: a few sharp breaks, each with a ringing slab and trickling dust.
pub fn crack(seed: u64) -> Vec<f32> {
    let mut rng = RandomSource::new(seed.wrapping_mul(47).wrapping_add(0xc4ac));
    let mut out = silence(0.9);
    let mut at = 0.004;
    for i in 0..6 {
        let gain = if i == 0 { 1.0 } else { rng.between(0.2, 0.75) };
        for f in [760.0, 1420.0, 2350.0, 3600.0] {
            let f = f * rng.between(0.8, 1.25);
            ring(
                &mut out,
                at,
                f,
                rng.between(0.003, 0.012),
                gain * rng.between(0.2, 0.5),
                0.0002,
            );
        }
        ring(
            &mut out,
            at,
            170.0 * rng.between(0.8, 1.2),
            0.02,
            gain * 0.4,
            0.0006,
        );
        burst(&mut out, &mut rng, at, (3200.0, 0.8, 0.006, gain * 0.9));
        at += rng.between(0.015, 0.09);
    }
    trickle(&mut out, &mut rng, 0.05, 0.7, 70, 0.22);
    finish(out, 0.6)
}

/// Crumbs falling on paving.
pub fn crumble(seed: u64) -> Vec<f32> {
    let mut rng = RandomSource::new(seed.wrapping_mul(53).wrapping_add(0xc4b8));
    let mut out = silence(0.8);
    for _ in 0..9 {
        let u = rng.between(0.0, 1.0);
        let (at, gain) = (0.01 + 0.5 * u * u, rng.between(0.2, 0.7) * (1.0 - 0.6 * u));
        for f in [1250.0, 2600.0, 4100.0] {
            ring(
                &mut out,
                at,
                f * rng.between(0.75, 1.3),
                rng.between(0.002, 0.007),
                gain,
                0.0002,
            );
        }
    }
    trickle(&mut out, &mut rng, 0.0, 0.75, 60, 0.3);
    finish(out, 0.35)
}

/// A first breath: air drawn in through the mouth and released.
pub fn breath(seed: u64) -> Vec<f32> {
    let mut rng = RandomSource::new(seed.wrapping_mul(59).wrapping_add(0xb4ea));
    let mut out = silence(2.3);
    sweep(&mut out, &mut rng, 1.6, |u| {
        let t = u * 2.3;
        if t < 1.0 {
            // Breathing in becomes faster and brighter.
            (
                900.0 + 1100.0 * t,
                0.9 * t.powf(1.4) * ((1.0 - t) / 0.12).min(1.0),
            )
        } else {
            let o = (t - 1.08).max(0.0) / 1.2;
            (
                1250.0 - 700.0 * o.min(1.0),
                0.6 * (o * 9.0).min(1.0) * (1.0 - o).max(0.0).powi(2),
            )
        }
    });
    finish(out, 0.28)
}

/// A heavy gate on its pivot: stick-slip of bronze, slower towards the end.
pub fn creak(seed: u64) -> Vec<f32> {
    let mut rng = RandomSource::new(seed.wrapping_mul(61).wrapping_add(0xc4ee));
    let mut out = silence(2.2);
    let mut at = 0.02;
    while at < 1.95 {
        let u: f32 = at / 1.95;
        let swell = (u * std::f32::consts::PI).sin().powf(0.6);
        let pitch = 1.0 + 0.22 * (u * 7.0).sin() + 0.1 * u;
        for (f, decay, gain) in [
            (212.0, 0.03, 0.5),
            (447.0, 0.024, 0.5),
            (905.0, 0.016, 0.34),
            (1630.0, 0.008, 0.2),
        ] {
            ring(
                &mut out,
                at,
                f * pitch * rng.between(0.985, 1.015),
                decay,
                gain * swell * rng.between(0.6, 1.0),
                0.0008,
            );
        }
        at += (0.017 + 0.02 * (1.0 - swell)) * rng.between(0.85, 1.2);
    }
    let mut band = BandPass::new(180.0, 0.7);
    let n = out.len() as f32;
    for (i, sample) in out.iter_mut().enumerate() {
        let u = i as f32 / n;
        *sample += band.pass(rng.between(-1.0, 1.0)) * 0.35 * (u * std::f32::consts::PI).sin();
    }
    finish(out, 0.4)
}

/// A bronze door ring that is lifted and falls back on its plate.
pub fn knocker(seed: u64) -> Vec<f32> {
    let mut rng = RandomSource::new(seed.wrapping_mul(67).wrapping_add(0x400c));
    let mut out = silence(0.9);
    for (at, gain) in [(0.004, 0.6), (0.11, 1.0), (0.19, 0.3)] {
        for (f, decay, level) in [
            (523.0, 0.16, 0.4),
            (1180.0, 0.12, 0.35),
            (2310.0, 0.09, 0.22),
            (3870.0, 0.05, 0.1),
        ] {
            ring(
                &mut out,
                at,
                f * rng.between(0.995, 1.005),
                decay,
                level * gain,
                0.0004,
            );
        }
        ring(&mut out, at, 128.0, 0.05, 0.5 * gain, 0.001);
    }
    finish(out, 0.45)
}

/// A body falling on stone: weight, cloth, a hand.
pub fn thud(seed: u64) -> Vec<f32> {
    let mut rng = RandomSource::new(seed.wrapping_mul(71).wrapping_add(0x74d));
    let mut out = silence(0.6);
    for (at, gain) in [(0.004, 1.0), (0.06, 0.5), (0.15, 0.35)] {
        ring(
            &mut out,
            at,
            58.0 * rng.between(0.9, 1.1),
            0.07,
            gain,
            0.003,
        );
        ring(
            &mut out,
            at,
            104.0 * rng.between(0.9, 1.1),
            0.04,
            gain * 0.7,
            0.002,
        );
        burst(&mut out, &mut rng, at, (520.0, 0.7, 0.03, gain * 0.8));
        burst(
            &mut out,
            &mut rng,
            at + 0.004,
            (1900.0, 0.9, 0.05, gain * 0.22),
        );
    }
    finish(out, 0.7)
}

/// A leather ball bouncing off stone.
pub fn ball(seed: u64) -> Vec<f32> {
    let mut rng = RandomSource::new(seed.wrapping_mul(73).wrapping_add(0xba11));
    let mut out = silence(0.32);
    for f in [138.0, 262.0, 395.0] {
        ring(
            &mut out,
            0.004,
            f * rng.between(0.95, 1.05),
            0.045,
            150.0 / f,
            0.0012,
        );
    }
    burst(&mut out, &mut rng, 0.004, (1300.0, 0.8, 0.007, 0.7));
    finish(out, 0.55)
}

/// The ball hitting a forehead.
pub fn bonk(seed: u64) -> Vec<f32> {
    let mut rng = RandomSource::new(seed.wrapping_mul(79).wrapping_add(0xb02c));
    let mut out = silence(0.42);
    for (f, decay, gain) in [
        (233.0, 0.06, 0.8),
        (466.0, 0.05, 0.9),
        (740.0, 0.035, 0.5),
        (1240.0, 0.02, 0.25),
    ] {
        ring(
            &mut out,
            0.004,
            f * rng.between(0.98, 1.02),
            decay,
            gain,
            0.0008,
        );
    }
    burst(&mut out, &mut rng, 0.004, (1700.0, 0.8, 0.009, 0.9));
    finish(out, 0.65)
}

/// A small bird: some high notes with pitch bends.
pub fn bird(seed: u64) -> Vec<f32> {
    let mut rng = RandomSource::new(seed.wrapping_mul(83).wrapping_add(0xb14d));
    let mut out = silence(rng.between(0.5, 0.9));
    let (mut at, base) = (0.02, rng.between(3100.0, 4400.0));
    let seconds = out.len() as f32 / SR;
    while at < seconds - 0.16 {
        let long = rng.between(0.04, 0.13);
        let (from, to) = (
            base * rng.between(0.85, 1.35),
            base * rng.between(0.85, 1.35),
        );
        let trill = rng.between(0.0, 0.04);
        let mut phase = 0.0_f32;
        let first = (at * SR) as usize;
        for (i, sample) in out
            .iter_mut()
            .skip(first)
            .take((long * SR) as usize)
            .enumerate()
        {
            let u = i as f32 / (long * SR);
            let f = (from + (to - from) * u) * (1.0 + trill * (u * 40.0).sin());
            phase += TAU * f / SR;
            *sample +=
                (phase.sin() + 0.12 * (2.0 * phase).sin()) * (u * std::f32::consts::PI).sin();
        }
        at += long + rng.between(0.02, 0.09);
    }
    finish(out, 0.22)
}

/// Wind in grass and cypresses, as a seamless loop.
pub fn wind(seed: u64) -> Vec<f32> {
    const FADE: usize = RATE as usize;
    let mut rng = RandomSource::new(seed.wrapping_mul(89).wrapping_add(0x81d));
    let mut long = silence(5.0);
    sweep(&mut long, &mut rng, 0.5, |u| {
        let gust = 0.5 + 0.5 * (u * TAU * 1.25).sin();
        (260.0 + 220.0 * gust, 0.6 + 0.4 * gust)
    });
    let mut leaves = silence(5.0);
    sweep(&mut leaves, &mut rng, 0.7, |u| {
        let gust = 0.5 + 0.5 * (u * TAU * 1.25 - 0.6).sin();
        (2400.0 + 900.0 * gust, 0.05 + 0.14 * gust)
    });
    let n = long.len() - FADE;
    let mut out: Vec<f32> = (0..n).map(|i| long[i] + leaves[i]).collect();
    for i in 0..FADE {
        let u = i as f32 / FADE as f32;
        let end = long[n + i] + leaves[n + i];
        out[i] = out[i] * u.sqrt() + end * (1.0 - u).sqrt();
    }
    let loudest = out.iter().fold(0.0_f32, |a, s| a.max(s.abs()));
    out.iter_mut().for_each(|s| *s *= 0.25 / loudest);
    out
}

/// Warmth that enters stone: a chord that fades in and out.
pub fn glow(seed: u64) -> Vec<f32> {
    let mut rng = RandomSource::new(seed.wrapping_mul(97).wrapping_add(0x9108));
    let seconds = 6.0;
    let mut out = silence(seconds);
    for (k, ratio) in [1.0_f32, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0]
        .into_iter()
        .enumerate()
    {
        let f = 146.83 * ratio * rng.between(0.998, 1.002);
        let (begin, sway) = (0.45 * k as f32, rng.between(0.15, 0.4));
        for (i, sample) in out.iter_mut().enumerate() {
            let t = i as f32 / SR;
            let up = ((t - begin) / 1.6).clamp(0.0, 1.0);
            let down = ((seconds - t) / 1.8).clamp(0.0, 1.0);
            let level =
                up * up * down * (0.8 + 0.2 * (TAU * sway * t).sin()) / (1.0 + 0.6 * k as f32);
            *sample += (TAU * f * t).sin() * level + (TAU * f * 1.004 * t).sin() * level * 0.6;
        }
    }
    finish(out, 0.3)
}

/// Adds noise with an instant attack and exponential decay: start (s); centre frequency (Hz), Q factor, time constant (s),
/// gain.
fn burst(
    out: &mut [f32],
    rng: &mut RandomSource,
    start: f32,
    (f, q, decay, gain): (f32, f32, f32, f32),
) {
    let mut band = BandPass::new(f * rng.between(0.9, 1.1), q);
    for (i, sample) in out.iter_mut().skip((start * SR) as usize).enumerate() {
        let t = i as f32 / SR;
        *sample +=
            band.pass(rng.between(-1.0, 1.0)) * (t / 0.0006).min(1.0) * (-t / decay).exp() * gain;
    }
}

/// Grains of dust and gravel, dense at first.
fn trickle(
    out: &mut [f32],
    rng: &mut RandomSource,
    start: f32,
    spread: f32,
    count: usize,
    gain: f32,
) {
    for _ in 0..count {
        let u = rng.between(0.0, 1.0);
        let f = 2600.0 * 3.2_f32.powf(rng.between(0.0, 1.0));
        let level = gain * rng.between(0.1, 1.0) * (1.0 - 0.8 * u);
        ring(
            out,
            start + spread * u * u,
            f,
            rng.between(0.0006, 0.0022),
            level,
            0.0002,
        );
    }
}
