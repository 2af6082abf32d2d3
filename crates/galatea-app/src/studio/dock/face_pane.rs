//! The face of the selected character: its sources, its expressions, and the spoken line.

use egui::{
    Align2, Color32, FontId, Rect, RichText, ScrollArea, Sense, Slider, Stroke, TextEdit, Ui, pos2,
    vec2,
};

use super::output::StudioOutput;
use super::style::{ACCENT, DEEP, DIM, FADING, TEXT, heading, hint};
use crate::character_history::mouth_owner;
use crate::lua_source::{lua_expression, lua_string};
use crate::studio_facts::StudioFacts;
use galatea_character::FaceModifier;
use galatea_speech::viseme::VISEMES;
use galatea_stage::Speaking;

/// Height of the picture of a spoken line, points.
const LINE_HEIGHT: f32 = 76.0;
/// Loudness values per second of a spoken line.
const LOUDNESS_RATE: f32 = 100.0;
/// Maximum number of controls that are listed without a search.
const MAX_LISTED: usize = 40;

/// The face of the selected character.
#[derive(Default)]
pub struct FacePane {
    /// Only controls whose names contain this text are listed.
    search: String,
}

impl FacePane {
    /// Shows the face.
    pub fn show(&mut self, ui: &mut Ui, facts: &StudioFacts<'_>, out: &mut StudioOutput) {
        let stage = facts.stage;
        let Some((handle, character)) = facts.selected_character() else {
            return hint(ui, "Select a character in the list or in the picture.");
        };
        let Some(facing) = character.modifiers.facing() else {
            return hint(
                ui,
                "This character has no face yet: the script has not used `.face` or `:say`.",
            );
        };
        let lua = lua_expression(stage, handle).unwrap_or_default();
        let mut lines = stage.speech.lines.iter();
        let line = lines.find(|line| line.character == handle && line.begun.is_some());
        let scroll = ScrollArea::vertical().auto_shrink(false);
        scroll.id_salt("studio face").show(ui, |ui| {
            show_owner(ui, facing);
            if let Some(line) = line {
                show_line(ui, line);
            }
            show_visemes(ui, facing);
            show_expressions(ui, facing);
            self.show_controls(ui, facing, &lua, out);
        });
    }

    /// Sliders of the controls. A moved one overrides all other sources.
    fn show_controls(
        &mut self,
        ui: &mut Ui,
        facing: &FaceModifier,
        lua: &str,
        out: &mut StudioOutput,
    ) {
        heading(ui, "Controls");
        ui.horizontal(|ui| {
            let search = TextEdit::singleline(&mut self.search).hint_text("Search");
            ui.add(search.desired_width(160.0));
            let line = format!("{lua}.face:clear()");
            if ui.button("Release all").on_hover_text(&line).clicked() {
                out.run(line);
            }
        });
        let wanted = self.search.to_lowercase();
        let controls = facing.rig.controls.iter();
        let found = controls.filter(|control| control.name.to_lowercase().contains(&wanted));
        let most = if wanted.is_empty() {
            MAX_LISTED
        } else {
            usize::MAX
        };
        let grid = egui::Grid::new("studio face controls").num_columns(2);
        grid.show(ui, |ui| {
            for control in found.take(most) {
                let mut overrides = facing.face.overrides.iter();
                let set = overrides.find(|set| set.name == control.name);
                let mut value = set.map_or(0.0, |set| set.value);
                let color = if set.is_some() { ACCENT } else { TEXT };
                ui.label(RichText::new(&control.name).color(color));
                let slider = ui.add(Slider::new(&mut value, 0.0..=1.0).max_decimals(2));
                out.note_area("control", &control.name, slider.rect);
                let name = lua_string(&control.name);
                let hint = "Overrides all other sources. Right click: gives it back";
                let slider = slider.on_hover_text(hint);
                if slider.changed() {
                    out.run(format!("{lua}.face:set({name}, {value})"));
                } else if slider.secondary_clicked() {
                    out.run(format!("{lua}.face:set({name})"));
                }
                ui.end_row();
            }
        });
        if facing.rig.controls.len() > most {
            hint(ui, "There are more. Type a part of a name.");
        }
    }
}

