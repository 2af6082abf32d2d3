//! How something that a script made is recognized after a hot reload.

/// Identifies what a script made over hot reloads, among others of its kind on the stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Identity {
    /// The script's own name for it.
    Named(String),
    /// Without a name: the file of a character, or the kind of anything else, and how many of that were made before it.
    Declared {
        /// The file or the kind, and the number.
        label: String,
        /// From 0.
        number: u32,
    },
    /// A part of a character: bones that a cloth moves, for example.
    PartOf {
        /// The character.
        whole: Box<Identity>,
        /// Names the part.
        part: String,
    },
}

impl Identity {
    /// The script's own name.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name) => Some(name),
            Self::Declared { .. } | Self::PartOf { .. } => None,
        }
    }

    /// The `number`th of a kind, without a name.
    pub fn declared(kind: &str, number: u32) -> Self {
        let label = format!("{kind}#{number}");
        Self::Declared { label, number }
    }

    /// What people call it.
    pub fn label(&self) -> &str {
        match self {
            Self::Named(name) => name,
            Self::Declared { label, .. } => label,
            Self::PartOf { part, .. } => part,
        }
    }

    /// A hash (FNV-1a, 64 bits) that stays the same over hot reloads, platforms and versions of the program.
    pub fn seed(&self) -> u64 {
        // Names begin with a sign of their own, as in all versions so far: seeds must not change.
        let sign = self.name().map_or("", |_| "=");
        sign.bytes()
            .chain(self.label().bytes())
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
    }
}

impl Default for Identity {
    /// Of what is not on a stage.
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
    fn a_name_is_never_the_same_as_a_kind_and_seeds_stay() {
        let (named, declared) = (
            Identity::from("hero.glb#0"),
            Identity::declared("hero.glb", 0),
        );
        assert_ne!(named, declared);
        assert_eq!(named.label(), declared.label());
        assert_eq!(Identity::from("Ann").seed(), 0x0b34_2312_078d_ce43);
    }
}
