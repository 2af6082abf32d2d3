//! The values in the scripts, which can be changed while the game runs and written into the files.

use std::collections::BTreeMap;

use egui::{ComboBox, Label, Layout, RichText, ScrollArea, TextEdit, Ui, vec2};

use super::output::StudioOutput;
use super::style::{ACCENT, BLOCKED, DIM, TEXT, hint};
use super::value_editor::{Typing, ValueEditor};
use crate::script_edits::EditedScript;
use crate::studio_facts::{StudioAction, StudioFacts};
use galatea_machine::SourceLocation;
use galatea_script::literals::{LiteralFacts, ScriptValue, ValueKind};

/// Height of a row, points.
const ROW: f32 = 20.0;
/// Width of the line numbers, points.
const LINE_NUMBER: f32 = 34.0;
/// Largest part of the width for the editor of a value.
const EDITOR_SHARE: f32 = 0.46;

/// The values in the scripts.
#[derive(Default)]
pub struct ValuesPane {
    /// Path of the chosen script; `None` until the user has chosen one.
    file: Option<String>,
    /// Only values whose names or statements contain this text are listed.
    search: String,
    /// Texts without a list of words are listed too.
    shows_texts: bool,
    /// The text field that is being used.
    typing: Option<Typing>,
}

/// A row of the list, by the index of its statement or value.
enum ValueRow {
    Heading(usize),
    Value(usize),
}

impl ValuesPane {
    /// Shows the values.
    pub fn show(&mut self, ui: &mut Ui, facts: &StudioFacts<'_>, out: &mut StudioOutput) {
        let files = &facts.edits.files;
        let Some((path, file)) = self.chosen(files, facts.main_script) else {
            return hint(ui, "No script runs yet.");
        };
        self.show_choice(ui, files, &path, out);
        show_buttons(ui, facts, out);
        for (path, file) in files {
            show_conflicts(ui, path, file, out);
        }
        ui.separator();
        let rows = self.rows(file);
        if rows.is_empty() {
            let text = match self.search.is_empty() {
                true => "This script has no numbers, switches, vectors or words to set.",
                false => "No value has this text in its name or line.",
            };
            return hint(ui, text);
        }
        let scroll = ScrollArea::vertical().auto_shrink(false);
        let scroll = scroll.id_salt(("studio values", &path));
        scroll.show_rows(ui, ROW, rows.len(), |ui, shown| {
            for row in rows.get(shown).unwrap_or_default() {
                match row {
                    ValueRow::Heading(statement) => show_heading(ui, file, *statement),
                    ValueRow::Value(value) => self.show_value(ui, (&path, file), *value, out),
                }
            }
        });
    }

