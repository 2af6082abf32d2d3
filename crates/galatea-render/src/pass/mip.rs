//! Generates the mip levels of a texture, each from the previous one.

use crate::gpu::Gpu;
use crate::layouts::{Layouts, bind};
use crate::pass::full_screen::full_screen;
use crate::shader::{ShaderError, ShaderSource, compile, validated};

pub struct MipPass {
    linear: wgpu::RenderPipeline,
    srgb: wgpu::RenderPipeline,
    source: wgpu::BindGroupLayout,
}

impl MipPass {
    pub fn new(gpu: &Gpu, layouts: &Layouts, shaders: &ShaderSource) -> Result<Self, ShaderError> {
        let device = &gpu.device;
        let module = compile(device, shaders, "mip.wgsl")?;
        validated(device, "mip.wgsl", || {
            let layout = Layouts::pipeline(device, "mip", &[Some(&layouts.picture)]);
            let make = |format| full_screen(device, "mip", &layout, &module, "fs", format);
            Self {
                linear: make(wgpu::TextureFormat::Rgba8Unorm),
                srgb: make(wgpu::TextureFormat::Rgba8UnormSrgb),
                source: layouts.picture.clone(),
            }
        })
    }

    /// Fills all levels after the first, in every layer.
    pub fn fill(&self, gpu: &Gpu, texture: &wgpu::Texture) {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let pipeline = if texture.format().is_srgb() {
            &self.srgb
        } else {
            &self.linear
        };
        let view_of = |layer, level| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_array_layer: layer,
                array_layer_count: Some(1),
                base_mip_level: level,
                mip_level_count: Some(1),
                ..Default::default()
            })
        };
        let layers = 0..texture.depth_or_array_layers();
        let levels = 1..texture.mip_level_count();
        for (layer, level) in layers.flat_map(|l| levels.clone().map(move |m| (l, m))) {
            let source = bind(
                &gpu.device,
                "mip",
                &self.source,
                &[wgpu::BindingResource::TextureView(&view_of(
                    layer,
                    level - 1,
                ))],
            );
            let view = view_of(layer, level);
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("mip"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations::default(),
                })],
                ..Default::default()
            });
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &source, &[]);
            pass.draw(0..3, 0..1);
        }
        gpu.queue.submit([encoder.finish()]);
    }
}
