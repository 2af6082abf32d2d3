//! The definition of a state machine, by names, as a script writes it.

use serde::{Deserialize, Serialize};

use galatea_anim::{Ease, MarkerValue, PlayMode};

/// Maximum number of states in a layer, including those of nested machines.
pub const MAX_STATES: usize = 512;
/// Maximum nesting depth of machines.
pub const MAX_NESTED: usize = 8;
/// Maximum number of clips in one blend, including those of nested blends.
pub const MAX_BLEND_CLIPS: usize = 32;
/// Maximum nesting depth of blends, including the outermost.
pub const MAX_NESTED_BLENDS: usize = 4;

/// A position in a script, for messages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceLocation {
    /// Script file, relative to the project.
    pub file: String,
    /// Line, from 1; 0 when unknown.
    pub line: u32,
}

impl std::fmt::Display for SourceLocation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A state machine: layers of states, and the parameters that conditions and blends read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineDef {
    /// Parameters, typed by their defaults.
    pub params: Vec<ParamDef>,
    /// Layers, lowest first.
    pub layers: Vec<LayerDef>,
    /// Position in the script.
    pub location: SourceLocation,
}

/// A named parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParamDef {
    /// Name, unique in the machine.
    pub name: String,
    /// Value at the start; fixes the type.
    pub default: ParamValue,
}

/// A parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum ParamValue {
    /// A number.
    Number(f32),
    /// A truth value.
    Bool(bool),
}

impl ParamValue {
    /// The number, or 1 for true and 0 for false.
    pub fn as_number(self) -> f32 {
        match self {
            Self::Number(n) => n,
            Self::Bool(b) => f32::from(u8::from(b)),
        }
    }
}

/// One layer of a machine. Higher layers are blended over lower ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LayerDef {
    /// Name, unique in the machine.
    pub name: String,
    /// Bones it moves.
    pub mask: MaskDef,
    /// Blend weight, 0..=1.
    pub weight: Scalar,
    /// Override or additive.
    pub mode: LayerMode,
    /// Distance from the camera in metres beyond which the layer is skipped; `None` for never.
    pub max_distance: Option<f32>,
    /// States and transitions.
    pub states: StatesDef,
    /// Position in the script.
    pub location: SourceLocation,
}

/// States and transitions: the content of a layer or of a nested machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StatesDef {
    /// States; the first is the entry state.
    pub states: Vec<StateDef>,
    /// Transitions, in the order in which they are evaluated.
    pub transitions: Vec<TransitionDef>,
}

/// Blend mode of a layer over the layers below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LayerMode {
    /// Blends over them by its weight.
    #[default]
    Override,
    /// Adds its clips' difference from the clip's first frame.
    AddFromFirst,
    /// Adds its clips' difference from the rest pose.
    AddFromRest,
}

/// Bones by name, each with its descendants, or a part of a humanoid, and how much of each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MaskDef {
    /// Name and weight 0..=1 of each entry; later ones win; empty is the whole body.
    pub entries: Vec<(String, f32)>,
}

/// A number, or the name of the parameter that holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Scalar {
    /// A fixed number.
    Fixed(f32),
    /// A parameter, by name.
    Param(String),
}

impl Default for Scalar {
    fn default() -> Self {
        Self::Fixed(1.0)
    }
}

/// A state: what plays while it is active.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateDef {
    /// Name, unique among its neighbours; a nested state is named `outer/inner` from outside.
    pub name: String,
    /// Clips, or a machine of its own.
    pub content: Content,
    /// Loop, once or ping-pong. A blend always loops.
    pub mode: PlayMode,
    /// Factor on the clip's speed; negative plays backwards.
    pub speed: Scalar,
    /// A parameter 0..=1 that sets the position in the clip instead of time.
    pub time_param: Option<String>,
    /// Mirrored: 1, or while a parameter is true.
    pub mirror: Option<Scalar>,
    /// Root motion of the clips moves the character.
    pub root_motion: bool,
    /// Name of a parameter with the walking direction relative to the facing direction, degrees -180..=180. The legs
    /// turn towards it. Lowest layer only.
    pub orient_param: Option<String>,
    /// A nested machine resumes in the last active state instead of the entry state.
    pub history: bool,
    /// Script functions that run while the state is active.
    pub behaviour: Option<Behaviour>,
    /// Position in the script.
    pub location: SourceLocation,
}

/// Content of a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Content {
    /// Clips.
    Motion(MotionDef),
    /// A machine within the machine.
    Nested(StatesDef),
}

impl Default for Content {
    fn default() -> Self {
        Self::Motion(MotionDef::Clip(String::new()))
    }
}

/// The clips that a state plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum MotionDef {
    /// One clip; an empty name is the rest pose.
    Clip(String),
    /// Clips one after another.
    List(ListDef),
    /// Intro, loop and outro. A transition out of the state plays the outro first.
    Phases {
        /// Plays once on entering.
        intro: Option<String>,
        /// Loops until the state is left.
        looped: String,
        /// Plays once before leaving.
        outro: Option<String>,
    },
    /// Clips blended by parameters.
    Blend(BlendDef),
}

