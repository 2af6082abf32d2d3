//! Event ledger: a log of every mark crossing with its outcome and the reason, for tests and tools.
//!
//! `stage` writes one per character; scripts and tools read it. It is a ring buffer of fixed size, off by default:
//! with capacity 0 it records and counts nothing. Recording does not allocate.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{CrossingNames, Interval, MarkerPhase};

/// Source of a crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CrossingSource {
    /// A state of the character's machine.
    Machine {
        /// Layer index.
        layer: u16,
        /// State index in the layer.
        state: u16,
        /// Number of this playback of the clip in the machine. A state that is entered again plays its clip in a new
        /// playback while the old one fades out.
        playing: u64,
    },
    /// An action over the machine, by its id.
    Play(u64),
    /// The clip of a character without a machine.
    Idle,
}

impl CrossingSource {
    /// Name in scripts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Machine { .. } => "machine",
            Self::Play(_) => "play",
            Self::Idle => "idle",
        }
    }
}

/// Reason why a crossing was suppressed or an interval ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reason {
    /// Another source of the same blend has a higher weight.
    LowerWeight,
    /// The weight is below the minimum of every listener.
    BelowMinWeight,
    /// The layer or action has weight 0.
    LayerWeightZero,
    /// The mask of the layer or action excludes the bone of the mark.
    Masked,
    /// A seek skipped it.
    Seek,
    /// The mark is muted.
    Muted,
    /// The playback was stopped or interrupted and only fades out.
    Leaving,
    /// Too many crossings in one step.
    Flood,
    /// The playback ended before the interval.
    IntervalInterrupted,
    /// The clip or the script was reloaded.
    Reloaded,
    /// Foot step detection reports the steps instead.
    FootIkSteps,
    /// The character is a ragdoll, so its clips are not visible.
    Down,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 12] = [
        Self::LowerWeight,
        Self::BelowMinWeight,
        Self::LayerWeightZero,
        Self::Masked,
        Self::Seek,
        Self::Muted,
        Self::Leaving,
        Self::Flood,
        Self::IntervalInterrupted,
        Self::Reloaded,
        Self::FootIkSteps,
        Self::Down,
    ];

    /// Name in scripts.
    pub fn word(self) -> &'static str {
        match self {
            Self::LowerWeight => "lower_weight",
            Self::BelowMinWeight => "below_min_weight",
            Self::LayerWeightZero => "layer_weight_zero",
            Self::Masked => "masked",
            Self::Seek => "seek",
            Self::Muted => "muted",
            Self::Leaving => "leaving",
            Self::Flood => "flood",
            Self::IntervalInterrupted => "interval_interrupted",
            Self::Reloaded => "reloaded",
            Self::FootIkSteps => "foot_ik_steps",
            Self::Down => "down",
        }
    }
}

/// Outcome of a crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Outcome {
    /// The crossing was reported.
    Fired,
    /// A rule suppressed the crossing.
    Suppressed(Reason),
    /// The end of an interval was reported early.
    Interrupted(Reason),
}

impl Outcome {
    /// Outcome of an interval's end whose beginning had the outcome `begun`: the end is reported exactly if the
    /// beginning was.
    fn as_begun(self, begun: Self) -> Self {
        match (begun, self) {
            (Self::Suppressed(_), _) => begun,
            (_, Self::Suppressed(Reason::LowerWeight | Reason::BelowMinWeight)) => Self::Fired,
            (_, own) => own,
        }
    }

    /// Name in scripts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fired => "fired",
            Self::Suppressed(_) => "suppressed",
            Self::Interrupted(_) => "interrupted",
        }
    }

    /// Reason, if there is one.
    pub fn reason(self) -> Option<Reason> {
        match self {
            Self::Fired => None,
            Self::Suppressed(reason) | Self::Interrupted(reason) => Some(reason),
        }
    }
}

/// A crossing and its outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventLogEntry {
    /// Stage time, seconds.
    pub time: f64,
    /// Clip index.
    pub clip: u32,
    /// Index among the clip's marks.
    pub marker: u32,
    /// Kind of edge.
    pub phase: MarkerPhase,
    /// Blend weight of the clip, 0..=1.
    pub weight: f32,
    /// Source of the crossing.
    pub source: CrossingSource,
    /// Outcome of the crossing.
    pub outcome: Outcome,
    /// Number of crossings in this entry: 1, or the number dropped in a flood.
    pub occurrences: u64,
    /// Names of clip and mark, if the indices are no longer valid.
    #[serde(with = "galatea_persist::shared")]
    pub names: Option<Arc<CrossingNames>>,
    /// For the end of an interval: the entry of its beginning, if known.
    pub beginning: Option<EntryId>,
}

/// An interval that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct OpenInterval {
    interval: Interval,
    beginning: EntryId,
    outcome: Outcome,
}

