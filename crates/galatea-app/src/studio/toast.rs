//! News for a moment: pills that stand at the bottom of the picture, the newest lowest, and fade.

use egui::{Align2, Painter, Vec2, pos2};

use super::look::{MARGIN, PADDING, PanelColors, TextRun, lay_out, paint_box};
use galatea_stage::frame::{Message, MessageKind};

/// Pills that are shown; older ones make room.
const MOST_SHOWN: usize = 4;
/// A pill is never wider, points.
const WIDEST: f32 = 620.0;
/// Lines of news that are shown.
const MOST_LINES: usize = 8;
/// Points of the dot before the text and of the room that it takes.
const DOT: f32 = 3.5;
const DOT_ROOM: f32 = 18.0;

/// Shows news above `bottom`, points from the top.
pub fn show_toasts(painter: &Painter, size: Vec2, bottom: f32, messages: &[Message]) {
    let news = messages.iter().filter(|m| m.kind == MessageKind::Info);
    let mut at = pos2(size.x * 0.5, bottom - MARGIN - 4.0);
    for message in news.rev().take(MOST_SHOWN) {
        at.y -= show_toast(painter, at, size, message);
    }
}

/// Paints one pill that ends at `at` and returns the height it takes. One that fades sinks a little and
/// gives up its room.
fn show_toast(painter: &Painter, at: egui::Pos2, size: Vec2, message: &Message) -> f32 {
    let look = PanelColors::of(MessageKind::Info);
    let opacity = message.opacity.clamp(0.0, 1.0);
    let inner = (size.x - 2.0 * MARGIN).clamp(40.0, WIDEST) - 2.0 * PADDING.x - DOT_ROOM;
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
    let galley = lay_out(painter, &pieces, inner, MOST_LINES);
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
