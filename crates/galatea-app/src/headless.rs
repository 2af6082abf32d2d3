//! Sessions without a window: frames at fixed times, drawn or not.

use std::sync::Arc;

use anyhow::Context as _;
use glam::{Quat, Vec2, Vec3};
use tracing::info_span;

use super::Session;
use super::saved_pipelines::SavedPipelines;
use crate::studio::{StudioOptions, View};
use galatea_asset::Project;
use galatea_math::phases::PHASE;
use galatea_render::{Gpu, GpuError, GpuMemory, PendingPicture, Picture, ShaderError};
use galatea_stage::frame::{UI_SIZE, UiContent, UiItem, UiText};
use galatea_stage::{Frame, Stage};

/// Advances a session to `time` seconds of unscaled time.
pub fn advance_to(session: &mut Session, time: f64) {
    // A tolerance of a thousandth of a tick absorbs the rounding of times like 1/30.
    let dt = session.stage.clock.dt;
    while session.stage.unscaled_time() + dt * 1e-3 < time {
        session.tick();
    }
}

/// Draws a session into memory.
pub struct HeadlessCamera {
    gpu: Gpu,
    view: View,
    frame: Frame,
    orbit_degrees: f32,
    label: Option<Arc<str>>,
    /// An image that is being drawn, and its size.
    pending: Option<(PendingPicture, (u32, u32))>,
    /// The frame of `pending` while the next one is drawn.
    before: Frame,
    /// Saves the pipelines when the camera is dropped.
    _pipelines: Option<SavedPipelines>,
}

/// Text height of a label, pixels.
const LABEL: f32 = 14.0;

impl HeadlessCamera {
    /// Creates a camera on a headless device.
    ///
    /// # Errors
    /// If there is no device or a built-in shader has an error. An error in a project's shader becomes a message of the
    /// session instead.
    pub fn new(session: &mut Session) -> anyhow::Result<Self> {
        let mut gpu = Gpu::headless()?;
        let pipelines = SavedPipelines::restore(&mut gpu);
        let view = match View::headless(&gpu, &session.shaders()) {
            Ok(view) => view,
            Err(error) => {
                super::session::report_shader_fault(session, &error);
                View::headless(&gpu, &galatea_render::ShaderSource::embedded())?
            }
        };
        Ok(Self {
            _pipelines: pipelines,
            ..Self::with(gpu, view)
        })
    }

    /// Creates a camera for stages without a session, with the shaders of a project.
    ///
    /// # Errors
    /// If a shader has an error.
    pub fn for_project(gpu: Gpu, project: &Project) -> Result<Self, ShaderError> {
        let view = View::headless(&gpu, &super::session::shaders_of(project))?;
        Ok(Self::with(gpu, view))
    }

    /// Sets the drawing options, from the next image on.
    pub fn set_options(&mut self, wishes: StudioOptions) {
        self.view.set_options(wishes);
    }

    /// Rotates the camera by an angle in degrees around the +Y axis through its target, from the next image on. The session
    /// is not affected.
    pub fn turn(&mut self, degrees: f32) {
        self.orbit_degrees = degrees;
    }

    /// Returns the memory that the graphics device has allocated; `None` if the graphics API does not report it.
    pub fn graphics_memory(&self) -> Option<GpuMemory> {
        self.gpu.memory()
    }

    /// Returns true if the processor draws the pictures.
    pub fn is_software(&self) -> bool {
        self.gpu.is_software()
    }

    /// Adds a label to a corner of the next images.
    pub fn label(&mut self, text: &str) {
        self.label = Some(text.into());
    }

    /// Removes the label from the next images.
    pub fn remove_label(&mut self) {
        self.label = None;
    }

    /// Applies the camera's rotation and label to the frame.
    fn add_own(&mut self, size: (u32, u32)) {
        let camera = &mut self.frame.camera;
        let rotation = Quat::from_rotation_y(self.orbit_degrees.to_radians());
        camera.eye = camera.target + rotation * (camera.eye - camera.target);
        if let Some(text) = &self.label {
            self.frame.ui.push(label(text.clone(), size));
        }
    }

    fn with(gpu: Gpu, view: View) -> Self {
        Self {
            gpu,
            view,
            frame: Frame::default(),
            orbit_degrees: 0.0,
            label: None,
            pending: None,
            before: Frame::default(),
            _pipelines: None,
        }
    }

    /// Draws a stage in the state after its last tick.
    ///
    /// # Errors
    /// If the size or an object on the stage cannot be drawn, or the device is lost.
    pub fn still(&mut self, stage: &Stage, size: (u32, u32)) -> anyhow::Result<Picture> {
        stage.snapshot(1.0, &mut self.frame);
        let picture = self.draw(size)?;
        match self.view.renderer.take_problems().first() {
            Some(problem) => anyhow::bail!("{problem}"),
            None => Ok(picture),
        }
    }

    /// Draws the session in the state after its last tick, with its messages. Reloads are not applied.
    ///
    /// # Errors
    /// If the size cannot be drawn or the device is lost.
    pub fn now(&mut self, session: &mut Session, size: (u32, u32)) -> anyhow::Result<Picture> {
        session.frame(1.0, &mut self.frame);
        let picture = self.draw(size);
        super::session::report_fonts(session, &mut self.view);
        picture
    }

