//! Meters of motion quality: foot sliding, pops in the pose, and drift of the body from its placement.
//!
//! `character` uses them once per tick, with positions in world space. Invariants: nothing allocates after creation.
//! A reading is the measure of the last tick; a peak is the largest reading since the last reset. Call `reset` when
//! the character is teleported.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// Thresholds for planted feet without contact marks; lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlantRule {
    /// Maximum height above the ground of a planted foot.
    pub height: f32,
    /// Maximum speed of a planted foot, metres per second.
    pub speed: f32,
    /// Factor on height and speed at which a planted foot has left the ground.
    pub leave: f32,
}

impl Default for PlantRule {
    /// For a person: an ankle at most 12 cm high, slower than 0.3 m/s.
    fn default() -> Self {
        Self {
            height: 0.12,
            speed: 0.3,
            leave: 2.0,
        }
    }
}

/// State of one foot in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FootNow {
    /// World position, metres.
    pub position: Vec3,
    /// Height of the ground below the foot, metres.
    pub ground: f32,
    /// Contact from the clip; `None` uses the rule.
    pub planted: Option<bool>,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct FootMetric {
    before: Option<Vec3>,
    anchor: Option<Vec3>,
    slide: f32,
    /// Slide in the last tick, metres.
    step: f32,
}

/// Horizontal slide of planted feet since they were planted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FootSlide {
    rule: PlantRule,
    feet: Vec<FootMetric>,
    peak: f32,
}

impl FootSlide {
    /// Creates a meter for a number of feet.
    pub fn new(n_feet: usize, rule: PlantRule) -> Self {
        Self {
            rule,
            feet: vec![FootMetric::default(); n_feet],
            peak: 0.0,
        }
    }

    /// Updates with one tick of `dt` seconds. Returns the largest slide of a foot that is planted now, metres; 0 if
    /// none is.
    pub fn update(&mut self, now: &[FootNow], dt: f32) -> f32 {
        for (foot, now) in self.feet.iter_mut().zip(now) {
            if !now.position.is_finite() {
                *foot = FootMetric::default();
                continue;
            }
            let factor = if foot.anchor.is_some() {
                self.rule.leave
            } else {
                1.0
            };
            let by_rule = || {
                let low = now.position.y - now.ground < self.rule.height * factor;
                let moved = foot
                    .before
                    .map_or(f32::INFINITY, |before| before.distance(now.position));
                low && moved < self.rule.speed * factor * dt
            };
            foot.step = 0.0;
            if now.planted.unwrap_or_else(by_rule) {
                if let (Some(_), Some(before)) = (foot.anchor, foot.before) {
                    foot.step = (now.position - before).with_y(0.0).length();
                }
                let anchor = *foot.anchor.get_or_insert(now.position);
                foot.slide = (now.position - anchor).with_y(0.0).length();
            } else {
                foot.anchor = None;
                foot.slide = 0.0;
            }
            foot.before = Some(now.position);
        }
        let reading = self.reading();
        self.peak = self.peak.max(reading);
        reading
    }

    /// Largest slide of a planted foot, metres.
    pub fn reading(&self) -> f32 {
        self.feet.iter().map(|foot| foot.slide).fold(0.0, f32::max)
    }

    /// Largest horizontal movement of a planted foot in the last tick, metres.
    pub fn step(&self) -> f32 {
        self.feet.iter().map(|foot| foot.step).fold(0.0, f32::max)
    }

    /// Returns true if a foot is planted.
    pub fn is_planted(&self, foot: usize) -> bool {
        self.feet
            .get(foot)
            .is_some_and(|foot| foot.anchor.is_some())
    }

    /// Largest reading since the last reset, metres.
    pub fn peak(&self) -> f32 {
        self.peak
    }

    /// Resets the peak; planted feet stay planted.
    pub fn reset_peak(&mut self) {
        self.peak = 0.0;
    }

    /// Forgets the foot positions, after a teleport; the peak stays.
    pub fn lift(&mut self) {
        self.feet.fill(FootMetric::default());
    }

    /// Resets all state.
    pub fn reset(&mut self) {
        self.lift();
        self.peak = 0.0;
    }
}

/// Last positions of one bone, newest first.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct BonePositionHistory([Vec3; 3]);

/// Jerk of the bones compared with that of the motion itself.
///
/// The jerk of a bone is the change of its acceleration between two ticks, from differences of its positions. The
/// reading is the largest jerk of any bone divided by the usual largest jerk. The usual value decays with a half-life
/// while the motion continues. A jump of `d` metres in one tick is a jerk of `d / dt²`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pop {
    histories: Vec<BonePositionHistory>,
    n_seen: u32,
    usual: f32,
    reading: f32,
    peak: f32,
    worst: usize,
}

