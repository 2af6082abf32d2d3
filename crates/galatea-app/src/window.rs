//! A session in a window.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use winit::application::ApplicationHandler;
use winit::dpi::{LogicalSize, PhysicalPosition};
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{Key, KeyCode, PhysicalKey};
use winit::window::{Fullscreen, Icon, Window, WindowId};

use super::console::{ConsoleWindow, Done};
use super::console_keys::{ConsoleKeys, KeyOutcome};
use super::control::ControlPort;
#[cfg(feature = "gamepad")]
use super::gamepads::Gamepads;
use super::kept_pipelines::KeptPipelines;
use super::keys::Wheel;
use super::losses::Losses;
#[cfg(feature = "gamepad")]
use super::pads::PadOutcome;
use super::session::{shaders_reloaded, tell_drawn, tell_shader_fault};
use super::{Session, SessionOptions, dropped, keys};
use crate::studio::{Prompt, StudioOptions, Typed, View};
use galatea_asset::vfs;
use galatea_guard::contained;
use galatea_render::{Gpu, ShaderSource, WindowTarget};
use galatea_stage::frame::{Message, MessageKind};
use galatea_stage::{DebugView, Frame, InputEvent};

/// The most ticks that one picture catches up with; what is older is let go.
const MAX_CATCH_UP: u32 = 5;
/// Degrees that the camera turns per point of mouse travel.
const TURN_PER_POINT: f32 = 0.25;

/// True when there is a display to open a window on, as far as can be told before trying.
pub fn has_display() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(target_os = "macos", target_os = "windows"))
        || set("WAYLAND_DISPLAY")
        || set("WAYLAND_SOCKET")
        || set("DISPLAY")
}

/// Plays a session in a window until it is closed.
///
/// # Errors
/// When there is no display or nothing that can draw on it.
pub fn run(
    mut session: Session,
    options: SessionOptions,
    control: Option<ControlPort>,
    wishes: StudioOptions,
) -> anyhow::Result<()> {
    session.diagnostics.shows_news = true;
    session.survive_errors();
    // A missing libxkbcommon-x11 is a panic inside winit.
    let event_loop = galatea_guard::guarded("opening a window", EventLoop::new)
        .map_err(|_| {
            anyhow::anyhow!(
                "the window system's libraries are incomplete (on Linux: libxkbcommon-x11)"
            )
        })?
        .context("no window can be opened")?;
    #[cfg(feature = "gamepad")]
    let gamepads = Gamepads::new()
        .inspect_err(|error| tracing::info!("no gamepads: {error}"))
        .ok();
    let mut app = App {
        session,
        options,
        control,
        console: ConsoleWindow::default(),
        console_keys: ConsoleKeys::default(),
        start: Instant::now(),
        shown: None,
        wishes,
        frame: Frame::default(),
        last: Instant::now(),
        behind: 0.0,
        drag: None,
        pointer: None,
        wheel: Wheel::default(),
        #[cfg(feature = "gamepad")]
        gamepads,
        losses: Losses::default(),
        has_drawn: false,
        failed: None,
    };
    event_loop.run_app(&mut app).context("the window system")?;
    match app.failed {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

struct App {
    session: Session,
    /// How sessions of dropped files run.
    options: SessionOptions,
    control: Option<ControlPort>,
    console: ConsoleWindow,
    console_keys: ConsoleKeys,
    /// Since when the window is there.
    start: Instant,
    shown: Option<OpenWindow>,
    wishes: StudioOptions,
    frame: Frame,
    last: Instant,
    /// Seconds of the coming tick that have passed.
    behind: f64,
    drag: Option<Drag>,
    pointer: Option<PhysicalPosition<f64>>,
    wheel: Wheel,
    #[cfg(feature = "gamepad")]
    gamepads: Option<Gamepads>,
    losses: Losses,
    /// A picture of the loaded project was drawn, and nothing was missing in it.
    has_drawn: bool,
    failed: Option<anyhow::Error>,
}

/// The window and what draws on it.
struct OpenWindow {
    window: Arc<Window>,
    gpu: Gpu,
    target: WindowTarget,
    view: View,
    /// Shortest time between two pictures.
    pace: Duration,
    next: Instant,
    /// Written when the window goes.
    _kept: Option<KeptPipelines>,
}

#[derive(Clone, Copy, PartialEq)]
enum Drag {
    Turn,
    Pan,
}

impl OpenWindow {
    fn open(
        event_loop: &ActiveEventLoop,
        session: &mut Session,
        wishes: StudioOptions,
    ) -> anyhow::Result<Self> {
        let settings = &session.project.settings.window;
        let attributes = Window::default_attributes()
            .with_title(title(session))
            .with_inner_size(LogicalSize::new(
                settings.width.max(1),
                settings.height.max(1),
            ))
            .with_fullscreen(settings.full_screen.then_some(Fullscreen::Borderless(None)))
            .with_window_icon(icon(session));
        let window = event_loop.create_window(attributes).context("the window")?;
        Self::on(Arc::new(window), session, wishes)
    }

    fn on(
        window: Arc<Window>,
        session: &mut Session,
        wishes: StudioOptions,
    ) -> anyhow::Result<Self> {
        let (mut gpu, surface) = Gpu::for_window(window.clone())?;
        let kept = KeptPipelines::recall(&mut gpu);
        let size = window.inner_size();
        let target = WindowTarget::new(&gpu, surface, (size.width, size.height))?;
        let view = view_for((&gpu, &target), session, wishes)?;
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
            _kept: kept,
        })
    }
}

