//! `skinning = …` and `skinning_mode = …` of `character`: how its meshes are deformed.

use mlua::Value;

use super::check::{ByName, OptionValue, Type};
use galatea_asset::skinning::{Skinning, SkinningMode, SkinningOptions};
use galatea_derive::Options;

impl OptionValue for Skinning {
    const TYPE: Type = Type::Word(&["linear", "dual_quaternion"]);

    fn from_value(value: Value) -> Result<Self, String> {
        Self::from_name(&String::from_value(value)?)
    }
}

/// A name, which may end in a number of bones.
impl OptionValue for SkinningMode {
    const TYPE: Type = Type::Text;

    fn from_value(value: Value) -> Result<Self, String> {
        Self::from_name(&String::from_value(value)?)
    }
}

/// Skinning of all meshes, or of each by its name.
pub(super) enum MeshSkinning {
    All(Skinning),
    ByMesh(Vec<(String, Skinning)>),
}

impl OptionValue for MeshSkinning {
    const TYPE: Type = Type::OneOf(&[Skinning::TYPE, ByName::<Skinning>::TYPE]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Table(_) => ByName::from_value(value).map(|named| Self::ByMesh(named.0)),
            word => Skinning::from_value(word).map(Self::All),
        }
    }
}

/// Skinning of the meshes of a character.
#[derive(Options)]
pub(super) struct CharacterSkinning {
    /// Deformation of the meshes by bones: one word for all, or words by the names of meshes,
    /// { Body = "dual_quaternion" }; inside the brackets only.
    #[option(default_doc = "that of the file, else linear")]
    skinning: Option<MeshSkinning>,
    /// Technique, which does not change the shape: "auto", "indexed", "cpu", or "small16" in pieces of at most 16
    /// bones; inside the brackets only.
    #[option(default_doc = "\"auto\"")]
    skinning_mode: Option<SkinningMode>,
}

impl CharacterSkinning {
    /// The name of an option that is given.
    pub fn given(&self) -> Option<&'static str> {
        let skinning = self.skinning.as_ref().map(|_| "skinning");
        skinning.or(self.skinning_mode.as_ref().map(|_| "skinning_mode"))
    }

    /// The options as the loader of models takes them.
    pub fn of_model(self) -> SkinningOptions {
        let (skinning, by_mesh) = match self.skinning {
            Some(MeshSkinning::All(skinning)) => (Some(skinning), Vec::new()),
            Some(MeshSkinning::ByMesh(named)) => (None, named),
            None => (None, Vec::new()),
        };
        SkinningOptions {
            skinning,
            by_mesh,
            mode: self.skinning_mode,
        }
    }
}
