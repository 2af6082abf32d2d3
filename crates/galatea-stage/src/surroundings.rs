//! What secondary motion depends on, apart from characters.

use super::{CameraRig, Floor};

/// What moving hair and cloth depends on, apart from characters.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'s> {
    pub floor: &'s Floor,
    pub camera: &'s CameraRig,
    /// Stage time, seconds.
    pub time: f64,
}
