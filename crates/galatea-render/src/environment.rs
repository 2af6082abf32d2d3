//! Environment light as a cube map. Its mip levels hold the reflections for increasing roughness.

use super::gpu::Gpu;
use super::tables::half_bits;
use super::uniforms::GpuScene;
use galatea_asset::Environment;
use galatea_asset::environment::lobes;
use galatea_stage::frame::{EnvironmentUse, Light};

/// Constant factors of the functions in [`galatea_asset::environment::irradiance`]. They are multiplied into the
/// coefficients, so `irradiance` in `inc/ambient.wgsl` only evaluates the polynomials.
const BASIS: [f32; 9] = [
    0.282_094_8,
    0.488_602_5,
    0.488_602_5,
    0.488_602_5,
    1.092_548_4,
    1.092_548_4,
    0.315_391_57,
    1.092_548_4,
    0.546_274_2,
];

/// Minimum face size of a mip level, in texels.
const MIN_SIZE: u32 = 8;

/// An environment in GPU memory.
pub struct EnvironmentMap {
    uid: u64,
    /// Face size, in texels.
    size: u32,
    pub view: wgpu::TextureView,
    n_levels: u32,
}

/// Reports that the environment was replaced.
pub struct Followed {
    /// Reduction in quality, as text for the user; `None` without reduction.
    pub lessened: Option<String>,
}

impl EnvironmentMap {
    /// Black environment for frames that have none.
    pub fn none(gpu: &Gpu) -> Self {
        let black = Environment::from_fn(1, |_| glam::Vec3::ZERO);
        Self::of(gpu, 0, &[black.faces], 1)
    }

    /// Uploads the environment at the largest size that the device allows and has memory for. Returns `None` if memory does
    /// not suffice for the smallest size, or if the face size is odd.
    fn upload(gpu: &Gpu, environment: &Environment) -> Option<Self> {
        let mut largest = gpu.device.limits().max_texture_dimension_2d;
        loop {
            let fitting = environment.at_most(largest);
            if fitting.size > largest {
                return None;
            }
            let levels = lobes(&fitting);
            let make = || Self::of(gpu, environment.uid, &levels, fitting.size);
            if let Some(map) = gpu.within_memory(make) {
                return Some(map);
            }
            largest = fitting.size / 2;
            if largest < MIN_SIZE {
                return None;
            }
        }
    }

    fn of(gpu: &Gpu, uid: u64, levels: &[Vec<glam::Vec3>], size: u32) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("environment"),
            size: wgpu::Extent3d {
                width: size,
                height: size,
                depth_or_array_layers: 6,
            },
            mip_level_count: levels.len() as u32,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba16Float,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        for (level, faces) in (0..).zip(levels) {
            let size = (size >> level).max(1);
            let one = half_bits(1.0);
            let texels: Vec<[u16; 4]> = faces
                .iter()
                .map(|c| [half_bits(c.x), half_bits(c.y), half_bits(c.z), one])
                .collect();
            gpu.queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    mip_level: level,
                    ..texture.as_image_copy()
                },
                bytemuck::cast_slice(&texels),
                wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(size * 8),
                    rows_per_image: Some(size),
                },
                wgpu::Extent3d {
                    width: size,
                    height: size,
                    depth_or_array_layers: 6,
                },
            );
        }
        Self {
            uid,
            size,
            view: texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::Cube),
                ..Default::default()
            }),
            n_levels: levels.len() as u32,
        }
    }

    /// Updates to the environment of a frame. Returns `None` if it has not changed. The last environment stays in memory
    /// while it is not used.
    pub fn follow(&mut self, gpu: &Gpu, light: &Light) -> Option<Followed> {
        let environment = &light.environment.as_ref()?.environment;
        if environment.uid == self.uid || environment.size == 0 {
            return None;
        }
        let (name, full_size) = (&environment.name, environment.size);
        let lessened = match Self::upload(gpu, environment) {
            Some(map) => {
                *self = map;
                (self.size < full_size).then(|| {
                    format!(
                        "environment {name:?} is drawn with cube faces of {} texels per side instead of {full_size}: the graphics device has too little memory",
                        self.size
                    )
                })
            }
            None => {
                *self = Self {
                    uid: environment.uid,
                    ..Self::none(gpu)
                };
                Some(format!(
                    "environment {name:?} is not drawn: the graphics device has too little memory"
                ))
            }
        };
        Some(Followed { lessened })
    }

    /// Writes the settings of the environment into the shader data.
    pub fn fill(&self, used: Option<&EnvironmentUse>, scene: &mut GpuScene) {
        let Some(used) = used.filter(|used| used.environment.uid == self.uid) else {
            return;
        };
        scene.environment_shown = u32::from(used.background);
        // The lookup direction is rotated by the inverse of the environment's rotation.
        scene.environment_turn = [used.yaw.cos(), -used.yaw.sin()];
        scene.environment_blur = used.blur.clamp(0.0, 1.0);
        scene.environment_strength = used.intensity.max(0.0);
        scene.environment_levels = (self.n_levels - 1) as f32;
        let coefficients = used.environment.irradiance.iter().zip(BASIS);
        for (out, (c, basis)) in scene.environment_irradiance.iter_mut().zip(coefficients) {
            *out = (*c * basis).extend(0.0).to_array();
        }
    }
}
