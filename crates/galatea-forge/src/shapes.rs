//! Face shapes: offsets of the targets `shape.…`, as smooth fields over the face.
//!
//! No offset is larger than a blink, and hair and clothes do not move, so the model's bounds stay the same.

use glam::{Mat3, Vec3};

use super::{
    head::{MOUTH, behind_hairline},
    rig::EYE,
    sdf::smoothstep,
};

/// Names of the morph targets, in order.
pub const SHAPES: [&str; 14] = [
    "shape.face_width",
    "shape.face_length",
    "shape.jaw_width",
    "shape.chin",
    "shape.cheekbones",
    "shape.nose_width",
    "shape.nose_length",
    "shape.nose_bridge",
    "shape.mouth_width",
    "shape.lips",
    "shape.eye_size",
    "shape.eye_spacing",
    "shape.brow_height",
    "shape.ears",
];

/// Offsets of all targets at a point of the face at weight 1, metres.
pub fn offsets(p: Vec3) -> [Vec3; SHAPES.len()] {
    let mut all = [Vec3::ZERO; SHAPES.len()];
    if p.y < 1.44 || p.y > 1.70 {
        return all;
    }
    let q = Vec3::new(p.x.abs(), p.y, p.z);
    let spot = |x: f32, y: f32, z: f32, r: [f32; 3]| {
        (-((q - Vec3::new(x, y, z)) / Vec3::from(r)).length_squared()).exp()
    };
    // Offsets of the left half, mirrored below. Sideways offsets start with 0 in the middle.
    let face = smoothstep(0.0, -0.022, behind_hairline(q)) * smoothstep(1.452, 1.482, q.y);
    let front = smoothstep(0.0, 0.045, q.z);
    let side = |x: f32| (q.x / x).min(1.0);
    all[0] = Vec3::X * (0.085 * q.x * face * smoothstep(-0.03, 0.03, q.z));
    let below = smoothstep(1.556, 1.484, q.y);
    all[1] = Vec3::new(0.0, -0.0085, 0.0) * (below * face * front);
    let jaw = spot(0.044, 1.506, 0.030, [0.020, 0.026, 0.042]);
    all[2] = Vec3::new(0.0075, -0.0012, 0.0) * (jaw * side(0.02) * face);
    let chin = spot(0.0, 1.486, 0.080, [0.019, 0.015, 0.028]);
    all[3] = Vec3::new(0.0, -0.0026, 0.0072) * (chin * face);
    let bone = spot(0.048, 1.558, 0.050, [0.019, 0.016, 0.030]);
    all[4] = Vec3::new(0.0056, 0.0008, 0.0036) * (bone * side(0.02) * face);
    let wings = spot(0.009, 1.5475, 0.094, [0.010, 0.011, 0.017]);
    all[5] = Vec3::new(0.0050, 0.0, -0.0006) * (wings * side(0.008));
    let tip = spot(0.0, 1.5495, 0.102, [0.013, 0.013, 0.017]);
    all[6] = Vec3::new(0.0, -0.0056, 0.0046) * tip;
    let bridge = spot(0.0, 1.5760, 0.096, [0.009, 0.020, 0.018]);
    all[7] = Vec3::new(0.0, 0.0, 0.0062) * bridge;
    let mouth = spot(0.020, MOUTH, 0.083, [0.016, 0.012, 0.030]);
    all[8] = Vec3::new(0.0062, 0.0, -0.0018) * (mouth * side(0.016));
    let lips = spot(0.0, MOUTH, 0.090, [0.019, 0.0095, 0.028]);
    let apart = ((q.y - MOUTH) / 0.0028).tanh();
    all[9] = Vec3::new(0.0, 0.0030 * apart, 0.0034 * apart.abs()) * lips;
    // In the middle of the face nothing moves sideways.
    all[10] = lids(q) * Vec3::new(side(0.010), 1.0, 1.0);
    let around = spot(EYE.x, EYE.y + 0.004, EYE.z + 0.012, [0.020, 0.021, 0.034]);
    all[11] = Vec3::new(0.0050, 0.0, -0.0008) * (around * side(0.010));
    let brow = spot(0.031, 1.6065, 0.078, [0.027, 0.0125, 0.030]);
    all[12] = Vec3::new(0.0, 0.0056, 0.0010) * brow;
    all[13] = ear(q);
    if p.x < 0.0 {
        for offset in &mut all {
            offset.x = -offset.x;
        }
    }
    all
}

