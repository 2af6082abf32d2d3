//! The menu that makes a Lua test from the selected range of the timeline.

use std::collections::BTreeSet;

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{PopupCloseBehavior, RichText, ScrollArea, TextEdit, Ui};

use super::output::StudioOutput;
use super::style::{DIM, LINE as BUTTON, heading};
use crate::character_history::CharacterHistory;
use crate::recorded_test::{RecordedTest, events_in, layers_in, peaks_in};
use crate::run_diff::RunLog;
use crate::studio_facts::StudioAction;

/// Width of the menu, points.
const WIDTH: f32 = 260.0;
/// Largest height of the list, points.
const HEIGHT: f32 = 300.0;

/// Title of the events.
const EVENTS: &str = "Events";
/// Events that depend on each word of the text or on each transition. They are switched off at first.
const FREQUENT: [&str; 4] = ["phoneme", "word", "state_enter", "state_exit"];

/// The menu.
pub struct TestMenu {
    name: String,
    /// Layers, events and metrics that the user has switched off.
    left_out: BTreeSet<String>,
}

impl Default for TestMenu {
    fn default() -> Self {
        Self {
            name: String::new(),
            left_out: FREQUENT.map(|name| format!("{EVENTS} {name}")).into(),
        }
    }
}

impl TestMenu {
    /// Shows the button with the menu, for a character and a range of ticks.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        character: &str,
        (history, log): (&CharacterHistory, &RunLog),
        (ticks, dt): ([u64; 2], f64),
        out: &mut StudioOutput,
    ) {
        let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        let button = MenuButton::new("Test").config(config);
        let (button, _) = button.ui(ui, |ui| {
            ui.set_width(WIDTH);
            let mut test = RecordedTest {
                name: self.name.clone(),
                character: character.to_owned(),
                ticks,
                ..RecordedTest::default()
            };
            let [from, to] = ticks.map(|tick| tick as f64 * dt);
            let text = format!("A test of {character}, {from:.2} s to {to:.2} s");
            ui.label(RichText::new(text).strong());
            let name = TextEdit::singleline(&mut self.name).hint_text("Name of the test");
            let name = ui.add(name.desired_width(f32::INFINITY));
            out.note_area("field", "test name", name.rect);
            let scroll = ScrollArea::vertical().max_height(HEIGHT);
            scroll.show(ui, |ui| {
                self.choose(ui, (history, log), &mut test, out);
            });
            let is_named = !test.file_name().is_empty();
            let write = ui.add_enabled(is_named, egui::Button::new("Write the test").fill(BUTTON));
            out.note_area("button", "Write the test", write.rect);
            let hint = format!("Writes tests/{}.lua and its inputs", test.file_name());
            if write.on_hover_text(hint).clicked() {
                out.act(StudioAction::RecordTest(test));
                ui.close();
            }
        });
        out.note_area("button", "Test", button.rect);
        button.on_hover_text("Makes a Lua test from the selected range, or from everything");
    }

    /// Shows what the test can expect, and takes what is not switched off.
    fn choose(
        &mut self,
        ui: &mut Ui,
        (history, log): (&CharacterHistory, &RunLog),
        test: &mut RecordedTest,
        out: &mut StudioOutput,
    ) {
        let mut group = |title: &str, all: Vec<(&str, String)>, taken: &mut Vec<String>| {
            if !all.is_empty() {
                heading(ui, title);
            }
            for (name, detail) in all {
                let key = format!("{title} {name}");
                let mut is_on = !self.left_out.contains(&key);
                ui.horizontal(|ui| {
                    let check = ui.checkbox(&mut is_on, name);
                    out.note_area("expect", name, check.rect);
                    ui.label(RichText::new(detail).color(DIM));
                });
                if is_on {
                    self.left_out.remove(&key);
                    taken.push(name.to_owned());
                } else {
                    self.left_out.insert(key);
                }
            }
        };
        let ticks = test.ticks;
        let layers = layers_in(history, ticks).into_iter();
        let layers = layers.map(|name| (name, String::new())).collect();
        group("States of the layers", layers, &mut test.layers);
        let events = events_in(history, ticks).into_iter();
        let events = events.map(|(name, n)| (name, format!("{n}×"))).collect();
        group(EVENTS, events, &mut test.events);
        let peaks = peaks_in(log, &test.character, ticks).into_iter();
        let peaks = peaks
            .map(|(name, peak)| (name, format!("up to {peak:.4}")))
            .collect();
        group("Metrics", peaks, &mut test.metrics);
    }
}
