use glam::{Affine3A, Quat, Vec3};

use super::foot::FootPose;
use super::{
    FootIk, FootIkInput, FootIkSettings, GroundHit, GroundQuery, LegRig, PlatformId, RestSkeleton,
    Step,
};
use crate::Posed;
use galatea_anim::humanoid::find;
use galatea_anim::{Bone, Skeleton, local_to_model};
use galatea_math::Trs;

/// Hips and two legs, 0.9 m long, looking along +Z.
pub(super) fn human() -> Skeleton {
    let mut bones = vec![("hips", None, Vec3::Y)];
    bones.push(("spine", Some(0), Vec3::Y * 0.2));
    bones.push(("head", Some(1), Vec3::Y * 0.5));
    for (side, x) in [("left", 0.1), ("right", -0.1)] {
        let at = bones.len() as u16;
        let name = |part: &str| -> &'static str { Box::leak(format!("{side}_{part}").into()) };
        bones.push((name("upper_leg"), Some(0), Vec3::new(x, -0.05, 0.0)));
        bones.push((name("lower_leg"), Some(at), Vec3::new(0.0, -0.45, 0.01)));
        bones.push((name("foot"), Some(at + 1), Vec3::new(0.0, -0.42, -0.02)));
        bones.push((name("toes"), Some(at + 2), Vec3::new(0.0, -0.07, 0.14)));
        let at = bones.len() as u16;
        bones.push((name("upper_arm"), Some(1), Vec3::new(2.0 * x, 0.3, 0.0)));
        bones.push((name("lower_arm"), Some(at), Vec3::new(3.0 * x, 0.0, 0.0)));
        bones.push((name("hand"), Some(at + 1), Vec3::new(3.0 * x, 0.0, 0.0)));
    }
    skeleton(&bones)
}

/// A trunk on four legs.
fn animal() -> Skeleton {
    let mut bones = vec![("trunk", None, Vec3::Y * 0.6)];
    for (i, (x, z)) in [(0.1, 0.5), (-0.1, 0.5), (0.1, -0.5), (-0.1, -0.5)]
        .into_iter()
        .enumerate()
    {
        let at = bones.len() as u16;
        let name = |part: &str| -> &'static str { Box::leak(format!("{part}{i}").into()) };
        bones.push((name("a"), Some(0), Vec3::new(x, -0.05, z)));
        bones.push((name("b"), Some(at), Vec3::new(0.0, -0.25, -0.03)));
        bones.push((name("c"), Some(at + 1), Vec3::new(0.0, -0.25, 0.03)));
        bones.push((name("d"), Some(at + 2), Vec3::new(0.0, -0.05, 0.05)));
    }
    skeleton(&bones)
}

fn skeleton(bones: &[(&str, Option<u16>, Vec3)]) -> Skeleton {
    let bones = bones.iter().map(|(name, parent, at)| Bone {
        name: (*name).to_owned(),
        parent: *parent,
        rest: Trs::from_translation(*at),
        skinned: true,
    });
    Skeleton::new(bones.collect()).unwrap()
}

/// Ground given by its height at x and z, and the transform of its platform if it has one.
pub(super) struct Land<F: Fn(f32, f32) -> Option<f32> + Sync> {
    pub height: F,
    pub carrier: Option<Affine3A>,
}

impl<F: Fn(f32, f32) -> Option<f32> + Sync> GroundQuery for Land<F> {
    fn ground_below(&self, from: Vec3, reach: f32) -> Option<GroundHit> {
        let height = |x, z| (self.height)(x, z);
        let y = height(from.x, from.z)?;
        let slope = |x: f32, z: f32| {
            let side = height(from.x + x, from.z + z).unwrap_or(y);
            if (side - y).abs() > 0.05 {
                0.0
            } else {
                (side - y) / 0.01
            }
        };
        let normal = Vec3::new(-slope(0.01, 0.0), 1.0, -slope(0.0, 0.01)).normalize();
        (0.0..=reach).contains(&(from.y - y)).then_some(GroundHit {
            point: from.with_y(y),
            normal,
            platform: self.carrier.map(|_| PlatformId([1, 2])),
            owner: 7,
            part: 0,
        })
    }

    fn platform(&self, id: PlatformId) -> Option<Affine3A> {
        (id == PlatformId([1, 2])).then_some(self.carrier).flatten()
    }
}

pub(super) fn flat(height: f32) -> Land<impl Fn(f32, f32) -> Option<f32> + Sync> {
    Land {
        height: move |_, _| Some(height),
        carrier: None,
    }
}

