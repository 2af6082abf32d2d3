//! A line ready to be spoken: its timing, its mouth, and the times of the marks.

use serde::{Deserialize, Serialize};

use super::marks::{InlineMark, Marked};
use super::mouth::{Mouth, MouthOptions};
use super::phoneme::Phoneme;
use super::silent;
use super::track::SpeechTrack;
use galatea_math::clamp::ClampTo as _;

/// A line ready to be spoken. Immutable; shared by all characters that speak it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The text without marks.
    pub text: String,
    /// Words, phones and visemes with their times.
    pub track: SpeechTrack,
    /// The mouth animation.
    pub mouth: Mouth,
    /// Marks with their times, in order of time.
    pub items: Vec<Item>,
    /// Times at phrase ends where the line can be interrupted, seconds, ascending; the last is its end.
    pub cuts: Vec<f32>,
}

/// A timed action in a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Start time relative to the line, seconds; negative if it begins before the first word.
    pub t: f32,
    /// Duration, seconds, if the mark gives one.
    pub duration: Option<f32>,
    /// Strength, 0..=1, if the mark gives one.
    pub intensity: Option<f32>,
    /// Probability that it happens, 0..=1.
    pub chance: f32,
    /// Action.
    pub action: MarkAction,
}

/// The action of a mark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum MarkAction {
    /// Shows an expression.
    Show(String),
    /// Turns eyes and head to a named target.
    Look(String),
    /// Plays a gesture whose stroke is at a given time.
    Gesture {
        /// Name of a clip or of a head movement: nod, shake, tilt.
        name: String,
        /// Time of the stroke, seconds.
        stroke: f32,
    },
    /// Changes the lasting mood.
    Mood(String),
    /// Blinks.
    Blink,
    /// Emits an event for the script.
    Event {
        /// Name of the event.
        name: String,
        /// Fields of the event.
        fields: Vec<(String, String)>,
    },
}

/// The point at which a line is interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CutPoint {
    /// Immediately.
    Now,
    /// At the end of the word.
    Word,
    /// At the end of the phrase.
    Phrase,
}

/// Names of head movements that gestures may use.
pub const HEAD_MOVES: [&str; 4] = ["beat", "nod", "shake", "tilt"];
/// Minimum duration of a silence at which a line may be cut, seconds.
const MIN_CUT_GAP: f32 = 0.12;

impl Line {
    /// Creates a line: gives each mark of a text the time of the word.
    pub fn new(marked: &Marked, track: SpeechTrack, mouth: &MouthOptions) -> Self {
        let mut items: Vec<Item> = Vec::new();
        for (i, mark) in marked.marks.iter().enumerate() {
            if let Some(item) = item(mark, span(marked, i, &track), &track) {
                items.push(item);
            }
        }
        items.sort_by(|a, b| a.t.total_cmp(&b.t));
        Self {
            text: marked.text.clone(),
            mouth: Mouth::of_track(&track, mouth),
            cuts: cuts(&marked.text, &track),
            items,
            track,
        }
    }

    /// Adds actions and further points where the line may be cut.
    pub fn add(&mut self, items: Vec<Item>, cuts: Vec<f32>) {
        self.items.extend(items);
        self.items.sort_by(|a, b| a.t.total_cmp(&b.t));
        let last = self.track.duration;
        self.cuts.extend(cuts.into_iter().filter(|cut| *cut < last));
        self.cuts.sort_by(f32::total_cmp);
    }

    /// Returns the next time from `t` on at which the line may be cut.
    pub(crate) fn cut_after(&self, t: f32) -> f32 {
        let next = self.cuts.iter().find(|cut| **cut >= t);
        next.copied().unwrap_or(self.track.duration)
    }

    /// Returns the start of the phrase at `t`: the last cut point before it.
    pub fn phrase_before(&self, t: f32) -> f32 {
        let last = self.cuts.iter().rev().find(|cut| **cut < t - 0.05);
        last.copied().unwrap_or(0.0)
    }

    /// Returns the end of the line when it is interrupted at `t`.
    pub fn cut_at(&self, t: f32, how: CutPoint) -> f32 {
        match how {
            CutPoint::Now => t,
            CutPoint::Word => self.word_end(t),
            CutPoint::Phrase => self.cut_after(t),
        }
    }

