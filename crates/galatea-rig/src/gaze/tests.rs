//! Tests of the complete gaze.

use glam::{Affine3A, EulerRot, Quat, Vec2, Vec3};

use super::rig::angles_of;
use super::*;
use galatea_anim::humanoid::{Humanoid, Role};
use galatea_anim::{Bone, Skeleton, local_to_model};
use galatea_math::Trs;

const NAMES: [&str; 7] = ["hips", "spine", "chest", "neck", "head", "eye.L", "eye.R"];

/// Hips, spine, chest, neck, head and eyes, each with its own rest rotation; the first `n` of them.
fn body(n: usize) -> Skeleton {
    let positions = [
        (None, Vec3::new(0.0, 1.0, 0.0)),
        (Some(0), Vec3::new(0.0, 1.1, 0.0)),
        (Some(1), Vec3::new(0.0, 1.3, 0.0)),
        (Some(2), Vec3::new(0.0, 1.5, 0.0)),
        (Some(3), Vec3::new(0.0, 1.6, 0.02)),
        (Some(4), Vec3::new(0.032, 1.66, 0.1)),
        (Some(4), Vec3::new(-0.032, 1.66, 0.1)),
    ];
    let model = |i: usize| {
        let rotation = Quat::from_euler(
            EulerRot::XYZ,
            i as f32 * 0.7,
            1.9 * i as f32,
            -0.4 * i as f32,
        );
        Affine3A::from_rotation_translation(rotation, positions[i].1)
    };
    let bones = (0..n).map(|i| {
        let (parent, _) = positions[i];
        let above = parent.map_or(Affine3A::IDENTITY, |p| model(usize::from(p)));
        Bone {
            name: NAMES[i].into(),
            parent,
            rest: Trs::nearest(above.inverse() * model(i)),
            skinned: true,
        }
    });
    Skeleton::new(bones.collect()).unwrap()
}

fn roles(n: usize) -> Humanoid {
    let mut humanoid = Humanoid::default();
    let all = [
        Role::Hips,
        Role::Spine,
        Role::Chest,
        Role::Neck,
        Role::Head,
        Role::LeftEye,
        Role::RightEye,
    ];
    for (i, role) in all.into_iter().take(n).enumerate() {
        humanoid.bones[role.index()] = Some(i as u16);
    }
    humanoid
}

/// A character with a gaze.
struct Looker {
    skeleton: Skeleton,
    rig: GazeRig,
    gaze: Gaze,
    rest: Vec<Trs>,
    dt: f32,
    held: bool,
}

/// Pose of the character after a tick.
struct GazeResult {
    model: Vec<Affine3A>,
    locals: Vec<Trs>,
}

impl Looker {
    fn new(options: GazeOptions, hz: f32) -> Self {
        Self::of(7, options, hz)
    }

    fn of(n: usize, options: GazeOptions, hz: f32) -> Self {
        let skeleton = body(n);
        let rig = GazeRig::find(&skeleton, &roles(n)).unwrap();
        let rest = skeleton.rest().collect();
        Self {
            rig,
            rest,
            skeleton,
            gaze: Gaze::new(options, 7),
            dt: 1.0 / hz,
            held: false,
        }
    }

    fn tick(&mut self, position: Option<Vec3>) -> GazeResult {
        self.look(
            position.map(|position| GazeTarget {
                position,
                radius: 0.0,
            }),
            1.0,
        )
    }

    fn look(&mut self, target: Option<GazeTarget>, weight: f32) -> GazeResult {
        let mut locals = self.rest.clone();
        let mut model = Vec::new();
        local_to_model(&self.skeleton, &locals, &mut model);
        let mut posed = Posed::new(&self.skeleton, &mut locals, &model);
        let input = GazeInput {
            dt: self.dt,
            target,
            turned: 0.0,
            hold_lids: self.held,
        };
        self.gaze.advance(&self.rig, &posed, &input);
        self.gaze.apply(&mut posed, &self.rig, weight);
        local_to_model(&self.skeleton, &locals, &mut model);
        GazeResult { model, locals }
    }
}

