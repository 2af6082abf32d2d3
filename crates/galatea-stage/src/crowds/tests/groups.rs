//! Groups that pass a door.

use glam::{Vec2, Vec3};

use super::{HERTZ, NoScript, Scene};
use crate::crowds::Leader;
use crate::tick;

/// Distances of followers to their leaders.
#[derive(Debug, Default)]
struct Cohesion {
    mean: f32,
    max: f32,
    /// Fraction of the time at which a follower is more than 3 m away.
    far: f32,
    /// Time until all leaders have arrived together with their followers, seconds.
    seconds: Option<f32>,
}

/// Groups of three walk through a door of this width in metres.
fn through_door(width: f32, n_groups: usize, seed: u64, seconds: f32) -> Cohesion {
    let scene = Scene::new(seed).with_door(width);
    let size = Vec2::new(10.0, 8.0);
    let mut scene = scene.agents(n_groups * 3, Vec2::Y * -7.0, size, |from| {
        Vec2::new(from.x, 14.0 + from.y / 4.0)
    });
    let crowd = scene.crowds[0];
    let own = scene.stage.agents.crowds.get_mut(crowd).unwrap();
    for i in 0..n_groups * 3 {
        let side = [0.0, 0.75, -0.75][i % 3];
        let first = own.agents[i - i % 3];
        if i % 3 > 0 {
            let leader = Leader::CrowdAgent((i - i % 3) as u32);
            let at = first.agent.at + Vec2::new(side, -0.35);
            own.agents[i].teleport(Vec3::new(at.x, 0.0, at.y), None);
            own.agents[i].send(None);
            own.agents[i].follow(Some((leader, Vec2::new(side, -0.35))));
            own.agents[i].set_speed(first.speed);
        }
    }
    let mut all = Cohesion::default();
    let (mut sum, mut n, mut far) = (0.0, 0, 0);
    for k in 1..=(seconds * HERTZ) as u32 {
        tick(&mut scene.stage, &mut NoScript);
        let people = scene.all_agents();
        let mut is_there = true;
        for (i, person) in people.iter().enumerate().filter(|(i, _)| i % 3 > 0) {
            let leader = &people[i - i % 3];
            let distance = leader.agent.at.distance(person.agent.at);
            is_there &= leader.goal.is_none() && distance < 2.5;
            if leader.goal.is_some() {
                (sum, n) = (sum + distance, n + 1);
                far += u32::from(distance > 3.0);
                all.max = all.max.max(distance);
            }
        }
        if is_there {
            all.seconds = Some(k as f32 / HERTZ);
            break;
        }
    }
    (all.mean, all.far) = (sum / n as f32, far as f32 / n as f32);
    all
}

#[test]
fn groups_stay_together_through_a_narrow_door() {
    for (width, seed) in [(0.9, 1), (0.9, 2), (0.9, 5), (1.2, 3)] {
        let found = through_door(width, 10, seed, 120.0);
        println!("10 groups of 3, door of {width} m: {found:?}");
        assert!(found.seconds.is_some(), "{width} m: {found:?}");
        assert!(found.mean < 2.2 && found.max < 7.0, "{width} m: {found:?}");
    }
}

#[test]
fn one_group_passes_a_door_in_file_without_a_stop() {
    for seed in 1..5 {
        let found = through_door(0.9, 1, seed, 60.0);
        println!("1 group of 3: {found:?}");
        assert!(found.seconds.is_some_and(|time| time < 20.0), "{found:?}");
        assert!(found.mean < 1.0 && found.max < 2.2, "{found:?}");
    }
}
