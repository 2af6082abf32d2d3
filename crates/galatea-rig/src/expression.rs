//! Expressions stored in model files (VRM 1.0 expressions, VRM 0.x blend shape groups).

use serde::{Deserialize, Serialize};

use super::look_at::LookBind;

/// Effect of an active expression on expressions of another kind (VRM 1.0 `overrideMouth`, `overrideBlink`,
/// `overrideLookAt`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Override {
    /// No effect.
    #[default]
    None,
    /// Switches them off while this expression has any weight.
    Block,
    /// Scales them by one minus the weight of this expression.
    Blend,
}

/// A material property that an expression changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MaterialPart {
    /// Base colour and alpha.
    Color,
    /// Emitted colour.
    Emission,
    /// Scale (first two numbers) and offset (last two) of the texture coordinates.
    Uv,
}

/// Effect of an expression on a material.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MaterialBind {
    /// Index into the model's materials.
    pub material: u16,
    /// Changed property.
    pub part: MaterialPart,
    /// Value of the property when the expression has weight 1.
    pub target: [f32; 4],
}

/// An expression of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Expression {
    /// Name in the file; presets of VRM 0.x have their VRM 1.0 names.
    pub name: String,
    /// Driven morph targets.
    pub morphs: Vec<LookBind>,
    /// Driven materials.
    pub materials: Vec<MaterialBind>,
    /// The weight is rounded: 1 above one half, otherwise 0.
    pub is_binary: bool,
    /// Effects on mouth, blink and gaze expressions.
    pub overrides: [Override; 3],
}
