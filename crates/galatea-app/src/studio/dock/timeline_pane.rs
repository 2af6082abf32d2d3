//! The recorded past of the selected character, on tracks over time.

use egui::{Rect, RichText, ScrollArea, Sense, Ui, vec2};

use super::output::StudioOutput;
use super::style::{DIM, hint};
use super::test_menu::TestMenu;
use super::timeline_tracks::{
    TimeScale, TimelineRow, draw_axis, draw_cursor, draw_range, draw_row, row_hint, rows,
};
use crate::character_history::StageHistory;
use crate::past_position::PastPosition;
use crate::studio_facts::{StudioAction, StudioFacts};

/// Width of the names of the tracks, points.
const NAMES: f32 = 96.0;
/// Height of the axis, points.
const AXIS: f32 = 18.0;
/// Ticks that are shown at first: ten seconds.
const USUAL_TICKS: f64 = 600.0;
/// Range of the ticks that are shown.
const MIN_SHOWN: f64 = 30.0;
const MAX_SHOWN: f64 = 36_000.0;

/// The tracks of the selected character.
pub struct TimelinePane {
    /// Number of ticks that are shown.
    n_shown: f64,
    /// Last tick that is shown; `None` follows the present or the displayed past.
    end: Option<f64>,
    /// Range that is played again and again, in ticks.
    range: Option<[u64; 2]>,
    /// Suppressed markers are shown.
    shows_suppressed: bool,
    test_menu: TestMenu,
}

impl Default for TimelinePane {
    fn default() -> Self {
        Self {
            n_shown: USUAL_TICKS,
            end: None,
            range: None,
            shows_suppressed: true,
            test_menu: TestMenu::default(),
        }
    }
}

