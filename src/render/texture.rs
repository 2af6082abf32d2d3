//! Pictures and samplers of materials.

use std::borrow::Cow;
use std::collections::HashMap;

use super::Gpu;
use super::pass::mip::MipPass;
use crate::asset::model::{Image, Sampler, Wrap};

/// Texels seen at a slant are gathered from up to this many places.
const ANISOTROPY: u16 = 8;

/// Uploads a picture with all its mip levels; larger ones than the device takes are halved first.
/// `None` for a picture without texels.
pub fn upload(
    gpu: &Gpu,
    mips: &MipPass,
    image: &Image,
    is_srgb: bool,
) -> Option<wgpu::TextureView> {
    let texels = image.width as usize * image.height as usize;
    if texels == 0 || image.rgba.len() != texels * 4 {
        return None;
    }
    let largest = gpu.device.limits().max_texture_dimension_2d;
    let (width, height, rgba) = fit(image, largest);
    let size = wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: 1,
    };
    let format = if is_srgb {
        wgpu::TextureFormat::Rgba8UnormSrgb
    } else {
        wgpu::TextureFormat::Rgba8Unorm
    };
    let n_levels = width.max(height).ilog2() + 1;
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(&image.name),
        size,
        mip_level_count: n_levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::COPY_DST
            | wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    gpu.queue.write_texture(
        texture.as_image_copy(),
        &rgba,
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(width * 4),
            rows_per_image: None,
        },
        size,
    );
    mips.fill(gpu, &texture);
    Some(texture.create_view(&wgpu::TextureViewDescriptor::default()))
}

fn fit(image: &Image, largest: u32) -> (u32, u32, Cow<'_, [u8]>) {
    let (mut width, mut height) = (image.width, image.height);
    let mut rgba = Cow::Borrowed(image.rgba.as_slice());
    while width > largest || height > largest {
        let (w, h) = ((width / 2).max(1), (height / 2).max(1));
        let mut half = Vec::with_capacity(w as usize * h as usize * 4);
        for y in 0..h {
            for x in 0..w {
                for channel in 0..4 {
                    let texel = |dx: u32, dy: u32| {
                        let x = (x * 2 + dx).min(width - 1) as usize;
                        let y = (y * 2 + dy).min(height - 1) as usize;
                        u32::from(rgba[(y * width as usize + x) * 4 + channel])
                    };
                    let sum = texel(0, 0) + texel(1, 0) + texel(0, 1) + texel(1, 1);
                    half.push(((sum + 2) / 4) as u8);
                }
            }
        }
        (width, height, rgba) = (w, h, Cow::Owned(half));
    }
    (width, height, rgba)
}

/// Samplers, one of each kind.
#[derive(Default)]
pub struct Samplers {
    made: HashMap<Sampler, wgpu::Sampler>,
}

impl Samplers {
    /// The sampler for a use of a picture.
    pub fn get(&mut self, gpu: &Gpu, sampler: Sampler) -> &wgpu::Sampler {
        self.made
            .entry(sampler)
            .or_insert_with(|| make_sampler(gpu, sampler))
    }
}

fn make_sampler(gpu: &Gpu, sampler: Sampler) -> wgpu::Sampler {
    let wrap = |wrap| match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
    };
    let filter = |is_linear| {
        if is_linear {
            wgpu::FilterMode::Linear
        } else {
            wgpu::FilterMode::Nearest
        }
    };
    let is_smooth = sampler.mag_linear && sampler.min_linear && sampler.mipmaps;
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("material"),
        address_mode_u: wrap(sampler.wrap_u),
        address_mode_v: wrap(sampler.wrap_v),
        mag_filter: filter(sampler.mag_linear),
        min_filter: filter(sampler.min_linear),
        mipmap_filter: if sampler.mipmaps {
            wgpu::MipmapFilterMode::Linear
        } else {
            wgpu::MipmapFilterMode::Nearest
        },
        lod_max_clamp: if sampler.mipmaps { 32.0 } else { 0.0 },
        // Mesa's software renderer walks over every texel of a slanted pixel: minutes for one
        // picture where a mesh stretches its texture coordinates far.
        anisotropy_clamp: if is_smooth && !gpu.is_software() {
            ANISOTROPY
        } else {
            1
        },
        ..Default::default()
    })
}
