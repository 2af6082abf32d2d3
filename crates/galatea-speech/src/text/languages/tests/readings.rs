//! Texts that are pronounced differently from how they are written, and their expected readings.

use crate::text::language::english;
use crate::text::{SpokenWord, spoken};

/// Returns the phones of a reading: words, [letters], /phones/.
fn expected(reading: &str) -> String {
    let mut all = Vec::new();
    let mut plain = String::new();
    let mut rest = reading;
    let names = |words: &[SpokenWord]| -> Vec<String> {
        let sounds = words.iter().flat_map(|word| &word.sounds);
        sounds
            .map(|sound| sound.phoneme.name().to_owned())
            .collect()
    };
    while let Some(at) = rest.find(['[', '/']) {
        plain += &rest[..at];
        all.extend(names(&spoken(&std::mem::take(&mut plain))));
        let end = if rest[at..].starts_with('[') {
            ']'
        } else {
            '/'
        };
        let (inside, behind) = rest[at + 1..].split_once(end).unwrap();
        match end {
            ']' => {
                let letters = english().spelt(inside);
                all.extend(letters.iter().map(|sound| sound.phoneme.name().to_owned()));
            }
            _ => all.extend(inside.split_whitespace().map(str::to_owned)),
        }
        rest = behind;
    }
    plain += rest;
    all.extend(names(&spoken(&plain)));
    all.join(" ")
}

#[test]
fn texts_are_read_as_people_would_read_them() {
    let rows = include_str!("readings.tsv").lines();
    let rows = rows.filter(|row| !row.is_empty() && !row.starts_with("# "));
    let (mut n, mut wrong) = (0, Vec::new());
    for row in rows {
        let (text, reading) = row.split_once('\t').unwrap();
        let words = spoken(text);
        let phones = words.iter().flat_map(|word| &word.sounds);
        let phones: Vec<&str> = phones.map(|sound| sound.phoneme.name()).collect();
        let (phones, target) = (phones.join(" "), expected(reading));
        n += 1;
        if phones != target {
            wrong.push(format!(
                "{text}: {phones}\n    expected {reading}: {target}"
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {n}\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(n >= 200, "{n}");
}
