//! Appearance of the overlay panels: colours, boxes, rows of text.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, CornerRadius, FontId, Galley, Painter, Rect, Stroke, StrokeKind, Vec2};

use galatea_stage::frame::MessageKind;

/// Margin between a panel and the edge of the image, points.
pub const MARGIN: f32 = 12.0;
/// Padding between a panel's border and its text, points.
pub const PADDING: Vec2 = Vec2::new(12.0, 9.0);

/// Colours of a panel.
pub struct PanelColors {
    /// Heading above the text.
    pub heading: &'static str,
    /// Background.
    pub fill: Color32,
    /// Border.
    pub border: Color32,
    /// Heading and marks.
    pub accent: Color32,
    /// Text.
    pub text: Color32,
    /// Less important text.
    pub dim: Color32,
}

impl PanelColors {
    /// Colours of a message kind.
    pub fn of(kind: MessageKind) -> Self {
        match kind {
            MessageKind::Error => Self {
                heading: "Error",
                fill: Color32::from_rgba_unmultiplied(58, 12, 16, 240),
                border: Color32::from_rgb(200, 60, 62),
                accent: Color32::from_rgb(255, 138, 128),
                text: Color32::from_rgb(255, 236, 232),
                dim: Color32::from_rgb(206, 158, 154),
            },
            MessageKind::Warning => Self {
                heading: "Warning",
                fill: Color32::from_rgba_unmultiplied(54, 38, 8, 232),
                border: Color32::from_rgb(206, 150, 44),
                accent: Color32::from_rgb(255, 202, 96),
                text: Color32::from_rgb(255, 242, 216),
                dim: Color32::from_rgb(208, 186, 146),
            },
            MessageKind::Info => Self {
                heading: "",
                fill: Color32::from_rgba_unmultiplied(18, 20, 26, 226),
                border: Color32::from_rgba_unmultiplied(255, 255, 255, 36),
                accent: Color32::from_rgb(140, 216, 178),
                text: Color32::from_rgb(238, 241, 246),
                dim: Color32::from_rgb(164, 170, 182),
            },
        }
    }
}

/// A run of text with one font and colour.
pub struct TextRun<'a> {
    /// The text.
    pub text: &'a str,
    /// The font.
    pub font: FontId,
    /// The colour.
    pub color: Color32,
}

impl<'a> TextRun<'a> {
    /// Monospaced text, `size` points high.
    pub fn mono(text: &'a str, size: f32, color: Color32) -> Self {
        Self {
            text,
            font: FontId::monospace(size),
            color,
        }
    }

    /// Proportional text, `size` points high.
    pub fn plain(text: &'a str, size: f32, color: Color32) -> Self {
        Self {
            text,
            font: FontId::proportional(size),
            color,
        }
    }
}

/// Lays out text runs in lines of at most `width` points and at most `rows` lines. Longer text is truncated with `…`.
pub fn lay_out(painter: &Painter, pieces: &[TextRun<'_>], width: f32, rows: usize) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    for piece in pieces {
        let format = TextFormat::simple(piece.font.clone(), piece.color);
        job.append(piece.text, 0.0, format);
    }
    job.wrap.max_width = width;
    job.wrap.max_rows = rows;
    painter.layout_job(job)
}

/// Paints a box with a border; `opacity` is 0 to 1.
pub fn paint_box(painter: &Painter, rect: Rect, radius: u8, look: &PanelColors, opacity: f32) {
    let radius = CornerRadius::same(radius);
    painter.rect_filled(rect, radius, look.fill.gamma_multiply(opacity));
    let border = Stroke::new(1.0, look.border.gamma_multiply(opacity));
    painter.rect_stroke(rect, radius, border, StrokeKind::Inside);
}
