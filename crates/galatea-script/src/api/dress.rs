//! Options for the materials and the variant of a character.

use mlua::{Table, Value};

use super::check::{OptionValue, Type, text};
use super::material::{MaterialChange, MaterialOptions, indices, variant_index};
use galatea_asset::Model;
use galatea_character::Character;
use galatea_derive::Options;

/// Changes to the materials of a character's file.
#[derive(Options)]
pub(super) struct DressOptions {
    /// Changes of materials, by the name of the material: { Skin = { kind = "skin", roughness = 0.4 } }. The fields are
    /// the properties of a `Material`.
    #[option(ty = Type::Map(&MaterialOptions::TYPE))]
    materials: Option<Table>,
    /// Variant of the materials, one of `character:variants()`.
    variant: Option<String>,
}

/// Changes to materials by name, before the model is known.
#[derive(Default)]
pub(super) struct Dress {
    materials: Vec<(String, Vec<MaterialChange>)>,
    variant: Option<String>,
}

/// Changes to materials, resolved to the materials of a model.
pub(super) struct Fitted {
    changes: Vec<(u16, MaterialChange)>,
    variant: Option<Option<u16>>,
}

impl Dress {
    /// Reads the options of a character.
    pub fn of(options: DressOptions) -> mlua::Result<Self> {
        Self::new(options.variant, options.materials.as_ref())
    }

    /// Reads a variant, and changes by the names of materials.
    pub fn new(variant: Option<String>, materials: Option<&Table>) -> mlua::Result<Self> {
        let mut dress = Self {
            materials: Vec::new(),
            variant,
        };
        let Some(all) = materials else {
            return Ok(dress);
        };
        for pair in all.pairs::<Value, Value>() {
            let (name, given) = pair?;
            let Some(name) = text(&name) else {
                return Err(mlua::Error::runtime(
                    "character: materials: the keys must be names of materials: { Skin = { kind = \"skin\" } }",
                ));
            };
            if !given.is_table() {
                return Err(mlua::Error::runtime(format!(
                    "character: materials: {name:?}: expected a table"
                )));
            }
            let checked = MaterialOptions::TYPE.check(&given);
            let changed = checked.and_then(|()| MaterialOptions::from_value(given));
            let changed = changed.map_err(|wrong| {
                mlua::Error::runtime(format!("character: materials: {name:?}: {wrong}"))
            })?;
            dress.materials.push((name, changed.changes()));
        }
        // Tables have no order, and sorting keeps the result deterministic.
        dress.materials.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(dress)
    }

    /// Finds the materials and the variant in a model.
    pub fn fit(self, model: &Model) -> mlua::Result<Fitted> {
        let mut out = Vec::new();
        for (name, changes) in self.materials {
            for material in indices(model, &name)? {
                out.extend(changes.iter().map(|change| (material, *change)));
            }
        }
        let variant = self.variant.map(|name| variant_index(model, &name));
        Ok(Fitted {
            changes: out,
            variant: variant.transpose()?.map(Some),
        })
    }
}

impl Fitted {
    /// Applies the changes to a character.
    pub fn put_on(self, character: &mut Character) {
        let model = character.definition.model.clone();
        for (material, change) in self.changes {
            match change {
                MaterialChange::Kind(kind) => character
                    .appearance
                    .surface
                    .set_kind(&model, material, kind),
                MaterialChange::Number(factor, number, value) => {
                    character
                        .appearance
                        .surface
                        .set(&model, material, factor, number, value);
                }
            }
        }
        if let Some(variant) = self.variant {
            character.appearance.surface.variant = variant;
        }
    }
}
