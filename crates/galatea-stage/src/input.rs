//! Keys, axes and the pointer as scripts see them, independent of the device.

use std::collections::{BTreeMap, BTreeSet};

use galatea_math::clamp::ClampTo as _;
use serde::{Deserialize, Serialize};

use super::bindings::{AxisKeys, Bindings};
use super::keys;

/// A change of an input device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum InputEvent {
    /// A key or button went down (`a`, `space`, `left`, `mouse_left`, `pad_south`, `pad2_south`).
    Down(String),
    /// A key or button went up.
    Up(String),
    /// A stick or trigger moved: name (`pad_left_x`) and value, -1..=1.
    Axis(String, f32),
    /// The pointer moved to this position, as fractions of the picture from its top left.
    Pointer(f32, f32),
    /// The aspect ratio of the picture: width over height.
    Aspect(f32),
    /// The player turned the camera by yaw and pitch, degrees.
    Turn(f32, f32),
    /// The player moved the camera right and up, as fractions of the picture's height.
    Pan(f32, f32),
    /// The player zoomed the camera in (negative) or out; 0.1 is about 10 %.
    Zoom(f32),
}

/// A number of an [`InputEvent`] with its largest magnitude.
struct EventNumber<'a> {
    value: &'a mut f32,
    name: &'static str,
    unit: &'static str,
    limits: [f32; 2],
}

impl InputEvent {
    /// Maximum length of the name of a key or stick, bytes.
    pub const MAX_NAME: usize = 64;
    /// Largest value of a stick.
    pub const MAX_AXIS: f32 = 1.0;
    /// Largest distance of the pointer from the picture's corner, and of a pan, in picture sizes.
    pub const MAX_POINTER: f32 = 100.0;
    /// Largest camera rotation in one event, degrees.
    pub const MAX_TURN: f32 = 36_000.0;
    /// Largest zoom in one event.
    pub const MAX_ZOOM: f32 = 100.0;
    /// Minimum and maximum aspect ratio of the picture.
    pub const ASPECTS: [f32; 2] = [0.01, 100.0];

    /// Checks an event from a file or from another program.
    ///
    /// # Errors
    /// Names the first field that is out of range, with the range.
    pub fn check(&self) -> Result<(), String> {
        if let Self::Down(name) | Self::Up(name) | Self::Axis(name, _) = self
            && name.len() > Self::MAX_NAME
        {
            let limit = Self::MAX_NAME;
            return Err(format!(
                "{}: a name can have at most {limit} bytes, got {}",
                self.field(),
                name.len()
            ));
        }
        let field = self.field();
        let mut checked = self.clone();
        for EventNumber {
            value,
            name,
            unit,
            limits: [min, max],
        } in checked.numbers().into_iter().flatten()
        {
            if !(min..=max).contains(value) {
                return Err(format!("{field}: {name} must be from {min} to {max}{unit}"));
            }
        }
        Ok(())
    }

    /// The event with all numbers clamped to their ranges; `None` if one is NaN or infinite.
    pub fn clamped(&self) -> Option<Self> {
        let mut event = self.clone();
        for number in event.numbers().into_iter().flatten() {
            let [min, max] = number.limits;
            if !number.value.is_finite() {
                return None;
            }
            *number.value = (*number.value).clamp_to(min, max);
        }
        Some(event)
    }

    /// The field of the event in a recording.
    fn field(&self) -> &'static str {
        match self {
            Self::Down(_) => "down",
            Self::Up(_) => "up",
            Self::Axis(..) => "axis",
            Self::Pointer(..) => "pointer",
            Self::Aspect(_) => "aspect",
            Self::Turn(..) => "turn",
            Self::Pan(..) => "pan",
            Self::Zoom(_) => "zoom",
        }
    }

    fn numbers(&mut self) -> [Option<EventNumber<'_>>; 2] {
        let number = |value, name, unit, limits| {
            Some(EventNumber {
                value,
                name,
                unit,
                limits,
            })
        };
        let around = |limit: f32| [-limit, limit];
        match self {
            Self::Down(_) | Self::Up(_) => [None, None],
            Self::Axis(_, value) => [number(value, "the value", "", around(Self::MAX_AXIS)), None],
            Self::Pointer(x, y) => [
                number(x, "x", " picture widths", around(Self::MAX_POINTER)),
                number(y, "y", " picture heights", around(Self::MAX_POINTER)),
            ],
            Self::Aspect(value) => [number(value, "the aspect", "", Self::ASPECTS), None],
            Self::Turn(yaw, pitch) => [
                number(yaw, "yaw", " degrees", around(Self::MAX_TURN)),
                number(pitch, "pitch", " degrees", around(Self::MAX_TURN)),
            ],
            Self::Pan(right, up) => [
                number(
                    right,
                    "right",
                    " picture heights",
                    around(Self::MAX_POINTER),
                ),
                number(up, "up", " picture heights", around(Self::MAX_POINTER)),
            ],
            Self::Zoom(value) => [number(value, "the zoom", "", around(Self::MAX_ZOOM)), None],
        }
    }
}

