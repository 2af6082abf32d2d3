//! Positions of states in a graph: in layers from left to right, nested machines as boxes.

use egui::{Rect, Vec2, vec2};

use galatea_machine::LayerGraph;

/// Space between two layers of states, points, and between two states of a layer.
const SPACING: f32 = 44.0;
const GAP: f32 = 26.0;
/// Number of times that the layers are ordered.
const SWEEPS: usize = 7;
/// Height of a state, points.
pub const STATE_HEIGHT: f32 = 38.0;
/// Space between the border of a nested machine and its states, points; more at the top, for its name.
const GROUP_MARGIN: f32 = 12.0;
const GROUP_TITLE: f32 = 18.0;
/// Smallest width of a state, points.
const MIN_WIDTH: f32 = 72.0;
/// Width of a character of a name, and the largest width of a state, points.
const CHARACTER: f32 = 7.4;
const MAX_WIDTH: f32 = 190.0;

/// A laid out graph. Positions are in points, from the top left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GraphPositions {
    /// Boxes of the states, by their index.
    pub states: Vec<Rect>,
    /// Boxes of the nested machines, by their index.
    pub groups: Vec<Rect>,
    /// Size of the whole.
    pub size: Vec2,
}

/// Size of the box of a state, points.
fn state_size(path: &str) -> Vec2 {
    let name = path.rsplit('/').next().unwrap_or(path);
    let width = 20.0 + CHARACTER * name.chars().count() as f32;
    vec2(width.clamp(MIN_WIDTH, MAX_WIDTH), STATE_HEIGHT)
}

/// An item of a graph: a state, or a nested machine with its content.
#[derive(Clone, Copy, PartialEq)]
enum GraphItem {
    State(usize),
    Group(usize),
}

/// Lays out a graph for an area of this size: in columns or in rows, whichever is drawn larger.
pub fn lay_out(graph: &LayerGraph, area: Vec2) -> GraphPositions {
    let zoom = |laid: &GraphPositions| {
        let size = laid.size.max(Vec2::splat(1.0));
        (area.x / size.x).min(area.y / size.y)
    };
    let [columns, rows] = [false, true].map(|in_rows| lay_out_in(graph, in_rows));
    match zoom(&rows) > zoom(&columns) {
        true => rows,
        false => columns,
    }
}

fn lay_out_in(graph: &LayerGraph, in_rows: bool) -> GraphPositions {
    let mut out = GraphPositions {
        states: vec![Rect::ZERO; graph.states.len()],
        groups: vec![Rect::ZERO; graph.groups.len()],
        size: Vec2::ZERO,
    };
    out.size = place(graph, None, in_rows, &mut out);
    out
}

/// Places the content of a nested machine, or of the layer, from the origin on. Returns its size.
fn place(
    graph: &LayerGraph,
    group: Option<usize>,
    in_rows: bool,
    out: &mut GraphPositions,
) -> Vec2 {
    let states = (0..graph.states.len()).filter(|state| graph.states[*state].group == group);
    let groups = (0..graph.groups.len()).filter(|inner| graph.groups[*inner].parent == group);
    let states = states.map(GraphItem::State);
    let items: Vec<GraphItem> = states.chain(groups.map(GraphItem::Group)).collect();
    let sizes: Vec<Vec2> = items
        .iter()
        .map(|item| match *item {
            GraphItem::State(state) => state_size(&graph.states[state].path),
            GraphItem::Group(inner) => {
                let content = place(graph, Some(inner), in_rows, out);
                content + vec2(2.0 * GROUP_MARGIN, 2.0 * GROUP_MARGIN + GROUP_TITLE)
            }
        })
        .collect();
    let swapped = |size: Vec2| if in_rows { size.yx() } else { size };
    let along: Vec<Vec2> = sizes.iter().copied().map(swapped).collect();
    let (corners, size) = arrange(&along, &edges(graph, group, &items));
    let corners = corners.into_iter().map(swapped);
    let size = swapped(size);
    for ((item, corner), size) in items.iter().zip(corners).zip(sizes) {
        let rect = Rect::from_min_size(corner.to_pos2(), size);
        match *item {
            GraphItem::State(state) => out.states[state] = rect,
            GraphItem::Group(inner) => {
                out.groups[inner] = rect;
                let by = corner + vec2(GROUP_MARGIN, GROUP_MARGIN + GROUP_TITLE);
                shift_content(graph, inner, by, out);
            }
        }
    }
    size
}

fn shift_content(graph: &LayerGraph, group: usize, by: Vec2, out: &mut GraphPositions) {
    for (state, rect) in graph.states.iter().zip(&mut out.states) {
        if state.group == Some(group) {
            *rect = rect.translate(by);
        }
    }
    for inner in 0..graph.groups.len() {
        if graph.groups[inner].parent == Some(group) {
            out.groups[inner] = out.groups[inner].translate(by);
            shift_content(graph, inner, by, out);
        }
    }
}

