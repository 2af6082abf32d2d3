//! Everything in the scene: characters, props, lights, crowds, effects, sounds and the interface.

use egui::{RichText, ScrollArea, Sense, TextEdit, Ui, pos2, vec2};

use super::icons::{BUTTON, Icon, icon_button};
use super::output::StudioOutput;
use super::style::{self, ACCENT, DIM};
use crate::lua_source::lua_expression;
use crate::studio_facts::{StudioAction, StudioFacts};
use galatea_character::Character;
use galatea_stage::frame::UiContent;
use galatea_stage::{Handle, Stage};

/// The list of the scene.
#[derive(Default)]
pub struct ScenePane {
    /// Only names that contain this text are listed.
    search: String,
}

/// A row without buttons.
struct PlainRow {
    name: String,
    detail: String,
}

impl ScenePane {
    /// Shows the list.
    pub fn show(&mut self, ui: &mut Ui, facts: &StudioFacts<'_>, out: &mut StudioOutput) {
        let search = TextEdit::singleline(&mut self.search)
            .id(egui::Id::unique("studio scene search"))
            .hint_text("Search")
            .desired_width(f32::INFINITY);
        ui.add(search);
        let wanted = self.search.to_lowercase();
        let is_wanted = |name: &str| name.to_lowercase().contains(&wanted);
        let scroll = ScrollArea::vertical().auto_shrink(false);
        scroll.id_salt("studio scene").show(ui, |ui| {
            let stage = facts.stage;
            let listed = || {
                let all = stage.characters.iter();
                all.filter(|(_, character)| is_wanted(character.shown_name()))
            };
            let groups = [("Characters", true), ("Props", false)];
            for (title, wants_animated) in groups {
                let rows: Vec<(Handle, &Character)> = listed()
                    .filter(|(_, character)| is_animated(character) == wants_animated)
                    .collect();
                section(ui, title, rows.len(), |ui| {
                    for (handle, character) in rows {
                        character_row(ui, facts, (handle, character), out);
                    }
                });
            }
            for (title, rows) in others(stage) {
                let rows: Vec<PlainRow> = rows
                    .into_iter()
                    .filter(|row| is_wanted(&row.name))
                    .collect();
                section(ui, title, rows.len(), |ui| {
                    for row in rows {
                        ui.horizontal(|ui| {
                            ui.label(row.name);
                            ui.label(RichText::new(row.detail).color(DIM));
                        });
                    }
                });
            }
        });
    }
}

/// Returns true for characters, and false for props.
fn is_animated(character: &Character) -> bool {
    character.playback.machine.is_some()
        || !character.definition.clips.is_empty()
        || character.modifiers.modifier_stack.is_some()
}

fn section(ui: &mut Ui, title: &str, n: usize, show: impl FnOnce(&mut Ui)) {
    if n == 0 {
        return;
    }
    let header = egui::CollapsingHeader::new(format!("{title} ({n})"));
    header.id_salt(title).default_open(n <= 40).show(ui, show);
}

fn character_row(
    ui: &mut Ui,
    facts: &StudioFacts<'_>,
    (handle, character): (Handle, &Character),
    out: &mut StudioOutput,
) {
    let name = character.shown_name();
    let is_selected = facts.selected == Some(handle);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let width = (ui.available_width() - 3.0 * (BUTTON + 2.0)).max(40.0);
        let is_hidden = character.appearance.is_hidden;
        let color = match (is_hidden, is_selected) {
            (true, _) => DIM,
            (false, true) => ACCENT,
            (false, false) => style::TEXT,
        };
        let label = RichText::new(name).color(color);
        let row = name_row(ui, width, label, is_selected);
        out.note_area("row", name, row.rect);
        if row.on_hover_text(summary(character)).clicked() {
            let selected = (!is_selected).then(|| name.to_owned());
            out.act(StudioAction::Select(selected));
        }
        let Some(lua) = lua_expression(facts.stage, handle) else {
            return;
        };
        let mut button = |ui: &mut Ui, icon: Icon, hint: &str, line: String| {
            let button = icon_button(ui, icon);
            out.note_area(hint, name, button.rect);
            if button.on_hover_text(format!("{hint}\n{line}")).clicked() {
                out.act(StudioAction::Run(line));
            }
        };
        let line = format!("camera.frame({lua})");
        button(ui, Icon::Target, "Looks at it", line);
        let line = format!("{lua}.visible = {is_hidden}");
        let eye = if is_hidden {
            Icon::ClosedEye
        } else {
            Icon::Eye
        };
        button(ui, eye, "Shows or hides it", line);
        let is_paused = character.time.scale == 0.0;
        let (icon, scale) = match is_paused {
            true => (Icon::Play, 1),
            false => (Icon::Pause, 0),
        };
        let line = format!("{lua}.time_scale = {scale}");
        button(ui, icon, "Pauses it or lets it continue", line);
    });
}

