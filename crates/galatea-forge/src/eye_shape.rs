//! Measures of an eye that head, lids and pictures share: its opening, its iris, the thickness of a lid.

use glam::{Vec2, Vec3};

use super::rig::EYE;

/// From the eye's middle to the inner and the outer corner of its opening, radians.
const CORNERS: (f32, f32) = (0.82, 1.04);
/// From eyeball to the outside of a lid, metres.
pub const LID: f32 = 0.0014;
/// Angle of the iris' edge from the axis of sight, radians.
pub const IRIS: f32 = 0.52;
/// Angle that the picture of the eye shows from its middle to its edge, radians.
pub const PICTURED: f32 = 1.40;

/// Outwards and upwards angle of a place seen from the eye, radians.
fn angles(q: Vec3) -> Vec2 {
    let r = q - EYE;
    Vec2::new(r.x.atan2(r.z), r.y.atan2(r.x.hypot(r.z)))
}

/// Angle of the corner on the side of `u`, radians.
pub fn corner(u: f32) -> f32 {
    if u < 0.0 { CORNERS.0 } else { CORNERS.1 }
}

/// Where a place lies across the eye, from -1 at the inner corner to 1 at the outer one, and how many
/// radians it lies up.
pub fn across(q: Vec3) -> (f32, f32) {
    let at = angles(q);
    (at.x / corner(at.x), at.y)
}

/// Height of the upper lid's edge over the eye's middle, radians; `u` in -1..=1 goes to the outer
/// corner.
pub fn upper_edge(u: f32) -> f32 {
    0.44 * (1.0 - u * u).max(0.0).powf(0.62) * (1.0 - 0.10 * u) + tilt(u)
}

/// As [`upper_edge`], of the lower lid.
pub fn lower_edge(u: f32) -> f32 {
    -0.285 * (1.0 - u * u).max(0.0).powf(0.75) * (1.0 + 0.10 * u) + tilt(u)
}

/// The outer corner lies higher than the inner one.
fn tilt(u: f32) -> f32 {
    0.075 * u
}
