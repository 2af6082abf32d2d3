//! Characters of demoted agents, which continue when the agent is promoted again.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::crowd_agent::CrowdAgent;
use super::gaits::Gaits;
use super::reaching::is_of_use;
use super::{Handle, StageCrowd};
use crate::{Arena, Characters};
use galatea_character::{Attachment, Character, Modifier, ModifierKind, Placement, PoseState};

/// Maximum number of characters that a crowd remembers; the oldest is dropped.
pub const MAX_REMEMBERED: usize = 64;

/// The remembered character of an agent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Remembered {
    pub agent: u32,
    /// Handle of the character while it was on the stage.
    pub handle: Handle,
    pub character: Box<Character>,
}

impl Remembered {
    /// Prepares a character to be remembered. Its animation, its body in the physics world and its script modifiers end. Its
    /// face, decals, materials, health and other modifiers stay.
    pub fn new(agent: usize, handle: Handle, mut character: Character) -> Self {
        character.attachment = None;
        character.playback.machine = None;
        character.playback.actions.clear();
        character.body.limbs = None;
        character.body.rising = None;
        character.body.controller = None;
        character.body.knockback = Default::default();
        character.locomotion = Default::default();
        let morphs = std::mem::take(&mut character.posed.morph_overrides);
        character.posed = PoseState::new(&character.definition, character.placement);
        character.posed.morph_overrides = morphs;
        character.skin = Default::default();
        character.secondary.reset(None);
        if let Some(stack) = &mut character.modifiers.modifier_stack {
            let is_kept = |one: &Modifier| {
                let is_function = matches!(one.kind, ModifierKind::Script(_));
                !is_function && !one.is_released && !is_of_use(one)
            };
            stack.modifiers.retain(is_kept);
            if let Some(standing) = stack.standing_mut() {
                standing.foot_ik.reset();
            }
        }
        Self {
            agent: agent as u32,
            handle,
            character: Box::new(character),
        }
    }
}

/// Remembered characters of a crowd, oldest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AgentMemory(VecDeque<Remembered>);

impl AgentMemory {
    /// Removes and returns the remembered character of an agent.
    pub(super) fn take(&mut self, agent: usize) -> Option<Remembered> {
        let at = self.0.iter().position(|one| one.agent as usize == agent)?;
        self.0.remove(at)
    }

    /// Adds a character. Objects held by a dropped one are detached.
    pub(super) fn add(&mut self, characters: &mut Characters, one: Remembered) {
        drop(self.take(one.agent as usize));
        while self.0.len() >= MAX_REMEMBERED {
            if let Some(oldest) = self.0.pop_front() {
                let_go_of(characters, oldest.handle);
            }
        }
        self.0.push_back(one);
    }

    /// Iterates over the characters, oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Remembered> {
        self.0.iter()
    }

    /// Number of characters.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no characters.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes all characters and detaches the objects that they held.
    pub(super) fn clear(&mut self, characters: &mut Characters) {
        for one in self.0.drain(..) {
            let_go_of(characters, one.handle);
        }
    }

    /// Removes and returns all characters.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = Remembered> {
        std::mem::take(&mut self.0).into_iter()
    }
}

/// Detaches all objects that a character held.
fn let_go_of(characters: &mut Characters, holder: Handle) {
    let held: Vec<Handle> = held_by(characters, holder).collect();
    for handle in held {
        characters.detach(handle);
    }
}

/// Characters that are attached to a bone of `holder`.
pub(super) fn held_by(
    characters: &Arena<Character>,
    holder: Handle,
) -> impl Iterator<Item = Handle> {
    let all = characters.iter();
    all.filter(move |(_, one)| one.attachment.is_some_and(|held| held.holder == holder))
        .map(|(handle, _)| handle)
}

/// Moves objects held by remembered characters with the hands of their agents.
pub(super) fn carry_attachments(crowd: &mut StageCrowd, characters: &mut Characters) {
    let StageCrowd {
        agents: people,
        bodies,
        memory,
        ..
    } = crowd;
    for one in &mut memory.0 {
        let holds = held_by(characters, one.handle).next().is_some();
        let person = people.get(one.agent as usize).filter(|_| holds);
        let gaits = person.and_then(|person| bodies.get(usize::from(person.body)));
        let (Some(person), Some(gaits)) = (person, gaits) else {
            continue;
        };
        pose(&mut one.character, person, gaits);
        for (_, held) in characters.iter_mut() {
            let own = held.attachment.filter(|own| own.holder == one.handle);
            if let Some(attachment) = own {
                place(held, attachment, &one.character);
            }
        }
    }
}

/// Puts a character into the position and pose of its agent.
fn pose(character: &mut Character, person: &CrowdAgent, gaits: &Gaits) {
    character.placement = person.placement();
    person.plays(gaits, &mut character.playback.driven);
    character.playback.is_driven = true;
    character.evaluate_pose(0.0);
    character.posed.world[0] = character.placement.to_affine();
}

fn place(held: &mut Character, attachment: Attachment, holder: &Character) {
    let bone = holder
        .posed
        .model_from_bone
        .get(usize::from(attachment.bone));
    let Some(bone) = bone else {
        return;
    };
    let own_scale = held.placement.scale;
    let world = holder.posed.world[0] * *bone * attachment.to_affine(own_scale);
    let (_, rotation, position) = world.to_scale_rotation_translation();
    if position.is_finite() && rotation.is_finite() {
        held.placement = Placement {
            position,
            ..held.placement.turned(rotation)
        };
    }
}
