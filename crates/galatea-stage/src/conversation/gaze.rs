//! Gaze of the participants of a conversation.
//!
//! The speaker looks at the addressee about half of the time, and at the next speaker near the end. Listeners look at the
//! speaker most of the time, and sometimes at the addressee (Kendon 1967; Argyle and Cook 1976; Vertegaal et al. 2001).

use serde::{Deserialize, Serialize};

use super::reactions::Reaction;
use super::turns::{next_speaker, soon};
use super::{Conversation, Rng};
use crate::performance::{end_look_in_talk, look_in_talk};
use crate::{Characters, Ids};
use galatea_rig::gaze::GazeTiming;

/// Time before the end of a turn at which the speaker looks at the next speaker, seconds.
const HANDOVER_LEAD: f64 = 0.8;
/// Time before a turn at which its speaker looks at the addressee, seconds.
const OPENING_LEAD: f64 = 0.25;
/// Delay until a listener looks at a new speaker, minimum and maximum, seconds.
const REACTION_DELAY: [f64; 2] = [0.15, 0.45];
/// Time between two glances at the addressee, seconds.
const BETWEEN_GLANCES: [f64; 2] = [2.5, 6.0];
/// Duration of such a glance, seconds.
const GLANCE_TIME: [f64; 2] = [0.7, 1.3];
/// Duration of the gaze at each participant while addressing all, seconds.
const ADDRESS_TIME: [f64; 2] = [1.4, 2.8];

/// Attention state of one participant.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Attending {
    /// The participant is standing and awake.
    pub is_available: bool,
    /// Planned reactions with their stage times in seconds.
    pub reactions: Vec<(f64, Reaction)>,
    /// Stage time until which it does not nod again, seconds.
    pub quiet_until: f64,
    /// The conversation controls the gaze of this participant.
    is_looking: bool,
    /// Current gaze target, and the manner of the gaze.
    at: Option<(usize, GazeTiming)>,
    /// Next gaze target, and the stage time at which to look at it.
    next_target: Option<(usize, f64)>,
    /// Glance aside: target and end time; then the earliest time of the next one.
    glance: Option<(usize, f64)>,
    next_glance: f64,
    /// Current addressee while it addresses all, and the end time.
    round: Option<(usize, f64)>,
    /// Delay until it looks at a new speaker, seconds.
    reaction_delay: f64,
}

impl Attending {
    pub fn new(rng: &mut Rng) -> Self {
        Self {
            is_available: true,
            reactions: Vec::new(),
            quiet_until: 0.0,
            is_looking: false,
            at: None,
            next_target: None,
            glance: None,
            next_glance: 0.0,
            round: None,
            reaction_delay: REACTION_DELAY[0]
                + (REACTION_DELAY[1] - REACTION_DELAY[0]) * rng.unit(),
        }
    }
}

/// The desired gaze of a participant.
struct DesiredGaze {
    target: Option<usize>,
    manner: GazeTiming,
    /// Skips the reaction delay.
    at_once: bool,
}

pub(super) fn advance(
    own: &mut Conversation,
    characters: &mut Characters,
    ids: &mut Ids,
    now: f64,
) {
    if !own.plan.options.gaze {
        return end(own, characters);
    }
    for who in 0..own.members.len() {
        let Some(handle) = own.handle(who) else {
            continue;
        };
        if !own.is_available(who) {
            release(own, characters, who);
            continue;
        }
        let desired = desired(own, who, now);
        let (whom, manner) = turn_to(own, who, desired, now);
        let whom = whom.filter(|whom| own.is_available(*whom));
        let other = whom.and_then(|whom| own.handle(whom));
        look_in_talk(characters, ids, handle, other, manner);
        if let Some(member) = own.members.get_mut(who) {
            member.is_looking = true;
        }
    }
}

/// Restores all gazes on a stage that replaces another.
pub(super) fn restore_gazes(own: &Conversation, characters: &mut Characters, ids: &mut Ids) {
    for (who, member) in own.members.iter().enumerate() {
        let looks = member.at.filter(|_| member.is_looking);
        if let (Some((whom, manner)), Some(handle)) = (looks, own.handle(who)) {
            look_in_talk(characters, ids, handle, own.handle(whom), manner);
        }
    }
}

/// Releases all gazes.
pub(super) fn end(own: &mut Conversation, characters: &mut Characters) {
    for who in 0..own.members.len() {
        release(own, characters, who);
    }
}

fn release(own: &mut Conversation, characters: &mut Characters, who: usize) {
    let handle = own.handle(who);
    if let (Some(member), Some(handle)) = (own.members.get_mut(who), handle)
        && std::mem::take(&mut member.is_looking)
    {
        (member.at, member.next_target, member.glance) = (None, None, None);
        end_look_in_talk(characters, handle);
    }
}

