//! A matrix as a rigid motion, kept as a unit dual quaternion, after a stretch.

use glam::{Affine3A, Mat3A, Quat, Vec3A, Vec4, Vec4Swizzles};

/// Entries of the stretch nearer than this to those of the identity count as them.
const RIGID: f32 = 1e-5;

/// `translation * rotation * stretch`. The parts are what skinning with dual quaternions mixes one by
/// one (Kavan et al. 2008, "Geometric skinning with approximate dual quaternion blending", §4.2).
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
    /// Nothing moves.
    pub const IDENTITY: Self = Self {
        real: Vec4::W,
        dual: Vec4::ZERO,
        stretch: Mat3A::IDENTITY,
    };

    /// The parts of a matrix. The rotation is the one nearest to it (polar decomposition, Higham
    /// 1986), so that a pure scale gives none; a mirror becomes part of the stretch. A matrix
    /// without volume gives some rotation, and the stretch makes up for it.
    pub fn of(m: &Affine3A) -> Self {
        let rotation = nearest_rotation(m.matrix3);
        let q = Quat::from_mat3a(&rotation).normalize();
        let turned_back = Mat3A::from_quat(q).transpose() * m.matrix3;
        let is_rigid = turned_back.abs_diff_eq(Mat3A::IDENTITY, RIGID);
        let t = Quat::from_xyzw(m.translation.x, m.translation.y, m.translation.z, 0.0);
        let dual = Vec4::from(t.mul_quat(q)) * 0.5;
        Self {
            real: Vec4::from(q),
            dual,
            stretch: if is_rigid {
                Mat3A::IDENTITY
            } else {
                turned_back
            },
        }
    }

    /// Whether there is no stretch.
    pub fn is_rigid(&self) -> bool {
        self.stretch == Mat3A::IDENTITY
    }

    /// The matrix of a mixed, not yet unit, dual quaternion after a mixed stretch.
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

/// The rotation nearest to a matrix, or to the mirrored one where that is nearer.
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
        return upright(m);
    }
    // Of a mirrored matrix the mirror is taken out first: what is left is a rotation and a stretch.
    let mut q = m * (determinant.signum() / size);
    for _ in 0..MOST_STEPS {
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

/// The iteration doubles the digits in each step once it is near; no matrix in f32 needs more.
const MOST_STEPS: usize = 12;

fn norm(m: Mat3A) -> f32 {
    (m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared()).sqrt()
}

/// A rotation whose x axis lies along the first column that has a length.
fn upright(m: Mat3A) -> Mat3A {
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

    fn turn(x: f32, y: f32, z: f32) -> Quat {
        Quat::from_euler(EulerRot::XYZ, x, y, z)
    }

    #[test]
    fn the_parts_put_together_are_the_matrix() {
        let q = turn(0.3, -2.1, 1.2);
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
    fn a_scale_turns_nothing_and_a_rotation_stretches_nothing() {
        let scaled = RigidStretch::of(&Affine3A::from_scale(Vec3::new(2.0, 0.5, 1.0)));
        assert!(scaled.real.abs_diff_eq(Vec4::W, 1e-6));
        assert!(!scaled.is_rigid());
        let turned = RigidStretch::of(&Affine3A::from_rotation_translation(
            turn(1.0, 2.0, 3.0),
            Vec3::X,
        ));
        assert!(turned.is_rigid());
    }
}
