//! Spoken lines: advances them by stage time, moves mouths to the audible position, and triggers marks at their words.

use std::collections::VecDeque;
use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::event::{Event, EventKind, LineEvent, SayEvent};
use super::performance::{gesture, glance, time_to_stroke, with_face};
use super::reload::Reload;
use super::talk::TalkContext;
use super::ui::{UiItem, add_caption};
use super::{Arena, AudioPort, Characters, Handle, Ids, SoundCue, SoundOrder, StageUi};
use galatea_character::{Character, EndReason};
use galatea_face::{Envelope, FaceOwner, Feeling, Mix};
use galatea_speech::amplitude::{VisemeKey, sample_keys};
use galatea_speech::line::{CutPoint, Line, MarkAction};
use galatea_speech::viseme::N_VISEMES;

/// Maximum number of lines of one stage, including queued ones.
pub const MAX_LINES: usize = 256;
/// Fade time of mouth shapes at the start and the end of speech, seconds.
const FADE: f32 = 0.12;
/// Default duration of an expression mark, seconds.
const EXPRESSION_TIME: f32 = 0.9;
/// Default duration of a gaze mark, seconds.
const GLANCE_TIME: f32 = 1.6;

/// Sound of a line, and the source of its mouth movement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SpeechVoice {
    /// Name of the sound in the project; `None` for a silent line.
    #[serde(with = "galatea_persist::shared")]
    pub sound: Option<Arc<str>>,
    /// Amplitude factor.
    pub volume: f32,
    /// Mouth keys from loudness alone, which replace the line's own visemes.
    #[serde(with = "galatea_persist::shared")]
    pub keys: Option<Arc<[VisemeKey]>>,
    /// Loudness of the sound in 100 Hz steps, 0..=1, for the lip-lag meter.
    #[serde(with = "galatea_persist::shared")]
    pub loudness: Arc<[f32]>,
}

/// A line to say, with its voice and options.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Saying {
    /// The line.
    #[serde(with = "galatea_persist::shared")]
    pub line: Arc<Line>,
    /// For each item with an expression: the morph mix for the speaker's face.
    pub mixes: Vec<Option<Mix>>,
    /// Sound and mouth source.
    pub voice: SpeechVoice,
    /// Caption to show while it is spoken.
    pub caption: Option<UiItem>,
    /// Starts even while another line of the same character is spoken.
    pub overlaps: bool,
    /// Delay before the start, seconds, counted from its turn in the queue.
    pub delay: f32,
    /// Characters for names in gaze marks; searched before the names on the stage.
    #[serde(with = "galatea_persist::shared")]
    pub names: Arc<[(Arc<str>, Handle)]>,
}

/// A line that is spoken or queued.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Speaking {
    /// Id of the line.
    pub id: u64,
    /// The speaker.
    pub character: Handle,
    /// The line and its options.
    pub saying: Saying,
    /// Stage time of second 0 of the line; `None` while it is queued.
    pub begun: Option<f64>,
    /// Start position in the line, seconds.
    pub from: f32,
    /// Position at which the line is cut, seconds.
    pub stop_at: Option<f32>,
    sound_id: u64,
    /// True for items that were triggered or skipped.
    done: Vec<bool>,
    n_words: usize,
    n_phonemes: usize,
    /// Elapsed position in the line, seconds.
    pub t: f32,
    /// Audible position in the line, seconds; the mouth follows it.
    pub heard: f32,
    /// Fade weight of the mouth shapes, 0..=1.
    level: f32,
    over: bool,
}

/// A finished line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FinishedLine {
    /// Id of the line.
    pub id: u64,
    /// The speaker.
    pub character: Handle,
    /// Reason of the end.
    pub reason: EndReason,
    /// Position in the line at the end, seconds.
    pub t: f32,
    /// For a cut line: what to resume.
    pub saying: Option<Saying>,
}

/// Maximum number of remembered finished lines.
const MAX_FINISHED: usize = 256;
/// Maximum number of remembered cut lines that can be resumed.
const MAX_RESUMABLE: usize = 32;

/// Active, queued and recently finished lines.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Speech {
    /// Active and queued lines, in order.
    pub lines: Vec<Speaking>,
    /// Finished lines, the latest last, with reason and position, and the rest of cut ones.
    pub over: VecDeque<FinishedLine>,
}

