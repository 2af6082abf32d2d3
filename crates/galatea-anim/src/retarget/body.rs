//! Retargeting between any two humanoids: rotations away from rest, relative to the body, by role.
//!
//! With `C` the orientation of a character in its model space, `S` and `T` model-space rotations of source and
//! target, and `A` the rotation that aligns the target's resting limb with the source's (relative to the body), the
//! target bone gets `T = C_t · (C_s⁻¹ · S · S_rest⁻¹ · C_s) · A · C_t⁻¹ · T_rest`. Bone axes cancel out. Twist is
//! preserved because whole rotations are transferred.

use glam::{Affine3A, Quat, Vec3};

use super::measure::{Aligned, MeasuredBody, align, limb_parent};
use super::{Matched, RetargetMode, RetargetReport, Rig, Sampling, Takes, model_rotations, times};
use crate::humanoid::{N_ROLES, Role};
use crate::{BoneTracks, Clip, Pose, Skeleton, Track, local_to_model, sample};
use galatea_math::Trs;

const TRUNK: [Role; 3] = [Role::Spine, Role::Chest, Role::UpperChest];

/// Precomputed mapping between two bodies.
#[derive(Clone, Debug)]
pub struct BodyPair {
    source_frame: Quat,
    target_frame: Quat,
    source_rest: Vec<Quat>,
    /// Sorted by target bone.
    joints: Vec<MappedBone>,
    scale: f32,
    /// Source bones that affect a joint.
    reached: Vec<bool>,
    /// Source bones that move hips or root by their translations.
    moves: Vec<bool>,
}

/// Smaller differences of resting limbs are ignored, radians.
const MIN_CORRECTION: f32 = 1e-3;

/// A target bone and its source.
#[derive(Clone, Debug)]
pub struct MappedBone {
    /// `None` for the root.
    role: Option<Role>,
    target: u16,
    /// Follows `from.0`, or the interpolation between it and `from.1` at the fraction `u`.
    from: (u16, u16),
    u: f32,
    /// Factor to the right of the source's rotation: `A · C_t⁻¹ · T_rest`.
    after: Quat,
    /// True if its limb rests in another direction than the source's.
    is_corrected: bool,
    /// Source bones that change this bone's local rotation, ascending.
    pub involved: Vec<u16>,
    /// Another joint whose track requires a track for this one.
    follows: Option<usize>,
    /// Set for the joints that translate: hips and root.
    pub root_rest: Option<RootRest>,
}

/// Positions of hips or root at rest, relative to the body.
#[derive(Clone, Copy, Debug)]
pub struct RootRest {
    source: Vec3,
    target: Vec3,
}

/// Height of the target's hips divided by that of the source's.
pub fn height_ratio(source: Rig, target: Rig) -> f32 {
    sane(MeasuredBody::new(target).height() / MeasuredBody::new(source).height())
}

fn sane(scale: f32) -> f32 {
    if scale.is_finite() && scale > 0.0 {
        scale
    } else {
        1.0
    }
}

impl BodyPair {
    pub fn new(source: Rig, target: Rig) -> (Self, RetargetReport) {
        let (s, t) = (MeasuredBody::new(source), MeasuredBody::new(target));
        let t_poses = source.humanoid.rest_is_t_pose && target.humanoid.rest_is_t_pose;
        let aligned = align(&s, &t, t_poses);
        let mut joints = joints(&s, &t, &aligned);
        wire(&mut joints, &s, &t);

        // The height of the target's hips when its legs are aligned with the source's.
        let lift = t.lowest() - lowest_aligned(&t, &joints);
        let scale = sane((t.height() + lift) / s.height());
        for joint in &mut joints {
            let raise = match joint.role {
                Some(Role::Hips) => lift,
                None => 0.0,
                Some(_) => continue,
            };
            let floor = if s.stands_on_origin() {
                0.0
            } else {
                s.lowest()
            };
            joint.root_rest = Some(RootRest {
                source: s.position(joint.from.0) - Vec3::Y * floor,
                target: t.position(joint.target) + Vec3::Y * raise,
            });
        }

        let mut reached = vec![false; source.skeleton.len()];
        let mut moves = reached.clone();
        for joint in &joints {
            for bone in s.up(joint.from.0).chain(s.up(joint.from.1)) {
                reached[usize::from(bone)] = true;
                moves[usize::from(bone)] |= joint.root_rest.is_some();
            }
        }
        let report = report(&s, &t, &joints, &aligned, t_poses, scale);
        let body = Self {
            source_frame: source.humanoid.model_from_character,
            target_frame: target.humanoid.model_from_character,
            source_rest: s.rest_rotations().to_vec(),
            joints,
            scale,
            reached,
            moves,
        };
        (body, report)
    }

