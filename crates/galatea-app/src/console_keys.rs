//! Keys, mouse and clipboard of the window system, for the console.

use winit::event::{ElementState, KeyEvent};
use winit::keyboard::{KeyCode, ModifiersState, PhysicalKey};

use super::console::{ConsoleWindow, Done, edit_key};
use crate::studio::{EditKey, Typed};

/// Input state of the console.
#[derive(Default)]
pub struct ConsoleKeys {
    /// Modifier keys that are held.
    pub held: ModifiersState,
    clipboard: Clipboard,
}

/// The system's clipboard, or an internal one if there is none.
#[derive(Default)]
struct Clipboard {
    system: Option<arboard::Clipboard>,
    own: String,
}

impl Clipboard {
    fn system(&mut self) -> Option<&mut arboard::Clipboard> {
        if self.system.is_none() {
            self.system = arboard::Clipboard::new().ok();
        }
        self.system.as_mut()
    }

    fn set(&mut self, text: String) {
        if let Some(system) = self.system()
            && let Err(error) = system.set_text(text.clone())
        {
            tracing::debug!("cannot write to the clipboard: {error}");
        }
        self.own = text;
    }

    fn get(&mut self) -> String {
        let text = self.system().and_then(|system| system.get_text().ok());
        text.unwrap_or_else(|| self.own.clone())
    }
}

/// Receiver of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyOutcome {
    /// The game receives the key.
    Games,
    /// The console received the key.
    Consoles,
    /// The key opened the console.
    Opened,
}

impl ConsoleKeys {
    /// Passes a key to the console. The key left of 1 opens and closes it, Escape closes it, and an open console receives
    /// all other keys.
    pub fn key(&mut self, console: &mut ConsoleWindow, event: &KeyEvent) -> KeyOutcome {
        let pressed = event.state == ElementState::Pressed;
        let code = match event.physical_key {
            PhysicalKey::Code(code) => Some(code),
            PhysicalKey::Unidentified(_) => None,
        };
        if code == Some(KeyCode::Backquote) {
            if pressed && !event.repeat {
                console.is_open = !console.is_open;
                if console.is_open {
                    return KeyOutcome::Opened;
                }
            }
            return KeyOutcome::Consoles;
        }
        if !console.is_open {
            return KeyOutcome::Games;
        }
        if pressed {
            self.pressed(console, code, event.text.as_deref());
        }
        KeyOutcome::Consoles
    }

    fn pressed(&mut self, console: &mut ConsoleWindow, code: Option<KeyCode>, text: Option<&str>) {
        let shift = self.held.shift_key();
        let control = self.held.control_key() || self.held.super_key();
        let edits = |key| Some(edit_key(key, shift, control));
        let done = match code {
            Some(KeyCode::Escape) => {
                console.is_open = false;
                return;
            }
            Some(KeyCode::Enter | KeyCode::NumpadEnter) => Some(Done::Submit),
            Some(KeyCode::Tab) => Some(Done::Complete),
            Some(KeyCode::ArrowUp) => Some(Done::Older),
            Some(KeyCode::ArrowDown) => Some(Done::Newer),
            Some(KeyCode::ArrowLeft) => edits(EditKey::Left),
            Some(KeyCode::ArrowRight) => edits(EditKey::Right),
            Some(KeyCode::Home) => edits(EditKey::Home),
            Some(KeyCode::End) => edits(EditKey::End),
            Some(KeyCode::Backspace) => edits(EditKey::Backspace),
            Some(KeyCode::Delete) => edits(EditKey::Delete),
            Some(KeyCode::PageUp) => Some(Done::Typed(Typed::Wheel(160.0))),
            Some(KeyCode::PageDown) => Some(Done::Typed(Typed::Wheel(-160.0))),
            Some(KeyCode::KeyA) if control => edits(EditKey::A),
            Some(KeyCode::KeyZ) if control => edits(EditKey::Z),
            Some(KeyCode::KeyC) if control => Some(Done::Typed(Typed::Copy)),
            Some(KeyCode::KeyX) if control => Some(Done::Typed(Typed::Cut)),
            Some(KeyCode::KeyV) if control => {
                // A line break would submit the line.
                let text = self.clipboard.get().replace(['\r', '\n'], " ");
                Some(Done::Typed(Typed::Paste(text)))
            }
            _ => None,
        };
        if let Some(done) = done {
            return console.push(done);
        }
        // AltGr types letters, and some systems report it as control and alt.
        let writes = !control || self.held.alt_key();
        let text: String = text.unwrap_or_default().to_owned();
        if writes && !text.is_empty() && !text.contains(char::is_control) {
            console.push(Done::Typed(Typed::Text(text)));
        }
    }

    /// Copies the console's selected text to the clipboard.
    pub fn take_copied(&mut self, console: &mut ConsoleWindow) {
        if let Some(text) = console.prompt.copied.take() {
            self.clipboard.set(text);
        }
    }
}
