//! Messages over the picture: errors in red, warnings in amber, news in a pill at the bottom.

use egui::{
    Align2, Color32, CornerRadius, FontId, Id, LayerId, Order, Painter, Rect, Stroke, StrokeKind,
    Vec2, pos2,
};

use crate::render::Gpu;
use crate::stage::frame::{Message, MessageKind};

/// Points between a panel and the border of the picture.
const MARGIN: f32 = 12.0;
/// A panel is never wider, points.
const WIDEST: f32 = 760.0;
/// Points between a panel's border and its text.
const PADDING: Vec2 = Vec2::new(12.0, 9.0);
/// Messages of one kind that are shown; the others are counted.
const MOST_SHOWN: usize = 6;
/// Characters of a message that are shown.
const LONGEST: usize = 4000;

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
            show_panels(context, points, messages);
            show_pill(context, points, messages);
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

/// Colours of a panel: ground, border, heading, text.
struct Look {
    heading: &'static str,
    fill: Color32,
    border: Color32,
    accent: Color32,
    text: Color32,
}

fn look_of(kind: MessageKind) -> Look {
    match kind {
        MessageKind::Error => Look {
            heading: "Error",
            fill: Color32::from_rgba_unmultiplied(58, 12, 16, 238),
            border: Color32::from_rgb(200, 60, 62),
            accent: Color32::from_rgb(255, 138, 128),
            text: Color32::from_rgb(255, 232, 228),
        },
        MessageKind::Warning => Look {
            heading: "Warning",
            fill: Color32::from_rgba_unmultiplied(54, 38, 8, 232),
            border: Color32::from_rgb(206, 150, 44),
            accent: Color32::from_rgb(255, 202, 96),
            text: Color32::from_rgb(255, 242, 216),
        },
        MessageKind::Info => Look {
            heading: "",
            fill: Color32::from_rgba_unmultiplied(18, 20, 26, 222),
            border: Color32::from_rgba_unmultiplied(255, 255, 255, 36),
            accent: Color32::WHITE,
            text: Color32::from_rgb(238, 241, 246),
        },
    }
}

/// Panels from the top left downwards, errors first, as far as there is room.
fn show_panels(context: &egui::Context, points: Vec2, messages: &[Message]) {
    let painter = painter_of(context, "panels");
    let width = (points.x - 2.0 * MARGIN).clamp(40.0, WIDEST);
    let mut top = MARGIN;
    for kind in [MessageKind::Error, MessageKind::Warning] {
        let of_kind = || messages.iter().filter(|m| m.kind == kind);
        for message in of_kind().take(MOST_SHOWN) {
            top += show_panel(&painter, top, width, kind, &message.text);
        }
        let hidden = of_kind().count().saturating_sub(MOST_SHOWN);
        if hidden > 0 {
            top += show_panel(&painter, top, width, kind, &format!("and {hidden} more"));
        }
    }
}

/// Paints one panel and returns the height it takes, the gap below included.
fn show_panel(painter: &Painter, top: f32, width: f32, kind: MessageKind, text: &str) -> f32 {
    let look = look_of(kind);
    let inner = width - 2.0 * PADDING.x;
    let lay_out = |text: String, font, color| painter.layout(text, font, color, inner);
    let heading = lay_out(look.heading.into(), FontId::proportional(12.0), look.accent);
    let body = lay_out(
        shortened(text).into_owned(),
        FontId::monospace(13.0),
        look.text,
    );
    let gap = 4.0;
    let content = Vec2::new(
        heading.size().x.max(body.size().x),
        heading.size().y + gap + body.size().y,
    );
    let rect = Rect::from_min_size(pos2(MARGIN, top), content + 2.0 * PADDING);
    paint_box(painter, rect, 6, &look);
    let at = rect.min + PADDING;
    let below = heading.size().y + gap;
    painter.galley(at, heading, look.accent);
    painter.galley(at + Vec2::Y * below, body, look.text);
    rect.height() + 8.0
}

/// The newest news, at the bottom.
fn show_pill(context: &egui::Context, points: Vec2, messages: &[Message]) {
    let mut news = messages.iter().filter(|m| m.kind == MessageKind::Info);
    let Some(message) = news.next_back() else {
        return;
    };
    let painter = painter_of(context, "pill");
    let look = look_of(MessageKind::Info);
    let inner = (points.x - 2.0 * MARGIN).clamp(40.0, WIDEST) - 2.0 * PADDING.x;
    let text = shortened(&message.text).into_owned();
    let galley = painter.layout(text, FontId::proportional(14.0), look.text, inner);
    let at = pos2(points.x * 0.5, points.y - MARGIN - 4.0);
    let padding = Vec2::new(PADDING.x + 2.0, PADDING.y - 2.0);
    let rect = Align2::CENTER_BOTTOM.anchor_size(at, galley.size() + 2.0 * padding);
    paint_box(&painter, rect, 15, &look);
    painter.galley(rect.min + padding, galley, look.text);
}

fn painter_of(context: &egui::Context, name: &str) -> Painter {
    context.layer_painter(LayerId::new(Order::Foreground, Id::unique(name)))
}

fn paint_box(painter: &Painter, rect: Rect, radius: u8, look: &Look) {
    let radius = CornerRadius::same(radius);
    painter.rect_filled(rect, radius, look.fill);
    painter.rect_stroke(
        rect,
        radius,
        Stroke::new(1.0, look.border),
        StrokeKind::Inside,
    );
}

fn shortened(text: &str) -> std::borrow::Cow<'_, str> {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", &text[..end]).into(),
        None => text.into(),
    }
}
