//! Character controllers among rigid bodies.

mod agents;
mod agree;
#[path = "../collider_file/mod.rs"]
mod collider_file;
mod corpus;
mod flocks;
mod riding;
mod rooms;
mod yard;

use galatea::physics::{BodyType, ControllerTickEvent};
use glam::Vec3;
use yard::Yard;

const AHEAD: Vec3 = Vec3::Z;

#[test]
fn it_climbs_stairs_and_reports_every_step() {
    for speed in [0.7, 1.4, 4.2] {
        let mut yard = Yard::new(60.0);
        yard.stairs(Vec3::Z, 8, 0.17, 0.29);
        yard.block(Vec3::new(0.0, 0.68, 5.82), Vec3::new(2.0, 1.36, 5.0));
        yard.wish(AHEAD * speed);
        yard.run(4.2 / f64::from(speed) + 0.3);
        let feet = yard.feet();
        assert!((feet.y - 1.36).abs() < 0.005, "{speed} m/s: {feet}");
        let heights: Vec<f32> = yard
            .told()
            .iter()
            .filter_map(|walked| match walked {
                ControllerTickEvent::StepUp { height, .. } => Some(*height),
                _ => None,
            })
            .collect();
        assert_eq!(heights.len(), 8, "{speed} m/s: {heights:?}");
        assert!(
            heights.iter().all(|h| (h - 0.17).abs() < 0.01),
            "{heights:?}"
        );
    }
}

#[test]
fn it_goes_down_stairs_without_leaving_them() {
    let mut yard = Yard::new(60.0);
    yard.stairs(Vec3::Z, 8, 0.17, 0.29);
    yard.put(Vec3::new(0.0, 1.36, 3.2));
    yard.run(0.2);
    yard.told();
    yard.wish(-AHEAD * 1.4);
    yard.run(3.0);
    assert!(yard.feet().y.abs() < 0.005, "{}", yard.feet());
    assert_eq!(yard.told(), []);
}

#[test]
fn it_climbs_a_step_of_its_limit_and_none_above() {
    for (height, climbs) in [(0.34, true), (0.38, false)] {
        let mut yard = Yard::new(60.0);
        yard.options(|options| options.max_step_height = 0.36);
        yard.block(
            Vec3::new(0.0, height / 2.0, 2.0),
            Vec3::new(4.0, height, 2.0),
        );
        yard.wish(AHEAD * 1.4);
        yard.run(1.5);
        let want = if climbs { height } else { 0.0 };
        assert!(
            (yard.feet().y - want).abs() < 0.005,
            "{height}: {}",
            yard.feet()
        );
    }
}

#[test]
fn it_walks_up_40_degrees_at_its_speed_and_slides_down_60() {
    let mut yard = Yard::new(60.0);
    yard.slope(Vec3::Z, 40.0, 12.0);
    yard.wish(AHEAD * 1.4);
    yard.run(2.0);
    let from = yard.feet();
    yard.run(2.0);
    let way = yard.feet() - from;
    assert!((way.length() - 2.8).abs() < 0.03, "{way}");
    assert!(
        (way.y / way.z - 40f32.to_radians().tan()).abs() < 0.01,
        "{way}"
    );
    // It stands still there.
    yard.wish(Vec3::ZERO);
    yard.run(1.0);
    let from = yard.feet();
    yard.run(5.0);
    assert!(yard.feet().distance(from) < 1e-3, "{}", yard.feet() - from);

    let mut yard = Yard::new(60.0);
    yard.slope(Vec3::ZERO, 60.0, 12.0);
    let up = Vec3::new(0.0, 60f32.to_radians().sin(), 60f32.to_radians().cos());
    yard.put(up * 8.0 + Vec3::new(0.0, 0.6, 0.0));
    yard.wish(AHEAD * 1.4);
    yard.run(0.5);
    let from = yard.feet();
    yard.run(0.5);
    assert!(yard.feet().y < from.y - 1.0, "{from} {}", yard.feet());
    yard.run(2.0);
    assert!(yard.feet().y < 0.5, "it cannot climb back: {}", yard.feet());
    let told = yard.told();
    let slides: Vec<f32> = told
        .iter()
        .filter_map(|walked| match walked {
            ControllerTickEvent::Slide {
                began: true, slope, ..
            } => Some(slope.to_degrees()),
            _ => None,
        })
        .collect();
    assert!(
        !slides.is_empty() && (slides[0] - 60.0).abs() < 0.5,
        "{told:?}"
    );
}

