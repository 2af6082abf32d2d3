//! The characters of a stage.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::event::Event;
use super::reload::{Continued, Reload};
use super::replace::{keep_names, lost_event};
use super::steps::settle;
use super::{Arena, DeclaredObjects, Handle, Identity, Ids};
use galatea_asset::{ModelKey, PrimitiveMesh};
use galatea_character::{Character, Definition, Placement};

/// Number of removed characters whose names are remembered.
const MAX_REMOVED: usize = 256;

/// An arena of characters, found by handle or by name, and the definitions of primitive shapes that they share.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Characters {
    arena: Arena<Character>,
    /// Handles of the replaced stage, reserved for characters of the same identity.
    inherited: Vec<(Identity, Handle)>,
    /// Names of recently removed characters, oldest first.
    removed: VecDeque<(Handle, String)>,
    /// Definitions of primitive shapes by key.
    #[serde(with = "galatea_persist::shared")]
    forms: Vec<(ModelKey, Arc<Definition>)>,
}

impl Deref for Characters {
    type Target = Arena<Character>;

    fn deref(&self) -> &Self::Target {
        &self.arena
    }
}

impl DerefMut for Characters {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.arena
    }
}

impl Characters {
    /// Adds a character. `name` identifies it over hot reloads. Without a name, its file and the order of creation do.
    pub fn add(
        &mut self,
        ids: &mut Ids,
        definition: Arc<Definition>,
        source: impl Into<ModelKey>,
        name: Option<&str>,
        spawn: Placement,
    ) -> Handle {
        let source = source.into();
        let identity = ids.identify(name, source.name());
        let known = self.inherited.iter().position(|(own, _)| *own == identity);
        let character = Character::new(identity, source, definition, spawn);
        match known {
            Some(i) => {
                let (_, handle) = self.inherited.swap_remove(i);
                self.arena.insert_at(handle, character);
                handle
            }
            None => self.arena.insert(character),
        }
    }

    /// Removes a character; its name is remembered for a while. Returns false if it does not exist.
    pub fn take_off(&mut self, handle: Handle) -> bool {
        let Some(character) = self.arena.remove(handle) else {
            return false;
        };
        if self.removed.len() >= MAX_REMOVED {
            self.removed.pop_front();
        }
        let name = character.shown_name().to_owned();
        self.removed.push_back((handle, name));
        true
    }

    /// Restores a removed character, under its old handle if that is free. Attachments to it are restored.
    pub(super) fn put_back(&mut self, handle: Handle, character: Character) -> Handle {
        self.removed.retain(|(known, _)| *known != handle);
        if self.arena.is_free(handle) {
            self.arena.insert_at(handle, character);
            return handle;
        }
        let now = self.arena.insert(character);
        for (_, held) in self.arena.iter_mut() {
            let attachment = held.attachment.as_mut();
            if let Some(held) = attachment.filter(|held| held.holder == handle) {
                held.holder = now;
            }
        }
        now
    }

    /// Name of a removed character, for the last 256.
    pub fn name_of_removed(&self, handle: Handle) -> Option<&str> {
        let mut removed = self.removed.iter().rev();
        let found = removed.find(|(known, _)| *known == handle)?;
        Some(&found.1)
    }

    /// The character with this name.
    pub fn named(&self, name: &str) -> Option<Handle> {
        let mut all = self.arena.iter();
        Some(
            all.find(|(_, character)| character.identity.name() == Some(name))?
                .0,
        )
    }

    /// The character to whose bone another one is attached.
    pub fn holder(&self, handle: Handle) -> Option<Handle> {
        Some(self.arena.get(handle)?.attachment?.holder)
    }

    /// The shared definition of a primitive shape.
    pub fn primitive(&mut self, form: &PrimitiveMesh) -> Arc<Definition> {
        let key = form.key();
        if let Some((_, known)) = self.forms.iter().find(|(known, _)| *known == key) {
            return known.clone();
        }
        // Drops unused definitions.
        self.forms.retain(|(_, known)| Arc::strong_count(known) > 1);
        let definition = Arc::new(Definition::of_primitive(form));
        self.forms.push((key, definition.clone()));
        definition
    }

