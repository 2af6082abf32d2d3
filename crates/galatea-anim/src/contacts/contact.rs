//! A contact of a foot with the ground, and the thresholds by which it is found.

/// How contacts are found. Lengths are shares of the skeleton's resting height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactOptions {
    /// Poses looked at per second.
    pub rate: f32,
    /// A foot nearer to the ground than this may be planted.
    pub height: f32,
    /// A planted foot farther from the ground than this has left it.
    pub leave_height: f32,
    /// A foot whose velocity differs from the ground's by less than this may be planted, heights per
    /// second.
    pub speed: f32,
    /// The same as a share of the ground's speed; the larger counts.
    pub speed_share: f32,
    /// A planted foot has left when its velocity differs by this many times more.
    pub leave_factor: f32,
    /// Shorter contacts are passed over, seconds.
    pub shortest: f32,
    /// Shorter gaps within a contact are closed, seconds.
    pub gap: f32,
    /// Whether the clip's end goes on at its start; `None` compares the poses.
    pub looping: Option<bool>,
}

impl Default for ContactOptions {
    fn default() -> Self {
        Self {
            rate: 120.0,
            height: 0.022,
            leave_height: 0.04,
            speed: 0.16,
            speed_share: 0.28,
            leave_factor: 1.6,
            shortest: 0.06,
            gap: 0.05,
            looping: None,
        }
    }
}

/// A foot that stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Index into the list of feet.
    pub foot: usize,
    /// Seconds from the clip's start.
    pub start: f32,
    /// Seconds from the clip's start; in a loop it may lie beyond the clip's end.
    pub end: f32,
}
