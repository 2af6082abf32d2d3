//! A window's surface through resizing, minimising and loss.

use super::gpu::Gpu;

/// How often in a row a surface may be lost or outdated before it is given up.
const MOST_LOSSES: u32 = 20;

/// What a window shows, kept configured.
pub struct WindowTarget {
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    is_configured: bool,
    losses: u32,
}

/// Why a window cannot be drawn to any more.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// The adapter does not know the surface.
    #[error("{0} cannot draw to this window")]
    Unsupported(String),
    /// The device is lost, or the surface again and again, as when the window was destroyed from outside.
    #[error("the window's surface is gone")]
    Gone,
}

impl WindowTarget {
    /// Takes the surface of a window of `size` pixels.
    ///
    /// # Errors
    /// When the adapter cannot present to it.
    pub fn new(
        gpu: &Gpu,
        surface: wgpu::Surface<'static>,
        size: (u32, u32),
    ) -> Result<Self, WindowError> {
        let config = surface
            .get_default_config(&gpu.adapter, size.0.max(1), size.1.max(1))
            .ok_or_else(|| WindowError::Unsupported(gpu.info.name.clone()))?;
        // The tone map encodes by itself and egui prefers to, so a plain format comes first.
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

    /// The format a [`Renderer`](super::Renderer) has to write.
    pub fn format(&self) -> wgpu::TextureFormat {
        self.config.format
    }

    /// Pixels; (0, 0) while minimised.
    pub fn size(&self) -> (u32, u32) {
        if self.is_configured {
            (self.config.width, self.config.height)
        } else {
            (0, 0)
        }
    }

    /// Follows the window. A size of 0 (minimised) stops drawing until the next resize.
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

    /// A surface whose window is gone refuses; the next [`WindowTarget::acquire`] counts it.
    fn configure(&self, gpu: &Gpu) {
        let scope = gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        self.surface.configure(&gpu.device, &self.config);
        if let Some(error) = pollster::block_on(scope.pop()) {
            tracing::debug!("the window's surface: {error}");
        }
    }

    /// The next picture to draw on; `None` when there is none this time (minimised, hidden, just
    /// resized). Hand it back with [`WindowTarget::present`].
    ///
    /// # Errors
    /// When the surface is gone for good; close the window or rebuild the [`Gpu`].
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
                if self.losses >= MOST_LOSSES || gpu.is_lost() {
                    return Err(WindowError::Gone);
                }
                self.configure(gpu);
                Ok(None)
            }
        }
    }

    /// Shows a finished picture.
    pub fn present(&self, gpu: &Gpu, picture: wgpu::SurfaceTexture) {
        gpu.queue.present(picture);
    }
}
