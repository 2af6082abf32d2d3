//! Lua tests that are made from a range of the recorded past: the inputs since the start of the game, and what a character
//! did in the range.

use std::collections::BTreeMap;

use galatea_character::METRICS;

use crate::character_history::{CharacterHistory, HistoryTrack, MomentKind, TrackKind};
use crate::lua_source::lua_string;
use crate::run_diff::RunLog;

/// Ticks for which a state must last to be expected. Shorter ones are often cut off by a small change of the script.
const MIN_TICKS: u64 = 6;
/// Factor from the recorded peak of a metric to its limit.
const MARGIN: f32 = 1.5;
/// Smallest limit of a metric.
const MIN_LIMIT: f32 = 0.001;

/// Content of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedTest {
    /// Name of the test.
    pub name: String,
    /// Name of the character.
    pub character: String,
    /// First and last tick of unscaled time.
    pub ticks: [u64; 2],
    /// Layers of the machine whose states are expected.
    pub layers: Vec<String>,
    /// Events whose number is expected.
    pub events: Vec<String>,
    /// Metrics that are limited.
    pub metrics: Vec<String>,
}

impl RecordedTest {
    /// Name of its files: letters, digits and `_`. Empty if the name has none of these.
    pub fn file_name(&self) -> String {
        let letters = self.name.to_lowercase();
        let words = letters.split(|c: char| !c.is_ascii_alphanumeric());
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        words.join("_").chars().take(60).collect()
    }
}

/// Names of the layers whose states were recorded in a range of ticks.
pub fn layers_in(history: &CharacterHistory, ticks: [u64; 2]) -> Vec<&str> {
    let layers = history.tracks.iter().filter(|track| is_layer(track));
    let in_range = layers.filter(|track| states_in(track, ticks).next().is_some());
    in_range.map(|track| track.name.as_str()).collect()
}

fn is_layer(track: &HistoryTrack) -> bool {
    track.kind == TrackKind::State
}

/// The states of a layer in a range of ticks that last long enough, with the tick in their middle.
fn states_in(track: &HistoryTrack, [first, last]: [u64; 2]) -> impl Iterator<Item = (u64, &str)> {
    track.intervals.iter().filter_map(move |interval| {
        let (from, to) = (interval.from.max(first), interval.to.min(last));
        let lasts = to.checked_sub(from).is_some_and(|n| n >= MIN_TICKS);
        lasts.then(|| (from.midpoint(to), interval.label.as_str()))
    })
}

/// Names of the events that listeners received in a range of ticks, with their numbers.
pub fn events_in(history: &CharacterHistory, [first, last]: [u64; 2]) -> BTreeMap<&str, usize> {
    let mut events = BTreeMap::new();
    for moment in &history.moments {
        if moment.kind != MomentKind::Suppressed && (first..=last).contains(&moment.n_ticks) {
            *events.entry(moment.name.as_str()).or_default() += 1;
        }
    }
    events
}

/// The largest values of the metrics of a character in a range of ticks; empty for a character without a machine.
pub fn peaks_in(
    log: &RunLog,
    character: &str,
    [first, last]: [u64; 2],
) -> Vec<(&'static str, f32)> {
    let Some(readings) = log.readings.get(character) else {
        return Vec::new();
    };
    let all = (first..=last).filter_map(|tick| readings.get(tick));
    let peaks = all.copied().reduce(|a, b| {
        let mut peaks = a;
        for (peak, other) in peaks.iter_mut().zip(b) {
            *peak = peak.max(other);
        }
        peaks
    });
    peaks.map_or_else(Vec::new, |peaks| METRICS.into_iter().zip(peaks).collect())
}

