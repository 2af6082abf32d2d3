//! A session in a window.

mod open_window;
mod studio_events;
mod studio_window;

use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use egui::{Pos2, Vec2, pos2};
use tracing::span::EnteredSpan;
use tracing::{info, info_span};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalPosition;
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{Key, KeyCode, PhysicalKey};
use winit::window::{Fullscreen, WindowId};

use super::console::{ConsoleWindow, Done};
use super::console_keys::{ConsoleKeys, KeyOutcome};
use super::control::ControlPort;
#[cfg(feature = "gamepad")]
use super::gamepads::Gamepads;
use super::keys::Wheel;
use super::losses::Losses;
#[cfg(feature = "gamepad")]
use super::pads::PadOutcome;
use super::past_keys::{PAST_KEY, key_in_past};
use super::past_position::PastMove;
use super::session::{report_drawing, shaders_reloaded};
use super::{Session, SessionOptions, dropped, keys};
use crate::studio::{OverPicture, Prompt, StudioOptions, Typed, past_along, past_at};
use galatea_guard::contained;
use galatea_math::phases::PHASE;
use galatea_stage::frame::{Message, MessageKind};
use galatea_stage::{DebugView, Frame, InputEvent};
use open_window::{OpenWindow, title, view_for};
pub use studio_window::StudioUse;
use studio_window::StudioWindow;

/// Maximum number of ticks to catch up per frame; older ones are skipped.
const MAX_CATCH_UP: u32 = 5;
/// Key that opens and closes the studio.
const STUDIO_KEY: KeyCode = KeyCode::F1;
/// Camera rotation per point of mouse travel, degrees.
const DEGREES_PER_POINT: f32 = 0.25;

