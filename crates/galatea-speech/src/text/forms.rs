//! Tables of symbols, units and abbreviations of a language. Languages without a table read only letters and digits.

/// A written form and the words for it.
pub(crate) type WrittenForm = (&'static str, &'static str);

/// A unit after a number: its symbol, singular and plural name.
pub(crate) type UnitName = (&'static str, &'static str, &'static str);

/// Reads a Roman numeral, given its value, its letters, and the words before and after it; `None` if it is not a numeral
/// there.
pub(crate) type RomanReader = fn(u64, &str, &str, &str) -> Option<String>;

/// Reads a fraction, given numerator, denominator, and true after a whole number. `None` if it is not a fraction.
pub(crate) type FractionReader = fn(u64, u64, bool) -> Option<String>;

/// The tables of a language.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextForms {
    /// Whole phrases, such as "w/o", in any case; a longer phrase must come before its prefix.
    pub phrases: &'static [WrittenForm],
    /// Abbreviations with a dot before a number: "No. 5".
    pub before_numbers: &'static [WrittenForm],
    /// Capitalised abbreviations with a dot before a lower-case letter, a number or a comma, or alone: "Mon. at 9".
    pub before_small: &'static [WrittenForm],
    /// Abbreviations with another meaning after a name: "Main St."
    pub after_names: &'static [WrittenForm],
    /// Symbols between words or numbers.
    pub signs: &'static [(char, &'static str)],
    /// Units after a number.
    pub units: &'static [UnitName],
    /// Factors after an amount of money: "$3bn".
    pub scales: &'static [WrittenForm],
    /// Currency subunits: symbol, singular, plural.
    pub cents: &'static [(char, &'static str, &'static str)],
    /// Day halves after an hour, in lower case without dots, with their words.
    pub half_days: &'static [WrittenForm],
    /// Names of the months in lower case; empty if dates are not read.
    pub months: &'static [&'static str],
    /// Word between feet and inches; empty if heights are not read.
    pub foot: &'static str,
    /// Words of at most three letters, separated by spaces, that are read as words even in capitals.
    pub capital_words: &'static str,
    /// Words, separated by spaces, that are spelt in capitals.
    pub initialisms: &'static str,
    /// Words, separated by spaces, that are spelt in capitals after "the".
    pub behind_the: &'static str,
    /// Three-consonant clusters that can begin a word, separated by spaces.
    pub clusters: &'static str,
    /// Interjections and their phones, separated by `;`. Repeated letters are written once.
    pub interjections: &'static str,
    /// Returns the plural of a number in words: "nineteen nineties".
    pub plural: Option<fn(&str) -> String>,
    /// Reads a fraction.
    pub fraction: Option<FractionReader>,
    /// Reads a time of day from hour, minute, and true if a day half follows.
    pub clock: Option<fn(u64, u64, bool) -> String>,
    /// Reads a Roman numeral.
    pub roman: Option<RomanReader>,
}

impl TextForms {
    /// Empty tables.
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

    /// Returns the words for a symbol.
    pub fn sign(&self, c: char) -> Option<&'static str> {
        let mut signs = self.signs.iter();
        signs.find(|(own, _)| *own == c).map(|(_, words)| *words)
    }
}

/// Looks up the words of a written form in a table, in any case.
pub(crate) fn form(table: &[WrittenForm], written: &str) -> Option<&'static str> {
    let mut all = table.iter();
    let found = all.find(|(own, _)| own.eq_ignore_ascii_case(written));
    found.map(|(_, words)| *words)
}
