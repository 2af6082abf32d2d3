//! Speech and lip sync: text to timed phones, phones to mouth shapes (visemes), and phones recognised in recordings.
//!
//! [`text::Pronouncer`] looks up or guesses the pronunciation of each word. [`text::timing::estimated`] gives every sound a
//! duration; the result is a [`track::SpeechTrack`] of timed words, phones and viseme cues. For a recording,
//! [`acoustic`] recognises the phones or aligns known words to it. [`mouth::Mouth`] blends the cues of a track into viseme
//! weights at any time. [`plan::plan`] does all of this for one line, from whatever there is: text, recording or
//! both. A line may hold marks such as `{smile}` or `[look=door]words[/]`; [`marks::parse`] reads them, and [`line::Line`] says
//! when each happens.
//!
//! ```
//! use galatea_speech::mouth::{Mouth, MouthOptions};
//! use galatea_speech::phone::Phone::M;
//! use galatea_speech::text::{spoken, timing::estimated};
//! use galatea_speech::viseme::Viseme;
//!
//! let words = spoken("mama");
//! assert_eq!(words[0].phones()[0], M);
//!
//! // Rate 1 is about 4.5 syllables per second.
//! let track = estimated(&words, 1.0, &[]);
//! let m = track.phones.iter().find(|timed| timed.phone == M).unwrap();
//! assert!(m.start < m.end && m.end < track.duration);
//!
//! // The lips are shut in the middle of the "m".
//! let mouth = Mouth::of_track(&track, &MouthOptions::default());
//! let weights = mouth.sample((m.start + m.end) / 2.0);
//! assert!(weights[Viseme::PP as usize] > 0.5);
//! ```
//!
//! English words are looked up in the dictionary that [`text::dictionary::install`] was given, such as that of the crate
//! `galatea-english`. Without one, rules pronounce English as they do other languages.
//!
//! # Dependencies
//!
//! Depends on `galatea-math`. Knows no files, no sound card, no Lua and no clock: samples and text go in, tracks come
//! out. [`exchange`] parses the bytes of other programs' lip-sync files; the caller reads the files. The neural network
//! that recognises phones is built into this crate.

pub mod acoustic;
pub mod amplitude;
pub mod exchange;
pub mod lag;
pub mod line;
mod loudness;
pub mod marks;
pub mod mouth;
pub mod phone;
mod placed;
pub mod plan;
pub mod silent;
pub mod text;
pub mod track;
pub mod viseme;