impl Pop {
    /// Lower limit of the usual jerk, metres per second squared per tick. Smaller values are noise; they also serve
    /// for a motion without jerk.
    pub const FLOOR: f32 = 8.0;
    /// Half-life of the usual jerk, seconds.
    pub const HALF_LIFE: f32 = 2.0;

    /// Creates a meter for a number of bones.
    pub fn new(n_bones: usize) -> Self {
        Self {
            histories: vec![BonePositionHistory::default(); n_bones],
            n_seen: 0,
            usual: 0.0,
            reading: 0.0,
            peak: 0.0,
            worst: 0,
        }
    }

    /// Updates with one tick of `dt` seconds. `steady` means that no transition runs: then the motion is the clip's
    /// own and updates the usual jerk. Returns the reading; 1 is as jerky as the clip itself.
    pub fn update(&mut self, positions: impl Iterator<Item = Vec3>, dt: f32, steady: bool) -> f32 {
        let Some((jerk, bone)) = self.jerk(positions, dt) else {
            return 0.0;
        };
        self.read(jerk, bone);
        self.usual *= (-dt / Self::HALF_LIFE).exp2();
        if steady {
            self.usual = self.usual.max(jerk);
        }
        self.reading
    }

    /// Updates against a known usual jerk: `own` is the largest jerk of the playing clips themselves, metres per
    /// second squared per tick.
    pub fn update_against(
        &mut self,
        positions: impl Iterator<Item = Vec3>,
        dt: f32,
        own: f32,
    ) -> f32 {
        let Some((jerk, bone)) = self.jerk(positions, dt) else {
            return 0.0;
        };
        self.usual = own;
        self.read(jerk, bone);
        self.reading
    }

    /// Largest jerk of this tick, metres per second squared per tick, with its bone; `None` until there are enough
    /// ticks.
    fn jerk(&mut self, positions: impl Iterator<Item = Vec3>, dt: f32) -> Option<(f32, usize)> {
        let (mut jerk, mut bone) = (0.0_f32, 0);
        let seen = self.n_seen;
        for (i, (trail, position)) in self.histories.iter_mut().zip(positions).enumerate() {
            let [a, b, c] = trail.0;
            // Third difference: the change of acceleration times dt².
            let third = (position - 3.0 * a + 3.0 * b - c).length();
            if seen >= 3 && third > jerk {
                (jerk, bone) = (third, i);
            }
            trail.0 = [position, a, b];
        }
        self.n_seen = (seen + 1).min(3);
        if seen < 3 || dt.is_nan() || dt <= 0.0 || !jerk.is_finite() {
            self.reading = 0.0;
            return None;
        }
        Some((jerk / (dt * dt), bone))
    }

    fn read(&mut self, jerk: f32, bone: usize) {
        self.reading = jerk / self.usual.max(Self::FLOOR);
        if self.reading > self.peak {
            self.peak = self.reading;
            self.worst = bone;
        }
    }

    /// Bone with the largest reading since the last reset.
    pub fn worst(&self) -> usize {
        self.worst
    }

    /// Resets the peak; earlier positions stay in use for the next ticks.
    pub fn reset_peak(&mut self) {
        self.peak = 0.0;
        self.worst = 0;
    }

    /// Largest jerk of the last tick divided by the usual one.
    pub fn reading(&self) -> f32 {
        self.reading
    }

    /// Largest reading since the last reset.
    pub fn peak(&self) -> f32 {
        self.peak
    }

    /// Usual largest jerk, metres per second squared per tick.
    pub fn usual(&self) -> f32 {
        self.usual
    }

    /// Resets positions and peak; the usual jerk stays.
    pub fn reset(&mut self) {
        self.n_seen = 0;
        self.reading = 0.0;
        self.reset_peak();
    }
}

/// Horizontal distance of the body from the character's placement, minus the offset in the clip.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct RootDrift {
    reading: f32,
    peak: f32,
}

impl RootDrift {
    /// Updates with one tick; `hips` and `placement` are in world space. `own` is the offset from placement to hips in the
    /// clip at this time, rotated to world space. Returns the horizontal drift, metres.
    pub fn update(&mut self, hips: Vec3, placement: Vec3, own: Vec3) -> f32 {
        let drift = (hips - placement - own).with_y(0.0).length();
        self.reading = if drift.is_finite() { drift } else { 0.0 };
        self.peak = self.peak.max(self.reading);
        self.reading
    }

    /// Drift in the last tick, metres.
    pub fn reading(&self) -> f32 {
        self.reading
    }

    /// Largest drift since the last reset, metres.
    pub fn peak(&self) -> f32 {
        self.peak
    }

    /// Resets all state.
    pub fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DT: f32 = 1.0 / 60.0;

