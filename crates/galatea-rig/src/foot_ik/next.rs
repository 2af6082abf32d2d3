//! Predicts the next footstep: the same position relative to the body as in the last steps, one stride later.

use glam::{Affine3A, Vec3};
use serde::{Deserialize, Serialize};

/// Longest stride that counts as a gait, seconds.
const MAX_STRIDE_S: f32 = 2.0;

/// Rhythm of one foot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stride {
    /// Seconds since the last landing; `None` before the first one.
    since: Option<f32>,
    /// Smoothed time from one landing to the next, seconds.
    period: Option<f32>,
    /// Landing position, in the space of the character.
    position: Vec3,
}

impl Stride {
    pub(super) fn advance(&mut self, dt: f32) {
        if let Some(since) = &mut self.since {
            *since += dt;
        }
    }

    /// Records a landing at a world position.
    pub(super) fn land(&mut self, position: Vec3, world_from_model: Affine3A) {
        let back = world_from_model.inverse();
        if !back.is_finite() {
            return;
        }
        let own = back.transform_point3(position);
        match self.since {
            Some(since) if since < MAX_STRIDE_S => {
                self.period = Some(
                    self.period
                        .map_or(since, |previous| 0.5 * (previous + since)),
                );
                self.position = 0.5 * (self.position + own);
            }
            _ => {
                self.period = None;
                self.position = own;
            }
        }
        self.since = Some(0.0);
    }

    /// Predicts the next landing, world position and time in seconds, if the character keeps its velocity.
    pub(super) fn next(&self, world_from_model: Affine3A, velocity: Vec3) -> Option<(Vec3, f32)> {
        let (since, period) = (self.since?, self.period?);
        if since > 1.5 * period {
            return None;
        }
        let left = (period - since).max(0.0);
        Some((
            world_from_model.transform_point3(self.position) + velocity * left,
            left,
        ))
    }
}
