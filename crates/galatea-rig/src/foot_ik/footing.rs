//! Ground under a foot: its height and normal, and obstacles ahead of a swinging foot.

use glam::{Vec2, Vec3, Vec3Swizzles};
use serde::{Deserialize, Serialize};

use super::tick_input::FootTickInput;
use super::{FootIkInput, GroundHit};
use galatea_math::clamp::ClampTo as _;
use galatea_math::damp::{DampedSpring, turned};

/// Look-ahead of the ground query for a swinging foot, seconds.
const LOOK_AHEAD_S: f32 = 0.14;
/// Ground with a smaller y of its unit normal is a step edge, not a slope.
const MIN_NORMAL_Y: f32 = 0.5;

/// Smoothed ground under one foot: edges are smoothed, slopes are followed without delay.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Footing {
    /// Height in world space, including the obstacle ahead, metres.
    height: Option<DampedSpring>,
    normal: Option<Vec3>,
    /// Ground point of the last query.
    before: Option<Vec3>,
}

/// Result of the ground query of one foot.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootProbe {
    pub hit: GroundHit,
    /// Height of the ground ahead over the slope under the foot, metres.
    pub over: f32,
}

impl FootProbe {
    /// Queries the ground under a position; for a moving foot also a little ahead, so that it clears obstacles.
    pub fn at(
        at: Vec3,
        moves: Option<Vec3>,
        seen: &FootTickInput<'_>,
        input: &FootIkInput<'_>,
    ) -> Option<Self> {
        let here = ground_at(at, seen, input);
        let found = |under| Self {
            hit: under,
            over: 0.0,
        };
        let Some(velocity) = moves else {
            return here.map(found);
        };
        let offset = velocity.with_y(0.0) * LOOK_AHEAD_S;
        let ahead = ground_at(at + offset, seen, input);
        match (here, ahead) {
            (Some(under), Some(ahead)) => {
                let goes_on = under.point.y + climb(under.normal, offset).max(0.0);
                let over = (ahead.point.y - goes_on).max(0.0);
                Some(Self { hit: under, over })
            }
            (here, ahead) => here.or(ahead).map(found),
        }
    }

    /// Level ground at `point`, for positions without ground.
    pub fn level(point: Vec3) -> Self {
        let under = GroundHit {
            point,
            normal: Vec3::Y,
            platform: None,
            owner: u64::MAX,
            part: 0,
        };
        Self {
            hit: under,
            over: 0.0,
        }
    }
}

impl Footing {
    /// Advances to the new probe. Returns the height over the ground plane of the clips, metres, and the normal. `carried`
    /// is the velocity of the platform.
    pub fn advance(
        &mut self,
        found: &FootProbe,
        carried: Vec3,
        dt: f32,
        seen: &FootTickInput<'_>,
    ) -> (f32, Vec3) {
        let GroundHit { point, normal, .. } = found.hit;
        let goal = point.y + found.over;
        let height = self.height.get_or_insert(DampedSpring::at(goal));
        if let Some(before) = self.before {
            let before = before + carried * dt;
            // The part of the change that the slope explains is not an edge.
            let slope = climb(normal, point - before);
            let change = point.y - before.y;
            height.value += carried.y * dt + change.clamp_to(slope.min(0.0), slope.max(0.0));
        }
        self.before = Some(point);
        let height = height.go(goal, &seen.damping.rise);
        let normal = limited(normal, seen.options.max_slope);
        let previous = self.normal.unwrap_or(normal);
        let normal = turned(previous, normal, seen.damping.slope);
        self.normal = Some(normal);
        (height - seen.plane, normal)
    }
}

/// Height gain of a slope along world x and z; zero where it is an edge.
pub(super) fn gradient(normal: Vec3) -> Vec2 {
    if normal.y > MIN_NORMAL_Y {
        -normal.xz() / normal.y
    } else {
        Vec2::ZERO
    }
}

/// Height gain of a slope along a displacement, metres.
pub(super) fn climb(normal: Vec3, offset: Vec3) -> f32 {
    gradient(normal).dot(offset.xz())
}

/// Queries the ground above or below a position, within the limits of the settings.
pub(super) fn ground_at(
    position: Vec3,
    seen: &FootTickInput<'_>,
    input: &FootIkInput<'_>,
) -> Option<GroundHit> {
    let from = position.with_y(seen.plane + seen.options.max_up * seen.size);
    let reach = (seen.options.max_up + seen.options.max_down) * seen.size;
    input.ground.ground_below(from, reach)
}

/// Limits the tilt of a normal to `max_tilt` radians.
fn limited(normal: Vec3, max_tilt: f32) -> Vec3 {
    let Some(normal) = normal.try_normalize() else {
        return Vec3::Y;
    };
    if normal.y >= max_tilt.cos() {
        return normal;
    }
    Vec3::Y.slerp(normal, max_tilt / normal.angle_between(Vec3::Y))
}
