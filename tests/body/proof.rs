//! Ragdolls under stress: powered poses, rates and scales, hits, odd input.

use std::sync::Arc;

use galatea::asset::gltf;
use galatea::character::{Definition, HitReaction};
use galatea::physics::ragdoll::{
    BodyControl, BodyDefinition, BodyShape, JointDefinition, JointKind, Ragdoll, RagdollDefinition,
    RagdollSettings,
};
use galatea::physics::{Owner, PhysicsMaterial, PhysicsWorld, RigidFrame};
use galatea::stage::{Handle, Hit, Rng, Stage};
use glam::{Affine3A, Quat, Vec3};

use super::falls::{Fall, fall, stay_down};
use super::scenes::{at, galatea, run};

/// Length of a tick, seconds.
const TICK: f64 = 1.0 / 60.0;

/// The built-in character with a single clip, which is its idle.
fn with_clip(name: &str) -> Arc<Definition> {
    let home = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut model = gltf::load(&home.join("assets/mannequin.glb")).unwrap();
    model.clips.retain(|clip| clip.name == name);
    for clip in &mut model.clips {
        Arc::make_mut(clip).name = "idle".into();
    }
    Arc::new(Definition::new(Arc::new(model)))
}

/// At full strength the powered pose equals that of the clip.
#[test]
fn a_powered_body_follows_its_clip_to_two_degrees() {
    for clip in ["idle", "walk"] {
        let mut stage = Stage::default();
        let definition = with_clip(clip);
        let who = stage.add_character(definition.clone(), "x", None, at(0.0, 0.0, 0.0));
        // A walking character must move, so that its feet do not drag over the floor.
        let pace = definition.clips.ground_velocity(0).unwrap_or(Vec3::ZERO) * TICK as f32;
        let step = |stage: &mut Stage| {
            stage.characters.get_mut(who).unwrap().placement.position += pace;
            run(stage, TICK);
        };
        (0..12).for_each(|_| step(&mut stage));
        stage
            .characters
            .limbs(who)
            .unwrap()
            .set_all(BodyControl::Powered(1.0));
        (0..60).for_each(|_| step(&mut stage));
        let (mut worst, mut sum, mut n) = ((0.0, 0), 0.0, 0);
        for _ in 0..120 {
            step(&mut stage);
            let limbs = stage.characters.get(who).unwrap().body.limbs.as_ref();
            let ragdoll = &limbs.unwrap().ragdoll;
            for i in 0..ragdoll.len() {
                let (now, wanted) = (ragdoll.frame(i).unwrap(), ragdoll.target(i).unwrap());
                let off = now.rotation.angle_between(wanted.rotation).to_degrees();
                sum += off;
                n += 1;
                if off > worst.0 {
                    worst = (off, i);
                }
            }
        }
        let mean = sum / n as f32;
        println!("{clip} at {pace}: {mean} degrees on average, {worst:?} at worst");
        assert!(mean < 2.0, "{clip}: {mean} degrees off its clip");
    }
}

fn fallen(definition: &Arc<Definition>, hz: f64, scale: f32) -> Fall {
    let mut stage = Stage::new(1.0 / hz);
    let mut place = at(0.0, 0.0, 0.0);
    place.scale = scale;
    let who = stage.add_character(definition.clone(), "x", None, place);
    stay_down(&mut stage, who);
    run(&mut stage, 0.2);
    assert!(stage.bodies().fall(who));
    fall(&mut stage, who, 6.0 * f64::from(scale.max(1.0)).sqrt())
}

fn check(what: &str, fall: &Fall, scale: f32) {
    println!("{what}: {fall:?}");
    let median = fall.violation[0].to_degrees();
    assert!(median < 3.0, "{what}: {median} degrees beyond the limits");
    let gap = fall.gap[0] / scale;
    assert!(gap < 0.022, "{what}: links {gap} of its size apart");
    assert!(
        fall.growth < 0.003,
        "{what}: energy grew by {}",
        fall.growth
    );
    assert!(fall.lowest / scale > -0.05, "{what}: {} m", fall.lowest);
    let limit = 3.0 * f64::from(scale.max(1.0)).sqrt();
    let asleep = fall.asleep.unwrap_or(f64::MAX);
    assert!(asleep < limit, "{what}: asleep after {asleep}");
}

