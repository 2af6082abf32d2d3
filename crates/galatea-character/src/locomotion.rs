//! Locomotion of one character: root motion and turns in place.

use serde::{Deserialize, Serialize};

use super::motion_warp::MotionWarp;
use super::placement::RootMotion;
use super::turns::Turns;

/// Movement of a character through the world, driven by its clips.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Locomotion {
    /// Root motion of the last tick.
    pub root_motion: RootMotion,
    /// True if root motion moves the character; otherwise the code that reads `root_motion` does.
    pub apply_root_motion: bool,
    /// Motion warping target.
    pub motion_warp: Option<MotionWarp>,
    /// Turns in place, once they were switched on.
    pub turning_in_place: Option<Box<Turns>>,
}

impl Default for Locomotion {
    fn default() -> Self {
        Self {
            root_motion: RootMotion::default(),
            apply_root_motion: true,
            motion_warp: None,
            turning_in_place: None,
        }
    }
}

impl Locomotion {
    /// Returns true while the character turns towards its gaze target.
    pub fn is_turning_to_look(&self) -> bool {
        self.turning_in_place
            .as_ref()
            .is_some_and(|turns| turns.follows())
    }

    /// Returns true when the character turns in place or may start to, so that its turns must be advanced.
    pub fn may_turn(&self) -> bool {
        self.turning_in_place
            .as_ref()
            .is_some_and(|turns| turns.may_turn())
    }
}
