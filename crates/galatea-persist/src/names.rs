//! Names that are constants of the program (`&'static str`), written as text and found again in a list.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Reads a name that is one of `known`.
///
/// # Errors
/// Returns the error of the deserializer, and fails if the name is unknown.
pub fn one_of<'de, D: Deserializer<'de>>(
    deserializer: D,
    known: impl IntoIterator<Item = &'static str>,
) -> Result<&'static str, D::Error> {
    let name = String::deserialize(deserializer)?;
    found(&name, known).map_err(D::Error::custom)
}

/// Finds a name in a list.
///
/// # Errors
/// Fails if the name is not in the list.
pub fn found(
    name: &str,
    known: impl IntoIterator<Item = &'static str>,
) -> Result<&'static str, String> {
    let mut known = known.into_iter();
    known
        .find(|known| *known == name)
        .ok_or_else(|| format!("the name {name:?} is unknown"))
}
