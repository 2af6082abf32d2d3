//! The mannequin's body as a distance field: torso, legs, shoes, arms and hands; the head is in `head.rs`.
//!
//! Proportions: 7.5 heads; segment lengths after Drillis and Contini (1966) for a height of 1.70 m. [`Parts`] keeps the
//! parts separate, for weights and colours.

use glam::{Mat3, Vec3};

use super::{
    head,
    rig::{self, SHOULDER},
    sdf::{Loft, LoftRing, cone, ellipsoid, ring, smax, smin},
};

/// Distances to the parts of the figure at one point, metres.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// Pelvis, belly, ribs and the top of the shoulders.
    pub torso: f32,
    /// Neck and face.
    pub head: f32,
    /// The hair.
    pub hair: f32,
    /// The arm and hand on the point's side.
    pub arm: f32,
    /// The leg on the point's side, shoe included.
    pub leg: f32,
    /// The leg on the other side.
    pub other_leg: f32,
    /// The shoe on the point's side.
    pub shoe: f32,
    /// Smooth union of all parts.
    pub all: f32,
}

const TORSO: &[LoftRing] = &[
    ring(0.795, 0.0, -0.012, 0.030, 0.045),
    ring(0.83, 0.0, -0.012, 0.105, 0.080),
    ring(0.87, 0.0, -0.014, 0.150, 0.098),
    ring(0.91, 0.0, -0.012, 0.159, 0.103),
    ring(0.96, 0.0, -0.006, 0.150, 0.098),
    ring(1.02, 0.0, -0.002, 0.131, 0.091),
    ring(1.08, 0.0, -0.001, 0.116, 0.083),
    ring(1.14, 0.0, -0.004, 0.119, 0.084),
    ring(1.20, 0.0, -0.008, 0.130, 0.090),
    ring(1.27, 0.0, -0.012, 0.140, 0.096),
    ring(1.33, 0.0, -0.018, 0.142, 0.092),
    ring(1.38, 0.0, -0.024, 0.128, 0.076),
    ring(1.42, 0.0, -0.028, 0.085, 0.060),
    ring(1.45, 0.0, -0.030, 0.045, 0.046),
];

const LEG: &[LoftRing] = &[
    ring(0.03, 0.092, -0.016, 0.026, 0.030),
    ring(0.06, 0.092, -0.015, 0.029, 0.035),
    ring(0.09, 0.092, -0.014, 0.029, 0.036),
    ring(0.14, 0.092, -0.014, 0.030, 0.034),
    ring(0.22, 0.092, -0.015, 0.039, 0.042),
    ring(0.30, 0.093, -0.016, 0.050, 0.054),
    ring(0.36, 0.093, -0.012, 0.053, 0.057),
    ring(0.43, 0.092, 0.000, 0.048, 0.052),
    ring(0.487, 0.092, 0.009, 0.050, 0.054),
    ring(0.54, 0.092, 0.009, 0.054, 0.057),
    ring(0.62, 0.092, 0.007, 0.065, 0.069),
    ring(0.71, 0.093, 0.003, 0.078, 0.083),
    ring(0.80, 0.092, -0.003, 0.085, 0.092),
    ring(0.88, 0.090, -0.008, 0.084, 0.094),
    ring(0.95, 0.080, -0.006, 0.070, 0.080),
];

/// Along the arm from the shoulder: across it (towards the palm), then forward.
const ARM: &[LoftRing] = &[
    ring(-0.035, 0.0, 0.0, 0.026, 0.030),
    ring(0.00, 0.0, 0.0, 0.045, 0.047),
    ring(0.05, -0.001, 0.0, 0.049, 0.049),
    ring(0.11, 0.0, 0.001, 0.042, 0.045),
    ring(0.19, 0.0, 0.002, 0.036, 0.041),
    ring(0.25, 0.0, 0.000, 0.033, 0.035),
    ring(0.28, 0.0, -0.001, 0.034, 0.034),
    ring(0.33, 0.0, 0.001, 0.036, 0.037),
    ring(0.38, 0.0, 0.001, 0.034, 0.035),
    ring(0.45, 0.0, 0.0, 0.026, 0.029),
    ring(0.51, 0.0, 0.0, 0.020, 0.026),
    ring(0.55, 0.0, 0.001, 0.019, 0.031),
    ring(0.585, 0.001, 0.001, 0.017, 0.038),
    ring(0.605, 0.003, 0.001, 0.015, 0.038),
    ring(0.62, 0.004, 0.001, 0.011, 0.034),
];

/// Along +Z: sideways, then up.
const SHOE: &[LoftRing] = &[
    ring(-0.062, 0.092, 0.030, 0.018, 0.024),
    ring(-0.045, 0.092, 0.034, 0.031, 0.043),
    ring(-0.01, 0.092, 0.036, 0.034, 0.054),
    ring(0.03, 0.093, 0.032, 0.035, 0.054),
    ring(0.07, 0.095, 0.024, 0.039, 0.045),
    ring(0.11, 0.098, 0.018, 0.044, 0.035),
    ring(0.15, 0.098, 0.015, 0.041, 0.027),
    ring(0.178, 0.096, 0.014, 0.028, 0.020),
    ring(0.190, 0.095, 0.014, 0.014, 0.012),
];

/// Distance field of the figure, with precomputed data.
#[derive(Clone, Debug)]
pub struct BodyField {
    torso: Loft,
    leg: Loft,
    arm: Loft,
    shoe: Loft,
    head: head::Head,
}

