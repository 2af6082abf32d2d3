//! Which adapter draws: what the user asked for, else what the system prefers.

use std::sync::OnceLock;

use super::adapter::AdapterFacts;
use super::gpu_error::GpuError;

/// An interface that leads to adapters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// On Linux, Windows and Android.
    Vulkan,
    /// On macOS.
    Metal,
    /// On Windows.
    Dx12,
}

impl Backend {
    /// All, with what they are called.
    pub const ALL: [(&'static str, Self); 3] = [
        ("vulkan", Self::Vulkan),
        ("metal", Self::Metal),
        ("dx12", Self::Dx12),
    ];

    /// That of a name.
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

/// What the user wants to draw with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdapterWish {
    /// The interface; all of them.
    pub backend: Option<Backend>,
    /// A part of the adapter's name, in whatever case.
    pub adapter: Option<String>,
}

static WISH: OnceLock<AdapterWish> = OnceLock::new();

/// Says what is to be drawn with, before anything is; later calls change nothing.
pub fn wish_for_adapter(wish: AdapterWish) {
    let _ = WISH.set(wish);
}

/// An adapter of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterReport {
    /// As its driver calls it.
    pub name: String,
    /// The interface that leads to it.
    pub backend: String,
    /// A card of its own, one in the processor, the processor itself.
    pub kind: &'static str,
    /// Its driver, and the driver's version.
    pub driver: String,
    /// What it lacks, so that it cannot draw; nothing where it can.
    pub lacking: Vec<String>,
    /// What it draws without.
    pub without: Vec<String>,
}

/// All adapters, those that draw first.
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
            wgpu::DeviceType::IntegratedGpu => "graphics in the processor",
            wgpu::DeviceType::VirtualGpu => "virtual graphics card",
            wgpu::DeviceType::Cpu => "software on the processor",
            wgpu::DeviceType::Other => "of unknown kind",
        },
        driver: driver.trim().to_owned(),
        lacking,
        without,
    }
}

fn wish() -> AdapterWish {
    WISH.get().cloned().unwrap_or_default()
}

/// The interfaces to look at: those asked for, else those of `WGPU_BACKEND`, else all.
pub(super) fn backends() -> wgpu::Backends {
    let asked = wish().backend.map(Backend::flag);
    let asked = asked.or_else(wgpu::Backends::from_env);
    asked.unwrap_or(wgpu::Backends::all())
}

pub(super) fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends = backends();
    wgpu::Instance::new(descriptor)
}

/// The adapter that was asked for by its name; nothing where none was.
pub(super) fn asked(
    instance: &wgpu::Instance,
    surface: Option<&wgpu::Surface<'static>>,
) -> Result<Option<wgpu::Adapter>, GpuError> {
    let Some(name) = wish().adapter else {
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
