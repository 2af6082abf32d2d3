//! Panels of errors and warnings, stacked from the top left: message, position, source lines with a mark, and call stack.

use std::sync::Arc;

use egui::{Color32, CornerRadius, Galley, Painter, Rect, Vec2, pos2};

use super::panel_style::{MARGIN, PADDING, PanelColors, TextRun, lay_out, paint_box};
use galatea_stage::frame::{Message, MessageKind};

/// Maximum width of a panel, points.
const MAX_WIDTH: f32 = 780.0;
/// Gap between two panels, points.
const GAP: f32 = 8.0;
/// Maximum number of panels of one kind; the rest is counted.
const MAX_SHOWN: usize = 6;
/// Maximum number of lines of a message.
const MAX_LINES: usize = 14;
/// Maximum number of calls.
const MAX_CALLS: usize = 5;
/// Font sizes, points.
const SMALL: f32 = 12.0;
const CODE: f32 = 12.5;
const TEXT: f32 = 13.5;

/// Shows panels as far as there is room: errors first, each kind in the given order. The rest is counted.
pub fn show_panels(painter: &Painter, size: Vec2, messages: &[Message]) {
    let width = (size.x - 2.0 * MARGIN).clamp(40.0, MAX_WIDTH);
    let mut top = MARGIN;
    for kind in [MessageKind::Error, MessageKind::Warning] {
        let of_kind: Vec<&Message> = messages.iter().filter(|m| m.kind == kind).collect();
        let mut n_shown = 0;
        for message in of_kind.iter().take(MAX_SHOWN) {
            let panel = Panel::of(painter, message, width);
            // The newest panel is always shown. Below it, room for the count of the others is kept.
            if n_shown > 0 && top + panel.size.y > size.y - MARGIN - 40.0 {
                break;
            }
            panel.paint(painter, top);
            top += panel.size.y + GAP;
            n_shown += 1;
        }
        let hidden = of_kind.len() - n_shown;
        if hidden > 0 {
            let more = Message::new(kind, format!("and {hidden} more"));
            let panel = Panel::of(painter, &more, width);
            panel.paint(painter, top);
            top += panel.size.y + GAP;
        }
    }
}

/// A panel after layout.
struct Panel {
    colors: PanelColors,
    rows: Vec<PanelRow>,
    size: Vec2,
}

/// A row of a panel.
struct PanelRow {
    galley: Arc<Galley>,
    /// Gap above the row, points.
    gap: f32,
    /// `Some` if the row is a source line; true if it is the line of the error.
    source: Option<bool>,
}

/// A panel during layout.
struct PanelLayout<'a> {
    painter: &'a Painter,
    message: &'a Message,
    colors: PanelColors,
    /// Maximum width of a row, points.
    inner: f32,
    rows: Vec<PanelRow>,
}

