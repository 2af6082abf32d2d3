//! What gamepads do as input: their numbers, dead zones, and that who goes away lets go of everything.

use std::collections::BTreeSet;

use galatea_stage::InputEvent;
use galatea_stage::keys::{MOST_PADS, of_pad};

/// Share of a stick's way in which it rests.
const DEAD: f32 = 0.15;
/// Share of a stick's way from which it is all the way out: many do not reach the end.
const FULL: f32 = 0.95;
/// The same for triggers.
const TRIGGER_DEAD: f32 = 0.05;
/// Share of its way from which a trigger is down, and under which it is up again.
const TRIGGER_DOWN: [f32; 2] = [0.5, 0.4];
/// Steps of a stick from the middle to its end: what shakes less than one tells nothing.
const STEPS: f32 = 1024.0;

/// A change of a gamepad.
#[derive(Clone, Debug, PartialEq)]
pub enum PadChange {
    /// It is there; its name.
    Connected(String),
    /// Removal of the file.
    Disconnected,
    /// A button by its name of any pad (`pad_south`) went down or up.
    Button(&'static str, bool),
    /// A trigger by its name of any pad, 0..=1.
    Trigger(&'static str, f32),
    /// An axis of a stick, -1..=1, right or up.
    Stick(Stick, Along, f32),
}

/// Which stick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stick {
    /// The left one.
    Left,
    /// The right one.
    Right,
}

/// Which axis of a stick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// To the right.
    X,
    /// Up.
    Y,
}

/// What comes of a change.
#[derive(Clone, Debug, PartialEq)]
pub enum PadOutcome {
    /// Input for the game.
    Input(InputEvent),
    /// News for the player.
    News(String),
}

/// Names of the axes of the sticks, as `Stick` and `Along` count them.
const STICKS: [[&str; 2]; 2] = [["pad_left_x", "pad_left_y"], ["pad_right_x", "pad_right_y"]];

/// A gamepad with a number.
#[derive(Debug, Default)]
struct Pad {
    /// Its name for the system; kept when it goes, so that it gets its number again.
    id: usize,
    is_here: bool,
    name: String,
    held: BTreeSet<&'static str>,
    /// Where the sticks are, as the system says.
    sticks: [[f32; 2]; 2],
    /// What was told of axes, by their names of any pad.
    told: Vec<(&'static str, f32)>,
}

/// All gamepads.
#[derive(Debug, Default)]
pub struct Pads(Vec<Pad>);

impl Pads {
    /// Takes in what the gamepad that the system calls `id` does, and tells what comes of it.
    pub fn take(&mut self, id: usize, change: PadChange, tell: &mut impl FnMut(PadOutcome)) {
        if let PadChange::Connected(name) = change {
            return self.connect(id, name, tell);
        }
        let mut pads = self.0.iter_mut().zip(1..);
        let Some((pad, number)) = pads.find(|(pad, _)| pad.is_here && pad.id == id) else {
            return;
        };
        match change {
            PadChange::Connected(_) => {}
            PadChange::Disconnected => {
                pad.let_go(number, tell);
                pad.is_here = false;
                tell(PadOutcome::News(format!(
                    "gamepad {number} is gone: {}",
                    pad.name
                )));
            }
            PadChange::Button(name, is_down) => pad.button(number, name, is_down, tell),
            PadChange::Trigger(name, value) => {
                let way = (value - TRIGGER_DEAD) / (FULL - TRIGGER_DEAD);
                pad.axis(number, name, way.clamp(0.0, 1.0), tell);
                let limit = TRIGGER_DOWN[usize::from(pad.held.contains(name))];
                pad.button(number, name, value >= limit, tell);
            }
            PadChange::Stick(stick, along, value) => {
                let names = STICKS[stick as usize];
                let place = &mut pad.sticks[stick as usize];
                place[along as usize] = if value.is_finite() { value } else { 0.0 };
                let place = out_of_dead_zone(*place);
                for (name, value) in names.into_iter().zip(place) {
                    pad.axis(number, name, value, tell);
                }
            }
        }
    }

