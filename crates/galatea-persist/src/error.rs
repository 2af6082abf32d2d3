//! Errors of writing and reading.

use thiserror::Error;

/// Error of writing or reading a value.
#[derive(Debug, Error)]
pub enum PersistError {
    /// The value could not be written.
    #[error("cannot write the state: {0}")]
    Write(#[from] rmp_serde::encode::Error),
    /// The bytes are damaged, or another version wrote them.
    #[error("cannot read the state: {0}")]
    Read(#[from] rmp_serde::decode::Error),
    /// `encode` or `decode` was called by code that one of them runs.
    #[error("a value is already being written or read on this thread")]
    Nested,
}
