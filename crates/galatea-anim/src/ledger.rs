//! The event ledger: what became of every mark that playing came by, and why. For tests and tools.
//!
//! Callers: `stage` writes one per character, scripts and tools read it. A ring of fixed size, off until
//! asked for: without room nothing is kept and nothing is counted. Recording allocates nothing.

use std::sync::Arc;

use super::{CrossingNames, Interval, MarkEdge};

/// Where a crossing came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CrossingSource {
    /// A state of the character's machine.
    Machine {
        /// Layer index.
        layer: u16,
        /// State index in the layer.
        state: u16,
        /// Number of this playing of the clip in the machine: a state that is entered again plays it
        /// anew while what was played before fades out.
        playing: u64,
    },
    /// An action over the machine, by its id.
    Play(u64),
    /// The clip of a character without a machine.
    Idle,
}

impl CrossingSource {
    /// The word scripts see.
    pub fn word(self) -> &'static str {
        match self {
            Self::Machine { .. } => "machine",
            Self::Play(_) => "play",
            Self::Idle => "idle",
        }
    }
}

/// Why a crossing was not told, or an interval ended before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// Another source of the same blend shows more.
    LighterSource,
    /// It shows less than every listener to it asked for.
    BelowMinWeight,
    /// Its layer or action is set to show nothing.
    LayerWeightZero,
    /// The mask of its layer or action leaves out the bone it speaks of.
    Masked,
    /// It was jumped over by a seek.
    Seek,
    /// It was told to be silent.
    Muted,
    /// Its playing was stopped or interrupted and only fades out.
    Leaving,
    /// Too many crossings in one step.
    Flood,
    /// Its playing was over before the interval was.
    IntervalCut,
    /// Its clip or its script was loaded anew.
    Reloaded,
    /// The feet tell their steps themselves.
    FeetTell,
    /// The character lies as a ragdoll, so that its clips do not show.
    Down,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 12] = [
        Self::LighterSource,
        Self::BelowMinWeight,
        Self::LayerWeightZero,
        Self::Masked,
        Self::Seek,
        Self::Muted,
        Self::Leaving,
        Self::Flood,
        Self::IntervalCut,
        Self::Reloaded,
        Self::FeetTell,
        Self::Down,
    ];

    /// The word scripts see.
    pub fn word(self) -> &'static str {
        match self {
            Self::LighterSource => "lighter_source",
            Self::BelowMinWeight => "below_min_weight",
            Self::LayerWeightZero => "layer_weight_zero",
            Self::Masked => "masked",
            Self::Seek => "seek",
            Self::Muted => "muted",
            Self::Leaving => "leaving",
            Self::Flood => "flood",
            Self::IntervalCut => "interval_cut",
            Self::Reloaded => "reloaded",
            Self::FeetTell => "feet_tell",
            Self::Down => "down",
        }
    }
}

/// What became of a crossing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It was told.
    Fired,
    /// It was not told by rule.
    Suppressed(Reason),
    /// The end of an interval was told before its time.
    Cut(Reason),
}

impl Outcome {
    /// What becomes of an interval's end whose beginning became `begun`: it is told to those who were
    /// told that it began.
    fn as_begun(self, begun: Self) -> Self {
        match (begun, self) {
            (Self::Suppressed(_), _) => begun,
            (_, Self::Suppressed(Reason::LighterSource | Reason::BelowMinWeight)) => Self::Fired,
            (_, own) => own,
        }
    }

    /// The word scripts see.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fired => "fired",
            Self::Suppressed(_) => "suppressed",
            Self::Cut(_) => "cut",
        }
    }

    /// Why, when there is a why.
    pub fn reason(self) -> Option<Reason> {
        match self {
            Self::Fired => None,
            Self::Suppressed(reason) | Self::Cut(reason) => Some(reason),
        }
    }
}

/// One crossing and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerEntry {
    /// Stage seconds.
    pub time: f64,
    /// Clip index.
    pub clip: u32,
    /// Index among the clip's marks.
    pub mark: u32,
    /// Which side of it.
    pub edge: MarkEdge,
    /// How much of the clip showed, 0..=1.
    pub weight: f32,
    /// What played it.
    pub source: CrossingSource,
    /// What became of it.
    pub outcome: Outcome,
    /// How many crossings this stands for: 1, or those left out of a flood.
    pub n: u64,
    /// What it speaks of, where the numbers no longer say so.
    pub names: Option<Arc<CrossingNames>>,
    /// For the end of an interval the entry of its beginning, if that is known.
    pub begun: Option<EntryId>,
}

