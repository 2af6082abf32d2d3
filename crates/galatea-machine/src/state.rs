//! The state of one character in a machine.

use serde::{Deserialize, Serialize};

use super::bound::{Layer, Machine, NumberSource, State, StateMotion};
use super::condition::Builtins;
use galatea_anim::{
    Crossing, Ease, Inertia, Markers, Playhead, Pose, RootDelta, SuppressedIntervals,
};

/// The state of one character in a machine: parameters, layers and events. Plain data; a hot reload restores it by
/// name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    pub root_translation: RootDelta,
    /// Rotation of the legs towards the walking direction.
    pub leg_rotation: LegRotation,
    /// Number of clip playbacks so far; each has its own number.
    pub n_playings: u64,
    /// The character is a ragdoll, so the machine's pose is not shown and its marks are suppressed.
    pub is_hidden: bool,
}

galatea_persist::plain_parts!(MachineState);

/// An event that was sent and that no transition has consumed yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sent {
    /// Name of the event.
    pub event: String,
    /// Seconds until it expires; 0 is valid in the next step only.
    pub left: f64,
}

/// The state of a layer: active states, with the current one last and those that fade out before it, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LayerState {
    /// Active states, oldest first. Never empty while the layer plays.
    pub active: Vec<Active>,
    /// For each nested machine, the last active state.
    pub remembered: Vec<usize>,
    /// Target of the current travel.
    pub goal: Option<usize>,
    /// Jump to a state that the next step takes.
    #[serde(default)]
    pub jump: Option<StateJump>,
    /// Transitions taken recently, oldest first.
    pub decisions: Vec<Decision>,
    /// Reusable buffers for the parameters of new decisions.
    pub spare_params: Vec<Vec<f32>>,
    /// For each mark the layer's transitions wait for: true if the current state's last step crossed it.
    pub crossed_markers: Vec<bool>,
    /// Factor on the layer's weight from the distance of the camera, 0..=1.
    pub nearness: f32,
    /// Reusable clip buffers of states that have faded out.
    pub spare: Vec<Vec<PlayingClip>>,
    /// Poses for inertial transitions; only where the layer has one.
    pub inertia: Option<Box<PoseHistory>>,
}

/// Poses that were shown, and the offset from them that still decays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PoseHistory {
    /// The layer's pose of this step, of the last and of the one before.
    pub poses: [Pose; 3],
    /// Steps so far; a velocity needs two poses.
    pub n_steps: u32,
    /// Duration in seconds of an inertial transition that begins with this step.
    pub begin: Option<f32>,
    /// Pose offset that decays.
    pub inertia: Inertia,
    /// Seconds since the decay began; `None` when it has ended.
    pub age: Option<f64>,
}

/// A jump to a state regardless of transitions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateJump {
    /// Index of the state in its layer.
    pub state: usize,
    /// Duration of the cross-fade, seconds.
    pub fade: f32,
}

/// A transition that was taken, or a jump.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// Machine time at which it was taken, seconds.
    pub at: f64,
    /// State that was left.
    pub from: usize,
    /// State that was entered.
    pub to: usize,
    /// Index of the transition in its layer; `None` for a jump.
    pub transition: Option<usize>,
    /// Target of the travel that took the transition regardless of the condition.
    pub travelling: Option<usize>,
    /// Parameter values at that time.
    pub params: Vec<f32>,
    /// Built-in values that conditions could read.
    pub builtins: Builtins,
}

/// Number of decisions that a layer remembers.
pub(super) const MAX_DECISIONS: usize = 20;

/// Rotation of a character's legs relative to its body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LegRotation {
    /// Rotation about +Y, radians.
    pub angle: f32,
    /// Radians per second.
    pub speed: f32,
    /// States with `orient` play their clips backwards.
    pub reversed: bool,
}

