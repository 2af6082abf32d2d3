//! A step over the ground: a translation and a turn about +Y.

use glam::{DVec3, Quat, Vec3};

/// How a character moves in a piece of time, in the frame it has at its start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RootDelta {
    /// Metres.
    pub translation: Vec3,
    /// Radians about +Y, counter-clockwise from above; not wrapped, several turns stay several turns.
    pub yaw: f32,
}

impl RootDelta {
    /// No motion.
    pub const IDENTITY: Self = Self {
        translation: Vec3::ZERO,
        yaw: 0.0,
    };

    /// This step, then `next`, which is counted in the frame that this one ends in.
    pub fn compose(self, next: Self) -> Self {
        Rigid::from(self).then(next.into()).into()
    }

    /// The step back.
    pub fn inverse(self) -> Self {
        Rigid::from(self).inverse().into()
    }

    /// Ratio-weighted mean of steps (5.09: weights need not sum to 1); no weight gives no motion.
    /// Weights that are not positive numbers do not count.
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

    /// This step with its translation and turn multiplied.
    pub fn scaled(self, factor: f32) -> Self {
        Self {
            translation: self.translation * factor,
            yaw: self.yaw * factor,
        }
    }

    /// The turn as a quaternion.
    pub fn rotation(self) -> Quat {
        Quat::from_rotation_y(self.yaw)
    }

    /// Where the step takes a point.
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
            translation: self.translation + turned(next.translation, self.yaw),
            yaw: self.yaw + next.yaw,
        }
    }

    pub fn inverse(self) -> Self {
        Self {
            translation: -turned(self.translation, -self.yaw),
            yaw: -self.yaw,
        }
    }

    /// This step `n` times over, `n` whole and of either sign: the sum of a geometric row of turns,
    /// R((n-1)θ/2) sin(nθ/2) / sin(θ/2).
    pub fn power(self, n: f64) -> Self {
        let half = (self.yaw * 0.5).sin();
        let ratio = if half.abs() < 1e-9 {
            n
        } else {
            (n * self.yaw * 0.5).sin() / half
        };
        let sum = turned(self.translation, (n - 1.0) * self.yaw * 0.5) * ratio;
        Self {
            translation: DVec3::new(sum.x, self.translation.y * n, sum.z),
            yaw: self.yaw * n,
        }
    }

    pub fn point(self, p: Vec3) -> Vec3 {
        (turned(p.as_dvec3(), self.yaw) + self.translation).as_vec3()
    }

    pub fn rotation(self) -> Quat {
        Quat::from_rotation_y(self.yaw as f32)
    }
}

fn turned(v: DVec3, yaw: f64) -> DVec3 {
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
