//! Input of running sessions, kept in memory for crash reports.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::ThreadId;

use galatea_asset::Project;
use galatea_stage::InputEvent;

use super::{IS_INSTALLED, state};
use crate::recording::{RecordedEvent, RecordingHeader, event_line, first_line};

/// Maximum size of the recorded input, bytes: several hours of mouse movement.
const MAX_BYTES: usize = 32 << 20;

/// Input of one session.
pub(super) struct FlightInput {
    id: u64,
    pub(super) thread: ThreadId,
    pub(super) project: Project,
    /// Text of an input recording.
    pub(super) text: String,
    /// Start and time of the last line, if a later event may replace it.
    last: Option<(usize, f64)>,
    is_full: bool,
}

/// Records the input of a session until it is dropped.
#[derive(Debug)]
pub struct FlightRecorder {
    id: u64,
}

impl FlightRecorder {
    /// Starts recording for a session of this thread. Returns `None` if crash reports are off.
    pub fn begin(project: &Project, header: RecordingHeader) -> Option<Self> {
        static N_BEGUN: AtomicU64 = AtomicU64::new(0);
        let text = first_line(header).ok()?;
        let is_installed = IS_INSTALLED.load(Ordering::Relaxed);
        let id = N_BEGUN.fetch_add(1, Ordering::Relaxed);
        is_installed.then(|| {
            state().flights.push(FlightInput {
                id,
                thread: std::thread::current().id(),
                project: project.clone(),
                text,
                last: None,
                is_full: false,
            });
            Self { id }
        })
    }

    /// Adds an event at an unscaled time in seconds. Of several pointer positions between two ticks, only the last one is
    /// recorded.
    pub fn event(&self, t: f64, event: &RecordedEvent) {
        let Ok(line) = event_line(t, event) else {
            return;
        };
        let replaces = matches!(event, RecordedEvent::Input(InputEvent::Pointer(..)));
        self.add(&line, replaces.then_some(t));
    }

    /// Adds a comment line.
    pub fn remark(&self, line: &str) {
        self.add(line, None);
    }

    fn add(&self, line: &str, replaces: Option<f64>) {
        let mut state = state();
        let Some(flight) = state.flights.iter_mut().find(|one| one.id == self.id) else {
            return;
        };
        if flight.is_full {
            return;
        }
        if let (Some((start, before)), Some(now)) = (flight.last, replaces)
            && before == now
        {
            flight.text.truncate(start);
        }
        flight.last = replaces.map(|t| (flight.text.len(), t));
        flight.text.push_str(line);
        if flight.text.len() > MAX_BYTES {
            flight.is_full = true;
            flight.text.push_str("# later input was not recorded\n");
        }
    }
}

impl Drop for FlightRecorder {
    fn drop(&mut self) {
        state().flights.retain(|one| one.id != self.id);
    }
}
