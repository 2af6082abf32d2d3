//! Raycast against a posed model: its triangles after morphing and skinning.

use std::ops::Range;

use glam::{Affine3A, Vec2, Vec3};

use super::bounds::PartBounds;
use super::deformed::Deformed;
use super::palette::PaletteLayout;
use super::skin::Deformer;
use galatea_asset::Model;
use galatea_asset::model::{Part, Primitive};
use galatea_asset::skinning::Skinning;

/// A model in a pose.
#[derive(Clone, Copy, Debug)]
pub struct PosedModel<'a> {
    /// The model.
    pub model: &'a Model,
    /// Bounds of its parts.
    pub bounds: &'a PartBounds,
    /// Matrices from [`super::build_palette`].
    pub palette: &'a [Affine3A],
    /// Morph weights of all parts, concatenated.
    pub morphs: &'a [f32],
    /// Bit i set: part i is hidden.
    pub hidden: &'a [u64],
}

/// Intersection of a line with a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleHit {
    /// Position on the line, as a fraction 0..=1.
    pub u: f32,
    /// Index into `Model::parts`.
    pub part: usize,
    /// Index into the part's primitives.
    pub primitive: usize,
    /// Index of the triangle in the primitive.
    pub triangle: usize,
    /// Barycentric coordinates of the hit; they sum to 1.
    pub barycentric: Vec3,
    /// Position in the palette's space.
    pub position: Vec3,
    /// Unit normal of the triangle, facing the start of the line; palette's space.
    pub normal: Vec3,
    /// First texture coordinates at the hit.
    pub uv: Vec2,
    /// Bone with the largest weight at the hit.
    pub bone: u16,
}

/// Finds the first triangle that a line between two points hits, from either side, and counts the vertices and triangles
/// examined. Points are in the palette's space. Parts whose bone bounds are not near the line are not deformed.
pub fn trace(posed: PosedModel, from: Vec3, to: Vec3) -> (Option<TriangleHit>, usize) {
    let (mut best, mut work) = (None::<TriangleHit>, 0);
    let model = posed.model;
    let layout = PaletteLayout::new(model);
    let (mut deformer, mut deformed) = (Deformer::default(), Deformed::default());
    let mut morph_start = 0;
    for (i, (part, &start)) in model.parts.iter().zip(&layout.part_start).enumerate() {
        let morphs = morph_start..morph_start + part.morph_weights.len();
        morph_start = morphs.end;
        let hidden = posed.hidden.get(i / 64).copied().unwrap_or(0);
        let start = start as usize;
        let range = start..start + part.skin.map_or(1, |skin| model.skins[skin].joints.len());
        // Dual quaternions bulge beyond the bounds of their bones.
        let is_near = part.skinning == Skinning::DualQuaternion
            || posed
                .bounds
                .posed_box(range.clone(), posed.palette)
                .is_some_and(|corners| passes(corners, from, to));
        let (Some(palette), Some(weights)) = (posed.palette.get(range), posed.morphs.get(morphs))
        else {
            continue;
        };
        if hidden >> (i % 64) & 1 == 1 || !is_near {
            continue;
        }
        for (k, primitive) in model.meshes[part.mesh].primitives.iter().enumerate() {
            deformer.deform(primitive, weights, palette, part.skinning, &mut deformed);
            work += primitive.positions.len() + primitive.indices.len() / 3;
            let most = best.map_or(1.0, |best| best.u);
            let found = nearest(&deformed.positions, &primitive.indices, from, to, most);
            let Some((triangle, u, barycentric)) = found else {
                continue;
            };
            let corners = corners_of(&primitive.indices, triangle);
            let [a, b, c] = corners.map(|corner| deformed.positions[corner]);
            let across = (b - a).cross(c - a).normalize_or(Vec3::Y);
            best = Some(TriangleHit {
                u,
                part: i,
                primitive: k,
                triangle,
                barycentric,
                position: from.lerp(to, u),
                normal: if across.dot(to - from) > 0.0 {
                    -across
                } else {
                    across
                },
                uv: mixed(&primitive.uv0, corners, barycentric),
                bone: heaviest(model, part, primitive, corners, barycentric),
            });
        }
    }
    (best, work)
}

