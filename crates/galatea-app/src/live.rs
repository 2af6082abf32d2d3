//! Real-time session without a window, for clients of the control port.

use std::time::{Duration, Instant};

use super::control::ControlPort;
use super::{Session, StoppableGame};

/// Maximum number of late ticks to catch up; older ones are skipped.
const MAX_BEHIND: u32 = 5;
/// Polling interval while the session loads, or one of its scripts is stopped.
const LOADING_INTERVAL: Duration = Duration::from_millis(5);

/// Plays a session until a client requests its end.
pub fn run(mut session: Session, mut control: ControlPort) {
    session.survive_errors();
    let mut game = StoppableGame::new(session);
    game.hold(control.waits_for_debugger);
    let mut next = Instant::now();
    loop {
        if control.serve(&mut game) {
            return;
        }
        let Some(session) = game.session() else {
            // A script is stopped.
            std::thread::sleep(LOADING_INTERVAL);
            next = Instant::now();
            continue;
        };
        let tick = Duration::from_secs_f64(session.stage.clock.dt);
        if session.is_loading() {
            game.run(Session::apply_reloads);
            std::thread::sleep(LOADING_INTERVAL);
            next = Instant::now();
            continue;
        }
        game.run(Session::tick);
        next += tick;
        let now = Instant::now();
        if next + tick * MAX_BEHIND < now {
            next = now;
        }
        std::thread::sleep(next.saturating_duration_since(now));
    }
}
