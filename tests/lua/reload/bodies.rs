//! Bodies over a hot reload: lying characters keep lying, rolling objects keep rolling, wounds stay.

use std::path::Path;
use std::sync::Arc;

use galatea::asset::{Model, gltf};
use galatea::character::{LimbState, LyingPosture};
use galatea::physics::RigidFrame;
use galatea::stage::{Handle, Stage};
use glam::{Quat, Vec3};

use super::{faultless, hero, swap};
use crate::common::{Bench, HERO};

/// The built-in character, standing.
fn galatea() -> Model {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut model = gltf::load(&home.join("assets/mannequin.glb")).expect("it is there");
    model.clips.retain(|clip| clip.name == "idle");
    model
}

/// The built-in character and a script.
fn bench(script: &str) -> Bench {
    let mut bench = Bench::with_model(Default::default(), galatea());
    save(&mut bench, script);
    bench
}

fn save(bench: &mut Bench, script: &str) {
    bench.load(&format!("{HERO}{script}")).expect("it loads");
}

/// Frames of its bodies.
fn frames(stage: &Stage, who: Handle) -> Vec<RigidFrame> {
    let limbs = stage.characters.get(who).unwrap().body.limbs.as_ref();
    let ragdoll = &limbs.expect("it has limbs").ragdoll;
    (0..ragdoll.len())
        .filter_map(|i| ragdoll.frame(i))
        .collect()
}

fn farthest(a: &[RigidFrame], b: &[RigidFrame]) -> f32 {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().zip(b);
    pairs
        .map(|(a, b)| a.position.distance(b.position))
        .fold(0.0, f32::max)
}

#[test]
fn a_fall_continues_over_a_reload() {
    let run = |saves: bool| {
        let mut bench = bench("-- 1");
        bench.run(0.2);
        let who = hero(&bench);
        bench.stage.bodies().fall(who);
        bench.run(0.2);
        if saves {
            save(&mut bench, "-- 2");
        }
        bench.run(0.25);
        faultless(&mut bench);
        let limbs = bench.stage.characters.get(who).unwrap().body.limbs.as_ref();
        let (middle, _) = limbs.expect("it lies").ragdoll.centre_of_mass();
        let top = frames(&bench.stage, who)
            .iter()
            .map(|f| f.position.y)
            .fold(0.0, f32::max);
        (frames(&bench.stage, who), middle, top)
    };
    let ((saved, now, top), (plain, wanted, _)) = (run(true), run(false));
    // Contact impulses of the last step are not kept, so ends of limbs are near, not equal.
    assert!(now.distance(wanted) < 0.01, "{now} for {wanted}");
    let off = farthest(&saved, &plain);
    println!("{off} m off, the highest part at {top} m");
    assert!(off < 0.03, "{off} m from where it would be");
    assert!(top < 1.55, "it continues to fall: {top} m");
}

#[test]
fn a_sleeping_ragdoll_does_not_move_at_a_reload() {
    let mut bench = bench("hero:hit_reactions { get_up_delay = false }");
    bench.run(0.2);
    let who = hero(&bench);
    bench.stage.bodies().fall(who);
    bench.run(7.0);
    let state = |bench: &Bench| {
        let character = bench.stage.characters.get(who).unwrap();
        let limbs = character.body.limbs.as_ref().unwrap();
        (
            limbs.ragdoll.asleep,
            limbs.state,
            character.posed.pose.locals.clone(),
        )
    };
    let before = (frames(&bench.stage, who), state(&bench));
    assert!(before.1.0, "it sleeps");
    save(
        &mut bench,
        "hero:hit_reactions { get_up_delay = false } print 'more'",
    );
    assert_eq!(frames(&bench.stage, who), before.0);
    bench.run(0.5);
    let (asleep, _, locals) = state(&bench);
    assert!(asleep);
    let off = farthest(&frames(&bench.stage, who), &before.0);
    assert!(off < 1e-3, "{off} m off");
    let turned = locals.iter().zip(&before.1.2);
    let turned = turned
        .map(|(a, b)| a.rotation.angle_between(b.rotation))
        .fold(0.0, f32::max);
    // Fingers have no bodies: they follow the clip.
    assert!(turned < 1e-2, "bones turned by {turned}");
}

