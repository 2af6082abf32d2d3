//! Clamping to bounds that are computed. The standard library's `clamp` panics when the lower bound is above the upper one or NaN, which
//! numbers of a damaged file can bring about.

/// Clamps to bounds that may be in the wrong order or NaN.
pub trait ClampTo: PartialOrd + Copy {
    /// `low` if this is below it, `high` if it is above that, else this. As `clamp`, but never panics: a bound that is NaN does not count.
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
