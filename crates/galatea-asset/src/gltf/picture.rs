//! Images: fetched one after the other, decoded on all cores. A broken image is replaced; the model still loads.

use std::io::Cursor;

use glam::Vec3;
use image::{ColorType, ImageDecoder, ImageReader, Limits};
use rayon::prelude::*;

use super::accessor::GltfSource;
use super::error::call;
use super::external::{External, SharedBytes, shorten};
use super::material::{Materials, TextureSource};
use crate::model::{Image, Material, TextureRef};
use crate::picture_budget::{EncodedSize, PictureAllowance, PictureBudget};

/// Scratch memory that a decoder may use in addition to its image, bytes.
const SCRATCH: u64 = 64 << 20;

/// Loads the images that materials use and removes broken ones from the materials.
pub fn load(
    source: &GltfSource,
    external: &mut External<'_>,
    materials: &mut Materials,
    budget: PictureBudget,
) -> Vec<Image> {
    let fetched: Vec<_> = materials
        .wanted
        .iter()
        .map(|&wanted| {
            let index = match wanted {
                TextureSource::Image(index) | TextureSource::Roughness(index, _) => index,
                TextureSource::File(index) => {
                    let name = materials.files[index].clone();
                    let fetched = external.fetch(&name).map(Encoded::File);
                    return (name, Some(fetched));
                }
                TextureSource::StandIn => return (String::new(), None),
            };
            let json = &source.document.images[index];
            let name = match (&json.name, &json.uri) {
                (Some(name), _) if !name.is_empty() => name.clone(),
                (_, Some(uri)) if !uri.starts_with("data:") => uri.clone(),
                _ => String::new(),
            };
            (name, Some(fetch(source, external, index)))
        })
        .collect();
    let mut allowance = budget.for_files(external.total_bytes() as u64);
    let fetched: Vec<_> = fetched
        .into_iter()
        .map(|(name, bytes)| (name, bytes.map(|bytes| fitting(bytes?, &mut allowance))))
        .collect();
    let decoded: Vec<(String, Option<Result<Image, String>>)> = fetched
        .into_par_iter()
        .zip(&materials.wanted)
        .map(|((name, bytes), wanted)| {
            let image = bytes.map(|bytes| {
                let mut image = decode(bytes?.bytes(), &name)?;
                if let TextureSource::Roughness(_, glossiness) = *wanted {
                    glossiness_to_roughness(&mut image, f32::from_bits(glossiness));
                }
                Ok(image)
            });
            (name, image)
        })
        .collect();

    let mut images = Vec::with_capacity(decoded.len());
    for (i, (name, image)) in decoded.into_iter().enumerate() {
        match image {
            Some(Ok(image)) => images.push(image),
            failed => {
                if let Some(Err(cause)) = failed {
                    let index = match materials.wanted.get(i) {
                        Some(TextureSource::Image(index) | TextureSource::Roughness(index, _)) => {
                            *index
                        }
                        _ => i,
                    };
                    let called = call("picture", Some(&shorten(&name)), index);
                    source.warnings.add(format!(
                        "{called} cannot be used: {cause}; a magenta image is used"
                    ));
                }
                images.push(placeholder(name));
                for material in &mut materials.list {
                    remove_image(material, i);
                }
            }
        }
    }
    images
}

/// Encoded bytes in their original storage; several images may share them.
enum Encoded<'a> {
    View(&'a [u8]),
    File(SharedBytes),
}

impl Encoded<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::View(bytes) => bytes,
            Self::File(bytes) => bytes,
        }
    }
}

/// Fetches the encoded bytes.
fn fetch<'a>(
    source: &GltfSource<'a>,
    external: &mut External<'_>,
    index: usize,
) -> Result<Encoded<'a>, String> {
    let json = &source.document.images[index];
    match (json.buffer_view, &json.uri) {
        (Some(view), _) => {
            let view = source.buffers.view(source.document, view)?;
            Ok(Encoded::View(view.bytes))
        }
        (None, Some(uri)) => {
            let file = external.fetch(uri);
            file.map(Encoded::File)
                .map_err(|cause| format!("`{}`: {cause}", shorten(uri)))
        }
        (None, None) => Err("it has neither a buffer view nor a file name".into()),
    }
}

