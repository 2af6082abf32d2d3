//! Gamepads of this machine.

use gilrs::ev::filter::{Filter as _, axis_dpad_to_button};
use gilrs::{Axis, Button, EventType, Gilrs, GilrsBuilder};

use super::pads::{Along, PadChange, PadOutcome, Pads, Stick};

/// Receives events from the gamepads.
pub struct Gamepads {
    system: Gilrs,
    pads: Pads,
    /// Gamepads that were connected at the start have not been reported yet.
    is_new: bool,
}

impl Gamepads {
    /// Starts receiving events. Systems without gamepad support, such as many containers, have no gamepads.
    ///
    /// # Errors
    /// The reason why gamepads are not available.
    pub fn new() -> Result<Self, String> {
        // Dead zones are computed in `pads`, because the library treats each axis of a stick separately.
        let begin = || {
            let made = GilrsBuilder::new().with_default_filters(false).build();
            made.map_err(|error| error.to_string())
        };
        let system = galatea_guard::guarded("listing gamepads", begin)
            .unwrap_or_else(|_| Err("cannot read the system's list of input devices".to_owned()))?;
        Ok(Self {
            system,
            pads: Pads::default(),
            is_new: true,
        })
    }

    /// Reports the events since the last call.
    pub fn poll(&mut self, mut report: impl FnMut(PadOutcome)) {
        if std::mem::take(&mut self.is_new) {
            for (id, pad) in self.system.gamepads() {
                let change = PadChange::Connected(pad.name().to_owned());
                self.pads.take(id.into(), change, &mut report);
            }
        }
        loop {
            let event = self.system.next_event();
            let Some(event) = event.filter_ev(&axis_dpad_to_button, &mut self.system) else {
                return;
            };
            self.system.update(&event);
            let id = event.id;
            let name = || self.system.gamepad(id).name().to_owned();
            if let Some(change) = change_of(&event.event, name) {
                self.pads.take(id.into(), change, &mut report);
            }
        }
    }
}

fn change_of(event: &EventType, name: impl FnOnce() -> String) -> Option<PadChange> {
    match *event {
        EventType::Connected => Some(PadChange::Connected(name())),
        EventType::Disconnected => Some(PadChange::Disconnected),
        EventType::ButtonPressed(button, _) => of_button(button, true),
        EventType::ButtonReleased(button, _) => of_button(button, false),
        EventType::ButtonChanged(button, value, _) => of_trigger(button, value),
        EventType::AxisChanged(axis, value, _) => of_axis(axis, value),
        _ => None,
    }
}

/// Event of a button. Triggers are reported by their position instead.
fn of_button(button: Button, is_down: bool) -> Option<PadChange> {
    let name = match button {
        Button::South => "pad_south",
        Button::East => "pad_east",
        Button::West => "pad_west",
        Button::North => "pad_north",
        Button::DPadUp => "pad_up",
        Button::DPadDown => "pad_down",
        Button::DPadLeft => "pad_left",
        Button::DPadRight => "pad_right",
        Button::LeftTrigger => "pad_left_bumper",
        Button::RightTrigger => "pad_right_bumper",
        Button::LeftThumb => "pad_left_stick",
        Button::RightThumb => "pad_right_stick",
        Button::Select => "pad_select",
        Button::Start => "pad_start",
        Button::Mode => "pad_guide",
        Button::LeftTrigger2 | Button::RightTrigger2 | Button::C | Button::Z | Button::Unknown => {
            return None;
        }
    };
    Some(PadChange::Button(name, is_down))
}

fn of_trigger(button: Button, value: f32) -> Option<PadChange> {
    let name = match button {
        Button::LeftTrigger2 => "pad_left_trigger",
        Button::RightTrigger2 => "pad_right_trigger",
        _ => return None,
    };
    Some(PadChange::Trigger(name, value))
}

