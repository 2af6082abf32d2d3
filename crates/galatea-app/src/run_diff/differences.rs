//! Differences of two recorded runs, by kind.

use std::collections::BTreeMap;

use super::report::{Apart, EventDifference, SlideDifference, StateDifference};
use super::run_log::{PerTick, SeenEvent, SeenStates};

/// Largest difference of the times of two events that count as the same, seconds: less than a tick.
const SAME_TIME: f64 = 0.01;
/// Largest difference of the times of two events that count as one that moved, seconds.
const MOVED_TIME: f64 = 0.5;
/// Smallest difference of slid distances that is reported, metres.
const MIN_SLIDE: f32 = 0.005;

/// Distance of two characters of the same name, or of their bones, over time.
#[derive(Default)]
pub struct Distance {
    /// Time of the first one beyond the tolerance, seconds.
    first: Option<f64>,
    /// Largest distance, metres, its time, and the bone.
    largest: (f32, f64, Option<usize>),
    last: f32,
}

impl Distance {
    /// Takes in a distance. Returns true if it is the first one beyond the tolerance.
    pub fn take(&mut self, time: f64, distance: f32, bone: Option<usize>, tolerance: f32) -> bool {
        self.last = distance;
        if distance > self.largest.0 {
            self.largest = (distance, time, bone);
        }
        let begins = distance > tolerance && self.first.is_none();
        if begins {
            self.first = Some(time);
        }
        begins
    }

    /// The bone with the largest distance.
    pub fn bone(&self) -> Option<usize> {
        self.largest.2
    }

    /// The distances for the report, if one was beyond the tolerance.
    pub fn apart(&self, bone: Option<String>) -> Option<Apart> {
        let (largest, at, _) = self.largest;
        self.first.map(|from| Apart {
            from,
            largest,
            at,
            last: self.last,
            bone,
        })
    }
}

/// The first difference of each layer, with the total duration.
pub fn state_differences(a: &SeenStates, b: &SeenStates) -> Vec<(f64, StateDifference)> {
    let mut found = Vec::new();
    for (layer, one) in a {
        let Some(other) = b.get(layer) else { continue };
        let mut times: Vec<f64> = one.iter().chain(other).map(|(time, _)| *time).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let at = |changes: &[(f64, String)], time: f64| {
            let passed = changes.iter().rev().find(|(from, _)| *from <= time);
            passed.map(|(_, state)| state.clone())
        };
        let mut first = None;
        let mut n = 0;
        let mut was_different = false;
        let mut until = None;
        for &time in &times {
            let states = [at(one, time), at(other, time)];
            let differs = states[0] != states[1];
            if differs && !was_different {
                n += 1;
                first.get_or_insert((time, states));
            }
            if !differs && was_different && n == 1 {
                until = Some(time);
            }
            was_different = differs;
        }
        if let Some((from, [a, b])) = first {
            let difference = StateDifference {
                layer: layer.clone(),
                a,
                b,
                until,
                n,
            };
            found.push((from, difference));
        }
    }
    found
}

/// For each character and name of event: those without a counterpart, and those at another time.
pub fn event_differences<'e>(
    a: impl IntoIterator<Item = &'e SeenEvent>,
    b: impl IntoIterator<Item = &'e SeenEvent>,
) -> Vec<(f64, String, EventDifference)> {
    let mut grouped: BTreeMap<(&str, &str), [Vec<f64>; 2]> = BTreeMap::new();
    let a = a.into_iter().map(|event| (0, event));
    let b = b.into_iter().map(|event| (1, event));
    for (run, event) in a.chain(b) {
        let key = (event.character.as_str(), event.name.as_str());
        grouped.entry(key).or_default()[run].push(event.time);
    }
    let mut found = Vec::new();
    for ((character, name), times) in grouped {
        if let Some((first, difference)) = event_difference(name, times) {
            found.push((first, character.to_owned(), difference));
        }
    }
    found
}

