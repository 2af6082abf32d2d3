//! The mannequin's bones: names, parents and rest positions.
//!
//! Every rest rotation is the identity, so a bone's axes are the world's: +Y up, +Z forward, +X the character's left. The
//! rest pose is an A-pose, arms 45 degrees from hanging.

use glam::Vec3;

use galatea_anim::{Bone, Skeleton};
use galatea_math::Trs;

/// Standing height, metres.
pub const HEIGHT: f32 = 1.70;
/// Angle between the arm at rest and the hanging arm, radians.
pub(crate) const ARM_DROP: f32 = std::f32::consts::FRAC_PI_4;
/// Length from shoulder to elbow, metres (0.162 of the height).
pub const UPPER_ARM: f32 = 0.275;
/// Length from elbow to wrist, metres (0.144 of the height).
pub const LOWER_ARM: f32 = 0.245;
/// Length from wrist to knuckles, metres.
pub const PALM: f32 = 0.085;

/// Shoulder joint, left side.
pub const SHOULDER: Vec3 = Vec3::new(0.158, 1.385, -0.028);
/// Hip joint, left side.
pub const HIP: Vec3 = Vec3::new(0.088, 0.895, 0.0);
/// Knee, left side, slightly in front of the line from hip to ankle.
pub const KNEE: Vec3 = Vec3::new(0.092, 0.487, 0.010);
/// Ankle, left side.
pub const ANKLE: Vec3 = Vec3::new(0.092, 0.082, -0.014);
/// Joint between foot and toes, left side.
pub const BALL: Vec3 = Vec3::new(0.098, 0.022, 0.112);
/// Rearmost point of the sole, left side.
pub(crate) const HEEL: Vec3 = Vec3::new(0.092, 0.0, -0.058);
/// Centre of the left eyeball.
pub const EYE: Vec3 = Vec3::new(0.0303, 1.5830, 0.0655);
/// Radius of the eyeball, metres.
pub(crate) const EYE_RADIUS: f32 = 0.0152;

/// Direction of the left arm at rest.
pub(crate) fn arm_dir() -> Vec3 {
    Vec3::new(ARM_DROP.sin(), -ARM_DROP.cos(), 0.0)
}

/// Hinge axis of the left elbow at rest: the forearm bends forward. The palm faces this direction too.
pub(crate) fn arm_hinge() -> Vec3 {
    Vec3::new(-ARM_DROP.cos(), -ARM_DROP.sin(), 0.0)
}

/// Bones of one side, children after parents: name, parent, position on the left side. A parent that starts with `_` is on
/// the same side.
fn side_bones() -> [(&'static str, &'static str, Vec3); 10] {
    let dir = arm_dir();
    [
        ("_eye", "head", EYE),
        ("_shoulder", "chest", Vec3::new(0.025, 1.395, -0.015)),
        ("_upper_arm", "_shoulder", SHOULDER),
        ("_lower_arm", "_upper_arm", SHOULDER + dir * UPPER_ARM),
        (
            "_hand",
            "_lower_arm",
            SHOULDER + dir * (UPPER_ARM + LOWER_ARM),
        ),
        (
            "_fingers",
            "_hand",
            SHOULDER + dir * (UPPER_ARM + LOWER_ARM + PALM),
        ),
        ("_upper_leg", "hips", HIP),
        ("_lower_leg", "_upper_leg", KNEE),
        ("_foot", "_lower_leg", ANKLE),
        ("_toes", "_foot", BALL),
    ]
}

/// The skeleton: `root` on the ground, the 25 bones of the skin, and the node `body` that carries
/// the mesh.
pub fn skeleton() -> Skeleton {
    let mut places: Vec<(String, Option<u16>, Vec3)> = vec![("root".into(), None, Vec3::ZERO)];
    let middle = [
        ("hips", "root", Vec3::new(0.0, 0.93, 0.0)),
        ("spine", "hips", Vec3::new(0.0, 1.03, -0.008)),
        ("chest", "spine", Vec3::new(0.0, 1.165, -0.018)),
        ("neck", "chest", Vec3::new(0.0, 1.438, -0.030)),
        ("head", "neck", Vec3::new(0.0, 1.515, -0.012)),
    ];
    let find = |places: &[(String, Option<u16>, Vec3)], name: &str| {
        places.iter().position(|p| p.0 == name).map(|i| i as u16)
    };
    for (name, parent, place) in middle {
        let parent = find(&places, parent);
        places.push((name.into(), parent, place));
    }
    for (side, mirror) in [("left", 1.0), ("right", -1.0)] {
        for (name, parent, place) in side_bones() {
            let parent = if parent.starts_with('_') {
                find(&places, &format!("{side}{parent}"))
            } else {
                find(&places, parent)
            };
            let place = place * Vec3::new(mirror, 1.0, 1.0);
            places.push((format!("{side}{name}"), parent, place));
        }
    }
    let mut bones: Vec<Bone> = places
        .iter()
        .enumerate()
        .map(|(i, (name, parent, place))| {
            let origin = parent.map_or(Vec3::ZERO, |p| places[usize::from(p)].2);
            Bone {
                name: name.clone(),
                parent: *parent,
                rest: Trs::from_translation(*place - origin),
                skinned: i > 0,
            }
        })
        .collect();
    bones.push(Bone {
        name: "body".into(),
        parent: None,
        rest: Trs::IDENTITY,
        skinned: false,
    });
    Skeleton::new(bones).expect("parents were pushed before their children")
}

/// Rest positions of all bones in model space, metres.
pub fn rest_positions(skeleton: &Skeleton) -> Vec<Vec3> {
    let mut places: Vec<Vec3> = Vec::with_capacity(skeleton.len());
    for bone in skeleton.bones() {
        let origin = bone.parent.map_or(Vec3::ZERO, |p| places[usize::from(p)]);
        places.push(origin + bone.rest.translation);
    }
    places
}