    pub fn takes(&self, bone: u16) -> Option<Takes> {
        let at = usize::from(bone);
        let reached = self.reached.get(at).copied().unwrap_or(false);
        reached.then(|| Takes {
            translation: self.moves.get(at).copied().unwrap_or(false),
            scale: false,
        })
    }

    /// Converts the clip's motion to tracks of the target's bones.
    pub fn bones(
        &self,
        clip: &Clip,
        source: &Skeleton,
        target: &Skeleton,
        sampling: Sampling,
    ) -> Vec<BoneTracks> {
        let moved = times::AnimatedBones::new(clip, source.len());
        let active = self.active(&moved);
        let plans: Vec<Option<times::KeyTimes>> = self
            .joints
            .iter()
            .zip(&active)
            .map(|(joint, active)| {
                let travels = joint.root_rest.is_some();
                active.then(|| times::keys(clip, &joint.involved, travels, sampling))
            })
            .collect();
        let mut all: Vec<f32> = Vec::new();
        for keys in plans.iter().flatten() {
            all.extend(&keys.times);
        }
        times::sort(&mut all);
        let mut travelling = self.joints.iter().filter(|joint| joint.root_rest.is_some());
        let travels = travelling.any(|joint| moved.any_translated(&joint.involved));

        let mut frame = RetargetFrame {
            rest: source.rest().collect(),
            active,
            travels,
            ..RetargetFrame::default()
        };
        let mut values = vec![(Vec::new(), Vec::new(), Vec::new()); plans.len()];
        for &t in &all {
            self.evaluate(clip, t, source, target, &mut frame);
            for ((plan, out), local) in plans.iter().zip(&mut values).zip(&frame.joint_locals) {
                let is_sampled = plan.as_ref().is_some_and(|plan| {
                    let found = plan.times.binary_search_by(|key| key.total_cmp(&t));
                    found.is_ok()
                });
                if is_sampled {
                    let (times, rotations, positions) = out;
                    // Neighbours in one hemisphere, so that they can be interpolated linearly.
                    let last: Option<&Quat> = rotations.last();
                    let turned = last.is_some_and(|last| last.dot(local.rotation) < 0.0);
                    times.push(t);
                    rotations.push(if turned {
                        -local.rotation
                    } else {
                        local.rotation
                    });
                    positions.push(local.translation);
                }
            }
        }
        let joints = self.joints.iter().zip(plans).zip(values);
        let tracks = joints.filter_map(|((joint, plan), (times, rotations, positions))| {
            let interpolation = plan?.interpolation;
            let travels = joint.root_rest.is_some() && travels;
            (!times.is_empty()).then(|| BoneTracks {
                bone: joint.target,
                translation: travels.then(|| Track {
                    times: times.clone(),
                    values: positions,
                    interpolation,
                }),
                rotation: Some(Track {
                    times,
                    values: rotations,
                    interpolation,
                }),
                scale: None,
            })
        });
        tracks.collect()
    }

    /// Selects the joints that get tracks: those rotated by the clip, and those further down the same limb. A clip
    /// that moves the hips or most joints affects the whole body: limbs without tracks then get the source's rest
    /// direction.
    fn active(&self, moved: &times::AnimatedBones) -> Vec<bool> {
        let is_moved = |joint: &MappedBone| {
            moved.any_rotated(&joint.involved)
                || joint.root_rest.is_some() && moved.any_translated(&joint.involved)
        };
        let n_moved = self.joints.iter().filter(|joint| is_moved(joint)).count();
        let mut travelling = self.joints.iter().filter(|joint| joint.root_rest.is_some());
        let is_whole = travelling.any(&is_moved) || 2 * n_moved > self.joints.len();
        let mut active: Vec<bool> = Vec::with_capacity(self.joints.len());
        for joint in &self.joints {
            let follows = joint.follows.and_then(|i| active.get(i).copied());
            let rests_elsewhere = is_whole && joint.is_corrected;
            active.push(is_moved(joint) || rests_elsewhere || follows.unwrap_or(false));
        }
        active
    }

