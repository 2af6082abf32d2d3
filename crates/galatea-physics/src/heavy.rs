//! Protection against bodies and controllers that overlap very many triangles of a mesh: each triangle is a contact of its
//! own.

use glam::Vec3;
use rapier3d::parry::bounding_volume::BoundingVolume as _;
use rapier3d::parry::shape::TriMesh;
use rapier3d::prelude::{Aabb, Collider, Pose, RigidBody, RigidBodyHandle};

use super::engine::EngineFailure;
use super::tag::{Owner, owner_of};
use super::world::PhysicsWorld;

/// Maximum number of triangles that all moving shapes together may overlap in all substeps of a step.
const MAX_TRIANGLES: usize = 60_000;
/// Maximum number of triangles that the capsules of all controllers together may overlap in a tick: each is tested several
/// times.
const MAX_CAPSULE_TRIANGLES: usize = 20_000;
/// Distance around a shape within which the engine finds contacts, metres.
const MARGIN: f32 = 0.005;
/// Maximum distance along the velocity of a body that is included, metres: fast bodies pass most triangles without a
/// contact.
const MAX_PATH: f32 = 0.1;
/// Meshes with fewer triangles are not checked.
const MIN_TRIANGLES: usize = 128;
/// Expected number of overlapped triangles above which they are counted.
const MIN_EXPECTED: f32 = 64.0;

/// A mesh or height field of very many triangles.
struct FineMesh<'a> {
    /// `None` is a height field.
    mesh: Option<&'a TriMesh>,
    n_triangles: usize,
    bounds: Aabb,
    world_from_mesh: Pose,
    body: Option<RigidBodyHandle>,
}

impl<'a> FineMesh<'a> {
    fn of(collider: &'a Collider) -> Option<Self> {
        let shape = collider.shape();
        let mesh = shape.as_trimesh();
        let n_triangles = match (mesh, shape.as_heightfield()) {
            (Some(mesh), _) => mesh.num_triangles(),
            (None, Some(field)) => 2 * field.nrows() * field.ncols(),
            (None, None) => return None,
        };
        (n_triangles >= MIN_TRIANGLES && collider.is_enabled()).then(|| Self {
            mesh,
            n_triangles,
            bounds: shape.compute_local_aabb(),
            world_from_mesh: *collider.position(),
            body: collider.parent(),
        })
    }

    /// Number of triangles with boxes that overlap `bounds`, up to `max`; 0 if few are expected.
    fn n_within(&self, bounds: &Aabb, max: usize) -> usize {
        let Some(common) = self.bounds.intersection(bounds) else {
            return 0;
        };
        // Triangle density is measured on the surface: along x and z of a field, along the two longer sides of a mesh.
        let (full, part) = (self.bounds.extents(), common.extents());
        let mut fractions = (part / full.max(Vec3::splat(1e-6))).to_array();
        let thin = self.mesh.map_or(1, |_| full.min_position());
        fractions[thin] = 1.0;
        let expected = fractions.iter().product::<f32>() * self.n_triangles as f32;
        if expected < MIN_EXPECTED {
            return 0;
        }
        let counted = self
            .mesh
            .map(|mesh| mesh.bvh().intersect_aabb(bounds).take(max).count());
        counted.unwrap_or((expected as usize).min(max))
    }
}

impl PhysicsWorld {
    /// Removes the bodies with most overlapped triangles until `n_substeps` substeps can process the rest.
    pub(super) fn remove_heavy(&mut self, n_substeps: usize) {
        let max = MAX_TRIANGLES / n_substeps.max(1);
        let dt = self.rapier.integration_parameters.dt * n_substeps as f32;
        let mut heavy = self.heavy(dt);
        let mut total: usize = heavy.iter().map(|(n, _)| n).sum();
        heavy.sort_unstable_by_key(|(n, _)| *n);
        while total > max
            && let Some((n, body)) = heavy.pop()
        {
            total -= n;
            self.note_removed(body);
            self.rapier.remove_body(body);
            self.is_dirty = true;
            self.failures.add(EngineFailure::TooFine);
        }
    }

    /// Counts the triangles that a capsule of a controller may touch in a tick. If all capsules together exceed the limit,
    /// reports it and returns false.
    pub(super) fn can_move(&mut self, owner: Owner, capsule: &Aabb) -> bool {
        let query = self.rapier.query_pipeline();
        let near = query.intersect_aabb_conservative(*capsule);
        let others = near.filter(|(_, collider)| owner_of(collider).0 != owner);
        let meshes = others.filter_map(|(_, collider)| FineMesh::of(collider));
        let n: usize = meshes
            .map(|mesh| {
                let bounds = capsule.transform_by(&mesh.world_from_mesh.inverse());
                mesh.n_within(&bounds, MAX_CAPSULE_TRIANGLES + 1)
            })
            .sum();
        self.n_capsule_triangles += n;
        let can_move = self.n_capsule_triangles <= MAX_CAPSULE_TRIANGLES;
        if !can_move {
            self.failures.add(EngineFailure::Held(owner));
        }
        can_move
    }

