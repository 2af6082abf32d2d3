//! Primitive meshes to build with: boxes, spheres, stairs. Generated, not loaded.
//!
//! Their edges are slightly rounded so that they catch light.

use std::f32::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::Terrain;
use super::model::{Material, Mesh, Model, Part, Primitive};
use super::model_key::ModelKey;
use galatea_anim::{Bone, Skeleton};
use galatea_math::Trs;

/// Primitive shape around its own centre; stairs and ramps have their base at y = 0. Lengths in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PrimitiveMesh {
    /// Box of this size.
    Box(Vec3),
    /// Sphere of this radius.
    Sphere(f32),
    /// Capsule along Y.
    Capsule {
        /// Radius of the caps and the middle part.
        radius: f32,
        /// Height including the caps, at least twice the radius.
        height: f32,
    },
    /// Cylinder along Y.
    Cylinder {
        /// Radius.
        radius: f32,
        /// Height.
        height: f32,
    },
    /// Stairs that rise along +Z from the origin.
    Stairs {
        /// Number of steps, 1 to [`MAX_STEPS`].
        steps: u32,
        /// Width along X.
        width: f32,
        /// Height of a step.
        rise: f32,
        /// Depth of a step.
        run: f32,
    },
    /// A wedge of this size that rises along +Z from the origin.
    Ramp(Vec3),
    /// Terrain from a height map.
    Terrain(#[serde(with = "galatea_persist::shared")] Arc<Terrain>),
}

/// Limit of steps of stairs.
pub const MAX_STEPS: u32 = 256;
/// Radius of rounded edges, metres.
const BEVEL_RADIUS: f32 = 0.012;
/// Segments around round shapes.
const N_SEGMENTS: u32 = 40;

#[derive(Default)]
struct PrimitiveBuilder {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    uv: Vec<Vec2>,
    indices: Vec<u32>,
}

impl PrimitiveMesh {
    /// Name of the shape.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Box(_) => "box",
            Self::Sphere(_) => "sphere",
            Self::Capsule { .. } => "capsule",
            Self::Cylinder { .. } => "cylinder",
            Self::Stairs { .. } => "stairs",
            Self::Ramp(_) => "ramp",
            Self::Terrain(_) => "terrain",
        }
    }

    /// Unique key of the shape and its size.
    pub fn key(&self) -> ModelKey {
        let numbers: Vec<f32> = match *self {
            Self::Box(size) | Self::Ramp(size) => size.to_array().to_vec(),
            Self::Sphere(radius) => vec![radius],
            Self::Capsule { radius, height } | Self::Cylinder { radius, height } => {
                vec![radius, height]
            }
            Self::Stairs {
                steps,
                width,
                rise,
                run,
            } => vec![steps as f32, width, rise, run],
            Self::Terrain(ref terrain) => {
                return ModelKey::Primitive(format!("terrain {:016x}", terrain.number()));
            }
        };
        let numbers: Vec<String> = numbers.iter().map(f32::to_string).collect();
        ModelKey::Primitive(format!("{} {}", self.name(), numbers.join(" ")))
    }

    /// Boxes of stairs: centre and size of each step.
    pub fn steps(
        steps: u32,
        width: f32,
        rise: f32,
        run: f32,
    ) -> impl Iterator<Item = (Vec3, Vec3)> {
        (1..=steps.clamp(1, MAX_STEPS)).map(move |i| {
            let height = rise * i as f32;
            let center = Vec3::new(0.0, height / 2.0, run * (i as f32 - 0.5));
            (center, Vec3::new(width, height, run))
        })
    }

    /// Corners of a ramp of the given size.
    pub fn ramp_corners(size: Vec3) -> [Vec3; 6] {
        let x = size.x / 2.0;
        [
            Vec3::new(-x, 0.0, 0.0),
            Vec3::new(x, 0.0, 0.0),
            Vec3::new(-x, 0.0, size.z),
            Vec3::new(x, 0.0, size.z),
            Vec3::new(-x, size.y, size.z),
            Vec3::new(x, size.y, size.z),
        ]
    }

    /// Model of the shape: one rigid part with one material.
    pub fn model(&self) -> Model {
        let mut surface = PrimitiveBuilder::default();
        match *self {
            Self::Box(size) => surface.cuboid(Vec3::ZERO, size),
            Self::Sphere(radius) => surface.capsule(radius, 2.0 * radius),
            Self::Capsule { radius, height } => surface.capsule(radius, height),
            Self::Cylinder { radius, height } => surface.cylinder(radius, height),
            Self::Stairs {
                steps,
                width,
                rise,
                run,
            } => {
                for (center, size) in Self::steps(steps, width, rise, run) {
                    surface.cuboid(center, size);
                }
            }
            Self::Ramp(size) => surface.ramp(size),
            Self::Terrain(ref terrain) => return terrain.model(),
        }
        let primitive = Primitive {
            positions: surface.positions,
            normals: surface.normals,
            uv0: surface.uv,
            indices: surface.indices,
            ..Primitive::default()
        };
        whole(
            self.name(),
            uid(self.key().to_string().bytes()),
            primitive,
            GREY,
        )
    }
}

