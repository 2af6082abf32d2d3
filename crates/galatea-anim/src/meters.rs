//! Meters of motion quality: feet that slide, poses that pop, bodies that drift from their placement.
//!
//! Callers: `character`, once per character and tick, with places in world space. Invariants: nothing
//! allocates after creation; a reading is the measure of the last tick, a peak the largest since the
//! last reset; call `reset` when the character is teleported.

use glam::Vec3;

/// When a foot counts as planted if no mark says so; lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlantRule {
    /// Height over the ground below which a foot may be planted.
    pub height: f32,
    /// Speed below which it may be planted, metres per second.
    pub speed: f32,
    /// Height and speed at which a planted foot has left are this many times larger.
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

/// One foot in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootNow {
    /// World space, metres.
    pub place: Vec3,
    /// Height of the ground under it.
    pub ground: f32,
    /// What the clip's contacts say; `None` goes by the rule.
    pub planted: Option<bool>,
}

#[derive(Clone, Copy, Debug, Default)]
struct FootMeter {
    before: Option<Vec3>,
    anchor: Option<Vec3>,
    slide: f32,
    /// Metres that it slid in the last tick.
    step: f32,
}

/// How far planted feet have moved over the ground since they were planted.
#[derive(Clone, Debug)]
pub struct FootSlide {
    rule: PlantRule,
    feet: Vec<FootMeter>,
    peak: f32,
}

impl FootSlide {
    /// For a number of feet.
    pub fn new(n_feet: usize, rule: PlantRule) -> Self {
        Self {
            rule,
            feet: vec![FootMeter::default(); n_feet],
            peak: 0.0,
        }
    }

    /// Takes in one tick of `dt` seconds and gives back the largest slide of a foot that is planted now,
    /// metres; 0 when none is.
    pub fn update(&mut self, now: &[FootNow], dt: f32) -> f32 {
        for (foot, now) in self.feet.iter_mut().zip(now) {
            if !now.place.is_finite() {
                *foot = FootMeter::default();
                continue;
            }
            let factor = if foot.anchor.is_some() {
                self.rule.leave
            } else {
                1.0
            };
            let by_rule = || {
                let low = now.place.y - now.ground < self.rule.height * factor;
                let moved = foot
                    .before
                    .map_or(f32::INFINITY, |before| before.distance(now.place));
                low && moved < self.rule.speed * factor * dt
            };
            foot.step = 0.0;
            if now.planted.unwrap_or_else(by_rule) {
                if let (Some(_), Some(before)) = (foot.anchor, foot.before) {
                    foot.step = (now.place - before).with_y(0.0).length();
                }
                let anchor = *foot.anchor.get_or_insert(now.place);
                foot.slide = (now.place - anchor).with_y(0.0).length();
            } else {
                foot.anchor = None;
                foot.slide = 0.0;
            }
            foot.before = Some(now.place);
        }
        let reading = self.reading();
        self.peak = self.peak.max(reading);
        reading
    }

    /// Largest slide of a foot that is planted, metres.
    pub fn reading(&self) -> f32 {
        self.feet.iter().map(|foot| foot.slide).fold(0.0, f32::max)
    }

    /// Largest way over the ground of a planted foot in the last tick, metres.
    pub fn step(&self) -> f32 {
        self.feet.iter().map(|foot| foot.step).fold(0.0, f32::max)
    }

    /// Whether a foot is planted.
    pub fn is_planted(&self, foot: usize) -> bool {
        self.feet
            .get(foot)
            .is_some_and(|foot| foot.anchor.is_some())
    }

    /// Largest reading since the last reset, metres.
    pub fn peak(&self) -> f32 {
        self.peak
    }

    /// Forgets the largest reading; feet that stand stand on.
    pub fn reset_peak(&mut self) {
        self.peak = 0.0;
    }

    /// Forgets where the feet were, after a jump of the character; the peak is kept.
    pub fn lift(&mut self) {
        self.feet.fill(FootMeter::default());
    }

    /// Forgets everything.
    pub fn reset(&mut self) {
        self.lift();
        self.peak = 0.0;
    }
}

/// The last places of one bone, newest first.
#[derive(Clone, Copy, Debug, Default)]
struct BoneTrail([Vec3; 3]);

