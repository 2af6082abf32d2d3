//! Rotation limits of chest, head and eyes, and the mapping of eye angles to bone angles, morph weights or expression
//! weights.

use galatea_math::clamp::ClampTo as _;
use glam::Vec2;
use serde::{Deserialize, Serialize};

use crate::look_at::{GazeKind, GazeRange, LookAt};

/// Limits of rotation from straight ahead, radians, each 0 or more.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GazeLimits {
    /// Limit to the left and to the right.
    pub yaw: f32,
    /// Upward limit.
    pub up: f32,
    /// Downward limit.
    pub down: f32,
}

impl GazeLimits {
    /// Converts limits from degrees.
    pub fn degrees(yaw: f32, up: f32, down: f32) -> Self {
        Self {
            yaw: yaw.to_radians(),
            up: up.to_radians(),
            down: down.to_radians(),
        }
    }

    /// Nearest angles (yaw to the left, pitch up) within the limits; a pose beyond them may keep its angles.
    pub(super) fn clamp(&self, angles: Vec2, posed: Vec2) -> Vec2 {
        let [low, high] = [
            Vec2::new(-self.yaw, -self.down),
            Vec2::new(self.yaw, self.up),
        ];
        angles.max(low.min(posed)).min(high.max(posed))
    }
}

/// Limits of an eye's rotation from straight ahead in the head, radians, each 0 or more.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EyeRange {
    /// Limit towards the nose.
    pub inner: f32,
    /// Limit away from the nose.
    pub outer: f32,
    /// Upward limit.
    pub up: f32,
    /// Downward limit.
    pub down: f32,
}

impl EyeRange {
    /// Inner, outer, upward and downward limits, in this order.
    pub fn parts_mut(&mut self) -> [&mut f32; 4] {
        [
            &mut self.inner,
            &mut self.outer,
            &mut self.up,
            &mut self.down,
        ]
    }

    /// Nearest angles within the limits, for the left (`is_left`) or the right eye.
    pub(super) fn clamp(&self, angles: Vec2, is_left: bool) -> Vec2 {
        let (left, right) = if is_left {
            (self.outer, self.inner)
        } else {
            (self.inner, self.outer)
        };
        Vec2::new(
            angles.x.clamp_to(-right.max(0.0), left.max(0.0)),
            angles.y.clamp_to(-self.down.max(0.0), self.up.max(0.0)),
        )
    }

    /// Nearest angles within the limits of both eyes together.
    pub(super) fn clamp_both(&self, angles: Vec2) -> Vec2 {
        let side = self.inner.min(self.outer).max(0.0);
        Vec2::new(
            angles.x.clamp_to(-side, side),
            angles.y.clamp_to(-self.down.max(0.0), self.up.max(0.0)),
        )
    }
}

/// Linear mapping of an angle to an output: VRM 1.0 `rangeMap` (`inputMaxValue`, `outputScale`) and VRM 0.x `DegreeMap`
/// (`xRange`, `yRange`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RangeMap {
    /// Angle beyond which the output is constant, radians, more than 0.
    pub input: f32,
    /// Output at that angle: radians of a bone, or a weight.
    pub output: f32,
}

impl RangeMap {
    /// Output for an angle of 0 or more, radians.
    pub fn at(&self, angle: f32) -> f32 {
        let out = (angle / self.input.max(1e-4)).clamp(0.0, 1.0) * self.output;
        if out.is_finite() { out } else { 0.0 }
    }

    fn of(range: GazeRange, kind: GazeKind) -> Self {
        Self {
            input: range.input.to_radians(),
            output: match kind {
                GazeKind::Bone => range.output.to_radians(),
                GazeKind::Expression => range.output,
            },
        }
    }
}

/// One [`RangeMap`] per direction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LookMaps {
    /// Map towards the nose.
    pub inner: RangeMap,
    /// Map away from the nose; used for both sides where the eyes move as one.
    pub outer: RangeMap,
    /// Upward map.
    pub up: RangeMap,
    /// Downward map.
    pub down: RangeMap,
}

impl LookMaps {
    /// Linear maps that reach a weight of `gains` (horizontal, vertical) at the ends of the range.
    pub fn weights(range: &EyeRange, gains: Vec2) -> Self {
        let map = |input, output| RangeMap { input, output };
        Self {
            inner: map(range.inner, gains.x),
            outer: map(range.outer, gains.x),
            up: map(range.up, gains.y),
            down: map(range.down, gains.y),
        }
    }

    /// Maps from the gaze settings of a file.
    pub fn of(look: &LookAt) -> Self {
        let map = |range| RangeMap::of(range, look.kind);
        Self {
            inner: map(look.inner),
            outer: map(look.outer),
            up: map(look.up),
            down: map(look.down),
        }
    }

