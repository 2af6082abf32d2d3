//! The rig on whole stages: several modifiers together.

use std::fs;
use std::path::Path;

use galatea::app::Session;
use galatea::asset::Project;
use glam::Vec3;

use crate::sessions::{self, tick};
use galatea_character::Character;

/// A project of one script, with the character of the repository.
fn play(name: &str, script: &str) -> Session {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for folder in ["scripts", "assets"] {
        fs::create_dir_all(home.join(folder)).unwrap();
    }
    let asset = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
    fs::copy(asset, home.join("assets/mannequin.glb")).unwrap();
    let head = "local hero = character 'assets/mannequin.glb'\n";
    fs::write(home.join("scripts/main.lua"), format!("{head}{script}")).unwrap();
    open(&home)
}

fn open(home: &Path) -> Session {
    sessions::open(Project::open(home).unwrap())
}

fn nth(session: &Session, n: usize) -> &Character {
    session.stage.characters.iter().nth(n).unwrap().1
}

/// Largest weight of the modifiers.
fn shown(session: &Session) -> f32 {
    let stack = nth(session, 0).modifiers.modifier_stack.as_ref().unwrap();
    let weights = stack.modifiers.iter().map(|m| m.weight.effective_weight);
    weights.fold(0.0, f32::max)
}

#[test]
fn a_second_hand_stays_on_the_held_object_while_running() {
    let mut session = play(
        "second_hand",
        "local staff = physics.cylinder { position = vector.create(0, 4, 0), radius = 0.02, height = 1, mass = 1 }
        hero:attach(staff, 'right_hand', { offset = vector.create(0, 0.05, 0.1), yaw = 0, pitch = 90, roll = 0 })
        hero:play('run', { mode = 'loop', fade = 0 })
        hero:reach('left_hand', staff, { target_offset = vector.create(0, 0.22, 0), fade = 0 })",
    );
    let (mut worst, mut way) = (0.0_f32, 0.0_f32);
    let mut before: Option<Vec3> = None;
    for _ in 0..120 {
        tick(&mut session);
        let (hero, staff) = (nth(&session, 0), nth(&session, 1));
        let place = staff.posed.world[0].transform_point3(Vec3::new(0.0, 0.22, 0.0));
        let hand = hero
            .posed
            .bone_position(hero.definition.bone("left_hand").unwrap());
        worst = worst.max(hand.distance(place));
        way = way.max(before.map_or(0.0, |before| before.distance(place)));
        before = Some(place);
    }
    assert!(worst < 1e-3, "{worst}");
    assert!(way > 0.01, "the staff moves: {way}");
}

#[test]
fn modifiers_without_required_bones_are_off_and_report_them() {
    let session = play(
        "no_bones",
        "local box = physics.box { position = vector.create(0, 2, 0) }
        box:foot_ik() box:foot_ik() box:look_at(vector.create(0, 0, 1)) box:idle_motion() box:lean()
        box:grip('left_hand', 1) box:aim_at(vector.create(0, 1, 3))",
    );
    let stack = nth(&session, 1).modifiers.modifier_stack.as_ref().unwrap();
    let missing: Vec<&str> = stack
        .modifiers
        .iter()
        .filter_map(|m| m.inactive_reason.as_deref())
        .collect();
    assert_eq!(missing.len(), 6, "{missing:?}");
    assert!(
        missing.iter().any(|why| why.contains("head")),
        "{missing:?}"
    );
    assert!(
        missing.iter().any(|why| why.contains("legs")),
        "{missing:?}"
    );
}

#[test]
fn a_reach_skips_parts_without_bones_and_reports_them() {
    let mut session = play(
        "does_without",
        "local kick
        function update()
            kick = hero:reach('right_foot', vector.create(-0.1, 0.4, 0.3), { full_body = true, grip = 1, fade = 0 })
            assert(string.find(tostring(kick), 'body is disabled') and string.find(kick.inactive_reason, 'grip is disabled'), kick.inactive_reason)
        end",
    );
    for _ in 0..5 {
        tick(&mut session);
    }
    let hero = nth(&session, 0);
    let [modifier] = &hero.modifiers.modifier_stack.as_ref().unwrap().modifiers[..] else {
        panic!("one modifier");
    };
    assert_eq!(modifier.inactive_reason, None);
    let lacks = modifier.kind.missing_features().unwrap();
    assert!(
        lacks.contains("body is disabled: full_body works only for hands"),
        "{lacks}"
    );
    assert!(
        lacks.contains("grip is disabled: grip works only for hands"),
        "{lacks}"
    );
    let foot = hero
        .posed
        .bone_position(hero.definition.bone("right_foot").unwrap());
    assert!(foot.distance(Vec3::new(-0.1, 0.4, 0.3)) < 1e-3, "{foot}");
}

