//! Promotion: agents become characters for a while, with the position, step and colours of the agent and a pose, face and
//! body of their own.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::behaviour::{CrowdEventKind, CrowdEventSink};
use super::crowd_agent::{AgentCharacter, CrowdAgent};
use super::gaits::Gaits;
use super::reaching::{reach, release_limbs};
use super::remembered::{Remembered, carry_attachments};
use super::{Agents, Handle, Identity, Ids, StageCrowd};
use crate::frame::MaterialValues;
use crate::{Arena, CameraRig, Characters, Speaking};
use galatea_asset::model::Factor;
use galatea_character::Character;

/// Interval at which near agents are searched, ticks.
const LOOKS: u64 = 6;
/// Factor on the promotion distance at which characters become agents again.
const HYSTERESIS: f32 = 1.25;

/// Rule by which near agents of a crowd are promoted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PromotionRule {
    /// Maximum distance from the camera, metres.
    pub distance: f32,
    /// Maximum number of promoted agents, the nearest ones.
    pub max_characters: usize,
}

impl StageCrowd {
    /// The character of an agent, if it is promoted.
    pub fn character_of(&self, i: usize) -> Option<Handle> {
        Some(self.agents.get(i)?.character?.character)
    }
}

/// Returns true if an agent could not continue the motion of a character.
fn must_lead(character: &Character) -> bool {
    let is_down = character
        .body
        .limbs
        .as_ref()
        .is_some_and(|limbs| limbs.is_down());
    is_down
        || character.body.rising.is_some()
        || character.body.controller.is_some()
        || character.attachment.is_some()
}

/// Promotes agents near the camera, once every six ticks.
pub(super) fn choose(
    agents: &mut Agents,
    characters: &mut Characters,
    ids: &mut Ids,
    camera: &CameraRig,
    lines: &[Speaking],
    tick: u64,
) {
    if tick.is_multiple_of(LOOKS) {
        update_promotion(agents, characters, ids, camera, lines);
    }
}

/// Moves characters to their agents and copies the step, or moves agents to the characters that lead them. Agents have moved
/// in this tick; poses are not evaluated yet.
pub(super) fn drive(agents: &mut Agents, characters: &mut Characters, ids: &mut Ids) {
    let Agents {
        crowds, objects, ..
    } = agents;
    for (_, crowd) in crowds.iter_mut() {
        let StageCrowd {
            agents: people,
            bodies,
            ..
        } = crowd;
        for person in people.iter_mut() {
            let Some(mut own) = person.character else {
                continue;
            };
            let found = characters.get_mut(own.character);
            let Some((character, gaits)) = found.zip(bodies.get(usize::from(person.body))) else {
                person.character = None;
                person.agent.yields = 1.0;
                continue;
            };
            let led = std::mem::replace(&mut own.leads_agent, must_lead(character));
            character.playback.is_driven = !own.leads_agent;
            if own.leads_agent {
                if let Some(limbs) = character.body.limbs.as_mut().filter(|_| !led) {
                    limbs.momentum = person.velocity();
                }
                person.follow_character(character.placement);
                character.playback.driven.clear();
                release_limbs(character, &[]);
            } else {
                if led {
                    person.agent.yields = 1.0;
                }
                character.placement = person.placement();
                person.plays(gaits, &mut character.playback.driven);
                reach(character, person, objects, ids);
            }
            person.character = Some(own);
        }
        carry_attachments(crowd, characters);
    }
}

/// Moves agents to the characters that lead them, after the physics step.
pub(super) fn follow_characters(crowds: &mut Arena<StageCrowd>, characters: &Arena<Character>) {
    for (_, crowd) in crowds.iter_mut() {
        for person in &mut crowd.agents {
            if let Some(own) = person.character.filter(|own| own.leads_agent)
                && let Some(character) = characters.get(own.character)
            {
                person.follow_character(character.placement);
            }
        }
    }
}

