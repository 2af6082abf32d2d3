//! Record of each character's past, tick by tick: intervals on tracks, and moments.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

use galatea_character::{Character, FaceModifier, Goal, LookAtModifier, ModifierKind};
use galatea_script::{RecordedScriptEvent, SuppressedEvent};
use galatea_stage::{Handle, Stage};

/// Maximum number of intervals of a track, and of moments of a character; older ones are dropped.
const MAX_ENTRIES: usize = 4096;
/// Ticks between two reloads of the same that count as one.
const SAME_RELOAD: u64 = 30;
/// Weight of a gaze below which it has no target.
const MIN_GAZE: f32 = 0.05;
/// Speaking level of a face below which speech does not control the mouth.
const MIN_SPEECH: f32 = 0.1;

/// Kind of a [`HistoryTrack`], in the order in which tracks are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TrackKind {
    /// States of a layer of the machine.
    State,
    /// A clip that is played over the machine.
    Clip,
    /// Falling, lying and getting up.
    Body,
    /// Times in which a foot is locked to the ground.
    Foot,
    /// Targets of the gaze.
    Gaze,
    /// Spoken lines.
    Line,
    /// Words of the spoken lines.
    Word,
    /// The source that controls the mouth.
    Mouth,
}

/// A label that holds for an interval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HistoryInterval {
    /// First tick of unscaled time.
    pub from: u64,
    /// Last tick.
    pub to: u64,
    /// The label, for example the name of the state.
    pub label: String,
}

/// Intervals of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HistoryTrack {
    /// Kind of the track.
    pub kind: TrackKind,
    /// Name among the tracks of the kind: a layer, a clip or a foot. May be empty.
    pub name: String,
    /// Intervals in order of time, without overlaps.
    pub intervals: VecDeque<HistoryInterval>,
}

/// Kind of a [`HistoryMoment`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MomentKind {
    /// An event that listeners received.
    Event,
    /// A marker that a rule suppressed.
    Suppressed,
    /// A hit or a fall.
    Hit,
}

/// An event at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HistoryMoment {
    /// Tick of unscaled time.
    pub n_ticks: u64,
    /// Kind of moment.
    pub kind: MomentKind,
    /// Name of the event.
    pub name: String,
    /// Details, as in `clip = walk, foot = left`.
    pub details: String,
}

/// Record of one character.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CharacterHistory {
    /// Tracks in the order of their kinds.
    pub tracks: Vec<HistoryTrack>,
    /// Moments in order of time.
    pub moments: VecDeque<HistoryMoment>,
}

/// Record of the characters, and of reloads of scripts and models.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StageHistory {
    /// Histories by the names of the characters.
    pub characters: BTreeMap<String, CharacterHistory>,
    /// Ticks of reloads, with the file or `script`.
    pub reloads: VecDeque<(u64, String)>,
}

impl StageHistory {
    /// Takes in the tick that has just ended, with its events.
    pub fn take(
        &mut self,
        stage: &Stage,
        events: &[RecordedScriptEvent],
        suppressed: Vec<SuppressedEvent>,
    ) {
        let n_ticks = stage.time_control.n_ticks;
        for (handle, character) in stage.characters.iter() {
            if is_animated(character) {
                let history = self.of(character.shown_name());
                history.take_intervals(stage, handle, character, n_ticks);
            }
        }
        for event in events {
            let kind = match event.name.as_str() {
                "hit" | "knock_down" | "settle" | "get_up" | "get_up_end" | "die" => {
                    MomentKind::Hit
                }
                _ => MomentKind::Event,
            };
            self.of(&event.character).push(HistoryMoment {
                n_ticks,
                kind,
                name: event.name.clone(),
                details: details(event),
            });
        }
        for event in suppressed {
            self.of(&event.character).push(HistoryMoment {
                n_ticks,
                kind: MomentKind::Suppressed,
                name: event.name,
                details: format!("clip = {}, suppressed: {}", event.clip, event.reason),
            });
        }
    }

