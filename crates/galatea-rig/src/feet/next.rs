//! Where a foot will stand next: at the place of the body at which it stood the last times, one stride on.

use glam::{Affine3A, Vec3};

/// Strides longer than this, seconds, are no gait.
const LONGEST: f32 = 2.0;

/// The rhythm of one foot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stride {
    /// Seconds since it stood up last; `None` before the first time.
    since: Option<f32>,
    /// Seconds from one landing to the next, smoothed.
    period: Option<f32>,
    /// Where it landed, in the space of the character.
    place: Vec3,
}

impl Stride {
    pub(super) fn advance(&mut self, dt: f32) {
        if let Some(since) = &mut self.since {
            *since += dt;
        }
    }

    /// It has landed at a place of the world.
    pub(super) fn land(&mut self, place: Vec3, world_from_model: Affine3A) {
        let back = world_from_model.inverse();
        if !back.is_finite() {
            return;
        }
        let own = back.transform_point3(place);
        match self.since {
            Some(since) if since < LONGEST => {
                self.period = Some(self.period.map_or(since, |was| 0.5 * (was + since)));
                self.place = 0.5 * (self.place + own);
            }
            _ => {
                self.period = None;
                self.place = own;
            }
        }
        self.since = Some(0.0);
    }

    /// Where and in how many seconds it stands next, for a character here that goes on as it does.
    pub(super) fn next(&self, world_from_model: Affine3A, velocity: Vec3) -> Option<(Vec3, f32)> {
        let (since, period) = (self.since?, self.period?);
        if since > 1.5 * period {
            return None;
        }
        let left = (period - since).max(0.0);
        Some((
            world_from_model.transform_point3(self.place) + velocity * left,
            left,
        ))
    }
}
