//! The graphics driver, which `./x test` provides.

use galatea::render::{Gpu, GpuError};

/// A device, or `None` with a message if the machine has no adapter.
pub fn gpu() -> Option<Gpu> {
    match Gpu::headless() {
        Ok(gpu) => Some(gpu),
        Err(why @ (GpuError::NoAdapter(_) | GpuError::Unfit { .. })) => {
            let required = std::env::var_os("GALATEA_REQUIRE_ALL").is_some();
            assert!(!required, "a graphics driver is required: {why}");
            println!("SKIPPED: this machine has no graphics adapter to draw with: {why}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}
