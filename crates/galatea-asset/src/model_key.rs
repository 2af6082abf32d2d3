//! Keys of model sources.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Source of a model: a file, or a generated primitive.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ModelKey {
    /// Path of a file as the script gave it, with its import options if there are any.
    File(String),
    /// Kind and sizes of a [`PrimitiveMesh`](crate::PrimitiveMesh), such as `box 1 1 1`.
    Primitive(String),
}

galatea_persist::plain_parts!(ModelKey);

impl ModelKey {
    /// Path or shape name, without a prefix for the variant.
    pub fn name(&self) -> &str {
        match self {
            Self::File(name) | Self::Primitive(name) => name,
        }
    }
}

impl fmt::Display for ModelKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.write_str(path),
            Self::Primitive(form) => write!(f, "form:{form}"),
        }
    }
}

impl From<&str> for ModelKey {
    fn from(path: &str) -> Self {
        Self::File(path.to_owned())
    }
}

impl From<String> for ModelKey {
    fn from(path: String) -> Self {
        Self::File(path)
    }
}