fn event_difference(name: &str, mut times: [Vec<f64>; 2]) -> Option<(f64, EventDifference)> {
    times
        .iter_mut()
        .for_each(|times| times.sort_by(f64::total_cmp));
    let [a, b] = &times;
    let mut difference = EventDifference {
        name: name.to_owned(),
        n: [a.len(), b.len()],
        only_a: Vec::new(),
        only_b: Vec::new(),
        moved: Vec::new(),
    };
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        match (a.get(i), b.get(j)) {
            (Some(&x), Some(&y)) if (x - y).abs() <= MOVED_TIME => {
                if (x - y).abs() > SAME_TIME {
                    difference.moved.push([x, y]);
                }
                i += 1;
                j += 1;
            }
            (Some(&x), Some(&y)) if x < y => {
                difference.only_a.push(x);
                i += 1;
            }
            (Some(&x), None) => {
                difference.only_a.push(x);
                i += 1;
            }
            (_, Some(&y)) => {
                difference.only_b.push(y);
                j += 1;
            }
            (None, None) => break,
        }
    }
    let firsts = [&difference.only_a, &difference.only_b].map(|times| times.first().copied());
    let moved = difference.moved.first().map(|[a, b]| a.min(*b));
    let first = firsts.into_iter().chain([moved]).flatten();
    let first = first.min_by(f64::total_cmp)?;
    Some((first, difference))
}

/// The difference of the distances slid after tick `from`, until tick `to` of unscaled time, and the time in seconds at which
/// it begins; `dt` is the duration of a tick in seconds.
pub fn slide_difference(
    slides: [&PerTick<f32>; 2],
    [from, to]: [u64; 2],
    dt: f64,
) -> Option<(f64, SlideDifference)> {
    let slid = |run: usize, n_ticks: u64| {
        let before = slides[run].get(from).copied().unwrap_or_default();
        slides[run].get(n_ticks).map(|slid| slid - before)
    };
    let total = [0, 1].map(|run| {
        let last = (from..=to).rev().find_map(|n_ticks| slid(run, n_ticks));
        last.unwrap_or_default()
    });
    let difference = total[1] - total[0];
    if difference.abs() < MIN_SLIDE {
        return None;
    }
    // From a tenth of the final difference on.
    let has_begun = |n_ticks: &u64| {
        let both = slid(0, *n_ticks).zip(slid(1, *n_ticks));
        both.is_some_and(|(a, b)| (b - a) * difference.signum() > 0.1 * difference.abs())
    };
    let begins = (from..=to).find(has_begun).unwrap_or(from);
    Some((begins as f64 * dt, SlideDifference { total }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_matched_in_order_and_others_are_listed() {
        let same = event_difference("step", [vec![0.1, 0.6], vec![0.105, 0.6]]);
        assert!(same.is_none());
        let (first, found) =
            event_difference("step", [vec![0.1, 0.6, 3.0], vec![0.1, 0.7]]).unwrap();
        assert_eq!(first, 0.6);
        assert_eq!(found.moved, [[0.6, 0.7]]);
        assert_eq!((found.only_a, found.only_b), (vec![3.0], vec![]));
        let (first, found) = event_difference("hit", [vec![], vec![1.5]]).unwrap();
        assert_eq!((first, found.only_b), (1.5, vec![1.5]));
    }

    #[test]
    fn the_first_interval_with_different_states_is_found() {
        let states = |changes: &[(f64, &str)]| {
            let changes = changes
                .iter()
                .map(|(time, state)| (*time, (*state).to_owned()));
            SeenStates::from([("base".to_owned(), changes.collect())])
        };
        let a = states(&[(0.0, "idle"), (1.0, "walk"), (4.0, "idle")]);
        let b = states(&[(0.0, "idle"), (1.2, "walk"), (5.0, "idle")]);
        assert!(state_differences(&a, &a).is_empty());
        let found = state_differences(&a, &b);
        let [(from, first)] = &found[..] else {
            panic!("one layer: {found:?}");
        };
        assert_eq!((*from, first.until, first.n), (1.0, Some(1.2), 2));
        assert_eq!(first.a.as_deref(), Some("walk"));
        assert_eq!(first.b.as_deref(), Some("idle"));
    }

    #[test]
    fn foot_slide_counts_from_where_it_begins() {
        let track = |slid: fn(u64) -> f32| {
            let mut track = PerTick::default();
            (0..300).for_each(|n| track.push(n, slid(n), 0.0));
            track
        };
        let a = track(|_| 0.5);
        let b = track(|n| if n < 192 { 0.2 } else { 0.218 });
        let dt = 1.0 / 60.0;
        let (time, slide) = slide_difference([&a, &b], [0, 299], dt).unwrap();
        assert!((time - 3.2).abs() < 1e-9, "{time}");
        assert!(slide.total[0] == 0.0 && (slide.total[1] - 0.018).abs() < 1e-6);
        assert!(slide_difference([&a, &a], [0, 299], dt).is_none());
        // What was slid before the interval does not count.
        assert!(slide_difference([&a, &b], [200, 299], dt).is_none());
    }
}
