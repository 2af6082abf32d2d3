//! Crowds in a frame: many agents that share a body, each in one of its baked poses.

use std::ops::Range;
use std::sync::Arc;

use glam::{Affine3A, Mat3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::level_of_detail::level_of_detail;
use galatea_asset::{Lods, Model};

/// Picture height for which levels of detail are chosen, pixels.
pub const FINE: f32 = 1080.0;

/// Baked poses of a body.
#[derive(Clone, Debug)]
pub struct BakedPoses {
    /// The body's model.
    pub model: Arc<Model>,
    /// Levels of detail of the model.
    pub lods: Arc<Lods>,
    /// Deformation matrices, pose after pose, each laid out as [`galatea_deform::PaletteLayout`] says.
    pub palettes: Vec<Affine3A>,
    /// Matrices per pose, at least 1.
    pub stride: usize,
    /// Morph weights, the same for all poses.
    pub morphs: Vec<f32>,
    /// For each pose, the pose that replaces it at a distance, where fewer poses per second are shown.
    pub stand_ins: Vec<u32>,
    /// Bounding sphere of all poses (centre and radius), model space, metres.
    pub bounds: (Vec3, f32),
}

impl BakedPoses {
    /// The matrices of a pose.
    pub fn palette(&self, pose: usize) -> &[Affine3A] {
        let from = pose * self.stride;
        self.palettes
            .get(from..from + self.stride)
            .unwrap_or_default()
    }
}

/// Tint colours of a material; each agent gets one of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tint {
    /// Index into [`Model::materials`].
    pub material: u16,
    /// Linear colours, at least one.
    pub colors: Vec<Vec3>,
}

impl Tint {
    /// The tint of an agent, by its seed. Same result as in `inc/agents.wgsl`.
    pub fn of(&self, seed: u32) -> Vec3 {
        let n = self.colors.len().max(1) as u32;
        let own = mixed(seed ^ u32::from(self.material).wrapping_mul(0x9e37_79b9)) % n;
        self.colors.get(own as usize).copied().unwrap_or(Vec3::ONE)
    }
}

/// Hash of a number (M. O'Neill, "PCG", 2014, as Jarzynski and Olano recommend it for GPUs, 2020). Same result as in
/// `inc/agents.wgsl`.
fn mixed(number: u32) -> u32 {
    let state = number.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// One agent of a crowd in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnAgent {
    /// Index of the agent in the crowd.
    pub number: u32,
    /// World position of the soles, metres.
    pub at: Vec3,
    /// World-from-model rotation: about +Y for walkers, any for flyers.
    pub turn: Quat,
    /// Scale of the width, and along the model's +Y.
    pub scale: [f32; 2],
    /// Indices of the two poses that are blended.
    pub poses: [u32; 2],
    /// Blend fraction from the first pose to the second, 0..=1.
    pub pose_fraction: f32,
    /// Level of detail; 0 is the model's own triangles.
    pub level: u8,
    /// Apparent size, as a fraction of the picture height.
    pub apparent_size: f32,
    /// Seed that selects the tint colours.
    pub seed: u32,
}

impl DrawnAgent {
    /// Level of detail in a picture of the given height in pixels. Agents that are not near are `coarser` levels
    /// coarser. The result is never finer than the pixels can show.
    pub fn level_of(&self, (coarser, height): (u8, u32)) -> u8 {
        let by = if self.level > 0 { coarser } else { 0 };
        let pixels = height as f32 / FINE;
        let min_level = if pixels < 1.0 {
            level_of_detail(self.apparent_size * pixels)
        } else {
            0
        };
        (self.level + by).max(min_level).min(Lods::LEVELS as u8 - 1)
    }

    /// World-from-model matrix.
    pub fn world(&self) -> Affine3A {
        let [wide, tall] = self.scale;
        let turn = Mat3A::from_quat(self.turn);
        let scaled = turn * Mat3A::from_diagonal(Vec3::new(wide, tall, wide));
        Affine3A::from_mat3_translation(scaled.into(), self.at)
    }

    /// World-space bounding sphere.
    pub fn sphere(&self, (centre, radius): (Vec3, f32)) -> (Vec3, f32) {
        let [wide, tall] = self.scale;
        let off = self.turn * (centre * Vec3::new(wide, tall, wide));
        (self.at + off, radius * wide.max(tall))
    }
}

/// The agents of a crowd that share a body.
#[derive(Clone, Debug)]
pub struct DrawCrowd {
    /// The body and its poses.
    pub poses: Arc<BakedPoses>,
    /// Tints of the body's materials.
    pub tints: Arc<[Tint]>,
    /// Range in [`Frame::agents`](crate::Frame::people).
    pub agents: Range<usize>,
    /// Base id. Base plus agent index is an id that stays the same from picture to picture.
    pub instance: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_pictures_use_coarser_levels_and_distant_agents_the_coarser_of_both() {
        let seen = |level, seen, coarser, height| {
            let person = DrawnAgent {
                number: 0,
                at: Vec3::ZERO,
                turn: Quat::IDENTITY,
                scale: [1.0; 2],
                poses: [0; 2],
                pose_fraction: 0.0,
                level,
                apparent_size: seen,
                seed: 0,
            };
            person.level_of((coarser, height))
        };
        // At 1080 pixels the stage's own level is used.
        assert_eq!([0, 1, 4].map(|level| seen(level, 0.2, 0, 1080)), [0, 1, 4]);
        assert_eq!(seen(1, 0.2, 0, 2160), 1);
        // 540 pixels show half the detail.
        assert_eq!(seen(0, 0.4, 0, 540), 1);
        assert_eq!(seen(0, 0.6, 0, 540), 0);
        assert_eq!(seen(1, 0.15, 1, 540), 2);
        assert_eq!([0, 1, 4].map(|level| seen(level, 0.9, 1, 1080)), [0, 2, 4]);
    }
}
