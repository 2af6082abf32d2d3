//! Surfaces of revolution, tubes and patches, and their assembly to a model.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3, Vec4};

use crate::{Forged, rig, surface::Shell};
use galatea_anim::{Bone, Skeleton};
use galatea_asset::model::{Influences, Material, Mesh, Part, Primitive, Skin};
use galatea_math::Trs;

/// Triangles with normals and texture coordinates.
#[derive(Clone, Debug, Default)]
pub struct SolidMesh {
    /// Positions, metres.
    pub positions: Vec<Vec3>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
    /// Texture coordinates.
    pub uv: Vec<Vec2>,
    /// Colour factors, or empty.
    pub colors: Vec<Vec3>,
    /// Vertex indices, counter-clockwise from outside.
    pub indices: Vec<u32>,
}

impl SolidMesh {
    /// Rotates a profile about +Y. Each run of (radius, height) goes up along the outside and is smooth; the borders of runs
    /// are sharp edges.
    pub fn lathe(runs: &[&[(f32, f32)]], around: u32) -> Self {
        let mut solid = Self::default();
        for run in runs {
            let line = spline(run);
            let n = line.len();
            let slope = |i: usize| line[(i + 1).min(n - 1)] - line[i.saturating_sub(1)];
            let at = |i: u32, k: u32| {
                let turn = k as f32 / around as f32 * TAU;
                let (sin, cos) = turn.sin_cos();
                let p = line[i as usize];
                let t = slope(i as usize);
                (
                    Vec3::new(p.x * sin, p.y, p.x * cos),
                    Vec3::new(t.y * sin, -t.x, t.y * cos).normalize_or(Vec3::Y),
                )
            };
            solid.grid(n as u32 - 1, around, at);
        }
        solid
    }

