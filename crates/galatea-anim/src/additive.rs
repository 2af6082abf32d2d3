//! Additive poses: the difference of two poses, added to a third.
//!
//! A [`Delta`] is a type of its own, so that a whole pose cannot be added by mistake. Used by `machine` (additive
//! layers) and `character` (actions). Invariants: a delta of zero changes no bit. A delta taken from a reference and
//! added to it with weight 1 gives the original pose.

use glam::{Quat, Vec3};

use super::{Mask, Pose};
use galatea_math::{Trs, nlerp};

/// Difference of two poses of one model.
///
/// Rotations are differences in the bone's own axes (`reference⁻¹ · pose`): a recoil bends the arm about the arm,
/// wherever it points. Translations, scales, morph weights and curves are plain differences, so that a scale of 0 (a
/// hidden part) does no harm.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Delta {
    /// Translations and scales are differences: zero means no change, also for the scale.
    bones: Vec<Trs>,
    morphs: Vec<f32>,
    curves: Vec<f32>,
}

impl Delta {
    /// Overwrites this delta with `pose` minus `reference`, two poses of one model; reuses its buffers. The reference
    /// of a clip is its first frame or the rest pose.
    pub fn subtract(&mut self, pose: &Pose, reference: &Pose) {
        self.bones.clear();
        let pairs = pose.locals.iter().zip(&reference.locals);
        self.bones.extend(pairs.map(|(pose, reference)| Trs {
            translation: pose.translation - reference.translation,
            rotation: rotation_between(reference.rotation, pose.rotation),
            scale: pose.scale - reference.scale,
        }));
        let numbers = |of: fn(&Pose) -> &[f32], out: &mut Vec<f32>| {
            out.clear();
            let pairs = of(pose).iter().zip(of(reference));
            out.extend(pairs.map(|(pose, reference)| pose - reference));
        };
        numbers(|pose| &pose.morphs, &mut self.morphs);
        numbers(|pose| &pose.curves, &mut self.curves);
    }
}

/// Adds `delta` times `weight` to a pose of the same model. Bones are also multiplied by the mask's weight; morph
/// weights and curves by the mask's weight for morphs.
///
/// Any finite weight is valid: above 1 exaggerates, below 0 subtracts. Between -1 and 1, a fraction of a rotation is
/// a normalised lerp; beyond that, a multiple of its angle. A weight that is not finite changes nothing.
pub fn add(pose: &mut Pose, delta: &Delta, weight: f32, mask: Option<&Mask>) {
    if weight == 0.0 || !weight.is_finite() {
        return;
    }
    for (i, (local, delta)) in pose.locals.iter_mut().zip(&delta.bones).enumerate() {
        let w = weight * mask.map_or(1.0, |mask| mask.bones.get(i).copied().unwrap_or(0.0));
        if w == 0.0 {
            continue;
        }
        // A zero difference is skipped: adding even zero would turn -0 into 0.
        if delta.translation != Vec3::ZERO {
            local.translation += delta.translation * w;
        }
        if delta.rotation != Quat::IDENTITY {
            local.rotation = (local.rotation * scaled_rotation(delta.rotation, w)).normalize();
        }
        if delta.scale != Vec3::ZERO {
            local.scale += delta.scale * w;
        }
    }
    let w = weight * mask.map_or(1.0, |mask| mask.morphs);
    if w != 0.0 {
        let morphs = pose.morphs.iter_mut().zip(&delta.morphs);
        let curves = pose.curves.iter_mut().zip(&delta.curves);
        for (value, delta) in morphs.chain(curves) {
            if *delta != 0.0 {
                *value += delta * w;
            }
        }
    }
}

/// `from⁻¹ · to` on the short arc; exactly the identity if both are the same rotation.
fn rotation_between(from: Quat, to: Quat) -> Quat {
    if from == to || from == -to {
        return Quat::IDENTITY;
    }
    let between = from.conjugate() * to;
    if between.w < 0.0 { -between } else { between }
}

