//! Expressions that a file brings (VRM 1.0 expressions, VRM 0.x blend shape groups).

use super::look_at::LookBind;

/// What an expression does to those of another kind while it shows (VRM 1.0, `overrideMouth` and its like).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Override {
    /// Nothing.
    #[default]
    None,
    /// They are off as long as it shows at all.
    Block,
    /// They show by what is left of it.
    Blend,
}

/// A number of a material that an expression moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialPart {
    /// Base colour and alpha.
    Color,
    /// Emitted colour.
    Emission,
    /// Scale (first two numbers) and offset (last two) of its pictures.
    Uv,
}

/// What an expression makes of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialBind {
    /// Index into the model's materials.
    pub material: u16,
    /// Which of its numbers.
    pub part: MaterialPart,
    /// What they are where the expression's weight is 1.
    pub target: [f32; 4],
}

/// An expression of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expression {
    /// As the file calls it; presets of VRM 0.x by their names in VRM 1.0.
    pub name: String,
    /// Morph targets that it moves.
    pub morphs: Vec<LookBind>,
    /// Materials that it moves.
    pub materials: Vec<MaterialBind>,
    /// It is all there above one half, or not at all.
    pub is_binary: bool,
    /// What it does to mouth, blinks and looks.
    pub overrides: [Override; 3],
}