    fn foot(x: f32, y: f32, planted: Option<bool>) -> [FootNow; 1] {
        [FootNow {
            position: Vec3::new(x, y, 0.0),
            ground: 0.0,
            planted,
        }]
    }

    #[test]
    fn sliding_foot_reads_its_distance_since_planting() {
        let mut meter = FootSlide::new(1, PlantRule::default());
        for i in 0..=20 {
            // 6 cm/s; the vertical movement does not count.
            let x = 0.001 * i as f32;
            let reading = meter.update(&foot(x, x, Some(true)), DT);
            assert!((reading - x).abs() < 1e-6);
        }
        assert_eq!(meter.update(&foot(0.5, 0.2, Some(false)), DT), 0.0);
        assert_eq!(meter.update(&foot(0.9, 0.0, Some(true)), DT), 0.0);
        assert!((meter.peak() - 0.02).abs() < 1e-6);
        meter.reset();
        assert_eq!(meter.peak(), 0.0);
        assert_eq!(meter.update(&foot(70.0, 0.0, Some(true)), DT), 0.0);
    }

    #[test]
    fn rule_plants_low_slow_feet_until_they_leave() {
        let mut meter = FootSlide::new(1, PlantRule::default());
        let mut x = 0.0;
        let mut go = |meter: &mut FootSlide, speed: f32, y: f32| {
            x += speed * DT;
            meter.update(&foot(x, y, None), DT)
        };
        go(&mut meter, 0.0, 0.08);
        assert!(!meter.is_planted(0), "the first tick has no velocity");
        go(&mut meter, 0.2, 0.08);
        assert!(meter.is_planted(0));
        let reading = go(&mut meter, 0.5, 0.08);
        assert!((reading - 0.5 * DT).abs() < 1e-6, "within the leave factor");
        go(&mut meter, 0.7, 0.08);
        assert!(!meter.is_planted(0));
        go(&mut meter, 0.1, 0.3);
        assert!(!meter.is_planted(0), "too high");
    }

    #[test]
    fn jump_reads_its_size_relative_to_the_usual_jerk() {
        // A sin(ωt) has third differences of A (2 sin(ωdt/2))³ at most.
        let (a, omega) = (0.3, 8.0_f32);
        let own = a * (2.0 * (0.5 * omega * DT).sin()).powi(3) / (DT * DT);
        assert!(own < Pop::FLOOR);
        let mut meter = Pop::new(2);
        let position = |i: i32, jump: f32| {
            let x = a * (omega * i as f32 * DT).sin() + jump;
            [Vec3::ZERO, Vec3::X * x].into_iter()
        };
        for i in 0..240 {
            assert!(meter.update(position(i, 0.0), DT, true) <= 1.01, "{i}");
        }
        assert!(
            (meter.usual() - own).abs() < 0.05 * own,
            "{} {own}",
            meter.usual()
        );
        let jump = 0.02;
        let reading = meter.update(position(240, jump), DT, false);
        let expected = jump / (DT * DT) / Pop::FLOOR;
        assert!(
            (reading - expected).abs() < 0.12 * expected,
            "{reading} {expected}"
        );
    }

    #[test]
    fn lively_motion_tolerates_more_than_a_quiet_one() {
        let reading = |omega: f32| {
            let mut meter = Pop::new(1);
            let position = |i: i32, jump: f32| {
                std::iter::once(Vec3::X * (0.3 * (omega * i as f32 * DT).sin() + jump))
            };
            (0..120).for_each(|i| {
                meter.update(position(i, 0.0), DT, true);
            });
            meter.update(position(120, 0.03), DT, false)
        };
        assert!(reading(30.0) < 0.5 * reading(5.0));
    }

    #[test]
    fn teleport_after_a_reset_is_no_pop() {
        let mut meter = Pop::new(1);
        for i in 0..60 {
            meter.update(std::iter::once(Vec3::Z * i as f32 * 0.02), DT, true);
        }
        meter.reset();
        for i in 0..10 {
            let position = Vec3::new(50.0, 0.0, 0.02 * i as f32);
            assert!(meter.update(std::iter::once(position), DT, false) < 1e-2);
        }
    }

    #[test]
    fn drift_excludes_the_offset_in_the_clip() {
        let mut meter = RootDrift::default();
        let own = Vec3::new(0.02, 0.9, 0.1);
        let placement = Vec3::new(5.0, 0.0, -2.0);
        assert!(meter.update(placement + own, placement, own) < 1e-6);
        let drift = meter.update(placement + own + Vec3::new(0.03, 0.5, 0.04), placement, own);
        assert!((drift - 0.05).abs() < 1e-6);
        assert_eq!(meter.peak(), meter.reading());
        assert_eq!(meter.update(Vec3::NAN, placement, own), 0.0);
    }
}
