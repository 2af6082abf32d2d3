//! How far chest, head and eyes turn, and what of an angle eyes show: bones by angles, morphs and
//! expressions by weights.

use glam::Vec2;

/// How far something turns from straight ahead, radians, each 0 or more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// To the left and to the right.
    pub yaw: f32,
    /// Up.
    pub up: f32,
    /// Down.
    pub down: f32,
}

impl Range {
    /// Of degrees.
    pub fn degrees(yaw: f32, up: f32, down: f32) -> Self {
        Self {
            yaw: yaw.to_radians(),
            up: up.to_radians(),
            down: down.to_radians(),
        }
    }

    /// The nearest angles (yaw to the left, pitch up) within; a pose that is beyond may stay there.
    pub(super) fn clamp(&self, angles: Vec2, posed: Vec2) -> Vec2 {
        let [low, high] = [
            Vec2::new(-self.yaw, -self.down),
            Vec2::new(self.yaw, self.up),
        ];
        angles.max(low.min(posed)).min(high.max(posed))
    }
}

/// How far an eye turns from straight ahead in the head, radians, each 0 or more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EyeRange {
    /// Towards the nose.
    pub inner: f32,
    /// Away from the nose.
    pub outer: f32,
    /// Up.
    pub up: f32,
    /// Down.
    pub down: f32,
}

impl EyeRange {
    /// The nearest angles within, for the left (`is_left`) or the right eye.
    pub(super) fn clamp(&self, angles: Vec2, is_left: bool) -> Vec2 {
        let (left, right) = if is_left {
            (self.outer, self.inner)
        } else {
            (self.inner, self.outer)
        };
        Vec2::new(
            angles.x.clamp(-right.max(0.0), left.max(0.0)),
            angles.y.clamp(-self.down.max(0.0), self.up.max(0.0)),
        )
    }

    /// The nearest angles within for both eyes as one.
    pub(super) fn clamp_both(&self, angles: Vec2) -> Vec2 {
        let side = self.inner.min(self.outer).max(0.0);
        Vec2::new(
            angles.x.clamp(-side, side),
            angles.y.clamp(-self.down.max(0.0), self.up.max(0.0)),
        )
    }
}

/// What an angle is shown as: VRM 1.0 `rangeMap` (`inputMaxValue`, `outputScale`) and VRM 0.x
/// `DegreeMap` (`xRange`, `yRange`, `curve`).
#[derive(Clone, Debug, PartialEq)]
pub struct RangeMap {
    /// Angle from which on no more is shown, radians, more than 0.
    pub input: f32,
    /// What is shown there: radians of a bone, or a weight.
    pub output: f32,
    /// Keys of time, value, tangent in, tangent out, over 0..=1, ascending; a straight line when empty.
    pub curve: Vec<[f32; 4]>,
}

impl RangeMap {
    /// A straight line up to `input`, radians.
    pub fn linear(input: f32, output: f32) -> Self {
        Self {
            input,
            output,
            curve: Vec::new(),
        }
    }

    /// What an angle of 0 or more, radians, is shown as.
    pub fn at(&self, angle: f32) -> f32 {
        let u = (angle / self.input.max(1e-4)).clamp(0.0, 1.0);
        let share = if self.curve.is_empty() {
            u
        } else {
            curve_at(&self.curve, u)
        };
        let out = share * self.output;
        if out.is_finite() { out } else { 0.0 }
    }
}

/// A cubic Hermite curve of keys (time, value, tangent in, tangent out).
fn curve_at(keys: &[[f32; 4]], u: f32) -> f32 {
    let next = keys.partition_point(|key| key[0] <= u);
    let (Some(b), true) = (keys.get(next), next > 0) else {
        let end = if next == 0 { keys.first() } else { keys.last() };
        return end.map_or(u, |key| key[1]);
    };
    let a = &keys[next - 1];
    let span = b[0] - a[0];
    let s = (u - a[0]) / span;
    let (s2, s3) = (s * s, s * s * s);
    a[1] * (2.0 * s3 - 3.0 * s2 + 1.0)
        + a[3] * span * (s3 - 2.0 * s2 + s)
        + b[1] * (3.0 * s2 - 2.0 * s3)
        + b[2] * span * (s3 - s2)
}

