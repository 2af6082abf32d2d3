//! Limits of collision shapes.

/// Largest length of a shape, and distance of points from its origin, metres. The engine multiplies four lengths as
/// `f32`.
pub const MAX_SIZE: f32 = 1e6;

/// Reason why a shape is invalid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A length is not a positive number.
    #[error("its size must be more than 0, got {0}")]
    Size(f32),
    /// A length is above [`MAX_SIZE`].
    #[error("its size must be at most {MAX_SIZE} m, got {0} m")]
    Large(f32),
    /// The points span no volume.
    #[error("its {0} points enclose no volume")]
    Flat(usize),
    /// Triangles are missing or refer to missing vertices.
    #[error("its triangles form no surface: {0}")]
    Mesh(String),
}
