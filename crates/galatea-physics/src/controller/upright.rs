//! Closed-form queries between upright capsules. The general algorithms of parry (GJK, EPA) take a thousand times as long
//! for capsules at the same position.

use glam::Vec3;
use rapier3d::parry::query::{
    ClosestPoints, Contact, DefaultQueryDispatcher as Parry, NonlinearRigidMotion, QueryDispatcher,
    ShapeCastHit, ShapeCastOptions, ShapeCastStatus, ShapeDistance, ShapeIntersection, Unsupported,
};
use rapier3d::parry::shape::{Capsule, Shape};
use rapier3d::prelude::Pose;

/// Queries of controllers: closed forms for two upright capsules, parry for everything else.
pub(super) struct CapsuleQueries;

/// Two upright capsules, in the frame of the first.
struct Pair {
    /// Half length of each segment, metres.
    halves: [f32; 2],
    radii: [f32; 2],
    /// Vector from the middle of the first to that of the second.
    offset: Vec3,
}

impl Pair {
    fn new(pos12: &Pose, first: &dyn Shape, second: &dyn Shape) -> Option<Self> {
        let is_upright = (pos12.rotation * Vec3::Y).y.abs() > 1.0 - 1e-6;
        let capsules = first.as_capsule().zip(second.as_capsule());
        let (first, second) = capsules.filter(|_| is_upright)?;
        Some(Self {
            halves: [half(first)?, half(second)?],
            radii: [first.radius, second.radius],
            offset: pos12.translation,
        })
    }

    /// Heights of the nearest points of the two segments, with the second one `offset` from the first. Where they overlap in
    /// height, the middle of the overlap.
    fn heights(&self, offset: Vec3) -> [f32; 2] {
        let [first, second] = self.halves;
        let (low, high) = (offset.y - second, offset.y + second);
        if low >= first {
            [first, low]
        } else if high <= -first {
            [-first, high]
        } else {
            let middle = f32::midpoint(low.max(-first), high.min(first));
            [middle, middle]
        }
    }

    /// Contact with the second one at an offset; points are in the frames of their capsules.
    fn contact(&self, pos12: &Pose, offset: Vec3) -> Contact {
        let [first, second] = self.heights(offset);
        let (from, to) = (Vec3::Y * first, offset.with_y(second));
        let between = to - from;
        // At the same position every direction outwards is equally short.
        let normal = between.try_normalize().unwrap_or(Vec3::X);
        let local = |world: Vec3| pos12.rotation.inverse() * world;
        Contact {
            point1: from + normal * self.radii[0],
            point2: local(to - normal * self.radii[1] - offset),
            normal1: normal,
            normal2: local(-normal),
            dist: between.length() - self.radii[0] - self.radii[1],
            subshape1: 0,
            subshape2: 0,
        }
    }

    /// Time at which the second one, moving at a velocity, is `gap` away: a ray against a capsule with the sums of lengths
    /// and radii (Minkowski sum).
    fn time_of_impact(&self, velocity: Vec3, gap: f32) -> Option<f32> {
        let half = self.halves[0] + self.halves[1];
        let radius = self.radii[0] + self.radii[1] + gap;
        let level = Vec3::new(1.0, 0.0, 1.0);
        let side = first_root(self.offset * level, velocity * level, radius)
            .filter(|time| (self.offset.y + velocity.y * time).abs() <= half);
        let cap = |y: f32| first_root(self.offset - Vec3::Y * y, velocity, radius);
        let times = [side, cap(half), cap(-half)];
        times.into_iter().flatten().min_by(f32::total_cmp)
    }

    /// First contact of the second one, moving at a velocity.
    fn cast(
        &self,
        pos12: &Pose,
        velocity: Vec3,
        options: ShapeCastOptions,
    ) -> Option<ShapeCastHit> {
        let now = self.contact(pos12, self.offset);
        let is_within = now.dist < options.target_distance;
        let time = if is_within {
            let parts = !options.stop_at_penetration && now.normal1.dot(velocity) >= 0.0;
            (!parts).then_some(0.0)?
        } else {
            self.time_of_impact(velocity, options.target_distance)?
        };
        if time > options.max_time_of_impact {
            return None;
        }
        let at = self.contact(pos12, self.offset + velocity * time);
        Some(ShapeCastHit {
            time_of_impact: time,
            witness1: at.point1,
            witness2: at.point2,
            normal1: at.normal1,
            normal2: at.normal2,
            status: if is_within {
                ShapeCastStatus::PenetratingOrWithinTargetDist
            } else {
                ShapeCastStatus::Converged
            },
            subshape1: 0,
            subshape2: 0,
        })
    }
}

/// Half length of the segment of a capsule that is vertical above its origin.
fn half(capsule: &Capsule) -> Option<f32> {
    let [a, b] = [capsule.segment.a, capsule.segment.b];
    let is_centred = a == -b && a.x == 0.0 && a.z == 0.0;
    is_centred.then_some(a.y.abs())
}

/// Time at which a point outside of a sphere around the origin enters it.
fn first_root(from: Vec3, velocity: Vec3, radius: f32) -> Option<f32> {
    let (a, b) = (velocity.length_squared(), from.dot(velocity));
    let c = from.length_squared() - radius * radius;
    let under = b * b - a * c;
    (b < 0.0 && under >= 0.0 && c >= 0.0).then(|| c / (under.sqrt() - b))
}

impl QueryDispatcher for CapsuleQueries {
    fn intersection_test(
        &self,
        pos12: &Pose,
        first: &dyn Shape,
        second: &dyn Shape,
    ) -> Result<ShapeIntersection, Unsupported> {
        match Pair::new(pos12, first, second) {
            Some(pair) => Ok((pair.contact(pos12, pair.offset).dist <= 0.0).into()),
            None => Parry.intersection_test(pos12, first, second),
        }
    }

    fn contact(
        &self,
        pos12: &Pose,
        first: &dyn Shape,
        second: &dyn Shape,
        prediction: f32,
    ) -> Result<Option<Contact>, Unsupported> {
        let Some(pair) = Pair::new(pos12, first, second) else {
            return Parry.contact(pos12, first, second, prediction);
        };
        let contact = pair.contact(pos12, pair.offset);
        Ok((contact.dist <= prediction).then_some(contact))
    }

    fn cast_shapes(
        &self,
        pos12: &Pose,
        velocity: Vec3,
        first: &dyn Shape,
        second: &dyn Shape,
        options: ShapeCastOptions,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        match Pair::new(pos12, first, second) {
            Some(pair) => Ok(pair.cast(pos12, velocity, options)),
            None => Parry.cast_shapes(pos12, velocity, first, second, options),
        }
    }

    fn distance(
        &self,
        pos12: &Pose,
        first: &dyn Shape,
        second: &dyn Shape,
    ) -> Result<ShapeDistance, Unsupported> {
        Parry.distance(pos12, first, second)
    }

    fn closest_points(
        &self,
        pos12: &Pose,
        first: &dyn Shape,
        second: &dyn Shape,
        reach: f32,
    ) -> Result<ClosestPoints, Unsupported> {
        Parry.closest_points(pos12, first, second, reach)
    }

    fn cast_shapes_nonlinear(
        &self,
        motion1: &NonlinearRigidMotion,
        first: &dyn Shape,
        motion2: &NonlinearRigidMotion,
        second: &dyn Shape,
        start: f32,
        end: f32,
        stops: bool,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        Parry.cast_shapes_nonlinear(motion1, first, motion2, second, start, end, stops)
    }
}

#[cfg(test)]
mod tests;
