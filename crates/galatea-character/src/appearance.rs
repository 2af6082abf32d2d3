//! The appearance of one character: its face shapes, hidden parts, materials, wrinkles and decals.

use serde::{Deserialize, Serialize};

use super::decals::Decals;
use super::definition::Definition;
use super::face::material_shifts;
use super::face_shapes::FaceShapeWeights;
use super::modifier_stack::FaceModifier;
use super::skin_buffers::SkinBuffers;
use super::surface::MaterialOverrides;
use super::wrinkles::WrinkleState;
use galatea_asset::model::{Factor, MaterialValues};

/// Visible differences of one character from its model file. Bodies, hits and attachments ignore them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CharacterAppearance {
    /// Scale factor on the drawn width.
    pub width_scale: f32,
    /// The whole character is not drawn, with everything attached to it.
    pub is_hidden: bool,
    /// Bit i is set when part i is hidden.
    pub hidden_parts: Vec<u64>,
    /// Weights of the face shapes; `None` means the weights of the model file.
    pub face_shapes: Option<Box<FaceShapeWeights>>,
    /// Changes of the materials relative to the model file.
    pub surface: MaterialOverrides,
    /// Weights of the wrinkle regions of the skin.
    pub wrinkles: WrinkleState,
    /// Wounds, dirt and dents.
    pub decals: Decals,
    /// Scratch buffer for material values that expressions change.
    pub(super) shifts: Vec<(u16, Factor, usize, f32)>,
}

impl CharacterAppearance {
    /// Creates the appearance that the model file defines.
    pub fn new(definition: &Definition) -> Self {
        Self {
            width_scale: 1.0,
            is_hidden: false,
            hidden_parts: vec![0; definition.model.parts.len().div_ceil(64)],
            face_shapes: None,
            surface: MaterialOverrides::default(),
            wrinkles: WrinkleState::default(),
            decals: Decals::default(),
            shifts: Vec::new(),
        }
    }

    /// Returns the face shapes. Creates them on first use.
    pub fn face_shapes_mut(&mut self, definition: &Definition) -> &mut FaceShapeWeights {
        self.face_shapes
            .get_or_insert_with(|| Box::new(FaceShapeWeights::new(definition)))
    }

    /// Records the state at the end of the script's main part.
    pub(super) fn record_baseline(&mut self) {
        if let Some(likeness) = &mut self.face_shapes {
            likeness.record_baseline();
        }
        self.decals.record_baseline();
    }

    #[inline]
    pub(super) fn begin_build(&mut self) {
        self.surface.begin_build();
        self.wrinkles.begin_build();
    }

    /// Computes the material values and wrinkles of this tick. `curves` are those of the pose.
    pub(super) fn build(
        &mut self,
        definition: &Definition,
        curves: &[f32],
        facing: Option<&FaceModifier>,
        skin: &SkinBuffers,
    ) {
        let model = &definition.model;
        self.shifts.clear();
        if let Some(facing) = facing {
            let file = |i: u16| Some(MaterialValues::of(model.materials.get(usize::from(i))?));
            material_shifts(&facing.rig, &facing.materials, file, &mut self.shifts);
        }
        self.surface
            .build(model, &definition.driven, curves, &self.shifts);
        let morphs = (skin.morphs[0].as_slice(), definition.rest.morphs.as_slice());
        self.wrinkles
            .build(definition.wrinkles(), morphs, &skin.palette[0], curves);
    }

    pub(super) fn forget_motion(&mut self) {
        self.surface.forget_motion();
        self.wrinkles.forget_motion();
    }

    /// Hides the parts of a new version of the model that were hidden in the old one, by name.
    pub(super) fn hide_again(&mut self, old: &Definition, new: &Definition) {
        let is_hidden = |i: usize| {
            let bits = self.hidden_parts.get(i / 64);
            bits.is_some_and(|bits| bits >> (i % 64) & 1 == 1)
        };
        let parts = old.model.parts.iter().enumerate();
        let hidden: Vec<&str> = parts
            .filter(|(i, _)| is_hidden(*i))
            .map(|(_, part)| part.name.as_str())
            .collect();
        self.hidden_parts = vec![0; new.model.parts.len().div_ceil(64)];
        for (i, part) in new.model.parts.iter().enumerate() {
            if hidden.contains(&part.name.as_str()) {
                self.hidden_parts[i / 64] |= 1 << (i % 64);
            }
        }
    }
}
