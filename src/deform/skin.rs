//! Morph, then skin, one vertex after another, with any number of influences.

use glam::{Affine3A, Mat3A, Vec3, Vec3A, Vec4};

use crate::asset::model::{Influences, Primitive};

/// Deformed vertices of one primitive, model space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deformed {
    /// Metres.
    pub positions: Vec<Vec3>,
    /// Unit length.
    pub normals: Vec<Vec3>,
    /// Unit xyz, w = ±1; empty where the primitive has none.
    pub tangents: Vec<Vec4>,
}

/// Deforms a primitive: adds the weighted morph targets, then blends the palette's matrices per
/// vertex and transforms once (B03). Normals use the cofactors of the blended matrix, which is right
/// under non-uniform and mirrored scale (P32, B04); tangents use the matrix itself and are made
/// perpendicular to the normal again. Vertices and weights stay as the file has them; `out` is
/// overwritten (P04).
///
/// `palette` is the part's own range: its skin's matrices, or one matrix for a rigid part.
/// A joint index outside the palette counts as the identity.
pub fn deform(primitive: &Primitive, weights: &[f32], palette: &[Affine3A], out: &mut Deformed) {
    out.positions.clone_from(&primitive.positions);
    out.normals.clone_from(&primitive.normals);
    out.tangents.clone_from(&primitive.tangents);
    morph(primitive, weights, out);
    skin(&primitive.influences, palette, out);
}

fn morph(primitive: &Primitive, weights: &[f32], out: &mut Deformed) {
    for (target, &weight) in primitive.targets.iter().zip(weights) {
        if weight == 0.0 {
            continue;
        }
        for (position, offset) in out.positions.iter_mut().zip(&target.positions) {
            *position += *offset * weight;
        }
        for (normal, offset) in out.normals.iter_mut().zip(&target.normals) {
            *normal += *offset * weight;
        }
        for (tangent, offset) in out.tangents.iter_mut().zip(&target.tangents) {
            *tangent += (*offset * weight).extend(0.0);
        }
    }
}

fn skin(influences: &Influences, palette: &[Affine3A], out: &mut Deformed) {
    let rigid = palette.first().copied().unwrap_or(Affine3A::IDENTITY);
    let n = influences.per_vertex;
    for i in 0..out.positions.len() {
        let model_from_mesh = if n == 0 {
            rigid
        } else {
            blended(
                &influences.joints[i * n..(i + 1) * n],
                &influences.weights[i * n..(i + 1) * n],
                palette,
            )
        };
        out.positions[i] = model_from_mesh.transform_point3(out.positions[i]);
        let cofactor = cofactors(model_from_mesh.matrix3);
        let mirror = if model_from_mesh.matrix3.determinant() < 0.0 {
            -1.0
        } else {
            1.0
        };
        let Some(normal) = out.normals.get_mut(i) else {
            continue;
        };
        let turned = cofactor * Vec3A::from(*normal) * mirror;
        *normal = turned.try_normalize().map_or(*normal, Vec3::from);
        if let Some(tangent) = out.tangents.get_mut(i) {
            let along = Vec3::from(model_from_mesh.matrix3 * Vec3A::from(tangent.truncate()));
            let flat = along
                .reject_from_normalized(*normal)
                .try_normalize()
                .unwrap_or_else(|| normal.any_orthonormal_vector());
            *tangent = flat.extend(tangent.w * mirror);
        }
    }
}

