//! The state machine of the selected character.

use std::collections::BTreeMap;

use egui::{
    Align2, DragValue, FontId, Pos2, Rect, RichText, ScrollArea, Sense, Stroke, Ui, pos2, vec2,
};

use super::decisions::{show_open, show_taken};
use super::graph_view::{EdgeLook, GraphClick, GraphContent, GraphView, StateLook};
use super::output::StudioOutput;
use super::style::{ACCENT, DEEP, DIM, LINE, TEXT, heading, hint};
use crate::lua_source::{lua_expression, lua_string};
use crate::studio_facts::{StudioAction, StudioFacts};
use galatea_character::Character;
use galatea_machine::{
    BlendView, GraphStateKind, LayerGraph, Machine, MachineState, ParamValue, blend_view,
    layer_graph, taken,
};

/// Height of the graph as a fraction of the panel.
const GRAPH_HEIGHT: f32 = 0.44;
/// Height of a picture of a blend of two parameters, points, and of one parameter.
const BLEND_HEIGHT: f32 = 150.0;
const LINE_BLEND_HEIGHT: f32 = 62.0;
/// Duration of the fade to a state that was clicked, seconds.
const CLICK_FADE: f64 = 0.2;

/// The state machine of the selected character.
#[derive(Default)]
pub struct MachinePane {
    layer: usize,
    /// Graphs by character and layer.
    graphs: BTreeMap<(String, usize), GraphView>,
}

/// A layer that is shown.
struct ShownLayer<'a> {
    character: &'a Character,
    machine: &'a Machine,
    state: &'a MachineState,
    layer: usize,
    graph: &'a LayerGraph,
    /// Lua expression of the machine.
    lua: &'a str,
}

impl MachinePane {
    /// Shows the machine.
    pub fn show(&mut self, ui: &mut Ui, facts: &StudioFacts<'_>, out: &mut StudioOutput) {
        let stage = facts.stage;
        let Some((handle, character)) = facts.selected_character() else {
            return hint(ui, "Select a character in the list or in the picture.");
        };
        let Some((machine, state)) = &character.playback.machine else {
            return hint(ui, "This character has no state machine.");
        };
        let names: Vec<&str> = machine.layer_names().collect();
        self.layer = self.layer.min(names.len().saturating_sub(1));
        if names.len() > 1 {
            ui.horizontal_wrapped(|ui| {
                for (i, name) in names.iter().enumerate() {
                    let tab = ui.selectable_label(i == self.layer, *name);
                    out.note_area("layer", name, tab.rect);
                    if tab.clicked() {
                        self.layer = i;
                    }
                }
            });
        }
        let lua = lua_expression(stage, handle).unwrap_or_default();
        let graph = layer_graph(machine, self.layer);
        let shown = ShownLayer {
            character,
            machine,
            state,
            layer: self.layer,
            graph: &graph,
            lua: &format!("{lua}.machine"),
        };
        let key = (character.shown_name().to_owned(), self.layer);
        let view = self.graphs.entry(key).or_default();
        let height = (ui.available_height() * GRAPH_HEIGHT).max(120.0);
        let clicked = show_graph(ui, height, view, &shown, facts);
        for (state, area) in graph.states.iter().zip(view.boxes()) {
            out.note_area("state", &state.path, *area);
        }
        match clicked {
            Some(GraphClick::State(clicked)) => {
                let state = lua_string(&graph.states[clicked].path);
                let layer = match names.len() {
                    1 => String::new(),
                    _ => format!(", layer = {}", lua_string(names[self.layer])),
                };
                let lua = shown.lua;
                let line = format!("{lua}:jump_to({state}, {{ fade = {CLICK_FADE}{layer} }})");
                out.act(StudioAction::Run(line));
            }
            Some(GraphClick::Source(at)) if at.line > 0 => {
                out.act(StudioAction::OpenSource(at));
            }
            _ => {}
        }
        let scroll = ScrollArea::vertical().auto_shrink(false);
        scroll.id_salt("studio machine").show(ui, |ui| {
            show_current(ui, &shown);
            show_params(ui, &shown, out);
            show_open(ui, &facts.transitions, self.layer, out);
            show_taken(ui, &taken(machine, self.layer, state), out);
        });
    }
}

