//! The transitions of a layer in words: those out of the current state now, and those that were taken.

use egui::{RichText, Ui};

use super::output::StudioOutput;
use super::style::{ACCENT, BLOCKED, DIM, heading, hint};
use crate::studio_facts::StudioAction;
use galatea_machine::{SourceLocation, TransitionExplanation};

/// Shows the transitions out of the current state, with the values that decide.
pub fn show_open(
    ui: &mut Ui,
    explained: &Result<Vec<Vec<TransitionExplanation>>, String>,
    layer: usize,
    out: &mut StudioOutput,
) {
    heading(ui, "Transitions now");
    let ways = match explained {
        Err(why) => return hint(ui, why),
        Ok(layers) => layers.get(layer).map_or(&[][..], Vec::as_slice),
    };
    if ways.is_empty() {
        hint(ui, "No transition leads out of this state.");
    }
    for way in ways {
        let (mark, color) = match way.open {
            true => ("●", ACCENT),
            false => ("○", BLOCKED),
        };
        ui.horizontal(|ui| {
            ui.label(RichText::new(mark).color(color));
            ui.label(RichText::new(format!("to {}", way.to)).strong());
            source_link(ui, &way.at, out);
        });
        ui.indent(("studio way", &way.to, &way.reason), |ui| {
            ui.add(egui::Label::new(RichText::new(&way.reason).color(DIM)).wrap());
        });
    }
}

/// Shows the transitions that were taken, the newest first.
pub fn show_taken(ui: &mut Ui, taken: &[TransitionExplanation], out: &mut StudioOutput) {
    heading(ui, "Last transitions");
    if taken.is_empty() {
        hint(ui, "None yet.");
    }
    for way in taken.iter().rev() {
        ui.horizontal(|ui| {
            let ago = format!("{:6.2} s ago", way.ago);
            ui.label(RichText::new(ago).monospace().color(DIM));
            ui.label(format!("{} → {}", way.from, way.to));
            source_link(ui, &way.at, out);
        });
        ui.indent(("studio taken", way.ago.to_bits(), &way.to), |ui| {
            ui.add(egui::Label::new(RichText::new(&way.reason).color(DIM)).wrap());
        });
    }
}

/// A link to a line of a script; shows nothing if the line is not known.
pub fn source_link(ui: &mut Ui, at: &SourceLocation, out: &mut StudioOutput) {
    if at.line == 0 {
        return;
    }
    let link = ui.link(RichText::new(at.to_string()).small());
    if link.on_hover_text("Opens the line in the editor").clicked() {
        out.act(StudioAction::OpenSource(at.clone()));
    }
}