#[test]
fn getting_up_continues_over_a_reload() {
    let mut bench = bench("-- 1");
    bench.run(0.2);
    let who = hero(&bench);
    bench.stage.bodies().fall(who);
    for _ in 0..600 {
        bench.run(1.0 / 60.0);
        if bench
            .stage
            .characters
            .get(who)
            .unwrap()
            .body
            .rising
            .is_some()
        {
            break;
        }
    }
    bench.run(0.2);
    let head = |bench: &Bench| {
        let character = bench.stage.characters.get(who).unwrap();
        let bone = character.definition.bone("head").unwrap();
        (
            character.posed.bone_position(bone),
            character.body.rising.is_some(),
        )
    };
    let (before, rises) = head(&bench);
    assert!(rises && before.y < 1.2, "{before}");
    save(&mut bench, "-- 2");
    let (now, rises) = head(&bench);
    assert!(rises && now.distance(before) < 1e-3, "{before} {now}");
    bench.run(3.0);
    let (now, rises) = head(&bench);
    assert!(!rises && now.y > 1.3, "{now}");
}

#[test]
fn body_settings_changed_in_the_main_part_win() {
    let mut bench = bench("hero.health = 0.8");
    let who = hero(&bench);
    bench.run(0.1);
    bench
        .stage
        .characters
        .get_mut(who)
        .unwrap()
        .body
        .vitals
        .health = 0.3;
    bench
        .stage
        .characters
        .get_mut(who)
        .unwrap()
        .body
        .vitals
        .balance = 0.5;
    let vitals = |bench: &Bench| bench.stage.characters.get(who).unwrap().body.vitals;
    save(&mut bench, "hero.health = 0.8 -- the same");
    assert_eq!((vitals(&bench).health, vitals(&bench).balance), (0.3, 0.5));
    save(
        &mut bench,
        "hero.health = 0.9 hero:hit_reactions { get_up_delay = 2 }",
    );
    assert_eq!((vitals(&bench).health, vitals(&bench).balance), (0.9, 0.5));
    assert_eq!(vitals(&bench).get_up_delay, Some(2.0));
    let limp = |bench: &Bench| {
        let limbs = bench.stage.characters.get(who).unwrap().body.limbs.as_ref();
        limbs.map(|limbs| limbs.is_down())
    };
    save(&mut bench, "hero:ragdoll()");
    assert_eq!(limp(&bench), Some(true));
    bench.run(0.5);
    save(&mut bench, "hero:ragdoll { motor_strength = 1 }");
    assert_eq!(limp(&bench), Some(false));
    save(&mut bench, "");
    assert_eq!(limp(&bench), None);
    faultless(&mut bench);
}

#[test]
fn rolling_bodies_keep_rolling_and_resting_ones_rest() {
    const BALL: &str = "local ball = physics.sphere { name = 'ball', radius = 0.2, position = vector.create(0, 0.2, 2), mass = 2, velocity = vector.create(3, 0, 0) }
        local crate = physics.box { name = 'crate', size = vector.create(0.4, 0.4, 0.4), position = vector.create(0, 0.2, 5), mass = 5 } ";
    let mut bench = Bench::with_model(Default::default(), galatea());
    bench.load(BALL).expect("it loads");
    bench.run(2.0);
    let at = |bench: &Bench, name: &str| {
        let mut all = bench.stage.characters.iter();
        let (_, found) = all.find(|(_, c)| c.shown_name() == name).unwrap();
        let solid = found.body.prop_body.as_ref().unwrap();
        (
            found.placement.position,
            solid.velocity.linear,
            solid.is_sleeping,
        )
    };
    bench.run(2.0);
    let (before, speed, _) = at(&bench, "ball");
    assert!(speed.x > 1.0 && before.x > 3.0, "{before} {speed}");
    let crate_before = at(&bench, "crate");
    assert!(crate_before.2, "the crate sleeps");
    bench
        .load(&format!("{BALL} -- the same"))
        .expect("it loads");
    assert!(at(&bench, "crate").2);
    bench.run(0.5);
    let (now, _, _) = at(&bench, "ball");
    let wanted = before + speed * 0.5;
    assert!(
        now.distance(wanted) < 0.05 * speed.length(),
        "{now} for {wanted}"
    );
    assert_eq!(at(&bench, "crate"), crate_before);
    // Another initial velocity is another throw.
    bench
        .load(&BALL.replace("create(3, 0, 0)", "create(0, 0, -1)"))
        .expect("it loads");
    bench.run(0.2);
    let (_, speed, _) = at(&bench, "ball");
    assert!(speed.z < -0.5 && speed.x.abs() < 0.1, "{speed}");
}