    /// Moving bodies with the number of triangles that they overlap in the next `dt` seconds.
    fn heavy(&self, dt: f32) -> Vec<(usize, RigidBodyHandle)> {
        let forms = self.rapier.colliders.iter();
        let fine: Vec<FineMesh<'_>> = forms
            .filter_map(|(_, collider)| FineMesh::of(collider))
            .collect();
        let mut heavy = Vec::new();
        if fine.is_empty() {
            return heavy;
        }
        for (handle, body) in self.rapier.bodies.iter().filter(|(_, body)| is_heavy(body)) {
            let forms = body.colliders().iter();
            // A moving body may reach the mesh within the step.
            let path = (body.linvel() * dt).clamp_length_max(MAX_PATH);
            let n: usize = forms
                .filter_map(|collider| self.rapier.colliders.get(*collider))
                .map(|collider| {
                    let in_body = collider.position_wrt_parent().copied().unwrap_or_default();
                    let pose = *body.position() * in_body;
                    let meshes = fine.iter().filter(|mesh| mesh.body != Some(handle));
                    meshes
                        .map(|mesh| {
                            let mesh_from_world = mesh.world_from_mesh.inverse();
                            let mut moved = pose;
                            moved.translation += path;
                            let [now, then] = [pose, moved].map(|pose| {
                                collider.shape().compute_aabb(&(mesh_from_world * pose))
                            });
                            let bounds = now.merged(&then).loosened(MARGIN);
                            mesh.n_within(&bounds, MAX_TRIANGLES + 1)
                        })
                        .sum::<usize>()
                })
                .sum();
            if n > 0 {
                heavy.push((n, handle));
            }
        }
        heavy
    }
}

fn is_heavy(body: &RigidBody) -> bool {
    body.is_dynamic() && body.is_enabled() && !body.is_sleeping()
}

#[cfg(test)]
mod tests {
    use rapier3d::parry::utils::Array2;
    use rapier3d::prelude::{ColliderBuilder, RigidBodyBuilder};

    use super::*;
    use crate::{Controller, ControllerPose, ControllerSettings};

    const N: u32 = 300;

    /// A level height field of as many cells as [`on_a_fine_grid`].
    fn on_a_fine_field() -> PhysicsWorld {
        let mut world = PhysicsWorld::new();
        let side = N as usize + 1;
        let heights = Array2::new(side, side, vec![0.0; side * side]);
        let field = ColliderBuilder::heightfield(heights, Vec3::new(30.0, 1.0, 30.0));
        let field = field.translation(Vec3::new(15.0, 0.0, 15.0));
        world.rapier.insert_collider(field, None);
        world
    }

    /// A level grid of 300 × 300 cells over 30 m, twice as many triangles.
    fn on_a_fine_grid() -> PhysicsWorld {
        let mut world = PhysicsWorld::new();
        let at = |i: u32| Vec3::new((i % (N + 1)) as f32, 0.0, (i / (N + 1)) as f32) * 0.1;
        let points: Vec<Vec3> = (0..(N + 1) * (N + 1)).map(at).collect();
        let cells = (0..N * N).map(|i| i % N + i / N * (N + 1));
        let triangles = cells.flat_map(|i| [[i, i + N + 1, i + 1], [i + 1, i + N + 1, i + N + 2]]);
        let mesh = ColliderBuilder::trimesh(points, triangles.collect()).unwrap();
        world.rapier.insert_collider(mesh, None);
        world
    }

    fn add(world: &mut PhysicsWorld, at: Vec3, half: f32) -> RigidBodyHandle {
        let body = RigidBodyBuilder::dynamic().translation(at);
        world
            .rapier
            .insert(body, ColliderBuilder::cuboid(half, 0.5, half))
            .0
    }

    #[test]
    fn a_body_over_too_many_triangles_is_removed_and_small_ones_stay() {
        for mut world in [on_a_fine_grid(), on_a_fine_field()] {
            let large = add(&mut world, Vec3::new(15.0, 0.4, 15.0), 14.0);
            let small: Vec<RigidBodyHandle> = (0..20)
                .map(|i| add(&mut world, Vec3::new(i as f32 + 5.0, 0.6, 5.0), 0.4))
                .collect();
            let mut touches = Vec::new();
            world.step(1.0 / 60.0, &mut touches);
            assert!(!world.rapier.bodies.contains(large));
            assert!(small.iter().all(|body| world.rapier.bodies.contains(*body)));
            assert_eq!(world.take_failures(), [EngineFailure::TooFine]);
        }
    }

    #[test]
    fn a_controller_over_too_many_triangles_stays_where_it_is_and_a_small_one_walks() {
        for of in [on_a_fine_grid, on_a_fine_field] {
            let walked = |radius: f32| {
                let mut world = of();
                let rest = [
                    Vec3::new(-radius, 0.0, -radius),
                    Vec3::new(radius, 2.5 * radius, radius),
                ];
                let mut controller = Controller::new(ControllerSettings::fitted(rest, rest));
                controller.desired_velocity = Vec3::X;
                let mut pose = ControllerPose {
                    position: Vec3::new(15.0, 0.1, 15.0),
                    yaw: 0.0,
                    scale: 1.0,
                };
                for _ in 0..60 {
                    world.refresh();
                    pose = world.walk(Owner(1), &mut controller, pose, 1.0 / 60.0, &mut Vec::new());
                    world.step(1.0 / 60.0, &mut Vec::new());
                }
                (pose.position.x - 15.0, world.take_failures())
            };
            assert_eq!(walked(12.0), (0.0, vec![EngineFailure::Held(Owner(1))]));
            let (walked, failures) = walked(0.3);
            assert!(walked > 0.5, "{walked} m");
            assert_eq!(failures, []);
        }
    }
}