/// How much harder bones are jolted than the motion's own.
///
/// The jolt of a bone is the change of its acceleration from one tick to the next, by differences of
/// its places. The reading is the largest jolt of any bone over the largest usual one, which fades with
/// a half-life while the motion goes on. A jump of `d` metres in one tick is a jolt of `d / dt²`.
#[derive(Clone, Debug)]
pub struct Pop {
    trails: Vec<BoneTrail>,
    n_seen: u32,
    usual: f32,
    reading: f32,
    peak: f32,
    worst: usize,
}

impl Pop {
    /// Jolts smaller than this are not told from noise: what a motion of no jolt is compared with, metres
    /// per second squared.
    pub const FLOOR: f32 = 8.0;
    /// Seconds in which the usual jolt fades to its half.
    pub const HALF_LIFE: f32 = 2.0;

    /// For a number of bones.
    pub fn new(n_bones: usize) -> Self {
        Self {
            trails: vec![BoneTrail::default(); n_bones],
            n_seen: 0,
            usual: 0.0,
            reading: 0.0,
            peak: 0.0,
            worst: 0,
        }
    }

    /// Takes in one tick of `dt` seconds; `steady` says that this tick's motion is the clip's own (no
    /// transition runs) and counts as usual. Gives back the reading: 1 is as jolty as the clip itself.
    pub fn update(&mut self, places: impl Iterator<Item = Vec3>, dt: f32, steady: bool) -> f32 {
        let Some((jolt, bone)) = self.jolt(places, dt) else {
            return 0.0;
        };
        self.read(jolt, bone);
        self.usual *= (-dt / Self::HALF_LIFE).exp2();
        if steady {
            self.usual = self.usual.max(jolt);
        }
        self.reading
    }

    /// The same against a usual jolt that is known: `own`, metres per second squared, the largest that
    /// what plays has by itself.
    pub fn update_against(&mut self, places: impl Iterator<Item = Vec3>, dt: f32, own: f32) -> f32 {
        let Some((jolt, bone)) = self.jolt(places, dt) else {
            return 0.0;
        };
        self.usual = own;
        self.read(jolt, bone);
        self.reading
    }

    /// The largest jolt of this tick, metres per second squared, and its bone; `None` before there are
    /// enough ticks.
    fn jolt(&mut self, places: impl Iterator<Item = Vec3>, dt: f32) -> Option<(f32, usize)> {
        let (mut jolt, mut bone) = (0.0_f32, 0);
        let seen = self.n_seen;
        for (i, (trail, place)) in self.trails.iter_mut().zip(places).enumerate() {
            let [a, b, c] = trail.0;
            // Third difference: the change of acceleration times dt².
            let third = (place - 3.0 * a + 3.0 * b - c).length();
            if seen >= 3 && third > jolt {
                (jolt, bone) = (third, i);
            }
            trail.0 = [place, a, b];
        }
        self.n_seen = (seen + 1).min(3);
        if seen < 3 || dt.is_nan() || dt <= 0.0 || !jolt.is_finite() {
            self.reading = 0.0;
            return None;
        }
        Some((jolt / (dt * dt), bone))
    }

    fn read(&mut self, jolt: f32, bone: usize) {
        self.reading = jolt / self.usual.max(Self::FLOOR);
        if self.reading > self.peak {
            self.peak = self.reading;
            self.worst = bone;
        }
    }

    /// The bone of the largest reading since the last reset.
    pub fn worst(&self) -> usize {
        self.worst
    }

    /// Forgets the largest reading; what went before still counts for the ticks to come.
    pub fn reset_peak(&mut self) {
        self.peak = 0.0;
        self.worst = 0;
    }

    /// The last tick's largest jolt over the usual one.
    pub fn reading(&self) -> f32 {
        self.reading
    }

    /// Largest reading since the last reset.
    pub fn peak(&self) -> f32 {
        self.peak
    }

    /// The usual largest jolt, metres per second squared per tick.
    pub fn usual(&self) -> f32 {
        self.usual
    }

    /// Forgets the trails and the peak; what is usual for the motion is kept.
    pub fn reset(&mut self) {
        self.n_seen = 0;
        self.reading = 0.0;
        self.reset_peak();
    }
}

/// How far the body is from where the character is said to be, over what the clip itself has them apart.
#[derive(Clone, Copy, Debug, Default)]
pub struct RootDrift {
    reading: f32,
    peak: f32,
}

