//! Collisions of tails, by VRMC_springBone 1.0 ("Collision") and VRMC_springBone_extended_collider 1.0.

use glam::{Affine3A, Vec3};
use serde::{Deserialize, Serialize};

use super::ColliderShape;
use galatea_math::Trs;
use galatea_math::boxes::OrientedBox;

/// A collider in world space.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct PlacedCollider(ColliderShape);

impl PlacedCollider {
    pub fn new(shape: ColliderShape, world_from_bone: &Affine3A) -> Self {
        let point = |p: Vec3| world_from_bone.transform_point3(p);
        let size = size_of(world_from_bone);
        Self(match shape {
            ColliderShape::Sphere {
                offset,
                radius,
                inside,
            } => ColliderShape::Sphere {
                offset: point(offset),
                radius: radius * size,
                inside,
            },
            ColliderShape::Capsule {
                offset,
                tail,
                radius,
                inside,
            } => ColliderShape::Capsule {
                offset: point(offset),
                tail: point(tail),
                radius: radius * size,
                inside,
            },
            ColliderShape::Plane { offset, normal } => ColliderShape::Plane {
                offset: point(offset),
                normal: world_from_bone
                    .transform_vector3(normal)
                    .try_normalize()
                    .unwrap_or(Vec3::Y),
            },
            ColliderShape::Box {
                offset,
                rotation,
                half,
            } => ColliderShape::Box {
                offset: point(offset),
                rotation: Trs::from_matrix((*world_from_bone).into()).0.rotation * rotation,
                half: half * size,
            },
        })
    }

    /// Shape in world space.
    pub fn shape(self) -> ColliderShape {
        self.0
    }

    /// Returns the tail position after the collision, for a tail of this radius.
    pub fn push(&self, tail: Vec3, tail_radius: f32) -> Vec3 {
        match self.0 {
            ColliderShape::Sphere {
                offset,
                radius,
                inside,
            } => push_round(tail, offset, radius, tail_radius, inside),
            ColliderShape::Capsule {
                offset,
                tail: end,
                radius,
                inside,
            } => {
                let along = end - offset;
                let length_squared = along.length_squared();
                let u = if length_squared > 0.0 {
                    ((tail - offset).dot(along) / length_squared).clamp(0.0, 1.0)
                } else {
                    0.0
                };
                push_round(tail, offset + along * u, radius, tail_radius, inside)
            }
            ColliderShape::Plane { offset, normal } => {
                let distance = (tail - offset).dot(normal) - tail_radius;
                tail - normal * distance.min(0.0)
            }
            ColliderShape::Box {
                offset,
                rotation,
                half,
            } => {
                let solid = OrientedBox {
                    center: offset,
                    rotation,
                    half,
                };
                let (distance, out) = solid.distance(tail);
                tail + out * (tail_radius - distance).max(0.0)
            }
        }
    }
}

fn push_round(tail: Vec3, center: Vec3, radius: f32, tail_radius: f32, inside: bool) -> Vec3 {
    let delta = tail - center;
    let Some(direction) = delta.try_normalize() else {
        return tail;
    };
    let free = if inside {
        radius - tail_radius - delta.length()
    } else {
        delta.length() - radius - tail_radius
    };
    let out = if inside { -direction } else { direction };
    tail - out * free.min(0.0)
}

/// Largest scale factor along an axis.
pub(crate) fn size_of(m: &Affine3A) -> f32 {
    let columns = [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis];
    columns
        .iter()
        .map(|c| c.length())
        .fold(0.0, |a: f32, b| a.max(b))
}
