//! State of a hot reload that systems share.

use super::{DeclaredObjects, Handle, Stage};
use galatea_character::Character;

/// The stages of both versions of a script. Each system moves its state from the old one to the new one in a function
/// `migrate`; [`Stage::continue_from`] lists these in order.
pub(super) struct Reload<'s> {
    /// The stage of the previous version.
    pub old: Stage,
    /// The stage of the new version.
    pub new: &'s mut Stage,
    /// Crowds of both versions: new handles by old ones.
    pub crowds: HandleMap,
    /// Characters of both versions, with their previous state. Their handles are the same.
    pub characters: Vec<Continued>,
    /// Objects that the main part of the old version made, if the old stage is that of a saved game. Characters that it made
    /// later stay, and those that it removed are removed.
    pub declared: Option<&'s DeclaredObjects>,
}

/// A character that both versions of a script have.
pub(super) struct Continued {
    pub handle: Handle,
    pub was: Character,
    /// Both versions put it at the same position.
    pub same_spawn: bool,
    /// Both versions give it the same model.
    pub same_model: bool,
}

/// New handles by old handles.
#[derive(Debug, Default)]
pub(super) struct HandleMap(Vec<(Handle, Handle)>);

impl HandleMap {
    pub fn insert(&mut self, old: Handle, new: Handle) {
        self.0.push((old, new));
    }

    pub fn new_of(&self, old: Handle) -> Option<Handle> {
        let mut all = self.0.iter();
        all.find(|(known, _)| *known == old).map(|(_, new)| *new)
    }

    /// Old handles with the new ones.
    pub fn pairs(&self) -> impl Iterator<Item = (Handle, Handle)> {
        self.0.iter().copied()
    }

    pub fn has_new(&self, new: Handle) -> bool {
        self.0.iter().any(|(_, known)| *known == new)
    }
}

impl Reload<'_> {
    pub fn is_continued(&self, handle: Handle) -> bool {
        self.characters.iter().any(|own| own.handle == handle)
    }
}
