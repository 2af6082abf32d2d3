//! Morphing and skinning, with any number of influences.

use glam::{Affine3A, Vec3, Vec4};

use super::deformed::Deformed;
use super::dual::RigidStretch;
use super::packed::PackedPalette;
use super::plain;
use galatea_asset::model::{Influences, Primitive};
use galatea_asset::skinning::Skinning;
use galatea_math::simd::Level;

/// Deforms primitives on the CPU. It reuses its scratch buffers.
///
/// The same executable on the same CPU gives the same bits every time; instruction sets differ in the last bits.
#[derive(Clone, Debug)]
pub struct Deformer {
    level: Level,
    motions: Vec<RigidStretch>,
    packed: PackedPalette,
}

impl Default for Deformer {
    fn default() -> Self {
        Self::at(Level::current())
    }
}

impl Deformer {
    /// Uses a given instruction set, or the best one that the CPU supports below it.
    pub fn at(level: Level) -> Self {
        Self {
            level: level.min(Level::best()),
            motions: Vec::new(),
            packed: PackedPalette::default(),
        }
    }

    /// Deforms a primitive: adds the weighted morph targets, then blends the transforms of each vertex's bones into one and
    /// transforms once. Normals use its cofactors, which is correct under non-uniform and mirrored scale. Tangents use the
    /// matrix itself and are made perpendicular to the normal again. The primitive is not changed; `out` is overwritten.
    ///
    /// `palette` is the part's own range: its skin's matrices, or one matrix for a rigid part. A joint index outside the
    /// palette counts as the identity; a joint without weight is skipped. If only some vertices of a primitive have
    /// influences, the others do not move.
    pub fn deform(
        &mut self,
        primitive: &Primitive,
        weights: &[f32],
        palette: &[Affine3A],
        skinning: Skinning,
        out: &mut Deformed,
    ) {
        let influences = &primitive.influences;
        let is_moved = morph(primitive, weights, out);
        let n = influences.per_vertex;
        if n == 0 {
            let m = palette.first().copied().unwrap_or(Affine3A::IDENTITY);
            if !is_moved {
                copy(primitive, out);
            }
            for i in 0..out.positions.len() {
                transform_vertex(&m, i, out);
            }
            return;
        }
        let is_dual = skinning == Skinning::DualQuaternion;
        self.motions.clear();
        if is_dual {
            self.motions.extend(palette.iter().map(RigidStretch::of));
        }
        let n_bound = (influences.joints.len() / n).min(influences.weights.len() / n);
        let n_vertices = n_bound.min(primitive.positions.len());
        let fast = self.packed.fill(palette, &self.motions, is_dual)
            && self.level > Level::Scalar
            && primitive.normals.len() == primitive.positions.len()
            && [0, primitive.positions.len()].contains(&primitive.tangents.len())
            && n_vertices == primitive.positions.len();
        if fast {
            if !is_moved {
                resize(primitive, out);
            }
            let source = (!is_moved).then_some(primitive);
            let (level, motions) = (self.level, &self.motions);
            self.packed
                .skin(level, source, influences, out, |range, out| {
                    if let Some(primitive) = source {
                        copy_range(primitive, range.clone(), out);
                    }
                    one_by_one(influences, palette, motions, is_dual, range, out);
                });
            return;
        }
        if !is_moved {
            copy(primitive, out);
        }
        one_by_one(
            influences,
            palette,
            &self.motions,
            is_dual,
            0..n_vertices,
            out,
        );
    }
}

fn copy(primitive: &Primitive, out: &mut Deformed) {
    out.positions.clone_from(&primitive.positions);
    out.normals.clone_from(&primitive.normals);
    out.tangents.clone_from(&primitive.tangents);
}

fn copy_range(primitive: &Primitive, range: std::ops::Range<usize>, out: &mut Deformed) {
    let of = range.clone();
    out.positions[of.clone()].copy_from_slice(&primitive.positions[of.clone()]);
    out.normals[of.clone()].copy_from_slice(&primitive.normals[of]);
    if !primitive.tangents.is_empty() {
        out.tangents[range.clone()].copy_from_slice(&primitive.tangents[range]);
    }
}

fn resize(primitive: &Primitive, out: &mut Deformed) {
    out.positions.resize(primitive.positions.len(), Vec3::ZERO);
    out.normals.resize(primitive.normals.len(), Vec3::ZERO);
    out.tangents.resize(primitive.tangents.len(), Vec4::ZERO);
}

