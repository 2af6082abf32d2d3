//! The profiler: how long each part of a frame takes, each modifier and each Lua function.

use std::collections::VecDeque;

use egui::{
    Align2, Color32, CornerRadius, FontId, Grid, Rect, RichText, ScrollArea, Sense, Stroke, Ui,
    pos2, vec2,
};

use super::output::StudioOutput;
use super::style::{ACCENT, BLOCKED, DEEP, DIM, FADING, TEXT, color_of, heading, hint};
use crate::profile::{
    PartSum, ProfiledFrame, Profiler, sum_of_functions, sum_of_modifiers, sum_of_parts,
};
use crate::studio_facts::{StudioAction, StudioFacts};
use galatea_machine::SourceLocation;

/// Height of the bars of the frames, points.
const BARS: f32 = 56.0;
/// Height of a row of the flame graph, points.
const FLAME_ROW: f32 = 16.0;
/// Largest number of rows of the flame graph.
const MAX_DEPTH: usize = 8;
/// Number of the last frames whose average is shown.
const AVERAGED: usize = 60;
/// Largest number of functions that are listed.
const MAX_FUNCTIONS: usize = 30;
/// Duration below which a part is not listed, seconds.
const SHORTEST: f64 = 1e-5;
/// Duration of a frame at 60 Hz, seconds.
const BUDGET: f64 = 1.0 / 60.0;

/// The frames whose parts are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shown {
    /// The average of the last second.
    #[default]
    Average,
    Worst,
    /// A frame, counted from the last one.
    Frame(usize),
}

/// The profiler.
#[derive(Default)]
pub struct ProfilePane {
    shown: Shown,
}

impl ProfilePane {
    /// Shows the profiler.
    pub fn show(&mut self, ui: &mut Ui, facts: &StudioFacts<'_>, out: &mut StudioOutput) {
        self.show_buttons(ui, facts.profiler, out);
        let Some(profiler) = facts.profiler else {
            return hint(
                ui,
                "Record measures each part of a frame, each modifier and each Lua function.",
            );
        };
        let frames = profiler.frames();
        self.show_bars(ui, frames, out);
        let one: Option<&ProfiledFrame> = match self.shown {
            Shown::Average => None,
            Shown::Worst => profiler.worst(),
            Shown::Frame(ago) => frames.iter().rev().nth(ago),
        };
        let last = frames.len().saturating_sub(AVERAGED);
        let listed: Vec<&ProfiledFrame> = match one {
            Some(frame) => vec![frame],
            None => frames.iter().skip(last).collect(),
        };
        let scroll = ScrollArea::vertical().auto_shrink(false);
        scroll.id_salt("studio profile").show(ui, |ui| {
            if let Some(frame) = one {
                show_flames(ui, frame);
            }
            show_scripts(ui, &listed);
            let parts = sum_of_parts(listed.iter().copied());
            table(ui, "Parts of a frame", &parts, out);
            let modifiers = sum_of_modifiers(listed.iter().copied());
            table(ui, "Modifiers of all characters", &modifiers, out);
            show_functions(ui, &listed, out);
        });
    }

    fn show_buttons(&mut self, ui: &mut Ui, profiler: Option<&Profiler>, out: &mut StudioOutput) {
        ui.horizontal(|ui| {
            let is_on = profiler.is_some_and(Profiler::is_on);
            let text = if is_on { "Stop" } else { "Record" };
            let record = ui.button(text);
            out.note_area("button", text, record.rect);
            if record
                .on_hover_text("The game is a little slower while it records")
                .clicked()
            {
                out.act(StudioAction::Profile(!is_on));
            }
            if profiler.is_none() {
                return;
            }
            for (shown, text, hint) in [
                (
                    Shown::Average,
                    "Last second",
                    "Shows the average of the last second",
                ),
                (
                    Shown::Worst,
                    "Worst frame",
                    "Shows the frame that took longest",
                ),
            ] {
                let choice = ui.selectable_label(self.shown == shown, text);
                out.note_area("button", text, choice.rect);
                if choice.on_hover_text(hint).clicked() {
                    self.shown = shown;
                }
            }
            let export = ui.button("Export trace");
            out.note_area("button", "Export trace", export.rect);
            let hint = "Writes out/profile.json, which ui.perfetto.dev and Chrome show";
            if export.on_hover_text(hint).clicked() {
                out.act(StudioAction::ExportProfile);
            }
        });
    }

