//! What happened in a tick, for scripts.
//!
//! All of it is told in one batch when the tick is done, in order of time; what happened at one time
//! is told in this order, and else as it happened:
//!
//! | | what | events |
//! |---|---|---|
//! | 1 | interrupt | an action stopped or interrupted; the ends of its open intervals |
//! | 2 | end | a state left |
//! | 3 | start | a state entered |
//! | 4 | mark | a mark passed; something touched; what walking told |
//! | 5 | complete | the clip of a state or of an action played to its end; a warp over |
//!
//! What listeners bring about is told in the next batch.

use std::sync::Arc;

use glam::Vec3;

use super::Handle;
use super::reload::Reload;
use galatea_anim::{
    CrossingNames, CrossingSource, EntryId, Interval, MarkEdge, Mask, Named, Outcome,
};
use galatea_character::{Character, EndReason, HitReaction, LyingPosture, WarpEnd};
use galatea_physics::Walked;
use galatea_rig::feet::{LegRig, Step};
use galatea_speech::line::Line;

/// Something that happened to a character.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Whom it happened to.
    pub character: Handle,
    /// Stage seconds, exact within the tick.
    pub time: f64,
    /// Description for people.
    pub kind: EventKind,
    /// What its numbers meant, where machine, clips or marks have been replaced since.
    pub names: Option<Arc<CrossingNames>>,
}

impl Event {
    /// Something that happened to a character as it is now.
    pub fn new(character: Handle, time: f64, kind: EventKind) -> Self {
        Self {
            character,
            time,
            kind,
            names: None,
        }
    }

    /// What it speaks of; `character` is the one it happened to.
    pub fn named<'a>(&'a self, character: &'a Character) -> Named<'a> {
        match &self.names {
            Some(names) => names.named(),
            None => self.kind.named(character),
        }
    }

    /// True when it speaks of a machine or model that was replaced since, by the names it had.
    pub fn is_of_replaced(&self) -> bool {
        self.names.is_some()
    }

    /// The interval of which it is the beginning or the end.
    pub fn interval(&self, character: &Character) -> Option<Interval> {
        let EventKind::Mark(told) = &self.kind else {
            return None;
        };
        if told.edge == MarkEdge::Point {
            return None;
        }
        let named = self.named(character);
        let mark = named.mark?;
        let (clip, t) = (named.clip, Some(mark.t));
        Some(Interval::new(told.source, clip, &mark.event, t))
    }

    /// Gives it its names for good: before the character's machine, clips or marks are replaced.
    pub fn keep_names(&mut self, character: &Character) {
        if self.names.is_none() {
            self.names = Some(Arc::new(self.kind.named(character).kept()));
        }
    }
}

/// What happened. Indices refer to the character's machine, clips and marks as they are,
/// unless the event keeps its names.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// A state was left.
    Exit {
        /// Layer.
        layer: usize,
        /// State left.
        state: usize,
        /// State that follows; `None` when another machine does.
        to: Option<usize>,
    },
    /// A state was entered.
    Enter {
        /// Layer.
        layer: usize,
        /// State entered.
        state: usize,
        /// State before.
        from: usize,
    },
    /// A mark was crossed.
    Mark(MarkEvent),
    /// The clip of a state that plays once has ended.
    End {
        /// Layer.
        layer: usize,
        /// State.
        state: usize,
    },
    /// An action is over.
    ActionEnd {
        /// Which.
        id: u64,
        /// Why.
        reason: EndReason,
    },
    /// A warp of root motion is over.
    Warp(WarpEnd),
    /// Something began or ceased to touch it.
    Touch(Box<TouchEvent>),
    /// It stuck in something.
    Stick(Box<StickEvent>),
    /// It was hit, fell, lies, gets up.
    Body(Box<BodyEvent>),
    /// Its walking told something.
    Walk(Box<WalkEvent>),
    /// One of its feet has come down.
    Step(Box<StepEvent>),
    /// It uses something, or is used.
    Use(Box<UseEvent>),
    /// A line that it speaks told something.
    Say(Box<SayEvent>),
    /// A conversation told something; it is its listeners' alone.
    Converse(Box<ConversationEvent>),
}

/// Somebody does something with a thing.
#[derive(Clone, Debug, PartialEq)]
pub struct UseEvent {
    /// The thing, for who uses it; who does, for the thing.
    pub other: Handle,
    /// It is the thing that hears it.
    pub is_thing: bool,
    /// Name of the handle.
    pub handle: String,
    /// How far it is: `reach`, `hold`, `release`, `end`.
    pub phase: &'static str,
}

