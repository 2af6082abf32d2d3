//! Triangles of the fixed colliders of a world.

use glam::Vec3;
use rapier3d::parry::shape::TypedShape;
use rapier3d::prelude::{Collider, RigidBody, SharedShape};

use super::tag::{Owner, owner_of};
use super::world::PhysicsWorld;

/// Number of sides of round shapes.
const N_SIDES: u32 = 16;

/// Vertices and triangles of a shape in its own space.
type ShapeTriangles = (Vec<Vec3>, Vec<[u32; 3]>);

/// A triangle of a fixed collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StillTriangle {
    /// Owner of the collider.
    pub owner: Owner,
    /// Collider index, equal for all triangles of a collider.
    pub collider: u32,
    /// World space, counter-clockwise seen from outside.
    pub corners: [Vec3; 3],
    /// Material index of the triangle's cell, where cells differ.
    pub made_of: Option<u8>,
}

impl PhysicsWorld {
    /// Calls `f` with every triangle of the fixed colliders that touch a box, including the floor and excluding sensors.
    /// Round shapes are approximated by flat sides.
    pub fn still_triangles(&self, [low, high]: [Vec3; 2], mut f: impl FnMut(&StillTriangle)) {
        for (number, (handle, collider)) in (0..).zip(self.rapier.colliders.iter()) {
            let body = collider.parent();
            let body = body.and_then(|body| self.rapier.bodies.get(body));
            let is_solid = body.is_none_or(RigidBody::is_fixed) && !collider.is_sensor();
            if !is_solid || !touches(collider, low, high) {
                continue;
            }
            let (owner, _) = owner_of(collider);
            let cells = self.grounds.get(&handle).map(|worn| &worn.cells);
            let pose = collider.position();
            for (i, corners) in (0..).zip(triangles(collider.shared_shape(), [low, high])) {
                f(&StillTriangle {
                    owner,
                    collider: number,
                    corners: corners.map(|at| *pose * at),
                    made_of: cells.and_then(|cells| cells.of_triangle(i)),
                });
            }
        }
    }
}

fn touches(collider: &Collider, low: Vec3, high: Vec3) -> bool {
    let bounds = collider.compute_aabb();
    let is_beyond = bounds.mins.cmpgt(high).any() || bounds.maxs.cmplt(low).any();
    !is_beyond
}

/// Triangles of a shape in its own space; of the infinite floor, those below a box.
fn triangles(shape: &SharedShape, around: [Vec3; 2]) -> Vec<[Vec3; 3]> {
    let (points, corners): ShapeTriangles = match shape.as_typed_shape() {
        TypedShape::Ball(ball) => ball.to_trimesh(N_SIDES, N_SIDES),
        TypedShape::Cuboid(cuboid) => cuboid.to_trimesh(),
        TypedShape::Capsule(capsule) => capsule.to_trimesh(N_SIDES, N_SIDES),
        TypedShape::Cylinder(cylinder) => cylinder.to_trimesh(N_SIDES),
        TypedShape::Cone(cone) => cone.to_trimesh(N_SIDES),
        TypedShape::ConvexPolyhedron(form) => form.to_trimesh(),
        TypedShape::HeightField(heights) => heights.to_trimesh(),
        TypedShape::TriMesh(mesh) => (mesh.vertices().to_vec(), mesh.indices().to_vec()),
        TypedShape::RoundCuboid(form) => form.inner_shape.to_trimesh(),
        TypedShape::Compound(parts) => {
            let of_part = |(pose, part): &(_, SharedShape)| {
                let own = triangles(part, around);
                let placed = own.into_iter().map(|t| t.map(|at| *pose * at));
                placed.collect::<Vec<_>>()
            };
            return parts.shapes().iter().flat_map(of_part).collect();
        }
        TypedShape::HalfSpace(_) => {
            let [low, high] = around;
            let at = |x: f32, z: f32| Vec3::new(x, 0.0, z);
            let points = vec![
                at(low.x, low.z),
                at(low.x, high.z),
                at(high.x, high.z),
                at(high.x, low.z),
            ];
            (points, vec![[0, 1, 2], [0, 2, 3]])
        }
        _ => return Vec::new(),
    };
    let triangle = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|corner| points.get(corner as usize).copied());
        Some([a?, b?, c?])
    };
    corners.iter().filter_map(triangle).collect()
}
