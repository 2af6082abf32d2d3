//! Identifies characters over hot reloads.

use std::borrow::Cow;
use std::fmt;

use galatea_asset::ModelKey;

/// Identifies a character over hot reloads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CharacterKey {
    /// Name that the script gave it.
    Named(String),
    /// Without a name: the source of its model and its number among the characters of that.
    Numbered(ModelKey, u32),
}

impl CharacterKey {
    /// Name for people: the script's own, or file or form with the number.
    pub fn shown_name(&self) -> Cow<'_, str> {
        match self {
            Self::Named(name) => Cow::Borrowed(name),
            Self::Numbered(source, n) => Cow::Owned(format!("{}#{n}", source.name())),
        }
    }

    /// The name that the script gave it.
    pub fn own_name(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            Self::Numbered(..) => None,
        }
    }
}

/// Text that is different for each key; `=` marks a script's own name.
impl fmt::Display for CharacterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) => write!(f, "={name}"),
            Self::Numbered(source, n) => write!(f, "{source}#{n}"),
        }
    }
}

impl From<&str> for CharacterKey {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

impl From<String> for CharacterKey {
    fn from(name: String) -> Self {
        Self::Named(name)
    }
}