impl Speech {
    /// Queues a line for a character, after its other lines. `from`: start position in the line, seconds. Returns `None` at
    /// [`MAX_LINES`].
    pub fn say(
        &mut self,
        ids: &mut Ids,
        character: Handle,
        saying: Saying,
        from: f32,
    ) -> Option<u64> {
        if self.lines.len() >= MAX_LINES {
            return None;
        }
        let (id, sound_id) = (ids.new_id(), ids.new_id());
        let items = &saying.line.items;
        let done = items.iter().map(|item| item.t < from - 0.05).collect();
        let (words, phones) = (&saying.line.track.words, &saying.line.track.phonemes);
        let n_words = words.partition_point(|word| word.start < from - 0.01);
        let n_phonemes = phones.partition_point(|phone| phone.start < from - 0.01);
        self.lines.push(Speaking {
            id,
            character,
            from,
            sound_id,
            done,
            n_words,
            n_phonemes,
            t: from,
            heard: from,
            saying,
            begun: None,
            stop_at: None,
            level: 0.0,
            over: false,
        });
        Some(id)
    }

    /// The active or queued line with this id, mutable.
    pub fn line_mut(&mut self, id: u64) -> Option<&mut Speaking> {
        let mut lines = self.lines.iter_mut();
        lines.find(|speaking| speaking.id == id && !speaking.over)
    }

    /// The active or queued line with this id.
    pub fn line(&self, id: u64) -> Option<&Speaking> {
        let mut lines = self.lines.iter();
        lines.find(|speaking| speaking.id == id && !speaking.over)
    }

    /// Resumes a cut line, from the start of the cut phrase or from the cut position. Returns the id of the new line; `None`
    /// if the line was not cut or is resumed already.
    pub fn resume(
        &mut self,
        ids: &mut Ids,
        characters: &Characters,
        id: u64,
        from_phrase: bool,
    ) -> Option<u64> {
        let over = self.over.iter_mut().find(|over| over.id == id)?;
        let (saying, t) = (over.saying.take()?, over.t);
        let from = if from_phrase {
            saying.line.phrase_before(t)
        } else {
            t
        };
        let character = over.character;
        characters.get(character)?;
        self.say(ids, character, saying, from)
    }

    /// Returns true while a character speaks.
    pub fn is_speaking(&self, character: Handle) -> bool {
        let mut lines = self.lines.iter();
        lines.any(|s| s.character == character && s.begun.is_some() && !s.over)
    }
}

impl Characters {
    /// Returns true while a mouth follows the microphone.
    pub fn wants_microphone(&self) -> bool {
        let mut all = self.iter();
        all.any(|(_, character)| {
            let facing = character
                .modifiers
                .modifier_stack
                .as_ref()
                .and_then(|stack| stack.facing());
            facing.is_some_and(|facing| facing.live)
        })
    }
}

impl Speaking {
    /// Cuts the line at a position in seconds. A queued line, or one beyond that position, is cut at once.
    pub fn cut_at(&mut self, at: f32) {
        self.stop_at = Some(self.stop_at.map_or(at, |known| known.min(at)));
    }

    /// Current loudness of the audible sound. `late`: assumed delay of the sound behind the mouth, seconds.
    fn loudness(&self, late: f32) -> Option<f32> {
        let at = ((self.heard - late).max(0.0) * 100.0) as usize;
        (!self.over).then(|| self.saying.voice.loudness.get(at).copied())?
    }

    /// Cuts the line at the next good point. A queued line is dropped.
    pub fn cut(&mut self, how: CutPoint) {
        let at = match self.begun {
            Some(_) => self.saying.line.cut_at(self.t, how),
            None => 0.0,
        };
        self.cut_at(at);
    }

    fn weights(&self) -> [f32; N_VISEMES] {
        let weights = match &self.saying.voice.keys {
            Some(keys) => sample_keys(keys, self.heard),
            None => self.saying.line.mouth.sample(self.heard),
        };
        weights.map(|weight| weight * self.level)
    }
}