    fn of(&mut self, name: &str) -> &mut CharacterHistory {
        self.characters.entry(name.to_owned()).or_default()
    }

    /// Records that a file was reloaded before the tick `n_ticks`. Reloads of the same that follow each other closely, as
    /// when a value is dragged, are one.
    pub fn note_reload(&mut self, n_ticks: u64, what: &str) {
        if let Some((last, same)) = self.reloads.back_mut()
            && same == what
            && n_ticks.saturating_sub(*last) < SAME_RELOAD
        {
            *last = n_ticks;
            return;
        }
        self.reloads.push_back((n_ticks, what.to_owned()));
        let n = self.reloads.len();
        self.reloads.drain(..n.saturating_sub(MAX_ENTRIES));
    }

    /// Removes everything before tick `first` and after tick `last` of unscaled time.
    pub fn keep(&mut self, first: u64, last: u64) {
        self.reloads
            .retain(|(n_ticks, _)| (first..=last).contains(n_ticks));
        self.characters.retain(|_, history| {
            history.keep(first, last);
            !history.tracks.is_empty() || !history.moments.is_empty()
        });
    }
}

fn is_animated(character: &Character) -> bool {
    character.playback.machine.is_some()
        || !character.playback.actions.is_empty()
        || character.modifiers.modifier_stack.is_some()
        || character.body.limbs.is_some()
}

/// The fields of an event that are short enough to be shown.
fn details(event: &RecordedScriptEvent) -> String {
    let shown = event
        .details
        .iter()
        .filter_map(|(name, value)| match value {
            serde_json::Value::String(text) => Some(format!("{name} = {text}")),
            serde_json::Value::Number(number) => {
                let number = number.as_f64()?;
                Some(format!("{name} = {}", (number * 100.0).round() / 100.0))
            }
            serde_json::Value::Bool(yes) => Some(format!("{name} = {yes}")),
            _ => None,
        });
    shown.collect::<Vec<_>>().join(", ")
}

impl CharacterHistory {
    /// Removes everything before tick `first` and after tick `last`.
    pub fn keep(&mut self, first: u64, last: u64) {
        self.moments
            .retain(|moment| (first..=last).contains(&moment.n_ticks));
        for track in &mut self.tracks {
            track
                .intervals
                .retain(|interval| interval.to >= first && interval.from <= last);
            for interval in &mut track.intervals {
                interval.to = interval.to.min(last);
            }
        }
        self.tracks.retain(|track| !track.intervals.is_empty());
    }

    fn take_intervals(
        &mut self,
        stage: &Stage,
        handle: Handle,
        character: &Character,
        n_ticks: u64,
    ) {
        if let Some((machine, state)) = &character.playback.machine {
            for (i, layer) in machine.layer_names().enumerate() {
                if let Some(active) = state.current(i) {
                    let name = machine.state_name(i, active.state);
                    self.extend(TrackKind::State, layer, name, n_ticks);
                }
            }
        }
        for action in &character.playback.actions {
            if action.leaving.is_none() {
                let clip = character.definition.clips.clip_name(action.clip);
                self.extend(TrackKind::Clip, clip, clip, n_ticks);
            }
        }
        if let Some(phase) = body_phase(character) {
            self.extend(TrackKind::Body, "", phase, n_ticks);
        }
        self.take_modifiers(stage, character, n_ticks);
        for line in &stage.speech.lines {
            if line.character != handle || line.begun.is_none() {
                continue;
            }
            let spoken = &line.saying.line;
            self.extend(TrackKind::Line, "", &spoken.text, n_ticks);
            let is_heard = |start: f32, end: f32| (start..end).contains(&line.heard);
            let words = &spoken.track.words;
            if let Some(word) = words.iter().find(|word| is_heard(word.start, word.end)) {
                self.extend(TrackKind::Word, "", &word.text, n_ticks);
            }
        }
    }

