//! Compares two runs tick by tick.

use std::collections::BTreeMap;

use glam::Vec3;

use super::observe::{Observed, PEAKS, SeenEvent, SeenStates, characters, peak, places};
use super::report::{
    Apart, DiffReport, DifferenceKind, EventDifference, SlideDifference, StateDifference,
};
use galatea_app::Session;

/// Largest difference of the times of two events that count as the same, seconds: less than a tick.
const SAME_TIME: f64 = 0.01;
/// Largest difference of the times of two events that count as one that moved, seconds.
const MOVED_TIME: f64 = 0.5;
/// Smallest difference of slid distances that is reported, metres.
const MIN_SLIDE: f32 = 0.005;

/// Parts of the stage that are compared to the bit.
const EXACT_PARTS: [&str; 3] = ["crowds", "random numbers", "ui"];

/// Distance of two characters of the same name, or of their bones, over time.
#[derive(Default)]
struct Distance {
    /// Time of the first one beyond the tolerance, seconds.
    first: Option<f64>,
    /// Largest distance, metres, its time, and the bone.
    largest: (f32, f64, Option<usize>),
    last: f32,
}

impl Distance {
    /// Takes in a distance. Returns true if it is the first one beyond the tolerance.
    fn take(&mut self, time: f64, distance: f32, bone: Option<usize>, tolerance: f32) -> bool {
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
}

/// Two runs so far, and their differences.
pub struct Comparison {
    tolerance: f32,
    observed: [Observed; 2],
    positions: BTreeMap<String, Distance>,
    poses: BTreeMap<String, Distance>,
    camera: Distance,
    /// Characters that only one of them has, with the time and the run.
    missing: BTreeMap<String, (f64, usize)>,
    /// Parts of the stage without a tolerance that differ, with the time.
    parts: BTreeMap<&'static str, f64>,
    n_ticks: usize,
    has_begun: bool,
}

impl Comparison {
    /// Nothing compared yet. `tolerance`: distance up to which positions count as equal, metres.
    pub fn new(tolerance: f32) -> Self {
        Self {
            tolerance,
            observed: Default::default(),
            positions: BTreeMap::new(),
            poses: BTreeMap::new(),
            camera: Distance::default(),
            missing: BTreeMap::new(),
            parts: BTreeMap::new(),
            n_ticks: 0,
            has_begun: false,
        }
    }

    /// Takes in the tick that both have just ended. Returns true if the pictures begin to differ in it.
    pub fn take(&mut self, sessions: [&mut Session; 2]) -> bool {
        let [a, b] = sessions;
        let tick = self.n_ticks;
        self.observed[0].take(a, tick);
        self.observed[1].take(b, tick);
        self.n_ticks += 1;
        let time = a.stage.unscaled_time();
        let mut begins = false;
        let [in_a, in_b] = [characters(a), characters(b)];
        for (run, (own, other)) in [(&in_a, &in_b), (&in_b, &in_a)].into_iter().enumerate() {
            for name in own.keys().filter(|name| !other.contains_key(*name)) {
                if !self.missing.contains_key(*name) {
                    self.missing.insert((*name).to_owned(), (time, run));
                    begins = true;
                }
            }
        }
        for (name, first) in &in_a {
            let Some(second) = in_b.get(name) else {
                continue;
            };
            let ((at_a, bones_a), (at_b, bones_b)) = (places(first), places(second));
            let distance = at_a.distance(at_b);
            begins |= entry(&mut self.positions, name).take(time, distance, None, self.tolerance);
            let scale = first.placement.scale.abs();
            let apart = bones_a.zip(bones_b).map(|(a, b)| a.distance(b) * scale);
            let widest = apart.enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
            if let Some((bone, distance)) = widest {
                let poses = entry(&mut self.poses, name);
                begins |= poses.take(time, distance, Some(bone), self.tolerance);
            }
        }
        let sums = [a.stage.checksum(), b.stage.checksum()];
        for part in sums[0].differences(&sums[1]) {
            if EXACT_PARTS.contains(&part) {
                self.parts.entry(part).or_insert(time);
            }
        }
        let [eye_a, eye_b]: [Vec3; 2] = [a, b].map(|run| run.stage.camera.camera(1.0).eye);
        begins |= self
            .camera
            .take(time, eye_a.distance(eye_b), None, self.tolerance);
        begins && !std::mem::replace(&mut self.has_begun, true)
    }