/// A foot that came down, as the foot itself tells it.
#[derive(Clone, Debug, PartialEq)]
pub struct StepEvent {
    /// Which foot, where, how hard, and where it will stand next.
    pub step: Step,
    /// The legs of the character.
    pub rig: Arc<LegRig>,
    /// What it stands on.
    pub surface: Option<Arc<str>>,
}

/// Where something stuck.
#[derive(Clone, Debug, PartialEq)]
pub struct StickEvent {
    /// In whom; `None` in the floor.
    pub other: Option<Handle>,
    /// By which of its bones it is held.
    pub bone: Option<u16>,
    /// World space.
    pub position: Vec3,
    /// Metres per second at which it came.
    pub speed: f32,
}

/// What happened to a character's body as a whole.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyEvent {
    /// A blow met it.
    Hit {
        /// Bone.
        bone: u16,
        /// What it does.
        reaction: HitReaction,
        /// Newton seconds.
        impulse: Vec3,
        /// World position.
        position: Vec3,
        /// Health that it cost.
        damage: f32,
    },
    /// It is knocked down and falls.
    Down,
    /// It lies still, so.
    Rest(LyingPosture),
    /// It begins to get up from how it lay.
    GetUp(LyingPosture),
    /// It stands again.
    Stand,
    /// It has died.
    Die,
}

impl BodyEvent {
    /// The event's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hit { .. } => "hit",
            Self::Down => "down",
            Self::Rest(_) => "rest",
            Self::GetUp(_) => "get_up",
            Self::Stand => "stand",
            Self::Die => "die",
        }
    }
}

/// Something that a character met where it walks.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkEvent {
    /// What.
    pub walked: Walked,
    /// Who it was; `None` for the floor.
    pub other: Option<Handle>,
    /// World position, and the unit normal out of the other.
    pub place: Option<(Vec3, Vec3)>,
    /// What the other is made of.
    pub surface: Option<Arc<str>>,
}

/// Something solid began or ceased to touch a character.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchEvent {
    /// Who it was; `None` for the floor.
    pub other: Option<Handle>,
    /// It began; else it ended.
    pub began: bool,
    /// One of both is a sensor, which stops nothing.
    pub sensor: bool,
    /// Which of its own bodies was touched.
    pub part: u16,
    /// World position.
    pub position: Vec3,
    /// Unit, out of the other.
    pub normal: Vec3,
    /// Metres per second at which they came together.
    pub speed: f32,
    /// Newton seconds: that speed times the mass that was stopped.
    pub impulse: f32,
    /// What the other is made of.
    pub surface: Option<Arc<str>>,
}

impl EventKind {
    fn named<'a>(&self, character: &'a Character) -> Named<'a> {
        let place = |layer, state| character.playback.place_names(layer, state);
        let other = |layer, state| Some(place(layer, state)?.1);
        let (at, other) = match *self {
            Self::Enter { layer, state, from } => (place(layer, state), other(layer, from)),
            Self::Exit { layer, state, to } => {
                (place(layer, state), to.and_then(|to| other(layer, to)))
            }
            Self::End { layer, state } => (place(layer, state), None),
            Self::Mark(ref mark) => {
                return character.playback.mark_names(
                    &character.definition,
                    mark.clip,
                    mark.mark,
                    mark.source,
                );
            }
            Self::ActionEnd { .. }
            | Self::Warp(_)
            | Self::Touch(_)
            | Self::Walk(_)
            | Self::Step(_)
            | Self::Use(_)
            | Self::Say(_)
            | Self::Converse(_)
            | Self::Stick(_)
            | Self::Body(_) => (None, None),
        };
        Named {
            place: at,
            other,
            ..Named::default()
        }
    }

    /// True when its numbers are those of a machine.
    pub(super) fn is_of_machine(&self) -> bool {
        match self {
            Self::Enter { .. } | Self::Exit { .. } | Self::End { .. } => true,
            Self::Mark(mark) => matches!(mark.source, CrossingSource::Machine { .. }),
            Self::ActionEnd { .. }
            | Self::Warp(_)
            | Self::Touch(_)
            | Self::Walk(_)
            | Self::Step(_)
            | Self::Use(_)
            | Self::Say(_)
            | Self::Converse(_)
            | Self::Stick(_)
            | Self::Body(_) => false,
        }
    }

    /// Place in the order of events of one time.
    pub fn rank(&self) -> u8 {
        match self {
            Self::ActionEnd { reason, .. } if *reason != EndReason::End => 0,
            Self::Mark(mark) if mark.is_cut() => 0,
            Self::Exit { .. } => 1,
            Self::Enter { .. } => 2,
            Self::Mark(_)
            | Self::Touch(_)
            | Self::Stick(_)
            | Self::Walk(_)
            | Self::Step(_)
            | Self::Use(_)
            | Self::Say(_)
            | Self::Converse(_)
            | Self::Body(_) => 3,
            Self::End { .. } | Self::ActionEnd { .. } | Self::Warp(_) => 4,
        }
    }
}

