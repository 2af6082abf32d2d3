//! Conversations: the order of turns, and the behaviour of all participants.
//!
//! A [`ConversationPlan`] is the script, a [`Conversation`] its progress. `turns` decides who speaks, `gaze` where
//! participants look, and `reactions` when they nod. Lines are spoken by the `speech` module, later in the same tick.
//! Invariant: all random numbers come from the conversation's own seed, so that a run repeats whatever else draws.

mod gaze;
mod reactions;
mod renew;
mod turns;

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::event::{
    ConversationEnd, ConversationEvent, ConversationEventKind, ConversationTurnEvent, Event,
    EventKind,
};
use super::talk::TalkContext;
use super::{Characters, Handle, Ids, Rng, Saying, Speech};
use galatea_character::LimbState;
use galatea_speech::line::{CutPoint, Line};
use gaze::Attending;
pub(super) use renew::migrate;

/// Maximum number of conversations on one stage.
pub const MAX_CONVERSATIONS: usize = 64;
/// Maximum number of participants.
pub const MAX_CAST: usize = 32;
/// Maximum number of steps.
pub const MAX_STEPS: usize = 4096;
/// Maximum number of inserted turns that wait.
const MAX_INSERTED: usize = 32;

/// Mean gap between turns, seconds. Over ten languages most gaps are 0 to 200 ms (Stivers et al. 2009, mean 208 ms).
pub const GAP: f32 = 0.2;

/// The plan of a conversation. Immutable.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConversationPlan {
    /// Identity over hot reloads.
    pub key: String,
    /// The participants.
    pub cast: Vec<Member>,
    /// Steps in order; each begins when the one before is over.
    pub steps: Vec<ConversationStep>,
    /// Options.
    pub options: ConversationOptions,
}

/// A participant of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Member {
    /// Role name that turns use.
    #[serde(with = "galatea_persist::shared")]
    pub name: Arc<str>,
    /// The character of this role.
    pub character: Handle,
}

/// Options of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConversationOptions {
    /// Mean gap between turns, seconds.
    pub gap: f32,
    /// Rate of listener feedback at the ends of phrases, such as nods, 0..=1.
    pub nod_chance: f32,
    /// Participants look at each other.
    pub gaze: bool,
}

impl Default for ConversationOptions {
    fn default() -> Self {
        Self {
            gap: GAP,
            nod_chance: 0.6,
            gaze: true,
        }
    }
}

/// One step of a conversation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConversationStep {
    /// Number of the step's entry in the script, from 1.
    pub number: u32,
    /// Probability of the step, 0..=1.
    pub chance: f32,
    /// Kind of the step.
    pub action: StepKind,
}

/// Kind of a step of a conversation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum StepKind {
    /// A participant speaks.
    Turn(#[serde(with = "galatea_persist::shared")] Arc<ConversationTurn>),
    /// A pause in seconds.
    Pause(f32),
    /// Calls the script function with this number.
    Call(u32),
    /// Chooses one branch: weights, and the first step of each branch.
    Choose(Vec<(f32, usize)>),
    /// Jumps to a later step.
    Go(usize),
}

/// Addressee of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Addressed {
    /// The previous speaker, else the next speaker.
    #[default]
    Usual,
    /// All participants, one after the other.
    All,
    /// One participant, by index.
    One(usize),
}

/// A turn that interrupts the one before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interruption {
    /// Cut point of the interrupted line.
    pub how: CutPoint,
    /// Position in the interrupted line, seconds. The default is about 0.6 of the line.
    pub after: Option<f32>,
}

/// A turn of a conversation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConversationTurn {
    /// Number of the turn's entry in the script, from 1.
    pub number: u32,
    /// Index of the speaker among the participants.
    pub speaker: usize,
    /// Addressee.
    pub to: Addressed,
    /// The line; `None` for a turn that only resumes a cut line.
    pub saying: Option<Saying>,
    /// Gap after the previous turn, seconds; negative values overlap.
    pub gap: Option<f32>,
    /// Interrupts the current speaker.
    pub interrupt: Option<Interruption>,
    /// Resumes the speaker's own cut line after this turn.
    pub resume: bool,
}

impl ConversationTurn {
    /// Text of the turn without marks; empty for a turn without a line.
    pub fn text(&self) -> &str {
        let saying = self.saying.as_ref();
        saying.map_or("", |saying| saying.line.text.as_str())
    }
}

/// Progress of a conversation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Conversation {
    /// Id of the conversation.
    pub id: u64,
    /// Immutable plan.
    #[serde(with = "galatea_persist::shared")]
    pub plan: Arc<ConversationPlan>,
    /// Index of the step after `next`.
    at: usize,
    /// The next step.
    next: Option<NextStep>,
    /// The next step of the plan, while inserted turns go first.
    later: Option<NextStep>,
    #[serde(with = "galatea_persist::shared")]
    inserted: VecDeque<Arc<ConversationTurn>>,
    /// Turns that are spoken or queued, in order.
    spoken: Vec<SpokenTurn>,
    /// Index of the last step that began.
    done: Option<usize>,
    /// Stage time at which the last step ended, seconds.
    ended_at: f64,
    /// Cut lines as (participant, line id), the last one of each participant.
    cut: Vec<(usize, u64)>,
    /// Previous speaker and addressee.
    last: Option<(usize, Option<usize>)>,
    members: Vec<Attending>,
    rng: Rng,
    /// The reason, once the conversation is ending.
    end_reason: Option<ConversationEnd>,
    /// The next step skips its gap.
    skips_gap: bool,
    /// A script call must finish first.
    holds: bool,
    over: bool,
}

