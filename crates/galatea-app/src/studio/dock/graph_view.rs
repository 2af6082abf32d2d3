//! A layer of a state machine, drawn as a graph that can be moved and zoomed.

use egui::epaint::CubicBezierShape;
use egui::{
    Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui,
    Vec2, vec2,
};

use super::graph_layout::{GraphPositions, is_from_most, lay_out};
use super::style::{ACCENT, BLOCKED, DEEP, DIM, FADING, LINE, TEXT};
use galatea_machine::{LayerGraph, SourceLocation};

/// Space around a graph that is fitted into its area, points.
const MARGIN: f32 = 22.0;
/// Smallest height of the area, points.
const MIN_HEIGHT: f32 = 90.0;
/// Range of the zoom.
const MIN_ZOOM: f32 = 0.15;
const MAX_ZOOM: f32 = 3.0;
/// Largest zoom of a fitted graph.
const MAX_FITTED: f32 = 1.25;
/// Distance of the pointer from a line that counts as touching it, points.
const TOUCH: f32 = 5.0;
/// Number of points of a curve that are compared with the pointer.
const CURVE_POINTS: usize = 24;
/// Zoom below which names are left out.
const MIN_TEXT_ZOOM: f32 = 0.3;

/// Appearance of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StateLook {
    /// Weight among the states of the layer, 0..=1.
    pub weight: f32,
    /// True for the current state.
    pub is_current: bool,
}

/// Appearance of a transition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EdgeLook {
    /// A transition that does not start at the current state.
    Elsewhere,
    /// A transition out of the current state that cannot be taken now.
    Blocked,
    /// A transition that can be taken now.
    Open,
    /// A transition that fades; the fraction of the fade, 0..=1.
    Fading(f32),
}

/// Content of a graph.
pub struct GraphContent<'a> {
    /// The graph.
    pub graph: &'a LayerGraph,
    /// Appearance of each state.
    pub states: Vec<StateLook>,
    /// Appearance of a transition, by its index and its source state.
    pub edge: &'a dyn Fn(usize, usize) -> EdgeLook,
    /// Text for the pointer over a state.
    pub state_hint: &'a dyn Fn(usize) -> String,
    /// Text for the pointer over a transition.
    pub edge_hint: &'a dyn Fn(usize) -> String,
}

/// A click in a graph.
#[derive(Clone, Debug, PartialEq)]
pub enum GraphClick {
    /// A click on a state.
    State(usize),
    /// A request for the source of a state or a transition.
    Source(SourceLocation),
}

/// Position and zoom of a graph.
#[derive(Default)]
pub struct GraphView {
    graph: LayerGraph,
    positions: GraphPositions,
    /// The area for which it was laid out.
    room: Vec2,
    /// Zoom, and position of the origin in the area, once the user has moved the graph; otherwise it is fitted.
    moved: Option<(f32, Vec2)>,
    /// Areas of the states in the last pass, points.
    boxes: Vec<Rect>,
}

/// An edge that is drawn.
struct DrawnEdge {
    transition: usize,
    curve: [Pos2; 4],
    look: EdgeLook,
    /// True for a transition from all states, which is drawn once.
    is_from_any: bool,
}

impl GraphView {
    /// Areas of the states in the last pass, points.
    pub fn boxes(&self) -> &[Rect] {
        &self.boxes
    }

