//! Where a foot is held, and how what is left of a way dies away.

use glam::{Affine3A, Vec3};

use super::{Carrier, GroundQuery};
use crate::turning::short_way;
use galatea_math::damp::DampingPace;

/// Where a foot is held.
#[derive(Clone, Copy, Debug)]
pub(super) struct FootHold {
    /// In the space of what carries it, else of the world.
    place: Vec3,
    /// Heading in that space, radians about +Y.
    heading: f32,
    pub carrier: Option<Carrier>,
}

impl FootHold {
    /// At a place of the world.
    pub fn at(at: Vec3, heading: f32, carrier: Option<Carrier>, ground: &dyn GroundQuery) -> Self {
        let frame = carrier.and_then(|id| Some((id, ground.carrier(id)?)));
        match frame {
            Some((id, frame)) if frame.inverse().is_finite() => Self {
                place: frame.inverse().transform_point3(at),
                heading: short_way(heading_of_frame(frame), heading),
                carrier: Some(id),
            },
            _ => Self {
                place: at,
                heading,
                carrier: None,
            },
        }
    }

    /// Where the place is now; `None` when what carries it is gone.
    pub fn place_now(&self, ground: &dyn GroundQuery) -> Option<Vec3> {
        match self.carrier {
            Some(id) => Some(ground.carrier(id)?.transform_point3(self.place)),
            None => Some(self.place),
        }
    }

    /// Its heading now.
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

/// What is left of a way, dying away without a jolt and without passing its end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fading {
    pub away: Vec3,
    pub velocity: Vec3,
    pub turned: f32,
}

impl Fading {
    /// A tick on.
    pub fn advance(&mut self, &DampingPace { rate, dt, left }: &DampingPace) {
        let push = self.velocity + self.away * rate;
        self.away = (self.away + push * dt) * left;
        self.velocity = (self.velocity - push * (rate * dt)) * left;
        self.turned *= left;
    }
}