/// Maximum number of open intervals; beyond it, the oldest are forgotten.
const MAX_OPEN: usize = 1024;

/// Number of crossings per outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeCounts {
    /// Reported, without early ends.
    pub fired: u64,
    /// Suppressed by a rule.
    pub suppressed: u64,
    /// Early ends.
    pub interrupted: u64,
    /// Indexed like [`Reason::ALL`].
    reasons: [u64; Reason::ALL.len()],
}

impl OutcomeCounts {
    /// Returns the number of crossings suppressed or cut for one reason.
    pub fn of(&self, reason: Reason) -> u64 {
        self.reasons[reason as usize]
    }

    fn add(&mut self, outcome: Outcome, n: u64) {
        let count = match outcome {
            Outcome::Fired => &mut self.fired,
            Outcome::Suppressed(_) => &mut self.suppressed,
            Outcome::Interrupted(_) => &mut self.interrupted,
        };
        *count = count.saturating_add(n);
        if let Some(reason) = outcome.reason() {
            let count = &mut self.reasons[reason as usize];
            *count = count.saturating_add(n);
        }
    }

    fn take(&mut self, outcome: Outcome, n: u64) {
        let count = match outcome {
            Outcome::Fired => &mut self.fired,
            Outcome::Suppressed(_) => &mut self.suppressed,
            Outcome::Interrupted(_) => &mut self.interrupted,
        };
        *count = count.saturating_sub(n);
        if let Some(reason) = outcome.reason() {
            let count = &mut self.reasons[reason as usize];
            *count = count.saturating_sub(n);
        }
    }
}

/// The latest crossings in order, up to the capacity, and counts of all crossings since the ledger was switched on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EventLog {
    ring: Vec<EventLogEntry>,
    capacity: usize,
    /// Entries recorded since the ledger was switched on.
    n_recorded: u64,
    counts: OutcomeCounts,
    /// Intervals that have not ended yet, oldest first.
    open: Vec<OpenInterval>,
}

/// Identifies an entry for [`EventLog::amend`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryId(u64);

impl EventLog {
    /// Sets the capacity in entries and switches the ledger on; 0 switches it off. A change of the capacity clears
    /// the ledger.
    pub fn set_capacity(&mut self, capacity: usize) {
        if capacity != self.capacity {
            *self = Self {
                ring: Vec::with_capacity(capacity),
                capacity,
                open: Vec::with_capacity(capacity.min(MAX_OPEN)),
                ..Self::default()
            };
        }
    }

    /// Capacity in entries; 0 when off.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Returns true if the ledger records entries.
    pub fn is_on(&self) -> bool {
        self.capacity > 0
    }

    /// Records an entry and drops the oldest if the ring is full. The end of an `interval` gets the outcome of its
    /// beginning. `None` when off.
    pub fn record(
        &mut self,
        mut entry: EventLogEntry,
        interval: Option<Interval>,
    ) -> Option<EntryId> {
        if self.capacity == 0 {
            return None;
        }
        let id = self.n_recorded;
        match (interval, entry.phase) {
            (Some(interval), MarkerPhase::Begin) => {
                if self.open.len() >= self.capacity.min(MAX_OPEN) {
                    self.open.remove(0);
                }
                self.open.push(OpenInterval {
                    interval,
                    beginning: EntryId(id),
                    outcome: entry.outcome,
                });
            }
            (Some(interval), MarkerPhase::End) => {
                if let Some(open) = self.close(interval) {
                    entry.beginning = Some(open.beginning);
                    entry.outcome = entry.outcome.as_begun(open.outcome);
                }
            }
            _ => {}
        }
        self.counts.add(entry.outcome, entry.occurrences);
        if self.ring.len() < self.capacity {
            self.ring.push(entry);
        } else {
            let slot = (id % self.capacity as u64) as usize;
            self.ring[slot] = entry;
        }
        self.n_recorded += 1;
        Some(EntryId(id))
    }

    /// Removes and returns the open interval of an end. If a hot reload moved the mark, it is found by its name.
    fn close(&mut self, interval: Interval) -> Option<OpenInterval> {
        let mut open = self.open.iter();
        let exact = open.position(|open| interval.ends(open.interval));
        let at = exact.or_else(|| {
            let mut open = self.open.iter();
            open.position(|open| interval.ends(open.interval.anywhere()))
        })?;
        Some(self.open.remove(at))
    }

    fn get(&self, id: EntryId) -> Option<&EventLogEntry> {
        self.ring.get(self.slot(id)?)
    }

    /// Index of an entry in the ring, if it has not been overwritten.
    fn slot(&self, id: EntryId) -> Option<usize> {
        let age = self.n_recorded.saturating_sub(id.0);
        let is_in_ring = age > 0 && age <= self.ring.len() as u64;
        is_in_ring.then(|| (id.0 % self.capacity as u64) as usize)
    }

