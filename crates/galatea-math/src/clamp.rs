//! Clamping to computed bounds. The standard library's `clamp` panics when the lower bound is above the upper one or NaN,
//! which numbers from a damaged file can cause.

/// Clamps to bounds that may be in the wrong order or NaN.
pub trait ClampTo: PartialOrd + Copy {
    /// As `clamp`, but never panics: returns `low` if `self` is below it, else `high` if `self` is above it, else `self`. A
    /// NaN bound is ignored.
    #[inline]
    #[must_use]
    fn clamp_to(self, low: Self, high: Self) -> Self {
        if self < low {
            low
        } else if self > high {
            high
        } else {
            self
        }
    }
}

impl<T: PartialOrd + Copy> ClampTo for T {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_in_the_wrong_order_and_nan_do_not_panic() {
        assert_eq!(
            [-1.0, 0.5, 2.0].map(|x: f32| x.clamp_to(0.0, 1.0)),
            [0.0, 0.5, 1.0]
        );
        assert_eq!(0.5_f32.clamp_to(1.0, 0.0), 1.0);
        assert_eq!(0.5_f32.clamp_to(f32::NAN, 0.25), 0.25);
        assert!(f32::NAN.clamp_to(0.0, 1.0).is_nan());
        assert_eq!(7_u32.clamp_to(0, 3), 3);
    }
}
