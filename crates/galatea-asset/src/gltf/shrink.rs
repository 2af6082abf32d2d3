//! Lossless compression of binary glTF files. PNG images become lossless WebP (EXT_texture_webp), accessor data is packed by
//! meshopt (KHR_meshopt_compression). The loaded model stays bit-identical.
//!
//! Caller: `bundle`, which compresses the whole file again; a part is replaced only if it is smaller after that.

use std::collections::BTreeMap;
use std::io::Cursor;

use image::codecs::webp::WebPEncoder;
use image::{DynamicImage, ExtendedColorType, ImageFormat, ImageReader};
use meshopt::{encode_index_sequence, encode_vertex_buffer};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::container;
use super::error::{LoadFault, Warnings};
use crate::glb::{self, Buffer, U16, U32};
use crate::pack;

/// Parts below this size are not compressed, bytes.
const MIN_PART_BYTES: usize = 256;
/// Compression level for the comparison of part sizes, as in a pack.
const LEVEL: i32 = 6;
const MESHOPT: &str = "KHR_meshopt_compression";
const WEBP: &str = "EXT_texture_webp";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Element type of a view's accessors.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ViewUse {
    /// Elements of this size in bytes.
    Elements(usize),
    /// Indices of 2 or 4 bytes.
    Indices(usize),
    /// Accessors with different element sizes.
    Mixed,
}

/// Result for one part of the file.
enum ShrunkPart {
    AsItIs,
    /// Packed bytes, with the fields of the extension except the location.
    Packed(Vec<u8>, Value),
    Picture(Vec<u8>),
}

/// Compresses a GLB; `None` if nothing gets smaller, if it is not a GLB, or if it is already compressed.
///
/// # Errors
/// As for loading.
pub fn shrink(bytes: &[u8]) -> Result<Option<Vec<u8>>, LoadFault> {
    let (mut document, bin) = container::raw(bytes, &Warnings::default())?;
    let views = list(&document, "bufferViews");
    let is_packed = list(&document, "buffers").len() != 1
        || views.iter().any(|view| view.get("extensions").is_some());
    let Some(bin) = bin.filter(|_| bytes.starts_with(b"glTF") && !is_packed) else {
        return Ok(None);
    };
    let (reads, pictures) = (reads(&document), pictures(&document));
    let owned: Option<Vec<&[u8]>> = views.iter().map(|view| own(view, &bin)).collect();
    // A view outside its buffer is reported by the loader.
    let Some(owned) = owned else { return Ok(None) };
    let parts: Vec<ShrunkPart> = owned
        .par_iter()
        .enumerate()
        .map(|(i, own)| {
            let part = match reads.get(&i) {
                Some(_) if own.len() < MIN_PART_BYTES => None,
                Some(read) => packed(own, *read),
                None if pictures.contains(&i) => webp(own).map(ShrunkPart::Picture),
                None => None,
            };
            part.unwrap_or(ShrunkPart::AsItIs)
        })
        .collect();
    if parts.iter().all(|part| matches!(part, ShrunkPart::AsItIs)) {
        return Ok(None);
    }
    let mut buffer = Buffer::default();
    let mut unpacked = 0;
    for ((mut view, own), part) in views.into_iter().zip(owned).zip(&parts) {
        let at = buffer.bytes.len();
        let mut length = None;
        match part {
            ShrunkPart::AsItIs => buffer.bytes.extend(own),
            ShrunkPart::Picture(webp) => {
                buffer.bytes.extend(webp);
                length = Some(webp.len());
            }
            ShrunkPart::Packed(packed, description) => {
                buffer.bytes.extend(packed);
                view["extensions"][MESHOPT] = description.clone();
                view["extensions"][MESHOPT]["byteOffset"] = json!(at);
            }
        }
        buffer
            .bytes
            .resize(buffer.bytes.len().next_multiple_of(4), 0);
        if matches!(part, ShrunkPart::Packed(..)) {
            // Location after unpacking, in a fallback buffer that is not stored.
            view["buffer"] = json!(1);
            view["byteOffset"] = json!(unpacked);
            unpacked += own.len().next_multiple_of(4);
        } else {
            view["byteOffset"] = json!(at);
        }
        if let Some(length) = length {
            view["byteLength"] = json!(length);
        }
        buffer.views.push(view);
    }
    describe(&mut document, &parts, buffer.bytes.len(), unpacked);
    document["bufferViews"] = Value::Array(std::mem::take(&mut buffer.views));
    Ok(Some(glb::container(&document, &buffer)))
}

fn list(document: &Value, name: &str) -> Vec<Value> {
    let list = document.get(name).and_then(Value::as_array);
    list.cloned().unwrap_or_default()
}

