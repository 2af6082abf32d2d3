//! Turn-taking: turns, gaps, overlaps, interruptions, pauses, and calls of the script.

use std::sync::Arc;

use super::{Addressed, Coming, Conversation, ConversationTurn, NextStep, SpokenTurn, StepKind};
use crate::Speech;
use crate::event::{ConversationEnd, ConversationEventKind};
use crate::talk::TalkContext;
use galatea_character::EndReason;
use galatea_speech::line::CutPoint;

/// Overlap of an interruption, seconds: the interrupted speaker continues for this long.
const OVERLAP_TIME: f64 = 0.15;
/// Time before the first sound at which the next speaker prepares, seconds. Speakers breathe in about half a second before
/// (Torreira, Bögels and Levinson 2015).
const PREPARATION_TIME: f64 = 0.35;
/// Maximum number of steps of one conversation in one tick.
const MAX_STEPS_PER_TICK: usize = 64;

pub(super) fn advance(own: &mut Conversation, talk: &mut TalkContext<'_>) {
    follow(own, talk);
    let n_there = own
        .members
        .iter()
        .filter(|member| member.is_available)
        .count();
    if n_there < 2 && own.end_reason.is_none() {
        own.leave(talk.speech, ConversationEnd::Unavailable, CutPoint::Now);
    }
    if own.end_reason.is_none() && !own.holds {
        take_turns(own, talk);
    }
    let is_at_end = own
        .next
        .as_ref()
        .is_some_and(|next| matches!(next.what, Coming::End));
    let why = own.end_reason.or(is_at_end.then_some(ConversationEnd::End));
    if let (Some(why), true) = (why, own.spoken.is_empty()) {
        own.over = true;
        let who = own.last.map_or(0, |(who, _)| who);
        own.emit(
            talk.events,
            who,
            talk.clock.time(),
            ConversationEventKind::End(why),
        );
    }
}

/// Updates the progress of the turns in progress.
fn follow(own: &mut Conversation, talk: &mut TalkContext<'_>) {
    let mut spoken = std::mem::take(&mut own.spoken);
    for one in &mut spoken {
        if !own.is_available(one.turn.speaker) {
            cut_now(talk.speech, one.lines.iter().copied());
        }
        let reason = forget_over(own, one, talk.speech);
        follow_line(own, one, talk);
        if let (Some(reason), true) = (reason, one.lines.is_empty()) {
            end_turn(own, one, reason, talk);
        }
    }
    spoken.retain(|one| !one.lines.is_empty());
    spoken.append(&mut own.spoken);
    own.spoken = spoken;
}

fn cut_now(speech: &mut Speech, lines: impl Iterator<Item = u64>) {
    for id in lines {
        if let Some(line) = speech.line_mut(id) {
            line.cut(CutPoint::Now);
        }
    }
}

/// Removes finished lines. Returns the end reason of the last one.
fn forget_over(
    own: &mut Conversation,
    one: &mut SpokenTurn,
    speech: &mut Speech,
) -> Option<&'static str> {
    let who = one.turn.speaker;
    let mut reason = None;
    while let Some(&id) = one.lines.first() {
        if speech.line(id).is_some() {
            break;
        }
        one.lines.remove(0);
        let over = speech.over.iter().rev().find(|over| over.id == id);
        reason = Some(match over.map(|over| (over.reason, over.t)) {
            Some((EndReason::End, _)) => "end",
            // Its last sound was over before.
            Some(_) if one.finished => "end",
            Some((_, t)) => {
                own.cut.retain(|(whose, _)| *whose != who);
                own.cut.push((who, id));
                if let Some((begun, ..)) = &one.now {
                    one.ends = Some(begun + f64::from(t));
                }
                // The lines queued behind it are dropped.
                cut_now(speech, one.lines.drain(..));
                "interrupted"
            }
            None => "unavailable",
        });
    }
    reason
}

/// Updates the progress of the spoken line, and emits the events for the start and the end of the turn.
fn follow_line(own: &Conversation, one: &mut SpokenTurn, talk: &mut TalkContext<'_>) {
    let who = one.turn.speaker;
    let line = one.lines.first().and_then(|id| talk.speech.line(*id));
    let Some(line) = line else { return };
    let Some(begun) = line.begun else { return };
    let is_new = one
        .now
        .as_ref()
        .is_none_or(|(known, ..)| (known - begun).abs() > 1e-6);
    let spoken = line.saying.line.clone();
    if is_new {
        // Phrases before the start position of a resumed line were answered already.
        let n = spoken.cuts.partition_point(|cut| *cut < line.from + 0.01);
        (one.n_phrases_passed, one.n_questions) = (n, n);
    }
    let until = line.stop_at.unwrap_or(f32::MAX).min(spoken.voiced().1);
    one.ends = (one.lines.len() == 1).then_some(begun + f64::from(until));
    one.now = Some((begun, spoken.clone(), line.t));
    let is_cut = until < spoken.voiced().1;
    let from = begun + f64::from(line.from);
    let taken = || own.taken(&one.turn, one.to);
    if !std::mem::replace(&mut one.start_emitted, true) {
        own.emit(
            talk.events,
            who,
            from,
            ConversationEventKind::Turn(taken(), spoken),
        );
    }
    // Silence after the last sound does not belong to the turn.
    let ends = one
        .ends
        .filter(|ends| *ends <= talk.clock.time() && !is_cut);
    if let (Some(ends), false) = (ends, one.finished) {
        one.finished = true;
        own.emit(
            talk.events,
            who,
            ends,
            ConversationEventKind::TurnEnd(taken(), "end"),
        );
    }
}

