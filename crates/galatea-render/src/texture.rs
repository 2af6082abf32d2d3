//! Textures and samplers of materials.

use std::borrow::Cow;
use std::collections::HashMap;

use super::gpu::Gpu;
use super::pass::mip::MipPass;
use galatea_asset::model::{Image, Sampler, Wrap};
use galatea_math::srgb::{decoded, encoded};

/// A texture in GPU memory.
pub struct Uploaded {
    /// `None` for an image without texels, or if there is no memory even for one texel.
    pub view: Option<wgpu::TextureView>,
    /// Message about a reduction in size.
    pub lessened: Option<String>,
}

/// Uploads an image with all its mip levels. An image that exceeds the device's limit or memory is halved until it fits.
pub fn upload(gpu: &Gpu, mips: &MipPass, image: &Image, is_srgb: bool) -> Uploaded {
    let texels = image.width as usize * image.height as usize;
    if texels == 0 || image.rgba.len() != texels * 4 {
        return Uploaded {
            view: None,
            lessened: None,
        };
    }
    let largest = gpu.device.limits().max_texture_dimension_2d;
    let fitted = fit(image, largest, is_srgb, |size, rgba| {
        gpu.within_memory(|| make_layers(gpu, mips, &image.name, size, rgba, None, is_srgb))
    });
    Uploaded {
        lessened: fitted.lessened(image, largest),
        view: fitted.made,
    }
}

/// Creates a texture with one layer, or with several concatenated layers of one size.
fn make_layers(
    gpu: &Gpu,
    mips: &MipPass,
    name: &str,
    (width, height): (u32, u32),
    rgba: &[u8],
    n_layers: Option<u32>,
    is_srgb: bool,
) -> wgpu::TextureView {
    let size = wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: n_layers.unwrap_or(1),
    };
    let format = if is_srgb {
        wgpu::TextureFormat::Rgba8UnormSrgb
    } else {
        wgpu::TextureFormat::Rgba8Unorm
    };
    let n_levels = width.max(height).ilog2() + 1;
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(name),
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
        rgba,
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(width * 4),
            rows_per_image: Some(height),
        },
        size,
    );
    mips.fill(gpu, &texture);
    texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: n_layers.map(|_| wgpu::TextureViewDimension::D2Array),
        ..Default::default()
    })
}

/// Uploads images of one size as a texture array with all mip levels. They are halved together until they fit.
pub fn upload_array(gpu: &Gpu, mips: &MipPass, layers: &[&Image], is_srgb: bool) -> Uploaded {
    let [first, ..] = layers else {
        return Uploaded {
            view: None,
            lessened: None,
        };
    };
    let together = Image {
        name: first.name.clone(),
        width: first.width,
        height: first.height,
        rgba: layers.iter().flat_map(|l| l.rgba.iter().copied()).collect(),
    };
    let n = layers.len() as u32;
    let largest = gpu.device.limits().max_texture_dimension_2d;
    let fitted = fit(&together, largest, is_srgb, |size, rgba| {
        gpu.within_memory(|| make_layers(gpu, mips, &first.name, size, rgba, Some(n), is_srgb))
    });
    Uploaded {
        lessened: fitted.lessened(&together, largest),
        view: fitted.made,
    }
}

/// Result of fitting: the texture, its final size, and true if memory was short.
struct FittedTexture<T> {
    made: Option<T>,
    size: (u32, u32),
    is_reduced: bool,
}

/// Halves an image, or several concatenated images of one size, until no side exceeds `largest` and `make` succeeds.
fn fit<T>(
    image: &Image,
    largest: u32,
    is_srgb: bool,
    mut make: impl FnMut((u32, u32), &[u8]) -> Option<T>,
) -> FittedTexture<T> {
    let mut size = (image.width, image.height);
    let mut rgba = Cow::Borrowed(image.rgba.as_slice());
    let mut is_reduced = false;
    loop {
        if size.0.max(size.1) <= largest {
            let made = make(size, &rgba);
            is_reduced |= made.is_none();
            if made.is_some() || size == (1, 1) {
                return FittedTexture {
                    made,
                    size,
                    is_reduced,
                };
            }
        }
        let whole = (size.0 as usize * size.1 as usize * 4).max(1);
        let halves = rgba.chunks_exact(whole);
        let halves = halves.flat_map(|one| halved(size, one, is_srgb)).collect();
        (size, rgba) = (half(size), Cow::Owned(halves));
    }
}

impl<T> FittedTexture<T> {
    fn lessened(&self, image: &Image, largest: u32) -> Option<String> {
        let (name, from) = (&image.name, (image.width, image.height));
        if self.made.is_none() {
            return Some(format!(
                "texture {name:?} of {} × {} pixels is not drawn: the graphics device has too little memory",
                from.0, from.1
            ));
        }
        if self.size == from {
            return None;
        }
        let why = if self.is_reduced {
            "the graphics device has too little memory".to_owned()
        } else {
            format!("the graphics device supports at most {largest} per side")
        };
        Some(format!(
            "texture {name:?} of {} × {} pixels is reduced to {} × {}: {why}",
            from.0, from.1, self.size.0, self.size.1
        ))
    }
}

fn half((width, height): (u32, u32)) -> (u32, u32) {
    ((width / 2).max(1), (height / 2).max(1))
}

