//! The bar above the panels: pause, steps, and the past.

use egui::{RichText, Ui};

use super::icons::{BUTTON, Icon, icon_button};
use super::output::StudioOutput;
use super::style::{self, ACCENT, DIM};
use crate::past_position::PastMove;
use crate::studio_facts::{StudioAction, StudioFacts};
use galatea_stage::ViewKind;

/// Shows the bar. Returns true if the usual layout is wanted.
pub fn show(
    ui: &mut Ui,
    facts: &StudioFacts<'_>,
    selected: Option<&str>,
    out: &mut StudioOutput,
) -> bool {
    let frame = egui::Frame::new()
        .fill(style::FILL)
        .inner_margin(egui::Margin::symmetric(8, 4));
    let mut wants_usual_layout = false;
    egui::Panel::top("studio bar").frame(frame).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.set_min_height(BUTTON);
            ui.label(RichText::new("Studio").strong().color(ACCENT));
            ui.separator();
            match &facts.past {
                None => present(ui, facts, out),
                Some(_) => past(ui, facts, out),
            }
            ui.separator();
            show_views(ui, facts, out);
            ui.separator();
            ui.label(RichText::new(selected.unwrap_or("nothing selected")).color(DIM));
            let layout = egui::Layout::right_to_left(egui::Align::Center);
            ui.with_layout(layout, |ui| {
                ui.label(RichText::new("F1 closes the studio").color(DIM));
                let hint = "Puts the panels back where they were at first";
                wants_usual_layout = ui.button("Reset layout").on_hover_text(hint).clicked();
            });
        });
    });
    wants_usual_layout
}

fn present(ui: &mut Ui, facts: &StudioFacts<'_>, out: &mut StudioOutput) {
    let is_paused = facts.stage.time_control.is_paused();
    if is_paused {
        if button(ui, out, "Resume", "time.resume()") {
            out.run("time.resume()");
        }
        if button(ui, out, "Step", "Simulates one tick") {
            out.run("time.step()");
        }
    } else if button(ui, out, "Pause", "time.pause()") {
        out.run("time.pause()");
    }
    let has_past = facts.recorded.is_some();
    if has_past && button(ui, out, "Past", "Displays the recorded past (F8)") {
        out.act(StudioAction::MoveInPast(PastMove::Newest));
    }
    let time = facts.stage.time();
    ui.label(RichText::new(format!("{time:.2} s")).monospace());
}

fn past(ui: &mut Ui, facts: &StudioFacts<'_>, out: &mut StudioOutput) {
    let Some(past) = &facts.past else { return };
    let mut symbol = |icon: Icon, hint: &str, action: StudioAction| {
        let button = icon_button(ui, icon);
        out.note_area("button", hint, button.rect);
        if button.on_hover_text(hint).clicked() {
            out.act(action);
        }
    };
    let [forwards, backwards] = [1, -1].map(|direction| match past.direction == direction {
        true => Icon::Pause,
        false if direction > 0 => Icon::Play,
        false => Icon::PlayBack,
    });
    symbol(
        Icon::First,
        "To the oldest moment",
        StudioAction::MoveInPast(PastMove::Oldest),
    );
    symbol(backwards, "Plays backwards", StudioAction::PlayPast(-1));
    symbol(forwards, "Plays forwards", StudioAction::PlayPast(1));
    symbol(
        Icon::Last,
        "To the newest moment",
        StudioAction::MoveInPast(PastMove::Newest),
    );
    let mut button = |text: &str, hint: &str, action: StudioAction| {
        if button(ui, out, text, hint) {
            out.act(action);
        }
    };
    button(
        "−1",
        "One moment back",
        StudioAction::MoveInPast(PastMove::Copies(-1)),
    );
    button(
        "+1",
        "One moment forward",
        StudioAction::MoveInPast(PastMove::Copies(1)),
    );
    let hint = "The game continues from this moment (Enter)";
    button("Continue here", hint, StudioAction::ContinueFromPast);
    button("Back to the present", "Esc", StudioAction::ReturnToPresent);
    let text = format!("{:.2} s ago, tick {}", past.seconds_ago, past.n_ticks);
    ui.label(RichText::new(text).monospace());
}

/// The menu of debug views. They show physics, hair, navigation meshes and more over the picture.
fn show_views(ui: &mut Ui, facts: &StudioFacts<'_>, out: &mut StudioOutput) {
    let now = facts.stage.picture.view.as_ref().map(|view| view.kind);
    let title = now.map_or("View", |kind| kind.name());
    let menu = ui.menu_button(title, |ui| {
        let mut entry = |ui: &mut Ui, is_on: bool, name: &str, line: String| {
            let entry = ui.selectable_label(is_on, name);
            out.note_area("view", name, entry.rect);
            if entry.on_hover_text(&line).clicked() {
                out.run(line);
                ui.close();
            }
        };
        entry(ui, now.is_none(), "none", "debug_view()".to_owned());
        for kind in ViewKind::ALL {
            let line = format!("debug_view(\"{}\")", kind.name());
            entry(ui, now == Some(kind), kind.name(), line);
        }
    });
    out.note_area("button", "View", menu.response.rect);
}

/// A button whose area is noted. Returns true if it was clicked.
fn button(ui: &mut Ui, out: &mut StudioOutput, text: &str, hint: &str) -> bool {
    let button = ui.button(text);
    out.note_area("button", text, button.rect);
    button.on_hover_text(hint).clicked()
}