/// Changes of keys and the pointer within a tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct InputChanges {
    pressed: BTreeSet<String>,
    released: BTreeSet<String>,
    /// The first key that was pressed; gamepad buttons use the name for any gamepad.
    first_pressed: Option<String>,
    /// Movement of the pointer, fractions of the picture.
    moved: [f32; 2],
}

impl InputChanges {
    fn clear(&mut self) {
        self.pressed.clear();
        self.released.clear();
        self.first_pressed = None;
        self.moved = [0.0; 2];
    }
}

/// The state of all input devices in a tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Input {
    held: BTreeSet<String>,
    /// Changes since the last simulated tick.
    simulated: InputChanges,
    /// Changes since the last tick of unscaled time.
    unscaled: InputChanges,
    /// The part of the script that follows unscaled time runs.
    is_unscaled: bool,
    sticks: BTreeMap<String, f32>,
    /// Pointer position, fractions of the picture from its top left.
    pub pointer: [f32; 2],
    /// Aspect ratio of the picture.
    pub aspect: f32,
    /// The pointer has a previous position to measure its movement from.
    pointer_known: bool,
    /// Bindings of the runtime and the script.
    declared: Bindings,
    /// Bindings that the player changed; they override the others.
    player: Bindings,
    save_requested: bool,
}

impl Default for Input {
    fn default() -> Self {
        Self {
            held: BTreeSet::new(),
            simulated: InputChanges::default(),
            unscaled: InputChanges::default(),
            is_unscaled: false,
            sticks: BTreeMap::new(),
            pointer: [0.5; 2],
            aspect: 16.0 / 9.0,
            pointer_known: false,
            declared: Bindings::built_in(),
            player: Bindings::default(),
            save_requested: false,
        }
    }
}

impl Input {
    /// Returns true if an event changes anything. A key that is already down changes nothing: keyboards repeat keys.
    pub fn changes(&self, event: &InputEvent) -> bool {
        match event {
            InputEvent::Down(key) => !self.held.contains(key),
            InputEvent::Up(key) => self.held.contains(key),
            _ => true,
        }
    }

    /// Applies an event. A press and a release within one tick are both visible in that tick. Input of a numbered gamepad
    /// also counts under the name for any gamepad. Camera events change nothing here, see [`super::Stage::apply`]. Numbers
    /// are clamped to their ranges; an event with NaN or infinite values is ignored.
    pub fn apply(&mut self, event: &InputEvent) {
        let Some(event) = &event.clamped() else {
            return;
        };
        match event {
            InputEvent::Down(key) => {
                let any = keys::of_any_pad(key);
                if self.held.insert(key.clone()) {
                    let name = any.as_ref().unwrap_or(key);
                    self.change(|changes| {
                        changes.pressed.insert(key.clone());
                        changes.first_pressed.get_or_insert_with(|| name.clone());
                    });
                }
                if let Some(any) = any
                    && self.held.insert(any.clone())
                {
                    self.change(|changes| {
                        changes.pressed.insert(any.clone());
                    });
                }
            }
            InputEvent::Up(key) => {
                if self.held.remove(key) {
                    self.change(|changes| {
                        changes.released.insert(key.clone());
                    });
                }
                if let Some(any) = keys::of_any_pad(key)
                    && !self.each_pad(&any).any(|one| self.held.contains(&one))
                    && self.held.remove(&any)
                {
                    self.change(|changes| {
                        changes.released.insert(any.clone());
                    });
                }
            }
            InputEvent::Axis(name, value) => {
                self.sticks.insert(name.clone(), *value);
                if let Some(any) = keys::of_any_pad(name) {
                    let pads = self.each_pad(&any);
                    let value = strongest(pads.filter_map(|one| self.sticks.get(&one).copied()));
                    self.sticks.insert(any, value);
                }
            }
            InputEvent::Aspect(aspect) => {
                self.aspect = *aspect;
            }
            InputEvent::Turn(..) | InputEvent::Pan(..) | InputEvent::Zoom(_) => {}
            InputEvent::Pointer(x, y) => {
                let before = std::mem::replace(&mut self.pointer, [*x, *y]);
                if std::mem::replace(&mut self.pointer_known, true) {
                    self.change(|changes| {
                        changes.moved[0] += x - before[0];
                        changes.moved[1] += y - before[1];
                    });
                }
            }
        }
    }

