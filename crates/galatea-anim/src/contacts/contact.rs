//! A contact of a foot with the ground, and the detection thresholds.

/// Thresholds of the contact detection. Lengths are fractions of the skeleton's rest height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactOptions {
    /// Poses sampled per second.
    pub rate: f32,
    /// Maximum height of a planted foot above the ground.
    pub height: f32,
    /// Height above which a planted foot has left the ground.
    pub leave_height: f32,
    /// Maximum difference between the velocities of a planted foot and the ground, skeleton heights per second.
    pub speed: f32,
    /// The same limit as a fraction of the ground's speed; the larger limit applies.
    pub speed_fraction: f32,
    /// Factor on the speed limit at which a planted foot leaves the ground.
    pub leave_factor: f32,
    /// Minimum duration of a contact, seconds; shorter ones are ignored.
    pub shortest: f32,
    /// Gaps within a contact shorter than this are closed, seconds.
    pub gap: f32,
    /// True if the clip loops; `None` decides by comparing the poses.
    pub looping: Option<bool>,
}

impl Default for ContactOptions {
    fn default() -> Self {
        Self {
            rate: 120.0,
            height: 0.022,
            leave_height: 0.04,
            speed: 0.16,
            speed_fraction: 0.28,
            leave_factor: 1.6,
            shortest: 0.06,
            gap: 0.05,
            looping: None,
        }
    }
}

/// A period in which a foot is planted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Index into the list of feet.
    pub foot: usize,
    /// Seconds from the clip's start.
    pub start: f32,
    /// Seconds from the clip's start; in a loop it can be beyond the clip's end.
    pub end: f32,
}
