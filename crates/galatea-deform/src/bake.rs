//! Bakes morph targets into a mesh once, instead of applying them in every frame.

use super::deformed::Deformed;
use super::skin::morph;
use galatea_asset::model::Primitive;

/// Writes a primitive's vertices with weighted morph targets added, in mesh space. There is one weight per target; weights
/// may be negative or above 1. Normals and tangents are normalized, and tangents made perpendicular to normals; a vector
/// that would become zero is unchanged. Returns false without changing `out` if no target has a weight.
pub fn bake(primitive: &Primitive, weights: &[f32], out: &mut Deformed) -> bool {
    if !morph(primitive, weights, out) {
        return false;
    }
    for (normal, was) in out.normals.iter_mut().zip(&primitive.normals) {
        *normal = normal.try_normalize().unwrap_or(*was);
    }
    let tangents = out.tangents.iter_mut().zip(&primitive.tangents);
    for ((tangent, was), normal) in tangents.zip(&out.normals) {
        let flat = tangent.truncate().reject_from_normalized(*normal);
        *tangent = flat.try_normalize().map_or(*was, |flat| flat.extend(was.w));
    }
    true
}

#[cfg(test)]
mod tests {
    use glam::{Vec3, Vec4};

    use super::*;
    use galatea_asset::model::MorphTarget;

    fn quad() -> Primitive {
        Primitive {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            tangents: vec![Vec4::new(1.0, 0.0, 0.0, -1.0); 3],
            targets: vec![
                MorphTarget {
                    positions: vec![Vec3::Z, Vec3::ZERO, Vec3::X],
                    normals: vec![Vec3::X, Vec3::ZERO, -Vec3::Z],
                    tangents: vec![Vec3::Y, Vec3::ZERO, -Vec3::X],
                },
                MorphTarget {
                    positions: vec![Vec3::Y; 3],
                    ..MorphTarget::default()
                },
            ],
            ..Primitive::default()
        }
    }

    #[test]
    fn baked_normals_and_tangents_are_unit_and_at_right_angles() {
        let mut out = Deformed::default();
        assert!(bake(&quad(), &[1.0, -0.5], &mut out));
        let expected = [
            Vec3::new(0.0, -0.5, 1.0),
            Vec3::new(1.0, -0.5, 0.0),
            Vec3::new(1.0, 0.5, 0.0),
        ];
        assert_eq!(out.positions, expected);
        assert!((out.normals[0] - Vec3::new(0.5f32.sqrt(), 0.0, 0.5f32.sqrt())).length() < 1e-6);
        assert_eq!(out.normals[2], Vec3::Z, "it would become zero");
        for (normal, tangent) in out.normals.iter().zip(&out.tangents) {
            assert!((normal.length() - 1.0).abs() < 1e-6);
            assert!((tangent.truncate().length() - 1.0).abs() < 1e-6);
            assert!(normal.dot(tangent.truncate()).abs() < 1e-6);
            assert_eq!(tangent.w, -1.0);
        }
    }

    #[test]
    fn a_target_with_fewer_vertices_moves_those_it_has() {
        let mut odd = quad();
        odd.targets[1].positions.truncate(1);
        let mut out = Deformed::default();
        assert!(bake(&odd, &[0.0, 1.0], &mut out));
        assert_eq!(out.positions, [Vec3::Y, Vec3::X, Vec3::Y]);
        assert!(!bake(&odd, &[0.0, 0.0], &mut out) && !bake(&odd, &[], &mut out));
    }
}
