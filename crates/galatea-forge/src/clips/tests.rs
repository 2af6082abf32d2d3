use glam::{Affine3A, Quat, Vec3};

use super::{all, crouch, flinch, gait::WalkCycle, idle, jump, run, stance::solve, walk, wave};
use crate::rig;
use galatea_anim::{Clip, Skeleton};

/// Rotation of a bone at a time, with spherical interpolation of the keys.
fn rotation(clip: &Clip, bone: u16, t: f32) -> Quat {
    let track = clip.bones.iter().find(|b| b.bone == bone);
    let Some(track) = track.and_then(|b| b.rotation.as_ref()) else {
        return Quat::IDENTITY;
    };
    let (i, u) = key_at(&track.times, t);
    track.values[i].slerp(track.values[i + 1], u)
}

fn key_at(times: &[f32], t: f32) -> (usize, f32) {
    let i = times
        .iter()
        .rposition(|k| *k <= t)
        .unwrap_or(0)
        .min(times.len() - 2);
    (
        i,
        ((t - times[i]) / (times[i + 1] - times[i])).clamp(0.0, 1.0),
    )
}

/// Model-from-bone matrices of all bones at a time.
fn pose(skeleton: &Skeleton, clip: &Clip, t: f32) -> Vec<Affine3A> {
    let mut out: Vec<Affine3A> = Vec::new();
    for (i, bone) in skeleton.bones().iter().enumerate() {
        let tracks = clip.bones.iter().find(|b| usize::from(b.bone) == i);
        let translation = match tracks.and_then(|b| b.translation.as_ref()) {
            Some(track) => {
                let (k, u) = key_at(&track.times, t);
                track.values[k].lerp(track.values[k + 1], u)
            }
            None => bone.rest.translation,
        };
        let local = Affine3A::from_rotation_translation(rotation(clip, i as u16, t), translation);
        out.push(match bone.parent {
            Some(p) => out[usize::from(p)] * local,
            None => local,
        });
    }
    out
}

/// Model-space position of a point that is at `rest` in the rest pose (left side) and attached to a bone.
fn attached_point(
    skeleton: &Skeleton,
    pose: &[Affine3A],
    bone: &str,
    rest: Vec3,
    side: f32,
) -> Vec3 {
    let side_name = if side > 0.0 { "left" } else { "right" };
    let i = usize::from(skeleton.find(&format!("{side_name}_{bone}")).unwrap());
    let mirror = Vec3::new(side, 1.0, 1.0);
    pose[i].transform_point3(rest * mirror - rig::rest_positions(skeleton)[i])
}

fn clip(skeleton: &Skeleton, name: &str) -> Clip {
    all(skeleton).into_iter().find(|c| c.name == name).unwrap()
}

/// Maximum distance between a planted point and the moving ground, and minimum and maximum height of planted points. The
/// heel is planted from the strike to the heel's rise, the ball from the flat foot to toe-off.
fn slide(name: &str, gait: &WalkCycle) -> (f32, f32, f32) {
    let skeleton = rig::skeleton();
    let clip = clip(&skeleton, name);
    let (mut worst, mut low, mut high) = (0.0_f32, 0.0_f32, 0.0_f32);
    let stance = gait.duty * gait.period;
    let contacts = [
        ("foot", rig::HEEL, 0.0, gait.rise),
        ("toes", rig::BALL.with_y(0.0), gait.flat, 1.0),
    ];
    for (side, offset) in [(1.0, 0.0), (-1.0, 0.5)] {
        for (bone, rest, from, to) in contacts {
            let mut anchor: Option<Vec3> = None;
            let n = 120;
            for i in 0..=n {
                let s = i as f32 / n as f32;
                if s < from || s > to {
                    continue;
                }
                let since = s * stance;
                let t = (since + offset * gait.period).rem_euclid(gait.period);
                let p = attached_point(&skeleton, &pose(&skeleton, &clip, t), bone, rest, side);
                let on_ground = p + Vec3::Z * gait.speed * since;
                let anchor = *anchor.get_or_insert(on_ground);
                worst = worst.max((on_ground - anchor).with_y(0.0).length());
                low = low.min(p.y);
                high = high.max(p.y);
            }
        }
    }
    (worst, low, high)
}

#[test]
fn planted_feet_move_with_the_ground_when_walking() {
    let (slide, low, high) = slide("walk", &walk::WALK);
    println!("walk: slide {slide} m, contact height {low} .. {high} m");
    assert!(slide < 0.010, "slide {slide}");
    assert!(low > -0.010 && high < 0.010, "{low} {high}");
}