    /// Shows a graph in the rest of `ui`, at most `max_height` points high. Returns what the user clicked.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        max_height: f32,
        content: &GraphContent<'_>,
    ) -> Option<GraphClick> {
        let room = vec2(ui.available_width(), max_height) - Vec2::splat(2.0 * MARGIN);
        if self.graph != *content.graph || self.room != room {
            self.graph = content.graph.clone();
            self.positions = lay_out(content.graph, room);
            self.room = room;
            self.moved = None;
        }
        // A flat graph leaves room for the lists below it.
        let zoom = (room.x / self.positions.size.x.max(1.0)).min(MAX_FITTED);
        let height = (self.positions.size.y * zoom + 2.0 * MARGIN)
            .min(max_height)
            .max(MIN_HEIGHT);
        let size = vec2(ui.available_width(), height);
        let (area, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let (zoom, origin) = self.place(ui, area, &response);
        let painter = ui.painter_at(area);
        painter.rect_filled(area, CornerRadius::same(4), DEEP);
        let to_screen = |point: Pos2| area.min + origin + point.to_vec2() * zoom;
        let rect = |rect: Rect| Rect::from_min_max(to_screen(rect.min), to_screen(rect.max));
        for (group, at) in content.graph.groups.iter().zip(&self.positions.groups) {
            draw_group(&painter, rect(*at), &group.path, zoom);
        }
        let boxes: Vec<Rect> = self.positions.states.iter().map(|at| rect(*at)).collect();
        let edges = edges(content, &boxes, zoom);
        self.boxes.clone_from(&boxes);
        let pointer = response.hover_pos();
        let over_state = pointer.and_then(|at| boxes.iter().position(|rect| rect.contains(at)));
        let over_edge = match (pointer, over_state) {
            (Some(at), None) => edges.iter().position(|edge| touches(edge, at)),
            _ => None,
        };
        for (i, edge) in edges.iter().enumerate() {
            draw_edge(&painter, edge, zoom, over_edge == Some(i));
        }
        for (i, (state, at)) in content.graph.states.iter().zip(&boxes).enumerate() {
            let look = content.states.get(i).copied().unwrap_or_default();
            let name = state.path.rsplit('/').next().unwrap_or(&state.path);
            draw_state(&painter, *at, name, look, zoom, over_state == Some(i));
        }
        let hovered = match (over_state, over_edge) {
            (Some(state), _) => Some((content.state_hint)(state)),
            (None, Some(edge)) => Some((content.edge_hint)(edges[edge].transition)),
            _ => None,
        };
        let response = match hovered {
            Some(text) => response.on_hover_text_at_pointer(text),
            None => response,
        };
        let location_of_state = |state: usize| content.graph.states[state].location.clone();
        let location_of_edge = |edge: usize| {
            let transition = &content.graph.transitions[edges[edge].transition];
            transition.location.clone()
        };
        if response.clicked() {
            let source = |edge| GraphClick::Source(location_of_edge(edge));
            return over_state.map(GraphClick::State).or(over_edge.map(source));
        }
        if response.secondary_clicked() {
            let location = over_state.map(location_of_state);
            return location
                .or(over_edge.map(location_of_edge))
                .map(GraphClick::Source);
        }
        None
    }

    /// Zoom, and position of the origin in the area.
    fn place(&mut self, ui: &Ui, area: Rect, response: &egui::Response) -> (f32, Vec2) {
        let fitted = || {
            let room = area.size() - Vec2::splat(2.0 * MARGIN);
            let size = self.positions.size.max(Vec2::splat(1.0));
            let zoom = (room.x / size.x).min(room.y / size.y);
            let zoom = zoom.clamp(MIN_ZOOM, MAX_FITTED);
            (zoom, (area.size() - self.positions.size * zoom) * 0.5)
        };
        let (mut zoom, mut origin) = self.moved.unwrap_or_else(fitted);
        let is_reset = response.double_clicked_by(egui::PointerButton::Middle);
        if is_reset {
            self.moved = None;
            return fitted();
        }
        let mut is_moved = false;
        if response.dragged() {
            origin += response.drag_delta();
            is_moved = true;
        }
        if let Some(pointer) = response.hover_pos() {
            let scroll = ui.input(|input| input.smooth_scroll_delta().y);
            if scroll != 0.0 {
                let before = zoom;
                zoom = (zoom * (scroll * 0.004).exp()).clamp(MIN_ZOOM, MAX_ZOOM);
                let at = pointer - area.min;
                origin = at - (at - origin) * (zoom / before);
                is_moved = true;
            }
        }
        if is_moved {
            self.moved = Some((zoom, origin));
        }
        (zoom, origin)
    }
}

fn draw_group(painter: &Painter, at: Rect, path: &str, zoom: f32) {
    let radius = CornerRadius::same(6);
    painter.rect_filled(
        at,
        radius,
        Color32::from_rgba_unmultiplied(255, 255, 255, 8),
    );
    painter.rect_stroke(at, radius, Stroke::new(1.0, LINE), StrokeKind::Inside);
    if zoom >= MIN_TEXT_ZOOM {
        let font = FontId::proportional(11.5 * zoom.clamp(0.6, 1.4));
        painter.text(
            at.min + vec2(8.0, 5.0) * zoom,
            Align2::LEFT_TOP,
            path,
            font,
            DIM,
        );
    }
}

