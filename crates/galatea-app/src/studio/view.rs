//! The picture with its messages: renderer and overlay together, onto a window or into memory.

use super::pace::FrameTimer;
use super::{Overlay, OverlayContent, Prompt, Typed};
use galatea_render::{
    Gpu, GpuError, PendingPicture, Picture, RenderOptions, Renderer, ShaderError, ShaderSource,
    WindowError, WindowTarget,
};
use galatea_stage::Frame;
use galatea_stage::frame::Quality;

/// Draws frames with their messages.
pub struct View {
    /// Draws the scene.
    pub renderer: Renderer,
    overlay: Overlay,
    wishes: StudioOptions,
    /// Measures the first pictures on a window.
    pace: Option<FrameTimer>,
    /// The most pixels lit per pixel shown, along each side, that there was memory for.
    most_scale: f32,
}

/// Pixels lit per pixel shown, along each side, below which the picture is not made coarser.
const COARSEST: f32 = 0.25;

/// What whoever starts a view wants of its pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudioOptions {
    /// Overrules what scripts ask for and what the machine is fast enough for.
    pub quality: Option<Quality>,
    /// Pixels that are lit per pixel that is shown, along each side.
    pub scale: f32,
    /// Only the models are drawn; the picture's alpha tells where.
    pub transparent: bool,
    /// As one of thousands of pictures, which a processor should draw in minutes.
    pub as_film: bool,
}

impl Default for StudioOptions {
    fn default() -> Self {
        Self {
            quality: None,
            scale: 1.0,
            transparent: false,
            as_film: false,
        }
    }
}

impl View {
    /// Format of pictures drawn into memory.
    pub const PICTURE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

    /// A view that draws into memory.
    ///
    /// # Errors
    /// The first faulty shader.
    pub fn headless(gpu: &Gpu, shaders: &ShaderSource) -> Result<Self, ShaderError> {
        Self::new(gpu, shaders, Self::PICTURE_FORMAT)
    }

    /// Warnings about scripts and signs of the pictures so far that no font has, each given once.
    pub fn take_font_warnings(&mut self) -> Vec<String> {
        self.overlay.take_font_warnings()
    }

    /// Draws as it is wished from the next picture on.
    pub fn wish(&mut self, wishes: StudioOptions) {
        self.wishes = wishes;
    }

    /// The quality of a frame's picture: as wished, else as the script asks, else as the machine is fast
    /// enough for.
    fn quality_of(&self, frame: &Frame) -> Quality {
        let measured = self.pace.as_ref().and_then(FrameTimer::choice);
        let asked = self.wishes.quality.or(frame.quality).or(measured);
        asked.unwrap_or_default()
    }

    fn follow_wishes(&mut self, gpu: &Gpu, frame: &Frame) {
        let quality = self.quality_of(frame);
        let usual = if self.pace.is_some() {
            RenderOptions::in_window(quality, gpu)
        } else if self.wishes.as_film {
            RenderOptions::in_film(quality, gpu)
        } else {
            RenderOptions::of(quality)
        };
        let options = RenderOptions {
            scale: self.wishes.scale.min(self.most_scale),
            transparent: self.wishes.transparent,
            ..usual
        };
        if let Err(error) = self.renderer.set_options(gpu, options) {
            tracing::error!("the quality stays: {error}");
        }
    }

    /// A view that draws onto a window.
    ///
    /// # Errors
    /// The first faulty shader.
    pub fn for_window(
        gpu: &Gpu,
        target: &WindowTarget,
        shaders: &ShaderSource,
    ) -> Result<Self, ShaderError> {
        let mut view = Self::new(gpu, shaders, target.format())?;
        view.pace = Some(FrameTimer::new());
        view.overlay.search_fonts_in_background();
        Ok(view)
    }

    fn new(
        gpu: &Gpu,
        shaders: &ShaderSource,
        format: wgpu::TextureFormat,
    ) -> Result<Self, ShaderError> {
        Ok(Self {
            renderer: Renderer::new(gpu, shaders, format, RenderOptions::default())?,
            overlay: Overlay::new(gpu, format),
            wishes: StudioOptions::default(),
            pace: None,
            most_scale: f32::INFINITY,
        })
    }

