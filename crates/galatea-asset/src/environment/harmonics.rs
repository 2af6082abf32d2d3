//! Irradiance of diffuse surfaces as nine spherical harmonics (Ramamoorthi and Hanrahan, An Efficient Representation for
//! Irradiance Environment Maps, 2001).

use glam::{DVec3, Vec3};

use super::{Cube, direction, texel_coordinates};

/// Factor of each band for the cosine lobe, divided by π: 1, 2/3, 1/4 (Ramamoorthi and Hanrahan, equation 8).
const COSINE: [f64; 9] = {
    let (one, two) = (2.0 / 3.0, 0.25);
    [1.0, one, one, one, two, two, two, two, two]
};

/// The nine real spherical harmonics up to band 2 for a unit direction, in the order (0, 0); (1, −1), (1, 0), (1, 1); (2,
/// −2) to (2, 2). The polar axis is z.
pub fn basis(d: Vec3) -> [f32; 9] {
    let Vec3 { x, y, z } = d;
    [
        0.282_094_8,
        0.488_602_5 * y,
        0.488_602_5 * z,
        0.488_602_5 * x,
        1.092_548_4 * x * y,
        1.092_548_4 * y * z,
        0.315_391_57 * (3.0 * z * z - 1.0),
        1.092_548_4 * x * z,
        0.546_274_2 * (x * x - y * y),
    ]
}

/// Radiance reflected by a diffuse white surface with the unit normal `normal`: the cosine-weighted mean of the light from
/// the hemisphere. Multiplied by a colour it is the radiance of a surface of that colour.
pub fn irradiance(of: &[Vec3; 9], normal: Vec3) -> Vec3 {
    let basis = basis(normal);
    let sum: Vec3 = of.iter().zip(basis).map(|(c, b)| *c * b).sum();
    sum.max(Vec3::ZERO)
}

/// Computes the coefficients for [`irradiance`].
pub(super) fn of_cube(cube: &Cube) -> [Vec3; 9] {
    let mut sums = [DVec3::ZERO; 9];
    let mut whole = 0.0;
    let size = cube.size as f32;
    for (i, texel) in cube.faces.iter().enumerate() {
        let (face, x, y) = texel_coordinates(i, cube.size);
        let d = direction(face, x as f32 + 0.5, y as f32 + 0.5, size);
        // The solid angle of a texel is proportional to 1 / distance³; the constant cancels in the normalisation.
        let weight = f64::from(d.length_squared()).powf(-1.5);
        whole += weight;
        let light = texel.as_dvec3() * weight;
        for (sum, basis) in sums.iter_mut().zip(basis(d.normalize())) {
            *sum += light * f64::from(basis);
        }
    }
    if whole <= 0.0 {
        return [Vec3::ZERO; 9];
    }
    let scale = 4.0 * std::f64::consts::PI / whole;
    let mut out = [Vec3::ZERO; 9];
    for ((out, sum), cosine) in out.iter_mut().zip(sums).zip(COSINE) {
        *out = (sum * (scale * cosine)).as_vec3();
    }
    out
}
