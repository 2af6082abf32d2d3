//! Runs the modifiers of a character on its pose.

use glam::Vec3;

use super::instance::Character;
use super::stack::{Pass, Stack, StackBody, StackInput, StackPose};

/// The stack of a character, the data that it reads, and the pose that it changes.
struct Split<'a> {
    stack: &'a mut Stack,
    body: StackBody<'a>,
    out: StackPose<'a>,
}

impl Character {
    /// Advances the weights of the modifiers by `dt` seconds, once per tick. `eye`: position of the camera.
    pub fn begin_stack(&mut self, pass: Pass, dt: f32, eye: Vec3) {
        // A character that begins to fall starts from the modified pose, with its velocity.
        let is_up = self.body.rising.is_none()
            && (self.body.limbs.as_ref()).is_none_or(|l| !l.is_down() || !l.ragdoll.is_in_world());
        if let Some(Split { stack, body, out }) = self.split() {
            stack.begin(pass, &body, &out.pose.curves, is_up, dt, eye);
        }
    }

    /// Applies the modifiers from index `from` on. Stops before a script's modifier, which acts before the rest (see
    /// [`Stack::stop`]). The bone matrices match the pose at each stop and at the end.
    pub fn apply_stack(&mut self, pass: Pass, from: usize, input: &StackInput<'_>) {
        if let Some(Split { stack, body, out }) = self.split() {
            stack.apply(&body, out, pass, from, input);
        }
    }

    fn split(&mut self) -> Option<Split<'_>> {
        let stack = self.modifiers.stack.as_deref_mut()?;
        let limbs = self.body.limbs.as_ref();
        let posed = &mut self.posed;
        let body = StackBody {
            playing: self.playback.playing(&self.definition),
            placement: self.placement,
            world_from_model: posed.world[0],
            controller: self.body.controller.as_deref(),
            is_attached: self.attachment.is_some(),
            // Limbs that become bodies in the next step still have the modified pose.
            has_bodies: limbs.is_some_and(|l| !l.ragdoll.is_new()),
            is_dead: self.body.vitals.dead,
            turns_to_look: self.locomotion.is_turning_to_look(),
            morph_overrides: &posed.morph_overrides,
        };
        let out = StackPose {
            pose: &mut posed.pose,
            model_from_bone: &mut posed.model_from_bone,
        };
        Some(Split { stack, body, out })
    }

    /// Steps towards targets that the hands cannot reach, by a tick of `dt` seconds, while nothing else moves the character.
    pub fn step_in(&mut self, dt: f32) {
        let stands = self.stands_still();
        let Some(stack) = &mut self.modifiers.stack else {
            return;
        };
        let stepped = stack.step_in(stands, self.placement, self.posed.world[0], dt);
        if let Some(turns) = &mut self.locomotion.turns {
            turns.by_reach = stepped.face;
        } else if stepped.face.is_some() {
            self.locomotion.turns.get_or_insert_default().by_reach = stepped.face;
        }
        match &mut self.body.controller {
            Some(controller) => controller.travel += stepped.step,
            None => self.placement.position += stepped.step,
        }
    }
}
