//! Interpolation of rotations at constant angular speed, without trigonometry.
//!
//! A normalised linear interpolation follows the arc between two rotations, but not evenly: at 90 degrees it is up to
//! 1.6 degrees behind or ahead. [`ArcBend`] corrects the fraction by `u (1 - u)(1 - 2u)` times a polynomial in the cosine
//! of the angle between the two. Its coefficients are polynomials in `(u - 1/2)²`, fitted to the exact
//! `sin(u Ω) / (sin(u Ω) + sin((1 - u) Ω))`. The error is at most 1.4e-6 radians up to 150 degrees between the rotations,
//! and 3e-4 radians at 180.

use glam::{Quat, Vec4};

/// Coefficients of `c`, `c²`, `c³` and `c⁴` with `c = 1 - cos Ω`, each in powers of `(u - 1/2)²`.
const FIT: [[f32; 4]; 4] = [
    [0.332_930, 0.0, 0.0, 0.0],
    [0.069_363, 0.280_388, 0.0, 0.0],
    [0.011_622, 0.052_407, 0.106_541, 0.0],
    [0.014_813, 0.089_922, 0.295_359, 0.456_443],
];

/// Correction of the fraction `u` of a linear interpolation between any two rotations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ArcBend(pub [f32; 4]);

impl ArcBend {
    /// Creates the correction for a fraction, 0 to 1.
    #[inline]
    pub fn new(u: f32) -> Self {
        let from_middle = u - 0.5;
        let s = from_middle * from_middle;
        let odd = u * (1.0 - u) * (1.0 - 2.0 * u);
        Self(FIT.map(|[a, b, c, d]| odd * (a + s * (b + s * (c + s * d)))))
    }

    /// Multiplies the correction by a weight.
    #[inline]
    pub fn scaled(self, weight: f32) -> Self {
        Self(self.0.map(|k| k * weight))
    }

    /// Correction for two rotations with this dot product, 0 or more, as quaternions of unit length.
    #[inline]
    pub fn at(&self, dot: f32) -> f32 {
        let c = 1.0 - dot;
        let [k1, k2, k3, k4] = self.0;
        c * (k1 + c * (k2 + c * (k3 + c * k4)))
    }
}

/// Interpolates on the short arc from `a` to `b` at `u`, 0 to 1; the result is not of unit length.
#[inline]
pub(crate) fn arc(a: Quat, b: Quat, u: f32) -> Quat {
    let dot = a.dot(b);
    let (a, b) = (Vec4::from(a), Vec4::from(b));
    let b = if dot < 0.0 { -b } else { b };
    Quat::from_vec4(a + (b - a) * (u + ArcBend::new(u).at(dot.abs())))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    #[test]
    fn angle_grows_linearly_along_the_arc() {
        let a = Quat::from_rotation_y(0.3);
        for degrees in [0.5_f32, 10.0, 45.0, 90.0, 120.0, 150.0] {
            let angle = degrees.to_radians();
            let axis = Vec3::new(0.6, 0.0, 0.8);
            let b = a * Quat::from_axis_angle(axis, angle);
            for i in 0..=40 {
                let u = i as f32 / 40.0;
                let exact = a * Quat::from_axis_angle(axis, angle * u);
                let off = exact.conjugate() * arc(a, b, u).normalize();
                assert!(off.xyz().length() < 1.5e-6, "{degrees} {u}: {off}");
            }
        }
    }
}
