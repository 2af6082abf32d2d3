//! Record of a run, tick by tick: states, events, positions and foot slide.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use glam::Vec3;

use galatea_character::{Character, Definition, METRICS, Metrics};
use galatea_script::RecordedScriptEvent;
use galatea_stage::Stage;

/// Meters whose peaks are compared, with their unit and the smallest difference that is reported. A pop is relative to the
/// clips and has no unit.
pub const PEAKS: [(&str, &str, f32); 2] = [("pop", "", 0.5), ("lip_lag", " s", 0.03)];

/// An event, as far as it is compared.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenEvent {
    /// Tick of unscaled time in which it occurred.
    pub n_ticks: u64,
    /// Stage time, seconds.
    pub time: f64,
    /// Name of the character.
    pub character: String,
    /// Name of the event.
    pub name: String,
}

/// States of a character: for each layer, its name and the changes with their unscaled times in seconds.
pub type SeenStates = BTreeMap<String, Vec<(f64, String)>>;

/// A value for each tick of an interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PerTick<T> {
    /// First tick.
    first: u64,
    values: VecDeque<T>,
}

impl<T: Clone> PerTick<T> {
    /// Sets the value of a tick, and removes those of later ticks. Ticks without a value before it get `between`.
    pub(super) fn push(&mut self, n_ticks: u64, value: T, between: T) {
        if self.values.is_empty() {
            self.first = n_ticks;
        }
        let n = n_ticks.saturating_sub(self.first) as usize;
        self.values.resize(n, between);
        self.values.push_back(value);
    }

    /// The value of a tick.
    pub fn get(&self, n_ticks: u64) -> Option<&T> {
        self.values.get(n_ticks.checked_sub(self.first)? as usize)
    }

    /// The value of the last tick.
    pub fn last(&self) -> Option<&T> {
        self.values.back()
    }

    /// Removes the values of ticks before `first` and after `last`.
    fn keep(&mut self, first: u64, last: u64) {
        let n = (last + 1).saturating_sub(self.first) as usize;
        self.values.truncate(n);
        let n_old = first.saturating_sub(self.first) as usize;
        self.values.drain(..n_old.min(self.values.len()));
        self.first = self.first.max(first);
    }
}

/// Record of a run.
#[derive(Clone, Default)]
pub struct RunLog {
    /// Events, oldest first.
    pub events: VecDeque<SeenEvent>,
    /// States by character.
    pub states: BTreeMap<String, SeenStates>,
    /// Distance that the feet of each character have slid until each tick, metres.
    pub slides: BTreeMap<String, PerTick<f32>>,
    /// Readings of the meters of each character, in the order of [`METRICS`].
    pub readings: BTreeMap<String, PerTick<[f32; METRICS.len()]>>,
    /// World position of each character, metres; `None` while it does not exist.
    pub positions: BTreeMap<String, PerTick<Option<Vec3>>>,
    /// State of the meters after the last tick.
    pub meters: LogMeters,
}

/// Meters of characters with a state machine. They are not those of the game, so that a record changes nothing in it.
#[derive(Clone, Default)]
pub struct LogMeters {
    /// Meters by character.
    characters: BTreeMap<String, CharacterMeters>,
    /// Simulated ticks until the last record.
    n_simulated: u64,
}

/// Meters of a character, for its present model.
#[derive(Clone)]
struct CharacterMeters {
    definition: Arc<Definition>,
    metrics: Metrics,
}

/// Characters and props of a stage by their names.
pub fn characters(stage: &Stage) -> BTreeMap<&str, &Character> {
    let all = stage.characters.iter();
    all.map(|(_, character)| (character.shown_name(), character))
        .collect()
}

/// Largest distance of two bones of the same number, in the space of the characters and scaled to the world, metres, with the
/// number. `None` without bones.
pub fn bone_distance(a: &Character, b: &Character) -> Option<(f32, usize)> {
    let [of_a, of_b] = [a, b].map(|character| &character.posed.model_from_bone);
    let scale = a.placement.scale.abs();
    let both = of_a.iter().zip(of_b);
    let apart = both.map(|(a, b)| Vec3::from(a.translation - b.translation).length() * scale);
    let widest = apart.enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
    widest.map(|(bone, distance)| (distance, bone))
}

