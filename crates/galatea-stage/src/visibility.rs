//! Visibility of characters: what scripts hide, with everything attached to it.

use super::{Handle, Stage};

/// Maximum depth of attachments to attachments.
const MAX_DEPTH: usize = 8;

impl Stage {
    /// Returns true if a script hides any character.
    pub(super) fn hides_any(&self) -> bool {
        let mut all = self.characters.iter();
        all.any(|(_, character)| character.appearance.is_hidden)
    }

    /// Returns true if a script hides this character, or one that carries it as an attachment or as hair.
    pub(super) fn is_hidden(&self, handle: Handle) -> bool {
        let carrier = |handle: &Handle| {
            let attachment = self.characters.get(*handle)?.attachment;
            let mut hair = self.effects.hair.iter();
            attachment.map(|attachment| attachment.holder).or_else(|| {
                let piece = hair.find(|(_, piece)| piece.character == *handle);
                piece.map(|(_, piece)| piece.wearer.0)
            })
        };
        let mut chain = std::iter::successors(Some(handle), carrier).take(MAX_DEPTH);
        chain.any(|handle| {
            let character = self.characters.get(handle);
            character.is_some_and(|character| character.appearance.is_hidden)
        })
    }
}