#[test]
fn it_stands_on_a_lift_and_a_turning_platform_to_the_millimetre() {
    for hertz in [30.0, 60.0, 240.0] {
        let mut yard = Yard::new(hertz);
        let lift = yard.cuboid(
            Vec3::new(0.0, 0.1, 0.0),
            Vec3::new(2.0, 0.2, 2.0),
            BodyType::Kinematic,
            None,
        );
        let disc = yard.cuboid(
            Vec3::new(6.0, 0.5, 0.0),
            Vec3::new(4.0, 0.2, 4.0),
            BodyType::Kinematic,
            None,
        );
        yard.put(Vec3::Y * 0.2);
        yard.run(0.2);
        let mut worst = 0.0_f32;
        let start = yard.feet();
        let n = (10.0 * hertz) as usize;
        for i in 1..=n {
            let t = i as f32 / hertz as f32;
            let at = Vec3::new((0.5 * t).sin(), 1.0 - (1.3 * t).cos(), 0.3 * t);
            yard.place(lift).position = at + Vec3::Y * 0.1;
            yard.step();
            assert!(yard.is_grounded());
            worst = worst.max(yard.feet().distance(start + at));
        }
        assert!(worst < 2e-3, "{hertz} Hz: {worst} m off the lift");

        yard.put(Vec3::new(7.5, 0.6, 0.0));
        yard.run(0.2);
        let (start, yaw) = (
            yard.feet() - Vec3::new(6.0, 0.6, 0.0),
            yard.hero().placement.yaw,
        );
        let mut worst = 0.0_f32;
        for i in 1..=n {
            let turned = 60.0 * i as f32 / hertz as f32;
            yard.place(disc).yaw = turned;
            yard.step();
            let way = glam::Quat::from_rotation_y(turned.to_radians()) * start;
            worst = worst.max((yard.feet() - Vec3::new(6.0, 0.6, 0.0)).distance(way));
            let off = (yard.hero().placement.yaw - yaw - turned).rem_euclid(360.0);
            assert!(off.min(360.0 - off) < 0.1, "{off} degrees");
        }
        assert!(worst < 2e-3, "{hertz} Hz: {worst} m off the platform");
    }
}

#[test]
fn it_takes_the_velocity_of_a_platform_along_when_it_jumps() {
    let mut yard = Yard::new(60.0);
    let cart = yard.cuboid(
        Vec3::new(0.0, 0.1, 0.0),
        Vec3::new(3.0, 0.2, 3.0),
        BodyType::Kinematic,
        None,
    );
    yard.put(Vec3::Y * 0.2);
    for i in 1..=60 {
        yard.place(cart).position.z = 2.0 * i as f32 / 60.0;
        yard.step();
    }
    let from = yard.feet();
    yard.jump();
    yard.run(0.5);
    let way = yard.feet() - from;
    assert!((way.z - 1.0).abs() < 0.02, "{way}");
}

#[test]
fn it_pushes_20_kilograms_and_not_2_tonnes() {
    for (mass, moves) in [(20.0, true), (2000.0, false)] {
        let mut yard = Yard::new(60.0);
        let size = Vec3::splat(0.8);
        let crate_ = yard.cuboid(
            Vec3::new(0.0, 0.4, 1.5),
            size,
            BodyType::Dynamic,
            Some(mass),
        );
        yard.run(0.5);
        yard.wish(AHEAD * 1.4);
        let mut fastest = 0.0_f32;
        for _ in 0..180 {
            yard.step();
            let character = yard.stage.characters.get(crate_).unwrap();
            fastest = fastest.max(character.body.velocity().linear.length());
        }
        let went = yard.place(crate_).position.z - 1.5;
        assert!(
            if moves { went > 1.5 } else { went < 1e-3 },
            "{mass} kg went {went} m"
        );
        assert!(fastest < 1.6, "{mass} kg at {fastest} m/s");
        let told = yard.told();
        let bumps = told
            .iter()
            .filter(|walked| matches!(walked, ControllerTickEvent::Bump { .. }));
        assert_eq!(bumps.count(), 1, "{told:?}");
    }
}

