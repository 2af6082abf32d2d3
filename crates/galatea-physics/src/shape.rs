//! Collision shapes as plain data.

use std::sync::Arc;

use galatea_guard::guarded;
use glam::Vec3;
use rapier3d::parry::shape::{HeightField, HeightFieldFlags, SharedShape};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::Pose;
use serde::{Deserialize, Serialize};

use super::engine_mesh::EngineMesh;
use super::ragdoll::{BodyShape, RigidFrame};
use super::shape_error::{MAX_SIZE, ShapeError};
use galatea_math::heights::Heights;

/// A collision shape in its own frame; lengths in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CollisionShape {
    /// A box with these half extents.
    Box(Vec3),
    /// A sphere with this radius.
    Sphere(f32),
    /// A capsule along Y.
    Capsule {
        /// Half length of the straight part.
        half_length: f32,
        /// Radius of the caps and of the middle.
        radius: f32,
    },
    /// A cylinder along Y.
    Cylinder {
        /// Half height.
        half_length: f32,
        /// Radius.
        radius: f32,
    },
    /// Convex hull of these points.
    Hull(#[serde(with = "galatea_persist::shared")] Arc<[Vec3]>),
    /// Hollow triangle mesh, for static bodies.
    Mesh {
        /// Vertices.
        #[serde(with = "galatea_persist::shared")]
        vertices: Arc<[Vec3]>,
        /// Vertex indices of each triangle.
        #[serde(with = "galatea_persist::shared")]
        triangles: Arc<[[u32; 3]]>,
        /// The engine's form.
        engine: EngineMesh,
    },
    /// Hollow height field, for static bodies.
    Heights(#[serde(with = "galatea_persist::shared")] Arc<Heights>),
}

/// A shape with its frame in its prop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlacedShape {
    /// Shape.
    pub shape: CollisionShape,
    /// Frame in the prop's space.
    pub at: RigidFrame,
}

impl From<BodyShape> for CollisionShape {
    fn from(shape: BodyShape) -> Self {
        match shape {
            BodyShape::Capsule {
                half_length,
                radius,
            } => Self::Capsule {
                half_length,
                radius,
            },
            BodyShape::Box { half } => Self::Box(half),
            BodyShape::Sphere { radius } => Self::Sphere(radius),
        }
    }
}

/// Smallest length of a shape, metres.
const MIN_SIZE: f32 = 1e-4;

/// Points multiplied by a factor.
fn scaled(points: &[Vec3], scale: f32) -> Result<Vec<Vec3>, ShapeError> {
    let points: Vec<Vec3> = points.iter().map(|point| *point * scale).collect();
    let distances = points.iter().map(|point| point.abs().max_element());
    match distances.fold(0.0, f32::max) {
        distances if distances > MAX_SIZE => Err(ShapeError::Large(distances)),
        _ if points.iter().any(|point| !point.is_finite()) => Err(ShapeError::Size(f32::NAN)),
        _ => Ok(points),
    }
}

impl CollisionShape {
    /// Creates a hollow triangle mesh.
    pub fn mesh(vertices: Arc<[Vec3]>, triangles: Arc<[[u32; 3]]>) -> Self {
        Self::Mesh {
            vertices,
            triangles,
            engine: EngineMesh::default(),
        }
    }

