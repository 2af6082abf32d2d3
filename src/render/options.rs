//! Quality for speed.

use super::Gpu;
use crate::stage::frame::Quality;

/// What a [`Renderer`](super::Renderer) spends on a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderOptions {
    /// Samples per pixel, 4 or 1.
    pub msaa: u32,
    /// Without multisampling: edges are smoothed afterwards.
    pub smooths: bool,
    /// Pixels that are lit per pixel that is shown, along each side, 0.25..=2.
    pub scale: f32,
    /// Texels along each of the sun's shadow maps.
    pub shadow_size: u32,
    /// Nested shadow maps of the sun, 1..=3; 0 draws no shadows of the sun.
    pub cascades: u32,
    /// Places looked at to find how soft a shadow is; 0 makes all equally soft.
    pub blocker_taps: u32,
    /// Places looked at for the shadow itself.
    pub shadow_taps: u32,
    /// Texels along the lamps' common shadow map, and along the tile of each view; 0 draws no
    /// shadows of lamps.
    pub lamp_shadows: (u32, u32),
    /// Pixels along each side of a texel of the ambient occlusion, 1 or 2; 0 draws none.
    pub occlusion: u32,
    /// Texels along the map of what stands just above the ground.
    pub contact_size: u32,
    /// Light scattered in the lens is drawn.
    pub bloom: bool,
    /// Nothing is drawn where there is no model: the picture's alpha tells.
    pub transparent: bool,
}

impl RenderOptions {
    /// What belongs to a quality.
    pub fn of(quality: Quality) -> Self {
        let medium = Self {
            msaa: 4,
            smooths: false,
            scale: 1.0,
            shadow_size: 2048,
            cascades: 2,
            blocker_taps: 8,
            shadow_taps: 16,
            lamp_shadows: (2048, 512),
            occlusion: 2,
            contact_size: 512,
            bloom: true,
            transparent: false,
        };
        match quality {
            Quality::Low => Self {
                msaa: 1,
                smooths: true,
                shadow_size: 1024,
                cascades: 1,
                blocker_taps: 0,
                shadow_taps: 4,
                lamp_shadows: (1024, 512),
                occlusion: 0,
                contact_size: 256,
                bloom: false,
                ..medium
            },
            Quality::Medium => medium,
            Quality::High => Self {
                shadow_size: 4096,
                cascades: 3,
                blocker_taps: 12,
                shadow_taps: 24,
                lamp_shadows: (4096, 1024),
                occlusion: 1,
                ..medium
            },
        }
    }

    /// What belongs to a quality while a window waits for the picture: where a processor draws, medium pictures
    /// have their edges smoothed afterwards, since four samples take half as long again.
    pub fn in_window(quality: Quality, gpu: &Gpu) -> Self {
        let options = Self::of(quality);
        let smooths = quality == Quality::Medium && gpu.is_software();
        Self {
            msaa: if smooths { 1 } else { options.msaa },
            smooths: smooths || options.smooths,
            ..options
        }
    }

    /// The options within their ranges.
    pub(super) fn checked(self) -> Self {
        let atlas = self.lamp_shadows.0.clamp(256, 8192);
        Self {
            msaa: if self.msaa >= 4 { 4 } else { 1 },
            smooths: self.smooths && self.msaa < 4 && !self.transparent,
            scale: if self.scale.is_finite() {
                self.scale.clamp(0.25, 2.0)
            } else {
                1.0
            },
            shadow_size: self.shadow_size.clamp(256, 8192),
            cascades: self.cascades.min(3),
            blocker_taps: self.blocker_taps.min(64),
            shadow_taps: self.shadow_taps.clamp(1, 64),
            lamp_shadows: if self.lamp_shadows.0 == 0 {
                (0, 0)
            } else {
                (atlas, self.lamp_shadows.1.clamp(64, atlas))
            },
            occlusion: self.occlusion.min(2),
            contact_size: self.contact_size.clamp(64, 4096),
            ..self
        }
    }
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self::of(Quality::default())
    }
}
