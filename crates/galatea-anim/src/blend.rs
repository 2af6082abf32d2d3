//! Blend of one pose over another.

use super::simd;
use super::{Mask, Pose};
use galatea_math::simd::Level;

/// Blends `pose` towards `other` by `weight` (0..=1). Bones are also multiplied by the mask's weight; morph weights
/// and curves by the mask's weight for morphs. A weight that is not above 0 changes nothing.
pub fn blend(pose: &mut Pose, other: &Pose, weight: f32, mask: Option<&Mask>) {
    blend_at(Level::current(), pose, other, weight, mask);
}

/// [`blend`] with the instructions of a given SIMD level, for tests and benchmarks.
pub fn blend_at(level: Level, pose: &mut Pose, other: &Pose, weight: f32, mask: Option<&Mask>) {
    if weight.is_nan() || weight <= 0.0 {
        return;
    }
    if weight >= 1.0 && mask.is_none() {
        pose.copy_from(other);
        return;
    }
    let bones = mask.map(|mask| mask.bones.as_slice());
    simd::mix(level, &mut pose.locals, &other.locals, weight, bones);
    let w = weight * mask.map_or(1.0, |mask| mask.morphs);
    let numbers = pose.morphs.iter_mut().zip(&other.morphs);
    let curves = pose.curves.iter_mut().zip(&other.curves);
    for (value, target) in numbers.chain(curves) {
        *value += (target - *value) * w;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_math::Trs;

    #[test]
    fn curves_follow_the_morph_weights_and_zero_weight_changes_nothing() {
        let pose_of = |v: f32| Pose {
            locals: vec![Trs::IDENTITY],
            morphs: vec![v],
            curves: vec![v],
        };
        let mut pose = pose_of(1.0);
        blend(&mut pose, &pose_of(3.0), 0.25, None);
        assert_eq!((pose.morphs[0], pose.curves[0]), (1.5, 1.5));
        for weight in [0.0, -2.0, f32::NAN] {
            let before = pose.clone();
            blend(&mut pose, &pose_of(3.0), weight, None);
            assert_eq!(pose, before);
        }
    }
}
