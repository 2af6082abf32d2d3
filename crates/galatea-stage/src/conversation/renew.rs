//! Conversations over a hot reload: a conversation that the new script starts again at once, with the same key, continues.

use std::sync::Arc;

use super::{Coming, Conversation, Conversations, NextStep, StepKind, gaze};
use crate::Characters;
use crate::reload::Reload;

/// Keeps conversations until the first tick of the new script, in which it may start them again.
pub(crate) fn migrate(reload: &mut Reload<'_>) {
    let Reload { old, new, .. } = reload;
    let all = &mut new.conversations;
    let goes_on = |was: &Conversation| !was.over && was.end_reason.is_none();
    let left = std::mem::take(&mut old.conversations.running);
    all.left = left.into_iter().filter(goes_on).collect();
    let mut running = std::mem::take(&mut all.running);
    for own in &mut running {
        all.continue_left(own);
    }
    all.running = running;
    for own in all.left.iter().chain(&all.running) {
        gaze::restore_gazes(own, &mut new.characters, &mut new.ids);
    }
}

impl Conversations {
    /// Continues the conversation of the same key from before the reload.
    pub(super) fn continue_left(&mut self, new: &mut Conversation) {
        let mut left = self.left.iter();
        let is_it =
            |was: &Conversation| was.plan.key == new.plan.key && was.plan.cast == new.plan.cast;
        if let Some(at) = left.position(is_it) {
            new.continue_from(self.left.remove(at));
        }
    }

    /// Ends the conversations that were not started again. Active lines are spoken to their end.
    pub(super) fn end_left(&mut self, characters: &mut Characters) {
        for mut own in std::mem::take(&mut self.left) {
            gaze::end(&mut own, characters);
        }
    }
}

impl Conversation {
    /// Continues from the progress of the same conversation before the reload.
    fn continue_from(&mut self, mut was: Self) {
        let at = was.done.map(|done| self.place_of(&was, done));
        let plan = self.plan.clone();
        let id = self.id;
        if let Some(NextStep {
            what: Coming::Turn(turn),
            step: None,
            ..
        }) = was.next.take()
        {
            was.inserted.push_front(turn);
        }
        // Pending work of the old script is dropped.
        *self = Self {
            id,
            plan,
            at: at.unwrap_or(0),
            done: at.map(|at| at.saturating_sub(1)),
            next: None,
            later: None,
            holds: false,
            skips_gap: was.skips_gap && at.is_none(),
            ..was
        };
    }

    /// The step after the last one that began: the same text, the nearest of several; else the step after the same entry.
    fn place_of(&self, was: &Self, done: usize) -> usize {
        let Some(old) = was.plan.steps.get(done) else {
            return self.plan.steps.len();
        };
        let is_same = |new: &StepKind| match (&old.action, new) {
            (StepKind::Turn(a), StepKind::Turn(b)) => {
                Arc::ptr_eq(a, b) || a.speaker == b.speaker && a.text() == b.text()
            }
            (StepKind::Pause(a), StepKind::Pause(b)) => a == b,
            (StepKind::Call(_), StepKind::Call(_)) => true,
            _ => false,
        };
        let steps = self.plan.steps.iter().enumerate();
        let same = steps.filter(|(_, step)| is_same(&step.action));
        let nearest = same.min_by_key(|(i, _)| i.abs_diff(done));
        let behind = || {
            let mut steps = self.plan.steps.iter();
            steps.position(|step| step.number > old.number)
        };
        let found = nearest.map(|(i, _)| i + 1).or_else(behind);
        found.unwrap_or(self.plan.steps.len())
    }
}
