//! Queries: ray casts, shape casts and overlaps.

use glam::Vec3;
use rapier3d::parry::query::ShapeCastOptions;
use rapier3d::prelude::{
    Collider, ColliderHandle, Group, InteractionGroups, InteractionTestMode, QueryFilter,
    QueryFilterFlags, Ray,
};

use super::body_id::BodyId;
use super::ragdoll::RigidFrame;
use super::shape::CollisionShape;
use super::shape_error::ShapeError;
use super::tag::{Owner, owner_of};
use super::world::{PhysicsWorld, clamped_pose};

/// Filter of a query.
#[derive(Clone, Debug)]
pub struct Filter<'a> {
    /// Bit mask of the layers that can be hit.
    pub layers: u32,
    /// Owners of ignored bodies.
    pub exclude: &'a [Owner],
    /// Includes sensors.
    pub sensors: bool,
}

impl Default for Filter<'_> {
    fn default() -> Self {
        Self {
            layers: u32::MAX,
            exclude: &[],
            sensors: false,
        }
    }
}

/// Hit of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryHit {
    /// Owner of the body that was hit.
    pub owner: Owner,
    /// Part index of that body.
    pub part: u16,
    /// Body that was hit; `None` for the floor.
    pub body: Option<BodyId>,
    /// Position of the hit, world space.
    pub position: Vec3,
    /// Surface normal at the hit, unit.
    pub normal: Vec3,
    /// Distance from the start, metres.
    pub distance: f32,
}

/// The point of a surface that is nearest to a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestSurface {
    /// World space.
    pub position: Vec3,
    /// The queried position is inside of the collider.
    pub is_inside: bool,
}

impl PhysicsWorld {
    /// Finds the nearest surface within `reach` metres of a position. Inside of a collider it is the nearest point of its
    /// surface, at any distance.
    pub fn nearest(&self, at: Vec3, reach: f32, filter: &Filter) -> Option<NearestSurface> {
        if !at.is_finite() || reach.is_nan() || reach <= 0.0 {
            return None;
        }
        let accepts = |_: ColliderHandle, collider: &Collider| is_accepted(collider, filter);
        let query = self
            .rapier
            .query_pipeline_with_filter(query(filter, &accepts));
        let found = self.guarded_query(|| query.project_point(at, reach, false));
        let (_, found) = found?;
        Some(NearestSurface {
            position: found.point,
            is_inside: found.is_inside,
        })
    }

    /// Casts a ray from a position along a unit direction, at most `reach` metres, and returns the first hit. A ray that
    /// starts inside a collider hits it at once.
    pub fn ray(
        &self,
        from: Vec3,
        direction: Vec3,
        reach: f32,
        filter: &Filter,
    ) -> Option<QueryHit> {
        if !from.is_finite() || !direction.is_finite() || reach.is_nan() || reach <= 0.0 {
            return None;
        }
        let direction = direction.try_normalize()?;
        let accepts = |_: ColliderHandle, collider: &Collider| is_accepted(collider, filter);
        let query = self
            .rapier
            .query_pipeline_with_filter(query(filter, &accepts));
        let ray = Ray::new(from, direction);
        let found =
            self.guarded_query(|| query.cast_ray_and_get_normal(&ray, reach.min(1e6), true));
        let (handle, found) = found?;
        let distance = found.time_of_impact;
        Some(self.hit(handle, from + direction * distance, found.normal, distance))
    }

    /// Casts a ray and returns all hits, the nearest first.
    pub fn ray_all(
        &self,
        from: Vec3,
        direction: Vec3,
        reach: f32,
        filter: &Filter,
    ) -> Vec<QueryHit> {
        let Some(direction) = direction.try_normalize() else {
            return Vec::new();
        };
        if !from.is_finite() || reach.is_nan() || reach <= 0.0 {
            return Vec::new();
        }
        let accepts = |_: ColliderHandle, collider: &Collider| is_accepted(collider, filter);
        let query = self
            .rapier
            .query_pipeline_with_filter(query(filter, &accepts));
        let ray = Ray::new(from, direction);
        let mut hits: Vec<QueryHit> = self.guarded_query(|| {
            let found = query.intersect_ray(ray, reach.min(1e6), true);
            let hits = found.map(|(handle, _, found)| {
                let distance = found.time_of_impact;
                self.hit(handle, from + direction * distance, found.normal, distance)
            });
            hits.collect()
        });
        hits.sort_by(|a, b| {
            let by_place = a.distance.total_cmp(&b.distance);
            by_place.then((a.owner, a.part).cmp(&(b.owner, b.part)))
        });
        hits
    }

