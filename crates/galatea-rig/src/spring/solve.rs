//! Simulation of spring bones in fixed steps.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::collide::{PlacedCollider, size_of};
use super::{ColliderShape, STEP, SpringJoint, SpringSet, Tail};
use galatea_anim::Skeleton;
use galatea_math::{Trs, nlerp};

/// Maximum number of steps in one tick; longer time is dropped.
const MAX_STEPS: usize = 8;

/// Input and output of one tick.
pub struct SpringInput<'a> {
    /// Skeleton of the pose.
    pub skeleton: &'a Skeleton,
    /// Local transforms of the final pose; rotations of joints are replaced.
    pub locals: &'a mut [Trs],
    /// Pose in model space; updated below joints.
    pub model_from_bone: &'a mut [Affine3A],
    /// Transform of the model.
    pub world_from_model: Affine3A,
    /// Seconds since the last tick; 0 shows the current state without advancing it.
    pub dt: f64,
    /// Air velocity at a position, m/s.
    pub wind: &'a dyn Fn(Vec3) -> Vec3,
}

/// A bone whose world matrix springs change: a joint or a descendant of one.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct MovedBone {
    bone: u16,
    /// Index into the set's joints.
    joint: Option<u16>,
}

/// State of a joint between steps.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct TailState {
    /// Tail positions after the last step and the one before, in the centre's space or in world space.
    now: Vec3,
    before: Vec3,
    /// Tail in bone space, at rest.
    local: Vec3,
}

/// State of a set of springs on one character.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Springs {
    #[serde(with = "galatea_persist::shared")]
    set: Arc<SpringSet>,
    /// Blend weight of the spring rotations, 0..=1.
    pub weight: f32,
    moved: Vec<MovedBone>,
    /// Bones whose world matrices are read but not changed, with their matrices of the last tick.
    anchors: Vec<(u16, Affine3A)>,
    tails: Vec<TailState>,
    /// Seconds not simulated yet.
    unsimulated: f64,
    is_ready: bool,
    /// World matrices of moved bones and anchors; scratch buffer.
    world: Vec<Affine3A>,
    previous_world_from_model: Vec<PlacedCollider>,
}

impl Springs {
    /// Springs at rest. Joints, tails and colliders with bones that the skeleton lacks are skipped.
    pub fn new(set: Arc<SpringSet>, skeleton: &Skeleton) -> Self {
        let n = skeleton.len();
        let exists = |bone: u16| usize::from(bone) < n;
        let mut joint_of: Vec<Option<u16>> = vec![None; n];
        let mut tails = vec![TailState::default(); set.joints.len()];
        for (i, joint) in set.joints.iter().enumerate().take(usize::from(u16::MAX)) {
            let Some(slot) = joint_of.get_mut(usize::from(joint.bone)) else {
                continue;
            };
            let local = tail_in_bone(joint, skeleton);
            if slot.is_none() && local.is_finite() {
                *slot = Some(i as u16);
                tails[i].local = local;
            }
        }
        let mut is_moved = vec![false; n];
        let mut moved = Vec::new();
        for (i, bone) in skeleton.bones().iter().enumerate() {
            let below = bone.parent.is_some_and(|p| is_moved[usize::from(p)]);
            if below || joint_of[i].is_some() {
                is_moved[i] = true;
                moved.push(MovedBone {
                    bone: i as u16,
                    joint: joint_of[i],
                });
            }
        }
        let parents = moved
            .iter()
            .filter_map(|m| skeleton.bones()[usize::from(m.bone)].parent);
        let centers = set.joints.iter().filter_map(|joint| joint.center);
        let carriers = set.colliders.iter().map(|collider| collider.bone);
        let mut anchors: Vec<u16> = parents.chain(centers).chain(carriers).collect();
        anchors.retain(|&bone| exists(bone) && !is_moved[usize::from(bone)]);
        anchors.sort_unstable();
        anchors.dedup();
        Self {
            set,
            weight: 1.0,
            moved,
            anchors: anchors
                .into_iter()
                .map(|bone| (bone, Affine3A::IDENTITY))
                .collect(),
            tails,
            unsimulated: 0.0,
            is_ready: false,
            world: vec![Affine3A::IDENTITY; n],
            previous_world_from_model: Vec::new(),
        }
    }