/// An interval that was begun.
#[derive(Clone, Copy, Debug, PartialEq)]
struct OpenInterval {
    interval: Interval,
    begun: EntryId,
    outcome: Outcome,
}

/// Open intervals that are known at most; of more the oldest are forgotten.
const MOST_OPEN: usize = 1024;

/// How many crossings became what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutcomeCounts {
    /// Told, other than cut.
    pub fired: u64,
    /// Not told, by rule.
    pub suppressed: u64,
    /// Told before their time.
    pub cut: u64,
    /// By [`Reason::ALL`].
    reasons: [u64; Reason::ALL.len()],
}

impl OutcomeCounts {
    /// Crossings suppressed or cut for one reason.
    pub fn of(&self, reason: Reason) -> u64 {
        self.reasons[reason as usize]
    }

    fn add(&mut self, outcome: Outcome, n: u64) {
        let count = match outcome {
            Outcome::Fired => &mut self.fired,
            Outcome::Suppressed(_) => &mut self.suppressed,
            Outcome::Cut(_) => &mut self.cut,
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
            Outcome::Cut(_) => &mut self.cut,
        };
        *count = count.saturating_sub(n);
        if let Some(reason) = outcome.reason() {
            let count = &mut self.reasons[reason as usize];
            *count = count.saturating_sub(n);
        }
    }
}

/// The latest crossings in order, as many as there is room for, and counts of all since it was
/// switched on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    ring: Vec<LedgerEntry>,
    capacity: usize,
    /// Entries recorded since it was switched on.
    n_recorded: u64,
    counts: OutcomeCounts,
    /// Intervals whose ends are still to come, oldest first.
    open: Vec<OpenInterval>,
}

/// Names an entry for [`Ledger::amend`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryId(u64);

impl Ledger {
    /// Makes room for so many entries and switches it on; 0 switches it off. What was kept is forgotten
    /// when the room changes.
    pub fn set_capacity(&mut self, capacity: usize) {
        if capacity != self.capacity {
            *self = Self {
                ring: Vec::with_capacity(capacity),
                capacity,
                open: Vec::with_capacity(capacity.min(MOST_OPEN)),
                ..Self::default()
            };
        }
    }

    /// Entries there is room for; 0 when off.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// True when it keeps what it is told.
    pub fn is_on(&self) -> bool {
        self.capacity > 0
    }

    /// Keeps an entry; the oldest gives way. The end of an `interval` becomes what its beginning became.
    /// `None` when off.
    pub fn record(
        &mut self,
        mut entry: LedgerEntry,
        interval: Option<Interval>,
    ) -> Option<EntryId> {
        if self.capacity == 0 {
            return None;
        }
        let id = self.n_recorded;
        match (interval, entry.edge) {
            (Some(interval), MarkEdge::Begin) => {
                if self.open.len() >= self.capacity.min(MOST_OPEN) {
                    self.open.remove(0);
                }
                self.open.push(OpenInterval {
                    interval,
                    begun: EntryId(id),
                    outcome: entry.outcome,
                });
            }
            (Some(interval), MarkEdge::End) => {
                if let Some(open) = self.close(interval) {
                    entry.begun = Some(open.begun);
                    entry.outcome = entry.outcome.as_begun(open.outcome);
                }
            }
            _ => {}
        }
        self.counts.add(entry.outcome, entry.n);
        if self.ring.len() < self.capacity {
            self.ring.push(entry);
        } else {
            let slot = (id % self.capacity as u64) as usize;
            self.ring[slot] = entry;
        }
        self.n_recorded += 1;
        Some(EntryId(id))
    }

    /// The beginning that an end belongs to. Where the mark was moved by a save it is found by its name.
    fn close(&mut self, interval: Interval) -> Option<OpenInterval> {
        let mut open = self.open.iter();
        let exact = open.position(|open| interval.ends(open.interval));
        let at = exact.or_else(|| {
            let mut open = self.open.iter();
            open.position(|open| interval.ends(open.interval.anywhere()))
        })?;
        Some(self.open.remove(at))
    }

    fn get(&self, id: EntryId) -> Option<&LedgerEntry> {
        self.ring.get(self.slot(id)?)
    }

    /// Where an entry is, if it is still kept.
    fn slot(&self, id: EntryId) -> Option<usize> {
        let age = self.n_recorded.saturating_sub(id.0);
        let is_kept = age > 0 && age <= self.ring.len() as u64;
        is_kept.then(|| (id.0 % self.capacity as u64) as usize)
    }

