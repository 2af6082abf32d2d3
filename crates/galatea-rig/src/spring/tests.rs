//! Tests of springs against the formulas of the specification and against known problems of other engines.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};

use super::{
    ColliderShape, STEP, SpringCollider, SpringInput, SpringJoint, SpringSet, Springs, Tail,
};
use galatea_anim::{Bone, Skeleton, local_to_model};
use galatea_math::Trs;

/// A root and a chain of `n` bones, each `length` long along X.
fn chain(n: usize, length: f32) -> Skeleton {
    let bones = (0..=n).map(|i| Bone {
        name: format!("b{i}"),
        parent: i.checked_sub(1).map(|p| p as u16),
        rest: Trs::from_translation(if i < 2 { Vec3::ZERO } else { Vec3::X * length }),
        skinned: true,
    });
    Skeleton::new(bones.collect()).unwrap()
}

fn set(n: usize, joint: impl Fn(u16) -> SpringJoint) -> SpringSet {
    SpringSet {
        joints: (1..n as u16).map(joint).collect(),
        colliders: Vec::new(),
        to_rest: true,
    }
}

struct Doll {
    skeleton: Skeleton,
    springs: Springs,
    locals: Vec<Trs>,
    matrices: Vec<Affine3A>,
}

impl Doll {
    fn new(skeleton: Skeleton, set: SpringSet) -> Self {
        let springs = Springs::new(Arc::new(set), &skeleton);
        Self {
            locals: Vec::new(),
            matrices: Vec::new(),
            springs,
            skeleton,
        }
    }

    fn tick(&mut self, position: Affine3A, dt: f64, wind: Vec3) {
        self.locals = self.skeleton.rest().collect();
        local_to_model(&self.skeleton, &self.locals, &mut self.matrices);
        self.springs.advance(&mut SpringInput {
            skeleton: &self.skeleton,
            locals: &mut self.locals,
            model_from_bone: &mut self.matrices,
            world_from_model: position,
            dt,
            wind: &|_| wind,
        });
    }

    /// Position of a bone, model space.
    fn at(&self, bone: usize) -> Vec3 {
        self.matrices[bone].translation.into()
    }
}

/// VRMC_springBone 1.0, "Spring Bone Algorithm", written out for one joint of length 1 at the origin with a sphere collider.
#[test]
fn every_step_is_the_formula_of_the_specification() {
    let (stiffness, gravity, drag, radius) = (1.3, Vec3::NEG_Y * 0.7, 0.35, 0.05);
    let ball = (Vec3::new(0.6, -0.75, 0.1), 0.4_f32);
    let mut set = set(2, |bone| SpringJoint {
        stiffness,
        gravity,
        drag,
        radius,
        wind_scale: 0.0,
        colliders: Arc::new([0]),
        ..SpringJoint::new(bone, Tail::Bone(bone + 1))
    });
    set.colliders.push(SpringCollider {
        bone: 0,
        shape: ColliderShape::Sphere {
            offset: ball.0,
            radius: ball.1,
            inside: false,
        },
    });
    let mut doll = Doll::new(chain(2, 1.0), set);
    doll.tick(Affine3A::IDENTITY, 0.0, Vec3::ZERO);
    let (mut now, mut before) = (Vec3::X, Vec3::X);
    let dt = 1.0 / 60.0;
    let mut touched = 0;
    for _ in 0..120 {
        let inertia = (now - before) * (1.0 - drag);
        let mut next = now + inertia + Vec3::X * (stiffness * dt) + gravity * dt;
        next = next.normalize();
        let delta = next - ball.0;
        let distance = delta.length() - ball.1 - radius;
        if distance < 0.0 {
            next -= delta.normalize() * distance;
            next = next.normalize();
            touched += 1;
        }
        (before, now) = (now, next);
        doll.tick(Affine3A::IDENTITY, STEP, Vec3::ZERO);
        assert!(doll.at(2).abs_diff_eq(now, 2e-5), "{} {now}", doll.at(2));
    }
    assert!(touched > 20, "{touched}");
}

#[test]
fn thirty_and_two_hundred_and_forty_ticks_per_second_agree() {
    let run = |per_second: u32| {
        let mut doll = Doll::new(
            chain(5, 0.1),
            set(5, |bone| SpringJoint::new(bone, Tail::Bone(bone + 1))),
        );
        let position = |t: f32| Affine3A::from_translation(Vec3::new(t.min(0.5) * 2.0, 0.0, 0.0));
        for i in 0..=per_second {
            let dt = if i == 0 {
                0.0
            } else {
                1.0 / f64::from(per_second)
            };
            doll.tick(position(i as f32 / per_second as f32), dt, Vec3::Z);
        }
        doll.at(5)
    };
    let (slow, usual, fast) = (run(30), run(60), run(240));
    assert!(usual.distance(Vec3::X * 0.4) > 0.02, "{usual}");
    assert!(slow.distance(usual) < 1e-4, "{slow} {usual}");
    assert!(fast.distance(usual) < 1e-4, "{fast} {usual}");
}

#[test]
fn a_character_of_any_size_moves_the_same() {
    let run = |scale: f32| {
        let joint = |bone| SpringJoint {
            gravity: Vec3::NEG_Y * 0.5,
            wind_scale: 0.0,
            ..SpringJoint::new(bone, Tail::Bone(bone + 1))
        };
        let mut doll = Doll::new(chain(5, 0.1), set(5, joint));
        for i in 0..90 {
            let rotation = Quat::from_rotation_y((i as f32 * 0.1).sin());
            let position =
                Affine3A::from_scale_rotation_translation(Vec3::splat(scale), rotation, Vec3::ZERO);
            doll.tick(position, STEP, Vec3::ZERO);
        }
        doll.at(5)
    };
    for scale in [0.1, 10.0] {
        assert!(run(scale).distance(run(1.0)) < 1e-4, "{scale}");
    }
}

