//! The rig of real characters (GALATEA_CORPUS): feet on flat ground, on a slope and on stairs, reaching hands, gaze in all
//! directions, and constraints of VRM files.

use std::fs;
use std::path::Path;

use galatea::anim::humanoid::{Role, Side};
use galatea::anim::local_to_model;
use galatea::app::Session;
use galatea::asset::Project;
use galatea::asset::gltf::load_slice;
use galatea::character::Definition;
use galatea::math::Trs;
use galatea::rig::Posed;
use galatea::rig::two_bone::{Limb, ReachGoal, reach};
use glam::{Affine3A, Vec3};
use serde_json::Value;

use crate::files::corpus;
use crate::sessions::{self, tick};
use galatea_character::Character;

/// A character of the corpus or of the repository.
struct Known {
    name: &'static str,
    /// File in the corpus; `None` for the repository's own character.
    file: Option<&'static str>,
    /// The bones have Mixamo names.
    renamed: bool,
    scale: f32,
    n_legs: usize,
    /// Number of arms by role; the forelegs of a fox count.
    n_arms: usize,
    /// A walk clip, and its speed in metres per second at the shown scale.
    walk: Option<(&'static str, f32)>,
}

const KNOWN: [Known; 9] = [
    Known {
        name: "mannequiny",
        file: Some("01_characters/godot-demo-projects/ragdoll_physics/characters/mannequiny.glb"),
        renamed: false,
        scale: 1.0,
        n_legs: 2,
        n_arms: 2,
        walk: None,
    },
    Known {
        name: "fox",
        file: Some("01_characters/khronos-samples-via-bevy/animated/Fox.glb"),
        renamed: false,
        scale: 0.01,
        n_legs: 4,
        n_arms: 2,
        walk: Some(("Walk", 0.943)),
    },
    Known {
        name: "knight",
        file: Some("01_characters/kaykit-adventurers/Characters/gltf/Knight.glb"),
        renamed: false,
        scale: 1.0,
        n_legs: 2,
        n_arms: 2,
        walk: Some(("Walking_A", 0.84)),
    },
    Known {
        name: "loose horse",
        file: Some("01_characters/quaternius-via-showcase/animals_pack/Horse.glb"),
        renamed: false,
        scale: 0.35,
        n_legs: 4,
        n_arms: 0,
        walk: Some(("AnimalArmature|Walk", 0.9)),
    },
    Known {
        name: "loose wolf",
        file: Some("01_characters/quaternius-via-showcase/animals_pack/Wolf.glb"),
        renamed: false,
        scale: 0.4,
        n_legs: 4,
        n_arms: 0,
        walk: Some(("AnimalArmature|Walk", 1.0)),
    },
    Known {
        name: "loose knight",
        file: Some("01_characters/quaternius-via-showcase/single_knight_pack/KnightCharacter.glb"),
        renamed: false,
        scale: 0.35,
        n_legs: 2,
        n_arms: 2,
        walk: None,
    },
    Known {
        name: "godette",
        file: Some("03_vrm/godot-vrm-godette/vrm_samples/Godette_vrm_v4.vrm"),
        renamed: false,
        scale: 1.0,
        n_legs: 2,
        n_arms: 2,
        walk: None,
    },
    Known {
        name: "galatea",
        file: None,
        renamed: false,
        scale: 1.0,
        n_legs: 2,
        n_arms: 2,
        walk: Some(("walk", 1.4)),
    },
    Known {
        name: "mixamo",
        file: None,
        renamed: true,
        scale: 1.0,
        n_legs: 2,
        n_arms: 2,
        walk: Some(("walk", 1.4)),
    },
];

/// Mixamo name of a bone of the repository's character.
fn mixamo(name: &str) -> Option<String> {
    let (side, part) = match name.split_once('_') {
        Some(("left", part)) => ("Left", part),
        Some(("right", part)) => ("Right", part),
        _ => ("", name),
    };
    let part = match part {
        "hips" => "Hips",
        "spine" => "Spine",
        "chest" => "Spine1",
        "neck" => "Neck",
        "head" => "Head",
        "eye" => "Eye",
        "shoulder" => "Shoulder",
        "upper_arm" => "Arm",
        "lower_arm" => "ForeArm",
        "hand" => "Hand",
        "fingers" => "HandMiddle1",
        "upper_leg" => "UpLeg",
        "lower_leg" => "Leg",
        "foot" => "Foot",
        "toes" => "ToeBase",
        _ => return None,
    };
    Some(format!("mixamorig:{side}{part}"))
}

/// The same binary glTF with Mixamo bone names.
fn with_mixamo_names(bytes: &[u8]) -> Vec<u8> {
    let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let end = 20 + length(12);
    let mut json: Value = serde_json::from_slice(&bytes[20..end]).unwrap();
    for node in json["nodes"].as_array_mut().unwrap() {
        if let Some(name) = node["name"].as_str().and_then(mixamo) {
            node["name"] = name.into();
        }
    }
    let mut text = serde_json::to_vec(&json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = bytes[..12].to_vec();
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(&bytes[16..20]);
    out.extend(text);
    out.extend(&bytes[end..]);
    let total = out.len() as u32;
    out[8..12].copy_from_slice(&total.to_le_bytes());
    out
}

impl Known {
    fn bytes(&self, corpus: &Path) -> Vec<u8> {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
        let bytes = fs::read(self.file.map_or(own, |file| corpus.join(file))).unwrap();
        if self.renamed {
            with_mixamo_names(&bytes)
        } else {
            bytes
        }
    }

    fn definition(&self, corpus: &Path) -> Definition {
        let mut none = |name: &str| Err(format!("no {name}"));
        let model = load_slice(self.name, &self.bytes(corpus), &mut none);
        Definition::new(model.unwrap().into())
    }

    /// A stage with it as `hero`, rotated and scaled, and a script.
    fn play(&self, corpus: &Path, test: &str, script: &str) -> Session {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}_{}", self.name));
        for folder in ["scripts", "assets"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        let end = self
            .file
            .map_or("glb", |file| file.rsplit('.').next().unwrap());
        let file = format!("assets/body.{end}");
        fs::write(home.join(&file), self.bytes(corpus)).unwrap();
        let head = format!(
            "local hero = character '{file}' {{ scale = {} }}\n",
            self.scale
        );
        fs::write(home.join("scripts/main.lua"), format!("{head}{script}")).unwrap();
        sessions::open(Project::open(&home).unwrap())
    }
}

fn hero(session: &Session) -> &Character {
    session.stage.characters.iter().next().unwrap().1
}

/// A terrain: name, script, and height at a z.
type Land = (&'static str, String, fn(f32) -> f32);

/// Height and depth of stairs, metres.
const STEP: [f32; 2] = [0.15, 0.3];

fn lands() -> [Land; 3] {
    let (sin, cos) = 15_f32.to_radians().sin_cos();
    let slope = format!(
        "physics.box {{ position = vector.create(0, {}, {}), size = vector.create(8, 1, 40), pitch = -15 }}\n",
        -0.5 * cos,
        0.5 * sin
    );
    let stairs = format!(
        "for i = 1, 20 do
            local high = {} * i
            physics.box {{ position = vector.create(0, 0.5 * high, {} * (i + 0.5)), size = vector.create(4, high, {}) }}
        end\n",
        STEP[0], STEP[1], STEP[1]
    );
    [
        ("flat", String::new(), |_| 0.0),
        ("slope", slope, |z| z.max(0.0) * 15_f32.to_radians().tan()),
        ("stairs", stairs, |z| {
            STEP[0] * (z / STEP[1]).floor().clamp(0.0, 20.0)
        }),
    ]
}

/// Largest errors of the feet, metres.
#[derive(Debug, Default)]
struct Worst {
    /// A planted end moved relative to the ground.
    slid: f32,
    /// A planted end was above or below the ground.
    off: f32,
    holds: u32,
}

/// Ticks after which a planted foot is at rest.
const AT_REST: u32 = 8;

/// Watches the feet for some ticks.
fn watch(session: &mut Session, ticks: usize, height: fn(f32) -> f32) -> Worst {
    let mut worst = Worst::default();
    let mut held: Vec<(u32, Vec3)> = Vec::new();
    for _ in 0..ticks {
        tick(session);
        let hero = hero(session);
        assert!(hero.posed.model_from_bone.iter().all(|m| m.is_finite()));
        let stack = hero.modifiers.modifier_stack.as_ref().unwrap();
        let legs = &stack.standing().unwrap().rig.as_ref().unwrap().legs;
        held.resize(legs.len(), (0, Vec3::ZERO));
        for (leg, (n, at)) in legs.iter().zip(&mut held) {
            let Some(Some((place, _))) = stack.locked_foot(leg.limb.end) else {
                *n = 0;
                continue;
            };
            let foot = hero.posed.world[0] * hero.posed.model_from_bone[usize::from(leg.limb.end)];
            let now = foot.transform_point3(place);
            *n += 1;
            worst.holds += u32::from(*n == 1);
            if *n == AT_REST {
                *at = now;
            }
            // At an edge it may be on either side.
            let off = [-0.01, 0.0, 0.01].map(|z| (now.y - height(now.z + z)).abs());
            if *n >= AT_REST {
                // The other end of the foot may be planted now; its position is not comparable.
                if now.distance(*at) > 0.04 {
                    (*n, *at) = (0, now);
                    continue;
                }
                worst.slid = worst.slid.max(now.distance(*at));
                worst.off = worst.off.max(off.into_iter().fold(f32::MAX, f32::min));
            }
        }
    }
    worst
}

#[test]
fn legs_are_found_and_feet_stand_on_flat_ground_slopes_and_stairs() {
    let Some(corpus) = corpus() else { return };
    for known in &KNOWN {
        let legs = known.definition(&corpus).legs().unwrap();
        assert_eq!(legs.legs.len(), known.n_legs, "{}", known.name);
        for (land, made, height) in lands() {
            let mut slid = Worst::default();
            for z in [2.0, 2.1, 2.2_f32] {
                let at = height(z);
                let script = format!(
                    "{made}hero.position = vector.create(0, {at}, {z})\nhero:foot_ik {{ fade = 0 }}"
                );
                let mut session = known.play(&corpus, "stand", &script);
                let worst = watch(&mut session, 90, height);
                assert!(worst.holds >= known.n_legs as u32, "{} {land}", known.name);
                slid.slid = slid.slid.max(worst.slid);
                slid.off = slid.off.max(worst.off);
            }
            eprintln!("{} stands, {land}: {slid:?}", known.name);
            assert!(
                slid.slid < 0.01 && slid.off < 0.01,
                "{} {land}: {slid:?}",
                known.name
            );
        }
    }
}

#[test]
fn feet_that_carry_do_not_slide_while_it_walks_over_slopes_and_stairs() {
    let Some(corpus) = corpus() else { return };
    for known in &KNOWN {
        let Some((clip, speed)) = known.walk else {
            continue;
        };
        for (land, made, height) in lands() {
            let script = format!(
                "{made}hero.position = vector.create(0, 0, -0.8)
                hero:controller {{ max_step_height = 0.18 / {} }}
                hero.machine = machine {{ state 'walk' {{ '{clip}' }} }}
                hero:foot_ik {{ fade = 0 }}
                hero:reset_metrics()
                function update() hero:move(vector.create(0, 0, {speed})) end",
                known.scale
            );
            let mut session = known.play(&corpus, "walk", &script);
            let worst = watch(&mut session, 300, height);
            let meters = hero(&session).metrics.as_ref().unwrap();
            let meter = meters.reading("foot_slide").unwrap().peak;
            let place = hero(&session).placement.position;
            assert!(
                meter < 0.01 && worst.slid < 0.01 && worst.off < 0.01 && worst.holds >= 4,
                "{} {land}: {worst:?} {meter}",
                known.name
            );
            assert!(place.z > 1.5, "{} {land}: {place}", known.name);
            eprintln!(
                "{} walks, {land}: {worst:?}, meter {meter}, ends at {place}",
                known.name
            );
        }
    }
}

/// Numbers from 0 to 1 that repeat on every run.
struct RandomSource(u32);

impl RandomSource {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }

    fn direction(&mut self) -> Vec3 {
        loop {
            let place = Vec3::new(self.next(), self.next(), self.next()) * 2.0 - 1.0;
            if (0.01..1.0).contains(&place.length_squared()) {
                return place.normalize();
            }
        }
    }
}

#[test]
fn hands_and_feet_are_where_they_reach_and_elbows_and_knees_within_their_limits() {
    let Some(corpus) = corpus() else { return };
    for known in &KNOWN {
        let definition = known.definition(&corpus);
        let humanoid = definition.clips.humanoid();
        let arms = [
            [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand],
            [Role::RightUpperArm, Role::RightLowerArm, Role::RightHand],
        ];
        let arm = |roles: [Role; 3]| {
            let [Some(a), Some(b), Some(c)] = roles.map(|role| humanoid.bone(role)) else {
                return None;
            };
            definition.limb([a, b, c])
        };
        let mut limbs: Vec<Limb> = arms.into_iter().filter_map(arm).collect();
        assert_eq!(limbs.len(), known.n_arms, "{}", known.name);
        limbs.extend(definition.legs().unwrap().legs.iter().map(|leg| leg.limb));
        let skeleton = &definition.model.skeleton;
        let rest: Vec<Trs> = skeleton.rest().collect();
        let mut model = Vec::new();
        local_to_model(skeleton, &rest, &mut model);
        let (mut chance, mut worst) = (RandomSource(7), 0.0_f32);
        for limb in &limbs {
            let [least, most] = definition.limb_reach(limb);
            let root = Vec3::from(model[usize::from(limb.upper)].translation);
            for _ in 0..200 {
                let far = least * 1.01 + (most * 0.99 - least * 1.01) * chance.next();
                let target = root + chance.direction() * far;
                let mut locals = rest.clone();
                let mut posed = Posed::new(skeleton, &mut locals, &model);
                let goal = ReachGoal {
                    target,
                    ..ReachGoal::default()
                };
                reach(&mut posed, limb, &goal);
                let [a, b, c] = [limb.upper, limb.lower, limb.end].map(|bone| posed.position(bone));
                let inner = (a - b).angle_between(c - b);
                assert!(
                    inner > limb.min_angle - 1e-3 && inner < limb.max_angle + 1e-3,
                    "{}: {inner}",
                    known.name
                );
                worst = worst.max(c.distance(target) * known.scale);
                // The leg keeps its length.
                let mut now = Vec::new();
                local_to_model(skeleton, &locals, &mut now);
                let place = |model: &[Affine3A], bone: u16| {
                    Vec3::from(model[usize::from(bone)].translation)
                };
                let shin = [&model, &now]
                    .map(|model| place(model, limb.lower).distance(place(model, limb.end)));
                assert!(
                    place(&now, limb.end).distance(c) < 1e-4 * shin[0].max(1.0)
                        && (shin[0] - shin[1]).abs() < 1e-4 * shin[0].max(1.0),
                    "{}: {shin:?}",
                    known.name
                );
            }
        }
        eprintln!(
            "{} reaches with {} limbs within {worst} m",
            known.name,
            limbs.len()
        );
        assert!(worst < 1e-3, "{}: {worst}", known.name);
    }
}

#[test]
fn looks_all_around_stay_within_the_ranges_of_head_and_eyes() {
    let Some(corpus) = corpus() else { return };
    for known in &KNOWN {
        let script = "local places = {}
            for yaw = -170, 170, 34 do for pitch = -60, 60, 40 do
                local y, p = math.rad(yaw), math.rad(pitch)
                table.insert(places, vector.create(math.sin(y) * math.cos(p), math.sin(p), math.cos(y) * math.cos(p)))
            end end
            local n = 0
            function update()
                local place = places[(n // 30) % #places + 1]
                n += 1
                hero:look_at(hero.position + vector.create(0, 1, 0) + place * 5, { eye_activity = 0, out_of_range = 'clamp' })
            end";
        let mut session = known.play(&corpus, "look", script);
        let rig = hero(&session).definition.gaze_rig().unwrap();
        let (mut most, mut weights) = (Vec3::ZERO, 0.0_f32);
        for _ in 0..44 * 30 {
            tick(&mut session);
            let hero = hero(&session);
            assert!(hero.posed.model_from_bone.iter().all(|m| m.is_finite()));
            let mut locals = hero.posed.pose.locals.clone();
            let skeleton = &hero.definition.model.skeleton;
            let posed = Posed::new(skeleton, &mut locals, &hero.posed.model_from_bone);
            let base = rig.base_frame(&posed);
            let ahead = base.conjugate() * rig.head.frame(&posed) * Vec3::Z;
            let yaw = ahead.x.atan2(ahead.z).to_degrees();
            let pitch = ahead.y.asin().to_degrees();
            most = most.max(Vec3::new(yaw.abs(), pitch, -pitch));
            let looks = hero.definition.look_morphs();
            for (i, _) in looks.looks.iter().flatten() {
                weights = weights.max(hero.posed.pose.morphs[*i]);
            }
        }
        eprintln!(
            "{} looks: {most} degrees of the head, weights to {weights}",
            known.name
        );
        // Head and chest together, and the motion of the clip.
        let ends = [
            rig.head_range.yaw + rig.chest_range.yaw,
            rig.head_range.up + rig.chest_range.up,
            rig.head_range.down + rig.chest_range.down,
        ];
        for (most, end) in most.to_array().into_iter().zip(ends) {
            let end = end.to_degrees();
            assert!(
                most < end + 4.0 && most > 0.4 * end,
                "{}: {most}, {end}",
                known.name
            );
        }
        assert!((0.0..=1.0).contains(&weights), "{}: {weights}", known.name);
    }
}

/// More bodies with fingers: files of the corpus, and number of finger joints per hand.
const HANDS: [(&str, &str, usize); 5] = [
    (
        "mannequiny",
        "01_characters/godot-demo-projects/ragdoll_physics/characters/mannequiny.glb",
        12,
    ),
    (
        "man",
        "01_characters/quaternius-via-showcase/modular_men/Casual.glb",
        14,
    ),
    (
        "mpfb",
        "02_faces_lipsync/mpfb-cc0-human-DERIVED/mpfb_cc0_human.glb",
        15,
    ),
    (
        "godette",
        "03_vrm/godot-vrm-godette/vrm_samples/Godette_vrm_v4.vrm",
        12,
    ),
    ("galatea", "", 1),
];

#[test]
fn closed_hands_have_their_tips_before_the_palm_and_joints_within_their_ranges() {
    let Some(corpus) = corpus() else { return };
    for (name, file, n_joints) in HANDS {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
        let path = if file.is_empty() {
            own
        } else {
            corpus.join(file)
        };
        let mut none = |name: &str| Err(format!("no {name}"));
        let model = load_slice(name, &fs::read(path).unwrap(), &mut none).unwrap();
        let definition = Definition::new(model.into());
        let skeleton = &definition.model.skeleton;
        for side in [Side::Left, Side::Right] {
            let rig = definition.hand_rig(side).unwrap();
            assert_eq!(rig.joints.len(), n_joints, "{name} {side:?}");
            let mut locals: Vec<Trs> = skeleton.rest().collect();
            let mut matrices = Vec::new();
            local_to_model(skeleton, &locals, &mut matrices);
            let open = matrices.clone();
            let mut posed = Posed::new(skeleton, &mut locals, &matrices);
            rig.close(&mut posed, 1.0, 1.0);
            for joint in &rig.joints {
                let angle = joint.angle(posed.local(joint.bone).rotation);
                assert!((angle - joint.closes).abs() < 1e-3, "{name}: {joint:?}");
                let end = (joint.bent + angle).to_degrees();
                let most = match (joint.is_thumb, joint.index) {
                    (true, place) => [25.0, 45.0, 60.0][place],
                    (false, _) if n_joints == 1 => 100.0,
                    (false, place) => [80.0, 100.0, 70.0][place],
                };
                assert!((end - most).abs() < 0.1, "{name}: {joint:?} {end}");
            }
            local_to_model(skeleton, &locals, &mut matrices);
            let hand = matrices[usize::from(rig.hand)];
            let wrist = Vec3::from(hand.translation);
            let out = hand.transform_vector3(rig.out).normalize();
            let palm = hand.transform_point3(rig.palm);
            let place = |bone: u16| Vec3::from(matrices[usize::from(bone)].translation);
            let knuckles = wrist.distance(palm) / 0.96;
            for joint in rig.joints.iter().filter(|joint| joint.index == 2) {
                // The last joint closes from the open hand to the palm, and stays on its side.
                let was = Vec3::from(open[usize::from(joint.bone)].translation);
                let now = place(joint.bone);
                let off = (now - wrist).dot(out) / knuckles;
                assert!((0.05..0.8).contains(&off), "{name} {joint:?}: {off}");
                let near = now.distance(palm) / knuckles;
                assert!(near < 0.85, "{name} {joint:?}: {near}");
                if !joint.is_thumb {
                    assert!(now.distance(wrist) < was.distance(wrist) * 0.85, "{name}");
                }
            }
        }
    }
}
