//! What VRM files say of springs: `VRMC_springBone` 1.0 with `VRMC_springBone_extended_collider` 1.0,
//! and `secondaryAnimation` of VRM 0.x.

use glam::{Quat, Vec3};
use gltf::json::extensions::root;
use serde_json::Value;

use super::error::Warnings;
use super::nodes::Tree;
use crate::limits::{is_sound, is_sound_vector};
use galatea_rig::spring::{ColliderShape, SpringCollider, SpringJoint, SpringSet, Tail};

/// Springs of VRM 1.0.
pub const NAME: &str = "VRMC_springBone";
/// More shapes for them.
pub const EXTENDED: &str = "VRMC_springBone_extended_collider";
/// Metres of the last bone of a chain, which has no child, in VRM 0.x.
const LAST_LENGTH: f32 = 0.07;
/// Joints that one file may have.
const MOST_JOINTS: usize = 4096;

/// The springs of a file; `None` where it has none. What is not as the formats ask is passed over, and
/// told.
pub fn read(
    extensions: Option<&root::Root>,
    tree: &Tree,
    warnings: &Warnings,
) -> Option<SpringSet> {
    let others = &extensions?.others;
    let reader = SpringReader { tree };
    let (mut set, odd) = match (others.get(NAME), others.get("VRM")) {
        (Some(extension), _) => reader.version_1(extension),
        (None, Some(extension)) => reader.version_0(extension.get("secondaryAnimation")?),
        (None, None) => return None,
    };
    if odd > 0 {
        warnings.add(format!(
            "springs: {odd} joint{} or collider{} without a node or shape left out",
            plural(odd),
            plural(odd)
        ));
    }
    if set.joints.len() > MOST_JOINTS {
        warnings.add(format!(
            "springs: {} joints, of which the first {MOST_JOINTS} move",
            set.joints.len()
        ));
        set.joints.truncate(MOST_JOINTS);
    }
    (!set.joints.is_empty()).then_some(set)
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

struct SpringReader<'a> {
    tree: &'a Tree,
}

impl SpringReader<'_> {
    fn bone(&self, value: Option<&Value>) -> Option<u16> {
        self.tree.bone(usize::try_from(value?.as_u64()?).ok()?)
    }

    /// The set, and how many of its parts are odd.
    fn version_1(&self, extension: &Value) -> (SpringSet, usize) {
        let mut odd = 0;
        // A collider that cannot be read keeps its number.
        let colliders: Vec<Option<SpringCollider>> = list(extension, "colliders")
            .map(|value| {
                Some(SpringCollider {
                    bone: self.bone(value.get("node"))?,
                    shape: shape_1(value)?,
                })
            })
            .collect();
        odd += colliders.iter().filter(|c| c.is_none()).count();
        let groups: Vec<Vec<usize>> = list(extension, "colliderGroups")
            .map(|group| indices(group, "colliders").collect())
            .collect();
        let mut set = SpringSet {
            to_rest: true,
            ..SpringSet::default()
        };
        let number_of = pack(&colliders, &mut set);
        for spring in list(extension, "springs") {
            let center = self.bone(spring.get("center"));
            let in_groups = indices(spring, "colliderGroups")
                .filter_map(|group| groups.get(group))
                .flatten();
            let known: Vec<u16> = in_groups
                .filter_map(|&i| number_of.get(i).copied().flatten())
                .collect();
            let joints: Vec<&Value> = list(spring, "joints").collect();
            for pair in joints.windows(2) {
                let [joint, end] = pair else { continue };
                let (Some(bone), Some(end)) =
                    (self.bone(joint.get("node")), self.bone(end.get("node")))
                else {
                    odd += 1;
                    continue;
                };
                let power = number(joint, "gravityPower", 0.0);
                let down = vector_1(joint.get("gravityDir")).unwrap_or(Vec3::NEG_Y);
                set.joints.push(SpringJoint {
                    stiffness: number(joint, "stiffness", 1.0).max(0.0),
                    gravity: down * power,
                    drag: number(joint, "dragForce", 0.5).clamp(0.0, 1.0),
                    radius: number(joint, "hitRadius", 0.0).max(0.0),
                    center,
                    colliders: known.clone(),
                    ..SpringJoint::new(bone, Tail::Bone(end))
                });
            }
        }
        (set, odd)
    }

    fn version_0(&self, animation: &Value) -> (SpringSet, usize) {
        let mut odd = 0;
        let mut set = SpringSet {
            to_rest: true,
            ..SpringSet::default()
        };
        let mut groups: Vec<Vec<u16>> = Vec::new();
        for group in list(animation, "colliderGroups") {
            let mut members = Vec::new();
            let bone = self.bone(group.get("node"));
            for collider in list(group, "colliders") {
                let Some(bone) = bone else {
                    odd += 1;
                    continue;
                };
                // VRM 0.x writes this offset with z the other way round.
                let offset = vector_0(collider.get("offset")).unwrap_or(Vec3::ZERO);
                members.push(set.colliders.len() as u16);
                set.colliders.push(SpringCollider {
                    bone,
                    shape: ColliderShape::Sphere {
                        offset: offset * Vec3::new(1.0, 1.0, -1.0),
                        radius: number(collider, "radius", 0.0).max(0.0),
                        inside: false,
                    },
                });
            }
            groups.push(members);
        }
        // Its characters look along -Z and are turned to look along +Z.
        let turn = Quat::from_rotation_y(std::f32::consts::PI);
        for group in list(animation, "boneGroups") {
            let power = number(group, "gravityPower", 0.0);
            let down = vector_0(group.get("gravityDir")).unwrap_or(Vec3::NEG_Y);
            let colliders: Vec<u16> = indices(group, "colliderGroups")
                .filter_map(|i| groups.get(i))
                .flatten()
                .copied()
                .collect();
            let plain = SpringJoint {
                // The name is misspelt in the format.
                stiffness: number(group, "stiffiness", 1.0).max(0.0),
                gravity: turn * down * power,
                drag: number(group, "dragForce", 0.4).clamp(0.0, 1.0),
                radius: number(group, "hitRadius", 0.02).max(0.0),
                center: self.bone(group.get("center")),
                colliders,
                ..SpringJoint::new(0, Tail::At(Vec3::ZERO))
            };
            for root in group
                .get("bones")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                let Some(root) = self.bone(Some(root)) else {
                    odd += 1;
                    continue;
                };
                self.below(root, |bone, tail| {
                    if set.joints.len() <= MOST_JOINTS {
                        let joint = plain.clone();
                        set.joints.push(SpringJoint {
                            bone,
                            tail,
                            ..joint
                        });
                    }
                });
            }
        }
        (set, odd)
    }

    /// A bone and all below it, each with its tail: its first child, or where its own direction goes on.
    fn below(&self, root: u16, mut tell: impl FnMut(u16, Tail)) {
        let bones = self.tree.skeleton.bones();
        let mut first_child: Vec<Option<u16>> = vec![None; bones.len()];
        for (i, bone) in bones.iter().enumerate().rev() {
            if let Some(parent) = bone.parent {
                first_child[usize::from(parent)] = Some(i as u16);
            }
        }
        let mut is_below = vec![false; bones.len()];
        for (i, bone) in bones.iter().enumerate().skip(usize::from(root)) {
            let under = bone.parent.is_some_and(|p| is_below[usize::from(p)]);
            if !under && i != usize::from(root) {
                continue;
            }
            is_below[i] = true;
            let last = || Tail::At(bone.rest.translation.normalize_or_zero() * LAST_LENGTH);
            let tail = first_child[i].map_or_else(last, Tail::Bone);
            tell(i as u16, tail);
        }
    }
}

