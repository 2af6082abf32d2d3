//! Promoted agents over a hot reload.

use super::behaviour::{CrowdEventKind, CrowdEventSink};
use super::crowd_agent::AgentCharacter;
use super::promotion::begin_as;
use super::remembered::{Remembered, held_by};
use super::{Handle, StageCrowd};
use crate::characters::take_over;
use crate::reload::Reload;
use crate::stage::Stage;
use galatea_character::{Attachment, Character, Definition};

/// Continues promoted agents with all that a character keeps over a reload. Characters that the new version does not promote
/// are remembered. Must be called after the migration of characters.
pub(crate) fn migrate(reload: &mut Reload<'_>) {
    let crowds: Vec<(Handle, Handle)> = reload.crowds.pairs().collect();
    let mut holders = Vec::new();
    for (before, now) in crowds {
        let Some(was) = reload.old.agents.crowds.get_mut(before) else {
            continue;
        };
        let owns: Vec<Option<AgentCharacter>> =
            was.agents.iter().map(|one| one.character).collect();
        let remembered: Vec<Remembered> = was.memory.drain().collect();
        for one in remembered {
            let (i, handle) = (one.agent as usize, one.handle);
            let definition = one.character.definition.clone();
            if remember(reload, now, i, handle, *one.character) {
                holders.push((handle, definition));
            }
        }
        for (i, own) in owns.into_iter().enumerate() {
            let Some(own) = own else {
                continue;
            };
            let was = reload.old.characters.get(own.character);
            let migrated = || {
                let mut all = reload.characters.iter();
                Some(&all.find(|one| one.handle == own.character)?.was)
            };
            let Some(definition) = was.or_else(migrated).map(|was| was.definition.clone()) else {
                continue;
            };
            continue_character(reload, now, i, own);
            holders.push((own.character, definition));
        }
    }
    for (holder, definition) in holders {
        reattach_objects(reload, holder, &definition);
    }
}

/// The crowd; `None` if the new version has no such agent or has promoted it already.
fn with_agent(stage: &mut Stage, crowd: Handle, i: usize) -> Option<&mut StageCrowd> {
    let crowd = stage.agents.crowds.get_mut(crowd)?;
    crowd.agents.get(i)?.character.is_none().then_some(crowd)
}

/// Remembers a character for the new version. Returns false if the new version cannot use it.
fn remember(
    reload: &mut Reload<'_>,
    crowd: Handle,
    i: usize,
    handle: Handle,
    was: Character,
) -> bool {
    let Some(now) = with_agent(reload.new, crowd, i) else {
        return false;
    };
    let person = now.agents[i];
    let Some(gaits) = now.bodies.get(usize::from(person.body)).cloned() else {
        return false;
    };
    let mut character = now.new_character(&was, &person, &gaits);
    character.take_over(was);
    let one = Remembered::new(i, handle, character);
    let mut memory = std::mem::take(&mut now.memory);
    memory.add(&mut reload.new.characters, one);
    if let Some(now) = with_agent(reload.new, crowd, i) {
        now.memory = memory;
    }
    true
}

fn continue_character(reload: &mut Reload<'_>, crowd: Handle, i: usize, own: AgentCharacter) {
    let Some(was) = reload.old.characters.remove(own.character) else {
        return;
    };
    let Some(now) = with_agent(reload.new, crowd, i) else {
        return;
    };
    let stays = !own.by_main && (own.is_requested || now.promotion.is_some());
    if !stays {
        remember(reload, crowd, i, own.character, was);
        return;
    }
    let person = now.agents[i];
    let Some(gaits) = now.bodies.get(usize::from(person.body)).cloned() else {
        return;
    };
    let mut character = now.new_character(&was, &person, &gaits);
    now.agents[i].character = Some(AgentCharacter { again: true, ..own });
    let (time, events) = (reload.new.clock.time(), &mut reload.old.events);
    let continued = take_over(events, time, own.character, &mut character, was);
    if own.leads_agent {
        character.appearance.width_scale = person.width_scale;
    } else {
        begin_as(&mut character, &person, &gaits);
    }
    reload.characters.push(continued);
    let Stage {
        characters, agents, ..
    } = &mut *reload.new;
    characters.insert_at(own.character, character);
    let told = &mut agents.crowding.events;
    CrowdEventSink {
        crowd,
        events: told,
    }
    .report(i, CrowdEventKind::Promoted(own.character));
}

/// Attaches objects to the agent again, unless the new version attached them elsewhere. `was` is the definition that the
/// holder had before.
fn reattach_objects(reload: &mut Reload<'_>, holder: Handle, was: &Definition) {
    let agents = reload.new.agents.crowds.iter();
    let remembered = agents.flat_map(|(_, crowd)| crowd.memory.iter());
    let remembered = remembered.filter(|one| one.handle == holder);
    let now = remembered
        .map(|one| one.character.definition.clone())
        .next();
    let there = reload.new.characters.get(holder);
    let Some(now) = now.or_else(|| Some(there?.definition.clone())) else {
        return;
    };
    let again = |attachment: Attachment| {
        let bone = was
            .model
            .skeleton
            .bones()
            .get(usize::from(attachment.bone))?;
        let bone = now.model.skeleton.find(&bone.name)?;
        Some(Attachment { bone, ..attachment })
    };
    for continued in &reload.characters {
        let held = continued.was.attachment.filter(|own| own.holder == holder);
        let Some(own) = reload.new.characters.get_mut(continued.handle) else {
            continue;
        };
        if own.attachment.is_none() && continued.same_spawn {
            own.attachment = held.and_then(again);
        }
    }
    // Objects that the script created while it ran.
    let made: Vec<Handle> = held_by(&reload.old.characters, holder).collect();
    for handle in made {
        let Some(was) = reload.old.characters.remove(handle) else {
            continue;
        };
        let Some(attachment) = was.attachment.and_then(again) else {
            continue;
        };
        let (identity, source) = (was.identity.clone(), was.source.clone());
        let mut own = Character::new(identity, source, was.definition.clone(), was.spawn);
        own.attachment = Some(attachment);
        own.placement = was.placement;
        own.appearance.surface = was.appearance.surface.clone();
        let (time, events) = (reload.new.clock.time(), &mut reload.old.events);
        let continued = take_over(events, time, handle, &mut own, was);
        reload.characters.push(continued);
        reload.new.characters.insert_at(handle, own);
    }
}