impl GazeResult {
    fn frame(&self, bone: &rig_bone::Bone) -> Quat {
        Trs::nearest(self.model[usize::from(bone.bone)]).rotation * bone.bone_from_character
    }

    /// Angles of the head relative to the hips.
    fn head(&self, rig: &GazeRig) -> Vec2 {
        angles_of(self.frame(&rig.head) * Vec3::Z)
    }

    /// Directions of both eyes in model space.
    fn eyes(&self, rig: &GazeRig) -> [Vec3; 2] {
        rig.eyes.map(|eye| self.frame(&eye.unwrap()) * Vec3::Z)
    }

    /// Angle between the mean line of sight and a position, degrees.
    fn error_of_sight(&self, rig: &GazeRig, position: Vec3) -> f32 {
        let [left, right] = self.eyes(rig);
        let eye =
            |i: usize| Vec3::from(self.model[usize::from(rig.eyes[i].unwrap().bone)].translation);
        let middle = (eye(0) + eye(1)) * 0.5;
        (left + right).angle_between(position - middle).to_degrees()
    }
}

mod rig_bone {
    pub use crate::trunk::AlignedBone as Bone;
}

fn around(yaw: f32, pitch: f32, metres: f32) -> Vec3 {
    let angles = Vec2::new(yaw.to_radians(), pitch.to_radians());
    Vec3::new(0.0, 1.66, 0.1) + super::rig::direction_of(angles) * metres
}

/// Options without small motions, so that only the movement towards the target is measured.
fn still() -> GazeOptions {
    GazeOptions {
        eye_activity: 0.0,
        idle: false,
        out_of_range: OutOfRange::Clamp,
        ..GazeOptions::default()
    }
}

#[test]
fn heads_settle_without_overshoot_at_any_tick_rate() {
    for hz in [30.0, 60.0, 240.0] {
        for degrees in [5.0_f32, 20.0, 45.0, 85.0, 120.0, 170.0] {
            // The target jumps from one side to the other.
            let mut looker = Looker::new(still(), hz);
            for _ in 0..(3.0 * hz) as u32 {
                looker.tick(Some(around(-degrees * 0.5, -4.0, 3.0)));
            }
            let goal = around(degrees * 0.5, 4.0, 3.0);
            let angles: Vec<f32> = (0..(4.0 * hz) as u32)
                .map(|_| looker.tick(Some(goal)).head(&looker.rig).x.to_degrees())
                .collect();
            let end = *angles.last().unwrap();
            let max = angles.iter().copied().fold(f32::MIN, f32::max);
            assert!(max - end < 0.1, "{hz} {degrees}: passes by {}", max - end);
            let late = &angles[(2.0 * hz) as usize..];
            assert!(
                late.iter().all(|yaw| (yaw - end).abs() < 2.0),
                "{hz} {degrees}"
            );
        }
    }
}

#[test]
fn a_target_jump_from_straight_ahead_settles_at_every_angle() {
    for hz in [30.0, 60.0, 240.0] {
        for degrees in [5.0_f32, 30.0, 60.0, 100.0, 170.0] {
            let mut looker = Looker::new(still(), hz);
            let goal = around(degrees, 0.0, 3.0);
            let angles: Vec<f32> = (0..(5.0 * hz) as u32)
                .map(|_| looker.tick(Some(goal)).head(&looker.rig).x.to_degrees())
                .collect();
            let (end, max) = (
                angles[angles.len() - 1],
                angles.iter().copied().fold(f32::MIN, f32::max),
            );
            assert!(max - end < 0.1, "{hz} {degrees}: {max} {end}");
            assert!(
                end <= 83.01 && (degrees > 60.0 || degrees - end < 6.5),
                "{degrees}: {end}"
            );
        }
    }
}

