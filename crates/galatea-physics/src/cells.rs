//! Materials of ground by cell or triangle.

use std::fmt;
use std::sync::Arc;

use glam::Vec3;
use rapier3d::parry::query::PointQueryWithLocation;
use rapier3d::parry::shape::TriMesh;
use serde::{Deserialize, Serialize};

use super::shape::CollisionShape;
use super::shape_error::ShapeError;
use galatea_math::heights::Heights;

/// Materials of the cells or triangles of a shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cells {
    ground: CellSource,
    /// Names of the materials.
    #[serde(with = "galatea_persist::shared")]
    pub names: Vec<Arc<str>>,
    /// Index into `names`: per cell of a height field, row by row, or per triangle of a mesh.
    #[serde(with = "galatea_persist::bytes")]
    pub made_of: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum CellSource {
    Heights(#[serde(with = "galatea_persist::shared")] Arc<Heights>),
    Mesh(Box<CellMesh>),
}

/// Triangles with a search structure for the one nearest to a position.
#[derive(Clone, Serialize, Deserialize)]
struct CellMesh {
    #[serde(with = "galatea_persist::shared")]
    vertices: Arc<[Vec3]>,
    #[serde(with = "galatea_persist::shared")]
    triangles: Arc<[[u32; 3]]>,
    finder: TriMesh,
}

impl PartialEq for CellMesh {
    fn eq(&self, other: &Self) -> bool {
        self.vertices == other.vertices && self.triangles == other.triangles
    }
}

impl fmt::Debug for CellMesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mesh")
            .field("n_triangles", &self.triangles.len())
            .finish_non_exhaustive()
    }
}

impl Cells {
    /// Materials of a height field.
    pub fn of_heights(ground: Arc<Heights>, names: Vec<Arc<str>>, made_of: Vec<u8>) -> Self {
        Self {
            ground: CellSource::Heights(ground),
            names,
            made_of,
        }
    }

    /// Materials of a mesh, and its shape, without degenerate triangles.
    ///
    /// # Errors
    /// Fails if the triangles form no surface.
    pub fn of_mesh(
        vertices: Arc<[Vec3]>,
        triangles: &[[u32; 3]],
        names: Vec<Arc<str>>,
        made_of: &[u8],
    ) -> Result<(Self, CollisionShape), ShapeError> {
        let corner = |i: u32| vertices.get(i as usize);
        // The engine skips degenerate triangles, and material indices must match its triangle indices.
        let is_whole = |&[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(corner);
            a.is_some() && b.is_some() && c.is_some() && a != b && b != c && c != a
        };
        let both = triangles.iter().copied().zip(made_of.iter().copied());
        let (triangles, made_of): (Vec<_>, Vec<_>) = both.filter(|(t, _)| is_whole(t)).unzip();
        let finder = TriMesh::new(vertices.to_vec(), triangles.clone())
            .map_err(|error| ShapeError::Mesh(error.to_string()))?;
        let triangles: Arc<[[u32; 3]]> = triangles.into();
        let shape = CollisionShape::mesh(vertices.clone(), triangles.clone());
        let cells = Self {
            ground: CellSource::Mesh(Box::new(CellMesh {
                vertices,
                triangles,
                finder,
            })),
            names,
            made_of,
        };
        Ok((cells, shape))
    }

    /// Material at a position in the shape's space; on a mesh, that of the nearest triangle.
    pub fn at(&self, position: Vec3) -> Option<&Arc<str>> {
        let number = match &self.ground {
            CellSource::Heights(ground) => {
                let ([column, row], _) = ground.cell(position.x, position.z)?;
                row * (ground.counts()[0] - 1) + column
            }
            CellSource::Mesh(mesh) => {
                let (_, (triangle, _)) = mesh
                    .finder
                    .project_local_point_and_get_location(position, false);
                triangle as usize
            }
        };
        self.names.get(usize::from(*self.made_of.get(number)?))
    }

    /// Material index of a triangle, by the engine's triangle index.
    pub(super) fn of_triangle(&self, triangle: u32) -> Option<u8> {
        let triangle = triangle as usize;
        let number = match &self.ground {
            CellSource::Heights(ground) => {
                // The engine counts down the columns, first one triangle of each cell and then the other.
                let [columns, rows] = ground.counts().map(|n| n - 1);
                let cell = triangle % (columns * rows);
                (cell % rows) * columns + cell / rows
            }
            CellSource::Mesh(_) => triangle,
        };
        self.made_of.get(number).copied()
    }
}

/// A collider with cells of different friction or restitution.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct CellFriction {
    /// Materials of the cells.
    #[serde(with = "galatea_persist::shared")]
    pub cells: Arc<Cells>,
    /// Square root of the friction, and restitution, of each material.
    pub wear: Vec<[f32; 2]>,
}

impl CellFriction {
    /// Square root of the friction, and restitution, of a triangle, by the engine's triangle index.
    pub(crate) fn of_triangle(&self, triangle: u32) -> Option<[f32; 2]> {
        let name = self.cells.of_triangle(triangle)?;
        self.wear.get(usize::from(name)).copied()
    }
}
