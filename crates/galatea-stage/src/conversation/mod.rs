//! Conversations: who speaks when, and what all who are in one do meanwhile.
//!
//! A [`ConversationPlan`] is what was written, a [`Conversation`] where it is. `turns` decides who speaks; `gaze` has
//! everybody look at somebody, `reactions` has them nod. Lines are spoken as all lines are (`speech`), one tick's after this.
//! Invariant: all chance comes from the conversation's own seed, so that a run is the same whatever else draws.

mod gaze;
mod reactions;
mod renew;
mod turns;

use std::collections::VecDeque;
use std::sync::Arc;

use super::event::{ConversationEnd, ConversationEvent, Conversed, Event, EventKind, Taken};
use super::talk::TalkContext;
use super::{Characters, Handle, Ids, Rng, Saying, Speech};
use galatea_character::LimbState;
use galatea_speech::line::{CutPoint, Line};
use gaze::Attending;
pub(super) use renew::migrate;

/// Conversations on one stage at once.
pub const MOST_CONVERSATIONS: usize = 64;
/// Who may be in one.
pub const MOST_CAST: usize = 32;
/// Steps of one.
pub const MOST_STEPS: usize = 4096;
/// Turns that wait to be put into one.
const MOST_INSERTED: usize = 32;

/// Seconds between the end of one turn and the beginning of the next, in the mean: over ten languages most are 0 to 200 ms
/// (Stivers et al. 2009, mean 208 ms).
pub const GAP: f32 = 0.2;

/// A conversation as it was written. Immutable.
#[derive(Clone, Debug)]
pub struct ConversationPlan {
    /// Makes it the same over saves.
    pub key: String,
    /// Who is in it.
    pub cast: Vec<Member>,
    /// What happens, in order; each begins when that before it is over.
    pub steps: Vec<ConversationStep>,
    /// How.
    pub options: ConversationOptions,
}

/// Somebody in a conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// What the turns call it.
    pub name: Arc<str>,
    /// Who it is.
    pub character: Handle,
}

/// How a conversation goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConversationOptions {
    /// Seconds between turns, in the mean.
    pub gap: f32,
    /// 0..=1: how often who is spoken to nods, or shows otherwise that it listens, where a phrase ends.
    pub nods: f32,
    /// They look at each other.
    pub gaze: bool,
}

impl Default for ConversationOptions {
    fn default() -> Self {
        Self {
            gap: GAP,
            nods: 0.6,
            gaze: true,
        }
    }
}

/// One thing that happens in a conversation.
#[derive(Clone, Debug)]
pub struct ConversationStep {
    /// The number of the entry that it stands in, from 1.
    pub number: u32,
    /// 0..=1: how likely it happens.
    pub chance: f32,
    /// What.
    pub does: StepKind,
}

/// What happens in a conversation.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// Somebody speaks.
    Turn(Arc<ConversationTurn>),
    /// Nobody speaks for so many seconds.
    Pause(f32),
    /// The script is called: the number of its function.
    Call(u32),
    /// One of several ways is gone: how likely each is, and at which step it begins.
    Choose(Vec<(f32, usize)>),
    /// It goes on at a later step.
    Go(usize),
}

/// To whom a turn is spoken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Addressed {
    /// Who spoke before, else who speaks next.
    #[default]
    Usual,
    /// Everybody, one after the other.
    All,
    /// One of the cast.
    One(usize),
}

/// A turn that does not wait for the end of that before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interruption {
    /// Where the other is cut.
    pub how: CutPoint,
    /// Seconds of the other's line; about six tenths of it where nothing is said.
    pub after: Option<f32>,
}

/// A turn.
#[derive(Clone, Debug)]
pub struct ConversationTurn {
    /// The number of the entry that it stands in, from 1.
    pub number: u32,
    /// Who speaks, in the cast.
    pub who: usize,
    /// To whom.
    pub to: Addressed,
    /// What; nothing for one who only goes on with what was cut.
    pub saying: Option<Saying>,
    /// Seconds after the turn before, less than 0 before its end.
    pub gap: Option<f32>,
    /// It cuts who speaks.
    pub interrupts: Option<Interruption>,
    /// It goes on with its own line that was cut, behind what it says.
    pub resumes: bool,
}