/// What draws a session, with its project's shaders, or the built-in ones where those are faulty.
fn view_for(
    (gpu, target): (&Gpu, &WindowTarget),
    session: &mut Session,
    wishes: StudioOptions,
) -> anyhow::Result<View> {
    let mut view = match View::for_window(gpu, target, &session.shaders()) {
        Ok(view) => view,
        Err(error) => {
            tell_shader_fault(session, &error);
            View::for_window(gpu, target, &ShaderSource::embedded())?
        }
    };
    view.wish(wishes);
    Ok(view)
}

fn title(session: &Session) -> String {
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

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.shown.is_some() {
            return;
        }
        match OpenWindow::open(event_loop, &mut self.session, self.wishes) {
            Ok(shown) => {
                shown.window.request_redraw();
                self.shown = Some(shown);
                self.last = Instant::now();
            }
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let handled = contained("handling a window event", || self.handle(event_loop, event));
        if let Err(caught) = handled {
            let told = &mut self.session.diagnostics;
            told.set("window", MessageKind::Error, &caught.notice);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let ends = self
            .control
            .as_mut()
            .is_some_and(|control| control.serve(&mut self.session));
        if ends {
            return event_loop.exit();
        }
        let Some(shown) = &self.shown else { return };
        let now = Instant::now();
        if now >= shown.next {
            shown.window.request_redraw();
        }
        event_loop.set_control_flow(ControlFlow::WaitUntil(shown.next.max(now)));
    }
}

impl App {
    fn handle(&mut self, event_loop: &ActiveEventLoop, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => event_loop.exit(),
            WindowEvent::Resized(size) => {
                if let Some(shown) = &mut self.shown {
                    shown.target.resize(&shown.gpu, (size.width, size.height));
                    shown.window.request_redraw();
                }
            }
            WindowEvent::RedrawRequested => self.draw(event_loop),
            WindowEvent::KeyboardInput { event, .. } => self.key(event_loop, &event),
            WindowEvent::ModifiersChanged(held) => self.console_keys.held = held.state(),
            WindowEvent::Focused(false) => {
                self.release_all();
            }
            WindowEvent::MouseInput { state, button, .. } => self.mouse_button(state, button),
            WindowEvent::CursorMoved { position, .. } => self.pointer_moved(position),
            WindowEvent::MouseWheel { delta, .. } => {
                let lines = match delta {
                    MouseScrollDelta::LineDelta(_, y) => y,
                    MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / 40.0,
                };
                if self.pointer_in_console().is_some() {
                    let typed = Typed::Wheel(lines * 40.0);
                    return self.console.push(Done::Typed(typed));
                }
                self.session.input(&InputEvent::Zoom(-0.1 * lines));
                for key in self.wheel.turned(lines) {
                    self.session.input(&InputEvent::Down(key.into()));
                    self.session.input(&InputEvent::Up(key.into()));
                }
            }
            WindowEvent::DroppedFile(path) => self.dropped(event_loop, &path),
            WindowEvent::PinchGesture { delta, .. } => {
                self.session.input(&InputEvent::Zoom(-delta as f32));
            }
            _ => {}
        }
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: anyhow::Error) {
        self.failed = Some(error);
        event_loop.exit();
    }

    /// One picture: the ticks that are due, then the frame between the last two.
    fn draw(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let Some(shown) = &mut self.shown else { return };
        shown.next = now + shown.pace;
        self.behind += (now - self.last).as_secs_f64();
        self.last = now;
        let dt = self.session.stage.clock.dt;
        if self.session.is_loading() {
            self.behind = 0.0;
            self.session.apply_reloads();
        }
        let mut n_ticks = 0;
        while self.behind >= dt && n_ticks < MAX_CATCH_UP {
            #[cfg(feature = "gamepad")]
            if let Some(gamepads) = &mut self.gamepads {
                let session = &mut self.session;
                gamepads.poll(|outcome| match outcome {
                    PadOutcome::Input(event) => session.input(&event),
                    PadOutcome::News(text) => session.diagnostics.tell(text),
                });
            }
            self.session.tick();
            self.behind -= dt;
            n_ticks += 1;
        }
        if self.behind >= dt {
            self.behind %= dt;
        }
        if let Some(shaders) = self.session.take_shader_change() {
            let result = shown.view.renderer.reload_shaders(&shown.gpu, &shaders);
            shaders_reloaded(&mut self.session, result);
        }
        self.console.prompt.seconds = (now - self.start).as_secs_f64();
        let (size, scale) = (shown.target.size(), shown.window.scale_factor() as f32);
        self.console.work(&mut self.session, |prompt, typed| {
            shown.view.type_into(prompt, size, scale, typed);
        });
        self.console_keys.take_copied(&mut self.console);
        self.session
            .frame((self.behind / dt) as f32, &mut self.frame);
        let is_loading = self.session.is_loading();
        if is_loading {
            // Neither camera nor ground are those of the script yet.
            self.frame.ground = None;
            let loading = Message::new(MessageKind::Info, "loading …");
            self.frame.messages.push(loading);
        }
        shown.view.renderer.wait_for_pipelines(!self.has_drawn);
        let scale = shown.window.scale_factor() as f32;
        let console = self.console.is_open.then_some(&mut self.console.prompt);
        let drawn = contained("drawing a picture", || {
            let (gpu, target) = (&shown.gpu, &mut shown.target);
            let drawn = shown
                .view
                .draw_to_window(gpu, target, &self.frame, scale, console);
            tell_drawn(&mut self.session, &mut shown.view, gpu);
            drawn
        });
        let drawn = match drawn {
            Ok(drawn) => drawn,
            Err(caught) => {
                let told = &mut self.session.diagnostics;
                told.set("drawing", MessageKind::Error, &caught.notice);
                return self.rebuild(event_loop);
            }
        };
        match drawn {
            _ if shown.gpu.is_lost() => self.rebuild(event_loop),
            Err(_) => self.rebuild(event_loop),
            Ok(true) => {
                self.losses.shown();
                self.has_drawn |= !is_loading;
            }
            Ok(false) => {}
        }
    }

    /// The device or the surface is gone: makes both anew on the same window, or gives up.
    fn rebuild(&mut self, event_loop: &ActiveEventLoop) {
        let Some(shown) = self.shown.take() else {
            return;
        };
        let window = shown.window.clone();
        drop(shown);
        self.has_drawn = false;
        let mut error = anyhow::anyhow!("so were those in its place, before they drew a picture");
        while let Some(pause) = self.losses.again() {
            std::thread::sleep(pause);
            match OpenWindow::on(window.clone(), &mut self.session, self.wishes) {
                Ok(shown) => {
                    let name = &shown.gpu.info.name;
                    let news = format!("the graphics device was lost; {name} goes on drawing");
                    self.session.diagnostics.tell(news);
                    shown.window.request_redraw();
                    self.shown = Some(shown);
                    return;
                }
                Err(why) => error = why,
            }
        }
        self.fail(event_loop, error.context("the graphics device was lost"));
    }

    /// What is dropped takes the place of what plays.
    fn dropped(&mut self, event_loop: &ActiveEventLoop, path: &Path) {
        let Some(session) = dropped::session_of(path, &mut self.session, self.options) else {
            return;
        };
        self.session = session;
        self.has_drawn = false;
        if self.control.is_some() {
            self.session.keep_events();
        }
        (self.behind, self.last) = (0.0, Instant::now());
        self.release_all();
        let Some(shown) = &mut self.shown else { return };
        shown.window.set_title(&title(&self.session));
        // What was drawn before has names that mean other things now.
        match view_for((&shown.gpu, &shown.target), &mut self.session, self.wishes) {
            Ok(view) => shown.view = view,
            Err(error) => self.fail(event_loop, error),
        }
    }

    /// Nothing is held any more: the keyboard is somebody else's.
    fn release_all(&mut self) {
        for event in self.session.stage.input.releases() {
            self.session.input(&event);
        }
        self.drag = None;
    }

    fn key(&mut self, event_loop: &ActiveEventLoop, event: &KeyEvent) {
        match self.console_keys.key(&mut self.console, event) {
            KeyOutcome::Games => {}
            KeyOutcome::Consoles => return,
            KeyOutcome::Opened => {
                self.release_all();
                return;
            }
        }
        let pressed = event.state == ElementState::Pressed;
        if pressed && self.console_keys.held.control_key() && self.step_back(&event.logical_key) {
            return;
        }
        if pressed && !event.repeat {
            match event.physical_key {
                PhysicalKey::Code(KeyCode::Escape) => return event_loop.exit(),
                PhysicalKey::Code(KeyCode::F11) => return self.toggle_full_screen(),
                PhysicalKey::Code(KeyCode::KeyB) => {
                    self.session.stage.picture.show_bones = !self.session.stage.picture.show_bones;
                }
                PhysicalKey::Code(KeyCode::KeyV) if !self.console_keys.held.control_key() => {
                    let is_back = self.console_keys.held.shift_key();
                    let view = &mut self.session.stage.picture.view;
                    *view = DebugView::next(view.as_ref(), is_back);
                }
                _ => {}
            }
        }
        if let Some(name) = keys::name(event.physical_key, &event.logical_key) {
            self.session.input(&if pressed {
                InputEvent::Down(name)
            } else {
                InputEvent::Up(name)
            });
        }
    }

    /// Control with Z goes back a version of the script, with shift or with Y forward again: by what the
    /// key writes, as in editors. False for other keys.
    fn step_back(&mut self, key: &Key) -> bool {
        let Key::Character(letter) = key else {
            return false;
        };
        let shift = self.console_keys.held.shift_key();
        // What comes of it is said on the picture.
        let _ = match (letter.to_lowercase().as_str(), shift) {
            ("z", false) => self.session.undo(),
            ("z", true) | ("y", false) => self.session.redo(),
            _ => return false,
        };
        true
    }

    fn toggle_full_screen(&self) {
        if let Some(shown) = &self.shown {
            let now = shown.window.fullscreen();
            let next = now.is_none().then_some(Fullscreen::Borderless(None));
            shown.window.set_fullscreen(next);
        }
    }

    fn mouse_button(&mut self, state: ElementState, button: MouseButton) {
        let pressed = state == ElementState::Pressed;
        if let Some((x, y)) = self.pointer_in_console()
            && (pressed || self.drag.is_none())
        {
            if button == MouseButton::Left {
                let typed = Typed::Button(x, y, pressed);
                self.console.push(Done::Typed(typed));
            }
            return;
        }
        let drag = match button {
            MouseButton::Left => Some(Drag::Turn),
            MouseButton::Right | MouseButton::Middle => Some(Drag::Pan),
            _ => None,
        };
        if pressed {
            self.drag = self.drag.or(drag);
        } else if self.drag == drag {
            self.drag = None;
        }
        if let Some(name) = keys::mouse_name(button).map(str::to_owned) {
            self.session.input(&if pressed {
                InputEvent::Down(name)
            } else {
                InputEvent::Up(name)
            });
        }
    }

    /// Where the pointer is, points, when that is in the console.
    fn pointer_in_console(&self) -> Option<(f32, f32)> {
        let shown = self.shown.as_ref().filter(|_| self.console.is_open)?;
        let (at, scale) = (self.pointer?, shown.window.scale_factor());
        let height = f64::from(shown.window.inner_size().height) / scale;
        let (x, y) = ((at.x / scale) as f32, (at.y / scale) as f32);
        (y >= Prompt::top(height as f32)).then_some((x, y))
    }

    fn pointer_moved(&mut self, position: PhysicalPosition<f64>) {
        let Some(shown) = &self.shown else { return };
        let size = shown.window.inner_size();
        let (width, height) = (f64::from(size.width.max(1)), f64::from(size.height.max(1)));
        let before = self.pointer.replace(position).unwrap_or(position);
        let (dx, dy) = (
            (position.x - before.x) as f32,
            (position.y - before.y) as f32,
        );
        let points = shown.window.scale_factor() as f32;
        if let (Some((x, y)), None) = (self.pointer_in_console(), self.drag) {
            return self.console.push(Done::Typed(Typed::Pointer(x, y)));
        }
        let turn = TURN_PER_POINT / points;
        let moved = match self.drag {
            Some(Drag::Turn) => Some(InputEvent::Turn(-dx * turn, dy * turn)),
            Some(Drag::Pan) => Some(InputEvent::Pan(-dx / height as f32, dy / height as f32)),
            None => None,
        };
        if let Some(event) = moved {
            self.session.input(&event);
        }
        let aspect = (width / height) as f32;
        if self.session.stage.input.aspect != aspect {
            self.session.input(&InputEvent::Aspect(aspect));
        }
        let (x, y) = (position.x / width, position.y / height);
        self.session.input(&InputEvent::Pointer(x as f32, y as f32));
    }
}
