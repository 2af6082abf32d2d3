//! The head as a distance field: neck, face, ears, and hair that is combed back into a knot.

use glam::{Mat3, Vec2, Vec3};

use super::{
    eye_shape::{self, LID},
    rig::{EYE, EYE_RADIUS},
    sdf::{Loft, LoftRing, cone, ellipsoid, ring, smax, smin, smoothstep},
};

/// Height of the line between the lips, metres.
pub const MOUTH: f32 = 1.5190;
/// Centre of the hair knot.
pub const KNOT: Vec3 = Vec3::new(0.0, 1.6490, -0.1160);
/// Centre of the skull, which the hair is combed around.
const CROWN: Vec3 = Vec3::new(0.0, 1.6060, -0.0140);

/// Jaw to forehead, upright: sideways, then forward.
const FACE: &[LoftRing] = &[
    ring(1.4745, 0.0, 0.062, 0.010, 0.012),
    ring(1.480, 0.0, 0.056, 0.0230, 0.0290),
    ring(1.500, 0.0, 0.038, 0.0395, 0.0510),
    ring(1.530, 0.0, 0.0225, 0.0515, 0.0675),
    ring(1.565, 0.0, 0.012, 0.0605, 0.0785),
    ring(1.605, 0.0, 0.003, 0.0655, 0.0865),
    ring(1.640, 0.0, -0.002, 0.0680, 0.0875),
    ring(1.665, 0.0, -0.008, 0.055, 0.068),
    ring(1.680, 0.0, -0.012, 0.028, 0.036),
];

/// Upright: sideways, then forward.
const NECK: &[LoftRing] = &[
    ring(1.37, 0.0, -0.034, 0.058, 0.050),
    ring(1.42, 0.0, -0.032, 0.050, 0.049),
    ring(1.46, 0.0, -0.025, 0.045, 0.047),
    ring(1.51, 0.0, -0.016, 0.044, 0.049),
    ring(1.56, 0.0, -0.010, 0.043, 0.052),
];

/// Distance field of the head, with precomputed data.
#[derive(Clone, Debug)]
pub struct Head {
    face: Loft,
    neck: Loft,
}

impl Default for Head {
    fn default() -> Self {
        Self {
            face: Loft::upright(FACE),
            neck: Loft::upright(NECK),
        }
    }
}

impl Head {
    /// Distances to neck and face, and to the hair; `q.x` must not be negative.
    pub fn parts(&self, q: Vec3) -> (f32, f32) {
        (self.face(q), hair(q, self.skull(q)))
    }

    /// Skull without facial features and neck.
    fn skull(&self, q: Vec3) -> f32 {
        let skull = ellipsoid(
            q,
            Vec3::new(0.0, 1.603, -0.016),
            Vec3::new(0.072, 0.078, 0.090),
        );
        smin(self.face.distance(q), skull, 0.02)
    }

    /// Distance to neck and face with closed lids; `q.x` must not be negative.
    pub fn face(&self, q: Vec3) -> f32 {
        let mut d = smin(self.skull(q), self.neck.distance(q), 0.018);
        if d < 0.05 {
            d = features(q, d);
            d = lids(q, d);
        }
        d
    }
}

fn features(q: Vec3, skull: f32) -> f32 {
    let mut d = skull;
    let blob = |d: f32, c: [f32; 3], r: [f32; 3], k: f32| {
        smin(d, ellipsoid(q, Vec3::from(c), Vec3::from(r)), k)
    };
    // Cheek bone, cheek, side of the jaw, chin, brow.
    d = blob(d, [0.0480, 1.5620, 0.0480], [0.0160, 0.0120, 0.0200], 0.022);
    d = blob(d, [0.0340, 1.5470, 0.0610], [0.0200, 0.0210, 0.0205], 0.026);
    d = blob(d, [0.0420, 1.5300, 0.0280], [0.0130, 0.0200, 0.0260], 0.026);
    d = blob(d, [0.0000, 1.4850, 0.0790], [0.0165, 0.0130, 0.0125], 0.018);
    let brow = cone(
        q,
        Vec3::new(0.012, 1.6040, 0.0835),
        Vec3::new(0.047, 1.6065, 0.0650),
        0.0078,
        0.0062,
    );
    d = smin(d, brow, 0.018);
    let hollow = ellipsoid(
        q,
        EYE + Vec3::new(0.0042, 0.0005, 0.0190),
        Vec3::new(0.0175, 0.0130, 0.0090),
    );
    d = smax(d, -hollow, 0.010);
    nose(q, mouth(q, d))
}

