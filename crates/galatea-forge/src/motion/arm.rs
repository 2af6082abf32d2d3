//! Arms, by angles or by the place of the hand, and fingers. All is reckoned as if it were the left side.

use glam::{Quat, Vec3};

use super::figure::{ArmJoints, Figure, FingerJoints};
use super::mirror;
use super::pose::{FigurePose, FigureSide, SidePose};
use super::two_bone::{turn_between, two_bone};

/// Degrees by which the joints of a closed finger are bent, and those of a thumb.
const CLOSED: [f32; 3] = [80.0, 100.0, 70.0];
const THUMB: [f32; 3] = [25.0, 45.0, 60.0];
/// Degrees of a mitten.
const MITTEN: f32 = 100.0;
/// Degrees by which index and little finger are spread from the middle one at most.
const SPREAD: f32 = 18.0;
/// Where elbows point, against the chest, unless something else is said.
const ELBOW: Vec3 = Vec3::new(0.3, -0.8, -0.65);
/// The share of a turn of the hand that the forearm has where no helper has it.
const FOREARM: f32 = 0.5;

/// Turns the bones of one arm; gives the metres by which the hand is short of its place.
pub(super) fn solve(
    figure: &Figure,
    pose: &FigurePose,
    side: FigureSide,
    hips: Vec3,
    rotations: &mut [Quat],
) -> f32 {
    let k = usize::from(side == FigureSide::Right);
    let joints = &figure.arms[k];
    let limb = SidePose::new(pose, side);
    let across = Vec3::new(side.sign(), 1.0, 1.0);
    let own = |q: Quat| if k == 0 { q } else { mirror(q) };
    let n = |name: &str| limb.angle("arm", name);

    let shoulder = Quat::from_rotation_z(n("lift")) * Quat::from_rotation_y(-n("reach"));
    let shoulder = match joints.shoulder {
        Some(bone) => {
            rotations[bone] = own(shoulder);
            shoulder
        }
        None => Quat::IDENTITY,
    };
    let [_, along_lower, along_hand] = joints.along;
    let upper = Quat::from_rotation_x(-n("swing"))
        * Quat::from_rotation_z(n("out"))
        * Quat::from_rotation_y(n("twist"))
        * joints.drop;
    let row = along_hand.cross(joints.palm);
    let lower = Quat::from_axis_angle(joints.hinge, n("elbow"));
    let wrist =
        Quat::from_axis_angle(row, n("wrist")) * Quat::from_axis_angle(joints.palm, n("tilt"));
    let roll = Quat::from_axis_angle(-along_lower, n("roll"));
    let by_angles = [shoulder.inverse() * upper, lower, roll * wrist];

    // Where the chest is, as the left arm would have it.
    let chest = figure.matrix(rotations, hips, figure.chest);
    let chest_turn = own(Quat::from_mat3a(&chest.matrix3));
    let hung = figure.hung(pose.on[k]);
    let carrier = hung.map(|(bone, rest)| (figure.matrix(rotations, hips, bone), rest));
    let way = |name: &str| {
        let way = limb.vector("hand", name);
        let way = match &carrier {
            Some((matrix, ..)) => matrix.transform_vector3(way),
            None => way,
        };
        way * across
    };
    let hold = limb.number("hand", "hold").clamp(0.0, 1.0);
    let (fingers, palm) = (way("fingers"), way("palm"));
    let faced = fingers.length().max(palm.length()).min(1.0);
    // The turn of the hand in the model, by a forearm's.
    let hand_of = |lower: Quat, free: Quat| {
        let natural = lower * free;
        if faced < 1e-3 {
            return natural;
        }
        let fingers = fingers.try_normalize().unwrap_or(natural * along_hand);
        let palm = palm.try_normalize().unwrap_or(natural * joints.palm);
        let faces = turn_between([along_hand, joints.palm], [fingers, palm]);
        natural.slerp(faces, faced)
    };
    let [mut one, mut two, mut three] = by_angles;
    let mut miss = 0.0;
    if hold > 0.0 {
        let s = figure.scale;
        let at = limb.vector("hand", "at");
        let at = match &carrier {
            Some((matrix, rest)) => matrix.transform_point3((at - *rest) * s),
            None => at * s,
        };
        let from = figure.matrix(rotations, hips, joints.upper).translation;
        let (at, from) = (at * across, Vec3::from(from) * across);
        let asked = way("elbow");
        let natural = chest_turn * ELBOW.normalize();
        let toward = natural.lerp(asked.normalize_or(natural), asked.length().min(1.0));
        let mut wrist_at = at;
        let [a, b, to_palm] = joints.lengths;
        let mut solved = [Quat::IDENTITY; 3];
        // The palm's place depends on how the hand turns, and that on the forearm.
        for _ in 0..8 {
            let bent = two_bone(from, wrist_at, toward, [a, b]);
            let hinge = bent.hinge;
            let upper = turn_between([joints.along[0], joints.hinge], [-bent.upper, hinge]);
            let lower = turn_between([along_lower, joints.hinge], [-bent.lower, hinge]);
            let hand = hand_of(lower, by_angles[2]);
            let wrist = from - bent.upper * a - bent.lower * b;
            let palm = wrist + hand * along_hand * to_palm;
            miss = palm.distance(at);
            wrist_at += at - palm;
            let above = chest_turn * shoulder;
            solved = [
                above.inverse() * upper,
                upper.inverse() * lower,
                lower.inverse() * hand,
            ];
        }
        one = one.slerp(near(solved[0], one), hold);
        two = two.slerp(near(solved[1], two), hold);
        three = three.slerp(near(solved[2], three), hold);
        miss *= if hold > 0.999 { 1.0 } else { 0.0 };
    } else if faced > 0.0 {
        let lower = chest_turn * shoulder * one * two;
        three = lower.inverse() * hand_of(lower, three);
    }
    if !joints.twists {
        // What the hand turns about the forearm's length begins in the forearm.
        let twist = twist_about(three, along_lower) * FOREARM;
        let part = Quat::from_axis_angle(along_lower, twist);
        two *= part;
        three = part.inverse() * three;
    }
    rotations[joints.upper] = own(one);
    rotations[joints.lower] = own(two);
    rotations[joints.hand] = own(three);
    close(joints, &limb, &own, rotations);
    miss
}

