//! Numbers and identities for what a script makes.

use galatea_character::Identity;

/// Gives out numbers and identities, none of them twice.
#[derive(Clone, Debug)]
pub struct Ids {
    last: u64,
    /// The number of the last of each kind that was made without a name.
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
    /// A number that nothing else on the stage has.
    pub fn new_id(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// The identity of something new of a kind: by its name, without one by how many of the kind were made before.
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

    /// For a script that runs from its beginning: its numbers are new, its identities those of the run before.
    pub(super) fn for_new_script(&self) -> Self {
        Self {
            last: self.last,
            made: Vec::new(),
        }
    }
}
