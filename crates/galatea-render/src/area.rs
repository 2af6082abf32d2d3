//! Screen-space rectangles, in pixels.

use glam::Vec3;

use super::view::{clip_from_world, sphere_is_seen, view_planes};
use galatea_stage::frame::Frame;

/// With more agents than this, the models are assumed to cover the whole image.
const MAX_AGENTS: usize = 256;

/// A rectangle of whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelRect {
    low: (u32, u32),
    high: (u32, u32),
}

impl PixelRect {
    /// Covers a whole image of `size`.
    pub fn whole(size: (u32, u32)) -> Self {
        Self {
            low: (0, 0),
            high: size,
        }
    }

    /// Bounds the models and agents of a frame, and all points within `reach` metres of them. The bound is conservative.
    pub fn of_models(frame: &Frame, size: (u32, u32), reach: f32) -> Self {
        if frame.agents.len() > MAX_AGENTS {
            return Self::whole(size);
        }
        let planes = view_planes(&frame.camera, size);
        let clip_from_world = clip_from_world(&frame.camera, size);
        let (width, height) = (size.0 as f32, size.1 as f32);
        let mut low = (width, height);
        let mut high = (0.0_f32, 0.0_f32);
        let seen = |bounds: &(Vec3, f32)| sphere_is_seen(&planes, (bounds.0, bounds.1 + reach));
        let models = frame.models.iter().filter(|model| seen(&model.bounds));
        let parts = models.flat_map(|model| frame.spheres_of(model)).copied();
        let parts = parts.chain(frame.agent_spheres());
        for (center, radius) in parts.filter(|sphere| seen(sphere)) {
            let radius = radius + reach;
            for corner in 0..8 {
                let side = |bit: u32| {
                    if corner >> bit & 1 == 0 {
                        -radius
                    } else {
                        radius
                    }
                };
                let at = center + Vec3::new(side(0), side(1), side(2));
                let clip = clip_from_world * at.extend(1.0);
                let x = (clip.x / clip.w * 0.5 + 0.5) * width;
                let y = (0.5 - clip.y / clip.w * 0.5) * height;
                if clip.w <= 1e-3 || !x.is_finite() || !y.is_finite() {
                    return Self::whole(size);
                }
                low = (low.0.min(x), low.1.min(y));
                high = (high.0.max(x), high.1.max(y));
            }
        }
        // Casts from float to integer saturate.
        let end = |at: f32, most: u32| (at.ceil() as u32).min(most);
        Self {
            low: (low.0.floor() as u32, low.1.floor() as u32),
            high: (end(high.0, size.0), end(high.1, size.1)),
        }
    }

    /// Returns true if the rectangle contains no pixel.
    pub fn is_empty(&self) -> bool {
        self.low.0 >= self.high.0 || self.low.1 >= self.high.1
    }

    /// Returns true if the rectangle covers a whole image of `size`.
    pub fn is_whole(&self, size: (u32, u32)) -> bool {
        *self == Self::whole(size)
    }

    /// Grows the rectangle by `by` pixels on each side and clamps it to the image.
    pub fn grown(&self, by: u32, size: (u32, u32)) -> Self {
        let high = |at: u32, end: u32| at.saturating_add(by).min(end);
        Self {
            low: (self.low.0.saturating_sub(by), self.low.1.saturating_sub(by)),
            high: (high(self.high.0, size.0), high(self.high.1, size.1)),
        }
    }

    /// Restricts drawing to the rectangle, from now on.
    pub fn clip(&self, pass: &mut wgpu::RenderPass<'_>) {
        let (low, high) = (self.low, self.high);
        let side = |low: u32, high: u32| high.saturating_sub(low);
        pass.set_scissor_rect(low.0, low.1, side(low.0, high.0), side(low.1, high.1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_frames_cover_nothing_and_grown_areas_stay_within_the_image() {
        let empty = PixelRect::of_models(&Frame::default(), (100, 50), 0.1);
        assert!(empty.is_empty());
        let area = PixelRect {
            low: (5, 40),
            high: (20, 49),
        };
        let grown = area.grown(10, (100, 50));
        assert_eq!((grown.low, grown.high), ((0, 30), (30, 50)));
        assert!(!grown.is_whole((100, 50)));
        assert!(grown.grown(100, (100, 50)).is_whole((100, 50)));
    }
}