    /// Moves a shape from a frame by an offset, metres, and returns the first hit.
    ///
    /// # Errors
    /// Fails if the shape is invalid.
    pub fn cast(
        &self,
        shape: &CollisionShape,
        from: RigidFrame,
        offset: Vec3,
        filter: &Filter,
    ) -> Result<Option<QueryHit>, ShapeError> {
        let shape = shape.shared(1.0)?;
        let length = offset.length();
        if !length.is_finite() || length <= 0.0 || !from.is_finite() {
            return Ok(None);
        }
        let accepts = |_: ColliderHandle, collider: &Collider| is_accepted(collider, filter);
        let query = self
            .rapier
            .query_pipeline_with_filter(query(filter, &accepts));
        let options = ShapeCastOptions {
            max_time_of_impact: 1.0,
            stop_at_penetration: true,
            compute_impact_geometry_on_penetration: true,
            ..ShapeCastOptions::default()
        };
        let found =
            self.guarded_query(|| query.cast_shape(&clamped_pose(from), offset, &*shape, options));
        Ok(found.map(|(handle, found)| {
            // The first witness point is on the hit collider, world space.
            let distance = found.time_of_impact * length;
            self.hit(handle, found.witness1, found.normal1, distance)
        }))
    }

    /// All parts that a shape overlaps, each once, sorted by owner.
    ///
    /// # Errors
    /// Fails if the shape is invalid.
    pub fn overlaps(
        &self,
        shape: &CollisionShape,
        at: RigidFrame,
        filter: &Filter,
    ) -> Result<Vec<(Owner, u16)>, ShapeError> {
        let shape = shape.shared(1.0)?;
        let accepts = |_: ColliderHandle, collider: &Collider| is_accepted(collider, filter);
        let query = self
            .rapier
            .query_pipeline_with_filter(query(filter, &accepts));
        let mut found: Vec<(Owner, u16)> = self.guarded_query(|| {
            let hits = query.intersect_shape(clamped_pose(at), &*shape);
            hits.map(|(_, collider)| owner_of(collider)).collect()
        });
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Dynamic bodies that overlap a shape, sorted by owner.
    ///
    /// # Errors
    /// Fails if the shape is invalid.
    pub fn bodies_in(
        &self,
        shape: &CollisionShape,
        at: RigidFrame,
        filter: &Filter,
    ) -> Result<Vec<(Owner, BodyId)>, ShapeError> {
        let shape = shape.shared(1.0)?;
        let accepts = |_: ColliderHandle, collider: &Collider| is_accepted(collider, filter);
        let query = self
            .rapier
            .query_pipeline_with_filter(query(filter, &accepts));
        let mut found: Vec<_> = self.guarded_query(|| {
            let hits = query.intersect_shape(clamped_pose(at), &*shape);
            hits.filter_map(|(_, collider)| Some((owner_of(collider), collider.parent()?)))
                .filter(|(_, body)| {
                    let body = self.rapier.bodies.get(*body);
                    body.is_some_and(|body| body.is_dynamic())
                })
                .collect()
        });
        found.sort_unstable_by_key(|(owner, body)| (*owner, body.into_raw_parts()));
        found.dedup();
        Ok(found
            .into_iter()
            .map(|((owner, _), body)| (owner, self.id(body)))
            .collect())
    }

    fn hit(&self, handle: ColliderHandle, position: Vec3, normal: Vec3, distance: f32) -> QueryHit {
        let collider = self.rapier.colliders.get(handle);
        let (owner, part) = collider.map_or((Owner::FLOOR_OWNER, 0), owner_of);
        QueryHit {
            owner,
            part,
            body: collider
                .and_then(Collider::parent)
                .map(|body| self.id(body)),
            position,
            normal,
            distance,
        }
    }
}

pub(super) fn query<'a>(
    filter: &Filter,
    accepts: &'a impl Fn(ColliderHandle, &Collider) -> bool,
) -> QueryFilter<'a> {
    let mut engine_filter =
        QueryFilter::default()
            .predicate(accepts)
            .groups(InteractionGroups::new(
                Group::ALL,
                Group::from_bits_retain(filter.layers),
                InteractionTestMode::And,
            ));
    if !filter.sensors {
        engine_filter.flags |= QueryFilterFlags::EXCLUDE_SENSORS;
    }
    engine_filter
}

pub(super) fn is_accepted(collider: &Collider, filter: &Filter) -> bool {
    !filter.exclude.contains(&owner_of(collider).0)
}
