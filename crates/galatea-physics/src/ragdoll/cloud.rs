//! Point cloud of a model's surface at rest: position, area and bone influences of each point.

use glam::{Affine3A, Vec3};

use galatea_asset::Model;
use galatea_deform::{Deformed, Deformer, PaletteLayout, build_palette};

/// Models with at most this many triangles get points between their vertices too: vertices of a coarse mesh are all on edges
/// and describe the surface poorly.
const MAX_COARSE_TRIANGLES: usize = 30_000;

/// Appends the bones of a vertex to a list, with their weights times a factor.
type BonesOf<'a> = &'a dyn Fn(usize, f32, &mut Vec<(u16, f32)>);

/// A point of the surface at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloudPoint {
    /// Position, model space, metres.
    pub position: Vec3,
    /// Area that it represents, square metres.
    pub area: f32,
    /// The point belongs to a mesh attached to a node, while other meshes of the model are skinned.
    pub is_attached: bool,
    first: u32,
    n: u32,
}

/// Surface at rest.
#[derive(Clone, Debug, Default)]
pub struct Cloud {
    /// Points on the triangles.
    pub points: Vec<CloudPoint>,
    /// The model has a skinned mesh.
    pub has_skins: bool,
    influences: Vec<(u16, f32)>,
}

impl Cloud {
    /// Points of a model with bones at `model_from_bone` and the file's morph weights.
    pub fn of(model: &Model, model_from_bone: &[Affine3A]) -> Self {
        let mut palette = Vec::new();
        build_palette(model, model_from_bone, &mut palette);
        let layout = PaletteLayout::new(model);
        let has_skins = model.parts.iter().any(|part| part.skin.is_some());
        let (mut deformer, mut deformed) = (Deformer::default(), Deformed::default());
        let is_coarse = model.n_triangles() <= MAX_COARSE_TRIANGLES;
        let mut cloud = Self {
            has_skins,
            ..Self::default()
        };
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
                let influences = &primitive.influences;
                let per_vertex = match part.skin {
                    Some(_) => influences.per_vertex,
                    None => 0,
                };
                let bones_of = |vertex: usize, fraction: f32, out: &mut Vec<(u16, f32)>| {
                    let own = vertex * per_vertex..(vertex + 1) * per_vertex;
                    let pairs = influences
                        .joints
                        .get(own.clone())
                        .unwrap_or_default()
                        .iter();
                    let pairs = pairs.zip(influences.weights.get(own).unwrap_or_default());
                    for (joint, weight) in pairs.filter(|(_, weight)| **weight > 0.0) {
                        if let Some(&bone) = joints.get(usize::from(*joint)) {
                            add(out, bone, weight * fraction);
                        }
                    }
                    if per_vertex == 0
                        && let Some(&bone) = joints.first()
                    {
                        add(out, bone, fraction);
                    }
                };
                let is_attached = has_skins && part.skin.is_none();
                cloud.add(
                    &deformed.positions,
                    &primitive.indices,
                    is_attached,
                    is_coarse,
                    &bones_of,
                );
            }
        }
        cloud.give_area_to_flat_ones();
        cloud
    }

    /// Bones of a point with their weights, which sum to 1.
    pub fn bones(&self, point: &CloudPoint) -> &[(u16, f32)] {
        let first = point.first as usize;
        &self.influences[first..first + point.n as usize]
    }

    /// Area of the surface, square metres.
    pub fn area(&self) -> f32 {
        self.points.iter().map(|point| point.area).sum()
    }

    /// Lowest and highest corner; `None` without points.
    pub fn corners(&self) -> Option<(Vec3, Vec3)> {
        let mut positions = self.points.iter().map(|point| point.position);
        let first = positions.next()?;
        Some(positions.fold((first, first), |(low, high), p| (low.min(p), high.max(p))))
    }

    /// Adds the corners of triangles and, for a coarse mesh, the midpoints of edges and faces. The weights integrate cubics
    /// over a triangle exactly (Strang and Fix 1973).
    fn add(
        &mut self,
        positions: &[Vec3],
        indices: &[u32],
        is_attached: bool,
        is_coarse: bool,
        bones_of: BonesOf,
    ) {
        let mut corner_areas = vec![None; positions.len()];
        let mut bones = Vec::new();
        for triangle in indices.chunks_exact(3) {
            let corners = [triangle[0], triangle[1], triangle[2]].map(|i| i as usize);
            let [Some(a), Some(b), Some(c)] = corners.map(|i| positions.get(i).copied()) else {
                continue;
            };
            let area = (b - a).cross(c - a).length() * 0.5;
            let area = if area.is_finite() { area } else { 0.0 };
            let fraction = if is_coarse { 1.0 / 20.0 } else { 1.0 / 3.0 };
            for corner in corners {
                *corner_areas[corner].get_or_insert(0.0) += area * fraction;
            }
            if !is_coarse {
                continue;
            }
            let mut put = |weights: [f32; 3], fraction: f32| {
                bones.clear();
                for (corner, weight) in corners.into_iter().zip(weights) {
                    if weight > 0.0 {
                        bones_of(corner, weight, &mut bones);
                    }
                }
                let position = a * weights[0] + b * weights[1] + c * weights[2];
                self.push(position, area * fraction, is_attached, &bones);
            };
            for edge in [[0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.5, 0.0, 0.5]] {
                put(edge, 2.0 / 15.0);
            }
            put([1.0 / 3.0; 3], 9.0 / 20.0);
        }
        for (vertex, (&position, area)) in positions.iter().zip(corner_areas).enumerate() {
            if let Some(area) = area {
                bones.clear();
                bones_of(vertex, 1.0, &mut bones);
                self.push(position, area, is_attached, &bones);
            }
        }
    }

    fn push(&mut self, position: Vec3, area: f32, is_attached: bool, bones: &[(u16, f32)]) {
        if !position.is_finite() {
            return;
        }
        self.points.push(CloudPoint {
            position,
            area,
            is_attached,
            first: self.influences.len() as u32,
            n: bones.len() as u32,
        });
        self.influences.extend_from_slice(bones);
    }

    /// Gives equal areas to all vertices if no triangle has an area.
    fn give_area_to_flat_ones(&mut self) {
        if self.area() <= f32::MIN_POSITIVE {
            for point in &mut self.points {
                point.area = 1.0;
            }
        }
    }
}

/// Adds a weight to a bone of a list.
fn add(list: &mut Vec<(u16, f32)>, bone: u16, weight: f32) {
    match list.iter_mut().find(|(other, _)| *other == bone) {
        Some((_, sum)) => *sum += weight,
        None => list.push((bone, weight)),
    }
}
