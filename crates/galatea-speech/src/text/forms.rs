//! How a language reads signs, units and short forms. Languages without a table read letters and digits only.

/// A written form and the words for it.
pub(crate) type WrittenForm = (&'static str, &'static str);

/// A unit behind a number: its symbol, its name for one and for many.
pub(crate) type UnitName = (&'static str, &'static str, &'static str);

/// Reads a Roman numeral by its value, its letters, and the words before and after it; `None` if it is none there.
pub(crate) type RomanReader = fn(u64, &str, &str, &str) -> Option<String>;

/// Reads a fraction by its numerator and denominator; true behind a whole number. `None` for one that is no fraction.
pub(crate) type FractionReader = fn(u64, u64, bool) -> Option<String>;

/// The tables of a language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextForms {
    /// Whole phrases, such as "w/o", in any case; longer ones before shorter ones that they begin with.
    pub phrases: &'static [WrittenForm],
    /// Abbreviations with a dot before a number: "No. 5".
    pub before_numbers: &'static [WrittenForm],
    /// Abbreviations with a capital and a dot before a small letter, a number or a comma, or alone: "Mon. at 9".
    pub before_small: &'static [WrittenForm],
    /// Abbreviations that mean something else behind a name: "Main St."
    pub after_names: &'static [WrittenForm],
    /// Signs between words or numbers.
    pub signs: &'static [(char, &'static str)],
    /// Units behind a number.
    pub units: &'static [UnitName],
    /// Factors behind an amount of money: "$3bn".
    pub scales: &'static [WrittenForm],
    /// Hundredths of money: its sign, one, many.
    pub cents: &'static [(char, &'static str, &'static str)],
    /// Halves of the day behind an hour, in small letters without dots, and their words.
    pub half_days: &'static [WrittenForm],
    /// Names of the months in small letters; none if dates are not read.
    pub months: &'static [&'static str],
    /// The word between feet and inches; empty if heights are not read so.
    pub foot: &'static str,
    /// Words of at most three letters, separated by blanks, that are read as words in capitals too.
    pub capital_words: &'static str,
    /// Words, separated by blanks, that are spelt in capitals.
    pub initialisms: &'static str,
    /// Words, separated by blanks, that are spelt in capitals behind "the".
    pub behind_the: &'static str,
    /// Three consonants with which a word can begin, separated by blanks.
    pub clusters: &'static str,
    /// Interjections and their phones, separated by `;`. Where a letter is doubled or longer, it stands here once.
    pub interjections: &'static str,
    /// The plural of a number in words: "nineteen nineties".
    pub plural: Option<fn(&str) -> String>,
    /// A fraction.
    pub fraction: Option<FractionReader>,
    /// A time of day by its hour and minute, with or without a half of the day behind it.
    pub clock: Option<fn(u64, u64, bool) -> String>,
    /// A Roman numeral.
    pub roman: Option<RomanReader>,
}

impl TextForms {
    /// Without anything.
    pub const NONE: Self = Self {
        phrases: &[],
        before_numbers: &[],
        before_small: &[],
        after_names: &[],
        signs: &[],
        units: &[],
        scales: &[],
        cents: &[],
        half_days: &[],
        months: &[],
        foot: "",
        capital_words: "",
        initialisms: "",
        behind_the: "",
        clusters: "",
        interjections: "",
        plural: None,
        fraction: None,
        clock: None,
        roman: None,
    };

    /// The words for a sign.
    pub fn sign(&self, c: char) -> Option<&'static str> {
        let mut signs = self.signs.iter();
        signs.find(|(own, _)| *own == c).map(|(_, words)| *words)
    }
}

/// The words of a written form in a table, in any case.
pub(crate) fn form(table: &[WrittenForm], written: &str) -> Option<&'static str> {
    let mut all = table.iter();
    let found = all.find(|(own, _)| own.eq_ignore_ascii_case(written));
    found.map(|(_, words)| *words)
}
