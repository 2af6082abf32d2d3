//! Maps the window system's keys to the names used by scripts.

use winit::event::MouseButton;
use winit::keyboard::{Key, KeyCode, NamedKey, PhysicalKey};

/// Name of a key by its position on the keyboard, so that WASD forms a cross in every layout. Other keys are named by their
/// character.
pub fn name(physical: PhysicalKey, logical: &Key) -> Option<String> {
    if let PhysicalKey::Code(code) = physical
        && let Some(name) = of_code(code)
    {
        return Some(name.to_owned());
    }
    match logical {
        Key::Character(text) => Some(text.to_lowercase()),
        Key::Named(NamedKey::Space) => Some("space".into()),
        _ => None,
    }
}

fn of_code(code: KeyCode) -> Option<&'static str> {
    Some(match code {
        KeyCode::KeyW => "w",
        KeyCode::KeyA => "a",
        KeyCode::KeyS => "s",
        KeyCode::KeyD => "d",
        KeyCode::KeyQ => "q",
        KeyCode::KeyE => "e",
        KeyCode::Space => "space",
        KeyCode::ShiftLeft | KeyCode::ShiftRight => "shift",
        KeyCode::ControlLeft | KeyCode::ControlRight => "control",
        KeyCode::AltLeft | KeyCode::AltRight => "alt",
        KeyCode::Enter | KeyCode::NumpadEnter => "enter",
        KeyCode::Tab => "tab",
        KeyCode::Backspace => "backspace",
        KeyCode::Delete => "delete",
        KeyCode::ArrowLeft => "left",
        KeyCode::ArrowRight => "right",
        KeyCode::ArrowUp => "up",
        KeyCode::ArrowDown => "down",
        KeyCode::Home => "home",
        KeyCode::End => "end",
        KeyCode::PageUp => "page_up",
        KeyCode::PageDown => "page_down",
        KeyCode::F1 => "f1",
        KeyCode::F2 => "f2",
        KeyCode::F3 => "f3",
        KeyCode::F4 => "f4",
        KeyCode::F5 => "f5",
        KeyCode::F6 => "f6",
        KeyCode::F7 => "f7",
        KeyCode::F8 => "f8",
        KeyCode::F9 => "f9",
        KeyCode::F10 => "f10",
        KeyCode::F12 => "f12",
        _ => return None,
    })
}

/// The mouse wheel as keys: each whole line is a press of `wheel_up` or `wheel_down`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wheel {
    /// Fraction of a line that has accumulated, for example from a touch pad.
    rest: f32,
}

impl Wheel {
    /// Returns a key for each whole line that has accumulated. `lines` are those of one event; positive is up.
    pub fn scroll(&mut self, lines: f32) -> impl Iterator<Item = &'static str> + use<> {
        // A change of direction resets the fraction.
        if self.rest * lines < 0.0 {
            self.rest = 0.0;
        }
        self.rest += if lines.is_finite() { lines } else { 0.0 };
        let whole = self.rest.trunc();
        self.rest -= whole;
        let key = if whole > 0.0 {
            "wheel_up"
        } else {
            "wheel_down"
        };
        // A single event never turns the wheel further than this.
        std::iter::repeat_n(key, whole.abs().min(16.0) as usize)
    }
}

/// Name of a mouse button.
pub fn mouse_name(button: MouseButton) -> Option<&'static str> {
    match button {
        MouseButton::Left => Some("mouse_left"),
        MouseButton::Right => Some("mouse_right"),
        MouseButton::Middle => Some("mouse_middle"),
        MouseButton::Back => Some("mouse_back"),
        MouseButton::Forward => Some("mouse_forward"),
        MouseButton::Other(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wheel_presses_a_key_for_each_whole_line() {
        let mut wheel = Wheel::default();
        let mut scroll = |lines: f32| wheel.scroll(lines).collect::<Vec<_>>();
        assert_eq!(scroll(2.0), ["wheel_up", "wheel_up"]);
        assert_eq!(scroll(-1.0), ["wheel_down"]);
        // A touch pad scrolls in small steps; a change of direction resets the count.
        assert!(scroll(0.75).is_empty());
        assert_eq!(scroll(0.5), ["wheel_up"]);
        assert!(scroll(-0.75).is_empty() && scroll(f32::NAN).is_empty());
        assert_eq!(scroll(-1.0), ["wheel_down"]);
    }
}
