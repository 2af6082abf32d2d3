//! Rows of the timeline: intervals with labels, and moments.

use egui::{Align2, Color32, CornerRadius, FontId, Painter, Rect, Stroke, pos2, vec2};

use super::style::{ACCENT, BLOCKED, DEEP, DIM, FADING, LINE, TEXT, color_of};
use crate::character_history::{
    HistoryInterval, HistoryMoment, HistoryTrack, MomentKind, StageHistory, TrackKind,
};

/// Height of a row of intervals, points, and of a row of moments.
const INTERVAL_ROW: f32 = 18.0;
const MOMENT_ROW: f32 = 15.0;
/// Smallest distance of two lines of the axis, points.
const MIN_GAP: f64 = 64.0;
/// Possible distances of two lines of the axis, seconds.
const STEPS: [f64; 11] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0];
/// Distance of the pointer from a moment that counts as touching it, points.
const TOUCH: f32 = 5.0;
/// Maximum number of moments that are listed for the pointer.
const MAX_LISTED: usize = 8;

/// Relation of ticks and positions.
#[derive(Clone, Copy)]
pub struct TimeScale {
    /// Left and right end, points.
    pub left: f32,
    pub right: f32,
    /// Ticks at both ends.
    pub first: f64,
    pub last: f64,
    /// Duration of a tick, seconds.
    pub dt: f64,
}

impl TimeScale {
    /// Points per tick.
    pub fn points_per_tick(&self) -> f64 {
        f64::from((self.right - self.left).max(1.0)) / (self.last - self.first).max(1.0)
    }

    /// The tick at a position.
    pub fn tick_at(&self, x: f32) -> f64 {
        self.first + f64::from(x - self.left) / self.points_per_tick()
    }

    /// The position of a tick.
    pub fn x_at(&self, tick: f64) -> f32 {
        self.left + ((tick - self.first) * self.points_per_tick()) as f32
    }
}

/// A row of the timeline.
pub enum TimelineRow<'h> {
    /// Intervals of a track.
    Track(&'h HistoryTrack),
    /// Moments with a title.
    Moments(&'static str, Vec<&'h HistoryMoment>),
    /// Reloads of scripts and models.
    Reloads(Vec<&'h (u64, String)>),
}

impl TimelineRow<'_> {
    /// Height, points.
    pub fn height(&self) -> f32 {
        match self {
            Self::Track(_) => INTERVAL_ROW,
            Self::Moments(..) | Self::Reloads(_) => MOMENT_ROW,
        }
    }

    fn title(&self) -> String {
        match self {
            Self::Moments(title, _) => (*title).to_owned(),
            Self::Reloads(_) => "reloads".to_owned(),
            Self::Track(track) => match (track.kind, track.name.as_str()) {
                (TrackKind::State, name) => format!("layer {name}"),
                (TrackKind::Clip, name) => format!("play {name}"),
                (TrackKind::Body, _) => "falls".to_owned(),
                (TrackKind::Foot, name) => format!("{name} foot"),
                (TrackKind::Gaze, _) => "looks at".to_owned(),
                (TrackKind::Line, _) => "says".to_owned(),
                (TrackKind::Word, _) => "words".to_owned(),
                (TrackKind::Mouth, _) => "mouth".to_owned(),
            },
        }
    }
}

/// The rows of a character.
pub fn rows<'h>(
    history: &'h StageHistory,
    name: &str,
    shows_suppressed: bool,
) -> Vec<TimelineRow<'h>> {
    let mut rows = Vec::new();
    let Some(character) = history.characters.get(name) else {
        return rows;
    };
    rows.extend(character.tracks.iter().map(TimelineRow::Track));
    let kinds = [
        ("events", MomentKind::Event),
        ("hits", MomentKind::Hit),
        ("suppressed", MomentKind::Suppressed),
    ];
    for (title, kind) in kinds {
        if kind == MomentKind::Suppressed && !shows_suppressed {
            continue;
        }
        let all = character.moments.iter();
        let moments: Vec<_> = all.filter(|moment| moment.kind == kind).collect();
        if !moments.is_empty() {
            rows.push(TimelineRow::Moments(title, moments));
        }
    }
    if !history.reloads.is_empty() {
        rows.push(TimelineRow::Reloads(history.reloads.iter().collect()));
    }
    rows
}

/// Draws lines with their times.
pub fn draw_axis(painter: &Painter, area: Rect, scale: &TimeScale, newest: u64) {
    let per_second = scale.points_per_tick() / scale.dt;
    let fits = |step: &f64| step * per_second >= MIN_GAP;
    let step = STEPS.into_iter().find(fits).unwrap_or(600.0);
    let seconds = |tick: f64| tick * scale.dt;
    // Adding zero makes -0 to 0.
    let mut i = (seconds(scale.first) / step).ceil().max(0.0) + 0.0;
    while i * step <= seconds(scale.last).min(seconds(newest as f64)) {
        let x = scale.x_at(i * step / scale.dt);
        painter.vline(x, area.y_range(), Stroke::new(1.0, LINE));
        let text = match step < 1.0 {
            true => format!("{:.2} s", i * step),
            false => format!("{:.0} s", i * step),
        };
        let font = FontId::proportional(10.5);
        let at = pos2(x + 3.0, area.min.y + 2.0);
        painter.text(at, Align2::LEFT_TOP, text, font, DIM);
        i += 1.0;
    }
}