    /// Returns the time of an interruption by another speaker: from `after` seconds on, or after about six tenths of the
    /// line. If no phrase ends early enough, the line is cut at the end of a word, so that something is left unsaid.
    pub fn broken_at(&self, how: CutPoint, after: Option<f32>) -> f32 {
        let (from, to) = self.voiced();
        let t = after.unwrap_or(from + 0.6 * (to - from)).clamp_to(from, to);
        let is_inner = |cut: &f32| (from + 0.1..to - 0.05).contains(cut);
        let near = |ends: &mut dyn Iterator<Item = f32>| {
            let inner = ends.filter(is_inner);
            match after {
                Some(_) => inner.filter(|end| *end >= t).min_by(f32::total_cmp),
                None => inner.min_by(|a, b| (a - t).abs().total_cmp(&(b - t).abs())),
            }
        };
        let words = || near(&mut self.track.words.iter().map(|word| word.end));
        let found = match how {
            CutPoint::Now => None,
            CutPoint::Word => words(),
            CutPoint::Phrase => near(&mut self.cuts.iter().copied()).or_else(words),
        };
        found.unwrap_or(t)
    }

    /// Returns start and end of the audible part, without the silence before the first and after the last phone.
    pub fn voiced(&self) -> (f32, f32) {
        let mut sounds = self
            .track
            .phonemes
            .iter()
            .filter(|p| p.phoneme != Phoneme::Sil);
        let words = &self.track.words;
        let first = sounds.clone().next().map(|sound| sound.start);
        let last = sounds.next_back().map(|sound| sound.end);
        let first = first.or_else(|| Some(words.first()?.start)).unwrap_or(0.0);
        let last = last.or_else(|| Some(words.last()?.end));
        let last = last.unwrap_or(self.track.duration);
        (first, last.max(first))
    }

    /// Returns true when the phrase that ends at `t` is a question.
    pub fn ends_question(&self, t: f32) -> bool {
        let words = &self.track.words;
        let Some(last) = words.iter().rposition(|word| word.start < t - 1e-3) else {
            return false;
        };
        let range = |i: usize| words.get(i).and_then(|word| word.range.clone());
        let from = range(last).map_or(0, |range| range.end);
        let to = range(last + 1).map_or(self.text.len(), |range| range.start);
        let between = self.text.get(from..to).unwrap_or_default();
        between.contains('?')
    }

    /// Returns the end of the word spoken at `t`, or `t` itself between words.
    pub(crate) fn word_end(&self, t: f32) -> f32 {
        let word = self.track.word_at(t).and_then(|i| self.track.words.get(i));
        word.map_or(t, |word| word.end)
    }
}

/// Returns start and end of mark `i`, seconds. Without words, they follow from its position in the text.
fn span(marked: &Marked, i: usize, track: &SpeechTrack) -> (f32, f32) {
    let Some(mark) = marked.marks.get(i) else {
        return (0.0, 0.0);
    };
    if track.words.is_empty() {
        let at = |byte: usize| silent::time_of(marked, byte, i, track.duration);
        return (at(mark.range.start), at(mark.range.end));
    }
    let range = |i: usize| track.words.get(i).and_then(|word| word.range.clone());
    // A mark belongs to the first word that ends after it.
    let first =
        (0..track.words.len()).find(|i| range(*i).is_some_and(|r| r.end > mark.range.start));
    let start = match first.and_then(|i| track.words.get(i)) {
        Some(word) => word.start,
        None => track.words.last().map_or(track.duration, |word| word.end),
    };
    let last =
        (0..track.words.len()).rfind(|i| range(*i).is_some_and(|r| r.start < mark.range.end));
    let end = match last.and_then(|i| track.words.get(i)) {
        Some(word) if mark.range.end > mark.range.start => word.end.max(start),
        _ => start,
    };
    (start, end)
}

/// Returns the time of a gesture's stroke: the stressed vowel of the last stressed word it covers. The stroke of a gesture
/// falls on or just before the stressed word (McNeill 1992, Kendon 2004).
fn stroke(mark: &InlineMark, track: &SpeechTrack, (start, end): (f32, f32)) -> f32 {
    let within = |t: &f32| (start - 0.01..=end + 0.01).contains(t);
    let mut stresses = track
        .words
        .iter()
        .filter_map(|word| word.stress)
        .filter(within);
    stresses.next_back().unwrap_or_else(|| {
        let words = track.words.iter().filter(|word| word.start >= start - 0.01);
        let word = words.into_iter().find(|word| word.end <= end + 0.01);
        word.map_or(start, |word| word.start + 0.35 * (word.end - word.start))
    }) + mark.delay
}

