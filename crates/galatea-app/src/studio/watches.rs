//! Watched values: a small panel at the top right.

use egui::{Align2, Painter, Vec2, pos2};

use super::panel_style::{MARGIN, PanelColors, TextRun, lay_out, paint_box};
use galatea_stage::frame::{MessageKind, WatchRow};

/// Maximum width of the panel, points.
const MAX_WIDTH: f32 = 420.0;
/// Font size, points.
const SIZE: f32 = 12.5;
/// Padding of the panel, gap between rows and gap between columns, points.
const PADDING: Vec2 = Vec2::new(11.0, 8.0);
const ROW_GAP: f32 = 3.0;
const COLUMN_GAP: f32 = 14.0;

/// Shows the values; draws nothing if there are none.
pub fn show_watches(painter: &Painter, size: Vec2, rows: &[WatchRow]) {
    if rows.is_empty() {
        return;
    }
    let look = PanelColors::of(MessageKind::Info);
    let wrong = PanelColors::of(MessageKind::Error).accent;
    let inner = (size.x - 2.0 * MARGIN).clamp(40.0, MAX_WIDTH) - 2.0 * PADDING.x;
    let laid_out: Vec<_> = rows
        .iter()
        .map(|row| {
            let (value, color) = match &row.value {
                Ok(value) => (value, look.text),
                Err(why) => (why, wrong),
            };
            let name = TextRun::mono(&row.expression, SIZE, look.dim);
            let name = lay_out(painter, &[name], inner * 0.45, 1);
            (name, value, color)
        })
        .collect();
    let names = laid_out.iter().map(|(name, ..)| name.size().x);
    let column = names.fold(0.0, f32::max) + COLUMN_GAP;
    let laid_out: Vec<_> = laid_out
        .into_iter()
        .map(|(name, value, color)| {
            let value = TextRun::mono(value, SIZE, color);
            (name, lay_out(painter, &[value], inner - column, 2))
        })
        .collect();
    let mut content = Vec2::ZERO;
    for (_, value) in &laid_out {
        content.x = content.x.max(column + value.size().x);
        content.y += value.size().y + ROW_GAP;
    }
    content.y -= ROW_GAP;
    let corner = pos2(size.x - MARGIN, MARGIN);
    let rect = Align2::RIGHT_TOP.anchor_size(corner, content + 2.0 * PADDING);
    paint_box(painter, rect, 6, &look, 1.0);
    let mut at = rect.min + PADDING;
    for (name, value) in laid_out {
        let height = value.size().y;
        painter.galley(at, name, look.dim);
        painter.galley(at + Vec2::X * column, value, look.text);
        at.y += height + ROW_GAP;
    }
}
