//! Lying characters: next to moving objects, and when pushed.

use galatea::asset::PrimitiveMesh;
use galatea::physics::PropBodySettings;
use galatea::stage::{Handle, Stage};
use glam::Vec3;

use super::falls::stay_down;
use super::scenes::{at, galatea, put, run};

/// Length of a tick, seconds.
const DT: f64 = 1.0 / 60.0;

/// A character that fell and lies, after some seconds.
fn lying(seconds: f64) -> (Stage, Handle) {
    let mut stage = Stage::default();
    stage.floor.collision_height = Some(0.0);
    let who = stage.add_character(galatea(), "who.glb", None, at(0.0, 0.0, 0.0));
    stay_down(&mut stage, who);
    assert!(stage.bodies().fall(who));
    run(&mut stage, seconds);
    (stage, who)
}

/// Position of the hips in the physics world, and of the hips in the pose.
fn hips(stage: &Stage, who: Handle) -> [Vec3; 2] {
    let character = stage.characters.get(who).unwrap();
    let ragdoll = &character.body.limbs.as_ref().unwrap().ragdoll;
    let body = ragdoll.body(0).unwrap();
    let engine = stage.physics.world.frame(body).unwrap().position;
    [engine, ragdoll.frame(0).unwrap().position]
}

#[test]
fn a_ragdoll_on_a_moving_body_stays_supported() {
    let (mut stage, who) = lying(2.5);
    let [chest, _] = hips(&stage, who);
    let options = PropBodySettings {
        mass: Some(3.0),
        ..PropBodySettings::default()
    };
    let form = PrimitiveMesh::Box(Vec3::new(0.3, 0.3, 0.3));
    let crate_on_her = put(
        &mut stage,
        form,
        at(chest.x, chest.y + 0.35, chest.z),
        options,
    );
    let mut worst: (f32, f32) = (0.0, f32::MAX);
    for n in 0..360 {
        if n % 3 == 0 {
            let way = if n % 2 == 0 { 0.4 } else { -0.4 };
            stage
                .bodies()
                .push(crate_on_her, Vec3::new(way, 0.0, 0.0), None);
        }
        run(&mut stage, DT);
        let [there, taken] = hips(&stage, who);
        worst = (worst.0.max(there.distance(taken)), worst.1.min(there.y));
    }
    assert!(worst.0 < 1e-4, "{} m from where she is drawn", worst.0);
    assert!(worst.1 > 0.02, "her hips sank to {}", worst.1);
}

#[test]
fn a_long_resting_ragdoll_reacts_to_a_push_and_rests_again() {
    let (mut stage, who) = lying(20.0);
    let asleep = |stage: &Stage| {
        let character = stage.characters.get(who).unwrap();
        character.body.limbs.as_ref().unwrap().ragdoll.asleep
    };
    assert!(asleep(&stage), "she came to rest");
    let [before, _] = hips(&stage, who);
    stage.bodies().push(who, Vec3::X * 150.0, None);
    let mut awake = 0;
    for _ in 0..60 {
        run(&mut stage, DT);
        awake += usize::from(!asleep(&stage));
    }
    let [after, _] = hips(&stage, who);
    assert!(awake > 25, "awake for {awake} ticks");
    assert!(before.distance(after) > 0.15, "{before} to {after}");
    run(&mut stage, 8.0);
    assert!(asleep(&stage), "she rests again");
}