/// Draws a row with its title.
pub fn draw_row(painter: &Painter, area: Rect, row: &TimelineRow<'_>, scale: &TimeScale) {
    let font = FontId::proportional(11.0);
    let at = pos2(area.min.x, area.center().y);
    let title = painter.with_clip_rect(Rect::from_min_max(
        area.min,
        pos2(scale.left - 4.0, area.max.y),
    ));
    title.text(at, Align2::LEFT_CENTER, row.title(), font, DIM);
    let lane = Rect::from_min_max(pos2(scale.left, area.min.y), area.max);
    painter.rect_filled(lane, 0, DEEP);
    let lane = painter.with_clip_rect(lane);
    match row {
        TimelineRow::Track(track) => {
            for interval in visible(track, scale) {
                draw_interval(&lane, area, track.kind, interval, scale);
            }
        }
        TimelineRow::Moments(_, moments) => {
            for moment in moments {
                let x = scale.x_at(moment.n_ticks as f64);
                let at = pos2(x, area.center().y);
                match moment.kind {
                    MomentKind::Event => lane.circle_filled(at, 3.0, ACCENT),
                    MomentKind::Hit => lane.circle_filled(at, 4.0, BLOCKED),
                    MomentKind::Suppressed => lane.circle_stroke(at, 3.0, Stroke::new(1.2, FADING)),
                };
            }
        }
        TimelineRow::Reloads(reloads) => {
            for (tick, _) in reloads {
                let x = scale.x_at(*tick as f64);
                lane.vline(x, area.y_range(), Stroke::new(2.0, TEXT));
            }
        }
    }
}

fn visible<'h>(
    track: &'h HistoryTrack,
    scale: &TimeScale,
) -> impl Iterator<Item = &'h HistoryInterval> {
    let (first, last) = (scale.first, scale.last);
    let is_visible =
        move |one: &&HistoryInterval| one.to as f64 >= first && one.from as f64 <= last;
    track.intervals.iter().filter(is_visible)
}

fn draw_interval(
    painter: &Painter,
    area: Rect,
    kind: TrackKind,
    interval: &HistoryInterval,
    scale: &TimeScale,
) {
    let from = scale.x_at(interval.from as f64);
    let to = scale.x_at(interval.to as f64 + 1.0).max(from + 1.0);
    let rect = Rect::from_min_max(pos2(from, area.min.y + 1.0), pos2(to, area.max.y - 1.0));
    let color = match kind {
        TrackKind::Foot => Color32::from_rgb(92, 122, 158),
        TrackKind::Body => Color32::from_rgb(150, 82, 74),
        _ => color_of(&interval.label),
    };
    painter.rect_filled(rect, CornerRadius::same(2), color);
    if kind == TrackKind::Foot || rect.width() < 12.0 {
        return;
    }
    let inside = rect.shrink2(vec2(4.0, 0.0)).intersect(painter.clip_rect());
    let font = FontId::proportional(11.0);
    let painter = painter.with_clip_rect(inside);
    let at = pos2(inside.min.x, rect.center().y);
    painter.text(
        at,
        Align2::LEFT_CENTER,
        &interval.label,
        font,
        Color32::WHITE,
    );
}

/// Text for the pointer over a row.
pub fn row_hint(row: &TimelineRow<'_>, scale: &TimeScale, x: f32) -> Option<String> {
    if x < scale.left {
        return None;
    }
    let tick = scale.tick_at(x);
    let is_near = |n_ticks: u64| (scale.x_at(n_ticks as f64) - x).abs() <= TOUCH;
    let seconds = |n_ticks: u64| n_ticks as f64 * scale.dt;
    let lines: Vec<String> = match row {
        TimelineRow::Track(track) => {
            let mut at = visible(track, scale);
            let found = at.find(|one| (one.from as f64) <= tick && tick < one.to as f64 + 1.0)?;
            let (from, to) = (seconds(found.from), seconds(found.to + 1));
            vec![format!(
                "{}\n{from:.2} s to {to:.2} s, {:.2} s",
                found.label,
                to - from
            )]
        }
        TimelineRow::Moments(_, moments) => moments
            .iter()
            .filter(|moment| is_near(moment.n_ticks))
            .take(MAX_LISTED)
            .map(|moment| {
                let time = seconds(moment.n_ticks);
                format!("{} at {time:.2} s\n{}", moment.name, moment.details)
            })
            .collect(),
        TimelineRow::Reloads(reloads) => reloads
            .iter()
            .filter(|(tick, _)| is_near(*tick))
            .map(|(tick, what)| format!("{what} reloaded at {:.2} s", seconds(*tick)))
            .collect(),
    };
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Draws the displayed moment.
pub fn draw_cursor(painter: &Painter, area: Rect, scale: &TimeScale, now: u64) {
    let x = scale.x_at(now as f64 + 0.5);
    if x >= scale.left {
        painter.vline(x, area.y_range(), Stroke::new(1.5, TEXT));
    }
}

/// Draws the selected range.
pub fn draw_range(painter: &Painter, area: Rect, scale: &TimeScale, [from, to]: [u64; 2]) {
    let left = scale.x_at(from as f64).max(scale.left);
    let right = scale.x_at(to as f64).max(scale.left);
    let rect = Rect::from_min_max(pos2(left, area.min.y), pos2(right, area.max.y));
    painter.rect_filled(rect, 0, ACCENT.gamma_multiply(0.12));
    painter.rect_stroke(rect, 0, Stroke::new(1.0, ACCENT), egui::StrokeKind::Inside);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_and_positions_correspond() {
        let scale = TimeScale {
            left: 100.0,
            right: 700.0,
            first: 60.0,
            last: 660.0,
            dt: 1.0 / 60.0,
        };
        assert_eq!(scale.x_at(60.0), 100.0);
        assert_eq!(scale.x_at(660.0), 700.0);
        assert_eq!(scale.tick_at(400.0), 360.0);
    }
}
