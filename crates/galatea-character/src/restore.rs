//! Restores the state of a character after its model was replaced or the script that made it was reloaded.

use std::sync::Arc;

use super::definition::Definition;
use super::instance::Character;
use super::metrics::Metrics;
use super::restore_playback::{LostInterval, Replaced};
use galatea_machine::Problem;

impl Character {
    /// Replaces the model by a new version of it. Binds the state machine to the new version. Playback continues by the
    /// names of clips and bones; actions end if their clips no longer exist.
    ///
    /// # Errors
    /// Returns the parts of the state machine that do not fit the new version; in this case nothing changes.
    pub fn replace_definition(
        &mut self,
        definition: Arc<Definition>,
    ) -> Result<Replaced, Vec<Problem>> {
        let bound = self.playback.bound_to(&definition)?;
        self.playback.keep_names(&self.definition, |_| true);
        let old = std::mem::replace(&mut self.definition, definition);
        let new = &*self.definition;
        let replaced = self.playback.rebind(bound, &old, new);
        let scale = self.placement.scale;
        if self.metrics.is_some() {
            self.metrics = Some(Box::new(Metrics::new(new, scale)));
        }
        self.posed.rebind_overrides(&old, new);
        if let Some(stack) = &mut self.modifiers.modifier_stack {
            stack.rebind(new);
        }
        let appearance = &mut self.appearance;
        if let Some(likeness) = &mut appearance.face_shapes {
            likeness.rebind(new);
        }
        self.secondary.rebind(&old.model.skeleton, new);
        self.body.refit_springs(new, &mut self.secondary);
        appearance.hide_again(&old, new);
        let (pose, world) = (&self.posed.pose, self.posed.world[0]);
        self.body.rebuild_limbs([&old, new], pose, world);
        appearance.surface.rebind(&old.model, &new.model);
        appearance.wrinkles.rebind(old.wrinkles(), new.wrinkles());
        appearance.decals.put_again([&old, &self.definition], scale);
        Ok(replaced)
    }

    /// Takes over the state of the character that this one replaces after a hot reload: its position (unless the script now
    /// spawns it elsewhere), playback, body, face and decals. Each part is taken over only if both versions of the script
    /// set it up the same way. Returns the open intervals that ended with the reload.
    pub fn take_over(&mut self, mut was: Self) -> Vec<LostInterval> {
        was.playback.keep_names(&was.definition, |_| true);
        if was.spawn == self.spawn {
            self.placement = was.placement;
            self.interactions.swung = std::mem::take(&mut was.interactions.swung);
        }
        let lost = self
            .playback
            .take_over(&self.definition, was.playback, &was.definition);
        if self.body.take_over(&mut was.body, self.spawn == was.spawn) {
            if self.body.rising.is_some() {
                self.posed.settling = was.posed.settling.take();
            }
            let (pose, world) = (&was.posed.pose, was.posed.world[0]);
            self.body
                .rebuild_limbs([&was.definition, &self.definition], pose, world);
        }
        if let Some(was) = was.modifiers.modifier_stack {
            self.modifiers.modifier_stack_mut().take_over(*was);
        }
        if let Some(was) = was.appearance.face_shapes
            && was.began_as(self.appearance.face_shapes.as_deref())
        {
            let own = self.appearance.face_shapes_mut(&self.definition);
            own.take_over(*was, &self.definition);
        }
        self.secondary.take_over(&was.secondary);
        let definitions = [&was.definition, &self.definition];
        let scale = self.placement.scale;
        self.appearance
            .decals
            .take_over(was.appearance.decals, definitions, scale);
        if let (Some(controller), Some(was)) = (&mut self.body.controller, was.body.controller) {
            controller.continue_from(*was);
        }
        self.locomotion.motion_warp = self
            .locomotion
            .motion_warp
            .take()
            .or(was.locomotion.motion_warp);
        if was.metrics.is_some() {
            self.enable_metrics();
        }
        lost
    }

    /// Records the state at the end of the script's main part.
    pub fn record_baseline(&mut self) {
        self.appearance.record_baseline();
        self.body.record_baseline();
        if let Some(stack) = &mut self.modifiers.modifier_stack {
            stack.record_baseline();
        }
    }
}
