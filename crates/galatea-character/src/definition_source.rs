//! Origins of definitions.

use galatea_asset::PrimitiveMesh;

/// Kind under which a saved game requests the definition of a file.
pub const MODEL_KIND: &str = "model";

/// Origin of a definition.
#[derive(Clone, Debug, Default)]
pub enum DefinitionSource {
    /// A model made in memory. A saved game contains it.
    #[default]
    Generated,
    /// Key of a file with its import options. The caller that reads a saved game loads it.
    File(String),
    /// A primitive shape.
    Primitive(PrimitiveMesh),
    /// Bones, clips and parts of the file with this key as they were when a game was saved, without geometry and keys. The file
    /// has changed since then. State is carried over from it by name.
    Outline(String),
}
