//! Output of a pass of the studio.

use std::collections::BTreeMap;

use egui::Rect;

use crate::studio_facts::StudioAction;

/// Output of a pass of the studio.
#[derive(Default)]
pub struct StudioOutput {
    /// Actions of the user.
    pub actions: Vec<StudioAction>,
    /// Areas of things that a user can click or drag, by their names, points.
    areas: BTreeMap<String, Rect>,
}

impl StudioOutput {
    /// Notes an action of the user.
    pub fn act(&mut self, action: StudioAction) {
        self.actions.push(action);
    }

    /// Notes that a line of Lua is to be evaluated.
    pub fn run(&mut self, line: impl Into<String>) {
        self.act(StudioAction::Run(line.into()));
    }

    /// Notes where something is.
    pub fn note_area(&mut self, kind: &str, name: &str, area: Rect) {
        self.areas.insert(format!("{kind} {name}"), area);
    }

    /// Area of something in the last pass.
    pub fn area(&self, name: &str) -> Option<Rect> {
        self.areas.get(name).copied()
    }

    /// Forgets the areas of the last pass.
    pub fn begin(&mut self) {
        self.areas.clear();
    }
}
