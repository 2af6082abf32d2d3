//! Spatialization: converts distance and direction to gains. Pure functions.
//!
//! Metres and unitless gains. Uses only `sqrt` and arithmetic, so the results are bit-identical on every machine.

use glam::Vec3;

use super::AudioListener;

/// Distance of full loudness, metres. Nearer sounds are not louder.
pub const REFERENCE_DISTANCE: f32 = 2.0;
/// Fraction of the physical distance attenuation: 1 halves the gain with every doubled distance.
pub const ROLLOFF: f32 = 1.0;
/// Distance from which a sound fades out, metres.
pub const FADE_DISTANCE: f32 = 45.0;
/// Distance from which a sound is silent, metres.
pub const MAX_DISTANCE: f32 = 60.0;
/// Maximum pan; below 1 because the far ear still hears the sound.
pub const WIDTH: f32 = 0.85;
/// Within this distance the direction becomes meaningless and the sound moves to the centre, metres.
pub const NEAR: f32 = 0.5;
/// Maximum fraction of the low-passed signal in the far ear.
pub const HEAD_SHADOW: f32 = 0.5;
/// Fraction of the low-passed signal in both ears for a sound straight behind.
pub const REAR_SHADOW: f32 = 0.3;

/// Parameters of both ears for a mono signal `x`: `gain * (x + shade * (lowpass(x) - x))`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ears {
    /// Amplitude, left then right.
    pub gain: [f32; 2],
    /// Fraction of the low-passed signal, 0 (clear) to 1 (dull), left then right.
    pub shade: [f32; 2],
}

impl Ears {
    /// Returns equal, clear ears.
    pub fn both(gain: f32) -> Self {
        Self {
            gain: [gain; 2],
            shade: [0.0; 2],
        }
    }

    /// Interpolates between two states; exactly `self` at `u` 0, and at any `u` when both are equal.
    pub(super) fn lerp(&self, to: &Self, u: f32) -> Self {
        let mix = |a: [f32; 2], b: [f32; 2]| [a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u];
        Self {
            gain: mix(self.gain, to.gain),
            shade: mix(self.shade, to.shade),
        }
    }
}

/// Returns the gain at a distance in metres: `ref / (ref + rolloff * (max(d, ref) - ref))`, faded linearly to 0 from
/// [`FADE_DISTANCE`] to [`MAX_DISTANCE`]. With the constants here: 1 at 2 m, 1/2 at 4 m, 1/4 at 8 m. NaN is silent.
pub fn attenuation(distance: f32) -> f32 {
    if distance.is_nan() || distance >= MAX_DISTANCE {
        return 0.0;
    }
    let beyond = (distance - REFERENCE_DISTANCE).max(0.0);
    let inverse = REFERENCE_DISTANCE / (REFERENCE_DISTANCE + ROLLOFF * beyond);
    let fade = (MAX_DISTANCE - distance) / (MAX_DISTANCE - FADE_DISTANCE);
    inverse * fade.min(1.0)
}

/// Returns equal-power gains, left then right, for `x` from -1 (left) to 1 (right): `sqrt((1 - x) / 2)` and `sqrt((1 + x) /
/// 2)`, whose squares always sum to 1.
pub fn pan(x: f32) -> [f32; 2] {
    let x = x.clamp(-1.0, 1.0);
    [((1.0 - x) * 0.5).sqrt(), ((1.0 + x) * 0.5).sqrt()]
}

/// Returns the ear parameters for a sound at `position` (world, metres).
pub fn ears(listener: &AudioListener, position: Vec3) -> Ears {
    let offset = position - listener.position;
    let distance = offset.length();
    let loudness = attenuation(distance);
    if loudness <= 0.0 {
        return Ears::default();
    }
    let direction = offset / distance.max(NEAR);
    let x = direction.dot(listener.right).clamp(-1.0, 1.0) * WIDTH;
    let rear = (-direction.dot(listener.forward)).clamp(0.0, 1.0) * REAR_SHADOW;
    let shade = |far: f32| (far.max(0.0) * HEAD_SHADOW + rear).min(1.0);
    let [left, right] = pan(x);
    Ears {
        gain: [left * loudness, right * loudness],
        shade: [shade(x), shade(-x)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gain_is_one_at_two_metres_and_halves_with_every_doubling() {
        assert_eq!(attenuation(0.0), 1.0);
        assert_eq!(attenuation(2.0), 1.0);
        assert_eq!(attenuation(4.0), 0.5);
        assert_eq!(attenuation(8.0), 0.25);
        assert_eq!(attenuation(60.0), 0.0);
        assert_eq!(attenuation(f32::INFINITY), 0.0);
        assert_eq!(attenuation(f32::NAN), 0.0);
    }

    #[test]
    fn gain_never_rises_with_distance() {
        let gains: Vec<f32> = (0..700).map(|i| attenuation(i as f32 * 0.1)).collect();
        assert!(gains.windows(2).all(|w| w[1] <= w[0] && w[0] - w[1] < 0.06));
    }

    #[test]
    fn pan_keeps_the_power() {
        for i in -10..=10 {
            let [left, right] = pan(i as f32 * 0.1);
            assert!((left * left + right * right - 1.0).abs() < 1e-6);
        }
        assert_eq!(pan(-1.0), [1.0, 0.0]);
        assert_eq!(pan(1.0), [0.0, 1.0]);
    }

    #[test]
    fn a_sound_on_the_right_is_louder_and_clearer_in_the_right_ear() {
        let ears = ears(&AudioListener::default(), Vec3::new(2.0, 0.0, 0.0));
        assert!(ears.gain[1] > 2.0 * ears.gain[0]);
        assert!(ears.shade[0] > 0.3 && ears.shade[1] == 0.0);
    }

    #[test]
    fn a_sound_straight_ahead_is_clear_and_centred() {
        let ears = ears(&AudioListener::default(), Vec3::new(0.0, 0.0, -2.0));
        assert_eq!(ears.gain[0], ears.gain[1]);
        assert_eq!(ears.shade, [0.0, 0.0]);
    }

    #[test]
    fn a_sound_behind_is_dull_in_both_ears() {
        let ears = ears(&AudioListener::default(), Vec3::new(0.0, 0.0, 2.0));
        assert_eq!(ears.shade, [REAR_SHADOW; 2]);
    }

    #[test]
    fn a_sound_inside_the_head_or_far_away_gives_finite_values() {
        for position in [
            Vec3::ZERO,
            Vec3::splat(1e-30),
            Vec3::splat(1e30),
            Vec3::splat(f32::MAX),
        ] {
            let ears = ears(&AudioListener::default(), position);
            assert!(ears.gain.iter().chain(&ears.shade).all(|v| v.is_finite()));
        }
    }
}
