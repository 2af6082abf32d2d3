//! How often a lost graphics device is replaced before it is given up.

use std::time::Duration;

/// Replacements in a row without a picture between.
const MOST: u32 = 4;
/// A driver that was reset takes a moment.
const PAUSE: Duration = Duration::from_millis(500);

/// Counts losses.
#[derive(Debug, Default)]
pub struct Losses {
    in_a_row: u32,
}

impl Losses {
    /// A picture was shown.
    pub fn shown(&mut self) {
        self.in_a_row = 0;
    }

    /// How long to wait before the next replacement; `None` to give up.
    pub fn again(&mut self) -> Option<Duration> {
        self.in_a_row += 1;
        match self.in_a_row {
            1 => Some(Duration::ZERO),
            2..=MOST => Some(PAUSE),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_replaced_at_once_then_after_pauses_then_given_up() {
        let mut losses = Losses::default();
        let waits: Vec<_> = (0..5).map(|_| losses.again()).collect();
        assert_eq!(
            waits,
            [
                Some(Duration::ZERO),
                Some(PAUSE),
                Some(PAUSE),
                Some(PAUSE),
                None
            ]
        );
        losses.shown();
        assert_eq!(losses.again(), Some(Duration::ZERO));
    }
}
