//! The studio of a window: opening and closing, its input, and its actions.

use std::path::PathBuf;

use egui::{Pos2, pos2};
use tracing::debug;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::Window;

use crate::studio::{StudioDock, StudioPane, StudioPass, View};
use crate::studio_facts::StudioAction;
use crate::{Session, StoppableGame, editor};
use galatea_asset::write_whole;
use galatea_render::Gpu;

/// Use of the studio by a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StudioUse {
    /// True if F1 opens it.
    pub is_allowed: bool,
    /// True if it is open from the start.
    pub is_open: bool,
    /// Command that opens a line of a script: a program with `{file}` and `{line}`.
    pub editor: Option<String>,
}

/// The studio of a window.
pub(super) struct StudioWindow {
    usage: StudioUse,
    dock: StudioDock,
    /// Translates the input of the window; `None` until the studio is drawn for the first time.
    input: Option<egui_winit::State>,
    /// A saved layout was looked for.
    has_read_layout: bool,
    /// The last position of the pointer, points. egui knows it only after the next picture.
    pointer: Option<Pos2>,
}

impl StudioWindow {
    pub fn new(usage: StudioUse) -> Self {
        Self {
            usage,
            dock: StudioDock::default(),
            input: None,
            has_read_layout: false,
            pointer: None,
        }
    }

    pub fn is_open(&self) -> bool {
        self.usage.is_open
    }

    /// Opens or closes the studio. Returns false if it is not allowed.
    pub fn toggle(&mut self, view: &mut View) -> bool {
        if !self.usage.is_allowed {
            return false;
        }
        self.usage.is_open = !self.usage.is_open;
        if !self.usage.is_open {
            self.save_layout();
            self.forget(view);
        }
        true
    }

    /// Opens the studio, if it is allowed, with the debugger.
    pub fn show_debugger(&mut self, view: &mut View) {
        if !self.is_open() && !self.toggle(view) {
            return;
        }
        self.dock.open(StudioPane::Debugger);
    }

    /// Forgets the parts that belong to a view, because it is closed or replaced.
    pub fn forget(&mut self, view: &mut View) {
        self.input = None;
        view.close_studio();
    }

    /// Selects the character at a point of the picture, as a fraction of its size.
    pub fn pick(&mut self, session: &Session, at: [f32; 2], aspect: f32) {
        if let Some(name) = session.character_at(at, aspect) {
            self.dock.select(Some(&name));
        }
    }

    /// Passes an event to the studio. Returns true if the game does not get it.
    pub fn event(&mut self, window: &Window, event: &WindowEvent, is_game_dragging: bool) -> bool {
        if !self.is_open() {
            return false;
        }
        let Some(input) = &mut self.input else {
            return false;
        };
        // The response says what egui's own areas want; the picture is a part of them.
        let _ = input.on_window_event(window, event);
        let context = input.egui_ctx();
        if let WindowEvent::CursorMoved { position, .. } = event {
            let at = position.to_logical::<f32>(window.scale_factor());
            self.pointer = Some(pos2(at.x, at.y));
        }
        match event {
            WindowEvent::KeyboardInput { event, .. } => {
                // The game gets the release of a key that was pressed before a text field got the keys.
                let is_pressed = event.state == ElementState::Pressed;
                is_pressed && context.egui_wants_keyboard_input() && !is_function_key(event)
            }
            WindowEvent::Ime(_) => context.egui_wants_keyboard_input(),
            WindowEvent::MouseInput { .. }
            | WindowEvent::MouseWheel { .. }
            | WindowEvent::CursorMoved { .. }
            | WindowEvent::PinchGesture { .. } => {
                !is_game_dragging && !self.pointer.is_some_and(|at| self.is_over_picture(at))
            }
            _ => false,
        }
    }