/// The next step with its timing.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct NextStep {
    what: Coming,
    /// Index in the plan; `None` for an inserted turn.
    step: Option<usize>,
    /// Gap after the previous step, seconds.
    gap: f32,
    /// The next speaker's preparation was triggered.
    prepared: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Coming {
    Turn(#[serde(with = "galatea_persist::shared")] Arc<ConversationTurn>),
    Pause(f32),
    Call(u32),
    End,
}

/// A turn in progress.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SpokenTurn {
    #[serde(with = "galatea_persist::shared")]
    turn: Arc<ConversationTurn>,
    to: Option<usize>,
    /// Ids of its unfinished lines, the active one first.
    lines: Vec<u64>,
    /// Stage time of the start of the active line, the line, and its elapsed seconds.
    #[serde(with = "galatea_persist::shared")]
    now: Option<(f64, Arc<Line>, f32)>,
    /// Stage time of the last sound of the turn, seconds, once known.
    ends: Option<f64>,
    /// The start event was emitted.
    start_emitted: bool,
    /// The last sound is over.
    finished: bool,
    /// Number of phrase ends passed, and number of questions shown.
    n_phrases_passed: usize,
    n_questions: usize,
}

/// Conversations of a stage.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Conversations {
    /// Running conversations.
    pub running: Vec<Conversation>,
    /// Conversations from before a hot reload, which the new script may start again.
    left: Vec<Conversation>,
}

impl Conversations {
    /// Starts a conversation, and ends others with a participant in common. Returns `None` at [`MAX_CONVERSATIONS`].
    pub fn begin(
        &mut self,
        plan: Arc<ConversationPlan>,
        ids: &mut Ids,
        rng: &mut Rng,
        speech: &mut Speech,
        now: f64,
    ) -> Option<u64> {
        if self.running.len() >= MAX_CONVERSATIONS {
            return None;
        }
        let is_wanted = |member: &Member| {
            let mut cast = plan.cast.iter();
            cast.any(|own| own.character == member.character)
        };
        for other in &mut self.running {
            if other.plan.cast.iter().any(is_wanted) {
                other.leave(speech, ConversationEnd::Interrupted, CutPoint::Phrase);
            }
        }
        let id = ids.new_id();
        let mut own = Conversation::new(id, plan, rng.bits());
        own.ended_at = now;
        own.skips_gap = true;
        self.continue_left(&mut own);
        self.running.push(own);
        Some(id)
    }

    /// The running conversation with this id.
    pub fn get(&self, id: u64) -> Option<&Conversation> {
        let mut all = self.running.iter();
        all.find(|own| own.id == id && !own.over)
    }

    fn get_mut(&mut self, id: u64) -> Option<&mut Conversation> {
        let mut all = self.running.iter_mut();
        all.find(|own| own.id == id && !own.over)
    }

    /// Stops a conversation and cuts its speaker. Returns false if it has ended or is ending.
    pub fn stop(&mut self, id: u64, how: CutPoint, speech: &mut Speech) -> bool {
        let Some(own) = self.get_mut(id) else {
            return false;
        };
        let stops = own.end_reason.is_none();
        own.leave(speech, ConversationEnd::Stopped, how);
        stops
    }

    /// Cuts the current turn or pause and continues with the next step. Returns false if the conversation has ended.
    pub fn skip_turn(&mut self, id: u64, how: CutPoint, speech: &mut Speech, now: f64) -> bool {
        let own = self.get_mut(id);
        own.map(|own| own.skip(speech, how, now)).is_some()
    }

    /// Inserts a turn before the next step. With `goes_on`, a speaker that it cuts resumes the line afterwards. Returns
    /// false if the conversation has ended or too many turns wait.
    pub fn insert_turn(&mut self, id: u64, turn: ConversationTurn, goes_on: bool) -> bool {
        let own = self.get_mut(id);
        own.is_some_and(|own| own.insert(turn, goes_on))
    }

    /// Pauses a conversation before its next step, or continues it. Returns false if it has ended.
    pub fn hold(&mut self, id: u64, holds: bool, now: f64) -> bool {
        let Some(own) = self.get_mut(id) else {
            return false;
        };
        if own.holds && !holds {
            own.ended_at = own.ended_at.max(now);
        }
        own.holds = holds;
        true
    }
}

impl Conversation {
    fn new(id: u64, plan: Arc<ConversationPlan>, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let members = plan.cast.iter().map(|_| Attending::new(&mut rng));
        let members = members.collect();
        Self {
            id,
            members,
            rng,
            plan,
            at: 0,
            next: None,
            later: None,
            inserted: VecDeque::new(),
            spoken: Vec::new(),
            done: None,
            ended_at: 0.0,
            cut: Vec::new(),
            last: None,
            end_reason: None,
            skips_gap: false,
            holds: false,
            over: false,
        }
    }

