//! The input of the last minutes, to replay it from a displayed moment of the past.

use std::collections::VecDeque;

use crate::recording::{RecordedEvent, TimedEvent};

/// Input of the last minutes, oldest first.
#[derive(Clone)]
pub(super) struct InputHistory {
    /// Duration that is kept, seconds.
    seconds: f64,
    events: VecDeque<TimedEvent>,
    /// The microphone before the first event.
    microphone: RecordedEvent,
    /// True if it has all input since the start of the game, which leads to the present.
    is_complete: bool,
}

impl InputHistory {
    /// An empty history of this duration, seconds. `is_start`: the game has not begun yet.
    pub fn new(seconds: f64, is_start: bool) -> Self {
        Self {
            seconds,
            is_complete: is_start,
            events: VecDeque::new(),
            microphone: RecordedEvent::Microphone(None),
        }
    }

    /// Duration that is kept, seconds.
    pub fn duration(&self) -> f64 {
        self.seconds
    }

    /// Keeps an event at an unscaled time in seconds. A replay makes its own checksums, and a changed script runs into the
    /// limits of the watchdog by itself.
    pub fn keep(&mut self, t: f64, event: &RecordedEvent) {
        if let RecordedEvent::Checksum(_) | RecordedEvent::Stopped(_) = event {
            return;
        }
        let is_old = |first: &TimedEvent| first.t + self.seconds < t;
        while self.events.front().is_some_and(is_old) {
            self.is_complete = false;
            let oldest = self.events.pop_front();
            let event = oldest.map(|oldest| oldest.event);
            if let Some(microphone @ RecordedEvent::Microphone(_)) = event {
                self.microphone = microphone;
            }
        }
        let event = event.clone();
        self.events.push_back(TimedEvent { t, event });
    }

    /// Notes that the input since the start of the game does not lead to the present.
    pub fn lose_start(&mut self) {
        self.is_complete = false;
    }

    /// All events since the start of the game and before `end`, seconds of unscaled time; `None` if some were dropped.
    pub fn since_start(&self, end: f64) -> Option<impl Iterator<Item = &TimedEvent>> {
        let events = self.events.iter().filter(move |event| event.t < end);
        self.is_complete.then_some(events)
    }

    /// The same history before `end`, seconds of unscaled time.
    pub fn until(mut self, end: f64) -> Self {
        self.events.retain(|event| event.t < end);
        self
    }

    /// The events from `begin` on and before `end`, seconds of unscaled time. The first and the last one are the microphone
    /// at these times, so that a replay lasts until the end.
    pub fn within(&self, [begin, end]: [f64; 2]) -> Vec<TimedEvent> {
        let microphone = |before: f64| {
            let earlier = self.events.iter().rev().filter(|event| event.t < before);
            let mut earlier = earlier.map(|event| &event.event);
            let last = earlier.find(|event| matches!(event, RecordedEvent::Microphone(_)));
            TimedEvent {
                t: before,
                event: last.unwrap_or(&self.microphone).clone(),
            }
        };
        let within = self.events.iter();
        let within = within.filter(|event| event.t >= begin && event.t < end);
        std::iter::once(microphone(begin))
            .chain(within.cloned())
            .chain([microphone(end)])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_stage::InputEvent;

    #[test]
    fn an_interval_has_its_input_and_the_microphone_from_before() {
        let mut history = InputHistory::new(10.0, true);
        let key = |name: &str| RecordedEvent::Input(InputEvent::Down(name.into()));
        let loud = RecordedEvent::Microphone(Some(Default::default()));
        history.keep(0.0, &loud);
        history.keep(0.0, &RecordedEvent::Stopped(7));
        history.keep(1.0, &key("a"));
        history.keep(2.0, &key("b"));
        history.keep(3.0, &RecordedEvent::Microphone(None));
        let within = |history: &InputHistory, interval| {
            let all = history.within(interval).into_iter();
            all.map(|event| (event.t, event.event)).collect::<Vec<_>>()
        };
        let expected = [(0.5, loud.clone()), (1.0, key("a")), (2.0, loud.clone())];
        assert_eq!(within(&history, [0.5, 2.0]), expected);
        let off = RecordedEvent::Microphone(None);
        let expected = [(2.5, loud.clone()), (3.0, off.clone()), (4.0, off)];
        assert_eq!(within(&history, [2.5, 4.0]), expected);
        assert_eq!(history.since_start(2.0).unwrap().count(), 2);
        // Old input is forgotten, but not that the microphone was on.
        history.keep(11.5, &key("c"));
        let expected = [(1.5, loud.clone()), (2.0, key("b")), (2.5, loud)];
        assert_eq!(within(&history, [1.5, 2.5]), expected);
        assert!(history.since_start(2.0).is_none());
    }
}
