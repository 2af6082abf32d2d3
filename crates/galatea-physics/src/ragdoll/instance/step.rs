//! Updates of a ragdoll before and after a step of the world.

use glam::{Affine3A, Quat, Vec3};

use super::{BodyControl, Ragdoll, RagdollBody};
use crate::PhysicsMaterial;
use crate::joint::{Drive, rotation_of};
use crate::prop_body::Velocity;
use crate::ragdoll::{JointDefinition, RigidFrame};
use crate::tag::Owner;
use crate::world::PhysicsWorld;

impl Ragdoll {
    /// Sets the animated bone matrices, world space. The previous target becomes that of the last tick.
    pub fn aim(&mut self, world_from_model: Affine3A, model_from_bone: &[Affine3A], scale: f32) {
        // A fully limp ragdoll does not use the animation.
        self.stale |= self.is_limp();
        if self.is_limp() && scale == self.scale {
            return;
        }
        self.scale = scale;
        let stale = std::mem::take(&mut self.stale);
        for (body, definition) in self.bodies.iter_mut().zip(&self.definition.bodies) {
            let Some(bone) = model_from_bone.get(usize::from(definition.bone)) else {
                continue;
            };
            let bone = RigidFrame::of_bone(world_from_model * *bone);
            body.target_before = body.target.filter(|_| !stale);
            body.target = Some(bone.then(definition.bone_from_body.scaled(scale)));
        }
    }

    /// Shifts the previous targets back by `offset`, metres: bodies that enter the world start as if they had moved that
    /// much more in the last tick.
    pub fn hasten(&mut self, offset: Vec3) {
        for before in self
            .bodies
            .iter_mut()
            .filter_map(|body| body.target_before.as_mut())
        {
            before.position -= offset;
        }
    }

    /// Before a step of `dt` seconds: adds new bodies with the velocity of the animation, and moves or drives the others to
    /// their targets.
    pub fn before_step(
        &mut self,
        world: &mut PhysicsWorld,
        owner: Owner,
        surface: &PhysicsMaterial,
        dt: f32,
    ) {
        if self.is_resting() {
            return;
        }
        // Bodies may have been allowed to sleep before.
        let changed = std::mem::take(&mut self.changed);
        if self.is_free() {
            world.refine(self.size());
        }
        let (settings, scale) = (self.settings, self.scale);
        let quality_before = std::mem::replace(&mut self.quality, settings.quality);
        let bodies = self.bodies.iter_mut().zip(&self.definition.bodies);
        for (i, (body, definition)) in bodies.enumerate() {
            let Some(target) = body.target else {
                continue;
            };
            let before = body.target_before;
            let speed = || match before {
                Some(before) if dt > 0.0 => speed_between(before, target, dt),
                _ => Velocity::default(),
            };
            let existing = body.id.and_then(|id| Some((id, world.is_free(id)?)));
            match existing {
                None => {
                    let (at, speed) = match (body.frame, body.control.is_free()) {
                        // It was in another world and continues from there.
                        (Some(frame), true) => (frame, body.velocity),
                        _ => (target, speed()),
                    };
                    let part = (i as u16, body.ignored_parts);
                    body.id = world.add_limb(
                        owner, part, definition, &settings, surface, at, scale, speed,
                    );
                    body.frame = Some(at);
                    if let (Some(id), false) = (body.id, body.control.is_free()) {
                        world.set_free(id, false, speed);
                    }
                }
                Some((id, was_free)) => {
                    let free = body.control.is_free();
                    if was_free != free {
                        world.set_free(id, free, speed());
                    }
                    if changed {
                        world.allow_sleep(id, false);
                    }
                    if quality_before != settings.quality {
                        world.set_quality(id, quality_before, settings.quality, scale);
                    }
                    if !free {
                        world.move_to(id, target);
                    }
                }
            }
        }
        for i in 0..self.joints.len() {
            self.update_joint(world, i, dt);
        }
        self.pin_hips(world);
    }

    /// Returns true while nothing is to be done: all bodies are limp and asleep.
    fn is_resting(&self) -> bool {
        self.asleep && self.is_limp()
    }

    /// Returns true while all bodies are limp and in the world.
    fn is_limp(&self) -> bool {
        let is_limp_body =
            |body: &RagdollBody| body.control == BodyControl::Limp && body.id.is_some();
        !self.changed && self.bodies.iter().all(is_limp_body)
    }

