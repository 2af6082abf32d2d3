//! The examples in `scripts/examples` run and do what their first lines say.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use galatea::anim::{MarkerValue, Outcome};
use galatea::app::Session;
use galatea::asset::Project;
use galatea::machine::MachineState;
use galatea::stage::{InputEvent, UiContent};

use crate::sessions;
use galatea_character::Character;

pub fn open(example: &str) -> Session {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = home.join(format!("scripts/examples/{example}.lua"));
    let project = Project::open(&script).unwrap();
    sessions::open(project)
}

pub fn hero(session: &Session) -> &Character {
    session.stage.characters.iter().next().unwrap().1
}

fn state(session: &Session) -> &MachineState {
    &hero(session).playback.machine.as_ref().unwrap().1
}

/// Name of the current state of a layer.
fn at(session: &Session, layer: usize) -> String {
    let (machine, state) = hero(session).playback.machine.as_ref().unwrap();
    let current = state.current(layer).unwrap();
    machine.state_name(layer, current.state).to_owned()
}

/// Runs ticks for some seconds and calls `each` after every tick. Script errors fail the test.
pub fn run(session: &mut Session, seconds: f64, mut each: impl FnMut(&Session)) {
    for _ in 0..(seconds * 60.0).round() as usize {
        session.tick();
        let errors: Vec<&str> = session.diagnostics.errors().collect();
        assert!(errors.is_empty(), "{errors:?}");
        each(session);
    }
}

/// Position of a bone, model space, metres.
fn place(session: &Session, bone: &str) -> glam::Vec3 {
    let hero = hero(session);
    let bone = hero.definition.model.skeleton.find(bone).unwrap();
    hero.posed.model_from_bone[usize::from(bone)]
        .translation
        .into()
}

fn height(session: &Session, bone: &str) -> f32 {
    place(session, bone).y
}

#[test]
fn every_example_runs_without_a_fault() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/examples");
    let names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    assert!(names.len() >= 5);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run(&mut open(name), 15.0, |session| {
                        let all = session.stage.characters.iter();
                        let mut locals = all.flat_map(|(_, one)| &one.posed.pose.locals);
                        assert!(locals.all(|local| local.rotation.is_finite()), "{name}");
                    });
                }
            });
        }
    });
}

#[test]
fn faces_are_regenerated_by_space_and_by_hand() {
    let mut session = open("faces");
    let faces = |session: &Session| -> Vec<Vec<f32>> {
        let all = session.stage.characters.iter();
        all.map(|(_, one)| one.appearance.face_shapes.as_ref().unwrap().weights())
            .collect()
    };
    run(&mut session, 0.5, |_| {});
    let first = faces(&session);
    assert_eq!(first.len(), 5);
    session.input(&InputEvent::Down("space".into()));
    run(&mut session, 0.5, |_| {});
    let second = faces(&session);
    for (a, b) in first.iter().zip(&second) {
        assert!(a != b);
    }
    // The first shape of the middle character is set to its maximum, and nothing else changes.
    session.input(&InputEvent::Down("right".into()));
    run(&mut session, 2.5, |_| {});
    let third = faces(&session);
    let changed = |i: usize| {
        second[i]
            .iter()
            .zip(&third[i])
            .filter(|(a, b)| a != b)
            .count()
    };
    assert_eq!([0, 1, 2, 3, 4].map(changed), [0, 1, 0, 0, 0]);
    assert!(third[1].contains(&1.0));
}