/// The built-in character with one more bone before all others, and with other legs.
fn changed() -> Model {
    let mut model = galatea();
    let mut bones = model.skeleton.bones().to_vec();
    let leg = bones
        .iter()
        .position(|bone| bone.name == "left_lower_leg")
        .unwrap();
    bones[leg].rest.translation *= 1.2;
    model.skeleton = Arc::new(galatea::anim::Skeleton::new(bones).unwrap());
    model.uid += 1;
    model
}

#[test]
fn a_lying_character_keeps_lying_over_a_model_reload() {
    let mut bench = bench("hero:hit_reactions { get_up_delay = false }");
    bench.run(0.2);
    let who = hero(&bench);
    bench.stage.bodies().fall(who);
    bench.run(7.0);
    let before = frames(&bench.stage, who);
    let n_bodies = bench.stage.physics.world.n_bodies();
    // Only its materials changed: nothing moves.
    let mut painted = galatea();
    painted.uid += 1;
    painted.materials[0].roughness = 0.1;
    swap(&mut bench, painted);
    bench.run(0.2);
    assert_eq!(frames(&bench.stage, who), before);
    // Its bones changed: it keeps lying in the same pose.
    swap(&mut bench, changed());
    let limbs = |bench: &Bench| {
        let character = bench.stage.characters.get(who).unwrap();
        let limbs = character.body.limbs.as_ref().unwrap();
        (
            limbs.state,
            character
                .posed
                .posture(&character.definition, character.placement)
                .0,
            limbs.ragdoll.definition.clone(),
        )
    };
    let definition = bench
        .stage
        .characters
        .get(who)
        .unwrap()
        .definition
        .ragdoll()
        .clone();
    bench.run(1.0 / 60.0);
    let (state, lying, made_of) = limbs(&bench);
    assert!(matches!(state, LimbState::Down { .. }) && lying != LyingPosture::Upright);
    assert_eq!(*made_of, *definition);
    let off = farthest(&frames(&bench.stage, who), &before);
    assert!(off < 0.1, "{off} m from where it lay");
    assert_eq!(bench.stage.physics.world.n_bodies(), n_bodies);
    bench.run(3.0);
    let off = farthest(&frames(&bench.stage, who), &before);
    assert!(off < 0.3, "{off} m from where it lay, later");
    let lowest = frames(&bench.stage, who)
        .iter()
        .map(|f| f.position.y)
        .fold(f32::MAX, f32::min);
    assert!(lowest > 0.0, "{lowest}");
    faultless(&mut bench);
}

#[test]
fn an_arm_that_hangs_does_so_in_a_new_version_of_its_model() {
    let mut bench = bench("hero:ragdoll { bones = { 'left_upper_arm' } }");
    bench.run(1.0);
    let who = hero(&bench);
    let arm = |bench: &Bench| {
        let character = bench.stage.characters.get(who).unwrap();
        let [upper, hand] = ["left_upper_arm", "left_hand"].map(|name| {
            character
                .posed
                .bone_position(character.definition.bone(name).unwrap())
        });
        (hand - upper).normalize()
    };
    let before = arm(&bench);
    swap(&mut bench, changed());
    bench.run(1.0 / 60.0);
    let turned = Quat::from_rotation_arc(before, arm(&bench))
        .to_axis_angle()
        .1;
    assert!(turned < 0.1, "{turned} rad");
    bench.run(1.0);
    assert!(arm(&bench).dot(Vec3::NEG_Y) > 0.8, "{}", arm(&bench));
    faultless(&mut bench);
}
