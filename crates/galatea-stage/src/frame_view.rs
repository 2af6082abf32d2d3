//! The debug view of a frame: its kind, and what of the models it shows.

use std::sync::Arc;

use galatea_math::names::nearest_hint;

/// What a debug view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ViewKind {
    /// Bones, joints and their names.
    Skeleton,
    /// What each bone moves.
    Weights,
    /// Edges of triangles.
    Wireframe,
    /// Normals of what is lit, world space.
    Normals,
    /// Tangents, world space, and on which side the bitangent is.
    Tangents,
    /// A board laid over the first texture coordinates.
    Uv,
    /// How often each pixel was shaded.
    Overdraw,
    /// Boxes around the posed model and its primitives.
    Bounds,
    /// The ragdoll's bodies and how far their links turn.
    Bodies,
    /// How many lamps light each pixel.
    Light,
    /// How far morph targets move the surface.
    Morphs,
    /// Base colour.
    Unlit,
    /// Perceptual roughness.
    Roughness,
    /// How metallic it is.
    Metallic,
    /// How open the surface is: the file's picture and ambient occlusion.
    Occlusion,
    /// Distance along the view.
    Depth,
    /// Springs, ropes, cloth and hair, and what they lie on.
    Springs,
}

impl ViewKind {
    /// All, in the order in which a key goes through them.
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

    /// The names by which users know them, in the order of [`ViewKind::ALL`].
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

    /// The name by which users know it.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The view of a name.
    ///
    /// # Errors
    /// In words, with the nearest name and all of them, when there is none.
    pub fn of(name: &str) -> Result<Self, String> {
        let at = Self::NAMES.iter().position(|known| *known == name);
        at.map(|at| Self::ALL[at]).ok_or_else(|| {
            let hint = nearest_hint(name, Self::NAMES.iter().copied());
            let all = Self::NAMES.join(", ");
            match hint.starts_with("; there are") {
                true => format!("there is no view {name:?}; there are {all}"),
                false => format!("there is no view {name:?}{hint} There are {all}"),
            }
        })
    }
}

/// A debug view as it is drawn.
#[derive(Clone, Debug)]
pub struct FrameView {
    /// What is shown.
    pub kind: ViewKind,
    /// Hair lines stand on the vertices.
    pub hairs: bool,
    /// For each of the frame's models whether the view is of it; others are drawn grey.
    pub shown: Vec<bool>,
    /// Colours of vertices; [`ViewKind::Weights`] and [`ViewKind::Morphs`].
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
    /// Per vertex: an encoded colour and 1, or a share 0..=1 of the scale, two zeros and 0.
    pub values: Arc<Vec<[f32; 4]>>,
}
