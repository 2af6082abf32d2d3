//! Protection against bodies that overlap in great numbers: their pairs, and with them time and memory, grow with the square
//! of their number.
//!
//! Before a step in which that could be, boxes around the shapes are swept along one axis (Ericson, Real-Time Collision
//! Detection, 7.5). If there are too many pairs, the newest bodies of the crowd are removed.

use std::collections::HashMap;

use glam::Vec3;
use rapier3d::prelude::{Aabb, Collider, Pose, RigidBody, RigidBodyHandle};

use super::engine::EngineFailure;
use super::world::PhysicsWorld;

/// Maximum number of pairs in a world: a base, and an increment for each body.
const MAX_PAIRS: usize = 10_000;
const PAIRS_PER_BODY: usize = 12;
/// Pairs of shapes with overlapping boxes of which neither is of a dynamic body. They have no contacts, but the engine lists
/// them when bodies come.
const MAX_STILL_PAIRS: usize = 3_000_000;
/// Worlds with at most this many shapes are not checked.
const FEW_SHAPES: usize = 120;
/// Minimum number of pairs that makes a body part of a crowd.
const CROWD: usize = 32;
/// Margin that the engine adds around boxes, metres.
const MARGIN: f32 = 0.012;
/// Maximum number of comparisons in a sweep.
const MAX_CHECKS: usize = 4_000_000;
/// Maximum number of sweeps before a step.
const MAX_SWEEPS: usize = 32;
/// Number of additional solver iterations of a body that is always possible.
const FEW_ITERATIONS: usize = 4;
/// Maximum number of iterations of all pairs and bodies of a world in a tick, beyond which the additional iterations of
/// small ragdolls are reduced.
const MAX_ITERATIONS: usize = 100_000;

/// Bounding box of a shape in the coming step.
struct SweptShape {
    min: Vec3,
    max: Vec3,
    body: Option<RigidBodyHandle>,
    is_dynamic: bool,
    /// Pairs with a dynamic body, and pairs without.
    n_pairs: [usize; 2],
}

impl PhysicsWorld {
    /// Removes bodies from crowds that would take longer than a tick. `refinement` is the factor on the number of
    /// substeps for small ragdolls.
    pub(super) fn thin_out(&mut self, refinement: usize) {
        if self.rapier.colliders.len() <= FEW_SHAPES {
            return;
        }
        let has_changed = self.is_dirty || self.has_changed || self.n_targets() > FEW_SHAPES;
        let max = self.max_pairs(refinement);
        if !has_changed && self.rapier.contact_pairs().take(max + 1).count() <= max {
            return;
        }
        for _ in 0..MAX_SWEEPS {
            let shapes = self.swept_shapes();
            let max = [self.max_pairs(refinement), MAX_STILL_PAIRS];
            let total = [0, 1].map(|kind| {
                shapes
                    .iter()
                    .map(|shape| shape.n_pairs[kind])
                    .sum::<usize>()
                    / 2
            });
            let Some(kind) = (0..2).find(|kind| total[*kind] > max[*kind]) else {
                break;
            };
            let mut of_body: HashMap<RigidBodyHandle, usize> = HashMap::new();
            let is_removed = |shape: &&SweptShape| shape.is_dynamic || kind == 1;
            for shape in shapes.iter().filter(is_removed) {
                if let Some(body) = shape.body {
                    *of_body.entry(body).or_default() += shape.n_pairs[kind];
                }
            }
            let mut crowd: Vec<(RigidBodyHandle, usize)> = of_body.into_iter().collect();
            crowd.retain(|(_, n)| *n >= CROWD);
            if crowd.is_empty() {
                break;
            }
            // A reused slot in the engine's list has a higher generation.
            crowd.sort_by_key(|(body, _)| {
                let (slot, generation) = body.into_raw_parts();
                std::cmp::Reverse((generation, slot))
            });
            let mut excess = total[kind] - max[kind];
            for (body, n) in crowd {
                self.note_removed(body);
                self.rapier.remove_body(body);
                excess = excess.saturating_sub(n);
                if excess == 0 {
                    break;
                }
            }
            self.is_dirty = true;
            self.failures.add(EngineFailure::Crowded);
        }
    }

    fn max_pairs(&self, refinement: usize) -> usize {
        (MAX_PAIRS + PAIRS_PER_BODY * self.rapier.bodies.len()) / refinement.max(1)
    }

