//! User data of a collider: owner, part, flags, and the parts that it does not collide with.

use rapier3d::prelude::Collider;
use serde::{Deserialize, Serialize};

/// Owner of a body: an opaque id chosen by the user of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Owner(pub u64);

impl Owner {
    /// Owner of the floor.
    pub const FLOOR_OWNER: Self = Self(u64::MAX);
}

/// Bit mask of the parts of the same owner that a body does not collide with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct IgnoredParts(pub u32);

impl IgnoredParts {
    /// Collides with all parts.
    pub const NONE: Self = Self(0);
}

/// Packs owner, part and non-colliding parts into user data.
pub(super) fn tag(owner: Owner, part: u16, apart: IgnoredParts) -> u128 {
    u128::from(owner.0) | u128::from(part) << 64 | u128::from(apart.0) << 96
}

/// Flags of a collider: a sticking body, and the capsule of a controller. These two do not collide, because arrows hit the
/// visible shape instead.
pub(super) const STICKING: u128 = 1 << 80;
pub(super) const CAPSULE: u128 = 1 << 81;
/// Flag of a capsule around limbs that are bodies too: thrown bodies collide with the limbs, not with the capsule.
pub(super) const HOLLOW: u128 = 1 << 82;

/// Returns true if a collider has the flag.
pub(super) fn has_flag(collider: &Collider, mark: u128) -> bool {
    collider.user_data & mark != 0
}

/// Owner and part of a collider.
pub(super) fn owner_of(collider: &Collider) -> (Owner, u16) {
    let tag = collider.user_data;
    (Owner(tag as u64), (tag >> 64) as u16)
}
