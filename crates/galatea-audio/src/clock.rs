//! Maps stage times to frames of the sound device.

/// Maps stage frames to device frames. The offset is normally constant from cue to cue, so that cues which are one sample
/// apart on the stage are one sample apart in the output.
///
/// The device requests audio in bursts and runs on its own quartz; the stage runs on another clock. The *lead* is the number
/// of frames by which a cue placed now is ahead of the device. It is averaged over about a second. When it is far from the
/// latency, the offset is adjusted by one frame per tick: much more than quartz drift, and much less than is audible. When
/// the lead leaves its bounds (because the stage was paused or jumped), the offset is reset.
#[derive(Debug)]
pub(super) struct StageClock {
    latency: i64,
    offset: Option<i64>,
    average_lead: f64,
}

/// Weight of a new lead in the average: about a second at 60 ticks.
const SMOOTHING: f64 = 0.02;
/// Range of average leads that are not corrected, in latencies. It is wide because the position of the first cue within a
/// burst is random; correcting that would only distort the spacing of cues.
const TOLERATED_LEADS: std::ops::RangeInclusive<f64> = 0.5..=2.0;
/// Range of average leads that gradual correction can handle, in latencies. Drift never leaves this range. A sound card that
/// first fills a long buffer and then pauses does.
const CORRECTABLE_LEADS: std::ops::RangeInclusive<f64> = 0.25..=2.25;
/// Maximum lead, in latencies; a larger or negative lead resets the offset immediately.
const MAX_LEAD: i64 = 5;

impl StageClock {
    /// Creates a clock. `latency`: frames between the arrival of a cue and its output.
    pub(super) fn new(latency: i64) -> Self {
        Self {
            latency,
            offset: None,
            average_lead: 0.0,
        }
    }

    /// Updates the clock; call it every tick with the frames of stage and device. Returns the offset from stage to device
    /// frames if it changed.
    pub(super) fn sync(&mut self, stage: i64, device: i64) -> Option<i64> {
        let before = self.offset;
        let offset = self
            .corrected(stage, device)
            .unwrap_or(device + self.latency - stage);
        let is_reset = |before: i64| (before - offset).abs() > 1;
        if before.is_none_or(is_reset) {
            self.average_lead = self.latency as f64;
        }
        self.offset = Some(offset);
        (before != self.offset).then_some(offset)
    }

    /// Returns the offset, corrected by at most one frame; `None` to reset it.
    fn corrected(&mut self, stage: i64, device: i64) -> Option<i64> {
        let offset = self.offset?;
        let lead = stage + offset - device;
        self.average_lead += (lead as f64 - self.average_lead) * SMOOTHING;
        let latency = self.latency as f64;
        let average = self.average_lead / latency;
        if !(0..=self.latency * MAX_LEAD).contains(&lead) || !CORRECTABLE_LEADS.contains(&average) {
            return None;
        }
        if TOLERATED_LEADS.contains(&average) {
            return Some(offset);
        }
        // The average is adjusted with the offset, so that the correction does not react to itself.
        let off = (self.average_lead - latency).signum();
        self.average_lead -= off;
        Some(offset - off as i64)
    }

    /// Returns the leads of a cue placed now, in frames: the average, and the lead for the given stage and device frame.
    pub(super) fn leads(&self, stage: i64, device: i64) -> [f64; 2] {
        let now = self.offset.map_or(0, |offset| stage + offset - device);
        [self.average_lead, now as f64]
    }

    /// Returns the frame at which a device without jitter would be, for a stage frame.
    pub(super) fn expected(&self, stage: i64) -> i64 {
        self.offset.unwrap_or(0) + stage - self.latency
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates ticks at 60 Hz against a device that requests bursts of `burst` frames at `rate`. Returns the smallest lead
    /// after the start and the largest change of the offset in one tick.
    fn run(seconds: u32, rate: f64, burst: i64) -> (i64, i64) {
        let mut clock = StageClock::new(2880);
        let (mut min_lead, mut jump) = (i64::MAX, 0);
        let mut offset: i64 = 0;
        for tick in 0..i64::from(seconds * 60) {
            let stage = tick * 800;
            let device = (tick as f64 / 60.0 * rate) as i64 / burst * burst + burst;
            if let Some(new) = clock.sync(stage, device) {
                if tick > 0 {
                    jump = jump.max((new - offset).abs());
                }
                offset = new;
            }
            min_lead = min_lead.min(stage + offset - device);
        }
        (min_lead, jump)
    }

    #[test]
    fn the_offset_is_constant_when_the_clocks_agree() {
        assert_eq!(run(60, 48_000.0, 480), (2880, 0));
        assert_eq!(run(60, 48_000.0, 2048).1, 0);
    }

    #[test]
    fn a_drifting_device_is_followed_frame_by_frame_and_no_cue_is_late() {
        for rate in [47_990.0, 48_010.0] {
            let (min_lead, jump) = run(1200, rate, 2048);
            assert!(min_lead > 240, "lead {min_lead} at {rate}");
            assert_eq!(jump, 1, "at {rate}");
        }
    }

    #[test]
    fn a_card_that_first_fills_a_long_buffer_is_followed_within_two_seconds() {
        let mut clock = StageClock::new(2880);
        let mut offset = 0;
        for tick in 0..600 {
            let stage = tick * 800;
            let device = (stage / 2048 * 2048 + 16_384).max(22_528) * tick.min(1);
            if let Some(new) = clock.sync(stage, device) {
                assert!(tick < 120, "tick {tick}");
                offset = new;
            }
            assert!(tick < 120 || (0..=2 * 2880).contains(&(stage + offset - device)));
        }
    }

    #[test]
    fn a_pause_or_a_jump_back_resets_the_offset() {
        let mut clock = StageClock::new(2880);
        assert_eq!(clock.sync(0, 1000), Some(3880));
        assert_eq!(clock.sync(800, 1800), None);
        assert_eq!(clock.sync(800, 101_800), Some(103_880));
        assert_eq!(clock.sync(-9600, 101_800), Some(114_280));
    }
}
