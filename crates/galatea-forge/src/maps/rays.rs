//! Baking by rays from a mesh against a high-poly mesh or itself.

use glam::{Quat, Vec3};
use parry3d::query::{Ray, RayCast as _};
use parry3d::shape::TriMesh;

use super::{BakeMesh, Map, MapError, MapOptions, painted, to_tangent};
use crate::texels::Texel;
use galatea_asset::normals::as_color;

/// Offset of a ray's start from the surface, as a fraction of the reach.
const START_OFFSET: f32 = 1e-3;
/// Cosine of half the angle of the cone for thickness rays.
const CONE_COSINE: f32 = 0.82;

/// Ray target with an acceleration structure.
pub struct Rays<'a> {
    mesh: &'a BakeMesh,
    tree: TriMesh,
}

impl<'a> Rays<'a> {
    /// Builds the acceleration structure.
    ///
    /// # Errors
    /// If the mesh has no triangles.
    pub fn new(mesh: &'a BakeMesh) -> Result<Self, MapError> {
        let tree = TriMesh::new(mesh.at.clone(), mesh.triangles.clone());
        let tree = tree.map_err(|_| MapError::NoTriangles)?;
        Ok(Self { mesh, tree })
    }

    /// Distance to the first triangle along a ray, metres, and the triangle's index.
    fn first(&self, from: Vec3, direction: Vec3, reach: f32) -> Option<(f32, usize)> {
        let ray = Ray::new(from, direction);
        let hit = self
            .tree
            .cast_local_ray_and_get_normal(&ray, reach, false)?;
        Some((hit.time_of_impact, hit.subshape as usize))
    }

    /// Interpolated normal of a triangle at a point.
    fn normal(&self, triangle: usize, at: Vec3) -> Option<Vec3> {
        let corners = self.mesh.triangles.get(triangle)?.map(|i| i as usize);
        let [a, b, c] = corners.map(|i| self.mesh.at[i]);
        let whole = (b - a).cross(c - a);
        let area2 = whole.length_squared();
        if area2 <= 0.0 {
            return None;
        }
        let share = |from: Vec3, to: Vec3| (from - at).cross(to - at).dot(whole) / area2;
        let shares = [share(b, c), share(c, a), share(a, b)];
        let both = corners.iter().zip(shares);
        let sum: Vec3 = both.map(|(i, share)| self.mesh.normal[*i] * share).sum();
        sum.try_normalize()
    }

    /// Normal of the target nearest to a point along its normal, in both directions. Faces with the same direction have
    /// precedence.
    fn nearest(&self, at: Vec3, normal: Vec3, reach: f32) -> Option<Vec3> {
        let off = reach * START_OFFSET;
        let along = |direction: Vec3| {
            let from = at - direction * off;
            let (far, triangle) = self.first(from, direction, reach + off)?;
            Some((far, self.normal(triangle, from + direction * far)?))
        };
        let found = [along(normal), along(-normal)];
        let faces = |hit: &&(f32, Vec3)| hit.1.dot(normal) > 0.0;
        let mut facing: Vec<&(f32, Vec3)> = found.iter().flatten().filter(faces).collect();
        if facing.is_empty() {
            facing.extend(found.iter().flatten());
        }
        let nearest = facing.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(nearest.1)
    }
}

/// Bakes normals of a high-poly mesh in the tangent space of a mesh. From each point a ray is cast along its normal in both
/// directions, as far as `reach`. The nearest hit with the same facing counts. Without a hit the result is the mesh's own
/// normal.
///
/// # Errors
/// If there is nothing to bake.
pub fn normals(mesh: &BakeMesh, finer: &Rays<'_>, options: &MapOptions) -> Result<Map, MapError> {
    let of = |texel: &Texel| {
        let own = finer.nearest(texel.at, texel.normal, options.reach)?;
        let seen = to_tangent(texel, own);
        // A normal map cannot point away from its surface.
        Some(seen.with_z(seen.z.max(0.02)).normalize())
    };
    let flat = as_color(Vec3::Z);
    painted(mesh, options, Vec3::Z, of, as_color, flat)
}

/// Deterministic, cosine-weighted directions: the k-th of n on Vogel's spiral, uniform on the disc under a hemisphere
/// (Malley); a minimum cosine of `min_cosine` narrows it.
fn spiral(k: u32, n: u32, min_cosine: f32) -> Vec3 {
    let r2 = (k as f32 + 0.5) / n as f32 * (1.0 - min_cosine * min_cosine);
    let angle = k as f32 * 2.399_963_2;
    let r = r2.sqrt();
    Vec3::new(angle.cos() * r, angle.sin() * r, (1.0 - r2).sqrt())
}

/// Bakes ambient occlusion by geometry within `reach`: 1 is open; near geometry counts more than far geometry.
///
/// # Errors
/// If there is nothing to bake.
pub fn openness(mesh: &BakeMesh, around: &Rays<'_>, options: &MapOptions) -> Result<Map, MapError> {
    let of = |texel: &Texel| {
        let turn = Quat::from_rotation_arc(Vec3::Z, texel.normal);
        let from = texel.at + texel.normal * (options.reach * START_OFFSET);
        let occlusion = (0..options.rays).map(|k| {
            let direction = turn * spiral(k, options.rays, 0.0);
            let hit = around.first(from, direction, options.reach);
            hit.map_or(0.0, |(far, _)| 1.0 - (far / options.reach).sqrt())
        });
        Some(Vec3::splat(
            1.0 - occlusion.sum::<f32>() / options.rays as f32,
        ))
    };
    painted(mesh, options, Vec3::ONE, of, |mean| mean, Vec3::ONE)
}

/// Bakes thickness: distance to the opposite side, the mean over a cone against the normal, as a fraction of `reach`; white
/// is `reach` or more. Matches glTF's thicknessTexture with `reach` as thicknessFactor.
///
/// # Errors
/// If there is nothing to bake.
pub fn thickness(
    mesh: &BakeMesh,
    around: &Rays<'_>,
    options: &MapOptions,
) -> Result<Map, MapError> {
    let of = |texel: &Texel| {
        let turn = Quat::from_rotation_arc(Vec3::Z, -texel.normal);
        let from = texel.at - texel.normal * (options.reach * START_OFFSET);
        let far = (0..options.rays).map(|k| {
            let direction = spiral(k, options.rays, CONE_COSINE);
            let hit = around.first(from, turn * direction, options.reach);
            // Distance along the normal.
            hit.map_or(1.0, |(far, _)| (far * direction.z / options.reach).min(1.0))
        });
        Some(Vec3::splat(far.sum::<f32>() / options.rays as f32))
    };
    painted(mesh, options, Vec3::ONE, of, |mean| mean, Vec3::ONE)
}