    /// Draws the session at `time` seconds, which must be within the last tick.
    ///
    /// # Errors
    /// If the size cannot be drawn or the device is lost.
    pub fn picture(
        &mut self,
        session: &mut Session,
        time: f64,
        size: (u32, u32),
    ) -> anyhow::Result<Picture> {
        self.capture(session, time, size);
        let picture = self.draw(size)?;
        super::session::report_drawing(session, &mut self.view, &self.gpu);
        Ok(picture)
    }

    /// Same as [`HeadlessCamera::picture`], but returns the image that was requested before. The session can advance while
    /// this one is drawn. [`HeadlessCamera::last`] returns the last image.
    ///
    /// # Errors
    /// If the size cannot be drawn or the device is lost.
    pub fn picture_before(
        &mut self,
        session: &mut Session,
        time: f64,
        size: (u32, u32),
    ) -> anyhow::Result<Option<Picture>> {
        let pending = self.pending.take();
        let size_before = pending.as_ref().map(|(_, size)| *size);
        std::mem::swap(&mut self.frame, &mut self.before);
        self.capture(session, time, size);
        let begun = self.view.begin_picture(&self.gpu, &self.frame, size);
        super::session::report_drawing(session, &mut self.view, &self.gpu);
        let before = pending.map(|(pending, _)| pending.finish(&self.gpu));
        let error = match (before.transpose(), begun) {
            (Ok(before), Ok(begun)) => {
                self.pending = Some((begun, size));
                return Ok(before);
            }
            (Err(error), _) | (_, Err(error)) => error,
        };
        self.renew(error)?;
        let again = |size| self.view.draw_to_picture(&self.gpu, &self.before, size);
        let before = size_before.map(again).transpose()?;
        let begun = self.view.begin_picture(&self.gpu, &self.frame, size)?;
        self.pending = Some((begun, size));
        Ok(before)
    }

    /// Returns the image that is still being drawn, if any.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn last(&mut self) -> anyhow::Result<Option<Picture>> {
        let Some((pending, size)) = self.pending.take() else {
            return Ok(None);
        };
        self.retry_if_lost(pending.finish(&self.gpu), size)
            .map(Some)
    }

    /// Captures the frame of a session at a time within its last tick.
    fn capture(&mut self, session: &mut Session, time: f64, size: (u32, u32)) {
        if let Some(shaders) = session.take_shader_change() {
            let result = self.view.renderer.reload_shaders(&self.gpu, &shaders);
            super::session::shaders_reloaded(session, result);
        }
        let behind = (session.stage.unscaled_time() - time) / session.stage.clock.dt;
        session.frame((1.0 - behind).clamp(0.0, 1.0) as f32, &mut self.frame);
        self.add_own(size);
    }

    /// Draws the frame. If the device is lost, draws it again on a new one.
    fn draw(&mut self, size: (u32, u32)) -> anyhow::Result<Picture> {
        let _phase = info_span!(target: PHASE, "draw the picture").entered();
        let drawn = self.view.draw_to_picture(&self.gpu, &self.frame, size);
        self.retry_if_lost(drawn, size)
    }

    /// Returns the drawn image. If drawing failed because the device is lost, draws again on a new one.
    fn retry_if_lost(
        &mut self,
        drawn: Result<Picture, GpuError>,
        size: (u32, u32),
    ) -> anyhow::Result<Picture> {
        let error = match drawn {
            Ok(picture) => return Ok(picture),
            Err(error) => error,
        };
        self.renew(error)?;
        Ok(self.view.draw_to_picture(&self.gpu, &self.frame, size)?)
    }

    /// Replaces a lost device; otherwise returns the error.
    fn renew(&mut self, error: GpuError) -> anyhow::Result<()> {
        if !self.gpu.is_lost() {
            return Err(error.into());
        }
        let gpu = Gpu::headless().context("the graphics device was lost")?;
        self.view = self.view.renewed(&gpu)?;
        self.gpu = gpu;
        tracing::warn!(
            "the graphics device was lost; drawing continues with {}",
            self.gpu.info.name
        );
        Ok(())
    }
}

/// A label at the lower left of an image of `size` pixels; the text height is fixed in pixels.
fn label(text: Arc<str>, size: (u32, u32)) -> UiItem {
    let points = (UI_SIZE.x / size.0 as f32).max(UI_SIZE.y / size.1 as f32);
    let away = 0.3 * LABEL * points;
    UiItem {
        content: UiContent::Text(UiText {
            text,
            size: LABEL * points,
            width: None,
            align: 0.0,
            outline: 0.0,
            shadow: false,
            background: Some(Vec3::ZERO),
        }),
        offset: Vec2::new(away, -away),
        anchor: Vec2::new(0.0, 1.0),
        color: Vec3::ONE,
        opacity: 1.0,
        visible: true,
        z_index: i32::MAX,
        order: u64::MAX,
        world_position: None,
    }
}