#[test]
fn eyes_arrive_first_and_stay_on_target_while_the_head_follows() {
    for hz in [60.0, 240.0] {
        let mut looker = Looker::new(still(), hz);
        for _ in 0..hz as u32 {
            looker.tick(Some(around(0.0, 0.0, 2.0)));
        }
        for (yaw, pitch) in [(10.0, 0.0), (-14.0, 12.0), (28.0, -10.0), (55.0, 5.0)] {
            let goal = around(yaw, pitch, 2.0);
            let (mut seen_at, mut turned_at, mut head_after) = (None, None, 0.0_f32);
            let start = looker.tick(Some(goal)).head(&looker.rig);
            let mut end = start;
            for i in 0..(3.0 * hz) as u32 {
                let seen = looker.tick(Some(goal));
                let off = seen.error_of_sight(&looker.rig, goal);
                let t = i as f32 / hz;
                if off < 1.0 && seen_at.is_none() {
                    seen_at = Some((t, seen.head(&looker.rig)));
                }
                if seen_at.is_some() {
                    assert!(off < 1.0, "{yaw}: off by {off} at {t}");
                }
                end = seen.head(&looker.rig);
                if let Some((_, then)) = seen_at {
                    head_after = head_after.max(then.distance(end).to_degrees());
                }
                if turned_at.is_none() && (end - start).length() > 0.9 * 0.2 {
                    turned_at = Some(t);
                }
            }
            let (t, _) = seen_at.unwrap();
            let direct = yaw.hypot(pitch) < 30.0;
            assert!(!direct || t < 0.13, "{yaw}: seen after {t}");
            assert!(
                turned_at.is_none_or(|turned| turned >= t),
                "the head was first"
            );
            assert!(
                head_after > 3.0,
                "{yaw}: the head came after by {head_after}"
            );
            assert!(end.distance(start) > 0.05);
        }
    }
}

#[test]
fn chest_head_and_eyes_stay_within_their_ranges() {
    let mut looker = Looker::new(still(), 60.0);
    let mut chance = galatea_math::random::RandomSource::new(3);
    let (mut head, mut chest, mut eyes) = (0.0_f32, 0.0_f32, 0.0_f32);
    for _ in 0..300 {
        let (yaw, pitch) = (chance.between(-180.0, 180.0), chance.between(-90.0, 90.0));
        let goal = around(yaw, pitch, chance.between(0.05, 5.0));
        for _ in 0..20 {
            let seen = looker.tick(Some(goal));
            let frame = |bone: u16| {
                let rest = crate::trunk::Resting::new(&looker.skeleton, Quat::IDENTITY);
                seen.frame(&rest.carrying(bone).unwrap())
            };
            let breast = angles_of(frame(2) * Vec3::Z);
            let on_chest = seen.head(&looker.rig) - breast;
            head = head.max(on_chest.x.abs());
            assert!(on_chest.y.abs() < 40.1_f32.to_radians(), "{on_chest}");
            chest = chest.max(breast.x.abs());
            assert!(breast.y < 6.01_f32.to_radians() && breast.y > -8.01_f32.to_radians());
            let skull = frame(4).conjugate();
            for eye in seen.eyes(&looker.rig) {
                let angles = angles_of(skull * eye);
                eyes = eyes.max(angles.x.abs());
                assert!(angles.y < 25.01_f32.to_radians() && angles.y > -35.01_f32.to_radians());
            }
        }
    }
    let [head, chest, eyes] = [head, chest, eyes].map(f32::to_degrees);
    assert!((60.0..65.01).contains(&head), "{head}");
    assert!((15.0..18.01).contains(&chest), "{chest}");
    assert!((34.0..35.02).contains(&eyes), "{eyes}");
}

