//! Quality for speed.

use super::adapter::Means;
use super::gpu::Gpu;
use galatea_math::clamp::ClampTo as _;
use galatea_stage::frame::Quality;

/// What a [`Renderer`](super::Renderer) spends on a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderOptions {
    /// Samples per pixel, 4 or 1.
    pub msaa: u32,
    /// Levels of detail that people of crowds who are not near are coarser than they would be.
    pub coarser_people: u8,
    /// The level of detail from which on people of crowds are squares with pictures.
    pub impostors_from: u8,
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
    /// Depth of what is opaque is drawn before it is lit: what is hidden is not shaded, but all vertices are
    /// placed twice.
    pub depth_first: bool,
    /// Where the processor draws, triangles that show their backs or fall between pixels are left out beforehand.
    pub skips_unseen: bool,
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
            coarser_people: 0,
            impostors_from: 3,
            smooths: false,
            scale: 1.0,
            shadow_size: 2048,
            cascades: 2,
            blocker_taps: 8,
            shadow_taps: 16,
            lamp_shadows: (2048, 512),
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
                coarser_people: 1,
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
                impostors_from: 4,
                occlusion: 1,
                depth_first: true,
                ..medium
            },
        }
    }

    /// What belongs to a quality while a window waits for the picture: where a processor draws, medium pictures
    /// have their edges smoothed afterwards, since four samples take half as long again.
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

    /// What belongs to a quality for films of thousands of pictures: where a processor draws, as a window, and shadows of
    /// medium pictures are all equally soft, from fewer places, and from smaller maps: a tenth to a fifth of a picture.
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

    /// The options as the device can, within their ranges, and what became less of them, in plain words.
    pub(super) fn fitted(self, means: &Means) -> (Self, Vec<String>) {
        let (asked, side) = (self.checked(), means.limits.max_texture_dimension_2d);
        let mut lessened = Vec::new();
        let mut fit = |what: &str, texels: u32| {
            if texels > side {
                lessened.push(format!(
                    "{what} {side} texels a side, not {texels}: the graphics device draws no larger ones"
                ));
            }
            texels.min(side)
        };
        let shadow_size = fit("the sun's shadow maps have", asked.shadow_size);
        let atlas = fit("the lamps' shadow map has", asked.lamp_shadows.0);
        let contact_size = fit(
            "the map of what stands on the ground has",
            asked.contact_size,
        );
        let msaa = if means.has_samples { asked.msaa } else { 1 };
        let fitted = Self {
            msaa,
            smooths: asked.smooths || (msaa < asked.msaa && !asked.transparent),
            shadow_size,
            lamp_shadows: (atlas, asked.lamp_shadows.1.min(atlas)),
            contact_size,
            ..asked
        };
        (fitted, lessened)
    }

    /// With shadow maps of half the size, down to 256 texels; `None` where they are as small.
    pub(super) fn with_smaller_maps(self) -> Option<Self> {
        let half = |texels: u32| {
            if texels == 0 {
                0
            } else {
                (texels / 2).max(256)
            }
        };
        let atlas = half(self.lamp_shadows.0);
        let smaller = Self {
            shadow_size: half(self.shadow_size),
            lamp_shadows: (atlas, self.lamp_shadows.1.min(atlas)),
            ..self
        };
        let texels = |options: &Self| (options.shadow_size, options.lamp_shadows.0);
        (texels(&smaller) < texels(&self)).then_some(smaller)
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
                (atlas, self.lamp_shadows.1.clamp_to(64, atlas))
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
