//! Obstacles of particles: planes, spheres, capsules and boxes in world space.

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use galatea_math::boxes::OrientedBox;

/// A solid shape, world space, metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ParticleObstacle {
    /// Half-space below a plane.
    Plane {
        /// Normal out of the solid, unit length.
        normal: Vec3,
        /// Distance of the plane from the origin along the normal.
        height: f32,
    },
    /// A sphere.
    Sphere {
        /// Centre.
        center: Vec3,
        /// Radius.
        radius: f32,
    },
    /// A capsule.
    Capsule {
        /// Centre of one end.
        a: Vec3,
        /// Centre of the other end.
        b: Vec3,
        /// Radius.
        radius: f32,
    },
    /// An oriented box.
    Box {
        /// Centre.
        center: Vec3,
        /// Orientation.
        rotation: Quat,
        /// Half extents along its own axes.
        half: Vec3,
    },
}

impl ParticleObstacle {
    /// Signed distance of a point from the surface, negative inside, and the direction outwards.
    #[inline]
    pub fn distance(&self, point: Vec3) -> (f32, Vec3) {
        match *self {
            Self::Plane { normal, height } => (point.dot(normal) - height, normal),
            Self::Sphere { center, radius } => round(point, center, radius),
            Self::Capsule { a, b, radius } => {
                let along = fraction_along(a, b, point);
                round(point, a.lerp(b, along), radius)
            }
            Self::Box {
                center,
                rotation,
                half,
            } => OrientedBox {
                center,
                rotation,
                half,
            }
            .distance(point),
        }
    }

    /// Returns true if a point is inside or on the surface.
    pub fn contains(&self, point: Vec3) -> bool {
        self.distance(point).0 <= 0.0
    }

    /// Interpolates towards the next state by `u`; an obstacle of another type is returned as it is.
    pub fn between(&self, next: &Self, u: f32) -> Self {
        match (*self, *next) {
            (
                Self::Sphere { center, radius },
                Self::Sphere {
                    center: c,
                    radius: r,
                },
            ) => Self::Sphere {
                center: center.lerp(c, u),
                radius: radius + (r - radius) * u,
            },
            (
                Self::Capsule { a, b, radius },
                Self::Capsule {
                    a: to_a,
                    b: to_b,
                    radius: r,
                },
            ) => Self::Capsule {
                a: a.lerp(to_a, u),
                b: b.lerp(to_b, u),
                radius: radius + (r - radius) * u,
            },
            (
                Self::Box {
                    center,
                    rotation,
                    half,
                },
                Self::Box {
                    center: c,
                    rotation: q,
                    half: h,
                },
            ) => Self::Box {
                center: center.lerp(c, u),
                rotation: galatea_math::nlerp(rotation, q, u),
                half: half.lerp(h, u),
            },
            _ => *next,
        }
    }

    /// Displacement of a point on the surface when the obstacle moves to `next`.
    #[inline]
    pub fn surface_displacement(&self, next: &Self, point: Vec3) -> Vec3 {
        match (*self, *next) {
            (Self::Sphere { center, .. }, Self::Sphere { center: c, .. }) => c - center,
            (
                Self::Capsule { a, b, .. },
                Self::Capsule {
                    a: to_a, b: to_b, ..
                },
            ) => {
                let u = fraction_along(a, b, point);
                to_a.lerp(to_b, u) - a.lerp(b, u)
            }
            (
                Self::Box {
                    center, rotation, ..
                },
                Self::Box {
                    center: c,
                    rotation: q,
                    ..
                },
            ) => c + q * (rotation.inverse() * (point - center)) - point,
            _ => Vec3::ZERO,
        }
    }

    /// Bounding box, as lowest and highest corner.
    pub fn bounds(&self) -> [Vec3; 2] {
        match *self {
            Self::Plane { .. } => [Vec3::NEG_INFINITY, Vec3::INFINITY],
            Self::Sphere { center, radius } => [center - radius, center + radius],
            Self::Capsule { a, b, radius } => [a.min(b) - radius, a.max(b) + radius],
            Self::Box { center, half, .. } => {
                let reach = half.length();
                [center - reach, center + reach]
            }
        }
    }
}

#[inline]
fn round(point: Vec3, center: Vec3, radius: f32) -> (f32, Vec3) {
    let away = point - center;
    let out = away.try_normalize().unwrap_or(Vec3::Y);
    (away.length() - radius, out)
}

/// Fraction along a segment of the point nearest to another point, 0..=1.
#[inline]
fn fraction_along(a: Vec3, b: Vec3, point: Vec3) -> f32 {
    let along = b - a;
    let length_squared = along.length_squared();
    if length_squared > 0.0 {
        ((point - a).dot(along) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    }
}
