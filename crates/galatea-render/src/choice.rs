//! Choice of the graphics adapter: the user's request, else the preference of the system.

use std::sync::OnceLock;

use super::adapter::AdapterFacts;
use super::gpu_error::GpuError;

/// A graphics API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Linux, Windows and Android.
    Vulkan,
    /// macOS.
    Metal,
    /// Windows.
    Dx12,
}

impl Backend {
    /// All backends with their names.
    pub const ALL: [(&'static str, Self); 3] = [
        ("vulkan", Self::Vulkan),
        ("metal", Self::Metal),
        ("dx12", Self::Dx12),
    ];

    /// Finds a backend by its name, ignoring case.
    pub fn of(name: &str) -> Option<Self> {
        let found = Self::ALL
            .iter()
            .find(|(own, _)| name.eq_ignore_ascii_case(own));
        found.map(|(_, backend)| *backend)
    }

    const fn flag(self) -> wgpu::Backends {
        match self {
            Self::Vulkan => wgpu::Backends::VULKAN,
            Self::Metal => wgpu::Backends::METAL,
            Self::Dx12 => wgpu::Backends::DX12,
        }
    }
}

/// The adapter that the user requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdapterRequest {
    /// Graphics API; `None` allows all.
    pub backend: Option<Backend>,
    /// Part of the adapter's name, in any case.
    pub adapter: Option<String>,
}

static REQUEST: OnceLock<AdapterRequest> = OnceLock::new();

/// Requests an adapter. Call it before the first device is created; later calls have no effect.
pub fn request_adapter(requested: AdapterRequest) {
    let _ = REQUEST.set(requested);
}

/// An adapter of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterReport {
    /// Name reported by the driver.
    pub name: String,
    /// Graphics API of the adapter.
    pub backend: String,
    /// Description: graphics card, integrated graphics, software.
    pub kind: &'static str,
    /// Name and version of the driver.
    pub driver: String,
    /// Missing features without a fallback. Empty if the adapter can draw.
    pub lacking: Vec<String>,
    /// Missing features that have a fallback.
    pub without: Vec<String>,
}

/// Lists all adapters; those that can draw come first.
pub fn adapters() -> Vec<AdapterReport> {
    let instance = instance();
    let found = pollster::block_on(instance.enumerate_adapters(backends()));
    let mut all: Vec<AdapterReport> = found.iter().map(report).collect();
    all.sort_by_key(|adapter| !adapter.lacking.is_empty());
    all
}

fn report(adapter: &wgpu::Adapter) -> AdapterReport {
    let info = adapter.get_info();
    let driver = format!("{} {}", info.driver, info.driver_info);
    let (lacking, without) = match AdapterFacts::of(adapter).means() {
        Ok(means) => (Vec::new(), means.without),
        Err(lacking) => (lacking, Vec::new()),
    };
    AdapterReport {
        name: info.name,
        backend: info.backend.to_string(),
        kind: match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "graphics card",
            wgpu::DeviceType::IntegratedGpu => "integrated graphics",
            wgpu::DeviceType::VirtualGpu => "virtual graphics card",
            wgpu::DeviceType::Cpu => "software renderer",
            wgpu::DeviceType::Other => "unknown kind",
        },
        driver: driver.trim().to_owned(),
        lacking,
        without,
    }
}

fn requested() -> AdapterRequest {
    REQUEST.get().cloned().unwrap_or_default()
}

/// Graphics APIs to search: the requested one, else those of `WGPU_BACKEND`, else all.
pub(super) fn backends() -> wgpu::Backends {
    let chosen = requested().backend.map(Backend::flag);
    let chosen = chosen.or_else(wgpu::Backends::from_env);
    chosen.unwrap_or(wgpu::Backends::all())
}

pub(super) fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = backends();
    wgpu::Instance::new(descriptor)
}

/// Returns the adapter that the user requested by name; `None` without a request.
pub(super) fn requested_adapter(
    instance: &wgpu::Instance,
    surface: Option<&wgpu::Surface<'static>>,
) -> Result<Option<wgpu::Adapter>, GpuError> {
    let Some(name) = requested().adapter else {
        return Ok(None);
    };
    let mut all = pollster::block_on(instance.enumerate_adapters(backends()));
    all.retain(|adapter| surface.is_none_or(|surface| adapter.is_surface_supported(surface)));
    let is_it = |adapter: &wgpu::Adapter| {
        let own = adapter.get_info().name.to_lowercase();
        own.contains(&name.to_lowercase())
    };
    match all.iter().position(is_it) {
        Some(place) => Ok(Some(all.swap_remove(place))),
        None => Err(GpuError::NoSuchAdapter {
            there: all
                .iter()
                .map(|adapter| adapter.get_info().name)
                .collect::<Vec<_>>()
                .join(", "),
            name,
        }),
    }
}
