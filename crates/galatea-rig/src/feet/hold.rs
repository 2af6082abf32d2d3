//! Foot lock, and the critically damped fade of a remaining offset.

use glam::{Affine3A, Vec3};

use super::{Carrier, GroundQuery};
use crate::turning::short_way;
use galatea_math::damp::DampingPace;

/// Position and heading where a foot is locked.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootHold {
    /// Position in the space of the platform, or of the world without one.
    position: Vec3,
    /// Heading in that space, radians about +Y.
    heading: f32,
    pub carrier: Option<Carrier>,
}

impl FootHold {
    /// Locks at a world position.
    pub fn at(at: Vec3, heading: f32, carrier: Option<Carrier>, ground: &dyn GroundQuery) -> Self {
        let frame = carrier.and_then(|id| Some((id, ground.carrier(id)?)));
        match frame {
            Some((id, frame)) if frame.inverse().is_finite() => Self {
                position: frame.inverse().transform_point3(at),
                heading: short_way(heading_of_frame(frame), heading),
                carrier: Some(id),
            },
            _ => Self {
                position: at,
                heading,
                carrier: None,
            },
        }
    }

    /// Current world position; `None` when the platform is gone.
    pub fn position_now(&self, ground: &dyn GroundQuery) -> Option<Vec3> {
        match self.carrier {
            Some(id) => Some(ground.carrier(id)?.transform_point3(self.position)),
            None => Some(self.position),
        }
    }

    /// Current heading, radians about +Y.
    pub fn heading_now(&self, ground: &dyn GroundQuery) -> Option<f32> {
        match self.carrier {
            Some(id) => Some(self.heading + heading_of_frame(ground.carrier(id)?)),
            None => Some(self.heading),
        }
    }
}

fn heading_of_frame(frame: Affine3A) -> f32 {
    f32::atan2(frame.matrix3.z_axis.x, frame.matrix3.z_axis.z)
}

/// An offset that fades to zero without a jolt and without overshoot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fading {
    pub away: Vec3,
    pub velocity: Vec3,
    pub turned: f32,
}

impl Fading {
    /// Advances by one tick.
    pub fn advance(&mut self, &DampingPace { rate, dt, left }: &DampingPace) {
        let push = self.velocity + self.away * rate;
        self.away = (self.away + push * dt) * left;
        self.velocity = (self.velocity - push * (rate * dt)) * left;
        self.turned *= left;
    }
}
