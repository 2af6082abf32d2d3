//! Reactions to hits, and getting up afterwards.

use galatea::anim::{BoneTracks, Clip, Interpolation, Track};
use galatea::asset::gltf;
use galatea::character::{Definition, HitReaction, LyingPosture, get_up_clip};
use galatea::stage::{Event, EventKind, FallEvent, Handle, Hit, Script, Stage, tick};
use glam::{Quat, Vec3};

use super::scenes::{at, corpus, galatea, run};

/// Records the events of bodies.
#[derive(Default)]
struct Ear(Vec<(f64, FallEvent)>);

impl Script for Ear {
    fn update(&mut self, _: &mut Stage, _: f64) {}
    fn params(&mut self, _: Handle, _: &mut [f32]) {}
    fn evaluate(&mut self, _: Handle, _: galatea::machine::Predicate) -> bool {
        false
    }
    fn deliver(&mut self, _: &mut Stage, events: &[Event]) {
        for event in events {
            if let EventKind::Fall(body) = &event.kind {
                self.0.push((event.time, (**body).clone()));
            }
        }
    }
}

impl Ear {
    fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|(_, event)| event.name()).collect()
    }
}

fn listen(stage: &mut Stage, ear: &mut Ear, seconds: f64) {
    for _ in 0..(seconds / stage.clock.dt).round() as usize {
        tick(stage, ear);
    }
}

fn scene() -> (Stage, Handle, u16) {
    let definition = galatea();
    let chest = definition.bone("chest").unwrap();
    let mut stage = Stage::default();
    let who = stage.add_character(definition, "galatea", None, at(0.0, 0.0, 0.0));
    run(&mut stage, 0.3);
    (stage, who, chest)
}

fn strike(stage: &mut Stage, who: Handle, bone: u16, impulse: Vec3) -> HitReaction {
    let hit = Hit {
        bone,
        position: None,
        impulse,
        damage: 0.0,
        other: None,
    };
    let reaction = stage.bodies().judge(who, &hit);
    stage.bodies().hit(who, &hit, reaction);
    reaction
}

#[test]
fn harder_hits_have_stronger_reactions_and_all_recover() {
    for (impulse, wanted) in [
        (8.0, HitReaction::Flinch),
        (40.0, HitReaction::Brace),
        (90.0, HitReaction::Stagger),
        (200.0, HitReaction::Fall),
    ] {
        let (mut stage, who, chest) = scene();
        let mut ear = Ear::default();
        let head = stage
            .characters
            .get(who)
            .unwrap()
            .definition
            .bone("head")
            .unwrap();
        let before = stage.characters.get(who).unwrap().posed.bone_position(head);
        let found = strike(&mut stage, who, chest, Vec3::Z * -impulse);
        assert_eq!(found, wanted);
        let (mut farthest, mut moved) = (0.0_f32, 0.0_f32);
        for _ in 0..60 {
            listen(&mut stage, &mut ear, 1.0 / 60.0);
            let character = stage.characters.get(who).unwrap();
            let now = character.posed.bone_position(head);
            farthest = farthest.max(now.distance(before));
            moved = moved.max(character.placement.position.length());
        }
        // Minimum and maximum movement of the head, metres.
        let [least, most] = match wanted {
            HitReaction::Flinch => [0.01, 0.2],
            HitReaction::Brace => [0.08, 0.6],
            HitReaction::Stagger => [0.25, 1.5],
            _ => [1.0, 3.0],
        };
        assert!((least..most).contains(&farthest), "{wanted:?}: {farthest}");
        assert_eq!(
            moved > 0.05,
            wanted >= HitReaction::Stagger,
            "{wanted:?}: {moved}"
        );
        listen(&mut stage, &mut ear, 9.0);
        let character = stage.characters.get(who).unwrap();
        assert!(character.body.limbs.is_none(), "{wanted:?} is not over");
        assert!(
            character.body.rising.is_none()
                && character
                    .posed
                    .posture(&character.definition, character.placement)
                    .0
                    == LyingPosture::Upright
        );
        let names = ear.names();
        if wanted == HitReaction::Fall {
            assert_eq!(
                names,
                ["hit", "knock_down", "settle", "get_up", "get_up_end"]
            );
        } else {
            assert_eq!(names, ["hit"]);
        }
    }
}