    /// Number of the current turn's entry, from 1; `None` while nobody speaks.
    pub fn turn(&self) -> Option<u32> {
        Some(self.speaking()?.turn.number)
    }

    /// Index of the current speaker; with overlapping turns, the latest.
    pub fn speaker(&self) -> Option<usize> {
        Some(self.speaking()?.turn.speaker)
    }

    fn speaking(&self) -> Option<&SpokenTurn> {
        let begun = |spoken: &&SpokenTurn| spoken.now.is_some() && !spoken.finished;
        self.spoken.iter().rev().find(begun)
    }

    fn handle(&self, who: usize) -> Option<Handle> {
        Some(self.plan.cast.get(who)?.character)
    }

    fn is_available(&self, who: usize) -> bool {
        self.members
            .get(who)
            .is_some_and(|member| member.is_available)
    }

    fn between(&mut self, min: f64, max: f64) -> f64 {
        min + (max - min) * self.rng.unit()
    }

    fn is_likely(&mut self, chance: f32) -> bool {
        self.rng.unit() < f64::from(chance)
    }

    fn taken(&self, turn: &ConversationTurn, to: Option<usize>) -> ConversationTurnEvent {
        let name = |who: usize| self.plan.cast.get(who).map(|member| member.name.clone());
        ConversationTurnEvent {
            number: turn.number,
            speaker: name(turn.speaker).unwrap_or_default(),
            to: to.and_then(name),
        }
    }

    fn emit(&self, events: &mut Vec<Event>, who: usize, time: f64, what: ConversationEventKind) {
        let Some(character) = self.handle(who) else {
            return;
        };
        let kind = EventKind::Converse(Box::new(ConversationEvent {
            id: self.id,
            kind: what,
        }));
        events.push(Event::new(character, time, kind));
    }

    /// Starts to end the conversation.
    fn leave(&mut self, speech: &mut Speech, why: ConversationEnd, how: CutPoint) {
        if self.end_reason.is_none() {
            self.end_reason = Some(why);
        }
        self.cut_all(speech, how);
    }

    fn cut_all(&mut self, speech: &mut Speech, how: CutPoint) {
        for spoken in &self.spoken {
            for id in &spoken.lines {
                if let Some(line) = speech.line_mut(*id) {
                    line.cut(how);
                }
            }
        }
    }

    fn skip(&mut self, speech: &mut Speech, how: CutPoint, now: f64) {
        self.cut_all(speech, how);
        if self.spoken.is_empty()
            && let Some(NextStep {
                what: Coming::Pause(_),
                step,
                ..
            }) = &self.next
        {
            self.done = step.or(self.done);
            self.next = None;
            self.ended_at = now;
        }
        self.skips_gap = true;
    }

    fn insert(&mut self, turn: ConversationTurn, goes_on: bool) -> bool {
        if self.end_reason.is_some() || self.inserted.len() + 2 > MAX_INSERTED {
            return false;
        }
        let cut = self.speaking().map(|spoken| spoken.turn.clone());
        let number = turn.number;
        let by = turn.interrupt.map(|_| turn.speaker);
        self.inserted.push_back(Arc::new(turn));
        if let (Some(cut), true, Some(_)) = (cut, goes_on, by) {
            self.inserted.push_back(Arc::new(ConversationTurn {
                number,
                speaker: cut.speaker,
                to: cut.to,
                saying: None,
                gap: None,
                interrupt: None,
                resume: true,
            }));
        }
        if let Some(next) = self.next.take() {
            if next.step.is_some() || matches!(next.what, Coming::End) {
                self.later = Some(next);
            } else if let Coming::Turn(turn) = next.what {
                self.inserted.push_front(turn);
            }
        }
        true
    }
}

/// Returns true for a character that is on the stage, alive and not down.
fn is_awake(characters: &Characters, handle: Handle) -> bool {
    characters.get(handle).is_some_and(|character| {
        let limbs = character.body.limbs.as_ref();
        let is_up = limbs.is_none_or(|limbs| limbs.state == LimbState::Up);
        is_up && !character.body.vitals.is_dead
    })
}

/// Advances conversations by a tick, before the lines.
pub(super) fn advance(conversations: &mut Conversations, talk: &mut TalkContext<'_>) {
    conversations.end_left(talk.characters);
    for own in &mut conversations.running {
        own.update_availability(talk.characters);
        turns::advance(own, talk);
        if own.over {
            gaze::end(own, talk.characters);
        } else {
            gaze::advance(own, talk.characters, talk.ids, talk.clock.time());
            reactions::advance(own, talk);
        }
    }
    conversations.running.retain(|own| !own.over);
}

impl Conversation {
    fn update_availability(&mut self, characters: &Characters) {
        for (member, attending) in self.plan.cast.iter().zip(&mut self.members) {
            attending.is_available = is_awake(characters, member.character);
        }
    }
}