/// An active state: the current one, or one that fades out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Active {
    /// Index of the state in its layer.
    pub state: usize,
    /// Seconds since the current clip of the state began; also the fade time.
    pub age: f64,
    /// Seconds since the state was entered.
    pub state_age: f64,
    /// Playing clips: one per leaf of a blend, else one.
    pub clips: Vec<PlayingClip>,
    /// Blend weight among the layer's states, 0..=1.
    pub weight: f32,
    /// Position in the shared cycle of synchronised clips, in foot steps or loops.
    pub cycle: f64,
    /// Index of the clip with the highest weight.
    pub lead_clip: usize,
    /// Index in a list of clips, or the phase of an intro-loop-outro state.
    pub item: u32,
    /// Duration of the cross-fade, seconds.
    pub fade: f32,
    /// Easing of the cross-fade.
    pub ease: Ease,
    /// Transition that entered the state.
    pub transition: Option<usize>,
    /// Transition to take after the outro.
    pub leaving: Option<usize>,
    /// Synchronised with the state that it replaces.
    pub in_step: bool,
    /// The clip plays once and has reached its end.
    pub ended: bool,
    /// Seconds since the clip ended.
    pub since_end: f64,
}

/// A playing clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayingClip {
    /// Playback position.
    pub head: Playhead,
    /// Blend weight among the state's clips, 0..=1.
    pub weight: f32,
    /// Playback speed in the last step.
    pub rate: f32,
    /// Intervals that began while the layer showed nothing, so their beginnings were suppressed.
    pub suppressed_intervals: SuppressedIntervals,
    /// Number of this playback in the machine, from 1; 0 until its first step.
    pub number: u64,
}

impl PlayingClip {
    /// Returns true if a crossing is suppressed; `silent` is true while the layer shows nothing. The end of an
    /// interval is reported exactly if its beginning was.
    pub(super) fn suppresses(
        &mut self,
        marks: &Markers,
        crossing: &Crossing,
        silent: bool,
    ) -> bool {
        self.suppressed_intervals.takes(marks, crossing, silent)
    }

    /// Returns true if the beginning of this interval was suppressed.
    pub(super) fn is_suppressed(&self, marks: &Markers, mark: usize) -> bool {
        self.suppressed_intervals.has(marks, mark)
    }
}

impl Active {
    /// Blend weight of this state over the older ones, 0..=1.
    pub fn weight(&self) -> f32 {
        if self.fade <= 0.0 {
            return 1.0;
        }
        self.ease
            .apply((self.age as f32 / self.fade).clamp(0.0, 1.0))
    }
}

/// Allocates clip buffers for as many states as can be active in a layer at once.
fn spare(layer: &Layer) -> Vec<Vec<PlayingClip>> {
    let clips = |state: &State| match &state.motion {
        StateMotion::Blend(blend) => blend.leaves.len(),
        _ => 1,
    };
    let n_clips = layer.states.iter().map(clips).max().unwrap_or(0);
    let mut spare = Vec::with_capacity(MAX_ACTIVE + 1);
    spare.resize_with(MAX_ACTIVE + 1, || Vec::with_capacity(n_clips));
    spare
}

/// Maximum number of active states in a layer; when it is exceeded, the oldest is dropped.
pub(super) const MAX_ACTIVE: usize = 7;

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
                    let mut active = Vec::with_capacity(MAX_ACTIVE + 1);
                    let mut spare = spare(layer);
                    active.push(Active {
                        clips: spare.pop().unwrap_or_default(),
                        ..Active::default()
                    });
                    LayerState {
                        active,
                        decisions: Vec::with_capacity(MAX_DECISIONS),
                        spare_params: (0..MAX_DECISIONS)
                            .map(|_| Vec::with_capacity(machine.def.params.len()))
                            .collect(),
                        spare,
                        crossed_markers: vec![false; layer.awaited.len()],
                        remembered: layer.groups.iter().map(|group| group.entry).collect(),
                        nearness: 1.0,
                        inertia: layer.inertial.then(Box::default),
                        ..LayerState::default()
                    }
                })
                .collect(),
            sent: Vec::new(),
            root_translation: RootDelta::default(),
            leg_rotation: LegRotation::default(),
            is_hidden: false,
            n_playings: 0,
            time: 0.0,
        }
    }

    /// Clears the recorded poses, for example when the skeleton changes.
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

    /// Sets the distance of the camera in metres. A layer with `beyond` fades out from that distance over another
    /// tenth of it.
    pub fn set_distance(&mut self, machine: &Machine, metres: f32) {
        for (layer, layer_state) in machine.layers.iter().zip(&mut self.layers) {
            if let Some(beyond) = layer.beyond {
                let excess = (metres - beyond) / (0.1 * beyond).max(1e-3);
                layer_state.nearness = 1.0 - excess.clamp(0.0, 1.0);
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