    /// Reduces the additional solver iterations of bodies if all pairs would take too many in the coming `n_substeps`.
    pub(super) fn limit_iterations(&mut self, n_substeps: usize) {
        let is_active = |body: &RigidBody| body.is_dynamic() && !body.is_sleeping();
        let bodies = self.rapier.bodies.iter();
        let (mut most, mut n_refined) = (0, 0);
        for (_, body) in bodies.filter(|(_, body)| is_active(body)) {
            let more = body.additional_solver_iterations();
            most = most.max(more);
            n_refined += usize::from(more > FEW_ITERATIONS);
        }
        if n_refined == 0 {
            return;
        }
        let of_shapes: usize = self
            .swept_shapes()
            .iter()
            .map(|shape| shape.n_pairs[0])
            .sum();
        let n_each = (of_shapes / 2 + n_refined) * n_substeps.max(1);
        let own = self.rapier.integration_parameters.num_solver_iterations;
        if n_each * (own + most) <= MAX_ITERATIONS {
            return;
        }
        let max = (MAX_ITERATIONS / n_each)
            .saturating_sub(own)
            .max(FEW_ITERATIONS);
        let bodies = self.rapier.bodies.iter_mut();
        for (_, body) in bodies.filter(|(_, body)| body.additional_solver_iterations() > max) {
            body.set_additional_solver_iterations(max);
        }
    }

    /// Shapes with the number of others that have overlapping boxes.
    fn swept_shapes(&self) -> Vec<SweptShape> {
        let targets = self.targets();
        let forms = self.rapier.colliders.iter();
        let swept = forms.filter_map(|(_, collider)| self.swept(collider, &targets));
        let mut shapes: Vec<SweptShape> = swept.collect();
        let axis = widest_axis(&shapes);
        shapes.sort_by(|a, b| a.min[axis].total_cmp(&b.min[axis]));
        let mut n_checks = 0;
        for i in 0..shapes.len() {
            let (before, beside) = shapes.split_at_mut(i + 1);
            let a = &mut before[i];
            for b in beside.iter_mut().take_while(|b| b.min[axis] <= a.max[axis]) {
                n_checks += 1;
                let overlap = a.min.cmple(b.max).all() && b.min.cmple(a.max).all();
                if overlap && a.body != b.body {
                    let kind = usize::from(!a.is_dynamic && !b.is_dynamic);
                    a.n_pairs[kind] += 1;
                    b.n_pairs[kind] += 1;
                }
            }
            if n_checks > MAX_CHECKS {
                break;
            }
        }
        shapes
    }

    fn swept(
        &self,
        collider: &Collider,
        targets: &HashMap<RigidBodyHandle, Pose>,
    ) -> Option<SweptShape> {
        let handle = collider.parent();
        let body = handle.and_then(|handle| self.rapier.bodies.get(handle));
        if !collider.is_enabled() || body.is_some_and(|body| !body.is_enabled()) {
            return None;
        }
        let pose = body.map_or(*collider.position(), |body| {
            let target = handle.and_then(|handle| targets.get(&handle));
            let in_body = collider.position_wrt_parent().copied().unwrap_or_default();
            *target.unwrap_or(body.position()) * in_body
        });
        let Aabb { mins, maxs } = collider.shape().compute_aabb(&pose);
        Some(SweptShape {
            min: mins - MARGIN,
            max: maxs + MARGIN,
            body: handle,
            is_dynamic: body.is_some_and(RigidBody::is_dynamic),
            n_pairs: [0; 2],
        })
    }
}

/// The axis with the largest spread of shapes.
fn widest_axis(shapes: &[SweptShape]) -> usize {
    let n = shapes.len().max(1) as f32;
    let centre = |shape: &SweptShape| (shape.min + shape.max) * 0.5;
    let mean = shapes.iter().map(centre).sum::<Vec3>() / n;
    let spread: Vec3 = shapes
        .iter()
        .map(|shape| (centre(shape) - mean).abs())
        .sum();
    spread.max_position()
}

#[cfg(test)]
mod tests {
    use rapier3d::prelude::{ColliderBuilder, RigidBodyBuilder};

    use super::*;

    fn add(world: &mut PhysicsWorld, at: Vec3) {
        let body = RigidBodyBuilder::dynamic().translation(at);
        world.rapier.insert(body, ColliderBuilder::ball(0.5));
        world.is_dirty = true;
    }

    #[test]
    fn of_bodies_at_one_position_the_newest_are_removed() {
        let mut world = PhysicsWorld::new();
        for i in 0..3000 {
            add(&mut world, Vec3::Y * (1e-4 * i as f32));
        }
        let oldest = world.rapier.bodies.iter().next().unwrap().0;
        let mut touches = Vec::new();
        world.step(1.0 / 60.0, &mut touches);
        assert_eq!(world.take_failures(), [EngineFailure::Crowded]);
        assert!(
            (150..400).contains(&world.n_bodies()),
            "{}",
            world.n_bodies()
        );
        assert!(world.rapier.bodies.contains(oldest));
        world.step(1.0 / 60.0, &mut touches);
        assert_eq!(world.take_failures(), []);
    }

