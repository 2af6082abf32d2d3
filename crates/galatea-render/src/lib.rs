//! Draws a [`Frame`](galatea_stage::Frame) with wgpu: the only room that names the GPU, beside
//! `studio`.
//!
//! Callers: `app` and `commands` make a [`Gpu`] and a [`Renderer`] and hand over frames; `studio`
//! paints over the result. Invariants: only plain data comes in (`stage::frame`, `asset`, the
//! layout of `deform`); nothing of the simulation is known or changed; no files are read (a
//! project's shaders come in as text); of the adapter no more is used than `adapter` asks for; nothing a
//! model, a shader or the driver does ends the program.
//!
//! [`Renderer::draw`] tells the passes of one picture in order. Every pass is one file in `pass/`
//! with the shader of the same name in `shaders/`. Bind groups go from slow to fast: 0 the frame,
//! 1 the pass, 2 a material's pictures, 3 its factors. World space is right-handed, +Y up, metres; colours are linear
//! until `tonemap`.

mod adapter;
mod area;
mod at_rest;
mod attachments;
mod buffers;
mod casting;
mod choice;
mod compare;
mod cut;
mod decals;
mod deform_variant;
mod device;
mod draw;
mod environment;
mod floor;
mod folds;
mod formats;
mod frame_buffers;
mod frame_groups;
mod geometry;
mod gpu;
mod gpu_error;
mod impostors;
mod lamps;
mod layouts;
mod levels;
mod looks;
mod maps;
mod material;
mod measure;
mod on_cpu;
mod options;
mod packed;
mod particles;
mod pass;
mod people;
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
pub use choice::{AdapterReport, AdapterWish, Backend, adapters, wish_for_adapter};
pub use compare::{Difference, SAME_PICTURE, difference};
pub use device::{Device, PipelineCache};
pub use gpu::Gpu;
pub use gpu_error::GpuError;
pub use measure::{SkinningUse, time_yardstick};
pub use options::RenderOptions;
pub use readback::{DeformedVertex, Pending, Picture};
pub use renderer::Renderer;
pub use shader::{ShaderError, ShaderSource};
pub use window::{WindowError, WindowTarget};
