//! Pause, slow motion and hit-stop: how many ticks of a stage are simulated per tick of unscaled time.
//!
//! All simulated ticks have the same length. In slow motion fewer of them run, and pictures are interpolated between the
//! last two; so the simulation gives the same bits at any speed.

use serde::{Deserialize, Serialize};

use super::Clock;

/// Stage time that passed is counted up to this rounding error, ticks.
const ROUNDING: f64 = 1e-9;

/// Speed of stage time, compared with unscaled time.
///
/// Unscaled time passes by one tick per call of [`super::tick`]. Input, camera and `update_unscaled` follow it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Ticks of unscaled time since the start.
    pub n_ticks: u64,
    scale: f64,
    is_paused: bool,
    /// Ticks of unscaled time for which the stage still stands still.
    freeze_ticks: u32,
    /// Ticks to simulate although the stage is paused.
    n_single_steps: u32,
    /// Lead of the simulation over the displayed time, 0 to 1 tick.
    lead: f64,
    /// Stage time that passed in the last tick of unscaled time, ticks.
    passed: f64,
    /// The last tick of unscaled time was part of a freeze.
    is_freezing: bool,
    /// In slow motion sounds play slower with the same pitch.
    pub keeps_pitch: bool,
}

impl Default for TimeControl {
    fn default() -> Self {
        Self {
            n_ticks: 0,
            scale: 1.0,
            is_paused: false,
            freeze_ticks: 0,
            n_single_steps: 0,
            lead: 0.0,
            passed: 1.0,
            is_freezing: false,
            keeps_pitch: false,
        }
    }
}

impl TimeControl {
    /// Maximum factor on the speed of stage time.
    pub const MAX_SCALE: f64 = 4.0;
    /// Maximum duration of a freeze, ticks: one minute.
    pub const MAX_FREEZE: u32 = 3600;
    /// Maximum number of waiting single steps.
    pub const MAX_STEPS: u32 = 60;

    /// Factor on the speed of stage time, 0 to [`TimeControl::MAX_SCALE`].
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Sets the factor on the speed of stage time; it is clamped to its range, and NaN is ignored.
    pub fn set_scale(&mut self, scale: f64) {
        if !scale.is_nan() {
            self.scale = scale.clamp(0.0, Self::MAX_SCALE);
        }
    }

    /// Returns true while the stage is paused.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Pauses the stage, or lets it continue. Single steps that still wait are dropped.
    pub fn set_paused(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
        self.n_single_steps = 0;
    }

    /// Lets the stage stand still for this number of unscaled ticks, at most [`TimeControl::MAX_FREEZE`]. A longer freeze
    /// that is in progress stays. A pause interrupts a freeze.
    pub fn freeze(&mut self, n_ticks: u32) {
        self.freeze_ticks = self.freeze_ticks.max(n_ticks.min(Self::MAX_FREEZE));
    }

    /// Returns true while the stage stands still until the script changes that.
    pub fn is_stopped(&self) -> bool {
        self.is_paused || self.scale == 0.0
    }

    /// Simulates `n` ticks in the next unscaled tick although the stage is paused. Has no effect otherwise.
    pub fn step(&mut self, n: u32) {
        if self.is_paused {
            self.n_single_steps = (self.n_single_steps + n).min(Self::MAX_STEPS);
        }
    }

    /// Seconds of unscaled time since the start, at the beginning of the coming tick.
    pub fn unscaled_time(&self, clock: Clock) -> f64 {
        self.n_ticks as f64 * clock.dt
    }

    /// Stage time that is displayed at the end of the last tick, seconds. The simulation is at most one tick ahead.
    pub fn displayed_time(&self, clock: Clock) -> f64 {
        clock.time() - self.lead * clock.dt
    }

    /// Stage time that passed in the last tick of unscaled time, ticks.
    pub fn passed(&self) -> f64 {
        self.passed
    }

    /// Returns true if the last tick of unscaled time was part of a freeze.
    pub fn is_freezing(&self) -> bool {
        self.is_freezing
    }

    /// Begins a tick of unscaled time and returns how many ticks to simulate in it.
    pub(super) fn begin_tick(&mut self) -> u32 {
        self.is_freezing = !self.is_paused && self.freeze_ticks > 0;
        if self.is_paused {
            let n = std::mem::take(&mut self.n_single_steps);
            self.passed = f64::from(n);
            return n;
        }
        if self.is_freezing {
            self.freeze_ticks -= 1;
            self.passed = 0.0;
            return 0;
        }
        self.passed = self.scale;
        self.lead -= self.scale;
        let mut n = 0;
        while self.lead < -ROUNDING {
            self.lead += 1.0;
            n += 1;
        }
        // Otherwise rounding errors would add up.
        if self.lead.abs() < ROUNDING {
            self.lead = 0.0;
        }
        n
    }