#[test]
fn each_eye_aims_by_itself_down_to_the_nearest_distance() {
    let mut looker = Looker::new(still(), 60.0);
    let between = |looker: &mut Looker, metres: f32| {
        let position = around(3.0, 0.0, metres);
        let mut out = 0.0;
        for _ in 0..120 {
            let seen = looker.tick(Some(position));
            let [left, right] = seen.eyes(&looker.rig);
            out = left.angle_between(right).to_degrees();
        }
        out
    };
    let expected = |metres: f32| 2.0 * (0.032_f32 / metres).atan().to_degrees();
    for metres in [0.3_f32, 0.6, 2.0, 50.0] {
        let angle = between(&mut looker, metres);
        assert!((angle - expected(metres)).abs() < 0.1, "{metres}: {angle}");
    }
    let nearest = between(&mut looker, 0.03);
    assert!(
        (nearest - expected(looker.rig.nearest())).abs() < 1.0,
        "{nearest}"
    );
}

#[test]
fn a_target_that_jitters_at_the_cone_edge_is_accepted_or_lost_once() {
    for edge in [60.0_f32, 75.0] {
        let mut looker = Looker::new(GazeOptions::default(), 60.0);
        for _ in 0..30 {
            looker.tick(Some(around(30.0, 0.0, 2.0)));
        }
        let (mut changes, mut previous) = (0, looker.gaze.has_accepted());
        assert!(previous && looker.gaze.required_turn().is_none());
        for i in 0..1200 {
            let yaw = edge + 4.0 * (i as f32 * 0.3).sin();
            looker.tick(Some(around(yaw, 0.0, 2.0)));
            changes += u32::from(looker.gaze.has_accepted() != previous);
            previous = looker.gaze.has_accepted();
        }
        assert!(changes <= 1, "{edge}: {changes}");
    }
    let mut looker = Looker::new(GazeOptions::default(), 60.0);
    looker.tick(Some(around(150.0, 0.0, 2.0)));
    let turn = looker.gaze.required_turn().unwrap().to_degrees();
    assert!((turn - 150.0).abs() < 3.0, "{turn}");
    looker.tick(Some(around(0.0, 80.0, 2.0)));
    assert!(!looker.gaze.has_accepted() && looker.gaze.required_turn().is_none());
}

#[test]
fn a_target_that_passes_behind_does_not_swing_the_head_around() {
    let mut looker = Looker::new(still(), 60.0);
    for _ in 0..180 {
        looker.tick(Some(around(150.0, 0.0, 2.0)));
    }
    for i in 0..600 {
        let yaw = 180.0 + 8.0 * (i as f32 * 0.05).sin();
        let head = looker.tick(Some(around(yaw, 0.0, 2.0))).head(&looker.rig);
        assert!(head.x.to_degrees() > 70.0, "{}", head.x.to_degrees());
    }
}

#[test]
fn no_target_position_or_weight_produces_nan() {
    let wicked = [
        Vec3::new(0.0, 1.66, 0.1),
        Vec3::new(0.0, 1.6, 0.02),
        Vec3::new(0.032, 1.66, 0.1),
        Vec3::new(0.0, 9.0, 0.1),
        Vec3::new(0.0, -9.0, 0.1),
        Vec3::new(0.0, 1.66, -3.0),
        Vec3::ZERO,
        Vec3::splat(1e30),
        Vec3::splat(-1e-30),
        Vec3::NAN,
        Vec3::INFINITY,
    ];
    for n in [5, 7] {
        for options in [GazeOptions::default(), still()] {
            let mut looker = Looker::of(n, options, 60.0);
            for radius in [0.0, 0.1, f32::MAX, f32::NAN, -1.0] {
                for (i, position) in wicked.into_iter().enumerate() {
                    for tick in 0..30 {
                        looker.dt = [0.0, 1.0 / 60.0, 5.0, f32::NAN, -1.0][tick % 5];
                        let weight = [1.0, 0.5, f32::NAN, 7.0, -1.0][(tick + i) % 5];
                        let seen = looker.look(Some(GazeTarget { position, radius }), weight);
                        assert!(
                            seen.locals.iter().all(|local| local.is_finite()),
                            "{position}"
                        );
                        let gaze = &looker.gaze;
                        assert!(gaze.point().is_finite() && gaze.eye_angles().is_finite());
                        assert!((0.0..=1.0).contains(&gaze.lids()));
                        assert!(gaze.lids_follow(&looker.rig).is_finite());
                    }
                }
            }
            looker.dt = 1.0 / 60.0;
            let mut end = 0.0;
            for _ in 0..240 {
                let seen = looker.tick(Some(around(10.0, 0.0, 2.0)));
                end = if n == 7 {
                    seen.error_of_sight(&looker.rig, around(10.0, 0.0, 2.0))
                } else {
                    0.0
                };
            }
            assert!(end < 1.5, "it recovers: {end}");
        }
    }
}

