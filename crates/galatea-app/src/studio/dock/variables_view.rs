//! Variables of a stopped script, with the parts of opened values.

use std::collections::HashMap;

use egui::{RichText, Ui};

use super::output::StudioOutput;
use super::style::{ACCENT, DIM, heading};
use crate::debug_facts::DebugAction;
use crate::studio_facts::StudioAction;
use galatea_script::{Variable, VariableScope};

/// Largest depth of opened values.
const MAX_DEPTH: usize = 12;

type VariableParts = HashMap<u32, Vec<Variable>>;

/// Shows the variables of a function.
pub fn show(
    ui: &mut Ui,
    scope: VariableScope,
    variables: &[Variable],
    parts: &VariableParts,
    out: &mut StudioOutput,
) {
    if variables.is_empty() {
        return;
    }
    heading(
        ui,
        match scope {
            VariableScope::Locals => "Locals",
            VariableScope::Captured => "Used from outside",
            VariableScope::Globals => "Globals",
        },
    );
    for variable in variables {
        ui.horizontal(|ui| show_one(ui, &variable.name, variable, parts, out));
        show_parts(ui, variable, parts, 1, out);
    }
}

/// Shows a variable in a row. A click on one with parts opens or closes it.
pub fn show_one(
    ui: &mut Ui,
    name: &str,
    variable: &Variable,
    parts: &VariableParts,
    out: &mut StudioOutput,
) {
    let mark = match (variable.reference, parts.contains_key(&variable.reference)) {
        (0, _) => "   ",
        (_, false) => "+  ",
        (_, true) => "-  ",
    };
    let label = RichText::new(format!("{mark}{name}"))
        .monospace()
        .color(ACCENT);
    let row = ui.selectable_label(false, label);
    out.note_area("variable", name, row.rect);
    if row.clicked() && variable.reference != 0 {
        let action = DebugAction::ToggleParts(variable.reference);
        out.act(StudioAction::Debug(action));
    }
    ui.label(RichText::new(&variable.value).monospace());
    if !variable.value.starts_with(&variable.kind) {
        ui.label(RichText::new(&variable.kind).small().color(DIM));
    }
}

fn show_parts(
    ui: &mut Ui,
    variable: &Variable,
    parts: &VariableParts,
    depth: usize,
    out: &mut StudioOutput,
) {
    let Some(own) = parts.get(&variable.reference).filter(|_| depth < MAX_DEPTH) else {
        return;
    };
    for part in own {
        ui.horizontal(|ui| {
            ui.add_space(14.0 * depth as f32);
            show_one(ui, &part.name, part, parts, out);
        });
        show_parts(ui, part, parts, depth + 1, out);
    }
}
