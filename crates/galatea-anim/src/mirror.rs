//! Mirrored poses: left and right are swapped across the symmetry plane of the body.
//!
//! Used by `character` and `machine` for mirrored states. Invariant: mirroring allocates nothing, and a pose mirrored
//! twice is the original pose.

use glam::{Mat3, Quat, Vec3};

use super::humanoid::{Humanoid, Role, other_side};
use super::{Pose, Skeleton};
use galatea_math::Trs;

/// Precomputed mirror data of a skeleton for [`mirror_pose`].
///
/// Bones can have any axes. The rotation of a bone away from rest is taken in model space, mirrored there, and
/// applied to the rest rotation of its partner. With `S` the reflection, `R` rest rotations in model space, `a` the
/// bone, `b` its partner and primes for parents, this is `local_b = R_b'⁻¹ S R_a' · local_a · R_a⁻¹ S R_b`; the outer
/// factors are constant.
#[derive(Clone, Debug, PartialEq)]
pub struct MirrorMap {
    bones: Vec<Mirrored>,
    morphs: Vec<usize>,
    curves: Vec<usize>,
    normal: Vec3,
}

#[derive(Clone, Debug, PartialEq)]
struct Mirrored {
    /// The bone that provides the pose of this one.
    from: u16,
    /// `None` for a bone that keeps its local pose: one without partner on a limb that has one.
    turn: Option<MirroredBone>,
}

#[derive(Clone, Debug, PartialEq)]
struct MirroredBone {
    before: Quat,
    after: Quat,
    /// Transforms offsets from the rest position, from the axes of the partner's parent to those of this bone's
    /// parent.
    offset: Mat3,
    /// Squared cosines between this bone's axes and the partner's.
    scale: Mat3,
    rest_here: Vec3,
    rest_there: Vec3,
}

impl MirrorMap {
    /// Pairs bones by role, then by name (`hand.l`, `hand.r`), and morphs by name within a part. `morphs` lists the
    /// part and name of each morph weight of the pose, in order. The mirror plane goes through the model's origin and
    /// separates the character's left and right (x = 0 without a humanoid).
    pub fn new(skeleton: &Skeleton, humanoid: Option<&Humanoid>, morphs: &[(usize, &str)]) -> Self {
        let bones = skeleton.bones();
        let partner = partners(skeleton, humanoid);
        let normal = humanoid.map_or(Vec3::X, |h| h.model_from_character * Vec3::X);
        let reflect = reflection(normal);
        let mut rest: Vec<Quat> = Vec::with_capacity(bones.len());
        for bone in bones {
            let parent = bone.parent.map_or(Quat::IDENTITY, |p| rest[usize::from(p)]);
            rest.push((parent * bone.rest.rotation).normalize());
        }
        let of = |bone: Option<u16>| bone.map_or(Quat::IDENTITY, |bone| rest[usize::from(bone)]);
        let all = bones.iter().enumerate().map(|(i, bone)| {
            let from = partner[i];
            let there = &bones[usize::from(from)];
            let parents = there.parent.map(|parent| partner[usize::from(parent)]);
            if parents != bone.parent {
                return Mirrored {
                    from: i as u16,
                    turn: None,
                };
            }
            let (here_parent, there_parent) = (of(bone.parent), of(there.parent));
            let (here, there_own) = (rest[i], rest[usize::from(from)]);
            let axes = Mat3::from_quat(here.inverse()) * reflect * Mat3::from_quat(there_own);
            let squares = |v: Vec3| v * v;
            Mirrored {
                from,
                turn: Some(MirroredBone {
                    before: here_parent.inverse() * mirrored_rotation(there_parent, normal),
                    after: mirrored_rotation(there_own, normal).inverse() * here,
                    offset: Mat3::from_quat(here_parent.inverse())
                        * reflect
                        * Mat3::from_quat(there_parent),
                    scale: Mat3::from_cols(
                        squares(axes.x_axis),
                        squares(axes.y_axis),
                        squares(axes.z_axis),
                    ),
                    rest_here: bone.rest.translation,
                    rest_there: there.rest.translation,
                }),
            }
        });
        let bones = all.collect();
        Self {
            bones,
            morphs: partners_by_name(morphs),
            curves: Vec::new(),
            normal,
        }
    }

