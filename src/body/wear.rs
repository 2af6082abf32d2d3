//! What single forms of a thing have of their own.

use rapier3d::prelude::ActiveCollisionTypes;

use super::solid::{Surface, Wear};
use super::world::{BodyId, World, wear};

impl World {
    /// Gives the forms of a thing what they have of their own, in their order. `surface` knows what things
    /// are made of.
    pub fn dress(&mut self, body: BodyId, own: &[Wear], surface: impl Fn(&str) -> Surface) {
        let Some(colliders) = self.body(body).map(|body| body.colliders().to_vec()) else {
            return;
        };
        for (handle, own) in colliders.into_iter().zip(own) {
            let groups = own.layer.map(|layer| self.groups(layer));
            let Some(collider) = self.rapier.colliders.get_mut(handle) else {
                continue;
            };
            if let Some(groups) = groups {
                collider.set_collision_groups(groups);
            }
            if let Some(mass) = own.mass {
                collider.set_mass(mass.max(1e-3));
            }
            if own.sensor {
                collider.set_sensor(true);
                collider.set_active_collision_types(ActiveCollisionTypes::all());
            }
            if own.surface.is_some() || own.friction.is_some() || own.bounce.is_some() {
                let friction = collider.friction() * collider.friction();
                let made_of = own.surface.as_deref().map(&surface);
                let (friction, bounce) = made_of
                    .map_or((friction, collider.restitution()), |surface| {
                        (surface.friction, surface.bounce)
                    });
                wear(
                    collider,
                    own.friction.unwrap_or(friction),
                    own.bounce.unwrap_or(bounce),
                );
            }
        }
        // A mass of its own counts from now on, not from the next step.
        let colliders = &self.rapier.colliders;
        if let Some(body) = self.rapier.bodies.get_mut(body.handle) {
            body.recompute_mass_properties_from_colliders(colliders);
        }
        self.is_dirty = true;
    }
}
