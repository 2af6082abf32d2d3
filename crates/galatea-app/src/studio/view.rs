//! The scene with its messages: renderer and overlay together, into a window or into memory.

use std::sync::Arc;

use super::auto_quality::FrameTimer;
use super::layer::StudioLayer;
use super::{Overlay, OverlayContent, Prompt, StudioPass, Typed};
use crate::past_position::{PastChange, PastPosition};
use galatea_render::{
    Gpu, GpuError, PendingPicture, Picture, RenderOptions, Renderer, ShaderError, ShaderSource,
    WindowError, WindowTarget, begin_picture,
};
use galatea_stage::Frame;
use galatea_stage::frame::Quality;

/// Draws frames with their messages.
pub struct View {
    /// Draws the scene.
    pub renderer: Renderer,
    overlay: Overlay,
    /// The past that is displayed, for a bar at the bottom.
    pub past: Option<PastPosition>,
    /// The last change of this past, for marks on the bar and a list of differences.
    pub change: Option<Arc<PastChange>>,
    options: StudioOptions,
    /// Measures the first frames in a window.
    pace: Option<FrameTimer>,
    /// Maximum render scale per side that memory allows.
    max_scale: f32,
    /// The studio while it is open.
    studio: Option<StudioLayer>,
    /// Requests of the studio to the window system.
    platform: Option<egui::PlatformOutput>,
}

/// Console and studio over and around a frame.
#[derive(Default)]
pub struct OverPicture<'a> {
    /// The console, while it is open.
    pub console: Option<&'a mut Prompt>,
    /// The studio, while it is open.
    pub studio: Option<StudioPass<'a>>,
}

/// Minimum render scale per side to which the image is reduced.
const MIN_SCALE: f32 = 0.25;

