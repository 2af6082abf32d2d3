//! Arrays of any length: `#[serde(with = "galatea_persist::array")]`. Serde itself writes arrays of at most 32 values.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes an array as a list.
///
/// # Errors
/// Returns the error of the serializer.
pub fn serialize<T: Serialize, S: Serializer, const N: usize>(
    values: &[T; N],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    values.as_slice().serialize(serializer)
}

/// Reads an array.
///
/// # Errors
/// Returns the error of the deserializer, and fails if the length differs.
pub fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>, const N: usize>(
    deserializer: D,
) -> Result<[T; N], D::Error> {
    let values = Vec::<T>::deserialize(deserializer)?;
    let n = values.len();
    let array = values.try_into();
    array.map_err(|_| D::Error::invalid_length(n, &format!("{N} values").as_str()))
}
