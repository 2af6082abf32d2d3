//! The debugger: the scripts with their breakpoints, and the stopped script.

use egui::{
    Align, Align2, ComboBox, FontId, Layout, Rect, RichText, ScrollArea, Sense, TextStyle, Ui,
    pos2, vec2,
};

use super::output::StudioOutput;
use super::style::{ACCENT, BLOCKED, DEEP, DIM, FADING, LINE, TEXT, heading, hint};
use super::variables_view;
use crate::debug_facts::{DebugAction, DebugFacts, ScriptStop, reason_text};
use crate::studio_facts::{StudioAction, StudioFacts};
use galatea_script::{Breakpoint, ScriptStep, StopReason};

/// Width of the column with breakpoints and line numbers, points.
const GUTTER: f32 = 52.0;
/// Part of the panel that the script takes.
const SOURCE: f32 = 0.55;
/// Radius of a breakpoint, points.
const DOT: f32 = 4.0;

/// The debugger.
#[derive(Default)]
pub struct DebuggerPane {
    /// Path of the shown script; empty for the main script.
    file: String,
    /// Number of the last stop that was brought into view.
    shown_stop: u64,
    /// Line to bring into view.
    goal: Option<u32>,
    /// Text of the field for a new expression.
    watch: String,
    /// Breakpoint with an edited condition: file, line and text.
    condition: Option<(String, u32, String)>,
}

impl DebuggerPane {
    /// Shows the debugger.
    pub fn show(&mut self, ui: &mut Ui, facts: &StudioFacts<'_>, out: &mut StudioOutput) {
        let Some(debugging) = facts.debugging else {
            return hint(ui, "Scripts can be debugged in galatea play.");
        };
        let stop = debugging.stop.as_ref();
        if let Some(stop) = stop.filter(|stop| stop.number != self.shown_stop) {
            self.shown_stop = stop.number;
            self.show_frame(stop);
        }
        if !debugging.texts.contains_key(&self.file) {
            let mut known = debugging.texts.keys();
            let main = known.clone().find(|file| *file == facts.main_script);
            self.file = main.or_else(|| known.next()).cloned().unwrap_or_default();
        }
        self.show_bar(ui, debugging, out);
        if let Some(stop) = stop {
            let color = match stop.reason {
                StopReason::Error(_) | StopReason::WrongCondition(_) => BLOCKED,
                _ => FADING,
            };
            ui.label(RichText::new(reason_text(&stop.reason)).color(color));
        }
        let size = ui.available_size();
        // Beside each other in a wide panel, below each other in a high one.
        let (layout, part) = if size.x > size.y {
            let layout = Layout::left_to_right(Align::Min);
            (layout, vec2(size.x * SOURCE, size.y))
        } else {
            let layout = Layout::top_down(Align::Min);
            (layout, vec2(size.x, size.y * SOURCE))
        };
        ui.with_layout(layout, |ui| {
            let inner = Layout::top_down(Align::Min);
            ui.allocate_ui_with_layout(part, inner, |ui| {
                self.show_source(ui, debugging, out);
            });
            ui.vertical(|ui| {
                let scroll = ScrollArea::both().id_salt("debugger state");
                scroll.auto_shrink(false).show(ui, |ui| match stop {
                    Some(stop) => self.show_stop(ui, debugging, stop, out),
                    None => self.show_breakpoints(ui, debugging, out),
                });
            });
        });
    }

    /// Shows the line of the selected function.
    fn show_frame(&mut self, stop: &ScriptStop) {
        if let Some(frame) = stop.frames.get(stop.frame) {
            self.file.clone_from(&frame.file);
            self.goal = Some(frame.line);
        }
    }

    fn show_bar(&mut self, ui: &mut Ui, debugging: &DebugFacts, out: &mut StudioOutput) {
        ui.horizontal(|ui| {
            let mut button = |text: &str, key: &str, action: DebugAction| {
                let button = ui.button(text);
                out.note_area("button", text, button.rect);
                let button = match key {
                    "" => button,
                    key => button.on_hover_text(key),
                };
                if button.clicked() {
                    out.act(StudioAction::Debug(action));
                }
            };
            if debugging.stop.is_some() {
                for (text, key, step) in [
                    ("Continue", "F5", ScriptStep::Continue),
                    ("Over", "F10: to the next line", ScriptStep::Over),
                    ("Into", "F11: into the function", ScriptStep::Into),
                    ("Out", "Shift+F11: back to the caller", ScriptStep::Out),
                ] {
                    button(text, key, DebugAction::Step(step));
                }
            } else {
                let key = "Stops at the next line that a script runs";
                button("Pause script", key, DebugAction::Pause);
            }
            let mut breaks = debugging.breaks_on_errors;
            let choice = ui.checkbox(&mut breaks, "Stop at errors");
            out.note_area("button", "Stop at errors", choice.rect);
            if choice.changed() {
                out.act(StudioAction::Debug(DebugAction::BreakOnErrors(breaks)));
            }
        });
        let mut files: Vec<&String> = debugging.texts.keys().collect();
        files.sort();
        let list = ComboBox::from_id_salt("debugger script").width(220.0);
        list.selected_text(&self.file).show_ui(ui, |ui| {
            for file in files {
                if ui.selectable_label(self.file == *file, file).clicked() {
                    self.file.clone_from(file);
                }
            }
        });
    }

