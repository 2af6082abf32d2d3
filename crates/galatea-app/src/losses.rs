//! Number of times that a lost graphics device is replaced before giving up.

use std::time::Duration;

/// Maximum number of successive replacements without a finished frame.
const MAX_SUCCESSIVE: u32 = 4;
/// A driver reset takes a moment.
const PAUSE: Duration = Duration::from_millis(500);

/// Counts device losses.
#[derive(Debug, Default)]
pub struct Losses {
    in_a_row: u32,
}

impl Losses {
    /// Records that a frame was shown.
    pub fn shown(&mut self) {
        self.in_a_row = 0;
    }

    /// Returns the time to wait before the next replacement; `None` to give up.
    pub fn again(&mut self) -> Option<Duration> {
        self.in_a_row += 1;
        match self.in_a_row {
            1 => Some(Duration::ZERO),
            2..=MAX_SUCCESSIVE => Some(PAUSE),
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