fn draw_state(
    painter: &Painter,
    at: Rect,
    name: &str,
    look: StateLook,
    zoom: f32,
    is_hovered: bool,
) {
    let radius = CornerRadius::same((6.0 * zoom).clamp(2.0, 10.0) as u8);
    let fill = match is_hovered {
        true => Color32::from_rgb(58, 63, 76),
        false => Color32::from_rgb(43, 47, 57),
    };
    painter.rect_filled(at, radius, fill);
    let color = match look {
        StateLook {
            is_current: true, ..
        } => ACCENT,
        StateLook { weight, .. } if weight > 0.0 => FADING,
        _ => LINE,
    };
    if look.weight > 0.0 {
        let mut level = at.shrink(1.0);
        level.max.x = level.min.x + level.width() * look.weight.clamp(0.0, 1.0);
        painter.rect_filled(level, radius, color.gamma_multiply(0.28));
    }
    let width = if look.is_current { 2.0 } else { 1.0 };
    painter.rect_stroke(at, radius, Stroke::new(width, color), StrokeKind::Inside);
    if zoom >= MIN_TEXT_ZOOM {
        let font = FontId::proportional((13.0 * zoom).clamp(7.0, 20.0));
        let clipped = painter.with_clip_rect(at.intersect(painter.clip_rect()));
        clipped.text(at.center(), Align2::CENTER_CENTER, name, font, TEXT);
    }
}

/// The edges of all transitions, with those of the current state last, so that they are on top.
fn edges(content: &GraphContent<'_>, boxes: &[Rect], zoom: f32) -> Vec<DrawnEdge> {
    let graph = content.graph;
    let has_way_back = |from: usize, to: usize| {
        let mut ways = graph.transitions.iter();
        ways.any(|way| way.to == from && way.from.contains(&to))
    };
    let mut out = Vec::new();
    for (i, transition) in graph.transitions.iter().enumerate() {
        let Some(to) = boxes.get(transition.to) else {
            continue;
        };
        if is_from_most(graph, transition.from.len()) {
            // Drawn once, as a short line that comes from above.
            let looks = transition.from.iter().map(|from| (content.edge)(i, *from));
            let look = looks
                .max_by_key(|look| rank(*look))
                .unwrap_or(EdgeLook::Elsewhere);
            let end = to.center_top();
            let start = end - vec2(0.0, 22.0 * zoom);
            let curve = [start, start.lerp(end, 0.33), start.lerp(end, 0.66), end];
            out.push(DrawnEdge {
                transition: i,
                curve,
                look,
                is_from_any: true,
            });
            continue;
        }
        for from in &transition.from {
            let Some(source) = boxes.get(*from).filter(|_| *from != transition.to) else {
                continue;
            };
            let others = boxes.iter().enumerate();
            let mut others = others.filter(|(i, _)| *i != *from && *i != transition.to);
            let ends = [source.center(), to.center()];
            let is_blocked = others.any(|(_, rect)| crosses(*rect, ends));
            let bend = match is_blocked {
                true => 0.26 * ends[0].distance(ends[1]),
                false => 0.0,
            };
            let side = if is_blocked || has_way_back(*from, transition.to) {
                8.0 * zoom
            } else {
                0.0
            };
            out.push(DrawnEdge {
                transition: i,
                curve: curve_between(*source, *to, side, bend),
                look: (content.edge)(i, *from),
                is_from_any: false,
            });
        }
    }
    out.sort_by_key(|edge| rank(edge.look));
    out
}

fn rank(look: EdgeLook) -> u8 {
    match look {
        EdgeLook::Elsewhere => 0,
        EdgeLook::Blocked => 1,
        EdgeLook::Open => 2,
        EdgeLook::Fading(_) => 3,
    }
}

/// Returns true if the line between two points crosses a box.
fn crosses(rect: Rect, [from, to]: [Pos2; 2]) -> bool {
    let points = (1..CURVE_POINTS).map(|i| from.lerp(to, i as f32 / CURVE_POINTS as f32));
    points.into_iter().any(|at| rect.contains(at))
}

