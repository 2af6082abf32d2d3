//! What is under a capsule.

use glam::Vec3;

use super::GroundContact;
use super::capsule::{Capsule, PassThrough};
use crate::body_id::BodyId;
use crate::tag::Owner;
use crate::world::PhysicsWorld;

/// Ground under a capsule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct GroundBelow {
    pub ground: GroundContact,
    /// Metres from the soles down to where they stand on it.
    pub drop: f32,
    /// It is not too steep to stand on.
    pub firm: bool,
    /// It is an edge far from the middle of the capsule.
    pub outer: bool,
}

/// Share of the radius beyond which an edge is an outer one.
const OUTER: f32 = 0.8;

impl PhysicsWorld {
    /// What a capsule whose soles are at a place would stand on, at most `reach` metres below.
    pub(super) fn under(
        &self,
        owner: Owner,
        capsule: &Capsule,
        feet: Vec3,
        reach: f32,
        slope: f32,
    ) -> Option<GroundBelow> {
        let way = Vec3::NEG_Y * (reach + capsule.skin);
        // A little thinner: walls that it leans on are not under it.
        let thin = Capsule {
            radius: capsule.radius - 0.25 * capsule.skin,
            ..*capsule
        };
        let met = self.first_on_way(owner, &thin, feet, way, PassThrough::Nothing)?;
        let flattest = slope.cos() - 1e-4;
        if met.normal.y <= 1e-3 {
            return None;
        }
        let (face, outer) = self.face(owner, capsule, &met.position, met.normal);
        let firm = face.y >= flattest;
        let frame = met.body.and_then(|id| Some((id, self.frame(id)?)));
        Some(GroundBelow {
            ground: GroundContact {
                owner: met.owner,
                part: met.part,
                point: met.position,
                normal: face,
                contact: met.normal,
                body: frame.filter(|(id, _)| self.moves(*id)),
            },
            drop: met.distance - capsule.skin,
            firm,
            outer,
        })
    }

    /// The normal of the face of a contact, since capsules meet edges at a slant; and whether it is an
    /// outer edge.
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
        (found.normal, is_edge && out.length() > OUTER)
    }

    /// True when it may stand there: on the edge of a step, but not beyond that of a cliff.
    pub(super) fn carries(
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

    /// Up a step that stopped a capsule on its level way: as high as it must be to rest on the step's edge,
    /// so that it rolls over it. A step is at most `step` metres above `base`. Gives the way, if there is a
    /// step with room on it.
    pub(super) fn climb(
        &self,
        owner: Owner,
        capsule: &Capsule,
        feet: Vec3,
        rest: Vec3,
        (base, step): (f32, f32),
        slope: f32,
    ) -> Option<Vec3> {
        let (way, length) = (rest.try_normalize()?, rest.length());
        let most = step + capsule.skin;
        let above = self.first_on_way(owner, capsule, feet, Vec3::Y * most, PassThrough::Nothing);
        let rise = above.map_or(most, |met| (met.distance - capsule.skin / 2.0).min(most));
        if rise <= capsule.skin {
            return None;
        }
        // As far onto the step as the middle must be for its edge not to count as steep.
        let needed = capsule.radius * (1.05 - slope.sin()).max(0.1);
        let raised = feet + Vec3::Y * rise;
        let reach = length.max(needed) + capsule.skin;
        let ahead = self.first_on_way(owner, capsule, raised, way * reach, PassThrough::Nothing);
        let room = ahead.map_or(reach, |met| met.distance) - capsule.skin;
        if room < 0.999 * needed {
            return None;
        }
        let there = self.under(owner, capsule, raised + way * needed, rise, slope)?;
        if !there.firm || there.ground.point.y - base > step + 0.25 * capsule.skin {
            return None;
        }
        let go = way * length.min(room);
        let here = self.under(owner, capsule, raised + go, rise, slope)?;
        Some(go + Vec3::Y * (rise - here.drop))
    }

    fn moves(&self, id: BodyId) -> bool {
        self.body(id).is_some_and(|body| !body.is_fixed())
    }
}