    /// Evaluates the joints' local transforms at a time and writes them to the frame.
    fn evaluate(
        &self,
        clip: &Clip,
        t: f32,
        source: &Skeleton,
        target: &Skeleton,
        f: &mut RetargetFrame,
    ) {
        f.pose.locals.clone_from(&f.rest);
        sample(clip, t, &[], &mut f.pose);
        let locals = &f.pose.locals;
        model_rotations(source, |i| locals[i].rotation, &mut f.source);
        local_to_model(source, locals, &mut f.source_model);
        let (c_s, c_t) = (self.source_frame, self.target_frame);
        let turn = |bone: u16| {
            let i = usize::from(bone);
            c_s.inverse() * f.source[i] * self.source_rest[i].inverse() * c_s
        };
        f.target.clear();
        f.target_model.clear();
        f.joint_locals.clear();
        for (i, bone) in target.bones().iter().enumerate() {
            let parent = bone.parent.map(usize::from);
            let above = parent.map_or(Quat::IDENTITY, |p| f.target[p]);
            let above_model = parent.map_or(Affine3A::IDENTITY, |p| f.target_model[p]);
            let mut local = bone.rest;
            let next = f.joint_locals.len();
            let joint = self.joints.get(next).filter(|j| usize::from(j.target) == i);
            if let Some(joint) = joint {
                if f.active[next] {
                    let d = if joint.u == 0.0 {
                        turn(joint.from.0)
                    } else {
                        turn(joint.from.0).slerp(turn(joint.from.1), joint.u)
                    };
                    local.rotation = (above.inverse() * c_t * d * joint.after).normalize();
                    if let (Some(root_rest), true) = (joint.root_rest, f.travels) {
                        let from = usize::from(joint.from.0);
                        let at = Vec3::from(f.source_model[from].translation);
                        let went = c_s.inverse() * at - root_rest.source;
                        let to = c_t * (root_rest.target + went * self.scale);
                        local.translation = above_model.inverse().transform_point3(to);
                    }
                }
                f.joint_locals.push(local);
            }
            f.target.push((above * local.rotation).normalize());
            f.target_model.push(above_model * local.to_affine());
        }
    }
}

/// Buffers for one point in time.
#[derive(Default)]
struct RetargetFrame {
    rest: Vec<Trs>,
    active: Vec<bool>,
    travels: bool,
    pose: Pose,
    source: Vec<Quat>,
    source_model: Vec<Affine3A>,
    target: Vec<Quat>,
    target_model: Vec<Affine3A>,
    joint_locals: Vec<Trs>,
}

/// Source of each target bone, sorted by target bone.
fn joints(s: &MeasuredBody, t: &MeasuredBody, aligned: &[Aligned; N_ROLES]) -> Vec<MappedBone> {
    let joint = |role: Option<Role>, target: u16, from: (u16, u16), u: f32| {
        let turn = role.map_or(Quat::IDENTITY, |role| aligned[role.index()].turn);
        let frame = t.rig.humanoid.model_from_character;
        let rest = t.rest_rotations()[usize::from(target)];
        MappedBone {
            role,
            target,
            from,
            u,
            after: turn * frame.inverse() * rest,
            is_corrected: turn.angle_between(Quat::IDENTITY) > MIN_CORRECTION,
            involved: Vec::new(),
            follows: None,
            root_rest: None,
        }
    };
    let mut joints = Vec::new();
    if let (Some(from), Some(to)) = (s.root(), t.root()) {
        joints.push(joint(None, to, (from, from), 0.0));
    }
    let spine = |side: &MeasuredBody| -> Vec<u16> {
        let roles = TRUNK.iter();
        roles.filter_map(|role| side.bone(*role)).collect()
    };
    let (spine_s, spine_t) = (spine(s), spine(t));
    for role in Role::all() {
        let Some(target) = t.bone(role) else { continue };
        let found = if let Some(i) = spine_t.iter().position(|bone| *bone == target) {
            // Spines of different lengths: the same fraction of the distance from hips to shoulders.
            let u = (i + 1) as f32 / spine_t.len() as f32 * spine_s.len() as f32;
            let knot = |k: usize| match k.checked_sub(1) {
                Some(i) => spine_s.get(i).or(spine_s.last()).copied(),
                None => s.bone(Role::Hips),
            };
            let (low, fraction) = (u.floor(), u - u.floor());
            knot(low as usize)
                .zip(knot(low as usize + usize::from(fraction > 1e-4)))
                .map(|from| (from, if fraction > 1e-4 { fraction } else { 0.0 }))
        } else if let Some(from) = s.bone(role) {
            Some(((from, from), 0.0))
        } else if role == Role::Neck {
            let below = spine_s.last().copied().or(s.bone(Role::Hips));
            below.zip(s.bone(Role::Head)).map(|from| (from, 0.5))
        } else {
            None
        };
        if let Some((from, u)) = found {
            joints.push(joint(Some(role), target, from, u));
        }
    }
    joints.sort_by_key(|joint| joint.target);
    joints.dedup_by_key(|joint| joint.target);
    joints
}

