//! The same walk at any tick rate, scale and time.

use galatea::physics::BodyType;
use glam::Vec3;

use crate::yard::Yard;

/// Up stairs, along a ramp, over a ledge, a jump, a turn. Returns position and ground contact five times a second.
fn course(hertz: f64, scale: f32) -> Vec<(Vec3, bool)> {
    let mut yard = Yard::scaled(hertz, scale);
    yard.options(|options| options.turn_to_movement = true);
    yard.stairs(Vec3::new(0.0, 0.0, 1.5), 5, 0.17, 0.29);
    yard.block(Vec3::new(0.0, 0.425, 3.95), Vec3::new(2.0, 0.85, 2.0));
    yard.slope(Vec3::new(-6.0, 0.0, 1.0), 25.0, 6.0);
    let mut places = Vec::new();
    for fifth in 0..40 {
        match fifth {
            0 => yard.wish(Vec3::Z * 1.4),
            16 => yard.jump(),
            17 => yard.wish(Vec3::new(-3.0, 0.0, 0.0)),
            27 => yard.wish(Vec3::new(0.0, 0.0, 2.0)),
            35 => yard.wish(Vec3::ZERO),
            _ => {}
        }
        yard.run(0.2);
        places.push((yard.feet(), yard.is_grounded()));
    }
    places
}

#[test]
fn tick_rates_of_30_60_120_and_240_hertz_give_the_same_path() {
    let wanted = course(240.0, 1.0);
    assert!(wanted.iter().any(|(_, stands)| !stands), "it jumps");
    let top = wanted.iter().map(|(at, _)| at.y).fold(0.0, f32::max);
    assert!(top > 0.85, "it climbs: {top}");
    for (hertz, near) in [(30.0, 0.12), (60.0, 0.06), (120.0, 0.03)] {
        let found = course(hertz, 1.0);
        for (i, ((at, _), (want, _))) in found.iter().zip(&wanted).enumerate() {
            let off = at.distance(*want);
            assert!(off < near, "{hertz} Hz, fifth {i}: {at} for {want}");
        }
    }
}

#[test]
fn scales_from_a_tenth_to_ten_give_the_same_path() {
    let wanted = course(60.0, 1.0);
    for scale in [0.1, 0.5, 3.0, 10.0] {
        let found = course(60.0, scale);
        for (i, ((at, _), (want, _))) in found.iter().zip(&wanted).enumerate() {
            let off = at.distance(*want);
            assert!(off < 0.01, "scale {scale}, fifth {i}: {at} for {want}");
        }
    }
}

#[test]
fn the_same_run_has_the_same_bits() {
    assert_eq!(course(60.0, 1.0), course(60.0, 1.0));
}

#[test]
fn speed_and_turns_have_their_limits() {
    let mut yard = Yard::new(60.0);
    yard.options(|options| {
        options.turn_to_movement = true;
        options.acceleration = 4.0;
        options.turn_rate = 180f32.to_radians();
    });
    yard.wish(Vec3::Z * 2.0);
    yard.run(0.25);
    let speed = yard.hero().body.controller.as_ref().unwrap().speed();
    assert!((speed - 1.0).abs() < 0.01, "{speed}");
    yard.run(0.5);
    // A turn by 180 degrees: never faster than its rate, and never backwards.
    yard.wish(Vec3::new(-0.01, 0.0, -2.0));
    let mut before = yard.hero().placement.yaw;
    for _ in 0..60 {
        yard.step();
        let hero = yard.hero();
        let yaw = hero.placement.yaw;
        assert!(
            (yaw - before).abs() < 3.001,
            "{} degrees in a tick",
            yaw - before
        );
        before = yaw;
        let ahead = hero.placement.rotation() * Vec3::Z;
        let along = hero.body.controller.as_ref().unwrap().velocity.dot(ahead);
        assert!(along > -1.6, "{along}");
    }
    assert!((before.abs() - 180.0).abs() < 1.0, "{before}");
}

#[test]
fn the_supporting_body_may_be_light_or_removed() {
    let mut yard = Yard::new(60.0);
    let raft = yard.cuboid(
        Vec3::new(0.0, 0.2, 0.0),
        Vec3::new(1.0, 0.4, 1.0),
        BodyType::Dynamic,
        Some(10.0),
    );
    yard.put(Vec3::Y * 0.4);
    yard.run(1.0);
    assert!((yard.feet().y - 0.4).abs() < 0.01, "{}", yard.feet());
    yard.stage.characters.remove(raft);
    yard.run(1.0);
    assert!(yard.feet().y.abs() < 0.005, "{}", yard.feet());
}
