//! Requirements on a graphics adapter, and fallbacks for missing features.

use super::formats::{DEPTH, HDR};

/// Texture side to request, in pixels. Larger textures are never used.
const TEXTURE_SIDE: u32 = 8192;
/// Maximum number of anisotropic filter samples.
const MAX_ANISOTROPY: u16 = 8;

/// Textures that one shader reads. WebGPU's core guarantees one less; every desktop driver offers this many.
const MIN_TEXTURES: u32 = 17;

/// A minimum limit for drawing: its description, its minimum, and the function that reads it from the device's limits.
type Need = (&'static str, u32, fn(&wgpu::Limits) -> u32);

/// Minimum limits, from the layouts in `layouts.rs`: `mesh` reads 6 maps and 11 material textures with 11 samplers;
/// `strand_points` uses 8 storage buffers and work groups of 64.
const NEEDS: [Need; 7] = [
    ("pixels per texture side", 2048, |l| {
        l.max_texture_dimension_2d
    }),
    ("bind groups", 4, |l| l.max_bind_groups),
    ("textures per shader", MIN_TEXTURES, |l| {
        l.max_sampled_textures_per_shader_stage
    }),
    ("samplers per shader", 11, |l| {
        l.max_samplers_per_shader_stage
    }),
    ("storage buffers per shader", 8, |l| {
        l.max_storage_buffers_per_shader_stage
    }),
    ("invocations per work group", 64, |l| {
        l.max_compute_invocations_per_workgroup
    }),
    ("work groups per dimension", 65535, |l| {
        l.max_compute_workgroups_per_dimension
    }),
];

/// Capabilities of an adapter, known before a device is requested.
#[derive(Clone, Debug)]
pub struct AdapterFacts {
    /// Name reported by the driver.
    pub name: String,
    /// Features beyond the core of WebGPU.
    pub features: wgpu::Features,
    /// Supported parts of the core of WebGPU.
    pub downlevel: wgpu::DownlevelFlags,
    /// Largest sizes and counts.
    pub limits: wgpu::Limits,
    /// Supported uses of HDR textures (Rgba16Float).
    pub hdr: wgpu::TextureFormatFeatures,
    /// Supported uses of depth textures (Depth32Float).
    pub depth: wgpu::TextureFormatFeatures,
}

/// Features and limits to draw with, and the fallbacks in use.
#[derive(Clone, Debug, PartialEq)]
pub struct Means {
    /// Features to request from the device.
    pub features: wgpu::Features,
    /// Limits to request from the device.
    pub limits: wgpu::Limits,
    /// 4× multisampling is supported.
    pub has_samples: bool,
    /// Maximum number of anisotropic filter samples; 1 turns anisotropic filtering off.
    pub anisotropy: u16,
    /// Missing features, each with its fallback, as text for the user.
    pub without: Vec<String>,
}

impl Means {
    /// Returns true if the device can time passes.
    pub fn has_clock(&self) -> bool {
        self.features.contains(wgpu::Features::TIMESTAMP_QUERY)
    }
}

impl AdapterFacts {
    pub(super) fn of(adapter: &wgpu::Adapter) -> Self {
        Self {
            name: adapter.get_info().name,
            features: adapter.features(),
            downlevel: adapter.get_downlevel_capabilities().flags,
            limits: adapter.limits(),
            hdr: adapter.get_texture_format_features(HDR),
            depth: adapter.get_texture_format_features(DEPTH),
        }
    }

    /// Selects the features and limits to draw with on this adapter.
    ///
    /// # Errors
    /// The missing features that have no fallback, as text for the user.
    pub(super) fn means(&self) -> Result<Means, Vec<String>> {
        let lacking = self.lacking();
        if !lacking.is_empty() {
            return Err(lacking);
        }
        let mut without = Vec::new();
        let side = self.limits.max_texture_dimension_2d.min(TEXTURE_SIDE);
        if side < TEXTURE_SIDE {
            without.push(format!(
                "textures larger than {side} pixels per side: larger textures are halved, shadow maps have at most {side}"
            ));
        }
        use wgpu::TextureFormatFeatureFlags as Flag;
        let has_samples = self
            .hdr
            .flags
            .contains(Flag::MULTISAMPLE_X4 | Flag::MULTISAMPLE_RESOLVE)
            && self.depth.flags.contains(Flag::MULTISAMPLE_X4);
        if !has_samples {
            without.push("four samples per pixel: a post-process smooths the edges".to_owned());
        }
        let has_anisotropy = self
            .downlevel
            .contains(wgpu::DownlevelFlags::ANISOTROPIC_FILTERING);
        if !has_anisotropy {
            without.push(
                "anisotropic filtering: textures seen at a flat angle are less sharp".to_owned(),
            );
        }
        Ok(Means {
            features: self.features
                & (wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::PIPELINE_CACHE),
            limits: wgpu::Limits {
                max_sampled_textures_per_shader_stage: MIN_TEXTURES,
                ..wgpu::Limits::default()
            }
            .or_worse_values_from(&self.limits),
            has_samples,
            anisotropy: if has_anisotropy { MAX_ANISOTROPY } else { 1 },
            without,
        })
    }

    /// Lists the missing features that have no fallback.
    fn lacking(&self) -> Vec<String> {
        use wgpu::DownlevelFlags as Has;
        let mut lacking = Vec::new();
        for (flag, what) in [
            (Has::COMPUTE_SHADERS, "compute shaders"),
            (Has::VERTEX_STORAGE, "storage buffers in vertex shaders"),
            (Has::FRAGMENT_STORAGE, "storage buffers in fragment shaders"),
            (Has::COMPARISON_SAMPLERS, "comparison samplers, for shadows"),
        ] {
            if !self.downlevel.contains(flag) {
                lacking.push(what.to_owned());
            }
        }
        use wgpu::TextureFormatFeatureFlags as Flag;
        let drawn_and_read =
            wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING;
        if !self.hdr.allowed_usages.contains(drawn_and_read)
            || !self.hdr.flags.contains(Flag::FILTERABLE | Flag::BLENDABLE)
        {
            lacking.push("drawing to, blending and filtering 16-bit float textures".to_owned());
        }
        if !self.depth.allowed_usages.contains(drawn_and_read) {
            lacking.push("32-bit float depth textures".to_owned());
        }
        for (what, least, of) in NEEDS {
            let has = of(&self.limits);
            if has < least {
                lacking.push(format!("{least} {what} (it has {has})"));
            }
        }
        lacking
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu::{DownlevelFlags, TextureFormatFeatureFlags as Flag, TextureUsages};

    fn good() -> AdapterFacts {
        let drawn = wgpu::TextureFormatFeatures {
            allowed_usages: TextureUsages::all(),
            flags: Flag::all(),
        };
        AdapterFacts {
            name: "made up".into(),
            features: wgpu::Features::all(),
            downlevel: DownlevelFlags::all(),
            limits: wgpu::Limits {
                max_texture_dimension_2d: 32768,
                max_sampled_textures_per_shader_stage: 128,
                ..wgpu::Limits::default()
            },
            hdr: drawn,
            depth: drawn,
        }
    }

    fn poorer(change: impl FnOnce(&mut AdapterFacts)) -> Result<Means, Vec<String>> {
        let mut facts = good();
        change(&mut facts);
        facts.means()
    }

    #[test]
    fn a_capable_adapter_is_requested_with_default_limits_and_timestamps() {
        let means = good().means().unwrap();
        assert_eq!(
            means,
            Means {
                features: wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::PIPELINE_CACHE,
                limits: wgpu::Limits {
                    max_sampled_textures_per_shader_stage: 17,
                    ..wgpu::Limits::default()
                },
                has_samples: true,
                anisotropy: 8,
                without: Vec::new(),
            }
        );
    }

    #[test]
    fn missing_features_with_a_fallback_are_replaced_and_reported() {
        let clockless = poorer(|f| f.features = wgpu::Features::empty()).unwrap();
        assert_eq!(clockless.features, wgpu::Features::empty());
        assert_eq!(clockless.without, Vec::<String>::new());

        let small = poorer(|f| f.limits.max_texture_dimension_2d = 4096).unwrap();
        assert_eq!(small.limits.max_texture_dimension_2d, 4096);
        assert_eq!(
            small.without,
            [
                "textures larger than 4096 pixels per side: larger textures are halved, shadow maps have at most 4096"
            ]
        );

        let edges = ["four samples per pixel: a post-process smooths the edges"];
        for lost in [Flag::MULTISAMPLE_X4, Flag::MULTISAMPLE_RESOLVE] {
            let rough = poorer(|f| f.hdr.flags -= lost).unwrap();
            assert!(!rough.has_samples, "{lost:?}");
            assert_eq!(rough.without, edges);
        }
        let rough = poorer(|f| f.depth.flags -= Flag::MULTISAMPLE_X4).unwrap();
        assert_eq!((rough.has_samples, rough.without.len()), (false, 1));

        let slanted = poorer(|f| f.downlevel -= DownlevelFlags::ANISOTROPIC_FILTERING).unwrap();
        assert_eq!((slanted.anisotropy, slanted.without.len()), (1, 1));
    }

    #[test]
    fn missing_features_without_a_fallback_are_errors() {
        let lacking = |change: fn(&mut AdapterFacts)| poorer(change).unwrap_err();
        assert_eq!(
            lacking(|f| f.limits.max_storage_buffers_per_shader_stage = 4),
            ["8 storage buffers per shader (it has 4)"]
        );
        assert_eq!(
            lacking(|f| f.limits.max_sampled_textures_per_shader_stage = 16),
            ["17 textures per shader (it has 16)"]
        );
        assert_eq!(
            lacking(|f| f.downlevel -= DownlevelFlags::VERTEX_STORAGE),
            ["storage buffers in vertex shaders"]
        );
        let light = ["drawing to, blending and filtering 16-bit float textures"];
        assert_eq!(lacking(|f| f.hdr.flags -= Flag::BLENDABLE), light);
        assert_eq!(lacking(|f| f.hdr.flags -= Flag::FILTERABLE), light);
        assert_eq!(
            lacking(|f| f.hdr.allowed_usages -= TextureUsages::RENDER_ATTACHMENT),
            light
        );
        assert_eq!(
            lacking(|f| f.depth.allowed_usages -= TextureUsages::TEXTURE_BINDING),
            ["32-bit float depth textures"]
        );
        let two = lacking(|f| {
            f.downlevel -= DownlevelFlags::COMPUTE_SHADERS;
            f.limits.max_texture_dimension_2d = 1024;
        });
        assert_eq!(
            two,
            [
                "compute shaders",
                "2048 pixels per texture side (it has 1024)"
            ]
        );
    }
}
