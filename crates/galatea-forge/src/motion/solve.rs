//! Solves a pose: computes bone rotations.

use glam::{Affine3A, Quat, Vec3};

use super::arm;
use super::figure::{Figure, LegJoints};
use super::pose::{FigurePose, FigureSide, SidePose, of_trunk};
use super::turn;
use super::two_bone::{turn_between, two_bone};

/// Bone rotations of a figure.
#[derive(Clone, Debug)]
pub struct Solved {
    /// Local rotation of every bone.
    pub rotations: Vec<Quat>,
    /// Position of the hips in the model, metres.
    pub hips: Vec3,
    /// Position and yaw of the root motion, if the hips are a child of a root bone.
    pub root: Option<(Vec3, f32)>,
    /// Distances by which feet and hands missed their targets, metres.
    pub miss: [f32; 4],
}

/// Fraction of the bend from pelvis to chest that the spine takes.
const SPINE_FRACTION: f32 = 0.45;

/// Applies a pose to a figure.
pub fn solve(figure: &Figure, pose: &FigurePose) -> Solved {
    let mut rotations = vec![Quat::IDENTITY; figure.joints.len()];
    let s = figure.scale;
    let body = turn(of_trunk(pose, "", "body"));
    let of = |name: &str| body * turn(of_trunk(pose, "", name));
    let (pelvis, chest, head) = (of("pelvis"), of("chest"), of("head"));
    let hips = figure.joints[figure.hips].rest_position + of_trunk(pose, "", "hips") * s;

    let root = (figure.root.is_some()).then(|| {
        let at = of_trunk(pose, "root", "at") * s;
        (at, of_trunk(pose, "root", "turn").x.to_radians())
    });
    rotations[figure.hips] = pelvis;
    let bend = pelvis.inverse() * chest;
    let breath = Quat::from_rotation_x(-of_trunk(pose, "", "breath").x.to_radians());
    match figure.spine {
        Some(spine) => {
            let half = Quat::IDENTITY.slerp(bend, SPINE_FRACTION);
            rotations[spine] = half;
            rotations[figure.chest] = half.inverse() * bend * breath;
        }
        None => rotations[figure.chest] = bend * breath,
    }
    let rise = (chest * breath).inverse() * head;
    match figure.neck {
        Some(neck) => {
            let half = Quat::IDENTITY.slerp(rise, 0.5);
            rotations[neck] = half;
            rotations[figure.head] = half.inverse() * rise;
        }
        None => rotations[figure.head] = rise,
    }
    for eye in figure.eyes.into_iter().flatten() {
        rotations[eye] = turn(of_trunk(pose, "", "eyes"));
    }
    let mut miss = [0.0; 4];
    for (k, side) in FigureSide::BOTH.into_iter().enumerate() {
        let limb = SidePose::new(pose, side);
        let hip = hips
            + pelvis * (figure.legs[k].positions[0] - figure.joints[figure.hips].rest_position);
        miss[k] = leg(&figure.legs[k], side, &limb, s, pelvis, hip, &mut rotations);
    }
    for (k, side) in FigureSide::BOTH.into_iter().enumerate() {
        miss[k + 2] = arm::solve(figure, pose, side, hips, &mut rotations);
    }
    for q in &mut rotations {
        *q = q.normalize();
    }
    Solved {
        rotations,
        hips,
        root,
        miss,
    }
}

/// Bend of toes on the ground, degrees.
pub(super) fn toes_on_ground(pitch: f32, height: f32) -> f32 {
    // In the air the toes hang instead.
    let hang = (height / 0.16).clamp(0.0, 1.0);
    -pitch.clamp(0.0, 75.0) * (1.0 - 0.8 * hang)
}

/// Position of the ankle from that of the sole: above the ball if the heel is lifted, above the heel if the toes are.
pub(super) fn ankle_over(
    sole: Vec3,
    foot: Quat,
    turned: Quat,
    places: &[Vec3; 6],
    pitch: f32,
) -> Vec3 {
    let [_, _, ankle, ball, heel, _] = *places;
    let under = ankle.with_y(0.0);
    let pivot = if pitch > 0.0 { ball } else { heel };
    sole + turned * (pivot - under) + foot * (ankle - pivot)
}

fn leg(
    joints: &LegJoints,
    side: FigureSide,
    limb: &SidePose,
    s: f32,
    pelvis: Quat,
    hip: Vec3,
    rotations: &mut [Quat],
) -> f32 {
    let out = side.sign();
    let [rest_hip, rest_knee, rest_ankle, ..] = joints.positions;
    let at = limb.vector("foot", "at");
    let turned = Quat::from_rotation_y(out * limb.angle("foot", "turn"))
        * Quat::from_rotation_z(out * limb.angle("foot", "tilt"));
    let pitch = limb.number("foot", "pitch");
    let foot = turned * Quat::from_rotation_x(pitch.to_radians());
    let sole = rest_ankle.with_y(0.0) + at * s;
    let ankle = ankle_over(sole, foot, turned, &joints.positions, pitch);
    let natural = (pelvis * Vec3::Z * 0.5 + foot * Vec3::Z).normalize_or(Vec3::Z);
    let knee_direction = limb.vector("foot", "knee");
    let toward = natural.lerp(
        knee_direction.normalize_or(natural),
        knee_direction.length().min(1.0),
    );
    let lengths = [rest_hip.distance(rest_knee), rest_knee.distance(rest_ankle)];
    let bent = two_bone(hip, ankle, toward, lengths);
    let thigh = turn_between([rest_hip - rest_knee, Vec3::X], [bent.upper, bent.hinge]);
    let shin = turn_between([rest_knee - rest_ankle, Vec3::X], [bent.lower, bent.hinge]);
    rotations[joints.upper] = pelvis.inverse() * thigh;
    rotations[joints.lower] = thigh.inverse() * shin;
    rotations[joints.foot] = shin.inverse() * foot;
    if let Some(toes) = joints.toes {
        let bend = toes_on_ground(pitch, at.y) + limb.number("foot", "toes");
        rotations[toes] = Quat::from_rotation_x(bend.to_radians());
    }
    bent.miss
}

/// Model-space position of a point of the rest pose that is attached to a bone.
pub(super) fn attached_point(figure: &Figure, solved: &Solved, bone: usize, rest: Vec3) -> Vec3 {
    let matrix: Affine3A = figure.matrix(&solved.rotations, solved.hips, bone);
    matrix.transform_point3(rest - figure.joints[bone].rest_position)
}