#[test]
fn it_gets_up_in_place_from_back_and_belly() {
    for (push, lying) in [
        (-200.0, LyingPosture::FaceUp),
        (200.0, LyingPosture::FaceDown),
    ] {
        let (mut stage, who, chest) = scene();
        let mut ear = Ear::default();
        strike(&mut stage, who, chest, Vec3::Z * push);
        let mut steps: Vec<Vec3> = Vec::new();
        let mut hips_before = None;
        let hips = stage
            .characters
            .get(who)
            .unwrap()
            .definition
            .bone("hips")
            .unwrap();
        for _ in 0..600 {
            listen(&mut stage, &mut ear, 1.0 / 60.0);
            let now = stage.characters.get(who).unwrap().posed.bone_position(hips);
            if let Some(before) = hips_before.replace(now) {
                steps.push(now - before);
            }
        }
        let lay = ear.0.iter().find_map(|(_, event)| match event {
            FallEvent::GetUp(lying) => Some(*lying),
            _ => None,
        });
        assert_eq!(lay, Some(lying));
        // Nothing jumps: the hips never move faster than in a fall.
        let longest = steps.iter().map(|step| step.length()).fold(0.0, f32::max);
        assert!(longest < 0.09, "{lying:?}: a step of {longest} m");
        let character = stage.characters.get(who).unwrap();
        let place = character.placement;
        assert!(place.position.y.abs() < 1e-3, "{place:?}");
        assert!(
            place.tilt.angle_between(glam::Quat::IDENTITY) < 1e-3,
            "{place:?}"
        );
    }
}

#[test]
fn dead_characters_lie_until_ordered_to_get_up() {
    let (mut stage, who, chest) = scene();
    let mut ear = Ear::default();
    let hit = Hit {
        bone: chest,
        position: None,
        impulse: Vec3::Z * -30.0,
        damage: 1.0,
        other: None,
    };
    let reaction = stage.bodies().judge(who, &hit);
    stage.bodies().hit(who, &hit, reaction);
    listen(&mut stage, &mut ear, 12.0);
    assert_eq!(ear.names(), ["hit", "die", "knock_down", "settle"]);
    let character = stage.characters.get(who).unwrap();
    assert!(character.body.vitals.is_dead && character.body.limbs.as_ref().unwrap().is_down());
    assert!(stage.bodies().get_up(who));
    listen(&mut stage, &mut ear, 4.0);
    let character = stage.characters.get(who).unwrap();
    assert!(!character.body.vitals.is_dead && character.body.limbs.is_none());
    assert_eq!(ear.names()[4..], ["get_up", "get_up_end"]);
}

#[test]
fn a_walking_character_that_is_knocked_down_keeps_its_speed() {
    use galatea::physics::ControllerSettings;
    let (mut stage, who, _) = scene();
    let rest_box = stage.characters.get(who).unwrap().definition.rest_box;
    stage
        .bodies()
        .set_controller(who, Some(ControllerSettings::fitted(rest_box, rest_box)))
        .unwrap();
    for _ in 0..90 {
        let character = stage.characters.get_mut(who).unwrap();
        character.body.controller.as_mut().unwrap().desired_velocity = Vec3::Z * 3.0;
        run(&mut stage, 1.0 / 60.0);
    }
    let speed = |stage: &Stage| stage.characters.get(who).unwrap().body.velocity().linear.z;
    assert!((speed(&stage) - 3.0).abs() < 0.05, "{}", speed(&stage));
    stage.bodies().knock_down(who);
    run(&mut stage, 2.0 / 60.0);
    let found = speed(&stage);
    assert!(
        (found - 3.0).abs() < 0.3,
        "its hips continue at {found} m/s"
    );
}

