//! Joint ranges of humans, and default ranges of other bodies.
//!
//! The human's are those of the American Academy of Orthopaedic Surgeons, *Joint Motion: Method of Measuring and Recording*
//! (1965), rounded as printed there. docs/body.md lists them in a table.

use super::anatomy::RagdollPart;

/// Ranges of a ball joint, minimum and maximum, degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Backward and forward: extension is negative, flexion positive.
    pub bend: [f32; 2],
    /// Sideways, towards the body's middle (negative) and away from it; symmetric for joints of the middle.
    pub side: [f32; 2],
    /// Outward (negative) and inward rotation about the part's own length.
    pub twist: [f32; 2],
}

impl Ball {
    const fn even(bend: f32, side: f32, twist: f32) -> Self {
        Self {
            bend: [-bend, bend],
            side: [-side, side],
            twist: [-twist, twist],
        }
    }

    /// Fraction of the range, for one of several joints in a row.
    fn scaled(self, fraction: f32) -> Self {
        let of = |range: [f32; 2]| range.map(|angle| angle * fraction);
        Self {
            bend: of(self.bend),
            side: of(self.side),
            twist: of(self.twist),
        }
    }
}

/// Back and chest together: 80 forward, 25 back, 35 to each side, 45 rotation.
const BACK: Ball = Ball {
    bend: [-25.0, 80.0],
    side: [-35.0, 35.0],
    twist: [-45.0, 45.0],
};

/// Neck and head together: 45 forward, back and to each side, 60 rotation.
const NECK: Ball = Ball::even(45.0, 45.0, 60.0);

/// Hip: 120 forward, 30 back, 30 inward, 45 outward, 45 rotation both ways.
pub const HIP: Ball = Ball {
    bend: [-30.0, 120.0],
    side: [-30.0, 45.0],
    twist: [-45.0, 45.0],
};

/// Ankle from the foot perpendicular to the shank: 20 up, 50 down; 35 inward, 15 outward. The norms have no rotation of the
/// foot about the shank; 10 keeps it soft.
pub const ANKLE: Ball = Ball {
    bend: [-50.0, 20.0],
    side: [-10.0, 10.0],
    twist: [-15.0, 35.0],
};

/// Wrist: 80 towards the palm, 70 back, 20 and 30 to the sides (here 25 to both, because the thumb's side is not always
/// detected). Palms rotate by 80 each way in the whole forearm; half of it is assigned to the wrist, where the skin of most
/// models can deform enough.
pub const WRIST: Ball = Ball {
    bend: [-70.0, 80.0],
    side: [-25.0, 25.0],
    twist: [-40.0, 40.0],
};

/// Shoulder including the shoulder blade. An arm held level swings 130 forward and 45 back; it can also be raised straight
/// up, hang down, and move somewhat across and behind the body. 105 each way from 10 below level covers the 180 of flexion
/// and abduction, and half of the 60 of extension.
pub const SHOULDER_LEVEL: [f32; 2] = [-45.0, 130.0];
pub const SHOULDER_BELOW_LEVEL: f32 = 10.0;
pub const SHOULDER_RAISE: f32 = 105.0;
/// Rotation: 90 outward and 70 inward.
pub const SHOULDER_TWIST: [f32; 2] = [-90.0, 70.0];

/// Elbow: straight to 150.
pub const ELBOW: [f32; 2] = [0.0, 150.0];
/// Knee: straight to 135.
pub const KNEE: [f32; 2] = [0.0, 135.0];

/// Ranges of a joint of the body's middle about its rest pose. `n_back` joints divide the range of the back, `n_neck` that
/// of the neck.
pub fn middle(part: RagdollPart, n_back: usize, n_neck: usize) -> Ball {
    match part {
        RagdollPart::Neck | RagdollPart::Head => NECK.scaled(1.0 / n_neck.max(1) as f32),
        _ => BACK.scaled(1.0 / n_back.max(1) as f32),
    }
}

/// Non-human parts: ranges about the rest pose.
pub const LEG_ROOT: Ball = Ball::even(40.0, 20.0, 12.0);
pub const TRUNK: Ball = Ball::even(18.0, 18.0, 12.0);
pub const TAIL: Ball = Ball::even(40.0, 40.0, 20.0);
pub const PIECE: Ball = Ball::even(30.0, 30.0, 20.0);

/// Hinge range of an animal's leg that is bent by `bend` degrees at rest: partly towards straight, further towards folded.
pub fn leg_hinge(bend: f32) -> [f32; 2] {
    [(bend - 50.0).max(0.0), (bend + 65.0).min(150.0)]
}