/// A body in its rest pose, or in the pose that `pose` writes.
pub(super) struct Body {
    pub skeleton: Skeleton,
    pub rig: LegRig,
    feet: FootIk,
    pub model: Vec<Affine3A>,
    pub locals: Vec<Trs>,
    steps: Vec<Step>,
    options: FootIkSettings,
    weight: f32,
    grounded: bool,
}

impl Body {
    pub fn new(skeleton: Skeleton) -> Self {
        let rest: Vec<Trs> = skeleton.rest().collect();
        let mut model = Vec::new();
        local_to_model(&skeleton, &rest, &mut model);
        let (humanoid, _) = find(&skeleton, None);
        let lowest = model
            .iter()
            .map(|m| m.translation.y)
            .fold(f32::MAX, f32::min);
        let rig = LegRig::of(&RestSkeleton {
            skeleton: &skeleton,
            humanoid: &humanoid,
            model_from_bone: &model,
            lowest,
            soles: &[],
        });
        Self {
            rig: rig.unwrap(),
            feet: FootIk::default(),
            model,
            locals: rest,
            steps: Vec::new(),
            options: FootIkSettings::default(),
            weight: 1.0,
            grounded: true,
            skeleton,
        }
    }

    pub fn tick(
        &mut self,
        world: Affine3A,
        ground: &dyn GroundQuery,
        dt: f32,
        pose: &dyn Fn(&mut [Trs]),
    ) {
        self.locals = self.skeleton.rest().collect();
        pose(&mut self.locals);
        local_to_model(&self.skeleton, &self.locals, &mut self.model);
        let mut posed = Posed::new(&self.skeleton, &mut self.locals, &self.model);
        let input = FootIkInput {
            dt,
            world_from_model: world,
            weight: self.weight,
            grounded: self.grounded,
            planted: &[],
            ground,
        };
        self.feet.advance(
            &self.rig,
            &self.options,
            &mut posed,
            &input,
            &mut self.steps,
        );
        local_to_model(&self.skeleton, &self.locals, &mut self.model);
        assert!(self.model.iter().all(|m| m.is_finite()));
    }

    pub fn stand(&mut self, ground: &dyn GroundQuery, seconds: f32) {
        for _ in 0..(seconds * 60.0) as usize {
            self.tick(Affine3A::IDENTITY, ground, 1.0 / 60.0, &|_| ());
        }
    }

    /// World positions of heel and ball of a foot.
    pub fn sole(&self, leg: usize) -> [Vec3; 2] {
        let leg = &self.rig.legs[leg];
        let matrix = self.model[usize::from(leg.limb.end)];
        [leg.heel, leg.ball].map(|position| matrix.transform_point3(position))
    }

    fn hips(&self) -> Vec3 {
        self.model[usize::from(self.rig.body)].translation.into()
    }
}

#[test]
fn flat_ground_changes_nothing() {
    for skeleton in [human(), animal()] {
        let mut body = Body::new(skeleton);
        let rest = body.model.clone();
        let ground = flat(body.rig.ground);
        body.stand(&ground, 1.0);
        for (now, rest) in body.model.iter().zip(&rest) {
            assert!(now.abs_diff_eq(*rest, 2e-4), "{now} {rest}");
        }
        assert!(body.steps.is_empty());
    }
}

#[test]
fn a_human_has_two_legs_and_an_animal_four_with_names() {
    let names =
        |body: &Body| -> Vec<String> { body.rig.legs.iter().map(|leg| leg.name.clone()).collect() };
    assert_eq!(names(&Body::new(human())), ["left", "right"]);
    let animal = Body::new(animal());
    let four = ["front_left", "front_right", "hind_left", "hind_right"];
    assert_eq!(names(&animal), four);
    assert_eq!(animal.rig.body, 0);
}

#[test]
fn a_foot_on_a_block_rises_and_a_foot_over_a_hole_lowers_the_body() {
    let low = Body::new(human()).rig.ground;
    for (side, height, down) in [(1.0, 0.2, 0.0), (-1.0, -0.15, 0.15)] {
        let mut body = Body::new(human());
        let before = body.hips().y;
        let ground = Land {
            height: move |x: f32, _| Some(low + if x * side > 0.0 { height } else { 0.0 }),
            carrier: None,
        };
        body.stand(&ground, 2.0);
        for leg in 0..2 {
            let [heel, ball] = body.sole(leg);
            let want = low + if heel.x * side > 0.0 { height } else { 0.0 };
            assert!(
                (heel.y - want).abs() < 2e-3 && (ball.y - want).abs() < 2e-3,
                "{heel} {ball}"
            );
        }
        assert!(
            (before - body.hips().y - down).abs() < 0.01,
            "{}",
            body.hips()
        );
    }
}