    /// Spring set that this state belongs to.
    pub fn set(&self) -> &Arc<SpringSet> {
        &self.set
    }

    /// Number of moving joints.
    pub fn n_joints(&self) -> usize {
        self.moved.iter().filter(|m| m.joint.is_some()).count()
    }

    /// Forgets all motion: the next tick begins at the pose.
    pub fn reset(&mut self) {
        self.is_ready = false;
        self.unsimulated = 0.0;
    }

    /// Moves the tails with a teleported character, without any swing.
    pub fn teleport(&mut self, by: Affine3A) {
        for (joint, tail) in self.set.joints.iter().zip(&mut self.tails) {
            if joint.center.is_none() {
                tail.now = by.transform_point3(tail.now);
                tail.before = by.transform_point3(tail.before);
            }
        }
        for (_, before) in &mut self.anchors {
            *before = by * *before;
        }
    }

    /// Continues from the state of springs with the same joints on an equal skeleton.
    pub fn continue_from(&mut self, previous: &Self) {
        if previous.tails.len() == self.tails.len() && previous.anchors.len() == self.anchors.len()
        {
            self.tails.clone_from(&previous.tails);
            self.anchors.clone_from(&previous.anchors);
            (self.unsimulated, self.is_ready) = (previous.unsimulated, previous.is_ready);
        }
    }

