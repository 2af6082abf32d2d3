//! What is compared of a running project in each tick.

use std::collections::BTreeMap;

use glam::Vec3;

use galatea_app::Session;
use galatea_character::{Character, METRICS};

/// Meters whose peaks are compared, with their unit and the smallest difference that is reported. A pop is relative to the
/// clips and has no unit.
pub const PEAKS: [(&str, &str, f32); 2] = [("pop", "", 0.5), ("lip_lag", " s", 0.03)];

/// An event, as far as it is compared.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenEvent {
    /// Stage time, seconds.
    pub time: f64,
    /// Name of the character.
    pub character: String,
    /// Name of the event.
    pub name: String,
}

/// States of a character: for each layer, its name and the changes.
pub type SeenStates = BTreeMap<String, Vec<(f64, String)>>;

/// One run so far.
#[derive(Default)]
pub struct Observed {
    pub events: Vec<SeenEvent>,
    /// States by character.
    pub states: BTreeMap<String, SeenStates>,
    /// Distance that the feet of each character have slid until each tick, metres.
    pub slides: BTreeMap<String, Vec<f32>>,
    last_event: u64,
}

/// Characters and props of a session by their names.
pub fn characters(session: &Session) -> BTreeMap<&str, &Character> {
    let all = session.stage.characters.iter();
    all.map(|(_, character)| (character.shown_name(), character))
        .collect()
}

/// World position of a character and the positions of its bones in its own space, metres.
pub fn places(character: &Character) -> (Vec3, impl Iterator<Item = Vec3>) {
    let bones = character.posed.model_from_bone.iter();
    (
        character.placement.position,
        bones.map(|bone| Vec3::from(bone.translation)),
    )
}

impl Observed {
    /// Takes in the tick that has just ended, number `tick` from 0.
    pub fn take(&mut self, session: &mut Session, tick: usize) {
        let time = session.stage.unscaled_time();
        let (events, last) = session.events_since(self.last_event);
        self.last_event = last;
        self.events
            .extend(events.into_iter().map(|event| SeenEvent {
                time: event.time,
                character: event.character,
                name: event.name,
            }));
        for (_, character) in session.stage.characters.iter_mut() {
            if character.metrics.is_none() && character.playback.machine.is_some() {
                character.enable_metrics();
            }
        }
        for (name, character) in characters(session) {
            self.take_states(name, character, time);
            let meters = character.metrics.as_deref();
            if let Some(reading) = meters.and_then(|meters| meters.reading("foot_slide")) {
                let slides = self.slides.entry(name.to_owned()).or_default();
                let before = slides.last().copied().unwrap_or_default();
                slides.resize(tick, before);
                slides.push(before + reading.now);
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
            let known = match self.states.get_mut(name) {
                Some(states) => states,
                None => self.states.entry(name.to_owned()).or_default(),
            };
            let changes = match known.get_mut(layer) {
                Some(changes) => changes,
                None => known.entry(layer.to_owned()).or_default(),
            };
            if changes.last().is_none_or(|(_, last)| last != state) {
                changes.push((time, state.to_owned()));
            }
        }
    }
}

/// Peak of a meter of a character; 0 for a character without meters.
pub fn peak(character: &Character, meter: &str) -> f32 {
    debug_assert!(METRICS.contains(&meter));
    let meters = character.metrics.as_deref();
    let reading = meters.and_then(|meters| meters.reading(meter));
    reading.map_or(0.0, |reading| reading.peak)
}