/// Ends a turn without lines, and emits its end event if that was not done after its last sound.
fn end_turn(
    own: &mut Conversation,
    one: &SpokenTurn,
    reason: &'static str,
    talk: &mut TalkContext<'_>,
) {
    let (who, now) = (one.turn.speaker, talk.clock.time());
    own.ended_at = own.ended_at.max(one.ends.unwrap_or(now));
    if !one.finished {
        let reason = if own.is_available(who) {
            reason
        } else {
            "unavailable"
        };
        let taken = own.taken(&one.turn, one.to);
        own.emit(
            talk.events,
            who,
            now,
            ConversationEventKind::TurnEnd(taken, reason),
        );
    }
}

fn take_turns(own: &mut Conversation, talk: &mut TalkContext<'_>) {
    let (now, dt) = (talk.clock.time(), talk.clock.dt);
    for _ in 0..MAX_STEPS_PER_TICK {
        let next = match own.next.take() {
            Some(next) => next,
            None => fetch(own),
        };
        own.next = Some(next.clone());
        let Some(due) = due(own, &next, now) else {
            return;
        };
        if let (Coming::Turn(turn), false) = (&next.what, next.prepared)
            && now + PREPARATION_TIME >= due
        {
            let who = turn.speaker;
            if let Some(next) = &mut own.next {
                next.prepared = true;
            }
            super::reactions::get_is_ready(own, talk, who);
        }
        if now + 0.5 * dt < due {
            return;
        }
        own.next = None;
        own.done = next.step.or(own.done);
        match next.what {
            Coming::Turn(turn) => begin(own, talk, turn),
            Coming::Pause(_) => own.ended_at = due,
            Coming::Call(function) => {
                own.ended_at = own.ended_at.max(now);
                let who = own.last.map_or(0, |(who, _)| who);
                own.emit(
                    talk.events,
                    who,
                    now + dt,
                    ConversationEventKind::Call(function),
                );
                // Continues after the script has been called.
                return;
            }
            Coming::End => {
                own.next = Some(next);
                return;
            }
        }
    }
}

/// Determines the next step.
fn fetch(own: &mut Conversation) -> NextStep {
    let next = |what, step, gap| NextStep {
        what,
        step,
        gap,
        prepared: false,
    };
    if let Some(mut turn) = own.inserted.pop_front() {
        let gap = gap_of(own, &turn);
        // The default interruption point is the current position of the line.
        if let Some((_, _, t)) = own.speaking().and_then(|spoken| spoken.now.as_ref())
            && let Some(breaks) = &mut Arc::make_mut(&mut turn).interrupt
        {
            breaks.after.get_or_insert(*t);
        }
        return next(Coming::Turn(turn), None, gap);
    }
    if let Some(later) = own.later.take() {
        return NextStep {
            prepared: false,
            ..later
        };
    }
    let plan = own.plan.clone();
    // Steps only jump forward, so the loop terminates.
    while let Some(step) = plan.steps.get(own.at) {
        let at = own.at;
        own.at += 1;
        if step.chance < 1.0 && !own.is_likely(step.chance) {
            continue;
        }
        match &step.action {
            StepKind::Go(to) => own.at = (*to).max(own.at),
            StepKind::Choose(branches) => {
                let whole: f32 = branches.iter().map(|(weight, _)| weight).sum();
                let mut left = own.rng.unit() as f32 * whole;
                let chosen = branches.iter().find(|(weight, _)| {
                    left -= weight;
                    left < 0.0
                });
                let chosen = chosen.or(branches.iter().rfind(|(weight, _)| *weight > 0.0));
                own.at = chosen.map_or(own.at, |(_, to)| (*to).max(own.at));
            }
            StepKind::Turn(turn) => {
                let gap = gap_of(own, turn);
                return next(Coming::Turn(turn.clone()), Some(at), gap);
            }
            StepKind::Pause(seconds) => return next(Coming::Pause(*seconds), Some(at), 0.0),
            StepKind::Call(function) => return next(Coming::Call(*function), Some(at), 0.0),
        }
    }
    next(Coming::End, None, 0.0)
}

fn gap_of(own: &mut Conversation, turn: &ConversationTurn) -> f32 {
    let drawn = (own.rng.unit() + own.rng.unit()) as f32;
    // The mean of the drawn gaps is the option's value.
    turn.gap
        .unwrap_or(own.plan.options.gap * (0.4 + 0.6 * drawn))
}

