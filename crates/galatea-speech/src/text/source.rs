//! A language as its file writes it.

use super::forms::TextForms;

/// How numbers are read.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// A whole number in words.
    pub cardinal: fn(u64) -> String,
    /// "2nd" in words.
    pub ordinal: Option<fn(u64) -> String>,
    /// What stands behind a number to make it one.
    pub ordinal_marks: &'static [&'static str],
    /// A year in words, where that differs: for numbers of four digits.
    pub year: Option<fn(u64) -> Option<String>>,
    /// Stands before what is less than one.
    pub mark: char,
    /// Parts thousands.
    pub group: char,
    /// The word for the mark.
    pub point: &'static str,
    /// The word for a minus.
    pub minus: &'static str,
    /// The word for %.
    pub percent: &'static str,
    /// Signs of money: one, many.
    pub money: &'static [(char, &'static str, &'static str)],
}

impl Numbers {
    /// None at all: digits say nothing.
    pub const NONE: Self = Self {
        cardinal: |_| String::new(),
        ordinal: None,
        ordinal_marks: &[],
        year: None,
        mark: '.',
        group: ',',
        point: "",
        minus: "",
        percent: "",
        money: &[],
    };
}

/// A language as its file writes it down.
#[derive(Debug)]
pub(super) struct LanguageSource {
    /// Of ISO 639, with a region where there are several: "es-419".
    pub code: &'static str,
    /// Other names, in small letters; the first is the one that is shown.
    pub names: &'static [&'static str],
    /// The language whose rules follow its own; it has all from there that it does not say.
    pub base: Option<&'static str>,
    pub vowels: &'static str,
    pub front: &'static str,
    /// What `=` stands for.
    pub endings: &'static str,
    pub rules: &'static [&'static str],
    pub stress: &'static str,
    /// Words that no rule reads right: `word sounds`, parted by `;`.
    pub words: &'static str,
    /// Words with accents, or written without theirs, as `words`; looked up before the dictionary.
    pub accented: &'static str,
    /// How signs, units and short forms are read.
    pub forms: &'static TextForms,
    /// Names of a to z, parted by `;`.
    pub letters: &'static str,
    /// `short long`, parted by `;`.
    pub abbreviations: &'static str,
    pub numbers: Numbers,
    /// Parts of a word before an apostrophe are read by themselves.
    pub elides: bool,
}

impl LanguageSource {
    /// Without anything.
    pub const NONE: Self = Self {
        code: "",
        names: &[],
        base: None,
        vowels: "",
        front: "",
        endings: "",
        rules: &[],
        stress: "",
        words: "",
        accented: "",
        forms: &TextForms::NONE,
        letters: "",
        abbreviations: "",
        numbers: Numbers::NONE,
        elides: false,
    };
}
