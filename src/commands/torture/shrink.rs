//! Reduces a list of actions that causes an error by running it again and again.

use std::time::Instant;

use super::actions::{ActionList, TimedAction, TortureAction};
use super::outcome::TortureFault;
use crate::commands::fewest::fewest;

/// Ticks of a list after its last action or the error.
const TICKS_AFTER: u64 = 60;
/// Maximum gap between two actions, ticks; longer ones are shortened.
const GAP: u64 = 2;

/// Removes actions that are not needed for an error, until `until`. `fails` runs a list and returns the tick of the same
/// error, if it occurs.
pub fn shrink(
    list: &ActionList,
    fault: &TortureFault,
    until: Instant,
    mut fails: impl FnMut(&ActionList) -> Option<u64>,
) -> ActionList {
    let mut best = list.clone();
    best.actions.retain(|action| action.tick <= fault.tick);
    best.n_ticks = best.n_ticks.min(fault.tick.saturating_add(TICKS_AFTER));
    // Some errors occur only after the end of the list, or need the dropped actions.
    if fails(&best).is_none() {
        best = list.clone();
    }
    let mut n_ticks = best.n_ticks;
    best.actions = fewest(
        best.actions,
        || Instant::now() < until,
        |actions| {
            let list = ActionList {
                n_ticks,
                actions: actions.to_vec(),
            };
            let tick = fails(&list);
            if let Some(tick) = tick {
                n_ticks = n_ticks.min(tick.saturating_add(TICKS_AFTER));
            }
            tick.is_some()
        },
    );
    best.n_ticks = n_ticks;
    let sooner = without_gaps(&best);
    match Instant::now() < until && fails(&sooner).is_some() {
        true => sooner,
        false => best,
    }
}

/// The same actions with short gaps.
fn without_gaps(list: &ActionList) -> ActionList {
    let mut before = 0;
    let mut cut = 0;
    let actions: Vec<TimedAction> = list
        .actions
        .iter()
        .enumerate()
        .map(|(i, one)| {
            let gap = one.tick - before;
            before = one.tick;
            if i > 0 {
                cut += gap.saturating_sub(GAP);
            }
            TimedAction {
                tick: one.tick - cut,
                ..one.clone()
            }
        })
        .collect();
    ActionList {
        n_ticks: list.n_ticks.saturating_sub(cut).max(1),
        actions,
    }
}

/// Files that a list changes.
pub fn changed_files(list: &ActionList) -> Vec<String> {
    let named = list.actions.iter().filter_map(|one| match &one.action {
        TortureAction::Change { file, .. } => Some(file.clone()),
        TortureAction::Restore(name) => Some(name.clone()),
        _ => None,
    });
    let mut named: Vec<String> = named.collect();
    named.sort();
    named.dedup();
    named
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_stage::InputEvent;
    use std::time::Duration;

    fn key(tick: u64, name: &str) -> TimedAction {
        TimedAction {
            tick,
            action: TortureAction::Input(InputEvent::Down(name.to_owned())),
        }
    }

    #[test]
    fn of_many_actions_the_two_that_are_needed_stay_and_stand_close_together() {
        let mut actions: Vec<TimedAction> = (100..400).map(|tick| key(tick, "x")).collect();
        actions[40] = key(140, "a");
        actions[230] = key(330, "b");
        let list = ActionList {
            n_ticks: 1000,
            actions,
        };
        let fault = TortureFault {
            kind: "hang".into(),
            text: String::new(),
            tick: 330,
        };
        let (a, b) = (key(0, "a").action, key(0, "b").action);
        let mut n_runs = 0;
        let fails = |list: &ActionList| {
            n_runs += 1;
            let tick = |of: &TortureAction| {
                list.actions
                    .iter()
                    .find(|one| one.action == *of)
                    .map(|one| one.tick)
            };
            tick(&a).zip(tick(&b)).map(|(_, tick)| tick)
        };
        let until = Instant::now() + Duration::from_secs(60);
        let short = shrink(&list, &fault, until, fails);
        assert_eq!(short.actions, [key(140, "a"), key(142, "b")]);
        assert!(short.n_ticks < 300, "{}", short.n_ticks);
        assert!(n_runs < 100, "{n_runs} runs");
    }
}
