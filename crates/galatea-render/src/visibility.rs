//! Visibility of instances and of crowd agents in one frame and its shadow maps.

/// Visibility of an instance of a model.
#[derive(Clone, Copy, Debug)]
pub struct SeenInstance {
    /// Index into the frame's models.
    pub instance: u32,
    pub in_view: bool,
    /// Bit `i`: it casts into view `i`.
    pub views: u64,
}

/// [`VisibleAgent::picture`] of an agent that is drawn as a model.
pub const NO_PICTURE: u32 = u32::MAX;

/// Visibility of an agent of a crowd.
#[derive(Clone, Copy, Debug)]
pub struct VisibleAgent {
    pub in_view: bool,
    /// Bit `i`: it casts into view `i`.
    pub views: u64,
    /// Level of detail.
    pub level: u8,
    /// Its impostor: pose and view, or [`NO_PICTURE`].
    pub picture: u32,
    /// Distance along the view, metres.
    pub distance: f32,
}