/// Puts colliders that could be read into the set; their numbers by those of the file.
fn pack(colliders: &[Option<SpringCollider>], set: &mut SpringSet) -> Vec<Option<u16>> {
    let mut numbers = Vec::with_capacity(colliders.len());
    for collider in colliders {
        let number = u16::try_from(set.colliders.len()).ok();
        numbers.push(number.filter(|_| collider.is_some()));
        set.colliders.extend(*collider);
    }
    numbers
}

fn shape_1(collider: &Value) -> Option<ColliderShape> {
    let extended = collider
        .get("extensions")
        .and_then(|e| e.get(EXTENDED))
        .and_then(|e| e.get("shape"));
    let shape = extended.or_else(|| collider.get("shape"))?;
    let place = |value: &Value| vector_1(value.get("offset")).unwrap_or(Vec3::ZERO);
    let inside = |value: &Value| value.get("inside").and_then(Value::as_bool) == Some(true);
    if let Some(sphere) = shape.get("sphere") {
        return Some(ColliderShape::Sphere {
            offset: place(sphere),
            radius: number(sphere, "radius", 0.0).max(0.0),
            inside: inside(sphere),
        });
    }
    if let Some(capsule) = shape.get("capsule") {
        return Some(ColliderShape::Capsule {
            offset: place(capsule),
            tail: vector_1(capsule.get("tail")).unwrap_or(Vec3::ZERO),
            radius: number(capsule, "radius", 0.0).max(0.0),
            inside: inside(capsule),
        });
    }
    let plane = shape.get("plane")?;
    let normal = vector_1(plane.get("normal")).unwrap_or(Vec3::Z);
    Some(ColliderShape::Plane {
        offset: place(plane),
        normal: normal.try_normalize()?,
    })
}

fn list<'a>(value: &'a Value, name: &'static str) -> impl Iterator<Item = &'a Value> {
    let list = value.get(name).and_then(Value::as_array);
    list.into_iter().flatten()
}

fn indices<'a>(value: &'a Value, name: &'static str) -> impl Iterator<Item = usize> + 'a {
    list(value, name).filter_map(|i| usize::try_from(i.as_u64()?).ok())
}

fn number(value: &Value, name: &str, default: f32) -> f32 {
    let number = value.get(name).and_then(Value::as_f64);
    let number = number.map(|n| n as f32).filter(|n| is_sound(*n));
    number.unwrap_or(default)
}

fn vector_1(value: Option<&Value>) -> Option<Vec3> {
    let [x, y, z] = value?.as_array()?.as_slice() else {
        return None;
    };
    let v = Vec3::new(x.as_f64()? as f32, y.as_f64()? as f32, z.as_f64()? as f32);
    is_sound_vector(v).then_some(v)
}

fn vector_0(value: Option<&Value>) -> Option<Vec3> {
    let part = |name: &str| Some(value?.get(name)?.as_f64()? as f32);
    let v = Vec3::new(part("x")?, part("y")?, part("z")?);
    is_sound_vector(v).then_some(v)
}
