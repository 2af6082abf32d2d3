//! Locomotion of one character: its root motion, and turns on the spot.

use super::placement::RootMotion;
use super::turns::Turns;
use super::warp::Warp;

/// Movement of a character through the world by its clips.
#[derive(Clone, Debug)]
pub struct Locomotion {
    /// Root motion of the last tick.
    pub root_motion: RootMotion,
    /// True when root motion moves the character; else the reader of `root_motion` does.
    pub apply_root_motion: bool,
    /// Target that bends the root motion.
    pub warp: Option<Warp>,
    /// Turns on the spot, once they were switched on.
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
    /// True while it turns to the target of its gaze.
    pub fn is_turning_to_look(&self) -> bool {
        self.turns.as_ref().is_some_and(|turns| turns.follows())
    }

    /// True when it turns on the spot, or is about to, so that it must be advanced.
    pub fn may_turn(&self) -> bool {
        self.turns.as_ref().is_some_and(|turns| turns.may_turn())
    }
}
