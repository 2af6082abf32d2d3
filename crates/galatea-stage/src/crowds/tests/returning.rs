//! Agents that have arrived and are pushed away.

use glam::{Vec2, Vec3};

use super::{HERTZ, NoScript, Scene};
use crate::tick;

#[test]
fn an_agent_returns_to_its_goal_when_the_agents_that_pushed_it_have_passed() {
    let mut max_pushed = 0.0_f32;
    for seed in 1..=4 {
        let walls = [-0.85, 0.85].map(|z| [Vec3::new(0.0, 0.6, z), Vec3::new(12.0, 1.2, 0.3)]);
        let scene = Scene::new(seed).with_solids(&walls, Vec2::new(18.0, 24.0));
        let place = Vec2::new(0.5, 0.0);
        let mut scene = scene.agents(1, place, Vec2::splat(0.01), |_| place).agents(
            30,
            Vec2::X * -13.0,
            Vec2::new(6.0, 5.0),
            |from| Vec2::new(12.0 + from.y.abs(), from.y),
        );
        let (mut pushed, mut n_arrivals) = (0.0_f32, 0);
        for _ in 0..(60.0 * HERTZ) as u32 {
            tick(&mut scene.stage, &mut NoScript);
            let person = scene.all_agents()[0];
            n_arrivals += u32::from(person.has_arrived());
            pushed = pushed.max(person.agent.at.distance(place));
        }
        let away = scene.all_agents()[0].agent.at.distance(place);
        max_pushed = max_pushed.max(pushed);
        assert_eq!(n_arrivals, 1);
        assert!(away < 1.05, "{away} m away after it was pushed {pushed} m");
    }
    assert!(max_pushed > 3.0, "pushed only {max_pushed} m");
}
