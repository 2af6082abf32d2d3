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
//! | 4 | mark | a mark passed |
//! | 5 | complete | the clip of a state or of an action played to its end; a warp over |
//!
//! What listeners bring about is told in the next batch.

use std::sync::Arc;

use glam::Vec3;

use super::{Handle, StageCharacter};
use crate::anim::{Edge, EntryId, EntryNames, Mark, Outcome, Source};
use crate::character::{EndReason, WarpEnd};

/// Something that happened to a character.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Whom it happened to.
    pub character: Handle,
    /// Stage seconds, exact within the tick.
    pub time: f64,
    /// What happened.
    pub kind: EventKind,
    /// What its numbers meant, where machine, clips or marks have been replaced since; else they refer to
    /// the character as it is.
    pub names: Option<Arc<Names>>,
}

/// The names behind the numbers of an event, as it keeps them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    /// The mark.
    pub mark: Option<Mark>,
    /// Its clip.
    pub clip: String,
    /// Layer and state.
    pub place: Option<(String, String)>,
    /// The state before, or the one that follows.
    pub other: Option<String>,
}

/// The names behind the numbers of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Named<'a> {
    /// The mark; `None` for events that are none, and for marks that are gone.
    pub mark: Option<&'a Mark>,
    /// Its clip.
    pub clip: &'a str,
    /// Layer and state.
    pub place: Option<(&'a str, &'a str)>,
    /// The state before, or the one that follows.
    pub other: Option<&'a str>,
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
    pub fn named<'a>(&'a self, character: &'a StageCharacter) -> Named<'a> {
        match &self.names {
            Some(names) => Named {
                mark: names.mark.as_ref(),
                clip: &names.clip,
                place: names
                    .place
                    .as_ref()
                    .map(|(layer, state)| (layer.as_str(), state.as_str())),
                other: names.other.as_deref(),
            },
            None => self.kind.named(character),
        }
    }

    /// Gives it its names for good: before the character's machine, clips or marks are replaced.
    pub fn keep_names(&mut self, character: &StageCharacter) {
        if self.names.is_some() {
            return;
        }
        let named = self.kind.named(character);
        self.names = Some(Arc::new(Names {
            mark: named.mark.cloned(),
            clip: named.clip.to_owned(),
            place: named
                .place
                .map(|(layer, state)| (layer.to_owned(), state.to_owned())),
            other: named.other.map(str::to_owned),
        }));
    }
}

impl Names {
    /// The same, for the ledger.
    pub fn of_entry(&self) -> EntryNames {
        let mark = self.mark.as_ref();
        EntryNames {
            event: mark.map_or_else(String::new, |mark| mark.event.clone()),
            clip: self.clip.clone(),
            place: self.place.clone(),
        }
    }
}

/// What happened. Indices refer to the character's machine, clips and marks as they are when it happens.
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
}

impl EventKind {
    fn named<'a>(&self, character: &'a StageCharacter) -> Named<'a> {
        let machine = character.machine.as_ref().map(|(machine, _)| machine);
        let state = |layer, state| Some(machine?.state_name(layer, state));
        let place = |layer, number| {
            let name = machine?.layer_names().nth(layer).unwrap_or_default();
            Some((name, state(layer, number)?))
        };
        let (at, other) = match self {
            Self::Enter {
                layer,
                state: to,
                from,
            } => (place(*layer, *to), state(*layer, *from)),
            Self::Exit {
                layer,
                state: from,
                to,
            } => (place(*layer, *from), to.and_then(|to| state(*layer, to))),
            Self::End { layer, state } => (place(*layer, *state), None),
            Self::Mark(mark) => {
                let marks = character.marks.get(mark.clip);
                return Named {
                    mark: marks.and_then(|marks| marks.get(mark.mark)),
                    clip: character.definition.clips.clip_name(mark.clip),
                    place: match mark.source {
                        Source::Machine { layer, state } => place(layer.into(), state.into()),
                        Source::Play(_) | Source::Idle => None,
                    },
                    other: None,
                };
            }
            Self::ActionEnd { .. } | Self::Warp(_) => (None, None),
        };
        Named {
            place: at,
            other,
            ..Named::default()
        }
    }

    /// Place in the order of events of one time.
    pub fn rank(&self) -> u8 {
        match self {
            Self::ActionEnd { reason, .. } if *reason != EndReason::End => 0,
            Self::Mark(mark) if mark.is_cut() => 0,
            Self::Exit { .. } => 1,
            Self::Enter { .. } => 2,
            Self::Mark(_) => 3,
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
    pub edge: Edge,
    /// True when the clip's own time was falling.
    pub reverse: bool,
    /// When in the tick, 0..=1 of it.
    pub share: f32,
    /// How much of the clip shows, 0..=1.
    pub weight: f32,
    /// What played the clip.
    pub source: Source,
    /// False when another source of the same blend shows more: only listeners to all hear it.
    pub heaviest: bool,
    /// The clip is played with left and right exchanged: a left foot's mark is the right one's.
    pub mirrored: bool,
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