fn nose(q: Vec3, face: f32) -> f32 {
    let mut d = face;
    let bridge = cone(
        q,
        Vec3::new(0.0, 1.598, 0.0850),
        Vec3::new(0.0, 1.560, 0.0990),
        0.0056,
        0.0066,
    );
    d = smin(d, bridge, 0.013);
    let tip = ellipsoid(
        q,
        Vec3::new(0.0, 1.5510, 0.1010),
        Vec3::new(0.0078, 0.0074, 0.0088),
    );
    d = smin(d, tip, 0.009);
    let wing = ellipsoid(
        q,
        Vec3::new(0.0086, 1.5478, 0.0925),
        Vec3::new(0.0052, 0.0056, 0.0080),
    );
    d = smin(d, wing, 0.005);
    let nostril = ellipsoid(
        q,
        Vec3::new(0.0054, 1.5428, 0.0965),
        Vec3::new(0.0027, 0.0030, 0.0042),
    );
    smax(d, -nostril, 0.002)
}

fn mouth(q: Vec3, face: f32) -> f32 {
    let mut d = face;
    let at = |x: f32, up: f32, z: f32| Vec3::new(x, MOUTH + up, z);
    let upper = cone(
        q,
        at(0.0045, 0.0042, 0.0912),
        at(0.0235, 0.0006, 0.0782),
        0.0056,
        0.0026,
    );
    let lower = cone(
        q,
        at(0.0, -0.0052, 0.0904),
        at(0.0210, -0.0012, 0.0790),
        0.0066,
        0.0026,
    );
    d = smin(d, upper, 0.005);
    d = smin(d, lower, 0.005);
    let line = cone(
        q,
        at(0.0, 0.0, 0.1000),
        at(0.0250, 0.0008, 0.0850),
        0.0016,
        0.0010,
    );
    d = smax(d, -line, 0.0035);
    // The groove under the nose, and the one above the chin.
    let groove = cone(
        q,
        at(0.0, 0.0200, 0.0985),
        at(0.0, 0.0110, 0.0998),
        0.0026,
        0.0030,
    );
    d = smax(d, -groove, 0.004);
    let under = ellipsoid(q, at(0.0, -0.0190, 0.0985), Vec3::new(0.016, 0.006, 0.0080));
    d = smax(d, -under, 0.010);
    smin(d, ear(q), 0.005)
}

/// Distance to the ear; a lower bound far from it. `q.x` must not be negative.
pub fn ear(q: Vec3) -> f32 {
    let turn = Mat3::from_rotation_y(0.36) * Mat3::from_rotation_x(-0.16);
    let r = turn * (q - Vec3::new(0.0695, 1.5710, -0.0140));
    if r.length() > 0.06 {
        return r.length() - 0.035;
    }
    // Seen from the side: an egg, wide at the top, with a rim that fades into the lobe.
    let wide = 0.0150 + 0.0035 * smoothstep(-0.025, 0.020, r.y);
    let flat = Vec2::new(r.y / 0.0290, r.z / wide);
    let egg = (flat.length() - 1.0) * 0.020;
    let sheet = smax(egg, r.x.abs() - 0.0022, 0.003);
    let above = smoothstep(-0.020, -0.006, r.y);
    let rim = Vec2::new(egg + 0.0030, r.x - 0.0022).length() - 0.0030 * (0.45 + 0.55 * above);
    let fold = Vec2::new(
        egg + 0.0098 + 0.003 * smoothstep(0.0, 0.02, r.y),
        r.x - 0.0016,
    )
    .length()
        - 0.0020 * above;
    let lobe = ellipsoid(
        r,
        Vec3::new(0.0010, -0.0235, 0.0040),
        Vec3::new(0.0036, 0.0085, 0.0080),
    );
    let tragus = ellipsoid(
        r,
        Vec3::new(0.0020, -0.0040, 0.0155),
        Vec3::new(0.0034, 0.0055, 0.0045),
    );
    let mut ear = smin(sheet, rim, 0.003);
    ear = smin(ear, fold, 0.003);
    ear = smin(ear, lobe, 0.006);
    let bowl = ellipsoid(
        r,
        Vec3::new(0.0070, -0.0035, 0.0035),
        Vec3::new(0.0070, 0.0105, 0.0075),
    );
    ear = smax(ear, -bowl, 0.003);
    smin(ear, tragus, 0.004)
}