    /// Names of the same button or stick on each gamepad.
    fn each_pad(&self, any: &str) -> impl Iterator<Item = String> + use<> {
        let any = any.to_owned();
        (1..=keys::MAX_PADS).filter_map(move |number| keys::of_pad(&any, number))
    }

    /// Records a change for the next simulated tick and for the next tick of unscaled time.
    fn change(&mut self, change: impl Fn(&mut InputChanges)) {
        change(&mut self.simulated);
        change(&mut self.unscaled);
    }

    /// Changes in the current tick, simulated or unscaled.
    fn changed(&self) -> &InputChanges {
        match self.is_unscaled {
            true => &self.unscaled,
            false => &self.simulated,
        }
    }

    /// Clears presses, releases and pointer movement after a simulated tick. In slow motion they wait for the next one.
    pub fn end_simulated(&mut self) {
        self.simulated.clear();
    }

    /// Begins the part of a tick that follows unscaled time.
    pub fn begin_unscaled(&mut self) {
        self.is_unscaled = true;
    }

    /// Ends a tick of unscaled time. With `forgets`, no later tick sees the changes, for example because the game is paused.
    pub fn end_tick(&mut self, forgets: bool) {
        self.is_unscaled = false;
        self.unscaled.clear();
        if forgets {
            self.simulated.clear();
        }
    }

    /// Events that release everything, for example when the window loses the keyboard focus.
    pub fn releases(&self) -> Vec<InputEvent> {
        let held = self.held.iter().cloned().map(InputEvent::Up);
        let moved = self.sticks.iter().filter(|(_, value)| **value != 0.0);
        let moved = moved.map(|(name, _)| InputEvent::Axis(name.clone(), 0.0));
        held.chain(moved).collect()
    }

    /// The same input for a new script: bindings of the old script are dropped, bindings of the player stay.
    pub fn for_new_script(&self) -> Self {
        Self {
            declared: Bindings::built_in(),
            ..self.clone()
        }
    }

    /// Bindings of the runtime and the script, mutable.
    pub fn declared_mut(&mut self) -> &mut Bindings {
        &mut self.declared
    }

    /// Bindings that the player changed.
    pub fn player(&self) -> &Bindings {
        &self.player
    }

    /// Bindings that the player changed, mutable.
    pub fn player_mut(&mut self) -> &mut Bindings {
        &mut self.player
    }

    /// Requests that the player's bindings are saved.
    pub fn request_save(&mut self) {
        self.save_requested = true;
    }

    /// Returns true once after each [`Input::request_save`].
    pub fn take_save_request(&mut self) -> bool {
        std::mem::take(&mut self.save_requested)
    }

    /// Keys of an action: those of the player, else those of the script. `None` if the script has no such action.
    pub fn bound(&self, action: &str) -> Option<&[String]> {
        let declared = self.declared.actions.get(action)?;
        Some(self.player.actions.get(action).unwrap_or(declared))
    }

    /// Keys and sticks of an axis, see [`Input::bound`].
    pub fn bound_axis(&self, axis: &str) -> Option<&AxisKeys> {
        let declared = self.declared.axes.get(axis)?;
        Some(self.player.axes.get(axis).unwrap_or(declared))
    }

    /// All keys and buttons that are bound to an action or an axis, without duplicates, sorted by name.
    pub fn bound_keys(&self) -> BTreeSet<&str> {
        let axes = self.axis_names().filter_map(|name| self.bound_axis(name));
        let of_axes = axes.flat_map(|axis| axis.negative.iter().chain(&axis.positive));
        let actions = self.action_names().filter_map(|name| self.bound(name));
        of_axes
            .chain(actions.flatten())
            .map(String::as_str)
            .collect()
    }

    /// Returns true for a bound action, and for any name that a key or button can have.
    pub fn knows(&self, name: &str) -> bool {
        self.declared.actions.contains_key(name) || keys::is_key(name)
    }

    /// Names of actions, and of keys other than letter keys, for messages.
    pub fn known_names(&self) -> impl Iterator<Item = &str> {
        self.action_names().chain(keys::key_names())
    }