#[test]
fn falls_are_the_same_kind_of_thing_at_every_rate() {
    let definition = with_clip("idle");
    for hz in [30.0, 60.0, 120.0, 240.0] {
        check(&format!("{hz} Hz"), &fallen(&definition, hz, 1.0), 1.0);
    }
}

#[test]
fn the_small_and_the_large_fall_too() {
    let definition = with_clip("idle");
    for scale in [0.1, 0.3, 3.0, 10.0] {
        let found = fallen(&definition, 60.0, scale);
        check(&format!("scale {scale}"), &found, scale);
    }
}

/// A thousand hits of all strengths from all sides: nothing breaks, and everyone gets up.
#[test]
fn a_thousand_hits_break_nothing() {
    const WHO: usize = 10;
    let definition = with_clip("idle");
    let mut stage = Stage::default();
    let who: Vec<Handle> = (0..WHO)
        .map(|i| {
            let place = at((i % 5) as f32 * 3.0, 0.0, (i / 5) as f32 * 3.0);
            stage.add_character(definition.clone(), "x", None, place)
        })
        .collect();
    run(&mut stage, 0.1);
    let mut chance = Rng::new(7);
    let mut seen = [0; 5];
    let check = |stage: &Stage| {
        for &who in &who {
            let character = stage.characters.get(who).unwrap();
            assert!(character.placement.position.is_finite());
            assert!(
                character.placement.position.y > -0.3,
                "{}",
                character.placement.position
            );
            for bone in 0..character.posed.model_from_bone.len() {
                let place = character.posed.bone_position(bone as u16);
                // A hit pushes a hand into the ground for a moment; it does not stay there.
                assert!(place.is_finite() && place.y > -0.25, "{place}");
            }
        }
    };
    for i in 0..1000 {
        let unit = |chance: &mut Rng| chance.unit() as f32 * 2.0 - 1.0;
        let way = Vec3::new(unit(&mut chance), unit(&mut chance), unit(&mut chance));
        let strength = 200.0 * chance.unit().powi(3) as f32;
        let hit = Hit {
            bone: chance.below(definition.model.skeleton.len()) as u16,
            position: None,
            impulse: way.normalize_or(Vec3::X) * strength,
            damage: 0.0,
            other: None,
        };
        let whom = who[chance.below(WHO)];
        let reaction = stage.bodies().judge(whom, &hit);
        seen[HitReaction::ALL
            .iter()
            .position(|one| *one == reaction)
            .unwrap()] += 1;
        stage.bodies().hit(whom, &hit, reaction);
        run(&mut stage, TICK);
        if i % 5 == 0 {
            check(&stage);
        }
    }
    println!("reactions {seen:?}");
    assert!(seen[1..].iter().all(|n| *n > 20), "{seen:?}");
    run(&mut stage, 14.0);
    check(&stage);
    for &who in &who {
        let character = stage.characters.get(who).unwrap();
        let head = character
            .posed
            .bone_position(definition.bone("head").unwrap())
            .y;
        assert!(character.body.limbs.is_none() && character.body.rising.is_none());
        assert!(head > 1.3, "head at {head} m");
    }
}

/// Only the arm is limp.
#[test]
fn of_a_limp_arm_nothing_else_moves() {
    let definition = with_clip("walk");
    let mut stage = Stage::default();
    let [hangs, plain] =
        [0.0, 5.0].map(|x| stage.add_character(definition.clone(), "x", None, at(x, 0.0, 0.0)));
    run(&mut stage, 0.2);
    let arm = definition.bone("left_upper_arm").unwrap();
    let skeleton = definition.model.skeleton.clone();
    let limbs = stage.characters.limbs(hangs).unwrap();
    for body in limbs.bodies_under(&skeleton, &[arm]) {
        limbs.set(body, BodyControl::Limp);
    }
    let is_under = |bone: usize| {
        let above = |bone: &usize| skeleton.bones()[*bone].parent.map(usize::from);
        std::iter::successors(Some(bone), above).any(|bone| bone == usize::from(arm))
    };
    let mut moved = 0.0_f32;
    for _ in 0..120 {
        run(&mut stage, TICK);
        let [a, b] =
            [hangs, plain].map(|who| &stage.characters.get(who).unwrap().posed.model_from_bone);
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            let off = a.translation.distance(b.translation);
            if is_under(i) {
                moved = moved.max(off);
            } else {
                assert!(off < 1e-5, "bone {i} is {off} m off");
            }
        }
    }
    assert!(moved > 0.1, "the arm hangs: {moved}");
}

