//! Root motion step: a translation and a rotation about +Y.

use glam::{DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};

/// Motion of a character over a time span, relative to its frame at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RootDelta {
    /// Translation, metres.
    pub translation: Vec3,
    /// Rotation about +Y, radians, counter-clockwise from above; not wrapped, several revolutions are possible.
    pub yaw: f32,
}

impl RootDelta {
    /// No motion.
    pub const IDENTITY: Self = Self {
        translation: Vec3::ZERO,
        yaw: 0.0,
    };

    /// Returns this step followed by `next`, which is relative to the end frame of this one.
    pub fn compose(self, next: Self) -> Self {
        Rigid::from(self).then(next.into()).into()
    }

    /// Returns the inverse step.
    pub fn inverse(self) -> Self {
        Rigid::from(self).inverse().into()
    }

    /// Returns the weighted mean of steps. Weights need not sum to 1; without weights there is no motion. Weights
    /// that are not positive and finite are ignored.
    pub fn blend(steps: impl Iterator<Item = (Self, f32)>) -> Self {
        let (mut translation, mut yaw, mut sum) = (Vec3::ZERO, 0.0, 0.0);
        for (step, weight) in steps {
            if weight > 0.0 && weight.is_finite() {
                translation += step.translation * weight;
                yaw += step.yaw * weight;
                sum += weight;
            }
        }
        if sum > 0.0 {
            Self {
                translation: translation / sum,
                yaw: yaw / sum,
            }
        } else {
            Self::IDENTITY
        }
    }

    /// Multiplies translation and rotation by a factor.
    pub fn scaled(self, factor: f32) -> Self {
        Self {
            translation: self.translation * factor,
            yaw: self.yaw * factor,
        }
    }

    /// Rotation as a quaternion.
    pub fn rotation(self) -> Quat {
        Quat::from_rotation_y(self.yaw)
    }

    /// Transforms a point by the step.
    pub fn point(self, p: Vec3) -> Vec3 {
        self.rotation() * p + self.translation
    }
}

/// [`RootDelta`] in double precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rigid {
    pub translation: DVec3,
    pub yaw: f64,
}

impl Rigid {
    pub const IDENTITY: Self = Self {
        translation: DVec3::ZERO,
        yaw: 0.0,
    };

    pub fn then(self, next: Self) -> Self {
        Self {
            translation: self.translation + rotated(next.translation, self.yaw),
            yaw: self.yaw + next.yaw,
        }
    }

    pub fn inverse(self) -> Self {
        Self {
            translation: -rotated(self.translation, -self.yaw),
            yaw: -self.yaw,
        }
    }

    /// Repeats this step `n` times, `n` whole and of either sign. The sum of the rotated translations is a geometric
    /// series: R((n-1)θ/2) sin(nθ/2) / sin(θ/2).
    pub fn power(self, n: f64) -> Self {
        let half = (self.yaw * 0.5).sin();
        let ratio = if half.abs() < 1e-9 {
            n
        } else {
            (n * self.yaw * 0.5).sin() / half
        };
        let sum = rotated(self.translation, (n - 1.0) * self.yaw * 0.5) * ratio;
        Self {
            translation: DVec3::new(sum.x, self.translation.y * n, sum.z),
            yaw: self.yaw * n,
        }
    }

    pub fn point(self, p: Vec3) -> Vec3 {
        (rotated(p.as_dvec3(), self.yaw) + self.translation).as_vec3()
    }

    pub fn rotation(self) -> Quat {
        Quat::from_rotation_y(self.yaw as f32)
    }
}

fn rotated(v: DVec3, yaw: f64) -> DVec3 {
    let (s, c) = yaw.sin_cos();
    DVec3::new(c * v.x + s * v.z, v.y, c * v.z - s * v.x)
}

impl From<RootDelta> for Rigid {
    fn from(step: RootDelta) -> Self {
        Self {
            translation: step.translation.as_dvec3(),
            yaw: f64::from(step.yaw),
        }
    }
}

impl From<Rigid> for RootDelta {
    fn from(step: Rigid) -> Self {
        Self {
            translation: step.translation.as_vec3(),
            yaw: step.yaw as f32,
        }
    }
}