fn number(value: &Value, name: &str) -> Option<usize> {
    usize::try_from(value.get(name)?.as_u64()?).ok()
}

/// Bytes of a view.
fn own<'a>(view: &Value, bin: &'a [u8]) -> Option<&'a [u8]> {
    let from = number(view, "byteOffset").unwrap_or(0);
    bin.get(from..from.checked_add(number(view, "byteLength")?)?)
}

/// Size of an accessor's element (§3.6.2.2) without padding, bytes.
fn element(accessor: &Value) -> Option<usize> {
    let component = match number(accessor, "componentType")? {
        5120 | 5121 => 1,
        5122 | 5123 => 2,
        5125 | 5126 => 4,
        _ => return None,
    };
    let n = match accessor.get("type")?.as_str()? {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" => 4,
        // Columns of bytes are padded.
        "MAT2" if component > 1 => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    };
    Some(component * n)
}

/// Element type of each view.
fn reads(document: &Value) -> BTreeMap<usize, ViewUse> {
    let accessors = list(document, "accessors");
    let views = list(document, "bufferViews");
    let meshes = list(document, "meshes");
    let primitives = meshes.iter().flat_map(|mesh| list(mesh, "primitives"));
    let indices: Vec<usize> = primitives
        .filter_map(|primitive| number(&primitive, "indices"))
        .collect();
    let mut found = BTreeMap::new();
    let mut add = |view: Option<usize>, read: Option<ViewUse>| {
        if let (Some(view), read) = (view, read.unwrap_or(ViewUse::Mixed)) {
            let all = found.entry(view).or_insert(read);
            if *all != read {
                *all = ViewUse::Mixed;
            }
        }
    };
    for (i, accessor) in accessors.iter().enumerate() {
        let size = element(accessor);
        let view = number(accessor, "bufferView");
        let stride = view.and_then(|view| number(views.get(view)?, "byteStride"));
        let read = match size {
            Some(size @ (2 | 4)) if indices.contains(&i) => Some(ViewUse::Indices(size)),
            size => stride.or(size).map(ViewUse::Elements),
        };
        add(view, read);
        let Some(sparse) = accessor.get("sparse") else {
            continue;
        };
        let part = |name: &str| sparse.get(name).unwrap_or(&Value::Null);
        let read = match number(part("indices"), "componentType").map(|kind| kind as u32) {
            Some(U16) => Some(ViewUse::Indices(2)),
            Some(U32) => Some(ViewUse::Indices(4)),
            _ => None,
        };
        add(number(part("indices"), "bufferView"), read);
        add(
            number(part("values"), "bufferView"),
            size.map(ViewUse::Elements),
        );
    }
    found
}

/// Views of images.
fn pictures(document: &Value) -> Vec<usize> {
    let images = list(document, "images");
    images
        .iter()
        .filter_map(|image| number(image, "bufferView"))
        .collect()
}

