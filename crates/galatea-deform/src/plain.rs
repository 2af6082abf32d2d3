//! Scalar reference implementation, one vertex at a time, against which the kernels are tested.

use glam::{Affine3A, Mat3A, Vec3, Vec3A, Vec4};

use super::dual::RigidStretch;

/// Weighted sum of matrices. Matrices without weight are skipped; a joint outside the palette counts as the identity.
pub fn linear(joints: &[u16], weights: &[f32], palette: &[Affine3A]) -> Affine3A {
    let mut matrix3 = Mat3A::ZERO;
    let mut translation = Vec3A::ZERO;
    for (&joint, &weight) in joints.iter().zip(weights) {
        if weight == 0.0 {
            continue;
        }
        let m = palette
            .get(usize::from(joint))
            .copied()
            .unwrap_or(Affine3A::IDENTITY);
        matrix3 += m.matrix3 * weight;
        translation += m.translation * weight;
    }
    Affine3A {
        matrix3,
        translation,
    }
}

/// Weighted blend of motions: stretches are summed. Dual quaternions are negated to match the one with the largest weight
/// (the first of equals), summed, and normalized.
pub fn dual(joints: &[u16], weights: &[f32], palette: &[RigidStretch]) -> Affine3A {
    let at = |joint: u16| {
        let of = palette.get(usize::from(joint)).copied();
        of.unwrap_or(RigidStretch::IDENTITY)
    };
    let mut pivot = (0.0, RigidStretch::IDENTITY);
    for (&joint, &weight) in joints.iter().zip(weights) {
        if weight > pivot.0 {
            pivot = (weight, at(joint));
        }
    }
    let mut sum = RigidStretch {
        real: Vec4::ZERO,
        dual: Vec4::ZERO,
        stretch: Mat3A::ZERO,
    };
    for (&joint, &weight) in joints.iter().zip(weights) {
        if weight == 0.0 {
            continue;
        }
        let one = at(joint);
        sum.stretch += one.stretch * weight;
        let weight = if one.real.dot(pivot.1.real) < 0.0 {
            -weight
        } else {
            weight
        };
        sum.real += one.real * weight;
        sum.dual += one.dual * weight;
    }
    if pivot.0 > 0.0 {
        sum.to_affine()
    } else {
        Affine3A::from_mat3(Mat3A::ZERO.into())
    }
}

/// Transforms a normal. The matrix's cofactors keep it perpendicular to the surface under any scale. Their sign is removed,
/// so that it points outwards when mirrored. The result has unit length; the normal is unchanged if the matrix makes it
/// zero.
pub fn transformed_normal(m: &Mat3A, normal: Vec3) -> Vec3 {
    let transformed = cofactors(m) * Vec3A::from(normal) * mirror(m);
    transformed.try_normalize().map_or(normal, Vec3::from)
}

/// Transforms a tangent and makes it perpendicular to the transformed normal, unit length.
pub fn transformed_tangent(m: &Mat3A, tangent: Vec4, normal: Vec3) -> Vec4 {
    let along = Vec3::from(*m * Vec3A::from(tangent.truncate()));
    let flat = along
        .reject_from_normalized(normal)
        .try_normalize()
        .unwrap_or_else(|| normal.any_orthonormal_vector());
    flat.extend(tangent.w * mirror(m))
}

fn mirror(m: &Mat3A) -> f32 {
    if m.determinant() < 0.0 { -1.0 } else { 1.0 }
}

/// Cofactor matrix: determinant times inverse transpose, defined for singular matrices too.
fn cofactors(m: &Mat3A) -> Mat3A {
    Mat3A::from_cols(
        m.y_axis.cross(m.z_axis),
        m.z_axis.cross(m.x_axis),
        m.x_axis.cross(m.y_axis),
    )
}
