//! Gamepad input: numbering, dead zones, and release of all keys on disconnection.

use std::collections::BTreeSet;

use galatea_stage::InputEvent;
use galatea_stage::keys::{MAX_PADS, of_pad};

/// Radius of a stick's dead zone, as a fraction of its range.
const STICK_DEAD_ZONE: f32 = 0.15;
/// Fraction of a stick's range that counts as fully deflected, since many sticks do not reach the end.
const FULL_DEFLECTION: f32 = 0.95;
/// Dead zone of triggers.
const TRIGGER_DEAD_ZONE: f32 = 0.05;
/// Fraction of the range above which a trigger is down, and below which it is up again.
const TRIGGER_THRESHOLDS: [f32; 2] = [0.5, 0.4];
/// Resolution of an axis: steps from the centre to the end. Jitter below one step is ignored.
const AXIS_STEPS: f32 = 1024.0;

/// An event of a gamepad.
#[derive(Clone, Debug, PartialEq)]
pub enum PadChange {
    /// Connected; the gamepad's name.
    Connected(String),
    /// Disconnected.
    Disconnected,
    /// A button was pressed or released; its name without a gamepad number (`pad_south`).
    Button(&'static str, bool),
    /// A trigger moved, 0..=1; its name without a gamepad number.
    Trigger(&'static str, f32),
    /// A stick axis moved, -1..=1, positive is right or up.
    Stick(Stick, StickAxis, f32),
}

/// A stick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stick {
    /// Left stick.
    Left,
    /// Right stick.
    Right,
}

/// An axis of a stick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StickAxis {
    /// Horizontal, positive to the right.
    X,
    /// Vertical, positive up.
    Y,
}

/// Result of a gamepad event.
#[derive(Clone, Debug, PartialEq)]
pub enum PadOutcome {
    /// Input for the game.
    Input(InputEvent),
    /// A notice for the player.
    News(String),
}

/// Names of the stick axes, indexed by `Stick` and `Along`.
const STICKS: [[&str; 2]; 2] = [["pad_left_x", "pad_left_y"], ["pad_right_x", "pad_right_y"]];

/// A numbered gamepad.
#[derive(Debug, Default)]
struct Pad {
    /// System id. It is kept after disconnection, so that the gamepad gets the same number again.
    id: usize,
    is_here: bool,
    name: String,
    held: BTreeSet<&'static str>,
    /// Raw stick positions.
    sticks: [[f32; 2]; 2],
    /// Last reported axis values, by name without a gamepad number.
    reported: Vec<(&'static str, f32)>,
}

/// All gamepads.
#[derive(Debug, Default)]
pub struct Pads(Vec<Pad>);

impl Pads {
    /// Processes an event of the gamepad with system id `id`, and reports the results.
    pub fn take(&mut self, id: usize, change: PadChange, report: &mut impl FnMut(PadOutcome)) {
        if let PadChange::Connected(name) = change {
            return self.connect(id, name, report);
        }
        let mut pads = self.0.iter_mut().zip(1..);
        let Some((pad, number)) = pads.find(|(pad, _)| pad.is_here && pad.id == id) else {
            return;
        };
        match change {
            PadChange::Connected(_) => {}
            PadChange::Disconnected => {
                pad.release_all(number, report);
                pad.is_here = false;
                report(PadOutcome::News(format!(
                    "gamepad {number} disconnected: {}",
                    pad.name
                )));
            }
            PadChange::Button(name, is_down) => pad.button(number, name, is_down, report),
            PadChange::Trigger(name, value) => {
                let value = (value - TRIGGER_DEAD_ZONE) / (FULL_DEFLECTION - TRIGGER_DEAD_ZONE);
                pad.axis(number, name, value.clamp(0.0, 1.0), report);
                let limit = TRIGGER_THRESHOLDS[usize::from(pad.held.contains(name))];
                pad.button(number, name, value >= limit, report);
            }
            PadChange::Stick(stick, along, value) => {
                let names = STICKS[stick as usize];
                let position = &mut pad.sticks[stick as usize];
                position[along as usize] = if value.is_finite() { value } else { 0.0 };
                let position = out_of_dead_zone(*position);
                for (name, value) in names.into_iter().zip(position) {
                    pad.axis(number, name, value, report);
                }
            }
        }
    }

