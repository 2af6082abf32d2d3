//! Restores the body of a character after its model or its script was replaced: pose, velocity, health.

use glam::Affine3A;

use super::body::CharacterBody;
use super::definition::Definition;
use super::limbs::Limbs;
use super::rising::get_up_poses;
use galatea_anim::{Pose, Skeleton, local_to_model};
use galatea_physics::ragdoll::{BodyControl, Ragdoll};

impl CharacterBody {
    /// Takes over the body of the character that this one replaces after a hot reload, as far as both versions of the script
    /// set it up the same way. `same_spawn`: both versions spawn it at the same position. Its bodies are added to the new
    /// physics world in the next step. Returns true when limbs were taken over; the caller must then rebuild them.
    pub(super) fn take_over(&mut self, was: &mut Self, same_spawn: bool) -> bool {
        self.vitals
            .take_over(&was.vitals, &self.baseline.vitals, &was.baseline.vitals);
        if !same_spawn {
            return false;
        }
        if let (Some(solid), Some(before)) = (&mut self.prop_body, &was.prop_body)
            && solid.options == before.options
            && self.baseline.velocity == was.baseline.velocity
        {
            solid.velocity = before.velocity;
            solid.is_sleeping = before.is_sleeping;
            solid.nodes.clone_from(&before.nodes);
        }
        if self.baseline.limbs != was.baseline.limbs {
            return false;
        }
        self.limbs = was.limbs.take();
        if let Some(limbs) = &mut self.limbs {
            limbs.ragdoll.forget_world();
        }
        self.knockback = was.knockback;
        self.rising = was.rising.take();
        true
    }

    /// Forgets its physics world, which no longer exists: its bodies are added to another world in the next step.
    pub fn forget_world(&mut self) {
        if let Some(solid) = &mut self.prop_body {
            solid.left_world();
            for node in &mut solid.nodes {
                node.body = None;
            }
        }
        if let Some(limbs) = &mut self.limbs {
            limbs.ragdoll.forget_world();
        }
        if let Some(controller) = &mut self.controller {
            controller.left_world();
        }
    }

    /// Fits limbs made for an old version of the model to the new one. The limbs stay unchanged if the bodies are the same;
    /// otherwise new limbs start in the pose of the old ones. `world`: world-from-model matrix.
    pub(super) fn rebuild_limbs(
        &mut self,
        [old, new]: [&Definition; 2],
        pose: &Pose,
        world: Affine3A,
    ) {
        let bones = [&old.model.skeleton, &new.model.skeleton];
        if std::sync::Arc::ptr_eq(&old.model, &new.model) {
            return;
        }
        let names = bones.map(|skeleton| skeleton.bones().iter().map(|bone| &bone.name));
        let [before, now] = names;
        let is_same = before.eq(now);
        if let Some(rising) = &mut self.rising
            && !is_same
            && !rising.through.is_empty()
        {
            rising.through = get_up_poses(new, rising.from);
            rising.at = rising.at.min(rising.through.len());
        }
        let Some(limbs) = &mut self.limbs else {
            return;
        };
        let definition = new.ragdoll();
        if is_same && limbs.ragdoll.definition == *definition {
            limbs.ragdoll.definition = definition.clone();
            return;
        }
        if definition.bodies.is_empty() {
            self.limbs = None;
            return;
        }
        let matrices = pose_by_names([old, new], pose);
        let mut rebuilt = Limbs {
            state: limbs.state,
            is_temporary: limbs.is_temporary,
            back: limbs.back,
            settle_reported: limbs.settle_reported,
            stays_down: limbs.stays_down,
            requested: limbs
                .requested
                .is_some()
                .then(|| vec![BodyControl::Animated; definition.bodies.len()]),
            last_position: limbs.last_position,
            ..Limbs::new(definition.clone(), limbs.ragdoll.settings)
        };
        let scale = limbs.ragdoll.scale();
        rebuilt.ragdoll.aim(world, &matrices, scale);
        for (i, body) in definition.bodies.iter().enumerate() {
            let known = body_of_name(bones, &limbs.ragdoll, body.bone);
            let before = known.unwrap_or_else(|| {
                let above = definition
                    .joints
                    .iter()
                    .find(|link| usize::from(link.child) == i);
                let parent = above.map(|link| definition.bodies[usize::from(link.parent)].bone);
                parent
                    .and_then(|bone| body_of_name(bones, &limbs.ragdoll, bone))
                    .unwrap_or(0)
            });
            rebuilt
                .ragdoll
                .set_control(i, limbs.ragdoll.control(before));
            rebuilt.ragdoll.begin(i, limbs.ragdoll.velocity(before));
            rebuilt.rest[i] = limbs.rest.get(before).copied().unwrap_or_default();
            if let (Some(now), Some(was)) = (&mut rebuilt.requested, &limbs.requested) {
                now[i] = was.get(before).copied().unwrap_or_default();
            }
            rebuilt.dips[i] = limbs.dips.get(before).copied().unwrap_or_default();
        }
        **limbs = rebuilt;
    }
}

/// Returns the body that the old model has on the bone of the same name.
fn body_of_name(
    [old, new]: [&std::sync::Arc<Skeleton>; 2],
    ragdoll: &Ragdoll,
    bone: u16,
) -> Option<usize> {
    let bone = old.find(&new.bones().get(usize::from(bone))?.name)?;
    let mut bodies = ragdoll.definition.bodies.iter();
    bodies.position(|body| body.bone == bone)
}

/// Returns bone matrices of the new model, posed like the old model's bones of the same names.
fn pose_by_names([old, new]: [&Definition; 2], pose: &Pose) -> Vec<Affine3A> {
    let mut locals = new.rest.locals.clone();
    let skeletons = [old, new].map(|definition| &definition.model.skeleton);
    let first = new.ragdoll().bodies.first().map(|body| body.bone);
    for (i, bone) in skeletons[1].bones().iter().enumerate() {
        let known = skeletons[0].find(&bone.name);
        let known = known.and_then(|at| pose.locals.get(usize::from(at)));
        if let (Some(local), Some(known)) = (locals.get_mut(i), known) {
            local.rotation = known.rotation;
            if bone.parent.is_none() || first == Some(i as u16) {
                local.translation = known.translation;
            }
        }
    }
    let mut matrices = Vec::new();
    local_to_model(skeletons[1], &locals, &mut matrices);
    matrices
}