    /// Pairs the curves of the pose by name (`lock.l`, `lock.r`); `names` contains all of them, in order.
    pub fn pair_curves(&mut self, names: &[String]) {
        let names: Vec<(usize, &str)> = names.iter().map(|name| (0, name.as_str())).collect();
        self.curves = partners_by_name(&names);
    }

    /// Index of the morph weight that provides the value of this one.
    pub fn morph_partner(&self, morph: usize) -> usize {
        self.morphs.get(morph).copied().unwrap_or(morph)
    }

    /// Index of the curve that provides the value of this one.
    pub fn curve_partner(&self, curve: usize) -> usize {
        self.curves.get(curve).copied().unwrap_or(curve)
    }

    /// Index of the bone that provides the pose of this one; its own index for bones in the middle.
    pub fn partner(&self, bone: u16) -> Option<u16> {
        self.bones.get(usize::from(bone)).map(|bone| bone.from)
    }

    /// Mirrors a motion in model space, such as root motion.
    pub fn motion(&self, motion: Trs) -> Trs {
        Trs {
            translation: reflection(self.normal) * motion.translation,
            rotation: mirrored_rotation(motion.rotation, self.normal),
            scale: motion.scale,
        }
    }
}

/// Writes the mirror image of `pose` into `out`, which belongs to the same model and is not read. Bone lengths stay
/// those of each side's rest pose. Channels that the map does not know are copied.
///
/// Mirrored twice, a pose is the original again, except for scales along axes that differ from those of the partner.
pub fn mirror_pose(map: &MirrorMap, pose: &Pose, out: &mut Pose) {
    out.copy_from(pose);
    for (mirrored_bone, local) in map.bones.iter().zip(&mut out.locals) {
        let Some(turn) = &mirrored_bone.turn else {
            continue;
        };
        let Some(there) = pose.locals.get(usize::from(mirrored_bone.from)) else {
            continue;
        };
        local.rotation =
            (turn.before * mirrored_rotation(there.rotation, map.normal) * turn.after).normalize();
        local.translation = turn.rest_here + turn.offset * (there.translation - turn.rest_there);
        let [x, y, z] = there.scale.to_array();
        local.scale = if x == y && y == z {
            there.scale
        } else {
            turn.scale * there.scale
        };
    }
    let morphs = out.morphs.iter_mut().zip(&map.morphs);
    for (weight, from) in morphs {
        if let Some(there) = pose.morphs.get(*from) {
            *weight = *there;
        }
    }
    for (value, from) in out.curves.iter_mut().zip(&map.curves) {
        if let Some(there) = pose.curves.get(*from) {
            *value = *there;
        }
    }
}

/// Index of the other side's name within the group, or its own index.
fn partners_by_name(names: &[(usize, &str)]) -> Vec<usize> {
    let all = names.iter().enumerate().map(|(i, (group, name))| {
        let found = other_side(name).and_then(|other| {
            let mut all = names.iter();
            all.position(|(g, n)| g == group && *n == other)
        });
        found.unwrap_or(i)
    });
    all.collect()
}

/// For every bone, the bone at its mirrored position; pairs are mutual.
fn partners(skeleton: &Skeleton, humanoid: Option<&Humanoid>) -> Vec<u16> {
    let n = skeleton.len();
    let mut partner: Vec<u16> = (0..n as u16).collect();
    let mut paired = vec![false; n];
    let mut pair = |a: u16, b: u16, paired: &mut Vec<bool>| {
        let (i, j) = (usize::from(a), usize::from(b));
        if i < n && j < n && !paired[i] && !paired[j] {
            partner[i] = b;
            partner[j] = a;
            paired[i] = true;
            paired[j] = true;
        }
    };
    for role in Role::all() {
        let bone = |role| humanoid.and_then(|humanoid| humanoid.bone(role));
        if let (Some(a), Some(b)) = (bone(role), bone(role.opposite())) {
            pair(a, b, &mut paired);
        }
    }
    for (i, bone) in skeleton.bones().iter().enumerate() {
        let other = other_side(&bone.name).and_then(|name| skeleton.find(&name));
        if let Some(other) = other {
            pair(i as u16, other, &mut paired);
        }
    }
    partner
}

