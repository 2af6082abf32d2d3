//! First-person pictures: hides the head of a character and its headwear from a camera behind its own eyes.

use std::sync::Arc;

use super::{Handle, Stage};
use galatea_asset::model::SeenFrom;
use galatea_character::{Attachment, Character, Headless};

/// Maximum depth of attachments to attachments.
const MAX_DEPTH: usize = 8;

impl Stage {
    /// Triangles to draw when the camera is behind the eyes of this character, or of the one that wears it on the head.
    /// `None` draws all.
    pub(super) fn headless(&self, handle: Handle, character: &Character) -> Option<Arc<Headless>> {
        let of = self.camera.behind_eyes_of()?;
        let eyes = self.characters.get(of)?.definition.own_eyes()?;
        if handle == of {
            return Some(eyes.headless.clone());
        }
        let is_hair = || {
            let mut hair = self.effects.hair.iter();
            hair.any(|(_, piece)| {
                let (wearer, bone) = piece.wearer;
                piece.character == handle && wearer == of && eyes.is_on_head(bone)
            })
        };
        let is_held = || {
            let held = |character: &Character| character.attachment;
            let next = |at: &Attachment| held(self.characters.get(at.holder)?);
            let mut chain = std::iter::successors(held(character), next).take(MAX_DEPTH);
            chain.any(|at| at.holder == of && eyes.is_on_head(at.bone))
        };
        (is_held() || is_hair()).then(|| Arc::new(Headless::nothing(&character.definition.model)))
    }
}

/// Hidden parts: those that a script hides, and, outside of first person, the parts only for first person.
pub(super) fn hidden_parts(character: &Character, by_own_eyes: bool) -> Vec<u64> {
    let mut hidden = character.appearance.hidden_parts.clone();
    let model = &character.definition.model;
    if model.seen_from.is_empty() || by_own_eyes {
        return hidden;
    }
    for (i, part) in model.parts.iter().enumerate() {
        if let Some(bits) = hidden.get_mut(i / 64)
            && model.seen_from(part.bone) == SeenFrom::OwnEyes
        {
            *bits |= 1 << (i % 64);
        }
    }
    hidden
}