/// Stage time of the next step; `None` while it is not known.
fn due(own: &Conversation, next: &NextStep, now: f64) -> Option<f64> {
    if let Coming::Turn(turn) = &next.what {
        if own.skips_gap && own.spoken.is_empty() {
            return Some(now);
        }
        if let Some((breaks, spoken)) = turn.interrupt.zip(own.spoken.last()) {
            let (begun, line, _) = spoken.now.as_ref()?;
            let cut = line.broken_at(breaks.how, breaks.after);
            let lead = match breaks.how {
                CutPoint::Now => 0.0,
                _ => turn
                    .gap
                    .map_or(OVERLAP_TIME, |gap| f64::from(-gap).max(0.0)),
            };
            return Some(begun + f64::from(cut) - lead);
        }
    }
    let mut end = own.ended_at;
    for spoken in &own.spoken {
        end = end.max(spoken.ends?);
    }
    match &next.what {
        Coming::End => own.spoken.is_empty().then_some(end),
        Coming::Call(_) => Some(end),
        Coming::Pause(seconds) => Some(end + f64::from(*seconds)),
        Coming::Turn(turn) => {
            let saying = turn.saying.as_ref();
            let onset = saying.map_or(0.0, |saying| saying.line.voiced().0);
            Some(end + f64::from(next.gap - onset))
        }
    }
}

fn begin(own: &mut Conversation, talk: &mut TalkContext<'_>, turn: Arc<ConversationTurn>) {
    let who = turn.speaker;
    own.skips_gap = false;
    let to = addressed(own, &turn);
    let Some(handle) = own.handle(who).filter(|_| own.is_available(who)) else {
        let taken = own.taken(&turn, to);
        own.emit(
            talk.events,
            who,
            talk.clock.time(),
            ConversationEventKind::TurnEnd(taken, "unavailable"),
        );
        return;
    };
    if let Some(breaks) = turn.interrupt {
        break_in(own, talk, who, &breaks);
    }
    let mut lines = Vec::new();
    if let Some(saying) = &turn.saying {
        lines.extend(talk.speech.say(talk.ids, handle, saying.clone(), 0.0));
    }
    if turn.resume
        && let Some(at) = own.cut.iter().rposition(|(whose, _)| *whose == who)
    {
        let (_, id) = own.cut.remove(at);
        lines.extend(talk.speech.resume(talk.ids, talk.characters, id, true));
    }
    if lines.is_empty() {
        return;
    }
    own.last = Some((who, to));
    own.spoken.push(SpokenTurn {
        turn,
        to,
        lines,
        now: None,
        ends: None,
        start_emitted: false,
        finished: false,
        n_phrases_passed: 0,
        n_questions: 0,
    });
}

/// Cuts all current speakers.
fn break_in(
    own: &mut Conversation,
    talk: &mut TalkContext<'_>,
    who: usize,
    breaks: &super::Interruption,
) {
    let now = talk.clock.time();
    let mut broken = Vec::new();
    for spoken in &own.spoken {
        let Some((_, line, t)) = &spoken.now else {
            cut_lines(talk.speech, &spoken.lines, None);
            continue;
        };
        let cut = line.broken_at(breaks.how, breaks.after).max(*t);
        cut_lines(talk.speech, &spoken.lines, Some(cut));
        if spoken.turn.speaker != who {
            broken.push((spoken.turn.speaker, now + f64::from(cut - t)));
        }
    }
    for (whom, at) in broken {
        super::reactions::startle(own, whom, at);
    }
}

fn cut_lines(speech: &mut Speech, lines: &[u64], at: Option<f32>) {
    for (i, id) in lines.iter().enumerate() {
        let Some(line) = speech.line_mut(*id) else {
            continue;
        };
        match at {
            Some(at) if i == 0 => line.cut_at(at),
            _ => line.cut(CutPoint::Now),
        }
    }
}

/// Index of a turn's addressee.
fn addressed(own: &Conversation, turn: &ConversationTurn) -> Option<usize> {
    let others = |who: &usize| *who != turn.speaker && own.is_available(*who);
    match turn.to {
        Addressed::One(who) => Some(who),
        Addressed::All => None,
        Addressed::Usual => {
            let before = own
                .last
                .and_then(|(who, to)| if who == turn.speaker { to } else { Some(who) });
            let before = before.filter(others);
            before.or_else(|| next_speaker(own).filter(others))
        }
    }
}

/// The next speaker as far as it is known: the pending step, else the next turn of the plan.
pub(super) fn next_speaker(own: &Conversation) -> Option<usize> {
    if let Some(next) = &own.next {
        return match &next.what {
            Coming::Turn(turn) => Some(turn.speaker),
            _ => None,
        };
    }
    if let Some(turn) = own.inserted.front() {
        return Some(turn.speaker);
    }
    match own.plan.steps.get(own.at).map(|step| &step.action) {
        Some(StepKind::Turn(turn)) => Some(turn.speaker),
        _ => None,
    }
}

/// Time until the next turn in seconds, and its speaker, while nobody speaks.
pub(super) fn soon(own: &Conversation, now: f64) -> Option<(f64, usize)> {
    let next = own.next.as_ref()?;
    match &next.what {
        Coming::Turn(turn) => Some((due(own, next, now)? - now, turn.speaker)),
        _ => None,
    }
}
