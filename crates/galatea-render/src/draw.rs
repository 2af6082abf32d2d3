//! Draw calls: their pipeline, and the depth maps that they cast into.

use super::triangles::DrawnSide;
use super::uniforms::{GpuPlacement, flag};

/// Blending of a material with its background.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Blending {
    Opaque,
    CutOut,
    Over,
}

/// Shader of a material, in drawing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Hair drawn as camera-facing strands. It is cheap per pixel and hides more expensive surfaces, so it is drawn first.
    Strands,
    /// Metallic-roughness, or unlit.
    Plain,
    /// Metallic-roughness with extra layers on top.
    Layered,
    Skin,
    Eye,
    Hair,
    Toon,
    /// Outline of a toon material.
    Outline,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 8] = [
        Self::Strands,
        Self::Plain,
        Self::Layered,
        Self::Skin,
        Self::Eye,
        Self::Hair,
        Self::Toon,
        Self::Outline,
    ];

    /// File name of the shader.
    pub fn shader(self) -> &'static str {
        match self {
            Self::Plain => "mesh.wgsl",
            Self::Layered => "layered.wgsl",
            Self::Skin => "skin.wgsl",
            Self::Eye => "eye.wgsl",
            Self::Hair => "hair.wgsl",
            Self::Strands => "strands.wgsl",
            Self::Toon | Self::Outline => "toon.wgsl",
        }
    }
}

/// Winding of the front faces of a piece.
#[derive(Clone, Copy, Debug)]
pub struct Winding {
    /// Front faces are clockwise.
    pub is_mirrored: bool,
    /// Front faces are clockwise in some instances only, so both sides must be drawn.
    pub is_mixed: bool,
}

/// State that selects the pipeline of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Style {
    pub blending: Blending,
    pub class: Class,
    /// Back faces are culled; for outlines, front faces.
    pub culls: bool,
    /// Front faces are clockwise.
    pub is_mirrored: bool,
    /// Draws crowd agents, which are skinned in the vertex shader.
    pub is_agent: bool,
    /// [`flag`](super::uniforms::flag)s of the material.
    pub flags: u32,
}

impl Style {
    /// Triangle sides to draw. Does not apply to outlines.
    pub fn side(&self) -> DrawnSide {
        match (self.culls, self.is_mirrored) {
            (false, _) => DrawnSide::Both,
            (true, false) => DrawnSide::Ccw,
            (true, true) => DrawnSide::Cw,
        }
    }

    /// Returns true if the shader reads tangents.
    pub fn reads_tangents(&self) -> bool {
        matches!(self.class, Class::Hair | Class::Strands | Class::Eye)
            || self.flags & (flag::NORMAL | flag::COAT_NORMAL | flag::WRINKLES | flag::DECALS) != 0
    }
}

/// Maximum number of views with sorted triangles: the image, then the cascades of the sun's shadow map.
pub const SIGHTS: usize = 4;

/// Per view: first index and count in the plan's indices; `None` draws all triangles.
pub type Triangles = [Option<(u32, u32)>; SIGHTS];

/// [`Draw::job_before`] of a primitive that was not drawn in the last frame.
pub const NOT_BEFORE: u32 = u32::MAX;

/// One primitive of one instance, or of several instances that share a shape.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    pub style: Style,
    pub slot: u32,
    pub piece: u32,
    /// Index of the piece's deformed copy.
    pub job: u32,
    /// Index of the deformed copy in the last frame, [`NOT_BEFORE`] if there is none.
    pub job_before: u32,
    /// Index into the frame's models; with several instances, the index of one of them.
    pub instance: u32,
    /// First entry and count in the plan's placements, or in its lists of agents.
    pub placements: (u32, u32),
    /// Distance along the view, metres: to the model, or to the piece if it is blended.
    pub distance: f32,
    /// Sort order among blended draws; higher is drawn later.
    pub order: i8,
    /// Visible triangles, where they were determined.
    pub triangles: Triangles,
    /// Index into the model's materials.
    pub material: u32,
    /// The shadow has holes where alpha is low.
    pub has_holes: bool,
    /// Offset of the material's factors, bytes.
    pub factors: u32,
    /// Offset of the material's wrinkles, bytes.
    pub wrinkles: u32,
    /// Index into the frame's decal bind groups; [`NO_DECALS`](super::decals::NO_DECALS) without decals.
    pub decals: u32,
    /// Level of detail of the geometry.
    pub level: u8,
    /// Index of the light value at the strand's first point.
    pub first_lit: u32,
    /// Bit `i`: casts into view `i`.
    pub views: u64,
}

/// A depth map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewTarget {
    /// A cascade of the sun's shadow map.
    Sun(usize),
    /// A tile of the shadow atlas for point and spot lights: x, y, width, height in texels.
    LocalLight([f32; 4]),
    /// The contact map: objects on the ground, seen from below.
    Below,
}

/// Merges the draws from index `from` on that differ only in their placement. Near instances stay first.
pub fn draw_together(
    draws: &mut Vec<Draw>,
    from: usize,
    placements: &mut Vec<GpuPlacement>,
    repeated: &mut Vec<u32>,
) {
    let alike = |d: &Draw| {
        (
            d.style,
            (d.job, d.level),
            d.material,
            d.factors,
            (d.wrinkles, d.decals),
            d.has_holes,
        )
    };
    draws[from..].sort_by(|a, b| {
        let nearer = a.distance.total_cmp(&b.distance);
        alike(a).cmp(&alike(b)).then(nearer)
    });
    let apart: Vec<Draw> = draws.drain(from..).collect();
    for together in apart.chunk_by(|a, b| alike(a) == alike(b)) {
        let mut draw = together[0];
        if together.len() > 1 {
            draw.placements = (placements.len() as u32, together.len() as u32);
            draw.views = together.iter().fold(0, |views, one| views | one.views);
            for one in together {
                placements.push(placements[one.instance as usize]);
                repeated.push(one.instance);
            }
        }
        draws.push(draw);
    }
}