    /// World positions of each joint's head and tail, and its radius, as last shown, metres.
    pub fn shown(&self) -> impl Iterator<Item = (Vec3, Vec3, f32)> + '_ {
        self.moved.iter().filter_map(|moved| {
            let i = usize::from(moved.joint?);
            let world = &self.world[usize::from(moved.bone)];
            let tail = world.transform_point3(self.tails[i].local);
            let radius = self.set.joints[i].radius * size_of(world);
            Some((world.translation.into(), tail, radius))
        })
    }

    /// World-space colliders, as last shown.
    pub fn shown_colliders(&self) -> impl Iterator<Item = ColliderShape> + '_ {
        self.set.colliders.iter().filter_map(|collider| {
            let world = self.world.get(usize::from(collider.bone))?;
            Some(PlacedCollider::new(collider.shape, world).shape())
        })
    }

    /// Advances the springs and rotates the bones of the pose.
    pub fn advance(&mut self, input: &mut SpringInput) {
        if self.moved.is_empty() {
            return;
        }
        let scale = size_of(&input.world_from_model);
        if !self.is_ready {
            self.place_anchors(input, 1.0);
            self.begin(input);
        }
        let total = self.unsimulated + input.dt.max(0.0);
        let n = (total / STEP + 1e-6).floor() as usize;
        for i in 1..=n.min(MAX_STEPS) {
            let u = if input.dt > 0.0 {
                ((i as f64 * STEP - self.unsimulated) / input.dt) as f32
            } else {
                1.0
            };
            self.place_anchors(input, u);
            self.step(input, scale);
        }
        self.unsimulated = (total - n as f64 * STEP).max(0.0);
        self.place_anchors(input, 1.0);
        self.show(input);
        for (bone, before) in &mut self.anchors {
            *before = self.world[usize::from(*bone)];
        }
    }

    /// World matrices of the anchors at a fraction `u` of the tick.
    fn place_anchors(&mut self, input: &SpringInput, u: f32) {
        for (bone, before) in &self.anchors {
            let bone = usize::from(*bone);
            let now = input.world_from_model * input.model_from_bone[bone];
            self.world[bone] = if u >= 1.0 - 1e-5 || !self.is_ready {
                now
            } else {
                between(before, &now, u)
            };
        }
    }

    /// Places the tails at the pose, without velocity.
    fn begin(&mut self, input: &SpringInput) {
        for i in 0..self.moved.len() {
            let MovedBone { bone, joint } = self.moved[i];
            let parent = self.parent_world(input, bone);
            self.world[usize::from(bone)] = parent * self.local(input, bone, joint).to_affine();
            let Some(joint) = joint.map(usize::from) else {
                continue;
            };
            let tail = self.world[usize::from(bone)].transform_point3(self.tails[joint].local);
            let center = self.center(joint);
            let tail = center.map_or(tail, |c| c.inverse().transform_point3(tail));
            (self.tails[joint].now, self.tails[joint].before) = (tail, tail);
        }
        self.is_ready = true;
    }

    fn parent_world(&self, input: &SpringInput, bone: u16) -> Affine3A {
        let parent = input.skeleton.bones()[usize::from(bone)].parent;
        parent.map_or(input.world_from_model, |p| self.world[usize::from(p)])
    }

    /// Local transform that stiffness pulls to.
    fn local(&self, input: &SpringInput, bone: u16, joint: Option<u16>) -> Trs {
        let bone = usize::from(bone);
        let mut local = input.locals[bone];
        if joint.is_some() && self.set.to_rest {
            local.rotation = input.skeleton.bones()[bone].rest.rotation;
        }
        local
    }

    fn center(&self, joint: usize) -> Option<Affine3A> {
        let center = self
            .world
            .get(usize::from(self.set.joints[joint].center?))?;
        center.inverse().is_finite().then_some(*center)
    }

    fn step(&mut self, input: &SpringInput, scale: f32) {
        self.previous_world_from_model.clear();
        for collider in &self.set.colliders {
            let at = self.world.get(usize::from(collider.bone));
            let at = at.copied().unwrap_or(input.world_from_model);
            self.previous_world_from_model
                .push(PlacedCollider::new(collider.shape, &at));
        }
        for i in 0..self.moved.len() {
            let MovedBone { bone, joint } = self.moved[i];
            let parent = self.parent_world(input, bone);
            let mut local = self.local(input, bone, joint);
            if let Some(j) = joint.map(usize::from) {
                let aim = RestAim::new(&parent, &local, self.tails[j].local);
                let next = self.next_tail(j, &aim, scale, input.wind);
                if let Some(turned) = aim.turned(next) {
                    local.rotation = turned;
                }
            }
            self.world[usize::from(bone)] = parent * local.to_affine();
        }
    }

    /// Next tail position, by VRMC_springBone 1.0, "Inertia calculation" to "Collision", and the angle limit.
    fn next_tail(
        &mut self,
        j: usize,
        aim: &RestAim,
        scale: f32,
        wind: &dyn Fn(Vec3) -> Vec3,
    ) -> Vec3 {
        let joint = &self.set.joints[j];
        let dt = STEP as f32;
        let center = self.center(j);
        let world = |p: Vec3| center.map_or(p, |c| c.transform_point3(p));
        let tail = self.tails[j];
        let (now, before) = (world(tail.now), world(tail.before));
        let inertia = (now - before) * (1.0 - joint.drag);
        let stiffness = aim.direction * (dt * joint.stiffness * scale);
        let external = joint.gravity * (dt * scale);
        let air = if joint.wind_scale > 0.0 {
            wind(aim.head) * (dt * joint.wind_scale)
        } else {
            Vec3::ZERO
        };
        let mut next = aim.on_sphere(now + inertia + stiffness + external + air);
        let radius = joint.radius * scale;
        for collider in joint.colliders.iter() {
            if let Some(collider) = self.previous_world_from_model.get(usize::from(*collider)) {
                let pushed = collider.push(next, radius);
                if pushed != next {
                    next = aim.on_sphere(pushed);
                }
            }
        }
        next = aim.within(next, joint.max_angle);
        if !next.is_finite() {
            next = aim.head + aim.direction * aim.length;
        }
        let state = &mut self.tails[j];
        let stored = |p: Vec3| center.map_or(p, |c| c.inverse().transform_point3(p));
        (state.before, state.now) = (state.now, stored(next));
        if !state.now.is_finite() || !state.before.is_finite() {
            (state.now, state.before) = (next, next);
        }
        next
    }

    /// Rotates the bones towards their tails, extrapolated by the time not simulated yet.
    fn show(&mut self, input: &mut SpringInput) {
        let ahead = (self.unsimulated / STEP) as f32;
        for i in 0..self.moved.len() {
            let MovedBone { bone, joint } = self.moved[i];
            let index = usize::from(bone);
            let parent = self.parent_world(input, bone);
            if let Some(j) = joint.map(usize::from) {
                let pull = self.local(input, bone, joint);
                let tail = self.tails[j];
                let aim = RestAim::new(&parent, &pull, tail.local);
                let center = self.center(j);
                let at = tail.now + (tail.now - tail.before) * ahead;
                let at = center.map_or(at, |c| c.transform_point3(at));
                let limit = self.set.joints[j].max_angle;
                if let Some(turned) = aim.turned(aim.within(aim.on_sphere(at), limit)) {
                    let local = &mut input.locals[index];
                    local.rotation = nlerp(local.rotation, turned, self.weight.clamp(0.0, 1.0));
                }
            }
            let local = input.locals[index].to_affine();
            self.world[index] = parent * local;
            let above = input.skeleton.bones()[index].parent;
            input.model_from_bone[index] = match above {
                Some(p) => input.model_from_bone[usize::from(p)] * local,
                None => local,
            };
        }
    }
}

