//! Reads fields of JSON objects in user-written files, with errors for users.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::limits::is_sound;
use galatea_math::names::nearest_hint;

/// Limit of a plausible value in metres, kilograms, or kilograms per cubic metre.
const MAX_SIZE: f32 = 1e5;

/// One field with its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct JsonField<'a> {
    /// Name of the field.
    pub name: &'a str,
    /// Value of the field.
    pub value: &'a Value,
}

impl JsonField<'_> {
    /// Error: the value is invalid; `expected` describes a valid one.
    pub fn wrong(&self, expected: &str) -> String {
        format!(
            "field {:?} is {}, expected {expected}",
            self.name, self.value
        )
    }

    /// Error: the field is unknown; suggests the most similar name of `known`.
    pub fn unknown(&self, known: &[&str]) -> String {
        let hint = nearest_hint(self.name, known.iter().copied());
        format!("unknown field {:?}{hint}", self.name)
    }

    pub fn boolean(&self) -> Result<bool, String> {
        let boolean = self.value.as_bool();
        boolean.ok_or_else(|| self.wrong("true or false"))
    }

    /// A text that must not be empty.
    pub fn text(&self) -> Result<String, String> {
        let text = self.value.as_str().filter(|text| !text.is_empty());
        text.map(str::to_owned).ok_or_else(|| self.wrong("a name"))
    }

    /// A number within a range.
    pub fn within(&self, range: RangeInclusive<f32>, expected: &str) -> Result<f32, String> {
        let n = number(self.value).filter(|n| range.contains(n));
        n.ok_or_else(|| self.wrong(expected))
    }

    /// A length, mass or density: a number above 0.
    pub fn above_0(&self, expected: &str) -> Result<f32, String> {
        let n = number(self.value).filter(|n| is_size(*n));
        n.ok_or_else(|| self.wrong(expected))
    }

    /// Several lengths.
    pub fn sizes<const N: usize>(&self, expected: &str) -> Result<[f32; N], String> {
        let sizes =
            numbers(self.value).filter(|sizes: &[f32; N]| sizes.iter().all(|n| is_size(*n)));
        sizes.ok_or_else(|| self.wrong(expected))
    }

    /// Several numbers.
    pub fn numbers<const N: usize>(&self, expected: &str) -> Result<[f32; N], String> {
        numbers(self.value).ok_or_else(|| self.wrong(expected))
    }

    /// One of the words in `known`.
    pub fn word<T: Copy>(&self, known: &[(&str, T)]) -> Result<T, String> {
        let text = self.value.as_str();
        let found = known.iter().find(|(word, _)| Some(*word) == text);
        found.map(|(_, meant)| *meant).ok_or_else(|| {
            let words = known.iter().map(|(word, _)| *word);
            let hint = nearest_hint(text.unwrap_or_default(), words);
            format!(
                "field {:?} has the unknown value {}{hint}",
                self.name, self.value
            )
        })
    }
}

/// Reads `true`, `false` or an object. Reports any other value through `warn` and returns `None`.
pub(super) fn boolean_or_object<'a>(
    value: &'a Value,
    warn: &mut dyn FnMut(String),
) -> Option<Result<bool, &'a Map<String, Value>>> {
    match value {
        Value::Bool(boolean) => Some(Ok(*boolean)),
        Value::Object(fields) => Some(Err(fields)),
        other => {
            warn(format!(
                "expected true, false or an object, got {other}; left out"
            ));
            None
        }
    }
}

/// Sets every field of an object. Skips invalid fields and reports them through `warn`.
pub(super) fn set_all(
    fields: &Map<String, Value>,
    warn: &mut dyn FnMut(String),
    mut set: impl FnMut(JsonField) -> Result<(), String>,
) {
    for (name, value) in fields {
        if let Err(cause) = set(JsonField { name, value }) {
            warn(format!("{cause}; left out"));
        }
    }
}

/// A number within the [limits](super::limits).
pub(super) fn number(value: &Value) -> Option<f32> {
    value.as_f64().map(|n| n as f32).filter(|n| is_sound(*n))
}

/// Exactly `N` numbers.
pub(super) fn numbers<const N: usize>(value: &Value) -> Option<[f32; N]> {
    let list = value.as_array().filter(|list| list.len() == N)?;
    let list: Option<Vec<f32>> = list.iter().map(number).collect();
    list?.try_into().ok()
}

fn is_size(n: f32) -> bool {
    n > 0.0 && n <= MAX_SIZE
}
