use super::*;
use galatea_math::Trs;
use proptest::prelude::*;
use std::f32::consts::PI;

fn pose(rotation: Quat, translation: Vec3, morph: f32) -> Pose {
    Pose {
        curves: Vec::new(),
        locals: vec![Trs {
            rotation,
            translation,
            scale: Vec3::ONE + translation * 0.25,
        }],
        morphs: vec![morph],
    }
}

fn distance(a: &Pose, b: &Pose) -> f32 {
    let locals = a.locals.iter().zip(&b.locals).map(|(a, b)| {
        let turned = if a.rotation.dot(b.rotation) < 0.0 {
            -b.rotation
        } else {
            b.rotation
        };
        (a.translation - b.translation)
            .length()
            .max((a.scale - b.scale).length())
            .max((a.rotation - turned).length())
    });
    let morphs = a.morphs.iter().zip(&b.morphs).map(|(a, b)| (a - b).abs());
    locals.chain(morphs).fold(0.0, f32::max)
}

/// Motion of one bone at constant velocities.
#[derive(Clone, Copy, Debug)]
struct Motion {
    turn: Quat,
    turning: Vec3,
    at: Vec3,
    moving: Vec3,
}

impl Motion {
    fn pose(&self, t: f32) -> Pose {
        let turned = Quat::from_scaled_axis(self.turning * t) * self.turn;
        pose(
            turned,
            self.at + self.moving * t,
            self.at.x + self.moving.y * t,
        )
    }
}

fn motion() -> impl Strategy<Value = Motion> {
    let vec3 = |r: f32| prop::array::uniform3(-r..r).prop_map(Vec3::from);
    (vec3(1.0), 0.0f32..PI, vec3(2.0), vec3(1.0), vec3(1.5)).prop_map(
        |(axis, angle, turning, at, moving)| Motion {
            turn: Quat::from_axis_angle(axis.try_normalize().unwrap_or(Vec3::X), angle),
            turning,
            at,
            moving,
        },
    )
}

fn started(old: &Motion, new: &Motion, dt: f32, duration: f32) -> Inertia {
    let mut inertia = Inertia::default();
    inertia.start(&PoseChange {
        before: &old.pose(0.0),
        before_that: &old.pose(-dt),
        target: &new.pose(0.0),
        target_before: Some(&new.pose(-dt)),
        dt,
        duration,
    });
    inertia
}

fn shown(inertia: &Inertia, new: &Motion, age: f32) -> Pose {
    let mut pose = new.pose(age);
    inertia.apply(age, &mut pose);
    pose
}

#[test]
fn offset_at_rest_follows_the_quintic_by_hand() {
    let still = pose(Quat::IDENTITY, Vec3::ZERO, 0.0);
    let moved = pose(Quat::from_rotation_x(1.0), Vec3::X, 1.0);
    let mut inertia = Inertia::default();
    inertia.start(&PoseChange {
        before: &moved,
        before_that: &moved,
        target: &still,
        target_before: None,
        dt: 1.0 / 60.0,
        duration: 0.5,
    });
    assert_eq!(inertia.seconds(), 0.5);
    // (1 - u)^4 (1 + 4 u) at u = 0.5.
    let mut half = still.clone();
    inertia.apply(0.25, &mut half);
    let expected = pose(Quat::from_rotation_x(0.1875), Vec3::X * 0.1875, 0.1875);
    assert!(distance(&half, &expected) < 1e-6);
    inertia.stop();
    let mut after = still.clone();
    inertia.apply(0.0, &mut after);
    assert_eq!(after, still);
}

#[test]
fn offset_of_half_a_revolution_decays_without_a_jump() {
    for step in [-0.2f32, -1e-4, 0.0, 1e-4, 0.2] {
        let old = Motion {
            turn: Quat::from_rotation_y(PI + step),
            turning: Vec3::Y * 3.0,
            at: Vec3::ZERO,
            moving: Vec3::ZERO,
        };
        let new = Motion {
            turn: Quat::IDENTITY,
            turning: Vec3::ZERO,
            ..old
        };
        let inertia = started(&old, &new, 1.0 / 60.0, 0.4);
        let mut last = old.pose(-1.0 / 600.0);
        for k in 0..=260 {
            let now = shown(&inertia, &new, k as f32 / 600.0);
            // The steepest slope of the quintic is 2.11 offsets per duration, 17 radians a second, plus the earlier
            // velocity. The quaternion distance is half of that.
            assert!(distance(&now, &last) < 20.0 / 2.0 / 600.0, "{step} {k}");
            last = now;
        }
        assert_eq!(last, new.pose(0.0));
    }
}

