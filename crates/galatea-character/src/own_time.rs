//! Speed and kind of a character's time.

use serde::{Deserialize, Serialize};

/// The time that moves a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeBase {
    /// Stage time, which pauses and slow motion change.
    #[default]
    Stage,
    /// Unscaled time.
    Unscaled,
}

/// Speed and kind of a character's time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnTime {
    /// Factor on the speed of animation, modifiers, springs and controller, 0 to [`OwnTime::MAX_SCALE`].
    pub scale: f64,
    /// True if the script lets it follow unscaled time.
    pub is_unscaled: bool,
    /// Time that the character follows in this tick. An attached model follows the time of the holder, and a character with
    /// simulated limbs follows stage time.
    pub base: TimeBase,
}

impl Default for OwnTime {
    fn default() -> Self {
        Self {
            scale: 1.0,
            is_unscaled: false,
            base: TimeBase::Stage,
        }
    }
}

impl OwnTime {
    /// Maximum factor on the speed.
    pub const MAX_SCALE: f64 = 4.0;

    /// Seconds that pass for the character in a tick of `dt` seconds.
    pub fn passed(&self, dt: f64) -> f64 {
        dt * self.scale
    }

    /// Seconds since the start of a tick, after `own` seconds of the character's time.
    pub fn offset(&self, own: f64) -> f64 {
        match self.scale > 0.0 {
            true => own / self.scale,
            false => 0.0,
        }
    }
}
