//! Falling characters: joints hold, energy does not grow, and bodies and bones come to rest.

use std::sync::Arc;

use galatea::asset::PrimitiveMesh;
use galatea::character::Definition;
use galatea::physics::PropBodySettings;
use galatea::stage::{Handle, Stage};
use glam::Vec3;

use super::scenes::{at, corpus, galatea, hash, put, run};

/// Measurements of a fall.
#[derive(Debug, Default)]
pub struct Fall {
    /// Joint limit excess, radians: median and maximum.
    pub violation: [f32; 2],
    /// Joint gap, metres: 99th percentile and maximum.
    pub gap: [f32; 2],
    /// Largest growth of energy in one tick, as a fraction of the initial energy.
    pub growth: f32,
    /// Time until all bodies sleep, seconds.
    pub asleep: Option<f64>,
    /// Lowest centre of a body.
    pub lowest: f32,
    /// Largest distance of a bone from its body, metres.
    pub apart: f32,
}

pub fn fall(stage: &mut Stage, who: Handle, seconds: f64) -> Fall {
    let mut fall = Fall {
        lowest: f32::MAX,
        ..Fall::default()
    };
    let (mut violations, mut gaps) = (Vec::new(), Vec::new());
    let mut energy: Option<(f32, f32)> = None;
    let n = (seconds / stage.clock.dt) as usize;
    for i in 0..n {
        run(stage, stage.clock.dt);
        let character = stage.characters.get(who).unwrap();
        let Some(limbs) = &character.body.limbs else {
            break;
        };
        let ragdoll = &limbs.ragdoll;
        violations.push(ragdoll.violation());
        gaps.push(ragdoll.gap());
        let now = stage.physics.world.energy();
        if let Some((first, before)) = energy {
            fall.growth = fall.growth.max((now - before) / first.abs().max(1.0));
            energy = Some((first, now));
        } else {
            energy = Some((now, now));
        }
        for (body, asked) in ragdoll.definition.bodies.iter().enumerate() {
            let frame = ragdoll.frame(body).unwrap();
            assert!(frame.is_finite());
            fall.lowest = fall.lowest.min(frame.position.y);
            let scale = character.placement.scale;
            let wanted = frame.then(asked.bone_from_body.scaled(scale).inverse());
            let bone = character.placement.to_affine()
                * character.posed.model_from_bone[usize::from(asked.bone)];
            let bone = Vec3::from(bone.translation);
            fall.apart = fall.apart.max(bone.distance(wanted.position) / scale);
        }
        if ragdoll.asleep && fall.asleep.is_none() {
            fall.asleep = Some(i as f64 * stage.clock.dt);
        }
    }
    violations.sort_by(f32::total_cmp);
    gaps.sort_by(f32::total_cmp);
    let of = |list: &[f32], share: f32| list[((list.len() - 1) as f32 * share) as usize];
    fall.violation = [of(&violations, 0.5), of(&violations, 1.0)];
    fall.gap = [of(&gaps, 0.99), of(&gaps, 1.0)];
    fall
}

/// The scale at which it is as tall as a human.
pub fn human_sized(definition: &Definition) -> f32 {
    let [low, high] = definition.rest_box;
    1.7 / (high.y - low.y)
}

/// Prevents it from getting up by itself.
pub fn stay_down(stage: &mut Stage, who: Handle) {
    stage
        .characters
        .get_mut(who)
        .unwrap()
        .body
        .vitals
        .get_up_delay = None;
}

fn standing(definition: &Arc<Definition>, seconds: f64) -> (Stage, Handle) {
    let mut stage = Stage::default();
    let mut place = at(0.0, 0.0, 0.0);
    place.scale = human_sized(definition);
    let who = stage.add_character(definition.clone(), "who.glb", None, place);
    stay_down(&mut stage, who);
    run(&mut stage, seconds);
    (stage, who)
}

pub const FALLERS: [&str; 4] = [
    "01_characters/godot-demo-projects/ragdoll_physics/characters/mannequiny.glb",
    "01_characters/khronos-samples-via-bevy/animated/Fox.glb",
    "01_characters/threejs-examples/gltf/RobotExpressive/RobotExpressive.glb",
    "01_characters/kaykit-adventurers/Characters/gltf/Knight.glb",
];

pub fn all() -> Vec<(String, Arc<Definition>)> {
    let mut list = vec![("galatea".to_owned(), galatea())];
    for path in FALLERS {
        if let Some(definition) = corpus(path) {
            list.push((path.to_owned(), definition));
        }
    }
    list
}

