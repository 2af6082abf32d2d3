//! The appearance of one character: its face shapes, hidden parts, materials, wrinkles and decals.

use super::decals::Decals;
use super::definition::Definition;
use super::likeness::Likeness;
use super::surface::Surface;
use super::wrinkles::WrinkleState;
use galatea_asset::model::Factor;

/// How one character differs from its model file for the eye. Bodies, hits and attachments ignore it.
#[derive(Clone, Debug)]
pub struct CharacterAppearance {
    /// Factor on its drawn width.
    pub girth: f32,
    /// Bit i is set when part i is hidden.
    pub hidden_parts: Vec<u64>,
    /// Weights of its face shapes, where they are not those of the file.
    pub likeness: Option<Box<Likeness>>,
    /// Differences of its materials from the file's.
    pub surface: Surface,
    /// Weights of the wrinkled regions of its skin.
    pub wrinkles: WrinkleState,
    /// Wounds, dirt and dents.
    pub decals: Decals,
    /// Scratch buffer for the material values that expressions change.
    pub(super) shifts: Vec<(u16, Factor, usize, f32)>,
}

impl CharacterAppearance {
    /// As in the file.
    pub fn new(definition: &Definition) -> Self {
        Self {
            girth: 1.0,
            hidden_parts: vec![0; definition.model.parts.len().div_ceil(64)],
            likeness: None,
            surface: Surface::default(),
            wrinkles: WrinkleState::default(),
            decals: Decals::default(),
            shifts: Vec::new(),
        }
    }
}