    /// Returns true if the pointer is over the picture, and neither over a list that hangs over it nor dragging something.
    fn is_over_picture(&self, at: Pos2) -> bool {
        let Some(input) = &self.input else {
            return true;
        };
        let context = input.egui_ctx();
        let layer = context.layer_id_at(at);
        let is_background = layer.is_none_or(|layer| layer.order == egui::Order::Background);
        let is_used = context.egui_is_using_pointer();
        is_background && !is_used && self.dock.picture_area().contains(at)
    }

    /// Corner and size of the picture in a window of `size` pixels with `scale` pixels per point, pixels.
    pub fn picture(&self, size: (u32, u32), scale: f64) -> ([f64; 2], [f64; 2]) {
        let area = self.dock.picture_area();
        if !self.is_open() || !area.is_positive() {
            return ([0.0; 2], [f64::from(size.0), f64::from(size.1)]);
        }
        let pixels = |at: f32| f64::from(at) * scale;
        (
            [pixels(area.min.x), pixels(area.min.y)],
            [pixels(area.width()), pixels(area.height())],
        )
    }

    /// The studio for the next picture; `None` while it is closed.
    pub fn pass<'s>(
        &'s mut self,
        (window, gpu): (&Window, &Gpu),
        view: &mut View,
        game: &'s mut StoppableGame,
    ) -> Option<StudioPass<'s>> {
        if !self.is_open() {
            return None;
        }
        if !self.has_read_layout {
            self.has_read_layout = true;
            self.read_layout();
        }
        let input = self.input.get_or_insert_with(|| {
            let context = view.studio_context(gpu).clone();
            let id = egui::ViewportId::ROOT;
            let scale = window.scale_factor() as f32;
            let largest = gpu.device.limits().max_texture_dimension_2d;
            egui_winit::State::new(
                context,
                id,
                window,
                Some(scale),
                None,
                Some(largest as usize),
            )
        });
        let input = input.take_egui_input(window);
        let facts = game.studio_facts(self.dock.selected());
        Some(StudioPass {
            dock: &mut self.dock,
            facts,
            input,
        })
    }

    /// Performs the actions of the last picture.
    pub fn perform(&mut self, window: &Window, view: &mut View, game: &mut StoppableGame) {
        if let (Some(output), Some(input)) = (view.take_platform_output(), &mut self.input) {
            input.handle_platform_output(window, output);
        }
        for action in self.dock.take_actions() {
            if let StudioAction::Debug(action) = &action {
                game.debug(action);
                continue;
            }
            // The other panels are only for looking while a script is stopped.
            let Some(session) = game.session() else {
                continue;
            };
            let result = match &action {
                StudioAction::OpenSource(at) => {
                    editor::open(self.usage.editor.as_deref(), &session.project.root, at)
                }
                _ => session.perform(&action),
            };
            if let Err(why) = result {
                session.diagnostics.notify(why);
            }
        }
    }

    fn read_layout(&mut self) {
        let text = layout_file().and_then(|file| std::fs::read_to_string(file).ok());
        if let Some(text) = text {
            self.dock = StudioDock::with_layout(&text);
        }
    }

    /// Saves the layout for the next run. If there is no folder for it, the next run uses the usual layout.
    pub fn save_layout(&self) {
        let (Some(file), Some(text)) = (layout_file(), self.dock.layout()) else {
            return;
        };
        if !self.has_read_layout {
            return;
        }
        let folder = file.parent().map(std::fs::create_dir_all);
        let written = folder
            .unwrap_or(Ok(()))
            .and_then(|()| write_whole(&file, text.as_bytes()));
        if let Err(error) = written {
            debug!("cannot save the layout of the studio: {error}");
        }
    }
}

/// Returns true for F1 to F12, which text fields do not use.
fn is_function_key(event: &KeyEvent) -> bool {
    let PhysicalKey::Code(code) = event.physical_key else {
        return false;
    };
    (KeyCode::F1..=KeyCode::F12).contains(&code)
}

/// The file with the layout.
fn layout_file() -> Option<PathBuf> {
    Some(dirs::config_dir()?.join("galatea").join("studio.json"))
}
