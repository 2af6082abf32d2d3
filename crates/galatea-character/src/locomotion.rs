//! Locomotion of one character: root motion and turns in place.

use super::placement::RootMotion;
use super::turns::Turns;
use super::warp::Warp;

/// Movement of a character through the world, driven by its clips.
#[derive(Clone, Debug)]
pub struct Locomotion {
    /// Root motion of the last tick.
    pub root_motion: RootMotion,
    /// True if root motion moves the character; otherwise the code that reads `root_motion` does.
    pub apply_root_motion: bool,
    /// Motion warping target.
    pub warp: Option<Warp>,
    /// Turns in place, once they were switched on.
    pub turns: Option<Box<Turns>>,
}

impl Default for Locomotion {
    fn default() -> Self {
        Self {
            root_motion: RootMotion::default(),
            apply_root_motion: true,
            warp: None,
            turns: None,
        }
    }
}

impl Locomotion {
    /// Returns true while the character turns towards its gaze target.
    pub fn is_turning_to_look(&self) -> bool {
        self.turns.as_ref().is_some_and(|turns| turns.follows())
    }

    /// Returns true when the character turns in place or may start to, so that its turns must be advanced.
    pub fn may_turn(&self) -> bool {
        self.turns.as_ref().is_some_and(|turns| turns.may_turn())
    }
}
