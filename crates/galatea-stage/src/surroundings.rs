//! Input of secondary motion, apart from characters.

use super::{CameraRig, Floor};

/// Input of moving hair and cloth, apart from characters.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'s> {
    pub floor: &'s Floor,
    pub camera: &'s CameraRig,
    /// Stage time, seconds.
    pub time: f64,
}
