//! Editors of the values in a script: numbers to drag, check boxes, words to choose, colours and texts.

use egui::{ComboBox, DragValue, Response, RichText, TextEdit, Ui, vec2};

use super::output::StudioOutput;
use super::style::DIM;
use crate::script_edits::EditedScript;
use crate::studio_facts::StudioAction;
use galatea_script::literals::{
    Literal, LiteralFacts, ScriptValue, ValueKind, number_literal, number_of_literal,
    string_literal, string_of_literal,
};

/// Decimals that are shown of a number.
const MAX_DECIMALS: usize = 4;
/// Width of a number, points.
const NUMBER_WIDTH: f32 = 50.0;
/// Number of steps between the limits of a number when it is dragged.
const STEPS: f64 = 200.0;
/// Precision of a chosen colour.
const COLOR_STEP: f64 = 1e-4;

/// A text field that is being used.
pub(super) struct Typing {
    /// Path of the script, and position of the literal, bytes.
    at: (String, usize),
    text: String,
}

/// The editor of a value.
pub(super) struct ValueEditor<'a> {
    /// The script and its path.
    pub file: (&'a str, &'a EditedScript),
    pub value: &'a ScriptValue,
    pub facts: Option<&'a LiteralFacts>,
    pub typing: &'a mut Option<Typing>,
}

