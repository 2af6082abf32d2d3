//! A session without a window: frames at fixed times, as pictures or as nothing.

use std::sync::Arc;

use anyhow::Context as _;
use glam::{Quat, Vec2, Vec3};

use super::Session;
use super::kept_pipelines::KeptPipelines;
use crate::studio::{StudioOptions, View};
use galatea_asset::Project;
use galatea_render::{Gpu, GpuError, PendingPicture, Picture, ShaderError};
use galatea_stage::frame::{UI_SIZE, UiContent, UiItem, UiText};
use galatea_stage::{Frame, Stage};

/// Moves a session on to `time` seconds.
pub fn advance_to(session: &mut Session, time: f64) {
    // A thousandth of a tick absorbs the rounding of times like 1/30.
    let dt = session.stage.clock.dt;
    while session.stage.time() + dt * 1e-3 < time {
        session.tick();
    }
}

/// Draws a session into memory.
pub struct HeadlessCamera {
    gpu: Gpu,
    view: View,
    frame: Frame,
    turned: f32,
    label: Option<Arc<str>>,
    /// A picture that is being drawn, and its size.
    pending: Option<(PendingPicture, (u32, u32))>,
    /// The frame of `pending` while the next is drawn.
    before: Frame,
    /// Written when the camera goes.
    _kept: Option<KeptPipelines>,
}

/// Height of a label's letters, pixels.
const LABEL: f32 = 14.0;

impl HeadlessCamera {
    /// A camera on a headless device.
    ///
    /// # Errors
    /// When there is no device or a built-in shader is faulty. A project's faulty shader is a
    /// message of the session instead.
    pub fn new(session: &mut Session) -> anyhow::Result<Self> {
        let mut gpu = Gpu::headless()?;
        let kept = KeptPipelines::recall(&mut gpu);
        let view = match View::headless(&gpu, &session.shaders()) {
            Ok(view) => view,
            Err(error) => {
                super::session::tell_shader_fault(session, &error);
                View::headless(&gpu, &galatea_render::ShaderSource::embedded())?
            }
        };
        Ok(Self {
            _kept: kept,
            ..Self::with(gpu, view)
        })
    }

    /// A camera for stages that no session plays, with the shaders of a project.
    ///
    /// # Errors
    /// When a shader is faulty.
    pub fn for_project(gpu: Gpu, project: &Project) -> Result<Self, ShaderError> {
        let view = View::headless(&gpu, &super::session::shaders_of(project))?;
        Ok(Self::with(gpu, view))
    }

    /// Draws as it is wished from the next picture on.
    pub fn wish(&mut self, wishes: StudioOptions) {
        self.view.wish(wishes);
    }

    /// Sees the sessions of the next pictures from so many degrees about +Y around the camera's target
    /// farther; the session itself knows nothing of it.
    pub fn turn(&mut self, degrees: f32) {
        self.turned = degrees;
    }

    /// Writes a text into a corner of the sessions' next pictures.
    pub fn label(&mut self, text: &str) {
        self.label = Some(text.into());
    }

    /// What was asked of the pictures of sessions.
    fn add_own(&mut self, size: (u32, u32)) {
        let camera = &mut self.frame.camera;
        let turn = Quat::from_rotation_y(self.turned.to_radians());
        camera.eye = camera.target + turn * (camera.eye - camera.target);
        if let Some(text) = &self.label {
            self.frame.ui.push(label(text.clone(), size));
        }
    }

    fn with(gpu: Gpu, view: View) -> Self {
        Self {
            gpu,
            view,
            frame: Frame::default(),
            turned: 0.0,
            label: None,
            pending: None,
            before: Frame::default(),
            _kept: None,
        }
    }

    /// A stage as its last tick left it.
    ///
    /// # Errors
    /// When the size or something on the stage cannot be drawn, or the device is lost.
    pub fn still(&mut self, stage: &Stage, size: (u32, u32)) -> anyhow::Result<Picture> {
        stage.snapshot(1.0, &mut self.frame);
        let picture = self.draw(size)?;
        match self.view.renderer.take_problems().first() {
            Some(problem) => anyhow::bail!("{problem}"),
            None => Ok(picture),
        }
    }