/// The test in Lua. `main`: path of the main script. `inputs`: path of the file with the inputs, if there are any. `dt`:
/// duration of a tick, seconds.
pub fn lua_text(
    test: &RecordedTest,
    (main, inputs): (&str, Option<&str>),
    (history, log): (&CharacterHistory, &RunLog),
    dt: f64,
) -> String {
    let [first, last] = test.ticks;
    let seconds = |tick: u64| rounded(tick as f64 * dt);
    let mut lines = vec![
        format!(
            "-- Recorded in the studio: {}, from {} s to {} s of the game.",
            test.character.replace(['\n', '\r'], " "),
            seconds(first),
            seconds(last)
        ),
        format!("test({}, function(t)", lua_string(&test.name)),
        format!("\trequire {}", lua_string(&module_name(main))),
    ];
    if let Some(inputs) = inputs {
        lines.push(format!("\tlocal inputs = {}", lua_string(inputs)));
    }
    let advance = |from: u64, to: u64| match inputs {
        Some(_) if from == 0 => format!("\tt:replay(inputs, {{ to = {} }})", seconds(to)),
        Some(_) => format!(
            "\tt:replay(inputs, {{ from = {}, to = {} }})",
            seconds(from),
            seconds(to)
        ),
        None => format!("\tt:run({})", rounded((to - from) as f64 * dt)),
    };
    if first > 0 {
        lines.push(advance(0, first));
    }
    let character = lua_string(&test.character);
    lines.push(format!("\tlocal hero = t:find_character({character})"));
    if !test.metrics.is_empty() {
        lines.push("\thero:reset_metrics()".to_owned());
    }
    let mut now = first;
    for (tick, expected) in expectations(test, history, log) {
        if tick > now {
            lines.push(advance(now, tick));
            now = tick;
        }
        lines.push(format!("\t{expected}"));
    }
    lines.push("end)\n".to_owned());
    lines.join("\n")
}

/// Lines of Lua with the ticks after which they run, in order of time.
fn expectations(
    test: &RecordedTest,
    history: &CharacterHistory,
    log: &RunLog,
) -> Vec<(u64, String)> {
    let [_, last] = test.ticks;
    let mut expected = Vec::new();
    let layers = history.tracks.iter().filter(|track| is_layer(track));
    let has_several = layers.clone().count() > 1;
    for track in layers.filter(|track| test.layers.contains(&track.name)) {
        let layer = match has_several {
            true => format!(", {}", lua_string(&track.name)),
            false => String::new(),
        };
        expected.extend(states_in(track, test.ticks).map(|(tick, state)| {
            let state = lua_string(state);
            (tick, format!("t:expect_state(hero, {state}{layer})"))
        }));
    }
    expected.sort_by_key(|(tick, _)| *tick);
    // The number of an event since the start of the game.
    let until_now = events_in(history, [0, last]);
    for event in &test.events {
        let n = until_now.get(event.as_str()).copied().unwrap_or_default();
        let event = lua_string(event);
        expected.push((last, format!("t:expect_event_count(hero, {event}, {n})")));
    }
    for (metric, peak) in peaks_in(log, &test.character, test.ticks) {
        if test.metrics.iter().any(|wanted| wanted == metric) {
            let limit = limit(peak);
            expected.push((
                last,
                format!("t:expect_metric(hero, \"{metric}\", {limit})"),
            ));
        }
    }
    expected
}

/// The limit of a metric for a recorded peak, with two digits.
fn limit(peak: f32) -> f64 {
    let limit = f64::from((peak * MARGIN).max(MIN_LIMIT));
    let digits = (1.0 - limit.log10().floor()) as i32;
    let scale = 10_f64.powi(digits);
    // 0.003 in f32 is a little more than 0.003.
    let rounded = (limit * scale - 1e-4).ceil() / scale;
    (rounded * 1e9).round() / 1e9
}

/// Seconds with at most four decimals, which name a tick exactly.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e4).round() / 1e4
}

/// The name with which `require` finds a script from a file in `tests`.
fn module_name(path: &str) -> String {
    let outside = format!("../{path}");
    let name = path.strip_prefix("scripts/").unwrap_or(&outside);
    let stem = name
        .strip_suffix(".lua")
        .or_else(|| name.strip_suffix(".luau"));
    stem.unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_above_the_peak_and_short() {
        for (peak, expected) in [(0.002, 0.003), (0.0, 0.001), (1.23, 1.9), (80.0, 120.0)] {
            assert_eq!(limit(peak), expected, "{peak}");
        }
    }

    #[test]
    fn names_of_files_and_modules() {
        let name = |name: &str| {
            RecordedTest {
                name: name.to_owned(),
                ..RecordedTest::default()
            }
            .file_name()
        };
        assert_eq!(name("The hero's jump, twice"), "the_hero_s_jump_twice");
        assert_eq!(name("跳"), "");
        assert_eq!(module_name("scripts/main.lua"), "main");
        assert_eq!(module_name("scripts/game/start.luau"), "game/start");
        assert_eq!(module_name("game/start.lua"), "../game/start");
    }
}
