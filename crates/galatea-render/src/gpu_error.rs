//! Errors of the graphics device.

/// Why there is no device.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// No driver, or the one named by `WGPU_BACKEND` is not there.
    #[error(
        "no graphics adapter: {0}\n(a Vulkan, Metal or Direct3D 12 driver is needed; \
         on Linux mesa-vulkan-drivers draws without a graphics card)"
    )]
    NoAdapter(#[from] wgpu::RequestAdapterError),
    /// None is called as the user asked.
    #[error("no graphics adapter whose name holds {name:?}; there are: {there}")]
    NoSuchAdapter {
        /// What was asked for.
        name: String,
        /// The names of all.
        there: String,
    },
    /// The adapter is there and refuses.
    #[error("{name}: {source}")]
    NoDevice {
        /// Name of the adapter.
        name: String,
        /// What it said.
        source: wgpu::RequestDeviceError,
    },
    /// The adapter is there and lacks what nothing can replace.
    #[error(
        "{name} cannot draw the picture with {backend}; it lacks {lacking}\n(a Vulkan, Metal or Direct3D 12 \
         driver is needed, --backend vulkan, metal or dx12 chooses among several; on Linux \
         mesa-vulkan-drivers draws without a graphics card)"
    )]
    Unfit {
        /// Name of the adapter.
        name: String,
        /// The interface that leads to it.
        backend: wgpu::Backend,
        /// What it lacks, in plain words.
        lacking: String,
    },
    /// The window cannot be drawn to.
    #[error("cannot draw to this window: {0}")]
    Surface(#[from] wgpu::CreateSurfaceError),
    /// A picture nobody can draw.
    #[error("cannot draw {width} × {height} pixels; each side is 1 to {largest}")]
    Size {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
        /// What the device draws at most.
        largest: u32,
    },
    /// Its textures do not fit into the device's memory.
    #[error(
        "the graphics device has not enough memory to draw {width} × {height} pixels; draw fewer, or in a \
         lower quality (--quality low)"
    )]
    Memory {
        /// Pixels.
        width: u32,
        /// Pixels.
        height: u32,
    },
    /// The device is gone: driver reset, card removed.
    #[error("the graphics device was lost")]
    Lost,
    /// The result did not come back.
    #[error("reading from the graphics device: {0}")]
    Readback(String),
}
