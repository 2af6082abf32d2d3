//! The renderer: draws a [`Frame`](galatea_stage::Frame) with wgpu, to a window or to an image in memory.
//!
//! A [`Gpu`] is a device; [`Gpu::headless`] opens one without a window. A [`Renderer`] holds pipelines, textures and
//! buffers. [`RenderOptions`] sets its quality, and [`ShaderSource`] its shaders: the built-in ones or replacements.
//! [`Renderer::draw`] encodes a frame; its body lists the passes in order. [`Renderer::draw_to_picture`] also reads the
//! [`Picture`] back. [`difference`] compares two images with the FLIP metric.
//!
//! Each pass is a file in `pass/` with a shader of the same name in `shaders/`. Bind groups are ordered by how rarely they
//! change: 0 frame, 1 pass, 2 a material's textures, 3 its factors. World space is right-handed, +Y up, in metres. Colours
//! are linear up to `tonemap`.
//!
//! ```
//! use galatea_render::{Gpu, RenderOptions, Renderer, ShaderSource};
//! use galatea_stage::{Frame, Stage};
//!
//! // Machines without a graphics driver skip this example.
//! let Ok(gpu) = Gpu::headless() else { return Ok(()) };
//! let format = wgpu::TextureFormat::Rgba8Unorm;
//! let mut renderer = Renderer::new(&gpu, &ShaderSource::embedded(), format, RenderOptions::default())?;
//!
//! // An empty stage has a floor and a sky.
//! let mut frame = Frame::default();
//! Stage::default().snapshot(1.0, &mut frame);
//! let picture = renderer.draw_to_picture(&gpu, &frame, (160, 90), |_encoder, _view| {})?;
//! let pixel = |x: usize, y: usize| &picture.rgba[4 * (y * 160 + x)..][..3];
//! assert_ne!(pixel(80, 5), pixel(80, 85));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Dependencies
//!
//! Only this crate and `galatea-app` use the GPU. Depends on `galatea-stage` (the frame), `galatea-asset`, `galatea-decal`,
//! `galatea-deform` and `galatea-math`. The input is plain data: the renderer does not access the simulation and reads no
//! files (a project's shaders are passed as text). `adapter` lists its requirements on a graphics adapter. No model, shader
//! or driver error ends the program.

mod adapter;
mod area;
mod at_rest;
mod attachments;
mod buffers;
mod casting;
mod choice;
mod compare;
mod crowd_agents;
mod cut;
mod decals;
mod deform_variant;
mod device;
mod draw;
mod draw_lists;
mod environment;
mod floor;
mod folds;
mod formats;
mod frame_buffers;
mod frame_groups;
mod frame_passes;
mod geometry;
mod gpu;
mod gpu_error;
mod gpu_memory;
mod impostors;
mod layouts;
mod levels;
mod local_lights;
mod maps;
mod material;
mod material_factors;
mod measure;
mod on_cpu;
mod options;
mod packed;
mod particles;
mod pass;
mod piece;
mod placing;
mod plan;
mod plan_context;
mod pose_rows;
mod readback;
mod renderer;
mod residency;
mod scene;
pub mod shader;
mod sized;
mod strands;
mod sun;
mod tables;
mod targets;
mod texture;
mod timing;
mod triangles;
mod uniforms;
mod variants;
mod view;
mod visibility;
mod window;

pub use adapter::{AdapterFacts, Means};
pub use choice::{AdapterReport, AdapterRequest, Backend, adapters, request_adapter};
pub use compare::{ImageDifference, SAME_PICTURE, difference};
pub use device::{Device, PipelineCache};
pub use gpu::Gpu;
pub use gpu_error::GpuError;
pub use gpu_memory::GpuMemory;
pub use measure::{SkinningUse, time_yardstick};
pub use options::RenderOptions;
pub use readback::{DeformedVertex, PendingPicture, Picture, begin_picture};
pub use renderer::Renderer;
pub use shader::{ShaderError, ShaderSource};
pub use window::{WindowError, WindowTarget};
