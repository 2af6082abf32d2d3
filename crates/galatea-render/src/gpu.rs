//! The adapter, the device and their state.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::adapter::{AdapterFacts, Means};
use super::choice;
use super::device::{Device, PipelineCache};
use super::gpu_error::GpuError;
use super::gpu_memory::GpuMemory;
use galatea_math::phases::PHASE;

/// A graphics device and its queue.
pub struct Gpu {
    /// Creates surfaces.
    pub instance: wgpu::Instance,
    /// The chosen graphics card or software renderer.
    pub adapter: wgpu::Adapter,
    /// Creates resources.
    pub device: Device,
    /// Receives commands.
    pub queue: wgpu::Queue,
    /// Name, driver and backend of the adapter.
    pub info: wgpu::AdapterInfo,
    means: Means,
    state: Arc<DeviceState>,
}

#[derive(Default)]
struct DeviceState {
    lost: AtomicBool,
    first_error: Mutex<Option<String>>,
}

impl DeviceState {
    fn record_error(&self, error: &wgpu::Error) {
        tracing::error!("graphics: {error}");
        if let Ok(mut first) = self.first_error.lock() {
            first.get_or_insert_with(|| error.to_string());
        }
    }
}

impl Gpu {
    /// Opens a device without a window. `WGPU_BACKEND` (vulkan, metal, dx12) selects the graphics API.
    ///
    /// # Errors
    /// If there is no adapter, no adapter meets the requirements, or the device cannot be created.
    pub fn headless() -> Result<Self, GpuError> {
        Self::headless_as(|_| {})
    }

    /// Same as [`Gpu::headless`], but `change` can remove capabilities of the adapter first.
    ///
    /// # Errors
    /// Same as [`Gpu::headless`].
    pub fn headless_as(change: impl Fn(&mut AdapterFacts)) -> Result<Self, GpuError> {
        Self::request(choice::instance(), None, change)
    }

    /// Opens a device that can draw to a window, and creates the window's surface.
    ///
    /// # Errors
    /// Same as [`Gpu::headless`], or if the window does not support drawing.
    pub fn for_window(
        window: impl Into<wgpu::SurfaceTarget<'static>>,
    ) -> Result<(Self, wgpu::Surface<'static>), GpuError> {
        let instance = choice::instance();
        let surface = instance.create_surface(window)?;
        let gpu = Self::request(instance, Some(&surface), |_| {})?;
        Ok((gpu, surface))
    }

