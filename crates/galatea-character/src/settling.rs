//! Inertial blends that hide pose changes after a hot reload or a ragdoll.

use serde::{Deserialize, Serialize};

use galatea_anim::inertia::PoseChange;
use galatea_anim::{Inertia, Pose};

/// A decaying difference between two poses.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Settling {
    inertia: Inertia,
    /// Seconds since the blend began.
    age: f64,
    /// Start poses, kept until the target pose is known.
    from: Option<Box<ShownPoses>>,
}

/// The last visible pose, and the one a tick of `dt` seconds earlier.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ShownPoses {
    before: Pose,
    before_that: Pose,
    dt: f32,
    seconds: f32,
}

impl Settling {
    /// Adds the remaining difference to a pose.
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

    /// Starts a blend of some seconds from a pose and its motion to the pose of the clips. `before_that` is the pose one
    /// tick of `dt` seconds earlier.
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

    /// Starts a blend between two known poses.
    pub fn between(change: &PoseChange<'_>) -> Self {
        let mut inertia = Inertia::default();
        inertia.start(change);
        Self {
            inertia,
            age: 0.0,
            from: None,
        }
    }

    /// Advances the blend by `dt` seconds; returns true when it is complete.
    pub fn advance(&mut self, dt: f64) -> bool {
        if self.from.is_some() {
            return false;
        }
        self.age += dt;
        self.age >= f64::from(self.inertia.seconds())
    }
}