/// Promotes agents near the camera and reports promoted agents that are too far away.
fn update_promotion(
    agents: &mut Agents,
    characters: &mut Characters,
    ids: &mut Ids,
    camera: &CameraRig,
    lines: &[Speaking],
) {
    let eye = camera.camera(1.0).eye;
    let mut changes: Vec<(Handle, usize, bool)> = Vec::new();
    for (handle, crowd) in agents.crowds.iter() {
        let Some(near) = crowd.promotion else {
            continue;
        };
        let mut those: Vec<(f32, usize)> = Vec::new();
        for (i, person) in crowd.agents.iter().enumerate() {
            let away = person.position().distance(eye);
            let is_own = person.character.is_some_and(|own| !own.is_requested);
            let reach = if is_own {
                near.distance * HYSTERESIS
            } else {
                near.distance
            };
            let is_busy = is_own
                && person
                    .character
                    .is_some_and(|own| is_busy(characters, lines, own));
            if is_busy || (away < reach && person.character.is_none_or(|own| !own.is_requested)) {
                // A promoted agent counts as a little nearer, so that two agents at one distance do not alternate.
                let rank = match (is_busy, is_own) {
                    (true, _) => -1.0,
                    (_, true) => away / HYSTERESIS,
                    _ => away,
                };
                those.push((rank, i));
            }
        }
        those.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        those.truncate(near.max_characters);
        for (i, person) in crowd.agents.iter().enumerate() {
            let is_one = those.iter().any(|(_, one)| *one == i);
            let is_own = person.character.is_some_and(|own| !own.is_requested);
            if is_one && person.character.is_none() {
                changes.push((handle, i, true));
            } else if is_own && !is_one {
                changes.push((handle, i, false));
            }
        }
    }
    for (handle, i, is_to_be) in changes {
        if is_to_be {
            agents.promote(ids, characters, handle, i, false);
        } else {
            let (crowd, told) = (handle, &mut agents.crowding.events);
            CrowdEventSink {
                crowd,
                events: told,
            }
            .report(i, CrowdEventKind::Far);
        }
    }
}

/// Returns true for a character that is down, plays an action or speaks: it is not demoted meanwhile.
fn is_busy(characters: &Characters, lines: &[Speaking], own: AgentCharacter) -> bool {
    let character = characters.get(own.character);
    let speaks = lines.iter().any(|line| line.character == own.character);
    speaks
        || character.is_some_and(|one| {
            own.leads_agent || must_lead(one) || !one.playback.actions.is_empty()
        })
}

impl Agents {
    /// Makes an agent a character; with `is_asked` until a script demotes it. A remembered character continues. If the agent
    /// is promoted already, returns its present character. Returns `None` if there is no such agent.
    pub fn promote(
        &mut self,
        ids: &mut Ids,
        characters: &mut Characters,
        crowd: Handle,
        i: usize,
        is_asked: bool,
    ) -> Option<Handle> {
        let own = self.crowds.get_mut(crowd)?;
        let person = own.agents.get_mut(i)?;
        if let Some(known) = &mut person.character {
            known.is_requested |= is_asked;
            return Some(known.character);
        }
        let (person, known) = (*person, own.memory.take(i));
        let gaits = own.bodies.get(usize::from(person.body))?.clone();
        let again = known.is_some();
        let handle = match known {
            Some(known) => {
                let character = own.as_now(*known.character, &person, &gaits);
                characters.put_back(known.handle, character)
            }
            None => {
                let name = format!("{}/{}", own.label(), i + 1);
                let (definition, spawn) = (gaits.definition.clone(), person.placement());
                let handle = characters.add(ids, definition, &*gaits.source, Some(&name), spawn);
                own.dress(characters.get_mut(handle)?, &person);
                handle
            }
        };
        let character = characters.get_mut(handle)?;
        begin_as(character, &person, &gaits);
        character.build();
        character.forget_motion();
        own.agents[i].character = Some(AgentCharacter {
            character: handle,
            is_requested: is_asked,
            leads_agent: false,
            again,
            by_main: false,
        });
        let told = &mut self.crowding.events;
        CrowdEventSink {
            crowd,
            events: told,
        }
        .report(i, CrowdEventKind::Promoted(handle));
        Some(handle)
    }