/// A row of the list with a name at its left.
fn name_row(ui: &mut Ui, width: f32, name: RichText, is_selected: bool) -> egui::Response {
    let (area, response) = ui.allocate_exact_size(vec2(width, BUTTON), Sense::click());
    let fill = match (is_selected, response.hovered()) {
        (true, _) => Some(ui.visuals().selection.bg_fill),
        (false, true) => Some(ui.visuals().faint_bg_color),
        (false, false) => None,
    };
    if let Some(fill) = fill {
        ui.painter().rect_filled(area, 4, fill);
    }
    let name = egui::WidgetText::from(name);
    let wrap = Some(egui::TextWrapMode::Truncate);
    let name = name.into_galley(ui, wrap, width - 12.0, egui::TextStyle::Body);
    let at = pos2(area.min.x + 6.0, area.center().y - name.size().y * 0.5);
    ui.painter().galley(at, name, style::TEXT);
    response
}

/// A character in a few lines.
fn summary(character: &Character) -> String {
    let at = character.placement.position;
    let mut lines = vec![format!("at {:.2}, {:.2}, {:.2} m", at.x, at.y, at.z)];
    if let Some((machine, state)) = &character.playback.machine {
        for (i, layer) in machine.layer_names().enumerate() {
            let active = state.current(i);
            let name = active.map_or("", |active| machine.state_name(i, active.state));
            lines.push(format!("{layer}: {name}"));
        }
    }
    let n_bones = character.posed.model_from_bone.len();
    let n_clips = character.definition.clips.len();
    lines.push(format!("{n_bones} bones, {n_clips} clips"));
    lines.join("\n")
}

/// Lights, crowds, effects, sounds and interface items.
fn others(stage: &Stage) -> [(&'static str, Vec<PlainRow>); 6] {
    let row = |name: String, detail: String| PlainRow { name, detail };
    let lights = stage.lighting.local_lights.iter().enumerate();
    let lights = lights.map(|(i, (_, light))| {
        let at = light.local_light.position;
        row(
            format!("light {}", i + 1),
            format!("at {:.1}, {:.1}, {:.1} m", at.x, at.y, at.z),
        )
    });
    let crowds = stage.agents.crowds.iter().enumerate();
    let crowds = crowds.map(|(i, (_, crowd))| {
        row(
            format!("crowd {}", i + 1),
            format!("{} agents", crowd.agents.len()),
        )
    });
    let flocks = stage.agents.flocks.iter().enumerate();
    let flocks = flocks.map(|(i, _)| row(format!("flock {}", i + 1), String::new()));
    let emitters = stage.effects.emitters.iter().enumerate();
    let emitters = emitters.map(|(i, (_, emitter))| {
        row(
            format!("particles {}", i + 1),
            format!("{} alive", emitter.emitter.len()),
        )
    });
    let sounds = stage.audio.playing.iter();
    let sounds = sounds.map(|cue| row(cue.sound.to_string(), String::new()));
    let items = stage.ui.iter().filter_map(|(_, ui)| {
        let text = match &ui.item.content {
            UiContent::Text(text) => format!("“{}”", text.text),
            UiContent::Caption { text, .. } => format!("caption “{text}”"),
            UiContent::Bar { .. } => "bar".to_owned(),
            UiContent::Box { .. } => "box".to_owned(),
            UiContent::Image { .. } => "image".to_owned(),
        };
        ui.item.visible.then(|| row(text, String::new()))
    });
    [
        ("Lights", lights.collect()),
        ("Crowds", crowds.collect()),
        ("Flocks", flocks.collect()),
        ("Particles", emitters.collect()),
        ("Sounds", sounds.collect()),
        ("Interface", items.collect()),
    ]
}