    /// Position of a picture between the last two simulated ticks, 0 to 1. `alpha` is its position between the last two
    /// ticks of unscaled time.
    pub(super) fn between_ticks(&self, alpha: f32) -> f32 {
        if self.lead == 0.0 && self.passed == 1.0 {
            return alpha;
        }
        let behind = f64::from(1.0 - alpha) * self.passed;
        (1.0 - self.lead - behind).clamp(0.0, 1.0) as f32
    }

    /// The time of a new script: unscaled time continues, and speed, pause and freeze are as at the start.
    pub(super) fn for_new_script(&self) -> Self {
        Self {
            n_ticks: self.n_ticks,
            lead: self.lead,
            ..Self::default()
        }
    }

    /// The time of a loaded game: speed and freeze as saved, not paused; unscaled time continues from `running`.
    pub(super) fn for_loaded_game(&self, running: &Self) -> Self {
        Self {
            n_ticks: running.n_ticks,
            is_paused: false,
            n_single_steps: 0,
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulated ticks in each of `n` unscaled ticks.
    fn ticks(time: &mut TimeControl, n: usize) -> Vec<u32> {
        (0..n).map(|_| time.begin_tick()).collect()
    }

    #[test]
    fn slow_motion_simulates_fewer_ticks_and_fast_motion_more() {
        let mut time = TimeControl::default();
        assert_eq!(ticks(&mut time, 3), [1, 1, 1]);
        time.set_scale(0.25);
        assert_eq!(ticks(&mut time, 9), [1, 0, 0, 0, 1, 0, 0, 0, 1]);
        time.set_scale(4.0);
        assert_eq!(ticks(&mut time, 2), [4, 4]);
        time.set_scale(0.1);
        let n: u32 = ticks(&mut time, 1000).iter().sum();
        assert!((99..=101).contains(&n), "{n}");
        time.set_scale(0.0);
        assert_eq!(ticks(&mut time, 2), [0, 0]);
        time.set_scale(f64::NAN);
        time.set_scale(-3.0);
        assert_eq!(time.scale(), 0.0);
        time.set_scale(99.0);
        assert_eq!(time.scale(), TimeControl::MAX_SCALE);
    }

    #[test]
    fn pictures_in_slow_motion_move_evenly() {
        let mut time = TimeControl::default();
        let mut clock = Clock::new(1.0 / 60.0);
        time.set_scale(0.3);
        let mut shown = Vec::new();
        for _ in 0..200 {
            clock.n_ticks += u64::from(time.begin_tick());
            shown.push(clock.n_ticks as f64 - 1.0 + f64::from(time.between_ticks(1.0)));
        }
        for pair in shown.windows(2) {
            assert!((pair[1] - pair[0] - 0.3).abs() < 1e-4, "{pair:?}");
        }
    }

    #[test]
    fn a_pause_stops_the_stage_and_single_steps_continue_it() {
        let mut time = TimeControl::default();
        time.step(1);
        time.set_paused(true);
        assert_eq!(ticks(&mut time, 2), [0, 0], "a step needs a pause");
        time.step(2);
        assert_eq!(ticks(&mut time, 2), [2, 0]);
        time.step(1);
        time.set_paused(false);
        assert_eq!(ticks(&mut time, 1), [1]);
    }

    #[test]
    fn a_freeze_ends_by_itself_and_waits_during_a_pause() {
        let mut time = TimeControl::default();
        time.freeze(3);
        time.freeze(1);
        assert_eq!(ticks(&mut time, 1), [0]);
        time.set_paused(true);
        assert_eq!(ticks(&mut time, 5), [0; 5]);
        time.set_paused(false);
        assert_eq!(ticks(&mut time, 3), [0, 0, 1]);
    }

    #[test]
    fn a_new_script_begins_at_normal_speed() {
        let mut time = TimeControl::default();
        time.set_scale(0.5);
        time.set_paused(true);
        time.n_ticks = 7;
        let new = time.for_new_script();
        assert_eq!((new.n_ticks, new.scale(), new.is_paused()), (7, 1.0, false));
    }
}
