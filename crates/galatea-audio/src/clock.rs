//! Which frame of the device a stage time falls on.

/// Maps stage frames to device frames by an offset that is constant from cue to cue, so that what
/// is one sample apart on the stage is one sample apart in the air.
///
/// A device asks for sound in bursts and by a quartz of its own; the stage ticks by another. The
/// *lead*, by how many frames a cue placed now is ahead of the device, is averaged over about a
/// second and, when far from the latency, steered by one frame per tick: far more than quartzes
/// differ, far less than is heard. When it leaves its bounds (the stage was paused, or jumped) it is set
/// anew.
#[derive(Debug)]
pub(super) struct StageClock {
    latency: i64,
    offset: Option<i64>,
    average_lead: f64,
}

/// Share of a new lead in the average: about a second at 60 ticks.
const SMOOTHING: f64 = 0.02;
/// Average leads that are left alone, in latencies. Wide, because where in a burst the first cue
/// falls is chance, and steering that away would bend the spacing of cues for nothing.
const LEFT_ALONE: std::ops::RangeInclusive<f64> = 0.5..=2.0;
/// Average leads, in latencies, that steering can mend. Drift never gets out of them; a card that
/// fills a long buffer when it starts, and then pauses, does.
const MENDED: std::ops::RangeInclusive<f64> = 0.25..=2.25;
/// Set anew at once when the lead exceeds this many latencies, or is negative.
const MAX_LEAD: i64 = 5;

impl StageClock {
    /// `latency`: frames between a cue's arrival and its sound.
    pub(super) fn new(latency: i64) -> Self {
        Self {
            latency,
            offset: None,
            average_lead: 0.0,
        }
    }

    /// Called every tick with the stage's and the device's frame; gives the offset from stage to
    /// device frames when it changed.
    pub(super) fn sync(&mut self, stage: i64, device: i64) -> Option<i64> {
        let before = self.offset;
        let offset = self
            .steered(stage, device)
            .unwrap_or(device + self.latency - stage);
        let anew = |before: i64| (before - offset).abs() > 1;
        if before.is_none_or(anew) {
            self.average_lead = self.latency as f64;
        }
        self.offset = Some(offset);
        (before != self.offset).then_some(offset)
    }

    /// The offset as it was or one frame from it; `None` to set it anew.
    fn steered(&mut self, stage: i64, device: i64) -> Option<i64> {
        let offset = self.offset?;
        let lead = stage + offset - device;
        self.average_lead += (lead as f64 - self.average_lead) * SMOOTHING;
        let latency = self.latency as f64;
        let average = self.average_lead / latency;
        if !(0..=self.latency * MAX_LEAD).contains(&lead) || !MENDED.contains(&average) {
            return None;
        }
        if LEFT_ALONE.contains(&average) {
            return Some(offset);
        }
        // The average moves with the offset: the steering must not chase itself.
        let off = (self.average_lead - latency).signum();
        self.average_lead -= off;
        Some(offset - off as i64)
    }

    /// Frames by which a cue placed now is ahead of the device: on average, and for a stage frame and a device frame.
    pub(super) fn leads(&self, stage: i64, device: i64) -> [f64; 2] {
        let now = self.offset.map_or(0, |offset| stage + offset - device);
        [self.average_lead, now as f64]
    }

    /// Where a device without jitter would be at a stage frame.
    pub(super) fn expected(&self, stage: i64) -> i64 {
        self.offset.unwrap_or(0) + stage - self.latency
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ticks at 60 Hz against a device that takes bursts of `burst` frames at `rate`; gives the
    /// smallest lead after the start and the largest change of the offset in one tick.
    fn run(seconds: u32, rate: f64, burst: i64) -> (i64, i64) {
        let mut clock = StageClock::new(2880);
        let (mut least, mut jump) = (i64::MAX, 0);
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
            least = least.min(stage + offset - device);
        }
        (least, jump)
    }

    #[test]
    fn the_offset_stays_put_when_the_clocks_agree() {
        assert_eq!(run(60, 48_000.0, 480), (2880, 0));
        assert_eq!(run(60, 48_000.0, 2048).1, 0);
    }

    #[test]
    fn a_drifting_device_is_followed_frame_by_frame_and_no_cue_is_late() {
        for rate in [47_990.0, 48_010.0] {
            let (least, jump) = run(1200, rate, 2048);
            assert!(least > 240, "lead {least} at {rate}");
            assert_eq!(jump, 1, "at {rate}");
        }
    }

    #[test]
    fn a_card_that_fills_a_long_buffer_first_is_soon_followed_closely() {
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
    fn a_pause_or_a_jump_back_sets_the_offset_anew() {
        let mut clock = StageClock::new(2880);
        assert_eq!(clock.sync(0, 1000), Some(3880));
        assert_eq!(clock.sync(800, 1800), None);
        assert_eq!(clock.sync(800, 101_800), Some(103_880));
        assert_eq!(clock.sync(-9600, 101_800), Some(114_280));
    }
}
