//! Nonverbal reactions in a conversation: nods and other listener feedback, brows at questions, a breath before a turn, and
//! surprise at interruptions.
//!
//! Listeners respond at the ends of phrases and in pauses, mostly with the head, 0.2 to 0.5 s later (Dittmann and Llewellyn
//! 1968; Ward and Tsukahara 2000; Heldner et al. 2013).

use serde::{Deserialize, Serialize};

use super::Conversation;
use crate::Handle;
use crate::performance::with_face;
use crate::talk::TalkContext;
use galatea_character::{FaceModifier, HeadMove, ModifierKind};
use galatea_face::{Envelope, FaceOwner, Mix};

/// Delay of the feedback after the end of a phrase, seconds.
const DELAY: [f64; 2] = [0.2, 0.5];
/// Minimum time between two responses of the same listener, seconds.
const MIN_INTERVAL: f64 = 1.6;
/// Response rate of other listeners, as a fraction of the addressee's.
const OTHERS_FACTOR: f32 = 0.6;
/// Time before the end of a question at which the speaker raises the brows, seconds.
const QUESTION_LEAD: f32 = 0.6;
/// Maximum number of planned reactions of a participant.
const MAX_REACTIONS: usize = 8;

/// A short nonverbal reaction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Reaction {
    /// A head movement and its strength.
    Head(HeadMove, f32),
    /// Raised brows and their strength.
    Brows(f32),
    /// A small smile.
    Smile,
    /// A blink.
    Blink,
    /// A reaction to an interruption: surprised if true, else frowning.
    Start(bool),
    /// Preparation before speaking: a breath, and parted lips.
    Ready(bool),
}

pub(super) fn advance(own: &mut Conversation, talk: &mut TalkContext<'_>) {
    let now = talk.clock.time();
    hear(own, now);
    for who in 0..own.members.len() {
        let is_speaking = own.speaker() == Some(who);
        let (Some(handle), Some(member)) = (own.handle(who), own.members.get_mut(who)) else {
            continue;
        };
        if !member.is_available {
            member.reactions.clear();
            continue;
        }
        let mut due = Vec::new();
        member.reactions.retain(|(at, reaction)| {
            let is_due = *at <= now;
            if is_due {
                due.push(*reaction);
            }
            !is_due
        });
        for reaction in due {
            // A listener who speaks by now responds in words.
            let is_answer = matches!(
                reaction,
                Reaction::Head(HeadMove::Nod | HeadMove::Beat, _) | Reaction::Smile
            );
            if !(is_answer && is_speaking) {
                show(talk, handle, reaction);
            }
        }
    }
}

/// Plans responses to phrases that ended in this tick, and raises the brows of speakers who ask.
fn hear(own: &mut Conversation, now: f64) {
    let mut spoken = std::mem::take(&mut own.spoken);
    let (mut answers, mut askers) = (Vec::new(), Vec::new());
    for one in &mut spoken {
        let Some((_, line, t)) = &one.now else {
            continue;
        };
        let (first, last) = line.voiced();
        while let Some(cut) = line.cuts.get(one.n_questions).map(|cut| cut.min(last))
            && *t >= cut - QUESTION_LEAD
        {
            one.n_questions += 1;
            if *t < cut && line.ends_question(cut) {
                askers.push(one.turn.speaker);
            }
        }
        while let Some(cut) = line.cuts.get(one.n_phrases_passed).map(|cut| cut.min(last))
            && *t >= cut
        {
            one.n_phrases_passed += 1;
            // Nobody responds to the first word.
            if cut - first > 0.4 {
                answers.push((one.turn.speaker, one.to, line.ends_question(cut)));
            }
        }
    }
    own.spoken = spoken;
    for who in askers {
        let tilts = own.is_likely(0.4);
        react(own, who, now, Reaction::Brows(0.45));
        if tilts {
            react(own, who, now, Reaction::Head(HeadMove::Tilt, 0.5));
        }
    }
    for (speaker, to, is_question) in answers {
        for who in 0..own.members.len() {
            if who != speaker && own.is_available(who) {
                let is_addressed = to.is_none_or(|to| to == who);
                answer(own, who, is_addressed, is_question, now);
            }
        }
    }
}