/// A chain of rods along X: the first is animated, each of the others has the given joint to the one before.
fn chain(kinds: &[JointKind]) -> Arc<RagdollDefinition> {
    let mut definition = RagdollDefinition::default();
    for i in 0..=kinds.len() {
        definition.bodies.push(BodyDefinition {
            bone: i as u16,
            bone_from_body: RigidFrame {
                position: Vec3::ZERO,
                rotation: Quat::from_rotation_arc(Vec3::Y, Vec3::X),
            },
            shape: BodyShape::Capsule {
                half_length: 0.1,
                radius: 0.04,
            },
            mass: 2.0,
            friction: 0.5,
        });
    }
    for (i, kind) in kinds.iter().enumerate() {
        // The X axis of the joint is along the rods, and across them for a hinge.
        let turn = match kind {
            JointKind::Hinge { .. } => Quat::from_rotation_arc(Vec3::X, Vec3::Z),
            _ => Quat::IDENTITY,
        };
        let own = Quat::from_rotation_arc(Vec3::Y, Vec3::X).conjugate();
        let link = |y: f32| RigidFrame {
            position: Vec3::Y * y,
            rotation: own * turn,
        };
        definition.joints.push(JointDefinition {
            parent: i as u16,
            child: i as u16 + 1,
            parent_from_joint: link(0.15),
            child_from_joint: link(-0.15),
            kind: *kind,
        });
        definition.ignored_pairs.push((i as u16, i as u16 + 1));
    }
    Arc::new(definition)
}

/// Simulates a chain whose first rod is shaken. Returns the limit excess of each joint, degrees.
fn shaken(definition: &Arc<RagdollDefinition>, seconds: f32) -> (Vec<Vec<f32>>, Ragdoll) {
    let mut world = PhysicsWorld::new();
    world.set_gravity(Vec3::NEG_Y * 9.81);
    let surface = PhysicsMaterial::new("stone", 0.7, 0.0);
    let mut ragdoll = Ragdoll::new(definition.clone(), RagdollSettings::default());
    let n = definition.bodies.len();
    (1..n).for_each(|i| ragdoll.set_control(i, BodyControl::Limp));
    let matrices: Vec<Affine3A> = (0..n)
        .map(|i| Affine3A::from_translation(Vec3::X * (0.3 * i as f32)))
        .collect();
    let mut beyond = vec![Vec::new(); definition.joints.len()];
    let dt = 1.0 / 60.0;
    for tick in 0..(seconds / dt) as usize {
        let t = tick as f32 * dt;
        let shake = Vec3::new(0.0, 2.0 + 0.15 * (t * 6.0).sin(), 0.1 * (t * 4.3).sin());
        ragdoll.aim(Affine3A::from_translation(shake), &matrices, 1.0);
        ragdoll.before_step(&mut world, Owner(1), &surface, dt);
        world.step(f64::from(dt), &mut Vec::new());
        ragdoll.after_step(&mut world);
        for (link, beyond) in definition.joints.iter().zip(&mut beyond) {
            let ends = [link.parent, link.child].map(|end| ragdoll.frame(usize::from(end)));
            if let [Some(a), Some(b)] = ends {
                assert!(a.is_finite() && b.is_finite());
                beyond.push(link.excess(a.rotation, b.rotation).to_degrees());
            }
        }
    }
    (beyond, ragdoll)
}

/// A hinge, a twist cone and a ball joint in one chain.
#[test]
fn a_hinge_a_cone_and_a_ball_hold_in_one_chain() {
    use std::f32::consts::PI;
    let kinds = [
        JointKind::Hinge { range: [-0.6, 0.6] },
        JointKind::TwistCone {
            swing: [0.5, 0.5],
            twist: [-0.3, 0.3],
        },
        JointKind::TwistCone {
            swing: [PI, PI],
            twist: [-PI, PI],
        },
    ];
    let definition = chain(&kinds);
    let (beyond, ragdoll) = shaken(&definition, 6.0);
    for (link, mut list) in beyond.into_iter().enumerate() {
        list.sort_by(f32::total_cmp);
        let [median, high] = [0.5, 0.95].map(|u| list[((list.len() - 1) as f32 * u) as usize]);
        println!("link {link}: {median} and {high} degrees beyond");
        assert!(median < 1.5, "link {link}: {median} degrees");
        assert!(high < 6.0, "link {link}: {high} degrees");
    }
    // The part below the ball joint hangs down.
    let last = ragdoll.frame(3).unwrap();
    let along = last.rotation * Vec3::Y;
    assert!(along.y < -0.5, "{along}");
    assert!(ragdoll.gap() < 0.01, "{}", ragdoll.gap());
}