#[test]
fn only_rotations_change_and_zero_weight_changes_nothing() {
    let mut looker = Looker::new(GazeOptions::default(), 60.0);
    let goal = GazeTarget {
        position: around(50.0, 20.0, 1.0),
        radius: 0.1,
    };
    for _ in 0..60 {
        let seen = looker.look(Some(goal), 1.0);
        for (local, rest) in seen.locals.iter().zip(&looker.rest) {
            assert_eq!(
                (local.translation, local.scale),
                (rest.translation, rest.scale)
            );
        }
    }
    assert_eq!(looker.look(Some(goal), 0.0).locals, looker.rest);
    let (half, full) = (
        looker.look(Some(goal), 0.5).head(&looker.rig),
        looker.look(Some(goal), 1.0).head(&looker.rig),
    );
    assert!((half.x / full.x - 0.5).abs() < 0.02, "{half} {full}");
}

#[test]
fn eyes_fade_in_and_out_and_the_head_returns() {
    let mut looker = Looker::new(
        GazeOptions {
            idle: false,
            eye_activity: 0.0,
            ..GazeOptions::default()
        },
        240.0,
    );
    let mut last = looker.tick(None);
    let (mut fastest, mut n) = (0.0_f32, 0);
    for i in 0..1440 {
        let target = (i < 720).then(|| around(20.0, 5.0, 2.0));
        let seen = looker.tick(target);
        for bone in 0..5 {
            let rotation = seen.locals[bone]
                .rotation
                .angle_between(last.locals[bone].rotation);
            fastest = fastest.max(rotation.to_degrees());
        }
        n += u32::from(seen.locals != last.locals);
        last = seen;
    }
    assert!(
        fastest < 1.05 && n > 100,
        "240 degrees a second at most: {fastest}"
    );
    for (local, rest) in last.locals.iter().zip(&looker.rest) {
        assert!(local.rotation.angle_between(rest.rotation) < 2e-3);
    }
}

#[test]
fn the_same_seed_gives_the_same_bits_and_another_does_not() {
    let run = |seed: u64| {
        let mut looker = Looker::new(GazeOptions::default(), 60.0);
        looker.gaze = Gaze::new(looker.gaze.options, seed);
        let mut out = Vec::new();
        for i in 0..1200 {
            let target = (i % 500 > 200).then(|| around(20.0, 0.0, 1.5));
            let seen = looker.tick(target);
            out.push((seen.locals, looker.gaze.lids().to_bits()));
        }
        out
    };
    let first = run(1);
    assert!(first == run(1));
    assert!(first != run(2));
}

