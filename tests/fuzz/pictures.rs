//! Images: as user interface, textures, height maps and environment maps.

use galatea::asset::Environment;
use galatea::asset::gltf;
use galatea::asset::picture;
use image::{DynamicImage, ImageFormat, Rgba, RgbaImage};
use serde_json::json;

use crate::folder::Folder;
use crate::mutate::{self, InputFormat};
use crate::target::Target;

pub const TARGETS: &[Target] = &[
    Target::new("png", InputFormat::Bytes, 100)
        .seeds(|| vec![encoded(ImageFormat::Png), sixteen_bits()])
        .mend(mend_png)
        .run(read),
    Target::new("jpeg", InputFormat::Bytes, 100)
        .seeds(|| vec![encoded(ImageFormat::Jpeg)])
        .run(read),
    Target::new("webp", InputFormat::Bytes, 100)
        .seeds(|| vec![encoded(ImageFormat::WebP)])
        .run(read),
    Target::new("hdr", InputFormat::Bytes, 60)
        .seeds(|| vec![include_bytes!("../sky.hdr").to_vec()])
        .run(read_environment),
    Target::new("ktx2", InputFormat::Bytes, 60)
        .seeds(|| vec![ktx(97, 0), ktx(109, 0), ktx(97, 2)])
        .run(read_environment),
    Target::new("dds", InputFormat::Bytes, 60)
        .seeds(|| vec![dds(b"DXT1"), dds(b"DXT5"), dds(&[0; 4])])
        .run(read_texture),
];

fn small() -> RgbaImage {
    RgbaImage::from_fn(24, 12, |x, y| {
        Rgba([x as u8 * 10, y as u8 * 20, 128, 255 - x as u8])
    })
}

fn written(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    image.write_to(&mut out, format).unwrap();
    out.into_inner()
}

fn encoded(format: ImageFormat) -> Vec<u8> {
    let image = DynamicImage::from(small());
    match format {
        ImageFormat::Jpeg => written(&image.to_rgb8().into(), format),
        _ => written(&image, format),
    }
}

fn sixteen_bits() -> Vec<u8> {
    written(
        &DynamicImage::from(small()).to_luma16().into(),
        ImageFormat::Png,
    )
}

/// The checksum of PNG and zip (ISO 3309).
pub fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

/// Corrects the checksum of each chunk of a PNG.
fn mend_png(bytes: &mut [u8]) {
    let mut at = 8;
    while let Some(head) = bytes.get(at..at + 4) {
        let length = head.iter().fold(0, |n, byte| n << 8 | usize::from(*byte));
        let end = at + 8 + length;
        if end + 4 > bytes.len() {
            return;
        }
        let sum = crc(&bytes[at + 4..end]).to_be_bytes();
        bytes[end..end + 4].copy_from_slice(&sum);
        at = end + 4;
    }
}

fn read(bytes: &[u8]) {
    let folder = Folder::new("fuzz-picture");
    folder.write("a.png", bytes);
    // Refused or read: both are fine.
    let _ = picture::load(&folder.0.join("a.png"));
    let _ = picture::Relief::load(&folder.0.join("a.png"));
    read_environment(bytes);
    read_texture(bytes);
}

fn read_environment(bytes: &[u8]) {
    if let Ok(environment) = Environment::from_slice("fuzz", bytes) {
        assert!(environment.faces.iter().all(|texel| texel.is_finite()));
    }
}

/// Reads it as a texture of models of two formats.
fn read_texture(bytes: &[u8]) {
    galatea::install();
    let material = json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } });
    let document = json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0] }], "nodes": [{ "name": "a" }],
        "buffers": [{ "byteLength": bytes.len() }], "bufferViews": [{ "buffer": 0, "byteLength": bytes.len() }],
        "images": [{ "bufferView": 0, "mimeType": "image/png" }], "textures": [{ "source": 0 }], "materials": [material],
    });
    let file = mutate::glb(document.to_string().as_bytes(), bytes);
    let _ = gltf::load_slice("a.glb", &file, &mut |_| Err("no such file".into()));
    let obj = b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n";
    for extension in ["png", "tga", "bmp", "dds"] {
        let mut files = |name: &str| match name {
            "a.mtl" => Ok(format!("newmtl a\nmap_Kd a.{extension}\n").into_bytes()),
            _ => Ok(bytes.to_vec()),
        };
        let _ = gltf::load_slice("a.obj", obj, &mut files);
    }
}

/// A cube map of 2 pixels a side, in a format of Vulkan (97: 16-bit floats, 109: 32-bit floats).
fn ktx(format: u32, packing: u32) -> Vec<u8> {
    let pixel = if format == 97 { 8 } else { 16 };
    let mut data = vec![0x3c; 6 * 4 * pixel];
    let n = data.len() as u64;
    if packing == 2 {
        data = zstd::encode_all(data.as_slice(), 1).unwrap();
    }
    let mut out = b"\xABKTX 20\xBB\r\n\x1A\n".to_vec();
    let size = if format == 97 { 2 } else { 4 };
    for word in [format, size, 2, 2, 0, 0, 6, 1, packing] {
        out.extend(word.to_le_bytes());
    }
    // Descriptors and key values, which are not read.
    out.extend([0; 32]);
    for word in [104, data.len() as u64, n] {
        out.extend(word.to_le_bytes());
    }
    out.extend(data);
    out
}

/// An image of 4 by 4 pixels, compressed by a code or not.
fn dds(code: &[u8; 4]) -> Vec<u8> {
    let mut words = [0u32; 31];
    (words[0], words[1], words[2], words[3]) = (124, 0x1007, 4, 4);
    (words[18], words[19]) = (32, if code[0] == 0 { 0x41 } else { 4 });
    words[20] = u32::from_le_bytes(*code);
    if code[0] == 0 {
        (words[21], words[22], words[23], words[24], words[25]) =
            (32, 0xff_0000, 0xff00, 0xff, 0xff00_0000);
    }
    words[26] = 0x1000;
    let mut out = b"DDS ".to_vec();
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    out.extend([0x5a; 64]);
    out
}