/// A curve between the borders of two boxes, `side` points from the line between their centres, and `bend` points further
/// away from it in its middle.
fn curve_between(from: Rect, to: Rect, side: f32, bend: f32) -> [Pos2; 4] {
    let along = (to.center() - from.center()).normalized();
    let beside = vec2(-along.y, along.x) * side;
    let (start, end) = (from.center() + beside, to.center() + beside);
    let start = leave(from, start, along);
    let end = leave(to, end, -along);
    let bend = vec2(-along.y, along.x) * (side * 1.5 + bend);
    let third = (end - start) / 3.0;
    [start, start + third + bend, end - third + bend, end]
}

/// The point at which a ray from inside a box leaves it.
fn leave(rect: Rect, from: Pos2, along: Vec2) -> Pos2 {
    let time = |from: f32, along: f32, min: f32, max: f32| match along {
        along if along > 1e-4 => (max - from) / along,
        along if along < -1e-4 => (min - from) / along,
        _ => f32::INFINITY,
    };
    let x = time(from.x, along.x, rect.min.x, rect.max.x);
    let y = time(from.y, along.y, rect.min.y, rect.max.y);
    let t = x.min(y);
    if t.is_finite() {
        from + along * t
    } else {
        from
    }
}

fn point_on(curve: &[Pos2; 4], t: f32) -> Pos2 {
    let [a, b, c, d] = curve.map(|point| point.to_vec2());
    let u = 1.0 - t;
    (a * u * u * u + b * 3.0 * u * u * t + c * 3.0 * u * t * t + d * t * t * t).to_pos2()
}

fn touches(edge: &DrawnEdge, at: Pos2) -> bool {
    let points = (0..=CURVE_POINTS).map(|i| point_on(&edge.curve, i as f32 / CURVE_POINTS as f32));
    let points: Vec<Pos2> = points.collect();
    points
        .windows(2)
        .any(|pair| distance(pair[0], pair[1], at) < TOUCH)
}

/// Distance of a point from a line segment.
fn distance(a: Pos2, b: Pos2, at: Pos2) -> f32 {
    let along = b - a;
    let length = along.length_sq().max(1e-6);
    let t = ((at - a).dot(along) / length).clamp(0.0, 1.0);
    at.distance(a + along * t)
}

fn draw_edge(painter: &Painter, edge: &DrawnEdge, zoom: f32, is_hovered: bool) {
    let (color, width) = match edge.look {
        EdgeLook::Elsewhere => (DIM.gamma_multiply(0.55), 1.0),
        EdgeLook::Blocked => (BLOCKED.gamma_multiply(0.8), 1.4),
        EdgeLook::Open => (ACCENT, 2.0),
        EdgeLook::Fading(_) => (FADING, 2.4),
    };
    let color = if is_hovered { TEXT } else { color };
    let stroke = Stroke::new(width, color);
    let curve =
        CubicBezierShape::from_points_stroke(edge.curve, false, Color32::TRANSPARENT, stroke);
    painter.add(curve);
    let tip = edge.curve[3];
    let along = (tip - point_on(&edge.curve, 0.92)).normalized();
    let beside = vec2(-along.y, along.x);
    let size = (8.0 * zoom).clamp(4.0, 11.0);
    let base = tip - along * size;
    let arrow = vec![
        tip,
        base + beside * size * 0.45,
        base - beside * size * 0.45,
    ];
    painter.add(egui::Shape::convex_polygon(arrow, color, Stroke::NONE));
    if let EdgeLook::Fading(progress) = edge.look {
        painter.circle_filled(
            point_on(&edge.curve, progress.clamp(0.0, 1.0)),
            4.5 * zoom.max(0.7),
            FADING,
        );
    }
    if edge.is_from_any && zoom >= MIN_TEXT_ZOOM {
        let font = FontId::proportional((10.0 * zoom).clamp(6.0, 13.0));
        painter.text(
            edge.curve[0] + vec2(4.0, 0.0),
            Align2::LEFT_TOP,
            "any",
            font,
            color,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn curves_begin_and_end_on_the_borders() {
        let from = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 40.0));
        let to = Rect::from_min_size(pos2(300.0, 80.0), vec2(100.0, 40.0));
        for side in [0.0, 8.0, -8.0] {
            let [start, _, _, end] = curve_between(from, to, side, 0.0);
            let on_border = |rect: Rect, at: Pos2| {
                rect.expand(0.01).contains(at) && !rect.shrink(0.01).contains(at)
            };
            assert!(on_border(from, start), "{start:?}");
            assert!(on_border(to, end), "{end:?}");
        }
    }
}
