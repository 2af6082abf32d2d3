//! A session in a window.

mod drawing;
mod open_window;
mod studio_events;
mod studio_window;

use std::time::Instant;

use anyhow::Context as _;
use egui::{Pos2, Vec2, pos2};
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
use super::{Session, SessionOptions, StoppableGame, keys};
use crate::studio::{Prompt, StudioOptions, Typed, past_along, past_at};
use galatea_guard::contained;
use galatea_stage::frame::MessageKind;
use galatea_stage::{DebugView, Frame, InputEvent};
use open_window::OpenWindow;
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
    let mut game = StoppableGame::new(session);
    game.hold(
        control
            .as_ref()
            .is_some_and(|control| control.waits_for_debugger),
    );
    let mut app = App {
        game,
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
        was_stopped: false,
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
    game: StoppableGame,
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
    /// A script was stopped before the last frame.
    was_stopped: bool,
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

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.opened.is_some() {
            return;
        }
        let Some(session) = self.game.session() else {
            return;
        };
        match OpenWindow::open(event_loop, session, self.drawing) {
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
        if let (Err(caught), Some(session)) = (handled, self.game.session()) {
            let diagnostics = &mut session.diagnostics;
            diagnostics.set("window", MessageKind::Error, &caught.notice);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let ends = self
            .control
            .as_mut()
            .is_some_and(|control| control.serve(&mut self.game));
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
        let is_stopped = self.game.stop().is_some();
        match event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => self.exit(event_loop),
            WindowEvent::Resized(size) => {
                if let Some(opened) = &mut self.opened {
                    opened.target.resize(&opened.gpu, (size.width, size.height));
                    opened.window.request_redraw();
                }
            }
            WindowEvent::RedrawRequested => self.draw(event_loop),
            WindowEvent::ModifiersChanged(held) => self.console_keys.held = held.state(),
            WindowEvent::KeyboardInput { event, .. } if is_stopped => {
                self.key_while_stopped(&event)
            }
            _ if is_stopped => {}
            WindowEvent::KeyboardInput { event, .. } => self.key(event_loop, &event),
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
                self.input(&InputEvent::Zoom(-0.1 * lines));
                for key in self.wheel.scroll(lines) {
                    self.input(&InputEvent::Down(key.into()));
                    self.input(&InputEvent::Up(key.into()));
                }
            }
            WindowEvent::DroppedFile(path) => self.dropped(event_loop, &path),
            WindowEvent::PinchGesture { delta, .. } => {
                self.input(&InputEvent::Zoom(-delta as f32));
            }
            _ => {}
        }
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: anyhow::Error) {
        self.failed = Some(error);
        event_loop.exit();
    }

    /// Passes an input event to the game.
    fn input(&mut self, event: &InputEvent) {
        if let Some(session) = self.game.session() {
            session.input(event);
        }
    }

    /// Moves in the displayed past to a fraction of it.
    fn move_in_past(&mut self, at: f64) {
        if let Some(session) = self.game.session() {
            session.move_in_past(PastMove::Fraction(at));
        }
    }

    /// Releases all keys, because the window lost the keyboard focus.
    fn release_all(&mut self) {
        if let Some(session) = self.game.session() {
            for event in session.stage.input.releases() {
                session.input(&event);
            }
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
                PhysicalKey::Code(code) => self.view_key(code),
                PhysicalKey::Unidentified(_) => {}
            }
        }
        if let Some(name) = keys::name(event.physical_key, &event.logical_key) {
            self.input(&if pressed {
                InputEvent::Down(name)
            } else {
                InputEvent::Up(name)
            });
        }
    }

    /// Processes a key that changes what the picture shows.
    fn view_key(&mut self, code: KeyCode) {
        let Some(session) = self.game.session() else {
            return;
        };
        let picture = &mut session.stage.picture;
        let held = self.console_keys.held;
        match code {
            KeyCode::KeyB => picture.show_bones = !picture.show_bones,
            KeyCode::KeyV if !held.control_key() => {
                picture.view = DebugView::next(picture.view.as_ref(), held.shift_key());
            }
            _ => {}
        }
    }

    /// Processes a key that displays the past or moves in it. Returns false for other keys.
    fn past_key(&mut self, event: &KeyEvent) -> bool {
        let Some(session) = self.game.session() else {
            return false;
        };
        if event.physical_key == PhysicalKey::Code(PAST_KEY) && session.kept_past().is_some() {
            if event.state == ElementState::Pressed && !event.repeat {
                self.toggle_past();
            }
            return true;
        }
        let shift = self.console_keys.held.shift_key();
        session.is_in_past() && key_in_past(session, event, shift)
    }

    fn toggle_past(&mut self) {
        self.release_all();
        let Some(session) = self.game.session() else {
            return;
        };
        if session.is_in_past() {
            return session.return_to_present();
        }
        if let Err(why) = session.look_back() {
            let text = format!("there is no past to display: {why}");
            session.diagnostics.notify(text);
        }
    }

    /// Size of the window and position of the pointer in points, while the past is displayed without the console.
    fn pointer_in_past(&mut self) -> Option<(Vec2, Pos2)> {
        let session = self.game.session()?;
        let has_bar = !self.studio.is_open() || session.past_change().is_some();
        if !session.is_in_past() || self.console.is_open || !has_bar {
            return None;
        }
        let opened = self.opened.as_ref()?;
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
        let Some(session) = self.game.session() else {
            return false;
        };
        // The result is shown on screen.
        let _ = match (letter.to_lowercase().as_str(), shift) {
            ("z", false) => session.undo(),
            ("z", true) | ("y", false) => session.redo(),
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
            return self.move_in_past(at);
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
            self.input(&if pressed {
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
        let points = opened.window.scale_factor() as f32;
        let (_, size) = self.picture();
        let [width, height] = size.map(|length| length.max(1.0));
        let before = self.pointer.replace(position).unwrap_or(position);
        let (dx, dy) = (
            (position.x - before.x) as f32,
            (position.y - before.y) as f32,
        );
        if let (Some((x, y)), None) = (self.pointer_in_console(), self.drag) {
            return self.console.push(Done::Typed(Typed::Pointer(x, y)));
        }
        if let (Some(Drag::Past), Some((size, at))) = (self.drag, self.pointer_in_past()) {
            let at = past_along(size, at.x);
            return self.move_in_past(at);
        }
        let degrees = DEGREES_PER_POINT / points;
        let moved = match self.drag {
            Some(Drag::Turn) => Some(InputEvent::Turn(-dx * degrees, dy * degrees)),
            Some(Drag::Pan) => Some(InputEvent::Pan(-dx / height as f32, dy / height as f32)),
            Some(Drag::Past) | None => None,
        };
        let Some(session) = self.game.session() else {
            return;
        };
        if let Some(event) = moved {
            session.input(&event);
        }
        let aspect = (width / height) as f32;
        if session.stage.input.aspect != aspect {
            session.input(&InputEvent::Aspect(aspect));
        }
        let (x, y) = (position.x / width, position.y / height);
        session.input(&InputEvent::Pointer(x as f32, y as f32));
    }
}
