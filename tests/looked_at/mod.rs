//! Pictures that were looked at, in `tests/golden`, and what is drawn now beside them.

use std::path::Path;

use galatea::app::png::pixels;
use galatea::render::{Gpu, Picture, SAME_PICTURE, difference};

/// True where the pictures can be compared: with the software Vulkan driver, which CI has. Another driver
/// rounds differently; its pictures are judged by eye.
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

/// Says how a picture is otherwise than the one of this name that was looked at, and where it was written.
/// With `GALATEA_BLESS` it takes the other's place first.
pub fn compare(name: &str, picture: &Picture) -> Result<(), String> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let golden = home.join(format!("tests/golden/{name}.png"));
    let (width, height, now) = (picture.width, picture.height, pixels(picture, false));
    let save = |path: &Path| {
        image::save_buffer(path, &now, width, height, image::ColorType::Rgb8).unwrap();
    };
    if std::env::var_os("GALATEA_BLESS").is_some() {
        save(&golden);
    }
    let then = image::open(&golden)
        .unwrap_or_else(|error| panic!("{name}: {error}; run ./x bless"))
        .to_rgba8();
    assert_eq!((then.width(), then.height()), (width, height), "{name}");
    let then = Picture {
        width,
        height,
        rgba: then.into_raw(),
    };
    let error = difference(&then, picture).expect("one size").mean;
    if error <= SAME_PICTURE {
        return Ok(());
    }
    let got = std::env::temp_dir().join(format!("galatea-{name}.png"));
    save(&got);
    let got = got.display();
    Err(format!("{name}: FLIP {error:.4}; drawn now: {got}"))
}
