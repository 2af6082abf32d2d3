//! What is under a foot: how high it is and how it leans, and what comes ahead of one that swings.

use glam::{Vec2, Vec3, Vec3Swizzles};

use super::seen::Seen;
use super::{FeetInput, Under};
use galatea_math::clamp::ClampTo as _;
use galatea_math::damp::{DampedSpring, turned};

/// Seconds in which a foot that swings is where it looks.
const AHEAD: f32 = 0.14;
/// Ground steeper than this, as the height of its unit normal, is an edge and no slope.
const STEEPEST: f32 = 0.5;

/// The ground under one foot as it is felt: smooth over edges, at once along slopes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Footing {
    /// Its height in the world, what comes ahead in it.
    height: Option<DampedSpring>,
    normal: Option<Vec3>,
    /// The place that was looked at, on the ground.
    before: Option<Vec3>,
}

/// What a foot finds.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootProbe {
    pub under: Under,
    /// How far what comes ahead stands above the slope that it is on.
    pub over: f32,
}

impl FootProbe {
    /// The ground under a place; under one that moves also a little ahead, so that it clears what comes.
    pub fn at(
        at: Vec3,
        moves: Option<Vec3>,
        seen: &Seen<'_>,
        input: &FeetInput<'_>,
    ) -> Option<Self> {
        let here = ground_at(at, seen, input);
        let found = |under| Self { under, over: 0.0 };
        let Some(velocity) = moves else {
            return here.map(found);
        };
        let way = velocity.with_y(0.0) * AHEAD;
        let ahead = ground_at(at + way, seen, input);
        match (here, ahead) {
            (Some(under), Some(ahead)) => {
                let goes_on = under.point.y + climb(under.normal, way).max(0.0);
                let over = (ahead.point.y - goes_on).max(0.0);
                Some(Self { under, over })
            }
            (here, ahead) => here.or(ahead).map(found),
        }
    }

    /// Level ground at `point`, for positions without ground.
    pub fn level(point: Vec3) -> Self {
        let under = Under {
            point,
            normal: Vec3::Y,
            carrier: None,
            owner: u64::MAX,
            part: 0,
        };
        Self { under, over: 0.0 }
    }
}

impl Footing {
    /// Goes on to what is found; gives its height over the plane of the clips and its normal. `carried`: how fast
    /// what it is over goes.
    pub fn advance(
        &mut self,
        found: &FootProbe,
        carried: Vec3,
        dt: f32,
        seen: &Seen<'_>,
    ) -> (f32, Vec3) {
        let Under { point, normal, .. } = found.under;
        let goal = point.y + found.over;
        let height = self.height.get_or_insert(DampedSpring::at(goal));
        if let Some(before) = self.before {
            let before = before + carried * dt;
            // So much of the change as the slope explains is no edge.
            let slope = climb(normal, point - before);
            let change = point.y - before.y;
            height.value += carried.y * dt + change.clamp_to(slope.min(0.0), slope.max(0.0));
        }
        self.before = Some(point);
        let height = height.go(goal, &seen.paces.rise);
        let normal = limited(normal, seen.options.slope);
        let was = self.normal.unwrap_or(normal);
        let normal = turned(was, normal, seen.paces.slope);
        self.normal = Some(normal);
        (height - seen.plane, normal)
    }
}

/// How far a slope goes up along x and z of the world; not at all where it is an edge.
pub(super) fn gradient(normal: Vec3) -> Vec2 {
    if normal.y > STEEPEST {
        -normal.xz() / normal.y
    } else {
        Vec2::ZERO
    }
}

/// How far a slope goes up along a way, metres.
pub(super) fn climb(normal: Vec3, way: Vec3) -> f32 {
    gradient(normal).dot(way.xz())
}

/// The ground over or under a place.
pub(super) fn ground_at(place: Vec3, seen: &Seen<'_>, input: &FeetInput<'_>) -> Option<Under> {
    let from = place.with_y(seen.plane + seen.options.up * seen.size);
    let reach = (seen.options.up + seen.options.down) * seen.size;
    input.ground.under(from, reach)
}

/// A normal that leans by at most `most` radians.
fn limited(normal: Vec3, most: f32) -> Vec3 {
    let Some(normal) = normal.try_normalize() else {
        return Vec3::Y;
    };
    if normal.y >= most.cos() {
        return normal;
    }
    Vec3::Y.slerp(normal, most / normal.angle_between(Vec3::Y))
}