fn desired(own: &mut Conversation, who: usize, now: f64) -> DesiredGaze {
    let steady = |whom| DesiredGaze {
        target: whom,
        manner: GazeTiming::STEADY,
        at_once: true,
    };
    let speaks = own.spoken.iter().rev().find(|spoken| {
        let is_speaking = spoken.now.is_some() && spoken.ends.is_none_or(|ends| now < ends);
        spoken.turn.speaker == who && is_speaking
    });
    if let Some(spoken) = speaks {
        let (to, left) = (spoken.to, spoken.ends.map(|ends| ends - now));
        let to = match to {
            Some(to) => Some(to),
            None => round(own, who, now),
        };
        if left.is_some_and(|left| left < HANDOVER_LEAD) {
            let next = next_speaker(own).filter(|next| *next != who && own.is_available(*next));
            return steady(next.or(to));
        }
        return DesiredGaze {
            target: to,
            manner: GazeTiming::SPEAKING,
            at_once: true,
        };
    }
    let speaker = own
        .speaking()
        .map(|spoken| (spoken.turn.speaker, spoken.to));
    let is_silent = own
        .spoken
        .iter()
        .all(|spoken| spoken.ends.is_some_and(|ends| now >= ends));
    if is_silent
        && let Some((left, next)) = soon(own, now)
        && next == who
        && left < OPENING_LEAD
    {
        let to = own.last.map(|(last, _)| last).filter(|last| *last != who);
        if to.is_some() {
            return steady(to);
        }
    }
    let Some((speaker, to)) = speaker.or(own.last) else {
        return steady(None);
    };
    if speaker == who {
        // A speaker who has finished waits for an answer.
        let next = next_speaker(own).filter(|next| *next != who);
        return steady(next.or(to));
    }
    if let Some(other) = glance(own, who, (speaker, to), now) {
        return steady(Some(other));
    }
    DesiredGaze {
        target: Some(speaker),
        manner: GazeTiming::LISTENING,
        at_once: false,
    }
}

/// One participant for a speaker who addresses all.
fn round(own: &mut Conversation, who: usize, now: f64) -> Option<usize> {
    let known = own.members.get(who)?.round;
    if let Some((whom, until)) = known
        && now < until
        && own.is_available(whom)
    {
        return Some(whom);
    }
    let last = known.map(|(whom, _)| whom);
    let others: Vec<usize> = (0..own.members.len())
        .filter(|other| *other != who && own.is_available(*other))
        .collect();
    let fresh: Vec<usize> = others
        .iter()
        .copied()
        .filter(|other| Some(*other) != last)
        .collect();
    let from = if fresh.is_empty() { &others } else { &fresh };
    let chosen = *from.get(own.rng.below(from.len()))?;
    let until = now + own.between(ADDRESS_TIME[0], ADDRESS_TIME[1]);
    own.members.get_mut(who)?.round = Some((chosen, until));
    Some(chosen)
}

/// Target of a listener's glance away from the speaker.
fn glance(
    own: &mut Conversation,
    who: usize,
    (speaker, to): (usize, Option<usize>),
    now: f64,
) -> Option<usize> {
    let member = own.members.get(who)?;
    let (known, next) = (member.glance, member.next_glance);
    if let Some((whom, until)) = known
        && now < until
        && whom != speaker
    {
        return Some(whom);
    }
    if next == 0.0 || now < next {
        if next == 0.0 || known.is_some() {
            let pause = own.between(BETWEEN_GLANCES[0], BETWEEN_GLANCES[1]);
            // The addressee looks away from the speaker less often.
            let factor = if to == Some(who) { 2.0 } else { 1.0 };
            let member = own.members.get_mut(who)?;
            (member.glance, member.next_glance) = (None, now + factor * pause);
        }
        return None;
    }
    let is_third = |whom: &usize| *whom != who && *whom != speaker && own.is_available(*whom);
    let thirds: Vec<usize> = (0..own.members.len()).filter(is_third).collect();
    let to = to.filter(is_third);
    let whom = match to {
        Some(to) => Some(to),
        None => thirds.get(own.rng.below(thirds.len())).copied(),
    };
    let until = now + own.between(GLANCE_TIME[0], GLANCE_TIME[1]);
    let pause = own.between(BETWEEN_GLANCES[0], BETWEEN_GLANCES[1]);
    let member = own.members.get_mut(who)?;
    member.next_glance = until + pause;
    member.glance = whom.map(|whom| (whom, until));
    whom
}

/// Switches the gaze to the desired target, after the reaction delay.
fn turn_to(
    own: &mut Conversation,
    who: usize,
    desired: DesiredGaze,
    now: f64,
) -> (Option<usize>, GazeTiming) {
    let fresh = own.between(REACTION_DELAY[0], REACTION_DELAY[1]);
    let Some(member) = own.members.get_mut(who) else {
        return (None, GazeTiming::STEADY);
    };
    let Some(whom) = desired.target else {
        (member.at, member.next_target) = (None, None);
        return (None, GazeTiming::STEADY);
    };
    let is_same = member.at.is_some_and(|(at, _)| at == whom);
    if is_same || desired.at_once || member.at.is_none() {
        (member.at, member.next_target) = (Some((whom, desired.manner)), None);
        return (Some(whom), desired.manner);
    }
    let from = match member.next_target {
        Some((next_target, from)) if next_target == whom => from,
        _ => now + member.reaction_delay,
    };
    if now >= from {
        (member.at, member.next_target) = (Some((whom, desired.manner)), None);
        member.reaction_delay = fresh;
        return (Some(whom), desired.manner);
    }
    member.next_target = Some((whom, from));
    let (at, manner) = member.at.unwrap_or((whom, desired.manner));
    (Some(at), manner)
}
