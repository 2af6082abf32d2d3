//! Jiggle: a bone that lags behind and swings on a damped spring, for flesh, bellies, ears and bags. Users set a frequency
//! and a damping ratio. The equation x″ + 2ζω x′ + ω² x = −q″ is solved exactly over each step, so every frequency is
//! stable.

use glam::{Affine3A, Mat3A, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::spring::SpringInput;

/// Duration of a step, seconds.
const STEP: f64 = 1.0 / 240.0;
/// Maximum number of steps in one tick.
const MAX_STEPS: usize = 32;

/// Jiggle settings of one bone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Jiggle {
    /// Bone that moves.
    pub bone: u16,
    /// With a tip, the bone rotates about its origin as if a mass were here, in its space, metres; with `None` it moves
    /// instead.
    pub tip: Option<Vec3>,
    /// Natural frequency, oscillations per second, more than 0.
    pub frequency: f32,
    /// Damping ratio: 0 swings forever, 1 returns without overshoot.
    pub damping: f32,
    /// Largest displacement along each of the bone's axes: metres at scale 1, or radians with a tip.
    pub limit: Vec3,
}

/// State of a jiggling bone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Jiggling {
    /// Settings.
    pub jiggle: Jiggle,
    /// Blend weight, 0..=1.
    pub weight: f32,
    /// Offset from the position in the pose, world space, metres.
    offset: Vec3,
    velocity: Vec3,
    /// Position and velocity in the pose.
    target: Vec3,
    target_velocity: Vec3,
    is_ready: bool,
}

impl Jiggling {
    /// Bone at rest.
    pub fn new(jiggle: Jiggle) -> Self {
        Self {
            jiggle,
            weight: 1.0,
            offset: Vec3::ZERO,
            velocity: Vec3::ZERO,
            target: Vec3::ZERO,
            target_velocity: Vec3::ZERO,
            is_ready: false,
        }
    }

    /// Forgets all motion.
    pub fn reset(&mut self) {
        *self = Self {
            weight: self.weight,
            ..Self::new(self.jiggle)
        };
    }

    /// Moves the state with a teleported character.
    pub fn teleport(&mut self, by: Affine3A) {
        self.target = by.transform_point3(self.target);
        self.offset = by.transform_vector3(self.offset);
        self.velocity = by.transform_vector3(self.velocity);
        self.target_velocity = by.transform_vector3(self.target_velocity);
    }

    /// Continues from the state of another jiggle on the same bone.
    pub fn continue_from(&mut self, previous: &Self) {
        let (jiggle, weight) = (self.jiggle, self.weight);
        *self = previous.clone();
        (self.jiggle, self.weight) = (jiggle, weight);
    }

    /// Advances the spring, then moves or rotates the bone of the pose. `below` are its descendants in ascending order.
    pub fn advance(&mut self, input: &mut SpringInput, below: &[u16]) {
        let bone = usize::from(self.jiggle.bone);
        let (Some(&model), Some(local)) = (
            input.model_from_bone.get(bone),
            input.locals.get(bone).copied(),
        ) else {
            return;
        };
        let world = input.world_from_model * model;
        let target = world.transform_point3(self.jiggle.tip.unwrap_or(Vec3::ZERO));
        if !target.is_finite() {
            return;
        }
        if !self.is_ready {
            self.target = target;
            self.is_ready = true;
        }
        let size = super::spring::size_of(&input.world_from_model);
        if input.dt > 0.0 {
            self.swing(target, input.dt);
            self.clamp_to_limit(&world, size);
        }
        let above = input.skeleton.bones()[bone].parent;
        let parent = above.map_or(Affine3A::IDENTITY, |p| {
            input.model_from_bone[usize::from(p)]
        });
        let back = (input.world_from_model * parent).matrix3.inverse();
        let offset = self.offset * self.weight.clamp(0.0, 1.0);
        let mut moved = local;
        match self.jiggle.tip {
            None => moved.translation += Vec3::from(back * glam::Vec3A::from(offset)),
            Some(tip) => {
                let swung = target + offset - Vec3::from(world.translation);
                let to = Vec3::from(back * glam::Vec3A::from(swung));
                let to = (local.rotation.inverse() * to).try_normalize();
                let axis = (local.scale * tip).try_normalize();
                if let (Some(axis), Some(to)) = (axis, to) {
                    moved.rotation =
                        (local.rotation * Quat::from_rotation_arc(axis, to)).normalize();
                }
            }
        }
        if !moved.is_finite() {
            return;
        }
        input.locals[bone] = moved;
        input.model_from_bone[bone] = parent * moved.to_affine();
        for &i in below {
            let i = usize::from(i);
            if let Some(p) = input.skeleton.bones()[i].parent {
                input.model_from_bone[i] =
                    input.model_from_bone[usize::from(p)] * input.locals[i].to_affine();
            }
        }
    }

