//! Keeping step: places in a cycle counted in footfalls instead of seconds.
//!
//! A [`SyncTrack`] divides a looping clip at its sync events, usually footfalls. A place in *sync space*
//! is one number `p`: its whole part says which event was last, its fraction the share of the way to the
//! next. Clips of different length and rhythm that are played at the same `p` put the same foot down at
//! the same moment. `p` is never wrapped by these functions, so that clips with different numbers of
//! events stay together: all is as before after the least common multiple ([`period`]).
//! Callers: `machine`. Invariants: plain data, no allocation after a track is made, nothing fails on
//! marks that are out of order, doubled or outside the clip.

use super::{Mark, MarkValue};

/// A moment at which clips meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SyncEvent {
    /// Seconds from the clip's start; at or beyond the clip's end it lies in the next lap.
    pub t: f32,
    /// What happens, see [`sync_id`]: only the same is laid on the same.
    pub id: u16,
}

/// The sync events of one looping clip.
#[derive(Clone, Debug, PartialEq)]
pub struct SyncTrack {
    /// Never empty, ascending, all within one duration from the first.
    events: Vec<SyncEvent>,
    /// Seconds, finite, not negative.
    duration: f32,
}

/// The number of the foot (or anything else) a mark's field names: 1 for `left`, 2 for `right`, 0
/// without a field; numbers from 0 to 255 are themselves; other texts get a number of their own, the
/// same in every clip (a 15-bit FNV hash).
pub fn sync_id(value: Option<&MarkValue>) -> u16 {
    match value {
        None => 0,
        Some(MarkValue::Bool(b)) => u16::from(*b),
        Some(MarkValue::Number(n)) => n.clamp(0.0, 255.0) as u16,
        Some(MarkValue::Text(text)) => match text.as_str() {
            "left" => 1,
            "right" => 2,
            other => {
                let hash = other.bytes().fold(0x811c_9dc5u32, |hash, byte| {
                    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
                });
                0x8000 | ((hash ^ (hash >> 16)) & 0x7fff) as u16
            }
        },
    }
}

/// Events nearer to one another than this share of the clip are one event.
const LEAST_GAP: f32 = 1e-4;

impl SyncTrack {
    /// A clip without events: one event at its start, so that places are shares of the clip.
    pub fn plain(duration: f32) -> Self {
        Self::new(&[], duration)
    }

    /// The marks named `event` (usually `step`), told apart by their field `field` (usually `foot`), of
    /// a clip of this many seconds. Without such marks the same as [`SyncTrack::plain`].
    pub fn from_marks(marks: &[Mark], event: &str, field: &str, duration: f32) -> Self {
        let events: Vec<SyncEvent> = marks
            .iter()
            .filter(|mark| mark.event == event)
            .map(|mark| SyncEvent {
                t: mark.t,
                id: sync_id(
                    mark.fields
                        .iter()
                        .find(|(name, _)| name == field)
                        .map(|(_, value)| value),
                ),
            })
            .collect();
        Self::new(&events, duration)
    }

