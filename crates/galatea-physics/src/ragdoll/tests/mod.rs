//! Tests of ragdolls of generated models.

mod anatomy;
mod mistakes;
mod odd;
mod overrides;

use std::sync::Arc;

use glam::{Affine3A, Mat4, Quat, Vec3};

use super::joints::twist_and_swing;
use super::{BodyShape, JointDefinition, JointKind, RagdollChoices, RagdollDefinition, RigidFrame};
use galatea_anim::humanoid::Humanoid;
use galatea_anim::{Bone, Skeleton, local_to_model};
use galatea_asset::Model;
use galatea_asset::model::{Influences, Mesh, Part, Primitive, Skin};
use galatea_math::Trs;

/// A bone, its parent, its start in a T-pose, and the skinned box around it: the end of the box, and its width and depth,
/// metres.
type Piece = (&'static str, &'static str, [f32; 3], [f32; 3], [f32; 2]);

/// A man of 1.75 m in a T-pose that faces +Z; the left side, from which the right side is mirrored.
const MAN: [Piece; 12] = [
    ("hips", "", [0.0, 0.95, 0.0], [0.0, 1.1, 0.0], [0.34, 0.22]),
    (
        "spine",
        "hips",
        [0.0, 1.08, 0.0],
        [0.0, 1.26, 0.0],
        [0.3, 0.2],
    ),
    (
        "chest",
        "spine",
        [0.0, 1.25, 0.0],
        [0.0, 1.48, 0.0],
        [0.34, 0.22],
    ),
    (
        "neck",
        "chest",
        [0.0, 1.47, 0.0],
        [0.0, 1.57, 0.0],
        [0.11, 0.11],
    ),
    (
        "head",
        "neck",
        [0.0, 1.56, 0.0],
        [0.0, 1.76, 0.0],
        [0.15, 0.19],
    ),
    (
        "left_shoulder",
        "chest",
        [0.03, 1.42, 0.0],
        [0.17, 1.42, 0.0],
        [0.1, 0.1],
    ),
    (
        "left_upper_arm",
        "left_shoulder",
        [0.18, 1.42, 0.0],
        [0.46, 1.42, 0.0],
        [0.1, 0.1],
    ),
    (
        "left_lower_arm",
        "left_upper_arm",
        [0.46, 1.42, 0.0],
        [0.71, 1.42, 0.0],
        [0.08, 0.08],
    ),
    (
        "left_hand",
        "left_lower_arm",
        [0.71, 1.42, 0.0],
        [0.88, 1.42, 0.0],
        [0.03, 0.09],
    ),
    (
        "left_upper_leg",
        "hips",
        [0.1, 0.91, 0.0],
        [0.1, 0.5, 0.0],
        [0.15, 0.15],
    ),
    (
        "left_lower_leg",
        "left_upper_leg",
        [0.1, 0.5, 0.0],
        [0.1, 0.09, 0.0],
        [0.1, 0.1],
    ),
    (
        "left_foot",
        "left_lower_leg",
        [0.1, 0.09, 0.0],
        [0.1, 0.04, 0.16],
        [0.08, 0.08],
    ),
];

/// Stance of the man.
#[derive(Clone, Copy, Debug, Default)]
struct Stance {
    /// Angle of the arms below the T-pose, degrees.
    arms: f32,
    /// Bend of elbows and knees, degrees.
    bent: f32,
    /// Rotation of the whole body.
    turned: Quat,
}

/// Pieces of both sides.
fn pieces() -> Vec<(String, String, Vec3, Vec3, [f32; 2])> {
    let mut out = Vec::new();
    let mirror = |v: [f32; 3]| Vec3::new(-v[0], v[1], v[2]);
    for (name, parent, from, to, wide) in MAN {
        out.push((name.into(), parent.into(), from.into(), to.into(), wide));
        if name.starts_with("left") {
            let right = |name: &str| name.replace("left", "right");
            out.push((right(name), right(parent), mirror(from), mirror(to), wide));
        }
    }
    // Parents come first, as a skeleton requires, because sides were added in pairs.
    out
}

