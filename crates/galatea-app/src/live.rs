//! Real-time session without a window, for clients of the control port.

use std::time::{Duration, Instant};

use super::Session;
use super::control::ControlPort;

/// Maximum number of late ticks to catch up; older ones are skipped.
const MAX_BEHIND: u32 = 5;
/// Polling interval while the session loads.
const LOADING_INTERVAL: Duration = Duration::from_millis(5);

/// Plays a session until a client requests its end.
pub fn run(mut session: Session, mut control: ControlPort) {
    session.survive_errors();
    let mut next = Instant::now();
    loop {
        if control.serve(&mut session) {
            return;
        }
        if session.is_loading() {
            session.apply_reloads();
            std::thread::sleep(LOADING_INTERVAL);
            next = Instant::now();
            continue;
        }
        session.tick();
        let tick = Duration::from_secs_f64(session.stage.clock.dt);
        next += tick;
        let now = Instant::now();
        if next + tick * MAX_BEHIND < now {
            next = now;
        }
        std::thread::sleep(next.saturating_duration_since(now));
    }
}