fn show_graph(
    ui: &mut Ui,
    height: f32,
    view: &mut GraphView,
    shown: &ShownLayer<'_>,
    facts: &StudioFacts<'_>,
) -> Option<GraphClick> {
    let graph = shown.graph;
    let mut states = vec![StateLook::default(); graph.states.len()];
    let active = shown.state.layers.get(shown.layer);
    let active = active.map_or(&[][..], |layer| layer.active.as_slice());
    for (i, one) in active.iter().enumerate() {
        if let Some(look) = states.get_mut(one.state) {
            look.weight = look.weight.max(one.weight);
            look.is_current = i + 1 == active.len();
        }
    }
    let current = active.last();
    let explained = facts.transitions.as_ref().ok();
    let explained = explained.and_then(|layers| layers.get(shown.layer));
    let edge = |transition: usize, from: usize| {
        let way = &graph.transitions[transition];
        let Some(current) = current else {
            return EdgeLook::Elsewhere;
        };
        let previous = active.iter().rev().nth(1);
        let entered = current.transition == Some(transition);
        if entered && previous.is_some_and(|previous| previous.state == from) {
            return EdgeLook::Fading(current.weight());
        }
        if current.state != from {
            return EdgeLook::Elsewhere;
        }
        let to = &graph.states[way.to].path;
        let is_open = explained.is_some_and(|ways| {
            let mut same = ways.iter().filter(|known| known.at == way.location);
            same.any(|known| known.open && to.starts_with(&known.to))
        });
        match is_open {
            true => EdgeLook::Open,
            false => EdgeLook::Blocked,
        }
    };
    let state_hint = |state: usize| {
        let state = &graph.states[state];
        let text = clips_in_words(shown.character, state.kind, &state.clips);
        format!(
            "{}\n{text}\nClick: enters this state. Right click: opens {}",
            state.path, state.location
        )
    };
    let edge_hint = |transition: usize| {
        let way = &graph.transitions[transition];
        let from: Vec<&str> = way
            .from
            .iter()
            .map(|from| &*graph.states[*from].path)
            .collect();
        let to = &graph.states[way.to].path;
        let conditions = match way.conditions.as_str() {
            "" => "always",
            conditions => conditions,
        };
        format!(
            "{} → {to}\n{conditions}\nfade {} s\nClick: opens {}",
            from.join(", "),
            way.fade,
            way.location
        )
    };
    let content = GraphContent {
        graph,
        states,
        edge: &edge,
        state_hint: &state_hint,
        edge_hint: &edge_hint,
    };
    view.show(ui, height, &content)
}

fn clips_in_words(character: &Character, kind: GraphStateKind, clips: &[usize]) -> String {
    let names: Vec<&str> = clips
        .iter()
        .map(|clip| character.definition.clips.clip_name(*clip))
        .collect();
    match (kind, names.as_slice()) {
        (_, []) => "rest pose".to_owned(),
        (GraphStateKind::Single, _) => format!("clip {}", names.join(", ")),
        (GraphStateKind::Blend, _) => format!("blend of {}", names.join(", ")),
        (GraphStateKind::List, _) => format!("list of {}", names.join(", ")),
        (GraphStateKind::Phases, _) => format!("phases {}", names.join(", ")),
    }
}

/// Shows the current state with its clips and its blend.
fn show_current(ui: &mut Ui, shown: &ShownLayer<'_>) {
    let Some(active) = shown.state.current(shown.layer) else {
        return;
    };
    let name = shown.machine.state_name(shown.layer, active.state);
    heading(ui, &format!("{name} for {:.2} s", active.state_age));
    let state = &shown.graph.states[active.state];
    let clips = &shown.character.definition.clips;
    let is_single = state.kind == GraphStateKind::Single || state.kind == GraphStateKind::Blend;
    for (playing, clip) in active.clips.iter().zip(&state.clips) {
        if playing.weight < 0.005 || !is_single {
            continue;
        }
        let (duration, clip) = (clips.duration(*clip), clips.clip_name(*clip));
        let time = playing.head.clip_time(duration);
        let text = format!(
            "{clip}  {:.0} %  {time:.2} of {duration:.2} s  ×{:.2}",
            playing.weight * 100.0,
            playing.rate
        );
        ui.label(RichText::new(text).monospace().color(DIM));
    }
    if let Some(view) = blend_view(shown.machine, shown.layer, active, shown.state) {
        show_blend(ui, shown, &view);
    }
}

