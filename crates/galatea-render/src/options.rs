//! Quality settings of the renderer.

use super::adapter::Means;
use super::gpu::Gpu;
use galatea_math::clamp::ClampTo as _;
use galatea_stage::frame::Quality;

/// Quality settings of a [`Renderer`](super::Renderer).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderOptions {
    /// Samples per pixel, 4 or 1.
    pub msaa: u32,
    /// Levels of detail by which crowd agents are coarser, unless they are near.
    pub coarser_agents: u8,
    /// First level of detail at which crowd agents are drawn as impostors.
    pub impostors_from: u8,
    /// Without multisampling: edges are smoothed by a post-process.
    pub smooths: bool,
    /// Render scale per side, 0.25..=2.
    pub scale: f32,
    /// Side of each of the sun's shadow maps, texels.
    pub shadow_size: u32,
    /// Number of shadow cascades of the sun, 1..=3; 0 turns the sun's shadows off.
    pub cascades: u32,
    /// Samples of the blocker search for soft shadows; 0 gives a constant softness.
    pub blocker_taps: u32,
    /// Samples of the shadow filter.
    pub shadow_taps: u32,
    /// Side of the shadow atlas for point and spot lights, and of each view's tile, in texels; 0 turns their shadows off.
    pub light_shadow_size: (u32, u32),
    /// Pixels per ambient occlusion texel along each side, 1 or 2; 0 turns ambient occlusion off.
    pub occlusion: u32,
    /// Side of the ground contact map, texels.
    pub contact_size: u32,
    /// Draws a depth prepass of opaque surfaces. Hidden pixels are not shaded, but all vertices are transformed twice.
    pub depth_first: bool,
    /// On a software renderer, back faces and triangles that cover no pixel centre are culled on the CPU.
    pub skips_unseen: bool,
    /// Bloom is drawn.
    pub bloom: bool,
    /// The background is transparent: the image has alpha.
    pub transparent: bool,
}

impl RenderOptions {
    /// Settings of a quality level.
    pub fn of(quality: Quality) -> Self {
        let medium = Self {
            msaa: 4,
            coarser_agents: 0,
            impostors_from: 3,
            smooths: false,
            scale: 1.0,
            shadow_size: 2048,
            cascades: 2,
            blocker_taps: 8,
            shadow_taps: 16,
            light_shadow_size: (2048, 512),
            occlusion: 2,
            contact_size: 512,
            depth_first: false,
            skips_unseen: true,
            bloom: true,
            transparent: false,
        };
        match quality {
            Quality::Low => Self {
                msaa: 1,
                coarser_agents: 1,
                smooths: true,
                shadow_size: 1024,
                cascades: 1,
                blocker_taps: 0,
                shadow_taps: 4,
                light_shadow_size: (1024, 512),
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
                light_shadow_size: (4096, 1024),
                impostors_from: 4,
                occlusion: 1,
                depth_first: true,
                ..medium
            },
        }
    }

    /// Settings of a quality level for a window. On a software renderer, medium quality smooths edges by a post-process,
    /// since four samples take half as long again.
    pub fn in_window(quality: Quality, gpu: &Gpu) -> Self {
        let options = Self::of(quality);
        let smooths = quality == Quality::Medium && gpu.is_software();
        let is_plainest = quality == Quality::Low && gpu.is_software();
        Self {
            impostors_from: if is_plainest {
                2
            } else {
                options.impostors_from
            },
            msaa: if smooths { 1 } else { options.msaa },
            smooths: smooths || options.smooths,
            ..options
        }
    }

    /// Settings of a quality level for videos of thousands of frames. On a software renderer they equal the window's. Medium
    /// quality also has equally soft shadows, from fewer samples and smaller maps. This saves a tenth to a fifth of the time
    /// per frame.
    pub fn in_film(quality: Quality, gpu: &Gpu) -> Self {
        let options = Self::in_window(quality, gpu);
        if quality != Quality::Medium || !gpu.is_software() {
            return options;
        }
        Self {
            blocker_taps: 0,
            shadow_taps: 6,
            shadow_size: options.shadow_size.min(1536),
            depth_first: true,
            ..options
        }
    }

    /// Clamps the options to their ranges and to the device's limits. Returns messages about reductions.
    pub(super) fn fitted(self, means: &Means) -> (Self, Vec<String>) {
        let (requested, side) = (self.checked(), means.limits.max_texture_dimension_2d);
        let mut lessened = Vec::new();
        let mut fit = |what: &str, texels: u32| {
            if texels > side {
                lessened.push(format!(
                    "{what} {side} texels per side instead of {texels}, the maximum of the graphics device"
                ));
            }
            texels.min(side)
        };
        let shadow_size = fit("the sun's shadow maps have", requested.shadow_size);
        let atlas = fit(
            "the shadow map of the lights has",
            requested.light_shadow_size.0,
        );
        let contact_size = fit("the contact shadow map has", requested.contact_size);
        let msaa = if means.has_samples { requested.msaa } else { 1 };
        let fitted = Self {
            msaa,
            smooths: requested.smooths || (msaa < requested.msaa && !requested.transparent),
            shadow_size,
            light_shadow_size: (atlas, requested.light_shadow_size.1.min(atlas)),
            contact_size,
            ..requested
        };
        (fitted, lessened)
    }

    /// Halves the shadow maps, down to 256 texels. Returns `None` if they are already that small.
    pub(super) fn with_smaller_maps(self) -> Option<Self> {
        let half = |texels: u32| {
            if texels == 0 {
                0
            } else {
                (texels / 2).max(256)
            }
        };
        let atlas = half(self.light_shadow_size.0);
        let smaller = Self {
            shadow_size: half(self.shadow_size),
            light_shadow_size: (atlas, self.light_shadow_size.1.min(atlas)),
            ..self
        };
        let texels = |options: &Self| (options.shadow_size, options.light_shadow_size.0);
        (texels(&smaller) < texels(&self)).then_some(smaller)
    }

    /// Clamps the options to their ranges.
    pub(super) fn checked(self) -> Self {
        let atlas = self.light_shadow_size.0.clamp(256, 8192);
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
            light_shadow_size: if self.light_shadow_size.0 == 0 {
                (0, 0)
            } else {
                (atlas, self.light_shadow_size.1.clamp_to(64, atlas))
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