    /// Inner, outer, upward and downward maps, in this order.
    pub(super) fn parts_mut(&mut self) -> [&mut RangeMap; 4] {
        [
            &mut self.inner,
            &mut self.outer,
            &mut self.up,
            &mut self.down,
        ]
    }

    /// Angles of an eye bone for the given gaze angles.
    pub(super) fn bone(&self, angles: Vec2, is_left: bool) -> Vec2 {
        let is_outer = (angles.x > 0.0) == is_left;
        let side = if is_outer { &self.outer } else { &self.inner };
        let height = if angles.y > 0.0 { &self.up } else { &self.down };
        Vec2::new(
            side.at(angles.x.abs()).copysign(angles.x),
            height.at(angles.y.abs()).copysign(angles.y),
        )
    }

    /// Weights of look morphs or look expressions.
    pub fn morph_weights(&self, angles: Vec2) -> LookWeights {
        let one = |map: &RangeMap, angle: f32| map.at(angle.max(0.0)).clamp(0.0, 1.0);
        LookWeights {
            left: one(&self.outer, angles.x),
            right: one(&self.outer, -angles.x),
            up: one(&self.up, angles.y),
            down: one(&self.down, -angles.y),
        }
    }
}

/// Weights of the morphs or expressions `lookLeft`, `lookRight`, `lookUp` and `lookDown`, 0..=1. Left is the character's own
/// left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct LookWeights {
    pub left: f32,
    pub right: f32,
    pub up: f32,
    pub down: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_maps_match_the_table_of_the_vrm_specification() {
        let range = |input, output| GazeRange { input, output };
        let look = LookAt {
            inner: range(90.0, 6.0),
            outer: range(60.0, 12.0),
            down: range(30.0, 9.0),
            up: range(45.0, 5.0),
            ..LookAt::new(GazeKind::Bone)
        };
        let maps = LookMaps::of(&look);
        // To the left, the left eye moves outward and the right eye inward; up is positive here.
        for (yaw, pitch, is_left, expected) in [
            (30.0, -10.0, true, [6.0, -3.0]),
            (30.0, -10.0, false, [2.0, -3.0]),
            (-45.0, 90.0, true, [-3.0, 5.0]),
            (-90.0, -90.0, false, [-12.0, -9.0]),
        ] {
            let angles = Vec2::new(yaw, pitch) * 1_f32.to_radians();
            let off = maps.bone(angles, is_left) * 1_f32.to_degrees() - Vec2::from_array(expected);
            assert!(off.length() < 1e-4, "{yaw} {pitch} {is_left}: {off}");
        }
        let maps = LookMaps::of(&LookAt::new(GazeKind::Expression));
        let look = maps.morph_weights(Vec2::new(-45.0, -180.0) * 1_f32.to_radians());
        assert!((look.right - 0.5).abs() < 1e-6 && look.down == 1.0);
        assert_eq!((look.left, look.up), (0.0, 0.0));
    }

    #[test]
    fn outputs_are_constant_beyond_the_end_of_a_range() {
        let range = |input, output| GazeRange { input, output };
        assert_eq!(range(80.0, 4.0).end(GazeKind::Bone), 80.0);
        assert_eq!(range(80.0, 4.0).end(GazeKind::Expression), 20.0);
        assert_eq!(range(80.0, 0.5).end(GazeKind::Expression), 80.0);
        assert_eq!(range(80.0, 0.0).end(GazeKind::Bone), 0.0);
        assert_eq!(range(80.0, -1.0).end(GazeKind::Expression), 0.0);
    }

    #[test]
    fn weights_reach_their_gains_at_the_ends_of_the_range() {
        let range = EyeRange {
            inner: 0.6,
            outer: 0.6,
            up: 0.4,
            down: 0.5,
        };
        let maps = LookMaps::weights(&range, Vec2::new(0.8, 0.5));
        let look = maps.morph_weights(Vec2::new(0.3, -0.5));
        assert!((look.left - 0.4).abs() < 1e-6 && look.right == 0.0);
        assert!((look.down - 0.5).abs() < 1e-6 && look.up == 0.0);
        assert_eq!(maps.morph_weights(Vec2::new(-9.0, 9.0)).right, 0.8);
    }

    #[test]
    fn a_pose_beyond_the_range_is_not_forced_back() {
        let range = GazeLimits::degrees(60.0, 30.0, 30.0);
        let posed = Vec2::new(1.5, 0.0);
        assert_eq!(range.clamp(posed, posed), posed);
        let held = range.clamp(Vec2::new(2.0, -2.0), posed);
        assert!((held - Vec2::new(1.5, -30_f32.to_radians())).length() < 1e-6);
    }
}