/// Linear default colour.
pub const GREY: Vec3 = Vec3::new(0.46, 0.44, 0.41);

/// Model of one rigid part with one material.
pub(super) fn whole(name: &str, uid: u64, primitive: Primitive, color: Vec3) -> Model {
    let name = name.to_owned();
    let bone = Bone {
        name: name.clone(),
        parent: None,
        rest: Trs::IDENTITY,
        skinned: false,
    };
    Model {
        uid,
        name: name.clone(),
        skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap_or_default()),
        meshes: vec![Mesh {
            name: name.clone(),
            primitives: vec![primitive],
            morph_names: Vec::new(),
        }],
        parts: vec![Part {
            name,
            ..Part::default()
        }],
        materials: vec![Material {
            name: "Surface".into(),
            base_color: color.extend(1.0),
            metallic: 0.0,
            roughness: 0.62,
            ..Material::default()
        }],
        ..Model::default()
    }
}

/// Hash of bytes, the same on every machine (FNV-1a).
pub(super) fn uid(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl PrimitiveBuilder {
    /// Adds a patch of quads; `at` returns position, normal and texture coordinates for a row and a column. Seen from
    /// outside, rows go up and columns go right.
    fn grid(&mut self, rows: u32, columns: u32, at: impl Fn(u32, u32) -> (Vec3, Vec3, Vec2)) {
        let first = self.positions.len() as u32;
        for i in 0..=rows {
            for k in 0..=columns {
                let (p, n, uv) = at(i, k);
                self.positions.push(p);
                self.normals.push(n);
                self.uv.push(uv);
            }
        }
        for i in 0..rows {
            for k in 0..columns {
                let a = first + i * (columns + 1) + k;
                let (b, c, d) = (a + 1, a + columns + 1, a + columns + 2);
                self.indices.extend([a, b, d, a, d, c]);
            }
        }
    }

    fn cuboid(&mut self, center: Vec3, size: Vec3) {
        let half = size / 2.0;
        let round = BEVEL_RADIUS.min(half.min_element() * 0.25);
        let inner = half - round;
        // Right, up and outward direction of each side.
        let sides = [
            (Vec3::X, Vec3::Y, Vec3::Z),
            (Vec3::NEG_X, Vec3::Y, Vec3::NEG_Z),
            (Vec3::NEG_Z, Vec3::Y, Vec3::X),
            (Vec3::Z, Vec3::Y, Vec3::NEG_X),
            (Vec3::X, Vec3::NEG_Z, Vec3::Y),
            (Vec3::X, Vec3::Z, Vec3::NEG_Y),
        ];
        for (right, up, out) in sides {
            let position_of = |i: u32, axis: Vec3| {
                let (h, m) = (half.dot(axis.abs()), inner.dot(axis.abs()));
                [-h, -m, m, h][i as usize]
            };
            self.grid(3, 3, |i, k| {
                let (x, y) = (position_of(k, right), position_of(i, up));
                let corner = right * x + up * y + out * half.dot(out.abs());
                let within = corner.clamp(-inner, inner);
                let normal = (corner - within).normalize_or(out);
                (center + within + normal * round, normal, Vec2::new(x, -y))
            });
        }
    }

    /// Adds rings about +Y, from the lowest to the highest: height, radius, and upward slope of the normal.
    fn lathe(&mut self, rings: &[(f32, f32, f32)]) {
        let last = rings.len() as u32 - 1;
        self.grid(last, N_SEGMENTS, |i, k| {
            let (y, radius, up) = rings[i as usize];
            let (sin, cos) = (k as f32 / N_SEGMENTS as f32 * TAU).sin_cos();
            let side = Vec3::new(sin, 0.0, cos);
            let normal = (side * (1.0 - up * up).max(0.0).sqrt() + Vec3::Y * up).normalize_or(side);
            let uv = Vec2::new(k as f32 / N_SEGMENTS as f32, -y);
            (side * radius + Vec3::Y * y, normal, uv)
        });
    }

    fn capsule(&mut self, radius: f32, height: f32) {
        let half = (height / 2.0 - radius).max(0.0);
        let n = N_SEGMENTS / 4;
        let mut rings = Vec::new();
        for (center, from) in [(-half, -FRAC_PI_2), (half, 0.0)] {
            for i in 0..=n {
                let angle = from + FRAC_PI_2 * i as f32 / n as f32;
                let (sin, cos) = angle.sin_cos();
                rings.push((center + radius * sin, radius * cos, sin));
            }
        }
        self.lathe(&rings);
    }

    fn cylinder(&mut self, radius: f32, height: f32) {
        let half = height / 2.0;
        let round = BEVEL_RADIUS.min(half.min(radius) * 0.25);
        let n = 4;
        let mut rings = vec![(-half, 0.0, -1.0)];
        for (sign, from) in [(-1.0, -FRAC_PI_2), (1.0, 0.0)] {
            for i in 0..=n {
                let angle = from + PI / 2.0 * i as f32 / n as f32;
                let (sin, cos) = angle.sin_cos();
                let y = (half - round) * sign + round * sin;
                rings.push((y, radius - round + round * cos, sin));
            }
        }
        rings.push((half, 0.0, 1.0));
        self.lathe(&rings);
    }

    fn ramp(&mut self, size: Vec3) {
        let c = PrimitiveMesh::ramp_corners(size);
        // Corners of each side, counter-clockwise from outside.
        let sides: [&[usize]; 5] = [
            &[1, 0, 4, 5],
            &[3, 2, 0, 1],
            &[2, 3, 5, 4],
            &[0, 2, 4],
            &[3, 1, 5],
        ];
        for side in sides {
            let [a, b, d] = [side[0], side[1], side[2]].map(|i| c[i]);
            let normal = (b - a).cross(d - a).normalize_or(Vec3::Y);
            let right = (b - a).normalize_or(Vec3::X);
            let up = normal.cross(right);
            let first = self.positions.len() as u32;
            for &i in side {
                self.positions.push(c[i]);
                self.normals.push(normal);
                let from = c[i] - a;
                self.uv.push(Vec2::new(from.dot(right), -from.dot(up)));
            }
            for i in 2..side.len() as u32 {
                self.indices.extend([first, first + i - 1, first + i]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORMS: [(PrimitiveMesh, f32); 6] = [
        (PrimitiveMesh::Box(Vec3::new(1.0, 2.0, 3.0)), 6.0),
        (PrimitiveMesh::Sphere(0.5), PI / 6.0),
        (
            PrimitiveMesh::Capsule {
                radius: 0.25,
                height: 1.5,
            },
            PI / 12.0,
        ),
        (
            PrimitiveMesh::Cylinder {
                radius: 0.5,
                height: 1.0,
            },
            PI / 4.0,
        ),
        (
            PrimitiveMesh::Stairs {
                steps: 4,
                width: 1.0,
                rise: 0.2,
                run: 0.3,
            },
            0.6,
        ),
        (PrimitiveMesh::Ramp(Vec3::new(1.0, 2.0, 3.0)), 3.0),
    ];

    /// Volume by the divergence theorem; correct only if the mesh is closed and faces outwards.
    fn volume(primitive: &Primitive) -> f32 {
        let p = |i: u32| primitive.positions[i as usize];
        let triangles = primitive.indices.chunks_exact(3);
        triangles
            .map(|t| p(t[0]).dot(p(t[1]).cross(p(t[2]))) / 6.0)
            .sum()
    }

    #[test]
    fn every_shape_is_closed_faces_outwards_and_has_its_volume() {
        for (form, expected) in FORMS {
            let model = form.model();
            let primitive = &model.meshes[0].primitives[0];
            let found = volume(primitive);
            assert!(
                (found - expected).abs() < 0.02 * expected,
                "{form:?}: {found}"
            );
            for triangle in primitive.indices.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|i| primitive.positions[triangle[i] as usize]);
                let face = (b - a).cross(c - a);
                let normal = primitive.normals[triangle[0] as usize];
                assert!(face.dot(normal) > -1e-7, "{form:?}");
            }
            assert!(
                primitive
                    .normals
                    .iter()
                    .all(|n| (n.length() - 1.0).abs() < 1e-4)
            );
        }
    }

    #[test]
    fn equal_shapes_have_equal_keys_and_others_differ() {
        let a = PrimitiveMesh::Box(Vec3::ONE);
        assert_eq!(a.key().to_string(), "form:box 1 1 1");
        assert_eq!(a.model().uid, PrimitiveMesh::Box(Vec3::ONE).model().uid);
        assert_ne!(
            a.model().uid,
            PrimitiveMesh::Box(Vec3::splat(2.0)).model().uid
        );
    }
}