/// Packs a view of equal elements if that makes it smaller.
fn packed(own: &[u8], read: ViewUse) -> Option<ShrunkPart> {
    let (bytes, stride, mode) = match read {
        ViewUse::Elements(stride) => (elements(own, stride)?, stride, "ATTRIBUTES"),
        ViewUse::Indices(stride) if own.len().is_multiple_of(stride) => {
            let words = own.chunks_exact(stride);
            let word = |word: &[u8]| match *word {
                [a, b] => u32::from(u16::from_le_bytes([a, b])),
                [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
                _ => 0,
            };
            let indices: Vec<u32> = words.map(word).collect();
            let n = indices.iter().max().map_or(0, |most| *most as usize + 1);
            (encode_index_sequence(&indices, n).ok()?, stride, "INDICES")
        }
        ViewUse::Indices(_) | ViewUse::Mixed => return None,
    };
    let size = |bytes: &[u8]| pack::deflated(bytes, LEVEL).map_or(bytes.len(), |bytes| bytes.len());
    let description = json!({
        "buffer": 0, "byteLength": bytes.len(), "byteStride": stride,
        "count": own.len() / stride, "mode": mode,
    });
    (size(&bytes) < size(own)).then_some(ShrunkPart::Packed(bytes, description))
}

/// Packs elements; `None` if they are larger than in any usual model or do not fill the view.
fn elements(own: &[u8], stride: usize) -> Option<Vec<u8>> {
    macro_rules! packed {
        ($($n:literal)*) => {
            match stride {
                $($n => encode_vertex_buffer(own.as_chunks::<$n>().0).ok(),)*
                _ => None,
            }
        };
    }
    let fits = stride > 0 && own.len().is_multiple_of(stride);
    fits.then(|| packed!(4 8 12 16 20 24 28 32 36 40 44 48 52 56 60 64 68 72 76 80 84 88 92 96))
        .flatten()
}

/// Converts a PNG image to lossless WebP if that is smaller and keeps the bit depth.
fn webp(png: &[u8]) -> Option<Vec<u8>> {
    if !png.starts_with(PNG) {
        return None;
    }
    let reader = ImageReader::with_format(Cursor::new(png), ImageFormat::Png);
    let (pixels, width, height, color) = match reader.decode().ok()? {
        DynamicImage::ImageLuma8(it) => {
            (it.to_vec(), it.width(), it.height(), ExtendedColorType::L8)
        }
        DynamicImage::ImageLumaA8(it) => {
            (it.to_vec(), it.width(), it.height(), ExtendedColorType::La8)
        }
        DynamicImage::ImageRgb8(it) => (
            it.to_vec(),
            it.width(),
            it.height(),
            ExtendedColorType::Rgb8,
        ),
        DynamicImage::ImageRgba8(it) => (
            it.to_vec(),
            it.width(),
            it.height(),
            ExtendedColorType::Rgba8,
        ),
        _ => return None,
    };
    let mut out = Vec::new();
    let encoder = WebPEncoder::new_lossless(&mut out);
    encoder.encode(&pixels, width, height, color).ok()?;
    (out.len() < png.len()).then_some(out)
}

/// Updates the document for the compressed buffer and images.
fn describe(document: &mut Value, parts: &[ShrunkPart], length: usize, unpacked: usize) {
    let mut buffers = vec![json!({"byteLength": length})];
    if unpacked > 0 {
        let fallback = json!({MESHOPT: {"fallback": true}});
        buffers.push(json!({"byteLength": unpacked, "extensions": fallback}));
        require(document, MESHOPT);
    }
    document["buffers"] = Value::Array(buffers);
    let mut is_webp = Vec::new();
    let images = document.get_mut("images").and_then(Value::as_array_mut);
    for image in images.into_iter().flatten() {
        let part = number(image, "bufferView").and_then(|view| parts.get(view));
        let changed = matches!(part, Some(ShrunkPart::Picture(_)));
        if changed {
            image["mimeType"] = json!("image/webp");
        }
        is_webp.push(changed);
    }
    let textures = document.get_mut("textures").and_then(Value::as_array_mut);
    for texture in textures
        .into_iter()
        .flatten()
        .filter_map(Value::as_object_mut)
    {
        let source = texture.get("source").and_then(Value::as_u64);
        let source = source.filter(|source| is_webp.get(*source as usize) == Some(&true));
        let Some(source) = source else { continue };
        let extensions = texture.entry("extensions").or_insert_with(|| json!({}));
        if let Some(extensions) = extensions.as_object_mut() {
            // A texture with a WebP image uses that, and its fallback is removed.
            let own = extensions.entry(WEBP);
            own.or_insert_with(|| json!({"source": source}));
            texture.remove("source");
        }
    }
    if is_webp.contains(&true) {
        require(document, WEBP);
    }
}

fn require(document: &mut Value, extension: &str) {
    for name in ["extensionsUsed", "extensionsRequired"] {
        let mut all = list(document, name);
        if !all.iter().any(|known| known == extension) {
            all.push(json!(extension));
        }
        document[name] = Value::Array(all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textures_refer_to_webp_images_and_existing_webp_images_stay() {
        let pixels = image::RgbImage::from_fn(64, 64, |x, y| image::Rgb([x as u8, y as u8, 7]));
        let mut png = Vec::new();
        let to = &mut Cursor::new(&mut png);
        pixels.write_to(to, ImageFormat::Png).unwrap();
        let mut buffer = Buffer::default();
        let images: Vec<Value> = (0..2)
            .map(|_| json!({"bufferView": buffer.view(&png), "mimeType": "image/png"}))
            .collect();
        let document = json!({
            "asset": {"version": "2.0"}, "images": images,
            "buffers": [{"byteLength": buffer.bytes.len()}], "bufferViews": buffer.views,
            "textures": [
                {"source": 0},
                {"source": 0, "extensions": {WEBP: {"source": 1}}},
                {"source": 0, "extensions": 5},
            ],
        });
        let glb = glb::container(&document, &buffer);
        let less = shrink(&glb).unwrap().expect("it is smaller");
        let (less, _) = container::raw(&less, &Warnings::default()).unwrap();
        let webp = |source: u32| json!({"extensions": {WEBP: {"source": source}}});
        let expected = [webp(0), webp(1), json!({"source": 0, "extensions": 5})];
        assert_eq!(less["textures"], json!(expected));
        assert_eq!(less["extensionsRequired"], json!([WEBP]));
        assert_eq!(less["images"][1]["mimeType"], "image/webp");
    }
}
