//! Triangle meshes of the physics engine, built once per shape.

use std::fmt;
use std::sync::{Arc, OnceLock};

use galatea_guard::guarded;
use glam::Vec3;
use rapier3d::parry::shape::SharedShape;
use rapier3d::prelude::TriMeshFlags;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::shape_error::{MAX_SIZE, ShapeError};
use galatea_persist::shared::{self, SharedPart};

/// The engine's form of a triangle mesh at scale 1, built when it is first needed. All bodies of the shape share it, and
/// bodies of another scale get a scaled copy: building takes several times as long.
#[derive(Clone, Default)]
pub struct EngineMesh(Arc<BuiltMesh>);

/// A triangle mesh that is built when it is first needed.
#[derive(Default)]
struct BuiltMesh(OnceLock<Result<SharedShape, ShapeError>>);

/// Not written: the mesh is built again from the shape's triangles, which gives the same mesh.
impl SharedPart for BuiltMesh {
    fn write_part<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ().serialize(serializer)
    }

    fn read_part<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Self>, D::Error> {
        <()>::deserialize(deserializer).map(|()| Arc::default())
    }
}

impl Serialize for EngineMesh {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        shared::serialize(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for EngineMesh {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        shared::deserialize(deserializer).map(Self)
    }
}

/// Shapes with the same triangles are equal, whether or not the engine's form has been built.
impl PartialEq for EngineMesh {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for EngineMesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EngineMesh")
    }
}

impl EngineMesh {
    /// Returns the mesh, `scale` times as large.
    ///
    /// # Errors
    /// When the triangles make no surface, or the scaled mesh is larger than [`MAX_SIZE`].
    pub(super) fn scaled(
        &self,
        vertices: &[Vec3],
        triangles: &[[u32; 3]],
        scale: f32,
    ) -> Result<SharedShape, ShapeError> {
        let distances = vertices.iter().map(|vertex| vertex.abs().max_element());
        let distance = distances.fold(0.0, f32::max) * scale;
        if vertices.iter().any(|vertex| !vertex.is_finite()) || scale.is_nan() || scale <= 0.0 {
            return Err(ShapeError::Size(f32::NAN));
        }
        if distance > MAX_SIZE {
            return Err(ShapeError::Large(distance));
        }
        let whole = self
            .0
            .0
            .get_or_init(|| built(vertices, triangles))
            .clone()?;
        let is_same = (scale - 1.0).abs() < f32::EPSILON;
        match whole.as_trimesh().filter(|_| !is_same) {
            Some(mesh) => Ok(SharedShape::new(mesh.clone().scaled(Vec3::splat(scale)))),
            None => Ok(whole),
        }
    }
}

fn built(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<SharedShape, ShapeError> {
    // One-sided in sweeps as in contacts; otherwise edges stop a body that slides fast.
    let flags = TriMeshFlags::FIX_INTERNAL_EDGES
        | TriMeshFlags::ORIENTED
        | TriMeshFlags::MERGE_DUPLICATE_VERTICES
        | TriMeshFlags::DELETE_DEGENERATE_TRIANGLES;
    let mesh = guarded("a triangle mesh", || {
        SharedShape::trimesh_with_flags(vertices.to_vec(), triangles.to_vec(), flags)
    });
    let failed = |_| ShapeError::Mesh("the physics engine cannot use it".into());
    let mesh = mesh.map_err(failed)?;
    mesh.map_err(|error| ShapeError::Mesh(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaled_mesh_is_the_built_one_times_the_scale_and_scale_one_is_shared() {
        let vertices = [
            Vec3::ZERO,
            Vec3::X,
            Vec3::new(1.0, 0.0, 1.0),
            Vec3::new(0.0, 0.5, 1.0),
        ];
        let triangles = [[0, 2, 1], [0, 3, 2]];
        let mesh = EngineMesh::default();
        let scaled = |scale: f32| mesh.scaled(&vertices, &triangles, scale);
        let [one, again, large] = [1.0, 1.0, 3.0].map(|scale| scaled(scale).unwrap());
        assert!(Arc::ptr_eq(&one.0, &again.0));
        let fresh = EngineMesh::default();
        let tripled = vertices.map(|vertex| vertex * 3.0);
        let expected = fresh.scaled(&tripled, &triangles, 1.0).unwrap();
        let [large, expected] = [&large, &expected].map(|shape| shape.as_trimesh().unwrap());
        assert_eq!(large.indices(), expected.indices());
        for (a, b) in large.vertices().iter().zip(expected.vertices()) {
            assert!(a.distance(*b) < 1e-5, "{a} {b}");
        }
        let [a, b] = [large, expected].map(|mesh| mesh.local_aabb());
        assert!(a.mins.distance(b.mins) < 1e-5 && a.maxs.distance(b.maxs) < 1e-5);
        assert!(matches!(scaled(2e6), Err(ShapeError::Large(_))));
        assert!(
            [0.0, -1.0, f32::NAN]
                .iter()
                .all(|scale| scaled(*scale).is_err())
        );
    }
}
