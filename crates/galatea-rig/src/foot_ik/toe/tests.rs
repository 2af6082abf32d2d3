//! Tests of toes.

use glam::{Affine3A, Quat, Vec3};

use super::super::tests::{Body, Land, flat, human};
use super::MAX_BEND_UP;
use galatea_math::Trs;

impl Body {
    /// World position of the toe tip.
    fn tip(&self, leg: usize) -> Vec3 {
        let toe = self.rig.legs[leg].toe.unwrap();
        self.model[usize::from(toe.bone)].transform_point3(toe.tip)
    }

    /// Upward bend of the toes from their rest pose, radians.
    fn bent(&self, leg: usize) -> f32 {
        let toe = self.rig.legs[leg].toe.unwrap();
        let rotation = self.locals[usize::from(toe.bone)].rotation;
        let rest = self.skeleton.bones()[usize::from(toe.bone)].rest.rotation;
        let (axis, angle) = (rotation * rest.inverse()).to_axis_angle();
        angle * axis.dot(toe.across)
    }
}

/// The edge is between ball (0.13) and tip (0.2).
const EDGE: f32 = 0.165;

#[test]
fn ball_and_toes_touch_a_kerb_and_the_bottom_of_a_slope() {
    let low = Body::new(human()).rig.ground;
    for i in -8..=9 {
        let height = i as f32 * 0.005;
        let mut body = Body::new(human());
        let ground = Land {
            height: move |_, z| Some(low + if z > EDGE { height } else { 0.0 }),
            carrier: None,
        };
        body.stand(&ground, 1.0);
        for leg in 0..2 {
            let ball = body.sole(leg)[1];
            assert!((ball.y - low).abs() < 1e-3, "{height}: {ball}");
            let off = body.tip(leg).y - low - height;
            assert!(off.abs() < 1e-3, "{height}: {off}");
        }
    }
    for slope in [-0.6_f32, -0.3, 0.3, 0.7] {
        let mut body = Body::new(human());
        let up = move |z: f32| low + slope * (z - EDGE + 0.02).max(0.0);
        let ground = Land {
            height: move |_, z| Some(up(z)),
            carrier: None,
        };
        body.stand(&ground, 1.0);
        let tip = body.tip(0);
        assert!((tip.y - up(tip.z)).abs() < 1e-3, "{slope}: {tip}");
    }
}

#[test]
fn toes_bend_within_limits_and_stay_straight_over_a_drop_and_at_a_wall() {
    let low = Body::new(human()).rig.ground;
    for (height, bent) in [(0.1, MAX_BEND_UP), (0.2, 0.0), (-0.2, 0.0)] {
        let mut body = Body::new(human());
        let ground = Land {
            height: move |_, z| Some(low + if z > EDGE { height } else { 0.0 }),
            carrier: None,
        };
        body.stand(&ground, 1.0);
        assert!(
            (body.bent(0) - bent).abs() < 0.02,
            "{height}: {}",
            body.bent(0)
        );
    }
}

#[test]
fn toes_stay_flat_under_a_lifted_heel_and_follow_the_clip_in_the_air() {
    for hz in [30.0, 60.0, 240.0] {
        let mut body = Body::new(human());
        let ground = flat(body.rig.ground);
        body.stand(&ground, 0.5);
        let low = body.rig.ground;
        let mut a = 0.0_f32;
        while a < 0.8 {
            a += 3.0 / hz;
            let lift = move |locals: &mut [Trs]| locals[5].rotation = Quat::from_rotation_x(a);
            body.tick(Affine3A::IDENTITY, &ground, 1.0 / hz, &lift);
            let (ball, tip) = (body.sole(0)[1], body.tip(0));
            let off = (ball.y - low).abs().max((tip.y - low).abs());
            assert!(off < 2e-3, "{hz} {a}: {ball} {tip}");
            assert!(
                (body.bent(0) - a).abs() < 0.03,
                "{hz} {a}: {}",
                body.bent(0)
            );
        }
    }
    // In the air the pose does not change, and on the descent the bend returns without a jump.
    let mut body = Body::new(human());
    let ground = flat(body.rig.ground);
    let (mut before, mut fastest) = (None, 0.0_f32);
    for i in 0..240 {
        let y = 0.3 * (1.0 - i as f32 / 200.0).max(0.0);
        let pose = move |locals: &mut [Trs]| {
            locals[3].translation.y += y;
            locals[6].rotation = Quat::from_rotation_x(-0.4);
        };
        body.tick(Affine3A::IDENTITY, &ground, 1.0 / 240.0, &pose);
        let bent = body.bent(0);
        if y > 0.1 {
            assert!((bent - 0.4).abs() < 1e-4, "{bent}");
        }
        fastest = fastest.max(before.map_or(0.0, |previous: f32| (bent - previous).abs() * 240.0));
        before = Some(bent);
    }
    assert!(before.unwrap().abs() < 0.01, "{before:?}");
    assert!(fastest < 12.0, "{fastest} radians a second");
}
