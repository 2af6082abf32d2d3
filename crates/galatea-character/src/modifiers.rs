//! The modifiers of a character's pose, created when the first modifier is added.

use serde::{Deserialize, Serialize};

use super::definition::Definition;
use super::modifier_stack::{
    FaceModifier, Goal, IdleMotionModifier, MAX_MODIFIERS, Modifier, ModifierKind, ModifierStack,
    ModifierStackPose, ModifierWeight, Pass,
};
use super::pose_state::PoseState;
use galatea_rig::Posed;
use galatea_rig::gaze::Gaze;
use galatea_rig::idle_motion::{IdleMotion, IdleMotionInput, IdleMotionSettings};

/// The modifiers of a character.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Modifiers {
    /// Stack of modifiers; `None` until the first modifier is added.
    pub modifier_stack: Option<Box<ModifierStack>>,
}

impl Modifiers {
    /// Creates the modifiers defined by a model file.
    pub fn of_file(definition: &Definition) -> Self {
        Self {
            modifier_stack: ModifierStack::of_file(definition).map(Box::new),
        }
    }

    /// Returns the targets of the modifiers, each with the index of the modifier and the index within that modifier.
    pub fn goals(&self) -> impl Iterator<Item = ([usize; 2], Goal)> + '_ {
        self.modifier_stack.iter().flat_map(|stack| stack.goals())
    }

    /// Returns true when some modifiers act in a pass. Without simulated limbs all modifiers act in the last pass.
    pub fn runs_in_pass(&self, pass: Pass, has_limbs: bool) -> bool {
        self.modifier_stack.is_some() && (pass == Pass::Last || has_limbs)
    }

    /// Returns the face, if it was created.
    pub fn facing(&self) -> Option<&FaceModifier> {
        self.modifier_stack
            .as_ref()
            .and_then(|stack| stack.facing())
    }

    /// Returns the yaw that the gaze requests of the body, radians.
    pub(super) fn target_yaw(&self) -> Option<f32> {
        self.gazes().find_map(|gaze| gaze.target_yaw())
    }

    /// Returns the gazes with a weight above 0.
    pub(super) fn gazes(&self) -> impl Iterator<Item = &Gaze> {
        let modifiers = self
            .modifier_stack
            .iter()
            .flat_map(|stack| &stack.modifiers);
        let shown = modifiers.filter(|modifier| modifier.weight.effective_weight > 0.0);
        shown.filter_map(|modifier| match &modifier.kind {
            ModifierKind::LookAt(looking) => Some(&looking.gaze),
            _ => None,
        })
    }

    /// Returns true when the character sits or is about to.
    pub(super) fn sits(&self) -> bool {
        let mut modifiers = self
            .modifier_stack
            .iter()
            .flat_map(|stack| &stack.modifiers);
        modifiers.any(|m| matches!(m.kind, ModifierKind::Sit(_)) && m.weight.goal() > 0.0)
    }

    /// Calls `f` with the current pose, for a script's modifier.
    pub fn posed_for_script<R>(
        &mut self,
        definition: &Definition,
        posed: &mut PoseState,
        f: impl FnOnce(&mut Posed<'_>) -> R,
    ) -> Option<R> {
        let stack = self.modifier_stack.as_mut()?;
        let out = ModifierStackPose {
            pose: &mut posed.pose,
            model_from_bone: &mut posed.model_from_bone,
        };
        Some(stack.posed_for_script(definition, out, f))
    }

    /// Ends a script's modifier: blends its result by `weight` and updates the bone matrices.
    pub fn end_of_script(&mut self, definition: &Definition, posed: &mut PoseState, weight: f32) {
        if let Some(stack) = &mut self.modifier_stack {
            let out = ModifierStackPose {
                pose: &mut posed.pose,
                model_from_bone: &mut posed.model_from_bone,
            };
            stack.end_of_script(definition, out, weight);
        }
    }

    /// Adds idle motion (breathing, swaying) to a human body that has no clips.
    pub fn add_default_idle_motion(&mut self, definition: &Definition, id: u64, seed: u64) {
        let clips = &definition.clips;
        let Ok(rig) = definition.idle_motion_rig() else {
            return;
        };
        if !clips.is_empty() || !clips.humanoid().is_body() {
            return;
        }
        let living = IdleMotionModifier {
            rig: Some(rig),
            idle_motion: IdleMotion::new(IdleMotionSettings::default(), seed),
            mood: IdleMotionInput::default(),
        };
        let modifier = Modifier {
            id,
            name: "idle_motion".into(),
            weight: ModifierWeight::new(1.0),
            kind: ModifierKind::IdleMotion(Box::new(living)),
            inactive_reason: None,
            is_released: false,
            is_reordered: false,
        };
        self.modifier_stack_mut().add(modifier);
    }

    /// Returns its face, created on first use; `None` when there are too many modifiers. `seed` and `id` are used for a new
    /// face.
    pub fn face_mut(
        &mut self,
        definition: &Definition,
        seed: u64,
        id: u64,
    ) -> Option<&mut FaceModifier> {
        let stack = self.modifier_stack_mut();
        if stack.facing().is_none() && stack.modifiers.len() < MAX_MODIFIERS {
            let (facing, missing) = FaceModifier::new(definition, seed);
            stack.add(Modifier {
                id,
                name: "face".into(),
                weight: ModifierWeight::new(1.0),
                kind: ModifierKind::Face(Box::new(facing)),
                inactive_reason: missing,
                is_released: false,
                is_reordered: false,
            });
        }
        stack.facing_mut()
    }

    /// Returns the stack, created on first use.
    pub fn modifier_stack_mut(&mut self) -> &mut ModifierStack {
        self.modifier_stack
            .get_or_insert_with(|| Box::new(ModifierStack::new()))
    }
}
