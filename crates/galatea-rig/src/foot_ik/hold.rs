//! Foot lock, and the critically damped fade of a remaining offset.

use glam::{Affine3A, Vec3};
use serde::{Deserialize, Serialize};

use super::{GroundQuery, PlatformId};
use crate::turning::shortest_rotation;
use galatea_math::damp::DampingFactors;

/// Position and heading where a foot is locked.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct FootHold {
    /// Position in the space of the platform, or of the world without one.
    position: Vec3,
    /// Heading in that space, radians about +Y.
    heading: f32,
    pub platform: Option<PlatformId>,
}

impl FootHold {
    /// Locks at a world position.
    pub fn at(
        at: Vec3,
        heading: f32,
        carrier: Option<PlatformId>,
        ground: &dyn GroundQuery,
    ) -> Self {
        let frame = carrier.and_then(|id| Some((id, ground.platform(id)?)));
        match frame {
            Some((id, frame)) if frame.inverse().is_finite() => Self {
                position: frame.inverse().transform_point3(at),
                heading: shortest_rotation(heading_of_frame(frame), heading),
                platform: Some(id),
            },
            _ => Self {
                position: at,
                heading,
                platform: None,
            },
        }
    }

    /// Current world position; `None` when the platform is gone.
    pub fn position_now(&self, ground: &dyn GroundQuery) -> Option<Vec3> {
        match self.platform {
            Some(id) => Some(ground.platform(id)?.transform_point3(self.position)),
            None => Some(self.position),
        }
    }

    /// Current heading, radians about +Y.
    pub fn heading_now(&self, ground: &dyn GroundQuery) -> Option<f32> {
        match self.platform {
            Some(id) => Some(self.heading + heading_of_frame(ground.platform(id)?)),
            None => Some(self.heading),
        }
    }
}

fn heading_of_frame(frame: Affine3A) -> f32 {
    f32::atan2(frame.matrix3.z_axis.x, frame.matrix3.z_axis.z)
}

/// An offset that fades to zero without a jolt and without overshoot.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Fading {
    pub away: Vec3,
    pub velocity: Vec3,
    pub turned: f32,
}

impl Fading {
    /// Advances by one tick.
    pub fn advance(&mut self, &DampingFactors { rate, dt, left }: &DampingFactors) {
        let push = self.velocity + self.away * rate;
        self.away = (self.away + push * dt) * left;
        self.velocity = (self.velocity - push * (rate * dt)) * left;
        self.turned *= left;
    }
}