/// Advances lines by a tick, before poses are evaluated.
pub(super) fn advance(talk: &mut TalkContext<'_>, audio: &mut AudioPort, ui: &mut Arena<StageUi>) {
    follow_microphone(talk, audio.microphone);
    if talk.speech.lines.is_empty() {
        return;
    }
    let mut lines = std::mem::take(&mut talk.speech.lines);
    lines.retain(|speaking| talk.characters.get(speaking.character).is_some());
    begin_due(talk, audio, ui, &mut lines);
    for speaking in &mut lines {
        if speaking.begun.is_some() || speaking.stop_at.is_some() {
            advance_one(talk, audio, speaking);
        }
    }
    show_mouths(talk, audio, &lines);
    lines.retain(|speaking| !speaking.over || speaking.level > 0.0);
    // Lines queued meanwhile are added at the end.
    lines.append(&mut talk.speech.lines);
    talk.speech.lines = lines;
}

/// Drives mouths from the microphone, for characters that have no line.
fn follow_microphone(talk: &mut TalkContext<'_>, mouth: Option<[f32; N_VISEMES]>) {
    let Some(mouth) = mouth else {
        return;
    };
    let lines = &talk.speech.lines;
    for (handle, character) in talk.characters.iter_mut() {
        let speaks = |line: &Speaking| line.character == handle && line.level > 0.0;
        if let Some(facing) = character
            .modifiers
            .modifier_stack
            .as_mut()
            .and_then(|s| s.facing_mut())
            && facing.live
            && !lines.iter().any(speaks)
        {
            let max = mouth.iter().skip(1).copied().fold(0.0, f32::max);
            facing.speak(mouth, max.min(1.0));
        }
    }
}

fn begin_due(
    talk: &mut TalkContext<'_>,
    audio: &mut AudioPort,
    ui: &mut Arena<StageUi>,
    lines: &mut [Speaking],
) {
    let dt = talk.clock.dt as f32;
    for i in 0..lines.len() {
        let (before, rest) = lines.split_at_mut(i);
        let Some(own) = rest
            .first_mut()
            .filter(|own| own.begun.is_none() && !own.over)
        else {
            continue;
        };
        let is_busy = |other: &Speaking| other.character == own.character && !other.over;
        if before.iter().any(is_busy) && !own.saying.overlaps || own.stop_at.is_some() {
            continue;
        }
        own.saying.delay -= dt;
        if own.saying.delay > 0.0 {
            continue;
        }
        begin(talk, audio, ui, own);
    }
}

fn begin(
    talk: &mut TalkContext<'_>,
    audio: &mut AudioPort,
    ui: &mut Arena<StageUi>,
    own: &mut Speaking,
) {
    let now = talk.clock.time();
    let begun = now - f64::from(own.from);
    own.begun = Some(begun);
    let line = own.saying.line.clone();
    if let Some(sound) = &own.saying.voice.sound {
        let character = talk.characters.get(own.character);
        let feeling = character.and_then(|c| c.modifiers.modifier_stack.as_ref()?.facing());
        let feeling = feeling.map_or_else(Feeling::default, |facing| facing.face.feeling);
        let louder = 10_f32.powf(feeling.voice_gain() / 20.0);
        let cue = SoundCue {
            id: own.sound_id,
            sound: sound.clone(),
            time: begun,
            position: character.and_then(mouth_of),
            volume: (own.saying.voice.volume * louder).clamp(0.0, 16.0),
            pitch: 1.0,
            looped: false,
            is_speech: true,
            duck: 1.0,
            is_unscaled: false,
        };
        audio.orders.push(SoundOrder::Play(cue));
    }
    if let Some(caption) = own.saying.caption.clone() {
        let seconds = f64::from(line.track.duration - own.from) + 0.4;
        add_caption(ui, talk.ids, caption, [now, seconds.clamp(0.1, 600.0)]);
    }
    emit(talk, own, now, LineEvent::Begin(line));
}

/// World position of a character's mouth.
fn mouth_of(character: &Character) -> Option<Vec3> {
    let rig = character.definition.gaze_rig().ok()?;
    let head = character
        .posed
        .model_from_bone
        .get(usize::from(rig.head.bone))?;
    let eyes = character.posed.world[0].transform_point3((*head).transform_point3(rig.eye_middle));
    Some(eyes - Vec3::Y * (0.07 * rig.size * character.placement.scale.abs()))
}

fn emit(talk: &mut TalkContext<'_>, own: &Speaking, time: f64, what: LineEvent) {
    let kind = EventKind::Say(Box::new(SayEvent {
        id: own.id,
        kind: what,
    }));
    talk.events.push(Event::new(own.character, time, kind));
}