impl ConversationTurn {
    /// What is said, without marks; empty for nothing of its own.
    pub fn text(&self) -> &str {
        let saying = self.saying.as_ref();
        saying.map_or("", |saying| saying.line.text.as_str())
    }
}

/// Where a conversation is.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// Its number.
    pub id: u64,
    /// What was written.
    pub plan: Arc<ConversationPlan>,
    /// The step that comes after `next`.
    at: usize,
    /// What comes next.
    next: Option<NextStep>,
    /// What would have come next, were it not for what was put in.
    later: Option<NextStep>,
    inserted: VecDeque<Arc<ConversationTurn>>,
    /// Turns that are spoken or wait for that, in order.
    spoken: Vec<SpokenTurn>,
    /// The last step that was begun.
    done: Option<usize>,
    /// Stage seconds at which what came last was over.
    ended_at: f64,
    /// Lines that were cut, and whose they are, the last of each.
    cut: Vec<(usize, u64)>,
    /// Who spoke last, and to whom.
    last: Option<(usize, Option<usize>)>,
    members: Vec<Attending>,
    rng: Rng,
    /// It is being ended.
    leaves: Option<ConversationEnd>,
    /// What comes next does not wait for its time.
    hurries: bool,
    /// What the script does must be over first.
    holds: bool,
    over: bool,
}

/// What comes next.
#[derive(Clone, Debug)]
struct NextStep {
    what: Coming,
    /// Which step it is; `None` for what was put in.
    step: Option<usize>,
    /// Seconds after what came before.
    gap: f32,
    /// Who is to speak gets ready already.
    prepared: bool,
}

#[derive(Clone, Debug)]
enum Coming {
    Turn(Arc<ConversationTurn>),
    Pause(f32),
    Call(u32),
    End,
}

/// A turn that is spoken.
#[derive(Clone, Debug)]
struct SpokenTurn {
    turn: Arc<ConversationTurn>,
    to: Option<usize>,
    /// Its lines that are not over, the one that is spoken first.
    lines: Vec<u64>,
    /// Of the line that is spoken: stage seconds of its beginning, itself, and seconds of it that are over.
    now: Option<(f64, Arc<Line>, f32)>,
    /// Stage seconds at which the last sound of all of it is over, once that is known.
    ends: Option<f64>,
    /// Its beginning was told.
    told: bool,
    /// Its last sound is over.
    finished: bool,
    /// Places at which the line may be cut that were passed, and those whose question was shown.
    n_passed: usize,
    n_asked: usize,
}

/// Conversations of a stage.
#[derive(Clone, Debug, Default)]
pub struct Conversations {
    /// Conversations that are not over.
    pub running: Vec<Conversation>,
    /// Conversations of the version before a hot reload, which the new version may begin again.
    left: Vec<Conversation>,
}