    /// The session as its last tick left it, with its messages; takes no part in reloads.
    ///
    /// # Errors
    /// When the size cannot be drawn or the device is lost.
    pub fn now(&mut self, session: &mut Session, size: (u32, u32)) -> anyhow::Result<Picture> {
        session.frame(1.0, &mut self.frame);
        let picture = self.draw(size);
        super::session::tell_fonts(session, &mut self.view);
        picture
    }

    /// The session as it is at `time` seconds, which lies within the last tick.
    ///
    /// # Errors
    /// When the size cannot be drawn or the device is lost.
    pub fn picture(
        &mut self,
        session: &mut Session,
        time: f64,
        size: (u32, u32),
    ) -> anyhow::Result<Picture> {
        self.see(session, time, size);
        let picture = self.draw(size)?;
        super::session::tell_drawn(session, &mut self.view, &self.gpu);
        Ok(picture)
    }

    /// As [`HeadlessCamera::picture`], but gives the picture that was asked for before: the session goes on while this one
    /// is drawn. [`HeadlessCamera::last`] gives the last one.
    ///
    /// # Errors
    /// When the size cannot be drawn or the device is lost.
    pub fn picture_before(
        &mut self,
        session: &mut Session,
        time: f64,
        size: (u32, u32),
    ) -> anyhow::Result<Option<Picture>> {
        let pending = self.pending.take();
        let size_before = pending.as_ref().map(|(_, size)| *size);
        std::mem::swap(&mut self.frame, &mut self.before);
        self.see(session, time, size);
        let begun = self.view.begin_picture(&self.gpu, &self.frame, size);
        super::session::tell_drawn(session, &mut self.view, &self.gpu);
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

    /// The picture that is still being drawn, if any.
    ///
    /// # Errors
    /// When the device is lost.
    pub fn last(&mut self) -> anyhow::Result<Option<Picture>> {
        let Some((pending, size)) = self.pending.take() else {
            return Ok(None);
        };
        self.once_more(pending.finish(&self.gpu), size).map(Some)
    }

    /// Takes the frame of a session at a time that lies within its last tick.
    fn see(&mut self, session: &mut Session, time: f64, size: (u32, u32)) {
        if let Some(shaders) = session.take_shader_change() {
            let result = self.view.renderer.reload_shaders(&self.gpu, &shaders);
            super::session::shaders_reloaded(session, result);
        }
        let behind = (session.stage.time() - time) / session.stage.clock.dt;
        session.frame((1.0 - behind).clamp(0.0, 1.0) as f32, &mut self.frame);
        self.add_own(size);
    }

    /// The frame; when the device is lost, once more on a new one.
    fn draw(&mut self, size: (u32, u32)) -> anyhow::Result<Picture> {
        let drawn = self.view.draw_to_picture(&self.gpu, &self.frame, size);
        self.once_more(drawn, size)
    }

    /// What was drawn of the frame; where that failed as the device is lost, what a new one draws.
    fn once_more(
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

    /// Goes on with a new device where the old one is lost; else gives the error back.
    fn renew(&mut self, error: GpuError) -> anyhow::Result<()> {
        if !self.gpu.is_lost() {
            return Err(error.into());
        }
        let gpu = Gpu::headless().context("the graphics device was lost")?;
        self.view = self.view.renewed(&gpu)?;
        self.gpu = gpu;
        tracing::warn!(
            "the graphics device was lost; {} goes on drawing",
            self.gpu.info.name
        );
        Ok(())
    }
}

/// A text at the lower left of a picture of `size` pixels, with letters of one height in each.
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
        at: Vec2::new(away, -away),
        anchor: Vec2::new(0.0, 1.0),
        color: Vec3::ONE,
        opacity: 1.0,
        visible: true,
        layer: i32::MAX,
        order: u64::MAX,
        world: None,
    }
}
