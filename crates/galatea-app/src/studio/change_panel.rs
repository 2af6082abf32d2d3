//! A panel above the bar of the past: what differs since a change.

use egui::{Align2, Painter, Vec2, pos2};

use super::panel_style::{MARGIN, PADDING, PanelColors, TextRun, lay_out, paint_box};
use crate::past_position::PastChange;
use galatea_stage::frame::MessageKind;

/// Maximum width of the panel, points.
const MAX_WIDTH: f32 = 470.0;
/// Space between the panel and the bar, and between two rows, points.
const GAP: f32 = 8.0;
const ROW_GAP: f32 = 3.0;
/// Maximum number of differences; the rest is counted.
const MAX_SHOWN: usize = 9;
/// Font sizes, points.
const HEADING: f32 = 13.5;
const TEXT: f32 = 12.5;

/// Shows the differences above `bottom`, points from the top.
pub fn show_change(painter: &Painter, size: Vec2, bottom: f32, change: &PastChange) {
    let look = PanelColors::of(MessageKind::Info);
    let marked = PanelColors::of(MessageKind::Warning).accent;
    let inner = (size.x - 2.0 * MARGIN).clamp(40.0, MAX_WIDTH) - 2.0 * PADDING.x;
    let heading = heading(change);
    let mut rows = vec![lay_out(
        painter,
        &[TextRun::plain(&heading, HEADING, look.text)],
        inner,
        2,
    )];
    let report = &change.report;
    for difference in report.differences.iter().take(MAX_SHOWN) {
        let time = format!("{:.2} s  ", difference.time);
        let subject = format!("{}: ", difference.subject);
        let words = report.words(&difference.kind, ["before", "now"]);
        let runs = [
            TextRun::mono(&time, TEXT, marked),
            TextRun::plain(&subject, TEXT, look.text),
            TextRun::plain(&words, TEXT, look.dim),
        ];
        rows.push(lay_out(painter, &runs, inner, 2));
    }
    let hidden = report.differences.len().saturating_sub(MAX_SHOWN);
    if hidden > 0 {
        let more = format!("and {hidden} more");
        let more = TextRun::plain(&more, TEXT, look.dim);
        rows.push(lay_out(painter, &[more], inner, 1));
    }
    let mut content = Vec2::ZERO;
    for row in &rows {
        content.x = content.x.max(row.size().x);
        content.y += row.size().y + ROW_GAP;
    }
    content.y -= ROW_GAP;
    let corner = pos2(MARGIN, bottom - GAP);
    let rect = Align2::LEFT_BOTTOM.anchor_size(corner, content + 2.0 * PADDING);
    paint_box(painter, rect, 6, &look, 1.0);
    let mut at = rect.min + PADDING;
    for row in rows {
        let height = row.size().y;
        painter.galley(at, row, look.text);
        at.y += height + ROW_GAP;
    }
}

fn heading(change: &PastChange) -> String {
    let [from, to] = change.seconds;
    let n = match change.report.differences.len() {
        0 => "nothing differs".to_owned(),
        1 => "1 difference; the run before is drawn in blue".to_owned(),
        n => format!("{n} differences; the run before is drawn in blue"),
    };
    format!("changed at {from:.2} s, {:.2} s replayed: {n}", to - from)
}