    /// An empty arena for a new version of the script. Characters that it creates again get their old handles.
    pub(super) fn for_new_script(&self) -> Self {
        let all = self.arena.iter();
        Self {
            arena: self.arena.emptied(),
            inherited: all.map(|(at, own)| (own.identity.clone(), at)).collect(),
            removed: VecDeque::new(),
            forms: self.forms.clone(),
        }
    }

    /// Frees the handles that were not used again.
    pub(super) fn free_inherited(&mut self) {
        self.arena.free_old();
        self.inherited.clear();
    }
}

/// Continues characters of the same identity with everything that plays. They keep their position, unless the new script
/// spawns them elsewhere.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let Reload {
        old,
        new,
        characters,
        ..
    } = reload;
    let time = new.clock.time();
    for (handle, own) in new.characters.iter_mut() {
        own.record_baseline();
        let known = old.characters.get(handle);
        if known.is_none_or(|was| was.identity != own.identity) {
            continue;
        }
        if let Some(was) = old.characters.remove(handle) {
            characters.push(take_over(&mut old.events, time, handle, own, was));
        }
    }
    if let Some(declared) = reload.declared {
        continue_unlisted(reload, declared);
    }
}

/// Keeps the characters that a script created after its main part, and removes those that it had removed.
fn continue_unlisted(reload: &mut Reload<'_>, declared: &DeclaredObjects) {
    let Reload {
        old,
        new,
        characters,
        ..
    } = reload;
    let all = new.characters.iter();
    let removed = all.filter(|(handle, own)| {
        let is_continued = characters.iter().any(|known| known.handle == *handle);
        !is_continued && declared.has(&own.identity)
    });
    let removed: Vec<Handle> = removed.map(|(handle, _)| handle).collect();
    for handle in removed {
        new.characters.take_off(handle);
    }
    let all = old.characters.iter();
    let later = all.filter(|(_, was)| !declared.has(&was.identity));
    let later: Vec<Handle> = later.map(|(handle, _)| handle).collect();
    for handle in later {
        let Some(was) = old.characters.remove(handle) else {
            continue;
        };
        let mut own = was.clone();
        own.body.forget_world();
        new.characters.insert_at(handle, own);
        characters.push(Continued {
            handle,
            same_spawn: true,
            same_model: true,
            was,
        });
    }
}

/// Continues a character from the one that it replaces. Ends of intervals that cannot stay open are added to the pending
/// events.
pub(super) fn take_over(
    events: &mut Vec<Event>,
    time: f64,
    handle: Handle,
    own: &mut Character,
    was: Character,
) -> Continued {
    keep_names(events, &was, |event| event.character == handle);
    let lost = own.take_over(was.clone());
    events.extend(lost.iter().map(|lost| lost_event(handle, time, &was, lost)));
    Continued {
        handle,
        same_spawn: was.spawn == own.spawn,
        same_model: Arc::ptr_eq(&was.definition.model, &own.definition.model),
        was,
    }
}

/// Fades out pose differences. Characters with the same model interpolate from the previous picture.
pub(super) fn blend_in(reload: &mut Reload<'_>) {
    let Reload {
        new, characters, ..
    } = reload;
    let dt = new.clock.dt;
    settle(new);
    let same_model = || characters.iter().filter(|own| own.same_model);
    let mut jumps = false;
    for Continued { handle, was, .. } in same_model() {
        if let Some(character) = new.characters.get_mut(*handle) {
            jumps |= character.settle_from(was, dt);
        }
    }
    if jumps {
        settle(new);
    }
    for (_, character) in new.characters.iter_mut() {
        character.forget_motion();
    }
    for Continued { handle, was, .. } in characters.drain(..).filter(|own| own.same_model) {
        if let Some(character) = new.characters.get_mut(handle) {
            let appearance = &mut character.appearance;
            appearance.surface.show_before(&was.appearance.surface);
            appearance.wrinkles.show_before(&was.appearance.wrinkles);
            let ([palette, _], [morphs, _]) = (was.skin.palette, was.skin.morphs);
            character.posed.world[1] = was.posed.world[0];
            character.skin.palette[1] = palette;
            character.skin.morphs[1] = morphs;
        }
    }
}
