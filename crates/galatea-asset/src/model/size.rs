//! Memory of a model.

use super::{Model, Primitive};

/// Bytes of the largest data of a [`Model`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModelSize {
    /// Decoded images.
    pub images: usize,
    /// Vertices, influences and indices.
    pub vertices: usize,
    /// Offsets of morph targets.
    pub morphs: usize,
}

impl ModelSize {
    /// Measures a model.
    pub fn of(model: &Model) -> Self {
        let primitives = || model.meshes.iter().flat_map(|mesh| &mesh.primitives);
        Self {
            images: model.images.iter().map(|image| image.rgba.len()).sum(),
            vertices: primitives().map(vertex_bytes).sum(),
            morphs: primitives().map(morph_bytes).sum(),
        }
    }
}

fn vertex_bytes(primitive: &Primitive) -> usize {
    size_of_val(&*primitive.positions)
        + size_of_val(&*primitive.normals)
        + size_of_val(&*primitive.tangents)
        + size_of_val(&*primitive.uv0)
        + size_of_val(&*primitive.uv1)
        + size_of_val(&*primitive.colors)
        + size_of_val(&*primitive.ribbon)
        + size_of_val(&*primitive.influences.joints)
        + size_of_val(&*primitive.influences.weights)
        + size_of_val(&*primitive.indices)
}

fn morph_bytes(primitive: &Primitive) -> usize {
    let targets = primitive.targets.iter();
    targets
        .map(|target| {
            size_of_val(&*target.positions)
                + size_of_val(&*target.normals)
                + size_of_val(&*target.tangents)
        })
        .sum()
}
