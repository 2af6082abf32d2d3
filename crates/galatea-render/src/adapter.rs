//! What an adapter must have to draw, and what takes the place of what it may lack.

use super::formats::{DEPTH, HDR};

/// Pixels along a side of textures that are asked for; more is not used.
const SIDE: u32 = 8192;
/// Places that a texture seen at a slant is gathered from, at most.
const ANISOTROPY: u16 = 8;

/// Textures that one shader reads: one more than WebGPU's core has, which every driver of a desktop gives.
const TEXTURES: u32 = 17;

/// Numbers below which nothing is drawn: what they count, how many, where they stand.
type Need = (&'static str, u32, fn(&wgpu::Limits) -> u32);

/// Of the layouts in `layouts.rs`: `mesh` reads 6 maps and 11 pictures with 11 samplers, `strand_points` has 8
/// storage buffers in work groups of 64.
const NEEDS: [Need; 7] = [
    ("pixels along a texture", 2048, |l| {
        l.max_texture_dimension_2d
    }),
    ("groups of bindings", 4, |l| l.max_bind_groups),
    ("textures in a shader", TEXTURES, |l| {
        l.max_sampled_textures_per_shader_stage
    }),
    ("samplers in a shader", 11, |l| {
        l.max_samplers_per_shader_stage
    }),
    ("storage buffers in a shader", 8, |l| {
        l.max_storage_buffers_per_shader_stage
    }),
    ("invocations of a work group", 64, |l| {
        l.max_compute_invocations_per_workgroup
    }),
    ("work groups in a row", 65535, |l| {
        l.max_compute_workgroups_per_dimension
    }),
];

/// What is known of an adapter before a device is asked of it.
#[derive(Clone, Debug)]
pub struct AdapterFacts {
    /// As its driver calls it.
    pub name: String,
    /// What it offers beyond the core of WebGPU.
    pub features: wgpu::Features,
    /// What it has of the core of WebGPU.
    pub downlevel: wgpu::DownlevelFlags,
    /// Its largest sizes and counts.
    pub limits: wgpu::Limits,
    /// What it does with textures of linear light (Rgba16Float).
    pub hdr: wgpu::TextureFormatFeatures,
    /// What it does with depth maps (Depth32Float).
    pub depth: wgpu::TextureFormatFeatures,
}

/// What is drawn with.
#[derive(Clone, Debug, PartialEq)]
pub struct Means {
    /// To ask of the device.
    pub features: wgpu::Features,
    /// To ask of the device.
    pub limits: wgpu::Limits,
    /// A pixel may have four samples.
    pub has_samples: bool,
    /// Places that a texture seen at a slant is gathered from, at most; 1 gathers from none.
    pub anisotropy: u16,
    /// What is missing and what takes its place, in plain words.
    pub without: Vec<String>,
}

impl Means {
    /// The device can time passes.
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

    /// What is drawn with on such an adapter.
    ///
    /// # Errors
    /// What it lacks that nothing can replace, in plain words.
    pub(super) fn means(&self) -> Result<Means, Vec<String>> {
        let lacking = self.lacking();
        if !lacking.is_empty() {
            return Err(lacking);
        }
        let mut without = Vec::new();
        let side = self.limits.max_texture_dimension_2d.min(SIDE);
        if side < SIDE {
            without.push(format!(
                "textures of more than {side} pixels a side: larger ones are halved, shadow maps have at most {side}"
            ));
        }
        use wgpu::TextureFormatFeatureFlags as Flag;
        let has_samples = self
            .hdr
            .flags
            .contains(Flag::MULTISAMPLE_X4 | Flag::MULTISAMPLE_RESOLVE)
            && self.depth.flags.contains(Flag::MULTISAMPLE_X4);
        if !has_samples {
            without.push("four samples of a pixel: edges are smoothed afterwards".to_owned());
        }
        let has_anisotropy = self
            .downlevel
            .contains(wgpu::DownlevelFlags::ANISOTROPIC_FILTERING);
        if !has_anisotropy {
            without
                .push("anisotropic filtering: textures seen at a slant are less sharp".to_owned());
        }
        Ok(Means {
            features: self.features
                & (wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::PIPELINE_CACHE),
            limits: wgpu::Limits {
                max_sampled_textures_per_shader_stage: TEXTURES,
                ..wgpu::Limits::default()
            }
            .or_worse_values_from(&self.limits),
            has_samples,
            anisotropy: if has_anisotropy { ANISOTROPY } else { 1 },
            without,
        })
    }

    /// What nothing can replace.
    fn lacking(&self) -> Vec<String> {
        use wgpu::DownlevelFlags as Has;
        let mut lacking = Vec::new();
        for (flag, what) in [
            (Has::COMPUTE_SHADERS, "compute shaders"),
            (Has::VERTEX_STORAGE, "storage buffers in vertex shaders"),
            (Has::FRAGMENT_STORAGE, "storage buffers in fragment shaders"),
            (
                Has::COMPARISON_SAMPLERS,
                "samplers that compare, for shadows",
            ),
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
            lacking.push(
                "drawing, blending and filtering linear light (16-bit float textures)".to_owned(),
            );
        }
        if !self.depth.allowed_usages.contains(drawn_and_read) {
            lacking.push("depth maps of 32-bit floats".to_owned());
        }
        for (what, least, of) in NEEDS {
            let has = of(&self.limits);
            if has < least {
                lacking.push(format!("{least} {what}: it has {has}"));
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
    fn an_adapter_with_everything_is_asked_for_the_usual_and_the_clock() {
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
    fn what_can_be_replaced_is_replaced_and_named() {
        let clockless = poorer(|f| f.features = wgpu::Features::empty()).unwrap();
        assert_eq!(clockless.features, wgpu::Features::empty());
        assert_eq!(clockless.without, Vec::<String>::new());

        let small = poorer(|f| f.limits.max_texture_dimension_2d = 4096).unwrap();
        assert_eq!(small.limits.max_texture_dimension_2d, 4096);
        assert_eq!(
            small.without,
            [
                "textures of more than 4096 pixels a side: larger ones are halved, shadow maps have at most 4096"
            ]
        );

        let edges = ["four samples of a pixel: edges are smoothed afterwards"];
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
    fn what_nothing_can_replace_is_named() {
        let lacking = |change: fn(&mut AdapterFacts)| poorer(change).unwrap_err();
        assert_eq!(
            lacking(|f| f.limits.max_storage_buffers_per_shader_stage = 4),
            ["8 storage buffers in a shader: it has 4"]
        );
        assert_eq!(
            lacking(|f| f.limits.max_sampled_textures_per_shader_stage = 16),
            ["17 textures in a shader: it has 16"]
        );
        assert_eq!(
            lacking(|f| f.downlevel -= DownlevelFlags::VERTEX_STORAGE),
            ["storage buffers in vertex shaders"]
        );
        let light = ["drawing, blending and filtering linear light (16-bit float textures)"];
        assert_eq!(lacking(|f| f.hdr.flags -= Flag::BLENDABLE), light);
        assert_eq!(lacking(|f| f.hdr.flags -= Flag::FILTERABLE), light);
        assert_eq!(
            lacking(|f| f.hdr.allowed_usages -= TextureUsages::RENDER_ATTACHMENT),
            light
        );
        assert_eq!(
            lacking(|f| f.depth.allowed_usages -= TextureUsages::TEXTURE_BINDING),
            ["depth maps of 32-bit floats"]
        );
        let two = lacking(|f| {
            f.downlevel -= DownlevelFlags::COMPUTE_SHADERS;
            f.limits.max_texture_dimension_2d = 1024;
        });
        assert_eq!(
            two,
            [
                "compute shaders",
                "2048 pixels along a texture: it has 1024"
            ]
        );
    }
}