#[test]
fn modifiers_pause_during_a_fall_and_return_afterwards() {
    let mut session = play(
        "falls",
        "hero:foot_ik() hero:reach('left_hand', vector.create(0.3, 1.3, 0.3), { fade = 0 })
        hero:task(function(a) a:wait(0.5) hero:knock_down() end)",
    );
    for _ in 0..25 {
        tick(&mut session);
    }
    assert!(shown(&session) > 0.9);
    for _ in 0..15 {
        tick(&mut session);
    }
    assert_eq!(shown(&session), 0.0);
    let stands = (0..900).any(|_| {
        tick(&mut session);
        shown(&session) > 0.9
    });
    assert!(stands);
}

/// A body without a clip hangs its arms, breathes and is never quite still; a script can turn this off.
#[test]
fn a_body_without_clips_has_idle_motion_by_itself() {
    drop(play("bare", ""));
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bare");
    let mut bytes = fs::read(home.join("assets/mannequin.glb")).unwrap();
    let key = b"\"animations\"";
    let at = bytes.windows(key.len()).position(|w| w == key).unwrap();
    bytes[at + 1..at + 11].copy_from_slice(b"unknown_xx");
    fs::write(home.join("assets/bare.glb"), bytes).unwrap();
    let script = |more: &str| {
        let all = format!("local hero = character 'assets/bare.glb'\n{more}");
        fs::write(home.join("scripts/main.lua"), all).unwrap();
    };
    let travel = |session: &mut Session, bone: &str| {
        let place = |session: &Session| {
            let hero = nth(session, 0);
            hero.posed
                .bone_position(hero.definition.bone(bone).unwrap())
        };
        let (mut low, mut high) = (Vec3::MAX, Vec3::MIN);
        for _ in 0..360 {
            tick(session);
            low = low.min(place(session));
            high = high.max(place(session));
        }
        (high - low).length()
    };
    script("");
    let mut session = open(&home);
    tick(&mut session);
    let hero = nth(&session, 0);
    assert_eq!(hero.definition.clips.len(), 0);
    let place = |name: &str| {
        hero.posed
            .bone_position(hero.definition.bone(name).unwrap())
    };
    let arm = place("left_hand") - place("left_upper_arm");
    let down = arm.angle_between(Vec3::NEG_Y).to_degrees();
    assert!(down < 20.0, "{down} degrees from hanging");
    let head = travel(&mut session, "head");
    assert!(
        (0.002..0.06).contains(&head),
        "the head goes {head} m about"
    );
    script("hero:idle_motion(false)");
    let mut session = open(&home);
    (0..120).for_each(|_| tick(&mut session));
    assert!(travel(&mut session, "head") < 1e-6);
}

/// Limbs start to fall with their current velocity, even if a modifier holds them far from the clips.
#[test]
fn a_fall_starts_from_the_modified_pose() {
    let mut session = play(
        "bent",
        "physics.box { position = vector.create(0.12, 0.1, 0), size = vector.create(0.2, 0.2, 0.4) }
        hero:foot_ik { fade = 0 }
        hero:reach('left_hand', vector.create(0.3, 1.6, 0.4), { fade = 0 })
        hero:look_at(vector.create(3, 3, 1), { out_of_range = 'clamp', fade = 0 })
        local n = 0
        function update() n += 1 if n == 91 then hero:ragdoll() end end",
    );
    (0..90).for_each(|_| tick(&mut session));
    let hand = |session: &Session| {
        let hero = nth(session, 0);
        hero.posed
            .bone_position(hero.definition.bone("left_hand").unwrap())
    };
    let before = hand(&session);
    assert!(before.y > 1.4, "the hand is up: {before}");
    tick(&mut session);
    let hero = nth(&session, 0);
    let ragdoll = &hero.body.limbs.as_ref().unwrap().ragdoll;
    for i in 0..ragdoll.len() {
        let speed = ragdoll.velocity(i).linear.length();
        assert!(speed < 0.8, "body {i} begins at {speed} m/s");
    }
    assert!(hand(&session).distance(before) < 0.01);
}