    /// Puts the end of an interval right after its beginning was amended; `own` is what became of the end
    /// by itself. False for an end whose beginning is not known.
    pub fn amend_end(&mut self, id: EntryId, own: Outcome) -> bool {
        let Some(begun) = self.get(id).and_then(|entry| entry.begun) else {
            return false;
        };
        if let Some(outcome) = self.get(begun).map(|entry| own.as_begun(entry.outcome)) {
            self.amend(id, outcome);
        }
        true
    }

    /// Corrects what became of an entry, if it is still kept.
    pub fn amend(&mut self, id: EntryId, outcome: Outcome) {
        if let Some(open) = self.open.iter_mut().rfind(|open| open.begun == id) {
            open.outcome = outcome;
        }
        let slot = self.slot(id);
        if let Some(entry) = slot.and_then(|slot| self.ring.get_mut(slot)) {
            self.counts.take(entry.outcome, entry.n);
            entry.outcome = outcome;
            self.counts.add(entry.outcome, entry.n);
        }
    }

    /// Gives names to entries whose numbers are about to mean something else; those that have some keep
    /// them.
    pub fn name(&mut self, mut names: impl FnMut(&LedgerEntry) -> Option<Arc<CrossingNames>>) {
        for entry in &mut self.ring {
            if entry.names.is_none() {
                entry.names = names(entry);
            }
        }
    }

    /// A mark was added at a place among those of a clip: entries of those behind it move with them.
    pub fn mark_added(&mut self, clip: u32, at: u32) {
        for entry in self.unnamed(clip) {
            entry.mark += u32::from(entry.mark >= at);
        }
    }

    /// A mark was taken off a clip, see [`Ledger::mark_added`].
    pub fn mark_removed(&mut self, clip: u32, at: u32) {
        for entry in self.unnamed(clip) {
            entry.mark -= u32::from(entry.mark > at);
        }
    }

    fn unnamed(&mut self, clip: u32) -> impl Iterator<Item = &mut LedgerEntry> {
        let entries = self.ring.iter_mut();
        entries.filter(move |entry| entry.clip == clip && entry.names.is_none())
    }

    /// How many entries are kept.
    pub fn len(&self) -> usize {
        self.ring.len()
    }

    /// True when no entry is kept.
    pub fn is_empty(&self) -> bool {
        self.ring.is_empty()
    }