#[test]
fn planted_feet_move_with_the_ground_when_running() {
    let (slide, low, high) = slide("run", &run::RUN);
    println!("run: slide {slide} m, contact height {low} .. {high} m");
    assert!(slide < 0.020, "slide {slide}");
    assert!(low > -0.012 && high < 0.015, "{low} {high}");
}

#[test]
fn every_ankle_is_within_reach_of_its_leg() {
    let skeleton = rig::skeleton();
    for i in 0..240 {
        let u = i as f32 / 240.0;
        let stances = [
            ("walk", walk::at(u)),
            ("run", run::at(u)),
            ("idle", idle::at(u)),
            ("jump", jump::at(u * jump::DURATION)),
            ("wave", wave::at(u * wave::DURATION)),
            ("crouch_down", crouch::down(u * crouch::DOWN)),
            ("crouch", crouch::stay(u)),
            ("crouch_up", crouch::up(u * crouch::UP)),
            ("flinch", flinch::at(u * flinch::DURATION)),
        ];
        for (name, stance) in stances {
            let miss = solve(&skeleton, &stance).miss;
            assert!(miss[0].max(miss[1]) < 0.003, "{name} at {u}: {miss:?}");
        }
    }
}

#[test]
fn looping_clips_end_where_they_begin() {
    let skeleton = rig::skeleton();
    for name in ["idle", "walk", "run", "crouch"] {
        for tracks in &clip(&skeleton, name).bones {
            if let Some(track) = &tracks.rotation {
                let (a, b) = (track.values[0], track.values[track.values.len() - 1]);
                assert!(a.dot(b).abs() > 1.0 - 1e-5, "{name} bone {}", tracks.bone);
            }
        }
    }
}

#[test]
fn jump_and_wave_begin_and_end_in_the_idle_pose() {
    let skeleton = rig::skeleton();
    let rest = solve(&skeleton, &idle::at(0.0));
    for name in ["jump", "wave"] {
        let clip = clip(&skeleton, name);
        for t in [0.0, clip.duration] {
            for bone in 0..skeleton.len() {
                let q = rotation(&clip, bone as u16, t);
                assert!(
                    q.dot(rest.rotations[bone]).abs() > 0.9999,
                    "{name} at {t}, bone {bone}"
                );
            }
        }
    }
}

#[test]
fn both_feet_leave_the_ground_between_the_steps_of_a_run() {
    let skeleton = rig::skeleton();
    let clip = clip(&skeleton, "run");
    let t = (run::RUN.duty + 0.5) * 0.5 * run::RUN.period;
    let pose = pose(&skeleton, &clip, t);
    for side in [1.0, -1.0] {
        let ball = attached_point(&skeleton, &pose, "toes", rig::BALL.with_y(0.0), side);
        assert!(ball.y > 0.03, "{}", ball.y);
    }
}

#[test]
fn steps_are_marked_at_the_heel_strikes_and_the_jump_at_its_ends() {
    let skeleton = rig::skeleton();
    let marks = |name: &str| {
        let clip = clip(&skeleton, name);
        clip.markers
            .iter()
            .map(|m| (m.time, m.event.clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(marks("walk"), [(0.0, "step".into()), (0.5, "step".into())]);
    assert_eq!(marks("run").len(), 2);
    assert_eq!(
        marks("jump"),
        [
            (jump::TAKE_OFF, "takeoff".into()),
            (jump::LAND, "land".into())
        ]
    );
}

#[test]
fn no_foot_goes_through_the_floor_and_every_swing_clears_it() {
    let skeleton = rig::skeleton();
    let tip = rig::BALL + Vec3::new(0.0, -0.010, 0.065);
    for (name, gait) in [("walk", walk::WALK), ("run", run::RUN)] {
        let clip = clip(&skeleton, name);
        let mut clearance = f32::MAX;
        for i in 0..200 {
            let u = i as f32 / 200.0;
            let pose = pose(&skeleton, &clip, u * gait.period);
            let toe = attached_point(&skeleton, &pose, "toes", tip, 1.0).y;
            let heel = attached_point(&skeleton, &pose, "foot", rig::HEEL, 1.0).y;
            assert!(toe.min(heel) > -0.006, "{name} at {u}: {toe} {heel}");
            let swing = (u - gait.duty) / (1.0 - gait.duty);
            if (0.25..0.9).contains(&swing) {
                clearance = clearance.min(toe.min(heel));
            }
        }
        println!("{name}: least clearance in mid-swing {clearance} m");
        assert!(clearance > 0.012, "{name}: {clearance}");
    }
}