    /// Corrects the end of an interval after its beginning was amended; `own` is the outcome that the end would have
    /// alone. Returns false for an end without a known beginning.
    pub fn amend_end(&mut self, id: EntryId, own: Outcome) -> bool {
        let Some(begun) = self.get(id).and_then(|entry| entry.beginning) else {
            return false;
        };
        if let Some(outcome) = self.get(begun).map(|entry| own.as_begun(entry.outcome)) {
            self.amend(id, outcome);
        }
        true
    }

    /// Corrects the outcome of an entry, if it has not been overwritten.
    pub fn amend(&mut self, id: EntryId, outcome: Outcome) {
        if let Some(open) = self.open.iter_mut().rfind(|open| open.beginning == id) {
            open.outcome = outcome;
        }
        let slot = self.slot(id);
        if let Some(entry) = slot.and_then(|slot| self.ring.get_mut(slot)) {
            self.counts.take(entry.outcome, entry.occurrences);
            entry.outcome = outcome;
            self.counts.add(entry.outcome, entry.occurrences);
        }
    }

    /// Stores names in entries whose indices are about to become invalid. Entries that have names keep them.
    pub fn name(&mut self, mut names: impl FnMut(&EventLogEntry) -> Option<Arc<CrossingNames>>) {
        for entry in &mut self.ring {
            if entry.names.is_none() {
                entry.names = names(entry);
            }
        }
    }

    /// Updates entries after a mark was inserted on a clip: the indices of later marks move by one.
    pub fn marker_added(&mut self, clip: u32, at: u32) {
        for entry in self.unnamed(clip) {
            entry.marker += u32::from(entry.marker >= at);
        }
    }

    /// Updates entries after a mark was removed from a clip, see [`EventLog::marker_added`].
    pub fn marker_removed(&mut self, clip: u32, at: u32) {
        for entry in self.unnamed(clip) {
            entry.marker -= u32::from(entry.marker > at);
        }
    }

    fn unnamed(&mut self, clip: u32) -> impl Iterator<Item = &mut EventLogEntry> {
        let entries = self.ring.iter_mut();
        entries.filter(move |entry| entry.clip == clip && entry.names.is_none())
    }

    /// Number of entries in the ring.
    pub fn len(&self) -> usize {
        self.ring.len()
    }

