use crate::picture_budget::{PictureAllowance, PictureBudget};
use std::f32::consts::PI;

use super::*;

fn allowance(bytes: &[u8]) -> PictureAllowance {
    PictureBudget::default().for_files(bytes.len() as u64)
}

fn radiance_file(width: usize, height: usize, color: impl Fn(usize, usize) -> [u8; 4]) -> Vec<u8> {
    let head = format!("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n");
    let mut bytes = head.into_bytes();
    for y in 0..height {
        for x in 0..width {
            bytes.extend(color(x, y));
        }
    }
    bytes
}

/// An environment of a few texels from an image.
fn small(bytes: &[u8]) -> Environment {
    Environment::of_cube(equirect::to_cube(
        &picture::read(bytes, allowance(bytes)).unwrap(),
        64,
    ))
}

/// A random direction, uniform over the sphere.
fn random_direction(state: &mut u64) -> Vec3 {
    let mut unit = || {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*state >> 40) as f32 / (1_u64 << 24) as f32
    };
    let (z, angle) = (2.0 * unit() - 1.0, 2.0 * PI * unit());
    let flat = (1.0 - z * z).max(0.0).sqrt();
    Vec3::new(flat * angle.cos(), flat * angle.sin(), z)
}

const AXES: [Vec3; 6] = [
    Vec3::X,
    Vec3::NEG_X,
    Vec3::Y,
    Vec3::NEG_Y,
    Vec3::Z,
    Vec3::NEG_Z,
];

#[test]
fn uniform_light_is_unchanged_on_every_side() {
    // 128, 64, 32 with an exponent of 129: 1, 0.5, 0.25, each times (1 + 0.5 / 128)-like rounding.
    let bytes = radiance_file(64, 32, |_, _| [128, 64, 32, 129]);
    let environment = Environment::from_slice("even.hdr", &bytes).unwrap();
    assert_eq!(
        (environment.size, environment.name.as_str()),
        (SIZE, "even")
    );
    let color = environment.faces[0];
    assert!(
        color.abs_diff_eq(Vec3::new(1.0, 0.5, 0.25), 0.01),
        "{color}"
    );
    assert!(environment.faces.iter().all(|c| c.abs_diff_eq(color, 1e-5)));
    let mut state = 1;
    for _ in 0..100 {
        let taken = irradiance(&environment.irradiance, random_direction(&mut state));
        assert!(taken.abs_diff_eq(color, 1e-3), "{taken}");
    }
}

#[test]
fn a_gradient_lights_like_a_sum_over_random_directions() {
    let sky = |d: Vec3| {
        let up = 0.5 + 0.5 * d.y;
        Vec3::new(0.2 + up, 0.3 + up * up, 1.0 + 0.5 * d.x)
    };
    let environment = Environment::from_fn(64, sky);
    for normal in AXES {
        let (mut sum, mut weights, mut state) = (glam::DVec3::ZERO, 0.0, 7);
        for _ in 0..400_000 {
            let d = random_direction(&mut state);
            let cosine = f64::from(d.dot(normal).max(0.0));
            sum += sky(d).as_dvec3() * cosine;
            weights += cosine;
        }
        let expected = (sum / weights).as_vec3();
        let taken = irradiance(&environment.irradiance, normal);
        let off = ((taken - expected) / expected).abs().max_element();
        assert!(off <= 0.01, "{normal}: {taken} for {expected}");
    }
}

#[test]
fn a_bright_spot_lands_on_the_face_in_its_direction() {
    // Longitude and latitude of +X −X +Y −Y +Z −Z, in eighths of the width and quarters of the height.
    let spots = [(6, 2), (2, 2), (4, 0), (4, 4), (0, 2), (4, 2)];
    for (face, (u, v)) in spots.into_iter().enumerate() {
        let (width, height) = (256, 128);
        let near = |x: usize, y: usize| {
            let dx = (x as f32 + 0.5 - u as f32 * 32.0).abs();
            let dx = dx.min(width as f32 - dx);
            let dy = (y as f32 + 0.5 - v as f32 * 32.0).abs();
            // Near a pole every longitude is near.
            (dx < 4.0 || v % 4 == 0) && dy < 4.0
        };
        let bytes = radiance_file(width, height, |x, y| {
            [if near(x, y) { 128 } else { 0 }, 0, 0, 129]
        });
        let environment = small(&bytes);
        let n = environment.size as usize;
        let middle = |face: usize| environment.faces[face * n * n + (n / 2) * n + n / 2].x;
        for other in 0..6 {
            assert_eq!(middle(other) > 0.5, other == face, "face {face}, {other}");
        }
    }
}

