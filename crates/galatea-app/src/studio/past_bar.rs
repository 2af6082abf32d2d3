//! The bar at the bottom of the window while the past is displayed.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Stroke, Vec2, pos2, vec2};

use super::panel_style::{MARGIN, PanelColors, paint_box};
use crate::past_position::{PastChange, PastPosition};
use galatea_stage::frame::MessageKind;

/// Height of the bar, points.
const HEIGHT: f32 = 62.0;
/// Space between its border and its content, points.
const PADDING: f32 = 14.0;
/// Distance of the track from the lower edge, points.
const TRACK_FROM_BOTTOM: f32 = 18.0;
/// Radius of the knob, points.
const KNOB: f32 = 6.5;
/// Minimum space between two lines of the scale, points.
const MIN_GAP: f32 = 44.0;
/// Possible distances between two lines of the scale, seconds.
const SCALES: [f64; 9] = [1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0];
/// Keys, shown where there is room.
const KEYS: &str = "← → step    Shift ±1 s    Space play    Backspace play backwards    Enter continue here    Esc back";
/// The same after a change.
const KEYS_AFTER_CHANGE: &str =
    "← → step    Space play    Backspace play backwards    Ctrl+Z undo the change    Esc continue";
/// Radius of the dot of a difference, points.
const DOT: f32 = 2.5;

/// Space above the bar for other panels, points from the top of an image of `size` points.
pub fn top_of_past_bar(size: Vec2) -> f32 {
    bar(size).min.y
}

/// Position on the bar at a point of an image of `size` points: 0 for the oldest moment, 1 for the present. `None` outside
/// the bar.
pub fn past_at(size: Vec2, point: Pos2) -> Option<f64> {
    bar(size).contains(point).then(|| past_along(size, point.x))
}

/// Position on the bar at `x`, also outside the bar.
pub fn past_along(size: Vec2, x: f32) -> f64 {
    let [left, right] = track(size);
    f64::from(((x - left) / (right - left).max(1.0)).clamp(0.0, 1.0))
}

fn bar(size: Vec2) -> Rect {
    let width = (size.x - 2.0 * MARGIN).max(40.0);
    Align2::CENTER_BOTTOM.anchor_size(pos2(size.x * 0.5, size.y - MARGIN), vec2(width, HEIGHT))
}

/// Left and right end of the track.
fn track(size: Vec2) -> [f32; 2] {
    let bar = bar(size);
    [bar.min.x + PADDING, bar.max.x - PADDING]
}

/// Paints the bar.
pub fn show_past_bar(
    painter: &Painter,
    size: Vec2,
    past: &PastPosition,
    change: Option<&PastChange>,
) {
    let colors = PanelColors::of(MessageKind::Info);
    let rect = bar(size);
    paint_box(painter, rect, 8, &colors, 1.0);
    let state = match (past.replayed, past.direction) {
        (Some(done), _) => format!("replaying your input, {:.0} %", 100.0 * done),
        (None, 1) => "plays".to_owned(),
        (None, -1) => "plays backwards".to_owned(),
        _ => "stands still".to_owned(),
    };
    let heading = format!("{:.2} s ago", past.seconds_ago);
    let above = rect.min.y + 9.0;
    let font = FontId::proportional(14.0);
    let at = pos2(rect.min.x + PADDING, above);
    let heading = painter.text(at, Align2::LEFT_TOP, heading, font, colors.text);
    let small = FontId::proportional(12.5);
    let detail = format!("{:.2} s, tick {}, {state}", past.time, past.n_ticks);
    let at = pos2(heading.max.x + 12.0, above + 1.0);
    let detail = painter.text(at, Align2::LEFT_TOP, detail, small.clone(), colors.dim);
    let keys = change.map_or(KEYS, |_| KEYS_AFTER_CHANGE);
    let keys = painter.layout_no_wrap(keys.to_owned(), small.clone(), colors.dim);
    let room = rect.max.x - PADDING - detail.max.x - 24.0;
    if keys.size().x <= room {
        let at = pos2(rect.max.x - PADDING - keys.size().x, above + 1.0);
        painter.galley(at, keys, colors.dim);
    }
    let [left, right] = track(size);
    let y = rect.max.y - TRACK_FROM_BOTTOM;
    show_scale(painter, [left, right], y, past, &colors);
    let knob = left + (right - left) * past.fraction() as f32;
    let line = |from: f32, to: f32, color: Color32| {
        painter.line_segment([pos2(from, y), pos2(to, y)], Stroke::new(4.0, color));
    };
    line(left, right, colors.dim.gamma_multiply(0.35));
    line(left, knob, colors.accent);
    if let Some(change) = change {
        let marked = PanelColors::of(MessageKind::Warning).accent;
        let at = |time: f64| left + (right - left) * past.fraction_at(time) as f32;
        let [from, to] = change.seconds.map(at);
        painter.line_segment([pos2(from, y), pos2(to, y)], Stroke::new(1.5, marked));
        for difference in &change.report.differences {
            painter.circle_filled(pos2(at(difference.time), y), DOT, marked);
        }
    }
    painter.circle_filled(pos2(knob, y), KNOB, colors.text);
}

/// Paints lines at whole seconds before the present.
fn show_scale(
    painter: &Painter,
    [left, right]: [f32; 2],
    y: f32,
    past: &PastPosition,
    colors: &PanelColors,
) {
    if past.duration <= 0.0 {
        return;
    }
    let points_per_second = f64::from(right - left) / past.duration;
    let fits = |scale: &f64| scale * points_per_second >= f64::from(MIN_GAP);
    let Some(scale) = SCALES.into_iter().find(fits) else {
        return;
    };
    let n = (past.duration / scale) as u32;
    for i in 1..=n {
        let seconds = f64::from(i) * scale;
        let x = right - (seconds * points_per_second) as f32;
        let stroke = Stroke::new(1.0, colors.dim.gamma_multiply(0.5));
        painter.line_segment([pos2(x, y + 5.0), pos2(x, y + 9.0)], stroke);
        let font = FontId::proportional(9.5);
        // A label near the left end would leave the bar.
        if x > left + 12.0 {
            let text = format!("−{seconds} s");
            painter.text(pos2(x, y + 8.0), Align2::CENTER_TOP, text, font, colors.dim);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_the_bar_are_positions_in_the_past() {
        let size = vec2(800.0, 450.0);
        let [left, right] = track(size);
        let y = bar(size).center().y;
        for (x, expected) in [(left, 0.0), (right, 1.0), ((left + right) * 0.5, 0.5)] {
            let at = past_at(size, pos2(x, y)).unwrap();
            assert!((at - expected).abs() < 1e-6, "{x}: {at}");
        }
        assert_eq!(past_at(size, pos2(left, 100.0)), None);
        assert_eq!(past_along(size, -50.0), 0.0);
        assert_eq!(past_along(size, 5000.0), 1.0);
    }
}
