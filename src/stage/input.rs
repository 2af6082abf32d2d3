//! Keys, axes and the pointer as scripts see them; where they come from is no matter.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// A change of an input device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum InputEvent {
    /// A key or button went down (`a`, `space`, `left`, `mouse_left`, `pad_south`).
    Down(String),
    /// A key or button went up.
    Up(String),
    /// A stick or trigger moved: name (`pad_left_x`) and value, -1..=1.
    Axis(String, f32),
    /// The pointer moved to here, shares of the picture, from the top left.
    Pointer(f32, f32),
}

/// The keys and the stick of one axis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AxisKeys {
    /// Keys for -1.
    pub negative: Vec<String>,
    /// Keys for +1.
    pub positive: Vec<String>,
    /// Sticks.
    pub sticks: Vec<String>,
}

/// The state of all input in a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    held: BTreeSet<String>,
    pressed: BTreeSet<String>,
    released: BTreeSet<String>,
    sticks: BTreeMap<String, f32>,
    /// Pointer, shares of the picture from the top left.
    pub pointer: [f32; 2],
    axes: BTreeMap<String, AxisKeys>,
    actions: BTreeMap<String, Vec<String>>,
}

/// Keys that do not write a letter.
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

impl Default for Input {
    fn default() -> Self {
        let keys = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let axis = |negative: &[&str], positive: &[&str], sticks: &[&str]| AxisKeys {
            negative: keys(negative),
            positive: keys(positive),
            sticks: keys(sticks),
        };
        let action = |name: &str, names: &[&str]| (name.to_owned(), keys(names));
        Self {
            held: BTreeSet::new(),
            pressed: BTreeSet::new(),
            released: BTreeSet::new(),
            sticks: BTreeMap::new(),
            pointer: [0.5; 2],
            axes: BTreeMap::from([
                (
                    "move_x".to_owned(),
                    axis(&["a", "left"], &["d", "right"], &["pad_left_x"]),
                ),
                (
                    "move_y".to_owned(),
                    axis(&["s", "down"], &["w", "up"], &["pad_left_y"]),
                ),
            ]),
            actions: BTreeMap::from([
                action("jump", &["space", "pad_south"]),
                action("run", &["shift", "pad_right_trigger"]),
                action("use", &["e", "pad_west"]),
                action("wave", &["q", "pad_north"]),
            ]),
        }
    }
}

impl Input {
    /// Actions that may be bound, and axes.
    pub const MOST_NAMES: usize = 1024;

    /// Takes a change in. Both press and release within one tick are seen by that tick.
    pub fn apply(&mut self, event: &InputEvent) {
        match event {
            InputEvent::Down(key) => {
                if self.held.insert(key.clone()) {
                    self.pressed.insert(key.clone());
                }
            }
            InputEvent::Up(key) => {
                if self.held.remove(key) {
                    self.released.insert(key.clone());
                }
            }
            InputEvent::Axis(name, value) => {
                let value = if value.is_finite() {
                    value.clamp(-1.0, 1.0)
                } else {
                    0.0
                };
                self.sticks.insert(name.clone(), value);
            }
            InputEvent::Pointer(x, y) => self.pointer = [*x, *y],
        }
    }

    /// Forgets what was pressed and released; called after each tick.
    pub fn end_tick(&mut self) {
        self.pressed.clear();
        self.released.clear();
    }

    /// Lets go of everything, as when the window loses the keyboard.
    pub fn release_all(&mut self) {
        self.released.append(&mut self.held);
        self.sticks.clear();
    }

    /// Binds an action to keys, in place of what it had. False when there are too many.
    pub fn bind(&mut self, action: &str, keys: Vec<String>) -> bool {
        let fits = self.actions.len() < Self::MOST_NAMES || self.actions.contains_key(action);
        if fits {
            self.actions.insert(action.to_owned(), keys);
        }
        fits
    }

    /// Binds an axis, in place of what it had. False when there are too many.
    pub fn bind_axis(&mut self, axis: &str, keys: AxisKeys) -> bool {
        let fits = self.axes.len() < Self::MOST_NAMES || self.axes.contains_key(axis);
        if fits {
            self.axes.insert(axis.to_owned(), keys);
        }
        fits
    }