#[test]
fn a_tick_of_zero_seconds_plants_feet() {
    let mut body = Body::new(human());
    body.options.smooth_time = 0.0;
    let ground = flat(body.rig.ground);
    body.tick(Affine3A::IDENTITY, &ground, 0.0, &|_| ());
    body.stand(&ground, 0.5);
    for leg in 0..2 {
        let [heel, ball] = body.sole(leg);
        assert!(
            heel.is_finite() && (ball.y - body.rig.ground).abs() < 1e-3,
            "{ball}"
        );
    }
}

#[test]
fn soles_align_with_slopes_in_every_direction() {
    let low = Body::new(human()).rig.ground;
    for (a, b) in [(0.35, 0.0), (-0.35, 0.0), (0.0, 0.3), (0.2, -0.2)] {
        let mut body = Body::new(human());
        let height = move |x: f32, z: f32| low + a * z + b * x;
        let ground = Land {
            height: move |x, z| Some(height(x, z)),
            carrier: None,
        };
        body.stand(&ground, 2.0);
        for leg in 0..2 {
            for position in body.sole(leg) {
                let off = position.y - height(position.x, position.z);
                assert!(off.abs() < 5e-3, "{a} {b}: {off}");
            }
        }
    }
}

#[test]
fn an_animal_pitches_along_a_slope_with_all_feet_on_it() {
    let mut body = Body::new(animal());
    let low = body.rig.ground;
    let ground = Land {
        height: move |_, z| Some(low + 0.3 * z),
        carrier: None,
    };
    body.stand(&ground, 2.0);
    for leg in 0..4 {
        let [_, ball] = body.sole(leg);
        assert!((ball.y - (low + 0.3 * ball.z)).abs() < 5e-3, "{ball}");
    }
    let along = body.model[0].transform_vector3(Vec3::Z);
    let slope = f32::atan2(along.y, along.z);
    assert!((slope - 0.3_f32.atan()).abs() < 0.03, "{slope}");
}

#[test]
fn planted_feet_stay_until_they_make_corrective_steps_one_at_a_time() {
    let mut body = Body::new(human());
    let ground = flat(body.rig.ground);
    body.stand(&ground, 0.5);
    let before = [body.sole(0)[1], body.sole(1)[1]];
    let at = |x: f32| Affine3A::from_translation(Vec3::X * x);
    let mut x = 0.0;
    while x < 0.2 {
        x += 0.005;
        body.tick(at(x), &ground, 1.0 / 60.0, &|_| ());
        for (leg, before) in before.iter().enumerate() {
            let now = at(x).transform_point3(body.sole(leg)[1]);
            assert!(now.distance(*before) < 1e-3, "{x}: {now}");
        }
    }
    let (mut lifted, mut max) = ([false; 2], 0);
    for _ in 0..180 {
        x = (x + 0.005_f32).min(0.4);
        body.tick(at(x), &ground, 1.0 / 60.0, &|_| ());
        let up: Vec<usize> = (0..2)
            .filter(|leg| body.sole(*leg)[1].y > body.rig.ground + 0.01)
            .collect();
        up.iter().for_each(|leg| lifted[*leg] = true);
        max = max.max(up.len());
    }
    assert_eq!((lifted, max), ([true; 2], 1));
    assert!(body.steps.len() >= 2 && body.steps.iter().all(|step| step.owner == 7));
    for (leg, before) in before.iter().enumerate() {
        let away = body.sole(leg)[1].distance(*before);
        assert!(away < 0.3 * body.rig.size, "{away}");
    }
}

#[test]
fn planted_feet_follow_a_moving_platform() {
    let mut body = Body::new(human());
    let low = body.rig.ground;
    let start = body.sole(0)[1];
    for i in 0..60 {
        // A lift that moves up and sideways and rotates.
        let u = i as f32 / 60.0;
        let lift = Affine3A::from_rotation_translation(
            Quat::from_rotation_y(0.2 * u),
            Vec3::new(0.1 * u, 0.3 * u, 0.0),
        );
        let ground = Land {
            height: move |_, _| Some(low + 0.3 * u),
            carrier: Some(lift),
        };
        let world = Affine3A::from_translation(Vec3::Y * 0.3 * u);
        body.tick(world, &ground, 1.0 / 60.0, &|_| ());
        let now = world.transform_point3(body.sole(0)[1]);
        let want = lift.transform_point3(start);
        assert!(now.distance(want) < 5e-3, "{u}: {now} {want}");
    }
}