    /// A track of these events, in any order; a time beyond the clip counts from its start again.
    ///
    /// Event 0 becomes the one from which the ids read lowest (left before right), so that tracks of
    /// clips with the same pattern agree at every `p`, whichever foot comes first in the file.
    pub fn new(events: &[SyncEvent], duration: f32) -> Self {
        let duration = if duration.is_finite() {
            duration.max(0.0)
        } else {
            0.0
        };
        let mut sorted: Vec<SyncEvent> = Vec::new();
        if duration > 0.0 {
            let inside = events.iter().filter(|event| event.t.is_finite());
            sorted.extend(inside.map(|event| SyncEvent {
                t: wrapped(event.t.into(), duration.into()) as f32,
                id: event.id,
            }));
        }
        sorted.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.id.cmp(&b.id)));
        let gap = LEAST_GAP * duration;
        sorted.dedup_by(|next, kept| next.t - kept.t < gap);
        // A mark at the clip's end is the one at its start.
        while sorted.len() > 1 && sorted[0].t + duration - sorted[sorted.len() - 1].t < gap {
            sorted.pop();
        }
        if sorted.is_empty() {
            sorted.push(SyncEvent { t: 0.0, id: 0 });
        }
        let mut track = Self {
            events: sorted,
            duration,
        };
        let n = track.events.len();
        let ids_from = |first: usize| (0..n).map(move |k| (first + k) % n);
        let least = (0..n)
            .min_by(|a, b| {
                let ids = |first| ids_from(first).map(|k| track.events[k].id);
                ids(*a).cmp(ids(*b))
            })
            .unwrap_or(0);
        track.begin_with(least);
        track
    }

    /// The events, ascending from the one that is event 0.
    pub fn events(&self) -> &[SyncEvent] {
        &self.events
    }

    /// Seconds of one lap.
    pub fn duration(&self) -> f32 {
        self.duration
    }

    /// Numbers the events anew, so that as many as possible have the same id as `leader`'s of the same
    /// number. For patterns that differ, such as a gallop and a trot; equal patterns agree already.
    pub fn align_to(&mut self, leader: &SyncTrack) {
        let n = self.events.len();
        // Beyond some thousands of events more of them decide nothing.
        let common = lcm(n, leader.events.len()).min(4096);
        let agreeing = |first: usize| {
            (0..common)
                .filter(|k| {
                    self.events[(first + k) % n].id == leader.events[k % leader.events.len()].id
                })
                .count()
        };
        // The first of the best: `max_by_key` alone would take the last.
        let best = (0..n)
            .rev()
            .max_by_key(|first| agreeing(*first))
            .unwrap_or(0);
        self.begin_with(best);
    }

    /// Seconds of playing at `p`, over all laps: grows with `p` without a jump. Event 0 of lap 0 is at
    /// its time in the clip.
    pub fn elapsed_at(&self, p: f64) -> f64 {
        let p = if p.is_finite() { p } else { 0.0 };
        let whole = p.floor();
        let (lap, k) = self.split(whole);
        let start = f64::from(self.events[k].t);
        let end = match self.events.get(k + 1) {
            Some(next) => f64::from(next.t),
            None => f64::from(self.events[0].t) + f64::from(self.duration),
        };
        lap * f64::from(self.duration) + start + (p - whole) * (end - start)
    }

    /// The place at which [`SyncTrack::elapsed_at`] is `elapsed`; 0 for a clip without length.
    pub fn pos_of(&self, elapsed: f64) -> f64 {
        let duration = f64::from(self.duration);
        if duration <= 0.0 || !elapsed.is_finite() {
            return 0.0;
        }
        let first = f64::from(self.events[0].t);
        let n = self.events.len();
        let lap = ((elapsed - first) / duration).floor();
        let t = (elapsed - lap * duration).max(first);
        let k = self
            .events
            .partition_point(|event| f64::from(event.t) <= t)
            .max(1)
            - 1;
        let start = f64::from(self.events[k].t);
        let u = (t - start) / self.segment(k);
        lap * n as f64 + k as f64 + u.clamp(0.0, 1.0)
    }

    /// Seconds in the clip at `p`, from 0 up to but without the duration.
    pub fn time_at(&self, p: f64) -> f64 {
        wrapped(self.elapsed_at(p), self.duration.into())
    }

    /// The place at `t` seconds in the clip, from 0 up to but without the number of events.
    pub fn pos_at(&self, t: f64) -> f64 {
        wrapped(self.pos_of(t), self.events.len() as f64)
    }

    /// The event last passed at `p`.
    pub fn event_at(&self, p: f64) -> SyncEvent {
        let p = if p.is_finite() { p } else { 0.0 };
        self.events[self.split(p.floor()).1]
    }

    /// Seconds from the event last passed at `p` to the next.
    pub fn segment_at(&self, p: f64) -> f64 {
        let p = if p.is_finite() { p } else { 0.0 };
        self.segment(self.split(p.floor()).1)
    }

    fn segment(&self, k: usize) -> f64 {
        let start = f64::from(self.events[k].t);
        match self.events.get(k + 1) {
            Some(next) => f64::from(next.t) - start,
            None => f64::from(self.events[0].t) + f64::from(self.duration) - start,
        }
    }

    /// Lap and event of a whole place.
    fn split(&self, whole: f64) -> (f64, usize) {
        let n = self.events.len();
        let lap = (whole / n as f64).floor();
        let k = (whole - lap * n as f64) as usize;
        (lap, k.min(n - 1))
    }

    /// Makes this event the first; those before it move to the next lap. The first stays in the clip.
    fn begin_with(&mut self, first: usize) {
        let duration = self.duration;
        for event in self.events.iter_mut().take(first) {
            event.t += duration;
        }
        self.events.rotate_left(first);
        if self.events[0].t >= duration {
            for event in &mut self.events {
                event.t -= duration;
            }
        }
    }
}