    /// Updates limits and motors of a joint.
    fn update_joint(&mut self, world: &mut PhysicsWorld, i: usize, dt: f32) {
        let definition = &self.definition.joints[i];
        let (parent, child) = (
            usize::from(definition.parent),
            usize::from(definition.child),
        );
        let [Some(from), Some(to)] = [parent, child].map(|body| self.bodies.get(body)) else {
            return;
        };
        let ends = [from, to];
        let [Some(a), Some(b)] = ends.map(|body| body.id) else {
            return;
        };
        // Joints between two kinematic bodies are not needed.
        if !ends.iter().any(|body| body.control.is_free()) {
            if let Some(link) = self.joints[i].take() {
                world.unlink(link);
            }
            return;
        }
        if self.joints[i].is_none() {
            self.joints[i] = world.add_joint(a, b, definition, self.scale);
        }
        let ends = [parent, child].map(|body| &self.bodies[body]);
        let Some(link) = &mut self.joints[i] else {
            return;
        };
        if let [Some(at), Some(to)] = ends.map(|body| body.frame) {
            let turning = (ends[1].velocity.angular - ends[0].velocity.angular).length();
            let rotation = rotation_of(definition, at.rotation, to.rotation);
            world.update_joint(link, definition, rotation, turning, dt);
        }
        let target = match ends[1].control {
            BodyControl::Powered(weight) if weight > 0.0 => {
                target_of(definition, ends, dt).map(|(rotation, speed)| {
                    let hanging = ends[1].carried_mass * self.scale.powi(3);
                    let length = 0.3 * self.scale.max(1e-3);
                    // Both gains grow with the lever.
                    let lever = ends[1].lever.sqrt();
                    let drive = Drive {
                        frequency: self.settings.motor_frequency * weight.min(1.0).sqrt() * lever,
                        damping: self.settings.motor_damping * lever,
                        torque: self.settings.max_torque * hanging * weight * length / 0.3,
                    };
                    (rotation, speed, drive)
                })
            }
            _ => None,
        };
        world.drive_joint(link, definition, target);
    }

    /// Holds powered hips at their animated frame.
    fn pin_hips(&mut self, world: &mut PhysicsWorld) {
        let Some(root) = self.bodies.first() else {
            return;
        };
        let (Some(id), Some(target)) = (root.id, root.target) else {
            return;
        };
        let weight = match root.control {
            BodyControl::Powered(weight) => weight * self.settings.pin,
            _ => 0.0,
        };
        if weight <= 0.0 {
            if let Some(pin) = self.pin.take() {
                world.unpin(pin);
            }
            return;
        }
        if self.pin.is_none() {
            self.pin = world.pin(id, target);
        }
        if let Some(pin) = &self.pin {
            let mass: f32 = self.definition.bodies.iter().map(|body| body.mass).sum();
            let mass = mass * self.scale.powi(3);
            let lever = root.lever.sqrt();
            let drive = Drive {
                frequency: self.settings.motor_frequency * weight.min(1.0).sqrt() * lever,
                damping: self.settings.motor_damping * lever,
                torque: 40.0 * mass * weight * self.scale,
            };
            world.pull(pin, target, drive, 60.0 * mass * weight);
        }
    }

    /// After a step: reads the frames of the bodies.
    pub fn after_step(&mut self, world: &mut PhysicsWorld) {
        let sleeps = |body: &RagdollBody| body.id.is_none_or(|id| world.is_asleep(id));
        if self.is_resting() && self.bodies.iter().all(sleeps) {
            return;
        }
        self.dissipate(world);
        let mut asleep = true;
        for body in &mut self.bodies {
            let Some(id) = body.id else {
                continue;
            };
            let mut sleeps = false;
            if let Some((frame, velocity, is_asleep)) = world.state(id) {
                body.frame = Some(frame);
                body.velocity = velocity;
                sleeps = is_asleep;
            }
            asleep &= !body.control.is_free() || sleeps;
        }
        self.asleep = asleep && self.is_free();
    }
}

/// Animated rotation of a joint, and its rate of change in the parent's frame.
fn target_of(link: &JointDefinition, ends: [&RagdollBody; 2], dt: f32) -> Option<(Quat, Vec3)> {
    let [Some(a), Some(b)] = ends.map(|body| body.target) else {
        return None;
    };
    let rotation = rotation_of(link, a.rotation, b.rotation);
    let speed = match ends.map(|body| body.target_before) {
        [Some(a), Some(b)] if dt > 0.0 => {
            let before = rotation_of(link, a.rotation, b.rotation);
            short(rotation * before.conjugate()).to_scaled_axis() / dt
        }
        _ => Vec3::ZERO,
    };
    Some((rotation, speed))
}

fn short(q: Quat) -> Quat {
    if q.w < 0.0 { -q } else { q }
}

/// Maximum initial speed, metres and radians per second.
const MAX_INITIAL_SPEED: f32 = 30.0;

fn speed_between(before: RigidFrame, now: RigidFrame, dt: f32) -> Velocity {
    let rotation = short(now.rotation * before.rotation.conjugate());
    Velocity {
        linear: ((now.position - before.position) / dt).clamp_length_max(MAX_INITIAL_SPEED),
        angular: (rotation.to_scaled_axis() / dt).clamp_length_max(MAX_INITIAL_SPEED),
    }
}
