//! Names of keys, buttons and sticks in scripts, input files and bindings.

/// Number of gamepads with their own names, `pad1_south` to `pad8_south`; `pad_south` is any of them.
pub const MAX_PADS: u8 = 8;

/// Keys other than letter keys.
const KEYS: [&str; 16] = [
    "space",
    "shift",
    "control",
    "alt",
    "enter",
    "tab",
    "backspace",
    "delete",
    "left",
    "right",
    "up",
    "down",
    "home",
    "end",
    "page_up",
    "page_down",
];

/// Mouse buttons, and the wheel, which counts as pressed and released at once.
const MOUSE: [&str; 7] = [
    "mouse_left",
    "mouse_right",
    "mouse_middle",
    "mouse_back",
    "mouse_forward",
    "wheel_up",
    "wheel_down",
];

/// Gamepad buttons.
const PAD_BUTTONS: [&str; 17] = [
    "pad_south",
    "pad_east",
    "pad_west",
    "pad_north",
    "pad_up",
    "pad_down",
    "pad_left",
    "pad_right",
    "pad_left_bumper",
    "pad_right_bumper",
    "pad_left_trigger",
    "pad_right_trigger",
    "pad_left_stick",
    "pad_right_stick",
    "pad_select",
    "pad_start",
    "pad_guide",
];

/// Analogue inputs: sticks and triggers of a gamepad, and the pointer movement since the last tick.
const STICKS: [&str; 8] = [
    "pad_left_x",
    "pad_left_y",
    "pad_right_x",
    "pad_right_y",
    "pad_left_trigger",
    "pad_right_trigger",
    "mouse_dx",
    "mouse_dy",
];

/// Returns true for a name that a key or a button can have.
pub fn is_key(name: &str) -> bool {
    let function_key = |n: &str| n.parse().is_ok_and(|n: u32| (1..=24).contains(&n));
    let mut all = KEYS.iter().chain(&MOUSE).chain(&PAD_BUTTONS);
    let any = of_any_pad(name);
    let known = any.as_deref().unwrap_or(name);
    name.chars().count() == 1
        || all.any(|key| *key == known)
        || name.strip_prefix('f').is_some_and(function_key)
}

/// Returns true for a name that a stick, a trigger or the pointer movement can have.
pub fn is_stick(name: &str) -> bool {
    let any = of_any_pad(name);
    STICKS.contains(&any.as_deref().unwrap_or(name))
}

/// Names of buttons, and of keys other than letter keys, for messages.
pub fn key_names<'a>() -> impl Iterator<Item = &'a str> {
    let keys: [&'a str; 16] = KEYS;
    keys.into_iter().chain(MOUSE).chain(PAD_BUTTONS)
}

/// Names of analogue inputs, for messages.
pub fn stick_names<'a>() -> impl Iterator<Item = &'a str> {
    let sticks: [&'a str; 8] = STICKS;
    sticks.into_iter()
}

/// The name for any gamepad: `pad_south` for `pad2_south`. `None` for other names.
pub fn of_any_pad(name: &str) -> Option<String> {
    let rest = name.strip_prefix("pad")?;
    let (number, button) = rest.split_once('_')?;
    let is_number = number.len() == 1 && number.parse().is_ok_and(|n| (1..=MAX_PADS).contains(&n));
    is_number.then(|| format!("pad_{button}"))
}

/// The name for one gamepad: `pad2_south` for `pad_south` and 2. `None` for names of other devices.
pub fn of_pad(name: &str, number: u8) -> Option<String> {
    let button = name.strip_prefix("pad_")?;
    Some(format!("pad{number}_{button}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_gamepad_are_the_common_names_with_its_number() {
        assert_eq!(of_any_pad("pad2_left_x").as_deref(), Some("pad_left_x"));
        assert_eq!(of_pad("pad_left_x", 2).as_deref(), Some("pad2_left_x"));
        for wrong in [
            "pad_south",
            "pad0_south",
            "pad9_south",
            "pad12_south",
            "pad2",
            "w",
        ] {
            assert_eq!(of_any_pad(wrong), None, "{wrong}");
        }
        assert!(is_key("pad8_south") && is_key("f12") && is_key("ä") && is_key("wheel_up"));
        assert!(!is_key("pad_suoth") && !is_key("pad9_south") && !is_key("f25") && !is_key("ab"));
        assert!(is_stick("pad1_right_y") && is_stick("mouse_dx") && !is_stick("pad_south"));
    }
}
