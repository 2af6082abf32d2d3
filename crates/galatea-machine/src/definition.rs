//! A machine as written, by names.

use galatea_anim::{Ease, MarkValue, PlayMode};

/// The most states of a layer, those of nested machines included.
pub const MOST_STATES: usize = 512;
/// How deep machines may be nested.
pub const MOST_NESTED: usize = 8;
/// The most clips that one blend may have, those of blends within it included.
pub const MOST_LEAVES: usize = 32;
/// How deep blends may be nested, the outermost included.
pub const MOST_NESTED_BLENDS: usize = 4;

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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerDef {
    /// Name, unique in the machine.
    pub name: String,
    /// Bones it moves.
    pub mask: MaskDef,
    /// How much of it shows, 0..=1.
    pub weight: Scalar,
    /// Its pose replaces what lies below, or is added to it.
    pub mode: LayerMode,
    /// Metres from the camera beyond which it is left out (5.05); `None` never.
    pub beyond: Option<f32>,
    /// States and the ways between them.
    pub states: StatesDef,
    /// Where it was written.
    pub at: Place,
}

/// States and the ways between them: the content of a layer, or of a state that is itself a machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatesDef {
    /// States; the first is where it starts.
    pub states: Vec<StateDef>,
    /// Transitions in the order in which they are asked.
    pub transitions: Vec<TransitionDef>,
}

/// How a layer meets those below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerMode {
    /// Replaces them by its weight.
    #[default]
    Override,
    /// Adds its clips' difference from the clip's first frame.
    AddFromFirst,
    /// Adds its clips' difference from the rest pose.
    AddFromRest,
}

/// Bones by name, each with its descendants, or a part of a humanoid, and how much of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaskDef {
    /// Name and weight 0..=1 of each entry; later ones win; empty is the whole body.
    pub entries: Vec<(String, f32)>,
}

/// A number, or the name of the parameter that holds it.
#[derive(Clone, Debug, PartialEq)]
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

/// What plays while the machine is here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateDef {
    /// Name, unique among its neighbours; a nested state is named `outer/inner` from outside.
    pub name: String,
    /// Clips, or a machine of its own.
    pub content: Content,
    /// What happens at a clip's end. A blend always loops.
    pub mode: PlayMode,
    /// Factor on the clip's speed; negative plays backwards.
    pub speed: Scalar,
    /// A parameter 0..=1 that sets the place in the clip instead of time.
    pub time: Option<String>,
    /// Left and right exchanged: 1, or while a parameter is true.
    pub mirror: Option<Scalar>,
    /// The clips' travel moves the character instead of the pose.
    pub root_motion: bool,
    /// A parameter, degrees -180..=180: the way the character goes, counted from where it looks. The
    /// legs turn towards it. In the lowest layer only.
    pub orient: Option<String>,
    /// A nested machine starts where it was left, not at its first state.
    pub history: bool,
    /// What a script does while the machine is here.
    pub behaviour: Option<Behaviour>,
    /// Where it was written.
    pub at: Place,
}

/// What a state is made of.
#[derive(Clone, Debug, PartialEq)]
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

/// The clips of a state.
#[derive(Clone, Debug, PartialEq)]
pub enum MotionDef {
    /// One clip; an empty name is the rest pose.
    Clip(String),
    /// Clips one after another.
    List(ListDef),
    /// A way in, a loop, a way out (PT-08). Leaving the state plays the way out first.
    Phases {
        /// Played once on entering.
        intro: Option<String>,
        /// Played until the state is to be left.
        looped: String,
        /// Played once before leaving.
        outro: Option<String>,
    },
    /// Clips blended by parameters.
    Blend(BlendDef),
}

/// Clips one after another: at the end of one, the next.
#[derive(Clone, Debug, PartialEq)]
pub struct ListDef {
    /// Clips and their chances; in order, chances do not matter.
    pub clips: Vec<(String, f32)>,
    /// In any order, else in the order written.
    pub random: bool,
    /// The same may come twice in a row, where the order is any.
    pub repeat: bool,
    /// Seconds of cross-fade from one to the next.
    pub fade: f32,
}

