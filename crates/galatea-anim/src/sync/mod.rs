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
pub enum SyncPace {
    /// All: from event to event it takes the mean of their times, by weight.
    #[default]
    Mean,
    /// The heaviest leads, the others follow; of equals the first.
    Heaviest,
}

/// Events per second of a blend just after `p`; 0 where nothing shows or no clip has length.
pub fn rate<'a>(inputs: impl Iterator<Item = SyncInput<'a>>, pace: SyncPace, p: f64) -> f64 {
    let (mut seconds, mut weights) = (0.0, 0.0);
    for input in inputs {
        let weight = f64::from(input.weight);
        if weight.is_nan() || weight <= 0.0 {
            continue;
        }
        let own = input.track.segment_at(p) / f64::from(input.speed).abs();
        match pace {
            SyncPace::Mean => {
                seconds += weight * own;
                weights += weight;
            }
            SyncPace::Heaviest if weight > weights => (seconds, weights) = (weight * own, weight),
            SyncPace::Heaviest => {}
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
    pace: SyncPace,
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
mod tests;
