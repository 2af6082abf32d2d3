//! Who speaks: lines move on by the stage's clock, mouths follow what is heard, marks happen at their words.

use std::collections::VecDeque;
use std::sync::Arc;

use glam::Vec3;

use super::event::{Event, EventKind, LineEvent, SayEvent};
use super::performance::{gesture, glance, lead, with_face};
use super::reload::Reload;
use super::talk::TalkContext;
use super::ui::{UiItem, add_caption};
use super::{Arena, AudioPort, Characters, Handle, Ids, SoundCue, SoundOrder, StageUi};
use galatea_character::{Character, EndReason};
use galatea_face::{Envelope, FaceOwner, Feeling, Mix};
use galatea_speech::amplitude::{VisemeKey, sample_keys};
use galatea_speech::line::{CutPoint, Does, Line};
use galatea_speech::viseme::N_VISEMES;

/// Lines that one stage has at once, those that wait included.
pub const MOST_LINES: usize = 256;
/// Seconds in which a mouth comes and goes with speech.
const FADE: f32 = 0.12;
/// Seconds of an expression of a mark that says no time of its own.
const SHOWN: f32 = 0.9;
/// Seconds of a look of a mark that says no time of its own.
const GLANCE: f32 = 1.6;

/// What a line is heard as, and how its mouth moves.
#[derive(Clone, Debug)]
pub struct SpeechVoice {
    /// Name of the sound in the project; none for a line that is only seen.
    pub sound: Option<Arc<str>>,
    /// Factor on the amplitude.
    pub gain: f32,
    /// Keys of loudness alone (SP-14), in place of the line's own mouth.
    pub keys: Option<Arc<[VisemeKey]>>,
    /// Loudness of the sound, a hundred times a second, 0..=1: for the lip-lag meter.
    pub loudness: Arc<[f32]>,
}

/// What is to be said, and how.
#[derive(Clone, Debug)]
pub struct Saying {
    /// The line.
    pub line: Arc<Line>,
    /// For each of its items that show something: what, for the face of who speaks.
    pub mixes: Vec<Option<Mix>>,
    /// What is heard.
    pub voice: SpeechVoice,
    /// Shown while it is spoken.
    pub caption: Option<UiItem>,
    /// It begins while another line of the same character is spoken.
    pub overlaps: bool,
    /// Seconds to wait before it begins, once it is its turn.
    pub delay: f32,
    /// Whom names in looks mean, before those on the stage.
    pub names: Arc<[(Arc<str>, Handle)]>,
}

/// A line that is spoken, or waits to be.
#[derive(Clone, Debug)]
pub struct Speaking {
    /// Its number.
    pub id: u64,
    /// Who speaks.
    pub character: Handle,
    /// What, and how.
    pub saying: Saying,
    /// Stage seconds at which second 0 of the line is, or would be; `None` while it waits.
    pub begun: Option<f64>,
    /// Seconds of the line at which it begins.
    pub from: f32,
    /// Seconds of the line at which it is cut.
    pub stop_at: Option<f32>,
    sound_id: u64,
    /// Items that have happened, or will not.
    done: Vec<bool>,
    n_words: usize,
    n_phones: usize,
    /// Seconds of the line that are over.
    pub t: f32,
    /// Seconds of the line that are heard: what the mouth shows.
    pub heard: f32,
    /// How much of its mouth shows, 0..=1.
    level: f32,
    over: bool,
}

/// A line that is over.
#[derive(Clone, Debug)]
pub struct LineOver {
    /// Its number.
    pub id: u64,
    /// Who spoke.
    pub character: Handle,
    /// Why.
    pub reason: EndReason,
    /// Seconds of the line at which it ended.
    pub t: f32,
    /// Of one that was cut, what it was.
    pub saying: Option<Saying>,
}

/// Lines that are over of which is known why.
const MOST_OVER: usize = 256;
/// Of those, ones that can be gone on with.
const MOST_CUT: usize = 32;

/// Lines that are spoken, and those that are over.
#[derive(Clone, Debug, Default)]
pub struct Speech {
    /// Lines that are spoken or wait, in order.
    pub lines: Vec<Speaking>,
    /// Lines that are over, the latest last: why, where, and of cut ones what is left to say.
    pub over: VecDeque<LineOver>,
}

