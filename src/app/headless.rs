//! A session without a window: frames at fixed times, as pictures or as nothing.

use anyhow::Context as _;

use super::Session;
use crate::asset::Project;
use crate::render::{Gpu, Picture, ShaderError};
use crate::stage::{Frame, InputEvent, Stage};
use crate::studio::View;

/// An input event at a stage time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedInput {
    /// Seconds.
    pub t: f64,
    /// What happens.
    pub event: InputEvent,
}

/// Reads inputs from text: one JSON object per line, `{"t": 0.5, "down": "w"}`, with `down`, `up`,
/// `axis` (name and value) or `pointer` (x and y). Empty lines and lines with `#` are passed over.
///
/// # Errors
/// The first faulty line.
pub fn parse_inputs(text: &str) -> anyhow::Result<Vec<TimedInput>> {
    let mut inputs = Vec::new();
    for (i, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        inputs.push(parse_input(line).with_context(|| format!("line {}", i + 1))?);
    }
    inputs.sort_by(|a, b| a.t.total_cmp(&b.t));
    Ok(inputs)
}

fn parse_input(line: &str) -> anyhow::Result<TimedInput> {
    let mut value: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line)?;
    let t = value
        .remove("t")
        .and_then(|t| t.as_f64())
        .filter(|t| t.is_finite() && *t >= 0.0)
        .context("`t` must be a time in seconds")?;
    let event = serde_json::from_value(serde_json::Value::Object(value))
        .context("expected one of `down`, `up`, `axis`, `pointer`")?;
    Ok(TimedInput { t, event })
}

/// Moves a session on to `time` seconds, applying inputs at their ticks.
pub fn advance_to(
    session: &mut Session,
    time: f64,
    inputs: &mut std::iter::Peekable<std::vec::IntoIter<TimedInput>>,
) {
    // A thousandth of a tick absorbs the rounding of times like 1/30.
    let dt = session.stage.dt;
    while session.stage.time() + dt * 1e-3 < time {
        while let Some(input) = inputs.next_if(|input| input.t <= session.stage.time() + dt * 1e-3)
        {
            session.input(&input.event);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_read_line_by_line_and_faults_name_the_line() {
        let text = "# walk\n{\"t\": 1, \"up\": \"w\"}\n\n{\"t\": 0.5, \"down\": \"w\"}\n{\"t\": 2, \"axis\": [\"pad_left_x\", 0.5]}";
        let inputs = parse_inputs(text).unwrap();
        assert_eq!(inputs.len(), 3);
        assert_eq!(inputs[0].event, InputEvent::Down("w".into()));
        assert_eq!(inputs[2].event, InputEvent::Axis("pad_left_x".into(), 0.5));
        let error =
            parse_inputs("{\"t\": 1, \"up\": \"w\"}\n{\"t\": 1, \"hold\": \"w\"}").unwrap_err();
        assert!(format!("{error:#}").starts_with("line 2"));
        assert!(parse_inputs("{\"up\": \"w\"}").is_err());
    }
}
