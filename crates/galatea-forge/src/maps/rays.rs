//! What rays from a mesh meet: a finer mesh, or itself.

use glam::{Quat, Vec3};
use parry3d::query::{Ray, RayCast as _};
use parry3d::shape::TriMesh;

use super::{BakeMesh, Map, MapError, MapOptions, painted, to_tangent};
use crate::texels::Texel;
use galatea_asset::normals::as_color;

/// Share of the reach by which rays begin off the surface.
const OFF: f32 = 1e-3;
/// Half the angle of the cone in which thickness is looked for, as its cosine.
const NARROW: f32 = 0.82;

/// A mesh that rays meet.
pub struct Rays<'a> {
    mesh: &'a BakeMesh,
    tree: TriMesh,
}

impl<'a> Rays<'a> {
    /// Makes it ready.
    ///
    /// # Errors
    /// When it has no triangles.
    pub fn new(mesh: &'a BakeMesh) -> Result<Self, MapError> {
        let tree = TriMesh::new(mesh.at.clone(), mesh.triangles.clone());
        let tree = tree.map_err(|_| MapError::NoTriangles)?;
        Ok(Self { mesh, tree })
    }

    /// Metres to the first triangle on the way, its number.
    fn first(&self, from: Vec3, way: Vec3, reach: f32) -> Option<(f32, usize)> {
        let ray = Ray::new(from, way);
        let hit = self
            .tree
            .cast_local_ray_and_get_normal(&ray, reach, false)?;
        Some((hit.time_of_impact, hit.subshape as usize))
    }

    /// Smooth normal of a triangle at a place.
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

    /// The finer mesh's normal nearest to a place along its normal, out or in, of what faces the same way; else of what
    /// does not.
    fn nearest(&self, at: Vec3, normal: Vec3, reach: f32) -> Option<Vec3> {
        let off = reach * OFF;
        let along = |way: Vec3| {
            let from = at - way * off;
            let (far, triangle) = self.first(from, way, reach + off)?;
            Some((far, self.normal(triangle, from + way * far)?))
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

/// The normals of a finer mesh in the tangent space of a mesh (NM-12): from each place a ray along its normal, out and in,
/// as far as `reach`; the nearest counts that faces the same way. Where none is met it is the mesh's own.
///
/// # Errors
/// When there is nothing to bake for.
pub fn normals(mesh: &BakeMesh, finer: &Rays<'_>, options: &MapOptions) -> Result<Map, MapError> {
    let of = |texel: &Texel| {
        let own = finer.nearest(texel.at, texel.normal, options.reach)?;
        let seen = to_tangent(texel, own);
        // A map cannot turn away from its surface.
        Some(seen.with_z(seen.z.max(0.02)).normalize())
    };
    let flat = as_color(Vec3::Z);
    painted(mesh, options, Vec3::Z, of, as_color, flat)
}

/// Directions by chance that is none: the k-th of n on Vogel's spiral, evenly over the disc under a half-sphere (Malley),
/// which weighs them by their cosine; `least` cosine narrows it.
fn spiral(k: u32, n: u32, least: f32) -> Vec3 {
    let r2 = (k as f32 + 0.5) / n as f32 * (1.0 - least * least);
    let angle = k as f32 * 2.399_963_2;
    let r = r2.sqrt();
    Vec3::new(angle.cos() * r, angle.sin() * r, (1.0 - r2).sqrt())
}

/// How much of the sky each place sees past what is within `reach`: 1 is all of it; near things take more than far ones.
///
/// # Errors
/// When there is nothing to bake for.
pub fn openness(mesh: &BakeMesh, around: &Rays<'_>, options: &MapOptions) -> Result<Map, MapError> {
    let of = |texel: &Texel| {
        let turn = Quat::from_rotation_arc(Vec3::Z, texel.normal);
        let from = texel.at + texel.normal * (options.reach * OFF);
        let lost = (0..options.rays).map(|k| {
            let way = turn * spiral(k, options.rays, 0.0);
            let hit = around.first(from, way, options.reach);
            hit.map_or(0.0, |(far, _)| 1.0 - (far / options.reach).sqrt())
        });
        Some(Vec3::splat(1.0 - lost.sum::<f32>() / options.rays as f32))
    };
    painted(mesh, options, Vec3::ONE, of, |mean| mean, Vec3::ONE)
}

/// How thick it is under each place: metres to the other side, the mean over a cone against the normal, as a share of
/// `reach`; white is `reach` or more. As glTF's thicknessTexture has it, with `reach` the thicknessFactor.
///
/// # Errors
/// When there is nothing to bake for.
pub fn thickness(
    mesh: &BakeMesh,
    around: &Rays<'_>,
    options: &MapOptions,
) -> Result<Map, MapError> {
    let of = |texel: &Texel| {
        let turn = Quat::from_rotation_arc(Vec3::Z, -texel.normal);
        let from = texel.at - texel.normal * (options.reach * OFF);
        let far = (0..options.rays).map(|k| {
            let way = spiral(k, options.rays, NARROW);
            let hit = around.first(from, turn * way, options.reach);
            // As far along the normal as the other side is there.
            hit.map_or(1.0, |(far, _)| (far * way.z / options.reach).min(1.0))
        });
        Some(Vec3::splat(far.sum::<f32>() / options.rays as f32))
    };
    painted(mesh, options, Vec3::ONE, of, |mean| mean, Vec3::ONE)
}
