//! Copies of the last minutes of a game, so that its past can be displayed.
//!
//! The newest copies are plain and cover every tick. Older ones are further apart and compressed in the background.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use crate::character_history::StageHistory;
use crate::run_diff::{LogMeters, RunLog};
use galatea_asset::{SaveFile, compress_after, decompress_after};
use galatea_guard::contained;
use galatea_script::{Host, SavedGame, SavedTables, Services};
use galatea_stage::Stage;

/// Ticks for which all copies are kept: two seconds.
const RECENT: u64 = 120;
/// Minimum ticks between two older copies: a quarter of a second.
const INTERVAL: u64 = 15;
/// Maximum fraction of the duration of a tick for making copies. Above it, fewer copies are made.
const MAX_LOAD: f64 = 0.05;
/// Weight of the newest measurement in the average cost of a copy.
const SMOOTHING: f64 = 0.1;
/// Maximum number of copies that wait for compression. More are dropped.
const MAX_WAITING: usize = 8;
/// Maximum number of copies that are compressed relative to the same one: ten seconds.
const MAX_AFTER_BASE: usize = 39;
/// Maximum size of all compressed copies, bytes.
const MAX_BYTES: usize = 512 << 20;

/// Copies of a game, oldest first.
pub(super) struct Timeline {
    /// Duration that is kept, ticks.
    max_ticks: u64,
    moments: VecDeque<Moment>,
    packer: Packer,
    /// Bytes of the compressed copies.
    n_bytes: usize,
    /// Average duration of making a copy, seconds.
    cost_s: f64,
    /// Reason why the last copy could not be made or compressed.
    failure: Option<String>,
    /// Record of states, events and positions, tick by tick.
    pub log: RunLog,
    /// Record of the characters, for the studio.
    pub history: StageHistory,
    /// Number of the last event in the log.
    last_event: u64,
    /// Ticks at which the game continued from another moment.
    pub jumps: Vec<u64>,
    /// Model files that were replaced, with the tick.
    pub replaced_models: Vec<(u64, String)>,
    /// The last tick of a replay. Until shortly before it, only the copies are made that are kept.
    last_tick: Option<u64>,
}

/// A copy of the game.
#[derive(Clone)]
struct Moment {
    /// Ticks of unscaled time since the start.
    n_ticks: u64,
    copy: GameCopy,
    /// State of the meters of the log.
    meters: Arc<LogMeters>,
}

impl Moment {
    /// The copy for another timeline, with its own compression.
    fn of_fork(&self) -> Self {
        Self {
            n_ticks: self.n_ticks,
            copy: match &self.copy {
                GameCopy::Plain(game) | GameCopy::Waiting(game) => GameCopy::Plain(game.clone()),
                compressed @ GameCopy::Compressed(_) => compressed.clone(),
            },
            meters: self.meters.clone(),
        }
    }

    /// Size of the compressed copy, bytes.
    fn n_bytes(&self) -> usize {
        match &self.copy {
            GameCopy::Compressed(packed) => packed.bytes.len(),
            GameCopy::Plain(_) | GameCopy::Waiting(_) => 0,
        }
    }
}

#[derive(Clone)]
enum GameCopy {
    Plain(Arc<SavedGame>),
    /// The copy is compressed in the background.
    Waiting(Arc<SavedGame>),
    Compressed(PackedGame),
}

/// A compressed copy.
#[derive(Clone)]
struct PackedGame {
    bytes: Arc<[u8]>,
    /// The copy relative to which this one is compressed; `None` if it is complete.
    base: Option<Arc<[u8]>>,
}

impl PackedGame {
    fn unpack(&self) -> Result<Vec<u8>, String> {
        match &self.base {
            None => Ok(SaveFile::of_bytes(&self.bytes)?.body),
            Some(base) => decompress_after(&SaveFile::of_bytes(base)?.body, &self.bytes),
        }
    }
}

/// The thread that compresses copies. It ends with its timeline.
struct Packer {
    jobs: Sender<(u64, Arc<SavedGame>)>,
    results: Receiver<(u64, Result<PackedGame, String>)>,
    n_waiting: usize,
}