fn advance_one(talk: &mut TalkContext<'_>, audio: &mut AudioPort, own: &mut Speaking) {
    let dt = talk.clock.dt as f32;
    if own.over {
        own.level = (own.level - dt / FADE).max(0.0);
        return;
    }
    let begun = own.begun;
    let end_of_tick = talk.clock.time() + talk.clock.dt;
    let line = own.saying.line.clone();
    // Words and marks follow the stage clock, so that every run repeats. The mouth follows the audible position.
    let since = |t: f64| begun.map_or(own.from, |begun| ((t - begun) as f32).max(own.from));
    let now = since(end_of_tick);
    let delay = if own.saying.voice.sound.is_some() {
        audio.delay
    } else {
        0.0
    };
    own.heard = since(end_of_tick - delay);
    let end = own.stop_at.unwrap_or(f32::MAX).min(line.track.duration);
    own.t = now.min(line.track.duration).max(own.t);
    own.level = (own.level + dt / FADE).min(1.0);
    let at = |t: f32| begun.map_or(end_of_tick, |begun| (begun + f64::from(t)).min(end_of_tick));
    // Items at the cut position are not spoken.
    let is_due = |start: f32| start <= now && start < end - 1e-4;
    while let Some(word) = line
        .track
        .words
        .get(own.n_words)
        .filter(|w| is_due(w.start))
    {
        emit(
            talk,
            own,
            at(word.start),
            LineEvent::Word(line.clone(), own.n_words),
        );
        own.n_words += 1;
    }
    while let Some(phone) = line
        .track
        .phonemes
        .get(own.n_phonemes)
        .filter(|p| is_due(p.start))
    {
        emit(
            talk,
            own,
            at(phone.start),
            LineEvent::Phoneme(line.clone(), own.n_phonemes),
        );
        own.n_phonemes += 1;
    }
    trigger_marks(talk, own, &line, now.min(end));
    if let (Some(_), Some(position)) = (
        &own.saying.voice.sound,
        talk.characters.get(own.character).and_then(mouth_of),
    ) {
        audio.orders.push(SoundOrder::Change {
            id: own.sound_id,
            volume: None,
            pitch: None,
            position: Some(position),
        });
    }
    if now >= end || begun.is_none() {
        let is_cut = own.stop_at.is_some() && end < line.track.duration - 1e-3;
        let reason = if is_cut {
            EndReason::Interrupted
        } else {
            EndReason::End
        };
        finish(talk, audio, own, reason, at(end), now.min(end));
    }
}

/// Ends a line; the mouth closes during the fade.
fn finish(
    talk: &mut TalkContext<'_>,
    audio: &mut AudioPort,
    own: &mut Speaking,
    reason: EndReason,
    time: f64,
    t: f32,
) {
    own.over = true;
    if reason != EndReason::End {
        let (id, fade) = (own.sound_id, 0.05);
        audio.orders.push(SoundOrder::Stop { id, fade });
    }
    if own.begun.is_none() {
        own.level = 0.0;
    }
    if talk.speech.over.len() >= MAX_FINISHED {
        talk.speech.over.pop_front();
    }
    let is_cut = reason != EndReason::End;
    talk.speech.over.push_back(FinishedLine {
        id: own.id,
        character: own.character,
        reason,
        t,
        saying: is_cut.then(|| own.saying.clone()),
    });
    let mut cut = talk
        .speech
        .over
        .iter_mut()
        .rev()
        .filter(|over| over.saying.is_some());
    if let Some(oldest) = cut.nth(MAX_RESUMABLE) {
        oldest.saying = None;
    }
    emit(talk, own, time, LineEvent::End(reason, t));
}

