//! sRGB transfer functions (IEC 61966-2-1).

/// Linear light for an encoded channel, both 0..=1.
pub fn decoded(color: f32) -> f32 {
    if color <= 0.04045 {
        color / 12.92
    } else {
        ((color + 0.055) / 1.055).powf(2.4)
    }
}

/// Encoded channel for linear light, both 0..=1.
pub fn encoded(light: f32) -> f32 {
    if light <= 0.003_130_8 {
        light * 12.92
    } else {
        1.055 * light.powf(1.0 / 2.4) - 0.055
    }
}

/// Encodes linear light, clamped to 0..=1, as an sRGB byte.
pub fn to_byte(linear: f32) -> u8 {
    (encoded(linear.clamp(0.0, 1.0)) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back_and_the_two_branches_meet() {
        for byte in 0..=255_u8 {
            let back = encoded(decoded(f32::from(byte) / 255.0)) * 255.0;
            assert!((back - f32::from(byte)).abs() < 1e-3, "{byte}: {back}");
        }
        assert!((decoded(0.5) - 0.214_041).abs() < 1e-6);
        for (f, at) in [(decoded as fn(f32) -> f32, 0.04045), (encoded, 0.003_130_8)] {
            assert!((f(at + 1e-7) - f(at)).abs() < 1e-5);
        }
    }
}
