//! The modifiers of a character's pose, made when the first of them is added.

use super::definition::Definition;
use super::pose_state::PoseState;
use super::stack::{
    Facing, Goal, Living, MOST_MODIFIERS, Modifier, ModifierKind, ModifierWeight, Pass, Stack,
    StackPose,
};
use galatea_rig::Posed;
use galatea_rig::alive::{Alive, AliveInput, AliveSettings};
use galatea_rig::gaze::Gaze;

/// The modifiers of a character.
#[derive(Clone, Debug, Default)]
pub struct Modifiers {
    /// `None` until the first modifier is added.
    pub stack: Option<Box<Stack>>,
}

impl Modifiers {
    /// The modifiers that a model file brings.
    pub fn of_file(definition: &Definition) -> Self {
        Self {
            stack: Stack::of_file(definition).map(Box::new),
        }
    }

    /// The targets of the modifiers, each with the index of its modifier and its index among the targets of that.
    pub fn goals(&self) -> impl Iterator<Item = ([usize; 2], Goal)> + '_ {
        self.stack.iter().flat_map(|stack| stack.goals())
    }

    /// True when some modifiers act in a pass. Without simulated limbs all act in the last one.
    pub fn acts(&self, pass: Pass, has_limbs: bool) -> bool {
        self.stack.is_some() && (pass == Pass::Last || has_limbs)
    }

    /// The face, once it was made.
    pub fn facing(&self) -> Option<&Facing> {
        self.stack.as_ref().and_then(|stack| stack.facing())
    }

    /// Yaw in radians that the gaze wants the body to turn to.
    pub(super) fn target_yaw(&self) -> Option<f32> {
        self.gazes().find_map(|gaze| gaze.target_yaw())
    }

    /// Returns the gazes with a weight above 0.
    pub(super) fn gazes(&self) -> impl Iterator<Item = &Gaze> {
        let modifiers = self.stack.iter().flat_map(|stack| &stack.modifiers);
        let shown = modifiers.filter(|modifier| modifier.weight.shown > 0.0);
        shown.filter_map(|modifier| match &modifier.kind {
            ModifierKind::Look(looking) => Some(&looking.gaze),
            _ => None,
        })
    }

    /// True when the character sits or is about to.
    pub(super) fn sits(&self) -> bool {
        let mut modifiers = self.stack.iter().flat_map(|stack| &stack.modifiers);
        modifiers.any(|m| matches!(m.kind, ModifierKind::Sit(_)) && m.weight.goal() > 0.0)
    }

    /// Its pose for a script's modifier, as it is by now.
    pub fn posed_for_script<R>(
        &mut self,
        definition: &Definition,
        posed: &mut PoseState,
        f: impl FnOnce(&mut Posed<'_>) -> R,
    ) -> Option<R> {
        let stack = self.stack.as_mut()?;
        let out = StackPose {
            pose: &mut posed.pose,
            model_from_bone: &mut posed.model_from_bone,
        };
        Some(stack.posed_for_script(definition, out, f))
    }

    /// A script's modifier has acted: it shows by its weight, and matrices are those of the pose again.
    pub fn end_of_script(&mut self, definition: &Definition, posed: &mut PoseState, weight: f32) {
        if let Some(stack) = &mut self.stack {
            let out = StackPose {
                pose: &mut posed.pose,
                model_from_bone: &mut posed.model_from_bone,
            };
            stack.end_of_script(definition, out, weight);
        }
    }

    /// Gives a human-like body that no clip could move the life that `alive` makes.
    pub fn begin_life(&mut self, definition: &Definition, id: u64, seed: u64) {
        let clips = &definition.clips;
        let Ok(rig) = definition.alive_rig() else {
            return;
        };
        if !clips.is_empty() || !clips.humanoid().is_body() {
            return;
        }
        let living = Living {
            rig: Some(rig),
            alive: Alive::new(AliveSettings::default(), seed),
            mood: AliveInput::default(),
        };
        let modifier = Modifier {
            id,
            name: "alive".into(),
            weight: ModifierWeight::new(1.0),
            kind: ModifierKind::Alive(Box::new(living)),
            missing: None,
            leaves: false,
            placed: false,
        };
        self.stack_mut().add(modifier);
    }

    /// Its face, made when it has none; `None` when it has too many modifiers. `seed` and `id` are for one that is made.
    pub fn face_mut(&mut self, definition: &Definition, seed: u64, id: u64) -> Option<&mut Facing> {
        let stack = self.stack_mut();
        if stack.facing().is_none() && stack.modifiers.len() < MOST_MODIFIERS {
            let (facing, missing) = Facing::new(definition, seed);
            stack.add(Modifier {
                id,
                name: "face".into(),
                weight: ModifierWeight::new(1.0),
                kind: ModifierKind::Face(Box::new(facing)),
                missing,
                leaves: false,
                placed: false,
            });
        }
        stack.facing_mut()
    }

    /// The stack, made when it is first asked for.
    pub fn stack_mut(&mut self) -> &mut Stack {
        self.stack.get_or_insert_with(|| Box::new(Stack::new()))
    }
}