    /// The same view into memory on another device, after the one before was lost.
    ///
    /// # Errors
    /// A shader that the new device refuses.
    pub fn renewed(&self, gpu: &Gpu) -> Result<Self, ShaderError> {
        let format = self.renderer.output_format();
        let mut view = Self::new(gpu, self.renderer.shaders(), format)?;
        view.wish(self.wishes);
        Ok(view)
    }

    /// There was no memory for a picture of `size`: the next one is coarser.
    fn lessen(&mut self, (width, height): (u32, u32)) {
        self.renderer.forget();
        let scale = self.renderer.options().scale;
        self.most_scale = (scale * 0.5).max(COARSEST);
        self.renderer.tell_lessened(format!(
            "{width} × {height} pixels are drawn {} times as coarse: the graphics device has no memory for more",
            1.0 / self.most_scale
        ));
    }

    /// Draws a frame of `size` pixels into memory.
    ///
    /// # Errors
    /// When the size cannot be drawn or the device is lost.
    pub fn draw_to_picture(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        size: (u32, u32),
    ) -> Result<Picture, GpuError> {
        self.begin_picture(gpu, frame, size)?.finish(gpu)
    }

    /// The same without waiting for the picture.
    ///
    /// # Errors
    /// When the size cannot be drawn or the device is lost.
    pub fn begin_picture(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        size: (u32, u32),
    ) -> Result<PendingPicture, GpuError> {
        self.follow_wishes(gpu, frame);
        let overlay = &mut self.overlay;
        self.renderer
            .begin_picture(gpu, frame, size, |encoder, view| {
                overlay.draw(gpu, encoder, view, size, 1.0, of_frame(frame));
            })
    }

    /// Draws a frame of `size` pixels into memory, with the console over it; `scale` is pixels per point.
    ///
    /// # Errors
    /// When the size cannot be drawn or the device is lost.
    pub fn draw_console_to_picture(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        size: (u32, u32),
        scale: f32,
        console: &mut Prompt,
    ) -> Result<Picture, GpuError> {
        self.follow_wishes(gpu, frame);
        let overlay = &mut self.overlay;
        self.renderer
            .draw_to_picture(gpu, frame, size, |encoder, view| {
                let content = OverlayContent {
                    console: Some(console),
                    ..of_frame(frame)
                };
                overlay.draw(gpu, encoder, view, size, scale, content);
            })
    }

    /// Types into the console of a picture of `size` pixels; `scale` is pixels per point.
    pub fn type_into(
        &mut self,
        prompt: &mut Prompt,
        size: (u32, u32),
        scale: f32,
        typed: &[Typed],
    ) {
        self.overlay.type_into(prompt, size, scale, typed);
    }

    /// Draws a frame onto a window, with the console while it is open; false when the window shows nothing now. `scale` is pixels per
    /// point.
    ///
    /// # Errors
    /// When the window's surface is gone.
    pub fn draw_to_window(
        &mut self,
        gpu: &Gpu,
        target: &mut WindowTarget,
        frame: &Frame,
        scale: f32,
        console: Option<&mut Prompt>,
    ) -> Result<bool, WindowError> {
        let Some(picture) = target.acquire(gpu)? else {
            return Ok(false);
        };
        self.follow_wishes(gpu, frame);
        let size = target.size();
        let drawn = gpu.within_memory(|| {
            let view = picture.texture.create_view(&Default::default());
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            self.renderer.draw(gpu, frame, &mut encoder, &view, size);
            let content = OverlayContent {
                console,
                ..of_frame(frame)
            };
            self.overlay
                .draw(gpu, &mut encoder, &view, size, scale, content);
            gpu.queue.submit([encoder.finish()]);
        });
        if drawn.is_none() {
            self.lessen(size);
        }
        let is_asked = self.wishes.quality.or(frame.quality).is_some();
        if let Some(pace) = self.pace.as_mut().filter(|_| !is_asked) {
            pace.submitted(gpu);
        }
        target.present(gpu, picture);
        Ok(true)
    }
}

fn of_frame(frame: &Frame) -> OverlayContent<'_> {
    OverlayContent {
        ui: &frame.ui,
        camera: frame.camera,
        messages: &frame.messages,
        watches: &frame.watches,
        console: None,
    }
}