    /// Returns true if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.ring.is_empty()
    }

    /// Entries in the ring, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &EventLogEntry> {
        let full = self.ring.len() == self.capacity && self.capacity > 0;
        let oldest = if full {
            (self.n_recorded % self.capacity as u64) as usize
        } else {
            0
        };
        let (newer, older) = self.ring.split_at(oldest);
        older.iter().chain(newer)
    }

    /// Number of entries recorded since the ledger was switched on, including overwritten ones.
    pub fn n_recorded(&self) -> u64 {
        self.n_recorded
    }

    /// Counts since the ledger was switched on, including overwritten entries.
    pub fn counts(&self) -> &OutcomeCounts {
        &self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(mark: u32, outcome: Outcome) -> EventLogEntry {
        EventLogEntry {
            time: f64::from(mark),
            clip: 0,
            marker: mark,
            phase: MarkerPhase::Point,
            weight: 1.0,
            source: CrossingSource::Play(1),
            outcome,
            occurrences: 1,
            names: None,
            beginning: None,
        }
    }

    fn markers(ledger: &EventLog) -> Vec<u32> {
        ledger.iter().map(|entry| entry.marker).collect()
    }

    #[test]
    fn ring_keeps_the_latest_entries_and_counts_all_without_growing() {
        let mut ledger = EventLog::default();
        ledger.set_capacity(4);
        let room = ledger.ring.capacity();
        for i in 0..10 {
            ledger.record(entry(i, Outcome::Fired), None);
            let first = i.saturating_sub(3);
            assert_eq!(markers(&ledger), (first..=i).collect::<Vec<u32>>());
        }
        assert_eq!(ledger.counts().fired, 10);
        assert_eq!(ledger.ring.capacity(), room);
    }

    #[test]
    fn event_log_records_nothing_by_default() {
        let mut ledger = EventLog::default();
        assert_eq!(ledger.record(entry(0, Outcome::Fired), None), None);
        assert_eq!(ledger.iter().count(), 0);
        assert_eq!(*ledger.counts(), OutcomeCounts::default());
    }

    #[test]
    fn amended_entry_changes_the_counts() {
        let mut ledger = EventLog::default();
        ledger.set_capacity(2);
        let old = ledger.record(entry(0, Outcome::Fired), None).unwrap();
        let id = ledger.record(entry(1, Outcome::Fired), None).unwrap();
        ledger.amend(id, Outcome::Suppressed(Reason::BelowMinWeight));
        ledger.record(
            entry(2, Outcome::Interrupted(Reason::IntervalInterrupted)),
            None,
        );
        // The first entry has been overwritten.
        ledger.amend(old, Outcome::Suppressed(Reason::Seek));
        let counts = ledger.counts();
        assert_eq!(
            (counts.fired, counts.suppressed, counts.interrupted),
            (1, 1, 1)
        );
        assert_eq!(counts.of(Reason::BelowMinWeight), 1);
        assert_eq!(counts.of(Reason::Seek), 0);
        assert_eq!(markers(&ledger), [1, 2]);
    }

    #[test]
    fn unnamed_entries_follow_their_markers() {
        let mut ledger = EventLog::default();
        ledger.set_capacity(4);
        for i in 0..4 {
            ledger.record(entry(i, Outcome::Fired), None);
        }
        ledger.marker_added(0, 2);
        ledger.marker_added(7, 0);
        assert_eq!(markers(&ledger), [0, 1, 3, 4]);
        let named = Arc::new(CrossingNames {
            removed: Some(9),
            clip: "clip".into(),
            ..CrossingNames::default()
        });
        ledger.name(|entry| (entry.marker == 1).then(|| named.clone()));
        ledger.marker_removed(0, 1);
        ledger.marker_removed(0, 0);
        assert_eq!(markers(&ledger), [0, 1, 1, 2]);
        let other = Arc::new(CrossingNames::default());
        ledger.name(|entry| (entry.marker < 2).then(|| other.clone()));
        let names: Vec<Option<u64>> = ledger
            .iter()
            .map(|entry| entry.names.as_ref()?.removed.or(Some(0)))
            .collect();
        assert_eq!(names, [Some(0), Some(9), Some(0), None]);
    }

    fn edge(ledger: &mut EventLog, edge: MarkerPhase, t: f32, outcome: Outcome) -> EntryId {
        let interval = Interval::new(CrossingSource::Play(1), "clip", "event", Some(t));
        let entry = EventLogEntry {
            phase: edge,
            ..entry(0, outcome)
        };
        ledger.record(entry, Some(interval)).unwrap()
    }

    fn outcomes(ledger: &EventLog) -> Vec<Outcome> {
        ledger.iter().map(|entry| entry.outcome).collect()
    }

    #[test]
    fn end_gets_the_outcome_of_its_beginning_even_after_amend() {
        let (fired, muted) = (Outcome::Fired, Outcome::Suppressed(Reason::Muted));
        let lighter = Outcome::Suppressed(Reason::LowerWeight);
        let cut = Outcome::Interrupted(Reason::IntervalInterrupted);
        let mut ledger = EventLog::default();
        ledger.set_capacity(8);
        edge(&mut ledger, MarkerPhase::Begin, 1.0, muted);
        edge(&mut ledger, MarkerPhase::Begin, 2.0, fired);
        edge(&mut ledger, MarkerPhase::End, 2.0, lighter);
        // A hot reload has moved it: it is found by its name.
        edge(&mut ledger, MarkerPhase::End, 3.0, cut);
        assert_eq!(outcomes(&ledger), [muted, fired, fired, muted]);
        let begun = edge(&mut ledger, MarkerPhase::Begin, 1.0, lighter);
        let end = edge(&mut ledger, MarkerPhase::End, 1.0, cut);
        ledger.amend(begun, fired);
        assert!(ledger.amend_end(end, cut));
        assert_eq!(outcomes(&ledger)[4..], [fired, cut]);
        let alone = edge(&mut ledger, MarkerPhase::End, 1.0, cut);
        assert!(!ledger.amend_end(alone, fired));
        let counts = ledger.counts();
        assert_eq!(
            (counts.fired, counts.suppressed, counts.interrupted),
            (3, 2, 2)
        );
    }

    #[test]
    fn too_many_open_intervals_drop_the_oldest_without_growing() {
        let mut ledger = EventLog::default();
        ledger.set_capacity(2 * MAX_OPEN);
        let room = ledger.open.capacity();
        for i in 0..=MAX_OPEN {
            edge(&mut ledger, MarkerPhase::Begin, i as f32, Outcome::Fired);
        }
        assert_eq!(
            (ledger.open.len(), ledger.open.capacity()),
            (MAX_OPEN, room)
        );
    }

    #[test]
    fn reasons_have_distinct_names() {
        let words: std::collections::BTreeSet<_> = Reason::ALL.iter().map(|r| r.word()).collect();
        assert_eq!(words.len(), Reason::ALL.len());
        for (i, reason) in Reason::ALL.iter().enumerate() {
            assert_eq!(*reason as usize, i);
        }
    }
}
