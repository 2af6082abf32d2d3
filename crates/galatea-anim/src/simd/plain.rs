//! Whole-pose loops in plain Rust: one bone after another, following the formulas.
//!
//! Used by the `mod.rs` of this folder. Slower than the kernels and easy to read: the reference.

use glam::{Affine3A, Quat, Vec4};

use super::{BlendRow, RotationBlock};
use crate::Skeleton;
use galatea_math::{Trs, nlerp};

/// See [`super::rotations`].
pub(super) fn rotations(rows: &[BlendRow], rest: &[Trs], out: &mut [Trs]) {
    let stride = out.len().div_ceil(RotationBlock::BONES);
    for (i, local) in out.iter_mut().enumerate() {
        let rotation_of = |row: &BlendRow| {
            let at = |frame: usize| rotation_in(&row.frames[frame * stride..], i);
            let (from, to) = (at(0), at(1));
            let bend = row.bend.at(from.dot(to));
            from * (row.from - bend) + to * (row.to + bend)
        };
        let Some(heaviest) = rows.first().map(rotation_of) else {
            return;
        };
        let mut sum = heaviest;
        for row in &rows[1..] {
            let q = rotation_of(row);
            sum += if heaviest.dot(q) < 0.0 { -q } else { q };
        }
        *local = Trs {
            rotation: Quat::from_vec4(sum.normalize()),
            ..rest[i]
        };
    }
}

/// Rotation of a bone in a frame.
pub(crate) fn rotation_in(frame: &[RotationBlock], bone: usize) -> Vec4 {
    let (block, lane) = (
        &frame[bone / RotationBlock::BONES].0,
        bone % RotationBlock::BONES,
    );
    let at = |component: usize| block[component * RotationBlock::BONES + lane];
    Vec4::new(at(0), at(1), at(2), at(3))
}

/// See [`super::mix`].
pub(super) fn mix(pose: &mut [Trs], other: &[Trs], weight: f32, mask: Option<&[f32]>) {
    for (i, (local, target)) in pose.iter_mut().zip(other).enumerate() {
        let w = (weight * mask.map_or(1.0, |mask| mask[i])).clamp(0.0, 1.0);
        if w > 0.0 {
            *local = Trs {
                translation: local.translation.lerp(target.translation, w),
                rotation: nlerp(local.rotation, target.rotation, w),
                scale: local.scale.lerp(target.scale, w),
            };
        }
    }
}

/// See [`super::to_model`].
pub(super) fn to_model(skeleton: &Skeleton, locals: &[Trs], out: &mut [Affine3A]) {
    for step in skeleton.walk() {
        let bone = usize::from(step.bone);
        let parent_from_bone = locals[bone].to_affine();
        out[bone] = if step.parent == Skeleton::NO_PARENT {
            parent_from_bone
        } else {
            out[usize::from(step.parent)] * parent_from_bone
        };
    }
}