    fn swing(&mut self, target: Vec3, dt: f64) {
        let n = ((dt / STEP).round() as usize).clamp(1, MAX_STEPS);
        let h = (dt / n as f64) as f32;
        let velocity = (target - self.target) / dt as f32;
        // Inertia: the offset velocity changes by the opposite of the target's change.
        self.velocity -= velocity - self.target_velocity;
        self.target = target;
        self.target_velocity = velocity;
        let omega = std::f32::consts::TAU * self.jiggle.frequency.clamp(0.05, 60.0);
        let zeta = self.jiggle.damping.max(0.0);
        for _ in 0..n {
            (self.offset, self.velocity) = damped(self.offset, self.velocity, omega, zeta, h);
        }
        if !self.offset.is_finite() || !self.velocity.is_finite() {
            (self.offset, self.velocity) = (Vec3::ZERO, Vec3::ZERO);
        }
    }

    /// Clamps the offset to the limits along the bone's axes, and stops motion into a limit.
    fn clamp_to_limit(&mut self, world: &Affine3A, size: f32) {
        let (_, rotation, _) = world.to_scale_rotation_translation();
        if !rotation.is_finite() {
            return;
        }
        let axes = Mat3A::from_quat(rotation);
        let to_bone = axes.transpose();
        let limit = match self.jiggle.tip {
            None => self.jiggle.limit * size,
            Some(tip) => {
                let angle = self.jiggle.limit.clamp(Vec3::ZERO, Vec3::splat(1.4));
                let length = world.transform_vector3(tip).length();
                // A rotation about one axis moves the tip along another one; along the tip, the largest limit holds.
                Vec3::new(angle.x.tan(), angle.y.tan(), angle.z.tan()) * length
            }
        };
        let offset = Vec3::from(to_bone * glam::Vec3A::from(self.offset));
        let held = offset.clamp(-limit.abs(), limit.abs());
        let mut velocity = Vec3::from(to_bone * glam::Vec3A::from(self.velocity));
        for axis in 0..3 {
            if held[axis] != offset[axis] && velocity[axis] * offset[axis] > 0.0 {
                velocity[axis] = 0.0;
            }
        }
        self.offset = Vec3::from(axes * glam::Vec3A::from(held));
        self.velocity = Vec3::from(axes * glam::Vec3A::from(velocity));
    }
}

