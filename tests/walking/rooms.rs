//! Narrow spaces, and a thousand random walks.

use galatea::character::Placement;
use galatea::physics::{BodyType, ControllerTickEvent};
use galatea::stage::Rng;
use glam::{Quat, Vec3};

use crate::yard::Yard;

#[test]
fn it_stands_up_only_where_there_is_room() {
    let mut yard = Yard::new(60.0);
    // A ceiling at 1.3 m, from z = 1 to 3.
    yard.block(Vec3::new(0.0, 1.8, 2.0), Vec3::new(4.0, 1.0, 2.0));
    yard.wish(Vec3::Z * 1.4);
    yard.run(1.5);
    assert!(yard.feet().z < 0.8, "it does not fit: {}", yard.feet());
    yard.hero().body.controller.as_mut().unwrap().crouch = true;
    yard.run(1.0);
    assert!(yard.feet().z > 1.2, "it does now: {}", yard.feet());
    yard.hero().body.controller.as_mut().unwrap().crouch = false;
    yard.wish(Vec3::ZERO);
    yard.run(0.5);
    assert!(yard.hero().body.controller.as_ref().unwrap().is_low());
    // A jump does not lift it through.
    yard.jump();
    yard.run(1.0);
    assert!(yard.feet().y.abs() < 0.01, "{}", yard.feet());
    yard.wish(Vec3::Z * 1.4);
    yard.run(2.0);
    assert!(yard.feet().z > 3.2, "{}", yard.feet());
    assert!(!yard.hero().body.controller.as_ref().unwrap().is_low());
}

#[test]
fn in_a_corner_it_stands_still() {
    let mut yard = Yard::new(60.0);
    // Two walls that join at 60 degrees, with the corner ahead.
    for side in [-1.0, 1.0] {
        let block = yard.block(Vec3::ZERO, Vec3::new(0.2, 4.0, 6.0));
        let turn = Quat::from_rotation_y(side * -30f32.to_radians());
        let place = yard.place(block);
        place.position = Vec3::new(side * 1.5, 1.0, 0.0);
        *place = place.turned(turn);
    }
    yard.wish(Vec3::Z * 4.0);
    yard.run(2.0);
    let at = yard.feet();
    let mut worst = 0.0_f32;
    for _ in 0..120 {
        yard.step();
        worst = worst.max(yard.feet().distance(at));
    }
    assert!(worst < 2e-3, "it trembles by {worst} m");
    assert!(yard.is_grounded());
    yard.wish(Vec3::NEG_Z * 2.0);
    yard.run(1.0);
    assert!(
        yard.feet().z < at.z - 1.0,
        "and comes out again: {at} {}",
        yard.feet()
    );
}

#[test]
fn between_two_steep_slopes_it_can_stand_and_jump() {
    let mut yard = Yard::new(60.0);
    yard.stage.floor.collision_height = None;
    yard.slope(Vec3::ZERO, 60.0, 6.0);
    let other = yard.block(Vec3::ZERO, Vec3::new(4.0, 0.4, 6.0));
    let turn = Quat::from_rotation_x(60f32.to_radians());
    let place = yard.place(other);
    place.position = turn * Vec3::new(0.0, -0.2, -3.0);
    *place = place.turned(turn);
    yard.put(Vec3::new(0.0, 2.0, 0.3));
    yard.run(3.0);
    assert!(yard.is_grounded(), "{}", yard.feet());
    let from = yard.feet().y;
    yard.jump();
    yard.run(0.25);
    assert!(yard.feet().y > from + 0.3, "{}", yard.feet());
}

#[test]
fn moving_bodies_push_it_aside_but_not_through_walls() {
    let mut yard = Yard::new(60.0);
    yard.block(Vec3::new(0.0, 1.0, 2.1), Vec3::new(4.0, 2.0, 0.2));
    let size = Vec3::new(2.0, 2.0, 0.4);
    let door = yard.cuboid(Vec3::new(0.0, 1.0, -1.0), size, BodyType::Kinematic, None);
    for i in 0..90 {
        yard.place(door).position.z = -1.0 + i as f32 / 60.0;
        yard.step();
    }
    let feet = yard.feet();
    assert!((feet.z - 0.95).abs() < 0.03, "pushed along: {feet}");
    let mut squeezed = false;
    for i in 90..240 {
        yard.place(door).position.z = -1.0 + i as f32 / 60.0;
        yard.step();
        let feet = yard.feet();
        assert!(feet.z < 1.8, "through the wall: {feet}");
        squeezed |= yard.hero().body.controller.as_ref().unwrap().is_crushed;
    }
    assert!(squeezed);
    assert!(
        !yard.hero().body.controller.as_ref().unwrap().is_crushed,
        "it has passed"
    );
}

#[test]
fn two_walkers_stop_each_other_head_on_and_slide_past_off_centre() {
    for (aside, pass) in [(0.0, false), (0.3, true)] {
        let mut yard = Yard::new(60.0);
        let first = yard.hero;
        let definition = yard.hero().definition.clone();
        let options = yard
            .hero()
            .body
            .controller
            .as_ref()
            .unwrap()
            .options
            .clone();
        let spawn = Placement {
            position: Vec3::new(aside, 0.9, 4.0),
            ..Placement::default()
        };
        let other = yard.stage.add_character(definition, "other", None, spawn);
        yard.stage
            .bodies()
            .set_controller(other, Some(options))
            .unwrap();
        yard.wish(Vec3::Z * 1.4);
        yard.hero = other;
        yard.wish(Vec3::NEG_Z * 1.4);
        let mut nearest = f32::MAX;
        for _ in 0..240 {
            yard.step();
            let [a, b] = [first, other].map(|one| yard.place(one).position);
            nearest = nearest.min(a.distance(b));
            assert!(
                (a.y - 0.9).abs() < 0.01 && (b.y - 0.9).abs() < 0.01,
                "{a} {b}"
            );
        }
        assert!(nearest > 0.48, "{nearest} m apart");
        let [a, b] = [first, other].map(|one| yard.place(one).position.z);
        assert_eq!(a > b, pass, "{a} {b}");
    }
}

