//! Lighting of a stage.

use serde::{Deserialize, Serialize};

use super::frame::Light;
use super::{Arena, StageLight};
use galatea_character::Character;

/// Sun, sky and lights.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Lighting {
    /// Sun and sky; its own list of lights is empty.
    pub light: Light,
    /// Point and spot lights.
    pub local_lights: Arena<StageLight>,
}

impl Lighting {
    /// The defaults, for a new version of the script; current handles of lights are not reused at once.
    pub(super) fn for_new_script(&self) -> Self {
        Self {
            light: Light::default(),
            local_lights: self.local_lights.emptied(),
        }
    }

    /// Stores the positions of lights, for interpolation.
    pub(super) fn begin(&mut self) {
        for (_, lamp) in self.local_lights.iter_mut() {
            lamp.begin();
        }
    }

    /// Moves attached lights to their bones. A light stays where it is when its holder is gone.
    pub(super) fn follow(&mut self, characters: &Arena<Character>) {
        for (_, lamp) in self.local_lights.iter_mut() {
            lamp.follow(characters);
        }
    }
}