/// Exact offset and velocity of a damped spring after `h` seconds.
fn damped(x: Vec3, v: Vec3, omega: f32, zeta: f32, h: f32) -> (Vec3, Vec3) {
    let decay = (-zeta * omega * h).exp();
    if zeta < 0.999 {
        let damped = omega * (1.0 - zeta * zeta).sqrt();
        let (sin, cos) = (damped * h).sin_cos();
        let b = (v + x * (zeta * omega)) / damped;
        let next = (x * cos + b * sin) * decay;
        let speed = (b * (damped * cos) - x * (damped * sin)) * decay - next * (zeta * omega);
        return (next, speed);
    }
    if zeta < 1.001 {
        let b = v + x * omega;
        let next = (x + b * h) * decay;
        return (next, b * decay - next * omega);
    }
    let root = omega * (zeta * zeta - 1.0).sqrt();
    let (slow, fast) = (-zeta * omega + root, -zeta * omega - root);
    let b = (x * slow - v) / (slow - fast);
    let a = x - b;
    let (grown, shrunk) = ((slow * h).exp(), (fast * h).exp());
    (
        a * grown + b * shrunk,
        a * (slow * grown) + b * (fast * shrunk),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_anim::{Bone, Skeleton};
    use galatea_math::Trs;

    fn run(jiggle: Jiggle, hz: f64, ticks: usize, position: impl Fn(f64) -> Vec3) -> Vec<Vec3> {
        let bone = Bone {
            name: "belly".into(),
            parent: None,
            rest: Trs::IDENTITY,
            skinned: true,
        };
        let skeleton = Skeleton::new(vec![bone]).unwrap();
        let mut jiggling = Jiggling::new(jiggle);
        (0..ticks)
            .map(|i| {
                let (mut locals, mut matrices) = ([Trs::IDENTITY], [Affine3A::IDENTITY]);
                let mut input = SpringInput {
                    skeleton: &skeleton,
                    locals: &mut locals,
                    model_from_bone: &mut matrices,
                    world_from_model: Affine3A::from_translation(position(i as f64 / hz)),
                    dt: if i == 0 { 0.0 } else { 1.0 / hz },
                    wind: &|_| Vec3::ZERO,
                };
                jiggling.advance(&mut input, &[]);
                matrices[0].transform_point3(jiggle.tip.unwrap_or(Vec3::ZERO))
            })
            .collect()
    }

    fn jiggle(frequency: f32, damping: f32) -> Jiggle {
        Jiggle {
            bone: 0,
            tip: None,
            frequency,
            damping,
            limit: Vec3::splat(10.0),
        }
    }

    #[test]
    fn frequency_and_damping_are_as_configured() {
        let (frequency, damping) = (2.0_f32, 0.1_f32);
        // An impulse: one tick at 1 m/s, then rest.
        let path = run(jiggle(frequency, damping), 240.0, 480, |t| {
            Vec3::X * (t.min(1.0 / 240.0) as f32)
        });
        let crossings: Vec<usize> = (2..path.len())
            .filter(|&i| path[i - 1].x < 0.0 && path[i].x >= 0.0)
            .collect();
        let swing = (crossings[1] - crossings[0]) as f32 / 240.0;
        let expected = 1.0 / (frequency * (1.0 - damping * damping).sqrt());
        assert!((swing - expected).abs() < 0.006, "{swing} {expected}");
        let top = |from: usize| {
            let part = &path[from..from + 120];
            part.iter().map(|p| p.x.abs()).fold(0.0, f32::max)
        };
        let omega = std::f32::consts::TAU * frequency;
        let decay = (-damping * omega * 0.5).exp();
        assert!((top(121) / top(1) - decay).abs() < 0.02);
    }

    #[test]
    fn any_frequency_and_rate_is_stable_and_steady_motion_has_no_lag() {
        for hz in [30.0, 60.0, 240.0] {
            for (frequency, damping) in [(0.5, 0.0), (3.0, 0.3), (60.0, 1.0), (60.0, 5.0)] {
                let path = run(jiggle(frequency, damping), hz, 4 * hz as usize, |t| {
                    Vec3::X * (t.min(1.0) as f32)
                });
                assert!(path.iter().all(|p| p.length() < 0.7), "{hz} {frequency}");
            }
        }
        let path = run(jiggle(3.0, 0.5), 60.0, 240, |t| Vec3::X * (t as f32 * 4.0));
        assert!(path[239].length() < 1e-3, "{}", path[239]);
    }

    #[test]
    fn limits_hold_and_a_tip_keeps_its_length() {
        let tip = Vec3::Y * 0.3;
        let limit = 0.2;
        let swung = Jiggle {
            tip: Some(tip),
            limit: Vec3::splat(limit),
            ..jiggle(2.0, 0.1)
        };
        let path = run(swung, 60.0, 120, |t| {
            Vec3::X * ((t as f32 * 12.0).sin() * 0.5)
        });
        let widest = path
            .iter()
            .map(|p| p.angle_between(tip))
            .fold(0.0, f32::max);
        assert!(widest > 0.9 * limit && widest < 1.02 * limit, "{widest}");
        assert!(path.iter().all(|p| (p.length() - 0.3).abs() < 1e-4));
        let moved = Jiggle {
            limit: Vec3::new(0.02, 0.0, 0.0),
            ..jiggle(2.0, 0.1)
        };
        let path = run(moved, 60.0, 120, |t| Vec3::ONE * (t as f32 * 12.0).sin());
        assert!(path.iter().all(|p| p.x.abs() < 0.0201 && p.y.abs() < 1e-5));
    }
}
