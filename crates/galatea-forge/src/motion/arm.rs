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
        share_twist(&mut turns, joints.along[1]);
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

/// A turn of the left side as `side` has it.
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

/// Turns of the upper arm, the forearm and the hand from their parents by the angles of a pose.
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

/// Position and direction that a pose asks of a hand, in the model as the left arm would have it.
struct HandGoal<'a> {
    joints: &'a ArmJoints,
    /// Factors that mirror vectors of the model for the right side.
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

    /// The turn of the hand in the model, by the forearm's and by the hand's own where it is free.
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

    /// Turns of the upper arm, the forearm and the hand from their parents that bring the palm to its position, and the
    /// remaining distance, metres. The upper arm begins at `from`; `above` is the turn of its parent, `free` the
    /// hand's own.
    fn reach(&self, from: Vec3, above: Quat, free: Quat) -> ([Quat; 3], f32) {
        let joints = self.joints;
        let [along_upper, along_lower, along_hand] = joints.along;
        let [a, b, to_palm] = joints.lengths;
        let natural = self.chest_turn * ELBOW.normalize();
        let toward = natural.lerp(
            self.elbow.normalize_or(natural),
            self.elbow.length().min(1.0),
        );
        let mut wrist_at = self.at;
        let mut solved = [Quat::IDENTITY; 3];
        let mut miss = 0.0;
        // The palm's place depends on how the hand turns, and that on the forearm.
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

/// Gives the forearm its share of the hand's turn about the forearm's length.
fn share_twist([_, lower, hand]: &mut [Quat; 3], along_lower: Vec3) {
    let twist = twist_about(*hand, along_lower) * FOREARM;
    let part = Quat::from_axis_angle(along_lower, twist);
    *lower *= part;
    *hand = part.inverse() * *hand;
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
