//! A machine as written, by names.

use crate::anim::PlayMode;

/// Where something was written, for messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Script file, relative to the project.
    pub file: String,
    /// Line, from 1; 0 when unknown.
    pub line: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Layers of states, and the parameters their conditions and blends read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MachineDef {
    /// Parameters, typed by their defaults.
    pub params: Vec<ParamDef>,
    /// Layers, lowest first.
    pub layers: Vec<LayerDef>,
    /// Where it was written.
    pub at: Place,
}

/// A named parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamDef {
    /// Name, unique in the machine.
    pub name: String,
    /// Value at the start; fixes the type.
    pub default: ParamValue,
}

/// A parameter's value.
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// One machine of states; several are laid over one another.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerDef {
    /// Name, unique in the machine.
    pub name: String,
    /// Bones it moves, each with its descendants; empty for the whole body.
    pub mask: Vec<String>,
    /// How much of it shows, 0..=1.
    pub weight: Scalar,
    /// States; the first is where it starts.
    pub states: Vec<StateDef>,
    /// Transitions in the order in which they are asked.
    pub transitions: Vec<TransitionDef>,
    /// Where it was written.
    pub at: Place,
}

/// A number, or the name of the parameter that holds it.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// A fixed number.
    Fixed(f32),
    /// A parameter, by name.
    Param(String),
}

/// What plays while the machine is here.
#[derive(Clone, Debug, PartialEq)]
pub struct StateDef {
    /// Name, unique in its layer.
    pub name: String,
    /// The clips.
    pub motion: MotionDef,
    /// What happens at a clip's end. A blend always loops.
    pub mode: PlayMode,
    /// Factor on the clip's speed; not negative.
    pub speed: Scalar,
    /// Where it was written.
    pub at: Place,
}

/// The clips of a state.
#[derive(Clone, Debug, PartialEq)]
pub enum MotionDef {
    /// One clip; an empty name is the rest pose.
    Clip(String),
    /// One of these clips, chosen each time the state is entered.
    Random(Vec<String>),
    /// Clips along a parameter's axis; the two next to its value are blended.
    Blend1d {
        /// Parameter, by name.
        by: String,
        /// Value and clip, ascending.
        points: Vec<(f32, String)>,
        /// How the clips keep step.
        sync: SyncBy,
    },
}

/// How the clips of a blend keep step with one another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncBy {
    /// Each at its own speed.
    Free,
    /// All run the same share of their length.
    Phase,
    /// Clips with `step` marks put the same foot down at the same moment; others run free.
    #[default]
    Feet,
}

/// The states a transition leaves from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// Any state but the target.
    Any,
    /// These, by name.
    States(Vec<String>),
}

/// A pure condition on the parameters; the number names it to whoever can evaluate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Predicate(pub u32);

/// A way from state to state. All conditions that are given must hold at once.
#[derive(Clone, Debug, PartialEq)]
pub struct TransitionDef {
    /// Where from.
    pub from: From,
    /// Target state, by name.
    pub to: String,
    /// Holds while this is true of the parameters.
    pub when: Option<Predicate>,
    /// Holds in the tick in which this event was sent to the machine.
    pub on: Option<String>,
    /// Holds when the state's clip has played to its end, less the fade.
    pub done: bool,
    /// Seconds the state must have lasted.
    pub after: f32,
    /// Seconds of cross-fade.
    pub fade: f32,
    /// Where it was written.
    pub at: Place,
}