/// How the place for a clip that is entered follows from the clip that is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncHow {
    /// At the same event (the same foot), the nearest of several in the cycle, best one that is followed
    /// by the same too; at the event with the same number where there is none. The share is kept.
    #[default]
    SameEvent,
    /// At the event with the same number, counted round; the share is kept.
    Index,
    /// At the same share of the clip's length, whatever happens there.
    Share,
}

/// The place in `to` that fits `p` in `from`, from 0 up to but without the number of `to`'s events.
pub fn match_pos(from: &SyncTrack, p: f64, to: &SyncTrack, how: SyncHow) -> f64 {
    let p = if p.is_finite() { p } else { 0.0 };
    let n = to.events.len();
    let (_, k) = from.split(p.floor());
    let u = p - p.floor();
    match how {
        SyncHow::Index => wrapped(p, n as f64),
        SyncHow::Share => {
            let share = from.time_at(p) / f64::from(from.duration).max(f64::MIN_POSITIVE);
            to.pos_at(share * f64::from(to.duration))
        }
        SyncHow::SameEvent => {
            let id = from.events[k].id;
            let next = from.events[(k + 1) % from.events.len()].id;
            let expected = k as f64 / from.events.len() as f64 * n as f64;
            let cost = |i: usize| {
                let apart = (i as f64 - expected).abs();
                let apart = apart.min(n as f64 - apart);
                let other_follows = to.events[(i + 1) % n].id != next;
                apart + if other_follows { n as f64 } else { 0.0 }
            };
            (0..n)
                .filter(|i| to.events[*i].id == id)
                .min_by(|a, b| cost(*a).total_cmp(&cost(*b)))
                .map_or_else(|| wrapped(p, n as f64), |i| i as f64 + u)
        }
    }
}

/// A track in a blend.
#[derive(Clone, Copy, Debug)]
pub struct SyncInput<'a> {
    /// Its events.
    pub track: &'a SyncTrack,
    /// How much of it shows; what is not positive is left out.
    pub weight: f32,
    /// Factor on its speed; its sign does not count.
    pub speed: f32,
}

/// Who sets the pace of a blend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// All: from event to event it takes the mean of their times, by weight.
    #[default]
    Mean,
    /// The heaviest leads, the others follow; of equals the first.
    Heaviest,
}

/// Events per second of a blend just after `p`; 0 where nothing shows or no clip has length.
pub fn rate<'a>(inputs: impl Iterator<Item = SyncInput<'a>>, pace: Pace, p: f64) -> f64 {
    let (mut seconds, mut weights) = (0.0, 0.0);
    for input in inputs {
        let weight = f64::from(input.weight);
        if weight.is_nan() || weight <= 0.0 {
            continue;
        }
        let own = input.track.segment_at(p) / f64::from(input.speed).abs();
        match pace {
            Pace::Mean => {
                seconds += weight * own;
                weights += weight;
            }
            Pace::Heaviest if weight > weights => (seconds, weights) = (weight * own, weight),
            Pace::Heaviest => {}
        }
    }
    let rate = weights / seconds;
    if rate.is_finite() { rate } else { 0.0 }
}

/// The most events one step passes; beyond it the pace of the last is kept.
const MOST_EVENTS: u32 = 256;