    /// Returns true while an action's key, or the key itself, is down.
    pub fn down(&self, name: &str) -> bool {
        self.any(name, &self.held)
    }

    /// Returns true in the tick in which it was pressed.
    pub fn pressed(&self, name: &str) -> bool {
        self.any(name, &self.changed().pressed)
    }

    /// Returns true in the tick in which it was released.
    pub fn released(&self, name: &str) -> bool {
        self.any(name, &self.changed().released)
    }

    /// The first key or button that was pressed in this tick.
    pub fn next_pressed(&self) -> Option<&str> {
        self.changed().first_pressed.as_deref()
    }

    fn any(&self, name: &str, keys: &BTreeSet<String>) -> bool {
        let bound = || self.bound(name).unwrap_or_default();
        keys.contains(name) || bound().iter().any(|key| keys.contains(key))
    }

    /// Value of an axis, -1..=1, or of a stick by its own name. `None` for unknown names.
    pub fn axis(&self, name: &str) -> Option<f32> {
        let Some(axis) = self.bound_axis(name) else {
            let value = self.stick(name).map(|value| value.clamp(-1.0, 1.0));
            return value.or_else(|| keys::is_stick(name).then_some(0.0));
        };
        let held = |keys: &[String]| keys.iter().any(|key| self.held.contains(key));
        let keys = f32::from(i8::from(held(&axis.positive)) - i8::from(held(&axis.negative)));
        let sticks = axis.sticks.iter();
        let stick = strongest(sticks.filter_map(|name| self.stick(name)));
        Some((keys + stick).clamp(-1.0, 1.0))
    }

    fn stick(&self, name: &str) -> Option<f32> {
        match name {
            "mouse_dx" => Some(self.changed().moved[0]),
            "mouse_dy" => Some(self.changed().moved[1]),
            _ => self.sticks.get(name).copied(),
        }
    }

    /// Names of all bound axes.
    pub fn axis_names(&self) -> impl Iterator<Item = &str> {
        self.declared.axes.keys().map(String::as_str)
    }

    /// Names of all bound actions.
    pub fn action_names(&self) -> impl Iterator<Item = &str> {
        self.declared.actions.keys().map(String::as_str)
    }
}