/// A man as one skinned mesh with the stance as its rest pose.
fn man(stance: Stance) -> Model {
    let pieces = pieces();
    let mut rotations: Vec<Quat> = Vec::new();
    let mut positions: Vec<Vec3> = Vec::new();
    let (mut bones, mut primitive) = (Vec::new(), Primitive::default());
    for (i, (name, parent, from, to, wide)) in pieces.iter().enumerate() {
        let at = pieces.iter().position(|piece| piece.0 == *parent);
        let side = if from.x < 0.0 { -1.0 } else { 1.0 };
        let bend = stance.bent.to_radians();
        let own = match &name[name.find('_').map_or(0, |i| i + 1)..] {
            "upper_arm" => Quat::from_rotation_z(-side * stance.arms.to_radians()),
            "lower_arm" => Quat::from_rotation_y(-side * bend),
            "lower_leg" => Quat::from_rotation_x(bend),
            _ => Quat::IDENTITY,
        };
        let (rotation, position) = match at {
            None => (stance.turned, stance.turned * *from),
            Some(at) => (
                rotations[at] * own,
                positions[at] + rotations[at] * (*from - pieces[at].2),
            ),
        };
        let local = match at {
            None => (rotation, position),
            Some(at) => (own, *from - pieces[at].2),
        };
        bones.push(Bone {
            name: name.clone(),
            parent: at.map(|at| at as u16),
            rest: Trs {
                rotation: local.0,
                translation: local.1,
                scale: Vec3::ONE,
            },
            skinned: true,
        });
        let (from, to) = (Vec3::ZERO, *to - *from);
        add_box(
            &mut primitive,
            (from, to),
            *wide,
            |p| position + rotation * p,
            i as u16,
        );
        rotations.push(rotation);
        positions.push(position);
    }
    model(bones, primitive)
}

/// Adds a closed box of 2 × 2 × 8 faces along a piece.
fn add_box(
    primitive: &mut Primitive,
    (from, to): (Vec3, Vec3),
    wide: [f32; 2],
    put: impl Fn(Vec3) -> Vec3,
    joint: u16,
) {
    let along = (to - from).normalize();
    let depth = if along.z.abs() > 0.6 {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let across = along.cross(depth).normalize();
    let depth = across.cross(along);
    // A horizontal piece is thin vertically: its width and depth are swapped.
    let (x, z) = (across * wide[0] * 0.5, depth * wide[1] * 0.5);
    let ring = |u: f32| {
        let middle = from + (to - from) * u;
        [x + z, x, x - z, -z, -x - z, -x, z - x, z].map(|out| put(middle + out))
    };
    let first = primitive.positions.len() as u32;
    for i in 0..=8 {
        primitive.positions.extend(ring(i as f32 / 8.0));
    }
    for row in 0..8 {
        for side in 0..8 {
            let at = |row: u32, side: u32| first + row * 8 + side % 8;
            let (a, b) = (at(row, side), at(row, side + 1));
            let (c, d) = (at(row + 1, side), at(row + 1, side + 1));
            primitive.indices.extend([a, b, c, b, d, c]);
        }
    }
    for end in [first, first + 64] {
        for side in 1..7 {
            primitive.indices.extend([end, end + side, end + side + 1]);
        }
    }
    let n = primitive.positions.len() - first as usize;
    primitive.influences.per_vertex = 1;
    primitive.influences.joints.extend(vec![joint; n]);
    primitive.influences.weights.extend(vec![1.0; n]);
}

/// A model of one skinned primitive in model space at rest.
fn model(bones: Vec<Bone>, primitive: Primitive) -> Model {
    let skeleton = Skeleton::new(bones).unwrap();
    let matrices = at_rest(&skeleton);
    let n = skeleton.len() as u16;
    let normals = vec![Vec3::Y; primitive.positions.len()];
    Model {
        name: "man".into(),
        skeleton: Arc::new(skeleton),
        skins: vec![Skin {
            name: String::new(),
            joints: (0..n).collect(),
            inverse_bind: matrices.iter().map(|m| Mat4::from(m.inverse())).collect(),
        }],
        meshes: vec![Mesh {
            primitives: vec![Primitive {
                normals,
                ..primitive
            }],
            ..Mesh::default()
        }],
        parts: vec![Part {
            skin: Some(0),
            ..Part::default()
        }],
        ..Model::default()
    }
}

fn at_rest(skeleton: &Skeleton) -> Vec<Affine3A> {
    let locals: Vec<Trs> = skeleton.rest().collect();
    let mut matrices = Vec::new();
    local_to_model(skeleton, &locals, &mut matrices);
    matrices
}

fn humanoid(model: &Model) -> Humanoid {
    model.humanoid().0
}

fn with(model: &Model, options: &RagdollChoices) -> Result<RagdollDefinition, super::RagdollError> {
    let rest: Vec<Trs> = model.skeleton.rest().collect();
    RagdollDefinition::of(model, &humanoid(model), &rest, options)
}

fn ragdoll(model: &Model) -> RagdollDefinition {
    with(model, &RagdollChoices::default()).unwrap()
}

fn body_of(ragdoll: &RagdollDefinition, model: &Model, bone: &str) -> usize {
    let bone = model.skeleton.find(bone).unwrap();
    let found = ragdoll.bodies.iter().position(|body| body.bone == bone);
    found.unwrap_or_else(|| panic!("{bone} has no body"))
}

fn link_of<'a>(ragdoll: &'a RagdollDefinition, model: &Model, bone: &str) -> &'a JointDefinition {
    let body = body_of(ragdoll, model, bone) as u16;
    let found = ragdoll.joints.iter().find(|link| link.child == body);
    found.unwrap_or_else(|| panic!("{bone} has no link"))
}

