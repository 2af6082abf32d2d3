//! Identity of script-made objects across hot reloads.

use serde::{Deserialize, Serialize};

/// Identifies an object that a script made, across hot reloads; unique among objects of the same kind on the stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Identity {
    /// Name given by the script.
    Named(String),
    /// No name: the file of a character or the kind of another object, and the number of such objects created before it.
    Declared {
        /// File or kind, with the number.
        label: String,
        /// Number of such objects created before, from 0.
        number: u32,
    },
    /// A part of a character, for example the bones that a cloth moves.
    PartOf {
        /// Identity of the character.
        whole: Box<Identity>,
        /// Name of the part.
        part: String,
    },
}

impl Identity {
    /// Returns the name given by the script, if any.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            Self::Declared { .. } | Self::PartOf { .. } => None,
        }
    }

    /// Returns the identity of the `number`th unnamed object of a kind.
    pub fn declared(kind: &str, number: u32) -> Self {
        let label = format!("{kind}#{number}");
        Self::Declared { label, number }
    }

    /// Returns the name shown to people.
    pub fn label(&self) -> &str {
        match self {
            Self::Named(name) => name,
            Self::Declared { label, .. } => label,
            Self::PartOf { part, .. } => part,
        }
    }

    /// Returns a hash (FNV-1a, 64 bits) that is stable across hot reloads, platforms and program versions.
    pub fn seed(&self) -> u64 {
        // Named objects hash a "=" prefix. This must not change, because seeds must stay the same.
        let prefix = self.name().map_or("", |_| "=");
        prefix
            .bytes()
            .chain(self.label().bytes())
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
    }
}

impl Default for Identity {
    /// Returns the identity of an object that is not on a stage.
    fn default() -> Self {
        Self::declared("", 0)
    }
}

impl From<&str> for Identity {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_and_declared_identities_differ_and_seeds_are_stable() {
        let (named, declared) = (
            Identity::from("hero.glb#0"),
            Identity::declared("hero.glb", 0),
        );
        assert_ne!(named, declared);
        assert_eq!(named.label(), declared.label());
        assert_eq!(Identity::from("Ann").seed(), 0x0b34_2312_078d_ce43);
    }
}
