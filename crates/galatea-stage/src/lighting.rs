//! The light of a stage.

use super::frame::Light;
use super::{Arena, StageLamp};
use galatea_character::Character;

/// Sun, sky and lamps.
#[derive(Clone, Debug, Default)]
pub struct Lighting {
    /// Sun and sky; its list of lamps is empty.
    pub light: Light,
    /// Lamps.
    pub lamps: Arena<StageLamp>,
}

impl Lighting {
    /// As at first, for a new version of the script: handles of lamps are not given out again at once.
    pub(super) fn for_new_script(&self) -> Self {
        Self {
            light: Light::default(),
            lamps: self.lamps.emptied(),
        }
    }

    /// Keeps where lamps are, for interpolation.
    pub(super) fn begin(&mut self) {
        for (_, lamp) in self.lamps.iter_mut() {
            lamp.begin();
        }
    }

    /// Moves carried lamps to their bones. A lamp stays where it is when its holder is gone.
    pub(super) fn follow(&mut self, characters: &Arena<Character>) {
        for (_, lamp) in self.lamps.iter_mut() {
            lamp.follow(characters);
        }
    }
}