/// Moves `p` on by `seconds` (negative: back), at the pace of each event in turn, so that many small
/// steps lead to where one large one does. A step that passes hundreds of events keeps the pace of the
/// last.
pub fn advance<'a>(
    inputs: impl Iterator<Item = SyncInput<'a>> + Clone,
    pace: Pace,
    p: f64,
    seconds: f64,
) -> f64 {
    if !(p.is_finite() && seconds.is_finite()) {
        return if p.is_finite() { p } else { 0.0 };
    }
    let (mut p, mut left) = (p, seconds.abs());
    let back = seconds < 0.0;
    for passed in 0..=MOST_EVENTS {
        // Going back from an event, the segment before it is played.
        let (within, edge) = if back {
            let edge = p.ceil() - 1.0;
            (edge, edge)
        } else {
            (p, p.floor() + 1.0)
        };
        let rate = rate(inputs.clone(), pace, within);
        let to_edge = (edge - p).abs();
        if rate * left < to_edge || passed == MOST_EVENTS {
            return if back {
                p - rate * left
            } else {
                p + rate * left
            };
        }
        left -= to_edge / rate;
        p = edge;
    }
    p
}

/// After how many events tracks with these numbers of events are all where they began: their least
/// common multiple, 1 for none. `p` may be wrapped by it.
pub fn period(counts: impl Iterator<Item = usize>) -> usize {
    counts.fold(1, lcm)
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a.max(1), b.max(1));
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a.max(1) / x).saturating_mul(b.max(1))
}