impl Speech {
    /// Has a character say something after what it says already. `from`: seconds of the line to begin at. `None` when too
    /// much is being said.
    pub fn say(
        &mut self,
        ids: &mut Ids,
        character: Handle,
        saying: Saying,
        from: f32,
    ) -> Option<u64> {
        if self.lines.len() >= MOST_LINES {
            return None;
        }
        let (id, sound_id) = (ids.new_id(), ids.new_id());
        let items = &saying.line.items;
        let done = items.iter().map(|item| item.t < from - 0.05).collect();
        let (words, phones) = (&saying.line.track.words, &saying.line.track.phones);
        let n_words = words.partition_point(|word| word.start < from - 0.01);
        let n_phones = phones.partition_point(|phone| phone.start < from - 0.01);
        self.lines.push(Speaking {
            id,
            character,
            from,
            sound_id,
            done,
            n_words,
            n_phones,
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

    /// A line by its number, while it is spoken or waits.
    pub fn line_mut(&mut self, id: u64) -> Option<&mut Speaking> {
        let mut lines = self.lines.iter_mut();
        lines.find(|speaking| speaking.id == id && !speaking.over)
    }

    /// The same, to look at.
    pub fn line(&self, id: u64) -> Option<&Speaking> {
        let mut lines = self.lines.iter();
        lines.find(|speaking| speaking.id == id && !speaking.over)
    }

    /// Goes on with a line that was cut: from the beginning of the phrase that was cut, or from where it was. Gives its
    /// number; `None` for one that was not cut, or is gone on with already.
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

    /// True while a character speaks.
    pub fn is_speaking(&self, character: Handle) -> bool {
        let mut lines = self.lines.iter();
        lines.any(|s| s.character == character && s.begun.is_some() && !s.over)
    }
}

impl Characters {
    /// True while some mouth follows the microphone.
    pub fn wants_microphone(&self) -> bool {
        let mut all = self.iter();
        all.any(|(_, character)| {
            let facing = character
                .modifiers
                .stack
                .as_ref()
                .and_then(|stack| stack.facing());
            facing.is_some_and(|facing| facing.live)
        })
    }
}

impl Speaking {
    /// Cuts it at a second of the line; one that waits, or is past that, is cut now.
    pub fn cut_at(&mut self, at: f32) {
        self.stop_at = Some(self.stop_at.map_or(at, |known| known.min(at)));
    }

    /// How loud what is heard of it now is; `late`: seconds by which that is later than the mouth takes it to be.
    fn loudness(&self, late: f32) -> Option<f32> {
        let at = ((self.heard - late).max(0.0) * 100.0) as usize;
        (!self.over).then(|| self.saying.voice.loudness.get(at).copied())?
    }

    /// Cuts it where that hurts least; one that waits is not spoken at all.
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

/// Moves lines on by a tick, before poses are made.
pub(super) fn advance(talk: &mut TalkContext<'_>, audio: &mut AudioPort, ui: &mut Arena<StageUi>) {
    follow_microphone(talk, audio.microphone);
    if talk.speech.lines.is_empty() {
        return;
    }
    let mut lines = std::mem::take(&mut talk.speech.lines);
    lines.retain(|speaking| talk.characters.get(speaking.character).is_some());
    begin_those_whose_turn_it_is(talk, audio, ui, &mut lines);
    for speaking in &mut lines {
        if speaking.begun.is_some() || speaking.stop_at.is_some() {
            advance_one(talk, audio, speaking);
        }
    }
    show_mouths(talk, audio, &lines);
    lines.retain(|speaking| !speaking.over || speaking.level > 0.0);
    // What was said meanwhile comes after.
    lines.append(&mut talk.speech.lines);
    talk.speech.lines = lines;
}

/// Mouths that go along with the microphone, of those who say nothing else.
fn follow_microphone(talk: &mut TalkContext<'_>, mouth: Option<[f32; N_VISEMES]>) {
    let Some(mouth) = mouth else {
        return;
    };
    let lines = &talk.speech.lines;
    for (handle, character) in talk.characters.iter_mut() {
        let speaks = |line: &Speaking| line.character == handle && line.level > 0.0;
        if let Some(facing) = character
            .modifiers
            .stack
            .as_mut()
            .and_then(|s| s.facing_mut())
            && facing.live
            && !lines.iter().any(speaks)
        {
            let most = mouth.iter().skip(1).copied().fold(0.0, f32::max);
            facing.speak(mouth, most.min(1.0));
        }
    }
}

fn begin_those_whose_turn_it_is(
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
        let feeling = character.and_then(|c| c.modifiers.stack.as_ref()?.facing());
        let feeling = feeling.map_or_else(Feeling::default, |facing| facing.face.feeling);
        let louder = 10_f32.powf(feeling.voice_gain() / 20.0);
        let cue = SoundCue {
            id: own.sound_id,
            sound: sound.clone(),
            time: begun,
            position: character.and_then(mouth_of),
            gain: (own.saying.voice.gain * louder).clamp(0.0, 16.0),
            pitch: 1.0,
            looped: false,
            is_speech: true,
            duck: 1.0,
        };
        audio.orders.push(SoundOrder::Play(cue));
    }
    if let Some(caption) = own.saying.caption.clone() {
        let seconds = f64::from(line.track.duration - own.from) + 0.4;
        add_caption(ui, talk.ids, caption, [now, seconds.clamp(0.1, 600.0)]);
    }
    tell(talk, own, now, LineEvent::Begin(line));
}

/// Where the mouth of somebody is, world space.
fn mouth_of(character: &Character) -> Option<Vec3> {
    let rig = character.definition.gaze_rig().ok()?;
    let head = character
        .posed
        .model_from_bone
        .get(usize::from(rig.head.bone))?;
    let eyes = character.posed.world[0].transform_point3((*head).transform_point3(rig.eye_middle));
    Some(eyes - Vec3::Y * (0.07 * rig.size * character.placement.scale.abs()))
}

fn tell(talk: &mut TalkContext<'_>, own: &Speaking, time: f64, what: LineEvent) {
    let kind = EventKind::Say(Box::new(SayEvent { id: own.id, what }));
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
    // Words and marks go by the talk's clock, so that every run is the same; the mouth by what is heard.
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
    // What begins where it is cut is not spoken.
    let is_due = |start: f32| start <= now && start < end - 1e-4;
    while let Some(word) = line
        .track
        .words
        .get(own.n_words)
        .filter(|w| is_due(w.start))
    {
        tell(
            talk,
            own,
            at(word.start),
            LineEvent::Word(line.clone(), own.n_words),
        );
        own.n_words += 1;
    }
    while let Some(phone) = line
        .track
        .phones
        .get(own.n_phones)
        .filter(|p| is_due(p.start))
    {
        tell(
            talk,
            own,
            at(phone.start),
            LineEvent::Phone(line.clone(), own.n_phones),
        );
        own.n_phones += 1;
    }
    happen(talk, own, &line, now.min(end));
    if let (Some(_), Some(position)) = (
        &own.saying.voice.sound,
        talk.characters.get(own.character).and_then(mouth_of),
    ) {
        audio.orders.push(SoundOrder::Change {
            id: own.sound_id,
            gain: None,
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

/// Ends a line; its mouth closes meanwhile.
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
    if talk.speech.over.len() >= MOST_OVER {
        talk.speech.over.pop_front();
    }
    let is_cut = reason != EndReason::End;
    talk.speech.over.push_back(LineOver {
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
    if let Some(oldest) = cut.nth(MOST_CUT) {
        oldest.saying = None;
    }
    tell(talk, own, time, LineEvent::End(reason, t));
}

/// Has marks happen whose time has come.
fn happen(talk: &mut TalkContext<'_>, own: &mut Speaking, line: &Arc<Line>, now: f32) {
    for (i, item) in line.items.iter().enumerate() {
        if own.done.get(i).copied().unwrap_or(true) {
            continue;
        }
        let lead = match &item.does {
            Does::Gesture { name, .. } => lead(talk.characters, own.character, name),
            _ => 0.0,
        };
        if now < item.t - lead {
            continue;
        }
        own.done[i] = true;
        if item.chance < 1.0 && talk.rng.unit() >= f64::from(item.chance) {
            continue;
        }
        let strength = item.strength;
        match &item.does {
            Does::Show(_) => {
                if let Some(Some(mix)) = own.saying.mixes.get(i) {
                    let seconds = item.seconds.unwrap_or(SHOWN);
                    let mix = mix.clone();
                    with_face(talk.characters, talk.ids, own.character, |facing| {
                        let envelope = Envelope {
                            onset: (0.35 * seconds).min(0.25),
                            hold: Some((0.65 * seconds).max(seconds - 0.25)),
                            release: 0.4,
                        };
                        let strength = strength.unwrap_or(0.8);
                        facing.face.show(mix, FaceOwner::Speech, strength, envelope);
                    });
                }
            }
            Does::Mood(name) => {
                if let Some(Some(mix)) = own.saying.mixes.get(i) {
                    let (mix, fade) = (mix.clone(), item.seconds.unwrap_or(0.8));
                    with_face(talk.characters, talk.ids, own.character, |facing| {
                        facing.face.goal = Feeling::of(name).unwrap_or_default();
                        facing.face.set_mood(mix, strength.unwrap_or(0.6), fade);
                    });
                }
            }
            Does::Blink => with_face(talk.characters, talk.ids, own.character, |facing| {
                facing.face.own_lids.blink();
            }),
            Does::Look(name) => {
                let names = own.saying.names.clone();
                let known = names.iter().find(|(own, _)| **own == **name);
                let known = known.map(|(_, handle)| *handle);
                let seconds = item.seconds.unwrap_or(GLANCE);
                glance(talk, own.character, (name, known), seconds);
            }
            Does::Gesture { name, .. } => gesture(talk, own.character, name, strength),
            Does::Event { .. } => {
                let begun = own.begun.unwrap_or_default();
                tell(
                    talk,
                    own,
                    begun + f64::from(item.t),
                    LineEvent::Cue(line.clone(), i),
                );
            }
        }
    }
}

/// Mouths of all who speak or have just spoken.
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
            && let Some(meters) = &mut character.meters
        {
            meters.hear_lips(&weights, loud, talk.clock.dt as f32);
        }
    }
}

/// Lines that are spoken go on; a line that the new version begins in the same words is not said twice.
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