/// Finds for each joint the source bones that change it, and the joint whose track requires its own.
fn wire(joints: &mut [MappedBone], s: &MeasuredBody, t: &MeasuredBody) {
    let roots = |joint: &MappedBone| -> Vec<u16> {
        let mut all: Vec<u16> = s.up(joint.from.0).chain(s.up(joint.from.1)).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    for i in 0..joints.len() {
        let above = t.up(joints[i].target).skip(1);
        let above = above.filter_map(|bone| joints.iter().position(|j| j.target == bone));
        let parent = above.into_iter().next();
        let own = roots(&joints[i]);
        let other = parent.map_or(Vec::new(), |parent| roots(&joints[parent]));
        // Common ancestors rotate both alike; an interpolated bone depends on all its sources.
        let mixes = joints[i].u != 0.0 || parent.is_some_and(|p| joints[p].u != 0.0);
        let both = |bone: &u16| own.contains(bone) && other.contains(bone);
        let trunk_only = |bone: &u16| !both(bone) || mixes && !above_hips(s, *bone);
        let mut involved: Vec<u16> = own.iter().chain(&other).copied().collect();
        involved.retain(trunk_only);
        involved.sort_unstable();
        involved.dedup();
        joints[i].involved = involved;
        let limb = joints[i].role.and_then(limb_parent);
        let limb = limb.filter(|_| joints[i].role.is_some_and(|role| !role.is_finger()));
        joints[i].follows = limb.and_then(|role| joints.iter().position(|j| j.role == Some(role)));
    }
}

/// Returns true for the hips and their ancestors.
fn above_hips(s: &MeasuredBody, bone: u16) -> bool {
    s.bone(Role::Hips)
        .is_some_and(|hips| s.up(hips).any(|above| above == bone))
}

/// Height of the lowest bone of the target's legs when its limbs are aligned with the source's.
fn lowest_aligned(t: &MeasuredBody, joints: &[MappedBone]) -> f32 {
    let frame = t.rig.humanoid.model_from_character;
    let mut rotations: Vec<Quat> = Vec::new();
    let mut positions: Vec<Vec3> = Vec::new();
    for (i, bone) in t.rig.skeleton.bones().iter().enumerate() {
        let rest = t.rest_rotations()[i];
        let joint = joints.iter().find(|joint| usize::from(joint.target) == i);
        let parent = bone.parent.map(usize::from);
        let rotation = match (joint, parent) {
            (Some(joint), _) => frame * joint.after,
            (None, Some(p)) => rotations[p] * t.rest_rotations()[p].inverse() * rest,
            (None, None) => rest,
        };
        // Positions in the character's directions; offsets rotate with the parent.
        let position = t.position(i as u16);
        positions.push(parent.map_or(position, |p| {
            let turn = frame.inverse() * rotations[p] * t.rest_rotations()[p].inverse() * frame;
            positions[p] + turn * (position - t.position(p as u16))
        }));
        rotations.push(rotation);
    }
    t.lowest_of(&positions)
}

fn report(
    s: &MeasuredBody,
    t: &MeasuredBody,
    joints: &[MappedBone],
    aligned: &[Aligned; N_ROLES],
    t_poses: bool,
    scale: f32,
) -> RetargetReport {
    let matched = joints.iter().map(|joint| {
        let at = joint.role.map(|role| aligned[role.index()]);
        let turn = at.map_or(Quat::IDENTITY, |at| at.turn);
        Matched {
            role: joint.role,
            source: s.name(if joint.u > 0.5 {
                joint.from.1
            } else {
                joint.from.0
            }),
            target: t.name(joint.target),
            rest_difference: at.and_then(|at| at.difference),
            corrected: turn.angle_between(Quat::IDENTITY) > MIN_CORRECTION,
        }
    });
    let bones: Vec<Matched> = matched.collect();
    let used = |bone: u16| {
        let mut all = joints.iter();
        all.any(|joint| joint.from.0 == bone || joint.from.1 == bone)
    };
    let lone = |side: &MeasuredBody, used: &dyn Fn(u16) -> bool| -> Vec<String> {
        let all = side.rig.skeleton.bones().iter().enumerate();
        let any_skinned = side.rig.skeleton.bones().iter().any(|bone| bone.skinned);
        all.filter(|(i, bone)| {
            (bone.skinned || !any_skinned) && !used(*i as u16) && !above_hips(side, *i as u16)
        })
        .map(|(_, bone)| bone.name.clone())
        .collect()
    };
    let mut notes = Vec::new();
    let worst = bones.iter().filter_map(|bone| bone.rest_difference);
    let worst = worst.fold(0.0, f32::max);
    if t_poses && worst > 30.0 {
        notes.push(format!(
            "both files declare a T-pose at rest, but limbs differ by up to {worst:.0} degrees; both are used as \
             T-poses"
        ));
    }
    if !s.stands_on_origin() {
        notes.push("the source's rest pose has its hips at the origin; the ground is assumed to be at its feet".into());
    }
    RetargetReport {
        manner: RetargetMode::Body,
        scale,
        bones,
        unmatched_source: lone(s, &used),
        unmatched_target: lone(t, &|bone| joints.iter().any(|joint| joint.target == bone)),
        notes,
    }
}
