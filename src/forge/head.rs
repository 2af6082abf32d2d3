//! The head as a distance field: neck, face and the sculpted hair with its knot.

use glam::{Mat3, Vec3};

use super::{
    rig::{EYE, EYE_RADIUS},
    sdf::{Loft, Ring, cone, ellipsoid, ring, smax, smin},
};

/// Jaw to forehead, upright: sideways, then forward.
const FACE: &[Ring] = &[
    ring(1.474, 0.0, 0.066, 0.013, 0.014),
    ring(1.484, 0.0, 0.055, 0.029, 0.032),
    ring(1.505, 0.0, 0.037, 0.0465, 0.053),
    ring(1.535, 0.0, 0.021, 0.0585, 0.070),
    ring(1.570, 0.0, 0.011, 0.064, 0.080),
    ring(1.605, 0.0, 0.003, 0.068, 0.088),
    ring(1.640, 0.0, -0.002, 0.069, 0.089),
    ring(1.665, 0.0, -0.008, 0.055, 0.068),
    ring(1.680, 0.0, -0.012, 0.028, 0.036),
];

/// Upright: sideways, then forward.
const NECK: &[Ring] = &[
    ring(1.37, 0.0, -0.034, 0.058, 0.050),
    ring(1.42, 0.0, -0.032, 0.051, 0.050),
    ring(1.46, 0.0, -0.025, 0.047, 0.048),
    ring(1.51, 0.0, -0.016, 0.046, 0.050),
    ring(1.56, 0.0, -0.010, 0.044, 0.052),
];

/// The head's field.
#[derive(Clone, Debug)]
pub struct Head {
    face: Loft,
    neck: Loft,
}

impl Default for Head {
    fn default() -> Self {
        let frame = Mat3::from_cols(Vec3::X, Vec3::Z, Vec3::Y);
        let loft = |rings| Loft {
            origin: Vec3::ZERO,
            frame,
            rings,
        };
        Self {
            face: loft(FACE),
            neck: loft(NECK),
        }
    }
}

impl Head {
    /// Distances to neck and face, and to the hair; `q.x` is not negative.
    pub fn parts(&self, q: Vec3) -> (f32, f32) {
        let skull = ellipsoid(
            q,
            Vec3::new(0.0, 1.603, -0.016),
            Vec3::new(0.072, 0.078, 0.090),
        );
        let mut d = smin(self.face.distance(q), skull, 0.02);
        d = smin(d, self.neck.distance(q), 0.018);
        if d < 0.05 {
            d = self.features(q, d);
        }
        (d, hair(q))
    }

    fn features(&self, q: Vec3, skull: f32) -> f32 {
        let mut d = skull;
        let cheek = ellipsoid(
            q,
            Vec3::new(0.040, 1.547, 0.054),
            Vec3::new(0.024, 0.025, 0.026),
        );
        d = smin(d, cheek, 0.03);
        let chin = ellipsoid(
            q,
            Vec3::new(0.0, 1.4865, 0.079),
            Vec3::new(0.017, 0.011, 0.012),
        );
        d = smin(d, chin, 0.016);
        let brow = cone(
            q,
            Vec3::new(0.014, 1.602, 0.0835),
            Vec3::new(0.047, 1.605, 0.0640),
            0.0085,
            0.0080,
        );
        d = smin(d, brow, 0.014);
        let orbit = ellipsoid(
            q,
            Vec3::new(0.0480, 1.583, 0.0565),
            Vec3::new(0.011, 0.020, 0.0135),
        );
        d = smin(d, orbit, 0.014);
        // Sockets: a wide soft hollow, then the bed of the eyeball.
        let hollow = ellipsoid(
            q,
            EYE + Vec3::new(-0.0010, 0.0, 0.0185),
            Vec3::new(0.0200, 0.0120, 0.0095),
        );
        d = smax(d, -hollow, 0.010);
        let bed = (q - EYE).length() - (EYE_RADIUS + 0.0004);
        d = smax(d, -bed, 0.0015);
        let bridge = cone(
            q,
            Vec3::new(0.0, 1.598, 0.0855),
            Vec3::new(0.0, 1.558, 0.1015),
            0.0062,
            0.0080,
        );
        d = smin(d, bridge, 0.013);
        let wing = ellipsoid(
            q,
            Vec3::new(0.0078, 1.5540, 0.0912),
            Vec3::new(0.0070, 0.0062, 0.0085),
        );
        d = smin(d, wing, 0.008);
        let upper = cone(
            q,
            Vec3::new(0.0, 1.5262, 0.0915),
            Vec3::new(0.0245, 1.5222, 0.0785),
            0.0058,
            0.0028,
        );
        let lower = cone(
            q,
            Vec3::new(0.0, 1.5160, 0.0895),
            Vec3::new(0.0230, 1.5200, 0.0785),
            0.0064,
            0.0028,
        );
        d = smin(d, upper.min(lower), 0.007);
        let line = cone(
            q,
            Vec3::new(0.0, 1.5212, 0.1000),
            Vec3::new(0.0255, 1.5221, 0.0855),
            0.0022,
            0.0012,
        );
        d = smax(d, -line, 0.003);
        let turn = Mat3::from_rotation_y(-0.35) * Mat3::from_rotation_x(-0.18);
        let r = turn * (q - Vec3::new(0.071, 1.573, -0.012));
        let ear = ellipsoid(r, Vec3::ZERO, Vec3::new(0.0075, 0.029, 0.017));
        let dish = ellipsoid(
            r,
            Vec3::new(0.010, 0.004, 0.002),
            Vec3::new(0.006, 0.018, 0.010),
        );
        smin(d, smax(ear, -dish, 0.004), 0.006)
    }
}

fn hair(q: Vec3) -> f32 {
    let centre = Vec3::new(0.0, 1.608, -0.012);
    let mut cap = ellipsoid(q, centre, Vec3::new(0.0825, 0.0925, 0.1075));
    if cap < 0.06 {
        // Combed from the parting to the knot: waves that run back, and the parting itself.
        let r = q - centre;
        let around = r.x.atan2(r.y + 0.02);
        cap += 0.0016 * (around * 13.0 + r.z * 14.0).sin();
        cap += 0.004 * (-(r.x / 0.006).powi(2)).exp() * (r.z > -0.07) as u8 as f32;
    }
    // Hairline: a plane from forehead to nape, higher at the temples.
    let line =
        1.192 - (0.75 * q.y - 0.66 * q.z) + 0.10 * (q.x - 0.02).max(0.0) * (q.z > 0.0) as u8 as f32;
    cap = smax(cap, line, 0.006);
    let knot_centre = Vec3::new(0.0, 1.650, -0.116);
    let mut knot = ellipsoid(q, knot_centre, Vec3::new(0.043, 0.040, 0.038));
    if knot < 0.05 {
        let r = q - knot_centre;
        knot += 0.0018 * (r.x.atan2(r.y) * 4.0 + (r.length() * 160.0)).sin();
    }
    smin(cap, knot, 0.010)
}