#[test]
fn walkers_in_one_place_separate() {
    for count in [2, 5, 12] {
        let mut yard = Yard::new(60.0);
        let definition = yard.hero().definition.clone();
        let controller = yard.hero().body.controller.clone().unwrap();
        let at = *yard.place(yard.hero);
        let mut all = vec![yard.hero];
        for _ in 1..count {
            let definition = definition.clone();
            let other = yard.stage.add_character(definition, "other", None, at);
            let options = Some(controller.options.clone());
            yard.stage.bodies().set_controller(other, options).unwrap();
            all.push(other);
        }
        yard.run(2.0);
        let places: Vec<Vec3> = all.iter().map(|one| yard.place(*one).position).collect();
        for (index, a) in places.iter().enumerate() {
            assert!((a.y - 0.9).abs() < 0.01, "{count}: {a}");
            for b in &places[..index] {
                assert!(a.distance(*b) > 0.48, "{count}: {a} and {b}");
            }
        }
    }
}

#[test]
fn put_into_a_wall_it_comes_out() {
    let mut yard = Yard::new(60.0);
    yard.block(Vec3::new(0.0, 1.0, 5.0), Vec3::new(4.0, 2.0, 0.4));
    yard.put(Vec3::new(0.0, 0.0, 4.9));
    yard.run(0.5);
    let feet = yard.feet();
    assert!(feet.z < 4.56 && feet.y.abs() < 0.005, "{feet}");
    assert!(!yard.hero().body.controller.as_ref().unwrap().is_crushed);
}

#[test]
fn queries_before_the_first_step_do_not_stop_new_bodies() {
    let mut yard = Yard::new(60.0);
    let at = Vec3::new(3.0, 2.0, 0.0);
    let thing = yard.cuboid(at, Vec3::splat(0.5), BodyType::Dynamic, Some(5.0));
    let floor = yard.stage.floor.clone();
    yard.stage.physics.refresh(&floor);
    yard.run(2.0);
    let at = yard.place(thing).position;
    assert!((at.y - 0.25).abs() < 0.02, "{at}");
}

/// A yard of 12 by 12 m with walls and randomly placed boxes, stairs and slopes.
fn garden(rng: &mut Rng) -> Yard {
    let mut yard = Yard::new(60.0);
    for side in [-1.0, 1.0] {
        yard.block(Vec3::new(6.5 * side, 2.0, 0.0), Vec3::new(1.0, 6.0, 14.0));
        yard.block(Vec3::new(0.0, 2.0, 6.5 * side), Vec3::new(14.0, 6.0, 1.0));
    }
    let mut between = |low: f32, high: f32| low + (high - low) * rng.unit() as f32;
    for _ in 0..8 {
        let size = Vec3::new(between(0.2, 2.0), between(0.1, 1.5), between(0.2, 2.0));
        let at = Vec3::new(between(-5.0, 5.0), size.y / 2.0, between(-5.0, 5.0));
        let block = yard.block(at, size);
        let turn = Quat::from_euler(
            glam::EulerRot::YXZ,
            between(0.0, 6.0),
            between(-0.4, 0.4),
            between(-0.4, 0.4),
        );
        let place = yard.place(block);
        *place = place.turned(turn);
    }
    let foot = Vec3::new(between(-4.0, 4.0), 0.0, between(-4.0, 1.0));
    yard.stairs(foot, 5, 0.17, 0.29);
    let foot = Vec3::new(between(-4.0, 4.0), 0.0, between(-4.0, 1.0));
    yard.slope(foot, between(10.0, 70.0), 4.0);
    for _ in 0..3 {
        let at = Vec3::new(between(-5.0, 5.0), 2.0, between(-5.0, 5.0));
        yard.cuboid(at, Vec3::splat(0.5), BodyType::Dynamic, Some(15.0));
    }
    yard
}

#[test]
fn a_thousand_walks_stay_in_the_yard() {
    let mut rng = Rng::new(7);
    let (mut moved, mut jumps) = (0.0_f32, 0);
    for _ in 0..40 {
        let mut yard = garden(&mut rng);
        for walk in 0..25 {
            let angle = rng.unit() as f32 * std::f32::consts::TAU;
            let speed = [1.4, 4.2, 12.0][rng.below(3)];
            yard.wish(Quat::from_rotation_y(angle) * Vec3::Z * speed);
            yard.hero().body.controller.as_mut().unwrap().crouch = rng.below(4) == 0;
            if walk % 3 == 0 {
                yard.jump();
            }
            let from = yard.feet();
            for _ in 0..40 {
                yard.step();
                let feet = yard.feet();
                assert!(feet.is_finite());
                let inside = feet.x.abs() < 5.8 && feet.z.abs() < 5.8;
                assert!(inside, "through a wall: {feet}");
                assert!(feet.y > -0.06, "through the floor: {feet}");
                assert!(feet.y < 5.0, "thrown up: {feet}");
            }
            moved += yard.feet().distance(from);
        }
        let told = yard.told();
        jumps += told
            .iter()
            .filter(|w| matches!(w, ControllerTickEvent::Jump { .. }))
            .count();
    }
    assert!(
        moved > 500.0 && jumps > 100,
        "they went {moved} m and jumped {jumps} times"
    );
}
