//! Where instances and people of crowds are seen in one picture.

/// Where an instance of a model is seen.
#[derive(Clone, Copy, Debug)]
pub struct SeenInstance {
    /// Index into the frame's models.
    pub instance: u32,
    pub in_view: bool,
    /// Bit i: it casts into view i.
    pub views: u64,
}

/// [`SeenPerson::picture`] of who is drawn as a model.
pub const NO_PICTURE: u32 = u32::MAX;

/// Where a person of a crowd is seen.
#[derive(Clone, Copy, Debug)]
pub struct SeenPerson {
    pub in_view: bool,
    /// Bit i: it casts into view i.
    pub views: u64,
    /// Level of detail.
    pub level: u8,
    /// Which picture of it is in its place, [`NO_PICTURE`] where it is drawn itself.
    pub picture: u32,
    /// Metres along the view.
    pub distance: f32,
}