impl RootDrift {
    /// `hips` and `placement` in world space; `own` is the offset from placement to hips that the clip
    /// has by itself at this time, turned into world space. Gives back the drift over the ground, metres.
    pub fn update(&mut self, hips: Vec3, placement: Vec3, own: Vec3) -> f32 {
        let drift = (hips - placement - own).with_y(0.0).length();
        self.reading = if drift.is_finite() { drift } else { 0.0 };
        self.peak = self.peak.max(self.reading);
        self.reading
    }

    /// The last tick's drift, metres.
    pub fn reading(&self) -> f32 {
        self.reading
    }

    /// Largest drift since the last reset, metres.
    pub fn peak(&self) -> f32 {
        self.peak
    }

    /// Forgets everything.
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
            place: Vec3::new(x, y, 0.0),
            ground: 0.0,
            planted,
        }]
    }

    #[test]
    fn a_planted_foot_that_creeps_reads_its_way_since_planting() {
        let mut meter = FootSlide::new(1, PlantRule::default());
        for i in 0..=20 {
            // 6 cm/s; rising does not count.
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
    fn the_rule_plants_low_slow_feet_and_holds_them_until_they_leave() {
        let mut meter = FootSlide::new(1, PlantRule::default());
        let mut x = 0.0;
        let mut go = |meter: &mut FootSlide, speed: f32, y: f32| {
            x += speed * DT;
            meter.update(&foot(x, y, None), DT)
        };
        go(&mut meter, 0.0, 0.08);
        assert!(!meter.is_planted(0), "the first tick has no speed");
        go(&mut meter, 0.2, 0.08);
        assert!(meter.is_planted(0));
        let reading = go(&mut meter, 0.5, 0.08);
        assert!(
            (reading - 0.5 * DT).abs() < 1e-6,
            "within the margin of leaving"
        );
        go(&mut meter, 0.7, 0.08);
        assert!(!meter.is_planted(0));
        go(&mut meter, 0.1, 0.3);
        assert!(!meter.is_planted(0), "too high");
    }

    #[test]
    fn a_jump_reads_its_size_over_the_motions_own_jolt() {
        // A sin(ωt) has third differences of A (2 sin(ωdt/2))³ at most.
        let (a, omega) = (0.3, 8.0_f32);
        let own = a * (2.0 * (0.5 * omega * DT).sin()).powi(3) / (DT * DT);
        assert!(own < Pop::FLOOR);
        let mut meter = Pop::new(2);
        let place = |i: i32, jump: f32| {
            let x = a * (omega * i as f32 * DT).sin() + jump;
            [Vec3::ZERO, Vec3::X * x].into_iter()
        };
        for i in 0..240 {
            assert!(meter.update(place(i, 0.0), DT, true) <= 1.01, "{i}");
        }
        assert!(
            (meter.usual() - own).abs() < 0.05 * own,
            "{} {own}",
            meter.usual()
        );
        let jump = 0.02;
        let reading = meter.update(place(240, jump), DT, false);
        let want = jump / (DT * DT) / Pop::FLOOR;
        assert!((reading - want).abs() < 0.12 * want, "{reading} {want}");
    }

    #[test]
    fn a_lively_motion_forgives_more_than_a_quiet_one() {
        let reading = |omega: f32| {
            let mut meter = Pop::new(1);
            let place = |i: i32, jump: f32| {
                std::iter::once(Vec3::X * (0.3 * (omega * i as f32 * DT).sin() + jump))
            };
            (0..120).for_each(|i| {
                meter.update(place(i, 0.0), DT, true);
            });
            meter.update(place(120, 0.03), DT, false)
        };
        assert!(reading(30.0) < 0.5 * reading(5.0));
    }

    #[test]
    fn after_a_reset_a_teleport_is_no_pop() {
        let mut meter = Pop::new(1);
        for i in 0..60 {
            meter.update(std::iter::once(Vec3::Z * i as f32 * 0.02), DT, true);
        }
        meter.reset();
        for i in 0..10 {
            let place = Vec3::new(50.0, 0.0, 0.02 * i as f32);
            assert!(meter.update(std::iter::once(place), DT, false) < 1e-2);
        }
    }

    #[test]
    fn drift_is_what_the_clip_does_not_explain() {
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
