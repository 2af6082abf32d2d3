//! Speech and lip sync: text to timed phones, phones to mouth shapes (visemes), and phones recognised in recordings.
//!
//! [`text::Pronouncer`] looks up or guesses the pronunciation of each word. [`text::timing::estimated`] gives every phone a
//! duration; the result is a [`track::SpeechTrack`] of timed words, phones and viseme cues. For a recording, [`acoustic`]
//! recognises the phones or aligns known words to it. [`mouth::Mouth`] blends the cues of a track into viseme weights at any
//! time. [`plan::plan`] does all of this for one line, from text, a recording or both. A line may contain marks such as
//! `{smile}` or `[look=door]words[/]`; [`marks::parse`] reads them, and [`line::Line`] contains their times.
//!
//! ```
//! use galatea_speech::mouth::{Mouth, MouthOptions};
//! use galatea_speech::phoneme::Phoneme::M;
//! use galatea_speech::text::{spoken, timing::estimated};
//! use galatea_speech::viseme::Viseme;
//!
//! let words = spoken("mama");
//! assert_eq!(words[0].phonemes()[0], M);
//!
//! // Rate 1 is about 4.5 syllables per second.
//! let track = estimated(&words, 1.0, &[]);
//! let m = track.phonemes.iter().find(|timed| timed.phoneme == M).unwrap();
//! assert!(m.start < m.end && m.end < track.duration);
//!
//! // The lips are closed in the middle of the "m".
//! let mouth = Mouth::of_track(&track, &MouthOptions::default());
//! let weights = mouth.sample((m.start + m.end) / 2.0);
//! assert!(weights[Viseme::PP as usize] > 0.5);
//! ```
//!
//! English words are looked up in the dictionary passed to [`text::dictionary::install`], such as that of the crate
//! `galatea-english`. Without a dictionary, rules pronounce English as for other languages.
//!
//! # Dependencies
//!
//! Depends on `galatea-math`. Uses no files, sound card, Lua or clock: the input is samples and text, the output is tracks.
//! [`exchange`] parses lip-sync files of other programs; the caller reads the files. The neural network that recognises
//! phones is built into this crate.

pub mod acoustic;
pub mod amplitude;
pub mod exchange;
pub mod lag;
pub mod line;
mod loudness;
pub mod marks;
pub mod mouth;
pub mod phoneme;
mod placed;
pub mod plan;
pub mod silent;
pub mod text;
pub mod track;
pub mod viseme;