    fn connect(&mut self, id: usize, name: String, tell: &mut impl FnMut(PadOutcome)) {
        if self.0.iter().any(|pad| pad.is_here && pad.id == id) {
            return;
        }
        let own = self.0.iter().position(|pad| pad.id == id);
        let free = || self.0.iter().position(|pad| !pad.is_here);
        let slot = own.or_else(free).unwrap_or(self.0.len());
        let Some(number) = u8::try_from(slot + 1).ok().filter(|n| *n <= MOST_PADS) else {
            let text = format!("{name} is not heard: there may be {MOST_PADS} gamepads");
            return tell(PadOutcome::News(text));
        };
        tell(PadOutcome::News(format!("gamepad {number}: {name}")));
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
        tell: &mut impl FnMut(PadOutcome),
    ) {
        let changed = if is_down {
            self.held.insert(name)
        } else {
            self.held.remove(name)
        };
        if let (true, Some(name)) = (changed, of_pad(name, number)) {
            tell(PadOutcome::Input(if is_down {
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
        tell: &mut impl FnMut(PadOutcome),
    ) {
        let value = (value * STEPS).round() / STEPS;
        match self.told.iter_mut().find(|(known, _)| *known == name) {
            Some((_, before)) if *before == value => return,
            Some((_, before)) => *before = value,
            None if value == 0.0 => return,
            None => self.told.push((name, value)),
        }
        if let Some(name) = of_pad(name, number) {
            tell(PadOutcome::Input(InputEvent::Axis(name, value)));
        }
    }

    fn let_go(&mut self, number: u8, tell: &mut impl FnMut(PadOutcome)) {
        for name in self.held.clone() {
            self.button(number, name, false, tell);
        }
        for (name, _) in self.told.clone() {
            self.axis(number, name, 0.0, tell);
        }
    }
}

/// A stick's place without the zone in which it rests, which is round, so that no direction is better
/// than others; from there it grows from 0, up to 1 at its edge.
fn out_of_dead_zone([x, y]: [f32; 2]) -> [f32; 2] {
    let length = x.hypot(y);
    if length <= DEAD {
        return [0.0, 0.0];
    }
    let share = ((length - DEAD) / (FULL - DEAD)).min(1.0) / length;
    [x * share, y * share]
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_stage::Input;

    /// What all these changes bring about: lines of news, and the state of the input.
    fn after(input: &mut Input, pads: &mut Pads, changes: &[(usize, PadChange)]) -> Vec<String> {
        let mut news = Vec::new();
        input.end_tick();
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
        assert_eq!(news(&gone), ["gamepad 1 is gone: A"]);
        assert_eq!(news(&[(9, connected("C"))]), ["gamepad 1: C"]);
        assert_eq!(news(&[(7, connected("A"))]), ["gamepad 3: A"]);
        assert_eq!(
            news(&[(9, PadChange::Disconnected), (9, connected("C"))])[1],
            "gamepad 1: C"
        );
        let more: Vec<_> = (20..26).map(|id| (id, connected("D"))).collect();
        let news = news(&more);
        assert_eq!(news[4], "gamepad 8: D");
        assert_eq!(news[5], "D is not heard: there may be 8 gamepads");
        assert!(!input.down("pad_south"), "of one that is gone");
    }

    #[test]
    fn one_that_goes_lets_go_of_what_it_held() {
        let (mut input, mut pads) = (Input::default(), Pads::default());
        let changes = [
            (0, connected("A")),
            (1, connected("B")),
            (0, PadChange::Button("pad_south", true)),
            (1, PadChange::Button("pad_south", true)),
            (0, PadChange::Stick(Stick::Left, Along::X, 1.0)),
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
        // When it is back nothing of before is left in it.
        let back = [
            (0, connected("A")),
            (0, PadChange::Stick(Stick::Left, Along::Y, 1.0)),
        ];
        after(&mut input, &mut pads, &back);
        assert_eq!(input.axis("pad1_left_x"), Some(0.0));
        assert_eq!(input.axis("pad1_left_y"), Some(1.0));
    }

    #[test]
    fn a_stick_rests_in_a_round_zone_and_reaches_one_in_every_direction() {
        assert_eq!(out_of_dead_zone([0.1, -0.1]), [0.0, 0.0]);
        assert_eq!(out_of_dead_zone([0.0, DEAD]), [0.0, 0.0]);
        // A square zone would pull this to the axis.
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
    fn a_resting_stick_and_a_trigger_that_shakes_tell_nothing() {
        let (mut input, mut pads) = (Input::default(), Pads::default());
        let mut told = Vec::new();
        let mut take = |change: PadChange| {
            pads.take(0, change, &mut |outcome| told.push(outcome));
            std::mem::take(&mut told)
        };
        take(connected("A"));
        for value in [0.0, 0.1, -0.05, f32::NAN] {
            assert_eq!(take(PadChange::Stick(Stick::Right, Along::X, value)), []);
        }
        let stick = |value: f32| PadChange::Stick(Stick::Right, Along::X, value);
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
