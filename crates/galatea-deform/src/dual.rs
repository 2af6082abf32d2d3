//! Decomposition of a matrix into a stretch and a rigid motion, stored as a unit dual quaternion.

use glam::{Affine3A, Mat3A, Quat, Vec3A, Vec4, Vec4Swizzles};

/// Tolerance for entries of the stretch to count as identity.
const RIGID_TOLERANCE: f32 = 1e-5;

/// `translation * rotation * stretch`. Dual quaternion skinning blends these parts separately (Kavan et al. 2008, "Geometric
/// skinning with approximate dual quaternion blending", §4.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidStretch {
    /// Rotation: x, y, z, w; unit length.
    pub real: Vec4,
    /// Half the translation times the rotation.
    pub dual: Vec4,
    /// Scale, shear and mirror.
    pub stretch: Mat3A,
}

impl RigidStretch {
    /// No motion.
    pub const IDENTITY: Self = Self {
        real: Vec4::W,
        dual: Vec4::ZERO,
        stretch: Mat3A::IDENTITY,
    };

    /// Decomposes a matrix. The rotation is the nearest one (polar decomposition, Higham 1986), so a pure scale gives none.
    /// A mirror becomes part of the stretch. For a singular matrix the rotation is arbitrary, and the stretch compensates
    /// it.
    pub fn of(m: &Affine3A) -> Self {
        let rotation = nearest_rotation(m.matrix3);
        let q = Quat::from_mat3a(&rotation).normalize();
        let remainder = Mat3A::from_quat(q).transpose() * m.matrix3;
        let is_rigid = remainder.abs_diff_eq(Mat3A::IDENTITY, RIGID_TOLERANCE);
        let t = Quat::from_xyzw(m.translation.x, m.translation.y, m.translation.z, 0.0);
        let dual = Vec4::from(t.mul_quat(q)) * 0.5;
        Self {
            real: Vec4::from(q),
            dual,
            stretch: if is_rigid { Mat3A::IDENTITY } else { remainder },
        }
    }

    /// Returns true if there is no stretch.
    pub fn is_rigid(&self) -> bool {
        self.stretch == Mat3A::IDENTITY
    }

    /// Converts a blended, not yet normalized, dual quaternion with a blended stretch to a matrix.
    pub fn to_affine(self) -> Affine3A {
        let by = 1.0 / self.real.length();
        let (real, dual) = (self.real * by, self.dual * by);
        let (r, d) = (Vec3A::from(real.xyz()), Vec3A::from(dual.xyz()));
        let translation = (d * real.w - r * dual.w + r.cross(d)) * 2.0;
        Affine3A {
            matrix3: Mat3A::from_quat(Quat::from_vec4(real)) * self.stretch,
            translation,
        }
    }
}

/// Rotation nearest to a matrix, or to its mirror image if that is nearer.
fn nearest_rotation(m: Mat3A) -> Mat3A {
    if m.transpose()
        .mul_mat3(&m)
        .abs_diff_eq(Mat3A::IDENTITY, 1e-6)
        && m.determinant() > 0.0
    {
        return m;
    }
    let determinant = m.determinant();
    let size = m
        .x_axis
        .length()
        .max(m.y_axis.length())
        .max(m.z_axis.length());
    if !(determinant.abs() > 1e-6 * size.powi(3) && size.is_finite()) {
        return rotation_from_columns(m);
    }
    // A mirror is removed first, which leaves a rotation and a stretch.
    let mut q = m * (determinant.signum() / size);
    for _ in 0..MAX_STEPS {
        let back = q.inverse().transpose();
        let scale = (norm(back) / norm(q)).sqrt();
        let next = (q * scale + back * (1.0 / scale)) * 0.5;
        let is_there = next.abs_diff_eq(q, 1e-6);
        q = next;
        if is_there {
            break;
        }
    }
    q
}

/// Near the solution, each step doubles the number of correct digits; no f32 matrix needs more steps.
const MAX_STEPS: usize = 12;

fn norm(m: Mat3A) -> f32 {
    (m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared()).sqrt()
}

/// Rotation whose x axis points along the first column that is not zero.
fn rotation_from_columns(m: Mat3A) -> Mat3A {
    let x = m.x_axis.try_normalize();
    let y = |x: Vec3A| {
        let flat = m.y_axis - x * x.dot(m.y_axis);
        flat.try_normalize()
            .unwrap_or_else(|| x.any_orthonormal_vector())
    };
    match x {
        Some(x) => {
            let y = y(x);
            Mat3A::from_cols(x, y, x.cross(y))
        }
        None => Mat3A::IDENTITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{EulerRot, Vec3};

    fn rotation(x: f32, y: f32, z: f32) -> Quat {
        Quat::from_euler(EulerRot::XYZ, x, y, z)
    }

    #[test]
    fn the_product_of_the_parts_is_the_matrix() {
        let q = rotation(0.3, -2.1, 1.2);
        let t = Vec3::new(0.4, 1.2, -3.0);
        for scale in [
            Vec3::ONE,
            Vec3::splat(0.01),
            Vec3::new(1.4, 0.6, 2.0),
            Vec3::new(-1.0, 1.0, 1.0),
            Vec3::new(-0.5, -1.0, -2.0),
            Vec3::new(1.0, 0.0, 1.0),
            Vec3::ZERO,
        ] {
            let sheared = Affine3A::from_mat3(glam::Mat3::from_cols(
                Vec3::X,
                Vec3::new(0.2, 1.0, 0.1),
                Vec3::Z,
            ));
            for shear in [Affine3A::IDENTITY, sheared] {
                let m = Affine3A::from_scale_rotation_translation(scale, q, t) * shear;
                let again = RigidStretch::of(&m).to_affine();
                assert!(m.abs_diff_eq(again, 3e-6), "{scale}: {m} {again}");
            }
        }
    }

    #[test]
    fn a_scale_has_no_rotation_and_a_rotation_has_no_stretch() {
        let scaled = RigidStretch::of(&Affine3A::from_scale(Vec3::new(2.0, 0.5, 1.0)));
        assert!(scaled.real.abs_diff_eq(Vec4::W, 1e-6));
        assert!(!scaled.is_rigid());
        let turned = RigidStretch::of(&Affine3A::from_rotation_translation(
            rotation(1.0, 2.0, 3.0),
            Vec3::X,
        ));
        assert!(turned.is_rigid());
    }
}
