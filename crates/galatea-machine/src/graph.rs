//! A layer as a graph of states and transitions, and blends as points, for tools that draw them.

use glam::Vec2;

use super::bound::{
    Axes, Blend, Child, Layer, Machine, StateMotion, Target, Transition, TransitionTest,
};
use super::clip_weights::space_position;
use super::definition::{Content, SourceLocation, StatesDef};
use super::state::{Active, MachineState};

/// A layer as a graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerGraph {
    /// States, nested ones included, by their index.
    pub states: Vec<GraphState>,
    /// Nested machines, outer before inner.
    pub groups: Vec<GraphGroup>,
    /// Transitions by their index, in evaluation order.
    pub transitions: Vec<GraphTransition>,
}

/// A state of a [`LayerGraph`].
#[derive(Clone, Debug, PartialEq)]
pub struct GraphState {
    /// Name; of a nested state `outer/inner`.
    pub path: String,
    /// Innermost nested machine that contains it, as an index of [`LayerGraph::groups`].
    pub group: Option<usize>,
    /// Clip numbers, in the order in which they are written. Empty for the rest pose.
    pub clips: Vec<usize>,
    /// Use of its clips.
    pub kind: GraphStateKind,
    /// Position in the script.
    pub location: SourceLocation,
}

/// Use of a state's clips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphStateKind {
    /// Plays one clip, or is the rest pose.
    Single,
    /// Blends clips by parameters.
    Blend,
    /// Plays clips one after another.
    List,
    /// Plays an intro, a loop and an outro.
    Phases,
}

/// A nested machine of a [`LayerGraph`].
#[derive(Clone, Debug, PartialEq)]
pub struct GraphGroup {
    /// Name, `outer/inner` if nested again.
    pub path: String,
    /// Nested machine that contains it.
    pub parent: Option<usize>,
}

/// A transition of a [`LayerGraph`].
#[derive(Clone, Debug, PartialEq)]
pub struct GraphTransition {
    /// Indices of the source states.
    pub from: Vec<usize>,
    /// Index of the target state.
    pub to: usize,
    /// Conditions as text, as in `speed > 0.1, after 2 s`. A condition that is a function is `function`.
    pub conditions: String,
    /// Duration of the fade, seconds.
    pub fade: f32,
    /// Position in the script.
    pub location: SourceLocation,
}

/// The outermost blend space of a state: its points with their weights, and the position of the parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendView {
    /// Numbers of the parameters of the axes, one or two.
    pub axes: Vec<usize>,
    /// Position of the parameters; y is 0 with one axis.
    pub position: Vec2,
    /// The points, in the order in which they are written.
    pub points: Vec<BlendPointView>,
}

/// A point of a [`BlendView`].
#[derive(Clone, Debug, PartialEq)]
pub struct BlendPointView {
    /// Position; y is 0 with one axis.
    pub position: Vec2,
    /// Number of its clip, or of the first clip of a nested blend; `None` for an empty one.
    pub clip: Option<usize>,
    /// Number of clips; above 1 for a nested blend.
    pub n_clips: usize,
    /// Weight among the state's clips, 0..=1.
    pub weight: f32,
}

/// Describes a layer as a graph; empty for a layer that does not exist.
pub fn layer_graph(machine: &Machine, layer: usize) -> LayerGraph {
    let Some(bound) = machine.layers.get(layer) else {
        return LayerGraph::default();
    };
    let mut locations = Vec::new();
    if let Some(def) = machine.def.layers.get(layer) {
        collect_locations(&def.states, "", &mut locations);
    }
    let location = |path: &str| {
        let found = locations.iter().find(|(known, _)| known == path);
        found.map(|(_, at)| at.clone()).unwrap_or_default()
    };
    let states = bound.states.iter().map(|state| {
        let (kind, clips) = kind_and_clips(&state.motion);
        GraphState {
            path: state.path.clone(),
            group: state.groups.last().copied(),
            clips,
            kind,
            location: location(&state.path),
        }
    });
    let groups = bound.groups.iter().map(|group| {
        let outer = group.path.rsplit_once('/').map(|(outer, _)| outer);
        GraphGroup {
            path: group.path.clone(),
            parent: outer.and_then(|outer| bound.groups.iter().position(|g| g.path == outer)),
        }
    });
    let transitions = bound.transitions.iter().map(|transition| {
        let from = transition.from.iter().enumerate();
        GraphTransition {
            from: from
                .filter(|(_, is)| **is)
                .map(|(state, _)| state)
                .collect(),
            to: match transition.to {
                Target::State(state) => state,
                Target::Group(group) => bound.groups[group].entry,
            },
            conditions: conditions(bound, transition),
            fade: transition.fade.seconds,
            location: transition.at.clone(),
        }
    });
    LayerGraph {
        states: states.collect(),
        groups: groups.collect(),
        transitions: transitions.collect(),
    }
}

