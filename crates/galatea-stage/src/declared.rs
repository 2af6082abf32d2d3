//! Objects that the main part of a script makes. They show if two runs of it made the same.

use serde::{Deserialize, Serialize};

use super::{Arena, Handle, Stage};
use galatea_character::Identity;

/// Objects on a stage after the main part of a script: their kinds, handles and identities.
///
/// Two runs with equal values gave all objects the same handles and ids, so references of one are valid in the other.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeclaredObjects {
    characters: Vec<(Handle, Identity)>,
    others: Vec<(u8, Handle)>,
    last_id: u64,
}

impl DeclaredObjects {
    /// Returns true if the main part made a character of this identity.
    pub fn has(&self, character: &Identity) -> bool {
        self.characters.iter().any(|(_, known)| known == character)
    }
}

impl Stage {
    /// Objects that are on the stage now.
    pub fn declared(&self) -> DeclaredObjects {
        let characters = self.characters.iter();
        let characters = characters.map(|(handle, own)| (handle, own.identity.clone()));
        let (agents, effects) = (&self.agents, &self.effects);
        let handles = [
            handles(&self.ui),
            handles(&self.lighting.local_lights),
            handles(&effects.fabrics),
            handles(&effects.hair),
            handles(&effects.emitters),
            handles(&agents.crowds),
            handles(&agents.flocks),
            handles(&agents.nav_meshes),
            handles(&agents.objects),
            handles(&agents.scent_fields),
            handles(&agents.crowd_stats),
        ];
        let others = handles.into_iter().zip(0u8..);
        let others = others.flat_map(|(all, kind)| all.into_iter().map(move |one| (kind, one)));
        DeclaredObjects {
            characters: characters.collect(),
            others: others.collect(),
            last_id: self.ids.last(),
        }
    }
}

fn handles<T>(arena: &Arena<T>) -> Vec<Handle> {
    arena.iter().map(|(handle, _)| handle).collect()
}