#[test]
fn locomotion_reaches_the_requested_speed_with_alternating_steps() {
    let mut session = open("locomotion");
    for (_, hero) in session.stage.characters.iter_mut() {
        hero.playback.event_log.set_capacity(1000);
    }
    let mut planted: Option<(f32, f32)> = None;
    let mut worst = 0.0_f32;
    run(&mut session, 12.0, |session| {
        // A planted foot stays in place on the ground.
        let hero = hero(session);
        let foot = hero.definition.feet[0].unwrap();
        let place = hero.posed.bone_position(foot);
        let low = height(session, "left_toes") < 0.05 && height(session, "left_foot") < 0.085;
        planted = match (low, planted) {
            (true, Some((at, since))) => {
                worst = worst.max((place.z - at).abs());
                Some((at, since))
            }
            (true, None) => Some((place.z, 0.0)),
            (false, _) => None,
        };
    });
    let hero = hero(&session);
    let told = hero
        .playback
        .event_log
        .iter()
        .filter(|entry| entry.outcome == Outcome::Fired);
    let feet: Vec<&MarkerValue> = told
        .map(|entry| &hero.playback.markers[entry.clip as usize][entry.marker as usize].fields[0].1)
        .collect();
    assert!(feet.len() >= 12, "{} steps were reported", feet.len());
    assert!(
        feet.windows(2).all(|pair| pair[0] != pair[1]),
        "a foot twice running"
    );
    assert!(worst < 0.12, "a standing foot slid {worst} m");
}

#[test]
fn the_upper_body_waves_while_the_legs_walk_on() {
    let mut session = open("upper_body");
    let (mut highest, mut strides) = (0.0_f32, 0);
    let mut was_ahead = false;
    run(&mut session, 4.0, |session| {
        highest = highest.max(height(session, "right_hand"));
        let ahead = {
            let hero = hero(session);
            let [left, right] = hero.definition.feet.map(|foot| usize::from(foot.unwrap()));
            let z = |bone: usize| hero.posed.model_from_bone[bone].translation.z;
            z(left) > z(right)
        };
        strides += u32::from(ahead != was_ahead);
        was_ahead = ahead;
    });
    assert!(highest > 1.35, "the hand rose to {highest} m");
    assert!(strides >= 6, "{strides} strides");
}

#[test]
fn a_flinch_is_added_and_leaves_no_trace() {
    let mut session = open("recoil");
    run(&mut session, 0.9, |_| {});
    let before = place(&session, "head");
    let mut back = 0.0_f32;
    run(&mut session, 0.5, |session| {
        back = back.max(before.z - place(session, "head").z);
    });
    assert_eq!(at(&session, 0), "stand", "the body moves on");
    assert!(back > 0.02, "the head went back {back} m");
    run(&mut session, 0.6, |_| {});
    // Idle breathing sways by up to a centimetre.
    assert!(place(&session, "head").distance(before) < 0.015);
}

#[test]
fn harder_hits_have_stronger_reactions_until_she_falls_and_gets_up() {
    let mut session = open("blows");
    let (mut was_hit, mut lay, mut stood_again) = (0.0_f32, false, false);
    let tall = height(&session, "head");
    run(&mut session, 17.0, |session| {
        let lost = tall - height(session, "head");
        let is_down = {
            let limbs = hero(session).body.limbs.as_ref();
            limbs.is_some_and(|limbs| limbs.is_down())
        };
        if !is_down && !lay {
            was_hit = was_hit.max(lost);
        }
        lay |= is_down && lost > 1.0;
        stood_again |= lay && !is_down && lost < 0.06;
    });
    // Breathing lowers it by a centimetre.
    assert!(was_hit > 0.06, "bent by {was_hit} m");
    assert!(lay && stood_again, "fell {lay}, stands again {stood_again}");
}

#[test]
fn crouching_goes_down_stays_and_comes_up_before_standing() {
    let mut session = open("crouch");
    run(&mut session, 2.4, |_| {});
    let tall = height(&session, "head");
    let mut phases = Vec::new();
    run(&mut session, 4.0, |session| {
        let now = (at(session, 0), state(session).current(0).unwrap().item);
        if phases.last() != Some(&now) {
            phases.push(now);
        }
    });
    let phase = |name: &str, item| (name.to_owned(), item);
    let want = [
        phase("stand", 0),
        phase("crouch", 0),
        phase("crouch", 1),
        phase("crouch", 2),
        phase("stand", 0),
    ];
    assert_eq!(phases, want);
    assert!((height(&session, "head") - tall).abs() < 0.02);
    // The loop is far down in the crouch.
    let mut session = open("crouch");
    run(&mut session, 4.0, |_| {});
    assert!(tall - height(&session, "head") > 0.3);
}