    fn take_modifiers(&mut self, stage: &Stage, character: &Character, n_ticks: u64) {
        let Some(stack) = &character.modifiers.modifier_stack else {
            return;
        };
        for modifier in &stack.modifiers {
            match &modifier.kind {
                ModifierKind::FootIk(standing) => {
                    let legs = standing.rig.iter().flat_map(|rig| &rig.legs);
                    for leg in legs {
                        if let Some(Some(_)) = stack.locked_foot(leg.limb.end) {
                            self.extend(TrackKind::Foot, &leg.name, "locked", n_ticks);
                        }
                    }
                }
                ModifierKind::LookAt(look) if modifier.weight.effective_weight > MIN_GAZE => {
                    let target = gaze_target(stage, look);
                    self.extend(TrackKind::Gaze, "", &target, n_ticks);
                }
                ModifierKind::Face(face) => {
                    self.extend(TrackKind::Mouth, "", mouth_owner(face), n_ticks);
                }
                _ => {}
            }
        }
    }

    /// Extends the last interval of a track to this tick if it has the same label, otherwise begins one.
    fn extend(&mut self, kind: TrackKind, name: &str, label: &str, n_ticks: u64) {
        let is_same = |track: &HistoryTrack| track.kind == kind && track.name == name;
        let at = self.tracks.iter().position(is_same).unwrap_or_else(|| {
            let at = self.tracks.partition_point(|track| track.kind <= kind);
            let track = HistoryTrack {
                kind,
                name: name.to_owned(),
                intervals: VecDeque::new(),
            };
            self.tracks.insert(at, track);
            at
        });
        let Some(track) = self.tracks.get_mut(at) else {
            return;
        };
        match track.intervals.back_mut() {
            Some(last) if last.label == label && last.to + 1 >= n_ticks => last.to = n_ticks,
            _ => {
                if track.intervals.len() >= MAX_ENTRIES {
                    track.intervals.pop_front();
                }
                track.intervals.push_back(HistoryInterval {
                    from: n_ticks,
                    to: n_ticks,
                    label: label.to_owned(),
                });
            }
        }
    }

    fn push(&mut self, moment: HistoryMoment) {
        if self.moments.len() >= MAX_ENTRIES {
            self.moments.pop_front();
        }
        self.moments.push_back(moment);
    }
}

/// Phase of a fall in words; `None` for a character that is not down.
fn body_phase(character: &Character) -> Option<&'static str> {
    if character.body.rising.is_some() {
        return Some("gets up");
    }
    let is_dead = character.body.vitals.is_dead;
    character.body.is_down().then_some(match is_dead {
        true => "dead",
        false => "down",
    })
}

/// The source that controls the mouth: `script`, `microphone`, `speech` or `mood`.
pub fn mouth_owner(facing: &FaceModifier) -> &'static str {
    let face = &facing.face;
    if face.is_overridden() {
        "script"
    } else if facing.live {
        "microphone"
    } else if face.speaking > MIN_SPEECH {
        "speech"
    } else {
        "mood"
    }
}

/// The target of a gaze in words.
fn gaze_target(stage: &Stage, look: &LookAtModifier) -> String {
    let glance = look.glance.as_ref().map(|(target, _)| target);
    let talk = look.conversation_target.as_ref().map(|(target, _)| target);
    let only = match look.targets.as_slice() {
        [only] => Some(only),
        _ => None,
    };
    let chosen = glance.or(talk).or(only);
    let name = |handle: Handle| {
        let character = stage.characters.get(handle);
        character.map_or("a removed character", Character::shown_name)
    };
    match chosen.map(|target| target.goal) {
        Some(Goal::On { character, .. }) => name(character).to_owned(),
        Some(Goal::Camera) => "the camera".to_owned(),
        Some(Goal::World(_) | Goal::Own(_)) => "a point".to_owned(),
        None if look.targets.is_empty() => "around".to_owned(),
        None => format!("one of {} targets", look.targets.len()),
    }
}