#[test]
fn nothing_that_goes_30_metres_a_second_passes_through_a_thin_wall() {
    for hertz in [30.0, 60.0, 240.0] {
        let mut yard = Yard::new(hertz);
        yard.block(Vec3::new(0.0, 5.0, 20.0), Vec3::new(20.0, 10.0, 0.02));
        yard.options(|options| options.acceleration = 1e4);
        yard.wish(Vec3::new(4.0, 0.0, 30.0));
        yard.run(2.0);
        let feet = yard.feet();
        assert!(feet.z < 19.8 && feet.z > 19.6, "{hertz} Hz: {feet}");
        assert!(feet.x > 7.0, "it goes along the wall: {feet}");
        // From above onto a thin floor.
        yard.block(Vec3::new(0.0, 3.0, 0.0), Vec3::new(4.0, 0.02, 4.0));
        yard.wish(Vec3::ZERO);
        yard.put(Vec3::new(0.0, 200.0, 0.0));
        yard.hero().body.controller.as_mut().unwrap().velocity = Vec3::ZERO;
        yard.run(8.0);
        assert!(
            (yard.feet().y - 3.01).abs() < 0.005,
            "{hertz} Hz: {}",
            yard.feet()
        );
    }
}

#[test]
fn a_jump_is_as_high_as_it_says() {
    for hertz in [30.0, 60.0, 240.0] {
        let mut yard = Yard::new(hertz);
        yard.options(|options| options.jump_height = 1.2);
        yard.jump();
        let mut top = 0.0_f32;
        for _ in 0..(1.5 * hertz) as usize {
            yard.step();
            top = top.max(yard.feet().y);
        }
        assert!((top - 1.2).abs() < 0.012, "{hertz} Hz: {top}");
        let told = yard.told();
        let [
            ControllerTickEvent::Jump { speed },
            ControllerTickEvent::Land {
                speed: fall,
                height,
                ..
            },
        ] = told[..]
        else {
            panic!("{told:?}");
        };
        assert!((speed - 4.852).abs() < 0.01, "{speed}");
        // The landing event has the speed at the end of its tick.
        assert!((fall - speed).abs() < 10.0 / hertz as f32 + 0.01, "{fall}");
        assert!((height - 1.2).abs() < 0.02, "{height}");
    }
}

#[test]
fn late_and_early_jumps_count() {
    // After the edge, within 0.1 s.
    for (ticks, jumps) in [(4, true), (9, false)] {
        let mut yard = Yard::new(60.0);
        yard.block(Vec3::new(0.0, 1.0, 0.0), Vec3::new(2.0, 2.0, 2.0));
        yard.put(Vec3::new(0.0, 2.0, 0.0));
        yard.run(0.1);
        yard.wish(AHEAD * 3.0);
        while yard.is_grounded() {
            yard.step();
        }
        for _ in 0..ticks {
            yard.step();
        }
        yard.told();
        yard.jump();
        yard.run(0.3);
        let told = yard.told();
        let has = told
            .iter()
            .any(|walked| matches!(walked, ControllerTickEvent::Jump { .. }));
        assert_eq!(has, jumps, "{ticks} ticks: {told:?}");
    }
    // Before landing, within 0.12 s.
    for (height, jumps) in [(0.5, false), (0.05, true)] {
        let mut yard = Yard::new(60.0);
        yard.options(|options| options.coyote_time = 0.0);
        yard.options(|options| options.max_step_height = 0.0);
        yard.put(Vec3::Y * height);
        yard.step();
        yard.jump();
        yard.run(0.5);
        let told = yard.told();
        let has = told
            .iter()
            .any(|walked| matches!(walked, ControllerTickEvent::Jump { .. }));
        assert_eq!(has, jumps, "{height} m: {told:?}");
    }
}