/// Plans the response of one listener to a phrase, by chance.
fn answer(own: &mut Conversation, who: usize, is_addressed: bool, is_question: bool, now: f64) {
    let factor = if is_addressed { 1.0 } else { OTHERS_FACTOR };
    let answers = own.is_likely(own.plan.options.nod_chance * factor);
    let kind = own.rng.unit();
    let strength = own.between(0.5, 0.95) as f32;
    let at = now + own.between(DELAY[0], DELAY[1]);
    let is_quiet = own.members.get(who).is_none_or(|m| at < m.quiet_until);
    let speaks = own.spoken.iter().any(|spoken| spoken.turn.speaker == who);
    if !answers || is_quiet || speaks {
        return;
    }
    let reaction = match kind {
        k if is_question && k < 0.35 => Reaction::Head(HeadMove::Tilt, 0.6 * strength),
        k if is_question && k < 0.7 => Reaction::Brows(0.5 * strength),
        k if k < 0.5 => Reaction::Head(HeadMove::Nod, strength),
        k if k < 0.72 => Reaction::Head(HeadMove::Beat, strength),
        k if k < 0.82 => Reaction::Brows(0.5 * strength),
        k if k < 0.93 => Reaction::Smile,
        _ => Reaction::Blink,
    };
    react(own, who, at, reaction);
    if let Some(member) = own.members.get_mut(who) {
        member.quiet_until = at + MIN_INTERVAL;
    }
}

fn react(own: &mut Conversation, who: usize, at: f64, reaction: Reaction) {
    if let Some(member) = own.members.get_mut(who)
        && member.reactions.len() < MAX_REACTIONS
    {
        member.reactions.push((at, reaction));
    }
}

/// Plans the reaction of a participant to an interruption at stage time `at`, in seconds.
pub(super) fn startle(own: &mut Conversation, who: usize, at: f64) {
    let is_surprised = own.is_likely(0.6);
    react(own, who, at + 0.05, Reaction::Start(is_surprised));
}

/// Plans the preparation of the next speaker.
pub(super) fn get_is_ready(own: &mut Conversation, talk: &mut TalkContext<'_>, who: usize) {
    let raises = own.is_likely(0.5);
    if let (Some(handle), true) = (own.handle(who), own.is_available(who)) {
        show(talk, handle, Reaction::Ready(raises));
    }
}

fn show(talk: &mut TalkContext<'_>, handle: Handle, reaction: Reaction) {
    if let Reaction::Ready(_) = reaction {
        let character = talk.characters.get_mut(handle);
        let stack = character.and_then(|character| character.modifiers.modifier_stack.as_mut());
        for modifier in stack.into_iter().flat_map(|stack| &mut stack.modifiers) {
            if let ModifierKind::IdleMotion(living) = &mut modifier.kind {
                living.idle_motion.inhale();
            }
        }
    }
    with_face(talk.characters, talk.ids, handle, |facing| {
        // A face that the script holds is left alone.
        if facing.face.is_overridden() {
            return;
        }
        let passing = |onset: f32, hold: f32, release: f32| Envelope {
            fade_in: onset,
            hold_time: Some(hold),
            fade_out: release,
        };
        match reaction {
            Reaction::Head(head, strength) => facing.move_head(head, strength),
            Reaction::Brows(strength) => {
                express(facing, &["brow_up"], strength, passing(0.2, 0.45, 0.35))
            }
            Reaction::Smile => express(facing, &["smile"], 0.3, passing(0.3, 0.8, 0.6)),
            Reaction::Blink => facing.face.own_lids.blink(),
            Reaction::Start(true) => express(
                facing,
                &["surprise", "brow_up"],
                0.4,
                passing(0.12, 0.4, 0.4),
            ),
            Reaction::Start(false) => express(
                facing,
                &["brow_down", "anger"],
                0.4,
                passing(0.15, 0.6, 0.5),
            ),
            Reaction::Ready(raises) => {
                express(facing, &["jawOpen"], 0.1, passing(0.15, 0.1, 0.2));
                if raises {
                    express(facing, &["brow_up"], 0.25, passing(0.2, 0.25, 0.4));
                }
            }
        }
    });
}

/// Plays the first of some expressions that the face has.
fn express(facing: &mut FaceModifier, names: &[&str], strength: f32, envelope: Envelope) {
    let rig = facing.rig.clone();
    let found = names.iter().find(|name| rig.find(name).is_some());
    if let Some(name) = found {
        let mix = Mix::new(vec![((*name).to_owned(), 1.0)], &rig);
        facing.face.show(mix, FaceOwner::Speech, strength, envelope);
    }
}
