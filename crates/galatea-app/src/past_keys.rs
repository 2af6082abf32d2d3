//! Keys of a window while the past is displayed.

use winit::event::{ElementState, KeyEvent};
use winit::keyboard::{KeyCode, PhysicalKey};

use super::Session;
use super::past_position::PastMove;

/// Key that displays the past, and returns to the present.
pub const PAST_KEY: KeyCode = KeyCode::F8;

/// Processes a key while the past is displayed. Returns false for keys with another meaning.
pub fn key_in_past(session: &mut Session, event: &KeyEvent, shift: bool) -> bool {
    let PhysicalKey::Code(code) = event.physical_key else {
        return false;
    };
    let step = |by: i64| match shift {
        true => PastMove::Seconds(by as f64),
        false => PastMove::Copies(by),
    };
    let is_pressed = event.state == ElementState::Pressed;
    let first = is_pressed && !event.repeat;
    match code {
        KeyCode::ArrowLeft if is_pressed => session.move_in_past(step(-1)),
        KeyCode::ArrowRight if is_pressed => session.move_in_past(step(1)),
        KeyCode::PageUp if is_pressed => session.move_in_past(PastMove::Seconds(-10.0)),
        KeyCode::PageDown if is_pressed => session.move_in_past(PastMove::Seconds(10.0)),
        KeyCode::Home if first => session.move_in_past(PastMove::Oldest),
        KeyCode::End if first => session.move_in_past(PastMove::Newest),
        KeyCode::Space if first => session.play_past(1),
        KeyCode::Backspace if first => session.play_past(-1),
        KeyCode::Enter | KeyCode::NumpadEnter if first => {
            // The result is shown on screen.
            let _ = session.continue_from_past();
        }
        KeyCode::Escape if first => session.return_to_present(),
        KeyCode::ArrowLeft
        | KeyCode::ArrowRight
        | KeyCode::PageUp
        | KeyCode::PageDown
        | KeyCode::Home
        | KeyCode::End
        | KeyCode::Space
        | KeyCode::Backspace
        | KeyCode::Enter
        | KeyCode::NumpadEnter
        | KeyCode::Escape => {}
        _ => return false,
    }
    true
}
