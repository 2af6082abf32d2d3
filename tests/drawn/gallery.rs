//! The scenes of the gallery load and draw. Small and plain here; `galatea gallery` draws the real ones.

use std::path::Path;

use galatea::app::gallery::{self, GalleryImage};
use galatea::app::headless::HeadlessCamera;
use galatea::app::sheet::PixelSize;
use galatea::render::Picture;
use galatea::stage::frame::Quality;
use galatea::studio::StudioOptions;

use crate::driver::gpu;

/// Height of the test pictures, pixels.
const HIGH: u32 = 72;

fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn small(entry: &GalleryImage, camera: &mut Option<HeadlessCamera>) -> Picture {
    let PixelSize(width, height) = entry.size().unwrap();
    let wishes = StudioOptions {
        quality: Some(Quality::Low),
        ..StudioOptions::default()
    };
    entry
        .draw(
            home(),
            Some(PixelSize(width * HIGH / height, HIGH)),
            wishes,
            camera,
        )
        .unwrap_or_else(|error| panic!("{}: {error}", entry.name))
}

/// Mean and standard deviation of the green channel, 0 to 255.
fn spread(picture: &Picture) -> (f32, f32) {
    let greens = || {
        picture
            .rgba
            .chunks_exact(4)
            .map(|texel| f32::from(texel[1]))
    };
    let n = greens().count() as f32;
    let mean = greens().sum::<f32>() / n;
    let variance = greens().map(|g| (g - mean).powi(2)).sum::<f32>() / n;
    (mean, variance.sqrt())
}

/// Draws every second picture, starting with the first or the second: two tests share the work.
fn draw_each_second(from: usize) {
    if gpu().is_none() {
        return;
    }
    let gallery = gallery::read(home()).unwrap();
    let mut camera = None;
    for entry in gallery.picture.iter().skip(from).step_by(2) {
        let (mean, deviation) = spread(&small(entry, &mut camera));
        // Neither black nor white, and with some content.
        assert!(
            (4.0..=245.0).contains(&mean) && deviation > 9.0,
            "{}: mean {mean}, deviation {deviation}",
            entry.name
        );
    }
}

#[test]
fn the_first_half_of_the_scenes_draws() {
    draw_each_second(0);
}

#[test]
fn the_second_half_of_the_scenes_draws() {
    draw_each_second(1);
}

#[test]
fn the_page_in_the_docs_shows_the_table_and_every_picture_is_there() {
    let gallery = gallery::read(home()).unwrap();
    assert!(gallery.picture.len() >= 24);
    let folder = home().join("docs/gallery");
    let page = std::fs::read_to_string(folder.join("README.md")).unwrap();
    assert_eq!(page, gallery.page("../../"), "run `galatea gallery` again");
    let mut bytes = 0;
    for entry in &gallery.picture {
        let file = folder.join(format!("{}.png", entry.name));
        bytes += std::fs::metadata(&file)
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
            .len();
    }
    assert!(bytes <= 24 << 20, "{bytes} bytes");
}

#[test]
fn every_scene_of_the_folder_is_in_the_table() {
    let gallery = gallery::read(home()).unwrap();
    for file in std::fs::read_dir(home().join("scripts/gallery")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let scene = format!("scripts/gallery/{name}");
        let helps = ["pose.lua", "moments.lua", "pictures.toml"].contains(&name.as_str());
        let shown = gallery.picture.iter().any(|entry| entry.scene == scene);
        assert!(helps || shown, "{name} is in no picture");
    }
}
