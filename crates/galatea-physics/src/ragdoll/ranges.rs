//! How far the joints of a human turn, and what joints of other bodies are given.
//!
//! The human's are those of the American Academy of Orthopaedic Surgeons, *Joint Motion: Method of
//! Measuring and Recording* (1965), rounded as printed there. docs/body.md has them as a table.

use super::anatomy::RagdollPart;

/// Ranges of a ball joint, degrees, least and most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Backward and forward: extension is negative, flexion positive.
    pub bend: [f32; 2],
    /// Towards the body's middle (negative) and away from it; of the middle itself both are alike.
    pub side: [f32; 2],
    /// Outward (negative) and inward about the part's own length.
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

    /// A share of it, for a joint that is several in a row.
    fn share(self, share: f32) -> Self {
        let of = |range: [f32; 2]| range.map(|angle| angle * share);
        Self {
            bend: of(self.bend),
            side: of(self.side),
            twist: of(self.twist),
        }
    }
}

/// Back and chest together: 80 forward, 25 back, 35 to each side, 45 turned.
const BACK: Ball = Ball {
    bend: [-25.0, 80.0],
    side: [-35.0, 35.0],
    twist: [-45.0, 45.0],
};

/// Neck and head together: 45 forward, back and to each side, 60 turned.
const NECK: Ball = Ball::even(45.0, 45.0, 60.0);

/// Hip: 120 forward, 30 back, 30 inward, 45 outward, turned 45 both ways.
pub const HIP: Ball = Ball {
    bend: [-30.0, 120.0],
    side: [-30.0, 45.0],
    twist: [-45.0, 45.0],
};

/// Ankle from the foot square to the shank: 20 up, 50 down; turned in by 35, out by 15. The norms have no
/// turn of the foot about the shank; 10 keeps it soft.
pub const ANKLE: Ball = Ball {
    bend: [-50.0, 20.0],
    side: [-10.0, 10.0],
    twist: [-15.0, 35.0],
};

/// Wrist: 80 towards the palm, 70 back, 20 and 30 to the sides (25 here to both, since which is the
/// thumb's is not always seen). Palms turn 80 each way in the whole forearm; half of it lies at the
/// wrist, where the skin of most models can bear it.
pub const WRIST: Ball = Ball {
    bend: [-70.0, 80.0],
    side: [-25.0, 25.0],
    twist: [-40.0, 40.0],
};

/// Shoulder with the shoulder blade. Held out level, an arm swings 130 forward and 45 back; raised it
/// points up, and it hangs down and some way across and behind the body: 105 each way from 10 below
/// level, so that the 180 of flexion and abduction, and half of the 60 of extension, are reached.
pub const SHOULDER_LEVEL: [f32; 2] = [-45.0, 130.0];
pub const SHOULDER_BELOW_LEVEL: f32 = 10.0;
pub const SHOULDER_RAISE: f32 = 105.0;
/// Turned out 90 and in 70.
pub const SHOULDER_TWIST: [f32; 2] = [-90.0, 70.0];

/// Elbow: straight to 150.
pub const ELBOW: [f32; 2] = [0.0, 150.0];
/// Knee: straight to 135.
pub const KNEE: [f32; 2] = [0.0, 135.0];

/// The ranges of a joint of the body's middle about its rest pose. `n` joints share the back, or the neck.
pub fn middle(part: RagdollPart, n_back: usize, n_neck: usize) -> Ball {
    match part {
        RagdollPart::Neck | RagdollPart::Head => NECK.share(1.0 / n_neck.max(1) as f32),
        _ => BACK.share(1.0 / n_back.max(1) as f32),
    }
}

/// Of what is no human's: how far about the rest pose.
pub const LEG_ROOT: Ball = Ball::even(40.0, 20.0, 12.0);
pub const TRUNK: Ball = Ball::even(18.0, 18.0, 12.0);
pub const TAIL: Ball = Ball::even(40.0, 40.0, 20.0);
pub const PIECE: Ball = Ball::even(30.0, 30.0, 20.0);

/// The hinge of an animal's leg that is bent by `bend` degrees at rest: some way to straight, further to
/// folded.
pub fn leg_hinge(bend: f32) -> [f32; 2] {
    [(bend - 50.0).max(0.0), (bend + 65.0).min(150.0)]
}
