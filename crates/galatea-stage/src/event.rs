//! Events of a tick, for scripts.
//!
//! All events of a tick are delivered in one batch when the tick is done, sorted by time. Events of the same time are sorted
//! by this rank, and otherwise keep their order:
//!
//! | rank | kind | events |
//! |---|---|---|
//! | 1 | interrupt | an action was stopped or interrupted; its open intervals end |
//! | 2 | end | a state was left |
//! | 3 | start | a state was entered |
//! | 4 | mark | a marker was crossed; a contact; an event of walking |
//! | 5 | complete | the clip of a state or of an action reached its end; a warp ended |
//!
//! Events that listeners cause are delivered in the next batch.

use std::sync::Arc;

use galatea_persist::names;
use glam::Vec3;
use serde::{Deserialize, Deserializer, Serialize};

use super::Handle;
use super::reload::Reload;
use galatea_anim::{
    CrossingNames, CrossingSource, EntryId, Interval, MarkerPhase, Mask, Named, Outcome,
};
use galatea_character::{Character, EndReason, HitReaction, LyingPosture, MotionWarpEnd};
use galatea_physics::ControllerTickEvent;
use galatea_rig::foot_ik::{LegRig, Step};
use galatea_speech::line::Line;

/// Something that happened to a character.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The character that the event belongs to.
    pub character: Handle,
    /// Stage seconds, exact within the tick.
    pub time: f64,
    /// The kind of event, with its data.
    pub kind: EventKind,
    /// Names for the indices in the event, if machine, clips or marks have been replaced since.
    #[serde(with = "galatea_persist::shared")]
    pub names: Option<Arc<CrossingNames>>,
}

impl Event {
    /// Creates an event of a character as it is now.
    pub fn new(character: Handle, time: f64, kind: EventKind) -> Self {
        Self {
            character,
            time,
            kind,
            names: None,
        }
    }

    /// Names of the states, clip and marker of the event. `character` is the character it belongs to.
    pub fn named<'a>(&'a self, character: &'a Character) -> Named<'a> {
        match &self.names {
            Some(names) => names.named(),
            None => self.kind.named(character),
        }
    }

    /// Returns true if the event uses the names of a machine or model that was replaced since.
    pub fn is_of_replaced(&self) -> bool {
        self.names.is_some()
    }

    /// The interval that begins or ends with this event, if it is the edge of one.
    pub fn interval(&self, character: &Character) -> Option<Interval> {
        let EventKind::Marker(told) = &self.kind else {
            return None;
        };
        if told.phase == MarkerPhase::Point {
            return None;
        }
        let named = self.named(character);
        let mark = named.marker?;
        let (clip, t) = (named.clip, Some(mark.time));
        Some(Interval::new(told.source, clip, &mark.event, t))
    }

    /// Stores the names in the event. Called before the character's machine, clips or marks are replaced.
    pub fn keep_names(&mut self, character: &Character) {
        if self.names.is_none() {
            self.names = Some(Arc::new(self.kind.named(character).kept()));
        }
    }
}

/// Kind of event. Indices refer to the current machine, clips and marks of the character, unless the event stores names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum EventKind {
    /// A state was left.
    Exit {
        /// Index of the layer.
        layer: usize,
        /// Index of the state that was left.
        state: usize,
        /// Index of the next state; `None` when another machine follows.
        to: Option<usize>,
    },
    /// A state was entered.
    Enter {
        /// Index of the layer.
        layer: usize,
        /// Index of the state that was entered.
        state: usize,
        /// Index of the previous state.
        from: usize,
    },
    /// A marker was crossed.
    Marker(MarkerEvent),
    /// The clip of a state that plays once has ended.
    End {
        /// Index of the layer.
        layer: usize,
        /// Index of the state.
        state: usize,
    },
    /// An action ended.
    ActionEnd {
        /// Id of the action.
        id: u64,
        /// End reason.
        reason: EndReason,
    },
    /// A warp of root motion ended.
    Warp(MotionWarpEnd),
    /// A contact with the character began or ended.
    Touch(Box<TouchEvent>),
    /// The object stuck in something.
    Stick(Box<StickEvent>),
    /// The body was hit, fell, came to rest or gets up.
    Fall(Box<FallEvent>),
    /// An event of the character controller.
    Controller(Box<ControllerEvent>),
    /// A foot was planted.
    Step(Box<StepEvent>),
    /// The character uses an object, or the object is used.
    Use(Box<UseEvent>),
    /// An event of a line that the character speaks.
    Say(Box<SayEvent>),
    /// An event of a conversation; only its own listeners receive it.
    Converse(Box<ConversationEvent>),
}