/// Returns true if there seems to be a display for a window.
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
/// If there is no display, or no adapter that can draw to it.
pub fn run(
    mut session: Session,
    options: SessionOptions,
    control: Option<ControlPort>,
    drawing: StudioOptions,
    studio: StudioUse,
) -> anyhow::Result<()> {
    session.diagnostics.shows_news = true;
    session.survive_errors();
    // winit panics if libxkbcommon-x11 is missing.
    let event_loop = galatea_guard::guarded("opening a window", EventLoop::new)
        .map_err(|_| {
            anyhow::anyhow!(
                "a library of the window system is missing (on Linux: libxkbcommon-x11)"
            )
        })?
        .context("cannot open a window")?;
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
        opened: None,
        drawing,
        studio: StudioWindow::new(studio),
        pressed_at: None,
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
    event_loop
        .run_app(&mut app)
        .context("the window system reported an error")?;
    match app.failed {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

struct App {
    session: Session,
    /// Options for sessions of dropped files.
    options: SessionOptions,
    control: Option<ControlPort>,
    console: ConsoleWindow,
    console_keys: ConsoleKeys,
    /// Time at which the window opened.
    start: Instant,
    opened: Option<OpenWindow>,
    drawing: StudioOptions,
    studio: StudioWindow,
    /// Position in the picture at which the left button was pressed, while the studio is open.
    pressed_at: Option<PhysicalPosition<f64>>,
    frame: Frame,
    last: Instant,
    /// Seconds of the next tick that have already passed.
    behind: f64,
    drag: Option<Drag>,
    /// Position of the pointer in the picture, pixels.
    pointer: Option<PhysicalPosition<f64>>,
    wheel: Wheel,
    #[cfg(feature = "gamepad")]
    gamepads: Option<Gamepads>,
    losses: Losses,
    /// A complete frame of the loaded project was drawn.
    has_drawn: bool,
    failed: Option<anyhow::Error>,
}

#[derive(Clone, Copy, PartialEq)]
enum Drag {
    Turn,
    Pan,
    /// The position in the past.
    Past,
}

/// The phase in which the first picture is drawn; `None` for pictures before and after it.
fn phase_of_first_picture(is_other: bool) -> Option<EnteredSpan> {
    (!is_other).then(|| info_span!(target: PHASE, "draw the first picture").entered())
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.opened.is_some() {
            return;
        }
        match OpenWindow::open(event_loop, &mut self.session, self.drawing) {
            Ok(opened) => {
                opened.window.request_redraw();
                self.opened = Some(opened);
                self.last = Instant::now();
            }
            Err(error) => self.fail(event_loop, error),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let handled = contained("handling a window event", || self.handle(event_loop, event));
        if let Err(caught) = handled {
            let diagnostics = &mut self.session.diagnostics;
            diagnostics.set("window", MessageKind::Error, &caught.notice);
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
        let Some(opened) = &self.opened else { return };
        let now = Instant::now();
        if now >= opened.next {
            opened.window.request_redraw();
        }
        event_loop.set_control_flow(ControlFlow::WaitUntil(opened.next.max(now)));
    }
}

impl App {
    fn handle(&mut self, event_loop: &ActiveEventLoop, event: WindowEvent) {
        if let Some(opened) = &self.opened
            && self
                .studio
                .event(&opened.window, &event, self.drag.is_some())
        {
            return;
        }
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => self.exit(event_loop),
            WindowEvent::Resized(size) => {
                if let Some(opened) = &mut self.opened {
                    opened.target.resize(&opened.gpu, (size.width, size.height));
                    opened.window.request_redraw();
                }
            }
            WindowEvent::RedrawRequested => self.draw(event_loop),
            WindowEvent::KeyboardInput { event, .. } => self.key(event_loop, &event),
            WindowEvent::ModifiersChanged(held) => self.console_keys.held = held.state(),
            WindowEvent::Focused(false) => {
                self.release_all();
            }
            WindowEvent::MouseInput { state, button, .. } => self.mouse_button(state, button),
            WindowEvent::CursorMoved { position, .. } => {
                let ([x, y], _) = self.picture();
                self.pointer_moved(PhysicalPosition::new(position.x - x, position.y - y));
            }
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
                for key in self.wheel.scroll(lines) {
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

    /// Draws one frame: runs the due ticks, then interpolates between the last two.
    fn draw(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let Some(opened) = &mut self.opened else {
            return;
        };
        opened.next = now + opened.pace;
        self.run_due_ticks(now);
        let Some(opened) = &mut self.opened else {
            return;
        };
        let dt = self.session.stage.clock.dt;
        if let Some(shaders) = self.session.take_shader_change() {
            let result = opened.view.renderer.reload_shaders(&opened.gpu, &shaders);
            shaders_reloaded(&mut self.session, result);
        }
        self.console.prompt.seconds = (now - self.start).as_secs_f64();
        let scale = opened.window.scale_factor();
        let (_, [width, height]) = self.studio.picture(opened.target.size(), scale);
        let (size, scale) = ((width as u32, height as u32), scale as f32);
        self.console.work(&mut self.session, |prompt, typed| {
            opened.view.type_into(prompt, size, scale, typed);
        });
        self.console_keys.take_copied(&mut self.console);
        self.session
            .frame((self.behind / dt) as f32, &mut self.frame);
        let is_loading = self.session.is_loading();
        if is_loading {
            // The script has not set the camera and the ground yet.
            self.frame.ground = None;
            let loading = Message::new(MessageKind::Info, "loading …");
            self.frame.messages.push(loading);
        }
        opened.view.change = self.session.past_change();
        // The studio has its own bar; the one in the picture shows what a change has changed.
        let needs_bar = !self.studio.is_open() || opened.view.change.is_some();
        opened.view.past = self.session.past_position().filter(|_| needs_bar);
        opened.view.renderer.wait_for_pipelines(!self.has_drawn);
        let scale = opened.window.scale_factor() as f32;
        let console = self.console.is_open.then_some(&mut self.console.prompt);
        let phase = phase_of_first_picture(self.has_drawn || is_loading);
        let drawn = contained("drawing a picture", || {
            let (gpu, target) = (&opened.gpu, &mut opened.target);
            let (studio, session) = (&mut self.studio, &mut self.session);
            let view = &mut opened.view;
            let over = OverPicture {
                console,
                studio: studio.pass((&opened.window, gpu), view, session),
            };
            let drawn = view.draw_to_window(gpu, target, &self.frame, scale, over);
            studio.perform(&opened.window, view, session);
            report_drawing(&mut self.session, &mut opened.view, gpu);
            drawn
        });
        drop(phase);
        let drawn = match drawn {
            Ok(drawn) => drawn,
            Err(caught) => {
                let diagnostics = &mut self.session.diagnostics;
                diagnostics.set("drawing", MessageKind::Error, &caught.notice);
                return self.rebuild(event_loop);
            }
        };
        match drawn {
            _ if opened.gpu.is_lost() => self.rebuild(event_loop),
            Err(_) => self.rebuild(event_loop),
            Ok(true) => self.note_shown(is_loading),
            Ok(false) => {}
        }
    }

    /// Runs the ticks that are due.
    fn run_due_ticks(&mut self, now: Instant) {
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
                    PadOutcome::News(text) => session.diagnostics.notify(text),
                });
            }
            self.session.tick();
            self.behind -= dt;
            n_ticks += 1;
        }
        if self.behind >= dt {
            self.behind %= dt;
        }
    }

    /// Notes that a picture is in the window.
    fn note_shown(&mut self, is_loading: bool) {
        self.losses.shown();
        if !is_loading && !self.has_drawn {
            info!(target: PHASE, "the first picture is shown");
            self.has_drawn = true;
        }
    }

    /// Recreates a lost device or surface for the same window, or gives up.
    fn rebuild(&mut self, event_loop: &ActiveEventLoop) {
        let Some(opened) = self.opened.take() else {
            return;
        };
        let window = opened.window.clone();
        let mut opened = opened;
        self.studio.forget(&mut opened.view);
        drop(opened);
        self.has_drawn = false;
        let mut error =
            anyhow::anyhow!("its replacements were lost too, before they drew a picture");
        while let Some(pause) = self.losses.again() {
            std::thread::sleep(pause);
            match OpenWindow::on(window.clone(), &mut self.session, self.drawing) {
                Ok(opened) => {
                    let name = &opened.gpu.info.name;
                    let news =
                        format!("the graphics device was lost; drawing continues with {name}");
                    self.session.diagnostics.notify(news);
                    opened.window.request_redraw();
                    self.opened = Some(opened);
                    return;
                }
                Err(why) => error = why,
            }
        }
        self.fail(event_loop, error.context("the graphics device was lost"));
    }

    /// Replaces the current session by a dropped file.
    fn dropped(&mut self, event_loop: &ActiveEventLoop, path: &Path) {
        let Some(session) = dropped::session_of(path, &mut self.session, self.options) else {
            return;
        };
        let kept_past = self.session.kept_past();
        self.session = session;
        if let Some(seconds) = kept_past {
            self.session.keep_past(seconds);
        }
        self.has_drawn = false;
        if self.control.is_some() {
            self.session.record_events();
        }
        (self.behind, self.last) = (0.0, Instant::now());
        self.release_all();
        let Some(opened) = &mut self.opened else {
            return;
        };
        opened.window.set_title(&title(&self.session));
        // Names in the old view's cache would refer to other resources.
        match view_for(
            (&opened.gpu, &opened.target),
            &mut self.session,
            self.drawing,
        ) {
            Ok(view) => {
                opened.view = view;
                self.studio.forget(&mut opened.view);
            }
            Err(error) => self.fail(event_loop, error),
        }
    }

    /// Releases all keys, because the window lost the keyboard focus.
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
        if self.past_key(event) {
            return;
        }
        if pressed && self.console_keys.held.control_key() && self.step_back(&event.logical_key) {
            return;
        }
        if pressed && !event.repeat {
            match event.physical_key {
                PhysicalKey::Code(STUDIO_KEY) if self.toggle_studio() => return,
                PhysicalKey::Code(KeyCode::Escape) => return self.exit(event_loop),
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

    /// Processes a key that displays the past or moves in it. Returns false for other keys.
    fn past_key(&mut self, event: &KeyEvent) -> bool {
        if event.physical_key == PhysicalKey::Code(PAST_KEY) && self.session.kept_past().is_some() {
            if event.state == ElementState::Pressed && !event.repeat {
                self.toggle_past();
            }
            return true;
        }
        let shift = self.console_keys.held.shift_key();
        self.session.is_in_past() && key_in_past(&mut self.session, event, shift)
    }

    fn toggle_past(&mut self) {
        if self.session.is_in_past() {
            return self.session.return_to_present();
        }
        self.release_all();
        if let Err(why) = self.session.look_back() {
            let text = format!("there is no past to display: {why}");
            self.session.diagnostics.notify(text);
        }
    }

    /// Size of the window and position of the pointer in points, while the past is displayed without the console.
    fn pointer_in_past(&self) -> Option<(Vec2, Pos2)> {
        let opened = self.opened.as_ref()?;
        let has_bar = !self.studio.is_open() || self.session.past_change().is_some();
        if !self.session.is_in_past() || self.console.is_open || !has_bar {
            return None;
        }
        let (_, size) = self.picture();
        let scale = opened.window.scale_factor();
        let [width, height] = size.map(|length| (length / scale) as f32);
        let at = self.pointer?.to_logical::<f32>(scale);
        Some((Vec2::new(width, height), pos2(at.x, at.y)))
    }

    /// Undo and redo: control with Z runs the previous version of the script; with shift, or with Y, the next one. The key
    /// is identified by its character, as in editors. Returns false for other keys.
    fn step_back(&mut self, key: &Key) -> bool {
        let Key::Character(letter) = key else {
            return false;
        };
        let shift = self.console_keys.held.shift_key();
        // The result is shown on screen.
        let _ = match (letter.to_lowercase().as_str(), shift) {
            ("z", false) => self.session.undo(),
            ("z", true) | ("y", false) => self.session.redo(),
            _ => return false,
        };
        true
    }

    fn toggle_full_screen(&self) {
        if let Some(opened) = &self.opened {
            let now = opened.window.fullscreen();
            let next = now.is_none().then_some(Fullscreen::Borderless(None));
            opened.window.set_fullscreen(next);
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
        if button == MouseButton::Left && self.studio.is_open() {
            self.pick(pressed);
        }
        let in_past = self.pointer_in_past();
        let past = in_past.and_then(|(size, at)| past_at(size, at));
        if let (Some(at), true, MouseButton::Left) = (past, pressed, button) {
            self.drag = Some(Drag::Past);
            return self.session.move_in_past(PastMove::Fraction(at));
        }
        let drag = match button {
            MouseButton::Left if self.drag == Some(Drag::Past) => self.drag,
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

    /// Position of the pointer in points, if it is in the console.
    fn pointer_in_console(&self) -> Option<(f32, f32)> {
        let opened = self.opened.as_ref().filter(|_| self.console.is_open)?;
        let (at, scale) = (self.pointer?, opened.window.scale_factor());
        let (_, [_, height]) = self.picture();
        let height = height / scale;
        let (x, y) = ((at.x / scale) as f32, (at.y / scale) as f32);
        (y >= Prompt::top(height as f32)).then_some((x, y))
    }

    fn pointer_moved(&mut self, position: PhysicalPosition<f64>) {
        let Some(opened) = &self.opened else { return };
        let (_, size) = self.picture();
        let [width, height] = size.map(|length| length.max(1.0));
        let before = self.pointer.replace(position).unwrap_or(position);
        let (dx, dy) = (
            (position.x - before.x) as f32,
            (position.y - before.y) as f32,
        );
        let points = opened.window.scale_factor() as f32;
        if let (Some((x, y)), None) = (self.pointer_in_console(), self.drag) {
            return self.console.push(Done::Typed(Typed::Pointer(x, y)));
        }
        if let (Some(Drag::Past), Some((size, at))) = (self.drag, self.pointer_in_past()) {
            let at = past_along(size, at.x);
            return self.session.move_in_past(PastMove::Fraction(at));
        }
        let degrees = DEGREES_PER_POINT / points;
        let moved = match self.drag {
            Some(Drag::Turn) => Some(InputEvent::Turn(-dx * degrees, dy * degrees)),
            Some(Drag::Pan) => Some(InputEvent::Pan(-dx / height as f32, dy / height as f32)),
            Some(Drag::Past) | None => None,
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