/// Writes the morphed vertices, if any target is active.
pub(super) fn morph(primitive: &Primitive, weights: &[f32], out: &mut Deformed) -> bool {
    let active = || {
        let pairs = primitive.targets.iter().zip(weights);
        pairs.filter(|(_, weight)| **weight != 0.0)
    };
    if active().next().is_none() {
        return false;
    }
    copy(primitive, out);
    for (target, &weight) in active() {
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
    true
}

fn one_by_one(
    influences: &Influences,
    palette: &[Affine3A],
    motions: &[RigidStretch],
    is_dual: bool,
    range: std::ops::Range<usize>,
    out: &mut Deformed,
) {
    let n = influences.per_vertex;
    for i in range {
        let joints = &influences.joints[i * n..(i + 1) * n];
        let weights = &influences.weights[i * n..(i + 1) * n];
        let m = if is_dual {
            plain::dual(joints, weights, motions)
        } else {
            plain::linear(joints, weights, palette)
        };
        transform_vertex(&m, i, out);
    }
}

/// Transforms one vertex.
fn transform_vertex(m: &Affine3A, i: usize, out: &mut Deformed) {
    out.positions[i] = m.transform_point3(out.positions[i]);
    let Some(normal) = out.normals.get_mut(i) else {
        return;
    };
    *normal = plain::transformed_normal(&m.matrix3, *normal);
    if let Some(tangent) = out.tangents.get_mut(i) {
        *tangent = plain::transformed_tangent(&m.matrix3, *tangent, *normal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_asset::model::MorphTarget;
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
        Deformer::default().deform(primitive, &[], palette, Skinning::Linear, &mut out);
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
    fn t2_the_vertex_keeps_its_position_in_the_bones_space() {
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
    fn morphs_are_added_before_skinning() {
        let mut vertex = one_vertex(Vec3::ZERO, [0; 4], [1.0, 0.0, 0.0, 0.0]);
        vertex.targets = vec![MorphTarget {
            positions: vec![Vec3::X],
            normals: vec![Vec3::X],
            tangents: Vec::new(),
        }];
        let turned = Affine3A::from_rotation_z(std::f32::consts::FRAC_PI_2);
        let mut out = Deformed::default();
        Deformer::default().deform(&vertex, &[0.5], &[turned], Skinning::Linear, &mut out);
        assert!(out.positions[0].abs_diff_eq(Vec3::Y * 0.5, 1e-6));
        let expected = (turned.transform_vector3(Vec3::new(0.5, 1.0, 0.0))).normalize();
        assert!(out.normals[0].abs_diff_eq(expected, 1e-6));
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
            Deformer::default().deform(&vertex, &[], &[matrix], Skinning::Linear, &mut out);
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

    /// A cloud of vertices with different weights, a few of them 0, and bones with large rotations and optional stretch.
    fn cloud(n: usize, per_vertex: usize, stretch: Vec3, turn: f32) -> (Primitive, Vec<Affine3A>) {
        let mut seed = 5_u32;
        let mut next = move || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let mut p = Primitive::default();
        p.influences.per_vertex = per_vertex;
        for i in 0..n {
            p.positions.push(Vec3::new(next(), next(), next()));
            let normal = Vec3::new(next(), next(), next() + 1.5).normalize();
            p.normals.push(normal);
            p.tangents
                .push(normal.any_orthonormal_vector().extend(-1.0));
            let mut raw: Vec<f32> = (0..per_vertex).map(|_| next().max(0.0)).collect();
            raw[i % per_vertex] += 0.1;
            let sum: f32 = raw.iter().sum();
            p.influences.weights.extend(raw.iter().map(|w| w / sum));
            let joints = (0..per_vertex).map(|_| ((next() + 1.0) * 9.5) as u16);
            p.influences.joints.extend(joints);
        }
        let palette = (0..20)
            .map(|_| {
                let angles = Vec3::new(next(), next(), next()) * turn;
                let q = Quat::from_euler(glam::EulerRot::XYZ, angles.x, angles.y, angles.z);
                let t = Vec3::new(next(), next(), next());
                Affine3A::from_scale_rotation_translation(stretch, q, t)
            })
            .collect();
        (p, palette)
    }

    fn farthest(a: &Deformed, b: &Deformed) -> f32 {
        assert_eq!(a.positions.len(), b.positions.len());
        assert_eq!(a.tangents.len(), b.tangents.len());
        let off = |a: &[f32], b: &[f32]| {
            let pairs = a.iter().zip(b).map(|(a, b)| (a - b).abs());
            pairs.fold(0.0, |most: f32, off| if off <= most { most } else { off })
        };
        use bytemuck::cast_slice;
        off(cast_slice(&a.positions), cast_slice(&b.positions))
            .max(off(cast_slice(&a.normals), cast_slice(&b.normals)))
            .max(off(cast_slice(&a.tangents), cast_slice(&b.tangents)))
    }

    #[test]
    fn all_levels_agree_with_the_plain_loops() {
        for (per_vertex, stretch, turn) in [
            (4, Vec3::ONE, 0.7),
            (4, Vec3::ONE, 3.0),
            (4, Vec3::new(1.2, 0.8, 1.1), 3.0),
            (4, Vec3::new(-1.2, 0.8, 1.1), 0.4),
            (8, Vec3::ONE, 0.7),
            (8, Vec3::new(1.2, 0.8, 1.1), 3.0),
            (12, Vec3::new(1.2, 0.8, 1.1), 1.0),
        ] {
            let (p, palette) = cloud(203, per_vertex, stretch, turn);
            for skinning in Skinning::ALL {
                let mut plain = Deformed::default();
                Deformer::at(Level::Scalar).deform(&p, &[], &palette, skinning, &mut plain);
                for level in Level::ALL {
                    let mut out = Deformed::default();
                    Deformer::at(level).deform(&p, &[], &palette, skinning, &mut out);
                    let off = farthest(&out, &plain);
                    let what = format!("{per_vertex} {stretch} {turn} {skinning:?} {level:?}");
                    assert!(off < 1e-5, "{what}: {off}");
                }
            }
        }
    }

    #[test]
    fn m23_fast_loops_ignore_garbage_without_weight() {
        let (mut p, mut palette) = cloud(64, 4, Vec3::ONE, 0.7);
        let mut expected = Deformed::default();
        let mut deformer = Deformer::default();
        for skinning in Skinning::ALL {
            deformer.deform(&p, &[], &palette, skinning, &mut expected);
            palette.push(Affine3A::from_translation(Vec3::NAN));
            let (mut joints, weights) = (p.influences.joints.clone(), &p.influences.weights);
            for (joint, weight) in joints.iter_mut().zip(weights) {
                if *weight == 0.0 {
                    *joint = 20;
                }
            }
            assert!(joints.contains(&20));
            std::mem::swap(&mut p.influences.joints, &mut joints);
            let mut out = Deformed::default();
            deformer.deform(&p, &[], &palette, skinning, &mut out);
            assert!(farthest(&out, &expected) < 1e-5, "{skinning:?}");
            std::mem::swap(&mut p.influences.joints, &mut joints);
            palette.pop();
        }
    }

    #[test]
    fn dual_quaternions_keep_the_size_of_a_twisted_joint() {
        let turned = Affine3A::from_rotation_y(std::f32::consts::PI * 0.9);
        let palette = [Affine3A::IDENTITY, turned];
        let vertex = one_vertex(Vec3::X, [0, 1, 0, 0], [0.5, 0.5, 0.0, 0.0]);
        let mut out = Deformed::default();
        let mut radius = |skinning| {
            Deformer::default().deform(&vertex, &[], &palette, skinning, &mut out);
            out.positions[0].length()
        };
        assert!(radius(Skinning::Linear) < 0.2, "the candy wrapper");
        assert!((radius(Skinning::DualQuaternion) - 1.0).abs() < 1e-5);
    }

    #[test]
    fn quaternions_of_opposite_sign_blend_as_the_same_rotation() {
        // Both sides of 180 degrees: quaternions of opposite sign, motions that are close.
        let at = |degrees: f32| Affine3A::from_rotation_y(degrees.to_radians());
        let vertex = one_vertex(Vec3::X, [0, 1, 2, 0], [0.2, 0.5, 0.3, 0.0]);
        let mut out = Deformed::default();
        let palette = [at(170.0), at(185.0), at(-170.0)];
        Deformer::default().deform(&vertex, &[], &palette, Skinning::DualQuaternion, &mut out);
        let expected = at(0.2 * 170.0 + 0.5 * 185.0 + 0.3 * 190.0).transform_point3(Vec3::X);
        assert!(
            out.positions[0].abs_diff_eq(expected, 2e-3),
            "{}",
            out.positions[0]
        );
    }

    #[test]
    fn scale_is_blended_separately() {
        let palette = [Affine3A::from_scale(Vec3::splat(2.0)), Affine3A::IDENTITY];
        let vertex = one_vertex(Vec3::X, [0, 1, 0, 0], [0.5, 0.5, 0.0, 0.0]);
        let mut out = Deformed::default();
        Deformer::default().deform(&vertex, &[], &palette, Skinning::DualQuaternion, &mut out);
        assert!(out.positions[0].abs_diff_eq(Vec3::X * 1.5, 1e-6));
    }
}