fn collect_locations(states: &StatesDef, outer: &str, out: &mut Vec<(String, SourceLocation)>) {
    for state in &states.states {
        let path = format!("{outer}{}", state.name);
        if let Content::Nested(inner) = &state.content {
            collect_locations(inner, &format!("{path}/"), out);
        }
        out.push((path, state.location.clone()));
    }
}

fn kind_and_clips(motion: &StateMotion) -> (GraphStateKind, Vec<usize>) {
    match motion {
        StateMotion::Rest => (GraphStateKind::Single, Vec::new()),
        StateMotion::Blend(blend) => {
            let kind = match blend.leaves.len() {
                1 => GraphStateKind::Single,
                _ => GraphStateKind::Blend,
            };
            (kind, blend.leaves.iter().map(|leaf| leaf.clip).collect())
        }
        StateMotion::List(list) => (GraphStateKind::List, list.clips.clone()),
        StateMotion::Phases {
            intro,
            looped,
            outro,
        } => {
            let clips = [*intro, Some(*looped), *outro];
            (
                GraphStateKind::Phases,
                clips.into_iter().flatten().collect(),
            )
        }
    }
}

fn conditions(layer: &Layer, transition: &Transition) -> String {
    let mut parts = Vec::new();
    if let Some(event) = &transition.on {
        parts.push(format!("on {event:?}"));
    }
    match &transition.when {
        Some(TransitionTest::Condition(condition)) => parts.push(condition.text().to_owned()),
        Some(TransitionTest::Predicate(_)) => parts.push("function".to_owned()),
        None => {}
    }
    if transition.at_end {
        parts.push("at the end".to_owned());
    }
    if let Some(fraction) = transition.exit {
        parts.push(format!("at {:.0} % of the clip", fraction * 100.0));
    }
    let awaited = transition.awaited_marker;
    if let Some((marker, _)) = awaited.and_then(|marker| layer.awaited.get(marker)) {
        parts.push(format!("marker {marker:?}"));
    }
    if transition.after > 0.0 {
        parts.push(format!("after {} s", transition.after));
    }
    parts.join(", ")
}

/// Describes the outermost blend space of an active state; `None` if the state does not blend by parameters.
pub fn blend_view(
    machine: &Machine,
    layer: usize,
    active: &Active,
    state: &MachineState,
) -> Option<BlendView> {
    let bound = machine.layers.get(layer)?.states.get(active.state)?;
    let StateMotion::Blend(blend) = &bound.motion else {
        return None;
    };
    let root = blend.nodes.first()?;
    let weight = |leaf: usize| active.clips.get(leaf).map_or(0.0, |clip| clip.weight);
    let points = root.children.iter().zip(root.space.positions());
    let points = points.map(|(child, position)| {
        let mut leaves = Vec::new();
        collect_leaves(blend, *child, &mut leaves);
        BlendPointView {
            position,
            clip: leaves.first().map(|leaf| blend.leaves[*leaf].clip),
            n_clips: leaves.len(),
            weight: leaves.iter().map(|leaf| weight(*leaf)).sum(),
        }
    });
    Some(BlendView {
        axes: match root.axes {
            Axes::One(by) => vec![by],
            Axes::Two(x, y) => vec![x, y],
        },
        position: space_position(root, &state.params),
        points: points.collect(),
    })
}

fn collect_leaves(blend: &Blend, child: Child, out: &mut Vec<usize>) {
    match child {
        Child::Leaf(leaf) => out.push(leaf),
        Child::Node(node) => {
            for inner in &blend.nodes[node].children {
                collect_leaves(blend, *inner, out);
            }
        }
    }
}