#[test]
fn travelling_from_crouching_to_running_passes_through_standing_and_walking() {
    let mut session = open("travel");
    let mut states = Vec::new();
    run(&mut session, 16.0, |session| {
        let now = at(session, 0);
        if states.last() != Some(&now) {
            states.push(now);
        }
    });
    assert_eq!(
        states,
        ["crouch", "stand", "walk", "run", "walk", "stand", "crouch"]
    );
}

#[test]
fn she_walks_up_stops_waves_smiling_and_gives_her_smile_back() {
    let mut session = open("greet");
    let smile = |session: &Session| {
        let hero = hero(session);
        hero.posed.pose.morphs[hero.definition.morph_indices("smile")[0]]
    };
    let (mut told, mut walked, mut waved) = (Vec::new(), false, false);
    run(&mut session, 8.0, |session| {
        walked |= at(session, 0) == "walk";
        waved |= smile(session) > 0.7 && height(session, "right_hand") > 1.2;
        told.push((hero(session).placement.position.z, smile(session)));
    });
    assert!(walked && waved);
    // The act ends after about five seconds, and starts again.
    let back = told.windows(2).position(|pair| pair[1].0 < pair[0].0 - 1.0);
    let back = back.expect("she begins again");
    assert!((240..420).contains(&back), "{back}");
    assert_eq!((told[back - 2].1, told[back + 1].1), (0.8, 0.0));
}

#[test]
fn three_guards_share_a_machine_and_walk_each_their_own_post() {
    let mut session = open("guards");
    let mut ends = vec![[false; 2]; 3];
    let mut states = std::collections::BTreeSet::new();
    run(&mut session, 12.0, |session| {
        let mut walking = 0;
        for ((_, guard), ends) in session.stage.characters.iter().zip(&mut ends) {
            let (machine, state) = guard.playback.machine.as_ref().unwrap();
            let current = state.current(0).unwrap().state;
            walking = 2 * walking + u8::from(machine.state_name(0, current) == "walk");
            let at = guard.placement.position;
            assert!(at.z.abs() < 1.25 && at.x.abs() < 1.45, "{at}");
            ends[0] |= at.z < -1.15;
            ends[1] |= at.z > 1.15;
        }
        states.insert(walking);
    });
    assert_eq!(ends, [[true; 2]; 3]);
    assert!(states.len() > 2, "they do not march in step: {states:?}");
}

#[test]
fn she_walks_the_round_of_the_yard_and_pushes_the_light_crate_only() {
    let mut session = open("walker");
    let named = |session: &Session, name: &str, n: usize| {
        let all = session.stage.characters.iter().map(|(_, one)| one);
        let mut found = all.filter(|one| one.source.name().contains(name));
        found.nth(n).unwrap().placement.position
    };
    let her = |session: &Session| named(session, "galatea", 0);
    // Boxes in the order of the script: two blocks, the lift, the crate, the heavy one.
    let (crate_, heavy) = (named(&session, "box", 3), named(&session, "box", 4));
    let (mut top, mut lowest, mut airborne, mut low) = (0.0_f32, 0.0_f32, 0, 0);
    let mut before = her(&session);
    run(&mut session, 42.0, |session| {
        let at = her(session);
        assert!(
            at.distance(before) < 0.12,
            "she jumps from {before} to {at}"
        );
        before = at;
        (top, lowest) = (top.max(at.y), lowest.min(at.y));
        let all = session.stage.characters.iter().map(|(_, one)| one);
        for controller in all.filter_map(|one| one.body.controller.as_ref()) {
            airborne += u32::from(!controller.is_grounded());
            low += u32::from(controller.is_low());
        }
    });
    assert!((top - 2.4).abs() < 0.01, "she stood {top} m high");
    assert!(lowest > -0.03, "and {lowest} m low");
    assert!((40..140).contains(&airborne), "{airborne} ticks in the air");
    assert!(low > 100, "{low} ticks crouched");
    assert!(named(&session, "box", 3).distance(crate_) > 0.5);
    assert!(named(&session, "box", 4).distance(heavy) < 0.01);
}