#[test]
fn faces_follow_the_vulkan_layout() {
    // Vulkan's table: the upper left corner of each face.
    let corners = [
        (1.0, 1.0, 1.0),
        (-1.0, 1.0, -1.0),
        (-1.0, 1.0, -1.0),
        (-1.0, -1.0, 1.0),
        (-1.0, 1.0, 1.0),
        (1.0, 1.0, -1.0),
    ];
    for (face, corner) in corners.into_iter().enumerate() {
        assert_eq!(direction(face, 0.0, 0.0, 4.0), Vec3::from(corner), "{face}");
        assert_eq!(direction(face, 2.0, 2.0, 4.0), AXES[face]);
    }
}

#[test]
fn shrinking_an_image_preserves_energy() {
    // One bright pixel among many, at several heights: the received light is its fraction of all directions.
    let (width, height) = (2048, 1024);
    for row in [60, 300, 512] {
        let bytes = radiance_file(width, height, |x, y| {
            let bright = x / 4 == 300 && y / 4 == row / 4;
            if bright { [128, 128, 128, 137] } else { [0; 4] }
        });
        let environment = small(&bytes);
        let latitude = PI * ((row / 4 * 4) as f32 + 2.0) / height as f32;
        let pixel = 2.0 * PI / width as f32 * (PI / height as f32) * latitude.sin();
        let expected = 257.0 * 16.0 * pixel / (4.0 * PI);
        let got = environment.irradiance[0].x * 0.282_094_8;
        assert!(
            (got / expected - 1.0).abs() < 0.02,
            "{row}: {got} for {expected}"
        );
    }
}

/// A KTX2 file with one level.
fn ktx(
    format: u32,
    size: (u32, u32),
    faces: u32,
    scheme: u32,
    data: &[u8],
    unpacked: usize,
) -> Vec<u8> {
    let dfd: Vec<u8> = {
        let mut words = vec![28_u32, 0, 2 | (24 << 16)];
        words.extend([1 | (1 << 8) | (1 << 16), 0, 0, 0]);
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    };
    let dfd_at = 80 + 24;
    let data_at = dfd_at + dfd.len();
    let mut bytes = ktx::MAGIC.to_vec();
    let words = [format, 4, size.0, size.1, 0, 0, faces, 1, scheme];
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let words = [dfd_at as u32, dfd.len() as u32, 0, 0];
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend([0; 16]);
    let words = [data_at as u64, data.len() as u64, unpacked as u64];
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(dfd);
    bytes.extend(data);
    bytes
}

fn half(bits: u16) -> [u8; 2] {
    bits.to_le_bytes()
}

#[test]
fn cube_maps_of_ktx2_keep_their_faces_and_formats() {
    // One colour for each face: 1 to 6.
    let halves = [0x3c00_u16, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600];
    let mut data = Vec::new();
    for bits in halves {
        for _ in 0..4 {
            data.extend([half(bits), half(0x3800), half(0xbc00), half(0x3c00)].concat());
        }
    }
    let packed =
        ruzstd::encoding::compress_to_vec(&data[..], ruzstd::encoding::CompressionLevel::Fastest);
    let plain = ktx(97, (2, 2), 6, 0, &data, data.len());
    let zstd = ktx(97, (2, 2), 6, 2, &packed, data.len());
    for bytes in [plain, zstd] {
        let environment = Environment::from_slice("cube.ktx2", &bytes).unwrap();
        assert_eq!(environment.size, 2);
        for (i, texel) in environment.faces.iter().enumerate() {
            // Negative values are clamped to 0.
            assert_eq!(*texel, Vec3::new((i / 4 + 1) as f32, 0.5, 0.0));
        }
    }
    let one = |format, pixel: &[u8]| {
        let data = pixel.repeat(6);
        let bytes = ktx(format, (1, 1), 6, 0, &data, data.len());
        Environment::from_slice("one.ktx2", &bytes).unwrap().faces[0]
    };
    let floats: Vec<u8> = [0.25_f32, 2.0, 3.5, 1.0]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    assert_eq!(one(109, &floats), Vec3::new(0.25, 2.0, 3.5));
    assert_eq!(one(106, &floats[..12]), Vec3::new(0.25, 2.0, 3.5));
    // 256, 128, 64 of 512, times 2.
    let shared = 256_u32 | 128 << 9 | 64 << 18 | 16 << 27;
    assert_eq!(one(123, &shared.to_le_bytes()), Vec3::new(1.0, 0.5, 0.25));
    // 1 and 1.5 with 6 bits, 2 with 5.
    let small = (15 << 6) | ((15 << 6 | 32) << 11) | (16_u32 << 5) << 22;
    assert_eq!(one(122, &small.to_le_bytes()), Vec3::new(1.0, 1.5, 2.0));
}

#[test]
fn an_equirectangular_ktx2_image_loads() {
    let pixel: Vec<u8> = [0.5_f32, 1.0, 2.0]
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let data = pixel.repeat(8 * 4);
    let bytes = ktx(106, (8, 4), 1, 0, &data, data.len());
    let environment = Environment::from_slice("around.ktx2", &bytes).unwrap();
    assert_eq!(environment.size, SIZE);
    let color = environment.faces[1000];
    assert!(color.abs_diff_eq(Vec3::new(0.5, 1.0, 2.0), 1e-5), "{color}");
}