#[test]
fn second_transition_continues_from_the_shown_pose() {
    let dt = 1.0 / 120.0;
    let motions = [(0.3, 2.0, 1.0), (-1.2, -1.0, -0.5), (2.0, 0.5, 0.2)].map(|(a, w, x)| Motion {
        turn: Quat::from_rotation_x(a),
        turning: Vec3::new(w, 0.3, 0.0),
        at: Vec3::X * x,
        moving: Vec3::Y * w * 0.2,
    });
    let mut inertia = Inertia::default();
    let (mut current, mut since) = (0, 0.0);
    let mut last: Vec<Pose> = vec![motions[0].pose(-dt), motions[0].pose(0.0)];
    let mut memory = None;
    for k in 1..240 {
        let t = k as f32 * dt;
        if k % 12 == 0 && k < 120 {
            let next = (current + 1) % 3;
            inertia.start(&PoseChange {
                before: &last[1],
                before_that: &last[0],
                target: &motions[next].pose(t - dt),
                target_before: Some(&motions[next].pose(t - 2.0 * dt)),
                dt,
                duration: 0.3,
            });
            (current, since) = (next, t - dt);
            let bones = inertia.bones.as_ptr();
            assert_eq!(*memory.get_or_insert(bones), bones);
        }
        let now = {
            let mut pose = motions[current].pose(t);
            inertia.apply(t - since, &mut pose);
            pose
        };
        // Velocities change by at most the acceleration of the decay in one tick.
        let step = (now.locals[0].translation - last[1].locals[0].translation) / dt;
        let before = (last[1].locals[0].translation - last[0].locals[0].translation) / dt;
        assert!((step - before).length() < 4.0, "{k} {step} {before}");
        assert!(distance(&now, &last[1]) < 0.15, "{k}");
        last = vec![last[1].clone(), now];
    }
    assert_eq!(last[1], motions[current].pose(239.0 * dt));
}

#[test]
fn zero_duration_zero_dt_and_nan_are_harmless() {
    let still = pose(Quat::IDENTITY, Vec3::ZERO, 0.0);
    let wild = [
        pose(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Vec3::MAX, f32::MAX),
        pose(
            Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0),
            Vec3::NAN,
            f32::NAN,
        ),
        pose(Quat::IDENTITY, Vec3::INFINITY, f32::NEG_INFINITY),
        Pose::default(),
        pose(Quat::from_rotation_z(PI), Vec3::splat(1e-30), -1e-38),
    ];
    for before in &wild {
        for before_that in &wild {
            for (dt, duration) in [
                (0.0, 0.3),
                (f32::NAN, 0.3),
                (1e-30, 0.3),
                (0.01, 0.0),
                (0.01, f32::NAN),
                (0.01, f32::INFINITY),
            ] {
                let mut inertia = Inertia::default();
                inertia.start(&PoseChange {
                    before,
                    before_that,
                    target: &still,
                    target_before: None,
                    dt,
                    duration,
                });
                for age in [-1.0, 0.0, 1e-9, 0.1, 0.3, 9.0, f32::NAN] {
                    let mut shown = still.clone();
                    inertia.apply(age, &mut shown);
                    assert!(
                        shown.locals[0].is_finite(),
                        "{before:?} {before_that:?} {dt} {age}"
                    );
                    assert!(shown.morphs[0].is_finite());
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn starts_at_the_old_pose_and_ends_at_the_new_one(
        old in motion(), new in motion(), duration in 0.05f32..1.0,
    ) {
        let inertia = started(&old, &new, 1.0 / 60.0, duration);
        prop_assert!(inertia.seconds() <= duration);
        let first = shown(&inertia, &new, 0.0);
        prop_assert!(distance(&first, &old.pose(0.0)) < 1e-4, "{}", distance(&first, &old.pose(0.0)));
        for age in [inertia.seconds(), duration, duration + 1.0] {
            prop_assert_eq!(shown(&inertia, &new, age), new.pose(age));
        }
    }

    #[test]
    fn velocity_is_continuous_at_the_start(mut old in motion(), new in motion()) {
        // Offsets far from the new motion, so that none of them decays in a very short time.
        old.at += Vec3::splat(4.0);
        old.turn = new.turn;
        old.turn = Quat::from_rotation_x(1.5) * old.turn;
        let inertia = started(&old, &new, 1e-3, 1.0);
        // One-sided differences of second order.
        let h = 4e-3;
        let [a, b, c] = [0.0, h, 2.0 * h].map(|age| shown(&inertia, &new, age));
        let slope = |f: &dyn Fn(&Pose) -> Vec3| (f(&b) * 4.0 - f(&a) * 3.0 - f(&c)) / (2.0 * h);
        let moved = slope(&|p| p.locals[0].translation);
        prop_assert!((moved - old.moving).length() < 0.01, "{} {}", moved, old.moving);
        let morph = slope(&|p| Vec3::X * p.morphs[0]).x;
        prop_assert!((morph - old.moving.y).abs() < 0.01, "{} {}", morph, old.moving.y);
        let turned = slope(&|p| rotation_vector(p.locals[0].rotation, a.locals[0].rotation));
        prop_assert!((turned - old.turning).length() < 0.02, "{} {}", turned, old.turning);
    }

    #[test]
    fn offset_moving_towards_the_new_motion_never_overshoots(
        offset in 0.01f32..2.0, speed in -50.0f32..0.0, duration in 0.05f32..1.0,
    ) {
        let pair = OffsetPair { per_second: 60.0, duration };
        let decay = pair.decay(offset, offset - speed / 60.0, MAX_SWING);
        let mut last = offset;
        for k in 1..=100 {
            let now = decay.at(k as f32 * 0.01 * duration).unwrap_or(0.0);
            prop_assert!(now >= 0.0 && now <= last * 1.000_001 + 1e-7, "{} {}", now, last);
            last = now;
        }
    }

    #[test]
    fn offset_moving_away_swings_out_within_the_limit(
        offset in -2.0f32..2.0, speed in -500.0f32..500.0, duration in 0.05f32..1.0,
    ) {
        let pair = OffsetPair { per_second: 60.0, duration };
        let decay = pair.decay(offset, offset - speed / 60.0, MAX_SWING);
        for k in 0..=200 {
            let now = decay.at(k as f32 * 0.005 * duration).unwrap_or(0.0);
            prop_assert!(now.abs() <= 2.0 * offset.abs() + MAX_SWING + 1e-5);
        }
    }
}
