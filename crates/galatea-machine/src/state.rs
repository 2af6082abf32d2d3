//! The state of one character in a machine.

use super::bound::{Layer, Machine, NumberSource, State, StateMotion};
use super::condition::Builtins;
use galatea_anim::{Crossing, Ease, Hushed, Inertia, Marks, Playhead, Pose, RootDelta};

/// The state of one character in a machine: parameters, layers and events. Plain data; a hot reload restores it by
/// name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MachineState {
    /// Parameter values in the definition's order; true is 1.
    pub params: Vec<f32>,
    /// Layers in the definition's order.
    pub layers: Vec<LayerState>,
    /// Events sent to the machine.
    pub sent: Vec<Sent>,
    /// Seconds since it started.
    pub time: f64,
    /// Root motion of the last step, model space.
    pub travel: RootDelta,
    /// Turn of the legs towards the walking direction.
    pub turned: Turned,
    /// Number of clip playbacks so far; each has its own number.
    pub n_playings: u64,
    /// Nothing of it shows, since the character lies as a ragdoll: marks are silent.
    pub is_hidden: bool,
}

/// An event that was sent and that no transition has consumed yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// Its name.
    pub event: String,
    /// Seconds until it expires; 0 is valid in the next step only.
    pub left: f64,
}

/// The state of a layer: active states, with the current one last and those that fade out before it, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerState {
    /// Never empty while the layer plays.
    pub active: Vec<Active>,
    /// For each nested machine the state in which it was last.
    pub remembered: Vec<usize>,
    /// State that it travels to.
    pub goal: Option<usize>,
    /// What was decided lately, oldest first.
    pub decisions: Vec<Decision>,
    /// Memory for the parameters of decisions to come.
    pub spare_params: Vec<Vec<f32>>,
    /// For each mark that the layer's ways wait for: the last step of the current state passed it.
    pub passed: Vec<bool>,
    /// How much of the layer its distance from the camera leaves, 0..=1.
    pub nearness: f32,
    /// Memory of states that have faded, for those to come.
    pub spare: Vec<Vec<PlayingClip>>,
    /// What an inertial transition needs; only where the layer has one.
    pub inertia: Option<Box<PoseHistory>>,
}

/// Poses that were shown, and what of them still dies away.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoseHistory {
    /// The layer's pose of this step, of the last and of the one before.
    pub poses: [Pose; 3],
    /// Steps so far; two poses tell a speed.
    pub n_steps: u32,
    /// Seconds that an inertial transition to begin with this step is to take.
    pub begin: Option<f32>,
    /// What dies away.
    pub inertia: Inertia,
    /// Seconds since it began; `None` when all is gone.
    pub age: Option<f64>,
}

/// A transition that was taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// Seconds of the machine's own time at which it was taken.
    pub at: f64,
    /// State that was left.
    pub from: usize,
    /// State that was entered.
    pub to: usize,
    /// Number of the transition in its layer.
    pub transition: usize,
    /// It was taken on the way to this state, whatever its condition.
    pub travelling: Option<usize>,
    /// Parameters as they were.
    pub params: Vec<f32>,
    /// What conditions could read beside them.
    pub builtins: Builtins,
}

/// Number of decisions that a layer remembers.
pub(super) const MOST_DECISIONS: usize = 16;

/// How the legs of a character are turned now.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turned {
    /// Radians about +Y.
    pub angle: f32,
    /// Radians per second.
    pub speed: f32,
    /// The clips of states that turn are played backwards.
    pub reversed: bool,
}

/// An active state: the current one, or one that fades out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Active {
    /// Number of the state in its layer.
    pub state: usize,
    /// Seconds since this play of it began; its fade runs on it.
    pub age: f64,
    /// Seconds since the state was entered.
    pub state_age: f64,
    /// Its clips: one for each of a blend, else the one that plays.
    pub clips: Vec<PlayingClip>,
    /// Blend weight among the layer's states, 0..=1.
    pub shown: f32,
    /// Place in the shared cycle of what keeps step, in foot steps or laps.
    pub cycle: f64,
    /// The clip of a blend that shows most.
    pub lead: usize,
    /// Which of several clips was chosen, or the phase of an intro-loop-outro state.
    pub item: u32,
    /// Seconds of its cross-fade.
    pub fade: f32,
    /// Course of its cross-fade.
    pub ease: Ease,
    /// The transition that led here.
    pub transition: Option<usize>,
    /// The transition to take when the way out has been played.
    pub leaving: Option<usize>,
    /// It keeps step with the state that it replaces.
    pub in_step: bool,
    /// Its clip, played once, has reached its end.
    pub ended: bool,
    /// Seconds since then.
    pub since_end: f64,
}

