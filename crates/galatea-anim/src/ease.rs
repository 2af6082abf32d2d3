//! Easing functions: the fraction of the new value at each fraction of the time.
//!
//! Used by `machine` (cross-fades) and `script` (names). Invariants: each function begins at exactly 0, ends at
//! exactly 1, stays between, and never decreases.

use serde::{Deserialize, Serialize};

/// An easing function from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ease {
    /// Linear.
    Linear,
    /// Slow at both ends: 3u² − 2u³.
    #[default]
    Smooth,
    /// Slow at both ends, with zero acceleration there: 6u⁵ − 15u⁴ + 10u³.
    Smoother,
    /// Slow at the start: u³.
    In,
    /// Slow at the end: 1 − (1 − u)³.
    Out,
    /// Slow at both ends, fast between: 4u³ up to the middle, then mirrored.
    InOut,
    /// Half a cosine wave, slow at both ends.
    Cosine,
    /// 0 before the middle, 1 after it.
    Step,
}

impl Ease {
    /// All easing functions.
    pub const ALL: [Self; 8] = [
        Self::Linear,
        Self::Smooth,
        Self::Smoother,
        Self::In,
        Self::Out,
        Self::InOut,
        Self::Cosine,
        Self::Step,
    ];

    /// Finds the easing function by its name, as returned by [`Ease::name`].
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ease| ease.name() == name)
    }

    /// Name in scripts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Smooth => "smooth",
            Self::Smoother => "smoother",
            Self::In => "in",
            Self::Out => "out",
            Self::InOut => "in_out",
            Self::Cosine => "cosine",
            Self::Step => "step",
        }
    }

    /// Evaluates the function at the fraction `u` of the time. The result is 0..=1; `u` is clamped to 0..=1, and NaN
    /// counts as 0.
    #[inline]
    pub fn apply(self, u: f32) -> f32 {
        if u >= 1.0 {
            return 1.0;
        }
        if u.is_nan() || u <= 0.0 {
            return 0.0;
        }
        let rest = 1.0 - u;
        match self {
            Self::Linear => u,
            Self::Smooth => mirrored(u, |u| u * u * (3.0 - 2.0 * u)),
            Self::Smoother => mirrored(u, |u| u * u * u * (u * (6.0 * u - 15.0) + 10.0)),
            Self::In => u * u * u,
            Self::Out => 1.0 - rest * rest * rest,
            Self::InOut => mirrored(u, |u| 4.0 * u * u * u),
            Self::Cosine => mirrored(u, |u| {
                let s = (u * std::f32::consts::FRAC_PI_2).sin();
                s * s
            }),
            Self::Step => f32::from(u8::from(u >= 0.5)),
        }
    }
}

/// Evaluates a point-symmetric function from its first half, so that rounding errors near 1 are as small as near 0.
#[inline]
fn mirrored(u: f32, first_half: impl Fn(f32) -> f32) -> f32 {
    if u <= 0.5 {
        first_half(u)
    } else {
        1.0 - first_half(1.0 - u)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ends_are_exact_and_input_is_clamped() {
        for ease in Ease::ALL {
            assert_eq!(ease.apply(0.0), 0.0, "{ease:?}");
            assert_eq!(ease.apply(1.0), 1.0, "{ease:?}");
            assert_eq!(ease.apply(-3.0), 0.0, "{ease:?}");
            assert_eq!(ease.apply(7.0), 1.0, "{ease:?}");
            assert_eq!(ease.apply(f32::NAN), 0.0, "{ease:?}");
            assert_eq!(ease.apply(f32::INFINITY), 1.0, "{ease:?}");
        }
    }

    #[test]
    fn names_round_trip() {
        for ease in Ease::ALL {
            assert_eq!(Ease::from_name(ease.name()), Some(ease));
        }
        assert_eq!(Ease::from_name("bounce"), None);
    }

    #[test]
    fn easing_functions_match_their_formulas() {
        let at = |ease: Ease| [0.25, 0.5, 0.75].map(|u| ease.apply(u));
        assert_eq!(at(Ease::Linear), [0.25, 0.5, 0.75]);
        assert_eq!(at(Ease::Smooth), [0.15625, 0.5, 0.84375]);
        assert_eq!(at(Ease::Smoother), [0.103_515_625, 0.5, 0.896_484_4]);
        assert_eq!(at(Ease::In), [0.015625, 0.125, 0.421875]);
        assert_eq!(at(Ease::Out), [0.578125, 0.875, 0.984375]);
        assert_eq!(at(Ease::InOut), [0.0625, 0.5, 0.9375]);
        assert_eq!(at(Ease::Step), [0.0, 1.0, 1.0]);
        for (u, value) in [0.25f64, 0.5, 0.75].into_iter().zip(at(Ease::Cosine)) {
            let exact = 0.5 - 0.5 * (u * std::f64::consts::PI).cos();
            assert!((f64::from(value) - exact).abs() < 1e-7);
        }
    }

    proptest! {
        #[test]
        fn easing_never_decreases(a in 0.0f32..=1.0, b in 0.0f32..=1.0) {
            let (a, b) = (a.min(b), a.max(b));
            for ease in Ease::ALL {
                let (at_a, at_b) = (ease.apply(a), ease.apply(b));
                prop_assert!((0.0..=1.0).contains(&at_a));
                // One rounding step is allowed.
                prop_assert!(at_b >= at_a - f32::EPSILON, "{ease:?} {a} {b}");
            }
        }
    }
}