impl RunLog {
    /// Takes in the tick that has just ended, with its events.
    pub fn take(&mut self, stage: &Stage, events: Vec<RecordedScriptEvent>) {
        let time = stage.unscaled_time();
        let n_ticks = stage.time_control.n_ticks;
        self.events
            .extend(events.into_iter().map(|event| SeenEvent {
                n_ticks,
                time: event.time,
                character: event.character,
                name: event.name,
            }));
        let passed = self.meters.passed(stage);
        for (_, character) in stage.characters.iter() {
            let name = character.shown_name();
            self.take_states(name, character, time);
            let position = Some(character.placement.position);
            entry(&mut self.positions, name).push(n_ticks, position, None);
            if character.playback.machine.is_some() {
                let readings = self.meters.read(name, character, passed);
                let slid = readings.first().copied().unwrap_or_default();
                entry(&mut self.readings, name).push(n_ticks, readings, readings);
                let slides = entry(&mut self.slides, name);
                let before = slides.last().copied().unwrap_or_default();
                slides.push(n_ticks, before + slid, before);
            }
        }
    }

    fn take_states(&mut self, name: &str, character: &Character, time: f64) {
        let Some((machine, now)) = &character.playback.machine else {
            return;
        };
        for (i, layer) in machine.layer_names().enumerate() {
            let Some(active) = now.current(i) else {
                continue;
            };
            let state = machine.state_name(i, active.state);
            let changes = entry(entry(&mut self.states, name), layer);
            if changes.last().is_none_or(|(_, last)| last != state) {
                changes.push((time, state.to_owned()));
            }
        }
    }

    /// Removes what happened before tick `first` and after tick `last` of unscaled time; `dt` is its duration in seconds.
    pub fn keep(&mut self, first: u64, last: u64, dt: f64) {
        let is_kept = |event: &SeenEvent| (first..=last).contains(&event.n_ticks);
        while self.events.front().is_some_and(|event| !is_kept(event)) {
            self.events.pop_front();
        }
        while self.events.back().is_some_and(|event| !is_kept(event)) {
            self.events.pop_back();
        }
        let [begin, end] = [first, last].map(|n_ticks| (n_ticks as f64 + 0.5) * dt);
        for changes in self.states.values_mut().flat_map(BTreeMap::values_mut) {
            changes.retain(|(time, _)| *time <= end);
            // The state at the beginning stays.
            let n_old = changes.partition_point(|(time, _)| *time < begin);
            changes.drain(..n_old.saturating_sub(1));
        }
        self.slides.retain(|_, slides| {
            slides.keep(first, last);
            slides.last().is_some()
        });
        self.readings.retain(|_, readings| {
            readings.keep(first, last);
            readings.last().is_some()
        });
        self.positions.retain(|_, positions| {
            positions.keep(first, last);
            positions.last().is_some()
        });
        let meters = &mut self.meters.characters;
        meters.retain(|name, _| self.positions.contains_key(name));
    }

    /// The states of a character from a time on: the first change of each layer is at `from`, seconds.
    pub fn states_from(&self, name: &str, from: f64) -> SeenStates {
        let layers = self.states.get(name).into_iter().flatten();
        let cut = layers.map(|(layer, changes)| {
            let n_old = changes.partition_point(|(time, _)| *time <= from);
            let before = n_old.checked_sub(1).and_then(|at| changes.get(at));
            let first = before.map(|(_, state)| (from, state.clone()));
            let later = changes.iter().skip(n_old).cloned();
            (layer.clone(), first.into_iter().chain(later).collect())
        });
        cut.collect()
    }
}

impl LogMeters {
    /// Stage time since the last record, seconds.
    fn passed(&mut self, stage: &Stage) -> f32 {
        let n = stage.clock.n_ticks.saturating_sub(self.n_simulated);
        self.n_simulated = stage.clock.n_ticks;
        (n as f64 * stage.clock.dt) as f32
    }

    /// Readings of the meters of a character after `passed` seconds of stage time, in the order of [`METRICS`].
    fn read(&mut self, name: &str, character: &Character, passed: f32) -> [f32; METRICS.len()] {
        // Nothing moves during a pause.
        if passed <= 0.0 {
            return [0.0; METRICS.len()];
        }
        let new = || CharacterMeters {
            definition: character.definition.clone(),
            metrics: Metrics::new(&character.definition, character.placement.scale),
        };
        let meters = self.characters.entry(name.to_owned()).or_insert_with(new);
        if !Arc::ptr_eq(&meters.definition, &character.definition) {
            *meters = new();
        }
        meters.metrics.read(&character.metrics_input(), passed);
        METRICS.map(|meter| {
            let reading = meters.metrics.reading(meter);
            reading.map_or(0.0, |reading| reading.now)
        })
    }
}

fn entry<'m, T: Default>(map: &'m mut BTreeMap<String, T>, name: &str) -> &'m mut T {
    map.entry(name.to_owned()).or_default()
}

/// Peak of a meter of a character; 0 for a character without meters.
pub fn peak(character: &Character, meter: &str) -> f32 {
    debug_assert!(METRICS.contains(&meter));
    let meters = character.metrics.as_deref();
    let reading = meters.and_then(|meters| meters.reading(meter));
    reading.map_or(0.0, |reading| reading.peak)
}
