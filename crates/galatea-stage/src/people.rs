//! What a frame holds of crowds: many who share a body, each in one of its poses.

use std::ops::Range;
use std::sync::Arc;

use glam::{Affine3A, Mat3A, Quat, Vec3};

use super::level_of_detail::level_of_detail;
use galatea_asset::{Lods, Model};

/// Pixels of the height of a picture for which levels of detail are chosen.
pub const FINE: f32 = 1080.0;

/// Poses of a body, made once.
#[derive(Clone, Debug)]
pub struct PoseBook {
    /// The body.
    pub model: Arc<Model>,
    /// Its coarser triangles.
    pub lods: Arc<Lods>,
    /// Deformation matrices, pose after pose, each as [`galatea_deform::PaletteLayout`] lays it out.
    pub palettes: Vec<Affine3A>,
    /// Matrices of a pose, at least 1.
    pub stride: usize,
    /// Morph weights, the same in all poses.
    pub morphs: Vec<f32>,
    /// Of each pose the one that is shown in its place from afar, fewer a second.
    pub stand_ins: Vec<u32>,
    /// Centre and radius about every pose, model space, metres.
    pub bounds: (Vec3, f32),
}

impl PoseBook {
    /// The matrices of a pose.
    pub fn palette(&self, pose: usize) -> &[Affine3A] {
        let from = pose * self.stride;
        self.palettes
            .get(from..from + self.stride)
            .unwrap_or_default()
    }
}

/// Colours of a material, one of which each of a crowd has over it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tint {
    /// Index into [`Model::materials`].
    pub material: u16,
    /// Linear; at least one.
    pub colors: Vec<Vec3>,
}

impl Tint {
    /// The colour that somebody has: as in `inc/people.wgsl`.
    pub fn of(&self, seed: u32) -> Vec3 {
        let n = self.colors.len().max(1) as u32;
        let own = mixed(seed ^ u32::from(self.material).wrapping_mul(0x9e37_79b9)) % n;
        self.colors.get(own as usize).copied().unwrap_or(Vec3::ONE)
    }
}

/// A number without a pattern for each number (M. O'Neill, "PCG", 2014, as Jarzynski and Olano recommend it for GPUs,
/// 2020); as in `inc/people.wgsl`.
fn mixed(number: u32) -> u32 {
    let state = number.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// One of a crowd in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownPerson {
    /// Its number in the crowd.
    pub number: u32,
    /// World place of the soles.
    pub at: Vec3,
    /// World from model: those who walk turn about +Y, those who fly in any way.
    pub turn: Quat,
    /// Scale across, and along its own +Y.
    pub scale: [f32; 2],
    /// Two poses of its book, and how far (0..=1) it is from the first to the second.
    pub poses: [u32; 2],
    /// See `poses`.
    pub share: f32,
    /// Level of detail; 0 is the model's own triangles.
    pub level: u8,
    /// How large it is seen, a share of the picture's height.
    pub seen: f32,
    /// Which of the colours it has.
    pub seed: u32,
}

impl ShownPerson {
    /// Its level of detail in a picture of so many pixels of height, where those who are not near are `coarser` levels
    /// coarser: no finer than pixels tell.
    pub fn level_of(&self, (coarser, height): (u8, u32)) -> u8 {
        let by = if self.level > 0 { coarser } else { 0 };
        let pixels = height as f32 / FINE;
        let told = if pixels < 1.0 {
            level_of_detail(self.seen * pixels)
        } else {
            0
        };
        (self.level + by).max(told).min(Lods::LEVELS as u8 - 1)
    }

    /// World from model.
    pub fn world(&self) -> Affine3A {
        let [wide, tall] = self.scale;
        let turn = Mat3A::from_quat(self.turn);
        let scaled = turn * Mat3A::from_diagonal(Vec3::new(wide, tall, wide));
        Affine3A::from_mat3_translation(scaled.into(), self.at)
    }

    /// World-space sphere about it.
    pub fn sphere(&self, (centre, radius): (Vec3, f32)) -> (Vec3, f32) {
        let [wide, tall] = self.scale;
        let off = self.turn * (centre * Vec3::new(wide, tall, wide));
        (self.at + off, radius * wide.max(tall))
    }
}

/// Those of a crowd who share a body.
#[derive(Clone, Debug)]
pub struct DrawCrowd {
    /// The body and its poses.
    pub book: Arc<PoseBook>,
    /// Colours over its materials.
    pub tints: Arc<[Tint]>,
    /// Their range of [`Frame::people`](crate::Frame::people).
    pub people: Range<usize>,
    /// Added to their numbers it stays the same for each from picture to picture.
    pub instance: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_pictures_take_coarser_levels_and_those_who_are_not_near_the_coarser_of_both() {
        let seen = |level, seen, coarser, height| {
            let person = ShownPerson {
                number: 0,
                at: Vec3::ZERO,
                turn: Quat::IDENTITY,
                scale: [1.0; 2],
                poses: [0; 2],
                share: 0.0,
                level,
                seen,
                seed: 0,
            };
            person.level_of((coarser, height))
        };
        // As the stage has it where pixels tell so much.
        assert_eq!([0, 1, 4].map(|level| seen(level, 0.2, 0, 1080)), [0, 1, 4]);
        assert_eq!(seen(1, 0.2, 0, 2160), 1);
        // 540 pixels tell half.
        assert_eq!(seen(0, 0.4, 0, 540), 1);
        assert_eq!(seen(0, 0.6, 0, 540), 0);
        assert_eq!(seen(1, 0.15, 1, 540), 2);
        assert_eq!([0, 1, 4].map(|level| seen(level, 0.9, 1, 1080)), [0, 2, 4]);
    }
}