/// Returns an image of half the size. Each texel is the mean of four; sRGB colours are averaged in linear space.
fn halved((width, height): (u32, u32), rgba: &[u8], is_srgb: bool) -> Vec<u8> {
    let light: [f32; 256] = std::array::from_fn(|byte| decoded(byte as f32 / 255.0));
    let (w, h) = half((width, height));
    let mut out = Vec::with_capacity(w as usize * h as usize * 4);
    for y in 0..h {
        for x in 0..w {
            for channel in 0..4 {
                let texel = |dx: u32, dy: u32| {
                    let x = (x * 2 + dx).min(width - 1) as usize;
                    let y = (y * 2 + dy).min(height - 1) as usize;
                    rgba[(y * width as usize + x) * 4 + channel]
                };
                let four = [texel(0, 0), texel(1, 0), texel(0, 1), texel(1, 1)];
                let mean = if is_srgb && channel < 3 {
                    let sum: f32 = four.iter().map(|byte| light[usize::from(*byte)]).sum();
                    encoded(sum / 4.0) * 255.0
                } else {
                    four.iter().map(|byte| f32::from(*byte)).sum::<f32>() / 4.0
                };
                out.push((mean + 0.5) as u8);
            }
        }
    }
    out
}

/// Cache of samplers.
#[derive(Default)]
pub struct Samplers {
    made: HashMap<Sampler, wgpu::Sampler>,
}

impl Samplers {
    /// Returns the sampler for a texture use.
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
        // Mesa's software renderer iterates over every texel below a slanted pixel. That takes minutes per frame if a mesh
        // stretches its texture coordinates far.
        anisotropy_clamp: if is_smooth && !gpu.is_software() {
            gpu.means().anisotropy
        } else {
            1
        },
        ..Default::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(width: u32, height: u32, texel: impl Fn(u32, u32) -> [u8; 4]) -> Image {
        let at = |i| texel(i % width, i / width);
        Image {
            name: "bark".into(),
            width,
            height,
            rgba: (0..width * height).flat_map(at).collect(),
        }
    }

    /// Simulates a device that accepts images of up to `max_texels`.
    fn accepting_up_to(max_texels: u32) -> impl Fn((u32, u32), &[u8]) -> Option<Vec<u8>> {
        move |(w, h), rgba| {
            assert_eq!(rgba.len(), (w * h * 4) as usize);
            (w * h <= max_texels).then(|| rgba.to_vec())
        }
    }

    #[test]
    fn images_that_fit_are_unchanged_and_nothing_is_reported() {
        let image = image(4, 2, |x, y| [x as u8, y as u8, 7, 255]);
        let fitted = fit(&image, 4, true, accepting_up_to(8));
        assert_eq!(fitted.made.as_ref(), Some(&image.rgba));
        assert_eq!(fitted.lessened(&image, 4), None);
    }

    #[test]
    fn even_a_thin_image_is_halved_to_the_devices_limit() {
        let image = image(20, 2, |x, _| {
            if x < 10 {
                [200, 0, 0, 255]
            } else {
                [0, 0, 90, 128]
            }
        });
        let fitted = fit(&image, 8, true, accepting_up_to(100));
        assert_eq!(fitted.size, (5, 1));
        let [red, blue] = [[200, 0, 0, 255], [0, 0, 90, 128]];
        let made = fitted.made.as_ref().unwrap();
        assert_eq!(
            (&made[..8], &made[12..]),
            (&[red, red].concat()[..], &[blue, blue].concat()[..])
        );
        assert_eq!(
            fitted.lessened(&image, 8).unwrap(),
            "texture \"bark\" of 20 × 2 pixels is reduced to 5 × 1: the graphics device supports at most 8 per side"
        );
    }

    #[test]
    fn concatenated_images_are_halved_separately() {
        let mut two = image(2, 2, |x, _| [x as u8 * 100; 4]);
        two.rgba.extend([7; 16]);
        let taking_two = |(w, _): (u32, u32), rgba: &[u8]| (w == 1).then(|| rgba.to_vec());
        let fitted = fit(&two, 4, false, taking_two);
        assert_eq!(fitted.made.unwrap(), [[50; 4], [7; 4]].concat());
    }

    #[test]
    fn an_image_is_halved_until_memory_suffices() {
        let image = image(16, 16, |_, _| [10, 20, 30, 40]);
        let fitted = fit(&image, 8192, false, accepting_up_to(20));
        assert_eq!(fitted.size, (4, 4));
        assert_eq!(fitted.made.as_ref().unwrap(), &[10, 20, 30, 40].repeat(16));
        assert_eq!(
            fitted.lessened(&image, 8192).unwrap(),
            "texture \"bark\" of 16 × 16 pixels is reduced to 4 × 4: the graphics device has too little memory"
        );
        let none = fit(&image, 8192, false, accepting_up_to(0));
        assert_eq!((none.made.is_none(), none.size), (true, (1, 1)));
        assert_eq!(
            none.lessened(&image, 8192).unwrap(),
            "texture \"bark\" of 16 × 16 pixels is not drawn: the graphics device has too little memory"
        );
    }

    #[test]
    fn colours_are_averaged_in_linear_space_and_data_directly() {
        let board = image(
            2,
            2,
            |x, y| if (x + y) % 2 == 0 { [255; 4] } else { [0; 4] },
        );
        assert_eq!(halved((2, 2), &board.rgba, true), [188, 188, 188, 128]);
        assert_eq!(halved((2, 2), &board.rgba, false), [128; 4]);
    }
}
