//! Paints the output of egui onto textures.

use egui::TexturesDelta;

use galatea_render::Gpu;

/// Paints the output of one egui context.
pub struct EguiPainter {
    renderer: egui_wgpu::Renderer,
    /// Glyph textures from passes that were not painted yet.
    textures: TexturesDelta,
}

/// A texture that is painted over.
#[derive(Clone, Copy)]
pub struct PaintTarget<'a> {
    /// The texture.
    pub view: &'a wgpu::TextureView,
    /// Size, pixels.
    pub size: (u32, u32),
    /// Pixels per point.
    pub scale: f32,
    /// Treatment of the previous content: painted over, or cleared to black.
    pub load: wgpu::LoadOp<wgpu::Color>,
}

impl EguiPainter {
    /// Creates a painter for textures of `format`.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let options = egui_wgpu::RendererOptions {
            dithering: false,
            ..Default::default()
        };
        Self {
            renderer: egui_wgpu::Renderer::new(&gpu.device, format, options),
            textures: TexturesDelta::default(),
        }
    }

    /// Keeps the glyphs of a pass that is not painted.
    pub fn keep(&mut self, textures: TexturesDelta) {
        self.textures.append(textures);
    }

    /// Sets the texture that egui paints as `id`; a new one without `id`.
    pub fn set_texture(
        &mut self,
        gpu: &Gpu,
        view: &wgpu::TextureView,
        id: Option<egui::TextureId>,
    ) -> egui::TextureId {
        let filter = wgpu::FilterMode::Linear;
        match id {
            Some(id) => {
                let renderer = &mut self.renderer;
                renderer.update_egui_texture_from_wgpu_texture(&gpu.device, view, filter, id);
                id
            }
            None => self
                .renderer
                .register_native_texture(&gpu.device, view, filter),
        }
    }

    /// Paints the output of a pass. The device must not be lost, because egui's painter then panics.
    pub fn paint(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: PaintTarget<'_>,
        context: &egui::Context,
        (shapes, textures): (Vec<egui::epaint::ClippedShape>, TexturesDelta),
    ) {
        let jobs = context.tessellate(shapes, target.scale);
        let (device, queue) = (&gpu.device, &gpu.queue);
        let mut changed = std::mem::take(&mut self.textures);
        changed.append(textures);
        for (id, deltas) in changed.set.drain() {
            for delta in &deltas {
                self.renderer.update_texture(device, queue, id, delta);
            }
        }
        let screen = egui_wgpu::ScreenDescriptor {
            size_in_pixels: [target.size.0, target.size.1],
            pixels_per_point: target.scale,
        };
        // Only paint callbacks create command buffers, and there are none.
        self.renderer
            .update_buffers(device, queue, encoder, &jobs, &screen);
        let mut pass = encoder
            .begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("egui"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target.view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: target.load,
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            })
            .forget_lifetime();
        self.renderer.render(&mut pass, &jobs, &screen);
        drop(pass);
        for id in changed.free.drain() {
            self.renderer.free_texture(&id);
        }
    }
}

impl Drop for EguiPainter {
    fn drop(&mut self) {
        // These glyphs are never drawn; egui expects the delta to be cleared.
        self.textures.clear();
    }
}

/// Clamps pixels per point to the supported range.
pub fn clamped_scale(scale: f32) -> f32 {
    if scale.is_finite() {
        scale.clamp(0.5, 8.0)
    } else {
        1.0
    }
}
