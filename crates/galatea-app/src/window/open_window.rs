//! The window with its device and its view.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use winit::dpi::LogicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::window::{Fullscreen, Icon, Window};

use crate::Session;
use crate::saved_pipelines::SavedPipelines;
use crate::session::report_shader_fault;
use crate::studio::{StudioOptions, View};
use galatea_asset::vfs;
use galatea_render::{Gpu, ShaderSource, WindowTarget};
use galatea_stage::frame::MessageKind;

/// The window and its renderer.
pub(super) struct OpenWindow {
    pub window: Arc<Window>,
    pub gpu: Gpu,
    pub target: WindowTarget,
    pub view: View,
    /// Minimum time between two frames.
    pub pace: Duration,
    /// Earliest time of the next frame.
    pub next: Instant,
    /// Saves the pipelines when the window closes.
    _pipelines: Option<SavedPipelines>,
}

impl OpenWindow {
    pub fn open(
        event_loop: &ActiveEventLoop,
        session: &mut Session,
        studio: StudioOptions,
    ) -> anyhow::Result<Self> {
        let settings = &session.project.settings.window;
        let attributes = Window::default_attributes()
            .with_title(title(session))
            .with_inner_size(LogicalSize::new(
                settings.width.max(1),
                settings.height.max(1),
            ))
            .with_fullscreen(settings.fullscreen.then_some(Fullscreen::Borderless(None)))
            .with_window_icon(icon(session));
        let window = event_loop
            .create_window(attributes)
            .context("cannot create the window")?;
        Self::on(Arc::new(window), session, studio)
    }

    pub fn on(
        window: Arc<Window>,
        session: &mut Session,
        studio: StudioOptions,
    ) -> anyhow::Result<Self> {
        let (mut gpu, surface) = Gpu::for_window(window.clone())?;
        let pipelines = SavedPipelines::restore(&mut gpu);
        let size = window.inner_size();
        let target = WindowTarget::new(&gpu, surface, (size.width, size.height))?;
        let view = view_for((&gpu, &target), session, studio)?;
        let hertz = window
            .current_monitor()
            .and_then(|monitor| monitor.refresh_rate_millihertz())
            .map_or(60.0, |millihertz| f64::from(millihertz) / 1000.0)
            .clamp(30.0, 500.0);
        Ok(Self {
            window,
            gpu,
            target,
            view,
            pace: Duration::from_secs_f64(1.0 / hertz),
            next: Instant::now(),
            _pipelines: pipelines,
        })
    }
}

/// Creates the view of a session, with its project's shaders, or with the built-in ones if those have an error.
pub(super) fn view_for(
    (gpu, target): (&Gpu, &WindowTarget),
    session: &mut Session,
    studio: StudioOptions,
) -> anyhow::Result<View> {
    let mut view = match View::for_window(gpu, target, &session.shaders()) {
        Ok(view) => view,
        Err(error) => {
            report_shader_fault(session, &error);
            View::for_window(gpu, target, &ShaderSource::embedded())?
        }
    };
    view.set_options(studio);
    Ok(view)
}

pub(super) fn title(session: &Session) -> String {
    let name = session.project.name();
    match vfs::is_packed(&session.project.root) {
        true => name,
        false => format!("{name} – Galatea"),
    }
}

fn icon(session: &mut Session) -> Option<Icon> {
    let read = session.project.icon();
    let image = read.unwrap_or_else(|why| {
        session.diagnostics.set("icon", MessageKind::Error, &why);
        None
    })?;
    Icon::from_rgba(image.rgba, image.width, image.height).ok()
}
