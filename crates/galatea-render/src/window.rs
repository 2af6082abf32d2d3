//! Window surface: resizing, minimising and loss.

use super::gpu::Gpu;

/// Maximum number of successive frames in which the surface may be lost or outdated.
const MAX_LOSSES: u32 = 20;

/// A window's surface and its configuration.
pub struct WindowTarget {
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    is_configured: bool,
    losses: u32,
}

/// Errors of a window's surface.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// The adapter does not support the surface.
    #[error("{0} cannot draw to this window")]
    Unsupported(String),
    /// The device is lost, or the surface is lost repeatedly, for example because the window was destroyed from outside.
    #[error("the window's surface was lost")]
    Gone,
}

impl WindowTarget {
    /// Wraps the surface of a window of `size` pixels.
    ///
    /// # Errors
    /// If the adapter cannot present to it.
    pub fn new(
        gpu: &Gpu,
        surface: wgpu::Surface<'static>,
        size: (u32, u32),
    ) -> Result<Self, WindowError> {
        let config = surface
            .get_default_config(&gpu.adapter, size.0.max(1), size.1.max(1))
            .ok_or_else(|| WindowError::Unsupported(gpu.info.name.clone()))?;
        // A format without sRGB comes first, because the tone map encodes by itself and egui prefers such a format.
        let formats = surface.get_capabilities(&gpu.adapter).formats;
        let format = [
            wgpu::TextureFormat::Bgra8Unorm,
            wgpu::TextureFormat::Rgba8Unorm,
        ]
        .into_iter()
        .find(|format| formats.contains(format))
        .unwrap_or(config.format);
        let mut target = Self {
            surface,
            config: wgpu::SurfaceConfiguration {
                format,
                present_mode: wgpu::PresentMode::Fifo,
                ..config
            },
            is_configured: false,
            losses: 0,
        };
        target.resize(gpu, size);
        Ok(target)
    }

    /// Output format for the [`Renderer`](super::Renderer).
    pub fn format(&self) -> wgpu::TextureFormat {
        self.config.format
    }

    /// Size in pixels; (0, 0) while minimised.
    pub fn size(&self) -> (u32, u32) {
        if self.is_configured {
            (self.config.width, self.config.height)
        } else {
            (0, 0)
        }
    }

    /// Resizes the surface. A size of 0 (minimised) stops drawing until the next resize.
    pub fn resize(&mut self, gpu: &Gpu, size: (u32, u32)) {
        if size.0 == 0 || size.1 == 0 {
            self.is_configured = false;
            return;
        }
        let largest = gpu.device.limits().max_texture_dimension_2d;
        self.config.width = size.0.min(largest);
        self.config.height = size.1.min(largest);
        self.is_configured = true;
        self.configure(gpu);
    }

    /// Configures the surface. If the window is gone this fails, and the next [`WindowTarget::acquire`] counts the loss.
    fn configure(&self, gpu: &Gpu) {
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        self.surface.configure(&gpu.device, &self.config);
        if let Some(error) = pollster::block_on(scope.pop()) {
            tracing::debug!("the window's surface: {error}");
        }
    }

    /// Acquires the next frame to draw to. Returns `None` if there is none this time (minimised, hidden, just resized). Pass
    /// it to [`WindowTarget::present`] afterwards.
    ///
    /// # Errors
    /// If the surface is gone for good. Close the window or rebuild the [`Gpu`].
    pub fn acquire(&mut self, gpu: &Gpu) -> Result<Option<wgpu::SurfaceTexture>, WindowError> {
        use wgpu::CurrentSurfaceTexture as Current;
        if gpu.check().is_err() {
            return Err(WindowError::Gone);
        }
        if !self.is_configured {
            return Ok(None);
        }
        match self.surface.get_current_texture() {
            Current::Success(texture) | Current::Suboptimal(texture) => {
                self.losses = 0;
                Ok(Some(texture))
            }
            Current::Timeout | Current::Occluded => Ok(None),
            Current::Outdated | Current::Lost | Current::Validation => {
                self.losses += 1;
                if self.losses >= MAX_LOSSES || gpu.is_lost() {
                    return Err(WindowError::Gone);
                }
                self.configure(gpu);
                Ok(None)
            }
        }
    }

    /// Presents a finished frame.
    pub fn present(&self, gpu: &Gpu, picture: wgpu::SurfaceTexture) {
        gpu.queue.present(picture);
    }
}