fn item(mark: &InlineMark, (start, end): (f32, f32), track: &SpeechTrack) -> Option<Item> {
    let value = mark.value.as_deref();
    let over = mark.spans.then_some(end - start);
    let mut seconds = mark.seconds.or(over);
    let mut t = start + mark.delay;
    let does = if mark.is_gesture || mark.name == "gesture" {
        let name = if mark.is_gesture {
            mark.name.as_str()
        } else {
            value?
        };
        let stroke = stroke(mark, track, (start, end.max(start + 1e-3)));
        // A gesture begins before its stroke; the gesture itself determines the lead time.
        t = stroke;
        seconds = mark.seconds;
        MarkAction::Gesture {
            name: name.to_owned(),
            stroke,
        }
    } else {
        match (mark.name.as_str(), value) {
            ("pause", _) => return None,
            ("look", value) => MarkAction::Look(value.unwrap_or("away").to_owned()),
            ("mood", value) => MarkAction::Mood(value.unwrap_or("neutral").to_owned()),
            ("blink", None) => MarkAction::Blink,
            ("event", Some(name)) => MarkAction::Event {
                name: name.to_owned(),
                fields: mark.fields.clone(),
            },
            (name, Some(kind)) => MarkAction::Show(format!("{name}_{kind}")),
            (name, None) if HEAD_MOVES.contains(&name) => MarkAction::Gesture {
                name: name.to_owned(),
                stroke: start + mark.delay,
            },
            (name, None) => MarkAction::Show(name.to_owned()),
        }
    };
    Some(Item {
        t,
        duration: seconds,
        intensity: mark.strength,
        chance: mark.chance,
        action: does,
    })
}