/// Triggers the marks that are due.
fn trigger_marks(talk: &mut TalkContext<'_>, own: &mut Speaking, line: &Arc<Line>, now: f32) {
    for (i, item) in line.items.iter().enumerate() {
        if own.done.get(i).copied().unwrap_or(true) {
            continue;
        }
        let lead = match &item.action {
            MarkAction::Gesture { name, .. } => {
                time_to_stroke(talk.characters, own.character, name)
            }
            _ => 0.0,
        };
        if now < item.t - lead {
            continue;
        }
        own.done[i] = true;
        if item.chance < 1.0 && talk.rng.unit() >= f64::from(item.chance) {
            continue;
        }
        let strength = item.intensity;
        match &item.action {
            MarkAction::Show(_) => {
                if let Some(Some(mix)) = own.saying.mixes.get(i) {
                    let seconds = item.duration.unwrap_or(EXPRESSION_TIME);
                    let mix = mix.clone();
                    with_face(talk.characters, talk.ids, own.character, |facing| {
                        let envelope = Envelope {
                            fade_in: (0.35 * seconds).min(0.25),
                            hold_time: Some((0.65 * seconds).max(seconds - 0.25)),
                            fade_out: 0.4,
                        };
                        let strength = strength.unwrap_or(0.8);
                        facing.face.show(mix, FaceOwner::Speech, strength, envelope);
                    });
                }
            }
            MarkAction::Mood(name) => {
                if let Some(Some(mix)) = own.saying.mixes.get(i) {
                    let (mix, fade) = (mix.clone(), item.duration.unwrap_or(0.8));
                    with_face(talk.characters, talk.ids, own.character, |facing| {
                        facing.face.goal = Feeling::of(name).unwrap_or_default();
                        facing.face.set_mood(mix, strength.unwrap_or(0.6), fade);
                    });
                }
            }
            MarkAction::Blink => with_face(talk.characters, talk.ids, own.character, |facing| {
                facing.face.own_lids.blink();
            }),
            MarkAction::Look(name) => {
                let names = own.saying.names.clone();
                let known = names.iter().find(|(own, _)| **own == **name);
                let known = known.map(|(_, handle)| *handle);
                let seconds = item.duration.unwrap_or(GLANCE_TIME);
                glance(talk, own.character, (name, known), seconds);
            }
            MarkAction::Gesture { name, .. } => gesture(talk, own.character, name, strength),
            MarkAction::Event { .. } => {
                let begun = own.begun.unwrap_or_default();
                emit(
                    talk,
                    own,
                    begun + f64::from(item.t),
                    LineEvent::Cue(line.clone(), i),
                );
            }
        }
    }
}

/// Applies mouth shapes of all active and fading lines.
fn show_mouths(talk: &mut TalkContext<'_>, audio: &AudioPort, lines: &[Speaking]) {
    for (i, own) in lines.iter().enumerate() {
        let is_heard = own.begun.is_some() && own.level > 0.0;
        let before = lines.iter().take(i);
        if !is_heard
            || before
                .clone()
                .any(|other| other.character == own.character && other.level > 0.0)
        {
            continue;
        }
        let mut weights = [0.0_f32; N_VISEMES];
        let mut level = 0.0_f32;
        let late = (audio.delay_now - audio.delay) as f32;
        let loud = own.loudness(late);
        for other in lines
            .iter()
            .skip(i)
            .filter(|s| s.character == own.character)
        {
            level = level.max(other.level);
            for (slot, weight) in weights.iter_mut().zip(other.weights()) {
                *slot = slot.max(weight);
            }
        }
        with_face(talk.characters, talk.ids, own.character, |facing| {
            facing.speak(weights, level);
        });
        if let (Some(loud), Some(character)) = (loud, talk.characters.get_mut(own.character))
            && let Some(meters) = &mut character.metrics
        {
            meters.measure_lip_lag(&weights, loud, talk.clock.dt as f32);
        }
    }
}

/// Continues active lines. A line that the new script starts with the same text is not said twice.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let Reload { old, new, .. } = reload;
    let (speech, characters) = (&mut new.speech, &new.characters);
    let own = std::mem::take(&mut speech.lines);
    let is_there = |speaking: &Speaking| characters.get(speaking.character).is_some();
    let lines = std::mem::take(&mut old.speech.lines);
    let mut lines: Vec<Speaking> = lines.into_iter().filter(is_there).collect();
    let n_old = lines.len();
    for speaking in own {
        let text = &speaking.saying.line.text;
        let is_said = lines
            .iter()
            .take(n_old)
            .any(|known| known.character == speaking.character && known.saying.line.text == *text);
        if !is_said {
            lines.push(speaking);
        }
    }
    speech.lines = lines;
    speech.over = std::mem::take(&mut old.speech.over);
}

#[cfg(test)]
mod tests;