/// A character interacts with an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UseEvent {
    /// The object, in the event of the character; the character, in the event of the object.
    pub other: Handle,
    /// True in the event of the object.
    pub is_object_event: bool,
    /// Name of the object's handle.
    pub interaction: String,
    /// Phase of the interaction: `reach`, `hold`, `release`, `end`.
    #[serde(deserialize_with = "phase")]
    pub phase: ConstantName,
}

/// A planted foot, as the leg solver reports it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepEvent {
    /// The foot, its position and force, and the predicted next position.
    pub step: Step,
    /// Leg rig of the character.
    #[serde(with = "galatea_persist::shared")]
    pub rig: Arc<LegRig>,
    /// Name of the surface under the foot.
    #[serde(with = "galatea_persist::shared")]
    pub surface: Option<Arc<str>>,
}

/// An object that stuck in something.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StickEvent {
    /// The character or object it stuck in; `None` for the floor.
    pub other: Option<Handle>,
    /// The bone of `other` that holds it.
    pub bone: Option<u16>,
    /// Position of the tip, world space, metres.
    pub position: Vec3,
    /// Speed at impact, metres per second.
    pub speed: f32,
}

/// An event of a character's whole body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FallEvent {
    /// The body was hit.
    Hit {
        /// Index of the bone that was hit.
        bone: u16,
        /// Reaction to the hit.
        reaction: HitReaction,
        /// Impulse, newton seconds.
        impulse: Vec3,
        /// World position, metres.
        position: Vec3,
        /// Health lost.
        damage: f32,
        /// The thing or character that hit.
        other: Option<Handle>,
    },
    /// The character was knocked down and falls.
    KnockDown,
    /// The character lies still, in this posture.
    Settle(LyingPosture),
    /// The character begins to get up from this posture.
    GetUp(LyingPosture),
    /// The character stands again.
    GetUpEnd,
    /// The character died.
    Die,
}

impl FallEvent {
    /// The event's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hit { .. } => "hit",
            Self::KnockDown => "knock_down",
            Self::Settle(_) => "settle",
            Self::GetUp(_) => "get_up",
            Self::GetUpEnd => "get_up_end",
            Self::Die => "die",
        }
    }
}

/// A contact of a walking character.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControllerEvent {
    /// Kind of contact.
    pub kind: ControllerTickEvent,
    /// The other character; `None` for the floor.
    pub other: Option<Handle>,
    /// World position of the contact, and the unit normal that points away from the other.
    pub contact: Option<(Vec3, Vec3)>,
    /// Surface name of the other.
    #[serde(with = "galatea_persist::shared")]
    pub surface: Option<Arc<str>>,
}

/// A contact with a solid body or a sensor began or ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TouchEvent {
    /// The other character or object; `None` for the floor.
    pub other: Option<Handle>,
    /// True when the contact began, false when it ended.
    pub began: bool,
    /// True if one of the two is a sensor, which stops nothing.
    pub sensor: bool,
    /// Index of the own body that was touched.
    pub part: u16,
    /// World position, metres.
    pub position: Vec3,
    /// Unit normal, away from the other.
    pub normal: Vec3,
    /// Approach speed, metres per second.
    pub speed: f32,
    /// Impulse, newton seconds: approach speed times the stopped mass.
    pub impulse: f32,
    /// Surface name of the other.
    #[serde(with = "galatea_persist::shared")]
    pub surface: Option<Arc<str>>,
}