/// Returns the times at which a line may be cut: in silences, and after punctuation.
fn cuts(text: &str, track: &SpeechTrack) -> Vec<f32> {
    let mut cuts: Vec<f32> = Vec::new();
    for pair in track.words.windows(2) {
        let [a, b] = pair else { continue };
        let between = match (&a.range, &b.range) {
            (Some(a), Some(b)) => text.get(a.end..b.start).unwrap_or_default(),
            _ => "",
        };
        let stops = between.contains(|c: char| ".,;:!?…—–-\"".contains(c));
        if stops || b.start - a.end >= MIN_CUT_GAP {
            cuts.push(a.end);
        }
    }
    if track.words.is_empty() {
        let silent = track
            .phonemes
            .iter()
            .filter(|timed| timed.phoneme == Phoneme::Sil);
        let long =
            silent.filter(|timed| timed.end - timed.start >= MIN_CUT_GAP && timed.start > 0.0);
        cuts.extend(long.map(|timed| timed.start));
    }
    cuts.push(track.duration);
    cuts.sort_by(f32::total_cmp);
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marks::parse;
    use crate::track::TimedWord;

    /// Each word takes half a second, with a pause of half a second after each sentence; the stress is 0.2 s after the
    /// word's start.
    fn spoken(text: &str) -> (Marked, SpeechTrack) {
        let marked = parse(text).unwrap();
        let (mut words, mut t, mut at) = (Vec::new(), 0.2, 0);
        for word in marked.text.split(' ') {
            let bare = word.trim_end_matches(['.', ',', '!', '?']);
            words.push(TimedWord {
                text: bare.to_owned(),
                start: t,
                end: t + 0.5,
                range: Some(at..at + bare.len()),
                stress: Some(t + 0.2),
                confidence: None,
            });
            t += if word.ends_with('.') { 1.0 } else { 0.5 };
            at += word.len() + 1;
        }
        let track = SpeechTrack {
            duration: t + 0.3,
            words,
            ..SpeechTrack::default()
        };
        (marked, track)
    }

    fn line(text: &str) -> Line {
        let (marked, track) = spoken(text);
        Line::new(&marked, track, &MouthOptions::default())
    }

    #[test]
    fn marks_of_a_line_without_words_are_timed_by_text_position() {
        let times = |text: &str| {
            let marked = parse(text).unwrap();
            let line = Line::new(&marked, silent::track(&marked), &MouthOptions::default());
            let times: Vec<f32> = line.items.iter().map(|item| item.t).collect();
            (times, line.track.duration)
        };
        assert_eq!(times("{smile}").0, [0.0]);
        assert_eq!(times("{smile}…").0, [0.0]);
        let (found, duration) = times("{smile}*** {pause 2}{blink}***{event=end}");
        // 7 bytes are read in 1.4 seconds, with two seconds of pause before the last three of them.
        assert!((duration - 3.4).abs() < 1e-4);
        let expected = [0.0, 1.4 * 4.0 / 7.0 + 2.0, 3.4];
        for (t, expected) in found.iter().zip(expected) {
            assert!((t - expected).abs() < 1e-4, "{found:?}");
        }
    }

    #[test]
    fn marks_start_at_their_words_and_strokes_are_on_the_stress() {
        let line = line(
            "Oh, {brow:up}it is [beat]you[/]. {look=door} {smile x0.5}Come in{/smile} {event=bow deep=yes}",
        );
        let seen: Vec<(i32, Option<i32>, &MarkAction)> = line
            .items
            .iter()
            .map(|i| {
                (
                    (i.t * 100.0).round() as i32,
                    i.duration.map(|s| (s * 100.0).round() as i32),
                    &i.action,
                )
            })
            .collect();
        let show = |name: &str| MarkAction::Show(name.into());
        assert_eq!(
            seen,
            [
                (70, None, &show("brow_up")),
                (
                    190,
                    None,
                    &MarkAction::Gesture {
                        name: "beat".into(),
                        stroke: line.items[1].t
                    }
                ),
                (270, None, &MarkAction::Look("door".into())),
                (270, Some(100), &show("smile")),
                (
                    370,
                    None,
                    &MarkAction::Event {
                        name: "bow".into(),
                        fields: vec![("deep".into(), "yes".into())]
                    }
                ),
            ]
        );
        assert_eq!(line.items[3].intensity, Some(0.5));
    }

    #[test]
    fn marks_move_with_late_words() {
        let (marked, mut track) = spoken("one {smile}two three");
        for word in track.words.iter_mut().skip(1) {
            word.start += 0.7;
            word.end += 0.7;
        }
        let line = Line::new(&marked, track, &MouthOptions::default());
        assert!((line.items[0].t - 1.4).abs() < 1e-5);
    }

    #[test]
    fn a_line_is_cut_between_phrases() {
        let line = line("Well, one two. Three four");
        let cuts: Vec<i32> = line
            .cuts
            .iter()
            .map(|c| (c * 100.0).round() as i32)
            .collect();
        assert_eq!(cuts, [70, 170, 350]);
        assert_eq!(line.cut_after(0.8), line.cuts[1]);
        assert_eq!(line.cut_after(99.0), line.track.duration);
        assert_eq!(line.phrase_before(2.4), line.cuts[1]);
        assert_eq!(line.phrase_before(0.3), 0.0);
        assert!((line.word_end(0.9) - 1.2).abs() < 1e-5);
        assert_eq!(line.word_end(1.9), 1.9);
    }

    #[test]
    fn interruptions_leave_something_unsaid() {
        let line = line("Well, one two. Three four five");
        let near = |a: f32, b: f32| assert!((a - b).abs() < 1e-4, "{a} {b}");
        near(line.voiced().0, 0.2);
        near(line.voiced().1, 3.7);
        // Six tenths are at 2.3 s.
        near(line.broken_at(CutPoint::Phrase, None), 1.7);
        near(line.broken_at(CutPoint::Word, None), 2.7);
        near(line.broken_at(CutPoint::Now, None), 2.3);
        near(line.broken_at(CutPoint::Phrase, Some(0.4)), 0.7);
        near(line.broken_at(CutPoint::Phrase, Some(2.0)), 2.7);
        near(line.broken_at(CutPoint::Word, Some(4.0)), 3.7);
        near(line.cut_at(0.9, CutPoint::Word), 1.2);
        assert_eq!(line.cut_at(0.9, CutPoint::Phrase), line.cuts[1]);
    }

    #[test]
    fn a_question_is_recognised_by_its_question_mark() {
        let line = line("You? Here! Why");
        let ends: Vec<bool> = [0.7, 1.2, 2.0].map(|t| line.ends_question(t)).to_vec();
        assert_eq!(ends, [true, false, false]);
        assert!(!line.ends_question(0.1));
    }

    #[test]
    fn marks_without_words_start_at_zero_and_incomplete_marks_are_left_out() {
        let marked = parse("{smile}{pause 2}{gesture}").unwrap();
        let line = Line::new(
            &marked,
            SpeechTrack {
                duration: 1.5,
                ..SpeechTrack::default()
            },
            &MouthOptions::default(),
        );
        assert_eq!(line.items.len(), 1);
        assert_eq!(line.items[0].t, 0.0);
        assert_eq!(line.cuts, [1.5]);
    }
}
