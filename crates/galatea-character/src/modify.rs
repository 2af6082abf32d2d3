//! Runs the modifiers of a character on its pose.

use glam::Vec3;

use super::instance::Character;
use super::modifier_stack::{
    ModifierStack, ModifierStackBody, ModifierStackInput, ModifierStackPose, Pass,
};

/// The stack of a character, the data that it reads, and the pose that it changes.
struct Split<'a> {
    modifier_stack: &'a mut ModifierStack,
    body: ModifierStackBody<'a>,
    out: ModifierStackPose<'a>,
}

impl Character {
    /// Advances the weights of the modifiers by `dt` seconds, once per tick. `eye`: position of the camera.
    pub fn begin_modifier_stack(&mut self, pass: Pass, dt: f32, eye: Vec3) {
        // A character that begins to fall starts from the modified pose, with its velocity.
        let is_up = self.body.rising.is_none()
            && (self.body.limbs.as_ref()).is_none_or(|l| !l.is_down() || !l.ragdoll.is_in_world());
        if let Some(Split {
            modifier_stack: stack,
            body,
            out,
        }) = self.split()
        {
            stack.begin(pass, &body, &out.pose.curves, is_up, dt, eye);
        }
    }

    /// Applies the modifiers from index `from` on. Stops before a script's modifier, which acts before the rest (see
    /// [`ModifierStack::stop`]). The bone matrices match the pose at each stop and at the end.
    pub fn apply_modifier_stack(
        &mut self,
        pass: Pass,
        from: usize,
        input: &ModifierStackInput<'_>,
    ) {
        if let Some(Split {
            modifier_stack: stack,
            body,
            out,
        }) = self.split()
        {
            stack.apply(&body, out, pass, from, input);
        }
    }

    fn split(&mut self) -> Option<Split<'_>> {
        let stack = self.modifiers.modifier_stack.as_deref_mut()?;
        let limbs = self.body.limbs.as_ref();
        let posed = &mut self.posed;
        let body = ModifierStackBody {
            playing: self.playback.playing(&self.definition),
            placement: self.placement,
            world_from_model: posed.world[0],
            controller: self.body.controller.as_deref(),
            is_attached: self.attachment.is_some(),
            // Limbs that become bodies in the next step still have the modified pose.
            has_bodies: limbs.is_some_and(|l| !l.ragdoll.is_new()),
            is_dead: self.body.vitals.is_dead,
            turns_to_gaze: self.locomotion.is_turning_to_look(),
            morph_overrides: &posed.morph_overrides,
        };
        let out = ModifierStackPose {
            pose: &mut posed.pose,
            model_from_bone: &mut posed.model_from_bone,
        };
        Some(Split {
            modifier_stack: stack,
            body,
            out,
        })
    }

    /// Steps towards targets that the hands cannot reach, by a tick of `dt` seconds, while nothing else moves the character.
    pub fn step_in(&mut self, dt: f32) {
        let stands = self.stands_still();
        let Some(stack) = &mut self.modifiers.modifier_stack else {
            return;
        };
        let stepped = stack.step_in(stands, self.placement, self.posed.world[0], dt);
        if let Some(turns) = &mut self.locomotion.turning_in_place {
            turns.reach_yaw = stepped.face;
        } else if stepped.face.is_some() {
            self.locomotion
                .turning_in_place
                .get_or_insert_default()
                .reach_yaw = stepped.face;
        }
        match &mut self.body.controller {
            Some(controller) => controller.root_translation += stepped.step,
            None => self.placement.position += stepped.step,
        }
    }
}
