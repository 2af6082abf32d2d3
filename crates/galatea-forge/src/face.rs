//! Morph target offsets of the face, and its painted colours.

use glam::Vec3;

use super::{body::BodyField, head::MOUTH, sdf::smoothstep};

/// Names of the morph targets, in order. The lids of the first, third and fourth are made in `eyes`.
pub(crate) const TARGETS: [&str; 9] = [
    "blink",
    "smile",
    "blink_left",
    "blink_right",
    "brows_up",
    "brows_down",
    "brows_sad",
    "frown",
    "pucker",
];

/// Offsets of all targets at a point of the face, metres. `blink` is the movement of the lids there, `side` the side of the
/// face (0: from the sign of x).
pub fn offsets(p: Vec3, blink: Vec3, side: f32) -> [Vec3; TARGETS.len()] {
    let left = if side == 0.0 { p.x > 0.0 } else { side > 0.0 };
    let only = |yes: bool| if yes { blink } else { Vec3::ZERO };
    let mut all = [Vec3::ZERO; TARGETS.len()];
    if p.y < 1.44 || p.z < 0.0 {
        return all;
    }
    all[0] = blink;
    all[2] = only(left);
    all[3] = only(!left);
    let q = Vec3::new(p.x.abs(), p.y, p.z);
    let out = p.x.signum();
    let spot = |x: f32, y: f32, z: f32, r: [f32; 3]| {
        (-((q - Vec3::new(x, y, z)) / Vec3::from(r)).length_squared()).exp()
    };
    let push = |x: f32, y: f32, z: f32, weight: f32| Vec3::new(x * out, y, z) * weight;
    let corner = spot(0.0245, MOUTH + 0.0010, 0.080, [0.0130, 0.0140, 0.030]);
    let cheek = spot(0.0410, 1.5490, 0.062, [0.0180, 0.0150, 0.030]);
    let under_eye = spot(0.0320, 1.5690, 0.075, [0.0200, 0.0060, 0.030]);
    all[1] = push(0.0046, 0.0062, -0.0026, corner)
        + push(0.0010, 0.0034, 0.0026, cheek)
        + push(0.0, 0.0012, 0.0004, under_eye);
    let brow = |x: f32, wide: f32| spot(x, 1.6070, 0.080, [wide, 0.0130, 0.030]);
    all[4] = push(
        0.0,
        0.0058,
        0.0006,
        brow(0.030, 0.026).max(brow(0.014, 0.016)),
    );
    all[5] = push(-0.0022, -0.0062, 0.0010, brow(0.0130, 0.0140))
        + push(0.0, -0.0012, 0.0, brow(0.0400, 0.0140));
    all[6] = push(-0.0012, 0.0064, 0.0008, brow(0.0120, 0.0125))
        + push(0.0, -0.0030, 0.0, brow(0.0430, 0.0150));
    all[7] = push(0.0004, -0.0056, -0.0006, corner)
        + Vec3::new(0.0, 0.0012, 0.0010) * spot(0.0, MOUTH - 0.008, 0.092, [0.014, 0.006, 0.03]);
    let lips = spot(0.0, MOUTH, 0.094, [0.0150, 0.0130, 0.030]);
    all[8] = push(-0.0082, 0.0, 0.0010, corner) + Vec3::new(0.0, 0.0, 0.0042) * lips;
    all
}

/// Soft shadows from the field and a little blush: linear factors of the base colour.
pub fn shade(p: Vec3, normal: Vec3, body: &BodyField) -> Vec3 {
    let mut open = 0.0;
    for (reach, weight) in [(0.008, 0.40), (0.020, 0.35), (0.045, 0.25)] {
        let seen = body.distance(p + normal * reach) / reach;
        open += weight * seen.clamp(0.0, 1.0);
    }
    let depth = if p.y > 1.47 && p.z > 0.0 { 0.20 } else { 0.40 };
    let grey = Vec3::splat(1.0 - depth + depth * open);
    grey * blush(p)
}

/// Blush: warmer on cheeks, nose and ears, paler under the eyes.
pub(crate) fn blush(p: Vec3) -> Vec3 {
    if p.y < 1.46 {
        return Vec3::ONE;
    }
    let q = Vec3::new(p.x.abs(), p.y, p.z);
    let spot =
        |c: [f32; 3], r: [f32; 3]| (-((q - Vec3::from(c)) / Vec3::from(r)).length_squared()).exp();
    let cheek = spot([0.0430, 1.5490, 0.066], [0.0190, 0.0140, 0.030]);
    let nose = spot([0.0, 1.5500, 0.108], [0.0100, 0.0090, 0.014]);
    let nostril = spot([0.0054, 1.5415, 0.096], [0.0036, 0.0032, 0.006]);
    let ear = smoothstep(0.066, 0.076, q.x) * spot([0.075, 1.570, -0.014], [0.03, 0.04, 0.03]);
    let warm = (0.62 * cheek + 0.40 * nose + 0.55 * ear).min(1.0);
    Vec3::ONE.lerp(Vec3::new(1.0, 0.70, 0.64), warm) * (1.0 - 0.75 * nostril)
}
