//! Modifiers and bones of the selected character.

use egui::{DragValue, RichText, ScrollArea, Ui};

use super::output::StudioOutput;
use super::style::{ACCENT, BLOCKED, DIM, heading, hint};
use crate::lua_source::{lua_expression, lua_string};
use crate::studio_facts::StudioFacts;
use galatea_character::{Character, Modifier, ModifierKind};

/// Maximum depth of bones that are unfolded at first.
const OPEN_DEPTH: usize = 3;

/// Modifiers and bones of the selected character.
#[derive(Default)]
pub struct PosePane {
    /// The bone whose transform is shown.
    bone: Option<usize>,
}

impl PosePane {
    /// Shows modifiers and bones.
    pub fn show(&mut self, ui: &mut Ui, facts: &StudioFacts<'_>, out: &mut StudioOutput) {
        let stage = facts.stage;
        let Some((handle, character)) = facts.selected_character() else {
            return hint(ui, "Select a character in the list or in the picture.");
        };
        let lua = lua_expression(stage, handle).unwrap_or_default();
        let scroll = ScrollArea::vertical().auto_shrink(false);
        scroll.id_salt("studio pose").show(ui, |ui| {
            show_modifiers(ui, character, &lua, out);
            self.show_bones(ui, character, out);
        });
    }

    fn show_bones(&mut self, ui: &mut Ui, character: &Character, out: &mut StudioOutput) {
        heading(ui, "Bones");
        ui.horizontal(|ui| {
            for (text, line) in [
                ("Show bones", "show_bones(true)"),
                ("Hide bones", "show_bones(false)"),
            ] {
                if ui.button(text).on_hover_text(line).clicked() {
                    out.run(line);
                }
            }
        });
        if let Some(bone) = self.bone {
            show_transform(ui, character, bone);
        }
        let bones = character.definition.model.skeleton.bones();
        let mut children = vec![Vec::new(); bones.len()];
        let mut roots = Vec::new();
        for (i, bone) in bones.iter().enumerate() {
            let parent = bone.parent.map(usize::from);
            match parent.and_then(|parent| children.get_mut(parent)) {
                Some(siblings) => siblings.push(i),
                None => roots.push(i),
            }
        }
        for root in roots {
            self.show_bone(ui, character, &children, root, 0);
        }
    }

    fn show_bone(
        &mut self,
        ui: &mut Ui,
        character: &Character,
        children: &[Vec<usize>],
        bone: usize,
        depth: usize,
    ) {
        let bones = character.definition.model.skeleton.bones();
        let name = bones.get(bone).map_or("", |bone| &*bone.name);
        let is_selected = self.bone == Some(bone);
        let Some(inner) = children.get(bone).filter(|inner| !inner.is_empty()) else {
            if ui.selectable_label(is_selected, name).clicked() {
                self.bone = Some(bone);
            }
            return;
        };
        let text = RichText::new(name);
        let text = if is_selected {
            text.color(ACCENT)
        } else {
            text
        };
        let header = egui::CollapsingHeader::new(text);
        let header = header.id_salt(("studio bone", bone));
        let shown = header.default_open(depth < OPEN_DEPTH).show(ui, |ui| {
            for child in inner {
                self.show_bone(ui, character, children, *child, depth + 1);
            }
        });
        if shown.header_response.clicked() {
            self.bone = Some(bone);
        }
    }
}

fn show_modifiers(ui: &mut Ui, character: &Character, lua: &str, out: &mut StudioOutput) {
    heading(ui, "Modifiers, in the order in which they act");
    let stack = character.modifiers.modifier_stack.as_deref();
    let modifiers = stack.map_or(&[][..], |stack| stack.modifiers.as_slice());
    if modifiers.is_empty() {
        return hint(ui, "The pose is that of the clips.");
    }
    let grid = egui::Grid::new("studio modifiers").num_columns(3);
    grid.show(ui, |ui| {
        for modifier in modifiers {
            modifier_row(ui, modifier, lua, out);
            ui.end_row();
        }
    });
    for modifier in modifiers {
        if let Some(why) = &modifier.inactive_reason {
            let text = format!("{}: {why}", modifier.name);
            ui.add(egui::Label::new(RichText::new(text).color(BLOCKED)).wrap());
        }
    }
}

fn modifier_row(ui: &mut Ui, modifier: &Modifier, lua: &str, out: &mut StudioOutput) {
    let target = format!("{lua}:modifier({})", lua_string(&modifier.name));
    let weight = &modifier.weight;
    let mut is_enabled = weight.enabled;
    let check = ui.checkbox(&mut is_enabled, modifier.name.as_str());
    out.note_area("modifier", &modifier.name, check.rect);
    if check.on_hover_text(modifier.kind.word()).changed() {
        out.run(format!("{target}.enabled = {is_enabled}"));
    }
    let mut number = weight.now;
    let drag = DragValue::new(&mut number).speed(0.01).range(0.0..=1.0);
    let drag = ui.add(drag.max_decimals(2));
    out.note_area("weight", &modifier.name, drag.rect);
    if drag.on_hover_text("Weight, 0 to 1").changed() {
        out.run(format!("{target}.weight = {number}"));
    }
    let effect = match &modifier.kind {
        _ if modifier.inactive_reason.is_some() => "lacks bones".to_owned(),
        _ if modifier.is_released => "fades out".to_owned(),
        ModifierKind::Script(_) => "script".to_owned(),
        _ => format!("acts with {:.0} %", weight.effective_weight * 100.0),
    };
    ui.label(RichText::new(effect).color(DIM));
}

/// Shows position and rotation of a bone in the world and relative to its parent.
fn show_transform(ui: &mut Ui, character: &Character, bone: usize) {
    let posed = &character.posed;
    let bones = character.definition.model.skeleton.bones();
    let (Some(definition), Some(matrix), Some(local)) = (
        bones.get(bone),
        posed.model_from_bone.get(bone),
        posed.pose.locals.get(bone),
    ) else {
        return;
    };
    let world = posed.world[0] * *matrix;
    let at = world.translation;
    let (yaw, pitch, roll) = local.rotation.to_euler(glam::EulerRot::YXZ);
    let [yaw, pitch, roll] = [yaw, pitch, roll].map(f32::to_degrees);
    let lines = [
        definition.name.clone(),
        format!("world  {:.3}, {:.3}, {:.3} m", at.x, at.y, at.z),
        format!("local  yaw {yaw:.1}°, pitch {pitch:.1}°, roll {roll:.1}°"),
    ];
    for line in lines {
        ui.label(RichText::new(line).monospace().color(DIM));
    }
}
