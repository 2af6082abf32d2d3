//! Selects a quality from the duration of the first frames.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use galatea_render::Gpu;
use galatea_stage::frame::Quality;

/// Number of first frames that are not measured, because their pipelines are still compiling.
const WARM_UP: usize = 4;
/// Number of measured frames. The fastest counts, since the others may wait for other programs.
const MEASURED: usize = 6;
/// A medium frame slower than this selects low quality.
const SLOW: Duration = Duration::from_millis(70);
/// A medium frame faster than this selects high quality.
const FAST: Duration = Duration::from_millis(4);

/// Measures the first frames.
pub struct FrameTimer {
    done: Receiver<Duration>,
    sender: Sender<Duration>,
    times: Vec<Duration>,
    choice: Option<Quality>,
}

impl FrameTimer {
    /// Creates a timer without measurements.
    pub fn new() -> Self {
        let (sender, done) = channel();
        Self {
            done,
            sender,
            times: Vec::new(),
            choice: None,
        }
    }

    /// The selected quality, once it is known.
    pub fn choice(&self) -> Option<Quality> {
        self.choice
    }

    /// Records that a frame of medium quality was submitted.
    pub fn submitted(&mut self, gpu: &Gpu) {
        if self.choice.is_some() {
            return;
        }
        let (sender, start) = (self.sender.clone(), Instant::now());
        gpu.queue.on_submitted_work_done(move || {
            // The measurement may be over by now.
            let _ = sender.send(start.elapsed());
        });
        self.take();
    }

    fn take(&mut self) {
        self.times.extend(self.done.try_iter());
        if self.times.len() >= WARM_UP + MEASURED {
            let fastest = self.times[WARM_UP..].iter().min();
            self.choice = fastest.map(|fastest| quality_for(*fastest));
            tracing::info!(
                "a frame takes {fastest:?}: quality {}",
                self.choice.unwrap_or_default().name()
            );
        }
    }
}

fn quality_for(took: Duration) -> Quality {
    if took > SLOW {
        Quality::Low
    } else if took < FAST {
        Quality::High
    } else {
        Quality::Medium
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fastest_frame_after_the_warm_up_decides() {
        let mut pace = FrameTimer::new();
        let mut show = |milliseconds: &[u64]| {
            for ms in milliseconds {
                assert!(pace.sender.send(Duration::from_millis(*ms)).is_ok());
            }
            pace.take();
            pace.choice()
        };
        assert_eq!(show(&[900, 400, 1, 1]), None, "these are not counted");
        assert_eq!(show(&[120, 300, 95, 200, 110]), None);
        assert_eq!(show(&[180]), Some(Quality::Low));
        assert_eq!(quality_for(Duration::from_millis(2)), Quality::High);
        assert_eq!(quality_for(Duration::from_millis(30)), Quality::Medium);
    }
}