/// Shows what controls the mouth now.
fn show_owner(ui: &mut Ui, facing: &FaceModifier) {
    let face = &facing.face;
    let owner = match mouth_owner(facing) {
        "script" => "The script controls parts of the face.".to_owned(),
        owner @ ("speech" | "microphone") => {
            let level = face.speaking * 100.0;
            format!("The mouth follows the {owner} ({level:.0} %).")
        }
        owner => format!("The mouth follows the {owner}."),
    };
    ui.add(egui::Label::new(owner).wrap());
    let (now, goal) = (face.feeling, face.goal);
    let text = format!(
        "valence {:+.2} → {:+.2}, arousal {:+.2} → {:+.2}",
        now.valence, goal.valence, now.arousal, goal.arousal
    );
    ui.label(RichText::new(text).color(DIM));
}

/// Draws the loudness of a line, its words and phonemes, and the position that is heard.
fn show_line(ui: &mut Ui, line: &Speaking) {
    let spoken = &line.saying.line;
    heading(ui, "Spoken line");
    ui.add(egui::Label::new(RichText::new(format!("“{}”", spoken.text))).wrap());
    let size = vec2(ui.available_width(), LINE_HEIGHT);
    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
    let painter = ui.painter_at(area);
    painter.rect_filled(area, 4, DEEP);
    let duration = spoken.track.duration.max(0.01);
    let x = |t: f32| area.min.x + area.width() * (t / duration).clamp(0.0, 1.0);
    let middle = area.min.y + 24.0;
    for (i, loudness) in line.saying.voice.loudness.iter().enumerate() {
        let x = x(i as f32 / LOUDNESS_RATE);
        let half = 20.0 * loudness.clamp(0.0, 1.0);
        let stroke = Stroke::new(1.0, ACCENT.gamma_multiply(0.6));
        painter.vline(x, middle - half..=middle + half, stroke);
    }
    let row = |y: f32, spans: Vec<(f32, f32, &str)>, size: f32| {
        for (start, end, text) in spans {
            let rect = Rect::from_min_max(pos2(x(start), y), pos2(x(end) - 1.0, y + 12.0));
            painter.rect_filled(rect, 2, Color32::from_rgb(52, 58, 72));
            if rect.width() > 6.0 {
                let clipped = painter.with_clip_rect(rect);
                let font = FontId::proportional(size);
                clipped.text(rect.center(), Align2::CENTER_CENTER, text, font, TEXT);
            }
        }
    };
    let words = spoken.track.words.iter();
    let words = words.map(|word| (word.start, word.end, &*word.text));
    row(area.max.y - 28.0, words.collect(), 10.0);
    let phonemes = spoken.track.phonemes.iter();
    let phonemes = phonemes.map(|phoneme| (phoneme.start, phoneme.end, phoneme.phoneme.name()));
    row(area.max.y - 14.0, phonemes.collect(), 9.0);
    painter.vline(x(line.heard), area.y_range(), Stroke::new(1.5, FADING));
}

/// Shows the weights of the visemes that are visible.
fn show_visemes(ui: &mut Ui, facing: &FaceModifier) {
    heading(ui, "Visemes");
    let weights = VISEMES.iter().zip(facing.face.visemes);
    let visible: Vec<String> = weights
        .filter(|(_, weight)| *weight > 0.02)
        .map(|(viseme, weight)| format!("{} {:.0} %", viseme.name(), weight * 100.0))
        .collect();
    let text = match visible.is_empty() {
        true => "none".to_owned(),
        false => visible.join("   "),
    };
    ui.label(RichText::new(text).monospace().color(DIM));
}

/// Shows the expressions that are active, with their sources.
fn show_expressions(ui: &mut Ui, facing: &FaceModifier) {
    heading(ui, "Expressions");
    let expressions = &facing.face.expressions;
    if expressions.is_empty() {
        hint(ui, "None.");
    }
    for shown in expressions {
        let parts = shown.mix.parts.iter();
        let names: Vec<&str> = parts.map(|(name, _)| name.as_str()).collect();
        let level = shown.level * shown.intensity * 100.0;
        let text = format!("{}: {} {level:.0} %", shown.owner.word(), names.join(", "));
        ui.add(egui::Label::new(RichText::new(text).color(DIM)).truncate());
    }
}
