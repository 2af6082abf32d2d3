//! Options `skinning` and `skinning_mode` of `character`: the deformation of its meshes.

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

/// Reads a name that may end in a number of bones.
impl OptionValue for SkinningMode {
    const TYPE: Type = Type::Text;

    fn from_value(value: Value) -> Result<Self, String> {
        Self::from_name(&String::from_value(value)?)
    }
}

/// Skinning of all meshes, or of each mesh by name.
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

/// Skinning of a character's meshes.
#[derive(Options)]
pub(super) struct CharacterSkinning {
    /// Method that deforms the meshes (skinning), for all meshes or by the name of the mesh: { Body = "dual_quaternion"
    /// }. With "dual_quaternion", twisted joints keep their volume. Not allowed in the short form `character "file" { …
    /// }`.
    #[option(default_doc = "that of the file, otherwise \"linear\"")]
    skinning: Option<MeshSkinning>,
    /// Implementation of the skinning, which changes the speed but not the result: "auto", "indexed", "cpu", or
    /// "small16", which uses at most 16 bones for each piece of a mesh. Not allowed in the short form `character "file"
    /// { … }`.
    #[option(default_doc = "\"auto\"")]
    skinning_mode: Option<SkinningMode>,
}

impl CharacterSkinning {
    /// Name of the first option that was given, if any.
    pub fn given(&self) -> Option<&'static str> {
        let skinning = self.skinning.as_ref().map(|_| "skinning");
        skinning.or(self.skinning_mode.as_ref().map(|_| "skinning_mode"))
    }

    /// Converts to the options of the model loader.
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
