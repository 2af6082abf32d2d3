//! What is under a capsule.

use glam::Vec3;

use super::Ground;
use super::capsule::Capsule;
use crate::body::world::{BodyId, Owner, World};

/// Ground under a capsule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Under {
    pub ground: Ground,
    /// Metres from the soles down to where they stand on it.
    pub drop: f32,
    /// It is not too steep to stand on.
    pub firm: bool,
}

/// Share of the radius beyond which an edge under the capsule does not carry it.
const PERCH: f32 = 0.8;

impl World {
    /// What a capsule whose soles are at a place would stand on, at most `reach` metres below.
    pub(super) fn under(
        &self,
        owner: Owner,
        capsule: &Capsule,
        feet: Vec3,
        reach: f32,
        slope: f32,
    ) -> Option<Under> {
        let way = Vec3::NEG_Y * (reach + capsule.skin);
        // A little thinner: walls that it leans on are not under it.
        let thin = Capsule {
            radius: capsule.radius - 0.25 * capsule.skin,
            ..*capsule
        };
        let met = self.first_on_way(owner, &thin, feet, way, None)?;
        let flattest = slope.cos() - 1e-4;
        if met.normal.y <= 1e-3 {
            return None;
        }
        let (face, perched) = self.face(owner, capsule, &met.position, met.normal);
        let firm = face.y >= flattest && !perched;
        let frame = met.body.and_then(|id| Some((id, self.frame(id)?)));
        Some(Under {
            ground: Ground {
                owner: met.owner,
                point: met.position,
                normal: face,
                contact: met.normal,
                body: frame.filter(|(id, _)| self.moves(*id)),
            },
            drop: met.distance - capsule.skin,
            firm,
        })
    }

    /// The normal of the face of a contact, since capsules meet edges at a slant; and whether it is an edge
    /// too far out to stand on.
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
        (found.normal, is_edge && out.length() > PERCH)
    }

    fn moves(&self, id: BodyId) -> bool {
        self.body(id).is_some_and(|body| !body.is_fixed())
    }
}
