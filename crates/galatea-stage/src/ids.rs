//! Ids and identities for what scripts create.

use serde::{Deserialize, Serialize};

use galatea_character::Identity;

/// Generates ids and identities without duplicates.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ids {
    last: u64,
    /// Number of unnamed identities created so far, by kind.
    made: Vec<(String, u32)>,
}

impl Default for Ids {
    fn default() -> Self {
        Self {
            last: 1,
            made: Vec::new(),
        }
    }
}

impl Ids {
    /// A new id, unique on the stage.
    pub fn new_id(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// The last new id.
    pub(super) fn last(&self) -> u64 {
        self.last
    }

    /// The identity of a new item: by its name, or else by its kind and the number of items of this kind created before.
    pub fn identify(&mut self, name: Option<&str>, kind: &str) -> Identity {
        if let Some(name) = name {
            return name.into();
        }
        let number = match self.made.iter_mut().find(|(known, _)| known == kind) {
            Some((_, n)) => {
                *n += 1;
                *n
            }
            None => {
                self.made.push((kind.to_owned(), 0));
                0
            }
        };
        Identity::declared(kind, number)
    }

    /// For a script that starts again: ids continue, identities restart.
    pub(super) fn for_new_script(&self) -> Self {
        Self {
            last: self.last,
            made: Vec::new(),
        }
    }
}
