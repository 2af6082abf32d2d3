//! Spring bones of VRM files: `VRMC_springBone` 1.0 with `VRMC_springBone_extended_collider` 1.0, and `secondaryAnimation`
//! of VRM 0.x.

use std::cell::Cell;
use std::sync::Arc;

use glam::{Quat, Vec3};
use gltf::json::extensions::root;
use serde_json::Value;

use super::error::Warnings;
use super::nodes::Tree;
use crate::limits::{is_sound, is_sound_vector};
use galatea_anim::Bone;
use galatea_rig::spring::{ColliderShape, SpringCollider, SpringJoint, SpringSet, Tail};

/// Extension of VRM 1.0 for springs.
pub const NAME: &str = "VRMC_springBone";
/// Extension with more collider shapes.
pub const EXTENDED: &str = "VRMC_springBone_extended_collider";
/// Length of the last bone of a chain, which has no child, in VRM 0.x, metres.
const LAST_LENGTH: f32 = 0.07;
/// Limit of joints per file.
const MAX_JOINTS: usize = 4096;
const MAX_COLLIDERS: usize = 1024;

/// Springs of a file; `None` if it has none. Invalid data is skipped with a warning.
pub fn read(
    extensions: Option<&root::Root>,
    tree: &Tree,
    warnings: &Warnings,
) -> Option<SpringSet> {
    let others = &extensions?.others;
    let reader = SpringReader {
        tree,
        first_child: first_children(tree.skeleton.bones()),
        is_full: Cell::default(),
    };
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
    if reader.is_full.get() {
        warnings.add(format!(
            "springs: only the first {MAX_COLLIDERS} colliders are used"
        ));
    }
    if set.joints.len() > MAX_JOINTS {
        warnings.add(format!("springs: only the first {MAX_JOINTS} joints move"));
        set.joints.truncate(MAX_JOINTS);
    }
    (!set.joints.is_empty()).then_some(set)
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

struct SpringReader<'a> {
    tree: &'a Tree,
    /// First child of each bone.
    first_child: Vec<Option<u16>>,
    /// Set when colliders beyond [`MAX_COLLIDERS`] were skipped.
    is_full: Cell<bool>,
}

