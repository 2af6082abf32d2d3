//! Limits of the numbers in files. A number beyond its limit is damage and is replaced or left out, with a warning, while a
//! file is loaded.
//!
//! Volumes, inertia and contacts are made of squares and cubes of sums of lengths, which have to stay finite in 32 bits: the
//! sums stay below 1e9, their cubes below 1e27.
//!
//! Loaders check single values with the functions here. `keep_near` checks what values make together: transforms down the tree
//! of bones, and vertices where the bones put them.

use glam::{Mat4, Vec3};

/// The largest distance from the origin along an axis, metres; also the largest factor, and the largest entry of a matrix.
pub const MAX_NUMBER: f32 = 1e6;
/// The largest weight of a morph target.
pub const MAX_WEIGHT: f32 = 1e3;
/// Scales below it are 0.
pub const MIN_SCALE: f32 = 1e-9;

/// False for NaN and for numbers beyond [`MAX_NUMBER`].
pub fn is_sound(number: f32) -> bool {
    number.abs() <= MAX_NUMBER
}

/// [`is_sound`] of all parts of a vector.
pub fn is_sound_vector(v: Vec3) -> bool {
    v.to_array().into_iter().all(is_sound)
}

/// [`is_sound`] of all entries of a matrix.
pub fn is_sound_matrix(m: &Mat4) -> bool {
    m.to_cols_array().into_iter().all(is_sound)
}

/// Replaces factors below [`MIN_SCALE`] by 0.
pub fn scale(scale: Vec3) -> Vec3 {
    let flushed = |s: f32| if s.abs() < MIN_SCALE { 0.0 } else { s };
    Vec3::from_array(scale.to_array().map(flushed))
}