    /// Every key and button that is bound to an action or an axis, once each, by name.
    pub fn bound_keys(&self) -> BTreeSet<&str> {
        let axes = self.axes.values();
        let of_axes = axes.flat_map(|axis| axis.negative.iter().chain(&axis.positive));
        let of_actions = self.actions.values().flatten();
        of_axes.chain(of_actions).map(String::as_str).collect()
    }

    /// True for a bound action and for any name that a key, button or stick can have.
    pub fn knows(&self, name: &str) -> bool {
        let function_key = |n: &str| n.parse().is_ok_and(|n: u32| (1..=24).contains(&n));
        self.actions.contains_key(name)
            || name.chars().count() == 1
            || KEYS.contains(&name)
            || ["pad_", "mouse_"]
                .iter()
                .any(|start| name.starts_with(start))
            || name.strip_prefix('f').is_some_and(function_key)
    }

    /// Names of actions and of keys that do not write a letter, for messages.
    pub fn known_names(&self) -> impl Iterator<Item = &str> {
        self.actions.keys().map(String::as_str).chain(KEYS)
    }

    /// True while an action's key, or the key itself, is down.
    pub fn down(&self, name: &str) -> bool {
        self.any(name, &self.held)
    }

    /// True in the tick in which it went down.
    pub fn pressed(&self, name: &str) -> bool {
        self.any(name, &self.pressed)
    }

    /// True in the tick in which it went up.
    pub fn released(&self, name: &str) -> bool {
        self.any(name, &self.released)
    }

    fn any(&self, name: &str, keys: &BTreeSet<String>) -> bool {
        keys.contains(name)
            || self
                .actions
                .get(name)
                .is_some_and(|bound| bound.iter().any(|key| keys.contains(key)))
    }

    /// Value of an axis, -1..=1, or of a stick by its own name. `None` for a name that is neither.
    pub fn axis(&self, name: &str) -> Option<f32> {
        let Some(axis) = self.axes.get(name) else {
            return self.sticks.get(name).copied();
        };
        let held = |keys: &[String]| keys.iter().any(|key| self.held.contains(key));
        let keys = f32::from(i8::from(held(&axis.positive)) - i8::from(held(&axis.negative)));
        let stick = axis
            .sticks
            .iter()
            .filter_map(|name| self.sticks.get(name))
            .fold(0.0f32, |most, value| {
                if value.abs() > most.abs() {
                    *value
                } else {
                    most
                }
            });
        Some((keys + stick).clamp(-1.0, 1.0))
    }

    /// Names of all axes that are bound.
    pub fn axis_names(&self) -> impl Iterator<Item = &str> {
        self.axes.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tap_shorter_than_a_tick_is_not_lost() {
        let mut input = Input::default();
        input.apply(&InputEvent::Down("space".into()));
        input.apply(&InputEvent::Up("space".into()));
        assert!(input.pressed("jump") && input.released("jump") && !input.down("jump"));
        input.end_tick();
        assert!(!input.pressed("jump"));
    }

    #[test]
    fn opposite_keys_cancel_and_a_stick_counts() {
        let mut input = Input::default();
        input.apply(&InputEvent::Down("a".into()));
        assert_eq!(input.axis("move_x"), Some(-1.0));
        input.apply(&InputEvent::Down("right".into()));
        assert_eq!(input.axis("move_x"), Some(0.0));
        input.apply(&InputEvent::Axis("pad_left_y".into(), 0.5));
        assert_eq!(input.axis("move_y"), Some(0.5));
        assert_eq!(input.axis("mvoe_x"), None);
        input.release_all();
        assert_eq!(input.axis("move_y"), Some(0.0));
    }

    #[test]
    fn a_held_key_repeated_by_the_system_is_pressed_once() {
        let mut input = Input::default();
        input.apply(&InputEvent::Down("e".into()));
        input.end_tick();
        input.apply(&InputEvent::Down("e".into()));
        assert!(!input.pressed("use") && input.down("use"));
    }
}
