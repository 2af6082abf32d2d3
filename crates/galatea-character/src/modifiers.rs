//! Runs the modifiers of a character on its pose.

use glam::Vec3;

use super::instance::Character;
use super::stack::{
    Facing, Goal, Kind, Living, MOST_MODIFIERS, Modifier, Pass, Stack, StackBody, StackInput,
    StackPose, Weight,
};
use galatea_rig::Posed;
use galatea_rig::alive::{Alive, AliveInput, AliveOptions};

/// The modifiers of a character.
#[derive(Clone, Debug)]
pub struct Modifiers {
    /// Made with the first modifier.
    pub stack: Option<Box<Stack>>,
}

impl Character {
    /// What its modifiers go after, where in the stack, and which of those of one modifier.
    pub fn goals(&self) -> impl Iterator<Item = ([usize; 2], Goal)> + '_ {
        self.modifiers.stack.iter().flat_map(|stack| stack.goals())
    }

    /// True when some of its modifiers act in a pass. Those of one without bodies act last.
    pub fn acts(&self, pass: Pass) -> bool {
        self.modifiers.stack.is_some() && (pass == Pass::Last || self.body.limbs.is_some())
    }

    /// Moves the weights of its modifiers on by `dt` seconds, once in a tick. `eye`: where the camera is.
    pub fn begin_stack(&mut self, pass: Pass, dt: f32, eye: Vec3) {
        let Some(mut stack) = self.modifiers.stack.take() else {
            return;
        };
        // Who begins to fall does so from where the modifiers have the limbs, and at their speed.
        let is_up = self.body.rising.is_none()
            && (self.body.limbs.as_ref()).is_none_or(|l| !l.is_down() || !l.ragdoll.is_in_world());
        let curves = &self.posed.pose.curves;
        stack.begin(pass, &self.stack_body(), curves, is_up, dt, eye);
        self.modifiers.stack = Some(stack);
    }

    /// Its modifiers act, from the one at a place on. Stops before one of a script, which is to act and then
    /// the rest (see [`Stack::stop`]); the bones' matrices are those of the pose by then, as at the end.
    pub fn apply_stack(&mut self, pass: Pass, from: usize, input: &StackInput<'_>) {
        let Some(mut stack) = self.modifiers.stack.take() else {
            return;
        };
        let mut pose = std::mem::take(&mut self.posed.pose);
        let mut model_from_bone = std::mem::take(&mut self.posed.model_from_bone);
        let out = StackPose {
            pose: &mut pose,
            model_from_bone: &mut model_from_bone,
        };
        stack.apply(&self.stack_body(), out, pass, from, input);
        (self.posed.pose, self.posed.model_from_bone) = (pose, model_from_bone);
        self.modifiers.stack = Some(stack);
    }

    /// Input of its modifiers.
    fn stack_body(&self) -> StackBody<'_> {
        let limbs = self.body.limbs.as_ref();
        StackBody {
            playing: self.playing(),
            placement: self.placement,
            world_from_model: self.posed.world[0],
            controller: self.body.controller.as_deref(),
            is_attached: self.attachment.is_some(),
            // Limbs that are to be bodies from the next step on are still where the modifiers have them.
            has_bodies: limbs.is_some_and(|l| !l.ragdoll.is_new()),
            is_dead: self.body.vitals.dead,
            turns_to_look: self.is_turning_to_look(),
            morph_overrides: &self.posed.morph_overrides,
        }
    }

    /// Its pose for a script's modifier, as it is by now.
    pub fn posed_for_script<R>(&mut self, f: impl FnOnce(&mut Posed<'_>) -> R) -> Option<R> {
        let stack = self.modifiers.stack.as_mut()?;
        let out = StackPose {
            pose: &mut self.posed.pose,
            model_from_bone: &mut self.posed.model_from_bone,
        };
        Some(stack.posed_for_script(&self.definition, out, f))
    }

    /// A script's modifier has acted: it shows by its weight, and matrices are those of the pose again.
    pub fn end_of_script(&mut self, weight: f32) {
        if let Some(stack) = &mut self.modifiers.stack {
            let out = StackPose {
                pose: &mut self.posed.pose,
                model_from_bone: &mut self.posed.model_from_bone,
            };
            stack.end_of_script(&self.definition, out, weight);
        }
    }

    /// Steps in to what its hands cannot reach, by a tick of `dt` seconds, while nobody else moves it.
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

    /// Gives a human-like body that no clip could move the life that `alive` makes.
    pub fn begin_life(&mut self, id: u64, seed: u64) {
        let clips = &self.definition.clips;
        let Ok(rig) = self.definition.alive_rig() else {
            return;
        };
        if !clips.is_empty() || !clips.humanoid().is_body() {
            return;
        }
        let living = Living {
            rig: Some(rig),
            alive: Alive::new(AliveOptions::default(), seed),
            mood: AliveInput::default(),
        };
        let modifier = Modifier {
            id,
            name: "alive".into(),
            weight: Weight::new(1.0),
            kind: Kind::Alive(Box::new(living)),
            missing: None,
            leaves: false,
            placed: false,
        };
        self.stack_mut().add(modifier);
    }

    /// Its face, made when it has none; `None` when it has too many modifiers. `seed` and `id` are for one that is made.
    pub fn face_mut(&mut self, seed: u64, id: u64) -> Option<&mut Facing> {
        let definition = self.definition.clone();
        let stack = self.stack_mut();
        if stack.facing().is_none() && stack.modifiers.len() < MOST_MODIFIERS {
            let (facing, missing) = Facing::new(&definition, seed);
            stack.add(Modifier {
                id,
                name: "face".into(),
                weight: Weight::new(1.0),
                kind: Kind::Face(Box::new(facing)),
                missing,
                leaves: false,
                placed: false,
            });
        }
        stack.facing_mut()
    }

    /// Its modifiers.
    pub fn stack_mut(&mut self) -> &mut Stack {
        self.modifiers
            .stack
            .get_or_insert_with(|| Box::new(Stack::new()))
    }
}
