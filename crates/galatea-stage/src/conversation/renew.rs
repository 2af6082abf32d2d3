//! Conversations over a save: one that the new script begins again at once, under the same name, goes on where it was.

use std::sync::Arc;

use super::{Coming, Conversation, Conversations, NextStep, StepKind, gaze};
use crate::Characters;
use crate::reload::Reload;

/// Conversations wait until the first tick of the new version, whose main part and acts may begin them again.
pub(crate) fn migrate(reload: &mut Reload<'_>) {
    let Reload { old, new, .. } = reload;
    let all = &mut new.conversations;
    let goes_on = |was: &Conversation| !was.over && was.leaves.is_none();
    let left = std::mem::take(&mut old.conversations.running);
    all.left = left.into_iter().filter(goes_on).collect();
    let mut running = std::mem::take(&mut all.running);
    for own in &mut running {
        all.continue_left(own);
    }
    all.running = running;
    for own in all.left.iter().chain(&all.running) {
        gaze::look_again(own, &mut new.characters, &mut new.ids);
    }
}

impl Conversations {
    /// Has a conversation that begins go on where that of its name was before the save.
    pub(super) fn continue_left(&mut self, new: &mut Conversation) {
        let mut left = self.left.iter();
        let is_it =
            |was: &Conversation| was.plan.key == new.plan.key && was.plan.cast == new.plan.cast;
        if let Some(at) = left.position(is_it) {
            new.continue_from(self.left.remove(at));
        }
    }

    /// Those that nobody began again are over, though what is spoken is spoken to its end.
    pub(super) fn end_left(&mut self, characters: &mut Characters) {
        for mut own in std::mem::take(&mut self.left) {
            gaze::end(&mut own, characters);
        }
    }
}

impl Conversation {
    /// Goes on from where the same conversation of the version before was.
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
        // What a script was still to do is over with that script.
        *self = Self {
            id,
            plan,
            at: at.unwrap_or(0),
            done: at.map(|at| at.saturating_sub(1)),
            next: None,
            later: None,
            holds: false,
            hurries: was.hurries && at.is_none(),
            ..was
        };
    }

    /// The step behind that which was done last: the same as written, the nearest of several; else what comes behind its entry.
    fn place_of(&self, was: &Self, done: usize) -> usize {
        let Some(old) = was.plan.steps.get(done) else {
            return self.plan.steps.len();
        };
        let is_same = |new: &StepKind| match (&old.does, new) {
            (StepKind::Turn(a), StepKind::Turn(b)) => {
                Arc::ptr_eq(a, b) || a.who == b.who && a.text() == b.text()
            }
            (StepKind::Pause(a), StepKind::Pause(b)) => a == b,
            (StepKind::Call(_), StepKind::Call(_)) => true,
            _ => false,
        };
        let steps = self.plan.steps.iter().enumerate();
        let same = steps.filter(|(_, step)| is_same(&step.does));
        let nearest = same.min_by_key(|(i, _)| i.abs_diff(done));
        let behind = || {
            let mut steps = self.plan.steps.iter();
            steps.position(|step| step.number > old.number)
        };
        let found = nearest.map(|(i, _)| i + 1).or_else(behind);
        found.unwrap_or(self.plan.steps.len())
    }
}