/// Returns the same bytes if the budget suffices for the image.
fn fitting<'a>(
    bytes: Encoded<'a>,
    allowance: &mut PictureAllowance,
) -> Result<Encoded<'a>, String> {
    allowance.take(size(bytes.bytes())?)?;
    Ok(bytes)
}

/// Size of an image, from its header.
fn size(bytes: &[u8]) -> Result<EncodedSize, String> {
    let decoder = reader(bytes, SCRATCH)?.into_decoder();
    let decoder = decoder.map_err(|error| error.to_string())?;
    let (width, height) = decoder.dimensions();
    let color = decoder.color_type();
    Ok(EncodedSize {
        width,
        height,
        resident: 4,
        // Other colour types are converted into a copy.
        scratch: match color {
            ColorType::Rgba8 => 0,
            other => other.bytes_per_pixel().into(),
        },
    })
}

fn reader(bytes: &[u8], max_alloc: u64) -> Result<ImageReader<Cursor<&[u8]>>, String> {
    let mut reader = ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|error| error.to_string())?;
    if reader.format().is_none() {
        return Err("it is not a PNG, JPEG or WebP image".into());
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(max_alloc);
    reader.limits(limits);
    Ok(reader)
}

fn decode(bytes: &[u8], name: &str) -> Result<Image, String> {
    let size = size(bytes)?;
    let pixels = u64::from(size.width) * u64::from(size.height);
    let rgba = reader(bytes, pixels * (size.resident + size.scratch) + SCRATCH)?
        .decode()
        .map_err(|error| error.to_string())?
        .into_rgba8();
    Ok(Image {
        name: name.to_owned(),
        width: rgba.width(),
        height: rgba.height(),
        rgba: rgba.into_raw(),
    })
}

/// Converts glossiness in A to roughness in G: 1 − value × `glossiness`.
fn glossiness_to_roughness(image: &mut Image, glossiness: f32) {
    for pixel in image.rgba.chunks_exact_mut(4) {
        let gloss = f32::from(pixel[3]) / 255.0 * glossiness;
        pixel.copy_from_slice(&[255, ((1.0 - gloss) * 255.0).round() as u8, 255, 255]);
    }
}

/// Placeholder: two by two pixels of magenta and grey.
fn placeholder(name: String) -> Image {
    let (magenta, grey) = ([255, 0, 255, 255], [128, 128, 128, 255]);
    Image {
        name,
        width: 2,
        height: 2,
        rgba: [magenta, grey, grey, magenta].concat(),
    }
}

/// Removes an image from a material. Only a base colour gets the visible placeholder; in other slots it would do harm.
fn remove_image(material: &mut Material, image: usize) {
    let take = |texture: &mut Option<TextureRef>| {
        let is_broken = texture.is_some_and(|texture| texture.image == image);
        if is_broken {
            *texture = None;
        }
        is_broken
    };
    take(&mut material.normal_texture);
    take(&mut material.occlusion_texture);
    if take(&mut material.metallic_roughness_texture) {
        material.metallic = 0.0;
    }
    if take(&mut material.emissive_texture) {
        material.emissive_factor = Vec3::ZERO;
    }
    take(&mut material.specular.texture);
    take(&mut material.specular.color_texture);
    let coat = &mut material.clearcoat;
    take(&mut coat.roughness_texture);
    take(&mut coat.normal_texture);
    if take(&mut coat.texture) {
        coat.factor = 0.0;
    }
    take(&mut material.sheen.roughness_texture);
    if take(&mut material.sheen.color_texture) {
        material.sheen.color = Vec3::ZERO;
    }
    take(&mut material.transmission.thickness_texture);
    if take(&mut material.transmission.texture) {
        material.transmission.factor = 0.0;
    }
    if let Some(wrinkles) = &mut material.wrinkles {
        wrinkles.remove_image(image);
    }
    if let Some(toon) = &mut material.toon {
        for texture in [
            &mut toon.shade_texture,
            &mut toon.shading_shift_texture,
            &mut toon.matcap_texture,
            &mut toon.rim_texture,
            &mut toon.outline.width_texture,
            &mut toon.uv_animation.mask_texture,
        ] {
            take(texture);
        }
    }
}