/// The item among the content of `group` that is a state or contains it.
fn item_of(graph: &LayerGraph, group: Option<usize>, state: usize) -> Option<GraphItem> {
    let mut at = graph.states.get(state)?.group;
    let mut item = GraphItem::State(state);
    while at != group {
        let inner = at?;
        item = GraphItem::Group(inner);
        at = graph.groups.get(inner)?.parent;
    }
    Some(item)
}

/// Edges between different items of a group. Transitions from most states say little about the order and are left out.
fn edges(graph: &LayerGraph, group: Option<usize>, items: &[GraphItem]) -> Vec<(usize, usize)> {
    let index = |state: usize| {
        let item = item_of(graph, group, state)?;
        items.iter().position(|known| *known == item)
    };
    let mut edges = Vec::new();
    for transition in &graph.transitions {
        if is_from_most(graph, transition.from.len()) {
            continue;
        }
        for from in &transition.from {
            if let (Some(from), Some(to)) = (index(*from), index(transition.to))
                && from != to
                && !edges.contains(&(from, to))
            {
                edges.push((from, to));
            }
        }
    }
    edges
}

/// Returns true for a transition from so many states that it is drawn once, from `any`.
pub fn is_from_most(graph: &LayerGraph, n_from: usize) -> bool {
    n_from > 2 && n_from + 1 >= graph.states.len()
}

/// Top left corners of boxes that are connected by `edges`, and the size of the whole. Layers from left to right, ordered to
/// avoid crossings: Sugiyama, Tagawa and Toda, *Methods for Visual Understanding of Hierarchical System Structures*, 1981.
fn arrange(sizes: &[Vec2], edges: &[(usize, usize)]) -> (Vec<Vec2>, Vec2) {
    let layers = order(ranks(sizes.len(), edges), edges);
    let heights = layers.iter().map(|layer| {
        let boxes: f32 = layer.iter().map(|item| sizes[*item].y).sum();
        boxes + GAP * layer.len().saturating_sub(1) as f32
    });
    let heights: Vec<f32> = heights.collect();
    let height = heights.iter().copied().fold(0.0, f32::max);
    let mut corners = vec![Vec2::ZERO; sizes.len()];
    let mut left = 0.0;
    for (layer, own_height) in layers.iter().zip(heights) {
        let width = layer.iter().map(|item| sizes[*item].x).fold(0.0, f32::max);
        let mut top = (height - own_height) * 0.5;
        for item in layer {
            corners[*item] = vec2(left + (width - sizes[*item].x) * 0.5, top);
            top += sizes[*item].y + GAP;
        }
        left += width + SPACING;
    }
    (corners, vec2((left - SPACING).max(0.0), height))
}

/// The layer of each of `n` items: after all items from which an edge leads to it, apart from edges that close a cycle or
/// lead to the first item, the entry state.
fn ranks(n: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    // A depth-first search finds the edges that close a cycle, and an order in which all others lead forwards.
    let mut forward: Vec<(usize, usize)> = Vec::new();
    let mut finished: Vec<usize> = Vec::new();
    let mut is_open = vec![false; n];
    let mut is_seen = vec![false; n];
    for root in 0..n {
        let mut path = if is_seen[root] {
            Vec::new()
        } else {
            vec![(root, 0)]
        };
        while let Some((item, next)) = path.pop() {
            is_seen[item] = true;
            is_open[item] = true;
            let Some((at, (_, to))) = edges
                .iter()
                .enumerate()
                .skip(next)
                .find(|(_, (from, _))| *from == item)
            else {
                is_open[item] = false;
                finished.push(item);
                continue;
            };
            path.push((item, at + 1));
            // The entry state is in the first layer.
            if !is_open[*to] && *to != 0 {
                forward.push((item, *to));
            }
            if !is_seen[*to] {
                path.push((*to, 0));
            }
        }
    }
    let mut ranks = vec![0; n];
    for item in finished.iter().rev() {
        for (_, to) in forward.iter().filter(|(from, _)| from == item) {
            ranks[*to] = ranks[*to].max(ranks[*item] + 1);
        }
    }
    ranks
}