    fn request(
        instance: wgpu::Instance,
        surface: Option<&wgpu::Surface<'static>>,
        change: impl Fn(&mut AdapterFacts),
    ) -> Result<Self, GpuError> {
        let _phase = tracing::info_span!(target: PHASE, "open the graphics device").entered();
        let (adapter, means) = choose(&instance, surface, change)?;
        let info = adapter.get_info();
        if !means.without.is_empty() {
            tracing::warn!(
                "{} draws without {}",
                info.name,
                means.without.join("; without ")
            );
        }
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("galatea"),
            required_features: means.features,
            required_limits: means.limits.clone(),
            // The default reserves blocks of hundreds of megabytes.
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        }))
        .map_err(|source| GpuError::NoDevice {
            name: info.name.clone(),
            source,
        })?;
        let state = Arc::new(DeviceState::default());
        let seen = Arc::clone(&state);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            seen.record_error(&error)
        }));
        let seen = Arc::clone(&state);
        device.set_device_lost_callback(move |reason, message| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                tracing::error!("graphics device lost: {message}");
            }
            seen.lost.store(true, Ordering::Relaxed);
        });
        tracing::info!("drawing with {} ({:?})", info.name, info.backend);
        Ok(Self {
            instance,
            adapter,
            device: Device::new(device),
            queue,
            info,
            means,
            state,
        })
    }

    /// Features and limits in use, and the fallbacks for missing features.
    pub fn means(&self) -> &Means {
        &self.means
    }

    /// Returns the memory that the device has allocated; `None` if the graphics API does not report it.
    pub fn memory(&self) -> Option<GpuMemory> {
        let report = self.device.generate_allocator_report()?;
        Some(GpuMemory::of(&report))
    }

    /// File name, without extension, for the data of [`Gpu::restore_pipelines`]. `None` if the device has no pipeline cache.
    pub fn pipelines_name(&self) -> Option<String> {
        let has = self.means.features.contains(wgpu::Features::PIPELINE_CACHE);
        wgpu::util::pipeline_cache_key(&self.info).filter(|_| has)
    }

    /// Restores the pipeline cache from [`PipelineCache::bytes`] of an earlier run. Pipelines created from now on are added
    /// to it. Returns `None` if the device has no pipeline cache.
    pub fn restore_pipelines(&mut self, bytes: Option<&[u8]>) -> Option<PipelineCache> {
        self.device.restore(bytes)
    }

    /// Runs `make` and returns its result; `None` if the device ran out of memory. All other errors are reported as usual.
    pub fn within_memory<T>(&self, make: impl FnOnce() -> T) -> Option<T> {
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        // Views and bind groups of a texture that failed to allocate are invalid. These errors need no report.
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let made = make();
        let invalid = pollster::block_on(validation.pop());
        if pollster::block_on(memory.pop()).is_some() {
            return None;
        }
        if let Some(error) = invalid {
            self.state.record_error(&error);
        }
        Some(made)
    }

    /// Returns true once the device is lost (driver reset, card removed, destroyed). Create a new [`Gpu`] and all its
    /// resources again.
    pub fn is_lost(&self) -> bool {
        self.state.lost.load(Ordering::Relaxed)
    }

    /// Polls the state of the device.
    ///
    /// # Errors
    /// If the device is lost.
    pub(super) fn check(&self) -> Result<(), GpuError> {
        // A caller that waits gets the failure as its own error.
        let _ = self.device.poll(wgpu::PollType::Poll);
        if self.is_lost() {
            return Err(GpuError::Lost);
        }
        Ok(())
    }

    /// Returns the first unexpected error of the graphics API, once. All errors are also logged.
    pub fn take_error(&self) -> Option<String> {
        self.state.first_error.lock().ok()?.take()
    }

    /// Returns true if the CPU renders. Expensive quality settings can then be lowered.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }
}

/// Chooses the adapter that the system prefers, or another one if that one lacks a required feature.
fn choose(
    instance: &wgpu::Instance,
    surface: Option<&wgpu::Surface<'static>>,
    change: impl Fn(&mut AdapterFacts),
) -> Result<(wgpu::Adapter, Means), GpuError> {
    let weigh = |adapter: &wgpu::Adapter| {
        let mut facts = AdapterFacts::of(adapter);
        change(&mut facts);
        facts.means()
    };
    let requested = choice::requested_adapter(instance, surface)?;
    let is_requested = requested.is_some();
    let preferred = match requested {
        Some(adapter) => adapter,
        None => pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: surface,
            ..Default::default()
        }))?,
    };
    let lacking = match weigh(&preferred) {
        Ok(means) => return Ok((preferred, means)),
        Err(lacking) => lacking.join("; "),
    };
    let info = preferred.get_info();
    let others = pollster::block_on(instance.enumerate_adapters(choice::backends()));
    let fitting = others
        .into_iter()
        // A requested adapter is never replaced by another one.
        .filter(|_| !is_requested)
        .filter(|adapter| surface.is_none_or(|surface| adapter.is_surface_supported(surface)))
        .find_map(|adapter| Some((weigh(&adapter).ok()?, adapter)));
    match fitting {
        Some((means, adapter)) => {
            tracing::warn!(
                "{} with {} lacks {lacking}; {} is used instead",
                info.name,
                info.backend,
                adapter.get_info().name
            );
            Ok((adapter, means))
        }
        None => Err(GpuError::Unfit {
            name: info.name,
            backend: info.backend,
            lacking,
        }),
    }
}