/// Clips at places in the space of one or two parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendDef {
    /// The space.
    pub space: SpaceDef,
    /// What stands where.
    pub points: Vec<PointDef>,
    /// How the clips keep step.
    pub sync: SyncBy,
    /// Clips play faster or slower, so that what their feet cover matches the parameters in metres
    /// per second.
    pub match_speed: bool,
}

/// The parameters that choose in a blend, by name.
#[derive(Clone, Debug, PartialEq)]
pub enum SpaceDef {
    /// Along one parameter: the two neighbours are blended.
    Line(String),
    /// Over two parameters, by gradient bands.
    Plane(String, String),
    /// Over the two components of a direction, by gradient bands over angle and length.
    Polar(String, String),
}

/// A place in a blend's space and what stands there.
#[derive(Clone, Debug, PartialEq)]
pub struct PointDef {
    /// Place; `None` is the clip's own speed over the ground, measured from its feet.
    pub place: Option<[f32; 2]>,
    /// What stands there.
    pub content: PointContent,
    /// Factor on the clip's speed.
    pub speed: f32,
}

/// A clip, or a blend within a blend.
#[derive(Clone, Debug, PartialEq)]
pub enum PointContent {
    /// A clip, by name.
    Clip(String),
    /// A blend; its clips keep step with the outer blend's.
    Blend(BlendDef),
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum From {
    /// Any state; the target only where the transition waits for an event.
    #[default]
    Any,
    /// These, by name; `*` stands for any, as above, and so does a nested machine's name for those
    /// within it.
    States(Vec<String>),
}

/// A pure condition on the parameters; the number names it to whoever can evaluate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Predicate(pub u32);

/// What a script does while a machine is in a state; the number names it to whoever can call it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Behaviour(pub u32);

/// What must be true of the parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum WhenDef {
    /// A function of the script's.
    Predicate(Predicate),
    /// A condition as text, see [`super::condition`].
    Text(String),
}

/// A way from state to state. All conditions that are given must hold at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransitionDef {
    /// Where from.
    pub from: From,
    /// Target state, by name.
    pub to: String,
    /// Holds while this is true of the parameters.
    pub when: Option<WhenDef>,
    /// Holds when this event was sent to the machine.
    pub on: Option<String>,
    /// Holds when the state's clip has played to its end, less the fade.
    pub done: bool,
    /// Seconds the state must have lasted.
    pub after: f32,
    /// Holds when the clip passes this share of its length, 0..=1.
    pub exit: Option<f32>,
    /// Holds when the clip passes a mark of this name with these fields.
    pub passing: Option<(String, Vec<(String, MarkValue)>)>,
    /// Those with a higher number are asked first.
    pub priority: i32,
    /// What may interrupt it while it fades.
    pub interrupt: Interrupt,
    /// May be used to travel.
    pub travel: bool,
    /// Leaves at once, without the state's way out.
    pub skip_outro: bool,
    /// How one pose becomes the other.
    pub fade: Fade,
    /// Where the target's clip begins.
    pub entry: Entry,
    /// Where it was written.
    pub at: Place,
}

/// Which transitions may be taken while another still fades.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interrupt {
    /// Any.
    #[default]
    Always,
    /// Those with a higher priority.
    Higher,
    /// None.
    Never,
}

/// How one pose becomes the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fade {
    /// Seconds; 0 is at once.
    pub seconds: f32,
    /// The course of a cross-fade.
    pub ease: Ease,
    /// Only the new state plays; what the old one was doing dies away (inertial).
    pub inertial: bool,
}

/// Where the clip of a state that is entered begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Entry {
    /// In step with the state that is left where both have foot steps, else at the start.
    #[default]
    Auto,
    /// At the start.
    Start,
    /// In step with the state that is left: the same share from the same mark.
    Phase,
    /// Seconds into the clip.
    Time(f32),
    /// Share of the clip, 0..=1.
    Share(f32),
    /// At a mark: its name, the fields it must have, and which of those it is, from 0.
    Mark {
        /// Name of the mark.
        event: String,
        /// Fields that it must have.
        fields: Vec<(String, MarkValue)>,
        /// Which of the marks that fit.
        index: usize,
    },
}
