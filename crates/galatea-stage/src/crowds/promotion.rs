//! People who are characters for a while: each in the place, the step and the clothes of who it was, with a pose, a face and
//! a body of its own (CR-22).

use glam::{Vec2, Vec3};

use super::mind::{Tale, Teller};
use super::person::AgentCharacter;
use super::reaching::{let_go, reach};
use super::{Agents, Handle, Identity, Ids, StageCrowd};
use crate::frame::MaterialValues;
use crate::{CameraRig, Characters, Clock, Speaking};
use galatea_asset::model::Factor;
use galatea_character::{Character, Placement};

/// Of so many ticks those who are near are looked for in one.
const LOOKS: u64 = 6;
/// How much farther than they become characters they are people again.
const HYSTERESIS: f32 = 1.25;

/// Which of a crowd are characters by themselves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PromotionRule {
    /// Metres from the camera.
    pub within: f32,
    /// At most, the nearest.
    pub most: usize,
}

impl StageCrowd {
    /// The character that somebody is.
    pub fn character_of(&self, i: usize) -> Option<Handle> {
        Some(self.people.get(i)?.own?.character)
    }
}

/// True of a character that does something that nobody of a crowd could go on with.
fn leads(character: &Character) -> bool {
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

/// Before poses: characters that people are go where these are, in their step; or people where their characters are.
pub(crate) fn drive(
    agents: &mut Agents,
    characters: &mut Characters,
    ids: &mut Ids,
    camera: &CameraRig,
    lines: &[Speaking],
    clock: Clock,
) {
    if agents.crowds.is_empty() {
        return;
    }
    if clock.n_ticks.is_multiple_of(LOOKS) {
        look(agents, characters, ids, camera, lines);
    }
    let Agents {
        crowds, objects, ..
    } = agents;
    for (_, crowd) in crowds.iter_mut() {
        let StageCrowd { people, bodies, .. } = crowd;
        for person in people.iter_mut() {
            let Some(mut own) = person.own else {
                continue;
            };
            let found = characters.get_mut(own.character);
            let Some((character, gaits)) = found.zip(bodies.get(usize::from(person.body))) else {
                person.own = None;
                person.agent.yields = 1.0;
                continue;
            };
            let led = std::mem::replace(&mut own.leads, leads(character));
            if own.leads {
                if let Some(limbs) = character.body.limbs.as_mut().filter(|_| !led) {
                    limbs.momentum = person.velocity();
                }
                let Placement { position, yaw, .. } = character.placement;
                person.agent.at = Vec2::new(position.x, position.z);
                person.agent.velocity = Vec2::ZERO;
                person.agent.yields = 0.0;
                (person.height, person.ground) = (position.y, position.y);
                person.heading = yaw.to_radians();
                character.playback.driven.clear();
                let_go(character, &[]);
            } else {
                if led {
                    person.agent.yields = 1.0;
                }
                character.placement = placement(person);
                person.plays(gaits, &mut character.playback.driven);
                reach(character, person, objects, ids);
            }
            person.own = Some(own);
        }
    }
}

fn placement(person: &super::Person) -> Placement {
    Placement {
        position: person.position(),
        yaw: person.heading.to_degrees(),
        scale: person.scale,
        ..Placement::default()
    }
}

/// Those who are near the camera become characters, those who are far any more people again.
fn look(
    agents: &mut Agents,
    characters: &mut Characters,
    ids: &mut Ids,
    camera: &CameraRig,
    lines: &[Speaking],
) {
    let eye = camera.camera(1.0).eye;
    let mut changes: Vec<(Handle, usize, bool)> = Vec::new();
    for (handle, crowd) in agents.crowds.iter() {
        let Some(near) = crowd.near else {
            continue;
        };
        let mut those: Vec<(f32, usize)> = Vec::new();
        for (i, person) in crowd.people.iter().enumerate() {
            let away = person.position().distance(eye);
            let is_own = person.own.is_some_and(|own| !own.is_asked);
            let reach = if is_own {
                near.within * HYSTERESIS
            } else {
                near.within
            };
            let is_busy = is_own
                && person
                    .own
                    .is_some_and(|own| is_busy(characters, lines, own));
            if is_busy || (away < reach && person.own.is_none_or(|own| !own.is_asked)) {
                // Who is one already is a little nearer: two at one distance do not take turns.
                let rank = match (is_busy, is_own) {
                    (true, _) => -1.0,
                    (_, true) => away / HYSTERESIS,
                    _ => away,
                };
                those.push((rank, i));
            }
        }
        those.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        those.truncate(near.most);
        for (i, person) in crowd.people.iter().enumerate() {
            let is_one = those.iter().any(|(_, one)| *one == i);
            let is_own = person.own.is_some_and(|own| !own.is_asked);
            if is_one && person.own.is_none() {
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
            let (crowd, told) = (handle, &mut agents.crowding.told);
            Teller { crowd, told }.tell(i, Tale::Far);
        }
    }
}

/// It lies, plays something, or speaks: it is not taken away meanwhile.
fn is_busy(characters: &Characters, lines: &[Speaking], own: AgentCharacter) -> bool {
    let character = characters.get(own.character);
    let speaks = lines.iter().any(|line| line.character == own.character);
    speaks
        || character.is_some_and(|one| own.leads || leads(one) || !one.playback.actions.is_empty())
}

impl Agents {
    /// Somebody of a crowd becomes a character, until a script says otherwise where that `is_asked` for. Nothing where there
    /// is no such person; the one that it is already.
    pub fn promote(
        &mut self,
        ids: &mut Ids,
        characters: &mut Characters,
        crowd: Handle,
        i: usize,
        is_asked: bool,
    ) -> Option<Handle> {
        let own = self.crowds.get_mut(crowd)?;
        let crowd_name = match &own.identity {
            Identity::Declared { number, .. } => number.to_string(),
            named => named.label().to_owned(),
        };
        let person = own.people.get_mut(i)?;
        if let Some(known) = &mut person.own {
            known.is_asked |= is_asked;
            return Some(known.character);
        }
        let gaits = own.bodies.get(usize::from(person.body))?;
        let (definition, spawn) = (gaits.definition.clone(), placement(person));
        let (seed, body, girth) = (person.seed, usize::from(person.body), person.girth);
        let mut plays = Vec::new();
        person.plays(gaits, &mut plays);
        let tints = own.tints.get(body).cloned();
        let source = gaits.source.clone();
        let name = format!("{crowd_name}/{}", i + 1);
        let handle = characters.add(ids, definition.clone(), &*source, Some(&name), spawn);
        let character = characters.get_mut(handle)?;
        for tint in tints.iter().flat_map(|tints| tints.iter()) {
            let model = &definition.model;
            let Some(file) = model.materials.get(usize::from(tint.material)) else {
                continue;
            };
            let color: Vec3 = MaterialValues::of(file).tint * tint.of(seed);
            for (number, value) in color.to_array().into_iter().enumerate() {
                let (material, surface) = (tint.material, &mut character.appearance.surface);
                surface.set(model, material, Factor::Tint, number, value);
            }
        }
        (character.playback.driven, character.appearance.girth) = (plays, girth);
        let own = self.crowds.get_mut(crowd)?;
        own.people[i].own = Some(AgentCharacter {
            character: handle,
            is_asked,
            leads: false,
        });
        let told = &mut self.crowding.told;
        Teller { crowd, told }.tell(i, Tale::Promoted(handle));
        Some(handle)
    }

    /// Takes a crowd off the stage. Gives the characters that its people are, which are to be taken off, too.
    pub fn remove_crowd(&mut self, crowd: Handle) -> Vec<Handle> {
        let own = self.crowds.remove(crowd);
        let people = own.iter().flat_map(|own| &own.people);
        people
            .filter_map(|person| Some(person.own?.character))
            .collect()
    }

    /// Somebody who is a character is one of the crowd again, where it is now. Gives the character, which is to be taken
    /// off.
    pub fn demote(&mut self, crowd: Handle, i: usize) -> Option<Handle> {
        let person = self.crowds.get_mut(crowd)?.people.get_mut(i)?;
        let own = person.own.take()?;
        person.agent.yields = 1.0;
        Some(own.character)
    }
}
