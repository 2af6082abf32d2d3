//! Picks a quality by how long the first pictures of a run take.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use galatea_render::Gpu;
use galatea_stage::frame::Quality;

/// Pictures that are not measured: pipelines are still being made for them.
const WARM_UP: usize = 4;
/// Pictures that are measured; the fastest counts, since others wait for the rest of the machine.
const MEASURED: usize = 6;
/// A medium picture that takes longer is drawn low from then on.
const SLOW: Duration = Duration::from_millis(70);
/// A medium picture that takes less is drawn high from then on.
const FAST: Duration = Duration::from_millis(4);

/// Measures the first pictures.
pub struct FrameTimer {
    done: Receiver<Duration>,
    tell: Sender<Duration>,
    times: Vec<Duration>,
    choice: Option<Quality>,
}

impl FrameTimer {
    /// A measurement that has not begun.
    pub fn new() -> Self {
        let (tell, done) = channel();
        Self {
            done,
            tell,
            times: Vec::new(),
            choice: None,
        }
    }

    /// The quality that was picked, once it is.
    pub fn choice(&self) -> Option<Quality> {
        self.choice
    }

    /// A picture of medium quality was just handed to the device.
    pub fn submitted(&mut self, gpu: &Gpu) {
        if self.choice.is_some() {
            return;
        }
        let (tell, start) = (self.tell.clone(), Instant::now());
        gpu.queue.on_submitted_work_done(move || {
            // The measurement may be over by now.
            let _ = tell.send(start.elapsed());
        });
        self.take();
    }

    fn take(&mut self) {
        self.times.extend(self.done.try_iter());
        if self.times.len() >= WARM_UP + MEASURED {
            let fastest = self.times[WARM_UP..].iter().min();
            self.choice = fastest.map(|fastest| quality_for(*fastest));
            tracing::info!(
                "a picture takes {fastest:?}: quality {}",
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
    fn the_fastest_picture_after_the_first_decides() {
        let mut pace = FrameTimer::new();
        let mut show = |milliseconds: &[u64]| {
            for ms in milliseconds {
                assert!(pace.tell.send(Duration::from_millis(*ms)).is_ok());
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