#[test]
fn a_teleport_moves_the_tails_and_a_jump_without_it_swings_them() {
    let far =
        Affine3A::from_rotation_translation(Quat::from_rotation_y(1.0), Vec3::new(30.0, 0.0, -4.0));
    let run = |carried: bool| {
        let mut doll = Doll::new(
            chain(5, 0.1),
            set(5, |bone| SpringJoint::new(bone, Tail::Bone(bone + 1))),
        );
        for _ in 0..30 {
            doll.tick(Affine3A::IDENTITY, STEP, Vec3::ZERO);
        }
        if carried {
            doll.springs.teleport(far);
        }
        let mut worst: f32 = 0.0;
        for _ in 0..30 {
            doll.tick(far, STEP, Vec3::ZERO);
            worst = worst.max(doll.at(5).distance(Vec3::X * 0.4));
        }
        worst
    };
    assert!(run(true) < 1e-3, "{}", run(true));
    assert!(run(false) > 0.2, "{}", run(false));
}

#[test]
fn a_center_removes_its_own_motion() {
    let run = |center: Option<u16>| {
        let joint = |bone| SpringJoint {
            center,
            ..SpringJoint::new(bone, Tail::Bone(bone + 1))
        };
        let mut doll = Doll::new(chain(4, 0.1), set(4, joint));
        for i in 0..30 {
            let position = Affine3A::from_translation(Vec3::Z * (i as f32 * 0.1));
            doll.tick(position, STEP, Vec3::ZERO);
        }
        doll.at(4).z
    };
    assert!(run(Some(0)).abs() < 1e-4, "{}", run(Some(0)));
    assert!(run(None) < -0.05, "{}", run(None));
}

#[test]
fn the_limit_holds_against_any_force() {
    let limit = 0.5;
    let joint = |bone| SpringJoint {
        max_angle: limit,
        gravity: Vec3::NEG_X * 50.0,
        ..SpringJoint::new(bone, Tail::Bone(bone + 1))
    };
    let mut doll = Doll::new(chain(2, 1.0), set(2, joint));
    for _ in 0..60 {
        doll.tick(Affine3A::IDENTITY, STEP, Vec3::Y);
        let angle = doll.at(2).normalize().dot(Vec3::X).clamp(-1.0, 1.0).acos();
        assert!(angle < limit + 1e-3, "{angle}");
    }
    assert!(doll.at(2).x < 0.9);
}

#[test]
fn bones_without_length_or_size_never_give_nan() {
    let joint = |bone| SpringJoint {
        gravity: Vec3::NEG_Y,
        ..SpringJoint::new(bone, Tail::Bone(bone + 1))
    };
    for (length, scale) in [(0.0, 1.0), (0.1, 0.0), (0.0, 0.0)] {
        let mut doll = Doll::new(chain(4, length), set(4, joint));
        for i in 0..40 {
            let size = if (10..20).contains(&i) { scale } else { 1.0 };
            let position = Affine3A::from_scale(Vec3::splat(size));
            doll.tick(position, STEP, Vec3::X * 3.0);
            assert!(doll.locals.iter().all(|local| local.is_finite()));
        }
    }
}

#[test]
fn inside_shapes_planes_and_boxes_constrain_tails() {
    let shapes = [
        ColliderShape::Sphere {
            offset: Vec3::X * 0.5,
            radius: 0.6,
            inside: true,
        },
        ColliderShape::Capsule {
            offset: Vec3::ZERO,
            tail: Vec3::X * 2.0,
            radius: 0.3,
            inside: true,
        },
        ColliderShape::Plane {
            offset: Vec3::NEG_Y * 0.3,
            normal: Vec3::Y,
        },
        ColliderShape::Box {
            offset: Vec3::new(1.5, -0.8, 0.0),
            rotation: Quat::from_rotation_y(0.3),
            half: Vec3::new(1.0, 0.5, 1.0),
        },
    ];
    for shape in shapes {
        let mut set = set(2, |bone| SpringJoint {
            stiffness: 0.2,
            gravity: Vec3::NEG_Y * 0.4,
            colliders: Arc::new([0]),
            ..SpringJoint::new(bone, Tail::Bone(bone + 1))
        });
        set.colliders.push(SpringCollider { bone: 0, shape });
        let mut doll = Doll::new(chain(2, 1.0), set);
        for _ in 0..200 {
            doll.tick(Affine3A::IDENTITY, STEP, Vec3::ZERO);
        }
        let y = doll.at(2).y;
        assert!((-0.5..-0.25).contains(&y), "{shape:?} {y}");
    }
}

#[test]
fn zero_weight_keeps_the_pose_and_reset_stops_all_motion() {
    let joint = |bone| SpringJoint {
        gravity: Vec3::NEG_Y,
        ..SpringJoint::new(bone, Tail::Bone(bone + 1))
    };
    let mut doll = Doll::new(chain(3, 0.2), set(3, joint));
    for _ in 0..20 {
        doll.tick(Affine3A::IDENTITY, STEP, Vec3::ZERO);
    }
    assert!(doll.at(3).y < -0.05);
    doll.springs.weight = 0.0;
    doll.tick(Affine3A::IDENTITY, STEP, Vec3::ZERO);
    assert!(doll.at(3).abs_diff_eq(Vec3::X * 0.4, 1e-5));
    doll.springs.weight = 1.0;
    doll.springs.reset();
    doll.tick(Affine3A::IDENTITY, 0.0, Vec3::ZERO);
    assert!(doll.at(3).abs_diff_eq(Vec3::X * 0.4, 1e-5));
}