/// A playing clip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayingClip {
    /// Playback position.
    pub head: Playhead,
    /// Blend weight among the state's clips, 0..=1.
    pub weight: f32,
    /// Playback speed in the last step.
    pub rate: f32,
    /// Intervals that were begun while its layer showed nothing, so that nobody was told.
    pub hushed: Hushed,
    /// Its number among the machine's playings, from 1; 0 until its first step.
    pub number: u64,
}

impl PlayingClip {
    /// Whether a crossing is told to nobody, `silent` saying whether the layer shows nothing: an
    /// interval ends as it began, for those who heard it and for those who did not.
    pub(super) fn hushes(&mut self, marks: &Marks, crossing: &Crossing, silent: bool) -> bool {
        self.hushed.takes(marks, crossing, silent)
    }

    /// Nobody was told that this interval began.
    pub(super) fn is_hushed(&self, marks: &Marks, mark: usize) -> bool {
        self.hushed.has(marks, mark)
    }
}

impl Active {
    /// How much of this state shows over those before it, 0..=1.
    pub fn weight(&self) -> f32 {
        if self.fade <= 0.0 {
            return 1.0;
        }
        self.ease
            .apply((self.age as f32 / self.fade).clamp(0.0, 1.0))
    }
}

/// Memory for as many states as may play at once in a layer.
fn spare(layer: &Layer) -> Vec<Vec<PlayingClip>> {
    let clips = |state: &State| match &state.motion {
        StateMotion::Blend(blend) => blend.leaves.len(),
        _ => 1,
    };
    let most = layer.states.iter().map(clips).max().unwrap_or(0);
    let mut spare = Vec::with_capacity(MOST_ACTIVE + 1);
    spare.resize_with(MOST_ACTIVE + 1, || Vec::with_capacity(most));
    spare
}

/// The most states that fade at once in a layer; the oldest gives way.
pub(super) const MOST_ACTIVE: usize = 7;

impl MachineState {
    /// Creates the initial state: every layer in its entry state, every parameter at its default.
    pub fn new(machine: &Machine) -> Self {
        Self {
            params: machine
                .def
                .params
                .iter()
                .map(|param| param.default.as_number())
                .collect(),
            layers: machine
                .layers
                .iter()
                .map(|layer| {
                    let mut active = Vec::with_capacity(MOST_ACTIVE + 1);
                    let mut spare = spare(layer);
                    active.push(Active {
                        clips: spare.pop().unwrap_or_default(),
                        ..Active::default()
                    });
                    LayerState {
                        active,
                        decisions: Vec::with_capacity(MOST_DECISIONS),
                        spare_params: (0..MOST_DECISIONS)
                            .map(|_| Vec::with_capacity(machine.def.params.len()))
                            .collect(),
                        spare,
                        passed: vec![false; layer.awaited.len()],
                        remembered: layer.groups.iter().map(|group| group.entry).collect(),
                        nearness: 1.0,
                        inertia: layer.inertial.then(Box::default),
                        ..LayerState::default()
                    }
                })
                .collect(),
            sent: Vec::new(),
            travel: RootDelta::default(),
            turned: Turned::default(),
            is_hidden: false,
            n_playings: 0,
            time: 0.0,
        }
    }

    /// Forgets the poses that were shown: those of another skeleton mean nothing.
    pub fn forget_poses(&mut self) {
        for layer in &mut self.layers {
            if let Some(shown) = &mut layer.inertia {
                **shown = PoseHistory::default();
            }
        }
    }

    /// The current state of a layer.
    pub fn current(&self, layer: usize) -> Option<&Active> {
        self.layers.get(layer)?.active.last()
    }

    /// Tells the layers how far away the camera is, metres: those with a `beyond` are left out beyond
    /// it, going over a tenth of that way (5.05).
    pub fn set_distance(&mut self, machine: &Machine, metres: f32) {
        for (layer, place) in machine.layers.iter().zip(&mut self.layers) {
            if let Some(beyond) = layer.beyond {
                let over = (metres - beyond) / (0.1 * beyond).max(1e-3);
                place.nearness = 1.0 - over.clamp(0.0, 1.0);
            }
        }
    }

    /// Sends an event to the machine. It stays valid for `within` seconds, until a transition consumes it.
    pub fn send(&mut self, event: &str, within: f64) {
        match self.sent.iter_mut().find(|sent| sent.event == event) {
            Some(sent) => sent.left = sent.left.max(within),
            None => self.sent.push(Sent {
                event: event.to_owned(),
                left: within,
            }),
        }
    }

    pub(super) fn number(&self, number: NumberSource) -> f32 {
        match number {
            NumberSource::Fixed(n) => n,
            NumberSource::Param(i) => self.params.get(i).copied().unwrap_or(0.0),
        }
    }
}