    /// The differences.
    pub fn finish(self, sessions: [&mut Session; 2]) -> DiffReport {
        let [a, b] = sessions;
        let mut report = DiffReport::of(self.n_ticks as f64 / 60.0, self.tolerance);
        for (name, (time, run)) in &self.missing {
            let kind = DifferenceKind::OnlyIn(["A", "B"][*run]);
            report.add(name, *time, kind);
        }
        let [first, second] = &self.observed;
        for (name, states) in &first.states {
            if let Some(others) = second.states.get(name) {
                for (time, difference) in state_differences(states, others) {
                    report.add(name, time, DifferenceKind::State(difference));
                }
            }
        }
        for (time, name, difference) in event_differences(&first.events, &second.events) {
            report.add(&name, time, DifferenceKind::Events(difference));
        }
        for (name, distance) in &self.positions {
            if let Some(apart) = apart(distance, None) {
                report.add(name, apart.from, DifferenceKind::Position(apart));
            }
        }
        let in_a = characters(a);
        for (name, distance) in &self.poses {
            let bone = distance.largest.2.and_then(|bone| {
                let skeleton = &in_a.get(name.as_str())?.definition.model.skeleton;
                Some(skeleton.bones().get(bone)?.name.clone())
            });
            if let Some(apart) = apart(distance, bone) {
                report.add(name, apart.from, DifferenceKind::Pose(apart));
            }
        }
        for (name, slides) in &first.slides {
            if let Some((time, slide)) = second
                .slides
                .get(name)
                .and_then(|others| slide_difference(slides, others))
            {
                report.add(name, time, DifferenceKind::FootSlide(slide));
            }
        }
        let in_b = characters(b);
        for (name, one) in &in_a {
            let Some(other) = in_b.get(name) else {
                continue;
            };
            for (meter, unit, least) in PEAKS {
                let peaks = [one, other].map(|character| peak(character, meter));
                if (peaks[0].abs() - peaks[1].abs()).abs() > least {
                    let kind = DifferenceKind::Peak { meter, unit, peaks };
                    report.add(name, self.n_ticks as f64 / 60.0, kind);
                }
            }
        }
        if let Some(apart) = apart(&self.camera, None) {
            report.add("the camera", apart.from, DifferenceKind::Position(apart));
        }
        for (part, time) in &self.parts {
            report.add(part, *time, DifferenceKind::NotTheSame);
        }
        report.errors = [errors(a), errors(b)];
        report.sorted()
    }
}

fn entry<'m>(map: &'m mut BTreeMap<String, Distance>, name: &str) -> &'m mut Distance {
    map.entry(name.to_owned()).or_default()
}

fn apart(distance: &Distance, bone: Option<String>) -> Option<Apart> {
    let (largest, at, _) = distance.largest;
    distance.first.map(|from| Apart {
        from,
        largest,
        at,
        last: distance.last,
        bone,
    })
}

/// Current errors of a session, one line each.
fn errors(session: &Session) -> Vec<String> {
    let all = session.diagnostics.errors();
    all.map(|error| error.to_string()).collect()
}

/// The first difference of each layer, with the total duration.
fn state_differences(a: &SeenStates, b: &SeenStates) -> Vec<(f64, StateDifference)> {
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
fn event_differences(a: &[SeenEvent], b: &[SeenEvent]) -> Vec<(f64, String, EventDifference)> {
    let mut grouped: BTreeMap<(&str, &str), [Vec<f64>; 2]> = BTreeMap::new();
    for (run, events) in [a, b].into_iter().enumerate() {
        for event in events {
            let key = (event.character.as_str(), event.name.as_str());
            grouped.entry(key).or_default()[run].push(event.time);
        }
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

/// The difference of two sums of slid distances, and the time at which it begins.
fn slide_difference(a: &[f32], b: &[f32]) -> Option<(f64, SlideDifference)> {
    let total = [a, b].map(|slides| slides.last().copied().unwrap_or_default());
    let difference = total[1] - total[0];
    if difference.abs() < MIN_SLIDE {
        return None;
    }
    // From a tenth of the final difference on.
    let both = a.iter().zip(b);
    let begins = both
        .enumerate()
        .find(|(_, (a, b))| (*b - *a) * difference.signum() > 0.1 * difference.abs());
    let tick = begins.map_or(0, |(tick, _)| tick);
    Some((tick as f64 / 60.0, SlideDifference { total }))
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
        let a = vec![0.0; 300];
        let b: Vec<f32> = (0..300)
            .map(|i| if i < 192 { 0.0 } else { 0.018 })
            .collect();
        let (time, slide) = slide_difference(&a, &b).unwrap();
        assert!((time - 3.2).abs() < 1e-9, "{time}");
        assert_eq!(slide.total, [0.0, 0.018]);
        assert!(slide_difference(&a, &a).is_none());
    }
}
