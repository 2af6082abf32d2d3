//! Synchronisation of clips: positions in a cycle counted in foot steps instead of seconds.
//!
//! A [`SyncTrack`] divides a looping clip at its sync events, usually foot steps. A position in *sync space* is one
//! number `p`. Its integer part is the index of the last event; its fraction is the progress to the next one. Clips
//! of different length and rhythm that play at the same `p` put the same foot down at the same moment. These
//! functions never wrap `p`, so clips with different numbers of events stay synchronised. The pattern repeats after
//! the least common multiple ([`period`]).
//! Used by `machine`. Invariants: plain data; no allocation after a track is created; marks that are unsorted,
//! duplicate or outside the clip cause no failure.

use serde::{Deserialize, Serialize};

use super::{Marker, MarkerValue};

/// An event at which clips are synchronised.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SyncEvent {
    /// Seconds from the clip's start; at or beyond the clip's end, it belongs to the next loop.
    pub t: f32,
    /// Kind of event, see [`sync_id`]; only events of the same kind are matched.
    pub id: u16,
}

/// Sync events of one looping clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SyncTrack {
    /// Never empty, ascending, all within one duration from the first.
    events: Vec<SyncEvent>,
    /// Duration in seconds, finite, not negative.
    duration: f32,
}

/// Id of the foot (or anything else) in a mark's field: 1 for `left`, 2 for `right`, 0 without a field. Numbers from
/// 0 to 255 are their own ids. Other strings get a hash, the same in every clip (15-bit FNV).
pub fn sync_id(value: Option<&MarkerValue>) -> u16 {
    match value {
        None => 0,
        Some(MarkerValue::Bool(b)) => u16::from(*b),
        Some(MarkerValue::Number(n)) => n.clamp(0.0, 255.0) as u16,
        Some(MarkerValue::Text(text)) => match text.as_str() {
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

/// Events closer than this fraction of the clip are merged.
const MIN_GAP: f32 = 1e-4;

impl SyncTrack {
    /// Creates a track for a clip without events: one event at its start, so that positions are fractions of the
    /// clip.
    pub fn plain(duration: f32) -> Self {
        Self::new(&[], duration)
    }

    /// Creates a track from the marks named `event` (usually `step`), distinguished by their field `field` (usually
    /// `foot`). `duration` is that of the clip in seconds. Without such marks, the result is that of
    /// [`SyncTrack::plain`].
    pub fn from_markers(marks: &[Marker], event: &str, field: &str, duration: f32) -> Self {
        let events: Vec<SyncEvent> = marks
            .iter()
            .filter(|mark| mark.event == event)
            .map(|mark| SyncEvent {
                t: mark.time,
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

    /// Creates a track of these events, in any order; times beyond the clip wrap to its start.
    ///
    /// Event 0 becomes the one from which the sequence of ids is lowest (left before right). Tracks of clips with the
    /// same pattern therefore agree at every `p`, whichever foot comes first in the file.
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
        let gap = MIN_GAP * duration;
        sorted.dedup_by(|next, kept| next.t - kept.t < gap);
        // A mark at the clip's end is the same as one at its start.
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

    /// Events in ascending order, starting with event 0.
    pub fn events(&self) -> &[SyncEvent] {
        &self.events
    }

    /// Duration of one loop, seconds.
    pub fn duration(&self) -> f32 {
        self.duration
    }

    /// Renumbers the events so that as many as possible have the same id as the event of `leader` with the same
    /// index. For patterns that differ, such as a gallop and a trot; equal patterns agree already.
    pub fn align_to(&mut self, leader: &SyncTrack) {
        let n = self.events.len();
        // A few thousand events are enough for a decision.
        let common = lcm(n, leader.events.len()).min(4096);
        let agreeing = |first: usize| {
            (0..common)
                .filter(|k| {
                    self.events[(first + k) % n].id == leader.events[k % leader.events.len()].id
                })
                .count()
        };
        // Takes the first of the best; `max_by_key` alone would take the last.
        let best = (0..n)
            .rev()
            .max_by_key(|first| agreeing(*first))
            .unwrap_or(0);
        self.begin_with(best);
    }

    /// Converts `p` to seconds of playback over all loops; grows with `p` without a jump. Event 0 of loop 0 is at its
    /// time in the clip.
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

    /// Converts seconds of playback to a position, the inverse of [`SyncTrack::elapsed_at`]; 0 for a clip of zero
    /// length.
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

    /// Clip time at `p`, from 0 to below the duration.
    pub fn time_at(&self, p: f64) -> f64 {
        wrapped(self.elapsed_at(p), self.duration.into())
    }

    /// Position at `t` seconds in the clip, from 0 to below the number of events.
    pub fn pos_at(&self, t: f64) -> f64 {
        wrapped(self.pos_of(t), self.events.len() as f64)
    }

    /// Last event at or before `p`.
    pub fn event_at(&self, p: f64) -> SyncEvent {
        let p = if p.is_finite() { p } else { 0.0 };
        self.events[self.split(p.floor()).1]
    }

    /// Seconds from the last event at or before `p` to the next.
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

    /// Loop and event of an integer position.
    fn split(&self, whole: f64) -> (f64, usize) {
        let n = self.events.len();
        let lap = (whole / n as f64).floor();
        let k = (whole - lap * n as f64) as usize;
        (lap, k.min(n - 1))
    }

    /// Makes this event the first; the events before it move to the next loop. The first stays in the clip.
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

/// Method to compute the position in the clip that is entered from the position in the previous clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncHow {
    /// Matches the same event (the same foot), the nearest of several in the cycle; an event followed by the same one
    /// is preferred. Without such an event, matches the index. Keeps the fraction.
    #[default]
    SameEvent,
    /// Matches the event with the same index, wrapped; keeps the fraction.
    Index,
    /// Matches the fraction of the clip's length, independent of events.
    Fraction,
}

/// Returns the position in `to` that matches `p` in `from`, from 0 to below the number of `to`'s events.
pub fn match_pos(from: &SyncTrack, p: f64, to: &SyncTrack, how: SyncHow) -> f64 {
    let p = if p.is_finite() { p } else { 0.0 };
    let n = to.events.len();
    let (_, k) = from.split(p.floor());
    let u = p - p.floor();
    match how {
        SyncHow::Index => wrapped(p, n as f64),
        SyncHow::Fraction => {
            let fraction = from.time_at(p) / f64::from(from.duration).max(f64::MIN_POSITIVE);
            to.pos_at(fraction * f64::from(to.duration))
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
    /// Sync track of the clip.
    pub track: &'a SyncTrack,
    /// Blend weight; weights that are not positive are ignored.
    pub weight: f32,
    /// Playback speed factor; its sign is ignored.
    pub speed: f32,
}

/// Rule for the pace of a blend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncSpeedRule {
    /// Weighted mean of the clips' times from event to event.
    #[default]
    Mean,
    /// The heaviest clip leads and the others follow; on a tie, the first one.
    Heaviest,
}

/// Events per second of a blend just after `p`; 0 without positive weights or if all clips have zero length.
pub fn rate<'a>(inputs: impl Iterator<Item = SyncInput<'a>>, pace: SyncSpeedRule, p: f64) -> f64 {
    let (mut seconds, mut weights) = (0.0, 0.0);
    for input in inputs {
        let weight = f64::from(input.weight);
        if weight.is_nan() || weight <= 0.0 {
            continue;
        }
        let own = input.track.segment_at(p) / f64::from(input.speed).abs();
        match pace {
            SyncSpeedRule::Mean => {
                seconds += weight * own;
                weights += weight;
            }
            SyncSpeedRule::Heaviest if weight > weights => {
                (seconds, weights) = (weight * own, weight)
            }
            SyncSpeedRule::Heaviest => {}
        }
    }
    let rate = weights / seconds;
    if rate.is_finite() { rate } else { 0.0 }
}

/// Maximum number of events in one step; beyond it, the pace of the last one is kept.
const MAX_EVENTS: u32 = 256;

/// Advances `p` by `seconds` (negative: backwards), at the pace of each event in turn. Many small steps therefore
/// lead to the same position as one large step. A step over hundreds of events keeps the pace of the last.
pub fn advance<'a>(
    inputs: impl Iterator<Item = SyncInput<'a>> + Clone,
    pace: SyncSpeedRule,
    p: f64,
    seconds: f64,
) -> f64 {
    if !(p.is_finite() && seconds.is_finite()) {
        return if p.is_finite() { p } else { 0.0 };
    }
    let (mut p, mut left) = (p, seconds.abs());
    let back = seconds < 0.0;
    for passed in 0..=MAX_EVENTS {
        // Backwards from an event, the segment before it plays.
        let (within, edge) = if back {
            let edge = p.ceil() - 1.0;
            (edge, edge)
        } else {
            (p, p.floor() + 1.0)
        };
        let rate = rate(inputs.clone(), pace, within);
        let to_edge = (edge - p).abs();
        if rate * left < to_edge || passed == MAX_EVENTS {
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

/// Number of events after which all tracks with these event counts are at their start again: the least common
/// multiple, 1 for no tracks. `p` can be wrapped by it.
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

/// `rem_euclid` that never rounds up to `length` itself; 0 if `length` is not positive.
fn wrapped(value: f64, length: f64) -> f64 {
    if length <= 0.0 || !value.is_finite() {
        return 0.0;
    }
    let rest = value.rem_euclid(length);
    if rest < length { rest } else { 0.0 }
}

#[cfg(test)]
mod tests;