#[test]
fn a_jump_keeps_the_clip_pose_and_zero_weight_changes_no_bit() {
    let mut body = Body::new(human());
    let low = body.rig.ground;
    let ground = Land {
        height: move |x: f32, _| Some(low + 0.3 * x),
        carrier: None,
    };
    body.stand(&ground, 1.0);
    body.grounded = false;
    body.stand(&ground, 1.5);
    let rest: Vec<Trs> = body.skeleton.rest().collect();
    for (now, rest) in body.locals.iter().zip(&rest) {
        assert!(now.rotation.angle_between(rest.rotation) < 2e-3);
        assert!(now.translation.distance(rest.translation) < 2e-3);
    }
    let mut body = Body::new(human());
    body.weight = 0.0;
    body.stand(&ground, 0.2);
    assert_eq!(body.locals, rest);
}

#[test]
fn a_locked_foot_rolls_over_its_end_before_it_is_released() {
    let (ball, ankle) = (Vec3::ZERO, Vec3::new(0.0, 0.08, -0.13));
    let length = 0.85;
    for far in [0.92_f32, 0.95, 0.97] {
        let hip = ball + Vec3::new(0.05, 0.97, 0.25).normalize() * far;
        let previous = FootPose {
            ankle,
            hip,
            rotation: Quat::IDENTITY,
            pivot: Some(ball),
            ..FootPose::default()
        };
        let mut now = previous;
        now.roll(length);
        let missed = (hip.distance(now.ankle) - length).max(0.0);
        assert!(missed < 1e-4, "{far}: {missed}");
        assert!((now.rotation * (ankle - ball)).distance(now.ankle - ball) < 1e-5);
        assert!(now.ankle.y > ankle.y + 0.01, "{far}: {}", now.ankle);
        let mut free = FootPose {
            pivot: None,
            ..previous
        };
        free.roll(length);
        assert_eq!(free.ankle, ankle);
        let mut near = previous;
        near.roll(hip.distance(ankle) + 1e-3);
        assert_eq!(near.ankle, ankle);
    }
}

#[test]
fn slipping_feet_are_locked_and_swinging_feet_are_not() {
    let slips = |slip: f32, speed: f32| {
        let mut body = Body::new(human());
        let ground = flat(body.rig.ground);
        let (mut held, mut n) = (0, 0);
        for i in 0..360 {
            let t = i as f32 / 60.0;
            let world = Affine3A::from_translation(Vec3::Z * speed * t);
            // The clip was made for another speed.
            body.tick(world, &ground, 1.0 / 60.0, &walk(t, speed * (1.0 + slip)));
            let stands = t.rem_euclid(1.0) < 0.5;
            n += usize::from(stands);
            let is_held = body.feet.feet[0].locked_end(&body.rig.legs[0]).is_some();
            held += usize::from(stands && is_held);
            let swings = (0.65..0.85).contains(&t.rem_euclid(1.0));
            assert!(!(swings && is_held), "{t}");
        }
        held as f32 / n as f32
    };
    for slip in [-0.35, 0.0, 0.32] {
        let planted_fraction = slips(slip, 1.3);
        assert!(planted_fraction > 0.8, "{slip}: {planted_fraction}");
    }
}

/// A walk in place: each foot swings forward and glides back, half a cycle after the other.
fn walk(t: f32, speed: f32) -> impl Fn(&mut [Trs]) {
    move |locals: &mut [Trs]| {
        for (thigh, phase) in [(3, 0.0), (10, 0.5)] {
            let u = (t + phase).rem_euclid(1.0);
            let reach = 0.25 * speed;
            // Each foot is planted for half of the cycle.
            let (z, y) = if u < 0.5 {
                (reach - 4.0 * reach * u, 0.0)
            } else {
                let swing = (u - 0.5) * 2.0;
                (
                    2.0 * reach * swing - reach,
                    0.12 * (swing * std::f32::consts::PI).sin(),
                )
            };
            locals[thigh].translation.z += z;
            locals[thigh].translation.y += y;
        }
    }
}

