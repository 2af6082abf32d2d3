//! The surface of a model at rest as points: where each vertex is, how much surface it stands for, and
//! which bones carry it.

use glam::{Affine3A, Vec3};

use crate::asset::Model;
use crate::deform::{Deformed, Deformer, PaletteLayout, build_palette};

/// A vertex at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Model space, metres.
    pub place: Vec3,
    /// Square metres: a third of the triangles around it.
    pub area: f32,
    /// It belongs to a mesh that hangs on a node, while other meshes of the model have skins.
    pub is_hung: bool,
    first: u32,
    n: u32,
}

/// All vertices at rest.
#[derive(Clone, Debug, Default)]
pub struct Cloud {
    /// Those that triangles use.
    pub points: Vec<Point>,
    influences: Vec<(u16, f32)>,
}

impl Cloud {
    /// The points of a model whose bones stand at `model_from_bone`, with the file's morph weights.
    pub fn of(model: &Model, model_from_bone: &[Affine3A]) -> Self {
        let mut palette = Vec::new();
        build_palette(model, model_from_bone, &mut palette);
        let layout = PaletteLayout::new(model);
        let has_skins = model.parts.iter().any(|part| part.skin.is_some());
        let (mut deformer, mut deformed) = (Deformer::default(), Deformed::default());
        let mut cloud = Self::default();
        for (part, &start) in model.parts.iter().zip(&layout.part_start) {
            let joints = match part.skin {
                Some(skin) => &model.skins[skin].joints[..],
                None => std::slice::from_ref(&part.bone),
            };
            let matrices = &palette[start as usize..start as usize + joints.len()];
            for primitive in &model.meshes[part.mesh].primitives {
                deformer.deform(
                    primitive,
                    &part.morph_weights,
                    matrices,
                    part.skinning,
                    &mut deformed,
                );
                let areas = areas(&deformed.positions, &primitive.indices);
                let influences = &primitive.influences;
                let per_vertex = match part.skin {
                    Some(_) => influences.per_vertex,
                    None => 0,
                };
                for (v, (&place, &area)) in deformed.positions.iter().zip(&areas).enumerate() {
                    let Some(area) = area.filter(|_| place.is_finite()) else {
                        continue;
                    };
                    let first = cloud.influences.len();
                    for k in v * per_vertex..(v + 1) * per_vertex {
                        let weight = influences.weights[k];
                        if let Some(&bone) = joints.get(usize::from(influences.joints[k]))
                            && weight > 0.0
                        {
                            cloud.influences.push((bone, weight));
                        }
                    }
                    if per_vertex == 0
                        && let Some(&bone) = joints.first()
                    {
                        cloud.influences.push((bone, 1.0));
                    }
                    cloud.points.push(Point {
                        place,
                        area,
                        is_hung: has_skins && part.skin.is_none(),
                        first: first as u32,
                        n: (cloud.influences.len() - first) as u32,
                    });
                }
            }
        }
        cloud.give_area_to_flat_ones();
        cloud
    }

    /// The bones that carry a point and their weights, which sum to 1.
    pub fn bones(&self, point: &Point) -> &[(u16, f32)] {
        let first = point.first as usize;
        &self.influences[first..first + point.n as usize]
    }

    /// Square metres.
    pub fn area(&self) -> f32 {
        self.points.iter().map(|point| point.area).sum()
    }

    /// Lowest and highest corner; `None` without points.
    pub fn corners(&self) -> Option<(Vec3, Vec3)> {
        let mut places = self.points.iter().map(|point| point.place);
        let first = places.next()?;
        Some(places.fold((first, first), |(low, high), p| (low.min(p), high.max(p))))
    }

    /// Where all triangles have no area every vertex counts alike.
    fn give_area_to_flat_ones(&mut self) {
        if self.area() <= f32::MIN_POSITIVE {
            for point in &mut self.points {
                point.area = 1.0;
            }
        }
    }
}

/// For every vertex a third of the triangles it is in; `None` for those that are in none.
fn areas(places: &[Vec3], indices: &[u32]) -> Vec<Option<f32>> {
    let mut areas = vec![None; places.len()];
    for triangle in indices.chunks_exact(3) {
        let corners = [triangle[0], triangle[1], triangle[2]].map(|i| i as usize);
        let [Some(a), Some(b), Some(c)] = corners.map(|i| places.get(i).copied()) else {
            continue;
        };
        let third = (b - a).cross(c - a).length() / 6.0;
        let third = if third.is_finite() { third } else { 0.0 };
        for corner in corners {
            *areas[corner].get_or_insert(0.0) += third;
        }
    }
    areas
}