/// The items of each layer in an order with few crossings: each moves to the mean position of its neighbours.
fn order(ranks: Vec<usize>, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let n_layers = ranks.iter().max().map_or(0, |most| most + 1);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); n_layers];
    for (item, rank) in ranks.iter().enumerate() {
        layers[*rank].push(item);
    }
    let mut positions = vec![0.0_f32; ranks.len()];
    let note = |layer: &[usize], positions: &mut [f32]| {
        let middle = (layer.len() as f32 - 1.0) * 0.5;
        for (i, item) in layer.iter().enumerate() {
            positions[*item] = i as f32 - middle;
        }
    };
    for layer in &layers {
        note(layer, &mut positions);
    }
    for sweep in 0..SWEEPS {
        let is_forward = sweep % 2 == 0;
        for step in 1..n_layers {
            let at = if is_forward {
                step
            } else {
                n_layers - 1 - step
            };
            let mean = |item: usize| {
                let neighbours = edges.iter().filter_map(|(from, to)| match item {
                    item if item == *from => Some(*to),
                    item if item == *to => Some(*from),
                    _ => None,
                });
                let others: Vec<f32> = neighbours
                    .filter(|other| match is_forward {
                        true => ranks[*other] < at,
                        false => ranks[*other] > at,
                    })
                    .map(|other| positions[other])
                    .collect();
                match others.len() {
                    0 => positions[item],
                    n => others.iter().sum::<f32>() / n as f32,
                }
            };
            let mut sorted: Vec<(f32, usize)> =
                layers[at].iter().map(|item| (mean(*item), *item)).collect();
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
            layers[at] = sorted.into_iter().map(|(_, item)| item).collect();
            note(&layers[at], &mut positions);
        }
    }
    layers
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_machine::{
        GraphGroup, GraphState, GraphStateKind, GraphTransition, SourceLocation,
    };

    fn state(path: &str, group: Option<usize>) -> GraphState {
        GraphState {
            path: path.into(),
            group,
            clips: Vec::new(),
            kind: GraphStateKind::Single,
            location: SourceLocation::default(),
        }
    }

    fn way(from: &[usize], to: usize) -> GraphTransition {
        GraphTransition {
            from: from.to_vec(),
            to,
            conditions: String::new(),
            fade: 0.0,
            location: SourceLocation::default(),
        }
    }

    #[test]
    fn states_do_not_overlap_and_nested_ones_are_in_their_box() {
        let graph = LayerGraph {
            states: vec![
                state("idle", None),
                state("walk", None),
                state("air/up", Some(0)),
                state("air/down", Some(0)),
                state("alone", None),
            ],
            groups: vec![GraphGroup {
                path: "air".into(),
                parent: None,
            }],
            transitions: vec![
                way(&[0], 1),
                way(&[1], 0),
                way(&[0], 2),
                way(&[2], 3),
                way(&[2, 3], 0),
            ],
        };
        let [in_columns, in_rows] =
            [vec2(900.0, 100.0), vec2(100.0, 900.0)].map(|area| lay_out(&graph, area));
        assert!(in_columns.size.x > in_columns.size.y);
        assert!(in_rows.size.y > in_rows.size.x);
        for laid in [in_columns, in_rows] {
            check_nested(&graph, &laid);
        }
    }

    fn check_nested(graph: &LayerGraph, laid: &GraphPositions) {
        for (i, a) in laid.states.iter().enumerate() {
            assert!(a.width() > 0.0, "{i} is placed");
            for b in &laid.states[i + 1..] {
                assert!(!a.expand(-0.5).intersects(*b), "{a:?} {b:?}");
            }
            let is_inside = laid.groups[0].contains_rect(*a);
            assert_eq!(is_inside, graph.states[i].group == Some(0), "{i}");
        }
        let whole = Rect::from_min_size(egui::Pos2::ZERO, laid.size).expand(0.5);
        assert!(laid.states.iter().all(|rect| whole.contains_rect(*rect)));
        assert!(laid.groups.iter().all(|rect| whole.contains_rect(*rect)));
    }

    #[test]
    fn chains_run_from_left_to_right_and_cycles_end() {
        assert_eq!(ranks(4, &[(0, 1), (1, 2), (2, 0), (2, 3)]), [0, 1, 2, 3]);
        assert_eq!(ranks(3, &[(0, 2), (0, 1), (1, 2)]), [0, 1, 2]);
        assert_eq!(ranks(2, &[(1, 0)]), [0, 0], "the entry state is first");
        // 0 leads to 3 and 1 to 2: without crossing, 3 is above 2.
        let layers = order(vec![0, 0, 1, 1], &[(0, 3), (1, 2)]);
        assert_eq!(layers, [[0, 1], [3, 2]]);
    }

    #[test]
    fn random_graphs_are_laid_out() {
        let mut seed = 7_u64;
        let mut random = |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % n
        };
        for _ in 0..60 {
            let n = 1 + random(24);
            let graph = LayerGraph {
                states: (0..n).map(|i| state(&format!("s{i}"), None)).collect(),
                groups: Vec::new(),
                transitions: (0..random(60))
                    .map(|_| way(&[random(n)], random(n)))
                    .collect(),
            };
            let laid = lay_out(&graph, vec2(400.0, 300.0));
            for (i, a) in laid.states.iter().enumerate() {
                for b in &laid.states[i + 1..] {
                    assert!(!a.expand(-0.5).intersects(*b), "{a:?} {b:?}");
                }
            }
        }
    }
}