#[test]
fn the_views_are_shown_one_after_another_and_weights_go_from_bone_to_bone() {
    let mut session = open("views");
    let (mut kinds, mut bones) = (Vec::new(), Vec::new());
    run(&mut session, 18.5, |session| {
        let view = session
            .stage
            .picture
            .view
            .as_ref()
            .expect("a view is shown");
        if kinds.last() != Some(&view.kind) {
            kinds.push(view.kind);
        }
        if let Some(bone) = &view.bone
            && bones.last() != Some(bone)
        {
            bones.push(bone.clone());
        }
    });
    let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
    let all = "skeleton weights wireframe normals uv overdraw bounds morphs depth skeleton";
    assert_eq!(names.join(" "), all);
    assert_eq!(bones.len(), 4, "{bones:?}");
}

/// World position of a bone of a character, by the name given in the script.
fn bone_of(session: &Session, name: &str, bone: &str) -> glam::Vec3 {
    let mut all = session.stage.characters.iter();
    let (_, found) = all.find(|(_, c)| c.shown_name() == name).unwrap();
    let bone = found.definition.model.skeleton.find(bone).unwrap();
    found.posed.bone_position(bone)
}

#[test]
fn the_cape_hangs_behind_her_goes_along_and_never_touches_the_floor() {
    let mut session = open("cape");
    let mut farthest = 0.0_f32;
    run(&mut session, 9.0, |session| {
        let chest = hero(session).posed.bone_position(
            hero(session)
                .definition
                .model
                .skeleton
                .find("chest")
                .unwrap(),
        );
        for bone in ["c0_r17", "c8_r17", "c16_r17"] {
            let hem = bone_of(session, "cape", bone);
            farthest = farthest.max(hem.distance(chest));
            assert!(hem.y > 0.0 && hem.distance(chest) < 1.6, "{hem}");
        }
        let back = bone_of(session, "cape", "c8_r6");
        assert!(back.z < chest.z - 0.05, "{back} {chest}");
    });
    assert!(farthest > 0.7);
}

#[test]
fn the_lantern_swings_on_its_rope_and_the_flags_hang_on_theirs() {
    let mut session = open("rope");
    let (mut low, mut high) = (f32::MAX, f32::MIN);
    run(&mut session, 4.0, |session| {
        let end = bone_of(session, "line", "end");
        (low, high) = (low.min(end.x), high.max(end.x));
        let flag = bone_of(session, "flag 3", "c0_r0");
        assert!(flag.distance(bone_of(session, "slack", "link_16")) < 1e-3);
    });
    assert!(high - low > 0.5, "{low} {high}");
}

#[test]
fn the_body_of_rubber_bounces_about_the_one_as_animated() {
    let mut session = open("jiggle");
    let mut widest = 0.0_f32;
    run(&mut session, 3.0, |session| {
        let heads: Vec<glam::Vec3> = session
            .stage
            .characters
            .iter()
            .map(|(_, c)| {
                c.posed
                    .bone_position(c.definition.model.skeleton.find("head").unwrap())
            })
            .collect();
        widest = widest.max((heads[1].y - heads[0].y).abs());
    });
    assert!(widest > 0.01 && widest < 0.06, "{widest}");
}

