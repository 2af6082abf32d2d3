//! Solves arms, by angles or by the position of the hand, and fingers. All computations are for the left side.

use glam::{Quat, Vec3};

use super::figure::{ArmJoints, Figure, FingerJoints};
use super::mirror;
use super::pose::{FigurePose, FigureSide, SidePose};
use super::two_bone::{turn_between, two_bone};

/// Bend of the joints of a closed finger and of a thumb, degrees.
const CLOSED: [f32; 3] = [80.0, 100.0, 70.0];
const THUMB: [f32; 3] = [25.0, 45.0, 60.0];
/// Bend of a mitten hand, degrees.
const MITTEN_BEND: f32 = 100.0;
/// Maximum spread of index and little finger from the middle one, degrees.
const MAX_SPREAD: f32 = 18.0;
/// Default direction of elbows, relative to the chest.
const DEFAULT_ELBOW: Vec3 = Vec3::new(0.3, -0.8, -0.65);
/// Fraction of a hand's twist that the forearm takes without helper bones.
const FOREARM_TWIST: f32 = 0.5;

/// Computes the rotations of one arm's bones; returns the distance by which the hand misses its target, metres.
pub(super) fn solve(
    figure: &Figure,
    pose: &FigurePose,
    side: FigureSide,
    hips: Vec3,
    rotations: &mut [Quat],
) -> f32 {
    let joints = &figure.arms[usize::from(side == FigureSide::Right)];
    let limb = SidePose::new(pose, side);
    let mut shoulder = Quat::IDENTITY;
    if let Some(bone) = joints.shoulder {
        shoulder = shoulder_turn(&limb);
        rotations[bone] = on_side(shoulder, side);
    }
    let by_angles = angled(joints, &limb, shoulder);
    let goal = HandGoal::new(figure, pose, side, hips, rotations);
    let above = goal.chest_turn * shoulder;
    let hold = limb.number("hand", "hold").clamp(0.0, 1.0);
    let mut turns = by_angles;
    let mut miss = 0.0;
    if hold > 0.0 {
        let from = figure.matrix(rotations, hips, joints.upper).translation;
        let (reached, missed) = goal.reach(Vec3::from(from) * goal.across, above, by_angles[2]);
        for (turn, reached) in turns.iter_mut().zip(reached) {
            *turn = turn.slerp(near(reached, *turn), hold);
        }
        miss = missed * if hold > 0.999 { 1.0 } else { 0.0 };
    } else if goal.faced > 0.0 {
        let lower = above * turns[0] * turns[1];
        turns[2] = lower.inverse() * goal.hand_turn(lower, turns[2]);
    }
    if !joints.twists {
        distribute_twist(&mut turns, joints.along[1]);
    }
    for (bone, turn) in [joints.upper, joints.lower, joints.hand]
        .into_iter()
        .zip(turns)
    {
        rotations[bone] = on_side(turn, side);
    }
    close(joints, &limb, &|q| on_side(q, side), rotations);
    miss
}

/// Converts a rotation of the left side to `side`.
fn on_side(q: Quat, side: FigureSide) -> Quat {
    match side {
        FigureSide::Left => q,
        FigureSide::Right => mirror(q),
    }
}

fn shoulder_turn(limb: &SidePose) -> Quat {
    Quat::from_rotation_z(limb.angle("arm", "lift"))
        * Quat::from_rotation_y(-limb.angle("arm", "reach"))
}

/// Local rotations of the upper arm, the forearm and the hand from the angles of a pose.
fn angled(joints: &ArmJoints, limb: &SidePose, shoulder: Quat) -> [Quat; 3] {
    let n = |name: &str| limb.angle("arm", name);
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
    [shoulder.inverse() * upper, lower, roll * wrist]
}

/// Target position and direction of a hand, in model space, as for the left arm.
struct HandGoal<'a> {
    joints: &'a ArmJoints,
    /// Factors that mirror model-space vectors for the right side.
    across: Vec3,
    chest_turn: Quat,
    /// Position of the palm.
    at: Vec3,
    fingers: Vec3,
    palm: Vec3,
    elbow: Vec3,
    /// Fraction by which the hand follows `fingers` and `palm`, 0 to 1.
    faced: f32,
}