/// `rem_euclid` that never rounds up to `length` itself; 0 where there is no length.
fn wrapped(value: f64, length: f64) -> f64 {
    if length <= 0.0 || !value.is_finite() {
        return 0.0;
    }
    let rest = value.rem_euclid(length);
    if rest < length { rest } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn track(events: &[(f32, u16)], duration: f32) -> SyncTrack {
        let events: Vec<SyncEvent> = events.iter().map(|&(t, id)| SyncEvent { t, id }).collect();
        SyncTrack::new(&events, duration)
    }

    fn any_track() -> impl Strategy<Value = SyncTrack> {
        (
            prop::collection::vec((-1.0f32..2.0, 0u16..3), 0..7),
            0.1f32..4.0,
        )
            .prop_map(|(events, duration)| track(&events, duration))
    }

    fn mark(t: f32, event: &str, foot: Option<&str>) -> Mark {
        let fields = foot.map(|foot| ("foot".to_owned(), MarkValue::Text(foot.into())));
        Mark {
            t,
            event: event.into(),
            fields: fields.into_iter().collect(),
        }
    }

    #[test]
    fn marks_become_events_by_name_and_foot() {
        let marks = [
            mark(0.1, "step", Some("right")),
            mark(0.3, "blink", None),
            mark(0.6, "step", Some("left")),
            mark(0.8, "step", Some("tail")),
            mark(1.0, "step", None),
        ];
        let steps = SyncTrack::from_marks(&marks, "step", "foot", 1.0);
        let ids: Vec<u16> = steps.events().iter().map(|event| event.id).collect();
        let tail = sync_id(Some(&MarkValue::Text("tail".into())));
        assert!(tail >= 0x8000);
        // The mark at the end is at the start, and the one without a foot reads lowest.
        assert_eq!(ids, [0, 2, 1, tail]);
        assert_eq!(steps.events()[0].t, 0.0);
        let none = SyncTrack::from_marks(&marks, "jump", "foot", 1.0);
        assert_eq!(none, SyncTrack::plain(1.0));
        assert_eq!(none.time_at(7.25), 0.25);
    }

    #[test]
    fn the_same_foot_meets_whichever_comes_first_in_the_file() {
        let walk = track(&[(0.0, 1), (0.5, 2)], 1.0);
        let run = track(&[(0.1, 2), (0.4, 1)], 0.6);
        for p in [0.0, 1.0, 5.0, -3.0] {
            assert_eq!(walk.event_at(p).id, run.event_at(p).id);
        }
        assert!((run.time_at(0.0) - 0.4).abs() < 1e-7);
        assert!((run.time_at(1.0) - 0.1).abs() < 1e-7);
        let leader = track(&[(0.0, 1), (0.1, 2), (0.2, 3), (0.3, 4)], 0.4);
        let mut other = track(&[(0.0, 2), (0.1, 3), (0.2, 0), (0.3, 1)], 0.4);
        assert_eq!(other.event_at(0.0).id, 0);
        other.align_to(&leader);
        assert_eq!(
            [0.0, 1.0, 2.0, 3.0].map(|p| other.event_at(p).id),
            [1, 2, 3, 0]
        );
    }

    #[test]
    fn two_strides_and_one_meet_after_the_least_common_multiple() {
        let one = track(&[(0.0, 1), (0.5, 2)], 1.0);
        let three = track(
            &[(0.0, 1), (0.5, 2), (1.0, 1), (1.5, 2), (2.0, 1), (2.5, 2)],
            3.0,
        );
        assert_eq!(period([2usize, 6].into_iter()), 6);
        assert_eq!(period([4usize, 6, 0].into_iter()), 12);
        for k in 0..12 {
            let p = f64::from(k) + 0.3;
            assert_eq!(one.event_at(p).id, three.event_at(p).id);
            assert!((one.time_at(p) - three.time_at(p).rem_euclid(1.0)).abs() < 1e-9);
        }
    }

    #[test]
    fn a_transition_keeps_the_foot_or_the_number_or_the_share() {
        let walk = track(&[(0.0, 1), (0.5, 2)], 1.0);
        let sneak = track(&[(0.0, 0), (0.5, 1), (1.0, 2), (2.0, 1), (3.0, 2)], 4.0);
        let p = match_pos(&walk, 7.25, &sneak, SyncHow::SameEvent);
        assert_eq!(sneak.event_at(p).id, 2);
        assert_eq!(p.fract(), 0.25);
        assert_eq!(match_pos(&walk, 7.25, &sneak, SyncHow::Index), 2.25);
        let share = match_pos(&walk, 7.25, &sneak, SyncHow::Share);
        assert!((sneak.time_at(share) / 4.0 - walk.time_at(7.25)).abs() < 1e-7);
        // No foot in common: by number.
        let plain = SyncTrack::plain(2.0);
        assert_eq!(match_pos(&walk, 1.5, &plain, SyncHow::SameEvent), 0.5);
        // Of two lefts, the one that is followed by a right.
        let limp = track(&[(0.0, 1), (0.3, 1), (0.6, 2)], 1.0);
        assert_eq!(match_pos(&walk, 0.5, &limp, SyncHow::SameEvent), 1.5);
    }

    #[test]
    fn the_heaviest_leads_or_all_share_the_pace() {
        let (walk, run) = (
            track(&[(0.0, 1), (0.6, 2)], 1.0),
            track(&[(0.0, 1), (0.2, 2)], 0.5),
        );
        let inputs = |speed: f32| {
            let input = move |track, weight| SyncInput {
                track,
                weight,
                speed,
            };
            [input(&walk, 3.0), input(&run, 1.0)].into_iter()
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6, "{a} {b}");
        near(rate(inputs(1.0), Pace::Mean, 0.0), 1.0 / 0.5);
        near(rate(inputs(1.0), Pace::Mean, 1.5), 1.0 / 0.375);
        near(rate(inputs(2.0), Pace::Mean, 0.0), 2.0 / 0.5);
        near(rate(inputs(1.0), Pace::Heaviest, 0.0), 1.0 / 0.6);
        assert_eq!(rate(inputs(0.0), Pace::Mean, 0.0), 0.0);
        let still = SyncTrack::plain(0.0);
        let only = [SyncInput {
            track: &still,
            weight: 1.0,
            speed: 1.0,
        }];
        assert_eq!(advance(only.into_iter(), Pace::Mean, 0.5, 1.0), 0.5);
        assert_eq!(advance([].into_iter(), Pace::Mean, 0.5, 1.0), 0.5);
    }

    proptest! {
        #[test]
        fn time_leads_to_its_place_and_back(track in any_track(), lap in -5i32..5, u in 0.0f64..1.0) {
            let t = u * f64::from(track.duration());
            prop_assert!((track.time_at(track.pos_at(t)) - t).abs() < 1e-9);
            let elapsed = t + f64::from(lap) * f64::from(track.duration());
            prop_assert!((track.elapsed_at(track.pos_of(elapsed)) - elapsed).abs() < 1e-9);
            let p = u * track.events().len() as f64 + f64::from(lap);
            // A place is known to within what rounding a time does to it in the shortest segment.
            prop_assert!((track.pos_of(track.elapsed_at(p)) - p).abs() < 1e-9 / 1e-5);
            prop_assert!((0.0..f64::from(track.duration())).contains(&track.time_at(p)));
        }

        #[test]
        fn a_whole_number_is_exactly_its_event(track in any_track(), lap in -3i32..3) {
            for (k, event) in track.events().iter().enumerate() {
                let p = k as f64 + f64::from(lap) * track.events().len() as f64;
                let elapsed = track.elapsed_at(p);
                let exact = f64::from(event.t) + f64::from(lap) * f64::from(track.duration());
                prop_assert_eq!(elapsed, exact);
                prop_assert_eq!(track.event_at(p), *event);
            }
        }

        #[test]
        fn equal_patterns_put_the_same_foot_down_together(
            first in prop::collection::vec((0.02f32..1.0, 0u16..4), 1..7),
            stretch in prop::collection::vec(0.02f32..1.0, 7),
            turn in 0usize..7,
            p in -20.0f64..20.0,
        ) {
            let laid = |gaps: &[(f32, u16)]| {
                let mut t = 0.0;
                let events: Vec<(f32, u16)> = gaps
                    .iter()
                    .map(|&(gap, id)| {
                        t += gap;
                        (t - gap, id)
                    })
                    .collect();
                track(&events, t)
            };
            let mut second: Vec<(f32, u16)> =
                first.iter().zip(&stretch).map(|(a, gap)| (*gap, a.1)).collect();
            let turn = turn % second.len();
            second.rotate_left(turn);
            prop_assert_eq!(laid(&first).event_at(p).id, laid(&second).event_at(p).id);
        }

        #[test]
        fn the_pace_adds_up_to_whole_cycles_in_any_steps(
            tracks in prop::collection::vec((any_track(), 0.1f32..2.0, 0.2f32..3.0), 1..4),
            steps in 1u32..40,
            from in -3i32..3,
        ) {
            let inputs = || tracks.iter().map(|(track, weight, speed)| SyncInput {
                track,
                weight: *weight,
                speed: *speed,
            });
            let n = period(inputs().map(|input| input.track.events().len()));
            prop_assume!(n <= 200);
            let seconds: f64 = (0..n)
                .map(|k| 1.0 / rate(inputs(), Pace::Mean, f64::from(from) + k as f64))
                .sum();
            let start = f64::from(from);
            let end = start + n as f64;
            let once = advance(inputs(), Pace::Mean, start, seconds);
            prop_assert!((once - end).abs() < 1e-6, "{} {}", once, end);
            let mut p = start;
            for _ in 0..steps {
                p = advance(inputs(), Pace::Mean, p, seconds / f64::from(steps));
            }
            prop_assert!((p - end).abs() < 1e-6, "{} {}", p, end);
            let back = advance(inputs(), Pace::Mean, end, -seconds);
            prop_assert!((back - start).abs() < 1e-6, "{} {}", back, start);
        }

        #[test]
        fn no_events_and_no_place_bring_it_down(
            events in prop::collection::vec((any::<f32>(), any::<u16>()), 0..9),
            duration in any::<f32>(),
            p in any::<f64>(),
        ) {
            let track = track(&events, duration);
            prop_assert!(track.time_at(p) >= 0.0);
            prop_assert!(track.pos_at(p) >= 0.0);
            for how in [SyncHow::SameEvent, SyncHow::Index, SyncHow::Share] {
                prop_assert!(match_pos(&track, p, &track, how) >= 0.0);
            }
        }
    }
}