    #[test]
    fn a_dense_heap_is_kept() {
        let mut world = PhysicsWorld::new();
        for i in 0..3375 {
            let at = [i % 15, i / 15 % 15, i / 225].map(|x| x as f32);
            add(&mut world, Vec3::from_array(at));
        }
        world.step(1.0 / 60.0, &mut Vec::new());
        assert_eq!(world.n_bodies(), 3375);
        assert_eq!(world.take_failures(), []);
    }

    #[test]
    fn overlapping_bodies_get_fewer_solver_iterations_and_single_ones_keep_theirs() {
        for (n, kept) in [(2, 20), (100, 15)] {
            let mut world = PhysicsWorld::new();
            for i in 0..n {
                add(&mut world, Vec3::Y * (1e-4 * i as f32));
            }
            for (_, body) in world.rapier.bodies.iter_mut() {
                body.set_additional_solver_iterations(20);
            }
            world.step(1.0 / 60.0, &mut Vec::new());
            assert_eq!(world.take_failures(), []);
            let mut bodies = world.rapier.bodies.iter();
            assert!(bodies.all(|(_, body)| body.additional_solver_iterations() == kept));
        }
    }

    #[test]
    fn shapes_of_few_bodies_do_not_raise_the_number_of_pairs() {
        let mut world = PhysicsWorld::new();
        for _ in 0..30 {
            let body = world.rapier.insert_body(RigidBodyBuilder::dynamic());
            for i in 0..200 {
                let step = ColliderBuilder::cuboid(0.5, 0.1, 0.1);
                let step = step.translation(Vec3::new(0.0, 0.15, 0.2) * i as f32);
                world.rapier.insert_collider(step, Some(body));
            }
        }
        world.is_dirty = true;
        world.step(1.0 / 60.0, &mut Vec::new());
        assert_eq!(world.take_failures(), [EngineFailure::Crowded]);
        assert!((5..25).contains(&world.n_bodies()), "{}", world.n_bodies());
    }

    #[test]
    fn bodies_without_contacts_with_each_other_are_kept() {
        let mut world = PhysicsWorld::new();
        for _ in 0..1500 {
            let body = RigidBodyBuilder::kinematic_position_based();
            world.rapier.insert(body, ColliderBuilder::ball(0.5));
        }
        world.is_dirty = true;
        world.step(1.0 / 60.0, &mut Vec::new());
        assert_eq!(world.n_bodies(), 1500);
        assert_eq!(world.take_failures(), []);
    }

    #[test]
    fn very_many_static_bodies_at_one_position_are_removed_too() {
        let mut world = PhysicsWorld::new();
        for _ in 0..400 {
            let body = world.rapier.insert_body(RigidBodyBuilder::fixed());
            for _ in 0..12 {
                let collider = ColliderBuilder::ball(0.5);
                world.rapier.insert_collider(collider, Some(body));
            }
        }
        world.is_dirty = true;
        world.step(1.0 / 60.0, &mut Vec::new());
        assert_eq!(world.take_failures(), [EngineFailure::Crowded]);
        assert!(
            (10..300).contains(&world.n_bodies()),
            "{}",
            world.n_bodies()
        );
    }

    #[test]
    fn bodies_seen_by_a_query_and_bodies_of_a_new_world_count_too() {
        for is_new in [false, true] {
            let mut world = PhysicsWorld::new();
            for _ in 0..1000 {
                add(&mut world, Vec3::Y);
            }
            match is_new {
                true => world.resume(&[], |_| true),
                false => world.refresh(),
            }
            world.step(1.0 / 60.0, &mut Vec::new());
            assert!(world.n_bodies() < 400, "{}", world.n_bodies());
        }
    }

    #[test]
    fn bodies_moved_to_one_position_count_too() {
        let mut world = PhysicsWorld::new();
        for i in 0..1000 {
            add(&mut world, Vec3::X * (3.0 * i as f32));
        }
        let mut touches = Vec::new();
        world.step(1.0 / 60.0, &mut touches);
        assert_eq!(world.n_bodies(), 1000);
        for (_, body) in world.rapier.bodies.iter_mut() {
            body.set_translation(Vec3::ZERO, true);
        }
        world.is_dirty = true;
        world.step(1.0 / 60.0, &mut touches);
        assert!(world.n_bodies() < 400, "{}", world.n_bodies());
    }
}
