//! Source tables of a language.

use super::forms::TextForms;

/// Reading of numbers.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// Returns a whole number in words.
    pub cardinal: fn(u64) -> String,
    /// Returns an ordinal number ("2nd") in words.
    pub ordinal: Option<fn(u64) -> String>,
    /// Endings of ordinal numbers.
    pub ordinal_marks: &'static [&'static str],
    /// Returns a year of four digits in words, if it is read differently.
    pub year: Option<fn(u64) -> Option<String>>,
    /// Decimal mark.
    pub mark: char,
    /// Thousands separator.
    pub group: char,
    /// Word for the decimal mark.
    pub point: &'static str,
    /// Word for a minus.
    pub minus: &'static str,
    /// Word for the percent sign.
    pub percent: &'static str,
    /// Currency symbols with singular and plural name.
    pub money: &'static [(char, &'static str, &'static str)],
}

impl Numbers {
    /// Digits are silent.
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

/// The source tables of a language.
#[derive(Debug)]
pub(super) struct LanguageSource {
    /// ISO 639 code, with a region if there are variants: "es-419".
    pub code: &'static str,
    /// Other names, in lower case; the first is the display name.
    pub names: &'static [&'static str],
    /// Base language: its rules follow the language's own, and it supplies everything that is not set.
    pub base: Option<&'static str>,
    pub vowels: &'static str,
    pub front: &'static str,
    /// Word endings for `=` in rules.
    pub endings: &'static str,
    pub rules: &'static [&'static str],
    pub stress: &'static str,
    /// Words that the rules read wrong: `word phones`, separated by `;`.
    pub words: &'static str,
    /// Words with accents, or written without them, in the format of `words`; checked before the dictionary.
    pub accented: &'static str,
    /// Tables for symbols, units and abbreviations.
    pub forms: &'static TextForms,
    /// Names of a to z, separated by `;`.
    pub letters: &'static str,
    /// Abbreviations: `short long`, separated by `;`.
    pub abbreviations: &'static str,
    pub numbers: Numbers,
    /// Parts of a word before an apostrophe are read separately.
    pub elides: bool,
}

impl LanguageSource {
    /// Empty tables.
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
