//! Math that all Galatea crates share: transforms, smoothing, noise, terrain heights, SIMD and name lookup.
//!
//! [`Trs`] is a local transform: translation, rotation and scale. It completes what [`glam`] offers, and every pose
//! is a list of them. [`damp`] moves a value smoothly towards a goal at any tick rate. [`random`] and [`noise`] give
//! random numbers and noise from a seed. [`heights`] samples terrain, [`srgb`] converts colours, [`boxes`], [`ellipse`]
//! and [`lines`] find nearest points. [`names`] finds the name a user probably meant, and [`data_fault`]
//! describes errors in JSON and TOML files, both for error messages. [`simd`] gives the vector registers that the CPU has.
//!
//! ```
//! use galatea_math::{Trs, damp::DampedSpring, names::nearest};
//! use glam::{Quat, Vec3};
//!
//! // Halfway between two transforms.
//! let open = Trs { rotation: Quat::from_rotation_y(1.0), ..Trs::from_translation(Vec3::X) };
//! let half = Trs::IDENTITY.lerp(open, 0.5);
//! assert!(half.translation.distance(Vec3::X * 0.5) < 1e-6);
//! assert!(half.rotation.angle_between(Quat::from_rotation_y(0.5)) < 1e-3);
//!
//! // A value that follows a goal arrives there without overshooting, here within a fraction of a second.
//! let mut zoom = DampedSpring::at(0.0);
//! for _ in 0..120 {
//!     zoom.advance(1.0, 0.2, 1.0 / 60.0);
//! }
//! assert!((zoom.value - 1.0).abs() < 1e-3);
//!
//! assert_eq!(nearest("wlak", ["idle", "walk", "run"].into_iter()), Some("walk"));
//! ```
//!
//! # Dependencies
//!
//! Used by all other crates and knows none of them. Pure arithmetic without global state: the same input gives the
//! same bits. No unsafe code.

pub mod boxes;
pub mod clamp;
pub mod damp;
pub mod data_fault;
pub mod ellipse;
pub mod heights;
pub mod lines;
pub mod names;
pub mod noise;
pub mod phases;
pub mod random;
pub mod simd;
pub mod srgb;

use glam::{Affine3A, Mat3, Mat3A, Mat4, Quat, Vec3, Vec3Swizzles};
use serde::{Deserialize, Serialize};

/// A local transform: scale first, then rotation, then translation (glTF 2.0 §3.5.3).
///
/// The memory order is fixed, rotation first. Where glam's `Quat` is aligned to 16 bytes, each part can be read as four
/// floats inside the struct, and poses are computed with vector instructions (`anim::simd`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[repr(C)]
pub struct Trs {
    /// Unit quaternion.
    pub rotation: Quat,
    /// Offset from the parent's origin, metres.
    pub translation: Vec3,
    /// Factors along the bone's own axes; may be non-uniform or negative.
    pub scale: Vec3,
}

impl Default for Trs {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Trs {
    /// No translation, no rotation, scale one.
    pub const IDENTITY: Self = Self {
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
    };

    /// A pure translation.
    pub fn from_translation(translation: Vec3) -> Self {
        Self {
            translation,
            ..Self::IDENTITY
        }
    }

    /// The 3×4 matrix of this transform.
    #[inline]
    pub fn to_affine(self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// The nearest TRS to a matrix, and true if the matrix is one (no shear, no projection). A mirrored matrix gives a
    /// negative x scale. A zero-length column gives scale 0 and keeps the rotation finite.
    pub fn from_matrix(m: Mat4) -> (Self, bool) {
        let trs = Self::nearest(Affine3A::from_mat4(m));
        let size = trs.scale.abs().max_element().max(1e-6);
        let exact = Mat4::from(trs.to_affine()).abs_diff_eq(m, 1e-4 * size.max(1.0));
        (trs, exact)
    }

    /// As [`nearest`](Self::nearest) up to rounding, faster for a matrix without shear.
    #[inline]
    pub fn near(m: Affine3A) -> Self {
        Self::of_right_angles(m).unwrap_or_else(|| Self::nearest(m))
    }

    /// The TRS of a matrix without shear: its columns are the axes.
    #[inline]
    fn of_right_angles(m: Affine3A) -> Option<Self> {
        // Limit for the squared cosines between axes after the rounding of some products.
        const SHEAR: f32 = 1e-11;
        let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis];
        let squares = Vec3::new(x.dot(x), y.dot(y), z.dot(z));
        let shear = Vec3::new(y.dot(z), z.dot(x), x.dot(y));
        let limit = SHEAR * squares.zxy() * squares.yzx();
        let is_flat = squares.min_element() < 1e-18;
        if is_flat || !(shear * shear).cmple(limit).all() {
            return None;
        }
        let mut scale = squares.map(f32::sqrt);
        let unit = scale.recip();
        let (mut x, y, z) = (x * unit.x, y * unit.y, z * unit.z);
        if x.cross(y).dot(z) < 0.0 {
            scale.x = -scale.x;
            x = -x;
        }
        Some(Self {
            translation: m.translation.into(),
            rotation: Quat::from_mat3a(&Mat3A::from_cols(x, y, z)).normalize(),
            scale,
        })
    }

