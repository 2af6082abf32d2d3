//! The adapter, the device and what becomes of them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::adapter::{AdapterFacts, Means};
use super::choice;
use super::device::{Device, PipelineCache};
use super::gpu_error::GpuError;

/// A device to draw with, and its queue.
pub struct Gpu {
    /// Where surfaces are made.
    pub instance: wgpu::Instance,
    /// The chosen card or software renderer.
    pub adapter: wgpu::Adapter,
    /// Makes resources.
    pub device: Device,
    /// Takes commands.
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
    fn hear(&self, error: &wgpu::Error) {
        tracing::error!("graphics: {error}");
        if let Ok(mut first) = self.first_error.lock() {
            first.get_or_insert_with(|| error.to_string());
        }
    }
}

impl Gpu {
    /// A device without a window. `WGPU_BACKEND` (vulkan, metal, dx12) chooses the interface.
    ///
    /// # Errors
    /// When there is no adapter, none has what is needed, or it gives no device.
    pub fn headless() -> Result<Self, GpuError> {
        Self::headless_as(|_| {})
    }

    /// As [`Gpu::headless`], on an adapter that counts as poorer than it is: `change` takes away from what
    /// is known of it.
    ///
    /// # Errors
    /// As [`Gpu::headless`].
    pub fn headless_as(change: impl Fn(&mut AdapterFacts)) -> Result<Self, GpuError> {
        Self::request(choice::instance(), None, change)
    }

    /// A device that can draw to a window, and the window's surface.
    ///
    /// # Errors
    /// As [`Gpu::headless`], or when the window cannot be drawn to.
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
            ..Default::default()
        }))
        .map_err(|source| GpuError::NoDevice {
            name: info.name.clone(),
            source,
        })?;
        let state = Arc::new(DeviceState::default());
        let seen = Arc::clone(&state);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| seen.hear(&error)));
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

    /// What is drawn with on this adapter, and what without.
    pub fn means(&self) -> &Means {
        &self.means
    }

    /// What to call the file of [`Gpu::recall_pipelines`], without a suffix; `None` when the device keeps no
    /// pipelines.
    pub fn pipelines_name(&self) -> Option<String> {
        let has = self.means.features.contains(wgpu::Features::PIPELINE_CACHE);
        wgpu::util::pipeline_cache_key(&self.info).filter(|_| has)
    }

    /// Makes pipelines out of what [`PipelineCache::bytes`] gave in another run, as far as they are in there, and
    /// remembers those that are made from now on. `None` when the device keeps no pipelines.
    pub fn recall_pipelines(&mut self, bytes: Option<&[u8]>) -> Option<PipelineCache> {
        self.device.recall(bytes)
    }

    /// What `make` made, or `None` when the device had not the memory for it. What else goes wrong meanwhile is
    /// heard as always.
    pub fn within_memory<T>(&self, make: impl FnOnce() -> T) -> Option<T> {
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        // What is made of a texture that is not there is invalid; no news.
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let made = make();
        let invalid = pollster::block_on(validation.pop());
        if pollster::block_on(memory.pop()).is_some() {
            return None;
        }
        if let Some(error) = invalid {
            self.state.hear(&error);
        }
        Some(made)
    }

    /// True once the device is gone (driver reset, card removed, destroyed): make a new [`Gpu`] and all that
    /// was made with this one.
    pub fn is_lost(&self) -> bool {
        self.state.lost.load(Ordering::Relaxed)
    }

    /// Hears what became of the device.
    ///
    /// # Errors
    /// When it is lost.
    pub(super) fn check(&self) -> Result<(), GpuError> {
        // Whoever waits hears of a failure by itself.
        let _ = self.device.poll(wgpu::PollType::Poll);
        if self.is_lost() {
            return Err(GpuError::Lost);
        }
        Ok(())
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

/// The adapter that the system prefers, or another where that one lacks something.
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
    let asked = choice::asked(instance, surface)?;
    let is_asked = asked.is_some();
    let preferred = match asked {
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
        // In place of one that was asked for there is none.
        .filter(|_| !is_asked)
        .filter(|adapter| surface.is_none_or(|surface| adapter.is_surface_supported(surface)))
        .find_map(|adapter| Some((weigh(&adapter).ok()?, adapter)));
    match fitting {
        Some((means, adapter)) => {
            tracing::warn!(
                "{} with {} lacks {lacking}; {} draws in its place",
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
