//! Poses at key times, and smooth interpolation between them.

use super::curve::{KeyEase, MonotoneCurve};
use super::pose::{FigurePose, FigureSide, HANGS_ON, N, of_side, trunk};

/// Body parts that may lag behind: name, and channels as group and name.
const PARTS: [(&str, &[(&str, &str)]); 10] = [
    ("hips", &[("", "hips")]),
    ("pelvis", &[("", "pelvis")]),
    ("chest", &[("", "chest"), ("", "breath")]),
    ("head", &[("", "head")]),
    ("eyes", &[("", "eyes")]),
    ("shoulders", &[("arm", "lift"), ("arm", "reach")]),
    (
        "arms",
        &[
            ("arm", "swing"),
            ("arm", "out"),
            ("arm", "twist"),
            ("hand", "at"),
            ("hand", "hold"),
        ],
    ),
    ("forearms", &[("arm", "elbow"), ("arm", "roll")]),
    (
        "hands",
        &[
            ("arm", "wrist"),
            ("arm", "tilt"),
            ("hand", "palm"),
            ("hand", "fingers"),
        ],
    ),
    (
        "fingers",
        &[
            ("hand", "curl"),
            ("hand", "index"),
            ("hand", "middle"),
            ("hand", "ring"),
            ("hand", "little"),
            ("hand", "thumb"),
            ("hand", "oppose"),
            ("hand", "spread"),
            ("hand", "cup"),
        ],
    ),
];

/// Names of parts for `late` of [`PoseKeys::new`].
pub fn parts() -> impl Iterator<Item = &'static str> {
    PARTS.iter().map(|part| part.0)
}

/// Poses at key times.
#[derive(Clone, Debug)]
pub struct PoseKeys {
    curves: Vec<(usize, MonotoneCurve)>,
    /// Delay of each number, seconds.
    late: Vec<f32>,
    on: [u8; 2],
    from: f32,
    to: f32,
    lap: Option<f32>,
}

impl PoseKeys {
    /// Interpolates poses, in order of time. Each number uses only the poses that set it. `late` holds parts with their
    /// delays in seconds; `lap` is the period of a looping motion.
    ///
    /// # Errors
    /// If a hand changes the bone that it is attached to.
    pub fn new(
        rows: &[(f32, FigurePose, KeyEase)],
        late: &[(String, f32)],
        lap: Option<f32>,
    ) -> Result<Self, String> {
        let mut on = [0; 2];
        for (_, pose, _) in rows {
            for (k, own) in on.iter_mut().enumerate() {
                match (*own, pose.on[k]) {
                    (_, 0) => {}
                    (0, new) => *own = new,
                    (old, new) if old == new => {}
                    (old, new) => {
                        return Err(format!(
                            "the {} hand is attached to {:?} in one pose and to {:?} in another",
                            FigureSide::BOTH[k].word(),
                            HANGS_ON[usize::from(old)],
                            HANGS_ON[usize::from(new)]
                        ));
                    }
                }
            }
        }
        let curve = |slot: usize| {
            let said = rows.iter().filter(|row| row.1.says(slot));
            let points: Vec<(f32, f32, KeyEase)> = said
                .map(|(t, pose, ease)| (*t, pose.get(slot), *ease))
                .collect();
            (!points.is_empty()).then(|| (slot, MonotoneCurve::new(&points, lap)))
        };
        let mut seconds = vec![0.0; N];
        let both = FigureSide::BOTH.into_iter().flat_map(of_side);
        for channel in trunk().chain(both) {
            let word = (channel.group, channel.name);
            let part = PARTS.iter().find(|part| part.1.contains(&word));
            let own = part.and_then(|part| late.iter().find(|(name, _)| name == part.0));
            for slot in channel.slots() {
                seconds[slot] = own.map_or(0.0, |own| own.1);
            }
        }
        Ok(Self {
            curves: (0..N).filter_map(curve).collect(),
            late: seconds,
            on,
            from: rows.first().map_or(0.0, |row| row.0),
            to: rows.last().map_or(0.0, |row| row.0),
            lap,
        })
    }

    /// Pose at a time.
    pub fn at(&self, t: f32) -> FigurePose {
        let mut pose = FigurePose::default();
        pose.on = self.on;
        for (slot, curve) in &self.curves {
            pose.set(*slot, curve.at(t - self.lag(*slot, t)));
        }
        pose
    }

    /// Delay at a time; it fades to zero at both ends of the motion.
    fn lag(&self, slot: usize, t: f32) -> f32 {
        let late = self.late[slot];
        if late == 0.0 || self.lap.is_some() {
            return late;
        }
        let taper = (2.5 * late.abs())
            .min((self.to - self.from) / 2.0)
            .max(1e-4);
        let end = ((t - self.from) / taper)
            .min((self.to - t) / taper)
            .clamp(0.0, 1.0);
        late * end * end * (3.0 - 2.0 * end)
    }
}
