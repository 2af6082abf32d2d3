//! The adapter, the device and what becomes of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A device to draw with, and its queue.
pub struct Gpu {
    /// Where surfaces are made.
    pub instance: wgpu::Instance,
    /// The chosen card or software renderer.
    pub adapter: wgpu::Adapter,
    /// Makes resources.
    pub device: wgpu::Device,
    /// Takes commands.
    pub queue: wgpu::Queue,
    /// Name, driver and backend of the adapter.
    pub info: wgpu::AdapterInfo,
    state: Arc<DeviceState>,
}

#[derive(Default)]
struct DeviceState {
    lost: AtomicBool,
    first_error: Mutex<Option<String>>,
}

/// Why there is no device.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// No driver, or the one named by `WGPU_BACKEND` is not there.
    #[error(
        "no graphics adapter: {0}\n(a Vulkan, Metal, Direct3D 12 or OpenGL driver is needed; \
         on Linux mesa-vulkan-drivers draws without a graphics card)"
    )]
    NoAdapter(#[from] wgpu::RequestAdapterError),
    /// The adapter is there and refuses.
    #[error("{name}: {source}")]
    NoDevice {
        /// Name of the adapter.
        name: String,
        /// What it said.
        source: wgpu::RequestDeviceError,
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
    /// The result did not come back.
    #[error("reading from the graphics device: {0}")]
    Readback(String),
}

impl Gpu {
    /// A device without a window. `WGPU_BACKEND` (vulkan, gl, …) chooses the interface.
    ///
    /// # Errors
    /// When there is no adapter or it gives no device with wgpu's default limits.
    pub fn headless() -> Result<Self, GpuError> {
        Self::request(new_instance(), None)
    }

    /// A device that can draw to a window, and the window's surface.
    ///
    /// # Errors
    /// As [`Gpu::headless`], or when the window cannot be drawn to.
    pub fn for_window(
        window: impl Into<wgpu::SurfaceTarget<'static>>,
    ) -> Result<(Self, wgpu::Surface<'static>), GpuError> {
        let instance = new_instance();
        let surface = instance.create_surface(window)?;
        let gpu = Self::request(instance, Some(&surface))?;
        Ok((gpu, surface))
    }

    fn request(
        instance: wgpu::Instance,
        surface: Option<&wgpu::Surface<'static>>,
    ) -> Result<Self, GpuError> {
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: surface,
            ..Default::default()
        }))?;
        let info = adapter.get_info();
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("galatea"),
            // Passes are timed where the device has a clock; nothing depends on it.
            required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
            required_limits: wgpu::Limits::default(),
            ..Default::default()
        }))
        .map_err(|source| GpuError::NoDevice {
            name: info.name.clone(),
            source,
        })?;
        let state = Arc::new(DeviceState::default());
        let seen = Arc::clone(&state);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            tracing::error!("graphics: {error}");
            if let Ok(mut first) = seen.first_error.lock() {
                first.get_or_insert_with(|| error.to_string());
            }
        }));
        let seen = Arc::clone(&state);
        device.set_device_lost_callback(move |reason, message| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                tracing::error!("graphics device lost: {message}");
                seen.lost.store(true, Ordering::Relaxed);
            }
        });
        tracing::info!("drawing with {} ({:?})", info.name, info.backend);
        Ok(Self {
            instance,
            adapter,
            device,
            queue,
            info,
            state,
        })
    }

    /// True once the device is gone (driver reset, card removed): make a new [`Gpu`] and all that
    /// was made with this one.
    pub fn is_lost(&self) -> bool {
        self.state.lost.load(Ordering::Relaxed)
    }

    /// The first error of the graphics interface that nobody expected, once. They are logged too.
    pub fn take_error(&self) -> Option<String> {
        self.state.first_error.lock().ok()?.take()
    }

    /// True when the processor draws: quality that costs much there can be lowered.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }
}

fn new_instance() -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env())
}
