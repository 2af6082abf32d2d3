//! Description of the stage of a failed test: machines, and recently crossed markers.

use galatea_anim::{CrossingSource, EventLogEntry, MarkerPhase, Outcome, Reason};
use galatea_character::Character;
use galatea_machine::params_in_words;
use galatea_stage::Stage;

/// Time before the failure whose ledger entries are listed, seconds.
const LOOK_BACK: f64 = 1.0;
/// Maximum number of listed ledger entries.
const MAX_ENTRIES: usize = 12;

/// The stage as text, one line per item.
pub fn scene(stage: &Stage) -> Vec<String> {
    let now = stage.time();
    let mut lines = vec![format!("at {now:.3} s, tick {}", stage.clock.n_ticks)];
    let characters = || stage.characters.iter().map(|(_, character)| character);
    lines.extend(characters().flat_map(machine));
    lines.extend(characters().filter_map(body));
    let mut passed: Vec<(&Character, &EventLogEntry)> = characters()
        .flat_map(|character| {
            character
                .playback
                .event_log
                .iter()
                .map(move |entry| (character, entry))
        })
        .filter(|(_, entry)| entry.time >= now - LOOK_BACK && is_of_interest(entry))
        .collect();
    passed.sort_by(|a, b| a.1.time.total_cmp(&b.1.time));
    let left_out = passed.len().saturating_sub(MAX_ENTRIES);
    if !passed.is_empty() {
        lines.push(match left_out {
            0 => format!("markers of the last {LOOK_BACK} s:"),
            n => format!("markers of the last {LOOK_BACK} s, without the first {n}:"),
        });
    }
    let told = passed[left_out..].iter();
    lines.extend(told.map(|(character, entry)| marker(character, entry)));
    lines
}

/// Returns true for markers that fired and for those that were lost. A marker of the clip with less weight, or one that
/// foot IK replaces, is suppressed in every healthy walk.
fn is_of_interest(entry: &EventLogEntry) -> bool {
    !matches!(
        entry.outcome,
        Outcome::Suppressed(Reason::LowerWeight | Reason::FootIkSteps | Reason::LayerWeightZero)
    )
}

fn machine(character: &Character) -> Vec<String> {
    let Some((machine, place)) = &character.playback.machine else {
        return Vec::new();
    };
    let name = character.shown_name();
    let mut lines = Vec::new();
    for (i, layer) in machine.layer_names().enumerate() {
        if let Some(active) = place.current(i) {
            let state = machine.state_name(i, active.state);
            let since = active.state_age;
            lines.push(format!(
                "{name}: layer {layer:?} is in {state:?} for {since:.3} s"
            ));
        }
    }
    let params = params_in_words(machine, &place.params);
    if !params.is_empty() {
        lines.push(format!("{name}: {params}"));
    }
    lines
}

/// State of a body that has fallen, is getting up or is dead; `None` for one that stands.
fn body(character: &Character) -> Option<String> {
    let body = &character.body;
    let is_down = body.limbs.as_ref().is_some_and(|limbs| limbs.is_down());
    let does = if body.vitals.is_dead {
        "is dead"
    } else if is_down {
        "is falling or lies on the ground"
    } else if body.rising.is_some() {
        "is getting up; the event \"get_up_end\" has not come yet"
    } else {
        return None;
    };
    Some(format!("{} {does}", character.shown_name()))
}

fn marker(character: &Character, entry: &EventLogEntry) -> String {
    let names = character.playback.entry_names(&character.definition, entry);
    let what = names.marker.map_or("a removed marker", |m| &m.event);
    let (time, clip) = (entry.time, names.clip);
    let mut text = format!("{time:.3} s  {}: {what:?}", character.shown_name());
    if entry.phase != MarkerPhase::Point {
        text += &format!(" ({})", entry.phase.word());
    }
    text += &format!(" of {clip}, ");
    text += &match (entry.source, names.state) {
        (CrossingSource::Machine { .. }, Some((layer, state))) => format!("{layer}/{state}"),
        (CrossingSource::Play(id), _) => format!("play {id}"),
        (source, _) => source.word().to_owned(),
    };
    if let Some(reason) = entry.outcome.reason() {
        text += &format!(": {}, {}", entry.outcome.word(), reason.word());
    }
    if entry.occurrences > 1 && entry.outcome != Outcome::Fired {
        text += &format!(" ({} times)", entry.occurrences);
    }
    text
}