#[test]
fn a_skeleton_looks_with_the_bones_it_has_or_returns_an_error() {
    // Without eyes the head turns all the way.
    let mut looker = Looker::of(5, still(), 60.0);
    assert!(!looker.rig.has_eyes);
    let goal = around(30.0, 10.0, 2.0);
    let mut off = 0.0;
    for _ in 0..300 {
        let seen = looker.tick(Some(goal));
        let frame = seen.frame(&looker.rig.head);
        let middle = seen.model[4].transform_point3(looker.rig.eye_middle);
        off = (frame * Vec3::Z).angle_between(goal - middle).to_degrees();
    }
    assert!(off < 0.5, "{off}");
    let skeleton = body(4);
    let none = GazeRig::find(&skeleton, &roles(4)).unwrap_err();
    assert!(
        none.to_string()
            .contains("no bone has the role or the name \"head\""),
        "{none}"
    );
    // A single bone: no neck, spine or hips.
    let bones = GazeBones {
        head: Some(4),
        ..GazeBones::default()
    };
    let skeleton = body(7);
    let rig = GazeRig::new(&skeleton, Quat::IDENTITY, &bones).unwrap();
    assert!(rig.spine.is_empty() && rig.necks.is_empty());
    let beyond = GazeBones {
        necks: vec![BoneFraction {
            bone: 40,
            fraction: 0.5,
        }],
        ..bones
    };
    let none = GazeRig::new(&skeleton, Quat::IDENTITY, &beyond).unwrap_err();
    assert_eq!(
        none.to_string(),
        "look-at: bone 40 does not exist; the skeleton has 7 bones"
    );
}

#[test]
fn lids_follow_the_eyes_down_and_do_not_blink_while_held() {
    let mut looker = Looker::new(still(), 60.0);
    looker.held = true;
    for i in 0..3600 {
        looker.tick(Some(around(
            if i % 240 < 120 { 40.0 } else { -40.0 },
            0.0,
            2.0,
        )));
        assert_eq!(looker.gaze.lids(), 0.0);
    }
    looker.held = false;
    let blinks = |looker: &mut Looker, yaw: f32| {
        let before = looker.gaze.n_blinks();
        for i in 0..3600 {
            looker.tick(Some(around(
                if i % 240 < 120 { yaw } else { -yaw },
                0.0,
                2.0,
            )));
        }
        looker.gaze.n_blinks() - before
    };
    let (few, many) = (blinks(&mut looker, 5.0), blinks(&mut looker, 40.0));
    assert!((5..16).contains(&few) && many > few + 5, "{few} {many}");
    for i in 0..240 {
        let pitch = if i < 234 { 0.0 } else { -14.0 };
        looker.tick(Some(around(0.0, pitch, 2.0)));
    }
    let down = looker.gaze.lids_follow(&looker.rig);
    assert!((0.1..0.3).contains(&down), "{down}");
    let look = looker.gaze.morph_weights(&looker.rig);
    assert!(
        look.down > 0.05 && look.up == 0.0 && look.left.max(look.right) < 0.12,
        "{look:?}"
    );
}

#[test]
fn the_gaze_stays_on_its_target_while_the_character_turns() {
    let mut looker = Looker::new(still(), 60.0);
    let in_world = around(0.0, 0.0, 3.0);
    for _ in 0..60 {
        looker.tick(Some(in_world));
    }
    for i in 1..40 {
        // 90 degrees per second, more than eyes can pursue.
        let turned = 1.5_f32.to_radians();
        let position = Quat::from_rotation_y(-turned * i as f32) * in_world;
        let mut locals = looker.rest.clone();
        let mut model = Vec::new();
        local_to_model(&looker.skeleton, &locals, &mut model);
        let mut posed = Posed::new(&looker.skeleton, &mut locals, &model);
        let input = GazeInput {
            dt: looker.dt,
            target: Some(GazeTarget {
                position,
                radius: 0.0,
            }),
            turned,
            hold_lids: false,
        };
        looker.gaze.advance(&looker.rig, &posed, &input);
        looker.gaze.apply(&mut posed, &looker.rig, 1.0);
        local_to_model(&looker.skeleton, &locals, &mut model);
        let off = GazeResult { model, locals }.error_of_sight(&looker.rig, position);
        assert!(off < 1.0, "{i}: {off}");
        assert!(!looker.gaze.in_saccade());
    }
}
