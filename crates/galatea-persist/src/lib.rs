//! Writes values to bytes and reads them again, with serde and MessagePack.
//!
//! Structs are written with the names of their fields, so a later version may add fields with `#[serde(default)]`.
//!
//! A part that several places share is written once. Annotate such fields with `#[serde(with = "galatea_persist::shared")]`;
//! after reading, they share the part again.
//!
//! ```
//! use galatea_persist::{decode, encode, no_externals, shared};
//! use serde::{Deserialize, Serialize};
//! use std::sync::Arc;
//!
//! #[derive(Serialize, Deserialize)]
//! struct Pair {
//!     #[serde(with = "shared")]
//!     left: Arc<Vec<f32>>,
//!     #[serde(with = "shared")]
//!     right: Option<Arc<Vec<f32>>>,
//! }
//!
//! let left = Arc::new(vec![1.0, 2.0]);
//! let pair = Pair { right: Some(left.clone()), left };
//! let read: Pair = decode(&encode(&pair)?, no_externals)?;
//! assert!(read.right.is_some_and(|right| Arc::ptr_eq(&right, &read.left)));
//! # Ok::<(), galatea_persist::PersistError>(())
//! ```
//!
//! A type that is not written, such as a model loaded from a file, implements [`shared::SharedPart`]: it writes a key and finds
//! the value again with [`external`].
//!
//! # Dependencies
//!
//! `serde`, `rmp-serde` and `thiserror`; no other crate of Galatea.

pub mod array;
pub mod bytes;
mod code;
mod context;
mod error;
pub mod names;
pub mod shared;
pub mod sorted;
#[cfg(test)]
mod tests;

pub use code::{decode, encode, encode_without_names, no_externals};
pub use context::{ExternalValue, external};
pub use error::PersistError;