    /// Removes a crowd from the stage. Returns the characters of promoted agents, which the caller removes.
    pub fn remove_crowd(&mut self, characters: &mut Characters, crowd: Handle) -> Vec<Handle> {
        let Some(mut own) = self.crowds.remove(crowd) else {
            return Vec::new();
        };
        own.memory.clear(characters);
        let people = own.agents.iter();
        people
            .filter_map(|person| Some(person.character?.character))
            .collect()
    }

    /// Makes a promoted agent a plain agent again, at its present position, and remembers the character. Returns the
    /// character, which the caller removes.
    pub fn demote(
        &mut self,
        characters: &mut Characters,
        crowd: Handle,
        i: usize,
    ) -> Option<Handle> {
        let crowd = self.crowds.get_mut(crowd)?;
        let person = crowd.agents.get_mut(i)?;
        let handle = person.character.take()?.character;
        person.agent.yields = 1.0;
        if let Some(character) = characters.get(handle) {
            let one = Remembered::new(i, handle, character.clone());
            crowd.memory.add(characters, one);
        }
        Some(handle)
    }
}

impl StageCrowd {
    /// Returns true if the character of an agent continues an earlier one, or one from before a reload.
    pub fn is_again(&self, i: usize) -> bool {
        let own = self.agents.get(i).and_then(|person| person.character);
        own.is_some_and(|own| own.again)
    }

    /// The name of the crowd, or its number.
    fn label(&self) -> String {
        match &self.identity {
            Identity::Declared { number, .. } => number.to_string(),
            named => named.label().to_owned(),
        }
    }

    /// A remembered character with the body that its agent has now.
    fn as_now(&self, was: Character, person: &CrowdAgent, gaits: &Gaits) -> Character {
        if Arc::ptr_eq(&was.definition.model, &gaits.definition.model) {
            return was;
        }
        let mut character = self.new_character(&was, person, gaits);
        character.take_over(was);
        character
    }

    /// A new character of an agent that replaces an earlier one.
    pub(super) fn new_character(
        &self,
        was: &Character,
        person: &CrowdAgent,
        gaits: &Gaits,
    ) -> Character {
        let source = (&*gaits.source).into();
        let definition = gaits.definition.clone();
        let mut character = Character::new(was.identity.clone(), source, definition, was.spawn);
        self.dress(&mut character, person);
        character
    }

    /// Gives a character the colours of the agent.
    fn dress(&self, character: &mut Character, person: &CrowdAgent) {
        let Some(tints) = self.tints.get(usize::from(person.body)) else {
            return;
        };
        let model = character.definition.model.clone();
        for tint in tints.iter() {
            let Some(file) = model.materials.get(usize::from(tint.material)) else {
                continue;
            };
            let color: Vec3 = MaterialValues::of(file).tint * tint.of(person.seed);
            for (number, value) in color.to_array().into_iter().enumerate() {
                let (material, surface) = (tint.material, &mut character.appearance.surface);
                surface.set(&model, material, Factor::Tint, number, value);
            }
        }
    }
}

/// Starts a character at the position and in the pose of its agent.
pub(super) fn begin_as(character: &mut Character, person: &CrowdAgent, gaits: &Gaits) {
    character.placement = person.placement();
    character.appearance.width_scale = person.width_scale;
    character.playback.is_driven = true;
    person.plays(gaits, &mut character.playback.driven);
    character.posed.world = [character.placement.to_affine(); 2];
    character.evaluate_pose(0.0);
}
