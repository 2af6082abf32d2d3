/// Errors of the graphics device.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// There is no driver, or not the one named by `WGPU_BACKEND`.
    #[error(
        "no graphics adapter found: {0}\n(install a Vulkan, Metal or Direct3D 12 driver; on Linux, mesa-vulkan-drivers works without a graphics card)"
    )]
    NoAdapter(#[from] wgpu::RequestAdapterError),
    /// No adapter has the requested name.
    #[error("no graphics adapter has {name:?} in its name; available: {there}")]
    NoSuchAdapter {
        /// Requested name.
        name: String,
        /// Names of all adapters.
        there: String,
    },
    /// The adapter refused to create a device.
    #[error("{name}: {source}")]
    NoDevice {
        /// Name of the adapter.
        name: String,
        /// Error of the driver.
        source: wgpu::RequestDeviceError,
    },
    /// The adapter lacks features that have no fallback.
    #[error(
        "{name} cannot draw with {backend}; it lacks {lacking}\n(install a Vulkan, Metal or Direct3D 12 driver, or choose one with --backend vulkan, metal or dx12; on Linux, mesa-vulkan-drivers works without a graphics card)"
    )]
    Unfit {
        /// Name of the adapter.
        name: String,
        /// Graphics API of the adapter.
        backend: wgpu::Backend,
        /// Missing features, as text for the user.
        lacking: String,
    },
    /// The window does not support drawing.
    #[error("cannot draw to this window: {0}")]
    Surface(#[from] wgpu::CreateSurfaceError),
    /// The image size is 0 or above the device's limit.
    #[error("cannot draw {width} × {height} pixels; each side must be from 1 to {largest}")]
    Size {
        /// Width, pixels.
        width: u32,
        /// Height, pixels.
        height: u32,
        /// Maximum side that the device can draw, pixels.
        largest: u32,
    },
    /// The textures do not fit into the device's memory.
    #[error(
        "the graphics device has too little memory to draw {width} × {height} pixels; use a smaller size or a lower quality (--quality low)"
    )]
    Memory {
        /// Width, pixels.
        width: u32,
        /// Height, pixels.
        height: u32,
    },
    /// The device is lost: driver reset or card removed.
    #[error("the graphics device was lost")]
    Lost,
    /// Reading back the result failed.
    #[error("cannot read from the graphics device: {0}")]
    Readback(String),
}
