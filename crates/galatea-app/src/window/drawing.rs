//! Pictures of a window: the ticks before each, drawing, and new devices.

use std::path::Path;
use std::time::Instant;

use tracing::span::EnteredSpan;
use tracing::{info, info_span};
use winit::event::{ElementState, KeyEvent};
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::{KeyCode, PhysicalKey};

use super::open_window::{OpenWindow, title, view_for};
use super::{App, MAX_CATCH_UP, STUDIO_KEY};
use crate::control::ControlPort;
use crate::debug_facts::DebugAction;
use crate::dropped;
#[cfg(feature = "gamepad")]
use crate::pads::PadOutcome;
use crate::session::{Session, report_drawing, shaders_reloaded};
use crate::studio::OverPicture;
use galatea_guard::contained;
use galatea_math::phases::PHASE;
use galatea_script::ScriptStep;
use galatea_stage::frame::{Message, MessageKind};

/// The phase in which the first picture is drawn; `None` for pictures before and after it.
fn phase_of_first_picture(is_other: bool) -> Option<EnteredSpan> {
    (!is_other).then(|| info_span!(target: PHASE, "draw the first picture").entered())
}

impl App {
    /// Draws one frame: runs the due ticks, then interpolates between the last two. While a script is stopped, the frame
    /// stays as it was before the tick in which it stopped.
    pub(super) fn draw(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let Some(opened) = &mut self.opened else {
            return;
        };
        opened.next = now + opened.pace;
        self.run_due_ticks(now);
        self.prepare_frame(now);
        let Some(opened) = &mut self.opened else {
            return;
        };
        opened.view.renderer.wait_for_pipelines(!self.has_drawn);
        let scale = opened.window.scale_factor() as f32;
        let console = self.console.is_open.then_some(&mut self.console.prompt);
        let is_loading = self.game.session().is_some_and(|one| one.is_loading());
        let phase = phase_of_first_picture(self.has_drawn || is_loading);
        let drawn = contained("drawing a picture", || {
            let (gpu, target) = (&opened.gpu, &mut opened.target);
            let (studio, game) = (&mut self.studio, &mut self.game);
            let view = &mut opened.view;
            let over = OverPicture {
                console,
                studio: studio.pass((&opened.window, gpu), view, game),
            };
            let drawn = view.draw_to_window(gpu, target, &self.frame, scale, over);
            studio.perform(&opened.window, view, game);
            if let Some(session) = game.session() {
                report_drawing(session, view, gpu);
            }
            drawn
        });
        drop(phase);
        let drawn = match drawn {
            Ok(drawn) => drawn,
            Err(caught) => {
                if let Some(session) = self.game.session() {
                    let diagnostics = &mut session.diagnostics;
                    diagnostics.set("drawing", MessageKind::Error, &caught.notice);
                }
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

    /// Answers the console, and fills the frame with the state of the session.
    fn prepare_frame(&mut self, now: Instant) {
        let (Some(opened), Some(session)) = (&mut self.opened, self.game.session()) else {
            return;
        };
        if let Some(shaders) = session.take_shader_change() {
            let result = opened.view.renderer.reload_shaders(&opened.gpu, &shaders);
            shaders_reloaded(session, result);
        }
        self.console.prompt.seconds = (now - self.start).as_secs_f64();
        let scale = opened.window.scale_factor();
        let (_, [width, height]) = self.studio.picture(opened.target.size(), scale);
        let (size, scale) = ((width as u32, height as u32), scale as f32);
        self.console.work(session, |prompt, typed| {
            opened.view.type_into(prompt, size, scale, typed);
        });
        self.console_keys.take_copied(&mut self.console);
        let dt = session.stage.clock.dt;
        session.frame((self.behind / dt) as f32, &mut self.frame);
        if session.is_loading() {
            // The script has not set the camera and the ground yet.
            self.frame.ground = None;
            let loading = Message::new(MessageKind::Info, "loading …");
            self.frame.messages.push(loading);
        }
        opened.view.change = session.past_change();
        // The studio has its own bar; the one in the picture shows what a change has changed.
        let needs_bar = !self.studio.is_open() || opened.view.change.is_some();
        opened.view.past = session.past_position().filter(|_| needs_bar);
    }

    /// Runs the ticks that are due. A script can stop in one of them.
    fn run_due_ticks(&mut self, now: Instant) {
        let was_stopped = self.was_stopped;
        self.was_stopped = self.game.stop().is_some();
        self.behind += (now - self.last).as_secs_f64();
        self.last = now;
        if self.was_stopped {
            self.behind = 0.0;
            return;
        }
        if was_stopped {
            // Keys may have been released while the script was stopped.
            self.release_all();
        }
        let Some(session) = self.game.session() else {
            return;
        };
        let dt = session.stage.clock.dt;
        if session.is_loading() {
            self.behind = 0.0;
            self.game.run(Session::apply_reloads);
        }
        let mut n_ticks = 0;
        while self.behind >= dt && n_ticks < MAX_CATCH_UP {
            #[cfg(feature = "gamepad")]
            if let (Some(gamepads), Some(session)) = (&mut self.gamepads, self.game.session()) {
                gamepads.poll(|outcome| match outcome {
                    PadOutcome::Input(event) => session.input(&event),
                    PadOutcome::News(text) => session.diagnostics.notify(text),
                });
            }
            self.game.run(Session::tick);
            self.behind -= dt;
            n_ticks += 1;
        }
        if self.behind >= dt {
            self.behind %= dt;
        }
        if self.game.stop().is_some() {
            self.script_stopped();
        }
    }

    /// Shows why a script has just stopped, unless a code editor shows it.
    fn script_stopped(&mut self) {
        self.drag = None;
        let has_editor = self.control.as_ref().is_some_and(ControlPort::has_editor);
        if let (Some(opened), false) = (&mut self.opened, has_editor) {
            self.studio.show_debugger(&mut opened.view);
        }
    }

    /// Handles a key while a script is stopped.
    pub(super) fn key_while_stopped(&mut self, event: &KeyEvent) {
        if event.state != ElementState::Pressed {
            return;
        }
        if let Some(step) = step_of(event, self.console_keys.held.shift_key()) {
            self.game.debug(&DebugAction::Step(step));
        } else if event.physical_key == PhysicalKey::Code(STUDIO_KEY) {
            self.toggle_studio();
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
            self.game.finish();
            let Some(session) = self.game.session() else {
                return;
            };
            match OpenWindow::on(window.clone(), session, self.drawing) {
                Ok(opened) => {
                    let name = &opened.gpu.info.name;
                    let news =
                        format!("the graphics device was lost; drawing continues with {name}");
                    session.diagnostics.notify(news);
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
    pub(super) fn dropped(&mut self, event_loop: &ActiveEventLoop, path: &Path) {
        let Some(before) = self.game.session() else {
            return;
        };
        let Some(mut session) = dropped::session_of(path, before, self.options) else {
            return;
        };
        if let Some(seconds) = before.kept_past() {
            session.keep_past(seconds);
        }
        if self.control.is_some() {
            session.record_events();
        }
        self.game.replace(session);
        self.has_drawn = false;
        (self.behind, self.last) = (0.0, Instant::now());
        self.release_all();
        let (Some(opened), Some(session)) = (&mut self.opened, self.game.session()) else {
            return;
        };
        opened.window.set_title(&title(session));
        // Names in the old view's cache would refer to other resources.
        match view_for((&opened.gpu, &opened.target), session, self.drawing) {
            Ok(view) => {
                opened.view = view;
                self.studio.forget(&mut opened.view);
            }
            Err(error) => self.fail(event_loop, error),
        }
    }
}

/// The step that a key means while a script is stopped, as in other debuggers.
fn step_of(event: &KeyEvent, is_shifted: bool) -> Option<ScriptStep> {
    match event.physical_key {
        PhysicalKey::Code(KeyCode::F5) => Some(ScriptStep::Continue),
        PhysicalKey::Code(KeyCode::F10) => Some(ScriptStep::Over),
        PhysicalKey::Code(KeyCode::F11) if is_shifted => Some(ScriptStep::Out),
        PhysicalKey::Code(KeyCode::F11) => Some(ScriptStep::Into),
        _ => None,
    }
}
