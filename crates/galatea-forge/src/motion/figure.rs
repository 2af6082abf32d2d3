//! Joints of a human skeleton, found by name, and its measurements.

use glam::{Affine3A, Mat3, Quat, Vec3};

use super::pose::{FigureSide, HANGS_ON};

/// A bone of a figure.
#[derive(Clone, Debug)]
pub struct FigureBone {
    /// Name.
    pub name: String,
    /// Index of the parent bone.
    pub parent: Option<usize>,
    /// Rest position in the model, metres.
    pub rest_position: Vec3,
}

/// Height of the hip joints of the reference body, which the lengths of poses refer to, metres.
const HIP: f32 = 0.895;
/// Rest positions of the bones that hands can be attached to, on the reference body.
const RESTS: [Vec3; 8] = [
    Vec3::ZERO,
    Vec3::new(0.0, 0.93, 0.0),
    Vec3::new(0.0, 1.165, -0.018),
    Vec3::new(0.0, 1.515, -0.012),
    Vec3::new(0.088, 0.895, 0.0),
    Vec3::new(-0.088, 0.895, 0.0),
    Vec3::new(0.092, 0.487, 0.010),
    Vec3::new(-0.092, 0.487, 0.010),
];
/// Distances from the ankle to the heel's edge on the ground, and from the ball to the tip of the toes, on the reference
/// body.
const HEEL: f32 = 0.044;
const TIP: f32 = 0.065;
/// Distance from the wrist to the knuckles for hands without fingers.
const PALM: f32 = 0.085;

/// Joints of a finger, from the root on.
#[derive(Clone, Debug, Default)]
pub(super) struct FingerJoints {
    pub joints: Vec<usize>,
    /// Axis for closing and spreading, in the frame of the left side.
    pub hinge: Vec3,
    pub spread: Vec3,
}

/// Joints of one arm. Directions are those of the left side and mirrored for the right one.
#[derive(Clone, Debug)]
pub(super) struct ArmJoints {
    pub shoulder: Option<usize>,
    pub upper: usize,
    pub lower: usize,
    pub hand: usize,
    /// Rest directions along the upper arm, the forearm and the hand.
    pub along: [Vec3; 3],
    /// Rotation from the rest pose to the hanging arm.
    pub drop: Quat,
    /// Axis of the elbow at rest.
    pub hinge: Vec3,
    /// Direction of the palm at rest.
    pub palm: Vec3,
    /// Lengths of upper arm, forearm, and wrist to the centre of the palm, metres.
    pub lengths: [f32; 3],
    /// Index, middle, ring and little finger.
    pub fingers: [FingerJoints; 4],
    pub thumb: FingerJoints,
    /// Bone for all fingers of a mitten hand.
    pub mitten: Option<usize>,
    /// The runtime rotates twist helpers in the forearm with the hand.
    pub twists: bool,
}

/// Joints of one leg.
#[derive(Clone, Debug)]
pub(super) struct LegJoints {
    pub upper: usize,
    pub lower: usize,
    pub foot: usize,
    pub toes: Option<usize>,
    /// Positions in the model: hip, knee, ankle, ball of the foot, heel, tip of the toes. The last two are on the ground.
    pub positions: [Vec3; 6],
}

/// A human skeleton whose rest pose stands on the ground, faces +Z and has model axes in all bones.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Bones, parents first.
    pub joints: Vec<FigureBone>,
    /// Scale of the legs relative to the reference body.
    pub scale: f32,
    pub(super) root: Option<usize>,
    pub(super) hips: usize,
    pub(super) spine: Option<usize>,
    pub(super) chest: usize,
    pub(super) neck: Option<usize>,
    pub(super) head: usize,
    pub(super) eyes: [Option<usize>; 2],
    pub(super) arms: [ArmJoints; 2],
    pub(super) legs: [LegJoints; 2],
}

/// A frame with its y axis along `y` and its x axis as close to `x` as possible.
pub(super) fn frame(y: Vec3, x: Vec3) -> Mat3 {
    let y = y.normalize_or(Vec3::Y);
    let x = x
        .reject_from_normalized(y)
        .normalize_or(y.any_orthonormal_vector());
    Mat3::from_cols(x, y, x.cross(y))
}

impl Figure {
    /// Finds the joints.
    ///
    /// # Errors
    /// If a joint is missing; the message names the first one.
    pub fn of(joints: Vec<FigureBone>) -> Result<Self, String> {
        let find = |name: &str| joints.iter().position(|joint| joint.name == name);
        let needs = |name: &str| {
            find(name).ok_or_else(|| {
                format!(
                    "the skeleton has no bone {name:?}; a figure needs all required human bones"
                )
            })
        };
        let hips = needs("hips")?;
        let chest = needs("chest")?;
        let head = needs("head")?;
        let leg = |side: FigureSide| -> Result<LegJoints, String> {
            let name = |bone: &str| format!("{}_{bone}", side.word());
            let [upper, lower, foot] = [
                needs(&name("upper_leg"))?,
                needs(&name("lower_leg"))?,
                needs(&name("foot"))?,
            ];
            let toes = find(&name("toes"));
            let [hip, knee, ankle] = [upper, lower, foot].map(|i| joints[i].rest_position);
            let s = hip.y / HIP;
            let ball = toes.map_or(ankle + Vec3::new(0.006, -0.06, 0.126) * s, |i| {
                joints[i].rest_position
            });
            let heel = Vec3::new(ankle.x, 0.0, ankle.z - HEEL * s);
            let tip = Vec3::new(ball.x, 0.0, ball.z + TIP * s);
            Ok(LegJoints {
                upper,
                lower,
                foot,
                toes,
                positions: [hip, knee, ankle, ball, heel, tip],
            })
        };
        let legs = [leg(FigureSide::Left)?, leg(FigureSide::Right)?];
        let scale = legs[0].positions[0].y / HIP;
        if !(0.05..20.0).contains(&scale) {
            return Err(format!(
                "the left hip is {} m above the ground; a figure must stand at y = 0",
                legs[0].positions[0].y
            ));
        }
        let arm = |side| arm_of(&joints, side, scale);
        Ok(Self {
            arms: [arm(FigureSide::Left)?, arm(FigureSide::Right)?],
            root: joints[hips].parent,
            hips,
            spine: find("spine"),
            chest,
            neck: find("neck"),
            head,
            eyes: [find("left_eye"), find("right_eye")],
            legs,
            scale,
            joints,
        })
    }

