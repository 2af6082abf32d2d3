//! The window system's keys as the names that scripts use.

use winit::event::MouseButton;
use winit::keyboard::{Key, KeyCode, NamedKey, PhysicalKey};

/// Name of a key by its place on the keyboard, so that WASD stays a cross on every layout; other
/// keys by what they write.
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

/// Name of a mouse button.
pub fn mouse_name(button: MouseButton) -> Option<&'static str> {
    match button {
        MouseButton::Left => Some("mouse_left"),
        MouseButton::Right => Some("mouse_right"),
        MouseButton::Middle => Some("mouse_middle"),
        _ => None,
    }
}
