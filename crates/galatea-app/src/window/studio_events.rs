//! Events of a window that concern its studio.

use winit::event_loop::ActiveEventLoop;

use super::App;
use crate::studio_facts::StudioAction;

/// Maximum movement between pressing and releasing a button that counts as a click, pixels.
const MAX_CLICK: f64 = 6.0;

impl App {
    /// Opens or closes the studio. Returns false if this window has none.
    pub(super) fn toggle_studio(&mut self) -> bool {
        let Some(opened) = &mut self.opened else {
            return false;
        };
        let has_studio = self.studio.toggle(&mut opened.view);
        if has_studio {
            self.release_all();
        }
        if let (false, Some(session)) = (self.studio.is_open(), self.game.session()) {
            let stopped = session.perform(&StudioAction::Profile(false));
            debug_assert_eq!(stopped, Ok(()), "stopping cannot fail");
        }
        has_studio
    }

    /// Corner and size of the picture in the window, pixels.
    pub(super) fn picture(&self) -> ([f64; 2], [f64; 2]) {
        let Some(opened) = &self.opened else {
            return ([0.0; 2], [1.0; 2]);
        };
        let size = opened.window.inner_size();
        let scale = opened.window.scale_factor();
        self.studio.picture((size.width, size.height), scale)
    }

    /// Selects the character at the pointer when the left button is released where it was pressed.
    pub(super) fn pick(&mut self, pressed: bool) {
        if pressed {
            self.pressed_at = self.pointer;
            return;
        }
        let (Some(from), Some(to)) = (self.pressed_at.take(), self.pointer) else {
            return;
        };
        if (from.x - to.x).abs() + (from.y - to.y).abs() > MAX_CLICK {
            return;
        }
        let (_, [width, height]) = self.picture();
        let at = [(to.x / width) as f32, (to.y / height) as f32];
        let aspect = (width / height) as f32;
        if let Some(session) = self.game.session() {
            self.studio.pick(session, at, aspect);
        }
    }

    /// Closes the window.
    pub(super) fn exit(&mut self, event_loop: &ActiveEventLoop) {
        if self.studio.is_open() {
            self.studio.save_layout();
        }
        self.game.finish();
        if let Some(session) = self.game.session() {
            session.report_lost_values();
        }
        event_loop.exit();
    }
}
