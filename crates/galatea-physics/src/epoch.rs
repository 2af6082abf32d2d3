//! Epochs of worlds. A body id is valid only in the epoch in which it was given.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Deserializer};

/// The next epoch.
static EPOCH: AtomicU64 = AtomicU64::new(0);

/// Returns an epoch that no world of this process has had.
pub(super) fn new_epoch() -> u64 {
    EPOCH.fetch_add(1, Ordering::Relaxed)
}

/// Reads the epoch of a saved world, which keeps it. Worlds that are made later get other epochs.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let epoch = u64::deserialize(deserializer)?;
    EPOCH.fetch_max(epoch.saturating_add(1), Ordering::Relaxed);
    Ok(epoch)
}