/// Clips that play one after another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ListDef {
    /// Clips and their weights for the random choice; a sequence ignores the weights.
    pub clips: Vec<(String, f32)>,
    /// Picks the next clip at random instead of in the order written.
    pub random: bool,
    /// Lets a random choice pick the same clip twice in a row.
    pub repeat: bool,
    /// Cross-fade between consecutive clips, seconds.
    pub fade: f32,
}

/// A blend space: clips at points in the space of one or two parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlendDef {
    /// Space and its parameters.
    pub space: SpaceDef,
    /// The points of the space.
    pub points: Vec<PointDef>,
    /// Synchronisation of the clips.
    pub sync: SyncBy,
    /// Scales the playback speed so that the feet's ground speed matches the parameters, read as metres per second.
    pub match_speed: bool,
}

/// Parameters of a blend space, by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SpaceDef {
    /// One parameter: the two neighbouring points are blended.
    Line(String),
    /// Over two parameters, by gradient bands.
    Plane(String, String),
    /// Over the two components of a direction, by gradient bands over angle and length.
    Polar(String, String),
}

/// A point of a blend space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointDef {
    /// Position; `None` is the clip's own ground speed, measured from its feet.
    pub position: Option<[f32; 2]>,
    /// The clip or nested blend at this point.
    pub content: PointContent,
    /// Factor on the clip's speed.
    pub speed: f32,
}

/// A clip, or a blend within a blend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum PointContent {
    /// A clip, by name.
    Clip(String),
    /// A nested blend; its clips are synchronised with those of the outer blend.
    Blend(BlendDef),
}

/// Synchronisation of the clips of a blend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SyncBy {
    /// Each clip plays at its own speed.
    Free,
    /// All clips have the same phase (fraction of their length).
    Phase,
    /// Clips with `step` marks put the same foot down at the same moment; other clips play at their own speed.
    #[default]
    FootSteps,
}

/// The states a transition leaves from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FromStates {
    /// Any state. The target itself is included only if the transition waits for an event.
    #[default]
    Any,
    /// States by name. `*` means any state, as above; the name of a nested machine means all states in it.
    States(Vec<String>),
}

/// An opaque id of a condition function, which the [`MachineHost`](crate::MachineHost) evaluates on the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Predicate(pub u32);

/// An opaque id of the script functions of a state, which the caller runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Behaviour(pub u32);

/// A condition on the parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum WhenDef {
    /// A script function.
    Predicate(Predicate),
    /// A condition as text, see [`super::condition`].
    Text(String),
}

/// A transition between states. It is taken when all conditions are true at once.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TransitionDef {
    /// Source states.
    pub from: FromStates,
    /// Target state, by name.
    pub to: String,
    /// Condition on the parameters.
    pub when: Option<WhenDef>,
    /// True when this event was sent to the machine.
    pub on: Option<String>,
    /// True when the state's clip has ended, minus the fade.
    pub at_end: bool,
    /// Minimum time in the source state, seconds.
    pub min_time: f32,
    /// Exit time: true when the clip passes this fraction of the duration, 0..=1.
    pub exit_time: Option<f32>,
    /// True when the clip passes a mark of this name with these fields.
    pub marker: Option<(String, Vec<(String, MarkerValue)>)>,
    /// Transitions with a higher number are evaluated first.
    pub priority: i32,
    /// Transitions that can interrupt it while it fades.
    pub interrupt: Interrupt,
    /// Can be used by travel (path finding between states).
    pub allow_travel: bool,
    /// Leaves at once, without the state's outro.
    pub skip_outro: bool,
    /// Cross-fade or inertial blend.
    pub fade: Fade,
    /// Start position in the target's clip.
    pub entry: ClipStart,
    /// Position in the script.
    pub location: SourceLocation,
}

/// The transitions that can interrupt one that still fades.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Interrupt {
    /// Any transition.
    #[default]
    Always,
    /// Transitions with a higher priority.
    Higher,
    /// No transition.
    Never,
}

/// A cross-fade or an inertial blend between two states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fade {
    /// Seconds; 0 is at once.
    pub seconds: f32,
    /// Easing of a cross-fade.
    pub ease: Ease,
    /// Inertialisation: only the new state plays, and the difference to the old pose decays.
    pub inertial: bool,
}

/// Start position in the clip of a state that is entered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum ClipStart {
    /// Synchronised with the source state if both have foot steps, else at the start.
    #[default]
    Auto,
    /// At the start.
    Start,
    /// Synchronised with the source state: the same phase after the same mark.
    Phase,
    /// Seconds into the clip.
    Time(f32),
    /// Fraction of the clip, 0..=1.
    Fraction(f32),
    /// At a mark: its name, the fields it must have, and which of those it is, from 0.
    Marker {
        /// Name of the mark.
        event: String,
        /// Fields that it must have.
        fields: Vec<(String, MarkerValue)>,
        /// Which of the marks that fit.
        index: usize,
    },
}