#[test]
fn real_characters_are_knocked_down_and_get_up() {
    for path in super::falls::FALLERS {
        let Some(definition) = corpus(path) else {
            return;
        };
        let mut stage = Stage::default();
        let mut place = at(0.0, 0.0, 0.0);
        place.scale = super::falls::human_sized(&definition);
        let who = stage.add_character(definition, path, None, place);
        run(&mut stage, 0.3);
        let mut ear = Ear::default();
        stage.bodies().knock_down(who);
        listen(&mut stage, &mut ear, 8.0);
        assert_eq!(
            ear.names(),
            ["knock_down", "settle", "get_up", "get_up_end"],
            "{path}"
        );
        let character = stage.characters.get(who).unwrap();
        assert!(character.body.limbs.is_none(), "{path}");
    }
}

/// A get-up clip is recognised by the posture of its first frame, not by its name, and is aligned with the lying body.
#[test]
fn a_get_up_clip_is_chosen_by_its_first_pose() {
    let home = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut model = gltf::load(&home.join("assets/mannequin.glb")).unwrap();
    let hips = model.skeleton.find("hips").unwrap();
    let key = |turn: Quat| BoneTracks {
        bone: hips,
        translation: None,
        rotation: Some(Track {
            times: vec![0.0],
            values: vec![turn],
            interpolation: Interpolation::Linear,
        }),
        scale: None,
    };
    let clip = |name: &str, turn: Quat| Clip {
        name: name.into(),
        duration: 1.0,
        bones: vec![key(turn)],
        morphs: Vec::new(),
        markers: Vec::new(),
        curves: Vec::new(),
    };
    let quarter = std::f32::consts::FRAC_PI_2;
    // On the back with the head to +X, and a clip that begins upright.
    let turned = Quat::from_rotation_y(quarter);
    model.clips = vec![
        clip("get_up_front", turned * Quat::from_rotation_x(-quarter)).into(),
        clip("stand_up", Quat::IDENTITY).into(),
    ];
    let definition = Definition::new(std::sync::Arc::new(model));
    assert!(get_up_clip(&definition, LyingPosture::FaceDown).is_none());
    assert!(get_up_clip(&definition, LyingPosture::Upright).is_none());
    let found = get_up_clip(&definition, LyingPosture::FaceUp).unwrap();
    assert_eq!((found.clip, found.roll), (0, 0.0));
    assert!((found.heading + 90.0).abs() < 1.0, "{found:?}");
    assert_eq!(
        get_up_clip(&definition, LyingPosture::OnSide).unwrap().roll,
        90.0
    );

    // The Knight's get-up clip begins on the side: it works for every posture.
    let knight = "01_characters/kaykit-adventurers/Characters/gltf/Knight.glb";
    let Some(definition) = corpus(knight) else {
        return;
    };
    for (lying, roll) in [
        (LyingPosture::OnSide, 0.0),
        (LyingPosture::FaceUp, 90.0),
        (LyingPosture::FaceDown, 90.0),
    ] {
        let found = get_up_clip(&definition, lying).unwrap();
        let name = definition.clips.names().nth(found.clip).unwrap();
        assert_eq!((name, found.roll), ("Lie_StandUp", roll), "{lying:?}");
    }
}

/// The clips stand while the body still sits: she falls from the current pose, without an upward kick from the blend.
#[test]
fn a_hit_while_getting_up_starts_a_fall_from_that_pose() {
    for wait in [0.1, 0.4, 0.8, 1.2] {
        let (mut stage, who, chest) = scene();
        strike(&mut stage, who, chest, Vec3::Z * -200.0);
        let rises = |stage: &Stage| stage.characters.get(who).unwrap().body.rising.is_some();
        for _ in 0..600 {
            run(&mut stage, 1.0 / 60.0);
            if rises(&stage) {
                break;
            }
        }
        assert!(rises(&stage), "{wait}");
        run(&mut stage, wait);
        strike(&mut stage, who, chest, Vec3::Z * -170.0);
        let mut highest = 0.0_f32;
        for _ in 0..60 {
            run(&mut stage, 1.0 / 60.0);
            let character = stage.characters.get(who).unwrap();
            let limbs = character.body.limbs.as_ref().unwrap();
            let hips = limbs.ragdoll.frame(0).unwrap().position.y;
            highest = highest.max(hips);
        }
        assert!(highest < 1.15, "{wait}: {highest} m up");
    }
}
