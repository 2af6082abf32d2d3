//! A machine bound to one model: indices instead of names.

use serde::{Deserialize, Serialize};

use super::condition::Condition;
use super::definition::{
    Behaviour, Fade, Interrupt, LayerMode, MachineDef, Predicate, SourceLocation,
};
use galatea_anim::blend_space::BlendSpace;
use galatea_anim::{MarkerValue, Mask, PlayMode, SyncTrack};

/// A state machine bound to the clips of one model, with all names resolved. Immutable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The definition it was bound from.
    pub def: MachineDef,
    pub(super) layers: Vec<Layer>,
}

/// A layer's states, flattened: the states of nested machines are in the same list, named `outer/inner`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Layer {
    pub name: String,
    pub mask: Option<Mask>,
    pub weight: NumberSource,
    pub mode: LayerMode,
    pub beyond: Option<f32>,
    pub states: Vec<State>,
    /// Nested machines, outer before inner.
    pub groups: Vec<SubMachine>,
    /// In evaluation order.
    pub transitions: Vec<Transition>,
    /// For each state, the indices of the outgoing transitions, in evaluation order.
    pub outgoing: Vec<Vec<usize>>,
    /// Marks that transitions wait for: name and required fields.
    pub awaited: Vec<(String, Vec<(String, MarkerValue)>)>,
    /// At least one transition is inertial, so the layer records the poses it has shown.
    pub inertial: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    pub path: String,
    /// Nested machines that contain the state, outermost first.
    pub groups: Vec<usize>,
    pub motion: StateMotion,
    pub mode: PlayMode,
    pub speed: NumberSource,
    /// Index of the parameter that sets the position in the clip.
    pub time: Option<usize>,
    pub mirror: NumberSource,
    pub root_motion: bool,
    pub orient: Option<Orient>,
    pub behaviour: Option<Behaviour>,
}

/// Rotation of the legs towards the walking direction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Orient {
    /// Index of the parameter with the walking direction, degrees.
    pub param: usize,
    /// Walking direction of the clip itself, radians about +Y.
    pub heading: f32,
}