impl EventKind {
    fn named<'a>(&self, character: &'a Character) -> Named<'a> {
        let place = |layer, state| character.playback.state_names(layer, state);
        let other = |layer, state| Some(place(layer, state)?.1);
        let (at, other) = match *self {
            Self::Enter { layer, state, from } => (place(layer, state), other(layer, from)),
            Self::Exit { layer, state, to } => {
                (place(layer, state), to.and_then(|to| other(layer, to)))
            }
            Self::End { layer, state } => (place(layer, state), None),
            Self::Marker(ref mark) => {
                return character.playback.marker_names(
                    &character.definition,
                    mark.clip,
                    mark.marker,
                    mark.source,
                );
            }
            Self::ActionEnd { .. }
            | Self::Warp(_)
            | Self::Touch(_)
            | Self::Controller(_)
            | Self::Step(_)
            | Self::Use(_)
            | Self::Say(_)
            | Self::Converse(_)
            | Self::Stick(_)
            | Self::Fall(_) => (None, None),
        };
        Named {
            state: at,
            other,
            ..Named::default()
        }
    }

    /// Returns true if the indices are those of a machine.
    pub(super) fn is_of_machine(&self) -> bool {
        match self {
            Self::Enter { .. } | Self::Exit { .. } | Self::End { .. } => true,
            Self::Marker(mark) => matches!(mark.source, CrossingSource::Machine { .. }),
            Self::ActionEnd { .. }
            | Self::Warp(_)
            | Self::Touch(_)
            | Self::Controller(_)
            | Self::Step(_)
            | Self::Use(_)
            | Self::Say(_)
            | Self::Converse(_)
            | Self::Stick(_)
            | Self::Fall(_) => false,
        }
    }

    /// Rank among the events of one time, see the table of this module.
    pub fn rank(&self) -> u8 {
        match self {
            Self::ActionEnd { reason, .. } if *reason != EndReason::End => 0,
            Self::Marker(mark) if mark.is_cut() => 0,
            Self::Exit { .. } => 1,
            Self::Enter { .. } => 2,
            Self::Marker(_)
            | Self::Touch(_)
            | Self::Stick(_)
            | Self::Controller(_)
            | Self::Step(_)
            | Self::Use(_)
            | Self::Say(_)
            | Self::Converse(_)
            | Self::Fall(_) => 3,
            Self::End { .. } | Self::ActionEnd { .. } | Self::Warp(_) => 4,
        }
    }
}

/// A marker that was crossed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarkerEvent {
    /// Index of the clip.
    pub clip: usize,
    /// Index among the markers of the clip.
    pub marker: usize,
    /// The edge that was crossed: a point, or the start or end of an interval.
    pub phase: MarkerPhase,
    /// True when the clip played backwards.
    pub is_reversed: bool,
    /// Time within the tick, as a fraction 0..=1 of it.
    pub tick_fraction: f32,
    /// Blend weight of the clip, 0..=1.
    pub weight: f32,
    /// The machine, idle clip or action that played the clip.
    pub source: CrossingSource,
    /// True for the source with the largest weight in the blend. Listeners normally hear only this one.
    pub has_max_weight: bool,
    /// The clip plays mirrored: a marker of the left foot applies to the right one.
    pub mirrored: bool,
    /// Bone mask of the action.
    #[serde(with = "galatea_persist::shared")]
    pub mask: Option<Arc<Mask>>,
    /// `Fired`, or `Cut` when an interval ended early. `Suppressed` crossings are not delivered; the ledger records them.
    pub outcome: Outcome,
    /// Number of crossings in this event: 1, or the number dropped because one step had too many.
    pub n: u64,
    /// World position of the marker's foot or bone, else of the character. Set after the pose is evaluated.
    pub position: Vec3,
    /// Name of the surface under that position.
    #[serde(with = "galatea_persist::shared")]
    pub surface: Option<Arc<str>>,
    /// Ledger entry, if the character has a ledger.
    pub entry: Option<EntryId>,
}

