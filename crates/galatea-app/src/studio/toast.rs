//! Toasts: short notices at the bottom of the image, the newest lowest, which fade out.

use egui::{Align2, Painter, Vec2, pos2};

use super::panel_style::{MARGIN, PADDING, PanelColors, TextRun, lay_out, paint_box};
use galatea_stage::frame::{Message, MessageKind};

/// Maximum number of toasts; older ones disappear.
const MAX_SHOWN: usize = 4;
/// Maximum width of a toast, points.
const MAX_WIDTH: f32 = 620.0;
/// Maximum number of lines.
const MAX_LINES: usize = 8;
/// Radius of the dot before the text, and its space, points.
const DOT: f32 = 3.5;
const DOT_ROOM: f32 = 18.0;

/// Shows toasts above `bottom`, points from the top.
pub fn show_toasts(painter: &Painter, size: Vec2, bottom: f32, messages: &[Message]) {
    let news = messages.iter().filter(|m| m.kind == MessageKind::Info);
    let mut at = pos2(size.x * 0.5, bottom - MARGIN - 4.0);
    for message in news.rev().take(MAX_SHOWN) {
        at.y -= show_toast(painter, at, size, message);
    }
}

/// Paints a toast that ends at `at`, and returns its height. A fading toast sinks a little, and the others move down.
fn show_toast(painter: &Painter, at: egui::Pos2, size: Vec2, message: &Message) -> f32 {
    let look = PanelColors::of(MessageKind::Info);
    let opacity = message.opacity.clamp(0.0, 1.0);
    let inner = (size.x - 2.0 * MARGIN).clamp(40.0, MAX_WIDTH) - 2.0 * PADDING.x - DOT_ROOM;
    let (first, rest) = message.text.split_once('\n').unwrap_or((&message.text, ""));
    let rest = format!("\n{rest}");
    let mut pieces = vec![TextRun::plain(
        first,
        14.0,
        look.text.gamma_multiply(opacity),
    )];
    if rest.len() > 1 {
        let color = look.dim.gamma_multiply(opacity);
        pieces.push(TextRun::plain(&rest, 12.5, color));
    }
    let galley = lay_out(painter, &pieces, inner, MAX_LINES);
    let padding = Vec2::new(PADDING.x + 2.0, PADDING.y - 2.0);
    let content = galley.size() + Vec2::new(DOT_ROOM, 0.0) + 2.0 * padding;
    let sunk = at + Vec2::Y * 6.0 * (1.0 - opacity);
    let rect = Align2::CENTER_BOTTOM.anchor_size(sunk, content);
    paint_box(painter, rect, 15, &look, opacity);
    let text_at = rect.min + padding + Vec2::new(DOT_ROOM, 0.0);
    let first_line = galley.rows.first().map_or(16.0, |row| row.height());
    let dot = text_at + Vec2::new(DOT - DOT_ROOM, first_line * 0.5);
    painter.circle_filled(dot, DOT, look.accent.gamma_multiply(opacity));
    painter.galley(text_at, galley, look.text);
    (content.y + 6.0) * opacity
}