    fn connect(&mut self, id: usize, name: String, report: &mut impl FnMut(PadOutcome)) {
        if self.0.iter().any(|pad| pad.is_here && pad.id == id) {
            return;
        }
        let own = self.0.iter().position(|pad| pad.id == id);
        let free = || self.0.iter().position(|pad| !pad.is_here);
        let slot = own.or_else(free).unwrap_or(self.0.len());
        let Some(number) = u8::try_from(slot + 1).ok().filter(|n| *n <= MAX_PADS) else {
            let text = format!("{name} is ignored: the limit is {MAX_PADS} gamepads");
            return report(PadOutcome::News(text));
        };
        report(PadOutcome::News(format!("gamepad {number}: {name}")));
        let pad = Pad {
            id,
            is_here: true,
            name,
            ..Pad::default()
        };
        match self.0.get_mut(slot) {
            Some(before) => *before = pad,
            None => self.0.push(pad),
        }
    }
}

impl Pad {
    fn button(
        &mut self,
        number: u8,
        name: &'static str,
        is_down: bool,
        report: &mut impl FnMut(PadOutcome),
    ) {
        let changed = if is_down {
            self.held.insert(name)
        } else {
            self.held.remove(name)
        };
        if let (true, Some(name)) = (changed, of_pad(name, number)) {
            report(PadOutcome::Input(if is_down {
                InputEvent::Down(name)
            } else {
                InputEvent::Up(name)
            }));
        }
    }

    fn axis(
        &mut self,
        number: u8,
        name: &'static str,
        value: f32,
        report: &mut impl FnMut(PadOutcome),
    ) {
        let value = (value * AXIS_STEPS).round() / AXIS_STEPS;
        match self.reported.iter_mut().find(|(known, _)| *known == name) {
            Some((_, before)) if *before == value => return,
            Some((_, before)) => *before = value,
            None if value == 0.0 => return,
            None => self.reported.push((name, value)),
        }
        if let Some(name) = of_pad(name, number) {
            report(PadOutcome::Input(InputEvent::Axis(name, value)));
        }
    }

