//! A session in real time without a window, for those who ask through the control port.

use std::time::{Duration, Instant};

use super::Session;
use super::control::ControlPort;

/// Ticks that are made up for; what is older is let go.
const MOST_BEHIND: u32 = 5;
/// How often a session that loads is looked after.
const LOADING_PACE: Duration = Duration::from_millis(5);

/// Plays a session until it is asked to end.
pub fn run(mut session: Session, mut control: ControlPort) {
    session.survive_errors();
    let mut next = Instant::now();
    loop {
        if control.serve(&mut session) {
            return;
        }
        if session.is_loading() {
            session.apply_reloads();
            std::thread::sleep(LOADING_PACE);
            next = Instant::now();
            continue;
        }
        session.tick();
        let tick = Duration::from_secs_f64(session.stage.clock.dt);
        next += tick;
        let now = Instant::now();
        if next + tick * MOST_BEHIND < now {
            next = now;
        }
        std::thread::sleep(next.saturating_duration_since(now));
    }
}