    /// The chosen script. At first it is the main script, or the first other one if that has no values.
    fn chosen<'f>(
        &self,
        files: &'f BTreeMap<String, EditedScript>,
        main: &str,
    ) -> Option<(String, &'f EditedScript)> {
        let chosen = self
            .file
            .as_deref()
            .and_then(|file| files.get_key_value(file));
        let main = files.get_key_value(main);
        let mut with_values = main
            .into_iter()
            .chain(files)
            .filter(|(_, file)| !self.rows(file).is_empty());
        let found = chosen.or_else(|| with_values.next());
        let (path, file) = found.or(main).or_else(|| files.first_key_value())?;
        Some((path.clone(), file))
    }

    fn show_choice(
        &mut self,
        ui: &mut Ui,
        files: &BTreeMap<String, EditedScript>,
        path: &str,
        out: &mut StudioOutput,
    ) {
        let title = |path: &str, file: &EditedScript| match file.edits.len() {
            0 => path.to_owned(),
            n => format!("{path} ({n} changed)"),
        };
        let choice = ComboBox::from_id_salt("studio values file").selected_text(path);
        let choice = choice.width(ui.available_width()).truncate();
        let choice = choice.show_ui(ui, |ui| {
            for (other, file) in files {
                let entry = ui.selectable_label(other == path, title(other, file));
                out.note_area("script", other, entry.rect);
                if entry.clicked() {
                    self.file = Some(other.clone());
                }
            }
        });
        out.note_area("button", "script", choice.response.rect);
        ui.horizontal(|ui| {
            let texts = ui.checkbox(&mut self.shows_texts, "Texts");
            out.note_area("button", "Texts", texts.rect);
            texts.on_hover_text("Lists texts too: names of states, clips, files and so on");
            let search = TextEdit::singleline(&mut self.search)
                .id(egui::Id::unique("studio values search"))
                .hint_text("Search")
                .desired_width(f32::INFINITY);
            ui.add(search);
        });
    }

    /// The rows of a script. Statements with several values have a heading.
    fn rows(&self, file: &EditedScript) -> Vec<ValueRow> {
        let wanted = self.search.to_lowercase();
        let all = file.literals.values.iter().zip(&file.facts).enumerate();
        let listed = all.filter(|(_, (value, facts))| {
            let statement = file.literals.statements.get(value.statement);
            let title = statement.map_or("", |statement| &statement.title);
            let has = |text: &str| wanted.is_empty() || text.to_lowercase().contains(&wanted);
            self.lists(value, facts.as_ref()) && (has(&value.label) || has(title))
        });
        let listed: Vec<(usize, &ScriptValue)> =
            listed.map(|(index, (value, _))| (index, value)).collect();
        let mut rows = Vec::new();
        for of_one in listed.chunk_by(|(_, a), (_, b)| a.statement == b.statement) {
            if let [(_, first), _, ..] = of_one {
                rows.push(ValueRow::Heading(first.statement));
            }
            rows.extend(of_one.iter().map(|(index, _)| ValueRow::Value(*index)));
        }
        rows
    }

    fn lists(&self, value: &ScriptValue, facts: Option<&LiteralFacts>) -> bool {
        let has_words = facts.is_some_and(|facts| !facts.words.is_empty());
        !matches!(value.kind, ValueKind::Text(_)) || has_words || self.shows_texts
    }

    fn show_value(
        &mut self,
        ui: &mut Ui,
        (path, file): (&str, &EditedScript),
        index: usize,
        out: &mut StudioOutput,
    ) {
        let Some((value, facts)) = file.literals.values.get(index).zip(file.facts.get(index))
        else {
            return;
        };
        let literals = value.kind.literals();
        let is_changed = |literal| file.edits.is_changed(literal);
        let is_changed = literals.iter().any(is_changed);
        let size = vec2(ui.available_width(), ROW);
        let row = Layout::left_to_right(egui::Align::Center);
        let id = ("studio value", path, index);
        ui.push_id(id, |ui| {
            ui.allocate_ui_with_layout(size, row, |ui| {
                ui.set_min_size(size);
                show_line_number(ui, path, value.line, out);
                let editor = EDITOR_SHARE * size.x;
                let name = vec2(ui.available_width() - editor, ROW);
                ui.allocate_ui_with_layout(name, row, |ui| {
                    ui.set_min_size(name);
                    let color = match (&value.kind, is_changed) {
                        (ValueKind::Computed(_), _) => DIM,
                        (_, true) => ACCENT,
                        (_, false) => TEXT,
                    };
                    let text = RichText::new(fitting(ui, &value.label)).color(color);
                    let label = ui.add(Label::new(text).truncate());
                    label.on_hover_text(explanation(file, value, facts.as_ref(), is_changed));
                });
                let mut editor = ValueEditor {
                    file: (path, file),
                    value,
                    facts: facts.as_ref(),
                    typing: &mut self.typing,
                };
                editor.show(ui, out);
            });
        });
    }
}

/// A name that fits into the rest of a row. Its end is kept, because it says the most.
fn fitting(ui: &Ui, name: &str) -> String {
    let width = ui.available_width();
    let font = egui::TextStyle::Body.resolve(ui.style());
    let fits = |text: &str| {
        let text = text.to_owned();
        let galley = ui.painter().layout_no_wrap(text, font.clone(), TEXT);
        galley.size().x <= width
    };
    if fits(name) {
        return name.to_owned();
    }
    let starts: Vec<usize> = name.char_indices().map(|(at, _)| at).collect();
    let shorter = |start: &usize| format!("…{}", name.get(*start..).unwrap_or_default());
    let first = starts.partition_point(|start| !fits(&shorter(start)));
    starts.get(first).map_or_else(String::new, shorter)
}

fn show_heading(ui: &mut Ui, file: &EditedScript, statement: usize) {
    let title = file.literals.statements.get(statement);
    let title = title.map_or("", |statement| &statement.title);
    let size = vec2(ui.available_width(), ROW);
    let row = Layout::left_to_right(egui::Align::Max);
    ui.allocate_ui_with_layout(size, row, |ui| {
        ui.set_min_size(size);
        let text = RichText::new(title).monospace().color(DIM);
        ui.add(Label::new(text).truncate());
    });
}

