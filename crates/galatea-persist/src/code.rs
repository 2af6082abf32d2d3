//! Writing to bytes, and reading them.

use std::rc::Rc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::context::{ExternalValue, begin_read, begin_write};
use super::error::PersistError;

/// Maximum depth of nested values. A deeper value would overflow the stack.
const MAX_DEPTH: usize = 200;

/// Writes a value.
///
/// # Errors
/// Fails if a part cannot be written, or if called while this thread writes or reads another value.
pub fn encode(value: &impl Serialize) -> Result<Vec<u8>, PersistError> {
    let _guard = begin_write()?;
    Ok(rmp_serde::to_vec_named(value)?)
}

/// Same as [`encode`], without the names of fields: smaller and faster, for values that the same program reads again.
///
/// # Errors
/// As [`encode`].
pub fn encode_without_names(value: &impl Serialize) -> Result<Vec<u8>, PersistError> {
    let _guard = begin_write()?;
    Ok(rmp_serde::to_vec(value)?)
}

/// Reads a value that [`encode`] or [`encode_without_names`] wrote. `resolver` finds values that are not written, by kind and key; see
/// [`external`](crate::external).
///
/// # Errors
/// Fails if the bytes are damaged, if the resolver fails, or if called while this thread writes or reads another value.
pub fn decode<T: DeserializeOwned>(
    bytes: &[u8],
    resolver: impl Fn(&str, &str) -> Result<ExternalValue, String> + 'static,
) -> Result<T, PersistError> {
    let _guard = begin_read(Rc::new(resolver))?;
    let mut deserializer = rmp_serde::Deserializer::from_read_ref(bytes);
    deserializer.set_max_depth(MAX_DEPTH);
    Ok(T::deserialize(&mut deserializer)?)
}

/// Resolver for values without externals.
///
/// # Errors
/// Fails always.
pub fn no_externals(kind: &str, key: &str) -> Result<ExternalValue, String> {
    Err(format!("the {kind} {key:?} is not available"))
}
