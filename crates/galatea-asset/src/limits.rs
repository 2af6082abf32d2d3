//! Limits of the numbers in files. A number beyond its limit is damage; while loading it is replaced or skipped, with a
//! warning.
//!
//! Volumes, inertia and contacts are computed from squares and cubes of sums of lengths, which must stay finite in 32 bits:
//! the sums stay below 1e9, their cubes below 1e27.
//!
//! Loaders check single values with these functions. `near_origin` checks combined values: transforms along the bone
//! hierarchy, and vertices in the space of the bones.

use glam::{Mat4, Vec3};

/// Limit of the distance from the origin along an axis, metres; also of a scale factor and of an entry of a matrix.
pub const MAX_NUMBER: f32 = 1e6;
/// Limit of the weight of a morph target.
pub const MAX_WEIGHT: f32 = 1e3;
/// Smaller scales become 0.
pub const MIN_SCALE: f32 = 1e-9;

/// Returns false for NaN and for numbers beyond [`MAX_NUMBER`].
pub fn is_sound(number: f32) -> bool {
    number.abs() <= MAX_NUMBER
}

/// Applies [`is_sound`] to all components of a vector.
pub fn is_sound_vector(v: Vec3) -> bool {
    v.to_array().into_iter().all(is_sound)
}

/// Applies [`is_sound`] to all entries of a matrix.
pub fn is_sound_matrix(m: &Mat4) -> bool {
    m.to_cols_array().into_iter().all(is_sound)
}

/// Replaces scale factors below [`MIN_SCALE`] by 0.
pub fn scale(scale: Vec3) -> Vec3 {
    let flushed = |s: f32| if s.abs() < MIN_SCALE { 0.0 } else { s };
    Vec3::from_array(scale.to_array().map(flushed))
}