    /// Rest positions of hips and both feet, scaled to the reference body.
    pub fn rests(&self) -> [Vec3; 3] {
        let sole = |k: usize| (self.legs[k].positions[2] / self.scale).with_y(0.0);
        let hips = self.joints[self.hips].rest_position / self.scale;
        [hips, sole(0), sole(1)]
    }

    /// The bone that a hand is attached to, and its position on the reference body.
    pub(super) fn hung(&self, on: u8) -> Option<(usize, Vec3)> {
        let rest = *RESTS.get(usize::from(on)).filter(|_| on > 0)?;
        let name = HANGS_ON[usize::from(on)];
        let bone = self.joints.iter().position(|joint| joint.name == name)?;
        Some((bone, rest))
    }

    /// Model-from-bone matrix of a bone, from the local rotations of all bones and the translation of the hips.
    pub(super) fn matrix(&self, rotations: &[Quat], hips: Vec3, bone: usize) -> Affine3A {
        let joint = &self.joints[bone];
        if bone == self.hips {
            return Affine3A::from_rotation_translation(rotations[bone], hips);
        }
        match joint.parent {
            Some(parent) => {
                let way = joint.rest_position - self.joints[parent].rest_position;
                self.matrix(rotations, hips, parent)
                    * Affine3A::from_rotation_translation(rotations[bone], way)
            }
            None => Affine3A::from_rotation_translation(rotations[bone], joint.rest_position),
        }
    }
}

fn arm_of(joints: &[FigureBone], side: FigureSide, scale: f32) -> Result<ArmJoints, String> {
    let name = |bone: &str| format!("{}_{bone}", side.word());
    let find = |bone: &str| {
        let name = name(bone);
        joints.iter().position(|joint| joint.name == name)
    };
    let needs =
        |bone: &str| find(bone).ok_or_else(|| format!("the skeleton has no bone {:?}", name(bone)));
    // Compute as for the left side.
    let at = |i: usize| joints[i].rest_position * Vec3::new(side.sign(), 1.0, 1.0);
    let (upper, lower, hand) = (needs("upper_arm")?, needs("lower_arm")?, needs("hand")?);
    let along_upper = (at(lower) - at(upper)).normalize_or(Vec3::NEG_Y);
    let along_lower = (at(hand) - at(lower)).normalize_or(along_upper);
    let knuckle = |finger: &str| find(&format!("{finger}_proximal"));
    let mitten = find("fingers");
    let middle = knuckle("middle").or(mitten);
    let along_hand = middle.map_or(along_lower, |i| {
        (at(i) - at(hand)).normalize_or(along_lower)
    });
    let palm_length = middle.map_or(PALM * scale, |i| at(i).distance(at(hand)));
    let drop = Quat::from_rotation_arc(along_upper, Vec3::NEG_Y);
    let hinge = drop.inverse() * Vec3::NEG_X;
    let palm = match (knuckle("index"), knuckle("little")) {
        (Some(index), Some(little)) => {
            let across = along_hand.cross(at(index) - at(little));
            across.normalize_or(hinge) * across.dot(hinge).signum()
        }
        _ => hinge,
    };
    let palm = palm.reject_from_normalized(along_hand).normalize_or(hinge);
    let finger = |word: &str, bones: [&str; 3]| {
        let joints: Vec<usize> = bones
            .iter()
            .filter_map(|bone| find(&format!("{word}_{bone}")))
            .collect();
        let along = match joints.as_slice() {
            [first, .., last] => (at(*last) - at(*first)).normalize_or(along_hand),
            _ => along_hand,
        };
        (joints, along)
    };
    let row = along_hand.cross(palm).normalize_or(Vec3::Z);
    let fingers = ["index", "middle", "ring", "little"].map(|word| {
        let (joints, along) = finger(word, ["proximal", "intermediate", "distal"]);
        FingerJoints {
            joints,
            hinge: along.cross(palm).normalize_or(row),
            spread: palm,
        }
    });
    let (joints_of_thumb, along) = finger("thumb", ["metacarpal", "proximal", "distal"]);
    // A finger closes over the palm; its hinge points towards the little finger's side.
    let inwards = match (knuckle("index"), knuckle("little")) {
        (Some(index), Some(little)) => (at(little) - at(index)).normalize_or(-Vec3::Z),
        _ => -Vec3::Z,
    };
    Ok(ArmJoints {
        shoulder: find("shoulder"),
        upper,
        lower,
        hand,
        along: [along_upper, along_lower, along_hand],
        drop,
        hinge,
        palm,
        lengths: [
            at(lower).distance(at(upper)),
            at(hand).distance(at(lower)),
            palm_length * 0.55,
        ],
        fingers,
        thumb: FingerJoints {
            joints: joints_of_thumb,
            hinge: along.cross(inwards * 0.8 + palm * 0.6).normalize_or(row),
            spread: along.cross(palm).normalize_or(row),
        },
        mitten,
        twists: find("lower_arm_twist").is_some(),
    })
}