fn blended(joints: &[u16], weights: &[f32], palette: &[Affine3A]) -> Affine3A {
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

/// The matrix of cofactors: determinant times inverse transpose, defined for singular matrices too.
fn cofactors(m: Mat3A) -> Mat3A {
    Mat3A::from_cols(
        m.y_axis.cross(m.z_axis),
        m.z_axis.cross(m.x_axis),
        m.x_axis.cross(m.y_axis),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::model::MorphTarget;
    use glam::Quat;

    fn one_vertex(position: Vec3, joints: [u16; 4], weights: [f32; 4]) -> Primitive {
        Primitive {
            positions: vec![position],
            normals: vec![Vec3::Y],
            influences: Influences {
                per_vertex: 4,
                joints: joints.to_vec(),
                weights: weights.to_vec(),
            },
            ..Primitive::default()
        }
    }

    fn at(position: Vec3) -> Affine3A {
        Affine3A::from_translation(position)
    }

    fn skinned(primitive: &Primitive, palette: &[Affine3A]) -> Vec3 {
        let mut out = Deformed::default();
        deform(primitive, &[], palette, &mut out);
        out.positions[0]
    }

    /// Palette from bones at `now`, bound at `reference`.
    fn palette(reference: &[Vec3], now: &[Vec3]) -> Vec<Affine3A> {
        reference
            .iter()
            .zip(now)
            .map(|(r, n)| at(*n) * at(*r).inverse())
            .collect()
    }

    #[test]
    fn t1_without_the_inverse_bind_matrix_the_vertex_lands_wrong_and_with_it_right() {
        let vertex = one_vertex(Vec3::splat(60.0), [0; 4], [1.0, 0.0, 0.0, 0.0]);
        let bone = Vec3::splat(50.0);
        assert_eq!(skinned(&vertex, &[at(bone)]), Vec3::splat(110.0));
        assert_eq!(
            skinned(&vertex, &palette(&[bone], &[bone])),
            Vec3::splat(60.0)
        );
    }

    #[test]
    fn t2_the_vertex_keeps_its_place_in_the_bones_space() {
        let vertex = one_vertex(Vec3::splat(60.0), [0; 4], [1.0, 0.0, 0.0, 0.0]);
        let moved = palette(&[Vec3::splat(50.0)], &[Vec3::splat(100.0)]);
        assert_eq!(skinned(&vertex, &moved), Vec3::splat(110.0));
    }

    #[test]
    fn t3_two_bones_share_a_vertex() {
        let vertex = one_vertex(Vec3::new(5.0, 8.0, 0.0), [0, 1, 0, 0], [0.5, 0.5, 0.0, 0.0]);
        let reference = [Vec3::new(5.0, 5.0, 0.0), Vec3::new(3.0, 8.0, 0.0)];
        let now = [Vec3::new(7.0, 9.0, 0.0), Vec3::new(5.0, 12.0, 0.0)];
        assert_eq!(
            skinned(&vertex, &palette(&reference, &now)),
            Vec3::new(7.0, 12.0, 0.0)
        );
    }

    #[test]
    fn t4_and_t8_a_quarter_weight_moves_the_vertex_a_quarter() {
        let vertex = one_vertex(
            Vec3::new(30.0, 20.0, 0.0),
            [0, 1, 2, 0],
            [0.25, 0.5, 0.25, 0.0],
        );
        let reference = [
            Vec3::new(40.0, 40.0, 0.0),
            Vec3::new(35.0, 10.0, 0.0),
            Vec3::new(25.0, 0.0, 0.0),
        ];
        let mut now = reference;
        now[2] = Vec3::new(30.0, -10.0, 0.0);
        assert_eq!(
            skinned(&vertex, &palette(&reference, &now)),
            Vec3::new(31.25, 17.5, 0.0)
        );
    }

    #[test]
    fn t5_in_the_bind_pose_every_vertex_stays_where_it_is() {
        let bone = Affine3A::from_scale_rotation_translation(
            Vec3::new(1.3, 0.7, 2.0),
            Quat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.6),
            Vec3::new(4.0, -1.0, 2.0),
        );
        let position = Vec3::new(0.3, 1.7, -0.2);
        let vertex = one_vertex(position, [0; 4], [1.0, 0.0, 0.0, 0.0]);
        assert!(skinned(&vertex, &[bone * bone.inverse()]).abs_diff_eq(position, 1e-5));
    }

    #[test]
    fn t7_and_m23_a_zero_weight_ignores_garbage_in_its_matrix() {
        let nan = Affine3A::from_translation(Vec3::NAN);
        let vertex = one_vertex(Vec3::ONE, [0, 1, 7, 1], [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(skinned(&vertex, &[Affine3A::IDENTITY, nan]), Vec3::ONE);
    }

    #[test]
    fn morphs_are_added_before_the_skin_turns_them() {
        let mut vertex = one_vertex(Vec3::ZERO, [0; 4], [1.0, 0.0, 0.0, 0.0]);
        vertex.targets = vec![MorphTarget {
            positions: vec![Vec3::X],
            normals: vec![Vec3::X],
            tangents: Vec::new(),
        }];
        let turned = Affine3A::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let mut out = Deformed::default();
        deform(&vertex, &[0.5], &[turned], &mut out);
        assert!(out.positions[0].abs_diff_eq(Vec3::Y * 0.5, 1e-6));
        let want = (turned.transform_vector3(Vec3::new(0.5, 1.0, 0.0))).normalize();
        assert!(out.normals[0].abs_diff_eq(want, 1e-6));
    }

    #[test]
    fn normals_stay_perpendicular_under_squash_and_mirror() {
        // A plane through the origin with this normal, squashed and mirrored.
        let normal = Vec3::new(1.0, 2.0, 0.5).normalize();
        let (u, v) = normal.any_orthonormal_pair();
        for scale in [Vec3::new(3.0, 0.2, 1.0), Vec3::new(-1.0, 2.0, 0.4)] {
            let matrix = Affine3A::from_scale(scale);
            let mut vertex = one_vertex(Vec3::ZERO, [0; 4], [1.0, 0.0, 0.0, 0.0]);
            vertex.normals = vec![normal];
            vertex.tangents = vec![u.extend(1.0)];
            let mut out = Deformed::default();
            deform(&vertex, &[], &[matrix], &mut out);
            for along in [u, v] {
                assert!(matrix.transform_vector3(along).dot(out.normals[0]).abs() < 1e-5);
            }
            let outside = matrix.transform_vector3(normal);
            assert!(
                outside.dot(out.normals[0]) > 0.0,
                "the normal still points outwards"
            );
            assert!(out.tangents[0].truncate().dot(out.normals[0]).abs() < 1e-5);
            assert_eq!(out.tangents[0].w, scale.x.signum());
        }
    }
}