/// Drawing options of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudioOptions {
    /// Overrides the quality requested by scripts and the measured quality.
    pub quality: Option<Quality>,
    /// Render scale per side.
    pub scale: f32,
    /// Draws only the models, on a transparent background.
    pub transparent: bool,
    /// Uses faster settings for videos of thousands of frames.
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
    /// Format of images drawn into memory.
    pub const PICTURE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

    /// Creates a view that draws into memory.
    ///
    /// # Errors
    /// The first shader error.
    pub fn headless(gpu: &Gpu, shaders: &ShaderSource) -> Result<Self, ShaderError> {
        Self::new(gpu, shaders, Self::PICTURE_FORMAT)
    }

    /// Returns warnings about scripts and signs that no font supports, each once.
    pub fn take_font_warnings(&mut self) -> Vec<String> {
        self.overlay.take_font_warnings()
    }

    /// Sets the drawing options, from the next frame on.
    pub fn set_options(&mut self, options: StudioOptions) {
        self.options = options;
    }

    /// Quality of a frame: from the options, else requested by the script, else as measured.
    fn quality_of(&self, frame: &Frame) -> Quality {
        let measured = self.pace.as_ref().and_then(FrameTimer::choice);
        let requested = self.options.quality.or(frame.quality).or(measured);
        requested.unwrap_or_default()
    }

    fn apply_options(&mut self, gpu: &Gpu, frame: &Frame) {
        let quality = self.quality_of(frame);
        let usual = if self.pace.is_some() {
            RenderOptions::in_window(quality, gpu)
        } else if self.options.as_film {
            RenderOptions::in_film(quality, gpu)
        } else {
            RenderOptions::of(quality)
        };
        let options = RenderOptions {
            scale: self.options.scale.min(self.max_scale),
            transparent: self.options.transparent,
            ..usual
        };
        if let Err(error) = self.renderer.set_options(gpu, options) {
            tracing::error!("cannot change the quality: {error}");
        }
    }

    /// Creates a view that draws into a window.
    ///
    /// # Errors
    /// The first shader error.
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
            past: None,
            change: None,
            options: StudioOptions::default(),
            pace: None,
            max_scale: f32::INFINITY,
            studio: None,
            platform: None,
        })
    }

    /// Recreates the view, into memory, on another device after the first was lost.
    ///
    /// # Errors
    /// A shader error on the new device.
    pub fn renewed(&self, gpu: &Gpu) -> Result<Self, ShaderError> {
        let format = self.renderer.output_format();
        let mut view = Self::new(gpu, self.renderer.shaders(), format)?;
        view.set_options(self.options);
        Ok(view)
    }

    /// Halves the render scale after an image of `size` ran out of memory.
    fn reduce_scale(&mut self, (width, height): (u32, u32)) {
        self.renderer.forget();
        let scale = self.renderer.options().scale;
        self.max_scale = (scale * 0.5).max(MIN_SCALE);
        self.renderer.report_reduced_quality(format!(
            "{width} × {height} pixels are drawn with the resolution divided by {}: the graphics device has too little memory",
            1.0 / self.max_scale
        ));
    }

    /// Draws a frame of `size` pixels into memory.
    ///
    /// # Errors
    /// If the size cannot be drawn or the device is lost.
    pub fn draw_to_picture(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        size: (u32, u32),
    ) -> Result<Picture, GpuError> {
        self.begin_picture(gpu, frame, size)?.finish(gpu)
    }

    /// Same as [`View::draw_to_picture`], without waiting for the image.
    ///
    /// # Errors
    /// If the size cannot be drawn or the device is lost.
    pub fn begin_picture(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        size: (u32, u32),
    ) -> Result<PendingPicture, GpuError> {
        self.apply_options(gpu, frame);
        let overlay = &mut self.overlay;
        let content = of_frame(frame, self.past, self.change.as_deref());
        self.renderer
            .begin_picture(gpu, frame, size, |encoder, view| {
                overlay.draw(gpu, encoder, view, size, 1.0, content);
            })
    }

    /// Draws a frame of `size` pixels with the console or the studio into memory; `scale` is pixels per point.
    ///
    /// # Errors
    /// If the size cannot be drawn or the device is lost.
    pub fn draw_all_to_picture(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        size: (u32, u32),
        scale: f32,
        over: OverPicture<'_>,
    ) -> Result<Picture, GpuError> {
        self.apply_options(gpu, frame);
        let format = self.renderer.output_format();
        begin_picture(gpu, format, size, |encoder, view| {
            self.draw_all(gpu, frame, encoder, (view, size, scale), over);
        })?
        .finish(gpu)
    }

    /// Draws the scene, the overlay, and the studio around it.
    fn draw_all(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        encoder: &mut wgpu::CommandEncoder,
        (target, size, scale): (&wgpu::TextureView, (u32, u32), f32),
        over: OverPicture<'_>,
    ) {
        puffin::profile_scope!("draw");
        let content = OverlayContent {
            console: over.console,
            ..of_frame(frame, self.past, self.change.as_deref())
        };
        let Some(pass) = over.studio else {
            self.renderer.draw(gpu, frame, encoder, target, size);
            return self
                .overlay
                .draw(gpu, encoder, target, size, scale, content);
        };
        let format = self.renderer.output_format();
        let is_in_window = self.pace.is_some();
        let layer = self
            .studio
            .get_or_insert_with(|| StudioLayer::new(gpu, format, is_in_window));
        let mut laid_out = layer.lay_out(gpu, size, scale, pass);
        self.platform = Some(std::mem::take(&mut laid_out.platform));
        let picture_size = laid_out.picture_size;
        if let Some(picture) = layer.picture_view(gpu, picture_size) {
            self.renderer
                .draw(gpu, frame, encoder, &picture, picture_size);
            self.overlay
                .draw(gpu, encoder, &picture, picture_size, scale, content);
        }
        let target = (target, size, scale);
        layer.paint(gpu, encoder, target, laid_out.into_shapes());
    }

    /// The egui context of the studio, for input from a window. It is created if there is none.
    pub fn studio_context(&mut self, gpu: &Gpu) -> &egui::Context {
        let format = self.renderer.output_format();
        let is_in_window = self.pace.is_some();
        let layer = self
            .studio
            .get_or_insert_with(|| StudioLayer::new(gpu, format, is_in_window));
        layer.context()
    }

    /// Removes the studio, which is closed.
    pub fn close_studio(&mut self) {
        self.studio = None;
        self.platform = None;
    }

    /// Requests of the studio to the window system since the last call.
    pub fn take_platform_output(&mut self) -> Option<egui::PlatformOutput> {
        self.platform.take()
    }

    /// Types into the console of an image of `size` pixels; `scale` is pixels per point.
    pub fn type_into(
        &mut self,
        prompt: &mut Prompt,
        size: (u32, u32),
        scale: f32,
        typed: &[Typed],
    ) {
        self.overlay.type_into(prompt, size, scale, typed);
    }

    /// Draws a frame into a window, with the console and the studio while they are open. Returns false if the window shows nothing now.
    /// `scale` is pixels per point.
    ///
    /// # Errors
    /// If the window's surface is gone.
    pub fn draw_to_window(
        &mut self,
        gpu: &Gpu,
        target: &mut WindowTarget,
        frame: &Frame,
        scale: f32,
        over: OverPicture<'_>,
    ) -> Result<bool, WindowError> {
        let Some(picture) = target.acquire(gpu)? else {
            return Ok(false);
        };
        self.apply_options(gpu, frame);
        let size = target.size();
        let drawn = gpu.within_memory(|| {
            let view = picture.texture.create_view(&Default::default());
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            self.draw_all(gpu, frame, &mut encoder, (&view, size, scale), over);
            gpu.queue.submit([encoder.finish()]);
        });
        if drawn.is_none() {
            self.reduce_scale(size);
        }
        let is_requested = self.options.quality.or(frame.quality).is_some();
        if let Some(pace) = self.pace.as_mut().filter(|_| !is_requested) {
            pace.submitted(gpu);
        }
        target.present(gpu, picture);
        Ok(true)
    }
}

fn of_frame<'f>(
    frame: &'f Frame,
    past: Option<PastPosition>,
    change: Option<&'f PastChange>,
) -> OverlayContent<'f> {
    OverlayContent {
        ui: &frame.ui,
        camera: frame.camera,
        messages: &frame.messages,
        watches: &frame.watches,
        past,
        change,
        console: None,
    }
}
