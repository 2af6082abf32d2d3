//! The meters of the selected character over the last seconds.

use egui::{Align2, FontId, Response, RichText, ScrollArea, Sense, Shape, Stroke, Ui, pos2, vec2};

use super::output::StudioOutput;
use super::style::{ACCENT, BLOCKED, DEEP, DIM, FADING, TEXT, hint};
use super::timeline_tracks::{TimeScale, draw_cursor};
use crate::run_diff::PerTick;
use crate::studio_facts::{StudioAction, StudioFacts};
use galatea_character::METRICS;

/// Ticks that are shown: ten seconds.
const SHOWN: u64 = 600;
/// Height of a plot, points.
const HEIGHT: f32 = 70.0;

/// Appearance of a meter.
struct MeterLook {
    title: &'static str,
    unit: &'static str,
    /// Factor from the reading to the unit.
    factor: f32,
    /// Value above which something is wrong, in the unit.
    limit: f32,
    hint: &'static str,
}

/// Appearance of the meters, in the order of [`METRICS`].
const LOOKS: [MeterLook; METRICS.len()] = [
    MeterLook {
        title: "Foot slide",
        unit: "mm per tick",
        factor: 1000.0,
        limit: 1.0,
        hint: "How far a planted foot moved over the ground in a tick. Foot IK or a matching speed helps",
    },
    MeterLook {
        title: "Pop",
        unit: "× clips",
        factor: 1.0,
        limit: 2.0,
        hint: "Largest jerk of a bone relative to that of the clips. A longer fade helps",
    },
    MeterLook {
        title: "Root drift",
        unit: "cm",
        factor: 100.0,
        limit: 10.0,
        hint: "Distance of the hips from the clips. Root motion helps",
    },
    MeterLook {
        title: "Lip lag",
        unit: "ms",
        factor: 1000.0,
        limit: 80.0,
        hint: "How late the mouth is after the sound; negative if it is early",
    },
];

/// Shows the meters.
pub fn show(ui: &mut Ui, facts: &StudioFacts<'_>, out: &mut StudioOutput) {
    let (Some(log), Some(recorded)) = (facts.log, facts.recorded) else {
        return hint(ui, facts.why_not_recorded());
    };
    let stage = facts.stage;
    let Some((_, character)) = facts.selected_character() else {
        return hint(ui, "Select a character in the list or in the picture.");
    };
    let Some(readings) = log.readings.get(character.shown_name()) else {
        return hint(ui, "Characters with a state machine have meters.");
    };
    let now = facts.past.map_or(recorded[1], |past| past.n_ticks);
    let last = (now + SHOWN / 4).min(recorded[1]).max(now);
    let window = [last.saturating_sub(SHOWN), last];
    let scroll = ScrollArea::vertical().auto_shrink(false);
    scroll.id_salt("studio meters").show(ui, |ui| {
        for (i, look) in LOOKS.iter().enumerate() {
            show_meter(ui, (i, look), readings, (window, now, stage.clock.dt), out);
        }
    });
}

/// Shows one meter over a window of ticks. A click displays that moment.
fn show_meter(
    ui: &mut Ui,
    (meter, look): (usize, &MeterLook),
    readings: &PerTick<[f32; METRICS.len()]>,
    (window, now, dt): ([u64; 2], u64, f64),
    out: &mut StudioOutput,
) {
    let value = |tick: u64| {
        let reading = readings.get(tick)?.get(meter)?;
        Some(reading * look.factor).filter(|value| value.is_finite())
    };
    let ticks = window[0]..=window[1];
    let values = ticks.filter_map(|tick| Some((tick, value(tick)?)));
    let values: Vec<(u64, f32)> = values.collect();
    let by_size = |a: &&(u64, f32), b: &&(u64, f32)| a.1.abs().total_cmp(&b.1.abs());
    let peak = values.iter().max_by(by_size).copied().unwrap_or_default();
    ui.horizontal(|ui| {
        ui.label(RichText::new(look.title).strong())
            .on_hover_text(look.hint);
        let shown = value(now).unwrap_or_default();
        ui.label(RichText::new(format!("{shown:.2} {}", look.unit)).monospace());
        let color = if peak.1.abs() > look.limit {
            BLOCKED
        } else {
            DIM
        };
        let time = peak.0 as f64 * dt;
        let text = format!("at most {:.2} at {time:.2} s", peak.1);
        ui.label(RichText::new(text).color(color));
    });
    let size = vec2(ui.available_width(), HEIGHT);
    let (area, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    out.note_area("meter", look.title, area);
    let painter = ui.painter_at(area);
    painter.rect_filled(area, 4, DEEP);
    let scale = TimeScale {
        left: area.min.x,
        right: area.max.x,
        first: window[0] as f64,
        last: window[1] as f64,
        dt,
    };
    let most = peak.1.abs().max(1.3 * look.limit);
    let has_negative = values.iter().any(|(_, value)| *value < 0.0);
    let least = if has_negative { -most } else { 0.0 };
    let y = |value: f32| {
        let fraction = (value - least) / (most - least);
        area.max.y - 3.0 - fraction * (area.height() - 6.0)
    };
    for limit in [look.limit, -look.limit] {
        if limit > least {
            let stroke = Stroke::new(1.0, FADING.gamma_multiply(0.6));
            painter.hline(area.x_range(), y(limit), stroke);
        }
    }
    let font = FontId::proportional(10.0);
    let at = pos2(area.max.x - 4.0, y(look.limit) - 1.0);
    let limit = format!("{} {}", look.limit, look.unit);
    painter.text(at, Align2::RIGHT_BOTTOM, limit, font, DIM);
    let points = values.iter();
    let points = points.map(|(tick, value)| pos2(scale.x_at(*tick as f64), y(*value)));
    painter.add(Shape::line(points.collect(), Stroke::new(1.4, ACCENT)));
    for (tick, value) in values.iter().filter(|(_, value)| value.abs() > look.limit) {
        let at = pos2(scale.x_at(*tick as f64), y(*value));
        painter.circle_filled(at, 1.8, BLOCKED);
    }
    draw_cursor(&painter, area, &scale, now);
    show_pointer(look, (&response, &scale), &value, out);
    if let Some(at) = response.hover_pos() {
        let stroke = Stroke::new(1.0, TEXT.gamma_multiply(0.3));
        painter.vline(at.x, area.y_range(), stroke);
    }
}

/// Displays the moment that is clicked, and the value at the pointer.
fn show_pointer(
    look: &MeterLook,
    (response, scale): (&Response, &TimeScale),
    value: &dyn Fn(u64) -> Option<f32>,
    out: &mut StudioOutput,
) {
    let tick_at = |x: f32| scale.tick_at(x).round().min(scale.last).max(0.0) as u64;
    if let Some(at) = response.interact_pointer_pos()
        && (response.clicked() || response.dragged())
    {
        out.act(StudioAction::ShowTick(tick_at(at.x)));
    }
    let tick = response.hover_pos().map(|at| tick_at(at.x));
    if let Some((tick, value)) = tick.and_then(|tick| Some((tick, value(tick)?))) {
        let time = tick as f64 * scale.dt;
        let text = format!("{value:.2} {} at {time:.2} s", look.unit);
        response.clone().on_hover_text_at_pointer(text);
    }
}
