//! Shaders of a project, and messages about shaders and pictures.

use super::Session;
use crate::studio::View;
use galatea_asset::Project;
use galatea_render::{Gpu, ShaderError, ShaderSource};
use galatea_stage::frame::MessageKind;

/// The built-in shaders, with the project's replacements.
pub(crate) fn shaders_of(project: &Project) -> ShaderSource {
    let mut source = ShaderSource::embedded();
    for (name, text) in project.shaders() {
        source.replace(name, text);
    }
    source
}

/// Reports a shader error.
pub(crate) fn report_shader_fault(session: &mut Session, error: &ShaderError) {
    let text = format!("{error}\nthe previous shaders stay in use");
    session
        .diagnostics
        .set("shaders", MessageKind::Error, &text);
}

/// Reports the result of reloading the shaders.
pub(crate) fn shaders_reloaded(session: &mut Session, result: Result<(), ShaderError>) {
    match result {
        Ok(()) => {
            session.diagnostics.clear("shaders");
            session.diagnostics.notify("shaders reloaded");
        }
        Err(error) => report_shader_fault(session, &error),
    }
}

/// Reports what could not be drawn in the last frame, or only at reduced quality.
pub(crate) fn report_drawing(session: &mut Session, view: &mut View, gpu: &Gpu) {
    report_fonts(session, view);
    let diagnostics = &mut session.diagnostics;
    for problem in view.renderer.take_problems() {
        diagnostics.set(&format!("draw {problem}"), MessageKind::Error, &problem);
    }
    for what in view.renderer.take_lessened() {
        diagnostics.set(&format!("draw {what}"), MessageKind::Warning, &what);
    }
    // On a lost device every call reports an error.
    if let Some(error) = gpu.take_error().filter(|_| !gpu.is_lost()) {
        let text = format!("the graphics driver reported an error: {error}");
        diagnostics.set("graphics", MessageKind::Error, &text);
    }
}

/// Warns of scripts in on-screen texts that no font supports.
pub(crate) fn report_fonts(session: &mut Session, view: &mut View) {
    for warning in view.take_font_warnings() {
        let subject = format!("font {warning}");
        session
            .diagnostics
            .set(&subject, MessageKind::Warning, &warning);
    }
}
