//! Ribbons: camera-facing strips around a centre line, used for strands of hair.

use glam::{Vec3, Vec4};

use super::deformed::Deformed;

/// Minimum half width of a ribbon in pixels, so that distant strands do not break into dots.
const MIN_PIXELS: f32 = 0.3;

/// Camera that ribbons face, model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eye {
    /// Position, metres.
    pub at: Vec3,
    /// Size of a pixel at a distance of one metre, metres.
    pub pixel: f32,
}

impl Eye {
    /// Offsets deformed vertices of ribbons from their centre line by `ribbon` metres each (see
    /// [`Primitive::ribbon`](galatea_asset::model::Primitive::ribbon)), perpendicular to the line and to the view. Normals
    /// lose their component along the line. Tangents, which were along the line, become perpendicular to it.
    pub fn face(&self, ribbon: &[f32], out: &mut Deformed) {
        let vertices = out.positions.iter_mut().zip(&mut out.normals);
        let vertices = vertices.zip(&mut out.tangents).zip(ribbon);
        for (((position, normal), tangent), half) in vertices {
            let line = tangent.truncate();
            let view = self.at - *position;
            let side = line.cross(view).normalize_or_zero();
            let least = MIN_PIXELS * self.pixel * view.length();
            *position += side * half.abs().max(least).copysign(*half);
            let across = *normal - line * line.dot(*normal);
            *normal = across.try_normalize().unwrap_or_else(|| {
                let towards = view - line * line.dot(view);
                towards.normalize_or(Vec3::Y)
            });
            *tangent = Vec4::from((line.cross(*normal), 1.0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two vertices of a line that leads down, one for each side.
    fn deformed() -> Deformed {
        Deformed {
            positions: vec![Vec3::ZERO; 2],
            normals: vec![Vec3::new(0.6, 0.8, 0.0); 2],
            tangents: vec![Vec4::new(0.0, -1.0, 0.0, 1.0); 2],
        }
    }

    #[test]
    fn a_ribbon_has_its_width_from_every_view() {
        for angle in [0.0_f32, 1.0, 2.5, 4.0] {
            let at = Vec3::new(angle.sin(), 0.3, angle.cos()) * 2.0;
            let mut out = deformed();
            Eye { at, pixel: 1e-6 }.face(&[-0.001, 0.001], &mut out);
            let across = out.positions[1] - out.positions[0];
            assert!((across.length() - 0.002).abs() < 1e-7);
            assert!(across.dot(at).abs() < 1e-7 && across.y.abs() < 1e-9);
        }
    }

    #[test]
    fn a_distant_ribbon_has_the_minimum_width_and_an_orthogonal_frame() {
        let mut out = deformed();
        let eye = Eye {
            at: Vec3::Z * 100.0,
            pixel: 0.001,
        };
        eye.face(&[-0.001, 0.001], &mut out);
        let width = out.positions[0].distance(out.positions[1]);
        assert!((width - 0.06).abs() < 1e-5, "{width}");
        assert!(out.normals[0].abs_diff_eq(Vec3::X, 1e-6));
        // The bitangent is along the line.
        let tangent = out.tangents[0];
        let along = out.normals[0].cross(tangent.truncate()) * tangent.w;
        assert!(along.abs_diff_eq(Vec3::NEG_Y, 1e-6), "{along}");
    }

    #[test]
    fn a_line_towards_the_eye_stays_finite() {
        let mut out = deformed();
        let eye = Eye {
            at: Vec3::Y,
            pixel: 0.001,
        };
        eye.face(&[-0.001, 0.001], &mut out);
        assert!(out.positions.iter().all(|p| p.is_finite()));
        assert!(out.normals.iter().all(|n| n.is_normalized()));
    }
}