    /// Shows the durations of the frames as bars. A click selects one.
    fn show_bars(&mut self, ui: &mut Ui, frames: &VecDeque<ProfiledFrame>, out: &mut StudioOutput) {
        let last = frames.iter().rev().take(AVERAGED);
        let average = last.map(ProfiledFrame::seconds).sum::<f64>();
        let average = average / frames.len().clamp(1, AVERAGED) as f64;
        let text = format!(
            "{} on average, longest {}; the line is 60 Hz",
            in_ms(average),
            in_ms(longest_of(frames))
        );
        ui.label(RichText::new(text).color(DIM));
        let size = vec2(ui.available_width(), BARS);
        let (area, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        out.note_area("profile", "frames", area);
        let painter = ui.painter_at(area);
        painter.rect_filled(area, CornerRadius::same(3), DEEP);
        let longest = frames
            .iter()
            .map(ProfiledFrame::seconds)
            .fold(BUDGET, f64::max);
        let height = |seconds: f64| (seconds / longest) as f32 * (area.height() - 2.0);
        let width = (area.width() / frames.len().max(1) as f32).min(6.0);
        for (ago, frame) in frames.iter().rev().enumerate() {
            let right = area.max.x - ago as f32 * width;
            let top = area.max.y - height(frame.seconds()).max(1.0);
            let bar = Rect::from_min_max(
                pos2(right - (width - 0.5).max(0.5), top),
                pos2(right, area.max.y),
            );
            let color = match (self.shown == Shown::Frame(ago), frame.seconds() > BUDGET) {
                (true, _) => TEXT,
                (false, true) => BLOCKED,
                (false, false) => ACCENT,
            };
            painter.rect_filled(bar, 0, color);
        }
        let y = area.max.y - height(BUDGET);
        painter.hline(area.x_range(), y, Stroke::new(1.0, FADING));
        if let Some(at) = response.interact_pointer_pos() {
            let ago = ((area.max.x - at.x) / width).max(0.0) as usize;
            if ago < frames.len() {
                self.shown = Shown::Frame(ago);
            }
        }
    }
}

fn longest_of(frames: &VecDeque<ProfiledFrame>) -> f64 {
    frames
        .iter()
        .map(ProfiledFrame::seconds)
        .fold(0.0, f64::max)
}

fn in_ms(seconds: f64) -> String {
    format!("{:.2} ms", seconds * 1000.0)
}

/// Shows the parts of a frame on the thread of the game over time.
fn show_flames(ui: &mut Ui, frame: &ProfiledFrame) {
    let own = || {
        frame
            .parts
            .iter()
            .filter(|part| part.thread == 0 && part.depth < MAX_DEPTH)
    };
    let begin = own().map(|part| part.start_ns).min().unwrap_or(0);
    let end = own()
        .map(|part| part.start_ns + part.duration_ns)
        .max()
        .unwrap_or(0);
    let depth = own().map(|part| part.depth).max().unwrap_or(0);
    let size = vec2(ui.available_width(), (depth + 1) as f32 * FLAME_ROW);
    let (area, response) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter_at(area);
    painter.rect_filled(area, CornerRadius::same(3), DEEP);
    let scale = area.width() / (end - begin).max(1) as f32;
    let pointer = response.hover_pos();
    let mut below = None;
    for part in own() {
        let left = area.min.x + (part.start_ns - begin) as f32 * scale;
        let top = area.min.y + part.depth as f32 * FLAME_ROW;
        let size = vec2((part.duration_ns as f32 * scale).max(0.5), FLAME_ROW - 1.0);
        let rect = Rect::from_min_size(pos2(left, top), size);
        painter.rect_filled(rect, CornerRadius::same(2), color_of(&part.name));
        if rect.width() > 24.0 {
            let inside = painter.with_clip_rect(rect.shrink(2.0).intersect(area));
            let font = FontId::proportional(11.0);
            let at = rect.left_center() + vec2(4.0, 0.0);
            inside.text(
                at,
                Align2::LEFT_CENTER,
                title(&part.name, &part.detail),
                font,
                Color32::WHITE,
            );
        }
        if pointer.is_some_and(|at| rect.expand2(vec2(1.0, 0.0)).contains(at)) {
            below = Some(part);
        }
    }
    if let Some(part) = below {
        let seconds = part.duration_ns as f64 * 1e-9;
        response.on_hover_text_at_pointer(format!(
            "{}\n{}",
            title(&part.name, &part.detail),
            in_ms(seconds)
        ));
    }
}

fn title(name: &str, detail: &str) -> String {
    let name = name.replace('_', " ");
    match detail {
        "" => name,
        detail => format!("{name} {detail}"),
    }
}

/// Shows the memory of the scripts.
fn show_scripts(ui: &mut Ui, frames: &[&ProfiledFrame]) {
    let Some(last) = frames.last() else { return };
    let allocated: u64 = frames.iter().map(|frame| frame.scripts.allocated).sum();
    let allocated = allocated as f64 / frames.len() as f64 / 1024.0;
    let used = last.script_memory as f64 / (1 << 20) as f64;
    let text = format!("Scripts allocate {allocated:.1} KiB per frame and use {used:.1} MiB");
    ui.label(RichText::new(text).color(DIM));
}

fn table(ui: &mut Ui, name: &str, rows: &[PartSum], out: &mut StudioOutput) {
    let is_shown = |row: &&PartSum| row.worst >= SHORTEST;
    let n_shown = rows.iter().filter(is_shown).count();
    if n_shown == 0 {
        return;
    }
    heading(ui, name);
    Grid::new(name).num_columns(4).striped(true).show(ui, |ui| {
        header(ui, "calls");
        for row in rows.iter().filter(is_shown) {
            let indent = "    ".repeat(row.depth);
            let label = ui.label(format!("{indent}{}", title(&row.name, "")));
            out.note_area("part", &row.name, label.rect);
            numbers(ui, row);
        }
    });
    if n_shown < rows.len() {
        let text = format!(
            "{} others take less than {}",
            rows.len() - n_shown,
            in_ms(SHORTEST)
        );
        hint(ui, &text);
    }
}

fn header(ui: &mut Ui, number: &str) {
    for text in ["", "per frame", "longest", number] {
        ui.label(RichText::new(text).small().color(DIM));
    }
    ui.end_row();
}

fn numbers(ui: &mut Ui, row: &PartSum) {
    let color = match row.worst > BUDGET {
        true => BLOCKED,
        false => TEXT,
    };
    ui.label(RichText::new(in_ms(row.seconds)).monospace());
    ui.label(RichText::new(in_ms(row.worst)).monospace().color(color));
    ui.label(
        RichText::new(format!("{:.1}", row.n_calls))
            .monospace()
            .color(DIM),
    );
    ui.end_row();
}

/// Shows the functions of the scripts. A click opens their lines in the editor.
fn show_functions(ui: &mut Ui, frames: &[&ProfiledFrame], out: &mut StudioOutput) {
    let functions = sum_of_functions(frames.iter().copied());
    if functions.is_empty() {
        return;
    }
    heading(
        ui,
        "Lua functions, without the Lua functions that they call",
    );
    let grid = Grid::new("studio profile functions").num_columns(4);
    grid.striped(true).show(ui, |ui| {
        header(ui, "steps");
        for (function, sum) in functions.iter().take(MAX_FUNCTIONS) {
            let name = match function.name.as_str() {
                "" => "function",
                name => name,
            };
            let at = format!("{}:{}", function.file, function.line);
            // Others are parts of the runtime that are written in Lua.
            if function.file.ends_with(".lua") || function.file.ends_with(".luau") {
                let link = ui.link(format!("{name}  {at}"));
                out.note_area("function", &at, link.rect);
                if link.on_hover_text("Opens the line in the editor").clicked() {
                    out.act(StudioAction::OpenSource(SourceLocation {
                        file: function.file.as_str().into(),
                        line: function.line,
                    }));
                }
            } else {
                ui.label(RichText::new(format!("{at} of the runtime")).color(DIM));
            }
            numbers(ui, sum);
        }
    });
}