/// Reflection across the plane through the origin with this unit normal.
fn reflection(n: Vec3) -> Mat3 {
    let column = |axis: Vec3| axis - n * (2.0 * n.dot(axis));
    Mat3::from_cols(column(Vec3::X), column(Vec3::Y), column(Vec3::Z))
}

/// Mirror image of a rotation: the axis is reflected, the direction is reversed.
#[inline]
fn mirrored_rotation(q: Quat, n: Vec3) -> Quat {
    let v = Vec3::new(q.x, q.y, q.z);
    let v = n * (2.0 * n.dot(v)) - v;
    Quat::from_xyzw(v.x, v.y, v.z, q.w)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Bone, humanoid, local_to_model};

    fn any_rotation() -> impl Strategy<Value = Quat> {
        [-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0]
            .prop_filter("has a direction", |v| {
                v.iter().map(|x| x * x).sum::<f32>() > 0.01
            })
            .prop_map(|v| Quat::from_array(v).normalize())
    }

    /// Hips, a spine, arms of two bones and a sword in the right hand; mirrored positions, any axes.
    fn arms(rolls: &[Quat]) -> Skeleton {
        let rows: [(&str, Option<u16>, Vec3); 9] = [
            ("hips", None, Vec3::Y),
            ("spine", Some(0), Vec3::new(0.0, 1.2, 0.1)),
            ("arm.l", Some(1), Vec3::new(0.2, 1.4, 0.0)),
            ("fore.l", Some(2), Vec3::new(0.5, 1.3, 0.0)),
            ("hand.l", Some(3), Vec3::new(0.7, 1.2, 0.1)),
            ("arm.r", Some(1), Vec3::new(-0.2, 1.4, 0.0)),
            ("fore.r", Some(5), Vec3::new(-0.5, 1.3, 0.0)),
            ("hand.r", Some(6), Vec3::new(-0.7, 1.2, 0.1)),
            ("sword", Some(7), Vec3::new(-0.8, 1.2, 0.3)),
        ];
        let bones = rows
            .iter()
            .zip(rolls)
            .map(|((name, parent, position), roll)| {
                let parent_model = parent.map_or((Quat::IDENTITY, Vec3::ZERO), |p| {
                    (rolls[usize::from(p)], rows[usize::from(p)].2)
                });
                Bone {
                    name: (*name).into(),
                    parent: *parent,
                    rest: Trs {
                        translation: parent_model.0.inverse() * (*position - parent_model.1),
                        rotation: parent_model.0.inverse() * *roll,
                        scale: Vec3::ONE,
                    },
                    skinned: true,
                }
            });
        Skeleton::new(bones.collect()).unwrap()
    }

    fn posed(skeleton: &Skeleton, turns: &[Quat], morphs: Vec<f32>) -> Pose {
        let mut locals: Vec<Trs> = skeleton.rest().collect();
        for (local, turn) in locals.iter_mut().zip(turns) {
            local.rotation = (local.rotation * *turn).normalize();
        }
        locals[0].translation += Vec3::new(0.3, -0.1, 0.2);
        Pose {
            locals,
            morphs,
            curves: Vec::new(),
        }
    }

    fn positions(skeleton: &Skeleton, pose: &Pose) -> Vec<Vec3> {
        let mut model = Vec::new();
        local_to_model(skeleton, &pose.locals, &mut model);
        model.iter().map(|m| m.translation.into()).collect()
    }

    const MORPHS: [(usize, &str); 4] =
        [(0, "smile"), (0, "blink_L"), (0, "blink_R"), (1, "blink_L")];

    proptest! {
        #[test]
        fn pose_mirrored_twice_is_the_original(
            rolls in prop::collection::vec(any_rotation(), 9),
            turns in prop::collection::vec(any_rotation(), 9),
        ) {
            let skeleton = arms(&rolls);
            let map = MirrorMap::new(&skeleton, None, &MORPHS);
            let pose = posed(&skeleton, &turns, vec![0.1, 0.2, 0.3, 0.4]);
            let (mut once, mut twice) = (Pose::default(), Pose::default());
            mirror_pose(&map, &pose, &mut once);
            mirror_pose(&map, &once, &mut twice);
            for (a, b) in pose.locals.iter().zip(&twice.locals) {
                let b_near = b.rotation * b.rotation.dot(a.rotation).signum();
                prop_assert!(a.rotation.abs_diff_eq(b_near, 1e-5));
                prop_assert!(a.translation.distance(b.translation) < 1e-5);
                prop_assert_eq!(a.scale, b.scale);
            }
            prop_assert_eq!(pose.morphs, twice.morphs);
        }

        #[test]
        fn joints_are_at_the_mirrored_position_of_their_partners_for_any_axes(
            rolls in prop::collection::vec(any_rotation(), 9),
            turns in prop::collection::vec(any_rotation(), 9),
        ) {
            let skeleton = arms(&rolls);
            let map = MirrorMap::new(&skeleton, None, &[]);
            let pose = posed(&skeleton, &turns, Vec::new());
            let mut out = Pose::default();
            mirror_pose(&map, &pose, &mut out);
            let (before, after) = (positions(&skeleton, &pose), positions(&skeleton, &out));
            for (i, position) in after.iter().enumerate().take(8) {
                let partner = usize::from(map.partner(i as u16).unwrap());
                let there = before[partner] * Vec3::new(-1.0, 1.0, 1.0);
                prop_assert!(position.distance(there) < 1e-5, "{}: {} {}", i, position, there);
            }
        }
    }

    #[test]
    fn rest_pose_is_its_own_mirror_image_and_a_lone_sword_stays_in_the_hand() {
        let rolls: Vec<Quat> = (0..9).map(|i| Quat::from_rotation_z(i as f32)).collect();
        let skeleton = arms(&rolls);
        let map = MirrorMap::new(&skeleton, None, &[]);
        let rest = Pose {
            curves: Vec::new(),
            locals: skeleton.rest().collect(),
            morphs: Vec::new(),
        };
        let mut out = Pose::default();
        mirror_pose(&map, &rest, &mut out);
        for (a, b) in rest.locals.iter().zip(&out.locals) {
            let b_near = b.rotation * b.rotation.dot(a.rotation).signum();
            assert!(a.rotation.abs_diff_eq(b_near, 1e-6));
            assert!(a.translation.distance(b.translation) < 1e-6);
        }
        assert_eq!(out.locals[8], rest.locals[8]);
    }

    #[test]
    fn morphs_swap_sides_within_their_part() {
        let skeleton = arms(&[Quat::IDENTITY; 9]);
        let map = MirrorMap::new(&skeleton, None, &MORPHS);
        let pose = posed(&skeleton, &[], vec![0.1, 0.2, 0.3, 0.4]);
        let mut out = Pose::default();
        mirror_pose(&map, &pose, &mut out);
        assert_eq!(out.morphs, [0.1, 0.3, 0.2, 0.4]);
    }

    #[test]
    fn roles_pair_bones_that_names_do_not() {
        let named = arms(&[Quat::IDENTITY; 9]);
        let mut bones = named.bones().to_vec();
        for (i, bone) in bones.iter_mut().enumerate() {
            bone.name = format!("b{i}");
        }
        let skeleton = Skeleton::new(bones).unwrap();
        let declared = humanoid::Declared {
            bones: vec![
                (Role::Hips, 0),
                (Role::LeftUpperArm, 2),
                (Role::RightUpperArm, 5),
            ],
            model_from_character: Quat::IDENTITY,
        };
        let (humanoid, _) = humanoid::find(&skeleton, Some(&declared));
        let map = MirrorMap::new(&skeleton, Some(&humanoid), &[]);
        assert_eq!(map.partner(2), Some(5));
        assert_eq!(map.partner(3), Some(3));
        let step = map.motion(Trs {
            translation: Vec3::new(1.0, 2.0, 3.0),
            rotation: Quat::from_rotation_y(0.5),
            scale: Vec3::ONE,
        });
        assert_eq!(step.translation, Vec3::new(-1.0, 2.0, 3.0));
        assert!(step.rotation.abs_diff_eq(Quat::from_rotation_y(-0.5), 1e-6));
    }
}