/// The value with the largest magnitude, the first of equal ones; 0 if there is none.
fn strongest(values: impl Iterator<Item = f32>) -> f32 {
    values.fold(0.0f32, |strongest_so_far, value| {
        if value.abs() > strongest_so_far.abs() {
            value
        } else {
            strongest_so_far
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_refused_by_name_and_clamped_from_devices() {
        let turn = |yaw| InputEvent::Turn(yaw, 1.0);
        let told = turn(f32::INFINITY).check().unwrap_err();
        assert_eq!(told, "turn: yaw must be from -36000 to 36000 degrees");
        assert_eq!(turn(1e9).clamped(), Some(turn(InputEvent::MAX_TURN)));
        assert_eq!(turn(12.5).check(), Ok(()));
        let name = || "a".repeat(InputEvent::MAX_NAME + 1);
        for event in [
            InputEvent::Down(name()),
            InputEvent::Up(name()),
            InputEvent::Axis(name(), 0.0),
            InputEvent::Axis("pad_left_x".into(), 1.5),
            InputEvent::Aspect(0.0),
        ] {
            assert!(event.check().is_err(), "{event:?}");
        }
        for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for event in [
                InputEvent::Axis("pad_left_x".into(), wrong),
                InputEvent::Pointer(wrong, 0.0),
                InputEvent::Pointer(0.0, wrong),
                InputEvent::Aspect(wrong),
                InputEvent::Turn(wrong, 0.0),
                InputEvent::Turn(0.0, wrong),
                InputEvent::Pan(wrong, 0.0),
                InputEvent::Pan(0.0, wrong),
                InputEvent::Zoom(wrong),
            ] {
                assert!(event.check().is_err(), "{event:?}");
                assert_eq!(event.clamped(), None, "{event:?}");
                let (mut stage, before) = (crate::Stage::default(), crate::Stage::default());
                stage.apply(&event);
                assert_eq!(stage.input, before.input, "{event:?}");
                assert_eq!(stage.camera, before.camera, "{event:?}");
            }
        }
    }

    #[test]
    fn repeats_of_a_held_key_change_nothing() {
        let mut input = Input::default();
        let (down, up) = (
            InputEvent::Down("space".into()),
            InputEvent::Up("space".into()),
        );
        assert!(input.changes(&down) && !input.changes(&up));
        input.apply(&down);
        assert!(!input.changes(&down) && input.changes(&up));
        assert!(input.changes(&InputEvent::Axis("pad_left_x".into(), 0.0)));
    }

    #[test]
    fn a_tap_shorter_than_a_tick_is_not_lost() {
        let mut input = Input::default();
        input.apply(&InputEvent::Down("space".into()));
        input.apply(&InputEvent::Up("space".into()));
        assert!(input.pressed("jump") && input.released("jump") && !input.down("jump"));
        input.end_tick(true);
        assert!(!input.pressed("jump"));
    }

    #[test]
    fn opposite_keys_cancel_and_sticks_count() {
        let mut input = Input::default();
        input.apply(&InputEvent::Down("a".into()));
        assert_eq!(input.axis("move_x"), Some(-1.0));
        input.apply(&InputEvent::Down("right".into()));
        assert_eq!(input.axis("move_x"), Some(0.0));
        input.apply(&InputEvent::Axis("pad_left_y".into(), 0.5));
        assert_eq!(input.axis("move_y"), Some(0.5));
        assert_eq!(input.axis("mvoe_x"), None);
        for event in input.releases() {
            input.apply(&event);
        }
        assert_eq!(input.axis("move_y"), Some(0.0));
        assert_eq!(input.axis("move_x"), Some(0.0));
        assert!(input.released("a") && input.releases().is_empty());
    }

    #[test]
    fn a_held_key_repeated_by_the_system_is_pressed_once() {
        let mut input = Input::default();
        input.apply(&InputEvent::Down("e".into()));
        input.end_tick(true);
        input.apply(&InputEvent::Down("e".into()));
        assert!(!input.pressed("use") && input.down("use"));
    }

    #[test]
    fn several_gamepads_act_as_one_and_each_by_its_number() {
        let mut input = Input::default();
        let down = |key: &str| InputEvent::Down(key.into());
        let up = |key: &str| InputEvent::Up(key.into());
        input.apply(&down("pad1_south"));
        input.apply(&down("pad2_south"));
        assert!(input.down("jump") && input.down("pad2_south") && !input.down("pad3_south"));
        assert_eq!(input.next_pressed(), Some("pad_south"));
        input.end_tick(true);
        input.apply(&up("pad1_south"));
        assert!(input.down("jump") && !input.released("jump") && input.released("pad1_south"));
        input.apply(&up("pad2_south"));
        assert!(!input.down("jump") && input.released("jump"));
        input.apply(&InputEvent::Axis("pad1_left_x".into(), 0.25));
        input.apply(&InputEvent::Axis("pad2_left_x".into(), -0.75));
        assert_eq!(input.axis("move_x"), Some(-0.75));
        input.apply(&InputEvent::Axis("pad2_left_x".into(), 0.0));
        assert_eq!(input.axis("move_x"), Some(0.25));
        assert_eq!(input.axis("pad2_left_x"), Some(0.0));
    }

    #[test]
    fn pointer_movement_is_per_tick_and_the_first_position_is_no_movement() {
        let mut input = Input::default();
        input.apply(&InputEvent::Pointer(0.25, 0.25));
        assert_eq!(input.axis("mouse_dx"), Some(0.0));
        input.apply(&InputEvent::Pointer(0.375, 0.25));
        input.apply(&InputEvent::Pointer(0.5, 0.125));
        assert_eq!(input.axis("mouse_dx"), Some(0.25));
        assert_eq!(input.axis("mouse_dy"), Some(-0.125));
        input.end_tick(true);
        assert_eq!(input.axis("mouse_dx"), Some(0.0));
    }

    #[test]
    fn bindings_of_the_player_override_the_script_and_survive_a_new_one() {
        let mut input = Input::default();
        input.declared_mut().bind("duck", vec!["c".into()]);
        input.player_mut().bind("duck", vec!["x".into()]);
        input.player_mut().bind("jump", Vec::new());
        assert_eq!(input.bound("duck"), Some(&["x".to_owned()][..]));
        let saved = input.for_new_script();
        assert_eq!(saved.bound("duck"), None, "the new script has not said it");
        assert_eq!(saved.bound("jump"), Some(&[][..]));
        let mut said = saved.clone();
        said.declared_mut().bind("duck", vec!["v".into()]);
        assert_eq!(said.bound("duck"), Some(&["x".to_owned()][..]));
        *said.player_mut() = Bindings::default();
        assert_eq!(said.bound("duck"), Some(&["v".to_owned()][..]));
        assert!(!said.bound_keys().contains("c"));
    }
}