#[test]
fn a_walk_emits_each_step_with_its_predicted_next_position() {
    let mut body = Body::new(human());
    let ground = flat(body.rig.ground);
    let (speed, dt) = (0.8, 1.0 / 60.0);
    let mut log: Vec<(f32, Step)> = Vec::new();
    let mut t = 0.0;
    while t < 8.0 {
        t += dt;
        let world = Affine3A::from_translation(Vec3::Z * speed * t);
        body.tick(world, &ground, dt, &walk(t, speed));
        log.extend(body.steps.drain(..).map(|step| (t, step)));
        // A planted foot does not slide.
    }
    let left: Vec<&(f32, Step)> = log.iter().filter(|(_, step)| step.leg == 0).collect();
    assert!((7..=9).contains(&left.len()), "{}", left.len());
    for pair in left[3..].windows(2) {
        let ((t, step), (then, next)) = (pair[0], pair[1]);
        let (position, seconds) = step.next.expect("a walker knows");
        assert!(
            position.distance(next.position) < 0.04,
            "{position} {}",
            next.position
        );
        assert!((t + seconds - then).abs() < 0.05, "{seconds}");
        assert!(next.speed > 0.05 && next.speed < 2.0, "{}", next.speed);
    }
}

#[test]
fn stairs_are_climbed_without_penetration_at_any_tick_rate() {
    let mut ends = Vec::new();
    for hz in [30.0, 60.0, 240.0] {
        let mut body = Body::new(human());
        let low = body.rig.ground;
        let stairs = move |z: f32| {
            if z < 1.0 {
                0.0
            } else {
                ((z - 1.0) / 0.3).floor() * 0.15 + 0.15
            }
        };
        let ground = Land {
            height: move |_, z| Some(low + stairs(z)),
            carrier: None,
        };
        let (speed, mut t, mut deepest) = (0.8_f32, 0.0, 0.0_f32);
        while t < 4.0 {
            t += 1.0 / hz;
            let z: f32 = speed * t;
            // The character's own position rises smoothly.
            let world = Affine3A::from_translation(Vec3::new(0.0, ((z - 0.85) * 0.5).max(0.0), z));
            body.tick(world, &ground, 1.0 / hz, &walk(t, speed));
            for leg in 0..2 {
                let ball = world.transform_point3(body.sole(leg)[1]);
                deepest = deepest.max(low + stairs(ball.z) - ball.y);
            }
        }
        // A swinging ball may be below an edge for a moment, because the ground ahead is probed by a single ray.
        assert!(deepest < 0.06, "{hz}: {deepest}");
        ends.push(body.hips().y);
    }
    assert!((ends[0] - ends[2]).abs() < 0.03, "{ends:?}");
}

#[test]
fn extreme_input_gives_finite_poses() {
    let mut body = Body::new(human());
    let ground = Land {
        height: |x: f32, z: f32| (x.abs() < 5.0).then_some((x * 7.0).sin() * 3.0 + z.cos()),
        carrier: Some(Affine3A::from_scale(Vec3::ZERO)),
    };
    let mut seed = 1_u32;
    let mut chance = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed as f32 / u32::MAX as f32 - 0.5
    };
    for i in 0..3000 {
        let scale = [1.0, 0.1, 10.0, 1e-8, -1.0][i / 600];
        let world = Affine3A::from_scale_rotation_translation(
            Vec3::splat(scale),
            Quat::from_rotation_y(chance() * 6.0),
            Vec3::new(chance(), chance(), chance()) * if i % 50 == 0 { 20.0 } else { 0.3 },
        );
        let dt = [0.0, 1.0 / 60.0, 0.3][i % 3];
        let (a, b) = (chance() * 4.0, chance());
        body.grounded = i % 7 != 0;
        body.tick(world, &ground, dt, &move |locals| {
            locals[3].rotation = Quat::from_rotation_x(a);
            locals[4].scale = Vec3::new(1.0, b, 0.0);
            locals[5].translation *= b;
        });
    }
}

#[test]
fn a_skeleton_without_legs_is_an_error_that_names_legs() {
    let skeleton = skeleton(&[("a", None, Vec3::Y), ("b", Some(0), Vec3::Y)]);
    let (humanoid, _) = find(&skeleton, None);
    let log = LegRig::of(&RestSkeleton {
        skeleton: &skeleton,
        humanoid: &humanoid,
        model_from_bone: &[],
        lowest: 0.0,
        soles: &[],
    });
    assert!(log.unwrap_err().contains("legs"));
}
