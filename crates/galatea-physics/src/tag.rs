//! The tag on a collider: owner, part, marks, and the parts that it passes through.

use rapier3d::prelude::Collider;

/// Whose a body is: a number that its user chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Owner(pub u64);

impl Owner {
    /// Nobody: the floor's.
    pub const NOBODY: Self = Self(u64::MAX);
}

/// Which parts of its own owner a body passes through, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Apart(pub u32);

impl Apart {
    /// It meets all of them.
    pub const NONE: Self = Self(0);
}

/// What is written on a collider: whose it is, which of its owner's parts, and which of them it passes
/// through.
pub(super) fn tag(owner: Owner, part: u16, apart: Apart) -> u128 {
    u128::from(owner.0) | u128::from(part) << 64 | u128::from(apart.0) << 96
}

/// Marks on a collider besides whose it is: a thing that sticks, and the capsule of one who walks. The two pass
/// through each other, since arrows go by the shape that is seen.
pub(super) const STICKS: u128 = 1 << 80;
pub(super) const CAPSULE: u128 = 1 << 81;
/// Mark of a capsule around limbs that are bodies too: thrown bodies collide with the limbs, not with the capsule.
pub(super) const HOLLOW: u128 = 1 << 82;

/// Whether a collider has a mark.
pub(super) fn is_marked(collider: &Collider, mark: u128) -> bool {
    collider.user_data & mark != 0
}

/// Whose a collider is and which part.
pub(super) fn owner_of(collider: &Collider) -> (Owner, u16) {
    let tag = collider.user_data;
    (Owner(tag as u64), (tag >> 64) as u16)
}