impl ValueEditor<'_> {
    /// Shows the editor in the rest of the row.
    pub fn show(&mut self, ui: &mut Ui, out: &mut StudioOutput) {
        let value = self.value;
        match &value.kind {
            ValueKind::Number(literal) => self.number(ui, literal, &value.label, out),
            ValueKind::Switch(literal) => self.switch(ui, literal, out),
            ValueKind::Text(literal) => match self.facts {
                Some(facts) if !facts.words.is_empty() => self.words(ui, literal, facts, out),
                _ => self.text(ui, literal, out),
            },
            ValueKind::Vector(literals) => match self.color(literals) {
                Some(color) => self.color_button(ui, literals, color, out),
                None => self.vector(ui, literals, out),
            },
            ValueKind::Computed(range) => {
                let text = self.file.1.edits.base().get(range.clone());
                let text = RichText::new(text.unwrap_or_default())
                    .monospace()
                    .color(DIM);
                ui.label(RichText::new("computed").color(DIM));
                ui.add(egui::Label::new(text).truncate());
            }
        }
    }

    /// The literal as it runs now.
    fn now(&self, literal: &Literal) -> &str {
        self.file.1.edits.literal(literal)
    }

    /// The literal as it is in the file.
    fn before(&self, literal: &Literal) -> &str {
        let before = self.file.1.edits.base().get(literal.range.clone());
        before.unwrap_or_default()
    }

    fn set(&self, literal: &Literal, text: String, out: &mut StudioOutput) {
        if text != self.now(literal) {
            out.act(StudioAction::SetLiteral {
                file: self.file.0.to_owned(),
                start: literal.range.start,
                text,
            });
        }
    }

    /// Takes back a change if the editor of a literal was clicked with the right button.
    fn offer_revert(&self, response: &Response, literals: &[Literal], out: &mut StudioOutput) {
        if response.secondary_clicked() {
            for literal in literals {
                self.set(literal, self.before(literal).to_owned(), out);
            }
        }
    }

    fn number(&self, ui: &mut Ui, literal: &Literal, name: &str, out: &mut StudioOutput) {
        let before = self.before(literal);
        let (Some(original), Some(mut number)) = (
            number_of_literal(before),
            number_of_literal(self.now(literal)),
        ) else {
            return;
        };
        let limits = self.facts.map(|facts| facts.limits);
        let [least, most] = limits.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let n_decimals = MAX_DECIMALS.max(n_decimals(before));
        let width = most - least;
        let speed = match width.is_finite() {
            true => width / STEPS,
            false => original.abs().max(0.5) / STEPS * 2.0,
        };
        let drag = DragValue::new(&mut number)
            .speed(speed)
            .range(least..=most)
            .clamp_existing_to_range(false)
            .update_while_editing(false)
            .max_decimals(n_decimals)
            .custom_formatter(|number, _| shortest(number, n_decimals));
        let size = vec2(NUMBER_WIDTH, ui.spacing().interact_size.y);
        let response = ui.add_sized(size, drag);
        out.note_area("value", name, response.rect);
        if response.changed() {
            let text = number_literal(before, number, literal.needs_parentheses);
            self.set(literal, text, out);
        }
        self.offer_revert(&response, std::slice::from_ref(literal), out);
    }

    fn switch(&self, ui: &mut Ui, literal: &Literal, out: &mut StudioOutput) {
        let mut is_on = self.now(literal) == "true";
        let response = ui.checkbox(&mut is_on, "");
        out.note_area("value", &self.value.label, response.rect);
        if response.changed() {
            self.set(literal, is_on.to_string(), out);
        }
        self.offer_revert(&response, std::slice::from_ref(literal), out);
    }

    fn words(&self, ui: &mut Ui, literal: &Literal, facts: &LiteralFacts, out: &mut StudioOutput) {
        let now = string_of_literal(self.now(literal)).unwrap_or_default();
        let choice = ComboBox::from_id_salt("word").selected_text(&now);
        let choice = choice.width(ui.available_width().max(40.0)).truncate();
        let choice = choice.show_ui(ui, |ui| {
            for word in &facts.words {
                let entry = ui.selectable_label(*word == now, *word);
                out.note_area("word", word, entry.rect);
                if entry.clicked() {
                    let text = string_literal(self.before(literal), word);
                    self.set(literal, text, out);
                }
            }
        });
        out.note_area("value", &self.value.label, choice.response.rect);
        self.offer_revert(&choice.response, std::slice::from_ref(literal), out);
    }

    /// A text field. The text is used when the field is left, because half of a name is an error in most scripts.
    fn text(&mut self, ui: &mut Ui, literal: &Literal, out: &mut StudioOutput) {
        let at = (self.file.0.to_owned(), literal.range.start);
        let typed = self.typing.as_ref().filter(|typing| typing.at == at);
        let now = string_of_literal(self.now(literal)).unwrap_or_default();
        let mut text = typed.map_or(now, |typing| typing.text.clone());
        let width = ui.available_width();
        let field = TextEdit::singleline(&mut text).desired_width(width);
        let response = ui.add(field);
        out.note_area("value", &self.value.label, response.rect);
        if response.lost_focus() {
            *self.typing = None;
            if !ui.input(|input| input.key_pressed(egui::Key::Escape)) {
                let text = string_literal(self.before(literal), &text);
                self.set(literal, text, out);
            }
        } else if response.changed() {
            *self.typing = Some(Typing { at, text });
        }
        self.offer_revert(&response, std::slice::from_ref(literal), out);
    }

    fn vector(&self, ui: &mut Ui, literals: &[Literal], out: &mut StudioOutput) {
        ui.spacing_mut().item_spacing.x = 2.0;
        for (i, literal) in literals.iter().enumerate() {
            let axis = ["x", "y", "z"].get(i).copied().unwrap_or_default();
            self.number(ui, literal, &format!("{}.{axis}", self.value.label), out);
        }
    }

    /// The colour of a vector, if it is one that a colour button can show: red, green and blue from 0 to 1, linear.
    fn color(&self, literals: &[Literal]) -> Option<[f32; 3]> {
        let is_color = |name: &String| name.to_lowercase().contains("color");
        let names = self.value.fields.last().or(Some(&self.value.label));
        if literals.len() != 3 || !names.is_some_and(is_color) {
            return None;
        }
        let mut color = [0.0; 3];
        for (part, literal) in color.iter_mut().zip(literals) {
            let number = number_of_literal(self.now(literal))?;
            if !(0.0..=1.0).contains(&number) {
                return None;
            }
            *part = number as f32;
        }
        Some(color)
    }

    fn color_button(
        &self,
        ui: &mut Ui,
        literals: &[Literal],
        mut color: [f32; 3],
        out: &mut StudioOutput,
    ) {
        let shown = color.map(|part| format!("{part:.2}")).join(", ");
        let response = ui.color_edit_button_rgb(&mut color);
        out.note_area("value", &self.value.label, response.rect);
        if response.changed() {
            for (literal, part) in literals.iter().zip(color) {
                let number = (f64::from(part) / COLOR_STEP).round() * COLOR_STEP;
                let before = self.before(literal);
                let text = number_literal(before, number, literal.needs_parentheses);
                self.set(literal, text, out);
            }
        }
        self.offer_revert(&response, literals, out);
        ui.label(RichText::new(shown).monospace().color(DIM));
    }
}

/// A number with at most this many decimals, without zeros at its end.
fn shortest(number: f64, n_decimals: usize) -> String {
    let text = format!("{number:.n_decimals$}");
    let text = match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    };
    (if text == "-0" { "0" } else { text }).to_owned()
}

/// Number of decimals in a literal.
fn n_decimals(literal: &str) -> usize {
    let decimals = literal.split_once('.').map_or("", |(_, decimals)| decimals);
    decimals.chars().take_while(char::is_ascii_digit).count()
}