#[test]
fn a_large_cube_map_is_halved_until_it_fits() {
    let mut cube = Cube::new(4);
    for (i, texel) in cube.faces.iter_mut().enumerate() {
        *texel = Vec3::splat((i % 4 / 2 + i / 16 * 10) as f32);
    }
    let half = cube.at_most(2);
    assert_eq!(half.size, 2);
    let values: Vec<f32> = half.faces.iter().map(|c| c.x).collect();
    assert_eq!(&values[..6], [0.0, 1.0, 0.0, 1.0, 10.0, 11.0]);
}

#[test]
fn pictures_of_8_bits_are_srgb() {
    let mut png = Vec::new();
    let image = image::RgbImage::from_pixel(8, 4, image::Rgb([255, 188, 0]));
    let to = &mut std::io::Cursor::new(&mut png);
    image.write_to(to, image::ImageFormat::Png).unwrap();
    let environment = Environment::from_slice("sky.png", &png).unwrap();
    let color = environment.faces[7];
    assert!(
        color.abs_diff_eq(Vec3::new(1.0, 0.502_886, 0.0), 1e-4),
        "{color}"
    );
}

#[test]
fn unusable_files_give_an_error_with_the_cause() {
    let why = |file: &str, bytes: &[u8]| {
        let error = Environment::from_slice(file, bytes)
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(&format!("{file}: ")), "{error}");
        error
    };
    assert!(why("a.hdr", b"").contains("the image format is not supported"));
    assert!(why("a.exr", &[0x76, 0x2f, 0x31, 0x01, 2]).contains("OpenEXR"));
    let square = radiance_file(8, 8, |_, _| [0; 4]);
    assert!(why("a.hdr", &square).contains("twice as wide"));
    let huge = radiance_file(0, 0, |_, _| [0; 4]);
    let huge = String::from_utf8(huge)
        .unwrap()
        .replace("-Y 0 +X 0", "-Y 40000 +X 80000");
    assert!(why("a.hdr", huge.as_bytes()).contains("the limit is 8192 × 4096"));
    let short = radiance_file(64, 32, |_, _| [9; 4]);
    why("a.hdr", &short[..1000]);
    let cube = ktx(97, (2, 2), 6, 0, &[0; 100], 192);
    assert!(why("a.ktx2", &cube).contains("ends after 100 of 192 bytes"));
    let basis = ktx(0, (2, 2), 6, 1, &[0; 100], 192);
    assert!(why("a.ktx2", &basis).contains("Basis"));
    let bytes = ktx(37, (2, 2), 6, 0, &[0; 96], 96);
    assert!(why("a.ktx2", &bytes).contains("format 37"));
    let large = ktx(97, (1 << 20, 1 << 20), 6, 0, &[0; 96], 96);
    assert!(why("a.ktx2", &large).contains("at most 2048"));
    let missing = Environment::load(Path::new("nowhere/sky.hdr")).unwrap_err();
    assert!(missing.to_string().contains("cannot be read"), "{missing}");
}

#[test]
fn a_file_with_any_byte_changed_or_cut_off_never_panics() {
    let data = [half(0x3c00); 4].concat().repeat(24);
    let packed =
        ruzstd::encoding::compress_to_vec(&data[..], ruzstd::encoding::CompressionLevel::Fastest);
    let files = [
        ktx(97, (2, 2), 6, 0, &data, data.len()),
        ktx(97, (2, 2), 6, 2, &packed, data.len()),
        radiance_file(8, 4, |x, y| [x as u8, y as u8, 3, 128]),
    ];
    let read = |bytes: &[u8]| {
        // The conversion to an environment is tested elsewhere; it takes long.
        let _ = ktx::read(bytes, allowance(bytes));
        let _ = picture::read(bytes, allowance(bytes));
    };
    for file in files {
        for i in 0..file.len() {
            read(&file[..i]);
            for value in [0, 1, 127, 128, 255, file[i] ^ 1] {
                let mut changed = file.clone();
                changed[i] = value;
                read(&changed);
            }
        }
    }
}

#[test]
fn a_halved_map_has_the_mean_of_four_texels_and_the_same_light() {
    let whole = Environment::from_fn(8, |d| d.abs());
    let half = whole.at_most(5);
    assert_eq!((half.size, half.faces.len()), (4, 6 * 16));
    assert_eq!(half.irradiance, whole.irradiance);
    let mean = [0, 1, 8, 9].iter().map(|i| whole.faces[*i]).sum::<Vec3>() / 4.0;
    assert_eq!(half.faces[0], mean);
    assert_eq!(whole.at_most(8), whole);
}