/// Frames of the bodies at rest.
fn body_frames(ragdoll: &RagdollDefinition, model: &Model) -> Vec<RigidFrame> {
    ragdoll.frames(&at_rest(&model.skeleton)).collect()
}

/// Twist and swing of a bone's joint at rest, radians.
fn rest_angles(
    ragdoll: &RagdollDefinition,
    model: &Model,
    link: &JointDefinition,
) -> (f32, [f32; 2]) {
    let frames = body_frames(ragdoll, model);
    let parent = frames[usize::from(link.parent)].then(link.parent_from_joint);
    let child = frames[usize::from(link.child)].then(link.child_from_joint);
    assert!(
        parent.position.distance(child.position) < 1e-4,
        "both bodies have the joint at one position"
    );
    twist_and_swing(parent.rotation.conjugate() * child.rotation)
}

/// Invariants of every ragdoll.
fn check(ragdoll: &RagdollDefinition, model: &Model) {
    let n = ragdoll.bodies.len();
    assert_eq!(ragdoll.joints.len(), n.saturating_sub(1), "one tree");
    for body in &ragdoll.bodies {
        let frame = body.bone_from_body;
        assert!(frame.position.is_finite() && frame.rotation.is_normalized());
        assert!(body.mass.is_finite() && body.mass > 0.0);
        let half = body.shape.half_extents();
        assert!(
            half.is_finite() && half.min_element() > 0.0,
            "{:?}",
            body.shape
        );
    }
    assert!(ragdoll.bodies.is_sorted_by(|a, b| a.bone < b.bone));
    for link in &ragdoll.joints {
        let (twisted, swung) = rest_angles(ragdoll, model, link);
        match link.kind {
            JointKind::Fixed => {}
            JointKind::Hinge { range: [low, high] } => {
                assert!(low - 1e-3 <= twisted && twisted <= high + 1e-3, "{link:?}");
                assert!(swung[0].hypot(swung[1]) < 0.02, "{swung:?} {link:?}");
            }
            JointKind::TwistCone { swing, twist } => {
                assert!(
                    twist[0] - 1e-3 <= twisted && twisted <= twist[1] + 1e-3,
                    "{link:?}"
                );
                let fraction = (swung[0] / swing[0]).hypot(swung[1] / swing[1]);
                assert!(fraction <= 1.001, "{fraction} {swung:?} {link:?}");
            }
        }
        let pair = (link.parent.min(link.child), link.parent.max(link.child));
        assert!(
            ragdoll.ignored_pairs.contains(&pair),
            "linked bodies do not touch"
        );
    }
    assert!(ragdoll.ignored_pairs.is_sorted());
}