impl TimelinePane {
    /// Shows the tracks.
    pub fn show(&mut self, ui: &mut Ui, facts: &StudioFacts<'_>, out: &mut StudioOutput) {
        let (Some(history), Some(recorded)) = (facts.history, facts.recorded) else {
            return hint(ui, facts.why_not_recorded());
        };
        let now = facts.past.map_or(recorded[1], |past| past.n_ticks);
        self.show_buttons(ui, facts, out);
        if let Some(past) = &facts.past {
            self.play_range(past, out);
        }
        let end = self.end.unwrap_or_else(|| match facts.past {
            // The displayed moment stays in view.
            Some(_) => (now as f64 + 0.25 * self.n_shown).min(recorded[1] as f64),
            None => recorded[1] as f64,
        });
        let area = ui.available_rect_before_wrap();
        let mut scale = TimeScale {
            left: area.min.x + NAMES,
            right: area.max.x,
            first: end - self.n_shown,
            last: end,
            dt: facts.stage.clock.dt,
        };
        let (axis, response) =
            ui.allocate_exact_size(vec2(area.width(), AXIS), Sense::click_and_drag());
        self.scroll(ui, area, &mut scale);
        for tick in [recorded[0], recorded[1], now] {
            let at = egui::pos2(scale.x_at(tick as f64), axis.center().y);
            out.note_area(
                "tick",
                &tick.to_string(),
                Rect::from_center_size(at, vec2(1.0, 1.0)),
            );
        }
        self.drag(&response, &scale, recorded, out);
        draw_axis(&ui.painter_at(axis), axis, &scale, recorded[1]);
        let rows = self.rows(facts, history);
        if rows.is_empty() {
            hint(ui, "Select a character in the list or in the picture.");
        }
        let scroll = ScrollArea::vertical().auto_shrink(false);
        scroll.id_salt("studio tracks").show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            for row in &rows {
                let size = vec2(area.width(), row.height());
                let (at, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
                self.drag(&response, &scale, recorded, out);
                draw_row(&ui.painter_at(at), at, row, &scale);
                if let Some(text) = response
                    .hover_pos()
                    .and_then(|at| row_hint(row, &scale, at.x))
                {
                    response.on_hover_text_at_pointer(text);
                }
            }
        });
        let tracks = Rect::from_min_max(area.min, area.max);
        let painter = ui.painter_at(tracks);
        if let Some(range) = self.range {
            draw_range(&painter, tracks, &scale, range);
        }
        draw_cursor(&painter, tracks, &scale, now);
    }

    fn rows<'h>(&self, facts: &StudioFacts<'_>, history: &'h StageHistory) -> Vec<TimelineRow<'h>> {
        let Some((_, character)) = facts.selected_character() else {
            return Vec::new();
        };
        rows(history, character.shown_name(), self.shows_suppressed)
    }

    fn show_buttons(&mut self, ui: &mut Ui, facts: &StudioFacts<'_>, out: &mut StudioOutput) {
        ui.horizontal(|ui| {
            let follow = ui.selectable_label(self.end.is_none(), "Follow");
            if follow
                .on_hover_text("Keeps the displayed moment in view")
                .clicked()
            {
                self.end = None;
            }
            let text = "Suppressed";
            ui.toggle_value(&mut self.shows_suppressed, text)
                .on_hover_text("Shows markers that listeners did not hear, with the reason");
            if let Some([from, to]) = self.range {
                let seconds = (to - from) as f64 * facts.stage.clock.dt;
                if ui.button(format!("▶ Loop {seconds:.2} s")).clicked() {
                    out.act(StudioAction::ShowTick(from));
                    out.act(StudioAction::PlayPast(1));
                }
                if ui.button("No range").clicked() {
                    self.range = None;
                }
            }
            if let Some((_, character)) = facts.selected_character() {
                let export = ui.button("Export");
                out.note_area("button", "Export", export.rect);
                let hint =
                    "Writes the selected range, or everything, to a JSON file in the folder out";
                if export.on_hover_text(hint).clicked() {
                    out.act(StudioAction::ExportTimeline {
                        character: character.shown_name().to_owned(),
                        range: self.range,
                    });
                }
                let name = character.shown_name();
                let history = facts.history.and_then(|all| all.characters.get(name));
                if let (Some(history), Some(log), Some(recorded)) =
                    (history, facts.log, facts.recorded)
                {
                    let ticks = self.range.unwrap_or([0, recorded[1]]);
                    let dt = facts.stage.clock.dt;
                    self.test_menu
                        .show(ui, name, (history, log), (ticks, dt), out);
                }
            }
            let text = "Click: shows the moment. Shift and drag: selects a range. Wheel: zooms";
            ui.label(RichText::new(text).small().color(DIM));
        });
    }

    /// Begins the range again when the past has played to its end.
    fn play_range(&self, past: &PastPosition, out: &mut StudioOutput) {
        if let Some([from, to]) = self.range
            && past.direction == 1
            && past.n_ticks >= to
        {
            out.act(StudioAction::ShowTick(from));
            out.act(StudioAction::PlayPast(1));
        }
    }

    /// Zooms with the wheel, around the pointer.
    fn scroll(&mut self, ui: &Ui, area: Rect, scale: &mut TimeScale) {
        let pointer = ui.input(|input| input.pointer.hover_pos());
        let Some(pointer) =
            pointer.filter(|at| area.contains(*at) && ui.rect_contains_pointer(area))
        else {
            return;
        };
        let (scroll, moved) = ui.input(|input| {
            let middle = input.pointer.middle_down();
            let moved = if middle { input.pointer.delta().x } else { 0.0 };
            (input.smooth_scroll_delta().y, moved)
        });
        if scroll != 0.0 {
            let at = scale.tick_at(pointer.x);
            let factor = (f64::from(scroll) * -0.004).exp();
            let n_shown = (self.n_shown * factor).clamp(MIN_SHOWN, MAX_SHOWN);
            let last = at + (scale.last - at) * (n_shown / self.n_shown);
            self.n_shown = n_shown;
            if self.end.is_some() {
                self.end = Some(last);
                scale.last = last;
            }
            scale.first = scale.last - n_shown;
        }
        if moved != 0.0 {
            let by = f64::from(moved) / scale.points_per_tick();
            self.end = Some(scale.last - by);
            scale.first -= by;
            scale.last -= by;
        }
    }

    /// Shows the moment under the pointer, or selects a range while shift is held.
    fn drag(
        &mut self,
        response: &egui::Response,
        scale: &TimeScale,
        recorded: [u64; 2],
        out: &mut StudioOutput,
    ) {
        let is_used = response.is_pointer_button_down_on() || response.clicked();
        let pointer = response.interact_pointer_pos().filter(|_| is_used);
        let Some(pointer) = pointer else {
            return;
        };
        let [oldest, newest] = recorded.map(|tick| tick as f64);
        let tick = scale.tick_at(pointer.x).round().min(newest).max(oldest) as u64;
        if response.ctx.input(|input| input.modifiers.shift) {
            let began = response.ctx.input(|input| input.pointer.press_origin());
            let began = began.map_or(pointer.x, |at| at.x);
            let began = scale.tick_at(began).round().min(newest).max(oldest) as u64;
            self.range = (began != tick).then_some([began.min(tick), began.max(tick)]);
        } else if pointer.x >= scale.left {
            if self.end.is_none() {
                self.end = Some(scale.last);
            }
            out.act(StudioAction::ShowTick(tick));
        }
    }
}
