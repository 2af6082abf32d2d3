//! Levels of detail: coarser triangles over the same vertices.

use glam::Vec3;
use meshopt::{SimplifyOptions, VertexDataAdapter, optimize_vertex_cache, simplify};

use super::Model;
use super::model::Primitive;

/// Geometric error of each coarser level, as a fraction of the model's size.
const LEVEL_ERRORS: [f32; 4] = [0.004, 0.012, 0.04, 0.08];

/// Coarser levels of a model; level 0 is the model itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lods {
    /// Indices by mesh, primitive and level.
    triangles: Vec<Vec<Vec<Vec<u32>>>>,
}

impl Lods {
    /// Number of levels of a model, including level 0.
    pub const LEVELS: usize = LEVEL_ERRORS.len() + 1;

    /// Generates the coarser levels of a model. Primitives smaller than the error of a level are omitted from it.
    pub fn of(model: &Model) -> Self {
        let all = || model.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let size = all().map(extent).fold(0.0, f32::max);
        let of = |primitive: &Primitive| -> Vec<Vec<u32>> {
            let errors = LEVEL_ERRORS.iter().map(|fraction| fraction * size);
            errors
                .map(|max_error| coarser(primitive, max_error))
                .collect()
        };
        let of_mesh = |primitives: &[Primitive]| primitives.iter().map(of).collect();
        let meshes = model.meshes.iter();
        Self {
            triangles: meshes.map(|mesh| of_mesh(&mesh.primitives)).collect(),
        }
    }

    /// Triangles of a primitive on a level from 1 on; `None` for level 0 and for a level that does not exist.
    pub fn triangles(&self, mesh: usize, primitive: usize, level: usize) -> Option<&[u32]> {
        let levels = self.levels(mesh, primitive)?;
        Some(levels.get(level.checked_sub(1)?)?)
    }

    /// All coarser levels of a primitive.
    pub fn levels(&self, mesh: usize, primitive: usize) -> Option<&[Vec<u32>]> {
        Some(self.triangles.get(mesh)?.get(primitive)?)
    }
}

/// Size along the longest axis, metres in mesh space.
fn extent(primitive: &Primitive) -> f32 {
    let finite = || primitive.positions.iter().filter(|at| at.is_finite());
    let low = finite().fold(Vec3::INFINITY, |low, at| low.min(*at));
    let high = finite().fold(Vec3::NEG_INFINITY, |high, at| high.max(*at));
    (high - low).max_element().max(0.0)
}

fn coarser(primitive: &Primitive, max_error: f32) -> Vec<u32> {
    let n = primitive.positions.len();
    let is_sound = |i: &u32| {
        let at = primitive.positions.get(*i as usize);
        at.is_some_and(|at| at.is_finite())
    };
    let is_sound = n > 0
        && primitive.indices.len().is_multiple_of(3)
        && primitive.indices.iter().all(is_sound)
        && primitive.ribbon.is_empty()
        && max_error > 0.0;
    let bytes = bytemuck::cast_slice(&primitive.positions);
    match VertexDataAdapter::new(bytes, size_of::<Vec3>(), 0) {
        Ok(vertices) if is_sound => {
            let options = SimplifyOptions::ErrorAbsolute
                | SimplifyOptions::Prune
                | SimplifyOptions::Permissive;
            let found = simplify(&primitive.indices, &vertices, 0, max_error, options, None);
            optimize_vertex_cache(&found, n)
        }
        _ => primitive.indices.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Mesh;

    /// A sphere in rings: a ball of 1 m or a small one of 1 cm next to it.
    fn ball(rings: u32, radius: f32, at: Vec3) -> Primitive {
        let mut ball = Primitive::default();
        for i in 0..=rings {
            for k in 0..=rings {
                let (a, b) = (
                    i as f32 / rings as f32 * std::f32::consts::PI,
                    k as f32 / rings as f32 * std::f32::consts::TAU,
                );
                let way = Vec3::new(a.sin() * b.cos(), a.cos(), a.sin() * b.sin());
                ball.positions.push(at + way * radius);
            }
        }
        for i in 0..rings {
            for k in 0..rings {
                let first = i * (rings + 1) + k;
                let next = first + rings + 1;
                ball.indices
                    .extend([first, first + 1, next, first + 1, next + 1, next]);
            }
        }
        ball
    }

    #[test]
    fn levels_are_coarser_within_their_error_and_small_primitives_are_omitted() {
        let mesh = Mesh {
            primitives: vec![ball(48, 0.5, Vec3::ZERO), ball(8, 0.005, Vec3::X)],
            ..Mesh::default()
        };
        let model = Model {
            meshes: vec![mesh],
            ..Model::default()
        };
        let lods = Lods::of(&model);
        let positions = &model.meshes[0].primitives[0].positions;
        let mut before = 48 * 48 * 6;
        for (level, max_error) in (1..).zip(LEVEL_ERRORS) {
            let triangles = lods.triangles(0, 0, level).unwrap();
            assert!(triangles.len() < before && triangles.len() >= 60, "{level}");
            before = triangles.len();
            for corners in triangles.chunks(3) {
                let middle: Vec3 = corners.iter().map(|i| positions[*i as usize]).sum();
                let off = 0.5 - (middle / 3.0).length();
                assert!(off < 2.5 * max_error, "level {level}: {off}");
            }
        }
        assert!(before < 48 * 48 * 6 / 40);
        assert_eq!(lods.triangles(0, 1, 3).map(<[u32]>::len), Some(0));
        assert_eq!(lods.triangles(0, 0, 0), None);
        assert_eq!(lods.triangles(0, 0, 5), None);
        assert_eq!(lods.triangles(1, 0, 1), None);
    }

    #[test]
    fn unusual_primitives_stay_unchanged() {
        let mut broken = ball(8, 0.5, Vec3::ZERO);
        broken.positions[3] = Vec3::NAN;
        let mut beyond = ball(8, 0.5, Vec3::ZERO);
        beyond.indices[0] = 9999;
        let mesh = Mesh {
            primitives: vec![broken.clone(), beyond.clone(), Primitive::default()],
            ..Mesh::default()
        };
        let model = Model {
            meshes: vec![mesh],
            ..Model::default()
        };
        let lods = Lods::of(&model);
        assert_eq!(lods.triangles(0, 0, 1), Some(&broken.indices[..]));
        assert_eq!(lods.triangles(0, 1, 2), Some(&beyond.indices[..]));
        assert_eq!(lods.triangles(0, 2, 3), Some(&[][..]));
        assert_eq!(Lods::of(&Model::default()), Lods::default());
    }
}