/// `gap`: maximum joint gap in 99 % of the ticks, metres.
fn check(name: &str, fall: &Fall, gap: f32) {
    let [median, worst] = fall.violation.map(f32::to_degrees);
    assert!(median < 1.5, "{name}: {median} degrees beyond the limits");
    assert!(worst < 60.0, "{name}: {worst} degrees beyond the limits");
    assert!(fall.gap[0] < gap, "{name}: links {} m apart", fall.gap[0]);
    assert!(
        fall.growth < 0.003,
        "{name}: energy grew by {}",
        fall.growth
    );
    assert!(fall.apart < 1e-4, "{name}: bones {} m off", fall.apart);
    assert!(
        fall.lowest > -0.05,
        "{name}: fell through to {}",
        fall.lowest
    );
}

/// Makes a character fall after it stood for some seconds. Returns the time until it sleeps, relative to the limit for a
/// body of its size.
fn falls_asleep(name: &str, definition: &Arc<Definition>, stood_s: f64) -> f64 {
    let (mut stage, who) = standing(definition, stood_s);
    assert!(stage.bodies().fall(who), "{name}");
    let found = fall(&mut stage, who, 8.0);
    println!("{name}: {found:?}");
    check(name, &found, 0.006);
    let frames = |stage: &Stage| {
        let limbs = stage.characters.get(who).unwrap().body.limbs.as_ref();
        let ragdoll = &limbs.unwrap().ragdoll;
        let frames = (0..ragdoll.len()).map(|i| ragdoll.frame(i));
        frames.collect::<Vec<_>>()
    };
    let before = frames(&stage);
    run(&mut stage, 1.0);
    assert_eq!(frames(&stage), before, "{name}: what rests does not stir");
    let size = {
        let limbs = stage.characters.get(who).unwrap().body.limbs.as_ref();
        f64::from(limbs.unwrap().ragdoll.size())
    };
    // Bodies larger than a human need longer to fall, by the square root of the size.
    found.asleep.unwrap_or(f64::MAX) / (3.3 * size.max(1.0).sqrt())
}

#[test]
fn every_model_falls_and_comes_to_rest() {
    for (name, definition) in all() {
        // Tumbling depends on the exact pose: the median of three falls counts.
        let mut asleep = [0.2, 0.3, 0.4].map(|stood_s| falls_asleep(&name, &definition, stood_s));
        asleep.sort_by(f64::total_cmp);
        let is_soon = asleep[1] < 1.0 && asleep[2] < 1.4;
        assert!(is_soon, "{name}: asleep after {asleep:.2?} of the time");
    }
}

#[test]
fn every_model_falls_down_stairs() {
    for (name, definition) in all() {
        let mut stage = Stage::default();
        let (rise, run_of) = (0.17, 0.29);
        let stairs = PrimitiveMesh::Stairs {
            steps: 8,
            width: 3.0,
            rise,
            run: run_of,
        };
        put(
            &mut stage,
            stairs,
            at(0.0, 0.0, 0.0),
            PropBodySettings::default(),
        );
        let top = PrimitiveMesh::Box(Vec3::new(3.0, 8.0 * rise, 3.0));
        put(
            &mut stage,
            top,
            at(0.0, 4.0 * rise, 8.0 * run_of + 1.5),
            PropBodySettings::default(),
        );
        let mut place = at(0.0, 8.0 * rise, 8.0 * run_of + 0.2);
        place.yaw = 180.0;
        place.scale = human_sized(&definition);
        let who = stage.add_character(definition.clone(), "who.glb", None, place);
        stay_down(&mut stage, who);
        run(&mut stage, 0.2);
        stage
            .characters
            .get_mut(who)
            .unwrap()
            .body
            .vitals
            .get_up_delay = None;
        stage.bodies().fall(who);
        run(&mut stage, 1.0 / 60.0);
        let (_, mass) = {
            let character = stage.characters.get(who).unwrap();
            character
                .body
                .limbs
                .as_ref()
                .unwrap()
                .ragdoll
                .centre_of_mass()
        };
        stage
            .bodies()
            .push(who, Vec3::new(0.0, 0.0, -2.2 * mass), None);
        let found = fall(&mut stage, who, 8.0);
        println!("{name}: {mass} kg {found:?}");
        check(&name, &found, 0.025);
    }
}

#[test]
fn a_fall_is_the_same_every_time() {
    let definition = galatea();
    let run_once = || {
        let (mut stage, who) = standing(&definition, 0.2);
        stage.bodies().fall(who);
        run(&mut stage, 2.0);
        hash(&stage)
    };
    assert_eq!(run_once(), run_once());
}