/// Without input, the yard plays by itself: an arrow sticks in a character and follows it, a crate knocks one over, another
/// falls down the stairs, boxes float, and the door and the lift move.
#[test]
fn the_playground_plays_by_itself() {
    let mut session = open("playground");
    let named = |session: &Session, name: &str| {
        let mut all = session.stage.characters.iter();
        let (handle, character) = all.find(|(_, c)| c.shown_name() == name).unwrap();
        (handle, character.placement.position)
    };
    let people = [1, 2, 3].map(|i| named(&session, &format!("person {i}")).0);
    let lift = named(&session, "lift").1;
    let (mut fell, mut highest) = ([false; 3], 0.0_f32);
    run(&mut session, 7.0, |session| {
        for (fell, who) in fell.iter_mut().zip(people) {
            let limbs = &session.stage.characters.get(who).unwrap().body.limbs;
            *fell |= limbs.as_ref().is_some_and(|limbs| limbs.is_down());
        }
        let ball = session
            .stage
            .characters
            .iter()
            .find(|(_, c)| c.shown_name() == "ball");
        highest = highest.max(ball.map_or(0.0, |(_, ball)| ball.placement.position.y));
    });
    assert!(fell[0] && fell[1], "{fell:?}");
    let mut held = session
        .stage
        .characters
        .iter()
        .filter_map(|(_, c)| c.attachment);
    assert!(
        held.any(|held| held.holder == people[2]),
        "an arrow sticks in the third"
    );
    let float = named(&session, "float 2").1;
    assert!(float.y > 0.3 && float.y < 0.6, "{float}");
    assert!(named(&session, "lift").1.distance(lift) > 0.1);
    assert!(
        highest > 1.7,
        "the pad throws the ball higher than it began: {highest}"
    );
}

#[test]
fn reach_brings_the_nearer_hand_to_the_ball_and_her_feet_stand_on_floor_and_block() {
    let mut session = open("reach");
    let (mut nearest, mut hands) = ([f32::MAX; 2], [false; 2]);
    run(&mut session, 12.0, |session| {
        let mut all = session.stage.characters.iter();
        let (_, hero) = all.next().unwrap();
        let bodies = all.map(|(_, other)| glam::Vec3::from(other.posed.world[0].translation));
        let ball = bodies.min_by(|a, b| b.y.total_cmp(&a.y)).unwrap();
        for (i, bone) in ["left_hand", "right_hand"].into_iter().enumerate() {
            let away = (place(session, bone) - ball).length();
            nearest[i] = nearest[i].min(away);
            let stack = hero.modifiers.modifier_stack.as_ref().unwrap();
            let shown = stack.modifiers.iter().find(|m| m.name == bone);
            hands[i] |= shown.is_some_and(|m| m.weight.effective_weight > 0.99);
        }
    });
    assert_eq!(hands, [true; 2]);
    assert!(nearest.iter().all(|away| *away < 0.02), "{nearest:?}");
    let feet = ["left_foot", "right_foot"].map(|foot| height(&session, foot));
    assert!((feet[0] - feet[1] - 0.14).abs() < 0.02, "{feet:?}");
}

#[test]
fn the_character_opens_a_door_by_its_knob_and_walks_through() {
    let mut session = open("door");
    let (mut held, mut through, mut back) = (f32::MAX, false, false);
    run(&mut session, 16.0, |session| {
        let hero = hero(session);
        let stack = hero.modifiers.modifier_stack.as_ref().unwrap();
        let reach = stack.modifiers.iter().find(|m| m.name == "right_hand");
        if let Some(modifier) = reach.filter(|m| m.weight.effective_weight > 0.999)
            && let galatea::character::ModifierKind::Reach(reaching) = &modifier.kind
        {
            held = held.min(reaching.target_error);
        }
        let z = hero.placement.position.z;
        through |= z > 2.0;
        back |= through && z < -2.0;
    });
    assert!(held < 0.001, "{held}");
    assert!(through && back);
}

#[test]
fn ladder_is_climbed_to_the_loft_and_down_again() {
    let mut session = open("ladder");
    let (mut up, mut down, mut hung) = (false, false, false);
    run(&mut session, 24.0, |session| {
        let hero = hero(session);
        let at = hero.placement.position;
        up |= (at - glam::Vec3::new(0.0, 2.52, 1.3)).length() < 0.05;
        down |= up && at.y < 0.001 && at.z < 0.0;
        let stack = hero.modifiers.modifier_stack.as_ref().unwrap();
        let held = |name: &str| {
            let limb = stack.modifiers.iter().find(|m| m.name == name);
            limb.is_some_and(|m| m.weight.effective_weight > 0.999)
        };
        hung |= (0.5..2.0).contains(&at.y) && held("left_hand") && held("right_foot");
    });
    assert!(up && down && hung, "{up} {down} {hung}");
}

