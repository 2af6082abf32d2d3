//! The renderer on any adapter, including software ones.

mod crowd_agents;
mod deform;
#[path = "../driver/mod.rs"]
mod driver;
mod finish;
mod light;
#[path = "../looked_at/mod.rs"]
mod looked_at;
mod materials;
mod own_eyes;
mod particles;
mod patches;
mod pictures;
mod pipelines;
mod post_processing;
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

use galatea::render::{Gpu, Picture, RenderOptions, Renderer, ShaderSource};

use driver::gpu;

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

/// Writes a picture to `target/pictures/` for inspection.
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