impl PanelLayout<'_> {
    fn push(&mut self, pieces: &[TextRun<'_>], lines: usize, gap: f32, source: Option<bool>) {
        let galley = lay_out(self.painter, pieces, self.inner, lines);
        self.rows.push(PanelRow {
            galley,
            gap,
            source,
        });
    }

    fn push_head(&mut self) {
        let position = format!("   {}", self.message.location);
        let times = format!("   ×{}", self.message.times);
        let look = &self.colors;
        let mut head = vec![TextRun::plain(look.heading, SMALL, look.accent)];
        if !self.message.location.is_empty() {
            head.push(TextRun::mono(&position, SMALL, look.dim));
        }
        if self.message.times > 1 {
            head.push(TextRun::plain(&times, SMALL, look.accent));
        }
        self.push(&head, 1, 0.0, None);
    }

    fn push_text(&mut self) {
        let text = TextRun::mono(&self.message.text, TEXT, self.colors.text);
        self.push(&[text], MAX_LINES, 4.0, None);
    }

    fn push_source(&mut self) {
        let (numbers, n_columns) = columns(self.painter, self.message, self.inner);
        let (accent, dim) = (self.colors.accent, self.colors.dim);
        for (i, line) in self.message.source.iter().enumerate() {
            let (text, mark) = line.cut(n_columns);
            let gutter = format!(" {:>numbers$} │ ", line.number);
            let (number, code) = match mark {
                Some(_) => (accent, self.colors.text),
                None => (dim.gamma_multiply(0.8), dim),
            };
            let pieces = [
                TextRun::mono(&gutter, CODE, number),
                TextRun::mono(&text, CODE, code),
            ];
            let gap = if i == 0 { 12.0 } else { 0.0 };
            self.push(&pieces, 1, gap, Some(mark.is_some()));
            if let Some((from, n)) = mark {
                let gutter = format!(" {:numbers$} │ ", "");
                let carets = format!("{}{}", " ".repeat(from), "^".repeat(n));
                let pieces = [
                    TextRun::mono(&gutter, CODE, dim.gamma_multiply(0.8)),
                    TextRun::mono(&carets, CODE, accent),
                ];
                self.push(&pieces, 1, 0.0, Some(true));
            }
        }
    }

    fn push_calls_and_note(&mut self) {
        let message = self.message;
        let below = if message.source.is_empty() { 4.0 } else { 12.0 };
        for (i, call) in message.calls.iter().take(MAX_CALLS).enumerate() {
            let pieces = [
                TextRun::plain("called from  ", SMALL, self.colors.dim),
                TextRun::mono(call, SMALL, self.colors.text),
            ];
            self.push(&pieces, 1, if i == 0 { below } else { 2.0 }, None);
        }
        if !message.note.is_empty() {
            let gap = if message.calls.is_empty() { below } else { 6.0 };
            let note = TextRun::plain(&message.note, SMALL, self.colors.accent);
            self.push(&[note], 2, gap, None);
        }
    }

    fn size(&self) -> Vec2 {
        let mut content = Vec2::ZERO;
        for row in &self.rows {
            content.x = content.x.max(row.galley.size().x);
            content.y += row.gap + row.galley.size().y;
        }
        // Source lines use the full width, so that panels of one width are aligned.
        if !self.message.source.is_empty() {
            content.x = self.inner;
        }
        content + 2.0 * PADDING
    }
}

impl Panel {
    fn of(painter: &Painter, message: &Message, width: f32) -> Self {
        let mut layout = PanelLayout {
            painter,
            message,
            colors: PanelColors::of(message.kind),
            inner: width - 2.0 * PADDING.x,
            rows: Vec::new(),
        };
        layout.push_head();
        layout.push_text();
        layout.push_source();
        layout.push_calls_and_note();
        Self {
            size: layout.size(),
            colors: layout.colors,
            rows: layout.rows,
        }
    }

    fn paint(&self, painter: &Painter, top: f32) {
        let rect = Rect::from_min_size(pos2(MARGIN, top), self.size);
        paint_box(painter, rect, 6, &self.colors, 1.0);
        let mut at = rect.min + PADDING;
        let band = |from: f32, to: f32| {
            let (left, right) = (rect.left() + 1.0, rect.right() - 1.0);
            Rect::from_min_max(pos2(left, from), pos2(right, to))
        };
        let mut y = at.y;
        let mut block: Option<(f32, f32)> = None;
        for row in &self.rows {
            let from = y + row.gap;
            y = from + row.galley.size().y;
            if row.source.is_some() {
                block = Some((block.map_or(from, |(from, _)| from), y));
            }
        }
        if let Some((from, to)) = block {
            let dark = Color32::from_rgba_unmultiplied(14, 2, 5, 150);
            painter.rect_filled(band(from - 5.0, to + 5.0), CornerRadius::ZERO, dark);
        }
        for row in &self.rows {
            at.y += row.gap;
            let height = row.galley.size().y;
            if row.source == Some(true) {
                let lit = self.colors.border.gamma_multiply(0.28);
                painter.rect_filled(band(at.y, at.y + height), CornerRadius::ZERO, lit);
            }
            painter.galley(at, row.galley.clone(), self.colors.text);
            at.y += height;
        }
    }
}

/// Number of digits of the line numbers, and number of characters of a source line that fit.
fn columns(painter: &Painter, message: &Message, width: f32) -> (usize, usize) {
    let last = message.source.last().map_or(0, |line| line.number);
    let digits = last.to_string().len().max(2);
    let ten = painter.layout_no_wrap(
        "0".repeat(10),
        egui::FontId::monospace(CODE),
        Color32::WHITE,
    );
    let fits = (width / (ten.size().x / 10.0)).floor() as usize;
    (digits, fits.saturating_sub(digits + 5))
}