    /// Calls `line` with the ends of the lines of a wireframe of the shape at frame `at`.
    pub fn outline(&self, at: RigidFrame, line: &mut dyn FnMut(Vec3, Vec3)) {
        let plain = match *self {
            Self::Box(half) => Some(BodyShape::Box { half }),
            Self::Sphere(radius) => Some(BodyShape::Sphere { radius }),
            Self::Capsule {
                half_length,
                radius,
            } => Some(BodyShape::Capsule {
                half_length,
                radius,
            }),
            _ => None,
        };
        match (self, plain) {
            (_, Some(plain)) => super::ragdoll::outline(&plain, at, line),
            (
                Self::Cylinder {
                    half_length,
                    radius,
                },
                _,
            ) => {
                const SIDES: usize = 24;
                let rim = |i: usize, up: f32| {
                    let (sin, cos) = (std::f32::consts::TAU * i as f32 / SIDES as f32).sin_cos();
                    at.point(Vec3::new(sin * radius, up * half_length, cos * radius))
                };
                for i in 0..SIDES {
                    line(rim(i, 1.0), rim(i + 1, 1.0));
                    line(rim(i, -1.0), rim(i + 1, -1.0));
                    if i % (SIDES / 4) == 0 {
                        line(rim(i, 1.0), rim(i, -1.0));
                    }
                }
            }
            (
                Self::Mesh {
                    vertices,
                    triangles,
                    ..
                },
                _,
            ) => {
                let corner = |i: u32| vertices.get(i as usize).map(|corner| at.point(*corner));
                for triangle in triangles.iter() {
                    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                        if let (Some(from), Some(to)) = (corner(triangle[a]), corner(triangle[b])) {
                            line(from, to);
                        }
                    }
                }
            }
            (Self::Heights(ground), _) => {
                let point = |i: u32| {
                    let (columns, i) = (ground.counts()[0], i as usize);
                    at.point(ground.position(i % columns, i / columns))
                };
                for [a, b, c] in ground.triangles() {
                    line(point(a), point(b));
                    line(point(a), point(c));
                    line(point(b), point(c));
                }
            }
            _ => {
                let Ok(shared) = self.shared(1.0) else {
                    return;
                };
                if let Some(hull) = shared.as_convex_polyhedron() {
                    let points = hull.points();
                    for edge in hull.edges() {
                        let ends = edge.vertices.map(|i| points.get(i as usize));
                        if let [Some(from), Some(to)] = ends {
                            line(at.point(*from), at.point(*to));
                        }
                    }
                }
            }
        }
    }

    /// Creates the shape of the physics engine, scaled by `scale`.
    ///
    /// # Errors
    /// Fails if a size is not a positive number, or if points and triangles form no body.
    pub(super) fn shared(&self, scale: f32) -> Result<SharedShape, ShapeError> {
        let length = |n: f32| {
            let n = n * scale;
            match n {
                n if !(MIN_SIZE..=f32::MAX).contains(&n) => Err(ShapeError::Size(n)),
                n if n > MAX_SIZE => Err(ShapeError::Large(n)),
                n => Ok(n),
            }
        };
        Ok(match self {
            Self::Box(half) => {
                SharedShape::cuboid(length(half.x)?, length(half.y)?, length(half.z)?)
            }
            Self::Sphere(radius) => SharedShape::ball(length(*radius)?),
            Self::Capsule {
                half_length,
                radius,
            } => {
                let half = (half_length * scale).clamp(0.0, MAX_SIZE);
                SharedShape::capsule_y(half, length(*radius)?)
            }
            Self::Cylinder {
                half_length,
                radius,
            } => SharedShape::cylinder(length(*half_length)?, length(*radius)?),
            Self::Hull(points) => {
                let points = scaled(points, scale)?;
                let hull = guarded("a convex hull", || SharedShape::convex_hull(&points));
                let hull = hull.ok().flatten();
                hull.ok_or(ShapeError::Flat(points.len()))?
            }
            Self::Mesh {
                vertices,
                triangles,
                engine,
            } => engine.scaled(vertices, triangles, scale)?,
            Self::Heights(ground) => {
                let [columns, rows] = ground.counts();
                let values = ground.values();
                let by_column = (0..columns)
                    .flat_map(|column| (0..rows).map(move |row| values[row * columns + column]));
                let heights = Array2::new(rows, columns, by_column.collect());
                let size = ground.size();
                let scale = Vec3::new(length(size.x)?, scale, length(size.y)?);
                let flags = HeightFieldFlags::FIX_INTERNAL_EDGES;
                SharedShape::new(HeightField::with_flags(heights, scale, flags))
            }
        })
    }

    /// Corners of the bounding box, in the shape's space.
    pub fn bounds(&self) -> [Vec3; 2] {
        let half = match self {
            Self::Box(half) => *half,
            Self::Sphere(radius) => Vec3::splat(*radius),
            Self::Capsule {
                half_length,
                radius,
            } => Vec3::new(*radius, half_length + radius, *radius),
            Self::Cylinder {
                half_length,
                radius,
            } => Vec3::new(*radius, *half_length, *radius),
            Self::Hull(points) => return corners(points),
            Self::Mesh { vertices, .. } => return corners(vertices),
            Self::Heights(ground) => {
                let ([low, high], half) = (ground.range(), ground.size() / 2.0);
                return [
                    Vec3::new(-half.x, low, -half.y),
                    Vec3::new(half.x, high, half.y),
                ];
            }
        };
        [-half, half]
    }
}

fn corners(points: &[Vec3]) -> [Vec3; 2] {
    let low = points.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    let high = points.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
    if low.x > high.x {
        [Vec3::ZERO; 2]
    } else {
        [low, high]
    }
}

impl From<RigidFrame> for Pose {
    fn from(frame: RigidFrame) -> Self {
        Self::from_parts(frame.position, frame.rotation)
    }
}

impl From<Pose> for RigidFrame {
    fn from(pose: Pose) -> Self {
        Self {
            position: pose.translation,
            rotation: pose.rotation,
        }
    }
}

impl RigidFrame {
    /// Frame with its position multiplied by a factor.
    #[must_use]
    pub fn scaled(self, scale: f32) -> Self {
        Self {
            position: self.position * scale,
            ..self
        }
    }

    /// Returns true if position and rotation are finite.
    pub fn is_finite(self) -> bool {
        self.position.is_finite() && self.rotation.is_finite()
    }

    /// Interpolates between two frames by `u`, with rotation along the short arc.
    #[must_use]
    pub fn lerp(self, other: Self, u: f32) -> Self {
        Self {
            position: self.position.lerp(other.position, u),
            rotation: galatea_math::nlerp(self.rotation, other.rotation, u),
        }
    }
}