/// Multiplies a rotation (w not negative) by a factor, at most 1000.
#[inline]
fn scaled_rotation(rotation: Quat, weight: f32) -> Quat {
    let forward = if weight < 0.0 {
        rotation.conjugate()
    } else {
        rotation
    };
    let factor = weight.abs().min(1000.0);
    if factor == 1.0 {
        forward
    } else if factor < 1.0 {
        nlerp(Quat::IDENTITY, forward, factor)
    } else {
        Quat::from_scaled_axis(forward.to_scaled_axis() * factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn trs() -> impl Strategy<Value = Trs> {
        let vec3 = |r: f32| prop::array::uniform3(-r..r).prop_map(Vec3::from);
        (vec3(3.0), vec3(1.0), -3.1f32..3.1, vec3(2.0)).prop_map(|(t, axis, angle, s)| Trs {
            translation: t,
            rotation: Quat::from_axis_angle(axis.try_normalize().unwrap_or(Vec3::X), angle),
            scale: s,
        })
    }

    fn poses() -> impl Strategy<Value = [Pose; 3]> {
        let pose = (
            prop::collection::vec(trs(), 4),
            prop::collection::vec(-1.0f32..1.0, 3),
        )
            .prop_map(|(locals, morphs)| Pose {
                locals,
                morphs,
                curves: Vec::new(),
            });
        prop::array::uniform3(pose)
    }

    fn difference(pose: &Pose, reference: &Pose) -> Delta {
        let mut delta = Delta::default();
        delta.subtract(pose, reference);
        delta
    }

    fn bits(pose: &Pose) -> Vec<u32> {
        let locals = pose.locals.iter().flat_map(|l| {
            [
                l.translation.to_array().to_vec(),
                l.rotation.to_array().to_vec(),
                l.scale.to_array().to_vec(),
            ]
            .concat()
        });
        locals
            .chain(pose.morphs.iter().copied())
            .map(f32::to_bits)
            .collect()
    }

    fn distance(a: &Pose, b: &Pose) -> f32 {
        let locals = a.locals.iter().zip(&b.locals).map(|(a, b)| {
            let turned = if a.rotation.dot(b.rotation) < 0.0 {
                -b.rotation
            } else {
                b.rotation
            };
            (a.translation - b.translation)
                .abs()
                .max_element()
                .max((a.scale - b.scale).abs().max_element())
                .max((a.rotation - turned).length())
        });
        let morphs = a.morphs.iter().zip(&b.morphs).map(|(a, b)| (a - b).abs());
        locals.chain(morphs).fold(0.0, f32::max)
    }

    fn turned(angle: f32) -> Pose {
        Pose {
            curves: Vec::new(),
            locals: vec![Trs {
                rotation: Quat::from_rotation_z(angle),
                ..Trs::IDENTITY
            }],
            morphs: vec![],
        }
    }

    #[test]
    fn weights_above_one_and_below_zero_multiply_the_angle() {
        let delta = difference(&turned(0.5), &turned(0.1));
        for (weight, angle) in [(1.0, 1.4), (2.5, 2.0), (-1.0, 0.6), (-2.0, 0.2), (0.5, 1.2)] {
            let mut pose = turned(1.0);
            add(&mut pose, &delta, weight, None);
            assert!(distance(&pose, &turned(angle)) < 1e-6, "{weight}");
        }
    }

    #[test]
    fn delta_rotates_about_the_bones_own_axes() {
        let mut pose = turned(std::f32::consts::FRAC_PI_2);
        let mut bent = turned(0.0);
        bent.locals[0].rotation = Quat::from_rotation_x(0.4);
        add(&mut pose, &difference(&bent, &turned(0.0)), 1.0, None);
        let tip = pose.locals[0].rotation * Vec3::Z;
        // The rotation is about the bone's x axis, which now points along the parent's y.
        assert!(
            tip.abs_diff_eq(Quat::from_rotation_y(0.4) * Vec3::Z, 1e-6),
            "{tip}"
        );
    }

    #[test]
    fn masked_bones_and_nan_weights_change_nothing() {
        let mask = Mask {
            bones: vec![0.0, 0.5],
            morphs: 0.0,
        };
        let rest = Pose {
            curves: Vec::new(),
            locals: vec![Trs::IDENTITY; 3],
            morphs: vec![0.0],
        };
        let mut moved = rest.clone();
        for local in &mut moved.locals {
            local.translation = Vec3::X;
        }
        moved.morphs[0] = 1.0;
        let delta = difference(&moved, &rest);
        let mut pose = rest.clone();
        add(&mut pose, &delta, 1.0, Some(&mask));
        let x: Vec<f32> = pose
            .locals
            .iter()
            .map(|local| local.translation.x)
            .collect();
        assert_eq!(x, [0.0, 0.5, 0.0]);
        assert_eq!(pose.morphs, [0.0]);
        for weight in [f32::NAN, f32::INFINITY] {
            let mut pose = rest.clone();
            add(&mut pose, &delta, weight, None);
            assert_eq!(pose, rest);
        }
        let mut pose = turned(0.0);
        let turn = difference(&turned(2.0), &turned(0.0));
        add(&mut pose, &turn, 3e38, None);
        assert!(
            pose.locals
                .iter()
                .all(|local| local.rotation.is_normalized())
        );
    }

    proptest! {
        #[test]
        fn zero_delta_changes_no_bit([mut pose, other, _] in poses(), weight in -3.0f32..3.0) {
            pose.locals[0].translation.x = -0.0;
            pose.morphs[0] = -0.0;
            let before = bits(&pose);
            add(&mut pose, &difference(&other, &other), weight, None);
            add(&mut pose, &Delta::default(), weight, None);
            let mut negated = other.clone();
            for local in &mut negated.locals {
                local.rotation = -local.rotation;
            }
            add(&mut pose, &difference(&negated, &other), weight, None);
            add(&mut pose, &difference(&other, &Pose::default()), weight, None);
            prop_assert_eq!(bits(&pose), before);
        }

        #[test]
        fn zero_weight_changes_no_bit([mut pose, a, b] in poses()) {
            let before = bits(&pose);
            add(&mut pose, &difference(&a, &b), 0.0, None);
            prop_assert_eq!(bits(&pose), before);
        }

        #[test]
        fn subtract_then_add_restores_the_pose([pose, reference, _] in poses()) {
            let mut again = reference.clone();
            add(&mut again, &difference(&pose, &reference), 1.0, None);
            prop_assert!(distance(&again, &pose) < 2e-6, "{}", distance(&again, &pose));
        }

        #[test]
        fn add_then_subtract_restores_the_pose(
            [pose, a, b] in poses(),
            weight in 0.0f32..3.0,
        ) {
            let delta = difference(&a, &b);
            let mut again = pose.clone();
            add(&mut again, &delta, weight, None);
            add(&mut again, &delta, -weight, None);
            prop_assert!(distance(&again, &pose) < 5e-6, "{}", distance(&again, &pose));
        }
    }
}
