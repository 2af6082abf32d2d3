//! The debug view of a frame: its kind, and the models it shows.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use galatea_math::names::nearest_hint;

/// Kind of a debug view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ViewKind {
    /// Bones, joints and their names.
    Skeleton,
    /// Skin weights of bones.
    Weights,
    /// Triangle edges.
    Wireframe,
    /// World-space normals used for lighting.
    Normals,
    /// World-space tangents, and the side of the bitangent.
    Tangents,
    /// Checkerboard on the first texture coordinates.
    Uv,
    /// Number of times each pixel was shaded.
    Overdraw,
    /// Bounding boxes of the posed model and its primitives.
    Bounds,
    /// Ragdoll bodies and joint limits.
    Bodies,
    /// Number of lights per pixel.
    Light,
    /// Displacement by morph targets.
    Morphs,
    /// Base colour.
    Unlit,
    /// Perceptual roughness.
    Roughness,
    /// Metalness.
    Metallic,
    /// Occlusion map and ambient occlusion combined.
    Occlusion,
    /// View-space depth.
    Depth,
    /// Springs, ropes, cloth and hair, and their obstacles.
    Springs,
}

impl ViewKind {
    /// All kinds, in key order.
    pub const ALL: [Self; 17] = [
        Self::Skeleton,
        Self::Weights,
        Self::Wireframe,
        Self::Normals,
        Self::Tangents,
        Self::Uv,
        Self::Overdraw,
        Self::Bounds,
        Self::Bodies,
        Self::Light,
        Self::Morphs,
        Self::Unlit,
        Self::Roughness,
        Self::Metallic,
        Self::Occlusion,
        Self::Depth,
        Self::Springs,
    ];

    /// Names that users see, in the order of [`ViewKind::ALL`].
    pub const NAMES: &[&str] = &[
        "skeleton",
        "weights",
        "wireframe",
        "normals",
        "tangents",
        "uv",
        "overdraw",
        "bounds",
        "bodies",
        "light",
        "morphs",
        "unlit",
        "roughness",
        "metallic",
        "occlusion",
        "depth",
        "springs",
    ];

    /// The name that users see.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The kind with this name.
    ///
    /// # Errors
    /// A message with the nearest name and all names.
    pub fn of(name: &str) -> Result<Self, String> {
        let at = Self::NAMES.iter().position(|known| *known == name);
        at.map(|at| Self::ALL[at]).ok_or_else(|| {
            let hint = nearest_hint(name, Self::NAMES.iter().copied());
            let all = Self::NAMES.join(", ");
            match hint.starts_with("; available") {
                true => format!("there is no view {name:?}; available: {all}"),
                false => format!("there is no view {name:?}{hint} Views: {all}"),
            }
        })
    }
}

/// A debug view, ready to be drawn.
#[derive(Clone, Debug)]
pub struct FrameView {
    /// Kind of view.
    pub kind: ViewKind,
    /// Draws a line at each vertex.
    pub vertex_lines: bool,
    /// For each model of the frame, true if the view applies to it; others are drawn grey.
    pub shown: Vec<bool>,
    /// Vertex colours for [`ViewKind::Weights`] and [`ViewKind::Morphs`].
    pub paints: Vec<VertexColors>,
}

/// Colours of the vertices of one primitive of one model.
#[derive(Clone, Debug)]
pub struct VertexColors {
    /// Index into the frame's models.
    pub model: usize,
    /// Index into the model's parts.
    pub part: usize,
    /// Index into the primitives of the part's mesh.
    pub primitive: usize,
    /// Per vertex: an encoded colour and 1, or a fraction 0..=1 of the scale, two zeros and 0.
    pub values: Arc<Vec<[f32; 4]>>,
}