    /// The entries kept, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &LedgerEntry> {
        let full = self.ring.len() == self.capacity && self.capacity > 0;
        let oldest = if full {
            (self.n_recorded % self.capacity as u64) as usize
        } else {
            0
        };
        let (newer, older) = self.ring.split_at(oldest);
        older.iter().chain(newer)
    }

    /// Entries recorded since it was switched on, also those the ring no longer holds.
    pub fn n_recorded(&self) -> u64 {
        self.n_recorded
    }

    /// Counts of all that was recorded since it was switched on, also of what the ring no
    /// longer holds.
    pub fn counts(&self) -> &OutcomeCounts {
        &self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(mark: u32, outcome: Outcome) -> LedgerEntry {
        LedgerEntry {
            time: f64::from(mark),
            clip: 0,
            mark,
            edge: MarkEdge::Point,
            weight: 1.0,
            source: CrossingSource::Play(1),
            outcome,
            n: 1,
            names: None,
            begun: None,
        }
    }

    fn marks(ledger: &Ledger) -> Vec<u32> {
        ledger.iter().map(|entry| entry.mark).collect()
    }

    #[test]
    fn it_keeps_the_latest_in_order_and_counts_all_without_growing() {
        let mut ledger = Ledger::default();
        ledger.set_capacity(4);
        let room = ledger.ring.capacity();
        for i in 0..10 {
            ledger.record(entry(i, Outcome::Fired), None);
            let first = i.saturating_sub(3);
            assert_eq!(marks(&ledger), (first..=i).collect::<Vec<u32>>());
        }
        assert_eq!(ledger.counts().fired, 10);
        assert_eq!(ledger.ring.capacity(), room);
    }

    #[test]
    fn it_keeps_nothing_until_asked() {
        let mut ledger = Ledger::default();
        assert_eq!(ledger.record(entry(0, Outcome::Fired), None), None);
        assert_eq!(ledger.iter().count(), 0);
        assert_eq!(*ledger.counts(), OutcomeCounts::default());
    }

    #[test]
    fn an_entry_amended_is_counted_as_what_it_became() {
        let mut ledger = Ledger::default();
        ledger.set_capacity(2);
        let old = ledger.record(entry(0, Outcome::Fired), None).unwrap();
        let id = ledger.record(entry(1, Outcome::Fired), None).unwrap();
        ledger.amend(id, Outcome::Suppressed(Reason::BelowMinWeight));
        ledger.record(entry(2, Outcome::Cut(Reason::IntervalCut)), None);
        // The first has left the ring.
        ledger.amend(old, Outcome::Suppressed(Reason::Seek));
        let counts = ledger.counts();
        assert_eq!((counts.fired, counts.suppressed, counts.cut), (1, 1, 1));
        assert_eq!(counts.of(Reason::BelowMinWeight), 1);
        assert_eq!(counts.of(Reason::Seek), 0);
        assert_eq!(marks(&ledger), [1, 2]);
    }

    #[test]
    fn entries_follow_their_marks_and_named_ones_stay() {
        let mut ledger = Ledger::default();
        ledger.set_capacity(4);
        for i in 0..4 {
            ledger.record(entry(i, Outcome::Fired), None);
        }
        ledger.mark_added(0, 2);
        ledger.mark_added(7, 0);
        assert_eq!(marks(&ledger), [0, 1, 3, 4]);
        let named = Arc::new(CrossingNames {
            removed: Some(9),
            clip: "clip".into(),
            ..CrossingNames::default()
        });
        ledger.name(|entry| (entry.mark == 1).then(|| named.clone()));
        ledger.mark_removed(0, 1);
        ledger.mark_removed(0, 0);
        assert_eq!(marks(&ledger), [0, 1, 1, 2]);
        let other = Arc::new(CrossingNames::default());
        ledger.name(|entry| (entry.mark < 2).then(|| other.clone()));
        let names: Vec<Option<u64>> = ledger
            .iter()
            .map(|entry| entry.names.as_ref()?.removed.or(Some(0)))
            .collect();
        assert_eq!(names, [Some(0), Some(9), Some(0), None]);
    }

    fn edge(ledger: &mut Ledger, edge: MarkEdge, t: f32, outcome: Outcome) -> EntryId {
        let interval = Interval::new(CrossingSource::Play(1), "clip", "event", Some(t));
        let entry = LedgerEntry {
            edge,
            ..entry(0, outcome)
        };
        ledger.record(entry, Some(interval)).unwrap()
    }

    fn outcomes(ledger: &Ledger) -> Vec<Outcome> {
        ledger.iter().map(|entry| entry.outcome).collect()
    }

    #[test]
    fn an_end_becomes_what_its_own_beginning_became_also_when_that_is_amended_after_it() {
        let (fired, muted) = (Outcome::Fired, Outcome::Suppressed(Reason::Muted));
        let lighter = Outcome::Suppressed(Reason::LighterSource);
        let cut = Outcome::Cut(Reason::IntervalCut);
        let mut ledger = Ledger::default();
        ledger.set_capacity(8);
        edge(&mut ledger, MarkEdge::Begin, 1.0, muted);
        edge(&mut ledger, MarkEdge::Begin, 2.0, fired);
        edge(&mut ledger, MarkEdge::End, 2.0, lighter);
        // A save has moved it: it is found by its name.
        edge(&mut ledger, MarkEdge::End, 3.0, cut);
        assert_eq!(outcomes(&ledger), [muted, fired, fired, muted]);
        let begun = edge(&mut ledger, MarkEdge::Begin, 1.0, lighter);
        let end = edge(&mut ledger, MarkEdge::End, 1.0, cut);
        ledger.amend(begun, fired);
        assert!(ledger.amend_end(end, cut));
        assert_eq!(outcomes(&ledger)[4..], [fired, cut]);
        let alone = edge(&mut ledger, MarkEdge::End, 1.0, cut);
        assert!(!ledger.amend_end(alone, fired));
        let counts = ledger.counts();
        assert_eq!((counts.fired, counts.suppressed, counts.cut), (3, 2, 2));
    }

    #[test]
    fn of_more_open_intervals_than_are_known_the_oldest_are_forgotten_without_growing() {
        let mut ledger = Ledger::default();
        ledger.set_capacity(2 * MOST_OPEN);
        let room = ledger.open.capacity();
        for i in 0..=MOST_OPEN {
            edge(&mut ledger, MarkEdge::Begin, i as f32, Outcome::Fired);
        }
        assert_eq!(
            (ledger.open.len(), ledger.open.capacity()),
            (MOST_OPEN, room)
        );
    }

    #[test]
    fn every_reason_has_its_own_word() {
        let words: std::collections::BTreeSet<_> = Reason::ALL.iter().map(|r| r.word()).collect();
        assert_eq!(words.len(), Reason::ALL.len());
        for (i, reason) in Reason::ALL.iter().enumerate() {
            assert_eq!(*reason as usize, i);
        }
    }
}