/// Shows the number of a line. A click opens the line in the editor.
fn show_line_number(ui: &mut Ui, path: &str, line: u32, out: &mut StudioOutput) {
    let size = vec2(LINE_NUMBER, ROW);
    let row = Layout::right_to_left(egui::Align::Center);
    ui.allocate_ui_with_layout(size, row, |ui| {
        ui.set_min_size(size);
        let link = ui.link(RichText::new(line.to_string()).monospace().color(DIM));
        out.note_area("line", &line.to_string(), link.rect);
        let hint = format!("{path}:{line}\nOpens the line in the editor");
        if link.on_hover_text(hint).clicked() {
            out.act(StudioAction::OpenSource(SourceLocation {
                file: path.into(),
                line,
            }));
        }
    });
}

/// The full name of a value, its meaning, and what was changed.
fn explanation(
    file: &EditedScript,
    value: &ScriptValue,
    facts: Option<&LiteralFacts>,
    is_changed: bool,
) -> String {
    let mut lines = vec![value.label.clone()];
    lines.extend(facts.map(|facts| facts.meaning.clone()));
    if let ValueKind::Computed(range) = &value.kind {
        let text = file.edits.base().get(range.clone()).unwrap_or_default();
        lines.push(format!(
            "{text} is computed when the script runs; change it in the editor"
        ));
    }
    if is_changed {
        for literal in value.kind.literals() {
            let before = file.edits.base().get(literal.range.clone());
            let now = file.edits.literal(literal);
            lines.push(format!(
                "{} in the file, {now} now",
                before.unwrap_or_default()
            ));
        }
        lines.push("Right click on the value takes the change back".to_owned());
    }
    lines.join("\n")
}

fn show_buttons(ui: &mut Ui, facts: &StudioFacts<'_>, out: &mut StudioOutput) {
    let edits = facts.edits;
    let n = edits.n_changed();
    ui.horizontal(|ui| {
        let mut button = |ui: &mut Ui, is_on: bool, text: &str, hint: &str, action| {
            let button = ui.add_enabled(is_on, egui::Button::new(text));
            out.note_area("button", text, button.rect);
            if button.on_hover_text(hint).clicked() {
                out.act(action);
            }
        };
        let hint = "Writes the changed values into the scripts; all other bytes stay as they are";
        button(ui, n > 0, "Apply", hint, StudioAction::ApplyValues);
        let hint = "Takes back all changes that are not applied";
        button(ui, n > 0, "Discard", hint, StudioAction::DiscardValues);
        let hint = "Takes back in the files what was applied last";
        button(ui, edits.can_undo(), "Undo", hint, StudioAction::UndoValues);
        let hint = "Applies again what was taken back";
        button(ui, edits.can_redo(), "Redo", hint, StudioAction::RedoValues);
        let text = match n {
            0 => String::new(),
            n => format!("{n} changed"),
        };
        ui.label(RichText::new(text).color(ACCENT));
    });
}

/// Shows values that were changed both in the studio and in the file.
fn show_conflicts(ui: &mut Ui, path: &str, file: &EditedScript, out: &mut StudioOutput) {
    for (index, conflict) in file.conflicts.iter().enumerate() {
        let in_file = file.in_file(conflict);
        let text = match in_file {
            Some(in_file) => format!(
                "{path}: {} was {}; it is {in_file} in the file now and {} here",
                conflict.label, conflict.before, conflict.after
            ),
            None => format!(
                "{path}: {} was {}, and {} here; it is no longer in the file",
                conflict.label, conflict.before, conflict.after
            ),
        };
        ui.add(Label::new(RichText::new(text).color(BLOCKED)).wrap());
        ui.horizontal(|ui| {
            let mut button = |text: String, keeps_mine: bool| {
                let button = ui.button(text);
                let name = if keeps_mine { "mine" } else { "theirs" };
                out.note_area(name, &conflict.label, button.rect);
                if button.clicked() {
                    out.act(StudioAction::ResolveConflict {
                        file: path.to_owned(),
                        index,
                        keeps_mine,
                    });
                }
            };
            if in_file.is_some() {
                button(format!("Use {}", conflict.after), true);
            }
            button("Keep the file".to_owned(), false);
        });
    }
}