impl Default for BodyField {
    fn default() -> Self {
        Self {
            torso: Loft::upright(TORSO),
            leg: Loft::upright(LEG),
            arm: Loft {
                origin: SHOULDER,
                frame: Mat3::from_cols(rig::arm_hinge(), Vec3::Z, rig::arm_dir()),
                rings: ARM,
            },
            shoe: Loft {
                origin: Vec3::ZERO,
                frame: Mat3::from_cols(Vec3::X, Vec3::Y, Vec3::Z),
                rings: SHOE,
            },
            head: head::Head::default(),
        }
    }
}

impl BodyField {
    /// Distance to the whole figure, metres.
    pub fn distance(&self, p: Vec3) -> f32 {
        self.parts(p).all
    }

    /// Distances to all parts. Distances above about 10 cm are only lower bounds.
    pub fn parts(&self, p: Vec3) -> Parts {
        let q = Vec3::new(p.x.abs(), p.y, p.z);
        let torso = if q.y > 0.6 {
            self.torso(q)
        } else {
            0.6 - q.y + 0.1
        };
        let (mut leg, mut shoe, mut other_leg) = (1.0, 1.0, 1.0);
        if q.y < 1.15 {
            shoe = self.shoe(q);
            leg = smin(self.leg.distance(q), shoe, 0.02);
            other_leg = if q.x < 0.06 {
                let m = q * Vec3::new(-1.0, 1.0, 1.0);
                smin(self.leg.distance(m), self.shoe(m), 0.02)
            } else {
                leg + 0.1
            };
        } else {
            leg = leg.min(q.y - 1.0);
            other_leg = other_leg.min(q.y - 1.0);
        }
        let arm = self.arm(q);
        let (face, hair) = if q.y > 1.33 {
            self.head.parts(q)
        } else {
            (1.43 - q.y, 1.43 - q.y)
        };
        let mut all = smin(torso, leg, 0.035);
        all = smin(all, other_leg, 0.010);
        all = smin(all, arm, 0.030);
        all = smin(all, face, 0.030);
        all = smin(all, hair, 0.004);
        Parts {
            torso,
            head: face,
            hair,
            arm,
            leg,
            other_leg,
            shoe,
            all,
        }
    }

    fn torso(&self, q: Vec3) -> f32 {
        let mut d = self.torso.distance(q);
        // Slope from neck to shoulder, collar bone, the round of the ribs and the seat.
        let slope = cone(
            q,
            Vec3::new(0.02, 1.437, -0.036),
            Vec3::new(0.150, 1.397, -0.030),
            0.036,
            0.034,
        );
        d = smin(d, slope, 0.04);
        let collar = cone(
            q,
            Vec3::new(0.022, 1.405, 0.030),
            Vec3::new(0.135, 1.418, -0.010),
            0.008,
            0.009,
        );
        d = smin(d, collar, 0.02);
        let bust = ellipsoid(
            q,
            Vec3::new(0.064, 1.262, 0.062),
            Vec3::new(0.056, 0.058, 0.044),
        );
        d = smin(d, bust, 0.03);
        let blade = ellipsoid(
            q,
            Vec3::new(0.075, 1.31, -0.082),
            Vec3::new(0.045, 0.065, 0.025),
        );
        d = smin(d, blade, 0.04);
        let seat = ellipsoid(
            q,
            Vec3::new(0.074, 0.885, -0.070),
            Vec3::new(0.072, 0.078, 0.058),
        );
        d = smin(d, seat, 0.035);
        // The valley of the spine.
        let spine = cone(
            q,
            Vec3::new(0.0, 1.02, -0.118),
            Vec3::new(0.0, 1.30, -0.140),
            0.022,
            0.022,
        );
        smax(d, -spine, 0.03)
    }

    fn shoe(&self, q: Vec3) -> f32 {
        let d = self.shoe.distance(q);
        smax(d, -q.y, 0.010)
    }

    fn arm(&self, q: Vec3) -> f32 {
        let mut d = self.arm.distance(q);
        let dir = rig::arm_dir();
        let palm = rig::arm_hinge();
        let deltoid = ellipsoid(
            q,
            SHOULDER + Vec3::new(0.012, -0.012, 0.0),
            Vec3::new(0.048, 0.052, 0.052),
        );
        d = smin(d, deltoid, 0.03);
        if d > 0.25 || (q - SHOULDER).dot(dir) < 0.4 {
            return d;
        }
        let at = |t: f32, u: f32, v: f32| SHOULDER + dir * t + palm * u + Vec3::Z * v;
        // Fingers, index foremost: side, reach, radius.
        let fingers = [
            (0.0285, 0.682, 0.0092),
            (0.0095, 0.692, 0.0096),
            (-0.0095, 0.685, 0.0092),
            (-0.0275, 0.664, 0.0080),
        ];
        let mut hand = f32::MAX;
        for (side, reach, radius) in fingers {
            let spread = side * 0.12;
            let knuckle = at(0.600, 0.002, side);
            let middle = at(0.640, 0.006, side + spread * 0.5);
            let tip = at(reach, 0.019, side + spread);
            let finger = cone(q, knuckle, middle, radius * 1.08, radius).min(cone(
                q,
                middle,
                tip,
                radius,
                radius * 0.82,
            ));
            hand = smin(hand, finger, 0.004);
        }
        let thumb = smin(
            cone(
                q,
                at(0.540, 0.006, 0.022),
                at(0.590, 0.018, 0.050),
                0.015,
                0.0105,
            ),
            cone(
                q,
                at(0.590, 0.018, 0.050),
                at(0.622, 0.024, 0.056),
                0.0105,
                0.0085,
            ),
            0.004,
        );
        d = smin(d, hand, 0.010);
        smin(d, thumb, 0.012)
    }
}