fn of_axis(axis: Axis, value: f32) -> Option<PadChange> {
    let (stick, along) = match axis {
        Axis::LeftStickX => (Stick::Left, Along::X),
        Axis::LeftStickY => (Stick::Left, Along::Y),
        Axis::RightStickX => (Stick::Right, Along::X),
        Axis::RightStickY => (Stick::Right, Along::Y),
        Axis::LeftZ | Axis::RightZ | Axis::DPadX | Axis::DPadY | Axis::Unknown => return None,
    };
    Some(PadChange::Stick(stick, along, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_stage::{Input, keys};

    const BUTTONS: [Button; 20] = [
        Button::South,
        Button::East,
        Button::North,
        Button::West,
        Button::C,
        Button::Z,
        Button::LeftTrigger,
        Button::LeftTrigger2,
        Button::RightTrigger,
        Button::RightTrigger2,
        Button::Select,
        Button::Start,
        Button::Mode,
        Button::LeftThumb,
        Button::RightThumb,
        Button::DPadUp,
        Button::DPadDown,
        Button::DPadLeft,
        Button::DPadRight,
        Button::Unknown,
    ];

    /// Input state after these events of the first gamepad.
    fn done(changes: impl IntoIterator<Item = Option<PadChange>>) -> Input {
        let (mut input, mut pads) = (Input::default(), Pads::default());
        let connected = PadChange::Connected("A".into());
        for change in std::iter::once(connected).chain(changes.into_iter().flatten()) {
            pads.take(0, change, &mut |outcome| {
                if let PadOutcome::Input(event) = outcome {
                    input.apply(&event);
                }
            });
        }
        input
    }

    #[test]
    fn every_button_of_a_gamepad_has_its_own_name_that_scripts_know() {
        let pressed = |button| {
            let input = done([of_button(button, true), of_trigger(button, 1.0)]);
            let name = input.next_pressed().map(str::to_owned);
            let up = done([
                of_button(button, true),
                of_trigger(button, 1.0),
                of_button(button, false),
                of_trigger(button, 0.0),
            ]);
            assert!(!name.as_deref().is_some_and(|name| up.down(name)));
            name
        };
        let names: Vec<String> = BUTTONS.into_iter().filter_map(pressed).collect();
        let mut pads: Vec<&str> = keys::key_names()
            .filter(|n| n.starts_with("pad_"))
            .collect();
        let mut sorted: Vec<&str> = names.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        pads.sort_unstable();
        assert_eq!(sorted, pads);
        assert_eq!(
            pressed(Button::LeftTrigger).as_deref(),
            Some("pad_left_bumper")
        );
        assert_eq!(
            pressed(Button::LeftTrigger2).as_deref(),
            Some("pad_left_trigger")
        );
        assert_eq!(pressed(Button::DPadUp).as_deref(), Some("pad_up"));
    }

    #[test]
    fn sticks_move_the_axes_that_scripts_know() {
        for (axis, name) in [
            (Axis::LeftStickX, "pad_left_x"),
            (Axis::LeftStickY, "pad_left_y"),
            (Axis::RightStickX, "pad_right_x"),
            (Axis::RightStickY, "pad_right_y"),
        ] {
            let input = done([of_axis(axis, -1.0)]);
            assert_eq!(input.axis(name), Some(-1.0), "{name}");
            assert!(keys::is_stick(name));
        }
        let input = done([
            of_axis(Axis::LeftStickX, 0.6),
            of_axis(Axis::LeftStickY, 0.8),
        ]);
        let (x, y) = (input.axis("move_x").unwrap(), input.axis("move_y").unwrap());
        assert!((x - 0.6).abs() < 1e-3 && (y - 0.8).abs() < 1e-3, "{x} {y}");
        assert_eq!(of_axis(Axis::DPadX, 1.0), None);
    }

    #[test]
    fn a_machine_without_gamepads_is_not_an_error() {
        let Ok(mut gamepads) = Gamepads::new() else {
            return;
        };
        let mut first = Vec::new();
        gamepads.poll(|outcome| first.push(outcome));
        assert!(
            first
                .iter()
                .all(|outcome| matches!(outcome, PadOutcome::News(_))),
            "{first:?}"
        );
        gamepads.poll(|_| {});
    }
}
