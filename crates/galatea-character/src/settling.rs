//! What a save of the script changes in a pose dies away instead of jumping.

use galatea_anim::inertia::PoseChange;
use galatea_anim::{Inertia, Pose};

/// The difference of two poses, dying away.
#[derive(Clone, Debug)]
pub(super) struct Settling {
    inertia: Inertia,
    /// Seconds since it began.
    age: f64,
    /// What it is to begin with, until the pose that it gives way to is known.
    from: Option<Box<ShownPoses>>,
}

/// A pose that was shown, and the one shown a tick of `dt` seconds before.
#[derive(Clone, Debug)]
struct ShownPoses {
    before: Pose,
    before_that: Pose,
    dt: f32,
    seconds: f32,
}

impl Settling {
    /// Lays what is left over a pose.
    pub fn apply(&mut self, pose: &mut Pose) {
        if let Some(from) = self.from.take() {
            self.inertia.start(&PoseChange {
                before: &from.before,
                before_that: &from.before_that,
                target: pose,
                target_before: None,
                dt: from.dt,
                duration: from.seconds,
            });
        }
        self.inertia.apply(self.age as f32, pose);
    }

    /// Blends from a pose and its motion to the pose of the clips, within some seconds. `before_that` was shown a
    /// tick of `dt` seconds before.
    pub fn from_pose(before: Pose, before_that: Pose, dt: f64, seconds: f32) -> Self {
        Self {
            inertia: Inertia::default(),
            age: 0.0,
            from: Some(Box::new(ShownPoses {
                before,
                before_that,
                dt: dt as f32,
                seconds,
            })),
        }
    }

    /// Blends from one pose to another that is known already.
    pub fn between(change: &PoseChange<'_>) -> Self {
        let mut inertia = Inertia::default();
        inertia.start(change);
        Self {
            inertia,
            age: 0.0,
            from: None,
        }
    }

    /// Lets the difference die away for `dt` seconds more; true when nothing is left of it.
    pub fn advance(&mut self, dt: f64) -> bool {
        if self.from.is_some() {
            return false;
        }
        self.age += dt;
        self.age >= f64::from(self.inertia.seconds())
    }
}