/// Definitions that no model can have also work: the simulation continues, and all values stay finite.
#[test]
fn odd_definitions_run() {
    type Change = fn(&mut RagdollDefinition);
    let plain = [JointKind::Hinge { range: [-0.5, 0.5] }; 2];
    let with = |change: Change| {
        let mut definition = (*chain(&plain)).clone();
        change(&mut definition);
        Arc::new(definition)
    };
    let odd: [(&str, Change); 6] = [
        ("one body", |d| {
            d.bodies.truncate(1);
            d.joints.clear();
        }),
        ("no size", |d| {
            d.bodies[1].shape = BodyShape::Capsule {
                half_length: 0.0,
                radius: 0.0,
            };
        }),
        ("no mass", |d| d.bodies[2].mass = 0.0),
        ("reversed limits", |d| {
            d.joints[0].kind = JointKind::Hinge { range: [0.5, -0.5] };
            d.joints[1].kind = JointKind::TwistCone {
                swing: [0.3, 0.3],
                twist: [0.4, -0.4],
            };
        }),
        ("no range", |d| {
            d.joints[0].kind = JointKind::Hinge { range: [0.0, 0.0] }
        }),
        ("a link to a body that is not there", |d| {
            d.joints[1].child = 9
        }),
    ];
    for (what, change) in odd {
        let (_, ragdoll) = shaken(&with(change), 1.0);
        for i in 0..ragdoll.len() {
            if let Some(frame) = ragdoll.frame(i) {
                assert!(
                    frame.is_finite() && frame.position.length() < 20.0,
                    "{what}: {frame:?}"
                );
            }
        }
    }
}

/// Two ragdolls at the same position separate and rest.
#[test]
fn two_ragdolls_in_one_place_separate() {
    let definition = with_clip("idle");
    let mut stage = Stage::default();
    let who =
        [0.0, 0.05].map(|x| stage.add_character(definition.clone(), "x", None, at(x, 0.0, 0.0)));
    run(&mut stage, 0.2);
    who.iter()
        .for_each(|who| assert!(stage.bodies().fall(*who)));
    run(&mut stage, 3.0);
    for who in who {
        let limbs = stage.characters.get(who).unwrap().body.limbs.as_ref();
        if let Some(limbs) = limbs {
            let (middle, _) = limbs.ragdoll.centre_of_mass();
            assert!(
                middle.is_finite() && middle.y > 0.0 && middle.length() < 3.0,
                "{middle}"
            );
        }
    }
}

/// A lying character can be moved, and put back on its feet.
#[test]
fn a_lying_character_can_be_moved_and_stand_again() {
    let definition = galatea();
    let mut stage = Stage::default();
    let who = stage.add_character(definition, "x", None, at(0.0, 0.0, 0.0));
    run(&mut stage, 0.2);
    stage.bodies().fall(who);
    run(&mut stage, 1.0);
    let offset = Vec3::new(5.0, 1.0, 0.0);
    let character = stage.characters.get_mut(who).unwrap();
    let before = character
        .body
        .limbs
        .as_ref()
        .unwrap()
        .ragdoll
        .frame(0)
        .unwrap()
        .position;
    character.placement.position += offset;
    run(&mut stage, TICK);
    let limbs = stage
        .characters
        .get(who)
        .unwrap()
        .body
        .limbs
        .as_ref()
        .unwrap();
    let now = limbs.ragdoll.frame(0).unwrap().position;
    assert!(now.distance(before + offset) < 0.1, "{before} {now}");
    assert!(limbs.ragdoll.gap() < 0.03);
    stage.bodies().end_limbs(who);
    run(&mut stage, 1.0);
    let character = stage.characters.get(who).unwrap();
    let head = character
        .posed
        .bone_position(character.definition.bone("head").unwrap());
    assert!(
        character.body.limbs.is_none() && head.y - character.placement.position.y > 1.3,
        "{head}"
    );
}