fn near(q: Quat, other: Quat) -> Quat {
    if q.dot(other) < 0.0 { -q } else { q }
}

/// Radians by which a turn twists about an axis, -π to π.
fn twist_about(q: Quat, axis: Vec3) -> f32 {
    let along = q.xyz().dot(axis);
    let angle = 2.0 * along.atan2(q.w);
    let round = std::f32::consts::TAU;
    (angle + round / 2.0).rem_euclid(round) - round / 2.0
}

fn close(joints: &ArmJoints, limb: &SidePose, own: &impl Fn(Quat) -> Quat, rotations: &mut [Quat]) {
    let n = |name: &str| limb.number("hand", name);
    let (curl, spread, cup) = (n("curl"), n("spread"), n("cup"));
    let names = ["index", "middle", "ring", "little"];
    let mut bend =
        |finger: &FingerJoints, i: usize, share: f32, degrees: &[f32; 3], aside: Quat| {
            if let (Some(bone), Some(most)) = (finger.joints.get(i), degrees.get(i)) {
                let closed = Quat::from_axis_angle(finger.hinge, (share * most).to_radians());
                rotations[*bone] = own(aside * closed);
            }
        };
    for (k, finger) in joints.fingers.iter().enumerate() {
        let own = curl + n(names[k]);
        let aside = (1.0 - k as f32) * SPREAD * spread * (1.0 - own).clamp(0.0, 1.0);
        let aside = Quat::from_axis_angle(finger.spread, aside.to_radians());
        bend(finger, 0, own + cup, &CLOSED, aside);
        bend(finger, 1, own, &CLOSED, Quat::IDENTITY);
        bend(finger, 2, own, &CLOSED, Quat::IDENTITY);
    }
    let (thumb, oppose) = (n("thumb"), n("oppose"));
    let across = Quat::from_axis_angle(joints.thumb.spread, (28.0 * oppose).to_radians());
    bend(&joints.thumb, 0, thumb, &THUMB, across);
    bend(&joints.thumb, 1, thumb, &THUMB, Quat::IDENTITY);
    bend(&joints.thumb, 2, thumb, &THUMB, Quat::IDENTITY);
    if let Some(bone) = joints.mitten {
        let row = joints.along[2].cross(joints.palm);
        let turn = Quat::from_axis_angle(row, ((curl + cup) * MITTEN).to_radians());
        rotations[bone] = own(turn);
    }
}