    /// The nearest TRS to a matrix; see [`from_matrix`](Self::from_matrix).
    pub fn nearest(m: Affine3A) -> Self {
        let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis].map(Vec3::from);
        let mut scale = Vec3::new(x.length(), y.length(), z.length());
        if Mat3::from_cols(x, y, z).determinant() < 0.0 {
            scale.x = -scale.x;
        }
        let z_unit = z.try_normalize().unwrap_or_else(|| {
            (x * scale.x.signum())
                .cross(y)
                .try_normalize()
                .unwrap_or(Vec3::Z)
        });
        let x_unit = (x * scale.x.signum())
            .reject_from_normalized(z_unit)
            .try_normalize()
            .unwrap_or_else(|| {
                y.cross(z_unit)
                    .try_normalize()
                    .unwrap_or_else(|| z_unit.any_orthonormal_vector())
            });
        let y_unit = z_unit.cross(x_unit);
        let rotation = Quat::from_mat3(&Mat3::from_cols(x_unit, y_unit, z_unit)).normalize();
        Self {
            translation: m.translation.into(),
            rotation,
            scale,
        }
    }

    /// Interpolates translation and scale linearly and rotation on the short arc (normalised lerp),
    /// `u` in 0..=1.
    #[inline]
    pub fn lerp(self, other: Self, u: f32) -> Self {
        Self {
            translation: self.translation.lerp(other.translation, u),
            rotation: nlerp(self.rotation, other.rotation, u),
            scale: self.scale.lerp(other.scale, u),
        }
    }

    /// True when every component is a finite number.
    pub fn is_finite(self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

/// Normalised linear interpolation of two unit quaternions on the short arc.
#[inline]
pub fn nlerp(a: Quat, b: Quat, u: f32) -> Quat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    let q = a * (1.0 - u) + b * u;
    let length_squared = q.length_squared();
    if length_squared > 1e-12 {
        q * length_squared.sqrt().recip()
    } else {
        a
    }
}

/// Hermite interpolation from 0 at `a` to 1 at `b`, clamped outside; `a` may be greater than `b`.
#[inline]
pub fn smoothstep(a: f32, b: f32, x: f32) -> f32 {
    let u = ((x - a) / (b - a)).clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirrored_scaled_matrix_comes_back_as_the_same_matrix() {
        let trs = Trs {
            translation: Vec3::new(1.0, -2.0, 3.0),
            rotation: Quat::from_euler(glam::EulerRot::YXZ, 0.7, -0.4, 2.1),
            scale: Vec3::new(-2.0, 0.5, 3.0),
        };
        let m = Mat4::from(trs.to_affine());
        let (back, exact) = Trs::from_matrix(m);
        assert!(exact);
        assert!(Mat4::from(back.to_affine()).abs_diff_eq(m, 1e-5));
    }

    #[test]
    fn matrices_without_shear_give_the_same_as_the_general_case() {
        for i in 0..1000 {
            let f = i as f32;
            let rotation =
                Quat::from_euler(glam::EulerRot::YXZ, f * 0.37, f * 0.11 - 1.0, f * 0.73);
            let mirror = if i % 3 == 0 { -1.0 } else { 1.0 };
            let trs = Trs {
                translation: Vec3::new(f, -2.0, 0.1 * f),
                rotation,
                scale: Vec3::new(mirror * (0.01 + 0.1 * f), 0.5 + 0.003 * f, 3.0),
            };
            let m = trs.to_affine();
            let [fast, slow] = [Trs::of_right_angles(m).unwrap(), Trs::nearest(m)];
            assert!(fast.rotation.dot(slow.rotation).abs() > 1.0 - 1e-6);
            assert!(
                fast.scale
                    .abs_diff_eq(slow.scale, 1e-6 * trs.scale.abs().max_element())
            );
            assert_eq!(fast.translation, slow.translation);
        }
        let sheared = Mat3::from_cols(Vec3::X, Vec3::new(1e-4, 1.0, 0.0), Vec3::Z);
        assert_eq!(Trs::of_right_angles(Affine3A::from_mat3(sheared)), None);
    }

    #[test]
    fn shear_is_reported_and_zero_scale_stays_finite() {
        let mut sheared = Mat4::IDENTITY;
        sheared.y_axis.x = 0.5;
        assert!(!Trs::from_matrix(sheared).1);
        let (flat, _) = Trs::from_matrix(Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0)));
        assert!(flat.is_finite());
        assert!(Trs::from_matrix(Mat4::ZERO).0.is_finite());
    }

    #[test]
    fn nlerp_takes_the_short_arc_and_never_yields_nan() {
        let a = Quat::from_rotation_y(0.2);
        let b = -Quat::from_rotation_y(0.6);
        assert!(nlerp(a, b, 0.5).abs_diff_eq(Quat::from_rotation_y(0.4), 1e-6));
        assert!(nlerp(a, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), 1.0).is_finite());
    }
}
