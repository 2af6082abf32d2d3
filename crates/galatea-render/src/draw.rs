//! What is drawn with which pipeline, and into which maps of depth.

use super::triangles::DrawnSide;
use super::uniforms::{GpuPlacement, flag};

/// How a material covers what is behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Blending {
    Opaque,
    CutOut,
    Over,
}

/// Which shader draws a material, in the order in which they draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Hair whose strands turn to the eye: costs little at each pixel, and hides what costs more.
    Strands,
    /// Metallic-roughness, or unlit.
    Plain,
    /// With layers over it.
    Layered,
    Skin,
    Eye,
    Hair,
    Toon,
    /// The line around a toon.
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

    /// The file of its shader.
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
    /// Some front faces are clockwise and others are not: both sides have to be drawn.
    pub is_mixed: bool,
}

/// What decides the pipeline of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Style {
    pub blending: Blending,
    pub class: Class,
    /// Back faces are left out; front faces of an outline.
    pub culls: bool,
    /// Front faces are clockwise.
    pub is_mirrored: bool,
    /// It draws people of crowds: skinned where they are drawn.
    pub is_person: bool,
    /// [`flag`](super::uniforms::flag)s of the material.
    pub flags: u32,
}

impl Style {
    /// Which sides of triangles are drawn, but for outlines.
    pub fn side(&self) -> DrawnSide {
        match (self.culls, self.is_mirrored) {
            (false, _) => DrawnSide::Both,
            (true, false) => DrawnSide::Ccw,
            (true, true) => DrawnSide::Cw,
        }
    }

    /// Its shader reads tangents.
    pub fn reads_tangents(&self) -> bool {
        matches!(self.class, Class::Hair | Class::Strands | Class::Eye)
            || self.flags & (flag::NORMAL | flag::COAT_NORMAL | flag::WRINKLES | flag::DECALS) != 0
    }
}

/// The most pictures and maps whose triangles are sorted out: the picture, then the sun's maps.
pub const SIGHTS: usize = 4;

/// Of each, in the indices of the plan the first and how many; `None` where all are drawn.
pub type Triangles = [Option<(u32, u32)>; SIGHTS];

/// [`Draw::job_before`] of what was not drawn in the picture before.
pub const NOT_BEFORE: u32 = u32::MAX;

/// One primitive of one instance, or of several that have the same shape.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    pub style: Style,
    pub slot: u32,
    pub piece: u32,
    /// Which of the piece's deformed copies.
    pub job: u32,
    /// Which of the copies of the picture before, [`NOT_BEFORE`] where there is none.
    pub job_before: u32,
    /// Index into the frame's models; of one of them, where there are several.
    pub instance: u32,
    /// Where they stand: first of the plan's placements, or of its lists of people, and how many.
    pub placed: (u32, u32),
    /// Along the view, metres: of the model, for blended ones of the piece.
    pub distance: f32,
    /// Among blended draws; higher is drawn later.
    pub order: i8,
    /// Its triangles that can be seen, where they were looked for.
    pub triangles: Triangles,
    /// Index into the model's materials.
    pub material: u32,
    /// Its shadow has holes where alpha is low.
    pub has_holes: bool,
    /// Where its material's factors stand, bytes.
    pub factors: u32,
    /// Where its material's wrinkles stand, bytes.
    pub wrinkles: u32,
    /// Which of the frame's groups has its pictures with decals over them; [`NO_DECALS`](super::decals::NO_DECALS) without.
    pub decals: u32,
    /// Which of the geometry's levels.
    pub level: u8,
    /// Where the light of a strand's first point is.
    pub first_lit: u32,
    /// Bit i: it casts into view i.
    pub views: u64,
}

/// A map of depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewTarget {
    /// A layer of the sun's map.
    Sun(usize),
    /// A tile of the lamps' map: x, y, width, height in texels.
    Lamp([f32; 4]),
    /// What stands on the ground, from below.
    Below,
}

/// Makes one draw of those from `from` on that differ only in where they stand; near ones stay first.
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
            draw.placed = (placements.len() as u32, together.len() as u32);
            draw.views = together.iter().fold(0, |views, one| views | one.views);
            for one in together {
                placements.push(placements[one.instance as usize]);
                repeated.push(one.instance);
            }
        }
        draws.push(draw);
    }
}
