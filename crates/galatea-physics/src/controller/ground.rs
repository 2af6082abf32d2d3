//! Ground below a capsule.

use glam::Vec3;

use super::GroundContact;
use super::capsule::{Capsule, PassThrough};
use crate::body_id::BodyId;
use crate::tag::Owner;
use crate::world::PhysicsWorld;

/// Ground below a capsule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GroundBelow {
    pub ground: GroundContact,
    /// Distance from the soles down to their contact, metres.
    pub drop: f32,
    /// The ground is walkable: it is not too steep.
    pub firm: bool,
    /// The contact is an edge far from the middle of the capsule.
    pub outer: bool,
}

/// Fraction of the radius beyond which an edge counts as outer.
const OUTER_EDGE: f32 = 0.8;

impl PhysicsWorld {
    /// Finds the ground under a capsule with its soles at a position, at most `reach` metres below.
    pub(super) fn under(
        &self,
        owner: Owner,
        capsule: &Capsule,
        feet: Vec3,
        reach: f32,
        slope: f32,
    ) -> Option<GroundBelow> {
        let direction = Vec3::NEG_Y * (reach + capsule.skin);
        // Slightly thinner, so that walls it touches do not count as ground.
        let thin = Capsule {
            radius: capsule.radius - 0.25 * capsule.skin,
            ..*capsule
        };
        let hit = self.first_on_sweep(owner, &thin, feet, direction, PassThrough::Nothing)?;
        let flattest = slope.cos() - 1e-4;
        if hit.normal.y <= 1e-3 {
            return None;
        }
        let (face, outer) = self.face(owner, capsule, &hit.position, hit.normal);
        let firm = face.y >= flattest;
        let frame = hit.body.and_then(|id| Some((id, self.frame(id)?)));
        Some(GroundBelow {
            ground: GroundContact {
                owner: hit.owner,
                part: hit.part,
                point: hit.position,
                normal: face,
                contact: hit.normal,
                body: frame.filter(|(id, _)| self.can_move_body(*id)),
            },
            drop: hit.distance - capsule.skin,
            firm,
            outer,
        })
    }

    /// Normal of the face at a contact, because capsules touch edges at a slant, and true for an outer edge.
    fn face(&self, owner: Owner, capsule: &Capsule, point: &Vec3, contact: Vec3) -> (Vec3, bool) {
        let out = contact.with_y(0.0);
        let Some(away) = out.try_normalize().filter(|_| out.length() > 0.05) else {
            return (contact, false);
        };
        let near = 0.05 * capsule.radius;
        let from = *point - away * near + Vec3::Y * (4.0 * near);
        let found = self.first_on_ray(owner, capsule, from, 8.0 * near);
        let Some(found) = found.filter(|found| found.normal.y > 1e-3) else {
            return (contact, false);
        };
        let is_edge = found.normal.dot(contact) < 0.996;
        (found.normal, is_edge && out.length() > OUTER_EDGE)
    }

    /// Returns true if the ground supports a capsule: the edge of a step does, the outer edge of a cliff does not.
    pub(super) fn can_stand(
        &self,
        owner: Owner,
        capsule: &Capsule,
        feet: Vec3,
        under: &GroundBelow,
        step: f32,
    ) -> bool {
        let reach = step + 2.0 * capsule.radius;
        let from = feet + Vec3::Y * (capsule.radius - under.drop);
        under.firm && (!under.outer || self.first_on_ray(owner, capsule, from, reach).is_some())
    }

    /// Displacement up a step that stopped a level movement: high enough to rest on the step's edge, so that the capsule
    /// rolls over it. A step is at most `step` metres above `base`. `None` without a step with room on it.
    pub(super) fn climb(
        &self,
        owner: Owner,
        capsule: &Capsule,
        feet: Vec3,
        rest: Vec3,
        (base, step): (f32, f32),
        slope: f32,
    ) -> Option<Vec3> {
        let (direction, length) = (rest.try_normalize()?, rest.length());
        let max = step + capsule.skin;
        let above = self.first_on_sweep(owner, capsule, feet, Vec3::Y * max, PassThrough::Nothing);
        let rise = above.map_or(max, |hit| (hit.distance - capsule.skin / 2.0).min(max));
        if rise <= capsule.skin {
            return None;
        }
        // Far enough onto the step that its edge does not count as steep.
        let needed = capsule.radius * (1.05 - slope.sin()).max(0.1);
        let raised = feet + Vec3::Y * rise;
        let reach = length.max(needed) + capsule.skin;
        let ahead = self.first_on_sweep(
            owner,
            capsule,
            raised,
            direction * reach,
            PassThrough::Nothing,
        );
        let room = ahead.map_or(reach, |hit| hit.distance) - capsule.skin;
        if room < 0.999 * needed {
            return None;
        }
        let below_ahead = self.under(owner, capsule, raised + direction * needed, rise, slope)?;
        if !below_ahead.firm || below_ahead.ground.point.y - base > step + 0.25 * capsule.skin {
            return None;
        }
        let go = direction * length.min(room);
        let below = self.under(owner, capsule, raised + go, rise, slope)?;
        Some(go + Vec3::Y * (rise - below.drop))
    }

    fn can_move_body(&self, id: BodyId) -> bool {
        self.body(id).is_some_and(|body| !body.is_fixed())
    }
}
