//! The renderer on whatever adapter there is, software ones included.

mod deform;
mod finish;
mod light;
mod look;
#[path = "../looked_at/mod.rs"]
mod looked_at;
mod materials;
mod own_eyes;
mod particles;
mod patches;
mod people;
mod pictures;
mod pipelines;
mod proof;
mod robust;
mod scenes;
#[path = "../sessions/mod.rs"]
mod sessions;
mod shadows;
mod shapes;
mod together;
mod views;

use std::path::PathBuf;

use galatea::render::{Gpu, GpuError, Picture, RenderOptions, Renderer, ShaderSource};

/// A device, or `None` (said aloud) when the machine has no adapter at all.
fn gpu() -> Option<Gpu> {
    match Gpu::headless() {
        Ok(gpu) => Some(gpu),
        Err(why @ (GpuError::NoAdapter(_) | GpuError::Unfit { .. })) => {
            let required = std::env::var_os("GALATEA_REQUIRE_ALL").is_some();
            assert!(!required, "a graphics driver is required: {why}");
            println!("SKIPPED: this machine has no graphics adapter to draw with: {why}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn renderer(gpu: &Gpu) -> Renderer {
    renderer_with(gpu, RenderOptions::default())
}

fn renderer_with(gpu: &Gpu, options: RenderOptions) -> Renderer {
    let format = wgpu::TextureFormat::Rgba8Unorm;
    match Renderer::new(gpu, &ShaderSource::embedded(), format, options) {
        Ok(renderer) => renderer,
        Err(error) => panic!("{error}"),
    }
}

/// Writes a picture to `target/pictures/`, to be looked at.
fn keep(picture: &Picture, name: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/pictures");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(format!("{name}.png"));
    image::save_buffer(
        path,
        &picture.rgba,
        picture.width,
        picture.height,
        image::ColorType::Rgba8,
    )
    .unwrap();
}