    fn release_all(&mut self, number: u8, report: &mut impl FnMut(PadOutcome)) {
        for name in self.held.clone() {
            self.button(number, name, false, report);
        }
        for (name, _) in self.reported.clone() {
            self.axis(number, name, 0.0, report);
        }
    }
}

/// Applies a stick's dead zone. It is round, so that all directions are equal. Outside, the value grows from 0 to 1 at the
/// edge.
fn out_of_dead_zone([x, y]: [f32; 2]) -> [f32; 2] {
    let length = x.hypot(y);
    if length <= STICK_DEAD_ZONE {
        return [0.0, 0.0];
    }
    let scale =
        ((length - STICK_DEAD_ZONE) / (FULL_DEFLECTION - STICK_DEAD_ZONE)).min(1.0) / length;
    [x * scale, y * scale]
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_stage::Input;

    /// Applies these events, and returns the notices; updates the input state.
    fn after(input: &mut Input, pads: &mut Pads, changes: &[(usize, PadChange)]) -> Vec<String> {
        let mut news = Vec::new();
        input.end_tick(true);
        for (id, change) in changes {
            pads.take(*id, change.clone(), &mut |outcome| match outcome {
                PadOutcome::Input(event) => input.apply(&event),
                PadOutcome::News(text) => news.push(text),
            });
        }
        news
    }

    fn connected(name: &str) -> PadChange {
        PadChange::Connected(name.into())
    }

    #[test]
    fn gamepads_have_numbers_in_order_and_get_them_again() {
        let (mut input, mut pads) = (Input::default(), Pads::default());
        let mut news = |changes: &[(usize, PadChange)]| after(&mut input, &mut pads, changes);
        let two = [
            (7, connected("A")),
            (3, connected("B")),
            (3, connected("B")),
        ];
        assert_eq!(news(&two), ["gamepad 1: A", "gamepad 2: B"]);
        let gone = [
            (7, PadChange::Disconnected),
            (7, PadChange::Button("pad_south", true)),
        ];
        assert_eq!(news(&gone), ["gamepad 1 disconnected: A"]);
        assert_eq!(news(&[(9, connected("C"))]), ["gamepad 1: C"]);
        assert_eq!(news(&[(7, connected("A"))]), ["gamepad 3: A"]);
        assert_eq!(
            news(&[(9, PadChange::Disconnected), (9, connected("C"))])[1],
            "gamepad 1: C"
        );
        let more: Vec<_> = (20..26).map(|id| (id, connected("D"))).collect();
        let news = news(&more);
        assert_eq!(news[4], "gamepad 8: D");
        assert_eq!(news[5], "D is ignored: the limit is 8 gamepads");
        assert!(!input.down("pad_south"), "of one that is gone");
    }

    #[test]
    fn a_disconnected_gamepad_releases_its_buttons() {
        let (mut input, mut pads) = (Input::default(), Pads::default());
        let changes = [
            (0, connected("A")),
            (1, connected("B")),
            (0, PadChange::Button("pad_south", true)),
            (1, PadChange::Button("pad_south", true)),
            (0, PadChange::Stick(Stick::Left, StickAxis::X, 1.0)),
            (0, PadChange::Trigger("pad_right_trigger", 1.0)),
        ];
        after(&mut input, &mut pads, &changes);
        assert!(input.down("jump") && input.down("run"));
        assert_eq!(input.axis("move_x"), Some(1.0));
        after(&mut input, &mut pads, &[(0, PadChange::Disconnected)]);
        assert!(input.released("run") && input.released("pad1_south"));
        assert_eq!(input.axis("move_x"), Some(0.0));
        assert!(input.down("jump"), "the other one holds it");
        after(&mut input, &mut pads, &[(1, PadChange::Disconnected)]);
        assert!(!input.down("jump"));
        // After a reconnection, no old state is left.
        let back = [
            (0, connected("A")),
            (0, PadChange::Stick(Stick::Left, StickAxis::Y, 1.0)),
        ];
        after(&mut input, &mut pads, &back);
        assert_eq!(input.axis("pad1_left_x"), Some(0.0));
        assert_eq!(input.axis("pad1_left_y"), Some(1.0));
    }

    #[test]
    fn a_stick_rests_in_a_round_zone_and_reaches_one_in_every_direction() {
        assert_eq!(out_of_dead_zone([0.1, -0.1]), [0.0, 0.0]);
        assert_eq!(out_of_dead_zone([0.0, STICK_DEAD_ZONE]), [0.0, 0.0]);
        // A square dead zone would snap this to the axis.
        let [x, y] = out_of_dead_zone([0.8, 0.1]);
        assert!((y / x - 0.1 / 0.8).abs() < 1e-6);
        let mut before = 0.0;
        for i in 16..=120 {
            let [x, y] = out_of_dead_zone([0.006 * i as f32, -0.008 * i as f32]);
            let length = x.hypot(y);
            assert!((y / x + 8.0 / 6.0).abs() < 1e-4, "the direction stays");
            assert!(length >= before - 1e-6 && length <= 1.0 + 1e-6);
            assert!(length - before < 0.014, "without a jump: {length}");
            before = length;
        }
        assert!((before - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_resting_stick_and_a_jittering_trigger_report_nothing() {
        let (mut input, mut pads) = (Input::default(), Pads::default());
        let mut reported = Vec::new();
        let mut take = |change: PadChange| {
            pads.take(0, change, &mut |outcome| reported.push(outcome));
            std::mem::take(&mut reported)
        };
        take(connected("A"));
        for value in [0.0, 0.1, -0.05, f32::NAN] {
            assert_eq!(
                take(PadChange::Stick(Stick::Right, StickAxis::X, value)),
                []
            );
        }
        let stick = |value: f32| PadChange::Stick(Stick::Right, StickAxis::X, value);
        let moved = take(stick(0.55));
        let half = PadOutcome::Input(InputEvent::Axis("pad1_right_x".into(), 0.5));
        assert_eq!(moved, [half]);
        assert_eq!(take(stick(0.5502)), []);
        let mut trigger = |value: f32| {
            for outcome in take(PadChange::Trigger("pad_left_trigger", value)) {
                if let PadOutcome::Input(event) = outcome {
                    input.apply(&event);
                }
            }
            input.down("pad_left_trigger")
        };
        let held = [0.3, 0.49, 0.5, 0.45, 0.41, 0.39, 0.45].map(&mut trigger);
        assert_eq!(held, [false, false, true, true, true, false, false]);
        assert!(input.axis("pad_left_trigger") > Some(0.4));
    }
}