/// World transform of a joint's bone without springs.
struct RestAim {
    head: Vec3,
    /// Direction to the tail, unit length; zero for a bone without length.
    direction: Vec3,
    length: f32,
    parent: Affine3A,
    rotation: Quat,
    /// Direction to the tail in bone space, unit length.
    axis: Vec3,
}

impl RestAim {
    fn new(parent: &Affine3A, local: &Trs, tail: Vec3) -> Self {
        let head = parent.transform_point3(local.translation);
        let along = parent.transform_vector3(local.rotation * (local.scale * tail));
        let direction = along.try_normalize().unwrap_or(Vec3::ZERO);
        Self {
            head,
            direction,
            length: along.length(),
            parent: *parent,
            rotation: local.rotation,
            axis: (local.scale * tail).try_normalize().unwrap_or(Vec3::ZERO),
        }
    }

    /// Nearest point at the bone's length.
    fn on_sphere(&self, tail: Vec3) -> Vec3 {
        let direction = (tail - self.head).try_normalize();
        self.head + direction.unwrap_or(self.direction) * self.length
    }

    /// Nearest point within an angle of the bone's direction.
    fn within(&self, tail: Vec3, limit: f32) -> Vec3 {
        let Some(direction) = (tail - self.head).try_normalize() else {
            return tail;
        };
        let angle = direction.dot(self.direction).clamp(-1.0, 1.0).acos();
        if angle <= limit {
            return tail;
        }
        let side = direction.reject_from(self.direction);
        let side = side
            .try_normalize()
            .unwrap_or_else(|| self.direction.any_orthogonal_vector().normalize_or_zero());
        self.head + (self.direction * limit.cos() + side * limit.sin()) * self.length
    }

    /// Local rotation with which the bone points at a tail; `None` without a direction.
    fn turned(&self, tail: Vec3) -> Option<Quat> {
        let back = self.parent.matrix3.inverse();
        let to = back * glam::Vec3A::from(tail - self.head);
        let to = (self.rotation.inverse() * Vec3::from(to)).try_normalize()?;
        let rotation = Quat::from_rotation_arc(self.axis.try_normalize()?, to);
        let turned = (self.rotation * rotation).normalize();
        turned.is_finite().then_some(turned)
    }
}

/// Position of a joint's tail at rest, in its bone's space.
fn tail_in_bone(joint: &SpringJoint, skeleton: &Skeleton) -> Vec3 {
    let end = match joint.tail {
        Tail::At(at) => return at,
        Tail::Bone(end) => end,
    };
    let mut at = Vec3::ZERO;
    let mut bone = end;
    while bone != joint.bone {
        let Some(found) = skeleton.bones().get(usize::from(bone)) else {
            return Vec3::NAN;
        };
        at = found.rest.to_affine().transform_point3(at);
        let Some(parent) = found.parent else {
            return Vec3::NAN;
        };
        bone = parent;
    }
    at
}

/// Interpolates between two frames, with rotation along the short arc.
fn between(a: &Affine3A, b: &Affine3A, u: f32) -> Affine3A {
    let (scale_a, rotation_a, at_a) = a.to_scale_rotation_translation();
    let (scale_b, rotation_b, at_b) = b.to_scale_rotation_translation();
    let frame = Affine3A::from_scale_rotation_translation(
        scale_a.lerp(scale_b, u),
        nlerp(rotation_a, rotation_b, u),
        at_a.lerp(at_b, u),
    );
    if frame.is_finite() { frame } else { *b }
}