/// Closed lids: skin over the eyeball, with the fold of the upper one.
fn lids(q: Vec3, face: f32) -> f32 {
    let r = q - EYE;
    if r.z < 0.0 || r.length_squared() > 0.04 * 0.04 {
        return face;
    }
    let d = smin(face, r.length() - (EYE_RADIUS + LID), 0.0055);
    let (u, up) = eye_shape::across(q);
    let side = u.clamp(-1.0, 1.0);
    let window = (-(u * 0.86).powi(6)).exp();
    let fold = up - (0.70 * eye_shape::upper_edge(side) + 0.30);
    let bag = up - (0.70 * eye_shape::lower_edge(side) - 0.34);
    let bump = |x: f32, width: f32| (-(x / width).powi(2)).exp() * window;
    d + 0.0012 * bump(fold, 0.055) - 0.0006 * bump(fold - 0.17, 0.10) + 0.0004 * bump(bag, 0.07)
}

/// Distance behind the hairline, metres: a plane from forehead to nape, higher at the temples; `q.x` must not be negative.
pub fn behind_hairline(q: Vec3) -> f32 {
    let before = smoothstep(-0.02, 0.04, q.z);
    0.75 * q.y - 0.66 * q.z - 1.185 - before * 0.15 * (q.x - 0.020).max(0.0)
}

fn hair(q: Vec3, skull: f32) -> f32 {
    let mut cap = ellipsoid(q, CROWN, Vec3::new(0.0785, 0.0915, 0.1045));
    let behind = behind_hairline(q);
    if cap < 0.06 {
        let (around, _) = combed(q);
        // The hair starts at the skin and reaches its thickness after about 3 cm.
        let inside = smoothstep(-0.002, 0.032, behind);
        let locks = (around * 17.0).sin() + 0.6 * (around * 29.0 + 1.3).sin();
        cap += 0.0009 * locks * inside;
        cap = skull - 0.0008 + (cap - skull + 0.0008) * inside;
    }
    // The hair is tucked behind the ear.
    cap = smax(cap, 0.0055 - ear(q), 0.004);
    cap = smax(cap, -behind, 0.0015);
    smin(cap, knot(q), 0.008)
}

/// Distance to the hair knot.
pub fn knot(q: Vec3) -> f32 {
    let mut knot = ellipsoid(q, KNOT, Vec3::new(0.044, 0.042, 0.037));
    if knot < 0.05 {
        let r = q - KNOT;
        // One thick strand in a coil.
        knot += 0.0022 * (r.x.atan2(r.y) + r.truncate().length() * 330.0).sin();
    }
    knot
}

/// Direction from the centre of the skull to the hair knot.
pub fn to_knot() -> Vec3 {
    (KNOT - CROWN).normalize()
}

/// Angle about the axis from skull to knot, and angle from that axis, radians; strands run along the second.
pub fn combed(p: Vec3) -> (f32, f32) {
    let axis = to_knot();
    let side = axis.cross(Vec3::X);
    let r = (p - CROWN).normalize_or(axis);
    let around = r.x.atan2(-r.dot(side));
    (around, r.dot(axis).clamp(-1.0, 1.0).acos())
}