/// A mark that was crossed.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkEvent {
    /// Clip.
    pub clip: usize,
    /// Index among the clip's marks.
    pub mark: usize,
    /// Which side of it.
    pub edge: MarkEdge,
    /// True when the clip's own time was falling.
    pub reverse: bool,
    /// When in the tick, 0..=1 of it.
    pub share: f32,
    /// How much of the clip shows, 0..=1.
    pub weight: f32,
    /// What played the clip.
    pub source: CrossingSource,
    /// False when another source of the same blend shows more: only listeners to all hear it.
    pub heaviest: bool,
    /// The clip is played with left and right exchanged: a left foot's mark is the right one's.
    pub mirrored: bool,
    /// What a play with a mask moves.
    pub mask: Option<Arc<Mask>>,
    /// `Fired`, or `Cut` when an interval ended before its time; what is `Suppressed` is told to nobody
    /// and is here for the ledger.
    pub outcome: Outcome,
    /// How many crossings it stands for: 1, or those that were too many for one step.
    pub n: u64,
    /// World position: of the mark's foot or bone, else of the character. Known when the pose is.
    pub position: Vec3,
    /// Surface under that position.
    pub surface: Option<Arc<str>>,
    /// The ledger's entry of it, when it keeps one.
    pub entry: Option<EntryId>,
}

impl MarkEvent {
    /// True when it is the end of an interval before its time.
    pub fn is_cut(&self) -> bool {
        matches!(self.outcome, Outcome::Cut(_))
    }
}

/// Something that a line told.
#[derive(Clone, Debug, PartialEq)]
pub struct SayEvent {
    /// Which line.
    pub id: u64,
    /// What of it.
    pub what: LineEvent,
}

/// What a line told.
#[derive(Clone, Debug, PartialEq)]
pub enum LineEvent {
    /// It has begun.
    Begin(Arc<Line>),
    /// A word is spoken: its number.
    Word(Arc<Line>, usize),
    /// A sound is spoken: its number.
    Phone(Arc<Line>, usize),
    /// A mark for the script.
    Cue(Arc<Line>, usize),
    /// It is over, and where.
    End(EndReason, f32),
}

impl LineEvent {
    /// The event's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Begin(_) => "say",
            Self::Word(..) => "word",
            Self::Phone(..) => "phone",
            Self::Cue(..) => "cue",
            Self::End(..) => "said",
        }
    }
}

/// Why a conversation is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversationEnd {
    /// All was said.
    End,
    /// It was told to stop.
    Stopped,
    /// Another took somebody of it.
    Interrupted,
    /// Fewer than two are still there.
    Gone,
}

impl ConversationEnd {
    /// The word that scripts see.
    pub fn word(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Stopped => "stopped",
            Self::Interrupted => "interrupted",
            Self::Gone => "gone",
        }
    }
}

/// Something that a conversation told.
#[derive(Clone, Debug, PartialEq)]
pub struct ConversationEvent {
    /// Which.
    pub id: u64,
    /// What of it.
    pub what: Conversed,
}

/// What a conversation told.
#[derive(Clone, Debug, PartialEq)]
pub enum Conversed {
    /// A turn has begun.
    Turn(Taken, Arc<Line>),
    /// A turn is over, and why: `end`, `interrupted`, or `gone` for one whose speaker cannot speak.
    TurnEnd(Taken, &'static str),
    /// The script's function of this number is to be called.
    Call(u32),
    /// It is over.
    End(ConversationEnd),
}

/// Whose turn it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    /// The number of its entry, from 1.
    pub number: u32,
    /// Who speaks.
    pub who: Arc<str>,
    /// To whom; `None` to all.
    pub to: Option<Arc<str>>,
}

impl Conversed {
    /// The event's name; nothing for what has no listeners.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            Self::Turn(..) => Some("turn"),
            Self::TurnEnd(..) => Some("turn_end"),
            Self::Call(_) => None,
            Self::End(_) => Some("end"),
        }
    }
}

/// Waiting events of characters that continue go to the new version.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let mut waiting = std::mem::take(&mut reload.old.events);
    waiting.retain(|event| reload.is_continued(event.character));
    reload.new.events.splice(0..0, waiting);
}
