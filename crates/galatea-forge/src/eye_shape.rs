//! Dimensions of an eye, shared by head, lids and textures: its opening, its iris, the thickness of a lid.

use glam::{Vec2, Vec3};

use super::rig::EYE;

/// Angles from the eye's centre to the inner and the outer corner of the opening, radians.
const CORNERS: (f32, f32) = (0.82, 1.04);
/// Thickness of a lid, metres.
pub const LID: f32 = 0.0014;
/// Angle of the iris' edge from the view axis, radians.
pub const IRIS: f32 = 0.52;
/// Angle from the centre to the edge of the eye texture, radians.
pub const TEXTURE_ANGLE: f32 = 1.40;

/// Outward and upward angle of a point seen from the eye, radians.
fn angles(q: Vec3) -> Vec2 {
    let r = q - EYE;
    Vec2::new(r.x.atan2(r.z), r.y.atan2(r.x.hypot(r.z)))
}

/// Angle of the corner on the side of `u`, radians.
pub fn corner(u: f32) -> f32 {
    if u < 0.0 { CORNERS.0 } else { CORNERS.1 }
}

/// Position of a point across the eye, from -1 at the inner corner to 1 at the outer one, and its upward angle in radians.
pub fn across(q: Vec3) -> (f32, f32) {
    let at = angles(q);
    (at.x / corner(at.x), at.y)
}

/// Height of the upper lid's edge above the eye's centre, radians; `u` in -1..=1 runs from the inner to the outer corner.
pub fn upper_edge(u: f32) -> f32 {
    0.44 * (1.0 - u * u).max(0.0).powf(0.62) * (1.0 - 0.10 * u) + tilt(u)
}

/// Height of the lower lid's edge, see [`upper_edge`].
pub fn lower_edge(u: f32) -> f32 {
    -0.285 * (1.0 - u * u).max(0.0).powf(0.75) * (1.0 + 0.10 * u) + tilt(u)
}

/// Tilt of the opening: the outer corner is higher than the inner one.
fn tilt(u: f32) -> f32 {
    0.075 * u
}