/// Draws the points of a blend with their weights, and the position of the parameters.
fn show_blend(ui: &mut Ui, shown: &ShownLayer<'_>, view: &BlendView) {
    let is_line = view.axes.len() == 1;
    let height = if is_line {
        LINE_BLEND_HEIGHT
    } else {
        BLEND_HEIGHT
    };
    let (area, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let painter = ui.painter_at(area);
    painter.rect_filled(area, 4, DEEP);
    let positions = view.points.iter().map(|point| point.position);
    let positions = positions.chain([view.position]).map(|at| pos2(at.x, at.y));
    let mut bounds = positions.fold(Rect::NOTHING, |bounds, at| {
        bounds.union(Rect::from_min_max(at, at))
    });
    bounds = bounds.expand2(vec2(
        (bounds.width() * 0.12).max(0.05),
        (bounds.height() * 0.12).max(0.05),
    ));
    let inner = area.shrink2(vec2(30.0, if is_line { 8.0 } else { 18.0 }));
    let place = |at: glam::Vec2| -> Pos2 {
        let x = (at.x - bounds.min.x) / bounds.width();
        let y = (at.y - bounds.min.y) / bounds.height();
        let y = if is_line { 0.35 } else { 1.0 - y };
        pos2(
            inner.min.x + x * inner.width(),
            inner.min.y + y * inner.height(),
        )
    };
    if is_line {
        let y = place(view.position).y;
        painter.hline(inner.x_range(), y, Stroke::new(1.0, LINE));
    }
    let clips = &shown.character.definition.clips;
    for point in &view.points {
        let at = place(point.position);
        let color = DIM.lerp_to_gamma(ACCENT, point.weight.clamp(0.0, 1.0));
        painter.circle_filled(at, 3.5 + 5.0 * point.weight.clamp(0.0, 1.0), color);
        let name = point.clip.map_or("", |clip| clips.clip_name(clip));
        let text = match point.weight {
            weight if weight >= 0.005 => format!("{name} {:.0} %", weight * 100.0),
            _ => name.to_owned(),
        };
        let font = FontId::proportional(10.5);
        painter.text(at + vec2(0.0, 10.0), Align2::CENTER_TOP, text, font, color);
    }
    let at = place(view.position);
    let cross = Stroke::new(1.5, TEXT);
    painter.line_segment([at - vec2(7.0, 0.0), at + vec2(7.0, 0.0)], cross);
    painter.line_segment([at - vec2(0.0, 7.0), at + vec2(0.0, 7.0)], cross);
    let params = &shown.machine.def.params;
    let name = |axis: usize| params.get(axis).map_or("", |param| &*param.name);
    let axes: Vec<&str> = view.axes.iter().map(|axis| name(*axis)).collect();
    let font = FontId::proportional(10.5);
    let corner = area.right_bottom() - vec2(6.0, 4.0);
    painter.text(corner, Align2::RIGHT_BOTTOM, axes.join(" × "), font, DIM);
}

/// Shows the parameters. A changed one is set by a line of Lua.
fn show_params(ui: &mut Ui, shown: &ShownLayer<'_>, out: &mut StudioOutput) {
    let params = &shown.machine.def.params;
    if params.is_empty() {
        return;
    }
    heading(ui, "Parameters");
    let grid = egui::Grid::new("studio params").num_columns(2);
    grid.show(ui, |ui| {
        for (param, value) in params.iter().zip(&shown.state.params) {
            ui.label(&param.name);
            let target = format!("{}.params[{}]", shown.lua, lua_string(&param.name));
            match param.default {
                ParamValue::Bool(_) => {
                    let mut is_set = *value != 0.0;
                    let check = ui.checkbox(&mut is_set, "");
                    out.note_area("param", &param.name, check.rect);
                    if check.changed() {
                        out.act(StudioAction::Run(format!("{target} = {is_set}")));
                    }
                }
                ParamValue::Number(_) => {
                    let mut number = *value;
                    let speed = (number.abs() * 0.01).max(0.01);
                    let drag = DragValue::new(&mut number).speed(speed).max_decimals(3);
                    let hint = "Drag, or click and type. A script that sets it in each tick wins.";
                    let drag = ui.add(drag);
                    out.note_area("param", &param.name, drag.rect);
                    if drag.on_hover_text(hint).changed() && number.is_finite() {
                        out.act(StudioAction::Run(format!("{target} = {number}")));
                    }
                }
            }
            ui.end_row();
        }
    });
}
