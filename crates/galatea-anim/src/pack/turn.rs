//! Small rotation arithmetic for the codec, in addition to glam's.
//!
//! Used by the rest of `pack`. Invariant: finite input gives finite output.

use glam::{Mat3, Quat, Vec3, Vec3A, Vec4};

/// Normalises a rotation; the identity if its length is zero or not finite.
#[inline]
pub fn unit(q: Quat) -> Quat {
    let length_squared = q.length_squared();
    if length_squared > 1e-12 && length_squared.is_finite() {
        q * length_squared.sqrt().recip()
    } else {
        Quat::IDENTITY
    }
}

/// Mean of rotations that are close to each other (signs can differ), of unit length.
pub fn mean(rotations: &[Quat]) -> Quat {
    let first = rotations.first().copied().unwrap_or(Quat::IDENTITY);
    let sum = rotations.iter().fold(Vec4::ZERO, |sum, &q| {
        let v = Vec4::from(q);
        if q.dot(first) < 0.0 { sum - v } else { sum + v }
    });
    unit(Quat::from_vec4(sum))
}

/// Rotation with the principal axes of the vectors about their mean, the longest first (cyclic Jacobi
/// rotations of the covariance).
pub fn principal_axes(vectors: &[Vec3A]) -> Quat {
    let n = vectors.len().max(1) as f32;
    let mean = vectors.iter().copied().sum::<Vec3A>() / n;
    let mut a = [[0.0f64; 3]; 3];
    for v in vectors {
        let d = (*v - mean).to_array().map(f64::from);
        for i in 0..3 {
            for j in 0..3 {
                a[i][j] += d[i] * d[j];
            }
        }
    }
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0f64]];
    for _ in 0..6 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q].abs() < 1e-30 {
                continue;
            }
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for row in &mut a {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
            let (upper, lower) = (a[p], a[q]);
            for (k, (up, low)) in upper.into_iter().zip(lower).enumerate() {
                a[p][k] = c * up - s * low;
                a[q][k] = s * up + c * low;
            }
            for row in &mut axes {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| a[j][j].total_cmp(&a[i][i]));
    let column = |i: usize| {
        let i = order[i];
        Vec3::new(axes[0][i] as f32, axes[1][i] as f32, axes[2][i] as f32)
    };
    let (x, y) = (column(0), column(1));
    unit(Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))))
}

/// Components in units of 1/127.
pub fn to_bytes(q: Quat) -> [i8; 4] {
    q.to_array().map(|x| (x * 127.0).round() as i8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_axes_find_the_hinge() {
        let hinge = Vec3A::new(0.48, -0.6, 0.64);
        let vectors: Vec<Vec3A> = (0..40).map(|i| hinge * (i as f32 * 0.3).sin()).collect();
        let x = principal_axes(&vectors) * Vec3A::X;
        assert!(x.dot(hinge).abs() > 0.9999, "{x}");
    }
}