    /// Shows the script with its breakpoints. A click next to a line sets a breakpoint there, or removes it.
    fn show_source(&mut self, ui: &mut Ui, debugging: &DebugFacts, out: &mut StudioOutput) {
        let Some(text) = debugging.texts.get(&self.file) else {
            return hint(ui, "No script is loaded.");
        };
        let own = debugging.breakpoints.get(&self.file);
        let own = own.map_or(&[][..], Vec::as_slice);
        let frames = debugging.stop.iter().flat_map(|stop| {
            let frames = stop.frames.iter().enumerate();
            frames.filter(|(_, frame)| frame.file == self.file)
        });
        let frames: Vec<(usize, u32)> = frames.map(|(i, frame)| (i, frame.line)).collect();
        let font = TextStyle::Monospace.resolve(ui.style());
        let height = ui.text_style_height(&TextStyle::Monospace) + 2.0;
        let lines: Vec<&str> = text.lines().collect();
        ui.painter()
            .rect_filled(ui.available_rect_before_wrap(), 3.0, DEEP);
        ui.spacing_mut().item_spacing.y = 0.0;
        let scroll = ScrollArea::both().auto_shrink(false);
        let mut scroll = scroll.id_salt(("debugger source", &self.file));
        if let Some(line) = self.goal.take() {
            let middle = (ui.available_height() / 2.0 - height).max(0.0);
            let offset = (line as f32 - 1.0) * height - middle;
            scroll = scroll.vertical_scroll_offset(offset.max(0.0));
        }
        scroll.show_rows(ui, height, lines.len(), |ui, shown| {
            for i in shown {
                let number = i as u32 + 1;
                let row = SourceRow {
                    number,
                    code: lines[i],
                    breakpoint: own
                        .iter()
                        .find(|(one, place)| place.unwrap_or(one.line) == number),
                    frame: frames
                        .iter()
                        .find(|(_, line)| *line == number)
                        .map(|(i, _)| *i),
                };
                if row.show(ui, &font, height, &self.file, out) {
                    out.act(StudioAction::Debug(DebugAction::Toggle {
                        file: self.file.clone(),
                        line: number,
                    }));
                }
            }
        });
    }

    /// Shows functions, variables and watched expressions of a stopped script.
    fn show_stop(
        &mut self,
        ui: &mut Ui,
        debugging: &DebugFacts,
        stop: &ScriptStop,
        out: &mut StudioOutput,
    ) {
        heading(ui, "Call stack");
        for (i, frame) in stop.frames.iter().enumerate() {
            let text = format!("{}   {}:{}", frame.name, frame.file, frame.line);
            let row = ui.selectable_label(i == stop.frame, text);
            out.note_area("frame", &i.to_string(), row.rect);
            if row.clicked() {
                out.act(StudioAction::Debug(DebugAction::ShowFrame(i)));
                self.file.clone_from(&frame.file);
                self.goal = Some(frame.line);
            }
        }
        self.show_watches(ui, debugging, stop, out);
        for (scope, variables) in &stop.scopes {
            variables_view::show(ui, *scope, variables, &stop.parts, out);
        }
    }

    fn show_watches(
        &mut self,
        ui: &mut Ui,
        debugging: &DebugFacts,
        stop: &ScriptStop,
        out: &mut StudioOutput,
    ) {
        heading(ui, "Watched");
        for (expression, value) in debugging.watches.iter().zip(&stop.watches) {
            ui.horizontal(|ui| {
                if ui.small_button("x").on_hover_text("Remove").clicked() {
                    let action = DebugAction::Unwatch(expression.clone());
                    out.act(StudioAction::Debug(action));
                }
                match value {
                    Ok(value) => variables_view::show_one(ui, expression, value, &stop.parts, out),
                    Err(why) => {
                        ui.label(RichText::new(expression).monospace());
                        ui.label(RichText::new(why).color(BLOCKED));
                    }
                }
            });
        }
        let field = egui::TextEdit::singleline(&mut self.watch);
        let field = ui.add(field.hint_text("expression").desired_width(180.0));
        out.note_area("field", "watch", field.rect);
        if field.lost_focus() && !self.watch.trim().is_empty() {
            let expression = std::mem::take(&mut self.watch).trim().to_owned();
            out.act(StudioAction::Debug(DebugAction::Watch(expression)));
        }
    }

