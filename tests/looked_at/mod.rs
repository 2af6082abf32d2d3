//! Reference pictures in `tests/golden` that were checked by eye, and comparison with new ones.
#![allow(dead_code, reason = "each test file uses a part")]

use std::path::Path;

use galatea::app::png::pixels;
use galatea::render::{Gpu, Picture, SAME_PICTURE, difference};

/// Returns true if pictures can be compared: with the software Vulkan driver, which CI has. Other drivers round
/// differently; their pictures are checked by eye.
pub fn can_compare() -> bool {
    if Gpu::headless().is_ok_and(|gpu| gpu.is_software()) {
        return true;
    }
    assert!(
        std::env::var_os("GALATEA_REQUIRE_ALL").is_none() || std::env::var_os("CI").is_none(),
        "the software Vulkan driver is required"
    );
    eprintln!("skipped: the golden pictures are for the software Vulkan driver");
    false
}

/// The reference picture with this name and the size of `picture`. With `GALATEA_BLESS`, `picture` replaces it first.
fn known(name: &str, picture: &Picture) -> Picture {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let golden = home.join(format!("tests/golden/{name}.png"));
    let size = (picture.width, picture.height);
    if std::env::var_os("GALATEA_BLESS").is_some() {
        save(&golden, picture);
    }
    let then = image::open(&golden)
        .unwrap_or_else(|error| panic!("{name}: {error}; run ./x bless"))
        .to_rgba8();
    assert_eq!((then.width(), then.height()), size, "{name}; run ./x bless");
    Picture {
        width: size.0,
        height: size.1,
        rgba: then.into_raw(),
    }
}

fn save(path: &Path, picture: &Picture) {
    let rgb = pixels(picture, false);
    image::save_buffer(
        path,
        &rgb,
        picture.width,
        picture.height,
        image::ColorType::Rgb8,
    )
    .unwrap();
}

/// Compares a picture with the reference of this name. The error describes the difference and the path of the written
/// picture. With `GALATEA_BLESS`, the picture replaces the reference first.
pub fn compare(name: &str, picture: &Picture) -> Result<(), String> {
    let error = difference(&known(name, picture), picture)
        .expect("one size")
        .mean;
    if error <= SAME_PICTURE {
        return Ok(());
    }
    let got = std::env::temp_dir().join(format!("galatea-{name}.png"));
    save(&got, picture);
    let got = got.display();
    Err(format!("{name}: FLIP {error:.4}; drawn now: {got}"))
}

/// The pictures on the reference sheet of this name, each at the position of one of `pictures`. With `GALATEA_BLESS`,
/// `pictures` replace the sheet first.
pub fn known_sheet(name: &str, pictures: &[Picture], columns: u32) -> Vec<Picture> {
    let sheet = known(name, &side_by_side(pictures, columns));
    let (w, h) = (pictures[0].width, pictures[0].height);
    let cut = |i: u32| {
        let corner = (i / columns * h) * sheet.width + i % columns * w;
        let line = |y: u32| {
            let at = ((corner + y * sheet.width) * 4) as usize;
            &sheet.rgba[at..at + w as usize * 4]
        };
        Picture {
            width: w,
            height: h,
            rgba: (0..h).flat_map(line).copied().collect(),
        }
    };
    (0..pictures.len() as u32).map(cut).collect()
}

/// Pictures of one size side by side.
pub fn side_by_side(pictures: &[Picture], columns: u32) -> Picture {
    let (w, h) = (pictures[0].width, pictures[0].height);
    let rows = (pictures.len() as u32).div_ceil(columns);
    let (width, height) = (w * columns, h * rows);
    let mut rgba = vec![0; (width * height * 4) as usize];
    for (i, picture) in (0..).zip(pictures) {
        let corner = ((i / columns * h) * width + i % columns * w) * 4;
        for (y, line) in (0..).zip(picture.rgba.chunks_exact(w as usize * 4)) {
            let at = (corner + y * width * 4) as usize;
            rgba[at..at + line.len()].copy_from_slice(line);
        }
    }
    Picture {
        width,
        height,
        rgba,
    }
}
