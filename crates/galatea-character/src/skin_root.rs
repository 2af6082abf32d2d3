//! Positions on the skin of a character that hair and particles follow as the skin moves.

use std::sync::Arc;

use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use serde::{Deserialize, Serialize};

use super::definition::Definition;
use super::instance::Character;
use super::skin_triangles::SkinTriangle;
use galatea_deform::{TriangleHit, build_palette, posed_vertex};

/// A point on the skin that moves with it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SkinRoot {
    pub(super) triangle: SkinTriangle,
    pub(super) barycentric: Vec3,
    /// Inverse of the rest frame, model space.
    pub(super) rest_inverse: Affine3A,
}

impl SkinRoot {
    /// Returns the point where a ray hit a character.
    pub fn of_traced(definition: &Definition, traced: &TriangleHit) -> Option<Self> {
        let part = definition.model.parts.get(traced.part)?;
        let mesh = definition.model.meshes.get(part.mesh)?;
        let indices = &mesh.primitives.get(traced.primitive)?.indices;
        let corners = indices.get(3 * traced.triangle..3 * traced.triangle + 3)?;
        let triangle = SkinTriangle {
            part: traced.part as u32,
            primitive: traced.primitive as u32,
            corners: [corners[0], corners[1], corners[2]],
        };
        let mut palette = Vec::new();
        build_palette(&definition.model, &definition.rest_matrices(), &mut palette);
        let barycentric = traced.barycentric;
        let morphs = &definition.rest.morphs;
        let frame = frame(definition, &triangle, barycentric, &palette, morphs)?;
        Some(Self {
            triangle,
            barycentric,
            rest_inverse: frame.inverse(),
        })
    }
}

/// Triangles of a character's surface for choosing random points with uniform density.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "SavedSampler", into = "SavedSampler")]
pub struct SkinSampler {
    definition: Arc<Definition>,
    /// Hidden parts as bits.
    hidden: Vec<u64>,
    triangles: Vec<SkinTriangle>,
    /// Cumulative areas at rest.
    areas: Vec<f32>,
}

/// A sampler in a saved game. Its triangles are collected again.
#[derive(Serialize, Deserialize)]
struct SavedSampler {
    #[serde(with = "galatea_persist::shared")]
    definition: Arc<Definition>,
    hidden: Vec<u64>,
}

impl From<SkinSampler> for SavedSampler {
    fn from(sampler: SkinSampler) -> Self {
        Self {
            definition: sampler.definition,
            hidden: sampler.hidden,
        }
    }
}

impl TryFrom<SavedSampler> for SkinSampler {
    type Error = String;

    fn try_from(saved: SavedSampler) -> Result<Self, String> {
        let found = Self::of(&saved.definition, &saved.hidden);
        found.ok_or_else(|| format!("{} has no surface", saved.definition.model.name))
    }
}

impl SkinSampler {
    /// Collects the triangles of all visible parts; `None` if there is no surface.
    pub fn of(definition: &Arc<Definition>, hidden: &[u64]) -> Option<Self> {
        let is_hidden = |part: u32| {
            let bits = hidden.get(part as usize / 64);
            bits.is_some_and(|bits| bits >> (part % 64) & 1 == 1)
        };
        let all = definition.skin_triangles().iter();
        let mut sum = 0.0_f32;
        let (triangles, areas): (Vec<_>, Vec<_>) = all
            .filter(|(triangle, _)| !is_hidden(triangle.part))
            .map(|(triangle, area)| {
                sum += area;
                (*triangle, sum)
            })
            .unzip();
        (!triangles.is_empty()).then(|| Self {
            definition: definition.clone(),
            hidden: hidden.to_vec(),
            triangles,
            areas,
        })
    }
}

impl Character {
    /// Returns the current world-space frame of a skin point; +Y is the surface normal. `None` if the point no longer
    /// exists.
    pub fn skin_frame(&self, root: &SkinRoot) -> Option<Affine3A> {
        self.frame_of(&root.triangle, root.barycentric)
    }

    /// Returns the frame of a random surface point, see [`Character::skin_frame`]. The numbers in 0..1 choose the triangle
    /// and the point in it.
    pub fn skin_place(&self, places: &SkinSampler, chance: [f32; 3]) -> Option<Affine3A> {
        let area = places.areas.last()? * chance[0];
        let i = places.areas.partition_point(|sum| *sum <= area);
        let triangle = places.triangles.get(i.min(places.triangles.len() - 1))?;
        // Uniform over the triangle (Turk 1990, "Generating random points in triangles").
        let root = chance[1].sqrt();
        let barycentric = Vec3::new(1.0 - root, root * (1.0 - chance[2]), root * chance[2]);
        self.frame_of(triangle, barycentric)
    }

    fn frame_of(&self, triangle: &SkinTriangle, barycentric: Vec3) -> Option<Affine3A> {
        let (palette, morphs) = (&self.skin.palette[0], &self.skin.morphs[0]);
        let frame = frame(&self.definition, triangle, barycentric, palette, morphs)?;
        let world = self.posed.world[0] * frame;
        world.is_finite().then_some(world)
    }

    /// Returns the transform of the skin at a point from the rest pose to the current pose, model space; `None` if the point
    /// no longer exists.
    pub fn skin_moved(&self, root: &SkinRoot) -> Option<Affine3A> {
        let (palette, morphs) = (&self.skin.palette[0], &self.skin.morphs[0]);
        let now = frame(
            &self.definition,
            &root.triangle,
            root.barycentric,
            palette,
            morphs,
        )?;
        let moved = now * root.rest_inverse;
        moved.is_finite().then_some(moved)
    }
}

/// Returns the frame of a triangle in a pose: at the given point, orthonormal.
pub(super) fn frame(
    definition: &Definition,
    triangle: &SkinTriangle,
    barycentric: Vec3,
    palette: &[Affine3A],
    morphs: &[f32],
) -> Option<Affine3A> {
    let at = triangle.part as usize;
    let part = definition.model.parts.get(at)?;
    let mesh = definition.model.meshes.get(part.mesh)?;
    let primitive = mesh.primitives.get(triangle.primitive as usize)?;
    let palette = palette.get(*definition.layout.part_start.get(at)? as usize..)?;
    let weights = morphs.get(*definition.morph_start.get(at)?..)?;
    let weights = weights.get(..part.morph_weights.len())?;
    let mut corners = [Vec3::ZERO; 3];
    for (to, corner) in corners.iter_mut().zip(triangle.corners) {
        *to = posed_vertex(part, primitive, corner as usize, weights, palette)?;
    }
    let [a, b, c] = corners;
    let along = (b - a).try_normalize()?;
    let up = (b - a).cross(c - a).try_normalize()?;
    let origin = a * barycentric.x + b * barycentric.y + c * barycentric.z;
    Some(Affine3A {
        matrix3: Mat3A::from_cols(along.into(), up.into(), Vec3A::from(along.cross(up))),
        translation: origin.into(),
    })
}