    /// Adds a patch of `rows` × `columns` quads; `at` returns position and normal for a row and a column. Counter-clockwise
    /// if rows go up and columns go right.
    fn grid(&mut self, rows: u32, columns: u32, at: impl Fn(u32, u32) -> (Vec3, Vec3)) {
        let first = self.positions.len() as u32;
        for i in 0..=rows {
            for k in 0..=columns {
                let (p, n) = at(i, k);
                self.positions.push(p);
                self.normals.push(n);
                self.uv
                    .push(Vec2::new(k as f32 / columns as f32, i as f32 / rows as f32));
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

    /// A patch over (u, v), both 0 to 1; seen from outside, u points right and v up.
    pub fn patch(rows: u32, columns: u32, place: impl Fn(f32, f32) -> Vec3) -> Self {
        let mut solid = Self::default();
        solid.grid(rows, columns, |i, k| {
            let (u, v) = (k as f32 / columns as f32, i as f32 / rows as f32);
            let e = 0.002;
            let du = place((u + e).min(1.0), v) - place((u - e).max(0.0), v);
            let dv = place(u, (v + e).min(1.0)) - place(u, (v - e).max(0.0));
            (place(u, v), du.cross(dv).normalize_or(Vec3::Y))
        });
        solid
    }

    /// A tube along points; the ends of an open tube stay open, or are closed by equal end points.
    pub fn tube(points: &[Vec3], radius: f32, sides: u32, closed: bool) -> Self {
        let n = points.len();
        let mut solid = Self::default();
        if n < 2 {
            return solid;
        }
        let next = |i: usize| {
            if closed {
                (i + 1) % n
            } else {
                (i + 1).min(n - 1)
            }
        };
        let before = |i: usize| {
            if closed {
                (i + n - 1) % n
            } else {
                i.saturating_sub(1)
            }
        };
        // A parallel-transported frame, so that the tube does not twist.
        let mut across = (points[next(0)] - points[0])
            .any_orthogonal_vector()
            .normalize();
        let mut frames = Vec::with_capacity(n + 1);
        for i in 0..n {
            let along = (points[next(i)] - points[before(i)]).normalize_or(Vec3::Y);
            across = across
                .reject_from(along)
                .normalize_or(along.any_orthonormal_vector());
            frames.push((points[i], across, along.cross(across)));
        }
        if closed {
            frames.push(frames[0]);
        }
        let rows = frames.len() as u32 - 1;
        solid.grid(rows, sides, |i, k| {
            let (p, x, y) = frames[i as usize];
            let (sin, cos) = (-(k as f32) / sides as f32 * TAU).sin_cos();
            let n = x * cos + y * sin;
            let end = !closed && (i == 0 || i == rows);
            (p + n * if end { radius * 0.2 } else { radius }, n)
        });
        // The initial direction of the frame decides the winding of the sides.
        if solid.faces_inwards() {
            for t in solid.indices.chunks_exact_mut(3) {
                t.swap(1, 2);
            }
        }
        solid
    }

    fn faces_inwards(&self) -> bool {
        let agree: f32 = self
            .indices
            .chunks_exact(3)
            .map(|t| {
                let [a, b, c] = [t[0], t[1], t[2]].map(|i| self.positions[i as usize]);
                (b - a).cross(c - a).dot(self.normals[t[0] as usize])
            })
            .sum();
        agree < 0.0
    }

    /// A mesh with normals from a field.
    pub(crate) fn of_shell(shell: &Shell, normal: impl Fn(Vec3) -> Vec3) -> Self {
        Self {
            positions: shell.positions.clone(),
            normals: shell.positions.iter().map(|p| normal(*p)).collect(),
            uv: vec![Vec2::ZERO; shell.positions.len()],
            colors: Vec::new(),
            indices: shell.triangles.iter().flatten().copied().collect(),
        }
    }

    /// Appends another mesh.
    pub fn add(&mut self, other: Self) {
        let first = self.positions.len() as u32;
        self.colors.resize(self.positions.len(), Vec3::ONE);
        self.colors.extend(&other.colors);
        self.positions.extend(other.positions);
        self.colors.resize(self.positions.len(), Vec3::ONE);
        self.normals.extend(other.normals);
        self.uv.extend(other.uv);
        self.indices.extend(other.indices.iter().map(|i| i + first));
    }

    /// The mesh moved and rotated, without scale.
    pub fn transformed(mut self, m: Mat4) -> Self {
        for p in &mut self.positions {
            *p = m.transform_point3(*p);
        }
        for n in &mut self.normals {
            *n = m.transform_vector3(*n).normalize_or(Vec3::Y);
        }
        self
    }

    /// The mesh mirrored at x = 0.
    pub fn mirrored(mut self) -> Self {
        let flip = Vec3::new(-1.0, 1.0, 1.0);
        for v in self.positions.iter_mut().chain(&mut self.normals) {
            *v *= flip;
        }
        for t in self.indices.chunks_exact_mut(3) {
            t.swap(1, 2);
        }
        self
    }

    /// Sets colours by position.
    pub fn colored(mut self, color: impl Fn(Vec3) -> Vec3) -> Self {
        self.colors = self.positions.iter().map(|p| color(*p)).collect();
        self
    }

    /// Converts to a primitive; texture coordinates are kept only if the material has a texture.
    fn primitive(mut self, material: usize, pictured: bool, influences: Influences) -> Primitive {
        if !pictured {
            self.uv.fill(Vec2::ZERO);
        }
        let white = self.colors.iter().all(|c| *c == Vec3::ONE);
        Primitive {
            colors: match white {
                true => Vec::new(),
                false => self.colors.iter().map(|c| c.extend(1.0)).collect(),
            },
            positions: self.positions,
            normals: self.normals,
            uv0: self.uv,
            indices: self.indices,
            influences,
            material,
            ..Primitive::default()
        }
    }
}

/// A smooth line through points. Two points stay as they are, and so do many; otherwise a Catmull-Rom spline with several
/// steps per segment.
fn spline(points: &[(f32, f32)]) -> Vec<Vec2> {
    let p: Vec<Vec2> = points.iter().map(|p| Vec2::from(*p)).collect();
    if !(3..=11).contains(&p.len()) {
        return p;
    }
    const STEPS: usize = 4;
    let n = p.len();
    let mut line = Vec::new();
    for i in 0..n - 1 {
        let (a, b) = (p[i], p[i + 1]);
        let before = if i > 0 { p[i - 1] } else { a * 2.0 - b };
        let after = if i + 2 < n { p[i + 2] } else { b * 2.0 - a };
        for s in 0..STEPS {
            let t = s as f32 / STEPS as f32;
            let (ma, mb) = ((b - before) * 0.5, (after - a) * 0.5);
            let (t2, t3) = (t * t, t * t * t);
            let at = a * (2.0 * t3 - 3.0 * t2 + 1.0)
                + ma * (t3 - 2.0 * t2 + t)
                + b * (3.0 * t2 - 2.0 * t3)
                + mb * (t3 - t2);
            line.push(Vec2::new(at.x.max(0.0), at.y));
        }
    }
    line.push(p[n - 1]);
    line
}

/// A material from name, colour, metallic and roughness.
pub fn material(name: &str, color: [f32; 3], metallic: f32, roughness: f32) -> Material {
    Material {
        name: name.into(),
        base_color: Vec4::new(color[0], color[1], color[2], 1.0),
        metallic,
        roughness,
        ..Material::default()
    }
}

/// A rigid model on one bone with its name.
pub fn rigid(name: &str, pieces: Vec<(SolidMesh, Material)>) -> Forged {
    let bone = Bone {
        name: name.into(),
        parent: None,
        rest: Trs::IDENTITY,
        skinned: false,
    };
    let (solids, materials): (Vec<_>, Vec<_>) = pieces.into_iter().unzip();
    let primitives = solids
        .into_iter()
        .enumerate()
        .map(|(i, solid)| {
            let pictured = materials[i].base_color_texture.is_some();
            solid.primitive(i, pictured, Influences::default())
        })
        .collect();
    Forged {
        name: name.into(),
        meshes: vec![Mesh {
            name: name.into(),
            primitives,
            morph_names: Vec::new(),
        }],
        parts: vec![Part {
            name: name.into(),
            ..Part::default()
        }],
        materials,
        skeleton: Arc::new(Skeleton::new(vec![bone]).expect("one bone without a parent")),
        ..Forged::default()
    }
}

/// A skinned piece: mesh, material and weights.
pub struct WornPiece {
    /// Mesh in the rest pose of the mannequin.
    pub solid: SolidMesh,
    /// Index of the material.
    pub material: usize,
    /// Joints of the skin, which exclude the first bone, and weights.
    pub holds: Vec<([u16; 4], [f32; 4])>,
}

/// A model on the mannequin's bones, so that it plays the same clips.
pub fn worn(name: &str, parts: Vec<(&str, Vec<WornPiece>)>, materials: Vec<Material>) -> Forged {
    let skeleton = rig::skeleton();
    let joints: Vec<u16> = (1..skeleton.len() as u16 - 1).collect();
    let places = rig::rest_positions(&skeleton);
    let inverse_bind = joints
        .iter()
        .map(|j| Mat4::from_translation(-places[usize::from(*j)]))
        .collect();
    let mut bones: Vec<Bone> = skeleton.bones().to_vec();
    bones.pop();
    let mut model = Forged {
        name: name.into(),
        skins: vec![Skin {
            name: name.into(),
            joints,
            inverse_bind,
        }],
        materials,
        ..Forged::default()
    };
    for (part, pieces) in parts {
        let primitives = pieces
            .into_iter()
            .map(|piece| {
                let influences = Influences {
                    per_vertex: 4,
                    joints: piece.holds.iter().flat_map(|h| h.0).collect(),
                    weights: piece.holds.iter().flat_map(|h| h.1).collect(),
                };
                piece.solid.primitive(piece.material, false, influences)
            })
            .collect();
        model.parts.push(Part {
            name: part.into(),
            bone: bones.len() as u16,
            mesh: model.meshes.len(),
            skin: Some(0),
            ..Part::default()
        });
        model.meshes.push(Mesh {
            name: part.into(),
            primitives,
            morph_names: Vec::new(),
        });
        bones.push(Bone {
            name: part.into(),
            parent: None,
            rest: Trs::IDENTITY,
            skinned: false,
        });
    }
    model.skeleton = Arc::new(Skeleton::new(bones).expect("parents come first"));
    model
}
