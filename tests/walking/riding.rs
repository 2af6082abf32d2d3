//! Characters on animated platforms.

use std::sync::Arc;

use galatea::asset::model::Model;
use galatea::character::{Definition, Placement};
use glam::Vec3;
use serde_json::{Value, json};

use super::collider_file::{along, load};
use super::yard::Yard;

/// A platform of 4 by 4 m with its top at height 0.2, moved by a clip.
fn platform(keys: [Vec<f32>; 5], path: &str) -> Model {
    load(
        json!([{ "name": "platform-col", "mesh": 0, "scale": [2, 0.1, 2], "translation": [0, 0.1, 0] }]),
        Value::Null,
        &[(0, path, keys)],
    )
}

fn on_it(hertz: f64, model: Model) -> Yard {
    let mut yard = Yard::new(hertz);
    let definition = Arc::new(Definition::new(Arc::new(model)));
    let spawn = Placement::default();
    let handle = yard
        .stage
        .add_character(definition, "platform", None, spawn);
    yard.stage.bodies().set_prop_body_from_file(handle).unwrap();
    yard.put(Vec3::new(0.5, 0.2, 0.0));
    yard
}

#[test]
fn it_rides_up_on_a_lift_that_a_clip_moves() {
    for hertz in [30.0, 60.0, 240.0] {
        let up = along(|y| [0.0, y, 0.0], [0.1, 0.6, 2.1, 2.1, 2.1]);
        let mut yard = on_it(hertz, platform(up, "translation"));
        let mut highest = 0.0_f32;
        for _ in 0..(3.0 * hertz) as usize {
            yard.step();
            highest = highest.max(yard.feet().y);
        }
        let feet = yard.feet();
        assert!((feet.y - 2.2).abs() < 0.01, "{hertz} Hz: {feet}");
        assert!((feet.x - 0.5).abs() < 0.01, "{hertz} Hz: {feet}");
        assert!(highest < 2.25, "{hertz} Hz: {highest}");
        assert!(yard.is_grounded());
    }
}

#[test]
fn it_goes_along_on_a_platform_that_a_clip_moves_and_turns_with_one_that_it_turns() {
    let across = along(|x| [x, 0.1, 0.0], [0.0, 1.0, 2.0, 3.0, 3.0]);
    let mut yard = on_it(60.0, platform(across, "translation"));
    yard.run(3.5);
    let feet = yard.feet();
    assert!(feet.distance(Vec3::new(3.5, 0.2, 0.0)) < 0.03, "{feet}");

    let turn = [0.0_f32, 30.0, 60.0, 90.0, 90.0].map(|degrees| {
        let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
        vec![0.0, sin, 0.0, cos]
    });
    let mut yard = on_it(60.0, platform(turn, "rotation"));
    yard.run(3.5);
    let feet = yard.feet();
    assert!(feet.distance(Vec3::new(0.0, 0.2, -0.5)) < 0.03, "{feet}");
    let yaw = yard.hero().placement.yaw;
    assert!((yaw - 90.0).abs() < 2.0, "{yaw}");
}