/// Forward direction, in world space, of a bone whose axes are the model's at rest.
fn ahead(who: &Character, bone: &str) -> glam::Vec3 {
    let bone = who.definition.model.skeleton.find(bone).unwrap();
    let at = who.posed.world[0] * who.posed.model_from_bone[usize::from(bone)];
    at.transform_vector3(glam::Vec3::Z).normalize()
}

#[test]
fn the_rifle_aims_at_the_ball_and_stays_in_both_hands_while_she_runs() {
    let mut session = open("rifle");
    let (mut missed, mut aside, mut strides) = (0.0_f32, 0.0_f32, 0.0_f32);
    run(&mut session, 8.0, |session| {
        let hero = hero(session);
        let stack = hero.modifiers.modifier_stack.as_ref().unwrap();
        for hand in ["left_hand", "right_hand"] {
            let reach = stack.modifiers.iter().find(|m| m.name == hand).unwrap();
            if let galatea::character::ModifierKind::Reach(reaching) = &reach.kind {
                missed = missed.max(reaching.target_error);
            }
        }
        let all: Vec<&Character> = session.stage.characters.iter().map(|(_, c)| c).collect();
        let rifle = all
            .iter()
            .find(|c| c.source.to_string().starts_with("form:box"));
        let (rifle, ball) = (rifle.unwrap(), all[all.len() - 1]);
        let line = ahead(rifle, "box");
        // From the centre of the barrel, along which it aims.
        let muzzle = rifle.posed.world[0].transform_point3(glam::Vec3::new(0.0, 0.012, 0.5));
        let to = glam::Vec3::from(ball.posed.world[0].translation) - muzzle;
        aside = aside.max(line.angle_between(to).to_degrees());
        strides = strides.max(height(session, "left_foot"));
    });
    assert!(missed < 0.001, "hands {missed} m");
    assert!(aside < 1.0, "{aside} degrees off the ball");
    assert!(strides > 0.3, "she runs: {strides}");
}

#[test]
fn participants_take_turns_and_listeners_face_the_speaker() {
    let mut session = open("conversation");
    let (mut facing, mut n, mut turns) = (0, 0, Vec::new());
    run(&mut session, 40.0, |session| {
        let all: Vec<&Character> = session.stage.characters.iter().map(|(_, c)| c).collect();
        let talk = session.stage.conversations.running.first();
        let name = talk.and_then(|talk| Some(&*talk.plan.cast[talk.speaker()?].name));
        let is_it = |one: &&Character| Some(&*one.shown_name().to_lowercase()) == name;
        let speaker = all.iter().position(is_it);
        let Some(speaker) = speaker else {
            return;
        };
        if turns.last() != Some(&speaker) {
            turns.push(speaker);
        }
        let head = |who: &Character| {
            who.posed
                .bone_position(who.definition.model.skeleton.find("head").unwrap())
        };
        for (i, listener) in all.iter().enumerate().filter(|(i, _)| *i != speaker) {
            let way = head(all[speaker]) - head(listener);
            let third = head(all[3 - i - speaker]) - head(listener);
            let look = ahead(listener, "head");
            facing += usize::from(look.angle_between(way) < look.angle_between(third));
            n += 1;
        }
    });
    let share = facing as f32 / n as f32;
    assert!((0.6..0.97).contains(&share), "{share}");
    for who in 0..3 {
        assert!(turns.contains(&who), "{turns:?}");
    }
}

#[test]
fn hounds_find_bowls_and_come_home_in_numbers_that_grow() {
    let mut session = open("scent");
    let mut back = [0; 2];
    for count in &mut back {
        run(&mut session, 60.0, |_| {});
        let (_, board) = session.stage.ui.iter().next().unwrap();
        let UiContent::Text(board) = &board.item.content else {
            panic!("it is a text")
        };
        let told = board.text.split(' ').next().unwrap();
        *count = told.parse::<usize>().unwrap();
    }
    assert!(back[0] >= 5 && back[1] > 2 * back[0], "{back:?}");
}