impl MarkerEvent {
    /// Returns true for an interval that ended early.
    pub fn is_cut(&self) -> bool {
        matches!(self.outcome, Outcome::Interrupted(_))
    }
}

/// An event of a spoken line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SayEvent {
    /// Id of the line.
    pub id: u64,
    /// Kind of event.
    pub kind: LineEvent,
}

/// Kind of event of a spoken line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LineEvent {
    /// The line began.
    Begin(#[serde(with = "galatea_persist::shared")] Arc<Line>),
    /// A word began; its index.
    Word(#[serde(with = "galatea_persist::shared")] Arc<Line>, usize),
    /// A phone (speech sound) began; its index.
    Phoneme(#[serde(with = "galatea_persist::shared")] Arc<Line>, usize),
    /// A marker for the script was reached; its index.
    Cue(#[serde(with = "galatea_persist::shared")] Arc<Line>, usize),
    /// The line ended: the reason, and the seconds into the line.
    End(EndReason, f32),
}

impl LineEvent {
    /// The event's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Begin(_) => "say",
            Self::Word(..) => "word",
            Self::Phoneme(..) => "phoneme",
            Self::Cue(..) => "cue",
            Self::End(..) => "say_end",
        }
    }
}

/// Reason why a conversation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConversationEnd {
    /// The last turn was finished.
    End,
    /// A script stopped it.
    Stopped,
    /// Another conversation took over one of its participants.
    Interrupted,
    /// Fewer than two participants are left.
    Unavailable,
}

impl ConversationEnd {
    /// The reason as scripts see it.
    pub fn word(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Stopped => "stopped",
            Self::Interrupted => "interrupted",
            Self::Unavailable => "unavailable",
        }
    }
}

/// An event of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConversationEvent {
    /// Id of the conversation.
    pub id: u64,
    /// Kind of event.
    pub kind: ConversationEventKind,
}

/// Kind of event of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ConversationEventKind {
    /// A turn began.
    Turn(
        ConversationTurnEvent,
        #[serde(with = "galatea_persist::shared")] Arc<Line>,
    ),
    /// A turn ended, with the reason: `end`, `interrupted`, or `gone` for a speaker who cannot speak.
    TurnEnd(
        ConversationTurnEvent,
        #[serde(deserialize_with = "turn_end")] ConstantName,
    ),
    /// Calls the script function of this number.
    Call(u32),
    /// The conversation ended.
    End(ConversationEnd),
}

/// A turn of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConversationTurnEvent {
    /// Number of the turn's entry, from 1.
    pub number: u32,
    /// The role that speaks.
    #[serde(with = "galatea_persist::shared")]
    pub speaker: Arc<str>,
    /// The role spoken to; `None` for all.
    #[serde(with = "galatea_persist::shared")]
    pub to: Option<Arc<str>>,
}

impl ConversationEventKind {
    /// The event's name; `None` for kinds without listeners.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            Self::Turn(..) => Some("turn"),
            Self::TurnEnd(..) => Some("turn_end"),
            Self::Call(_) => None,
            Self::End(_) => Some("end"),
        }
    }
}

/// Moves pending events of characters that continue to the new stage.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let mut waiting = std::mem::take(&mut reload.old.events);
    waiting.retain(|event| reload.is_continued(event.character));
    reload.new.events.splice(0..0, waiting);
}

/// A name that is a constant of the program. Serde would borrow a `&'static str` from the bytes.
type ConstantName = &'static str;

fn phase<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    names::one_of(deserializer, ["reach", "hold", "release", "end"])
}

fn turn_end<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    names::one_of(deserializer, ["end", "interrupted", "gone", "unavailable"])
}