impl<'a> HandGoal<'a> {
    fn new(
        figure: &'a Figure,
        pose: &FigurePose,
        side: FigureSide,
        hips: Vec3,
        rotations: &[Quat],
    ) -> Self {
        let k = usize::from(side == FigureSide::Right);
        let limb = SidePose::new(pose, side);
        let across = Vec3::new(side.sign(), 1.0, 1.0);
        let chest = figure.matrix(rotations, hips, figure.chest);
        let hung = figure.hung(pose.on[k]);
        let carrier = hung.map(|(bone, rest)| (figure.matrix(rotations, hips, bone), rest));
        let direction = |name: &str| {
            let way = limb.vector("hand", name);
            let way = match &carrier {
                Some((matrix, ..)) => matrix.transform_vector3(way),
                None => way,
            };
            way * across
        };
        let (fingers, palm) = (direction("fingers"), direction("palm"));
        let (s, at) = (figure.scale, limb.vector("hand", "at"));
        let at = match &carrier {
            Some((matrix, rest)) => matrix.transform_point3((at - *rest) * s),
            None => at * s,
        };
        Self {
            joints: &figure.arms[k],
            across,
            chest_turn: on_side(Quat::from_mat3a(&chest.matrix3), side),
            at: at * across,
            fingers,
            palm,
            elbow: direction("elbow"),
            faced: fingers.length().max(palm.length()).min(1.0),
        }
    }

    /// Rotation of the hand in model space, from the forearm's rotation and the hand's own free rotation.
    fn hand_turn(&self, lower: Quat, free: Quat) -> Quat {
        let natural = lower * free;
        if self.faced < 1e-3 {
            return natural;
        }
        let rest = [self.joints.along[2], self.joints.palm];
        let fingers = self.fingers.try_normalize();
        let palm = self.palm.try_normalize();
        let asked = [
            fingers.unwrap_or(natural * rest[0]),
            palm.unwrap_or(natural * rest[1]),
        ];
        natural.slerp(turn_between(rest, asked), self.faced)
    }

    /// Local rotations of the upper arm, the forearm and the hand that bring the palm to its target, and the remaining
    /// distance, metres. The upper arm starts at `from`; `above` is the rotation of the parent, `free` the hand's own.
    fn reach(&self, from: Vec3, above: Quat, free: Quat) -> ([Quat; 3], f32) {
        let joints = self.joints;
        let [along_upper, along_lower, along_hand] = joints.along;
        let [a, b, to_palm] = joints.lengths;
        let natural = self.chest_turn * DEFAULT_ELBOW.normalize();
        let toward = natural.lerp(
            self.elbow.normalize_or(natural),
            self.elbow.length().min(1.0),
        );
        let mut wrist_at = self.at;
        let mut solved = [Quat::IDENTITY; 3];
        let mut miss = 0.0;
        // The palm's position depends on the hand's rotation, which depends on the forearm.
        for _ in 0..8 {
            let bent = two_bone(from, wrist_at, toward, [a, b]);
            let hinge = bent.hinge;
            let upper = turn_between([along_upper, joints.hinge], [-bent.upper, hinge]);
            let lower = turn_between([along_lower, joints.hinge], [-bent.lower, hinge]);
            let hand = self.hand_turn(lower, free);
            let wrist = from - bent.upper * a - bent.lower * b;
            let palm = wrist + hand * along_hand * to_palm;
            miss = palm.distance(self.at);
            wrist_at += self.at - palm;
            solved = [
                above.inverse() * upper,
                upper.inverse() * lower,
                lower.inverse() * hand,
            ];
        }
        (solved, miss)
    }
}

/// Moves a fraction of the hand's twist about the forearm to the forearm.
fn distribute_twist([_, lower, hand]: &mut [Quat; 3], along_lower: Vec3) {
    let twist = twist_about(*hand, along_lower) * FOREARM_TWIST;
    let part = Quat::from_axis_angle(along_lower, twist);
    *lower *= part;
    *hand = part.inverse() * *hand;
}

fn near(q: Quat, other: Quat) -> Quat {
    if q.dot(other) < 0.0 { -q } else { q }
}

/// Twist of a rotation about an axis, radians, -π to π.
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
        let aside = (1.0 - k as f32) * MAX_SPREAD * spread * (1.0 - own).clamp(0.0, 1.0);
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
        let turn = Quat::from_axis_angle(row, ((curl + cup) * MITTEN_BEND).to_radians());
        rotations[bone] = own(turn);
    }
}
