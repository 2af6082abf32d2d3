//! VRMC_node_constraint 1.0: its example implementations, written out in f64.

use glam::DQuat;

use super::*;

fn wide(q: Quat) -> DQuat {
    q.as_dquat().normalize()
}

fn slerp(a: DQuat, b: DQuat, t: f64) -> DQuat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    let angle = a.dot(b).clamp(-1.0, 1.0).acos();
    if angle < 1e-9 {
        return b;
    }
    ((a * ((1.0 - t) * angle).sin() + b * (t * angle).sin()) * (1.0 / angle.sin())).normalize()
}

/// Deterministic pseudorandom numbers.
struct RandomSource(u64);

impl RandomSource {
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((self.0 >> 40) as f32 / (1 << 24) as f32) * 2.0 - 1.0
    }

    fn rotation(&mut self) -> Quat {
        Quat::from_xyzw(self.next(), self.next(), self.next(), self.next()).normalize()
    }

    fn local(&mut self) -> Trs {
        Trs {
            translation: Vec3::new(self.next(), self.next(), self.next()),
            rotation: self.rotation(),
            scale: Vec3::splat(1.5 + self.next()),
        }
    }
}

fn scene(chance: &mut RandomSource) -> Rig {
    let mut rig = rig(&[
        ("root", None, chance.local()),
        ("arm", Some(0), chance.local()),
        ("source", Some(1), chance.local()),
        ("sleeve", Some(0), chance.local()),
        ("bone", Some(3), chance.local()),
    ]);
    for local in &mut rig.locals[..4] {
        local.rotation = chance.rotation();
    }
    rig
}

fn check(found: Quat, want: DQuat, what: &str) {
    let away = 2.0 * (wide(found).conjugate() * want).xyz().length().asin();
    assert!(away < 2e-5, "{what}: {away} radians apart");
}

#[test]
fn roll_aim_and_rotation_match_the_formulas_of_the_specification() {
    let mut chance = RandomSource(7);
    for _ in 0..200 {
        let scene = scene(&mut chance);
        let rest: Vec<Trs> = scene.skeleton.rest().collect();
        let (src_rest, dst_rest) = (wide(rest[2].rotation), wide(rest[4].rotation));
        let src = wide(scene.locals[2].rotation);
        for axis in [Vec3::X, Vec3::NEG_Y, Vec3::Z] {
            for weight in [0.0, 0.3, 1.0] {
                let made = |kind: HelperKind| {
                    let mut moved = Rig {
                        skeleton: scene.skeleton.clone(),
                        locals: scene.locals.clone(),
                    };
                    moved.apply(&[HelperSpec {
                        axis: Some(axis),
                        weights: vec![weight],
                        ..spec(kind, "bone", "source")
                    }]);
                    moved.local("bone").rotation
                };
                let (axis, weight) = (axis.as_dvec3(), f64::from(weight));
                // Roll.
                let delta = src_rest.inverse() * src;
                let in_parent = src_rest * delta * src_rest.inverse();
                let in_dst = dst_rest.inverse() * in_parent * dst_rest;
                let from_to = DQuat::from_rotation_arc(axis, in_dst * axis);
                let target = dst_rest * from_to.inverse() * in_dst;
                // Near half a turn, rounding decides which arc is the short one.
                let turn = (from_to.inverse() * in_dst).normalize();
                if turn.w.abs() > 1e-3 && (in_dst * axis).dot(axis) > -0.999 {
                    check(
                        made(HelperKind::Roll),
                        slerp(dst_rest, target, weight),
                        "roll",
                    );
                }
                // Rotation.
                if delta.w.abs() > 1e-3 {
                    let want = slerp(dst_rest, dst_rest * delta, weight);
                    check(made(HelperKind::Rotation), want, "rotation");
                }
                // Aim, in world coordinates.
                let models = scene.models();
                let position = |i: usize| Vec3::from(models[i].translation).as_dvec3();
                let parent = wide(scene.rotation("sleeve"));
                let from = (parent * dst_rest) * axis;
                let to = (position(2) - position(4)).normalize();
                let from_to = DQuat::from_rotation_arc(from, to);
                let target = parent.inverse() * from_to * parent * dst_rest;
                if from.dot(to) > -0.99 {
                    check(
                        made(HelperKind::Aim),
                        slerp(dst_rest, target, weight),
                        "aim",
                    );
                }
            }
        }
    }
}

#[test]
fn an_aim_below_an_uneven_scale_points_at_its_source() {
    let mut chance = RandomSource(3);
    for _ in 0..50 {
        let mut scene = scene(&mut chance);
        scene.locals[0].scale = Vec3::new(2.0, 0.5, -1.0);
        scene.locals[3].scale = Vec3::new(0.3, 1.0, 2.0);
        scene.apply(&[HelperSpec {
            axis: Some(Vec3::Y),
            ..spec(HelperKind::Aim, "bone", "source")
        }]);
        let models = scene.models();
        let direction = scene.place("source") - scene.place("bone");
        let axis = models[3].transform_vector3(scene.local("bone").rotation * Vec3::Y);
        assert!(axis.normalize().dot(direction.normalize()) > 1.0 - 1e-5);
    }
    // An aim with its source at its own position keeps its rest rotation.
    let mut rig = rig(&[
        ("root", None, at(0., 0., 0.)),
        (
            "bone",
            Some(0),
            turned(at(1., 0., 0.), degrees(Vec3::X, 40.0)),
        ),
        ("source", Some(0), at(1., 0., 0.)),
    ]);
    rig.turn("bone", degrees(Vec3::Z, 10.0));
    rig.apply(&[HelperSpec {
        axis: Some(Vec3::X),
        ..spec(HelperKind::Aim, "bone", "source")
    }]);
    same(rig.local("bone").rotation, degrees(Vec3::X, 40.0), 1e-3);
}