/// One [`RangeMap`] for each direction.
#[derive(Clone, Debug, PartialEq)]
pub struct LookMaps {
    /// Towards the nose.
    pub inner: RangeMap,
    /// Away from the nose; both sides, where both eyes are moved as one.
    pub outer: RangeMap,
    /// Up.
    pub up: RangeMap,
    /// Down.
    pub down: RangeMap,
}

impl LookMaps {
    /// Straight lines that reach a weight of `gains` (horizontal, vertical) at the ends of the range.
    pub fn weights(range: &EyeRange, gains: Vec2) -> Self {
        Self {
            inner: RangeMap::linear(range.inner, gains.x),
            outer: RangeMap::linear(range.outer, gains.x),
            up: RangeMap::linear(range.up, gains.y),
            down: RangeMap::linear(range.down, gains.y),
        }
    }

    /// The angles that the bone of an eye is shown at.
    pub(super) fn bone(&self, angles: Vec2, is_left: bool) -> Vec2 {
        let is_outer = (angles.x > 0.0) == is_left;
        let side = if is_outer { &self.outer } else { &self.inner };
        let height = if angles.y > 0.0 { &self.up } else { &self.down };
        Vec2::new(
            side.at(angles.x.abs()).copysign(angles.x),
            height.at(angles.y.abs()).copysign(angles.y),
        )
    }

    /// Weights of the morphs or expressions of looking.
    pub fn look(&self, angles: Vec2) -> Look {
        let one = |map: &RangeMap, angle: f32| map.at(angle.max(0.0)).clamp(0.0, 1.0);
        Look {
            left: one(&self.outer, angles.x),
            right: one(&self.outer, -angles.x),
            up: one(&self.up, angles.y),
            down: one(&self.down, -angles.y),
        }
    }
}

/// Weights of the morphs or expressions `lookLeft`, `lookRight`, `lookUp`, `lookDown`, 0..=1; left is the
/// character's own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct Look {
    pub left: f32,
    pub right: f32,
    pub up: f32,
    pub down: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_show_what_the_formats_of_vrm_say() {
        let ten_of_ninety = RangeMap::linear(90_f32.to_radians(), 10_f32.to_radians());
        assert!((ten_of_ninety.at(45_f32.to_radians()).to_degrees() - 5.0).abs() < 1e-4);
        assert!((ten_of_ninety.at(3.0).to_degrees() - 10.0).abs() < 1e-4);
        // The line that VRM 0.x files have as a curve.
        let line = RangeMap {
            curve: vec![[0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0, 0.0]],
            ..ten_of_ninety.clone()
        };
        for angle in [0.0, 0.3, 1.1, 1.5, 2.0] {
            assert!((line.at(angle) - ten_of_ninety.at(angle)).abs() < 1e-6);
        }
        let late = RangeMap {
            curve: vec![[0.5, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]],
            ..ten_of_ninety
        };
        assert_eq!(late.at(0.2), 0.0);
        assert!(
            (late.at(1.178_097).to_degrees() - 5.0).abs() < 1e-3,
            "half way up"
        );
    }

    #[test]
    fn weights_reach_their_gains_at_the_ends_of_the_range_and_no_more() {
        let range = EyeRange {
            inner: 0.6,
            outer: 0.6,
            up: 0.4,
            down: 0.5,
        };
        let maps = LookMaps::weights(&range, Vec2::new(0.8, 0.5));
        let look = maps.look(Vec2::new(0.3, -0.5));
        assert!((look.left - 0.4).abs() < 1e-6 && look.right == 0.0);
        assert!((look.down - 0.5).abs() < 1e-6 && look.up == 0.0);
        assert_eq!(maps.look(Vec2::new(-9.0, 9.0)).right, 0.8);
    }

    #[test]
    fn a_pose_beyond_the_range_is_not_forced_back() {
        let range = Range::degrees(60.0, 30.0, 30.0);
        let posed = Vec2::new(1.5, 0.0);
        assert_eq!(range.clamp(posed, posed), posed);
        let held = range.clamp(Vec2::new(2.0, -2.0), posed);
        assert!((held - Vec2::new(1.5, -30_f32.to_radians())).length() < 1e-6);
    }
}