impl Conversations {
    /// Begins a conversation; those that anybody of it is in end. `None` when there are too many.
    pub fn begin(
        &mut self,
        plan: Arc<ConversationPlan>,
        ids: &mut Ids,
        rng: &mut Rng,
        speech: &mut Speech,
        now: f64,
    ) -> Option<u64> {
        if self.running.len() >= MOST_CONVERSATIONS {
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
        own.hurries = true;
        self.continue_left(&mut own);
        self.running.push(own);
        Some(id)
    }

    /// A conversation by its number, while it is not over.
    pub fn get(&self, id: u64) -> Option<&Conversation> {
        let mut all = self.running.iter();
        all.find(|own| own.id == id && !own.over)
    }

    fn get_mut(&mut self, id: u64) -> Option<&mut Conversation> {
        let mut all = self.running.iter_mut();
        all.find(|own| own.id == id && !own.over)
    }

    /// Ends a conversation; who speaks is cut. False when it is over, or ends already.
    pub fn stop(&mut self, id: u64, how: CutPoint, speech: &mut Speech) -> bool {
        let Some(own) = self.get_mut(id) else {
            return false;
        };
        let stops = own.leaves.is_none();
        own.leave(speech, ConversationEnd::Stopped, how);
        stops
    }

    /// Cuts the turn that is spoken, or the pause, and goes on with the next. False when it is over.
    pub fn skip_turn(&mut self, id: u64, how: CutPoint, speech: &mut Speech, now: f64) -> bool {
        let own = self.get_mut(id);
        own.map(|own| own.skip(speech, how, now)).is_some()
    }

    /// Has somebody take a turn now, before what comes next. `goes_on`: who is cut by it goes on with the line behind it.
    /// False when it is over, or too much waits already.
    pub fn insert_turn(&mut self, id: u64, turn: ConversationTurn, goes_on: bool) -> bool {
        let own = self.get_mut(id);
        own.is_some_and(|own| own.insert(turn, goes_on))
    }

    /// Has a conversation wait with all that comes next, or no more. False when it is over.
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
            leaves: None,
            hurries: false,
            holds: false,
            over: false,
        }
    }

    /// The number of the entry whose turn it is, from 1; `None` while nobody speaks.
    pub fn turn(&self) -> Option<u32> {
        Some(self.speaking()?.turn.number)
    }

    /// Who speaks, in the cast; of several the one who began last.
    pub fn speaker(&self) -> Option<usize> {
        Some(self.speaking()?.turn.who)
    }

    fn speaking(&self) -> Option<&SpokenTurn> {
        let begun = |spoken: &&SpokenTurn| spoken.now.is_some() && !spoken.finished;
        self.spoken.iter().rev().find(begun)
    }

    fn handle(&self, who: usize) -> Option<Handle> {
        Some(self.plan.cast.get(who)?.character)
    }

    fn is_there(&self, who: usize) -> bool {
        self.members.get(who).is_some_and(|member| member.is_there)
    }

    fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.rng.unit()
    }

    fn is_likely(&mut self, chance: f32) -> bool {
        self.rng.unit() < f64::from(chance)
    }

    fn taken(&self, turn: &ConversationTurn, to: Option<usize>) -> Taken {
        let name = |who: usize| self.plan.cast.get(who).map(|member| member.name.clone());
        Taken {
            number: turn.number,
            who: name(turn.who).unwrap_or_default(),
            to: to.and_then(name),
        }
    }

    fn tell(&self, events: &mut Vec<Event>, who: usize, time: f64, what: Conversed) {
        let Some(character) = self.handle(who) else {
            return;
        };
        let kind = EventKind::Converse(Box::new(ConversationEvent { id: self.id, what }));
        events.push(Event::new(character, time, kind));
    }

    /// Begins to end it.
    fn leave(&mut self, speech: &mut Speech, why: ConversationEnd, how: CutPoint) {
        if self.leaves.is_none() {
            self.leaves = Some(why);
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
        self.hurries = true;
    }

    fn insert(&mut self, turn: ConversationTurn, goes_on: bool) -> bool {
        if self.leaves.is_some() || self.inserted.len() + 2 > MOST_INSERTED {
            return false;
        }
        let cut = self.speaking().map(|spoken| spoken.turn.clone());
        let number = turn.number;
        let by = turn.interrupts.map(|_| turn.who);
        self.inserted.push_back(Arc::new(turn));
        if let (Some(cut), true, Some(_)) = (cut, goes_on, by) {
            self.inserted.push_back(Arc::new(ConversationTurn {
                number,
                who: cut.who,
                to: cut.to,
                saying: None,
                gap: None,
                interrupts: None,
                resumes: true,
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

/// True while somebody stands for itself: neither dead, nor fallen, nor gone.
fn is_awake(characters: &Characters, handle: Handle) -> bool {
    characters.get(handle).is_some_and(|character| {
        let limbs = character.body.limbs.as_ref();
        let is_up = limbs.is_none_or(|limbs| limbs.state == LimbState::Up);
        is_up && !character.body.vitals.dead
    })
}

/// Moves conversations on by a tick, before lines are.
pub(super) fn advance(conversations: &mut Conversations, talk: &mut TalkContext<'_>) {
    conversations.end_left(talk.characters);
    for own in &mut conversations.running {
        own.see_who_is_there(talk.characters);
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
    fn see_who_is_there(&mut self, characters: &Characters) {
        for (member, attending) in self.plan.cast.iter().zip(&mut self.members) {
            attending.is_there = is_awake(characters, member.character);
        }
    }
}