    /// Shows all breakpoints with their conditions.
    fn show_breakpoints(&mut self, ui: &mut Ui, debugging: &DebugFacts, out: &mut StudioOutput) {
        ui.horizontal(|ui| {
            heading(ui, "Breakpoints");
            if !debugging.breakpoints.is_empty() {
                let clear = ui.small_button("Remove all");
                out.note_area("button", "Remove all", clear.rect);
                if clear.clicked() {
                    out.act(StudioAction::Debug(DebugAction::ClearBreakpoints));
                }
            }
        });
        if debugging.breakpoints.is_empty() {
            hint(ui, "A click at the left of a line sets one.");
        }
        for (file, own) in &debugging.breakpoints {
            for (breakpoint, place) in own {
                self.show_breakpoint(ui, file, breakpoint, *place, out);
            }
        }
    }

    fn show_breakpoint(
        &mut self,
        ui: &mut Ui,
        file: &str,
        breakpoint: &Breakpoint,
        place: Option<u32>,
        out: &mut StudioOutput,
    ) {
        let line = breakpoint.line;
        let shown = place.unwrap_or(line);
        ui.horizontal(|ui| {
            let text = format!("{file}:{shown}");
            let row = ui.selectable_label(false, text);
            if row.clicked() {
                file.clone_into(&mut self.file);
                self.goal = Some(shown);
            }
            if place.is_none() {
                let note = RichText::new("not loaded").color(DIM);
                ui.label(note);
            }
        });
        let stored = breakpoint.condition.clone().unwrap_or_default();
        let edited = self.condition.take();
        let (edited, other) = match edited {
            Some((of, at, text)) if of == file && at == line => (Some(text), None),
            other => (None, other),
        };
        let mut text = edited.unwrap_or_else(|| stored.clone());
        let field = egui::TextEdit::singleline(&mut text).hint_text("only if (Lua expression)");
        let field = ui.add(field.desired_width(220.0).font(TextStyle::Monospace));
        out.note_area("condition", &format!("{file}:{line}"), field.rect);
        self.condition = other;
        if field.lost_focus() && text != stored {
            out.act(StudioAction::Debug(DebugAction::SetCondition {
                file: file.to_owned(),
                line,
                condition: text.trim().to_owned(),
            }));
        } else if field.has_focus() {
            self.condition = Some((file.to_owned(), line, text));
        }
    }
}

/// A line of a script.
struct SourceRow<'a> {
    number: u32,
    code: &'a str,
    breakpoint: Option<&'a (Breakpoint, Option<u32>)>,
    /// Index of the function that is in this line.
    frame: Option<usize>,
}

impl SourceRow<'_> {
    /// Shows the line. Returns true if the column next to it was clicked.
    fn show(
        &self,
        ui: &mut Ui,
        font: &FontId,
        height: f32,
        file: &str,
        out: &mut StudioOutput,
    ) -> bool {
        let code = self.code.replace('\t', "    ");
        let galley = ui.painter().layout_no_wrap(code, font.clone(), TEXT);
        let width = (GUTTER + galley.size().x + 8.0).max(ui.available_width());
        let (area, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
        let painter = ui.painter().clone();
        if let Some(frame) = self.frame {
            let color = if frame == 0 { FADING } else { LINE };
            painter.rect_filled(area, 0.0, color.gamma_multiply(0.35));
        }
        let beside = Rect::from_min_size(area.min, vec2(GUTTER - 6.0, height));
        let id = ui.scope_id().with(("breakpoint", self.number));
        let clicked = ui.interact(beside, id, Sense::click());
        out.note_area("line", &format!("{file}:{}", self.number), beside);
        let at = pos2(area.min.x + 9.0, area.center().y);
        match self.breakpoint {
            Some((breakpoint, place)) => {
                let color = match (place, &breakpoint.condition) {
                    (None, _) => DIM,
                    (_, Some(_)) => FADING,
                    _ => BLOCKED,
                };
                painter.circle_filled(at, DOT, color);
            }
            None if clicked.hovered() => {
                painter.circle_filled(at, DOT, BLOCKED.gamma_multiply(0.4));
            }
            None => {}
        }
        if self.frame == Some(0) {
            arrow(&painter, pos2(area.min.x + 19.0, area.center().y));
        }
        let end = pos2(area.min.x + GUTTER - 8.0, area.center().y);
        let number = self.number.to_string();
        painter.text(end, Align2::RIGHT_CENTER, number, font.clone(), DIM);
        let start = pos2(area.min.x + GUTTER, area.center().y - galley.size().y / 2.0);
        painter.galley(start, galley, TEXT);
        clicked.clicked()
    }
}

/// Marks the line that runs next.
fn arrow(painter: &egui::Painter, at: egui::Pos2) {
    let points = [vec2(-4.0, -4.0), vec2(4.0, 0.0), vec2(-4.0, 4.0)];
    let points = points.map(|offset| at + offset).to_vec();
    let stroke = egui::Stroke::NONE;
    painter.add(egui::Shape::convex_polygon(points, ACCENT, stroke));
}
