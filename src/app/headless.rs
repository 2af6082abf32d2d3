//! A session without a window: frames at fixed times, as pictures or as nothing.

use super::Session;
use crate::asset::Project;
use crate::render::{Gpu, Picture, ShaderError};
use crate::stage::{Frame, Stage};
use crate::studio::{View, Wishes};

/// Moves a session on to `time` seconds.
pub fn advance_to(session: &mut Session, time: f64) {
    // A thousandth of a tick absorbs the rounding of times like 1/30.
    let dt = session.stage.dt;
    while session.stage.time() + dt * 1e-3 < time {
        session.tick();
    }
}

/// Draws a session into memory.
pub struct Camera {
    gpu: Gpu,
    view: View,
    frame: Frame,
}

impl Camera {
    /// A camera on a headless device.
    ///
    /// # Errors
    /// When there is no device or a built-in shader is faulty. A project's faulty shader is a
    /// message of the session instead.
    pub fn new(session: &mut Session) -> anyhow::Result<Self> {
        let gpu = Gpu::headless()?;
        let view = match View::headless(&gpu, &session.shaders()) {
            Ok(view) => view,
            Err(error) => {
                super::session::tell_shader_fault(session, &error);
                View::headless(&gpu, &crate::render::ShaderSource::embedded())?
            }
        };
        Ok(Self::with(gpu, view))
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
    pub fn wish(&mut self, wishes: Wishes) {
        self.view.wish(wishes);
    }

    fn with(gpu: Gpu, view: View) -> Self {
        Self {
            gpu,
            view,
            frame: Frame::default(),
        }
    }

    /// A stage as its last tick left it.
    ///
    /// # Errors
    /// When the size or something on the stage cannot be drawn, or the device is lost.
    pub fn still(&mut self, stage: &Stage, size: (u32, u32)) -> anyhow::Result<Picture> {
        stage.snapshot(1.0, &mut self.frame);
        let picture = self.view.draw_to_picture(&self.gpu, &self.frame, size)?;
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
        Ok(self.view.draw_to_picture(&self.gpu, &self.frame, size)?)
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
        if let Some(shaders) = session.take_shader_change() {
            let result = self.view.renderer.reload_shaders(&self.gpu, &shaders);
            super::session::shaders_reloaded(session, result);
        }
        let behind = (session.stage.time() - time) / session.stage.dt;
        session.frame((1.0 - behind).clamp(0.0, 1.0) as f32, &mut self.frame);
        let picture = self.view.draw_to_picture(&self.gpu, &self.frame, size)?;
        for problem in self.view.renderer.take_problems() {
            let kind = crate::stage::frame::MessageKind::Error;
            session
                .diagnostics
                .set(&format!("draw {problem}"), kind, &problem);
        }
        Ok(picture)
    }
}
