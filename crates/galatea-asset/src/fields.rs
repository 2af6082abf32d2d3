//! Fields of objects that users write into files, read one by one, with errors in words.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::limits::is_sound;
use galatea_math::names::nearest_hint;

/// The most metres, kilograms, or kilograms per cubic metre that are taken for meant.
const MOST: f32 = 1e5;

/// One field with its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct JsonField<'a> {
    /// What it is called.
    pub name: &'a str,
    /// What it is set to.
    pub value: &'a Value,
}

impl JsonField<'_> {
    /// Why its value cannot be meant.
    pub fn wrong(&self, wanted: &str) -> String {
        format!("its {:?} is {}, not {wanted}", self.name, self.value)
    }

    /// What is no field of the object, with the one of `known` that may be meant.
    pub fn unknown(&self, known: &[&str]) -> String {
        let hint = nearest_hint(self.name, known.iter().copied());
        format!("there is no field {:?}{hint}", self.name)
    }

    pub fn truth(&self) -> Result<bool, String> {
        let truth = self.value.as_bool();
        truth.ok_or_else(|| self.wrong("true or false"))
    }

    /// A text that is not empty.
    pub fn text(&self) -> Result<String, String> {
        let text = self.value.as_str().filter(|text| !text.is_empty());
        text.map(str::to_owned).ok_or_else(|| self.wrong("a name"))
    }

    /// A number within a range.
    pub fn within(&self, range: RangeInclusive<f32>, wanted: &str) -> Result<f32, String> {
        let n = number(self.value).filter(|n| range.contains(n));
        n.ok_or_else(|| self.wrong(wanted))
    }

    /// A length, a mass or a density.
    pub fn above_0(&self, wanted: &str) -> Result<f32, String> {
        let n = number(self.value).filter(|n| is_size(*n));
        n.ok_or_else(|| self.wrong(wanted))
    }

    /// Several lengths.
    pub fn sizes<const N: usize>(&self, wanted: &str) -> Result<[f32; N], String> {
        let sizes =
            numbers(self.value).filter(|sizes: &[f32; N]| sizes.iter().all(|n| is_size(*n)));
        sizes.ok_or_else(|| self.wrong(wanted))
    }

    /// Several numbers.
    pub fn numbers<const N: usize>(&self, wanted: &str) -> Result<[f32; N], String> {
        numbers(self.value).ok_or_else(|| self.wrong(wanted))
    }

    /// One of the words that are known.
    pub fn word<T: Copy>(&self, known: &[(&str, T)]) -> Result<T, String> {
        let text = self.value.as_str();
        let found = known.iter().find(|(word, _)| Some(*word) == text);
        found.map(|(_, meant)| *meant).ok_or_else(|| {
            let words = known.iter().map(|(word, _)| *word);
            let hint = nearest_hint(text.unwrap_or_default(), words);
            format!("its {:?} is {}{hint}", self.name, self.value)
        })
    }
}

/// Reads `true`, `false` or an object. `None` for what is neither, which is told through `warn`.
pub(super) fn truth_or_object<'a>(
    value: &'a Value,
    warn: &mut dyn FnMut(String),
) -> Option<Result<bool, &'a Map<String, Value>>> {
    match value {
        Value::Bool(truth) => Some(Ok(*truth)),
        Value::Object(fields) => Some(Err(fields)),
        other => {
            warn(format!(
                "it is {other}, not true, false or an object; left out"
            ));
            None
        }
    }
}

/// Sets every field of an object. Those that cannot be set are left out and told through `warn`.
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

/// Exactly so many numbers.
pub(super) fn numbers<const N: usize>(value: &Value) -> Option<[f32; N]> {
    let list = value.as_array().filter(|list| list.len() == N)?;
    let list: Option<Vec<f32>> = list.iter().map(number).collect();
    list?.try_into().ok()
}

fn is_size(n: f32) -> bool {
    n > 0.0 && n <= MOST
}
