//! Grabbing by scripts: objects and limbs that are picked up, dragged and thrown.

use glam::Vec3;

use super::physics::{Physics, StageGrab};
use super::{Arena, Bodies, Handle, nodes};
use galatea_character::{Character, LimbState};
use galatea_physics::{BodyId, BodyType, GrabSpring, PhysicsWorld, RigidFrame};

/// Default force, newtons for each kilogram.
const FORCE_PER_KG: f32 = 200.0;

/// Still time given to a grabbed ragdoll, seconds. It damps the limbs.
const STILL_TIME: f32 = 0.15;

impl Bodies<'_> {
    /// Grabs a dynamic object, or a character's limb, at a world position. A standing character falls. Returns the id of the
    /// grab; `None` if there is nothing to grab.
    pub fn grab(
        &mut self,
        handle: Handle,
        bone: Option<u16>,
        at: Vec3,
        frequency: f32,
        force: Option<f32>,
    ) -> Option<u64> {
        let character = self.characters.get(handle)?;
        let solid = character.body.prop_body.as_ref();
        let limb = if let Some(solid) = solid {
            if solid.options.body_type == BodyType::Dynamic {
                None
            } else {
                Some(nodes::nearest_free(&self.physics.world, solid, at)?)
            }
        } else {
            let skeleton = character.definition.model.skeleton.clone();
            let is_free = |bodies: &Self, limb: usize| {
                let limbs = bodies
                    .characters
                    .get(handle)
                    .and_then(|c| c.body.limbs.as_ref());
                limbs.is_some_and(|limbs| limbs.ragdoll.control(limb).is_free())
            };
            let limbs = self.characters.limbs(handle)?;
            let named = bone.and_then(|bone| limbs.ragdoll.body_of(&skeleton, bone));
            let limb = named.or_else(|| limbs.ragdoll.nearest(at)).unwrap_or(0);
            if !is_free(self, limb) {
                self.knock_down(handle);
            }
            Some(limb)
        };
        let id = self.ids.new_id();
        self.physics.grabs.push(StageGrab {
            id,
            character: handle,
            limb,
            position: at,
            target: at,
            frequency,
            max_force: force,
            is_held: None,
        });
        Some(id)
    }

    /// Releases a grab; the body keeps its velocity.
    pub fn release(&mut self, id: u64) {
        let physics = &mut self.physics;
        if let Some(i) = physics.grabs.iter().position(|grab| grab.id == id) {
            let grab = physics.grabs.remove(i);
            if let Some(held) = &grab.is_held {
                physics.world.release(held);
            }
        }
    }
}

/// Before the physics step: drags grabbed bodies. Grabs end when their body is removed or attached to a bone.
pub(super) fn hold(physics: &mut Physics, characters: &mut Arena<Character>) {
    let Physics { world, grabs, .. } = physics;
    grabs.retain_mut(|grab| {
        let found = characters
            .get_mut(grab.character)
            .and_then(|character| body_of(world, character, grab.limb));
        let Some((body, mass)) = found else {
            if let Some(held) = grab.is_held.take() {
                world.release(&held);
            }
            return false;
        };
        if grab
            .is_held
            .as_ref()
            .is_some_and(|held| world.drag(held, grab.target))
        {
            return true;
        }
        let Some(at) = world.frame(body) else {
            return true;
        };
        let grip = GrabSpring {
            frequency: grab.frequency,
            mass,
            max_force: grab.max_force.unwrap_or(FORCE_PER_KG * mass),
        };
        grab.is_held = world.grab(
            body,
            RigidFrame::inverse(at).point(grab.position),
            grab.target,
            grip,
        );
        true
    });
}

/// The body that is grabbed, and the mass that hangs on it in kilograms.
fn body_of(
    world: &PhysicsWorld,
    character: &mut Character,
    limb: Option<usize>,
) -> Option<(BodyId, f32)> {
    if let Some(solid) = &character.body.prop_body {
        let body = limb.map_or(solid.body(), |i| solid.nodes.get(i)?.body)?;
        return Some((body, world.mass(body)));
    }
    let limb = limb?;
    let limbs = character.body.limbs.as_mut()?;
    // A ragdoll in the air does not rest; its swinging is damped.
    if let LimbState::Down { still, .. } = &mut limbs.state {
        *still = STILL_TIME;
    }
    let body = limbs.ragdoll.body(limb)?;
    let all = 0..limbs.ragdoll.len();
    Some((body, all.map(|i| limbs.ragdoll.mass(i)).sum()))
}