/// Returns true if a line between two points passes through a box.
fn passes([low, high]: [Vec3; 2], from: Vec3, to: Vec3) -> bool {
    let direction = to - from;
    let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
    for axis in 0..3 {
        if direction[axis] == 0.0 {
            if from[axis] < low[axis] || from[axis] > high[axis] {
                return false;
            }
            continue;
        }
        let a = (low[axis] - from[axis]) / direction[axis];
        let b = (high[axis] - from[axis]) / direction[axis];
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    enter <= leave
}

fn corners_of(indices: &[u32], triangle: usize) -> [usize; 3] {
    [0, 1, 2].map(|k| indices[3 * triangle + k] as usize)
}

/// Finds the first triangle before a fraction of the line (T. Möller and B. Trumbore, Fast, Minimum Storage Ray/Triangle
/// Intersection, 1997): its index, the fraction, and the barycentric coordinates.
fn nearest(
    positions: &[Vec3],
    indices: &[u32],
    from: Vec3,
    to: Vec3,
    mut most: f32,
) -> Option<(usize, f32, Vec3)> {
    /// Tolerance outside of a triangle, so that no line passes between two triangles.
    const EDGE: f32 = 1e-6;
    let direction = to - from;
    let mut best = None;
    for (i, corners) in indices.chunks_exact(3).enumerate() {
        let at = |k: usize| positions.get(corners[k] as usize).copied();
        let (Some(a), Some(b), Some(c)) = (at(0), at(1), at(2)) else {
            continue;
        };
        let (ab, ac) = (b - a, c - a);
        let p = direction.cross(ac);
        let area = ab.dot(p);
        if area == 0.0 {
            continue;
        }
        let off = from - a;
        let v = off.dot(p) / area;
        let q = off.cross(ab);
        let w = direction.dot(q) / area;
        let u = ac.dot(q) / area;
        if v >= -EDGE && w >= -EDGE && v + w <= 1.0 + EDGE && (0.0..=most).contains(&u) {
            most = u;
            best = Some((i, u, Vec3::new(1.0 - v - w, v, w)));
        }
    }
    best
}

fn mixed(uv: &[Vec2], corners: [usize; 3], barycentric: Vec3) -> Vec2 {
    let at = |k: usize| uv.get(corners[k]).copied().unwrap_or(Vec2::ZERO);
    at(0) * barycentric.x + at(1) * barycentric.y + at(2) * barycentric.z
}

fn heaviest(
    model: &Model,
    part: &Part,
    primitive: &Primitive,
    corners: [usize; 3],
    barycentric: Vec3,
) -> u16 {
    let Some(skin) = part.skin.and_then(|skin| model.skins.get(skin)) else {
        return part.bone;
    };
    let influences = &primitive.influences;
    let n = influences.per_vertex;
    let mut sums: Vec<(u16, f32)> = Vec::with_capacity(3 * n);
    for (corner, weight_of_corner) in corners.into_iter().zip(barycentric.to_array()) {
        let range: Range<usize> = corner * n..(corner + 1) * n;
        let joints = influences.joints.get(range.clone()).unwrap_or_default();
        let weights = influences.weights.get(range).unwrap_or_default();
        for (&joint, &weight) in joints.iter().zip(weights) {
            match sums.iter_mut().find(|(known, _)| *known == joint) {
                Some((_, sum)) => *sum += weight * weight_of_corner,
                None => sums.push((joint, weight * weight_of_corner)),
            }
        }
    }
    let most = sums.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let joint = most.and_then(|(joint, _)| skin.joints.get(usize::from(joint)));
    joint.copied().unwrap_or(part.bone)
}