impl SpringReader<'_> {
    fn bone(&self, value: Option<&Value>) -> Option<u16> {
        self.tree.bone(usize::try_from(value?.as_u64()?).ok()?)
    }

    /// Returns the springs and the number of invalid entries.
    fn version_1(&self, extension: &Value) -> (SpringSet, usize) {
        let mut odd = 0;
        // An unreadable collider keeps its index.
        let colliders: Vec<Option<SpringCollider>> = list(extension, "colliders")
            .map(|value| {
                Some(SpringCollider {
                    bone: self.bone(value.get("node"))?,
                    shape: shape_1(value)?,
                })
            })
            .collect();
        odd += colliders.iter().filter(|c| c.is_none()).count();
        let mut set = SpringSet {
            to_rest: true,
            ..SpringSet::default()
        };
        let number_of = self.pack(&colliders, &mut set);
        let groups: Vec<Vec<u16>> = list(extension, "colliderGroups")
            .map(|group| {
                let known = |i| number_of.get(i).copied().flatten();
                deduplicated(indices(group, "colliders").filter_map(known))
            })
            .collect();
        for spring in list(extension, "springs") {
            let center = self.bone(spring.get("center"));
            let known = in_groups(spring, &groups);
            let joints: Vec<&Value> = list(spring, "joints").collect();
            for pair in joints.windows(2) {
                let [joint, end] = pair else { continue };
                if set.joints.len() > MAX_JOINTS {
                    break;
                }
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
                // VRM 0.x writes this offset with z negated.
                let offset = vector_0(collider.get("offset")).unwrap_or(Vec3::ZERO);
                if !self.has_room(&set) {
                    continue;
                }
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
        // VRM 0.x characters face -Z and are rotated to face +Z.
        let half_turn = Quat::from_rotation_y(std::f32::consts::PI);
        for group in list(animation, "boneGroups") {
            let power = number(group, "gravityPower", 0.0);
            let down = vector_0(group.get("gravityDir")).unwrap_or(Vec3::NEG_Y);
            let plain = SpringJoint {
                // The name is misspelt in the format.
                stiffness: number(group, "stiffiness", 1.0).max(0.0),
                gravity: half_turn * down * power,
                drag: number(group, "dragForce", 0.4).clamp(0.0, 1.0),
                radius: number(group, "hitRadius", 0.02).max(0.0),
                center: self.bone(group.get("center")),
                colliders: in_groups(group, &groups),
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
                if set.joints.len() > MAX_JOINTS {
                    break;
                }
                self.below(root, |bone, tail| {
                    if set.joints.len() <= MAX_JOINTS {
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

    /// Adds the readable colliders to the set. Returns the index in the set for each collider of the file.
    fn pack(&self, colliders: &[Option<SpringCollider>], set: &mut SpringSet) -> Vec<Option<u16>> {
        let mut numbers = Vec::with_capacity(colliders.len());
        for collider in colliders {
            let collider = collider.filter(|_| self.has_room(set));
            numbers.push(collider.map(|_| set.colliders.len() as u16));
            set.colliders.extend(collider);
        }
        numbers
    }

    fn has_room(&self, set: &SpringSet) -> bool {
        let is_full = set.colliders.len() >= MAX_COLLIDERS;
        self.is_full.set(self.is_full.get() || is_full);
        !is_full
    }

    /// Calls `visit` for a bone and all its descendants, each with its tail: its first child, or a point in its own
    /// direction.
    fn below(&self, root: u16, mut visit: impl FnMut(u16, Tail)) {
        let bones = self.tree.skeleton.bones();
        let mut is_below = vec![false; bones.len()];
        for (i, bone) in bones.iter().enumerate().skip(usize::from(root)) {
            let under = bone.parent.is_some_and(|p| is_below[usize::from(p)]);
            if !under && i != usize::from(root) {
                continue;
            }
            is_below[i] = true;
            let last = || Tail::At(bone.rest.translation.normalize_or_zero() * LAST_LENGTH);
            let tail = self.first_child[i].map_or_else(last, Tail::Bone);
            visit(i as u16, tail);
        }
    }
}

/// First child of each bone.
fn first_children(bones: &[Bone]) -> Vec<Option<u16>> {
    let mut first_child: Vec<Option<u16>> = vec![None; bones.len()];
    for (i, bone) in bones.iter().enumerate().rev() {
        if let Some(parent) = bone.parent {
            first_child[usize::from(parent)] = Some(i as u16);
        }
    }
    first_child
}

/// Colliders of the groups that a spring refers to.
fn in_groups(spring: &Value, groups: &[Vec<u16>]) -> Arc<[u16]> {
    let named = indices(spring, "colliderGroups").filter_map(|group| groups.get(group));
    deduplicated(named.flatten().copied()).into()
}

/// Removes duplicate collider indices; the first occurrence stays.
fn deduplicated(numbers: impl Iterator<Item = u16>) -> Vec<u16> {
    let mut is_known = [false; MAX_COLLIDERS];
    let mut is_new = |number: &u16| !std::mem::replace(&mut is_known[usize::from(*number)], true);
    numbers.filter(|number| is_new(number)).collect()
}

fn shape_1(collider: &Value) -> Option<ColliderShape> {
    let extended = collider
        .get("extensions")
        .and_then(|e| e.get(EXTENDED))
        .and_then(|e| e.get("shape"));
    let shape = extended.or_else(|| collider.get("shape"))?;
    let offset_of = |value: &Value| vector_1(value.get("offset")).unwrap_or(Vec3::ZERO);
    let inside = |value: &Value| value.get("inside").and_then(Value::as_bool) == Some(true);
    if let Some(sphere) = shape.get("sphere") {
        return Some(ColliderShape::Sphere {
            offset: offset_of(sphere),
            radius: number(sphere, "radius", 0.0).max(0.0),
            inside: inside(sphere),
        });
    }
    if let Some(capsule) = shape.get("capsule") {
        return Some(ColliderShape::Capsule {
            offset: offset_of(capsule),
            tail: vector_1(capsule.get("tail")).unwrap_or(Vec3::ZERO),
            radius: number(capsule, "radius", 0.0).max(0.0),
            inside: inside(capsule),
        });
    }
    let plane = shape.get("plane")?;
    let normal = vector_1(plane.get("normal")).unwrap_or(Vec3::Z);
    Some(ColliderShape::Plane {
        offset: offset_of(plane),
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