/// Enlarges the eye opening over the ball: no vertex moves nearer to its centre.
fn lids(q: Vec3) -> Vec3 {
    let r = q - EYE;
    if r.z < 0.0 {
        return Vec3::ZERO;
    }
    let away = r.truncate() / 0.019;
    let share = (-away.length_squared()).exp() * smoothstep(0.0, 0.008, r.z);
    let grown = r + (r.truncate() * (0.20 * share)).extend(0.0);
    grown.normalize_or(Vec3::Z) * r.length() - r
}

/// Enlarges the ear away from its base on the head.
fn ear(q: Vec3) -> Vec3 {
    let root = Vec3::new(0.0655, 1.5700, -0.0100);
    let r = q - root;
    let share = smoothstep(0.001, 0.011, r.x)
        * (-(r / Vec3::new(0.030, 0.046, 0.036)).powf(2.0).element_sum()).exp();
    Vec3::new(0.30 * r.x, 0.24 * r.y, 0.16 * r.z) * share
}

/// Change of a normal by a target at weight 1, so that it is perpendicular to the moved surface.
pub fn turned(p: Vec3, normal: Vec3, target: usize) -> Vec3 {
    const STEP: f32 = 4e-4;
    let along = |axis: Vec3| {
        let [ahead, behind] = [axis, -axis].map(|to| offsets(p + to * STEP)[target]);
        axis + (ahead - behind) / (2.0 * STEP)
    };
    let moved = Mat3::from_cols(along(Vec3::X), along(Vec3::Y), along(Vec3::Z));
    if moved.determinant() < 0.05 {
        return Vec3::ZERO;
    }
    (moved.inverse().transpose() * normal).normalize_or(normal) - normal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::shared;

    #[test]
    fn shapes_are_even_on_both_sides_and_smaller_than_a_blink() {
        let model = shared();
        let mesh = &model.meshes[0];
        let first = mesh
            .morph_names
            .iter()
            .position(|name| name == SHAPES[0])
            .unwrap();
        assert_eq!(mesh.morph_names[first..], SHAPES);
        let length = |targets: &[galatea_asset::model::MorphTarget]| {
            let all = targets.iter().flat_map(|target| &target.positions);
            all.map(|offset| offset.length()).fold(0.0, f32::max)
        };
        let skin = &mesh.primitives[0];
        assert!(length(&skin.targets[first..]) < length(&skin.targets[..first]));
        for (i, name) in SHAPES.iter().enumerate() {
            let moved = skin.targets[first + i]
                .positions
                .iter()
                .filter(|o| o.length() > 5e-4);
            assert!(moved.count() > 20, "{name}");
        }
        for p in &skin.positions {
            let mirror = Vec3::new(-1.0, 1.0, 1.0);
            for (a, b) in offsets(*p).iter().zip(offsets(*p * mirror)) {
                let off = (*a * mirror - b).length();
                assert!(off < 1e-5, "{p}: {off} m");
            }
        }
    }

    #[test]
    fn normals_are_perpendicular_to_the_moved_surface() {
        // A small triangle on the original and on the moved surface.
        for (target, name) in SHAPES.iter().enumerate() {
            for p in [
                Vec3::new(0.012, 1.55, 0.095),
                Vec3::new(0.04, 1.56, 0.06),
                Vec3::new(0.03, 1.6, 0.08),
            ] {
                let normal = Vec3::new(0.3, 0.2, 0.9).normalize();
                let (u, v) = normal.any_orthonormal_pair();
                let at = |step: Vec3| p + step + offsets(p + step)[target];
                let [a, b] = [u, v].map(|side| at(side * 2e-4) - at(side * -2e-4));
                let found = (normal + turned(p, normal, target)).normalize();
                let expected = a.cross(b).normalize();
                let expected = expected * expected.dot(normal).signum();
                assert!(found.dot(expected) > 0.999, "{name}: {found} {expected}");
            }
        }
    }
}