/// A nested machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SubMachine {
    pub path: String,
    /// Entry state.
    pub entry: usize,
    pub history: bool,
    pub behaviour: Option<Behaviour>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum StateMotion {
    Rest,
    /// One clip, or clips blended by parameters.
    Blend(Blend),
    List(ClipList),
    Phases {
        intro: Option<usize>,
        looped: usize,
        outro: Option<usize>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ClipList {
    pub clips: Vec<usize>,
    pub chances: Vec<f32>,
    pub random: bool,
    pub repeat: bool,
    pub fade: f32,
}

/// A tree of blend spaces over clips. One clip is a tree of one leaf and no nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Blend {
    /// Blend spaces of the tree, root first.
    pub nodes: Vec<BlendNode>,
    pub leaves: Vec<Leaf>,
    /// At least one leaf is synchronised.
    pub synced: bool,
    /// The clips' speed is scaled to the root space's position, read as metres per second.
    pub match_speed: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct BlendNode {
    /// Parameters of the axes.
    pub axes: Axes,
    pub space: BlendSpace,
    pub children: Vec<Child>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Axes {
    One(usize),
    Two(usize, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Child {
    Leaf(usize),
    Node(usize),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Leaf {
    pub clip: usize,
    pub speed: f32,
    /// Sync track in the shared cycle; `None` for a clip that runs free.
    pub sync: Option<SyncTrack>,
    /// For each event of `sync`, the indices of the marks at that event; empty without step marks.
    pub steps: Vec<Vec<usize>>,
    /// Speed over the ground measured from the clip's feet, metres per second; 0 when unknown.
    pub ground_speed: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum NumberSource {
    Fixed(f32),
    Param(usize),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum TransitionTest {
    Predicate(Predicate),
    Condition(Condition),
}

/// Target of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Target {
    State(usize),
    Group(usize),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Transition {
    /// One flag per state: true for the source states.
    pub from: Vec<bool>,
    pub to: Target,
    pub when: Option<TransitionTest>,
    /// The transition has a text condition and no other condition.
    pub plain: bool,
    pub on: Option<String>,
    pub at_end: bool,
    pub after: f64,
    pub exit: Option<f32>,
    /// Index into the layer's `awaited` marks.
    pub awaited_marker: Option<usize>,
    pub priority: i32,
    pub interrupt: Interrupt,
    pub allow_travel: bool,
    pub skip_outro: bool,
    pub fade: Fade,
    pub entry: BoundEntry,
    pub at: SourceLocation,
}

/// Start position in the target's clip. Marks are looked up when the state is entered, because they belong to the
/// character.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum BoundEntry {
    Auto,
    Start,
    Phase,
    Time(f32),
    Fraction(f32),
    Marker {
        event: String,
        fields: Vec<(String, MarkerValue)>,
        index: usize,
    },
}

impl Machine {
    /// The mask of a layer; `None` for one that moves the whole body.
    pub fn mask(&self, layer: usize) -> Option<&Mask> {
        self.layers.get(layer)?.mask.as_ref()
    }

    /// Names of the layers, lowest first.
    pub fn layer_names(&self) -> impl Iterator<Item = &str> {
        self.layers.iter().map(|layer| layer.name.as_str())
    }

    /// Returns the names of a layer's states, then of its nested machines, indexed as in [`super::Happening`]. Empty
    /// for a layer that does not exist.
    pub fn state_names(&self, layer: usize) -> impl Iterator<Item = &str> {
        let layer = self.layers.get(layer);
        let states = layer.map_or(&[][..], |layer| &layer.states);
        let groups = layer.map_or(&[][..], |layer| &layer.groups);
        states
            .iter()
            .map(|state| state.path.as_str())
            .chain(groups.iter().map(|group| group.path.as_str()))
    }

    /// Returns the events that transitions wait for.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        let transitions = self.layers.iter().flat_map(|layer| &layer.transitions);
        transitions.filter_map(|transition| transition.on.as_deref())
    }

    /// Returns the conditions that are script functions.
    pub fn predicates(&self) -> Vec<Predicate> {
        let transitions = self.layers.iter().flat_map(|layer| &layer.transitions);
        transitions
            .filter_map(|transition| match transition.when {
                Some(TransitionTest::Predicate(predicate)) => Some(predicate),
                _ => None,
            })
            .collect()
    }

    /// Returns the script functions of all states and nested machines.
    pub fn behaviours(&self) -> impl Iterator<Item = Behaviour> {
        self.layers.iter().flat_map(|layer| {
            let groups = layer.groups.iter().filter_map(|group| group.behaviour);
            let states = layer.states.iter().filter_map(|state| state.behaviour);
            groups.chain(states)
        })
    }

    /// Returns the script functions of a state or nested machine, by its index.
    pub fn behaviour(&self, layer: usize, state: usize) -> Option<Behaviour> {
        let layer = self.layers.get(layer)?;
        match layer.states.get(state) {
            Some(state) => state.behaviour,
            None => layer.groups.get(state - layer.states.len())?.behaviour,
        }
    }

    /// Returns the indices of the nested machines that contain a state, outermost first, and then the state's own.
    /// Empty for a state that does not exist.
    pub fn within(&self, layer: usize, state: usize) -> impl Iterator<Item = usize> {
        let layer = self.layers.get(layer);
        let found = layer.and_then(|layer| Some((layer, layer.states.get(state)?)));
        let groups = found.map_or(&[][..], |(_, state)| &state.groups);
        let n_states = layer.map_or(0, |layer| layer.states.len());
        let outer = groups.iter().map(move |group| n_states + group);
        outer.chain(found.map(|_| state))
    }

    /// Returns the state of a layer that is entered by a name: the state itself, or the entry state of a nested machine.
    pub fn entered_by_name(&self, layer: usize, name: &str) -> Option<usize> {
        let layer = self.layers.get(layer)?;
        let state = layer.states.iter().position(|state| state.path == name);
        let group = || layer.groups.iter().find(|group| group.path == name);
        state.or_else(|| group().map(|group| group.entry))
    }

    /// Returns the number of states and transitions.
    pub fn size(&self) -> usize {
        let layers = self.layers.iter();
        layers
            .map(|layer| layer.states.len() + layer.transitions.len())
            .sum()
    }

    /// Returns the name of a state or nested machine by its index, or an empty string.
    pub fn state_name(&self, layer: usize, state: usize) -> &str {
        self.state_names(layer).nth(state).unwrap_or_default()
    }
}

impl Layer {
    /// Fade of a transition between two states; `number` is the layer's index. In an upper layer, a state without
    /// clips shows the layers below. No pose exists from which an inertial blend could decay, so the layer's weight
    /// cross-fades instead.
    pub fn fade(&self, number: usize, transition: &Transition, from: usize, to: usize) -> Fade {
        let rests = |state: usize| self.states[state].motion == StateMotion::Rest;
        Fade {
            inertial: transition.fade.inertial && !(number > 0 && (rests(from) || rests(to))),
            ..transition.fade
        }
    }

    /// Seconds before the clip's end at which a `done` transition is taken. A cross-fade begins early enough to end
    /// with the clip; an inertial blend begins at the end, because the old clip stops playing.
    pub fn end_lead(&self, number: usize, transition: &Transition, from: usize, to: usize) -> f64 {
        match self.fade(number, transition, from, to) {
            Fade { inertial: true, .. } => 0.0,
            fade => f64::from(fade.seconds),
        }
    }

    /// Resolves a target to a state, with the states that nested machines remember.
    pub fn entry(&self, target: Target, remembered: &[usize]) -> usize {
        match target {
            Target::State(state) => state,
            Target::Group(group) => {
                let entry = self.groups[group].entry;
                let last = remembered.get(group).copied().unwrap_or(entry);
                if self.groups[group].history {
                    last
                } else {
                    entry
                }
            }
        }
    }
}

impl State {
    /// Index of the clip at position `k` among the playing clips: a leaf of a blend, else the one clip.
    pub fn clip_of(&self, k: usize, item: u32) -> Option<usize> {
        match &self.motion {
            StateMotion::Blend(blend) => blend.leaves.get(k).map(|leaf| leaf.clip),
            _ => self.single_clip(item),
        }
    }

    /// The clip that plays now, if there is only one. `item` is the index in a list, or the phase.
    pub fn single_clip(&self, item: u32) -> Option<usize> {
        match &self.motion {
            StateMotion::Rest => None,
            StateMotion::Blend(blend) if blend.leaves.len() == 1 => Some(blend.leaves[0].clip),
            StateMotion::Blend(_) => None,
            StateMotion::List(list) => list
                .clips
                .get(item as usize)
                .or_else(|| list.clips.first())
                .copied(),
            StateMotion::Phases {
                intro,
                looped,
                outro,
            } => match LoopPhase::of(item) {
                LoopPhase::Intro => intro.or(Some(*looped)),
                LoopPhase::Looped => Some(*looped),
                LoopPhase::Outro => outro.or(Some(*looped)),
            },
        }
    }

    /// Play mode of the clip that plays now.
    pub fn mode_of(&self, item: u32) -> PlayMode {
        match &self.motion {
            StateMotion::List(_) => PlayMode::Once,
            StateMotion::Phases { .. } if LoopPhase::of(item) == LoopPhase::Looped => {
                PlayMode::Loop
            }
            StateMotion::Phases { .. } => PlayMode::Once,
            StateMotion::Blend(blend) if blend.leaves.len() > 1 => PlayMode::Loop,
            _ => self.mode,
        }
    }
}

/// Part of an intro-loop-outro state, as stored in `Active::item`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoopPhase {
    Intro,
    Looped,
    Outro,
}

impl LoopPhase {
    pub fn of(item: u32) -> Self {
        match item {
            0 => Self::Intro,
            1 => Self::Looped,
            _ => Self::Outro,
        }
    }

    pub fn item(self) -> u32 {
        match self {
            Self::Intro => 0,
            Self::Looped => 1,
            Self::Outro => 2,
        }
    }
}