impl Packer {
    fn start() -> Result<Self, String> {
        let (jobs, waiting) = channel::<(u64, Arc<SavedGame>)>();
        let (done, results) = channel();
        let work = move || {
            let mut base = None;
            for (n_ticks, game) in waiting {
                let packed = contained("compressing the past", || compress(&game, &mut base));
                let packed = packed.unwrap_or_else(|caught| Err(caught.notice));
                if done.send((n_ticks, packed)).is_err() {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("timeline".into());
        thread.spawn(work).map_err(|error| error.to_string())?;
        Ok(Self {
            jobs,
            results,
            n_waiting: 0,
        })
    }
}

/// The last copy that was compressed for itself.
struct PackedBase {
    body: Vec<u8>,
    bytes: Arc<[u8]>,
    /// Number of copies that were compressed relative to it.
    n_used: usize,
}

fn compress(game: &SavedGame, base: &mut Option<PackedBase>) -> Result<PackedGame, String> {
    let body = game.encode_for_this_program()?;
    if let Some(base) = base
        && base.n_used < MAX_AFTER_BASE
    {
        base.n_used += 1;
        return Ok(PackedGame {
            bytes: compress_after(&base.body, &body)?.into(),
            base: Some(base.bytes.clone()),
        });
    }
    let file = SaveFile {
        header: Vec::new(),
        body,
    };
    let bytes: Arc<[u8]> = file.to_bytes()?.into();
    *base = Some(PackedBase {
        body: file.body,
        bytes: bytes.clone(),
        n_used: 0,
    });
    Ok(PackedGame { bytes, base: None })
}

impl Timeline {
    /// An empty timeline of up to `max_ticks` ticks.
    ///
    /// # Errors
    /// If the thread that compresses copies cannot be started.
    pub fn new(max_ticks: u64) -> Result<Self, String> {
        Ok(Self {
            max_ticks,
            moments: VecDeque::new(),
            packer: Packer::start()?,
            n_bytes: 0,
            cost_s: 0.0,
            failure: None,
            log: RunLog::default(),
            history: StageHistory::default(),
            last_event: 0,
            jumps: Vec::new(),
            replaced_models: Vec::new(),
            last_tick: None,
        })
    }

    /// A timeline with the same past until `n_ticks`, for a replay until `last_tick` in another VM. `dt` is the duration of a
    /// tick in seconds.
    ///
    /// # Errors
    /// If the thread that compresses copies cannot be started.
    pub fn fork(&self, n_ticks: u64, last_tick: u64, dt: f64) -> Result<Self, String> {
        let mut fork = Self::new(self.max_ticks)?;
        let kept = self.moments.iter();
        fork.moments = kept
            .take_while(|moment| moment.n_ticks <= n_ticks)
            .map(Moment::of_fork)
            .collect();
        fork.n_bytes = fork.moments.iter().map(Moment::n_bytes).sum();
        fork.cost_s = self.cost_s;
        fork.log = self.log.clone();
        fork.log.keep(0, n_ticks, dt);
        fork.history = self.history.clone();
        fork.history.keep(0, n_ticks);
        if let Some(last) = fork.moments.back() {
            fork.log.meters = LogMeters::clone(&last.meters);
        }
        let is_before = |tick: &&u64| **tick <= n_ticks;
        fork.jumps = self.jumps.iter().filter(is_before).copied().collect();
        // Copies after the fork have the present models already.
        let replaced = self.replaced_models.iter();
        fork.replaced_models = replaced
            .map(|(tick, key)| (n_ticks.min(*tick), key.clone()))
            .collect();
        fork.last_tick = Some(last_tick);
        Ok(fork)
    }

    /// Keys of the models that were replaced after tick `n_ticks`.
    pub fn models_replaced_after(&self, n_ticks: u64) -> Vec<String> {
        let later = self.replaced_models.iter();
        let later = later.filter(|(tick, _)| *tick >= n_ticks);
        let keys: BTreeSet<&String> = later.map(|(_, key)| key).collect();
        keys.into_iter().cloned().collect()
    }

    /// Continues as the timeline of the running game after a replay.
    pub fn end_replay(&mut self) {
        self.last_tick = None;
    }

    /// The first tick after `n_ticks` at which the game continued from another moment.
    pub fn jump_after(&self, n_ticks: u64) -> Option<u64> {
        let later = self.jumps.iter().filter(|jump| **jump > n_ticks);
        later.min().copied()
    }

    /// Reason why the last copy could not be made or compressed.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Size of the compressed copies, bytes.
    pub fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    /// Duration that is kept, ticks.
    pub fn max_ticks(&self) -> u64 {
        self.max_ticks
    }

    /// Records the tick that has just ended. Copies the game if a copy is due, and drops or compresses older copies.
    pub fn record(&mut self, stage: &Stage, host: &mut Host) {
        puffin::profile_scope!("record_past");
        self.take_compressed();
        let now = stage.time_control.n_ticks;
        // The unscaled time of a restarted project begins again.
        if self.moments.back().is_some_and(|last| last.n_ticks >= now) {
            self.forget_from(now, stage.clock.dt);
        }
        let events = host.events_since(self.last_event);
        let suppressed = host.take_suppressed_events();
        self.history.take(stage, &events, suppressed);
        self.log.take(stage, events);
        self.last_event = host.n_events();
        let is_replayed = self.last_tick.is_some_and(|last| now + RECENT < last);
        let interval = match is_replayed {
            true => INTERVAL,
            false => (self.cost_s / (MAX_LOAD * stage.clock.dt)).ceil().max(1.0) as u64,
        };
        let is_due = |last: &Moment| now >= last.n_ticks + interval;
        if self.moments.back().is_none_or(is_due) {
            let began = Instant::now();
            let copy = host.copy_game(stage, SavedTables::default());
            self.failure = copy.as_ref().err().cloned();
            self.moments.extend(copy.ok().map(|game| Moment {
                n_ticks: now,
                copy: GameCopy::Plain(Arc::new(game)),
                meters: Arc::new(self.log.meters.clone()),
            }));
            let cost = began.elapsed().as_secs_f64();
            self.cost_s += SMOOTHING * (cost - self.cost_s);
        }
        self.compress_older(now);
        self.drop_oldest(now, stage.clock.dt);
    }

    /// Removes the record from tick `n_ticks` on.
    fn forget_from(&mut self, n_ticks: u64, dt: f64) {
        while let Some(last) = self.moments.pop_back() {
            if last.n_ticks < n_ticks {
                self.moments.push_back(last);
                break;
            }
            self.n_bytes -= last.n_bytes();
        }
        self.log.keep(0, n_ticks.saturating_sub(1), dt);
        self.history.keep(0, n_ticks.saturating_sub(1));
        self.last_event = 0;
        self.jumps.retain(|jump| *jump < n_ticks);
        self.replaced_models.retain(|(tick, _)| *tick < n_ticks);
    }

    fn compress_older(&mut self, now: u64) {
        let mut at = self
            .moments
            .partition_point(|moment| moment.n_ticks + RECENT < now);
        while at > 0 {
            at -= 1;
            let before = at
                .checked_sub(1)
                .and_then(|before| self.moments.get(before));
            let last_kept = before.map(|before| before.n_ticks);
            let Some(moment) = self.moments.get_mut(at) else {
                return;
            };
            let GameCopy::Plain(game) = &moment.copy else {
                return;
            };
            let is_close = last_kept.is_some_and(|last| moment.n_ticks < last + INTERVAL);
            let has_room = self.packer.n_waiting < MAX_WAITING;
            if !is_close
                && has_room
                && self
                    .packer
                    .jobs
                    .send((moment.n_ticks, game.clone()))
                    .is_ok()
            {
                moment.copy = GameCopy::Waiting(game.clone());
                self.packer.n_waiting += 1;
            } else {
                self.moments.remove(at);
            }
        }
    }

    fn take_compressed(&mut self) {
        while let Ok((n_ticks, packed)) = self.packer.results.try_recv() {
            self.put_compressed(n_ticks, packed);
        }
        // A replay is faster than the thread.
        while self.last_tick.is_some()
            && self.packer.n_waiting >= MAX_WAITING
            && let Ok((n_ticks, packed)) = self.packer.results.recv()
        {
            self.put_compressed(n_ticks, packed);
        }
    }

    fn put_compressed(&mut self, n_ticks: u64, packed: Result<PackedGame, String>) {
        self.packer.n_waiting -= 1;
        let found = self
            .moments
            .binary_search_by_key(&n_ticks, |moment| moment.n_ticks);
        let Ok(at) = found else { return };
        match packed {
            Ok(packed) => {
                self.n_bytes += packed.bytes.len();
                self.moments[at].copy = GameCopy::Compressed(packed);
            }
            Err(why) => {
                self.moments.remove(at);
                self.failure = Some(why);
            }
        }
    }

    fn drop_oldest(&mut self, now: u64, dt: f64) {
        if now.is_multiple_of(RECENT) {
            let first = now.saturating_sub(self.max_ticks);
            self.log.keep(first, now, dt);
            self.history.keep(first, now);
            self.replaced_models.retain(|(tick, _)| *tick >= first);
            self.jumps.retain(|jump| *jump >= first);
        }
        let is_old = |moment: &Moment| moment.n_ticks + self.max_ticks < now;
        while self.moments.front().is_some_and(is_old) || self.n_bytes > MAX_BYTES {
            let Some(oldest) = self.moments.pop_front() else {
                return;
            };
            self.n_bytes -= oldest.n_bytes();
        }
    }

    /// The ticks of the oldest and of the newest copy.
    ///
    /// # Errors
    /// The reason why there are no copies.
    pub fn range(&self) -> Result<[u64; 2], String> {
        match (self.moments.front(), self.moments.back(), &self.failure) {
            (Some(oldest), Some(newest), _) => Ok([oldest.n_ticks, newest.n_ticks]),
            (_, _, Some(why)) => Err(format!("the game cannot be copied: {why}")),
            _ => Err("nothing has happened yet".to_owned()),
        }
    }

    /// The tick of the copy `by` copies after the one at `n_ticks`.
    pub fn neighbour(&self, n_ticks: u64, by: i64) -> Option<u64> {
        let at = self.index_at(n_ticks)? as i64;
        let last = self.moments.len() as i64 - 1;
        let at = usize::try_from(at.saturating_add(by).min(last).max(0)).ok()?;
        self.moments.get(at).map(|moment| moment.n_ticks)
    }

    /// The last copy at or before `n_ticks`, otherwise the first one, with its tick. `services` loads its models if it was
    /// compressed.
    ///
    /// # Errors
    /// If there are no copies, or a model of the copy is no longer there.
    pub fn copy_at(
        &self,
        n_ticks: u64,
        services: Arc<dyn Services>,
    ) -> Result<(u64, Arc<SavedGame>), String> {
        let at = self.index_at(n_ticks).ok_or("nothing was recorded")?;
        let moment = &self.moments[at];
        let game = match &moment.copy {
            GameCopy::Plain(game) | GameCopy::Waiting(game) => game.clone(),
            GameCopy::Compressed(packed) => {
                Arc::new(SavedGame::decode(&packed.unpack()?, services)?)
            }
        };
        Ok((moment.n_ticks, game))
    }

    fn index_at(&self, n_ticks: u64) -> Option<usize> {
        let after = self
            .moments
            .partition_point(|moment| moment.n_ticks <= n_ticks);
        (!self.moments.is_empty()).then(|| after.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Library;
    use galatea_asset::Project;
    use galatea_script::HostOptions;
    use std::path::Path;
    use std::time::Duration;

    #[test]
    fn older_copies_are_compressed_and_the_oldest_are_dropped() {
        let project = Project::viewer(Path::new("hero.glb"), None, &[]).unwrap();
        let (library, _arrivals) = Library::new(project, true, true);
        let mut host = Host::new(HostOptions::default(), library.clone()).unwrap();
        let mut stage = Stage::default();
        let mut timeline = Timeline::new(600).unwrap();
        assert!(timeline.range().is_err());
        for n in 1..=1000 {
            stage.time_control.n_ticks = n;
            stage.clock.n_ticks = n;
            timeline.record(&stage, &mut host);
            // On a busy machine, copies would be made less often.
            timeline.cost_s = 0.0;
            // The thread needs time to compress.
            if n % 15 == 0 {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        while timeline.packer.n_waiting > 0 {
            timeline.take_compressed();
        }
        let [oldest, newest] = timeline.range().unwrap();
        assert!((400..=430).contains(&oldest), "{oldest}");
        assert_eq!(newest, 1000);
        let n_compressed = timeline.moments.iter();
        let n_compressed = n_compressed
            .filter(|moment| matches!(moment.copy, GameCopy::Compressed(_)))
            .count();
        assert!((16..=32).contains(&n_compressed), "{n_compressed} of 32");
        for n in [450, 700, 950, 1000] {
            let (at, game) = timeline.copy_at(n, library.clone()).unwrap();
            assert!(at <= n && at + 60 > n, "{at}");
            assert_eq!(game.stage.clock.n_ticks, at);
        }
        assert_eq!(timeline.neighbour(1000, -1), Some(999));
        assert_eq!(timeline.neighbour(1000, -5000), Some(oldest));
        // After a restart, time begins again.
        stage.time_control.n_ticks = 1;
        timeline.record(&stage, &mut host);
        assert_eq!(timeline.range().unwrap()[1], 1);
    }
}
