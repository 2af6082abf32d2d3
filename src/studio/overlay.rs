//! Messages over the picture: errors in red, warnings in amber, news in a pill at the bottom.

use egui::{Id, LayerId, Order, Painter, Vec2};

use super::panels::show_panels;
use super::toast::show_toasts;
use crate::render::Gpu;
use crate::stage::frame::Message;

/// Paints messages onto finished pictures. Takes no input.
pub struct Overlay {
    context: egui::Context,
    painter: egui_wgpu::Renderer,
}

impl Overlay {
    /// An overlay for pictures of `format`.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let context = egui::Context::default();
        context.set_theme(egui::Theme::Dark);
        let options = egui_wgpu::RendererOptions {
            dithering: false,
            ..Default::default()
        };
        Self {
            context,
            painter: egui_wgpu::Renderer::new(&gpu.device, format, options),
        }
    }

    /// Paints `messages` over the picture in `target`, `size` pixels large, with `scale` pixels per
    /// point. Does nothing without messages.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: (u32, u32),
        scale: f32,
        messages: &[Message],
    ) {
        if messages.is_empty() || size.0 == 0 || size.1 == 0 {
            return;
        }
        let scale = if scale.is_finite() {
            scale.clamp(0.5, 8.0)
        } else {
            1.0
        };
        let points = Vec2::new(size.0 as f32, size.1 as f32) / scale;
        let mut input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, points)),
            ..Default::default()
        };
        if let Some(viewport) = input.viewports.get_mut(&egui::ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(scale);
        }
        let mut output = self.context.run_pass(input, |context| {
            show_panels(&painter_of(context, "panels"), points, messages);
            show_toasts(&painter_of(context, "toasts"), points, points.y, messages);
        });
        let jobs = self.context.tessellate(output.shapes, scale);
        let (device, queue) = (&gpu.device, &gpu.queue);
        for (id, deltas) in output.textures_delta.set.drain() {
            for delta in &deltas {
                self.painter.update_texture(device, queue, id, delta);
            }
        }
        let screen = egui_wgpu::ScreenDescriptor {
            size_in_pixels: [size.0, size.1],
            pixels_per_point: scale,
        };
        // Only paint callbacks make command buffers, and there are none.
        self.painter
            .update_buffers(device, queue, encoder, &jobs, &screen);
        let mut pass = encoder
            .begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("overlay"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Load,
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            })
            .forget_lifetime();
        self.painter.render(&mut pass, &jobs, &screen);
        drop(pass);
        for id in output.textures_delta.free.drain() {
            self.painter.free_texture(&id);
        }
    }
}

fn painter_of(context: &egui::Context, name: &str) -> Painter {
    context.layer_painter(LayerId::new(Order::Foreground, Id::unique(name)))
}
